/* SPDX-License-Identifier: MIT
 * Kinematics, inertia and its tangent, order and conservation of the schemes without forces. */
#include "check.h"
#include "differences.h"
#include "shapes.h"

#include "dynamics/constraint.h"

enum { STATES = 1000 };

static pd_vec3 random_vector(sc_random *r, double size)
{
  return pd_v(sc_uniform(r, -size, size), sc_uniform(r, -size, size), sc_uniform(r, -size, size));
}

static double distance(pd_mat3 a, pd_mat3 b)
{
  double e = 0.0;
  for (int i = 0; i < 9; i++) e = fmax(e, fabs(a.m[i / 3][i % 3] - b.m[i / 3][i % 3]));
  return e;
}

static double largest(pd_mat3 a) { return distance(a, pd_m_zero()); }

static pd_state random_state(sc_random *r)
{
  pd_state o;
  o.x = random_vector(r, 1.0);
  o.q = sc_rotation(r);
  o.v = random_vector(r, 2.0);
  o.w = random_vector(r, 5.0);
  o.acc = random_vector(r, 20.0);
  o.wdot = random_vector(r, 50.0);
  return o;
}

static pd_inertia random_inertia(sc_random *r)
{
  const double a = sc_uniform(r, 0.5, 1.5), b = sc_uniform(r, 0.5, 1.5),
               c = sc_uniform(r, 0.5, 1.5);
  pd_inertia in;
  in.mass = sc_uniform(r, 0.1, 10.0);
  in.j = pd_v(b + c, a + c, a + b); /* obeys the triangle inequality of moments */
  return in;
}

static pd_state advance(const pd_scheme *s, const pd_state *o, pd_vec3 u, pd_vec3 alpha)
{
  const pd_kinematics k = pd_kinematics_at(s, o, u, alpha);
  return pd_scheme_advance(s, o, u, alpha, &k);
}

/* ---- kinematics ---- */

static void test_rodrigues_is_rotation(void **state)
{
  sc_random r = {1};
  double orthogonal = 0.0, quaternion = 0.0, axis = 0.0, angle = 0.0;
  (void)state;
  for (int i = 0; i < STATES; i++) {
    const pd_vec3 a = random_vector(&r, i % 2 ? 0.1 : 10.0);
    const pd_mat3 q = pd_rodrigues(a);
    orthogonal = fmax(orthogonal, distance(pd_m_mul(q, pd_m_transpose(q)), pd_m_identity()));
    quaternion = fmax(quaternion, distance(q, pd_q_matrix(pd_rodrigues_quat(a))));
    axis = fmax(axis, pd_norm(pd_sub(pd_mv(q, a), a)) / pd_norm(a));
    const double theta = 2.0 * atan(0.5 * pd_norm(a));
    angle = fmax(angle, fabs(q.m[0][0] + q.m[1][1] + q.m[2][2] - 1.0 - 2.0 * cos(theta)));
  }
  print_message("rodrigues: orthogonal = %.1e, quaternion = %.1e, axis = %.1e, angle = %.1e\n",
                orthogonal, quaternion, axis, angle);
  check_near(orthogonal, 0.0, 1e-14);
  check_near(quaternion, 0.0, 1e-14);
  check_near(axis, 0.0, 1e-14);
  check_near(angle, 0.0, 1e-14);
}

/* Xi^-1 Xi = I; Q Xi^T = Xi, so that Xi^T turns moments into pseudo-moments of the start's frame */
static void test_xi_identities(void **state)
{
  sc_random r = {2};
  double inverse = 0.0, turned = 0.0, largest_gain = 0.0;
  (void)state;
  for (int i = 0; i < STATES; i++) {
    const pd_vec3 a = random_vector(&r, i % 2 ? 0.1 : 10.0), d = pd_unit(random_vector(&r, 1.0));
    const pd_mat3 xi = pd_xi(a), inv = pd_xi_inverse(a);
    inverse = fmax(inverse, distance(pd_m_mul(inv, xi), pd_m_identity()));
    const pd_mat3 back = pd_m_mul(pd_rodrigues(a), pd_m_transpose(xi));
    turned = fmax(turned, distance(back, xi));
    largest_gain = fmax(largest_gain, pd_norm(pd_mv(xi, d)));
  }
  print_message("xi: inverse = %.1e, turned = %.1e, norm = %.15f\n", inverse, turned, largest_gain);
  check_near(inverse, 0.0, 1e-13);
  check_near(turned, 0.0, 1e-14);
  assert_true(largest_gain <= 1.0 + 1e-15); /* the step limiter counts on it */
}

