/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One outer step is the user's timestep; inside it initial_integrate takes as many substeps as
 * Newton and the energy guard ask for. External forces are those of the other fixes, held over the
 * step; contact forces are implicit. At the end of every substep everything is in the atom arrays,
 * so that the neighbour list can be rebuilt there. */
#include "lammps/styles/fix_implicit_polyhedron.h"

#include "lammps/bridge/barrier_watch.h"
#include "lammps/bridge/body_scene.h"
#include "domain.h"
#include "lammps/bridge/load_set.h"
#include "force.h"
#include "memory.h"
#include "output.h"
#include "lammps/styles/pair_polyhedron.h"
#include "thermo.h"
#include "update.h"

#include "parallel/parallel.h"
#include "linear/linsolver.h"

#include <algorithm>
#include <cmath>

using namespace LAMMPS_NS;
using namespace FixConst;

/* rise of the energy in a substep that scheme em may make, over the energy */
static const double EM_GUARD = 5.0e-7;

/* allowance for bodies that become faster from one substep to the next */
static const double FASTER = 1.05;

FixImplicitPolyhedron::FixImplicitPolyhedron(LAMMPS *lmp, int narg, char **arg)
    : Fix(lmp, narg, arg), kind(PD_EM), beta(0.3), gamma(0.5), guard(-1.0),
      options(pd_newton_defaults()), fixed(0), minstep(0.0), maxstep(0.0), backend("auto"),
      threads(1), loops("auto"), own_tol(false), step(0.0), hprev(0.0), remaining(0.0), speed(0.0),
      moved(0.0), state(nullptr), pair(nullptr), scene(nullptr), solver(nullptr), buffer(nullptr),
      rows(-1), captured(false), list_built(-1)
{
  time_integrate = 1;
  vector_flag = 1;
  size_vector = NVALUE;
  global_freq = 1;
  extvector = 0;
  restart_global = 1;
  restart_peratom = 1;
  create_attribute = 1;
  comm_forward = 6;
  dynamic_group_allow = 0;
  maxexchange = NCOL;
  for (double &v : value) v = 0.0;
  energy = pd_energy();
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
  pd_linsolver_destroy(solver);
  delete scene;
  memory->destroy(state);
}

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

int FixImplicitPolyhedron::setmask() { return INITIAL_INTEGRATE | FINAL_INTEGRATE; }

void FixImplicitPolyhedron::init()
{
  if (!atom->style_match("ellipsoid"))
    error->all(FLERR, "Fix implicit/polyhedron requires atom style ellipsoid");
  pair = dynamic_cast<PairPolyhedron *>(force->pair_match("polyhedron", 1));
  if (!pair) error->all(FLERR, "Fix implicit/polyhedron requires pair style polyhedron");
  if (Compat::fixes_of_style(modify, "implicit/polyhedron").size() > 1)
    error->all(FLERR, "There can be only one fix implicit/polyhedron");
  if (utils::strmatch(update->integrate_style, "^respa"))
    error->all(FLERR, "Fix implicit/polyhedron does not work with run_style respa");
  for (int i = 0; i < modify->nfix; i++)
    if (modify->fix[i]->time_integrate && modify->fix[i] != this && comm->me == 0)
      error->warning(
          FLERR,
          fmt::format("Fix {} integrates in time beside fix implicit/polyhedron: their groups "
                      "must not overlap",
                      modify->fix[i]->id));
  walls = WallSet::all(modify);
  loads = LoadSet::all(modify);
  if (!(update->dt > 0.0)) error->all(FLERR, "Fix implicit/polyhedron: the time step must be > 0");
  if (minstep > update->dt)
    error->all(FLERR, fmt::format("Fix implicit/polyhedron: minstep {} exceeds the time step {}",
                                  minstep, update->dt));
  if (!scene) {
    scene = new BodyScene(lmp);
    scene->sys.hprev = hprev;
  }
  if (solver && backend != used_backend) {
    pd_linsolver_destroy(solver);
    solver = nullptr;
  }
  if (!solver) {
    const pd_status status = pd_linsolver_create(backend.c_str(), world, &solver);
    if (status)
      error->all(FLERR, fmt::format("Fix implicit/polyhedron: solver {}: {}", backend,
                                    pd_strerror(status)));
    rows = -1;
    used_backend = backend;
  }
  use_threads();
  barrier.reset(new BarrierWatch(lmp, pair, walls));
  list_built = -1;
  scene->forget();
  captured = false;
}

