/* SPDX-License-Identifier: MIT
 * Compatible forces with Coulomb friction: closed solutions of a beam and a cube, springs under
 * loads that grow, walls, pyramids, several solutions. */
#include "brick_wall.h"
#include "contact_dynamics/compatible_internal.h"
#include "loading.h"

/* solves from where s->u is */
static pd_cd_compatible_report solve_on(scene *s, double p, double ratio, double tol,
                                        const double *slide)
{
  pd_cd_compatible_options opt = pd_cd_compatible_defaults(p);
  pd_cd_compatible_report report;
  opt.tol = tol;
  opt.ratio = ratio;
  opt.slide = slide;
  check_ok(pd_cd_compatible_friction(&s->net, &opt, s->load, &s->pool, s->f, s->u, &report));
  return report;
}

static pd_cd_compatible_report solve(scene *s, double p, double ratio, double tol)
{
  scene_reset(s);
  const pd_cd_compatible_report r = solve_on(s, p, ratio, tol, NULL);
  if (!r.converged)
    print_error("p %g ratio %g: %d+%d iterations, ending %d, kkt %.3g\n", p, ratio, r.iterations,
                r.inner, (int)r.ending, r.kkt);
  assert_true(r.converged);
  assert_true(r.kkt <= 2.0 * tol);
  return r;
}

/* force of contact i on its first body */
static pd_vec3 force_of(const scene *s, int i)
{
  pd_vec3 t1, t2;
  const double *f = s->f + 3 * (size_t)i;
  pd_cd_tangents(s->net.contact[i].n, &t1, &t2);
  return pd_axpy(pd_axpy(pd_scale(f[0], s->net.contact[i].n), f[1], t1), f[2], t2);
}

static void check_force(const scene *s, int i, double x, double y, double z)
{
  const pd_vec3 f = force_of(s, i);
  check_near(f.x, x, 1e-10);
  check_near(f.y, y, 1e-10);
  check_near(f.z, z, 1e-10);
}

static void set_friction(scene *s, double mu)
{
  for (int i = 0; i < s->net.ncontact; i++) s->net.contact[i].mu = mu;
}

static pd_cd_coulomb law_of(double p, double ratio, double k, double mu)
{
  const pd_cd_coulomb law = {p, ratio, k, mu, NULL};
  return law;
}

static void check_derivative(const pd_cd_coulomb *law, const double *c)
{
  double f[3], up[3], down[3], x[3];
  const double e = 1e-6;
  pd_cd_coulomb_force(law, c, f);
  const pd_cd_coulomb_tangent a = pd_cd_coulomb_derivative(law, c, f);
  const double d[3][3] = {
      {a.nn, 0.0, 0.0}, {a.tn[0], a.tt[0], a.tt[1]}, {a.tn[1], a.tt[1], a.tt[2]}};
  for (int j = 0; j < 3; j++) {
    memcpy(x, c, sizeof x);
    x[j] = c[j] + e;
    pd_cd_coulomb_force(law, x, up);
    x[j] = c[j] - e;
    pd_cd_coulomb_force(law, x, down);
    for (int i = 0; i < 3; i++) check_near((up[i] - down[i]) / (2.0 * e), d[i][j], 1e-7);
  }
}

/* the law's derivative by differences: open, sticking, slipping, sliding */
static void test_derivative(void **state)
{
  (void)state;
  sc_random seed = {3};
  const double slide[2] = {0.6, -0.8};
  int slips = 0;
  for (int k = 0; k < 200; k++) {
    pd_cd_coulomb law = law_of(k % 2 ? 2.5 : 2.0, 0.7, 1.3, 0.4);
    const double c[3] = {sc_uniform(&seed, -0.2, 1.0), sc_uniform(&seed, -1.0, 1.0),
                         sc_uniform(&seed, -1.0, 1.0)};
    double f[3];
    if (fabs(0.7 * hypot(c[1], c[2]) - 0.4 * c[0]) < 1e-3 || fabs(c[0]) < 1e-3) continue;
    if (k % 5 == 0) law.slide = slide;
    slips += pd_cd_coulomb_force(&law, c, f);
    check_derivative(&law, c);
  }
  assert_true(slips > 50 && slips < 180);
}

