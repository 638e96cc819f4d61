/* SPDX-License-Identifier: MIT
 * The searches of the pair functions against brute force: tree against plain loop, distance against
 * all pairs of features, overlap in known cases; the plane against a triangulated wall; lists of
 * near features that are kept against none; memory. */
#include <string.h>

#include "contact/search/near_list.h"
#include "contact/search/overlap.h"
#include "poses.h"

#define GBAR 1e-3

static pd_pair_work *work;

static int set_up(void **state)
{
  (void)state;
  check_ok(pd_pair_work_create(&work));
  return 0;
}

static int tear_down(void **state)
{
  (void)state;
  pd_pair_work_free(work);
  return 0;
}

static pd_law law_of(double zeta) { return law_make(1e6, 1.0, GBAR, zeta, 0.3); }

enum { MANY = 400 };

/* The box with n points inserted in its faces: the same surface in 12 + 2 n triangles. */
static void make_fine_box(body *b, double x, double y, double z, int n, sc_random *random)
{
  pd_mesh box, fine;
  pd_vec3 v[MANY];
  int t[2 * MANY][3], nv = 8, nt = 12;
  check_ok(sc_box(x, y, z, &box));
  for (int i = 0; i < nv; i++) v[i] = box.v[i];
  for (int i = 0; i < nt; i++)
    for (int k = 0; k < 3; k++) t[i][k] = box.t[i][k];
  for (int i = 0; i < n; i++) {
    int *old = t[sc_below(random, nt)], *one = t[nt++], *two = t[nt++];
    const double p = sc_uniform(random, 0.2, 0.4), q = sc_uniform(random, 0.2, 0.4);
    v[nv] = pd_comb(1.0 - p - q, v[old[0]], p, v[old[1]], q, v[old[2]]);
    for (int k = 0; k < 3; k++) one[k] = two[k] = old[k];
    old[0] = one[1] = two[2] = nv++;
  }
  pd_mesh_free(&box);
  const pd_status status = pd_mesh_create(nv, v, nt, (const int(*)[3])t, &fine);
  body_make(b, status, &fine, 1);
}

/* Ball of 12 n^2 triangles: the faces of a cube in n x n squares, moved to the sphere. */
static void make_ball(body *b, double r, int n)
{
  pd_mesh mesh;
  pd_mesh_report seams;
  pd_fault fault;
  static pd_vec3 v[6 * 625];
  static int t[12 * 576][3];
  int nv = 0, nt = 0;
  for (int f = 0; f < 6; f++) {
    const int axis = f / 2, first = nv;
    const double sign = f % 2 ? 1.0 : -1.0;
    for (int i = 0; i <= n; i++)
      for (int j = 0; j <= n; j++) {
        double c[3];
        c[axis] = sign;
        c[(axis + 1) % 3] = sign * (2.0 * i / n - 1.0);
        c[(axis + 2) % 3] = 2.0 * j / n - 1.0;
        v[nv++] = pd_scale(r, pd_unit(pd_v_load(c)));
      }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) {
        const int p = first + i * (n + 1) + j,
                  q[6] = {p, p + n + 1, p + n + 2, p, p + n + 2, p + 1};
        for (int k = 0; k < 6; k++) t[nt + k / 3][k % 3] = q[k];
        nt += 2;
      }
  }
  check_ok(pd_mesh_create(nv, v, nt, (const int(*)[3])t, &mesh));
  check_ok(pd_mesh_repair(&mesh, 1e-9, 1, &seams, &fault));
  body_make(b, PD_OK, &mesh, 1);
}

/* ---- tree against plain loop ---- */

/* worst difference of two results in units of the force and the lever */
static double result_error(const pd_pair_result *r, const pd_pair_result *q, const pd_law *law)
{
  const double size = fmax(sqrt(r->scale2), pd_law_eval(law, r->mingap).fn);
  double worst = fabs(r->energy - q->energy) / (size * GBAR);
  for (int i = 0; i < 12; i++)
    worst = fmax(worst, fabs(r->force[i] - q->force[i]) / (size * (i % 6 < 3 ? 1.0 : 0.1)));
  return worst;
}

/* A surface acts the same when its faces are cut up, and the tree finds what a loop finds. */
static void test_triangulation(void **state)
{
  (void)state;
  body coarse, fine, other;
  sc_random random = {5};
  const pd_law law = law_of(0.0);
  double worst = 0.0;
  int n = 0;
  body_box(&coarse, 0.1, 0.12, 0.08);
  make_fine_box(&fine, 0.1, 0.12, 0.08, 60, &random);
  body_tetrapod(&other);
  assert_true(fine.shape.nt == 132);
  for (int i = 0; i < 2000; i++) {
    pd_pair_result r, q;
    if (!pose_make(&coarse, &other, (pose_kind)(i % POSE_KINDS), GBAR,
                   sc_uniform(&random, 0.01, 0.98), &random))
      continue;
    body_put(&fine, coarse.x, coarse.pose.rot);
    check_ok(body_eval(&coarse, &other, &law, PD_SET_CONTINUOUS, 0, work, &r, NULL));
    check_ok(body_eval(&fine, &other, &law, PD_SET_CONTINUOUS, 0, work, &q, NULL));
    worst = fmax(worst, result_error(&r, &q, &law));
    n++;
  }
  print_message("triangulation_error = %.1e, poses = %d\n", worst, n);
  assert_true(worst < 1e-9 && n > 1500);
  body_free(&coarse);
  body_free(&fine);
  body_free(&other);
}

