/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/sphere_grid.h"

#include "base/random.h"

#include <cmath>

using namespace LAMMPS_NS;

/* cells with the same key only cost time */
static uint64_t key(double i, double j, double k)
{
  const auto part = [](double c) { return (uint64_t)(int64_t)c; };
  return pd_mix(pd_mix(pd_mix(part(i)) + part(j)) + part(k));
}

static double cell(double x, double edge) { return std::floor(x / edge); }

void SphereGrid::add(pd_vec3 x, double radius)
{
  const int order = std::ilogb(std::fmax(radius, least)), number = (int)sphere.size();
  Level &level = levels[order];
  level.edge = std::ldexp(4.0, order); /* the largest diameter */
  level.cells[key(cell(x.x, level.edge), cell(x.y, level.edge), cell(x.z, level.edge))].push_back(
      number);
  level.largest = level.all.empty() ? radius : std::fmax(level.largest, radius);
  level.all.push_back(number);
  sphere.push_back({x, radius});
}

bool SphereGrid::any_near(pd_vec3 x, double radius, double gap, const Look &look) const
{
  const Query q = {x, radius, gap, look};
  for (const auto &entry : levels)
    if (any_of_level(entry.second, q)) return true;
  return false;
}

bool SphereGrid::any_of(const std::vector<int> &list, const Query &q) const
{
  for (int s : list) {
    const double reach = sphere[s].radius + q.radius + q.gap;
    if (pd_norm2(pd_sub(sphere[s].x, q.x)) < reach * reach && q.look(s)) return true;
  }
  return false;
}

/* A large sphere among small ones may reach over more cells than there are spheres. */
bool SphereGrid::any_of_level(const Level &level, const Query &q) const
{
  const double reach = level.largest + q.radius + q.gap, edge = level.edge;
  const pd_vec3 lo = pd_v(cell(q.x.x - reach, edge), cell(q.x.y - reach, edge),
                          cell(q.x.z - reach, edge)),
                hi = pd_v(cell(q.x.x + reach, edge), cell(q.x.y + reach, edge),
                          cell(q.x.z + reach, edge));
  const double count = (hi.x - lo.x + 1.0) * (hi.y - lo.y + 1.0) * (hi.z - lo.z + 1.0);
  if (count > (double)level.all.size()) return any_of(level.all, q);
  for (double i = lo.x; i <= hi.x; i++)
    for (double j = lo.y; j <= hi.y; j++)
      for (double k = lo.z; k <= hi.z; k++) {
        const auto found = level.cells.find(key(i, j, k));
        if (found != level.cells.end() && any_of(found->second, q)) return true;
      }
  return false;
}
