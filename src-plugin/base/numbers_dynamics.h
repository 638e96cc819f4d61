/* SPDX-License-Identifier: MIT
 * Numbers of dynamics: bounds, impacts, step limiter. See numbers.h. */
#ifndef PD_NUMBERS_DYNAMICS_H
#define PD_NUMBERS_DYNAMICS_H

#include <float.h>

/* pairs that are evaluated before what they give is put together: their tangents are kept until
 * then. Measured (doc/notes/2026-11-threads.md): with 256, a loaded machine waits much longer
 * for its threads. Unit: pairs. */
#ifndef PD_EVALUATION_BATCH
#define PD_EVALUATION_BATCH 2048
#endif

/* pairs that a thread takes at a time. Measured (doc/notes/2026-11-threads.md): with 2 the loops
 * take 1.17 s instead of 1.01 s. Unit: pairs. */
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

/* the same for a contact without dashpots, whose force begins with the gap: further in, nearer to
 * where it ends. Measured (doc/notes/2026-11-newton-falling.md): 0.3 and 0.7 are alike. Unit: -. */
#ifndef PD_ENTRY_ELASTIC
#define PD_ENTRY_ELASTIC 0.5
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
 * closes. Estimate. Unit: -. */
#ifndef PD_STOP_WINDOW_OPEN
#define PD_STOP_WINDOW_OPEN 0.02
#endif

/* the same of a contact that is there already. Estimate. Unit: -. */
#ifndef PD_STOP_WINDOW_CLOSED
#define PD_STOP_WINDOW_CLOSED 0.05
#endif

/* What the fastest pair counts in sums over pairs: these are of whole numbers, or halves, so that
 * they are exact in any order, up to a thousand million pairs. Unit: -. */
#ifndef PD_RATE_DIGITS
#define PD_RATE_DIGITS 1048576.0
#endif

/* what a moving wall may take of a gap within a substep (theory.md, 9). Estimate. Unit: -. */
#ifndef PD_WALL_PUSH
#define PD_WALL_PUSH 0.5
#endif

/* weight of the isotropic part in the metric of the discrete gradient (theory.md, 10.1): keeps
 * it regular where an increment is square to the force. Estimate. Unit: -. */
#ifndef PD_EM_KAPPA
#define PD_EM_KAPPA 1e-3
#endif

/* largest factor on the force of one end of a step whose discrete gradient would pull (theory.md,
 * 10.1). Estimate. Unit: -. */
#ifndef PD_EM_MOST
#define PD_EM_MOST 2.0
#endif

/* share of a pair's force that has to bear in a direction for damping to act along it, scheme em
 * (theory.md, 10.1): far below that of a second face, far above that of an edge which hardly sticks
 * out. Estimate. Unit: -. */
#ifndef PD_BEARING_SHARE
#define PD_BEARING_SHARE 0.01
#endif

/* distance of a face's normal from its part that bears: up to there it counts as the same, and from
 * there on the normal itself is taken. Faces that lie flush differ by 1e-5, slopes of a degree by
 * 2e-2. Estimate. Unit: -. */
#ifndef PD_FLUSH
#define PD_FLUSH 2e-4
#endif
#ifndef PD_BENT
#define PD_BENT 5e-3
#endif

/* way of a pair without friction in a step, over its activation distance, from which on it begins
 * to count as a slide, scheme em (theory.md, 10.1): rims are as wide as that distance. Estimate.
 * Unit: -. */
#ifndef PD_SLIDE_WAY
#define PD_SLIDE_WAY 0.25
#endif

/* mean normal speed of its contacts, over the whole speed, from which on it is none. Estimate.
 * Unit: -. */
#ifndef PD_SLIDE_MEAN
#define PD_SLIDE_MEAN 0.1
#endif

/* root mean square of the normal speed of its contacts, over the whole speed, from which on it is
 * none: far above what edges that hardly stick out make of it at the rim of a body. Estimate.
 * Unit: -. */
#ifndef PD_SLIDE_ANY
#define PD_SLIDE_ANY 0.5
#endif

/* the gap with which a pair that slides is taken to have begun its step is at least this part of
 * that at the end: features that go past each other tell no more. Estimate. Unit: -. */
#ifndef PD_SLIDE_OPENING
#define PD_SLIDE_OPENING 0.5
#endif

/* change of its depth in a step, over that, at which a contact that slides is half borne and half
 * in an impact, scheme em: an impact that the step does not resolve has all of it. Estimate.
 * Unit: -. */
#ifndef PD_BORNE_WAY
#define PD_BORNE_WAY 0.1
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

/* a body on contacts without friction moves along them if its speed is more than this times theirs.
 * Measured: with 10 a pendulum on a quiet contact changes between rest and motion
 * (tests/solve/test_em_order.c), 100 and 1000 are alike. Unit: -. */
#ifndef PD_FREE_MOTION
#define PD_FREE_MOTION 100.0
#endif

