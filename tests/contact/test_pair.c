/* SPDX-License-Identifier: MIT
 * Contact of a pair of bodies: forces against the energy, tangent against the forces, both against
 * finite differences; balance of forces and moments; exchange of the bodies; energy against the
 * plain sum over all features; plane against triangulated wall. */
#include <stdlib.h>
#include <string.h>

#include "contact/energy_momentum/damping_limit.h"
#include "geometry/distance.h"
#include "poses.h"

#define LEVER 0.1
#define BOUND 1e-6
#define GBAR 1e-3
#define STEP 1e-3 /* of the unknowns' time step */

/* poses of a scene and kind: for derivatives sixty in tests/long/test_more_poses.py; for properties
 * as many as it takes to meet contacts of all kinds */
enum { SCENES = 5, ROUNDED = 6, POSES = 25, POSES_OF_PROPERTIES = 180 };

static int poses = POSES;

typedef struct scene {
  const char *name;
  body a, b;
} scene;

static scene polyhedra[SCENES], rounded[ROUNDED];
static scene *scenes = polyhedra; /* those that the properties are checked of */
static int nscene = SCENES;
static pd_pair_work *work;
static pd_friction_records memory; /* of friction */

static void make_box(body *b) { body_box(b, 0.1, 0.12, 0.08); }

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

static void make_ball(body *b) { body_ball(b, 0.05); }
static void make_capsule(body *b) { body_capsule(b, 0.02, 0.1); }
static void make_small_capsule(body *b) { body_capsule(b, 0.003, 0.05); }

static void make_round_box(body *b)
{
  pd_mesh mesh;
  const pd_status status = sc_box(0.1, 0.12, 0.08, &mesh);
  body_make_round(b, status, &mesh, 0.01);
}

static void set_up_rounded(void)
{
  static const char *names[ROUNDED] = {"ball-ball",       "ball-tetrapod",       "tetrapod-ball",
                                       "capsule-capsule", "round box-round box", "capsule-wall"};
  void (*const first[ROUNDED])(body *) = {make_ball,    make_ball,      body_tetrapod,
                                          make_capsule, make_round_box, make_capsule};
  void (*const second[ROUNDED])(body *) = {make_ball,          body_tetrapod,  make_ball,
                                           make_small_capsule, make_round_box, make_wall};
  for (int i = 0; i < ROUNDED; i++) {
    rounded[i].name = names[i];
    first[i](&rounded[i].a);
    second[i](&rounded[i].b);
  }
}

static int set_up(void **state)
{
  (void)state;
  set_up_rounded();
  static const char *names[SCENES] = {"box-box", "box-tetrapod", "tetrapod-tetrapod", "L-box",
                                      "box-wall"};
  void (*const first[SCENES])(body *) = {make_box, make_box, body_tetrapod, make_l_prism, make_box};
  void (*const second[SCENES])(body *) = {make_box, body_tetrapod, body_tetrapod, make_box,
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
  for (int i = 0; i < ROUNDED; i++) {
    body_free(&rounded[i].a);
    body_free(&rounded[i].b);
  }
  pd_pair_work_free(work);
  pd_friction_records_free(&memory);
  return 0;
}

static pd_law law_of(double n1, double zeta) { return law_make(1e6, n1, GBAR, zeta, 0.3); }

/* ---- finite differences over the unknowns of a step ---- */

typedef struct trial {
  body *body[2];
  diff_body m[2];
  pd_scheme s;
  pd_law law;
  pd_contact_set set;
  pd_friction_records *old; /* memory of friction */
  int em;         /* forces: 0 plain, 1 those of the energy-momentum scheme before they are made a
                     discrete gradient, 2 the whole of it, 3 partly that of the end */
  double energy0; /* contact potential at the start */
  pd_em_state start;
  pd_mat3 bearing_filter; /* directions of damping, for em > 0 */
  double slide;           /* part in which the potential acts along these, too, for em = 1 */
} trial;

/* A step whose end is the present pose, with random unknowns; a wall stands still. */
static trial make_trial(scene *z, pd_contact_set set, pd_law law, pd_scheme_kind kind,
                        sc_random *random)
{
  trial t = {{&z->a, &z->b},
             {diff_random(random, STEP), diff_random(random, STEP)},
             diff_scheme(kind, STEP),
             law,
             set,
             &memory,
             0,
             0.0,
             {0},
             pd_m_identity(),
             0.0};
  for (int i = 0; i < 2; i++) {
    diff_body *m = &t.m[i];
    m->alpha = pd_scale(0.01, m->alpha);
    const pd_quat end = pd_q_from_matrix(t.body[i]->pose.rot);
    m->o.q = pd_q_mul(pd_q_conj(pd_rodrigues_quat(m->alpha)), end);
    m->o.v = pd_scale(0.01, m->o.v);
    m->o.acc = pd_scale(0.1, m->o.acc);
    m->u = pd_scale(0.01, m->u);
    m->o.x = pd_sub(t.body[i]->x, m->u);
  }
  return t;
}

static pd_em_motion em_motion(const trial *t, const diff_body *m)
{
  pd_em_motion o;
  const pd_increment *a = &t->body[0]->pose.increment, *b = &t->body[1]->pose.increment;
  const pd_vec3 r = pd_sub(pd_add(m[1].o.x, m[1].u), pd_add(m[0].o.x, m[0].u));
  const pd_vec3 r0 = pd_sub(m[1].o.x, m[0].o.x);
  pd_v_store(o.dq, m[0].u);
  pd_v_store(o.dq + 3, m[0].alpha);
  pd_v_store(o.dq + 6, m[1].u);
  pd_v_store(o.dq + 9, m[1].alpha);
  o.qa = a->dq;
  o.qb = b->dq;
  o.inva = pd_xi_inverse(a->alpha);
  o.invb = pd_xi_inverse(b->alpha);
  o.mobile[0] = o.mobile[1] = t->body[1]->shape.closed;
  o.share[0] = 0.3;
  o.share[1] = 0.7;
  o.arm = pd_scale(-0.5, pd_add(r, r0));
  o.ka = o.kb = 0.5;
  return o;
}

/* what is asked of the trial's pair, all but the poses */
static pd_pair_request request_of(const trial *t, pd_force_mode mode, int tangent,
                                  const pd_friction_memory *memory_of_pair)
{
  pd_pair_request request = {0};
  request.law = &t->law;
  request.set = t->set;
  request.mode = mode;
  request.h = STEP;
  request.tangent = tangent;
  request.memory = memory_of_pair;
  request.em.bearing_filter = &t->bearing_filter;
  request.em.slide = t->slide;
  request.em.stiffness_damping = pd_law_perfectly_inelastic(&t->law) ? 0.7 : 0.0;
  request.em.withheld = 0.4;
  return request;
}

/* its poses: centres and displacements of m */
static pd_pair_geometry poses_of(const trial *t, const diff_body *m)
{
  const pd_pair_geometry at = {&t->body[0]->pose,
                               &t->body[1]->pose,
                               pd_sub(m[1].o.x, m[0].o.x),
                               pd_sub(m[1].u, m[0].u),
                               NULL,
                               NULL};
  return at;
}

static int pushes; /* neither end's force has a negative weight in the last evaluation */

/* forces and tangent in the place of those of the potential alone */
static void finish_em(const trial *t, const diff_body *m, int tangent,
                      const pd_friction_memory *remembered, pd_pair_result *r)
{
  const pd_vec3 to = pd_sub(pd_add(m[1].o.x, m[1].u), pd_add(m[0].o.x, m[0].u));
  pd_em_weights weights = {0.0, 1.0, {0.0}, {0.0}};
  pd_em_end e;
  pd_em_result f;
  const pd_em_motion motion = em_motion(t, m);
  const pd_em_choice choice = {0.1, 1e-10, t->em == 3 ? 0.6 : 0.0};
  e.energy = r->energy;
  memcpy(e.p, r->force, sizeof e.p);
  memcpy(e.true_lever_force, r->em.true_lever_force, sizeof e.true_lever_force);
  memcpy(e.k, r->k, sizeof e.k);
  if (t->em >= 2) {
    pd_em_force(&t->start, &e, &motion, choice, tangent, &f);
    memcpy(r->force, f.p, sizeof f.p);
    memcpy(r->k, f.k, sizeof f.k);
    weights = f.weights;
    pushes = weights.w0 >= 0.0 && weights.w1 >= 0.0;
  }
  const pd_pair_geometry at = {
      &t->body[0]->pose, &t->body[1]->pose, to, pd_v(0.0, 0.0, 0.0), NULL, NULL};
  pd_pair_request request = request_of(t, PD_ENERGY_MOMENTUM, tangent, remembered);
  request.at = at;
  if (t->em >= 2) pd_em_limit_pair_damping(&motion, STEP, tangent, work, r);
  check_ok(pd_em_friction(&request, &weights, work, r));
  for (int i = 0; i < 12; i++) {
    r->force[i] += r->loss[0][i] + r->loss[1][i];
    for (int j = 0; j < 12; j++) r->k[i][j] += r->kloss[i][j];
  }
}

static pd_force_mode mode_of(const trial *t)
{
  if (t->em) return PD_ENERGY_MOMENTUM;
  return t->s.kind == PD_EULER ? PD_EULER_STEP : PD_END_OF_STEP;
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
    t->body[i]->pose.velocity = diff_motion(&t->s, &m[i]);
    t->body[i]->pose.scheme_a = i ? 0.55 : 0.7;
    t->body[i]->pose.before.v = m[i].o.v;
    t->body[i]->pose.before.w = m[i].o.w;
    const pd_increment turn = {m[i].u, m[i].alpha, pd_rodrigues(m[i].alpha)};
    t->body[i]->pose.increment = turn;
  }
  const pd_friction_memory remembered = {t->old->r, t->old->n, NULL};
  pd_pair_request request = request_of(t, mode_of(t), tangent, &remembered);
  request.at = poses_of(t, m);
  request.contacts = list;
  check_ok(pd_pair_evaluate(&request, work, result));
  if (t->em) finish_em(t, m, tangent, &remembered, result);
}

