/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/styles/compute_force_compatible.h"

#include "lammps/bridge/body_scene.h"
#include "lammps/bridge/cd_rank.h"
#include "lammps/bridge/wall_set.h"
#include "lammps/host/citation.h"
#include "lammps/options/parse.h"
#include "lammps/styles/fix_contact_dynamics.h"
#include "force.h"
#include "memory.h"
#include "lammps/styles/pair_polyhedron.h"
#include "update.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

using namespace LAMMPS_NS;

static const char *const WHO = "Compute force/compatible";

ComputeForceCompatible::ComputeForceCompatible(LAMMPS *lmp, int narg, char **arg)
    : Compute(lmp, narg, arg), options(pd_cd_compatible_defaults(2.0)), newton(false), slack(0.0),
      largest(0), friction(0.0), starts(0), unconverged(STOP), empty(STOP), fixedbit(0),
      fix(nullptr), pair(nullptr), scene(nullptr), others(lmp), own(new ContactNetwork(lmp, this)),
      network(nullptr), list(), resultant(nullptr), nmax(0), solved(-1), solved_builds(-1),
      solved_stamp(-1)
{
  if (narg < 4)
    error->all(FLERR, fmt::format("{}: the ID of a fix contact/dynamics or the word pair must "
                                  "follow",
                                  WHO));
  source = arg[3];
  set_options(narg, arg);
  cite_compatible_forces(lmp);
  vector_flag = 1;
  size_vector = NVALUE;
  extvector = 0;
  vector = new double[NVALUE];
  local_flag = 1;
  size_local_cols = NCOL;
  size_local_rows = 0;
  peratom_flag = 1;
  size_peratom_cols = 6;
  comm_forward = 6;
  comm_reverse = 6;
}

ComputeForceCompatible::~ComputeForceCompatible()
{
  pd_contact_list_free(&list);
  delete scene;
  delete[] vector;
  memory->destroy(resultant);
}

void ComputeForceCompatible::init()
{
  solved = -1;
  fix = nullptr;
  pair = nullptr;
  if (!fixed.empty()) fixedbit = Options::group_bit_now(lmp, WHO, fixed);
  walls = WallSet::all(modify);
  for (const WallStiffness &w : wall_stiffness)
    if (w.id != "*" &&
        std::none_of(walls.begin(), walls.end(), [&](WallSet *f) { return w.id == f->name; }))
      error->all(FLERR, fmt::format("{}: there is no fix wall/polyhedron with ID {}", WHO, w.id));
  if (source == "pair") {
    pair = dynamic_cast<PairPolyhedron *>(force->pair_match("polyhedron", 1));
    if (!pair)
      error->all(FLERR, fmt::format("{}: source pair requires pair style polyhedron", WHO));
    for (WallSet *w : walls)
      if (w->freedom().any())
        error->all(FLERR, fmt::format("{}: source pair takes walls to stand, and that of fix {} "
                                      "moves by the forces on it: hold it there, as a wall without "
                                      "keyword slide or hinge",
                                      WHO, w->name));
    if (!scene) scene = new BodyScene(lmp);
    others.find(fmt::format("compute {} of style force/compatible", id));
    return;
  }
  const int i = modify->find_fix(source);
  if (i < 0) error->all(FLERR, fmt::format("{}: there is no fix {}", WHO, source));
  fix = dynamic_cast<FixContactDynamics *>(modify->fix[i]);
  if (!fix)
    error->all(FLERR, fmt::format("{}: fix {} is not of style contact/dynamics: it has no contact "
                                  "network",
                                  WHO, source));
  if (friction > 0.0 && !fix->has_friction())
    error->all(FLERR,
               fmt::format("{}: keyword friction needs a fix contact/dynamics with friction: "
                           "fix {} has none",
                           WHO, source));
}

/* ---- the network and the forces that are given ---- */

void ComputeForceCompatible::from_fix()
{
  network = fix->network();
  if (!network)
    error->all(FLERR,
               fmt::format("{}: fix {} has no contact network of the present step", WHO, source));
}

void ComputeForceCompatible::visit(void *ctx, const pd_contact_pair *pair, const pd_contact *c)
{
  static_cast<ComputeForceCompatible *>(ctx)->add(pair, c);
}

