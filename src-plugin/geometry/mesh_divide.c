/* SPDX-License-Identifier: MIT
 * Borders of a surface that run along each other with other vertices (T-junctions) get common
 * ones: triangles are divided at vertices that lie on their borders. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "geometry/mesh_internal.h"

/* a vertex and where it is along something, in the order of which they are sorted */
typedef struct station {
  double at;
  int vertex;
} station;

/* triangles have room for cap of them */
typedef struct division {
  pd_mesh *mesh;
  int **source;
  size_t cap;
  double radius; /* how near a vertex on an edge is */
  int axis;      /* along which the surface is longest */
  pd_half_edge *border;
  int nborder;
  station *end; /* the vertices on borders, along the axis */
  int nend;
  station *on; /* room for them: those on one edge */
  char *done;  /* of every triangle that there was: it has been divided */
} division;

static int by_place(const void *p, const void *q)
{
  const station *a = (const station *)p, *b = (const station *)q;
  if (a->at != b->at) return a->at < b->at ? -1 : 1;
  return (a->vertex > b->vertex) - (a->vertex < b->vertex);
}

static double along(const division *d, int vertex)
{
  return pd_component(d->mesh->v[vertex], d->axis);
}

/* ---- borders ---- */

/* Errors: PD_ENOMEM. */
static pd_status find_borders(division *d)
{
  const int n = 3 * d->mesh->nt;
  pd_free(d->border);
  d->border = NULL;
  d->nborder = 0;
  const pd_status status = pd_half_edges(d->mesh, &d->border);
  if (status) return status;
  for (int i = 0, end; i < n; i = end) {
    end = pd_half_edge_run(d->border, n, i);
    if (end - i == 1) d->border[d->nborder++] = d->border[i];
  }
  return PD_OK;
}

/* the vertices on borders, each once */
static void find_ends(division *d)
{
  int n = 0;
  for (int i = 0; i < d->nborder; i++) {
    const int ends[2] = {d->border[i].lo, d->border[i].hi};
    for (int k = 0; k < 2; k++) d->end[n++] = (station){along(d, ends[k]), ends[k]};
  }
  qsort(d->end, (size_t)n, sizeof *d->end, by_place);
  d->nend = 0;
  for (int i = 0; i < n; i++)
    if (i == 0 || d->end[i].vertex != d->end[i - 1].vertex) d->end[d->nend++] = d->end[i];
}

