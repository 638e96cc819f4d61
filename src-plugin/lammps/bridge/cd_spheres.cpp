/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/cd_spheres.h"

#include "geometry/distance.h"
#include "base/rotation.h"

#include <algorithm>

using namespace LAMMPS_NS;

pd_cd_body SphereBodies::body(int i, bool mobile, bool turning) const
{
  pd_cd_body b = pd_cd_body();
  const double j = 0.4 * atom->rmass[i] * atom->radius[i] * atom->radius[i];
  b.mass = atom->rmass[i];
  b.inertia = pd_m_diag(pd_v(j, j, j));
  b.mobile = mobile;
  b.turns = turning;
  return b;
}

void SphereBodies::velocity(int i, double *six) const
{
  for (int k = 0; k < 3; k++) {
    six[k] = atom->v[i][k];
    six[3 + k] = atom->omega[i][k];
  }
}

void SphereBodies::move(int i, const double *v, double time)
{
  for (int k = 0; k < 3; k++) {
    atom->v[i][k] = v[k];
    atom->omega[i][k] = v[3 + k];
    atom->x[i][k] += time * v[k];
  }
}

static FoundContact contact(int a, int b, pd_vec3 n, double ra, double rb, double gap)
{
  FoundContact f = FoundContact();
  f.c.a = a;
  f.c.b = b;
  f.c.n = n;
  f.c.ra = pd_scale(-ra, n);
  f.c.rb = pd_scale(rb, n);
  f.c.gap = gap;
  f.name.sa = f.name.sb = -1;
  return f;
}

void SphereBodies::place(const pd_cd_body *, const double *v, double time)
{
  dt = time;
  go.resize(atom->nlocal + atom->nghost);
  for (size_t i = 0; i < go.size(); i++) go[i] = pd_scale(time, pd_v_load(v + 6 * i));
}

/* Part of the path at which the distance of two centres first is r: the smaller root of
 * |d + t path| = r; 0 if they are nearer already or part, above 1 if they do not come so near. */
static double first_touch(pd_vec3 d, pd_vec3 path, double r)
{
  const double a = pd_norm2(path), b = pd_dot(d, path), c = pd_norm2(d) - r * r;
  if (c <= 0.0 || !(b < 0.0)) return 0.0;
  const double root = b * b - a * c;
  return root < 0.0 ? 2.0 : c / (sqrt(root) - b);
}

/* The normal is the present one or, if they are far apart, that of where they first touch. */
void SphereBodies::touch(int i, int j, double reach, std::vector<FoundContact> *out)
{
  const pd_vec3 d = pd_sub(pd_v_load(atom->x[i]), pd_v_load(atom->x[j]));
  const double ri = atom->radius[i], rj = atom->radius[j], far = ri + rj + reach;
  const double length = path_length(i, j);
  const double d2 = pd_norm2(d);
  pd_vec3 at = d;
  if (d2 > far * far) {
    if (length <= reach || d2 > (far + length) * (far + length)) return;
    const pd_vec3 path = pd_sub(go[i], go[j]);
    const double part = first_touch(d, path, ri + rj);
    if (!(part > 0.0 && part <= 1.0)) return;
    at = pd_axpy(d, part, path);
  }
  if (!(d2 > 0.0))
    throw LocalError(fmt::format("Contact dynamics: spheres {} and {} have the same centre",
                                 atom->tag[i], atom->tag[j]));
  const pd_vec3 n = pd_scale(1.0 / pd_norm(at), at);
  out->push_back(contact(i, j, n, ri, rj, pd_dot(n, d) - ri - rj));
}

pd_vec3 SphereBodies::going(int i, const pd_wall &w) const
{
  if (!w.moves) return go[i];
  const pd_vec3 arm = pd_sub(pd_v_load(atom->x[i]), w.x);
  return pd_axpy(go[i], -dt, pd_add(w.v, pd_cross(w.w, arm)));
}

void SphereBodies::touch_wall(int i, const pd_wall &w, double reach, std::vector<FoundContact> *out)
{
  if (w.kind == PD_SURFACE) return touch_surface(i, w, reach, out);
  const pd_vec3 n = pd_mv(pd_q_matrix(w.q), w.normal);
  const double r = atom->radius[i];
  const double gap = pd_dot(n, pd_sub(pd_v_load(atom->x[i]), w.x)) - r;
  if (fmin(gap, gap + pd_dot(n, going(i, w))) <= reach)
    out->push_back(contact(i, -1, n, r, 0.0, gap));
}

