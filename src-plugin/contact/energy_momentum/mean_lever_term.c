/* SPDX-License-Identifier: MIT
 * One signed term of the contact set in the energy-momentum scheme: forces with mean levers,
 * damping by the increment of the gap, in the directions in which the pair bears. */
#include "contact/energy_momentum/forces.h"

/* One term's force is a size f times (n, la, -n, lb): its direction and the moments of that with
 * the mean levers. Its tangent is then that of the unit force once, and a product for every size.
 */
typedef struct unit_force {
  pd_vec3 n, la, lb;
  pd_grad dn, dla, dlb;
  pd_vec3 mean_a, mean_b; /* levers */
  double dq[12];          /* the unit force with the levers of the end; derivative of the gap, if n
                             is the normal */
} unit_force;

/* a term of weight w under way */
typedef struct mean_term {
  const pd_evaluation *pair;
  const pd_gap *gap;
  double w;
  pd_law_value elastic; /* the law at the gap */
  pd_normal_force total;
  pd_vec3 way; /* of A's point against B's over the step */
  double rate; /* of the gap: way along the direction of damping over the length of the step */
  unit_force unit, damper; /* of the potential, along the normal; of damping */
} mean_term;

/* Derivative of sign (mean x n): the mean lever (I + Q^T) p / 2 changes by half the spin and with
 * the point that wanders over the body, c its slopes. */
static void moment_gradient(const pd_gap *g, int body, const pd_increment *inc, const unit_force *u,
                            double (*c)[12], pd_grad *o)
{
  const double sign = body ? -1.0 : 1.0;
  const pd_vec3 mean = pd_scale(sign, body ? u->mean_b : u->mean_a);
  const double x[3] = {mean.x, mean.y, mean.z};
  for (int i = 0; i < 3; i++) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int j = 0; j < 12; j++) o->m[i][j] = x[i1] * u->dn.m[i2][j] - x[i2] * u->dn.m[i1][j];
  }
  for (int j = 0; j < g->s; j++) {
    const pd_vec3 half = pd_scale(0.5, pd_add(g->t[j], pd_mtv(inc->dq, g->t[j])));
    if (g->on_b[j] == body) pd_g_rank1(o, -1.0, pd_cross(u->n, half), c[j]);
  }
  const pd_mat3 spin = pd_m_mul(pd_skew(u->n), pd_skew(body ? g->pb : g->pa));
  pd_g_add_block(o, 6 * body + 3, 0.5 * sign, spin);
}

static void add_force(double *out, double s, const unit_force *u)
{
  const pd_vec3 part[4] = {u->n, u->la, pd_neg(u->n), u->lb};
  for (int i = 0; i < 4; i++) {
    out[3 * i] += s * part[i].x;
    out[3 * i + 1] += s * part[i].y;
    out[3 * i + 2] += s * part[i].z;
  }
}

/* tangent of a force f times the unit one; df: derivative of f */
static void add_tangent(const unit_force *u, double f, const double *df, double (*k)[12])
{
  const double n[3] = {u->n.x, u->n.y, u->n.z}, la[3] = {u->la.x, u->la.y, u->la.z};
  const double lb[3] = {u->lb.x, u->lb.y, u->lb.z};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 12; j++) {
      const double x = n[i] * df[j] + f * u->dn.m[i][j];
      k[i][j] -= x;
      k[6 + i][j] += x;
      k[3 + i][j] -= la[i] * df[j] + f * u->dla.m[i][j];
      k[9 + i][j] -= lb[i] * df[j] + f * u->dlb.m[i][j];
    }
}

/* derivatives of the moments of a unit force whose direction has the derivative u->dn; c: slopes of
 * the drift */
static void unit_tangent(const mean_term *term, double (*c)[12], unit_force *u)
{
  moment_gradient(term->gap, 0, &term->pair->a->increment, u, c, &u->dla);
  moment_gradient(term->gap, 1, &term->pair->b->increment, u, c, &u->dlb);
}

/* derivative of the way of the gap, n . (u_A + p_A - Q_A^T p_A - ...), n the direction of damping
 */
static void gap_change_gradient(const mean_term *term, double (*c)[12], double *row)
{
  const pd_gap *g = term->gap;
  const unit_force *u = &term->damper;
  pd_g_row(&u->dn, term->way, row);
  for (int m = 0; m < 12; m++) row[m] += u->dq[m];
  for (int j = 0; j < g->s; j++) {
    const pd_pose *body = g->on_b[j] ? term->pair->b : term->pair->a;
    const double s = pd_dot(u->n, pd_sub(g->t[j], pd_mtv(body->increment.dq, g->t[j])));
    for (int m = 0; m < 12; m++) row[m] += s * c[j][m];
  }
}

