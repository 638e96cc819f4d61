/* SPDX-License-Identifier: GPL-2.0-or-later
 * Computes of the host that variables look at in the middle of a step, or ahead of it. */
#ifndef POLYHEDRA_FRESH_COMPUTES_H
#define POLYHEDRA_FRESH_COMPUTES_H

#include "lammps/host/lmp_compat.h"

#include "compute.h"
#include "update.h"

namespace LAMMPS_NS
{

/* Whoever asks a compute next gets what is then, also in the same step. */
inline void forget_computes(Modify *modify)
{
  modify->clearstep_compute();
  for (int i = 0; i < modify->ncompute; i++) {
    Compute *c = modify->compute[i];
    c->invoked_scalar = c->invoked_vector = c->invoked_array = -1;
    c->invoked_peratom = c->invoked_local = -1;
  }
}

/* While one of these lives, variables are evaluated: computes are asked anew then, and again after
 * it. Energies and virials are those of the last forces, and are tallied in the next step, too. */
class FreshComputes : protected Pointers
{
public:
  explicit FreshComputes(LAMMPS *lmp)
      : Pointers(lmp), energy(update->eflag_global), virial(update->vflag_global),
        energies(update->eflag_atom), virials(update->vflag_atom)
  {
    const bigint now = update->ntimestep;
    modify->clearstep_compute();
    update->eflag_global = update->vflag_global = now;
    if (energies == now - 1) update->eflag_atom = now;
    if (virials == now - 1) update->vflag_atom = now;
  }

  ~FreshComputes() override
  {
    modify->addstep_compute(update->ntimestep + 1);
    update->eflag_global = energy;
    update->vflag_global = virial;
    update->eflag_atom = energies;
    update->vflag_atom = virials;
    forget_computes(modify);
  }

  FreshComputes(const FreshComputes &) = delete;
  FreshComputes &operator=(const FreshComputes &) = delete;

private:
  bigint energy, virial, energies, virials; /* steps in which these were tallied last */
};

/* While one of these lives, the host's clock is a step ahead. */
class NextStep : protected Pointers
{
public:
  explicit NextStep(LAMMPS *lmp) : Pointers(lmp)
  {
    modify->clearstep_compute();
    update->ntimestep++;
  }

  ~NextStep() override
  {
    forget_computes(modify);
    update->ntimestep--;
  }

  NextStep(const NextStep &) = delete;
  NextStep &operator=(const NextStep &) = delete;
};

} // namespace LAMMPS_NS

#endif
