/* SPDX-License-Identifier: MIT
 * Interface law in normal direction: penalty part, barrier part, damping.
 * Equation numbers: Gay Neto & Wriggers, Discrete element model for general polyhedra (2021). */
#ifndef PD_LAW_H
#define PD_LAW_H

#include "base/numbers.h"
#include "base/status.h"

/* tangential direction, eqs. (54)-(58); no friction if eps_t is 0 */
typedef struct pd_friction_law {
  double mu_s;  /* static coefficient, >= mu_d */
  double mu_d;  /* dynamic coefficient, >= 0 */
  double eps_t; /* tangential stiffness, force/length, >= 0 */
  double c_t;   /* tangential viscosity, force/velocity, >= 0 */
  double v_s;   /* speed over which mu_s falls to mu_d by exp(-v/v_s); 0: the paper's sudden drop */
} pd_friction_law;

/* parameters given by the user, then what pd_law_init derives from them */
typedef struct pd_law {
  double eps1; /* stiffness of the penalty part, force/length^n1, > 0 */
  double n1;   /* exponent of the penalty part, >= 1 */
  double gbar; /* activation threshold of the gap, length, > 0 */
  double f;    /* the barrier acts below f gbar, 0 < f < 1 */
  double n2;   /* exponent of the barrier, < 0; its energy is unbounded only for n2 <= -1 */
  double zeta; /* damping ratio, >= 0 */
  double ramp; /* the damping coefficient rises linearly over this fraction of gbar, 0 = at once */
  pd_friction_law t;
  int has_e;   /* energy-momentum scheme: the restitution is given; else it follows from zeta */
  double e;    /* 0 to 1 */
  double gb2;  /* f gbar */
  double eps2; /* eq. (51) */
  double c2;   /* eq. (51) */
  double fb;   /* force at gb2 */
  double phib; /* potential at gb2 */
} pd_law;

/* force and its derivatives at one gap */
typedef struct pd_law_value {
  double phi; /* potential, phi' = -fn */
  double fn;  /* elastic normal force, >= 0: eq. (49) */
  double df;  /* d fn / d g, <= 0 */
  double d2f; /* d^2 fn / d g^2 */
} pd_law_value;

PD_KERNEL int pd_friction_ok(const pd_friction_law *t)
{
  const double sum = t->mu_s + t->eps_t + t->c_t + t->v_s;
  return t->mu_d >= 0.0 && t->mu_s >= t->mu_d && t->eps_t >= 0.0 && t->c_t >= 0.0 &&
         t->v_s >= 0.0 && sum <= DBL_MAX;
}

/* x^p, x > 0. The C library rounds powers to a last digit that depends on the exponent of x; with
 * this one a power of two in the unit of length changes no digit. */
PD_KERNEL double pd_power(double x, double p)
{
  int exponent;
  const double digits = frexp(x, &exponent), y = exponent * p;
  const double whole = fmax(-2.0 * DBL_MAX_EXP, fmin(2.0 * DBL_MAX_EXP, floor(y)));
  return ldexp(pow(digits, p) * exp2(y - whole), (int)whole);
}

/* Checks the parameters and derives the constants. Errors: PD_ERANGE. */
PD_KERNEL pd_status pd_law_init(pd_law *law)
{
  const int ok = pd_friction_ok(&law->t) && law->eps1 > 0.0 && law->n1 >= 1.0 && law->gbar > 0.0 &&
                 law->f > 0.0 && law->f < 1.0 && law->n2 < 0.0 && law->zeta >= 0.0 &&
                 law->ramp >= 0.0 && law->ramp <= 1.0 && law->zeta <= DBL_MAX;
  if (!ok) return PD_ERANGE;
  const double span = law->gbar * (1.0 - law->f);
  law->gb2 = law->f * law->gbar;
  law->fb = law->eps1 * pd_power(span, law->n1);
  law->eps2 = -law->fb * law->n1 / (span * law->n2 * pd_power(law->gb2, law->n2 - 1.0));
  law->c2 = law->fb - law->eps2 * pd_power(law->gb2, law->n2);
  law->phib = law->fb * span / (law->n1 + 1.0);
  /* infinite or extreme parameters show up here */
  const double sum = law->eps2 + fabs(law->c2) + law->phib;
  return law->eps2 > 0.0 && law->phib > 0.0 && sum <= DBL_MAX ? PD_OK : PD_ERANGE;
}

