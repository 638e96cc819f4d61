/* SPDX-License-Identifier: MIT
 * Contact networks that the tests of contact dynamics share. */
#ifndef TEST_CD_SCENES_H
#define TEST_CD_SCENES_H

#include <string.h>

#include "contact_dynamics/compatible.h"
#include "contact_dynamics/rigid.h"
#include "check.h"

/* a network with the vectors of a step, and what its owner needs */
typedef struct scene {
  pd_cd_network net;
  pd_cd_pool pool;
  pd_cd_step step;
  double *v0, *fext, *v, *f, *slack, *load, *u;
} scene;

static inline double *zeros(size_t n)
{
  double *x = (double *)calloc(n ? n : 1, sizeof *x);
  assert_non_null(x);
  return x;
}

static inline void scene_open(scene *s, int nowned, int nghost, int ncontact)
{
  const size_t n6 = 6 * (size_t)(nowned + nghost), n = (size_t)ncontact;
  pd_cd_network_create(&s->net);
  pd_cd_pool_create(&s->pool);
  check_ok(pd_cd_network_resize(&s->net, nowned, nghost, ncontact));
  memset(s->net.body, 0, sizeof *s->net.body * (size_t)(nowned + nghost));
  memset(s->net.contact, 0, sizeof *s->net.contact * n);
  s->v0 = zeros(n6), s->fext = zeros(n6), s->v = zeros(n6), s->load = zeros(n6), s->u = zeros(n6);
  s->f = zeros(3 * n), s->slack = zeros(n);
  const pd_cd_step step = {1e-3, s->v0, s->fext, s->v, s->f, s->slack};
  s->step = step;
}

static inline void scene_close(scene *s)
{
  double *all[] = {s->v0, s->fext, s->v, s->f, s->slack, s->load, s->u};
  for (int i = 0; i < 7; i++) free(all[i]);
  pd_cd_pool_free(&s->pool);
  pd_cd_network_free(&s->net);
}

/* cold start */
static inline void scene_reset(scene *s)
{
  memset(s->f, 0, 3 * sizeof(double) * (size_t)s->net.ncontact);
  memset(s->u, 0, 6 * sizeof(double) * (size_t)s->net.nbody);
}

static inline pd_cd_body box_body(double mass, double a, double b, double c)
{
  const double m = mass / 12.0;
  const pd_vec3 j = pd_v(m * (b * b + c * c), m * (a * a + c * c), m * (a * a + b * b));
  const pd_cd_body body = {.mass = mass, .inertia = pd_m_diag(j), .mobile = 1, .turns = 1};
  return body;
}

static inline pd_cd_body point_body(double mass, int mobile)
{
  const pd_cd_body body = {.mass = mass, .mobile = mobile};
  return body;
}

static inline pd_cd_contact contact_of(int a, int b, pd_vec3 n, pd_vec3 ra, pd_vec3 rb, double gap)
{
  const pd_cd_contact c = {
      .a = a, .b = b, .n = n, .ra = ra, .rb = rb, .gap = gap, .k = 1.0, .closed = 1};
  return c;
}

/* a box of the given weight at rest on points of a floor, positions relative to its centre */
static inline void box_on_points(scene *s, double weight, int n, const double (*at)[2])
{
  scene_open(s, 1, 0, n);
  s->net.body[0] = box_body(1.0, 2.0, 2.0, 2.0);
  s->fext[2] = -weight;
  for (int i = 0; i < n; i++)
    s->net.contact[i] = contact_of(0, -1, pd_v(0.0, 0.0, 1.0), pd_v(at[i][0], at[i][1], -1.0),
                                   pd_v(0.0, 0.0, 0.0), 0.0);
  check_ok(pd_cd_network_bind(&s->net));
}

static const double beam_at[3][2] = {{-1.0, 0.0}, {0.0, 0.0}, {1.0, 0.0}};

/* A tower of cubes, edge 2, weight 1, on six points each; fext holds the weights and a push at the
 * top, which must not overturn it. */
static inline void stack_open(scene *s, int n)
{
  const double at[6][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {0.2, 0.9}, {-0.8, 0.1}};
  scene_open(s, n, 0, 6 * n);
  for (int b = 0; b < n; b++) {
    s->net.body[b] = box_body(1.0, 2.0, 2.0, 2.0);
    s->fext[6 * b + 2] = -1.0;
    s->load[6 * b + 2] = 1.0;
    for (int k = 0; k < 6; k++)
      s->net.contact[6 * b + k] =
          contact_of(b, b - 1, pd_v(0.0, 0.0, 1.0), pd_v(at[k][0], at[k][1], -1.0),
                     pd_v(at[k][0], at[k][1], 1.0), 0.0);
  }
  const size_t top = 6 * (size_t)(n - 1);
  s->fext[top + 3] = 0.5, s->load[top + 3] = -0.5;
  s->fext[top + 4] = 0.8, s->load[top + 4] = -0.8;
  check_ok(pd_cd_network_bind(&s->net));
}

