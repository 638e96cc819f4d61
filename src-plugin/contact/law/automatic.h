/* SPDX-License-Identifier: MIT
 * Parameters of the interface law from the masses, sizes, loads and speeds of a problem. Not in the
 * paper, which leaves them to the user; doc/pair_polyhedron.md states the rules. */
#ifndef PD_LAW_AUTO_H
#define PD_LAW_AUTO_H

#include "contact/law/normal.h"
#include "geometry/shape.h"

/* what one contact has to carry */
typedef struct pd_law_task {
  double mass;   /* effective mass of an impact, > 0: that of the heavier body, because a body that
                    is held by others is like a wall */
  double speed;  /* of typical impacts, length/time, > 0 */
  double weight; /* load at rest on one contact, force, >= 0 */
  double lightest; /* mass of the lighter body, which friction moves most, > 0 */
} pd_law_task;

/* what a law makes of it */
typedef struct pd_law_outlook {
  double depth;        /* of a typical impact in the penalty part, over gbar */
  double time;         /* that it lasts without damping, from gbar to gbar */
  double limit;        /* speed that the penalty part alone can stop */
  double static_depth; /* under the weight, over gbar */
} pd_law_outlook;

/* The penalty part holds this many times the energy of a typical impact: 1.4 times its speed. */
#define PD_AUTO_RESERVE 2.0
/* It holds so many times that a weak barrier will do: four times the speed. */
#define PD_AUTO_AMPLE 16.0
/* The weight presses by this part of the penalty part. */
#define PD_AUTO_SINK 0.1
/* gbar over the size of the bodies */
#define PD_AUTO_FRACTION 0.02
/* Bodies placed nearer than gbar make it smaller, down to this part: smaller gaps make impacts
 * stiff. */
#define PD_AUTO_NEAREST 0.01
#define PD_AUTO_N1 1.5
/* Ramp of the damping. With this n1 sqrt(-f') does not jump at gbar, but its slope is infinite
 * there: without a ramp scheme euler takes two to four times the iterations. Impacts a hundred
 * times slower than the typical one leave one that is so short. */
#define PD_AUTO_RAMP 0.003
/* A body is no wider than so many of its edges, or they limit the size. */
#define PD_AUTO_EDGES 4.0

/* What the balls add to the area of a convex core: sectors of cylinders along its edges, about all
 * of the one of a capsule, and of balls about its vertices, together a whole one. */
PD_KERNEL double pd_round_area(const pd_shape *shape)
{
  const double r = shape->round;
  double area = 4.0 * PD_PI * r * r;
  for (int i = 0; i < shape->ne; i++) {
    const pd_edge *e = &shape->e[i];
    area += e->length * r * (e->nt == 1 ? 2.0 * PD_PI : e->turn);
  }
  return area;
}

/* 6 volume/area: the edge of a cube, the diameter of a ball */
PD_KERNEL double pd_shape_width(const pd_shape *shape)
{
  double area = 0.0;
  for (int i = 0; i < shape->nt; i++) {
    const int *t = shape->t[i];
    const pd_vec3 a = pd_sub(shape->v[t[1]], shape->v[t[0]]);
    area += 0.5 * pd_norm(pd_cross(a, pd_sub(shape->v[t[2]], shape->v[t[0]])));
  }
  if (shape->round > 0.0) area += pd_round_area(shape);
  return 6.0 * shape->mass.volume / area;
}

/* Length that gbar has to be small against: the width, but no more than four of the shortest sharp
 * edge, and no less than a tenth: edges shorter than that are details of the surface. Where four of
 * the mean sharp edge, each counted by its length, are less than the width, edges are those of the
 * triangles of a smooth or scanned surface, no features, and do not count. Rounding makes features
 * larger by twice its radius. shape: closed. */
