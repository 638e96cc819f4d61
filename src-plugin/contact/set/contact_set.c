/* SPDX-License-Identifier: MIT
 * The contact set: which sub-region pairs act, and with which integer weight (doc/theory.md).
 *
 * Vertex a against surface B: every closed triangle counts +1, every edge c_e, every vertex c_v,
 * each with the distance to its closest feature; the weights are summed per closest feature first,
 * and most cancel. Edge against edge: the interior-interior contact alone, as a bracket that fades
 * to zero at the ends, times a mollifier for nearly parallel edges. */
#include <string.h>

#include "geometry/distance.h"
#include "contact/pair_internal.h"

/* weights summed per closest feature of the surface */
typedef struct tally_entry {
  int kind; /* 3 face, 2 edge, 1 vertex */
  int id;
  int w;
} tally_entry;

/* a vertex has few features within gbar; what does not fit is flushed as terms of its own */
enum { TALLY_MAX = 128 };

typedef struct tally {
  int n;
  tally_entry e[TALLY_MAX];
} tally;

typedef struct set_state {
  pd_pair_state p;
  pd_contact_set set;
  double g2; /* gbar^2 */
  pd_pair_work *work;
  pd_pair_result *result;
  pd_contact_list *list;
} set_state;

static int tally_add(tally *y, int kind, int id, int w)
{
  for (int i = y->n - 1; i >= 0; i--)
    if (y->e[i].id == id && y->e[i].kind == kind) {
      y->e[i].w += w;
      return 1;
    }
  if (y->n == TALLY_MAX) return 0;
  y->e[y->n].kind = kind;
  y->e[y->n].id = id;
  y->e[y->n].w = w;
  y->n++;
  return 1;
}

/* vertices of a feature of a surface */
static int feature_vertices(const pd_shape *s, int kind, int id, int *v)
{
  if (kind == 1) v[0] = id;
  if (kind == 2) v[0] = s->e[id].v[0], v[1] = s->e[id].v[1];
  if (kind == 3) v[0] = s->t[id][0], v[1] = s->t[id][1], v[2] = s->t[id][2];
  return kind;
}

/* one term: vertex p of side ip against a feature of the other side */
static pd_status vertex_term(const set_state *z, int ip, int vertex, tally_entry e,
                             pd_sample_sum *sum)
{
  const pd_side *sp = &z->work->side[ip], *ss = &z->work->side[1 - ip];
  const pd_shape *shape = ip ? z->p.a->shape : z->p.b->shape;
  pd_vec3 x[3];
  int v[3] = {0, 0, 0};
  const int n = feature_vertices(shape, e.kind, e.id, v);
  for (int i = 0; i < n; i++) x[i] = ss->x[v[i]];
  const pd_tangent both = {z->result->k, z->result->kloss}, *k = z->p.tangent ? &both : NULL;
  return ip ? pd_term_eval(&z->p, n, x, 1, &sp->x[vertex], e.w, sum, k)
            : pd_term_eval(&z->p, 1, &sp->x[vertex], n, x, e.w, sum, k);
}

static pd_status flush(const set_state *z, int ip, int vertex, tally *y, pd_sample_sum *sum)
{
  for (int i = 0; i < y->n; i++) {
    if (y->e[i].w == 0) continue;
    const pd_status status = vertex_term(z, ip, vertex, y->e[i], sum);
    if (status) return status;
  }
  y->n = 0;
  return PD_OK;
}

/* counts a feature for the sampled vertex, making room if the tally is full */
static pd_status count(const set_state *z, int ip, int vertex, tally *y, pd_sample_sum *sum,
                       int kind, int id, int w)
{
  if (w == 0 || tally_add(y, kind, id, w)) return PD_OK;
  const pd_status status = flush(z, ip, vertex, y, sum);
  if (!status) tally_add(y, kind, id, w);
  return status;
}

