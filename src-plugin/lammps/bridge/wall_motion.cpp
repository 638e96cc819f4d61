/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/wall_motion.h"

#include "lammps/host/fresh_computes.h"
#include "lammps/options/parse.h"

#include "input.h"
#include "variable.h"

#include <algorithm>
#include <cmath>

using namespace LAMMPS_NS;
using namespace Options::Move;

static const double TWO_PI = 2.0 * PD_PI;
static const char *const WHO = "Fix wall/polyhedron: move";

static WallPose at_rest()
{
  const pd_vec3 zero = pd_v(0.0, 0.0, 0.0);
  return {pd_q(1.0, 0.0, 0.0, 0.0), zero, zero, zero, zero};
}

WallMotion::WallMotion(LAMMPS *lmp)
    : Pointers(lmp), kind(NONE), moved(false), ahead(false), base(at_rest()), elapsed(0.0), dt(0.0),
      value(base.v), pivot(base.v), period(0.0), at0(), at1(), was0(), dt0(0.0), goes_on(false),
      lead(base.v)
{
}

int WallMotion::parse(int iarg, int narg, char **arg)
{
  if (iarg + 1 >= narg)
    error->all(FLERR, fmt::format("{} needs a style: {}", WHO, Options::Move::styles.keys()));
  const Options::Given given =
      Options::parse(lmp, Options::Move::styles, "Fix wall/polyhedron", iarg + 1, narg, arg);
  moved = moves();
  base = pose(0.0);
  base.v = base.w = base.pivot = pd_v(0.0, 0.0, 0.0);
  lead = base.v;
  elapsed = dt = dt0 = 0.0;
  ahead = false;
  kind = (Kind)given.id();
  std::fill(at0, at0 + 6, 0.0);
  std::fill(at1, at1 + 6, 0.0);
  set(given);
  if (kind == VARIABLE) init();
  return given.next;
}

int WallMotion::replace(int narg, char **arg)
{
  goes_on = true;
  return parse(0, narg, arg);
}

void WallMotion::set(const Options::Given &given)
{
  double x[7] = {0.0};
  std::copy(given.number.begin(), given.number.end(), x);
  for (int k = 0; kind == VARIABLE && k < 6; k++)
    name[k] = given.text[k] == "NULL" ? "" : given.text[k].substr(2);
  value = pd_v_load(kind == ROTATE ? x + 3 : x);
  pivot = pd_v_load(x);
  period = kind == ROTATE ? x[6] : x[3];
  if (kind != ROTATE) return;
  if (!(pd_norm(value) > 0.0)) Options::refuse(lmp, given, "the axis is zero");
  value = pd_unit(value);
}

void WallMotion::init()
{
  if (kind != VARIABLE) return;
  for (const std::string &n : name) {
    if (n.empty()) continue;
    const int id = input->variable->find(n.c_str());
    if (id < 0) error->all(FLERR, fmt::format("{} variable: there is no variable {}", WHO, n));
    if (!input->variable->equalstyle(id))
      error->all(FLERR, fmt::format("{} variable: variable {} is not of equal style", WHO, n));
  }
}

void WallMotion::setup()
{
  if (kind != VARIABLE) return;
  if (elapsed == 0.0) read_variables(at0);
  if (elapsed == 0.0 && goes_on) lead = pd_v_load(at0);
  std::copy(at0, at0 + 6, at1);
  ahead = false;
}

void WallMotion::read_variables(double *at)
{
  const FreshComputes fresh(lmp);
  for (int k = 0; k < 6; k++) {
    if (name[k].empty()) continue;
    at[k] = input->variable->compute_equal(input->variable->find(name[k].c_str()));
    if (!std::isfinite(at[k]))
      error->all(FLERR, fmt::format("{} variable: {} is not a finite number", WHO, name[k]));
  }
}

/* a displacement without velocity goes evenly, a velocity without displacement is integrated */
void WallMotion::look_to_end(double length)
{
  read_variables(at1);
  for (int k = 0; k < 3; k++) {
    if (name[k].empty()) at1[k] = at0[k] + 0.5 * length * (at0[3 + k] + at1[3 + k]);
    if (name[3 + k].empty()) at0[3 + k] = at1[3 + k] = (at1[k] - at0[k]) / length;
  }
}

void WallMotion::begin_step(double length)
{
  dt = length;
  if (kind == VARIABLE && !ahead) look_to_end(length);
  ahead = false;
}

void WallMotion::read_ahead(double length)
{
  if (kind != VARIABLE) return;
  const NextStep step(lmp);
  look_to_end(length);
  ahead = true;
}

void WallMotion::end_step()
{
  elapsed += dt;
  dt0 = dt;
  dt = 0.0;
  std::copy(at0, at0 + 6, was0);
  std::copy(at1, at1 + 6, at0);
}

