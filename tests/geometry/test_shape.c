/* SPDX-License-Identifier: MIT
 * Topology, dihedral turns, weights of the contact set, ownership and frame of shapes. */
#include <string.h>

#include "check.h"
#include "geometry/mesh.h"
#include "shapes.h"

static const double pi = 3.14159265358979323846;

/* number of edges with a certain property */
typedef struct tally {
  int convex, flat, concave, border, sharp;
} tally;

static tally count_edges(const pd_shape *s)
{
  tally n = {0, 0, 0, 0, 0};
  for (int i = 0; i < s->ne; i++) {
    const double turn = s->e[i].turn;
    n.sharp += s->e[i].sharp;
    if (s->e[i].nt == 1)
      n.border++;
    else if (fabs(turn) <= 1e-6)
      n.flat++;
    else if (turn > 0)
      n.convex++;
    else
      n.concave++;
  }
  return n;
}

/* faces count 1 each, edges and vertices their weights: the Euler characteristic of a closed
 * surface */
static int sum_of_weights(const pd_shape *s)
{
  int sum = s->nt;
  for (int i = 0; i < s->ne; i++) sum += s->e[i].weight;
  for (int i = 0; i < s->nv; i++) sum += s->vweight[i];
  return sum;
}

static int has_vertex(const int *t, int v) { return t[0] == v || t[1] == v || t[2] == v; }

/* What must hold of any shape: edges and triangles refer to each other, lengths, normals, weights.
 */
static void check_topology(const pd_shape *s)
{
  int sides = 0;
  double radius = 0.0, shortest = s->e[0].length;
  for (int i = 0; i < s->ne; i++) {
    const pd_edge *e = s->e + i;
    sides += e->nt;
    assert_true(e->v[0] < e->v[1]);
    assert_int_equal(e->weight, 1 - e->nt);
    assert_true(e->nt == 1 ? e->t[1] == -1 : e->t[1] > e->t[0]);
    for (int k = 0; k < (e->nt > 1 ? 2 : 1); k++)
      assert_true(has_vertex(s->t[e->t[k]], e->v[0]) && has_vertex(s->t[e->t[k]], e->v[1]));
    check_near(e->length, pd_norm(pd_sub(s->v[e->v[0]], s->v[e->v[1]])), 0.0);
    shortest = fmin(shortest, e->length);
  }
  assert_int_equal(sides, 3 * s->nt);
  for (int i = 0; i < s->nt; i++) {
    const int *t = s->t[i];
    for (int k = 0; k < 3; k++) {
      const pd_edge *e = s->e + s->te[i][k];
      const int a = t[k], b = t[(k + 1) % 3];
      assert_int_equal(e->v[0], a < b ? a : b);
      assert_int_equal(e->v[1], a < b ? b : a);
      check_near(pd_dot(s->tn[i], pd_sub(s->v[b], s->v[a])), 0.0, 1e-14);
      int found = 0;
      for (int j = 0; j < e->nt; j++) found += s->fan[e->first + j] == i;
      assert_int_equal(found, 1);
    }
    check_near(pd_norm(s->tn[i]), 1.0, 1e-15);
  }
  for (int i = 0; i < s->nv; i++) radius = fmax(radius, pd_norm(s->v[i]));
  check_near(s->radius, radius, 1e-15);
  check_near(s->shortest, shortest, 0.0);
}

/* Dihedral turns by another way: the angle between the normals, convex if the second triangle's
 * third vertex lies below the first's plane. */
static void check_turns(const pd_shape *s)
{
  for (int i = 0; i < s->ne; i++) {
    const pd_edge *e = s->e + i;
    if (e->nt != 2) {
      check_near(e->turn, 0.0, 0.0);
      assert_int_equal(e->sharp, 1);
      continue;
    }
    const int *t = s->t[e->t[1]];
    int far = t[0];
    for (int k = 1; k < 3; k++)
      if (far == e->v[0] || far == e->v[1]) far = t[k];
    const double below = -pd_dot(s->tn[e->t[0]], pd_sub(s->v[far], s->v[e->v[0]]));
    const double angle = acos(fmax(-1.0, fmin(1.0, pd_dot(s->tn[e->t[0]], s->tn[e->t[1]]))));
    check_near(e->turn, below > 0 ? angle : -angle, 1e-7);
    assert_int_equal(e->sharp, (s->closed ? e->turn : fabs(e->turn)) > 1e-6);
  }
}

