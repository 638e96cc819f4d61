/* SPDX-License-Identifier: MIT
 * The tree against brute force, and its invariants. */
#include <string.h>

#include "geometry/bvh_pair.h"
#include "check.h"
#include "shapes.h"

#define MANY 1000

/* Box with its lower corner in the unit cube and edges up to size. */
static pd_box random_box(sc_random *random, double size)
{
  pd_box b;
  b.lo = pd_v(sc_uniform(random, 0, 1), sc_uniform(random, 0, 1), sc_uniform(random, 0, 1));
  b.hi = pd_add(b.lo, pd_v(sc_uniform(random, 0, size), sc_uniform(random, 0, size),
                           sc_uniform(random, 0, size)));
  return b;
}

static int contains(pd_box a, pd_box b)
{
  const pd_box both = pd_box_join(a, b);
  return memcmp(&both, &a, sizeof a) == 0;
}

/* Checks node i and what is below it, marks its items and returns the number of nodes. */
static int check_node(const pd_bvh *tree, const pd_box *box, int i, int *seen)
{
  const pd_bvh_node *node = tree->node + i;
  assert_in_range(node->count, 0, 4);
  for (int k = 0; k < node->count; k++) {
    const int item = tree->item[node->first + k];
    assert_true(contains(node->box, box[item]));
    seen[item]++;
  }
  if (node->count) return 1;
  assert_true(contains(node->box, tree->node[i + 1].box));
  assert_true(contains(node->box, tree->node[node->first].box));
  const int left = check_node(tree, box, i + 1, seen);
  assert_int_equal(node->first, i + 1 + left);
  return 1 + left + check_node(tree, box, node->first, seen);
}

static void check_tree(int n, const pd_box *box, const pd_bvh *tree)
{
  int seen[MANY] = {0};
  assert_int_equal(tree->nitems, n);
  assert_int_equal(check_node(tree, box, 0, seen), tree->nnodes);
  for (int i = 0; i < n; i++) assert_int_equal(seen[i], 1);
}

static void test_invariants(void **state)
{
  (void)state;
  sc_random random = {1};
  pd_box box[MANY];
  for (int n = 1; n <= MANY; n = n < 70 ? n + 1 : 2 * n + 3) {
    pd_bvh tree;
    for (int i = 0; i < n; i++) box[i] = random_box(&random, 0.1);
    check_ok(pd_bvh_build(n, box, &tree));
    check_tree(n, box, &tree);
    pd_bvh_free(&tree);
  }
}

/* equal boxes and boxes in a row: every comparison of centres is a tie, or sorted already */
static void test_ties(void **state)
{
  (void)state;
  pd_box box[MANY];
  for (int kind = 0; kind < 3; kind++) {
    pd_bvh tree;
    for (int i = 0; i < MANY; i++) {
      const double x = kind == 0 ? 0.0 : kind == 1 ? i : MANY - i;
      box[i].lo = box[i].hi = pd_v(0.0, x, 0.0);
    }
    check_ok(pd_bvh_build(MANY, box, &tree));
    check_tree(MANY, box, &tree);
    pd_bvh_free(&tree);
  }
}

/* Compares one query with brute force; returns the number of true overlaps, adds up what is
 * reported. */
static int check_query(int n, const pd_box *box, const pd_bvh *tree, pd_box query, long *reported)
{
  int out[MANY], hits = 0;
  char found[MANY] = {0};
  const int m = pd_bvh_query(tree, query, out);
  assert_in_range(m, 0, n);
  for (int k = 0; k < m; k++) {
    assert_false(found[out[k]]);
    found[out[k]] = 1;
  }
  for (int i = 0; i < n; i++) {
    if (!pd_box_overlap(box[i], query)) continue;
    hits++;
    assert_true(found[i]);
  }
  *reported += m;
  return hits;
}

