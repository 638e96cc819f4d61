/* SPDX-License-Identifier: MIT
 * Time integration of one rigid body: the step's unknowns are u (displacement of the centre of
 * mass) and alpha (incremental Rodrigues vector). Equation numbers: Gay Neto & Wriggers, Discrete
 * element model for general polyhedra (2021).
 *
 * NEWMARK: eqs. (20)-(22), the rotational part modified so that angular momentum is kept.
 * EM: u = h [(1 - a) v0 + a v1], alpha = h Q0 [(1 - a) W0 + a W1] with the body's angular velocity
 * W, and the change of momentum m (v1 - v0) = h f and of angular momentum J1 omega1 - J0 omega0 = h
 * m, 1/2 <= a <= 1. Then the kinetic energy changes by f . u + m . alpha - (a - 1/2) (m |v1 - v0|^2
 * + (W1 - W0) . J (W1 - W0)), exactly. EULER: the same with a = 1, implicit Euler. */
#ifndef PD_INTEGRATOR_H
#define PD_INTEGRATOR_H

#include "contact/gap.h"
#include "base/rotation.h"

typedef enum pd_scheme_kind { PD_NEWMARK, PD_EULER, PD_EM } pd_scheme_kind;

/* constants of a step of length h */
typedef struct pd_scheme {
  pd_scheme_kind kind;
  double beta, gamma;            /* Newmark's parameters */
  double a;                      /* EM's parameter, of the body at hand */
  double h;                      /* step, time */
  double a1, a2, a3, a4, a5, a6; /* below eq. (21) */
} pd_scheme;

/* state of a body at the start of a step; world axes */
typedef struct pd_state {
  pd_vec3 x;         /* centre of mass */
  pd_quat q;         /* principal frame to world */
  pd_vec3 v, w;      /* velocity, angular velocity */
  pd_vec3 acc, wdot; /* accelerations */
} pd_state;

/* what does not change */
typedef struct pd_inertia {
  double mass;
  pd_vec3 j; /* principal moments */
} pd_inertia;

PD_KERNEL double pd_inertia_mean(const pd_inertia *i) { return (i->j.x + i->j.y + i->j.z) / 3.0; }

/* kinematics at (u, alpha) */
typedef struct pd_kinematics {
  pd_mat3 dq;  /* Q of alpha */
  pd_mat3 rot; /* dq times the rotation at the start */
  pd_mat3 xi;  /* eq. (9) */
  pd_mat3 inv; /* its inverse */
  pd_velocity velocity;
} pd_kinematics;

PD_KERNEL void pd_scheme_set_step(pd_scheme *s, double h)
{
  s->h = h;
  s->a1 = 1.0 / (s->beta * h * h);
  s->a2 = 1.0 / (s->beta * h);
  s->a3 = (1.0 - 2.0 * s->beta) / (2.0 * s->beta);
  s->a4 = s->gamma / (s->beta * h);
  s->a5 = 1.0 - s->gamma / s->beta;
  s->a6 = (1.0 - s->gamma / (2.0 * s->beta)) * h;
}

PD_KERNEL double pd_scheme_a(const pd_scheme *s) { return s->kind == PD_EULER ? 1.0 : s->a; }

/* c1 a + c2 b + c3 c */
PD_KERNEL pd_vec3 pd_comb(double c1, pd_vec3 a, double c2, pd_vec3 b, double c3, pd_vec3 c)
{
  return pd_axpy(pd_axpy(pd_scale(c1, a), c2, b), c3, c);
}

/* angular velocity at the end of the step, turned by dq in it */
PD_KERNEL pd_vec3 pd_scheme_spin(const pd_scheme *s, const pd_state *o, pd_vec3 alpha, pd_mat3 dq)
{
  const double a = pd_scheme_a(s);
  if (s->kind == PD_NEWMARK) return pd_mv(dq, pd_comb(s->a4, alpha, s->a5, o->w, s->a6, o->wdot));
  if (a == 1.0) return pd_scale(1.0 / s->h, alpha);
  return pd_mv(dq, pd_axpy(pd_scale(1.0 / (a * s->h), alpha), -(1.0 - a) / a, o->w));
}

/* velocities there and their derivatives by u and alpha; inv: that of xi */
PD_KERNEL pd_velocity pd_scheme_velocity(const pd_scheme *s, const pd_state *o, pd_vec3 u,
                                         pd_vec3 alpha, pd_mat3 dq, pd_mat3 inv)
{
  pd_velocity m;
  const double a = pd_scheme_a(s);
  m.w = pd_scheme_spin(s, o, alpha, dq);
  if (s->kind != PD_NEWMARK && a == 1.0) {
    m.v = pd_scale(1.0 / s->h, u);
    m.dv = 1.0 / s->h;
    m.dw = pd_m_scale(1.0 / s->h, inv);
    return m;
  }
  if (s->kind != PD_NEWMARK) {
    m.dv = 1.0 / (a * s->h);
    m.v = pd_axpy(pd_scale(m.dv, u), -(1.0 - a) / a, o->v);
    m.dw = pd_m_add(pd_m_scale(-1.0, pd_skew(m.w)), pd_m_scale(m.dv, pd_m_mul(dq, inv)));
    return m;
  }
  m.v = pd_comb(s->a4, u, s->a5, o->v, s->a6, o->acc);
  m.dv = s->a4;
  m.dw = pd_m_add(pd_m_scale(-1.0, pd_skew(m.w)), pd_m_scale(s->a4, pd_m_mul(dq, inv)));
  return m;
}

