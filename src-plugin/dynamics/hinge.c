/* SPDX-License-Identifier: MIT
 * A body that turns about a fixed axis n through a point p: with the arm r from p to the centre of
 * mass, u = (Q - I) r and alpha = n (n . alpha); what is left of the balance is that of the angular
 * momentum about the axis,
 *   n . (J w' + w x J w) + m |n x r|^2 n . w' = n . (M + r x F),
 * with the arm at the end of the substep, or with the mean one in the energy-momentum scheme: then
 * u = alpha x r, the reaction does no work, and the energy is kept as that of a free body. */
#include "dynamics/system_internal.h"

typedef struct hinge {
  pd_vec3 n, arm, end;        /* axis; arm that forces have, arm at the end */
  double turning;             /* derivative of the former by the spin of the latter */
  pd_vec3 force;              /* the residual's, inertia left out */
  double far_inertia;         /* of the mass at the arm's end */
  double stiffness, rotation; /* of force against displacement, of moment against rotation */
} hinge;

static hinge hinge_of(const pd_system *sys, const pd_body *b, const double *f,
                      const double *stiffness)
{
  const pd_constraint *c = &b->constraint;
  const pd_scheme s = pd_body_scheme(sys, b);
  hinge g;
  g.n = pd_hinge_axis(c);
  g.end = pd_hinge_arm(c, b->alpha);
  g.turning = s.kind == PD_EM ? 0.5 : 1.0;
  g.arm = pd_add(pd_scale(g.turning, g.end), pd_scale(1.0 - g.turning, c->arm));
  g.force = pd_sub(pd_v_load(f), pd_inertia_force(&s, &b->start, &b->inertia, b->u));
  g.far_inertia = pd_hinge_far_inertia(c, b->inertia.mass);
  g.stiffness = stiffness[0];
  g.rotation = stiffness[1];
  return g;
}

/* What the hinge does to the body, of the residual f before it is that of the hinge: force, and
 * moment about the centre of mass, such that about the point of the hinge at the end it is what the
 * arm of the scheme makes of it, without a part along the axis. Over a step momentum changes by
 * that of the velocities with which it begins and ends: Euler's increments have the velocity of the
 * end, and half of what turns a body round would be missing. */
static void note_reaction(const pd_system *sys, pd_body *b, const hinge *g, const double *f)
{
  pd_vec3 force = pd_v_load(f);
  if (sys->scheme.kind != PD_NEWMARK) {
    /* the residual lacks the lag already */
    const pd_vec3 end = pd_add(pd_body_end(sys, b).v, b->rest.lag),
                  gained = pd_sub(end, b->start.v);
    force = pd_axpy(g->force, b->inertia.mass / sys->scheme.h, gained);
  }
  const pd_vec3 about = pd_add(pd_v_load(f + 3), pd_cross(g->arm, force));
  const pd_vec3 held = pd_axpy(about, -pd_dot(g->n, about), g->n);
  pd_v_store(b->reaction, force);
  pd_v_store(b->reaction + 3, pd_sub(held, pd_cross(g->end, force)));
}

/* balance about the axis, along it, and what is held */
static void hinge_residual(const pd_system *sys, pd_body *b, const hinge *g, double *f)
{
  const pd_constraint *c = &b->constraint;
  const pd_scheme s = pd_body_scheme(sys, b);
  const pd_vec3 wdot = pd_scheme_wdot(&s, &b->start, b->alpha, b->pose.increment.dq);
  const double moment = pd_dot(g->n, pd_add(pd_v_load(f + 3), pd_cross(g->arm, g->force))) +
                        g->far_inertia * pd_dot(g->n, wdot);
  const pd_vec3 off = pd_sub(b->u, pd_sub(g->end, c->arm));
  note_reaction(sys, b, g, f);
  pd_v_store(f, pd_scale(g->stiffness, off));
  pd_v_store(f + 3, pd_axpy(pd_scale(moment, g->n), g->rotation,
                            pd_constraint_held(c, c->rotation, b->alpha)));
}

/* the rows of a block become those of the balance about the axis */
static void turn_rows(const hinge *g, double *block)
{
  const pd_vec3 lever = pd_cross(g->n, g->arm);
  const double n[3] = {g->n.x, g->n.y, g->n.z};
  for (int m = 0; m < 6; m++) {
    const pd_vec3 force = pd_v(block[m], block[6 + m], block[12 + m]),
                  moment = pd_v(block[18 + m], block[24 + m], block[30 + m]);
    const double about = pd_dot(g->n, moment) + pd_dot(lever, force);
    for (int k = 0; k < 3; k++) {
      block[6 * k + m] = 0.0;
      block[6 * (3 + k) + m] = about * n[k];
    }
  }
}

/* the same of the columns of walls, which border the matrix */
static void turn_columns(const pd_system *sys, int i, const hinge *g)
{
  const pd_vec3 zero = pd_v(0.0, 0.0, 0.0), lever = pd_cross(g->n, g->arm);
  for (int f = 0; f < sys->nfree; f++) {
    double *column = pd_system_border_column(sys, f, i);
    const double about = pd_dot(g->n, pd_v_load(column + 3)) + pd_dot(lever, pd_v_load(column));
    pd_v_store(column, zero);
    pd_v_store(column + 3, pd_scale(about, g->n));
  }
}

/* what the diagonal block has beside: the inertia is that of the hinge, the arm turns, conditions
 */
static void add_diagonal(const pd_body *b, const hinge *g, double *block)
{
  const pd_mat3 xi = pd_xi(b->alpha), turn = pd_m_mul(pd_skew(g->end), xi),
                held = pd_m_add(pd_m_identity(), pd_m_scale(-1.0, pd_outer(g->n, g->n)));
  const pd_vec3 lever = pd_scale(-g->stiffness, pd_cross(g->n, g->arm));
  const pd_vec3 spin = pd_cross(g->end, pd_cross(g->force, g->n));
  const pd_vec3 about = pd_axpy(pd_scale(g->turning, pd_mtv(xi, spin)),
                                g->stiffness * g->far_inertia / b->inertia.mass, g->n);
  const pd_mat3 by_u = pd_outer(g->n, lever), by_alpha = pd_outer(g->n, about);
  for (int i = 0; i < 3; i++) {
    block[7 * i] += g->stiffness;
    for (int j = 0; j < 3; j++) {
      block[6 * i + 3 + j] += g->stiffness * turn.m[i][j];
      block[6 * (3 + i) + j] += by_u.m[i][j];
      block[6 * (3 + i) + 3 + j] += by_alpha.m[i][j] + g->rotation * held.m[i][j];
    }
  }
}

void pd_system_hinge(pd_system *sys, int i, const double *stiffness, int tangent)
{
  pd_body *b = &sys->body[i];
  double *f = sys->assembly.force + 6 * i;
  const hinge g = hinge_of(sys, b, f, stiffness);
  hinge_residual(sys, b, &g, f);
  if (!tangent) return;
  const int *p = sys->pattern.rowptr + (b->row - sys->pattern.first);
  for (int s = p[0]; s < p[1]; s++)
    if (sys->assembly.nonzero[s]) turn_rows(&g, pd_system_block(sys, s));
  turn_columns(sys, i, &g);
  add_diagonal(b, &g, pd_system_block(sys, pd_system_diagonal(sys, b)));
}
