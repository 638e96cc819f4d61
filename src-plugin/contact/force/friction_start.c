/* SPDX-License-Identifier: MIT
 * Friction of a sample as the substep starts: what it remembers, and its coefficient. */
#include "contact/force/friction_start.h"

/* velocity of A against B at a lever about A's centre, at the start of the substep */
static pd_vec3 velocity_before(const pd_evaluation *pair, pd_vec3 lever)
{
  const pd_twist *a = &pair->a->before, *b = &pair->b->before;
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

/* speed of the impact that the penalty part of the law holds */
static double penalty_speed(const pd_evaluation *pair)
{
  return sqrt(2.0 * pair->law->phib / pair->reduced_mass);
}

/* Whether a contact begins with a slide that friction will not stop: it goes faster along the
 * surface than mu_d times its approach could take from it. What would be stopped stops with either
 * coefficient; what hardly moves is at rest. */
static int begins_to_slide(const pd_evaluation *pair, pd_vec3 lever, pd_vec3 n)
{
  const pace p = pace_before(pair, lever, n);
  return p.along > PD_SLIDE_SPEED * penalty_speed(pair) && p.along > pair->law->t.mu_d * p.approach;
}

/* Whether a contact that stuck slides at once, as when a body has been given a velocity: it is far
 * faster than the limits of the pair's contacts, with as much force as it has, could stop within
 * the substep, or their springs. What swings on these is slower than impacts, but may have
 * no force at the end of a substep. */
static int is_torn_off(const pd_evaluation *pair, pd_vec3 lever, const pd_friction_history *old)
{
  const pd_friction_law *law = &pair->law->t;
  const double n = pair->memory->nold, m = pair->reduced_mass,
               along = pace_before(pair, lever, old->n).along;
  const double stopped =
      law->mu_s * n * old->force * (pair->h / m + 1.0 / sqrt(n * law->eps_t * m));
  return along > PD_TORN_SPEED * penalty_speed(pair) && along > PD_TORN_OFF * stopped;
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
                                         pd_vec3 resultant, int within_step)
{
  pd_friction_history old = pd_friction_recall(pair->memory, point->record);
  const pd_friction_law *law = &pair->law->t;
  if (pd_norm2(old.n) > 0.0) return within_step ? pd_friction_resumed(pair, point->pa, &old) : old;
  if (!(law->mu_s > law->mu_d) || law->v_s > 0.0 || !(pd_norm2(resultant) > 0.0)) return old;
  const pd_vec3 n = pd_unit(resultant);
  const int patch = pd_friction_patch(pair->memory, n);
  old.slipping = patch >= 0 ? patch : begins_to_slide(pair, point->pa, n);
  return old;
}

/* direction in which a sample faces at the start: as it did, or as its forces do now */
static pd_vec3 facing(const pd_friction_history *old, pd_vec3 resultant)
{
  return pd_norm2(old->n) > 0.0 ? old->n : pd_unit(resultant);
}

pd_friction_start pd_friction_start_of(const pd_evaluation *pair, const pd_friction_point *point,
                                       const pd_friction_history *old, pd_vec3 resultant,
                                       int within_step)
{
  pd_friction_start start = {pair->law->t, 0.0, 0.0, pd_norm2(old->n) > 0.0, {0.0, 0.0, 0.0}};
  pd_friction_law *law = &start.law;
  const double fall = law->mu_s - law->mu_d;
  if (!(within_step && law->v_s > 0.0 && fall > 0.0 &&
        (start.remembered || pd_norm2(resultant) > 0.0)))
    return start;
  const pd_vec3 n = facing(old, resultant), v = velocity_before(pair, point->pa);
  const double approach = -pd_dot(n, v),
               stopped = fmax(approach, old->force * pair->h / pair->reduced_mass);
  if (fall * stopped <= PD_UNIQUE_FALL * law->v_s) return start;
  const pd_vec3 along = pd_axpy(v, approach, n);
  const double speed = pd_norm(along);
  law->mu_s = law->mu_d = pd_friction_mu(&pair->law->t, 0, speed, &start.slope);
  law->v_s = 0.0;
  start.approach = approach;
  if (speed > 0.0) start.along = pd_scale(1.0 / speed, along);
  return start;
}

void pd_friction_add_start_gradient(const pd_evaluation *pair, const pd_friction_point *point,
                                    const pd_friction_start *start, const pd_friction_kinematics *s,
                                    const pd_friction_slopes *by, const pd_grad *dr, pd_grad *df)
{
  if (start->slope == 0.0) return;
  const pd_vec3 wa = pair->a->before.w, wb = pair->b->before.w, t = start->along;
  const pd_vec3 by_place = pd_cross(t, pd_sub(wa, wb)), by_centre = pd_cross(t, wb);
  double row[12], turn[12], of_a[3], of_b[3];
  pd_v_store(of_a, pd_add(by_place, by_centre));
  pd_v_store(of_b, by_centre);
  pd_g_row(&point->dx, by_place, row);
  for (int k = 0; k < 3; k++) {
    row[k] -= of_a[k];
    row[6 + k] += of_b[k];
  }
  if (!start->remembered) {
    pd_g_row(dr, pd_mv(s->turn, t), turn);
    for (int j = 0; j < 12; j++) row[j] += start->approach * turn[j];
  }
  pd_g_rank1(df, start->slope * s->bound / start->law.mu_d, by->bound, row);
}
