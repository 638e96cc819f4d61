/* SPDX-License-Identifier: MIT
 * Contact points evaluated by a Kokkos kernel on the host: the same bits as by a plain loop. */
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <cstring>
#include <vector>

#include "contact_point.h"

enum { POINTS = 10000 };

/* linear congruential numbers in [0, 1) */
static double next(unsigned long *state)
{
  *state = *state * 6364136223846793005UL + 1442695040888963407UL;
  return double(*state >> 11) / 9007199254740992.0;
}

static pd_vec3 any(unsigned long *state, double size)
{
  const double x = next(state), y = next(state), z = next(state);
  return pd_scale(size, pd_v(x - 0.5, y - 0.5, z - 0.5));
}

/* vertices over a triangle, 45 % of them within the activation distance 1e-3; those that come off
 * fast have no force */
static contact_point point(unsigned long *state)
{
  contact_point c = {};
  c.triangle[0] = pd_v(0.0, 0.0, 0.0);
  c.triangle[1] = pd_add(pd_v(0.05, 0.0, 0.0), any(state, 1e-2));
  c.triangle[2] = pd_add(pd_v(0.0, 0.05, 0.0), any(state, 1e-2));
  const pd_vec3 inside = pd_scale(0.3, pd_add(c.triangle[1], c.triangle[2]));
  const pd_vec3 n = pd_unit(pd_cross(c.triangle[1], c.triangle[2]));
  c.vertex = pd_axpy(inside, 1e-4 + 2e-3 * next(state), n);
  c.apart = pd_v(0.01, 0.01, -0.05);
  c.a = c.b = pd_at_rest();
  c.a.v = any(state, 2.0);
  c.a.w = any(state, 10.0);
  c.b.v = any(state, 2.0);
  c.a.dv = c.b.dv = 1e3;
  return c;
}

static bool same(const contact_point &p, const contact_point &q)
{
  return p.feature == q.feature && p.gap.d == q.gap.d && p.normal.n == q.normal.n &&
         !std::memcmp(p.force, q.force, sizeof p.force) && !std::memcmp(p.k, q.k, sizeof p.k) &&
         !std::memcmp(&p.friction.f, &q.friction.f, sizeof p.friction.f);
}

int main(int narg, char **arg)
{
  unsigned long state = 1;
  int wrong = 0, active = 0;
  std::vector<contact_point> plain;
  plain.reserve(POINTS);
  for (int i = 0; i < POINTS; i++) plain.push_back(point(&state));
  std::vector<contact_point> kernel = plain;
  pd_law law = {};
  law.eps1 = 1e6;
  law.n1 = 1.5;
  law.gbar = 1e-3;
  law.f = 0.1;
  law.n2 = -1.0;
  law.zeta = 0.1;
  law.ramp = 0.3;
  law.t.mu_s = law.t.mu_d = 0.5;
  law.t.eps_t = 1e5;
  if (pd_law_init(&law)) return 1;
  for (contact_point &c : plain) evaluate_point(&c, &law);
  Kokkos::initialize(narg, arg);
  contact_point *points = kernel.data();
  Kokkos::parallel_for("contact points",
                       Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>(0, POINTS),
                       [=](const int i) { evaluate_point(points + i, &law); });
  Kokkos::fence();
  Kokkos::finalize();
  for (int i = 0; i < POINTS; i++) {
    wrong += !same(plain[i], kernel[i]);
    active += plain[i].normal.n > 0.0;
  }
  std::printf("points = %d, in contact = %d, that differ = %d\n", POINTS, active, wrong);
  return wrong != 0 || active < POINTS / 4;
}
