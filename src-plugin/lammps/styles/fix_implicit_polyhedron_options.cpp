/* SPDX-License-Identifier: GPL-2.0-or-later
 * Keywords of fix implicit/polyhedron. */
#include "lammps/styles/fix_implicit_polyhedron.h"

#include "lammps/bridge/body_scene.h"
#include "lammps/options/parse.h"

#include "parallel/parallel.h"

using namespace LAMMPS_NS;

/* one keyword of the fix or of fix_modify; returns the index after it */
int FixImplicitPolyhedron::parse(int iarg, int narg, char **arg)
{
  const Options::Given given =
      Options::parse(lmp, Options::Implicit::keywords, "Fix implicit/polyhedron", iarg, narg, arg);
  set(given);
  return given.next;
}

void FixImplicitPolyhedron::set(const Options::Given &given)
{
  namespace key = Options::Implicit;
  static const pd_scheme_kind schemes[] = {PD_NEWMARK, PD_EULER, PD_EM};
  switch ((key::Id)given.id()) {
  case key::SCHEME:
    kind = schemes[given.word()];
    break;
  case key::NEWMARK:
    beta = given.real(0);
    gamma = given.real(1);
    break;
  case key::TOL:
    options.tol = given.real();
    own_tol = true;
    break;
  case key::MAXITER:
    options.maxit = given.integer();
    break;
  case key::SUBSTEPS: /* adaptive: 0 */
    fixed = given.integer();
    break;
  case key::MINSTEP:
    minstep = given.real();
    break;
  case key::MAXSTEP:
    maxstep = given.real();
    break;
  case key::GUARD:
    guard = given.real();
    break;
  case key::RESOLVE:
    options.resolve = given.real();
    break;
  case key::PATH:
    options.path = given.real();
    break;
  case key::FILTER:
    options.filter = given.yes();
    break;
  case key::SOLVER:
    backend = given.text[0];
    break;
  case key::THREADS:
    threads = given.integer();
    break;
  case key::LOOPS:
    loops = given.text[0];
    if (!pd_parallel_name(loops.c_str()))
      Options::refuse(lmp, given, fmt::format("this plugin has auto{}", backends()));
    break;
  case key::PROGRESS:
    progress.interval = given.real();
  }
}

/* names of the backends of loops, each after a comma */
std::string FixImplicitPolyhedron::backends()
{
  std::string list;
  for (int i = 0; pd_parallel_backend(i); i++) list += fmt::format(", {}", pd_parallel_backend(i));
  return list;
}

/* Every keyword can be changed between runs. The scene of the last run, which run ... pre no would
 * go on with, has the scheme of then. */
int FixImplicitPolyhedron::modify_param(int narg, char **arg)
{
  if (scene) scene->forget();
  return parse(0, narg, arg);
}
