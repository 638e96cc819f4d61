/* SPDX-License-Identifier: MIT
 * A body with two equal moments turns evenly about its angular momentum and about its own axis, and
 * these rotations do not depend on their order. What is left of a third moment turns it about one
 * more of its axes, half before and half after (Strang's splitting). */
#include "contact_dynamics/free_turn.h"

/* parts of a step: Strang's error of one is some rest * top^2 / 24, both in rad */
#define ERROR_OF_PART 1e-3
enum { MOST_PARTS = 1000 };

/* turns the body about one of its own axes at the rate of its momentum about it */
static pd_quat turned_about_own(pd_quat q, int k, pd_vec3 l, double rate)
{
  const pd_vec3 e = pd_v(k == 0, k == 1, k == 2);
  const double half = 0.5 * rate * pd_dot(pd_mtv(pd_q_matrix(q), l), e), s = sin(half);
  return pd_q_normalize(pd_q_mul(q, pd_q(cos(half), s * e.x, s * e.y, s * e.z)));
}

/* turns the body about the angular momentum */
static pd_quat turned_about_momentum(pd_quat q, pd_vec3 l, double rate)
{
  const pd_vec3 e = pd_unit(l);
  const double half = 0.5 * rate * pd_norm(l), s = sin(half);
  return pd_q_normalize(pd_q_mul(pd_q(cos(half), s * e.x, s * e.y, s * e.z), q));
}

/* how much less than the others one of three numbers is like them */
static double apart(const double *x, int k)
{
  return fmin(fabs(x[k] - x[(k + 1) % 3]), fabs(x[k] - x[(k + 2) % 3]));
}

pd_quat pd_cd_free_turn(pd_quat q, pd_vec3 moments, pd_vec3 l, double t)
{
  const double x[3] = {1.0 / moments.x, 1.0 / moments.y, 1.0 / moments.z};
  int own = apart(x, 1) > apart(x, 0);
  if (apart(x, 2) > apart(x, own)) own = 2;
  const int rest = (own + 1) % 3, other = (own + 2) % 3;
  const double size = t * pd_norm(l), top = size * fmax(x[0], fmax(x[1], x[2]));
  const double left = size * fabs(x[rest] - x[other]);
  const int parts = 1 + (int)fmin(top * sqrt(left / (24.0 * ERROR_OF_PART)), MOST_PARTS);
  const double h = t / parts;
  for (int n = 0; n < parts; n++) {
    q = turned_about_own(q, rest, l, 0.5 * h * (x[rest] - x[other]));
    q = turned_about_own(q, own, l, h * (x[own] - x[other]));
    q = turned_about_momentum(q, l, h * x[other]);
    q = turned_about_own(q, rest, l, 0.5 * h * (x[rest] - x[other]));
  }
  return q;
}

pd_vec3 pd_cd_turn_between(pd_quat from, pd_quat to, pd_vec3 about)
{
  const pd_quat d = pd_q_mul(to, pd_q_conj(from));
  const pd_vec3 v = pd_v(d.x, d.y, d.z), e = pd_unit(pd_norm(v) > 1e-12 ? v : about);
  const double angle = 2.0 * atan2(pd_dot(v, e), d.w);
  return pd_scale(angle + 2.0 * PD_PI * round((pd_dot(about, e) - angle) / (2.0 * PD_PI)), e);
}
