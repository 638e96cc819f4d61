/* SPDX-License-Identifier: MIT
 * The normal law: matching conditions, potential, force and derivatives against finite differences,
 * damping, and the check of the parameters. */
#include "check.h"
#include "contact/law/normal.h"
#include "shapes.h"

#define DERIVATIVE 1e-7 /* relative; six-point differences reach 1e-9 */

static const double all_n1[] = {1.0, 1.5, 2.0}, all_n2[] = {-1.0, -2.0, -0.5};

static pd_law law_of(double n1, double n2)
{
  pd_law law = {0};
  law.eps1 = 3e6;
  law.n1 = n1;
  law.gbar = 2e-3;
  law.f = 0.1;
  law.n2 = n2;
  check_ok(pd_law_init(&law));
  return law;
}

static void for_all_laws(void (*check)(pd_law))
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) check(law_of(all_n1[i], all_n2[j]));
}

/* force and stiffness agree at f gbar, all vanishes at gbar */
static void check_matching(pd_law law)
{
  const pd_law_value a = pd_law_penalty(&law, law.gb2), b = pd_law_barrier(&law, law.gb2);
  check_near(a.phi, b.phi, 1e-13 * a.phi);
  check_near(a.fn, b.fn, 1e-13 * a.fn);
  check_near(a.df, b.df, -1e-13 * a.df);
  const pd_law_value near = pd_law_eval(&law, law.gbar * (1.0 - 1e-9));
  assert_true(near.fn > 0.0 && near.fn < 1e-8 * a.fn);
  const pd_law_value at = pd_law_eval(&law, law.gbar), beyond = pd_law_eval(&law, 2.0 * law.gbar);
  assert_true(at.phi == 0.0 && at.fn == 0.0 && at.df == 0.0 && at.d2f == 0.0);
  assert_true(beyond.phi == 0.0 && beyond.fn == 0.0 && beyond.df == 0.0 && beyond.d2f == 0.0);
}

static void test_matching(void **state)
{
  (void)state;
  for_all_laws(check_matching);
}

/* lengths have no scale of their own, with exponents either whose powers leave the range of numbers
 */
static void test_scale(void **state)
{
  static const double n1[] = {1.0, 3.0, 24.0}, n2[] = {-1.0, -2.0, -3.0};
  static const int exponents[] = {-31, -3, 20, 34};
  (void)state;
  for (int n = 0; n < 36; n++) {
    const int k = exponents[n / 9];
    pd_law law[2];
    for (int i = 0; i < 2; i++) {
      law[i] = law_of(n1[n % 3], n2[n / 3 % 3]);
      law[i].gbar = ldexp(2e-3, i * k);
      law[i].eps1 = pd_power(law[i].gbar, -law[i].n1);
      check_ok(pd_law_init(&law[i]));
    }
    for (double g = 0.02; g < 1.0; g += 0.07) {
      const pd_law_value a = pd_law_eval(&law[0], g * law[0].gbar),
                         b = pd_law_eval(&law[1], g * law[1].gbar);
      assert_true(ldexp(a.phi, k) == b.phi && a.fn == b.fn && a.fn > 0.0);
      assert_true(ldexp(a.df, -k) == b.df && ldexp(a.d2f, -2 * k) == b.d2f);
    }
    const double x = 1e-3 * law[0].gbar, e = pd_law_energy_at_depth(&law[0], 2.0, x);
    assert_true(ldexp(e, k) == pd_law_energy_at_depth(&law[1], 2.0, ldexp(x, k)));
    check_near(pd_law_depth_of_energy(&law[1], 2.0, ldexp(e, k)), ldexp(x, k), ldexp(1e-16, k));
  }
}

/* linear penalty and logarithmic barrier have closed forms: eqs. (51)-(52) with n1 = 1, n2 = -1 */
static void test_closed_form(void **state)
{
  (void)state;
  const pd_law law = law_of(1.0, -1.0);
  const double b = law.gb2, eps2 = law.eps1 * b * b, c2 = law.eps1 * (law.gbar - 2.0 * b);
  check_near(law.eps2, eps2, 1e-14 * eps2);
  check_near(law.c2, c2, 1e-14 * c2);
  const double g = 0.3 * b, x = law.gbar - b;
  const double phi = 0.5 * law.eps1 * x * x + eps2 * log(b / g) + c2 * (b - g);
  check_near(pd_law_eval(&law, g).phi, phi, 1e-14 * phi);
  check_near(pd_law_eval(&law, g).fn, eps2 / g + c2, 1e-14 * (eps2 / g + c2));
  check_near(pd_law_eval(&law, 0.5 * law.gbar).fn, 0.5 * law.eps1 * law.gbar, 1e-9);
}

