/* SPDX-License-Identifier: MIT
 * Contact points of a made-up heap, four to a pair and ten pairs to four bodies, as in a heap of
 * cubes: vertices over triangles of any shape, 45 % of them within the activation distance. */
#ifndef CONTACT_SCENE_H
#define CONTACT_SCENE_H

#include <vector>

#include "contact_sums.h"

/* arrays of a scene, by any backend's memory */
struct contact_arrays {
  int n; /* points */
  contact_point *points;
  pd_velocity *velocity;
  contact_graph graph;
  contact_sums sums;
};

class ContactScene
{
  enum { PER_PAIR = 4, REACH = 30 };
  unsigned long state = 1;

  /* linear congruential numbers in [0, 1) */
  double next()
  {
    state = state * 6364136223846793005UL + 1442695040888963407UL;
    return double(state >> 11) / 9007199254740992.0;
  }

  pd_vec3 any(double size)
  {
    const double x = next(), y = next(), z = next();
    return pd_scale(size, pd_v(x - 0.5, y - 0.5, z - 0.5));
  }

  contact_point point(int a, int b)
  {
    contact_point c = {};
    c.triangle[1] = pd_add(pd_v(0.05, 0.0, 0.0), any(1e-2));
    c.triangle[2] = pd_add(pd_v(0.0, 0.05, 0.0), any(1e-2));
    const pd_vec3 inside = pd_scale(0.3, pd_add(c.triangle[1], c.triangle[2]));
    const pd_vec3 n = pd_unit(pd_cross(c.triangle[1], c.triangle[2]));
    c.vertex = pd_axpy(inside, 1e-4 + 2e-3 * next(), n);
    c.apart = pd_v(0.01, 0.01, -0.05);
    c.body[0] = a;
    c.body[1] = b;
    c.h = 1e-3;
    return c;
  }

  pd_velocity velocity_of()
  {
    pd_velocity v = pd_at_rest();
    v.v = any(2.0);
    v.w = any(10.0);
    v.dv = 1e3;
    v.dw = pd_m_diag(pd_v(1e3, 1e3, 1e3));
    return v;
  }

public:
  std::vector<contact_point> points;
  std::vector<pd_velocity> velocity;
  std::vector<int> at_body, at, pair;
  std::vector<double> force, diagonal, coupling;

  explicit ContactScene(int n)
  {
    const int pairs = n / PER_PAIR, bodies = 2 + 2 * pairs / 5;
    for (int i = 0; i < bodies; i++) velocity.push_back(velocity_of());
    for (int p = 0; p < pairs; p++) {
      const int a = p % bodies, b = (a + 1 + int(REACH * next()) % (bodies - 1)) % bodies;
      pair.push_back(PER_PAIR * p);
      for (int k = 0; k < PER_PAIR; k++) points.push_back(point(a, b));
    }
    pair.push_back(PER_PAIR * pairs);
    sort_by_body(bodies);
    force.resize(6 * bodies);
    diagonal.resize(36 * bodies);
    coupling.resize(72 * pairs);
  }

  contact_arrays arrays()
  {
    return {int(points.size()),
            points.data(),
            velocity.data(),
            {int(velocity.size()), int(pair.size()) - 1, at_body.data(), at.data(), pair.data()},
            {force.data(), diagonal.data(), coupling.data()}};
  }

private:
  void sort_by_body(int bodies)
  {
    at_body.assign(bodies + 1, 0);
    at.resize(2 * points.size());
    for (const contact_point &c : points)
      for (const int body : c.body) at_body[body + 1]++;
    for (int i = 0; i < bodies; i++) at_body[i + 1] += at_body[i];
    std::vector<int> room = at_body;
    for (int k = 0; k < int(points.size()); k++)
      for (int side = 0; side < 2; side++) at[room[points[k].body[side]]++] = 2 * k + side;
  }
};

#endif
