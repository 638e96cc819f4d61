/* SPDX-License-Identifier: GPL-2.0-or-later
 * Why a run of fix implicit/polyhedron cannot go on, in words. */
#ifndef POLYHEDRA_SUBSTEP_FAILURE_H
#define POLYHEDRA_SUBSTEP_FAILURE_H

#include "lammps/host/lmp_compat.h"

#include "solve/newton.h"

namespace LAMMPS_NS
{

/* the circumstances of a failure */
struct SubstepFailure {
  pd_status status; /* PD_OK: solved, but a body moved further than the neighbour list allows */
  pd_substep s;
  double h; /* its length */
  bigint step;
  double guard;
  double skin;
  bool fixed;          /* the number of substeps is prescribed */
  bool carries;        /* a cell that deforms carries bodies */
  std::string wall;    /* what presses on a moving wall, as BodyScene::pressed_wall says it */
  std::string worst;   /* who is furthest out of balance */
  std::string barrier; /* who is in the barrier of a law, as BarrierWatch::deepest says it */

  std::string text() const;
};

} // namespace LAMMPS_NS

#endif
