/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Semi-implicit Euler, eqs. (13)-(14) of Olsen & Kamrin (2018). The step from x_n is solved as soon
 * as x_n and the external forces there are known: at set-up and at the end of the step before. Its
 * velocities are kept and taken at the next initial_integrate, so that whoever looks at the end of
 * a step finds places, contacts and contact forces of one and the same state. */
#include "lammps/styles/fix_contact_dynamics.h"

#include "lammps/bridge/cd_carried.h"
#include "lammps/bridge/cd_range.h"
#include "lammps/bridge/restart_state.h"
#include "lammps/bridge/wall_set.h"
#include "lammps/host/citation.h"
#include "lammps/options/parse.h"
#include "domain.h"
#include "force.h"
#include "lammps/styles/fix_polyhedron_restart.h"
#include "lammps/styles/fix_polyhedron_setup.h"
#include "random_park.h"
#include "update.h"

#include <algorithm>
#include <cmath>

using namespace LAMMPS_NS;
using namespace FixConst;

static const char *const WHO = "Fix contact/dynamics";

/* a fix that stands behind this one and all others */
static const char *const SETUP = "CONTACT_DYNAMICS_SETUP";

FixContactDynamics::FixContactDynamics(LAMMPS *lmp, int narg, char **arg)
    : Fix(lmp, narg, arg), options(pd_cd_defaults()), restitution(0.0), friction(0.0), gap(-1.0),
      reach(0.0), solved_dt(0.0), pushout(-1.0), new_bodies(0.0), order(TAG), axis(0), sign(1),
      seed(0), warm(false), warned(false), frictional(false), unconverged(STOP), fixedbit(0),
      network_(new ContactNetwork(lmp, this)), others(lmp), between(lmp), set_up(lmp),
      standing(lmp, this), list(nullptr), places(lmp), room(0.0), report()
{
  time_integrate = 1;
  vector_flag = 1;
  size_vector = NVALUE;
  global_freq = 1;
  extvector = 0;
  restart_peratom = restart_global = 1;
  create_attribute = 1;
  comm_forward = 6;
  comm_reverse = 6;
  dynamic_group_allow = 0;
  maxexchange_dynamic = 1;
  maxexchange = 1;
  for (double &v : value) v = 0.0;
  bodies = RigidBodies::create(lmp, WHO);
  set_options(narg, arg);
  cite_compatible_forces(lmp);
  grow_arrays(atom->nmax);
  atom->add_callback(Atom::GROW);
  atom->add_callback(Atom::RESTART);
}

FixContactDynamics::~FixContactDynamics()
{
  atom->delete_callback(id, Atom::GROW);
  atom->delete_callback(id, Atom::RESTART);
  if (modify->find_fix(SETUP) >= 0) modify->delete_fix(SETUP);
}

void FixContactDynamics::post_constructor() { FixPolyhedronRestart::make(lmp); }

int FixContactDynamics::setmask() { return INITIAL_INTEGRATE | FINAL_INTEGRATE; }

void FixContactDynamics::init()
{
  set_up.outdate(LastSetup::INITIALIZED);
  if (!fixed.empty()) fixedbit = Options::group_bit_now(lmp, WHO, fixed);
  check_keywords();
  check_others();
  others.find(this);
  bodies = RigidBodies::create(lmp, WHO);
  check_gap();
  walls = WallSet::all(modify);
  find_friction();
  Compat::request_full(neighbor, this, instance_me);
  FixPolyhedronSetup::stand_last(lmp, SETUP);
  warned = false;
}

void FixContactDynamics::init_list(int, NeighList *ptr) { list = ptr; }

void FixContactDynamics::setup(int)
{
  all_together(lmp, FLERR, [this] { check_held(); });
  between.forget();
  set_up.make();
  others.stop_frozen();
  standing.warn(others, fixedbit);
  new_bodies = 1.0; /* all may be elsewhere */
  solve();          /* for fixes that read this at set-up, before the last one completes it */
  network_->load_walls(f, stride(), walls);
}