/* Gives every sample that is in contact a random memory; counts those that slip. */
static void make_memory(const trial *t, sc_random *random, int *slips)
{
  pd_pair_result r;
  const pd_friction_memory all = {NULL, 0, t->old};
  t->old->n = 0;
  if (!(t->law.t.eps_t > 0.0)) return;
  eval_at(t, 0, 0.0, 0, &r, NULL); /* puts the bodies in their places */
  pd_pair_request request = request_of(t, PD_END_OF_STEP, 0, &all);
  request.at = poses_of(t, t->m);
  check_ok(pd_pair_evaluate(&request, work, &r));
  for (int i = 0; i < t->old->n; i++) {
    pd_friction_history *s = &t->old->r[i].history;
    *slips += s->slipping;
    s->gt = pd_scale(sc_uniform(random, 0.0, 1e-4), diff_direction(random));
    s->force = sc_uniform(random, 0.0, 300.0);
    s->slipping = i % 3 == 0;
  }
}

static double unit(int j) { return j % 6 < 3 ? 1.0 : LEVER; }

/* force and energy, or of a pair that slides the drop of it by normal motion: 13 numbers */
static double number(const trial *t, const pd_pair_result *r, int i)
{
  if (i < 12) return r->force[i];
  return t->slide > 0.0 ? r->em.drop : r->energy;
}

typedef struct stencil {
  double buffer[13], four[13]; /* six-point and four-point differences */
  double bend[13];             /* mean of two neighbours less the middle, over the step */
} stencil;

/* Differences by unknown j about the result r. */
static stencil differences(const trial *t, const pd_pair_result *r, int j, double h)
{
  static const double w4[2] = {2.0 / 3.0, -1.0 / 12.0};
  stencil o = {{0.0}, {0.0}, {0.0}};
  for (int n = 1; n <= 3; n++) {
    pd_pair_result p, m;
    eval_at(t, j, n * h, 0, &p, NULL);
    eval_at(t, j, -n * h, 0, &m, NULL);
    for (int i = 0; i < 13; i++) {
      const double d = number(t, &p, i) - number(t, &m, i);
      o.buffer[i] += diff_weight[n - 1] * d / h;
      if (n < 3) o.four[i] += w4[n - 1] * d / h;
      if (n == 1) o.bend[i] = (0.5 * (number(t, &p, i) + number(t, &m, i)) - number(t, r, i)) / h;
    }
  }
  return o;
}

typedef struct tally {
  double force, tangent; /* worst errors */
  int slips, samples;    /* of friction, before it was given a memory */
  int n, kinks;          /* derivatives compared, and left out because of a kink nearby */
} tally;

/* Compares column j. Where the differences disagree, or the middle lies off its neighbours, the law
 * or the set of contacts has a kink (the literal set a jump) within the stencil. */
static void compare_column(const trial *t, const pd_pair_result *r, int j, double ksize,
                           double fsize, tally *y)
{
  const double gap = fmin(r->mingap, GBAR);
  /* rounded features are in reach of more others, and kinks nearer */
  const double part = t->body[0]->shape.round > 0.0 ? 3e-4 : 1e-3;
  const double h = j % 6 < 3 ? part * gap : part * fmin(gap / LEVER, 2e-3);
  const stencil d = differences(t, r, j, h);
  double off = 0.0, split = 0.0, bend = 0.0;
  for (int i = 0; i < 13; i++) {
    const double u = i < 12 ? unit(i) * unit(j) * ksize : unit(j) * fsize;
    split = fmax(split, fabs(d.buffer[i] - d.four[i]) / u);
    bend = fmax(bend, fabs(d.bend[i]) / u);
    if (i < 12) off = fmax(off, fabs(d.buffer[i] + r->k[i][j]) / u);
  }
  y->n++;
  if (split > 0.1 * BOUND || bend > 0.1) {
    y->kinks++;
    return;
  }
  y->tangent = fmax(y->tangent, off);
  if (t->law.zeta == 0.0 && !(t->law.t.eps_t > 0.0) && !t->em)
    y->force = fmax(y->force, fabs(d.buffer[12] + r->force[j]) / (unit(j) * fsize));
  if (t->slide > 0.0)
    y->force = fmax(y->force, fabs(d.buffer[12] - r->em.ddrop[j]) / (unit(j) * fsize));
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
  ksize = fmax(ksize, 0.1 * fabs(pd_law_eval(&t->law, r.mingap).df));
  for (int j = 0; j < 12; j++) compare_column(t, &r, j, ksize, fsize, y);
}

