/* SPDX-License-Identifier: MIT
 * Memory of friction: a body slides, in contact, over borders that geometry does not know (between
 * coplanar triangles, along the diagonal of a square) or that hand it from one body to the next.
 * The path is run with few and with many steps; the largest change of the friction force in one
 * step must shrink with the step: there is no jump. On the first kind of border friction must
 * besides be that over a plane. The literal set of contacts is the control: there jumps remain. */
#include <string.h>

#include "bodies.h"
#include "dynamics/integrator.h"

#define PI 3.14159265358979323846
#define GBAR 1e-3
#define EDGE 0.1
#define LENGTH 0.1 /* lever in which torques are measured */

enum { COARSE = 400, FACTOR = 64, PLAIN = 1000, CELLS = 16, GROUNDS = 2 };

/* what is under the moved cube: nothing but the plane z = 0, or one or two fixed bodies */
typedef enum ground_kind { PLANE, SQUARE, GRID, ONE_BLOCK, TWO_BLOCKS } ground_kind;

/* how it moves: along x by shift, to and fro meanwhile, turning about z */
typedef struct path {
  const char *name;
  double stiffness; /* eps_t */
  double shift, swing, cycles;
} path;

typedef struct scene {
  const char *name;
  ground_kind ground;
  double space;          /* between the two blocks */
  pd_vec3 middle;        /* of the path */
  double yaw, increment; /* in the middle, over the whole path */
} scene;

/* a contact has a spring of 4e-2 m, 0.25 gbar, 0.25 gbar up to Coulomb's limit at gbar / 2 */
static const path paths[] = {{"stick", 2.5e4, 6 * GBAR, 0.0, 0.0},
                             {"slip", 3.9e6, 6 * GBAR, 0.0, 0.0},
                             {"stick and slip", 3.9e6, 6 * GBAR, GBAR, 4.0}};
enum { STICK, SLIP, BOTH, PATHS = sizeof paths / sizeof paths[0] };

static body cube, square, grid, block[GROUNDS];
static pd_pair_work *work;
static pd_law law;
static const double half_gap = 0.5 * GBAR;

/* Square of side 2 a in n x n squares of two triangles each. */
static void make_grid(body *b, double a, int n)
{
  pd_vec3 *v = (pd_vec3 *)malloc((size_t)(n + 1) * (n + 1) * sizeof *v);
  int(*t)[3] = (int(*)[3])malloc((size_t)2 * n * n * sizeof *t), nt = 0;
  pd_mesh mesh;
  assert_true(v && t);
  for (int i = 0; i < (n + 1) * (n + 1); i++)
    v[i] = pd_v(a * (2.0 * (i % (n + 1)) / n - 1.0), a * (2.0 * (i / (n + 1)) / n - 1.0), 0.0);
  for (int i = 0; i < n * n; i++) {
    const int p = i / n * (n + 1) + i % n;
    const int two[2][3] = {{p, p + 1, p + n + 2}, {p, p + n + 2, p + n + 1}};
    memcpy(t[nt], two, sizeof two);
    nt += 2;
  }
  const pd_status status = pd_mesh_create((n + 1) * (n + 1), v, nt, (const int(*)[3])t, &mesh);
  body_make(b, status, &mesh, 0);
  free(v);
  free(t);
}

static void make_block(body *b) { body_box(b, EDGE, EDGE, EDGE); }

static int set_up(void **state)
{
  (void)state;
  pd_mesh mesh;
  const pd_status status = sc_open_quad(EDGE, &mesh);
  body_make(&square, status, &mesh, 0);
  make_grid(&grid, EDGE, CELLS);
  make_block(&cube);
  for (int i = 0; i < GROUNDS; i++) {
    make_block(&block[i]);
    block[i].pose.mass = INFINITY;
  }
  law = law_make(3.9e6, 1.0, GBAR, 0.0, 0.0);
  law.t.mu_s = law.t.mu_d = 0.5;
  check_ok(pd_law_init(&law));
  check_ok(pd_pair_work_create(&work));
  return 0;
}

static int tear_down(void **state)
{
  (void)state;
  body_free(&cube);
  body_free(&square);
  body_free(&grid);
  for (int i = 0; i < GROUNDS; i++) body_free(&block[i]);
  pd_pair_work_free(work);
  return 0;
}

