/* SPDX-License-Identifier: MIT
 * Damping of edge pairs: it takes no less than nothing and no more than their closest features
 * alone would, in every scheme. */
#include "contact/energy_momentum/forces.h"
#include "contact/pair_work_internal.h"
#include "contact/set/set.h"
#include "poses.h"

#define GBAR 1e-3
#define STEP 1e-3

enum { POSES = 20000 };

static const pd_force_scheme *const schemes[2] = {&pd_energy_momentum_forces,
                                                  &pd_end_of_step_forces};

static pd_law law;
static pd_pair_work *work;

static int set_up(void **state)
{
  (void)state;
  law = law_make(1e7, 1.5, GBAR, 0.3, 0.2);
  check_ok(pd_pair_work_create(&work));
  return 0;
}

static int tear_down(void **state)
{
  (void)state;
  pd_pair_work_free(work);
  return 0;
}

/* power that damping takes in the edge pair under a scheme, energy/time */
static double power_of(pd_evaluation *pair, const pd_force_scheme *scheme, int ea, int eb)
{
  pd_pair_result r;
  pd_result_clear(&r, 0);
  pair->scheme = scheme;
  pair->result = &r;
  check_ok(pd_set_edge_pair(pair, ea, eb));
  pair->result = NULL;
  return r.power;
}

typedef struct count {
  int pairs, fades; /* edge pairs, those of a part of their closest features' damping */
  double worst;     /* energy given, or taken beyond the closest features', over the latter */
} count;

/* The power of the closest features alone is that of the literal set, if those are the interiors.
 */
static void check_edges(pd_evaluation *pair, const pd_force_scheme *scheme, int ea, int eb,
                        count *y)
{
  const double power = power_of(pair, scheme, ea, eb);
  pair->set = PD_SET_LITERAL;
  const double closest = power_of(pair, scheme, ea, eb);
  pair->set = PD_SET_CONTINUOUS;
  const double scale = fmax(closest, fabs(power)) + DBL_MIN;
  y->pairs += power != 0.0;
  y->worst = fmax(y->worst, -power / scale);
  if (closest <= 0.0) return;
  y->fades += power < 0.999 * closest;
  y->worst = fmax(y->worst, (power - closest) / scale);
}

static void move(body *b, sc_random *random)
{
  pd_increment *t = &b->pose.increment;
  t->u = pd_scale(0.1 * GBAR, diff_direction(random));
  t->alpha = pd_scale(0.1 * GBAR / 0.05, diff_direction(random));
  t->dq = pd_rodrigues(t->alpha);
}

static void check_pose(const body *a, const body *b, count *y)
{
  const pd_pair_geometry at = body_pair(a, b);
  const pd_candidates *found = &work->search.candidates;
  pd_evaluation pair = {0};
  int any;
  check_ok(pd_find_candidates(&at, GBAR, &work->search.candidates, &any));
  if (!any) return;
  pair.a = at.a;
  pair.b = at.b;
  pair.r = pd_centre_to_centre(&at);
  pair.law = &law;
  pair.set = PD_SET_CONTINUOUS;
  pair.h = STEP;
  pair.reduced_mass = 0.5;
  pair.reach2 = GBAR * GBAR;
  pair.search = &work->search;
  for (int i = 0; i < found->side[0].ne; i++)
    for (int k = 0; k < found->side[1].ne; k++) {
      const int ea = found->side[0].e[i], eb = found->side[1].e[k];
      if (a->shape.e[ea].sharp && b->shape.e[eb].sharp)
        for (int n = 0; n < 2; n++) check_edges(&pair, schemes[n], ea, eb, y);
    }
}

static void test_power(void **state)
{
  (void)state;
  body a, b;
  sc_random random = {21};
  count y = {0, 0, 0.0};
  body_box(&a, 0.1, 0.12, 0.08);
  body_box(&b, 0.004, 0.004, 0.004);
  for (int i = 0; i < POSES; i++) {
    const double target = sc_uniform(&random, 0.05, 0.95);
    if (!pose_make(&b, &a, (pose_kind)(i % POSE_KINDS), GBAR, target, &random)) continue;
    move(&a, &random);
    move(&b, &random);
    check_pose(&b, &a, &y);
  }
  print_message("edge pairs = %d, fade = %d, worst = %.1e\n", y.pairs, y.fades, y.worst);
  assert_true(y.worst <= 1e-12);
  assert_true(y.pairs > 1000 && y.fades > 100);
  body_free(&a);
  body_free(&b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_power)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
