/* SPDX-License-Identifier: GPL-2.0-or-later
 * What the bridge has to know of the contacts of all pairs. Pair style polyhedron says it. */
#ifndef POLYHEDRA_CONTACT_LAWS_H
#define POLYHEDRA_CONTACT_LAWS_H

#include "contact/pair.h"
#include "dynamics/system.h"

#include <functional>
#include <string>

namespace LAMMPS_NS
{

class Cell;
class FrictionMemory;
class OtherFixes;

class ContactLaws
{
public:
  /* Law of a pair of types; it stays where it is from the host's init on. */
  virtual const pd_law *law(int itype, int jtype) const = 0;

  /* Distance at which contact of two types begins, also before the host's init; NaN where no
   * coefficients say so yet. */
  virtual double contact_distance(int itype, int jtype) const = 0;

  virtual pd_contact_set contact_set() const = 0;

  /* Where friction contacts are remembered; nullptr without friction. */
  virtual FrictionMemory *friction_memory() const = 0;

  /* What other fixes do to the bodies of fix implicit/polyhedron; nullptr without that fix. */
  virtual const OtherFixes *other_fixes() const = 0;

  /* The cell that carries images, and bodies; nullptr before the host's init. */
  virtual const Cell *cell() const = 0;

  /* Whose states they are: the scheme of fix implicit/polyhedron; PD_NEWMARK without that fix. */
  virtual pd_scheme_kind scheme() const = 0;

  /* Gives the bodies of a scene what fix implicit/polyhedron knows of them beside the host: their
   * accelerations, and over which time their velocities are mean ones; ghosts as well. Empty
   * without that fix. */
  virtual const std::function<void(pd_system *)> &states() const = 0;

  /* Called by all processes: an error where the atoms and ghosts are not those of the host's list,
   * in its order. who: as in messages. */
  virtual void check_list(const std::string &who) const = 0;

protected:
  ~ContactLaws() = default; /* nobody deletes a style by what the bridge sees of it */
};

} // namespace LAMMPS_NS

#endif
