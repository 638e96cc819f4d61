/* SPDX-License-Identifier: MIT
 * Damped falls by implicit Euler with substeps up to 5e-3 s: an aligned stack of five cubes comes
 * to rest exactly, 24 cubes fall into a box; convergence of Newton's method and its cost. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "world.h"

#define DT 5e-3
#define STARTS 4
#define LONGEST 10 /* s, of a fall */
#define GRAVITY 9.81

/* ---- stack ---- */

static void make_stack(sc_world *w, int surface)
{
  check_ok(sc_world_create(w, PD_EULER, sc_block_law(0.7)));
  const pd_shape *cube = sc_block_shape(w);
  const double gap = 5e-3, edge = SC_BLOCK_EDGE;
  for (int i = 0; i < 5; i++)
    sc_add_body(w, cube, SC_BLOCK_MASS, pd_v(0, 0, 0.5 * edge + gap + i * (edge + gap)),
                pd_q(1, 0, 0, 0));
  if (surface) {
    pd_mesh mesh;
    check_ok(sc_open_quad(20.0 * edge, &mesh));
    assert_true(sc_add_surface(w, sc_add_shape(w, &mesh, 0)));
  } else
    assert_true(sc_add_plane(w, pd_v(0, 0, 0), pd_v(0, 0, 1)));
  check_ok(sc_ready(w));
}

static double drift(const sc_world *w)
{
  double d = 0.0;
  for (int i = 0; i < w->sys.nbody; i++)
    d = fmax(d, hypot(w->sys.body[i].start.x.x, w->sys.body[i].start.x.y));
  return d;
}

static void check_stack(int surface)
{
  sc_world w;
  make_stack(&w, surface);
  const double e0 = sc_energy(&w), weight = 5.0 * SC_BLOCK_MASS * GRAVITY;
  for (int i = 0; i < 100; i++) check_ok(sc_advance(&w, DT));
  const sc_count fall = w.count;
  sc_count_reset(&w);
  for (int i = 0; i < 100; i++) check_ok(sc_advance(&w, DT));
  const double reaction = -w.sys.wall[0].load[2] / weight - 1.0, away = drift(&w) / SC_BLOCK_EDGE;
  print_message("stack on a %s: kinetic/initial energy = %.1e, reaction/weight - 1 = %+.1e, "
                "drift/edge = %.1e\n",
                surface ? "surface" : "plane", w.energy.kinetic / e0, reaction, away);
  print_message("  to 0.5 s: substeps = %ld, failed = %ld, guarded = %ld, iterations per substep = "
                "%.2f, most = %d; from 0.5 s on: iterations per s = %.0f\n",
                fall.substeps, fall.failed, fall.guarded, (double)fall.iterations / fall.substeps,
                fall.most, w.count.iterations / 0.5);
  assert_true(w.energy.kinetic < 1e-12 * e0);
  check_near(reaction, 0.0, 1e-8);
  assert_true(away < 1e-6);
  assert_true(fall.failed <= 2);
  assert_true(w.count.iterations <= 100);
  sc_world_free(&w);
}

static void test_stack(void **state)
{
  (void)state;
  check_stack(0);
  check_stack(1);
}

/* ---- box ---- */

/* Open box on the floor z = 0: walls at distance a, height h; ten triangles. */
static void make_box_mesh(double a, double h, pd_mesh *mesh)
{
  const double x[4] = {-a, a, a, -a}, y[4] = {-a, -a, a, a};
  int t[10][3] = {{0, 1, 2}, {0, 2, 3}};
  pd_vec3 v[8];
  for (int i = 0; i < 8; i++) v[i] = pd_v(x[i % 4], y[i % 4], i < 4 ? 0.0 : h);
  for (int i = 0; i < 4; i++) {
    const int j = (i + 1) % 4, side[6] = {i, i + 4, j + 4, i, j + 4, j};
    for (int k = 0; k < 6; k++) t[2 + 2 * i + k / 3][k % 3] = side[k];
  }
  check_ok(pd_mesh_create(8, v, 10, (const int(*)[3])t, mesh));
}

static void make_pile(sc_world *w, unsigned long long seed)
{
  sc_random r = {seed};
  pd_mesh mesh;
  check_ok(sc_world_create(w, PD_EULER, sc_block_law(0.7)));
  const pd_shape *cube = sc_block_shape(w);
  for (int i = 0; i < 24; i++)
    sc_add_body(w, cube, SC_BLOCK_MASS,
                pd_v(0.2 * (i / 2 % 2) - 0.1, 0.2 * (i % 2) - 0.1, 0.12 + 0.19 * (i / 4)),
                sc_rotation(&r));
  make_box_mesh(0.21, 3.0, &mesh);
  assert_true(sc_add_surface(w, sc_add_shape(w, &mesh, 0)));
  check_ok(sc_ready(w));
}

/* orders of convergence seen at the ends of the substeps' histories */
typedef struct tail {
  int n;
  double order[4096];
} tail;

/* Three residuals in the quadratic range, above rounding, the last one of a step that is Newton's:
 * log ratios of successive decreases. */
static void note_tail(tail *o, const pd_substep *s, double tol)
{
  for (int k = 2; k <= s->iterations && k < PD_HISTORY; k++) {
    const double a = s->history[k - 2], b = s->history[k - 1], c = s->history[k];
    if (a > 0.1 || c < 1e-11 || !(b < 0.1 * a) || o->n == 4096) continue;
    if (b * b <= PD_SIMPLIFIED * tol * a) continue;
    o->order[o->n++] = log(c / b) / log(b / a);
  }
}

