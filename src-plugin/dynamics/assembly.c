/* SPDX-License-Identifier: MIT
 * Residual and tangent of a step: eqs. (60)-(63) of the 2021 paper, moments left as moments. */
#include <string.h>

#include "dynamics/system_internal.h"

/* ---- residual ---- */

/* inertia and external loads, eqs. (19), (24); the tangent goes to the diagonal block of the row */
static void add_inertia(pd_system *sys, const pd_body *b, int i, int tangent)
{
  double *f = sys->assembly.force + 6 * i;
  pd_mat3 d;
  const pd_scheme s = pd_body_scheme(sys, b);
  const pd_kinematics motion = pd_body_kinematics(b);
  const pd_vec3 ft = pd_inertia_force(&s, &b->start, &b->inertia, b->u);
  const pd_vec3 mt =
      pd_inertia_moment(&s, &b->start, &b->inertia, b->alpha, &motion, tangent ? &d : NULL);
  const double rate = 1.0 / s.h;
  const pd_vec3 spin = pd_mv(pd_rotate_diag(motion.rot, b->inertia.j), b->rest.lag_turn);
  pd_v_store(f, pd_sub(pd_axpy(ft, -rate * b->inertia.mass, b->rest.lag), b->external_force));
  pd_v_store(f + 3, pd_sub(pd_axpy(mt, -rate, spin), b->external_torque));
  if (!tangent) return;
  const double m = pd_inertia_stiffness(&s, &b->inertia);
  if (b->wall) {
    pd_system_border_inertia(sys, i, m, &d);
    return;
  }
  double *k = pd_system_block(sys, pd_system_diagonal(sys, b));
  for (int p = 0; p < 3; p++) {
    k[7 * p] += m;
    for (int q = 0; q < 3; q++) k[6 * (3 + p) + 3 + q] += d.m[p][q];
  }
}

/* force (6) and losses (12) of one of the bodies; at: 0 for A, 6 for B */
static void add_forces(pd_system *sys, int body, double sign, const pd_pair_response *r, int at)
{
  double *f = sys->assembly.force + 6 * body, *loss = sys->assembly.loss + 12 * body;
  for (int m = 0; m < 6; m++) {
    f[m] += sign * r->force[at + m];
    for (int k = 0; k < PD_NLOSS; k++) loss[6 * k + m] += r->loss[k][at + m];
  }
}

/* the forces of all pairs on the bodies of a part whose residual is dirty */
static void add_pairs(pd_system *sys, const pd_part *p, double sign)
{
  for (int k = 0; k < sys->contacts.nactive; k++) {
    const int *ends = sys->ends[sys->contacts.active_pair[k]];
    const int a = pd_is_in(p, ends[0]) && sys->assembly.residual_dirty[ends[0]];
    const int b =
        ends[1] != ends[0] && pd_is_in(p, ends[1]) && sys->assembly.residual_dirty[ends[1]];
    if (!a && !b) continue;
    const pd_pair_response *response = pd_response_of(sys, sys->contacts.active_pair[k]);
    if (!response->active) continue;
    if (a) add_forces(sys, ends[0], sign, response, 0);
    if (b) add_forces(sys, ends[1], sign, response, 6);
  }
}

/* which forces the pairs are asked for */
static pd_force_mode force_mode(const pd_system *sys, pd_when when)
{
  const int within = when == PD_AT_TRIAL;
  if (sys->scheme.kind == PD_EULER) return within ? PD_EULER_STEP : PD_EULER_STATE;
  if (sys->scheme.kind != PD_EM) return PD_END_OF_STEP;
  return within ? PD_ENERGY_MOMENTUM : PD_END_OF_STEP_WITH_STATE;
}

typedef struct evaluation {
  pd_system *sys;
  pd_when when;
  int all; /* bodies */
  int tangent;
  double sign; /* of forces in assembly.force: 1 at the start, where it holds them, -1 in a
                  residual, which is the inertia less them */
} evaluation;

static int is_zero(pd_vec3 v, pd_vec3 w) { return pd_norm2(v) + pd_norm2(w) == 0.0; }

/* What moves by other rules than the scheme's is taken to go. */
static int stands(const pd_system *sys, const pd_body *b)
{
  if (b->prescribed || b->wall || sys->carries || sys->elapsed > 0.0) return 0;
  return is_zero(b->u, b->alpha) && is_zero(b->start.v, b->start.w) &&
         is_zero(b->pose.velocity.v, b->pose.velocity.w) &&
         is_zero(b->pose.before.v, b->pose.before.w);
}

static pd_stationarity stationarity_of(const evaluation *job, int i)
{
  const pd_body *b = &job->sys->body[i];
  pd_placement *last = &job->sys->trial.last_placement[i];
  const pd_placement now = {b->start.x, b->start.q};
  if (!stands(job->sys, b)) return PD_MOVING;
  const int stays = memcmp(&now, last, sizeof now) == 0;
  *last = now;
  return job->all && stays ? PD_UNCHANGED : PD_STATIONARY;
}

/* Bodies that have been moved at their present increments, their rows empty. */
static void set_poses(void *arg, int begin, int end, int thread)
{
  const evaluation *job = (const evaluation *)arg;
  pd_system *sys = job->sys;
  (void)thread;
  for (int i = begin; i < end; i++) {
    const pd_body *b = &sys->body[i];
    sys->assembly.residual_dirty[i] = sys->trial.to_evaluate[i] || b->wall; /* their sums go on */
    if (!sys->trial.to_evaluate[i]) continue;
    pd_system_set_pose(sys, i, b->u, b->alpha);
    sys->trial.path_bound[i] = pd_body_path_bound(b);
    if (job->when == PD_AT_START)
      pd_body_set_start_velocity(&sys->body[i], sys->elapsed, sys->hprev);
    sys->trial.stationarity[i] = (char)stationarity_of(job, i);
    if (job->tangent) pd_system_clear_border(sys, i);
    if (!job->tangent || !b->owned || b->row < 0 || b->wall) continue;
    pd_system_clear_row(sys, b->row);
    sys->assembly.row_is_identity[i] = 0;
  }
}

