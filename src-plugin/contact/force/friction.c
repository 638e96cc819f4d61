/* SPDX-License-Identifier: MIT
 * Friction of one sample of the contact set: kinematics at its spot, eqs. (43)-(45), forces,
 * moments and tangent, memory. */
#include "base/memory.h"
#include "geometry/distance.h"
#include "contact/pair_internal.h"

pd_increment pd_no_increment(void)
{
  pd_increment t;
  t.u = t.alpha = pd_v(0.0, 0.0, 0.0);
  t.dq = t.inv = pd_m_identity();
  return t;
}

void pd_friction_records_free(pd_friction_records *list)
{
  pd_free(list->r);
  list->r = NULL;
  list->n = list->cap = 0;
}

pd_status pd_friction_append(pd_friction_records *list, pd_friction_record r)
{
  if (list->n == list->cap) {
    const int cap = list->cap ? 2 * list->cap : 64;
    pd_friction_record *p = (pd_friction_record *)pd_realloc(list->r, (size_t)cap * sizeof *p);
    if (!p) return PD_ENOMEM;
    list->r = p;
    list->cap = cap;
  }
  list->r[list->n++] = r;
  return PD_OK;
}

/* A step of more than UNRESOLVED over the angular frequency of the tangential spring does not
 * resolve it. */
static const double UNRESOLVED = 0.75;

/* what the sample remembers; nothing if it was not in contact */
static pd_friction_history recall(const pd_friction_memory *m, const int *sample)
{
  const pd_friction_history none = {{0.0, 0.0, 0.0}, 0.0, {0.0, 0.0, 0.0}, 0.0, 0};
  for (int i = 0; i < m->nold; i++)
    if (m->old[i].sample[0] == sample[0] && m->old[i].sample[1] == sample[1])
      return m->old[i].history;
  return none;
}

/* ---- spots ---- */

pd_friction_point pd_vertex_friction_point(const pd_pair_state *p, int vertex, int on_b, pd_vec3 at)
{
  pd_friction_point x;
  x.sample[0] = vertex;
  x.sample[1] = on_b ? -2 : -1;
  x.pa = at;
  if (!p->tangent) return x;
  const pd_vec3 lever = on_b ? pd_sub(at, p->r) : at;
  x.dx = pd_g_zero();
  pd_g_add_block(&x.dx, on_b ? 6 : 0, 1.0, pd_m_identity());
  pd_g_add_block(&x.dx, on_b ? 9 : 3, -1.0, pd_skew(lever));
  return x;
}

pd_friction_point pd_edge_friction_point(const pd_pair_state *p, int ea, int eb, const pd_gap *g)
{
  pd_friction_point x;
  x.sample[0] = ea;
  x.sample[1] = eb;
  x.pa = pd_axpy(g->pa, -0.5 * g->d, g->n);
  if (!p->tangent) return x;
  x.dx = pd_g_zero();
  pd_g_add_block(&x.dx, 0, 0.5, pd_m_identity());
  pd_g_add_block(&x.dx, 3, -0.5, pd_skew(g->pa));
  pd_g_add_block(&x.dx, 6, 0.5, pd_m_identity());
  pd_g_add_block(&x.dx, 9, -0.5, pd_skew(g->pb));
  pd_add_point_drift(g, 0.5, &x.dx, &x.dx);
  return x;
}

/* ---- kinematics ---- */

pd_vec3 pd_rotation_displacement(const pd_increment *t, pd_vec3 p)
{
  const double c = 4.0 / (4.0 + pd_norm2(t->alpha));
  const pd_vec3 w = pd_cross(t->alpha, p);
  return pd_scale(c, pd_axpy(w, -0.5, pd_cross(t->alpha, w)));
}

/* Displacement over the substep of the body's matter that now is at the spot: u + p - Q^T p, and
 * its velocity v + w x p; sign: +1 for A, -1 for B. */
static void add_body(const pd_pose *b, double sign, pd_vec3 p, pd_friction_kinematics *s)
{
  const pd_velocity *m = &b->velocity;
  s->y = pd_axpy(s->y, sign, pd_add(b->increment.u, pd_rotation_displacement(&b->increment, p)));
  s->v = pd_axpy(s->v, sign, pd_add(m->v, pd_cross(m->w, p)));
}

/* One body's own part of the derivative of cy y + cv v: the lever is that of the spot less the
 * body's way, and (I - Q^T)(dx - u) + u = (I - Q^T) dx + Q^T u. */
