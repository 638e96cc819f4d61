/* SPDX-License-Identifier: MIT
 * Tangential law: return map against the rules of the 2021 paper, tangent against finite
 * differences. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "base/blocks.h"
#include "contact/law/friction.h"
#include "shapes.h"

/* kinematics linear in the 12 unknowns, so that their gradients are exact */
typedef struct linear {
  pd_friction_kinematics at;
  pd_vec3 r; /* resultant of the normal forces */
  pd_grad dr, dy, dv;
} linear;

static pd_vec3 random_vector(sc_random *seed, double size)
{
  return pd_v(size * (sc_uniform(seed, -1.0, 1.0)), size * (sc_uniform(seed, -1.0, 1.0)),
              size * (sc_uniform(seed, -1.0, 1.0)));
}

static pd_grad random_gradient(sc_random *seed, double size)
{
  pd_grad g;
  for (int i = 0; i < 36; i++) g.m[i / 12][i % 12] = size * (sc_uniform(seed, -1.0, 1.0));
  return g;
}

static linear random_state(sc_random *seed)
{
  linear s;
  s.r = pd_axpy(pd_v(0.0, 0.0, 20.0 + 100.0 * sc_uniform(seed, 0.0, 1.0)), 1.0,
                random_vector(seed, 10.0));
  s.at.y = random_vector(seed, 1e-4 * pow(10.0, -2.0 * sc_uniform(seed, 0.0, 1.0)));
  s.at.v = random_vector(seed, 0.02);
  s.dr = random_gradient(seed, 1e3);
  s.dy = random_gradient(seed, 1.0);
  s.dv = random_gradient(seed, 10.0);
  pd_sample_normal(&s.at, s.r);
  return s;
}

static pd_vec3 moved(pd_vec3 x, const pd_grad *g, int j, double h)
{
  return pd_axpy(x, h, pd_v(g->m[0][j], g->m[1][j], g->m[2][j]));
}

static pd_vec3 force_at(const pd_friction_law *law, const linear *s, const pd_friction_history *old,
                        int j, double h)
{
  pd_friction_kinematics m = s->at;
  pd_sample_normal(&m, moved(s->r, &s->dr, j, h));
  m.y = moved(m.y, &s->dy, j, h);
  m.v = moved(m.v, &s->dv, j, h);
  return pd_friction_eval(law, &m, old, 0).f;
}

/* derivative of the force, by the chain rule */
static pd_grad gradient_at(const linear *s, const pd_friction_slopes *by)
{
  pd_grad df;
  double dbound[12];
  pd_g_mul(&df, by->y, &s->dy);
  pd_g_add_mul(&df, by->v, &s->dv);
  pd_g_add_mul(&df, pd_m_mul(by->n, s->at.turn), &s->dr);
  pd_g_row(&s->dr, s->at.n, dbound);
  pd_g_rank1(&df, 1.0, by->bound, dbound);
  return df;
}

/* largest error of df relative to the largest entry of df */
static double gradient_error(const pd_friction_law *law, const linear *s,
                             const pd_friction_history *old)
{
  const double h = 1e-8;
  const pd_friction_result o = pd_friction_eval(law, &s->at, old, 1);
  const pd_grad df = gradient_at(s, &o.by);
  double worst = 0.0, scale = 0.0;
  for (int j = 0; j < 12; j++) {
    const pd_vec3 d =
        pd_scale(0.5 / h, pd_sub(force_at(law, s, old, j, h), force_at(law, s, old, j, -h)));
    const pd_vec3 a = pd_v(df.m[0][j], df.m[1][j], df.m[2][j]);
    worst = fmax(worst, pd_norm(pd_sub(d, a)));
    scale = fmax(scale, pd_norm(a));
  }
  return worst / scale;
}

static void tangent_agrees_with_differences(void **state)
{
  (void)state;
  const pd_friction_law laws[4] = {{0.5, 0.5, 1e6, 0.0, 0.0},
                                   {0.9, 0.6, 1e6, 50.0, 0.0},
                                   {0.9, 0.6, 1e6, 50.0, 0.01},
                                   {0.3, 0.2, 1e4, 500.0, 0.0}};
  sc_random seed = {11};
  int stick = 0, slip = 0;
  double worst = 0.0;
  for (int k = 0; k < 1000; k++) {
    const linear s = random_state(&seed);
    pd_friction_history old = {0};
    old.slipping = k & 1;
    const pd_friction_law *law = &laws[k % 4];
    const pd_friction_result o = pd_friction_eval(law, &s.at, &old, 1);
    if (o.history.slipping)
      slip++;
    else
      stick++;
    worst = fmax(worst, gradient_error(law, &s, &old));
  }
  printf("friction_tangent_error = %.3g\nstick_states = %d\nslip_states = %d\n", worst, stick,
         slip);
  assert_true(stick > 100 && slip > 100);
  assert_true(worst < 1e-6);
}