/* Where a search begins is of no consequence, to the last bit. */
static void check_starts(const body *a, const body *b, sc_random *random, double d)
{
  pd_pair_geometry at = body_pair(a, b);
  pd_vec3 axis, other;
  const double found = pd_pair_nearest(&at, 2.0 * d, &axis);
  for (int i = 0; i < 8; i++) {
    const pd_vec3 zero = pd_v(0.0, 0.0, 0.0);
    pd_nearest start = {sc_below(random, a->shape.nt), sc_below(random, b->shape.nt), zero};
    at.nearest = &start;
    assert_true(pd_pair_nearest(&at, 2.0 * d, &other) == found);
    assert_memory_equal(&other, &axis, sizeof axis);
    assert_true(pd_pair_nearest(&at, 2.0 * d, &other) == found); /* from what it has kept */
  }
}

/* Distances of many triangles (tree) and few (loop), near and far, with and without a cut. */
static void check_distance(body *a, body *b, sc_random *random, double *worst)
{
  const double reach = a->shape.radius + b->shape.radius;
  for (int i = 0; i < 300; i++) {
    if (i % 2) {
      if (!pose_make(a, b, (pose_kind)(i % POSE_KINDS), GBAR,
                     pow(10.0, sc_uniform(random, -4.0, 1.0)), random))
        continue;
    } else {
      body_put(b, pd_v(0.0, 0.0, 0.0), pd_q_matrix(sc_rotation(random)));
      body_put(a, pd_scale(reach * sc_uniform(random, 1.0, 1.2), diff_direction(random)),
               pd_q_matrix(sc_rotation(random)));
    }
    const double d = body_brute_distance(a, b), found = body_distance(a, b, 3.0 * reach);
    *worst = fmax(*worst, fabs(found - d) / d);
    const double just = body_distance(a, b, 1.001 * d), cut = body_distance(a, b, 0.999 * d);
    *worst = fmax(*worst, fabs(just - d) / d);
    assert_true(cut == 0.999 * d);
    check_starts(a, b, random, d);
  }
}

/* what planes between bodies showed */
typedef struct parting_record {
  int poses, parted; /* without anything known */
  double loosest;    /* part of the distance missed by the plane that the nearest features give */
} parting_record;

/* No plane parts two bodies by more than their distance, wherever the search for it begins. */
static void check_parting(body *a, body *b, sc_random *random, parting_record *o)
{
  const double reach = a->shape.radius + b->shape.radius;
  pd_vec3 axis;
  for (int i = 0; i < 300; i++) {
    body_put(b, pd_v(0.0, 0.0, 0.0), pd_q_matrix(sc_rotation(random)));
    body_put(a, pd_scale(reach * sc_uniform(random, 0.8, 1.8), diff_direction(random)),
             pd_q_matrix(sc_rotation(random)));
    pd_pair_geometry at = body_pair(a, b);
    int overlap;
    double depth;
    check_ok(pd_pair_overlap(&at, work, &overlap, &depth));
    const double d = overlap ? 0.0 : pd_pair_distance(&at, 3.0 * reach);
    const double centres = pd_pair_parted(&at);
    assert_true(centres <= d);
    o->poses += d > 0.0;
    o->parted += centres > 0.0;
    for (int k = 0; k < 4; k++) {
      pd_nearest start = {0, 0, diff_direction(random)};
      at.nearest = &start;
      assert_true(pd_pair_parted(&at) <= d);
      if (!(d > 0.0)) continue;
      pd_pair_nearest(&at, 3.0 * reach, &axis);
      const double last = pd_pair_parted(&at);
      assert_true(last <= d);
      o->loosest = fmax(o->loosest, (d - last) / reach);
    }
  }
}

static void test_parting(void **state)
{
  (void)state;
  body box, brick, pod, other, ball, smooth;
  sc_random random = {16};
  parting_record convex = {0, 0, 0.0}, hollow = {0, 0, 0.0}, large = {0, 0, 0.0};
  body_box(&box, 0.1, 0.12, 0.08);
  body_box(&brick, 0.2, 0.05, 0.05);
  brick.shape.round = 0.01;
  body_tetrapod(&pod);
  body_tetrapod(&other);
  make_ball(&ball, 0.06, 4);
  make_ball(&smooth, 0.04, 10);
  check_parting(&box, &brick, &random, &convex);
  check_parting(&pod, &other, &random, &hollow);
  check_parting(&ball, &smooth, &random, &large);
  print_message("parted: convex = %d of %d, non-convex = %d of %d, boxes of balls = %d of %d, "
                "missed by the last plane = %.1e\n",
                convex.parted, convex.poses, hollow.parted, hollow.poses, large.parted, large.poses,
                convex.loosest);
  assert_true(convex.parted > 0.9 * convex.poses && convex.loosest < 1e-12);
  assert_true(hollow.parted > 0.9 * hollow.poses && large.parted > 0.4 * large.poses);
  body_free(&box);
  body_free(&brick);
  body_free(&pod);
  body_free(&other);
  body_free(&ball);
  body_free(&smooth);
}

/* Many features of faces that are parallel are as near as each other. */
static void check_face_to_face(body *a, body *b, sc_random *random)
{
  for (int i = 0; i < 40; i++) {
    const pd_mat3 turn = pd_q_matrix(sc_rotation(random));
    const double gap = pow(10.0, sc_uniform(random, -6.0, -2.0));
    const double up = 0.5 * (0.08 + 0.05) + gap;
    body_put(a, pd_v(0.0, 0.0, 0.0), turn);
    body_put(b, pd_mv(turn, pd_v(0.01, -0.02, up)), turn);
    check_starts(a, b, random, gap);
  }
}