/* dQ = skew(Xi d alpha) Q */
static void test_xi_is_spin(void **state)
{
  sc_random r = {3};
  double worst = 0.0;
  (void)state;
  for (int i = 0; i < STATES; i++) {
    const pd_vec3 a = random_vector(&r, i % 2 ? 0.1 : 4.0), d = pd_unit(random_vector(&r, 1.0));
    const double e = 1e-5;
    const pd_mat3 up = pd_rodrigues(pd_axpy(a, e, d)), down = pd_rodrigues(pd_axpy(a, -e, d));
    const pd_mat3 fd = pd_m_scale(0.5 / e, pd_m_add(up, pd_m_scale(-1.0, down)));
    const pd_mat3 exact = pd_m_mul(pd_skew(pd_mv(pd_xi(a), d)), pd_rodrigues(a));
    worst = fmax(worst, distance(fd, exact));
  }
  print_message("xi against differences of Q = %.1e\n", worst);
  check_near(worst, 0.0, 1e-9);
}

/* ---- tangents ---- */

static pd_vec3 moment_at(const pd_scheme *s, const pd_state *o, const pd_inertia *in, pd_vec3 alpha)
{
  const pd_kinematics k = pd_kinematics_at(s, o, pd_v(0.0, 0.0, 0.0), alpha);
  return pd_inertia_moment(s, o, in, alpha, &k, NULL);
}

static pd_vec3 spin_at(const pd_scheme *s, const pd_state *o, pd_vec3 alpha)
{
  return pd_kinematics_at(s, o, pd_v(0.0, 0.0, 0.0), alpha).velocity.w;
}

static void set_column(pd_mat3 *m, int j, pd_vec3 c)
{
  m->m[0][j] = c.x;
  m->m[1][j] = c.y;
  m->m[2][j] = c.z;
}

/* sixth-order central difference of f along axis j */
typedef pd_vec3 (*along)(const pd_scheme *, const pd_state *, const pd_inertia *, pd_vec3);

static pd_vec3 difference(along f, const pd_scheme *s, const pd_state *o, const pd_inertia *in,
                          pd_vec3 a, int j)
{
  const double c[3] = {0.75, -0.15, 1.0 / 60.0}, e = 1e-2;
  const pd_vec3 axis = pd_v(j == 0, j == 1, j == 2);
  pd_vec3 sum = pd_v(0.0, 0.0, 0.0);
  for (int k = 0; k < 3; k++) {
    const pd_vec3 up = f(s, o, in, pd_axpy(a, (k + 1) * e, axis));
    const pd_vec3 down = f(s, o, in, pd_axpy(a, -(k + 1) * e, axis));
    sum = pd_axpy(sum, c[k] / e, pd_sub(up, down));
  }
  return sum;
}

static pd_vec3 spin_along(const pd_scheme *s, const pd_state *o, const pd_inertia *in,
                          pd_vec3 alpha)
{
  (void)in;
  return spin_at(s, o, alpha);
}

/* errors of the tangents of moment and of angular velocity, relative to their largest entries */
static void tangent_errors(const pd_scheme *s, sc_random *r, double size, double *moment,
                           double *spin)
{
  const pd_state o = random_state(r);
  const pd_inertia in = random_inertia(r);
  const pd_vec3 a = random_vector(r, size), zero = pd_v(0.0, 0.0, 0.0);
  const pd_kinematics k = pd_kinematics_at(s, &o, zero, a);
  pd_mat3 d, fd_moment, fd_spin;
  pd_inertia_moment(s, &o, &in, a, &k, &d);
  for (int j = 0; j < 3; j++) {
    set_column(&fd_moment, j, difference(moment_at, s, &o, &in, a, j));
    set_column(&fd_spin, j, difference(spin_along, s, &o, &in, a, j));
  }
  *moment = fmax(*moment, distance(d, fd_moment) / largest(d));
  const pd_mat3 dw = pd_m_mul(k.velocity.dw, k.xi); /* dw is by spin, the differences by alpha */
  *spin = fmax(*spin, distance(dw, fd_spin) / largest(dw));
}

