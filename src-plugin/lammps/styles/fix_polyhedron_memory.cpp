/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/styles/fix_polyhedron_memory.h"

#include "lammps/bridge/restart_state.h"
#include "update.h"

#include <algorithm>

using namespace LAMMPS_NS;
using namespace FixConst;

FixPolyhedronMemory::FixPolyhedronMemory(LAMMPS *lmp, int narg, char **arg)
    : Fix(lmp, narg, arg), contacts(lmp, &maxexchange)
{
  restart_peratom = restart_global = 1;
  create_attribute = 1;
  maxexchange_dynamic = 1;
  maxexchange = 1;
  grow_arrays(atom->nmax);
  atom->add_callback(Atom::GROW);
  atom->add_callback(Atom::RESTART);
}

FixPolyhedronMemory::~FixPolyhedronMemory()
{
  atom->delete_callback(id, Atom::GROW);
  atom->delete_callback(id, Atom::RESTART);
}

int FixPolyhedronMemory::setmask() { return PRE_EXCHANGE | POST_RUN; }

FixPolyhedronMemory *FixPolyhedronMemory::instance(LAMMPS *lmp)
{
  const std::vector<Fix *> found = Compat::fixes_of_style(lmp->modify, "polyhedron/memory");
  if (!found.empty()) return dynamic_cast<FixPolyhedronMemory *>(found[0]);
  return dynamic_cast<FixPolyhedronMemory *>(
      lmp->modify->add_fix("POLYHEDRON_MEMORY all polyhedron/memory"));
}

void FixPolyhedronMemory::setup_pre_exchange() { pre_exchange(); }

/* on all processes: an atom that comes here may have to go on along another axis */
void FixPolyhedronMemory::pre_exchange()
{
  contacts.take();
  maxexchange = std::max(maxexchange, contacts.records.max_size(atom->nlocal, world));
}

void FixPolyhedronMemory::post_run()
{
  contacts.take();
  if (update->ntimestep > update->firststep) contacts.end_run();
}

void FixPolyhedronMemory::write_restart(FILE *fp)
{
  const double bodies = bodies_in_file(atom, world);
  if (comm->me == 0) write_state(fp, {bodies});
}

void FixPolyhedronMemory::restart(char *buf)
{
  require_bodies(this, error, read_state(this, error, buf, 1)[0], atom->natoms);
}

/* ---- per-atom data ---- */

void FixPolyhedronMemory::grow_arrays(int nmax) { contacts.records.grow(nmax); }

/* the first that moves finds all in their places */
void FixPolyhedronMemory::copy_arrays(int i, int j, int)
{
  contacts.take();
  contacts.records.copy(i, j);
}

void FixPolyhedronMemory::set_arrays(int i)
{
  contacts.records.clear(i);
  contacts.note_created();
}

int FixPolyhedronMemory::pack_exchange(int i, double *buf)
{
  contacts.take();
  return contacts.records.pack_exchange(i, buf);
}

int FixPolyhedronMemory::unpack_exchange(int i, double *buf)
{
  const int n = contacts.records.unpack_exchange(i, buf);
  contacts.count_room(i);
  return n;
}

int FixPolyhedronMemory::size_restart(int i)
{
  contacts.take();
  return contacts.records.size(i);
}

int FixPolyhedronMemory::maxsize_restart()
{
  contacts.take();
  return contacts.records.max_size(atom->nlocal, world);
}

int FixPolyhedronMemory::pack_restart(int i, double *buf)
{
  contacts.take();
  return contacts.records.pack_restart(i, buf);
}

void FixPolyhedronMemory::unpack_restart(int nlocal, int nth)
{
  if (!contacts.records.unpack_restart(nlocal, nth, atom->extra[nlocal]))
    error->one(FLERR,
               "Fix polyhedron/memory: another version of the plugin has written the restart "
               "file: go on with that version, or take the bodies over with write_data and "
               "read_data");
  contacts.count_room(nlocal);
}

double FixPolyhedronMemory::memory_usage() { return contacts.records.memory_usage(); }
