/* SPDX-License-Identifier: MIT
 * Contact dynamics on several processes, for which threads stand: bodies belong to one of them and
 * have ghosts elsewhere, contacts are where their first body is. All solvers must find what they
 * find on one process. */
#include <threads.h>

#include "test_cd_scenes.h"

enum { RANKS = 3, MOST = 32 };

/* what the threads share */
static struct {
  mtx_t lock;
  cnd_t gate;
  int waiting, round;
  double *buffer; /* by global body */
  double part[RANKS][MOST];
} board;

typedef struct process {
  int rank;
  scene s;
  int *global;  /* bodies here, by local number */
  int *contact; /* contacts here: their numbers in the whole */
  const scene *whole;
  const double *load;
  double worst[8]; /* differences from the solutions of one process */
} process;

static void barrier(void)
{
  mtx_lock(&board.lock);
  const int round = board.round;
  if (++board.waiting == RANKS) {
    board.waiting = 0;
    board.round++;
    cnd_broadcast(&board.gate);
  }
  while (round == board.round) cnd_wait(&board.gate, &board.lock);
  mtx_unlock(&board.lock);
}

static void forward(void *ctx, double *buffer)
{
  const process *p = (const process *)ctx;
  for (int i = 0; i < p->s.net.nowned; i++)
    memcpy(board.buffer + 6 * (size_t)p->global[i], buffer + 6 * (size_t)i, 6 * sizeof *buffer);
  barrier();
  for (int i = p->s.net.nowned; i < p->s.net.nbody; i++)
    memcpy(buffer + 6 * (size_t)i, board.buffer + 6 * (size_t)p->global[i], 6 * sizeof *buffer);
  barrier();
}

static void reverse(void *ctx, double *buffer)
{
  const process *p = (const process *)ctx;
  for (int i = 0; i < p->s.net.nowned; i++)
    memcpy(board.buffer + 6 * (size_t)p->global[i], buffer + 6 * (size_t)i, 6 * sizeof *buffer);
  for (int turn = 0; turn < RANKS; turn++) {
    barrier();
    if (turn != p->rank) continue;
    for (int i = p->s.net.nowned; i < p->s.net.nbody; i++)
      for (int c = 0; c < 6; c++)
        board.buffer[6 * (size_t)p->global[i] + c] += buffer[6 * (size_t)i + c];
  }
  barrier();
  for (int i = 0; i < p->s.net.nowned; i++)
    memcpy(buffer + 6 * (size_t)i, board.buffer + 6 * (size_t)p->global[i], 6 * sizeof *buffer);
  barrier();
}

static void reduce(const process *p, double *x, int n, int largest)
{
  assert_true(n <= MOST);
  memcpy(board.part[p->rank], x, (size_t)n * sizeof *x);
  barrier();
  for (int i = 0; i < n; i++) {
    x[i] = board.part[0][i];
    for (int r = 1; r < RANKS; r++)
      x[i] = largest ? fmax(x[i], board.part[r][i]) : x[i] + board.part[r][i];
  }
  barrier();
}

static void sum(void *ctx, double *x, int n) { reduce((const process *)ctx, x, n, 0); }
static void max(void *ctx, double *x, int n) { reduce((const process *)ctx, x, n, 1); }

static int owner(int body) { return body % 7 % RANKS; }

/* the process's part of the whole network */
static void open_part(process *p, pd_communication *communication)
{
  const scene *w = p->whole;
  const int n = w->net.nbody, nc = w->net.ncontact;
  int *local = (int *)malloc(sizeof(int) * (size_t)n), owned = 0, ghosts = 0, mine = 0;
  p->global = (int *)malloc(sizeof(int) * (size_t)n);
  p->contact = (int *)malloc(sizeof(int) * (size_t)nc);
  for (int i = 0; i < n; i++) local[i] = owner(i) == p->rank ? owned++ : -1;
  for (int k = 0; k < nc; k++) {
    const pd_cd_contact *c = &w->net.contact[k];
    if (owner(c->a) != p->rank) continue;
    p->contact[mine++] = k;
    if (c->b >= 0 && local[c->b] < 0) local[c->b] = owned + ghosts++;
  }
  scene_open(&p->s, owned, ghosts, mine);
  for (int i = 0; i < n; i++) {
    const int at = local[i];
    if (at < 0) continue;
    p->global[at] = i;
    p->s.net.body[at] = w->net.body[i];
    memcpy(p->s.v0 + 6 * at, w->v0 + 6 * i, 6 * sizeof(double));
    memcpy(p->s.fext + 6 * at, w->fext + 6 * i, 6 * sizeof(double));
    memcpy(p->s.load + 6 * at, p->load + 6 * i, 6 * sizeof(double));
  }
  for (int k = 0; k < mine; k++) {
    pd_cd_contact c = w->net.contact[p->contact[k]];
    c.a = local[c.a];
    if (c.b >= 0) c.b = local[c.b];
    p->s.net.contact[k] = c;
  }
  const pd_communication e = {p, forward, reverse, sum, max};
  *communication = e;
  p->s.net.communication = communication;
  check_ok(pd_cd_network_bind(&p->s.net));
  free(local);
}

enum { COMPATIBLE = 3 }; /* by Newton, by the Lagrangian, and with friction */

static const int strides[COMPATIBLE] = {1, 1, 3};

