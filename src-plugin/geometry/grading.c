/* SPDX-License-Identifier: MIT */
#include "geometry/grading.h"

#include <math.h>

static pd_status check_sieves(const pd_grading *g)
{
  if (g->n < 2 || !(g->opening[0] > 0.0) || g->passing[0] != 0.0) return PD_ERANGE;
  for (int i = 1; i < g->n; i++)
    if (!(g->opening[i] > g->opening[i - 1] && g->passing[i] >= g->passing[i - 1]))
      return PD_ERANGE;
  return isfinite(g->opening[g->n - 1]) && g->passing[g->n - 1] == 1.0 ? PD_OK : PD_ERANGE;
}

pd_status pd_grading_check(const pd_grading *g)
{
  if (g->kind == PD_SIEVES) return check_sieves(g);
  if (!(g->a > 0.0 && isfinite(g->a) && isfinite(g->b))) return PD_ERANGE;
  return (g->kind == PD_UNIFORM ? g->b >= g->a : g->b >= 0.0) ? PD_OK : PD_ERANGE;
}

static double normal_part(double z) { return 0.5 * erfc(-z / sqrt(2.0)); }

/* by bisection: to rounding, and it is needed once for each class */
static double normal_quantile(double part)
{
  double lo = -40.0, hi = 40.0;
  for (int i = 0; i < 70; i++) {
    const double mid = 0.5 * (lo + hi);
    if (normal_part(mid) < part)
      lo = mid;
    else
      hi = mid;
  }
  return 0.5 * (lo + hi);
}

static double between_sieves(const pd_grading *g, double part)
{
  int i = 1;
  while (i < g->n - 1 && g->passing[i] < part) i++;
  const double low = g->passing[i - 1], step = g->passing[i] - low;
  const double s = step > 0.0 ? (part - low) / step : 0.5;
  return g->opening[i - 1] * pow(g->opening[i] / g->opening[i - 1], s);
}

double pd_grading_size(const pd_grading *g, double part)
{
  if (g->kind == PD_SIEVES) return between_sieves(g, part);
  if (g->kind == PD_UNIFORM) return g->a + part * (g->b - g->a);
  return g->a * exp(g->b * normal_quantile(part));
}

static double through_sieves(const pd_grading *g, double size)
{
  int i = 1;
  while (i < g->n - 1 && g->opening[i] < size) i++;
  const double s = log(size / g->opening[i - 1]) / log(g->opening[i] / g->opening[i - 1]);
  return g->passing[i - 1] + fmin(fmax(s, 0.0), 1.0) * (g->passing[i] - g->passing[i - 1]);
}

double pd_grading_part(const pd_grading *g, double size)
{
  if (!(size > 0.0)) return 0.0;
  if (g->kind == PD_SIEVES) return through_sieves(g, size);
  if (g->b == 0.0 || (g->kind == PD_UNIFORM && g->b == g->a)) return size >= g->a ? 1.0 : 0.0;
  if (g->kind == PD_UNIFORM) return fmin(fmax((size - g->a) / (g->b - g->a), 0.0), 1.0);
  return normal_part(log(size / g->a) / g->b);
}

void pd_grading_classes(const pd_grading *g, int n, double *size, double *share)
{
  double sum = 0.0;
  for (int k = 0; k < n; k++) {
    size[k] = pd_grading_size(g, (k + 0.5) / n);
    share[k] = g->kind == PD_SIEVES ? pow(size[k] / size[0], -3.0) : 1.0;
    sum += share[k];
  }
  for (int k = 0; k < n; k++) share[k] /= sum;
}
