/* SPDX-License-Identifier: MIT
 * The heuristics of Newton's iteration: each can be switched off, which changes the run and not
 * what it comes to. */
#include "check.h"
#include "world.h"

#define DT 5e-3

enum { BODIES = 20, STARTS = 3, STEPS = 160, TOWER = 20, TOWER_STEPS = 40 };

/* what a run has taken and where it has led */
typedef struct run {
  sc_count count;
  double height,
      energy; /* of the centre of all bodies, and of all of them over that of the start */
} run;

/* no bodies yet; their shape */
static const pd_shape *begin(sc_world *w, unsigned off)
{
  pd_law law = sc_block_law(0.7);
  const pd_friction_law friction = {0.4, 0.3, 2e5, 50.0, 0.0};
  law.t = friction;
  check_ok(sc_world_create(w, PD_EM, law));
  w->opt.off = off;
  w->look = 1;
  return sc_block_shape(w);
}

/* cubes into a pit of planes; shift: of the start, upwards */
static void make_pile(sc_world *w, unsigned off, double shift)
{
  sc_random r = {11};
  const pd_shape *cube = begin(w, off);
  for (int i = 0; i < BODIES; i++)
    sc_add_body(w, cube, SC_BLOCK_MASS,
                pd_v(0.2 * (i / 2 % 2) - 0.1, 0.2 * (i % 2) - 0.1, 0.12 + 0.19 * (i / 4) + shift),
                sc_rotation(&r));
  const pd_vec3 n[5] = {{0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
  for (int i = 0; i < 5; i++) assert_true(sc_add_plane(w, pd_scale(i ? -0.21 : 0.0, n[i]), n[i]));
  check_ok(sc_ready(w));
}

static double height(const sc_world *w)
{
  double sum = 0.0;
  for (int i = 0; i < BODIES; i++) sum += w->sys.body[i].start.x.z;
  return sum / BODIES;
}

static run fall(unsigned off, double shift)
{
  sc_world w;
  run out;
  make_pile(&w, off, shift);
  const double e0 = sc_energy(&w);
  for (int i = 0; i < STEPS; i++) check_ok(sc_advance(&w, DT));
  out.count = w.count;
  out.height = height(&w);
  out.energy = sc_energy(&w) / e0;
  sc_world_free(&w);
  return out;
}

/* from several starts, since rounding decides what a single one does: sums, and means of height and
 * energy */
static run falls(unsigned off)
{
  run sum = fall(off, 0.0);
  for (int k = 1; k < STARTS; k++) {
    const run one = fall(off, 1e-9 * k);
    sum.count.iterations += one.count.iterations;
    sum.count.evaluations += one.count.evaluations;
    sum.count.substeps += one.count.substeps;
    sum.count.failed += one.count.failed;
    sum.count.overlaps += one.count.overlaps;
    sum.height += one.height;
    sum.energy += one.energy;
  }
  sum.height /= STARTS;
  sum.energy /= STARTS;
  return sum;
}

/* one heuristic that can be switched off */
typedef struct heuristic {
  pd_heuristic off;
  const char *name;
} heuristic;

static void report(const char *name, const run *r)
{
  print_message("without %s: iterations = %ld, evaluations = %ld, substeps = %ld, failed = %ld, "
                "overlaps = %ld, height = %.4f m, energy = %.3f of the start's\n",
                name, r->count.iterations, r->count.evaluations, r->count.substeps, r->count.failed,
                r->count.overlaps, r->height, r->energy);
}

/* The last guess saves evaluations, and nothing else changes; with any other switch the pile comes
 * to another place, if only by rounding. Counts may be the same by chance. */
static void check_switch_acts(const run *all, const run *r, pd_heuristic off)
{
  if (off == PD_LAST_GUESS) {
    assert_int_equal(r->count.iterations, all->count.iterations);
    assert_true(r->count.evaluations != all->count.evaluations);
  }
  assert_true((r->height == all->height) == (off == PD_LAST_GUESS));
}

/* All substeps are solved all the same, and the pile is about as high. */
static void check_run(const run *all, const run *r, pd_heuristic off)
{
  check_switch_acts(all, r, off);
  check_near(r->height, all->height, 0.15 * all->height);
  assert_true(r->energy < 0.6);
  if (off != PD_JOIN_MEETING) assert_int_equal(r->count.overlaps, 0);
}

static void test_switches(void **state)
{
  static const heuristic all[] = {{PD_INELASTIC_IMPACTS, "inelastic impacts"},
                                  {PD_PREDICTION, "prediction"},
                                  {PD_JOIN_MEETING, "joining of islands that may meet"},
                                  {PD_LAST_GUESS, "last guess"},
                                  {PD_LAST_MATRIX, "last matrix"}};
  const run with_all = falls(0);
  (void)state;
  report("nothing", &with_all);
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    const run without = falls(all[i].off);
    report(all[i].name, &without);
    check_run(&with_all, &without, all[i].off);
  }
}

/* a tower that is hit by a cube: the residual has a peak where it is hit */
static void make_tower(sc_world *w, unsigned off)
{
  sc_random r = {5};
  const pd_shape *cube = begin(w, off);
  const double pitch = SC_BLOCK_EDGE + 8e-4; /* in contact */
  for (int i = 0; i < TOWER; i++)
    sc_add_body(w, cube, SC_BLOCK_MASS, pd_v(0, 0, pitch * (i + 0.5)), pd_q(1, 0, 0, 0));
  const int hit = sc_add_body(w, cube, SC_BLOCK_MASS, pd_v(-0.2, 0, 1), sc_rotation(&r));
  w->sys.body[hit].start.v = pd_v(4, 0, 0);
  assert_true(sc_add_plane(w, pd_v(0, 0, 0), pd_v(0, 0, 1)));
  check_ok(sc_ready(w));
}

/* Substeps that have cost parts of iterations: only local steps do. */
static int count_partial(unsigned off)
{
  sc_world w;
  int partial = 0;
  make_tower(&w, off);
  for (int i = 0; i < TOWER_STEPS; i++) {
    check_ok(sc_advance(&w, DT));
    partial += w.last.effort != floor(w.last.effort);
  }
  assert_int_equal(w.count.overlaps, 0);
  sc_world_free(&w);
  return partial;
}

static void test_local_steps(void **state)
{
  const int with = count_partial(0), without = count_partial(PD_LOCAL_STEPS);
  (void)state;
  print_message("steps of %d that end with local steps = %d, without them = %d\n", TOWER_STEPS,
                with, without);
  assert_true(with > 3);
  assert_int_equal(without, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_switches),
                                     cmocka_unit_test(test_local_steps)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