void FixImplicitPolyhedron::use_threads()
{
  pd_loops service;
  if (pd_parallel_loops(loops.c_str(), threads, &service))
    error->all(
        FLERR,
        fmt::format("Fix implicit/polyhedron: threads {}: loops {} run on {} at most in this "
                    "process",
                    threads, pd_parallel_name(loops.c_str()), pd_parallel_most(loops.c_str())));
  const pd_status status = pd_system_use_loops(&scene->sys, service);
  if (status) error->one(FLERR, fmt::format("Fix implicit/polyhedron: {}", pd_strerror(status)));
  pd_linsolver_use_loops(solver, service);
}

/* after the first force computation: the state must be sound; figures for the output of this step
 */
void FixImplicitPolyhedron::setup(int)
{
  rebuild_scene();
  scene->check_overlap("Fix implicit/polyhedron");
  evaluate_start();
  captured = false;
}

void FixImplicitPolyhedron::evaluate_start()
{
  pd_totals t;
  const pd_status status = pd_system_eval(&scene->sys, PD_AT_START, 0, &t);
  if (status)
    error->one(FLERR, fmt::format("Fix implicit/polyhedron: {} at step {}", pd_strerror(status),
                                  update->ntimestep));
  for (int w = 0; w < (int)walls.size(); w++) walls[w]->set_load(scene->wall_load(w));
  double sum[4] = {pd_system_kinetic(&scene->sys), t.energy, t.ncontact, t.spring}, top = -t.mingap;
  env_sum(this, sum, 4);
  env_max(this, &top, 1);
  value[KINETIC] = sum[0];
  value[POTENTIAL] = sum[1];
  value[CONTACTS] = sum[2];
  value[SPRING] = sum[3];
  value[MIN_GAP] = -top < DBL_MAX ? -top : pair->largest_gap();
}

/* f and torque hold what the other fixes and pair styles gave: pair polyhedron stands aside */
void FixImplicitPolyhedron::capture_external()
{
  for (int i = 0; i < atom->nlocal; i++)
    for (int k = 0; k < 3; k++) {
      state[i][FEXT + k] = atom->f[i][k];
      state[i][TEXT + k] = atom->torque[i][k];
    }
}

/* bodies that have just been created start with the accelerations of all forces on them */
void FixImplicitPolyhedron::start_accelerations()
{
  pd_system *sys = &scene->sys;
  int mine = 0, any = 0;
  for (int i = 0; i < atom->nlocal; i++)
    if (state[i][KNOWN] == 0.0) mine = 1;
  MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, world);
  if (!any) return;
  scene->check_overlap("Fix implicit/polyhedron");
  pd_totals totals;
  const pd_status status = pd_system_eval(sys, PD_AT_START, 0, &totals);
  if (status) error->one(FLERR, fmt::format("Fix implicit/polyhedron: {}", pd_strerror(status)));
  pd_system_accelerate(sys);
  for (int i = 0; i < atom->nlocal; i++) {
    if (state[i][KNOWN] != 0.0) continue;
    pd_v_store(state[i] + ACC, sys->body[i].o.acc);
    pd_v_store(state[i] + WDOT, sys->body[i].o.wdot);
    state[i][KNOWN] = 1.0;
  }
  load_states();
}

/* ---- one outer step ---- */