/* Every edge and vertex is in exactly one list, that of the lowest triangle which has it. */
static void check_ownership(const pd_shape *s)
{
  int edges = 0, vertices = 0;
  assert_int_equal(s->first_edge[0], 0);
  assert_int_equal(s->first_vertex[0], 0);
  for (int i = 0; i < s->nt; i++) {
    for (int k = s->first_edge[i]; k < s->first_edge[i + 1]; k++, edges++)
      assert_int_equal(s->e[s->own_edge[k]].t[0], i);
    for (int k = s->first_vertex[i]; k < s->first_vertex[i + 1]; k++, vertices++) {
      assert_true(has_vertex(s->t[i], s->own_vertex[k]));
      for (int j = 0; j < i; j++) assert_false(has_vertex(s->t[j], s->own_vertex[k]));
    }
  }
  assert_int_equal(edges, s->ne);
  assert_int_equal(vertices, s->nv);
}

/* A query about any vertex finds the triangle that owns it. */
static void check_tree_finds_owners(const pd_shape *s)
{
  int *out = malloc((size_t)s->nt * sizeof *out);
  for (int i = 0; i < s->nt; i++)
    for (int k = s->first_vertex[i]; k < s->first_vertex[i + 1]; k++) {
      const pd_vec3 v = s->v[s->own_vertex[k]];
      const pd_box query = {v, v};
      int found = 0;
      for (int n = pd_bvh_query(&s->tree, query, out); n > 0; n--) found += out[n - 1] == i;
      assert_int_equal(found, 1);
    }
  free(out);
}

static void check_shape(const pd_shape *s)
{
  check_topology(s);
  check_turns(s);
  check_ownership(s);
  check_tree_finds_owners(s);
}

/* A body's own vertices have their centre in the origin and a diagonal inertia, its mass is the
 * mesh's. */
static void check_principal_frame(const pd_shape *s)
{
  pd_mesh mesh = {s->nv, s->nt, s->v, s->t};
  pd_mass m;
  check_ok(pd_mass_properties(&mesh, &m));
  const double i = m.inertia.m[0][0] + m.inertia.m[1][1] + m.inertia.m[2][2];
  check_near(m.volume, s->mass.volume, 1e-13 * m.volume);
  check_near(pd_norm(m.center), 0.0, 1e-14);
  check_near(m.inertia.m[0][1], 0.0, 4e-12 * i);
  check_near(m.inertia.m[0][2], 0.0, 4e-12 * i);
  check_near(m.inertia.m[1][2], 0.0, 4e-12 * i);
  check_near(m.inertia.m[0][0], s->mass.principal.x, 4e-12 * i);
  check_near(m.inertia.m[1][1], s->mass.principal.y, 4e-12 * i);
  check_near(m.inertia.m[2][2], s->mass.principal.z, 4e-12 * i);
}

static pd_shape make_shape(pd_status made, pd_mesh *mesh, int closed)
{
  pd_shape s;
  check_ok(made);
  check_ok(sc_shape(mesh, closed, &s));
  check_shape(&s);
  if (closed) check_principal_frame(&s);
  return s;
}

/* ---------------------------------------------------------------------- bodies */

static void test_box(void **state)
{
  (void)state;
  pd_mesh mesh;
  pd_shape s = make_shape(sc_box(0.5, 0.9, 0.2, &mesh), &mesh, 1);
  const tally n = count_edges(&s);
  assert_int_equal(s.nv, 8);
  assert_int_equal(s.nt, 12);
  assert_int_equal(s.ne, 18);
  assert_int_equal(n.convex, 12);
  assert_int_equal(n.flat, 6);
  assert_int_equal(n.sharp, 12);
  for (int i = 0; i < s.ne; i++) {
    assert_int_equal(s.e[i].weight, -1);
    check_near(s.e[i].turn, s.e[i].sharp ? pi / 2 : 0.0, 1e-15);
  }
  for (int i = 0; i < s.nv; i++) {
    assert_int_equal(s.vweight[i], 1);
    assert_int_equal(s.sample[i], 1);
  }
  assert_int_equal(sum_of_weights(&s), 2);
  check_near(s.radius, 0.5 * sqrt(0.25 + 0.81 + 0.04), 1e-15);
  check_near(s.shortest, 0.2, 1e-15);
  assert_int_equal(s.closed, 1);
  pd_shape_free(&s);
}

static void test_l_prism(void **state)
{
  (void)state;
  pd_mesh mesh;
  pd_shape s = make_shape(sc_l_prism(1.0, 0.4, 0.3, &mesh), &mesh, 1);
  const tally n = count_edges(&s);
  assert_int_equal(n.concave, 1);
  assert_int_equal(n.convex, 5 + 12);
  assert_int_equal(n.flat, 6 + 6);
  for (int i = 0; i < s.ne; i++)
    if (s.e[i].turn < -1e-6) {
      check_near(s.e[i].turn, -pi / 2, 1e-14);
      check_near(s.e[i].length, 0.3, 1e-14);
      assert_int_equal(s.e[i].sharp, 0);
    }
  for (int i = 0; i < s.nv; i++) assert_int_equal(s.vweight[i], 1);
  assert_int_equal(sum_of_weights(&s), 2);
  pd_shape_free(&s);
}

