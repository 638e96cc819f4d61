/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/styles/fix_wall_polyhedron.h"

#include "lammps/bridge/explicit_contacts.h"
#include "lammps/bridge/law_choice.h"
#include "lammps/options/parse.h"
#include "force.h"
#include "lammps/bridge/restart_state.h"
#include "lammps/styles/pair_polyhedron.h"
#include "lammps/bridge/shape_table.h"
#include "update.h"

#include <cmath>

using namespace LAMMPS_NS;
using namespace FixConst;

static const char *const WHO = "Fix wall/polyhedron";

FixWallPolyhedron::FixWallPolyhedron(LAMMPS *lmp, int narg, char **arg)
    : Fix(lmp, narg, arg), WallSet(lmp, id, groupbit), wish(no_auto()), pair(nullptr),
      implicit(false), work(0.0), back(pd_v(0.0, 0.0, 0.0))
{
  coef = empty_law();
  scalar_flag = 1;
  extscalar = 1;
  energy_global_flag = 1;
  thermo_energy = 1; /* off by fix_modify energy no */
  vector_flag = 1;
  size_vector = SIZE;
  extensive.assign(SIZE, 1);
  extensive[13] = extensive[14] = 0;
  extlist = extensive.data();
  restart_global = 1;
  global_freq = 1;
  extvector = -1;
  for (int iarg = 3; iarg < narg;) iarg = parse(iarg, narg, arg);
  finish_surface();
  finish_freedom();
  if (wall.empty()) error->all(FLERR, "Fix wall/polyhedron: no plane or surface is given");
  if (own_law) finish_law(lmp, WHO, &coef, wish);
  asked = law_numbers(coef, wish);
}

/* one wall or keyword; returns the index after it */
int FixWallPolyhedron::parse(int iarg, int narg, char **arg)
{
  const std::string key = arg[iarg];
  if (key == "move") return moving.parse(iarg, narg, arg);
  for (const Options::Table *t : {&Options::Wall::walls, &Options::Wall::keywords}) {
    if (!t->find(key)) continue;
    const Options::Given given = Options::parse(lmp, *t, WHO, iarg, narg, arg);
    set(given);
    return given.next;
  }
  const int next = parse_law_keyword(lmp, WHO, iarg, narg, arg, &coef, &wish);
  if (next == iarg) error->all(FLERR, unknown(key));
  own_law = true;
  return next;
}

std::string FixWallPolyhedron::unknown(const std::string &key)
{
  return fmt::format("{}: unknown keyword {}; the walls are {}, the keywords {}, {}", WHO, key,
                     Options::Wall::walls.keys(), Options::Wall::keywords.keys(),
                     Options::Law::keywords.keys());
}

void FixWallPolyhedron::set(const Options::Given &given)
{
  namespace key = Options::Wall;
  switch (given.id()) {
  case key::PLANE:
    return add_plane(given);
  case key::MESH_FILE:
  case key::CYLINDER:
  case key::CONE:
    finish_surface();
    surface.reset(new WallSurface(lmp, WHO, given));
    return;
  case key::TYPE:
    like_type = utils::inumeric(FLERR, Compat::type_number(lmp, given.text[0]).c_str(), false, lmp);
    if (like_type < 1 || like_type > atom->ntypes)
      Options::refuse(lmp, given, fmt::format("there is no atom type {}", like_type));
    return;
  case key::SLIDE:
  case key::HINGE:
  case key::FORCE:
  case key::PRESSURE:
  case key::TORQUE:
  case key::SPEED:
    return freedom_.set(given);
  default:
    if (!surface) Options::refuse(lmp, given, "belongs to the surface before it, there is none");
    surface->change(given);
  }
}

FixWallPolyhedron::~FixWallPolyhedron() = default;

int FixWallPolyhedron::setmask()
{
  return INITIAL_INTEGRATE | PRE_EXCHANGE | PRE_FORCE | POST_FORCE;
}

void FixWallPolyhedron::add_plane(const Options::Given &given)
{
  finish_surface();
  const pd_vec3 n = pd_v_load(&given.number[3]);
  if (!std::isfinite(pd_norm(pd_v_load(&given.number[0])) + pd_norm(n)))
    Options::refuse(lmp, given, "the plane's point and normal must be finite");
  if (!(pd_norm(n) > 0.0)) Options::refuse(lmp, given, "the plane's normal must not be zero");
  add_wall(PD_PLANE, pd_v_load(&given.number[0]));
  wall.back().normal = pd_unit(n);
}

void FixWallPolyhedron::finish_surface()
{
  if (!surface) return;
  pd_vec3 at = freedom_.turns() ? freedom_.point() : pd_v(0.0, 0.0, 0.0);
  SurfacePeriods periods;
  pd_shape *shape = surface->shape(freedom_.slides(), &at, &periods);
  add_surface(shape, at, periods);
  surface.reset();
}

