/* SPDX-License-Identifier: MIT
 * Cubes in a row along x, joined by square bars, with tapered arms on some of their faces:
 * hexapods, dolosse and their like. */
#include "geometry/builtin_internal.h"

enum { MOST_CUBES = 3, MOST_ARMS = 6 };
enum { ARMS_X = 1, ARMS_Y = 2, ARMS_Z = 4 }; /* along which axes a cube has arms, both ways */

typedef struct arms {
  double size, width, tip; /* from tip to tip; edges of cubes and bars, of the arms' ends */
  int cubes, nv, nt;
  int has[MOST_CUBES]; /* ARMS_X, ... */
  pd_vec3 v[8 * MOST_CUBES + 4 * MOST_ARMS];
  int t[2 * (8 * MOST_CUBES + 4 * MOST_ARMS) - 4][3];
} arms;

/* Corners of the face of a cube at the upper or lower end of an axis, counterclockwise seen along
 * the axis from its upper end. Corner i of a cube is at the upper end of axis k if bit k of i is
 * set. */
static void face_of(int cube, int axis, int upper, int *corner)
{
  static const int order[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  const int b = (axis + 1) % 3, c = (axis + 2) % 3;
  for (int k = 0; k < 4; k++)
    corner[k] = 8 * cube + (upper << axis) + (order[k][0] << b) + (order[k][1] << c);
}

static void add_square(arms *s, int a, int b, int c, int d)
{
  const int two[2][3] = {{a, b, c}, {a, c, d}};
  for (int i = 0; i < 2; i++, s->nt++)
    for (int k = 0; k < 3; k++) s->t[s->nt][k] = two[i][k];
}

/* a square that looks up its axis, or down */
static void add_end(arms *s, const int *q, int upper)
{
  if (upper)
    add_square(s, q[0], q[1], q[2], q[3]);
  else
    add_square(s, q[3], q[2], q[1], q[0]);
}

/* the four sides between two squares that look up an axis, the lower one first */
static void add_sides(arms *s, const int *low, const int *high)
{
  for (int k = 0; k < 4; k++) {
    const int next = (k + 1) % 4;
    add_square(s, low[k], low[next], high[next], high[k]);
  }
}

static void add_arm(arms *s, double center, const int *face, int axis, int upper)
{
  int tip[4];
  for (int k = 0; k < 4; k++) {
    double x[3];
    pd_v_store(x, s->v[face[k]]);
    x[0] -= center;
    for (int i = 0; i < 3; i++) x[i] *= s->tip / s->width;
    x[axis] = upper ? 0.5 * s->size : -0.5 * s->size;
    x[0] += center;
    tip[k] = s->nv++;
    s->v[tip[k]] = pd_v_load(x);
  }
  if (upper)
    add_sides(s, face, tip);
  else
    add_sides(s, tip, face);
  add_end(s, tip, upper);
}

static double center_of(const arms *s, int cube)
{
  return s->cubes > 1 ? (s->size - s->width) * ((double)cube / (s->cubes - 1) - 0.5) : 0.0;
}

static void add_faces(arms *s, int cube)
{
  for (int axis = 0; axis < 3; axis++)
    for (int upper = 0; upper < 2; upper++) {
      int face[4], other[4];
      const int next = upper ? cube + 1 : cube - 1;
      face_of(cube, axis, upper, face);
      if (s->has[cube] >> axis & 1)
        add_arm(s, center_of(s, cube), face, axis, upper);
      else if (axis > 0 || next < 0 || next == s->cubes)
        add_end(s, face, upper);
      else if (upper) {
        face_of(next, axis, 0, other);
        add_sides(s, face, other);
      }
    }
}

/* value: size, width, tip; bars between cubes, and arms, must have a length */
static pd_status make(const double *value, arms s, pd_mesh *mesh)
{
  s.size = value[0];
  s.width = value[1];
  s.tip = value[2];
  if (!(s.tip > 0.0 && s.width >= s.tip && s.size > s.cubes * s.width)) return PD_ERANGE;
  for (int cube = 0; cube < s.cubes; cube++)
    for (int i = 0; i < 8; i++, s.nv++) {
      const double half = 0.5 * s.width;
      s.v[s.nv] = pd_v(center_of(&s, cube) + (i & 1 ? half : -half), i & 2 ? half : -half,
                       i & 4 ? half : -half);
    }
  for (int cube = 0; cube < s.cubes; cube++) add_faces(&s, cube);
  return pd_mesh_create(s.nv, s.v, s.nt, (const int(*)[3])s.t, mesh);
}

pd_status pd_make_hexapod(const double *value, pd_mesh *mesh)
{
  const arms s = {.cubes = 1, .has = {ARMS_X | ARMS_Y | ARMS_Z}};
  return make(value, s, mesh);
}

pd_status pd_make_dolos(const double *value, pd_mesh *mesh)
{
  const arms s = {.cubes = 2, .has = {ARMS_Y, ARMS_Z}};
  return make(value, s, mesh);
}

pd_status pd_make_coreloc(const double *value, pd_mesh *mesh)
{
  const arms s = {.cubes = 3, .has = {ARMS_Y, ARMS_Z, ARMS_Y}};
  return make(value, s, mesh);
}
