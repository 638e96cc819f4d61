/* SPDX-License-Identifier: MIT
 * Residual and tangent of a step: eqs. (60)-(63) of the 2021 paper, moments left as moments. */
#include <string.h>

#include "pair_internal.h"
#include "system.h"

static double *block(const pd_system *sys, int slot) { return sys->values + 36 * (size_t)slot; }

/* adds the 6x6 part of k at (row, col) with its spin columns turned into columns of alpha */
static void add_block(double *out, double (*k)[12], int row, int col, const pd_mat3 *xi)
{
  for (int i = 0; i < 6; i++) {
    const double *s = &k[row + i][col + 3];
    for (int j = 0; j < 3; j++) {
      out[6 * i + j] += k[row + i][col + j];
      out[6 * i + 3 + j] += s[0] * xi->m[0][j] + s[1] * xi->m[1][j] + s[2] * xi->m[2][j];
    }
  }
}

static void assemble(const pd_system *sys, const pd_link *l, pd_pair_result *r)
{
  const pd_mat3 *xa = &sys->body[l->a].k.xi, *xb = l->wall ? NULL : &sys->body[l->b].k.xi;
  if (l->slot[0] >= 0) add_block(block(sys, l->slot[0]), r->k, 0, 0, xa);
  if (l->slot[1] >= 0) add_block(block(sys, l->slot[1]), r->k, 0, 6, xb);
  if (l->slot[2] >= 0) add_block(block(sys, l->slot[2]), r->k, 6, 0, xa);
  if (l->slot[3] >= 0) add_block(block(sys, l->slot[3]), r->k, 6, 6, xb);
}

/* contact force and moment on a wall, the moment about the world's origin */
static void load_wall(pd_wall *w, const pd_body *a, const double *force)
{
  const pd_vec3 f = pd_v_load(force + 6), x = pd_add(a->o.x, a->u);
  pd_vec3 m = pd_v_load(force + 9);
  if (w->kind == PD_PLANE) { /* the result refers to the point under the body's centre */
    const double h = pd_dot(w->normal, pd_sub(x, w->point));
    m = pd_add(m, pd_cross(pd_axpy(x, -h, w->normal), f));
  }
  const double add[6] = {f.x, f.y, f.z, m.x, m.y, m.z};
  for (int i = 0; i < 6; i++) w->load[i] += add[i];
}

static pd_status eval_wall(pd_system *sys, const pd_link *l, int tangent, pd_pair_result *r,
                           pd_contact_list *list)
{
  const pd_body *a = &sys->body[l->a];
  pd_wall *w = &sys->wall[l->b];
  const int k = tangent && l->slot[0] >= 0;
  pd_status status;
  if (w->kind == PD_PLANE) {
    const double h0 = pd_dot(w->normal, pd_sub(a->o.x, w->point)), hu = pd_dot(w->normal, a->u);
    if (h0 + hu > a->shape->radius + l->law->gbar) return pd_result_clear(r), PD_OK;
    status = pd_plane_eval(&a->place, h0, hu, w->normal, &w->place.motion, l->law, k, r, list);
  } else {
    status = pd_pair_eval(&a->place, &w->place, pd_neg(a->o.x), pd_neg(a->u), l->law, sys->set, k,
                          sys->work, r, list);
  }
  if (a->owned && !status) {
    load_wall(w, a, r->force);
    w->energy += r->energy;
  }
  return status;
}

static pd_status eval_bodies(pd_system *sys, const pd_link *l, int tangent, pd_pair_result *r,
                             pd_contact_list *list)
{
  const pd_body *a = &sys->body[l->a], *b = &sys->body[l->b];
  const pd_vec3 r0 = pd_sub(b->o.x, a->o.x), ru = pd_sub(b->u, a->u), c = pd_add(r0, ru);
  const double reach = a->shape->radius + b->shape->radius + l->law->gbar;
  if (pd_norm2(c) > reach * reach) return pd_result_clear(r), PD_OK;
  return pd_pair_eval(&a->place, &b->place, r0, ru, l->law, sys->set, tangent, sys->work, r, list);
}

/* virial of a pair of bodies: (x_A - x_B) f_A */
static void add_virial(const pd_system *sys, const pd_link *l, const double *f, double *virial)
{
  const pd_body *a = &sys->body[l->a], *b = &sys->body[l->b];
  const pd_vec3 d = pd_sub(pd_sub(a->o.x, b->o.x), pd_sub(b->u, a->u));
  const double w[6] = {d.x * f[0], d.y * f[1], d.z * f[2], d.x * f[1], d.x * f[2], d.y * f[2]};
  for (int i = 0; i < 6; i++) virial[i] += l->share * w[i];
}

static void add_totals(pd_totals *t, const pd_link *l, const pd_pair_result *r)
{
  t->energy += l->share * r->energy;
  t->scale2 += l->share * r->scale2;
  t->power += l->share * r->power;
  t->ncontact += l->share * r->ncontact;
  t->mingap = fmin(t->mingap, r->mingap);
}

