/* SPDX-License-Identifier: MIT
 * A system of bodies: assembled tangent against differences, pattern, step limiter, overlap
 * finder, start of a step, memory. */
#include <string.h>

#include "check.h"
#include "dynamics/workspace.h"
#include "world.h"

enum { UNKNOWNS = 36, POINTS = 50, TRIALS = 2000 };

static pd_vec3 random_vector(sc_random *r, double size)
{
  return pd_v(sc_uniform(r, -size, size), sc_uniform(r, -size, size), sc_uniform(r, -size, size));
}

/* a soft law: at rest its gaps lie in the middle of a long activation distance */
static pd_law soft_law(double zeta)
{
  pd_law law = sc_block_law(zeta);
  law.gbar = 1e-2;
  law.eps1 = 3e3;
  return law;
}

/* ---- tangent ---- */

/* Six bodies of three shapes that have come down into a groove and onto a plane. */
static void make_heap(sc_world *w, pd_scheme_kind scheme, double zeta)
{
  sc_random r = {7};
  pd_mesh mesh;
  check_ok(sc_world_create(w, scheme, soft_law(zeta)));
  const pd_shape *shape[3] = {sc_block_shape(w)};
  check_ok(sc_tetrapod(0.1, 0.04, 0.6, &mesh));
  shape[1] = sc_add_shape(w, &mesh, 1);
  check_ok(sc_l_prism(0.12, 0.05, 0.08, &mesh));
  shape[2] = sc_add_shape(w, &mesh, 1);
  for (int i = 0; i < UNKNOWNS / 6; i++) {
    const pd_vec3 x = pd_v(0.03 * (i % 2) - 0.015, 0.0, 0.2 + 0.23 * i);
    assert_int_equal(sc_add_body(w, shape[i % 3], 1.0, x, sc_rotation(&r)), i);
  }
  check_ok(sc_wedge(1.6, 1.0, &mesh));
  sc_move(&mesh, sc_turn(pd_v(0, 1, 0), -0.7), pd_v(0.0, 0.0, 0.0));
  assert_true(sc_add_surface(w, sc_add_shape(w, &mesh, 0)));
  assert_true(sc_add_plane(w, pd_v(0.0, 0.0, 0.03), pd_v(0.1, 0.05, 1.0)));
  check_ok(sc_ready(w));
}

/* Random velocities, accelerations and increments about the present places. */
static void shake(sc_world *w, sc_random *r)
{
  for (int i = 0; i < w->sys.nbody; i++) {
    pd_body *b = &w->sys.body[i];
    b->start.v = random_vector(r, 0.3);
    b->start.w = random_vector(r, 3.0);
    b->start.acc = random_vector(r, 10.0);
    b->start.wdot = random_vector(r, 100.0);
    b->u = random_vector(r, 2e-4);
    b->alpha = random_vector(r, 2e-3);
  }
}

static void residual(sc_world *w, double *out)
{
  pd_totals t;
  check_ok(pd_system_eval(&w->sys, PD_AT_TRIAL, 0, &t));
  memcpy(out, w->sys.assembly.force, UNKNOWNS * sizeof(double));
}

static double *unknown(sc_world *w, int j)
{
  pd_body *b = &w->sys.body[j / 6];
  double *p[6] = {&b->u.x, &b->u.y, &b->u.z, &b->alpha.x, &b->alpha.y, &b->alpha.z};
  return p[j % 6];
}

/* fourth-order central difference of the residual along unknown j */
static void difference(sc_world *w, int j, double e, double *out)
{
  const double c[2] = {2.0 / 3.0, -1.0 / 12.0}, at = *unknown(w, j);
  double up[UNKNOWNS], down[UNKNOWNS];
  memset(out, 0, UNKNOWNS * sizeof(double));
  for (int k = 0; k < 2; k++) {
    *unknown(w, j) = at + (k + 1) * e;
    residual(w, up);
    *unknown(w, j) = at - (k + 1) * e;
    residual(w, down);
    for (int i = 0; i < UNKNOWNS; i++) out[i] += c[k] * (up[i] - down[i]) / e;
  }
  *unknown(w, j) = at;
}

static double column_error(const double *a, const double *b)
{
  double diff = 0.0, size = 0.0;
  for (int i = 0; i < UNKNOWNS; i++) {
    diff += (a[i] - b[i]) * (a[i] - b[i]);
    size += b[i] * b[i];
  }
  return sqrt(diff / size);
}

/* figures of a comparison */
typedef struct tangent_error {
  double worst;
  int columns,
      kinked; /* kinked: two difference steps disagree, a kink of the law lies between them */
  double contacts;
} tangent_error;

static void compare_tangent(sc_world *w, tangent_error *e)
{
  double k[UNKNOWNS * UNKNOWNS], fd[UNKNOWNS], fd2[UNKNOWNS];
  pd_totals t;
  check_ok(pd_system_eval(&w->sys, PD_AT_TRIAL, 1, &t));
  sc_dense(&w->sys, w->sys.assembly.values, w->sys.assembly.place, k);
  e->contacts += t.ncontact;
  for (int j = 0; j < UNKNOWNS; j++) {
    const double step = j % 6 < 3 ? 2e-7 : 2e-6;
    difference(w, j, step, fd);
    difference(w, j, 0.5 * step, fd2);
    e->columns++;
    if (column_error(fd, fd2) > 1e-6)
      e->kinked++;
    else
      e->worst = fmax(e->worst, column_error(k + UNKNOWNS * j, fd));
  }
}

