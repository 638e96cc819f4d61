/* SPDX-License-Identifier: GPL-2.0-or-later
 * Options of fix contact/dynamics, for the fix and for fix_modify. */
#include "lammps/styles/fix_contact_dynamics.h"

#include "lammps/options/parse.h"

using namespace LAMMPS_NS;

static const char *const WHO = "Fix contact/dynamics";

void FixContactDynamics::set_options(int narg, char **arg)
{
  Options::defaults(Options::ContactDynamics::keywords,
                    [this](const Options::Given &given) { set(given); });
  for (int iarg = 3; iarg < narg;) iarg = parse(iarg, narg, arg);
  check_keywords();
}

/* one keyword of the fix or of fix_modify; returns the index after it */
int FixContactDynamics::parse(int iarg, int narg, char **arg)
{
  const Options::Given given =
      Options::parse(lmp, Options::ContactDynamics::keywords, WHO, iarg, narg, arg);
  set(given);
  return given.next;
}

void FixContactDynamics::set(const Options::Given &given)
{
  namespace key = Options::ContactDynamics;
  switch ((key::Id)given.id()) {
  case key::SOLVER:
    options.method = given.word() == 0 ? PD_CD_APGD : PD_CD_PGS;
    break;
  case key::TOL:
    options.tol = given.real();
    break;
  case key::MAXITER:
    options.maxit = given.integer();
    break;
  case key::ORDER:
    choose_order(given);
    break;
  case key::START:
    warm = given.word() == 1;
    break;
  case key::RESTITUTION:
    restitution = given.real();
    break;
  case key::RESTSPEED:
    options.rest_speed = given.real();
    break;
  case key::FRICTION:
    friction = given.real();
    break;
  case key::CORRECTIONS:
    options.corrections = given.integer();
    break;
  case key::GAP:
    gap = given.real();
    break;
  case key::PUSHOUT:
    pushout = given.real();
    break;
  case key::FIXED:
    fixed = given.text[0];
    fixedbit = Options::group_bit(lmp, given);
    break;
  case key::UNCONVERGED:
    unconverged = (Unconverged)given.word();
  }
}

/* tag, reverse, random with a seed, or along an axis */
void FixContactDynamics::choose_order(const Options::Given &given)
{
  const std::string &text = given.text[0];
  order = given.word() < 3 ? (Order)given.word() : AXIS;
  if (order == RANDOM) seed = given.integer(1);
  if (order != AXIS) return;
  axis = text.back() - 'x';
  sign = text[0] == '-' ? -1 : 1;
}

int FixContactDynamics::modify_param(int narg, char **arg) { return parse(0, narg, arg); }

void FixContactDynamics::check_keywords()
{
  if (friction > 0.0 && options.method == PD_CD_PGS)
    error->all(FLERR, "Fix contact/dynamics: friction needs solver apgd");
  if (order != TAG && options.method != PD_CD_PGS)
    error->all(FLERR, "Fix contact/dynamics: keyword order needs solver pgs");
}