/* after all fixes have added their forces */
void FixContactDynamics::complete_setup()
{
  if (forces_changed()) solve();
  judge();
  share_forces();
}

/* since the last solution, on any process */
bool FixContactDynamics::forces_changed()
{
  double changed = 0.0;
  for (int i = 0; i < atom->nlocal; i++) {
    double now[6];
    if (!goes(i)) continue;
    bodies->force(i, now);
    if (!std::equal(now, now + 6, &fext[6 * (size_t)i])) changed = 1.0;
  }
  return network_->max(changed) > 0.0;
}

/* ---- one step ---- */

bool FixContactDynamics::mobile(int i) const
{
  return others.moves(i) && !(atom->mask[i] & fixedbit);
}

/* whether its velocity counts */
bool FixContactDynamics::goes(int i) const
{
  return !(atom->mask[i] & fixedbit) && (mobile(i) || others.drives(i));
}

/* The forces to start from are replaced no earlier, so that a run that goes on, also from a restart
 * file, solves the same problem from the same start again. */
void FixContactDynamics::initial_integrate(int)
{
  between.check(others, WHO);
  set_up.check(WHO);
  all_together(lmp, FLERR, [this] { check_unchanged(); });
  keep_forces();
  network_->add_work(f, stride(), walls);
  for (int i = 0; i < atom->nlocal; i++)
    if (mobile(i)) bodies->move(i, &v1[6 * (size_t)i], update->dt);
  for (WallSet *w : walls) {
    w->motion().begin_step(update->dt);
    w->motion().end_step();
  }
}

void FixContactDynamics::final_integrate()
{
  solve();
  judge();
  share_forces();
}

void FixContactDynamics::solve()
{
  check_list();
  for (WallSet *w : walls) w->motion().read_ahead(update->dt);
  read_bodies();
  check_start();
  find_contacts();
  for (int round = 0;; round++) {
    network_->set_contacts(&found);
    solve_contacts();
    if (!look_again(round)) break;
  }
  all_together(lmp, FLERR, [this] { check_outsiders(); });
  check_guided();
  solved_dt = update->dt;
  network_->set_solution(f, stride(), v1);
  network_->stamp();
  describe();
}

void FixContactDynamics::solve_contacts()
{
  start_forces();
  set_order();
  pd_cd_network *net = &network_->net;
  pd_cd_step step = {update->dt, v0.data(), fext.data(),
                     v1.data(),  f.data(),  network_->slack.data()};
  report = {0, 0, 0.0, 0};
  if (options.method == PD_CD_PGS && order != TAG) options.order = visit.data();
  const pd_status status =
      frictional ? pd_cd_step_solve_friction(net, &options, &step, &network_->pool, &report)
                 : pd_cd_step_solve(net, &options, &step, &network_->pool, &report);
  options.order = nullptr;
  network_->require(status, WHO);
}

/* bodies, velocities and external forces; velocities of the ghosts too */
void FixContactDynamics::read_bodies()
{
  const int n = atom->nlocal + atom->nghost;
  network_->resize_bodies();
  const bool turning = bodies->turns() || frictional;
  all_together(lmp, FLERR, [&] {
    for (int i = 0; i < n; i++) network_->net.body[i] = bodies->body(i, mobile(i), turning);
  });
  v0.assign(6 * (size_t)n, 0.0);
  fext.assign(6 * (size_t)n, 0.0);
  v1.assign(6 * (size_t)n, 0.0);
  double fastest = 0.0;
  for (int i = 0; i < atom->nlocal; i++) {
    double *v = &v0[6 * (size_t)i], *at = &fext[6 * (size_t)i];
    if (!goes(i)) continue;
    bodies->velocity(i, v);
    bodies->force(i, at);
    if (!mobile(i)) continue;
    const double s = update->dt / network_->net.body[i].mass;
    fastest = std::max(fastest, pd_norm(pd_v_load(v)) + s * pd_norm(pd_v_load(at)));
  }
  network_->speed = network_->max(fastest);
  set_carried_velocities(lmp, update->dt, fixedbit, v0.data());
  pd_forward(network_->net.communication, v0.data());
  place_bodies();
}

