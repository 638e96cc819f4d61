/* SPDX-License-Identifier: MIT
 * First and second derivatives of the distance of two simplices, of its rate and of the contact
 * force, against finite differences of a reference solution in extended precision. */
#include "check.h"
#include "differences.h"
#include "laws.h"
#include "contact/force/scheme.h"
#include "contact/force/term.h"
#include "contact/pair.h"

#define TRIALS 1000
#define BOUND 1e-6
#define LEVER 0.1 /* size of the bodies; distances are 1e-5 to 1e-3 */

/* ---- reference: the local problem by Cramer's rule in extended precision, with one refinement
 * ---- */

typedef long double real;

typedef struct vec {
  real x, y, z;
} vec;

static vec vec_of(pd_vec3 a) { return (vec){a.x, a.y, a.z}; }
static vec axpy(vec a, real s, vec b) { return (vec){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z}; }
static vec minus(vec a, vec b) { return axpy(a, -1, b); }
static real dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static vec cross(vec a, vec b)
{
  return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* simplices of A and of B as levers, centres of the bodies */
typedef struct pose {
  int na, nb;
  vec a[3], b[3], xa, xb;
} pose;

/* coordinate j (u_A, spin_A, u_B, spin_B) moved by t; spins turn the levers by the angle t */
static pose moved(pose p, int j, real t)
{
  const int of_b = j >= 6, i = j % 3;
  const vec e = {i == 0, i == 1, i == 2};
  if (j % 6 < 3) {
    vec *x = of_b ? &p.xb : &p.xa;
    *x = axpy(*x, t, e);
    return p;
  }
  vec *s = of_b ? p.b : p.a;
  for (int k = 0; k < (of_b ? p.nb : p.na); k++) {
    const vec c = cross(e, s[k]);
    s[k] = axpy(axpy(s[k], sinl(t), c), 2 * sinl(t / 2) * sinl(t / 2), cross(e, c));
  }
  return p;
}

typedef struct solution {
  real d, grad[12];
  vec n, pa, pb;
} solution;

/* c minimising |g + c0 t0 + c1 t1| */
static void best_coordinates(int s, const vec *t, vec g, real *c)
{
  c[0] = c[1] = 0;
  if (s == 1) c[0] = -dot(t[0], g) / dot(t[0], t[0]);
  if (s < 2) return;
  const vec n = cross(t[0], t[1]);
  const real det = dot(n, n);
  c[0] = dot(n, cross(t[1], g)) / det;
  c[1] = -dot(n, cross(t[0], g)) / det;
}

static void put(real *out, vec a)
{
  out[0] = a.x;
  out[1] = a.y;
  out[2] = a.z;
}

static solution solve(const pose *p)
{
  vec t[2], c0 = {0, 0, 0};
  int s = 0;
  real c[2];
  solution o;
  for (int k = 1; k < p->na; k++) t[s++] = minus(p->a[k], p->a[0]);
  for (int k = 1; k < p->nb; k++) t[s++] = minus(p->b[0], p->b[k]);
  o.pa = p->a[0];
  o.pb = p->b[0];
  vec g = minus(axpy(p->a[0], 1, p->xa), axpy(p->b[0], 1, p->xb));
  for (int pass = 0; pass < 2; pass++) {
    best_coordinates(s, t, g, c);
    for (int k = 0; k < s; k++) {
      g = axpy(g, c[k], t[k]);
      if (k < p->na - 1)
        o.pa = axpy(o.pa, c[k], t[k]);
      else
        o.pb = axpy(o.pb, -c[k], t[k]);
    }
  }
  o.d = sqrtl(dot(g, g));
  o.n = axpy(c0, 1 / o.d, g);
  put(o.grad, o.n);
  put(o.grad + 3, cross(o.pa, o.n));
  put(o.grad + 6, axpy(c0, -1, o.n));
  put(o.grad + 9, cross(o.n, o.pb));
  return o;
}

/* ---- random configurations ---- */

typedef struct kind {
  const char *name;
  int na, nb;
  double angle_lo, angle_hi; /* of edges, rad */
  double slender;            /* smallest ratio of the triangle's width to its length */
  double bound;
} kind;

/* a contact as the core takes it */
typedef struct config {
  pose p;
  pd_vec3 a[3], b[3], r; /* about A's centre; r from A's centre to B's */
  double d, angle;
} config;

/* n points in the plane of e1 and e2 about x, which lies inside their hull */
static void simplex(sc_random *random, int n, pd_vec3 x, pd_vec3 e1, pd_vec3 e2, double slender,
                    pd_vec3 *out)
{
  out[0] = x;
  if (n == 2)
    for (int k = 0; k < 2; k++)
      out[k] = pd_axpy(x, (k ? 1.0 : -1.0) * LEVER * pow(10.0, sc_uniform(random, -3.0, 0.0)), e1);
  if (n < 3) return;
  const double width = LEVER * pow(slender, sc_uniform(random, 0.0, 1.0));
  double c[3], sum = 0.0;
  for (int k = 0; k < 3; k++) sum += c[k] = sc_uniform(random, 0.01, 1.0);
  const pd_vec3 corner[3] = {
      pd_scale(-LEVER, e1), pd_scale(LEVER, e1),
      pd_axpy(pd_scale(LEVER * sc_uniform(random, -1.0, 1.0), e1), width, e2)};
  pd_vec3 inside = pd_v(0.0, 0.0, 0.0);
  for (int k = 0; k < 3; k++) inside = pd_axpy(inside, c[k] / sum, corner[k]);
  for (int k = 0; k < 3; k++) out[k] = pd_add(x, pd_sub(corner[k], inside));
}

static config random_config(sc_random *random, const kind *y)
{
  config c;
  const pd_mat3 f = pd_q_matrix(sc_rotation(random));
  const pd_vec3 n = pd_v(f.m[0][0], f.m[1][0], f.m[2][0]),
                e1 = pd_v(f.m[0][1], f.m[1][1], f.m[2][1]);
  const pd_vec3 e2 = pd_cross(n, e1);
  c.d = pow(10.0, sc_uniform(random, -5.0, -3.0));
  c.angle = y->angle_lo * pow(y->angle_hi / y->angle_lo, sc_uniform(random, 0.0, 1.0));
  const pd_vec3 u = pd_axpy(pd_scale(cos(c.angle), e1), sin(c.angle), e2);
  const pd_vec3 pa = pd_scale(LEVER * sc_uniform(random, 0.2, 1.0), diff_direction(random));
  const pd_vec3 pb = pd_scale(LEVER * sc_uniform(random, 0.2, 1.0), diff_direction(random));
  c.r = pd_sub(pd_axpy(pa, -c.d, n), pb);
  simplex(random, y->na, pa, u, pd_cross(n, u), y->slender, c.a);
  simplex(random, y->nb, pd_add(c.r, pb), e1, e2, y->slender, c.b);
  c.p.na = y->na;
  c.p.nb = y->nb;
  c.p.xa = (vec){0, 0, 0};
  c.p.xb = vec_of(c.r);
  for (int k = 0; k < y->na; k++) c.p.a[k] = vec_of(c.a[k]);
  for (int k = 0; k < y->nb; k++) c.p.b[k] = minus(vec_of(c.b[k]), c.p.xb);
  return c;
}

/* ---- comparison ---- */

static double unit(int j) { return j % 6 < 3 ? 1.0 : LEVER; }

/* step of coordinate j: small against the distance, a spin also against the angle of edges and the
 * width of slender triangles */
static real step(const config *c, const kind *y, int j)
{
  real h = 3e-3L * (real)c->d;
  if (j % 6 < 3) return h;
  h /= (real)LEVER;
  if (c->p.na == 2 && c->p.nb == 2) h = fminl(h, 3e-3L * (real)c->angle);
  return fminl(h, 3e-3L * (real)y->slender);
}

/* derivatives of the distance (1 x 12) and of its gradient (12 x 12) by differences */
static void difference(const config *c, const kind *y, double *dd, double (*hess)[12])
{
  for (int j = 0; j < 12; j++) {
    const real h = step(c, y, j);
    real first = 0, second[12] = {0};
    for (int k = 1; k <= 3; k++) {
      const pose fore = moved(c->p, j, k * h), back = moved(c->p, j, -k * h);
      const solution p = solve(&fore), m = solve(&back);
      const real w = k == 3 ? 1.0L / 60 : (real)diff_weight[k - 1];
      first += w * (p.d - m.d) / h;
      for (int i = 0; i < 12; i++) second[i] += w * (p.grad[i] - m.grad[i]) / h;
    }
    dd[j] = (double)first;
    for (int i = 0; i < 12; i++) hess[i][j] = (double)second[i];
  }
}

typedef struct errors {
  double distance, first, second, rate; /* entry by entry */
  double norm;                          /* of the second derivatives, relative to their largest */
} errors;

static pd_gap solve_core(const config *c)
{
  return pd_gap_solve(c->p.na, c->a, c->p.nb, c->b, c->r);
}

static void compare(const config *c, const kind *y, errors *worst)
{
  double dd[12], hess[12][12], dq[12], k[12][12] = {{0.0}};
  const pd_gap g = solve_core(c);
  const solution exact = solve(&c->p);
  difference(c, y, dd, hess);
  pd_gap_jt(&g, g.n, dq);
  pd_gap_add_hessian(&g, 1.0, k);
  worst->distance = fmax(worst->distance, fabs(g.d - (double)exact.d) / c->d);
  double largest = 0.0, off = 0.0;
  for (int i = 0; i < 12; i++) {
    worst->first = fmax(worst->first, diff_error(dq[i], dd[i], unit(i), 1.0));
    for (int j = 0; j < 12; j++) {
      const double u = unit(i) * unit(j);
      worst->second = fmax(worst->second, diff_error(k[i][j], hess[i][j], u, 1.0 / LEVER));
      largest = fmax(largest, fabs(hess[i][j]) / u);
      off = fmax(off, fabs(k[i][j] - hess[i][j]) / u);
    }
  }
  worst->norm = fmax(worst->norm, off / largest);
}

/* gap rate n . w at the pose and the motions moved along coordinate j */
static double rate_at(const config *c, const pd_scheme *s, const diff_body *b, int j, double t)
{
  const pose p = moved(c->p, j, (real)t);
  const solution o = solve(&p);
  diff_body m[2] = {b[0], b[1]};
  m[j / 6] = diff_moved(m[j / 6], j % 6, t);
  const pd_velocity ma = diff_motion(s, &m[0]), mb = diff_motion(s, &m[1]);
  vec w = minus(axpy(vec_of(ma.v), 1, cross(vec_of(ma.w), o.pa)), vec_of(mb.v));
  w = minus(w, cross(vec_of(mb.w), o.pb));
  return (double)dot(o.n, w);
}

static void compare_rate(const config *c, const kind *y, pd_scheme_kind scheme, sc_random *random,
                         errors *worst)
{
  const double h = 1e-3;
  const pd_scheme s = diff_scheme(scheme, h);
  const diff_body b[2] = {diff_random(random, h), diff_random(random, h)};
  const pd_velocity ma = diff_motion(&s, &b[0]), mb = diff_motion(&s, &b[1]);
  double row[12];
  const pd_gap g = solve_core(c);
  pd_gap_rate_gradient(&g, &ma, &mb, pd_gap_velocity(&g, &ma, &mb), row);
  for (int j = 0; j < 12; j++) {
    const double t = (double)step(c, y, j);
    double fd = 0.0;
    for (int k = 1; k <= 3; k++)
      fd += diff_weight[k - 1] * (rate_at(c, &s, b, j, k * t) - rate_at(c, &s, b, j, -k * t)) / t;
    worst->rate = fmax(worst->rate, diff_error(row[j], fd, unit(j), 1.0 / h));
  }
}

static void check_kind(const kind *y)
{
  sc_random random = {7};
  errors worst = {0.0, 0.0, 0.0, 0.0, 0.0};
  for (int i = 0; i < TRIALS; i++) {
    const config c = random_config(&random, y);
    compare(&c, y, &worst);
    compare_rate(&c, y, i % 2 ? PD_EULER : PD_NEWMARK, &random, &worst);
  }
  print_message("%s: distance_error = %.1e, gradient_error = %.1e, hessian_error = %.1e, "
                "hessian_error_norm = %.1e, rate_gradient_error = %.1e, bound = %.0e\n",
                y->name, worst.distance, worst.first, worst.second, worst.norm, worst.rate,
                y->bound);
  assert_true(worst.distance < y->bound && worst.first < y->bound);
  assert_true(worst.second < y->bound && worst.rate < y->bound && worst.norm < BOUND);
}

static void test_derivatives(void **state)
{
  (void)state;
  static const kind kinds[] = {
      {"V-F", 1, 3, 1.0, 1.0, 1.0, BOUND},
      {"F-V", 3, 1, 1.0, 1.0, 1.0, BOUND},
      {"V-E", 1, 2, 1.0, 1.0, 1.0, BOUND},
      {"E-V", 2, 1, 1.0, 1.0, 1.0, BOUND},
      {"V-V", 1, 1, 1.0, 1.0, 1.0, BOUND},
      {"E-E", 2, 2, 0.1, 1.57, 1.0, BOUND},
      {"V-F slender to 1e-3", 1, 3, 1.0, 1.0, 1e-3, BOUND},
      {"F-V slender to 1e-3", 3, 1, 1.0, 1.0, 1e-3, BOUND},
      {"E-E 1e-2..1e-1 rad", 2, 2, 1e-2, 1e-1, 1.0, BOUND},
      {"E-E 1e-3..1e-2 rad", 2, 2, 1e-3, 1e-2, 1.0, BOUND},
      {"E-E 1e-4..1e-3 rad", 2, 2, 1e-4, 1e-3, 1.0, BOUND},
      {"E-E 1e-5..1e-4 rad", 2, 2, 1e-5, 1e-4, 1.0, BOUND},
      {"E-E 1e-6..1e-5 rad", 2, 2, 1e-6, 1e-5, 1.0, 1e-4},
  };
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) check_kind(&kinds[i]);
  print_message(
      "bounds: entries relative to themselves or to 1/lever; below 1e-5 rad the normal of two "
      "edges is known to 2e-16/angle only and the contact points to 2e-16/angle^2, hence "
      "1e-4 there; relative to the largest entry (norm) 1e-6 holds everywhere\n");
}

