/* SPDX-License-Identifier: MIT
 * The contact network and the products with its gap function gradient. */
#include "contact_dynamics/network.h"

#include <float.h>

#include "base/array.h"
#include "base/memory.h"

void pd_cd_network_create(pd_cd_network *net)
{
  const pd_cd_network empty = {0, 0, 0, 0, 0, NULL, NULL, NULL, NULL};
  *net = empty;
}

void pd_cd_network_free(pd_cd_network *net)
{
  pd_free(net->body);
  pd_free(net->contact);
  pd_free(net->row);
  pd_cd_network_create(net);
}

pd_status pd_cd_network_resize(pd_cd_network *net, int nowned, int nghost, int ncontact)
{
  const pd_array bodies = PD_ARRAY(net->body);
  const pd_array contacts[] = {PD_ARRAY(net->contact), PD_ARRAY(net->row)};
  const size_t nbody = (size_t)nowned + (size_t)nghost;
  pd_status status = pd_arrays_reserve(&bodies, 1, &net->cap_body, nbody);
  if (!status) status = pd_arrays_reserve(contacts, 2, &net->cap_contact, (size_t)ncontact);
  if (status) return status;
  net->nowned = nowned;
  net->nbody = nowned + nghost;
  net->ncontact = ncontact;
  return PD_OK;
}

/* a force that passes its body's centre by less than this part of the way there has no lever but
 * rounding: the normal forces of a sphere */
static const double LEVER_ROUNDING = 16.0 * DBL_EPSILON;

static void store_unless_rounding(double *at, pd_vec3 x, double scale)
{
  if (pd_norm(x) > LEVER_ROUNDING * scale) pd_v_store(at, x);
}

/* half a row of a body that something else bears in part */
static void guided_row(const pd_cd_body *b, pd_vec3 r, pd_vec3 d, double *j, int *turns)
{
  const pd_vec3 m = pd_cross(pd_add(r, b->arm), d);
  store_unless_rounding(j, pd_mv(b->free_translation, d), pd_norm(d));
  store_unless_rounding(j + 3, pd_mv(b->free_rotation, m),
                        (pd_norm(r) + pd_norm(b->arm)) * pd_norm(d));
  *turns |= pd_norm2(pd_v_load(j + 3)) > 0.0;
}

/* Half a row: d and the moment of d. Returns the body, -1 if it does not move. */
static int half_row(const pd_cd_network *net, int i, pd_vec3 r, pd_vec3 d, double *j, int *turns)
{
  for (int c = 0; c < 6; c++) j[c] = 0.0;
  if (i < 0 || !net->body[i].mobile) return -1;
  if (net->body[i].guided) {
    guided_row(&net->body[i], r, d, j, turns);
    return i;
  }
  pd_v_store(j, d);
  if (!net->body[i].turns) return i;
  const pd_vec3 m = pd_cross(r, d);
  if (!(pd_norm(m) > LEVER_ROUNDING * pd_norm(r) * pd_norm(d))) return i;
  pd_v_store(j + 3, m);
  *turns = 1;
  return i;
}

void pd_cd_free_load(const pd_cd_body *b, const double *load, double *part)
{
  const pd_vec3 none = pd_v(0.0, 0.0, 0.0), force = pd_v_load(load), moment = pd_v_load(load + 3);
  pd_v_store(part, b->mobile ? force : none);
  pd_v_store(part + 3, b->mobile && b->turns ? moment : none);
  if (!b->mobile || !b->guided) return;
  pd_v_store(part, pd_mv(b->free_translation, force));
  pd_v_store(part + 3, pd_mv(b->free_rotation, pd_add(moment, pd_cross(b->arm, force))));
}

/* for the relative velocity along d at a point that lies so from the contact point */
static pd_cd_row make_row(const pd_cd_network *net, const pd_cd_contact *c, pd_vec3 from, pd_vec3 d)
{
  pd_cd_row r;
  r.turns = 0;
  r.a = half_row(net, c->a, pd_add(c->ra, from), d, r.ja, &r.turns);
  r.b = half_row(net, c->b, pd_add(c->rb, from), pd_neg(d), r.jb, &r.turns);
  return r;
}

pd_cd_row pd_cd_normal_row(const pd_cd_network *net, const pd_cd_contact *c)
{
  return make_row(net, c, pd_v(0.0, 0.0, 0.0), c->n);
}

pd_cd_row pd_cd_tangent_row(const pd_cd_network *net, const pd_cd_contact *c, pd_vec3 t)
{
  return make_row(net, c, c->grip, t);
}

void pd_cd_tangents(pd_vec3 n, pd_vec3 *t1, pd_vec3 *t2)
{
  const pd_vec3 a = fabs(n.x) < 0.6 ? pd_v(1.0, 0.0, 0.0) : pd_v(0.0, 1.0, 0.0);
  *t1 = pd_unit(pd_axpy(a, -pd_dot(a, n), n));
  *t2 = pd_cross(n, *t1);
}

static pd_status check_contact(const pd_cd_network *net, const pd_cd_contact *c)
{
  if (c->a < 0 || c->a >= net->nbody || c->b >= net->nbody || c->a == c->b) return PD_EINDEX;
  const double finite = pd_norm2(c->n) + pd_norm2(c->ra) + (c->b < 0 ? 0.0 : pd_norm2(c->rb)) +
                        c->gap + pd_norm2(c->drift) + pd_norm2(c->grip);
  if (!isfinite(finite)) return PD_ENAN;
  return c->k > 0.0 && c->mu >= 0.0 && c->en >= 0.0 && c->en <= 1.0 ? PD_OK : PD_ERANGE;
}

