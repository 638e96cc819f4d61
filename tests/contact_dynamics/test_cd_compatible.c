/* SPDX-License-Identifier: MIT
 * Compatible forces: the power law and its derivatives, the beam, a box on many points, pyramids.
 */
#include <time.h>

#include "brick_wall.h"
#include "contact_dynamics/compatible_internal.h"

typedef pd_status (*solver)(const pd_cd_network *, const pd_cd_compatible_options *, const double *,
                            pd_cd_pool *, double *, double *, pd_cd_compatible_report *);
static const solver solvers[2] = {pd_cd_compatible_newton, pd_cd_compatible_lagrange};

/* solves from a cold start */
static pd_cd_compatible_report solve(scene *s, int which, double p, double tol)
{
  pd_cd_compatible_options opt = pd_cd_compatible_defaults(p);
  pd_cd_compatible_report report;
  opt.tol = tol;
  opt.maxit_inner = which ? 20000 : opt.maxit_inner;
  scene_reset(s);
  check_ok(solvers[which](&s->net, &opt, s->load, &s->pool, s->f, s->u, &report));
  if (!report.converged)
    print_error("solver %d p %g: %d+%d iterations, kkt %.3g\n", which, p, report.iterations,
                report.inner, report.kkt);
  assert_true(report.converged);
  assert_true(report.kkt <= 2.0 * tol);
  return report;
}

static void test_power_law(void **state)
{
  (void)state;
  const double all[] = {1.3, 1.5, 2.0, 2.5, 3.0, 4.5}, k = 1.7, h = 1e-6;
  for (int i = 0; i < 6; i++)
    for (double c = 0.05; c < 3.0; c *= 1.7) {
      const double p = all[i], f = pd_cd_force(p, k, c);
      const double up = pd_cd_energy(p, k, c * (1 + h)) - pd_cd_energy(p, k, c * (1 - h));
      check_near(up / (2 * h * c), f, 1e-8 * f);
      const double df = pd_cd_force(p, k, c * (1 + h)) - pd_cd_force(p, k, c * (1 - h));
      check_near(pd_cd_tangent(p, k, f), df / (2 * h * c), 1e-7 * f / c);
      const double dw =
          pd_cd_complementary(p, k, f * (1 + h)) - pd_cd_complementary(p, k, f * (1 - h));
      check_near(dw / (2 * h * f), c, 1e-8 * c);
      check_near(pd_cd_energy(p, k, c) + pd_cd_complementary(p, k, f), f * c, 1e-14 * f * c);
      /* the proximal map undoes z = f + step w*'(f) */
      for (double step = 1e-3; step < 1e4; step *= 30.0)
        check_near(pd_cd_prox(p, k, step, f + step * c), f, 1e-11 * f + 1e-14 * step * c);
    }
  check_near(pd_cd_force(2.5, k, -0.1), 0.0, 0.0);
  check_near(pd_cd_prox(2.5, k, 1.0, -0.1), 0.0, 0.0);
}

/* gradient of the energy, and Newton's matrix, by finite differences at a random state */
static double energy_at(pd_cd_truss *t, double p, double *f)
{
  double e = 0.0;
  pd_cd_truss_overlaps(t, t->u);
  for (int i = 0; i < t->op.n; i++) {
    f[i] = pd_cd_force(p, t->k[i], t->c[i]);
    e += pd_cd_energy(p, t->k[i], t->c[i]);
  }
  return e + pd_cd_dot_six(t->net, t->load, t->u);
}

