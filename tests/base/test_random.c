/* SPDX-License-Identifier: MIT
 * Random numbers by key: those that others have published, evenness, independence of rows. */
#include "base/random.h"

#include "check.h"

enum { MANY = 100000 };

/* SplitMix64 from the seed 0, as its authors' code has them */
static void test_published(void **state)
{
  (void)state;
  const uint64_t expected[] = {0xe220a8397b1dcdafu, 0x6e789e6aa1b965f4u, 0x06c45d188009454fu};
  pd_random row = {0};
  for (int i = 0; i < 3; i++) assert_true(pd_draw(&row) == pd_unit_interval(expected[i]));
}

/* mean and variance of an even distribution; rows of other items and purposes do not follow */
static void test_rows(void **state)
{
  (void)state;
  double sum = 0.0, sum2 = 0.0, along = 0.0, across = 0.0;
  for (uint64_t i = 0; i < MANY; i++) {
    pd_random a = pd_random_row(4711, i, 0), b = pd_random_row(4711, i, 1);
    pd_random next = pd_random_row(4711, i + 1, 0);
    const double x = pd_draw(&a) - 0.5, y = pd_draw(&b) - 0.5, z = pd_draw(&next) - 0.5;
    assert_true(x >= -0.5 && x < 0.5);
    sum += x;
    sum2 += x * x;
    along += x * z;
    across += x * y;
  }
  check_near(sum / MANY, 0.0, 4.0 / sqrt(12.0 * MANY));
  check_near(sum2 / MANY, 1.0 / 12.0, 4.0 * sqrt(1.0 / 180.0 / MANY));
  check_near(along / MANY, 0.0, 4.0 / (12.0 * sqrt(MANY)));
  check_near(across / MANY, 0.0, 4.0 / (12.0 * sqrt(MANY)));
}

/* a vector that is turned by them points everywhere alike */
static void test_rotations(void **state)
{
  (void)state;
  pd_vec3 mean = pd_v(0.0, 0.0, 0.0), square = mean;
  for (uint64_t i = 0; i < MANY; i++) {
    pd_random row = pd_random_row(1, i, 0);
    const pd_quat q = pd_draw_rotation(&row);
    check_near(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1.0, 1e-15);
    const pd_vec3 n = pd_mv(pd_q_matrix(q), pd_unit(pd_v(1.0, 2.0, 3.0)));
    mean = pd_axpy(mean, 1.0 / MANY, n);
    square = pd_axpy(square, 1.0 / MANY, pd_v(n.x * n.x, n.y * n.y, n.z * n.z));
  }
  check_near(pd_norm(mean), 0.0, 4.0 / sqrt(MANY));
  for (int k = 0; k < 3; k++)
    check_near(k == 0 ? square.x : k == 1 ? square.y : square.z, 1.0 / 3.0, 4.0 * 0.3 / sqrt(MANY));
}

/* of the first n, every interval [0, x) has its part to a few numbers */
static void test_even_numbers(void **state)
{
  (void)state;
  enum { BINS = 16 };
  int count[BINS] = {0};
  for (uint64_t k = 0; k < MANY; k++) {
    count[(int)(BINS * pd_even_number(99, k))]++;
    double upto = 0.0;
    for (int b = 0; b < BINS && (k + 1) % 1000 == 0; b++) {
      upto += count[b];
      check_near(upto, (double)(k + 1) * (b + 1) / BINS, 5.0);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_published),
      cmocka_unit_test(test_rows),
      cmocka_unit_test(test_rotations),
      cmocka_unit_test(test_even_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
