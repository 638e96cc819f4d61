/* SPDX-License-Identifier: MIT
 * Simplified surfaces: what is left of known ones, that they enclose what they stand for, by
 * another formula; distances against brute force; the queue against sorting. */
#include "check.h"
#include "geometry/builtin.h"
#include "geometry/distance.h"
#include "geometry/enclose.h"
#include "geometry/near_points.h"
#include "geometry/queue.h"
#include "geometry/simplify.h"
#include "shapes.h"

static pd_mesh make(const char *name, const double *value)
{
  pd_mesh mesh;
  check_ok(pd_find_builtin(name)->make(value, &mesh));
  return mesh;
}

/* every triangle cut into n^2, vertices moved by a map */
static pd_mesh cut(const pd_mesh *coarse, int n, pd_vec3 (*map)(pd_vec3))
{
  const int per = (n + 1) * (n + 2) / 2;
  pd_vec3 *v = malloc((size_t)(coarse->nt * per) * sizeof *v);
  int(*t)[3] = malloc((size_t)(coarse->nt * n * n) * sizeof *t);
  int nv = 0, nt = 0;
  for (int c = 0; c < coarse->nt; c++) {
    const pd_vec3 a = coarse->v[coarse->t[c][0]];
    const pd_vec3 p = pd_scale(1.0 / n, pd_sub(coarse->v[coarse->t[c][1]], a));
    const pd_vec3 q = pd_scale(1.0 / n, pd_sub(coarse->v[coarse->t[c][2]], a));
    for (int i = 0, row = nv; i <= n; row += n + 1 - i, i++)
      for (int j = 0; j <= n - i; j++) {
        const pd_vec3 x = pd_axpy(pd_axpy(a, i, p), j, q);
        v[nv++] = map ? map(x) : x;
        const int here = row + j, there = row + n + 1 - i + j;
        if (j < n - i) t[nt][0] = here, t[nt][1] = there, t[nt++][2] = here + 1;
        if (j < n - i - 1) t[nt][0] = here + 1, t[nt][1] = there, t[nt++][2] = there + 1;
      }
  }
  pd_mesh mesh;
  pd_mesh_report report;
  pd_fault fault;
  check_ok(pd_mesh_create(nv, v, nt, (const int(*)[3])t, &mesh));
  free(v);
  free(t);
  check_ok(pd_mesh_repair(&mesh, 1e-9, 1, &report, &fault));
  return mesh;
}

static pd_vec3 on_ball(pd_vec3 x) { return pd_unit(x); }

/* a ball with broad waves: hollows and bumps */
static pd_vec3 on_waves(pd_vec3 x)
{
  const pd_vec3 u = pd_unit(x);
  return pd_scale(1.0 + 0.1 * sin(5.0 * u.x) * sin(4.0 * u.y + 1.0), u);
}

static double distance(pd_vec3 p, const pd_mesh *mesh)
{
  double least = DBL_MAX, d2;
  for (int i = 0; i < mesh->nt; i++) {
    const int *t = mesh->t[i];
    pd_point_triangle(p, mesh->v[t[0]], mesh->v[t[1]], mesh->v[t[2]], &d2);
    least = fmin(least, d2);
  }
  return sqrt(least);
}

/* 1 inside, 0 outside: signed areas of the triangles as seen from p, by l'Huilier's formula */
static double winding(const pd_mesh *mesh, pd_vec3 p)
{
  double sum = 0.0;
  for (int i = 0; i < mesh->nt; i++) {
    pd_vec3 u[3];
    for (int k = 0; k < 3; k++) u[k] = pd_unit(pd_sub(mesh->v[mesh->t[i][k]], p));
    double side[3], half = 0.0;
    for (int k = 0; k < 3; k++) {
      side[k] = atan2(pd_norm(pd_cross(u[k], u[(k + 1) % 3])), pd_dot(u[k], u[(k + 1) % 3]));
      half += 0.5 * side[k];
    }
    double product = tan(0.5 * half);
    for (int k = 0; k < 3; k++) product *= tan(0.5 * (half - side[k]));
    const double area = 4.0 * atan(sqrt(fmax(0.0, product)));
    sum += pd_dot(u[0], pd_cross(u[1], u[2])) > 0.0 ? area : -area;
  }
  return sum / (4.0 * PD_PI);
}

