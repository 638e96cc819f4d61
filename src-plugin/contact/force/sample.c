/* SPDX-License-Identifier: MIT
 * Sums over the terms of a sample. */
#include "contact/force/sample.h"

#include "base/numbers.h"
#include "contact/force/scheme.h"

static void clear(pd_sample_sum *sum)
{
  const pd_sample_sum zero = {0};
  *sum = zero;
  sum->mingap = DBL_MAX;
}

void pd_sample_begin(int first, int second, pd_sample_sum *sum)
{
  clear(sum);
  sum->key[0] = first;
  sum->key[1] = second;
}

/* The velocities that an implicit step ends with are mean ones where bodies rest, those of what
 * moves them may be others, and dashpots would make forces of the difference. */
const pd_vec3 *pd_sample_rate(const pd_evaluation *pair, const pd_sample_sum *sum, pd_vec3 n)
{
  if (!pair->scheme->of_state || !pair->memory) return NULL;
  const int record = pd_friction_find(pair->memory, sum->key, n);
  if (record < 0) return NULL;
  const pd_friction_history *history = &pair->memory->old[record].history;
  return pd_norm2(history->n) > 0.0 ? &history->rate : NULL;
}

int pd_sample_bears(const pd_sample_sum *sum)
{
  return sum->active && !(pd_norm(sum->resultant) <= PD_CANCELLED * sum->weight);
}

pd_tangent pd_result_tangent(const pd_evaluation *pair)
{
  const pd_tangent k = {pair->result->k, pair->scheme->damping_apart ? pair->result->kloss : NULL};
  return k;
}

/* ---- a sample times a factor ---- */

void pd_sample_scale(pd_sample_sum *sum, double f)
{
  double *const parts[4] = {sum->force, sum->elastic, sum->damping, sum->along};
  for (int k = 0; k < 4; k++)
    for (int m = 0; m < 12; m++) parts[k][m] *= f;
  sum->state.ta = pd_m_scale(f, sum->state.ta);
  sum->state.tb = pd_m_scale(f, sum->state.tb);
  sum->state.force_fabric = pd_m_scale(f, sum->state.force_fabric);
  sum->state.now = pd_scale(f, sum->state.now);
  sum->state.then = pd_scale(f, sum->state.then);
  sum->state.speed2 *= f;
  sum->state.normal2 *= f;
  sum->state.hit.energy *= f;
  sum->state.hit.f = pd_scale(f, sum->state.hit.f);
  sum->state.hit.ma = pd_scale(f, sum->state.hit.ma);
  sum->state.hit.mb = pd_scale(f, sum->state.hit.mb);
  sum->energy *= f;
  sum->stiff *= f;
  sum->power *= f;
  sum->taken *= f;
  sum->drop *= f;
  sum->resultant = pd_scale(f, sum->resultant);
}

/* d(f R) = f dR + R df */
static void scale_gradient(pd_grad *dr, pd_vec3 r, double f, double c, const double *row)
{
  pd_g_scale(dr, f);
  pd_g_rank1(dr, c, r, row);
}

static void scale_gradients(pd_sample_sum *sum, double f, double c, const double *row)
{
  scale_gradient(&sum->dresultant, sum->resultant, f, c, row);
  scale_gradient(&sum->ddamping, pd_v_load(sum->damping), f, c, row);
  for (int m = 0; m < 12; m++) sum->dpower[m] = f * sum->dpower[m] + sum->power * c * row[m];
  for (int m = 0; m < 12; m++) sum->dtaken[m] = f * sum->dtaken[m] + sum->taken * c * row[m];
  for (int m = 0; m < 12; m++) sum->ddrop[m] = f * sum->ddrop[m] + sum->drop * c * row[m];
}

static void add_scaled(double (*total)[12], double f, double (*k)[12])
{
  for (int i = 0; i < 12; i++)
    for (int j = 0; j < 12; j++) total[i][j] += f * k[i][j];
}

void pd_sample_add_tangent(pd_sample_sum *sum, double f, double c, const double *row,
                           const pd_tangent *k, const pd_tangent *total)
{
  scale_gradients(sum, f, c, row);
  add_scaled(total->force, f, k->force);
  pd_k_rank1(total->force, -c, sum->force, row);
  if (!k->damping) return;
  add_scaled(total->damping, f, k->damping);
  pd_k_rank1(total->damping, -c, sum->damping, row);
}

/* ---- sums of samples ---- */

static void add_potential_state(const pd_em_state *o, pd_em_state *s)
{
  s->ta = pd_m_add(s->ta, o->ta);
  s->tb = pd_m_add(s->tb, o->tb);
  s->force_fabric = pd_m_add(s->force_fabric, o->force_fabric);
  s->vn = fmax(s->vn, o->vn);
  s->vp = fmax(s->vp, o->vp);
  s->dv = fmax(s->dv, o->dv);
  s->now = pd_add(s->now, o->now);
  s->then = pd_add(s->then, o->then);
  s->speed2 += o->speed2;
  s->normal2 += o->normal2;
  s->hit.energy += o->hit.energy;
  s->hit.f = pd_add(s->hit.f, o->hit.f);
  s->hit.ma = pd_add(s->hit.ma, o->hit.ma);
  s->hit.mb = pd_add(s->hit.mb, o->hit.mb);
}

