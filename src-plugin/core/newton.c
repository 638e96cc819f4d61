/* SPDX-License-Identifier: MIT */
#include "newton.h"

#include <string.h>

/* globally reduced figures of one evaluation */
typedef struct norms {
  pd_status status;
  double residual; /* moments divided by the bounding radius */
  double merit;    /* residual in units of acceleration, for the line search */
  double scale;    /* contact forces and external loads */
  double floor;    /* rounding of the inertia terms */
  pd_totals totals;
} norms;

/* a substep under way */
typedef struct solve_state {
  pd_system *sys;
  const pd_env *env;
  const pd_newton_options *opt;
  pd_substep *out;
} solve_state;

pd_newton_options pd_newton_defaults(void)
{
  pd_newton_options o;
  o.tol = 1e-8;
  o.maxit = 20;
  o.lsmax = 6;
  o.filter = 1;
  o.eta = 0.15;
  o.guard = 0.0;
  return o;
}

static void global_sum(const pd_env *env, double *x, int n)
{
  if (env->sum) env->sum(env->ctx, x, n);
}

static void global_max(const pd_env *env, double *x, int n)
{
  if (env->max) env->max(env->ctx, x, n);
}

static int moves(const pd_body *b) { return b->owned && b->mobile; }

/* ghosts get the increments of their owners */
static void forward_increments(const solve_state *z)
{
  pd_system *sys = z->sys;
  if (!z->env->forward) return;
  for (int i = 0; i < sys->nbody; i++) {
    pd_v_store(sys->six + 6 * i, sys->body[i].u);
    pd_v_store(sys->six + 6 * i + 3, sys->body[i].alpha);
  }
  z->env->forward(z->env->ctx, sys->six);
  for (int i = 0; i < sys->nbody; i++) {
    if (sys->body[i].owned) continue;
    sys->body[i].u = pd_v_load(sys->six + 6 * i);
    sys->body[i].alpha = pd_v_load(sys->six + 6 * i + 3);
  }
}

static double body_residual2(const pd_body *b, const double *f)
{
  const double r = b->shape->radius;
  return pd_norm2(pd_v_load(f)) + pd_norm2(pd_v_load(f + 3)) / (r * r);
}

/* sums of one body: residual^2, merit^2, external loads^2, rounding^2 */
static void add_norms(const pd_scheme *s, const pd_body *b, const double *f, double *sum)
{
  const double m = b->in.mass, r = b->shape->radius;
  const double j = (b->in.j.x + b->in.j.y + b->in.j.z) / 3.0, eps = DBL_EPSILON;
  const double ft = pd_norm2(pd_v_load(f)), mt = pd_norm2(pd_v_load(f + 3));
  sum[0] += ft + mt / (r * r);
  sum[1] += ft / (m * m) + mt * (r / j) * (r / j);
  sum[2] += pd_norm2(b->fext) + pd_norm2(b->text) / (r * r);
  const double stiff = pd_inertia_stiffness(s, &b->in);
  const double round_f = eps * stiff * (pd_norm(b->u) + s->h * pd_norm(b->o.v));
  const double round_m = eps * stiff * (j / m) * (pd_norm(b->alpha) + s->h * pd_norm(b->o.w)) / r;
  sum[3] += round_f * round_f + round_m * round_m;
}

static norms evaluate(const solve_state *z, int tangent)
{
  pd_system *sys = z->sys;
  norms n;
  double sum[8] = {0.0}, top[2];
  z->out->evaluations++;
  forward_increments(z);
  n.status = pd_system_eval(sys, PD_AT_TRIAL, tangent, &n.totals);
  for (int i = 0; i < sys->nbody; i++)
    if (moves(&sys->body[i])) add_norms(&sys->scheme, &sys->body[i], sys->force + 6 * i, sum);
  sum[4] = n.totals.scale2;
  sum[5] = n.totals.energy;
  sum[6] = n.totals.power;
  sum[7] = n.totals.ncontact;
  global_sum(z->env, sum, 8);
  top[0] = n.status;
  top[1] = -n.totals.mingap;
  global_max(z->env, top, 2);
  n.status = (pd_status) (int) top[0];
  if (!n.status && !(sum[0] <= DBL_MAX)) n.status = PD_ENAN;
  n.residual = sqrt(sum[0]);
  n.merit = sqrt(sum[1]);
  n.scale = sqrt(sum[2] + sum[4]);
  n.floor = 16.0 * sqrt(sum[3]);
  n.totals.energy = sum[5];
  n.totals.power = sum[6];
  n.totals.ncontact = sum[7];
  n.totals.mingap = -top[1];
  return n;
}

static int converged(const solve_state *z, const norms *n)
{
  return !n->status && n->residual <= fmax(z->opt->tol * n->scale, n->floor);
}