/* one closed feature of the surface near the sampled vertex */
static pd_status tally_triangle(const set_state *z, int ip, int vertex, int id, tally *y,
                                pd_sample_sum *sum)
{
  const pd_side *ss = &z->work->side[1 - ip];
  const pd_shape *shape = ip ? z->p.a->shape : z->p.b->shape;
  const int *t = shape->t[id];
  double d2;
  const int k =
      pd_point_triangle(z->work->side[ip].x[vertex], ss->x[t[0]], ss->x[t[1]], ss->x[t[2]], &d2);
  if (d2 >= z->g2) return PD_OK;
  if (k == PD_TRI_FACE) return count(z, ip, vertex, y, sum, 3, id, 1);
  if (k >= PD_TRI_EDGE) return count(z, ip, vertex, y, sum, 2, shape->te[id][k - PD_TRI_EDGE], 1);
  return count(z, ip, vertex, y, sum, 1, t[k], 1);
}

static pd_status tally_edge(const set_state *z, int ip, int vertex, int id, tally *y,
                            pd_sample_sum *sum)
{
  const pd_side *ss = &z->work->side[1 - ip];
  const pd_edge *e = &(ip ? z->p.a->shape : z->p.b->shape)->e[id];
  double d2;
  const int k = pd_point_segment(z->work->side[ip].x[vertex], ss->x[e->v[0]], ss->x[e->v[1]], &d2);
  if (d2 >= z->g2) return PD_OK;
  return k == PD_INSIDE ? count(z, ip, vertex, y, sum, 2, id, e->weight)
                        : count(z, ip, vertex, y, sum, 1, e->v[k], e->weight);
}

static int vertex_reached(const set_state *z, int ip, int vertex, int id)
{
  const pd_vec3 p = z->work->side[ip].x[vertex];
  return pd_norm2(pd_sub(p, z->work->side[1 - ip].x[id])) < z->g2;
}

/* closed triangles, edges and vertices of the surface near the sampled vertex */
static pd_status tally_surface(const set_state *z, int ip, int vertex, tally *y, pd_sample_sum *sum)
{
  const pd_side *ss = &z->work->side[1 - ip];
  const pd_shape *shape = ip ? z->p.a->shape : z->p.b->shape;
  const pd_vec3 p = z->work->side[ip].x[vertex];
  pd_status status = PD_OK;
  for (int i = 0; i < ss->nt && !status; i++)
    if (pd_point_box2(p, ss->tbox[i]) < z->g2)
      status = tally_triangle(z, ip, vertex, ss->t[i], y, sum);
  for (int i = 0; i < ss->ne && !status; i++)
    if (shape->e[ss->e[i]].weight != 0 && pd_point_box2(p, ss->ebox[i]) < z->g2)
      status = tally_edge(z, ip, vertex, ss->e[i], y, sum);
  for (int i = 0; i < ss->nv && !status; i++)
    if (shape->vweight[ss->v[i]] && vertex_reached(z, ip, vertex, ss->v[i]))
      status = count(z, ip, vertex, y, sum, 1, ss->v[i], shape->vweight[ss->v[i]]);
  return status;
}

/* both U_a(B) and U_b(A) hold the vertex pair (a, b): one of them is taken off, at B's sample */
static pd_status tally_twice_counted(const set_state *z, int vertex, tally *y, pd_sample_sum *sum)
{
  const pd_side *sa = &z->work->side[0];
  pd_status status = PD_OK;
  for (int i = 0; i < sa->nv && !status; i++)
    if (z->p.a->shape->sample[sa->v[i]] && vertex_reached(z, 1, vertex, sa->v[i]))
      status = count(z, 1, vertex, y, sum, 1, sa->v[i], -1);
  return status;
}

/* The same from the n listed pairs of the vertex. A vertex of the surface counts with its weight
 * and, where it is counted twice, once more: after all weights as above. */
