/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/prescribed_bodies.h"

#include "domain.h"
#include "lammps/bridge/atom_rotation.h"
#include "lammps/bridge/other_fixes.h"
#include "lammps/bridge/step_communication.h"
#include "lammps/host/agree.h"
#include "update.h"

#include <algorithm>
#include <cmath>

using namespace LAMMPS_NS;

/* angular velocity by the host's angular momentum */
static pd_vec3 spin_of(Atom *atom, int i)
{
  AtomVecEllipsoid *avec = dynamic_cast<AtomVecEllipsoid *>(atom->style_match("ellipsoid"));
  const AtomVecEllipsoid::Bonus &bonus = avec->bonus[atom->ellipsoid[i]];
  const double *a = bonus.shape, part = 0.2 * atom->rmass[i];
  const pd_vec3 j = pd_v(part * (a[1] * a[1] + a[2] * a[2]), part * (a[0] * a[0] + a[2] * a[2]),
                         part * (a[0] * a[0] + a[1] * a[1]));
  return omega_of(pd_q_matrix(quat_load(bonus.quat)), j, atom->angmom[i]);
}

/* place and velocity of the atom */
void PrescribedBodies::note(int i)
{
  std::fill(row[i], row[i] + NOW, 0.0);
  if (atom->ellipsoid[i] < 0) return;
  const double *q = quat_of(atom, i);
  std::copy(atom->x[i], atom->x[i] + 3, row[i] + X);
  std::copy(q, q + 4, row[i] + Q);
  std::copy(atom->v[i], atom->v[i] + 3, row[i] + V);
  row[i][KNOWN] = 1.0;
}

/* but for what wrapping does to its place */
bool PrescribedBodies::is_as_noted(int i) const
{
  const double *q = quat_of(atom, i), *x = atom->x[i];
  const double near = 1e-12 * (domain->xprd + domain->yprd + domain->zprd);
  double away[3] = {x[0] - row[i][X], x[1] - row[i][X + 1], x[2] - row[i][X + 2]};
  Compat::minimum_image(domain, away);
  return row[i][KNOWN] != 0.0 && std::equal(q, q + 4, row[i] + Q) &&
         std::equal(atom->v[i], atom->v[i] + 3, row[i] + V) &&
         std::all_of(away, away + 3, [near](double d) { return std::fabs(d) <= near; });
}

void PrescribedBodies::note_start()
{
  under_way = false;
  for (int i = 0; i < atom->nlocal; i++) {
    const bool shaped = atom->ellipsoid[i] >= 0;
    if (!shaped || !is_as_noted(i)) {
      const pd_vec3 spin = shaped ? spin_of(atom, i) : pd_v(0.0, 0.0, 0.0);
      std::copy(atom->v[i], atom->v[i] + 3, row[i] + NOW);
      pd_v_store(row[i] + SPIN, spin);
    }
    note(i);
  }
}

void PrescribedBodies::note_end()
{
  for (int i = 0; i < atom->nlocal; i++) {
    std::copy(row[i] + V1, row[i] + V1 + 3, row[i] + NOW);
    pd_v_store(row[i] + SPIN, pd_scale(under_way ? 1.0 / dt : 0.0, pd_v_load(row[i] + TURN)));
    note(i);
  }
  under_way = false;
}

/* Rotation vector from one orientation to another, the short way. Nothing to the last bit where
 * they are the same: their product leaves rounding, and what does not turn is at rest. */
static pd_vec3 rotation_between(const double *from, const double *to)
{
  if (std::equal(from, from + 4, to)) return pd_v(0.0, 0.0, 0.0);
  const pd_quat d = pd_q_mul(pd_q(to[0], to[1], to[2], to[3]),
                             pd_q_conj(pd_q(from[0], from[1], from[2], from[3])));
  const pd_vec3 axis = pd_v(d.x, d.y, d.z);
  const double sine = pd_norm(axis);
  if (!(sine > 0.0)) return pd_v(0.0, 0.0, 0.0);
  const double angle = 2.0 * std::atan2(sine, std::fabs(d.w));
  return pd_scale((d.w < 0.0 ? -angle : angle) / sine, axis);
}

/* the mean velocity, but for rounding; over the greater of the speeds at both ends of a step, how
 * far their mean may be from that over the step: a twelfth if a step is a sixth of a period, a half
 * if one of them is none of the motion but zero */
static constexpr double SAME = 1.0e-9, NEAR = 0.25;

