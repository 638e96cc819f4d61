/* SPDX-License-Identifier: MIT
 * Voronoi cells of random points in a box: each is the box, cut by the planes midway to the other
 * points. */
#include "base/memory.h"
#include "base/random.h"
#include "geometry/builtin_internal.h"

#include <stdlib.h>

enum { MOST_FACES = 128, MOST_CORNERS = 64, MOST_POINTS = 256 };

/* a convex polyhedron; corners of a face counter-clockwise seen from outside */
typedef struct cell {
  int nv, nf;
  pd_vec3 v[MOST_POINTS];
  int corners[MOST_FACES], face[MOST_FACES][MOST_CORNERS];
} cell;

/* what a cut makes of it: vertices beyond the plane go, new ones come on the edges that cross it */
typedef struct cut {
  double height[MOST_POINTS]; /* over the plane */
  int edge[MOST_POINTS][2];   /* of every new vertex: its end that stays and the one that goes */
  int first, n;               /* number of the first new vertex; how many there are */
  int next[MOST_POINTS];      /* of a new vertex: the one after it on the new face */
} cut;

static void begin_box(cell *c, const double *extent)
{
  static const int face[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                 {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
  c->nv = 8;
  c->nf = 6;
  for (int i = 0; i < 8; i++)
    c->v[i] = pd_v((i & 1 ? 0.5 : -0.5) * extent[0], (i & 2 ? 0.5 : -0.5) * extent[1],
                   (i & 4 ? 0.5 : -0.5) * extent[2]);
  for (int f = 0; f < 6; f++) {
    c->corners[f] = 4;
    for (int k = 0; k < 4; k++) c->face[f][k] = face[f][k];
  }
}

static int stays(const cut *q, int v) { return v >= q->first || q->height[v] <= 0.0; }

/* the vertex on the edge from in, which stays, to out; the same for both faces at the edge */
static int vertex_on(cell *c, cut *q, int in, int out)
{
  for (int i = 0; i < q->n; i++)
    if (q->edge[i][0] == in && q->edge[i][1] == out) return q->first + i;
  const double s = q->height[in] / (q->height[in] - q->height[out]);
  c->v[q->first + q->n] = pd_axpy(c->v[in], s, pd_sub(c->v[out], c->v[in]));
  q->edge[q->n][0] = in;
  q->edge[q->n][1] = out;
  q->next[q->n] = q->first; /* until the face that leaves there says */
  return q->first + q->n++;
}

/* What stays of a face, and the edge that the new face shares with it. */
static void cut_face(cell *c, cut *q, int f)
{
  int corner[MOST_CORNERS], n = 0, leaves = -1, enters = -1;
  for (int k = 0; k < c->corners[f]; k++) {
    const int i = c->face[f][k], j = c->face[f][(k + 1) % c->corners[f]];
    if (stays(q, i)) corner[n++] = i;
    if (stays(q, i) && !stays(q, j)) corner[n++] = leaves = vertex_on(c, q, i, j);
    if (!stays(q, i) && stays(q, j)) corner[n++] = enters = vertex_on(c, q, j, i);
  }
  if (leaves >= 0) q->next[enters - q->first] = leaves;
  c->corners[f] = n;
  for (int k = 0; k < n; k++) c->face[f][k] = corner[k];
}

/* the new face, from the edges that it shares */
static void add_face(cell *c, const cut *q)
{
  const int f = c->nf++;
  int v = q->first;
  c->corners[f] = 0;
  while (c->corners[f] < q->n) {
    c->face[f][c->corners[f]++] = v;
    v = q->next[v - q->first];
    if (v == q->first) break;
  }
}

/* faces without corners go, and vertices that no face has */
static void tidy(cell *c, int nv)
{
  int number[MOST_POINTS], nf = 0;
  for (int i = 0; i < nv; i++) number[i] = -1;
  c->nv = 0;
  for (int f = 0; f < c->nf; f++) {
    if (c->corners[f] == 0) continue;
    c->corners[nf] = c->corners[f];
    for (int k = 0; k < c->corners[nf]; k++) c->face[nf][k] = c->face[f][k];
    for (int k = 0; k < c->corners[nf]; k++) number[c->face[nf][k]] = 0;
    nf++;
  }
  c->nf = nf;
  for (int i = 0; i < nv; i++)
    if (number[i] == 0) {
      number[i] = c->nv;
      c->v[c->nv++] = c->v[i];
    }
  for (int f = 0; f < nf; f++)
    for (int k = 0; k < c->corners[f]; k++) c->face[f][k] = number[c->face[f][k]];
}

/* Cuts off what lies where n . x > height. Errors: PD_ERANGE, nothing is left or too many faces. */
static pd_status cut_off(cell *c, pd_vec3 n, double height)
{
  cut q;
  int beyond = 0;
  q.first = c->nv;
  q.n = 0;
  for (int i = 0; i < c->nv; i++) {
    q.height[i] = pd_dot(n, c->v[i]) - height;
    beyond += q.height[i] > 0.0;
  }
  if (!beyond) return PD_OK;
  if (beyond == c->nv) return PD_ERANGE;
  /* a convex cut crosses an edge of each face twice at most: no more new vertices than faces */
  if (c->nf + 1 > MOST_CORNERS || c->nv + c->nf > MOST_POINTS) return PD_ERANGE;
  for (int f = 0; f < c->nf; f++) cut_face(c, &q, f);
  add_face(c, &q);
  tidy(c, q.first + q.n);
  return PD_OK;
}

static pd_status mesh_of(const cell *c, pd_mesh *mesh)
{
  int t[2 * MOST_POINTS][3], nt = 0;
  for (int f = 0; f < c->nf; f++)
    for (int k = 2; k < c->corners[f]; k++, nt++) {
      t[nt][0] = c->face[f][0];
      t[nt][1] = c->face[f][k - 1];
      t[nt][2] = c->face[f][k];
    }
  return pd_mesh_create(c->nv, c->v, nt, (const int(*)[3])t, mesh);
}

static pd_vec3 point(uint64_t seed, int i, const double *extent)
{
  pd_random row = pd_random_row(seed, (uint64_t)i, 0);
  const double x = pd_draw(&row) - 0.5, y = pd_draw(&row) - 0.5, z = pd_draw(&row) - 0.5;
  return pd_v(extent[0] * x, extent[1] * y, extent[2] * z);
}

typedef struct neighbour {
  double distance2;
  pd_vec3 x;
} neighbour;

static int nearer(const void *a, const void *b)
{
  const double p = ((const neighbour *)a)->distance2, q = ((const neighbour *)b)->distance2;
  return (p > q) - (p < q);
}

/* largest distance of a vertex from a point */
static double reach(const cell *c, pd_vec3 p)
{
  double most = 0.0;
  for (int i = 0; i < c->nv; i++) most = fmax(most, pd_norm2(pd_sub(c->v[i], p)));
  return sqrt(most);
}

/* Points that are twice as far as the farthest vertex cut nothing off, but for the gap. */
static pd_status cut_by_all(cell *c, pd_vec3 own, double gap, int n, const neighbour *other)
{
  pd_status status = PD_OK;
  for (int i = 0; i < n && !status; i++) {
    const pd_vec3 away = pd_unit(pd_sub(other[i].x, own));
    const double half = 0.5 * (sqrt(other[i].distance2) - gap);
    if (half > reach(c, own)) break;
    status = cut_off(c, away, pd_dot(away, own) + half);
  }
  return status;
}

pd_status pd_make_voronoi(const double *value, pd_mesh *mesh)
{
  const int n = (int)value[5], own = (int)value[6];
  const double gap = value[3];
  const uint64_t seed = (uint64_t)value[4];
  if (!(value[0] > 0.0 && value[1] > 0.0 && value[2] > 0.0)) return PD_ERANGE;
  if (!(gap >= 0.0 && value[4] >= 1.0)) return PD_ERANGE;
  if (!(n >= 1 && own >= 0 && own < n)) return PD_ERANGE;
  neighbour *other = (neighbour *)pd_malloc((size_t)n * sizeof(neighbour));
  cell *c = (cell *)pd_malloc(sizeof(cell));
  pd_status status = other && c ? PD_OK : PD_ENOMEM;
  if (!status) {
    const pd_vec3 x = point(seed, own, value);
    int count = 0;
    for (int i = 0; i < n; i++) {
      if (i == own) continue;
      other[count].x = point(seed, i, value);
      other[count].distance2 = pd_norm2(pd_sub(other[count].x, x));
      count++;
    }
    qsort(other, (size_t)count, sizeof(neighbour), nearer);
    begin_box(c, value);
    status = cut_by_all(c, x, gap, count, other);
  }
  if (!status) status = mesh_of(c, mesh);
  pd_free(other);
  pd_free(c);
  return status;
}
