/* SPDX-License-Identifier: MIT
 * One pair: whether it can be in contact at all, and its forces and tangent. */
#include <string.h>

#include "dynamics/system_internal.h"

void pd_by_alpha(double (*out)[12], double (*k)[12], int rows, int col, const pd_mat3 *xi)
{
  for (int i = 0; i < rows; i++) {
    const double s[3] = {k[i][col + 3], k[i][col + 4], k[i][col + 5]};
    for (int j = 0; j < 3; j++) {
      out[i][col + j] = k[i][col + j];
      out[i][col + 3 + j] = s[0] * xi->m[0][j] + s[1] * xi->m[1][j] + s[2] * xi->m[2][j];
    }
  }
}

/* ---- contact ---- */

/* The result of a pair out of reach: its tangent is read only where a contact has just opened. */
static void clear_result(const pd_system *sys, const pd_contact_pair *pair, pd_tangent_kind tangent,
                         pd_pair_work *work, pd_pair_result *r)
{
  pd_em_forget_friction(work);
  pd_result_clear(r, tangent && sys->scheme.kind == PD_EM &&
                         pd_contact_pair_at_start(sys, pair)->active);
}

/* distance of a plane from the bounding sphere of A */
static double sphere_height(const pd_system *sys, const pd_contact_pair *pair,
                            const pd_pair_geometry *at)
{
  double hu;
  const double h0 = pd_plane_height(at, &hu);
  return h0 + hu - sys->body[pair->a].shape->radius;
}

/* whether the bounding spheres, or that of A and the plane, show that the pair is open */
static int is_out_of_reach(const pd_system *sys, const pd_contact_pair *pair,
                           const pd_pair_request *request)
{
  const double radius = sys->body[pair->a].shape->radius, gbar = request->law->gbar;
  if (request->at.plane) return sphere_height(sys, pair, &request->at) > gbar;
  if (pair->wall) return 0;
  const double reach = radius + sys->body[pair->b].shape->radius + gbar;
  return pd_norm2(pd_centre_to_centre(&request->at)) > reach * reach;
}

/* What the energy-momentum scheme has chosen for a pair, into what is asked of it. damped, filter:
 * memory for a law and a filter of the pair's own. */
static void ask_for_energy_momentum(const pd_system *sys, const pd_contact_pair *pair,
                                    pd_pair_request *request, pd_law *damped, pd_mat3 *filter)
{
  if (pair->em.zeta != pair->law->zeta) {
    *damped = *pair->law;
    damped->zeta = pair->em.zeta;
    request->law = damped;
  }
  request->em.slide = pair->em.slide;
  request->em.stiffness_damping = pair->em.stiffness_damping;
  request->em.withheld = 1.0 - pd_em_least_share(&pair->em);
  if (!(request->law->zeta > 0.0 || pair->em.stiffness_damping > 0.0 || pair->em.slide > 0.0))
    return;
  *filter = pd_em_bearing_filter(pd_contact_pair_at_start(sys, pair));
  request->em.bearing_filter = filter;
}

pd_status pd_contact_pair_eval(const pd_system *sys, const pd_contact_pair *pair,
                               const pd_pair_request *wanted, pd_friction_records *fresh,
                               pd_pair_work *work, pd_pair_result *r)
{
  const pd_friction_memory memory = {sys->friction.at_start.r + pair->old, pair->nold, fresh};
  pd_pair_request request = *wanted;
  pd_law damped;
  pd_mat3 filter;
  request.at = pd_contact_pair_geometry(sys, pair);
  request.law = pair->law;
  request.set = sys->set;
  request.h = sys->scheme.h;
  request.memory = &memory;
  request.near = pd_contact_pair_near(sys, pair);
  if (request.mode == PD_ENERGY_MOMENTUM)
    ask_for_energy_momentum(sys, pair, &request, &damped, &filter);
  if (is_out_of_reach(sys, pair, &request)) {
    clear_result(sys, pair, request.tangent, work, r);
    return PD_OK;
  }
  if (pair->wall && pair->slot[0] < 0) request.tangent = PD_NO_TANGENT;
  return pd_pair_evaluate(&request, work, r);
}

/* ---- which pairs have to be evaluated ---- */

double pd_body_path_bound(const pd_body *b)
{
  return pd_norm(pd_body_displacement(b)) + pd_norm(b->alpha) * b->shape->lever;
}

/* what rounding may do to a bound */
static double doubt_of(const pd_body *a) { return PD_BOUND_DOUBT * a->shape->radius; }

int pd_contact_pair_is_driven(const pd_system *sys, const pd_contact_pair *pair)
{
  const pd_body *a = &sys->body[pair->a], *b = &sys->body[pair->b];
  if (a->prescribed) return 1;
  if (pair->wall) return sys->wall[pair->b].moves || pd_norm2(a->carry) > 0.0;
  return b->prescribed || pd_norm2(pd_sub(b->carry, a->carry)) > 0.0;
}

