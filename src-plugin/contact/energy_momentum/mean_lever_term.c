/* SPDX-License-Identifier: MIT
 * One signed term of the contact set in the energy-momentum scheme: forces with mean levers,
 * damping by the increment of the gap, in the directions in which the pair bears. */
#include "base/smooth.h"
#include "contact/energy_momentum/forces.h"

/* a term of weight w under way */
typedef struct mean_term {
  const pd_evaluation *pair;
  const pd_gap *gap;
  const pd_at_border *border;
  double w;
  pd_law_value elastic; /* the law at the gap */
  pd_normal_force total;
  pd_vec3 along;          /* direction of damping: the normal, or its part that bears */
  pd_mat3 by_normal;      /* its derivative by the normal, where the two differ */
  pd_vec3 by_border;      /* and by how near a border of its face is */
  pd_vec3 push;           /* of the force of the potential: the normal, or between the two */
  pd_vec3 mean_a, mean_b; /* mean levers (I + Q^T) p / 2 of the contact points */
  pd_vec3 way;            /* of A's point against B's over the step */
  double rate; /* of the gap: way along the direction of damping over the length of the step */
} mean_term;

/* derivatives that the forces of a term are made of */
typedef struct mean_slopes {
  double gap[12];
  pd_grad dn, dalong, dpush; /* of the normal and of the directions of damping and of the push */
  double c[2][12];           /* of the convective coordinates */
  pd_vec3 half[2];           /* of the mean lever, by each coordinate */
} mean_slopes;

/* Direction of damping of a normal, and with a tangent its derivative by the normal: the part M n
 * that bears. On a face whose normal is further from that than rounding and small turns of the
 * bodies take it, where the pair bears in several directions, it is the normal: along the face
 * there is no way of the gap. The normal of a corner or an edge is the direction to the closest
 * point, which may lie ahead, and that of edges that are nearly parallel turns with the least
 * motion. Towards the borders of a face its direction becomes that of the edges there: else one
 * that lies on a border, held there from both sides, would have no force. */
static pd_vec3 direction_of(const mean_term *term, pd_mat3 *by_normal, pd_vec3 *by_border)
{
  const pd_evaluation *pair = term->pair;
  const pd_gap *g = term->gap;
  const pd_mat3 m = *pair->em.bearing_filter, rest = pd_m_add(pd_m_identity(), pd_m_scale(-1.0, m));
  const pd_vec3 part = pd_mv(m, g->n), left = pd_sub(g->n, part);
  const int on_face = g->s == 2 && g->on_b[0] == g->on_b[1];
  const double r = pd_norm(left), inside = 1.0 - term->border->near;
  double slope = 0.0;
  const double bent = on_face ? pd_rise(r, PD_FLUSH, PD_BENT, &slope) : 0.0, b = bent * inside;
  if (!pair->tangent) return pd_axpy(part, b, left);
  slope *= inside;
  *by_border = pd_scale(-bent, left);
  *by_normal = pd_m_add(m, pd_m_scale(b, rest));
  if (slope > 0.0)
    *by_normal = pd_m_add(*by_normal, pd_m_mul(pd_outer(pd_scale(slope / r, left), left), rest));
  return pd_axpy(part, b, left);
}

static pd_vec3 mean_lever(const pd_pose *body, pd_vec3 p)
{
  return pd_scale(0.5, pd_add(p, pd_mtv(body->increment.dq, p)));
}

static void add_force(double *out, double s, pd_vec3 n, const mean_term *term)
{
  const pd_vec3 f = pd_scale(s, n);
  const pd_vec3 part[4] = {f, pd_cross(term->mean_a, f), pd_neg(f), pd_cross(f, term->mean_b)};
  for (int i = 0; i < 4; i++) {
    out[3 * i] += part[i].x;
    out[3 * i + 1] += part[i].y;
    out[3 * i + 2] += part[i].z;
  }
}

/* Tangent of a force f on A, of derivative df, and its moments: the mean levers change by half the
 * spin and with the points that wander over the bodies. */
static void add_tangent(const mean_term *term, const mean_slopes *by, pd_vec3 f, const pd_grad *df,
                        double (*k)[12])
{
  const pd_gap *g = term->gap;
  pd_k_add_rows(k, -1.0, df);
  pd_k_add_moment_rows(k + 3, pd_neg(term->mean_a), df);
  pd_k_add_rows(k + 6, 1.0, df);
  pd_k_add_moment_rows(k + 9, term->mean_b, df);
  for (int j = 0; j < g->s; j++)
    pd_k_add_rows_rank1(k + (g->on_b[j] ? 9 : 3), pd_cross(f, by->half[j]), by->c[j]);
  pd_k_add_block(k, 3, 3, -0.5, pd_skew_mul(f, pd_skew(g->pa)));
  pd_k_add_block(k, 9, 9, 0.5, pd_skew_mul(f, pd_skew(g->pb)));
}