/* ---- one step ---- */

/* the cube's pose at the fraction t of the path, its lower face half the gap over the ground */
static void pose(const scene *s, const path *p, double t, pd_vec3 *x, double *yaw)
{
  const double along = p->shift * (t - 0.5) + p->swing * sin(2.0 * PI * p->cycles * t);
  *x = pd_add(s->middle, pd_v(along, 0.0, 0.5 * EDGE + half_gap));
  *yaw = s->yaw + s->increment * (t - 0.5);
}

static void put_cube(pd_vec3 x, double yaw)
{
  body_put(&cube, x, body_turn(pd_v(0.0, 0.0, 1.0), yaw));
}

/* Puts the cube at t1 as the end of a substep that began at t0. */
static void move_cube(const scene *s, const path *p, double t0, double t1)
{
  pd_vec3 x0, x1;
  double yaw0, yaw1;
  pose(s, p, t0, &x0, &yaw0);
  pose(s, p, t1, &x1, &yaw1);
  put_cube(x1, yaw1);
  pd_increment *turn = &cube.pose.increment;
  turn->u = pd_sub(x1, x0);
  turn->alpha = pd_v(0.0, 0.0, 2.0 * tan(0.5 * (yaw1 - yaw0)));
  turn->dq = pd_rodrigues(turn->alpha);
}

/* the grounds of a scene, their memories, the friction force (0) and torque (1) on the cube in
 * units of mu f(gbar/2) and of that times LENGTH, the normal force in units of f(gbar/2) */
typedef struct state {
  const scene *s;
  pd_contact_set set;
  body *under[GROUNDS];
  int n;
  pd_friction_records old[GROUNDS], fresh[GROUNDS];
  pd_vec3 f[2];
  double normal;
  long stuck, slid; /* contacts at the ends of steps */
} state;

static state start(const scene *s, pd_contact_set set)
{
  state y;
  memset(&y, 0, sizeof y);
  y.s = s;
  y.set = set;
  y.n = s->ground == TWO_BLOCKS ? 2 : s->ground == PLANE ? 0 : 1;
  y.under[0] = s->ground == SQUARE ? &square : s->ground == GRID ? &grid : &block[0];
  y.under[1] = &block[1];
  const double side = s->ground == TWO_BLOCKS ? 0.5 * (EDGE + s->space) : 0.0;
  for (int i = 0; i < y.n; i++) {
    const int is_block = s->ground >= ONE_BLOCK;
    body_put(y.under[i], pd_v(i ? side : -side, 0.0, is_block ? -0.5 * EDGE : 0.0),
             pd_m_identity());
  }
  return y;
}

static void finish(state *y)
{
  for (int i = 0; i < GROUNDS; i++) {
    pd_friction_records_free(&y->old[i]);
    pd_friction_records_free(&y->fresh[i]);
  }
}

static pd_pair_result eval_ground(const state *y, int i, const pd_friction_memory *memory)
{
  const pd_vec3 zero = pd_v(0.0, 0.0, 0.0), up = pd_v(0.0, 0.0, 1.0);
  pd_pair_request request = {0};
  pd_pair_result r;
  pd_pose floor;
  request.law = &law;
  request.set = y->set;
  request.mode = PD_END_OF_STEP;
  request.memory = memory;
  if (y->n == 0) {
    const pd_pair_geometry at = {&cube.pose, &floor, pd_neg(cube.x), zero, &up, NULL};
    memset(&floor, 0, sizeof floor);
    floor.mass = INFINITY;
    floor.velocity = pd_at_rest();
    floor.increment = pd_no_increment();
    request.at = at;
  } else {
    request.at = body_pair(&cube, y->under[i]);
  }
  check_ok(pd_pair_evaluate(&request, work, &r));
  return r;
}

/* Forces at the cube's place; what the contacts then remember becomes the start of the next step.
 */
