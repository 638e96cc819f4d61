/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/placement.h"

#include "lammps/bridge/gathered_rows.h"
#include "atom_vec_ellipsoid.h"
#include "domain.h"
#include "lammps/host/cell_width.h"

#include "contact/search/overlap.h"
#include "geometry/distance.h"

#include <algorithm>
#include <cmath>

using namespace LAMMPS_NS;

Placement::Placement(LAMMPS *lmp, const char *name, const std::vector<ShapeOfType> &table,
                     const StartGaps &distances, const pd_box &centres)
    : Pointers(lmp), who(name), shapes(table), gaps(distances), window(centres), reach(0.0),
      inner(table.size(), 0.0), grid(smallest_radius(table)), walls(WallSet::all(lmp->modify)),
      work(nullptr)
{
  double largest = 0.0;
  for (size_t t = 1; t < shapes.size(); t++) {
    if (!shapes[t].shape) continue;
    largest = fmax(largest, shapes[t].shape->radius);
    inner[t] = inner_radius(shapes[t].shape);
  }
  reach = largest + gaps.largest();
  find_images(largest);
  for (WallSet *w : walls) wall.push_back(w->walls());
  find_hollow();
  if (pd_pair_work_create(&work)) error->one(FLERR, fmt::format("{}: out of memory", who));
}

Placement::~Placement() { pd_pair_work_free(work); }

double Placement::smallest_radius(const std::vector<ShapeOfType> &shapes)
{
  double least = HUGE_VAL;
  for (const ShapeOfType &s : shapes)
    if (s.shape) least = fmin(least, s.shape->radius);
  return least;
}

/* 0 where the centre does not see the whole surface from within */
double Placement::inner_radius(const pd_shape *shape)
{
  double least = HUGE_VAL, d2;
  const pd_vec3 centre = pd_v(0.0, 0.0, 0.0);
  for (int i = 0; i < shape->nt; i++) {
    const pd_vec3 *v = shape->v;
    const int *t = shape->t[i];
    if (shape->nv > 2 && !(pd_dot(shape->tn[i], v[t[0]]) > 0.0)) return 0.0;
    pd_point_triangle(centre, v[t[0]], v[t[1]], v[t[2]], &d2);
    least = fmin(least, sqrt(d2));
  }
  return least + shape->round;
}

/* how many edges further the images of a cell are that is tilted by this part of them */
static int edges_of_tilt(double part) { return (int)ceil(fmax(0.0, fabs(part) - 0.5)); }

/* The nearest images are enough where two bodies cannot bridge the box. */
void Placement::find_images(double largest)
{
  int n[3];
  for (int k = 0; k < 3; k++) {
    n[k] = domain->periodicity[k] ? 1 : 0;
    const double width = cell_width(domain, k);
    if (n[k] && 2.0 * largest + gaps.largest() > width)
      error->all(FLERR, fmt::format("{}: the periodic box is {:.4g} wide along {}, less than two "
                                    "bodies with a radius of {:.4g}: use a larger box",
                                    who, width, "xyz"[k], largest));
  }
  /* one along z is off by yz, those along y and z together by xy and xz */
  if (n[1]) n[1] += edges_of_tilt(n[2] * domain->yz / domain->yprd);
  if (n[0])
    n[0] += edges_of_tilt((fabs(n[1] * domain->xy) + fabs(n[2] * domain->xz)) / domain->xprd);
  images.assign(1, pd_v(0.0, 0.0, 0.0));
  for (int i = -n[0]; i <= n[0]; i++)
    for (int j = -n[1]; j <= n[1]; j++)
      for (int k = -n[2]; k <= n[2]; k++)
        if (i || j || k)
          images.push_back(pd_v(i * domain->xprd + j * domain->xy + k * domain->xz,
                                j * domain->yprd + k * domain->yz, k * domain->zprd));
}

bool Placement::touches_window(pd_vec3 x, double radius) const
{
  const pd_box at = {x, x};
  return pd_box_overlap(pd_box_inflate(at, radius + reach), window);
}

/* of those without a shape: what the host has as their size */
double Placement::radius_of_atom(int i) const
{
  if (const pd_shape *shape = shapes[atom->type[i]].shape) return shape->radius;
  if (atom->ellipsoid && atom->ellipsoid[i] >= 0) {
    auto *avec = dynamic_cast<AtomVecEllipsoid *>(atom->style_match("ellipsoid"));
    const double *axes = avec->bonus[atom->ellipsoid[i]].shape;
    return std::max(axes[0], std::max(axes[1], axes[2]));
  }
  return atom->radius_flag ? atom->radius[i] : 0.0;
}

void Placement::add_atoms()
{
  enum { TAG, TYPE, RADIUS, X, Q = X + 3, NROW = Q + 4 };
  auto *avec = dynamic_cast<AtomVecEllipsoid *>(atom->style_match("ellipsoid"));
  std::vector<std::array<double, NROW>> rows;
  for (int i = 0; i < atom->nlocal; i++) {
    const double radius = radius_of_atom(i), *x = atom->x[i];
    const auto touches = [&](pd_vec3 shift) {
      return touches_window(pd_add(pd_v_load(x), shift), radius);
    };
    if (!std::any_of(images.begin(), images.end(), touches)) continue;
    std::array<double, NROW> row = {atom->tag_enable ? (double)atom->tag[i] : 0.0,
                                    (double)atom->type[i],
                                    radius,
                                    x[0],
                                    x[1],
                                    x[2],
                                    1.0};
    if (atom->ellipsoid[i] >= 0) {
      const double *q = avec->bonus[atom->ellipsoid[i]].quat;
      std::copy(q, q + 4, &row[Q]);
    }
    rows.push_back(row);
  }
  for (const auto &row : gather_rows(lmp, rows)) {
    const int type = (int)row[TYPE];
    add_images({type, row[RADIUS], pd_v_load(&row[X]),
                pd_q_matrix(pd_q(row[Q], row[Q + 1], row[Q + 2], row[Q + 3])),
                shapes[type].shape != nullptr});
  }
}

