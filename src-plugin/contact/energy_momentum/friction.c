/* SPDX-License-Identifier: MIT
 * Friction in the energy-momentum scheme: mean levers, the increment of the tangential gap over the
 * step for its rate, Coulomb's limit by the normal force that acts over the step. */
#include "contact/energy_momentum/friction.h"

#include "base/array.h"
#include "base/numbers.h"
#include "contact/energy_momentum/discrete_gradient.h"
#include "contact/energy_momentum/forces.h"
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
  sample->point.pa = point->pa;
  sample->point.n = point->n;
  return PD_OK;
}

void pd_em_forget_friction(pd_pair_work *work) { work->deferred.n = 0; }

/* ---- kinematics ---- */

/* Way of the matter of one body at a point of space x, and its derivative: all dx - back (dx - u) -
 * back skew(p) spin, with the lever p about the body's centre; of a rounded side those of the
 * core's point, and what goes with the normal. */
typedef struct side_way {
  pd_vec3 way;
  double all, start;
  pd_mat3 back;
} side_way;

/* part of the way that is h times the velocity at the end: the step does not resolve the spring or
 * the dashpot, with which the speed would fall by exp(-z) */
static double part_of_end(const pd_evaluation *pair)
{
  const pd_friction_law *law = &pair->law->t;
  const double h = pair->h, turning = PD_TURNING / pair->reduced_mass;
  const double x = h * sqrt(law->eps_t * turning) / PD_SPRING_UNRESOLVED;
  const double z = h * law->c_t * turning, y = x * x * x * x + z * z * z * z;
  return y / (1.0 + y);
}

/* The velocity at the end is that of the scheme with the true way y of the matter and its velocity
 * v0 at the start, (y / h - (1 - a) v0) / a: so sides that turn together do not slip, however long
 * the step. A wall has the parameter a of the body. */
static side_way way_of(const pd_evaluation *pair, const pd_friction_side *at, int side)
{
  const pd_pose *b = side ? pair->b : pair->a, *other = side ? pair->a : pair->b;
  const double a = b->scheme_a > 0.0 ? b->scheme_a : other->scheme_a;
  const double end = part_of_end(pair), start = (1.0 - a) / a * end * pair->h;
  side_way w;
  w.all = 1.0 - end + end / a;
  w.start = start;
  const pd_vec3 turned = pd_rotation_displacement(&b->increment, at->core);
  const pd_vec3 lever0 = pd_add(pd_sub(at->core, turned), at->off0);
  const pd_vec3 v0 = pd_add(b->before.v, pd_cross(b->before.w, lever0));
  const pd_vec3 way = pd_side_displacement(at, &b->increment);
  w.way = pd_axpy(pd_scale(w.all, pd_add(b->increment.u, way)), -start, v0);
  if (!pair->tangent) return w;
  const pd_mat3 q = pd_m_transpose(b->increment.dq);
  w.back = pd_m_add(pd_m_scale(w.all, q), pd_m_scale(start, pd_m_mul(pd_skew(b->before.w), q)));
  return w;
}

static void add_way_gradient(const pd_evaluation *pair, const side_way *w,
                             const pd_friction_side *at, int side, const pd_grad *dn, pd_grad *g)
{
  const double sign = side ? -1.0 : 1.0;
  const pd_pose *b = side ? pair->b : pair->a;
  pd_g_add_block(g, 6 * side, sign, w->back);
  pd_g_add_block(g, 6 * side + 3, -sign, pd_m_mul(w->back, pd_skew(at->core)));
  if (at->doff == 0.0) return;
  /* the core's point goes by dx - doff dn, and the velocity of the start is that at off0 */
  const pd_mat3 rest = pd_m_add(pd_m_scale(at->doff, w->back),
                                pd_m_add(pd_m_scale(-at->doff * w->all, pd_m_identity()),
                                         pd_m_scale(-at->doff0 * w->start, pd_skew(b->before.w))));
  pd_grad own;
  pd_g_mul(&own, rest, dn);
  pd_g_axpy(g, sign, &own);
  pd_side_add_roll_gradient(at, &b->increment, sign * w->all, dn, 6 * side + 3, g);
}