void FixImplicitPolyhedron::initial_integrate(int)
{
  if (!captured) capture_external();
  pair->adapt();
  /* a run that goes on from the restart file just written begins with a new list: so does this one,
   * and the two stay alike to the last bit */
  if (output->last_restart >= 0 && output->last_restart == update->ntimestep - 1) {
    rows = -1; /* the solver forgets the matrices it has seen */
    rebuild_list();
  } else
    renew_scene();
  scene->set_loads(loads, 0.0, 0.0);
  start_accelerations();
  for (WallSet *w : walls) w->motion().begin_step(update->dt);
  for (LoadSet *l : loads) l->begin_step();
  pd_services env = environment();
  const double dt = update->dt;
  remaining = dt;
  /* fixed substeps cannot be repeated, and Euler's may gain a little where contacts reorder: the
   * guard acts on them only if it was asked for */
  const bool unguarded = fixed || kind == PD_EULER;
  const double usual = kind == PD_EM ? EM_GUARD : pd_newton_defaults().guard;
  if (!own_tol) options.tol = kind == PD_EM ? 1.0e-10 : pd_newton_defaults().tol;
  options.guard = guard >= 0.0 ? guard : unguarded ? 0.0 : usual;
  if (step <= 0.0) step = maxstep > 0.0 ? std::min(dt, maxstep) : dt;
  begin_energy();
  pd_status status = PD_OK;
  int nsub = 0;
  while (remaining > dt * 1.0e-12) {
    const double h = next_substep();
    pd_substep s;
    if (will_leave_list(h)) renew_list();
    begin_substep(h);
    status = pd_substep_solve(&scene->sys, &env, &options, h, &energy, &s);
    value[ITERATIONS] += s.iterations;
    value[EVALUATIONS] += s.evaluations;
    value[CLIPPED] += s.limited;
    if (status) {
      reject(status, s, h);
      continue;
    }
    if (leaves_list(s, h)) continue;
    accept(s, h);
    nsub++;
    remaining = fixed ? dt - nsub * h : remaining - h;
  }
  value[MEAN_SUBSTEP] = dt / nsub;
  for (WallSet *w : walls) w->motion().end_step();
  for (LoadSet *l : loads) l->end_step();
  finish_step();
}

/* fraction of the outer step that is behind at the end of a substep of length h */
double FixImplicitPolyhedron::fraction(double h) const
{
  return std::min(1.0, 1.0 - (remaining - h) / update->dt);
}

/* walls and loads at the substep's end; a substep that is repeated begins where the one before did
 */
void FixImplicitPolyhedron::begin_substep(double h)
{
  scene->move_walls(fraction(h), h);
  scene->set_loads(loads, fraction(0.0), fraction(h));
}

/* energies and losing forces at the start of the next substep */
void FixImplicitPolyhedron::begin_energy()
{
  pd_services env = environment();
  const pd_status status = pd_energy_now(&scene->sys, &env, &energy);
  if (status) give_up(status, pd_substep(), remaining);
}

double FixImplicitPolyhedron::shortest() const
{
  return minstep > 0.0 ? minstep : 1.0e-6 * update->dt;
}

/* substeps fill the step evenly, so that no sliver is left at its end */
double FixImplicitPolyhedron::next_substep() const
{
  if (fixed) return update->dt / fixed;
  const double n = ceil(remaining / step * (1.0 - 1.0e-9));
  const double most = floor(remaining / shortest() * (1.0 + 1.0e-9));
  return remaining / std::max(std::min(n, most), 1.0);
}

/* the next substep shall be the given fraction of h; false if that is below the shortest */
bool FixImplicitPolyhedron::shorten(double h, double fraction)
{
  if (fixed) return false;
  step = std::max(fraction * h, shortest());
  return next_substep() < h * (1.0 - 1.0e-9);
}

void FixImplicitPolyhedron::renew_list()
{
  rebuild_list();
  begin_energy();
}

/* Whether bodies that go on as fast as in the substep before are going to leave the list, so that
 * it is not found out after the substep has been solved. */
bool FixImplicitPolyhedron::will_leave_list(double h) const
{
  return moved > 0.0 && moved + FASTER * speed * h > 0.5 * neighbor->skin;
}

/* A body may not move further than the list reaches: else the list is made anew before the substep,
 * or, if it is new already, the substep is shortened. Returns true if the substep must be repeated.
 */
bool FixImplicitPolyhedron::leaves_list(const pd_substep &s, double h)
{
  const double reach = 0.5 * neighbor->skin;
  if (moved + s.move <= reach) return false;
  const bool fresh = moved == 0.0;
  undo();
  if (!fresh) {
    renew_list();
    return true;
  }
  if (!shorten(h, 0.9 * reach / s.move))
    error->all(
        FLERR,
        fmt::format(
            "Fix implicit/polyhedron: a body moves {:.4g} in a substep of {:.4g} at step {}, more "
            "than half the neighbor skin {:.4g}: use {} or a larger skin",
            s.move, h, update->ntimestep, neighbor->skin,
            fixed ? "more substeps" : "a smaller minstep"));
  return true;
}