/* bodies that come in make the host's list anew */
void FixContactDynamics::check_start()
{
  if (neighbor->ago != 0) return;
  if (network_->max(new_bodies) > 0.0)
    network_->require_seen(bodies.get(), list, walls, reach, WHO);
  new_bodies = 0.0;
}

/* bodies now, and where the external forces alone would take them */
void FixContactDynamics::place_bodies()
{
  pd_cd_network *net = &network_->net;
  net->ncontact = 0;
  network_->require(pd_cd_network_bind(net), WHO);
  std::vector<double> free(v0);
  pd_cd_add_mobility(net, update->dt, fext.data(), free.data());
  pd_forward(net->communication, free.data());
  check_range(lmp, *bodies, free.data(), update->dt, reach, room, WHO);
  bodies->place(net->body, free.data(), update->dt);
}

void FixContactDynamics::find_contacts()
{
  found.clear();
  network_->find_pairs(bodies.get(), list, reach, v0.data(), false, &found);
  network_->find_walls(bodies.get(), walls, reach, false, &found);
  for (FoundContact &p : found) prepare(&p);
}

/* spheres: eq. (16) as it stands. Features of polyhedra come into play all at once when a body
 * slides over an edge, and what they overlap by then must not become speed. */
void FixContactDynamics::prepare(FoundContact *p) const
{
  const double speed = pushout >= 0.0    ? pushout
                       : bodies->turns() ? 1e-3 * reach / update->dt
                                         : DBL_MAX;
  p->name.gap = p->c.gap;
  p->c.gap = std::max(p->c.gap, -speed * update->dt);
  const WallSet *wall = p->name.wall < 0 ? nullptr : walls[p->name.wall];
  p->c.en = wall ? wall->rigid_restitution(restitution) : restitution;
  p->c.mu = wall ? wall->rigid_friction(friction) : friction;
  p->c.k = 1.0;
  p->c.closed = 1;
}

/* cold: from no forces; warm: from those of the same contacts in the step before */
void FixContactDynamics::start_forces()
{
  f.assign((size_t)stride() * network_->net.ncontact, 0.0);
  if (warm) forces.recall(*network_, stride(), f.data());
}

void FixContactDynamics::keep_forces()
{
  if (!warm) return;
  forces.keep(*network_, stride(), f.data(), atom->nlocal);
  /* on all processes: an atom that comes here may have to go on along another axis */
  maxexchange = std::max(maxexchange, forces.records.max_size(atom->nlocal, world));
}

void FixContactDynamics::set_order()
{
  const pd_cd_network *net = &network_->net;
  visit.resize(net->ncontact);
  for (int i = 0; i < net->ncontact; i++) visit[i] = i;
  if (order == REVERSE) std::reverse(visit.begin(), visit.end());
  if (order == RANDOM) {
    RanPark random(lmp, (int)(((bigint)seed + comm->me - 1) % MAXSMALLINT + 1));
    for (int i = net->ncontact - 1; i > 0; i--)
      std::swap(visit[i], visit[std::min(i, (int)(random.uniform() * (i + 1)))]);
  }
  if (order != AXIS) return;
  std::vector<double> at(net->ncontact);
  for (int i = 0; i < net->ncontact; i++) {
    double p[3];
    pd_v_store(p, net->contact[i].ra);
    at[i] = sign * (atom->x[net->contact[i].a][axis] + p[axis]);
  }
  std::stable_sort(visit.begin(), visit.end(), [&](int i, int j) { return at[i] < at[j]; });
}