static void check_tangents(pd_scheme_kind kind, const char *name)
{
  const double size[3] = {1e-3, 0.3, 4.0};
  for (int j = 0; j < 3; j++) {
    sc_random r = {(unsigned long long)(10 + j)};
    double moment = 0.0, spin = 0.0;
    for (int i = 0; i < STATES; i++) {
      const pd_scheme s = diff_scheme(kind, pow(10.0, sc_uniform(&r, -5.0, -1.0)));
      tangent_errors(&s, &r, size[j], &moment, &spin);
    }
    print_message("%s tangent, |alpha| to %g: moment = %.1e, angular velocity = %.1e\n", name,
                  size[j], moment, spin);
    check_near(moment, 0.0, 1e-6);
    check_near(spin, 0.0, 1e-6);
  }
}

static void test_tangent_newmark(void **state)
{
  (void)state;
  check_tangents(PD_NEWMARK, "newmark");
}

static void test_tangent_euler(void **state)
{
  (void)state;
  check_tangents(PD_EULER, "euler");
}

/* ---- translation ---- */

/* under a constant force Newmark follows the parabola, whatever the step */
static void test_constant_force(void **state)
{
  const pd_vec3 g = pd_v(1.0, 2.0, -9.81);
  pd_state o = {0};
  (void)state;
  o.q.w = 1.0;
  o.v = pd_v(0.3, -0.2, 0.1);
  o.acc = g;
  const pd_vec3 v0 = o.v;
  double t = 0.0;
  for (int i = 0; i < 100; i++) {
    const pd_scheme s = diff_scheme(PD_NEWMARK, 1e-3 * (1 + i % 7));
    pd_vec3 u, alpha;
    pd_scheme_predict(&s, &o, &u, &alpha);
    assert_true(pd_norm(pd_sub(pd_scheme_acc(&s, &o, u), g)) < 1e-9);
    o = advance(&s, &o, u, alpha);
    o.acc = g; /* rounding would add up: a body in flight takes it from the loads */
    t += s.h;
  }
  const double error = pd_norm(pd_sub(o.x, pd_axpy(pd_scale(t, v0), 0.5 * t * t, g)));
  print_message("newmark, constant force: error of position = %.1e\n", error);
  check_near(error, 0.0, 1e-13);
}

/* ---- external forces that change ---- */

static void check_order(const char *what, double coarse, double fine, double lo, double hi)
{
  const double order = log(coarse / fine) / log(2.0);
  print_message("  %s: order = %.3f\n", what, order);
  assert_true(order > lo && order < hi);
}

static const pd_inertia oscillator = {2.0, {1.0, 2.0, 2.7}};
static const pd_constraint unheld = {0};

/* springs on the place along x and on the angle about z, both of frequency 1 */
static void spring(const pd_state *o, pd_vec3 *f, pd_vec3 *m)
{
  *f = pd_v(-oscillator.mass * o->x.x, 0.0, 0.0);
  *m = pd_v(0.0, 0.0, -oscillator.j.z * 2.0 * atan2(o->q.z, o->q.w));
}

static double kinetic_energy(const pd_state *o)
{
  return pd_kinetic_translation(&oscillator, o->v) + pd_kinetic_rotation(&oscillator, o->q, o->w);
}

/* a step of length h in substeps, of these lengths over it, with the forces of its start */
static pd_state held_step(pd_scheme_kind kind, double h, const double *part, int n,
                          const pd_state *start, pd_vec3 f)
{
  const pd_vec3 zero = pd_v(0.0, 0.0, 0.0);
  pd_state o = *start;
  for (int k = 0; k < n; k++) {
    pd_scheme s = diff_scheme(kind, part[k] * h);
    pd_vec3 u, alpha;
    s.a = 0.5;
    pd_scheme_predict(&s, &o, &u, &alpha);
    if (kind == PD_EULER)
      u = pd_axpy(pd_scale(s.h, o.v), s.h * s.h / oscillator.mass, f), alpha = zero;
    o = advance(&s, &o, u, alpha);
  }
  return o;
}