/* The law is where springs lead that slip by return mapping, with the stiffness of the moment, if
 * displacements grow in proportion: by small increments, for both exponents. */
static void test_history_in_proportion(void **state)
{
  (void)state;
  enum { STEPS = 20000 };
  for (int k = 0; k < 4; k++) {
    const double p = k % 2 ? 2.5 : 2.0, mu = k < 2 ? 0.3 : 2.0;
    const pd_cd_coulomb law = law_of(p, 0.8, 1.7, mu);
    const double c[3] = {0.9, 0.5, -0.4};
    double f[3], t[2] = {0.0, 0.0};
    assert_int_equal(pd_cd_coulomb_force(&law, c, f), k < 2);
    for (int i = 0; i < STEPS; i++) {
      const double middle = c[0] * (i + 0.5) / STEPS,
                   fn = pd_cd_force(p, 1.7, c[0] * (i + 1) / STEPS);
      const double stiffness = 0.8 * (p - 1.0) * 1.7 * pow(middle, p - 2.0);
      for (int j = 0; j < 2; j++) t[j] += stiffness * c[j + 1] / STEPS;
      const double size = hypot(t[0], t[1]), s = size > mu * fn ? mu * fn / size : 1.0;
      t[0] *= s, t[1] *= s;
    }
    for (int j = 0; j < 2; j++) check_near(t[j], f[j + 1], 1e-7);
    if (k < 2) continue;
    /* where nothing slips nothing is lost, and this is what force times way
     * exceeds the work by */
    const double product = f[0] * c[0] + f[1] * c[1] + f[2] * c[2];
    check_near(pd_cd_coulomb_energy(&law, f), product * (p - 1.0) / p, 1e-13);
  }
}

/* The paper's beam, pushed along itself: the push is shared by stiffness, but one end, relieved by
 * the moment, slips. Its turn about the line of supports meets no resistance. */
static void test_beam(void **state)
{
  (void)state;
  scene s;
  box_on_points(&s, 10.0, 3, beam_at);
  s.fext[0] = 3.0;
  rest_load(&s);
  set_friction(&s, 2.0);
  pd_cd_compatible_report r = solve(&s, 2.0, 0.8, 1e-13);
  assert_int_equal(r.slipping, 0);
  check_force(&s, 0, -1.0, 0.0, 10.0 / 3.0 - 1.5);
  check_force(&s, 1, -1.0, 0.0, 10.0 / 3.0);
  check_force(&s, 2, -1.0, 0.0, 10.0 / 3.0 + 1.5);
  set_friction(&s, 0.5);
  r = solve(&s, 2.0, 0.8, 1e-13);
  const double f = 10.0 / 3.0 - 1.5, rest = 0.5 * (3.0 - 0.5 * f);
  assert_int_equal(r.slipping, 1);
  check_force(&s, 0, -0.5 * f, 0.0, f);
  check_force(&s, 1, -rest, 0.0, 10.0 / 3.0);
  check_force(&s, 2, -rest, 0.0, 10.0 / 3.0 + 1.5);
  s.net.contact[1].k = 3.0; /* 2, 6, 2 without the push */
  r = solve(&s, 2.0, 0.8, 1e-13);
  assert_int_equal(r.slipping, 1);
  check_force(&s, 0, -0.25, 0.0, 0.5);
  check_force(&s, 1, -0.75 * 2.75, 0.0, 6.0);
  check_force(&s, 2, -0.25 * 2.75, 0.0, 3.5);
  scene_close(&s);
}

static const double corners[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};

/* A cube of weight 12 on its corners under a load aside: along an edge, where two corners slip, and
 * along a diagonal, where one does. And a moment about the vertical, which four sticking corners
 * share. */