/* figures of the step */
void FixContactDynamics::describe()
{
  const pd_cd_network *net = &network_->net;
  double active = 0.0, sum = 0.0, deepest = 0.0, kinetic = 0.0;
  for (int i = 0; i < net->ncontact; i++) {
    active += network_->given[i] > 0.0;
    sum += network_->given[i];
    deepest = std::max(deepest, -network_->name[i].gap);
  }
  for (int i = 0; i < atom->nlocal; i++) {
    const pd_cd_body b = bodies->body(i, true, true);
    double v[6];
    if (!goes(i)) continue;
    bodies->velocity(i, v);
    const pd_vec3 w = pd_v_load(v + 3);
    kinetic += 0.5 * b.mass * pd_norm2(pd_v_load(v)) + 0.5 * pd_dot(w, pd_mv(b.inertia, w));
  }
  value[ITERATIONS] = report.iterations;
  value[RESIDUAL] = report.residual;
  value[CONTACTS] = network_->count();
  value[ACTIVE] = network_->sum(active);
  value[FORCE] = network_->sum(sum);
  value[KINETIC] = network_->sum(kinetic);
  value[PENETRATION] = network_->max(deepest);
}

/* what is to be done if the step was not solved */
void FixContactDynamics::judge()
{
  if (report.converged) return;
  value[UNCONVERGED] += 1.0;
  const auto again = "sliding contacts still change by {:.4g} after {} corrections";
  const std::string after = report.corrections
                                ? fmt::format(again, report.residual, report.corrections)
                                : fmt::format("residual {:.4g}", report.residual);
  const std::string text =
      fmt::format("{}: not converged at step {}: {} after {} iterations, tol {:.4g}, {} contacts: "
                  "raise tol, or {}",
                  WHO, update->ntimestep, after, report.iterations, options.tol,
                  (bigint)value[CONTACTS], report.corrections ? "corrections" : "maxiter");
  if (unconverged == STOP) error->all(FLERR, text);
  if (unconverged == WARN && !warned && comm->me == 0) error->warning(FLERR, text);
  warned = true;
}

/* f and torque become those of all forces, for output; the walls learn what acts on them */
void FixContactDynamics::share_forces()
{
  std::vector<double> sum;
  network_->resultants(f, stride(), &sum);
  for (int i = 0; i < atom->nlocal; i++)
    for (int k = 0; k < 3; k++) {
      atom->f[i][k] += sum[6 * (size_t)i + k];
      atom->torque[i][k] += sum[6 * (size_t)i + 3 + k];
    }
  network_->load_walls(f, stride(), walls);
}

/* atoms that have gone from one process to another leave the rest as they were */
ContactNetwork *FixContactDynamics::network()
{
  const double old = network_->current() ? 0.0 : 1.0;
  return network_->max(old) > 0.0 ? nullptr : network_.get();
}

/* ---- data of atoms ---- */

void FixContactDynamics::write_restart(FILE *fp)
{
  const double bodies = bodies_in_file(atom, world);
  if (comm->me == 0) write_state(fp, {bodies});
}

void FixContactDynamics::restart(char *buf)
{
  require_bodies(this, error, read_state(this, error, buf, 1)[0], atom->natoms);
}

void FixContactDynamics::unpack_restart(int nlocal, int nth)
{
  if (!forces.records.unpack_restart(nlocal, nth, atom->extra[nlocal]))
    error->one(
        FLERR,
        fmt::format("Fix {} of style contact/dynamics: the data of atom {} in the restart file "
                    "are damaged",
                    id, atom->tag[nlocal]));
  maxexchange = std::max(maxexchange, forces.records.size(nlocal));
}

double FixContactDynamics::memory_usage()
{
  return network_->memory_usage() + forces.records.memory_usage() +
         (double)(v0.capacity() + fext.capacity() + v1.capacity() + f.capacity()) * 8.0;
}
