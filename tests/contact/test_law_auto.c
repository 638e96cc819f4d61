/* SPDX-License-Identifier: MIT
 * The law that is proposed for masses, sizes, loads and speeds: what it promises is what it does.
 */
#include "check.h"
#include "contact/law/automatic.h"
#include "world.h"

#define PI 3.14159265358979

static pd_law open_law(double gbar)
{
  pd_law law = {0};
  law.n1 = PD_AUTO_N1;
  law.f = 0.1;
  law.gbar = gbar;
  law.ramp = PD_AUTO_RAMP;
  return law;
}

static pd_law propose(double gbar, const pd_law_task *t)
{
  pd_law law = open_law(gbar);
  law.eps1 = pd_auto_stiffness(&law, t);
  law.n2 = pd_auto_barrier(&law, t);
  check_ok(pd_law_init(&law));
  return law;
}

/* ---- size ---- */

static double size_of(pd_status made, pd_mesh *mesh)
{
  pd_shape shape;
  check_ok(made);
  check_ok(sc_shape(mesh, 1, &shape));
  const double size = pd_shape_size(&shape);
  pd_shape_free(&shape);
  return size;
}

static void test_size(void **state)
{
  pd_mesh m;
  (void)state;
  check_near(size_of(sc_box(0.3, 0.3, 0.3, &m), &m), 0.3, 1e-15);
  /* 6 abc / 2 (ab + bc + ca) */
  check_near(size_of(sc_box(1.0, 2.0, 3.0, &m), &m), 36.0 / 22.0, 1e-14);
  /* a plate: three times its thickness; a rod: 1.5 times */
  check_near(size_of(sc_box(1e3, 1e3, 0.1, &m), &m), 0.3, 1e-4);
  check_near(size_of(sc_box(1e3, 0.1, 0.1, &m), &m), 0.15, 1e-4);
  /* tetrahedron: 6 volume/area is the diameter of the inscribed ball, a third of 2 r */
  check_near(size_of(sc_tetrahedron(0.9, &m), &m), 0.6, 1e-14);
  /* L with a short edge: four times that one, not less than a tenth of the width */
  check_near(size_of(sc_l_prism(1.0, 0.9, 1.0, &m), &m), 0.4, 1e-14);
  const double fine = size_of(sc_l_prism(1.0, 0.999, 1.0, &m), &m), v = 1.0 - 1e-6;
  check_near(fine, 0.6 * v / (2.0 * v + 4.0), 1e-14);
}

/* ball of latitudes and longitudes, its radii rough by a part */
static pd_status make_globe(double rough, pd_mesh *m)
{
  enum { RINGS = 11, SECTORS = 24, TOP = RINGS * SECTORS };
  pd_vec3 v[TOP + 2];
  int t[2 * TOP][3], n = 0;
  sc_random random = {31};
  for (int i = 0; i < TOP; i++) {
    const double a = PI * (i / SECTORS + 1) / (RINGS + 1), b = 2.0 * PI * (i % SECTORS) / SECTORS;
    const double r = 1.0 + rough * sc_uniform(&random, -1.0, 1.0);
    v[i] = pd_v(r * sin(a) * cos(b), r * sin(a) * sin(b), r * cos(a));
  }
  v[TOP] = pd_v(0.0, 0.0, 1.0);
  v[TOP + 1] = pd_v(0.0, 0.0, -1.0);
  for (int i = 0; i < TOP; i++) {
    const int ring = i / SECTORS, next = ring * SECTORS + (i + 1) % SECTORS;
    const int low = ring == RINGS - 1;
    const int below = low ? TOP + 1 : i + SECTORS, beside = low ? TOP + 1 : next + SECTORS;
    const int quad[2][3] = {{i, below, next}, {next, below, beside}}, cap[3] = {TOP, i, next};
    for (int k = 0; k < 3; k++) {
      if (ring == 0) t[n][k] = cap[k];
      t[n + (ring == 0)][k] = quad[0][k];
      if (!low) t[n + (ring == 0) + 1][k] = quad[1][k];
    }
    n += 1 + (ring == 0) + !low;
  }
  return pd_mesh_create(TOP + 2, v, n, (const int(*)[3])t, m);
}