/* Whether two laws mix: their exponents and barrier fractions must be the same, and both or none
 * have a restitution: of one that has, and a damping ratio, there would be neither. */
PD_KERNEL int pd_law_mixes(const pd_law *a, const pd_law *b)
{
  return a->n1 == b->n1 && a->f == b->f && a->n2 == b->n2 && !a->has_e == !b->has_e;
}

/* The law between bodies of two laws that mix: geometric means of stiffness, damping and friction,
 * the larger distances and speeds. */
PD_KERNEL pd_law pd_law_mixed(const pd_law *a, const pd_law *b)
{
  pd_law m = *a;
  m.eps1 = sqrt(a->eps1 * b->eps1);
  m.gbar = fmax(a->gbar, b->gbar);
  m.zeta = sqrt(a->zeta * b->zeta);
  m.ramp = fmax(a->ramp, b->ramp);
  m.has_e = a->has_e && b->has_e;
  m.e = sqrt(a->e * b->e);
  m.t.mu_s = sqrt(a->t.mu_s * b->t.mu_s);
  m.t.mu_d = sqrt(a->t.mu_d * b->t.mu_d);
  m.t.eps_t = sqrt(a->t.eps_t * b->t.eps_t);
  m.t.c_t = sqrt(a->t.c_t * b->t.c_t);
  m.t.v_s = fmax(a->t.v_s, b->t.v_s);
  pd_law_init(&m);
  return m;
}

/* whether a contact of the law gives back all of its energy */
PD_KERNEL int pd_law_lossless(const pd_law *law)
{
  return law->has_e ? law->e >= 1.0 : law->zeta <= 0.0;
}

/* whether impacts of the law are dead: nothing of the speed is left */
PD_KERNEL int pd_law_perfectly_inelastic(const pd_law *law)
{
  return law->has_e && law->e <= PD_INELASTIC;
}

/* The penalty part is a spring: depth x = gbar - g >= 0 below the activation distance, n contacts
 * side by side. Powers are those of ratios: with large exponents, those of lengths leave the range
 * of numbers. */

/* force of one contact over its depth */
PD_KERNEL double pd_law_secant_at_depth(const pd_law *law, double x)
{
  const double span = law->gbar - law->gb2;
  if (law->n1 == 1.0) return law->eps1;
  if (law->n1 == 1.5) return law->eps1 * sqrt(x); /* pow is slow */
  return law->fb / span * pow(x / span, law->n1 - 1.0);
}

PD_KERNEL pd_law_value pd_law_penalty(const pd_law *law, double g)
{
  const double x = law->gbar - g, p = pd_law_secant_at_depth(law, x), n = law->n1;
  pd_law_value value;
  value.fn = p * x;
  value.df = -n * p;
  value.d2f = n == 1.0 ? 0.0 : n * (n - 1.0) * p / x;
  value.phi = value.fn * x / (n + 1.0);
  return value;
}

/* force of one contact */
PD_KERNEL double pd_law_force_at_depth(const pd_law *law, double x)
{
  return pd_law_secant_at_depth(law, x) * x;
}

/* potential of n contacts */
PD_KERNEL double pd_law_energy_at_depth(const pd_law *law, double n, double x)
{
  return n * pd_law_force_at_depth(law, x) * x / (law->n1 + 1.0);
}

