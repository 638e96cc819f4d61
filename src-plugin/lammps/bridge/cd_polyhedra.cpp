/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/cd_polyhedra.h"

#include "lammps/bridge/atom_rotation.h"
#include "atom_vec_ellipsoid.h"

#include "base/rotation.h"
#include "contact_dynamics/free_turn.h"
#include "contact_dynamics/unseen.h"
#include "geometry/thickness.h"

#include <algorithm>

using namespace LAMMPS_NS;

PolyhedronBodies::PolyhedronBodies(LAMMPS *lmp)
    : RigidBodies(lmp), shapes(collect_shapes(lmp)), thick(shapes.size(), 0.0),
      avec(dynamic_cast<AtomVecEllipsoid *>(atom->style_match("ellipsoid"))), approach(), surface(),
      dt(0.0), work(nullptr), points()
{
  stop_together(lmp, FLERR, pd_pair_work_create(&work) ? "Contact dynamics: out of memory" : "");
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
    throw LocalError(fmt::format("Contact dynamics: atom {} of type {} has no shape: give the type "
                                 "one with fix polyhedron/shape",
                                 atom->tag[i], atom->type[i]));
  if (s.shape->round > 0.0)
    throw LocalError(fmt::format(
        "Contact dynamics: atom {} is of type {}, which fix polyhedron/shape rounds by {:g}: fix "
        "contact/dynamics takes polyhedra and the spheres of atom style sphere; fix "
        "implicit/polyhedron takes rounded shapes",
        atom->tag[i], atom->type[i], s.shape->round));
  return s;
}

double PolyhedronBodies::radius(int i) const { return shape_of(i).shape->radius; }

pd_quat PolyhedronBodies::quat(int i) const
{
  return quat_load(avec->bonus[atom->ellipsoid[i]].quat);
}

pd_mat3 PolyhedronBodies::inertia(int i) const
{
  return pd_rotate_diag(pd_q_matrix(quat(i)), pd_v_load(shape_of(i).moments));
}

void PolyhedronBodies::require(pd_status status) const
{
  if (status) throw LocalError(fmt::format("Fix contact/dynamics: {}", pd_strerror(status)));
}

double PolyhedronBodies::thickness(int type)
{
  if (!(thick[type] > 0.0)) require(pd_shape_thickness(shapes[type].shape, &thick[type]));
  return thick[type];
}

/* at the start of the paths or at their end */
void PolyhedronBodies::fill(Places *p, bool at_end) const
{
  const int n = atom->nlocal + atom->nghost;
  const double part = at_end ? 1.0 : 0.0;
  p->at.assign(n, pd_pose());
  p->x.resize(n);
  for (int i = 0; i < n; i++) {
    p->x[i] = pd_axpy(pd_v_load(atom->x[i]), part, paths[i].displacement);
    p->at[i].shape = shape_of(i).shape;
    p->at[i].rot = pd_q_matrix(pd_cd_turned(paths[i].q, pd_scale(part, paths[i].rotation)));
  }
}

/* The angular momentum is that of the velocity at the present orientation and stays so. */
pd_quat PolyhedronBodies::turned(int i, pd_vec3 w, double time) const
{
  const pd_vec3 l = pd_mv(inertia(i), w);
  return pd_cd_free_turn(quat(i), pd_v_load(shape_of(i).moments), l, time);
}

