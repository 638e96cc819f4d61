/* SPDX-License-Identifier: MIT
 * Surfaces that go on periodically: which do, and that copies join without a seam. */
#include <string.h>

#include "check.h"
#include "geometry/repeat.h"
#include "geometry/shape.h"

enum { CELLS = 4, NODES = CELLS + 1 };

/* the edges a and b of a tilted cell whose corner is at (0.3, -0.2, 0.1), and its height */
static const pd_vec3 CORNER = {0.3, -0.2, 0.1}, A = {2.0, 0.0, 0.0}, B = {0.5, 1.5, 0.0};

static pd_period period(int k)
{
  const pd_vec3 step = k ? B : A;
  const pd_vec3 normal = k ? pd_v(0.0, 1.0 / 1.5, 0.0) : pd_v(0.5, -0.5 * 0.5 / 1.5, 0.0);
  return (pd_period){step, normal, pd_dot(normal, CORNER), 1e-6};
}

/* a part of the cell's floor, with ridges along b */
static void make_floor(double part, pd_mesh *mesh)
{
  pd_vec3 v[NODES * NODES];
  int t[2 * CELLS * CELLS][3], nt = 0;
  for (int i = 0; i < NODES * NODES; i++) {
    const int a = i / NODES, b = i % NODES;
    v[i] = pd_axpy(pd_axpy(CORNER, part * a / CELLS, A), (double)b / CELLS, B);
    v[i].z += 0.1 * (a % 2);
    if (a == CELLS || b == CELLS) continue;
    const int corner[2][3] = {{i, i + NODES, i + NODES + 1}, {i, i + NODES + 1, i + 1}};
    memcpy(t + nt, corner, sizeof corner);
    nt += 2;
  }
  check_ok(pd_mesh_create(NODES * NODES, v, nt, (const int(*)[3])t, mesh));
}

static void test_spans(void **state)
{
  (void)state;
  const double part[4] = {1.0, 1.0 - 1e-7, 0.999, 1.001};
  for (int i = 0; i < 4; i++) {
    pd_mesh mesh;
    make_floor(part[i], &mesh);
    const pd_period along_a = period(0), along_b = period(1);
    assert_int_equal(pd_mesh_spans(&mesh, &along_a), i < 2);
    assert_int_equal(pd_mesh_spans(&mesh, &along_b), 1);
    pd_mesh_free(&mesh);
  }
}

/* by both edges: nine times the surface, in one part, with border edges at its rim alone */
static void test_joined(void **state)
{
  (void)state;
  pd_mesh mesh;
  pd_mesh_report report;
  pd_fault fault;
  make_floor(1.0, &mesh);
  const pd_period along_a = period(0), along_b = period(1);
  check_ok(pd_mesh_repeat(&mesh, &along_a));
  check_ok(pd_mesh_repeat(&mesh, &along_b));
  assert_int_equal(mesh.nt, 9 * 2 * CELLS * CELLS);
  check_ok(pd_mesh_repair(&mesh, 1e-6, 0, &report, &fault));
  assert_int_equal(mesh.nv, (3 * CELLS + 1) * (3 * CELLS + 1));
  assert_int_equal(report.borders, 4 * 3 * CELLS);
  assert_int_equal(report.parts, 1);
  assert_int_equal(report.dropped + report.flipped, 0);
  pd_mesh_free(&mesh);
}

/* an edge and its copy on the seam turn alike: what lies on both sides is the same */
static void test_turns(void **state)
{
  (void)state;
  pd_mesh mesh;
  pd_mesh_report report;
  pd_fault fault;
  pd_shape shape;
  make_floor(1.0, &mesh);
  const pd_period along = period(0);
  check_ok(pd_mesh_repeat(&mesh, &along));
  check_ok(pd_mesh_repair(&mesh, 1e-6, 0, &report, &fault));
  check_ok(pd_shape_create(&mesh, 0, &shape));
  int ridges = 0, valleys = 0;
  for (int i = 0; i < shape.ne; i++) {
    ridges += shape.e[i].turn > 0.1;
    valleys += shape.e[i].turn < -0.1;
  }
  assert_int_equal(ridges, 3 * 2 * CELLS); /* of 12 strips, at 1, 3, ... of 4 */
  assert_int_equal(valleys, 3 * 2 * CELLS - CELLS);
  pd_shape_free(&shape);
  pd_mesh_free(&mesh);
}

/* a box that fills the length of the cell, without its top or with it; as it is repeated */
static int count_of_row(int closed)
{
  const pd_vec3 side = pd_v(0.0, 0.4, 0.0), up = pd_v(0.0, 0.0, 0.2);
  pd_vec3 v[8];
  /* the faces across have their diagonals the other way round */
  int t[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 6}, {5, 7, 6}, {0, 4, 6}, {0, 6, 2},
                  {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3}, {1, 3, 7}, {1, 7, 5}};
  const pd_period along = period(0);
  pd_mesh mesh;
  for (int i = 0; i < 8; i++) {
    v[i] = pd_axpy(CORNER, i / 4, A);
    v[i] = pd_axpy(pd_axpy(v[i], i / 2 % 2, side), i % 2, up);
  }
  check_ok(pd_mesh_create(8, v, closed ? 12 : 10, (const int(*)[3])t, &mesh));
  assert_int_equal(pd_mesh_spans(&mesh, &along), 0); /* the cell is tilted */
  for (int i = 0; i < mesh.nv; i++) mesh.v[i].x += 0.25 / 1.5 * (mesh.v[i].y - CORNER.y) * 2.0;
  assert_int_equal(pd_mesh_spans(&mesh, &along), 1);
  if (closed) pd_mesh_open_ends(&mesh, &along);
  check_ok(pd_mesh_repeat(&mesh, &along));
  const int nt = mesh.nt;
  pd_mesh_free(&mesh);
  return nt;
}

/* Faces across the ends of closed bodies vanish where they meet, of open ones one is kept, however
 * they are cut into triangles. */
static void test_faces_that_meet(void **state)
{
  (void)state;
  assert_int_equal(count_of_row(1), 3 * 8);
  assert_int_equal(count_of_row(0), 3 * 10 - 2 * 2);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_spans), cmocka_unit_test(test_joined),
                                     cmocka_unit_test(test_turns),
                                     cmocka_unit_test(test_faces_that_meet)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
