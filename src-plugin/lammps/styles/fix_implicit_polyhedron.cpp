/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One outer step is the user's timestep; inside it post_integrate, after all other fixes have moved
 * their bodies, takes as many substeps as Newton and the energy guard ask for. External forces are
 * those of the other fixes, held over the step; contact forces are implicit. At the end of every
 * substep everything is in the atom arrays, so that the neighbour list can be rebuilt there. */
#include "lammps/styles/fix_implicit_polyhedron.h"

#include "lammps/bridge/barrier_watch.h"
#include "lammps/bridge/body_scene.h"
#include "lammps/bridge/load_set.h"
#include "lammps/bridge/start_contacts.h"
#include "lammps/bridge/substep_failure.h"
#include "lammps/options/parse.h"
#include "lammps/styles/pair_polyhedron.h"

#include "base/numbers.h"

#include "force.h"
#include "update.h"

#include <algorithm>

using namespace LAMMPS_NS;
using namespace FixConst;

FixImplicitPolyhedron::FixImplicitPolyhedron(LAMMPS *lmp, int narg, char **arg)
    : Fix(lmp, narg, arg), kind(PD_EM), beta(0.3), gamma(0.5), guard(-1.0),
      options(pd_newton_defaults()), fixed(0), minstep(0.0), maxstep(0.0), backend("auto"),
      threads(1), loops("auto"), own_tol(false), newton(options), pair(nullptr), control(),
      account(&control.count), others(lmp), states(lmp), prescribed(lmp), host(lmp),
      processes(lmp, this), solver(nullptr), hprev(0.0), captured(false)
{
  time_integrate = 1;
  vector_flag = 1;
  size_vector = StepAccount::SIZE;
  global_freq = 1;
  extvector = 0;
  restart_global = 1;
  restart_peratom = 1;
  create_attribute = 1;
  comm_forward = StepCommunication::WIDTH;
  dynamic_group_allow = 0;
  nevery = 1;
  maxexchange = AtomStates::NCOL + PrescribedBodies::NCOL;
  if (pd_substep_solver_create(&solver))
    error->one(FLERR, fmt::format("Fix implicit/polyhedron: {}", pd_strerror(PD_ENOMEM)));
  Options::defaults(Options::Implicit::keywords, [this](const Options::Given &g) { set(g); });
  for (int iarg = 3; iarg < narg;) iarg = parse(iarg, narg, arg);
  grow_arrays(atom->nmax);
  atom->add_callback(Atom::GROW);
  atom->add_callback(Atom::RESTART);
  for (int i = 0; i < atom->nlocal; i++) set_arrays(i);
}

FixImplicitPolyhedron::~FixImplicitPolyhedron()
{
  atom->delete_callback(id, Atom::GROW);
  atom->delete_callback(id, Atom::RESTART);
  pd_substep_solver_free(solver);
}

int FixImplicitPolyhedron::setmask()
{
  return POST_INTEGRATE | PRE_REVERSE | FINAL_INTEGRATE | END_OF_STEP;
}

/* ---- start of a run ---- */

void FixImplicitPolyhedron::init()
{
  host.check();
  pair = dynamic_cast<PairPolyhedron *>(force->pair_match("polyhedron", 1));
  others.find(this);
  pair->set_other_fixes(&others);
  walls = WallSet::all(modify);
  loads = LoadSet::all(modify);
  if (minstep > update->dt)
    error->all(FLERR, fmt::format("Fix implicit/polyhedron: minstep {} exceeds the time step {}",
                                  minstep, update->dt));
  if (!scene) {
    scene.reset(new BodyScene(lmp));
    scene->sys.hprev = hprev;
  }
  processes.use_solver(backend);
  processes.use_threads(&scene->sys, loops, threads);
  barrier.reset(new BarrierWatch(lmp, pair, walls));
  scene->forget();
  captured = false;
}

/* after the first force computation: the state must be sound; figures for the output of this step
 */