/* Residual of a body where it is dirty, without contact. One that has been moved is placed
 * already. */
static void begin_residual(const evaluation *job, int i)
{
  pd_system *sys = job->sys;
  pd_body *b = &sys->body[i];
  memset(sys->assembly.force + 6 * i, 0, 6 * sizeof(double));
  memset(sys->assembly.loss + 12 * i, 0, 12 * sizeof(double));
  b->load_force = b->load_moment = pd_v(0.0, 0.0, 0.0);
  if (job->when == PD_AT_TRIAL && b->owned && b->mobile)
    add_inertia(sys, b, i, job->tangent && sys->trial.to_evaluate[i]);
}

/* what is prescribed, once all forces are in */
static void end_residual(const evaluation *job, int i)
{
  pd_system *sys = job->sys;
  const pd_body *b = &sys->body[i];
  if (!b->owned || b->wall) return;
  if (!b->mobile) pd_system_find_reaction(sys, i, job->when);
  if (b->mobile && pd_constraint_any(&b->constraint))
    pd_system_constrain(sys, i, job->when, job->tangent && sys->trial.to_evaluate[i]);
}

static void sum_part(void *arg, int begin, int end, int thread)
{
  const evaluation *job = (const evaluation *)arg;
  pd_system *sys = job->sys;
  (void)thread;
  for (int k = begin; k < end; k++) {
    const pd_part p = pd_part_of(sys, k);
    for (int i = p.begin; i < p.end; i++)
      if (sys->assembly.residual_dirty[i]) begin_residual(job, i);
    for (int i = 0; i < sys->nload; i++) {
      const int at = sys->load[i].body;
      if (pd_is_in(&p, at) && sys->assembly.residual_dirty[at])
        pd_system_add_load(sys, &sys->load[i], job->when,
                           job->tangent && sys->trial.to_evaluate[at], job->sign);
    }
    add_pairs(sys, &p, job->sign);
    for (int i = p.begin; i < p.end; i++) {
      if (sys->assembly.residual_dirty[i]) end_residual(job, i);
      if (sys->assembly.residual_dirty[i])
        sys->assembly.tangent_current[i] =
            job->tangent && sys->trial.to_evaluate[i] && sys->trial.stationarity[i] != PD_UNCHANGED;
      sys->trial.to_evaluate[i] = 0;
    }
  }
}

static pd_status evaluate(pd_system *sys, pd_when when, int all, int tangent)
{
  const double sign = when == PD_AT_START ? 1.0 : -1.0;
  evaluation job = {sys, when, all, tangent, sign};
  pd_loop(&sys->loops, sys->nbody, PD_BODY_CHUNK, set_poses, &job);
  const pd_status status = pd_system_update_pairs(sys, when, tangent, force_mode(sys, when));
  pd_loop(&sys->loops, sys->work->nworker, 1, sum_part, &job);
  return status;
}

pd_status pd_system_eval_moved(pd_system *sys, int tangent)
{
  return evaluate(sys, PD_AT_TRIAL, 0, tangent);
}

pd_status pd_system_eval(pd_system *sys, pd_when when, int tangent, pd_totals *totals)
{
  pd_system_set_prescribed(sys, when == PD_AT_START ? 0.0 : 1.0);
  if (when == PD_AT_START) pd_system_set_elapsed(sys);
  memset(sys->trial.to_evaluate, 1, (size_t)sys->nbody);
  pd_status status = evaluate(sys, when, 1, tangent);
  pd_system_sum(sys, totals);
  for (int k = 0; k < sys->contacts.nactive && !status; k++)
    status = pd_response_of(sys, sys->contacts.active_pair[k])->status;
  return status;
}

/* the state of body i at the start with the accelerations of the forces on it */
static pd_state accelerated(const pd_system *sys, int i)
{
  const pd_body *b = &sys->body[i];
  const double *f = sys->assembly.force + 6 * i;
  const pd_vec3 force = pd_add(pd_v_load(f), b->external_force),
                torque = pd_add(pd_v_load(f + 3), b->external_torque);
  pd_state now = b->start;
  now.acc = pd_scale(1.0 / b->inertia.mass, force);
  now.wdot = pd_inertia_spin_up(&b->start, &b->inertia, torque);
  pd_constraint_accelerate(&b->constraint, &now, &b->inertia, force, torque);
  return now;
}

void pd_system_accelerate(pd_system *sys)
{
  for (int i = 0; i < sys->nbody; i++)
    if (sys->body[i].owned && sys->body[i].mobile) sys->body[i].start = accelerated(sys, i);
  memset(sys->change_at_start, 0, (size_t)sys->nbody * 6 * sizeof(double));
}

void pd_system_note_change(pd_system *sys)
{
  for (int i = 0; i < sys->nbody; i++) {
    const pd_body *b = &sys->body[i];
    double *change = sys->change_at_start + 6 * i;
    memset(change, 0, 6 * sizeof *change);
    if (!b->owned || !b->mobile) continue;
    const pd_state now = accelerated(sys, i);
    pd_v_store(change, pd_sub(b->start.acc, now.acc));
    pd_v_store(change + 3, pd_sub(b->start.wdot, now.wdot));
  }
}
