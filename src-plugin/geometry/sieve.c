/* SPDX-License-Identifier: MIT */
#include "geometry/sieve.h"

#include <float.h>
#include <math.h>

#include "base/random.h"

/* angles that are tried in a quarter of a turn, and steps of the refinement from the good ones */
enum { ANGLES = 90, STEPS = 40 };

/* moments are equal that differ by no more than this part of their sum: by files of six digits */
#define EQUAL 1e-5

/* Between the axes: searches, turns that each of them tries, the first and the last one
 * (Rodrigues). A hundred, since the least of several minima may be found by one in ten only. */
enum { SEARCHES = 100, TRIES = 200 };
static const double first_turn = 0.3, last_turn = 1e-12;

static const pd_vec3 axis[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

static double width(const pd_shape *shape, pd_vec3 n)
{
  double lo = DBL_MAX, hi = -DBL_MAX;
  for (int i = 0; i < shape->nv; i++) {
    const double h = pd_dot(n, shape->v[i]);
    lo = fmin(lo, h);
    hi = fmax(hi, h);
  }
  return hi - lo;
}

/* side of the square about the body seen along u x w, turned by an angle from u */
static double square(const pd_shape *shape, pd_vec3 u, pd_vec3 w, double angle)
{
  const double c = cos(angle), s = sin(angle);
  return fmax(width(shape, pd_axpy(pd_scale(c, u), s, w)),
              width(shape, pd_axpy(pd_scale(-s, u), c, w)));
}

/* Ever smaller steps from an angle whose square has the side best, as long as it gets less. */
static double refined_square(const pd_shape *shape, pd_vec3 u, pd_vec3 w, double at, double best)
{
  double step = 0.5 * PD_PI / ANGLES;
  for (int i = 0; i < STEPS; i++) {
    const double less = square(shape, u, w, at - step), more = square(shape, u, w, at + step);
    if (fmin(less, more) < best)
      at += less < more ? -step : step;
    else
      step *= 0.6;
    best = fmin(best, fmin(less, more));
  }
  return best;
}

/* From every angle whose square is no larger than those beside it. */
static double smallest_square(const pd_shape *shape, pd_vec3 u, pd_vec3 w)
{
  const double step = 0.5 * PD_PI / ANGLES;
  double side[ANGLES], best = DBL_MAX;
  for (int i = 0; i < ANGLES; i++) side[i] = square(shape, u, w, i * step);
  for (int i = 0; i < ANGLES; i++) {
    const double beside = fmin(side[(i + 1) % ANGLES], side[(i + ANGLES - 1) % ANGLES]);
    if (side[i] <= beside) best = fmin(best, refined_square(shape, u, w, i * step, side[i]));
  }
  return best;
}

/* A frame turned, its z axis a principal axis as before: where all moments are equal about any
 * axis, else about that of the single moment, which it is normal to, and about itself. */
static pd_quat turned(pd_quat frame, int single, pd_vec3 by)
{
  if (single < 0) return pd_q_normalize(pd_q_mul(pd_rodrigues_quat(by), frame));
  const pd_quat swung = pd_q_mul(pd_rodrigues_quat(pd_scale(by.x, axis[single])), frame);
  return pd_q_normalize(pd_q_mul(swung, pd_rodrigues_quat(pd_scale(by.y, axis[2]))));
}

/* from the last vertex to the first along n */
static pd_vec3 across(const pd_shape *shape, pd_vec3 n)
{
  return pd_sub(pd_shape_support(shape, n), pd_shape_support(shape, pd_neg(n)));
}

/* side of the square about the body seen along the frame's z axis, and its slope by a turn */
static double square_in(const pd_shape *shape, int single, pd_quat frame, pd_vec3 *slope)
{
  const pd_mat3 r = pd_m_transpose(pd_q_matrix(frame));
  const pd_vec3 u = pd_v_load(r.m[0]), w = pd_v_load(r.m[1]), z = pd_v_load(r.m[2]);
  const pd_vec3 a = across(shape, u), b = across(shape, w);
  const double along_u = pd_dot(a, u), along_w = pd_dot(b, w);
  const pd_vec3 moment = along_u > along_w ? pd_cross(u, a) : pd_cross(w, b);
  *slope = single < 0 ? moment : pd_v(pd_dot(moment, axis[single]), pd_dot(moment, z), 0.0);
  return fmax(along_u, along_w);
}

static pd_quat random_frame(int single, pd_random *row)
{
  const double x = pd_draw(row), y = pd_draw(row), z = pd_draw(row);
  const pd_quat frame = pd_rodrigues_quat(pd_swing(axis[2], axis[(single + 1) % 3]));
  return turned(frame, single, pd_v(4.0 * x - 2.0, 4.0 * y - 2.0, 4.0 * z - 2.0));
}

/* A minimum near a random frame, by the r-algorithm (N. Z. Shor, Minimization Methods for
 * Non-Differentiable Functions, 1985): it lies at a kink, and space is contracted along the jumps
 * of the slope, so that steps go along the kinks. */
static double descend(const pd_shape *shape, int single, pd_random *row)
{
  pd_quat frame = random_frame(single, row);
  pd_mat3 space = pd_m_identity();
  pd_vec3 slope, next;
  double best = square_in(shape, single, frame, &slope), step = first_turn;
  for (int i = 0; i < TRIES; i++) {
    const pd_vec3 turn = pd_mv(space, pd_scale(-step, pd_unit(pd_mtv(space, slope))));
    if (pd_norm(turn) < last_turn) break;
    frame = turned(frame, single, turn);
    best = fmin(best, square_in(shape, single, frame, &next));
    const int on = pd_dot(turn, next) < 0.0;
    step *= on ? 1.2 : 0.8;
    if (on) continue;
    const pd_vec3 jump = pd_unit(pd_mtv(space, pd_sub(next, slope)));
    space = pd_m_add(space, pd_m_scale(-0.5, pd_outer(pd_mv(space, jump), jump)));
    slope = next;
  }
  return best;
}

double pd_sieve_size(const pd_shape *shape)
{
  double best = DBL_MAX;
  for (int k = 0; k < 3; k++)
    best = fmin(best, smallest_square(shape, axis[(k + 1) % 3], axis[(k + 2) % 3]));
  int single;
  const int equal = pd_equal_moments(shape->mass.principal, EQUAL, &single);
  pd_random row = pd_random_row(0, 0, 0);
  for (int i = 0; equal > 1 && i < SEARCHES; i++)
    best = fmin(best, descend(shape, equal == 2 ? single : -1, &row));
  return best + 2.0 * shape->round;
}
