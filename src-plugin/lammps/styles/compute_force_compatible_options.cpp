/* SPDX-License-Identifier: GPL-2.0-or-later
 * Options of compute force/compatible. */
#include "lammps/styles/compute_force_compatible.h"

#include "lammps/options/parse.h"

using namespace LAMMPS_NS;

static const char *const WHO = "Compute force/compatible";

void ComputeForceCompatible::set_options(int narg, char **arg)
{
  stiffness.assign(atom->ntypes + 1, std::vector<double>(atom->ntypes + 1, 1.0));
  Options::defaults(Options::Compatible::keywords, [this](const Options::Given &g) { set(g); });
  for (int iarg = 4; iarg < narg;) iarg = parse(iarg, narg, arg);
  if (friction > 0.0 && !newton)
    error->all(FLERR, fmt::format("{}: solver lagrangian has no friction: leave out keyword "
                                  "friction, or use solver newton",
                                  WHO));
  if (friction > 0.0 && largest > 0)
    error->all(FLERR, fmt::format("{}: keyword rank counts normal forces alone: leave it out with "
                                  "keyword friction",
                                  WHO));
  if (starts > 0 && !(friction > 0.0))
    error->all(FLERR, fmt::format("{}: keyword starts is for keyword friction: forces without it "
                                  "are unique",
                                  WHO));
  if (fixedbit && source != "pair")
    error->all(FLERR, fmt::format("{}: keyword fixed is for the source pair; fix {} has its own",
                                  WHO, source));
}

int ComputeForceCompatible::parse(int iarg, int narg, char **arg)
{
  const Options::Given given =
      Options::parse(lmp, Options::Compatible::keywords, WHO, iarg, narg, arg);
  set(given);
  return given.next;
}

void ComputeForceCompatible::set(const Options::Given &given)
{
  namespace key = Options::Compatible;
  switch ((key::Id)given.id()) {
  case key::LAW: /* hooke, hertz, power p */
    options.p = given.word() == 0 ? 2.0 : given.word() == 1 ? 2.5 : given.real(1);
    break;
  case key::STIFFNESS:
    set_stiffness(given);
    break;
  case key::WALL:
    set_wall_stiffness(given);
    break;
  case key::FRICTION: /* mu, ratio */
    friction = given.real(0);
    options.ratio = given.real(1);
    break;
  case key::STARTS:
    starts = given.integer();
    break;
  case key::SOLVER:
    newton = given.word() == 0;
    break;
  case key::TOL:
    options.tol = given.real();
    break;
  case key::MAXITER:
    options.maxit = given.integer();
    break;
  case key::SLACK:
    slack = given.real();
    break;
  case key::RANK:
    largest = given.integer();
    break;
  case key::FIXED:
    fixed = given.text[0];
    fixedbit = Options::group_bit(lmp, given);
    break;
  case key::UNCONVERGED:
    unconverged = (Report)given.word();
    break;
  case key::EMPTY:
    empty = (Report)given.word();
  }
}

void ComputeForceCompatible::set_stiffness(const Options::Given &given)
{
  int lo, hi, jlo, jhi;
  Compat::type_range(lmp, given.text[0], lo, hi);
  Compat::type_range(lmp, given.text[1], jlo, jhi);
  for (int i = lo; i <= hi; i++)
    for (int j = jlo; j <= jhi; j++) stiffness[i][j] = stiffness[j][i] = given.real(2);
}

void ComputeForceCompatible::set_wall_stiffness(const Options::Given &given)
{
  WallStiffness w;
  w.id = given.text[0];
  Compat::type_range(lmp, given.text[1], w.lo, w.hi);
  w.k = given.real(2);
  wall_stiffness.push_back(w);
}
