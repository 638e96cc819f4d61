/* SPDX-License-Identifier: MIT */
#include "world.h"

#include <string.h>

#include "base/memory.h"

void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *pivot, int *info);
void dgetrs_(const char *trans, const int *n, const int *nrhs, const double *a, const int *lda,
             const int *pivot, double *b, const int *ldb, int *info);

/* ---- the services of a single process: a dense solver ---- */

static int reserve(sc_world *world, int n)
{
  if (n <= world->size) return 1;
  pd_free(world->matrix);
  pd_free(world->pivot);
  world->size = n;
  world->matrix = (double *)pd_alloc_array((size_t)n * n, sizeof(double));
  world->pivot = (int *)pd_alloc_array((size_t)n, sizeof(int));
  return world->matrix && world->pivot;
}

void sc_dense(const pd_system *sys, const double *values, const int *place, double *matrix)
{
  const pd_pattern *p = &sys->pattern;
  const int n = 6 * p->nlocal;
  memset(matrix, 0, (size_t)n * n * sizeof(double));
  for (int i = 0; i < p->nlocal; i++)
    for (int k = p->rowptr[i]; k < p->rowptr[i + 1]; k++)
      for (int m = 0; m < 36 && place[k] >= 0; m++)
        matrix[6 * i + m / 6 + (size_t)n * (6 * p->col[k] + m % 6)] = values[36 * place[k] + m];
}

static pd_status solve_dense(void *ctx, const pd_linear *a, double *x)
{
  sc_world *world = (sc_world *)ctx;
  const int n = 6 * world->sys.pattern.nlocal, one = 1;
  int info = 0;
  if (n == 0) return PD_OK;
  if (!reserve(world, n)) return PD_ENOMEM;
  if (!a->again) {
    sc_dense(&world->sys, a->values, a->place, world->matrix);
    dgetrf_(&n, &n, world->matrix, &n, world->pivot, &info);
  }
  memcpy(x, a->rhs, (size_t)n * sizeof(double));
  if (!info) dgetrs_("N", &n, &one, world->matrix, &n, world->pivot, x, &n, &info);
  return info ? PD_ESINGULAR : PD_OK;
}

/* ---- building ---- */

pd_status sc_world_create(sc_world *world, pd_scheme_kind scheme, pd_law law)
{
  memset(world, 0, sizeof *world);
  world->law = law;
  world->gravity = pd_v(0.0, 0.0, -9.81);
  world->opt = pd_newton_defaults();
  world->services.ctx = world;
  world->services.solve = solve_dense;
  sc_count_reset(world);
  pd_status status = pd_law_init(&world->law);
  if (!status) status = pd_substep_solver_create(&world->solver);
  if (!status) status = pd_system_create(&world->sys);
  world->sys.scheme.kind = scheme;
  return status;
}

void sc_world_free(sc_world *world)
{
  pd_system_free(&world->sys);
  pd_substep_solver_free(world->solver);
  for (int i = 0; i < world->nshape; i++) {
    pd_shape_free(world->shape[i]);
    pd_free(world->shape[i]);
  }
  pd_free(world->matrix);
  pd_free(world->pivot);
  memset(world, 0, sizeof *world);
}

pd_shape *sc_add_shape(sc_world *world, pd_mesh *mesh, int closed)
{
  pd_shape *shape = world->nshape < SC_SHAPES ? (pd_shape *)pd_malloc(sizeof *shape) : NULL;
  if (!shape) {
    pd_mesh_free(mesh);
    return NULL;
  }
  if (sc_shape(mesh, closed, shape)) {
    pd_free(shape);
    return NULL;
  }
  return world->shape[world->nshape++] = shape;
}

int sc_add_body(sc_world *world, const pd_shape *shape, double mass, pd_vec3 x, pd_quat q)
{
  pd_system *sys = &world->sys;
  const int i = sys->nbody;
  if (!shape || pd_system_resize(sys, i + 1, sys->nwall)) return -1;
  pd_body *b = &sys->body[i];
  memset(b, 0, sizeof *b);
  b->shape = shape;
  b->inertia.mass = mass;
  b->inertia.j = pd_scale(mass / shape->mass.volume, shape->mass.principal);
  b->start.x = x;
  b->start.q = pd_q_mul(q, pd_q_from_matrix(shape->mass.axes));
  b->tag = i + 1;
  b->owned = b->mobile = 1;
  return i;
}