/* a contact that crosses processes belongs to the owner of the body with the smaller tag */
void ComputeForceCompatible::add(const pd_contact_pair *pair, const pd_contact *c)
{
  const pd_body &a = scene->sys.body[pair->a];
  if (!a.owned || !(c->force > 0.0)) return;
  const bool moves =
      own->net.body[pair->a].mobile || (!pair->wall && own->net.body[pair->b].mobile);
  if (!moves) return;
  FoundContact p = FoundContact();
  p.c.a = pair->a;
  p.c.b = pair->wall ? -1 : pair->b;
  p.c.n = c->normal;
  p.c.ra = c->point;
  p.c.grip = pd_sub(c->grip, c->point);
  p.c.gap = p.name.gap = c->gap;
  p.c.k = 1.0;
  p.c.closed = 1;
  p.name.a = (tagint)a.tag;
  p.name.sa = c->on_b ? -1 - c->sample[0] : c->sample[0];
  p.name.sb = c->sample[1];
  p.name.type_a = atom->type[pair->a];
  p.name.wall = -1;
  if (pair->wall) {
    const long key = scene->sys.wall[pair->b].key;
    p.name.partner = -(int64_t)key;
    for (int w = 0; w < (int)walls.size(); w++)
      for (const pd_wall &q : walls[w]->walls())
        if (q.key == key) p.name.wall = w;
  } else {
    p.c.rb = pd_sub(c->point, pd_sub(scene->sys.body[pair->b].start.x, a.start.x));
    p.name.partner = p.name.b = (tagint)scene->sys.body[pair->b].tag;
    p.name.type_b = atom->type[pair->b];
  }
  p.given = c->force;
  p.friction = c->friction;
  found.push_back(p);
}

/* compatible forces depend on no mass: a unit one stands for all */
void ComputeForceCompatible::set_body(int i)
{
  const pd_body &b = scene->sys.body[i];
  pd_cd_body &one = own->net.body[i];
  one = pd_cd_body();
  one.mass = 1.0;
  one.inertia = pd_m_identity();
  one.turns = 1;
  one.mobile = scene->has_shape(i) && others.moves(i) && !(atom->mask[i] & fixedbit);
  if (one.mobile) own->hold(i, others.constraint(i, b.start));
}

void ComputeForceCompatible::from_pair()
{
  network = own.get();
  pair->check_list(WHO);
  scene->rebuild(pair, pair->list, walls, ~0);
  own->resize_bodies();
  all_together(lmp, FLERR, [&] {
    for (int i = 0; i < own->net.nbody; i++) set_body(i);
  });
  found.clear();
  const pd_status status = pd_system_contacts(&scene->sys, &list, visit, this);
  own->require(status, WHO);
  own->set_contacts(&found);
  own->speed = 1.0; /* every contact of the pair style is closed: its slack is zero */
}

double ComputeForceCompatible::stiffness_of(const ContactName &n) const
{
  if (n.wall < 0) return stiffness[n.type_a][n.type_b];
  double k = 1.0;
  for (const WallStiffness &w : wall_stiffness)
    if ((w.id == "*" || w.id == walls[n.wall]->name) && n.type_a >= w.lo && n.type_a <= w.hi)
      k = w.k;
  return k;
}

/* The stiffness of every contact, and which are closed; returns how many these are. */
double ComputeForceCompatible::close_contacts()
{
  pd_cd_network *net = &network->net;
  for (int i = 0; i < net->ncontact; i++) {
    net->contact[i].k = stiffness_of(network->name[i]);
    net->contact[i].mu = friction;
  }
  return pd_cd_mark_closed(net, network->slack.data(), slack * network->speed);
}

void ComputeForceCompatible::report(Report how, const std::string &text)
{
  if (how == STOP) error->all(FLERR, text);
  if (how == WARN && comm->me == 0) error->warning(FLERR, text);
}

/* by pd_cd_ending */
static const char *const why[] = {
    "either more are needed, or no forces >= 0 of the closed contacts bear the load",
    "what is left drives motions that the closed contacts all but leave free, such as slides along "
    "faces that lean by what the rigid problem was not solved to; they are held: give the source a "
    "smaller tol, or this compute a larger one",
    "rounding is left: give a larger tol",
    "no step lowers the residual: loads that grow in proportion from nothing are more than the "
    "contacts bear with this friction, or rounding is left"};

void ComputeForceCompatible::judge(const pd_cd_compatible_report &r)
{
  const bool sound = r.converged && r.kkt <= options.tol * 10.0;
  if (sound) return;
  report(unconverged,
         fmt::format("{}: not converged at step {}: KKT residual {:.4g}, equilibrium {:.4g}, "
                     "constitutive {:.4g} after {} iterations, tol {:.4g}: {}",
                     WHO, update->ntimestep, r.kkt, r.equilibrium, r.constitutive, r.iterations,
                     options.tol, why[r.converged ? PD_CD_ROUNDING : r.ending]));
}