static void differentiate(const mean_term *term, mean_slopes *by)
{
  const pd_gap *g = term->gap;
  pd_gap_jt(g, g->n, by->gap);
  pd_gap_drift_slopes(g, by->c);
  for (int j = 0; j < g->s; j++)
    by->half[j] = mean_lever(g->on_b[j] ? term->pair->b : term->pair->a, g->t[j]);
  by->dn = pd_g_zero();
  pd_gap_add_normal_gradient(g, 1.0, &by->dn);
}

/* the direction of damping, where it is not the normal */
static void differentiate_along(const mean_term *term, mean_slopes *by)
{
  pd_g_mul(&by->dalong, term->by_normal, &by->dn);
  for (int j = 0; j < term->gap->s; j++)
    if (term->border->slope[j] != 0.0)
      pd_g_rank1(&by->dalong, term->border->slope[j], term->by_border, by->c[j]);
}

/* where there is damping or a slide; returns the derivative of the push */
static const pd_grad *differentiate_directions(const mean_term *term, mean_slopes *by)
{
  const double s = term->pair->em.slide;
  if (term->pair->em.bearing_filter)
    differentiate_along(term, by);
  else
    by->dalong = by->dn;
  if (!(s > 0.0)) return &by->dn;
  by->dpush = by->dn;
  pd_g_scale(&by->dpush, 1.0 - s);
  pd_g_axpy(&by->dpush, s, &by->dalong);
  return &by->dpush;
}

/* derivative of the way of the gap, n . (u_A + p_A - Q_A^T p_A - ...), n the direction of damping
 */
static void gap_change_gradient(const mean_term *term, const mean_slopes *by, double *row)
{
  const pd_gap *g = term->gap;
  double dq[12];
  pd_gap_jt(g, term->along, dq);
  pd_g_row(&by->dalong, term->way, row);
  for (int m = 0; m < 12; m++) row[m] += dq[m];
  for (int j = 0; j < g->s; j++) { /* t - Q^T t = 2 (t - half) */
    const double s = 2.0 * pd_dot(term->along, pd_sub(g->t[j], by->half[j]));
    for (int m = 0; m < 12; m++) row[m] += s * by->c[j][m];
  }
}

/* tangent of damping, of size w (f - fn) */
static void damping_tangent(const mean_term *term, const mean_slopes *by, pd_sample_sum *sum,
                            double (*k)[12])
{
  const double w = term->w, h = term->pair->h;
  const pd_normal_force f = term->total;
  const double size = w * (f.n - term->elastic.fn);
  const double by_gap = w * (f.dn_dg - term->elastic.df), by_rate = w * f.dn_dgd / h;
  double damping[12], rate[12];
  pd_grad df;
  gap_change_gradient(term, by, rate);
  for (int m = 0; m < 12; m++) damping[m] = by_gap * by->gap[m] + by_rate * rate[m];
  pd_g_product(&df, term->along, damping, size, &by->dalong);
  add_tangent(term, by, pd_scale(size, term->along), &df, k);
  if (term->pair->memory) pd_g_axpy(&sum->ddamping, 1.0, &df);
  for (int m = 0; m < 12; m++) {
    const double dpower = -damping[m] * term->rate - size * rate[m] / h;
    sum->dpower[m] += dpower;
    if (size * term->rate < 0.0) sum->dtaken[m] += dpower;
  }
}

/* ---- pairs that slide ---- */

/* The gap with which the step would have begun on features without end, the motion along which the
 * pair does not bear left out. *share: part of the gap at the end that bounds it from below, 0 if
 * it does not. */
static double gap_before(const mean_term *term, double *share)
{
  const double gap = term->gap->gap, before = gap - pd_dot(term->along, term->way);
  *share = before > PD_SLIDE_OPENING * gap ? 0.0 : PD_SLIDE_OPENING;
  return *share > 0.0 ? *share * gap : before;
}

/* what a pair that slides has beside its force */
static void add_slide(const mean_term *term, pd_sample_sum *sum)
{
  const pd_evaluation *pair = term->pair;
  const pd_vec3 across = pd_sub(term->way, pd_mv(*pair->em.bearing_filter, term->way));
  double share;
  const double before = pd_law_eval(pair->law, gap_before(term, &share)).phi;
  add_force(sum->along, term->w * term->elastic.fn, across, term);
  sum->drop += term->w * (before - term->elastic.phi);
}

/* derivative of the drop of the potential */
static void add_drop_gradient(const mean_term *term, const mean_slopes *by, pd_sample_sum *sum)
{
  double share, change[12];
  const double gap = gap_before(term, &share), fn = pd_law_eval(term->pair->law, gap).fn;
  gap_change_gradient(term, by, change);
  for (int m = 0; m < 12; m++) {
    const double dbefore = share > 0.0 ? share * by->gap[m] : by->gap[m] - change[m];
    sum->ddrop[m] += term->w * (term->elastic.fn * by->gap[m] - fn * dbefore);
  }
}

