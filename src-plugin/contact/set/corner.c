/* SPDX-License-Identifier: MIT
 * The terms of a vertex in a concave corner, sorted into contacts by their normals: the strongest
 * term is first, what faces the way of its patch is of its contact, and so on with the rest.
 * Corrections are shared out. */
#include "contact/set/corner.h"

#include "base/numbers.h"
#include "contact/force/friction.h"
#include "contact/force/scheme.h"
#include "contact/force/shares.h"

/* Which contact each sub-feature counted belongs to. */
typedef struct corner {
  int n;                   /* contacts */
  int of[PD_FEATURES_MAX]; /* -1: it corrects what others count, or does not act */
  pd_vec3 normal[PD_CORNER_MAX];
  pd_grad dnormal[PD_CORNER_MAX]; /* only with a tangent */
} corner;

/* ---- which contacts ---- */

static int is_met(const pd_feature_weight *f) { return f->met > 0 && f->w > 0.0; }

/* what faces a way of its own or others' */
typedef struct facing {
  int n;
  int at[PD_FEATURES_MAX]; /* in the sample's count */
  double force[PD_FEATURES_MAX];
  pd_vec3 normal[PD_FEATURES_MAX];
} facing;

static void look(const pd_vertex_sample *s, facing *met)
{
  const pd_law *law = s->pair->law;
  met->n = 0;
  for (int i = 0; i < s->n; i++) {
    if (!is_met(&s->count[i])) continue;
    const pd_gap g = pd_vertex_term_gap(s, s->count[i]);
    if (!(g.gap < law->gbar)) continue;
    met->at[met->n] = i;
    met->force[met->n] = g.gap > 0.0 ? s->count[i].w * pd_law_eval(law, g.gap).fn : DBL_MAX;
    met->normal[met->n++] = g.n;
  }
}

static int faces_one_way(const facing *met)
{
  for (int i = 1; i < met->n; i++)
    for (int k = 0; k < i; k++)
      if (!(pd_dot(met->normal[i], met->normal[k]) > PD_PATCH_COSINE)) return 0;
  return 1;
}

/* *met: what it meets, if that is a corner */
static int meets_corner(const pd_vertex_sample *s, facing *met)
{
  int n = 0;
  if (s->overflow || !(s->weight > 0.0)) return 0;
  for (int i = 0; i < s->n; i++) n += is_met(&s->count[i]);
  if (n < 2) return 0;
  look(s, met);
  return !faces_one_way(met);
}

/* the strongest that belongs to no contact yet; -1: none */
static int strongest_left(const facing *met, const corner *c)
{
  int best = -1;
  for (int i = 0; i < met->n; i++)
    if (c->of[met->at[i]] < 0 && (best < 0 || met->force[i] > met->force[best])) best = i;
  return best;
}

static int nearest_contact(const corner *c, pd_vec3 n)
{
  int best = 0;
  for (int k = 1; k < c->n; k++)
    if (pd_dot(n, c->normal[k]) > pd_dot(n, c->normal[best])) best = k;
  return best;
}

/* a contact of term i and of all left that face its way */
static void open_contact(const pd_vertex_sample *s, const facing *met, int i, corner *c)
{
  const int k = c->n++;
  c->normal[k] = met->normal[i];
  for (int j = 0; j < met->n; j++)
    if (c->of[met->at[j]] < 0 && pd_dot(met->normal[j], met->normal[i]) > PD_PATCH_COSINE)
      c->of[met->at[j]] = k;
  c->of[met->at[i]] = k;
  if (!s->pair->tangent) return;
  const pd_gap g = pd_vertex_term_gap(s, s->count[met->at[i]]);
  c->dnormal[k] = pd_g_zero();
  pd_gap_add_normal_gradient(&g, 1.0, &c->dnormal[k]);
}

static void sort_terms(const pd_vertex_sample *s, const facing *met, corner *c)
{
  c->n = 0;
  for (int i = 0; i < PD_FEATURES_MAX; i++) c->of[i] = -1;
  for (int i = strongest_left(met, c); i >= 0; i = strongest_left(met, c)) {
    if (c->n < PD_CORNER_MAX)
      open_contact(s, met, i, c);
    else
      c->of[met->at[i]] = nearest_contact(c, met->normal[i]);
  }
}

/* ---- sums ---- */