/* triangles of round and of rough surfaces are no features: the shortest of these, at the poles, is
 * 0.068 */
static void test_fine_surfaces(void **state)
{
  pd_mesh m;
  (void)state;
  check_near(size_of(make_globe(0.0, &m), &m), 2.0, 0.03);
  check_near(size_of(make_globe(0.03, &m), &m), 2.0, 0.2);
}

/* edges within a flat face are no features: one corner of a cube's triangle is cut off */
static void test_flat_edges(void **state)
{
  pd_mesh m, cut;
  pd_vec3 v[9];
  int t[14][3];
  (void)state;
  check_ok(sc_box(1.0, 1.0, 1.0, &m));
  for (int i = 0; i < 8; i++) v[i] = m.v[i];
  for (int i = 0; i < 12; i++)
    for (int k = 0; k < 3; k++) t[i][k] = m.t[i][k];
  v[8] = pd_axpy(pd_scale(0.98, v[t[0][0]]), 0.01, pd_add(v[t[0][1]], v[t[0][2]]));
  const int a = t[0][0], b = t[0][1], c = t[0][2], n[3][3] = {{a, b, 8}, {b, c, 8}, {c, a, 8}};
  for (int k = 0; k < 3; k++) {
    t[0][k] = n[0][k];
    t[12][k] = n[1][k];
    t[13][k] = n[2][k];
  }
  pd_mesh_free(&m);
  const double size = size_of(pd_mesh_create(9, v, 14, (const int(*)[3])t, &cut), &cut);
  check_near(size, 1.0, 1e-14);
}

/* ---- stiffness and barrier ---- */

static void test_promises(void **state)
{
  sc_random r = {12};
  int hard = 0, heavy = 0, ample = 0;
  (void)state;
  for (int i = 0; i < 1000; i++) {
    const pd_law_task t = {pow(10.0, sc_uniform(&r, -4, 4)), pow(10.0, sc_uniform(&r, -3, 2)),
                           i % 5 ? pow(10.0, sc_uniform(&r, -3, 5)) : 0.0, 1.0};
    const pd_law law = propose(pow(10.0, sc_uniform(&r, -5, 0)), &t);
    const double energy = 0.5 * t.mass * t.speed * t.speed, held = law.phib / energy;
    const double sink =
        pow(t.weight / law.eps1, 1.0 / law.n1) / (PD_AUTO_SINK * (1.0 - law.f) * law.gbar);
    assert_true(held > PD_AUTO_RESERVE * (1.0 - 1e-12) && sink < 1.0 + 1e-12);
    assert_true(held < PD_AUTO_RESERVE * (1.0 + 1e-12) || sink > 1.0 - 1e-12);
    hard += held < PD_AUTO_RESERVE * (1.0 + 1e-12);
    heavy += sink > 1.0 - 1e-12;
    ample += law.n2 == -1.0;
    assert_true(law.n2 == (held >= PD_AUTO_AMPLE ? -1.0 : -2.0));
    const pd_law_outlook o = pd_auto_outlook(&law, &t);
    check_near(o.static_depth, sink * PD_AUTO_SINK * (1.0 - law.f), 1e-12);
    check_near(pd_law_eval(&law, law.gbar * (1.0 - o.depth)).phi, energy, 1e-9 * energy);
    check_near(0.5 * t.mass * o.limit * o.limit, law.phib, 1e-12 * law.phib);
  }
  print_message("stiffness by impact %d, by weight %d; n2 = -1 %d times\n", hard, heavy, ample);
  assert_true(hard > 200 && heavy > 200 && ample > 100);
}