void FixImplicitPolyhedron::accept(const pd_substep &s, double h)
{
  for (int w = 0; w < (int)walls.size(); w++) walls[w]->set_load(scene->wall_load(w));
  scene->share_work(loads);
  pd_substep_commit(&scene->sys);
  store_states();
  check_lost();
  refresh_ghosts();
  barrier->look(pair->list, s.mingap, fraction(h));
  moved += s.move;
  speed = s.move / h;
  const double before = energy.kinetic + energy.potential + energy.spring;
  if (s.rise > s.noise)
    value[RISE] = std::max(value[RISE], s.rise / (before + fabs(s.work) + fabs(s.wall_work)));
  energy.kinetic = s.kinetic;
  energy.potential = s.energy;
  energy.spring = s.spring;
  value[SUBSTEPS] += 1.0;
  value[RESIDUAL] = s.scale > 0.0 ? s.residual / s.scale : 0.0;
  value[MIN_GAP] = s.mingap < DBL_MAX ? s.mingap : pair->largest_gap();
  value[CONTACTS] = s.ncontact;
  value[KINETIC] = s.kinetic;
  value[POTENTIAL] = s.energy;
  value[WORK] += s.work;
  value[SPRING] = s.spring;
  value[WALL_WORK] += s.wall_work;
  value[DISSIPATED_SCHEME] += s.numerical;
  value[DISSIPATED] += s.dissipated[PD_DAMPING];
  value[DISSIPATED_FRICTION] += s.dissipated[PD_FRICTION];
  value[DRIFT] += s.error;
  for (int k = 0; k < 3; k++) {
    const int it = s.iterations - 2 + k;
    value[HISTORY1 + k] = it >= 0 && it < PD_HISTORY ? s.history[it] : 0.0;
  }
  if (fixed) return;
  /* h may have been shorter than asked for, to fill the step evenly: growth counts from what was
   * asked */
  const double factor = pd_substep_next(&options, PD_OK, &s, h) / h;
  step = factor * (factor < 1.0 ? h : std::max(step, h));
  step = std::min(step, maxstep > 0.0 ? std::min(maxstep, update->dt) : update->dt);
}

void FixImplicitPolyhedron::reject(pd_status status, const pd_substep &s, double h)
{
  if (status != PD_EIMPACT) value[REJECTED] += 1.0;
  if (status == PD_ERANGE) value[REJECTED_GUARD] += 1.0;
  if (!shorten(h, pd_substep_next(&options, status, &s, h) / h)) give_up(status, s, h);
  undo();
}

/* the bodies' states are untouched by a substep that is not accepted */
void FixImplicitPolyhedron::undo()
{
  for (int i = 0; i < scene->sys.nbody; i++)
    scene->sys.body[i].u = scene->sys.body[i].alpha = pd_v(0.0, 0.0, 0.0);
}

void FixImplicitPolyhedron::give_up(pd_status status, const pd_substep &s, double h)
{
  const std::string gap = s.mingap < DBL_MAX ? fmt::format("; smallest gap {:.4g}", s.mingap) : "";
  if (status == PD_ERANGE)
    error->all(FLERR,
               fmt::format("Fix implicit/polyhedron: no substep is possible at step {}: substep "
                           "length {:.4g} still "
                           "has an energy error of {:.4g}, more than the guard {:.4g} allows{}",
                           update->ntimestep, h, s.error, options.guard, gap));
  if (status == PD_EWALL || status == PD_EIMPACT)
    error->all(FLERR,
               fmt::format("Fix implicit/polyhedron: no substep is possible at step {}: {} of "
                           "length {:.4g}",
                           update->ntimestep, pd_strerror(status), h));
  error->all(
      FLERR,
      fmt::format("Fix implicit/polyhedron: no substep is possible at step {}: {} at substep "
                  "length {:.4g}; "
                  "worst body {} with residual {:.4g} (of all bodies {:.4g}, relative {:.4g}){}",
                  update->ntimestep, pd_strerror(status), h, s.worst, s.worst_residual, s.residual,
                  s.scale > 0.0 ? s.residual / s.scale : 0.0, gap));
}