static pd_status tally_listed(const set_state *z, int ip, const pd_near_item *item, int n, tally *y,
                              pd_sample_sum *sum)
{
  const pd_shape *shape = ip ? z->p.a->shape : z->p.b->shape;
  const int vertex = (int)item->p;
  pd_status status = PD_OK;
  int i = 0;
  for (; i < n && item[i].kind == PD_NEAR_TRIANGLE && !status; i++)
    status = tally_triangle(z, ip, vertex, (int)item[i].q, y, sum);
  for (; i < n && item[i].kind == PD_NEAR_EDGE && !status; i++)
    status = tally_edge(z, ip, vertex, (int)item[i].q, y, sum);
  for (int twice = 0; twice <= ip; twice++)
    for (int k = i; k < n && !status; k++) {
      const int id = (int)item[k].q, w = twice ? -shape->sample[id] : shape->vweight[id];
      if (w != 0 && vertex_reached(z, ip, vertex, id))
        status = count(z, ip, vertex, y, sum, 1, id, w);
    }
  return status;
}

/* ---- the paper's set: interiors only, every solution in range counts once ---- */

static int over_triangle(const set_state *z, int ip, int vertex, int id)
{
  const pd_side *ss = &z->work->side[1 - ip];
  const int *t = (ip ? z->p.a->shape : z->p.b->shape)->t[id];
  double d2;
  const int k =
      pd_point_triangle(z->work->side[ip].x[vertex], ss->x[t[0]], ss->x[t[1]], ss->x[t[2]], &d2);
  return d2 < z->g2 && k == PD_TRI_FACE;
}

static int over_edge(const set_state *z, int ip, int vertex, int id)
{
  const pd_side *ss = &z->work->side[1 - ip];
  const int *v = (ip ? z->p.a->shape : z->p.b->shape)->e[id].v;
  double d2;
  const int k = pd_point_segment(z->work->side[ip].x[vertex], ss->x[v[0]], ss->x[v[1]], &d2);
  return d2 < z->g2 && k == PD_INSIDE;
}

/* Hierarchy: an edge yields to its two faces if the vertex is in contact with both. */
static int yields_to_faces(const set_state *z, int ip, int vertex, int id)
{
  const pd_side *ss = &z->work->side[1 - ip];
  const pd_edge *e = &(ip ? z->p.a->shape : z->p.b->shape)->e[id];
  int n = 0;
  if (z->set != PD_SET_HIERARCHY || e->nt != 2) return 0;
  for (int i = 0; i < ss->nt; i++)
    if (ss->t[i] == e->t[0] || ss->t[i] == e->t[1]) n += over_triangle(z, ip, vertex, ss->t[i]);
  return n == 2;
}

/* whether the vertex is in contact with a face or an edge that the other vertex belongs to */
static int meets_neighbours(const set_state *z, int ip, int vertex, int other)
{
  const pd_side *ss = &z->work->side[1 - ip];
  const pd_shape *shape = ip ? z->p.a->shape : z->p.b->shape;
  for (int i = 0; i < ss->nt; i++) {
    const int *t = shape->t[ss->t[i]];
    const int of = t[0] == other || t[1] == other || t[2] == other;
    if (of && over_triangle(z, ip, vertex, ss->t[i])) return 1;
  }
  for (int i = 0; i < ss->ne; i++) {
    const int *v = shape->e[ss->e[i]].v;
    if ((v[0] == other || v[1] == other) && over_edge(z, ip, vertex, ss->e[i])) return 1;
  }
  return 0;
}

/* Hierarchy: a pair of vertices yields to the faces and edges of either. */
static int yields_to_neighbours(const set_state *z, int a, int b)
{
  return z->set == PD_SET_HIERARCHY &&
         (meets_neighbours(z, 0, a, b) || meets_neighbours(z, 1, b, a));
}

