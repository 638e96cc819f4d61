/* SPDX-License-Identifier: MIT
 * Contact points and their sums by Kokkos kernels: the same bits on the host's backends as by plain
 * loops, on a device the same features and sums equal to rounding.
 *   test_contact_kernel [POINTS [REPEATS]]
 * POINTS (10000), REPEATS: also times, the median of so many. */
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>

#include "contact_scene.h"

/* Largest difference that is rounding, of the largest number of the kind: gaps are a 500th of the
 * size of a body, and forces go with a power of them. */
static const double ROUNDING = 1e-11;

struct Evaluate {
  contact_arrays on;
  pd_law law;
  KOKKOS_FUNCTION void operator()(const int i) const
  {
    evaluate_point(on.points + i, on.velocity, &law);
  }
};

struct SumBodies {
  contact_arrays on;
  KOKKOS_FUNCTION void operator()(const int i) const
  {
    sum_body(i, &on.graph, on.points, &on.sums);
  }
};

struct SumPairs {
  contact_arrays on;
  KOKKOS_FUNCTION void operator()(const int i) const
  {
    sum_pair(i, &on.graph, on.points, &on.sums);
  }
};

/* an array of the host and its twin in the memory of Space */
template <class Space, class T> class Twin
{
  Kokkos::View<T *, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> here;
  Kokkos::View<T *, typename Space::memory_space> there;

public:
  explicit Twin(std::vector<T> &array)
      : here(array.data(), array.size()), there("twin", array.size())
  {
    to();
  }
  void to() { Kokkos::deep_copy(there, here); }
  void from() { Kokkos::deep_copy(here, there); }
  T *data() { return there.data(); }
};

template <class Space> class Backend
{
  Twin<Space, contact_point> points;
  Twin<Space, pd_velocity> velocity;
  Twin<Space, int> at_body, at, pair;
  Twin<Space, double> force, diagonal, coupling;
  contact_arrays on;
  pd_law law;

  template <class Loop> void run(int n, const Loop &loop)
  {
    Kokkos::parallel_for("contacts", Kokkos::RangePolicy<Space>(0, n), loop);
    Kokkos::fence();
  }

public:
  Backend(ContactScene &s, const pd_law &l)
      : points(s.points), velocity(s.velocity), at_body(s.at_body), at(s.at), pair(s.pair),
        force(s.force), diagonal(s.diagonal), coupling(s.coupling), on(s.arrays()), law(l)
  {
    on.points = points.data();
    on.velocity = velocity.data();
    on.graph.at_body = at_body.data();
    on.graph.at = at.data();
    on.graph.pair = pair.data();
    on.sums = {force.data(), diagonal.data(), coupling.data()};
  }
  void send() { velocity.to(); }
  void evaluate() { run(on.n, Evaluate{on, law}); }
  void sum()
  {
    run(on.graph.bodies, SumBodies{on});
    run(on.graph.pairs, SumPairs{on});
  }
  void receive()
  {
    force.from();
    diagonal.from();
    coupling.from();
  }
  void receive_points() { points.from(); }
};

/* all that an iteration of Newton's method asks for, by plain loops */
static void plain(ContactScene &scene, const pd_law &law)
{
  const contact_arrays on = scene.arrays();
  for (int i = 0; i < on.n; i++) evaluate_point(on.points + i, on.velocity, &law);
  for (int i = 0; i < on.graph.bodies; i++) sum_body(i, &on.graph, on.points, &on.sums);
  for (int i = 0; i < on.graph.pairs; i++) sum_pair(i, &on.graph, on.points, &on.sums);
}

/* median time of so many calls, in microseconds */
static double time_of(int repeats, const std::function<void()> &call)
{
  std::vector<double> t;
  for (int i = 0; i < repeats; i++) {
    Kokkos::Timer timer;
    call();
    t.push_back(1e6 * timer.seconds());
  }
  std::nth_element(t.begin(), t.begin() + repeats / 2, t.end());
  return t[repeats / 2];
}