static void step(state *y)
{
  const double normal = pd_law_eval(&law, half_gap).fn, unit = 1.0 / (law.t.mu_d * normal);
  y->f[0] = y->f[1] = pd_v(0.0, 0.0, 0.0);
  y->normal = 0.0;
  for (int i = 0; i < (y->n ? y->n : 1); i++) {
    y->fresh[i].n = 0;
    const pd_friction_memory memory = {y->old[i].r, y->old[i].n, &y->fresh[i]};
    const pd_pair_result r = eval_ground(y, i, &memory);
    const double *f = r.loss[PD_FRICTION];
    y->f[0] = pd_axpy(y->f[0], unit, pd_v_load(f));
    y->f[1] = pd_axpy(y->f[1], unit / LENGTH, pd_v_load(f + 3));
    y->normal += (r.force[2] - f[2]) / normal;
    const pd_friction_records list = y->old[i];
    y->old[i] = y->fresh[i];
    y->fresh[i] = list;
    for (int k = 0; k < y->old[i].n; k++)
      *(y->old[i].r[k].history.slipping ? &y->slid : &y->stuck) += 1;
  }
}

/* ---- whole paths ---- */

/* What a path showed after its first quarter, in which the springs are loaded: largest changes of
 * force and torque in a step, range of the friction and the normal force; share of sticking
 * contacts */
typedef struct record {
  double jump[2], low, high, normal[2], stick;
} record;

static void watch(record *r, const state *y, const pd_vec3 *before, double t)
{
  if (t < 0.25) return;
  for (int k = 0; k < 2; k++) r->jump[k] = fmax(r->jump[k], pd_norm(pd_sub(y->f[k], before[k])));
  const double force = pd_norm(y->f[0]);
  r->low = fmin(r->low, force);
  r->high = fmax(r->high, force);
  r->normal[0] = fmin(r->normal[0], y->normal);
  r->normal[1] = fmax(r->normal[1], y->normal);
}

static record run(const scene *s, const path *p, pd_contact_set set, int n)
{
  record r = {{0.0, 0.0}, DBL_MAX, 0.0, {DBL_MAX, 0.0}, 0.0};
  state y = start(s, set);
  law.t.eps_t = p->stiffness;
  move_cube(s, p, 0.0, 0.0);
  step(&y);
  for (int i = 1; i <= n; i++) {
    const pd_vec3 before[2] = {y.f[0], y.f[1]};
    const double t = i / (double)n;
    move_cube(s, p, (i - 1) / (double)n, t);
    step(&y);
    watch(&r, &y, before, t);
  }
  r.stick = (double)y.stuck / (double)(y.stuck + y.slid);
  finish(&y);
  return r;
}

/* jumps in few and in many steps; the ratio of the latter to the former of force and of torque */
static double refine(const scene *s, const path *p, pd_contact_set set, record *last)
{
  const record first = run(s, p, set, COARSE);
  double worst = 0.0;
  *last = run(s, p, set, COARSE * FACTOR);
  print_message("%-22s %-14s", s->name, p->name);
  for (int k = 0; k < 2; k++) {
    print_message(" | %s %8.1e %8.1e", k ? "torque" : "force", first.jump[k], last->jump[k]);
    if (last->jump[k] < 1e-9) { /* rounding */
      print_message(" %13s", "");
      continue;
    }
    const double ratio = last->jump[k] / first.jump[k];
    print_message(" ratio %7.5f", ratio);
    worst = fmax(worst, ratio);
  }
  print_message(" | friction %.4f to %.4f, normal %.4f to %.4f, sticking %.3f\n", last->low,
                last->high, last->normal[0], last->normal[1], last->stick);
  return worst;
}

/* ---- borders between coplanar triangles ---- */

/* the corners of the cube pass over borders and over the points where these meet */
static const scene flat[] = {{"square, its diagonal", SQUARE, 0.0, {0.0, 0.0, 0.0}, 0.0, 0.0},
                             {"square, turning", SQUARE, 0.0, {0.0, 3e-4, 0.0}, 0.0, 0.02},
                             {"grid, its points", GRID, 0.0, {0.0, 0.0, 0.0}, 0.0, 0.0},
                             {"grid, turning", GRID, 0.0, {0.0, 3e-4, 0.0}, 0.0, 0.02},
                             {"grid, yaw 30", GRID, 0.0, {2e-4, 3e-4, 0.0}, PI / 6.0, 0.02}};

