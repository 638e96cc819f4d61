/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/cd_spheres.h"

#include "geometry/distance.h"
#include "base/rotation.h"

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

void SphereBodies::velocity(int i, double *buffer) const
{
  for (int k = 0; k < 3; k++) {
    buffer[k] = atom->v[i][k];
    buffer[3 + k] = atom->omega[i][k];
  }
}

void SphereBodies::move(int i, const double *buffer, double dt)
{
  for (int k = 0; k < 3; k++) {
    atom->v[i][k] = buffer[k];
    atom->omega[i][k] = buffer[3 + k];
    atom->x[i][k] += dt * buffer[k];
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

void SphereBodies::touch(int i, int j, double reach, std::vector<FoundContact> *out)
{
  const pd_vec3 d = pd_sub(pd_v_load(atom->x[i]), pd_v_load(atom->x[j]));
  const double ri = atom->radius[i], rj = atom->radius[j], far = ri + rj + reach;
  const double d2 = pd_norm2(d);
  if (d2 > far * far) return;
  if (!(d2 > 0.0))
    error->one(FLERR, fmt::format("Contact dynamics: spheres {} and {} have the same centre",
                                  atom->tag[i], atom->tag[j]));
  const double r = sqrt(d2);
  out->push_back(contact(i, j, pd_scale(1.0 / r, d), ri, rj, r - ri - rj));
}

void SphereBodies::touch_wall(int i, const pd_wall &w, double reach, std::vector<FoundContact> *out)
{
  if (w.kind == PD_SURFACE) return touch_surface(i, w, reach, out);
  const pd_vec3 n = pd_mv(pd_q_matrix(w.q), w.normal);
  const double r = atom->radius[i];
  const double gap = pd_dot(n, pd_sub(pd_v_load(atom->x[i]), w.x)) - r;
  if (gap <= reach) out->push_back(contact(i, -1, n, r, 0.0, gap));
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

void SphereBodies::touch_surface(int i, const pd_wall &w, double reach,
                                 std::vector<FoundContact> *out)
{
  const pd_mat3 rot = pd_q_matrix(w.q);
  const pd_vec3 x = pd_mtv(rot, pd_sub(pd_v_load(atom->x[i]), w.x));
  const double r = atom->radius[i];
  find_near(w, x, r + reach);
  for (const Near &n : near) {
    if (!is_closest(w.shape, n, 1e-9 * r)) continue;
    if (!(n.d > 0.0))
      error->one(FLERR, fmt::format("Contact dynamics: the centre of sphere {} lies on a wall",
                                    atom->tag[i]));
    const pd_vec3 normal = pd_mv(rot, pd_scale(1.0 / n.d, pd_sub(x, n.p)));
    out->push_back(contact(i, -1, normal, r, 0.0, n.d - r));
    out->back().name.sb = n.triangle;
  }
}
