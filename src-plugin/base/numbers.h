/* SPDX-License-Identifier: MIT
 * Numbers that steer the numerics: every one with its unit, its meaning and where its value comes
 * from. What half and double of each do to iterations and cost: doc/numbers.md. A build may set one
 * of them by -D, as the bench of their sensitivity does. None of them is a parameter of the
 * physics: those are in the laws of contact/law. */
#ifndef PD_NUMBERS_H
#define PD_NUMBERS_H

#include <float.h>

/* ---- contact: search, set, friction ---- */

/* Below this many triangles of a shape a plain loop finds its candidates sooner than the tree of
 * boxes; estimate. Unit: triangles. */
#ifndef PD_TREE_MIN
#define PD_TREE_MIN 48
#endif

/* A near list is made for this times the distance asked for, as far as it fits: larger lists live
 * longer and hold more pairs; estimate. Unit: -. */
#ifndef PD_NEAR_ROOM
#define PD_NEAR_ROOM 2.0
#endif

/* Where a near list has no room for its pairs, its distance is cut by this factor, down to the one
 * asked for; estimate. Unit: -. */
#ifndef PD_NEAR_SHRINK
#define PD_NEAR_SHRINK 0.9
#endif

/* Pairs of features that a near list holds. With it a list takes 1.4 kB: doc/notes/
 * 2026-11-cost-of-an-iteration.md. Unit: pairs. */
#ifndef PD_NEAR_MAX
#define PD_NEAR_MAX 160
#endif

/* Where the features do not fit even so, the next try is made after this many searches: a failed
 * try costs a search; estimate. Unit: searches. */
#ifndef PD_NEAR_PATIENCE
#define PD_NEAR_PATIENCE 64
#endif

/* What rounding may do to the rotation of two bodies against each other: some 1e6 times that of
 * doubles, against angles that matter, gbar over a radius, of 1e-4 or more. Unit: rad. */
#ifndef PD_ROTATION_ROUNDING
#define PD_ROTATION_ROUNDING 1e-9
#endif

/* Distances in a near list are single precision, rounded by at most 6e-8: so much is taken off them
 * that they stay lower bounds. Unit: -. */
#ifndef PD_FLOAT_ROUNDING
#define PD_FLOAT_ROUNDING 1e-6
#endif

/* A depth of overlap below this times the smaller radius is rounding: the bodies are aligned.
 * Unit: -. */
#ifndef PD_OVERLAP_ROUNDING
#define PD_OVERLAP_ROUNDING 1e-9
#endif

/* Sub-features that are counted for a sampled vertex before terms are evaluated: a vertex has few
 * within gbar, and any number gives the same sum. Unit: sub-features. */
#ifndef PD_FEATURES_MAX
#define PD_FEATURES_MAX 128
#endif

/* Mollifier: edges that cross at sines above this are not mollified whatever their length;
 * tests/contact/test_barrier.c. Unit: -. */
#ifndef PD_MOLLIFIER_SINE
#define PD_MOLLIFIER_SINE 0.3
#endif

/* Mollifier: width, the sine times the shorter edge over gbar. Derived: edges that cross in their
 * middles at twice gbar / edge have their ends out of reach; 5 makes the potential fall to 0.14 of
 * that of the distance. tests/contact/test_barrier.c. Unit: -. */
#ifndef PD_MOLLIFIER_WIDTH
#define PD_MOLLIFIER_WIDTH 0.8
#endif

/* Softening: a negative edge bracket stays above minus this times the potential phi(f gbar) at
 * which the barrier begins; tests/contact/test_barrier.c. Unit: -. */
#ifndef PD_SOFTENING
#define PD_SOFTENING 0.25
#endif

/* Terms whose resultant is no more than this times the sum of their sizes cancel: the sample has no
 * normal, and so no friction and no row of output. Rounding with room. Unit: -. */
#ifndef PD_CANCELLED
#define PD_CANCELLED 1e-12
#endif

/* Energy-momentum scheme: a step of more than this over the angular frequency of the tangential
 * spring does not resolve it, and its friction is given the velocity at the end; at this length
 * both ways have the same weight. Measured: tests/solve/test_em.c. Unit: rad. */
#ifndef PD_SPRING_UNRESOLVED
#define PD_SPRING_UNRESOLVED 0.75
#endif