/* The state of the potential at the start of the step; 0 if the bodies overlap there. */
static int make_start(trial *t)
{
  pd_pair_result r;
  double distance;
  for (int i = 0; i < 2; i++) {
    body_put(t->body[i], t->m[i].o.x, pd_q_matrix(t->m[i].o.q));
    t->body[i]->pose.increment = pd_no_increment();
  }
  int overlap;
  pd_pair_request request = request_of(t, PD_ENERGY_MOMENTUM, 0, NULL);
  request.at = poses_of(t, t->m);
  request.at.ru = pd_v(0.0, 0.0, 0.0);
  check_ok(pd_pair_overlap(&request.at, work, &overlap, &distance));
  if (overlap) return 0;
  check_ok(pd_pair_evaluate(&request, work, &r));
  t->start = r.state;
  t->energy0 = r.energy;
  return 1;
}

/* what the whole discrete gradient must keep: energy, momentum, angular momentum; and damping must
 * not give energy */
typedef struct kept {
  double energy, moment, given; /* given: over what the samples take that take energy */
  int n, began, pushed;         /* poses; in contact at the start; without a pull */
  int fades, gives;             /* of damping, without its limit */
} kept;

static void check_damping(const pd_pair_result *r, const pd_em_motion *m, kept *y)
{
  const double power = -pd_dot12(r->loss[PD_DAMPING], m->dq) / STEP;
  y->gives += r->power < 0.0;
  y->fades += r->power > 0.0 && r->power < PD_PAIR_DAMPING_WHOLE * r->em.taken;
  if (r->em.taken > 0.0) y->given = fmax(y->given, -power / r->em.taken);
}

static void check_kept(const trial *t, kept *y)
{
  pd_pair_result r;
  eval_at(t, 0, 0.0, 0, &r, NULL);
  double p[12], work_done = 0.0, size = 0.0;
  const pd_em_motion m = em_motion(t, t->m);
  for (int i = 0; i < 12; i++) {
    p[i] = r.force[i] - r.loss[0][i] - r.loss[1][i];
    work_done += p[i] * m.dq[i];
    size += fabs(p[i] * m.dq[i]);
  }
  check_damping(&r, &m, y);
  if (size == 0.0) return;
  y->n++;
  y->began += t->start.active;
  y->pushed += pushes;
  y->energy = fmax(y->energy, fabs(work_done + r.energy - t->energy0) / size);
  if (!m.mobile[0]) return;
  const pd_vec3 f = pd_v_load(p);
  const pd_vec3 sum = pd_add(pd_add(pd_v_load(p + 3), pd_v_load(p + 9)), pd_cross(m.arm, f));
  y->moment = fmax(y->moment, pd_norm(sum) / (LEVER * pd_norm(f)));
}

/* for two forces of any directions */
static pd_mat3 any_bearing_filter(sc_random *random)
{
  pd_em_state state = {0};
  state.active = 1;
  for (int i = 0; i < 2; i++) {
    const pd_vec3 n = diff_direction(random);
    state.force_fabric = pd_m_add(state.force_fabric, pd_m_scale(i ? 1.0 : 0.02, pd_outer(n, n)));
  }
  return pd_em_bearing_filter(&state);
}

/* a pose close to contact; 0 if it could not be made */
static int any_pose(scene *z, int i, double target, sc_random *random)
{
  return pose_make(&z->a, &z->b, (pose_kind)(i % POSE_KINDS), GBAR, target, random);
}

static int (*make_pose)(scene *z, int i, double target, sc_random *random) = any_pose;

static void check_scene(scene *z, pd_contact_set set, pd_law law, pd_scheme_kind kind, int em,
                        double slide)
{
  sc_random random = {42}, another = {8};
  tally y = {0.0, 0.0, 0, 0, 0, 0};
  kept k = {0.0, 0.0, 0.0, 0, 0, 0, 0, 0};
  /* one pose in two hundred pulls: of as few as are compared with differences chance would decide
   */
  const int compared = poses * POSE_KINDS, all = em == 2 ? 5 * compared : compared;
  for (int i = 0; i < all; i++) {
    const double target = pow(10.0, sc_uniform(&random, -1.5, -0.02));
    if (!make_pose(z, i, target, &random)) continue;
    trial t = make_trial(z, set, law, kind, &random);
    t.em = em;
    if (em && !make_start(&t)) continue;
    if (em == 1) t.bearing_filter = any_bearing_filter(&another);
    t.slide = slide;
    if (em == 2) t.bearing_filter = pd_em_bearing_filter(&t.start);
    if (em == 2) check_kept(&t, &k);
    if (i >= compared) continue;
    make_memory(&t, &random, &y.slips);
    y.samples += t.old->n;
    compare(&t, &y);
  }
  if (y.samples)
    print_message("friction, v_s = %g, samples = %d, slipping = %d: ", law.t.v_s, y.samples,
                  y.slips);
  if (em)
    print_message(
        "energy-momentum%s, energy_error = %.1e, moment_error = %.1e, in contact at the start "
        "= %d of %d, %d without a pull: ",
        em == 2 ? "" : " parts", k.energy, k.moment, k.began, k.n, k.pushed);
  if (em == 2 && (law.zeta > 0.0 || pd_law_perfectly_inelastic(&law)))
    print_message("damping would give = %d, fades = %d, energy given = %.1e: ", k.gives, k.fades,
                  k.given);
  print_message("%s %s n1 = %g zeta = %g: force_error = %.1e, tangent_error = %.1e, columns = %d, "
                "kinks = %d\n",
                z->name, set == PD_SET_LITERAL ? "literal" : "continuous", law.n1, law.zeta,
                y.force, y.tangent, y.n, y.kinks);
  assert_true(k.energy < 1e-6 && k.moment < 1e-10 && k.given < 1e-12);
  assert_true(k.pushed >= (set == PD_SET_LITERAL ? 0.7 : 0.98) * k.n); /* the literal set jumps */
  /* gaps of balls have the rounding of their radii, which the discrete gradient is sensitive to */
  const double bound = em > 1 && z->a.shape.round > 0.0 ? 10.0 * BOUND : BOUND;
  assert_true(y.force < BOUND && y.tangent < bound);
  assert_true(y.n > poses * POSE_KINDS && y.kinks < y.n / 10);
}