static pd_status tally_literal(const set_state *z, int ip, int vertex, tally *y, pd_sample_sum *sum)
{
  const pd_side *ss = &z->work->side[1 - ip];
  pd_status status = PD_OK;
  for (int i = 0; i < ss->nt && !status; i++)
    if (over_triangle(z, ip, vertex, ss->t[i]))
      status = count(z, ip, vertex, y, sum, 3, ss->t[i], 1);
  for (int i = 0; i < ss->ne && !status; i++)
    if (over_edge(z, ip, vertex, ss->e[i]) && !yields_to_faces(z, ip, vertex, ss->e[i]))
      status = count(z, ip, vertex, y, sum, 2, ss->e[i], 1);
  for (int i = 0; ip == 0 && i < ss->nv && !status; i++)
    if (vertex_reached(z, 0, vertex, ss->v[i]) && !yields_to_neighbours(z, vertex, ss->v[i]))
      status = count(z, ip, vertex, y, sum, 1, ss->v[i], 1);
  return status;
}

/* item: the n listed pairs of the vertex, or NULL */
static pd_status sample_vertex(const set_state *z, int ip, int vertex, const pd_near_item *item,
                               int n)
{
  tally y;
  pd_sample_sum sum;
  y.n = 0;
  pd_sample_clear(&sum);
  pd_status status;
  if (item)
    status = tally_listed(z, ip, item, n, &y, &sum);
  else if (z->set != PD_SET_CONTINUOUS)
    status = tally_literal(z, ip, vertex, &y, &sum);
  else {
    status = tally_surface(z, ip, vertex, &y, &sum);
    if (!status && ip == 1) status = tally_twice_counted(z, vertex, &y, &sum);
  }
  if (!status) status = flush(z, ip, vertex, &y, &sum);
  if (!status && z->p.memory && sum.active) {
    const pd_friction_point x =
        pd_vertex_friction_point(&z->p, vertex, ip, z->work->side[ip].x[vertex]);
    status = pd_sample_friction(&z->p, &x, &sum, z->result);
  }
  if (!status) status = pd_sample_finish(&sum, ip, vertex, -1, z->p.em > 0.0, z->result, z->list);
  return status;
}

static pd_status sample_vertices(const set_state *z, int ip)
{
  const pd_side *side = &z->work->side[ip];
  const pd_shape *shape = ip ? z->p.b->shape : z->p.a->shape;
  for (int i = 0; i < side->nv; i++) {
    if (z->set == PD_SET_CONTINUOUS && !shape->sample[side->v[i]]) continue;
    const pd_status status = sample_vertex(z, ip, side->v[i], NULL, 0);
    if (status) return status;
  }
  return PD_OK;
}

static pd_status sample_listed_vertices(const set_state *z, int ip)
{
  const pd_shape *shape = ip ? z->p.b->shape : z->p.a->shape;
  const pd_near_item *item = z->work->list;
  const int end = z->work->from[ip + 1];
  for (int i = z->work->from[ip], k = i; i < end; i = k) {
    while (k < end && item[k].p == item[i].p) k++;
    if (!shape->sample[item[i].p]) continue;
    const pd_status status = sample_vertex(z, ip, (int)item[i].p, item + i, k - i);
    if (status) return status;
  }
  return PD_OK;
}

/* four positions of an edge pair and the integer weights of its closed sub-features */
typedef struct edge_pair {
  pd_vec3 a[2], b[2];
  int w[3][3]; /* [end 0, end 1, interior] of A by the same of B */
  int f[2];    /* closest features of A and B, numbered in the same way */
} edge_pair;

static void bracket_weights(edge_pair *e, double g2)
{
  double d2;
  for (int k = 0; k < 2; k++) {
    int f = pd_point_segment(e->a[k], e->b[0], e->b[1], &d2);
    if (d2 < g2) e->w[k][f]--;
    f = pd_point_segment(e->b[k], e->a[0], e->a[1], &d2);
    if (d2 < g2) e->w[f][k]--;
    for (int l = 0; l < 2; l++)
      if (pd_norm2(pd_sub(e->a[k], e->b[l])) < g2) e->w[k][l]++;
  }
}

