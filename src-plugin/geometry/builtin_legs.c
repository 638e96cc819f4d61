/* SPDX-License-Identifier: MIT
 * Tetrapods whose legs are frusta of regular polygons. */
#include "geometry/builtin_internal.h"

#include <math.h>

/* Leg i belongs to the points that are nearer to its axis than to those of the others. This sector
 * is a pyramid of three planes, one against each other leg, whose edges lie on the backward axes of
 * the other legs. The leg's straight lines from root to tip end where they meet these planes. */
typedef struct legs {
  double length, root, tip; /* of a leg, from the centre; radii there and at its end */
  int third;                /* a third of its sides */
  pd_vec3 axis[4];
  pd_vec3 *v; /* ends of the sectors' edges, lines of roots by pairs of legs, tips */
  int (*t)[3];
  int nt;
} legs;

/* A point of leg i, s sides from the backward axis of leg a on the way to that of leg b, at its
 * root or its tip. */
static pd_vec3 point(const legs *l, int i, int a, int b, int s, int at_tip)
{
  const int j = 6 - i - a - b;
  const double turn = PD_PI / 3.0 * (2.0 * s / l->third - 1.0), c = cos(turn);
  const pd_vec3 x = pd_unit(pd_axpy(l->axis[j], 1.0 / 3.0, l->axis[i]));
  const pd_vec3 y = pd_unit(pd_sub(l->axis[a], l->axis[b]));
  /* the plane against leg j is at the height radius c / sqrt(2) */
  const double widens = (l->tip - l->root) / l->length;
  const double z = at_tip ? l->length : l->root * c / (sqrt(2.0) - widens * c);
  const double radius = l->root + widens * z;
  const pd_vec3 across = pd_add(pd_scale(radius * c, x), pd_scale(radius * sin(turn), y));
  return pd_axpy(across, z, l->axis[i]);
}

/* number of the line of roots of legs i and j */
static int line_of(int i, int j)
{
  const int low = i < j ? i : j, high = i < j ? j : i;
  return low == 0 ? high - 1 : low + high;
}

/* number of the root point that point() gives */
static int root_number(const legs *l, int i, int a, int b, int s)
{
  const int j = 6 - i - a - b;
  if (s == 0) return a;
  if (s == l->third) return b;
  return 4 + line_of(i, j) * (l->third - 1) + (a < b ? s : l->third - s) - 1;
}

static void add_triangle(legs *l, int a, int b, int c)
{
  l->t[l->nt][0] = a;
  l->t[l->nt][1] = b;
  l->t[l->nt++][2] = c;
}

static void add_leg(legs *l, int i)
{
  const int n = 3 * l->third, tip = 4 + 6 * (l->third - 1) + n * i;
  int o[3], k = 0;
  for (int j = 0; j < 4; j++)
    if (j != i) o[k++] = j;
  /* the backward axes of the others, counterclockwise seen from the tip */
  if (pd_dot(l->axis[i], pd_cross(l->axis[o[0]], l->axis[o[1]])) < 0.0) {
    k = o[1];
    o[1] = o[2];
    o[2] = k;
  }
  for (k = 0; k < n; k++) {
    const int a = o[k / l->third], b = o[(k / l->third + 1) % 3], s = k % l->third;
    const int here = root_number(l, i, a, b, s), next = root_number(l, i, a, b, s + 1);
    const int next_tip = tip + (k + 1) % n;
    l->v[here] = point(l, i, a, b, s, 0);
    l->v[tip + k] = point(l, i, a, b, s, 1);
    add_triangle(l, here, next, next_tip);
    add_triangle(l, here, next_tip, tip + k);
    if (k > 1) add_triangle(l, tip, tip + k - 1, tip + k);
  }
}

pd_status pd_make_legs(const double *value, pd_mesh *mesh)
{
  static const double sign[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  const int n = (int)value[3];
  legs l = {.length = value[0], .root = value[1], .tip = value[2], .third = n / 3};
  pd_vec3 v[4 + 6 * (PD_MOST_SIDES / 3 - 1) + 4 * PD_MOST_SIDES];
  int t[4 * (3 * PD_MOST_SIDES - 2)][3];
  if (!(n >= 3 && n <= PD_MOST_SIDES && n % 3 == 0)) return PD_ERANGE;
  if (!(l.root > 0.0 && l.tip > 0.0 && l.length > l.tip / sqrt(2.0))) return PD_ERANGE;
  l.v = v;
  l.t = t;
  for (int i = 0; i < 4; i++) l.axis[i] = pd_unit(pd_v(sign[i][0], sign[i][1], sign[i][2]));
  for (int i = 0; i < 4; i++) add_leg(&l, i);
  return pd_mesh_create(4 + 6 * (l.third - 1) + 4 * n, v, l.nt, (const int(*)[3])t, mesh);
}
