/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/friction_step.h"

#include "atom.h"
#include "lammps/bridge/body_scene.h"
#include "lammps/bridge/other_fixes.h"
#include "lammps/host/agree.h"
#include "lammps/host/lmp_compat.h"
#include "modify.h"
#include "update.h"

#include <cmath>
#include <cstring>

using namespace LAMMPS_NS;

/* every so many steps of a run it is looked at */
static constexpr int EVERY = 100;

void FrictionStep::look(const ContactLaws *laws, NeighList *list, const std::string &who)
{
  if (warned || update->nsteps == 0) return;
  if (!update->setupflag && update->ntimestep % EVERY != 0) return;
  find_contacts(laws, list, who);
  const std::vector<int> bodies = candidates();
  int mine = !bodies.empty(), any;
  MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, world);
  if (!any) return;
  double from = HUGE_VAL;
  const int i = shortest(bodies, &from);
  warn(who, i < 0 ? 0 : atom->tag[i], from);
}

void FrictionStep::find_contacts(const ContactLaws *laws, NeighList *list, const std::string &who)
{
  BodyScene scene(lmp);
  scene.rebuild(laws, list, WallSet::all(modify), ~0);
  of.resize(scene.sys.nbody);
  pd_contact_list contacts = pd_contact_list();
  const pd_status status = pd_system_sticking(&scene.sys, &contacts, of.data());
  pd_contact_list_free(&contacts);
  stop_together(lmp, FLERR, status ? fmt::format("{}: {}", who, pd_strerror(status)) : "");
}

/* groups whose bodies are integrated one by one: in a clump of fix rigid they are heavier */
int FrictionStep::moving_bits() const
{
  int bits = 0;
  for (int i = 0; i < modify->nfix; i++) {
    const Fix *f = modify->fix[i];
    if (f->time_integrate && strstr(f->style, "asphere")) bits |= f->groupbit;
  }
  return bits;
}

/* bodies of this process whose friction is unstable if nothing holds them */
std::vector<int> FrictionStep::candidates() const
{
  const int bits = moving_bits();
  std::vector<int> found;
  for (int i = 0; i < atom->nlocal; i++)
    if ((atom->mask[i] & bits) && std::isfinite(pd_unstable_from(&of[i], update->dt)))
      found.push_back(i);
  return found;
}

/* Which of them is so from the shortest step on, as other fixes hold it; -1 if none is. */
int FrictionStep::shortest(const std::vector<int> &bodies, double *from)
{
  OtherFixes fixes(lmp);
  fixes.find("Pair style polyhedron");
  int found = -1;
  for (const int i : bodies) {
    if (!fixes.moves(i)) continue;
    pd_sticking_hold(&of[i], fixes.held_translation(i));
    const double h = pd_unstable_from(&of[i], update->dt);
    if (h < *from) *from = h, found = i;
  }
  return found;
}

/* of the body of all processes that is so from the shortest step on */
void FrictionStep::warn(const std::string &who, tagint body, double from)
{
  struct {
    double from;
    int rank;
  } mine = {from, comm->me}, all = mine;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE_INT, MPI_MINLOC, world);
  if (!(all.from < HUGE_VAL)) return;
  warned = true;
  MPI_Bcast(&body, 1, MPI_LMP_TAGINT, all.rank, world);
  if (comm->me == 0)
    error->warning(
        FLERR, fmt::format("{}: the time step {:.3g} is too long for the friction of body {} at "
                           "step {}: contacts like its present ones are unstable from {:.3g} on "
                           "where they stick, and it creeps or slides below the limit of "
                           "friction. Half of that, or less eps_t and c_t, would do",
                           who, update->dt, body, update->ntimestep, all.from));
}
