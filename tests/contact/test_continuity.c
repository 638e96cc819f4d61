/* SPDX-License-Identifier: MIT
 * Continuity of the contact force: sweeps of one body past another, on which the largest jump of
 * force and torque between neighbouring samples must shrink in proportion to their spacing. The
 * literal set of contacts is the control: there jumps remain.
 *
 * Every sweep is sampled at 1e-4 of its length; then those intervals are divided where the force or
 * the torque changes most, or changes its slope most, and some at random, down to 1e-6. With an
 * argument the whole of every sweep is sampled at 1e-6 (minutes). */
#include <string.h>

#include "poses.h"

#define PI 3.14159265358979323846
#define GBAR 1e-3
#define LENGTH 0.1 /* lever in which torques are measured */

enum { PATHS = 20, LEVELS = 3, COARSE = 10000, FINE = 1000000, KEEP = 32 };

typedef enum body_kind {
  CUBE,
  CUBE_ON_EDGE,
  NEEDLE,
  WEDGE_90,
  WEDGE_135,
  WEDGE_45,
  GROUND,
  TETRAPOD,
  OTHER_TETRAPOD,
  L_PRISM,
  SQUARE,
  BODIES
} body_kind;

typedef struct sweep {
  const char *name;
  body_kind moved, fixed;
  void (*pose)(body *a, double t, double parameter);
  double parameter;
} sweep;

static const double half_gap = 0.5 * GBAR;
static body cube[2], bodies[BODIES];
static pd_pair_work *work;
static pd_law law;
static int full;

