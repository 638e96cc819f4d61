/* SPDX-License-Identifier: MIT
 * Friction of one sample of the contact set at the end of the step. */
#include "contact/force/friction.h"

#include "contact/force/friction_kinematics.h"
#include "contact/force/friction_start.h"
#include "contact/force/scheme.h"

pd_status pd_sample_friction(const pd_evaluation *pair, pd_friction_point *point,
                             pd_sample_sum *sum)
{
  if (!pair->memory || !pd_sample_bears(sum)) return PD_OK;
  point->record = pd_friction_find(pair->memory, point->sample, sum->resultant);
  return pair->scheme->add_friction(pair, point, sum);
}

void pd_friction_generalise(pd_vec3 f, const pd_vec3 *lever, double *force)
{
  pd_v_store(force, f);
  pd_v_store(force + 3, pd_cross(lever[0], f));
  pd_v_store(force + 6, pd_neg(f));
  pd_v_store(force + 9, pd_cross(f, lever[1]));
}

void pd_friction_add_rows(int side, pd_vec3 lever, const pd_grad *df, double (*k)[12])
{
  double(*rows)[12] = k + 6 * side;
  const double sign = side ? -1.0 : 1.0;
  pd_k_add_rows(rows, -sign, df);
  pd_k_add_moment_rows(rows + 3, pd_scale(-sign, lever), df);
}

void pd_friction_add_normal_gradient(const pd_friction_kinematics *s, const pd_friction_slopes *by,
                                     const pd_grad *dr, const double *dbound, pd_grad *df)
{
  pd_g_add_mul(df, pd_m_mul(by->n, s->turn), dr);
  pd_g_rank1(df, 1.0, by->bound, dbound);
}

/* where the velocity of the dashpot comes from */
typedef enum rate_of { RATE_OF_VELOCITY, RATE_OF_WAY, RATE_OF_MEMORY } rate_of;

/* a friction point under evaluation */
typedef struct friction_point_evaluation {
  const pd_evaluation *pair;
  const pd_friction_point *point;
  pd_friction_history old;
  pd_friction_side side[2];
  pd_friction_turn turn;
  double rate; /* 1 / length of the step if the way over it is the velocity, else 0 */
} friction_point_evaluation;

/* Kinematics of the point; no tangent with RATE_OF_MEMORY. */
static pd_friction_kinematics kinematics(const friction_point_evaluation *r, pd_vec3 resultant,
                                         rate_of rate)
{
  pd_friction_kinematics s;
  pd_friction_motion(r->pair, r->side, &s);
  pd_friction_take_turn(&r->turn, r->old.gt, r->rate, &s);
  if (rate == RATE_OF_MEMORY && pd_norm2(r->old.n) > 0.0) s.v = r->old.rate;
  pd_sample_normal(&s, resultant);
  return s;
}

/* derivative of the force; dr: that of the sample's resultant */
static void force_gradient(const friction_point_evaluation *r, const pd_friction_kinematics *s,
                           const pd_friction_slopes *by, const pd_grad *dr, pd_grad *df)
{
  pd_grad dy, dv;
  double dbound[12];
  pd_friction_motion_gradient(r->pair, r->point, r->side, 1.0, 0.0, &dy);
  if (!(r->rate > 0.0)) pd_friction_motion_gradient(r->pair, r->point, r->side, 0.0, 1.0, &dv);
  pd_friction_gradient(&r->turn, s, r->rate, by, &dy, &dv, df);
  pd_g_row(dr, s->n, dbound);
  pd_friction_add_normal_gradient(s, by, dr, dbound, df);
}

/* Tangent of a side's moment of a constant force into its rows k: the lever follows the point less
 * the body, d(p x f) = -skew(f) (dx - u). */
static void add_lever_rows(const pd_friction_point *point, int side, pd_vec3 f, double (*k)[12])
{
  const pd_vec3 on_side = side ? pd_neg(f) : f;
  pd_k_add_moment_rows(k, on_side, &point->dx);
  pd_k_add_block(k, 0, 6 * side, -1.0, pd_skew(on_side));
}

static pd_status evaluate_point(const pd_evaluation *pair, const pd_friction_point *point,
                                rate_of rate, pd_sample_sum *sum)
{
  pd_pair_result *out = pair->result;
  const pd_vec3 lever[2] = {point->pa, pd_sub(point->pa, pair->r)};
  friction_point_evaluation r;
  double force[12];
  r.pair = pair;
  r.point = point;
  const int within_step = rate == RATE_OF_WAY;
  r.old = pd_friction_at_start(pair, point, sum->resultant, within_step);
  for (int k = 0; k < 2; k++) r.side[k] = pd_side_of_friction(pair, point, k, r.old.n);
  r.turn = pd_friction_turn_of(pair);
  r.rate = rate == RATE_OF_WAY && pair->h > 0.0 ? 1.0 / pair->h : 0.0;
  const pd_friction_kinematics s = kinematics(&r, sum->resultant, rate);
  const pd_friction_start start =
      pd_friction_start_of(pair, point, &r.old, sum->resultant, within_step);
  const pd_friction_result f = pd_friction_eval(&start.law, &s, &r.old, pair->tangent);
  sum->friction = f.f;
  sum->grip = point->pa;
  sum->history = f.history;
  pd_friction_generalise(f.f, lever, force);
  for (int m = 0; m < 12; m++) {
    out->force[m] += force[m];
    out->loss[PD_FRICTION][m] += force[m];
  }
  out->friction_ta = pd_m_add(out->friction_ta, pd_outer(f.f, point->pa));
  out->scale2 += pd_norm2(f.f);
  pd_grad df;
  if (pair->tangent) {
    force_gradient(&r, &s, &f.by, &sum->dresultant, &df);
    pd_friction_add_start_gradient(pair, point, &start, &s, &f.by, &sum->dresultant, &df);
  }
  for (int side = 0; side < 2 && pair->tangent; side++) {
    pd_friction_add_rows(side, lever[side], &df, out->k);
    add_lever_rows(point, side, f.f, out->k + 6 * side + 3);
  }
  out->spring += f.elastic;
  return pd_friction_keep(pair->memory, point->sample, f.history);
}

pd_status pd_friction_at_end(const pd_evaluation *pair, const pd_friction_point *point,
                             pd_sample_sum *sum)
{
  return evaluate_point(pair, point, RATE_OF_VELOCITY, sum);
}

pd_status pd_friction_of_state(const pd_evaluation *pair, const pd_friction_point *point,
                               pd_sample_sum *sum)
{
  return evaluate_point(pair, point, RATE_OF_MEMORY, sum);
}

pd_status pd_friction_of_step(const pd_evaluation *pair, const pd_friction_point *point,
                              pd_sample_sum *sum)
{
  return evaluate_point(pair, point, RATE_OF_WAY, sum);
}