/* ---- terms ---- */

/* tangents of a term: of the potential, of size w fn, and of damping; derivative of the resultant
 */
static void term_tangents(const mean_term *term, pd_sample_sum *sum, const pd_tangent *k)
{
  const pd_law_value v = term->elastic;
  const pd_normal_force f = term->total;
  const double size = term->w * v.fn;
  const int slides = term->pair->em.slide > 0.0, damped = f.n != v.fn || f.dn_dgd != 0.0;
  mean_slopes by;
  pd_grad df;
  differentiate(term, &by);
  const pd_grad *dpush = slides || damped ? differentiate_directions(term, &by) : &by.dn;
  pd_g_product(&df, pd_scale(term->w * v.df, term->push), by.gap, size, dpush);
  add_tangent(term, &by, pd_scale(size, term->push), &df, k->force);
  if (term->pair->memory) pd_g_axpy(&sum->dresultant, 1.0, &df);
  if (slides) add_drop_gradient(term, &by, sum);
  if (damped) damping_tangent(term, &by, sum, k->damping);
}

/* A dead impact, whose force at the end counts more than once, that at the start less than nothing:
 * f + s (f - f0), and no pull. That is damping as stiff as the contact itself, without a jump
 * where it begins or ends. */
static pd_normal_force with_stiffness_damping(const mean_term *term)
{
  const pd_evaluation *pair = term->pair;
  const pd_law_value v = term->elastic;
  double share;
  const pd_law_value v0 = pd_law_eval(pair->law, gap_before(term, &share));
  const double s = pair->em.stiffness_damping, n = v.fn + s * (v.fn - v0.fn);
  pd_normal_force f = {0.0, 0.0, 0.0};
  if (n <= 0.0) return f;
  f.n = n;
  f.dn_dg = v.df + s * (v.df - (share > 0.0 ? share : 1.0) * v0.df);
  f.dn_dgd = share > 0.0 ? 0.0 : s * v0.df * pair->h;
  return f;
}

/* With dashpots, which stop what separates at the part of its elastic force that it gives back: it
 * does not pull. */
static pd_normal_force with_dashpots(const mean_term *term)
{
  const pd_evaluation *pair = term->pair;
  const pd_law_value v = term->elastic;
  const double least = pair->em.withheld;
  const pd_normal_force f =
      pd_law_damped(pair->law, v, term->gap->gap, term->rate, pair->reduced_mass);
  const pd_normal_force stopped = {least * v.fn, least * v.df, 0.0};
  return f.n < stopped.n ? stopped : f;
}

static mean_term term_of(const pd_evaluation *pair, const pd_gap *g, pd_law_value v, double w,
                         const pd_at_border *border)
{
  const pd_increment *a = &pair->a->increment, *b = &pair->b->increment;
  mean_term term;
  term.pair = pair;
  term.gap = g;
  term.border = border;
  term.w = w;
  term.elastic = v;
  term.along = g->n;
  if (pair->em.bearing_filter) term.along = direction_of(&term, &term.by_normal, &term.by_border);
  term.push = pd_axpy(g->n, pair->em.slide, pd_sub(term.along, g->n));
  term.mean_a = mean_lever(pair->a, g->pa);
  term.mean_b = mean_lever(pair->b, g->pb);
  term.way = pd_sub(pd_add(a->u, pd_rotation_displacement(a, g->pa)),
                    pd_add(b->u, pd_rotation_displacement(b, g->pb)));
  term.rate = pd_dot(term.along, term.way) / pair->h;
  term.total =
      pair->em.stiffness_damping > 0.0 ? with_stiffness_damping(&term) : with_dashpots(&term);
  return term;
}

pd_normal_force pd_em_term(const pd_evaluation *pair, const pd_gap *g, pd_law_value v, double w,
                           pd_sample_sum *sum, const pd_tangent *k)
{
  const mean_term term = term_of(pair, g, v, w, &sum->at_border);
  const double damping = w * (term.total.n - v.fn);
  double elastic[12];
  pd_gap_jt(g, pd_scale(w * v.fn, g->n), elastic);
  for (int m = 0; m < 12; m++) sum->elastic[m] += elastic[m];
  add_force(sum->force, w * v.fn, term.push, &term);
  add_force(sum->damping, damping, term.along, &term);
  if (pair->em.slide > 0.0) add_slide(&term, sum);
  sum->resultant = pd_axpy(sum->resultant, -damping, g->n); /* the potential's alone */
  pd_em_state_add_term(pair, g, v, w, &sum->state);
  sum->power -= damping * term.rate;
  sum->taken += fmax(0.0, -damping * term.rate);
  if (k) term_tangents(&term, sum, k);
  return term.total;
}
