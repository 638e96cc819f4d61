/* SPDX-License-Identifier: MIT
 * Impacts of pairs in the energy-momentum scheme: those that there are, and those that lie ahead.
 *
 * The normal motion of a pair as one mass m on one spring: depth x below the activation distance (x
 * < 0: the distance from it), speed v (> 0: apart), acceleration g by the loads, potential V(x) = n
 * eps1 x^(n1 + 1) / (n1 + 1). With G the generalised force of the potential and F its magnitude as
 * a force, 1/m = G . M^-1 G / F^2, v = G . q' / F, x = (n1 + 1) V / F, n = F / (eps1 x^n1), so that
 * n contacts side by side count as n, an eccentric one has the mass that it feels. */
#include "dynamics/impact.h"

static double inverse_spin_mass(const pd_body *b, pd_vec3 torque)
{
  if (b->constraint.rotation)
    return pd_dot(torque, pd_constraint_turned_by(&b->constraint, b->start.q, &b->inertia, torque));
  const pd_vec3 t = pd_mtv(pd_q_matrix(b->start.q), torque);
  return t.x * t.x / b->inertia.j.x + t.y * t.y / b->inertia.j.y + t.z * t.z / b->inertia.j.z;
}

/* of a body that turns about an axis: moment about that, which alone moves it */
static double about_hinge(const pd_constraint *c, pd_vec3 f, pd_vec3 torque)
{
  return pd_dot(pd_hinge_axis(c), pd_add(torque, pd_cross(c->arm, f)));
}

/* f along the acceleration that the loads would give to a mobile body */
static double along_loads(const pd_body *b, pd_vec3 f, pd_vec3 torque)
{
  const pd_constraint *c = &b->constraint;
  const pd_vec3 load = pd_add(b->external_force, b->load_force), none = pd_v(0.0, 0.0, 0.0);
  if (c->hinged)
    return about_hinge(c, f, torque) * about_hinge(c, load, none) /
           pd_hinge_inertia(c, &b->inertia, b->start.q);
  return pd_dot(pd_constraint_free(c, c->translation, f), load) / b->inertia.mass;
}

/* f and torque along the accelerations that the moments of its loads would give to a body */
static double along_moments(const pd_body *b, pd_vec3 f, pd_vec3 torque)
{
  const pd_vec3 moment = pd_add(b->external_torque, b->load_moment), none = pd_v(0.0, 0.0, 0.0);
  pd_vec3 acc, wdot;
  if (!b->mobile) return 0.0;
  pd_constraint_respond(&b->constraint, &b->start, &b->inertia, none, moment, &acc, &wdot);
  return pd_dot(f, acc) + pd_dot(torque, wdot);
}

double pd_body_inverse_mass(const pd_body *b, pd_vec3 f, pd_vec3 torque)
{
  const pd_constraint *c = &b->constraint;
  if (!b->mobile) return 0.0;
  if (c->hinged) {
    const double about = about_hinge(c, f, torque);
    return about / pd_hinge_inertia(c, &b->inertia, b->start.q) * about;
  }
  return pd_norm2(pd_constraint_free(c, c->translation, f)) / b->inertia.mass +
         inverse_spin_mass(b, torque);
}

double pd_acceleration_by_moments(const pd_system *sys, const pd_contact_pair *pair)
{
  const pd_em_state *s = pd_contact_pair_at_start(sys, pair);
  const double f = pd_norm(s->f);
  if (!s->active || !(f > 0.0)) return 0.0;
  const double a = along_moments(&sys->body[pair->a], s->f, pd_axial(s->ta));
  if (pair->wall) return a / f;
  return (a + along_moments(&sys->body[pair->b], pd_neg(s->f), pd_axial(s->tb))) / f;
}

/* Adds a body's part to 1/m, v and g, times F^2 and F. What is prescribed has no mass to feel. */
static void add_body(const pd_body *b, pd_vec3 f, pd_vec3 torque, double *im, double *v, double *g)
{
  if (!pd_body_is_moving(b)) return;
  *v += pd_dot(f, pd_body_velocity(b)) + pd_dot(torque, b->start.w);
  *im += pd_body_inverse_mass(b, f, torque);
  if (b->mobile) *g += along_loads(b, f, torque);
}