/* F~ of a state of rest */
static inline void rest_load(scene *s)
{
  for (int i = 0; i < 6 * s->net.nowned; i++) s->load[i] = -s->fext[i];
}

/* Square pyramid of spheres: 2.5 mm, 2000 kg/m3, lowest layer fixed. */
typedef struct pyramid {
  scene s;
  int base, count;
  double d, mass;
  pd_vec3 *x;
} pyramid;

static const double gravity = 9.81;

/* sphere (i, j) of layer l */
static inline int sphere_at(int base, int l, int i, int j)
{
  int first = 0;
  for (int k = 0; k < l; k++) first += (base - k) * (base - k);
  return first + i * (base - l) + j;
}

static inline int pyramid_pairs(const pyramid *p, int (*pair)[2])
{
  int n = 0;
  for (int l = 1; l < p->base; l++)
    for (int i = 0; i < p->base - l; i++)
      for (int j = 0; j < p->base - l; j++) {
        const int me = sphere_at(p->base, l, i, j), m = p->base - l;
        const int other[6] = {sphere_at(p->base, l - 1, i, j),
                              sphere_at(p->base, l - 1, i + 1, j),
                              sphere_at(p->base, l - 1, i, j + 1),
                              sphere_at(p->base, l - 1, i + 1, j + 1),
                              i + 1 < m ? sphere_at(p->base, l, i + 1, j) : -1,
                              j + 1 < m ? sphere_at(p->base, l, i, j + 1) : -1};
        for (int k = 0; k < 6; k++) {
          if (other[k] < 0) continue;
          if (pair) pair[n][0] = me, pair[n][1] = other[k];
          n++;
        }
      }
  return n;
}

/* normals and gaps of the present positions */
static inline void pyramid_geometry(pyramid *p)
{
  for (int i = 0; i < p->s.net.ncontact; i++) {
    pd_cd_contact *c = &p->s.net.contact[i];
    const pd_vec3 r = pd_sub(p->x[c->a], p->x[c->b]);
    c->n = pd_unit(r);
    c->gap = pd_norm(r) - p->d;
  }
  check_ok(pd_cd_network_bind(&p->s.net));
}

static inline void pyramid_contacts(pyramid *p)
{
  const pd_vec3 zero = pd_v(0.0, 0.0, 0.0);
  const int n = p->s.net.ncontact;
  int(*pair)[2] = (int(*)[2])malloc(sizeof(int[2]) * (size_t)n);
  assert_non_null(pair);
  pyramid_pairs(p, pair);
  for (int i = 0; i < n; i++)
    p->s.net.contact[i] = contact_of(pair[i][0], pair[i][1], zero, zero, zero, 0.0);
  free(pair);
}

/* separation: vertical, between layers, in radii */
static inline void pyramid_open(pyramid *p, int base, double separation)
{
  p->base = base;
  p->count = base * (base + 1) * (2 * base + 1) / 6;
  p->d = 2.5e-3;
  p->mass = 2000.0 * acos(-1.0) / 6.0 * p->d * p->d * p->d;
  scene_open(&p->s, p->count, 0, pyramid_pairs(p, NULL));
  p->x = (pd_vec3 *)malloc(sizeof *p->x * (size_t)p->count);
  assert_non_null(p->x);
  int at = 0;
  for (int l = 0; l < base; l++)
    for (int i = 0; i < base - l; i++)
      for (int j = 0; j < base - l; j++, at++) {
        const double z = l * (p->d / sqrt(2.0) + 0.5 * separation * p->d);
        p->x[at] = pd_v((i + 0.5 * l) * p->d, (j + 0.5 * l) * p->d, z);
        p->s.net.body[at] = point_body(p->mass, l > 0);
        if (l > 0) p->s.fext[6 * at + 2] = -p->mass * gravity;
      }
  pyramid_contacts(p);
  pyramid_geometry(p);
}

static inline void pyramid_close(pyramid *p)
{
  free(p->x);
  scene_close(&p->s);
}

/* vertical force on the fixed spheres */
static inline double pyramid_floor(const pyramid *p)
{
  double sum = 0.0;
  for (int i = 0; i < p->s.net.ncontact; i++) {
    const pd_cd_contact *c = &p->s.net.contact[i];
    if (c->b < p->base * p->base) sum += p->s.f[i] * c->n.z;
  }
  return sum;
}

/* weight of the spheres that move, in weights of one */
static inline double pyramid_weight(const pyramid *p) { return p->count - p->base * p->base; }

static inline double worst_difference(size_t n, const double *a, const double *b)
{
  double w = 0.0;
  for (size_t i = 0; i < n; i++) w = fabs(a[i] - b[i]) <= w ? w : fabs(a[i] - b[i]);
  return w;
}

#endif
