/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/atom_states.h"

#include "lammps/bridge/load_set.h"
#include "lammps/bridge/other_fixes.h"
#include "lammps/bridge/step_communication.h"

#include "base/numbers.h"

#include <algorithm>
#include <functional>

using namespace LAMMPS_NS;

static double known_as(bool moved) { return moved ? 1.0 : 2.0; }

void AtomStates::capture_external()
{
  for (int i = 0; i < atom->nlocal; i++)
    for (int k = 0; k < 3; k++) {
      row[i][FEXT + k] = atom->f[i][k];
      row[i][TEXT + k] = atom->torque[i][k];
    }
}

void AtomStates::follow_external(const pd_system &sys)
{
  for (int i = 0; i < atom->nlocal; i++) {
    const pd_body &b = sys.body[i];
    const pd_vec3 df = pd_sub(pd_v_load(atom->f[i]), pd_v_load(row[i] + FEXT));
    const pd_vec3 dm = pd_sub(pd_v_load(atom->torque[i]), pd_v_load(row[i] + TEXT));
    if (!b.mobile || row[i][KNOWN] != known_as(true) ||
        (pd_norm2(df) == 0.0 && pd_norm2(dm) == 0.0))
      continue;
    pd_vec3 dacc, dwdot;
    pd_constraint_respond(&b.constraint, &b.start, &b.inertia, df, dm, &dacc, &dwdot);
    pd_v_store(row[i] + ACC, pd_add(pd_v_load(row[i] + ACC), dacc));
    pd_v_store(row[i] + WDOT, pd_add(pd_v_load(row[i] + WDOT), dwdot));
  }
}

/* a body that has been created within the step has not been moved yet */
void AtomStates::note_change(const OtherFixes &others, const std::vector<LoadSet *> &loads,
                             double part)
{
  pd_vec3 f, m;
  const auto add = [&](int i, pd_vec3 df, pd_vec3 dm) {
    pd_v_store(row[i] + DF, pd_axpy(pd_v_load(row[i] + DF), part, df));
    pd_v_store(row[i] + DT, pd_axpy(pd_v_load(row[i] + DT), part, dm));
  };
  for (int i = 0; i < atom->nlocal; i++) {
    if (!others.moves(i) || row[i][KNOWN] != known_as(true)) {
      std::fill(row[i] + DF, row[i] + DF + 6, 0.0);
      continue;
    }
    add(i, pd_sub(pd_v_load(atom->f[i]), pd_v_load(row[i] + FEXT)),
        pd_sub(pd_v_load(atom->torque[i]), pd_v_load(row[i] + TEXT)));
    for (const LoadSet *l : loads)
      if (l->change_on(i, &f, &m)) add(i, f, m);
  }
}

/* what the noted changes of force and torque on a body have to do with its motion */
AtomStates::Response AtomStates::response(int i, const pd_body &b,
                                          const SupportMotion::Motion &past) const
{
  const pd_constraint *c = &b.constraint;
  pd_vec3 dacc, dwdot;
  pd_constraint_respond(c, &b.start, &b.inertia, pd_v_load(row[i] + DF), pd_v_load(row[i] + DT),
                        &dacc, &dwdot);
  const pd_vec3 v = pd_constraint_free(c, c->hinged ? 0 : c->translation,
                                       pd_sub(b.start.v, past.v)),
                w = pd_constraint_free(c, c->rotation, pd_sub(b.start.w, past.w)),
                dl = pd_inertia_impulse(b.start.q, &b.inertia, dwdot);
  return {b.inertia.mass * pd_norm2(v) + pd_dot(w, pd_inertia_impulse(b.start.q, &b.inertia, w)),
          b.inertia.mass * pd_dot(v, dacc) + pd_dot(w, dl),
          b.inertia.mass * pd_norm2(dacc) + pd_dot(dwdot, dl)};
}

/* the largest squared acceleration by the noted changes, of all processes */
double AtomStates::largest_response(const pd_system &sys, StepCommunication *processes) const
{
  double most = 0.0;
  for (int i = 0; i < atom->nlocal; i++)
    if (sys.body[i].mobile)
      most = std::max(most, response(i, sys.body[i], SupportMotion::STILL).given /
                                sys.body[i].inertia.mass);
  pd_global_max(&processes->services()->communication, &most, 1);
  return most;
}

/* A body whose own forces have not changed stays on its support where it is as slow past it as one
 * that is held may be: what rests on it may be held. */