static void test_derivatives(void **state)
{
  (void)state;
  for (int i = 0; i < SCENES; i++) {
    check_scene(&scenes[i], PD_SET_CONTINUOUS, law_of(1.0, 0.0), PD_NEWMARK, 0, 0.0);
    check_scene(&scenes[i], PD_SET_CONTINUOUS, law_of(1.5, 0.3), PD_NEWMARK, 0, 0.0);
    check_scene(&scenes[i], PD_SET_CONTINUOUS, law_of(1.0, 0.3), PD_EULER, 0, 0.0);
    check_scene(&scenes[i], PD_SET_LITERAL, law_of(1.0, 0.3), PD_NEWMARK, 0, 0.0);
  }
}

static pd_law rubbing(pd_law law, double c_t, double v_s)
{
  const pd_friction_law t = {0.6, 0.4, 1e6, c_t, v_s};
  law.t = t;
  return law;
}

static void test_derivatives_of_friction(void **state)
{
  (void)state;
  for (int i = 0; i < SCENES; i++) {
    check_scene(&scenes[i], PD_SET_CONTINUOUS, rubbing(law_of(1.0, 0.0), 0.0, 0.0), PD_NEWMARK, 0,
                0.0);
    check_scene(&scenes[i], PD_SET_CONTINUOUS, rubbing(law_of(1.0, 0.3), 1e3, i % 2 ? 0.1 : 0.0),
                PD_EULER, 0, 0.0);
    check_scene(&scenes[i], PD_SET_CONTINUOUS, rubbing(law_of(1.5, 0.3), 1e3, 0.1), PD_NEWMARK, 0,
                0.0);
    check_scene(&scenes[i], PD_SET_LITERAL, rubbing(law_of(1.0, 0.3), 1e3, 0.0), PD_NEWMARK, 0,
                0.0);
  }
}

static void test_derivatives_of_em(void **state)
{
  (void)state;
  for (int i = 0; i < SCENES; i++)
    for (int em = 1; em <= 3; em++) {
      check_scene(&scenes[i], PD_SET_CONTINUOUS, law_of(1.0, 0.0), PD_EULER, em, 0.0);
      check_scene(&scenes[i], PD_SET_CONTINUOUS, rubbing(law_of(1.5, 0.3), 1e3, i % 2 ? 0.1 : 0.0),
                  PD_EULER, em, 0.0);
      check_scene(&scenes[i], PD_SET_LITERAL, law_of(1.0, 0.3), PD_EULER, em, 0.0);
    }
}

/* damping in proportion to the change of the elastic force */
static pd_law dead(pd_law law)
{
  law.has_e = 1;
  law.e = 0.0;
  return law;
}

static void test_derivatives_of_dead_impacts(void **state)
{
  (void)state;
  for (int i = 0; i < SCENES; i++) {
    print_message("dead: ");
    check_scene(&scenes[i], PD_SET_CONTINUOUS, dead(law_of(1.0, 0.0)), PD_EULER, 1, 0.0);
    print_message("dead: ");
    check_scene(&scenes[i], PD_SET_CONTINUOUS, dead(rubbing(law_of(1.5, 0.0), 1e3, 0.0)), PD_EULER,
                2, 0.0);
  }
}

static void test_derivatives_of_slides(void **state)
{
  (void)state;
  for (int i = 0; i < SCENES; i++) {
    print_message("slides by 0.7 and all of it: ");
    check_scene(&scenes[i], PD_SET_CONTINUOUS, law_of(1.0, 0.3), PD_EULER, 1, 0.7);
    check_scene(&scenes[i], PD_SET_CONTINUOUS, law_of(1.5, 0.0), PD_EULER, 1, 1.0);
  }
}

/* damping of an impact with A's lowest vertex x beyond an edge of B's upper face */
static pd_vec3 damping_beyond(scene *z, pd_mat3 turn, pd_mat3 filter, pd_vec3 way, double x)
{
  const pd_vec3 corner = z->b.shape.box.hi;
  pd_vec3 low = pd_v(0.0, 0.0, DBL_MAX);
  for (int i = 0; i < z->a.shape.nv; i++) {
    const pd_vec3 v = pd_mv(turn, z->a.shape.v[i]);
    if (v.z < low.z) low = v;
  }
  const pd_vec3 to = pd_v(corner.x + x, 0.3 * corner.y, corner.z + 0.4 * GBAR);
  body_put(&z->b, pd_v(0.0, 0.0, 0.0), pd_m_identity());
  body_put(&z->a, pd_sub(to, low), turn);
  sc_random random = {1};
  trial t = make_trial(z, PD_SET_CONTINUOUS, dead(law_of(1.5, 0.0)), PD_EULER, &random);
  t.em = 1;
  t.bearing_filter = filter;
  for (int i = 0; i < 2; i++) {
    pd_pose *pose = &t.body[i]->pose;
    pose->increment = pd_no_increment();
    if (i == 0) pose->increment.u = way;
    t.m[i].u = pose->increment.u;
    t.m[i].o.x = pd_sub(t.body[i]->x, t.m[i].u);
  }
  pd_pair_result r;
  const pd_friction_memory none = {NULL, 0, NULL};
  pd_pair_request request = request_of(&t, PD_ENERGY_MOMENTUM, PD_NO_TANGENT, &none);
  request.at = poses_of(&t, t.m);
  check_ok(pd_pair_evaluate(&request, work, &r));
  return pd_v_load(r.loss[PD_DAMPING]);
}

/* Where a vertex passes from a face to its edge the damping of an impact does not jump, whatever
 * the pair bears: one that is held on the edge from both sides would find no solution. */
static void test_damping_over_an_edge(void **state)
{
  (void)state;
  sc_random random = {9};
  double worst = 0.0, largest = 0.0;
  for (int i = 0; i < 100; i++) {
    const pd_mat3 turn = pd_q_matrix(sc_rotation(&random)), filter = any_bearing_filter(&random);
    const pd_vec3 way = pd_scale(0.1 * GBAR, diff_direction(&random));
    pd_vec3 f[2];
    for (int k = 0; k < 2; k++)
      f[k] = damping_beyond(&scenes[0], turn, filter, way, k ? 1e-10 : -1e-10);
    largest = fmax(largest, pd_norm(f[0]));
    worst = fmax(worst, pd_norm(pd_sub(f[1], f[0])));
  }
  print_message("damping over an edge: jump = %.1e of %.1e\n", worst, largest);
  assert_true(worst < 1e-6 * largest);
}

/* ---- properties of every pose ---- */

typedef struct hits {
  int kind[4], fading;
} hits;

typedef struct property {
  double worst;
  hits residual_dirty;
  int n;
} property;

static pd_vec3 at(const body *b, int v) { return pd_add(b->x, b->s[v]); }

/* whether an edge pair has an end near the other edge, so that its contact fades */
static int has_end_in_reach(const body *a, const body *b, const pd_contact *c)
{
  const int *p = a->shape.e[c->sample[0]].v, *q = b->shape.e[c->sample[1]].v;
  const double reach = GBAR + a->shape.round + b->shape.round;
  const pd_vec3 u[2] = {at(a, p[0]), at(a, p[1])}, v[2] = {at(b, q[0]), at(b, q[1])};
  double nearest = DBL_MAX, d2;
  for (int k = 0; k < 2; k++) {
    pd_point_segment(u[k], v[0], v[1], &d2);
    nearest = fmin(nearest, d2);
    pd_point_segment(v[k], u[0], u[1], &d2);
    nearest = fmin(nearest, d2);
  }
  return nearest < reach * reach;
}

