/* SPDX-License-Identifier: MIT
 * Contact points of polyhedra for rigid dynamics: where they lie, that their normals part the
 * bodies, how their gaps change. */
#include "bodies.h"
#include "contact_dynamics/manifold.h"

static pd_pair_work *work;
static pd_cd_point_list list;
static body cube, other;
static const double REACH = 0.05;

static int setup(void **state)
{
  (void)state;
  pd_mesh mesh;
  check_ok(pd_pair_work_create(&work));
  body_make(&cube, sc_box(1.0, 1.0, 1.0, &mesh), &mesh, 1);
  body_make(&other, sc_box(1.0, 1.0, 1.0, &mesh), &mesh, 1);
  return 0;
}

static int teardown(void **state)
{
  (void)state;
  body_free(&cube);
  body_free(&other);
  pd_cd_points_free(&list);
  pd_pair_work_free(work);
  return 0;
}

static pd_pair_geometry placed(const body *a, const body *b)
{
  const pd_pair_geometry at = {&a->pose, &b->pose, pd_sub(b->x, a->x), pd_v(0, 0, 0), NULL, NULL};
  return at;
}

/* points of two bodies where they start, not pruned */
static void find_all(const body *a, const body *b)
{
  const pd_pair_geometry at = placed(a, b);
  list.n = 0;
  check_ok(pd_cd_manifold(&at, &at, REACH, work, &list));
}

/* points of the cube on the other one, pruned */
static void find(void)
{
  const pd_vec3 r = pd_sub(other.x, cube.x);
  find_all(&cube, &other);
  pd_cd_manifold_prune(&cube.pose, &other.pose, r, REACH, &list, 0);
}

/* Two cubes, one on the other and shifted: four points in the corners of their common square, all
 * with the normal of the faces, whatever the gap; nothing pushes sideways. */
static void test_stacked(void **state)
{
  (void)state;
  const double gap[] = {-0.001, -1e-9, 0.0, 1e-12, 0.003, 0.04};
  const double shift[][2] = {{0, 0},     {1e-12, -1e-12}, {0.3, 0},
                             {0.3, 0.2}, {-0.97, 0.1},    {0.9, -0.98}};
  for (int g = 0; g < 6; g++)
    for (int s = 0; s < 6; s++) {
      const double dx = shift[s][0], dy = shift[s][1];
      body_put_mesh(&other, pd_v(0, 0, 0), pd_m_identity());
      body_put_mesh(&cube, pd_v(dx, dy, 1.0 + gap[g]), pd_m_identity());
      find();
      assert_int_equal(list.n, 4);
      double sum[2] = {0.0, 0.0};
      for (int i = 0; i < list.n; i++) {
        const pd_cd_point *p = &list.p[i];
        check_near(p->gap, gap[g], 1e-15);
        check_near(p->n.z, 1.0, 1e-15);
        check_near(p->ra.z, -0.5 - 0.5 * gap[g], 1e-14);
        check_near(pd_norm(pd_sub(pd_add(cube.x, p->ra), pd_add(other.x, p->rb))), 0.0, 1e-14);
        check_near(fabs(p->ra.x + 0.5 * dx), 0.5 - 0.5 * fabs(dx), 1e-9);
        check_near(fabs(p->ra.y + 0.5 * dy), 0.5 - 0.5 * fabs(dy), 1e-9);
        sum[0] += p->ra.x + 0.5 * dx;
        sum[1] += p->ra.y + 0.5 * dy;
      }
      check_near(fabs(sum[0]) + fabs(sum[1]), 0.0, 1e-9);
    }
}

/* A cube beside another, in the plane of whose upper face it slides towards it: its corners do not
 * run against the side, only if they are lower by more than a hundredth of the reach; and once they
 * have passed the edge they are over the face alone. */
static void test_seam(void **state)
{
  (void)state;
  const double below[] = {0.0, 1e-10, 1e-4, 1e-3}, ahead[] = {-0.04, -0.003, 0.003, 0.04};
  body_put_mesh(&other, pd_v(0, 0, 0), pd_m_identity());
  for (int turned = 0; turned < 2; turned++)
    for (int k = 0; k < 4; k++)
      for (int i = 0; i < 4; i++) {
        const double half = turned ? sqrt(0.5) : 0.5;
        body_put_mesh(&cube, pd_v(-0.5 - half + ahead[i], 0.1, 1.0 - below[k]),
                      body_turn(pd_v(0, 0, 1), turned * PD_PI / 4));
        find();
        const int runs = below[k] > 0.01 * REACH;
        for (int j = 0; j < list.n && !runs; j++) check_near(list.p[j].n.z, 1.0, 1e-12);
        if (ahead[i] < 0.0 && runs) assert_true(list.n > 0 && list.p[0].n.x < -0.5);
        if (ahead[i] < 0.0 && !runs) assert_int_equal(list.n, 0);
        if (ahead[i] > 0.0) assert_true(list.n > 2);
      }
}

