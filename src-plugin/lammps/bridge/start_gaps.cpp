/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/start_gaps.h"

#include "force.h"

#include "contact/law/automatic.h"

#include <cmath>

using namespace LAMMPS_NS;

/* where contact begins with keyword auto; without bound for a type that has no shape */
static double auto_distance(const ShapeOfType &s)
{
  return s.shape ? PD_AUTO_FRACTION * s.size : HUGE_VAL;
}

void StartGaps::find(LAMMPS *lmp, const std::vector<ShapeOfType> &shapes, double given)
{
  const int n = (int)shapes.size();
  const std::vector<WallSet *> walls = WallSet::all(lmp->modify);
  const auto *laws = dynamic_cast<const ContactLaws *>(lmp->force->pair_match("polyhedron", 1));
  std::vector<double> own(n);
  for (int t = 1; t < n; t++) own[t] = auto_distance(shapes[t]);
  const auto choose = [given, this](double known, double otherwise) {
    const double g = !std::isnan(given) ? given : !std::isnan(known) ? known : otherwise;
    const double sound = std::isfinite(g) ? g : 0.0;
    most = fmax(most, sound);
    return sound;
  };
  most = 0.0;
  gap.assign(n, std::vector<double>(n, 0.0));
  wall.assign(walls.size(), std::vector<double>(n, 0.0));
  for (int t = 1; t < n; t++) {
    for (int u = 1; u < n; u++)
      gap[t][u] = choose(laws ? laws->contact_distance(t, u) : NAN, fmin(own[t], own[u]));
    for (size_t w = 0; w < walls.size(); w++)
      wall[w][t] = choose(walls[w]->contact_distance(laws, t), own[t]);
  }
}