static void add_slopes(const pd_pose *b, int side, pd_vec3 p, double cy, double cv, pd_grad *g)
{
  const double sign = side ? -1.0 : 1.0;
  const pd_velocity *m = &b->velocity;
  const pd_mat3 back = pd_m_transpose(b->increment.dq), sp = pd_skew(p);
  pd_g_add_block(g, 6 * side, sign * cy, back);
  pd_g_add_block(g, 6 * side, -sign * cv, pd_skew(m->w));
  for (int i = 0; i < 3; i++) g->m[i][6 * side + i] += sign * cv * m->dv;
  if (cy != 0.0) pd_g_add_block(g, 6 * side + 3, -sign * cy, pd_m_mul(back, sp));
  if (cv != 0.0) pd_g_add_block(g, 6 * side + 3, -sign * cv, pd_m_mul(sp, m->dw));
}

/* derivative of cy y + cv v without memory */
static void displacement_slopes(const pd_pair_state *p, const pd_friction_point *x, double cy,
                                double cv, pd_grad *g)
{
  const pd_pose *a = p->a, *b = p->b;
  const pd_mat3 turned =
      pd_m_transpose(pd_m_add(b->increment.dq, pd_m_scale(-1.0, a->increment.dq)));
  const pd_mat3 spin = pd_skew(pd_sub(a->velocity.w, b->velocity.w));
  pd_g_mul(g, pd_m_add(pd_m_scale(cy, turned), pd_m_scale(cv, spin)), &x->dx);
  add_slopes(a, 0, x->pa, cy, cv, g);
  add_slopes(b, 1, pd_sub(x->pa, p->r), cy, cv, g);
}

/* The memory turns with the mean of the two bodies: Q_c of eq. (44). */
static void add_memory(const pd_pair_state *p, pd_vec3 gt, pd_friction_kinematics *s)
{
  const pd_increment *a = &p->a->increment, *b = &p->b->increment;
  const pd_vec3 mean = pd_scale(0.5, pd_add(a->alpha, b->alpha));
  const pd_vec3 now = pd_mv(pd_rodrigues(mean), gt);
  s->y = pd_add(s->y, now);
  if (!p->tangent) return;
  const pd_mat3 turn = pd_m_mul(pd_skew(now), pd_xi(mean));
  pd_g_add_block(&s->dy, 3, -0.5, pd_m_mul(turn, a->inv));
  pd_g_add_block(&s->dy, 9, -0.5, pd_m_mul(turn, b->inv));
}

/* The way that the law of friction is given in the energy-momentum scheme. Where the step resolves
 * the tangential spring it is the true way, which is that of the mean velocity. Where it does not,
 * that would throw a sticking contact back with the velocity it had, and the way is that of the
 * velocity at the end, as in implicit Euler's method. */
static void blend_displacement(const pd_pair_state *p, const pd_friction_point *at,
                               pd_friction_kinematics *s)
{
  const double h = p->em, x = h * sqrt(PD_TURNING * p->law->t.eps_t / p->mred) / UNRESOLVED;
  const double w = x * x * x * x / (1.0 + x * x * x * x);
  s->y = pd_axpy(pd_scale(1.0 - w, s->y), w * h, s->v);
  s->v = pd_scale(1.0 / h, s->y);
  if (!p->tangent) return;
  displacement_slopes(p, at, 1.0 - w, w * h, &s->dy);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 12; j++) s->dv.m[i][j] = s->dy.m[i][j] / h;
}

/* all but the normal */
static void motion_at(const pd_pair_state *p, const pd_friction_point *x, pd_vec3 gt,
                      pd_friction_kinematics *s)
{
  s->y = s->v = pd_v(0.0, 0.0, 0.0);
  add_body(p->a, 1.0, x->pa, s);
  add_body(p->b, -1.0, pd_sub(x->pa, p->r), s);
  if (p->em > 0.0) {
    blend_displacement(p, x, s);
  } else if (p->tangent) {
    displacement_slopes(p, x, 1.0, 0.0, &s->dy);
    displacement_slopes(p, x, 0.0, 1.0, &s->dv);
  }
  add_memory(p, gt, s);
}

/* ---- forces ---- */

/* Rows of k of a body that the force f acts on (-f on B) at the spot: minus the derivative of it
 * and of its moment. lever: about the body's centre, in the energy-momentum scheme its mean (I +
 * Q^T) p / 2 with that of the same matter at the start of the step. */