static int count_of(int f) { return f == PD_INSIDE ? 2 : 1; }
static const pd_vec3 *first_of(const pd_vec3 *ends, int f) { return f == 1 ? &ends[1] : ends; }

static pd_status bracket_term(const set_state *z, const edge_pair *e, int fa, int fb, double w,
                              pd_sample_sum *sum, const pd_tangent *k)
{
  return pd_term_eval(&z->p, count_of(fa), first_of(e->a, fa), count_of(fb), first_of(e->b, fb), w,
                      sum, k);
}

static pd_status bracket_terms(const set_state *z, const edge_pair *e, pd_sample_sum *sum,
                               const pd_tangent *k)
{
  for (int fa = 0; fa < 3; fa++)
    for (int fb = 0; fb < 3; fb++) {
      if (e->w[fa][fb] == 0) continue;
      const pd_status status = bracket_term(z, e, fa, fb, e->w[fa][fb], sum, k);
      if (status) return status;
    }
  return PD_OK;
}

/* Damping fades against that of the closest features alone, whatever their weight in the bracket.
 */
static pd_status fade_damping(const set_state *z, const edge_pair *e, pd_sample_sum *sum,
                              const pd_tangent *k)
{
  double array[24][12];
  const pd_tangent own = {array, array + 12};
  pd_sample_sum closest;
  pd_sample_clear(&closest);
  if (k) memset(array, 0, sizeof array);
  const pd_status status = bracket_term(z, e, e->f[0], e->f[1], 1.0, &closest, k ? &own : NULL);
  if (!status) pd_em_fade_damping(sum, closest.power, closest.dpower, k);
  return status;
}

/* derivative of f R, where the derivative of the factor f is c row */
static void resultant_times(pd_sample_sum *s, double f, double c, const double *row)
{
  for (int i = 0; i < 36; i++) s->dr.m[i / 12][i % 12] *= f;
  pd_g_rank1(&s->dr, c, s->resultant, row);
}

/* all forces of a sample times f */
static void scale_sums(pd_sample_sum *s, double f)
{
  double *const parts[4] = {s->force, s->elastic, s->mean, s->damp};
  for (int k = 0; k < 4; k++)
    for (int m = 0; m < 12; m++) parts[k][m] *= f;
  s->ta = pd_m_scale(f, s->ta);
  s->tb = pd_m_scale(f, s->tb);
  s->power *= f;
  s->resultant = pd_scale(f, s->resultant);
}

/* k = f k + c force row^T */
static void scale_tangent(double (*k)[12], double f, double c, const double *force,
                          const double *row)
{
  for (int i = 0; i < 144; i++) k[i / 12][i % 12] *= f;
  pd_k_rank1(k, c, force, row);
}

/* The bracket is negative where the ends of short or nearly parallel edges are closer together than
 * gbar, and would then take the barrier of the vertices away. There b is replaced by
 * h(b) = b / (1 - b / k) > -k, k = phi(f gbar) / 4, of slope one at zero. */
static void soften(pd_sample_sum *s, double limit, int em, const pd_tangent *k)
{
  if (s->energy >= 0.0) return;
  const double slope = 1.0 / (1.0 - s->energy / limit), dh = slope * slope;
  const double ddh = 2.0 * dh * slope / limit;
  if (k) {
    scale_tangent(k->k, dh, ddh, em ? s->mean : s->force, s->elastic);
    if (em) scale_tangent(k->kloss, dh, ddh, s->damp, s->elastic);
    resultant_times(s, dh, -ddh, s->elastic);
  }
  scale_sums(s, dh);
  s->energy *= slope;
}

/* Mollifier m = X (2 - X) of X = sin^2 / sin^2 theta0 < 1, else 1; derivatives by p = u . v.
 * sin theta0 = 0.8 gbar / shorter edge: edges that cross in their middles at twice the angle
 * gbar / edge have their ends out of reach, and the closer the gap is to gbar the sooner. A wider
 * mollifier takes the crossing away where no end is there to bear, and the energy falls below that
 * of the distance alone (to 0.14 of it with 5 gbar / edge); see doc/theory.md. */
