/* SPDX-License-Identifier: MIT
 * A rigid boundary in a frame of its own, which moves as prescribed: over a substep by (u, alpha).
 * One that has a degree of freedom is a body of the system besides (pd_body.wall), the second side
 * of its pairs: it says what the boundary is, and what acts on it. */
#ifndef PD_WALL_H
#define PD_WALL_H

#include "contact/pair.h"
#include "dynamics/integrator.h"

typedef enum pd_wall_kind { PD_PLANE, PD_SURFACE } pd_wall_kind;

typedef struct pd_wall {
  /* what it is: set by the caller before pd_system_bind */
  pd_wall_kind kind;
  pd_vec3 normal;  /* plane: in the wall's frame, whose origin lies in the plane */
  pd_shape *shape; /* surface: vertices in the wall's frame */
  long key;        /* names the wall in the memory of friction, unique among walls */
  double mass;     /* that the damping of contacts sees; 0: it is as heavy as can be */
  int moves;       /* as prescribed; 0: what follows is then not looked at, but for x */
  /* at the start of the substep: set by the caller, advanced by pd_substep_commit */
  pd_vec3 x;      /* origin of the frame */
  pd_quat q;      /* frame to world */
  pd_vec3 v, w;   /* velocity of the origin, angular velocity */
  pd_vec3 v0, w0; /* the same at the start of the substep that ended here */
  /* what is prescribed for the substep: set by pd_system_move_wall */
  pd_vec3 u, alpha; /* increments over the whole substep */
  pd_vec3 v1, w1;   /* velocities at its end */
  /* where it is on trial: set by pd_system_set_wall_pose */
  double t; /* fraction of the substep */
  pd_vec3 u_now, alpha_now;
  pd_vec3 n; /* plane: normal in the world */
  pd_pose pose;
  /* what the owned bodies do to it; set by pd_system_sum */
  double load[6];           /* force on the wall and its moment about the frame's origin; of the
                               energy-momentum scheme about the middle of its way */
  double loss[PD_NLOSS][6]; /* parts of it */
  double energy;            /* contact potential with it */
  /* the same at the start of the substep: set by pd_system_accept_forces */
  double load0[6], loss0[PD_NLOSS][6];
  /* what else it has done to bodies whose rest on it has ended, as force and moment over the
   * substep like the load; set by pd_em_settle_owed */
  double owed[6];
  double
      work; /* done by the wall on the owned bodies in the substep, energy; set by its solution */
} pd_wall;

/* Velocity at the start of the substep of what moves with it, where x is, and its angular velocity.
 */
PD_KERNEL pd_vec3 pd_wall_velocity_at(const pd_wall *w, pd_vec3 x)
{
  return w->moves ? pd_add(w->v, pd_cross(w->w, pd_sub(x, w->x))) : pd_v(0.0, 0.0, 0.0);
}
PD_KERNEL pd_vec3 pd_wall_spin(const pd_wall *w) { return w->moves ? w->w : pd_v(0.0, 0.0, 0.0); }

/* its key in as many bits as a double keeps, > 0 */
PD_KERNEL long pd_wall_code(const pd_wall *w) { return w->key & ((1L << 52) - 1); }

#endif