static void check_derivatives(scene *s, double p)
{
  const pd_cd_compatible_options opt = pd_cd_compatible_defaults(p);
  const int n6 = 6 * s->net.nowned, n = s->net.ncontact;
  double *g = zeros((size_t)n6), *gh = zeros((size_t)n6), *x = zeros((size_t)n6);
  double *h = zeros((size_t)n), *f = zeros((size_t)n);
  sc_random seed = {7};
  pd_cd_truss t;
  pd_cd_cg cg;
  t.net = &s->net;
  t.opt = &opt;
  t.stride = 1;
  check_ok(pd_cd_truss_setup(&t, s->load, s->f, s->u, &s->pool));
  assert_true(pd_cd_cg_take(&cg, &t, &s->pool));
  for (int i = 0; i < n6; i++) t.u[i] = sc_uniform(&seed, -1.0, 0.2) * (i % 6 < 3);
  energy_at(&t, p, f);
  pd_cd_truss_unbalance(&t, f, g);
  for (int i = 0; i < n; i++) h[i] = t.c[i] > 0.0 ? pd_cd_tangent(p, t.k[i], f[i]) : 0.0;
  for (int i = 0; i < n6; i++) {
    const double e = 1e-6, at = t.u[i];
    t.u[i] = at + e;
    const double up = energy_at(&t, p, f);
    pd_cd_truss_unbalance(&t, f, gh);
    t.u[i] = at - e;
    check_near((up - energy_at(&t, p, f)) / (2 * e), g[i], 1e-7);
    pd_cd_truss_unbalance(&t, f, x);
    t.u[i] = at;
    if (i % 6 >= t.width) continue;
    /* Newton's matrix plus one, which makes it regular, solves its own column for a unit vector */
    for (int j = 0; j < n6; j++) gh[j] = (gh[j] - x[j]) / (2 * e) + (i == j ? 1.0 : 0.0);
    const pd_cd_cg_task task = {h, 1.0, gh, 1e-12, 1000};
    pd_cd_cg_solve(&cg, &t, &task, x);
    for (int j = 0; j < n6; j++) check_near(x[j], i == j ? 1.0 : 0.0, 1e-5);
  }
  pd_cd_pool_close(&s->pool, 0);
  free(g), free(gh), free(x), free(h), free(f);
}

static void test_derivatives(void **state)
{
  (void)state;
  const double at[5][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {0.3, 0.2}};
  scene s;
  box_on_points(&s, 10.0, 5, at);
  rest_load(&s);
  for (int k = 0; k < 2; k++) check_derivatives(&s, k ? 2.5 : 2.0);
  scene_close(&s);
  pyramid p;
  pyramid_open(&p, 3, 0.0);
  rest_load(&p.s);
  for (int k = 0; k < 2; k++) check_derivatives(&p.s, k ? 2.5 : 2.0);
  pyramid_close(&p);
}

static void test_beam(void **state)
{
  (void)state;
  scene s;
  box_on_points(&s, 10.0, 3, beam_at);
  rest_load(&s);
  for (int which = 0; which < 2; which++) {
    s.net.contact[1].k = 1.0;
    const pd_cd_compatible_report r = solve(&s, which, 2.0, 1e-13);
    for (int i = 0; i < 3; i++) check_near(s.f[i], 10.0 / 3.0, 1e-10);
    check_near(r.objective, 0.5 * 100.0 / 3.0, 1e-9);
    s.net.contact[1].k = 3.0;
    solve(&s, which, 2.0, 1e-13);
    check_near(s.f[0], 2.0, 1e-10);
    check_near(s.f[1], 6.0, 1e-10);
    check_near(s.f[2], 2.0, 1e-10);
    check_near(s.u[2], -2.0, 1e-9); /* it sinks by f/k */
    /* only the stiffness ratios and the law matter: (f/k)^(1/(p-1)) is the same for all three */
    solve(&s, which, 2.5, 1e-12);
    check_near(s.f[1], 3.0 * s.f[0], 1e-9);
    check_near(s.f[0] + s.f[1] + s.f[2], 10.0, 1e-10);
  }
  scene_close(&s);
}

/* the rigid solution, whatever its forces, leads to the compatible ones; a lowered support is left
 * out */
static void test_beam_dropped(void **state)
{
  (void)state;
  scene s;
  pd_cd_options opt = pd_cd_defaults();
  pd_cd_report report;
  box_on_points(&s, 10.0, 3, beam_at);
  opt.method = PD_CD_PGS;
  opt.tol = 1e-14;
  const int middle_first[3] = {1, 0, 2};
  opt.order = middle_first;
  s.v0[2] = -0.3;
  check_ok(pd_cd_step_solve(&s.net, &opt, &s.step, &s.pool, &report));
  pd_cd_step_load(&s.net, &s.step, s.load);
  check_near(pd_cd_mark_closed(&s.net, s.slack, 1e-10), 3.0, 0.0);
  solve(&s, 0, 2.0, 1e-13);
  for (int i = 0; i < 3; i++) check_near(s.f[i], 310.0 / 3.0, 1e-9);
  s.net.contact[1].gap = 1e-6;
  scene_reset(&s);
  check_ok(pd_cd_step_solve(&s.net, &opt, &s.step, &s.pool, &report));
  pd_cd_step_load(&s.net, &s.step, s.load);
  check_near(pd_cd_mark_closed(&s.net, s.slack, 1e-10), 2.0, 0.0);
  for (int which = 0; which < 2; which++) {
    solve(&s, which, 2.0, 1e-13);
    check_near(s.f[0], 155.0, 1e-9);
    check_near(s.f[1], 0.0, 0.0);
    check_near(s.f[2], 155.0, 1e-9);
  }
  scene_close(&s);
}

