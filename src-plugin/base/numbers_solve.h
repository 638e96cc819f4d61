/* SPDX-License-Identifier: MIT
 * Numbers of solve: Newton's iteration, substeps. See numbers.h. */
#ifndef PD_NUMBERS_SOLVE_H
#define PD_NUMBERS_SOLVE_H

/* heuristics that are not used where nothing else is said: a set of enum pd_heuristic, none. For
 * their bench, doc/notes/2026-11-heuristics.md. Unit: bits. */
#ifndef PD_HEURISTICS_OFF
#define PD_HEURISTICS_OFF 0u
#endif

/* bodies that are not worth a second thread when residuals are summed. Estimate. Unit: bodies. */
#ifndef PD_WEIGH_CHUNK
#define PD_WEIGH_CHUNK 1024
#endif

/* squared margin on the rounding error of inertial terms and contacts below which a residual counts
 * as zero (theory.md, 11). Estimate. Unit: -. */
#ifndef PD_ROUNDING_MARGIN
#define PD_ROUNDING_MARGIN 8.0
#endif

/* an island whose residual is above this part of its scale is far from its solution. Measured
 * (doc/notes/2026-11-newton-falling.md): 3e-2 takes 5 % more iterations, 1e-3 half as many again.
 * Unit: -. */
#ifndef PD_FAR
#define PD_FAR 1e-2
#endif

/* a trial may leave this part of the virtual work along its direction, or overshoot by it
 * (theory.md, 11). Estimate. Unit: -. */
#ifndef PD_SLOPE_LEFT
#define PD_SLOPE_LEFT 0.9
#endif

/* decrease of the merit asked of a trial where the direction is not one of descent, over its
 * factor: twice Armijo's usual 1e-4. Unit: -. */
#ifndef PD_ARMIJO
#define PD_ARMIJO 2e-4
#endif

/* a full step about squares the residual, and one more with its matrix leaves the third power:
 * below this times the tolerance that is likely to end the iteration, and no tangent is made.
 * Derived. Unit: -. */
#ifndef PD_NEARLY_THERE
#define PD_NEARLY_THERE 1.0
#endif

/* residual expected of a step with the matrix of the last one, over the tolerance, with which such
 * a step is made. Estimate. Unit: -. */
#ifndef PD_SIMPLIFIED
#define PD_SIMPLIFIED 0.3
#endif

/* residual over the tolerance with which an island is left that has gone on to the last iteration.
 * Estimate. Unit: -. */
#ifndef PD_STALLED
#define PD_STALLED 10.0
#endif

/* way of an iteration, over the radius of a body, that is lost in rounding: the next one would lead
 * no further. Measured: aligned cubes whose edges change places at turns of 1e-16
 * (tests/lammps/test_rest.py) took 16,834 substeps for a step. Unit: -. */
#ifndef PD_LOST_WAY
#define PD_LOST_WAY 1e-14
#endif

/* tolerances that may be left then. Measured: those cubes leave 16 to 60. Unit: -. */
#ifndef PD_LOST
#define PD_LOST 1000.0
#endif

/* longest turn of a body in an iteration, and of one that another fix turns in a substep: the
 * tangent says nothing beyond (theory.md, 11). Estimate. Unit: rad. */
#ifndef PD_TURN_LIMIT
#define PD_TURN_LIMIT 0.5
#endif

/* longest turn of a body with friction in a substep: its slip is looked at as it is half way, and
 * would be turned by as much. Estimate. Unit: rad. */
#ifndef PD_TURN_WITH_FRICTION
#define PD_TURN_WITH_FRICTION 0.5
#endif

/* part of the residual that an inexact direction may leave at most. Measured
 * (doc/notes/2026-11-linear-solver.md): 1e-3 throughout costs 6 % more iterations, 1e-2 23 %.
 * Unit: -. */
#ifndef PD_COARSE
#define PD_COARSE 1e-3
#endif

/* part of the tolerance below which the linear system need not be solved. Estimate. Unit: -. */
#ifndef PD_LINEAR_FLOOR
#define PD_LINEAR_FLOOR 0.1
#endif

/* bodies of an island from which on it has local steps. Measured
 * (doc/notes/2026-11-newton-falling.md): local steps save a fifth of the time of a heap that
 * comes together; the value itself is an estimate. Unit: bodies. */
#ifndef PD_CROWD
#define PD_CROWD 16.0
#endif

/* an island whose merit has not fallen by this factor in an iteration is slow. Measured together
 * with PD_HOT. Unit: -. */
#ifndef PD_SLOW
#define PD_SLOW 0.5
#endif