typedef struct mollifier {
  double m, dm, ddm;
  pd_vec3 u, v;   /* the edges */
  pd_vec3 mu, mv; /* as levers: their means over the step in the energy-momentum scheme */
  double half;    /* and how much of a spin these take part in: 1/2 there, else 1 */
} mollifier;

static mollifier mollify(const pd_pair_state *z, const edge_pair *e)
{
  mollifier o;
  const double gbar = z->law->gbar;
  o.u = o.mu = pd_sub(e->a[1], e->a[0]);
  o.v = o.mv = pd_sub(e->b[1], e->b[0]);
  o.half = z->em > 0.0 ? 0.5 : 1.0;
  if (z->em > 0.0) {
    o.mu = pd_mv(pd_mean_lever(pd_m_transpose(z->a->increment.dq)), o.u);
    o.mv = pd_mv(pd_mean_lever(pd_m_transpose(z->b->increment.dq)), o.v);
  }
  const double uu = pd_norm2(o.u), vv = pd_norm2(o.v), p = pd_dot(o.u, o.v);
  const double sin0 = fmin(0.3, 0.8 * gbar / sqrt(fmin(uu, vv)));
  const double s = uu * vv * sin0 * sin0, x = pd_norm2(pd_cross(o.u, o.v)) / s;
  o.m = 1.0;
  o.dm = o.ddm = 0.0;
  if (x >= 1.0) return o;
  const double dx = -2.0 * p / s, ddx = -2.0 / s;
  o.m = x * (2.0 - x);
  o.dm = (2.0 - 2.0 * x) * dx;
  o.ddm = (2.0 - 2.0 * x) * ddx - 2.0 * dx * dx;
  return o;
}

/* k_total = m k - m' G c^T - m' c_l G_el^T + W (m'' c_l c^T + m' dc_l/dq), c = dp/dq, and c_l the
 * same with the levers of the moments: doc/theory.md */
static void mollify_tangent(const pd_pair_state *p, const mollifier *o, pd_sample_sum *s,
                            const pd_tangent *k, pd_pair_result *out)
{
  const int em = p->em > 0.0;
  double c[12] = {0.0}, cl[12] = {0.0};
  const pd_vec3 uv = pd_cross(o->u, o->v);
  pd_v_store(c + 3, uv);
  pd_v_store(c + 9, pd_neg(uv));
  pd_v_store(cl + 3, pd_cross(o->mu, o->v));
  pd_v_store(cl + 9, pd_cross(o->mv, o->u));
  resultant_times(s, o->m, o->dm, c);
  const pd_mat3 su = pd_skew(o->u), sv = pd_skew(o->v);
  const double wm = s->energy * o->dm;
  for (int i = 0; i < 12; i++)
    for (int j = 0; j < 12; j++) {
      out->k[i][j] += o->m * k->k[i][j];
      if (em) out->kloss[i][j] += o->m * k->kloss[i][j];
    }
  pd_k_rank1(out->k, -o->dm, em ? s->mean : s->force, c);
  if (em) pd_k_rank1(out->kloss, -o->dm, s->damp, c);
  pd_k_rank1(out->k, -o->dm, cl, s->elastic);
  pd_k_rank1(out->k, s->energy * o->ddm, cl, c);
  pd_k_add_block(out->k, 3, 3, o->half * wm, pd_m_mul(sv, su));
  pd_k_add_block(out->k, 3, 9, -wm, pd_m_mul(pd_skew(o->mu), sv));
  pd_k_add_block(out->k, 9, 3, -wm, pd_m_mul(pd_skew(o->mv), su));
  pd_k_add_block(out->k, 9, 9, o->half * wm, pd_m_mul(su, sv));
}