/* the first of them that is not before a place */
static int first_from(const division *d, double at)
{
  int lo = 0, hi = d->nend;
  while (lo < hi) {
    const int mid = (lo + hi) / 2;
    if (d->end[mid].at < at)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

/* ---- vertices on an edge ---- */

/* Whether p lies between a and b, further than the radius from both as vertices are that have been
 * welded: what the edge is divided into is shorter, so that divisions come to an end. *at: length,
 * from a. */
static int lies_between(const division *d, int a, int b, int p, double *at)
{
  const pd_vec3 origin = d->mesh->v[a], edge = pd_sub(d->mesh->v[b], origin);
  const pd_vec3 to = pd_sub(d->mesh->v[p], origin);
  const double length = pd_norm(edge);
  *at = pd_dot(to, edge) / length;
  if (!(*at > d->radius && *at < length - d->radius)) return 0;
  return pd_norm(pd_axpy(to, -*at / length, edge)) <= d->radius;
}

/* Vertices on the side (a, b) of a triangle with the third corner c, from a to b, into d->on.
 * Returns how many. */
static int find_on(const division *d, int a, int b, int c)
{
  const double p = along(d, a), q = along(d, b), last = fmax(p, q) + d->radius;
  int n = 0;
  for (int i = first_from(d, fmin(p, q) - d->radius); i < d->nend && d->end[i].at <= last; i++) {
    const int vertex = d->end[i].vertex;
    double at;
    if (vertex == a || vertex == b || vertex == c) continue;
    if (lies_between(d, a, b, vertex, &at)) d->on[n++] = (station){at, vertex};
  }
  qsort(d->on, (size_t)n, sizeof *d->on, by_place);
  return n;
}

/* ---- division ---- */

/* Errors: PD_ENOMEM. */
static pd_status append(division *d, int a, int b, int c, int source)
{
  pd_mesh *mesh = d->mesh;
  const pd_array arrays[] = {PD_ARRAY(mesh->t), PD_ARRAY(*d->source)};
  if (mesh->nt >= PD_MESH_MAX) return PD_ENOMEM;
  const pd_status status = pd_arrays_reserve(arrays, 2, &d->cap, (size_t)mesh->nt + 1);
  if (status) return status;
  (*d->source)[mesh->nt] = source;
  int *t = mesh->t[mesh->nt++];
  t[0] = a;
  t[1] = b;
  t[2] = c;
  return PD_OK;
}

/* The triangle of a border becomes a fan from its third corner to the n vertices on it. If that has
 * triangles without area it stays. *divided grows by n. Errors: PD_ENOMEM. */
static pd_status divide(division *d, const pd_half_edge *h, int n, int *divided)
{
  pd_mesh *mesh = d->mesh;
  const int *t = mesh->t[h->tri], before = mesh->nt, source = (*d->source)[h->tri];
  const int a = t[h->side], b = t[(h->side + 1) % 3], c = t[(h->side + 2) % 3];
  pd_status status = PD_OK;
  int thin = 0;
  for (int k = 0; k <= n && !status; k++)
    status = append(d, k > 0 ? d->on[k - 1].vertex : a, k < n ? d->on[k].vertex : b, c, source);
  for (int i = before; i < mesh->nt; i++) thin |= pd_triangle_is_thin(mesh, i);
  if (status || thin) {
    mesh->nt = before;
    return status;
  }
  memcpy(mesh->t[h->tri], mesh->t[--mesh->nt], sizeof *mesh->t);
  d->done[h->tri] = 1;
  *divided += n;
  return PD_OK;
}

/* room for what a round needs */
static pd_status make_room(division *d)
{
  d->end = pd_alloc_array(2 * (size_t)d->nborder, sizeof *d->end);
  d->on = pd_alloc_array(2 * (size_t)d->nborder, sizeof *d->on);
  d->done = pd_alloc_array((size_t)d->mesh->nt, sizeof *d->done);
  if (!d->end || !d->on || !d->done) return PD_ENOMEM;
  memset(d->done, 0, (size_t)d->mesh->nt);
  return PD_OK;
}

static void free_room(division *d)
{
  pd_free(d->end);
  pd_free(d->on);
  pd_free(d->done);
  d->end = d->on = NULL;
  d->done = NULL;
}

/* Divides every triangle along one of its borders. *divided: at so many vertices. Errors:
 * PD_ENOMEM. */
static pd_status divide_once(division *d, int *divided)
{
  *divided = 0;
  pd_status status = find_borders(d);
  if (status || d->nborder == 0) return status;
  status = make_room(d);
  if (!status) find_ends(d);
  for (int i = 0; i < d->nborder && !status; i++) {
    const pd_half_edge *h = &d->border[i];
    const int *t = d->mesh->t[h->tri];
    if (d->done[h->tri]) continue;
    const int n = find_on(d, t[h->side], t[(h->side + 1) % 3], t[(h->side + 2) % 3]);
    if (n > 0) status = divide(d, h, n, divided);
  }
  free_room(d);
  return status;
}

pd_status pd_mesh_divide(pd_mesh *mesh, int **source, double tol, int *divided)
{
  division d = {0};
  pd_vec3 lo, hi;
  int n;
  pd_mesh_bounds(mesh, &lo, &hi);
  d.mesh = mesh;
  d.source = source;
  d.cap = (size_t)mesh->nt;
  d.radius = tol * pd_mesh_diagonal(mesh);
  d.axis = pd_longest_axis(pd_sub(hi, lo));
  pd_status status;
  do {
    status = divide_once(&d, &n);
    *divided += n;
  } while (!status && n > 0);
  pd_free(d.border);
  return status;
}
