/* SPDX-License-Identifier: MIT
 * Friction in the energy-momentum scheme: mean levers, the increment of the tangential gap over the
 * step for its rate, Coulomb's limit by the normal force that acts over the step. */
#include "contact/energy_momentum/friction.h"

#include "base/array.h"
#include "base/numbers.h"
#include "contact/energy_momentum/discrete_gradient.h"
#include "contact/energy_momentum/forces.h"
#include "contact/energy_momentum/friction_way.h"
#include "contact/force/friction_start.h"
#include "contact/force/friction.h"
#include "contact/pair_work_internal.h"

pd_status pd_em_defer_friction(const pd_evaluation *pair, const pd_friction_point *point,
                               pd_sample_sum *sum)
{
  pd_deferred_list *list = &pair->work->deferred;
  if (PD_ARRAY_RESERVE(list->item, list->cap, list->n + 1, PD_DEFERRED_FIRST)) return PD_ENOMEM;
  pd_deferred_friction *sample = &list->item[list->n++];
  sample->resultant = sum->resultant;
  sample->damping = pd_v_load(sum->damping);
  if (pair->tangent) {
    sample->point = *point;
    sample->dresultant = sum->dresultant;
    sample->ddamping = sum->ddamping;
    return PD_OK;
  }
  sample->point.sample[0] = point->sample[0];
  sample->point.sample[1] = point->sample[1];
  sample->point.on = point->on;
  sample->point.record = point->record;
  sample->point.pa = point->pa;
  sample->point.n = point->n;
  return PD_OK;
}

void pd_em_forget_friction(pd_pair_work *work) { work->deferred.n = 0; }

/* what the friction points of a pair have in common */
typedef struct pair_friction {
  const pd_evaluation *pair;
  const pd_em_weights *weights;
  pd_em_friction_way way;
} pair_friction;

/* By so much the ways of the law add up to more than the true one where a sample sticks. It is a
 * dashpot of the scheme, no elongation: the memory does without, so that it has the energy of the
 * spring, and takes it up again with the velocity that it remembers, which is that of the point
 * that the bodies touched in then: another one where they roll. */
static pd_vec3 ahead_of(const pair_friction *r, const pd_friction_history *h)
{
  const pd_vec3 along = pd_axpy(h->rate, -pd_dot(h->n, h->rate), h->n);
  return pd_scale(h->slipping ? 0.0 : r->way.ahead, along);
}

static pd_friction_history remembered(const pair_friction *r, pd_friction_history h, pd_vec3 end)
{
  h.rate = end;
  h.gt = pd_sub(h.gt, ahead_of(r, &h));
  return h;
}

/* derivative of the force but for the normal */
static void force_gradient(const pair_friction *r, const pd_friction_point *point,
                           const pd_em_friction_side *side, const pd_friction_kinematics *s,
                           const pd_friction_slopes *by, pd_grad *df)
{
  pd_grad dy;
  pd_em_way_gradient(&r->way, point, side, &dy);
  pd_friction_gradient(&r->way.turn, s, 1.0 / r->pair->h, by, &dy, NULL, df);
}

/* ---- Coulomb's limit ----
 * It refers to the normal force that acts over the step: so much of the potential's at the start
 * and of that at the end, which is the resultant, and all of damping's along that. Together damping
 * and the end's may cancel, and have no direction then. */

static double blended_bound(const pd_em_weights *w, double start, double end, double damping)
{
  return fmax(0.0, w->w0 * start + w->w1 * end + damping);
}

/* Its derivative, where it is not zero: of n . (w1 r + d) with the resultant r and damping d, and
 * of the weights. */
static void bound_gradient(const pd_em_weights *w, double start, double end,
                           const pd_friction_kinematics *s, const pd_deferred_friction *sample,
                           double *dbound)
{
  const pd_vec3 turned = pd_mv(s->turn, sample->damping);
  double damped[12];
  pd_g_row(&sample->dresultant, pd_axpy(turned, w->w1, s->n), dbound);
  pd_g_row(&sample->ddamping, s->n, damped);
  for (int j = 0; j < 12; j++) dbound[j] += damped[j] + end * w->dw1[j] + start * w->dw0[j];
}

/* ---- forces ---- */

/* The force f of the law, of derivative df, into the result's losses. */
static void add_force(const pd_evaluation *pair, const pd_friction_point *point,
                      const pd_em_friction_side *at, pd_vec3 f, const pd_grad *df)
{
  pd_pair_result *out = pair->result;
  const pd_pose *body[2] = {pair->a, pair->b};
  const pd_vec3 lever[2] = {pd_em_friction_lever(body[0], &at[0]),
                            pd_em_friction_lever(body[1], &at[1])};
  double force[12];
  pd_friction_generalise(f, lever, force);
  for (int m = 0; m < 12; m++) out->loss[PD_FRICTION][m] += force[m];
  out->friction_ta = pd_m_add(out->friction_ta, pd_outer(f, point->pa));
  out->scale2 += pd_norm2(f);
  for (int side = 0; side < 2 && pair->tangent; side++) {
    pd_friction_add_rows(side, lever[side], df, out->kloss);
    pd_em_add_friction_lever_rows(body[side], point, &at[side], side, f, out->kloss + 6 * side + 3);
  }
}