/* a body whose residual is above this part of the largest of its island belongs to the peak.
 * Measured (doc/notes/2026-11-trials.md): with 0.03 and a smaller part of the island 13.5 s
 * instead of 12.8 s. Unit: -. */
#ifndef PD_HOT
#define PD_HOT 1e-1
#endif

/* rings of neighbours that a local step moves, too (theory.md, 11). Estimate. Unit: rings. */
#ifndef PD_RINGS
#define PD_RINGS 2
#endif

/* largest part of an island that a local step moves. Measured together with PD_HOT. Unit: -. */
#ifndef PD_LOCAL_PART
#define PD_LOCAL_PART 0.5
#endif

/* least part of an iteration that a local step counts as. Estimate. Unit: iterations. */
#ifndef PD_LOCAL_AGE
#define PD_LOCAL_AGE 0.25
#endif

/* iterations after which an island's impacts may be made inelastic. Measured
 * (doc/notes/2026-11-trials.md): with 8 there are 57 % more iterations. Unit: iterations. */
#ifndef PD_PATIENCE_WITH_MANY
#define PD_PATIENCE_WITH_MANY 5.0
#endif

/* the same for a collision of one or two bodies, whose restitution it would spoil
 * (doc/notes/2026-11-trials.md). Estimate. Unit: iterations. */
#ifndef PD_PATIENCE_WITH_TWO
#define PD_PATIENCE_WITH_TWO 14.0
#endif

/* damping ratio above which such a collision may lose what restitution it has (theory.md, 11).
 * Estimate. Unit: -. */
#ifndef PD_LITTLE_IS_LEFT
#define PD_LITTLE_IS_LEFT 0.3
#endif

/* part of a gap that the predictor must leave: it knows nothing of contacts, so it may open them
 * but not press them (theory.md, 11). Estimate. Unit: -. */
#ifndef PD_PREDICTOR_ETA
#define PD_PREDICTOR_ETA 0.9
#endif

/* distance that bodies keep on the straight way of a substep, over the activation distance or their
 * distance at its start: any that is no rounding will do. Estimate. Unit: -. */
#ifndef PD_PASSAGE_GAP
#define PD_PASSAGE_GAP 1e-3
#endif

/* passes in which the predictor is cut, the last one the same for all bodies. Estimate. Unit: -. */
#ifndef PD_PREDICTOR_PASSES
#define PD_PREDICTOR_PASSES 3
#endif

/* a body whose acceleration holds more than its external loads by this fraction is in contact,
 * for the predictor. Estimate. Unit: -. */
#ifndef PD_TOUCH_PREDICTOR
#define PD_TOUCH_PREDICTOR 1e-3
#endif

/* the same for the energy guard: above the tolerance of Newton's method. Estimate. Unit: -. */
#ifndef PD_TOUCH_GUARD
#define PD_TOUCH_GUARD 1e-7
#endif

/* a body in contact that moves by less than this part of its radius within a step is at rest.
 * Derived from rounding. Unit: -. */
#ifndef PD_TREMBLE
#define PD_TREMBLE 1e-13
#endif

/* a body in contact is at rest, too, where what Newton's method may leave of its external force,
 * times this, makes its speed within a step. Below 1: what is taken from its momentum would pass
 * for converged. Those that friction holds use all of it. Estimate. Unit: -. */
#ifndef PD_REST_OF_TOLERANCE
#define PD_REST_OF_TOLERANCE 0.25
#endif

/* margin on the work of the residual that Newton's method leaves, in the energy error. Estimate.
 * Unit: -. */
#ifndef PD_NOISE_OF_RESIDUAL
#define PD_NOISE_OF_RESIDUAL 4.0
#endif

/* rounding of the energy balance over the energies in it. Derived: some 500 DBL_EPSILON. Unit:
 * -. */
#ifndef PD_NOISE_OF_ROUNDING
#define PD_NOISE_OF_ROUNDING 1e-13
#endif

/* margin on the work of forces, loads and contacts over what rounding hides of the places, in the
 * energy error: DBL_EPSILON of the distance from the origin, of the way and of the radius. Derived:
 * a place is rounded once, a way and a gap some times. Unit: -. */
#ifndef PD_NOISE_OF_PLACES
#define PD_NOISE_OF_PLACES 4.0
#endif

/* a step is too long for an impact if it is longer than this times the one that resolves it:
 * substeps chosen so must pass. Unit: -. */
#ifndef PD_RESOLVED_MARGIN
#define PD_RESOLVED_MARGIN 1.000001
#endif