/* a force that keeps its direction, and a wrench that follows the body, both at points off the
 * centre */
static void push(sc_world *w)
{
  pd_load l[2] = {{0}, {0}};
  l[0].body = 1;
  l[0].f = pd_v(3.0, -2.0, 4.0);
  l[0].f0 = pd_v(1.0, 2.0, -5.0);
  l[0].point = pd_v(0.02, 0.05, -0.03);
  l[1].body = 4;
  l[1].f = pd_v(-5.0, 1.0, 2.0);
  l[1].m = pd_v(0.3, 0.2, -0.1);
  l[1].f0 = pd_v(2.0, 3.0, 1.0);
  l[1].m0 = pd_v(-0.2, 0.4, 0.1);
  l[1].point = pd_v(-0.04, 0.01, 0.05);
  l[1].follow = 1;
  check_ok(pd_system_set_loads(&w->sys, 2, l));
}

/* bodies in contact some components of whose motion are held, along axes of space and of the body
 */
static void hold(sc_world *w, sc_random *r)
{
  for (int i = 1; i < 5; i++) {
    pd_constraint c = {0};
    c.axes = pd_q_matrix(sc_rotation(r));
    c.follows = i % 2;
    c.translation = i + 1;
    c.rotation = 6 - i;
    pd_body_constrain(&w->sys.body[i], c);
  }
}

static void check_tangent(pd_scheme_kind scheme, double zeta, double mu, double h, int held)
{
  sc_world w;
  sc_random r = {3};
  tangent_error e = {0.0, 0, 0, 0.0};
  const pd_friction_law friction = {mu, 0.8 * mu, 2e4, 5.0, 0.0};
  make_heap(&w, PD_EULER, zeta);
  if (mu > 0.0) w.law.t = friction;
  for (int i = 0; i < 220; i++) check_ok(sc_advance(&w, 5e-3));
  w.sys.scheme.kind = scheme;
  if (mu > 0.0) push(&w);
  if (held) hold(&w, &r);
  pd_scheme_set_step(&w.sys.scheme, h);
  for (int i = 0; i < 12; i++) {
    shake(&w, &r);
    compare_tangent(&w, &e);
  }
  print_message("tangent, %s, zeta %g, mu %g, held %d, remembered %d, h %g: error = %.1e, kinked "
                "columns = %d of "
                "%d, contacts = %.1f\n",
                scheme == PD_EULER ? "euler" : "newmark", zeta, mu, held, w.sys.friction.at_start.n,
                h, e.worst, e.kinked, e.columns, e.contacts / 12.0);
  check_near(e.worst, 0.0, 1e-6);
  assert_true(e.kinked < e.columns / 5);
  assert_true(e.contacts / 12.0 > 10.0);
  sc_world_free(&w);
}

static void test_tangent(void **state)
{
  (void)state;
  check_tangent(PD_NEWMARK, 0.0, 0.0, 1e-2, 0);
  check_tangent(PD_NEWMARK, 0.5, 0.0, 1e-2, 0);
  check_tangent(PD_EULER, 0.0, 0.0, 1e-2, 0);
  check_tangent(PD_EULER, 0.5, 0.0, 1e-2, 0);
  check_tangent(PD_EULER, 0.5, 0.0, 1e-4, 0);
  check_tangent(PD_EULER, 0.5, 0.5, 1e-2, 0);
  check_tangent(PD_NEWMARK, 0.5, 0.2, 1e-2, 0);
  check_tangent(PD_NEWMARK, 0.0, 0.8, 1e-3, 0);
  check_tangent(PD_EULER, 0.5, 0.5, 1e-2, 1);
  check_tangent(PD_NEWMARK, 0.5, 0.2, 1e-2, 1);
}

/* loads alone, on bodies that are turned far and touch nothing, in steps in which they matter */
static void check_loads(pd_scheme_kind scheme)
{
  sc_world w;
  sc_random r = {5};
  tangent_error e = {0.0, 0, 0, 0.0};
  make_heap(&w, scheme, 0.0);
  pd_scheme_set_step(&w.sys.scheme, 0.1);
  push(&w);
  for (int i = 0; i < 12; i++) {
    shake(&w, &r);
    for (int k = 0; k < w.sys.nbody; k++) {
      w.sys.body[k].alpha = random_vector(&r, 0.5);
      w.sys.body[k].scheme_a = 0.5;
    }
    compare_tangent(&w, &e);
  }
  print_message("tangent of loads, scheme %d: error = %.1e, contacts = %g\n", (int)scheme, e.worst,
                e.contacts);
  check_near(e.worst, 0.0, 1e-7);
  assert_true(e.contacts == 0.0);
  sc_world_free(&w);
}

static void test_tangent_of_loads(void **state)
{
  (void)state;
  check_loads(PD_NEWMARK);
  check_loads(PD_EULER);
  check_loads(PD_EM);
}

