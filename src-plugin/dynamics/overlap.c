/* SPDX-License-Identifier: MIT
 * Overlap of the bodies and walls of a system. */
#include "contact/search/overlap.h"
#include "dynamics/system_internal.h"

/* no point of a body goes faster, of those no further from its centre than the lever */
static double speed_of(pd_vec3 v, pd_vec3 w, double lever)
{
  return pd_norm(v) + pd_norm(w) * lever;
}

/* no further apart were the sides of a pair at its last evaluation, as far as contact reaches */
static double last_gap(const pd_system *sys, const pd_contact_pair *pair)
{
  if (pair->contact < 0 || !sys->contacts.state[pair->contact].response.active)
    return pair->law->gbar;
  return fmin(pair->law->gbar, sys->contacts.state[pair->contact].response.mingap);
}

/* no longer is the way of the sides of a pair past each other in the time h */
static double way_in(const pd_system *sys, const pd_contact_pair *pair, double h)
{
  const pd_body *a = &sys->body[pair->a];
  double speed = speed_of(pd_body_velocity(a), a->start.w, a->shape->lever);
  if (pair->wall) {
    const pd_wall *w = &sys->wall[pair->b];
    const double arm = pd_norm(pd_sub(a->start.x, w->x)) + a->shape->radius;
    if (w->moves) speed += speed_of(w->v, w->w, arm);
  } else {
    const pd_body *b = &sys->body[pair->b];
    speed += speed_of(pd_body_velocity(b), b->start.w, b->shape->lever);
  }
  return h * speed;
}

static pd_status overlap_of(pd_system *sys, const pd_contact_pair *pair, int *overlaps,
                            double *depth)
{
  const pd_pair_geometry at = pd_contact_pair_geometry(sys, pair);
  if (!at.plane) return pd_pair_overlap(&at, sys->work->worker[0].work, overlaps, depth);
  *depth = -pd_plane_distance(&at);
  *overlaps = *depth >= 0.0;
  return PD_OK;
}

/* A body where it was this time ago, as seen from what moves and turns. */
static void put_back(pd_system *sys, int i, double time, pd_vec3 v, pd_vec3 w)
{
  const pd_body *b = &sys->body[i];
  pd_system_set_pose(sys, i, pd_scale(-time, pd_sub(pd_body_velocity(b), v)),
                     pd_scale(-time, pd_sub(b->start.w, w)));
}

/* Whether a pair overlaps where its sides were this time ago, and how far apart they were then: cut
 * or more, if they were. */
static pd_status look_back(pd_system *sys, pd_contact_pair *pair, double time, double cut,
                           int *overlaps, double *depth, double *distance)
{
  const pd_vec3 zero = pd_v(0.0, 0.0, 0.0), at = sys->body[pair->a].start.x;
  const pd_wall *w = pair->wall ? &sys->wall[pair->b] : NULL;
  put_back(sys, pair->a, time, w ? pd_wall_velocity_at(w, at) : zero, w ? pd_wall_spin(w) : zero);
  if (!w) put_back(sys, pair->b, time, zero, zero);
  const pd_status status = overlap_of(sys, pair, overlaps, depth);
  *distance = pd_system_distance(sys, pair, cut);
  pd_system_set_pose(sys, pair->a, zero, zero);
  if (!w) pd_system_set_pose(sys, pair->b, zero, zero);
  return status;
}

/* The same anywhere on the way that they have come in the time h, by conservative advancement: back
 * by as much as their distance allows, or as contact reaches where that is more. */
static pd_status overlap_on_way(pd_system *sys, const pd_contact_pair *pair, double h, double way,
                                int *overlaps, double *depth)
{
  const double least = fmax(pair->law->gbar, PD_LEAST_LOOK_BACK * way);
  pd_status status = PD_OK;
  pd_contact_pair now = *pair;
  double distance = pd_system_distance(sys, &now, way), back = fmax(distance, least);
  while (back < way && !*overlaps && !status) {
    status = look_back(sys, &now, h * (back / way), way - back, overlaps, depth, &distance);
    back += fmax(distance, least);
  }
  return status;
}

int pd_system_overlap(pd_system *sys, double *depth, pd_status *status)
{
  return pd_system_overlap_after(sys, DBL_MAX, 0, 0, depth, status);
}

int pd_system_overlap_after(pd_system *sys, double h, int evaluated, int within, double *depth,
                            pd_status *status)
{
  int placed = 0;
  *status = PD_OK;
  for (int i = 0; i < sys->npair; i++) {
    const pd_contact_pair *pair = &sys->pair[i];
    int overlaps = 0;
    const double gap = evaluated ? last_gap(sys, pair) : 0.0;
    const double way = h < DBL_MAX ? way_in(sys, pair, h) : DBL_MAX;
    if (!(way > PD_PASSED * gap)) continue;
    if (!placed) pd_system_set_start_poses(sys);
    placed = 1;
    *status = overlap_of(sys, pair, &overlaps, depth);
    if (!*status && !overlaps && within && way > pair->law->gbar)
      *status = overlap_on_way(sys, pair, h, way, &overlaps, depth);
    if (*status) return -1;
    if (overlaps) return i;
  }
  *depth = 0.0;
  return -1;
}
