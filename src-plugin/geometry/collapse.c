/* SPDX-License-Identifier: MIT */
#include "geometry/collapse.h"

#include <string.h>

#include "base/memory.h"
#include "geometry/distance.h"

/* Cosine of the angle by which a triangle may turn when one of its corners moves, and its height
 * over its longest side at least, unless one about that corner had less. Estimates. */
#define LEAST_COSINE 0.3
#define LEAST_HEIGHT 0.05

/* passes over the planes at a vertex, each of which leaves less of what is missing. Estimate. */
#define LIFT_PASSES 200

static void join(pd_collapse *c, int corner, int vertex)
{
  c->t[corner / 3][corner % 3] = vertex;
  c->next[corner] = c->first[vertex];
  c->first[vertex] = corner;
}

static void remember(pd_collapse *c, int triangle, int point)
{
  c->more[point] = c->near[triangle];
  c->near[triangle] = point;
}

/* Two triangles go along an edge, in opposite senses: the one that goes upwards has its middle. */
static void remember_edges(pd_collapse *c)
{
  int n = c->nv;
  for (int i = 0; i < c->nt; i++)
    for (int k = 0; k < 3; k++) {
      const int a = c->t[i][k], b = c->t[i][(k + 1) % 3];
      if (a > b) continue;
      c->point[n] = pd_scale(0.5, pd_add(c->v[a], c->v[b]));
      remember(c, i, n++);
    }
}

pd_status pd_collapse_begin(const pd_mesh *mesh, const double *most, pd_collapse *c)
{
  const size_t nv = (size_t)mesh->nv, nt = (size_t)mesh->nt, points = nv + 3 * nt / 2;
  c->nv = mesh->nv;
  c->nt = c->left = mesh->nt;
  c->v = mesh->v;
  c->most = most;
  c->t = pd_alloc_array(nt, sizeof *c->t);
  c->first = pd_alloc_array(nv, sizeof *c->first);
  c->next = pd_alloc_array(3 * nt, sizeof *c->next);
  c->point = pd_alloc_array(points, sizeof *c->point);
  c->near = pd_alloc_array(nt, sizeof *c->near);
  c->more = pd_alloc_array(points, sizeof *c->more);
  c->rise = pd_alloc_array(nt, sizeof *c->rise);
  if (!c->t || !c->first || !c->next || !c->point || !c->near || !c->more || !c->rise)
    return PD_ENOMEM;
  memcpy(c->point, mesh->v, nv * sizeof *c->point);
  for (int i = 0; i < mesh->nv; i++) c->first[i] = -1;
  for (int i = 0; i < mesh->nt; i++) c->near[i] = -1;
  for (int k = 3 * mesh->nt - 1; k >= 0; k--) join(c, k, mesh->t[k / 3][k % 3]);
  remember_edges(c);
  return PD_OK;
}

static int is_gone(const pd_collapse *c, int triangle) { return c->t[triangle][0] < 0; }

/* Corners of triangles that are gone leave the list on the way. */
int pd_collapse_fan(pd_collapse *c, int vertex, pd_fan *fan)
{
  fan->n = 0;
  for (int *at = &c->first[vertex]; *at >= 0;) {
    if (is_gone(c, *at / 3)) {
      *at = c->next[*at];
      continue;
    }
    if (fan->n == PD_MOST_FAN) return 0;
    fan->t[fan->n++] = *at / 3;
    at = &c->next[*at];
  }
  return fan->n;
}

static int has(const int *t, int vertex)
{
  return t[0] == vertex || t[1] == vertex || t[2] == vertex;
}

/* Only if u and v have two neighbours in common, the far corners of the triangles at their edge, it
 * stays a surface. */
static int stays_surface(pd_collapse *c, const pd_fan *fan, int u, int v)
{
  pd_fan other;
  int common = 0, own = 0;
  if (!pd_collapse_fan(c, v, &other) || fan->n + other.n - 4 > PD_MOST_FAN || fan->n < 3) return 0;
  for (int i = 0; i < fan->n; i++) {
    const int *t = c->t[fan->t[i]];
    own += has(t, v);
    for (int k = 0; k < 3; k++) {
      /* each neighbour of u stands once behind it */
      if (t[k] != u || t[(k + 1) % 3] == v) continue;
      for (int j = 0; j < other.n; j++)
        if (has(c->t[other.t[j]], t[(k + 1) % 3])) {
          common++;
          break;
        }
    }
  }
  return own == 2 && common == 2 && fan->n + other.n > 6;
}

static void corners_of(const pd_collapse *c, int triangle, int u, int v, pd_vec3 *x)
{
  for (int k = 0; k < 3; k++) {
    const int i = c->t[triangle][k];
    x[k] = c->v[i == u ? v : i];
  }
}

/* normal of length twice the area; *side2: longest side squared */
static pd_vec3 normal_of(const pd_vec3 *x, double *side2)
{
  const pd_vec3 a = pd_sub(x[1], x[0]), b = pd_sub(x[2], x[0]), d = pd_sub(x[2], x[1]);
  *side2 = fmax(pd_norm2(a), fmax(pd_norm2(b), pd_norm2(d)));
  return pd_cross(a, b);
}