/* ---- pattern ---- */

static void add_pair(sc_world *w, int a, int b)
{
  pd_contact_pair link = {0};
  link.a = a;
  link.b = b;
  link.law = &w->law;
  link.share = 1.0;
  check_ok(pd_system_add_pair(&w->sys, link));
}

/* Five cubes in a row along x, 0.1005 apart; the fourth does not move, the fifth is a ghost of the
 * second. */
static void make_row(sc_world *w, double eps1)
{
  pd_law law = sc_block_law(0.0);
  law.eps1 = eps1;
  check_ok(sc_world_create(w, PD_EULER, law));
  const pd_shape *cube = sc_block_shape(w);
  for (int i = 0; i < 5; i++) sc_add_body(w, cube, 1.0, pd_v(0.1005 * i, 0, 0), pd_q(1, 0, 0, 0));
  const long rows[5] = {0, 1, 2, -1, 1};
  for (int i = 0; i < 5; i++) w->sys.body[i].row = rows[i];
  w->sys.body[3].mobile = 0;
  w->sys.body[4].owned = 0;
  check_ok(pd_system_bind(&w->sys));
  w->sys.npair = 0;
}

static void test_pattern(void **state)
{
  sc_world w;
  (void)state;
  make_row(&w, 1e6);
  add_pair(&w, 0, 1);
  add_pair(&w, 1, 2);
  add_pair(&w, 2, 3);
  add_pair(&w, 0, 4); /* a second way from row 0 to row 1 */
  check_ok(pd_system_pattern(&w.sys, 0, 3));
  const int rowptr[4] = {0, 2, 5, 7}, col[7] = {0, 1, 0, 1, 2, 1, 2};
  const int slot[4][4] = {{0, 1, 2, 3}, {3, 4, 5, 6}, {6, -1, -1, -1}, {0, 1, -1, -1}};
  assert_int_equal(w.sys.pattern.nlocal, 3);
  assert_memory_equal(w.sys.pattern.rowptr, rowptr, sizeof rowptr);
  assert_memory_equal(w.sys.pattern.col, col, sizeof col);
  for (int i = 0; i < 4; i++) assert_memory_equal(w.sys.pair[i].slot, slot[i], sizeof slot[i]);
  sc_world_free(&w);
}

/* rows of a process that does not own the first ones */
static void test_pattern_offset(void **state)
{
  sc_world w;
  (void)state;
  make_row(&w, 1e6);
  const long rows[5] = {11, 12, 13, -1, 4};
  for (int i = 0; i < 5; i++) w.sys.body[i].row = rows[i];
  add_pair(&w, 0, 1);
  add_pair(&w, 0, 4);
  add_pair(&w, 2, 4);
  check_ok(pd_system_pattern(&w.sys, 11, 20));
  const int rowptr[4] = {0, 3, 5, 7}, col[7] = {4, 11, 12, 11, 12, 4, 13};
  const int slot[3][4] = {{1, 2, 3, 4}, {1, 0, -1, -1}, {6, 5, -1, -1}};
  assert_memory_equal(w.sys.pattern.rowptr, rowptr, sizeof rowptr);
  assert_memory_equal(w.sys.pattern.col, col, sizeof col);
  for (int i = 0; i < 3; i++) assert_memory_equal(w.sys.pair[i].slot, slot[i], sizeof slot[i]);
  sc_world_free(&w);
}

/* matrix and residual of two cubes joined by so many pairs of a given stiffness */
static void join(int links, double eps1, double *k, double *f)
{
  sc_world w;
  pd_totals t;
  make_row(&w, eps1);
  for (int i = 0; i < links; i++) add_pair(&w, 0, 1);
  check_ok(pd_system_pattern(&w.sys, 0, 3));
  pd_scheme_set_step(&w.sys.scheme, 1.0);
  check_ok(pd_system_eval(&w.sys, PD_AT_TRIAL, 1, &t));
  assert_int_equal(w.sys.pattern.rowptr[3], 5);
  sc_dense(&w.sys, w.sys.assembly.values, w.sys.assembly.place, k);
  memcpy(f, w.sys.assembly.force, 12 * sizeof(double));
  sc_world_free(&w);
}

static void test_links_merge(void **state)
{
  static double k[2][18 * 18], f[2][12];
  double worst = 0.0;
  (void)state;
  join(2, 1e6, k[0], f[0]);
  join(1, 2e6, k[1], f[1]);
  for (int i = 0; i < 18 * 18; i++) worst = fmax(worst, fabs(k[0][i] - k[1][i]) / 1e6);
  for (int i = 0; i < 12; i++) worst = fmax(worst, fabs(f[0][i] - f[1][i]) / fabs(f[1][0]));
  print_message("two links against one of double stiffness = %.1e\n", worst);
  assert_true(fabs(f[1][0]) > 100.0);
  check_near(worst, 0.0, 1e-12);
}

/* ---- step limiter ---- */

