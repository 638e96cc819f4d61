/* SPDX-License-Identifier: GPL-2.0-or-later
 * What one process finds and all of them report. Errors above all: a process that stops alone takes
 * the others down, and on some hosts its message is lost with them. */
#ifndef POLYHEDRA_AGREE_H
#define POLYHEDRA_AGREE_H

#include "comm.h"
#include "error.h"
#include "lammps.h"
#include "pointers.h"

#include <mpi.h>

#include <cstdio>
#include <stdexcept>
#include <string>

namespace LAMMPS_NS
{

/* What went wrong on this process, within all_together. */
struct LocalError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/* Called by all processes: the host's error, with its text written out before any process ends.
 * Hosts that throw exceptions leave it in buffers, and mpirun ends the process that has them as
 * soon as another one has gone with an error. */
inline void stop_with_text(LAMMPS *lmp, const std::string &file, int line, const std::string &text)
{
  try {
    lmp->error->all(file, line, text);
  } catch (...) {
    if (lmp->screen) fflush(lmp->screen);
    if (lmp->logfile) fflush(lmp->logfile);
    MPI_Barrier(lmp->world);
    throw;
  }
}

/* Called by all processes: the least of their values, and the lowest process that has it. */
struct Least {
  double value;
  int rank;
};

inline Least least_of_all(LAMMPS *lmp, double value)
{
  Least mine = {value, lmp->comm->me}, all = mine;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE_INT, MPI_MINLOC, lmp->world);
  return all;
}

/* Called by all processes: gives them the text of one. */
inline void share_text(LAMMPS *lmp, int rank, std::string *text)
{
  int size = (int)text->size();
  MPI_Bcast(&size, 1, MPI_INT, rank, lmp->world);
  text->resize(size);
  MPI_Bcast(&(*text)[0], size, MPI_CHAR, rank, lmp->world);
}

/* Called by all processes: stops them with the text of the lowest one that has any. */
inline void stop_together(LAMMPS *lmp, const std::string &file, int line, std::string text)
{
  int nprocs, me;
  MPI_Comm_size(lmp->world, &nprocs);
  MPI_Comm_rank(lmp->world, &me);
  int first = text.empty() ? nprocs : me;
  if (nprocs > 1) MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, lmp->world);
  if (first == nprocs) return;
  share_text(lmp, first, &text);
  stop_with_text(lmp, file, line, text);
}

/* Called by all processes: each does work for itself, without communication, and may throw
 * LocalError. */
template <typename Work>
void all_together(LAMMPS *lmp, const std::string &file, int line, const Work &work)
{
  std::string text;
  try {
    work();
  } catch (const LocalError &e) {
    text = e.what();
  }
  stop_together(lmp, file, line, text);
}

} // namespace LAMMPS_NS

#endif
