/* SPDX-License-Identifier: MIT
 * How far bodies may go along a direction without passing through each other. */
#ifndef PD_STEP_LIMITER_H
#define PD_STEP_LIMITER_H

/* what the step limiter is asked */
typedef struct pd_step_request {
  const double *direction; /* 6 nbody: change of (u, alpha), ghosts included */
  double eta;        /* < 1: fraction of its present distance that a pair in contact must keep */
  int walls;         /* != 0: the moving walls, and the bodies whose motion is prescribed, go their
                        way from the start of the substep to its end meanwhile; 0: they stand at
                        its end */
  double entry;      /* gap, over the activation distance, at which a contact that closes stops; 0:
                        where it is to have about its force */
  const char *pairs; /* npair: which pairs are looked at; NULL: all */
  int evaluated;     /* != 0: the last evaluation of every pair was at the present (u, alpha) */
} pd_step_request;

/* what it answers */
typedef struct pd_step_limits {
  double *fraction; /* nbody, given by the caller: 0..1 of the direction, of bodies known here */
  double least;     /* the smallest of them */
  double wall; /* smallest factor of a pair with a wall or a prescribed body that moves meanwhile;
                  below 1 the substep is too long for it */
  int pair;    /* that pair; -1: none is below 1 */
} pd_step_limits;

#endif
