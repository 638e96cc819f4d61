/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/friction_memory.h"

#include <algorithm>

using namespace LAMMPS_NS;

void FrictionMemory::recall(pd_system *sys, int i, int64_t partner) const
{
  for (const Record &r : records[i])
    if (r.partner == partner && pd_system_add_friction_record(sys, r.contact))
      throw LocalError("Fix polyhedron/memory: out of memory");
}

void FrictionMemory::keep(const pd_system *sys, bool pairs)
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
      const pd_friction_record &r = sys->friction.at_start.r[l.old + k];
      if (l.a < atom->nlocal) records[l.a].push_back({of_a, r});
      if (!l.wall && l.b < atom->nlocal) records[l.b].push_back({(int64_t)sys->body[l.a].tag, r});
    }
  }
}

void FrictionMemory::Record::pack(double *buf) const
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

FrictionMemory::Record FrictionMemory::Record::unpack(double *buf)
{
  Record r = Record();
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