static void test_distance(void **state)
{
  (void)state;
  body box, pod, other, ball, fine, smooth;
  sc_random random = {6};
  double worst = 0.0;
  body_box(&box, 0.1, 0.12, 0.08);
  make_fine_box(&fine, 0.05, 0.05, 0.05, 40, &random);
  body_tetrapod(&pod);
  body_tetrapod(&other);
  make_ball(&ball, 0.06, 4);
  assert_int_equal(ball.shape.nt, 192);
  check_distance(&box, &pod, &random, &worst);
  check_distance(&pod, &other, &random, &worst);
  check_distance(&ball, &pod, &random, &worst);
  check_distance(&fine, &ball, &random, &worst);
  make_ball(&smooth, 0.04, 10);
  check_distance(&smooth, &fine, &random, &worst);
  check_face_to_face(&box, &fine, &random);
  print_message("distance_error = %.1e\n", worst);
  assert_true(worst < 1e-9);
  body_free(&box);
  body_free(&pod);
  body_free(&other);
  body_free(&ball);
  body_free(&fine);
  body_free(&smooth);
}

/* contact of round bodies: sampled vertices and sharp edges all over, more than the tree's limit */
static void test_balls(void **state)
{
  (void)state;
  body a, b;
  sc_random random = {8};
  const pd_law law = law_of(0.0);
  double low = DBL_MAX;
  make_ball(&a, 0.06, 4);
  make_ball(&b, 0.05, 5);
  for (int i = 0; i < 500; i++) {
    pd_pair_result r;
    if (!pose_make(&a, &b, POSE_RANDOM, GBAR, sc_uniform(&random, 0.02, 0.95), &random)) continue;
    check_ok(body_eval(&a, &b, &law, PD_SET_CONTINUOUS, 0, work, &r, NULL));
    check_near(r.mingap, body_brute_distance(&a, &b), 1e-9 * GBAR);
    low = fmin(low, r.energy / pd_law_eval(&law, r.mingap).phi);
  }
  print_message("balls_lowest_energy = %.3f\n", low);
  assert_true(low > 0.8);
  body_free(&a);
  body_free(&b);
}

/* ---- closest features ---- */

/* The features returned hold the closest points: the local problem of the features has the same
 * distance, and no other point of the sets is closer. */
static double segments_error(sc_random *random)
{
  pd_vec3 p[4];
  int f[2];
  const double spread = pow(10.0, -sc_uniform(random, 0.0, 8.0));
  for (int i = 0; i < 4; i++) p[i] = diff_direction(random);
  if (sc_below(random, 2)) /* nearly parallel */
    p[3] = pd_add(pd_axpy(p[2], sc_uniform(random, -2.0, 2.0), pd_sub(p[1], p[0])),
                  pd_scale(spread, diff_direction(random)));
  const double d2 = pd_segment_segment(p[0], p[1], p[2], p[3], &f[0], &f[1]);
  const int na = f[0] == PD_INSIDE ? 2 : 1, nb = f[1] == PD_INSIDE ? 2 : 1;
  const pd_gap g = pd_gap_solve(na, f[0] == 1 ? &p[1] : &p[0], nb, f[1] == 1 ? &p[3] : &p[2],
                                pd_v(0.0, 0.0, 0.0));
  double worst = fabs(g.d - sqrt(d2));
  for (int i = 0; i < 20; i++) {
    const pd_vec3 x = pd_axpy(p[0], sc_uniform(random, 0.0, 1.0), pd_sub(p[1], p[0]));
    const pd_vec3 y = pd_axpy(p[2], sc_uniform(random, 0.0, 1.0), pd_sub(p[3], p[2]));
    worst = fmax(worst, sqrt(d2) - pd_norm(pd_sub(x, y)));
  }
  return worst;
}

static double triangle_error(sc_random *random)
{
  pd_vec3 t[3];
  double d2;
  const pd_vec3 p = pd_scale(sc_uniform(random, 0.0, 2.0), diff_direction(random));
  for (int i = 0; i < 3; i++) t[i] = diff_direction(random);
  if (sc_below(random, 2)) /* slender */
    t[2] = pd_add(pd_axpy(t[0], sc_uniform(random, -0.5, 1.5), pd_sub(t[1], t[0])),
                  pd_scale(pow(10.0, -sc_uniform(random, 0.0, 4.0)), diff_direction(random)));
  const int k = pd_point_triangle(p, t[0], t[1], t[2], &d2);
  const pd_vec3 edge[2] = {t[k % 3], t[(k + 1) % 3]};
  const pd_gap g = pd_gap_solve(1, &p,
                                k == PD_TRI_FACE   ? 3
                                : k >= PD_TRI_EDGE ? 2
                                                   : 1,
                                k == PD_TRI_FACE ? t : edge, pd_v(0.0, 0.0, 0.0));
  double worst = fabs(g.d - sqrt(d2));
  for (int i = 0; i < 20; i++) {
    const double a = sc_uniform(random, 0.0, 1.0), b = sc_uniform(random, 0.0, 1.0 - a);
    worst =
        fmax(worst, sqrt(d2) - pd_norm(pd_sub(p, pd_comb(a, t[0], b, t[1], 1.0 - a - b, t[2]))));
  }
  return worst;
}

