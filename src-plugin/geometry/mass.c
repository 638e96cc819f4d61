/* SPDX-License-Identifier: MIT */
#include "geometry/mass.h"

#include <string.h>

#include "geometry/mesh_internal.h"

/* Tensor terms below this fraction of the trace are round-off: off-diagonal ones, and differences
 * of moments that are equal by symmetry. Ten times that of single precision, as in binary STL. */
#define PRINCIPAL_TOL 1e-6

/* a candidate for the axes must be better by more than this, so that round-off decides no ties */
#define TIE 1e-9

/* a body has no extent along an axis if the mean square of it is below this fraction of all three
 */
#define EXTENT_ROUNDOFF (4.0 * DBL_EPSILON)

/* Adds the tetrahedron (o, a, b, c), d = a . (b x c) six times its volume, coordinates from o:
 * int 1 = d/6, int x = d/24 (a + b + c), int x x^T = d/120 (aa + bb + cc + ss), s = a + b + c. */
static void add_tetrahedron(pd_moments *m, pd_vec3 a, pd_vec3 b, pd_vec3 c)
{
  const double d = pd_dot(a, pd_cross(b, c));
  const pd_vec3 s = pd_add(a, pd_add(b, c));
  pd_mat3 p = pd_m_add(pd_outer(a, a), pd_outer(b, b));
  p = pd_m_add(p, pd_m_add(pd_outer(c, c), pd_outer(s, s)));
  m->volume += d / 6.0;
  m->first = pd_axpy(m->first, d / 24.0, s);
  m->second = pd_m_add(m->second, pd_m_scale(d / 120.0, p));
}

/* Moments about the point o. */
static pd_moments integrate(const pd_mesh *mesh, pd_vec3 o)
{
  pd_moments m = {0.0, {0.0, 0.0, 0.0}, pd_m_zero()};
  for (int i = 0; i < mesh->nt; i++) {
    const int *t = mesh->t[i];
    add_tetrahedron(&m, pd_sub(mesh->v[t[0]], o), pd_sub(mesh->v[t[1]], o),
                    pd_sub(mesh->v[t[2]], o));
  }
  return m;
}

/* ---------------------------------------------------------------------- eigenvectors */

/* One Jacobi rotation in the plane (p, q): a := J^T a J with a[p][q] = 0 after it, v := v J. */
static void jacobi_rotate(pd_mat3 *a, pd_mat3 *v, int p, int q)
{
  const double apq = a->m[p][q];
  if (apq == 0.0) return;
  /* the smaller root of t^2 + 2 theta t - 1 = 0: the smaller rotation, below 45 degrees */
  const double theta = 0.5 * (a->m[q][q] - a->m[p][p]) / apq;
  const double t = (theta < 0.0 ? -1.0 : 1.0) / (fabs(theta) + hypot(theta, 1.0));
  const double c = 1.0 / sqrt(1.0 + t * t), s = t * c;
  const int r = 3 - p - q;
  const double arp = a->m[r][p], arq = a->m[r][q];
  a->m[p][p] -= t * apq;
  a->m[q][q] += t * apq;
  a->m[p][q] = a->m[q][p] = 0.0;
  a->m[r][p] = a->m[p][r] = c * arp - s * arq;
  a->m[r][q] = a->m[q][r] = s * arp + c * arq;
  for (int i = 0; i < 3; i++) {
    const double x = v->m[i][p], y = v->m[i][q];
    v->m[i][p] = c * x - s * y;
    v->m[i][q] = s * x + c * y;
  }
}

static double off_diagonal(pd_mat3 a)
{
  return fmax(fabs(a.m[0][1]), fmax(fabs(a.m[0][2]), fabs(a.m[1][2])));
}

/* Cyclic Jacobi method: columns of the result are eigenvectors, *a becomes diagonal. Converges
 * quadratically; four or five sweeps reach round-off. */
static pd_mat3 eigenvectors(pd_mat3 *a)
{
  pd_mat3 v = pd_m_identity();
  const double small = 1e-18 * pd_m_trace(*a);
  for (int sweep = 0; sweep < 20 && off_diagonal(*a) > small; sweep++) {
    jacobi_rotate(a, &v, 0, 1);
    jacobi_rotate(a, &v, 0, 2);
    jacobi_rotate(a, &v, 1, 2);
  }
  return v;
}

/* ---------------------------------------------------------------------- choice of axes */

static pd_vec3 column(pd_mat3 a, int j) { return pd_v(a.m[0][j], a.m[1][j], a.m[2][j]); }

static double determinant(pd_mat3 a)
{
  return pd_dot(column(a, 0), pd_cross(column(a, 1), column(a, 2)));
}

/* 1 if r is nearer to the identity than best, that is of larger trace; ties are broken by its
 * diagonal and then by the sense of rotation, never by the accidental order of the eigenvectors. */
static int is_nearer(pd_mat3 r, pd_mat3 best)
{
  const double d[6] = {pd_m_trace(r) - pd_m_trace(best), r.m[0][0] - best.m[0][0],
                       r.m[1][1] - best.m[1][1],         r.m[1][0] - best.m[1][0],
                       r.m[2][1] - best.m[2][1],         r.m[0][2] - best.m[0][2]};
  for (int k = 0; k < 6; k++)
    if (fabs(d[k]) > TIE) return d[k] > 0.0;
  return 0;
}

/* One of the 24 right-handed arrangements of three axes: six orders, two free signs, the third sign
 * makes it right-handed. */