/* ---- the damped force of one term, its motion following the unknowns ---- */

static pd_law damped_law(double n1) { return law_make(1e6, n1, 2e-3, 0.4, 0.3); }

/* force of the term with the unknowns moved along coordinate j; k may be NULL */
static void term_force(const config *c, const pd_law *law, const pd_scheme *s, const diff_body *b,
                       int j, double t, double *force, double (*k)[12])
{
  pd_pose place[2] = {{0}};
  pd_vec3 x[2][3];
  diff_body m[2] = {b[0], b[1]};
  m[j / 6] = diff_moved(m[j / 6], j % 6, t);
  const pd_vec3 du[2] = {pd_sub(m[0].u, b[0].u), pd_sub(m[1].u, b[1].u)};
  const pd_mat3 turn = pd_rodrigues(j % 6 < 3 ? pd_v(0.0, 0.0, 0.0)
                                              : pd_scale(2.0 * tan(0.5 * t), diff_axis(j % 3)));
  const pd_vec3 r = pd_add(c->r, pd_sub(du[1], du[0]));
  for (int i = 0; i < 2; i++) place[i].velocity = diff_motion(s, &m[i]);
  for (int i = 0; i < c->p.na; i++) x[0][i] = j / 6 == 0 ? pd_mv(turn, c->a[i]) : c->a[i];
  for (int i = 0; i < c->p.nb; i++) {
    const pd_vec3 lever = pd_sub(c->b[i], c->r);
    x[1][i] = pd_add(r, j / 6 == 1 ? pd_mv(turn, lever) : lever);
  }
  pd_evaluation p = {0};
  p.a = &place[0];
  p.b = &place[1];
  p.r = r;
  p.law = law;
  p.scheme = &pd_end_of_step_forces;
  p.reduced_mass = 1e-3;
  p.tangent = k != NULL;
  pd_sample_sum sum;
  pd_sample_begin(0, -1, &sum);
  const pd_tangent tangent = {k, NULL};
  const pd_simplex a = {c->p.na, x[0]}, b_side = {c->p.nb, x[1]};
  check_ok(pd_term_add(&p, a, b_side, 1.0, &sum, k ? &tangent : NULL));
  for (int i = 0; i < 12; i++) force[i] = sum.force[i];
}