static double uniform(void) { return (double)rand() / RAND_MAX; }

static pd_mat3 random_turn(void)
{
  return body_turn(pd_v(uniform() - 0.5, uniform() - 0.5, uniform() - 0.5), 6.3 * uniform());
}

static double separation(const body *a, const body *b, pd_vec3 n)
{
  double lo = DBL_MAX, hi = -DBL_MAX;
  for (int i = 0; i < a->shape.nv; i++) lo = fmin(lo, pd_dot(n, pd_add(a->x, a->s[i])));
  for (int i = 0; i < b->shape.nv; i++) hi = fmax(hi, pd_dot(n, pd_add(b->x, b->s[i])));
  return lo - hi;
}

/* Cubes in random poses that all but touch: some point has the direction that parts them. */
static void test_random_touch(void **state)
{
  (void)state;
  const double d = 1e-5;
  int contacts = 0;
  srand(1);
  for (int k = 0; k < 1000; k++) {
    const pd_vec3 to = pd_unit(pd_v(uniform() - 0.5, uniform() - 0.5, uniform() - 0.5));
    body_put(&other, pd_v(0, 0, 0), random_turn());
    body_put(&cube, pd_scale(2.5, to), random_turn());
    if (!body_approach(&cube, &other, pd_neg(to), d)) continue;
    find();
    double best = -DBL_MAX, gap = DBL_MAX;
    for (int i = 0; i < list.n; i++) {
      const double s = separation(&cube, &other, list.p[i].n);
      if (s > best + 1e-12) best = s, gap = DBL_MAX;
      if (s > best - 1e-12) gap = fmin(gap, list.p[i].gap);
    }
    check_near(best, d, 0.5 * d);
    check_near(gap, d, 0.5 * d);
    contacts++;
  }
  assert_true(contacts > 900);
}

/* With the features held, a gap changes as the rate n.(v_a - v_b) of its point says: what is left
 * after a small motion is of second order. */
static void test_motion(void **state)
{
  (void)state;
  int kinds[3] = {0, 0, 0};
  srand(2);
  for (int k = 0; k < 200; k++) {
    const pd_vec3 to = pd_unit(pd_v(uniform() - 0.5, uniform() - 0.5, uniform() - 0.5));
    const pd_mat3 ra = random_turn(), rb = random_turn();
    body_put(&other, pd_v(0, 0, 0), rb);
    body_put(&cube, pd_scale(2.5, to), ra);
    if (!body_approach(&cube, &other, pd_neg(to), 0.01)) continue;
    find();
    const double h = 1e-6;
    const pd_vec3 v = pd_v(uniform(), uniform(), uniform()), x = cube.x;
    const pd_vec3 wa = pd_v(uniform(), -uniform(), uniform()), wb = pd_v(-uniform(), uniform(), 1);
    const int n = list.n;
    pd_cd_point before[64];
    assert_true(n <= 64);
    for (int i = 0; i < n; i++) before[i] = list.p[i];
    body_put(&cube, pd_axpy(x, h, v), pd_m_mul(body_turn(wa, h * pd_norm(wa)), ra));
    body_put(&other, pd_v(0, 0, 0), pd_m_mul(body_turn(wb, h * pd_norm(wb)), rb));
    for (int i = 0; i < n; i++) {
      pd_cd_point p = before[i];
      pd_cd_manifold_move(&cube.pose, &other.pose, pd_neg(cube.x), &p);
      const pd_vec3 va = pd_add(v, pd_cross(wa, before[i].ra)), vb = pd_cross(wb, before[i].rb);
      const double rate = pd_dot(before[i].n, pd_sub(va, vb));
      check_near(p.gap - before[i].gap, h * rate, 50.0 * h * h);
      kinds[p.sample[0] < 0 ? 0 : p.sample[1] < 0 ? 1 : 2]++;
    }
  }
  assert_true(kinds[0] > 20 && kinds[1] > 20 && kinds[2] > 20);
}

/* A stone of many small faces, whose edges turn little, in the corner of an open surface, which
 * stands out on its other side: it is parted from the surface to the side that it is on. */
