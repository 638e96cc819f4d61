/* SPDX-License-Identifier: MIT */
#include "geometry/shape.h"

#include <string.h>

#include "base/memory.h"
#include "geometry/mesh_internal.h"
#include "geometry/round.h"

static pd_status copy_mesh(pd_shape *s, const pd_mesh *mesh)
{
  const size_t nv = (size_t)mesh->nv, nt = (size_t)mesh->nt;
  s->nv = mesh->nv;
  s->nt = mesh->nt;
  s->v = pd_alloc_array(nv, sizeof *s->v);
  s->t = pd_alloc_array(nt, sizeof *s->t);
  s->te = pd_alloc_array(nt, sizeof *s->te);
  s->fan = pd_alloc_array(3 * nt, sizeof *s->fan);
  s->tn = pd_alloc_array(nt, sizeof *s->tn);
  s->vweight = pd_alloc_array(nv, sizeof *s->vweight);
  s->sample = pd_alloc_array(nv, sizeof *s->sample);
  s->ridge = pd_alloc_array(nv, sizeof *s->ridge);
  if (!s->v || !s->t || !s->te || !s->fan || !s->tn || !s->vweight || !s->sample || !s->ridge)
    return PD_ENOMEM;
  if (nv > 0) memcpy(s->v, mesh->v, nv * sizeof *s->v);
  if (nt > 0) memcpy(s->t, mesh->t, nt * sizeof *s->t);
  return PD_OK;
}

/* x' = R^T (x - c), R the principal axes, c the centre of mass */
static void to_principal_frame(pd_shape *s)
{
  for (int i = 0; i < s->nv; i++) s->v[i] = pd_mtv(s->mass.axes, pd_sub(s->v[i], s->mass.center));
}

static void find_normals(pd_shape *s)
{
  for (int i = 0; i < s->nt; i++) {
    const pd_vec3 a = s->v[s->t[i][0]];
    const pd_vec3 b = pd_sub(s->v[s->t[i][1]], a), c = pd_sub(s->v[s->t[i][2]], a);
    const pd_vec3 n = pd_cross(b, c);
    s->tn[i] = pd_norm2(n) > 0.0 ? pd_unit(n) : pd_v(0.0, 0.0, 1.0); /* a segment has none */
  }
}

/* Dihedral turn atan2(d . (n0 x n1), n0 . n1), d the unit vector along the edge in the sense of the
 * first triangle: from its normal to that of the second, > 0 if convex. */
static double find_turn(const pd_shape *s, const pd_edge *e, int side)
{
  const int *t = s->t[e->t[0]];
  const pd_vec3 n0 = s->tn[e->t[0]], n1 = s->tn[e->t[1]];
  const pd_vec3 d = pd_unit(pd_sub(s->v[t[(side + 1) % 3]], s->v[t[side]]));
  return atan2(pd_dot(d, pd_cross(n0, n1)), pd_dot(n0, n1));
}

/* height of a triangle over one of its edges */
static double height_over(const pd_shape *s, int tri, const pd_edge *e)
{
  const int *t = s->t[tri];
  const pd_vec3 a = pd_sub(s->v[t[1]], s->v[t[0]]), b = pd_sub(s->v[t[2]], s->v[t[0]]);
  return pd_norm(pd_cross(a, b)) / e->length;
}

/* Over the line between points at distances p and q from it on two planes that differ by a small
 * turn, an edge stands by turn p q / (p + q). It begins where an edge is no longer flat. */
static pd_ridge find_ridge(const pd_shape *s, const pd_edge *e)
{
  pd_ridge r = {0.0, 0.0};
  if (!e->sharp) return r;
  if (e->nt != 2) {
    r.rise = DBL_MAX;
    return r;
  }
  const double p = height_over(s, e->t[0], e), q = height_over(s, e->t[1], e);
  r.turn = fabs(e->turn);
  r.rise = (r.turn - PD_FLAT_TURN) * p * q / (p + q);
  return r;
}

/* The edge of a run of n half edges; first: place of its triangles. */
static pd_edge make_edge(const pd_shape *s, const pd_half_edge *half, int n, int first)
{
  pd_edge e;
  e.first = first;
  for (int i = 0; i < n; i++) s->fan[first + i] = half[i].tri;
  e.v[0] = half->lo;
  e.v[1] = half->hi;
  e.t[0] = half->tri;
  e.t[1] = n > 1 ? half[1].tri : -1;
  e.nt = n;
  e.weight = 1 - n;
  e.turn = n == 2 ? find_turn(s, &e, half->side) : 0.0;
  e.sharp =
      n != 2 || (s->closed ? e.turn : fabs(e.turn)) > PD_FLAT_TURN; /* a wall has two outsides */
  e.length = pd_norm(pd_sub(s->v[e.v[1]], s->v[e.v[0]]));
  e.ridge = find_ridge(s, &e);
  return e;
}

/* The one triangle of a segment acts as a surface with a border: border edges and their ends weigh
 * nothing beside it. A ball has no edge. */
