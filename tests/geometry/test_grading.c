/* SPDX-License-Identifier: MIT
 * Size distributions: the way from parts to sizes and back, classes, curves that are none; sieve
 * sizes of shapes that are known. */
#include "check.h"
#include "geometry/builtin.h"
#include "geometry/grading.h"
#include "geometry/sieve.h"

static const double opening[] = {0.01, 0.02, 0.03, 0.08}, passing[] = {0.0, 0.4, 0.4, 1.0};
static const pd_grading sieves = {PD_SIEVES, 0.0, 0.0, 4, opening, passing},
                        uniform = {PD_UNIFORM, 2.0, 5.0, 0, NULL, NULL},
                        normal = {PD_LOGNORMAL, 3.0, 0.4, 0, NULL, NULL};

static void test_there_and_back(void **state)
{
  (void)state;
  const pd_grading *const all[] = {&sieves, &uniform, &normal};
  for (int i = 0; i < 3; i++) {
    check_ok(pd_grading_check(all[i]));
    for (double part = 0.013; part < 1.0; part += 0.01)
      check_near(pd_grading_part(all[i], pd_grading_size(all[i], part)), part, 1e-13);
  }
  /* tables of the normal distribution */
  check_near(pd_grading_size(&normal, 0.975), 3.0 * exp(0.4 * 1.959963984540054), 1e-12);
  check_near(pd_grading_size(&sieves, 0.2), 0.01 * sqrt(2.0), 1e-15);
  check_near(pd_grading_part(&sieves, 0.025), 0.4, 1e-15);
  check_near(pd_grading_part(&sieves, 1.0) + pd_grading_part(&uniform, 1.0), 1.0, 0.0);
}

/* every class has the same part of the distribution: by mass of sieves, else by number */
static void test_classes(void **state)
{
  (void)state;
  enum { N = 12 };
  const pd_grading *const all[] = {&sieves, &uniform, &normal};
  for (int i = 0; i < 3; i++) {
    double size[N], share[N], sum = 0.0, mass = 0.0, upto = 0.0;
    pd_grading_classes(all[i], N, size, share);
    for (int k = 0; k < N; k++) {
      sum += share[k];
      mass += share[k] * pow(size[k], 3.0);
    }
    check_near(sum, 1.0, 1e-14);
    for (int k = 0; k < N; k++) {
      upto += i == 0 ? share[k] * pow(size[k], 3.0) / mass : share[k];
      check_near(pd_grading_part(all[i], size[k]), upto - 0.5 / N, 1e-12);
    }
  }
}

static void test_none(void **state)
{
  (void)state;
  static const double down[] = {0.0, 0.5, 0.4, 1.0}, part[] = {0.0, 0.4, 0.5, 0.9},
                      begun[] = {0.1, 0.4, 0.5, 1.0}, same[] = {0.01, 0.02, 0.02, 0.08};
  const pd_grading bad[] = {
      {PD_SIEVES, 0.0, 0.0, 4, opening, down},  {PD_SIEVES, 0.0, 0.0, 4, opening, part},
      {PD_SIEVES, 0.0, 0.0, 4, opening, begun}, {PD_SIEVES, 0.0, 0.0, 4, same, passing},
      {PD_SIEVES, 0.0, 0.0, 1, opening, begun}, {PD_UNIFORM, 5.0, 2.0, 0, NULL, NULL},
      {PD_UNIFORM, 0.0, 2.0, 0, NULL, NULL},    {PD_LOGNORMAL, 1.0, -0.1, 0, NULL, NULL}};
  for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
    check_status(pd_grading_check(&bad[i]), PD_ERANGE);
}

static double sieve_size_of(const char *name, const double *value, double round)
{
  pd_mesh mesh;
  pd_shape shape;
  check_ok(pd_find_builtin(name)->make(value, &mesh));
  check_ok(pd_shape_create_round(&mesh, round, &shape));
  const double size = pd_sieve_size(&shape);
  pd_shape_free(&shape);
  pd_mesh_free(&mesh);
  return size;
}

static void test_sieve_sizes(void **state)
{
  (void)state;
  const double box[] = {3.0, 1.0, 2.0}, needle[] = {3.0, 1.0, 9.0}, one[] = {1.0};
  check_near(sieve_size_of("box", box, 0.0), 2.0, 1e-12);
  check_near(sieve_size_of("box", box, 0.25), 2.5, 1e-12);
  check_near(sieve_size_of("sphere", one, 1.5), 3.0, 1e-12);
  /* an equilateral triangle of side s in its square, one corner in a corner: s cos 15 deg */
  check_near(sieve_size_of("prism", needle, 0.0), sqrt(3.0) * cos(acos(-1.0) / 12.0), 1e-6);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_there_and_back),
      cmocka_unit_test(test_classes),
      cmocka_unit_test(test_none),
      cmocka_unit_test(test_sieve_sizes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
