/* SPDX-License-Identifier: MIT
 * Induced dimension reduction, IDR(4) with biorthogonal directions (van Gijzen and Sonneveld, ACM
 * Trans. Math. Softw. 38 (2011) 5): a Krylov method of short recurrences for systems that are not
 * symmetric. */
#include "contact_dynamics/compatible_internal.h"

enum { S = PD_CD_IDR };

typedef struct idr {
  pd_cd_idr *w;
  const pd_cd_linear *task;
  double *x;
  double m[S][S]; /* p_i.g_k, lower triangle */
  double f[S];    /* p_i.r */
  double omega;
  double stop; /* square of the residual that suffices */
  int products;
} idr;

/* shadows without order; they bear on the way, not on the solution */
static void scatter(size_t n, unsigned s, double *x)
{
  for (size_t i = 0; i < n; i++) {
    s = 1664525u * s + 1013904223u;
    x[i] = (s >> 8) * (1.0 / 8388608.0) - 1.0;
  }
}

int pd_cd_idr_take(pd_cd_idr *w, const pd_cd_network *net, pd_cd_pool *pool)
{
  const size_t n6 = 6 * (size_t)net->nbody;
  for (int i = 0; i < S; i++) {
    w->p[i] = pd_cd_take(pool, n6);
    w->g[i] = pd_cd_take(pool, n6);
    w->d[i] = pd_cd_take(pool, n6);
  }
  w->r = pd_cd_take(pool, n6);
  w->v = pd_cd_take(pool, n6);
  w->q = pd_cd_take(pool, n6);
  if (pool->failed) return 0;
  for (int i = 0; i < S; i++)
    scatter(6 * (size_t)net->nowned, 12345u + 7919u * (unsigned)i, w->p[i]);
  return 1;
}

/* y += s x */
static void add(const idr *z, double s, const double *x, double *y)
{
  for (size_t i = 0; i < 6 * (size_t)z->task->net->nowned; i++) y[i] += s * x[i];
}

static double dot(const idr *z, const double *x, const double *y)
{
  return pd_cd_dot_six(z->task->net, x, y);
}

static int done(const idr *z)
{
  return dot(z, z->w->r, z->w->r) <= z->stop || z->products >= z->task->maxit;
}

/* c of M c = f, entries k and on */
static int solve_small(const idr *z, int k, double *c)
{
  for (int i = k; i < S; i++) {
    c[i] = z->f[i];
    for (int j = k; j < i; j++) c[i] -= z->m[i][j] * c[j];
    if (z->m[i][i] == 0.0) return 0;
    c[i] /= z->m[i][i];
  }
  return 1;
}

/* d_k in the space of this round, and its image, biorthogonal to the shadows before k */
static int find_pair(idr *z, int k)
{
  pd_cd_idr *w = z->w;
  const size_t n = 6 * (size_t)z->task->net->nowned;
  double c[S];
  if (!solve_small(z, k, c)) return 0;
  for (size_t i = 0; i < n; i++) w->v[i] = w->r[i];
  for (int i = k; i < S; i++) add(z, -c[i], w->g[i], w->v);
  z->task->precondition(z->task->ctx, w->v, w->q);
  for (size_t i = 0; i < n; i++) w->q[i] *= z->omega;
  for (int i = k; i < S; i++) add(z, c[i], w->d[i], w->q);
  for (size_t i = 0; i < n; i++) w->d[k][i] = w->q[i];
  z->task->multiply(z->task->ctx, w->d[k], w->g[k]);
  z->products++;
  for (int i = 0; i < k; i++) {
    const double alpha = dot(z, w->p[i], w->g[k]) / z->m[i][i];
    add(z, -alpha, w->g[i], w->g[k]);
    add(z, -alpha, w->d[i], w->d[k]);
  }
  for (int i = k; i < S; i++) z->m[i][k] = dot(z, w->p[i], w->g[k]);
  return z->m[k][k] != 0.0;
}

/* the part of a round within its space; 0 at its end, or if it breaks down */
static int sweep(idr *z)
{
  for (int i = 0; i < S; i++) z->f[i] = dot(z, z->w->p[i], z->w->r);
  for (int k = 0; k < S; k++) {
    if (!find_pair(z, k)) return 0;
    const double beta = z->f[k] / z->m[k][k];
    add(z, -beta, z->w->g[k], z->w->r);
    add(z, beta, z->w->d[k], z->x);
    if (done(z)) return 0;
    for (int i = k + 1; i < S; i++) z->f[i] -= beta * z->m[i][k];
  }
  return 1;
}

/* To the next, smaller space by a step of least residual, lengthened where residual and image are
 * all but orthogonal, lest convergence be lost. */
static int reduce(idr *z)
{
  pd_cd_idr *w = z->w;
  z->task->precondition(z->task->ctx, w->r, w->v);
  z->task->multiply(z->task->ctx, w->v, w->q);
  z->products++;
  const double qr = dot(z, w->q, w->r), qq = dot(z, w->q, w->q), rr = dot(z, w->r, w->r);
  if (!(qq > 0.0) || qr == 0.0) return 0;
  const double cosine = fabs(qr) / sqrt(qq * rr);
  z->omega = qr / qq * fmax(1.0, 0.7 / cosine);
  add(z, z->omega, w->v, z->x);
  add(z, -z->omega, w->q, w->r);
  return !done(z);
}

int pd_cd_idr_solve(pd_cd_idr *w, const pd_cd_linear *task, double *x)
{
  const size_t n = 6 * (size_t)task->net->nowned;
  idr z = {w, task, x, {{0.0}}, {0.0}, 1.0, 0.0, 0};
  for (int k = 0; k < S; k++) {
    z.m[k][k] = 1.0;
    for (size_t i = 0; i < n; i++) w->g[k][i] = w->d[k][i] = 0.0;
  }
  for (size_t i = 0; i < n; i++) x[i] = w->q[i] = w->v[i] = 0.0, w->r[i] = task->rhs[i];
  z.stop = task->rtol * task->rtol * dot(&z, w->r, w->r);
  while (!done(&z) && sweep(&z) && reduce(&z)) continue;
  return z.products;
}
