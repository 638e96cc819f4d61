/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/styles/fix_polyhedron_memory.h"

#include <algorithm>

using namespace LAMMPS_NS;
using namespace FixConst;

FixPolyhedronMemory::FixPolyhedronMemory(LAMMPS *lmp, int narg, char **arg) : Fix(lmp, narg, arg)
{
  restart_peratom = 1;
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

int FixPolyhedronMemory::setmask() { return PRE_EXCHANGE; }

FixPolyhedronMemory *FixPolyhedronMemory::instance(LAMMPS *lmp)
{
  const std::vector<Fix *> found = Compat::fixes_of_style(lmp->modify, "polyhedron/memory");
  if (!found.empty()) return dynamic_cast<FixPolyhedronMemory *>(found[0]);
  return dynamic_cast<FixPolyhedronMemory *>(
      lmp->modify->add_fix("POLYHEDRON_MEMORY all polyhedron/memory"));
}

void FixPolyhedronMemory::pre_exchange() { maxexchange = records.max_size(atom->nlocal); }

void FixPolyhedronMemory::recall(pd_system *sys, int i, int64_t partner) const
{
  for (const Record &r : records[i])
    if (r.partner == partner && pd_system_add_friction_record(sys, r.contact))
      error->one(FLERR, "Fix polyhedron/memory: out of memory");
}

void FixPolyhedronMemory::keep(const pd_system *sys, bool pairs)
{
  auto known = [&](const Record &r) {
    if (r.partner > 0) return pairs;
    for (int w = 0; w < sys->nwall; w++)
      if (r.partner == -(int64_t)sys->wall[w].key) return true;
    return false;
  };
  for (int i = 0; i < atom->nlocal; i++) {
    auto &list = records[i];
    list.erase(std::remove_if(list.begin(), list.end(), known), list.end());
  }
  for (int n = 0; n < sys->npair; n++) {
    const pd_contact_pair &l = sys->pair[n];
    const int64_t of_a = l.wall ? -(int64_t)sys->wall[l.b].key : (int64_t)sys->body[l.b].tag;
    for (int k = 0; k < l.nold; k++) {
      const pd_friction_record &r = sys->old.r[l.old + k];
      if (l.a < atom->nlocal) records[l.a].push_back({of_a, r});
      if (!l.wall && l.b < atom->nlocal) records[l.b].push_back({(int64_t)sys->body[l.a].tag, r});
    }
  }
}

/* ---- per-atom data ---- */

void FixPolyhedronMemory::Record::pack(double *buf) const
{
  const pd_friction_history &s = contact.history;
  buf[0] = ubuf(partner).d;
  buf[1] = contact.sample[0];
  buf[2] = contact.sample[1];
  pd_v_store(buf + 3, s.gt);
  buf[6] = s.slid;
  buf[7] = s.slipping;
  pd_v_store(buf + 8, s.n);
  buf[11] = s.force;
}

FixPolyhedronMemory::Record FixPolyhedronMemory::Record::unpack(double *buf)
{
  Record r;
  r.partner = (int64_t)ubuf(buf[0]).i;
  r.contact.sample[0] = (int)buf[1];
  r.contact.sample[1] = (int)buf[2];
  r.contact.history.gt = pd_v_load(buf + 3);
  r.contact.history.slid = buf[6];
  r.contact.history.slipping = (int)buf[7];
  r.contact.history.n = pd_v_load(buf + 8);
  r.contact.history.force = buf[11];
  return r;
}

void FixPolyhedronMemory::grow_arrays(int nmax) { records.grow(nmax); }

void FixPolyhedronMemory::copy_arrays(int i, int j, int) { records.copy(i, j); }

void FixPolyhedronMemory::set_arrays(int i) { records.clear(i); }

int FixPolyhedronMemory::pack_exchange(int i, double *buf) { return records.pack_exchange(i, buf); }

int FixPolyhedronMemory::unpack_exchange(int i, double *buf)
{
  return records.unpack_exchange(i, buf);
}

int FixPolyhedronMemory::size_restart(int i) { return records.size(i); }

int FixPolyhedronMemory::maxsize_restart() { return records.max_size(atom->nlocal, world); }

int FixPolyhedronMemory::pack_restart(int i, double *buf) { return records.pack_restart(i, buf); }

void FixPolyhedronMemory::unpack_restart(int nlocal, int nth)
{
  records.unpack_restart(nlocal, nth, atom->extra[nlocal]);
}

double FixPolyhedronMemory::memory_usage() { return records.memory_usage(); }
