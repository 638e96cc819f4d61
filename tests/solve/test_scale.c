/* SPDX-License-Identifier: MIT
 * Lengths have no scale of their own: with all of them times 2^k, and the units that follow from
 * them, forces, tangents and whole runs are the same to the last bit, times their powers of 2^k.
 * Times are as they were, densities too. */
#include <string.h>

#include "bodies.h"
#include "check.h"
#include "world.h"

/* of the pairs even ones: the root of a length is in their law */
enum { EXPONENTS = 6 };
static const int of_pairs[EXPONENTS] = {-30, -14, -2, 2, 16, 32};
static const int of_runs[EXPONENTS] = {-30, -17, -1, 1, 20, 33};

static pd_law scaled_law(double n1, int k)
{
  pd_law law = {0};
  law.eps1 = ldexp(n1 == 1.0 ? 3.9e6 : 1e8, 4 * k) * pow(2.0, -n1 * k);
  law.n1 = n1;
  law.gbar = ldexp(1e-3, k);
  law.f = 0.1;
  law.n2 = -1.0;
  law.zeta = 0.3;
  law.ramp = 0.1;
  law.t.mu_s = 0.5;
  law.t.mu_d = 0.4;
  law.t.eps_t = ldexp(1e6, 3 * k);
  law.t.c_t = ldexp(10.0, 3 * k);
  return law;
}

static void scale_mesh(pd_mesh *mesh, int k)
{
  for (int i = 0; i < mesh->nv; i++) mesh->v[i] = pd_scale(ldexp(1.0, k), mesh->v[i]);
}

static void check_same(const double *expected, const double *found, int n, int exponent)
{
  for (int i = 0; i < n; i++) {
    const double same = ldexp(expected[i], exponent);
    if (same != found[i])
      print_error("number %d: %.17g instead of %.17g\n", i, ldexp(found[i], -exponent),
                  expected[i]);
    assert_true(same == found[i]);
  }
}

/* ---- pairs ---- */

enum { KINDS = 4, POSES = 40 };

/* a box, a needle, a tetrapod, a plate */
static void make_body(body *b, int kind, int k)
{
  pd_mesh mesh;
  if (kind == 0) check_ok(sc_box(0.1, 0.12, 0.09, &mesh));
  if (kind == 1) check_ok(sc_box(0.3, 0.002, 0.003, &mesh));
  if (kind == 2) check_ok(sc_tetrapod(0.1, 0.03, 0.6, &mesh));
  if (kind == 3) check_ok(sc_box(0.2, 0.15, 0.001, &mesh));
  scale_mesh(&mesh, k);
  body_make(b, PD_OK, &mesh, 1);
}

/* moves b towards a until they are some part of gbar apart */
static void approach(body *a, body *b, double gap)
{
  for (int i = 0; i < 60; i++) {
    const double d = body_distance(a, b, 1.0);
    b->x = pd_axpy(b->x, (gap - d) / pd_norm(b->x), b->x);
  }
}

static int compare_pair(int p, int q, pd_quat qa, pd_quat qb, pd_vec3 x, int k, pd_pair_work *work)
{
  body a[2], b[2];
  pd_pair_result r[2];
  const pd_law law[2] = {scaled_law(1.5, 0), scaled_law(1.5, k)};
  for (int i = 0; i < 2; i++) {
    make_body(&a[i], p, i * k);
    make_body(&b[i], q, i * k);
    body_put(&a[i], pd_v(0.0, 0.0, 0.0), pd_q_matrix(qa));
    body_put(&b[i], pd_scale(ldexp(1.0, i * k), x), pd_q_matrix(qb));
    pd_law one = law[i];
    check_ok(pd_law_init(&one));
    memset(&r[i], 0, sizeof r[i]);
    check_ok(body_eval(&a[i], &b[i], &one, PD_SET_CONTINUOUS, 1, work, &r[i], NULL));
  }
  check_same(&r[0].energy, &r[1].energy, 1, 5 * k);
  for (int i = 0; i < 12; i++)
    check_same(&r[0].force[i], &r[1].force[i], 1, i % 6 < 3 ? 4 * k : 5 * k);
  for (int i = 0; i < 144; i++) {
    const int moments = (i / 12 % 6 > 2) + (i % 6 > 2);
    check_same(&r[0].k[i / 12][i % 12], &r[1].k[i / 12][i % 12], 1, (3 + moments) * k);
  }
  for (int i = 0; i < 2; i++) {
    body_free(&a[i]);
    body_free(&b[i]);
  }
  return r[0].ncontact > 0;
}