void AtomStates::keep_back(const pd_system &sys, double dt, StepCommunication *processes)
{
  if (!processes->anywhere(external_changed())) return;
  const double least = 0.5 * PD_HELD_SPEED * dt; /* of the speed, over the acceleration */
  touches.resize(sys.nbody);
  pd_system_find_touching(&sys, touches.data());
  const double most = largest_response(sys, processes);
  support.find(sys, processes, [&](int i, const SupportMotion::Motion &m) {
    const Response r = response(i, sys.body[i], m);
    return r.now < least * least * (r.given > 0.0 ? r.given : most * sys.body[i].inertia.mass);
  });
  for (int i = 0; i < atom->nlocal; i++) {
    if (!touches[i] || !sys.body[i].mobile || row[i][KNOWN] != known_as(true)) continue;
    const Response r = response(i, sys.body[i], support.at(i));
    const bool stays = r.now < least * least * r.given && support.is_anchored(i);
    row[i][HELD] = support.has(i) || (stays && !support.is_driven(i));
  }
}

/* Where contacts let the part p of the change go, of a force that has grown evenly over the step
 * before, the body has been free for the part p of that step, by half of p of the change in the
 * mean. */
void AtomStates::give_back(const pd_system &sys, double dt, StepCommunication *processes)
{
  bool held = false;
  for (int i = 0; i < atom->nlocal; i++) held |= row[i][HELD] != 0.0;
  if (!processes->anywhere(held)) return;
  support.find(sys, processes,
               [this](int i, const SupportMotion::Motion &) { return row[i][HELD] != 0.0; });
  for (int i = 0; i < atom->nlocal; i++) {
    if (row[i][HELD] == 0.0) continue;
    const Response r = response(i, sys.body[i], support.at(i));
    const double part = r.given > 0.0 ? r.along / (dt * r.given) : 0.0;
    const double moved = std::min(1.0, std::max(0.0, part));
    for (int k = 0; k < 6; k++) row[i][DF + k] *= moved * moved;
    row[i][HELD] = 0.0;
  }
}

bool AtomStates::external_changed() const
{
  for (int i = 0; i < atom->nlocal; i++)
    for (int k = 0; k < 6; k++)
      if (row[i][DF + k] != 0.0 && row[i][HELD] == 0.0) return true;
  return false;
}

/* those whose forces have not changed keep their bits */
double AtomStates::correct(pd_system *sys, double dt)
{
  double work = 0.0;
  for (int k = 0; k < sys->norder; k++) {
    const int i = sys->order[k];
    pd_body &b = sys->body[i];
    if (b.wall || row[i][HELD] != 0.0) continue; /* a wall is no atom */
    const pd_vec3 df = pd_v_load(row[i] + DF), dm = pd_v_load(row[i] + DT);
    std::fill(row[i] + DF, row[i] + DF + 6, 0.0);
    if (!b.mobile) continue;
    pd_vec3 dacc, dwdot;
    pd_constraint_respond(&b.constraint, &b.start, &b.inertia, df, dm, &dacc, &dwdot);
    work += pd_correct(&b.inertia, dt, dacc, dwdot, &b.start);
    const pd_vec3 dl = pd_inertia_impulse(b.start.q, &b.inertia, dwdot);
    pd_v_store(atom->v[i], b.start.v);
    pd_v_store(atom->angmom[i], pd_axpy(pd_v_load(atom->angmom[i]), 0.5 * dt, dl));
    pd_v_store(row[i] + ACC, b.start.acc);
    pd_v_store(row[i] + WDOT, b.start.wdot);
  }
  return work;
}

