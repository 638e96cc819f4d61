/* SPDX-License-Identifier: MIT
 * The barrier: the contact energy is never below 0.8 of what the smallest distance alone would
 * give, over random and nearly aligned poses of convex, non-convex, small and thin bodies, and of
 * rocks, at whose obtuse corners many edges meet. */
#include "geometry/builtin_internal.h"
#include "poses.h"

#define GBAR 1e-3
#define FLOOR 0.8

enum { PAIRS = 12, POSES = 2000 }; /* ten thousand: tests/long/test_more_poses.py */

static pd_law law;
static pd_pair_work *work;

static int set_up(void **state)
{
  (void)state;
  law = law_make(3.9e6, 1.0, GBAR, 0.0, 0.0);
  check_ok(pd_pair_work_create(&work));
  return 0;
}

static int tear_down(void **state)
{
  (void)state;
  pd_pair_work_free(work);
  return 0;
}

/* a box by its edges, a rock of 16 vertices by the number it is drawn from, or the tetrapod */
typedef struct shape {
  const char *name;
  double a, b, c;
  int rock;
} shape;

static const shape cube = {"cube", 0.1, 0.1, 0.1, 0}, small = {"4 mm cube", 0.004, 0.004, 0.004, 0};
static const shape plate = {"0.5 mm plate", 0.05, 0.05, 0.0005, 0},
                   tetrapod = {"tetrapod", 0.0, 0.0, 0.0, 0};
static const shape pebble = {"4 mm rock", 0.004, 0.004, 0.004, 9},
                   flat = {"flat rock", 0.05, 0.05, 0.02, 10};
static const shape rocks[4] = {{"rock 1", 0.05, 0.05, 0.05, 1},
                               {"rock 2", 0.05, 0.05, 0.05, 2},
                               {"rock 4", 0.05, 0.05, 0.05, 4},
                               {"rock 5", 0.05, 0.05, 0.05, 5}};

static void make_rock(const shape *s, body *b)
{
  const double values[5] = {s->a, s->b, s->c, 16.0, s->rock};
  pd_mesh mesh;
  const pd_status status = pd_make_rock(values, &mesh);
  body_make(b, status, &mesh, 1);
}

static void make(const shape *s, body *b)
{
  if (s->rock)
    make_rock(s, b);
  else if (s->a > 0.0)
    body_box(b, s->a, s->b, s->c);
  else
    body_tetrapod(b);
}

typedef struct extremes {
  double low, high;
  int n;
} extremes;

static void check_pose(const body *a, const body *b, extremes *e)
{
  pd_pair_result r;
  const double alone = pd_law_eval(&law, body_brute_distance(a, b)).phi;
  check_ok(body_eval(a, b, &law, PD_SET_CONTINUOUS, 0, work, &r, NULL));
  e->low = fmin(e->low, r.energy / alone);
  e->high = fmax(e->high, r.energy / alone);
  e->n++;
}

/* the poses of a pair; returns the lowest V / phi(d_min) */
static double check_pair(const shape *s, const shape *t, int poses)
{
  static const char *names[POSE_KINDS] = {"random", "aligned", "edges", "vertices", "vertex-edge"};
  sc_random random = {17};
  extremes e[POSE_KINDS];
  double low = DBL_MAX;
  body a, b;
  int n = 0;
  make(s, &a);
  make(t, &b);
  for (int k = 0; k < POSE_KINDS; k++) e[k] = (extremes){DBL_MAX, 0.0, 0};
  /* half of the poses random or nearly aligned, half feature on feature */
  for (int i = 0; n < poses; i++) {
    const pose_kind kind = (pose_kind)(i % 8 < 5 ? i % 8 : i % 2);
    if (!pose_make(&a, &b, kind, GBAR, sc_uniform(&random, 0.02, 0.92), &random)) continue;
    check_pose(&a, &b, &e[kind]);
    n++;
  }
  print_message("%s on %s:", s->name, t->name);
  for (int k = 0; k < POSE_KINDS; k++) {
    print_message(" %s %d: %.3f..%.2f", names[k], e[k].n, e[k].low, e[k].high);
    low = fmin(low, e[k].low);
  }
  print_message(", lowest_energy = %.3f\n", low);
  body_free(&a);
  body_free(&b);
  return low;
}

static int poses = POSES;

static void test_barrier(void **state)
{
  (void)state;
  const shape *pairs[PAIRS][2] = {
      {&cube, &cube},     {&tetrapod, &tetrapod}, {&cube, &tetrapod},     {&small, &tetrapod},
      {&plate, &cube},    {&plate, &plate},       {&rocks[0], &rocks[1]}, {&rocks[2], &rocks[3]},
      {&rocks[0], &cube}, {&rocks[1], &tetrapod}, {&pebble, &rocks[2]},   {&flat, &plate}};
  double low = DBL_MAX;
  print_message("V / phi(d_min), lowest..highest, by kind of pose\n");
  for (int i = 0; i < PAIRS; i++) low = fmin(low, check_pair(pairs[i][0], pairs[i][1], poses));
  print_message("lowest_energy = %.3f over %d poses\n", low, PAIRS * poses);
  assert_true(low >= FLOOR);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_barrier),
  };
  if (argc > 1) poses = atoi(argv[1]); /* of each pair */
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