/* The impact that forces under the law make; more: by how much the law's activation distance is
 * larger than the pair's. 0 if there is none. */
static int impact_by(const pd_system *sys, const pd_contact_pair *pair, const pd_em_hit *s,
                     const pd_law *law, double more, pd_impact *impact)
{
  const double f = pd_norm(s->f);
  double im = 0.0, v = 0.0, g = 0.0;
  if (!(f > 0.0) || !(s->energy > 0.0)) return 0;
  add_body(&sys->body[pair->a], s->f, s->ma, &im, &v, &g);
  if (!pair->wall) {
    add_body(&sys->body[pair->b], pd_neg(s->f), s->mb, &im, &v, &g);
  } else if (sys->wall[pair->b].moves) {
    const pd_wall *w = &sys->wall[pair->b];
    v += pd_dot(s->mb, w->w) - pd_dot(s->f, w->v);
  }
  if (!(im > 0.0)) return 0;
  const double depth = pd_law_depth_of_both(law, s->energy, f);
  impact->m = f * f / im;
  impact->mred = pd_reduced_mass(sys, pair);
  impact->v = v / f;
  impact->g = g / f;
  impact->quiet = 0;
  impact->borne = 0.0;
  impact->x = depth - more;
  impact->n = fmax(1.0, f / pd_law_force_at_depth(law, depth));
  return 1;
}

/* The impact that a state is part of: of all that comes or goes, or if nothing does, of all. */
static int impact_of(const pd_system *sys, const pd_contact_pair *pair, const pd_em_state *s,
                     const pd_law *law, double more, pd_impact *impact)
{
  const pd_em_hit all = {s->energy, s->f, pd_axial(s->ta), pd_axial(s->tb)};
  if (!s->active) return 0;
  return impact_by(sys, pair, &s->hit, law, more, impact) ||
         impact_by(sys, pair, &all, law, more, impact);
}

int pd_impact_now(const pd_system *sys, const pd_contact_pair *pair, pd_impact *impact)
{
  return impact_of(sys, pair, pd_contact_pair_at_start(sys, pair), pair->law, 0.0, impact);
}

/* How far the bodies of a pair may come closer within the step, seen from either or from anywhere:
 * the same for the image of one at the other and for that of the other at the one, which a cell
 * carries. */
static double reach(const pd_system *sys, const pd_contact_pair *pair, double *apart)
{
  const pd_body *a = &sys->body[pair->a];
  const double h = sys->scheme.h, ra = a->shape->radius;
  double go = pd_norm(a->start.w) * a->shape->lever;
  *apart = 0.0;
  if (pair->wall) {
    const pd_wall *w = &sys->wall[pair->b];
    go += pd_norm(pd_sub(pd_body_velocity(a), pd_wall_velocity_at(w, a->start.x))) +
          pd_norm(pd_wall_spin(w)) * a->shape->lever;
    if (w->kind == PD_PLANE) *apart = pd_dot(w->n, pd_sub(a->start.x, w->x)) - ra;
  } else {
    const pd_body *b = &sys->body[pair->b];
    const pd_vec3 from = pd_sub(a->start.x, b->start.x);
    go += pd_norm(pd_sub(pd_body_velocity(a), pd_body_velocity(b))) +
          pd_norm(b->start.w) * b->shape->lever;
    const pd_vec3 *plane = pd_plane_of(sys, pair);
    *apart = plane ? pd_dot(*plane, from) - ra : pd_norm(from) - ra - b->shape->radius;
  }
  return go * h;
}

/* Whether a pair that touches bears already along the impact ahead, as under a body that tips over
 * and lands at its other end. It goes on to bear then, and what comes no faster than motion without
 * impacts makes it, as under one that rolls, is no impact. */
static int bears_along(const pd_mat3 *filter, const pd_em_hit *hit)
{
  return pd_dot(hit->f, pd_mv(*filter, hit->f)) >= PD_BEARS_ALONG * pd_norm2(hit->f);
}

/* what a pair would have as contacts if its activation distance were larger by more, by the power
 * law alone, without damping and friction */
