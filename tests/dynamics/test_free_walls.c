/* SPDX-License-Identifier: MIT
 * Walls with a degree of freedom: what borders the matrix against differences of the residuals, and
 * that the residual is the balance along the way. */
#include <string.h>

#include "check.h"
#include "world.h"

enum { BODIES = 2, PISTON = BODIES, FLAP, ALL };

static pd_law soft_law(double zeta, double mu)
{
  const pd_friction_law friction = {mu, 0.8 * mu, 2e4, 5.0, 0.0};
  pd_law law = sc_block_law(zeta);
  law.gbar = 1e-2;
  law.eps1 = 3e3;
  if (mu > 0.0) law.t = friction;
  return law;
}

static pd_shape *plate(sc_world *w)
{
  static const pd_vec3 v[4] = {{0, -0.2, 0}, {0, 0.2, 0}, {0, 0.2, 0.4}, {0, -0.2, 0.4}};
  static const int t[2][3] = {{0, 1, 2}, {0, 2, 3}};
  pd_mesh mesh;
  check_ok(pd_mesh_create(4, v, 2, t, &mesh));
  return sc_add_shape(w, &mesh, 0);
}

/* axes whose third one is the given one, along x, y or z */
static pd_mat3 frame(int axis)
{
  pd_mat3 m = {{{0}}};
  for (int k = 0; k < 3; k++) m.m[(axis + 1 + k) % 3][k] = 1.0;
  return m;
}

static void stand_for(sc_world *w, int i, int wall, const pd_shape *shape, pd_vec3 x)
{
  pd_body *b = &w->sys.body[i];
  memset(b, 0, sizeof *b);
  b->shape = shape;
  b->inertia.mass = 3.0;
  b->inertia.j = pd_v(0.2, 0.2, 0.2);
  b->start.x = x;
  b->start.q = pd_q(1.0, 0.0, 0.0, 0.0);
  b->tag = -1 - wall;
  b->owned = b->mobile = 1;
  b->wall = wall + 1;
  b->row = i;
}

/* Two cubes, turned a little, between a floor, a piston over them and a flap on a hinge beside
 * them. */
static void make_press(sc_world *w, pd_scheme_kind scheme, double zeta, double mu)
{
  const pd_vec3 hinge = pd_v(0.056, 0.0, -0.1);
  check_ok(sc_world_create(w, scheme, soft_law(zeta, mu)));
  const pd_shape *cube = sc_block_shape(w);
  for (int i = 0; i < BODIES; i++)
    sc_add_body(w, cube, 1.0, pd_v(0.0, 0.11 * i, 0.056), sc_turn(pd_v(1, 2, 3), 0.01 + 0.02 * i));
  assert_true(sc_add_plane(w, pd_v(0, 0, 0), pd_v(0, 0, 1)));
  assert_true(sc_add_plane(w, pd_v(0, 0, 0.113), pd_v(0, 0, -1)));
  assert_true(sc_add_surface(w, plate(w)));
  check_ok(pd_system_resize(&w->sys, ALL, 3));
  stand_for(w, PISTON, 1, cube, pd_v(0, 0, 0.113));
  stand_for(w, FLAP, 2, w->sys.wall[2].shape, hinge);
  w->sys.body[PISTON].constraint.axes = frame(2);
  w->sys.body[PISTON].constraint.translation = 3;
  w->sys.body[PISTON].constraint.rotation = 7;
  w->sys.body[FLAP].constraint.axes = frame(1);
  w->sys.body[FLAP].constraint.rotation = 3;
  w->sys.body[FLAP].constraint.hinged = 1;
  for (int i = 0; i < BODIES; i++) {
    w->sys.body[i].row = i;
    for (int k = 0; k < 3; k++) {
      const pd_contact_pair pair = {
          .a = i, .b = k == 0 ? 0 : BODIES + k - 1, .wall = k == 0, .law = &w->law, .share = 1.0};
      check_ok(pd_system_add_pair(&w->sys, pair));
    }
  }
  check_ok(pd_system_bind(&w->sys));
  check_ok(pd_system_pattern(&w->sys, 0, ALL));
  assert_int_equal(w->sys.nfree, 2);
  pd_scheme_set_step(&w->sys.scheme, 1e-3);
}

/* unknown of a body, or the way of a wall */
static void move(sc_world *w, int i, int m, double by)
{
  pd_body *b = &w->sys.body[i];
  double x[6], e[6] = {0};
  pd_v_store(x, b->u);
  pd_v_store(x + 3, b->alpha);
  e[m] = 1.0;
  if (i >= BODIES) pd_free_wall_direction(b, e);
  for (int k = 0; k < 6; k++) x[k] += by * e[k];
  b->u = pd_v_load(x);
  b->alpha = pd_v_load(x + 3);
}

static void shake(sc_world *w, sc_random *r)
{
  for (int i = 0; i < ALL; i++) {
    pd_body *b = &w->sys.body[i];
    b->u = b->alpha = pd_v(0.0, 0.0, 0.0);
    for (int m = 0; m < (i < BODIES ? 6 : 1); m++) move(w, i, m, sc_uniform(r, -1e-4, 1e-4));
    b->start.v = pd_v(sc_uniform(r, -0.1, 0.1), sc_uniform(r, -0.1, 0.1), sc_uniform(r, -0.1, 0.1));
    b->start.w = b->start.acc = b->start.wdot = pd_v(0.0, 0.0, 0.0);
    if (i >= BODIES) b->start.v = pd_v(0.0, 0.0, 0.0);
  }
}