static pd_mat3 arrange(pd_mat3 v, int k)
{
  static const int order[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  const int *o = order[k / 4];
  const double sx = k & 1 ? -1.0 : 1.0, sy = k & 2 ? -1.0 : 1.0;
  pd_mat3 r;
  for (int i = 0; i < 3; i++) {
    r.m[i][0] = sx * v.m[i][o[0]];
    r.m[i][1] = sy * v.m[i][o[1]];
    r.m[i][2] = v.m[i][o[2]];
  }
  const double sz = determinant(r) < 0.0 ? -1.0 : 1.0;
  for (int i = 0; i < 3; i++) r.m[i][2] *= sz;
  return r;
}

/* The arrangement of three distinct axes that is the smallest rotation. */
static pd_mat3 nearest_arrangement(pd_mat3 v)
{
  pd_mat3 best = arrange(v, 0);
  for (int k = 1; k < 24; k++) {
    const pd_mat3 r = arrange(v, k);
    if (is_nearer(r, best)) best = r;
  }
  return best;
}

/* The smallest rotation that carries one of the coordinate axes onto the line of a: the axis k
 * nearest to it, R = 1 + [w] + [w]^2 / (1 + c), w = e_k x a, c = e_k . a > 0. Of all axes that have
 * a as an axis of symmetry these are nearest to the coordinate axes. */
static pd_mat3 nearest_about(pd_vec3 a)
{
  const double x[3] = {a.x, a.y, a.z};
  int k = 0;
  for (int i = 1; i < 3; i++)
    if (fabs(x[i]) > fabs(x[k]) + TIE) k = i;
  if (x[k] < 0.0) a = pd_neg(a);
  const pd_vec3 e = pd_v(k == 0, k == 1, k == 2);
  const pd_mat3 w = pd_skew(pd_cross(e, a));
  const pd_mat3 w2 = pd_m_scale(1.0 / (1.0 + fabs(x[k])), pd_m_mul(w, w));
  return pd_m_add(pd_m_identity(), pd_m_add(w, w2));
}

int pd_equal_moments(pd_vec3 principal, double tol, int *single)
{
  const double p[3] = {principal.x, principal.y, principal.z};
  const double most = tol * (p[0] + p[1] + p[2]);
  int pairs = 0;
  *single = 0;
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3;
    if (fabs(p[i] - p[j]) > most) continue;
    pairs++;
    *single = 3 - i - j;
  }
  return pairs > 1 ? 3 : pairs + 1;
}

static pd_mat3 principal_axes(pd_mat3 inertia)
{
  if (off_diagonal(inertia) <= PRINCIPAL_TOL * pd_m_trace(inertia)) return pd_m_identity();
  const pd_mat3 v = eigenvectors(&inertia);
  const pd_vec3 principal = pd_v(inertia.m[0][0], inertia.m[1][1], inertia.m[2][2]);
  int single;
  switch (pd_equal_moments(principal, PRINCIPAL_TOL, &single)) {
  case 3:
    return pd_m_identity();
  case 2:
    return nearest_about(column(v, single));
  default:
    return nearest_arrangement(v);
  }
}

/* Diagonal of R^T I R. */
static pd_vec3 moments_about(pd_mat3 inertia, pd_mat3 axes)
{
  const pd_mat3 d = pd_m_mul(pd_m_transpose(axes), pd_m_mul(inertia, axes));
  return pd_v(d.m[0][0], d.m[1][1], d.m[2][2]);
}

/* Of any body two moments exceed the third: I_j + I_k - I_i is twice the integral of x_i^2. */
static int is_of_a_body(pd_vec3 p)
{
  const double trace = p.x + p.y + p.z;
  return trace - 2.0 * fmax(p.x, fmax(p.y, p.z)) > EXTENT_ROUNDOFF * trace;
}

pd_status pd_mass_of_moments(const pd_moments *m, pd_vec3 about, pd_mass *mass)
{
  const pd_vec3 rest = pd_scale(1.0 / m->volume, m->first);
  /* parallel axes for the rest, then I = tr(C) 1 - C */
  const pd_mat3 c = pd_m_add(m->second, pd_m_scale(-m->volume, pd_outer(rest, rest)));
  const double trace = pd_m_trace(c);
  mass->volume = m->volume;
  mass->center = pd_add(about, rest);
  mass->inertia = pd_m_add(pd_m_scale(trace, pd_m_identity()), pd_m_scale(-1.0, c));
  mass->axes = principal_axes(mass->inertia);
  mass->principal = moments_about(mass->inertia, mass->axes);
  return is_of_a_body(mass->principal) ? PD_OK : PD_EMOMENT;
}

pd_status pd_mass_properties(const pd_mesh *mesh, pd_mass *mass)
{
  pd_vec3 lo, hi;
  double size;
  memset(mass, 0, sizeof *mass);
  if (!(pd_mesh_volume(mesh, &size) > PD_VOLUME_ROUNDOFF * size)) return PD_EVOLUME;

  /* first about the middle of the box to find the centre, then about that: little to cancel */
  pd_mesh_bounds(mesh, &lo, &hi);
  const pd_vec3 middle = pd_axpy(lo, 0.5, pd_sub(hi, lo));
  const pd_moments rough = integrate(mesh, middle);
  const pd_vec3 about = pd_axpy(middle, 1.0 / rough.volume, rough.first);
  const pd_moments m = integrate(mesh, about);
  return pd_mass_of_moments(&m, about, mass);
}
