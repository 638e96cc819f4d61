/* SPDX-License-Identifier: MIT
 * A body whose held axes turn with it. The balance of forces along the free axes, and the condition
 * along the others, hold where the axes are in the middle of the substep, for Newmark's scheme at
 * its end, with the projector P on the free ones there:
 *   P Y + (I - P) Z = 0.
 * For rotations Z is alpha - h R w0, R the rotation that brings the axes there; translations are
 * held along the axes at the start. */
#include "dynamics/system_internal.h"

/* of translation or of rotation */
typedef struct part {
  pd_constraint at; /* with the axes where the balance is that of the scheme */
  pd_mat3 rotation; /* which brings them there, and its spin by alpha */
  pd_mat3 spin;
  pd_vec3 balance, condition; /* Y, and Z times its stiffness */
  pd_vec3 condition_turn;     /* what it loses as the axes turn */
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
  part p = {0};
  p.at = b->constraint;
  p.balance = pd_v_load(f);
  p.condition = pd_scale(stiffness, pd_axpy(b->u, -s->h, b->start.v));
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
static void store(const part *p, int set, double *f, double *drive)
{
  if (set)
    pd_v_store(f, pd_add(pd_constraint_free(&p->at, set, p->balance),
                         pd_constraint_held(&p->at, set, p->condition)));
  pd_v_store(drive, pd_constraint_held(&p->at, set, p->balance));
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
  by_spin = pd_m_add(by_spin, pd_m_mul_skew(free, pd_sub(more, p->condition_turn)));
  return pd_m_mul(by_spin, p->spin);
}

void pd_system_turning_axes(pd_system *sys, int i, const double *stiffness, int tangent)
{
  pd_body *b = &sys->body[i];
  const pd_constraint *c = &b->constraint;
  const pd_scheme s = pd_body_scheme(sys, b);
  double *f = sys->assembly.force + 6 * i;
  const part move = translation_of(b, &s, f, stiffness[0]),
             turn = rotation_of(b, &s, f, stiffness[1]);
  store(&move, c->translation, f, b->drive);
  store(&turn, c->rotation, f + 3, b->drive + 3);
  if (!tangent) return;
  pd_system_constrain_rows(sys, i, &move.at, &turn.at, stiffness);
  double *block = pd_system_block(sys, pd_system_diagonal(sys, b));
  if (c->rotation) add_block(block, 3, 3, by_turn(&turn, c->rotation));
}
