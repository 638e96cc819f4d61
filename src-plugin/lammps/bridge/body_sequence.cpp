/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/body_sequence.h"

#include "base/random.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

using namespace LAMMPS_NS;

/* Types of one definition share a weight that is given to all of them. */
bool BodySequence::begin()
{
  struct Sharing {
    double share, volume; /* sums over the types */
  };
  std::map<std::pair<int, int>, Sharing> all;
  const auto sharing = [&](size_t t) -> Sharing & { return all[{given[t], shapes[t].definition}]; };
  for (size_t t = 0; t < weight.size(); t++) {
    if (!(weight[t] > 0.0)) continue;
    sharing(t).share += shapes[t].share;
    sharing(t).volume += shapes[t].share * shapes[t].shape->mass.volume;
  }
  double sum = 0.0;
  upto.clear();
  for (size_t t = 0; t < weight.size(); t++) {
    if (weight[t] > 0.0)
      sum += weight[t] * shapes[t].share / (by_volume ? sharing(t).volume : sharing(t).share);
    upto.push_back(sum);
  }
  for (double &u : upto) u /= sum;
  return sum > 0.0;
}

/* Types by an even sequence: after any number of bodies they have their parts to within about one
 * body. */
NewBody BodySequence::body(bigint k) const
{
  const double u = pd_even_number(seed, (uint64_t)k);
  NewBody b = NewBody();
  b.type = (int)(std::upper_bound(upto.begin(), upto.end(), u) - upto.begin());
  while (b.type >= (int)upto.size() || !(weight[b.type] > 0.0)) b.type--; /* rounding */
  b.x = pd_v(0.0, 0.0, 0.0);
  pd_random row = pd_random_row(seed, (uint64_t)k, 0);
  b.q = random ? pd_draw_rotation(&row) : orientation_of(shapes[b.type], rotation);
  return b;
}

double BodySequence::smallest_volume() const
{
  double least = HUGE_VAL;
  for (size_t t = 1; t < weight.size(); t++)
    if (weight[t] > 0.0) least = fmin(least, shapes[t].shape->mass.volume);
  return least;
}
