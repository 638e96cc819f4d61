/* SPDX-License-Identifier: MIT
 * Overlaps that contact points do not show: found if they are deeper than the contacts reach, and
 * none where a shorter way parts the two. */
#include "contact_dynamics/unseen.h"
#include "poses.h"

static pd_pair_work *work;
static pd_cd_point_list list;

static int setup(void **state)
{
  (void)state;
  check_ok(pd_pair_work_create(&work));
  return 0;
}

static int teardown(void **state)
{
  (void)state;
  pd_cd_points_free(&list);
  pd_pair_work_free(work);
  return 0;
}

static double unseen(const body *a, const body *b, double reach)
{
  const pd_pair_geometry at = body_pair(a, b);
  double depth;
  check_ok(pd_cd_unseen_depth(&at, reach, work, &list, &depth));
  return depth;
}

/* One cube in another, aligned and shifted: as deep as it is, from the reach on. */
static void test_cubes(void **state)
{
  (void)state;
  const double reach = 0.05, depth[] = {0.0, 1e-12, 0.01, 0.049, 0.051, 0.2, 0.45};
  const double shift[][2] = {{0.0, 0.0}, {0.1, 0.2}, {0.3, 0.0}};
  body cube, other;
  body_box(&cube, 1.0, 1.0, 1.0);
  body_box(&other, 1.0, 1.0, 1.0);
  body_put_mesh(&other, pd_v(0.0, 0.0, 0.0), pd_m_identity());
  for (int s = 0; s < 3; s++)
    for (int d = 0; d < 7; d++) {
      const double x = shift[s][0], y = shift[s][1];
      body_put_mesh(&cube, pd_v(x, y, 1.0 - depth[d]), pd_m_identity());
      check_near(unseen(&cube, &other, reach), depth[d] > reach ? depth[d] : 0.0, 1e-12);
    }
  body_put(&cube, other.x, pd_m_identity());
  assert_true(unseen(&cube, &other, reach) > 0.4);
  body_free(&cube);
  body_free(&other);
}

/* A cube in a square, from either side, and at its border, where a short way sideways parts them.
 */
static void test_surface(void **state)
{
  (void)state;
  const double reach = 0.05, depth[] = {-0.01, 0.0, 0.049, 0.051, 0.3};
  body cube, square;
  pd_mesh mesh;
  body_box(&cube, 1.0, 1.0, 1.0);
  body_make(&square, sc_open_quad(3.0, &mesh), &mesh, 0);
  body_put_mesh(&square, pd_v(0.0, 0.0, 0.0), pd_m_identity());
  const double border = square.shape.box.hi.x;
  for (int sign = -1; sign < 2; sign += 2)
    for (int d = 0; d < 5; d++) {
      body_put_mesh(&cube, pd_v(0.1, 0.2, sign * (0.5 - depth[d])), pd_m_identity());
      check_near(unseen(&cube, &square, reach), depth[d] > reach ? depth[d] : 0.0, 1e-12);
      body_put_mesh(&cube, pd_v(border + 0.5 - depth[d], 0.2, 0.1 * sign), pd_m_identity());
      check_near(unseen(&cube, &square, reach), depth[d] > reach ? depth[d] : 0.0, 1e-12);
    }
  body_free(&cube);
  body_free(&square);
}

/* Bodies in poses of every kind, moved into each other by less than the reach, and by more. */
static void pairs(body *a, body *b, sc_random *random, int count[2])
{
  const double reach = 2e-3;
  for (int i = 0; i < 1000; i++) {
    if (!pose_make(a, b, (pose_kind)(i % POSE_KINDS), reach, 1e-4, random)) continue;
    const pd_vec3 x = a->x;
    a->x.z = x.z - sc_uniform(random, 0.0, 0.99) * reach;
    assert_true(unseen(a, b, reach) == 0.0);
    a->x.z = x.z - 10.0 * reach;
    const double depth = unseen(a, b, reach);
    assert_true(depth == 0.0 || depth > reach);
    count[depth > reach]++;
  }
}

