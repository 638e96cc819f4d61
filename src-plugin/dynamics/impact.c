/* SPDX-License-Identifier: MIT
 * Impacts of pairs in the energy-momentum scheme: the restitution of the law, and how a step that
 * does not resolve them brings it about.
 *
 * An impact of restitution e: the energy E of the approach is kept while the contact is being
 * pressed; what has turned around is worth e^2 of what it took: T = e^2 (E - V) where v > 0. That
 * costs (1 - e^2) (V_0 - V_1) in every step that sets energy free (pd_em_share_kept), and in the
 * step in which v changes its sign what is then missing: a is chosen so that the body's own loss (a
 * - 1/2) m (v1 - v0)^2 is that (turning). All of it follows from the state at the start of the step
 * alone. */
#include "dynamics/impact.h"

/* rates of (gap, speed) */
static void fly(const pd_law *law, const pd_impact *impact, const double *y, double *d)
{
  d[0] = y[1];
  d[1] = impact->n * pd_law_damped(law, pd_law_eval(law, y[0]), y[0], y[1], impact->mred).n /
         impact->m;
}

/* Restitution that the law gives to an impact that begins with this energy, if it is resolved, with
 * the damping ratio zeta: Runge-Kutta's integration of the one-dimensional motion from touch to
 * touch. */
static double restitution(const pd_law *given, const pd_impact *impact, double energy, double zeta)
{
  pd_law law = *given;
  law.zeta = zeta;
  const double v = sqrt(2.0 * energy / impact->m);
  const double deep = fmin(law.gbar, pd_law_depth_of_energy(&law, impact->n, energy));
  const double h = PD_IMPACT_STEP * deep / v;
  double y[2] = {law.gbar, -v};
  for (int i = 0; i < PD_IMPACT_STEPS && (i == 0 || y[0] < law.gbar); i++) {
    double k[4][2], z[2];
    fly(&law, impact, y, k[0]);
    for (int s = 1; s < 4; s++) {
      for (int m = 0; m < 2; m++) z[m] = y[m] + (s < 3 ? 0.5 : 1.0) * h * k[s - 1][m];
      fly(&law, impact, z, k[s]);
    }
    for (int m = 0; m < 2; m++)
      y[m] += h / 6.0 * (k[0][m] + 2.0 * k[1][m] + 2.0 * k[2][m] + k[3][m]);
  }
  return fmax(PD_INELASTIC, fmin(1.0, y[1] / v));
}

/* of an impact, as it is now */
static double energy_of(const pd_law *law, const pd_impact *impact)
{
  return 0.5 * impact->m * impact->v * impact->v + pd_impact_potential(law, impact, impact->x);
}

/* The energy with which an impact began: viscous damping leaves e^2 of it after half a turn of the
 * phase; the scheme, whose part has the weight w, leaves e^2 of what has turned around. */
static double look_back(const pd_law *law, const pd_impact *impact, double w)
{
  const double v = pd_impact_potential(law, impact, impact->x),
               t = 0.5 * impact->m * impact->v * impact->v;
  const double phase = atan2(sqrt(v), impact->v > 0.0 ? -sqrt(t) : sqrt(t)) / PD_PI;
  const double now = v + t;
  if (now <= 0.0) return now;
  const double e =
      law->has_e ? fmax(PD_INELASTIC, law->e) : restitution(law, impact, now, law->zeta);
  const double back = impact->v > 0.0 ? v + t / (e * e) : now;
  return now * (pow(e, -2.0 * phase * (1.0 - w)) * pow(back / now, w));
}

/* the damping ratio that gives an impact that begins with this energy the restitution e: logarithms
 * of e are nearly linear in it */