/* Whether velocities at both ends of a step go with the displacement. They do not in the first step
 * of a motion, where the atom has none yet, nor where fix move is given displacements alone. It
 * leaves the mean velocity where it integrates. */
static bool go_with(double way, double v0, double v1, double dt)
{
  const double mean = way / dt;
  if (std::fabs(mean - v1) <= SAME * std::fabs(mean)) return false;
  return std::fabs(mean - 0.5 * (v0 + v1)) <= NEAR * std::max(std::fabs(v0), std::fabs(v1));
}

/* Both velocities are those of the motion, but in components that go by_force (bits). */
void PrescribedBodies::take_velocities(int i, int by_force)
{
  for (int k = 0; k < 3; k++) {
    const double way = row[i][WAY + k], v0 = row[i][V + k], v1 = atom->v[i][k];
    const bool told = !(by_force & (1 << k)) && go_with(way, v0, v1, dt);
    row[i][V0 + k] = told ? v0 : way / dt;
    row[i][V1 + k] = told ? v1 : way / dt;
  }
}

/* whether one of six numbers is not zero */
static bool any_of(const double *six)
{
  return std::any_of(six, six + 6, [](double x) { return x != 0.0; });
}

/* The way from one orientation to the next is taken to be the short one: the angle of a body whose
 * angular velocity says that it has gone round the other way, or further, and ends where it does; 0
 * where they agree. */
double PrescribedBodies::long_way(int i) const
{
  const double near = 1e-3; /* rad: what velocities of other fixes may be off */
  const double angle = pd_norm(spin_of(atom, i)) * dt;
  const double left = std::fabs(std::remainder(angle, 2.0 * PD_PI));
  return angle > PD_PI && std::fabs(left - pd_norm(pd_v_load(row[i] + TURN))) < near ? angle : 0.0;
}

void PrescribedBodies::refuse_long_way(const OtherFixes &others) const
{
  std::string fault;
  for (int i = 0; i < atom->nlocal && fault.empty(); i++) {
    if (others.moves(i) || row[i][KNOWN] == 0.0 || long_way(i) == 0.0) continue;
    fault =
        fmt::format("Fix implicit/polyhedron: body {}, which another fix moves, turns by {:.4g} "
                    "radians in step {}, and the way from one orientation to the next is taken "
                    "to be the short one: use a time step of less than {:.3g}, or a wall of fix "
                    "wall/polyhedron with move rotate",
                    atom->tag[i], long_way(i), update->ntimestep, dt * PD_PI / long_way(i));
  }
  stop_together(lmp, FLERR, fault);
}

double PrescribedBodies::begin_step(const OtherFixes &others, double length)
{
  dt = length;
  under_way = true;
  double most[3] = {0.0, 0.0, 0.0}; /* angle; whether any body moves; angle of the long way */
  for (int i = 0; i < atom->nlocal; i++) {
    if (others.moves(i) || row[i][KNOWN] == 0.0) continue;
    double *x = atom->x[i], *q = quat_of(atom, i);
    const pd_vec3 turn = rotation_between(row[i] + Q, q);
    pd_v_store(row[i] + WAY, pd_sub(pd_v_load(x), pd_v_load(row[i] + X)));
    pd_v_store(row[i] + TURN, turn);
    take_velocities(i, others.driven_by_force(i));
    most[2] = std::max(most[2], long_way(i));
    /* one that comes back to where it was has velocities */
    if (!any_of(row[i] + WAY) && !any_of(row[i] + V0)) continue;
    std::copy(row[i] + X, row[i] + X + 3, x);
    std::copy(row[i] + Q, row[i] + Q + 4, q);
    most[0] = std::max(most[0], pd_norm(turn));
    most[1] = 1.0;
  }
  MPI_Allreduce(MPI_IN_PLACE, most, 3, MPI_DOUBLE, MPI_MAX, world);
  if (most[2] > 0.0) refuse_long_way(others);
  moving = most[1] > 0.0;
  return most[0];
}

void PrescribedBodies::load(pd_system *sys, StepCommunication *processes, double s)
{
  if (!under_way) return tell_of_now(sys, processes);
  for (int i = 0; i < sys->nbody; i++) {
    pd_body &b = sys->body[i];
    if (b.prescribed) b.start.v = b.start.w = pd_v(0.0, 0.0, 0.0);
    b.prescribed = 0;
  }
  if (moving) tell_of_step(sys, processes, s);
}

