/* SPDX-License-Identifier: MIT
 * Friction in the energy-momentum scheme: mean levers, the increment of the tangential gap over the
 * step for its rate, Coulomb's limit by the normal force that acts over the step. */
#include "contact/energy_momentum/friction.h"

#include "base/array.h"
#include "base/numbers.h"
#include "contact/energy_momentum/discrete_gradient.h"
#include "contact/energy_momentum/forces.h"
#include "contact/force/friction_start.h"
#include "contact/force/friction.h"
#include "contact/force/friction_kinematics.h"
#include "contact/pair_work_internal.h"
#include "geometry/distance.h"

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
  sample->point.record = point->record;
  sample->point.pa = point->pa;
  sample->point.n = point->n;
  return PD_OK;
}

void pd_em_forget_friction(pd_pair_work *work) { work->deferred.n = 0; }

/* ---- kinematics ---- */

/* How the law of friction sees the way of the matter of one body at a point of space x, and its
 * derivative: all dx - back (dx - u) - back skew(p) spin, with the lever p about the body's centre;
 * of a rounded side those of the core's point, and what goes with the normal. */
typedef struct side_way {
  const pd_pose *body;
  double sign; /* of the side in the slip */
  double a;    /* where in the step the scheme takes its velocity */
  double all, start;
  pd_mat3 back; /* only with a tangent */
} side_way;

/* what the friction points of a pair have in common */
typedef struct rubbing {
  const pd_evaluation *pair;
  const pd_em_weights *weights;
  side_way way[2];
  double ahead; /* time by which the way of the law is ahead of the true one */
  pd_friction_turn turn;
} rubbing;

/* part of the way that is h times the velocity at the end: the step does not resolve the spring or
 * the dashpot, with which the speed would fall by exp(-z) */
static double part_of_end(const pd_evaluation *pair)
{
  const pd_friction_law *law = &pair->law->t;
  const double h = pair->h, turning = PD_TURNING / pair->reduced_mass;
  const double x = h * sqrt(law->eps_t * turning) / PD_SPRING_UNRESOLVED;
  const double z = h * law->c_t * turning, y = x * x * x * x + z * z * z * z;
  return y < DBL_MAX ? y / (1.0 + y) : 1.0;
}

/* The way y of the law is the true one and, by the time ahead, what the velocity has changed by;
 * at the end it is that of the scheme, (way / h - (1 - a) v0) / a, with v0 at the start. */
static side_way way_of_side(const pd_evaluation *pair, double ahead, int side)
{
  const pd_pose *b = side ? pair->b : pair->a, *other = side ? pair->a : pair->b;
  side_way w;
  w.body = b;
  w.sign = side ? -1.0 : 1.0;
  w.a = b->scheme_a > 0.0 ? b->scheme_a : other->scheme_a; /* a wall has that of the body */
  w.all = 1.0 + ahead / (w.a * pair->h);
  w.start = ahead / w.a;
  w.back = pd_m_zero();
  if (!pair->tangent) return w;
  const pd_mat3 q = pd_m_transpose(b->increment.dq);
  w.back = pd_m_add(pd_m_scale(w.all, q), pd_m_scale(w.start, pd_skew_mul(b->before.w, q)));
  return w;
}

/* Time by which the way of the law is ahead, so that it is h times the velocity at the end for a
 * body with the smaller a of both; a wall has none of its own. */
static double time_ahead(const pd_evaluation *pair)
{
  const double a = pair->a->scheme_a, b = pair->b->scheme_a;
  return part_of_end(pair) * pair->h * (1.0 - (a > 0.0 && b > 0.0 ? fmin(a, b) : fmax(a, b)));
}

static rubbing rubbing_of(const pd_evaluation *pair, const pd_em_weights *weights)
{
  rubbing r;
  r.pair = pair;
  r.weights = weights;
  r.turn = pd_friction_turn_of(pair);
  r.ahead = time_ahead(pair);
  for (int side = 0; side < 2; side++) r.way[side] = way_of_side(pair, r.ahead, side);
  return r;
}

/* what matter has done, and its velocity at the start of the step */
typedef struct matter {
  pd_vec3 way, v0;
} matter;

static matter matter_at(const side_way *w, const pd_friction_side *at)
{
  const pd_pose *b = w->body;
  const pd_vec3 turned = pd_rotation_displacement(&b->increment, at->core);
  const pd_vec3 lever0 = pd_add(pd_sub(at->core, turned), at->off0);
  const matter m = {pd_add(b->increment.u, pd_side_displacement(at, &b->increment)),
                    pd_add(b->before.v, pd_cross(b->before.w, lever0))};
  return m;
}

