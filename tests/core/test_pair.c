/* SPDX-License-Identifier: MIT
 * Contact of a pair of bodies: forces against the energy, tangent against the forces, both against
 * finite differences; balance of forces and moments; exchange of the bodies; energy against the
 * plain sum over all features; plane against triangulated wall. */
#include "poses.h"

#define LEVER 0.1
#define BOUND 1e-6
#define GBAR 1e-3
#define STEP 1e-3 /* of the unknowns' time step */

enum { SCENES = 5, POSES = 60 };

typedef struct scene {
  const char *name;
  body a, b;
} scene;

static scene scenes[SCENES];
static pd_pair_work *work;

static void make_tetrapod(body *b)
{
  pd_mesh mesh;
  const pd_status status = sc_tetrapod(0.1, 0.03, 0.6, &mesh);
  body_make(b, status, &mesh, 1);
}

static void make_box(body *b)
{
  pd_mesh mesh;
  const pd_status status = sc_box(0.1, 0.12, 0.08, &mesh);
  body_make(b, status, &mesh, 1);
}

static void make_l_prism(body *b)
{
  pd_mesh mesh;
  const pd_status status = sc_l_prism(0.12, 0.04, 0.05, &mesh);
  body_make(b, status, &mesh, 1);
}

static void make_wall(body *b)
{
  pd_mesh mesh;
  const pd_status status = sc_open_quad(0.1, &mesh);
  body_make(b, status, &mesh, 0);
}

static int set_up(void **state)
{
  (void)state;
  static const char *names[SCENES] = {"box-box", "box-tetrapod", "tetrapod-tetrapod", "L-box",
                                      "box-wall"};
  void (*const first[SCENES])(body *) = {make_box, make_box, make_tetrapod, make_l_prism, make_box};
  void (*const second[SCENES])(body *) = {make_box, make_tetrapod, make_tetrapod, make_box,
                                          make_wall};
  for (int i = 0; i < SCENES; i++) {
    scenes[i].name = names[i];
    first[i](&scenes[i].a);
    second[i](&scenes[i].b);
  }
  check_ok(pd_pair_work_create(&work));
  return 0;
}

static int tear_down(void **state)
{
  (void)state;
  for (int i = 0; i < SCENES; i++) {
    body_free(&scenes[i].a);
    body_free(&scenes[i].b);
  }
  pd_pair_work_free(work);
  return 0;
}

static pd_law law_of(double n1, double zeta)
{
  pd_law law = {0};
  law.eps1 = 1e6;
  law.n1 = n1;
  law.gbar = GBAR;
  law.f = 0.1;
  law.n2 = -1.0;
  law.zeta = zeta;
  law.ramp = 0.3;
  check_ok(pd_law_init(&law));
  return law;
}

/* ---- finite differences over the unknowns of a step ---- */

typedef struct trial {
  body *body[2];
  diff_body m[2];
  pd_scheme s;
  pd_law law;
  pd_contact_set set;
} trial;

/* A step whose end is the present pose, with random unknowns; a wall stands still. */
static trial make_trial(scene *z, pd_contact_set set, pd_law law, pd_scheme_kind kind,
                        sc_random *random)
{
  trial t = {{&z->a, &z->b}, {diff_random(random, STEP), diff_random(random, STEP)},
             diff_scheme(kind, STEP), law, set};
  for (int i = 0; i < 2; i++) {
    diff_body *m = &t.m[i];
    m->alpha = pd_scale(0.01, m->alpha);
    const pd_quat end = pd_q_from_matrix(t.body[i]->place.rot);
    m->o.q = pd_q_mul(pd_q_conj(pd_rodrigues_quat(m->alpha)), end);
    m->o.v = pd_scale(0.01, m->o.v);
    m->o.acc = pd_scale(0.1, m->o.acc);
    m->u = pd_scale(0.01, m->u);
    m->o.x = pd_sub(t.body[i]->x, m->u);
  }
  return t;
}

/* Evaluates with unknown j moved by x. */
static void eval_at(const trial *t, int j, double x, int tangent, pd_pair_result *result,
                    pd_contact_list *list)
{
  diff_body m[2] = {t->m[0], t->m[1]};
  m[j / 6] = diff_moved(m[j / 6], j % 6, x);
  for (int i = 0; i < 2; i++) {
    body_put(t->body[i], pd_add(m[i].o.x, m[i].u),
             pd_m_mul(pd_rodrigues(m[i].alpha), pd_q_matrix(m[i].o.q)));
    t->body[i]->place.motion = diff_motion(&t->s, &m[i]);
  }
  const pd_vec3 r0 = pd_sub(m[1].o.x, m[0].o.x), ru = pd_sub(m[1].u, m[0].u);
  check_ok(pd_pair_eval(&t->body[0]->place, &t->body[1]->place, r0, ru, &t->law, t->set, tangent, work,
                        result, list));
}

