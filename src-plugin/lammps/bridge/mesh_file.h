/* SPDX-License-Identifier: GPL-2.0-or-later
 * From a mesh file to a shape on every process, shared by fix polyhedron/shape and fix
 * wall/polyhedron. */
#ifndef POLYHEDRA_MESH_FILE_H
#define POLYHEDRA_MESH_FILE_H

#include "lammps/host/lmp_compat.h"

#include "geometry/mesh.h"
#include "geometry/shape.h"

namespace LAMMPS_NS
{

/* Both are called by all processes and stop with an error on all of them. who: start of error
 * messages. */

/* Rank 0 reads, all get copies: a cluster's file system is asked once. */
pd_mesh read_mesh(LAMMPS *lmp, const char *who, const char *path);

/* what a mesh is to become: a body if closed, else a wall surface */
struct MeshUse {
  bool closed;
  double weld;     /* as in pd_mesh_repair */
  double round;    /* radius by which a body's surface is offset */
  double simplify; /* > 0: contacts see fewer triangles, which enclose the body's surface and are
                      nowhere further from it than this */
};

/* Repairs the mesh and makes a shape of it. Releases the mesh; the caller releases the shape. name:
 * of the mesh in error messages. report may be null but with simplify, where *own becomes the
 * body's surface in the shape's frame; the caller releases it. */
pd_shape *create_shape(LAMMPS *lmp, const char *who, const char *name, pd_mesh *mesh,
                       const MeshUse &use, pd_mesh_report *report, pd_mesh *own = nullptr);

} // namespace LAMMPS_NS

#endif