static pd_wall *add_wall(sc_world *world, pd_wall_kind kind)
{
  pd_system *sys = &world->sys;
  if (pd_system_resize(sys, sys->nbody, sys->nwall + 1)) return NULL;
  pd_wall *w = &sys->wall[sys->nwall - 1];
  memset(w, 0, sizeof *w);
  w->kind = kind;
  w->key = sys->nwall;
  w->q = pd_q(1.0, 0.0, 0.0, 0.0);
  return w;
}

int sc_add_plane(sc_world *world, pd_vec3 point, pd_vec3 normal)
{
  pd_wall *w = add_wall(world, PD_PLANE);
  if (!w) return 0;
  w->x = point;
  w->normal = pd_unit(normal);
  return 1;
}

int sc_add_surface(sc_world *world, pd_shape *shape)
{
  pd_wall *w = shape ? add_wall(world, PD_SURFACE) : NULL;
  if (!w) return 0;
  w->shape = shape;
  return 1;
}

static pd_status add_link(sc_world *world, int a, int b, int wall)
{
  pd_contact_pair link;
  memset(&link, 0, sizeof link);
  link.a = a;
  link.b = b;
  link.wall = wall;
  link.law = &world->law;
  link.share = 1.0;
  return pd_system_add_pair(&world->sys, link);
}

static pd_status pair_all(sc_world *world)
{
  pd_system *sys = &world->sys;
  pd_status status = PD_OK;
  sys->npair = 0;
  for (int i = 0; i < sys->nbody; i++) {
    for (int j = i + 1; j < sys->nbody && !status; j++)
      if (sys->body[i].mobile || sys->body[j].mobile) status = add_link(world, i, j, 0);
    for (int j = 0; j < sys->nwall && !status; j++)
      if (sys->body[i].mobile) status = add_link(world, i, j, 1);
  }
  return status;
}

/* rows in body order, weights; returns the number of rows */
static long number_rows(sc_world *world)
{
  pd_system *sys = &world->sys;
  long row = 0;
  for (int i = 0; i < sys->nbody; i++) {
    pd_body *b = &sys->body[i];
    b->row = b->mobile ? row++ : -1;
    b->external_force = pd_scale(b->inertia.mass, world->gravity);
  }
  return row;
}

pd_status sc_ready(sc_world *world)
{
  pd_system *sys = &world->sys;
  double depth;
  pd_totals totals;
  pd_status status = pair_all(world);
  const long rows = number_rows(world);
  if (!status) status = pd_system_bind(sys);
  if (!status) status = pd_system_pattern(sys, 0, rows);
  if (status) return status;
  if (pd_system_overlap(sys, &depth, &status) >= 0) return PD_EOVERLAP;
  if (!status) status = pd_energy_now(sys, &world->services, &world->energy, &totals);
  if (!status) pd_system_accelerate(sys);
  return status;
}

/* ---- stepping ---- */

void sc_count_reset(sc_world *world)
{
  const sc_count zero = {0};
  world->count = zero;
  world->count.shortest = world->count.mingap = DBL_MAX;
}

static void count_solve(sc_world *world, const pd_substep *s, pd_status status)
{
  sc_count *c = &world->count;
  c->iterations += s->iterations;
  c->evaluations += s->evaluations;
  c->limited += s->limited;
  if (status == PD_EENERGY)
    c->guarded++;
  else if (status)
    c->failed++;
  if (status)
    c->wasted += s->iterations;
  else
    c->substeps++;
  if (status) return;
  if (s->iterations > c->most) c->most = s->iterations;
  if (s->mingap < c->mingap) c->mingap = s->mingap;
}

static pd_status accept(sc_world *world, double h, const pd_substep *s)
{
  const double before = sc_energy(world);
  pd_status status = PD_OK;
  double depth;
  pd_substep_commit(&world->sys);
  world->energy.kinetic = s->kinetic;
  world->energy.potential = s->energy;
  world->energy.spring = s->spring;
  world->last = *s;
  world->time += h;
  world->count.shortest = fmin(world->count.shortest, h);
  world->count.gain = fmax(world->count.gain, sc_energy(world) - before);
  if (world->look && pd_system_overlap(&world->sys, &depth, &status) >= 0) world->count.overlaps++;
  return status;
}

