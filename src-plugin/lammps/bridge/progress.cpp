/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/progress.h"

#include "comm.h"
#include "timer.h"
#include "update.h"

#include <algorithm>
#include <cmath>

using namespace LAMMPS_NS;

Progress::Progress(LAMMPS *lmp)
    : Pointers(lmp), interval(0.0), spent(), solver(0.0), started(0.0), time(0.0), step(0), done()
{
}

void Progress::begin(const pd_substep_counts &counts, double linear)
{
  std::fill(spent, spent + NPART, 0.0);
  solver = linear;
  started = time = MPI_Wtime();
  step = update->ntimestep;
  done = counts;
}

/* 90 is 90 s, 7200 is 2.0 h */
static std::string duration(double s)
{
  if (s < 100.0) return fmt::format("{:.0f} s", s);
  if (s < 6000.0) return fmt::format("{:.0f} min", s / 60.0);
  return s < 360000.0 ? fmt::format("{:.1f} h", s / 3600.0) : fmt::format("{:.1f} d", s / 86400.0);
}

/* The longer the run has taken, the longer it is silent: an hour has some eighty lines. */
void Progress::say(const pd_substep_counts &counts, double contacts)
{
  if (comm->me || !screen || interval <= 0.0) return;
  const double now = MPI_Wtime();
  if (now - time < std::max(interval, (now - started) / 20.0)) return;
  const double steps = (double)(update->ntimestep - step), rate = steps / (now - time);
  const double substeps = counts.accepted - done.accepted;
  const bigint left = update->laststep - update->ntimestep;
  fmt::print(screen,
             "Step {} of {}: {:.0f} contacts, {:.3g} substeps of {:.2g} and {:.3g} iterations a "
             "step, {:.3g} steps/s, {} left\n",
             update->ntimestep, update->laststep, contacts, substeps / steps,
             steps * update->dt / substeps, (counts.iterations - done.iterations) / steps, rate,
             duration((double)left / rate));
  fflush(screen);
  time = now;
  step = update->ntimestep;
  done = counts;
}

void Progress::end(const char *id, double linear)
{
  double loop = timer->get_wall(Timer::TOTAL);
  MPI_Bcast(&loop, 1, MPI_DOUBLE, 0, world);
  if (interval <= 0.0 || loop < interval) return;
  spent[LINEAR] = linear - solver;
  spent[NEWTON] -= spent[LINEAR];
  if (comm->me == 0)
    utils::logmesg(lmp,
                   fmt::format("\nTime of fix {} by part:\n"
                               "Section |  min time  |  avg time  |  max time  |%varavg| %total\n"
                               "---------------------------------------------------------------\n",
                               id));
  static const char *const names[NPART] = {"Newton", "Linear", "Lists", "State"};
  for (int i = 0; i < NPART; i++) row(names[i], spent[i], loop);
}

/* as the host's own rows */
void Progress::row(const char *name, double mine, double loop)
{
  double low, high, sums[2] = {mine, mine * mine};
  MPI_Allreduce(&mine, &low, 1, MPI_DOUBLE, MPI_MIN, world);
  MPI_Allreduce(&mine, &high, 1, MPI_DOUBLE, MPI_MAX, world);
  MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, world);
  const double mean = sums[0] / comm->nprocs;
  const double spread = mean > 0.001 ? sums[1] / comm->nprocs / mean - mean : 0.0;
  if (comm->me == 0)
    utils::logmesg(lmp,
                   fmt::format("{:8}| {:<11.5g}| {:<11.5g}| {:<11.5g}|{:6.1f} |{:6.2f}\n", name,
                               low, mean, high, spread > 1e-10 ? std::sqrt(spread) * 100.0 : 0.0,
                               mean / loop * 100.0));
}
