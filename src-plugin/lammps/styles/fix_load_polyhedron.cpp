/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/styles/fix_load_polyhedron.h"

#include "lammps/bridge/atom_rotation.h"
#include "lammps/host/fresh_computes.h"
#include "lammps/options/parse.h"
#include "input.h"
#include "lammps/bridge/restart_state.h"
#include "lammps/bridge/shape_table.h"
#include "update.h"
#include "variable.h"

#include <algorithm>
#include <cmath>

using namespace LAMMPS_NS;
using namespace FixConst;

static const char *const WHO = "Fix load/polyhedron";

FixLoadPolyhedron::FixLoadPolyhedron(LAMMPS *lmp, int narg, char **arg)
    : Fix(lmp, narg, arg), value0(), value1(), change(), goes_on(false), point(pd_v(0.0, 0.0, 0.0)),
      centre(true), follow(0), implicit(false), mine(0.0), before(0.0), total(), summed(false)
{
  scalar_flag = 1;
  extscalar = 1;
  vector_flag = 1;
  size_vector = 6;
  extvector = 1;
  global_freq = 1;
  restart_global = 1;
  const Options::Table &table = Options::Load::keywords;
  Options::defaults(table, [this](const Options::Given &given) { set(given); });
  bool any = false;
  for (int iarg = 3; iarg < narg;) {
    const Options::Given given = Options::parse(lmp, table, WHO, iarg, narg, arg);
    set(given);
    any = any || given.id() == Options::Load::FORCE || given.id() == Options::Load::MOMENT;
    iarg = given.next;
  }
  if (!any) error->all(FLERR, "Fix load/polyhedron: neither force nor moment is given");
}

void FixLoadPolyhedron::set(const Options::Given &given)
{
  namespace key = Options::Load;
  switch ((key::Id)given.id()) {
  case key::FORCE:
    return set_values(given, 0);
  case key::MOMENT:
    return set_values(given, 3);
  case key::POINT:
    point = pd_v_load(given.number.data());
    if (!std::isfinite(pd_norm(point))) Options::refuse(lmp, given, "the point must be finite");
    centre = false;
    return;
  case key::FRAME:
    follow = given.word() == 1;
  }
}

/* force or moment: each component a number or v_name */
void FixLoadPolyhedron::set_values(const Options::Given &given, int first)
{
  for (int k = 0; k < 3; k++) {
    const std::string &text = given.text[k];
    const bool variable = utils::strmatch(text, "^v_");
    name[first + k] = variable ? text.substr(2) : "";
    if (!variable) value0[first + k] = value1[first + k] = given.real(k);
  }
}

int FixLoadPolyhedron::setmask() { return PRE_FORCE | POST_FORCE; }

void FixLoadPolyhedron::init()
{
  if (!atom->style_match("ellipsoid"))
    error->all(FLERR, "Fix load/polyhedron requires atom style ellipsoid");
  if (utils::strmatch(update->integrate_style, "^respa"))
    error->all(FLERR,
               "Fix load/polyhedron does not work with run_style respa: use run_style verlet");
  if (update->whichflag == 2)
    error->all(FLERR, "Fix load/polyhedron does not work with the command minimize, in which it "
                      "would not act: use fix addforce, or a run with damping");
  for (const std::string &n : name) {
    if (n.empty()) continue;
    const int id = input->variable->find(n.c_str());
    if (id < 0) error->all(FLERR, fmt::format("Fix load/polyhedron: there is no variable {}", n));
    if (!input->variable->equalstyle(id))
      error->all(FLERR, fmt::format("Fix load/polyhedron: variable {} is not of equal style", n));
  }
  implicit = !Compat::fixes_of_style(modify, "implicit/polyhedron").empty();
  const std::vector<ShapeOfType> shapes = collect_shapes(lmp);
  lever.assign(atom->ntypes + 1, pd_v(0.0, 0.0, 0.0));
  inertia = lever;
  has_shape.assign(atom->ntypes + 1, false);
  axes.assign(atom->ntypes + 1, pd_m_identity());
  for (int t = 1; t <= atom->ntypes; t++) {
    if (!shapes[t].shape) continue;
    has_shape[t] = true;
    const pd_mass &m = shapes[t].shape->mass;
    inertia[t] = pd_v_load(shapes[t].moments);
    axes[t] = m.axes;
    if (!centre) lever[t] = pd_mtv(m.axes, pd_sub(point, m.center));
  }
}

/* not before set-up: variables may use thermo keywords */
void FixLoadPolyhedron::setup_pre_force(int)
{
  require_shapes();
  if (!goes_on) read(value1);
  std::copy(value1, value1 + 6, value0);
}

/* other fixes may have brought in atoms when the list was made */
void FixLoadPolyhedron::pre_force(int)
{
  if (neighbor->ago == 0) require_shapes();
}

void FixLoadPolyhedron::require_shapes() const
{
  all_together(lmp, FLERR, [this] {
    for (int i = 0; i < atom->nlocal; i++)
      if ((atom->mask[i] & groupbit) && !has_shape[atom->type[i]])
        throw LocalError(fmt::format("Fix {} of style load/polyhedron: atom {} is of type {}, "
                                     "which has no shape: give the fix a group of polyhedra alone",
                                     id, atom->tag[i], atom->type[i]));
  });
}

void FixLoadPolyhedron::read(double *value)
{
  if (std::all_of(name, name + 6, [](const std::string &n) { return n.empty(); })) return;
  const FreshComputes fresh(lmp);
  for (int k = 0; k < 6; k++) {
    if (name[k].empty()) continue;
    value[k] = input->variable->compute_equal(input->variable->find(name[k].c_str()));
    if (!std::isfinite(value[k]))
      error->all(FLERR, fmt::format("Fix load/polyhedron: variable {} is not a finite number at "
                                    "step {}",
                                    name[k], update->ntimestep));
  }
}