/* A tangential spring at the rim of compact bodies feels this times their inverse reduced mass,
 * because they turn as well: 3.5 for a ball, 2.5 to 5.5 for a cube; estimate. Unit: -. */
#ifndef PD_TURNING
#define PD_TURNING 4.0
#endif

/* Energy-momentum scheme: the damping of an edge bracket is whole where it takes at least this part
 * of what its closest features alone would take; below it fades. tests/contact/test_memory.c.
 * Unit: -. */
#ifndef PD_DAMPING_WHOLE
#define PD_DAMPING_WHOLE 0.5
#endif

/* First capacities of growable arrays: contacts, friction records, gaps of a sweep; samples whose
 * friction is deferred. Those of a pair fit as a rule. Unit: items. */
#ifndef PD_CONTACTS_FIRST
#define PD_CONTACTS_FIRST 64
#endif
#ifndef PD_DEFERRED_FIRST
#define PD_DEFERRED_FIRST 32
#endif

/* ---- dynamics: bounds, impacts, step limiter ---- */

/* pairs that are evaluated before what they give is put together: their tangents are kept until
 * then, 2.5 MiB. Estimate. Unit: pairs. */
#ifndef PD_EVALUATION_BATCH
#define PD_EVALUATION_BATCH 2048
#endif

/* pairs that a thread takes at a time; an evaluation takes 1 to 100 us. Estimate. Unit: pairs. */
#ifndef PD_PAIR_CHUNK
#define PD_PAIR_CHUNK 8
#endif

/* the same for loops that mostly find that a pair is far apart. Estimate. Unit: pairs. */
#ifndef PD_SCAN_CHUNK
#define PD_SCAN_CHUNK 64
#endif

/* bodies that a thread takes at a time to place them. Estimate. Unit: bodies. */
#ifndef PD_BODY_CHUNK
#define PD_BODY_CHUNK 32
#endif

/* what rounding may do to a bound of a distance, over the bounding radius (and to the way that
 * is compared with it, over itself): far above DBL_EPSILON times the distances in a scene, far
 * below any gap that counts. Estimate. Unit: -. */
#ifndef PD_BOUND_DOUBT
#define PD_BOUND_DOUBT 1e-9
#endif

/* room beyond the activation distance in which a distance that has to be measured is measured
 * exactly, over the way gone so far: a pair is then known to be open for that many substeps like
 * this one. Estimate. Unit: -. */
#ifndef PD_ROOM_WAYS
#define PD_ROOM_WAYS 8.0
#endif

/* the same where bodies hardly move, over the activation distance. Estimate. Unit: -. */
#ifndef PD_ROOM_GBARS
#define PD_ROOM_GBARS 2.0
#endif

/* gap to which an increment may at most bring a contact that was open, over its activation
 * distance: inside it, so that its stiffness is in the next tangent (theory.md, 11). Unit: -. */
#ifndef PD_ENTRY_LIMIT
#define PD_ENTRY_LIMIT 0.95
#endif

/* smallest such gap, scheme em (theory.md, 11). Estimate. Unit: -. */
#ifndef PD_ENTRY_DEEPEST
#define PD_ENTRY_DEEPEST 0.5
#endif

/* scheme em: an opening contact stops where its force is this part of what would use up the rest
 * of its way. Just inside the activation distance the tangent is so weak that Newton's method
 * goes through the whole of it next. Estimate. Unit: -. */
#ifndef PD_ENTRY_BRAKE
#define PD_ENTRY_BRAKE 0.3
#endif

/* safe advances along one path; few need more than three, only large turns close by. A pair that
 * needs more stops where it is. Unit: -. */
#ifndef PD_ADVANCES
#define PD_ADVANCES 32
#endif

/* part of a safe advance that is taken: the distance at its end is then surely above what must
 * be kept (theory.md, 11). Unit: -. */
#ifndef PD_ADVANCE_SAFETY
#define PD_ADVANCE_SAFETY 0.98
#endif

/* an advance ends when the distance is within this part of the one to be kept: of a contact that
 * opens. Estimate. Unit: -. */
#ifndef PD_STOP_WINDOW_OPEN
#define PD_STOP_WINDOW_OPEN 0.02
#endif

/* the same of a contact that is there already. Estimate. Unit: -. */
#ifndef PD_STOP_WINDOW_CLOSED
#define PD_STOP_WINDOW_CLOSED 0.05
#endif

