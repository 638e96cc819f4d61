/* SPDX-License-Identifier: MIT
 * Size distributions of grains, and classes of size that stand for them. */
#ifndef PD_GRADING_H
#define PD_GRADING_H

#include "base/status.h"

typedef enum pd_grading_kind { PD_UNIFORM, PD_LOGNORMAL, PD_SIEVES } pd_grading_kind;

typedef struct pd_grading {
  pd_grading_kind kind;
  double a, b; /* uniform: smallest and largest size; lognormal: median, deviation of the logarithm.
                  Both are distributions of the number of grains */
  int n;       /* sieves: how many */
  const double *opening; /* n openings, ascending, > 0 */
  const double *passing; /* n parts of the mass that pass, ascending from 0 to 1; between two sieves
                            linear over the logarithm of the opening */
} pd_grading;

PD_BEGIN_DECLS

/* Whether it is a distribution. Errors: PD_ERANGE. */
pd_status pd_grading_check(const pd_grading *g);

/* Size below which a part of the grains is, 0 < part < 1, and the reverse. By number; of sieves by
 * mass. */
double pd_grading_size(const pd_grading *g, double part);
double pd_grading_part(const pd_grading *g, double size);

/* n sizes that stand for equal parts of the distribution, each in the middle of its part, and their
 * shares in the number of grains of one shape, with the sum 1. */
void pd_grading_classes(const pd_grading *g, int n, double *size, double *share);

PD_END_DECLS

#endif
