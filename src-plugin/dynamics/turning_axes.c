/* SPDX-License-Identifier: MIT
 * A body whose held axes turn with it. The balance of forces along the free axes, and the condition
 * along the others, hold where the axes are in the middle of the substep, for Newmark's scheme at
 * its end, with the projector P on the free ones there:
 *   P Y + (I - P) Z = 0.
 * For rotations Z is alpha - h R w0, R the rotation that brings the axes there. A guide turns the
 * velocity of the start with it: seen from there
 *   Z = u - h R v0,  Y = m (u - h R v0) / (a h^2) + m mu x u / h^2 - F,
 * mu the Rodrigues vector of its turn: u . (mu x u) = 0, a guide at rest along its axes does no
 * work. */
#include "dynamics/system_internal.h"

/* of translation or of rotation */
typedef struct part {
  pd_constraint at; /* with the axes where the balance is that of the scheme */
  pd_mat3 rotation; /* which brings them there, and its spin by alpha */
  pd_mat3 spin;
  pd_vec3 balance, condition;           /* Y, and Z times its stiffness */
  pd_vec3 balance_turn, condition_turn; /* what they lose as the axes turn */
} part;

static part begin(const pd_scheme *s, const pd_constraint *c, pd_vec3 turn, pd_mat3 slope)
{
  part p = {0};
  const int middle = s->kind != PD_NEWMARK;
  if (middle) slope = pd_m_mul(pd_half_rotation_slope(turn), slope);
  if (middle) turn = pd_half_rotation(turn);
  p.rotation = pd_rodrigues(turn);
  p.spin = pd_m_mul(pd_xi(turn), slope);
  p.at = pd_constraint_turned(c, p.rotation);
  return p;
}

static part translation_of(const pd_body *b, const pd_scheme *s, const double *f, double stiffness)
{
  const pd_constraint *c = &b->constraint;
  const pd_vec3 mu = pd_guide_turn(c, b->alpha), v0 = b->start.v;
  part p = begin(s, c, mu, pd_guide_turn_slope(c, b->alpha));
  const pd_vec3 v = pd_mv(p.rotation, v0);
  p.balance = pd_v_load(f);
  if (s->kind == PD_NEWMARK) {
    p.condition = pd_scale(stiffness / s->a4, pd_sub(b->own_velocity, v));
    p.condition_turn = pd_scale(stiffness / s->a4, v);
    return p;
  }
  p.condition = pd_scale(stiffness, pd_axpy(b->u, -s->h, v));
  p.condition_turn = p.balance_turn = pd_scale(stiffness * s->h, v);
  p.balance = pd_axpy(p.balance, stiffness * s->h, pd_sub(v0, v));
  p.balance = pd_axpy(p.balance, b->inertia.mass / (s->h * s->h), pd_cross(mu, b->u));
  return p;
}

static part rotation_of(const pd_body *b, const pd_scheme *s, const double *f, double stiffness)
{
  part p = begin(s, &b->constraint, b->alpha, pd_m_identity());
  const pd_vec3 w = pd_mv(p.rotation, b->start.w);
  p.balance = pd_v_load(f + 3);
  p.condition = pd_scale(stiffness, pd_axpy(b->alpha, -s->h, w));
  p.condition_turn = pd_scale(stiffness * s->h, w);
  return p;
}

/* residual, and what holds the body */
static void store(const part *p, int set, double *f, double *reaction)
{
  if (set)
    pd_v_store(f, pd_add(pd_constraint_free(&p->at, set, p->balance),
                         pd_constraint_held(&p->at, set, p->condition)));
  pd_v_store(reaction, pd_constraint_held(&p->at, set, p->balance));
}

static pd_mat3 projector(const pd_constraint *c, int set)
{
  pd_mat3 p = pd_m_identity();
  for (int k = 0; k < 3; k++) {
    const pd_vec3 e = pd_constraint_axis(c, k);
    if (set & 1 << k) p = pd_m_add(p, pd_m_scale(-1.0, pd_outer(e, e)));
  }
  return p;
}

static void add_block(double *block, int row, int column, pd_mat3 m)
{
  for (int i = 0; i < 9; i++) block[6 * (row + i / 3) + column + i % 3] += m.m[i / 3][i % 3];
}

/* derivative of the residual by the turn of the axes */
static pd_mat3 by_turn(const part *p, int set)
{
  const pd_mat3 free = projector(&p->at, set);
  const pd_vec3 more = pd_sub(p->balance, p->condition);
  pd_mat3 by_spin = pd_skew(pd_sub(p->condition_turn, pd_mv(free, more)));
  by_spin = pd_m_add(by_spin,
                     pd_m_mul_skew(free, pd_add(more, pd_sub(p->balance_turn, p->condition_turn))));
  return pd_m_mul(by_spin, p->spin);
}

/* derivatives of m mu x u / h^2 */
static void add_guide_tangent(const pd_body *b, const pd_scheme *s, const part *p, double *block)
{
  const pd_constraint *c = &b->constraint;
  const double m = b->inertia.mass / (s->h * s->h);
  const pd_mat3 free = pd_m_scale(m, projector(&p->at, c->translation));
  add_block(block, 0, 0, pd_m_mul_skew(free, pd_guide_turn(c, b->alpha)));
  add_block(block, 0, 3,
            pd_m_mul(pd_m_mul_skew(free, pd_neg(b->u)), pd_guide_turn_slope(c, b->alpha)));
}

void pd_system_turning_axes(pd_system *sys, int i, const double *stiffness, int tangent)
{
  pd_body *b = &sys->body[i];
  const pd_constraint *c = &b->constraint;
  const pd_scheme s = pd_body_scheme(sys, b);
  double *f = sys->assembly.force + 6 * i;
  const part move = translation_of(b, &s, f, stiffness[0]),
             turn = rotation_of(b, &s, f, stiffness[1]);
  store(&move, c->translation, f, b->reaction);
  store(&turn, c->rotation, f + 3, b->reaction + 3);
  if (!tangent) return;
  pd_system_constrain_rows(sys, i, &move.at, &turn.at, stiffness);
  double *block = pd_system_block(sys, pd_system_diagonal(sys, b));
  if (c->translation) add_block(block, 0, 3, by_turn(&move, c->translation));
  if (c->rotation) add_block(block, 3, 3, by_turn(&turn, c->rotation));
  if (c->translation && s.kind != PD_NEWMARK) add_guide_tangent(b, &s, &move, block);
}