/* a rigid box that sinks and tilts: (f/k)^(1/(p-1)) is affine in the position of the point */
static void check_affine(int n, const double (*at)[2], int which, double p)
{
  scene s;
  box_on_points(&s, 12.0, n, at);
  rest_load(&s);
  s.load[3] = 1.5; /* off centre, but all points stay in contact */
  s.load[4] = -0.8;
  for (int i = 0; i < n; i++) s.net.contact[i].k = i % 2 ? 2.0 : 1.0;
  solve(&s, which, p, 1e-13);
  double sum = 0.0, mx = 0.0, my = 0.0;
  for (int i = 0; i < n; i++) {
    const double sink = -(s.u[2] + at[i][1] * s.u[3] - at[i][0] * s.u[4]);
    assert_true(s.f[i] > 0.0);
    check_near(s.f[i], s.net.contact[i].k * pow(sink, p - 1.0), 1e-10);
    sum += s.f[i], mx += at[i][1] * s.f[i], my -= at[i][0] * s.f[i];
  }
  check_near(sum, 12.0, 1e-10);
  check_near(mx, 1.5, 1e-10);
  check_near(my, -0.8, 1e-10);
  scene_close(&s);
}

static void test_box_on_points(void **state)
{
  (void)state;
  const double at[8][2] = {{-1, -1},    {1, -1},  {1, 1}, {-1, 1},
                           {0.1, -0.9}, {1, 0.2}, {0, 1}, {-1, 0}};
  const int n[4] = {4, 5, 6, 8};
  for (int i = 0; i < 4; i++)
    for (int which = 0; which < 2; which++) {
      check_affine(n[i], at, which, 2.0);
      check_affine(n[i], at, which, 2.5);
    }
}

/* Boxes on top of each other, pushed aside at the top: some of the points open. */
static void test_leaning_stack(void **state)
{
  (void)state;
  scene s;
  stack_open(&s, 8);
  for (int k = 0; k < 3; k++) {
    const double p = k == 1 ? 2.5 : 2.0;
    for (int i = 0; i < s.net.ncontact; i++) s.net.contact[i].k = k == 2 ? 1.0 + i % 3 : 1.0;
    double *f = zeros((size_t)s.net.ncontact);
    const pd_cd_compatible_report r = solve(&s, 0, p, 1e-12);
    memcpy(f, s.f, sizeof *f * (size_t)s.net.ncontact);
    const pd_cd_compatible_report q = solve(&s, 1, p, 1e-11);
    int open = 0;
    for (int i = 0; i < s.net.ncontact; i++) open += f[i] == 0.0;
    print_message("stack, p %.1f: Newton %d steps, %d products; Lagrangian %d, %d; differ by %.1e; "
                  "%d of %d contacts open\n",
                  p, r.iterations, r.inner, q.iterations, q.inner,
                  worst_difference((size_t)s.net.ncontact, f, s.f), open, s.net.ncontact);
    assert_true(worst_difference((size_t)s.net.ncontact, f, s.f) <= 1e-9);
    assert_true(open > 0);
    free(f);
  }
  scene_close(&s);
}

/* a load that no pushing forces can bear: no convergence, and no endless loop */
static void test_impossible_load(void **state)
{
  (void)state;
  scene s;
  box_on_points(&s, -10.0, 3, beam_at);
  rest_load(&s);
  for (int which = 0; which < 2; which++) {
    pd_cd_compatible_options opt = pd_cd_compatible_defaults(2.0);
    pd_cd_compatible_report report;
    scene_reset(&s);
    check_ok(solvers[which](&s.net, &opt, s.load, &s.pool, s.f, s.u, &report));
    assert_false(report.converged);
    assert_true(report.kkt > 0.1);
  }
  scene_close(&s);
}

