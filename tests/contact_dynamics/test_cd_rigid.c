/* SPDX-License-Identifier: MIT
 * Rigid contact dynamics: the network's products, PGS and APGD, restitution. */
#include "test_cd_scenes.h"

#include "base/rotation.h"
#include "shapes.h"

/* beam of weight 10 on three supports, by a solver from a cold start */
static void solve_beam(pd_cd_method method, const int *order, double *f)
{
  scene s;
  pd_cd_report report;
  pd_cd_options opt = pd_cd_defaults();
  box_on_points(&s, 10.0, 3, beam_at);
  opt.method = method;
  opt.order = order;
  opt.tol = 1e-13;
  check_ok(pd_cd_step_solve(&s.net, &opt, &s.step, &s.pool, &report));
  assert_true(report.converged);
  for (int i = 0; i < 6; i++) check_near(s.v[i], 0.0, 1e-12);
  memcpy(f, s.f, 3 * sizeof *f);
  scene_close(&s);
}

/* the forces are not unique: they depend on the order of the visits, and on the method */
static void test_order_of_visits(void **state)
{
  (void)state;
  const int middle_first[3] = {1, 0, 2}, left_first[3] = {0, 1, 2};
  double f[3];
  solve_beam(PD_CD_PGS, middle_first, f);
  check_near(f[0], 0.0, 1e-10);
  check_near(f[1], 10.0, 1e-10);
  check_near(f[2], 0.0, 1e-10);
  solve_beam(PD_CD_PGS, left_first, f);
  check_near(f[0] + f[1] + f[2], 10.0, 1e-10);
  assert_true(fabs(f[1] - 10.0) > 0.1);
  solve_beam(PD_CD_APGD, NULL, f);
  for (int i = 0; i < 3; i++) check_near(f[i], 10.0 / 3.0, 1e-9);
}

/* a box that comes down turning on eight points, and a pyramid in fall: the velocities are unique
 */
static void compare_methods(scene *s)
{
  const size_t n6 = 6 * (size_t)s->net.nbody;
  double *first = zeros(n6), *load = zeros(n6), largest = 0.0;
  pd_cd_options opt = pd_cd_defaults();
  pd_cd_report report;
  opt.tol = 1e-10;
  opt.maxit = 200000;
  for (int k = 0; k < 2; k++) {
    opt.method = k ? PD_CD_APGD : PD_CD_PGS;
    scene_reset(s);
    check_ok(pd_cd_step_solve(&s->net, &opt, &s->step, &s->pool, &report));
    assert_true(report.converged);
    if (k == 0) memcpy(first, s->v, n6 * sizeof *first);
    /* eqs. (13) and (37): the load is what the forces add up to */
    const pd_cd_operator op = pd_cd_normals(&s->net);
    pd_cd_step_load(&s->net, &s->step, load);
    pd_cd_resultants(&op, s->f, s->load);
    for (size_t i = 0; i < n6; i++) largest = fmax(largest, fabs(load[i]));
    for (size_t i = 0; i < n6; i++) check_near(load[i], s->load[i], 1e-9 * largest);
    for (int i = 0; i < s->net.ncontact; i++) assert_true(s->f[i] >= 0.0);
  }
  for (size_t i = 0; i < n6; i++) largest = fmax(largest, fabs(first[i]));
  for (size_t i = 0; i < n6; i++) check_near(s->v[i], first[i], 1e-8 * fmin(1.0, largest));
  free(first);
  free(load);
}

static void test_methods_agree(void **state)
{
  (void)state;
  const double at[8][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {0, -1}, {1, 0}, {0, 1}, {-1, 0}};
  scene s;
  box_on_points(&s, 10.0, 8, at);
  for (int i = 0; i < 8; i++) s.net.contact[i].gap = 1e-4 * (i % 3);
  const double v[6] = {0.3, -0.1, -1.0, 0.4, 0.7, -0.2};
  memcpy(s.v0, v, sizeof v);
  compare_methods(&s);
  scene_close(&s);
  pyramid p;
  pyramid_open(&p, 6, 0.05);
  for (int i = 36; i < p.count; i++) p.s.v0[6 * i + 2] = -0.2;
  compare_methods(&p.s);
  pyramid_close(&p);
}