void AtomStates::load(pd_system *sys, StepCommunication *processes) const
{
  double *carried = processes->carrier(sys->nbody);
  for (int i = 0; i < atom->nlocal; i++) {
    pd_body &b = sys->body[i];
    const pd_constraint *c = &b.constraint; /* which may be new */
    b.start.acc = pd_constraint_acceleration(c, &b.start, pd_v_load(row[i] + ACC));
    b.start.wdot = pd_constraint_free(c, c->rotation, pd_v_load(row[i] + WDOT));
    b.rest.mean_over = row[i][MEAN_OVER];
    b.rest.mean_acc = pd_v_load(row[i] + MEAN_ACC);
    b.rest.mean_wdot = pd_v_load(row[i] + MEAN_WDOT);
    b.rest.mean_is_old = 1;
    b.rest.rested = static_cast<int>(row[i][RESTED]);
    b.rest.borne_by = static_cast<long>(row[i][BORNE_BY]);
    b.external_force = pd_v_load(row[i] + FEXT);
    b.external_torque = pd_v_load(row[i] + TEXT);
    pd_v_store(carried + 6 * i, b.start.acc);
    pd_v_store(carried + 6 * i + 3, b.start.wdot);
  }
  /* ghosts need them as well: the velocity at the end of a substep follows from them */
  const auto ghosts = [&](const std::function<void(pd_body *, const double *)> &take) {
    processes->forward_atoms(carried);
    for (int i = atom->nlocal; i < sys->nbody && !sys->body[i].wall; i++)
      take(&sys->body[i], carried + 6 * i);
  };
  ghosts([](pd_body *b, const double *from) {
    b->start.acc = pd_v_load(from);
    b->start.wdot = pd_v_load(from + 3);
  });
  for (int i = 0; i < atom->nlocal; i++) std::copy_n(row[i] + MEAN_ACC, 6, carried + 6 * i);
  ghosts([](pd_body *b, const double *from) {
    b->rest.mean_acc = pd_v_load(from);
    b->rest.mean_wdot = pd_v_load(from + 3);
  });
  for (int i = 0; i < atom->nlocal; i++) {
    carried[6 * i] = row[i][MEAN_OVER];
    carried[6 * i + 1] = row[i][RESTED];
    carried[6 * i + 2] = row[i][BORNE_BY];
  }
  ghosts([](pd_body *b, const double *from) {
    b->rest.mean_over = from[0];
    b->rest.mean_is_old = 1;
    b->rest.rested = static_cast<int>(from[1]);
    b->rest.borne_by = static_cast<long>(from[2]);
  });
}

void AtomStates::store(const pd_system &sys)
{
  for (int i = 0; i < atom->nlocal; i++) {
    pd_v_store(row[i] + ACC, sys.body[i].start.acc);
    pd_v_store(row[i] + WDOT, sys.body[i].start.wdot);
    row[i][MEAN_OVER] = sys.body[i].rest.mean_over;
    pd_v_store(row[i] + MEAN_ACC, sys.body[i].rest.mean_acc);
    pd_v_store(row[i] + MEAN_WDOT, sys.body[i].rest.mean_wdot);
    row[i][RESTED] = sys.body[i].rest.rested;
    row[i][BORNE_BY] = static_cast<double>(sys.body[i].rest.borne_by);
  }
}

bool AtomStates::any_new(const OtherFixes &others) const
{
  for (int i = 0; i < atom->nlocal; i++)
    if (row[i][KNOWN] != known_as(others.moves(i))) return true;
  return false;
}

std::vector<bool> AtomStates::new_ones(int nbody, StepCommunication *processes) const
{
  double *carried = processes->carrier(nbody);
  for (int i = 0; i < atom->nlocal; i++) carried[6 * i] = row[i][KNOWN];
  processes->forward_atoms(carried);
  std::vector<bool> fresh(nbody); /* walls are none */
  for (int i = 0; i < atom->nlocal + atom->nghost; i++) fresh[i] = carried[6 * i] == 0.0;
  return fresh;
}

void AtomStates::start_new(const pd_system &sys)
{
  for (int i = 0; i < atom->nlocal; i++) {
    const double known = known_as(sys.body[i].mobile);
    if (row[i][KNOWN] == known) continue;
    pd_v_store(row[i] + ACC, sys.body[i].start.acc);
    pd_v_store(row[i] + WDOT, sys.body[i].start.wdot);
    std::copy(sys.body[i].reaction_at_start, sys.body[i].reaction_at_start + 6, row[i] + REACTION);
    row[i][KNOWN] = known;
  }
}

void AtomStates::forget_velocity(int i)
{
  std::fill(row[i] + DF, row[i] + DF + 6, 0.0);
  row[i][HELD] = row[i][MEAN_OVER] = row[i][RESTED] = 0.0;
}

void AtomStates::keep_momentum(int i, double *columns) const
{
  pd_v_store(columns + P, pd_scale(atom->rmass[i], pd_v_load(atom->v[i])));
  pd_v_store(columns + L, pd_v_load(atom->angmom[i]));
}

void AtomStates::note_velocities()
{
  for (int i = 0; i < atom->nlocal; i++) keep_momentum(i, row[i]);
  noted = true;
}

void AtomStates::forget_other_velocities()
{
  for (int i = 0; noted && i < atom->nlocal; i++) {
    double now[NCOL];
    keep_momentum(i, now);
    if (std::equal(now + P, now + P + 6, row[i] + P)) continue;
    forget_velocity(i);
    keep_momentum(i, row[i]);
  }
}