/* up to this turn, twice the sagitta of an arc bounds how far a path of Rodrigues vectors leaves
 * its chord; beyond, the whole arc is taken. Derived. Unit: rad. */
#ifndef PD_SHORT_TURN
#define PD_SHORT_TURN 1.0
#endif

/* what a moving wall may take of a gap within a substep (theory.md, 8). Estimate. Unit: -. */
#ifndef PD_WALL_PUSH
#define PD_WALL_PUSH 0.5
#endif

/* weight of the isotropic part in the metric of the discrete gradient (theory.md, 10.1): keeps
 * it regular where an increment is square to the force. Estimate. Unit: -. */
#ifndef PD_EM_KAPPA
#define PD_EM_KAPPA 1e-3
#endif

/* displacement over the body's radius below which the discrete gradient is not resolved: the
 * force is known to the rounding of gaps over the displacement, and keeps eight digits there.
 * Derived. Unit: -. */
#ifndef PD_EM_RESOLVED
#define PD_EM_RESOLVED (1e8 * DBL_EPSILON)
#endif

/* a contact is at rest if it is no faster than this times what gravity makes of it within a
 * step. Estimate. Unit: -. */
#ifndef PD_REST_SPEED
#define PD_REST_SPEED 1.0
#endif

/* least phase of the contact's oscillation in a step by which its change of speed is judged.
 * Estimate. Unit: rad. */
#ifndef PD_REST_PHASE
#define PD_REST_PHASE 1e-3
#endif

/* damping ratio of a contact at rest under keyword restitution, over that of creeping dashpots
 * and 1 - e. Estimate. Unit: -. */
#ifndef PD_REST_DAMPING
#define PD_REST_DAMPING 0.125
#endif

/* part of the way to an impact that a step may go before it, keyword resolve. Estimate. Unit: -. */
#ifndef PD_RESOLVE_APPROACH
#define PD_RESOLVE_APPROACH 0.9
#endif

/* a step of more than this over the contact's angular frequency does not resolve the impact
 * (theory.md, 10.1). Estimate. Unit: rad. */
#ifndef PD_UNRESOLVED_PHASE
#define PD_UNRESOLVED_PHASE 0.75
#endif

/* weights of the scheme's share in the restitution below this do not count. Estimate. Unit: -. */
#ifndef PD_NEGLIGIBLE_WEIGHT
#define PD_NEGLIGIBLE_WEIGHT 1e-3
#endif

/* contacts side by side that an impact to come may have: those of a face. Estimate. Unit: -. */
#ifndef PD_COUNTING_CONTACTS
#define PD_COUNTING_CONTACTS 4.0
#endif

/* exponent of the law that finds the contact to come: large, so that the nearest features count.
 * Estimate. Unit: -. */
#ifndef PD_NEAREST_EXPONENT
#define PD_NEAREST_EXPONENT 24.0
#endif

/* damping ratio of creeping dashpots. Estimate. Unit: -. */
#ifndef PD_OVERDAMPED_RATIO
#define PD_OVERDAMPED_RATIO 8.0
#endif

/* smallest restitution: such an impact is dead. Estimate. Unit: -. */
#ifndef PD_INELASTIC
#define PD_INELASTIC 0.02
#endif

/* part of its energy that a separating contact has to give off in a step before it keeps its
 * share: smooths the step between the two. Estimate. Unit: -. */
#ifndef PD_SLACK
#define PD_SLACK 0.25
#endif

/* longest integration of the one-dimensional impact, in steps. Estimate. Unit: steps. */
#ifndef PD_IMPACT_STEPS
#define PD_IMPACT_STEPS 400
#endif

/* its step over depth by speed. Estimate. Unit: -. */
#ifndef PD_IMPACT_STEP
#define PD_IMPACT_STEP 0.1
#endif

/* trials of the damping ratio that gives a restitution. Unit: -. */
#ifndef PD_DAMPING_TRIALS
#define PD_DAMPING_TRIALS 8
#endif

/* and how near the logarithm of the restitution has to come, relative. Estimate. Unit: -. */
#ifndef PD_DAMPING_ACCURACY
#define PD_DAMPING_ACCURACY 0.02
#endif

/* bisections for the scheme parameter of the step in which an impact turns: to 1e-12 of the way.
 * Unit: -. */
#ifndef PD_TURNING_TRIALS
#define PD_TURNING_TRIALS 40
#endif

/* way over the activation distance below which the mean force is the force. Derived from
 * rounding. Unit: -. */
