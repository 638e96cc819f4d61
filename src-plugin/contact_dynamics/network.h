/* SPDX-License-Identifier: MIT
 * The contact network: bodies, contacts between them, and the gap function gradient B, one row per
 * contact, which is never formed as a matrix.
 * Equation numbers: Olsen & Kamrin, Resolving force indeterminacy in contact dynamics using
 * compatibility conditions (2018). */
#ifndef PD_CD_NETWORK_H
#define PD_CD_NETWORK_H

#include "base/vec3.h"
#include "contact_dynamics/reductions.h"
#include "contact_dynamics/pool.h"

/* Vectors "six" hold 6 doubles per body: velocity and angular velocity, or force and moment about
 * the centre of mass, in world axes; owned bodies first, then ghosts. */
typedef struct pd_cd_body {
  double mass;
  pd_mat3 inertia; /* about the centre of mass, world axes; not looked at if turns = 0 */
  int mobile;      /* 0: contacts do not move it; its motion is in the drift of its contacts */
  int turns;       /* 0: its rotation is left out, as that of frictionless spheres may be */
  double inv_mass; /* these two are set by pd_cd_network_bind */
  pd_mat3 inv_inertia;
  /* Compatible forces alone: something else bears a part of what is on the body. */
  int guided; /* the next three are looked at */
  /* projections onto the directions along and axes about which it can move */
  pd_mat3 free_translation, free_rotation;
  pd_vec3 arm; /* from the point about which it turns to the centre of mass */
} pd_cd_body;

typedef struct pd_cd_contact {
  int a, b;       /* bodies; b < 0: a boundary */
  pd_vec3 n;      /* unit normal: direction of the force on a, from b to a */
  pd_vec3 ra, rb; /* levers: from the centres of mass to the contact point */
  double gap;     /* Phi, negative if the bodies overlap */
  pd_vec3 drift;  /* velocity of a against b at the point due to bodies that are not mobile, and
                     boundaries */
  double en;      /* coefficient of restitution */
  double mu;      /* of friction */
  double k;       /* relative stiffness k~ of eq. (35), > 0 */
  int closed;     /* 0: it carries no compatible force */
  pd_vec3 grip;   /* from the contact point to where friction acts */
} pd_cd_contact;

/* One row of B: six entries for each of the two bodies. A body that does not move is -1. */
typedef struct pd_cd_row {
  int a, b;
  int turns; /* 0: the entries of rotation are all zero */
  double ja[6], jb[6];
} pd_cd_row;

typedef struct pd_cd_network {
  int nowned, nbody, ncontact; /* nbody includes ghosts */
  size_t cap_body, cap_contact;
  pd_cd_body *body;
  pd_cd_contact *contact;
  pd_cd_row *row;                        /* of the normals, set by pd_cd_network_bind */
  const pd_communication *communication; /* NULL: a single process; not owned */
} pd_cd_network;

/* B as an operator: some rows over the bodies of a network */
typedef struct pd_cd_operator {
  const pd_cd_network *net;
  int n;
  const pd_cd_row *row;
} pd_cd_operator;

/* room for n rows from a pool, whose alignment for doubles suits them */
PD_KERNEL pd_cd_row *pd_cd_take_rows(pd_cd_pool *pool, size_t n)
{
  return (pd_cd_row *)(void *)pd_cd_take(pool, n * sizeof(pd_cd_row) / sizeof(double) + 1);
}

PD_BEGIN_DECLS

void pd_cd_network_create(pd_cd_network *net);
void pd_cd_network_free(pd_cd_network *net);

/* Makes room; bodies and contacts are then set by the caller, followed by pd_cd_network_bind.
 * Errors: PD_ENOMEM. */
pd_status pd_cd_network_resize(pd_cd_network *net, int nowned, int nghost, int ncontact);

/* Sets the rows of B and the inverse inertias. Errors: PD_EINDEX (a contact names no body),
 * PD_ENAN, PD_ERANGE (stiffness, friction, restitution; mass or inertia of a mobile body). */