static void add_rows(const pd_pair_state *p, const pd_friction_point *x, int side, pd_vec3 lever,
                     pd_vec3 f, const pd_grad *df, double (*k)[12])
{
  const pd_vec3 at = side ? pd_sub(x->pa, p->r) : x->pa;
  const pd_mat3 back = pd_m_transpose(side ? p->b->increment.dq : p->a->increment.dq),
                sf = pd_skew(f);
  const int row = 6 * side, em = p->em > 0.0;
  const double sign = side ? -1.0 : 1.0, l[3] = {lever.x, lever.y, lever.z};
  const pd_mat3 carry = pd_m_scale(-1.0, em ? pd_m_mul(sf, pd_mean_lever(back)) : sf);
  pd_grad dm;
  pd_g_mul(&dm, carry, &x->dx);
  pd_g_add_block(&dm, row, -1.0, carry);
  if (em) pd_g_add_block(&dm, row + 3, -0.5, pd_m_mul(pd_m_mul(sf, back), pd_skew(at)));
  for (int i = 0; i < 3; i++) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int j = 0; j < 12; j++) {
      k[row + i][j] -= sign * df->m[i][j];
      k[row + 3 + i][j] -= sign * (dm.m[i][j] + l[i1] * df->m[i2][j] - l[i2] * df->m[i1][j]);
    }
  }
}

/* Friction force of a sample into result and, if they are not NULL, into on_a and slip, tangent
 * into k; its record is appended unless the bound is no more than that of a contact that has gone.
 */
static pd_status apply_friction(const pd_pair_state *p, const pd_friction_point *x,
                                const pd_friction_kinematics *s, const pd_friction_history *old,
                                int gone, double (*k)[12], pd_vec3 *on_a, pd_friction_history *slip,
                                pd_pair_result *result)
{
  pd_vec3 lever[2] = {x->pa, pd_sub(x->pa, p->r)};
  double force[12];
  const pd_friction_result f = pd_friction_eval(&p->law->t, s, old, p->tangent);
  if (on_a) *on_a = f.f;
  if (slip) *slip = f.history;
  for (int side = 0; side < 2 && p->em > 0.0; side++) {
    const pd_mat3 turn = side ? p->b->increment.dq : p->a->increment.dq;
    lever[side] = pd_scale(0.5, pd_add(lever[side], pd_mtv(turn, lever[side])));
  }
  pd_v_store(force, f.f);
  pd_v_store(force + 3, pd_cross(lever[0], f.f));
  pd_v_store(force + 6, pd_neg(f.f));
  pd_v_store(force + 9, pd_cross(f.f, lever[1]));
  for (int m = 0; m < 12; m++) {
    if (!(p->em > 0.0)) result->force[m] += force[m];
    result->loss[PD_FRICTION][m] += force[m];
  }
  result->scale2 += pd_norm2(f.f);
  for (int side = 0; side < 2 && p->tangent; side++)
    add_rows(p, x, side, lever[side], f.f, &f.df, k);
  if (gone) return PD_OK;
  const pd_friction_record now = {{x->sample[0], x->sample[1]}, f.history};
  result->spring += f.elastic;
  return p->memory->fresh ? pd_friction_append(p->memory->fresh, now) : PD_OK;
}

/* in the energy-momentum scheme friction has to wait for theta */
static pd_status defer(const pd_pair_state *p, const pd_friction_point *x, const pd_sample_sum *sum)
{
  pd_pair_work *work = p->work;
  if (work->ndeferred == work->cap_deferred) {
    const int cap = work->cap_deferred ? 2 * work->cap_deferred : 32;
    pd_deferred_friction *q =
        (pd_deferred_friction *)pd_realloc(work->deferred, (size_t)cap * sizeof *q);
    if (!q) return PD_ENOMEM;
    work->deferred = q;
    work->cap_deferred = cap;
  }
  pd_deferred_friction *job = &work->deferred[work->ndeferred++];
  job->r = sum->resultant;
  if (p->tangent) {
    job->point = *x;
    job->dr = sum->dr;
    return PD_OK;
  }
  job->point.sample[0] = x->sample[0];
  job->point.sample[1] = x->sample[1];
  job->point.pa = x->pa;
  return PD_OK;
}

pd_status pd_sample_friction(const pd_pair_state *p, const pd_friction_point *x, pd_sample_sum *sum,
                             pd_pair_result *result)
{
  if (!p->memory || !sum->active || pd_norm(sum->resultant) <= 1e-12 * sum->weight) return PD_OK;
  if (p->em > 0.0) return defer(p, x, sum);
  const pd_friction_history old = recall(p->memory, x->sample);
  pd_friction_kinematics s;
  motion_at(p, x, old.gt, &s);
  pd_sample_normal(&s, sum->resultant, p->tangent ? &sum->dr : NULL);
  return apply_friction(p, x, &s, &old, 0, result->k, &sum->friction, &sum->history, result);
}

