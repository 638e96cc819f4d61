/* SPDX-License-Identifier: MIT
 * A polyhedral shape as the contact code wants it: vertices in the principal frame, faces, edges,
 * dihedral flags, the integer weights of the contact set and a bounding-volume tree.
 * Shapes are shared by all bodies that have them. Of a rounded shape all that is its core; the core
 * of a ball is a point and that of a capsule a segment, each as one triangle without area. */
#ifndef PD_SHAPE_H
#define PD_SHAPE_H

#include "base/numbers.h"
#include "geometry/bvh.h"
#include "geometry/mass.h"
#include "geometry/mesh.h"

/* How far an edge, or the edges at a vertex, are from flat. */
typedef struct pd_ridge {
  double rise; /* length: how far it sticks out over its neighbourhood */
  double turn; /* rad */
} pd_ridge;

/* rad: edges that turn less are flat, their faces one plane but for the rounding of the file */
#define PD_FLAT_TURN 1e-6

typedef struct pd_edge {
  int v[2];    /* end vertices, v[0] < v[1] */
  int t[2];    /* adjacent triangles, t[1] = -1 on an open border */
  int nt;      /* adjacent triangles, 1 or 2 (more on a non-manifold wall surface) */
  int first;   /* of all of them in pd_shape.fan */
  int sharp;   /* 1: convex (turn > 1e-6), border or non-manifold: acts in edge-edge contact */
  int weight;  /* c_e = 1 - nt, weight of the edge in the sum over the surface */
  double turn; /* dihedral turn in rad: > 0 convex, 0 flat, < 0 concave; 0 unless nt = 2 */
  double length;
  pd_ridge ridge; /* rise: over the line between the far corners of its two triangles, of small
                     turns; without bound where it has not two triangles; 0 if not sharp */
} pd_edge;

typedef struct pd_shape {
  int nv, nt, ne;
  pd_vec3 *v;   /* nv vertices; bodies: about the centre of mass, principal axes; walls: world */
  int (*t)[3];  /* nt triangles */
  int (*te)[3]; /* nt: edge k joins vertices k and (k+1)%3 of the triangle */
  pd_vec3 *tn;  /* nt outward unit normals */
  pd_edge *e;   /* ne edges */
  int *fan;     /* triangles at the edges: those of edge i are fan[e[i].first .. e[i].first + nt) */
  int *vweight; /* nv: c_v = 1 - n_T(v) - sum of c_e over the edges at v */
  unsigned char *sample; /* nv: 1 if the vertex touches a sharp edge, only those are sampled */
  pd_ridge *ridge;       /* nv: the largest rise and the largest turn of its sharp edges */
  pd_box box;            /* of the vertices */
  double round;          /* radius of the balls about all points of the faces: the body is their
                            union. 0: a polyhedron. A point is a ball then, an edge a capsule */
  double lever;          /* largest |v|: what a rotation moves */
  double radius;         /* lever and round: bounding radius about the centre of mass */
  double shortest;       /* shortest edge */
  int *patch;            /* nt: number of the patch that a triangle of a wall surface belongs to:
                            those of one orientation over edges of two; NULL for a body */
  int closed;            /* 1 for a body, 0 for a wall surface */
  pd_mass mass;          /* of the mesh it was made from (zero when not closed) */
  pd_bvh tree;           /* over the triangles; features are owned by triangles */
  /* each edge and vertex is owned by the lowest of its triangles: those of triangle i are
   * own_edge[first_edge[i] .. first_edge[i+1]), likewise for vertices */
  int *first_edge;   /* nt + 1 */
  int *own_edge;     /* ne */
  int *first_vertex; /* nt + 1 */
  int *own_vertex;   /* nv */
} pd_shape;

/* What an edge or a vertex counts in contact that begins at the distance gbar: in proportion to how
 * far it sticks out, up to PD_FULL_RISE of gbar, so that surfaces that are flat but for rounding,
 * or finely triangulated, act as what they stand for; all where its edges turn by PD_FULL_TURN. */
PD_KERNEL double pd_ridge_weight(pd_ridge r, double gbar)
{
  const double t2 = r.turn * r.turn / (PD_FULL_TURN * PD_FULL_TURN);
  const double w = r.rise / (PD_FULL_RISE * gbar) + t2 * t2;
  return w < 1.0 ? w : 1.0;
}

/* the vertex that is farthest along d, the first of them */
PD_KERNEL pd_vec3 pd_shape_support(const pd_shape *s, pd_vec3 d)
{
  int at = 0;
  double most = pd_dot(d, s->v[0]);
  for (int i = 1; i < s->nv; i++) {
    const double along = pd_dot(d, s->v[i]);
    if (along > most) most = along, at = i;
  }
  return s->v[at];
}

PD_BEGIN_DECLS

/* Builds a shape from a repaired mesh (the mesh is only read).
 * closed != 0: a body: mass properties are computed and the vertices moved to the principal frame.
 * closed == 0: a wall surface, vertices left as they are.
 * Errors: PD_EVOLUME, PD_EMOMENT, PD_ENOMEM. */
pd_status pd_shape_create(const pd_mesh *mesh, int closed, pd_shape *shape);

/* Builds a body whose surface is that of the mesh (repaired, convex) offset outwards by round >= 0.
 * A mesh of one triangle whose corners are one or two points makes a ball or a capsule.
 * Errors: PD_ECONCAVE (round > 0), PD_ERANGE (no volume), and those of pd_shape_create. */
pd_status pd_shape_create_round(const pd_mesh *mesh, double round, pd_shape *shape);

/* Builds a body of the given mass properties, whose frame it has; contacts see the mesh (repaired).
 * Errors: PD_ENOMEM. */
pd_status pd_shape_create_simple(const pd_mesh *mesh, const pd_mass *mass, pd_shape *shape);

/* Puts the origin of a wall surface's frame elsewhere, the axes stay; v: the vertices in a frame
 * where it is at the given place. Errors: PD_ENOMEM. */
pd_status pd_shape_set_origin(pd_shape *shape, const pd_vec3 *v, pd_vec3 origin);

/* Angle of triangle t at its vertex k, of three, rad. */
PD_KERNEL double pd_corner_angle(const pd_shape *s, int t, int k)
{
  const pd_vec3 x = s->v[s->t[t][k]], a = pd_sub(s->v[s->t[t][(k + 1) % 3]], x),
                b = pd_sub(s->v[s->t[t][(k + 2) % 3]], x);
  return atan2(pd_norm(pd_cross(a, b)), pd_dot(a, b));
}

/* Whether a mesh is that of a ball or a capsule: no surface has so few points. */
PD_KERNEL int pd_is_segment(const pd_mesh *mesh) { return mesh->nt == 1 && mesh->nv < 3; }

/* Releases the arrays; a zeroed shape is allowed. */
void pd_shape_free(pd_shape *shape);

PD_END_DECLS

#endif
