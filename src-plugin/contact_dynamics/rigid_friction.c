/* SPDX-License-Identifier: MIT
 * Coulomb friction in the rigid problem: a cone complementarity problem, the minimum of
 * f.N f/2 + f.p over the friction cones |f_t| <= mu f_n, by accelerated projected gradients. Its
 * solution slides associated with the cone: it opens the gap by mu |v_t|. Taking that speed off
 * again (de Saxce's term, added to p) until it no longer changes gives Coulomb's law. */
#include "contact_dynamics/rigid_internal.h"

/* Solutions need not be more accurate than de Saxce's term is yet: that of the first one; that of
 * those which follow, as a part of the last change of the term. Packs of 36 cubes in fall (five of
 * them, mu 0.2 to 0.8) take 0.3 to 0.6 of the time that they take with tol from the start; with
 * 0.03 in place of 0.1 0.4 to 0.6, with 0.3 0.5 to 0.9. */
static const double FIRST_TOL = 1e-2, PART_OF_CHANGE = 0.1;

typedef struct cones {
  pd_cd_rigid z;
  double *g;     /* three per contact */
  double *bias0; /* per contact: bias of the normal without de Saxce's term */
} cones;

static void make_rows(const pd_cd_network *net, pd_cd_row *row)
{
  for (int i = 0; i < net->ncontact; i++) {
    pd_vec3 t1, t2;
    pd_cd_tangents(net->contact[i].n, &t1, &t2);
    row[3 * (size_t)i] = net->row[i];
    row[3 * (size_t)i + 1] = pd_cd_tangent_row(net, &net->contact[i], t1);
    row[3 * (size_t)i + 2] = pd_cd_tangent_row(net, &net->contact[i], t2);
  }
}

static void add_tangential_drift(cones *s)
{
  for (int i = 0; i < s->z.net->ncontact; i++) {
    const pd_cd_contact *c = &s->z.net->contact[i];
    pd_vec3 t1, t2;
    pd_cd_tangents(c->n, &t1, &t2);
    s->z.bias[3 * (size_t)i + 1] = pd_dot(t1, c->drift);
    s->z.bias[3 * (size_t)i + 2] = pd_dot(t2, c->drift);
    s->bias0[i] = s->z.bias[3 * (size_t)i];
  }
}

/* nearest point of the cone |f_t| <= mu f_n */
static void project_one(double mu, double *f)
{
  const double t = sqrt(f[1] * f[1] + f[2] * f[2]);
  if (t <= mu * f[0]) return;
  const double n = mu * t <= -f[0] ? 0.0 : (f[0] + mu * t) / (1.0 + mu * mu);
  const double s = t > 0.0 ? mu * n / t : 0.0;
  f[0] = n;
  f[1] *= s;
  f[2] *= s;
}

static void project(void *ctx, double step, double *f)
{
  const cones *s = (const cones *)ctx;
  (void)step;
  for (int i = 0; i < s->z.net->ncontact; i++)
    project_one(s->z.net->contact[i].mu, f + 3 * (size_t)i);
}

static void gradient(void *ctx, const double *f, double *g)
{
  pd_cd_rigid_gradient(&((const cones *)ctx)->z, f, g);
}

static void apply(void *ctx, const double *f, double *out)
{
  pd_cd_rigid_apply(&((const cones *)ctx)->z, f, out);
}

/* speed by which a projected gradient step of this contact alone would move its force */
static double contact_residual(const cones *s, int i, const double *f, double *scale)
{
  const double *d = s->z.diag + 3 * (size_t)i, *at = f + 3 * (size_t)i, *g = s->g + 3 * (size_t)i;
  const double m = fmax(d[0], fmax(d[1], d[2]));
  if (!(m > 0.0)) return 0.0;
  double x[3] = {at[0] - g[0] / m, at[1] - g[1] / m, at[2] - g[2] / m};
  project_one(s->z.net->contact[i].mu, x);
  *scale = fmax(*scale, m * at[0]);
  return m * pd_norm(pd_v(x[0] - at[0], x[1] - at[1], x[2] - at[2]));
}