/* the residuals of the bodies and, along their ways, of the walls */
static void residual(sc_world *w, double *out)
{
  pd_totals t;
  double e[6];
  check_ok(pd_system_eval(&w->sys, PD_AT_TRIAL, 0, &t));
  pd_system_join_walls(&w->sys, NULL, PD_AT_TRIAL);
  memcpy(out, w->sys.assembly.force, 6 * BODIES * sizeof(double));
  for (int i = BODIES; i < ALL; i++) {
    const double *f = w->sys.assembly.force + 6 * i;
    pd_free_wall_direction(&w->sys.body[i], e);
    out[5 * BODIES + i] = 0.0;
    for (int m = 0; m < 6; m++) out[5 * BODIES + i] += e[m] * f[m];
  }
}

enum { N = 6 * BODIES + 2 };

static const double STEP = 1e-7; /* samples that are about to slip have a kink near */

static void difference(sc_world *w, int i, int m, double step, double *out)
{
  const double c[2] = {2.0 / 3.0, -1.0 / 12.0};
  double up[N], down[N];
  const pd_vec3 u = w->sys.body[i].u, alpha = w->sys.body[i].alpha;
  memset(out, 0, N * sizeof(double));
  for (int k = 0; k < 2; k++) {
    move(w, i, m, (k + 1) * step);
    residual(w, up);
    w->sys.body[i].u = u, w->sys.body[i].alpha = alpha;
    move(w, i, m, -(k + 1) * step);
    residual(w, down);
    w->sys.body[i].u = u, w->sys.body[i].alpha = alpha;
    for (int n = 0; n < N; n++) out[n] += c[k] * (up[n] - down[n]) / step;
  }
}

/* largest difference of entries over the largest entry */
static double compare(sc_world *w, double *contacts)
{
  const pd_assembly *a = &w->sys.assembly;
  double fd[N], worst = 0.0, size = 0.0;
  pd_totals t;
  check_ok(pd_system_eval(&w->sys, PD_AT_TRIAL, 1, &t));
  pd_system_join_walls(&w->sys, NULL, PD_AT_TRIAL);
  *contacts += t.ncontact;
  double by[2][6 * ALL], of[2][6 * ALL], way[2];
  memcpy(by, a->by_wall, sizeof by);
  memcpy(of, a->of_wall, sizeof of);
  memcpy(way, a->wall_by_way, sizeof way);
  for (int f = 0; f < 2; f++) {
    difference(w, BODIES + f, 0, STEP, fd);
    for (int n = 0; n < 6 * BODIES; n++) worst = fmax(worst, fabs(fd[n] - by[f][n]));
    worst = fmax(worst, fabs(fd[6 * BODIES + f] - way[f]));
    size = fmax(size, fabs(way[f]));
    worst = fmax(worst, fabs(fd[6 * BODIES + 1 - f])); /* walls do not touch each other */
  }
  for (int i = 0; i < BODIES; i++)
    for (int m = 0; m < 6; m++) {
      difference(w, i, m, STEP, fd);
      for (int f = 0; f < 2; f++) worst = fmax(worst, fabs(fd[6 * BODIES + f] - of[f][6 * i + m]));
    }
  return worst / size;
}

/* The first cube slides along x alone, the second turns about an axis beside it. */
static void hold(sc_world *w)
{
  pd_constraint *slides = &w->sys.body[0].constraint, *turns = &w->sys.body[1].constraint;
  slides->axes = turns->axes = frame(0);
  slides->translation = 3;
  slides->rotation = 5;
  turns->rotation = 3;
  turns->hinged = 1;
  turns->arm = pd_v(0.0, 0.06, -0.03);
}

static void check_border(pd_scheme_kind scheme, double zeta, double mu, int held)
{
  sc_world w;
  sc_random r = {11};
  double worst = 0.0, contacts = 0.0;
  make_press(&w, scheme, zeta, mu);
  if (held) hold(&w);
  for (int k = 0; k < 10; k++) {
    shake(&w, &r);
    worst = fmax(worst, compare(&w, &contacts));
  }
  print_message("border, scheme %d, zeta %g, mu %g, held %d: error = %.1e, contacts = %.1f\n",
                (int)scheme, zeta, mu, held, worst, contacts / 10.0);
  check_near(worst, 0.0, 1e-10);
  assert_true(contacts / 10.0 > 12.0);
  sc_world_free(&w);
}

static void test_border(void **state)
{
  (void)state;
  check_border(PD_EULER, 0.0, 0.0, 0);
  check_border(PD_EULER, 0.3, 0.4, 0);
  check_border(PD_EULER, 0.3, 0.4, 1);
  check_border(PD_NEWMARK, 0.3, 0.0, 0);
  check_border(PD_NEWMARK, 0.0, 0.4,
               0); /* both: pulling dampers, where Coulomb's limit has a kink */
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_border)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