/* inverse of a symmetric positive definite matrix, by its cofactors */
static pd_status invert(pd_mat3 a, pd_mat3 *inverse)
{
  const pd_vec3 r0 = pd_v_load(a.m[0]), r1 = pd_v_load(a.m[1]), r2 = pd_v_load(a.m[2]);
  const double det = pd_dot(r0, pd_cross(r1, r2));
  if (!(a.m[0][0] > 0.0 && pd_cross(r0, r1).z > 0.0 && det > 0.0)) return PD_ERANGE;
  pd_v_store(inverse->m[0], pd_scale(1.0 / det, pd_cross(r1, r2)));
  pd_v_store(inverse->m[1], pd_scale(1.0 / det, pd_cross(r2, r0)));
  pd_v_store(inverse->m[2], pd_scale(1.0 / det, pd_cross(r0, r1)));
  return PD_OK;
}

static pd_status bind_body(pd_cd_body *b)
{
  b->inv_mass = 0.0;
  b->inv_inertia = pd_m_zero();
  if (!b->mobile) return PD_OK;
  if (!(b->mass > 0.0)) return PD_ERANGE;
  b->inv_mass = 1.0 / b->mass;
  return b->turns ? invert(b->inertia, &b->inv_inertia) : PD_OK;
}

pd_status pd_cd_network_bind(pd_cd_network *net)
{
  for (int i = 0; i < net->nbody; i++) {
    const pd_status status = bind_body(&net->body[i]);
    if (status) return status;
  }
  for (int i = 0; i < net->ncontact; i++) {
    const pd_cd_contact *c = &net->contact[i];
    const pd_status status = check_contact(net, c);
    if (status) return status;
    net->row[i] = pd_cd_normal_row(net, c);
  }
  return PD_OK;
}

pd_cd_operator pd_cd_normals(const pd_cd_network *net)
{
  const pd_cd_operator op = {net, net->ncontact, net->row};
  return op;
}

void pd_cd_rates(const pd_cd_operator *op, const double *v, double *out)
{
  for (int i = 0; i < op->n; i++) out[i] = pd_cd_row_rate(&op->row[i], v);
}

void pd_cd_resultants(const pd_cd_operator *op, const double *f, double *sum)
{
  for (size_t i = 0; i < 6 * (size_t)op->net->nbody; i++) sum[i] = 0.0;
  for (int i = 0; i < op->n; i++)
    if (f[i] != 0.0) pd_cd_row_force(&op->row[i], f[i], sum);
  pd_reverse(op->net->communication, sum);
}

void pd_cd_stiffness_product(const pd_cd_operator *op, const double *h, const double *v,
                             double *out)
{
  for (size_t i = 0; i < 6 * (size_t)op->net->nbody; i++) out[i] = 0.0;
  for (int i = 0; i < op->n; i++)
    if (h[i] != 0.0) pd_cd_row_force(&op->row[i], h[i] * pd_cd_row_rate(&op->row[i], v), out);
  pd_reverse(op->net->communication, out);
}

static void add_body_mobility(const pd_cd_body *b, double s, const double *force, double *v)
{
  for (int c = 0; c < 3; c++) v[c] += s * b->inv_mass * force[c];
  if (!b->turns) return;
  const pd_vec3 w = pd_mv(b->inv_inertia, pd_v_load(force + 3));
  pd_v_store(v + 3, pd_axpy(pd_v_load(v + 3), s, w));
}

void pd_cd_add_mobility(const pd_cd_network *net, double s, const double *force, double *v)
{
  for (int i = 0; i < net->nowned; i++)
    if (net->body[i].mobile)
      add_body_mobility(&net->body[i], s, force + 6 * (size_t)i, v + 6 * (size_t)i);
}

static double half_mobility(const pd_cd_body *b, const double *j)
{
  const pd_vec3 d = pd_v_load(j), m = pd_v_load(j + 3);
  return b->inv_mass * pd_norm2(d) + (b->turns ? pd_dot(m, pd_mv(b->inv_inertia, m)) : 0.0);
}

double pd_cd_row_mobility(const pd_cd_network *net, const pd_cd_row *r)
{
  return (r->a >= 0 ? half_mobility(&net->body[r->a], r->ja) : 0.0) +
         (r->b >= 0 ? half_mobility(&net->body[r->b], r->jb) : 0.0);
}

double pd_cd_dot(const pd_cd_network *net, int n, const double *x, const double *y)
{
  double s[4] = {0.0, 0.0, 0.0, 0.0}; /* four sums, for one would wait on each addition */
  int i = 0;
  for (; i + 4 <= n; i += 4)
    for (int c = 0; c < 4; c++) s[c] += x[i + c] * y[i + c];
  for (; i < n; i++) s[0] += x[i] * y[i];
  return pd_cd_sum1(net->communication, (s[0] + s[1]) + (s[2] + s[3]));
}

double pd_cd_dot_six(const pd_cd_network *net, const double *x, const double *y)
{
  return pd_cd_dot(net, 6 * net->nowned, x, y);
}

double pd_cd_largest(const pd_cd_network *net, size_t n, const double *x)
{
  double m = 0.0;
  for (size_t i = 0; i < n; i++) m = pd_cd_worse(m, fabs(x[i]));
  return pd_cd_max1(net->communication, m);
}

double pd_cd_mark_closed(pd_cd_network *net, const double *slack, double tol)
{
  double n = 0.0;
  for (int i = 0; i < net->ncontact; i++) {
    net->contact[i].closed = slack[i] <= tol;
    n += net->contact[i].closed;
  }
  return pd_cd_sum1(net->communication, n);
}
