/* SPDX-License-Identifier: MIT
 * Times of analysis, factorisation and solution per backend, as `name = value unit` lines.
 *   bench_linsolver [bodies]       the usual sizes, or one of your own
 * `dense` is a packed heap (up to six contacts each), `loose` a falling one (15 % of them). */
#include <stdio.h>

#include "linear/linsolver.h"
#include "../linear/block_system.h"

/* passes per pattern, and the dense backend's limit: it would take minutes beyond */
enum { REPEATS_SMALL = 50, REPEATS_LARGE = 5, LAPACK_BODIES = 200 };

typedef struct times {
  double analysis, factor, solve; /* ms, the best of the repeats */
} times;

static double least(double a, double b) { return a < b ? a : b; }

/* seconds that one more pass adds to the cost report */
static times pass(pd_linsolver *s, const block_share *cut, const double *b, double *x)
{
  pd_linsolver_cost before = pd_linsolver_cost_get(s);
  if (pd_linsolver_factor(s, cut->values, NULL) || pd_linsolver_solve(s, b, x, 0))
    return (times){0, -1, -1};
  pd_linsolver_cost after = pd_linsolver_cost_get(s);
  return (times){0, 1e3 * (after.factor_time - before.factor_time),
                 1e3 * (after.solve_time - before.solve_time)};
}

/* the analysis is what set_pattern costs, and the first factorisation beyond a later one */
static times measure(pd_linsolver *s, const block_system *system, const block_share *cut)
{
  int repeats = system->n > 100 ? REPEATS_LARGE : REPEATS_SMALL;
  size_t n = 6 * (size_t)cut->nlocal;
  double *b = calloc(n + 1, sizeof *b), *x = calloc(n + 1, sizeof *x);
  times best = {1e30, 1e30, 1e30};
  for (int i = 0; i < 6 * cut->nlocal; i++) b[i] = 1 + i % 7;
  for (int round = 0; round < 3; round++) {
    double start = pd_linsolver_cost_get(s).pattern_time;
    pd_linsolver_set_pattern(s, cut->nlocal, system->n, cut->rowptr, cut->col);
    double analysis = 1e3 * (pd_linsolver_cost_get(s).pattern_time - start);
    analysis += pass(s, cut, b, x).factor;
    for (int k = 0; k < repeats; k++) {
      times t = pass(s, cut, b, x);
      best.factor = least(best.factor, t.factor);
      best.solve = least(best.solve, t.solve);
    }
    best.analysis = least(best.analysis, analysis - best.factor);
  }
  free(b);
  free(x);
  return best;
}

static void report(const char *backend, const char *kind, int bodies, double chance)
{
  int rank, size;
  pd_linsolver *s;
  if (!strcmp(backend, "lapack") && bodies > LAPACK_BODIES) return;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  block_system system = block_create(bodies, chance, 7);
  block_share cut = block_even(&system, rank, size);
  if (!pd_linsolver_create(backend, MPI_COMM_WORLD, &s)) {
    times t = measure(s, &system, &cut);
    if (rank == 0) {
      printf("%s_%s_%d_analysis = %.4f ms\n", backend, kind, bodies, t.analysis);
      printf("%s_%s_%d_factor = %.4f ms\n", backend, kind, bodies, t.factor);
      printf("%s_%s_%d_solve = %.4f ms\n", backend, kind, bodies, t.solve);
      fflush(stdout);
    }
    pd_linsolver_destroy(s);
  }
  free(cut.rowptr);
  block_free(&system);
}

static void report_both(int bodies)
{
  static const char *const backend[] = {"petsc", "lapack"};
  for (int k = 0; k < 2; k++) {
    report(backend[k], "dense", bodies, 1.0);
    report(backend[k], "loose", bodies, 0.15);
  }
}

int main(int argc, char **argv)
{
  static const int bodies[] = {1, 10, 40, 200, 564};
  MPI_Init(&argc, &argv);
  if (argc > 1)
    report_both(atoi(argv[1]));
  else
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) report_both(bodies[i]);
  MPI_Finalize();
  return 0;
}