void FixWallPolyhedron::finish_freedom()
{
  std::string fault = freedom_.fault();
  if (freedom_.any() && wall.size() != 1)
    fault = fmt::format(
        "keywords slide and hinge need one wall, there are {}: use one fix for each", wall.size());
  if (freedom_.turns() && !wall.empty() && wall[0].kind == PD_PLANE)
    fault = "a plane does not turn: use a surface with keyword hinge";
  if (freedom_.any() && moving.moves())
    fault = "a wall either moves as move says, or by the forces on it";
  if (!fault.empty()) error->all(FLERR, fmt::format("{}: {}", WHO, fault));
  if (freedom_.any()) freedom_.begin(origin[0]);
}

void FixWallPolyhedron::check_freedom(bool rigid) const
{
  if (!freedom_.any()) return;
  if (rigid || !implicit)
    error->all(FLERR,
               fmt::format("{} {}: slide and hinge require fix implicit/polyhedron, which "
                           "moves the wall with the bodies; with {} walls move as keyword "
                           "move says",
                           WHO, id, rigid ? "fix contact/dynamics" : "explicit integrators"));
}

void FixWallPolyhedron::init()
{
  pair = dynamic_cast<PairPolyhedron *>(force->pair_match("polyhedron", 1));
  const bool rigid = !Compat::fixes_of_style(modify, "contact/dynamics").empty();
  if (!pair && !rigid)
    error->all(FLERR, "Fix wall/polyhedron requires pair style polyhedron or fix contact/dynamics");
  implicit = rigid || !Compat::fixes_of_style(modify, "implicit/polyhedron").empty();
  check_freedom(rigid);
  if (rigid && like_type && !own_law)
    error->all(FLERR,
               fmt::format("{} {}: keyword type asks for a law of pair style polyhedron, and "
                           "with fix contact/dynamics there is none: leave it out",
                           WHO, id));
  contacts.reset(implicit ? nullptr : new ExplicitContacts(lmp));
  moving.init();
  const pd_status status = place_frames();
  stop_together(lmp, FLERR, status ? fmt::format("{}: {}", WHO, pd_strerror(status)) : "");
  force_reneighbor = goes_on(0) || goes_on(1) || goes_on(2);
  next_reneighbor = -1;
}

/* fix_modify ID move STYLE ..., or the load of a wall that is free to move, or its speed */
int FixWallPolyhedron::modify_param(int narg, char **arg)
{
  if (WallFreedom::may_change(arg[0])) {
    const Options::Given given = Options::parse(lmp, Options::Wall::keywords, WHO, 0, narg, arg);
    freedom_.set(given);
    if (!freedom_.fault().empty()) Options::refuse(lmp, given, freedom_.fault());
    return given.next;
  }
  if (strcmp(arg[0], "move") != 0) return 0;
  if (freedom_.any())
    error->all(FLERR,
               fmt::format("{}: a wall either moves as move says, or by the forces on it", WHO));
  needs_setup(); /* in which the new motion begins */
  return moving.replace(narg, arg);
}

std::vector<FixWallPolyhedron *> FixWallPolyhedron::all_of(Modify *modify)
{
  std::vector<FixWallPolyhedron *> all;
  for (Fix *f : Compat::fixes_of_style(modify, "wall/polyhedron"))
    all.push_back(dynamic_cast<FixWallPolyhedron *>(f));
  return all;
}

/* auto: a law for the heaviest and for the smallest of all bodies of the group that move */
void FixWallPolyhedron::choose(const std::vector<ShapeOfType> &shapes)
{
  if (!wish.wanted) return;
  const std::vector<bool> moves = types_that_move(lmp, groupbit);
  const auto meets = [&](int t) { return shapes[t].shape && moves[t]; };
  LawBodies bodies = {0.0, HUGE_VAL, HUGE_VAL};
  for (int t = 1; t <= atom->ntypes; t++) {
    if (!meets(t)) continue;
    bodies.heaviest = fmax(bodies.heaviest, shapes[t].mass);
    bodies.lightest = fmin(bodies.lightest, shapes[t].mass);
    bodies.size = fmin(bodies.size, shapes[t].size);
  }
  choose_law(lmp, fmt::format("fix {} wall/polyhedron", id), bodies, &coef, &wish);
}

void FixWallPolyhedron::limit_gap(const std::map<const pd_law *, double> &gaps)
{
  const auto found = gaps.find(&coef);
  const double nearest = found == gaps.end() ? HUGE_VAL : found->second;
  if (opens_law(lmp, nearest, asked, &coef, &wish)) choose(collect_shapes(lmp));
}

/* not before set-up: variables may use thermo keywords */
void FixWallPolyhedron::setup_pre_force(int)
{
  moving.setup();
  check_periods();
  warn_of_borders(lmp, fmt::format("{} {}", WHO, id), walls(), largest_radius(collect_shapes(lmp)));
}

void FixWallPolyhedron::setup(int vflag) { post_force(vflag); }

/* the implicit fix moves the walls within its steps */
void FixWallPolyhedron::initial_integrate(int)
{
  look_for_way_back();
  if (implicit) return;
  moving.begin_step(update->dt);
  moving.end_step();
}

void FixWallPolyhedron::post_force(int)
{
  if (implicit) return;
  evaluate();
  contacts->add_forces();
}