PD_KERNEL pd_kinematics pd_kinematics_at(const pd_scheme *s, const pd_state *o, pd_vec3 u,
                                         pd_vec3 alpha)
{
  pd_kinematics k;
  k.dq = pd_rodrigues(alpha);
  k.rot = pd_m_mul(k.dq, pd_q_matrix(o->q));
  k.xi = pd_xi(alpha);
  k.inv = pd_xi_inverse(alpha);
  k.velocity = pd_scheme_velocity(s, o, u, alpha, k.dq, k.inv);
  return k;
}

/* accelerations at the end of the step; Euler and EM: the mean ones, they serve the predictor */
PD_KERNEL pd_vec3 pd_scheme_acc(const pd_scheme *s, const pd_state *o, pd_vec3 u)
{
  if (s->kind != PD_NEWMARK)
    return pd_scale(1.0 / (pd_scheme_a(s) * s->h), pd_axpy(pd_scale(1.0 / s->h, u), -1.0, o->v));
  return pd_comb(s->a1, u, -s->a2, o->v, -s->a3, o->acc);
}

PD_KERNEL pd_vec3 pd_scheme_wdot(const pd_scheme *s, const pd_state *o, pd_vec3 alpha, pd_mat3 dq)
{
  if (s->kind != PD_NEWMARK) /* (omega1 - omega0) / h */
    return pd_scale(1.0 / s->h, pd_sub(pd_scheme_spin(s, o, alpha, dq), o->w));
  return pd_mv(dq, pd_comb(s->a1, alpha, -s->a2, o->w, -s->a3, o->wdot));
}

PD_KERNEL pd_vec3 pd_inertia_force(const pd_scheme *s, const pd_state *o, const pd_inertia *in,
                                   pd_vec3 u)
{
  return pd_scale(in->mass, pd_scheme_acc(s, o, u));
}

/* inertial moment, eq. (19) for Newmark, and its derivative by alpha */
PD_KERNEL pd_vec3 pd_inertia_moment(const pd_scheme *s, const pd_state *o, const pd_inertia *in,
                                    pd_vec3 alpha, const pd_kinematics *k, pd_mat3 *d_alpha)
{
  const pd_mat3 j = pd_rotate_diag(k->rot, in->j);
  if (s->kind != PD_NEWMARK) {
    const pd_mat3 r0 = pd_q_matrix(o->q), j0 = pd_rotate_diag(r0, in->j);
    const double h = s->h;
    const pd_vec3 p1 = pd_mv(j, k->velocity.w), p0 = pd_mv(j0, o->w);
    if (d_alpha) {
      const pd_mat3 turn = pd_m_mul(pd_skew(p1), k->xi), grow = pd_m_mul(j, k->dq);
      *d_alpha =
          pd_m_add(pd_m_scale(-1.0 / h, turn), pd_m_scale(1.0 / (pd_scheme_a(s) * h * h), grow));
    }
    return pd_scale(1.0 / h, pd_sub(p1, p0));
  }
  const pd_vec3 w = k->velocity.w, jw = pd_mv(j, w);
  const pd_vec3 m = pd_add(pd_cross(w, jw), pd_mv(j, pd_scheme_wdot(s, o, alpha, k->dq)));
  if (d_alpha) {
    pd_mat3 y = pd_m_scale(-s->a4, pd_skew(jw));
    y = pd_m_add(y, pd_m_scale(s->a4, pd_m_mul(pd_skew(w), j)));
    y = pd_m_mul(pd_m_add(y, pd_m_scale(s->a1, j)), k->dq);
    *d_alpha = pd_m_add(y, pd_m_scale(-1.0, pd_m_mul(pd_skew(m), k->xi)));
  }
  return m;
}

/* d(inertia force)/du, a multiple of the identity */
PD_KERNEL double pd_inertia_stiffness(const pd_scheme *s, const pd_inertia *in)
{
  return in->mass * (s->kind != PD_NEWMARK ? 1.0 / (pd_scheme_a(s) * s->h * s->h) : s->a1);
}

/* angular acceleration under a torque, from eq. (19) in the principal frame */
PD_KERNEL pd_vec3 pd_inertia_spin_up(const pd_state *o, const pd_inertia *in, pd_vec3 torque)
{
  const pd_mat3 r = pd_q_matrix(o->q);
  const pd_vec3 w = pd_mtv(r, o->w), jw = pd_v(in->j.x * w.x, in->j.y * w.y, in->j.z * w.z);
  const pd_vec3 t = pd_sub(pd_mtv(r, torque), pd_cross(w, jw));
  return pd_mv(r, pd_v(t.x / in->j.x, t.y / in->j.y, t.z / in->j.z));
}