static void test_pairs(void **state)
{
  (void)state;
  sc_random random = {23};
  pd_pair_work *work;
  int touching = 0;
  check_ok(pd_pair_work_create(&work));
  for (int n = 0; n < POSES; n++) {
    body a, b;
    const int p = sc_below(&random, KINDS), q = sc_below(&random, KINDS);
    const pd_quat qa = sc_rotation(&random), qb = sc_rotation(&random);
    make_body(&a, p, 0);
    make_body(&b, q, 0);
    body_put(&a, pd_v(0.0, 0.0, 0.0), pd_q_matrix(qa));
    const pd_vec3 away = pd_mv(pd_q_matrix(sc_rotation(&random)), pd_v(0.5, 0.0, 0.0));
    body_put(&b, away, pd_q_matrix(qb));
    approach(&a, &b, sc_uniform(&random, 0.0, 1e-3));
    for (int i = 0; i < EXPONENTS; i++)
      touching += compare_pair(p, q, qa, qb, b.x, of_pairs[i], work);
    body_free(&a);
    body_free(&b);
  }
  print_message("touching = %d of %d\n", touching, EXPONENTS * POSES);
  assert_true(touching > 3 * POSES);
  pd_pair_work_free(work);
}

/* ---- runs ---- */

/* The dense solver of a world chooses pivots by size, moments against forces: it gets the system in
 * units in which the bodies have the size of those with k = 0. */
typedef struct scaled_solver {
  pd_services plain;
  const pd_system *sys;
  int k;
} scaled_solver;

static pd_status solve_scaled(void *ctx, const pd_linear *a, double *x)
{
  enum { MOST = 16 };
  const scaled_solver *s = (const scaled_solver *)ctx;
  const int rows = s->sys->pattern.nlocal, blocks = s->sys->assembly.nplace;
  double values[36 * MOST], rhs[6 * MOST];
  assert_true(blocks <= MOST);
  for (int i = 0; i < 36 * blocks; i++)
    values[i] = ldexp(a->values[i], -(3 + (i % 36 / 6 > 2) + (i % 6 > 2)) * s->k);
  for (int i = 0; i < 6 * rows; i++) rhs[i] = ldexp(a->rhs[i], -(4 + (i % 6 > 2)) * s->k);
  pd_linear same = *a;
  same.values = values;
  same.rhs = rhs;
  const pd_status status = s->plain.solve(s->plain.ctx, &same, x);
  for (int i = 0; i < 6 * rows; i++)
    if (i % 6 < 3) x[i] = ldexp(x[i], s->k);
  return status;
}

/* a box, a needle and a tetrapod that fall onto a plane and each other, turning */
static void run(pd_scheme_kind scheme, int k, sc_world *w, scaled_solver *solver)
{
  static const pd_vec3 places[3] = {{0.01, 0.0, 0.062}, {0.0, 0.02, 0.125}, {0.02, 0.01, 0.26}};
  sc_random random = {5};
  check_ok(sc_world_create(w, scheme, scaled_law(1.0, k)));
  w->gravity = pd_v(0.0, 0.0, ldexp(-9.81, k));
  for (int i = 0; i < 3; i++) {
    pd_mesh mesh;
    if (i == 0) check_ok(sc_box(0.1, 0.12, 0.09, &mesh));
    if (i == 1) check_ok(sc_box(0.3, 0.01, 0.012, &mesh));
    if (i == 2) check_ok(sc_tetrapod(0.1, 0.03, 0.6, &mesh));
    scale_mesh(&mesh, k);
    const pd_quat q = i < 2 ? sc_turn(pd_v(0.3, 1.0, 0.1), 0.1) : sc_rotation(&random);
    const int at = sc_add_body(w, sc_add_shape(w, &mesh, 1), ldexp(1.0 + i, 3 * k),
                               pd_scale(ldexp(1.0, k), places[i]), q);
    assert_int_equal(at, i);
    w->sys.body[i].start.w = pd_v(0.2, -0.1, 1.0);
  }
  assert_true(sc_add_plane(w, pd_v(0.0, 0.0, 0.0), pd_v(0.0, 0.0, 1.0)));
  const scaled_solver scaled = {w->services, &w->sys, k};
  *solver = scaled;
  w->services.ctx = solver;
  w->services.solve = solve_scaled;
  check_ok(sc_ready(w));
  for (int i = 0; i < 60; i++) check_ok(sc_advance(w, 4e-3));
}

static void test_runs(void **state)
{
  (void)state;
  for (int scheme = PD_NEWMARK; scheme <= PD_EM; scheme++) {
    sc_world one;
    scaled_solver solver;
    run((pd_scheme_kind)scheme, 0, &one, &solver);
    print_message("scheme %d: substeps = %ld, iterations = %ld, smallest gap = %.3g\n", scheme,
                  one.count.substeps, one.count.iterations, one.count.mingap);
    assert_true(one.count.mingap < 1e-3);
    for (int i = 0; i < EXPONENTS; i++) {
      const int k = of_runs[i];
      sc_world w;
      run((pd_scheme_kind)scheme, k, &w, &solver);
      assert_int_equal(w.count.iterations, one.count.iterations);
      for (int j = 0; j < 3; j++) {
        const pd_state *a = &one.sys.body[j].start, *b = &w.sys.body[j].start;
        check_same(&a->x.x, &b->x.x, 3, k);
        check_same(&a->v.x, &b->v.x, 3, k);
        check_same(&a->q.w, &b->q.w, 4, 0);
        check_same(&a->w.x, &b->w.x, 3, 0);
      }
      sc_world_free(&w);
    }
    sc_world_free(&one);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pairs),
      cmocka_unit_test(test_runs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