pd_status pd_cd_network_bind(pd_cd_network *net);

/* rows of contact c: for the relative velocity along its normal at the contact point, along a
 * tangent t where friction acts */
pd_cd_row pd_cd_normal_row(const pd_cd_network *net, const pd_cd_contact *c);
pd_cd_row pd_cd_tangent_row(const pd_cd_network *net, const pd_cd_contact *c, pd_vec3 t);

/* What contacts have to bear of a force and a moment on a body. */
void pd_cd_free_load(const pd_cd_body *b, const double *load, double *part);

/* two unit vectors that make a right-handed frame with the normal n */
void pd_cd_tangents(pd_vec3 n, pd_vec3 *t1, pd_vec3 *t2);

/* the operator of the normals */
pd_cd_operator pd_cd_normals(const pd_cd_network *net);

/* half an entry of B v */
PD_KERNEL double pd_cd_half_rate(const double *j, const double *v, int turns)
{
  const double s = j[0] * v[0] + j[1] * v[1] + j[2] * v[2];
  return turns ? s + (j[3] * v[3] + j[4] * v[4] + j[5] * v[5]) : s;
}

/* one entry of B v, v six */
PD_KERNEL double pd_cd_row_rate(const pd_cd_row *r, const double *v)
{
  const double a = r->a >= 0 ? pd_cd_half_rate(r->ja, v + 6 * (size_t)r->a, r->turns) : 0.0;
  return r->b >= 0 ? a + pd_cd_half_rate(r->jb, v + 6 * (size_t)r->b, r->turns) : a;
}

PD_KERNEL void pd_cd_half_force(const double *j, double f, double *sum, int turns)
{
  sum[0] += f * j[0], sum[1] += f * j[1], sum[2] += f * j[2];
  if (turns) sum[3] += f * j[3], sum[4] += f * j[4], sum[5] += f * j[5];
}

/* sum (six) += one column of B^T times f */
PD_KERNEL void pd_cd_row_force(const pd_cd_row *r, double f, double *sum)
{
  if (r->a >= 0) pd_cd_half_force(r->ja, f, sum + 6 * (size_t)r->a, r->turns);
  if (r->b >= 0) pd_cd_half_force(r->jb, f, sum + 6 * (size_t)r->b, r->turns);
}

/* out = B v, v six; the ghosts' entries must be those of their owners */
void pd_cd_rates(const pd_cd_operator *op, const double *v, double *out);

/* sum (six) = B^T f, the resultants of the contact forces, eq. (18); complete for owned bodies */
void pd_cd_resultants(const pd_cd_operator *op, const double *f, double *sum);

/* out = B^T diag(h) B v, in one pass over the rows; complete for owned bodies. The ghosts'
 * entries of v must be those of their owners. */
void pd_cd_stiffness_product(const pd_cd_operator *op, const double *h, const double *v,
                             double *out);

/* v += s M^-1 force, both six, for owned bodies that move */
void pd_cd_add_mobility(const pd_cd_network *net, double s, const double *force, double *v);

/* diagonal of B M^-1 B^T for row r */
double pd_cd_row_mobility(const pd_cd_network *net, const pd_cd_row *r);

/* global dot products over owned bodies, and over contacts */
double pd_cd_dot_six(const pd_cd_network *net, const double *x, const double *y);
double pd_cd_dot(const pd_cd_network *net, int n, const double *x, const double *y);

/* largest entry of |x| over all processes; infinite if one is not a number */
double pd_cd_largest(const pd_cd_network *net, size_t n, const double *x);

/* Contacts whose gap rate is left open by more than tol by a rigid solution can carry no compatible
 * force, for problem (36) does not know their gap: marks closed those with slack <= tol. Returns
 * how many there are over all processes. */
double pd_cd_mark_closed(pd_cd_network *net, const double *slack, double tol);

PD_END_DECLS

#endif
