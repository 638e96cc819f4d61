/* SPDX-License-Identifier: MIT
 * Rows of bodies some components of whose motion are prescribed. What holds a body to them is the
 * held part of its residual: inertia less all other forces. */
#include "dynamics/system_internal.h"

/* three rows of a block, from the first one on, without their held part */
static void free_rows(double *block, int first, const pd_constraint *c, int set)
{
  double *row = block + 6 * first;
  for (int m = 0; m < 6; m++) {
    const pd_vec3 v = pd_constraint_free(c, set, pd_v(row[m], row[6 + m], row[12 + m]));
    row[m] = v.x;
    row[6 + m] = v.y;
    row[12 + m] = v.z;
  }
}

/* the held directions times a stiffness into a 3x3 part of the diagonal block */
static void add_held(double *block, int first, const pd_constraint *c, int set, double stiffness)
{
  for (int m = 0; m < 3; m++) {
    const pd_vec3 unit = pd_v(m == 0, m == 1, m == 2);
    const pd_vec3 v = pd_scale(stiffness, pd_constraint_held(c, set, unit));
    const double column[3] = {v.x, v.y, v.z};
    for (int n = 0; n < 3; n++) block[6 * (first + n) + first + m] += column[n];
  }
}

/* the same of what borders the matrix */
static void free_columns(pd_system *sys, int i, const pd_constraint *c)
{
  for (int f = 0; f < sys->nfree; f++) {
    double *column = pd_system_border_column(sys, f, i);
    pd_v_store(column, pd_constraint_free(c, c->translation, pd_v_load(column)));
    pd_v_store(column + 3, pd_constraint_free(c, c->rotation, pd_v_load(column + 3)));
  }
}

static void constrain_rows(pd_system *sys, int i, const double *stiffness)
{
  const pd_body *b = &sys->body[i];
  const pd_constraint *c = &b->constraint;
  const int *p = sys->pattern.rowptr + (b->row - sys->pattern.first);
  for (int s = p[0]; s < p[1]; s++) {
    if (!sys->assembly.nonzero[s]) continue;
    double *block = pd_system_block(sys, s);
    if (c->translation) free_rows(block, 0, c, c->translation);
    if (c->rotation) free_rows(block, 3, c, c->rotation);
  }
  free_columns(sys, i, c);
  double *diagonal = pd_system_block(sys, pd_system_diagonal(sys, b));
  add_held(diagonal, 0, c, c->translation, stiffness[0]);
  add_held(diagonal, 3, c, c->rotation, stiffness[1]);
}

/* the held part of a residual makes room for the deviation from what is prescribed */
static void constrain_residual(pd_system *sys, pd_body *b, double *f, const double *stiffness)
{
  const pd_constraint *c = &b->constraint;
  const pd_vec3 force = pd_v_load(f), moment = pd_v_load(f + 3);
  const pd_vec3 hold = pd_constraint_held(c, c->translation, force),
                turn = pd_constraint_held(c, c->rotation, moment);
  const pd_vec3 u = pd_axpy(b->u, -sys->scheme.h, b->start.v),
                alpha = pd_axpy(b->alpha, -sys->scheme.h, b->start.w);
  pd_v_store(b->drive, hold);
  pd_v_store(b->drive + 3, turn);
  pd_v_store(f,
             pd_axpy(pd_sub(force, hold), stiffness[0], pd_constraint_held(c, c->translation, u)));
  pd_v_store(f + 3, pd_axpy(pd_sub(moment, turn), stiffness[1],
                            pd_constraint_held(c, c->rotation, alpha)));
}

/* at the start of a step the forces stay what they are */
static void hold_start(pd_body *b, const double *f)
{
  const pd_constraint *c = &b->constraint;
  const pd_vec3 force = pd_add(pd_v_load(f), b->external_force),
                moment = pd_add(pd_v_load(f + 3), b->external_torque);
  pd_v_store(b->drive, pd_neg(pd_constraint_held(c, c->translation, force)));
  pd_v_store(b->drive + 3, pd_neg(pd_constraint_held(c, c->rotation, moment)));
}

void pd_system_constrain(pd_system *sys, int i, pd_when when, int tangent)
{
  pd_body *b = &sys->body[i];
  double *f = sys->assembly.force + 6 * i;
  const pd_scheme s = pd_body_scheme(sys, b);
  const double spin = (b->inertia.j.x + b->inertia.j.y + b->inertia.j.z) / 3.0;
  const double stiff = pd_inertia_stiffness(&s, &b->inertia);
  const double stiffness[2] = {stiff, stiff * spin / b->inertia.mass};
  if (when == PD_AT_START) {
    hold_start(b, f);
  } else if (b->constraint.hinged) {
    pd_system_hinge(sys, i, stiffness, tangent);
  } else {
    constrain_residual(sys, b, f, stiffness);
    if (tangent) constrain_rows(sys, i, stiffness);
  }
}

/* what holds a body that the step does not move: the opposite of the contact forces on it */
void pd_system_drive(pd_system *sys, int i, pd_when when)
{
  const double sign = when == PD_AT_START ? -1.0 : 1.0;
  for (int m = 0; m < 6; m++) sys->body[i].drive[m] = sign * sys->assembly.force[6 * i + m];
}
