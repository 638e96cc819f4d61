/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/plane_polygon.h"

#include <cmath>

using namespace LAMMPS_NS;

/* what of the polygon lies where coordinate k, times sign, is at most limit */
static std::vector<pd_vec3> cut(const std::vector<pd_vec3> &polygon, int k, double sign,
                                double limit)
{
  const auto excess = [&](pd_vec3 v) {
    const double x[3] = {v.x, v.y, v.z};
    return sign * x[k] - limit;
  };
  std::vector<pd_vec3> rest;
  for (size_t i = 0; i < polygon.size(); i++) {
    const pd_vec3 a = polygon[i], b = polygon[(i + 1) % polygon.size()];
    const double ea = excess(a), eb = excess(b);
    if (ea <= 0.0) rest.push_back(a);
    if ((ea < 0.0 && eb > 0.0) || (ea > 0.0 && eb < 0.0))
      rest.push_back(pd_axpy(a, ea / (ea - eb), pd_sub(b, a)));
  }
  return rest;
}

/* A square of the plane that is larger than the box, cut by its six sides. */
std::vector<pd_vec3> LAMMPS_NS::plane_polygon(pd_vec3 point, pd_vec3 normal, pd_vec3 low,
                                              pd_vec3 high)
{
  const pd_vec3 middle = pd_scale(0.5, pd_add(low, high));
  const pd_vec3 foot = pd_axpy(middle, pd_dot(normal, pd_sub(point, middle)), normal);
  const pd_vec3 side = std::fabs(normal.x) < 0.5 ? pd_v(1.0, 0.0, 0.0) : pd_v(0.0, 1.0, 0.0);
  const double size = pd_norm(pd_sub(high, low));
  const pd_vec3 u = pd_scale(size, pd_unit(pd_cross(side, normal)));
  const pd_vec3 v = pd_cross(normal, u);
  std::vector<pd_vec3> polygon = {pd_sub(pd_sub(foot, u), v), pd_sub(pd_add(foot, u), v),
                                  pd_add(pd_add(foot, u), v), pd_add(pd_sub(foot, u), v)};
  const double least[3] = {low.x, low.y, low.z}, most[3] = {high.x, high.y, high.z};
  for (int k = 0; k < 3; k++) polygon = cut(cut(polygon, k, 1.0, most[k]), k, -1.0, -least[k]);
  return polygon.size() < 3 ? std::vector<pd_vec3>() : polygon;
}