/* Whether the law is smooth around the gap, and force is transmitted. */
static int smooth(const pd_law *law, double d, const double *force)
{
  const double kinks[] = {law->gb2, (1.0 - law->ramp) * law->gbar, law->gbar};
  for (int i = 0; i < 3; i++)
    if (fabs(d - kinks[i]) < 0.02 * d) return 0;
  return pd_norm(pd_v_load(force)) > 0.1 * pd_law_eval(law, d).fn;
}

/* error of -d(force)/dq relative to its largest entry, or -1 beside a kink */
static double force_error(const config *c, const kind *y, const pd_law *law, const pd_scheme *s,
                          const diff_body *b)
{
  double force[12], k[12][12] = {{0.0}}, largest = 0.0, off = 0.0;
  term_force(c, law, s, b, 0, 0.0, force, k);
  if (!smooth(law, c->d, force)) return -1.0;
  for (int j = 0; j < 12; j++) {
    const double h = (double)step(c, y, j);
    double fd[12] = {0.0}, f[12];
    for (int n = -3; n <= 3; n++) {
      if (n == 0) continue;
      term_force(c, law, s, b, j, n * h, f, NULL);
      const double w = (n > 0 ? 1.0 : -1.0) * diff_weight[abs(n) - 1] / h;
      for (int i = 0; i < 12; i++) fd[i] -= w * f[i];
    }
    for (int i = 0; i < 12; i++) {
      const double u = unit(i) * unit(j);
      largest = fmax(largest, fabs(k[i][j]) / u);
      off = fmax(off, fabs(k[i][j] - fd[i]) / u);
    }
  }
  return off / largest;
}