/* mirror image of a sphere: by x <-> y, or by x -> -x */
static int mirror(const pyramid *p, int sphere, int by_x)
{
  int first = 0, m = p->base;
  while (sphere >= first + m * m) first += m * m, m--;
  const int i = (sphere - first) / m, j = (sphere - first) % m;
  return by_x ? first + (m - 1 - i) * m + j : first + j * m + i;
}

static double asymmetry(const pyramid *p, int by_x)
{
  double worst = 0.0;
  for (int i = 0; i < p->s.net.ncontact; i++) {
    const int a = mirror(p, p->s.net.contact[i].a, by_x),
              b = mirror(p, p->s.net.contact[i].b, by_x);
    int found = 0;
    for (int j = 0; j < p->s.net.ncontact; j++) {
      const pd_cd_contact *c = &p->s.net.contact[j];
      if (!(c->a == a && c->b == b) && !(c->a == b && c->b == a)) continue;
      worst = fmax(worst, fabs(p->s.f[i] - p->s.f[j]));
      found = 1;
    }
    assert_true(found);
  }
  return worst;
}

static void check_pyramid(pyramid *p, double exponent, double tol_lagrange, int upright)
{
  const double w = p->mass * gravity;
  const size_t n = (size_t)p->s.net.ncontact;
  double *f = zeros(n);
  const pd_cd_compatible_report r = solve(&p->s, 0, exponent, 1e-12);
  memcpy(f, p->s.f, n * sizeof *f);
  check_near(pyramid_floor(p) / w, pyramid_weight(p), 1e-9);
  assert_true(asymmetry(p, 0) <= 1e-9 * w);
  if (upright) assert_true(asymmetry(p, 1) <= 1e-9 * w);
  const pd_cd_compatible_report q = solve(&p->s, 1, exponent, tol_lagrange);
  print_message("base %d, p %.1f: Newton %d steps, %d products, kkt %.1e; Lagrangian %d updates, "
                "%d iterations, kkt %.1e; they differ by %.1e of a weight\n",
                p->base, exponent, r.iterations, r.inner, r.kkt, q.iterations, q.inner, q.kkt,
                worst_difference(n, f, p->s.f) / w);
  assert_true(worst_difference(n, f, p->s.f) <= 1e-9 * w);
  check_near(q.objective, r.objective, 1e-9 * r.objective);
  free(f);
}

static void test_pyramids(void **state)
{
  (void)state;
  for (int base = 6; base <= 8; base += 2) {
    pyramid p;
    pyramid_open(&p, base, 0.0);
    rest_load(&p.s);
    check_pyramid(&p, 2.0, 1e-12, 1);
    check_pyramid(&p, 2.5, 1e-12, 1);
    /* two materials, one corner of the pyramid stiffer, and leaning along its diagonal */
    for (int i = base * base; i < p.count; i++)
      p.s.load[6 * i] = p.s.load[6 * i + 1] = 0.15 * p.s.load[6 * i + 2];
    for (int i = 0; i < p.s.net.ncontact; i++) {
      const pd_vec3 x = p.x[p.s.net.contact[i].a];
      p.s.net.contact[i].k = x.x + x.y > 1.05 * (base - 1) * p.d ? 4.0 : 1.0;
    }
    check_pyramid(&p, 2.0, 1e-12, 0);
    check_pyramid(&p, 2.5, 1e-11, 0);
    pyramid_close(&p);
  }
}

/* other exponents, on both sides of Hooke's */
static void test_exponents(void **state)
{
  (void)state;
  const double all[] = {1.5, 1.8, 3.0, 4.0};
  pyramid p;
  pyramid_open(&p, 4, 0.0);
  rest_load(&p.s);
  for (int i = 0; i < 4; i++) {
    solve(&p.s, 0, all[i], 1e-12);
    check_near(pyramid_floor(&p) / (p.mass * gravity), pyramid_weight(&p), 1e-9);
  }
  pyramid_close(&p);
}

