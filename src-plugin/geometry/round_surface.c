/* SPDX-License-Identifier: MIT
 * The surface of a rounded shape as triangles: the convex hull of points on it. */
#include "geometry/round_surface.h"

#include "base/memory.h"
#include "geometry/hull.h"

enum {
  DIRECTIONS = 162, /* over the ball: every 15 degrees or so */
  ARC = 3,          /* between the normals of two faces */
  COARSE = 200      /* triangles: finer surfaces turn by little from one to the next */
};

/* Number i of n directions, evenly over the sphere: on a spiral from pole to pole, each further by
 * the golden angle. */
static pd_vec3 direction(int i, int n)
{
  const double z = 1.0 - (2.0 * i + 1.0) / n, r = sqrt(1.0 - z * z);
  const double angle = 2.39996322972865332 * i;
  return pd_v(r * cos(angle), r * sin(angle), z);
}

static int is_segment(const pd_shape *s) { return s->nt == 1; }

/* ends of an edge along normals between those of its faces */
static int points_of_edge(const pd_shape *s, const pd_edge *e, pd_vec3 *p)
{
  int n = 0;
  for (int k = 1; k <= ARC; k++) {
    const double part = (double)k / (ARC + 1);
    const pd_vec3 between =
        pd_add(pd_scale(1.0 - part, s->tn[e->t[0]]), pd_scale(part, s->tn[e->t[1]]));
    for (int end = 0; end < 2; end++) p[n++] = pd_axpy(s->v[e->v[end]], s->round, pd_unit(between));
  }
  return n;
}

static int points_of(const pd_shape *s, pd_vec3 *p)
{
  int n = 0;
  for (int i = 0; i < DIRECTIONS; i++) {
    const pd_vec3 d = direction(i, DIRECTIONS);
    p[n++] = pd_axpy(pd_shape_support(s, d), s->round, d);
  }
  if (is_segment(s)) return n;
  for (int i = 0; i < s->nt; i++)
    for (int k = 0; k < 3; k++) p[n++] = pd_axpy(s->v[s->t[i][k]], s->round, s->tn[i]);
  for (int i = 0; i < s->ne; i++)
    if (s->e[i].sharp) n += points_of_edge(s, &s->e[i], p + n);
  return n;
}

static pd_status surface_of_coarse(const pd_shape *s, pd_mesh *mesh)
{
  const size_t most = DIRECTIONS + 3 * (size_t)s->nt + 2 * ARC * (size_t)s->ne;
  pd_vec3 *p = (pd_vec3 *)pd_alloc_array(most, sizeof *p);
  if (!p) return PD_ENOMEM;
  const int n = points_of(s, p);
  pd_fault fault;
  pd_mesh_report report;
  pd_status status = pd_hull(n, p, mesh);
  pd_free(p);
  if (status) return status;
  status = pd_mesh_repair(mesh, 0.0, 0, &report, &fault); /* drops inner points */
  if (status) pd_mesh_free(mesh);
  return status;
}

/* The vertices along the mean of the normals about them. */
static pd_status surface_of_fine(const pd_shape *s, pd_mesh *mesh)
{
  pd_vec3 *p = (pd_vec3 *)pd_alloc_array((size_t)s->nv, sizeof *p);
  if (!p) return PD_ENOMEM;
  for (int i = 0; i < s->nv; i++) p[i] = pd_v(0.0, 0.0, 0.0);
  for (int i = 0; i < s->nt; i++)
    for (int k = 0; k < 3; k++) p[s->t[i][k]] = pd_add(p[s->t[i][k]], s->tn[i]);
  for (int i = 0; i < s->nv; i++) p[i] = pd_axpy(s->v[i], s->round, pd_unit(p[i]));
  const pd_status status = pd_mesh_create(s->nv, p, s->nt, (const int(*)[3])s->t, mesh);
  pd_free(p);
  return status;
}

pd_status pd_round_surface(const pd_shape *shape, pd_mesh *mesh)
{
  return shape->nt > COARSE ? surface_of_fine(shape, mesh) : surface_of_coarse(shape, mesh);
}
