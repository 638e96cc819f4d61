/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One outer step is the user's timestep; inside it post_integrate, after all other fixes have moved
 * their bodies, takes as many substeps as Newton and the energy guard ask for. External forces are
 * those of the other fixes, held over the step; where they have changed by its end, the next one
 * begins with a correction. Contact forces are implicit. At the end of every substep everything is
 * in the atom arrays, so that the neighbour list can be rebuilt there. */
#include "lammps/styles/fix_implicit_polyhedron.h"

#include "lammps/bridge/barrier_watch.h"
#include "lammps/bridge/body_scene.h"
#include "lammps/bridge/load_set.h"
#include "lammps/bridge/start_contacts.h"
#include "lammps/bridge/substep_failure.h"
#include "lammps/styles/pair_polyhedron.h"

#include "base/numbers.h"

#include "force.h"
#include "update.h"

#include <algorithm>

using namespace LAMMPS_NS;
using namespace FixConst;

FixImplicitPolyhedron::FixImplicitPolyhedron(LAMMPS *lmp, int narg, char **arg)
    : Fix(lmp, narg, arg), kind(), beta(), gamma(), guard(-1.0), options(pd_newton_defaults()),
      fixed(), minstep(0.0), maxstep(0.0), threads(), own_tol(false), newton(options),
      pair(nullptr), control(), account(&control.count), others(lmp), between(lmp),
      standing(lmp, this), states(lmp), prescribed(lmp), cell(lmp), host(lmp), progress(lmp),
      processes(lmp, this), solver(nullptr), hprev(0.0), length(0.0), last_energy(0.0)
{
  time_integrate = 1;
  vector_flag = 1;
  size_vector = StepAccount::SIZE;
  global_freq = 1;
  extvector = 0;
  peratom_flag = 1;
  size_peratom_cols = AtomStates::NOUTPUT;
  peratom_freq = 1;
  restart_global = 1;
  restart_peratom = 1;
  create_attribute = 1;
  comm_forward = StepCommunication::WIDTH;
  dynamic_group_allow = 0;
  nevery = 1;
  maxexchange = AtomStates::NCOL + PrescribedBodies::NCOL;
  processes.require(pd_substep_solver_create(&solver));
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
  auto *told = force ? dynamic_cast<PairPolyhedron *>(force->pair_match("polyhedron", 1)) : nullptr;
  if (!told) return;
  told->set_other_fixes(nullptr);
  told->set_cell(nullptr);
  told->set_states(nullptr);
}

int FixImplicitPolyhedron::setmask()
{
  return POST_INTEGRATE | PRE_EXCHANGE | PRE_REVERSE | FINAL_INTEGRATE | END_OF_STEP;
}

/* ---- start of a run ---- */

void FixImplicitPolyhedron::init()
{
  host.check();
  pair = dynamic_cast<PairPolyhedron *>(force->pair_match("polyhedron", 1));
  others.find(this, true);
  cell.find(this, others);
  pair->set_other_fixes(&others);
  pair->set_cell(&cell);
  pair->set_states([this](pd_system *sys) {
    states.load(sys, &processes);
    prescribed.load(sys, &processes, pd_control_fraction(&control, 0.0));
  });
  pair->set_scheme(kind);
  if (kind != PD_EM)
    pair->warn_of_restitution(kind == PD_EULER ? "scheme euler" : "scheme newmark");
  walls = WallSet::all(modify);
  loads = LoadSet::all(modify);
  if (minstep > update->dt)
    error->all(FLERR, fmt::format("Fix implicit/polyhedron: minstep {} exceeds the time step {}",
                                  minstep, update->dt));
  if (maxstep > 0.0 && minstep > maxstep)
    error->all(FLERR, fmt::format("Fix implicit/polyhedron: minstep {} exceeds maxstep {}", minstep,
                                  maxstep));
  if (!scene) {
    scene.reset(new BodyScene(lmp, true));
    scene->sys.hprev = hprev;
  }
  states.forget_other_velocities();
  processes.use_solver(backend);
  processes.use_threads(&scene->sys, loops, threads);
  barrier.reset(new BarrierWatch(lmp, pair, walls));
  scene->forget();
}

