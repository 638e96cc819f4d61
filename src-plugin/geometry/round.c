/* SPDX-License-Identifier: MIT
 * The offset of a convex body consists of a prism on every face, a sector of a cylinder along every
 * edge, between the normals of its faces, and a sector of a ball about every vertex, over the
 * normals that are its own; their integrals are closed. Those of a unit vector n over a spherical
 * polygon of area S, whose sides are arcs of angle t with the unit normal b out of the polygon, are
 * by the divergence theorem
 *
 *   int n = -1/2 sum t b,   int n n^T = 1/3 (S I - sum (int n along the arc) b^T).
 *
 * Here S = 2 pi less the angles of the faces at the vertex (Gauss and Bonnet), and b is the
 * direction of an edge into the body. */
#include "geometry/round.h"

#include "base/memory.h"

/* of coordinates over the size, as files of single precision have it, and of angles in rad */
#define CONVEX_ROUNDING 1e-6

/* normals of a vertex: integrals of 1, n and n n^T over them */
typedef struct normal_cone {
  double solid;
  pd_vec3 first;
  pd_mat3 second;
} normal_cone;

static void add(pd_moments *m, double volume, pd_vec3 first, pd_mat3 second)
{
  m->volume += volume;
  m->first = pd_add(m->first, first);
  m->second = pd_m_add(m->second, second);
}

static pd_mat3 symmetric(pd_vec3 a, pd_vec3 b) { return pd_m_add(pd_outer(a, b), pd_outer(b, a)); }

/* I = tr(C) 1 - C, so C = tr(I) / 2 - I, about the centre of mass */
static pd_moments of_core(const pd_mass *core)
{
  const pd_vec3 p = core->principal;
  const double half = 0.5 * (p.x + p.y + p.z);
  const pd_moments m = {core->volume, pd_v(0.0, 0.0, 0.0),
                        pd_m_diag(pd_v(half - p.x, half - p.y, half - p.z))};
  return m;
}

/* the prism of height r on a triangle; int x x^T over it = area / 12 (aa + bb + cc + 9 gg) */
static void add_prism(const pd_shape *s, int tri, pd_moments *m)
{
  const pd_vec3 a = s->v[s->t[tri][0]], b = s->v[s->t[tri][1]], c = s->v[s->t[tri][2]];
  const pd_vec3 n = s->tn[tri], g = pd_scale(1.0 / 3.0, pd_add(a, pd_add(b, c)));
  const double r = s->round;
  const double area = 0.5 * pd_norm(pd_cross(pd_sub(b, a), pd_sub(c, a))), v = area * r;
  pd_mat3 in_plane = pd_m_add(pd_outer(a, a), pd_m_add(pd_outer(b, b), pd_outer(c, c)));
  in_plane = pd_m_scale(v / 12.0, pd_m_add(in_plane, pd_m_scale(9.0, pd_outer(g, g))));
  const pd_mat3 out = pd_m_add(pd_m_scale(0.5 * v * r, symmetric(g, n)),
                               pd_m_scale(v * r * r / 3.0, pd_outer(n, n)));
  add(m, v, pd_scale(v, pd_axpy(g, 0.5 * r, n)), pd_m_add(in_plane, out));
}

/* normals of an edge: about the middle one, within half of the turn; int n and int n n^T */
typedef struct normal_arc {
  pd_vec3 along, first; /* unit vector of the edge */
  double turn;
  pd_mat3 second;
} normal_arc;

static pd_vec3 any_normal(pd_vec3 e)
{
  const double x = fabs(e.x), y = fabs(e.y), z = fabs(e.z);
  if (x <= y && x <= z) return pd_unit(pd_cross(e, pd_v(1.0, 0.0, 0.0)));
  return pd_unit(pd_cross(e, y <= z ? pd_v(0.0, 1.0, 0.0) : pd_v(0.0, 0.0, 1.0)));
}

static normal_arc arc_of(const pd_shape *s, const pd_edge *e)
{
  normal_arc arc;
  const int whole = e->nt == 1; /* the edge of a capsule */
  arc.along = pd_unit(pd_sub(s->v[e->v[1]], s->v[e->v[0]]));
  arc.turn = whole ? 2.0 * PD_PI : e->turn;
  const pd_vec3 mid =
      whole ? any_normal(arc.along) : pd_unit(pd_add(s->tn[e->t[0]], s->tn[e->t[1]]));
  const pd_vec3 side = pd_cross(arc.along, mid);
  arc.first = whole ? pd_v(0.0, 0.0, 0.0) : pd_scale(2.0 * sin(0.5 * arc.turn), mid);
  const double swing = whole ? 0.0 : sin(arc.turn);
  arc.second = pd_m_add(pd_m_scale(0.5 * (arc.turn + swing), pd_outer(mid, mid)),
                        pd_m_scale(0.5 * (arc.turn - swing), pd_outer(side, side)));
  return arc;
}

