/* SPDX-License-Identifier: MIT
 * What loads and rotation would make of the velocities at a contact, if it did not act: the measure
 * of what is slow there (doc/theory.md, 10.1). */
#ifndef PD_FREE_CHANGE_H
#define PD_FREE_CHANGE_H

#include "dynamics/system.h"

PD_BEGIN_DECLS

/* Acceleration: by its loads no point of a side changes its velocity faster. What turns is pressed
 * to the other side, or drawn from it, by its rotation, and normals that turn with it see as much
 * of the velocities that were there a step ago. What supports that are shaken do is left out: what
 * lies on them is slow as seen from them until they leave it. */
double pd_change_without_contact(const pd_system *sys, const pd_contact_pair *pair);

PD_END_DECLS

#endif