/* forces and energies are the sample's as a whole */
static pd_status add_met(const pd_vertex_sample *s, const corner *c, pd_sample_sum *contact,
                         pd_sample_sum *whole)
{
  for (int k = 0; k < c->n; k++) {
    pd_sample_begin(s->sum.key[0], s->sum.key[1], &contact[k]);
    for (int i = 0; i < s->n; i++) {
      if (c->of[i] != k) continue;
      const pd_status status = pd_vertex_term_add(s, s->count[i], &contact[k]);
      if (status) return status;
    }
    pd_sample_add(&contact[k], whole);
    whole->mingap = fmin(whole->mingap, contact[k].mingap);
  }
  return PD_OK;
}

static pd_status add_corrections(const pd_vertex_sample *s, const corner *c, pd_sample_sum *contact,
                                 pd_sample_sum *whole)
{
  const pd_evaluation *pair = s->pair;
  const pd_share_directions to = {c->n, c->normal,
                                  pair->tangent && pair->memory ? c->dnormal : NULL};
  for (int i = 0; i < s->n; i++) {
    if (c->of[i] >= 0 || s->count[i].w == 0.0) continue;
    pd_sample_sum one;
    pd_sample_begin(s->sum.key[0], s->sum.key[1], &one);
    const pd_status status = pd_vertex_term_add(s, s->count[i], &one);
    if (status) return status;
    if (!one.active) continue;
    pd_sample_add(&one, whole);
    pd_share_out(&to, &one, s->count[i].w, contact);
  }
  return PD_OK;
}

/* ---- contacts ---- */

/* the contact that bears least; its normal force */
static int weakest(const corner *c, const pd_sample_sum *contact, double *force)
{
  int worst = 0;
  *force = DBL_MAX;
  for (int k = 0; k < c->n; k++) {
    const double f = pd_dot(contact[k].resultant, c->normal[k]);
    if (f < *force) *force = f, worst = k;
  }
  return worst;
}

/* Contact k becomes a part of the one whose normal is nearest to its own. */
static void join(corner *c, int k, pd_sample_sum *contact)
{
  const pd_sample_sum lost = contact[k];
  const pd_vec3 n = c->normal[k];
  c->n--;
  for (int i = k; i < c->n; i++) {
    contact[i] = contact[i + 1];
    c->normal[i] = c->normal[i + 1];
  }
  pd_sample_join(&lost, &contact[nearest_contact(c, n)]);
}

/* What corrects a contact may outweigh it: then it is none of its own. */
static void join_outweighed(corner *c, pd_sample_sum *contact)
{
  double force;
  for (int k = weakest(c, contact, &force); c->n > 1 && !(force > 0.0);
       k = weakest(c, contact, &force))
    join(c, k, contact);
}

/* The record of a contact: the one nearest to its normal, unless another contact is nearer to that.
 */
static int record_of(const pd_evaluation *pair, const corner *c, int k,
                     const pd_sample_sum *contact)
{
  const pd_vec3 n = pd_unit(contact[k].resultant);
  const int record = pd_friction_find(pair->memory, contact[k].key, n);
  if (record < 0) return record;
  const pd_vec3 old = pair->memory->old[record].history.n;
  for (int j = 0; j < c->n; j++) {
    if (j == k) continue;
    const double nearer = pd_dot(pd_unit(contact[j].resultant), old) - pd_dot(n, old);
    if (nearer > 0.0 || (nearer == 0.0 && j < k)) return -1;
  }
  return record;
}

static pd_status end_contact(const pd_vertex_sample *s, const corner *c, int k,
                             pd_sample_sum *contact)
{
  const pd_evaluation *pair = s->pair;
  pd_sample_sum *sum = &contact[k];
  pd_status status = PD_OK;
  if (pair->memory && pd_sample_bears(sum)) {
    pd_grad dn;
    pd_friction_point at = pd_vertex_friction_point(pair, s->vertex, s->on_b, s->at,
                                                    pd_sample_direction(pair, sum, &dn));
    at.record = record_of(pair, c, k, contact);
    status = pair->scheme->add_friction(pair, &at, sum);
  }
  return status ? status : pd_sample_add_contact(pair, sum, s->on_b, s->vertex, -1);
}

static pd_status end_corner(pd_vertex_sample *s, const facing *met)
{
  corner c;
  pd_sample_sum contact[PD_CORNER_MAX];
  sort_terms(s, met, &c);
  pd_status status = add_met(s, &c, contact, &s->sum);
  if (!status) status = add_corrections(s, &c, contact, &s->sum);
  if (status) return status;
  join_outweighed(&c, contact);
  pd_sample_add_forces(s->pair, &s->sum);
  for (int k = 0; k < c.n && !status; k++) status = end_contact(s, &c, k, contact);
  return status;
}

pd_status pd_vertex_contacts(pd_vertex_sample *s)
{
  facing met;
  return meets_corner(s, &met) ? end_corner(s, &met) : pd_vertex_sample_end(s);
}