void FixImplicitPolyhedron::setup(int)
{
  others.stop_frozen();
  prescribed.note();
  rebuild_scene(0.0);
  scene->check_overlap("Fix implicit/polyhedron");
  const pd_totals totals = contact_at_start();
  scene->load_walls();
  account.start(&scene->sys, totals, processes.services(), pair->largest_gap());
  captured = false;
}

/* contact in the present state, as velocities are */
pd_totals FixImplicitPolyhedron::contact_at_start()
{
  pd_totals totals;
  const pd_status status = pd_system_eval(&scene->sys, PD_AT_START, 0, &totals);
  if (status)
    error->one(FLERR, fmt::format("Fix implicit/polyhedron: {} at step {}", pd_strerror(status),
                                  update->ntimestep));
  return totals;
}

/* ---- one outer step ---- */

void FixImplicitPolyhedron::post_integrate()
{
  if (!captured) states.capture_external();
  pair->adapt();
  newton = pd_control_options(&options, own_tol, guard, kind, fixed);
  others.stop_frozen();
  const double turn = prescribed.begin_step(others);
  pd_control_begin(&control, update->dt, {fixed, minstep, longest(turn), host.reach()});

  /* A run that goes on from the restart file just written begins with a new list and a solver that
   * has seen no matrix: so does this one, and the two stay alike to the last bit. */
  if (host.wrote_restart()) {
    processes.forget_pattern();
    make_list();
  } else
    renew_scene();
  states.forget_reactions(others);
  scene->set_loads(loads, 0.0, 0.0);
  start_new_bodies();
  for (WallSet *w : walls) w->motion().begin_step(update->dt);
  for (LoadSet *l : loads) l->begin_step();
  start_energy();

  while (pd_control_goes_on(&control)) {
    /* a list that holds to the end of the substep; walls and loads as they are then */
    const double h = pd_control_length(&control);
    if (pd_control_leaves_list(&control, h)) renew_list();
    const double s0 = pd_control_fraction(&control, 0.0), s1 = pd_control_fraction(&control, h);
    scene->move_walls(s1, h);
    scene->set_loads(loads, s0, s1);
    prescribed.prescribe(&scene->sys, s1 - s0, h);

    /* solve; what is not accepted is solved again from the same state */
    pd_substep s;
    const pd_status status = pd_substep_solve(solver, &scene->sys, processes.services(), &newton, h,
                                              &account.energy, &s);
    const pd_verdict verdict = pd_control_judge(&control, &newton, status, &s, h);
    if (verdict == PD_GIVE_UP) give_up(status, s, h);
    if (verdict != PD_ACCEPT) scene->take_back();
    if (verdict == PD_RENEW_LIST) renew_list();
    if (verdict != PD_ACCEPT) continue;
    accept(s, h, s1);
  }

  account.mean_substep = update->dt / control.done;
  for (WallSet *w : walls) w->motion().end_step();
  for (LoadSet *l : loads) l->end_step();
  states.keep_contact_forces(scene->sys);
  others.share_drive(scene->sys);
  scene->keep_memory(false);
  captured = false;
}

/* A substep of length h that ends after the fraction s1 of the step: reactions to walls and loads,
 * states to the atoms and their ghosts, accounts. */
void FixImplicitPolyhedron::accept(const pd_substep &s, double h, double s1)
{
  scene->check_unheeded();
  scene->load_walls();
  scene->share_work(loads);
  states.keep_reactions(scene->sys, h / update->dt);
  pd_substep_commit(&scene->sys);
  scene->store();
  states.store(scene->sys);
  host.check_lost();
  host.refresh_ghosts();
  scene->load(atom->nlocal); /* owned bodies stay those of the substep to the last bit */
  barrier->look(pair->list, s.mingap, s1);
  account.add(s, pair->largest_gap());
  pd_control_accept(&control, &newton, &s, h);
}

/* all forces of this step are in: keep the external ones, then complete f for output */
void FixImplicitPolyhedron::final_integrate()
{
  states.capture_external();
  captured = true;
  states.add_contact_forces(others);
}

/* ---- parts of a step ---- */

/* bodies and pairs as the host has them, walls as they are after the fraction s of the step */
void FixImplicitPolyhedron::rebuild_scene(double s)
{
  scene->rebuild(pair, pair->list, walls, groupbit, s);
  start_scene();
  processes.set_pattern(&scene->sys);
}

