/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/friction_step.h"

#include "atom.h"
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

/* The body of this process that is unstable from the shortest step on; "" if none is. */
std::string FrictionStep::shortest(const pd_system &sys, double *from) const
{
  const int bits = moving_bits();
  OtherFixes fixes(lmp);
  fixes.find("Pair style polyhedron");
  tagint tag = 0;
  for (int i = 0; i < atom->nlocal; i++) {
    if (!(atom->mask[i] & bits) || !fixes.moves_centre(i) || !sys.body[i].shape) continue;
    const double h = pd_unstable_from(&of[i], update->dt);
    if (h < *from) *from = h, tag = atom->tag[i];
  }
  return tag ? fmt::format("body {}", tag) : "";
}

void FrictionStep::look(pd_system *sys, const std::string &who)
{
  if (warned || (!update->setupflag && update->ntimestep % EVERY != 0)) return;
  double from = HUGE_VAL;
  of.resize(sys->nbody);
  pd_contact_list list = pd_contact_list();
  const pd_status status = pd_system_sticking(sys, &list, of.data());
  pd_contact_list_free(&list);
  stop_together(lmp, FLERR, status ? fmt::format("{}: {}", who, pd_strerror(status)) : "");
  const std::string text = shortest(*sys, &from);
  warn(who, text, from);
}

/* by the process whose body it is */
void FrictionStep::warn(const std::string &who, const std::string &text, double from)
{
  struct {
    double from;
    int rank;
  } mine = {from, comm->me}, all = mine;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE_INT, MPI_MINLOC, world);
  if (!(all.from < HUGE_VAL)) return;
  warned = true;
  std::string body = text;
  int n = (int)body.size();
  MPI_Bcast(&n, 1, MPI_INT, all.rank, world);
  body.resize(n);
  MPI_Bcast(&body[0], n, MPI_CHAR, all.rank, world);
  if (comm->me == 0)
    error->warning(FLERR,
                   fmt::format("{}: the time step {:.3g} is too long for the friction of {} at "
                               "step {}: where its contacts stick they are unstable from {:.3g} "
                               "on, and it creeps or slides below the limit of friction. A shorter "
                               "step, or less eps_t and c_t, would do",
                               who, update->dt, body, update->ntimestep, all.from));
}
