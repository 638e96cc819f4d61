/* SPDX-License-Identifier: GPL-2.0-or-later
 * The laws of pair style polyhedron: chosen by keyword auto, taken from a restart file, mixed,
 * changed by fix adapt. */
#include "lammps/styles/pair_polyhedron.h"

#include "lammps/bridge/law_choice.h"
#include "lammps/bridge/shape_table.h"
#include "lammps/styles/fix_polyhedron_restart.h"
#include "lammps/styles/fix_wall_polyhedron.h"
#include "update.h"

#include <algorithm>
#include <cmath>

using namespace LAMMPS_NS;

/* auto: the laws that are still to be chosen, once and for all */
void PairPolyhedron::choose_laws(const std::vector<ShapeOfType> &shapes)
{
  const std::vector<bool> moves = types_that_move(lmp);
  for (int i = 1; i <= atom->ntypes; i++)
    for (int j = i; j <= atom->ntypes; j++) {
      if (!setflag[i][j] || !wishes[i][j].wanted || take_filed_law(i, j)) continue;
      for (int t : {i, j})
        if (!shapes[t].shape)
          error->all(FLERR,
                     fmt::format("pair_coeff {} {} auto: atom type {} has no shape, so that its "
                                 "mass and size are not known: use fix polyhedron/shape",
                                 i, j, t));
      choose_law_of(i, j, shapes, moves);
    }
  filed.clear();
  for (FixWallPolyhedron *f : FixWallPolyhedron::all_of(modify)) f->choose(shapes);
}

void PairPolyhedron::choose_law_of(int i, int j, const std::vector<ShapeOfType> &shapes,
                                   const std::vector<bool> &moves)
{
  const LawBodies bodies = bodies_of_types(shapes[i], moves[i], shapes[j], moves[j]);
  const AutoLaw wish = wishes[i][j];
  choose_law(lmp, fmt::format("pair_coeff {} {}", i, j), bodies, &laws[i][j], &wishes[i][j]);
  if (!update->whichflag) wishes[i][j] = wish; /* no run: the scene may be half there */
  laws[j][i] = laws[i][j];
  show_adapted(i, j);
}

bool PairPolyhedron::has_open_laws() const
{
  for (int i = 1; i <= atom->ntypes; i++)
    for (int j = i; j <= atom->ntypes; j++)
      if (setflag[i][j] && wishes[i][j].open) return true;
  for (const FixWallPolyhedron *f : FixWallPolyhedron::all_of(modify))
    if (f->has_open_law()) return true;
  return false;
}

/* where the law of two types is, and those that are mixed from it */
std::vector<const pd_law *> PairPolyhedron::laws_from(int i, int j) const
{
  std::vector<const pd_law *> all = {&laws[i][j], &laws[j][i]};
  for (int k = 1; i == j && k <= atom->ntypes; k++)
    if (!setflag[std::min(i, k)][std::max(i, k)]) {
      all.push_back(&laws[i][k]);
      all.push_back(&laws[k][i]);
    }
  return all;
}

void PairPolyhedron::mix_laws()
{
  for (int i = 1; i <= atom->ntypes; i++)
    for (int j = i + 1; j <= atom->ntypes; j++)
      if (!setflag[i][j] && setflag[i][i] && setflag[j][j]) mix_law_of(i, j);
}

void PairPolyhedron::limit_gaps(const std::map<const pd_law *, double> &gaps)
{
  const std::vector<ShapeOfType> shapes = collect_shapes(lmp);
  const std::vector<bool> moves = types_that_move(lmp);
  for (int i = 1; i <= atom->ntypes; i++)
    for (int j = i; j <= atom->ntypes; j++) {
      if (!setflag[i][j] || !wishes[i][j].open) continue;
      double nearest = HUGE_VAL;
      for (const pd_law *law : laws_from(i, j))
        if (gaps.count(law)) nearest = fmin(nearest, gaps.at(law));
      if (opens_law(lmp, nearest, asked[i][j], &laws[i][j], &wishes[i][j]))
        choose_law_of(i, j, shapes, moves);
    }
  for (FixWallPolyhedron *f : FixWallPolyhedron::all_of(modify))
    if (f->has_open_law()) f->limit_gap(gaps);
  mix_laws();
}