static void test_query_against_brute_force(void **state)
{
  (void)state;
  sc_random random = {2};
  pd_box box[MANY];
  long hits = 0, reported = 0, empty = 0, queries = 0, pairs = 0;
  for (int round = 0; round < 20; round++) {
    const int n = 1 + sc_below(&random, 400);
    pd_bvh tree;
    for (int i = 0; i < n; i++) box[i] = random_box(&random, 0.1);
    check_ok(pd_bvh_build(n, box, &tree));
    for (int k = 0; k < 500; k++, queries++) {
      const int found = check_query(n, box, &tree, random_box(&random, 0.1), &reported);
      hits += found;
      empty += found == 0;
      pairs += n;
    }
    pd_bvh_free(&tree);
  }
  assert_int_equal(queries, 10000);
  assert_true(empty > 1000 && queries - empty > 1000);
  /* leaves are reported whole, but a tree that reports more than a twentieth is no tree */
  assert_true(hits > 1000 && reported < pairs / 20);
}

static void test_touching_boxes_overlap(void **state)
{
  (void)state;
  const pd_box box = {{0, 0, 0}, {1, 1, 1}}, touching = {{1, 1, 1}, {2, 2, 2}};
  const pd_box apart = {{1.0 + 1e-15, 0, 0}, {2, 1, 1}};
  long reported = 0;
  pd_bvh tree;
  check_ok(pd_bvh_build(1, &box, &tree));
  assert_int_equal(check_query(1, &box, &tree, touching, &reported), 1);
  assert_int_equal(check_query(1, &box, &tree, apart, &reported), 0);
  assert_int_equal(check_query(1, &box, &tree, pd_box_inflate(apart, 1e-14), &reported), 1);
  pd_bvh_free(&tree);
}

static void test_empty_tree(void **state)
{
  (void)state;
  const pd_box all = {{-1e300, -1e300, -1e300}, {1e300, 1e300, 1e300}};
  pd_bvh tree;
  int out;
  check_ok(pd_bvh_build(0, NULL, &tree));
  assert_int_equal(pd_bvh_query(&tree, all, &out), 0);
  pd_bvh_free(&tree);
  pd_bvh_free(&tree);
}

static void test_same_tree_twice(void **state)
{
  (void)state;
  sc_random random = {3};
  pd_box box[MANY];
  pd_bvh a, b;
  for (int i = 0; i < MANY; i++) box[i] = random_box(&random, 0.1);
  check_ok(pd_bvh_build(MANY, box, &a));
  check_ok(pd_bvh_build(MANY, box, &b));
  assert_int_equal(a.nnodes, b.nnodes);
  assert_memory_equal(a.item, b.item, MANY * sizeof *a.item);
  pd_bvh_free(&a);
  pd_bvh_free(&b);
}

static pd_status build_and_free(void *argument)
{
  pd_bvh tree;
  const pd_status status = pd_bvh_build(100, argument, &tree);
  pd_bvh_free(&tree);
  return status;
}

static void test_out_of_memory(void **state)
{
  (void)state;
  sc_random random = {4};
  pd_box box[100];
  for (int i = 0; i < 100; i++) box[i] = random_box(&random, 0.1);
  check_each_allocation(build_and_free, box);
}

/* ---- boxes that lie on the triangles ---- */

enum { SQUARES = 24 };

/* a wavy sheet on a slope of n x n squares */
static void make_sheet(int n, pd_vec3 *v, int (*t)[3])
{
  for (int i = 0; i < (n + 1) * (n + 1); i++) {
    const double x = (double)(i % (n + 1)) / n, y = i / (n + 1) / (double)n;
    v[i] = pd_v(x, y, 0.9 * x + 0.7 * y + 0.02 * sin(6.0 * x) * cos(5.0 * y));
  }
  for (int i = 0; i < 2 * n * n; i++) {
    const int square = i / 2, k = square / n * (n + 1) + square % n;
    const int corner[2][3] = {{k, k + 1, k + n + 2}, {k, k + n + 2, k + n + 1}};
    memcpy(t[i], corner[i % 2], sizeof t[i]);
  }
}

/* all corners below node i are in the box of node `of` */
static void check_fit(const pd_bvh *tree, int of, int i, const pd_vec3 *v, const int (*t)[3])
{
  const pd_oriented_box *o = &tree->fit[of];
  const pd_bvh_node *node = &tree->node[i];
  for (int k = 0; k < 3 * node->count; k++) {
    const pd_vec3 x = v[t[tree->item[node->first + k / 3]][k % 3]];
    const pd_vec3 at = pd_mv(o->axes, pd_sub(x, o->centre));
    assert_true(fabs(at.x) <= o->half.x + 1e-14 && fabs(at.y) <= o->half.y + 1e-14 &&
                fabs(at.z) <= o->half.z + 1e-14);
  }
  if (node->count) return;
  check_fit(tree, of, i + 1, v, t);
  check_fit(tree, of, node->first, v, t);
}

