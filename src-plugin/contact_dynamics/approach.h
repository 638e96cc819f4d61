/* SPDX-License-Identifier: MIT
 * Where two polyhedra first come near each other on their paths through a time step. */
#ifndef PD_CD_APPROACH_H
#define PD_CD_APPROACH_H

#include "base/rotation.h"
#include "contact/pair.h"

/* A body on its path at a velocity and an angular velocity that stay. */
typedef struct pd_cd_path {
  const pd_pose *start, *end;
  pd_quat q;            /* orientation at the start */
  pd_vec3 displacement; /* of the centre */
  pd_vec3 rotation;     /* its angle, along its axis */
} pd_cd_path;

/* Both bodies somewhere on their paths. */
typedef struct pd_cd_approach {
  double part; /* of the path, 0 to 1 */
  pd_pose pose[2];
  pd_vec3 r; /* from the first centre to the second */
} pd_cd_approach;

/* orientation after a turn */
PD_KERNEL pd_quat pd_cd_turned(pd_quat q, pd_vec3 turn)
{
  const double angle = pd_norm(turn), s = angle > 1e-8 ? sin(0.5 * angle) / angle : 0.5;
  return pd_q_normalize(pd_q_mul(pd_q(cos(0.5 * angle), s * turn.x, s * turn.y, s * turn.z), q));
}

/* No point of one body moves further than this as seen from the other. */
PD_KERNEL double pd_cd_path_length(const pd_cd_path *a, const pd_cd_path *b)
{
  return pd_norm(pd_sub(a->displacement, b->displacement)) +
         pd_norm(a->rotation) * a->start->shape->radius +
         pd_norm(b->rotation) * b->start->shape->radius;
}

PD_BEGIN_DECLS

/* Puts the bodies where their surfaces first come as near as `near` on their paths, or at the end
 * of them (part = 1), or before that where 200 advances do not lead so far. r: from the first
 * centre to the second, at the start. Errors: PD_ENOMEM. */
pd_status pd_cd_first_touch(const pd_cd_path *a, const pd_cd_path *b, pd_vec3 r, double near,
                            pd_pair_work *work, pd_cd_approach *at);

PD_END_DECLS

#endif
