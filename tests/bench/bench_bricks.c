/* SPDX-License-Identifier: MIT
 * Compatible forces of walls of bricks of two materials, what they cost, `name = value unit`.
 *   bench_bricks COURSES [LAWS]
 * without and with friction, by Hooke's and by Hertz's law; the load is that of a rigid solution by
 * APGD. With LAWS = 1 or 2, Hooke's or both also by the augmented Lagrangian, and how far the
 * forces differ. With friction also the compatible problem that includes it. Processor time, the
 * best of three, but one of the Lagrangian. */
#include <stdio.h>
#include <time.h>

#include "../contact_dynamics/brick_wall.h"

enum { REPEATS = 3 };

static const char *const laws[2] = {"hooke", "hertz"};
static const double exponents[2] = {2.0, 2.5};

static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

static void solve_newton(scene *s, double p, pd_cd_compatible_report *r, double *best)
{
  pd_cd_compatible_options opt = pd_cd_compatible_defaults(p);
  opt.tol = 1e-11;
  *best = DBL_MAX;
  for (int k = 0; k < REPEATS; k++) {
    scene_reset(s);
    const double start = seconds();
    check_ok(pd_cd_compatible_newton(&s->net, &opt, s->load, &s->pool, s->f, s->u, r));
    *best = fmin(*best, seconds() - start);
  }
}

static void compare_lagrange(scene *s, double p, const char *name, double newton)
{
  const size_t n = (size_t)s->net.ncontact;
  pd_cd_compatible_options opt = pd_cd_compatible_defaults(p);
  pd_cd_compatible_report r;
  double *f = zeros(n);
  memcpy(f, s->f, n * sizeof *f);
  opt.tol = 1e-10;
  opt.maxit_inner = 20000;
  scene_reset(s);
  const double start = seconds();
  check_ok(pd_cd_compatible_lagrange(&s->net, &opt, s->load, &s->pool, s->f, s->u, &r));
  const double time = seconds() - start, largest = pd_cd_largest(&s->net, n, f);
  printf("%s_lagrangian_time = %.4g s\n%s_lagrangian_kkt = %.2g 1\n", name, time, name, r.kkt);
  printf("%s_newton_over_lagrangian_time = %.3g 1\n", name, newton / time);
  printf("%s_difference = %.2g 1\n", name, worst_difference(n, f, s->f) / largest);
  free(f);
}

/* The forces with friction that stiff bricks would have after the weights and pushes have grown in
 * proportion, and how far the normal ones are from those of the rigid problem. */
static void measure_friction(scene *s, double rigid_time)
{
  const int n = s->net.ncontact;
  double *given = zeros((size_t)n);
  memcpy(given, s->f, (size_t)n * sizeof *given);
  rest_load(s);
  for (int law = 0; law < 2; law++) {
    pd_cd_compatible_options opt = pd_cd_compatible_defaults(exponents[law]);
    pd_cd_compatible_report r;
    double best = DBL_MAX, apart = 0.0, largest = 0.0;
    opt.tol = 1e-11;
    opt.ratio = 6.0 / 7.0;
    for (int k = 0; k < REPEATS; k++) {
      scene_reset(s);
      const double start = seconds();
      check_ok(pd_cd_compatible_friction(&s->net, &opt, s->load, &s->pool, s->f, s->u, &r));
      best = fmin(best, seconds() - start);
    }
    for (int i = 0; i < n; i++) {
      apart = fmax(apart, fabs(s->f[3 * i] - given[i]));
      largest = fmax(largest, s->f[3 * i]);
    }
    printf("coulomb_%s_steps = %d\ncoulomb_%s_products = %d\n", laws[law], r.iterations, laws[law],
           r.inner);
    printf("coulomb_%s_kkt = %.2g 1\ncoulomb_%s_time = %.4g s\n", laws[law], r.kkt, laws[law],
           best);
    printf("coulomb_%s_over_rigid_time = %.3g 1\n", laws[law], best / rigid_time);
    printf("coulomb_%s_slipping = %d\ncoulomb_%s_from_rigid = %.2g 1\n", laws[law], r.slipping,
           laws[law], apart / largest);
  }
  free(given);
}

/* lagrangian: with how many of the laws the Lagrangian is compared */
static void measure(int courses, double friction, int lagrangian)
{
  scene s;
  pd_cd_options rigid = pd_cd_defaults();
  rigid.tol = 1e-10;
  rigid.maxit = 100000;
  wall_open(&s, courses, 0.004, 1e-13, friction);
  const double start = seconds();
  const double residual = wall_load(&s, &rigid);
  const double time = seconds() - start;
  const char *with = friction > 0.0 ? "friction" : "smooth";
  printf("%s_contacts = %d\n", with, s.net.ncontact);
  printf("%s_rigid_time = %.4g s\n%s_rigid_residual = %.2g 1\n", with, time, with, residual);
  for (int law = 0; law < 2; law++) {
    char name[32];
    double best;
    pd_cd_compatible_report r;
    snprintf(name, sizeof name, "%s_%s", with, laws[law]);
    solve_newton(&s, exponents[law], &r, &best);
    printf("%s_newton_steps = %d\n%s_products = %d\n", name, r.iterations, name, r.inner);
    printf("%s_kkt = %.2g 1\n%s_newton_time = %.4g s\n", name, r.kkt, name, best);
    printf("%s_newton_over_rigid_time = %.3g 1\n", name, best / time);
    if (law < lagrangian) compare_lagrange(&s, exponents[law], name, best);
  }
  if (friction > 0.0) {
    wall_load(&s, &rigid);
    measure_friction(&s, time);
  }
  scene_close(&s);
}

int main(int argc, char **argv)
{
  const int courses = argc > 1 ? atoi(argv[1]) : 0;
  if (courses < 1) {
    fprintf(stderr,
            "usage: bench_bricks COURSES [LAWS]   compared with the Lagrangian: 1 hooke, 2 both\n");
    return 2;
  }
  const int lagrangian = argc > 2 ? atoi(argv[2]) : 0;
  printf("bricks = %d\n", wall_bricks(courses));
  measure(courses, 0.0, lagrangian);
  measure(courses, 0.5, lagrangian);
  return 0;
}