static void test_closest_features(void **state)
{
  (void)state;
  sc_random random = {9};
  double segments = 0.0, triangles = 0.0;
  for (int i = 0; i < 20000; i++) {
    segments = fmax(segments, segments_error(&random));
    triangles = fmax(triangles, triangle_error(&random));
  }
  print_message("segment_segment_error = %.1e, point_triangle_error = %.1e\n", segments, triangles);
  assert_true(segments < 1e-8 && triangles < 1e-9);
}

/* ---- plane against wall ---- */

/* Error of the plane's result against the wall's, and of the tangent of A. */
static double plane_error(const body *a, const body *wall, const pd_law *law, pd_vec3 n)
{
  pd_pair_result r, q;
  const pd_vec3 part = pd_scale(1e-5, n); /* of the way from A to the plane, as an increment */
  const pd_friction_memory memory = {NULL, 0, NULL};
  const pd_pair_geometry plane = {&a->pose, &wall->pose, pd_sub(pd_neg(a->x), part),
                                  part,     &n,          NULL};
  pd_pair_request request = {0};
  request.at = plane;
  request.law = law;
  request.tangent = 1;
  request.memory = &memory;
  check_ok(pd_pair_evaluate(&request, work, &q));
  request.at = body_pair(a, wall);
  check_ok(pd_pair_evaluate(&request, work, &r));
  double worst = result_error(&r, &q, law), size = 0.0, off = 0.0;
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < 6; k++) {
      const double u = (i < 3 ? 1.0 : 0.1) * (k < 3 ? 1.0 : 0.1);
      size = fmax(size, fabs(r.k[i][k]) / u);
      off = fmax(off, fabs(r.k[i][k] - q.k[i][k]) / u);
    }
  worst = fmax(worst, fabs(r.mingap - q.mingap) / GBAR);
  check_near(pd_plane_distance(&plane), r.mingap, 1e-10 * GBAR);
  return fmax(worst, off / size);
}

static void test_plane(void **state)
{
  (void)state;
  body wall, bodies[2];
  pd_mesh mesh;
  sc_random random = {12};
  pd_law law = law_of(0.3);
  const pd_friction_law friction = {0.6, 0.4, 5e5, 1e2, 0.0};
  double worst = 0.0;
  int n = 0;
  law.t = friction;
  body_box(&bodies[0], 0.1, 0.12, 0.08);
  body_tetrapod(&bodies[1]);
  const pd_status status = sc_open_quad(2.0, &mesh);
  body_make(&wall, status, &mesh, 0);
  for (int i = 0; i < 2000; i++) {
    body *a = &bodies[i % 2];
    const pd_mat3 turn = i % 4 ? pd_q_matrix(sc_rotation(&random)) : pd_m_identity();
    const pd_vec3 normal = pd_mv(turn, pd_v(0.0, 0.0, 1.0));
    const double x = sc_uniform(&random, -0.3, 0.3), y = i % 3 ? sc_uniform(&random, -0.3, 0.3) : x;
    body_put(&wall, pd_v(0.0, 0.0, 0.0), turn);
    wall.pose.velocity.v = pd_scale(0.05, diff_direction(&random));
    wall.pose.velocity.w = pd_scale(0.5, diff_direction(&random));
    body_put(a, pd_mv(turn, pd_v(x, y, 0.5)), i % 8 < 2 ? turn : pd_q_matrix(sc_rotation(&random)));
    a->pose.velocity.w = pd_scale(0.5, diff_direction(&random));
    a->pose.velocity.dv = 1e3;
    a->pose.velocity.dw = pd_m_scale(1e3, pd_m_identity());
    if (!body_approach(a, &wall, pd_neg(normal), GBAR * sc_uniform(&random, 0.02, 0.95))) continue;
    worst = fmax(worst, plane_error(a, &wall, &law, normal));
    n++;
  }
  print_message("plane_against_wall_error = %.1e, poses = %d\n", worst, n);
  assert_true(worst < 1e-9 && n == 2000);
  for (int i = 0; i < 2; i++) body_free(&bodies[i]);
  body_free(&wall);
}

/* a body whose centre is at a height over a plane with z for its normal */
static pd_pair_geometry over_plane(const body *a, double height)
{
  static const pd_vec3 z = {0.0, 0.0, 1.0};
  static pd_pose rest;
  rest.velocity = pd_at_rest();
  rest.mass = INFINITY;
  const pd_pair_geometry at = {&a->pose, &rest, pd_v(0.0, 0.0, -height), pd_v(0.0, 0.0, 0.0),
                               &z,       NULL};
  return at;
}

static pd_status eval_over_plane(const body *a, double height, const pd_law *law, pd_pair_result *r)
{
  pd_pair_request request = {0};
  request.at = over_plane(a, height);
  request.law = law;
  return pd_pair_evaluate(&request, work, r);
}

/* a body that touches the plane or is beyond it */
static void test_beyond_plane(void **state)
{
  (void)state;
  body box;
  pd_pair_result r;
  const pd_law law = law_of(0.0);
  body_box(&box, 0.1, 0.1, 0.1);
  body_put(&box, pd_v(0.0, 0.0, 0.0), pd_m_identity());
  check_ok(eval_over_plane(&box, 0.0505, &law, &r));
  assert_int_equal(r.ncontact, 4);
  check_near(r.force[2], 4.0 * pd_law_eval(&law, 0.0005).fn, 1e-6);
  check_ok(eval_over_plane(&box, 0.0511, &law, &r));
  assert_true(r.ncontact == 0 && r.energy == 0.0 && r.mingap == DBL_MAX);
  check_status(eval_over_plane(&box, 0.05, &law, &r), PD_ETOUCH);
  check_status(eval_over_plane(&box, 0.0495, &law, &r), PD_ETOUCH);
  const pd_pair_geometry beyond = over_plane(&box, 0.04);
  check_near(pd_plane_distance(&beyond), -0.01, 1e-15);
  body_free(&box);
}