void PolyhedronBodies::place(const pd_cd_body *body, const double *v, double time)
{
  dt = time;
  paths.resize(atom->nlocal + atom->nghost);
  for (size_t i = 0; i < paths.size(); i++) {
    const pd_vec3 w = pd_v_load(v + 6 * i + 3), even = pd_scale(time, w);
    paths[i].q = quat((int)i);
    paths[i].displacement = pd_scale(time, pd_v_load(v + 6 * i));
    paths[i].rotation =
        body[i].mobile ? pd_cd_turn_between(paths[i].q, turned((int)i, w, time), even) : even;
  }
  fill(&now, false);
  fill(&ahead, true);
  for (size_t i = 0; i < paths.size(); i++) {
    paths[i].start = &now.at[i];
    paths[i].end = &ahead.at[i];
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

void PolyhedronBodies::velocity(int i, double *six) const
{
  for (int k = 0; k < 3; k++) six[k] = atom->v[i][k];
  const pd_vec3 j = pd_v_load(shape_of(i).moments);
  pd_v_store(six + 3, omega_of(pd_q_matrix(quat(i)), j, atom->angmom[i]));
}

void PolyhedronBodies::move(int i, const double *v, double time)
{
  for (int k = 0; k < 3; k++) {
    atom->v[i][k] = v[k];
    atom->x[i][k] += time * v[k];
  }
  const pd_vec3 w = pd_v_load(v + 3);
  const pd_quat q1 = turned(i, w, time);
  pd_v_store(atom->angmom[i], pd_mv(inertia(i), w));
  quat_store(avec->bonus[atom->ellipsoid[i]].quat, q1);
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

static pd_pair_geometry placed(const pd_pose *a, const pd_pose *b, pd_vec3 r)
{
  return {a, b, r, pd_v(0.0, 0.0, 0.0), nullptr, nullptr};
}

/* Features that touch now, or where the bodies first touch on their paths, or at the ends of these;
 * as points of the present places. */
void PolyhedronBodies::find_points(const pd_cd_path &a, const pd_cd_path &b, pd_vec3 r,
                                   double reach)
{
  const pd_pair_geometry start = placed(a.start, b.start, r);
  points.n = 0;
  require(pd_cd_manifold(&start, &start, reach, work, &points));
  const int n = points.n;
  const pd_pose *at[2] = {a.end, b.end};
  pd_vec3 r1 = pd_add(r, pd_sub(b.displacement, a.displacement));
  if (pd_cd_path_length(&a, &b) > reach) {
    require(pd_cd_first_touch(&a, &b, r, 0.5 * reach, work, &approach));
    if (approach.part > 0.0 && approach.part < 1.0) {
      for (int k = 0; k < 2; k++) at[k] = &approach.pose[k];
      r1 = approach.r;
    }
  }
  const pd_pair_geometry there = placed(at[0], at[1], r1);
  require(pd_cd_manifold(&there, &start, reach, work, &points));
  for (int k = n; k < points.n; k++) pd_cd_manifold_move(a.start, b.start, r, &points.p[k]);
  pd_cd_manifold_prune(a.start, b.start, r, reach, &points, 0);
}

void PolyhedronBodies::touch(int i, int j, double reach, std::vector<FoundContact> *out)
{
  const pd_vec3 r = pd_sub(now.x[j], now.x[i]), r1 = pd_sub(ahead.x[j], ahead.x[i]);
  const pd_vec3 d = pd_sub(r1, r);
  const double d2 = pd_norm2(d), part = d2 > 0.0 ? -pd_dot(r, d) / d2 : 0.0;
  const double far = now.at[i].shape->radius + now.at[j].shape->radius + reach;
  if (pd_norm2(pd_axpy(r, fmin(1.0, fmax(0.0, part)), d)) > far * far) return;
  find_points(paths[i], paths[j], r, reach);
  append(i, j, out);
}

/* Overlaps at the end deeper than this are not looked for: a body has then gone through, which the
 * first touch on the path tells. */
static double deepest(const pd_cd_path &a, const pd_cd_path &b, double reach)
{
  const double size = fmin(a.start->shape->radius, b.start->shape->radius);
  return fmax(reach, fmin(pd_cd_path_length(&a, &b), 0.5 * size));
}

/* the points of the ends of the paths */
void PolyhedronBodies::find_end_points(const pd_cd_path &a, const pd_cd_path &b, pd_vec3 r,
                                       pd_vec3 r1, double reach)
{
  const pd_pair_geometry start = placed(a.start, b.start, r), end = placed(a.end, b.end, r1);
  points.n = 0;
  require(pd_cd_manifold(&end, &start, deepest(a, b, reach), work, &points));
  pd_cd_manifold_prune(a.end, b.end, r1, reach, &points, 0);
}

/* of the points of the ends those that overlap, which are told by their features there */
void PolyhedronBodies::append_overlaps(int i, int j, const pd_cd_path &a, const pd_cd_path &b,
                                       pd_vec3 r, std::vector<FoundContact> *out)
{
  const size_t first = out->size();
  std::vector<double> end;
  int n = 0;
  for (int k = 0; k < points.n; k++) {
    if (!(points.p[k].gap < 0.0)) continue;
    end.push_back(points.p[k].gap);
    points.p[n] = points.p[k];
    pd_cd_manifold_move(a.start, b.start, r, &points.p[n++]);
  }
  points.n = n;
  append(i, j, out);
  for (int k = 0; k < n; k++) (*out)[first + k].end = end[k];
}

void PolyhedronBodies::overlap(int i, int j, double reach, std::vector<FoundContact> *out)
{
  const pd_vec3 r = pd_sub(now.x[j], now.x[i]), r1 = pd_sub(ahead.x[j], ahead.x[i]);
  const double far = now.at[i].shape->radius + now.at[j].shape->radius;
  const pd_cd_path &a = paths[i], &b = paths[j];
  if (pd_norm2(r1) > far * far) return;
  find_end_points(a, b, r, r1, reach);
  append_overlaps(i, j, a, b, r, out);
}

/* a surface as a body about the wall's origin, now and ahead; made anew only if it has moved */
void PolyhedronBodies::set_surface(const pd_wall &w)
{
  const double pose[14] = {w.x.x, w.x.y, w.x.z, w.q.w, w.q.x, w.q.y, w.q.z,
                           w.w.x, w.w.y, w.w.z, w.v.x, w.v.y, w.v.z, dt};
  if (surface.shape == w.shape && std::equal(pose, pose + 14, surface.pose)) return;
  surface.shape = w.shape;
  std::copy_n(pose, 14, surface.pose);
  const double time = w.moves ? dt : 0.0;
  surface.path.q = w.q;
  surface.path.displacement = pd_scale(time, w.v);
  surface.path.rotation = pd_scale(time, w.w);
  for (int k = 0; k < 2; k++) {
    pd_pose &p = k ? surface.ahead : surface.now;
    p = pd_pose();
    p.shape = w.shape;
    p.rot = pd_q_matrix(pd_cd_turned(w.q, pd_scale(k ? 1.0 : 0.0, surface.path.rotation)));
  }
  surface.path.start = &surface.now;
  surface.path.end = &surface.ahead;
}

double PolyhedronBodies::path_length(int i, const pd_wall &w) const
{
  const double time = w.moves ? dt : 0.0, far = pd_norm(pd_sub(w.x, now.x[i]));
  return pd_norm(pd_sub(paths[i].displacement, pd_scale(time, w.v))) +
         pd_norm(paths[i].rotation) * now.at[i].shape->radius +
         time * pd_norm(w.w) * (far + now.at[i].shape->radius);
}

/* from a body to a wall at the end of the path */
pd_vec3 PolyhedronBodies::to_wall_ahead(int i, const pd_wall &w) const
{
  return pd_sub(pd_axpy(w.x, w.moves ? dt : 0.0, w.v), ahead.x[i]);
}

/* Vertices that are within reach of a plane at the end of the path, as points of the present
 * places. Returns their gaps at the end. */
std::vector<double> PolyhedronBodies::find_plane_points(int i, const pd_wall &w, double reach)
{
  const double time = w.moves ? dt : 0.0;
  const pd_vec3 n = pd_mv(pd_q_matrix(w.q), w.normal);
  const pd_vec3 n1 = pd_mv(pd_q_matrix(pd_cd_turned(w.q, pd_scale(time, w.w))), w.normal);
  const double height = -pd_dot(n, pd_sub(w.x, now.x[i]));
  points.n = 0;
  require(pd_cd_manifold_plane(&ahead.at[i], -pd_dot(n1, to_wall_ahead(i, w)), n1, reach, &points));
  std::vector<double> end(points.n);
  for (int k = 0; k < points.n; k++) {
    end[k] = points.p[k].gap;
    pd_cd_manifold_plane_move(&now.at[i], height, n, &points.p[k]);
  }
  return end;
}

void PolyhedronBodies::touch_wall(int i, const pd_wall &w, double reach,
                                  std::vector<FoundContact> *out)
{
  if (w.kind == PD_SURFACE) {
    set_surface(w);
    find_points(paths[i], surface.path, pd_sub(w.x, now.x[i]), reach);
  } else {
    find_plane_points(i, w, reach);
  }
  append(i, -1, out);
}

void PolyhedronBodies::overlap_wall(int i, const pd_wall &w, double reach,
                                    std::vector<FoundContact> *out)
{
  if (w.kind == PD_SURFACE) {
    set_surface(w);
    const pd_cd_path &a = paths[i], &b = surface.path;
    const pd_vec3 r = pd_sub(w.x, now.x[i]);
    find_end_points(a, b, r, to_wall_ahead(i, w), reach);
    append_overlaps(i, -1, a, b, r, out);
    return;
  }
  const size_t first = out->size();
  const std::vector<double> end = find_plane_points(i, w, 0.0);
  append(i, -1, out);
  for (size_t k = 0; k < end.size(); k++) (*out)[first + k].end = end[k];
}

double PolyhedronBodies::unseen_depth(const pd_pose *a, const pd_pose *b, pd_vec3 r, double reach)
{
  const double far = a->shape->radius + b->shape->radius;
  const pd_pair_geometry at = placed(a, b, r);
  double depth = 0.0;
  if (b->shape->closed && pd_norm2(r) > far * far) return 0.0;
  require(pd_cd_unseen_depth(&at, reach, work, &points, &depth));
  return depth;
}

double PolyhedronBodies::unseen_depth(int i, int j, double reach)
{
  return unseen_depth(&now.at[i], &now.at[j], pd_sub(now.x[j], now.x[i]), reach);
}

/* all is seen that lies behind a plane */
double PolyhedronBodies::unseen_depth(int i, const pd_wall &w, double reach)
{
  if (w.kind != PD_SURFACE) return 0.0;
  set_surface(w);
  return unseen_depth(&now.at[i], &surface.now, pd_sub(w.x, now.x[i]), reach);
}
