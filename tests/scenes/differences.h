/* SPDX-License-Identifier: MIT
 * Finite differences over the generalised coordinates of two bodies, and steps whose motion follows
 * their unknowns: what the tests of the contact derivatives share. */
#ifndef DIFFERENCES_H
#define DIFFERENCES_H

#include "dynamics/integrator.h"
#include "shapes.h"

/* six-point central difference: f'(0) = sum_k weight[k-1] (f(kh) - f(-kh)) / h + O(h^6) */
static const double diff_weight[3] = {0.75, -0.15, 1.0 / 60.0};

static inline pd_vec3 diff_direction(sc_random *random)
{
  const pd_mat3 r = pd_q_matrix(sc_rotation(random));
  return pd_v(r.m[0][0], r.m[1][0], r.m[2][0]);
}

static inline pd_vec3 diff_axis(int i) { return pd_v(i == 0, i == 1, i == 2); }

/* Rodrigues vector of the rotation by alpha, then by the small angle t about axis i. */
static inline pd_vec3 diff_turned(pd_vec3 alpha, int i, double t)
{
  const pd_vec3 small = pd_scale(2.0 * tan(0.5 * t), diff_axis(i));
  const pd_quat q = pd_q_mul(pd_rodrigues_quat(small), pd_rodrigues_quat(alpha));
  return pd_scale(2.0 / q.w, pd_v(q.x, q.y, q.z));
}

/* one body of a step: its state at the start and the unknowns */
typedef struct diff_body {
  pd_state o;
  pd_vec3 u, alpha;
} diff_body;

/* The unknown j (0-2 translation, 3-5 spin on top of alpha) moved by t. */
static inline diff_body diff_moved(diff_body b, int j, double t)
{
  if (j < 3)
    b.u = pd_axpy(b.u, t, diff_axis(j));
  else
    b.alpha = diff_turned(b.alpha, j - 3, t);
  return b;
}

static inline pd_velocity diff_motion(const pd_scheme *s, const diff_body *b)
{
  return pd_scheme_velocity(s, &b->o, b->u, b->alpha, pd_rodrigues(b->alpha),
                            pd_xi_inverse(b->alpha));
}

/* Random state and unknowns of a step of length h, velocities about one length unit per time. */
static inline diff_body diff_random(sc_random *random, double h)
{
  diff_body b;
  b.o.x = pd_v(0.0, 0.0, 0.0);
  b.o.q = sc_rotation(random);
  b.o.v = diff_direction(random);
  b.o.w = pd_scale(10.0, diff_direction(random));
  b.o.acc = pd_scale(10.0, diff_direction(random));
  b.o.wdot = pd_scale(100.0, diff_direction(random));
  b.u = pd_scale(h * sc_uniform(random, 0.0, 1.0), diff_direction(random));
  b.alpha = pd_scale(sc_uniform(random, 0.0, 0.3), diff_direction(random));
  return b;
}

static inline pd_scheme diff_scheme(pd_scheme_kind kind, double h)
{
  pd_scheme s = {0};
  s.kind = kind;
  s.beta = 0.3;
  s.gamma = 0.5;
  pd_scheme_set_step(&s, h);
  return s;
}

/* Largest error of a derivative block against differences, entry by entry: |a - b| relative to the
 * entry or to floor, whichever is larger, rotational rows (and columns) in units of the lever. */
static inline double diff_error(double a, double b, double unit, double floor)
{
  return fabs(a - b) / unit / fmax(floor, fmax(fabs(a), fabs(b)) / unit);
}

#endif