/* height over the longest side */
static double flatness_of(const pd_vec3 *x)
{
  double side2;
  const double area2 = pd_norm(normal_of(x, &side2));
  return area2 / side2;
}

/* the least of those at u */
static double least_flatness(const pd_collapse *c, const pd_fan *fan, int u)
{
  double least = DBL_MAX;
  for (int i = 0; i < fan->n; i++) {
    pd_vec3 x[3];
    corners_of(c, fan->t[i], u, u, x);
    least = fmin(least, flatness_of(x));
  }
  return least;
}

/* whether a triangle neither turns over nor becomes a needle */
static int stays_sound(const pd_collapse *c, int triangle, int u, int v, double least)
{
  pd_vec3 before[3], after[3];
  double side2;
  corners_of(c, triangle, u, u, before);
  corners_of(c, triangle, u, v, after);
  const pd_vec3 n = normal_of(before, &side2), m = normal_of(after, &side2);
  return pd_dot(n, m) > LEAST_COSINE * pd_norm(n) * pd_norm(m) && flatness_of(after) >= least;
}

static double distance2(pd_vec3 p, const pd_vec3 *x)
{
  double d2;
  pd_point_triangle(p, x[0], x[1], x[2], &d2);
  return d2;
}

/* triangles as they will be about v */
typedef struct new_fan {
  int n, t[PD_MOST_FAN];
  pd_vec3 x[PD_MOST_FAN][3];
} new_fan;

/* which of them is nearest */
static int nearest(const new_fan *f, pd_vec3 p, double *d2)
{
  int at = 0;
  *d2 = DBL_MAX;
  for (int i = 0; i < f->n; i++) {
    const double e = distance2(p, f->x[i]);
    if (e < *d2) *d2 = e, at = i;
  }
  return at;
}

static void find_new_fan(const pd_collapse *c, const pd_fan *fan, int u, int v, new_fan *f)
{
  f->n = 0;
  f->t[0] = fan->t[0]; /* two of three or more at u have v: there is a new one */
  for (int i = 0; i < fan->n; i++) {
    if (has(c->t[fan->t[i]], v)) continue;
    f->t[f->n] = fan->t[i];
    corners_of(c, fan->t[i], u, v, f->x[f->n++]);
  }
}

/* how far points stand out of triangles, and lie inside them, at most: squared */
typedef struct spread {
  double out, in;
} spread;

static void add_point(const new_fan *f, pd_vec3 p, spread *s)
{
  double d2;
  const int i = nearest(f, p, &d2);
  const pd_vec3 *x = f->x[i];
  const pd_vec3 n = pd_cross(pd_sub(x[1], x[0]), pd_sub(x[2], x[0]));
  if (pd_dot(n, pd_sub(p, x[0])) > 0.0)
    s->out = fmax(s->out, d2);
  else
    s->in = fmax(s->in, d2);
}

static double whole(spread s)
{
  const double width = sqrt(s.out) + sqrt(s.in);
  return width * width;
}

double pd_collapse_cost(pd_collapse *c, const pd_fan *fan, int u, int v, double most)
{
  new_fan f;
  spread s = {0.0, 0.0};
  if (!stays_surface(c, fan, u, v)) return DBL_MAX;
  find_new_fan(c, fan, u, v, &f);
  const double least = fmin(LEAST_HEIGHT, least_flatness(c, fan, u));
  for (int i = 0; i < f.n; i++)
    if (!stays_sound(c, f.t[i], u, v, least)) return DBL_MAX;
  add_point(&f, c->v[u], &s);
  most = fmin(most, c->most[u]);
  for (int i = 0; i < fan->n; i++)
    for (int p = c->near[fan->t[i]]; p >= 0; p = c->more[p]) {
      add_point(&f, c->point[p], &s);
      most = fmin(most, c->most[p]);
      if (fmax(s.out, s.in) > most) return DBL_MAX;
    }
  const double cost = whole(s);
  return cost <= most ? cost : DBL_MAX;
}

static void remember_nearest(pd_collapse *c, const new_fan *f, int point)
{
  double d2;
  remember(c, f->t[nearest(f, c->point[point], &d2)], point);
}

/* all points remembered by the triangles of a fan, as one list */
static int collect(pd_collapse *c, const pd_fan *fan)
{
  int all = -1;
  for (int i = 0; i < fan->n; i++) {
    for (int p = c->near[fan->t[i]], next; p >= 0; p = next) {
      next = c->more[p];
      c->more[p] = all;
      all = p;
    }
    c->near[fan->t[i]] = -1;
  }
  return all;
}