/* a body outside a fixed boundary would be deleted without a word by the next exchange */
void FixImplicitPolyhedron::check_lost()
{
  if (output->thermo->lostflag != Thermo::ERROR) return;
  const bool tilted = domain->triclinic != 0;
  const double *lo = tilted ? domain->boxlo_lamda : domain->boxlo;
  const double *hi = tilted ? domain->boxhi_lamda : domain->boxhi;
  for (int i = 0; i < atom->nlocal; i++) {
    double *x = atom->x[i], lamda[3];
    if (tilted) domain->x2lamda(x, lamda);
    const double *c = tilted ? lamda : x;
    for (int d = 0; d < 3; d++) {
      const bool low = domain->boundary[d][0] == 1 && c[d] < lo[d];
      const bool high = domain->boundary[d][1] == 1 && c[d] >= hi[d];
      if (low || high)
        error->one(
            FLERR,
            fmt::format(
                "Fix implicit/polyhedron: body {} is lost at step {}: it left the simulation box "
                "at {:.6g} {:.6g} {:.6g}",
                atom->tag[i], update->ntimestep, x[0], x[1], x[2]));
    }
  }
}

void FixImplicitPolyhedron::finish_step()
{
  const pd_system *sys = &scene->sys;
  for (int i = 0; i < atom->nlocal; i++) {
    const pd_body &b = sys->body[i];
    if (!b.mobile) continue;
    const pd_mat3 j = pd_rotate_diag(pd_q_matrix(b.o.q), b.in.j);
    const pd_vec3 m = pd_add(pd_cross(b.o.w, pd_mv(j, b.o.w)), pd_mv(j, b.o.wdot));
    const pd_vec3 f = pd_scale(b.in.mass, b.o.acc);
    pd_v_store(state[i] + FCON, pd_sub(f, b.fext));
    pd_v_store(state[i] + TCON, pd_sub(m, b.text));
  }
  scene->keep_memory(false);
  captured = false;
}

/* all forces of this step are in: keep the external ones, then complete f for output */
void FixImplicitPolyhedron::final_integrate()
{
  capture_external();
  captured = true;
  for (int i = 0; i < atom->nlocal; i++)
    for (int k = 0; k < 3; k++) {
      atom->f[i][k] += state[i][FCON + k];
      atom->torque[i][k] += state[i][TCON + k];
    }
}

/* ---- data between LAMMPS and the core ---- */

void FixImplicitPolyhedron::rebuild_scene()
{
  scene->rebuild(pair, pair->list, walls, groupbit, fraction(0.0));
  start_scene();
  set_pattern();
}

/* the states alone, where bodies and pairs are the same on all processes */
void FixImplicitPolyhedron::renew_scene()
{
  int changed = !scene->fits(pair->list, walls, groupbit), any = 0;
  MPI_Allreduce(&changed, &any, 1, MPI_INT, MPI_MAX, world);
  if (any) return rebuild_scene();
  scene->reload(pair, fraction(0.0));
  start_scene();
}

void FixImplicitPolyhedron::start_scene()
{
  if (neighbor->ago == 0 && list_built != update->ntimestep) moved = 0.0;
  list_built = update->ntimestep;
  scene->sys.scheme.kind = kind;
  scene->sys.scheme.beta = beta;
  scene->sys.scheme.gamma = gamma;
  load_states();
}

void FixImplicitPolyhedron::load_states()
{
  for (int i = 0; i < atom->nlocal; i++) {
    pd_body &b = scene->sys.body[i];
    b.o.acc = pd_v_load(state[i] + ACC);
    b.o.wdot = pd_v_load(state[i] + WDOT);
    b.fext = pd_v_load(state[i] + FEXT);
    b.text = pd_v_load(state[i] + TEXT);
  }
  /* ghosts need them as well: the velocity at the end of a substep follows from them */
  pd_system *sys = &scene->sys;
  for (int i = 0; i < atom->nlocal; i++)
    std::copy(state[i] + ACC, state[i] + ACC + 6, sys->buffer + 6 * i);
  env_forward(this, sys->buffer);
  for (int i = atom->nlocal; i < sys->nbody; i++) {
    sys->body[i].o.acc = pd_v_load(sys->buffer + 6 * i);
    sys->body[i].o.wdot = pd_v_load(sys->buffer + 6 * i + 3);
  }
}

void FixImplicitPolyhedron::store_states()
{
  scene->store();
  for (int i = 0; i < atom->nlocal; i++) {
    pd_v_store(state[i] + ACC, scene->sys.body[i].o.acc);
    pd_v_store(state[i] + WDOT, scene->sys.body[i].o.wdot);
  }
}