static void add_torque(double *force, pd_vec3 on_a, pd_vec3 on_b)
{
  pd_v_store(force + 3, pd_add(pd_v_load(force + 3), on_a));
  pd_v_store(force + 9, pd_add(pd_v_load(force + 9), on_b));
}

static void mollify_sum(const mollifier *o, pd_sample_sum *s)
{
  const double c = -s->energy * o->dm;
  const pd_vec3 torque = pd_scale(c, pd_cross(o->u, o->v));
  scale_sums(s, o->m);
  add_torque(s->force, torque, pd_neg(torque));
  add_torque(s->elastic, torque, pd_neg(torque));
  add_torque(s->mean, pd_scale(c, pd_cross(o->mu, o->v)), pd_scale(c, pd_cross(o->mv, o->u)));
  s->ta = pd_m_add(s->ta, pd_m_scale(c, pd_outer(o->v, o->u)));
  s->tb = pd_m_add(s->tb, pd_m_scale(c, pd_outer(o->u, o->v)));
  s->energy *= o->m;
}

/* acts midway between the closest points of the edges, ends included: there is no jump at an end */
static pd_status edge_friction(const set_state *z, const edge_pair *e, int ea, int eb,
                               pd_sample_sum *sum)
{
  if (!z->p.memory) return PD_OK;
  const pd_gap g = pd_gap_solve(count_of(e->f[0]), first_of(e->a, e->f[0]), count_of(e->f[1]),
                                first_of(e->b, e->f[1]), z->p.r);
  const pd_friction_point x = pd_edge_friction_point(&z->p, ea, eb, &g);
  return pd_sample_friction(&z->p, &x, sum, z->result);
}

/* sign of the bracket's terms: 0 all cancel, 1 none is negative, -1 some are */
static int bracket_sign(const edge_pair *e)
{
  int any = 0, low = 0;
  for (int i = 0; i < 9; i++) {
    const int w = e->w[i / 3][i % 3];
    any |= w != 0;
    if (w < low) low = w;
  }
  return low < 0 ? -1 : any;
}

/* the bracket softened and times the mollifier; its tangents are added to the result's */
static pd_status mollified_terms(const set_state *z, const edge_pair *e, const mollifier *o,
                                 int sign, pd_sample_sum *sum)
{
  double array[24][12];
  const int tangent = z->p.tangent, em = z->p.em > 0.0;
  const pd_tangent own = {array, array + 12}, *k = tangent ? &own : NULL;
  for (int i = 0; tangent && i < (em ? 288 : 144); i++) array[i / 12][i % 12] = 0.0;
  pd_status status = bracket_terms(z, e, sum, k);
  if (status || !sum->active) return status;
  if (em && sign < 0 && sum->power != 0.0) status = fade_damping(z, e, sum, k);
  if (status) return status;
  soften(sum, 0.25 * z->p.law->phib, em, k);
  if (tangent) mollify_tangent(&z->p, o, sum, k, z->result);
  mollify_sum(o, sum);
  return PD_OK;
}

/* Edges that cross well, with their ends out of reach, are a plain sum of terms. */
static pd_status sample_edges(const set_state *z, const edge_pair *e, int ea, int eb)
{
  const int sign = bracket_sign(e), literal = z->set != PD_SET_CONTINUOUS;
  if (sign == 0) return PD_OK;
  const pd_tangent both = {z->result->k, z->result->kloss};
  const mollifier o = mollify(&z->p, e);
  pd_sample_sum sum;
  pd_sample_clear(&sum);
  pd_status status = literal || (sign > 0 && o.dm == 0.0 && o.ddm == 0.0)
                         ? bracket_terms(z, e, &sum, z->p.tangent ? &both : NULL)
                         : mollified_terms(z, e, &o, sign, &sum);
  if (status || !sum.active) return status;
  status = edge_friction(z, e, ea, eb, &sum);
  if (status) return status;
  return pd_sample_finish(&sum, 0, ea, eb, z->p.em > 0.0, z->result, z->list);
}