/* Four bodies, a surface and a plane; the bodies are put anew for every trial. */
static void make_arena(sc_world *w)
{
  pd_mesh mesh;
  check_ok(sc_world_create(w, PD_EULER, sc_block_law(0.0)));
  const pd_shape *shape[3] = {sc_block_shape(w)};
  check_ok(sc_tetrapod(0.1, 0.03, 0.6, &mesh));
  shape[1] = sc_add_shape(w, &mesh, 1);
  check_ok(sc_l_prism(0.12, 0.05, 0.08, &mesh));
  shape[2] = sc_add_shape(w, &mesh, 1);
  for (int i = 0; i < 4; i++) sc_add_body(w, shape[i % 3], 1.0, pd_v(i, 0, 1), pd_q(1, 0, 0, 0));
  check_ok(sc_wedge(2.0, 0.6, &mesh));
  sc_move(&mesh, sc_turn(pd_v(0, 1, 0), -1.0), pd_v(-0.2, 0.0, -0.1));
  assert_true(sc_add_surface(w, sc_add_shape(w, &mesh, 0)));
  assert_true(sc_add_plane(w, pd_v(0.0, 0.0, -0.25), pd_v(0.2, 0.0, 1.0)));
  check_ok(sc_ready(w));
}

/* where the bodies go in a trial, and how far they are let */
static double direction[6 * 4], fraction[4];

/* the smallest factor of the direction with eta = 1/2; *wall: that of the walls */
static double limit(sc_world *w, int walls, double *wall)
{
  const pd_step_request request = {direction, 0.5, walls, PD_ENTRY_LIMIT, NULL, 0};
  pd_step_limits limits = {fraction, 0.0, 0.0, -1};
  check_ok(pd_system_limit_step(&w->sys, &request, &limits));
  *wall = limits.wall;
  return limits.least;
}

/* Cubes in a row, gaps of parts of the activation distance: pairs that go slowly against the gap
 * that the evaluation has found are let go without a search, others are not, and the fractions are
 * those of the search, to the last bit. */
static void test_limit_after_evaluation(void **state)
{
  sc_world w;
  sc_random r = {17};
  pd_totals t;
  int whole = 0, cut = 0;
  (void)state;
  for (int trial = 0; trial < 200; trial++) {
    check_ok(sc_world_create(&w, PD_EULER, sc_block_law(0.5)));
    const pd_shape *block = sc_block_shape(&w);
    const double gbar = w.law.gbar, edge = 2.0 * block->v[0].x;
    double x = 0.0, found[2][4];
    for (int i = 0; i < 4; i++) {
      sc_add_body(&w, block, 1.0, pd_v(x, 0, 0), pd_q(1, 0, 0, 0));
      x += fabs(edge) + gbar * sc_uniform(&r, 0.1, 1.2);
    }
    check_ok(sc_ready(&w));
    pd_scheme_set_step(&w.sys.scheme, 1e-3);
    check_ok(pd_system_eval(&w.sys, PD_AT_TRIAL, 0, &t));
    const double size = gbar * pow(10.0, sc_uniform(&r, -2.0, 0.5));
    for (int i = 0; i < 24; i++) direction[i] = sc_uniform(&r, -size, size);
    for (int k = 0; k < 2; k++) {
      const pd_step_request request = {direction, 0.5, 0, PD_ENTRY_LIMIT, NULL, k};
      pd_step_limits limits = {found[k], 0.0, 0.0, -1};
      check_ok(pd_system_limit_step(&w.sys, &request, &limits));
      whole += limits.least == 1.0;
      cut += limits.least < 1.0;
    }
    assert_memory_equal(found[0], found[1], sizeof found[0]);
    sc_world_free(&w);
  }
  print_message("ways = %d whole, %d cut\n", whole, cut);
  assert_true(whole > 50 && cut > 50);
}

static int overlap(sc_world *w)
{
  double depth;
  pd_status status;
  const int i = pd_system_overlap(&w->sys, &depth, &status);
  check_ok(status);
  return i >= 0;
}

/* puts the walls' starts at a fraction of their way */
static void shift_walls(pd_system *sys, const pd_wall *start, double t)
{
  for (int i = 0; i < sys->nwall; i++) {
    pd_wall *p = &sys->wall[i];
    p->x = pd_axpy(start[i].x, t, start[i].u);
    p->q = pd_q_mul(pd_rodrigues_quat(pd_scale(t, start[i].alpha)), start[i].q);
    p->t = -1.0;
  }
}

/* whether any pair's bodies overlap at a fraction of the step */
static int overlap_on_path(sc_world *w, const pd_state *start, const double *factor, double t)
{
  pd_system *sys = &w->sys;
  const pd_wall walls[2] = {sys->wall[0], sys->wall[1]};
  shift_walls(sys, walls, t);
  for (int i = 0; i < sys->nbody; i++) {
    const double *d = direction + 6 * i, s = t * factor[i];
    pd_body *b = &sys->body[i];
    b->start.x = pd_axpy(start[i].x, s, pd_v_load(d));
    b->start.q = pd_q_mul(pd_rodrigues_quat(pd_scale(s, pd_v_load(d + 3))), start[i].q);
  }
  const int overlaps = overlap(w);
  for (int i = 0; i < sys->nbody; i++) sys->body[i].start = start[i];
  shift_walls(sys, walls, 0.0);
  return overlaps;
}