static void count_hits(const body *a, const body *b, const pd_contact_list *list, hits *h)
{
  for (int i = 0; i < list->n; i++) {
    const pd_contact *c = &list->c[i];
    if (c->force < 1.0) continue;
    h->kind[c->kind]++;
    h->fading += c->sample[1] >= 0 && has_end_in_reach(a, b, c);
  }
}

/* Runs a check of one pose (which returns its error) over all scenes and poses. */
static property over_poses(double (*check)(scene *, const pd_law *, pd_contact_set), pd_law law,
                           pd_contact_set set)
{
  property y = {0.0, {{0, 0, 0, 0}, 0}, 0};
  pd_contact_list list = {0};
  sc_random random = {43};
  for (int i = 0; i < nscene * POSES_OF_PROPERTIES * POSE_KINDS; i++) {
    scene *z = &scenes[i % nscene];
    const pose_kind kind = (pose_kind)(i / nscene % POSE_KINDS);
    const double target = pow(10.0, sc_uniform(&random, -3.0, -0.02));
    if (!pose_make(&z->a, &z->b, kind, GBAR, target, &random)) continue;
    z->a.pose.velocity = z->b.pose.velocity = pd_at_rest();
    if (law.zeta > 0.0) {
      z->a.pose.velocity.v = pd_scale(0.05, diff_direction(&random));
      z->b.pose.velocity.w = pd_scale(0.5, diff_direction(&random));
    }
    y.worst = fmax(y.worst, check(z, &law, set));
    pd_pair_result r;
    list.n = 0;
    check_ok(body_eval(&z->a, &z->b, &law, set, 0, work, &r, &list));
    count_hits(&z->a, &z->b, &list, &y.residual_dirty);
    y.n++;
  }
  pd_contact_list_free(&list);
  return y;
}

/* Every kind of contact and edges that fade must have been met. */
static void report(const char *name, const property *y, double bound)
{
  print_message("%s = %.1e, poses = %d, V-F %d, V-E %d, V-V %d, E-E %d, fading %d\n", name,
                y->worst, y->n, y->residual_dirty.kind[PD_VF], y->residual_dirty.kind[PD_VE],
                y->residual_dirty.kind[PD_VV], y->residual_dirty.kind[PD_EE],
                y->residual_dirty.fading);
  for (int i = 0; i < 4; i++) assert_true(y->residual_dirty.kind[i] > 50);
  assert_true(y->residual_dirty.fading > 50);
  assert_true(y->worst < bound);
}

/* Size of the forces that go into the sums: terms may cancel. */
static double force_size(const pd_pair_result *r, const pd_law *law)
{
  return fmax(sqrt(r->scale2), pd_law_eval(law, r->mingap).fn);
}

/* sum of forces and of moments about the centre of A, and the rows of the list against the total */
static double check_balance(scene *z, const pd_law *law, pd_contact_set set)
{
  pd_pair_result r;
  pd_contact_list list = {0};
  check_ok(body_eval(&z->a, &z->b, law, set, 0, work, &r, &list));
  const pd_vec3 fa = pd_v_load(r.force), fb = pd_v_load(r.force + 6);
  const pd_vec3 arm = pd_sub(z->b.x, z->a.x);
  const pd_vec3 m =
      pd_add(pd_add(pd_v_load(r.force + 3), pd_v_load(r.force + 9)), pd_cross(arm, fb));
  pd_vec3 sum = pd_v(0.0, 0.0, 0.0);
  for (int i = 0; i < list.n; i++) sum = pd_axpy(sum, list.c[i].force, list.c[i].normal);
  pd_contact_list_free(&list);
  const double size = force_size(&r, law);
  return fmax(pd_norm(pd_add(fa, fb)) / size,
              fmax(pd_norm(m) / (size * LEVER), pd_norm(pd_sub(sum, fa)) / size));
}

static void test_balance(void **state)
{
  (void)state;
  const property y = over_poses(check_balance, law_of(1.0, 0.3), PD_SET_CONTINUOUS);
  report("balance_error", &y, 1e-10);
  const property l = over_poses(check_balance, law_of(1.0, 0.3), PD_SET_LITERAL);
  report("balance_error_literal", &l, 1e-10);
}

/* A on B and B on A: the same energy, forces and tangent */
static double check_exchange(scene *z, const pd_law *law, pd_contact_set set)
{
  pd_pair_result r, q;
  check_ok(body_eval(&z->a, &z->b, law, set, 1, work, &r, NULL));
  check_ok(body_eval(&z->b, &z->a, law, set, 1, work, &q, NULL));
  const double size = force_size(&r, law);
  double ksize = size / LEVER, worst = fabs(r.energy - q.energy) / (size * GBAR), koff = 0.0;
  for (int i = 0; i < 12; i++) {
    worst = fmax(worst, fabs(r.force[i] - q.force[(i + 6) % 12]) / (size * unit(i)));
    for (int j = 0; j < 12; j++) {
      const double u = unit(i) * unit(j);
      ksize = fmax(ksize, fabs(r.k[i][j]) / u);
      koff = fmax(koff, fabs(r.k[i][j] - q.k[(i + 6) % 12][(j + 6) % 12]) / u);
    }
  }
  assert_true(r.mingap == q.mingap || fabs(r.mingap - q.mingap) < 1e-9 * GBAR);
  return fmax(worst, koff / ksize);
}

static void test_exchange(void **state)
{
  (void)state;
  const property y = over_poses(check_exchange, law_of(1.0, 0.3), PD_SET_CONTINUOUS);
  report("exchange_error", &y, 1e-8);
}

/* ---- the energy against the plain sum over all features ---- */

static double rounds; /* radii of the bodies */

static double phi(const pd_law *law, double d2) { return pd_law_eval(law, sqrt(d2) - rounds).phi; }

static double vertex_surface(const pd_law *law, pd_vec3 p, const body *b)
{
  const pd_shape *s = &b->shape;
  double sum = 0.0, d2;
  for (int i = 0; i < s->nt; i++) {
    pd_point_triangle(p, at(b, s->t[i][0]), at(b, s->t[i][1]), at(b, s->t[i][2]), &d2);
    sum += phi(law, d2);
  }
  for (int i = 0; i < s->ne; i++) {
    pd_point_segment(p, at(b, s->e[i].v[0]), at(b, s->e[i].v[1]), &d2);
    sum += s->e[i].weight * phi(law, d2);
  }
  for (int i = 0; i < s->nv; i++) sum += s->vweight[i] * phi(law, pd_norm2(pd_sub(p, at(b, i))));
  return sum;
}

static double vertices(const pd_law *law, const body *a, const body *b)
{
  double sum = 0.0;
  for (int i = 0; i < a->shape.nv; i++)
    if (a->shape.sample[i]) sum += vertex_surface(law, at(a, i), b);
  return sum;
}