PD_KERNEL double pd_shape_size(const pd_shape *shape)
{
  const double width = pd_shape_width(shape);
  double shortest = DBL_MAX, sum = 0.0, sum2 = 0.0;
  for (int i = 0; i < shape->ne; i++) {
    const double length = shape->e[i].length + 2.0 * shape->round;
    if (!shape->e[i].sharp) continue;
    shortest = fmin(shortest, length);
    sum += length;
    sum2 += length * length;
  }
  if (PD_AUTO_EDGES * sum2 < width * sum) return width;
  return fmax(0.1 * width, fmin(width, PD_AUTO_EDGES * shortest));
}

/* eps1 such that impacts leave a reserve and the weight presses little; gbar, f and n1 are known.
 * Energy of the penalty part: eps1 ((1 - f) gbar)^(n1 + 1) / (n1 + 1), eq. (49) integrated. */
PD_KERNEL double pd_auto_stiffness(const pd_law *law, const pd_law_task *t)
{
  const double span = (1.0 - law->f) * law->gbar, p = law->n1 + 1.0;
  const double impact = PD_AUTO_RESERVE * 0.5 * t->mass * t->speed * t->speed;
  const double hard = p * impact / pow(span, p);
  return fmax(hard, t->weight / pow(PD_AUTO_SINK * span, law->n1));
}

/* n2: the energy of -1 grows with the logarithm of the gap only, so it serves where impacts hardly
 * reach the barrier. eps1, gbar, f and n1 are known. */
PD_KERNEL double pd_auto_barrier(const pd_law *law, const pd_law_task *t)
{
  const double span = (1.0 - law->f) * law->gbar, p = law->n1 + 1.0;
  const double held = law->eps1 * pow(span, p) / p;
  return held >= PD_AUTO_AMPLE * 0.5 * t->mass * t->speed * t->speed ? -1.0 : -2.0;
}

/* eps_t: 2/7 of the normal stiffness at half of gbar, as a law for the lighter body would have it.
 * In an impact a ball then swings along the surface as fast as across it, its mass for a tangential
 * force at its rim being 2/7. But a contact that sticks under the weight gives way by no more than
 * gbar times the coefficient of friction. eps1, gbar and n1 are known. */
PD_KERNEL double pd_auto_tangent(const pd_law *law, const pd_law_task *t)
{
  const double normal = law->eps1 * law->n1 * pow(0.5 * law->gbar, law->n1 - 1.0);
  return fmax(2.0 / 7.0 * normal * t->lightest / t->mass, t->weight / law->gbar);
}

/* c_t: the lighter body is damped, if it sticks, as one that bounces: by the damping ratio zeta, or
 * by the one that the restitution e, if it is given, has for a linear contact. eps_t is known. */
PD_KERNEL double pd_auto_viscosity(const pd_law *law, const pd_law_task *t)
{
  const double l = -log(fmax(law->e, 1e-4));
  const double ratio = law->has_e ? l / sqrt(9.86960440108936 + l * l) : law->zeta;
  return 2.0 * ratio * sqrt(law->t.eps_t * t->lightest);
}

/* law: initialised. The time of an impact is that of the power law alone, 2 integral dx/v over the
 * way x to the depth X = depth gbar: (X/speed) 2 sqrt(pi) Gamma(1 + 1/p) / Gamma(1/2 + 1/p), p = n1
 * + 1. */
PD_KERNEL pd_law_outlook pd_auto_outlook(const pd_law *law, const pd_law_task *t)
{
  const double p = law->n1 + 1.0, q = 1.0 / p;
  const double x = pow(0.5 * p * t->mass * t->speed * t->speed / law->eps1, q);
  pd_law_outlook o;
  o.depth = x / law->gbar;
  o.time = x / t->speed * 2.0 * sqrt(PD_PI) * tgamma(1.0 + q) / tgamma(0.5 + q);
  o.limit = sqrt(2.0 * law->phib / t->mass);
  o.static_depth = pow(t->weight / law->eps1, 1.0 / law->n1) / law->gbar;
  return o;
}

#endif