static void test_random(void **state)
{
  (void)state;
  body pod[2], box;
  sc_random random = {29};
  int count[2] = {0, 0};
  body_box(&box, 0.1, 0.12, 0.08);
  body_tetrapod(&pod[0]);
  body_tetrapod(&pod[1]);
  pairs(&pod[0], &box, &random, count);
  pairs(&pod[0], &pod[1], &random, count);
  print_message("unseen: %d, others %d\n", count[1], count[0]);
  assert_true(count[1] > count[0]);
  body_free(&box);
  body_free(&pod[0]);
  body_free(&pod[1]);
}

static double separation(const body *a, const body *b, pd_vec3 n)
{
  double lo = DBL_MAX, hi = -DBL_MAX;
  for (int i = 0; i < a->shape.nv; i++) lo = fmin(lo, pd_dot(n, pd_add(a->x, a->s[i])));
  for (int i = 0; i < b->shape.nv; i++) hi = fmax(hi, pd_dot(n, pd_add(b->x, b->s[i])));
  return lo - hi;
}

/* The shortest way that parts two boxes is along an axis of one, or across one of each. */
static double depth_of_boxes(const body *a, const body *b)
{
  pd_vec3 axis[15];
  double depth = DBL_MAX;
  const pd_mat3 ta = pd_m_transpose(a->pose.rot), tb = pd_m_transpose(b->pose.rot);
  for (int i = 0; i < 3; i++) {
    axis[i] = pd_v(ta.m[i][0], ta.m[i][1], ta.m[i][2]);
    axis[3 + i] = pd_v(tb.m[i][0], tb.m[i][1], tb.m[i][2]);
  }
  for (int i = 0; i < 9; i++) axis[6 + i] = pd_unit(pd_cross(axis[i / 3], axis[3 + i % 3]));
  for (int i = 0; i < 15; i++)
    for (int sign = -1; sign < 2; sign += 2)
      depth = fmin(depth, -separation(a, b, pd_scale(sign, axis[i])));
  return depth;
}

/* Boxes: none that overlap by less than the reach, and all deeper ones, but for some within half of
 * it: features may lean a little and still be points. */
static void test_boxes(void **state)
{
  (void)state;
  body a, b;
  sc_random random = {31};
  const double reach = 0.05;
  int count[2] = {0, 0};
  body_box(&a, 1.0, 0.8, 1.2);
  body_box(&b, 0.9, 1.0, 1.1);
  for (int i = 0; i < 2000; i++) {
    if (!pose_make(&a, &b, POSE_RANDOM, reach, 1e-6, &random)) continue;
    a.x.z -= sc_uniform(&random, 0.0, 4.0) * reach;
    const double depth = depth_of_boxes(&a, &b);
    if (depth < reach) assert_true(unseen(&a, &b, reach) == 0.0);
    if (depth > 1.5 * reach) assert_true(unseen(&a, &b, reach) > reach);
    count[depth > 1.5 * reach]++;
  }
  print_message("boxes: deeper %d, others %d\n", count[1], count[0]);
  assert_true(count[0] > 500 && count[1] > 500);
  body_free(&a);
  body_free(&b);
}

static pd_status allocate(void *argument)
{
  const body *cube = argument;
  pd_pair_work *w = NULL;
  pd_cd_point_list points = {0};
  double depth;
  pd_status status = pd_pair_work_create(&w);
  const pd_pair_geometry at = body_pair(&cube[0], &cube[1]);
  if (!status) status = pd_cd_unseen_depth(&at, 0.05, w, &points, &depth);
  pd_cd_points_free(&points);
  pd_pair_work_free(w);
  return status;
}

static void test_memory(void **state)
{
  (void)state;
  body cube[2];
  for (int k = 0; k < 2; k++) {
    body_box(&cube[k], 1.0, 1.0, 1.0);
    body_put_mesh(&cube[k], pd_v(0.0, 0.0, 0.94 * k), pd_m_identity());
  }
  check_each_allocation(allocate, cube);
  for (int k = 0; k < 2; k++) body_free(&cube[k]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cubes), cmocka_unit_test(test_surface), cmocka_unit_test(test_random),
      cmocka_unit_test(test_boxes), cmocka_unit_test(test_memory),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
