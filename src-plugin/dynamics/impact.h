/* SPDX-License-Identifier: MIT
 * The impact that a pair is part of, seen as one mass on one spring, and what the energy-momentum
 * scheme makes of it (doc/theory.md, 10.1). */
#ifndef PD_IMPACT_H
#define PD_IMPACT_H

#include "dynamics/system_internal.h"

typedef struct pd_impact {
  double m, mred; /* mass: generalised one of the normal motion, reduced one of the bodies */
  double v;       /* velocity, > 0: apart */
  double g;       /* acceleration by the loads, > 0: apart */
  double x;       /* length: depth below the activation distance, < 0: the distance from it */
  double n;       /* contacts side by side */
  double borne;   /* part in which the pair slides and is borne: it is in no impact */
  int quiet;      /* the contact persists: no faster than gravity makes in a step, or beside what
                     lands */
} pd_impact;

/* Part c(V_1) that a contact gives back of the energy V_0 - V_1 that it sets free: 1 for V_1 >=
 * V_0, keep where V_1 <= (1 - slack) V_0. *dc: its derivative. */
PD_KERNEL double pd_em_share_kept(double keep, double slack, double v0, double v1, double *dc)
{
  const double range = slack * v0, y = v0 > v1 ? (v0 - v1) / range : 0.0, drop = 1.0 - keep;
  if (dc) *dc = y < 1.0 && y > 0.0 ? drop * 6.0 * y * (1.0 - y) / range : 0.0;
  return y < 1.0 ? 1.0 - drop * y * y * (3.0 - 2.0 * y) : keep;
}

/* The impact that the pair is in at the start of the step. 0 if there is none. */
int pd_impact_now(const pd_system *sys, const pd_contact_pair *pair, pd_impact *impact);

/* The impact that a pair may be heading for within the step: seen from the start by a law that
 * reaches as far beyond the pair's own as the bodies are apart, or if it touches as they go, so
 * that it sees what would bear together if they went on; of a pair that touches, in a direction in
 * which it bears already, only what is faster than motion without impacts. The sides must be placed
 * there, with the velocities that they have there. 0 if there is none. */
int pd_impact_ahead(const pd_system *sys, pd_contact_pair *pair, int touches, pd_pair_work *work,
                    pd_impact *impact);

/* 0 if the pair cannot have an impact that substeps as long as the longest (time) do not resolve,
 * whatever it meets */
int pd_impact_counts(const pd_system *sys, const pd_contact_pair *pair, double longest);

/* Acceleration along the force of a pair that touches that the moments of loads would give its
 * sides, > 0 if they part; of the energy-momentum scheme at the start of a step. */
double pd_acceleration_by_moments(const pd_system *sys, const pd_contact_pair *pair);

/* velocity: what loads and the turning of its bodies make of a pair's speeds within the step, at
 * most */
double pd_impact_smooth_change(const pd_system *sys, const pd_contact_pair *pair);

/* Part of the step of length h in which the bodies of a pair go on before they touch; 1 if they do
 * not. */
double pd_impact_before_touch(const pd_impact *impact, double h);

/* Damping of a contact at rest of a law with a given restitution, in a step of length h. */
void pd_impact_damp_rest(pd_contact_pair *pair, const pd_impact *impact, double h);

/* Shares the loss of an impact among viscous damping and the scheme, as far as substeps as long as
 * the longest (time) resolve it: sets what it needs of the pair's beta, zeta, stiffness_damping,
 * energy_returned, return_ramp and impact_viscosity, the others stay as they are, and returns the
 * parameter a for its bodies. */
double pd_impact_choose(const pd_system *sys, pd_contact_pair *pair, double longest,
                        const pd_impact *impact);

/* whether the impact a has the larger kinetic energy of the normal motion */
PD_KERNEL int pd_impact_is_harder(const pd_impact *a, const pd_impact *b)
{
  return a->m * a->v * a->v > b->m * b->v * b->v;
}

/* energy of the contacts of an impact at the depth x (length), 0 where they are open */
PD_KERNEL double pd_impact_potential(const pd_law *law, const pd_impact *impact, double x)
{
  return x > 0.0 ? pd_law_energy_at_depth(law, impact->n, x) : 0.0;
}

#endif