/* the farthest of n random points of each triangle */
static double sampled(const pd_mesh *mesh, const pd_mesh *from, int n)
{
  sc_random random = {4711};
  double most = 0.0;
  for (int i = 0; i < mesh->nt; i++)
    for (int k = 0; k < n; k++) {
      const double a = sc_uniform(&random, 0.0, 1.0), b = sc_uniform(&random, 0.0, 1.0);
      const double s = a + b > 1.0 ? 1.0 - a : a, r = a + b > 1.0 ? 1.0 - b : b;
      const int *t = mesh->t[i];
      const pd_vec3 x = mesh->v[t[0]];
      most = fmax(most, distance(pd_axpy(pd_axpy(x, s, pd_sub(mesh->v[t[1]], x)), r,
                                         pd_sub(mesh->v[t[2]], x)),
                                 from));
    }
  return most;
}

/* closed, and around the mesh, no further than it says */
static pd_mesh check_simplified(const pd_mesh *mesh, double tolerance)
{
  pd_mesh simple, copy;
  pd_mesh_report report;
  pd_fault fault;
  int encloses;
  check_ok(pd_mesh_simplify(mesh, 0, tolerance, &simple));
  check_ok(pd_mesh_create(simple.nv, simple.v, simple.nt, (const int(*)[3])simple.t, &copy));
  check_ok(pd_mesh_repair(&copy, 0.0, 1, &report, &fault));
  assert_true(!report.flipped && !report.inverted && !report.crossings.pairs);
  pd_mesh_free(&copy);
  assert_true(sampled(mesh, &simple, 1) <= tolerance && sampled(&simple, mesh, 2) <= tolerance);
  char *crosses = malloc((size_t)simple.nt);
  check_ok(pd_mesh_encloses(&simple, mesh, crosses, &encloses));
  free(crosses);
  assert_true(encloses);
  for (int i = 0; i < mesh->nv; i += 20) assert_true(winding(&simple, mesh->v[i]) > 0.99);
  return simple;
}

/* flat faces lose all but the triangles that they need */
static void cubes(void **state)
{
  (void)state;
  pd_mesh box;
  check_ok(sc_box(1.0, 2.0, 3.0, &box));
  pd_mesh fine = cut(&box, 7, NULL);
  pd_mesh simple = check_simplified(&fine, 1e-3);
  assert_int_equal(simple.nt, 12);
  pd_mesh_free(&simple);
  pd_mesh_free(&fine);
  pd_mesh_free(&box);
}

/* N triangles in a ball of radius R are off by some 4.84 R / N: those of the circles about equal
 * ones */
static void balls(void **state)
{
  (void)state;
  const double edge = 1.0;
  pd_mesh ball = make("icosahedron", &edge), fine = cut(&ball, 16, on_ball);
  for (int k = 1; k <= 4; k *= 2) {
    const double tolerance = 0.005 * k;
    pd_mesh simple = check_simplified(&fine, tolerance);
    assert_in_range(simple.nt, (int)(4.0 / tolerance * 0.8), (int)(4.84 / tolerance * 2.5));
    pd_mesh_free(&simple);
  }
  pd_mesh_free(&fine);
  pd_mesh_free(&ball);
}

static void waves(void **state)
{
  (void)state;
  const double edge = 1.0;
  pd_mesh ball = make("octahedron", &edge), fine = cut(&ball, 24, on_waves);
  pd_mesh simple = check_simplified(&fine, 0.02);
  assert_true(simple.nt < fine.nt / 4);
  pd_mesh_free(&simple);
  pd_mesh_free(&fine);
  pd_mesh_free(&ball);
}

