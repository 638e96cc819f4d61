/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/stability_watch.h"

#include "atom.h"
#include "lammps/bridge/body_scene.h"
#include "lammps/bridge/explicit_contacts.h"
#include "lammps/bridge/other_fixes.h"
#include "lammps/host/agree.h"
#include "lammps/host/lmp_compat.h"
#include "modify.h"
#include "update.h"

#include <cmath>
#include <cstring>

using namespace LAMMPS_NS;

/* Every so many steps of a run it is looked at; and where a contact by itself comes to a ratio of
 * the unstable step, as all contacts of a body and its rotation may make up for the rest, and to so
 * many times that of all before. */
static constexpr int EVERY = 100;
static constexpr double CLOSE = 0.1, MORE = 1.25;

bool StabilityWatch::is_due(const std::vector<ExplicitContacts *> &contacts)
{
  double ratio = 0.0;
  for (const ExplicitContacts *c : contacts)
    ratio = std::fmax(ratio, pd_system_step_ratio(&c->scene.sys, update->dt));
  MPI_Allreduce(MPI_IN_PLACE, &ratio, 1, MPI_DOUBLE, MPI_MAX, world);
  const bool more = ratio > CLOSE && ratio > MORE * seen;
  if (!more && !update->setupflag && update->ntimestep % EVERY != 0) return false;
  seen = std::fmax(seen, ratio);
  return true;
}

void StabilityWatch::look(const ContactLaws *laws, NeighList *list,
                          const std::vector<ExplicitContacts *> &contacts, const std::string &who)
{
  if (warned || update->nsteps == 0 || !is_due(contacts)) return;
  tagint body;
  const double from = unstable_from(laws, list, who, &body);
  warn(who, body, from);
}

/* The shortest unstable step of the contacts that this process knows. *body: see pd_unstable_from.
 */
double StabilityWatch::unstable_from(const ContactLaws *laws, NeighList *list,
                                     const std::string &who, tagint *body)
{
  BodyScene scene(lmp);
  scene.rebuild(laws, list, WallSet::all(modify), ~0);
  pd_contact_list contacts = pd_contact_list();
  pd_contact_springs springs = pd_contact_springs();
  int i = 0;
  double from = HUGE_VAL;
  const pd_status status =
      pd_system_springs(&scene.sys, held(scene.sys.nbody).data(), &contacts, &springs);
  if (!status) from = pd_unstable_from(&springs, update->dt, &i);
  *body = from < HUGE_VAL ? atom->tag[i] : 0;
  pd_contact_list_free(&contacts);
  pd_contact_springs_free(&springs);
  stop_together(lmp, FLERR,
                status == PD_ENOMEM ? fmt::format("{}: {}", who, pd_strerror(status)) : "");
  return from; /* forces that are no numbers are the pair style's to report */
}

/* groups whose bodies are integrated one by one: in a clump of fix rigid they are heavier */
int StabilityWatch::moving_bits() const
{
  int bits = 0;
  for (int i = 0; i < modify->nfix; i++) {
    const Fix *f = modify->fix[i];
    if (f->time_integrate && strstr(f->style, "asphere")) bits |= f->groupbit;
  }
  return bits;
}

/* what of every body is held, by other fixes or as nothing integrates it */
std::vector<int> StabilityWatch::held(int nbody) const
{
  OtherFixes fixes(lmp);
  fixes.find("Pair style polyhedron");
  const int bits = moving_bits();
  std::vector<int> axes(nbody, PD_HELD);
  for (int i = 0; i < nbody; i++)
    if ((atom->mask[i] & bits) && fixes.moves(i)) axes[i] = fixes.held_translation(i);
  return axes;
}

/* of the contacts of all processes */
void StabilityWatch::warn(const std::string &who, tagint body, double from)
{
  const Least all = least_of_all(lmp, from);
  if (!(all.value < HUGE_VAL)) return;
  warned = true;
  std::string whose = fmt::format("{}", body);
  share_text(lmp, all.rank, &whose);
  if (comm->me == 0)
    error->warning(
        FLERR,
        fmt::format("{}: the time step {:.3g} is too long for the contacts of body {} at "
                    "step {}: from {:.3g} on contacts like its present ones are unstable, or "
                    "their damping turns it around within a step, and it gains energy, "
                    "shakes, creeps or slides below the limit of friction. Half of that, or "
                    "less damping, eps_t and c_t, would do",
                    who, update->dt, whose, update->ntimestep, all.value));
}
