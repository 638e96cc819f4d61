/* SPDX-License-Identifier: MIT
 * The linear system with the walls that have a degree of freedom. With A of the bodies, B the
 * derivatives of their residuals by the walls' ways q, C those of the walls' residuals by the
 * bodies, and D by the ways, the solution of
 *   A x + B q = f,  C x + D q = g  is  (D - C A^-1 B) q = g - C A^-1 f,  x = A^-1 f - A^-1 B q:
 * one more right-hand side for each wall, and sums over the processes. */
#include <string.h>

#include "solve/newton_internal.h"

static double *solution_of(pd_substep_solver *solver, int f)
{
  return solver->work.by_wall + 6 * (size_t)f * (size_t)solver->sys->nbody;
}

static int body_of(const pd_system *sys, int f) { return sys->nbody - sys->nfree + f; }

static int way_is_free(pd_substep_solver *solver, int f)
{
  return pd_is_free(solver, body_of(solver->sys, f));
}

/* whether a body has unknowns in the system of the bodies */
static int has_unknowns(pd_substep_solver *solver, int i)
{
  const pd_body *b = &solver->sys->body[i];
  return pd_moves(b) && !b->wall && pd_is_free(solver, i);
}

/* the column of wall f as a right-hand side, its solution into work.by_wall */
static pd_status solve_column(pd_substep_solver *solver, const pd_linear *bodies, int f)
{
  const pd_system *sys = solver->sys;
  const double *column = pd_border_entries(sys, sys->assembly.by_wall, f, 0);
  pd_linear a = *bodies;
  a.again = 1;
  for (int i = 0; i < sys->nbody; i++) {
    if (!pd_moves(&sys->body[i])) continue;
    double *rhs = solver->work.rhs + 6 * (sys->body[i].row - sys->pattern.first);
    const int used = has_unknowns(solver, i);
    for (int m = 0; m < 6; m++) rhs[m] = used ? column[6 * i + m] : 0.0;
  }
  return solver->services->solve(solver->services->ctx, &a, solution_of(solver, f));
}

/* C x over the bodies of this process */
static double times_row(pd_substep_solver *solver, int f, const double *x)
{
  const pd_system *sys = solver->sys;
  const double *row = pd_border_entries(sys, sys->assembly.of_wall, f, 0);
  double sum = 0.0;
  for (int k = 0; k < sys->norder; k++) {
    const int i = sys->order[k];
    if (!has_unknowns(solver, i)) continue;
    const double *at = x + 6 * (sys->body[i].row - sys->pattern.first);
    for (int m = 0; m < 6; m++) sum += row[6 * i + m] * at[m];
  }
  return sum;
}

/* the residual along the way, which all processes know */
static double residual_of(const pd_system *sys, int f)
{
  const int i = body_of(sys, f);
  return pd_free_wall_force(&sys->body[i], sys->assembly.force + 6 * i);
}

/* n equations for the ways, n + 1 numbers each, that of the right-hand side last */
static void set_up(pd_substep_solver *solver, double *s)
{
  const pd_system *sys = solver->sys;
  const int n = sys->nfree;
  memset(s, 0, (size_t)n * (size_t)(n + 1) * sizeof(double));
  for (int f = 0; f < n; f++) {
    double *row = s + f * (n + 1);
    if (!way_is_free(solver, f)) continue;
    for (int g = 0; g < n; g++)
      if (way_is_free(solver, g)) row[g] = -times_row(solver, f, solution_of(solver, g));
    row[f] += sys->assembly.wall_by_way[f];
    row[n] = -times_row(solver, f, solver->work.solution);
  }
  pd_global_sum(solver->processes, s, n * (n + 1));
  for (int f = 0; f < n; f++) {
    if (way_is_free(solver, f))
      s[f * (n + 1) + n] -= residual_of(sys, f);
    else
      s[f * (n + 1) + f] = 1.0;
  }
}

/* row of the largest entry of column k on or below the diagonal */
static int pivot_of(const double *s, int n, int k)
{
  int p = k;
  for (int i = k + 1; i < n; i++)
    if (fabs(s[i * (n + 1) + k]) > fabs(s[p * (n + 1) + k])) p = i;
  return p;
}

/* Gauss's elimination; the solution into the last column. Errors: PD_ESINGULAR. */
static pd_status eliminate(double *s, int n)
{
  const int m = n + 1;
  for (int k = 0; k < n; k++) {
    const int p = pivot_of(s, n, k);
    if (!(fabs(s[p * m + k]) > 0.0)) return PD_ESINGULAR;
    for (int j = 0; j < m && p != k; j++) {
      const double swap = s[k * m + j];
      s[k * m + j] = s[p * m + j];
      s[p * m + j] = swap;
    }
    for (int i = 0; i < n; i++) {
      const double factor = s[i * m + k] / s[k * m + k];
      for (int j = k; j < m && i != k; j++) s[i * m + j] -= factor * s[k * m + j];
    }
  }
  for (int k = 0; k < n; k++) {
    s[k * m + n] /= s[k * m + k];
    if (!(fabs(s[k * m + n]) <= DBL_MAX)) return PD_ESINGULAR;
  }
  return PD_OK;
}

/* the ways into the direction, and what they do to the bodies */
static void take_ways(pd_substep_solver *solver, const double *s)
{
  const pd_system *sys = solver->sys;
  const int n = sys->nfree;
  for (int f = 0; f < n; f++) {
    const double way = s[f * (n + 1) + n], *by = solution_of(solver, f);
    if (!way_is_free(solver, f)) continue;
    for (int i = 0; i < 6 * sys->pattern.nlocal; i++) solver->work.solution[i] -= way * by[i];
    double *d = solver->work.direction + 6 * body_of(sys, f);
    pd_free_wall_direction(&sys->body[body_of(sys, f)], d);
    for (int m = 0; m < 6; m++) d[m] *= way;
  }
}

pd_status pd_solve_border(pd_substep_solver *solver, const pd_linear *bodies)
{
  double *s = solver->work.wall_system;
  const int n = solver->sys->nfree;
  for (int f = 0; f < n; f++) {
    if (!way_is_free(solver, f)) continue;
    const pd_status status = solve_column(solver, bodies, f);
    if (status) return status;
  }
  set_up(solver, s);
  const pd_status status = eliminate(s, n);
  if (!status) take_ways(solver, s);
  return status;
}