#ifndef PD_TURNING_WAY
#define PD_TURNING_WAY 1e-9
#endif

/* ---- solve: Newton's iteration, substeps ---- */

/* bodies that are not worth a second thread when residuals are summed. Estimate. Unit: bodies. */
#ifndef PD_WEIGH_CHUNK
#define PD_WEIGH_CHUNK 1024
#endif

/* squared margin on the rounding error of the inertial terms below which a residual counts as
 * zero (theory.md, 11). Estimate. Unit: -. */
#ifndef PD_ROUNDING_MARGIN
#define PD_ROUNDING_MARGIN 8.0
#endif

/* iterations whose merit is kept: progress is judged over five. Unit: iterations. */
#ifndef PD_MERITS
#define PD_MERITS 6
#endif

/* iterations before an island may be given up for lack of progress (theory.md, 11). Estimate.
 * Unit: iterations. */
#ifndef PD_STALL_AGE
#define PD_STALL_AGE 15.0
#endif

/* and the merit to which it must have fallen in the last five, relative. Estimate. Unit: -. */
#ifndef PD_STALL_PROGRESS
#define PD_STALL_PROGRESS 0.5
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

/* a full step about squares the residual: below this times the tolerance, its square is likely
 * to end the iteration, and no tangent is made. Derived. Unit: -. */
#ifndef PD_NEARLY_THERE
#define PD_NEARLY_THERE 0.1
#endif

/* longest turn of a body in an iteration: the tangent says nothing beyond (theory.md, 11).
 * Estimate. Unit: rad. */
#ifndef PD_TURN_LIMIT
#define PD_TURN_LIMIT 0.5
#endif

/* part of the residual that an inexact direction may leave (theory.md, 11). Estimate. Unit: -. */
#ifndef PD_COARSE
#define PD_COARSE 1e-3
#endif

/* part of the tolerance below which the linear system need not be solved. Estimate. Unit: -. */
#ifndef PD_LINEAR_FLOOR
#define PD_LINEAR_FLOOR 0.1
#endif

/* bodies of an island from which on it has local steps (theory.md, 11). Estimate. Unit: bodies. */
#ifndef PD_CROWD
#define PD_CROWD 16.0
#endif

/* an island whose merit has not fallen by this factor in an iteration is slow (theory.md, 11).
 * Estimate. Unit: -. */
#ifndef PD_SLOW
#define PD_SLOW 0.5
#endif

/* a body whose residual is above this part of the largest of its island belongs to the peak
 * (theory.md, 11). Estimate. Unit: -. */
#ifndef PD_HOT
#define PD_HOT 1e-1
#endif

/* rings of neighbours that a local step moves, too (theory.md, 11). Estimate. Unit: rings. */
#ifndef PD_RINGS
#define PD_RINGS 2
#endif

/* largest part of an island that a local step moves (theory.md, 11). Estimate. Unit: -. */
#ifndef PD_LOCAL_PART
#define PD_LOCAL_PART 0.5
#endif

/* least part of an iteration that a local step counts as. Estimate. Unit: iterations. */
#ifndef PD_LOCAL_AGE
#define PD_LOCAL_AGE 0.25
#endif

/* iterations after which an island's impacts may be made inelastic (theory.md, 11). Estimate.
 * Unit: iterations. */
#ifndef PD_PATIENCE_WITH_MANY
#define PD_PATIENCE_WITH_MANY 5.0
#endif

/* the same for a collision of one or two bodies. Estimate. Unit: iterations. */
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

/* a step is too long for an impact if it is longer than this times the one that resolves it:
 * substeps chosen so must pass. Unit: -. */
#ifndef PD_RESOLVED_MARGIN
#define PD_RESOLVED_MARGIN 1.000001
#endif

/* effort of a substep (iterations of its slowest island) up to which the next one is longer
 * (theory.md, 12). Estimate. Unit: iterations. */
#ifndef PD_EFFORT_EASY
#define PD_EFFORT_EASY 6.0
#endif

/* and up to which it is as long, schemes newmark and euler (theory.md, 12). Unit: iterations. */
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

/* smallest factor after that. Unit: -. */
#ifndef PD_CUT_GUARD_MOST
#define PD_CUT_GUARD_MOST 0.1
#endif

/* smallest factor after a substep that the guard let pass, but not by much. Unit: -. */
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

#endif