static pd_status apply_deferred(const pair_friction *r, const pd_deferred_friction *sample)
{
  const pd_evaluation *pair = r->pair;
  const pd_friction_point *point = &sample->point;
  const pd_friction_history old = pd_friction_at_start(pair, point, sample->resultant, 1);
  pd_em_friction_side side[2];
  pd_friction_kinematics s;
  pd_grad df;
  pd_em_friction_sides(pair, point, old.n, side);
  const pd_vec3 velocity = pd_em_take_way(&r->way, side, pd_add(old.gt, ahead_of(r, &old)), &s);
  pd_sample_normal(&s, sample->resultant);
  const double damping = pd_dot(s.n, sample->damping), end = s.bound;
  s.bound = blended_bound(r->weights, old.force, end, damping);
  const pd_friction_start start = pd_friction_start_of(pair, point, &old, sample->resultant, 1);
  pd_friction_result f = pd_friction_eval(&start.law, &s, &old, pair->tangent);
  if (pair->tangent && s.bound > 0.0) {
    double dbound[12];
    bound_gradient(r->weights, old.force, end, &s, sample, dbound);
    force_gradient(r, point, side, &s, &f.by, &df);
    pd_friction_add_normal_gradient(&s, &f.by, &sample->dresultant, dbound, &df);
    pd_friction_add_start_gradient(pair, point, &start, &s, &f.by, &sample->dresultant, &df);
  }
  if (s.bound > 0.0) {
    add_force(pair, point, side, f.f, &df);
    f.history = remembered(r, f.history, velocity);
  }
  pair->result->spring += 0.5 * start.law.eps_t * pd_norm2(f.history.gt);
  f.history.force = fmax(end, 0.0);
  return pd_friction_keep(pair->memory, point->sample, f.history);
}

/* ---- contacts of the start that have opened within the step: they still rubbed for a while ----
 */

static pd_friction_point point_of(const pd_evaluation *pair, const pd_friction_record *old)
{
  const pd_pose *pa = pair->a, *pb = pair->b;
  const pd_friction_normal normal = {old->history.n, NULL};
  const int *sample = old->sample;
  if (sample[1] == -1)
    return pd_vertex_friction_point(pair, sample[0], 0, pd_pose_lever(pa, sample[0]), normal);
  if (sample[1] == -2)
    return pd_vertex_friction_point(pair, sample[0], 1,
                                    pd_add(pair->r, pd_pose_lever(pb, sample[0])), normal);
  const pd_edge *ea = &pa->shape->e[sample[0]], *eb = &pb->shape->e[sample[1]];
  const pd_vec3 a[2] = {pd_pose_lever(pa, ea->v[0]), pd_pose_lever(pa, ea->v[1])};
  const pd_vec3 b[2] = {pd_add(pair->r, pd_pose_lever(pb, eb->v[0])),
                        pd_add(pair->r, pd_pose_lever(pb, eb->v[1]))};
  const pd_gap g = pd_gap_of_closest(a, b, pair->r);
  return pd_edge_friction_point(pair, sample[0], sample[1], &g, normal);
}

static void apply_opened(const pair_friction *r, const pd_friction_record *record)
{
  const pd_evaluation *pair = r->pair;
  const pd_em_weights *w = r->weights;
  const pd_friction_point point = point_of(pair, record);
  const pd_friction_history old = pd_friction_resumed(pair, point.pa, &record->history);
  const pd_friction_start start = pd_friction_start_of(pair, &point, &old, old.n, 1);
  pd_em_friction_side side[2];
  pd_friction_kinematics s;
  pd_grad df;
  pd_em_friction_sides(pair, &point, old.n, side);
  pd_em_take_way(&r->way, side, pd_add(old.gt, ahead_of(r, &old)), &s);
  s.n = old.n;
  s.bound = w->w0 * old.force;
  const pd_friction_result f = pd_friction_eval(&start.law, &s, &old, pair->tangent);
  if (pair->tangent) {
    force_gradient(r, &point, side, &s, &f.by, &df);
    pd_g_rank1(&df, old.force, f.by.bound, w->dw0);
    pd_friction_add_start_gradient(pair, &point, &start, &s, &f.by, NULL, &df);
  }
  add_force(pair, &point, side, f.f, &df);
}

static int is_deferred(const pd_deferred_list *list, int record)
{
  for (int k = 0; k < list->n; k++)
    if (list->item[k].point.record == record) return 1;
  return 0;
}

pd_status pd_em_friction(const pd_pair_request *request, const pd_em_weights *weights,
                         pd_pair_work *work, pd_pair_result *result)
{
  const pd_friction_memory *memory = request->memory;
  const pd_evaluation pair = pd_evaluation_of(request, work, result);
  pd_status status = PD_OK;
  if (!(pair.law->t.eps_t > 0.0)) return status;
  const pair_friction r = {&pair, weights, pd_em_friction_way_of(&pair)};
  for (int i = 0; i < work->deferred.n && !status; i++)
    status = apply_deferred(&r, &work->deferred.item[i]);
  for (int i = 0; i < memory->nold && !status && weights->w0 > 0.0; i++) {
    const pd_friction_record *old = &memory->old[i];
    if (old->history.force > 0.0 && !is_deferred(&work->deferred, i)) apply_opened(&r, old);
  }
  return status;
}