static void test_stone_in_a_corner(void **state)
{
  (void)state;
  const double value[] = {0.4, 0.4, 0.4, 60, 1}, d = 1e-4;
  body stone, corner;
  pd_mesh mesh;
  body_make(&stone, pd_find_builtin("rock")->make(value, &mesh), &mesh, 1);
  body_make(&corner, sc_wedge(PD_PI - 0.13, 1.0, &mesh), &mesh, 0);
  body_put(&corner, pd_v(0, 0, 0), pd_m_identity());
  srand(3);
  for (int k = 0; k < 200; k++) {
    body_put(&stone, pd_v(0.1 * uniform() - 0.05, 0.2 * uniform(), 0.6), random_turn());
    assert_true(body_approach(&stone, &corner, pd_v(0, 0, -1), d));
    find_all(&stone, &corner);
    double least = DBL_MAX;
    for (int i = 0; i < list.n; i++) {
      assert_true(list.p[i].n.z > 0.9);
      least = fmin(least, list.p[i].gap);
    }
    check_near(least, d, 1e-2 * d);
  }
  body_free(&stone);
  body_free(&corner);
}

static double deepest(double sign)
{
  double least = DBL_MAX;
  for (int i = 0; i < list.n; i++) {
    check_near(list.p[i].n.z, sign, 1e-12);
    least = fmin(least, list.p[i].gap);
  }
  return least;
}

/* A cube before, behind or across a square surface: it is parted from it to the side where it
 * starts, whatever it overlaps then or at the end, and the points are found again there. */
static void test_sides(void **state)
{
  (void)state;
  const double gap[] = {0.03, 1e-6, 0.0, -1e-9, -0.04}, end[] = {0.04, 0.0, -0.04};
  body square;
  pd_mesh mesh;
  body_make(&square, sc_open_quad(3.0, &mesh), &mesh, 0);
  body_put_mesh(&square, pd_v(0, 0, 0), pd_m_identity());
  for (int sign = -1; sign < 2; sign += 2)
    for (int g = 0; g < 5; g++)
      for (int e = 0; e < 3; e++) {
        body_put_mesh(&cube, pd_v(0.1, 0.2, sign * (0.5 + gap[g])), pd_m_identity());
        pd_pose before = cube.pose;
        const pd_vec3 r = pd_sub(square.x, cube.x);
        body_put_mesh(&cube, pd_v(0.1, 0.2, sign * (0.5 + end[e])), pd_m_identity());
        const pd_pair_geometry at = placed(&cube, &square);
        const pd_pair_geometry start = {&before, &square.pose, r, pd_v(0, 0, 0), NULL, NULL};
        list.n = 0;
        check_ok(pd_cd_manifold(&at, &start, REACH, work, &list));
        assert_int_equal(list.n, 4);
        check_near(deepest(sign), end[e], 1e-12);
        for (int i = 0; i < 4; i++) pd_cd_manifold_move(&before, &square.pose, r, &list.p[i]);
        check_near(deepest(sign), gap[g], 1e-12);
      }
  body_free(&square);
}

/* A plane: all lower vertices, and the deeper the lower. */
static void test_plane(void **state)
{
  (void)state;
  const pd_vec3 n = pd_v(0, 0, 1);
  body_put_mesh(&cube, pd_v(0, 0, 0.48), pd_m_identity());
  list.n = 0;
  check_ok(pd_cd_manifold_plane(&cube.pose, 0.48, n, REACH, &list));
  assert_int_equal(list.n, 4);
  for (int i = 0; i < 4; i++) check_near(list.p[i].gap, -0.02, 1e-15);
  pd_cd_manifold_plane_move(&cube.pose, 0.53, n, &list.p[0]);
  check_near(list.p[0].gap, 0.03, 1e-15);
  list.n = 0;
  check_ok(pd_cd_manifold_plane(&cube.pose, 0.56, n, REACH, &list));
  assert_int_equal(list.n, 0);
}

/* ---- bodies that are apart ---- */