static double twice_counted(const pd_law *law, const body *a, const body *b)
{
  double sum = 0.0;
  for (int i = 0; i < a->shape.nv; i++)
    for (int j = 0; j < b->shape.nv; j++)
      if (a->shape.sample[i] && b->shape.sample[j])
        sum += phi(law, pd_norm2(pd_sub(at(a, i), at(b, j))));
  return sum;
}

/* potential of the closest points times s(x) = x^2 (2 - x), x = bracket / potential, or x */
static double edge_pair(const pd_law *law, const pd_vec3 *a, const pd_vec3 *b)
{
  int fa, fb;
  const double d2 = pd_segment_segment(a[0], a[1], b[0], b[1], &fa, &fb), p = phi(law, d2);
  double sum = p, e2;
  for (int k = 0; k < 2; k++) {
    pd_point_segment(a[k], b[0], b[1], &e2);
    sum -= phi(law, e2);
    pd_point_segment(b[k], a[0], a[1], &e2);
    sum -= phi(law, e2);
    for (int l = 0; l < 2; l++) sum += phi(law, pd_norm2(pd_sub(a[k], b[l])));
  }
  if (sum <= 0.0 || sum >= p) return fmax(0.0, sum);
  return p * pow(sum / p, 2.0) * (2.0 - sum / p);
}

static double edges(const pd_law *law, const body *a, const body *b)
{
  double sum = 0.0;
  for (int i = 0; i < a->shape.ne; i++)
    for (int j = 0; j < b->shape.ne; j++) {
      const pd_edge *e = &a->shape.e[i], *f = &b->shape.e[j];
      const pd_vec3 p[2] = {at(a, e->v[0]), at(a, e->v[1])},
                    q[2] = {at(b, f->v[0]), at(b, f->v[1])};
      if (e->sharp && f->sharp) sum += edge_pair(law, p, q);
    }
  return sum;
}

static double check_energy(scene *z, const pd_law *law, pd_contact_set set)
{
  pd_pair_result r;
  rounds = z->a.shape.round + z->b.shape.round;
  check_ok(body_eval(&z->a, &z->b, law, set, 0, work, &r, NULL));
  const double plain = vertices(law, &z->a, &z->b) + vertices(law, &z->b, &z->a) -
                       twice_counted(law, &z->a, &z->b) + edges(law, &z->a, &z->b);
  return fabs(r.energy - plain) / pd_law_eval(law, r.mingap).phi;
}

static void test_energy(void **state)
{
  (void)state;
  const property y = over_poses(check_energy, law_of(1.0, 0.0), PD_SET_CONTINUOUS);
  report("energy_error", &y, 1e-9);
}

/* ---- the sets of the paper, by plain loops ---- */

static int rules, yielded; /* the hierarchy's apply; edges that have yielded to their faces */

/* squared distance to the interior of a triangle or an edge, DBL_MAX beside it */
static double inner_triangle2(pd_vec3 p, const body *b, int i)
{
  const int *t = b->shape.t[i];
  double d2;
  const int k = pd_point_triangle(p, at(b, t[0]), at(b, t[1]), at(b, t[2]), &d2);
  return k == PD_TRI_FACE && d2 < GBAR * GBAR ? d2 : DBL_MAX;
}

static double inner_edge2(pd_vec3 p, const body *b, int i)
{
  const int *v = b->shape.e[i].v;
  double d2;
  const int k = pd_point_segment(p, at(b, v[0]), at(b, v[1]), &d2);
  return k == PD_INSIDE && d2 < GBAR * GBAR ? d2 : DBL_MAX;
}

static int meets(pd_vec3 p, const body *b, int vertex)
{
  int any = 0;
  for (int i = 0; i < b->shape.nt; i++)
    for (int k = 0; k < 3; k++)
      any |= b->shape.t[i][k] == vertex && inner_triangle2(p, b, i) < DBL_MAX;
  for (int i = 0; i < b->shape.ne; i++)
    for (int k = 0; k < 2; k++)
      any |= b->shape.e[i].v[k] == vertex && inner_edge2(p, b, i) < DBL_MAX;
  return any;
}

static double inner_features(const pd_law *law, pd_vec3 p, const body *b)
{
  double sum = 0.0;
  for (int i = 0; i < b->shape.nt; i++) sum += phi(law, inner_triangle2(p, b, i));
  for (int i = 0; i < b->shape.ne; i++) {
    const int *t = b->shape.e[i].t;
    const int both =
        t[1] >= 0 && inner_triangle2(p, b, t[0]) < DBL_MAX && inner_triangle2(p, b, t[1]) < DBL_MAX;
    if (rules && both)
      yielded += inner_edge2(p, b, i) < DBL_MAX;
    else
      sum += phi(law, inner_edge2(p, b, i));
  }
  return sum;
}

static double inner_edge_pairs(const pd_law *law, const body *a, const body *b)
{
  double sum = 0.0;
  for (int i = 0; i < a->shape.ne; i++)
    for (int j = 0; j < b->shape.ne; j++) {
      const int *e = a->shape.e[i].v, *f = b->shape.e[j].v;
      int fa, fb;
      const double d2 =
          pd_segment_segment(at(a, e[0]), at(a, e[1]), at(b, f[0]), at(b, f[1]), &fa, &fb);
      if (fa == PD_INSIDE && fb == PD_INSIDE) sum += phi(law, d2);
    }
  return sum;
}

static double check_literal(scene *z, const pd_law *law, pd_contact_set set)
{
  const body *a = &z->a, *b = &z->b;
  pd_pair_result r;
  double plain = inner_edge_pairs(law, a, b);
  rules = set == PD_SET_HIERARCHY;
  check_ok(body_eval(a, b, law, set, 0, work, &r, NULL));
  for (int i = 0; i < a->shape.nv; i++) plain += inner_features(law, at(a, i), b);
  for (int i = 0; i < b->shape.nv; i++) plain += inner_features(law, at(b, i), a);
  for (int i = 0; i < a->shape.nv; i++)
    for (int j = 0; j < b->shape.nv; j++)
      if (!(rules && (meets(at(a, i), b, j) || meets(at(b, j), a, i))))
        plain += phi(law, pd_norm2(pd_sub(at(a, i), at(b, j))));
  return r.ncontact == 0 ? plain : fabs(r.energy - plain) / pd_law_eval(law, r.mingap).phi;
}

static void test_literal(void **state)
{
  (void)state;
  const property l = over_poses(check_literal, law_of(1.0, 0.0), PD_SET_LITERAL);
  report("literal_error", &l, 1e-9);
  const property h = over_poses(check_literal, law_of(1.0, 0.0), PD_SET_HIERARCHY);
  print_message("hierarchy_error = %.1e, edges that yield = %d, V-V %d of %d\n", h.worst, yielded,
                h.residual_dirty.kind[PD_VV], l.residual_dirty.kind[PD_VV]);
  assert_true(h.worst < 1e-9);
  assert_true(yielded > 20 && h.residual_dirty.kind[PD_VV] < l.residual_dirty.kind[PD_VV]);
}

