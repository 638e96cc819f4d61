/* SPDX-License-Identifier: MIT
 * Nothing passes through anything however far bodies turn and fly in a substep: needles, plates and
 * cubes that spin by up to ten radians per substep or fly many times their size. The straight way
 * of every substep is sampled and looked at by separating axes, which the step limiter does not
 * know. Free bodies are not held back.
 *
 *   test_passage [N [SCHEME]]    number of random scenes for each scheme, or for one; else some */
#define _XOPEN_SOURCE 700 /* M_PI */

#include <string.h>

#include "check.h"
#include "world.h"

static int scenes = 60;
static const char *only = NULL; /* of these schemes */

static const pd_scheme_kind schemes[3] = {PD_NEWMARK, PD_EULER, PD_EM};
static const char *const names[3] = {"newmark", "euler", "em"};

static double log_uniform(sc_random *r, double lo, double hi)
{
  return lo * exp(sc_uniform(r, 0.0, log(hi / lo)));
}

static pd_vec3 random_direction(sc_random *r)
{
  return pd_mv(pd_q_matrix(sc_rotation(r)), pd_v(1.0, 0.0, 0.0));
}

/* ---- overlap of two boxes by separating axes ---- */

typedef struct oriented_box {
  pd_vec3 x, half;
  pd_mat3 axes;
} oriented_box;

static double half_width(const oriented_box *b, pd_vec3 d)
{
  const pd_vec3 c = pd_mtv(b->axes, d);
  return fabs(c.x) * b->half.x + fabs(c.y) * b->half.y + fabs(c.z) * b->half.z;
}

static pd_vec3 axis(const oriented_box *b, int k)
{
  return pd_v(b->axes.m[0][k], b->axes.m[1][k], b->axes.m[2][k]);
}

static int parts(const oriented_box *a, const oriented_box *b, pd_vec3 d)
{
  return fabs(pd_dot(pd_sub(b->x, a->x), d)) >= half_width(a, d) + half_width(b, d);
}

static int overlap(const oriented_box *a, const oriented_box *b)
{
  for (int k = 0; k < 3; k++)
    if (parts(a, b, axis(a, k)) || parts(a, b, axis(b, k))) return 0;
  for (int k = 0; k < 9; k++) {
    const pd_vec3 d = pd_cross(axis(a, k / 3), axis(b, k % 3));
    if (pd_norm(d) > 1e-6 && parts(a, b, pd_unit(d))) return 0;
  }
  return 1;
}

/* ---- a substep sampled ---- */

/* a body on the fraction t of its way from one state to the next: u and alpha in proportion */
static oriented_box box_between(const pd_state *from, const pd_state *to, pd_vec3 half, double t)
{
  const pd_quat back = pd_q(from->q.w, -from->q.x, -from->q.y, -from->q.z);
  const pd_quat d = pd_q_mul(to->q, back);
  const pd_vec3 alpha = pd_scale(2.0 * t / d.w, pd_v(d.x, d.y, d.z));
  oriented_box b;
  b.x = pd_axpy(from->x, t, pd_sub(to->x, from->x));
  b.axes = pd_q_matrix(pd_q_mul(pd_rodrigues_quat(alpha), from->q));
  b.half = half;
  return b;
}

static pd_vec3 half_of(const pd_shape *s)
{
  pd_vec3 h = pd_v(0.0, 0.0, 0.0);
  for (int i = 0; i < s->nv; i++) h = pd_max(h, s->v[i]);
  return h;
}

static int way_is_free(const sc_world *w, const pd_state *before)
{
  enum { SAMPLES = 400 };
  const pd_body *a = &w->sys.body[0], *b = &w->sys.body[1];
  for (int i = 0; i <= SAMPLES; i++) {
    const double t = (double)i / SAMPLES;
    const oriented_box p = box_between(&before[0], &a->start, half_of(a->shape), t);
    const oriented_box q = box_between(&before[1], &b->start, half_of(b->shape), t);
    if (overlap(&p, &q)) return 0;
  }
  return 1;
}

/* Steps over the time dt, substeps as long as they succeed; returns how many substeps led through
 * the other body. */