void AtomStates::begin_mean()
{
  noted = false;
  for (int i = 0; i < atom->nlocal; i++) {
    keep_momentum(i, row[i]);
    std::fill(row[i] + STRESS, row[i] + STRESS + 6, 0.0);
  }
}

void AtomStates::add_stress(const pd_system &sys, double part)
{
  stress.assign((size_t)6 * sys.nbody, 0.0);
  pd_system_add_stress(&sys, part, stress.data());
  for (int i = 0; i < atom->nlocal; i++)
    for (int k = 0; k < 6; k++) row[i][STRESS + k] += stress[6 * i + k];
}

double AtomStates::take_change(const std::vector<pd_vec3> &change, const OtherFixes &others)
{
  double gain = 0.0;
  for (int i = 0; i < atom->nlocal; i++) {
    const pd_vec3 momentum = pd_scale(atom->rmass[i], change[i]);
    pd_v_store(row[i] + P, pd_add(pd_v_load(row[i] + P), momentum));
    const pd_vec3 mean = pd_axpy(pd_v_load(atom->v[i]), -0.5, change[i]);
    if (others.moves(i)) gain += pd_dot(momentum, mean);
  }
  return gain;
}

/* the external forces have been held over the step */
void AtomStates::end_mean(double dt, const OtherFixes &others)
{
  for (int i = 0; i < atom->nlocal; i++) {
    if (!others.moves(i)) continue;
    for (int k = 0; k < 3; k++) {
      const double dp = atom->rmass[i] * atom->v[i][k] - row[i][P + k];
      const double dl = atom->angmom[i][k] - row[i][L + k];
      row[i][FMEAN + k] = dp / dt - row[i][FEXT + k];
      row[i][TMEAN + k] = dl / dt - row[i][TEXT + k];
    }
  }
}

void AtomStates::add_contact_forces(const pd_system &sys) const
{
  for (int i = 0; i < atom->nlocal; i++)
    if (sys.body[i].mobile) add_forces(i, sys.assembly.force + 6 * i);
}

void AtomStates::add_forces(int i, const double *force) const
{
  for (int k = 0; k < 3; k++) {
    atom->f[i][k] += force[k];
    atom->torque[i][k] += force[3 + k];
  }
}

/* ---- bodies that the step does not move ---- */

void AtomStates::forget_reactions(const OtherFixes &others)
{
  for (int i = 0; i < atom->nlocal; i++) {
    if (others.moves(i)) continue;
    std::fill(row[i] + FMEAN, row[i] + FMEAN + 6, 0.0);
    std::fill(row[i] + ACC, row[i] + ACC + 6, 0.0); /* of a body that was moved before */
  }
}

/* The mean force is that which the other side of the contact has felt: Newmark's is made of both
 * ends of the substep. That of the start is in the other side's acceleration since the substep
 * before, whatever velocity another fix has given this body meanwhile. */
void AtomStates::keep_reactions(const pd_system &sys, double part)
{
  const double end = sys.scheme.kind == PD_NEWMARK ? sys.scheme.gamma : 1.0;
  for (int i = 0; i < atom->nlocal; i++) {
    const pd_body &b = sys.body[i];
    if (b.mobile) {
      std::fill(row[i] + REACTION, row[i] + REACTION + 6, 0.0);
      continue;
    }
    for (int k = 0; k < 6; k++)
      row[i][FMEAN + k] -= part * (end * b.reaction[k] + (1.0 - end) * row[i][REACTION + k]);
    std::copy(b.reaction, b.reaction + 6, row[i] + REACTION);
  }
}

void AtomStates::add_reactions(const OtherFixes &others) const
{
  for (int i = 0; i < atom->nlocal; i++)
    if (!others.moves(i)) add_forces(i, row[i] + FMEAN);
}

/* ---- restart ---- */

int AtomStates::pack_restart(int i, double *buf) const
{
  buf[0] = NCOL + 1;
  std::copy(row[i], row[i] + NCOL, buf + 1);
  keep_momentum(i, buf + 1);
  return NCOL + 1;
}

/* nth: place of the fix among those whose data lie one after another in extra */
void AtomStates::unpack_restart(int i, int nth)
{
  const double *extra = atom->extra[i];
  for (int k = 0; k < nth; k++) extra += (int)extra[0];
  std::copy(extra + 1, extra + 1 + NCOL, row[i]);
}
