/* SPDX-License-Identifier: MIT
 * Reference for forces with friction: bodies on springs of finite stiffness under loads that grow
 * in increments. Places and turns are finite: a contact is a point of its first body before a plane
 * of the second, both carried along. Tangential springs remember where they are and slip by return
 * mapping in every increment. Vectors in world axes, dense matrices of finite differences: nothing
 * is shared with the solver but the description of the contacts. */
#ifndef LOADING_H
#define LOADING_H

#include "test_cd_scenes.h"

typedef struct loading {
  const scene *s;
  double scale, ratio; /* stiffness of k = 1; tangential over normal stiffness */
  int n;               /* unknowns */
  double *w;           /* displacements and rotation vectors, times the scale */
  double *load;        /* resultants that the contacts are to have */
  pd_vec3 *spring;     /* per contact: stretch of the tangential spring, axes of the second body */
  pd_vec3 *last;       /* tangential displacement at the end of the last increment */
  pd_vec3 *force;      /* on the first bodies, world axes */
  double *jacobian, *residual, *trial;
} loading;

static inline void loading_open(loading *q, const scene *s, double scale, double ratio)
{
  const size_t nc = (size_t)s->net.ncontact, n = 6 * (size_t)s->net.nowned;
  q->s = s, q->scale = scale, q->ratio = ratio, q->n = (int)n;
  q->w = zeros(n), q->load = zeros(n), q->residual = zeros(n), q->trial = zeros(n);
  q->jacobian = zeros(n * n);
  q->spring = (pd_vec3 *)calloc(nc, sizeof(pd_vec3));
  q->last = (pd_vec3 *)calloc(nc, sizeof(pd_vec3));
  q->force = (pd_vec3 *)calloc(nc, sizeof(pd_vec3));
  assert_true(q->spring && q->last && q->force);
}

static inline void loading_close(loading *q)
{
  free(q->w), free(q->load), free(q->residual), free(q->trial), free(q->jacobian);
  free(q->spring), free(q->last), free(q->force);
}

/* Rodrigues vector of a body's turn */
static inline pd_vec3 loading_turn(const loading *q, const double *w, int body)
{
  return body < 0 ? pd_v(0.0, 0.0, 0.0) : pd_scale(1.0 / q->scale, pd_v_load(w + 6 * body + 3));
}

/* how far the turn moves the end of r: R r - r, without the difference of large numbers */
static inline pd_vec3 loading_swing(pd_vec3 alpha, pd_vec3 r)
{
  const pd_vec3 once = pd_cross(alpha, r);
  return pd_scale(4.0 / (4.0 + pd_norm2(alpha)), pd_axpy(once, 0.5, pd_cross(alpha, once)));
}

static inline pd_vec3 loading_shift(const loading *q, const double *w, int body)
{
  return body < 0 ? pd_v(0.0, 0.0, 0.0) : pd_scale(1.0 / q->scale, pd_v_load(w + 6 * body));
}

/* Force of contact i on its first body with displacements w, and its lever on either body; keep:
 * the springs are left where they are now. */
static inline pd_vec3 loading_contact(loading *q, const double *w, int i, int keep, pd_vec3 *on_a,
                                      pd_vec3 *on_b)
{
  const pd_cd_contact *c = &q->s->net.contact[i];
  const pd_vec3 alpha = loading_turn(q, w, c->a), beta = loading_turn(q, w, c->b);
  const pd_vec3 ua = loading_shift(q, w, c->a), ub = loading_shift(q, w, c->b);
  const pd_vec3 da = loading_swing(alpha, c->ra), db = loading_swing(beta, c->rb);
  /* where the point is, seen from the plane's own point */
  const pd_vec3 apart = pd_add(pd_sub(ua, ub), pd_sub(da, db));
  const pd_vec3 local = pd_add(apart, loading_swing(pd_neg(beta), apart));
  const double depth = -pd_dot(c->n, local);
  const pd_vec3 tangential = pd_axpy(local, depth, c->n);
  *on_a = pd_add(c->ra, da);
  *on_b = pd_add(pd_add(c->rb, db), apart);
  const double k = c->k * q->scale, kt = q->ratio * k, fn = depth > 0.0 ? k * depth : 0.0;
  pd_vec3 stretch = pd_add(q->spring[i], pd_sub(tangential, q->last[i]));
  const double size = pd_norm(stretch);
  if (kt * size > c->mu * fn) stretch = pd_scale(c->mu * fn / (kt * size), stretch);
  if (keep) q->spring[i] = stretch, q->last[i] = tangential;
  const pd_vec3 f = pd_axpy(pd_scale(fn, c->n), -kt, stretch);
  return pd_add(f, loading_swing(beta, f));
}

