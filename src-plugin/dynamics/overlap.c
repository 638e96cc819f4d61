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

/* Whether the sides of a pair may have gone through each other in the time h, from a gap. */
static int may_have_passed(const pd_system *sys, const pd_contact_pair *pair, double h, double gap)
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
  return h * speed > PD_PASSED * gap;
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

int pd_system_overlap(pd_system *sys, double *depth, pd_status *status)
{
  return pd_system_overlap_after(sys, DBL_MAX, 0, depth, status);
}

int pd_system_overlap_after(pd_system *sys, double h, int evaluated, double *depth,
                            pd_status *status)
{
  int placed = 0;
  *status = PD_OK;
  for (int i = 0; i < sys->npair; i++) {
    const pd_contact_pair *pair = &sys->pair[i];
    int overlaps = 0;
    if (h < DBL_MAX && !may_have_passed(sys, pair, h, evaluated ? last_gap(sys, pair) : 0.0))
      continue;
    if (!placed) pd_system_set_start_poses(sys);
    placed = 1;
    *status = overlap_of(sys, pair, &overlaps, depth);
    if (*status) return -1;
    if (overlaps) return i;
  }
  *depth = 0.0;
  return -1;
}