/* What 100 units of time do to the energy, over it. Euler's scheme alone on the place along x: the
 * test does not solve for its rotation. */
static double drift_on_springs(pd_scheme_kind kind, double h, const double *part, int n)
{
  pd_state o = {0};
  pd_vec3 f, m, f1, m1;
  double worst = 0.0, squares = 0.0;
  for (int k = 0; k < n; k++) squares += part[k] * part[k];
  o.q = kind == PD_EULER ? pd_q(1.0, 0.0, 0.0, 0.0) : pd_q(cos(0.15), 0.0, 0.0, sin(0.15));
  o.x.x = 0.3;
  spring(&o, &f, &m);
  o.acc = pd_scale(1.0 / oscillator.mass, f);
  o.wdot = pd_inertia_spin_up(&o, &oscillator, m);
  const double all = 0.5 * 0.09 * (oscillator.mass + (kind == PD_EULER ? 0.0 : oscillator.j.z));
  for (int i = 0; i < (int)lround(100.0 / h); i++) {
    o = held_step(kind, h, part, n, &o, f);
    spring(&o, &f1, &m1);
    const double before = kinetic_energy(&o), corrected = pd_scheme_corrected_part(kind, squares);
    pd_vec3 dacc, dwdot;
    pd_constraint_respond(&unheld, &o, &oscillator, pd_scale(corrected, pd_sub(f1, f)),
                          pd_scale(corrected, pd_sub(m1, m)), &dacc, &dwdot);
    const double work = pd_correct(&oscillator, h, dacc, dwdot, &o);
    assert_true(fabs(kinetic_energy(&o) - before - work) < 1e-13 * all);
    f = f1, m = m1;
    const double angle = 2.0 * atan2(o.q.z, o.q.w);
    const double now = kinetic_energy(&o) + 0.5 * oscillator.mass * o.x.x * o.x.x +
                       0.5 * oscillator.j.z * angle * angle;
    worst = fmax(worst, fabs(now / all - 1.0));
  }
  return worst;
}

/* forces that are held over a step and corrected at its end: no drift, of second order; Euler's
 * scheme of first order, its part in as many substeps as there may be */
static void test_changing_forces(void **state)
{
  const pd_scheme_kind kinds[] = {PD_EM, PD_NEWMARK};
  const double whole[] = {1.0}, quarters[] = {0.25, 0.25, 0.25, 0.25}, uneven[] = {0.5, 0.3, 0.2};
  (void)state;
  for (int k = 0; k < 2; k++) {
    const double coarse = drift_on_springs(kinds[k], 0.02, whole, 1),
                 fine = drift_on_springs(kinds[k], 0.01, whole, 1);
    print_message("%s on springs: energy = %.2e, %.2e\n", k ? "newmark" : "em", coarse, fine);
    assert_true(fine < 5e-5);
    check_order("energy", coarse, fine, 1.9, 2.1);
  }
  const double parts[] = {drift_on_springs(PD_EULER, 0.01, whole, 1),
                          drift_on_springs(PD_EULER, 0.01, quarters, 4),
                          drift_on_springs(PD_EULER, 0.01, uneven, 3)};
  print_message("euler on springs: energy = %.2e; in 4 and 3 substeps %.2e, %.2e\n", parts[0],
                parts[1], parts[2]);
  for (int k = 0; k < 3; k++) assert_true(parts[k] < 0.006);
}

/* Held axes keep their velocity; along the others, and about a hinge, the momentum changes by all
 * of the force. */