static pd_vec3 way_of_law(const side_way *w, const matter *m)
{
  return pd_axpy(pd_scale(w->all, m->way), -w->start, m->v0);
}

static pd_vec3 velocity_at_end(const side_way *w, double h, const matter *m)
{
  const double rate = 1.0 / (w->a * h);
  return pd_axpy(pd_scale(rate, m->way), -(1.0 - w->a) / w->a, m->v0);
}

static void add_way_gradient(const side_way *w, const pd_friction_side *at, int side,
                             const pd_grad *dn, pd_grad *g)
{
  const pd_pose *b = w->body;
  pd_g_add_block(g, 6 * side, w->sign, w->back);
  pd_g_add_block(g, 6 * side + 3, -w->sign, pd_m_mul_skew(w->back, at->core));
  if (at->doff == 0.0) return;
  /* the core's point goes by dx - doff dn, and the velocity of the start is that at off0 */
  const pd_mat3 rest = pd_m_add(pd_m_scale(at->doff, w->back),
                                pd_m_add(pd_m_scale(-at->doff * w->all, pd_m_identity()),
                                         pd_m_scale(-at->doff0 * w->start, pd_skew(b->before.w))));
  pd_g_add_mul(g, pd_m_scale(w->sign, rest), dn);
  pd_side_add_roll_gradient(at, &b->increment, w->sign * w->all, dn, 6 * side + 3, g);
}

/* The way that the law of friction is given, y, and its rate y / h; returns the velocity at the
 * end. Where the step resolves the tangential spring and dashpot, y is the true way, which is that
 * of the mean velocity. Where it does not, that would throw a sticking contact back with the
 * velocity it had, and y is the way of the velocity at the end, as in implicit Euler's method. */
static pd_vec3 take_way(const rubbing *r, const pd_friction_side *side, pd_vec3 gt,
                        pd_friction_kinematics *s)
{
  const side_way *w = r->way;
  const double h = r->pair->h;
  const matter a = matter_at(&w[0], &side[0]), b = matter_at(&w[1], &side[1]);
  const pd_vec3 end = pd_sub(velocity_at_end(&w[0], h, &a), velocity_at_end(&w[1], h, &b));
  s->y = pd_sub(way_of_law(&w[0], &a), way_of_law(&w[1], &b));
  pd_friction_take_turn(&r->turn, gt, 1.0 / h, s);
  return pd_mv(r->turn.q, end);
}

/* By so much the ways of the law add up to more than the true one where a sample sticks. It is a
 * dashpot of the scheme, no elongation: the memory does without, so that it has the energy of the
 * spring, and takes it up again with the velocity that it remembers, which is that of the point
 * that the bodies touched in then: another one where they roll. */
static pd_vec3 ahead_of(const rubbing *r, const pd_friction_history *h)
{
  const pd_vec3 along = pd_axpy(h->rate, -pd_dot(h->n, h->rate), h->n);
  return pd_scale(h->slipping ? 0.0 : r->ahead, along);
}

static pd_friction_history remembered(const rubbing *r, pd_friction_history h, pd_vec3 end)
{
  h.rate = end;
  h.gt = pd_sub(h.gt, ahead_of(r, &h));
  return h;
}

static void way_gradient(const side_way *way, const pd_friction_point *point,
                         const pd_friction_side *side, pd_grad *g)
{
  const double all = way[0].all - way[1].all;
  const pd_mat3 common = pd_m_add(pd_m_diag(pd_v(all, all, all)),
                                  pd_m_add(way[1].back, pd_m_scale(-1.0, way[0].back)));
  pd_g_mul(g, common, &point->dx);
  for (int k = 0; k < 2; k++) add_way_gradient(&way[k], &side[k], k, &point->dn, g);
}

