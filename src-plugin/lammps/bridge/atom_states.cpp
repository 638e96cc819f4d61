/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/atom_states.h"

#include "lammps/bridge/other_fixes.h"
#include "lammps/bridge/step_communication.h"
#include "memory.h"

#include <algorithm>

using namespace LAMMPS_NS;

AtomStates::~AtomStates() { memory->destroy(row); }

void AtomStates::capture_external()
{
  for (int i = 0; i < atom->nlocal; i++)
    for (int k = 0; k < 3; k++) {
      row[i][FEXT + k] = atom->f[i][k];
      row[i][TEXT + k] = atom->torque[i][k];
    }
}

void AtomStates::load(pd_system *sys, StepCommunication *processes) const
{
  double *carried = processes->carrier(sys->nbody);
  for (int i = 0; i < atom->nlocal; i++) {
    pd_body &b = sys->body[i];
    const pd_constraint *c = &b.constraint; /* which may be new */
    b.start.acc = pd_constraint_free(c, c->translation, pd_v_load(row[i] + ACC));
    b.start.wdot = pd_constraint_free(c, c->rotation, pd_v_load(row[i] + WDOT));
    b.external_force = pd_v_load(row[i] + FEXT);
    b.external_torque = pd_v_load(row[i] + TEXT);
    pd_v_store(carried + 6 * i, b.start.acc);
    pd_v_store(carried + 6 * i + 3, b.start.wdot);
  }
  /* ghosts need them as well: the velocity at the end of a substep follows from them */
  processes->forward(carried);
  for (int i = atom->nlocal; i < sys->nbody; i++) {
    sys->body[i].start.acc = pd_v_load(carried + 6 * i);
    sys->body[i].start.wdot = pd_v_load(carried + 6 * i + 3);
  }
}

void AtomStates::store(const pd_system &sys)
{
  for (int i = 0; i < atom->nlocal; i++) {
    pd_v_store(row[i] + ACC, sys.body[i].start.acc);
    pd_v_store(row[i] + WDOT, sys.body[i].start.wdot);
  }
}

bool AtomStates::any_new() const
{
  for (int i = 0; i < atom->nlocal; i++)
    if (row[i][KNOWN] == 0.0) return true;
  return false;
}

void AtomStates::start_new(const pd_system &sys)
{
  for (int i = 0; i < atom->nlocal; i++) {
    if (row[i][KNOWN] != 0.0) continue;
    pd_v_store(row[i] + ACC, sys.body[i].start.acc);
    pd_v_store(row[i] + WDOT, sys.body[i].start.wdot);
    row[i][KNOWN] = 1.0;
  }
}

/* what mass and inertia took at the step's end, less the external part */
void AtomStates::keep_contact_forces(const pd_system &sys)
{
  for (int i = 0; i < atom->nlocal; i++) {
    const pd_body &b = sys.body[i];
    if (!b.mobile) continue;
    const pd_mat3 j = pd_rotate_diag(pd_q_matrix(b.start.q), b.inertia.j);
    const pd_vec3 m = pd_add(pd_cross(b.start.w, pd_mv(j, b.start.w)), pd_mv(j, b.start.wdot));
    const pd_vec3 f = pd_scale(b.inertia.mass, b.start.acc);
    pd_v_store(row[i] + FCON, pd_sub(f, b.external_force));
    pd_v_store(row[i] + TCON, pd_sub(m, b.external_torque));
  }
}

void AtomStates::add_forces_of(int i) const
{
  for (int k = 0; k < 3; k++) {
    atom->f[i][k] += row[i][FCON + k];
    atom->torque[i][k] += row[i][TCON + k];
  }
}

void AtomStates::add_contact_forces(const OtherFixes &others) const
{
  for (int i = 0; i < atom->nlocal; i++)
    if (others.moves(i)) add_forces_of(i);
}

/* ---- bodies that the step does not move ---- */

void AtomStates::forget_reactions(const OtherFixes &others)
{
  for (int i = 0; i < atom->nlocal; i++) {
    if (others.moves(i)) continue;
    std::fill(row[i] + FCON, row[i] + FCON + 6, 0.0);
    std::fill(row[i] + ACC, row[i] + ACC + 6, 0.0); /* of a body that was moved before */
  }
}

/* The mean force is that which the other side of the contact has felt: Newmark's is made of both
 * ends of the substep. */
void AtomStates::keep_reactions(const pd_system &sys, double part)
{
  const double end = sys.scheme.kind == PD_NEWMARK ? sys.scheme.gamma : 1.0;
  for (int i = 0; i < atom->nlocal; i++) {
    const pd_body &b = sys.body[i];
    if (b.mobile) continue;
    for (int k = 0; k < 6; k++)
      row[i][FCON + k] -= part * (end * b.drive[k] + (1.0 - end) * b.drive_at_start[k]);
  }
}

void AtomStates::add_reactions(const OtherFixes &others) const
{
  for (int i = 0; i < atom->nlocal; i++)
    if (!others.moves(i)) add_forces_of(i);
}

/* ---- callbacks ---- */

void AtomStates::grow(int nmax) { memory->grow(row, nmax, NCOL, "implicit/polyhedron:state"); }

void AtomStates::copy(int i, int j) { std::copy(row[i], row[i] + NCOL, row[j]); }

void AtomStates::clear(int i) { std::fill(row[i], row[i] + NCOL, 0.0); }

int AtomStates::pack_exchange(int i, double *buf) const
{
  std::copy(row[i], row[i] + NCOL, buf);
  return NCOL;
}

int AtomStates::unpack_exchange(int i, const double *buf)
{
  std::copy(buf, buf + NCOL, row[i]);
  return NCOL;
}

int AtomStates::pack_restart(int i, double *buf) const
{
  buf[0] = NCOL + 1;
  std::copy(row[i], row[i] + NCOL, buf + 1);
  return NCOL + 1;
}

/* nth: place of the fix among those whose data lie one after another in extra */
void AtomStates::unpack_restart(int i, int nth)
{
  const double *extra = atom->extra[i];
  for (int k = 0; k < nth; k++) extra += (int)extra[0];
  std::copy(extra + 1, extra + 1 + NCOL, row[i]);
}

double AtomStates::memory_usage() const { return (double)atom->nmax * NCOL * sizeof(double); }
