/* SPDX-License-Identifier: MIT
 * Numbers that steer the numerics of contact, dynamics and solve, in a header for each of these
 * rooms: every one with its unit, its meaning and where its value comes from; those of keyword auto
 * are in contact/law/automatic.h. Other rooms have theirs where they are used. What half and double
 * of each do to iterations and cost: doc/numbers.md. A build may set one of them by -D, as the
 * bench of their sensitivity does. None of them is a parameter of the physics: those are in the
 * laws of contact/law. */
#ifndef PD_NUMBERS_H
#define PD_NUMBERS_H

#include "base/numbers_contact.h"
#include "base/numbers_dynamics.h"
#include "base/numbers_solve.h"

#endif
