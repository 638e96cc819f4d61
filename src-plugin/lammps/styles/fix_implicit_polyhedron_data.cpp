/* SPDX-License-Identifier: GPL-2.0-or-later
 * What fix implicit/polyhedron keeps: of the run in restart files, of the atoms in rows that move
 * with them. */
#include "lammps/styles/fix_implicit_polyhedron.h"

#include "lammps/bridge/body_scene.h"
#include "lammps/bridge/restart_state.h"

#include "lammps/host/clock.h"

using namespace LAMMPS_NS;

/* ---- restart files: lengths of substeps, accounts and time go on where they were ---- */

void FixImplicitPolyhedron::write_restart(FILE *fp)
{
  const double bodies = bodies_in_file(atom, world);
  if (comm->me) return;
  const double before = scene ? scene->sys.hprev : hprev;
  std::vector<double> list = account.state({control.step, control.failed, simulated_time(update),
                                            (double)update->ntimestep, before, length});
  cell.append_state(&list);
  list.push_back(bodies);
  write_state(fp, list);
}

void FixImplicitPolyhedron::restart(char *buf)
{
  const std::vector<double> list =
      read_state(this, error, buf, StepAccount::NSTATE + Cell::NSTATE + 1);
  require_bodies(this, error, list.back(), atom->natoms);
  const RestartHead head = account.restore(list);
  cell.restore(list.data() + StepAccount::NSTATE);
  control.step = head.step;
  control.failed = head.failed;
  hprev = head.before;
  length = head.length;
  restore_time(update, head.time, head.timestep); /* early files have it here alone */
  states.take_velocities_as_noted();
}

/* ---- data of atoms ---- */

void FixImplicitPolyhedron::grow_arrays(int nmax)
{
  states.grow(nmax);
  array_atom = states.output();
  prescribed.grow(nmax);
}

void FixImplicitPolyhedron::copy_arrays(int i, int j, int)
{
  states.copy(i, j);
  prescribed.copy(i, j);
}

void FixImplicitPolyhedron::set_arrays(int i)
{
  states.clear(i);
  prescribed.clear(i);
}

int FixImplicitPolyhedron::pack_exchange(int i, double *buf)
{
  const int n = states.pack_exchange(i, buf);
  return n + prescribed.pack_exchange(i, buf + n);
}

int FixImplicitPolyhedron::unpack_exchange(int i, double *buf)
{
  const int n = states.unpack_exchange(i, buf);
  return n + prescribed.unpack_exchange(i, buf + n);
}

double FixImplicitPolyhedron::memory_usage()
{
  const double blocks = scene ? (double)scene->sys.assembly.cap_values : 0.0;
  return states.memory_usage() + prescribed.memory_usage() + 36.0 * blocks * sizeof(double);
}
