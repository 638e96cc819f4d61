/* SPDX-License-Identifier: MIT
 * Loops by Kokkos's host execution spaces. */
#include <Kokkos_Core.hpp>

#include <atomic>
#include <climits>
#include <cstdlib>
#include <exception>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "parallel_impl.h"

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

/* Every thread takes the next chunk that is left. */
template <class Space>
void run(const pd_loops *loops, int n, int chunk, pd_loop_body body, void *arg)
{
  std::atomic<int> next(0);
  std::atomic<int> *const left = &next;
  Kokkos::parallel_for(
      "polyhedra", Kokkos::RangePolicy<Space, Kokkos::Schedule<Kokkos::Static>>(0, loops->threads),
      [=](const int thread) {
        for (int i = left->fetch_add(chunk); i < n; i = left->fetch_add(chunk))
          body(arg, i, n - i < chunk ? n : i + chunk, thread);
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
