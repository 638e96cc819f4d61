/* SPDX-License-Identifier: MIT
 * Interface law in tangential direction: elastic and viscous trial force, static and dynamic
 * coefficient, stick/slip state, return map, with its consistent, non-symmetric tangent.
 * Equation numbers: Gay Neto & Wriggers, Discrete element model for general polyhedra (2021).
 *
 * One friction contact per sample of the contact set, in a concave corner several, not per term:
 * its normal force is the resultant of its terms. Both bodies are looked at in one point of space
 * x, so that a common rigid rotation gives no slip and the forces balance in moment exactly. */
#ifndef PD_FRICTION_H
#define PD_FRICTION_H

#include "base/numbers.h"
#include "base/vec3.h"
#include "contact/law/normal.h"

/* what a friction contact remembers from one substep to the next */
typedef struct pd_friction_history {
  pd_vec3 gt;   /* tangential gap: recoverable part of the slip, eqs. (44), (58) */
  double slid;  /* length of the way slid so far: sum of |g_slide|, eq. (57) */
  pd_vec3 n;    /* normal at the end of the last substep */
  double force; /* and normal force */
  pd_vec3 rate; /* velocity of A past B in it, on which its dashpots acted; energy-momentum scheme:
                   that at its end, by which the way of the law is ahead */
  int slipping; /* state at the end of the last substep */
} pd_friction_history;

/* kinematics of a sample point */
typedef struct pd_friction_kinematics {
  pd_vec3 n;    /* unit normal on A */
  pd_mat3 turn; /* derivative of n by the resultant of the normal forces */
  double bound; /* normal force that Coulomb's limit refers to */
  pd_vec3 y;    /* relative displacement over the substep and memory, turned by Q_c, eq. (44) */
  pd_vec3 v;    /* relative velocity at x */
} pd_friction_kinematics;

/* derivatives of the force by the kinematics */
typedef struct pd_friction_slopes {
  pd_mat3 y, v, n;
  pd_vec3 bound;
} pd_friction_slopes;

typedef struct pd_friction_result {
  pd_vec3 f;                   /* force on A */
  pd_friction_history history; /* memory if the substep is accepted */
  double elastic;              /* energy of the tangential spring after the substep */
  pd_friction_slopes by;       /* derivatives of f */
} pd_friction_result;

/* Which tangent of a force is wanted. That of friction from afar is half way between Newton's and
 * the secant: where a sample slips, its force is taken to yield along the slip, too. */
typedef enum pd_tangent_kind { PD_NO_TANGENT, PD_TANGENT, PD_TANGENT_FROM_AFAR } pd_tangent_kind;

/* normal and bound from the resultant r of the normal forces */
PD_KERNEL void pd_sample_normal(pd_friction_kinematics *s, pd_vec3 r)
{
  s->bound = pd_norm(r);
  s->n = r;
  s->turn = pd_m_zero();
  if (!(s->bound > 0.0)) return;
  const double c = 1.0 / s->bound;
  s->n = pd_scale(c, r);
  s->turn = pd_m_add(pd_m_diag(pd_v(c, c, c)), pd_outer(pd_scale(-c, s->n), s->n));
}

/* coefficient in force and its derivative by the slip speed */
PD_KERNEL double pd_friction_mu(const pd_friction_law *law, int slipping, double speed, double *dmu)
{
  *dmu = 0.0;
  if (law->v_s <= 0.0) return slipping ? law->mu_d : law->mu_s;
  const double e = (law->mu_s - law->mu_d) * exp(-speed / law->v_s);
  *dmu = -e / law->v_s;
  return law->mu_d + e;
}

/* a return map on its way: trial force and what has become of it */
typedef struct pd_return_map {
  pd_vec3 rate;  /* tangential part of the velocity */
  pd_vec3 trial; /* f^tr = eps_t g_t + c_t rate, eqs. (54), (55) */
  double speed, size;
  double mu, dmu; /* coefficient in force, and its derivative by the speed */
  double limit;   /* mu N */
  int slips;
} pd_return_map;

/* Derivatives of the force of a return map: of -f^tr where it sticks, of -mu N t where it slips,
 * t = f^tr / |f^tr|. The trial is P w, w = eps_t y + c_t v and P = I - n n^T, so that
 * d(P w) = P dw - dn (n . w) - n (w . dn). */