/* B against finite differences of the gap of two turning bodies, and B^T against B */
static double gap_at(const pd_cd_contact *c, const double *q, const pd_vec3 *x)
{
  const pd_vec3 a =
      pd_add(pd_add(x[0], pd_v_load(q)), pd_mv(pd_rodrigues(pd_v_load(q + 3)), c->ra));
  const pd_vec3 b =
      pd_add(pd_add(x[1], pd_v_load(q + 6)), pd_mv(pd_rodrigues(pd_v_load(q + 9)), c->rb));
  return pd_dot(c->n, pd_sub(a, b));
}

static void test_gradient_of_gap(void **state)
{
  (void)state;
  scene s;
  sc_random seed = {5};
  scene_open(&s, 2, 0, 1);
  s.net.body[0] = s.net.body[1] = box_body(2.0, 1.0, 2.0, 3.0);
  double r[9], q[12] = {0.0}, lhs = 0.0;
  for (int i = 0; i < 9; i++) r[i] = sc_uniform(&seed, -1.0, 1.0);
  s.net.contact[0] =
      contact_of(0, 1, pd_unit(pd_v_load(r)), pd_v_load(r + 3), pd_v_load(r + 6), 0.0);
  check_ok(pd_cd_network_bind(&s.net));
  const pd_vec3 x[2] = {pd_v(0.0, 0.0, 0.0), pd_v(1.0, 1.0, 1.0)};
  const pd_cd_operator op = pd_cd_normals(&s.net);
  s.f[0] = 1.7;
  pd_cd_resultants(&op, s.f, s.load);
  for (int i = 0; i < 12; i++) {
    const double h = 1e-5;
    double rate;
    memset(s.v, 0, 12 * sizeof(double));
    s.v[i] = 1.0;
    pd_cd_rates(&op, s.v, &rate);
    q[i] = h;
    double d = gap_at(&s.net.contact[0], q, x);
    q[i] = -h;
    d = (d - gap_at(&s.net.contact[0], q, x)) / (2.0 * h);
    q[i] = 0.0;
    check_near(rate, d, 1e-9);
    check_near(s.load[i], 1.7 * rate, 1e-14);
    lhs += rate * rate *
           (i % 6 < 3 ? s.net.body[i / 6].inv_mass
                      : s.net.body[i / 6].inv_inertia.m[i % 6 - 3][i % 6 - 3]);
  }
  check_near(pd_cd_row_mobility(&s.net, &s.net.row[0]), lhs, 1e-14);
  scene_close(&s);
}

/* one step of two masses that meet at the speeds va, vb; mass b < 0: a wall */
static void collide(pd_cd_method method, double en, double ma, double mb, double gap, double *v)
{
  scene s;
  pd_cd_options opt = pd_cd_defaults();
  pd_cd_report report;
  scene_open(&s, mb > 0.0 ? 2 : 1, 0, 1);
  s.net.body[0] = point_body(ma, 1);
  if (mb > 0.0) s.net.body[1] = point_body(mb, 1);
  s.net.contact[0] = contact_of(0, mb > 0.0 ? 1 : -1, pd_v(1.0, 0.0, 0.0), pd_v(-1.0, 0.0, 0.0),
                                pd_v(1.0, 0.0, 0.0), gap);
  s.net.contact[0].en = en;
  check_ok(pd_cd_network_bind(&s.net));
  opt.method = method;
  opt.tol = 1e-15;
  s.v0[0] = v[0];
  if (mb > 0.0) s.v0[6] = v[1];
  check_ok(pd_cd_step_solve(&s.net, &opt, &s.step, &s.pool, &report));
  v[0] = s.v[0];
  if (mb > 0.0) v[1] = s.v[6];
  scene_close(&s);
}