/* Bodies thrown together: places close to each other without overlap, steps that would cross. */
static void throw_bodies(sc_world *w, sc_random *r, double size)
{
  pd_system *sys = &w->sys;
  do
    for (int i = 0; i < sys->nbody; i++) {
      sys->body[i].start.x = random_vector(r, 0.2);
      sys->body[i].start.q = sc_rotation(r);
    }
  while (overlap(w));
  pd_system_reset(sys);
  for (int i = 0; i < sys->nbody; i++) {
    pd_v_store(direction + 6 * i, random_vector(r, size));
    pd_v_store(direction + 6 * i + 3, random_vector(r, 5.0 * size));
  }
}

static double smallest_distance(sc_world *w, double cut)
{
  pd_system *sys = &w->sys;
  double least = cut;
  for (int i = 0; i < sys->npair; i++) {
    const pd_contact_pair *l = &sys->pair[i];
    const pd_body *a = &sys->body[l->a];
    double d = cut;
    const pd_body *b = l->wall ? NULL : &sys->body[l->b];
    const pd_wall *wall = l->wall ? &sys->wall[l->b] : NULL;
    pd_pair_geometry at = {
        &a->pose, b ? &b->pose : &wall->pose, pd_neg(a->start.x), pd_neg(a->u), NULL, NULL};
    if (b) {
      at.r0 = pd_sub(b->start.x, a->start.x);
      at.ru = pd_sub(b->u, a->u);
    }
    if (wall && wall->kind == PD_PLANE) {
      at.plane = &wall->n;
      at.r0 = pd_sub(wall->x, a->start.x);
      d = pd_plane_distance(&at);
    } else {
      d = pd_pair_distance(&at, cut);
    }
    least = fmin(least, d);
  }
  return least;
}

/* all bodies at a multiple of their directions */
static void move_along(pd_system *sys, double t)
{
  for (int i = 0; i < sys->nbody; i++) {
    const double *d = direction + 6 * i;
    pd_system_set_pose(sys, i, pd_scale(t, pd_v_load(d)), pd_scale(t, pd_v_load(d + 3)));
  }
}

static double distance_on_path(sc_world *w, double t)
{
  move_along(&w->sys, t);
  const double d = smallest_distance(w, 0.05);
  move_along(&w->sys, 0.0);
  return d;
}

/* the sides of a pair of bodies where they are */
static pd_pair_geometry sides_of(const pd_system *sys, const pd_contact_pair *l)
{
  const pd_body *a = &sys->body[l->a], *b = &sys->body[l->b];
  const pd_pair_geometry at = {&a->pose,           &b->pose, pd_sub(b->start.x, a->start.x),
                               pd_sub(b->u, a->u), NULL,     NULL};
  return at;
}

/* puts all bodies at the same displacement */
static void move_together(pd_system *sys, pd_vec3 u)
{
  for (int i = 0; i < sys->nbody; i++) pd_system_set_pose(sys, i, u, pd_v(0.0, 0.0, 0.0));
}

/* A distance that was measured bounds those that come after, and is not used up by a way that the
 * sides go together. A plane parts them by no
 * more. */
static void test_known_distances(void **state)
{
  sc_world w;
  sc_random r = {29};
  int apart = 0, known = 0;
  (void)state;
  make_arena(&w);
  pd_system *sys = &w.sys;
  for (int trial = 0; trial < 300; trial++) {
    throw_bodies(&w, &r, pow(10.0, sc_uniform(&r, -3.0, -1.0)));
    move_along(sys, 0.0);
    for (int i = 0; i < sys->npair; i++) {
      pd_contact_pair *l = &sys->pair[i];
      if (l->wall) continue;
      const pd_pair_geometry at = sides_of(sys, l);
      const double d = pd_system_distance(sys, l, 1.0), parted = pd_pair_parted(&at);
      assert_true(parted <= d);
      apart += parted > 0.0;
      move_together(sys, pd_v(3.0, -2.0, 5.0));
      assert_true(pd_contact_pair_separation(sys, l) > 0.999 * d - 1e-6);
      move_along(sys, 1.0);
      const pd_pair_geometry moved = sides_of(sys, l);
      known += pd_contact_pair_separation(sys, l) > 0.0;
      if (pd_contact_pair_separation(sys, l) > 0.0)
        assert_true(pd_pair_distance(&moved, 10.0) >= pd_contact_pair_separation(sys, l));
      move_along(sys, 0.0);
    }
  }
  print_message("known distances: parted by a plane = %d, distances left = %d\n", apart, known);
  assert_true(apart > 300 && known > 300);
  sc_world_free(&w);
}

/* What was measured on trial bounds the distances of trials near it, however far from the start. */
static void test_distances_of_trials(void **state)
{
  sc_world w;
  sc_random r = {31};
  int measured = 0, known = 0;
  (void)state;
  make_arena(&w);
  pd_system *sys = &w.sys;
  for (int trial = 0; trial < 300; trial++) {
    throw_bodies(&w, &r, pow(10.0, sc_uniform(&r, -2.0, -1.0)));
    for (int i = 0; i < sys->npair; i++) {
      pd_contact_pair *l = &sys->pair[i];
      if (l->wall) continue;
      l->separation = l->path_bound = 0.0;
      move_along(sys, 1.0);
      const double d = pd_system_distance(sys, l, 1.0);
      move_along(sys, 1.0 + sc_uniform(&r, -0.01, 0.01));
      const pd_pair_geometry at = sides_of(sys, l);
      const double bound = pd_contact_pair_separation(sys, l);
      assert_true(bound <= fmax(0.0, pd_pair_distance(&at, 10.0)));
      measured += d > 0.01;
      known += d > 0.01 && bound > 0.5 * d;
    }
  }
  print_message("distances of trials: measured = %d, known near by = %d\n", measured, known);
  assert_true(measured > 300 && known > 0.9 * measured);
  sc_world_free(&w);
}

