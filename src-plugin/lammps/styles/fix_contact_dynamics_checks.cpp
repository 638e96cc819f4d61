/* SPDX-License-Identifier: GPL-2.0-or-later
 * Fix contact/dynamics: what does not go together with it. */
#include "lammps/styles/fix_contact_dynamics.h"

#include "lammps/bridge/bonds.h"
#include "lammps/bridge/wall_set.h"
#include "force.h"
#include "update.h"

#include <algorithm>
#include <cmath>

using namespace LAMMPS_NS;

static const char *const WHO = "Fix contact/dynamics";

void FixContactDynamics::check_others()
{
  if (Compat::fixes_of_style(modify, "contact/dynamics").size() > 1)
    error->all(FLERR, "There can be only one fix contact/dynamics");
  if (!Compat::fixes_of_style(modify, "implicit/polyhedron").empty())
    error->all(FLERR, "Fix contact/dynamics and fix implicit/polyhedron exclude each other");
  if (force->pair_match("polyhedron", 1))
    error->all(FLERR, "Fix contact/dynamics and pair style polyhedron exclude each other: contacts "
                      "would act twice; use pair style zero");
  if (utils::strmatch(update->integrate_style, "^respa"))
    error->all(FLERR, "Fix contact/dynamics does not work with run_style respa");
  if (force->ftm2v != 1.0 || force->mvv2e != 1.0)
    error->all(FLERR, fmt::format("Fix contact/dynamics: units {} are not consistent (force is not "
                                  "mass times acceleration): use si, lj, cgs, micro or nano",
                                  update->unit_style));
  check_bonds(lmp, WHO);
  if (!atom->tag_enable) error->all(FLERR, "Fix contact/dynamics requires atom IDs");
  if (!(update->dt > 0.0)) error->all(FLERR, "Fix contact/dynamics: the time step must be > 0");
}

/* Features of polyhedra that rounding leaves in each other would not be seen. */
void FixContactDynamics::check_gap() const
{
  if (bodies->turns() && gap == 0.0)
    error->all(FLERR, fmt::format("{}: gap 0 is for spheres: contacts of polyhedra are seen within "
                                  "the gap alone: leave the keyword out, or give a small part of "
                                  "the bodies' size",
                                  WHO));
}

/* computes may ask before the fix is initialised */
bool FixContactDynamics::has_friction() const
{
  const std::vector<WallSet *> all = WallSet::all(modify);
  return friction > 0.0 || std::any_of(all.begin(), all.end(), [this](const WallSet *w) {
           return w->rigid_friction(friction) > 0.0;
         });
}

void FixContactDynamics::find_friction()
{
  frictional = has_friction();
  for (const WallSet *w : walls)
    if (options.method == PD_CD_PGS && w->rigid_friction(friction) > 0.0)
      error->all(FLERR, fmt::format("{}: friction of fix {} wall/polyhedron needs solver apgd", WHO,
                                    w->name));
}

/* What the host's list reaches must hold all contacts; bodies may have come, or grown. */
void FixContactDynamics::check_list()
{
  if (neighbor->ago == 0) check_bonds(lmp, WHO);
  const std::vector<double> r = bodies->largest_radii();
  double smallest = DBL_MAX;
  for (int t = 1; t <= atom->ntypes; t++)
    if (r[t] > 0.0) smallest = std::min(smallest, r[t]);
  reach = gap >= 0.0 ? gap : smallest < DBL_MAX ? 0.1 * smallest : 0.0;
  room = DBL_MAX;
  for (int i = 1; i <= atom->ntypes; i++)
    for (int j = i; j <= atom->ntypes; j++) {
      if (!(r[i] > 0.0 && r[j] > 0.0)) continue;
      const double cut = force->pair ? sqrt(force->pair->cutsq[i][j]) : 0.0;
      if (cut < r[i] + r[j] + reach)
        error->all(FLERR, fmt::format("{}: the pair cutoff {:.6g} of types {} {} is below {:.6g}, "
                                      "the sum of their largest radii and the gap: use pair style "
                                      "zero with a larger cutoff",
                                      WHO, cut, i, j, r[i] + r[j] + reach));
      room = std::min(room, cut - r[i] - r[j] - reach);
    }
}

/* A contact problem in which a body can go along some axes alone is not there. */
void FixContactDynamics::check_held() const
{
  const pd_state nowhere = pd_state();
  for (int i = 0; i < atom->nlocal; i++) {
    if (!mobile(i)) continue;
    const pd_constraint c = others.constraint(i, nowhere);
    if (pd_constraint_any(&c))
      throw LocalError(fmt::format("Fix {} of style contact/dynamics: body {} is held by a fix "
                                   "setforce or lock/polyhedron: only whole bodies can be: use "
                                   "fix freeze or keyword fixed",
                                   id, atom->tag[i]));
  }
}

void FixContactDynamics::refuse_outsider(int i, const std::string &other) const
{
  throw LocalError(fmt::format("{}: body {} and {} meet at step {}: {} moves body {} by the forces "
                               "on it, which are not known "
                               "when this step is solved: take it into the group of fix {} "
                               "instead, or let fix move carry it",
                               WHO, atom->tag[i], other, update->ntimestep, others.integrator(i),
                               atom->tag[i], id));
}

/* A body that another fix integrates neither yields to contacts nor goes as it is prescribed. */
void FixContactDynamics::check_outsiders()
{
  const auto outside = [this](int i) { return others.integrates(i) && !mobile(i); };
  for (const FoundContact &p : found) {
    if (p.c.b < 0) continue;
    if (outside(p.c.a)) refuse_outsider(p.c.a, fmt::format("body {}", p.name.b));
    if (outside(p.c.b)) refuse_outsider(p.c.b, fmt::format("body {}", p.name.a));
  }
  for (WallSet *w : walls)
    for (const pd_wall &wall : w->walls_of_step(update->dt))
      for (int i = 0; i < atom->nlocal; i++) {
        std::vector<FoundContact> met;
        if (!outside(i) || !(atom->mask[i] & w->bodies)) continue;
        bodies->touch_wall(i, wall, reach, &met);
        if (!met.empty()) refuse_outsider(i, fmt::format("wall {}", w->name));
      }
}

/* The velocities of this step were solved for at the end of the last one. */
void FixContactDynamics::check_unchanged() const
{
  if (update->dt != solved_dt)
    throw LocalError(fmt::format("Fix {} of style contact/dynamics: the time step has been changed "
                                 "within a run, as by fix dt/reset, from {} for which this step is "
                                 "solved: change it between runs",
                                 id, solved_dt));
  for (int i = 0; i < atom->nlocal; i++) {
    double now[6];
    if (!mobile(i)) continue;
    bodies->velocity(i, now);
    if (!std::equal(now, now + 6, &v0[6 * (size_t)i]))
      throw LocalError(fmt::format("Fix {} of style contact/dynamics: body {} has got another "
                                   "velocity since this step was solved, at the end of the last "
                                   "one: fixes that act on velocities then, as momentum and "
                                   "temp/rescale, do not work with it",
                                   id, atom->tag[i]));
  }
}