/* what is in a node is in its turned box, and leaves on a slope have thin ones */
static void test_fit(void **state)
{
  (void)state;
  static pd_vec3 v[(SQUARES + 1) * (SQUARES + 1)];
  static int t[2 * SQUARES * SQUARES][3];
  static pd_box box[2 * SQUARES * SQUARES];
  pd_bvh tree;
  double thick = 0.0;
  make_sheet(SQUARES, v, t);
  for (int i = 0; i < 2 * SQUARES * SQUARES; i++) {
    box[i].lo = pd_min(v[t[i][0]], pd_min(v[t[i][1]], v[t[i][2]]));
    box[i].hi = pd_max(v[t[i][0]], pd_max(v[t[i][1]], v[t[i][2]]));
  }
  check_ok(pd_bvh_build(2 * SQUARES * SQUARES, box, &tree));
  pd_bvh_fit(&tree, v, (const int(*)[3])t);
  for (int i = 0; i < tree.nnodes; i++) {
    check_fit(&tree, i, i, v, (const int(*)[3])t);
    if (tree.node[i].count) thick = fmax(thick, tree.fit[i].half.z);
  }
  print_message("thickest leaf = %.1e of %.1e\n", 2.0 * thick, 1.0 / SQUARES);
  assert_true(thick < 0.05 / SQUARES);
  pd_bvh_free(&tree);
}

/* ---- two trees ---- */

/* a lower bound of the distance of two boxes, one of them turned: seen along the axes of either */
static double box_gap(pd_box a, pd_box b, pd_vec3 r, pd_mat3 rot)
{
  const pd_bvh_placement p = pd_bvh_place(r, rot);
  const pd_oriented_box s = {pd_scale(0.5, pd_add(a.lo, a.hi)), pd_scale(0.5, pd_sub(a.hi, a.lo)),
                             pd_m_identity()};
  const pd_oriented_box t = {pd_scale(0.5, pd_add(b.lo, b.hi)), pd_scale(0.5, pd_sub(b.hi, b.lo)),
                             pd_m_identity()};
  return sqrt(pd_fit_gap2(&p, &s, &t));
}

/* corners of boxes are never nearer than the bound says, and boxes that touch have none */
static void test_gap_of_boxes(void **state)
{
  (void)state;
  sc_random random = {3};
  double tightest = 0.0;
  for (int n = 0; n < 2000; n++) {
    const pd_box a = random_box(&random, 0.5), b = random_box(&random, 0.5);
    const pd_mat3 rot = pd_q_matrix(sc_rotation(&random));
    const pd_vec3 r = pd_v(sc_uniform(&random, -2, 2), sc_uniform(&random, -2, 2), 1.0);
    const double bound = box_gap(a, b, r, rot);
    double least = DBL_MAX;
    for (int k = 0; k < 200; k++) {
      const pd_vec3 x =
          pd_v(sc_uniform(&random, a.lo.x, a.hi.x), sc_uniform(&random, a.lo.y, a.hi.y),
               sc_uniform(&random, a.lo.z, a.hi.z));
      const pd_vec3 y =
          pd_v(sc_uniform(&random, b.lo.x, b.hi.x), sc_uniform(&random, b.lo.y, b.hi.y),
               sc_uniform(&random, b.lo.z, b.hi.z));
      least = fmin(least, pd_norm(pd_sub(pd_add(r, pd_mv(rot, y)), x)));
    }
    assert_true(bound <= least * (1.0 + 1e-12));
    tightest = fmax(tightest, bound / least);
  }
  print_message("largest bound over sampled distance = %.2f\n", tightest);
  assert_true(tightest > 0.8);
}

static int compare_side(const pd_bvh_side *s, int nitems, const char *near)
{
  char found[MANY] = {0};
  int last = -1;
  for (int k = 0; k < s->n; k++) {
    assert_false(found[s->out[k]]);
    found[s->out[k]] = 1;
    int at = 0;
    while (s->tree->item[at] != s->out[k]) at++;
    assert_true(at > last);
    last = at;
  }
  for (int i = 0; i < nitems; i++) assert_true(found[i] || !near[i]);
  for (int i = 0; i < s->tree->nnodes; i++) assert_int_equal(s->seen[i], 0);
  return s->n;
}

