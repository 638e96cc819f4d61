/* SPDX-License-Identifier: MIT
 * A sum of numbers as one of numbers that do not overlap, smallest first, each of which holds what
 * rounding has lost of those above: its sign is that of the last one (Shewchuk, Adaptive precision
 * floating-point arithmetic and fast robust geometric predicates, 1997). */
#include "geometry/exact.h"

#include <float.h>
#include <math.h>

/* six products of three components, as four numbers each */
#define TERMS 24

typedef struct expansion {
  int n;
  double x[TERMS];
} expansion;

/* *rest: what the rounding of the sum has lost (Knuth) */
static double add(double a, double b, double *rest)
{
  const double sum = a + b, of_b = sum - a, of_a = sum - of_b;
  *rest = (a - of_a) + (b - of_b);
  return sum;
}

static double multiply(double a, double b, double *rest)
{
  const double product = a * b;
  *rest = fma(a, b, -product);
  return product;
}

static void grow(expansion *e, double x)
{
  for (int i = 0; i < e->n; i++) x = add(x, e->x[i], &e->x[i]);
  e->x[e->n++] = x;
}

static void grow_by_product(expansion *e, double a, double b, double c)
{
  double low, rest;
  const double high = multiply(a, b, &low);
  double product = multiply(high, c, &rest);
  grow(e, rest);
  grow(e, product);
  product = multiply(low, c, &rest);
  grow(e, rest);
  grow(e, product);
}

static int sign_of(const expansion *e)
{
  for (int i = e->n - 1; i >= 0; i--)
    if (e->x[i] != 0.0) return e->x[i] > 0.0 ? 1 : -1;
  return 0;
}

int pd_exact_sign(pd_vec3 u, pd_vec3 v, pd_vec3 w)
{
  expansion e = {0, {0.0}};
  grow_by_product(&e, u.x, v.y, w.z);
  grow_by_product(&e, u.y, v.z, w.x);
  grow_by_product(&e, u.z, v.x, w.y);
  grow_by_product(&e, -u.x, v.z, w.y);
  grow_by_product(&e, -u.y, v.x, w.z);
  grow_by_product(&e, -u.z, v.y, w.x);
  return sign_of(&e);
}
