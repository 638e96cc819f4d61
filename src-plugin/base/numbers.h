/* SPDX-License-Identifier: MIT
 * Numbers that steer the numerics: every one with its unit, its meaning and where its value comes from.
 * What half and double of each do to iterations and cost: doc/numbers.md. A build may set one of them
 * by -D, as the bench of their sensitivity does. None of them is a parameter of the physics: those are
 * in the laws of contact/law. */
#ifndef PD_NUMBERS_H
#define PD_NUMBERS_H

/* ---- contact: search, set, friction ---- */

/* ---- dynamics: bounds, impacts, step limiter ---- */

/* ---- solve: Newton's iteration, substeps ---- */

/* ---- solve: control of substeps ---- */

/* What may be left of a step, over its length, when it counts as filled; rounding of the sum of a
 * thousand substeps is below it. Unit: -. */
#ifndef PD_STEP_FILLED
#define PD_STEP_FILLED 1.0e-12
#endif

/* Lengths of substeps that differ by no more, relatively, count as equal: rounding must not make one
 * substep more. Unit: -. */
#ifndef PD_SAME_LENGTH
#define PD_SAME_LENGTH 1.0e-9
#endif

/* Shortest substep where none is given, over the step; estimate: twenty halvings. Unit: -. */
#ifndef PD_SHORTEST_SUBSTEP
#define PD_SHORTEST_SUBSTEP 1.0e-6
#endif

/* Allowance for bodies that become faster from one substep to the next, as the neighbour list is
 * made before they leave it; estimate. Unit: -. */
#ifndef PD_LIST_FASTER
#define PD_LIST_FASTER 1.05
#endif

/* Part of what a new neighbour list reaches that a substep shortened for it is to use; estimate.
 * Unit: -. */
#ifndef PD_LIST_FILL
#define PD_LIST_FILL 0.9
#endif

/* Scheme em where nothing else is given: tolerance of the iteration, tighter than the others', since
 * its energies are to be exact; rise of the energy in a substep that the guard allows, over the
 * energy. Estimates. Unit: -. */
#ifndef PD_EM_TOL
#define PD_EM_TOL 1.0e-10
#endif
#ifndef PD_EM_GUARD
#define PD_EM_GUARD 5.0e-7
#endif

#endif