PD_KERNEL pd_friction_slopes pd_friction_differentiate(const pd_friction_law *law,
                                                       const pd_friction_kinematics *s,
                                                       const pd_return_map *map,
                                                       pd_tangent_kind kind)
{
  const pd_vec3 n = s->n, whole = pd_axpy(pd_scale(law->eps_t, s->y), law->c_t, s->v);
  const double along = pd_dot(n, whole), share = map->slips ? map->limit / map->size : 1.0;
  const double lift = share * along;
  pd_mat3 by_whole =
      pd_m_add(pd_outer(pd_scale(share, n), n), pd_m_diag(pd_v(-share, -share, -share)));
  pd_friction_slopes by;
  by.n = pd_m_add(pd_outer(pd_scale(share, n), whole), pd_m_diag(pd_v(lift, lift, lift)));
  by.bound = pd_v(0.0, 0.0, 0.0);
  if (map->slips) {
    const double softer = kind == PD_TANGENT_FROM_AFAR ? PD_SLIP_SOFTENING * share : share;
    const pd_vec3 t = pd_scale(1.0 / map->size, map->trial);
    const pd_mat3 yield = pd_outer(pd_scale(softer, t), t);
    by_whole = pd_m_add(by_whole, yield);
    by.n = pd_m_add(by.n, pd_m_scale(-along, yield));
    by.bound = pd_scale(-map->mu, t);
  }
  by.y = pd_m_scale(law->eps_t, by_whole);
  by.v = pd_m_scale(law->c_t, by_whole);
  if (map->slips && map->dmu != 0.0 && map->speed > 0.0) {
    const double c = -s->bound * map->dmu / (map->size * map->speed);
    const pd_mat3 fall = pd_outer(pd_scale(c, map->trial), map->rate);
    by.v = pd_m_add(by.v, fall);
    by.n = pd_m_add(by.n, pd_m_scale(-pd_dot(n, s->v), fall));
  }
  return by;
}

/* Return map of eqs. (54)-(58). old: the memory at the start of the substep, whose state decides
 * between mu_s and mu_d for the whole substep: the drop from one to the other acts from the next
 * substep on, so that the force stays continuous within Newton's iterations. tangent: derivatives,
 * too. */
PD_KERNEL pd_friction_result pd_friction_eval(const pd_friction_law *law,
                                              const pd_friction_kinematics *s,
                                              const pd_friction_history *old,
                                              pd_tangent_kind tangent)
{
  pd_friction_result result;
  pd_friction_history *now = &result.history;
  result.f = now->gt = pd_v(0.0, 0.0, 0.0);
  now->slid = old->slid;
  now->n = s->n;
  now->force = s->bound;
  now->rate = result.f;
  now->slipping = old->slipping;
  result.elastic = 0.0;
  if (tangent) {
    result.by.y = result.by.v = result.by.n = pd_m_zero();
    result.by.bound = result.f;
  }
  if (!(s->bound > 0.0)) return result;
  const pd_vec3 n = s->n, g = pd_axpy(s->y, -pd_dot(n, s->y), n);
  pd_return_map map;
  map.rate = pd_axpy(s->v, -pd_dot(n, s->v), n);
  map.trial = pd_axpy(pd_scale(law->eps_t, g), law->c_t, map.rate);
  map.speed = pd_norm(map.rate);
  map.size = pd_norm(map.trial);
  map.mu = pd_friction_mu(law, old->slipping, map.speed, &map.dmu);
  map.limit = map.mu * s->bound;
  map.slips = map.size > map.limit; /* eq. (56) */
  const double stretch = law->eps_t * pd_norm(g);
  now->rate = s->v;
  now->slipping = map.slips;
  now->gt = stretch > map.limit ? pd_scale(map.limit / stretch, g) : g; /* eqs. (57), (58) */
  if (stretch > map.limit) now->slid += (stretch - map.limit) / law->eps_t;
  result.elastic = 0.5 * law->eps_t * pd_norm2(now->gt);
  result.f = pd_scale(map.slips ? -map.limit / map.size : -1.0, map.trial);
  if (tangent) result.by = pd_friction_differentiate(law, s, &map, tangent);
  return result;
}

#endif
