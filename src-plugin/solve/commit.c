/* SPDX-License-Identifier: MIT
 * The end of a substep becomes the start of the next one. */
#include <string.h>

#include "base/rotation.h"
#include "solve/newton.h"

static void commit_wall(pd_wall *w)
{
  if (!w->moves) return;
  w->x = pd_add(w->x, w->u);
  w->q = pd_q_normalize(pd_q_mul(pd_rodrigues_quat(w->alpha), w->q));
  w->v0 = w->v;
  w->w0 = w->w;
  w->v = w->v1;
  w->w = w->w1;
  w->u = w->alpha = pd_v(0.0, 0.0, 0.0);
  w->t = -1.0;
}

/* A body that trembled and has not moved is at rest. By Newmark's scheme it would go back with the
 * velocity that it had. */
static void bring_to_rest(const pd_body *b, pd_state *end)
{
  if (!b->barely_moves || pd_norm2(b->u) + pd_norm2(b->alpha) > 0.0) return;
  end->v = end->w = end->acc = end->wdot = pd_v(0.0, 0.0, 0.0);
}

void pd_substep_commit(pd_system *sys)
{
  pd_system_advance_bounds(sys);
  for (int i = 0; i < sys->nbody; i++) {
    pd_body *b = &sys->body[i];
    if (b->mobile) {
      pd_state end = pd_body_end(sys, b);
      bring_to_rest(b, &end);
      b->start = end;
      pd_em_note_rest(sys, b);
      pd_constraint_advance(&b->constraint, b->alpha);
    }
    if (b->prescribed) {
      b->start.x = pd_add(b->start.x, b->u);
      b->start.q = pd_q_normalize(pd_q_mul(pd_rodrigues_quat(b->alpha), b->start.q));
      b->start.acc = pd_scale(1.0 / sys->scheme.h, pd_sub(b->prescribed_v, b->start.v));
      b->start.wdot = pd_scale(1.0 / sys->scheme.h, pd_sub(b->prescribed_w, b->start.w));
      b->start.v = b->prescribed_v;
      b->start.w = b->prescribed_w;
    }
    b->start.x = pd_add(b->start.x, b->carried);
    b->u = b->alpha = b->carry = b->carried = pd_v(0.0, 0.0, 0.0);
    b->rest.given = b->rest.given_turn = pd_v(0.0, 0.0, 0.0);
  }
  for (int i = 0; i < sys->nwall; i++) commit_wall(&sys->wall[i]);
  sys->hprev = sys->scheme.h;
  memset(sys->change_at_start, 0, (size_t)sys->nbody * 6 * sizeof(double));
  pd_system_accept_forces(sys);
  pd_system_accept_friction(sys);
}