/* The same step by PGS: other forces of the rigid problem, the same compatible ones. */
static void compare_after_pgs(pyramid *p)
{
  const size_t n = (size_t)p->s.net.ncontact;
  const double w = p->mass * gravity;
  double *f = zeros(n);
  pd_cd_options opt = pd_cd_defaults();
  pd_cd_report report;
  memcpy(f, p->s.f, n * sizeof *f);
  opt.method = PD_CD_PGS;
  opt.tol = 1e-13;
  opt.maxit = 100000;
  scene_reset(&p->s);
  check_ok(pd_cd_step_solve(&p->s.net, &opt, &p->s.step, &p->s.pool, &report));
  const double rigid = worst_difference(n, f, p->s.f);
  pd_cd_step_load(&p->s.net, &p->s.step, p->s.load);
  solve(&p->s, 0, 2.0, 1e-12);
  print_message("PGS in %d sweeps: rigid forces off by %.2f of a weight, compatible ones by %.1e\n",
                report.iterations, rigid / w, worst_difference(n, f, p->s.f) / w);
  assert_true(rigid > 0.1 * w);
  assert_true(worst_difference(n, f, p->s.f) <= 1e-8 * w);
  free(f);
}

/* The pyramid falls together from 5 % of a radius between its layers and comes to rest; compatible
 * forces from the velocities of its last step. */
static void test_settled_pyramid(void **state)
{
  (void)state;
  pyramid p;
  pd_cd_options opt = pd_cd_defaults();
  pd_cd_report report;
  int step = 0;
  double speed = 1.0;
  pyramid_open(&p, 6, 0.05);
  const double w = p.mass * gravity, g = gravity * p.s.step.dt;
  opt.tol = 1e-13;
  opt.maxit = 20000;
  for (; step < 60 && speed > 1e-10; step++) {
    const size_t n6 = 6 * (size_t)p.count;
    memcpy(p.s.v0, p.s.v, n6 * sizeof(double));
    pyramid_geometry(&p);
    scene_reset(&p.s);
    check_ok(pd_cd_step_solve(&p.s.net, &opt, &p.s.step, &p.s.pool, &report));
    for (int i = 0; i < p.count; i++)
      p.x[i] = pd_axpy(p.x[i], p.s.step.dt, pd_v_load(p.s.v + 6 * i));
    speed = (pd_cd_largest(&p.s.net, n6, p.s.v) + pd_cd_largest(&p.s.net, n6, p.s.v0)) / g;
  }
  pd_cd_step_load(&p.s.net, &p.s.step, p.s.load);
  const double closed = pd_cd_mark_closed(&p.s.net, p.s.slack, 1e-6 * g);
  print_message("at rest to %.1e g dt after %d steps, residual %.1e, %g of %d contacts closed\n",
                speed, step, report.residual, closed, p.s.net.ncontact);
  assert_true(speed <= 1e-9);
  solve(&p.s, 0, 2.0, 1e-12);
  check_near(pyramid_floor(&p) / w, pyramid_weight(&p), 1e-9 * pyramid_weight(&p));
  assert_true(asymmetry(&p, 0) <= 1e-9 * w);
  assert_true(asymmetry(&p, 1) <= 1e-9 * w);
  compare_after_pgs(&p);
  pyramid_close(&p);
}

/* largest force between spheres of one layer */
static double beside_most(const pyramid *p)
{
  double most = 0.0;
  for (int i = 0; i < p->s.net.ncontact; i++)
    if (fabs(p->s.net.contact[i].n.z) < 0.1) most = fmax(most, p->s.f[i]);
  return most;
}

/* Loads from forces at random over decades, most of them zero, with stiffnesses over two decades:
 * many of them can hardly be borne otherwise, and open contacts must meet far away. */