/* the smallest gap among the terms is the distance of the surfaces */
static double check_gap(scene *z, const pd_law *law, pd_contact_set set)
{
  pd_pair_result r;
  check_ok(body_eval(&z->a, &z->b, law, set, 0, work, &r, NULL));
  return fabs(r.mingap - body_distance(&z->a, &z->b, GBAR)) / r.mingap;
}

static void test_gap(void **state)
{
  (void)state;
  const property y = over_poses(check_gap, law_of(1.0, 0.0), PD_SET_CONTINUOUS);
  report("smallest_gap_error", &y, 1e-6);
}

static double lost, gained;

/* What damping takes away; a term of negative weight gives back, and beside concave corners and the
 * ends of edges, where several terms act, it may give more than the others take. */
static double check_power(scene *z, const pd_law *law, pd_contact_set set)
{
  pd_pair_result r;
  check_ok(body_eval(&z->a, &z->b, law, set, 0, work, &r, NULL));
  if (r.power > 0.0)
    lost += r.power;
  else
    gained -= r.power;
  return fmax(0.0, -r.power) / force_size(&r, law);
}

static void test_power(void **state)
{
  (void)state;
  lost = gained = 0.0;
  const property l = over_poses(check_power, law_of(1.0, 0.3), PD_SET_LITERAL);
  report("negative_power_literal", &l, 1e-12);
  lost = 0.0;
  const property y = over_poses(check_power, law_of(1.0, 0.3), PD_SET_CONTINUOUS);
  report("negative_power", &y, 0.05);
  print_message("power_gained_over_lost = %.1e\n", gained / lost);
  assert_true(gained < 0.02 * lost);
}

/* ---- rounded bodies ---- */

static void test_derivatives_of_rounded(void **state)
{
  (void)state;
  for (int i = 0; i < ROUNDED; i++) {
    scene *z = &rounded[i];
    const pd_law rough = rubbing(law_of(1.5, 0.3), 1e3, 0.0);
    check_scene(z, PD_SET_CONTINUOUS, law_of(1.0, 0.0), PD_NEWMARK, 0, 0.0);
    check_scene(z, PD_SET_CONTINUOUS, rough, PD_NEWMARK, 0, 0.0);
    check_scene(z, PD_SET_CONTINUOUS, rough, PD_EULER, 0, 0.0);
    check_scene(z, PD_SET_LITERAL, rough, PD_NEWMARK, 0, 0.0);
    for (int em = 1; em <= 3; em++) check_scene(z, PD_SET_CONTINUOUS, rough, PD_EULER, em, 0.0);
  }
}

/* how much the potential is below that of the smallest gap alone */
static double check_barrier(scene *z, const pd_law *law, pd_contact_set set)
{
  pd_pair_result r;
  check_ok(body_eval(&z->a, &z->b, law, set, 0, work, &r, NULL));
  return 1.0 - r.energy / pd_law_eval(law, r.mingap).phi;
}

static void test_properties_of_rounded(void **state)
{
  (void)state;
  scenes = rounded;
  nscene = ROUNDED;
  const property balance = over_poses(check_balance, law_of(1.0, 0.3), PD_SET_CONTINUOUS);
  report("rounded: balance_error", &balance, 1e-10);
  const property exchange = over_poses(check_exchange, law_of(1.0, 0.3), PD_SET_CONTINUOUS);
  report("rounded: exchange_error", &exchange, 1e-8);
  const property energy = over_poses(check_energy, law_of(1.0, 0.0), PD_SET_CONTINUOUS);
  report("rounded: energy_error", &energy, 1e-9);
  const property gap = over_poses(check_gap, law_of(1.0, 0.0), PD_SET_CONTINUOUS);
  report("rounded: smallest_gap_error", &gap, 1e-6);
  const property barrier = over_poses(check_barrier, law_of(1.5, 0.0), PD_SET_CONTINUOUS);
  print_message("rounded: missing_barrier = %.2g, poses = %d\n", barrier.worst, barrier.n);
  assert_true(barrier.n > 4000 && barrier.worst < 0.25);
  scenes = polyhedra;
  nscene = SCENES;
}

/* ---- vertices and balls in concave corners ---- */

enum { CORNERS = 6 };

/* planes of a corner through a point, in the mesh's frame: normals, and how far from each a vertex
 * may be but for its radius; those it meets have the reach of the law */
typedef struct corner {
  scene z;
  pd_vec3 at, n[3];
  double low[3], high[3];
  double round;
} corner;

static corner corners[CORNERS], *in_corner;

/* its vertex 0 is the tip */
static void make_spike(body *b)
{
  static const int t[4][3] = {{0, 2, 1}, {0, 3, 2}, {0, 1, 3}, {1, 2, 3}};
  const pd_vec3 v[4] = {
      {0.0, 0.0, 0.0}, {0.02, 0.0, -0.1}, {-0.01, -0.015, -0.1}, {-0.01, 0.015, -0.1}};
  pd_mesh mesh;
  const pd_status status = pd_mesh_create(4, v, 4, t, &mesh);
  body_make(b, status, &mesh, 1);
}

static void make_wedge(corner *c, double angle)
{
  pd_mesh mesh;
  const pd_status status = sc_wedge(angle, 0.2, &mesh);
  body_make(&c->z.b, status, &mesh, 0);
  c->n[0] = pd_v(0.0, 0.0, 1.0);
  c->n[1] = pd_v(sin(angle), 0.0, -cos(angle));
  c->n[2] = pd_v(0.0, 1.0, 0.0);
  c->low[2] = -0.1;
  c->high[2] = 0.1;
}

static void make_pit(corner *c)
{
  const pd_vec3 e[3] = {pd_v(0.2, 0.0, 0.03), pd_v(0.05, 0.2, 0.0), pd_v(0.0, -0.06, 0.2)};
  pd_mesh mesh;
  const pd_status status = sc_pit(e, &mesh);
  body_make(&c->z.b, status, &mesh, 0);
  for (int i = 0; i < 3; i++) c->n[i] = pd_unit(pd_cross(e[i], e[(i + 1) % 3]));
}

static void make_notch(corner *c)
{
  make_l_prism(&c->z.b);
  c->at = pd_v(0.04, 0.04, 0.0);
  c->n[0] = pd_v(1.0, 0.0, 0.0);
  c->n[1] = pd_v(0.0, 1.0, 0.0);
  c->n[2] = pd_v(0.0, 0.0, 1.0);
  c->low[2] = 0.0;
  c->high[2] = 0.05;
}

/* those to be met come within 0.15 to 1.1 times the distance at which contact begins */
static void make_corner(corner *c, const char *name, int ball, int met)
{
  c->z.name = name;
  if (ball)
    body_ball(&c->z.a, 0.02);
  else
    make_spike(&c->z.a);
  c->round = c->z.a.shape.round;
  for (int i = 0; i < met; i++) {
    c->low[i] = c->round + 0.15 * GBAR;
    c->high[i] = c->round + 1.1 * GBAR;
  }
}