static double damping_for(const pd_law *law, const pd_impact *impact, double energy, double e)
{
  if (e >= 1.0) return 0.0;
  const double target = -log(fmax(e, PD_INELASTIC)),
               share = sqrt(impact->n * impact->mred / impact->m);
  double low = 0.0, high = PD_OVERDAMPED_RATIO / share, zeta = fmin(high, target / (2.0 * share));
  for (int i = 0; i < PD_DAMPING_TRIALS; i++) {
    const double got = -log(restitution(law, impact, energy, zeta));
    if (fabs(got - target) < PD_DAMPING_ACCURACY * target) break;
    if (got < target)
      low = zeta;
    else
      high = zeta;
    zeta *= target / got;
    if (!(zeta > low && zeta < high)) zeta = 0.5 * (low + high);
  }
  return zeta;
}

/* by which the oscillation of n contacts on a mass gets on in a step of length h; rad */
static double phase_of(const pd_law *law, double n, double mass, double h)
{
  return h * sqrt(n * pd_law_stiffness(law) / mass);
}

/* How far steps of length h are from resolving n contacts on a mass: 0 to 1. */
static double unresolved(const pd_law *law, double n, double mass, double h)
{
  const double x = phase_of(law, n, mass, h) / PD_UNRESOLVED_PHASE, y = x * x * x * x;
  return y / (1.0 + y);
}

int pd_impact_counts(const pd_system *sys, const pd_contact_pair *pair, double longest)
{
  return pair->law->has_e || unresolved(pair->law, PD_COUNTING_CONTACTS, pd_reduced_mass(sys, pair),
                                        longest) >= PD_NEGLIGIBLE_WEIGHT;
}

/* viscosity of a contact of an impact with the damping ratio zeta, at half the activation distance
 */
static double viscosity(const pd_law *law, const pd_impact *impact, double zeta)
{
  return 2.0 * zeta * sqrt(pd_law_stiffness(law) * impact->mred);
}

/* Smallest a with which damping of the viscosity z m / h does not throw the bodies back: over a
 * step it changes the speed by the factor (1 - (1 - a) z) / (1 + a z). */
static double least_a(double z) { return z > 2.0 ? 1.0 - 1.0 / z : 0.5; }

/* the same for the dashpots of an impact with the damping ratio zeta */
static double overdamped(const pd_law *law, const pd_impact *impact, double h, double zeta)
{
  return least_a(viscosity(law, impact, zeta) * impact->n * h / impact->m);
}

/* What a step that ends at the depth x1 leaves of the law of impact: m v1 |v1| / 2 - e^2 (E - V_1),
 * falling with the way u = x - x1. *s: 2 a - 1 that leads there. */
static double mismatch(const pd_law *law, const pd_impact *impact, double h, double e, double x1,
                       double *s)
{
  const double u = impact->x - x1, v0 = pd_impact_potential(law, impact, impact->x),
               v1 = pd_impact_potential(law, impact, x1);
  const double slope = impact->x > 0.0 ? pd_law_force_of_energy(law, v0, impact->x) : 0.0;
  const double c = pd_em_share_kept(e * e, PD_SLACK, v0, v1, NULL);
  const double f = fabs(u) > PD_TURNING_WAY * law->gbar ? c * (v0 - v1) / u : slope;
  const double dv = h * (f / impact->m + impact->g), end = impact->v + dv;
  *s = (2.0 * u / h - impact->v - end) / dv;
  const double all = 0.5 * impact->m * impact->v * impact->v + v0 + impact->m * impact->g * u;
  return 0.5 * impact->m * end * fabs(end) - e * e * (all - v1);
}

/* a for the step in which an approach turns into a separation: 1/2 if it ends before the turn. */
static double turning(const pd_law *law, const pd_impact *impact, double h, double e)
{
  if (impact->v >= 0.0 || e >= 1.0) return 0.5;
  const double all = energy_of(law, impact);
  const double deep = pd_law_depth_of_energy(law, impact->n, 2.0 * all),
               fast = sqrt(2.0 * all / impact->m);
  double in = deep, out = impact->x > 0.0 ? -2.0 * h * fast : 0.0, s = 0.0;
  if (mismatch(law, impact, h, e, in, &s) <= 0.0) return 0.5;
  for (int i = 0; i < PD_TURNING_TRIALS; i++) {
    const double x = 0.5 * (in + out);
    if (mismatch(law, impact, h, e, x, &s) > 0.0)
      in = x;
    else
      out = x;
  }
  mismatch(law, impact, h, e, 0.5 * (in + out), &s);
  return 0.5 + 0.5 * fmin(1.0, fmax(0.0, s));
}

