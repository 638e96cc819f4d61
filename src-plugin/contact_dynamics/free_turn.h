/* SPDX-License-Identifier: MIT
 * Rotation of a free body over a step. */
#ifndef PD_CD_FREE_TURN_H
#define PD_CD_FREE_TURN_H

#include "base/rotation.h"

PD_BEGIN_DECLS

/* Orientation after the time t of a body with the angular momentum l and these principal moments.
 * The angular momentum stays as it is, the energy has no drift, and a body with two equal moments
 * is followed exactly however fast it spins. */
pd_quat pd_cd_free_turn(pd_quat q, pd_vec3 moments, pd_vec3 l, double t);

/* Rotation vector from one orientation to another; of those that differ by whole turns the one
 * nearest to about. */
pd_vec3 pd_cd_turn_between(pd_quat from, pd_quat to, pd_vec3 about);

PD_END_DECLS

#endif