/* other units change nothing: lengths times l, masses times m, times times s */
static void test_units(void **state)
{
  const double l = 100.0, m = 1000.0, s = 1e3;
  const pd_law_task si = {2.4, 2.0, 235.0, 0.1},
                    other = {2.4 * m, 2.0 * l / s, 235.0 * m * l / (s * s), 0.1 * m};
  pd_law a = propose(1e-3, &si), b = propose(1e-3 * l, &other);
  const double eps = m / (s * s) * pow(l, 1.0 - PD_AUTO_N1);
  (void)state;
  check_near(b.eps1 / (a.eps1 * eps), 1.0, 1e-13);
  assert_true(a.n2 == b.n2);
  a.zeta = b.zeta = 0.3;
  a.t.eps_t = pd_auto_tangent(&a, &si);
  b.t.eps_t = pd_auto_tangent(&b, &other);
  check_near(b.t.eps_t / (a.t.eps_t * m / (s * s)), 1.0, 1e-13);
  const double ca = pd_auto_viscosity(&a, &si), cb = pd_auto_viscosity(&b, &other);
  check_near(cb / (ca * m / s), 1.0, 1e-13);
  check_near(pd_auto_outlook(&b, &other).time / (s * pd_auto_outlook(&a, &si).time), 1.0, 1e-13);
}

/* ---- one impact in one dimension ---- */

static void fly(const pd_law *law, double mass, const double *y, double *d)
{
  d[0] = y[1];
  d[1] = pd_law_eval(law, y[0]).fn / mass;
}

static void runge_kutta(const pd_law *law, double mass, double h, double *y)
{
  double k[4][2], z[2];
  fly(law, mass, y, k[0]);
  for (int s = 1; s < 4; s++) {
    for (int m = 0; m < 2; m++) z[m] = y[m] + (s < 3 ? 0.5 : 1.0) * h * k[s - 1][m];
    fly(law, mass, z, k[s]);
  }
  for (int m = 0; m < 2; m++) y[m] += h / 6.0 * (k[0][m] + 2.0 * k[1][m] + 2.0 * k[2][m] + k[3][m]);
}

/* the outlook against the motion itself */
static void test_impact(void **state)
{
  const double n1[4] = {1.0, 1.5, 2.0, 3.0};
  (void)state;
  for (int i = 0; i < 4; i++) {
    const pd_law_task t = {0.7, 1.9, 3.0, 0.7};
    pd_law law = open_law(2e-3);
    law.n1 = n1[i];
    law.eps1 = pd_auto_stiffness(&law, &t);
    law.n2 = -2.0;
    check_ok(pd_law_init(&law));
    const pd_law_outlook o = pd_auto_outlook(&law, &t);
    if (n1[i] == 1.0) check_near(o.time, PI * sqrt(t.mass / law.eps1), 1e-12 * o.time);
    double y[2] = {law.gbar, -t.speed}, low = law.gbar, time = 0.0;
    const double h = 1e-4 * o.time;
    while (time == 0.0 || y[0] < law.gbar) {
      runge_kutta(&law, t.mass, h, y);
      low = fmin(low, y[0]);
      time += h;
    }
    time -= (y[0] - law.gbar) / y[1];
    check_near(time / o.time, 1.0, 1e-5);
    check_near((law.gbar - low) / (o.depth * law.gbar), 1.0, 1e-6);
  }
}

/* ---- friction ---- */

/* A ball that sticks swings with its mass of 2/7 as fast as it bounces at half of gbar; c_t has
 * the damping ratio of the normal direction, or that of a restitution. */
static void test_friction(void **state)
{
  const pd_law_task t = {1.3, 0.8, 10.0, 1.3};
  pd_law law = propose(1e-3, &t);
  (void)state;
  law.t.eps_t = pd_auto_tangent(&law, &t);
  const double k = -pd_law_eval(&law, 0.5 * law.gbar).df;
  check_near(law.t.eps_t / (2.0 / 7.0 * t.mass), k / t.mass, 1e-12 * k);
  law.zeta = 0.35;
  const double critical = 2.0 * sqrt(law.t.eps_t * t.mass);
  check_near(pd_auto_viscosity(&law, &t), 0.35 * critical, 1e-12 * critical);
  law.has_e = 1;
  law.e = exp(-PI * 0.35 / sqrt(1.0 - 0.35 * 0.35));
  check_near(pd_auto_viscosity(&law, &t), 0.35 * critical, 1e-12 * critical);
  law.e = 1.0;
  check_near(pd_auto_viscosity(&law, &t), 0.0, 1e-12 * critical);
  law.e = 0.0;
  const double dead = pd_auto_viscosity(&law, &t) / critical;
  assert_true(dead > 0.9 && dead < 1.0);
}

