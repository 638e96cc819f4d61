/* SPDX-License-Identifier: GPL-2.0-or-later
 * Lists of records that belong to atoms, of any length: they move with their atoms between
 * processes and go to restart files. */
#ifndef POLYHEDRA_ATOM_RECORDS_H
#define POLYHEDRA_ATOM_RECORDS_H

#include <mpi.h>

#include <algorithm>
#include <vector>

namespace LAMMPS_NS
{

/* Record has NPACK, its length in a buffer in doubles, pack(double *) const and static
 * unpack(double *). The functions are what a fix does for its callbacks of these names. */
template <class Record> class AtomRecords
{
public:
  std::vector<Record> &operator[](int i) { return list[i]; }
  const std::vector<Record> &operator[](int i) const { return list[i]; }

  void grow(int nmax) { list.resize(nmax); }
  void copy(int i, int j) { list[j] = list[i]; }
  void clear(int i) { list[i].clear(); }

  int size(int i) const { return 1 + Record::NPACK * (int)list[i].size(); }

  /* the largest of the first nlocal atoms */
  int max_size(int nlocal) const
  {
    int n = 1;
    for (int i = 0; i < nlocal; i++) n = std::max(n, size(i));
    return n;
  }

  /* the largest of all processes: asked on all of them, for the one that writes */
  int max_size(int nlocal, MPI_Comm world) const
  {
    int n = max_size(nlocal);
    MPI_Allreduce(MPI_IN_PLACE, &n, 1, MPI_INT, MPI_MAX, world);
    return n;
  }

  int pack_exchange(int i, double *buf) const
  {
    buf[0] = (double)list[i].size();
    return pack(i, buf);
  }

  int unpack_exchange(int i, double *buf)
  {
    unpack(i, (int)buf[0], buf);
    return size(i);
  }

  int pack_restart(int i, double *buf) const
  {
    buf[0] = size(i);
    return pack(i, buf);
  }

  /* nth: place of the fix among those whose data lie one after another in extra. False: they are
   * no whole records. */
  bool unpack_restart(int i, int nth, double *extra)
  {
    for (int k = 0; k < nth; k++) extra += (int)extra[0];
    const int n = (int)extra[0] - 1;
    if (n % Record::NPACK) return false;
    unpack(i, n / Record::NPACK, extra);
    return true;
  }

  double memory_usage() const
  {
    double bytes = (double)list.capacity() * sizeof(list[0]);
    for (const auto &records : list) bytes += (double)records.capacity() * sizeof(Record);
    return bytes;
  }

private:
  std::vector<std::vector<Record>> list; /* by local index */

  int pack(int i, double *buf) const
  {
    int m = 1;
    for (const Record &r : list[i]) {
      r.pack(buf + m);
      m += Record::NPACK;
    }
    return m;
  }

  void unpack(int i, int n, double *buf)
  {
    list[i].clear();
    for (int k = 0; k < n; k++) list[i].push_back(Record::unpack(buf + 1 + Record::NPACK * k));
  }
};

} // namespace LAMMPS_NS

#endif