static int ascending(const void *p, const void *q)
{
  const double a = *(const double *)p, b = *(const double *)q;
  return (a > b) - (a < b);
}

static double median(tail *o)
{
  qsort(o->order, (size_t)o->n, sizeof(double), ascending);
  return o->order[o->n / 2];
}

/* the residuals of the hardest substep, as an illustration */
static void print_history(const pd_substep *s)
{
  print_message("  hardest substep, residual/scale:");
  for (int i = 0; i <= s->iterations && i < PD_HISTORY; i++) print_message(" %.1e", s->history[i]);
  print_message("\n");
}

static void run_pile(sc_world *w, int steps, tail *orders, pd_substep *hardest)
{
  for (int i = 0; i < steps; i++) {
    check_ok(sc_advance(w, DT));
    note_tail(orders, &w->last, w->opt.tol);
    if (w->last.iterations > hardest->iterations) *hardest = w->last;
  }
}

/* what the falls of a pile cost, summed over its starts */
typedef struct cost {
  sc_count fall, rest; /* until the pile is at rest, and in the second after it */
  double gain;         /* largest rise of the energy in a substep, over the initial energy */
  double longest;      /* fall, s */
  tail orders;
  pd_substep hardest;
} cost;

static void add_count(sc_count *sum, const sc_count *c)
{
  sum->substeps += c->substeps;
  sum->failed += c->failed;
  sum->guarded += c->guarded;
  sum->iterations += c->iterations;
  sum->wasted += c->wasted;
  sum->evaluations += c->evaluations;
  sum->overlaps += c->overlaps;
}

/* A second of the pile's motion, into sum; the kinetic energy at its end, over e0. */
static double run_second(sc_world *w, double e0, sc_count *sum, cost *o)
{
  sc_count_reset(w);
  run_pile(w, 200, &o->orders, &o->hardest);
  add_count(sum, &w->count);
  o->gain = fmax(o->gain, w->count.gain / e0);
  return w->energy.kinetic / e0;
}

/* one start: the pile falls until its kinetic energy is less than the fraction rest of its energy
 */
static void settle_pile(pd_scheme_kind scheme, double mu, unsigned long long seed, double rest,
                        cost *o)
{
  const pd_friction_law friction = {mu, 0.8 * mu, 1e6, 100.0, 0.0};
  sc_world w;
  make_pile(&w, seed);
  w.sys.scheme.kind = scheme;
  if (mu > 0.0) w.law.t = friction;
  if (scheme == PD_EM) { /* as fix implicit/polyhedron has them */
    w.opt.tol = 1e-10;
    w.opt.guard = 5e-7;
  }
  w.look = 1;
  check_ok(sc_ready(&w));
  const double e0 = sc_energy(&w);
  double kinetic = 1.0;
  int second = 0;
  while (kinetic >= rest && second++ < LONGEST) kinetic = run_second(&w, e0, &o->fall, o);
  assert_true(kinetic < rest);
  assert_true(run_second(&w, e0, &o->rest, o) < rest);
  o->longest = fmax(o->longest, second);
  sc_world_free(&w);
}

/* A pile in fall is chaotic: rounding decides where its cubes go, and so what a single fall costs.
 * What is bounded are means over STARTS starts, at 1.5 times what they were on average over 24
 * starts, or more where that is less than four standard deviations of the mean away. */
static void check_piles(pd_scheme_kind scheme, double mu, double rest, double fall_bound,
                        double rest_bound)
{
  static cost o;
  memset(&o, 0, sizeof o);
  for (int i = 1; i <= STARTS; i++) settle_pile(scheme, mu, (unsigned long long)i, rest, &o);
  const double fall = (double)o.fall.iterations / STARTS,
               still = (double)o.rest.iterations / STARTS;
  const double order = median(&o.orders);
  print_message(
      "pile, %s, mu %g, mean of %d starts: iterations until rest = %.0f (wasted %.0f) in %.0f "
      "substeps, failed = %.1f, guarded = %.1f, longest fall = %g s; in a second at rest = %.0f; "
      "largest gain in a substep = %.1e of the initial energy\n",
      scheme == PD_EM ? "em" : "euler", mu, STARTS, fall, (double)o.fall.wasted / STARTS,
      (double)o.fall.substeps / STARTS, (double)o.fall.failed / STARTS,
      (double)o.fall.guarded / STARTS, o.longest, still, o.gain);
  print_history(&o.hardest);
  print_message("pile: order of Newton's tail, median of %d = %.2f\n", o.orders.n, order);
  assert_int_equal(o.fall.overlaps + o.rest.overlaps, 0);
  assert_true(o.fall.failed < (scheme == PD_EM ? 0.25 : 0.05) * o.fall.substeps);
  assert_true(fall < fall_bound);
  assert_true(still < rest_bound);
  assert_true(o.orders.n > 50 && order > 1.6);
  if (scheme == PD_EM) assert_true(o.gain < 1e-6);
}

/* without friction cubes go on sliding over the floor for long */
static void test_smooth_pile(void **state)
{
  (void)state;
  check_piles(PD_EULER, 0.0, 1e-2, 7100.0, 2100.0);
}

static void test_rough_pile(void **state)
{
  (void)state;
  check_piles(PD_EULER, 0.5, 1e-16, 8900.0, 155.0);
  check_piles(PD_EM, 0.5, 1e-16, 12100.0, 86.0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_stack),
                                     cmocka_unit_test(test_smooth_pile),
                                     cmocka_unit_test(test_rough_pile)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