/* closest points of the triangles near x, which is given in the wall's frame */
void SphereBodies::find_near(const pd_wall &w, pd_vec3 x, double cut)
{
  const pd_shape *s = w.shape;
  pd_box query;
  query.lo = query.hi = x;
  item.resize(s->nt);
  near.clear();
  const int n = pd_bvh_query(&s->tree, pd_box_inflate(query, cut), item.data());
  for (int k = 0; k < n; k++) {
    const int *t = s->t[item[k]];
    const pd_vec3 v[3] = {s->v[t[0]], s->v[t[1]], s->v[t[2]]};
    double d2;
    const int feature = pd_point_triangle(x, v[0], v[1], v[2], &d2);
    Near at = Near();
    at.triangle = item[k];
    at.x = x;
    at.inside = feature == PD_TRI_FACE;
    if (feature < 3)
      at.p = v[feature];
    else if (at.inside)
      at.p = pd_axpy(x, -pd_dot(s->tn[item[k]], pd_sub(x, v[0])), s->tn[item[k]]);
    else {
      const pd_vec3 p = v[feature - 3], u = pd_sub(v[(feature - 2) % 3], p);
      at.p = pd_axpy(p, pd_dot(u, pd_sub(x, p)) / pd_norm2(u), u);
    }
    at.d = pd_norm(pd_sub(x, at.p));
    if (at.d <= cut) near.push_back(at);
  }
}

/* A point on a triangle's border is one of the surface's own closest points only if no triangle
 * that has it comes nearer; of several with the same point the first one counts. */
bool SphereBodies::is_closest(const pd_shape *s, const Near &n, double tol) const
{
  for (const Near &o : near) {
    if (&o == &n) continue;
    if (pd_norm(pd_sub(o.p, n.p)) <= tol) {
      if (o.triangle < n.triangle) return false;
      continue;
    }
    if (n.inside || !(o.d < n.d)) continue;
    const int *t = s->t[o.triangle];
    double d2;
    pd_point_triangle(n.p, s->v[t[0]], s->v[t[1]], s->v[t[2]], &d2);
    if (d2 <= tol * tol) return false;
  }
  return true;
}

/* whether a triangle, or a plane, is that of a contact of this flight */
static bool is_known(const std::vector<FoundContact> &found, size_t first, int triangle)
{
  for (size_t k = first; k < found.size(); k++)
    if (found[k].name.sb == triangle) return true;
  return false;
}

static bool is_known(const std::vector<FoundContact> &found, size_t first, pd_vec3 n, double gap,
                     double tol)
{
  for (size_t k = first; k < found.size(); k++)
    if (pd_norm(pd_sub(found[k].c.n, n)) < 1e-9 && fabs(found[k].c.gap - gap) < tol) return true;
  return false;
}

/* Contacts with what is near where the sphere has gone a part of its path, and was not before;
 * where it has gone none, also with what it goes away from. Returns whether one of them stops it.
 */
bool SphereBodies::touch_near(int i, const pd_wall &w, const Flight &f, pd_vec3 gone,
                              std::vector<FoundContact> *out)
{
  const pd_mat3 rot = pd_q_matrix(w.q);
  const bool start = pd_norm2(gone) == 0.0;
  bool stops = false;
  find_near(w, pd_add(f.x, gone), f.r + f.reach);
  for (const Near &n : near) {
    if (is_known(*out, f.first, n.triangle) || !is_closest(w.shape, n, 1e-9 * f.r)) continue;
    if (!(n.d > 0.0))
      throw LocalError(
          fmt::format("Contact dynamics: the centre of sphere {} lies on a wall", atom->tag[i]));
    const pd_vec3 normal = pd_scale(1.0 / n.d, pd_sub(n.x, n.p));
    const double comes = -pd_dot(normal, f.path);
    const double gap = pd_dot(normal, pd_sub(f.x, n.p)) - f.r;
    const pd_vec3 outward = pd_mv(rot, normal);
    if (!start && (!(comes > 0.0) || is_known(*out, f.first, outward, gap, 1e-9 * f.r))) continue;
    stops = stops || (comes > f.reach && gap < comes);
    out->push_back(contact(i, -1, outward, f.r, 0.0, gap));
    out->back().name.sb = n.triangle;
  }
  return stops;
}

/* What is near now and, of a sphere that goes far, what comes near on its path, up to what stops
 * it.
 */
void SphereBodies::touch_surface(int i, const pd_wall &w, double reach,
                                 std::vector<FoundContact> *out)
{
  const pd_mat3 rot = pd_q_matrix(w.q);
  const Flight f = {pd_mtv(rot, pd_sub(pd_v_load(atom->x[i]), w.x)), pd_mtv(rot, going(i, w)),
                    atom->radius[i], reach, out->size()};
  const double length = pd_norm(f.path);
  bool stops = touch_near(i, w, f, pd_v(0.0, 0.0, 0.0), out);
  for (double part = 0.0; !stops && length > reach && part < 1.0;) {
    find_near(w, pd_axpy(f.x, part, f.path), f.r + reach + (1.0 - part) * length);
    double d = DBL_MAX;
    for (const Near &n : near)
      if (!is_known(*out, f.first, n.triangle)) d = std::min(d, n.d);
    if (d == DBL_MAX) return;
    part += std::max(d - f.r - 0.5 * reach, 0.1 * reach) / length;
    if (part < 1.0) stops = touch_near(i, w, f, pd_scale(part, f.path), out);
  }
}
