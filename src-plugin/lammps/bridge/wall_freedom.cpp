/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/wall_freedom.h"

#include "lammps/options/parse.h"

#include "force.h"

#include <cmath>

using namespace LAMMPS_NS;
namespace key = Options::Wall;

WallFreedom::WallFreedom(LAMMPS *lmp)
    : Pointers(lmp), kind(NONE), axis(pd_v(0.0, 0.0, 1.0)), centre(pd_v(0.0, 0.0, 0.0)),
      inertia(0.0), push(0.0), torque(0.0), forced(false), twisted(false), speed(0.0), state(),
      fresh(true), way(0.0)
{
  state.q = pd_q(1.0, 0.0, 0.0, 0.0);
}

/* ---- keywords ---- */

/* at: index of the axis's first component; the mass or moment of inertia follows it */
void WallFreedom::set_axis(const Options::Given &given, Kind what, int at)
{
  if (any()) Options::refuse(lmp, given, "a wall has one degree of freedom");
  kind = what;
  axis = pd_unit(pd_v_load(&given.number[at]));
  if (!(pd_norm(axis) > 0.0)) Options::refuse(lmp, given, "the axis must not be zero");
  inertia = given.number[at + 3];
}

bool WallFreedom::may_change(const std::string &keyword)
{
  const Options::Row *row = key::keywords.find(keyword);
  return row && row->id >= key::FORCE && row->id <= key::SPEED;
}

void WallFreedom::set(const Options::Given &given)
{
  const double *v = given.number.data();
  switch (given.id()) {
  case key::SLIDE:
    return set_axis(given, SLIDES, 0);
  case key::HINGE:
    centre = pd_v_load(v);
    return set_axis(given, TURNS, 3);
  case key::FORCE:
  case key::PRESSURE:
    push = given.id() == key::FORCE ? v[0] : v[0] * v[1] / force->nktv2p; /* in units of force */
    forced = true;
    break;
  case key::TORQUE:
    torque = v[0];
    twisted = true;
    break;
  case key::SPEED:
    speed = v[0];
    set_speed();
  }
  fresh = true;
}

/* the axis may be given later than the speed */
void WallFreedom::set_speed()
{
  state.v = pd_scale(slides() ? speed : 0.0, axis);
  state.w = pd_scale(slides() ? 0.0 : speed, axis);
}

std::string WallFreedom::fault() const
{
  if (!any() && (forced || twisted || speed != 0.0))
    return "force, pressure, torque and speed need keyword slide or hinge";
  if (slides() && twisted) return "a wall that slides takes a force or a pressure, no torque";
  if (turns() && forced) return "a wall on a hinge takes a torque, no force or pressure";
  return "";
}

void WallFreedom::begin(pd_vec3 at)
{
  centre = at;
  state.x = at;
  set_speed();
}

/* ---- the body ---- */

/* Square of the largest distance from the axis of rotation, which the origin lies on: wherever
 * along it, and whether or not the surface goes on over a boundary. */
static double largest_lever2(const pd_shape *shape, pd_vec3 axis)
{
  double r2 = 0.0;
  for (int i = 0; i < shape->nv; i++) r2 = fmax(r2, pd_norm2(pd_cross(axis, shape->v[i])));
  return r2;
}

/* What does not count in the motion that is left is as large as what does, at the distance of the
 * shape's lever: residuals are judged by both. */
pd_body WallFreedom::body(const pd_shape *shape) const
{
  const double r2 = turns() ? largest_lever2(shape, axis) : shape->radius * shape->radius;
  const double mass = slides() ? inertia : inertia / r2, about = slides() ? inertia * r2 : inertia;
  pd_body b = pd_body();
  b.shape = shape;
  b.inertia = {mass, pd_v(about, about, about)};
  b.mobile = 1;
  b.row = -1;
  b.start = state;
  b.constraint.axes = pd_hinge_axes(axis);
  b.constraint.translation = slides() ? 3 : 0;
  b.constraint.rotation = slides() ? 7 : 3;
  b.constraint.hinged = turns();
  b.external_force = pd_scale(push, axis);
  b.external_torque = pd_scale(torque, axis);
  return b;
}

/* angle from one orientation to the next, less than half a turn */
static double turned(pd_quat from, pd_quat to, pd_vec3 axis)
{
  const pd_quat d = pd_q_mul(to, pd_q_conj(from));
  const double sine = pd_dot(axis, pd_v(d.x, d.y, d.z));
  return 2.0 * std::atan(sine / d.w);
}

void WallFreedom::advance(const pd_state &end)
{
  way += slides() ? pd_dot(axis, pd_sub(end.x, state.x)) : turned(state.q, end.q, axis);
  state = end;
}

void WallFreedom::start(const pd_state &with)
{
  state.acc = with.acc;
  state.wdot = with.wdot;
  fresh = false;
}

WallPose WallFreedom::pose() const
{
  WallPose p = WallPose();
  p.turn = state.q;
  p.shift = pd_sub(state.x, pd_mv(pd_q_matrix(state.q), centre));
  p.v = state.v;
  p.w = state.w;
  p.pivot = state.x;
  return p;
}

double WallFreedom::rate() const { return pd_dot(axis, slides() ? state.v : state.w); }

/* ---- restart ---- */

std::string WallFreedom::text() const
{
  if (!any()) return "none";
  return fmt::format("{} {:.10g} {:.10g} {:.10g} {} {:.10g}", slides() ? "slide" : "hinge", axis.x,
                     axis.y, axis.z, slides() ? "mass" : "inertia", inertia);
}

std::vector<double> WallFreedom::numbers() const
{
  return {(double)kind, axis.x, axis.y, axis.z, inertia};
}

void WallFreedom::pack(double *buf) const
{
  const pd_vec3 vectors[5] = {state.x, state.v, state.w, state.acc, state.wdot};
  for (int k = 0; k < 5; k++) pd_v_store(buf + 3 * k, vectors[k]);
  const double rest[6] = {state.q.w, state.q.x, state.q.y, state.q.z, (double)fresh, way};
  std::copy(rest, rest + 6, buf + 15);
}

void WallFreedom::unpack(const double *buf)
{
  if (!any()) return;
  pd_vec3 *const vectors[5] = {&state.x, &state.v, &state.w, &state.acc, &state.wdot};
  for (int k = 0; k < 5; k++) *vectors[k] = pd_v_load(buf + 3 * k);
  state.q = pd_q(buf[15], buf[16], buf[17], buf[18]);
  fresh = buf[19] != 0.0;
  way = buf[20];
}