/* two bodies that touch in a point have no distance and no normal */
static void test_touching(void **state)
{
  (void)state;
  body a, b;
  pd_pair_result r;
  const pd_law law = law_of(0.0);
  body_box(&a, 0.1, 0.1, 0.1);
  body_box(&b, 0.1, 0.1, 0.1);
  body_put(&a, pd_v(0.01, 0.02, 0.1), pd_m_identity());
  body_put(&b, pd_v(0.0, 0.0, 0.0), pd_m_identity());
  check_status(body_eval(&a, &b, &law, PD_SET_CONTINUOUS, 0, work, &r, NULL), PD_ETOUCH);
  body_put(&a, pd_v(0.01, 0.02, NAN), pd_m_identity());
  assert_true(body_eval(&a, &b, &law, PD_SET_CONTINUOUS, 0, work, &r, NULL) != PD_OK ||
              r.ncontact == 0);
  body_free(&a);
  body_free(&b);
}

/* ---- overlap ---- */

/* Of a point within a box a ray upwards may go through the diagonal of a face, as from its centre,
 * or through an edge of its; of one outside it, too. */
static void test_enclosing(void **state)
{
  (void)state;
  enum { N = 17 };
  body b;
  int near[12];
  body_box(&b, 1.0, 1.0, 1.0);
  for (int i = 0; i < N * N * N; i++) {
    const int k[3] = {i % N - N / 2, i / N % N - N / 2, i / N / N};
    const double x = k[0] / 8.0, y = k[1] / 8.0, z = k[2] / 16.0;
    const pd_vec3 p = pd_v(x, y, z - 1.03);
    if (fabs(x) == 0.5 || fabs(y) == 0.5) continue;
    const int within = fabs(x) < 0.5 && fabs(y) < 0.5 && fabs(p.z) < 0.5;
    assert_int_equal(pd_surface_encloses(&b.shape, p, near), within);
  }
  assert_true(pd_surface_encloses(&b.shape, pd_v(0.0, 0.0, 0.0), near));
  body_free(&b);
}

/* a place is clear if nothing overlaps there and the surfaces are the gap apart */
static void check_clear(const pd_pair_geometry *at, int overlaps)
{
  const double gaps[] = {0.0, 1e-4, 0.01, 0.05};
  for (int i = 0; i < 4; i++) {
    int clear;
    check_ok(pd_pair_clear(at, work, gaps[i], &clear));
    assert_int_equal(clear, !overlaps && pd_pair_distance(at, 1.0) >= gaps[i]);
  }
}

static int overlap(body *a, body *b, pd_vec3 at, pd_mat3 rot, double *depth)
{
  int yes;
  body_put(a, at, rot);
  body_put(b, pd_v(0.0, 0.0, 0.0), pd_m_identity());
  const pd_pair_geometry ab = body_pair(a, b), ba = body_pair(b, a);
  check_ok(pd_pair_overlap(&ab, work, &yes, depth));
  int other;
  double d;
  check_ok(pd_pair_overlap(&ba, work, &other, &d));
  assert_int_equal(yes, other);
  check_clear(&ab, yes);
  check_clear(&ba, yes);
  return yes;
}

static void test_overlap(void **state)
{
  (void)state;
  body box, bar, small, pod;
  double depth;
  const pd_mat3 one = pd_m_identity(), turned = body_turn(pd_v(0.0, 0.0, 1.0), 1.5707963267948966);
  const pd_mat3 skew = body_turn(pd_v(1.0, 2.0, 3.0), 0.7);
  body_box(&box, 0.1, 0.1, 0.1);
  body_box(&bar, 0.3, 0.02, 0.02);
  body_box(&small, 0.02, 0.02, 0.02);
  body_tetrapod(&pod);
  body other = bar; /* the same shape and levers of its own */
  other.s = (pd_vec3 *)malloc((size_t)bar.shape.nv * sizeof(pd_vec3));
  assert_non_null(other.s);
  /* apart: far, with overlapping boxes, within a hair */
  assert_int_equal(overlap(&small, &box, pd_v(0.2, 0.0, 0.0), one, &depth), 0);
  assert_true(depth == 0.0);
  assert_int_equal(overlap(&box, &pod, pd_v(0.09, 0.09, -0.09), one, &depth), 0);
  assert_int_equal(overlap(&box, &small, pd_v(0.0, 0.01, 0.0600001), one, &depth), 0);
  /* a corner inside, 1 mm deep in z */
  assert_int_equal(overlap(&small, &box, pd_v(0.045, 0.045, 0.059), one, &depth), 1);
  check_near(depth, 0.001, 1e-12);
  assert_int_equal(overlap(&small, &box, pd_v(0.05, 0.05, 0.05), skew, &depth), 1);
  assert_true(depth > 1e-4 && depth < 0.02);
  /* crossing bars, no vertex of one inside the other; 1 mm of overlap */
  assert_int_equal(overlap(&bar, &other, pd_v(0.003, 0.004, 0.019), turned, &depth), 1);
  assert_true(depth > 0.0009 && depth < 0.0145);
  assert_int_equal(overlap(&bar, &other, pd_v(0.003, 0.004, 0.0201), turned, &depth), 0);
  /* one inside the other, either way round */
  assert_int_equal(overlap(&small, &box, pd_v(0.001, 0.002, 0.003), skew, &depth), 1);
  assert_true(depth > 0.0);
  assert_int_equal(overlap(&box, &small, pd_v(0.001, 0.002, 0.003), one, &depth), 1);
  free(other.s);
  body_free(&box);
  body_free(&bar);
  body_free(&small);
  body_free(&pod);
}