static int count_passages(sc_world *w, double dt, int *given_up)
{
  double h = dt, done = 0.0;
  int passages = 0;
  while (done < dt * (1.0 - 1e-9)) {
    const pd_state before[2] = {w->sys.body[0].start, w->sys.body[1].start};
    h = fmin(h, dt - done);
    const pd_status status = sc_substep(w, h);
    if (status) {
      h *= 0.5;
      if (h > 1e-7 * dt) continue;
      ++*given_up;
      return passages;
    }
    passages += !way_is_free(w, before);
    done += h;
    h *= 2.0;
  }
  return passages;
}

/* ---- random scenes ---- */

static void add_box(sc_world *w, pd_vec3 e, double density, pd_vec3 x, pd_quat q)
{
  pd_mesh mesh;
  check_ok(sc_box(e.x, e.y, e.z, &mesh));
  assert_true(sc_add_body(w, sc_add_shape(w, &mesh, 1), density * e.x * e.y * e.z, x, q) >= 0);
}

/* a law whose penalty part can take up all that moves */
static void harden(sc_world *w, double gbar)
{
  double kinetic = 0.0;
  for (int i = 0; i < w->sys.nbody; i++) {
    const pd_body *b = &w->sys.body[i];
    kinetic += pd_kinetic_translation(&b->inertia, b->start.v) +
               pd_kinetic_rotation(&b->inertia, b->start.q, b->start.w);
  }
  w->law.gbar = gbar;
  w->law.eps1 = 4.0 * kinetic / (gbar * gbar);
  check_ok(pd_law_init(&w->law));
}

/* A needle, a plate or a cube that spins, and one of them at rest in its reach, heavy or light; by
 * chance the first flies, too. Returns 0 where they overlap at the start. */
static int make_scene(sc_world *w, sc_random *r, pd_scheme_kind scheme, double dt)
{
  static const pd_vec3 edges[3] = {{1.0, 0.01, 0.01}, {0.5, 0.5, 0.01}, {0.2, 0.2, 0.2}};
  static const pd_vec3 others[4] = {
      {0.02, 0.02, 0.02}, {0.02, 0.02, 2.0}, {0.5, 0.5, 0.01}, {0.2, 0.2, 0.2}};
  const pd_vec3 e = edges[sc_below(r, 3)], o = others[sc_below(r, 4)];
  const double reach = 0.5 * pd_norm(e);
  check_ok(sc_world_create(w, scheme, sc_block_law(0.1)));
  w->gravity = pd_v(0.0, 0.0, 0.0);
  w->opt.guard = 0.0;
  const pd_quat turned = sc_below(r, 2) ? sc_rotation(r) : pd_q(1.0, 0.0, 0.0, 0.0);
  const pd_vec3 at = pd_scale(sc_uniform(r, 0.1, 1.0) * reach, random_direction(r));
  add_box(w, e, 1000.0, pd_v(0.0, 0.0, 0.0), pd_q(1.0, 0.0, 0.0, 0.0));
  add_box(w, o, sc_below(r, 2) ? 1000.0 : 1e8, sc_below(r, 2) ? pd_v(at.x, at.y, 0.0) : at, turned);
  /* about the axis that sweeps most, or any */
  const pd_vec3 about = sc_below(r, 3) ? pd_v(0.0, 0.0, 1.0) : random_direction(r);
  w->sys.body[0].start.w = pd_scale(log_uniform(r, 0.1, 10.0) / dt, about);
  if (sc_below(r, 2))
    w->sys.body[0].start.v = pd_scale(log_uniform(r, 0.01, 10.0) / dt, random_direction(r));
  harden(w, 5e-4);
  const pd_status status = sc_ready(w);
  if (status != PD_EOVERLAP) check_ok(status);
  return status == PD_OK;
}

