/* SPDX-License-Identifier: MIT
 * Numbers of contact: search, set, friction. See numbers.h. */
#ifndef PD_NUMBERS_CONTACT_H
#define PD_NUMBERS_CONTACT_H

/* Below this many triangles of a shape a plain loop finds its candidates sooner than the tree of
 * boxes; estimate. Unit: triangles. */
#ifndef PD_TREE_MIN
#define PD_TREE_MIN 48
#endif

/* Where one of two shapes has no more triangles the step limiter looks at the pair's near list,
 * else it goes down the trees. Measured: doc/notes/2026-11-fine-meshes.md. Unit: triangles. */
#ifndef PD_SWEEP_LISTS
#define PD_SWEEP_LISTS 1000
#endif

/* Over this part of the activation distance from an edge of a face at which the surface turns the
 * direction of damping passes from that of the edge to that of the face; estimate. Unit: -. */
#ifndef PD_BORDER
#define PD_BORDER 0.1
#endif

/* A near list is made for this times the distance asked for, as far as it fits: larger lists live
 * longer and hold more pairs; estimate. Unit: -. */
#ifndef PD_NEAR_ROOM
#define PD_NEAR_ROOM 2.0
#endif

/* A near list that has served fewer searches than this when the next one is made leaves that one
 * less room; else more, up to PD_NEAR_ROOM. Measured: doc/notes/2026-11-fine-meshes.md. Unit:
 * searches.
 */
#ifndef PD_NEAR_LASTING
#define PD_NEAR_LASTING 4
#endif

/* By this factor; estimate. Unit: -. */
#ifndef PD_NEAR_ROOM_CHANGE
#define PD_NEAR_ROOM_CHANGE 1.4
#endif

/* The least room, for what a search needs, moved by rounding or by little; estimate. Unit: -. */
#ifndef PD_NEAR_ROOM_LEAST
#define PD_NEAR_ROOM_LEAST 1.05
#endif

/* What a search for the nearest features looks at besides: what is further away than the nearest by
 * less than this part of the bodies' radii. Some hundred times what rounding does to a bound.
 * Unit: -. */
#ifndef PD_NEAREST_ROUNDING
#define PD_NEAREST_ROUNDING 1e-13
#endif

/* How often a plane that may part two bodies is turned: 3 and 20 take the same time, results do
 * not depend on it. Unit: -. */
#ifndef PD_PARTING_TURNS
#define PD_PARTING_TURNS 8
#endif

/* Where a near list has no room for its pairs, its distance is cut by this factor, down to the one
 * asked for; estimate. Unit: -. */
#ifndef PD_NEAR_SHRINK
#define PD_NEAR_SHRINK 0.9
#endif

/* A near list may hold so many pairs of features, 8 bytes each: those of coarse shapes.
 * doc/notes/2026-11-cost-of-an-iteration.md. Unit: pairs. */
#ifndef PD_NEAR_FEW
#define PD_NEAR_FEW 160
#endif

/* Or this many times those in reach, where that is more: those of fine shapes; estimate. Unit: -.
 */
#ifndef PD_NEAR_SPARE
#define PD_NEAR_SPARE 4.0
#endif

/* But never more than these, half a megabyte: then every evaluation searches. Unit: pairs. */
#ifndef PD_NEAR_MAX
#define PD_NEAR_MAX 65536
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

/* Distances in a near list are rounded down to levels; so much is taken off before, against
 * rounding of the quotient. Unit: -. */
#ifndef PD_NEAR_ROUNDING
#define PD_NEAR_ROUNDING 1e-9
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

/* Edges that stick out by this over the activation distance count in full, others in proportion.
 * Measured: with 0.5 the energy of two balls of 192 and 300 triangles falls to 0.67 of that of
 * their distance, with 0.25 not below it (tests/contact/test_pair_search.c). Unit: -. */
#ifndef PD_FULL_RISE
#define PD_FULL_RISE 0.25
#endif

/* Edges that turn by this count in full, however little they stick out; those that turn less fade
 * with the fourth power. Estimate. Unit: rad. */
#ifndef PD_FULL_TURN
#define PD_FULL_TURN 0.26
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

/* Friction contacts of a pair whose normals make an angle with a cosine above this belong to one
 * patch: those of one face, also of a finely triangulated one; estimate. So do the terms of a
 * sample, which are one contact then. Unit: -. */
#ifndef PD_PATCH_COSINE
#define PD_PATCH_COSINE 0.9
#endif

/* Contacts that a vertex has in a corner: a ball in a funnel of six sides has as many. What goes
 * beyond belongs to the nearest of them. Unit: contacts. */
#ifndef PD_CORNER_MAX
#define PD_CORNER_MAX 6
#endif

/* A contact that stuck slides at once if it is so many times faster than friction could stop the
 * bodies within the substep or on its springs; bodies that turn as well feel more. Estimate. Unit:
 * -. */
#ifndef PD_TORN_OFF
#define PD_TORN_OFF 3.0
#endif

/* And if it is faster than this times the speed whose impact its law holds. Estimate. Unit: -. */
#ifndef PD_TORN_SPEED
#define PD_TORN_SPEED 0.1
#endif

/* The fall of a coefficient with the speed over the transition's speed, times what a contact may
 * take from the bodies' velocity in the substep, up to which the speed at the end counts: the
 * solution is unique below 1, in contacts that share the load and turn the bodies below a part of
 * it. Estimate. Unit: -. */
#ifndef PD_UNIQUE_FALL
#define PD_UNIQUE_FALL 0.25
#endif

/* A contact that begins slides if it goes along the surface faster than this times the speed whose
 * impact its law holds; below, it is at rest. Estimate. Unit: -. */
#ifndef PD_SLIDE_SPEED
#define PD_SLIDE_SPEED 1e-3
#endif

/* A tangential spring at the rim of compact bodies feels this times their inverse reduced mass,
 * because they turn as well: 3.5 for a ball, 2.5 to 5.5 for a cube; estimate. Unit: -. */
#ifndef PD_TURNING
#define PD_TURNING 4.0
#endif

/* Energy-momentum scheme: the damping of a pair is whole where it takes at least this part of what
 * those of its samples take that take energy; below it fades. Measured: eight falls of sixty cubes
 * take 28,273 iterations with 0.05, 26,507 with 0.3, and 27,572 without the limit. Unit: -. */
#ifndef PD_PAIR_DAMPING_WHOLE
#define PD_PAIR_DAMPING_WHOLE 0.3
#endif

/* And a sample counts there with at least this part of what its terms take that take energy. A
 * vertex above one of a flat surface where k triangles meet takes a part 1 / (k + 1) of that.
 * Estimate. Unit: -. */
#ifndef PD_SAMPLE_DAMPING_LEAST
#define PD_SAMPLE_DAMPING_LEAST 0.05
#endif

/* First capacities of growable arrays: contacts, friction records, gaps of a sweep; samples whose
 * friction is deferred. Those of a pair fit as a rule. Unit: items. */
#ifndef PD_CONTACTS_FIRST
#define PD_CONTACTS_FIRST 64
#endif
#ifndef PD_DEFERRED_FIRST
#define PD_DEFERRED_FIRST 32
#endif

/* part of the softening of friction along the slip that its tangent from afar has: 1 is Newton's, 0
 * the secant. Measured (doc/notes/2026-11-newton-falling.md): 0.5 to 0.7 are the same, 0.3 takes 15
 * % more iterations. Unit: -. */
#ifndef PD_SLIP_SOFTENING
#define PD_SLIP_SOFTENING 0.5
#endif

#endif
