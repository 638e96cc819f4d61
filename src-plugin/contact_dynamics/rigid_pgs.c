/* SPDX-License-Identifier: MIT
 * Projected Gauss-Seidel for the linear complementarity problem (21). Within a process contacts are
 * visited one after the other, in the order asked for; across processes sweeps are combined as in a
 * block Jacobi method. */
#include "contact_dynamics/rigid_internal.h"

/* v += s M^-1 of half a row; ghosts too, for the sweeps of this process */
static void push(const pd_cd_body *b, double s, const double *j, double *v, int turns)
{
  for (int c = 0; c < 3; c++) v[c] += s * b->inv_mass * j[c];
  if (turns && b->turns)
    pd_v_store(v + 3, pd_axpy(pd_v_load(v + 3), s, pd_mv(b->inv_inertia, pd_v_load(j + 3))));
}

static void visit(const pd_cd_rigid *z, int i, double *f)
{
  const pd_cd_row *r = &z->op.row[i];
  double *v = z->step->v;
  if (!(z->diag[i] > 0.0)) return;
  const double rate = pd_cd_row_rate(r, v) + z->bias[i];
  const double next = fmax(0.0, f[i] - rate / z->diag[i]), s = z->step->dt * (next - f[i]);
  f[i] = next;
  if (s == 0.0) return;
  if (r->a >= 0) push(&z->net->body[r->a], s, r->ja, v + 6 * (size_t)r->a, r->turns);
  if (r->b >= 0) push(&z->net->body[r->b], s, r->jb, v + 6 * (size_t)r->b, r->turns);
}

/* On how many processes contacts act on one body, at most. N is at most that many times the block
 * diagonal matrix of the processes' own parts, so that sweeps weighted by its inverse descend. */
static double sharing(const pd_cd_rigid *z)
{
  double *buffer = z->buffer, most = 1.0;
  for (size_t i = 0; i < 6 * (size_t)z->net->nbody; i++) buffer[i] = 0.0;
  for (int i = 0; i < z->op.n; i++) {
    if (z->op.row[i].a >= 0) buffer[6 * (size_t)z->op.row[i].a] = 1.0;
    if (z->op.row[i].b >= 0) buffer[6 * (size_t)z->op.row[i].b] = 1.0;
  }
  pd_reverse(z->net->communication, buffer);
  for (int i = 0; i < z->net->nowned; i++) most = fmax(most, buffer[6 * (size_t)i]);
  return pd_cd_max1(z->net->communication, most);
}

static void sweep(const pd_cd_rigid *z, double weight, double *f, double *old)
{
  const int *order = z->opt->order;
  for (int i = 0; i < z->op.n; i++) old[i] = f[i];
  for (int i = 0; i < z->op.n; i++) visit(z, order ? order[i] : i, f);
  if (weight == 1.0) return;
  for (int i = 0; i < z->op.n; i++) f[i] = old[i] + weight * (f[i] - old[i]);
}

static pd_status iterate(pd_cd_rigid *z, double *g, double *old, pd_cd_report *report)
{
  double *f = z->step->f;
  const double weight = 1.0 / sharing(z);
  for (int i = 0; i < z->op.n; i++) f[i] = fmax(0.0, f[i]);
  for (int it = 0;; it++) {
    /* the velocities are made anew each time: no rounding adds up, and the residual is at hand */
    pd_cd_rigid_gradient(z, f, g);
    report->iterations = it;
    report->residual = pd_cd_rigid_residual(z, f, g);
    if (!isfinite(report->residual)) return PD_ENAN;
    report->converged = report->residual <= z->opt->tol;
    if (report->converged || it == z->opt->maxit) return PD_OK;
    sweep(z, weight, f, old);
  }
}

pd_status pd_cd_rigid_pgs(pd_cd_rigid *z, pd_cd_pool *pool, pd_cd_report *report)
{
  const int mark = pd_cd_pool_open(pool);
  double *g = pd_cd_take(pool, (size_t)z->op.n), *old = pd_cd_take(pool, (size_t)z->op.n);
  const pd_status status = pool->failed ? PD_ENOMEM : iterate(z, g, old, report);
  pd_cd_pool_close(pool, mark);
  return status;
}