static void test_random_scenes(void **state)
{
  (void)state;
  for (int k = 0; k < 3; k++) {
    const double dt = 1e-3;
    sc_random random = {17u};
    if (only && strcmp(only, names[k])) continue;
    int passages = 0, given_up = 0, touched = 0;
    long substeps = 0, failed = 0;
    for (int n = 0; n < scenes;) {
      sc_world w;
      if (make_scene(&w, &random, schemes[k], dt)) {
        for (int i = 0; i < 3; i++) passages += count_passages(&w, dt, &given_up);
        touched += w.count.mingap < DBL_MAX;
        substeps += w.count.substeps;
        failed += w.count.failed;
        n++;
      }
      sc_world_free(&w);
    }
    print_message("%s: scenes = %d, touched = %d, passages = %d, given_up = %d, substeps = %ld, "
                  "failed = %ld\n",
                  names[k], scenes, touched, passages, given_up, substeps, failed);
    assert_int_equal(passages, 0);
    assert_int_equal(given_up, 0);
    assert_true(touched > scenes / 4);
    assert_true(substeps <
                40L * scenes); /* 73 where rounding is taken for force, 11 to 21 without */
  }
}

/* A cube that would turn by exactly 90 degrees in a substep, so that it looks as before, beside one
 * that its corners sweep: it hits. */
static void test_quarter_turn(void **state)
{
  (void)state;
  for (int k = 0; k < 3; k++) {
    sc_world w;
    const double dt = 1e-3;
    int given_up = 0;
    check_ok(sc_world_create(&w, schemes[k], sc_block_law(0.0)));
    w.gravity = pd_v(0.0, 0.0, 0.0);
    w.opt.guard = 0.0;
    add_box(&w, pd_v(0.1, 0.1, 0.1), 1000.0, pd_v(0.0, 0.0, 0.0), pd_q(1.0, 0.0, 0.0, 0.0));
    add_box(&w, pd_v(0.1, 0.1, 0.1), 1000.0, pd_v(0.105, 0.0, 0.0), pd_q(1.0, 0.0, 0.0, 0.0));
    w.sys.body[0].start.w = pd_v(0.0, 0.0, 2.0 / dt);
    harden(&w, 1e-3);
    check_ok(sc_ready(&w));
    assert_int_equal(count_passages(&w, dt, &given_up), 0);
    assert_int_equal(given_up, 0);
    const pd_state *hit = &w.sys.body[1].start;
    print_message("%s: the neighbour moves at %.3g m/s\n", names[k], pd_norm(hit->v));
    assert_true(hit->v.x > 1.0);
    sc_world_free(&w);
  }
}

/* Bodies that spin in the open, others out of reach: one substep per step whatever the turn,
 * angular momentum as it was. */
static void test_free_spin(void **state)
{
  (void)state;
  static const double turns[4] = {0.1, 1.0, 3.0, 10.0};
  for (int k = 0; k < 3; k++)
    for (int n = 0; n < 4; n++) {
      sc_world w;
      const double dt = 1e-3;
      check_ok(sc_world_create(&w, schemes[k], sc_block_law(0.0)));
      w.gravity = pd_v(0.0, 0.0, 0.0);
      add_box(&w, pd_v(0.1, 0.15, 0.2), 1000.0, pd_v(0.0, 0.0, 0.0), pd_q(1.0, 0.0, 0.0, 0.0));
      add_box(&w, pd_v(0.1, 0.1, 0.1), 1000.0, pd_v(0.3, 0.0, 0.0), pd_q(1.0, 0.0, 0.0, 0.0));
      pd_state *s = &w.sys.body[0].start;
      s->w = pd_v(0.0, 0.0, turns[n] / dt);
      check_ok(sc_ready(&w));
      for (int i = 0; i < 100; i++) check_ok(sc_substep(&w, dt));
      check_near(s->w.z, turns[n] / dt, 1e-9 * turns[n] / dt);
      assert_true(pd_norm(pd_v(s->w.x, s->w.y, 0.0)) < 1e-9 * turns[n] / dt);
      assert_int_equal(w.count.limited, 0);
      sc_world_free(&w);
    }
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_free_spin),
      cmocka_unit_test(test_quarter_turn),
      cmocka_unit_test(test_random_scenes),
  };
  if (argc > 1) scenes = atoi(argv[1]);
  if (argc > 2) only = argv[2];
  return cmocka_run_group_tests(tests, NULL, NULL);
}