/* Viscosity times step over mass of the damping of a dead impact: that of creeping dashpots, and
 * where the step is too long for these what leaves nothing of the speed. */
static double dead_damping(double phase)
{
  return fmin(2.0 * PD_OVERDAMPED_RATIO * phase, PD_DEAD_VISCOSITY);
}

/* Part of the change of the elastic force over a step that damps as much: viscosity times step over
 * mass. */
static double surplus_of(double damping, double phase) { return damping / (phase * phase); }

/* damping ratio of dashpots, no more than what takes a speed in steps of many radians */
static double most_ratio(const pd_law *law, const pd_impact *impact, double h)
{
  const double z = PD_MOST_VISCOSITY / phase_of(law, impact->n, impact->m, h);
  return z * impact->m / (viscosity(law, impact, 1.0) * impact->n * h);
}

void pd_impact_damp_rest(pd_contact_pair *pair, const pd_impact *impact, double h)
{
  const pd_law *law = pair->law;
  if (pd_law_perfectly_inelastic(law)) {
    const double phase = phase_of(law, impact->n, impact->m, h);
    pair->em.stiffness_damping = surplus_of(dead_damping(phase), phase);
    return;
  }
  const double creeping = PD_OVERDAMPED_RATIO / sqrt(impact->n * impact->mred / impact->m);
  pair->em.zeta = fmax(law->zeta, PD_REST_DAMPING * (1.0 - law->e) *
                                      fmin(creeping, most_ratio(law, impact, h)));
}

/* Energy of an impact about the depth at which its contacts bear the loads: what a contact that
 * persists stores to bear them is no motion's. The potential is convex, so it is never negative. */
static double energy_about_rest(const pd_law *law, const pd_impact *impact)
{
  const double v = pd_impact_potential(law, impact, impact->x);
  const double load = impact->m * fmax(0.0, -impact->g), in = fmax(0.0, impact->x);
  const double rest = pd_law_depth_of_force(law, impact->n, load);
  const double borne = load * (in - law->n1 / (law->n1 + 1.0) * rest);
  return 0.5 * impact->m * impact->v * impact->v + (v > 0.0 ? fmax(0.0, v - borne) : 0.0);
}

/* Part of an impact in what changes the normal speed within the step: 1 in an impact, 0 for a
 * contact that persists, as under a body that tips, rolls, swings or slides. smooth: the change
 * that motion without impacts makes. */
static double suddenness(const pd_law *law, const pd_impact *impact, double smooth)
{
  const double v2 = 2.0 * energy_about_rest(law, impact) / impact->m;
  return v2 / (v2 + smooth * smooth);
}

double pd_impact_before_touch(const pd_impact *impact, double h)
{
  const double way = fmax(0.0, -impact->x);
  const double root = impact->v * impact->v - 2.0 * impact->g * way;
  const double fast = root > 0.0 ? sqrt(root) - impact->v : 0.0;
  return 2.0 * way < fast * h ? 2.0 * way / (fast * h) : way > 0.0;
}

/* Part of the end's own force for a landing beside what bears: it acts for all of the step, and
 * takes the weight times the way before the landing, to the energy of which that is as what loads
 * make of the speed is to the speed. */
static double of_landing(const pd_law *law, const pd_impact *impact, double smooth)
{
  return suddenness(law, impact, PD_SUDDEN_LANDING * smooth);
}

/* an impact without restitution, as the scheme is to take it */
typedef struct inelastic {
  double w;         /* part that the scheme takes: 0 where the step resolves the impact */
  double in_impact; /* part of an impact in what happens, 0 for a contact that persists */
  double sudden;    /* the same, but 1 where the step resolves it: nothing need be held back */
  double phase;     /* radians of the contact's spring in a step */
  double damping;   /* viscosity times step over mass */
} inelastic;

