/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/list_watch.h"

#include "atom.h"
#include "comm.h"
#include "neighbor.h"

#include <cmath>

using namespace LAMMPS_NS;

void ListWatch::note()
{
  at.resize(atom->nlocal);
  for (int i = 0; i < atom->nlocal; i++) at[i] = pd_v_load(atom->x[i]);
}

bool ListWatch::outgrown(double image_way) const
{
  const double way = fmax(0.0, 0.5 * (neighbor->skin - image_way));
  int here = (int)at.size() != atom->nlocal || image_way > neighbor->skin, anywhere;
  for (int i = 0; i < atom->nlocal && !here; i++)
    here = pd_norm2(pd_sub(pd_v_load(atom->x[i]), at[i])) > way * way;
  MPI_Allreduce(&here, &anywhere, 1, MPI_INT, MPI_MAX, world);
  return anywhere != 0;
}
