/* SPDX-License-Identifier: MIT
 * Compatible forces of the cannonball pyramid (section 8.2 of the 2018 paper): error of the floor
 * forces against LAMMPS's granular pair styles, and what the solvers cost, `name = value unit`.
 *   bench_cannonball DEM.csv [base]
 * DEM.csv: per sphere of the lowest layer its vertical forces over the weight of a sphere, a column
 * per law and stiffness (examples/cannonball/dem.csv). With another base than its own the errors
 * are left out. Times are those of the processor, the best of five, but one of the Lagrangian. */
#include <stdio.h>
#include <time.h>

#include "../contact_dynamics/test_cd_scenes.h"

enum { STEPS = 200, REPEATS = 5, NAME = 64 };

static const char *const laws[3] = {"hooke", "hertz", "two"};
static const double exponents[3] = {2.0, 2.5, 2.0};
static const double CD_TOL = 1e-10, KKT_TOL = 1e-12;

/* of this process alone: others may share the machine */
static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* ---- reference ---- */

/* column of a name in a header line, -1 if there is none */
static int find_column(char *header, const char *name)
{
  int column = 0;
  for (char *word = strtok(header, ",\n"); word; word = strtok(NULL, ",\n"), column++)
    if (!strcmp(word, name)) return column;
  return -1;
}

/* the column `name` of a file with comments, a header and n rows; 0 on failure */
static int read_column(const char *path, const char *name, int n, double *x)
{
  FILE *file = fopen(path, "r");
  char line[4096];
  int column = -1, row = 0;
  if (!file) return 0;
  while (row < n && fgets(line, sizeof line, file)) {
    if (line[0] == '#') continue;
    if (column < 0) {
      column = find_column(line, name);
      if (column < 0) break;
      continue;
    }
    char *word = strtok(line, ",\n");
    for (int k = 0; word && k < column; k++) word = strtok(NULL, ",\n");
    if (!word) break;
    x[row++] = strtod(word, NULL);
  }
  fclose(file);
  return row == n;
}

/* |f - reference| / |reference|, the norm of the paper's Table 1 */
static double error_of(int n, const double *f, const double *reference)
{
  double above = 0.0, below = 0.0;
  for (int i = 0; i < n; i++) {
    above += (f[i] - reference[i]) * (f[i] - reference[i]);
    below += reference[i] * reference[i];
  }
  return sqrt(above / below);
}

/* ---- the pyramid ---- */

/* falls from 5 % of a radius between its layers until it rests; the last step's solution stays */
static void settle(pyramid *p)
{
  pd_cd_options opt = pd_cd_defaults();
  pd_cd_report report = {0};
  const size_t n6 = 6 * (size_t)p->count;
  const double g = gravity * p->s.step.dt, start = seconds();
  double speed = 1.0;
  int step = 0, iterations = 0;
  opt.tol = CD_TOL;
  opt.maxit = 100000;
  for (; step < STEPS && speed > 1e-9; step++) {
    memcpy(p->s.v0, p->s.v, n6 * sizeof(double));
    pyramid_geometry(p);
    scene_reset(&p->s);
    check_ok(pd_cd_step_solve(&p->s.net, &opt, &p->s.step, &p->s.pool, &report));
    assert_true(report.converged);
    iterations += report.iterations;
    for (int i = 0; i < p->count; i++)
      p->x[i] = pd_axpy(p->x[i], p->s.step.dt, pd_v_load(p->s.v + 6 * i));
    speed = (pd_cd_largest(&p->s.net, n6, p->s.v) + pd_cd_largest(&p->s.net, n6, p->s.v0)) / g;
  }
  pd_cd_step_load(&p->s.net, &p->s.step, p->s.load);
  const double closed = pd_cd_mark_closed(&p->s.net, p->s.slack, 1e-6 * g);
  printf("settling_steps = %d\nsettling_time = %.3g s\nsettling_iterations = %d\n", step,
         seconds() - start, iterations);
  printf("speed_at_rest = %.2e g dt\nclosed_contacts = %.0f of %d\n", speed, closed,
         p->s.net.ncontact);
}

