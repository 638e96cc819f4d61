/* SPDX-License-Identifier: MIT
 * Triangle meshes: reading (STL binary and ASCII, OBJ), welding, checks, orientation repair. */
#ifndef PD_MESH_H
#define PD_MESH_H

#include "base/vec3.h"

/* indexed triangle mesh; owns its arrays (release with pd_mesh_free) */
typedef struct pd_mesh {
  int nv;      /* vertices */
  int nt;      /* triangles */
  pd_vec3 *v;  /* nv positions, length units of the file */
  int (*t)[3]; /* nt triples of vertex indices, counter-clockwise seen from outside */
} pd_mesh;

/* pairs of triangles of a surface of which something holds */
typedef struct pd_triangle_pairs {
  int pairs;    /* how many there are */
  int first[2]; /* the lowest one, if there is one */
} pd_triangle_pairs;

/* what pd_mesh_repair found and did */
typedef struct pd_mesh_report {
  int welded;   /* vertices merged with another */
  int dropped;  /* triangles removed because two of their vertices were welded to one, and
                   from a mesh that need not be closed those without area */
  int repeated; /* from one that need not be closed: those with the vertices of another */
  int divided;  /* vertices on borders at which a triangle was divided */
  int flipped;  /* triangles whose orientation was reversed */
  int borders;  /* edges with one triangle */
  int parts;    /* connected components */
  int inverted; /* 1 if the whole surface pointed inwards and was turned round */
  /* numbers as in the file: of a closed mesh, its triangles that cross (geometry/crossing.h); of
   * one that need not be closed, those that lie on each other (geometry/coplanar.h) */
  pd_triangle_pairs crossings, doubled;
  pd_vec3 middle; /* of the first triangle of these */
} pd_mesh_report;

PD_BEGIN_DECLS

/* Reads path into *mesh, by content: binary STL, ASCII STL, else OBJ (by the extension .obj).
 * Vertices are as in the file (STL: three per triangle, unwelded); polygons of an OBJ become
 * triangles, convex ones fans.
 * Errors: PD_EOPEN; PD_EREAD: the file ends too early; PD_EEMPTY; PD_EFORMAT: syntax, or a binary
 * STL holds more records than it announces; PD_ENAN; PD_EINDEX: fault->value is the index;
 * PD_EWARPED, PD_ECROSSED: a polygon, see geometry/polygon.h; PD_ENOMEM. fault->line is the line of
 * a text or the record of a binary STL, both from 1, fault->item the triangle that was being read,
 * fault->count the missing or surplus records of a binary STL. */
pd_status pd_mesh_read(const char *path, pd_mesh *mesh, pd_fault *fault);

/* Makes an indexed mesh from copies of arrays.
 * Errors: PD_ERANGE (negative or too large sizes), PD_ENAN, PD_EINDEX, PD_ENOMEM. */
pd_status pd_mesh_create(int nv, const pd_vec3 *v, int nt, const int (*t)[3], pd_mesh *mesh);

/* Welds vertices not further apart than tol times the diagonal of the bounding box (0 <= tol <= 1;
 * 0 welds equal ones), drops triangles that vanish by it and vertices that no triangle uses,
 * divides triangles at vertices as near to their borders, makes the orientation of neighbouring
 * triangles agree (the majority of a patch is right) and the enclosed volume positive. The vertices
 * and triangles that stay keep their order; what a triangle is divided into, but for one, comes
 * last. With closed != 0 the mesh must be one closed part with two triangles at each edge (fans
 * that touch in one vertex are allowed); else open surfaces, several parts and non-manifold edges
 * are allowed, their orientation is made consistent, not turned round; triangles without area, and
 * such as are there twice, are dropped. A closed mesh whose triangles cross is not refused; they
 * are counted in the report, as are triangles of other meshes that lie on each other. Errors:
 * PD_ERANGE (tol), PD_EEMPTY (no triangle is left), PD_EDEGENERATE (closed: area below 1e-12 of the
 * longest edge squared though its vertices differ, fault->value is the ratio), PD_EOPENSURFACE,
 * PD_ENONMANIFOLD, PD_EPARTS, PD_EORIENT, PD_EVOLUME (fault->value), PD_ENOMEM; fault->item names
 * the lowest triangle (numbered as in the file) where there is one, fault->count how many
 * triangles, edges or parts there are. On an error the mesh stays as it was. */
pd_status pd_mesh_repair(pd_mesh *mesh, double tol, int closed, pd_mesh_report *report,
                         pd_fault *fault);

/* Releases the arrays; a zeroed mesh is allowed. */
void pd_mesh_free(pd_mesh *mesh);

/* Lowest and highest coordinates of all vertices; zero if there are none. */
void pd_mesh_bounds(const pd_mesh *mesh, pd_vec3 *lo, pd_vec3 *hi);

PD_END_DECLS

#endif