/* depth at which n contacts have this potential */
PD_KERNEL double pd_law_depth_of_energy(const pd_law *law, double n, double energy)
{
  return (law->gbar - law->gb2) * pow(energy / (n * law->phib), 1.0 / (law->n1 + 1.0));
}

/* depth at which n contacts have this force */
PD_KERNEL double pd_law_depth_of_force(const pd_law *law, double n, double force)
{
  return (law->gbar - law->gb2) * pow(force / (n * law->fb), 1.0 / law->n1);
}

/* depth at which any number of contacts have this potential and this force */
PD_KERNEL double pd_law_depth_of_both(const pd_law *law, double energy, double force)
{
  return (law->n1 + 1.0) * energy / force;
}

/* force of any number of contacts that have this potential at the depth x */
PD_KERNEL double pd_law_force_of_energy(const pd_law *law, double energy, double x)
{
  return (law->n1 + 1.0) * energy / x;
}

/* stiffness of one contact at half the activation distance */
PD_KERNEL double pd_law_stiffness(const pd_law *law)
{
  return law->eps1 * law->n1 * pd_power(0.5 * law->gbar, law->n1 - 1.0);
}

PD_KERNEL pd_law_value pd_law_barrier(const pd_law *law, double g)
{
  const double n = law->n2, p = n == -1.0 ? 1.0 / g : pd_power(g, n);
  pd_law_value value;
  value.fn = law->eps2 * p + law->c2;
  value.df = law->eps2 * n * p / g;
  value.d2f = law->eps2 * n * (n - 1.0) * p / (g * g);
  const double rise = n == -1.0 ? law->eps2 * log(law->gb2 / g)
                                : law->eps2 * (pd_power(law->gb2, n + 1.0) - p * g) / (n + 1.0);
  value.phi = law->phib + rise + law->c2 * (law->gb2 - g);
  return value;
}

/* Hybrid law of eq. (49) with its potential; gap g > 0 in length units. */
PD_KERNEL pd_law_value pd_law_eval(const pd_law *law, double g)
{
  if (g < law->gb2) return pd_law_barrier(law, g);
  if (g < law->gbar) return pd_law_penalty(law, g);
  pd_law_value zero;
  zero.phi = zero.fn = zero.df = zero.d2f = 0.0;
  return zero;
}

/* Normal force with damping, eqs. (52)-(53), and its derivatives by gap and gap rate. */
typedef struct pd_normal_force {
  double n;      /* total compressive force >= 0 */
  double dn_dg;  /* force/length */
  double dn_dgd; /* force/velocity, <= 0 */
} pd_normal_force;

/* v: the elastic law at g; gdot: rate of the gap, length/time; mred: reduced mass of the pair.
 * The coefficient is ramped in from gbar, because sqrt(-f') jumps there for n1 = 1 and has an
 * infinite slope for n1 < 3. */
PD_KERNEL pd_normal_force pd_law_damped(const pd_law *law, pd_law_value v, double g, double gdot,
                                        double mred)
{
  pd_normal_force force;
  force.n = v.fn;
  force.dn_dg = v.df;
  force.dn_dgd = 0.0;
  if (law->zeta <= 0.0 || v.df >= 0.0) return force;
  const double x = (law->gbar - g) / (law->ramp * law->gbar), root = sqrt(-v.df * mred);
  const int ramped = law->ramp > 0.0 && x < 1.0;
  const double r = ramped ? x : 1.0, dr = ramped ? -1.0 / (law->ramp * law->gbar) : 0.0;
  const double c = 2.0 * law->zeta * root * r;
  const double dc = 2.0 * law->zeta * (dr * root - 0.5 * r * v.d2f * mred / root);
  const double n = v.fn - c * gdot;
  if (n <= 0.0) { /* the contact never pulls */
    force.n = force.dn_dg = 0.0;
    return force;
  }
  force.n = n;
  force.dn_dg = v.df - dc * gdot;
  force.dn_dgd = -c;
  return force;
}

#endif