/* stiffnesses of a law: with two materials E1 = 5 E0, E0 for the even indices, in series */
static void set_stiffness(pyramid *p, int law)
{
  for (int i = 0; i < p->s.net.ncontact; i++) {
    pd_cd_contact *c = &p->s.net.contact[i];
    const int odd = c->a % 2 + c->b % 2;
    c->k = law < 2 || odd == 2 ? 1.0 : odd == 1 ? 1.0 / 3.0 : 1.0 / 5.0;
  }
}

/* vertical forces on the spheres of the lowest layer, in weights */
static void floor_forces(const pyramid *p, double *out)
{
  const int n = p->base * p->base;
  for (int i = 0; i < n; i++) out[i] = 0.0;
  for (int i = 0; i < p->s.net.ncontact; i++) {
    const pd_cd_contact *c = &p->s.net.contact[i];
    if (c->b < n) out[c->b] += p->s.f[i] * c->n.z / (p->mass * gravity);
  }
}

/* ---- solutions, from a cold start, and the best of their times ---- */

static double time_rigid(pyramid *p, double tol, int *iterations)
{
  pd_cd_options opt = pd_cd_defaults();
  pd_cd_report report;
  double best = INFINITY;
  opt.tol = tol;
  opt.maxit = 100000;
  for (int k = 0; k < REPEATS; k++) {
    scene_reset(&p->s);
    const double start = seconds();
    check_ok(pd_cd_step_solve(&p->s.net, &opt, &p->s.step, &p->s.pool, &report));
    best = fmin(best, seconds() - start);
    assert_true(report.converged);
  }
  *iterations = report.iterations;
  return best;
}

static double time_newton(pyramid *p, double exponent, double tol, pd_cd_compatible_report *report)
{
  pd_cd_compatible_options opt = pd_cd_compatible_defaults(exponent);
  double best = INFINITY;
  opt.tol = tol;
  for (int k = 0; k < REPEATS; k++) {
    scene_reset(&p->s);
    const double start = seconds();
    check_ok(
        pd_cd_compatible_newton(&p->s.net, &opt, p->s.load, &p->s.pool, p->s.f, p->s.u, report));
    best = fmin(best, seconds() - start);
    assert_true(report->converged);
  }
  return best;
}

/* once: it may take long, or end above the tolerance */
static double time_lagrange(pyramid *p, double exponent, double tol,
                            pd_cd_compatible_report *report)
{
  pd_cd_compatible_options opt = pd_cd_compatible_defaults(exponent);
  opt.tol = tol;
  opt.maxit_inner = 20000;
  scene_reset(&p->s);
  const double start = seconds();
  check_ok(
      pd_cd_compatible_lagrange(&p->s.net, &opt, p->s.load, &p->s.pool, p->s.f, p->s.u, report));
  return seconds() - start;
}

/* Against DEM at 50 GPa, and against its limit of infinite stiffness: two runs a factor of ten
 * apart whose errors fall as stiffness^-power */
static void report_errors(int law, int n, const double *f, const char *path)
{
  const char *const pair[3][2] = {{"hooke-3", "hooke-2"}, {"hertz-1", "hertz"}, {"two-3", "two-2"}};
  const double ratio = pow(10.0, law == 1 ? 2.0 / 3.0 : 1.0);
  double *x = zeros((size_t)n), *y = zeros((size_t)n);
  if (read_column(path, laws[law], n, x))
    printf("error_%s = %.3g 1\n", laws[law], error_of(n, f, x));
  else
    printf("# %s: no column %s of %d rows\n", path, laws[law], n);
  if (read_column(path, pair[law][0], n, x) && read_column(path, pair[law][1], n, y)) {
    for (int i = 0; i < n; i++) y[i] = (ratio * y[i] - x[i]) / (ratio - 1.0);
    printf("error_%s_extrapolated = %.3g 1\n", laws[law], error_of(n, f, y));
  }
  free(x);
  free(y);
}

