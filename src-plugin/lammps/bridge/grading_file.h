/* SPDX-License-Identifier: GPL-2.0-or-later
 * Size distributions of the input: what follows the keyword sizes. */
#ifndef POLYHEDRA_GRADING_FILE_H
#define POLYHEDRA_GRADING_FILE_H

#include "lammps/host/lmp_compat.h"
#include "lammps/options/options.h"

#include "geometry/grading.h"

namespace LAMMPS_NS
{

struct Grading {
  pd_grading_kind kind;
  double a, b;
  std::vector<double> opening, passing; /* of sieves */

  pd_grading view() const
  {
    return {kind, a, b, (int)opening.size(), opening.data(), passing.data()};
  }
};

/* Process 0 reads the file of a sieve curve. Stops with an error that names its line, or if the
 * numbers are no distribution. All processes. */
Grading read_grading(LAMMPS *lmp, const Options::Given &given);

} // namespace LAMMPS_NS

#endif