pd_status sc_substep(sc_world *world, double h)
{
  pd_substep s;
  pd_status status = pd_substep_solve(world->solver, &world->sys, &world->services, &world->opt, h,
                                      &world->energy, &s);
  count_solve(world, &s, status);
  if (status) world->last = s;
  return status ? status : accept(world, h, &s);
}

/* the rest in one piece, in two equal ones, or a full substep */
static double cut(double rest, double h)
{
  if (rest <= h * (1.0 + 1e-9)) return rest;
  return rest < 2.0 * h ? 0.5 * rest : h;
}

pd_status sc_advance(sc_world *world, double dt)
{
  const double end = world->time + dt;
  double done = 0.0;
  if (!(world->h > 0.0)) world->h = dt;
  while (done < dt) {
    const double rest = dt - done, h = cut(rest, fmin(world->h, dt));
    const pd_status status = sc_substep(world, h);
    const double next = pd_substep_next(&world->opt, status, &world->last, h);
    if (status && next < dt * 1e-9) return status;
    /* a substep that was cut short says nothing against longer ones, so the factor is that of h */
    world->h = fmin(dt, status || next < h ? next : fmax(world->h, h) * (next / h));
    if (!status) done = h == rest ? dt : done + h;
  }
  world->time = end;
  return PD_OK;
}

double sc_energy(const sc_world *world)
{
  double e = world->energy.kinetic + world->energy.potential + world->energy.spring;
  for (int i = 0; i < world->sys.nbody; i++) {
    const pd_body *b = &world->sys.body[i];
    if (b->mobile) e -= b->inertia.mass * pd_dot(world->gravity, b->start.x);
  }
  return e;
}

/* ---- examples 1 and 5 ---- */

static pd_law law_of(double eps1, double n1, double n2, double ramp)
{
  pd_law law;
  memset(&law, 0, sizeof law);
  law.eps1 = eps1;
  law.n1 = n1;
  law.gbar = 1e-3;
  law.f = 0.1;
  law.n2 = n2;
  law.ramp = ramp;
  return law;
}

pd_law sc_block_law(double zeta)
{
  pd_law law = law_of(3.9e6, 1.0, -1.0, 0.1);
  law.zeta = zeta;
  return law;
}

pd_law sc_box_law(double e, double mu)
{
  pd_law law = law_of(1e8, 1.5, -2.0, 0.2);
  law.has_e = 1;
  law.e = e;
  law.t.mu_s = law.t.mu_d = mu;
  law.t.eps_t = 1e5;
  law.t.c_t = 30.0;
  return law;
}

pd_shape *sc_block_shape(sc_world *world)
{
  pd_mesh mesh;
  if (sc_box(SC_BLOCK_EDGE, SC_BLOCK_EDGE, SC_BLOCK_EDGE, &mesh)) return NULL;
  return sc_add_shape(world, &mesh, 1);
}

pd_status sc_block_over_floor(sc_world *world, pd_law law, double height, pd_quat q)
{
  const pd_status status = sc_world_create(world, PD_EM, law);
  if (status) return status;
  const pd_shape *cube = sc_block_shape(world);
  if (!cube || !sc_add_plane(world, pd_v(0, 0, 0), pd_v(0, 0, 1))) return PD_ENOMEM;
  const pd_vec3 x = pd_v(0, 0, height - sc_lowest(cube, q));
  if (sc_add_body(world, cube, SC_BLOCK_MASS, x, q) < 0) return PD_ENOMEM;
  world->opt.tol = 1e-10;
  world->opt.guard = 5e-7;
  return PD_OK;
}

double sc_lowest(const pd_shape *shape, pd_quat q)
{
  const pd_mat3 r = pd_q_matrix(q);
  double low = DBL_MAX;
  for (int i = 0; i < shape->nv; i++) low = fmin(low, pd_mv(r, shape->v[i]).z);
  return low;
}

pd_quat sc_turn(pd_vec3 axis, double angle)
{
  const pd_vec3 a = pd_scale(sin(0.5 * angle), pd_unit(axis));
  return pd_q(cos(0.5 * angle), a.x, a.y, a.z);
}

pd_quat sc_turn_to(pd_vec3 from, pd_vec3 to)
{
  const pd_vec3 a = pd_unit(from), b = pd_unit(to), c = pd_cross(a, b);
  return pd_q_normalize(pd_q(1.0 + pd_dot(a, b), c.x, c.y, c.z));
}