void Placement::add_images(const Obstacle &o)
{
  for (const pd_vec3 &shift : images) {
    Obstacle there = o;
    there.x = pd_add(o.x, shift);
    if (!touches_window(there.x, o.radius)) continue;
    obstacle.push_back(there);
    grid.add(there.x, o.radius);
  }
}

static pd_pose pose_of(const pd_shape *shape, const pd_mat3 &rot)
{
  pd_pose p = pd_pose();
  p.shape = shape;
  p.rot = rot;
  return p;
}

void Placement::add(const NewBody &b)
{
  add_images({b.type, shapes[b.type].shape->radius, b.x, pd_q_matrix(b.q), true});
}

/* r: from the centre of a to that of b */
bool Placement::clear(const pd_pose &a, const pd_pose &b, pd_vec3 r, double gap)
{
  pd_pair_geometry pair = pd_pair_geometry();
  pair.a = &a;
  pair.b = &b;
  pair.r0 = r;
  int is_clear;
  const pd_status status = pd_pair_clear(&pair, work, gap, &is_clear);
  if (status) throw LocalError(fmt::format("{}: {}", who, pd_strerror(status)));
  return is_clear;
}

/* by balls within the bodies */
bool Placement::hits_core(const NewBody &body, const Obstacle &o) const
{
  const double own = o.shaped ? inner[body.type] : shapes[body.type].shape->radius;
  const double near = own + (o.shaped ? inner[o.type] : o.radius) + gaps.between(body.type, o.type);
  return pd_norm2(pd_sub(o.x, body.x)) < near * near;
}

bool Placement::hits(const NewBody &body, const pd_pose &pose, const Obstacle &o)
{
  const double gap = gaps.between(body.type, o.type), own = pose.shape->radius;
  const pd_vec3 r = pd_sub(o.x, body.x);
  if (!o.shaped || pd_norm(r) >= own + o.radius + gap) return false;
  return !clear(pose, pose_of(shapes[o.type].shape, o.rot), r, gap);
}

/* its own images */
bool Placement::hits_itself(const NewBody &body, const pd_pose &pose)
{
  for (size_t i = 1; i < images.size(); i++) {
    const Obstacle self = {body.type, pose.shape->radius, pd_add(body.x, images[i]), pose.rot,
                           true};
    if (hits(body, pose, self)) return true;
  }
  return false;
}

bool Placement::hits_wall(const NewBody &body, const pd_pose &pose, const pd_wall &w, double gap)
{
  const pd_vec3 r = pd_sub(w.x, body.x);
  if (w.kind == PD_SURFACE) return !clear(pose, pose_of(w.shape, pd_q_matrix(w.q)), r, gap);
  const pd_vec3 n = pd_mv(pd_q_matrix(w.q), w.normal);
  const double height = -pd_dot(n, r) - gap;
  if (height >= pose.shape->radius) return false;
  for (int i = 0; i < pose.shape->nv; i++)
    if (height + pd_dot(n, pd_pose_lever(&pose, i)) < pose.shape->round) return true;
  return false;
}

bool Placement::hits_any_wall(const NewBody &body, const pd_pose &pose, int groups)
{
  for (size_t i = 0; i < walls.size(); i++)
    for (const pd_wall &w : wall[i])
      if ((walls[i]->bodies & groups) &&
          hits_wall(body, pose, w, gaps.from_walls((int)i, body.type)))
        return true;
  return false;
}

void Placement::find_hollow()
{
  size_t most = 0;
  for (size_t i = 0; i < walls.size(); i++)
    for (const pd_wall &w : wall[i]) {
      if (w.kind != PD_SURFACE || !pd_surface_is_closed(w.shape)) continue;
      hollow.emplace_back(walls[i], &w);
      most = std::max(most, (size_t)w.shape->nt);
    }
  near.resize(most);
}

std::vector<std::string> Placement::around(const NewBody &body)
{
  std::vector<std::string> found;
  for (const auto &h : hollow) {
    const pd_wall *w = h.second;
    const pd_vec3 at = pd_mtv(pd_q_matrix(w->q), pd_sub(body.x, w->x));
    if (pd_surface_encloses(w->shape, at, near.data())) found.push_back(h.first->name);
  }
  return found;
}

bool Placement::is_free(const NewBody &body, int groups)
{
  const double radius = shapes[body.type].shape->radius, gap = gaps.largest();
  const pd_pose pose = pose_of(shapes[body.type].shape, pd_q_matrix(body.q));
  const auto core = [&](int s) { return hits_core(body, obstacle[s]); };
  const auto whole = [&](int s) { return hits(body, pose, obstacle[s]); };
  return !grid.any_near(body.x, radius, gap, core) && !grid.any_near(body.x, radius, gap, whole) &&
         !hits_itself(body, pose) && !hits_any_wall(body, pose, groups);
}