/* bodies that just do not touch do not overlap; moved on by twice the distance they mostly do */
static void test_overlap_random(void **state)
{
  (void)state;
  body a, b;
  sc_random random = {13};
  int crossed = 0, n = 0;
  body_tetrapod(&a);
  body_box(&b, 0.1, 0.12, 0.08);
  for (int i = 0; i < 1000; i++) {
    const double d = GBAR * pow(10.0, sc_uniform(&random, -3.0, 0.0));
    if (!pose_make(&a, &b, (pose_kind)(i % POSE_KINDS), GBAR, d / GBAR, &random)) continue;
    int yes;
    double depth;
    pd_pair_geometry at = body_pair(&a, &b);
    check_ok(pd_pair_overlap(&at, work, &yes, &depth));
    assert_int_equal(yes, 0);
    a.x.z -= 20.0 * d;
    at = body_pair(&a, &b);
    check_ok(pd_pair_overlap(&at, work, &yes, &depth));
    assert_true(depth <= 20.0 * d);
    check_clear(&at, yes);
    crossed += yes;
    n++;
  }
  print_message("overlap: crossed = %d of %d\n", crossed, n);
  assert_true(crossed > 9 * n / 10);
  body_free(&a);
  body_free(&b);
}

/* ---- kept lists ---- */

typedef struct walk {
  body *a, *b;
  pd_near *near;
  pd_pair_work *work[3]; /* threads that take the list in turn */
  sc_random *random;
  int found, kept, full, contacts; /* searches by a list, without making it, without room; hits */
} walk;

/* moves the body a little, by anything from a thousandth of gbar to several gbar */
static void wander(body *b, sc_random *random)
{
  const double way = GBAR * pow(10.0, sc_uniform(random, -3.0, 0.6));
  const pd_mat3 turn = body_turn(diff_direction(random), way / 0.1);
  body_put(b, pd_axpy(b->x, way, diff_direction(random)), pd_m_mul(turn, b->pose.rot));
}

/* both turned about the origin: nothing has changed for the pair */
static void turn_both(walk *w)
{
  const pd_mat3 turn = pd_q_matrix(sc_rotation(w->random));
  body_put(w->a, pd_mv(turn, w->a->x), pd_m_mul(turn, w->a->pose.rot));
  body_put(w->b, pd_mv(turn, w->b->x), pd_m_mul(turn, w->b->pose.rot));
}

/* forces, tangents and rows of contacts are the same bits with the list and without */
static void compare_forces(walk *w, const pd_law *law, pd_force_mode mode)
{
  static pd_pair_result r[2];
  pd_contact_list list[2] = {{0}, {0}};
  pd_status status[2];
  const pd_friction_memory memory = {NULL, 0, NULL};
  const double cut = w->near->cut;
  const size_t row =
      offsetof(pd_contact, history) + offsetof(pd_friction_history, slipping); /* no padding */
  for (int k = 0; k < 2; k++) {
    pd_pair_work *mine = k ? w->work[sc_below(w->random, 3)] : work;
    memset(&r[k], 0, sizeof r[k]);
    pd_pair_request request = {0};
    request.at = body_pair(w->a, w->b);
    request.law = law;
    request.mode = mode;
    request.h = 1e-3;
    request.tangent = 1;
    request.memory = &memory;
    request.near = k ? w->near : NULL;
    request.contacts = &list[k];
    status[k] = pd_pair_evaluate(&request, mine, &r[k]);
  }
  assert_int_equal(status[0], status[1]);
  if (!status[0]) {
    assert_int_equal(list[0].n, list[1].n);
    assert_memory_equal(&r[0], &r[1], sizeof r[0]);
    for (int i = 0; i < list[0].n; i++) assert_memory_equal(&list[0].c[i], &list[1].c[i], row);
    w->contacts += r[0].ncontact;
  }
  w->found += w->near->cut > 0.0;
  w->kept += cut > 0.0 && w->near->cut == cut;
  w->full += w->near->wait > 0;
  for (int k = 0; k < 2; k++) pd_contact_list_free(&list[k]);
}

/* and so is how far the bodies may go */
static void compare_sweeps(walk *w)
{
  const pd_pair_geometry at = body_pair(w->a, w->b);
  const pd_vec3 way = pd_scale(GBAR, diff_direction(w->random));
  const pd_pair_end end = {w->a->pose.rot, w->b->pose.rot, way, pd_v(0.0, 0.0, 0.0)};
  double d[2], limit[2];
  for (int k = 0; k < 2; k++) {
    pd_pair_work *mine = k ? w->work[sc_below(w->random, 3)] : work;
    check_ok(pd_pair_sweep(&at, &end, 2.0 * GBAR, k ? w->near : NULL, mine, &d[k]));
    limit[k] = pd_pair_sweep_limit(mine, 0.1 * d[k], 0.0);
  }
  assert_true(d[0] == d[1] && limit[0] == limit[1]);
}

