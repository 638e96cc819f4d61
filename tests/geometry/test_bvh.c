/* SPDX-License-Identifier: MIT
 * The tree against brute force, and its invariants. */
#include <string.h>

#include "geometry/bvh.h"
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

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_invariants),
      cmocka_unit_test(test_ties),
      cmocka_unit_test(test_query_against_brute_force),
      cmocka_unit_test(test_touching_boxes_overlap),
      cmocka_unit_test(test_empty_tree),
      cmocka_unit_test(test_same_tree_twice),
      cmocka_unit_test(test_out_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