/* rough ground of triangles, an open surface */
static void make_ground(body *b)
{
  enum { N = 14 };
  static pd_vec3 x[N * N];
  static int t[2 * (N - 1) * (N - 1)][3];
  pd_mesh mesh;
  int n = 0;
  for (int i = 0; i < N * N; i++)
    x[i] = pd_v(0.02 * (i / N - N / 2), 0.02 * (i % N - N / 2), 0.012 * uniform());
  for (int i = 0; i + 1 < N; i++)
    for (int j = 0; j + 1 < N; j++)
      for (int half = 0; half < 2; half++, n++) {
        const int v = i * N + j, far = v + N + 1;
        t[n][0] = v;
        t[n][1] = half ? far : v + N;
        t[n][2] = half ? v + 1 : far;
      }
  body_make(b, pd_mesh_create(N * N, x, n, (const int(*)[3])t, &mesh), &mesh, 0);
}

/* Deepest overlap that the points of bodies at a distance show, over the reach; *n: how many places
 * there were. */
static double deepest_of_clear(body *a, body *b, int *n)
{
  const double reach = 0.02 * a->shape.radius;
  double deepest = 0.0;
  *n = 0;
  for (int k = 0; k < 3000; k++) {
    const pd_vec3 any = pd_unit(pd_v(uniform() - 0.5, uniform() - 0.5, uniform() - 0.5));
    const pd_vec3 to = b->shape.closed ? any : pd_v(0, 0, 1);
    const pd_vec3 from = b->shape.closed
                             ? pd_v(0, 0, 0)
                             : pd_v(0.04 * (uniform() - 0.5), 0.04 * (uniform() - 0.5), 0);
    body_put(b, pd_v(0, 0, 0), pd_m_identity());
    body_put(a, pd_axpy(from, 2.5 * a->shape.radius, to), random_turn());
    if (!body_approach(a, b, pd_neg(to), 0.3 * reach * uniform())) continue;
    const pd_pair_geometry at = placed(a, b);
    list.n = 0;
    check_ok(pd_cd_manifold(&at, &at, reach, work, &list));
    pd_cd_manifold_prune(&a->pose, &b->pose, pd_sub(b->x, a->x), reach, &list, 0);
    for (int i = 0; i < list.n; i++) deepest = fmin(deepest, list.p[i].gap);
    ++*n;
  }
  return -deepest / reach;
}

/* Points that overlap where bodies do not would press them apart: crossings beyond the end of an
 * edge count only in a valley, not over the flat diagonal of a leg or beside a peak. */
static void test_clear_bodies_do_not_overlap(void **state)
{
  (void)state;
  body ground, brick, pod, other_pod;
  pd_mesh mesh;
  int n[2];
  srand(2);
  make_ground(&ground);
  body_make(&brick, sc_box(0.1, 0.08, 0.06, &mesh), &mesh, 1);
  body_make(&pod, sc_tetrapod(0.1, 0.05, 0.6, &mesh), &mesh, 1);
  body_make(&other_pod, sc_tetrapod(0.1, 0.05, 0.6, &mesh), &mesh, 1);
  const double deep[2] = {deepest_of_clear(&brick, &ground, &n[0]),
                          deepest_of_clear(&pod, &other_pod, &n[1])};
  print_message("clear: brick over ground %d, %.1e; tetrapods %d, %.1e of the reach\n", n[0],
                deep[0], n[1], deep[1]);
  assert_true(n[0] > 2000 && n[1] > 2000);
  assert_true(fmax(deep[0], deep[1]) < 1e-4);
  body_free(&ground);
  body_free(&brick);
  body_free(&pod);
  body_free(&other_pod);
}

static pd_status allocate(void *unused)
{
  (void)unused;
  pd_pair_work *w;
  pd_cd_point_list points = {0, 0, NULL};
  pd_status status = pd_pair_work_create(&w);
  if (status) return status;
  const pd_pair_geometry at = placed(&cube, &other);
  status = pd_cd_manifold(&at, &at, REACH, w, &points);
  if (!status) status = pd_cd_manifold_plane(&cube.pose, 0.5, pd_v(0, 0, 1), REACH, &points);
  pd_cd_points_free(&points);
  pd_pair_work_free(w);
  return status;
}

static void test_memory(void **state)
{
  (void)state;
  body_put_mesh(&other, pd_v(0, 0, 0), pd_m_identity());
  body_put_mesh(&cube, pd_v(0.1, 0.2, 1.0), pd_m_identity());
  check_each_allocation(allocate, NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_stacked),
      cmocka_unit_test(test_seam),
      cmocka_unit_test(test_random_touch),
      cmocka_unit_test(test_motion),
      cmocka_unit_test(test_stone_in_a_corner),
      cmocka_unit_test(test_sides),
      cmocka_unit_test(test_clear_bodies_do_not_overlap),
      cmocka_unit_test(test_plane),
      cmocka_unit_test(test_memory),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