double pd_contact_pair_way(const pd_system *sys, const pd_contact_pair *pair)
{
  const pd_body *a = &sys->body[pair->a], *b = &sys->body[pair->b];
  if (pair->wall) return pd_body_path_bound(a);
  const pd_vec3 u = pd_sub(pd_body_displacement(a), pd_body_displacement(b));
  return pd_norm(u) + pd_norm(a->alpha) * a->shape->lever + pd_norm(b->alpha) * b->shape->lever;
}

/* Whether bounds of the distance hold: not for walls that move as prescribed, nor for planes that
 * bodies stand for, of whose points none has the largest lever. */
static int is_bounded(const pd_system *sys, const pd_contact_pair *pair)
{
  return pair->wall ? !sys->wall[pair->b].moves : !pd_plane_of(sys, pair);
}

/* the paths of both sides since the system was bound */
static double paths_of(const pd_system *sys, const pd_contact_pair *pair)
{
  return sys->trial.path[pair->a] + (pair->wall ? 0.0 : sys->trial.path[pair->b]);
}

/* keeps that the sides are at least d apart now */
static void remember(const pd_system *sys, pd_contact_pair *pair, double d)
{
  if (!is_bounded(sys, pair)) return;
  const double way = pd_contact_pair_way(sys, pair) + doubt_of(&sys->body[pair->a]);
  pair->separation = fmax(pair->separation, d - way);
  pair->path_bound = fmax(pair->path_bound, d + paths_of(sys, pair));
}

double pd_contact_pair_separation(const pd_system *sys, const pd_contact_pair *pair)
{
  if (!is_bounded(sys, pair)) return 0.0;
  const double by_trial = pair->path_bound - paths_of(sys, pair);
  const double by_start =
      pair->separation > 0.0 ? pair->separation - pd_contact_pair_way(sys, pair) : 0.0;
  return fmax(0.0, fmax(by_start, by_trial) - doubt_of(&sys->body[pair->a]));
}

int pd_contact_pair_known_open(const pd_system *sys, const pd_contact_pair *pair)
{
  const double both =
      sys->trial.path_bound[pair->a] + (pair->wall ? 0.0 : sys->trial.path_bound[pair->b]);
  const double least = pair->law->gbar + doubt_of(&sys->body[pair->a]);
  const double room = pair->separation - least;
  if (!is_bounded(sys, pair)) return 0;
  if (room > both || pair->path_bound - paths_of(sys, pair) > least) return 1;
  return room > 0.0 && room > pd_contact_pair_way(sys, pair);
}

void pd_system_advance_bounds(pd_system *sys)
{
  for (int i = 0; i < sys->npair; i++) {
    pd_contact_pair *pair = &sys->pair[i];
    pair->separation = pd_contact_pair_separation(sys, pair);
    if (!is_bounded(sys, pair)) pair->path_bound = 0.0;
  }
}

static pd_pair_geometry geometry_for_distance(const pd_system *sys, pd_contact_pair *pair)
{
  pd_pair_geometry at = pd_contact_pair_geometry(sys, pair);
  at.nearest = &pair->nearest;
  return at;
}

double pd_system_distance(const pd_system *sys, pd_contact_pair *pair, double cut)
{
  const pd_body *a = &sys->body[pair->a];
  const pd_pair_geometry at = geometry_for_distance(sys, pair);
  const double radius = pair->wall ? 0.0 : sys->body[pair->b].shape->radius;
  double d = at.plane ? pd_plane_distance(&at)
                      : pd_norm(pd_centre_to_centre(&at)) - a->shape->radius - radius;
  if (!at.plane && (pair->wall || d < cut)) d = pd_pair_distance(&at, cut);
  remember(sys, pair, d);
  return d;
}

/* whether a plane between the bodies, or A's bounding sphere over a plane, shows that the pair is
 * open: they mostly do, and soon */
static int is_seen_apart(const pd_system *sys, pd_contact_pair *pair)
{
  const pd_pair_geometry at = geometry_for_distance(sys, pair);
  if (pair->wall && !at.plane) return 0;
  const double apart = at.plane ? sphere_height(sys, pair, &at) : pd_pair_parted(&at);
  if (apart <= pair->law->gbar) return 0;
  remember(sys, pair, apart);
  return 1;
}

/* whether the pair is sure to be open; where that is likely but not known, it is found out with
 * some room for the evaluations to come */
static int is_open(const pd_system *sys, pd_contact_pair *pair, const pd_pair_response *last)
{
  const double gbar = pair->law->gbar;
  if (pd_contact_pair_known_open(sys, pair)) return 1;
  if (!is_bounded(sys, pair) || last->active || pair->nold > 0) return 0;
  if (is_seen_apart(sys, pair)) return 1;
  const double room = fmin(PD_ROOM_WAYS * pd_contact_pair_way(sys, pair) + PD_ROOM_GBARS * gbar,
                           sys->body[pair->a].shape->radius);
  return pd_system_distance(sys, pair, gbar + room) > gbar;
}