/* largest difference over the largest number; INFINITY where one is not finite */
static double difference(const std::vector<double> &x, const std::vector<double> &y)
{
  double largest = 0.0, apart = 0.0;
  for (size_t i = 0; i < x.size(); i++) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i])) return INFINITY;
    largest = std::max(largest, std::fabs(x[i]));
    apart = std::max(apart, std::fabs(x[i] - y[i]));
  }
  return largest > 0.0 ? apart / largest : 0.0;
}

static bool same(const contact_point &p, const contact_point &q)
{
  return p.feature == q.feature && p.gap.d == q.gap.d && p.normal.n == q.normal.n &&
         !std::memcmp(p.force, q.force, sizeof p.force) && !std::memcmp(p.k, q.k, sizeof p.k) &&
         !std::memcmp(&p.friction.f, &q.friction.f, sizeof p.friction.f);
}

static bool same_feature(const contact_point &p, const contact_point &q)
{
  return p.feature == q.feature;
}

static int points_apart(const ContactScene &s, const ContactScene &t,
                        bool (*alike)(const contact_point &, const contact_point &))
{
  int n = 0;
  for (size_t i = 0; i < s.points.size(); i++) n += !alike(s.points[i], t.points[i]);
  return n;
}

static void print(const char *of, const char *what, double value)
{
  std::printf("%s_%s = %g\n", of, what, value);
}

template <class Space> static int compare(const ContactScene &asked, const pd_law &law, int repeats)
{
  ContactScene scene = asked, reference = asked;
  plain(reference, law);
  Backend<Space> backend(scene, law);
  const auto all = [&] { backend.send(), backend.evaluate(), backend.sum(), backend.receive(); };
  all();
  backend.receive_points();
  const double apart = std::max({difference(reference.force, scene.force),
                                 difference(reference.diagonal, scene.diagonal),
                                 difference(reference.coupling, scene.coupling)});
  const bool host =
      Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename Space::memory_space>::accessible;
  const int points = points_apart(reference, scene, host ? same : same_feature);
  print(Space::name(), "difference", apart);
  print(Space::name(), "points_that_differ", points);
  if (repeats > 0) {
    print(Space::name(), "send_us", time_of(repeats, [&] { backend.send(); }));
    print(Space::name(), "evaluate_us", time_of(repeats, [&] { backend.evaluate(); }));
    print(Space::name(), "sum_us", time_of(repeats, [&] { backend.sum(); }));
    print(Space::name(), "receive_us", time_of(repeats, [&] { backend.receive(); }));
    print(Space::name(), "all_us", time_of(repeats, all));
  }
  return points != 0 || !(apart <= (host ? 0.0 : ROUNDING));
}

static bool make_law(pd_law *law)
{
  *law = {};
  law->eps1 = 1e6;
  law->n1 = 1.5;
  law->gbar = 1e-3;
  law->f = 0.1;
  law->n2 = -1.0;
  law->zeta = 0.1;
  law->ramp = 0.3;
  law->t.mu_s = law->t.mu_d = 0.5;
  law->t.eps_t = 1e4;
  law->t.c_t = 1.0;
  return pd_law_init(law) == PD_OK;
}

int main(int narg, char **arg)
{
  const int n = narg > 1 ? std::atoi(arg[1]) : 10000, repeats = narg > 2 ? std::atoi(arg[2]) : 0;
  pd_law law;
  if (n < 4 || !make_law(&law)) return 1;
  const ContactScene scene(n);
  ContactScene evaluated = scene;
  plain(evaluated, law);
  int active = 0, slipping = 0;
  for (const contact_point &c : evaluated.points) {
    active += c.normal.n > 0.0;
    slipping += c.normal.n > 0.0 && c.friction.history.slipping;
  }
  print("scene", "points_in_contact", active);
  print("scene", "points_that_slip", slipping);
  if (repeats > 0) print("plain", "all_us", time_of(repeats, [&] { plain(evaluated, law); }));
  int failed = active < n / 4 || slipping == 0 || slipping == active;
  Kokkos::initialize();
  failed += compare<Kokkos::DefaultHostExecutionSpace>(scene, law, repeats);
  if (!std::is_same<Kokkos::DefaultExecutionSpace, Kokkos::DefaultHostExecutionSpace>::value)
    failed += compare<Kokkos::DefaultExecutionSpace>(scene, law, repeats);
  Kokkos::finalize();
  return failed != 0;
}