/* after the first force computation, before any fix reads energies or stresses: the state must be
 * sound */
void FixImplicitPolyhedron::setup_pre_reverse(int, int)
{
  between.forget();
  states.add_reactions(others);
  others.stop_frozen();
  standing.warn(others);
  warn_of_null(lmp, this);
  prescribed.note_start();
  last_energy = length > 0.0 ? account.potential : DBL_MAX;
  processes.forget_pattern(); /* a run from a restart file has a solver that has seen no matrix */
  rebuild_scene(0.0);
  scene->check_overlap("Fix implicit/polyhedron");
  pair->report(describe_state()); /* for those that do so before the last one completes it */
  progress.begin(control.count, processes.linear_time());
}

/* after all fixes have added their forces */
void FixImplicitPolyhedron::complete_setup()
{
  if (kind == PD_NEWMARK) states.follow_external(scene->sys);
  states.capture_external();
  renew_scene();
  limit_laws();
  evaluate_state();
  forward_forces();
  warn_of_more_energy(lmp, "Fix implicit/polyhedron", scene.get(), last_energy, account.potential);
}

/* ---- one outer step ---- */

void FixImplicitPolyhedron::post_integrate()
{
  check_setup();
  newton = pd_control_options(&options, own_tol, guard, kind, fixed);
  others.stop_frozen();
  const bool driven = prescribed.any();
  const double turn = prescribed.begin_step(others, update->dt);
  pd_control_begin(&control, update->dt, {fixed, minstep, longest(turn), 0.5 * list_skin()});
  newton.least = pd_control_shortest_for_path(&control);
  newton.longest = fixed ? 0.0 : pd_control_longest(&control);

  const bool corrected = processes.anywhere(states.external_changed());
  if (corrected) correct_external();

  begin_scene(corrected || driven || prescribed.any()); /* as the cell went to here */
  cell.begin_step(update->dt);
  scene->keep_memory(false);
  states.forget_reactions(others);
  for (WallSet *w : walls) w->motion().begin_step(update->dt);
  for (WallSet *w : walls) w->begin_mean();
  for (LoadSet *l : loads) l->begin_step();
  states.begin_mean();

  while (pd_control_goes_on(&control)) {
    /* a list that holds to the end of the substep; walls and loads as they are then */
    const double h = pd_control_length(&control);
    if (pd_control_leaves_list(&control, h)) renew_list();
    const double s0 = pd_control_fraction(&control, 0.0), s1 = pd_control_fraction(&control, h);
    scene->move_walls(s1, h);
    scene->set_loads(loads, s0, s1);
    prescribed.prescribe(&scene->sys, s0, s1, h);
    cell.prescribe(&scene->sys, s1 - s0, update->dt);

    /* solve; what is not accepted is solved again from the same state */
    pd_substep s;
    const pd_status status = solve(h, &s);
    const pd_verdict verdict = pd_control_judge(&control, &newton, status, &s, h);
    if (verdict == PD_GIVE_UP) give_up(status, s, h);
    if (verdict != PD_ACCEPT) scene->take_back();
    if (verdict == PD_RENEW_LIST) renew_list();
    if (verdict != PD_ACCEPT) continue;
    accept(s, h, s1);
  }

  end_step();
}

/* what others get of a step that is done */
void FixImplicitPolyhedron::end_step()
{
  account.mean_substep = update->dt / control.done;
  host.warn_of_reach(pd_control_reach_for_step(&control), list_skin());
  for (WallSet *w : walls) w->motion().end_step();
  for (LoadSet *l : loads) l->end_step();
  states.end_mean(update->dt, others);
  states.give_back(scene->sys, update->dt, &processes);
  others.share_reaction(scene->sys);
  scene->keep_memory(false);
  if (cell.flips()) pre_exchange(); /* which brings bodies in without their velocities */
}

