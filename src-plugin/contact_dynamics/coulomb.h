/* SPDX-License-Identifier: MIT
 * Law of an elastic contact with Coulomb friction, for loads that have grown in proportion from
 * nothing. c: overlap and tangential displacements (of b against a), f: normal and tangential
 * forces on a,
 *   f_n = k c_n^(p-1),   f_t = min(ratio |c_t|/c_n, mu) f_n c_t/|c_t|.
 * A tangential spring of stiffness ratio times the normal one, both as the contact has them on the
 * way, adds up to the first where displacements grow in proportion, for any p; beyond the cone the
 * contact slips, against the direction of its displacement (return mapping in one step, which the
 * way of loading makes exact).
 * Equation numbers: Olsen & Kamrin (2018). */
#ifndef PD_CD_COULOMB_H
#define PD_CD_COULOMB_H

#include "contact_dynamics/elastic.h"

typedef struct pd_cd_coulomb {
  double p, ratio;     /* exponent of the strain energy; tangential over normal stiffness */
  double k, mu;        /* k = 0: open for good */
  const double *slide; /* two: unit direction in which b slides over a for long, that of the force
                          on a; NULL or 0: it does not, and the displacements tell */
} pd_cd_coulomb;

/* df/dc: the normal force does not depend on the tangential displacement */
typedef struct pd_cd_coulomb_tangent {
  double nn, tn[2], tt[3]; /* tt: 11, 12, 22 */
  int slips;
} pd_cd_coulomb_tangent;

PD_KERNEL int pd_cd_slides(const pd_cd_coulomb *q)
{
  return q->slide && (q->slide[0] != 0.0 || q->slide[1] != 0.0);
}

/* Forces of a contact, the normal one by eq. (31). Returns 1 if it slips. */
PD_KERNEL int pd_cd_coulomb_force(const pd_cd_coulomb *q, const double *c, double *f)
{
  f[0] = pd_cd_force(q->p, q->k, c[0]);
  f[1] = f[2] = 0.0;
  if (!(f[0] > 0.0)) return 0;
  if (pd_cd_slides(q)) {
    f[1] = q->mu * f[0] * q->slide[0], f[2] = q->mu * f[0] * q->slide[1];
    return 1;
  }
  const double size = sqrt(c[1] * c[1] + c[2] * c[2]);
  const int slips = q->ratio * size >= q->mu * c[0];
  const double s = !slips ? q->ratio * f[0] / c[0] : size > 0.0 ? q->mu * f[0] / size : 0.0;
  f[1] = s * c[1], f[2] = s * c[2];
  return slips;
}

/* its derivative where the forces are f */
PD_KERNEL pd_cd_coulomb_tangent pd_cd_coulomb_derivative(const pd_cd_coulomb *q, const double *c,
                                                         const double *f)
{
  pd_cd_coulomb_tangent a = {0.0, {0.0, 0.0}, {0.0, 0.0, 0.0}, 0};
  if (!(f[0] > 0.0)) return a;
  const double size = sqrt(c[1] * c[1] + c[2] * c[2]);
  const int slides = pd_cd_slides(q);
  a.nn = (q->p - 1.0) * f[0] / c[0];
  a.slips = slides || q->ratio * size >= q->mu * c[0];
  if (!a.slips) {
    const double s = q->ratio * f[0] / c[0], by_overlap = (q->p - 2.0) * s / c[0];
    a.tn[0] = by_overlap * c[1], a.tn[1] = by_overlap * c[2];
    a.tt[0] = a.tt[2] = s;
    return a;
  }
  if (!slides && !(size > 0.0)) return a; /* without friction */
  const double e[2] = {slides ? q->slide[0] : c[1] / size, slides ? q->slide[1] : c[2] / size};
  const double s = slides ? 0.0 : q->mu * f[0] / size;
  a.tn[0] = q->mu * a.nn * e[0], a.tn[1] = q->mu * a.nn * e[1];
  a.tt[0] = s * e[1] * e[1], a.tt[1] = -s * e[0] * e[1], a.tt[2] = s * e[0] * e[0];
  return a;
}

/* complementary energy under the forces f: w* of eq. (34) and that of the tangential spring */
PD_KERNEL double pd_cd_coulomb_energy(const pd_cd_coulomb *q, const double *f)
{
  if (!(q->k > 0.0 && f[0] > 0.0)) return 0.0;
  const double t = f[1] * f[1] + f[2] * f[2], c = pow(f[0] / q->k, 1.0 / (q->p - 1.0));
  const double stretch = q->ratio > 0.0 ? c * t / (q->ratio * f[0]) : 0.0; /* |f_t| times it */
  return pd_cd_complementary(q->p, q->k, f[0]) + (q->p - 1.0) / q->p * stretch;
}

#endif
