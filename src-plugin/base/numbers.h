/* SPDX-License-Identifier: MIT
 * Numbers that steer the numerics: every one with its unit, its meaning and where its value comes
 * from, in a header for each room. What half and double of each do to iterations and cost:
 * doc/numbers.md. A build may set one of them by -D, as the bench of their sensitivity does. None
 * of them is a parameter of the physics: those are in the laws of contact/law. */
#ifndef PD_NUMBERS_H
#define PD_NUMBERS_H

#include "base/numbers_contact.h"
#include "base/numbers_dynamics.h"
#include "base/numbers_solve.h"

#endif
