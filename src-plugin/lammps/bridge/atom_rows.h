/* SPDX-License-Identifier: GPL-2.0-or-later
 * Rows of doubles, one of every atom, that move with the atoms: what a fix does for its callbacks
 * of these names. */
#ifndef POLYHEDRA_ATOM_ROWS_H
#define POLYHEDRA_ATOM_ROWS_H

#include "lammps/host/lmp_compat.h"

#include "memory.h"

#include <algorithm>

namespace LAMMPS_NS
{

template <int COLUMNS> class AtomRows : protected Pointers
{
public:
  enum { NCOL = COLUMNS }; /* doubles of an atom */

  explicit AtomRows(class LAMMPS *lmp) : Pointers(lmp), row(nullptr) {}
  ~AtomRows() override { memory->destroy(row); }

  void grow(int nmax) { memory->grow(row, nmax, NCOL, "polyhedra:atom_rows"); }
  void copy(int i, int j) { std::copy(row[i], row[i] + NCOL, row[j]); }
  void clear(int i) { std::fill(row[i], row[i] + NCOL, 0.0); }

  int pack_exchange(int i, double *buf) const
  {
    std::copy(row[i], row[i] + NCOL, buf);
    return NCOL;
  }

  int unpack_exchange(int i, const double *buf)
  {
    std::copy(buf, buf + NCOL, row[i]);
    return NCOL;
  }

  double memory_usage() const { return (double)atom->nmax * NCOL * sizeof(double); }

protected:
  double **row; /* of every atom; only those of owned ones hold something */
};

} // namespace LAMMPS_NS

#endif
