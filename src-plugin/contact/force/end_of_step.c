/* SPDX-License-Identifier: MIT
 * Forces at the end of the step, as Euler's and Newmark's schemes take them: eqs. (49), (52), (53)
 * with the velocities of the scheme, moments with the levers at the end. */
#include "contact/force/end_of_step.h"

#include "contact/force/friction.h"

/* tangent of w N J^T n with its sign turned: -w [N Hess d + d_q (N_d d_q + N_gdot gdot_q)^T] */
static void term_tangent(const pd_evaluation *pair, const pd_gap *g, double w, pd_normal_force f,
                         const double *dq, pd_sample_sum *sum, double (*k)[12])
{
  const pd_velocity *a = &pair->a->velocity, *b = &pair->b->velocity;
  double row[12];
  pd_gap_add_hessian(g, -w * f.n, k);
  for (int m = 0; m < 12; m++) row[m] = f.dn_dg * dq[m];
  if (f.dn_dgd != 0.0) {
    double rate[12];
    pd_gap_rate_gradient(g, a, b, pd_gap_velocity(g, a, b), rate);
    for (int m = 0; m < 12; m++) row[m] += f.dn_dgd * rate[m];
  }
  pd_k_rank1(k, -w, dq, row);
  if (!pair->memory) return;
  pd_g_rank1(&sum->dresultant, w, g->n, row);
  pd_gap_add_normal_gradient(g, w * f.n, &sum->dresultant);
}

pd_normal_force pd_end_of_step_term(const pd_evaluation *pair, const pd_gap *g, pd_law_value v,
                                    double w, pd_sample_sum *sum, const pd_tangent *k)
{
  const pd_vec3 *rate = pd_sample_rate(pair, sum, g->n);
  const pd_vec3 relative =
      rate ? *rate : pd_gap_velocity(g, &pair->a->velocity, &pair->b->velocity);
  const double gdot = pd_dot(g->n, relative); /* eq. (41) */
  const pd_normal_force f = pd_law_damped(pair->law, v, g->gap, gdot, pair->reduced_mass);
  double dq[12];
  pd_gap_jt(g, g->n, dq);
  for (int m = 0; m < 12; m++) {
    sum->force[m] += w * f.n * dq[m];
    sum->elastic[m] += w * v.fn * dq[m];
  }
  sum->power -= w * (f.n - v.fn) * gdot;
  if (k) term_tangent(pair, g, w, f, dq, sum, k->force);
  return f;
}

/* where the scheme asks for no more of the state than where forces act */
static pd_normal_force term_with_levers(const pd_evaluation *pair, const pd_gap *g, pd_law_value v,
                                        double w, pd_sample_sum *sum, const pd_tangent *k)
{
  pd_em_state_add_levers(&sum->state, w * v.fn, g->n, g->pa, g->pb);
  return pd_end_of_step_term(pair, g, v, w, sum, k);
}

const pd_force_scheme pd_end_of_step_forces = {0, 0, term_with_levers, pd_friction_at_end};

const pd_force_scheme pd_euler_state_forces = {1, 0, term_with_levers, pd_friction_of_state};

const pd_force_scheme pd_euler_step_forces = {0, 0, term_with_levers, pd_friction_of_step};
