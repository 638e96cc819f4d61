/* SPDX-License-Identifier: GPL-2.0-or-later
 * What a long run says on the screen: a line every so often, and at the end its time by part. */
#ifndef POLYHEDRA_PROGRESS_H
#define POLYHEDRA_PROGRESS_H

#include "lammps/host/lmp_compat.h"

#include "solve/substep_control.h"

namespace LAMMPS_NS
{

class Progress : protected Pointers
{
public:
  enum Part { NEWTON, LINEAR, LISTS, STATE, NPART };

  double interval; /* s of wall time between two lines, 0: silent; shorter runs are silent too */

  explicit Progress(LAMMPS *lmp);

  /* A run begins; linear: s that its solver has spent so far. */
  void begin(const pd_substep_counts &counts, double linear);

  /* At the end of a step. */
  void say(const pd_substep_counts &counts, double contacts);

  /* A run has ended: the time by part. All processes have to call it. */
  void end(const char *id, double linear);

  /* Adds the time that it lives to a part. */
  class Watch
  {
  public:
    Watch(Progress *of, Part part) : sum(&of->spent[part]), start(MPI_Wtime()) {}
    ~Watch() { *sum += MPI_Wtime() - start; }
    Watch(const Watch &) = delete;
    Watch &operator=(const Watch &) = delete;

  private:
    double *sum, start;
  };

private:
  double spent[NPART]; /* s of this process in this run */
  double solver;       /* s that it had spent before this run */
  double started;      /* wall time */
  /* at the last line */
  double time;
  bigint step;
  pd_substep_counts done;

  void row(const char *name, double mine, double loop);
};

} // namespace LAMMPS_NS

#endif