/* One needle on a ball: where it is, and nowhere else, triangles are smaller. */
static void needles(void **state)
{
  (void)state;
  const double edge = 1.0, tolerance = 0.04;
  pd_mesh ball = make("icosahedron", &edge), fine = cut(&ball, 16, on_ball);
  pd_mesh without = check_simplified(&fine, tolerance);
  fine.v[0] = pd_scale(1.5, fine.v[0]);
  pd_mesh with = check_simplified(&fine, tolerance);
  print_message("triangles: %d, with a needle %d\n", without.nt, with.nt);
  assert_true(with.nt <= without.nt + 60);
  pd_mesh_free(&with);
  pd_mesh_free(&without);
  pd_mesh_free(&fine);
  pd_mesh_free(&ball);
}

/* A cylinder as CAD programs write it, of narrow strips and of caps that are fans about one corner,
 * is left with what one of few strips has. */
static void cylinders(void **state)
{
  (void)state;
  const double strips[3] = {360.0, 0.05, 0.1};
  pd_mesh cylinder = make("prism", strips);
  pd_mesh simple = check_simplified(&cylinder, 1e-3);
  print_message("triangles: %d of %d\n", simple.nt, cylinder.nt);
  assert_true(simple.nt <= 120);
  pd_mesh_free(&simple);
  pd_mesh_free(&cylinder);
}

static pd_vec3 on_flake(pd_vec3 x)
{
  const pd_vec3 u = on_waves(x);
  return pd_v(u.x, u.y, 0.05 * u.z);
}

/* A flake loses no fewer triangles where the tolerance is a good part of its thickness of 0.1. */
static void flakes(void **state)
{
  (void)state;
  const double edge = 1.0;
  pd_mesh ball = make("octahedron", &edge), fine = cut(&ball, 16, on_flake);
  int before = fine.nt / 4;
  for (double tolerance = 0.01; tolerance < 0.1; tolerance *= 2.0) {
    pd_mesh simple = check_simplified(&fine, tolerance);
    assert_in_range(simple.nt, 4, before);
    before = simple.nt;
    pd_mesh_free(&simple);
  }
  pd_mesh_free(&fine);
  pd_mesh_free(&ball);
}

/* Hollows stay: what lies between the legs of a tetrapod is further than the tolerance. */
static void hollows(void **state)
{
  (void)state;
  pd_mesh tetrapod;
  check_ok(sc_tetrapod(0.74, 0.25, 0.6, &tetrapod));
  pd_mesh fine = cut(&tetrapod, 6, NULL);
  pd_mesh simple = check_simplified(&fine, 1e-4);
  assert_int_equal(simple.nt, 28);
  pd_mesh_free(&simple);
  pd_mesh_free(&fine);
  pd_mesh_free(&tetrapod);
}

/* nothing can be left out: the same mesh, not offset */
static void kept(void **state)
{
  (void)state;
  pd_mesh box, simple;
  check_ok(sc_box(1.0, 1.0, 1.0, &box));
  check_ok(pd_mesh_simplify(&box, 0, 0.1, &simple));
  assert_int_equal(simple.nt, box.nt);
  assert_memory_equal(simple.t, box.t, (size_t)box.nt * sizeof *box.t);
  pd_mesh_free(&simple);
  check_status(pd_mesh_simplify(&box, 0, 0.0, &simple), PD_ERANGE);
  check_status(pd_mesh_simplify(&box, 0, NAN, &simple), PD_ERANGE);
  pd_mesh_free(&box);
}

