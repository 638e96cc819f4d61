/* SPDX-License-Identifier: MIT
 * Pairs without friction that slide. */
#include "dynamics/slide.h"

#include <string.h>

#include "base/smooth.h"

/* the direction in which most of a state bears */
static pd_vec3 main_direction(const pd_em_state *s)
{
  return pd_unit(pd_mv(s->force_fabric, pd_mv(s->force_fabric, s->f)));
}

/* A plane has no rim over which a sample could come: its pairs have no need of it. */
double pd_slide_of(const pd_system *sys, const pd_contact_pair *pair)
{
  const pd_em_state *s = pd_contact_pair_at_start(sys, pair);
  const double force = pd_em_state_weight(s);
  if (!s->active || pair->law->t.mu_s > 0.0 || pd_plane_of(sys, pair)) return 0.0;
  if (!(force > 0.0) || !(s->speed2 > 0.0)) return 0.0;
  const double speed = sqrt(s->speed2 / force), way = speed * sys->scheme.h / pair->law->gbar;
  const double mean = fabs(pd_dot(main_direction(s), s->now)) / (force * speed);
  const double any = sqrt(fmax(0.0, s->normal2 / s->speed2));
  return pd_rise(way, PD_SLIDE_WAY, 1.0, NULL) *
         (1.0 - pd_rise(mean, 0.5 * PD_SLIDE_MEAN, PD_SLIDE_MEAN, NULL)) *
         (1.0 - pd_rise(any, 0.5 * PD_SLIDE_ANY, PD_SLIDE_ANY, NULL));
}

double pd_slide_borne(const pd_system *sys, const pd_contact_pair *pair, double x)
{
  const pd_em_state *s = pd_contact_pair_at_start(sys, pair);
  const pd_vec3 n = main_direction(s);
  const double fast =
      fmax(fabs(pd_dot(n, s->now)), fabs(pd_dot(n, s->then))) / pd_em_state_weight(s);
  const double moved = fast * sys->scheme.h / (PD_BORNE_WAY * x);
  return 1.0 / (1.0 + moved * moved);
}

pd_slide_work pd_slide_work_of(const pd_contact_pair *pair, const pd_em_motion *motion,
                               const pd_em_state *start, int tangent, const pd_pair_result *r)
{
  pd_slide_work w = {0};
  if (!(pair->em.slide > 0.0) || !r->state.active) return w;
  memcpy(w.along, r->em.along, sizeof w.along);
  pd_em_balance(motion, w.along, NULL);
  w.way = pd_dot12(w.along, motion->dq);
  if (!(w.way > 0.0)) return w;
  w.energy = pair->em.slide * (start->energy - r->energy - r->em.drop);
  for (int j = 0; tangent && j < 12; j++)
    w.denergy[j] = pair->em.slide * (r->em.true_lever_force[j] - r->em.ddrop[j]);
  return w;
}

void pd_slide_add(const pd_slide_work *work, const pd_em_motion *motion, int tangent,
                  pd_em_result *force)
{
  if (work->energy == 0.0) return;
  const double c = work->energy / work->way;
  for (int i = 0; i < 12; i++) force->p[i] += c * work->along[i];
  if (!tangent) return;
  double by[12];
  pd_em_by_spin(motion, work->along, by);
  for (int i = 0; i < 12; i++)
    for (int j = 0; j < 12; j++)
      force->k[i][j] -= work->along[i] * (work->denergy[j] - c * by[j]) / work->way;
}
