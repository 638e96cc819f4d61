/* SPDX-License-Identifier: GPL-2.0-or-later
 * What the other fixes of the input script do to the bodies that fix implicit/polyhedron or fix
 * contact/dynamics moves: fixes that hold some of them, and fixes that cannot work with it. Without
 * such a fix: which bodies the host's integrators move by the forces on them. */
#ifndef POLYHEDRA_OTHER_FIXES_H
#define POLYHEDRA_OTHER_FIXES_H

#include "lammps/bridge/lock_set.h"

#include "dynamics/system.h"

namespace LAMMPS_NS
{

/* Whether a fix integrates points, which do not turn. */
bool turns_nothing(const Fix *fix);

/* Refuses fixes that change the cell in the middle of a run beside an explicit integrator, but for
 * fix deform: contacts would not know how fast it carries the bodies. */
void check_box_of_explicit(LAMMPS *lmp);

/* Warns of bodies outside of the owner's group that fix move leaves in part to forces. Collective.
 */
void warn_of_null(LAMMPS *lmp, const Fix *owner);

/* what a fix does to the bodies of its group */
struct HoldOfFix {
  int group;
  int translation, rotation; /* held axes */
  /* if not empty: the two fixes, and why they cannot both act on a body */
  std::string who, fault;
};

class OtherFixes : protected Pointers
{
public:
  explicit OtherFixes(class LAMMPS *lmp) : Pointers(lmp) {}

  /* Looks at all fixes but the owner. Stops with an error if one of them deforms the box; follows:
   * if it is another one than fix deform, which the owner follows. */
  void find(const Fix *owner, bool follows = false);

  /* Looks at all fixes for one that asks about the host's integrators, which moves no bodies.
   * asker: for messages. Without any integrator forces move all bodies that no fix freezes. */
  void find(const std::string &asker);

  int groups() const { return bits; } /* all that matter */

  /* Whether the step moves an atom: it is in the owner's group, or that of an integrator, and no
   * fix freezes it. Along which components (bits) its centre is held; whether forces move that. */
  bool moves(int i) const;
  int held_translation(int i) const;
  int led(int i) const { return drives(i) ? 7 : held_translation(i); }       /* or by another fix */
  bool leads() const { return drivers || !holds.empty() || !locks.empty(); } /* some of them */
  bool moves_centre(int i) const { return moves(i) && held_translation(i) != 7; }
  bool freezes(int i) const { return (atom->mask[i] & frozen) != 0; }

  /* Whether another fix moves an atom; along which components (bits) as forces on it demand, not as
   * it is prescribed; by which fix, as "fix ID ... moves body N by the forces on it". */
  bool drives(int i) const { return atom->mask[i] & drivers; }
  int driven_by_force(int i) const;
  std::string mover(int i) const;

  /* Whether there are bodies of which some components alone are so; whether a fix lock/polyhedron
   * holds something of an atom. */
  bool guide() const { return by_force[0] != by_force[1] || by_force[1] != by_force[2]; }
  bool is_locked(int i) const;

  /* What is held of a body that the step moves, in this state. Throws LocalError if another fix and
   * this step cannot both act on it, which its groups tell. */
  pd_constraint constraint(int i, const pd_state &start) const;

  /* Hands all fixes lock/polyhedron what holds their bodies. */
  void share_reaction(const pd_system &sys) const;

  void stop_frozen() const; /* those of the owner's group come to rest */

private:
  const Fix *owner = nullptr; /* nullptr: none, the host's integrators move the bodies */
  std::string name;           /* of the owner or asker */
  int moved = 0;              /* groups whose bodies the step moves */
  int frozen = 0;             /* groups whose bodies are immobile */
  int drivers = 0;            /* groups whose bodies another fix integrates in time */
  int by_force[3] = {};       /* for every component, those whose bodies forces move along it */
  int bits = 0;
  double time_step = 0.0; /* when the fixes were looked at last; 0: never */
  std::vector<HoldOfFix> holds;
  std::vector<LockSet *> locks;
  void take(Fix *fix);
  void take_integrator(Fix *fix);
  void take_driver(Fix *fix);
  void add_lock(int i, const LockSet *lock, const pd_state &start, pd_constraint *c) const;
  void refuse(Fix *fix, const std::string &why);
  void take_setforce(Fix *fix);
};

} // namespace LAMMPS_NS

#endif
