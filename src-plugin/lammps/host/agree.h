/* SPDX-License-Identifier: GPL-2.0-or-later
 * Errors that one process finds and all of them report: a process that stops alone takes the others
 * down, and on some hosts its message is lost with them. */
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

/* Called by all processes: stops them with the text of the lowest one that has any. */
inline void stop_together(LAMMPS *lmp, const std::string &file, int line, std::string text)
{
  int nprocs, me;
  MPI_Comm_size(lmp->world, &nprocs);
  MPI_Comm_rank(lmp->world, &me);
  int first = text.empty() ? nprocs : me, size = (int)text.size();
  if (nprocs > 1) MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, lmp->world);
  if (first == nprocs) return;
  MPI_Bcast(&size, 1, MPI_INT, first, lmp->world);
  text.resize(size);
  MPI_Bcast(&text[0], size, MPI_CHAR, first, lmp->world);
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
