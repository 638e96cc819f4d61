/* SPDX-License-Identifier: GPL-2.0-or-later
 * Surfaces that end where the cell is repeated, as they are not. */
#ifndef POLYHEDRA_WALL_BORDERS_H
#define POLYHEDRA_WALL_BORDERS_H

#include "lammps/host/lmp_compat.h"

#include "dynamics/wall.h"

#include <string>
#include <vector>

namespace LAMMPS_NS
{

/* Warns of surfaces that end within the reach (length) of a body from a periodic boundary: the part
 * of it that is across meets nothing, and comes into the wall when the host wraps the body. who:
 * the command, for the message. */
void warn_of_borders(LAMMPS *, const std::string &who, const std::vector<pd_wall> &walls,
                     double reach);

} // namespace LAMMPS_NS

#endif