static void test_cube(void **state)
{
  (void)state;
  scene s;
  box_on_points(&s, 12.0, 4, corners);
  set_friction(&s, 0.4);
  s.fext[0] = 4.0;
  rest_load(&s);
  assert_int_equal(solve(&s, 2.0, 2.0 / 7.0, 1e-13).slipping, 2);
  for (int i = 0; i < 4; i++) {
    const int front = corners[i][0] > 0.0;
    check_force(&s, i, front ? -1.2 : -0.8, 0.0, front ? 4.0 : 2.0);
  }
  s.fext[0] = s.fext[1] = 2.5;
  rest_load(&s);
  assert_int_equal(solve(&s, 2.0, 2.0 / 7.0, 1e-13).slipping, 1);
  const double rear = 0.4 * 1.75 / sqrt(2.0), others = (2.5 - rear) / 3.0;
  check_force(&s, 0, -rear, -rear, 1.75);
  check_force(&s, 1, -others, -others, 3.0);
  check_force(&s, 2, -others, -others, 4.25);
  check_force(&s, 3, -others, -others, 3.0);
  s.fext[0] = s.fext[1] = 0.0, s.fext[5] = 2.0;
  rest_load(&s);
  for (int k = 0; k < 2; k++) {
    assert_int_equal(solve(&s, k ? 2.5 : 2.0, 2.0 / 7.0, 1e-13).slipping, 0);
    for (int i = 0; i < 4; i++)
      check_force(&s, i, 0.25 * corners[i][1], -0.25 * corners[i][0], 3.0);
  }
  scene_close(&s);
}

/* A cube that slides for long: every corner bears its limit against the motion, wherever the small
 * displacements go; and one that is turned while it slides. */
static void test_sliding(void **state)
{
  (void)state;
  scene s;
  box_on_points(&s, 12.0, 4, corners);
  set_friction(&s, 0.4);
  rest_load(&s);
  s.load[0] = -4.8;
  double slide[8];
  for (int i = 0; i < 4; i++) {
    pd_vec3 t1, t2;
    pd_cd_tangents(s.net.contact[i].n, &t1, &t2);
    slide[2 * i] = -t1.x, slide[2 * i + 1] = -t2.x; /* the floor moves to -x against the cube */
  }
  scene_reset(&s);
  const pd_cd_compatible_report r = solve_on(&s, 2.0, 0.8, 1e-12, slide);
  assert_true(r.converged);
  assert_int_equal(r.slipping, 4);
  for (int i = 0; i < 4; i++) {
    const double f = 3.0 + 1.2 * corners[i][0];
    check_force(&s, i, -0.4 * f, 0.0, f);
  }
  s.load[0] = -4.0; /* friction of this sliding cannot be less: no displacements help */
  scene_reset(&s);
  assert_false(solve_on(&s, 2.0, 0.8, 1e-12, slide).converged);
  scene_close(&s);
}

/* Newton's forces against those of finite springs under a load that grows. Returns the largest
 * difference, over the largest force. */
static double apart_from(const scene *s, const loading *q)
{
  double worst = 0.0, largest = 0.0;
  for (int i = 0; i < s->net.ncontact; i++) {
    const pd_vec3 f = force_of(s, i);
    worst = fmax(worst, pd_norm(pd_sub(f, q->force[i])));
    largest = fmax(largest, pd_norm(f));
  }
  return worst / largest;
}

static double against_springs(const scene *s, double ratio, double stiffness, int increments)
{
  loading q;
  double largest = 0.0;
  loading_open(&q, s, stiffness, ratio);
  for (int i = 0; i < q.n; i++) {
    q.load[i] = s->load[i];
    largest = fmax(largest, fabs(q.load[i]));
  }
  const double off = loading_run(&q, increments, 1e-9 * largest) / largest;
  const double apart = apart_from(s, &q);
  print_message("  springs of %.0e N/m, %d increments: unbalance %.0e, forces differ by %.2e\n",
                stiffness, increments, off, apart);
  assert_true(off <= 1e-8);
  loading_close(&q);
  return apart;
}

/* Cubes on points under loads at random: springs of 1e12 and more times the load over the edge,
 * where displacements are as good as none. */
