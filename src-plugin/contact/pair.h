/* SPDX-License-Identifier: MIT
 * Contact of one pair, as other rooms use it. Where the equations are (numbers in brackets: Gay
 * Neto & Wriggers, Discrete element model for general polyhedra, 2021; sections: doc/theory.md):
 *
 *   local contact problem, (30)-(33), (66)-(70), section 4   gap.h: pd_gap_solve
 *     its derivatives, (47), (48)                            pd_gap_jt, pd_gap_add_hessian
 *     gap rate, (41)                                         pd_gap_rate_gradient
 *   normal law, (49)-(51), section 5                         law/normal.h: pd_law_init, pd_law_eval
 *     damping, (52), (53), section 6                         pd_law_damped
 *   contact set, section 7: vertex against surface, 7.2      set/weights.c
 *     edge against edge, 7.3                                 set/edge_bracket.c
 *     sum, 7.4                                               set/contact_set.c
 *     the paper's set (37) and hierarchy, 7.5                set/literal.c
 *   friction, (54)-(58), section 8                           law/friction.h: pd_friction_eval
 *     its kinematics, (43)-(46)                              force/friction_kinematics.c
 *     force, moments, tangent, memory                        force/friction.c
 *   force of a term w N J^T n and its tangent, section 10    force/end_of_step.c, force/term.c
 *   energy-momentum scheme, 10.1: discrete gradient          energy_momentum/discrete_gradient.h
 *     terms with mean levers, limit of damping, friction     mean_lever_term.c, damping_limit.c,
 *                                                            friction.c
 *   search: candidates, near list, sweep, overlap            search/
 *
 * To change: the friction law, law/friction.h; the contact set, a counting function beside
 * set/weights.c and set/literal.c; the forces of a scheme, a table pd_force_scheme as in
 * energy_momentum/forces.c, chosen in evaluate.c. */
#ifndef PD_PAIR_H
#define PD_PAIR_H

#include "contact/energy_momentum/bearing.h"           /* directions of their damping */
#include "contact/energy_momentum/discrete_gradient.h" /* forces of an energy-momentum step */
#include "contact/energy_momentum/friction.h"          /* and their friction */
#include "contact/evaluate.h"                          /* forces and tangent of a pair */
#include "contact/gap.h"                               /* local contact problem */
#include "contact/law/friction.h"                      /* laws */
#include "contact/law/normal.h"
#include "contact/search/overlap.h" /* whether bodies overlap */
#include "contact/search/parting.h"
#include "contact/search/surface_distance.h"
#include "contact/search/sweep.h" /* how far they may go */

#endif