/* slope of the force along a slip of the given size under a constant normal force */
static double slope_along(double slip, pd_tangent_kind kind)
{
  const pd_friction_law law = {0.5, 0.5, 1e6, 0.0, 0.0};
  const pd_friction_history fresh = {0};
  pd_friction_kinematics m = {0};
  pd_sample_normal(&m, pd_v(0.0, 0.0, 100.0));
  m.y.x = slip;
  return pd_friction_eval(&law, &m, &fresh, kind).by.y.m[0][0];
}

/* It holds back a sample that slips, by no more than the secant -mu N / slip: not beyond the place
 * without slip. */
static void tangent_from_afar_is_between_newton_and_secant(void **state)
{
  (void)state;
  assert_true(slope_along(2e-5, PD_TANGENT_FROM_AFAR) == slope_along(2e-5, PD_TANGENT));
  for (double slip = 1e-4; slip < 1e-2; slip *= 2.0) {
    const double secant = -50.0 / slip, afar = slope_along(slip, PD_TANGENT_FROM_AFAR);
    assert_true(fabs(slope_along(slip, PD_TANGENT)) < 1e-9 * fabs(secant));
    assert_true(afar < 0.25 * secant && afar >= secant);
  }
}

static void force_obeys_coulomb(void **state)
{
  (void)state;
  const pd_friction_law law = {0.9, 0.6, 1e6, 50.0, 0.0};
  sc_random seed = {5};
  for (int k = 0; k < 10000; k++) {
    const linear s = random_state(&seed);
    pd_friction_history old = {0};
    old.slipping = k & 1;
    const pd_friction_result o = pd_friction_eval(&law, &s.at, &old, 0);
    const double mu = old.slipping ? law.mu_d : law.mu_s, limit = mu * pd_norm(s.r);
    assert_true(pd_norm(o.f) <= limit * (1.0 + 1e-14));
    assert_true(fabs(pd_dot(o.f, s.r)) <= 1e-12 * limit * limit / mu);
    assert_true(law.eps_t * pd_norm(o.history.gt) <= limit * (1.0 + 1e-14));
    if (o.history.slipping) assert_true(pd_norm(o.f) >= limit * (1.0 - 1e-14));
  }
}

/* spring, sudden drop from static to dynamic one substep later, recovery: eqs. (54)-(58) */
static void static_limit_then_dynamic(void **state)
{
  (void)state;
  const pd_friction_law law = {0.9, 0.6, 1e6, 0.0, 0.0};
  pd_friction_kinematics m = {0};
  pd_friction_history slip = {0};
  pd_sample_normal(&m, pd_v(0.0, 0.0, 100.0));
  m.y = pd_v(8e-5, 0.0, 0.0);
  pd_friction_result o = pd_friction_eval(&law, &m, &slip, 0);
  assert_true(!o.history.slipping && fabs(o.f.x + 80.0) < 1e-12);
  m.y = pd_add(o.history.gt, pd_v(2e-5, 0.0, 0.0));
  o = pd_friction_eval(&law, &m, &o.history, 0);
  assert_true(o.history.slipping && fabs(o.f.x + 90.0) < 1e-12);
  m.y = pd_add(o.history.gt, pd_v(1e-6, 0.0, 0.0));
  o = pd_friction_eval(&law, &m, &o.history, 0);
  assert_true(o.history.slipping && fabs(o.f.x + 60.0) < 1e-12 &&
              fabs(o.history.gt.x - 6e-5) < 1e-18);
  m.y = pd_add(o.history.gt, pd_v(-1e-5, 0.0, 0.0));
  o = pd_friction_eval(&law, &m, &o.history, 0);
  assert_true(!o.history.slipping && fabs(o.f.x + 50.0) < 1e-12);
}

static void smooth_transition_follows_the_speed(void **state)
{
  (void)state;
  const pd_friction_law law = {0.9, 0.6, 1e6, 0.0, 0.01};
  for (int k = 0; k < 5; k++) {
    const double v = 0.01 * k;
    pd_friction_kinematics m = {0};
    pd_friction_history old = {0};
    pd_sample_normal(&m, pd_v(0.0, 0.0, 100.0));
    m.y.x = 1.0;
    m.v.x = v;
    old.slipping = k & 1;
    const pd_friction_result o = pd_friction_eval(&law, &m, &old, 0);
    assert_true(fabs(o.f.x + 100.0 * (0.6 + 0.3 * exp(-v / 0.01))) < 1e-10);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tangent_agrees_with_differences),
      cmocka_unit_test(tangent_from_afar_is_between_newton_and_secant),
      cmocka_unit_test(force_obeys_coulomb), cmocka_unit_test(static_limit_then_dynamic),
      cmocka_unit_test(smooth_transition_follows_the_speed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