static void test_tetrapod(void **state)
{
  (void)state;
  pd_mesh mesh;
  pd_shape s = make_shape(sc_tetrapod(1.0, 0.4, 0.7, &mesh), &mesh, 1);
  const tally n = count_edges(&s);
  assert_int_equal(s.ne, 42);
  assert_int_equal(n.concave, 6);
  assert_int_equal(n.flat, 12);
  assert_int_equal(n.convex, 24);
  assert_int_equal(sum_of_weights(&s), 2);
  for (int i = 0; i < s.nv; i++) assert_int_equal(s.sample[i], 1);
  pd_shape_free(&s);
}

static void test_tetrahedron(void **state)
{
  (void)state;
  pd_mesh mesh;
  pd_shape s = make_shape(sc_tetrahedron(1.0, &mesh), &mesh, 1);
  for (int i = 0; i < 6; i++) check_near(s.e[i].turn, pi - acos(1.0 / 3.0), 1e-14);
  assert_int_equal(sum_of_weights(&s), 2);
  check_near(s.radius, 1.0, 1e-14);
  pd_shape_free(&s);
}

/* the shape does not depend on where the mesh lay and how it was turned */
static void test_moved_bodies(void **state)
{
  (void)state;
  sc_random random = {1};
  for (int round = 0; round < 50; round++) {
    pd_mesh mesh;
    check_ok(round % 2 ? sc_tetrapod(1.0, 0.4, 0.7, &mesh) : sc_l_prism(1.0, 0.4, 0.3, &mesh));
    sc_move(
        &mesh, sc_rotation(&random),
        pd_v(sc_uniform(&random, -3, 3), sc_uniform(&random, -3, 3), sc_uniform(&random, -3, 3)));
    pd_shape s = make_shape(PD_OK, &mesh, 1);
    assert_int_equal(count_edges(&s).concave, round % 2 ? 6 : 1);
    pd_shape_free(&s);
  }
}

/* v' = axes^T (v - center), written out */
static void test_frame(void **state)
{
  (void)state;
  const pd_quat q = pd_q_normalize(pd_q(0.9, 0.2, -0.3, 0.1));
  pd_mesh mesh, copy;
  check_ok(sc_box(0.5, 0.9, 0.2, &mesh));
  check_ok(sc_box(0.5, 0.9, 0.2, &copy));
  sc_move(&mesh, q, pd_v(1, 2, 3));
  pd_shape s = make_shape(PD_OK, &mesh, 1);
  for (int i = 0; i < 8; i++) check_near(pd_norm(pd_sub(s.v[i], copy.v[i])), 0.0, 1e-12);
  pd_shape_free(&s);
  pd_mesh_free(&copy);
}

/* A box whose face z = 0.5 is a fan of four triangles: the vertex in the plane is no sample. */
static void test_flat_vertex(void **state)
{
  (void)state;
  pd_mesh box;
  check_ok(sc_box(1, 1, 1, &box));
  pd_vec3 v[9];
  int t[14][3];
  memcpy(v, box.v, sizeof v - sizeof *v);
  memcpy(t, box.t, 12 * sizeof *t);
  v[8] = pd_v(0, 0, 0.5);
  /* the face has the outline 4 5 7 6 and was made of the triangles 2 and 3 */
  static const int fan[4][3] = {{4, 5, 8}, {5, 7, 8}, {7, 6, 8}, {6, 4, 8}};
  memcpy(t[2], fan[0], 2 * sizeof *t);
  memcpy(t[12], fan[2], 2 * sizeof *t);
  pd_mesh_free(&box);
  pd_mesh mesh;
  pd_shape s = make_shape(pd_mesh_create(9, v, 14, (const int(*)[3])t, &mesh), &mesh, 1);
  assert_int_equal(s.sample[8], 0);
  assert_int_equal(s.vweight[8], 1);
  for (int i = 0; i < 8; i++) assert_int_equal(s.sample[i], 1);
  assert_int_equal(sum_of_weights(&s), 2);
  pd_shape_free(&s);
}

/* ---------------------------------------------------------------------- walls */