/* six-point central difference of function i of the values (0 phi, 1 fn, 2 df) */
static double pick(const pd_law *law, double g, int i)
{
  const pd_law_value v = pd_law_eval(law, g);
  return i == 0 ? v.phi : i == 1 ? v.fn : v.df;
}

static double slope(const pd_law *law, double g, double h, int i)
{
  static const double c[3] = {0.75, -0.15, 1.0 / 60.0};
  double sum = 0.0;
  for (int k = 1; k <= 3; k++)
    sum += c[k - 1] * (pick(law, g + k * h, i) - pick(law, g - k * h, i));
  return sum / h;
}

/* largest step that keeps the stencil within one branch of the law */
static double stencil(const pd_law *law, double g)
{
  const double room = g < law->gb2 ? fmin(g, law->gb2 - g) : fmin(g - law->gb2, law->gbar - g);
  return 0.02 * room;
}

static double worst;

static void check_law_derivatives(pd_law law)
{
  sc_random random = {1};
  for (int i = 0; i < 1000; i++) {
    const double g = i % 2 ? sc_uniform(&random, law.gb2, law.gbar)
                           : law.gb2 * pow(10.0, sc_uniform(&random, -4.0, 0.0));
    const double h = stencil(&law, g);
    if (h < 1e-4 * g) continue;
    const pd_law_value v = pd_law_eval(&law, g);
    const double exact[3] = {-v.fn, v.df, v.d2f};
    const double size[3] = {v.phi, v.fn, fabs(v.df)};
    assert_true(v.phi > 0.0 && v.fn > 0.0 && v.df < 0.0 && v.d2f >= 0.0);
    for (int k = 0; k < 3; k++) {
      /* the difference loses the digits that the step takes of the function */
      const double scale = fabs(exact[k]) + 1e-8 * size[k] / h;
      worst = fmax(worst, fabs(slope(&law, g, h, k) - exact[k]) / scale);
    }
  }
}

static void test_derivatives(void **state)
{
  (void)state;
  worst = 0.0;
  for_all_laws(check_law_derivatives);
  print_message("law_derivative_error = %.2e\n", worst);
  assert_true(worst < DERIVATIVE);
}

/* what the estimates of impacts take from the penalty part: depth, force and potential agree */
static void check_spring(pd_law law)
{
  const double n = 3.0, x = 0.4 * law.gbar;
  const pd_law_value v = pd_law_eval(&law, law.gbar - x);
  const double force = n * v.fn, energy = n * v.phi;
  check_near(pd_law_force_at_depth(&law, x), v.fn, 1e-12 * v.fn);
  check_near(pd_law_energy_at_depth(&law, n, x), energy, 1e-12 * energy);
  check_near(pd_law_depth_of_energy(&law, n, energy), x, 1e-12 * x);
  check_near(pd_law_depth_of_both(&law, energy, force), x, 1e-12 * x);
  check_near(pd_law_force_of_energy(&law, energy, x), force, 1e-12 * force);
  const double half = -pd_law_eval(&law, 0.5 * law.gbar).df;
  check_near(pd_law_stiffness(&law), half, 1e-12 * half);
}

static void test_spring(void **state)
{
  (void)state;
  for_all_laws(check_spring);
}

/* The energy of the barrier is unbounded for n2 <= -1 only. */
static void test_barrier_energy(void **state)
{
  (void)state;
  for (int i = 0; i < 3; i++) {
    const pd_law weak = law_of(all_n1[i], -0.5), log_law = law_of(all_n1[i], -1.0);
    const pd_law strong = law_of(all_n1[i], -2.0);
    assert_true(pd_law_eval(&weak, 1e-200).phi < 10.0 * weak.phib);
    assert_true(pd_law_eval(&log_law, 1e-200).phi > 10.0 * log_law.phib);
    assert_true(pd_law_eval(&strong, 1e-100).phi > 1e50 * strong.phib);
  }
}

static double normal(const pd_law *law, double g, double gdot)
{
  return pd_law_damped(law, pd_law_eval(law, g), g, gdot, 0.7).n;
}