static void test_random_loads(void **state)
{
  (void)state;
  sc_random seed = {11};
  pyramid p;
  pyramid_open(&p, 5, 0.0);
  const pd_cd_operator op = pd_cd_normals(&p.s.net);
  const int n = p.s.net.ncontact;
  int most = 0;
  double *f = zeros((size_t)n);
  for (int k = 0; k < 30; k++) {
    const double part = sc_uniform(&seed, 0.2, 1.0);
    for (int i = 0; i < n; i++) {
      f[i] = sc_uniform(&seed, 0.0, 1.0) < part ? pow(10.0, sc_uniform(&seed, -3.0, 1.0)) : 0.0;
      p.s.net.contact[i].k = pow(10.0, sc_uniform(&seed, -1.0, 1.0));
    }
    pd_cd_resultants(&op, f, p.s.load);
    const pd_cd_compatible_report r = solve(&p.s, 0, k % 2 ? 2.5 : 2.0, 1e-9);
    most = r.iterations > most ? r.iterations : most;
  }
  print_message("random loads: at most %d Newton steps\n", most);
  free(f);
  pyramid_close(&p);
}

/* Newton's and the Lagrangian's forces of a wall whose load is a rigid solution's */
static void check_wall(int courses, double lean, double friction, double p)
{
  scene s;
  pd_cd_options rigid = pd_cd_defaults();
  rigid.tol = 1e-11;
  rigid.maxit = 100000;
  wall_open(&s, courses, 0.004, lean, friction);
  const size_t n = (size_t)s.net.ncontact;
  const double residual = wall_load(&s, &rigid);
  double *given = zeros(n), *f = zeros(n);
  memcpy(given, s.f, n * sizeof *f);
  const pd_cd_compatible_report r = solve(&s, 0, p, 1e-11);
  memcpy(f, s.f, n * sizeof *f);
  const double largest = pd_cd_largest(&s.net, n, f), change = worst_difference(n, f, given);
  const pd_cd_compatible_report q = solve(&s, 1, p, courses > 5 ? 1e-10 : 1e-11);
  print_message("%d bricks, %zu contacts, lean %.0e, friction %g, p %.1f: rigid %.0e, Newton %d "
                "steps, %d products, kkt %.1e; Lagrangian %d, %d, kkt %.1e; differ by %.1e\n",
                wall_bricks(courses), n, lean, friction, p, residual, r.iterations, r.inner, r.kkt,
                q.iterations, q.inner, q.kkt, worst_difference(n, f, s.f) / largest);
  assert_true(r.kkt <= 1e-11);
  assert_true(r.iterations <= 30);
  assert_true(worst_difference(n, f, s.f) <= 1e-8 * largest);
  assert_true(change > 0.05 * largest); /* the rigid problem's own forces are others */
  free(f), free(given);
  scene_close(&s);
}

/* 55 and 703 forces more than equations; faces that lean by rounding add equations that are all but
 * void, and a method that went after them would leave the wall. */
static void test_brick_walls(void **state)
{
  (void)state;
  for (int k = 0; k < 2; k++) {
    const double p = k ? 2.5 : 2.0;
    check_wall(5, 0.0, 0.0, p);
    check_wall(5, 1e-12, 0.0, p);
    check_wall(5, 0.0, 0.5, p);
    check_wall(5, 1e-12, 0.5, p);
    check_wall(17, 1e-13, 0.0, p);
  }
}

/* Level walls that are turned as a whole, so that slides that meet no resistance are small sums of
 * large terms, of which rounding is left: steps and forces are those of the wall that stands. */
static void test_turned_walls(void **state)
{
  (void)state;
  sc_random seed = {5};
  pd_cd_options rigid = pd_cd_defaults();
  double worst = 0.0, apart = 0.0;
  int most = 0;
  for (int k = 0; k < 60; k++) {
    const double p = k % 2 ? 2.5 : 2.0;
    const pd_mat3 turn = pd_q_matrix(sc_rotation(&seed));
    scene level, s;
    wall_open(&level, 3 + k % 3, 0.004, 0.0, 0.0);
    wall_open(&s, 3 + k % 3, 0.004, 0.0, 0.0);
    const size_t n = (size_t)s.net.ncontact;
    for (size_t i = 0; i < n; i++) {
      pd_cd_contact *c = &s.net.contact[i];
      c->n = pd_mv(turn, c->n), c->ra = pd_mv(turn, c->ra), c->rb = pd_mv(turn, c->rb);
    }
    check_ok(pd_cd_network_bind(&s.net));
    wall_load(&level, &rigid);
    const pd_cd_operator normals = pd_cd_normals(&s.net);
    pd_cd_resultants(&normals, level.f, s.load);
    solve(&level, 0, p, 1e-11);
    const pd_cd_compatible_report r = solve(&s, 0, p, 1e-11);
    worst = fmax(worst, r.kkt), most = r.iterations > most ? r.iterations : most;
    apart = fmax(apart, worst_difference(n, s.f, level.f) / pd_cd_largest(&s.net, n, s.f));
    scene_close(&s), scene_close(&level);
  }
  print_message("turned walls: at most %d steps, kkt %.1e, forces differ by %.1e\n", most, worst,
                apart);
  assert_true(worst <= 1e-11 && most <= 10 && apart <= 1e-9);
}

