/* SPDX-License-Identifier: GPL-2.0-or-later
 * What fix deform and the atom styles of the host keep to themselves of cells that deform. */
#ifndef POLYHEDRA_DEFORM_H
#define POLYHEDRA_DEFORM_H

#include "lammps/host/lmp_compat.h"

#include "atom_vec.h"
#include "fix_deform.h"
#include "version.h"

#include <string>

namespace LAMMPS_NS
{
namespace Compat
{

class FixDeformHeir : public FixDeform
{
public:
  static int &flip_of(FixDeform *fix) { return fix->*(&FixDeformHeir::flip); }
  static int yz_of(FixDeform *fix) { return fix->*(&FixDeformHeir::flipyz); }
};

/* whether the fix flips the cell before the next list */
inline int &flip_of(FixDeform *fix) { return FixDeformHeir::flip_of(fix); }

/* whether that flip is one of yz */
inline bool flips_yz(FixDeform *fix) { return flip_of(fix) && FixDeformHeir::yz_of(fix); }

/* whether the fix says what xz is */
inline bool drives_xz(const FixDeform *fix) { return fix->dimflag[4]; }

/* Versions of the host that put bodies elsewhere when they flip a cell (LAMMPS issue 4408): 29 Aug
 * 2024 up to its update 1, and 19 Nov 2024. */
inline bool flips_wrong()
{
#ifdef LAMMPS_UPDATE
  const std::string update = LAMMPS_UPDATE;
#else
  const std::string update;
#endif
  return LMP_DATE == 20241119 || (LMP_DATE == 20240829 && (update.empty() || update == "Update 1"));
}

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