/* Walks that start in contact of every kind. */
static void walk_about(walk *w, int walks)
{
  pd_law law = law_of(0.3);
  const pd_friction_law friction = {0.6, 0.4, 5e5, 1e2, 0.0};
  law.t = friction;
  for (int k = 0; k < 3; k++) check_ok(pd_pair_work_create(&w->work[k]));
  for (int i = 0; i < walks; i++) {
    if (!pose_make(w->a, w->b, (pose_kind)(i % POSE_KINDS), GBAR, sc_uniform(w->random, 0.05, 0.95),
                   w->random))
      continue;
    for (int k = 0; k < 20; k++) {
      compare_forces(w, &law, i % 2 ? PD_ENERGY_MOMENTUM : PD_END_OF_STEP);
      compare_sweeps(w);
      if (k % 5 == 4) turn_both(w);
      wander(k % 2 ? w->a : w->b, w->random);
    }
  }
  for (int k = 0; k < 3; k++) pd_pair_work_free(w->work[k]);
}

static void test_kept_lists(void **state)
{
  (void)state;
  body shape[6];
  sc_random random = {16};
  pd_mesh mesh;
  const int pair[7][2] = {{0, 4}, {0, 1}, {1, 5}, {1, 2}, {2, 0}, {3, 1}, {0, 3}};
  body_box(&shape[0], 0.1, 0.12, 0.08);
  body_tetrapod(&shape[1]);
  make_fine_box(&shape[2], 0.1, 0.12, 0.08, 60, &random);
  make_ball(&shape[3], 0.06, 6);
  body_box(&shape[4], 0.1, 0.1, 0.1);
  const pd_status status = sc_open_quad(2.0, &mesh);
  body_make(&shape[5], status, &mesh, 0);
  for (int i = 0; i < 7; i++) {
    pd_near *near = (pd_near *)calloc(1, sizeof(pd_near));
    assert_non_null(near);
    walk w = {&shape[pair[i][0]], &shape[pair[i][1]], near, {NULL}, &random, 0, 0, 0, 0};
    walk_about(&w, 200);
    print_message("kept lists %d: found = %d, kept = %d, full = %d, contacts = %d\n", i, w.found,
                  w.kept, w.full, w.contacts);
    assert_true(w.kept > 400 && w.contacts > 1000 && w.full == 0);
    assert_true(near->cap <= PD_NEAR_FEW * 5 / 4 + 8); /* coarse shapes: 1.7 kB */
    pd_near_free(near);
    free(near);
  }
  for (int i = 0; i < 6; i++) body_free(&shape[i]);
}

/* finely meshed shapes have lists as long as what is in reach: stones with tens of vertices within
 * the activation distance against each other and against a face */
static void test_fine_lists(void **state)
{
  (void)state;
  body shape[3];
  sc_random random = {21};
  const int pair[3][2] = {{0, 1}, {0, 2}, {2, 0}};
  make_ball(&shape[0], 0.03, 24);
  make_ball(&shape[1], 0.05, 20);
  body_box(&shape[2], 0.1, 0.1, 0.1);
  for (int i = 0; i < 3; i++) {
    pd_near *near = (pd_near *)calloc(1, sizeof(pd_near));
    assert_non_null(near);
    walk w = {&shape[pair[i][0]], &shape[pair[i][1]], near, {NULL}, &random, 0, 0, 0, 0};
    walk_about(&w, 20);
    print_message("fine lists %d: found = %d, kept = %d, full = %d, room = %d, contacts = %d\n", i,
                  w.found, w.kept, w.full, (int)near->cap, w.contacts);
    assert_true(w.kept > 40 && w.full == 0 && w.contacts > 400);
    pd_near_free(near);
    free(near);
  }
  for (int i = 0; i < 3; i++) body_free(&shape[i]);
}

/* a list without room for the features is left alone for a while: a ball of tiny triangles */
static void test_full_list(void **state)
{
  (void)state;
  body ball, other;
  sc_random random = {17};
  pd_near *near = (pd_near *)calloc(1, sizeof(pd_near));
  assert_non_null(near);
  make_ball(&ball, 0.002, 14);
  make_ball(&other, 0.002, 14);
  walk w = {&ball, &other, near, {NULL}, &random, 0, 0, 0, 0};
  walk_about(&w, 1);
  print_message("full lists: found = %d, kept = %d, full = %d, contacts = %d\n", w.found, w.kept,
                w.full, w.contacts);
  assert_true(w.full > 0);
  pd_near_free(near);
  free(near);
  body_free(&ball);
  body_free(&other);
}

/* ---- ways of large shapes ---- */

/* a body after the part t of a way, and where its way may leave the chord */
static void body_go(const body *from, body *b, pd_vec3 u, pd_vec3 alpha, double t)
{
  body_put(b, pd_axpy(from->x, t, u), pd_m_mul(pd_rodrigues(pd_scale(t, alpha)), from->pose.rot));
}

static double bend_of(const body *b, pd_vec3 alpha)
{
  const double turn = pd_norm(alpha);
  return fmin(0.25 * turn, 1.0) * turn * b->shape.radius;
}