void pd_sample_add(const pd_sample_sum *sum, pd_sample_sum *to)
{
  for (int m = 0; m < 12; m++) {
    to->force[m] += sum->force[m];
    to->elastic[m] += sum->elastic[m];
    to->damping[m] += sum->damping[m];
    to->along[m] += sum->along[m];
    to->dpower[m] += sum->dpower[m];
    to->dtaken[m] += sum->dtaken[m];
    to->ddrop[m] += sum->ddrop[m];
  }
  add_potential_state(&sum->state, &to->state);
  to->resultant = pd_add(to->resultant, sum->resultant);
  pd_g_axpy(&to->dresultant, 1.0, &sum->dresultant);
  pd_g_axpy(&to->ddamping, 1.0, &sum->ddamping);
  to->energy += sum->energy;
  to->stiff += sum->stiff;
  to->power += sum->power;
  to->taken += sum->taken;
  to->drop += sum->drop;
}

void pd_sample_join(const pd_sample_sum *sum, pd_sample_sum *to)
{
  pd_sample_add(sum, to);
  to->point = pd_add(to->point, sum->point);
  to->weight += sum->weight;
  if (sum->strongest > to->strongest) to->strongest = sum->strongest, to->kind = sum->kind;
  to->mingap = fmin(to->mingap, sum->mingap);
}

/* ---- into the result ---- */

static void add_state(const pd_sample_sum *sum, pd_pair_result *result)
{
  pd_em_state *s = &result->state;
  for (int m = 0; m < 12; m++) result->em.true_lever_force[m] += sum->elastic[m];
  s->active = 1;
  s->energy += sum->energy;
  s->f = pd_add(s->f, pd_v_load(sum->elastic));
  s->stiff += sum->stiff;
  add_potential_state(&sum->state, s);
}

static void add_drop(const pd_sample_sum *sum, pd_pair_result *result)
{
  result->em.drop += sum->drop;
  for (int m = 0; m < 12; m++) result->em.ddrop[m] += sum->ddrop[m];
  for (int m = 0; m < 12; m++) result->em.along[m] += sum->along[m];
}

/* What it takes, but no less than a part of what those of its terms take that take energy: where
 * they cancel in power and not in force, the damping of a pair of one sample would jump from none
 * to whole as its power changes sign. */
static void add_taken(const pd_sample_sum *sum, pd_pair_result *result)
{
  const double least = PD_SAMPLE_DAMPING_LEAST * sum->taken;
  const int cancels = sum->power < least;
  result->em.taken += cancels ? least : sum->power;
  for (int m = 0; m < 12; m++)
    result->em.dtaken[m] += cancels ? PD_SAMPLE_DAMPING_LEAST * sum->dtaken[m] : sum->dpower[m];
}

static pd_status add_row(const pd_sample_sum *sum, int on_b, int first, int second,
                         pd_contact_list *contacts)
{
  pd_contact c;
  c.kind = sum->kind;
  c.on_b = on_b;
  c.sample[0] = first;
  c.sample[1] = second;
  c.point = pd_scale(1.0 / sum->weight, sum->point);
  c.normal = pd_unit(sum->resultant);
  c.gap = sum->mingap;
  c.force = pd_norm(sum->resultant);
  c.friction = sum->friction;
  c.grip = pd_norm2(sum->history.n) > 0.0 ? sum->grip : c.point; /* there is friction */
  c.history = sum->history;
  return pd_contact_append(contacts, &c);
}

void pd_sample_add_forces(const pd_evaluation *pair, const pd_sample_sum *sum)
{
  pd_pair_result *out = pair->result;
  const int apart = pair->scheme->damping_apart;
  out->energy += sum->energy;
  for (int m = 0; m < 12; m++) {
    out->force[m] += sum->force[m];
    out->loss[PD_DAMPING][m] += apart ? sum->damping[m] : sum->force[m] - sum->elastic[m];
  }
  add_state(sum, out);
  out->power += sum->power;
  if (apart) add_taken(sum, out);
  if (pair->em.slide > 0.0) add_drop(sum, out);
}

pd_status pd_sample_add_contact(const pd_evaluation *pair, const pd_sample_sum *sum, int on_b,
                                int first, int second)
{
  pd_pair_result *out = pair->result;
  const int apart = pair->scheme->damping_apart;
  out->scale2 += pd_norm2(apart ? pd_add(sum->resultant, pd_v_load(sum->damping)) : sum->resultant);
  if (sum->mingap < out->mingap) out->mingap = sum->mingap;
  out->ncontact++;
  if (!pair->contacts || !pd_sample_bears(sum)) return PD_OK;
  return add_row(sum, on_b, first, second, pair->contacts);
}

pd_status pd_sample_finish(const pd_evaluation *pair, const pd_sample_sum *sum, int on_b, int first,
                           int second)
{
  if (!sum->active) return PD_OK;
  pd_sample_add_forces(pair, sum);
  return pd_sample_add_contact(pair, sum, on_b, first, second);
}