/* The way that the law of friction is given, y, and its rate y / h; all but the normal. Where the
 * step resolves the tangential spring and dashpot it is the true way, which is that of the mean
 * velocity. Where it does not, that would throw a sticking contact back with the velocity it had,
 * and the way is that of the velocity at the end, as in implicit Euler's method. */
static void kinematics(const pd_evaluation *pair, const pd_friction_point *point,
                       const pd_friction_side *side, pd_vec3 gt, pd_friction_kinematics *s)
{
  const side_way a = way_of(pair, &side[0], 0), b = way_of(pair, &side[1], 1);
  s->y = pd_sub(a.way, b.way);
  if (pair->tangent) {
    const pd_mat3 common = pd_m_add(pd_m_scale(a.all - b.all, pd_m_identity()),
                                    pd_m_add(b.back, pd_m_scale(-1.0, a.back)));
    pd_g_mul(&s->dy, common, &point->dx);
    add_way_gradient(pair, &a, &side[0], 0, &point->dn, &s->dy);
    add_way_gradient(pair, &b, &side[1], 1, &point->dn, &s->dy);
  }
  pd_friction_turn(pair, gt, 1.0 / pair->h, s);
}

/* damping's part of a normal force, and its derivative */
typedef struct damping_part {
  double n, dn[12];
} damping_part;

static damping_part damping_along(const pd_friction_kinematics *s,
                                  const pd_deferred_friction *sample, int tangent)
{
  damping_part d;
  double turn[12];
  d.n = pd_dot(s->n, sample->damping);
  if (!tangent) return d;
  pd_g_row(&sample->ddamping, s->n, d.dn);
  pd_g_row(&s->dn, sample->damping, turn);
  for (int j = 0; j < 12; j++) d.dn[j] += turn[j];
  return d;
}

/* Coulomb's limit refers to the normal force that acts over the step: so much of the potential's at
 * the start and of that at the end, s->bound less damping's part d, and all of that. */