void PrescribedBodies::tell_of_now(pd_system *sys, StepCommunication *processes)
{
  const pd_vec3 zero = pd_v(0.0, 0.0, 0.0);
  speeds.assign((size_t)6 * sys->nbody, 0.0);
  for (int i = 0; i < atom->nlocal; i++)
    std::copy(row[i] + NOW, row[i] + NOW + 6, speeds.begin() + 6 * i);
  processes->forward_atoms(speeds.data());
  int told = moving;
  for (int i = 0; i < sys->nbody; i++) {
    pd_body &b = sys->body[i];
    if (!b.prescribed) continue;
    b.start.v = pd_v_load(&speeds[6 * i]);
    b.start.w = pd_v_load(&speeds[6 * i + 3]);
    b.prescribed = any_of(&speeds[6 * i]);
    told |= b.prescribed;
    pd_system_move_body(sys, i, zero, zero, b.start.v, b.start.w);
  }
  MPI_Allreduce(MPI_IN_PLACE, &told, 1, MPI_INT, MPI_MAX, world);
  moving = told != 0; /* the step to come may know better */
}

void PrescribedBodies::tell_of_step(pd_system *sys, StepCommunication *processes, double s)
{
  const pd_vec3 zero = pd_v(0.0, 0.0, 0.0);
  ways.assign((size_t)6 * sys->nbody, 0.0);
  speeds.assign((size_t)6 * sys->nbody, 0.0);
  for (int i = 0; i < atom->nlocal; i++) {
    std::copy(row[i] + WAY, row[i] + WAY + 6, ways.begin() + 6 * i);
    std::copy(row[i] + V0, row[i] + V0 + 6, speeds.begin() + 6 * i);
  }
  processes->forward_atoms(ways.data());
  processes->forward_atoms(speeds.data());
  for (int i = 0; i < sys->nbody; i++) {
    pd_body &b = sys->body[i];
    b.prescribed = !b.mobile && (any_of(&ways[6 * i]) || any_of(&speeds[6 * i]));
    if (!b.prescribed) continue;
    b.start.v = velocity(i, s);
    b.start.w = pd_scale(1.0 / dt, pd_v_load(&ways[6 * i + 3]));
    const double part = std::min(s, sys->hprev / dt); /* of the step, that has led here */
    if (part > 0.0)
      b.start.acc = pd_scale(1.0 / sys->hprev, pd_sub(b.start.v, velocity(i, s - part)));
    pd_system_move_body(sys, i, zero, zero, b.start.v, b.start.w);
  }
}

/* displacement of a body of the scene after the fraction s of the step: the cubic */
pd_vec3 PrescribedBodies::place(int i, double s) const
{
  const double *speed = &speeds[6 * i];
  const pd_vec3 way = pd_v_load(&ways[6 * i]), v0 = pd_scale(dt, pd_v_load(speed)),
                v1 = pd_scale(dt, pd_v_load(speed + 3));
  const double s2 = s * s, s3 = s2 * s;
  return pd_comb(3.0 * s2 - 2.0 * s3, way, s - 2.0 * s2 + s3, v0, s3 - s2, v1);
}

pd_vec3 PrescribedBodies::velocity(int i, double s) const
{
  const double *speed = &speeds[6 * i];
  const pd_vec3 mean = pd_scale(1.0 / dt, pd_v_load(&ways[6 * i]));
  const double s2 = s * s;
  return pd_comb(6.0 * (s - s2), mean, 1.0 - 4.0 * s + 3.0 * s2, pd_v_load(speed),
                 3.0 * s2 - 2.0 * s, pd_v_load(speed + 3));
}

/* Euler's velocities are mean ones, as those of moving walls. */
void PrescribedBodies::prescribe(pd_system *sys, double s0, double s1, double h) const
{
  for (int i = 0; moving && i < sys->nbody; i++) {
    pd_body &b = sys->body[i];
    if (!b.prescribed) continue;
    const bool means = sys->scheme.kind == PD_EULER;
    const pd_vec3 turn = pd_v_load(&ways[6 * i + 3]), u = pd_sub(place(i, s1), place(i, s0));
    const double part = s1 - s0, half = 0.5 * part * pd_norm(turn);
    const pd_vec3 alpha = pd_scale(half > 0.0 ? part * std::tan(half) / half : part, turn);
    const pd_vec3 spin = pd_scale(1.0 / dt, turn);
    b.start.v = velocity(i, s0);
    b.start.w = spin;
    pd_system_move_body(sys, i, u, alpha, means ? pd_scale(1.0 / h, u) : velocity(i, s1),
                        means ? pd_scale(1.0 / h, alpha) : spin);
  }
}
