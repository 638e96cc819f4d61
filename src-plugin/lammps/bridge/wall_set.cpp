/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/wall_set.h"

#include "lammps/host/agree.h"

#include <algorithm>
#include <cmath>

using namespace LAMMPS_NS;

WallSet::WallSet(LAMMPS *lmp, const char *id, int group)
    : name(id), bodies(group), like_type(0), own_law(false), coef(), moving(lmp), freedom_(lmp),
      load(), total(), summed(false), solved(), any_solved(false)
{
}

WallSet::~WallSet()
{
  for (pd_shape *s : owned) {
    pd_shape_free(s);
    delete s;
  }
}

std::vector<WallSet *> WallSet::all(Modify *modify)
{
  return Compat::fixes_seen_as<WallSet>(modify, "wall/polyhedron");
}

/* The key has to stay the same when other walls come or go, and over restarts: it is made of the
 * fix's ID. */
void WallSet::add_wall(pd_wall_kind kind, pd_vec3 at)
{
  uint64_t hash = 14695981039346656037ull;
  for (char c : name) hash = (hash ^ (unsigned char)c) * 1099511628211ull;
  pd_wall w = pd_wall();
  w.kind = kind;
  w.key = (long)((hash >> 24) << 16) + (long)wall.size() + 1;
  wall.push_back(w);
  origin.push_back(at);
  made.push_back({at, at, {}, {}});
}

void WallSet::add_surface(pd_shape *shape, pd_vec3 at, const SurfacePeriods &periods)
{
  owned.push_back(shape);
  add_wall(PD_SURFACE, at);
  wall.back().shape = shape;
  made.back().middle = pd_axpy(at, 0.5, pd_add(shape->box.lo, shape->box.hi));
  made.back().vertex.assign(shape->v, shape->v + shape->nv);
  made.back().periods = periods;
}

pd_mesh WallSet::drawn(const pd_wall &w) const
{
  const pd_shape *s = w.shape;
  const int own = periods(w).own;
  if (!own) return {s->nv, s->nt, s->v, s->t};
  int last = 0; /* vertex of these triangles: they come first, too */
  for (int i = 0; i < own; i++) last = std::max(last, *std::max_element(s->t[i], s->t[i] + 3));
  return {last + 1, own, s->v, s->t};
}

static bool same(pd_vec3 a, pd_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/* A frame goes along a chord in a substep. What turns has its own on the axis, which stays. */
pd_status WallSet::place_frames()
{
  pd_status status = PD_OK;
  for (size_t i = 0; i < wall.size() && !status; i++) {
    if (wall[i].kind != PD_SURFACE) continue;
    const Made &first = made[i];
    const pd_vec3 at = moving.turns() ? moving.on_axis(first.middle) : first.origin;
    if (same(at, origin[i])) continue;
    status = pd_shape_set_origin(wall[i].shape, first.vertex.data(), pd_sub(at, first.origin));
    origin[i] = at;
  }
  return status;
}

/* of the point x that goes with a wall */
static pd_vec3 velocity_of(const WallPose &p, pd_vec3 x)
{
  return pd_add(p.v, pd_cross(p.w, pd_sub(x, p.pivot)));
}

const std::vector<pd_wall> &WallSet::walls(double s, double before)
{
  const WallPose p = freedom_.any() ? freedom_.pose() : moving.pose(s);
  const WallPose then = freedom_.any() ? p : moving.pose_before(s, before);
  const pd_mat3 turn = pd_q_matrix(p.turn);
  for (size_t i = 0; i < wall.size(); i++) {
    pd_wall &w = wall[i];
    w.moves = moving.moves() || freedom_.any();
    w.x = w.moves ? pd_add(pd_mv(turn, origin[i]), p.shift) : origin[i];
    if (freedom_.any()) w.x = freedom_.now().x; /* to the last bit */
    w.q = p.turn;
    w.v = velocity_of(p, w.x);
    w.w = p.w;
    w.v0 = velocity_of(then, w.x);
    w.w0 = then.w;
  }
  return wall;
}

std::vector<pd_wall> WallSet::walls_of_step(double dt)
{
  std::vector<pd_wall> all = walls();
  for (pd_wall &w : all)
    if (w.moves) w.v = moving.mean_velocity(w.x, dt);
  return all;
}

const pd_law *WallSet::law(const ContactLaws *laws, int itype) const
{
  return own_law ? &coef : laws->law(itype, like_type ? like_type : itype);
}

const pd_law *WallSet::law_of(const ContactLaws *laws, tagint tag, int itype) const
{
  const pd_law *found = law(laws, itype);
  if (std::isnan(found->gbar))
    throw LocalError(fmt::format("Pair style polyhedron: body {} is of type {}, which has no law "
                                 "with itself for fix {} of style wall/polyhedron: give the fix a "
                                 "law of its own, or keyword type",
                                 tag, itype, name));
  return found;
}

double WallSet::contact_distance(const ContactLaws *laws, int itype) const
{
  if (own_law) return coef.gbar;
  return laws ? laws->contact_distance(itype, like_type ? like_type : itype) : NAN;
}

void WallSet::set_load(const WallLoad &mine)
{
  const double before = load[WORK];
  load = mine;
  load[WORK] += before;
  summed = false;
}

void WallSet::add_work(double work)
{
  load[WORK] += work;
  summed = false;
}

void WallSet::set_force(const WallLoad &mine)
{
  std::copy(mine.begin(), mine.begin() + WORK, load.begin());
  summed = false;
}

void WallSet::begin_mean() { std::fill(load.begin() + MEAN, load.end(), 0.0); }

/* the first substep starts with accelerations from the forces of the state */
void WallSet::add_to_mean(const double *force, double weight, double part, double work)
{
  if (!any_solved) std::copy(load.begin(), load.begin() + 6, solved.begin());
  for (int k = 0; k < 6; k++)
    load[MEAN + k] += part * (weight * force[k] + (1.0 - weight) * solved[k]);
  std::copy(force, force + 6, solved.begin());
  any_solved = true;
  load[WORK] += work;
  summed = false;
}
