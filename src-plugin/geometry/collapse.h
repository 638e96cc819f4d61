/* SPDX-License-Identifier: MIT
 * A closed surface from which vertices are taken out one by one, each by moving it to a neighbour.
 * Points of the surface as it was, its vertices and the middles of its edges, are remembered by the
 * triangle that is now nearest to them. */
#ifndef PD_COLLAPSE_H
#define PD_COLLAPSE_H

#include "geometry/mesh.h"

/* triangles at a vertex at most: more make thin ones. Estimate. */
enum { PD_MOST_FAN = 32 };

typedef struct pd_collapse {
  int nv, nt;         /* at the beginning */
  int left;           /* triangles */
  const pd_vec3 *v;   /* nv */
  int (*t)[3];        /* corners; those of a triangle that is gone are -1 */
  int *first;         /* nv: list of corners (3 triangle + k) at the vertex, -1: none */
  int *next;          /* 3 nt: the next one of the list */
  pd_vec3 *point;     /* nv + 3 nt / 2: vertices that were taken out, middles of edges */
  const double *most; /* of a point: how far it may come to be from what is left, squared */
  int *near;          /* nt: list of the points that the triangle is nearest to */
  int *more;          /* of a point: the next one of the list */
  double *rise;       /* nt: by which a triangle is to go outwards, length */
} pd_collapse;

/* triangles at a vertex */
typedef struct pd_fan {
  int n, t[PD_MOST_FAN];
} pd_fan;

PD_BEGIN_DECLS

/* mesh: closed, two triangles at each edge; it stays as it is, and its vertices are referred to, as
 * most is, of vertices and then of edges (order of pd_mesh_far_points). Errors: PD_ENOMEM. */
pd_status pd_collapse_begin(const pd_mesh *mesh, const double *most, pd_collapse *c);

/* Triangles at a vertex; 0 if there are more than fit. */
int pd_collapse_fan(pd_collapse *c, int vertex, pd_fan *fan);

/* How far the points about u, and u, stand out of what surrounds v once u has been moved there, at
 * most, and how far others lie inside, together and squared; DBL_MAX if it is more than most, of
 * all or of one of the points, or if that would be no surface or turn a triangle over. fan: of u.
 */
double pd_collapse_cost(pd_collapse *c, const pd_fan *fan, int u, int v, double most);

/* Moves u to v. */
void pd_collapse_do(pd_collapse *c, const pd_fan *fan, int u, int v);

/* How far the points that each triangle is nearest to rise over its plane, no less than 0, and
 * clear (length) more. */
void pd_collapse_find_rises(pd_collapse *c, double clear);

/* What is left, its triangles in their order, with vertices moved outwards, as little as will do,
 * so that every triangle goes up by its rise. Errors: PD_ENOMEM. */
pd_status pd_collapse_lifted(pd_collapse *c, pd_mesh *mesh);

/* Makes the rises of the marked ones of the triangles that are left larger; returns the largest of
 * them. */
double pd_collapse_raise(pd_collapse *c, const char *marked, double factor, double more);

/* Marks the triangles that are left and have a marked corner, or are nearest to a marked point. */
void pd_collapse_mark(const pd_collapse *c, const char *corner, const char *point, char *marked);

/* Takes the marked triangles' points, their corners with them, nearer: most, which is that of c,
 * times a factor. */
void pd_collapse_tighten(const pd_collapse *c, const char *marked, double factor, double *most);

void pd_collapse_free(pd_collapse *c);

PD_END_DECLS

#endif