static void check_collisions(pd_cd_method method, double en)
{
  const double ma = 2.0, mb = 3.0;
  double v[2] = {-1.5, 0.25};
  const double mean = (ma * v[0] + mb * v[1]) / (ma + mb), closing = v[0] - v[1];
  collide(method, en, ma, mb, 0.0, v);
  check_near(v[0], mean - en * closing * mb / (ma + mb), 1e-14);
  check_near(v[1], mean + en * closing * ma / (ma + mb), 1e-14);
  double w[2] = {-0.7, 0.0};
  collide(method, en, ma, -1.0, 0.0, w);
  check_near(w[0], 0.7 * en, 1e-14);
}

static void test_restitution(void **state)
{
  (void)state;
  for (int k = 0; k < 2; k++)
    for (int e = 0; e <= 4; e++) check_collisions(k ? PD_CD_APGD : PD_CD_PGS, 0.25 * e);
  /* a contact with restitution that has not formed is not considered; one without ends closed */
  double v[2] = {-0.7, 0.0};
  collide(PD_CD_PGS, 0.5, 1.0, -1.0, 1e-6, v);
  check_near(v[0], -0.7, 0.0);
  collide(PD_CD_PGS, 0.0, 1.0, -1.0, 1e-4, v);
  check_near(v[0], -0.1, 1e-14);
}

/* A ball dropped on a floor: it forms its contact overlapping by up to v dt, and still bounces with
 * the coefficient of restitution each time; it gains no energy, and comes to rest. */
static void test_bouncing(void **state)
{
  (void)state;
  scene s;
  pd_cd_options opt = pd_cd_defaults();
  pd_cd_report report;
  scene_open(&s, 1, 0, 1);
  s.net.body[0] = point_body(1.0, 1);
  s.fext[2] = -gravity;
  opt.rest_speed = 0.02;
  double z = 0.1, speed = 0.0;
  int bounces = 0;
  for (int i = 0; i < 3000; i++) {
    s.net.contact[0] = contact_of(0, -1, pd_v(0, 0, 1), pd_v(0, 0, 0), pd_v(0, 0, 0), z);
    s.net.contact[0].en = 0.5;
    check_ok(pd_cd_network_bind(&s.net));
    memcpy(s.v0, s.v, 6 * sizeof(double));
    check_ok(pd_cd_step_solve(&s.net, &opt, &s.step, &s.pool, &report));
    if (s.v0[2] < -opt.rest_speed && s.v[2] > 0.0)
      check_near(s.v[2], -0.5 * s.v0[2], 1e-9), bounces++;
    if (s.v0[2] > 0.0) assert_true(s.v[2] <= s.v0[2] + 1e-12);
    z += s.step.dt * s.v[2];
    speed = fabs(s.v[2]);
  }
  assert_true(bounces >= 4);
  check_near(speed, 0.0, 1e-9);
  assert_true(z > -2e-3);
  scene_close(&s);
}

/* a boundary that moves takes the body along */
static void test_moving_boundary(void **state)
{
  (void)state;
  scene s;
  pd_cd_options opt = pd_cd_defaults();
  pd_cd_report report;
  box_on_points(&s, 10.0, 3, beam_at);
  for (int i = 0; i < 3; i++) s.net.contact[i].drift = pd_v(0.0, 0.0, -0.2); /* the floor rises */
  opt.tol = 1e-13;
  check_ok(pd_cd_step_solve(&s.net, &opt, &s.step, &s.pool, &report));
  check_near(s.v[2], 0.2, 1e-12);
  scene_close(&s);
}

/* A process that knows some bodies twice, as owner and as ghost: every second contact acts on the
 * ghosts, and the result must not change. */
static struct {
  int n;
} twins;

static void forward(void *ctx, double *buffer)
{
  (void)ctx;
  memcpy(buffer + 6 * (size_t)twins.n, buffer, 6 * sizeof *buffer * (size_t)twins.n);
}

static void reverse(void *ctx, double *buffer)
{
  (void)ctx;
  for (int i = 0; i < 6 * twins.n; i++) buffer[i] += buffer[6 * twins.n + i];
}

static const pd_communication twin_env = {NULL, forward, reverse, NULL, NULL};