static void blend_bound(pd_friction_kinematics *s, const pd_em_weights *weights, double start,
                        const damping_part *d, int tangent)
{
  const double end = s->bound - d->n, mean = weights->w0 * start + weights->w1 * end + d->n;
  const int pushes = mean > 0.0;
  s->bound = pushes ? mean : 0.0;
  for (int j = 0; tangent && j < 12; j++)
    s->dbound[j] = pushes ? weights->w1 * (s->dbound[j] - d->dn[j]) + d->dn[j] +
                                end * weights->dw1[j] + start * weights->dw0[j]
                          : 0.0;
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

/* The lever at the end follows the point less the body, and its mean goes with half of the spin:
 * d(s x f) = -skew(f) [(I + Q^T) (dx - u) + Q^T skew(s) spin] / 2. */
static pd_grad moment_gradient(const pd_evaluation *pair, const pd_friction_point *point,
                               const pd_friction_side *at, int side, pd_vec3 f)
{
  const pd_pose *body = side ? pair->b : pair->a;
  const pd_mat3 back = pd_m_transpose(body->increment.dq), sf = pd_skew(f);
  const pd_mat3 carry = pd_m_scale(-1.0, pd_m_mul(sf, pd_mean_lever(back)));
  pd_grad dm;
  pd_g_mul(&dm, carry, &point->dx);
  pd_g_add_block(&dm, 6 * side, -1.0, carry);
  pd_g_add_block(&dm, 6 * side + 3, -0.5, pd_m_mul(pd_m_mul(sf, back), pd_skew(at->core)));
  if (at->doff == 0.0) return dm;
  pd_grad off;
  pd_g_mul(&off,
           pd_m_add(pd_m_scale(at->doff, carry), pd_m_scale(0.5 * (at->doff + at->doff0), sf)),
           &point->dn);
  pd_g_axpy(&dm, -1.0, &off);
  return dm;
}

/* Friction force of the law for the kinematics s into the response's losses. */
static void add_force(const pd_evaluation *pair, const pd_friction_point *point,
                      const pd_friction_side *at, const pd_friction_result *f)
{
  pd_pair_result *out = pair->result;
  const pd_vec3 lever[2] = {mean_lever(&pair->a->increment, &at[0]),
                            mean_lever(&pair->b->increment, &at[1])};
  double force[12];
  pd_friction_generalise(f->f, lever, force);
  for (int m = 0; m < 12; m++) out->loss[PD_FRICTION][m] += force[m];
  out->scale2 += pd_norm2(f->f);
  for (int side = 0; side < 2 && pair->tangent; side++) {
    const pd_grad dm = moment_gradient(pair, point, &at[side], side, f->f);
    pd_friction_add_rows(side, lever[side], &f->df, &dm, out->kloss);
  }
}

static pd_status apply_deferred(const pd_evaluation *pair, const pd_deferred_friction *sample,
                                const pd_em_weights *weights)
{
  const pd_friction_history old = pd_friction_recall(pair->memory, sample->point.sample);
  const pd_friction_side side[2] = {pd_side_of_friction(pair, &sample->point, 0, old.n),
                                    pd_side_of_friction(pair, &sample->point, 1, old.n)};
  pd_friction_kinematics s;
  kinematics(pair, &sample->point, side, old.gt, &s);
  pd_sample_normal(&s, sample->resultant, pair->tangent ? &sample->dresultant : NULL);
  const damping_part damping = damping_along(&s, sample, pair->tangent != PD_NO_TANGENT);
  const double end = s.bound - damping.n;
  blend_bound(&s, weights, old.force, &damping, pair->tangent);
  pd_friction_result f = pd_friction_eval(&pair->law->t, &s, &old, pair->tangent);
  add_force(pair, &sample->point, side, &f);
  pair->result->spring += f.elastic;
  f.history.force = fmax(end, 0.0);
  return pd_friction_keep(pair->memory, sample->point.sample, f.history);
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

static void apply_opened(const pd_evaluation *pair, const pd_friction_record *old,
                         const pd_em_weights *weights)
{
  const pd_friction_point point = point_of(pair, old);
  const pd_friction_side side[2] = {pd_side_of_friction(pair, &point, 0, old->history.n),
                                    pd_side_of_friction(pair, &point, 1, old->history.n)};
  pd_friction_kinematics s;
  kinematics(pair, &point, side, old->history.gt, &s);
  const damping_part none = {0};
  s.n = old->history.n;
  s.bound = 0.0;
  if (pair->tangent) {
    s.dn = pd_g_zero();
    for (int j = 0; j < 12; j++) s.dbound[j] = 0.0;
  }
  blend_bound(&s, weights, old->history.force, &none, pair->tangent);
  const pd_friction_result f = pd_friction_eval(&pair->law->t, &s, &old->history, pair->tangent);
  add_force(pair, &point, side, &f);
}

static int is_deferred(const pd_deferred_list *list, const int *sample)
{
  for (int k = 0; k < list->n; k++) {
    const int *other = list->item[k].point.sample;
    if (other[0] == sample[0] && other[1] == sample[1]) return 1;
  }
  return 0;
}

pd_status pd_em_friction(const pd_pair_request *request, const pd_em_weights *weights,
                         pd_pair_work *work, pd_pair_result *result)
{
  const pd_pair_geometry *at = &request->at;
  const pd_friction_memory *memory = request->memory;
  pd_evaluation pair = {0};
  pair.a = at->a;
  pair.b = at->b;
  pair.r = pd_centre_to_centre(at);
  pair.law = request->law;
  pair.h = request->h;
  pair.round[0] = pd_pose_round(at->a);
  pair.round[1] = pd_pose_round(at->b); /* of a plane as well */
  pair.rounds = pair.round[0] + pair.round[1];
  pair.reduced_mass = 1.0 / (1.0 / at->a->mass + 1.0 / at->b->mass);
  pair.tangent = request->tangent;
  pair.memory = memory;
  pair.result = result;
  pd_status status = PD_OK;
  if (!(pair.law->t.eps_t > 0.0)) return status;
  for (int i = 0; i < work->deferred.n && !status; i++)
    status = apply_deferred(&pair, &work->deferred.item[i], weights);
  for (int i = 0; i < memory->nold && !status && weights->w0 > 0.0; i++) {
    const pd_friction_record *old = &memory->old[i];
    if (old->history.force > 0.0 && !is_deferred(&work->deferred, old->sample))
      apply_opened(&pair, old, weights);
  }
  return status;
}
