/* SPDX-License-Identifier: GPL-2.0-or-later
 * Keywords of fix implicit/polyhedron. */
#include "lammps/styles/fix_implicit_polyhedron.h"

#include "parallel/parallel.h"

#include <algorithm>

using namespace LAMMPS_NS;

/* one keyword of the fix or of fix_modify; returns the index after it */
int FixImplicitPolyhedron::parse(int iarg, int narg, char **arg)
{
  const std::string key = arg[iarg];
  const char *const keys[] = {"scheme",  "newmark", "tol",   "maxiter", "substeps",
                              "minstep", "maxstep", "guard", "filter",  "solver",
                              "resolve", "threads", "loops"};
  if (std::find(std::begin(keys), std::end(keys), key) == std::end(keys))
    error->all(FLERR, fmt::format("Fix implicit/polyhedron: unknown keyword {}", key));
  const int need = key == "newmark" ? 2 : 1;
  if (iarg + need >= narg)
    error->all(FLERR,
               fmt::format("Fix implicit/polyhedron: keyword {} needs {} value(s)", key, need));
  const char *text = arg[iarg + 1];
  auto number = [&](int k) { return utils::numeric(FLERR, arg[iarg + k], false, lmp); };
  auto illegal = [&](const char *what) {
    error->all(FLERR, fmt::format("Fix implicit/polyhedron: {} {}: {}", key, text, what));
  };
  if (key == "scheme") {
    if (strcmp(text, "newmark") == 0)
      kind = PD_NEWMARK;
    else if (strcmp(text, "euler") == 0)
      kind = PD_EULER;
    else if (strcmp(text, "em") == 0)
      kind = PD_EM;
    else
      illegal("the schemes are newmark, euler and em");
  } else if (key == "newmark") {
    beta = number(1);
    gamma = number(2);
    if (!(beta > 0.0 && beta <= 1.0 && gamma >= 0.5 && gamma <= 1.0))
      illegal("0 < beta <= 1 and 0.5 <= gamma <= 1 are required");
  } else if (key == "tol") {
    options.tol = number(1);
    own_tol = true;
    if (!(options.tol > 0.0 && options.tol < 1.0)) illegal("must lie between 0 and 1");
  } else if (key == "maxiter") {
    options.maxit = utils::inumeric(FLERR, text, false, lmp);
    if (options.maxit < 1 || options.maxit > 250) illegal("must lie between 1 and 250");
  } else if (key == "substeps") {
    fixed = strcmp(text, "adaptive") == 0 ? 0 : utils::inumeric(FLERR, text, false, lmp);
    if (strcmp(text, "adaptive") != 0 && fixed < 1)
      illegal("must be adaptive or a positive number");
  } else if (key == "minstep") {
    minstep = number(1);
    if (!(minstep > 0.0)) illegal("must be > 0");
  } else if (key == "maxstep") {
    maxstep = number(1);
    if (!(maxstep > 0.0)) illegal("must be > 0");
  } else if (key == "guard") {
    guard = number(1);
    if (!(guard >= 0.0)) illegal("must be >= 0");
  } else if (key == "resolve") {
    options.resolve = utils::inumeric(FLERR, text, false, lmp);
    if (options.resolve != 0.0 && options.resolve < 4.0) illegal("must be 0 or at least 4");
  } else if (key == "filter") {
    options.filter = Compat::yes_no(FLERR, text, lmp, error);
  } else if (key == "threads") {
    threads = utils::inumeric(FLERR, text, false, lmp);
    if (threads < 1) illegal("must be >= 1");
  } else if (key == "loops") {
    loops = text;
    if (!pd_parallel_name(text)) illegal(fmt::format("this plugin has auto{}", backends()).c_str());
  } else {
    backend = text;
    if (backend != "auto" && backend != "petsc" && backend != "lapack")
      illegal("the solvers are auto, petsc and lapack");
  }
  return iarg + 1 + need;
}

/* names of the backends of loops, each after a comma */
std::string FixImplicitPolyhedron::backends()
{
  std::string list;
  for (int i = 0; pd_parallel_backend(i); i++) list += fmt::format(", {}", pd_parallel_backend(i));
  return list;
}

/* every keyword can be changed between runs */
int FixImplicitPolyhedron::modify_param(int narg, char **arg) { return parse(0, narg, arg); }
