/* SPDX-License-Identifier: GPL-2.0-or-later
 * What fix deform and the atom styles of the host keep to themselves of cells that deform. */
#ifndef POLYHEDRA_DEFORM_H
#define POLYHEDRA_DEFORM_H

#include "lammps/host/lmp_compat.h"

#include "atom_vec.h"
#include "fix_deform.h"

namespace LAMMPS_NS
{
namespace Compat
{

class FixDeformHeir : public FixDeform
{
public:
  static int &flip_of(FixDeform *fix) { return fix->*(&FixDeformHeir::flip); }
};

/* whether the fix flips the cell before the next list */
inline int &flip_of(FixDeform *fix) { return FixDeformHeir::flip_of(fix); }

class AtomVecHeir : public AtomVec
{
public:
  static int &remaps(AtomVec *avec) { return avec->*(&AtomVecHeir::deform_vremap); }
};

/* whether ghosts get the velocity of the boundary that they are behind */
inline int &ghosts_remap_velocities(AtomVec *avec) { return AtomVecHeir::remaps(avec); }

} // namespace Compat
} // namespace LAMMPS_NS

#endif