/* derivative of a force f u on A; df: derivative of f */
static void add_gradient(const unit_force *u, double f, const double *df, pd_grad *g)
{
  pd_g_rank1(g, 1.0, u->n, df);
  pd_g_axpy(g, f, &u->dn);
}

/* tangent of damping, of size w (f - fn) */
static void damping_tangent(mean_term *term, double (*c)[12], pd_sample_sum *sum, double (*k)[12])
{
  const double w = term->w, h = term->pair->h;
  const pd_normal_force f = term->total;
  const double size = w * (f.n - term->elastic.fn);
  const double by_gap = w * (f.dn_dg - term->elastic.df), by_rate = w * f.dn_dgd / h;
  double damping[12], rate[12];
  unit_force *u = &term->damper;
  if (term->pair->bearing)
    pd_g_mul(&u->dn, *term->pair->bearing, &term->unit.dn);
  else
    u->dn = term->unit.dn;
  unit_tangent(term, c, u);
  gap_change_gradient(term, c, rate);
  for (int m = 0; m < 12; m++) damping[m] = by_gap * term->unit.dq[m] + by_rate * rate[m];
  add_tangent(u, size, damping, k);
  if (term->pair->memory) add_gradient(u, size, damping, &sum->dresultant);
  if (term->pair->memory) add_gradient(u, size, damping, &sum->ddamping);
  for (int m = 0; m < 12; m++) sum->dpower[m] -= damping[m] * term->rate + size * rate[m] / h;
}

/* tangents of a term: of the potential, of size w fn, and of damping; derivative of the resultant
 */
static void term_tangents(mean_term *term, pd_sample_sum *sum, const pd_tangent *k)
{
  const pd_gap *g = term->gap;
  const pd_law_value v = term->elastic;
  const pd_normal_force f = term->total;
  unit_force *u = &term->unit;
  double c[2][12], elastic[12];
  u->dn = pd_g_zero();
  pd_gap_drift_slopes(g, c);
  pd_gap_add_normal_gradient(g, 1.0, &u->dn);
  unit_tangent(term, c, u);
  for (int m = 0; m < 12; m++) elastic[m] = term->w * v.df * u->dq[m];
  add_tangent(u, term->w * v.fn, elastic, k->force);
  if (term->pair->memory) add_gradient(u, term->w * v.fn, elastic, &sum->dresultant);
  if (f.n != v.fn || f.dn_dgd != 0.0) damping_tangent(term, c, sum, k->damping);
}

/* unit force along n with the mean levers (I + Q^T) p / 2 */
static void make_unit(const pd_evaluation *pair, const pd_gap *g, pd_vec3 n, unit_force *u)
{
  u->n = n;
  u->mean_a = pd_scale(0.5, pd_add(g->pa, pd_mtv(pair->a->increment.dq, g->pa)));
  u->mean_b = pd_scale(0.5, pd_add(g->pb, pd_mtv(pair->b->increment.dq, g->pb)));
  u->la = pd_cross(u->mean_a, n);
  u->lb = pd_cross(n, u->mean_b);
  pd_gap_jt(g, n, u->dq);
}

pd_normal_force pd_em_term(const pd_evaluation *pair, const pd_gap *g, pd_law_value v, double w,
                           pd_sample_sum *sum, const pd_tangent *k)
{
  const pd_increment *a = &pair->a->increment, *b = &pair->b->increment;
  mean_term term;
  unit_force *u = &term.unit, *damper = &term.damper;
  term.pair = pair;
  term.gap = g;
  term.w = w;
  term.elastic = v;
  make_unit(pair, g, g->n, u);
  make_unit(pair, g, pair->bearing ? pd_mv(*pair->bearing, g->n) : g->n, damper);
  term.way = pd_sub(pd_add(a->u, pd_rotation_displacement(a, g->pa)),
                    pd_add(b->u, pd_rotation_displacement(b, g->pb)));
  term.rate = pd_dot(damper->n, term.way) / pair->h;
  term.total = pd_law_damped(pair->law, v, g->gap, term.rate, pair->reduced_mass);
  const double damping = w * (term.total.n - v.fn);
  for (int m = 0; m < 12; m++) sum->elastic[m] += w * v.fn * u->dq[m];
  add_force(sum->force, w * v.fn, u);
  add_force(sum->damping, damping, damper);
  sum->resultant = pd_axpy(sum->resultant, damping, pd_sub(damper->n, g->n));
  pd_em_state_add_term(pair, g, v, w, &sum->state);
  sum->power -= damping * term.rate;
  if (k) term_tangents(&term, sum, k);
  return term.total;
}