static pd_status compatible(scene *s, int which, const double *load,
                            pd_cd_compatible_report *report)
{
  pd_cd_compatible_options opt = pd_cd_compatible_defaults(2.5);
  opt.tol = 1e-11;
  opt.maxit_inner = 20000;
  scene_reset(s);
  if (which == 2)
    return pd_cd_compatible_friction(&s->net, &opt, load, &s->pool, s->f, s->u, report);
  return which ? pd_cd_compatible_lagrange(&s->net, &opt, load, &s->pool, s->f, s->u, report)
               : pd_cd_compatible_newton(&s->net, &opt, load, &s->pool, s->f, s->u, report);
}

/* Steps: PGS, APGD, and friction, associated, whose velocities are unique. */
static pd_status any_step(scene *s, int k, pd_cd_report *report)
{
  pd_cd_options opt = pd_cd_defaults();
  opt.method = k ? PD_CD_APGD : PD_CD_PGS;
  opt.tol = 1e-10;
  opt.maxit = 100000;
  opt.corrections = 0;
  scene_reset(s);
  return k < 2 ? pd_cd_step_solve(&s->net, &opt, &s->step, &s->pool, report)
               : pd_cd_step_solve_friction(&s->net, &opt, &s->step, &s->pool, report);
}

static double *whole_v[3], *whole_f[COMPATIBLE];

/* one thread: everything the whole network was asked for */
static int work(void *argument)
{
  process *p = (process *)argument;
  pd_communication communication;
  pd_cd_report report;
  pd_cd_compatible_report cr;
  open_part(p, &communication);
  for (int k = 0; k < 3; k++) {
    if (any_step(&p->s, k, &report) || !report.converged) return 1;
    for (int i = 0; i < 6 * p->s.net.nbody; i++)
      p->worst[k] = fmax(p->worst[k], fabs(p->s.v[i] - whole_v[k][6 * p->global[i / 6] + i % 6]));
  }
  for (int k = 0; k < COMPATIBLE; k++) {
    const int stride = strides[k];
    if (compatible(&p->s, k, p->s.load, &cr) || !cr.converged) return 2;
    for (int i = 0; i < stride * p->s.net.ncontact; i++) {
      const double whole = whole_f[k][stride * p->contact[i / stride] + i % stride];
      p->worst[3 + k] = fmax(p->worst[3 + k], fabs(p->s.f[i] - whole));
    }
  }
  return 0;
}

static void solve_whole(scene *s, const double *load)
{
  pd_cd_report report;
  pd_cd_compatible_report cr;
  const size_t n6 = 6 * (size_t)s->net.nbody, n = (size_t)s->net.ncontact;
  for (int k = 0; k < 3; k++) {
    whole_v[k] = zeros(n6);
    check_ok(any_step(s, k, &report));
    assert_true(report.converged);
    memcpy(whole_v[k], s->v, n6 * sizeof(double));
  }
  for (int k = 0; k < COMPATIBLE; k++) {
    whole_f[k] = zeros(3 * n);
    check_ok(compatible(s, k, load, &cr));
    assert_true(cr.converged);
    memcpy(whole_f[k], s->f, 3 * n * sizeof(double));
  }
}

/* speed and force: what differences are compared with */
static void check_split(scene *s, const double *load, double speed, double force)
{
  static process p[RANKS];
  thrd_t thread[RANKS];
  memset(p, 0, sizeof p);
  solve_whole(s, load);
  board.buffer = zeros(6 * (size_t)s->net.nbody);
  mtx_init(&board.lock, mtx_plain);
  cnd_init(&board.gate);
  for (int r = 0; r < RANKS; r++) {
    p[r].rank = r, p[r].whole = s, p[r].load = load;
    assert_int_equal(thrd_create(&thread[r], work, &p[r]), thrd_success);
  }
  for (int r = 0; r < RANKS; r++) {
    int result;
    thrd_join(thread[r], &result);
    assert_int_equal(result, 0);
    for (int k = 0; k < 3; k++) check_near(p[r].worst[k], 0.0, 1e-8 * speed);
    for (int k = 3; k < 3 + COMPATIBLE; k++) check_near(p[r].worst[k], 0.0, 1e-9 * force);
    free(p[r].global), free(p[r].contact);
    scene_close(&p[r].s);
  }
  for (int k = 0; k < 3; k++) free(whole_v[k]);
  for (int k = 0; k < COMPATIBLE; k++) free(whole_f[k]);
  free(board.buffer);
  mtx_destroy(&board.lock);
  cnd_destroy(&board.gate);
}

static void test_spheres(void **state)
{
  (void)state;
  pyramid p;
  pyramid_open(&p, 4, 0.0);
  for (int i = 16; i < p.count; i++) p.s.v0[6 * i + 2] = -0.05, p.s.v0[6 * i] = 0.01 * (i % 3);
  for (int i = 0; i < p.s.net.ncontact; i++) p.s.net.contact[i].mu = 0.3;
  rest_load(&p.s);
  check_split(&p.s, p.s.load, 0.05, p.mass * gravity);
  pyramid_close(&p);
}

static void test_boxes(void **state)
{
  (void)state;
  scene s;
  stack_open(&s, 4);
  for (int i = 0; i < s.net.ncontact; i++) s.net.contact[i].mu = 0.3;
  for (int i = 0; i < 24; i++) s.v0[i] = -0.1 * (1 + i % 5);
  check_split(&s, s.load, 0.5, 1.0);
  scene_close(&s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_spheres),
      cmocka_unit_test(test_boxes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
