/* SPDX-License-Identifier: MIT
 * One conformance suite that every backend of the linear solver must pass, on any number of ranks.
 *
 * All ranks build the whole system from a seed, so each can judge the whole solution. Checks are
 * agreed upon before they are asserted: a rank that fails alone would leave the others waiting. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PETSC_HAVE_BROKEN_RECURSIVE_MACRO /* MPI calls are not to be wrapped for PETSc's log */
#include <petscsys.h>

#include "linear/linsolver.h"
#include "block_system.h"

/* componentwise backward error that a solver may leave: some 1e4 roundings */
static const double tolerance = 1e-11;

static int rank, size;
static const char *backend; /* under test */
static int repeatable = 1;  /* it gives the same bits for the same system */

/* ---- tools ---- */

static int everywhere(int condition)
{
  int all;
  MPI_Allreduce(&condition, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  return all;
}

#define check(condition) assert_true(everywhere(condition))
#define check_status(expected, call) check((call) == (expected))

static pd_linsolver *open_solver(const char *name)
{
  pd_linsolver *s = NULL;
  check_status(PD_OK, pd_linsolver_create(name, MPI_COMM_WORLD, &s));
  return s;
}

static pd_status set_pattern(pd_linsolver *s, const block_system *system, const block_share *cut)
{
  return pd_linsolver_set_pattern(s, cut->nlocal, system->n, cut->rowptr, cut->col);
}

/* the whole vector from the owned parts */
static void gather(const block_share *cut, const double *own, double *whole)
{
  int *count = calloc(2 * (size_t)size, sizeof *count), *first = count + size;
  int mine = 6 * cut->nlocal, start = 6 * cut->first;
  MPI_Allgather(&mine, 1, MPI_INT, count, 1, MPI_INT, MPI_COMM_WORLD);
  MPI_Allgather(&start, 1, MPI_INT, first, 1, MPI_INT, MPI_COMM_WORLD);
  MPI_Allgatherv(own, mine, MPI_DOUBLE, whole, count, first, MPI_DOUBLE, MPI_COMM_WORLD);
  free(count);
}

/* max over rows of |b - A x| / (|A| |x| + |b|): free of all scales */
static double backward_error(const block_system *s, const double *b, const double *x)
{
  double worst = 0;
  for (int i = 0; i < 6 * s->n; i++) {
    double residual = b[i], size_of = fabs(b[i]);
    for (int k = s->rowptr[i / 6]; k < s->rowptr[i / 6 + 1]; k++)
      for (int c = 0; c < 6; c++) {
        double term = s->values[36 * (size_t)k + 6 * (i % 6) + c] * x[6 * s->col[k] + c];
        residual -= term;
        size_of += fabs(term);
      }
    if (!(fabs(residual) <= worst * size_of)) worst = fabs(residual) / size_of;
  }
  return worst;
}

static double *right_hand_side(int n)
{
  double *b = calloc(6 * (size_t)n + 1, sizeof *b);
  unsigned long seed = 99;
  for (int i = 0; i < 6 * n; i++) b[i] = 100 * (block_random(&seed) - 0.5);
  return b;
}

/* solves for a random right-hand side and gathers the solution to x */
static pd_status solve(pd_linsolver *s, const block_system *system, const block_share *cut,
                       double *x)
{
  double *b = right_hand_side(system->n);
  double *own = calloc(6 * (size_t)cut->nlocal + 1, sizeof *own);
  pd_status status = pd_linsolver_solve(s, b + 6 * cut->first, own, 0);
  gather(cut, own, x);
  free(own);
  free(b);
  return status;
}

static void check_solution(pd_linsolver *s, const block_system *system, const block_share *cut,
                           double allowed)
{
  double *b = right_hand_side(system->n), *x = calloc(6 * (size_t)system->n + 1, sizeof *x);
  check_status(PD_OK, solve(s, system, cut, x));
  double error = backward_error(system, b, x);
  if (!(error < allowed) && !rank) print_error("backward error %g\n", error);
  check(error < allowed);
  free(x);
  free(b);
}

/* pattern, factor, solve, check */
static void check_system(pd_linsolver *s, const block_system *system, double allowed)
{
  block_share cut = block_even(system, rank, size);
  check_status(PD_OK, set_pattern(s, system, &cut));
  check_status(PD_OK, pd_linsolver_factor(s, cut.values, NULL));
  check_solution(s, system, &cut, allowed);
  free(cut.rowptr);
}

/* ---- every backend ---- */

static void test_random_systems(void **state)
{
  (void)state;
  static const int bodies[] = {1, 2, 3, 8, 9, 40};
  static const double chance[] = {1, 0.5, 0};
  pd_linsolver *s = open_solver(backend);
  for (int i = 0; i < 18; i++) {
    block_system system = block_create(bodies[i / 3], chance[i % 3], (unsigned long)i + 1);
    check_system(s, &system, tolerance);
    block_free(&system);
  }
  assert_int_equal(pd_linsolver_cost_get(s).patterns, 18);
  pd_linsolver_destroy(s);
}

static void test_dense_heap(void **state)
{
  (void)state;
  pd_linsolver *s = open_solver(backend);
  block_system system = block_create(150, 1, 5); /* enough fill for another sparse LU */
  check_system(s, &system, tolerance);
  block_free(&system);
  pd_linsolver_destroy(s);
}

/* greatest difference, relative to the greatest value of b */
static double distance(size_t n, const double *a, const double *b)
{
  double apart = 0, largest = 0;
  for (size_t i = 0; i < n; i++) {
    apart = fmax(apart, fabs(a[i] - b[i]));
    largest = fmax(largest, fabs(b[i]));
  }
  return apart / largest;
}

/* solves by the backend and by LAPACK, on the pattern set in both; the solutions must be the same
 */
static void check_against_reference(pd_linsolver *s, pd_linsolver *reference,
                                    const block_system *system, const block_share *cut)
{
  const size_t n = 6 * (size_t)system->n;
  pd_linsolver *solver[2] = {s, reference};
  double *x = calloc(2 * n, sizeof *x);
  for (int k = 0; k < 2; k++) {
    check_status(PD_OK, pd_linsolver_factor(solver[k], cut->values, NULL));
    check_status(PD_OK, solve(solver[k], system, cut, x + n * (size_t)k));
  }
  check(distance(n, x, x + n) < 1e-9);
  free(x);
}

static void test_agrees_with_reference(void **state)
{
  (void)state;
  static const int bodies[] = {30, 220}; /* the second one fills up a sparse LU */
  for (int k = 0; k < 2; k++) {
    block_system system = block_create(bodies[k], 1, 3);
    block_share cut = block_even(&system, rank, size);
    pd_linsolver *s = open_solver(backend), *reference = open_solver("lapack");
    check_status(PD_OK, set_pattern(s, &system, &cut));
    check_status(PD_OK, set_pattern(reference, &system, &cut));
    check_against_reference(s, reference, &system, &cut);
    pd_linsolver_destroy(s);
    pd_linsolver_destroy(reference);
    free(cut.rowptr);
    block_free(&system);
  }
}

/* row i of bodies is that of a body which does not take part: the identity */
static void set_identity_row(block_system *s, int i)
{
  for (int k = s->rowptr[i]; k < s->rowptr[i + 1]; k++) {
    memset(s->values + 36 * (size_t)k, 0, 36 * sizeof(double));
    for (int c = 0; c < 6 && s->col[k] == i; c++) s->values[36 * (size_t)k + 7 * c] = 1;
  }
}

/* contacts come and go on the pattern of all neighbours, bodies take part or do not, and a singular
 * matrix in between does no harm */
static void test_blocks_come_and_go(void **state)
{
  (void)state;
  static const double chance[] = {0, 0.1, 0.5, 0.5, 1, 0.3, 0.02, 0, 0.8, 0.2};
  block_system system = block_create(60, 1, 9);
  block_share cut = block_even(&system, rank, size);
  pd_linsolver *s = open_solver(backend), *reference = open_solver("lapack");
  check_status(PD_OK, set_pattern(s, &system, &cut));
  check_status(PD_OK, set_pattern(reference, &system, &cut));
  for (int step = 0; step < 30; step++) {
    block_values_of_some(&system, chance[step % 10], 40 + (unsigned long)step / 2);
    for (int i = 0; i < system.n && step % 3 == 1; i += 1 + step % 2) set_identity_row(&system, i);
    check_against_reference(s, reference, &system, &cut);
    check_solution(s, &system, &cut, tolerance);
    if (step % 5 != 2) continue;
    memset(block_at(&system, 7, 7), 0, 36 * sizeof(double));
    set_identity_row(&system, 7);
    block_at(&system, 7, 7)[35] = 0;
    check_status(PD_ESINGULAR, pd_linsolver_factor(s, cut.values, NULL));
  }
  pd_linsolver_destroy(s);
  pd_linsolver_destroy(reference);
  free(cut.rowptr);
  block_free(&system);
}

/* residual over right-hand side, both in the 2-norm of rows that have 1 as their largest entry */
static double residual(const block_system *s, const double *b, const double *x)
{
  double r2 = 0, b2 = 0;
  for (int i = 0; i < 6 * s->n; i++) {
    double r = b[i], top = 0;
    for (int k = s->rowptr[i / 6]; k < s->rowptr[i / 6 + 1]; k++)
      for (int c = 0; c < 6; c++) {
        const double a = s->values[36 * (size_t)k + 6 * (i % 6) + c];
        r -= a * x[6 * s->col[k] + c];
        top = fmax(top, fabs(a));
      }
    r2 += r * r / (top * top);
    b2 += b[i] * b[i] / (top * top);
  }
  return sqrt(r2 / b2);
}

/* A system that fills up a sparse LU. Rows are scaled by powers of two, hence a factor of 2. */
static void test_accuracy(void **state)
{
  (void)state;
  static const double accuracy[] = {1e-1, 1e-3, 1e-6, 1e-9, 0};
  block_system system = block_create(220, 1, 3);
  block_share cut = block_even(&system, rank, size);
  double x[6 * 220], own[6 * 220], *b = right_hand_side(220);
  pd_linsolver *s = open_solver(backend);
  check_status(PD_OK, set_pattern(s, &system, &cut));
  check_status(PD_OK, pd_linsolver_factor(s, cut.values, NULL));
  for (int k = 0; k < 5; k++) {
    check_status(PD_OK, pd_linsolver_solve(s, b + 6 * cut.first, own, accuracy[k]));
    gather(&cut, own, x);
    check(residual(&system, b, x) < 4 * fmax(accuracy[k], 1e-11));
    if (k < 3 && strcmp(backend, "lapack") != 0) check(pd_linsolver_cost_get(s).refinements == 0);
  }
  pd_linsolver_destroy(s);
  free(b);
  free(cut.rowptr);
  block_free(&system);
}

/* ---- what must not change a bit ---- */

static int passes, backwards; /* of the loops, on this rank; chunks out of order */

/* as three threads might: the last chunk first */
static void run_backwards(const pd_loops *loops, int n, int chunk, pd_loop_body body, void *arg)
{
  const int chunks = (n + chunk - 1) / chunk;
  for (int c = chunks - 1; c >= 0; c--) {
    const int end = (c + 1) * chunk;
    body(arg, c * chunk, end < n ? end : n, c % loops->threads);
  }
  passes += n;
  backwards += chunks > 1;
}

/* says which of the own blocks are zero, and makes those that need not be read poison */
static void exclude_zeros(const block_share *cut, double *values, int *place)
{
  static const double zero[36];
  for (int i = 0; i < cut->nlocal; i++)
    for (int k = cut->rowptr[i]; k < cut->rowptr[i + 1]; k++) {
      double *block = values + 36 * (size_t)k;
      const int held = memcmp(block, zero, sizeof zero) != 0 || cut->col[k] == cut->first + i;
      place[k] = held ? k : -1;
      for (int e = 0; e < 36 && !held; e++) block[e] = (double)NAN;
    }
}

static void check_same(pd_linsolver *s, pd_linsolver *reference, const block_system *system,
                       const block_share *cut)
{
  const size_t n = 6 * (size_t)system->n, blocks = (size_t)cut->rowptr[cut->nlocal];
  double *x = calloc(2 * n, sizeof *x), *values = calloc(36 * blocks + 1, sizeof *values);
  int *place = calloc(blocks + 1, sizeof *place);
  memcpy(values, cut->values, 36 * blocks * sizeof *values);
  exclude_zeros(cut, values, place);
  check_status(PD_OK, pd_linsolver_factor(reference, cut->values, NULL));
  check_status(PD_OK, pd_linsolver_factor(s, values, place));
  check_status(PD_OK, solve(reference, system, cut, x));
  check_status(PD_OK, solve(s, system, cut, x + n));
  if (repeatable)
    check(!memcmp(x, x + n, n * sizeof *x));
  else
    check(distance(n, x, x + n) < 1e-9);
  free(place);
  free(values);
  free(x);
}

/* blocks that are excluded are not read, threads take rows in any order, and nothing comes of it */
static void check_places_and_loops(int bodies)
{
  static const double chance[] = {0.1, 0.5, 0.3, 0.9, 0, 0.2};
  block_system system = block_create(bodies, 1, 9);
  block_share cut = block_even(&system, rank, size);
  pd_linsolver *s = open_solver(backend), *reference = open_solver(backend);
  check_status(PD_OK, set_pattern(s, &system, &cut));
  check_status(PD_OK, set_pattern(reference, &system, &cut));
  pd_linsolver_use_loops(s, (pd_loops){.threads = 3, .run = run_backwards});
  for (unsigned long k = 0; k < 6; k++) {
    block_values_of_some(&system, chance[k], 40 + k);
    if (k % 2) set_identity_row(&system, (int)k);
    check_same(s, reference, &system, &cut);
  }
  pd_linsolver_destroy(s);
  pd_linsolver_destroy(reference);
  free(cut.rowptr);
  block_free(&system);
}

static void test_places_and_loops(void **state)
{
  (void)state;
  passes = backwards = 0;
  check_places_and_loops(60);
  check(passes == 0); /* too few to share */
  if (strcmp(backend, "lapack") == 0) return;
  check_places_and_loops(300 * size);
  check(backwards > 0);
}

/* one that gives its factors away after every solution has the same results as one that does not */
static void test_released_is_made_again(void **state)
{
  (void)state;
  static const double chance[] = {0.3, 0.5, 0.2, 0.2, 0.9, 0.1};
  block_system system = block_create(80, 1, 10);
  block_share cut = block_even(&system, rank, size);
  pd_linsolver *s = open_solver(backend), *reference = open_solver(backend);
  pd_linsolver_release(s); /* nothing yet */
  check_status(PD_OK, set_pattern(s, &system, &cut));
  check_status(PD_OK, set_pattern(reference, &system, &cut));
  for (unsigned long k = 0; k < 6; k++) {
    block_values_of_some(&system, chance[k], 70 + k);
    check_same(s, reference, &system, &cut);
    pd_linsolver_release(s);
    pd_linsolver_release(s);
    if (strcmp(pd_linsolver_name(s), "petsc") == 0) {
      double x[6 * 80] = {0};
      check_status(PD_ESINGULAR, pd_linsolver_solve(s, x, x, 0));
    }
  }
  pd_linsolver_destroy(s);
  pd_linsolver_destroy(reference);
  free(cut.rowptr);
  block_free(&system);
}

/* ---- islands ---- */

/* towers that do not touch each other, of 1 to 12 bodies, each against the solution of it alone */
static void test_islands_are_solved_alone(void **state)
{
  (void)state;
  enum { N = 78 };
  block_system all = block_towers(0, 12), one;
  block_share cut = block_even(&all, rank, size);
  double x[6 * N], y[6 * N], *b = right_hand_side(N);
  pd_linsolver *s = open_solver(backend), *lone;
  check_status(PD_OK, set_pattern(s, &all, &cut));
  check_status(PD_OK, pd_linsolver_factor(s, cut.values, NULL));
  check_status(PD_OK, solve(s, &all, &cut, x));
  for (int tower = 0, first = 0; tower < 12; first += ++tower) {
    one = block_towers(tower, tower + 1);
    check_status(PD_OK, pd_linsolver_create("lapack", MPI_COMM_SELF, &lone));
    check_status(PD_OK, pd_linsolver_set_pattern(lone, one.n, one.n, one.rowptr, one.col));
    check_status(PD_OK, pd_linsolver_factor(lone, one.values, NULL));
    check_status(PD_OK, pd_linsolver_solve(lone, b + 6 * first, y, 0));
    double apart = 0, largest = 0;
    for (int i = 0; i < 6 * one.n; i++) {
      apart = fmax(apart, fabs(x[6 * first + i] - y[i]));
      largest = fmax(largest, fabs(y[i]));
    }
    check(apart < 1e-9 * largest);
    pd_linsolver_destroy(lone);
    block_free(&one);
  }
  pd_linsolver_destroy(s);
  free(b);
  free(cut.rowptr);
  block_free(&all);
}

static void test_values_change_pattern_stands(void **state)
{
  (void)state;
  block_system system = block_create(25, 0.7, 11);
  block_share cut = block_even(&system, rank, size);
  pd_linsolver *s = open_solver(backend);
  check_status(PD_OK, set_pattern(s, &system, &cut));
  for (unsigned long k = 0; k < 6; k++) {
    block_values(&system, 100 + k);
    check_status(PD_OK, pd_linsolver_factor(s, cut.values, NULL));
    check_solution(s, &system, &cut, tolerance);
    check_solution(s, &system, &cut, tolerance);
  }
  pd_linsolver_cost cost = pd_linsolver_cost_get(s);
  assert_int_equal(cost.patterns, 1);
  assert_int_equal(cost.analyses, 1);
  assert_int_equal(cost.factorisations, 6);
  assert_int_equal(cost.solves, 12);
  assert_int_equal(cost.fallbacks, 0);
  assert_true(cost.pattern_time > 0 && cost.factor_time > 0 && cost.solve_time > 0);
  pd_linsolver_destroy(s);
  free(cut.rowptr);
  block_free(&system);
}

/* row i of the whole system times factor */
static void scale_row(block_system *s, int i, double factor)
{
  for (int k = s->rowptr[i / 6]; k < s->rowptr[i / 6 + 1]; k++)
    for (int c = 0; c < 6; c++) s->values[36 * (size_t)k + 6 * (i % 6) + c] *= factor;
}

static void test_badly_scaled_rows(void **state)
{
  (void)state;
  unsigned long seed = 4;
  pd_linsolver *s = open_solver(backend);
  block_system system = block_create(40, 0.9, 21);
  for (int i = 0; i < 6 * system.n; i++)
    scale_row(&system, i, pow(10, -6 + 18 * block_random(&seed)));
  check_system(s, &system, tolerance);
  block_free(&system);
  pd_linsolver_destroy(s);
}

/* makes the matrix singular in one of several ways */
static void spoil(block_system *s, int how)
{
  double *block = block_at(s, s->n - 1, s->n - 1);
  switch (how) {
  case 0: /* an empty row */
    scale_row(s, 6 * s->n - 1, 0);
    break;
  case 1: /* all of it */
    memset(s->values, 0, sizeof(double) * 36 * (size_t)s->rowptr[s->n]);
    break;
  case 2: /* two equal rows inside a block row */
    for (int k = s->rowptr[s->n - 1]; k < s->rowptr[s->n]; k++)
      memcpy(s->values + 36 * (size_t)k + 30, s->values + 36 * (size_t)k, 6 * sizeof(double));
    break;
  case 3: /* a body free to move: contact forces only, and one rank deficient block */
    scale_row(s, 6 * s->n - 6, 0);
    block[0] = 0, block[1] = 1;
    scale_row(s, 6 * s->n - 5, 0);
    block[6] = 0, block[7] = 2;
    break;
  default: /* rows that depend on each other by more than a factor */
    for (int k = s->rowptr[s->n - 1]; k < s->rowptr[s->n]; k++)
      for (int c = 0; c < 6; c++) {
        double *v = s->values + 36 * (size_t)k + c;
        v[30] = 0.3 * v[0] - 1.7 * v[6] + 1e3 * v[12];
      }
  }
}

static void test_singular_is_reported(void **state)
{
  (void)state;
  block_system system = block_create(20, 0.8, 8);
  block_share cut = block_even(&system, rank, size);
  pd_linsolver *s = open_solver(backend);
  double x[6 * 20];
  check_status(PD_OK, set_pattern(s, &system, &cut));
  for (int how = 0; how < 5; how++) {
    block_values(&system, 50);
    spoil(&system, how);
    pd_status status = pd_linsolver_factor(s, cut.values, NULL);
    check(status == PD_OK || status == PD_ESINGULAR);
    check_status(PD_ESINGULAR, solve(s, &system, &cut, x));
    /* the solver is as good as new */
    block_values(&system, 51);
    check_status(PD_OK, pd_linsolver_factor(s, cut.values, NULL));
    check_solution(s, &system, &cut, tolerance);
  }
  pd_linsolver_destroy(s);
  free(cut.rowptr);
  block_free(&system);
}

static void test_not_finite_is_reported(void **state)
{
  (void)state;
  static const double bad[] = {(double)NAN, (double)INFINITY, (double)-INFINITY};
  block_system system = block_create(12, 0.8, 8);
  block_share cut = block_even(&system, rank, size);
  pd_linsolver *s = open_solver(backend);
  double x[6 * 12], b[6 * 12] = {0};
  check_status(PD_OK, set_pattern(s, &system, &cut));
  for (int k = 0; k < 3; k++) {
    block_values(&system, 50);
    system.values[36 * (size_t)system.rowptr[system.n] - 5] = bad[k]; /* the last rank's */
    check_status(PD_ESINGULAR, pd_linsolver_factor(s, cut.values, NULL));
    check_status(PD_ESINGULAR, solve(s, &system, &cut, x));
    block_values(&system, 50);
    check_status(PD_OK, pd_linsolver_factor(s, cut.values, NULL));
    check_solution(s, &system, &cut, tolerance);
    b[0] = bad[k]; /* the first rank's */
    check_status(PD_ESINGULAR, pd_linsolver_solve(s, b + 6 * cut.first, x, 0));
    check_solution(s, &system, &cut, tolerance);
  }
  pd_linsolver_destroy(s);
  free(cut.rowptr);
  block_free(&system);
}

/* zero diagonal blocks: solvable, but not without exchanging block rows */
static void test_needs_pivoting(void **state)
{
  (void)state;
  block_system system = {.n = 2};
  static int rowptr[] = {0, 2, 4}, col[] = {0, 1, 0, 1};
  double values[4 * 36] = {0};
  for (int c = 0; c < 6; c++) values[36 + 7 * c] = values[72 + 7 * c] = 2 + c;
  system.rowptr = rowptr, system.col = col, system.values = values;
  pd_linsolver *s = open_solver(backend);
  check_system(s, &system, tolerance);
  pd_linsolver_destroy(s);
}

static void test_uneven_ranks(void **state)
{
  (void)state;
  pd_linsolver *s = open_solver(backend);
  block_system system = block_create(15, 0.8, 31);
  for (int owner = 0; owner < size; owner++) { /* all rows on one rank, the others empty */
    int first = rank > owner ? system.n : 0;
    block_share cut = block_cut(&system, first, rank == owner ? system.n : 0);
    check_status(PD_OK, set_pattern(s, &system, &cut));
    check_status(PD_OK, pd_linsolver_factor(s, cut.values, NULL));
    check_solution(s, &system, &cut, tolerance);
    free(cut.rowptr);
  }
  block_free(&system);
  pd_linsolver_destroy(s);
}

static void test_no_bodies(void **state)
{
  (void)state;
  pd_linsolver *s = open_solver(backend);
  block_system system = block_create(12, 0.8, 31);
  check_status(PD_OK, pd_linsolver_set_pattern(s, 0, 0, NULL, NULL));
  check_status(PD_OK, pd_linsolver_factor(s, NULL, NULL));
  check_status(PD_OK, pd_linsolver_solve(s, NULL, NULL, 0));
  check_system(s, &system, tolerance);
  check_status(PD_OK, pd_linsolver_set_pattern(s, 0, 0, NULL, NULL));
  check_status(PD_OK, pd_linsolver_factor(s, NULL, NULL));
  pd_linsolver_destroy(s);
  block_free(&system);
}

static void test_in_place(void **state)
{
  (void)state;
  pd_linsolver *s = open_solver(backend);
  block_system system = block_create(12, 0.8, 31);
  block_share cut = block_even(&system, rank, size);
  double x[6 * 12], apart = 0, *b = right_hand_side(12);
  check_system(s, &system, tolerance);
  check_status(PD_OK, solve(s, &system, &cut, x));
  check_status(PD_OK, pd_linsolver_solve(s, b + 6 * cut.first, b + 6 * cut.first, 0));
  for (int i = 0; i < 6 * cut.nlocal; i++)
    apart = fmax(apart, fabs(b[6 * cut.first + i] - x[6 * cut.first + i]));
  check(apart == 0);
  free(b);
  free(cut.rowptr);
  block_free(&system);
  pd_linsolver_destroy(s);
}

static void test_misuse(void **state)
{
  (void)state;
  pd_linsolver *s = open_solver(backend);
  double value[36] = {1}, x[6] = {0};
  int n = rank == 0; /* one body, of the first rank */
  check_status(PD_EUSER, pd_linsolver_factor(s, value, NULL));
  check_status(PD_EUSER, pd_linsolver_solve(s, x, x, 0));
  check_status(PD_ERANGE, pd_linsolver_set_pattern(s, n, 7, (int[]){0, 1}, (int[]){0}));
  check_status(PD_ERANGE, pd_linsolver_set_pattern(s, n, 1, (int[]){0, 1}, (int[]){1}));
  check_status(PD_ERANGE, pd_linsolver_set_pattern(s, n, 1, (int[]){0, 1}, (int[]){-1}));
  check_status(PD_ERANGE, pd_linsolver_set_pattern(s, n, 1, (int[]){1, 2}, (int[]){0, 0}));
  check_status(PD_ERANGE, pd_linsolver_set_pattern(s, n, 1, (int[]){0, 2}, (int[]){0, 0}));
  check_status(PD_ERANGE, pd_linsolver_set_pattern(s, n, 1, (int[]){0, 0}, (int[]){0}));
  check_status(PD_ERANGE, pd_linsolver_set_pattern(s, 2 * n, 2, (int[]){0, 1, 2}, (int[]){0, 0}));
  check_status(PD_EUSER, pd_linsolver_factor(s, value, NULL));
  check_status(PD_OK, pd_linsolver_set_pattern(s, n, 1, (int[]){0, 1}, (int[]){0}));
  check_status(PD_ESINGULAR, pd_linsolver_solve(s, x, x, 0)); /* nothing factorised yet */
  pd_linsolver_destroy(s);
}

static void test_many_lives(void **state)
{
  (void)state;
  block_system system = block_create(10, 0.8, 31);
  for (int life = 0; life < 20; life++) {
    pd_linsolver *s = open_solver(backend), *idle = open_solver(backend);
    check_system(s, &system, tolerance);
    pd_linsolver_destroy(s);
    pd_linsolver_destroy(idle);
  }
  block_free(&system);
}

static void test_finalize_and_again(void **state)
{
  (void)state;
  block_system system = block_create(10, 0.8, 31);
  pd_linsolver *old = open_solver(backend);
  check_system(old, &system, tolerance);
  pd_linsolver_finalize();
  pd_linsolver_finalize();
  pd_linsolver *s = open_solver(backend);
  check_system(s, &system, tolerance);
  pd_linsolver_destroy(old); /* outlived its PETSc */
  check_system(s, &system, tolerance);
  pd_linsolver_destroy(s);
  block_free(&system);
}

/* ---- particular backends ---- */

static void test_unknown_backend(void **state)
{
  (void)state;
  pd_linsolver *s = (pd_linsolver *)&s;
  check_status(PD_EUSER, pd_linsolver_create("abacus", MPI_COMM_WORLD, &s));
  check(s == NULL);
  pd_linsolver_destroy(NULL);
}

static void test_auto_chooses(void **state)
{
  (void)state;
  pd_linsolver *s = open_solver("auto");
  block_system few = block_create(2, 1, 1), many = block_create(40, 1, 1);
  assert_string_equal(pd_linsolver_name(s), "auto");
  check_system(s, &few, tolerance);
  assert_string_equal(pd_linsolver_name(s), "lapack");
  check_system(s, &many, tolerance);
  assert_string_equal(pd_linsolver_name(s), "petsc");
  check_system(s, &few, tolerance);
  assert_string_equal(pd_linsolver_name(s), "lapack");
  pd_linsolver_destroy(s);
  block_free(&few);
  block_free(&many);
}

/* symbolic factorisations that a matrix with that part of the contacts takes */
static int analyses(pd_linsolver *s, block_system *system, double chance)
{
  const long before = pd_linsolver_cost_get(s).analyses;
  block_share cut = block_even(system, rank, size);
  block_values_of_some(system, chance, 5);
  check_status(PD_OK, pd_linsolver_factor(s, cut.values, NULL));
  free(cut.rowptr);
  return (int)(pd_linsolver_cost_get(s).analyses - before);
}

/* the same seed and a smaller chance choose some of the contacts of a larger one: a symbolic
 * factorisation for new ones, and when many have gone */
static void test_symbolic_follows_blocks(void **state)
{
  (void)state;
  pd_linsolver *s = open_solver("petsc");
  block_system system = block_create(60, 1, 9);
  block_share cut = block_even(&system, rank, size);
  check_status(PD_OK, set_pattern(s, &system, &cut));
  assert_int_equal(analyses(s, &system, 0), 1);
  assert_int_equal(analyses(s, &system, 0), 0);
  assert_int_equal(analyses(s, &system, 0.4), 1);
  assert_int_equal(analyses(s, &system, 0.5), 1);
  assert_int_equal(analyses(s, &system, 0.45), 0);
  assert_int_equal(analyses(s, &system, 0.5), 0);
  assert_int_equal(analyses(s, &system, 0.05), 1);
  assert_int_equal(analyses(s, &system, 0.05), 0);
  pd_linsolver_destroy(s);
  free(cut.rowptr);
  block_free(&system);
}

/* blocks with a random part throughout and zeros where PETSc's own LU looks for a pivot */
static void make_wild(block_system *system)
{
  unsigned long seed = 6;
  const int n = system->n;
  for (int e = 0; e < 36 * system->rowptr[n]; e++) system->values[e] = block_random(&seed) - 0.5;
  for (int i = 0; i < n; i += 2) memset(block_at(system, i, i), 0, 36 * sizeof(double));
}

/* wild ones, with few bodies, whose LU is complete, or with more */
static void test_falls_back_to_pivoting(void **state)
{
  (void)state;
  static const int bodies[] = {20, 150};
  for (int k = 0; k < 2; k++) {
    pd_linsolver *s = open_solver("petsc");
    block_system system = block_create(bodies[k], 1, 1);
    make_wild(&system);
    check_system(s, &system, tolerance);
    assert_int_equal(pd_linsolver_cost_get(s).fallbacks, 1);
    block_free(&system);
    pd_linsolver_destroy(s);
  }
}

/* Systems with the pattern of one, one after the other, wild or not; returns how often GMRES has
 * failed. */
static long fallbacks_of(const char *wild)
{
  const int n = 150;
  pd_linsolver *s = open_solver("petsc");
  block_system tame = block_create(n, 1, 1), now = block_create(n, 1, 1);
  block_share cut = block_even(&tame, rank, size);
  check_status(PD_OK, set_pattern(s, &tame, &cut));
  free(cut.rowptr);
  for (const char *w = wild; *w; w++) {
    memcpy(now.values, tame.values, 36 * (size_t)tame.rowptr[n] * sizeof(double));
    if (*w == 'w') make_wild(&now);
    cut = block_even(&now, rank, size);
    check_status(PD_OK, pd_linsolver_factor(s, cut.values, NULL));
    check_solution(s, &now, &cut, tolerance);
    free(cut.rowptr);
  }
  const long fallbacks = pd_linsolver_cost_get(s).fallbacks;
  block_free(&tame);
  block_free(&now);
  pd_linsolver_destroy(s);
  return fallbacks;
}

/* After one matrix that is too much for it GMRES has the next one; after several in a row it is
 * spared for 1, 2, 4 ... of them. */
static void test_fallback_is_for_some_matrices(void **state)
{
  (void)state;
  assert_int_equal(fallbacks_of("tttt"), 0);
  assert_int_equal(fallbacks_of("wttttt"), 1);
  assert_int_equal(fallbacks_of("twtwttw"), 3);
  assert_int_equal(fallbacks_of("ww"), 2);
  assert_int_equal(fallbacks_of("wwwwwwww"), 4);
}

/* starts PETSc anew with these options on the next use */
static void restart_petsc(const char *options)
{
  pd_linsolver_finalize();
  if (options)
    setenv("PETSC_OPTIONS", options, 1);
  else
    unsetenv("PETSC_OPTIONS");
}

static int start_petsc_distributed(void **state)
{
  (void)state;
  backend = "petsc";
  restart_petsc("-polyhedra_replicate_below 0");
  return 0;
}

static int start_petsc_mumps(void **state)
{
  (void)state;
  backend = "petsc";
  repeatable = size == 1; /* its processes take what comes first */
  restart_petsc("-polyhedra_pc_factor_mat_solver_type mumps");
  return 0;
}

static int stop_petsc(void **state)
{
  (void)state;
  repeatable = 1;
  restart_petsc(NULL);
  return 0;
}

static int start_petsc(void **state)
{
  (void)state;
  backend = "petsc";
  return 0;
}

static int start_lapack(void **state)
{
  (void)state;
  backend = "lapack";
  return 0;
}

static int start_auto(void **state)
{
  (void)state;
  backend = "auto";
  return 0;
}

static int symbolic_count(void)
{
  PetscLogEvent event;
  PetscEventPerfInfo info;
  PetscLogEventGetId("MatLUFactorSym", &event);
  PetscLogEventGetPerfInfo(0, event, &info);
  return info.count;
}

/* PETSc's own log has the last word on the reuse of the symbolic factorisation */
static void test_symbolic_is_reused(void **state)
{
  (void)state;
  static const char *const options[] = {NULL, "-polyhedra_replicate_below 0"};
  block_system system = block_create(60, 0.9, 5);
  block_share cut = block_even(&system, rank, size);
  for (int k = 0; k < 2; k++) {
    restart_petsc(options[k]);
    pd_linsolver *s = open_solver("petsc");
    PetscLogDefaultBegin();
    check_status(PD_OK, set_pattern(s, &system, &cut));
    check_status(PD_OK, pd_linsolver_factor(s, cut.values, NULL));
    int once = symbolic_count();
    check(once > 0);
    for (unsigned long step = 0; step < 5; step++) {
      block_values(&system, 70 + step);
      check_status(PD_OK, pd_linsolver_factor(s, cut.values, NULL));
      check_solution(s, &system, &cut, tolerance);
    }
    check(symbolic_count() == once);
    pd_linsolver_destroy(s);
  }
  restart_petsc(NULL);
  free(cut.rowptr);
  block_free(&system);
}

static void test_options_are_heeded(void **state)
{
  (void)state;
  block_system system = block_create(40, 0.5, 5);
  restart_petsc("-polyhedra_replicate_below 0 -polyhedra_ksp_type gmres -polyhedra_pc_type bjacobi "
                "-polyhedra_ksp_rtol 1e-9");
  pd_linsolver *s = open_solver("petsc");
  check_system(s, &system, 1e-4); /* componentwise, against a tolerance on the norm */
  assert_int_equal(pd_linsolver_cost_get(s).refinements, 0);
  pd_linsolver_destroy(s);
  /* three iterations of Richardson's method do not suffice */
  restart_petsc("-polyhedra_replicate_below 0 -polyhedra_ksp_type richardson -polyhedra_pc_type "
                "jacobi -polyhedra_ksp_max_it 3 -polyhedra_ksp_rtol 1e-9");
  s = open_solver("petsc");
  block_share cut = block_even(&system, rank, size);
  double x[6 * 40];
  check_status(PD_OK, set_pattern(s, &system, &cut));
  check_status(PD_OK, pd_linsolver_factor(s, cut.values, NULL));
  check_status(PD_ESINGULAR, solve(s, &system, &cut, x));
  pd_linsolver_destroy(s);
  restart_petsc(NULL);
  free(cut.rowptr);
  block_free(&system);
}

/* Bodies with few contacts have a small LU, which every rank has whole: the solution is that of one
 * rank, to the last bit. */
static void test_small_factors_are_replicated(void **state)
{
  enum { BODIES = 600 };
  static double x[6 * BODIES], alone[6 * BODIES];
  (void)state;
  block_system system = block_create(BODIES, 0.1, 7);
  block_share cut = block_even(&system, rank, size), all = block_even(&system, 0, 1);
  pd_linsolver *s = open_solver("petsc"), *one = NULL;
  check_status(PD_OK, pd_linsolver_create("petsc", MPI_COMM_SELF, &one));
  check_status(PD_OK, set_pattern(s, &system, &cut));
  check_status(PD_OK, pd_linsolver_set_pattern(one, BODIES, BODIES, all.rowptr, all.col));
  check_status(PD_OK, pd_linsolver_factor(s, cut.values, NULL));
  check_status(PD_OK, pd_linsolver_factor(one, all.values, NULL));
  for (int i = 0; i < 6 * BODIES; i++) alone[i] = sin(i);
  check_status(PD_OK, pd_linsolver_solve(s, alone + 6 * cut.first, x, 0));
  check_status(PD_OK, pd_linsolver_solve(one, alone, alone, 0));
  check(!memcmp(x, alone + 6 * cut.first, 6 * (size_t)cut.nlocal * sizeof *x));
  pd_linsolver_destroy(one);
  pd_linsolver_destroy(s);
  free(all.rowptr);
  free(cut.rowptr);
  block_free(&system);
}

static void test_nonsense_option_is_an_error(void **state)
{
  (void)state;
  block_system system = block_create(40, 0.5, 5);
  block_share cut = block_even(&system, rank, size);
  restart_petsc("-polyhedra_pc_factor_mat_solver_type abacus");
  pd_linsolver *s = open_solver("petsc");
  check_status(PD_OK, set_pattern(s, &system, &cut));
  check_status(PD_EUSER, pd_linsolver_factor(s, cut.values, NULL));
  pd_linsolver_destroy(s);
  restart_petsc(NULL);
  free(cut.rowptr);
  block_free(&system);
}

#define SUITE                                                                                      \
  cmocka_unit_test(test_random_systems), cmocka_unit_test(test_dense_heap),                        \
      cmocka_unit_test(test_agrees_with_reference), cmocka_unit_test(test_blocks_come_and_go),     \
      cmocka_unit_test(test_accuracy), cmocka_unit_test(test_places_and_loops),                    \
      cmocka_unit_test(test_released_is_made_again),                                               \
      cmocka_unit_test(test_islands_are_solved_alone),                                             \
      cmocka_unit_test(test_values_change_pattern_stands),                                         \
      cmocka_unit_test(test_badly_scaled_rows), cmocka_unit_test(test_singular_is_reported),       \
      cmocka_unit_test(test_not_finite_is_reported), cmocka_unit_test(test_needs_pivoting),        \
      cmocka_unit_test(test_uneven_ranks), cmocka_unit_test(test_no_bodies),                       \
      cmocka_unit_test(test_in_place), cmocka_unit_test(test_misuse),                              \
      cmocka_unit_test(test_many_lives), cmocka_unit_test(test_finalize_and_again)

int main(int argc, char **argv)
{
  const struct CMUnitTest suite[] = {SUITE};
  const struct CMUnitTest particular[] = {
      cmocka_unit_test(test_unknown_backend),
      cmocka_unit_test(test_auto_chooses),
      cmocka_unit_test(test_symbolic_is_reused),
      cmocka_unit_test(test_options_are_heeded),
      cmocka_unit_test(test_small_factors_are_replicated),
      cmocka_unit_test(test_nonsense_option_is_an_error),
      cmocka_unit_test(test_falls_back_to_pivoting),
      cmocka_unit_test(test_fallback_is_for_some_matrices),
      cmocka_unit_test(test_symbolic_follows_blocks),
  };
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank && !freopen("/dev/null", "w", stdout)) return 1;
  int failed = cmocka_run_group_tests_name("lapack", suite, start_lapack, NULL);
  failed += cmocka_run_group_tests_name("petsc", suite, start_petsc, NULL);
  failed += cmocka_run_group_tests_name("petsc shared by the ranks", suite, start_petsc_distributed,
                                        stop_petsc);
  failed += cmocka_run_group_tests_name("petsc with mumps", suite, start_petsc_mumps, stop_petsc);
  failed += cmocka_run_group_tests_name("auto", suite, start_auto, NULL);
  failed += cmocka_run_group_tests_name("particular", particular, NULL, NULL);
  MPI_Finalize(); /* without pd_linsolver_finalize: PETSc must see to itself */
  return failed != 0;
}