/* what the step limiter did over all trials */
typedef struct filter_record {
  int overlaps, unfiltered_hit, full, cut, useless;
  double farthest, nearest; /* distance at which cut steps end, over gbar */
} filter_record;

static void try_throw(sc_world *w, sc_random *r, filter_record *o)
{
  pd_state start[4];
  const double gbar = w->law.gbar, size = pow(10.0, sc_uniform(r, -3.0, -0.3));
  double whole[4] = {1.0, 1.0, 1.0, 1.0}, least[4];
  double wall;
  throw_bodies(w, r, size);
  for (int i = 0; i < 4; i++) start[i] = w->sys.body[i].start;
  const double d0 = distance_on_path(w, 0.0), t = limit(w, 0, &wall);
  assert_true(t >= 0.0 && t <= 1.0);
  for (int i = 0; i < 4; i++) {
    assert_true(fraction[i] >= t && fraction[i] <= 1.0);
    least[i] = t;
  }
  int crossed = 0;
  for (int k = 1; k <= POINTS; k++) {
    o->overlaps += overlap_on_path(w, start, least, (double)k / POINTS);
    crossed |= overlap_on_path(w, start, whole, (double)k / POINTS);
  }
  o->unfiltered_hit += crossed;
  if (t == 1.0)
    o->full++;
  else
    o->cut++;
  if (t == 1.0 || d0 < gbar) return;
  const double d = distance_on_path(w, t) / gbar;
  o->farthest = fmax(o->farthest, d);
  o->nearest = fmin(o->nearest, d);
  if (d > 1.0) o->useless++;
}

static void test_filter(void **state)
{
  sc_world w;
  sc_random r = {11};
  filter_record o = {0, 0, 0, 0, 0, 0.0, DBL_MAX};
  (void)state;
  make_arena(&w);
  for (int i = 0; i < TRIALS; i++) try_throw(&w, &r, &o);
  print_message(
      "filter: trials = %d, cut = %d, would have crossed = %d, overlaps on the path = %d, "
      "distance left = %.3f to %.3f gbar, stopped short = %d\n",
      TRIALS, o.cut, o.unfiltered_hit, o.overlaps, o.nearest, o.farthest, o.useless);
  assert_int_equal(o.overlaps, 0);
  assert_true(o.unfiltered_hit > TRIALS / 4);
  assert_true(o.full > TRIALS / 10 && o.cut > TRIALS / 4);
  assert_true(o.useless < o.cut / 50);
  assert_true(o.nearest > 0.9);
  sc_world_free(&w);
}

/* walls that go and turn meanwhile: bodies that keep their paths up to the common factor, walls
 * that are held back with them, never meet */
static void test_filter_with_moving_walls(void **state)
{
  sc_world w;
  sc_random r = {17};
  pd_state start[4];
  int overlaps = 0, blocked = 0, crossed = 0;
  (void)state;
  make_arena(&w);
  for (int i = 0; i < 2; i++) w.sys.wall[i].moves = 1;
  check_ok(pd_system_bind(&w.sys));
  for (int n = 0; n < TRIALS / 4; n++) {
    const double size = pow(10.0, sc_uniform(&r, -3.0, -0.5)), whole[4] = {1.0, 1.0, 1.0, 1.0};
    double wall, least[4];
    throw_bodies(&w, &r, 0.3 * size);
    for (int i = 0; i < 4; i++) start[i] = w.sys.body[i].start;
    for (int i = 0; i < 2; i++)
      pd_system_move_wall(&w.sys, i, random_vector(&r, size), random_vector(&r, 2.0 * size),
                          pd_v(0, 0, 0), pd_v(0, 0, 0));
    for (int i = 0; i < 2; i++) pd_system_set_wall_pose(&w.sys, i, 0.0);
    for (int i = 0; i < 4; i++) pd_system_set_pose(&w.sys, i, pd_v(0, 0, 0), pd_v(0, 0, 0));
    const double t = limit(&w, 1, &wall);
    assert_true(wall >= t && wall <= 1.0);
    blocked += wall < 1.0;
    for (int i = 0; i < 4; i++) least[i] = 1.0;
    int over = 0;
    for (int k = 1; k <= POINTS; k++) {
      overlaps += overlap_on_path(&w, start, least, t * k / POINTS);
      over |= overlap_on_path(&w, start, whole, (double)k / POINTS);
    }
    crossed += over;
  }
  print_message(
      "filter with moving walls: trials = %d, blocked by a wall = %d, would have crossed = "
      "%d, overlaps on the path = %d\n",
      TRIALS / 4, blocked, crossed, overlaps);
  assert_int_equal(overlaps, 0);
  assert_true(crossed > TRIALS / 16 && blocked > TRIALS / 16);
  sc_world_free(&w);
}

