/* SPDX-License-Identifier: GPL-2.0-or-later
 * Global data of a fix in restart files: a list of numbers, and how many there are. */
#ifndef POLYHEDRA_RESTART_STATE_H
#define POLYHEDRA_RESTART_STATE_H

#include "lammps/host/lmp_compat.h"

#include <cstdio>
#include <vector>

namespace LAMMPS_NS
{

/* What write_restart of a fix writes, on one process. The host wants the number of bytes first. */
inline void write_state(FILE *fp, const std::vector<double> &list)
{
  const double count = (double)list.size();
  const int size = (int)((list.size() + 1) * sizeof(double));
  fwrite(&size, sizeof(int), 1, fp);
  fwrite(&count, sizeof(double), 1, fp);
  fwrite(list.data(), sizeof(double), list.size(), fp);
}

/* The count numbers in what the host gives to restart of a fix; buf may not be aligned. Data of
 * another version are an error. */
inline std::vector<double> read_state(const Fix *fix, Error *error, const char *buf, size_t count)
{
  double written;
  memcpy(&written, buf, sizeof(double));
  if (written != (double)count)
    error->all(FLERR,
               fmt::format("Fix {} {}: another version of the plugin has written the restart file: "
                           "go on with that version, or take the bodies over with write_data and "
                           "read_data",
                           fix->id, fix->style));
  std::vector<double> list(count);
  memcpy(list.data(), buf + sizeof(double), count * sizeof(double));
  return list;
}

/* Bodies that a restart file is of, on all processes: atom->natoms still has those that have left
 * the box in a run where lost ones may go. */
inline double bodies_in_file(const Atom *atom, MPI_Comm world)
{
  const bigint mine = atom->nlocal;
  bigint all;
  MPI_Allreduce(&mine, &all, 1, MPI_LMP_BIGINT, MPI_SUM, world);
  return (double)all;
}

/* The host hands out what a file keeps for each atom by the atom's place in memory, in which
 * delete_atoms puts others: they have to be those of the file. */
inline void require_bodies(const Fix *fix, Error *error, double written, bigint there)
{
  if (written != (double)there)
    error->all(FLERR,
               fmt::format("Fix {} {}: the restart file is of {} atoms, and there are {}: what it "
                           "keeps for each would go to others: put run 0 before delete_atoms, "
                           "after the fixes that go on",
                           fix->id, fix->style, (bigint)written, there));
}

} // namespace LAMMPS_NS

#endif
