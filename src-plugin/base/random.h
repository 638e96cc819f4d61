/* SPDX-License-Identifier: MIT
 * Random numbers that follow from a key, not from what was drawn before by others: the same on any
 * number of processes, and after a restart. */
#ifndef PD_RANDOM_H
#define PD_RANDOM_H

#include "base/rotation.h"

#include <stdint.h>

/* step of SplitMix64: 2^64 over the golden ratio, odd */
#define PD_GOLDEN_STEP 0x9e3779b97f4a7c15u

/* the mixing function of SplitMix64 (Steele, Lea, Flood 2014), the same on every machine */
PD_KERNEL uint64_t pd_mix(uint64_t z)
{
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

/* in [0, 1), from the upper 53 bits */
PD_KERNEL double pd_unit_interval(uint64_t z)
{
  return (double)(z >> 11) * (1.0 / 9007199254740992.0);
}

/* a row of random numbers */
typedef struct pd_random {
  uint64_t state;
} pd_random;

/* The row of one of many items, for one of several purposes. */
PD_KERNEL pd_random pd_random_row(uint64_t seed, uint64_t item, uint64_t purpose)
{
  pd_random r;
  r.state = pd_mix(pd_mix(seed + PD_GOLDEN_STEP) + item) + purpose;
  r.state = pd_mix(r.state * PD_GOLDEN_STEP);
  return r;
}

/* the next one, evenly distributed in [0, 1) */
PD_KERNEL double pd_draw(pd_random *r)
{
  r->state += PD_GOLDEN_STEP;
  return pd_unit_interval(pd_mix(r->state));
}

/* Archimedes: the height of points that are even on a sphere is even, too */
PD_KERNEL pd_vec3 pd_draw_direction(pd_random *row)
{
  const double z = 2.0 * pd_draw(row) - 1.0, a = 2.0 * PD_PI * pd_draw(row);
  const double r = sqrt(fmax(0.0, 1.0 - z * z));
  return pd_v(r * cos(a), r * sin(a), z);
}

/* Evenly distributed rotation (Shoemake 1992): a point of the unit sphere in four dimensions. */
PD_KERNEL pd_quat pd_draw_rotation(pd_random *row)
{
  const double u = pd_draw(row), a = 2.0 * PD_PI * pd_draw(row), b = 2.0 * PD_PI * pd_draw(row);
  const double r = sqrt(1.0 - u), s = sqrt(u);
  return pd_q_normalize(pd_q(s * cos(b), r * sin(a), r * cos(a), s * sin(b)));
}

/* Number k of the Weyl sequence with the golden ratio, begun at a place that the seed gives: in [0,
 * 1), and any first n of them are even to about 1/n, much more so than random numbers. */
PD_KERNEL double pd_even_number(uint64_t seed, uint64_t k)
{
  return pd_unit_interval(pd_mix(seed + PD_GOLDEN_STEP) + k * PD_GOLDEN_STEP);
}

#endif