static void test_against_dense(void **state)
{
  (void)state;
  sc_random seed = {9};
  const double at[6][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {0.2, 0.9}, {-0.8, 0.1}};
  int slipping = 0, open = 0;
  for (int k = 0; k < 12; k++) {
    scene s;
    box_on_points(&s, 10.0, 4 + k % 3, at);
    for (int i = 0; i < s.net.ncontact; i++) {
      s.net.contact[i].mu = sc_uniform(&seed, 0.3, 0.6);
      s.net.contact[i].k = sc_uniform(&seed, 0.2, 1.0);
      s.net.contact[i].n =
          pd_unit(pd_v(sc_uniform(&seed, -0.3, 0.3), sc_uniform(&seed, -0.3, 0.3), 1.0));
    }
    check_ok(pd_cd_network_bind(&s.net));
    for (int c = 0; c < 2; c++) s.fext[c] = sc_uniform(&seed, -2.0, 2.0);
    for (int c = 3; c < 6; c++) s.fext[c] = sc_uniform(&seed, -6.0, 6.0);
    rest_load(&s);
    const pd_cd_compatible_report r = solve(&s, 2.0, 0.6, 1e-12);
    slipping += r.slipping;
    for (int i = 0; i < s.net.ncontact; i++) open += s.f[3 * i] == 0.0;
    assert_true(against_springs(&s, 0.6, 1e9, 3) <= 1e-7);
    scene_close(&s);
  }
  print_message("%d contacts slip, %d are open\n", slipping, open);
  assert_true(slipping > 5 && open > 2);
}

/* A wall whose bricks are pushed: springs to 50 GPa times the edge, 1/stiffness towards none. */
static void test_wall_against_springs(void **state)
{
  (void)state;
  const double gpa50 = 50e9 * 0.1;
  for (int k = 0; k < 2; k++) {
    scene s;
    wall_open(&s, 4, 0.004, 0.0, 0.5);
    for (int i = 0; i < s.net.nowned; i++)
      if (i % 2) s.fext[6 * i] = (k ? 0.4 : 0.2) * 2.0 * gravity;
    rest_load(&s);
    const pd_cd_compatible_report r = solve(&s, 2.0, 6.0 / 7.0, 1e-12);
    print_message("wall of %d bricks, push %g: %d steps, %d products, kkt %.1e, %d of %d slip\n",
                  s.net.nowned, k ? 0.4 : 0.2, r.iterations, r.inner, r.kkt, r.slipping,
                  s.net.ncontact);
    const double soft = against_springs(&s, 6.0 / 7.0, 1e-4 * gpa50, 4);
    const double stiff = against_springs(&s, 6.0 / 7.0, 1e-2 * gpa50, 4);
    assert_true(stiff <= 0.02 * soft);
    assert_true(against_springs(&s, 6.0 / 7.0, gpa50, 4) <= 1e-6);
    scene_close(&s);
  }
}

static void check_large(scene *s, double p, double tol, const char *name)
{
  const size_t n = 3 * (size_t)s->net.ncontact;
  const pd_cd_compatible_report r = solve(s, p, 6.0 / 7.0, tol);
  double *f = zeros(n), *u = zeros(6 * (size_t)s->net.nbody);
  memcpy(f, s->f, n * sizeof *f);
  const double largest = pd_cd_largest(&s->net, n, f),
               size = pd_cd_largest(&s->net, 6 * (size_t)s->net.nbody, s->u);
  double apart = 0.0;
  sc_random seed = {17};
  for (int k = 0; k < 3; k++) { /* from elsewhere */
    for (int i = 0; i < 6 * s->net.nowned; i++) s->u[i] = size * sc_uniform(&seed, -0.3, 0.3);
    assert_true(solve_on(s, p, 6.0 / 7.0, tol, NULL).converged);
    apart = fmax(apart, worst_difference(n, f, s->f) / largest);
  }
  print_message("%s, p %.1f: %d steps, %d products, kkt %.1e, %d of %d slip; from elsewhere the "
                "forces differ by %.1e\n",
                name, p, r.iterations, r.inner, r.kkt, r.slipping, s->net.ncontact, apart);
  assert_true(r.kkt <= 1e-11);
  assert_true(apart <= 1e-9);
  free(f), free(u);
}