static void open_twin(const scene *s, scene *twin)
{
  const int n = twins.n = s->net.nowned;
  scene_open(twin, n, n, s->net.ncontact);
  for (int i = 0; i < 2 * n; i++) twin->net.body[i] = s->net.body[i % n];
  for (int i = 0; i < s->net.ncontact; i++) {
    twin->net.contact[i] = s->net.contact[i];
    if (i % 2) twin->net.contact[i].b += n;
    if (i % 3 == 0) twin->net.contact[i].a += n;
  }
  memcpy(twin->fext, s->fext, 6 * sizeof(double) * (size_t)n);
  memcpy(twin->v0, s->v0, 6 * sizeof(double) * (size_t)n);
  twin->net.communication = &twin_env;
  check_ok(pd_cd_network_bind(&twin->net));
}

static void test_ghosts(void **state)
{
  (void)state;
  pyramid p;
  scene t;
  pd_cd_options opt = pd_cd_defaults();
  pd_cd_compatible_options copt = pd_cd_compatible_defaults(2.5);
  pd_cd_compatible_report cr;
  pd_cd_report report;
  pyramid_open(&p, 5, 0.0);
  for (int i = 25; i < p.count; i++) p.s.v0[6 * i + 2] = -0.05, p.s.v0[6 * i] = 0.01 * (i % 3);
  open_twin(&p.s, &t);
  const size_t n6 = 6 * (size_t)p.s.net.nowned;
  opt.tol = 1e-11;
  opt.maxit = 100000;
  for (int k = 0; k < 2; k++) {
    opt.method = k ? PD_CD_APGD : PD_CD_PGS;
    check_ok(pd_cd_step_solve(&p.s.net, &opt, &p.s.step, &p.s.pool, &report));
    assert_true(report.converged);
    check_ok(pd_cd_step_solve(&t.net, &opt, &t.step, &t.pool, &report));
    assert_true(report.converged);
    assert_true(worst_difference(n6, p.s.v, t.v) <= 1e-9);
  }
  copt.tol = 1e-12;
  rest_load(&p.s);
  memcpy(t.load, p.s.load, n6 * sizeof(double));
  check_ok(pd_cd_compatible_newton(&p.s.net, &copt, p.s.load, &p.s.pool, p.s.f, p.s.u, &cr));
  assert_true(cr.converged);
  check_ok(pd_cd_compatible_newton(&t.net, &copt, t.load, &t.pool, t.f, t.u, &cr));
  assert_true(cr.converged);
  const double w = p.mass * gravity;
  assert_true(worst_difference((size_t)t.net.ncontact, p.s.f, t.f) <= 1e-9 * w);
  copt.tol = 1e-11;
  scene_reset(&t);
  check_ok(pd_cd_compatible_lagrange(&t.net, &copt, t.load, &t.pool, t.f, t.u, &cr));
  assert_true(cr.converged);
  assert_true(worst_difference((size_t)t.net.ncontact, p.s.f, t.f) <= 1e-9 * w);
  scene_close(&t);
  pyramid_close(&p);
}

/* all of it once, with its own memory */
static pd_status whole_work(void *argument)
{
  pd_cd_options opt = pd_cd_defaults();
  const pd_cd_compatible_options copt = pd_cd_compatible_defaults(2.0);
  pd_cd_compatible_report cr;
  pd_cd_report report;
  pd_cd_network net;
  pd_cd_pool pool;
  const double v0[6] = {0}, fext[6] = {0, 0, -10}, load[6] = {0, 0, 10};
  double v[6], f[9] = {0}, slack[3], u[6] = {0};
  pd_cd_step step = {1e-3, v0, fext, v, f, slack};
  (void)argument;
  pd_cd_network_create(&net);
  pd_cd_pool_create(&pool);
  pd_status status = pd_cd_network_resize(&net, 1, 0, 3);
  if (!status) {
    net.body[0] = box_body(1.0, 1.0, 1.0, 1.0);
    for (int i = 0; i < 3; i++)
      net.contact[i] =
          contact_of(0, -1, pd_v(0, 0, 1), pd_v(beam_at[i][0], 0, -1), pd_v(0, 0, 0), 0);
    status = pd_cd_network_bind(&net);
  }
  for (int k = 0; !status && k < 2; k++) {
    opt.method = k ? PD_CD_APGD : PD_CD_PGS;
    status = pd_cd_step_solve(&net, &opt, &step, &pool, &report);
  }
  if (!status) status = pd_cd_compatible_newton(&net, &copt, load, &pool, f, u, &cr);
  if (!status) status = pd_cd_compatible_lagrange(&net, &copt, load, &pool, f, u, &cr);
  if (!status) status = pd_cd_step_solve_friction(&net, &opt, &step, &pool, &report);
  assert_int_equal(pool.used, 0);
  pd_cd_pool_free(&pool);
  pd_cd_network_free(&net);
  return status;
}

