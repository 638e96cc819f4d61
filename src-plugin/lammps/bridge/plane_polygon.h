/* SPDX-License-Identifier: GPL-2.0-or-later
 * The part of a plane that lies in a box. */
#ifndef POLYHEDRA_PLANE_POLYGON_H
#define POLYHEDRA_PLANE_POLYGON_H

#include "base/vec3.h"

#include <vector>

namespace LAMMPS_NS
{

/* Corners of that part in their order round the unit normal; none if the plane misses the box. */
std::vector<pd_vec3> plane_polygon(pd_vec3 point, pd_vec3 normal, pd_vec3 low, pd_vec3 high);

} // namespace LAMMPS_NS

#endif
