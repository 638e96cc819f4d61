/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cd_polyhedra.h"

#include "atom_vec_ellipsoid.h"

#include "../core/rotation.h"

using namespace LAMMPS_NS;

PolyhedronBodies::PolyhedronBodies(LAMMPS *lmp)
    : RigidBodies(lmp), shapes(collect_shapes(lmp)),
      avec(dynamic_cast<AtomVecEllipsoid *>(atom->style_match("ellipsoid"))), work(nullptr),
      points()
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
static void set_levers(pd_place *p, pd_vec3 *s)
{
  p->s = s;
  for (int v = 0; v < p->shape->nv; v++) {
    s[v] = pd_mv(p->rot, p->shape->v[v]);
    p->box.lo = v ? pd_min(p->box.lo, s[v]) : s[v];
    p->box.hi = v ? pd_max(p->box.hi, s[v]) : s[v];
  }
}

void PolyhedronBodies::place()
{
  const int n = atom->nlocal + atom->nghost;
  size_t all = 0;
  for (int i = 0; i < n; i++) all += (size_t)shape_of(i).shape->nv;
  levers.resize(all);
  places.assign(n, pd_place());
  all = 0;
  for (int i = 0; i < n; i++) {
    places[i].shape = shape_of(i).shape;
    places[i].rot = pd_q_matrix(quat(i));
    set_levers(&places[i], &levers[all]);
    all += (size_t)places[i].shape->nv;
  }
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

void PolyhedronBodies::velocity(int i, double *six) const
{
  for (int k = 0; k < 3; k++) six[k] = atom->v[i][k];
  pd_v_store(six + 3, spin(quat(i), shape_of(i).moments, pd_v_load(atom->angmom[i])));
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

/* The angular momentum is that of the velocity at the start's orientation and stays so; the body
 * turns with the velocity of its orientation in the middle of the step. */
void PolyhedronBodies::move(int i, const double *six, double dt)
{
  for (int k = 0; k < 3; k++) {
    atom->v[i][k] = six[k];
    atom->x[i][k] += dt * six[k];
  }
  const double *moments = shape_of(i).moments;
  const pd_quat q0 = quat(i);
  const pd_vec3 l = pd_mv(inertia(i), pd_v_load(six + 3));
  pd_vec3 w = pd_v_load(six + 3);
  for (int it = 0; it < 4; it++) w = spin(turned(q0, w, 0.5 * dt), moments, l);
  const pd_quat q1 = turned(q0, w, dt);
  double *q = avec->bonus[atom->ellipsoid[i]].quat;
  q[0] = q1.w;
  q[1] = q1.x;
  q[2] = q1.y;
  q[3] = q1.z;
  pd_v_store(atom->angmom[i], l);
}

void PolyhedronBodies::append(int i, int j, std::vector<FoundContact> *out)
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

void PolyhedronBodies::touch(int i, int j, double reach, std::vector<FoundContact> *out)
{
  const pd_vec3 r = pd_sub(pd_v_load(atom->x[j]), pd_v_load(atom->x[i]));
  const double far = places[i].shape->radius + places[j].shape->radius + reach;
  if (pd_norm2(r) > far * far) return;
  points.n = 0;
  if (pd_cd_manifold(&places[i], &places[j], r, reach, work, &points))
    error->one(FLERR, "Contact dynamics: out of memory");
  append(i, j, out);
}

/* a surface as a body about the wall's origin */
pd_place PolyhedronBodies::surface_place(const pd_wall &w)
{
  pd_place p = pd_place();
  p.shape = w.shape;
  p.rot = pd_q_matrix(w.q);
  surface.resize(w.shape->nv);
  set_levers(&p, surface.data());
  return p;
}

void PolyhedronBodies::touch_wall(int i, const pd_wall &w, double reach,
                                  std::vector<FoundContact> *out)
{
  const pd_vec3 r = pd_sub(w.x, pd_v_load(atom->x[i]));
  points.n = 0;
  pd_status status;
  if (w.kind == PD_SURFACE) {
    const pd_place p = surface_place(w);
    status = pd_cd_manifold(&places[i], &p, r, reach, work, &points);
  } else {
    const pd_vec3 n = pd_mv(pd_q_matrix(w.q), w.normal);
    status = pd_cd_manifold_plane(&places[i], -pd_dot(n, r), n, reach, &points);
  }
  if (status) error->one(FLERR, "Contact dynamics: out of memory");
  append(i, -1, out);
}