/* cubic through the displacements and velocities at both ends of a step */
WallPose WallMotion::by_variables(const double *from, const double *to, double length,
                                  double s) const
{
  WallPose p = base;
  double d[3], v[3];
  for (int k = 0; k < 3; k++) {
    const double a = from[k], b = to[k], va = from[3 + k] * length, vb = to[3 + k] * length,
                 c = b - a;
    d[k] = a + s * (va + s * (3.0 * c - 2.0 * va - vb + s * (va + vb - 2.0 * c)));
    const double rate = va + s * (6.0 * c - 4.0 * va - 2.0 * vb + s * 3.0 * (va + vb - 2.0 * c));
    v[k] = length > 0.0 ? rate / length : from[3 + k];
  }
  p.shift = pd_add(base.shift, pd_sub(pd_v_load(d), lead));
  p.v = pd_v_load(v);
  return p;
}

WallPose WallMotion::pose(double s) const
{
  return kind == VARIABLE ? by_variables(at0, at1, dt, s) : at_time(elapsed + s * dt);
}

WallPose WallMotion::pose_before(double s, double time) const
{
  const double ago = time - s * dt; /* before the start of the step */
  if (!(time > 0.0)) return pose(s);
  if (kind != VARIABLE) return at_time(std::max(0.0, elapsed - ago));
  if (ago <= 0.0 || !(dt0 > 0.0)) return by_variables(at0, at1, dt, std::max(0.0, -ago / dt));
  return by_variables(was0, at0, dt0, std::max(0.0, 1.0 - ago / dt0));
}

pd_vec3 WallMotion::on_axis(pd_vec3 x) const
{
  const pd_mat3 turn = pd_q_matrix(base.turn);
  const pd_vec3 p = pd_mtv(turn, pd_sub(pivot, base.shift)), axis = pd_mtv(turn, value);
  return pd_axpy(p, pd_dot(axis, pd_sub(x, p)), axis);
}

/* the chord: what turns along with the wall would leave its circle along the tangent */
pd_vec3 WallMotion::mean_velocity(pd_vec3 x, double length) const
{
  if (kind == VARIABLE) return pd_scale(1.0 / length, pd_sub(pd_v_load(at1), pd_v_load(at0)));
  const WallPose now = pose(0.0);
  const WallPose then = at_time(elapsed + length);
  const pd_vec3 of_wall = pd_mtv(pd_q_matrix(now.turn), pd_sub(x, now.shift));
  const pd_vec3 at = pd_add(pd_mv(pd_q_matrix(then.turn), of_wall), then.shift);
  return pd_scale(1.0 / length, pd_sub(at, x));
}

WallPose WallMotion::at_time(double t) const
{
  const double w = period > 0.0 ? TWO_PI / period : 0.0;
  WallPose p = base;
  if (kind == VELOCITY) {
    p.shift = pd_axpy(base.shift, t, value);
    p.v = value;
  } else if (kind == WIGGLE) {
    p.shift = pd_axpy(base.shift, sin(w * t), value);
    p.v = pd_scale(w * cos(w * t), value);
  } else if (kind == ROTATE) {
    const pd_vec3 e = pd_scale(sin(0.5 * w * t), value);
    const pd_quat q = pd_q(cos(0.5 * w * t), e.x, e.y, e.z);
    p.turn = pd_q_normalize(pd_q_mul(q, base.turn));
    p.shift = pd_add(pivot, pd_mv(pd_q_matrix(q), pd_sub(base.shift, pivot)));
    p.w = pd_scale(w, value);
    p.pivot = pivot;
  }
  return p;
}

void WallMotion::pack(double *buf) const
{
  std::fill(buf, buf + NSTATE, 0.0);
  const WallPose now = pose(0.0);
  WallPose began = base;
  began.shift = pd_sub(base.shift, lead);
  const WallPose *const poses[2] = {&began, &now};
  for (const WallPose *p : poses) {
    const double q[4] = {p->turn.w, p->turn.x, p->turn.y, p->turn.z};
    std::copy(q, q + 4, buf);
    pd_v_store(buf + 4, p->shift);
    buf += 7;
  }
  buf[0] = kind;
  buf[1] = moved;
  buf[2] = elapsed;
  std::copy(at0, at0 + 6, buf + 3);
  std::copy(was0, was0 + 6, buf + 9);
  buf[15] = dt0;
}

/* the same motion goes on; another one begins where that one was */
void WallMotion::unpack(const double *buf)
{
  const bool same = (Kind)(int)buf[14] == kind;
  const double *p = same ? buf : buf + 7;
  base.turn = pd_q(p[0], p[1], p[2], p[3]);
  base.shift = pd_v_load(p + 4);
  moved = buf[15] != 0.0 || (!same && (Kind)(int)buf[14] != NONE);
  elapsed = same ? buf[16] : 0.0;
  goes_on = !same;
  if (!same) return;
  std::copy(buf + 17, buf + 23, at0);
  std::copy(buf + 23, buf + 29, was0);
  dt0 = buf[29];
  std::copy(at0, at0 + 6, at1);
}