static pd_status eval_links(pd_system *sys, int tangent, double sign, pd_totals *totals)
{
  pd_pair_result r;
  for (int i = 0; i < sys->nlink; i++) {
    const pd_link *l = &sys->link[i];
    const pd_status status =
        l->wall ? eval_wall(sys, l, tangent, &r, NULL) : eval_bodies(sys, l, tangent, &r, NULL);
    if (status) return status;
    if (r.ncontact == 0) continue;
    double *fa = sys->force + 6 * l->a, *fb = l->wall ? NULL : sys->force + 6 * l->b;
    for (int m = 0; m < 6; m++) fa[m] += sign * r.force[m];
    for (int m = 0; fb && m < 6; m++) fb[m] += sign * r.force[6 + m];
    add_totals(totals, l, &r);
    if (!l->wall) add_virial(sys, l, r.force, totals->virial);
    if (tangent) assemble(sys, l, &r);
  }
  return PD_OK;
}

/* inertia and external loads, eqs. (19), (24); the tangent goes to the diagonal block of the row */
static void add_inertia(pd_system *sys, const pd_body *b, int i, int row)
{
  double *f = sys->force + 6 * i;
  pd_mat3 d;
  const pd_vec3 ft = pd_inertia_force(&sys->scheme, &b->o, &b->in, b->u);
  const pd_vec3 mt =
      pd_inertia_moment(&sys->scheme, &b->o, &b->in, b->alpha, &b->k, row >= 0 ? &d : NULL);
  pd_v_store(f, pd_sub(ft, b->fext));
  pd_v_store(f + 3, pd_sub(mt, b->text));
  if (row < 0) return;
  int s = sys->rowptr[row];
  while (sys->col[s] != b->row) s++;
  double *k = block(sys, s);
  const double m = pd_inertia_stiffness(&sys->scheme, &b->in);
  for (int p = 0; p < 3; p++) {
    k[7 * p] += m;
    for (int q = 0; q < 3; q++) k[6 * (3 + p) + 3 + q] += d.m[p][q];
  }
}

static void start_motion(pd_body *b)
{
  pd_motion m = pd_at_rest();
  m.v = b->o.v;
  m.w = b->o.w;
  b->k.motion = b->place.motion = m;
}

pd_status pd_system_eval(pd_system *sys, pd_when when, int tangent, pd_totals *totals)
{
  const pd_totals zero = {0.0, 0.0, 0.0, DBL_MAX, 0.0, {0.0}};
  int row = 0;
  *totals = zero;
  memset(sys->force, 0, (size_t)sys->nbody * 6 * sizeof(double));
  if (tangent) memset(sys->values, 0, (size_t)sys->rowptr[sys->nlocal] * 36 * sizeof(double));
  for (int i = 0; i < sys->nwall; i++) {
    memset(sys->wall[i].load, 0, sizeof sys->wall[i].load);
    sys->wall[i].energy = 0.0;
  }
  for (int i = 0; i < sys->nbody; i++) {
    pd_body *b = &sys->body[i];
    pd_system_place(sys, i, b->u, b->alpha);
    if (when == PD_AT_START)
      start_motion(b);
    else if (b->owned && b->mobile)
      add_inertia(sys, b, i, tangent ? row++ : -1);
  }
  return eval_links(sys, tangent, when == PD_AT_START ? 1.0 : -1.0, totals);
}

void pd_system_accelerate(pd_system *sys)
{
  for (int i = 0; i < sys->nbody; i++) {
    pd_body *b = &sys->body[i];
    if (!b->owned || !b->mobile) continue;
    const double *f = sys->force + 6 * i;
    const pd_vec3 force = pd_add(pd_v_load(f), b->fext), torque = pd_add(pd_v_load(f + 3), b->text);
    b->o.acc = pd_scale(1.0 / b->in.mass, force);
    b->o.wdot = pd_inertia_spin_up(&b->o, &b->in, torque);
  }
}

pd_status pd_system_contacts(pd_system *sys, pd_contact_list *list, pd_contact_visitor visit,
                             void *ctx)
{
  const pd_vec3 zero = pd_v(0.0, 0.0, 0.0);
  pd_pair_result r;
  for (int i = 0; i < sys->nbody; i++) {
    pd_system_place(sys, i, zero, zero);
    start_motion(&sys->body[i]);
  }
  for (int i = 0; i < sys->nlink; i++) {
    const pd_link *l = &sys->link[i];
    list->n = 0;
    const pd_status status =
        l->wall ? eval_wall(sys, l, 0, &r, list) : eval_bodies(sys, l, 0, &r, list);
    if (status) return status;
    for (int k = 0; k < list->n; k++) visit(ctx, l, &list->c[k]);
  }
  return PD_OK;
}