static void make_corners(void)
{
  memset(corners, 0, sizeof corners);
  make_wedge(&corners[0], 1.0);
  make_wedge(&corners[1], 2.1);
  make_wedge(&corners[2], 1.2);
  make_pit(&corners[3]);
  make_pit(&corners[4]);
  make_notch(&corners[5]);
  make_corner(&corners[0], "corner: spike-wedge of 1 rad", 0, 2);
  make_corner(&corners[1], "corner: spike-wedge of 2.1 rad", 0, 2);
  make_corner(&corners[2], "corner: ball-wedge of 1.2 rad", 1, 2);
  make_corner(&corners[3], "corner: spike-pit", 0, 3);
  make_corner(&corners[4], "corner: ball-pit", 1, 3);
  make_corner(&corners[5], "corner: spike-L", 0, 2);
}

static void free_corners(void)
{
  for (int i = 0; i < CORNERS; i++) {
    body_free(&corners[i].z.a);
    body_free(&corners[i].z.b);
  }
}

/* somewhere there: distances of A's vertex from the three planes */
static void any_distances(const corner *c, sc_random *random, double *d)
{
  for (int k = 0; k < 3; k++) d[k] = sc_uniform(random, c->low[k], c->high[k]);
}

/* A's vertex points into the corner */
static pd_mat3 any_turn(const corner *c, sc_random *random)
{
  const pd_vec3 *n = c->n;
  const pd_vec3 into = pd_axpy(pd_add(n[0], n[1]), c->high[2] < 0.03 ? 1.0 : 0.0, n[2]);
  const pd_vec3 up = pd_axpy(pd_unit(into), 0.2, diff_direction(random));
  if (c->round > 0.0) return pd_q_matrix(sc_rotation(random));
  return pose_align(c->z.a.shape.v[0], diff_direction(random), pd_neg(up), diff_direction(random));
}

static void put_in_corner(corner *c, const double *d, pd_mat3 turn)
{
  const pd_vec3 *n = c->n;
  const double volume = pd_dot(n[0], pd_cross(n[1], n[2]));
  pd_vec3 x = c->at;
  for (int k = 0; k < 3; k++)
    x = pd_axpy(x, d[k] / volume, pd_cross(n[(k + 1) % 3], n[(k + 2) % 3]));
  body_put_mesh(&c->z.b, pd_v(0.0, 0.0, 0.0), pd_m_identity());
  body_put(&c->z.a, pd_sub(x, pd_mv(turn, c->z.a.shape.v[0])), turn);
}

/* i and target are not looked at */
static int corner_pose(scene *z, int i, double target, sc_random *random)
{
  (void)i;
  (void)target;
  double d[3];
  any_distances(in_corner, random, d);
  put_in_corner(in_corner, d, any_turn(in_corner, random));
  const double distance = body_distance(&z->a, &z->b, 2.0 * GBAR);
  return distance > 0.05 * GBAR && distance < GBAR;
}

/* Friction of each contact, and what the edges between their faces take off. */
static void test_derivatives_in_corners(void **state)
{
  (void)state;
  make_corners();
  make_pose = corner_pose;
  for (int i = 0; i < CORNERS; i++) {
    scene *z = &corners[i].z;
    const pd_law rough = rubbing(law_of(1.5, 0.3), 1e3, 0.0);
    in_corner = &corners[i];
    check_scene(z, PD_SET_CONTINUOUS, rough, PD_NEWMARK, 0, 0.0);
    check_scene(z, PD_SET_CONTINUOUS, rough, PD_EULER, 0, 0.0);
    for (int em = 1; em <= 3; em++) check_scene(z, PD_SET_CONTINUOUS, rough, PD_EULER, em, 0.0);
  }
  make_pose = any_pose;
  free_corners();
}

/* what Coulomb's law refers to: the normal forces of all contacts */
static double sum_of_normals(corner *c, const pd_law *law)
{
  pd_contact_list list = {0};
  pd_pair_result r;
  double sum = 0.0;
  c->z.a.pose.velocity = c->z.b.pose.velocity = pd_at_rest();
  check_ok(body_eval(&c->z.a, &c->z.b, law, PD_SET_CONTINUOUS, 0, work, &r, &list));
  for (int i = 0; i < list.n; i++) sum += list.c[i].force;
  pd_contact_list_free(&list);
  return sum;
}

/* its largest change in one of so many steps from one place to another, over its largest value */
static double largest_change(corner *c, const double (*d)[3], pd_mat3 turn, int steps)
{
  const pd_law law = law_of(1.5, 0.0);
  double last = 0.0, most = 0.0, change = 0.0;
  for (int i = 0; i <= steps; i++) {
    double at[3];
    for (int k = 0; k < 3; k++) at[k] = d[0][k] + (d[1][k] - d[0][k]) * i / steps;
    put_in_corner(c, at, turn);
    const double sum = sum_of_normals(c, &law);
    if (i > 0) change = fmax(change, fabs(sum - last));
    most = fmax(most, sum);
    last = sum;
  }
  return most > 0.0 ? change / most : 0.0;
}

/* Faces come into reach and leave it, feet cross the edges between them, contacts are outweighed:
 * steps an eighth as long change what friction is bound by an eighth as much, or nearly. */
static void test_contacts_of_corners_come_without_a_jump(void **state)
{
  (void)state;
  sc_random random = {4};
  make_corners();
  for (int i = 0; i < CORNERS; i++) {
    double coarse = 0.0, fine = 0.0;
    for (int k = 0; k < 20; k++) {
      double d[2][3];
      any_distances(&corners[i], &random, d[0]);
      any_distances(&corners[i], &random, d[1]);
      const pd_mat3 turn = any_turn(&corners[i], &random);
      coarse = fmax(coarse, largest_change(&corners[i], d, turn, 200));
      fine = fmax(fine, largest_change(&corners[i], d, turn, 1600));
    }
    print_message("%s: largest change of normal forces = %.2g, steps of an eighth: %.2g\n",
                  corners[i].z.name, coarse, fine);
    assert_true(coarse > 0.0 && fine < 0.2 * coarse);
  }
  free_corners();
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_derivatives),
      cmocka_unit_test(test_derivatives_of_friction),
      cmocka_unit_test(test_derivatives_of_em),
      cmocka_unit_test(test_derivatives_of_dead_impacts),
      cmocka_unit_test(test_derivatives_of_slides),
      cmocka_unit_test(test_damping_over_an_edge),
      cmocka_unit_test(test_balance),
      cmocka_unit_test(test_exchange),
      cmocka_unit_test(test_energy),
      cmocka_unit_test(test_gap),
      cmocka_unit_test(test_power),
      cmocka_unit_test(test_literal),
      cmocka_unit_test(test_derivatives_of_rounded),
      cmocka_unit_test(test_properties_of_rounded),
      cmocka_unit_test(test_derivatives_in_corners),
      cmocka_unit_test(test_contacts_of_corners_come_without_a_jump),
  };
  if (argc > 1) poses = atoi(argv[1]); /* for derivatives */
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
