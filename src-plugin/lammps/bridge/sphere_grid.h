/* SPDX-License-Identifier: GPL-2.0-or-later
 * Spheres in the cells of grids, one for each order of magnitude of their radii: which of them may
 * be near another sphere. */
#ifndef POLYHEDRA_SPHERE_GRID_H
#define POLYHEDRA_SPHERE_GRID_H

#include "base/vec3.h"

#include <cstdint>
#include <functional>
#include <map>
#include <unordered_map>
#include <vector>

namespace LAMMPS_NS
{

class SphereGrid
{
public:
  typedef std::function<bool(int)> Look;

  /* smallest: radii below count as this one, > 0 */
  explicit SphereGrid(double smallest) : least(smallest) {}

  /* They are numbered from 0, in the order of their coming. */
  void add(pd_vec3 x, double radius);

  /* Whether look says yes to any of the spheres that are less than gap away from the given one. */
  bool any_near(pd_vec3 x, double radius, double gap, const Look &look) const;

private:
  struct Sphere {
    pd_vec3 x;
    double radius;
  };
  struct Level {
    double edge = 0.0, largest = 0.0; /* of the cells; radius */
    std::unordered_map<uint64_t, std::vector<int>> cells;
    std::vector<int> all;
  };
  struct Query {
    pd_vec3 x;
    double radius, gap;
    const Look &look;
  };
  const double least;
  std::map<int, Level> levels; /* by the exponent of the radius */
  std::vector<Sphere> sphere;

  bool any_of(const std::vector<int> &list, const Query &q) const;
  bool any_of_level(const Level &level, const Query &q) const;
};

} // namespace LAMMPS_NS

#endif