/* a body rolls if its speed is more than this times that of the points of contact, which the
 * springs of friction let go as its rolling changes. Measured (tests/lammps/test_external.py): a
 * ball that rolls to and fro in 31 steps a period has 20, a cube that swings on its springs less
 * than 2. Unit: -. */
#ifndef PD_ROLLING
#define PD_ROLLING 10.0
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

/* decades of a double on either side of one that powers of lengths may fill. Derived, with room for
 * the other factors. Unit: -. */
#ifndef PD_DECADES
#define PD_DECADES 290.0
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

/* a - 1/2 of a contact that persists, over that of an impact: what is left of its normal speed
 * after a step is (1 - a) / a of it. Measured (tests/solve/test_friction_impulse.c): 0 takes more
 * substeps, 0.3 costs a tipping cube three times as much energy. Unit: -. */
#ifndef PD_PERSISTENT_A
#define PD_PERSISTENT_A 0.1
#endif

/* substeps in a row that a body has floated before its common motion with others is no longer
 * damped: as many as implicit Euler's method takes to end what begins with a jump. Measured:
 * tests/lammps/test_lift.py, a sled that starts, wants 4. Unit: -. */
#ifndef PD_FLOATS_AFTER
#define PD_FLOATS_AFTER 4
#endif

/* acceleration over that of gravity below which a body at rest is in balance. Estimate. Unit: -. */
#ifndef PD_STEADY
#define PD_STEADY 0.01
#endif

/* viscosity times step over mass with which a dashpot takes a speed in a step. Derived. Unit: -. */
#ifndef PD_DEAD_BEAT
#define PD_DEAD_BEAT 2.0
#endif

/* the same for the damping of a dead impact, at most, where it is in proportion to the change of
 * the elastic force. Measured (tests/solve/test_restitution.c): with 6 a cube's face leaves 0.02 of
 * the speed at a phase of 4, with 11 nothing. Unit: -. */
#ifndef PD_DEAD_VISCOSITY
#define PD_DEAD_VISCOSITY 11.0
#endif

/* the same for dashpots, at most, times the phase of the contact in the step: implicit Euler's
 * method needs none in long steps, and Newton's method takes twice the iterations if there are.
 * Estimate. Unit: rad. */
#ifndef PD_MOST_VISCOSITY
#define PD_MOST_VISCOSITY 44.0
#endif

/* smallest restitution: such an impact is dead. Estimate. Unit: -. */
#ifndef PD_INELASTIC
#define PD_INELASTIC 0.02
#endif

/* normal speed over the whole one of a contact that glides and is in no impact at all, and of one
 * that is so in full. Estimate. Unit: -. */
#ifndef PD_NO_HIT
#define PD_NO_HIT 0.01
#endif
#ifndef PD_FULL_HIT
#define PD_FULL_HIT 0.1
#endif

/* part of a direction along which damping acts, from which a pair bears in it. Estimate. Unit: -.
 */
#ifndef PD_BEARS_ALONG
#define PD_BEARS_ALONG 0.5
#endif

/* speed of a landing beside contacts that bear, over what loads and the turning of the bodies make
 * of it within the step, at which half of the force is the end's own. Measured
 * (tests/lammps/test_rocking.py): 1 costs a block that rocks 0.3 % of its speed, none of it leaves
 * a plank's second end 0.1 of its own. Unit: -. */
#ifndef PD_SUDDEN_LANDING
#define PD_SUDDEN_LANDING 10.0
#endif

/* part of its energy that a separating contact has to give off in a step before it keeps its
 * share: smooths the step between the two. Estimate. Unit: -. */
#ifndef PD_SLACK
#define PD_SLACK 0.25
#endif

/* the same, over what it will give off in the step, where that is less. Estimate. Unit: -. */
#ifndef PD_SLACK_OF_STEP
#define PD_SLACK_OF_STEP 0.5
#endif
/* and at least. Estimate. Unit: -. */
#ifndef PD_LEAST_SLACK
#define PD_LEAST_SLACK 0.02
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

/* ---- dynamics: external forces that change ---- */

/* Velocity of a body in contact, over that which half a time step of the change of the external
 * forces would give it, below which it rests: its contacts hold it. Measured (theory.md, 3): with 1
 * a block that is shaken slips a tenth less than it should, with 0.1 newmark's a tenth more. Unit:
 * -.
 */
#ifndef PD_HELD_SPEED
#define PD_HELD_SPEED 0.3
#endif

/* ---- dynamics: overlap ---- */

/* Way of two sides towards each other in an explicit step, over their gap before it or the
 * activation distance if that is less, from which on they are looked at: they may have gone through
 * each other, of which no force tells. Half of what it takes. Unit: -. */
#ifndef PD_PASSED
#define PD_PASSED 0.5
#endif

/* Least distance between two places at which an explicit step of a pair is looked at, over its way:
 * bounds how many there are for a pair so fast that nothing else would. Unit: -. */
#ifndef PD_LEAST_LOOK_BACK
#define PD_LEAST_LOOK_BACK 1e-4
#endif

#endif
