/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/explicit_contacts.h"

#include "update.h"

using namespace LAMMPS_NS;

pd_totals ExplicitContacts::evaluate(const ContactLaws *laws, NeighList *list,
                                     const std::vector<WallSet *> &walls, const std::string &who,
                                     const char *what)
{
  scene.renew(laws, list, walls, ~0);
  if (bodies != atom->natoms) scene.check_overlap(who.c_str()); /* others may have come */
  bodies = atom->natoms;
  const std::string passed = scene.passed(update->dt);
  scene.sys.elapsed = update->setupflag ? 0.0 : update->dt;
  pd_system_forget_standing(&scene.sys); /* laws may be others than at the last call */
  pd_totals totals;
  const pd_status status = pd_system_eval(&scene.sys, PD_AT_START, 0, &totals);
  const std::string fault = passed.empty() && status ? pd_strerror(status) : passed;
  const auto text = [&] {
    return fmt::format("{}: {} at step {}: {}, the time step is too long", who, fault,
                       update->ntimestep, what);
  };
  stop_together(lmp, FLERR, fault.empty() ? "" : text());
  scene.keep_memory(true);
  return totals;
}

void ExplicitContacts::add_forces()
{
  const double *force = scene.sys.assembly.force;
  for (int i = 0; i < atom->nlocal; i++)
    for (int k = 0; k < 3; k++) {
      atom->f[i][k] += force[6 * i + k];
      atom->torque[i][k] += force[6 * i + 3 + k];
    }
}

void ExplicitContacts::add_forces_to(std::vector<double> *sum) const
{
  for (int i = 0; i < 6 * atom->nlocal; i++) (*sum)[i] += scene.sys.assembly.force[i];
}