/* ---- energy-momentum scheme ---- */

/* Coulomb's limit refers to the normal force that acts over the step: theta of that at the end and
 * 1 - theta of that at the start. */
static void take_bound(pd_friction_kinematics *s, double theta, const double *dtheta, double old,
                       int tangent)
{
  const double now = s->bound;
  s->bound = theta * now + (1.0 - theta) * old;
  for (int j = 0; tangent && j < 12; j++)
    s->dbound[j] = theta * s->dbound[j] + (now - old) * dtheta[j];
}

static pd_status apply_deferred(const pd_pair_state *p, const pd_deferred_friction *job,
                                double theta, const double *dtheta, pd_pair_result *result)
{
  const pd_friction_history old = recall(p->memory, job->point.sample);
  pd_friction_kinematics s;
  motion_at(p, &job->point, old.gt, &s);
  pd_sample_normal(&s, job->r, p->tangent ? &job->dr : NULL);
  const double now = s.bound;
  take_bound(&s, theta, dtheta, old.force, p->tangent);
  pd_status status = apply_friction(p, &job->point, &s, &old, 0, result->kloss, NULL, NULL, result);
  if (!status && p->memory->fresh) p->memory->fresh->r[p->memory->fresh->n - 1].history.force = now;
  return status;
}

/* spot of a sample that is no longer in contact */
static pd_friction_point friction_point_of(const pd_pair_state *p, const int *sample)
{
  if (sample[1] == -1) return pd_vertex_friction_point(p, sample[0], 0, p->a->s[sample[0]]);
  if (sample[1] == -2)
    return pd_vertex_friction_point(p, sample[0], 1, pd_add(p->r, p->b->s[sample[0]]));
  const pd_edge *ea = &p->a->shape->e[sample[0]], *eb = &p->b->shape->e[sample[1]];
  const pd_vec3 a[2] = {p->a->s[ea->v[0]], p->a->s[ea->v[1]]};
  const pd_vec3 b[2] = {pd_add(p->r, p->b->s[eb->v[0]]), pd_add(p->r, p->b->s[eb->v[1]])};
  int fa, fb;
  pd_segment_segment(a[0], a[1], b[0], b[1], &fa, &fb);
  const pd_gap g = pd_gap_solve(fa == PD_INSIDE ? 2 : 1, fa == 1 ? &a[1] : a,
                                fb == PD_INSIDE ? 2 : 1, fb == 1 ? &b[1] : b, p->r);
  return pd_edge_friction_point(p, sample[0], sample[1], &g);
}

/* contacts of the start that have opened within the step still rubbed for a while */
static pd_status apply_opened(const pd_pair_state *p, const pd_friction_record *old, double theta,
                              const double *dtheta, pd_pair_result *result)
{
  const pd_friction_point x = friction_point_of(p, old->sample);
  pd_friction_kinematics s;
  motion_at(p, &x, old->history.gt, &s);
  s.n = old->history.n;
  s.bound = 0.0;
  if (p->tangent) {
    s.dn = pd_g_zero();
    for (int j = 0; j < 12; j++) s.dbound[j] = 0.0;
  }
  take_bound(&s, theta, dtheta, old->history.force, p->tangent);
  return apply_friction(p, &x, &s, &old->history, 1, result->kloss, NULL, NULL, result);
}

pd_status pd_em_friction(const pd_pose *a, const pd_pose *b, pd_vec3 r, const pd_law *law, double h,
                         int tangent, const pd_friction_memory *memory, double theta,
                         const double *dtheta, pd_pair_work *work, pd_pair_result *result)
{
  const double mred = 1.0 / (1.0 / a->mass + 1.0 / b->mass);
  const pd_pair_state p = {a, b, r, law, mred, tangent, memory, h, 0, work};
  pd_status status = PD_OK;
  if (!(law->t.eps_t > 0.0)) return status;
  for (int i = 0; i < work->ndeferred && !status; i++)
    status = apply_deferred(&p, &work->deferred[i], theta, dtheta, result);
  for (int i = 0; i < memory->nold && !status; i++) {
    const pd_friction_record *old = &memory->old[i];
    int found = !(old->history.force > 0.0) || theta >= 1.0;
    for (int k = 0; k < work->ndeferred && !found; k++)
      found = work->deferred[k].point.sample[0] == old->sample[0] &&
              work->deferred[k].point.sample[1] == old->sample[1];
    if (!found) status = apply_opened(&p, old, theta, dtheta, result);
  }
  return status;
}