/* worst error of both derivatives of the damped force at random gaps and rates */
static double damping_error(const pd_law *law, sc_random *random)
{
  const double g = sc_uniform(random, 0.02, 0.999) * law->gbar;
  const double gdot = sc_uniform(random, -3.0, 3.0);
  const double edge = (1.0 - law->ramp) * law->gbar; /* the ramp has a kink here */
  const double h = fmin(stencil(law, g), 0.02 * fabs(g - edge)), k = 1e-3;
  const pd_law_value v = pd_law_eval(law, g);
  const pd_normal_force f = pd_law_damped(law, v, g, gdot, 0.7);
  assert_true(f.n >= 0.0 && f.dn_dgd <= 0.0);
  if (f.n == 0.0) {
    assert_true(f.dn_dg == 0.0 && f.dn_dgd == 0.0);
    return 0.0;
  }
  /* differences hold away from the kinks of branches, ramp and separation */
  if (h < 1e-4 * g || f.n < 0.2 * v.fn || f.n + 4.0 * k * f.dn_dgd < 0.0) return 0.0;
  static const double c[3] = {0.75, -0.15, 1.0 / 60.0};
  double dg = 0.0, dv = 0.0;
  for (int i = 1; i <= 3; i++) {
    dg += c[i - 1] * (normal(law, g + i * h, gdot) - normal(law, g - i * h, gdot)) / h;
    dv += c[i - 1] * (normal(law, g, gdot + i * k) - normal(law, g, gdot - i * k)) / k;
  }
  return fmax(fabs(dg - f.dn_dg) / (fabs(v.df) + fabs(f.dn_dg) + 1e-8 * f.n / h),
              fabs(dv - f.dn_dgd) / (fabs(f.dn_dgd) + 1e-8 * f.n / k));
}

static void check_damping(pd_law law)
{
  static const double ramps[] = {0.0, 0.1, 0.5, 1.0};
  sc_random random = {2};
  for (int i = 0; i < 4000; i++) {
    law.zeta = i % 2 ? 0.05 : 0.7;
    law.ramp = ramps[i / 2 % 4];
    check_ok(pd_law_init(&law));
    worst = fmax(worst, damping_error(&law, &random));
  }
}

static void test_damping(void **state)
{
  (void)state;
  worst = 0.0;
  for_all_laws(check_damping);
  print_message("damping_derivative_error = %.2e\n", worst);
  assert_true(worst < DERIVATIVE);
}

/* eq. (53): n = fn - 2 zeta sqrt(-f' m) gdot where the ramp is over; approach adds, parting takes
 * away, never below zero */
static void test_damping_value(void **state)
{
  (void)state;
  pd_law law = law_of(1.0, -1.0);
  law.zeta = 0.3;
  law.ramp = 0.1;
  check_ok(pd_law_init(&law));
  const double g = 0.5 * law.gbar, c = 2.0 * 0.3 * sqrt(law.eps1 * 0.7),
               fn = 0.5 * law.eps1 * law.gbar;
  check_near(normal(&law, g, -1.0), fn + c, 1e-9);
  check_near(normal(&law, g, 0.1), fn - 0.1 * c, 1e-9);
  assert_true(normal(&law, g, 1e3) == 0.0);
  /* half way up the ramp */
  const double x = 0.05 * law.gbar;
  check_near(normal(&law, law.gbar - x, -1.0), law.eps1 * x + 0.5 * c, 1e-9);
  assert_true(normal(&law, law.gbar, -1.0) == 0.0);
}

static pd_status init_with(size_t offset, double value)
{
  pd_law law = law_of(1.5, -1.0);
  *(double *)((char *)&law + offset) = value;
  return pd_law_init(&law);
}

static void test_parameters(void **state)
{
  (void)state;
  static const struct {
    size_t at;
    double bad[3];
  } cases[] = {
      {offsetof(pd_law, eps1), {0.0, -1.0, INFINITY}},
      {offsetof(pd_law, n1), {0.99, -1.0, INFINITY}},
      {offsetof(pd_law, gbar), {0.0, -1.0, INFINITY}},
      {offsetof(pd_law, f), {0.0, 1.0, -0.1}},
      {offsetof(pd_law, n2), {0.0, 1.0, -INFINITY}},
      {offsetof(pd_law, zeta), {-0.1, -1.0, INFINITY}},
      {offsetof(pd_law, ramp), {-0.1, 1.1, INFINITY}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    for (int k = 0; k < 3; k++) check_status(init_with(cases[i].at, cases[i].bad[k]), PD_ERANGE);
    check_status(init_with(cases[i].at, NAN), PD_ERANGE);
  }
  check_ok(init_with(offsetof(pd_law, zeta), 0.0));
  check_ok(init_with(offsetof(pd_law, ramp), 1.0));
  /* constants that overflow */
  check_status(init_with(offsetof(pd_law, n2), -1000.0), PD_ERANGE);
  check_status(init_with(offsetof(pd_law, gbar), 1e200), PD_ERANGE);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_matching),    cmocka_unit_test(test_closed_form),
      cmocka_unit_test(test_derivatives), cmocka_unit_test(test_barrier_energy),
      cmocka_unit_test(test_damping),     cmocka_unit_test(test_damping_value),
      cmocka_unit_test(test_parameters),  cmocka_unit_test(test_spring),
      cmocka_unit_test(test_scale),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