/* The load is what the closed contacts bear, with keyword friction by friction too. On open ones
 * the rigid problem leaves forces of its tolerance; more than that the closed ones cannot be asked
 * to bear. */
void ComputeForceCompatible::take_closed()
{
  const pd_cd_network *net = &network->net;
  double all = 0.0, open = 0.0, bearing = 0.0; /* of the open ones those that bear something */
  for (int i = 0; i < net->ncontact; i++) {
    const double given = network->given[i];
    all = std::max(all, given);
    if (net->contact[i].closed) {
      double *at = &f[(size_t)stride() * i];
      const pd_vec3 n = net->contact[i].n, t = network->friction[i];
      at[0] = given;
      if (friction > 0.0) {
        pd_vec3 t1, t2;
        pd_cd_tangents(n, &t1, &t2);
        at[0] += pd_dot(t, n), at[1] = pd_dot(t, t1), at[2] = pd_dot(t, t2);
      }
      continue;
    }
    open = std::max(open, given);
    bearing += given > 0.0;
  }
  all = network->max(all);
  open = network->max(open);
  bearing = network->sum(bearing);
  if (open <= 1e-6 * all) return;
  report(
      unconverged,
      fmt::format("{}: infeasible at step {}: {} open contacts carry given forces, up to {:.4g} of "
                  "{:.4g}: solve the rigid problem to a smaller tol, or give a larger slack",
                  WHO, update->ntimestep, (bigint)bearing, open, all));
}

void ComputeForceCompatible::solve()
{
  const bigint stamp = fix && fix->network() ? fix->network()->count_stamps() : 0;
  /* between runs bodies may move, or change, at the same step */
  if (update->whichflag && solved == update->ntimestep && solved_builds == neighbor->ncalls &&
      solved_stamp == stamp)
    return;
  if (fix)
    from_fix();
  else
    from_pair();
  pd_cd_network *net = &network->net;
  const size_t n6 = 6 * (size_t)net->nbody;
  const double all = network->count(), closed = close_contacts();
  if (closed == 0.0)
    report(empty, fmt::format("{}: the contact network is empty at step {}: {} contacts, none of "
                              "them closed",
                              WHO, update->ntimestep, (bigint)all));
  load.assign(n6, 0.0);
  u.assign(n6, 0.0);
  f.assign((size_t)stride() * net->ncontact, 0.0);
  take_closed();
  network->resultants(f, stride(), &load);
  find_slides();
  std::fill(f.begin(), f.end(), 0.0);
  pd_cd_compatible_report r;
  network->require(solve_problem(f.data(), u.data(), &r), WHO);
  network->resultants(f, stride(), &buffer);
  const bool wanted = closed > 0.0 && closed <= largest;
  const double open = wanted ? network_indeterminacy(lmp, *network, WHO) : -1.0;
  const double value[NVALUE] = {
      r.objective,          r.kkt, r.equilibrium, r.constitutive,           open,
      (double)r.iterations, all,   closed,        network->sum(r.slipping), spread()};
  std::copy_n(value, (int)NVALUE, vector);
  judge(r);
  solved = update->ntimestep;
  solved_builds = neighbor->ncalls;
  solved_stamp = stamp;
}

pd_status ComputeForceCompatible::solve_problem(double *forces, double *displacements,
                                                pd_cd_compatible_report *r)
{
  const auto solver = friction > 0.0 ? pd_cd_compatible_friction
                      : newton       ? pd_cd_compatible_newton
                                     : pd_cd_compatible_lagrange;
  options.slide = friction > 0.0 ? slide.data() : nullptr;
  return solver(&network->net, &options, load.data(), &network->pool, forces, displacements, r);
}

/* Contacts whose bodies are in motion against each other: their friction is against it. */
void ComputeForceCompatible::find_slides()
{
  slide = network->slide;
  for (size_t i = 0; i + 1 < slide.size(); i += 2) {
    const double speed = std::hypot(slide[i], slide[i + 1]);
    const double s = speed > slack * network->speed ? 1.0 / speed : 0.0;
    slide[i] *= s;
    slide[i + 1] *= s;
  }
}

/* a number between -1 and 1 that belongs to a body, whatever process has it */
static double scatter(tagint tag, int component, int start)
{
  uint64_t x = (uint64_t)tag * 64u + (uint64_t)component * 8u + 1u;
  x = (x + (uint64_t)start * 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 30)) * 0x94d049bb133111ebu;
  return (double)((x ^ (x >> 31)) >> 11) * DBL_EPSILON - 1.0;
}