static void test_walls(void **state)
{
  (void)state;
  for (int k = 0; k < 4; k++) {
    scene s;
    wall_open(&s, k < 2 ? 5 : 17, 0.004, 1e-12, 0.5);
    for (int i = 0; i < s.net.nowned; i++)
      if (i % 2) s.fext[6 * i] = 0.3 * 2.0 * gravity;
    rest_load(&s);
    check_large(&s, k % 2 ? 2.5 : 2.0, 1e-11, "wall");
    scene_close(&s);
  }
}

/* spheres that turn */
static void pyramid_turning(pyramid *p)
{
  pyramid_open(p, 8, 0.0);
  for (int i = 0; i < p->count; i++) {
    p->s.net.body[i].turns = 1;
    p->s.net.body[i].inertia = pd_m_diag(pd_v(1.0, 1.0, 1.0));
  }
  for (int i = 0; i < p->s.net.ncontact; i++) {
    pd_cd_contact *c = &p->s.net.contact[i];
    c->ra = pd_scale(-0.5 * p->d, c->n), c->rb = pd_scale(0.5 * p->d, c->n);
    c->mu = 0.3;
  }
  check_ok(pd_cd_network_bind(&p->s.net));
}

static void test_pyramid(void **state)
{
  (void)state;
  pyramid p;
  pyramid_turning(&p);
  rest_load(&p.s);
  for (int k = 0; k < 2; k++) check_large(&p.s, k ? 2.5 : 2.0, 1e-12, "pyramid");
  pyramid_close(&p);
}

/* the other order of the contacts, and of the bodies of each: the same forces */
static void test_order(void **state)
{
  (void)state;
  scene s, t;
  wall_open(&s, 6, 0.004, 0.0, 0.5);
  wall_open(&t, 6, 0.004, 0.0, 0.5);
  const int n = s.net.ncontact;
  for (int i = 0; i < n; i++) {
    pd_cd_contact c = s.net.contact[n - 1 - i];
    if (c.b >= 0) {
      const pd_cd_contact other = c;
      c.a = other.b, c.b = other.a, c.ra = other.rb, c.rb = other.ra, c.n = pd_neg(other.n);
    }
    t.net.contact[i] = c;
  }
  check_ok(pd_cd_network_bind(&t.net));
  for (int i = 0; i < s.net.nowned; i++)
    if (i % 2) s.fext[6 * i] = t.fext[6 * i] = 0.3 * 2.0 * gravity;
  rest_load(&s), rest_load(&t);
  solve(&s, 2.0, 0.8, 1e-12), solve(&t, 2.0, 0.8, 1e-12);
  double apart = 0.0, largest = 0.0;
  for (int i = 0; i < n; i++) {
    const int turned = t.net.contact[i].b >= 0;
    const pd_vec3 f = force_of(&s, n - 1 - i), g = force_of(&t, i);
    apart = fmax(apart, pd_norm(turned ? pd_add(f, g) : pd_sub(f, g)));
    largest = fmax(largest, pd_norm(f));
  }
  print_message("contacts the other way round: forces differ by %.1e\n", apart / largest);
  assert_true(apart <= 1e-9 * largest);
  scene_close(&s), scene_close(&t);
}

/* A particle in a groove, with tangential springs far softer than the normal ones and much
 * friction: three ways to bear one load; without a start the one in which most is borne by
 * sticking. */
