/* SPDX-License-Identifier: GPL-2.0-or-later
 * fix polyhedron/setup: tells fix implicit/polyhedron that at set-up all other fixes have added
 * their forces, because it stands behind them. Made by pair_style polyhedron, not by users. */
#ifndef LMP_FIX_POLYHEDRON_SETUP_H
#define LMP_FIX_POLYHEDRON_SETUP_H

#include "lammps/host/lmp_compat.h"

namespace LAMMPS_NS
{

class FixPolyhedronSetup : public Fix
{
public:
  FixPolyhedronSetup(class LAMMPS *lmp, int narg, char **arg) : Fix(lmp, narg, arg) {}
  int setmask() override { return 0; }
  void setup(int) override;

  /* Makes one behind all other fixes. Before the host initialises its fixes. */
  static void stand_last(LAMMPS *lmp);
};

} // namespace LAMMPS_NS

#endif