static double unit(int j) { return j % 6 < 3 ? 1.0 : LEVER; }

/* 13 numbers by unknown j: force and energy; six-point and four-point differences */
static void differences(const trial *t, int j, double h, double *six, double *four)
{
  static const double w4[2] = {2.0 / 3.0, -1.0 / 12.0};
  for (int i = 0; i < 13; i++) six[i] = four[i] = 0.0;
  for (int n = 1; n <= 3; n++) {
    pd_pair_result p, m;
    eval_at(t, j, n * h, 0, &p, NULL);
    eval_at(t, j, -n * h, 0, &m, NULL);
    for (int i = 0; i < 13; i++) {
      const double d = i < 12 ? p.force[i] - m.force[i] : p.energy - m.energy;
      six[i] += diff_weight[n - 1] * d / h;
      if (n < 3) four[i] += w4[n - 1] * d / h;
    }
  }
}

typedef struct tally {
  double force, tangent; /* worst errors */
  int n, kinks;          /* derivatives compared, and left out because of a kink nearby */
} tally;

/* Compares column j; a column whose two differences disagree has a kink of the law or of the set of
 * contacts within the stencil, and no derivative. */
static void compare_column(const trial *t, const pd_pair_result *r, int j, double ksize, double fsize,
                           tally *y)
{
  const double gap = fmin(r->mingap, GBAR);
  const double h = j % 6 < 3 ? 1e-3 * gap : 1e-3 * fmin(gap / LEVER, 2e-3);
  double six[13], four[13], off = 0.0, split = 0.0;
  differences(t, j, h, six, four);
  for (int i = 0; i < 12; i++) {
    const double u = unit(i) * unit(j) * ksize;
    off = fmax(off, fabs(six[i] + r->k[i][j]) / u);
    split = fmax(split, fabs(six[i] - four[i]) / u);
  }
  const double esplit = fabs(six[12] - four[12]) / (unit(j) * fsize);
  y->n++;
  if (split > 0.1 * BOUND || esplit > 0.1 * BOUND) {
    y->kinks++;
    return;
  }
  y->tangent = fmax(y->tangent, off);
  if (t->law.zeta == 0.0)
    y->force = fmax(y->force, fabs(six[12] + r->force[j]) / (unit(j) * fsize));
}

static void compare(const trial *t, tally *y)
{
  pd_pair_result r;
  eval_at(t, 0, 0.0, 1, &r, NULL);
  double ksize = 0.0, fsize = 0.0;
  for (int i = 0; i < 12; i++) {
    fsize = fmax(fsize, fabs(r.force[i]) / unit(i));
    for (int j = 0; j < 12; j++) ksize = fmax(ksize, fabs(r.k[i][j]) / (unit(i) * unit(j)));
  }
  if (r.ncontact == 0 || fsize < 1e-6 * pd_law_eval(&t->law, r.mingap).fn) return;
  /* forces that cancel still come from terms of this size */
  fsize = fmax(fsize, pd_law_eval(&t->law, r.mingap).fn);
  for (int j = 0; j < 12; j++) compare_column(t, &r, j, ksize, fsize, y);
}

static void check_scene(scene *z, pd_contact_set set, pd_law law, pd_scheme_kind kind)
{
  sc_random random = {42};
  tally y = {0.0, 0.0, 0, 0};
  for (int i = 0; i < POSES * POSE_KINDS; i++) {
    const double target = pow(10.0, sc_uniform(&random, -1.5, -0.02));
    if (!pose_make(&z->a, &z->b, (pose_kind)(i % POSE_KINDS), GBAR, target, &random, work)) continue;
    const trial t = make_trial(z, set, law, kind, &random);
    compare(&t, &y);
  }
  print_message("%s %s n1 = %g zeta = %g: force_error = %.1e, tangent_error = %.1e, columns = %d, "
                "kinks = %d\n",
                z->name, set == PD_SET_LITERAL ? "literal" : "continuous", law.n1, law.zeta, y.force,
                y.tangent, y.n, y.kinks);
  assert_true(y.force < BOUND && y.tangent < BOUND);
  assert_true(y.n > POSES * POSE_KINDS && y.kinks < y.n / 10);
}

static void test_derivatives(void **state)
{
  (void)state;
  for (int i = 0; i < SCENES; i++) {
    check_scene(&scenes[i], PD_SET_CONTINUOUS, law_of(1.0, 0.0), PD_NEWMARK);
    check_scene(&scenes[i], PD_SET_CONTINUOUS, law_of(1.5, 0.3), PD_NEWMARK);
    check_scene(&scenes[i], PD_SET_CONTINUOUS, law_of(1.0, 0.3), PD_EULER);
    check_scene(&scenes[i], PD_SET_LITERAL, law_of(1.0, 0.3), PD_NEWMARK);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_derivatives),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
