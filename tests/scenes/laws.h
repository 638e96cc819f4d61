/* SPDX-License-Identifier: MIT
 * The contact law of the tests: a logarithmic barrier over the last tenth of the activation
 * distance, no friction. */
#ifndef LAWS_H
#define LAWS_H

#include "check.h"
#include "contact/law/normal.h"

/* Stiffness eps1 and exponent n1 of the penalty, activation distance gbar, damping ratio zeta,
 * which begins over the fraction ramp of gbar. */
static inline pd_law law_make(double eps1, double n1, double gbar, double zeta, double ramp)
{
  pd_law law = {0};
  law.eps1 = eps1;
  law.n1 = n1;
  law.gbar = gbar;
  law.f = 0.1;
  law.n2 = -1.0;
  law.zeta = zeta;
  law.ramp = ramp;
  check_ok(pd_law_init(&law));
  return law;
}

#endif
