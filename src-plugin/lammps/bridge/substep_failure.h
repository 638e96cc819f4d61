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
  pd_status status{PD_OK}; /* PD_OK: solved, but a body has moved out of the neighbour list */
  pd_substep s{};
  double h{0.0}; /* its length */
  bigint step{0};
  double guard{0.0};
  double skin{0.0};    /* by which lists reach further than contact */
  bool fixed{false};   /* the number of substeps is prescribed */
  bool carries{false}; /* a cell that deforms carries bodies */
  std::string wall;    /* what presses on a moving wall, as BodyScene::pressed_wall says it */
  std::string worst;   /* who is furthest out of balance */
  std::string blocked; /* who is in the way of a body that moves as prescribed */
  std::string barrier; /* who is in the barrier of a law, as BarrierWatch::deepest says it */

  std::string text() const;

private:
  std::string shorter_for() const;
};

} // namespace LAMMPS_NS

#endif
