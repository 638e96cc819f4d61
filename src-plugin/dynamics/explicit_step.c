/* SPDX-License-Identifier: MIT
 * How long explicit steps may be for friction. */
#include "dynamics/explicit_step.h"

#include <string.h>

#include "contact/gap.h"

/* The way of the point at the lever p along t, by a body's unknowns. row: 6 numbers. */
static void row_of(const pd_body *b, pd_vec3 p, pd_vec3 t, double *row)
{
  const pd_vec3 turn = pd_mtv(b->pose.rot, pd_cross(p, t)), j = b->inertia.j;
  pd_v_store(row, pd_scale(1.0 / sqrt(b->inertia.mass), t));
  pd_v_store(row + 3, pd_v(turn.x / sqrt(j.x), turn.y / sqrt(j.y), turn.z / sqrt(j.z)));
}

static void add_product(double (*a)[6], double factor, const double *row)
{
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < 6; k++) a[i][k] += factor * row[i] * row[k];
}

static void add_contact(pd_sticking *of, const pd_body *b, const pd_friction_law *law, pd_vec3 p,
                        pd_vec3 n)
{
  pd_vec3 along[2];
  double row[6];
  pd_frame(n, &along[0], &along[1]);
  for (int k = 0; k < 2; k++) {
    row_of(b, p, along[k], row);
    add_product(of->spring, law->eps_t, row);
    add_product(of->dashpot, law->c_t, row);
  }
}

typedef struct gathering {
  const pd_system *sys;
  pd_sticking *of;
} gathering;

static void visit(void *ctx, const pd_contact_pair *pair, const pd_contact *c)
{
  const gathering *g = (const gathering *)ctx;
  const pd_body *a = &g->sys->body[pair->a];
  if (!(pair->law->t.eps_t > 0.0 && pair->law->t.mu_s > 0.0) || !(c->force > 0.0)) return;
  add_contact(&g->of[pair->a], a, &pair->law->t, c->grip, c->normal);
  if (pair->wall) return;
  const pd_body *b = &g->sys->body[pair->b];
  const pd_vec3 lever = pd_add(c->grip, pd_sub(a->start.x, b->start.x));
  add_contact(&g->of[pair->b], b, &pair->law->t, lever, c->normal);
}

pd_status pd_system_sticking(pd_system *sys, pd_contact_list *list, pd_sticking *of)
{
  gathering g = {sys, of};
  if (sys->nbody > 0) memset(of, 0, (size_t)sys->nbody * sizeof *of);
  return pd_system_contacts(sys, list, visit, &g);
}

void pd_sticking_hold(pd_sticking *body, int axes)
{
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 6 && (axes & 1 << i); k++)
      body->spring[i][k] = body->spring[k][i] = body->dashpot[i][k] = body->dashpot[k][i] = 0.0;
}

/* v'Av / v'v */
static double quotient(const double (*a)[6], const double *v)
{
  double sum = 0.0, norm2 = 0.0;
  for (int i = 0; i < 6; i++) {
    norm2 += v[i] * v[i];
    for (int k = 0; k < 6; k++) sum += v[i] * a[i][k] * v[k];
  }
  return sum / norm2;
}

/* The direction of the largest eigenvalue of a, or near it: of a quotient that is no larger. */
static void largest(const double (*a)[6], double *v)
{
  enum { POWERS = 40 }; /* two eigenvalues as near as 0.8 are told apart to 1e-7 */
  for (int i = 0; i < 6; i++) v[i] = 1.0 + 0.1 * i;
  for (int m = 0; m < POWERS; m++) {
    double next[6] = {0.0}, most = 0.0;
    for (int i = 0; i < 6; i++) {
      for (int k = 0; k < 6; k++) next[i] += a[i][k] * v[k];
      most = fmax(most, fabs(next[i]));
    }
    if (!(most > 0.0)) return;
    for (int i = 0; i < 6; i++) v[i] = next[i] / most;
  }
}

/* v' = v - h (s x + c v), x' = x + h v' grows from s h^2 + 2 c h = 4 on. */
double pd_unstable_from(const pd_sticking *body, double h)
{
  double a[6][6], v[6];
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < 6; k++) a[i][k] = h * (h * body->spring[i][k] + 2.0 * body->dashpot[i][k]);
  largest((const double(*)[6])a, v);
  const double s = quotient(body->spring, v), c = quotient(body->dashpot, v);
  if (!(h * (h * s + 2.0 * c) >= 4.0)) return INFINITY;
  return 4.0 / (c + sqrt(c * c + 4.0 * s));
}