static void test_open_quad(void **state)
{
  (void)state;
  pd_mesh mesh;
  pd_shape s = make_shape(sc_open_quad(2.0, &mesh), &mesh, 0);
  assert_int_equal(s.ne, 5);
  assert_int_equal(count_edges(&s).border, 4);
  for (int i = 0; i < 5; i++) {
    const int border = s.e[i].nt == 1;
    assert_int_equal(s.e[i].weight, border ? 0 : -1);
    assert_int_equal(s.e[i].sharp, border);
  }
  for (int i = 0; i < 4; i++) assert_int_equal(s.vweight[i], 0);
  assert_int_equal(sum_of_weights(&s), 1);
  check_near(s.v[2].x, 2.0, 0.0);
  check_near(s.mass.volume, 0.0, 0.0);
  assert_int_equal(s.closed, 0);
  pd_shape_free(&s);
}

static void test_wedge(void **state)
{
  (void)state;
  static const double degrees[6] = {10, 45, 90, 135, 200, 300};
  for (int k = 0; k < 6; k++) {
    const double angle = degrees[k] * pi / 180;
    pd_mesh mesh;
    pd_shape s = make_shape(sc_wedge(angle, 1.0, &mesh), &mesh, 0);
    int found = 0;
    for (int i = 0; i < s.ne; i++) {
      if (s.e[i].v[0] != 0 || s.e[i].v[1] != 1) continue;
      found = 1;
      check_near(s.e[i].turn, angle - pi, 1e-14);
      assert_int_equal(s.e[i].sharp, 1); /* a wall has two outsides: concave here is convex there */
    }
    assert_true(found);
    pd_shape_free(&s);
  }
}

/* six triangles about a vertex in a plane: the only inner vertex of an open surface */
static void test_inner_vertex_of_wall(void **state)
{
  (void)state;
  pd_vec3 v[7];
  int t[6][3];
  v[0] = pd_v(0, 0, 0);
  for (int i = 0; i < 6; i++) {
    v[i + 1] = pd_v(cos(i * pi / 3), sin(i * pi / 3), 0);
    t[i][0] = 0;
    t[i][1] = i + 1;
    t[i][2] = (i + 1) % 6 + 1;
  }
  pd_mesh mesh;
  pd_shape s = make_shape(pd_mesh_create(7, v, 6, (const int(*)[3])t, &mesh), &mesh, 0);
  for (int i = 0; i < 7; i++) {
    assert_int_equal(s.vweight[i], i == 0);
    assert_int_equal(s.sample[i], i != 0);
  }
  assert_int_equal(sum_of_weights(&s), 1);
  pd_shape_free(&s);
}

/* three sheets that meet in one edge, as shelves do */
static void test_non_manifold_edge(void **state)
{
  (void)state;
  const pd_vec3 v[5] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 0, 1}};
  static const int t[3][3] = {{0, 2, 1}, {0, 1, 3}, {0, 1, 4}};
  pd_mesh mesh;
  pd_shape s = make_shape(pd_mesh_create(5, v, 3, t, &mesh), &mesh, 0);
  assert_int_equal(s.e[0].nt, 3);
  assert_int_equal(s.e[0].weight, -2);
  assert_int_equal(s.e[0].sharp, 1);
  for (int i = 0; i < 5; i++) assert_int_equal(s.vweight[i], 0);
  assert_int_equal(sum_of_weights(&s), 1);
  pd_shape_free(&s);
}

/* ---------------------------------------------------------------------- errors */

static void test_no_volume(void **state)
{
  (void)state;
  pd_mesh mesh;
  pd_shape s;
  check_ok(sc_open_quad(1.0, &mesh));
  check_status(sc_shape(&mesh, 1, &s), PD_EVOLUME);
  assert_null(s.v);
  pd_shape_free(&s);
}

static pd_status create_and_free(void *mesh)
{
  pd_shape s;
  const pd_status status = pd_shape_create(mesh, 1, &s);
  pd_shape_free(&s);
  return status;
}

static void test_out_of_memory(void **state)
{
  (void)state;
  pd_mesh mesh;
  check_ok(sc_tetrapod(1.0, 0.4, 0.7, &mesh));
  check_each_allocation(create_and_free, &mesh);
  pd_mesh_free(&mesh);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_box),
      cmocka_unit_test(test_l_prism),
      cmocka_unit_test(test_tetrapod),
      cmocka_unit_test(test_tetrahedron),
      cmocka_unit_test(test_moved_bodies),
      cmocka_unit_test(test_frame),
      cmocka_unit_test(test_flat_vertex),
      cmocka_unit_test(test_open_quad),
      cmocka_unit_test(test_wedge),
      cmocka_unit_test(test_inner_vertex_of_wall),
      cmocka_unit_test(test_non_manifold_edge),
      cmocka_unit_test(test_no_volume),
      cmocka_unit_test(test_out_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