static double residual(void *ctx, const double *f)
{
  const cones *s = (const cones *)ctx;
  double worst = 0.0, scale = s->z.scale;
  pd_cd_rigid_gradient(&s->z, f, s->g);
  for (int i = 0; i < s->z.net->ncontact; i++)
    worst = pd_cd_worse(worst, contact_residual(s, i, f, &scale));
  worst = pd_cd_max1(s->z.net->communication, worst);
  scale = pd_cd_max1(s->z.net->communication, scale);
  return scale > 0.0 ? worst / scale : worst;
}

/* de Saxce's term at the present velocities; returns its largest change, over the scale */
static double correct(cones *s)
{
  double change = 0.0;
  for (int i = 0; i < s->z.net->ncontact; i++) {
    const double *g = s->g + 3 * (size_t)i;
    const double bias = s->bias0[i] + s->z.net->contact[i].mu * sqrt(g[1] * g[1] + g[2] * g[2]);
    change = fmax(change, fabs(bias - s->z.bias[3 * (size_t)i]));
    s->z.bias[3 * (size_t)i] = bias;
  }
  change = pd_cd_max1(s->z.net->communication, change);
  return s->z.scale > 0.0 ? change / s->z.scale : change;
}

static pd_status iterate(cones *s, double largest, pd_cd_pool *pool, pd_cd_report *report)
{
  const pd_cd_options *opt = s->z.opt;
  const pd_cd_smooth problem = {s->z.net, s, s->z.op.n, gradient, project, residual};
  int total = 0;
  double tol = opt->corrections > 0 ? fmax(opt->tol, FIRST_TOL) : opt->tol;
  report->corrections = 0;
  for (int it = 0;; it++) {
    const pd_status status =
        pd_cd_apgd(&problem, tol, opt->maxit, &largest, pool, s->z.step->f, report);
    if (status) return status;
    report->iterations = total += report->iterations;
    if (opt->corrections == 0) return PD_OK;
    const int solved = report->converged;
    const double change = correct(s);
    if (change <= opt->tol && tol <= opt->tol) return PD_OK;
    tol = it + 1 < opt->corrections ? fmax(opt->tol, PART_OF_CHANGE * change) : opt->tol;
    report->converged = 0;
    if (it < opt->corrections) continue;
    if (!solved) return PD_OK; /* of its own iterations there have been too few */
    report->residual = change;
    report->corrections = it;
    return PD_OK;
  }
}

static void find_slack(cones *s)
{
  pd_cd_rigid_gradient(&s->z, s->z.step->f, s->g);
  for (int i = 0; i < s->z.net->ncontact; i++)
    s->z.step->slack[i] = s->g[3 * (size_t)i] + s->bias0[i] - s->z.bias[3 * (size_t)i];
}

static pd_status solve(cones *s, pd_cd_pool *pool, pd_cd_report *report)
{
  double largest = 0.0;
  pd_status status = pd_cd_rigid_setup(&s->z, 3, pool);
  if (status) return status;
  add_tangential_drift(s);
  status = pd_cd_largest_eigenvalue(s->z.net, s, s->z.op.n, apply, pool, &largest);
  if (!status) status = iterate(s, largest, pool, report);
  if (!status) find_slack(s);
  return status;
}

pd_status pd_cd_step_solve_friction(const pd_cd_network *net, const pd_cd_options *opt,
                                    pd_cd_step *step, pd_cd_pool *pool, pd_cd_report *report)
{
  const int mark = pd_cd_pool_open(pool), n = net->ncontact;
  pd_cd_row *row = pd_cd_take_rows(pool, 3 * (size_t)n);
  cones s = {{net, opt, step, {net, 3 * n, row}, NULL, NULL, NULL, NULL, 0.0, 0.0}, NULL, NULL};
  s.g = pd_cd_take(pool, 3 * (size_t)n);
  s.bias0 = pd_cd_take(pool, (size_t)n);
  pd_status status = pool->failed ? PD_ENOMEM : PD_OK;
  if (!status) {
    make_rows(net, row);
    status = solve(&s, pool, report);
  }
  pd_cd_pool_close(pool, mark);
  return status;
}
