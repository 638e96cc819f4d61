/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/left_out.h"

#include "lammps/host/kept.h"

#include "force.h"
#include "group.h"
#include "neighbor.h"

using namespace LAMMPS_NS;

static void check_bonds(LAMMPS *lmp, const char *who)
{
  const double *weight = lmp->force->special_lj;
  if (lmp->atom->nbonds > 0 && (weight[1] != 1.0 || weight[2] != 1.0 || weight[3] != 1.0))
    lmp->error->all(FLERR,
                    fmt::format("{}: special_bonds lj {} {} {} takes the contact off bonded "
                                "bodies: use special_bonds lj 1 1 1, and neigh_modify exclude for "
                                "bodies that are not to touch",
                                who, weight[1], weight[2], weight[3]));
}

static void check_include(LAMMPS *lmp, const char *who)
{
  const int igroup = lmp->neighbor->includegroup;
  if (igroup == 0) return;
  const bigint others = lmp->atom->natoms - lmp->group->count(igroup);
  if (others > 0)
    lmp->error->all(FLERR, fmt::format("{}: neigh_modify include {} takes the contacts with {} "
                                       "other atoms off its bodies: leave it out, and use "
                                       "neigh_modify exclude for bodies that are not to touch",
                                       who, lmp->group->names[igroup], others));
}

/* the host makes ghosts of the atoms of that group alone */
static void check_ghosts(LAMMPS *lmp, const char *who)
{
  const int igroup = Compat::CommHeir::ghost_group(lmp->comm);
  if (igroup == 0) return;
  const bigint others = lmp->atom->natoms - lmp->group->count(igroup);
  if (others > 0)
    lmp->error->all(FLERR,
                    fmt::format("{}: comm_modify group {} makes no ghosts of {} other atoms, "
                                "which takes away their contacts across the borders of "
                                "processes and of periodic cells: use comm_modify group all",
                                who, lmp->group->names[igroup], others));
}

void LAMMPS_NS::check_left_out(LAMMPS *lmp, const char *who)
{
  check_bonds(lmp, who);
  check_include(lmp, who);
  check_ghosts(lmp, who);
}
