/* SPDX-License-Identifier: MIT
 * What the energy-momentum scheme knows of the rest of a body. */
#ifndef PD_REST_H
#define PD_REST_H

#include "base/vec3.h"

typedef struct pd_em_rest {
  /* in this substep; by pd_em_choose, on ghosts from their owners */
  int rests;          /* all its contacts rest, by friction or without any, and it does not float */
  int by_friction;    /* they do by friction */
  int supported;      /* so do those between it and what does not move by itself; by
                         pd_em_spread_support */
  int floats;         /* all its contacts rest, but on such as it alone; by pd_em_let_float */
  long on_prescribed; /* it rests on what moves as prescribed, or on what does: pd_wall_code of that
                         wall, the tag of that body below 0; else 0. By pd_em_spread_prescribed */

  /* from one substep to the next; by pd_em_note_rest */
  long borne_by; /* on_prescribed in the last substep of its rest */
  int rested; /* before this substep: 1: on what moves as prescribed; 2: for at least three; -n: it
                 has floated in the last n; else 0 */
  double mean_over; /* While it rests on a support that moves, its velocity at the start is the mean
                       one over a substep of this length; 0: it is that of the instant. */
  pd_vec3 mean_acc, mean_wdot; /* smoothed accelerations of that rest */
  int mean_is_old;             /* those of the last substep are not in them yet */

  /* of this substep; by pd_em_refer_velocities */
  pd_vec3 lag, lag_turn;     /* its mean velocities less those at the start */
  pd_vec3 given, given_turn; /* velocities that it got as its rest ended */
} pd_em_rest;

#endif
