/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/styles/fix_lock_polyhedron.h"

#include "lammps/bridge/shape_table.h"
#include "lammps/host/agree.h"
#include "lammps/host/cell_width.h"
#include "lammps/host/lmp_compat.h"
#include "lammps/options/parse.h"

#include "domain.h"

#include <algorithm>
#include <cmath>

using namespace LAMMPS_NS;

static const char *const WHO = "Fix lock/polyhedron";
/* distance of a hinge from the middle of the box, over its diagonal: rounding of a body's place
 * seen from there is still far below what contacts resolve */
static constexpr double FARTHEST = 1.0e5;

FixLockPolyhedron::FixLockPolyhedron(LAMMPS *lmp, int narg, char **arg)
    : Fix(lmp, narg, arg), translation(0), rotation(0), body_axes(false), hinged(false),
      point(pd_v(0.0, 0.0, 0.0)), axis(pd_v(0.0, 0.0, 1.0)), reaction()
{
  vector_flag = 1;
  size_vector = 6;
  extvector = 1;
  global_freq = 1;
  name = id;
  bodies = groupbit;
  Options::take_all(lmp, Options::Lock::keywords, WHO, 3, narg, arg,
                    [this](const Options::Given &given) { set(given); });
  const bool some = translation || rotation;
  if (hinged && (some || body_axes))
    error->all(FLERR, "Fix lock/polyhedron: a hinge leaves one rotation alone: it cannot be given "
                      "with translation, rotation or frame body");
  if (!hinged && !some)
    error->all(FLERR, "Fix lock/polyhedron: nothing is held: give translation, rotation or hinge");
}

/* bits of the axes x, y, z in a word of them */
static int axes_of(const std::string &letters)
{
  int set = 0;
  for (int k = 0; k < 3; k++)
    if (letters.find("xyz"[k]) != std::string::npos && letters != "none") set |= 1 << k;
  return set;
}

void FixLockPolyhedron::set(const Options::Given &given)
{
  namespace key = Options::Lock;
  switch ((key::Id)given.id()) {
  case key::TRANSLATION:
    translation = axes_of(given.text[0]);
    return;
  case key::ROTATION:
    rotation = axes_of(given.text[0]);
    return;
  case key::FRAME:
    body_axes = given.word() == 1;
    return;
  case key::HINGE:
    point = pd_v_load(&given.number[0]);
    axis = pd_unit(pd_v_load(&given.number[3]));
    if (!(pd_norm(axis) > 0.0)) Options::refuse(lmp, given, "the axis must not be zero");
    hinged = true;
  }
}

void FixLockPolyhedron::init()
{
  if (Compat::fixes_of_style(modify, "implicit/polyhedron").empty())
    error->all(FLERR, "Fix lock/polyhedron requires fix implicit/polyhedron");
  const std::vector<ShapeOfType> shapes = collect_shapes(lmp);
  axes.assign(atom->ntypes + 1, pd_m_identity());
  for (int t = 1; t <= atom->ntypes; t++)
    if (shapes[t].shape) axes[t] = shapes[t].shape->mass.axes;
  std::fill(reaction, reaction + 6, 0.0);
  if (hinged) check_hinge();
}

void FixLockPolyhedron::check_hinge() const
{
  const pd_vec3 low = pd_v_load(domain->boxlo), high = pd_v_load(domain->boxhi);
  const double most = FARTHEST * pd_norm(pd_sub(high, low));
  const double away = pd_norm(pd_sub(point, pd_scale(0.5, pd_add(low, high))));
  if (!(away <= most))
    error->all(FLERR, fmt::format("Fix lock/polyhedron: the point of the hinge is {:.4g} away from "
                                  "the middle of the box, the most is {:.4g}: give a point of the "
                                  "axis near the bodies, or hold rotations and translations",
                                  away, most));
}

/* A body that comes round to the middle between two images of the axis would change from the one to
 * the other. */
void FixLockPolyhedron::check_lever(int i, pd_vec3 arm) const
{
  const pd_vec3 along = pd_scale(pd_dot(arm, axis), axis);
  const double lever = pd_norm(pd_sub(arm, along));
  for (int k = 0; k < 3; k++) {
    const double width = cell_width(domain, k);
    const double turned = width * pd_dot(cell_normal(domain, k), axis);
    const double way = lever * std::sqrt(std::max(1.0 - turned * turned, 0.0));
    if (!domain->periodicity[k] || 2.0 * way < width) continue;
    throw LocalError(fmt::format("Fix {} of style lock/polyhedron: body {} is {:.4g} away from its "
                                 "hinge, but the periodic cell is {:.4g} wide: it could come round "
                                 "to another image of the hinge; make the cell wider than {:.4g}, "
                                 "or not periodic there",
                                 id, atom->tag[i], lever, width, 2.0 * way));
  }
}

/* the body's place is that of the image next to the hinge */
pd_constraint FixLockPolyhedron::hinge(int i, const pd_state &start) const
{
  pd_constraint c = pd_constraint();
  double arm[3];
  pd_v_store(arm, pd_sub(start.x, point));
  Compat::minimum_image(domain, arm);
  check_lever(i, pd_v_load(arm));
  c.axes = pd_hinge_axes(axis);
  c.rotation = 3; /* the first two */
  c.hinged = 1;
  c.arm = pd_v_load(arm);
  return c;
}

pd_constraint FixLockPolyhedron::constraint(int i, const pd_state &start) const
{
  if (hinged) return hinge(i, start);
  pd_constraint c = pd_constraint();
  c.translation = translation;
  c.rotation = rotation;
  c.follows = body_axes;
  c.axes = body_axes ? pd_m_mul(pd_q_matrix(start.q), pd_m_transpose(axes[atom->type[i]]))
                     : pd_m_identity();
  return c;
}

static std::string letters_of(int axes)
{
  std::string letters;
  for (int k = 0; k < 3; k++)
    if (axes >> k & 1) letters += "xyz"[k];
  return letters.empty() ? "none" : letters;
}

/* Velocities in the file are those of bodies that are held so. */
void FixLockPolyhedron::add_fingerprints(Fingerprints *all) const
{
  const pd_vec3 &x = point, &n = axis;
  const std::string value =
      hinged ? fmt::format("hinge {:.10g} {:.10g} {:.10g} {:.10g} {:.10g} {:.10g}", x.x, x.y, x.z,
                           n.x, n.y, n.z)
             : fmt::format("translation {} rotation {} frame {}", letters_of(translation),
                           letters_of(rotation), body_axes ? "body" : "space");
  all->push_back({id,
                  fmt::format("what fix {} holds", id),
                  value,
                  {(double)hinged, (double)translation, (double)rotation, (double)body_axes, x.x,
                   x.y, x.z, n.x, n.y, n.z}});
}

void FixLockPolyhedron::set_reaction(const double *sum) { std::copy(sum, sum + 6, reaction); }

double FixLockPolyhedron::compute_vector(int k)
{
  double all;
  MPI_Allreduce(&reaction[k], &all, 1, MPI_DOUBLE, MPI_SUM, world);
  return all;
}