static inelastic inelastic_of(const pd_contact_pair *pair, const pd_impact *impact, double h,
                              double w, double smooth)
{
  inelastic q;
  q.w = w;
  q.in_impact = suddenness(pair->law, impact, smooth) * (1.0 - impact->borne);
  q.sudden = 1.0 - w * (1.0 - q.in_impact);
  q.phase = phase_of(pair->law, impact->n, impact->m, h);
  const double full = dead_damping(q.phase);
  q.damping = q.sudden * full + (1.0 - q.sudden) * fmin(full, PD_DEAD_BEAT);
  return q;
}

/* part of the force that is the end's own */
static double inelastic_beta(const pd_contact_pair *pair, const inelastic *q,
                             const pd_impact *impact, double smooth)
{
  if (!impact->quiet) return q->w * (1.0 - impact->borne);
  return q->w * (impact->x < 0.0 ? of_landing(pair->law, impact, smooth) : q->in_impact);
}

/* a of the bodies, less where much of the step is over when they touch */
static double inelastic_a(const inelastic *q, const pd_impact *impact, double h)
{
  const double by_step = 0.5 + 0.5 * q->w * (q->sudden + (1.0 - q->sudden) * PD_PERSISTENT_A),
               by_damping = 0.5 + (least_a(q->damping) - 0.5) * q->in_impact;
  const double after = fmax(0.0, 1.0 - 2.0 * pd_impact_before_touch(impact, h));
  return 0.5 + (fmax(by_step, by_damping) - 0.5) * (1.0 - q->w * q->w * (1.0 - after));
}

/* No restitution is wanted: implicit Euler's method as far as the step does not resolve the impact,
 * and damping that leaves nothing to come back. Contacts that persist are left little of either, or
 * the motion about them would lose energy in proportion to the step: a block that rocks from one
 * edge to the other would be borne by the new one for all of the step in which it lands, and a
 * spinning top, whose contact never opens, would sink. */
static double choose_inelastic(pd_contact_pair *pair, const pd_impact *impact, double h, double w,
                               double smooth)
{
  const inelastic q = inelastic_of(pair, impact, h, w, smooth);
  pair->em.beta = inelastic_beta(pair, &q, impact, smooth);
  pair->em.stiffness_damping = surplus_of(q.damping, q.phase);
  return inelastic_a(&q, impact, h);
}

/* viscosity of the dashpots along the surface of one of the contacts of an impact: one of a dead
 * impact takes the speed along it in a step */
static double viscosity_of_friction(const pd_contact_pair *pair, const pd_impact *impact, double h)
{
  const pd_law *law = pair->law;
  if (!pd_law_perfectly_inelastic(law))
    return viscosity(law, impact, fmin(most_ratio(law, impact, h), fmax(1.0, pair->em.zeta)));
  const double z = fmin(dead_damping(phase_of(law, impact->n, impact->m, h)), PD_DEAD_BEAT);
  return z * impact->m / (impact->n * h);
}

/* In an impact a dashpot acts along the surface, too: else friction, whose spring may be soft
 * against the impact's time, would come too late for it, and its impulse would not be Coulomb's. It
 * has the part that dashpots have in the normal force. */
static double viscosity_along(const pd_contact_pair *pair, const pd_impact *impact, double h)
{
  const double c = viscosity_of_friction(pair, impact, h);
  const double in = fmax(0.0, impact->x);
  const double dash = impact->n * c * fmax(0.0, -impact->v);
  const double rest =
      impact->n * pd_law_force_at_depth(pair->law, in) + impact->m * fmax(0.0, -impact->g);
  return dash > 0.0 ? c * dash / (dash + rest) : 0.0;
}