/* on the way that is said to be safe the bodies stay as far apart as asked for; *went: how far */
static void check_way(body *a, body *b, sc_random *random, double *went)
{
  body from[2] = {*a, *b}; /* their places alone */
  const double d = body_distance(a, b, a->shape.radius), keep = d * sc_uniform(random, 0.05, 0.95);
  const double go = d * pow(10.0, sc_uniform(random, -1.0, 1.5));
  const double turn = fmin(1.0, go / a->shape.radius);
  const pd_vec3 u = pd_scale(go, diff_direction(random));
  const pd_vec3 alpha[2] = {pd_scale(turn, diff_direction(random)),
                            pd_scale(turn, diff_direction(random))};
  const pd_pair_geometry at = body_pair(a, b);
  const pd_pair_end end = {pd_m_mul(pd_rodrigues(alpha[0]), a->pose.rot),
                           pd_m_mul(pd_rodrigues(alpha[1]), b->pose.rot), u, pd_v(0.0, 0.0, 0.0)};
  const double speed = go + turn * (a->shape.radius + b->shape.radius);
  double now;
  check_ok(pd_pair_sweep(&at, &end, speed + d, NULL, work, &now));
  check_near(now, d, 1e-9 * d);
  const double t = pd_pair_sweep_limit(work, keep, bend_of(a, alpha[0]) + bend_of(b, alpha[1]));
  for (int k = 1; k <= 8; k++) {
    body_go(&from[0], a, pd_v(0.0, 0.0, 0.0), alpha[0], t * k / 8.0);
    body_go(&from[1], b, u, alpha[1], t * k / 8.0);
    assert_true(body_distance(a, b, a->shape.radius) >= keep * (1.0 - 1e-9));
  }
  *went += t;
}

static void test_ways(void **state)
{
  (void)state;
  body a, b, box;
  sc_random random = {21};
  double went = 0.0;
  int n = 0;
  make_ball(&a, 0.06,
            10); /* two fine shapes: by the trees; a fine and a coarse one: by what is near */
  make_ball(&b, 0.05, 11);
  body_box(&box, 0.1, 0.02, 0.05);
  assert_true(a.shape.nt > PD_SWEEP_LISTS && b.shape.nt > PD_SWEEP_LISTS);
  for (int i = 0; i < 600; i++) {
    body *second = i % 3 ? &b : &box;
    if (!pose_make(&a, second, POSE_RANDOM, GBAR, pow(10.0, sc_uniform(&random, -1.0, 1.0)),
                   &random))
      continue;
    check_way(&a, second, &random, &went);
    n++;
  }
  print_message("ways = %d, mean fraction = %.2f\n", n, went / n);
  assert_true(n > 500 && went / n > 0.2);
  body_free(&a);
  body_free(&b);
  body_free(&box);
}

/* ---- memory ---- */

static pd_status evaluate_all(void *argument)
{
  body *b = (body *)argument;
  pd_pair_work *w;
  pd_contact_list list = {0};
  pd_pair_result r;
  const pd_law law = law_of(0.0);
  double d;
  int yes;
  pd_status status = pd_pair_work_create(&w);
  if (status) return status;
  status = body_eval(&b[0], &b[1], &law, PD_SET_CONTINUOUS, 1, w, &r, &list);
  if (!status) status = body_eval(&b[1], &b[2], &law, PD_SET_CONTINUOUS, 1, w, &r, &list);
  const pd_pair_geometry at = body_pair(&b[0], &b[1]);
  if (!status) status = pd_pair_overlap(&at, w, &yes, &d);
  if (!status) status = pd_pair_clear(&at, w, 1.0, &yes);
  pd_contact_list_free(&list);
  pd_pair_work_free(w);
  return status;
}

static void test_memory(void **state)
{
  (void)state;
  body b[3];
  sc_random random = {14};
  body_tetrapod(&b[0]);
  body_box(&b[1], 0.1, 0.1, 0.1);
  make_ball(&b[2], 0.06, 4);
  body_put(&b[0], pd_v(0.0, 0.0, 0.0), pd_m_identity());
  body_put(&b[1], pd_v(0.0, 0.0, 0.0), pd_m_identity());
  assert_true(pose_make(&b[0], &b[1], POSE_RANDOM, GBAR, 0.3, &random));
  body_put(&b[2], pd_v(0.0, 0.0, -0.1), pd_m_identity());
  check_each_allocation(evaluate_all, b);
  for (int i = 0; i < 3; i++) body_free(&b[i]);
}

/* Once the scratch memory has grown, nothing is requested any more. */
static void test_steady(void **state)
{
  (void)state;
  body a, b;
  sc_random random = {15};
  const pd_allocator counting = {check_allocate, check_reallocate, check_release};
  const pd_law law = law_of(0.3);
  pd_pair_result r;
  body_tetrapod(&a);
  make_ball(&b, 0.06, 4);
  assert_true(pose_make(&a, &b, POSE_RANDOM, GBAR, 0.3, &random));
  pd_set_allocator(&counting);
  check_memory.calls = 0;
  check_memory.fail_at = -1;
  for (int i = 0; i < 10; i++) {
    check_ok(body_eval(&a, &b, &law, PD_SET_CONTINUOUS, 1, work, &r, NULL));
    assert_true(r.ncontact > 0 && body_distance(&a, &b, GBAR) < GBAR);
  }
  pd_set_allocator(NULL);
  assert_int_equal(check_memory.calls, 0);
  body_free(&a);
  body_free(&b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_closest_features),
      cmocka_unit_test(test_triangulation),
      cmocka_unit_test(test_distance),
      cmocka_unit_test(test_parting),
      cmocka_unit_test(test_balls),
      cmocka_unit_test(test_plane),
      cmocka_unit_test(test_beyond_plane),
      cmocka_unit_test(test_touching),
      cmocka_unit_test(test_overlap),
      cmocka_unit_test(test_overlap_random),
      cmocka_unit_test(test_kept_lists),
      cmocka_unit_test(test_enclosing),
      cmocka_unit_test(test_fine_lists),
      cmocka_unit_test(test_full_list),
      cmocka_unit_test(test_ways),
      cmocka_unit_test(test_memory),
      cmocka_unit_test(test_steady),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