/* Solves again from displacements that are off by a third of the largest: the largest difference
 * of forces from those found, over the largest force; -1 if there is nothing to compare. */
double ComputeForceCompatible::spread()
{
  double apart = -1.0, most[2] = {0.0, 0.0};
  std::vector<double> other(f.size()), place(u.size());
  for (size_t i = 0; i < 6 * (size_t)network->net.nowned; i++)
    most[i % 6 / 3] = std::max(most[i % 6 / 3], std::fabs(u[i]));
  for (double &m : most) m = network->max(m);
  const double largest_force = pd_cd_largest(&network->net, f.size(), f.data());
  for (int k = 1; k <= starts && largest_force > 0.0; k++) {
    for (size_t i = 0; i < 6 * (size_t)network->net.nowned; i++)
      place[i] = u[i] + most[i % 6 / 3] / 3.0 * scatter(atom->tag[i / 6], (int)(i % 6), k);
    std::fill(other.begin(), other.end(), 0.0);
    pd_cd_compatible_report r;
    network->require(solve_problem(other.data(), place.data(), &r), WHO);
    if (!r.converged) continue;
    for (size_t i = 0; i < f.size(); i++) other[i] -= f[i];
    apart = std::max(apart, pd_cd_largest(&network->net, other.size(), other.data()));
  }
  return apart < 0.0 ? -1.0 : apart / largest_force;
}

/* ---- results ---- */

void ComputeForceCompatible::compute_vector()
{
  invoked_vector = update->ntimestep;
  solve();
}

void ComputeForceCompatible::compute_local()
{
  invoked_local = update->ntimestep;
  solve();
  const pd_cd_network *net = &network->net;
  rows.clear();
  for (int i = 0; i < net->ncontact; i++) {
    const pd_cd_contact &c = net->contact[i];
    const ContactName &n = network->name[i];
    if (!(atom->mask[c.a] & groupbit) || (c.b >= 0 && !(atom->mask[c.b] & groupbit))) continue;
    const pd_vec3 p = pd_add(pd_v_load(atom->x[c.a]), c.ra);
    const pd_vec3 q = network->friction[i];
    const double normal = f[(size_t)stride() * i];
    const pd_vec3 t = pd_axpy(network->force(f, stride(), i), -normal, c.n);
    const double row[NCOL] = {(double)n.a,
                              n.wall < 0 ? (double)n.b : -1.0 - n.wall,
                              p.x,
                              p.y,
                              p.z,
                              c.n.x,
                              c.n.y,
                              c.n.z,
                              network->given[i],
                              normal,
                              n.gap,
                              q.x,
                              q.y,
                              q.z,
                              t.x,
                              t.y,
                              t.z};
    rows.insert(rows.end(), row, row + NCOL);
  }
  const int n = (int)(rows.size() / NCOL);
  pointers.resize(n);
  for (int i = 0; i < n; i++) pointers[i] = &rows[(size_t)i * NCOL];
  size_local_rows = n;
  array_local = pointers.data();
}

void ComputeForceCompatible::compute_peratom()
{
  invoked_peratom = update->ntimestep;
  solve();
  if (atom->nmax > nmax) {
    nmax = atom->nmax;
    memory->grow(resultant, nmax, 6, "force/compatible:resultant");
    array_atom = resultant;
  }
  for (int i = 0; i < atom->nlocal; i++)
    for (int k = 0; k < 6; k++)
      resultant[i][k] = atom->mask[i] & groupbit ? buffer[6 * (size_t)i + k] : 0.0;
}

int ComputeForceCompatible::pack_forward_comm(int n, int *which, double *buf, int, int *)
{
  return own->pack_forward(n, which, buf);
}

void ComputeForceCompatible::unpack_forward_comm(int n, int first, double *buf)
{
  own->unpack_forward(n, first, buf);
}

int ComputeForceCompatible::pack_reverse_comm(int n, int first, double *buf)
{
  return own->pack_reverse(n, first, buf);
}

void ComputeForceCompatible::unpack_reverse_comm(int n, int *which, double *buf)
{
  own->unpack_reverse(n, which, buf);
}

double ComputeForceCompatible::memory_usage()
{
  return own->memory_usage() + 6.0 * nmax * sizeof(double) +
         (double)(f.capacity() + u.capacity() + load.capacity() + buffer.capacity() +
                  rows.capacity()) *
             sizeof(double);
}