typedef struct sight {
  double more;
  const pd_mat3 *filter; /* in these directions nothing slower than smooth counts; NULL: all does */
  double smooth;
  pd_law law;
  pd_em_state state;
} sight;

/* less where lengths are so many decades from one that their power would be none of a double */
static double exponent_of_nearest(double gbar)
{
  return fmin(PD_NEAREST_EXPONENT, PD_DECADES / fmax(1.0, fabs(log10(gbar))));
}

static int look(const pd_system *sys, pd_contact_pair *pair, pd_pair_work *work, sight *s)
{
  const double gbar = pair->law->gbar;
  pd_pair_result r;
  pd_pair_request request = {0};
  const pd_law power = {0};
  s->law = power;
  s->law.gbar = gbar + s->more;
  s->law.f = 0.5 * gbar / s->law.gbar;
  s->law.n1 = exponent_of_nearest(s->law.gbar);
  s->law.eps1 = pd_power(s->law.gbar, -s->law.n1);
  s->law.n2 = pair->law->n2;
  if (pd_law_init(&s->law)) return 0;
  request.at = pd_contact_pair_geometry(sys, pair);
  request.law = &s->law;
  request.set = sys->set;
  request.mode = PD_END_OF_STEP_WITH_STATE;
  request.em.bearing_filter = s->filter;
  request.em.smooth = s->smooth;
  if (pd_pair_evaluate(&request, work, &r)) return 0;
  s->state = r.state;
  return r.state.active;
}

/* whether what is in sight lands within the step, faster than motion without impacts makes it */
static int lands(const pd_system *sys, const pd_contact_pair *pair, const sight *s,
                 pd_impact *impact)
{
  if (!impact_by(sys, pair, &s->state.hit, &s->law, s->more, impact)) return 0;
  return impact->v < -s->smooth && pd_impact_before_touch(impact, sys->scheme.h) < 1.0;
}

/* Of a pair that is open: its nearest features, or those behind them that come faster than motion
 * without impacts makes them, if they land within the step and are the harder impact. */
static int open_ahead(const pd_system *sys, pd_contact_pair *pair, double go, double distance,
                      pd_pair_work *work, pd_impact *impact)
{
  const pd_mat3 all = pd_m_identity();
  pd_impact behind;
  sight s = {.more = fmin(go, distance)};
  const int found = look(sys, pair, work, &s) &&
                    impact_of(sys, pair, &s.state, &s.law, s.more, impact) && impact->v < 0.0;
  if (!(go > distance)) return found;
  s.more = go;
  s.filter = &all;
  s.smooth = pd_impact_smooth_change(sys, pair);
  if (!look(sys, pair, work, &s) || !lands(sys, pair, &s, &behind)) return found;
  if (!found || pd_impact_is_harder(&behind, impact)) *impact = behind;
  return 1;
}

static int touching_ahead(const pd_system *sys, pd_contact_pair *pair, double go,
                          pd_pair_work *work, pd_impact *impact)
{
  const pd_mat3 filter = pd_em_bearing_filter(pd_contact_pair_at_start(sys, pair));
  sight s = {.more = go, .filter = &filter, .smooth = pd_impact_smooth_change(sys, pair)};
  if (!look(sys, pair, work, &s)) return 0;
  if (bears_along(&filter, &s.state.hit)) {
    if (!lands(sys, pair, &s, impact)) return 0;
    impact->quiet = 1;
    return 1;
  }
  return impact_by(sys, pair, &s.state.hit, &s.law, s.more, impact) && impact->v < 0.0;
}

int pd_impact_ahead(const pd_system *sys, pd_contact_pair *pair, int touches, pd_pair_work *work,
                    pd_impact *impact)
{
  double apart;
  const double gbar = pair->law->gbar, go = reach(sys, pair, &apart), near = go + gbar;
  if (!(go > 0.0) || apart >= near) return 0;
  if (touches) return touching_ahead(sys, pair, go, work, impact);
  if (pd_contact_pair_separation(sys, pair) >= near) return 0;
  const double distance = pd_system_distance(sys, pair, near);
  return distance < near && open_ahead(sys, pair, go, distance, work, impact);
}
