/* SPDX-License-Identifier: MIT
 * Closest features of points, segments and triangles, all closed sets; rays; solid angles. */
#ifndef PD_DISTANCE_H
#define PD_DISTANCE_H

#include "base/vec3.h"

/* closest feature of a triangle: 0, 1, 2 a vertex; 3, 4, 5 the edge (k-3, k-2 mod 3); 6 the face */
enum { PD_TRI_EDGE = 3, PD_TRI_FACE = 6 };

/* width of a triangle's border that rays meet, against the triangle */
#define PD_RAY_BORDER 1e-9

/* closest feature of a segment: 0 or 1 an end, PD_INSIDE the interior */
enum { PD_INSIDE = 2 };

/* Feature of triangle (a, b, c) closest to p; *d2 its squared distance. */
PD_KERNEL int pd_point_triangle(pd_vec3 p, pd_vec3 a, pd_vec3 b, pd_vec3 c, double *d2)
{
  const pd_vec3 ab = pd_sub(b, a), ac = pd_sub(c, a), ap = pd_sub(p, a);
  const double d1 = pd_dot(ab, ap), e1 = pd_dot(ac, ap);
  if (d1 <= 0.0 && e1 <= 0.0) return *d2 = pd_norm2(ap), 0;
  const pd_vec3 bp = pd_sub(p, b);
  const double d3 = pd_dot(ab, bp), d4 = pd_dot(ac, bp);
  if (d3 >= 0.0 && d4 <= d3) return *d2 = pd_norm2(bp), 1;
  const double vc = d1 * d4 - d3 * e1;
  if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0)
    return *d2 = pd_norm2(pd_axpy(ap, -d1 / (d1 - d3), ab)), PD_TRI_EDGE;
  const pd_vec3 cp = pd_sub(p, c);
  const double d5 = pd_dot(ab, cp), d6 = pd_dot(ac, cp);
  if (d6 >= 0.0 && d5 <= d6) return *d2 = pd_norm2(cp), 2;
  const double vb = d5 * e1 - d1 * d6;
  if (vb <= 0.0 && e1 >= 0.0 && d6 <= 0.0)
    return *d2 = pd_norm2(pd_axpy(ap, -e1 / (e1 - d6), ac)), PD_TRI_EDGE + 2;
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0.0 && d4 >= d3 && d5 >= d6)
    return *d2 = pd_norm2(pd_axpy(bp, -(d4 - d3) / ((d4 - d3) + (d5 - d6)), pd_sub(c, b))),
           PD_TRI_EDGE + 1;
  const pd_vec3 n = pd_cross(ab, ac);
  const double h = pd_dot(n, ap);
  return *d2 = h * h / pd_norm2(n), PD_TRI_FACE;
}

/* Feature of segment (a, b) closest to p; *d2 its squared distance. */
PD_KERNEL int pd_point_segment(pd_vec3 p, pd_vec3 a, pd_vec3 b, double *d2)
{
  const pd_vec3 u = pd_sub(b, a), ap = pd_sub(p, a);
  const double s = pd_dot(u, ap), l = pd_norm2(u);
  if (s <= 0.0) return *d2 = pd_norm2(ap), 0;
  if (s >= l) return *d2 = pd_norm2(pd_sub(p, b)), 1;
  return *d2 = pd_norm2(pd_axpy(ap, -s / l, u)), PD_INSIDE;
}

/* Closest features of segments (a0, a1) and (b0, b1) in *fa and *fb; returns the squared distance.
 * Segments whose directions differ by less than 1e-7 rad count as parallel: the ends decide. */
PD_KERNEL double pd_segment_segment(pd_vec3 a0, pd_vec3 a1, pd_vec3 b0, pd_vec3 b1, int *fa,
                                    int *fb)
{
  const pd_vec3 u = pd_sub(a1, a0), v = pd_sub(b1, b0), w = pd_sub(a0, b0);
  const double a = pd_dot(u, u), c = pd_dot(v, v), d = pd_dot(u, w), e = pd_dot(v, w);
  const double det = pd_norm2(pd_cross(u, v)), b = pd_dot(u, v);
  if (det > 1e-14 * a * c) {
    /* t from s: what s lacks in digits for nearly parallel segments is then harmless */
    const double s = (b * e - c * d) / det, t = (e + b * s) / c;
    if (s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0) {
      *fa = *fb = PD_INSIDE;
      return pd_norm2(pd_axpy(pd_axpy(w, s, u), -t, v));
    }
  }
  double best = DBL_MAX, q;
  *fa = *fb = 0;
  int k = pd_point_segment(a0, b0, b1, &q);
  if (q < best) best = q, *fa = 0, *fb = k;
  k = pd_point_segment(a1, b0, b1, &q);
  if (q < best) best = q, *fa = 1, *fb = k;
  k = pd_point_segment(b0, a0, a1, &q);
  if (q < best) best = q, *fa = k, *fb = 0;
  k = pd_point_segment(b1, a0, a1, &q);
  if (q < best) best = q, *fa = k, *fb = 1;
  return best;
}

/* How far the ray from p along d goes before it meets the triangle, which looks along d, as those
 * through which it leaves a body; else DBL_MAX. < 0: the triangle lies behind p. */
PD_KERNEL double pd_ray_length(pd_vec3 p, pd_vec3 d, pd_vec3 a, pd_vec3 b, pd_vec3 c)
{
  const pd_vec3 u = pd_sub(b, a), w = pd_sub(c, a), n = pd_cross(u, w), r = pd_sub(a, p);
  const double along = pd_dot(n, d);
  if (!(along > 0.0)) return DBL_MAX;
  const pd_vec3 q = pd_cross(r, d);
  const double x = pd_dot(q, w) / along, y = -pd_dot(q, u) / along;
  if (x < -PD_RAY_BORDER || y < -PD_RAY_BORDER || x + y > 1.0 + PD_RAY_BORDER) return DBL_MAX;
  return pd_dot(n, r) / along;
}

/* Half the solid angle of a triangle with these corners as seen from the origin, > 0 if it is seen
 * from behind (van Oosterom and Strackee, 1983). */
PD_KERNEL double pd_half_solid_angle(pd_vec3 x, pd_vec3 y, pd_vec3 z)
{
  const double l = pd_norm(x), m = pd_norm(y), n = pd_norm(z);
  return atan2(pd_dot(x, pd_cross(y, z)),
               l * m * n + pd_dot(x, y) * n + pd_dot(y, z) * l + pd_dot(z, x) * m);
}

#endif