/* ---- evaluation ---- */

static void record_response(const pd_pair_result *r, pd_pair_response *out)
{
  memcpy(out->force, r->force, sizeof out->force);
  memcpy(out->loss, r->loss, sizeof out->loss);
  out->friction_ta = r->friction_ta;
  out->energy = r->energy;
  out->spring = r->spring;
  out->scale2 = r->scale2;
  out->stiff = r->state.stiff;
  out->mingap = r->mingap;
  out->ncontact = r->ncontact;
}

/* a pair's tangent by alpha */
static void keep_tangent(const pd_system *sys, const pd_contact_pair *pair, pd_pair_result *r,
                         double (*k)[12])
{
  const int rows = pair->wall ? 6 : 12;
  const pd_mat3 xi = pd_xi(sys->body[pair->a].alpha);
  pd_by_alpha(k, r->k, rows, 0, &xi);
  if (pair->wall) return;
  const pd_mat3 xi_of_b = pd_xi(sys->body[pair->b].alpha);
  pd_by_alpha(k, r->k, rows, 6, &xi_of_b);
}

/* what a pair finds goes where it knows of its contact already, or waits to be taken over */
static pd_contact_state *contact_state_of(const pd_system *sys, const pd_contact_pair *pair,
                                          pd_pair_update *out)
{
  if (pair->contact >= 0) return &sys->contacts.state[pair->contact];
  out->made.response.active = 0;
  out->made.response.status = PD_OK;
  out->made.at_start.active = 0;
  out->made.near = -1;
  return &out->made;
}

static pd_tangent_kind tangent_kind(const pd_system *sys, const pd_contact_pair *pair)
{
  const int far = sys->trial.far[pair->a] || (!pair->wall && sys->trial.far[pair->b]);
  return far ? PD_TANGENT_FROM_AFAR : PD_TANGENT;
}

/* a pair that is open, and was so at the start of the step */
static void mark_inactive(pd_contact_pair *pair, pd_contact_state *state)
{
  state->response.status = PD_OK;
  state->response.active = 0;
  state->at_end.active = 0;
  pair->lost = 0.0;
  pair->pulls = 0;
}

/* The result at the present poses; an empty one where the sides are known to be apart. */
static pd_status evaluate_or_clear(const pd_system *sys, const pd_contact_pair *pair, int open,
                                   const pd_pair_request *wanted, pd_worker *worker,
                                   pd_pair_result *r)
{
  if (!open) return pd_contact_pair_eval(sys, pair, wanted, &worker->fresh, worker->work, r);
  clear_result(sys, pair, wanted->tangent, worker->work, r);
  return PD_OK;
}

/* Keeps what has been found. Where it is not the forces yet but what the energy-momentum scheme
 * makes them of, they are made now: a contact that has opened has some, too. */
static void keep_result(const pd_system *sys, pd_contact_pair *pair, pd_contact_state *state,
                        const pd_pair_request *wanted, pd_worker *worker, pd_pair_result *r)
{
  const int em = wanted->mode == PD_ENERGY_MOMENTUM;
  pd_pair_response *response = &state->response;
  state->at_end.active = r->state.active;
  if (r->state.active) state->at_end = r->state;
  state->at_end.gap = r->mingap;
  response->active = r->ncontact > 0 || (em && state->at_start.active);
  if (!response->active) return;
  if (em) response->status = pd_em_contact_pair(sys, pair, wanted->tangent, worker, r);
  record_response(r, response);
}

pd_status pd_contact_pair_update(const pd_system *sys, pd_contact_pair *pair, int with_tangent,
                                 pd_force_mode mode, pd_worker *worker, pd_pair_update *out)
{
  pd_contact_state *state = contact_state_of(sys, pair, out);
  pd_pair_response *response = &state->response;
  pd_pair_request wanted = {0};
  pd_pair_result r;
  wanted.mode = mode;
  wanted.tangent = with_tangent ? tangent_kind(sys, pair) : PD_NO_TANGENT;
  out->changes = response->active || response->status;
  out->assemble = 0;
  const int open = is_open(sys, pair, response);
  if (open && !(mode == PD_ENERGY_MOMENTUM && state->at_start.active)) {
    mark_inactive(pair, state);
    return PD_OK;
  }
  response->active = 0;
  pair->lost = 0.0;
  pair->pulls = 0;
  const pd_status status = evaluate_or_clear(sys, pair, open, &wanted, worker, &r);
  response->status = status;
  if (!status) keep_result(sys, pair, state, &wanted, worker, &r);
  out->changes |= status || response->active;
  out->assemble = response->active && with_tangent;
  if (out->assemble) keep_tangent(sys, pair, &r, out->k);
  return status;
}