/* Length that no substep exceeds, where a body is to turn by an angle in the step. */
double FixImplicitPolyhedron::longest(double turn) const
{
  const double most = maxstep > 0.0 ? maxstep : update->dt;
  return turn > PD_TURN_LIMIT ? std::min(most, update->dt * PD_TURN_LIMIT / turn) : most;
}

/* the states alone at the start of a step, where all else is the same on all processes */
void FixImplicitPolyhedron::renew_scene()
{
  if (processes.anywhere(!scene->fits(pair->list, walls, groupbit))) return rebuild_scene(0.0);
  scene->reload(pair);
  start_scene();
}

void FixImplicitPolyhedron::start_scene()
{
  if (host.list_is_new()) pd_control_new_list(&control);
  scene->sys.scheme.kind = kind;
  scene->sys.scheme.beta = beta;
  scene->sys.scheme.gamma = gamma;
  states.load(&scene->sys, &processes);
  prescribed.load(&scene->sys, &processes, update->dt);
}

void FixImplicitPolyhedron::make_list()
{
  scene->keep_memory(false);
  host.make_list();
  account.lists += 1.0;
  pd_control_new_list(&control);
  rebuild_scene(pd_control_fraction(&control, 0.0));
}

void FixImplicitPolyhedron::renew_list()
{
  make_list();
  start_energy();
}

/* bodies that have just been created start with the accelerations of all forces on them */
void FixImplicitPolyhedron::start_new_bodies()
{
  if (!processes.anywhere(states.any_new())) return;
  scene->check_overlap("Fix implicit/polyhedron");
  contact_at_start();
  warn_of_start_contacts(lmp, scene.get());
  pd_system_accelerate(&scene->sys);
  states.start_new(scene->sys);
  states.load(&scene->sys, &processes);
}

/* energies and losing forces at the start of the next substep */
void FixImplicitPolyhedron::start_energy()
{
  const pd_status status = pd_energy_now(&scene->sys, processes.services(), &account.energy);
  if (status) give_up(status, pd_substep(), control.remaining);
}

void FixImplicitPolyhedron::give_up(pd_status status, const pd_substep &s, double h)
{
  const SubstepFailure why = {status,         s,         h, update->ntimestep, newton.guard,
                              neighbor->skin, fixed != 0};
  error->all(FLERR, why.text());
}

/* ---- restart files: lengths of substeps, accounts and time go on where they were ---- */

void FixImplicitPolyhedron::write_restart(FILE *fp)
{
  if (comm->me) return;
  const double before = scene ? scene->sys.hprev : hprev;
  account.write(fp, {control.step, host.time(), (double)update->ntimestep, before});
}

void FixImplicitPolyhedron::restart(char *buf)
{
  const RestartHead head = account.read(buf);
  control.step = head.step;
  hprev = head.before;
  host.restore_time(head.time, head.timestep);
}

/* ---- data of atoms ---- */

void FixImplicitPolyhedron::grow_arrays(int nmax)
{
  states.grow(nmax);
  prescribed.grow(nmax);
}

void FixImplicitPolyhedron::copy_arrays(int i, int j, int)
{
  states.copy(i, j);
  prescribed.copy(i, j);
}

void FixImplicitPolyhedron::set_arrays(int i)
{
  states.clear(i);
  prescribed.clear(i);
}

int FixImplicitPolyhedron::pack_exchange(int i, double *buf)
{
  const int n = states.pack_exchange(i, buf);
  return n + prescribed.pack_exchange(i, buf + n);
}

int FixImplicitPolyhedron::unpack_exchange(int i, double *buf)
{
  const int n = states.unpack_exchange(i, buf);
  return n + prescribed.unpack_exchange(i, buf + n);
}

double FixImplicitPolyhedron::memory_usage()
{
  const double blocks = scene ? (double)scene->sys.assembly.cap_values : 0.0;
  return states.memory_usage() + prescribed.memory_usage() + 36.0 * blocks * sizeof(double);
}
