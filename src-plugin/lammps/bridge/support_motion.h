/* SPDX-License-Identifier: GPL-2.0-or-later
 * How bodies would move if they stayed where they are on what they rest on: as walls and bodies
 * that no force moves, from contact to contact, also across processes. */
#ifndef POLYHEDRA_SUPPORT_MOTION_H
#define POLYHEDRA_SUPPORT_MOTION_H

#include "dynamics/system.h"

#include <functional>
#include <vector>

namespace LAMMPS_NS
{

class StepCommunication;

class SupportMotion
{
public:
  /* velocity at the centre of the body, angular velocity */
  struct Motion {
    pd_vec3 v, w;
  };
  static const Motion STILL;
  using Rests = std::function<bool(int body, const Motion &)>;

  /* By the contacts of the last evaluation; rests: whether an owned body that the step moves stays
   * on what moves by that at its centre. All processes. */
  void find(const pd_system &sys, StepCommunication *processes, const Rests &rests);

  /* whether the body stays on something, and how that moves there; not at all if it does not */
  bool has(int body) const { return known[body] != 0; }
  Motion at(int body) const;

  /* whether the body touches what moves as it is prescribed to */
  bool is_driven(int body) const { return driven[body] != 0; }

  /* whether contacts lead from the body to a wall of any kind or to a body that is held, in
   * whatever directions: bodies that touch each other and nothing else have nothing to be at rest
   * on */
  bool is_anchored(int body) const { return anchored[body] != 0; }

private:
  std::vector<char> known, driven, anchored;
  std::vector<Motion> motion; /* of those that are known */

  void begin(const pd_system &sys);
  bool spread(const pd_system &sys, int pair, const Rests &rests);
  bool anchor(const pd_contact_pair &p);
  bool carry(const pd_system &sys, int body, const Motion &by, const Rests &rests);
  void forward(int nbody, StepCommunication *processes);
};

} // namespace LAMMPS_NS

#endif
