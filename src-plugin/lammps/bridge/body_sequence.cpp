/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/body_sequence.h"

#include "base/random.h"

#include <algorithm>
#include <cmath>

using namespace LAMMPS_NS;

bool BodySequence::begin()
{
  double sum = 0.0;
  upto.clear();
  for (size_t t = 0; t < weight.size(); t++) {
    const ShapeOfType &s = shapes[t];
    if (weight[t] > 0.0) sum += weight[t] * s.share / (by_volume ? s.mean_volume : 1.0);
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