/* Bodies that leave the cell get the velocity of their images: that is work of the cell. */
void FixImplicitPolyhedron::pre_exchange()
{
  if (!cell.remaps_velocities()) return;
  double work = states.take_change(cell.wrap(), others);
  pd_global_sum(&processes.services()->communication, &work, 1);
  account.cell_work += work;
}

pd_status FixImplicitPolyhedron::solve(double h, pd_substep *s)
{
  const Progress::Watch watch(&progress, Progress::NEWTON);
  return pd_substep_solve(solver, &scene->sys, processes.services(), &newton, h, &account.energy,
                          s);
}

/* A substep of length h that ends after the fraction s1 of the step: reactions to walls and loads,
 * states to the atoms and their ghosts, accounts. */
void FixImplicitPolyhedron::accept(const pd_substep &s, double h, double s1)
{
  const Progress::Watch watch(&progress, Progress::STATE);
  scene->check_unheeded();
  scene->add_to_wall_means(h / update->dt);
  scene->share_work(loads);
  states.keep_reactions(scene->sys, h / update->dt);
  states.add_stress(scene->sys, h / update->dt);
  pd_substep_commit(&scene->sys);
  scene->store();
  states.store(scene->sys);
  cell.place(s1);
  host.check_lost();
  host.refresh_ghosts();
  all_together(lmp, FLERR, [this] {
    scene->load(atom->nlocal);
  }); /* owned bodies stay those of the substep to the last bit */
  barrier->look(pair->list, s.mingap, s1);
  account.add(s);
  pd_control_accept(&control, &newton, &s, h);
}

/* All external forces of this step are in: they and the state at its end, for the next one. */
void FixImplicitPolyhedron::final_integrate()
{
  const double squares = control.squares / (update->dt * update->dt);
  states.note_change(others, loads, pd_scheme_corrected_part(kind, squares));
  length = update->dt;
  cell.follow_flip();
  states.capture_external();
  renew_scene();
  evaluate_state();
  states.keep_back(scene->sys, length, &processes);
}

void FixImplicitPolyhedron::end_of_step()
{
  prescribed.note_end();
  progress.say(control.count, account.contacts);
}

/* ---- parts of a step ---- */

/* The step before was solved with the external forces of its start. Velocities are corrected now,
 * not at its end: forces of other fixes that depend on them have seen them as they are stored. */
void FixImplicitPolyhedron::correct_external()
{
  renew_scene();
  double work = states.correct(&scene->sys, length);
  pd_global_sum(&processes.services()->communication, &work, 1);
  account.work += work;
  host.refresh_ghosts();
}

/* Bodies that something has put into others overlap; a wall that moves may press too hard, and the
 * law may be too soft. */
void FixImplicitPolyhedron::give_up(pd_status status, const pd_substep &s, double h)
{
  if (status == PD_ETOUCH || status == PD_ENAN) {
    scene->take_back();
    scene->check_overlap("Fix implicit/polyhedron");
  }
  SubstepFailure why;
  why.status = status;
  why.s = s;
  why.h = h;
  why.step = update->ntimestep;
  why.guard = newton.guard;
  why.skin = list_skin();
  why.fixed = fixed != 0;
  why.carries = cell.deforms();
  why.wall = scene->pressed_wall();
  why.worst = scene->name_of(s.worst);
  why.blocked = scene->name_of(s.blocked);
  if (status == PD_EENERGY || status == PD_ENEWTON || status == PD_EPASSAGE)
    why.barrier = barrier->deepest(pair->list, pd_control_fraction(&control, 0.0),
                                   pd_control_fraction(&control, h), scene->sys);
  error->all(FLERR, why.text());
}