static void test_several_solutions(void **state)
{
  (void)state;
  const double at[3][3] = {{-1.88, 0.0, -0.416}, {-1.4446, 0.0, -0.4997}, {-1.2358, 0.0, -0.4853}};
  const double normal[3][2] = {{0.0, 0.9862}, {0.0199, 0.9287}, {0.0719, 0.8494}};
  scene s;
  scene_open(&s, 1, 0, 2);
  s.net.body[0] = point_body(1.0, 1);
  for (int i = 0; i < 2; i++) {
    const pd_vec3 n = pd_v(i ? sin(0.32) : -sin(0.32), 0.0, cos(0.32)), zero = pd_v(0.0, 0.0, 0.0);
    s.net.contact[i] = contact_of(0, -1, n, zero, zero, 0.0);
    s.net.contact[i].mu = 3.5;
  }
  check_ok(pd_cd_network_bind(&s.net));
  s.load[0] = 0.4672480551225107, s.load[2] = 0.8841262664259167;
  for (int k = 0; k < 3; k++) {
    scene_reset(&s);
    memcpy(s.u, at[k], sizeof at[k]);
    const pd_cd_compatible_report r = solve_on(&s, 2.0, 0.1, 1e-13, NULL);
    assert_true(r.converged);
    for (int i = 0; i < 2; i++) check_near(s.f[3 * i], normal[k][i], 1e-3);
  }
  solve(&s, 2.0, 0.1, 1e-13);
  check_near(s.f[3], normal[2][1], 1e-3);
  set_friction(&s, 1.0); /* with less there is one */
  double first[6];
  solve(&s, 2.0, 0.1, 1e-13);
  memcpy(first, s.f, sizeof first);
  for (int k = 0; k < 3; k++) {
    scene_reset(&s);
    memcpy(s.u, at[k], sizeof at[k]);
    assert_true(solve_on(&s, 2.0, 0.1, 1e-13, NULL).converged);
    check_near(worst_difference(6, first, s.f), 0.0, 1e-12);
  }
  scene_close(&s);
}

/* pushed harder than friction bears, or lifted: no convergence, and no endless loop */
static void test_impossible_loads(void **state)
{
  (void)state;
  scene s;
  box_on_points(&s, 10.0, 4, corners);
  set_friction(&s, 0.3);
  const double all[2][2] = {{3.5, -10.0}, {1.0, 10.0}};
  for (int k = 0; k < 2; k++) {
    s.fext[0] = all[k][0], s.fext[2] = all[k][1];
    rest_load(&s);
    scene_reset(&s);
    const pd_cd_compatible_report r = solve_on(&s, 2.0, 0.8, 1e-10, NULL);
    assert_false(r.converged);
    assert_int_equal(r.ending, PD_CD_NO_DESCENT);
    assert_true(r.kkt > 0.01);
  }
  scene_close(&s);
}

/* without friction it is the problem without */
static void test_frictionless(void **state)
{
  (void)state;
  pyramid p;
  pyramid_open(&p, 6, 0.0);
  rest_load(&p.s);
  const int n = p.s.net.ncontact;
  double *f = zeros((size_t)n);
  pd_cd_compatible_options opt = pd_cd_compatible_defaults(2.5);
  pd_cd_compatible_report r;
  opt.tol = 1e-12;
  scene_reset(&p.s);
  check_ok(pd_cd_compatible_newton(&p.s.net, &opt, p.s.load, &p.s.pool, f, p.s.u, &r));
  solve(&p.s, 2.5, 0.8, 1e-12);
  const double w = p.mass * gravity;
  for (int i = 0; i < n; i++) {
    check_near(p.s.f[3 * i], f[i], 1e-10 * w);
    check_near(hypot(p.s.f[3 * i + 1], p.s.f[3 * i + 2]), 0.0, 0.0);
  }
  free(f);
  pyramid_close(&p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_derivative),
      cmocka_unit_test(test_history_in_proportion),
      cmocka_unit_test(test_beam),
      cmocka_unit_test(test_cube),
      cmocka_unit_test(test_sliding),
      cmocka_unit_test(test_against_dense),
      cmocka_unit_test(test_wall_against_springs),
      cmocka_unit_test(test_walls),
      cmocka_unit_test(test_pyramid),
      cmocka_unit_test(test_order),
      cmocka_unit_test(test_several_solutions),
      cmocka_unit_test(test_impossible_loads),
      cmocka_unit_test(test_frictionless),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
