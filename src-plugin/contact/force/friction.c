/* SPDX-License-Identifier: MIT
 * Friction of one sample of the contact set at the end of the step. */
#include "contact/force/friction.h"

#include "contact/force/friction_kinematics.h"
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

/* velocity of A against B at a lever about A's centre, at the start of the substep */
static pd_vec3 velocity_before(const pd_evaluation *pair, pd_vec3 lever)
{
  const pd_velocity *a = &pair->a->before, *b = &pair->b->before;
  const pd_vec3 va = pd_add(a->v, pd_cross(a->w, lever));
  return pd_sub(va, pd_add(b->v, pd_cross(b->w, pd_sub(lever, pair->r))));
}

/* velocity of A past B at the start of the substep: towards B and along the surface */
typedef struct pace {
  double approach, along;
} pace;

static pace pace_before(const pd_evaluation *pair, pd_vec3 lever, pd_vec3 n)
{
  const pd_vec3 v = velocity_before(pair, lever);
  const double approach = -pd_dot(n, v);
  const pace p = {fmax(approach, 0.0), pd_norm(pd_axpy(v, approach, n))};
  return p;
}

/* what goes along a surface no faster hardly moves */
static double speed_of_rest(const pd_evaluation *pair)
{
  return PD_SLIDE_SPEED * sqrt(2.0 * pair->law->phib / pair->reduced_mass);
}

/* Whether a contact begins with a slide that friction will not stop: it goes faster along the
 * surface than mu_d times its approach could take from it. What would be stopped stops with either
 * coefficient; what hardly moves is at rest. */
static int begins_to_slide(const pd_evaluation *pair, pd_vec3 lever, pd_vec3 n)
{
  const pace p = pace_before(pair, lever, n);
  return p.along > speed_of_rest(pair) && p.along > pair->law->t.mu_d * p.approach;
}

/* Whether a contact that stuck slides at once, as when a body has been given a velocity: it is far
 * faster than its limit could stop within the substep, or its spring. */
static int is_torn_off(const pd_evaluation *pair, pd_vec3 lever, const pd_friction_history *old)
{
  const pd_friction_law *law = &pair->law->t;
  const double time = pair->h / pair->reduced_mass + 1.0 / sqrt(law->eps_t * pair->reduced_mass);
  const double along = pace_before(pair, lever, old->n).along;
  return along > speed_of_rest(pair) && along > PD_TORN_OFF * law->mu_s * old->force * time;
}

pd_friction_history pd_friction_resumed(const pd_evaluation *pair, pd_vec3 lever,
                                        const pd_friction_history *old)
{
  const pd_friction_law *law = &pair->law->t;
  pd_friction_history resumed = *old;
  if (!old->slipping && law->mu_s > law->mu_d && !(law->v_s > 0.0))
    resumed.slipping = is_torn_off(pair, lever, old);
  return resumed;
}

pd_friction_history pd_friction_at_start(const pd_evaluation *pair, const pd_friction_point *point,
                                         pd_vec3 resultant)
{
  pd_friction_history old = pd_friction_recall(pair->memory, point->record);
  const pd_friction_law *law = &pair->law->t;
  if (pd_norm2(old.n) > 0.0) return pd_friction_resumed(pair, point->pa, &old);
  if (!(law->mu_s > law->mu_d) || law->v_s > 0.0 || !(pd_norm2(resultant) > 0.0)) return old;
  const pd_vec3 n = pd_unit(resultant);
  const int patch = pd_friction_patch(pair->memory, n);
  old.slipping = patch >= 0 ? patch : begins_to_slide(pair, point->pa, n);
  return old;
}

pd_friction_law pd_friction_law_at_start(const pd_evaluation *pair, pd_vec3 lever,
                                         const pd_friction_history *old, pd_vec3 resultant)
{
  pd_friction_law law = pair->law->t;
  const pd_vec3 n = pd_norm2(old->n) > 0.0 ? old->n : resultant;
  const double fall = law.mu_s - law.mu_d;
  if (!(law.v_s > 0.0) || !(fall > 0.0) || !(pd_norm2(n) > 0.0)) return law;
  const pace p = pace_before(pair, lever, pd_unit(n));
  const double stopped = fmax(p.approach, old->force * pair->h / pair->reduced_mass);
  if (fall * stopped <= PD_UNIQUE_FALL * law.v_s) return law;
  double slope;
  law.mu_s = law.mu_d = pd_friction_mu(&law, 0, p.along, &slope);
  law.v_s = 0.0;
  return law;
}

/* where the velocity of the dashpot comes from */
typedef enum rate_of { RATE_OF_VELOCITY, RATE_OF_WAY, RATE_OF_MEMORY } rate_of;

/* a friction point under evaluation */
typedef struct rubbing {
  const pd_evaluation *pair;
  const pd_friction_point *point;
  pd_friction_history old;
  pd_friction_side side[2];
  pd_friction_turn turn;
  double rate; /* 1 / length of the step if the way over it is the velocity, else 0 */
} rubbing;

/* Kinematics of the point; no tangent with RATE_OF_MEMORY. */
static pd_friction_kinematics kinematics(const rubbing *r, pd_vec3 resultant, rate_of rate)
{
  pd_friction_kinematics s;
  pd_friction_motion(r->pair, r->side, &s);
  pd_friction_take_turn(&r->turn, r->old.gt, r->rate, &s);
  if (rate == RATE_OF_MEMORY && pd_norm2(r->old.n) > 0.0) s.v = r->old.rate;
  pd_sample_normal(&s, resultant);
  return s;
}

/* derivative of the force; dr: that of the sample's resultant */
static void force_gradient(const rubbing *r, const pd_friction_kinematics *s,
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

static pd_status rub(const pd_evaluation *pair, const pd_friction_point *point, rate_of rate,
                     pd_sample_sum *sum)
{
  pd_pair_result *out = pair->result;
  const pd_vec3 lever[2] = {point->pa, pd_sub(point->pa, pair->r)};
  rubbing r;
  double force[12];
  r.pair = pair;
  r.point = point;
  r.old = pd_friction_at_start(pair, point, sum->resultant);
  for (int k = 0; k < 2; k++) r.side[k] = pd_side_of_friction(pair, point, k, r.old.n);
  r.turn = pd_friction_turn_of(pair);
  r.rate = rate == RATE_OF_WAY && pair->h > 0.0 ? 1.0 / pair->h : 0.0;
  const pd_friction_kinematics s = kinematics(&r, sum->resultant, rate);
  const pd_friction_law law = pd_friction_law_at_start(pair, point->pa, &r.old, sum->resultant);
  const pd_friction_result f = pd_friction_eval(&law, &s, &r.old, pair->tangent);
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
  if (pair->tangent) force_gradient(&r, &s, &f.by, &sum->dresultant, &df);
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