/* a body in contact may come closer by the fraction asked for, and leave freely */
static void test_filter_in_contact(void **state)
{
  sc_world w;
  double wall;
  (void)state;
  check_ok(sc_world_create(&w, PD_EULER, sc_block_law(0.0)));
  const double gap = 0.6 * w.law.gbar;
  sc_add_body(&w, sc_block_shape(&w), 1.0, pd_v(0, 0, 0.05 + gap), pd_q(1, 0, 0, 0));
  assert_true(sc_add_plane(&w, pd_v(0, 0, 0), pd_v(0, 0, 1)));
  check_ok(sc_ready(&w));
  memset(direction, 0, sizeof direction);
  direction[2] = -1.0;
  const double down = limit(&w, 0, &wall);
  print_message("filter in contact: gap left = %.3f of it\n", 1.0 - down / gap);
  check_near(1.0 - down / gap, 0.5, 0.026);
  direction[2] = 1.0;
  check_near(limit(&w, 0, &wall), 1.0, 0.0);
  direction[2] = 0.0;
  direction[0] = 1.0; /* along the plane */
  check_near(limit(&w, 0, &wall), 1.0, 0.0);
  sc_world_free(&w);
}

/* nothing near: bodies far apart, or passing each other at a distance beyond the activation
 * distance */
static void test_filter_is_idle(void **state)
{
  sc_world w;
  double wall;
  (void)state;
  check_ok(sc_world_create(&w, PD_EULER, sc_block_law(0.0)));
  const pd_shape *cube = sc_block_shape(&w);
  for (int i = 0; i < 2; i++) sc_add_body(&w, cube, 1.0, pd_v(0, 0, 0.102 * i), pd_q(1, 0, 0, 0));
  check_ok(sc_ready(&w));
  memset(direction, 0, sizeof direction);
  direction[0] = 0.5; /* slides past, 2 gbar above */
  check_near(limit(&w, 0, &wall), 1.0, 0.0);
  direction[6] = -0.5;
  check_near(limit(&w, 0, &wall), 1.0, 0.0);
  direction[0] = direction[6] = 0.0;
  direction[8] = 10.0; /* flies away */
  check_near(limit(&w, 0, &wall), 1.0, 0.0);
  direction[8] = -10.0; /* cannot be jumped over */
  const double t = limit(&w, 0, &wall);
  check_near(10.0 * t, 0.002 - 0.95e-3, 0.02e-3);
  sc_world_free(&w);
}

/* ---- overlaps ---- */

static int first_overlap(sc_world *w, double *depth)
{
  pd_status status;
  const int i = pd_system_overlap(&w->sys, depth, &status);
  check_ok(status);
  return i;
}

static void test_overlap(void **state)
{
  sc_world w;
  double depth;
  pd_mesh mesh;
  (void)state;
  check_ok(sc_world_create(&w, PD_EULER, sc_block_law(0.0)));
  const pd_shape *cube = sc_block_shape(&w);
  for (int i = 0; i < 3; i++)
    sc_add_body(&w, cube, 1.0, pd_v(0, 0, 0.055 + 0.105 * i), pd_q(1, 0, 0, 0));
  assert_true(sc_add_plane(&w, pd_v(0, 0, 0), pd_v(0, 0, 1)));
  check_ok(sc_open_quad(1.0, &mesh));
  sc_move(&mesh, sc_turn(pd_v(1, 0, 0), 0.5 * 3.14159265358979), pd_v(0, 0.3, 0));
  assert_true(sc_add_surface(&w, sc_add_shape(&w, &mesh, 0)));
  check_ok(sc_ready(&w));
  assert_int_equal(first_overlap(&w, &depth), -1);
  check_near(depth, 0.0, 0.0);
  pd_vec3 *x = &w.sys.body[2].start.x;
  x->z = 0.255; /* into the second cube */
  const int i = first_overlap(&w, &depth);
  assert_int_equal(w.sys.pair[i].a, 1);
  assert_int_equal(w.sys.pair[i].b, 2);
  assert_false(w.sys.pair[i].wall);
  *x = pd_v(0.5, 0.0, 0.047);
  const int j = first_overlap(&w, &depth);
  assert_true(w.sys.pair[j].wall && w.sys.pair[j].a == 2 && w.sys.pair[j].b == 0);
  check_near(depth, 0.003, 1e-12);
  *x = pd_v(0.5, 0.27, 0.3);
  const int k = first_overlap(&w, &depth);
  assert_true(w.sys.pair[k].wall && w.sys.pair[k].a == 2 && w.sys.pair[k].b == 1);
  w.sys.body[2].u = pd_v(0.0, 5.0, 0.0); /* left over from a step: of no account */
  assert_int_equal(first_overlap(&w, &depth), k);
  check_status(sc_ready(&w), PD_EOVERLAP);
  sc_world_free(&w);
}

/* ---- start of a step ---- */

