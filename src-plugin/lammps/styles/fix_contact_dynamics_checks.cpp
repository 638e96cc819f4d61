/* SPDX-License-Identifier: GPL-2.0-or-later
 * Fix contact/dynamics: what does not go together with it. */
#include "lammps/styles/fix_contact_dynamics.h"

#include "lammps/bridge/left_out.h"
#include "lammps/bridge/wall_set.h"
#include "lammps/host/kept.h"
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
  if (utils::strmatch(update->integrate_style, "^respa"))
    error->all(FLERR, "Fix contact/dynamics does not work with run_style respa");
  if (Compat::is_command(input, "rerun"))
    error->all(FLERR, "Fix contact/dynamics does not work with the command rerun, which reads no "
                      "orientations: use write_restart, read_restart and run 0 instead");
  if (update->whichflag == 2)
    error->all(FLERR, "Fix contact/dynamics does not work with the command minimize, in which "
                      "bodies would go through each other: run with fix viscous instead");
  if (force->ftm2v != 1.0 || force->mvv2e != 1.0)
    error->all(FLERR, fmt::format("Fix contact/dynamics: units {} are not consistent (force is not "
                                  "mass times acceleration): use si, lj, cgs, micro or nano",
                                  update->unit_style));
  check_left_out(lmp, WHO);
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

/* part of a length that may be rounding; gap of bodies that touch but for rounding, over the gap
 * that contacts are seen within by default */
static constexpr double ROUNDING = 1e-9, TOUCH = 1e-6;

/* A body that overlaps by the gap must still have its far side out of reach: by default. One whose
 * far side is within reach as it touches is thrown about. */
void FixContactDynamics::choose_reach(const std::vector<double> &radii)
{
  double most = DBL_MAX;
  for (int t = 1; t <= atom->ntypes; t++) {
    if (!(radii[t] > 0.0)) continue;
    const double thickness = bodies->thickness(t);
    most = std::min(most, std::min(0.1 * radii[t], 0.5 * thickness));
    if (thickness < DBL_MAX && gap >= (1.0 - ROUNDING) * thickness)
      throw LocalError(fmt::format("{}: gap {:.6g} is not below {:.6g}, the thickness of type {}: "
                                   "their far sides would be contacts, too: leave the keyword out, "
                                   "or give less than half of it",
                                   WHO, gap, thickness, t));
  }
  if (most == DBL_MAX) most = 0.0;
  options.touch = TOUCH * most;
  reach = gap >= 0.0 ? std::max(gap, options.touch) : most;
}

/* What the host's list reaches must hold all contacts; bodies may have come, or grown. */
void FixContactDynamics::check_list()
{
  if (neighbor->ago == 0) check_left_out(lmp, WHO);
  const std::vector<double> r = bodies->largest_radii();
  all_together(lmp, FLERR, [&] { choose_reach(r); });
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
  throw LocalError(fmt::format("{}: body {} and {} meet at step {}: {}, which are not known when "
                               "this step is solved: take it into the group of fix {} instead, or "
                               "let fix move carry it in all components",
                               WHO, atom->tag[i], other, update->ntimestep, others.mover(i), id));
}

/* sine of the angle, and part of the load, up to which a contact does not act along an axis: what a
 * body gives way by then changes that part alone */
static constexpr double LEAN = 1e-3;

/* whether a vector leans by more than that towards one of some axes (bits) */
static bool leans(pd_vec3 v, int axes, double size)
{
  const double part[3] = {v.x, v.y, v.z};
  for (int k = 0; k < 3; k++)
    if ((axes & (1 << k)) && std::fabs(part[k]) > LEAN * size) return true;
  return false;
}

/* components of a body outside of the group along which it neither yields to contacts nor goes as
 * it is prescribed: another fix integrates them */
int FixContactDynamics::unknown_ways(int i) const
{
  return mobile(i) ? 0 : others.driven_by_force(i);
}

void FixContactDynamics::check_outsiders()
{
  for (const FoundContact &p : found) {
    if (p.c.b < 0) continue;
    if (leans(p.c.n, unknown_ways(p.c.a), 1.0))
      refuse_outsider(p.c.a, fmt::format("body {}", p.name.b));
    if (leans(p.c.n, unknown_ways(p.c.b), 1.0))
      refuse_outsider(p.c.b, fmt::format("body {}", p.name.a));
  }
  for (WallSet *w : walls)
    for (const pd_wall &wall : w->walls_of_step(update->dt))
      for (int i = 0; i < atom->nlocal; i++) {
        std::vector<FoundContact> met;
        const int ways = unknown_ways(i);
        if (!ways || !(atom->mask[i] & w->bodies)) continue;
        bodies->touch_wall(i, wall, reach, &met);
        for (const FoundContact &p : met)
          if (leans(p.c.n, ways, 1.0)) refuse_outsider(i, fmt::format("wall {}", w->name));
      }
}

/* friction force on every body of the network, and the sum of its normal forces: six */
std::vector<double> FixContactDynamics::sum_friction() const
{
  std::vector<double> sum(6 * (size_t)network_->net.nbody, 0.0);
  for (int i = 0; i < network_->net.ncontact; i++) {
    const pd_cd_contact &c = network_->net.contact[i];
    const double normal = f[(size_t)stride() * i];
    const pd_vec3 tangential = pd_axpy(network_->force(f, stride(), i), -normal, c.n);
    for (int body : {c.a, c.b}) {
      if (body < 0) continue;
      double *at = &sum[6 * (size_t)body];
      pd_v_store(at, pd_axpy(pd_v_load(at), body == c.a ? 1.0 : -1.0, tangential));
      at[3] += normal;
    }
  }
  pd_reverse(network_->net.communication, sum.data());
  return sum;
}

/* Contacts may carry a body along components in which it goes as it is told, but friction must not
 * drag it along others. */
void FixContactDynamics::check_guided()
{
  if (!frictional || !others.guide()) return;
  const std::vector<double> sum = sum_friction();
  all_together(lmp, FLERR, [&] {
    for (int i = 0; i < atom->nlocal; i++) {
      const double *at = &sum[6 * (size_t)i];
      if (!leans(pd_v_load(at), unknown_ways(i), at[3])) continue;
      throw LocalError(fmt::format("{}: friction drags body {} at step {}, and {}, which are not "
                                   "known when this step is solved: give numbers in place of NULL, "
                                   "or take it into the group of fix {} instead",
                                   WHO, atom->tag[i], update->ntimestep, others.mover(i), id));
    }
  });
}

/* The velocities of this step were solved for at the end of the last one. */
void FixContactDynamics::check_unchanged() const
{
  if (update->dt != solved_dt)
    throw LocalError(fmt::format("Fix {} of style contact/dynamics: the time step has been changed "
                                 "within a run, as by fix dt/reset, or before run ... pre no, from "
                                 "{} for which this step is solved: change it between runs, and "
                                 "leave out pre no in the run that follows",
                                 id, solved_dt));
  for (int i = 0; i < atom->nlocal; i++) {
    double now[6];
    if (!mobile(i)) continue;
    bodies->velocity(i, now);
    if (!std::equal(now, now + 6, &v0[6 * (size_t)i]))
      throw LocalError(
          fmt::format("Fix {} of style contact/dynamics: body {} has got another "
                      "velocity since this step was solved, at the end of the last "
                      "one: fixes that act on velocities then, as momentum and "
                      "temp/rescale, do not work with it, nor does run ... pre no after "
                      "a change between runs, as by velocity: leave out pre no",
                      id, atom->tag[i]));
  }
}
