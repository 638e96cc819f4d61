/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/cd_polyhedra.h"

#include "atom_vec_ellipsoid.h"

#include "base/rotation.h"

#include <algorithm>

using namespace LAMMPS_NS;

PolyhedronBodies::PolyhedronBodies(LAMMPS *lmp)
    : RigidBodies(lmp), shapes(collect_shapes(lmp)),
      avec(dynamic_cast<AtomVecEllipsoid *>(atom->style_match("ellipsoid"))), surface(), dt(0.0),
      work(nullptr), points()
{
  if (pd_pair_work_create(&work)) error->one(FLERR, "Contact dynamics: out of memory");
}

PolyhedronBodies::~PolyhedronBodies()
{
  pd_cd_points_free(&points);
  pd_pair_work_free(work);
}

const ShapeOfType &PolyhedronBodies::shape_of(int i) const
{
  const ShapeOfType &s = shapes[atom->type[i]];
  if (!s.shape)
    error->one(FLERR,
               fmt::format("Contact dynamics: atom {} of type {} has no shape: give the type "
                           "one with fix polyhedron/shape",
                           atom->tag[i], atom->type[i]));
  return s;
}

double PolyhedronBodies::radius(int i) const { return shape_of(i).shape->radius; }

pd_quat PolyhedronBodies::quat(int i) const
{
  const double *q = avec->bonus[atom->ellipsoid[i]].quat;
  return pd_q(q[0], q[1], q[2], q[3]);
}

pd_mat3 PolyhedronBodies::inertia(int i) const
{
  return pd_rotate_diag(pd_q_matrix(quat(i)), pd_v_load(shape_of(i).moments));
}

/* levers of a placed shape and their box */
static void set_levers(pd_pose *p, pd_vec3 *s)
{
  p->s = s;
  for (int v = 0; v < p->shape->nv; v++) {
    s[v] = pd_mv(p->rot, p->shape->v[v]);
    p->box.lo = v ? pd_min(p->box.lo, s[v]) : s[v];
    p->box.hi = v ? pd_max(p->box.hi, s[v]) : s[v];
  }
}

/* turns by the angle |w| dt about w */
static pd_quat turned(pd_quat q, pd_vec3 w, double dt)
{
  const double angle = dt * pd_norm(w), half = 0.5 * angle;
  const double s = angle > 1e-8 ? sin(half) / angle * dt : 0.5 * dt;
  pd_quat r = pd_q_mul(pd_q(cos(half), s * w.x, s * w.y, s * w.z), q);
  const double n = 1.0 / sqrt(r.w * r.w + r.x * r.x + r.y * r.y + r.z * r.z);
  return pd_q(n * r.w, n * r.x, n * r.y, n * r.z);
}

/* places after some time at the velocities v */
void PolyhedronBodies::fill(Places *p, const double *v, double time) const
{
  const int n = atom->nlocal + atom->nghost;
  size_t all = 0;
  for (int i = 0; i < n; i++) all += (size_t)shape_of(i).shape->nv;
  p->levers.resize(all);
  p->at.assign(n, pd_pose());
  p->x.resize(n);
  all = 0;
  for (int i = 0; i < n; i++) {
    const double *buffer = v + 6 * (size_t)i;
    p->x[i] = pd_axpy(pd_v_load(atom->x[i]), time, pd_v_load(buffer));
    p->at[i].shape = shape_of(i).shape;
    p->at[i].rot = pd_q_matrix(turned(quat(i), pd_v_load(buffer + 3), time));
    set_levers(&p->at[i], &p->levers[all]);
    all += (size_t)p->at[i].shape->nv;
  }
}

void PolyhedronBodies::place(const double *v, double time)
{
  dt = time;
  fill(&now, v, 0.0);
  fill(&ahead, v, time);
}

pd_cd_body PolyhedronBodies::body(int i, bool mobile, bool turning) const
{
  pd_cd_body b = pd_cd_body();
  b.mass = atom->rmass[i];
  b.inertia = inertia(i);
  b.mobile = mobile;
  b.turns = turning;
  return b;
}

static pd_vec3 spin(pd_quat q, const double *moments, pd_vec3 angmom)
{
  const pd_mat3 rot = pd_q_matrix(q);
  const pd_vec3 l = pd_mtv(rot, angmom);
  return pd_mv(rot, pd_v(l.x / moments[0], l.y / moments[1], l.z / moments[2]));
}

void PolyhedronBodies::velocity(int i, double *buffer) const
{
  for (int k = 0; k < 3; k++) buffer[k] = atom->v[i][k];
  pd_v_store(buffer + 3, spin(quat(i), shape_of(i).moments, pd_v_load(atom->angmom[i])));
}

/* The angular momentum is that of the velocity at the start's orientation and stays so; the body
 * turns with the velocity of its orientation in the middle of the step. */