/* derivative of the force but for the normal */
static void force_gradient(const rubbing *r, const pd_friction_point *point,
                           const pd_friction_side *side, const pd_friction_kinematics *s,
                           const pd_friction_slopes *by, pd_grad *df)
{
  pd_grad dy;
  way_gradient(r->way, point, side, &dy);
  pd_friction_gradient(&r->turn, s, 1.0 / r->pair->h, by, &dy, NULL, df);
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

/* (s + Q^T s) / 2 of the core's lever s at the end, and the mean of what is between it and the
 * point
 */
static pd_vec3 mean_lever(const pd_increment *t, const pd_friction_side *s)
{
  const pd_vec3 core = pd_add(s->core, pd_mtv(t->dq, s->core));
  return pd_scale(0.5, pd_add(core, pd_add(s->off0, s->off)));
}

/* Tangent of a side's moment of a constant force into its rows k. The lever at the end follows the
 * point less the body, and its mean goes with half of the spin:
 * d(s x f) = -skew(f) [(I + Q^T) (dx - u) + Q^T skew(s) spin] / 2. */
static void add_lever_rows(const pd_increment *t, const pd_friction_point *point,
                           const pd_friction_side *at, int side, pd_vec3 f, double (*k)[12])
{
  const double sign = side ? -1.0 : 1.0;
  const pd_mat3 turned = pd_m_scale(0.5, pd_skew_mul(f, pd_m_transpose(t->dq)));
  const pd_mat3 carry = pd_m_add(pd_m_scale(-0.5, pd_skew(f)), pd_m_scale(-1.0, turned));
  pd_k_add_mul_rows(k, pd_m_scale(-sign, carry), &point->dx);
  pd_k_add_block(k, 0, 6 * side, sign, carry);
  pd_k_add_block(k, 0, 6 * side + 3, sign, pd_m_mul_skew(turned, at->core));
  if (at->doff == 0.0) return;
  const pd_mat3 off =
      pd_m_add(pd_m_scale(at->doff, carry), pd_m_scale(0.5 * (at->doff + at->doff0), pd_skew(f)));
  pd_k_add_mul_rows(k, pd_m_scale(sign, off), &point->dn);
}

/* The force f of the law, of derivative df, into the response's losses. */
static void add_force(const pd_evaluation *pair, const pd_friction_point *point,
                      const pd_friction_side *at, pd_vec3 f, const pd_grad *df)
{
  pd_pair_result *out = pair->result;
  const pd_increment *turn[2] = {&pair->a->increment, &pair->b->increment};
  const pd_vec3 lever[2] = {mean_lever(turn[0], &at[0]), mean_lever(turn[1], &at[1])};
  double force[12];
  pd_friction_generalise(f, lever, force);
  for (int m = 0; m < 12; m++) out->loss[PD_FRICTION][m] += force[m];
  out->friction_ta = pd_m_add(out->friction_ta, pd_outer(f, point->pa));
  out->scale2 += pd_norm2(f);
  for (int side = 0; side < 2 && pair->tangent; side++) {
    pd_friction_add_rows(side, lever[side], df, out->kloss);
    add_lever_rows(turn[side], point, &at[side], side, f, out->kloss + 6 * side + 3);
  }
}

static pd_status apply_deferred(const rubbing *r, const pd_deferred_friction *sample)
{
  const pd_evaluation *pair = r->pair;
  const pd_friction_point *point = &sample->point;
  const pd_friction_history kept = pd_friction_recall(pair->memory, point->record),
                            old = pd_friction_at_start(pair, point, sample->resultant, 1);
  const pd_friction_side side[2] = {pd_side_of_friction(pair, point, 0, old.n),
                                    pd_side_of_friction(pair, point, 1, old.n)};
  pd_friction_kinematics s;
  pd_grad df;
  const pd_vec3 velocity = take_way(r, side, pd_add(kept.gt, ahead_of(r, &kept)), &s);
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
  int fa, fb;
  pd_segment_segment(a[0], a[1], b[0], b[1], &fa, &fb);
  const pd_gap g = pd_gap_of_edges(a, fa, b, fb, pair->r);
  return pd_edge_friction_point(pair, sample[0], sample[1], &g, normal);
}

static void apply_opened(const rubbing *r, const pd_friction_record *record)
{
  const pd_evaluation *pair = r->pair;
  const pd_em_weights *w = r->weights;
  const pd_friction_point point = point_of(pair, record);
  const pd_friction_history old = pd_friction_resumed(pair, point.pa, &record->history);
  const pd_friction_start start = pd_friction_start_of(pair, &point, &old, old.n, 1);
  const pd_friction_side side[2] = {pd_side_of_friction(pair, &point, 0, old.n),
                                    pd_side_of_friction(pair, &point, 1, old.n)};
  pd_friction_kinematics s;
  pd_grad df;
  take_way(r, side, pd_add(old.gt, ahead_of(r, &record->history)), &s);
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
  const rubbing r = rubbing_of(&pair, weights);
  for (int i = 0; i < work->deferred.n && !status; i++)
    status = apply_deferred(&r, &work->deferred.item[i]);
  for (int i = 0; i < memory->nold && !status && weights->w0 > 0.0; i++) {
    const pd_friction_record *old = &memory->old[i];
    if (old->history.force > 0.0 && !is_deferred(&work->deferred, i)) apply_opened(&r, old);
  }
  return status;
}