static void test_changing_forces_of_held_bodies(void **state)
{
  sc_random r = {11};
  double kept = 0.0, given = 0.0;
  (void)state;
  for (int i = 0; i < STATES; i++) {
    const pd_state o = random_state(&r);
    const pd_inertia in = random_inertia(&r);
    const pd_vec3 df = random_vector(&r, 1.0), dm = random_vector(&r, 1.0);
    pd_constraint c = {0};
    c.hinged = i % 9 == 8;
    c.rotation = c.hinged ? 3 : i % 8;
    c.translation = c.hinged ? 0 : i % 7;
    c.axes = pd_q_matrix(sc_rotation(&r));
    c.arm = random_vector(&r, 1.0);
    pd_vec3 dacc, dwdot;
    pd_constraint_respond(&c, &o, &in, df, dm, &dacc, &dwdot);
    pd_vec3 force = pd_sub(pd_scale(in.mass, dacc), df),
            moment = pd_sub(pd_inertia_impulse(o.q, &in, dwdot), dm);
    if (c.hinged) {
      moment = pd_add(moment, pd_cross(c.arm, force));
      kept = fmax(kept, pd_norm(pd_sub(dacc, pd_cross(dwdot, c.arm))));
    }
    if (!c.hinged) given = fmax(given, pd_norm(pd_constraint_free(&c, c.translation, force)));
    given = fmax(given, pd_norm(pd_constraint_free(&c, c.rotation, moment)));
    kept = fmax(kept, pd_norm(pd_constraint_held(&c, c.translation, dacc)));
    kept = fmax(kept, pd_norm(pd_constraint_held(&c, c.rotation, dwdot)));
  }
  print_message("held bodies: kept = %.1e, given = %.1e\n", kept, given);
  check_near(kept, 0.0, 1e-13);
  check_near(given, 0.0, 1e-13);
}

/* ---- torque-free top ---- */

static const pd_inertia top = {1.0, {1.0, 2.0, 2.7}};

static pd_state top_start(void)
{
  pd_state o = {0};
  o.q = pd_rodrigues_quat(pd_v(0.3, -0.2, 0.5));
  o.w = pd_mv(pd_q_matrix(o.q), pd_v(0.4, 3.0, 0.5)); /* near the unstable axis: it tumbles */
  o.wdot = pd_inertia_spin_up(&o, &top, pd_v(0.0, 0.0, 0.0));
  return o;
}

static pd_vec3 angular_momentum(const pd_state *o)
{
  return pd_mv(pd_rotate_diag(pd_q_matrix(o->q), top.j), o->w);
}

/* x = A^-1 b by Cramer's rule */
static pd_vec3 solve3(pd_mat3 a, pd_vec3 b)
{
  pd_vec3 c[3];
  for (int j = 0; j < 3; j++) c[j] = pd_v(a.m[0][j], a.m[1][j], a.m[2][j]);
  const double det = pd_dot(c[0], pd_cross(c[1], c[2]));
  return pd_v(pd_dot(b, pd_cross(c[1], c[2])) / det, pd_dot(c[0], pd_cross(b, c[2])) / det,
              pd_dot(c[0], pd_cross(c[1], b)) / det);
}

static pd_state free_step(const pd_scheme *s, const pd_state *o)
{
  pd_vec3 u, alpha;
  pd_scheme_predict(s, o, &u, &alpha);
  for (int it = 0; it < 12; it++) {
    pd_mat3 d;
    const pd_kinematics k = pd_kinematics_at(s, o, u, alpha);
    const pd_vec3 m = pd_inertia_moment(s, o, &top, alpha, &k, &d);
    alpha = pd_sub(alpha, solve3(d, m));
  }
  return advance(s, o, u, alpha);
}

/* what is lost over time 4 in steps of h: orientation against the reference, momentum, energy */
typedef struct loss {
  double increment, momentum, energy;
  pd_state end;
} loss;

static loss spin_top(pd_scheme_kind kind, double h)
{
  const pd_scheme s = diff_scheme(kind, h);
  const pd_state start = top_start();
  const double e0 = pd_kinetic_rotation(&top, start.q, start.w);
  const pd_vec3 l0 = angular_momentum(&start);
  const int n = (int)(4.0 / h + 0.5);
  loss o = {0.0, 0.0, 0.0, start};
  for (int i = 0; i < n; i++) {
    o.end = free_step(&s, &o.end);
    const double e = pd_kinetic_rotation(&top, o.end.q, o.end.w);
    if (fabs(e / e0 - 1.0) > fabs(o.energy)) o.energy = e / e0 - 1.0;
    o.momentum = fmax(o.momentum, pd_norm(pd_sub(angular_momentum(&o.end), l0)) / pd_norm(l0));
  }
  return o;
}