/* largest difference of friction force and torque from that over a plane */
static double from_plane(const scene *s, const path *p, int n)
{
  scene plain = *s;
  double worst = 0.0;
  plain.ground = PLANE;
  state y = start(s, PD_SET_CONTINUOUS), z = start(&plain, PD_SET_CONTINUOUS);
  law.t.eps_t = p->stiffness;
  for (int i = 0; i <= n; i++) {
    move_cube(s, p, (i ? i - 1 : 0) / (double)n, i / (double)n);
    step(&y);
    step(&z);
    for (int k = 0; k < 2; k++) worst = fmax(worst, pd_norm(pd_sub(y.f[k], z.f[k])));
  }
  finish(&y);
  finish(&z);
  return worst;
}

static void coplanar_borders_are_not_felt(void **state)
{
  (void)state;
  double worst = 0.0, apart = 0.0;
  record last;
  for (size_t i = 0; i < sizeof flat / sizeof flat[0]; i++)
    for (int k = 0; k < PATHS; k++) {
      worst = fmax(worst, refine(&flat[i], &paths[k], PD_SET_CONTINUOUS, &last));
      apart = fmax(apart, from_plane(&flat[i], &paths[k], PLAIN));
      if (k == STICK) assert_true(last.stick == 1.0);
      if (k == SLIP) assert_true(last.stick < 0.1);
      if (k == SLIP && flat[i].increment == 0.0)
        assert_true(last.high - last.low < 1e-12 * last.high);
      if (k == BOTH) assert_true(last.stick > 0.05 && last.stick < 0.95);
    }
  print_message("coplanar: worst_ratio = %.5f (steps: 1/%d), difference_from_plane = %.2g\n", worst,
                FACTOR, apart);
  assert_true(worst < 1.2 / FACTOR);
  assert_true(apart < 1e-9);
}

/* ---- from one block to the next ---- */

static const scene blocks[] = {
    {"over 1e-7", TWO_BLOCKS, 1e-7, {-0.5 * EDGE, 3e-4, 0.0}, 0.0, 0.0},
    {"over 1e-7, shifted", TWO_BLOCKS, 1e-7, {-0.5 * EDGE, 0.02, 0.0}, 0.0, 0.0},
    {"over 1e-7, turning", TWO_BLOCKS, 1e-7, {-0.5 * EDGE, 0.02, 0.0}, 0.0, 0.02},
    {"over 1e-7, yaw 30", TWO_BLOCKS, 1e-7, {-0.0683, 0.01, 0.0}, PI / 6.0, 0.02},
    {"over gbar/2", TWO_BLOCKS, 0.5 * GBAR, {-0.5 * EDGE, 0.02, 0.0}, 0.0, 0.0},
    {"over gbar/2, turning", TWO_BLOCKS, 0.5 * GBAR, {-0.5 * EDGE, 0.02, 0.0}, 0.0, 0.02},
    {"across, centred", TWO_BLOCKS, 1e-7, {0.0, 0.02, 0.0}, 0.0, 0.02},
    {"one block, its border", ONE_BLOCK, 0.0, {0.0, 0.02, 0.0}, 0.0, 0.02}};
enum { BLOCKS = sizeof blocks / sizeof blocks[0] };

static void next_block_takes_over_without_a_jump(void **state)
{
  (void)state;
  double worst = 0.0;
  record last;
  for (int i = 0; i < BLOCKS; i++)
    for (int k = 0; k < PATHS; k++) {
      const double ratio = refine(&blocks[i], &paths[k], PD_SET_CONTINUOUS, &last);
      worst = fmax(worst, ratio);
      if (k == BOTH) assert_true(last.stick > 0.05 && last.stick < 0.95);
    }
  print_message("blocks: worst_ratio = %.5f (steps: 1/%d)\n", worst, FACTOR);
  assert_true(worst < 1.5 / FACTOR);
}

static void literal_set_jumps(void **state)
{
  (void)state;
  double worst = 0.0;
  record last;
  for (int k = 0; k < PATHS; k++)
    worst = fmax(worst, refine(&blocks[1], &paths[k], PD_SET_LITERAL, &last));
  print_message("literal: worst_ratio = %.5f\n", worst);
  assert_true(worst > 0.5);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(coplanar_borders_are_not_felt),
      cmocka_unit_test(next_block_takes_over_without_a_jump),
      cmocka_unit_test(literal_set_jumps),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