/* Friction between unlike bodies is that of a law for the lighter one, unless the weight that is
 * given would then stretch a contact by more than gbar. */
static void test_unlike_bodies(void **state)
{
  const double ratio[] = {1e-1, 1e-2, 1e-4, 1e-8};
  int light = 0;
  (void)state;
  for (int i = 0; i < 4; i++) {
    const pd_law_task alike = {1e3, 4.0, 1e5, 1e3}, t = {1e3, 4.0, 1e5, 1e3 * ratio[i]};
    const pd_law_task small = {t.lightest, 4.0, 1e5 * ratio[i], t.lightest};
    pd_law law = propose(1e-3, &t), own = propose(1e-3, &small);
    law.t.eps_t = pd_auto_tangent(&law, &t);
    own.t.eps_t = pd_auto_tangent(&own, &small);
    law.zeta = own.zeta = 0.7;
    const double give = t.weight / law.t.eps_t / law.gbar, c = pd_auto_viscosity(&own, &small);
    assert_true(give <= 1.0 + 1e-12 && law.t.eps_t < pd_auto_tangent(&law, &alike));
    if (give > 1.0 - 1e-12) continue;
    light++;
    check_near(law.t.eps_t / own.t.eps_t, 1.0, 1e-12);
    check_near(pd_auto_viscosity(&law, &t) / c, 1.0, 1e-12);
  }
  assert_true(light > 0 && light < 4);
}

/* ---- a cube that falls on its corner ---- */

/* smallest gap over gbar of an impact at the given multiple of the typical speed */
static double deepest(double times)
{
  const pd_law_task t = {SC_BLOCK_MASS, 2.0, 10.0 * SC_BLOCK_MASS * 9.81, SC_BLOCK_MASS};
  sc_world w;
  check_ok(sc_world_create(&w, PD_EM, propose(PD_AUTO_FRACTION * SC_BLOCK_EDGE, &t)));
  const pd_shape *cube = sc_block_shape(&w);
  const pd_quat q = sc_turn_to(pd_v(1, 1, 1), pd_v(0, 0, 1));
  const double z = w.law.gbar - sc_lowest(cube, q);
  assert_int_equal(sc_add_body(&w, cube, SC_BLOCK_MASS, pd_v(0.0, 0.0, z), q), 0);
  assert_true(sc_add_plane(&w, pd_v(0, 0, 0), pd_v(0, 0, 1)));
  w.gravity = pd_v(0.0, 0.0, 0.0);
  w.sys.body[0].start.v = pd_v(0.0, 0.0, -times * t.speed);
  check_ok(sc_ready(&w));
  const double h = 1e-2 * pd_auto_outlook(&w.law, &t).time;
  for (int i = 0; i < 200; i++) check_ok(sc_substep(&w, h));
  const double gap = w.count.mingap / w.law.gbar;
  assert_true(w.sys.body[0].start.v.z > 0.0);
  sc_world_free(&w);
  return gap;
}

static void test_corner(void **state)
{
  const double once = deepest(1.0), just = deepest(1.41), over = deepest(1.45), hard = deepest(4.0);
  (void)state;
  print_message(
      "smallest gap / gbar: %.3f at the typical speed, %.3f at 1.41, %.3f at 1.45, %.4f at "
      "4 times it\n",
      once, just, over, hard);
  assert_true(once > 0.3 && just > 0.1 && over < 0.1 && hard > 1e-4);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_size),          cmocka_unit_test(test_flat_edges),
      cmocka_unit_test(test_promises),      cmocka_unit_test(test_units),
      cmocka_unit_test(test_impact),        cmocka_unit_test(test_friction),
      cmocka_unit_test(test_unlike_bodies), cmocka_unit_test(test_corner),
      cmocka_unit_test(test_fine_surfaces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
