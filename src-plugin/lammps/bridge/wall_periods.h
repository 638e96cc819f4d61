/* SPDX-License-Identifier: GPL-2.0-or-later
 * Wall surfaces where the cell is repeated. One that ends at both of two opposite boundaries goes
 * on beyond them; others are not repeated. */
#ifndef POLYHEDRA_WALL_PERIODS_H
#define POLYHEDRA_WALL_PERIODS_H

#include "lammps/host/lmp_compat.h"

#include "dynamics/wall.h"
#include "geometry/mesh.h"

#include <array>
#include <string>
#include <vector>

namespace LAMMPS_NS
{

/* The edges of the cell over which a surface goes on, zero where it does not; it then has copies of
 * itself by one of them to either side. */
struct SurfacePeriods {
  std::array<pd_vec3, 3> step;
  int own;               /* its triangles before those of the copies; 0: all of them */
  int dropped, repeated; /* triangles that were left out before, as in pd_mesh_report */

  SurfacePeriods() : step(), own(0), dropped(0), repeated(0) {}
  bool along(int k) const { return pd_norm2(step[k]) > 0.0; }
  bool any() const { return along(0) || along(1) || along(2); }
};

/* Adds its copies to a mesh in the coordinates of the box, which is then joined within itself.
 * weld: as in pd_mesh_repair. Errors of the mesh are left to who makes a shape of it. */
SurfacePeriods repeat_surface(LAMMPS *, const char *who, pd_mesh *mesh, double weld);

/* Why a surface cannot go on as it does: the cell has changed, or will. Empty if nothing has. */
std::string fault_of_cell(LAMMPS *, const SurfacePeriods &);

/* By how many edges of the cell a frame is off that from which it is gone by a displacement. */
std::array<int, 3> edges_gone(const Domain *, pd_vec3 displacement);

/* The vertex or edge of a surface that is another one's copy by so many edges of the cell; -1 if
 * there is none. */
int copy_of_vertex(const pd_shape *, const SurfacePeriods &, int vertex, std::array<int, 3> by);
int copy_of_edge(const pd_shape *, const SurfacePeriods &, int edge, std::array<int, 3> by);

/* Warns of surfaces that end within the reach (length) of a body from a periodic boundary: the part
 * of it that is across meets nothing, and comes into the wall when the host wraps the body. who:
 * the command, for the message. */
void warn_of_borders(LAMMPS *, const std::string &who, const std::vector<pd_wall> &walls,
                     double reach);

} // namespace LAMMPS_NS

#endif