/* largest factor for the direction in sys->step, the same for all bodies */
static double clip_all(const solve_state *z, pd_status *status)
{
  pd_system *sys = z->sys;
  if (!z->opt->filter) return *status = PD_OK, 1.0;
  if (z->env->forward) z->env->forward(z->env->ctx, sys->step);
  double top[2];
  const double t = pd_system_filter(sys, z->opt->eta, status);
  top[0] = -t;
  top[1] = *status;
  global_max(z->env, top, 2);
  *status = (pd_status) (int) top[1];
  return -top[0];
}

/* the predictor may be clipped body by body; as factors differ, the combination is filtered again */
static pd_status clip_each(const solve_state *z)
{
  pd_system *sys = z->sys;
  pd_status status;
  for (int pass = 0; pass < 3; pass++) {
    const double t = clip_all(z, &status);
    if (status || t >= 1.0) return status;
    z->out->clipped++;
    for (int i = 0; i < sys->nbody; i++)
      for (int m = 0; m < 6; m++) sys->step[6 * i + m] *= pass < 2 ? sys->fac[i] : t;
  }
  return PD_OK;
}

static void set_increment(pd_body *b, const double *base, double t, const double *d)
{
  b->u = pd_axpy(pd_v_load(base), t, pd_v_load(d));
  b->alpha = pd_axpy(pd_v_load(base + 3), t, pd_v_load(d + 3));
}

/* increments = saved ones + t step */
static void go(pd_system *sys, double t)
{
  for (int i = 0; i < sys->nbody; i++)
    if (moves(&sys->body[i]))
      set_increment(&sys->body[i], sys->save + 6 * i, t, sys->step + 6 * i);
}

static void save_increments(pd_system *sys)
{
  for (int i = 0; i < sys->nbody; i++) {
    pd_v_store(sys->save + 6 * i, sys->body[i].u);
    pd_v_store(sys->save + 6 * i + 3, sys->body[i].alpha);
  }
}

static pd_status predict(const solve_state *z)
{
  pd_system *sys = z->sys;
  const pd_vec3 zero = pd_v(0.0, 0.0, 0.0);
  memset(sys->step, 0, (size_t) sys->nbody * 6 * sizeof(double));
  for (int i = 0; i < sys->nbody; i++) {
    pd_body *b = &sys->body[i];
    pd_vec3 u = zero, alpha = zero;
    if (moves(b)) pd_scheme_predict(&sys->scheme, &b->o, &u, &alpha);
    pd_v_store(sys->step + 6 * i, u);
    pd_v_store(sys->step + 6 * i + 3, alpha);
    pd_system_place(sys, i, zero, zero);
  }
  const pd_status status = clip_each(z);
  save_increments(sys);
  go(sys, 1.0);
  return status;
}

/* Newton direction into sys->step; turns by more than half a radian are cut short */
static pd_status direction(const solve_state *z)
{
  pd_system *sys = z->sys;
  int row = 0;
  for (int i = 0; i < sys->nbody; i++)
    if (moves(&sys->body[i]))
      for (int m = 0; m < 6; m++) sys->rhs[6 * row + m] = -sys->force[6 * i + m], row += m == 5;
  const pd_status status = z->env->solve(z->env->ctx, sys->values, sys->rhs, sys->six);
  double turn = 0.0;
  row = 0;
  memset(sys->step, 0, (size_t) sys->nbody * 6 * sizeof(double));
  for (int i = 0; i < sys->nbody && !status; i++) {
    if (!moves(&sys->body[i])) continue;
    memcpy(sys->step + 6 * i, sys->six + 6 * row++, 6 * sizeof(double));
    turn = fmax(turn, pd_norm(pd_v_load(sys->step + 6 * i + 3)));
  }
  double top[2] = {status, turn};
  global_max(z->env, top, 2);
  if (top[1] > 0.5)
    for (int i = 0; i < 6 * sys->nbody; i++) sys->step[i] *= 0.5 / top[1];
  return (pd_status) (int) top[0];
}

/* Halves the step until the residual falls; keeps the best of what it tried. The first trial, which
 * is mostly the last, is evaluated with its tangent. On return the tangent belongs to the result. */
static norms line_search(const solve_state *z, double t, const norms *start)
{
  pd_system *sys = z->sys;
  double best = DBL_MAX, best_t = t;
  save_increments(sys);
  for (int k = 0; k <= z->opt->lsmax; k++, t *= 0.5) {
    go(sys, t);
    const norms n = evaluate(z, k == 0);
    if (n.status) continue;
    if (n.merit < best) best = n.merit, best_t = t;
    if (n.merit > (1.0 - 2e-4 * t) * start->merit && !converged(z, &n)) continue;
    return k == 0 ? n : evaluate(z, 1);
  }
  go(sys, best_t);
  return evaluate(z, 1);
}