void FixWallPolyhedron::evaluate()
{
  contacts->evaluate(pair, nullptr, {this}, fmt::format("Fix wall/polyhedron {}", id),
                     "a body touches the wall");
  const pd_system &sys = contacts->scene.sys;
  WallLoad now = contacts->scene.wall_load(0);
  for (int i = 0; i < sys.nwall; i++) {
    const pd_wall &w = sys.wall[i];
    now[WORK] -=
        sys.elapsed * (pd_dot(pd_v_load(w.load), w.v) + pd_dot(pd_v_load(w.load + 3), w.w));
  }
  for (int k = 0; k < 6; k++) /* as velocity Verlet takes them */
    now[MEAN + k] = update->setupflag ? 0.0 : 0.5 * (load[k] + now[k]);
  set_load(now);
}

void FixWallPolyhedron::sum_load()
{
  if (!summed)
    MPI_Allreduce(load.data(), total.data(), (int)load.size(), MPI_DOUBLE, MPI_SUM, world);
  summed = true;
}

/* contact energy */
double FixWallPolyhedron::compute_scalar()
{
  sum_load();
  return total[ENERGY];
}

/* force and moment on the wall, work done by it, mean force and moment of the step; way of a wall
 * that is free to move, and its rate */
double FixWallPolyhedron::compute_vector(int k)
{
  if (k >= SIZE - 2) return k == SIZE - 2 ? freedom_.travel() : freedom_.rate();
  sum_load();
  if (k == 6) return work + total[WORK];
  return k < 6 ? total[FORCE + k] : total[MEAN + k - 7];
}

/* Work, means, motion, law as asked for and as it is. The work goes on as in the run that goes on
 * from the file. */
void FixWallPolyhedron::write_restart(FILE *fp)
{
  sum_load();
  work += total[WORK];
  load[WORK] = total[WORK] = 0.0;
  std::array<double, 6> all = {};
  MPI_Reduce(solved.data(), all.data(), 6, MPI_DOUBLE, MPI_SUM, 0, world);
  if (comm->me) return;
  std::vector<double> list(AT_LAWS, 0.0);
  list[0] = work;
  std::copy(total.begin() + MEAN, total.end(), &list[AT_MEAN]);
  std::copy(all.begin(), all.end(), &list[AT_SOLVED]);
  list[AT_ANY_SOLVED] = any_solved;
  moving.pack(&list[AT_MOTION]);
  freedom_.pack(&list[AT_FREEDOM]);
  const LawNumbers now = law_numbers(coef, wish);
  list.insert(list.end(), asked.begin(), asked.end());
  list.insert(list.end(), now.begin(), now.end());
  write_state(fp, list);
}

/* A law that auto has chosen stays, if the same is asked for as before. */
void FixWallPolyhedron::restart(char *buf)
{
  const size_t count = asked.size();
  const std::vector<double> list = read_state(this, error, buf, AT_LAWS + 2 * count);
  work = list[0];
  any_solved = list[AT_ANY_SOLVED] != 0.0;
  if (comm->me == 0) {
    std::copy(&list[AT_MEAN], &list[AT_SOLVED], load.begin() + MEAN);
    std::copy(&list[AT_SOLVED], &list[AT_ANY_SOLVED], solved.begin());
  }
  moving.unpack(&list[AT_MOTION]);
  freedom_.unpack(&list[AT_FREEDOM]);
  const LawNumbers before(list.end() - 2 * count, list.end() - count);
  const LawNumbers chosen(list.end() - count, list.end());
  if (wish.wanted && same_numbers(asked, before)) law_of_numbers(chosen, &coef, &wish);
}

/* Memory of friction goes by the number of the wall. How it moves is no part of it: another motion
 * begins where the old one was. */
void FixWallPolyhedron::add_fingerprints(Fingerprints *all) const
{
  all->push_back(fingerprint_of(this));
  for (size_t k = 0; k < wall.size(); k++) {
    const pd_vec3 x = origin[k], n = wall[k].normal;
    const pd_shape *surface = wall[k].shape;
    const std::string what = fmt::format("wall {} of fix {}", k + 1, id);
    if (surface)
      all->push_back(
          {id, what,
           fmt::format("a surface of {} vertices, {} triangles", surface->nv, surface->nt),
           surface_numbers(surface, made[k].vertex.data(), 1.0)});
    else
      all->push_back({id,
                      what,
                      fmt::format("plane {} {} {} {} {} {}", x.x, x.y, x.z, n.x, n.y, n.z),
                      {x.x, x.y, x.z, n.x, n.y, n.z}});
  }
  all->push_back({id, fmt::format("freedom of fix {}", id), freedom_.text(), freedom_.numbers()});
  if (wish.wanted) return; /* not chosen before the first initialisation */
  LawNumbers numbers = {(double)like_type};
  std::string value = like_type ? fmt::format("that of type {}", like_type) : "that of the bodies";
  if (own_law) {
    numbers = law_numbers(coef, no_auto());
    value = law_keywords(coef);
  }
  all->push_back({id, fmt::format("law of fix {}", id), value, numbers});
}
