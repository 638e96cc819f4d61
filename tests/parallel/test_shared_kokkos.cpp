/* SPDX-License-Identifier: MIT
 * A Kokkos that the surroundings have started is used as it is: not started again, not ended. */
#include <Kokkos_Core.hpp>

#include <cstdio>

#include "parallel/parallel.h"

static int failed = 0;

static void check(bool good, const char *what)
{
  std::printf("%s: %s\n", good ? "ok" : "FAILED", what);
  failed += !good;
}

static void add(void *arg, int begin, int end, int)
{
  for (int i = begin; i < end; i++) static_cast<int *>(arg)[i]++;
}

int main(int narg, char **arg)
{
  int seen[100] = {0}, wrong = 0;
  pd_loops loops;
  Kokkos::initialize(narg, arg);
  const int most = Kokkos::DefaultHostExecutionSpace().concurrency();
  check(pd_parallel_most("auto") == most, "has the threads that it was started with");
  check(pd_parallel_loops("auto", most + 1, &loops) == PD_EUSER, "refuses more of them");
  check(pd_parallel_loops("auto", most, &loops) == PD_OK, "gives as many");
  pd_loop(&loops, 100, 1, add, seen);
  for (int n : seen) wrong += n != 1;
  check(wrong == 0, "runs every pass once");
  check(Kokkos::is_initialized(), "is left to those who started it");
  Kokkos::finalize();
  return failed != 0;
}