static void test_memory(void **state)
{
  (void)state;
  check_each_allocation(whole_work, NULL);
}

/* a second solution asks for no memory */
static void test_steady_memory(void **state)
{
  (void)state;
  const pd_allocator counting = {check_allocate, check_reallocate, check_release};
  pd_cd_options opt = pd_cd_defaults();
  const pd_cd_compatible_options copt = pd_cd_compatible_defaults(2.5);
  pd_cd_compatible_report cr;
  pd_cd_report report;
  scene s;
  check_memory.fail_at = -1;
  pd_set_allocator(&counting);
  box_on_points(&s, 10.0, 3, beam_at);
  rest_load(&s);
  for (int k = 0; k < 3; k++) {
    check_ok(pd_cd_step_solve(&s.net, &opt, &s.step, &s.pool, &report));
    check_ok(pd_cd_compatible_newton(&s.net, &copt, s.load, &s.pool, s.f, s.u, &cr));
    check_ok(pd_cd_compatible_lagrange(&s.net, &copt, s.load, &s.pool, s.f, s.u, &cr));
    if (k == 0) check_memory.calls = 0;
  }
  assert_int_equal(check_memory.calls, 0);
  scene_close(&s);
  pd_set_allocator(NULL);
}

static void test_errors(void **state)
{
  (void)state;
  scene s;
  pd_cd_options opt = pd_cd_defaults();
  pd_cd_compatible_options copt = pd_cd_compatible_defaults(1.0);
  pd_cd_compatible_report cr;
  pd_cd_report report;
  box_on_points(&s, 10.0, 3, beam_at);
  check_status(pd_cd_compatible_newton(&s.net, &copt, s.load, &s.pool, s.f, s.u, &cr), PD_ERANGE);
  copt.p = 2.0;
  s.load[2] = NAN;
  check_status(pd_cd_compatible_newton(&s.net, &copt, s.load, &s.pool, s.f, s.u, &cr), PD_ENAN);
  check_status(pd_cd_compatible_lagrange(&s.net, &copt, s.load, &s.pool, s.f, s.u, &cr), PD_ENAN);
  s.v0[1] = NAN;
  for (int k = 0; k < 2; k++) {
    opt.method = k ? PD_CD_APGD : PD_CD_PGS;
    check_status(pd_cd_step_solve(&s.net, &opt, &s.step, &s.pool, &report), PD_ENAN);
  }
  check_status(pd_cd_step_solve_friction(&s.net, &opt, &s.step, &s.pool, &report), PD_ENAN);
  s.step.dt = 0.0;
  check_status(pd_cd_step_solve(&s.net, &opt, &s.step, &s.pool, &report), PD_ERANGE);
  s.net.contact[1].k = 0.0;
  check_status(pd_cd_network_bind(&s.net), PD_ERANGE);
  s.net.contact[0].a = 1;
  check_status(pd_cd_network_bind(&s.net), PD_EINDEX);
  s.net.body[0].mass = 0.0;
  check_status(pd_cd_network_bind(&s.net), PD_ERANGE);
  scene_close(&s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_order_of_visits), cmocka_unit_test(test_methods_agree),
      cmocka_unit_test(test_gradient_of_gap), cmocka_unit_test(test_restitution),
      cmocka_unit_test(test_moving_boundary), cmocka_unit_test(test_ghosts),
      cmocka_unit_test(test_memory),          cmocka_unit_test(test_steady_memory),
      cmocka_unit_test(test_errors),          cmocka_unit_test(test_bouncing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