/* accelerations from the contact forces at the start; increments left over do not count */
static void test_start(void **state)
{
  sc_world w;
  pd_energy now;
  pd_totals totals;
  (void)state;
  check_ok(sc_world_create(&w, PD_NEWMARK, sc_block_law(0.0)));
  const double gap = 0.9 * w.law.gbar, press = 0.1 * w.law.gbar;
  sc_add_body(&w, sc_block_shape(&w), 1.0, pd_v(0, 0, 0.05 + gap), pd_q(1, 0, 0, 0));
  assert_true(sc_add_plane(&w, pd_v(0, 0, 0), pd_v(0, 0, 1)));
  check_ok(sc_ready(&w));
  w.sys.body[0].u = pd_v(0.0, 0.0, 1.0);
  check_ok(pd_energy_now(&w.sys, &w.services, &now, &totals));
  const double f = 4.0 * w.law.eps1 * press;
  check_near(now.potential, 0.5 * f * press, 1e-9 * f * press);
  check_near(w.sys.body[0].start.acc.z, f - 9.81, 1e-9 * f);
  check_near(pd_norm(w.sys.body[0].start.wdot), 0.0, 1e-9 * f);
  check_near(w.sys.wall[0].load[2], -f, 1e-9 * f);
  sc_world_free(&w);
}

/* Actio = reactio: the wall's load is the negative force on the body, its moment about the
 * wall's own origin. */
static void test_wall_load(void **state)
{
  sc_world w;
  sc_random r = {5};
  double force = 0.0, moment = 0.0;
  (void)state;
  make_heap(&w, PD_EULER, 0.5);
  for (int i = 0; i < 120; i++) check_ok(sc_advance(&w, 5e-3));
  for (int trial = 0; trial < 10; trial++) {
    pd_totals t;
    pd_vec3 f = pd_v(0, 0, 0), m = pd_v(0, 0, 0);
    shake(&w, &r);
    for (int i = 0; i < w.sys.nbody; i++) w.sys.body[i].u = w.sys.body[i].alpha = pd_v(0, 0, 0);
    check_ok(pd_system_eval(&w.sys, PD_AT_START, 0, &t));
    for (int i = 0; i < w.sys.nbody; i++) {
      const pd_vec3 fi = pd_v_load(w.sys.assembly.force + 6 * i);
      f = pd_add(f, fi);
      m = pd_add(m, pd_add(pd_v_load(w.sys.assembly.force + 6 * i + 3),
                           pd_cross(w.sys.body[i].start.x, fi)));
    }
    const double size = pd_norm(f), turn = pd_norm(m) + size * 0.1;
    for (int i = 0; i < w.sys.nwall; i++) {
      f = pd_add(f, pd_v_load(w.sys.wall[i].load));
      m = pd_add(m, pd_v_load(w.sys.wall[i].load + 3));
      m = pd_add(m, pd_cross(w.sys.wall[i].x, pd_v_load(w.sys.wall[i].load)));
    }
    assert_true(size > 1.0);
    force = fmax(force, pd_norm(f) / size);
    moment = fmax(moment, pd_norm(m) / turn);
  }
  print_message("balance of walls and bodies: force = %.1e, moment = %.1e\n", force, moment);
  check_near(force, 0.0, 1e-12);
  check_near(moment, 0.0, 1e-12);
  sc_world_free(&w);
}

/* ---- memory ---- */

static pd_status build_and_step(void *ctx)
{
  sc_world w;
  pd_mesh mesh;
  pd_status status = sc_world_create(&w, PD_EULER, sc_block_law(0.5));
  (void)ctx;
  const pd_shape *cube = status ? NULL : sc_block_shape(&w);
  int ok = cube != NULL;
  for (int i = 0; i < 3 && ok; i++)
    ok = sc_add_body(&w, cube, 1.0, pd_v(0, 0, 0.0505 + 0.1005 * i), pd_q(1, 0, 0, 0)) == i;
  ok = ok && sc_add_plane(&w, pd_v(0, 0, 0), pd_v(0, 0, 1));
  ok = ok && !sc_open_quad(1.0, &mesh);
  if (ok) sc_move(&mesh, pd_q(1, 0, 0, 0), pd_v(0, 0, -1));
  ok = ok && sc_add_surface(&w, sc_add_shape(&w, &mesh, 0));
  status = ok ? sc_ready(&w) : PD_ENOMEM;
  if (!status) status = sc_substep(&w, 1e-3);
  sc_world_free(&w);
  return status;
}

static void test_memory(void **state)
{
  (void)state;
  check_each_allocation(build_and_step, NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_tangent),
      cmocka_unit_test(test_tangent_of_loads),
      cmocka_unit_test(test_pattern),
      cmocka_unit_test(test_pattern_offset),
      cmocka_unit_test(test_links_merge),
      cmocka_unit_test(test_limit_after_evaluation),
      cmocka_unit_test(test_known_distances),
      cmocka_unit_test(test_distances_of_trials),
      cmocka_unit_test(test_filter),
      cmocka_unit_test(test_filter_in_contact),
      cmocka_unit_test(test_filter_with_moving_walls),
      cmocka_unit_test(test_filter_is_idle),
      cmocka_unit_test(test_overlap),
      cmocka_unit_test(test_start),
      cmocka_unit_test(test_wall_load),
      cmocka_unit_test(test_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
