/* SPDX-License-Identifier: MIT
 * One signed term of the contact set in the energy-momentum scheme: forces with mean levers,
 * damping by the increment of the gap. */
#include "contact/energy_momentum/forces.h"

/* One term's force is a size f times (n, la, -n, lb): the unit normal and its moments with the mean
 * levers. Its tangent is then that of the unit force once, and a product for every size. */
typedef struct unit_force {
  pd_vec3 n, la, lb;
  pd_grad dn, dla, dlb;
  pd_vec3 mean_a, mean_b; /* levers */
  pd_vec3 way;            /* of A's point against B's over the step */
  double dq[12];          /* derivative of the gap: the unit force with the levers of the end */
} unit_force;

/* Derivative of sign (mean x n): the mean lever (I + Q^T) p / 2 changes by half the spin and with
 * the point that wanders over the body, c its slopes. */
static void moment_gradient(const pd_gap *g, int body, const pd_increment *t, pd_vec3 mean,
                            const pd_grad *dn, double (*c)[12], pd_grad *o)
{
  const double sign = body ? -1.0 : 1.0;
  const double x[3] = {sign * mean.x, sign * mean.y, sign * mean.z};
  for (int i = 0; i < 3; i++) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int j = 0; j < 12; j++) o->m[i][j] = x[i1] * dn->m[i2][j] - x[i2] * dn->m[i1][j];
  }
  for (int j = 0; j < g->s; j++) {
    const pd_vec3 half = pd_scale(0.5, pd_add(g->t[j], pd_mtv(t->dq, g->t[j])));
    if (g->on_b[j] == body) pd_g_rank1(o, -1.0, pd_cross(g->n, half), c[j]);
  }
  const pd_mat3 spin = pd_m_mul(pd_skew(g->n), pd_skew(body ? g->pb : g->pa));
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

/* derivative of the way of the gap, n . (u_A + p_A - Q_A^T p_A - ...) */
static void gap_change_gradient(const pd_evaluation *pair, const pd_gap *g, const unit_force *u,
                                double (*c)[12], double *row)
{
  pd_g_row(&u->dn, u->way, row);
  for (int m = 0; m < 12; m++) row[m] += u->dq[m];
  for (int j = 0; j < g->s; j++) {
    const pd_increment *t = g->on_b[j] ? &pair->b->increment : &pair->a->increment;
    const double s = pd_dot(g->n, pd_sub(g->t[j], pd_mtv(t->dq, g->t[j])));
    for (int m = 0; m < 12; m++) row[m] += s * c[j][m];
  }
}

/* tangents of a term: of the potential, of size w fn, and of damping, of size w (f - fn) */
static void term_tangents(const pd_evaluation *pair, const pd_gap *g, pd_law_value v,
                          pd_normal_force f, double w, unit_force *u, pd_sample_sum *sum,
                          const pd_tangent *k)
{
  const double gdot = pd_dot(g->n, u->way) / pair->h;
  const double *dq = u->dq;
  double c[2][12], elastic[12], damping[12], rate[12];
  const int damped = f.n != v.fn || f.dn_dgd != 0.0;
  u->dn = pd_g_zero();
  pd_gap_drift_slopes(g, c);
  pd_gap_add_normal_gradient(g, 1.0, &u->dn);
  moment_gradient(g, 0, &pair->a->increment, u->mean_a, &u->dn, c, &u->dla);
  moment_gradient(g, 1, &pair->b->increment, u->mean_b, &u->dn, c, &u->dlb);
  for (int m = 0; m < 12; m++) elastic[m] = w * v.df * dq[m];
  add_tangent(u, w * v.fn, elastic, k->force);
  if (damped) {
    gap_change_gradient(pair, g, u, c, rate);
    const double by_gap = w * (f.dn_dg - v.df), by_rate = w * f.dn_dgd / pair->h;
    for (int m = 0; m < 12; m++) damping[m] = by_gap * dq[m] + by_rate * rate[m];
    add_tangent(u, w * (f.n - v.fn), damping, k->damping);
    for (int m = 0; m < 12; m++) {
      elastic[m] += damping[m];
      sum->dpower[m] -= damping[m] * gdot + w * (f.n - v.fn) * rate[m] / pair->h;
    }
  }
  if (!pair->memory) return;
  pd_g_rank1(&sum->dresultant, 1.0, g->n, elastic);
  for (int i = 0; i < 3; i++)
    for (int m = 0; m < 12; m++) sum->dresultant.m[i][m] += w * f.n * u->dn.m[i][m];
}

pd_normal_force pd_em_term(const pd_evaluation *pair, const pd_gap *g, pd_law_value v, double w,
                           pd_sample_sum *sum, const pd_tangent *k)
{
  const pd_increment *ta = &pair->a->increment, *tb = &pair->b->increment;
  unit_force u;
  u.n = g->n;
  u.mean_a = pd_scale(0.5, pd_add(g->pa, pd_mtv(ta->dq, g->pa)));
  u.mean_b = pd_scale(0.5, pd_add(g->pb, pd_mtv(tb->dq, g->pb)));
  u.la = pd_cross(u.mean_a, g->n);
  u.lb = pd_cross(g->n, u.mean_b);
  u.way = pd_sub(pd_add(ta->u, pd_rotation_displacement(ta, g->pa)),
                 pd_add(tb->u, pd_rotation_displacement(tb, g->pb)));
  pd_gap_jt(g, g->n, u.dq);
  const double gdot = pd_dot(g->n, u.way) / pair->h;
  const pd_normal_force f = pd_law_damped(pair->law, v, g->d, gdot, pair->reduced_mass);
  for (int m = 0; m < 12; m++) sum->elastic[m] += w * v.fn * u.dq[m];
  add_force(sum->force, w * v.fn, &u);
  add_force(sum->damping, w * (f.n - v.fn), &u);
  pd_em_state_add_term(pair, g, v, w, &sum->state);
  sum->power -= w * (f.n - v.fn) * gdot;
  if (k) term_tangents(pair, g, v, f, w, &u, sum, k);
  return f;
}