/* the sector of a cylinder along an edge */
static void add_sector(const pd_shape *s, const pd_edge *e, const normal_arc *arc, pd_moments *m)
{
  const double r = s->round, r2 = r * r, l = e->length, v = 0.5 * l * arc->turn * r2;
  const pd_vec3 mid = pd_scale(0.5, pd_add(s->v[e->v[0]], s->v[e->v[1]]));
  const pd_vec3 out = pd_scale(l * r * r2 / 3.0, arc->first);
  pd_mat3 second =
      pd_m_add(pd_outer(mid, mid), pd_m_scale(l * l / 12.0, pd_outer(arc->along, arc->along)));
  second = pd_m_add(pd_m_scale(v, second), symmetric(mid, out));
  add(m, v, pd_add(pd_scale(v, mid), out),
      pd_m_add(second, pd_m_scale(0.25 * l * r2 * r2, arc->second)));
}

/* what an edge takes off the normals of its ends: it bounds them */
static void bound_cones(const pd_edge *e, const normal_arc *arc, normal_cone *cone)
{
  for (int k = 0; k < 2; k++) {
    normal_cone *c = &cone[e->v[k]];
    const pd_vec3 in = k ? pd_neg(arc->along) : arc->along;
    c->first = pd_axpy(c->first, -0.5 * arc->turn, in);
    c->second = pd_m_add(c->second, pd_m_scale(-1.0 / 3.0, pd_outer(arc->first, in)));
  }
}

static void bound_by_angles(const pd_shape *s, int tri, normal_cone *cone)
{
  for (int k = 0; k < 3; k++) {
    cone[s->t[tri][k]].solid -= pd_corner_angle(s, tri, k);
  }
}

/* the sector of a ball about a vertex */
static void add_ball_sector(const pd_shape *s, int vertex, const normal_cone *cone, pd_moments *m)
{
  const double r = s->round, r3 = r * r * r, v = cone->solid * r3 / 3.0;
  const pd_vec3 x = s->v[vertex], out = pd_scale(0.25 * r * r3, cone->first);
  const pd_mat3 normals = pd_m_add(cone->second, pd_m_scale(cone->solid / 3.0, pd_m_identity()));
  const pd_mat3 second = pd_m_add(pd_m_scale(v, pd_outer(x, x)), symmetric(x, out));
  add(m, v, pd_add(pd_scale(v, x), out), pd_m_add(second, pd_m_scale(0.2 * r * r * r3, normals)));
}

/* Whether the surface is that of a convex body but for the rounding of its coordinates. A closed
 * surface is convex if its edges and vertices are. */
static int is_convex(const pd_shape *s, const normal_cone *cone)
{
  double size2 = 0.0;
  for (int i = 0; i < s->nv; i++) size2 = fmax(size2, pd_norm2(s->v[i]));
  const double rounding = CONVEX_ROUNDING * sqrt(size2);
  for (int i = 0; i < s->ne; i++)
    if (s->e[i].turn * s->e[i].length < -rounding) return 0;
  for (int i = 0; i < s->nv; i++)
    if (cone[i].solid < -CONVEX_ROUNDING) return 0;
  return 1;
}

static pd_status add_parts(const pd_shape *s, normal_cone *cone, pd_moments *m)
{
  const int segment = s->nt == 1;
  const normal_cone all = {segment && s->nv == 1 ? 4.0 * PD_PI : 2.0 * PD_PI, pd_v(0.0, 0.0, 0.0),
                           pd_m_zero()};
  for (int i = 0; i < s->nv; i++) cone[i] = all;
  for (int i = 0; i < s->nt && !segment; i++) bound_by_angles(s, i, cone);
  if (!is_convex(s, cone)) return PD_ECONCAVE;
  for (int i = 0; i < s->nt && !segment; i++) add_prism(s, i, m);
  for (int i = 0; i < s->ne; i++) {
    const normal_arc arc = arc_of(s, &s->e[i]);
    add_sector(s, &s->e[i], &arc, m);
    bound_cones(&s->e[i], &arc, cone);
  }
  for (int i = 0; i < s->nv; i++) add_ball_sector(s, i, &cone[i], m);
  return PD_OK;
}

/* Products of rounded vectors are not symmetric to the last digit. */
static void make_symmetric(pd_mat3 *a) { *a = pd_m_scale(0.5, pd_m_add(*a, pd_m_transpose(*a))); }

pd_status pd_round_mass(const pd_shape *s, pd_mass *mass)
{
  pd_moments m = of_core(&s->mass);
  normal_cone *cone = pd_alloc_array((size_t)s->nv, sizeof *cone);
  if (!cone) return PD_ENOMEM;
  const pd_status status = add_parts(s, cone, &m);
  pd_free(cone);
  if (status) return status;
  if (!(m.volume > 0.0)) return PD_ERANGE;
  make_symmetric(&m.second);
  return pd_mass_of_moments(&m, pd_v(0.0, 0.0, 0.0), mass);
}