static void check_force(const kind *y, pd_scheme_kind scheme, double n1)
{
  sc_random random = {11};
  const double h = 1e-3;
  const pd_law law = damped_law(n1);
  const pd_scheme s = diff_scheme(scheme, h);
  double worst = 0.0;
  int tried = 0;
  for (int i = 0; i < TRIALS; i++) {
    const config c = random_config(&random, y);
    const diff_body b[2] = {diff_random(&random, h), diff_random(&random, h)};
    const double e = force_error(&c, y, &law, &s, b);
    tried += e >= 0.0;
    worst = fmax(worst, e);
  }
  print_message("%s damped, n1 = %g, %s: tangent_error = %.1e, configurations = %d\n", y->name, n1,
                scheme == PD_EULER ? "euler" : "newmark", worst, tried);
  assert_true(worst < y->bound && tried > TRIALS / 3);
}

static void test_damped_force(void **state)
{
  (void)state;
  static const kind kinds[] = {
      {"V-F", 1, 3, 1.0, 1.0, 1.0, BOUND}, {"F-V", 3, 1, 1.0, 1.0, 1.0, BOUND},
      {"V-E", 1, 2, 1.0, 1.0, 1.0, BOUND}, {"E-V", 2, 1, 1.0, 1.0, 1.0, BOUND},
      {"V-V", 1, 1, 1.0, 1.0, 1.0, BOUND}, {"E-E", 2, 2, 1e-2, 1.57, 1.0, BOUND},
  };
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    check_force(&kinds[i], PD_NEWMARK, 1.0);
    check_force(&kinds[i], PD_EULER, 1.5);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_derivatives),
      cmocka_unit_test(test_damped_force),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
