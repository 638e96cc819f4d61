/* SPDX-License-Identifier: MIT
 * Force of an energy-momentum step: the part beta of the end's own force is there whatever the
 * discrete gradient asks for, also where one end's force alone does its work. */
#include "check.h"
#include "contact/energy_momentum/discrete_gradient.h"

enum { TRIALS = 2000 };

static double number(unsigned *seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / (double)(1u << 24) - 0.5;
}

static pd_vec3 vector(unsigned *seed)
{
  const double x = number(seed), y = number(seed);
  return pd_v(x, y, number(seed));
}

static pd_mat3 matrix(unsigned *seed)
{
  pd_mat3 m;
  for (int i = 0; i < 3; i++) pd_v_store(m.m[i], vector(seed));
  return m;
}

/* forces at both ends and energies that no potential needs to have */
static void make_case(unsigned *seed, pd_em_state *start, pd_em_end *end, pd_em_motion *motion)
{
  const pd_em_state nothing = {0};
  *start = nothing;
  start->active = 1;
  start->energy = number(seed) + 0.5;
  start->f = vector(seed);
  start->ta = matrix(seed);
  start->tb = matrix(seed);
  end->energy = number(seed) + 0.5;
  for (int i = 0; i < 12; i++) {
    end->p[i] = number(seed);
    end->true_lever_force[i] = number(seed);
    for (int j = 0; j < 12; j++) end->k[i][j] = number(seed);
    motion->dq[i] = number(seed);
  }
  const pd_vec3 alpha = pd_scale(0.1, vector(seed)), beta = pd_scale(0.1, vector(seed));
  motion->qa = pd_rodrigues(alpha);
  motion->qb = pd_rodrigues(beta);
  motion->inva = motion->invb = pd_m_identity();
  motion->mobile[0] = 1;
  motion->mobile[1] = 0;
  motion->arm = pd_v(0.0, 0.0, 0.0);
  motion->ka = motion->kb = 0.0;
}

static void force(const pd_em_state *start, const pd_em_end *end, const pd_em_motion *motion,
                  double beta, pd_em_result *out)
{
  const pd_em_choice choice = {PD_EM_KAPPA, 1e-9, beta};
  pd_em_end mine = *end;
  pd_em_force(start, &mine, motion, choice, 1, out);
}

/* P(beta) = beta P_1 + (1 - beta) P(0), the tangents alike; returns whether one end's force did all
 * the work */
static int check_mix(unsigned *seed, double beta)
{
  pd_em_state start;
  pd_em_end end;
  pd_em_motion motion;
  pd_em_result none, mixed;
  make_case(seed, &start, &end, &motion);
  force(&start, &end, &motion, 0.0, &none);
  force(&start, &end, &motion, beta, &mixed);
  double size = 1.0;
  for (int i = 0; i < 12; i++)
    for (int j = 0; j < 12; j++) size = fmax(size, fabs(none.k[i][j]));
  for (int i = 0; i < 12; i++) {
    check_near(mixed.p[i], beta * end.p[i] + (1.0 - beta) * none.p[i], 1e-12 * size);
    for (int j = 0; j < 12; j++)
      check_near(mixed.k[i][j], beta * end.k[i][j] + (1.0 - beta) * none.k[i][j], 1e-11 * size);
  }
  return none.weights.w0 == 0.0 || none.weights.w1 == 0.0;
}

static void test_part_of_the_end(void **state)
{
  (void)state;
  const double beta[] = {0.1, 0.5, 0.999, 1.0};
  unsigned seed = 4711;
  for (int k = 0; k < 4; k++) {
    int alone = 0;
    for (int i = 0; i < TRIALS; i++) alone += check_mix(&seed, beta[k]);
    assert_true(alone > TRIALS / 10);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_part_of_the_end)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