double pd_impact_smooth_change(const pd_system *sys, const pd_contact_pair *pair)
{
  double change = 0.0;
  for (int side = 0; side < (pair->wall ? 1 : 2); side++) {
    const pd_body *b = &sys->body[side ? pair->b : pair->a];
    if (!b->mobile) continue;
    change += pd_norm(pd_body_falls(b)) + pd_norm2(b->start.w) * b->shape->lever;
  }
  return change * sys->scheme.h;
}

/* Slack of a contact that separates and keeps its share: short steps give off little, and have to
 * lose their part all the same. */
static double slack_of(const pd_law *law, const pd_impact *impact, double h, double keep)
{
  const double v0 = pd_impact_potential(law, impact, impact->x);
  if (!(v0 > 0.0) || impact->v < 0.0) return PD_SLACK;
  const double f = pd_law_force_of_energy(law, v0, impact->x),
               way = h * (impact->v + 0.5 * h * keep * f / impact->m);
  return fmin(PD_SLACK, fmax(PD_LEAST_SLACK, PD_SLACK_OF_STEP * f * way / v0));
}

/* Whether the penalty part of the law holds an impact: the barrier needs substeps and dashpots of
 * its own. */
static int is_held_by_penalty(const pd_system *sys, const pd_contact_pair *pair,
                              const pd_impact *impact)
{
  const pd_em_state *start = pd_contact_pair_at_start(sys, pair);
  if (start->active && start->gap < pair->law->gb2) return 0;
  return energy_of(pair->law, impact) <= impact->n * pair->law->phib;
}

/* Shares the loss of an impact of the restitution that the law has: the scheme takes the part w.
 * Where the restitution is given that is the same for all of the impact, or what one of the two
 * takes early the other takes again: the substep is not, as it follows the speed. */
static double choose_restitution(const pd_system *sys, pd_contact_pair *pair,
                                 const pd_impact *impact, double w)
{
  const pd_law *law = pair->law;
  const double h = sys->scheme.h, energy = look_back(law, impact, w);
  double zeta = law->zeta, want = fmax(PD_INELASTIC, law->e);
  if (!law->has_e)
    want = restitution(law, impact, energy, zeta);
  else
    zeta = w < 1.0 - PD_NEGLIGIBLE_WEIGHT ? damping_for(law, impact, energy, want) : 0.0;
  pair->em.zeta = (1.0 - w) * zeta;
  const double viscous =
      w < 1.0 - PD_NEGLIGIBLE_WEIGHT ? restitution(law, impact, energy, pair->em.zeta) : 1.0;
  const double e = w < PD_NEGLIGIBLE_WEIGHT ? 1.0 : fmin(1.0, want / viscous);
  if (impact->x > 0.0) pair->em.energy_returned = 1.0 - (1.0 - e * e) * (1.0 - impact->borne);
  pair->em.return_ramp = slack_of(law, impact, h, pair->em.energy_returned);
  if (impact->v > 0.0) pair->em.zeta *= e; /* a spring that gives back less takes its time */
  const double turn = 0.5 + (turning(law, impact, h, e) - 0.5) * (1.0 - impact->borne);
  return fmax(overdamped(law, impact, h, pair->em.zeta), turn);
}

double pd_impact_choose(const pd_system *sys, pd_contact_pair *pair, double longest,
                        const pd_impact *impact)
{
  const pd_law *law = pair->law;
  const double h = sys->scheme.h;
  const int given =
      law->has_e && !pd_law_perfectly_inelastic(law) && is_held_by_penalty(sys, pair, impact);
  const double w = unresolved(law, impact->n, impact->m, given ? longest : h);
  if (w < PD_NEGLIGIBLE_WEIGHT && !law->has_e) return overdamped(law, impact, h, pair->em.zeta);
  const double a = pd_law_perfectly_inelastic(law)
                       ? choose_inelastic(pair, impact, h, w, pd_impact_smooth_change(sys, pair))
                       : choose_restitution(sys, pair, impact, w);
  pair->em.impact_viscosity = (law->has_e ? 1.0 : w) * viscosity_along(pair, impact, h);
  return a;
}