static pd_status edge_edge(const set_state *z, int ea, int eb)
{
  const pd_side *sa = &z->work->side[0], *sb = &z->work->side[1];
  const pd_edge *p = &z->p.a->shape->e[ea], *q = &z->p.b->shape->e[eb];
  const double g2 = z->g2;
  edge_pair e = {{sa->x[p->v[0]], sa->x[p->v[1]]}, {sb->x[q->v[0]], sb->x[q->v[1]]}, {{0}}, {0}};
  int fa, fb;
  if (pd_segment_segment(e.a[0], e.a[1], e.b[0], e.b[1], &fa, &fb) >= g2) return PD_OK;
  e.f[0] = fa;
  e.f[1] = fb;
  if (z->set != PD_SET_CONTINUOUS) {
    if (fa != PD_INSIDE || fb != PD_INSIDE) return PD_OK;
    e.w[fa][fb] = 1;
  } else {
    e.w[fa][fb] = 1;
    bracket_weights(&e, g2);
  }
  return sample_edges(z, &e, ea, eb);
}

static pd_status sample_edge_pairs(const set_state *z)
{
  const pd_side *sa = &z->work->side[0], *sb = &z->work->side[1];
  const int all = z->set != PD_SET_CONTINUOUS;
  for (int i = 0; i < sa->ne; i++) {
    if (!all && !z->p.a->shape->e[sa->e[i]].sharp) continue;
    for (int j = 0; j < sb->ne; j++) {
      if (!all && !z->p.b->shape->e[sb->e[j]].sharp) continue;
      if (pd_box_box2(sa->ebox[i], sb->ebox[j]) >= z->g2) continue;
      const pd_status status = edge_edge(z, sa->e[i], sb->e[j]);
      if (status) return status;
    }
  }
  return PD_OK;
}

static pd_status sample_listed_edges(const set_state *z)
{
  const pd_near_item *item = z->work->list;
  for (int i = z->work->from[2]; i < z->work->nitem; i++) {
    const pd_status status = edge_edge(z, (int)item[i].p, (int)item[i].q);
    if (status) return status;
  }
  return PD_OK;
}

static pd_status sample_all(const set_state *z, pd_found found)
{
  const int listed = found == PD_LISTED;
  pd_status status = PD_OK;
  for (int ip = 0; ip < 2 && !status; ip++)
    status = listed ? sample_listed_vertices(z, ip) : sample_vertices(z, ip);
  if (status) return status;
  return listed ? sample_listed_edges(z) : sample_edge_pairs(z);
}

pd_status pd_pair_eval(const pd_pose *a, const pd_pose *b, pd_vec3 r0, pd_vec3 ru,
                       const pd_law *law, pd_contact_set set, int tangent,
                       const pd_friction_memory *memory, double em, pd_pair_work *work,
                       pd_pair_result *result, pd_contact_list *contacts)
{
  set_state z;
  pd_found found;
  pd_near *near = work->near;
  pd_result_clear(result, tangent);
  work->ndeferred = 0;
  if (set != PD_SET_CONTINUOUS) work->near = NULL;
  const pd_status status = pd_pair_search(a, b, r0, ru, law->gbar, work, &found);
  work->near = near;
  if (status || found == PD_APART) return status;
  z.p.a = a;
  z.p.b = b;
  z.p.r = pd_add(r0, ru);
  z.p.law = law;
  z.p.mred = 1.0 / (1.0 / a->mass + 1.0 / b->mass);
  z.p.tangent = tangent;
  z.p.memory = law->t.eps_t > 0.0 ? memory : NULL;
  z.p.em = fmax(em, 0.0);
  z.p.state = em != 0.0;
  z.p.work = work;
  z.set = set;
  z.g2 = law->gbar * law->gbar;
  z.work = work;
  z.result = result;
  z.list = contacts;
  return sample_all(&z, found);
}
