/* SPDX-License-Identifier: MIT
 * Loops by Kokkos's host execution spaces. */
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <atomic>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <exception>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "parallel/parallel_impl.h"

namespace
{

/* ends what was started here at the end of the process */
struct Ending {
  ~Ending()
  {
    if (Kokkos::is_initialized()) Kokkos::finalize();
  }
};

/* KOKKOS_NUM_THREADS has the last word: Kokkos refuses other numbers beside it */
int wanted(int threads) { return std::getenv("KOKKOS_NUM_THREADS") ? -1 : threads; }

void initialize(int threads)
{
#if KOKKOS_VERSION >= 30700
  Kokkos::InitializationSettings settings;
  if (wanted(threads) > 0) settings.set_num_threads(threads);
  settings.set_disable_warnings(true);
#else
  Kokkos::InitArguments settings;
  settings.num_threads = wanted(threads);
  settings.disable_warnings = true;
#endif
  Kokkos::initialize(settings);
}

pd_status start(int threads)
{
  if (Kokkos::is_initialized()) return PD_OK;
  try {
#ifdef _OPENMP
    /* Kokkos changes the number for the whole process; other users of OpenMP keep theirs */
    const int before = omp_get_max_threads();
    initialize(threads);
    omp_set_num_threads(before);
#else
    initialize(threads);
#endif
    static Ending ending;
  } catch (const std::exception &) {
    return PD_EUSER;
  }
  return PD_OK;
}

template <class Space> int most()
{
  return Kokkos::is_initialized() ? Space().concurrency() : INT_MAX;
}

/* What is left of a stretch of passes, for one thread to take from the front and others from the
 * back. A line of the cache each. */
class alignas(64) Stretch
{
  std::atomic<std::uint64_t> left{0}; /* begin, end */

public:
  void set(int begin, int end) { left = pack(begin, end); }

  /* takes up to chunk passes; false if there are none */
  bool take(int chunk, bool front, int &begin, int &end)
  {
    for (std::uint64_t now = left;;) {
      const int lo = int(now >> 32), hi = int(now & 0xffffffffu);
      if (lo >= hi) return false;
      const int many = std::min(chunk, hi - lo);
      begin = front ? lo : hi - many;
      end = begin + many;
      const std::uint64_t rest = front ? pack(end, hi) : pack(lo, begin);
      if (left.compare_exchange_weak(now, rest)) return true;
    }
  }

private:
  static std::uint64_t pack(int lo, int hi) { return std::uint64_t(lo) << 32 | std::uint64_t(hi); }
};

/* stretches at most; more threads only help out */
constexpr int most_stretches = 64;

/* Every thread goes through a stretch of its own, the same one whenever this loop is run, so that
 * what belongs to its passes stays in its cache; then it helps the others. */
template <class Space>
void run(const pd_loops *loops, int n, int chunk, pd_loop_body body, void *arg)
{
  Stretch stretch[most_stretches];
  const int parts = std::min(loops->threads, most_stretches);
  for (int k = 0; k < parts; k++)
    stretch[k].set(int((long)n * k / parts), int((long)n * (k + 1) / parts));
  Stretch *const of = stretch;
  Kokkos::parallel_for(
      "polyhedra", Kokkos::RangePolicy<Space, Kokkos::Schedule<Kokkos::Static>>(0, loops->threads),
      [=](const int thread) {
        int begin, end;
        for (int k = 0; k < parts; k++)
          while (of[(thread + k) % parts].take(chunk, k == 0 && thread < parts, begin, end))
            body(arg, begin, end, thread);
      });
  Space().fence();
}

template <class Space> pd_backend backend(const char *name)
{
  return {name, most<Space>, start, run<Space>};
}

const pd_backend table[] = {
#ifdef KOKKOS_ENABLE_OPENMP
    backend<Kokkos::OpenMP>("openmp"),
#endif
#ifdef KOKKOS_ENABLE_THREADS
    backend<Kokkos::Threads>("threads"),
#endif
#ifdef KOKKOS_ENABLE_SERIAL
    backend<Kokkos::Serial>("serial"),
#endif
};

} // namespace

/* the order of the table is Kokkos's own order of preference */
const pd_backend *pd_kokkos_backend(int i)
{
  return i < (int)(sizeof table / sizeof *table) ? &table[i] : nullptr;
}
