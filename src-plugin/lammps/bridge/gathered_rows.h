/* SPDX-License-Identifier: GPL-2.0-or-later
 * Rows of all processes on the first one, or on each. */
#ifndef POLYHEDRA_GATHERED_ROWS_H
#define POLYHEDRA_GATHERED_ROWS_H

#include "lammps/host/lmp_compat.h"

#include <algorithm>
#include <array>

namespace LAMMPS_NS
{

/* Process 0 gets all rows in the order of their first value, those where it is equal as the process
 * that has them had them; the others get none. Rows with the same first value must all be of one
 * process: then the result does not depend on how many there are. Collective. */
template <size_t N>
std::vector<std::array<double, N>> gather_rows(LAMMPS *lmp, std::vector<std::array<double, N>> rows)
{
  typedef std::array<double, N> Row;
  const int me = lmp->comm->me, nprocs = lmp->comm->nprocs;
  const auto values = [](Row *r) { return r->data(); };
  int mine = (int)rows.size();
  MPI_Datatype row;
  MPI_Type_contiguous((int)N, MPI_DOUBLE, &row);
  MPI_Type_commit(&row);
  std::vector<int> count(nprocs);
  MPI_Gather(&mine, 1, MPI_INT, count.data(), 1, MPI_INT, 0, lmp->world);
  if (me > 0 && mine > 0) MPI_Send(values(rows.data()), mine, row, 0, 0, lmp->world);
  if (me > 0) rows.clear();
  for (int from = 1; me == 0 && from < nprocs; from++) {
    if (!count[from]) continue;
    const size_t have = rows.size();
    rows.resize(have + count[from]);
    MPI_Recv(values(&rows[have]), count[from], row, from, 0, lmp->world, MPI_STATUS_IGNORE);
  }
  MPI_Type_free(&row);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row &a, const Row &b) { return a[0] < b[0]; });
  return rows;
}

/* All processes get the rows of all, in the order of the processes. Row: double, or an array of
 * doubles. Collective. */
template <class Row> std::vector<Row> rows_of_all(LAMMPS *lmp, const std::vector<Row> &mine)
{
  const int width = (int)(sizeof(Row) / sizeof(double));
  const int n = width * (int)mine.size(), nprocs = lmp->comm->nprocs;
  std::vector<int> counts(nprocs), at(nprocs, 0);
  MPI_Allgather(&n, 1, MPI_INT, counts.data(), 1, MPI_INT, lmp->world);
  for (int p = 1; p < nprocs; p++) at[p] = at[p - 1] + counts[p - 1];
  std::vector<Row> all((at.back() + counts.back()) / width);
  MPI_Allgatherv(mine.data(), n, MPI_DOUBLE, all.data(), counts.data(), at.data(), MPI_DOUBLE,
                 lmp->world);
  return all;
}

} // namespace LAMMPS_NS

#endif