/* ghosts follow their owners; the states of the owned bodies stay those of the substep to the last
 * bit */
void FixImplicitPolyhedron::refresh_ghosts()
{
  comm->forward_comm();
  scene->load(atom->nlocal);
}

/* block rows: consecutive on every process, ghosts learn theirs from the owners */
void FixImplicitPolyhedron::set_pattern()
{
  pd_system *sys = &scene->sys;
  int mine = 0, first = 0, all = 0;
  for (int i = 0; i < atom->nlocal; i++)
    if (sys->body[i].mobile) mine++;
  MPI_Scan(&mine, &first, 1, MPI_INT, MPI_SUM, world);
  MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, world);
  first -= mine;
  int row = first;
  for (int i = 0; i < sys->nbody; i++) sys->buffer[6 * i] = -1.0;
  for (int k = 0; k < sys->norder; k++)
    if (sys->body[sys->order[k]].mobile) sys->buffer[6 * sys->order[k]] = row++;
  env_forward(this, sys->buffer);
  for (int i = 0; i < sys->nbody; i++) sys->body[i].row = (long)sys->buffer[6 * i];
  pd_status status = pd_system_pattern(sys, first, all);
  if (status) error->one(FLERR, fmt::format("Fix implicit/polyhedron: {}", pd_strerror(status)));
  const int n = sys->rowptr[sys->nlocal];
  const bool same = rows == all && (int)rowptr.size() == sys->nlocal + 1 &&
                    std::equal(rowptr.begin(), rowptr.end(), sys->rowptr) && (int)col.size() == n &&
                    std::equal(col.begin(), col.end(), sys->col);
  int changed = same ? 0 : 1, any = 0;
  MPI_Allreduce(&changed, &any, 1, MPI_INT, MPI_MAX, world);
  if (!any) return;
  rows = all;
  rowptr.assign(sys->rowptr, sys->rowptr + sys->nlocal + 1);
  col.assign(sys->col, sys->col + n);
  status = pd_linsolver_set_pattern(solver, sys->nlocal, all, sys->rowptr, sys->col);
  if (status)
    error->all(FLERR,
               fmt::format("Fix implicit/polyhedron: solver {}: {}", backend, pd_strerror(status)));
}

/* Fixes that add or remove bodies in this step (deposit, pour, evaporate) do so when the host makes
 * its list, not in the middle of our step. */
void FixImplicitPolyhedron::pre_exchange_of_others()
{
  std::vector<Fix *> due;
  for (int i = 0; i < modify->nfix; i++)
    if (modify->fix[i]->next_reneighbor == update->ntimestep) due.push_back(modify->fix[i]);
  for (Fix *f : due) f->next_reneighbor++;
  if (modify->n_pre_exchange) modify->pre_exchange();
  for (Fix *f : due) f->next_reneighbor--;
}

/* exchange, borders and a new list in mid-step, as the host's own loop does it */
void FixImplicitPolyhedron::rebuild_list()
{
  scene->keep_memory(false);
  pre_exchange_of_others();
  if (domain->triclinic) domain->x2lamda(atom->nlocal);
  domain->pbc();
  if (domain->box_change) {
    domain->reset_box();
    comm->setup();
    if (neighbor->style) neighbor->setup_bins();
  }
  comm->exchange();
  comm->borders();
  if (domain->triclinic) domain->lamda2x(atom->nlocal + atom->nghost);
  if (modify->n_pre_neighbor) modify->pre_neighbor();
  neighbor->build(1);
  if (modify->n_post_neighbor) modify->post_neighbor();
  value[REBUILDS] += 1.0;
  moved = 0.0;
  rebuild_scene();
}

/* ---- services for the core ---- */

pd_services FixImplicitPolyhedron::environment()
{
  pd_services env;
  env.ctx = this;
  env.forward = env_forward;
  env.sum = env_sum;
  env.max = env_max;
  env.solve = env_solve;
  return env;
}

void FixImplicitPolyhedron::env_forward(void *ctx, double *buffer)
{
  auto *fix = static_cast<FixImplicitPolyhedron *>(ctx);
  fix->buffer = buffer;
  Compat::forward(fix->comm, fix, 6);
}

