/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/styles/fix_image_polyhedron.h"

#include "lammps/bridge/atom_rotation.h"
#include "lammps/bridge/plane_polygon.h"
#include "lammps/bridge/wall_set.h"
#include "lammps/options/parse.h"

#include "domain.h"
#include "input.h"
#include "variable.h"

#include <algorithm>
#include <cmath>

using namespace LAMMPS_NS;

static const char *const WHO = "Fix image/polyhedron";

FixImagePolyhedron::FixImagePolyhedron(LAMMPS *lmp, int narg, char **arg) : Fix(lmp, narg, arg)
{
  if (!atom->style_match("ellipsoid"))
    error->all(FLERR, "Fix image/polyhedron requires atom style ellipsoid");
  Options::take_all(lmp, Options::Image::keywords, WHO, 3, narg, arg,
                    [this](const Options::Given &given) { set(given); });
}

void FixImagePolyhedron::set(const Options::Given &given)
{
  if (given.id() == Options::Image::COLOR) return set_scale(given);
  int lo, hi;
  Compat::type_range(lmp, given.text[1], lo, hi);
  if (lo != hi) Options::refuse(lmp, given, "one atom type must be given, whose colour walls have");
  painted.push_back({given.text[0], lo});
}

void FixImagePolyhedron::set_scale(const Options::Given &given)
{
  if (given.text[0].compare(0, 2, "v_") != 0)
    Options::refuse(lmp, given, "the value must be v_name, a variable of atom style");
  scale.variable = given.text[0].substr(2);
  scale.low = given.number[1];
  scale.high = given.number[2];
  if (!(scale.low < scale.high)) Options::refuse(lmp, given, "hi must be more than lo");
  Compat::type_range(lmp, given.text[3], scale.first, scale.last);
}

/* pictures are also made before a run */
int FixImagePolyhedron::find_variable() const
{
  const int v = input->variable->find(scale.variable.c_str());
  if (v < 0) error->all(FLERR, fmt::format("{}: there is no variable {}", WHO, scale.variable));
  if (!input->variable->atomstyle(v))
    error->all(FLERR, fmt::format("{}: variable {} must be of atom style", WHO, scale.variable));
  return v;
}

void FixImagePolyhedron::init()
{
  if (!scale.variable.empty()) find_variable();
  for (const Painted &p : painted) {
    const std::vector<WallSet *> walls = WallSet::all(modify);
    if (std::none_of(walls.begin(), walls.end(), [&](WallSet *w) { return w->name == p.fix; }))
      error->all(FLERR, fmt::format("{}: there is no fix wall/polyhedron {}", WHO, p.fix));
  }
}

/* The classes of the scale are of equal width. */
int FixImagePolyhedron::colour(double value) const
{
  const int n = scale.last - scale.first + 1;
  const double part = n * (value - scale.low) / (scale.high - scale.low);
  return scale.first + (int)fmin(fmax(part, 0.0), n - 1.0);
}

/* atom types whose colours the atoms of this process have */
std::vector<int> FixImagePolyhedron::colours()
{
  const int n = atom->nlocal;
  if (scale.variable.empty()) return std::vector<int>(atom->type, atom->type + n);
  std::vector<double> value(n + 1, 0.0);
  input->variable->compute_atom(find_variable(), igroup, value.data(), 1, 0);
  std::vector<int> all(n);
  std::string fault;
  for (int i = 0; i < n; i++) {
    if (!std::isfinite(value[i]))
      fault = fmt::format("{}: variable {} of body {} must be a finite number, not {}", WHO,
                          scale.variable, atom->tag[i], value[i]);
    else
      all[i] = colour(value[i]);
  }
  stop_together(lmp, FLERR, fault);
  return all;
}

void FixImagePolyhedron::add_bodies(const std::vector<ShapeOfType> &shapes)
{
  const std::vector<int> all = colours();
  for (int i = 0; i < atom->nlocal; i++) {
    const pd_mesh *surface = shapes[atom->type[i]].drawn;
    if (!(atom->mask[i] & groupbit) || !surface || atom->ellipsoid[i] < 0) continue;
    triangles.add(all[i], *surface, pd_v_load(atom->x[i]),
                  pd_q_matrix(quat_load(quat_of(atom, i))));
  }
}

/* Planes reach beyond the box as bodies may. */
void FixImagePolyhedron::add_walls(const Painted &p, double beyond)
{
  const pd_vec3 out = pd_v(beyond, beyond, beyond);
  const pd_vec3 low = pd_sub(pd_v_load(Compat::low_corner(domain)), out);
  const pd_vec3 high = pd_add(pd_v_load(Compat::high_corner(domain)), out);
  for (WallSet *set : WallSet::all(modify)) {
    if (set->name != p.fix) continue;
    for (const pd_wall &w : set->walls()) {
      if (comm->me) continue; /* the walls of all processes are the same */
      const pd_mat3 turn = pd_q_matrix(w.q);
      if (w.kind == PD_SURFACE)
        triangles.add(p.type, set->drawn(w), w.x, turn);
      else
        triangles.add_polygon(p.type, plane_polygon(w.x, pd_mv(turn, w.normal), low, high));
    }
  }
}

int FixImagePolyhedron::image(int *&objects, double **&parameters)
{
  const std::vector<ShapeOfType> shapes = collect_shapes(lmp);
  const double radius = largest_radius(shapes);
  triangles.clear();
  add_bodies(shapes);
  for (const Painted &p : painted) add_walls(p, radius);
  return triangles.give(objects, parameters);
}