/* Faces that lean by more than the tolerance and less than a method can follow: bricks would have
 * to slide by some 1e9 of what the joints yield. They are held, what drives them is reported, and
 * the forces are those of the level wall. */
static void test_leaning_faces(void **state)
{
  (void)state;
  scene level, s;
  pd_cd_options rigid = pd_cd_defaults();
  pd_cd_compatible_options opt = pd_cd_compatible_defaults(2.0);
  pd_cd_compatible_report r;
  rigid.tol = 1e-10;
  wall_open(&level, 5, 0.004, 0.0, 0.0);
  wall_open(&s, 5, 0.004, 1e-9, 0.0);
  wall_load(&level, &rigid);
  const pd_cd_operator normals = pd_cd_normals(&s.net);
  pd_cd_resultants(&normals, level.f, s.load);
  solve(&level, 0, 2.0, 1e-11);
  opt.tol = 1e-11;
  scene_reset(&s);
  check_ok(pd_cd_compatible_newton(&s.net, &opt, s.load, &s.pool, s.f, s.u, &r));
  const size_t n = (size_t)s.net.ncontact;
  const double apart = worst_difference(n, s.f, level.f) / pd_cd_largest(&s.net, n, s.f);
  print_message("faces that lean by 1e-9: %d steps, kkt %.1e, forces differ by %.1e\n",
                r.iterations, r.kkt, apart);
  assert_false(r.converged);
  assert_int_equal(r.ending, PD_CD_ALL_BUT_FREE);
  assert_true(r.kkt <= 1e-8);
  assert_true(apart <= 1e-4);
  scene_close(&s), scene_close(&level);
}

static double seconds(void)
{
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* 2,870 spheres. Spheres of one layer carry nothing, so every layer's contacts, at 45 degrees, bear
 * all that is above them: the forces add up to sqrt(2) times the sum of those weights. */
static void test_full_pyramid(void **state)
{
  (void)state;
  pyramid p;
  pyramid_open(&p, 20, 0.0);
  assert_int_equal(p.count, 2870);
  assert_int_equal(p.s.net.ncontact, 14440);
  rest_load(&p.s);
  const double w = p.mass * gravity;
  for (int k = 0; k < 2; k++) {
    const double start = seconds();
    const pd_cd_compatible_report r = solve(&p.s, 0, k ? 2.5 : 2.0, 1e-12);
    const double time = seconds() - start;
    double sum = 0.0;
    for (int i = 0; i < p.s.net.ncontact; i++) sum += p.s.f[i];
    print_message("20 x 20, p = %.1f: %.3f s, %d steps, %d products, kkt %.1e\n", k ? 2.5 : 2.0,
                  time, r.iterations, r.inner, r.kkt);
    check_near(pyramid_floor(&p) / w, 2470.0, 1e-8);
    check_near(sum / w, 13300.0 * sqrt(2.0), 1e-7);
    check_near(beside_most(&p) / w, 0.0, 1e-10);
  }
  pyramid_close(&p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_power_law),
      cmocka_unit_test(test_derivatives),
      cmocka_unit_test(test_beam),
      cmocka_unit_test(test_beam_dropped),
      cmocka_unit_test(test_box_on_points),
      cmocka_unit_test(test_pyramids),
      cmocka_unit_test(test_exponents),
      cmocka_unit_test(test_settled_pyramid),
      cmocka_unit_test(test_full_pyramid),
      cmocka_unit_test(test_leaning_stack),
      cmocka_unit_test(test_impossible_load),
      cmocka_unit_test(test_random_loads),
      cmocka_unit_test(test_brick_walls),
      cmocka_unit_test(test_turned_walls),
      cmocka_unit_test(test_leaning_faces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