static void compare_near(const pd_bvh *tree, const int *n, pd_box (*box)[MANY], sc_random *random,
                         long *count)
{
  static char seen[2][2 * MANY];
  static int out[2][MANY];
  char near[2][MANY] = {{0}};
  const pd_mat3 rot = pd_q_matrix(sc_rotation(random));
  const pd_vec3 r = pd_v(sc_uniform(random, -2, 2), sc_uniform(random, -2, 2), 0.5);
  const double distance = sc_uniform(random, 0.0, 0.2);
  pd_bvh_side a = {&tree[0], 1, seen[0], out[0], 0}, b = {&tree[1], 1, seen[1], out[1], 0};
  for (int i = 0; i < n[0]; i++)
    for (int j = 0; j < n[1]; j++)
      if (box_gap(box[0][i], box[1][j], r, rot) < distance) near[0][i] = near[1][j] = 1;
  pd_bvh_near(&a, &b, r, rot, distance);
  for (int i = 0; i < n[0]; i++) count[0] += near[0][i];
  count[1] += compare_side(&a, n[0], near[0]);
  compare_side(&b, n[1], near[1]);
  a.descend = 0;
  const int any = b.n > 0;
  pd_bvh_near(&a, &b, r, rot, distance);
  assert_true(a.n >= any);
  compare_side(&b, n[1], near[1]);
}

static void test_near_against_brute_force(void **state)
{
  (void)state;
  sc_random random = {4};
  static pd_box box[2][MANY];
  long count[2] = {0, 0};
  for (int round = 0; round < 100; round++) {
    pd_bvh tree[2];
    int n[2];
    for (int k = 0; k < 2; k++) {
      n[k] = 1 + sc_below(&random, 300);
      for (int i = 0; i < n[k]; i++) box[k][i] = random_box(&random, 0.1);
      check_ok(pd_bvh_build(n[k], box[k], &tree[k]));
    }
    for (int k = 0; k < 10; k++) compare_near(tree, n, box, &random, count);
    for (int k = 0; k < 2; k++) pd_bvh_free(&tree[k]);
  }
  print_message("near = %ld, reported = %ld\n", count[0], count[1]);
  assert_true(count[0] > 4000 && count[1] < 4 * count[0]);
}

static void test_below_against_brute_force(void **state)
{
  (void)state;
  sc_random random = {5};
  pd_box box[MANY];
  int out[MANY];
  for (int round = 0; round < 200; round++) {
    const int n = 1 + sc_below(&random, 400);
    pd_bvh tree;
    for (int i = 0; i < n; i++) box[i] = random_box(&random, 0.1);
    check_ok(pd_bvh_build(n, box, &tree));
    const pd_vec3 up = pd_mv(pd_q_matrix(sc_rotation(&random)), pd_v(0.0, 0.0, 1.0));
    const double height = sc_uniform(&random, -1.0, 1.5);
    char found[MANY] = {0};
    const int m = pd_bvh_query_below(&tree, up, height, out);
    for (int k = 0; k < m; k++) {
      assert_false(found[out[k]]);
      found[out[k]] = 1;
    }
    for (int i = 0; i < n; i++)
      for (int c = 0; c < 8; c++) {
        const pd_vec3 x = pd_v(c & 1 ? box[i].hi.x : box[i].lo.x, c & 2 ? box[i].hi.y : box[i].lo.y,
                               c & 4 ? box[i].hi.z : box[i].lo.z);
        assert_true(found[i] || pd_dot(up, x) >= height);
      }
    pd_bvh_free(&tree);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_invariants),
      cmocka_unit_test(test_ties),
      cmocka_unit_test(test_query_against_brute_force),
      cmocka_unit_test(test_fit),
      cmocka_unit_test(test_gap_of_boxes),
      cmocka_unit_test(test_near_against_brute_force),
      cmocka_unit_test(test_below_against_brute_force),
      cmocka_unit_test(test_touching_boxes_overlap),
      cmocka_unit_test(test_empty_tree),
      cmocka_unit_test(test_same_tree_twice),
      cmocka_unit_test(test_out_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