void PolyhedronBodies::move(int i, const double *buffer, double dt)
{
  for (int k = 0; k < 3; k++) {
    atom->v[i][k] = buffer[k];
    atom->x[i][k] += dt * buffer[k];
  }
  const double *moments = shape_of(i).moments;
  const pd_quat q0 = quat(i);
  const pd_vec3 l = pd_mv(inertia(i), pd_v_load(buffer + 3));
  pd_vec3 w = pd_v_load(buffer + 3);
  for (int it = 0; it < 4; it++) w = spin(turned(q0, w, 0.5 * dt), moments, l);
  const pd_quat q1 = turned(q0, w, dt);
  double *q = avec->bonus[atom->ellipsoid[i]].quat;
  q[0] = q1.w;
  q[1] = q1.x;
  q[2] = q1.y;
  q[3] = q1.z;
  pd_v_store(atom->angmom[i], l);
}

void PolyhedronBodies::append(int i, int j, std::vector<FoundContact> *out) const
{
  for (int k = 0; k < points.n; k++) {
    const pd_cd_point &p = points.p[k];
    FoundContact f = FoundContact();
    f.c.a = i;
    f.c.b = j;
    f.c.n = p.n;
    f.c.ra = p.ra;
    f.c.rb = p.rb;
    f.c.gap = p.gap;
    f.name.sa = p.sample[0];
    f.name.sb = p.sample[1];
    out->push_back(f);
  }
}

/* Features that touch now or would at the end of the step, as points of the present places. */
void PolyhedronBodies::find_points(const pd_pose &a, const pd_pose &a1, const pd_pose &b,
                                   const pd_pose &b1, pd_vec3 r, pd_vec3 r1, double reach)
{
  points.n = 0;
  pd_status status = pd_cd_manifold(&a, &b, r, reach, work, &points);
  const int n = points.n;
  if (!status) status = pd_cd_manifold(&a1, &b1, r1, reach, work, &points);
  if (status) error->one(FLERR, "Contact dynamics: out of memory");
  for (int k = n; k < points.n; k++) pd_cd_manifold_move(&a, &b, r, &points.p[k]);
  pd_cd_manifold_prune(&a, &b, r, &points, 0);
}

void PolyhedronBodies::touch(int i, int j, double reach, std::vector<FoundContact> *out)
{
  const pd_vec3 r = pd_sub(now.x[j], now.x[i]), r1 = pd_sub(ahead.x[j], ahead.x[i]);
  const double far = now.at[i].shape->radius + now.at[j].shape->radius + reach;
  if (fmin(pd_norm2(r), pd_norm2(r1)) > far * far) return;
  find_points(now.at[i], ahead.at[i], now.at[j], ahead.at[j], r, r1, reach);
  append(i, j, out);
}

/* a surface as a body about the wall's origin, now and ahead; made anew only if it has moved */
void PolyhedronBodies::set_surface(const pd_wall &w)
{
  const double pose[11] = {w.x.x, w.x.y, w.x.z, w.q.w, w.q.x, w.q.y,
                           w.q.z, w.w.x, w.w.y, w.w.z, dt};
  if (surface.shape == w.shape && std::equal(pose, pose + 11, surface.pose)) return;
  surface.shape = w.shape;
  std::copy_n(pose, 11, surface.pose);
  const double time[2] = {0.0, w.moves ? dt : 0.0};
  for (int k = 0; k < 2; k++) {
    pd_pose &p = k ? surface.ahead : surface.now;
    p = pd_pose();
    p.shape = w.shape;
    p.rot = pd_q_matrix(turned(w.q, w.w, time[k]));
    surface.levers[k].resize(w.shape->nv);
    set_levers(&p, surface.levers[k].data());
  }
}

void PolyhedronBodies::touch_wall(int i, const pd_wall &w, double reach,
                                  std::vector<FoundContact> *out)
{
  const double time = w.moves ? dt : 0.0;
  const pd_vec3 r = pd_sub(w.x, now.x[i]);
  const pd_vec3 r1 = pd_sub(pd_axpy(w.x, time, w.v), ahead.x[i]);
  if (w.kind == PD_SURFACE) {
    set_surface(w);
    find_points(now.at[i], ahead.at[i], surface.now, surface.ahead, r, r1, reach);
  } else {
    points.n = 0;
    const pd_vec3 n = pd_mv(pd_q_matrix(w.q), w.normal);
    const pd_vec3 n1 = pd_mv(pd_q_matrix(turned(w.q, w.w, time)), w.normal);
    if (pd_cd_manifold_plane(&ahead.at[i], -pd_dot(n1, r1), n1, reach, &points))
      error->one(FLERR, "Contact dynamics: out of memory");
    for (int k = 0; k < points.n; k++)
      pd_cd_manifold_plane_move(&now.at[i], -pd_dot(n, r), n, &points.p[k]);
  }
  append(i, -1, out);
}