/* classical Runge-Kutta of fourth order on (rotation, angular momentum) as an independent reference
 */
static pd_vec3 free_spin(pd_quat q, pd_vec3 l)
{
  const pd_mat3 r = pd_q_matrix(pd_q_normalize(q));
  return pd_mv(pd_rotate_diag(r, pd_v(1.0 / top.j.x, 1.0 / top.j.y, 1.0 / top.j.z)), l);
}

static pd_quat quaternion_rate(pd_quat q, pd_vec3 l)
{
  const pd_vec3 w = free_spin(q, l);
  return pd_q_mul(pd_q(0.0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z), q);
}

static pd_quat move(pd_quat q, double s, pd_quat d)
{
  return pd_q(q.w + s * d.w, q.x + s * d.x, q.y + s * d.y, q.z + s * d.z);
}

static pd_quat reference(int n)
{
  const pd_state o = top_start();
  const pd_vec3 l = angular_momentum(&o);
  const double h = 4.0 / n;
  pd_quat q = o.q;
  for (int i = 0; i < n; i++) {
    const pd_quat a = quaternion_rate(q, l), b = quaternion_rate(move(q, 0.5 * h, a), l);
    const pd_quat c = quaternion_rate(move(q, 0.5 * h, b), l),
                  d = quaternion_rate(move(q, h, c), l);
    q = move(move(move(move(q, h / 6.0, a), h / 3.0, b), h / 3.0, c), h / 6.0, d);
    q = pd_q_normalize(q);
  }
  return q;
}

static double angle_between(pd_quat a, pd_quat b)
{
  const pd_quat d = pd_q_mul(a, pd_q_conj(b));
  return 2.0 * asin(fmin(1.0, sqrt(d.x * d.x + d.y * d.y + d.z * d.z)));
}

static void check_top(pd_scheme_kind kind, const char *name, const double *h, double lo, double hi)
{
  const pd_quat exact = reference(200000);
  loss e[3];
  for (int i = 0; i < 3; i++) {
    e[i] = spin_top(kind, h[i]);
    e[i].increment = angle_between(e[i].end.q, exact);
    print_message("%s top, h = %g: angle = %.3e, momentum = %.3e, energy = %+.3e\n", name, h[i],
                  e[i].increment, e[i].momentum, e[i].energy);
  }
  check_order("angle", e[1].increment, e[2].increment, lo, hi);
  check_order("energy", fabs(e[1].energy), fabs(e[2].energy), lo, hi);
  if (kind == PD_NEWMARK)
    check_order("momentum", e[1].momentum, e[2].momentum, lo, hi);
  else
    assert_true(e[2].momentum < 1e-12); /* Euler keeps it by construction */
  if (kind == PD_EULER) assert_true(e[2].energy < 0.0);
}

static void test_top_newmark(void **state)
{
  const double h[3] = {4e-3, 2e-3, 1e-3};
  (void)state;
  check_top(PD_NEWMARK, "newmark", h, 1.9, 2.1);
}

static void test_top_euler(void **state)
{
  const double h[3] = {4e-4, 2e-4, 1e-4};
  (void)state;
  check_top(PD_EULER, "euler", h, 0.85, 1.15);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rodrigues_is_rotation),
      cmocka_unit_test(test_xi_identities),
      cmocka_unit_test(test_xi_is_spin),
      cmocka_unit_test(test_tangent_newmark),
      cmocka_unit_test(test_tangent_euler),
      cmocka_unit_test(test_constant_force),
      cmocka_unit_test(test_changing_forces),
      cmocka_unit_test(test_changing_forces_of_held_bodies),
      cmocka_unit_test(test_top_newmark),
      cmocka_unit_test(test_top_euler),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
