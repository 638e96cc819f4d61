/* SPDX-License-Identifier: MIT
 * The rigid problem of a time step: its data, products and residual. */
#include "contact_dynamics/rigid_internal.h"

/* v_free, and step->v at the start of the step, both with ghosts */
static void find_free_velocities(pd_cd_rigid *z)
{
  const size_t n = 6 * (size_t)z->net->nowned;
  for (size_t i = 0; i < n; i++) z->vfree[i] = z->step->v[i] = z->step->v0[i];
  pd_cd_add_mobility(z->net, z->step->dt, z->step->fext, z->vfree);
  pd_forward(z->net->communication, z->vfree);
  pd_forward(z->net->communication, z->step->v);
}

/* Contacts with restitution act at the level of velocities. Those that have not formed are left
 * out: held at their gap they would arrive without the speed they are to rebound with. So are those
 * that open faster than what the external forces undo in a step: held back while another impact
 * strikes one of their bodies they would do work, for f B v > 0, and the energy could grow. */
static int considered(const pd_cd_rigid *z, const pd_cd_contact *c, double rate)
{
  return !(c->en > 0.0) || (c->gap <= z->opt->touch && rate <= z->calm);
}

/* relative velocity along the normal at the start of the step */
static double start_rate(const pd_cd_rigid *z, const pd_cd_contact *c, const pd_cd_row *row)
{
  return pd_cd_row_rate(row, z->step->v) + pd_dot(c->n, c->drift);
}

/* p - B v_free of a contact: Phi/dt, eq. (16), or e_n B v in its place for one that closes. The
 * overlap in which a contact with restitution forms is not pressed out again, which would give
 * energy. */
static double bias_of(const pd_cd_rigid *z, const pd_cd_contact *c, double rate)
{
  const double drift = pd_dot(c->n, c->drift);
  if (!(c->en > 0.0)) return drift + c->gap / z->step->dt;
  return drift + (rate < -z->opt->rest_speed ? c->en * rate : 0.0);
}

/* The speeds with which those of a step are compared: the largest of a body, and what is calm. They
 * are lengths of vectors: components would depend on how the scene lies in the axes. */
static double find_speeds(pd_cd_rigid *z)
{
  double s[2] = {0.0, 0.0};
  for (int i = 0; i < z->net->nowned; i++) {
    const pd_vec3 free = pd_v_load(z->vfree + 6 * (size_t)i),
                  start = pd_v_load(z->step->v + 6 * (size_t)i);
    s[0] = pd_cd_worse(s[0], fmax(pd_norm(free), pd_norm(start)));
    s[1] = pd_cd_worse(s[1], pd_norm(pd_sub(free, start)));
  }
  const double speed = pd_cd_max1(z->net->communication, s[0]),
               gain = pd_cd_max1(z->net->communication, s[1]);
  z->calm = fmax(z->opt->rest_speed, 2.0 * gain) + 1e-12 * speed;
  return speed;
}

static pd_status find_bias(pd_cd_rigid *z, int stride)
{
  double speed = find_speeds(z);
  /* Not with the rates at which what is open would close within the step: they grow as steps become
   * shorter. What rounding leaves of the velocities is no residual. */
  z->scale = speed * fmax(1.0, 16.0 * DBL_EPSILON / z->opt->tol);
  for (int i = 0; i < z->op.n; i++) z->bias[i] = 0.0;
  for (int i = 0; i < z->net->ncontact; i++) {
    const pd_cd_contact *c = &z->net->contact[i];
    const pd_cd_row *row = &z->op.row[(size_t)i * stride];
    const double free = pd_cd_row_rate(row, z->vfree), rate = start_rate(z, c, row);
    const double bias = bias_of(z, c, rate);
    z->bias[(size_t)i * stride] = bias;
    speed = pd_cd_worse(speed, fabs(free));
    if (considered(z, c, rate)) z->scale = pd_cd_worse(z->scale, -(free + bias));
  }
  z->scale = pd_cd_max1(z->net->communication, z->scale);
  /* so far away that no impact of this step closes them: their forces stay exactly zero */
  speed = pd_cd_max1(z->net->communication, speed);
  const double away = 1e6 * (speed + z->scale);
  for (int i = 0; i < z->net->ncontact; i++) {
    const pd_cd_contact *c = &z->net->contact[i];
    if (!considered(z, c, start_rate(z, c, &z->op.row[(size_t)i * stride])))
      z->bias[(size_t)i * stride] = away;
  }
  return isfinite(away) ? PD_OK : PD_ENAN;
}

static int take_arrays(pd_cd_rigid *z, pd_cd_pool *pool)
{
  const size_t n6 = 6 * (size_t)z->net->nbody, n = (size_t)z->op.n;
  z->vfree = pd_cd_take(pool, n6);
  z->buffer = pd_cd_take(pool, n6);
  z->bias = pd_cd_take(pool, n);
  z->diag = pd_cd_take(pool, n);
  return !pool->failed;
}

pd_status pd_cd_rigid_setup(pd_cd_rigid *z, int stride, pd_cd_pool *pool)
{
  if (!(z->step->dt > 0.0)) return PD_ERANGE;
  if (!take_arrays(z, pool)) return PD_ENOMEM;
  find_free_velocities(z);
  for (int i = 0; i < z->op.n; i++)
    z->diag[i] = z->step->dt * pd_cd_row_mobility(z->net, &z->op.row[i]);
  return find_bias(z, stride);
}

void pd_cd_rigid_velocities(const pd_cd_rigid *z, const double *f)
{
  double *v = z->step->v;
  pd_cd_resultants(&z->op, f, z->buffer);
  for (size_t i = 0; i < 6 * (size_t)z->net->nowned; i++) v[i] = z->vfree[i];
  pd_cd_add_mobility(z->net, z->step->dt, z->buffer, v);
  pd_forward(z->net->communication, v);
}

void pd_cd_rigid_gradient(const pd_cd_rigid *z, const double *f, double *g)
{
  pd_cd_rigid_velocities(z, f);
  pd_cd_rates(&z->op, z->step->v, g);
  for (int i = 0; i < z->op.n; i++) g[i] += z->bias[i];
}

void pd_cd_rigid_apply(const pd_cd_rigid *z, const double *f, double *out)
{
  double *v = z->step->v;
  pd_cd_resultants(&z->op, f, z->buffer);
  for (size_t i = 0; i < 6 * (size_t)z->net->nowned; i++) v[i] = 0.0;
  pd_cd_add_mobility(z->net, z->step->dt, z->buffer, v);
  pd_forward(z->net->communication, v);
  pd_cd_rates(&z->op, v, out);
}

double pd_cd_rigid_residual(const pd_cd_rigid *z, const double *f, const double *g)
{
  double worst = 0.0, scale = z->scale;
  for (int i = 0; i < z->op.n; i++) {
    const double m = z->diag[i] * f[i];
    if (!(z->diag[i] > 0.0)) continue; /* neither side moves */
    worst = pd_cd_worse(worst, fabs(m < g[i] ? m : g[i]));
    scale = fmax(scale, z->diag[i] * f[i]);
  }
  worst = pd_cd_max1(z->net->communication, worst);
  scale = pd_cd_max1(z->net->communication, scale);
  return scale > 0.0 ? worst / scale : worst;
}
