/* SPDX-License-Identifier: MIT
 * How a time step is filled with substeps: the length of the next one, and what is to be done after
 * each was solved. Knows lengths and displacements, no bodies: who solves, moves the bodies and
 * makes neighbour lists is the caller, once around for every substep:
 *
 *   pd_control_begin
 *   while (pd_control_goes_on) {
 *     h = pd_control_length
 *     if (pd_control_leaves_list(h)) make a list, pd_control_new_list
 *     solve a substep of length h
 *     act on pd_control_judge: go on (pd_control_accept), or take back what was solved
 *   }
 *
 * All processes see the same outcomes of substeps, and so decide the same. */
#ifndef PD_SUBSTEP_CONTROL_H
#define PD_SUBSTEP_CONTROL_H

#include "solve/newton.h"

/* what the caller wants of all substeps */
typedef struct pd_substep_limits {
  int fixed;       /* equal substeps in every step, never repeated; 0: as many as it takes */
  double shortest; /* 0: PD_SHORTEST_SUBSTEP of the step */
  double longest;  /* 0: the step */
  double reach;    /* displacement of a body that a neighbour list allows, from where it was made */
} pd_substep_limits;

/* Whole numbers, exact to 2^53; doubles as in outputs and restart files. All add up. */
typedef struct pd_substep_counts {
  double accepted;
  double rejected; /* those of the guard too; substeps cut to resolve an impact do not count */
  double rejected_by_guard;
  double iterations, evaluations, limited; /* of all solves, of rejected and repeated ones too */
} pd_substep_counts;

/* State of the control; zeros at first. Step, failed, moved, speed and the counts go on from step
 * to step; a run that goes on from a file with a new list needs step, failed and the counts. */
typedef struct pd_substep_control {
  pd_substep_limits limits;
  double dt;        /* length of the step */
  double remaining; /* what is left of it */
  double step;      /* length wanted of the next substep, 0: not chosen yet */
  double failed;  /* length of the first of the substeps that failed last, in one go, and more from
                     one to the next; 0: none */
  int repeats;    /* the substep before failed */
  double moved;   /* no body has moved further since the last neighbour list */
  double speed;   /* largest displacement of the substep before, over its length */
  int done;       /* substeps of this step */
  double squares; /* sum of the squares of their lengths */
  int done_by_list; /* those after which the neighbour list bounds the length of the next */
  pd_substep_counts count;
} pd_substep_control;

/* what is to be done with a substep that was solved, or was to be */
typedef enum pd_verdict {
  PD_ACCEPT,
  PD_REPEAT,     /* take it back, solve a shorter one */
  PD_RENEW_LIST, /* take it back, make a neighbour list, solve it again */
  PD_GIVE_UP     /* a shorter one is not allowed. After PD_OK: a body moves further than a new list
                    reaches */
} pd_verdict;

PD_BEGIN_DECLS

/* Options with what the user leaves open as the scheme needs it: the tolerance, unless own_tol; the
 * guard, unless guard >= 0; path, if it is negative. Fixed substeps cannot be repeated, and Euler's
 * may gain a little where contacts reorder: guard and path act on them only if it was asked for. */
pd_newton_options pd_control_options(const pd_newton_options *given, int own_tol, double guard,
                                     pd_scheme_kind kind, int fixed);

/* A step of length dt > 0 begins. */
void pd_control_begin(pd_substep_control *c, double dt, pd_substep_limits limits);

/* Shortest substep that is cut for the sake of accuracy alone. */
double pd_control_shortest_for_path(const pd_substep_control *c);

/* Longest substep that the step may have. */
double pd_control_longest(const pd_substep_control *c);

/* How far a list would have to reach for substeps as long as allowed, at the speed of the last one;
 * 0 unless it is the list that makes most substeps of this step short, and many. */
double pd_control_reach_for_step(const pd_substep_control *c);

/* Whether something is left of the step. */
int pd_control_goes_on(const pd_substep_control *c);

/* Length of the next substep: substeps fill what is left evenly, so that no sliver comes last. */
double pd_control_length(const pd_substep_control *c);

/* Part of the step that is behind at the end of a substep of length h; h = 0: by now. */
double pd_control_fraction(const pd_substep_control *c, double h);

/* Whether bodies that go on as fast as in the substep before are going to leave the list in one of
 * length h, so that it is not found out after it has been solved. */
int pd_control_leaves_list(const pd_substep_control *c, double h);

/* A neighbour list has been made where the bodies are. */
void pd_control_new_list(pd_substep_control *c);

/* What is to be done with a substep of length h that ended like this; counts it, and shortens the
 * next one if it is to be repeated. */
pd_verdict pd_control_judge(pd_substep_control *c, const pd_newton_options *opt, pd_status status,
                            const pd_substep *s, double h);

/* The substep of length h is behind: chooses the length of the next one. */
void pd_control_accept(pd_substep_control *c, const pd_newton_options *opt, const pd_substep *s,
                       double h);

PD_END_DECLS

#endif