/* progress over the last iterations is too small to hope for convergence */
static int stagnates(const double *merit, int it)
{
  return it >= 10 && merit[it] > 0.5 * merit[it - 5];
}

static void find_worst(const solve_state *z)
{
  pd_system *sys = z->sys;
  double mine = -1.0, top[2];
  long tag = -1;
  for (int i = 0; i < sys->nbody; i++) {
    if (!moves(&sys->body[i])) continue;
    const double r = body_residual2(&sys->body[i], sys->force + 6 * i);
    if (r > mine || r != r) mine = r, tag = sys->body[i].tag;
  }
  top[0] = mine;
  global_max(z->env, top, 1);
  top[1] = mine == top[0] ? (double) tag : -1.0;
  global_max(z->env, top + 1, 1);
  z->out->worst = (long) top[1];
  z->out->worst_residual = sqrt(fmax(top[0], 0.0));
}

static void record(const solve_state *z, const norms *n, int it)
{
  pd_substep *out = z->out;
  out->iterations = it;
  out->residual = n->residual;
  out->scale = n->scale;
  out->history[it < PD_HISTORY ? it : PD_HISTORY - 1] = n->scale > 0.0 ? n->residual / n->scale : 0.0;
  out->energy = n->totals.energy;
  out->power = n->totals.power;
  out->mingap = n->totals.mingap;
  out->ncontact = n->totals.ncontact;
}

static pd_status iterate(const solve_state *z)
{
  double merit[256];
  norms n = evaluate(z, 1);
  const int maxit = z->opt->maxit < 255 ? z->opt->maxit : 255;
  for (int it = 0;; it++) {
    record(z, &n, it);
    if (n.status) return n.status;
    if (converged(z, &n)) return PD_OK;
    merit[it] = n.merit;
    if (it == maxit) return PD_ENEWTON;
    if (stagnates(merit, it)) return PD_ESTALL;
    pd_status status = direction(z);
    if (status) return status;
    const double t = clip_all(z, &status);
    if (status) return status;
    if (t < 1.0) z->out->clipped++;
    n = line_search(z, t, &n);
  }
}

/* energies and the largest displacement, over all processes */
static void balance(const solve_state *z, const pd_energy *now)
{
  pd_system *sys = z->sys;
  pd_substep *out = z->out;
  double sum[2] = {pd_system_kinetic(sys, 1), 0.0}, move = 0.0;
  for (int i = 0; i < sys->nbody; i++) {
    const pd_body *b = &sys->body[i];
    if (!moves(b)) continue;
    sum[1] += pd_dot(b->fext, b->u) + pd_dot(b->text, b->alpha);
    move = fmax(move, pd_norm(b->u));
  }
  global_sum(z->env, sum, 2);
  global_max(z->env, &move, 1);
  out->kinetic = sum[0];
  out->work = sum[1];
  out->move = move;
  out->dissipated = 0.5 * sys->scheme.h * (now->power + out->power);
  out->error = out->kinetic + out->energy - now->kinetic - now->potential - out->work + out->dissipated;
}

pd_status pd_energy_now(pd_system *sys, const pd_env *env, pd_energy *now)
{
  pd_totals t;
  const pd_status status = pd_system_eval(sys, PD_AT_START, 0, &t);
  double sum[3] = {pd_system_kinetic(sys, 0), t.energy, t.power}, top = status;
  global_sum(env, sum, 3);
  global_max(env, &top, 1);
  now->kinetic = sum[0];
  now->potential = sum[1];
  now->power = sum[2];
  return (pd_status) (int) top;
}

pd_status pd_substep_solve(pd_system *sys, const pd_env *env, const pd_newton_options *opt, double h,
                           const pd_energy *now, pd_substep *out)
{
  const pd_substep zero = {0};
  const solve_state z = {sys, env, opt, out};
  *out = zero;
  pd_scheme_set_step(&sys->scheme, h);
  pd_status status = predict(&z);
  if (!status) status = iterate(&z);
  if (status) {
    find_worst(&z);
    return status;
  }
  balance(&z, now);
  const double scale = fmax(now->kinetic, out->kinetic) + fmax(now->potential, out->energy);
  if (opt->guard > 0.0 && fabs(out->error) > opt->guard * scale) return PD_ERANGE;
  return PD_OK;
}

void pd_substep_commit(pd_system *sys)
{
  for (int i = 0; i < sys->nbody; i++) {
    pd_body *b = &sys->body[i];
    if (b->mobile) b->o = pd_scheme_advance(&sys->scheme, &b->o, b->u, b->alpha);
    b->u = b->alpha = pd_v(0.0, 0.0, 0.0);
  }
}