/* Tetrahedron with its tip at the origin, slender about the z axis: a vertex to probe with. */
static void make_needle(body *b)
{
  static const int t[4][3] = {{0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {1, 2, 3}};
  pd_vec3 v[4] = {{0.0, 0.0, 0.0}};
  pd_mesh mesh;
  for (int i = 0; i < 3; i++)
    v[i + 1] = pd_v(0.008 * cos(2.0 * PI * i / 3.0), 0.008 * sin(2.0 * PI * i / 3.0), 0.06);
  const pd_status status = pd_mesh_create(4, v, 4, t, &mesh);
  body_make(b, status, &mesh, 1);
}

static void make_wedge(body *b, double angle)
{
  pd_mesh mesh;
  const pd_status status = sc_wedge(angle, 0.1, &mesh);
  body_make(b, status, &mesh, 0);
  body_put(b, pd_v(0.0, 0.0, 0.0), pd_m_identity());
}

static void make_others(void)
{
  pd_mesh mesh;
  for (int i = 0; i < 2; i++) {
    body_box(&cube[i], 0.1, 0.1, 0.1);
    body_put(&cube[i], pd_v(0.0, 0.0, 0.0), pd_m_identity());
  }
  pd_status status = sc_open_quad(1.0, &mesh);
  body_make(&bodies[GROUND], status, &mesh, 0);
  status = sc_open_quad(0.1, &mesh);
  body_make(&bodies[SQUARE], status, &mesh, 0);
  body_tetrapod(&bodies[TETRAPOD]);
  body_tetrapod(&bodies[OTHER_TETRAPOD]);
  status = sc_l_prism(0.12, 0.04, 0.05, &mesh);
  body_make(&bodies[L_PRISM], status, &mesh, 1);
}

static int set_up(void **state)
{
  (void)state;
  make_others();
  make_needle(&bodies[NEEDLE]);
  make_wedge(&bodies[WEDGE_90], 0.5 * PI);
  make_wedge(&bodies[WEDGE_135], 0.75 * PI);
  make_wedge(&bodies[WEDGE_45], 0.25 * PI);
  law = law_make(3.9e6, 1.0, GBAR, 0.0, 0.0);
  check_ok(pd_pair_work_create(&work));
  return 0;
}

static int tear_down(void **state)
{
  (void)state;
  for (int i = NEEDLE; i < BODIES; i++) body_free(&bodies[i]);
  for (int i = 0; i < 2; i++) body_free(&cube[i]);
  pd_pair_work_free(work);
  return 0;
}

/* ---- the sweeps ---- */

static pd_mat3 about_z(double angle) { return body_turn(pd_v(0.0, 0.0, 1.0), angle); }

/* rotation that turns the z axis to n */
static pd_mat3 z_to(pd_vec3 n)
{
  const pd_vec3 z = pd_v(0.0, 0.0, 1.0), axis = pd_cross(z, n);
  return body_turn(axis, atan2(pd_norm(axis), pd_dot(z, n)));
}

/* (a) a tip half the gap off the cube: over a face, an edge, other faces, the corner, edges,
 * inwards */
static void tip_round_cube(body *a, double t, double unused)
{
  static const pd_vec3 path[] = {{-.03, .01, .08},     {.02, -.03, .08}, {.049, .03, .08},
                                 {.08, .03, .06},      {.08, .04, .02},  {.07, .07, .02},
                                 {.06, .062, .063},    {.02, .055, .07}, {.0509, .0512, .0507},
                                 {.0509, .0495, .052}, {.03, .02, .055}};
  (void)unused;
  const double s = fmin(t, 1.0 - 1e-15) * 10.0;
  const int i = (int)s;
  const pd_vec3 p = pd_axpy(path[i], s - i, pd_sub(path[i + 1], path[i])),
                half = pd_v(.05, .05, .05);
  const pd_vec3 y = pd_max(pd_min(p, half), pd_neg(half));
  body_put_mesh(a, pd_axpy(y, half_gap, pd_unit(pd_sub(p, y))), z_to(pd_unit(pd_v(1.0, 1.0, 1.0))));
}

/* (b) a tip along one face of a concave wedge to the corner and up the other, half the gap off */
static void tip_in_wedge(body *a, double t, double angle)
{
  const double corner = half_gap / tan(0.5 * angle),
               along = corner + fabs(1.0 - 2.0 * t) * 4.0 * GBAR;
  const pd_vec3 n = pd_v(sin(angle), 0.0, -cos(angle));
  pd_vec3 x = pd_v(along, 0.0, half_gap);
  if (t >= 0.5) x = pd_axpy(pd_scale(along, pd_v(cos(angle), 0.0, sin(angle))), half_gap, n);
  x.y = 0.001 + 0.002 * t;
  body_put_mesh(a, x, z_to(pd_v(cos(0.5 * angle), 0.0, sin(0.5 * angle))));
}

/* cube standing on an edge, which crosses that of the lower cube (y axis) at an angle in degrees */
static pd_mat3 on_edge(double crossing)
{
  return pd_m_mul(about_z((90.0 - crossing) * PI / 180.0),
                  body_turn(pd_v(1.0, 0.0, 0.0), 0.25 * PI));
}

static const double on_edge_height = 0.1 * 1.4142135623730951 + 0.5 * GBAR;

/* (c) edge across an edge, past its end */
static void edge_past_end(body *a, double t, double crossing)
{
  body_put(a, pd_v(.003, .05 + .02 * (t - .5), on_edge_height), on_edge(crossing));
}

/* (c') the ends of both edges come by */
static void edge_past_both_ends(body *a, double t, double crossing)
{
  const pd_mat3 q = on_edge(crossing);
  const pd_vec3 axis = pd_mv(q, pd_v(1.0, 0.0, 0.0));
  body_put(a, pd_axpy(pd_v(0.0, .0504 - .001 * t, on_edge_height), .05 + .02 * (t - .5), axis), q);
}

/* (d) cube over cube, aligned or yawed, in the middle and past the edges */
static void slide(body *a, double t, double yaw)
{
  body_put(a, pd_v(-.005 + .12 * t, 0.0, .1 + half_gap), about_z(yaw));
}

static void slide_off(body *a, double t, double yaw)
{
  body_put(a, pd_v(.03 + .12 * t, .02, .1 + half_gap), about_z(yaw));
}

/* (e) cube turning on the ground, (f) on a cube */
static void turn_on_ground(body *a, double t, double unused)
{
  (void)unused;
  body_put(a, pd_v(.013, .02, .05 + half_gap), about_z(t * PI));
}

static void turn_on_cube(body *a, double t, double offset)
{
  body_put(a, pd_v(.013 * offset, .02 * offset, .1 + half_gap), about_z((t - .5) * .5));
}

static const sweep sweeps[] = {
    {"a tip round cube", NEEDLE, CUBE, tip_round_cube, 0.0},
    {"b wedge 45", NEEDLE, WEDGE_45, tip_in_wedge, 0.25 * PI},
    {"b wedge 90", NEEDLE, WEDGE_90, tip_in_wedge, 0.5 * PI},
    {"b wedge 135", NEEDLE, WEDGE_135, tip_in_wedge, 0.75 * PI},
    {"c edge past end 90", CUBE, CUBE_ON_EDGE, edge_past_end, 90.0},
    {"c edge past end 50", CUBE, CUBE_ON_EDGE, edge_past_end, 50.0},
    {"c' both ends 90", CUBE, CUBE_ON_EDGE, edge_past_both_ends, 90.0},
    {"c' both ends 50", CUBE, CUBE_ON_EDGE, edge_past_both_ends, 50.0},
    {"d slide yaw 0", CUBE, CUBE, slide, 0.0},
    {"d slide off yaw 0", CUBE, CUBE, slide_off, 0.0},
    {"d slide yaw 30", CUBE, CUBE, slide, PI / 6.0},
    {"d slide off yaw 30", CUBE, CUBE, slide_off, PI / 6.0},
    {"d slide yaw 1e-6", CUBE, CUBE, slide, 1e-6},
    {"d slide off yaw 1e-6", CUBE, CUBE, slide_off, 1e-6},
    {"e turn on ground", CUBE, GROUND, turn_on_ground, 0.0},
    {"f turn on cube", CUBE, CUBE, turn_on_cube, 1.0},
    {"f turn on cube, centred", CUBE, CUBE, turn_on_cube, 0.0},
};

enum { SWEEPS = sizeof sweeps / sizeof sweeps[0] };

/* ---- jumps ---- */

/* force (0) and torque (1) on the moved body, in units of f(gbar/2) and of that times LENGTH */
typedef struct sample {
  pd_vec3 f[2];
} sample;

/* the bodies of the present sweep, and the smallest gap since it was reset */
static body *moved, *fixed;
static double smallest;

static sample eval(const sweep *s, pd_contact_set set, double t)
{
  const double unit = 1.0 / pd_law_eval(&law, half_gap).fn;
  pd_pair_result r;
  s->pose(moved, t, s->parameter);
  check_ok(body_eval(moved, fixed, &law, set, 0, work, &r, NULL));
  smallest = fmin(smallest, r.mingap);
  const sample y = {
      {pd_scale(unit, pd_v_load(r.force)), pd_scale(unit / LENGTH, pd_v_load(r.force + 3))}};
  return y;
}

/* an interval, the changes over it and how they differ from those over the one before */
typedef struct interval {
  double t;
  sample lo, hi;
  double jump[2], bend[2];
} interval;

static void measure(interval *v, const interval *before)
{
  for (int k = 0; k < 2; k++) {
    const pd_vec3 step = pd_sub(v->hi.f[k], v->lo.f[k]);
    v->jump[k] = pd_norm(step);
    v->bend[k] = before ? pd_norm(pd_sub(step, pd_sub(before->hi.f[k], before->lo.f[k]))) : 0.0;
  }
}

/* Divides the interval from t into n of the given width. */
static void divide(const sweep *s, pd_contact_set set, double t, double width, int n, interval *out)
{
  sample last = eval(s, set, t);
  for (int i = 0; i < n; i++) {
    out[i].t = t + i * width;
    out[i].lo = last;
    out[i].hi = last = eval(s, set, t + (i + 1) * width);
    measure(&out[i], i ? &out[i - 1] : NULL);
  }
}

static int by;
static int decreasing(const void *p, const void *q)
{
  const interval *a = (const interval *)p, *b = (const interval *)q;
  const double x = by < 2 ? a->jump[by] : a->bend[by - 2],
               y = by < 2 ? b->jump[by] : b->bend[by - 2];
  return x > y ? -1 : x < y;
}

/* Moves those to the front that are worth a closer look; returns how many. */
static int select_intervals(interval *v, int n, sc_random *random)
{
  int kept = 0;
  for (by = 0; by < 4; by++) {
    qsort(v + kept, (size_t)(n - kept), sizeof *v, decreasing);
    kept = kept + KEEP < n ? kept + KEEP : n;
  }
  for (int i = 0; i < KEEP && kept < n; i++, kept++) {
    const int j = kept + sc_below(random, n - kept);
    const interval x = v[j];
    v[j] = v[kept];
    v[kept] = x;
  }
  return kept;
}

static void largest(const interval *v, int n, double *jump)
{
  for (int k = 0; k < 2; k++) {
    jump[k] = 0.0;
    for (int i = 0; i < n; i++) jump[k] = fmax(jump[k], v[i].jump[k]);
  }
}

/* largest jumps by level of spacing 1e-4, 1e-5, 1e-6 */
static void refine(const sweep *s, pd_contact_set set, double (*jump)[2])
{
  sc_random random = {1};
  static interval v[COARSE], fine[10 * 5 * KEEP];
  int n = COARSE;
  divide(s, set, 0.0, 1.0 / COARSE, COARSE, v);
  largest(v, n, jump[0]);
  for (int level = 1; level < LEVELS; level++) {
    n = select_intervals(v, n, &random);
    const double width = level == 1 ? 0.1 / COARSE : 0.01 / COARSE;
    for (int i = 0; i < n; i++) divide(s, set, v[i].t, width, 10, fine + 10 * i);
    n *= 10;
    memcpy(v, fine, (size_t)n * sizeof *v);
    largest(v, n, jump[level]);
  }
}

/* the same by sampling everything at 1e-6 */
static void sample_all(const sweep *s, pd_contact_set set, double (*jump)[2])
{
  static const int every[LEVELS] = {100, 10, 1};
  sample last[LEVELS];
  memset(jump, 0, LEVELS * sizeof *jump);
  for (int i = 0; i <= FINE; i++) {
    const sample y = eval(s, set, i / (double)FINE);
    for (int l = 0; l < LEVELS; l++) {
      if (i % every[l]) continue;
      for (int k = 0; k < 2 && i; k++)
        jump[l][k] = fmax(jump[l][k], pd_norm(pd_sub(y.f[k], last[l].f[k])));
      last[l] = y;
    }
  }
}

static void print_row(const sweep *s, double (*jump)[2])
{
  print_message("%-24s", s->name);
  for (int k = 0; k < 2; k++) {
    print_message(" | %s", k ? "torque" : "force");
    for (int l = 0; l < LEVELS; l++) print_message(" %8.1e", jump[l][k]);
    print_message(" ratio %7.4f", jump[0][k] > 0.0 ? jump[2][k] / jump[0][k] : 0.0);
  }
  print_message("\n");
}

static void jumps(const sweep *s, pd_contact_set set, double (*jump)[2])
{
  const double turn = s->fixed == CUBE_ON_EDGE ? 0.25 * PI : 0.0;
  moved = s->moved == CUBE ? &cube[0] : &bodies[s->moved];
  fixed = s->fixed <= CUBE_ON_EDGE ? &cube[1] : &bodies[s->fixed];
  body_put(fixed, pd_v(0.0, 0.0, 0.0), body_turn(pd_v(0.0, 1.0, 0.0), turn));
  (full ? sample_all : refine)(s, set, jump);
  print_row(s, jump);
}

/* In proportion: a hundredth of the spacing, a hundredth of the jump; the floor is rounding. */
static void test_continuous(void **state)
{
  (void)state;
  double jump[LEVELS][2], worst = 0.0, last = 0.0, steepest = 0.0;
  print_message("largest jumps at spacings 1e-4, 1e-5, 1e-6 of the sweep, in contact forces\n");
  for (int i = 0; i < SWEEPS; i++) {
    jumps(&sweeps[i], PD_SET_CONTINUOUS, jump);
    for (int k = 0; k < 2; k++) {
      if (jump[2][k] < 1e-9) continue;
      worst = fmax(worst, jump[2][k] / jump[0][k]);
      last = fmax(last, jump[2][k] / jump[1][k]);
      steepest = fmax(steepest, jump[2][k]);
    }
  }
  print_message(
      "continuous: worst_ratio = %.4f, from 1e-5 on = %.4f, largest_jump_at_1e-6 = %.1e\n", worst,
      last, steepest);
  assert_true(worst <= 0.02 && last <= 0.105 && steepest < 0.01);
}

static void test_literal_jumps(void **state)
{
  (void)state;
  double jump[LEVELS][2];
  int broken = 0;
  for (int i = 0; i < SWEEPS; i++) {
    jumps(&sweeps[i], PD_SET_LITERAL, jump);
    broken += jump[2][0] > 0.5 && jump[2][0] > 0.5 * jump[0][0];
  }
  print_message("literal: sweeps_with_jumps = %d of %d\n", broken, (int)SWEEPS);
  assert_true(broken >= 8);
}

/* ---- random paths ---- */

/* a few gaps long, from a pose close to contact, nearly along the surfaces, with a turn */
static struct {
  pd_vec3 x, shift, axis;
  pd_mat3 rot;
  double angle;
} path;

static void along_path(body *a, double t, double unused)
{
  (void)unused;
  body_put(a, pd_axpy(path.x, t, path.shift),
           pd_m_mul(body_turn(path.axis, t * path.angle), path.rot));
}

static int random_path(int i, sc_random *random)
{
  if (!pose_make(moved, fixed, (pose_kind)(i % POSE_KINDS), GBAR, sc_uniform(random, 0.3, 0.95),
                 random))
    return 0;
  path.x = moved->x;
  path.rot = moved->pose.rot;
  path.shift = pd_scale(GBAR * sc_uniform(random, 0.2, 3.0), diff_direction(random));
  path.shift.z *= 0.1;
  path.axis = i % 3 ? diff_direction(random) : pd_v(0.0, 0.0, 1.0);
  path.angle = sc_uniform(random, 0.0, i % 2 ? 0.1 : 0.01);
  return 1;
}

/* Bodies of all sorts; paths that come too close for a fixed scale of forces are left out, and
 * jumps below 1e-5 of a contact force: when edges are parallel to 1e-6 rad, their crossing, with
 * all but nothing of its weight left, runs from end to end faster than the samples follow. */
static void test_random_paths(void **state)
{
  (void)state;
  static const body_kind pairs[][2] = {
      {CUBE, CUBE},        {CUBE, TETRAPOD}, {TETRAPOD, OTHER_TETRAPOD}, {L_PRISM, CUBE},
      {L_PRISM, TETRAPOD}, {CUBE, SQUARE},   {TETRAPOD, SQUARE}};
  sc_random random = {3};
  double jump[LEVELS][2], worst = 0.0, last = 0.0;
  int n = 0;
  for (int i = 0; i < 7 * PATHS; i++) {
    const body_kind *pair = pairs[i % 7];
    const sweep s = {"random path", pair[0], pair[1], along_path, 0.0};
    moved = pair[0] == CUBE ? &cube[0] : &bodies[pair[0]];
    fixed = pair[1] == CUBE ? &cube[1] : &bodies[pair[1]];
    if (!random_path(i / 7, &random)) continue;
    smallest = GBAR;
    for (int k = 0; k <= 20; k++) eval(&s, PD_SET_CONTINUOUS, k / 20.0);
    if (smallest < 0.1 * GBAR) continue;
    refine(&s, PD_SET_CONTINUOUS, jump);
    for (int k = 0; k < 2; k++) {
      if (jump[2][k] < 1e-5) continue;
      worst = fmax(worst, jump[2][k] / jump[0][k]);
      last = fmax(last, jump[2][k] / jump[1][k]);
    }
    n++;
  }
  print_message("random paths: n = %d, worst_ratio = %.4f, from 1e-5 on = %.4f\n", n, worst, last);
  assert_true(n > 100 && worst <= 0.02 && last <= 0.105);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_continuous),
      cmocka_unit_test(test_literal_jumps),
      cmocka_unit_test(test_random_paths),
  };
  (void)argv;
  full = argc > 1;
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
