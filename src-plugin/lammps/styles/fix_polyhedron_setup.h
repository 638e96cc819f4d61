/* SPDX-License-Identifier: GPL-2.0-or-later
 * fix polyhedron/setup: tells pair style polyhedron, fix implicit/polyhedron or fix
 * contact/dynamics that at set-up all other fixes have added their forces, because it stands behind
 * them; and has the host make a list in time for explicit integrators and contact dynamics,
 * whatever neigh_modify says.
 * Made by pair_style polyhedron and by fix contact/dynamics, not by users. */
#ifndef LMP_FIX_POLYHEDRON_SETUP_H
#define LMP_FIX_POLYHEDRON_SETUP_H

#include "lammps/host/lmp_compat.h"

#include <string>

namespace LAMMPS_NS
{

class FixPolyhedronSetup : public Fix
{
public:
  FixPolyhedronSetup(class LAMMPS *, int, char **);
  int setmask() override;
  void setup(int) override;
  void setup_pre_neighbor() override { pre_neighbor(); }
  void initial_integrate(int) override { ask_for_list(); }
  void post_integrate() override { ask_for_list(); }
  void pre_neighbor() override;
  void end_of_step() override;

  /* Makes the one of this ID stand behind all other fixes, where the host initialises none that
   * stands behind the one that is there. */
  static void stand_last(LAMMPS *lmp, const std::string &id);

private:
  bool is_last() const;
  void ask_for_list();
};

} // namespace LAMMPS_NS

#endif
