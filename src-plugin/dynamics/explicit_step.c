/* SPDX-License-Identifier: MIT
 * How long explicit steps may be for contacts. */
#include "dynamics/explicit_step.h"

#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/random.h"
#include "contact/gap.h"
#include "dynamics/system_internal.h"

/* Rate of the way along t of the point at the lever p from the body's centre, times sign. */
static void row_of(const pd_body *b, int held, pd_vec3 p, pd_vec3 t, double sign, double *row)
{
  const double scale = sign / sqrt(b->inertia.mass);
  const pd_vec3 turn = pd_mtv(b->pose.rot, pd_cross(p, t)), j = b->inertia.j;
  const pd_vec3 none = pd_v(0.0, 0.0, 0.0);
  pd_v_store(row, pd_v(held & 1 ? 0.0 : scale * t.x, held & 2 ? 0.0 : scale * t.y,
                       held & 4 ? 0.0 : scale * t.z));
  pd_v_store(row + 3, held & PD_HELD_TURNING
                          ? none
                          : pd_v(sign * turn.x / sqrt(j.x), sign * turn.y / sqrt(j.y),
                                 sign * turn.z / sqrt(j.z)));
}

typedef struct gathering {
  const pd_system *sys;
  const int *held;
  pd_contact_springs *to;
  pd_status status;
} gathering;

/* along t, at the lever p from the centre of the first body */
static void add_spring(gathering *g, const pd_contact_pair *pair, pd_vec3 p, pd_vec3 t,
                       double spring, double dashpot)
{
  pd_contact_springs *to = g->to;
  const pd_body *a = &g->sys->body[pair->a];
  if (!g->status) g->status = PD_ARRAY_RESERVE(to->of, to->cap, to->n + 1, PD_CONTACTS_FIRST);
  if (g->status) return;
  pd_contact_spring *s = &to->of[to->n++];
  *s = (pd_contact_spring){{pair->a, pair->wall ? -1 : pair->b}, {{0.0}}, spring, dashpot};
  row_of(a, g->held[pair->a], p, t, 1.0, s->row[0]);
  if (pair->wall) return;
  const pd_body *b = &g->sys->body[pair->b];
  row_of(b, g->held[pair->b], pd_add(p, pd_sub(a->start.x, b->start.x)), t, -1.0, s->row[1]);
}

/* A dashpot of rate c is unstable from a step of 2/c on. Along the normal it may not even turn an
 * approach around within a step, as from 1/c on: the contact opens then, and an impact ends in any
 * speed. So it counts twice. */
enum { TURNS_AROUND = 2 };

/* A contact of less force than that of its gap is one of several beside each other. */
static void add_normal(gathering *g, const pd_contact_pair *pair, const pd_contact *c)
{
  const pd_law_value v = pd_law_eval(pair->law, c->gap);
  const double mass = pd_reduced_mass(g->sys, pair);
  const pd_normal_force f = pd_law_damped(pair->law, v, c->gap, 0.0, mass);
  const double part = v.fn > 0.0 ? fmin(1.0, c->force / v.fn) : 0.0;
  add_spring(g, pair, c->point, c->normal, -part * v.df, TURNS_AROUND * -part * f.dn_dgd);
}

static void visit(void *ctx, const pd_contact_pair *pair, const pd_contact *c)
{
  gathering *g = (gathering *)ctx;
  const pd_friction_law *law = &pair->law->t;
  pd_vec3 along[2];
  if (!(c->force > 0.0)) return;
  add_normal(g, pair, c);
  if (!(law->eps_t > 0.0 && law->mu_s > 0.0)) return;
  pd_frame(c->normal, &along[0], &along[1]);
  for (int k = 0; k < 2; k++) add_spring(g, pair, c->grip, along[k], law->eps_t, law->c_t);
}

static pd_status reserve_modes(pd_contact_springs *springs, int nbody)
{
  const size_t numbers = 6 * sizeof(double);
  const pd_array modes[] = {{&springs->mode, numbers}, {&springs->image, numbers}};
  springs->nbody = nbody;
  return pd_arrays_reserve(modes, 2, &springs->cap_body, (size_t)nbody);
}

/* dashpots then make no force, which would hide how much of a contact there is */
static void bring_to_rest(pd_system *sys)
{
  const pd_vec3 zero = pd_v(0.0, 0.0, 0.0);
  for (int i = 0; i < sys->nbody; i++) {
    pd_body *b = &sys->body[i];
    b->start.v = b->start.w = b->carry_velocity = zero;
  }
  for (int i = 0; i < sys->nwall; i++) {
    pd_wall *w = &sys->wall[i];
    w->v = w->w = w->v0 = w->w0 = zero;
    w->t = -1.0; /* its pose is to be set anew */
  }
}

pd_status pd_system_springs(pd_system *sys, const int *held, pd_contact_list *list,
                            pd_contact_springs *springs)
{
  gathering g = {sys, held, springs, PD_OK};
  springs->n = 0;
  bring_to_rest(sys);
  pd_status status = reserve_modes(springs, sys->nbody);
  if (!status) status = pd_system_contacts(sys, list, visit, &g);
  return status ? status : g.status;
}

