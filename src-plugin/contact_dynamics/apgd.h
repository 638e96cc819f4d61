/* SPDX-License-Identifier: MIT
 * Accelerated projected gradient descent: Nesterov's method with adaptive restart for the minimum
 * of g(x) + h(x), g convex and smooth, h convex with an easy proximal map. The projection on a
 * convex set is such a map (h its indicator). */
#ifndef PD_CD_APGD_H
#define PD_CD_APGD_H

#include "contact_dynamics/network.h"

typedef struct pd_cd_smooth {
  const pd_cd_network *net; /* for its global sums */
  void *ctx;
  int n;
  void (*gradient)(void *ctx, const double *x, double *g);
  void (*prox)(void *ctx, double step,
               double *x); /* argmin_z h(z) + |z - x|^2 / (2 step), in place */
  double (*residual)(void *ctx, const double *x); /* what is compared with tol */
} pd_cd_smooth;

typedef struct pd_cd_report {
  int iterations;
  int converged; /* 0: the limit of iterations came first; the caller judges by the residual */
  double residual;
  int corrections; /* of friction, if they were not enough; residual is then what they still change
                    */
} pd_cd_report;

PD_BEGIN_DECLS

/* Minimises from x until the residual is at most tol. *lipschitz: estimated largest curvature of g,
 * whose inverse is the step; raised where the gradients show that it is too small.
 * Errors: PD_ENOMEM, PD_ENAN. */
pd_status pd_cd_apgd(const pd_cd_smooth *problem, double tol, int maxit, double *lipschitz,
                     pd_cd_pool *pool, double *x, pd_cd_report *report);

/* Largest eigenvalue of a symmetric positive semidefinite operator on n local numbers, by power
 * iteration, a little above it. apply: out = A x. Errors: PD_ENOMEM. */
pd_status pd_cd_largest_eigenvalue(const pd_cd_network *net, void *ctx, int n,
                                   void (*apply)(void *ctx, const double *x, double *out),
                                   pd_cd_pool *pool, double *value);

PD_END_DECLS

#endif
