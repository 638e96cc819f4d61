/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/bonds.h"

#include "lammps/host/lmp_compat.h"

#include "force.h"

using namespace LAMMPS_NS;

void LAMMPS_NS::check_bonds(LAMMPS *lmp, const char *who)
{
  const double *weight = lmp->force->special_lj;
  if (lmp->atom->nbonds > 0 && (weight[1] != 1.0 || weight[2] != 1.0 || weight[3] != 1.0))
    lmp->error->all(FLERR,
                    fmt::format("{}: special_bonds lj {} {} {} takes the contact off bonded "
                                "bodies: use special_bonds lj 1 1 1, and neigh_modify exclude for "
                                "bodies that are not to touch",
                                who, weight[1], weight[2], weight[3]));
}