static double report_law(pyramid *p, int law, const char *path)
{
  pd_cd_compatible_report r;
  const int n = p->base * p->base;
  double *f = zeros((size_t)n), total = 0.0;
  set_stiffness(p, law);
  const double time = time_newton(p, exponents[law], KKT_TOL, &r);
  floor_forces(p, f);
  for (int i = 0; i < n; i++) total += f[i];
  report_errors(law, n, f, path);
  printf("floor_total_error_%s = %.2e weights\nkkt_%s = %.2e 1\n", laws[law],
         fabs(total - pyramid_weight(p)), laws[law], r.kkt);
  printf("newton_time_%s = %.4g s\nnewton_steps_%s = %d\nnewton_products_%s = %d\n", laws[law],
         time, laws[law], r.iterations, laws[law], r.inner);
  free(f);
  return r.kkt;
}

/* Newton and the augmented Lagrangian to the same tolerance; returns the ratio of their times */
static double compare(pyramid *p, int law, double tol)
{
  pd_cd_compatible_report newton, lagrange;
  char name[NAME];
  set_stiffness(p, law);
  const double a = time_newton(p, exponents[law], tol, &newton),
               b = time_lagrange(p, exponents[law], tol, &lagrange);
  snprintf(name, sizeof name, "%s_%.0e", laws[law], tol);
  printf("newton_time_%s = %.4g s\nlagrange_time_%s = %.4g s\n", name, a, name, b);
  printf("lagrange_kkt_%s = %.2e 1\nlagrange_iterations_%s = %d\n", name, lagrange.kkt, name,
         lagrange.inner);
  printf("newton_over_al_time_%s = %.4g 1\n", name, a / b);
  fflush(stdout);
  return a / b;
}

/* all three laws; the largest of the ratios is the bench's figure */
static void compare_laws(pyramid *p)
{
  const double tols[2] = {1e-6, 1e-12};
  for (int k = 0; k < 2; k++) {
    double worst = 0.0;
    for (int law = 0; law < 3; law++) worst = fmax(worst, compare(p, law, tols[k]));
    printf("newton_over_al_time_%.0e = %.4g 1\n", tols[k], worst);
  }
}

static void compare_rigid(pyramid *p)
{
  pd_cd_compatible_report report;
  int iterations;
  double worst = 0.0;
  const double rigid = time_rigid(p, CD_TOL, &iterations);
  printf("cd_time = %.4g s\ncd_iterations = %d\n", rigid, iterations);
  for (int law = 0; law < 3; law++) {
    set_stiffness(p, law);
    const double ratio = time_newton(p, exponents[law], CD_TOL, &report) / rigid;
    printf("newton_over_cd_time_%s = %.4g 1\n", laws[law], ratio);
    worst = fmax(worst, ratio);
  }
  printf("newton_over_cd_time = %.4g 1\n", worst);
}

int main(int argc, char **argv)
{
  pyramid p;
  double worst = 0.0;
  if (argc < 2) {
    fprintf(stderr, "usage: bench_cannonball DEM.csv [base]\n");
    return 2;
  }
  const int base = argc > 2 ? atoi(argv[2]) : 20;
  if (base < 2) {
    fprintf(stderr, "bench_cannonball: base %s: must be a number of at least 2\n", argv[2]);
    return 2;
  }
  pyramid_open(&p, base, 0.05);
  settle(&p);
  for (int law = 0; law < 3; law++) worst = fmax(worst, report_law(&p, law, argv[1]));
  printf("kkt_residual = %.2e 1\n", worst);
  compare_rigid(&p);
  compare_laws(&p);
  pyramid_close(&p);
  return 0;
}
