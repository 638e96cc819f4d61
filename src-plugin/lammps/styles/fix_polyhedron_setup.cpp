/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/styles/fix_polyhedron_setup.h"

#include "lammps/styles/fix_contact_dynamics.h"
#include "lammps/styles/fix_implicit_polyhedron.h"
#include "lammps/styles/pair_polyhedron.h"
#include "force.h"
#include "update.h"

using namespace LAMMPS_NS;

FixPolyhedronSetup::FixPolyhedronSetup(LAMMPS *lmp, int narg, char **arg) : Fix(lmp, narg, arg)
{
  nevery = 1;
  force_reneighbor = 1;
  next_reneighbor = -1;
}

/* One that an earlier run has needed may still be there; fixes that computes of the host make for
 * themselves stand behind both. */
bool FixPolyhedronSetup::is_last() const
{
  return Compat::fixes_of_style(modify, style).back() == this;
}

void FixPolyhedronSetup::setup(int)
{
  if (!is_last()) return;
  auto *pair = dynamic_cast<PairPolyhedron *>(force->pair_match("polyhedron", 1));
  if (pair) pair->complete_setup();
  for (Fix *f : Compat::fixes_of_style(modify, "implicit/polyhedron"))
    dynamic_cast<FixImplicitPolyhedron *>(f)->complete_setup();
  for (Fix *f : Compat::fixes_of_style(modify, "contact/dynamics"))
    dynamic_cast<FixContactDynamics *>(f)->complete_setup();
}

/* Of the two places behind all others before the host asks whether a fix wants a list: dynamic
 * groups warn of what comes later as post_integrate, fix recenter of what does as
 * initial_integrate. */
int FixPolyhedronSetup::setmask()
{
  const bool recentred = !Compat::fixes_of_style(modify, "recenter").empty();
  return (recentred ? FixConst::POST_INTEGRATE : FixConst::INITIAL_INTEGRATE) |
         FixConst::PRE_NEIGHBOR | FixConst::END_OF_STEP;
}

/* It stands behind all others: bodies and cell are where this step puts them. */
void FixPolyhedronSetup::ask_for_list()
{
  if (!is_last()) return;
  const auto *pair = dynamic_cast<PairPolyhedron *>(force->pair_match("polyhedron", 1));
  if (pair && !pair->list_holds()) next_reneighbor = update->ntimestep;
  for (Fix *f : Compat::fixes_of_style(modify, "contact/dynamics"))
    if (!dynamic_cast<FixContactDynamics *>(f)->list_holds()) next_reneighbor = update->ntimestep;
}

void FixPolyhedronSetup::pre_neighbor()
{
  if (!is_last()) return;
  auto *pair = dynamic_cast<PairPolyhedron *>(force->pair_match("polyhedron", 1));
  if (pair) pair->note_places();
  for (Fix *f : Compat::fixes_of_style(modify, "contact/dynamics"))
    dynamic_cast<FixContactDynamics *>(f)->note_places();
}

void FixPolyhedronSetup::end_of_step()
{
  if (!is_last()) return;
  auto *pair = dynamic_cast<PairPolyhedron *>(force->pair_match("polyhedron", 1));
  if (pair) pair->watch_step();
}

void FixPolyhedronSetup::stand_last(LAMMPS *lmp, const std::string &id)
{
  Modify *modify = lmp->modify;
  const int at = modify->find_fix(id);
  if (at >= 0 && at == modify->nfix - 1) return;
  if (at >= 0) modify->delete_fix(id);
  modify->add_fix(id + " all polyhedron/setup");
}
