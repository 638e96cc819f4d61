/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fix_polyhedron_memory.h"

#include <algorithm>

using namespace LAMMPS_NS;
using namespace FixConst;

/* doubles of a record in a buffer */
static const int NPACK = 12;

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

size_t FixPolyhedronMemory::longest() const
{
  size_t n = 0;
  for (int i = 0; i < atom->nlocal; i++) n = std::max(n, records[i].size());
  return n;
}

void FixPolyhedronMemory::pre_exchange() { maxexchange = 1 + NPACK * (int)longest(); }

void FixPolyhedronMemory::recall(pd_system *sys, int i, int64_t partner) const
{
  for (const Record &r : records[i])
    if (r.partner == partner && pd_system_remember(sys, r.slip))
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
  for (int n = 0; n < sys->nlink; n++) {
    const pd_link &l = sys->link[n];
    const int64_t of_a = l.wall ? -(int64_t)sys->wall[l.b].key : (int64_t)sys->body[l.b].tag;
    for (int k = 0; k < l.nold; k++) {
      const pd_slip_record &r = sys->old.r[l.old + k];
      if (l.a < atom->nlocal) records[l.a].push_back({of_a, r});
      if (!l.wall && l.b < atom->nlocal) records[l.b].push_back({(int64_t)sys->body[l.a].tag, r});
    }
  }
}

/* ---- per-atom data ---- */

void FixPolyhedronMemory::grow_arrays(int nmax) { records.resize(nmax); }

void FixPolyhedronMemory::copy_arrays(int i, int j, int) { records[j] = records[i]; }

void FixPolyhedronMemory::set_arrays(int i) { records[i].clear(); }

static void pack(const FixPolyhedronMemory::Record &r, double *buf)
{
  const pd_slip &s = r.slip.slip;
  buf[0] = ubuf(r.partner).d;
  buf[1] = r.slip.sample[0];
  buf[2] = r.slip.sample[1];
  pd_v_store(buf + 3, s.gt);
  buf[6] = s.slid;
  buf[7] = s.slipping;
  pd_v_store(buf + 8, s.n);
  buf[11] = s.force;
}

static FixPolyhedronMemory::Record unpack(double *buf)
{
  FixPolyhedronMemory::Record r;
  r.partner = (int64_t)ubuf(buf[0]).i;
  r.slip.sample[0] = (int)buf[1];
  r.slip.sample[1] = (int)buf[2];
  r.slip.slip.gt = pd_v_load(buf + 3);
  r.slip.slip.slid = buf[6];
  r.slip.slip.slipping = (int)buf[7];
  r.slip.slip.n = pd_v_load(buf + 8);
  r.slip.slip.force = buf[11];
  return r;
}

int FixPolyhedronMemory::pack_exchange(int i, double *buf)
{
  int m = 0;
  buf[m++] = (double)records[i].size();
  for (const Record &r : records[i]) {
    pack(r, buf + m);
    m += NPACK;
  }
  return m;
}

int FixPolyhedronMemory::unpack_exchange(int i, double *buf)
{
  int m = 0;
  const int n = (int)buf[m++];
  records[i].clear();
  for (int k = 0; k < n; k++, m += NPACK) records[i].push_back(unpack(buf + m));
  return m;
}

int FixPolyhedronMemory::size_restart(int i) { return 1 + NPACK * (int)records[i].size(); }

/* asked on all processes, written by one */
int FixPolyhedronMemory::maxsize_restart()
{
  const int mine = 1 + NPACK * (int)longest();
  int all;
  MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MAX, world);
  return all;
}

int FixPolyhedronMemory::pack_restart(int i, double *buf)
{
  buf[0] = size_restart(i);
  for (size_t k = 0; k < records[i].size(); k++) pack(records[i][k], buf + 1 + NPACK * k);
  return size_restart(i);
}

void FixPolyhedronMemory::unpack_restart(int nlocal, int nth)
{
  double *extra = atom->extra[nlocal];
  int m = 0;
  for (int i = 0; i < nth; i++) m += static_cast<int>(extra[m]);
  const int n = (static_cast<int>(extra[m]) - 1) / NPACK;
  records[nlocal].clear();
  for (int k = 0; k < n; k++) records[nlocal].push_back(unpack(extra + m + 1 + NPACK * k));
}

double FixPolyhedronMemory::memory_usage()
{
  double bytes = (double)records.capacity() * sizeof(records[0]);
  for (const auto &list : records) bytes += (double)list.capacity() * sizeof(Record);
  return bytes;
}