/* effort of a substep (iterations of its slowest island) up to which the next one is longer.
 * Measured (doc/notes/2026-11-trials.md): 9, with 15 below, saves 10 to 18 % of the time, but
 * more substeps of scheme euler fail. Unit: iterations. */
#ifndef PD_EFFORT_EASY
#define PD_EFFORT_EASY 6.0
#endif

/* and up to which it is as long, schemes newmark and euler. As above. Unit: iterations. */
#ifndef PD_EFFORT_FAIR
#define PD_EFFORT_FAIR 12.0
#endif

/* scheme em: up to which it is a little longer. Estimate. Unit: iterations. */
#ifndef PD_EFFORT_EM_FAIR
#define PD_EFFORT_EM_FAIR 14.0
#endif

/* scheme em: up to which it is as long. Estimate. Unit: iterations. */
#ifndef PD_EFFORT_EM_LONG
#define PD_EFFORT_EM_LONG 20.0
#endif

/* factors on the next substep: after an easy one. Unit: -. */
#ifndef PD_GROWTH_EASY
#define PD_GROWTH_EASY 1.5
#endif

/* after a fair one, scheme em. Unit: -. */
#ifndef PD_GROWTH_EM_FAIR
#define PD_GROWTH_EM_FAIR 1.15
#endif

/* after a hard one. Unit: -. */
#ifndef PD_GROWTH_HARD
#define PD_GROWTH_HARD 0.8
#endif

/* after one that failed, and at most after one that the energy guard has rejected. Unit: -. */
#ifndef PD_CUT_FAILED
#define PD_CUT_FAILED 0.5
#endif

/* A length at which a substep has failed is not tried again soon: those after it are no longer than
 * this part of it. Measured (doc/notes/2026-11-chains-and-packs.md): 0.8 fails as seldom. Unit: -.
 */
#ifndef PD_BELOW_FAILED
#define PD_BELOW_FAILED 0.9
#endif

/* The length that substeps are kept below after one has failed grows by this factor from substep to
 * substep. Measured there: with less it lasts longer than what made substeps fail, with more they
 * fail again. Unit: -. */
#ifndef PD_FAILED_GROWTH
#define PD_FAILED_GROWTH 1.03
#endif

/* Smallest factor on a substep that the energy guard has rejected. Estimate. Unit: -. */
#ifndef PD_CUT_GUARD_MOST
#define PD_CUT_GUARD_MOST 0.1
#endif

/* Smallest factor on the substep after one that the energy guard let pass, but not by much.
 * Estimate. Unit: -. */
#ifndef PD_CUT_GUARD_NEAR
#define PD_CUT_GUARD_NEAR 0.8
#endif

/* safety on the length that would just pass the guard, whose error grows with its cube. The
 * usual one of step size control. Unit: -. */
#ifndef PD_GUARD_SAFETY
#define PD_GUARD_SAFETY 0.8
#endif

/* ---- solve: control of substeps ---- */

/* What may be left of a step, over its length, when it counts as filled; rounding of the sum of a
 * thousand substeps is below it. Unit: -. */
#ifndef PD_STEP_FILLED
#define PD_STEP_FILLED 1.0e-12
#endif

/* Lengths of substeps that differ by no more, relatively, count as equal: rounding must not make
 * one substep more. Unit: -. */
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

/* Substeps of a step, most of them short for the neighbour list, from which on that is told;
 * estimate. Unit: -. */
#ifndef PD_LIST_SUBSTEPS
#define PD_LIST_SUBSTEPS 5
#endif

/* Part of what a new neighbour list reaches that a substep shortened for it is to use; estimate.
 * Unit: -. */
#ifndef PD_LIST_FILL
#define PD_LIST_FILL 0.9
#endif

/* Scheme em where nothing else is given: tolerance of the iteration, tighter than the others',
 * since its energies are to be exact; rise of the energy in a substep that the guard allows, over
 * the energy. Estimates. Unit: -. */
#ifndef PD_EM_TOL
#define PD_EM_TOL 1.0e-10
#endif
#ifndef PD_EM_GUARD
#define PD_EM_GUARD 5.0e-7
#endif

/* Scheme em where nothing else is given: way of bodies that touch past each other in a substep,
 * over the bounding radius of the smaller one. Measured (tests/bench/runouts). Unit: -. */
#ifndef PD_EM_PATH
#define PD_EM_PATH 0.05
#endif

/* Substeps are cut for path down to this part of the time step: a wall that is fast beyond reason
 * would have it cut into millions. Heaps cut into some ten; estimate. Unit: -. */
#ifndef PD_SHORTEST_FOR_PATH
#define PD_SHORTEST_FOR_PATH 1.0e-3
#endif

#endif