static inline double loading_residual(loading *q, const double *w, double part, int keep,
                                      double *out)
{
  double worst = 0.0;
  for (int j = 0; j < q->n; j++) out[j] = part * q->load[j];
  for (int i = 0; i < q->s->net.ncontact; i++) {
    const pd_cd_contact *c = &q->s->net.contact[i];
    pd_vec3 a, b;
    const pd_vec3 f = loading_contact(q, w, i, keep, &a, &b), ma = pd_cross(a, f);
    const pd_vec3 mb = pd_cross(b, f);
    q->force[i] = f;
    const double fa[6] = {f.x, f.y, f.z, ma.x, ma.y, ma.z},
                 fb[6] = {f.x, f.y, f.z, mb.x, mb.y, mb.z};
    for (int k = 0; k < 6; k++) {
      out[6 * c->a + k] -= fa[k];
      if (c->b >= 0) out[6 * c->b + k] += fb[k];
    }
  }
  for (int j = 0; j < q->n; j++) worst = fmax(worst, fabs(out[j]));
  return worst;
}

/* Gaussian elimination with pivoting by rows, x in place of b */
static inline void loading_eliminate(int n, double *a, double *b)
{
  for (int k = 0; k < n; k++) {
    int pivot = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(a[i * n + k]) > fabs(a[pivot * n + k])) pivot = i;
    for (int j = 0; j < n && pivot != k; j++) {
      const double x = a[k * n + j];
      a[k * n + j] = a[pivot * n + j], a[pivot * n + j] = x;
    }
    const double x = b[k];
    b[k] = b[pivot], b[pivot] = x;
    for (int i = k + 1; i < n; i++) {
      const double s = a[i * n + k] / a[k * n + k];
      for (int j = k; j < n && s != 0.0; j++) a[i * n + j] -= s * a[k * n + j];
      b[i] -= s * b[k];
    }
  }
  for (int k = n - 1; k >= 0; k--) {
    for (int j = k + 1; j < n; j++) b[k] -= a[k * n + j] * b[j];
    b[k] /= a[k * n + k];
  }
}

/* d of (J + drag) d = -r, J by central differences. Motions that nothing resists are held by the
 * drag. */
static inline void loading_direction(loading *q, double part, double drag, double *d)
{
  double *up = zeros((size_t)q->n), *down = zeros((size_t)q->n);
  for (int j = 0; j < q->n; j++) {
    const double at = q->w[j], e = 1e-7 * fmax(1.0, fabs(at));
    q->w[j] = at + e;
    loading_residual(q, q->w, part, 0, up);
    q->w[j] = at - e;
    loading_residual(q, q->w, part, 0, down);
    q->w[j] = at;
    for (int i = 0; i < q->n; i++)
      q->jacobian[i * q->n + j] = (up[i] - down[i]) / (2.0 * e) + (i == j ? drag : 0.0);
  }
  loading_residual(q, q->w, part, 0, up);
  for (int i = 0; i < q->n; i++) d[i] = -up[i];
  loading_eliminate(q->n, q->jacobian, d);
  free(up), free(down);
}

/* Bodies in a viscous fluid that thins until they are in balance; returns the unbalance. */
static inline double loading_balance(loading *q, double part, double tol)
{
  double drag = 1.0, r = loading_residual(q, q->w, part, 0, q->residual);
  for (int it = 0; it < 120 && r > tol; it++) {
    double *d = zeros((size_t)q->n);
    loading_direction(q, part, drag, d);
    for (int j = 0; j < q->n; j++) q->trial[j] = q->w[j] + d[j];
    const double next = loading_residual(q, q->trial, part, 0, q->residual);
    const int falls = next < 0.999 * r;
    if (falls) memcpy(q->w, q->trial, sizeof(double) * (size_t)q->n), r = next;
    drag = falls ? fmax(0.1 * drag, 1e-10) : 4.0 * drag;
    free(d);
  }
  return r;
}

/* the load in equal increments, each to balance; returns the largest unbalance */
static inline double loading_run(loading *q, int increments, double tol)
{
  double worst = 0.0;
  for (int k = 1; k <= increments; k++) {
    worst = fmax(worst, loading_balance(q, (double)k / increments, tol));
    loading_residual(q, q->w, (double)k / increments, 1, q->residual);
  }
  loading_residual(q, q->w, 1.0, 0, q->residual);
  return worst;
}

#endif