static pd_status make_segment(pd_shape *s)
{
  s->ne = s->nv - 1;
  s->e = pd_alloc_array((size_t)s->nv, sizeof *s->e);
  if (!s->e) return PD_ENOMEM;
  for (int k = 0; k < 3; k++) s->te[0][k] = 0;
  const pd_half_edge half = {0, s->ne, 0, 0};
  if (s->ne) s->e[0] = make_edge(s, &half, 1, 0);
  for (int i = 0; i < s->nv; i++) {
    s->vweight[i] = 0;
    s->sample[i] = 1;
    s->ridge[i].rise = DBL_MAX;
    s->ridge[i].turn = 0.0;
  }
  return PD_OK;
}

static pd_status find_edges(pd_shape *s, const pd_mesh *mesh)
{
  const int n = 3 * s->nt;
  pd_half_edge *half;
  const pd_status status = pd_half_edges(mesh, &half);
  if (status) return status;
  int runs = 0;
  for (int i = 0; i < n; i = pd_half_edge_run(half, n, i)) runs++;
  s->e = pd_alloc_array((size_t)runs, sizeof *s->e);
  for (int i = 0, end; s->e && i < n; i = end) {
    end = pd_half_edge_run(half, n, i);
    s->e[s->ne] = make_edge(s, half + i, end - i, i);
    for (int k = i; k < end; k++) s->te[half[k].tri][half[k].side] = s->ne;
    s->ne++;
  }
  pd_free(half);
  return s->e ? PD_OK : PD_ENOMEM;
}

/* Inclusion-exclusion over the surface: the weights of all cells that meet at an inner point add up
 * to one, c_v = 1 - n_T(v) - sum of c_e. */
static void weigh_vertices(pd_shape *s)
{
  const pd_ridge flat = {0.0, 0.0};
  for (int i = 0; i < s->nv; i++) {
    s->vweight[i] = 1;
    s->sample[i] = 0;
    s->ridge[i] = flat;
  }
  for (int i = 0; i < s->nt; i++)
    for (int k = 0; k < 3; k++) s->vweight[s->t[i][k]]--;
  for (int i = 0; i < s->ne; i++)
    for (int k = 0; k < 2; k++) {
      const pd_edge *e = &s->e[i];
      pd_ridge *r = &s->ridge[e->v[k]];
      s->vweight[e->v[k]] -= e->weight;
      if (e->sharp) s->sample[e->v[k]] = 1;
      r->rise = fmax(r->rise, e->ridge.rise);
      r->turn = fmax(r->turn, e->ridge.turn);
    }
}

static void measure(pd_shape *s)
{
  double r2 = 0.0;
  if (s->nv > 0) s->box.lo = s->box.hi = s->v[0];
  for (int i = 0; i < s->nv; i++) {
    r2 = fmax(r2, pd_norm2(s->v[i]));
    s->box.lo = pd_min(s->box.lo, s->v[i]);
    s->box.hi = pd_max(s->box.hi, s->v[i]);
  }
  s->lever = sqrt(r2);
  s->radius = s->lever + s->round;
  for (int i = 0; i < s->ne; i++)
    if (i == 0 || s->e[i].length < s->shortest) s->shortest = s->e[i].length;
}

/* Lists of features by owner: own[first[t] .. first[t+1]) are those with owner t, in rising order;
 * features without one (-1) are in no list. */
static pd_status list_owned(int n, const int *owner, int nt, int **first, int **own)
{
  int *f = *first = pd_alloc_array((size_t)nt + 1, sizeof *f);
  int *o = *own = pd_alloc_array((size_t)n, sizeof *o);
  if (!f || !o) return PD_ENOMEM;
  memset(f, 0, ((size_t)nt + 1) * sizeof *f);
  for (int i = 0; i < n; i++)
    if (owner[i] >= 0) f[owner[i] + 1]++;
  for (int t = 0; t < nt; t++) f[t + 1] += f[t];
  /* filling moves each start to the next one; moved back afterwards */
  for (int i = 0; i < n; i++)
    if (owner[i] >= 0) o[f[owner[i]]++] = i;
  for (int t = nt; t > 0; t--) f[t] = f[t - 1];
  f[0] = 0;
  return PD_OK;
}

static pd_status own_edges(pd_shape *s)
{
  int *owner = pd_alloc_array((size_t)s->ne, sizeof *owner);
  if (!owner) return PD_ENOMEM;
  for (int i = 0; i < s->ne; i++) owner[i] = s->e[i].t[0];
  const pd_status status = list_owned(s->ne, owner, s->nt, &s->first_edge, &s->own_edge);
  pd_free(owner);
  return status;
}