void FixLoadPolyhedron::begin_step() { read(value1); }

void FixLoadPolyhedron::end_step() { summed = false; }

/* Variables that look at the bodies, or at energies, are others than they were thought to become:
 * the next step begins with what they are. */
void FixLoadPolyhedron::look_back()
{
  double thought[6];
  std::copy(value1, value1 + 6, thought);
  read(value1);
  for (int k = 0; k < 6; k++) change[k] = value1[k] - thought[k];
  std::copy(value1, value1 + 6, value0);
}

bool FixLoadPolyhedron::change_on(int i, pd_vec3 *force, pd_vec3 *moment) const
{
  if (!(atom->mask[i] & groupbit)) return false;
  if (std::all_of(change, change + 6, [](double c) { return c == 0.0; })) return false;
  pd_mat3 rot;
  wrench(i, change, &rot, force, moment);
  return true;
}

/* a vector that follows the body is given in the shape's coordinates and wanted along its axes */
pd_vec3 FixLoadPolyhedron::in_frame(int i, const double *v) const
{
  return follow ? pd_mtv(axes[atom->type[i]], pd_v_load(v)) : pd_v_load(v);
}

pd_load FixLoadPolyhedron::load_on(int i, const double *v) const
{
  pd_load l = pd_load();
  l.body = i;
  l.f = l.f0 = in_frame(i, v);
  l.m = l.m0 = in_frame(i, v + 3);
  l.point = lever[atom->type[i]];
  l.follow = follow;
  return l;
}

void FixLoadPolyhedron::append(double s0, double s1, std::vector<pd_load> *loads) const
{
  double a[6], b[6];
  for (int k = 0; k < 6; k++) {
    a[k] = value0[k] + s0 * (value1[k] - value0[k]);
    b[k] = value0[k] + s1 * (value1[k] - value0[k]);
  }
  for (int i = 0; i < atom->nlocal; i++) {
    if (!(atom->mask[i] & groupbit)) continue;
    pd_load l = load_on(i, b);
    l.f0 = in_frame(i, a);
    l.m0 = in_frame(i, a + 3);
    loads->push_back(l);
  }
}

void FixLoadPolyhedron::setup(int vflag)
{
  const double work = mine;
  std::fill(change, change + 6, 0.0);
  summed = false;
  if (!implicit)
    add_to_atoms();
  else if (!goes_on)
    setup_pre_force(vflag);
  goes_on = false;
  mine = work;
}

/* force and moment about the centre on body i at present, and its rotation */
void FixLoadPolyhedron::wrench(int i, const double *v, pd_mat3 *rot, pd_vec3 *f, pd_vec3 *m) const
{
  *rot = pd_q_matrix(quat_load(quat_of(atom, i)));
  const pd_load l = load_on(i, v);
  *f = follow ? pd_mv(*rot, l.f) : l.f;
  *m = pd_add(follow ? pd_mv(*rot, l.m) : l.m, pd_cross(pd_mv(*rot, l.point), *f));
}

void FixLoadPolyhedron::post_force(int)
{
  summed = false;
  if (implicit)
    look_back();
  else
    add_to_atoms();
}

/* explicit integration: the load of this moment */
void FixLoadPolyhedron::add_to_atoms()
{
  read(value1);
  for (int i = 0; i < atom->nlocal; i++) {
    if (!(atom->mask[i] & groupbit)) continue;
    pd_mat3 rot;
    pd_vec3 f, m;
    wrench(i, value1, &rot, &f, &m);
    const pd_vec3 w = omega_of(rot, inertia[atom->type[i]], atom->angmom[i]);
    mine += update->dt * (pd_dot(f, pd_v_load(atom->v[i])) + pd_dot(m, w));
    pd_v_store(atom->f[i], pd_add(pd_v_load(atom->f[i]), f));
    pd_v_store(atom->torque[i], pd_add(pd_v_load(atom->torque[i]), m));
  }
}

/* work done on the bodies */
double FixLoadPolyhedron::compute_scalar()
{
  double sum;
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, world);
  return before + sum;
}

/* sum of the forces, and of the moments about the bodies' centres */
double FixLoadPolyhedron::compute_vector(int k)
{
  if (lever.empty()) return 0.0; /* before the first run */
  if (!summed) {
    double sum[6] = {0.0};
    for (int i = 0; i < atom->nlocal; i++) {
      if (!(atom->mask[i] & groupbit)) continue;
      pd_mat3 rot;
      pd_vec3 f, m;
      wrench(i, value1, &rot, &f, &m);
      const double add[6] = {f.x, f.y, f.z, m.x, m.y, m.z};
      for (int n = 0; n < 6; n++) sum[n] += add[n];
    }
    MPI_Allreduce(sum, total, 6, MPI_DOUBLE, MPI_SUM, world);
    summed = true;
  }
  return total[k];
}

/* The work goes on where it was, summed as in the run that goes on from the file. So does a load
 * that is written in mid-run: variables that look at the bodies were read a step before, and would
 * be others now. */
void FixLoadPolyhedron::write_restart(FILE *fp)
{
  before = compute_scalar();
  mine = 0.0;
  std::vector<double> state = {before, (double)(update->whichflag == 1)};
  state.insert(state.end(), value1, value1 + 6);
  if (comm->me == 0) write_state(fp, state);
}

void FixLoadPolyhedron::restart(char *buf)
{
  const std::vector<double> state = read_state(this, error, buf, 8);
  before = state[0];
  goes_on = state[1] != 0.0;
  for (int k = 0; k < 6; k++)
    if (!name[k].empty()) value1[k] = state[2 + k];
}