void pd_collapse_do(pd_collapse *c, const pd_fan *fan, int u, int v)
{
  new_fan f;
  find_new_fan(c, fan, u, v, &f);
  const int points = collect(c, fan);
  for (int i = 0; i < fan->n; i++) {
    int *t = c->t[fan->t[i]];
    if (has(t, v)) {
      t[0] = t[1] = t[2] = -1;
      c->left--;
      continue;
    }
    for (int k = 0; k < 3; k++)
      if (t[k] == u) join(c, 3 * fan->t[i] + k, v);
  }
  c->first[u] = -1;
  for (int p = points, next; p >= 0; p = next) {
    next = c->more[p];
    remember_nearest(c, &f, p);
  }
  remember_nearest(c, &f, u);
}

/* ---- what is left, outside what was ---- */

/* The shortest way out of planes: least |x| with n . x >= height for all. What each plane adds is
 * found in turn, and is no pull. */
static pd_vec3 way_out(int n, const pd_vec3 *normal, const double *height)
{
  double push[PD_MOST_FAN] = {0.0};
  pd_vec3 x = pd_v(0.0, 0.0, 0.0);
  for (int pass = 0; pass < LIFT_PASSES; pass++)
    for (int i = 0; i < n; i++) {
      const double more = fmax(-push[i], height[i] - pd_dot(normal[i], x));
      push[i] += more;
      x = pd_axpy(x, more, normal[i]);
    }
  return x;
}

/* unit normal; *at: a point of the plane */
static pd_vec3 plane_of(const pd_collapse *c, int triangle, pd_vec3 *at)
{
  pd_vec3 x[3];
  double side2;
  corners_of(c, triangle, -1, -1, x);
  *at = x[0];
  return pd_unit(normal_of(x, &side2));
}

void pd_collapse_find_rises(pd_collapse *c, double clear)
{
  for (int i = 0; i < c->nt; i++) {
    if (is_gone(c, i)) continue;
    pd_vec3 at;
    const pd_vec3 n = plane_of(c, i, &at);
    double height = 0.0;
    for (int p = c->near[i]; p >= 0; p = c->more[p])
      height = fmax(height, pd_dot(n, pd_sub(c->point[p], at)));
    c->rise[i] = height + clear;
  }
}

double pd_collapse_raise(pd_collapse *c, const char *marked, double factor, double more)
{
  double top = 0.0;
  for (int i = 0, n = 0; i < c->nt; i++) {
    if (is_gone(c, i) || !marked[n++]) continue;
    c->rise[i] = factor * c->rise[i] + more;
    top = fmax(top, c->rise[i]);
  }
  return top;
}

void pd_collapse_mark(const pd_collapse *c, const char *corner, const char *point, char *marked)
{
  for (int i = 0, n = 0; i < c->nt; i++) {
    if (is_gone(c, i)) continue;
    const int *t = c->t[i];
    int mark = corner[t[0]] || corner[t[1]] || corner[t[2]];
    mark |= point[t[0]] || point[t[1]] || point[t[2]];
    for (int p = c->near[i]; p >= 0 && !mark; p = c->more[p]) mark = point[p];
    marked[n++] = (char)mark;
  }
}

void pd_collapse_tighten(const pd_collapse *c, const char *marked, double factor, double *most)
{
  for (int i = 0, n = 0; i < c->nt; i++) {
    if (is_gone(c, i) || !marked[n++]) continue;
    for (int k = 0; k < 3; k++) most[c->t[i][k]] *= factor;
    for (int p = c->near[i]; p >= 0; p = c->more[p]) most[p] *= factor;
  }
}

static pd_vec3 lifted(pd_collapse *c, int vertex)
{
  pd_fan fan;
  pd_vec3 normal[PD_MOST_FAN], at;
  double rise[PD_MOST_FAN];
  pd_collapse_fan(c, vertex, &fan);
  for (int i = 0; i < fan.n; i++) {
    normal[i] = plane_of(c, fan.t[i], &at);
    rise[i] = c->rise[fan.t[i]];
  }
  return pd_add(c->v[vertex], way_out(fan.n, normal, rise));
}

pd_status pd_collapse_lifted(pd_collapse *c, pd_mesh *mesh)
{
  int n = 0;
  pd_status status = PD_ENOMEM;
  int(*t)[3] = pd_alloc_array((size_t)c->left, sizeof *t);
  pd_vec3 *v = pd_alloc_array((size_t)c->nv, sizeof *v);
  if (t && v) {
    for (int i = 0; i < c->nt; i++)
      if (!is_gone(c, i)) memcpy(t[n++], c->t[i], sizeof *t);
    for (int i = 0; i < c->nv; i++) v[i] = lifted(c, i);
    status = pd_mesh_create(c->nv, v, n, (const int(*)[3])t, mesh);
  }
  pd_free(t);
  pd_free(v);
  return status;
}

void pd_collapse_free(pd_collapse *c)
{
  pd_free(c->t);
  pd_free(c->first);
  pd_free(c->next);
  pd_free(c->point);
  pd_free(c->near);
  pd_free(c->more);
  pd_free(c->rise);
  memset(c, 0, sizeof *c);
}
