/* SPDX-License-Identifier: MIT
 * Friction of one sample of the contact set at the end of the step. */
#include "contact/force/friction.h"

#include "contact/force/friction_kinematics.h"
#include "contact/force/scheme.h"

pd_status pd_sample_friction(const pd_evaluation *pair, const pd_friction_point *point,
                             pd_sample_sum *sum)
{
  if (!pair->memory || !pd_sample_bears(sum)) return PD_OK;
  return pair->scheme->add_friction(pair, point, sum);
}

void pd_friction_generalise(pd_vec3 f, const pd_vec3 *lever, double *force)
{
  pd_v_store(force, f);
  pd_v_store(force + 3, pd_cross(lever[0], f));
  pd_v_store(force + 6, pd_neg(f));
  pd_v_store(force + 9, pd_cross(f, lever[1]));
}

void pd_friction_add_rows(int side, pd_vec3 lever, const pd_grad *df, const pd_grad *dmoment,
                          double (*k)[12])
{
  const int row = 6 * side;
  const double sign = side ? -1.0 : 1.0, l[3] = {lever.x, lever.y, lever.z};
  for (int i = 0; i < 3; i++) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int j = 0; j < 12; j++) {
      k[row + i][j] -= sign * df->m[i][j];
      k[row + 3 + i][j] -= sign * (dmoment->m[i][j] + l[i1] * df->m[i2][j] - l[i2] * df->m[i1][j]);
    }
  }
}

/* where the velocity of the dashpot comes from */
typedef enum rate_of { RATE_OF_VELOCITY, RATE_OF_WAY, RATE_OF_MEMORY } rate_of;

/* Kinematics of the point, all but the normal; no tangent with RATE_OF_MEMORY. */
static pd_friction_kinematics kinematics(const pd_evaluation *pair, const pd_friction_point *point,
                                         const pd_friction_history *old, rate_of rate)
{
  const double h = rate == RATE_OF_WAY ? pair->h : 0.0;
  const pd_friction_side side[2] = {pd_side_of_friction(pair, point, 0, old->n),
                                    pd_side_of_friction(pair, point, 1, old->n)};
  pd_friction_kinematics s;
  pd_friction_motion(pair, side, &s);
  if (pair->tangent) {
    pd_friction_motion_gradient(pair, point, side, 1.0, 0.0, &s.dy);
    if (!(h > 0.0)) pd_friction_motion_gradient(pair, point, side, 0.0, 1.0, &s.dv);
  }
  pd_friction_turn(pair, old->gt, h > 0.0 ? 1.0 / h : 0.0, &s);
  if (rate == RATE_OF_MEMORY && pd_norm2(old->n) > 0.0) s.v = old->rate;
  return s;
}

/* the lever follows the point less the body: d(p x f) = -skew(f) (dx - u) */
static pd_grad moment_gradient(const pd_friction_point *point, int side, pd_vec3 f)
{
  const pd_mat3 carry = pd_m_scale(-1.0, pd_skew(f));
  pd_grad dm;
  pd_g_mul(&dm, carry, &point->dx);
  pd_g_add_block(&dm, 6 * side, -1.0, carry);
  return dm;
}

static pd_status rub(const pd_evaluation *pair, const pd_friction_point *point, rate_of rate,
                     pd_sample_sum *sum)
{
  pd_pair_result *out = pair->result;
  const pd_vec3 lever[2] = {point->pa, pd_sub(point->pa, pair->r)};
  const pd_friction_history old = pd_friction_recall(pair->memory, point->sample);
  pd_friction_kinematics s = kinematics(pair, point, &old, rate);
  double force[12];
  pd_sample_normal(&s, sum->resultant, pair->tangent ? &sum->dresultant : NULL);
  const pd_friction_result f = pd_friction_eval(&pair->law->t, &s, &old, pair->tangent);
  sum->friction = f.f;
  sum->history = f.history;
  pd_friction_generalise(f.f, lever, force);
  for (int m = 0; m < 12; m++) {
    out->force[m] += force[m];
    out->loss[PD_FRICTION][m] += force[m];
  }
  out->scale2 += pd_norm2(f.f);
  for (int side = 0; side < 2 && pair->tangent; side++) {
    const pd_grad dm = moment_gradient(point, side, f.f);
    pd_friction_add_rows(side, lever[side], &f.df, &dm, out->k);
  }
  out->spring += f.elastic;
  return pd_friction_keep(pair->memory, point->sample, f.history);
}

pd_status pd_friction_at_end(const pd_evaluation *pair, const pd_friction_point *point,
                             pd_sample_sum *sum)
{
  return rub(pair, point, RATE_OF_VELOCITY, sum);
}

pd_status pd_friction_of_state(const pd_evaluation *pair, const pd_friction_point *point,
                               pd_sample_sum *sum)
{
  return rub(pair, point, RATE_OF_MEMORY, sum);
}

pd_status pd_friction_of_step(const pd_evaluation *pair, const pd_friction_point *point,
                              pd_sample_sum *sum)
{
  return rub(pair, point, RATE_OF_WAY, sum);
}