/* angular impulse that changes the angular velocity by dw */
PD_KERNEL pd_vec3 pd_inertia_impulse(const pd_quat q, const pd_inertia *in, pd_vec3 dw)
{
  const pd_mat3 r = pd_q_matrix(q);
  const pd_vec3 l = pd_mtv(r, dw);
  return pd_mv(r, pd_v(l.x * in->j.x, l.y * in->j.y, l.z * in->j.z));
}

/* change of the angular velocity by an angular impulse */
PD_KERNEL pd_vec3 pd_inertia_turned_by(const pd_quat q, const pd_inertia *in, pd_vec3 impulse)
{
  const pd_mat3 r = pd_q_matrix(q);
  const pd_vec3 l = pd_mtv(r, impulse);
  return pd_mv(r, pd_v(l.x / in->j.x, l.y / in->j.y, l.z / in->j.z));
}

/* first guess of the step: the motion at the present accelerations */
PD_KERNEL void pd_scheme_predict(const pd_scheme *s, const pd_state *o, pd_vec3 *u, pd_vec3 *alpha)
{
  const double h2 = (s->kind != PD_NEWMARK ? pd_scheme_a(s) : 0.5) * s->h * s->h;
  *u = pd_axpy(pd_scale(s->h, o->v), h2, o->acc);
  *alpha = pd_axpy(pd_scale(s->h, o->w), h2, o->wdot);
}

/* state at the end of the step, where k = pd_kinematics_at(s, o, u, alpha); what does not turn
 * keeps its orientation to the last bit */
PD_KERNEL pd_state pd_scheme_advance(const pd_scheme *s, const pd_state *o, pd_vec3 u,
                                     pd_vec3 alpha, const pd_kinematics *k)
{
  pd_state n;
  n.x = pd_add(o->x, u);
  n.q = pd_norm2(alpha) > 0.0 ? pd_q_normalize(pd_q_mul(pd_rodrigues_quat(alpha), o->q)) : o->q;
  n.v = k->velocity.v;
  n.w = k->velocity.w;
  n.acc = pd_scheme_acc(s, o, u);
  n.wdot = pd_scheme_wdot(s, o, alpha, k->dq);
  return n;
}

/* The part of a change of external forces, held over a step, by which its end is to be corrected.
 * squares: sum of the squares of the step's substeps over its own square. A free body has gone
 * h v + b h^2 f / m, with b = 1/2, and with Euler's scheme b = (1 + squares) / 2. With half of the
 * part p of the change of the force over h its motion under a force that falls linearly with the
 * way keeps areas in phase space, and does not drift, for p = 2 (1 - b). */
PD_KERNEL double pd_scheme_corrected_part(pd_scheme_kind kind, double squares)
{
  return kind == PD_EULER ? 1.0 - squares : 1.0;
}

/* External force and torque were held at their values of the start over a time h, at whose end they
 * have changed, and with them the accelerations, by dacc and dwdot, of which only the part above
 * counts: the state there gets the velocity that their mean has beyond that. A free body moves as
 * by velocity Verlet then, of second order (Euler's scheme: of first order) and without drift of
 * the energy. Returns the change of the kinetic energy. */
PD_KERNEL double pd_correct(const pd_inertia *in, double h, pd_vec3 dacc, pd_vec3 dwdot,
                            pd_state *n)
{
  const pd_vec3 v = pd_axpy(n->v, 0.25 * h, dacc), w = pd_axpy(n->w, 0.25 * h, dwdot); /* means */
  n->v = pd_axpy(n->v, 0.5 * h, dacc);
  n->w = pd_axpy(n->w, 0.5 * h, dwdot);
  n->acc = pd_add(n->acc, dacc);
  n->wdot = pd_add(n->wdot, dwdot);
  return 0.5 * h * (in->mass * pd_dot(v, dacc) + pd_dot(w, pd_inertia_impulse(n->q, in, dwdot)));
}

/* kinetic energy of translation and of rotation */
PD_KERNEL double pd_kinetic_translation(const pd_inertia *in, pd_vec3 v)
{
  return 0.5 * in->mass * pd_norm2(v);
}

PD_KERNEL double pd_kinetic_rotation(const pd_inertia *in, pd_quat q, pd_vec3 w)
{
  const pd_vec3 b = pd_mtv(pd_q_matrix(q), w);
  return 0.5 * (in->j.x * b.x * b.x + in->j.y * b.y * b.y + in->j.z * b.z * b.z);
}

/* both */
PD_KERNEL double pd_kinetic(const pd_inertia *in, const pd_state *s)
{
  return pd_kinetic_translation(in, s->v) + pd_kinetic_rotation(in, s->q, s->w);
}

#endif
