/* SPDX-License-Identifier: GPL-2.0-or-later
 * The scene that the steps of fix implicit/polyhedron work on: kept as the host has bodies and
 * lists, with the energies and forces of its state. */
#include "lammps/styles/fix_implicit_polyhedron.h"

#include "lammps/bridge/body_scene.h"
#include "lammps/bridge/start_contacts.h"
#include "lammps/styles/pair_polyhedron.h"

#include "update.h"

using namespace LAMMPS_NS;

/* The state at hand: energies and forces for the output, those on bodies included. */
void FixImplicitPolyhedron::evaluate_state()
{
  const Progress::Watch watch(&progress, Progress::STATE);
  const pd_totals totals = describe_state();
  states.add_contact_forces(scene->sys);
  pair->report(totals);
}

/* without these and what the pair style prints */
pd_totals FixImplicitPolyhedron::describe_state()
{
  if (pair->adapt()) pd_system_forget_reusable(&scene->sys);
  scene->set_loads(loads, 0.0, 0.0);
  const pd_totals totals = start_energy();
  scene->load_walls();
  account.describe(totals, processes.services(), pair->largest_gap());
  return totals;
}

/* Bodies that begin too close are told by the forces on both, whoever owns them. */
void FixImplicitPolyhedron::forward_forces()
{
  pd_system *sys = &scene->sys;
  pd_system_forward_forces(sys, &processes.services()->communication,
                           processes.carrier(sys->nbody));
}

/* Laws that auto has just chosen, where bodies have been placed nearer than their gaps. */
void FixImplicitPolyhedron::limit_laws()
{
  if (!pair->has_open_laws()) return;
  scene->set_loads(loads, 0.0, 0.0);
  start_energy();
  forward_forces();
  pair->limit_gaps(gaps_too_small(*scene));
  pd_system_forget_reusable(&scene->sys);
}

/* The scene at the start of a step; changed: what the last one has left does not hold. */
void FixImplicitPolyhedron::begin_scene(bool changed)
{
  /* A run that goes on from the restart file just written begins with bodies that are sorted, a new
   * list and a solver that has seen no matrix: so does this one, and the two stay alike to the last
   * bit. */
  if (host.wrote_restart()) {
    processes.forget_pattern();
    make_list(true);
  } else if (changed || processes.anywhere(states.any_new(others) || scene->has_new_walls() ||
                                           !scene->fits(pair->list, walls, groupbit) ||
                                           !scene->is_current())) {
    renew_scene();
  } else {
    return;
  }
  begin_anew();
}

/* A step that does not go on from the state evaluated last, or with bodies that have just been
 * created: other fixes may have told by now how fast theirs move. */
void FixImplicitPolyhedron::begin_anew()
{
  if (pair->adapt()) pd_system_forget_reusable(&scene->sys);
  scene->set_loads(loads, 0.0, 0.0);
  start_new_bodies();
  start_energy();
}

/* Whether the last set-up still holds, and velocities that have been given since. */
void FixImplicitPolyhedron::check_setup()
{
  if (!pair)
    LastSetup::demand(lmp, "Fix implicit/polyhedron",
                      fmt::format("fix {} has been given since the last set-up", id));
  states.forget_other_velocities();
  between.check(others, "Fix implicit/polyhedron");
  pair->check_setup("Fix implicit/polyhedron");
  pair->note_step();
}

/* bodies and pairs as the host has them, walls as they are after the fraction s of the step */
void FixImplicitPolyhedron::rebuild_scene(double s)
{
  processes.release_solver(); /* bodies and pairs may ask for more room than they have */
  cell.find_images([this](double *steps) { processes.count_images(steps); });
  if (cell.remaps_velocities()) host.refresh_ghosts();
  scene->rebuild(pair, pair->list, walls, groupbit, s);
  start_scene();
  processes.set_pattern(&scene->sys);
}

/* the states alone at the start of a step, where all else is the same on all processes */
void FixImplicitPolyhedron::renew_scene()
{
  const Progress::Watch watch(&progress, Progress::LISTS);
  if (cell.remaps_velocities()) host.refresh_ghosts();
  if (processes.anywhere(!scene->fits(pair->list, walls, groupbit))) return rebuild_scene(0.0);
  all_together(lmp, FLERR, [this] { scene->reload(pair); });
  start_scene();
}

void FixImplicitPolyhedron::start_scene()
{
  if (host.list_is_new()) pd_control_new_list(&control);
  scene->sys.scheme.kind = kind;
  scene->sys.scheme.beta = beta;
  scene->sys.scheme.gamma = gamma;
  processes.set_walls(scene->sys.nbody, scene->sys.nfree);
  states.load(&scene->sys, &processes);
  prescribed.load(&scene->sys, &processes, pd_control_fraction(&control, 0.0));
}

void FixImplicitPolyhedron::make_list(bool sorted)
{
  const Progress::Watch watch(&progress, Progress::LISTS);
  scene->return_memory();
  host.make_list(sorted);
  pair->note_list();
  pd_control_new_list(&control);
  rebuild_scene(pd_control_fraction(&control, 0.0));
  scene->keep_memory(false);
}

void FixImplicitPolyhedron::renew_list()
{
  make_list(false);
  account.lists += 1.0;
  const double s = pd_control_fraction(&control, 0.0);
  scene->set_loads(loads, s, s);
  start_energy();
}

/* bodies that have just been created start with the accelerations of all forces on them */
void FixImplicitPolyhedron::start_new_bodies()
{
  if (!processes.anywhere(states.any_new(others) || scene->has_new_walls())) return;
  scene->check_overlap("Fix implicit/polyhedron");
  start_energy();
  forward_forces();
  const std::vector<bool> fresh = states.new_ones(scene->sys.nbody, &processes);
  warn_of_start_contacts(lmp, "Fix implicit/polyhedron", scene.get(), &fresh);
  pd_system_accelerate(&scene->sys);
  states.start_new(scene->sys);
  scene->start_walls();
  states.load(&scene->sys, &processes);
}

/* energies and dissipative forces at the start of the next substep */
pd_totals FixImplicitPolyhedron::start_energy()
{
  pd_totals totals;
  const pd_status status =
      pd_energy_now(&scene->sys, processes.services(), &account.energy, &totals);
  if (status) give_up(status, pd_substep(), control.remaining);
  return totals;
}

/* Length that no substep exceeds, where a body is to turn by an angle in the step. */
double FixImplicitPolyhedron::longest(double turn) const
{
  const double most = maxstep > 0.0 ? maxstep : update->dt;
  return turn > PD_TURN_LIMIT ? std::min(most, update->dt * PD_TURN_LIMIT / turn) : most;
}

/* by which lists reach further than contact */
double FixImplicitPolyhedron::list_skin() const { return neighbor->skin + pair->list_margin(); }