void FixImplicitPolyhedron::env_sum(void *ctx, double *x, int n)
{
  auto *fix = static_cast<FixImplicitPolyhedron *>(ctx);
  MPI_Allreduce(MPI_IN_PLACE, x, n, MPI_DOUBLE, MPI_SUM, fix->world);
}

void FixImplicitPolyhedron::env_max(void *ctx, double *x, int n)
{
  auto *fix = static_cast<FixImplicitPolyhedron *>(ctx);
  MPI_Allreduce(MPI_IN_PLACE, x, n, MPI_DOUBLE, MPI_MAX, fix->world);
}

pd_status FixImplicitPolyhedron::env_solve(void *ctx, const pd_linear *a, double *x)
{
  auto *fix = static_cast<FixImplicitPolyhedron *>(ctx);
  const pd_status status = pd_linsolver_factor(fix->solver, a->values, a->nonzero);
  return status ? status : pd_linsolver_solve(fix->solver, a->rhs, x, a->accuracy);
}

int FixImplicitPolyhedron::pack_forward_comm(int n, int *list, double *buf, int, int *)
{
  int m = 0;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 6; k++) buf[m++] = buffer[6 * list[i] + k];
  return m;
}

void FixImplicitPolyhedron::unpack_forward_comm(int n, int first, double *buf)
{
  std::copy(buf, buf + 6 * n, buffer + 6 * first);
}

/* ---- per-atom array ---- */

void FixImplicitPolyhedron::grow_arrays(int nmax)
{
  memory->grow(state, nmax, NCOL, "implicit/polyhedron:state");
}

void FixImplicitPolyhedron::copy_arrays(int i, int j, int)
{
  std::copy(state[i], state[i] + NCOL, state[j]);
}

void FixImplicitPolyhedron::set_arrays(int i) { std::fill(state[i], state[i] + NCOL, 0.0); }

int FixImplicitPolyhedron::pack_exchange(int i, double *buf)
{
  std::copy(state[i], state[i] + NCOL, buf);
  return NCOL;
}

int FixImplicitPolyhedron::unpack_exchange(int i, double *buf)
{
  std::copy(buf, buf + NCOL, state[i]);
  return NCOL;
}

int FixImplicitPolyhedron::pack_restart(int i, double *buf)
{
  buf[0] = NCOL + 1;
  std::copy(state[i], state[i] + NCOL, buf + 1);
  return NCOL + 1;
}

void FixImplicitPolyhedron::unpack_restart(int nlocal, int nth)
{
  double **extra = atom->extra;
  int m = 0;
  for (int i = 0; i < nth; i++) m += static_cast<int>(extra[nlocal][m]);
  std::copy(extra[nlocal] + m + 1, extra[nlocal] + m + 1 + NCOL, state[nlocal]);
}

int FixImplicitPolyhedron::size_restart(int) { return NCOL + 1; }
int FixImplicitPolyhedron::maxsize_restart() { return NCOL + 1; }

/* the substep length, the accounts and the time go on where they were */
void FixImplicitPolyhedron::write_restart(FILE *fp)
{
  if (comm->me) return;
  const double time = update->atime + (update->ntimestep - update->atimestep) * update->dt;
  const double before = scene ? scene->sys.hprev : hprev;
  const double list[NHEAD] = {step, time, (double)update->ntimestep, before};
  const int size = (NVALUE + NHEAD) * sizeof(double);
  fwrite(&size, sizeof(int), 1, fp);
  fwrite(list, sizeof(double), NHEAD, fp);
  fwrite(value, sizeof(double), NVALUE, fp);
}

void FixImplicitPolyhedron::restart(char *buf)
{
  double list[NVALUE + NHEAD];
  memcpy(list, buf, sizeof(list)); /* buf may not be aligned */
  step = list[0];
  hprev = list[3];
  std::copy(list + NHEAD, list + NHEAD + NVALUE, value);
  /* early hosts forget the time; it is left alone where it is known or the step was reset */
  if (update->atime != 0.0 || (double)update->ntimestep != list[2]) return;
  update->atime = list[1];
  update->atimestep = update->ntimestep;
}

double FixImplicitPolyhedron::compute_vector(int k) { return value[k]; }

double FixImplicitPolyhedron::memory_usage()
{
  return (double)atom->nmax * NCOL * sizeof(double) +
         36.0 * (double)scene->sys.cap_values * sizeof(double);
}
