/* SPDX-License-Identifier: MIT
 * What the solvers of the rigid problem share. */
#ifndef PD_CD_RIGID_INTERNAL_H
#define PD_CD_RIGID_INTERNAL_H

#include "contact_dynamics/rigid.h"

/* N f + p = B v(f) + bias with v(f) = v_free + dt M^-1 B^T f: neither N nor p is formed */
typedef struct pd_cd_rigid {
  const pd_cd_network *net;
  const pd_cd_options *opt;
  pd_cd_step *step;
  pd_cd_operator op;
  double *vfree;  /* six: v + dt M^-1 F_ext, with ghosts */
  double *buffer; /* resultants of the present forces */
  double *bias;   /* per row: p - B v_free */
  double *diag;   /* per row: diagonal of N */
  double scale;   /* largest speed of a body, or at which a contact would close without forces or
                     its overlap be pressed out; or what rounding leaves of the velocities, over the
                     tolerance */
  double calm;    /* contacts with restitution that open faster are left alone */
} pd_cd_rigid;

/* Takes the arrays of z, whose net, opt, step and op are set, and fills them; the bias only in the
 * rows 0, stride, 2 stride, ... of the normals, zero elsewhere. Errors: PD_ENOMEM, PD_ENAN,
 * PD_ERANGE. */
pd_status pd_cd_rigid_setup(pd_cd_rigid *z, int stride, pd_cd_pool *pool);

/* step->v = v(f), ghosts too */
void pd_cd_rigid_velocities(const pd_cd_rigid *z, const double *f);

/* g = N f + p; step->v follows */
void pd_cd_rigid_gradient(const pd_cd_rigid *z, const double *f, double *g);

/* out = N f, for the power iteration */
void pd_cd_rigid_apply(const pd_cd_rigid *z, const double *f, double *out);

/* largest |min(N_ii f_i, (N f + p)_i)|, over the scale */
double pd_cd_rigid_residual(const pd_cd_rigid *z, const double *f, const double *g);

pd_status pd_cd_rigid_pgs(pd_cd_rigid *z, pd_cd_pool *pool, pd_cd_report *report);
pd_status pd_cd_rigid_apgd(pd_cd_rigid *z, pd_cd_pool *pool, pd_cd_report *report);

#endif