/* The farthest vertex or middle of an edge decides. */
static void near_points(void **state)
{
  (void)state;
  const double edge = 1.0;
  pd_mesh ball = make("octahedron", &edge), a = cut(&ball, 9, on_waves), b = cut(&ball, 5, on_ball);
  double most = 0.0;
  int any, n = 0;
  const int points = a.nv + 3 * a.nt / 2;
  for (int i = 0; i < a.nt; i++)
    for (int k = 0; k < 3; k++) {
      const pd_vec3 x = a.v[a.t[i][k]], y = a.v[a.t[i][(k + 1) % 3]];
      most = fmax(most, fmax(distance(x, &b), distance(pd_scale(0.5, pd_add(x, y)), &b)));
    }
  char *far = malloc((size_t)points);
  check_ok(pd_mesh_far_points(&a, &b, most * 1.0001, far, &any));
  assert_false(any);
  check_ok(pd_mesh_far_points(&a, &b, most * 0.9999, far, &any));
  assert_true(any);
  for (int i = 0; i < points; i++) n += far[i];
  assert_in_range(n, 1, 24); /* the symmetric ones */
  free(far);
  pd_mesh_free(&a);
  pd_mesh_free(&b);
  pd_mesh_free(&ball);
}

/* One box in another: around it, across its side, beside it. */
static void enclosures(void **state)
{
  (void)state;
  pd_mesh inner, outer;
  char crosses[12];
  int yes, n = 0;
  check_ok(sc_box(1.0, 1.0, 1.0, &inner));
  check_ok(sc_box(2.0, 2.0, 2.0, &outer));
  check_ok(pd_mesh_encloses(&outer, &inner, crosses, &yes));
  assert_true(yes);
  check_ok(pd_mesh_encloses(&inner, &outer, crosses, &yes));
  assert_false(yes);
  for (int i = 0; i < inner.nv; i++) inner.v[i].x += 1.0;
  check_ok(pd_mesh_encloses(&outer, &inner, crosses, &yes));
  for (int i = 0; i < outer.nt; i++) n += crosses[i];
  assert_true(!yes && n == 2);
  for (int i = 0; i < inner.nv; i++) inner.v[i].x += 1.0;
  check_ok(pd_mesh_encloses(&outer, &inner, crosses, &yes));
  assert_false(yes);
  pd_mesh_free(&inner);
  pd_mesh_free(&outer);
}

static pd_status simplify_and_free(void *mesh)
{
  pd_mesh simple;
  const pd_status status = pd_mesh_simplify(mesh, 0, 0.1, &simple);
  pd_mesh_free(&simple);
  return status;
}

static void memory(void **state)
{
  (void)state;
  const double edge = 1.0;
  pd_mesh ball = make("octahedron", &edge), fine = cut(&ball, 4, on_ball);
  check_each_allocation(simplify_and_free, &fine);
  pd_mesh_free(&fine);
  pd_mesh_free(&ball);
}

static void queue(void **state)
{
  (void)state;
  enum { N = 200 };
  pd_queue q;
  sc_random random = {7};
  double key[N], last = -1.0;
  int in[N], n = 0, before = -1;
  check_ok(pd_queue_begin(N, &q));
  assert_int_equal(pd_queue_take(&q), -1);
  for (int i = 0; i < N; i++) in[i] = 0;
  for (int i = 0; i < 3 * N; i++) {
    const int item = sc_below(&random, N);
    n += !in[item];
    in[item] = 1;
    key[item] = sc_below(&random, 20); /* many are equal */
    pd_queue_put(&q, item, key[item]);
  }
  assert_int_equal(q.n, n);
  for (int item; (item = pd_queue_take(&q)) >= 0; n--) {
    assert_true(in[item] && (key[item] > last || (key[item] == last && item > before)));
    in[item] = 0;
    last = key[item];
    before = item;
  }
  assert_int_equal(n, 0);
  pd_queue_free(&q);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cubes),   cmocka_unit_test(balls),      cmocka_unit_test(waves),
      cmocka_unit_test(needles), cmocka_unit_test(flakes),     cmocka_unit_test(cylinders),
      cmocka_unit_test(hollows), cmocka_unit_test(kept),       cmocka_unit_test(near_points),
      cmocka_unit_test(memory),  cmocka_unit_test(enclosures), cmocka_unit_test(queue)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
