/* SPDX-License-Identifier: MIT
 * One time step: the solver that is asked for, impulses to loads. */
#include "contact_dynamics/rigid_internal.h"

pd_cd_options pd_cd_defaults(void)
{
  const pd_cd_options opt = {PD_CD_APGD, 1e-8, 10000, NULL, 0.0, 0.0, 100};
  return opt;
}

void pd_cd_step_load(const pd_cd_network *net, const pd_cd_step *step, double *load)
{
  for (int i = 0; i < net->nowned; i++) {
    const pd_cd_body *b = &net->body[i];
    const double *v = step->v + 6 * (size_t)i, *v0 = step->v0 + 6 * (size_t)i;
    const double *f = step->fext + 6 * (size_t)i;
    double *o = load + 6 * (size_t)i;
    for (int c = 0; c < 6; c++) o[c] = 0.0;
    if (!b->mobile) continue;
    for (int c = 0; c < 3; c++) o[c] = b->mass / step->dt * (v[c] - v0[c]) - f[c];
    if (!b->turns) continue;
    const pd_vec3 dw = pd_sub(pd_v_load(v + 3), pd_v_load(v0 + 3));
    pd_v_store(o + 3, pd_axpy(pd_neg(pd_v_load(f + 3)), 1.0 / step->dt, pd_mv(b->inertia, dw)));
  }
}

pd_status pd_cd_step_solve(const pd_cd_network *net, const pd_cd_options *opt, pd_cd_step *step,
                           pd_cd_pool *pool, pd_cd_report *report)
{
  const int mark = pd_cd_pool_open(pool);
  pd_cd_rigid z = {net, opt, step, pd_cd_normals(net), NULL, NULL, NULL, NULL, 0.0, 0.0};
  pd_status status = pd_cd_rigid_setup(&z, 1, pool);
  if (!status)
    status = opt->method == PD_CD_PGS ? pd_cd_rigid_pgs(&z, pool, report)
                                      : pd_cd_rigid_apgd(&z, pool, report);
  if (!status) pd_cd_rigid_gradient(&z, step->f, step->slack);
  pd_cd_pool_close(pool, mark);
  return status;
}