/* A law that auto has chosen stays in a run that goes on and asks for the same, unless it is said
 * to change. */
bool PairPolyhedron::take_filed_law(int i, int j)
{
  if (filed.empty() || FixPolyhedronRestart::changes(lmp, "law")) return false;
  if (!same_numbers(filed[i][j].asked, asked[i][j])) return false;
  law_of_numbers(filed[i][j].law, &laws[i][j], &wishes[i][j]);
  laws[j][i] = laws[i][j];
  show_adapted(i, j);
  return true;
}

/* types without coefficients of their own */
void PairPolyhedron::mix_law_of(int i, int j)
{
  const pd_law &a = laws[i][i], &b = laws[j][j];
  if (!pd_law_mixes(&a, &b))
    error->all(
        FLERR,
        fmt::format("Pair style polyhedron: types {} and {} have different exponents or barrier "
                    "fractions, or restitution is given for one of them alone, so their pair "
                    "coefficients must be given",
                    i, j));
  laws[i][j] = laws[j][i] = pd_law_mixed(&a, &b);
  show_adapted(i, j);
}

/* whether impacts of a law would lose what they are to lose by scheme em alone */
static bool bounces_without_em(const pd_law &law)
{
  return law.has_e && law.e < 1.0 && !(law.zeta > 0.0);
}

void PairPolyhedron::warn_of_restitution(const std::string &integrator)
{
  bool any = false;
  for (int i = 1; i <= atom->ntypes; i++)
    for (int j = i; j <= atom->ntypes; j++) any = any || bounces_without_em(laws[i][j]);
  if (!any || told_restitution) return;
  told_restitution = true;
  if (comm->me) return;
  error->warning(FLERR, fmt::format("Pair style polyhedron: restitution acts with scheme em of fix "
                                    "implicit/polyhedron alone; with {} impacts are those of laws "
                                    "without damping: give keyword damping",
                                    integrator));
}

/* ---- friction as fix adapt sees it ---- */

static double *friction_value(pd_law *law, int k)
{
  double *const p[] = {&law->t.mu_s, &law->t.mu_d, &law->t.eps_t, &law->t.c_t, &law->t.v_s};
  return p[k];
}

static const char *const friction_name[] = {"mu_s", "mu_d", "eps_t", "c_t", "v_s"};

void PairPolyhedron::show_adapted(int i, int j)
{
  for (int k = 0; k < NADAPT; k++)
    adapted[k][i][j] = adapted[k][j][i] = *friction_value(&laws[i][j], k);
}

void PairPolyhedron::show_all_adapted()
{
  for (int i = 0; i <= atom->ntypes; i++)
    for (int j = i; j <= atom->ntypes; j++) show_adapted(i, j);
}

/* fix adapt writes to the upper half */
bool PairPolyhedron::adapt()
{
  bool changed = false;
  for (int i = 1; i <= atom->ntypes; i++)
    for (int j = i; j <= atom->ntypes; j++) {
      pd_law &law = laws[i][j];
      const bool had = law.t.eps_t > 0.0;
      bool other = false;
      for (int k = 0; k < NADAPT; k++) {
        double *value = friction_value(&law, k);
        other |= memcmp(value, &adapted[k][i][j], sizeof *value) != 0; /* nan: not given */
        *value = adapted[k][i][j];
      }
      if (!other) continue;
      changed = true;
      if (!pd_friction_ok(&law.t) || had != (law.t.eps_t > 0.0))
        error->all(FLERR,
                   fmt::format("Pair style polyhedron: friction of types {} {} has been changed to "
                               "impossible values: mu_s {} mu_d {} eps_t {} c_t {} v_s {}",
                               i, j, law.t.mu_s, law.t.mu_d, law.t.eps_t, law.t.c_t, law.t.v_s));
      laws[j][i] = law;
    }
  return changed;
}

void *PairPolyhedron::extract(const char *name, int &dim)
{
  dim = 2;
  for (int k = 0; k < NADAPT; k++)
    if (strcmp(name, friction_name[k]) == 0) return adapted[k];
  return nullptr;
}
