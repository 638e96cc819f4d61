/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/prescribed_bodies.h"

#include "atom_vec_ellipsoid.h"
#include "lammps/bridge/other_fixes.h"
#include "lammps/bridge/step_communication.h"

#include <algorithm>
#include <cmath>

using namespace LAMMPS_NS;

static double *quat_of(Atom *atom, int i)
{
  AtomVecEllipsoid *avec = dynamic_cast<AtomVecEllipsoid *>(atom->style_match("ellipsoid"));
  return avec->bonus[atom->ellipsoid[i]].quat;
}

void PrescribedBodies::note()
{
  for (int i = 0; i < atom->nlocal; i++) {
    clear(i);
    if (atom->ellipsoid[i] < 0) continue;
    const double *q = quat_of(atom, i);
    std::copy(atom->x[i], atom->x[i] + 3, row[i] + X);
    std::copy(q, q + 4, row[i] + Q);
    row[i][KNOWN] = 1.0;
  }
  moving = false;
}

/* rotation vector from one orientation to another, the short way */
static pd_vec3 rotation_between(const double *from, const double *to)
{
  const pd_quat d = pd_q_mul(pd_q(to[0], to[1], to[2], to[3]),
                             pd_q_conj(pd_q(from[0], from[1], from[2], from[3])));
  const pd_vec3 axis = pd_v(d.x, d.y, d.z);
  const double sine = pd_norm(axis);
  if (!(sine > 0.0)) return pd_v(0.0, 0.0, 0.0);
  const double angle = 2.0 * std::atan2(sine, std::fabs(d.w));
  return pd_scale((d.w < 0.0 ? -angle : angle) / sine, axis);
}

double PrescribedBodies::begin_step(const OtherFixes &others)
{
  double most[2] = {0.0, 0.0}; /* angle; whether any body moves */
  for (int i = 0; i < atom->nlocal; i++) {
    if (others.moves(i) || row[i][KNOWN] == 0.0) continue;
    double *x = atom->x[i], *q = quat_of(atom, i);
    const bool same = std::equal(x, x + 3, row[i] + X) && std::equal(q, q + 4, row[i] + Q);
    if (same) continue;
    const pd_vec3 turn = rotation_between(row[i] + Q, q);
    pd_v_store(row[i] + WAY, pd_sub(pd_v_load(x), pd_v_load(row[i] + X)));
    pd_v_store(row[i] + TURN, turn);
    std::copy(row[i] + X, row[i] + X + 3, x);
    std::copy(row[i] + Q, row[i] + Q + 4, q);
    most[0] = std::max(most[0], pd_norm(turn));
    most[1] = 1.0;
  }
  MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_DOUBLE, MPI_MAX, world);
  moving = most[1] > 0.0;
  return most[0];
}

void PrescribedBodies::load(pd_system *sys, StepCommunication *processes, double dt)
{
  for (int i = 0; i < sys->nbody; i++) {
    pd_body &b = sys->body[i];
    if (b.prescribed) b.start.v = b.start.w = pd_v(0.0, 0.0, 0.0);
    b.prescribed = 0;
  }
  if (!moving) return;
  ways.assign((size_t)6 * sys->nbody, 0.0);
  for (int i = 0; i < atom->nlocal; i++)
    std::copy(row[i] + WAY, row[i] + WAY + 6, ways.begin() + 6 * i);
  processes->forward(ways.data());
  for (int i = 0; i < sys->nbody; i++) {
    pd_body &b = sys->body[i];
    const pd_vec3 way = pd_v_load(&ways[6 * i]), turn = pd_v_load(&ways[6 * i + 3]);
    b.prescribed = !b.mobile && (pd_norm2(way) > 0.0 || pd_norm2(turn) > 0.0);
    if (b.prescribed) pd_system_move_body(sys, i, way, turn, dt);
  }
}

void PrescribedBodies::prescribe(pd_system *sys, double part, double h) const
{
  for (int i = 0; moving && i < sys->nbody; i++) {
    if (!sys->body[i].prescribed) continue;
    const pd_vec3 turn = pd_v_load(&ways[6 * i + 3]);
    const double half = 0.5 * part * pd_norm(turn);
    const double factor = half > 0.0 ? part * std::tan(half) / half : part;
    pd_system_move_body(sys, i, pd_scale(part, pd_v_load(&ways[6 * i])), pd_scale(factor, turn), h);
  }
}