static pd_status own_vertices(pd_shape *s)
{
  int *owner = pd_alloc_array((size_t)s->nv, sizeof *owner);
  if (!owner) return PD_ENOMEM;
  for (int i = 0; i < s->nv; i++) owner[i] = -1;
  for (int i = s->nt - 1; i >= 0; i--)
    for (int k = 0; k < 3; k++) owner[s->t[i][k]] = i;
  const pd_status status = list_owned(s->nv, owner, s->nt, &s->first_vertex, &s->own_vertex);
  pd_free(owner);
  return status;
}

static pd_status build_tree(pd_shape *s)
{
  const pd_status status = pd_bvh_build_over(s->nt, s->v, (const int(*)[3])s->t, &s->tree);
  if (!status) pd_bvh_fit(&s->tree, s->v, (const int(*)[3])s->t);
  return status;
}

static pd_status find_patches(pd_shape *s)
{
  int *patch = s->patch = pd_alloc_array((size_t)s->nt, sizeof *patch);
  if (!patch) return PD_ENOMEM;
  for (int i = 0; i < s->nt; i++) patch[i] = i;
  for (int i = 0; i < s->ne; i++) {
    if (s->e[i].nt != 2) continue;
    const int a = pd_find_root(patch, s->e[i].t[0]), b = pd_find_root(patch, s->e[i].t[1]);
    patch[a > b ? a : b] = a < b ? a : b;
  }
  for (int i = 0; i < s->nt; i++) patch[i] = pd_find_root(patch, i);
  return PD_OK;
}

/* vertices, triangles and edges about the centre of mass; mass: that of the body, NULL: the mesh's
 */
static pd_status place_features(const pd_mesh *mesh, const pd_mass *mass, pd_shape *s)
{
  const int segment = pd_is_segment(mesh);
  pd_status status = PD_OK;
  if (mass)
    s->mass = *mass;
  else if (segment)
    s->mass.axes = pd_m_identity();
  else if (s->closed)
    status = pd_mass_properties(mesh, &s->mass);
  if (!status) status = copy_mesh(s, mesh);
  if (status) return status;
  if (s->closed) to_principal_frame(s);
  find_normals(s);
  if (segment) return make_segment(s);
  status = find_edges(s, mesh);
  if (!status) weigh_vertices(s);
  return status;
}

/* The balls move the centre of mass, and turn the axes. */
static pd_status add_balls(pd_shape *s)
{
  const pd_mass core = s->mass;
  pd_mass all;
  const pd_status status = pd_round_mass(s, &all);
  if (status) return status;
  s->mass = all;
  to_principal_frame(s);
  find_normals(s);
  s->mass.center = pd_add(core.center, pd_mv(core.axes, all.center));
  s->mass.axes = pd_m_mul(core.axes, all.axes);
  s->mass.inertia = pd_m_mul(core.axes, pd_m_mul(all.inertia, pd_m_transpose(core.axes)));
  return PD_OK;
}

static pd_status build(const pd_mesh *mesh, const pd_mass *mass, pd_shape *s)
{
  pd_status status = place_features(mesh, mass, s);
  if (!status && (s->round > 0.0 || pd_is_segment(mesh))) status = add_balls(s);
  if (status) return status;
  measure(s);
  if (!s->closed) status = find_patches(s);
  if (!status) status = own_edges(s);
  if (!status) status = own_vertices(s);
  if (!status) status = build_tree(s);
  return status;
}

static pd_status create(const pd_mesh *mesh, int closed, double round, const pd_mass *mass,
                        pd_shape *shape)
{
  memset(shape, 0, sizeof *shape);
  shape->closed = closed != 0;
  shape->round = round;
  const pd_status status = build(mesh, mass, shape);
  if (status) pd_shape_free(shape);
  return status;
}

pd_status pd_shape_create(const pd_mesh *mesh, int closed, pd_shape *shape)
{
  return create(mesh, closed, 0.0, NULL, shape);
}

pd_status pd_shape_create_round(const pd_mesh *mesh, double round, pd_shape *shape)
{
  if (!(round >= 0.0)) return PD_ERANGE;
  return create(mesh, 1, round, NULL, shape);
}

pd_status pd_shape_create_simple(const pd_mesh *mesh, const pd_mass *mass, pd_shape *shape)
{
  return create(mesh, 1, 0.0, mass, shape);
}

pd_status pd_shape_set_origin(pd_shape *s, const pd_vec3 *v, pd_vec3 origin)
{
  for (int i = 0; i < s->nv; i++) s->v[i] = pd_sub(v[i], origin);
  measure(s);
  pd_bvh_free(&s->tree);
  return build_tree(s);
}

void pd_shape_free(pd_shape *s)
{
  pd_free(s->v);
  pd_free(s->t);
  pd_free(s->te);
  pd_free(s->fan);
  pd_free(s->tn);
  pd_free(s->e);
  pd_free(s->vweight);
  pd_free(s->sample);
  pd_free(s->ridge);
  pd_bvh_free(&s->tree);
  pd_free(s->first_edge);
  pd_free(s->own_edge);
  pd_free(s->first_vertex);
  pd_free(s->own_vertex);
  pd_free(s->patch);
  memset(s, 0, sizeof *s);
}