void pd_contact_springs_free(pd_contact_springs *springs)
{
  pd_free(springs->of);
  pd_free(springs->mode);
  pd_free(springs->image);
  *springs = (pd_contact_springs){0};
}

/* rate of the length of a spring in a motion */
static double rate_in(const pd_contact_spring *s, const double *motion)
{
  double sum = 0.0;
  for (int side = 0; side < 2 && s->body[side] >= 0; side++)
    for (int k = 0; k < 6; k++) sum += s->row[side][k] * motion[6 * s->body[side] + k];
  return sum;
}

/* v' = v - h (S x + C v), x' = x + h v' grows from the first motion with h^2 s + 2 h c = 4 on, of
 * springs s and dashpots c. image: that of the mode by h^2 S + 2 h C. */
static void find_image(const pd_contact_springs *of, double h, double *image)
{
  memset(image, 0, 6 * (size_t)of->nbody * sizeof *image);
  for (int i = 0; i < of->n; i++) {
    const pd_contact_spring *s = &of->of[i];
    const double force = h * (h * s->spring + 2.0 * s->dashpot) * rate_in(s, of->mode);
    for (int side = 0; side < 2 && s->body[side] >= 0; side++)
      for (int k = 0; k < 6; k++) image[6 * s->body[side] + k] += force * s->row[side][k];
  }
}

/* Of the largest part 1. Whether there is any. */
static int normalize(double *motion, int n)
{
  double most = 0.0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(motion[i]));
  for (int i = 0; i < n && most > 0.0; i++) motion[i] /= most;
  return most > 0.0;
}

/* The mode of the largest eigenvalue, or one of a quotient that is not much less. */
static int find_mode(pd_contact_springs *of, double h)
{
  enum { POWERS = 40 }; /* two eigenvalues as near as 0.8 are told apart to 1e-7 */
  pd_random row = pd_random_row(0, 0, 0);
  for (int i = 0; i < 6 * of->nbody; i++) of->mode[i] = pd_draw(&row) - 0.5;
  for (int m = 0; m < POWERS; m++) {
    find_image(of, h, of->image);
    if (!normalize(of->image, 6 * of->nbody)) return 0;
    memcpy(of->mode, of->image, 6 * (size_t)of->nbody * sizeof *of->mode);
  }
  return 1;
}

static int largest_of(const double *motion, int nbody)
{
  int largest = 0;
  for (int i = 1; i < 6 * nbody; i++)
    if (fabs(motion[i]) > fabs(motion[largest])) largest = i;
  return largest / 6;
}

/* The length from which on steps are unstable by the first mode at the length h; INFINITY if steps
 * of that length are stable. */
static double limit_by_mode(pd_contact_springs *springs, double h)
{
  double s = 0.0, c = 0.0, norm2 = 0.0;
  if (!find_mode(springs, h)) return INFINITY;
  for (int i = 0; i < springs->n; i++) {
    const pd_contact_spring *of = &springs->of[i];
    const double rate = rate_in(of, springs->mode);
    s += of->spring * rate * rate;
    c += of->dashpot * rate * rate;
  }
  for (int i = 0; i < 6 * springs->nbody; i++) norm2 += springs->mode[i] * springs->mode[i];
  s /= norm2;
  c /= norm2;
  return h * (h * s + 2.0 * c) >= 4.0 ? 4.0 / (c + sqrt(c * c + 4.0 * s)) : INFINITY;
}

/* Which mode is the first depends on the length, where some are of dashpots and some of springs. */
double pd_unstable_from(pd_contact_springs *springs, double h, int *body)
{
  const double near = 1.0 - 1e-3;
  double limit = INFINITY;
  for (double next; (next = limit_by_mode(springs, h)) < near * limit; h = next) {
    limit = next;
    *body = largest_of(springs->mode, springs->nbody);
  }
  return limit;
}

static double step_ratio(const pd_system *sys, const pd_contact_pair *pair,
                         const pd_pair_response *r, double h)
{
  const pd_law *law = pair->law;
  const double m = pd_reduced_mass(sys, pair), n = law->t.mu_s > 0.0 ? r->ncontact : 0.0;
  const double spring = r->stiff + n * law->t.eps_t;
  const double along = 2.0 * law->zeta * sqrt(r->ncontact * r->stiff * m);
  const double dashpot = TURNS_AROUND * along + n * law->t.c_t;
  return 0.25 * h * (h * spring + 2.0 * dashpot) / m;
}

double pd_system_step_ratio(const pd_system *sys, double h)
{
  double most = 0.0;
  for (int k = 0; k < sys->contacts.nactive; k++) {
    const int i = sys->contacts.active_pair[k];
    const pd_pair_response *r = pd_response_of(sys, i);
    if (r->active) most = fmax(most, step_ratio(sys, &sys->pair[i], r, h));
  }
  return most;
}
