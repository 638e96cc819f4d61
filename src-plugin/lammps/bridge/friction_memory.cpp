/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/friction_memory.h"

#include "lammps/bridge/gathered_rows.h"
#include "lammps/bridge/wall_set.h"
#include "lammps/host/cell_width.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <utility>

using namespace LAMMPS_NS;

static const char *const WHO = "Fix polyhedron/memory";

/* sample[1] of a vertex of A that has become one of B, since the bodies' tags have changed their
 * order */
enum { TURNED = -4 };
static pd_vec3 vertex_at(const pd_state &s, const pd_shape *shape, int v)
{
  return pd_add(s.x, pd_mv(pd_q_matrix(s.q), shape->v[v]));
}

/* Whether of a vertex of B, `to` away from one of A, less is left at B than A has: terms of two
 * vertices are A's. Along the normal n it is as far as from what of A it touches. */
static bool belongs_to_a(const pd_law *law, double rounds, pd_vec3 to, pd_vec3 n)
{
  const double together = pd_law_eval(law, pd_norm(to) - rounds).fn;
  return together > 0.5 * pd_law_eval(law, std::fabs(pd_dot(n, to)) - rounds).fn;
}

/* The vertex of A that has the contact that the vertex v of B had, normal n; -1 if that is still
 * B's. */
static int vertex_touched(const pd_system *sys, const pd_state state[2], int v, pd_vec3 n)
{
  const pd_contact_pair &pair = sys->pair[sys->npair - 1];
  const pd_shape *a = sys->body[pair.a].shape, *b = sys->body[pair.b].shape;
  const pd_vec3 at = vertex_at(state[1], b, v);
  const double rounds = a->round + b->round;
  double nearest = pair.law->gbar + rounds;
  int found = -1;
  for (int k = 0; k < a->nv; k++) {
    const pd_vec3 to = pd_sub(vertex_at(state[0], a, k), at);
    const double d = pd_norm(to);
    if (!(d < nearest) || !belongs_to_a(pair.law, rounds, to, n)) continue;
    nearest = d;
    found = k;
  }
  return found;
}

/* half the least distance of a body from its images */
static double half_cell(const Domain *cell)
{
  double least = std::numeric_limits<double>::max();
  for (int k = 0; k < 3; k++)
    if (cell->periodicity[k]) least = std::min(least, 0.5 * cell_width(cell, k));
  return least;
}

/* Whether the pair that sys has got last has such a sample: not where its bodies have got other
 * shapes. */
static bool has_sample(const pd_system *sys, const int sample[2])
{
  const pd_contact_pair &pair = sys->pair[sys->npair - 1];
  const pd_shape *a = sys->body[pair.a].shape;
  const pd_shape *b = pair.wall ? sys->wall[pair.b].shape : sys->body[pair.b].shape;
  const int at = sample[0];
  if (sample[1] == -1) return at < a->nv;
  if (sample[1] == -2) return b && at < b->nv;
  return b && at < a->ne && sample[1] < b->ne;
}

/* A contact of two vertices is one of A's alone. Of a body that was A it was known by the vertex
 * of that; now it is known by the other body's. */
void FrictionMemory::recall(pd_system *sys, int i, int64_t partner, const pd_state state[2]) const
{
  const pd_vec3 apart = pd_sub(state[1].x, state[0].x);
  const double near = half_cell(domain);
  for (const Record &r : records[i]) {
    if (r.partner != partner) continue;
    if (pd_norm(pd_sub(r.apart, apart)) > near) continue;
    pd_friction_record contact = r.contact;
    if (contact.sample[1] == TURNED) {
      const int vertex = vertex_touched(sys, state, contact.sample[0], contact.history.n);
      contact.sample[1] = vertex < 0 ? -2 : -1;
      if (vertex >= 0) contact.sample[0] = vertex;
    }
    append(sys, contact);
  }
}

void FrictionMemory::append(pd_system *sys, const pd_friction_record &contact) const
{
  if (!has_sample(sys, contact.sample)) return;
  const pd_status status = pd_system_add_friction_record(sys, contact);
  if (status) throw LocalError(fmt::format("{}: {}", WHO, pd_strerror(status)));
}

/* the sample's vertex or edge of the wall becomes its copy by so many edges of the cell */
static pd_friction_record carried_over(pd_friction_record r, const pd_wall &wall,
                                       const SurfacePeriods &periods, std::array<int, 3> by)
{
  if (r.sample[1] == -2)
    r.sample[0] = copy_of_vertex(wall.shape, periods, r.sample[0], by);
  else if (r.sample[1] >= 0)
    r.sample[1] = copy_of_edge(wall.shape, periods, r.sample[1], by);
  return r;
}

void FrictionMemory::recall(pd_system *sys, int i, const pd_wall &wall,
                            const SurfacePeriods &periods) const
{
  const pd_vec3 apart = pd_sub(wall.x, pd_v_load(atom->x[i]));
  for (const Record &r : records[i]) {
    if (r.partner != -(int64_t)wall.key) continue;
    const std::array<int, 3> by = edges_gone(domain, pd_sub(r.apart, apart));
    const bool here = !periods.any() || (by[0] == 0 && by[1] == 0 && by[2] == 0);
    append(sys, here ? r.contact : carried_over(r.contact, wall, periods, by));
  }
}

void FrictionMemory::end_run()
{
  for (int i = 0; i < atom->nlocal && !kept; i++) records.clear(i);
}

/* by what its fix was given: where it has gone since is its motion's */
bool FrictionMemory::stands_elsewhere(const WallSet *set)
{
  Fingerprints all, walls;
  dynamic_cast<const FingerprintSource *>(set)->add_fingerprints(&all);
  std::copy_if(all.begin(), all.end(), std::back_inserter(walls),
               [](const Fingerprint &f) { return utils::strmatch(f.what, "^wall "); });
  const bool other =
      places.count(set->name) && !first_difference(places[set->name], walls, {}).empty();
  places[set->name] = walls;
  return other;
}

void FrictionMemory::forget_other_walls(const std::vector<WallSet *> &walls)
{
  std::set<int64_t> there;
  for (WallSet *set : walls)
    if (!stands_elsewhere(set))
      for (const pd_wall &w : set->walls()) there.insert(-(int64_t)w.key);
  const auto gone = [&](const Record &r) { return r.partner < 0 && !there.count(r.partner); };
  for (int i = 0; i < atom->nlocal; i++) {
    std::vector<Record> &list = records[i];
    list.erase(std::remove_if(list.begin(), list.end(), gone), list.end());
  }
}

/* what was known of the bodies, if there are pairs, and of the walls */
void FrictionMemory::forget_partners(const pd_system *sys, bool pairs)
{
  const auto known = [&](const Record &r) {
    if (r.partner > 0) return pairs;
    for (int w = 0; w < sys->nwall; w++)
      if (r.partner == -(int64_t)sys->wall[w].key) return true;
    return false;
  };
  for (int i = 0; i < bodies; i++) {
    std::vector<Record> &list = records[i];
    list.erase(std::remove_if(list.begin(), list.end(), known), list.end());
    list.shrink_to_fit();
  }
}

void FrictionMemory::forget_shown()
{
  for (const Holder &h : holders)
    if (const std::shared_ptr<const pd_system> sys = h.sys.lock())
      forget_partners(sys.get(), h.pairs);
}

void FrictionMemory::count_held_by(const pd_system *sys)
{
  for (int k = 0; k < sys->npair; k++) {
    const pd_contact_pair &pair = sys->pair[k];
    if (pair.a < bodies) held[pair.a] += pair.nold;
    if (!pair.wall && pair.b < bodies) held[pair.b] += pair.nold;
  }
}

/* and room for them, once they have to go */
void FrictionMemory::count_held()
{
  held.assign(bodies, 0);
  for (const Holder &h : holders)
    if (const std::shared_ptr<const pd_system> sys = h.sys.lock()) count_held_by(sys.get());
  for (int i = 0; i < bodies; i++)
    *room = std::max(*room, records.size(i) + (int)Record::NPACK * held[i]);
}

void FrictionMemory::leave_to(const std::shared_ptr<const pd_system> &sys, bool pairs)
{
  const bool already = std::any_of(holders.begin(), holders.end(),
                                   [&](const Holder &h) { return h.sys.lock() == sys; });
  kept = true;
  bodies = atom->nlocal;
  if (!already) holders.push_back({sys, pairs});
  forget_shown();
  count_held();
}

void FrictionMemory::copy_from(const pd_system *sys)
{
  for (int n = 0; n < sys->npair; n++) {
    const pd_contact_pair &l = sys->pair[n];
    const int64_t of_a = l.wall ? -(int64_t)sys->wall[l.b].key : (int64_t)sys->body[l.b].tag;
    const auto a = (int64_t)sys->body[l.a].tag;
    const pd_vec3 b = l.wall ? sys->wall[l.b].x : sys->body[l.b].start.x;
    const pd_vec3 apart = pd_sub(b, sys->body[l.a].start.x);
    for (int k = 0; k < l.nold; k++) {
      const pd_friction_record &r = sys->friction.at_start.r[l.old + k];
      if (l.a < bodies) records[l.a].push_back({a, of_a, r, apart});
      if (!l.wall && l.b < bodies) records[l.b].push_back({of_a, a, r, apart});
    }
  }
}

void FrictionMemory::show()
{
  if (holders.empty()) return;
  forget_shown();
  count_held();
  for (int i = 0; i < bodies; i++) records[i].reserve(records[i].size() + held[i]);
  for (const Holder &h : holders)
    if (const std::shared_ptr<const pd_system> sys = h.sys.lock()) copy_from(sys.get());
}

void FrictionMemory::take()
{
  show();
  holders.clear();
}

/* ---- tags that change ---- */

bool FrictionMemory::tags_are_as_they_were() const
{
  int changed = created || count != atom->natoms, any;
  for (int i = 0; i < atom->nlocal; i++)
    for (const Record &r : records[i]) changed |= r.self != (int64_t)atom->tag[i];
  MPI_Allreduce(&changed, &any, 1, MPI_INT, MPI_MAX, world);
  return !any;
}

/* the same contact with its bodies in the other order */
static pd_friction_record mirrored(pd_friction_record r)
{
  if (r.sample[1] >= 0)
    std::swap(r.sample[0], r.sample[1]);
  else
    r.sample[1] = r.sample[1] == -1 ? TURNED : -1;
  for (pd_vec3 *v : {&r.history.gt, &r.history.n, &r.history.rate}) *v = pd_neg(*v);
  return r;
}

/* Who remembers whom, and the tags that those who remember have now. */
struct FrictionMemory::NewTags {
  std::map<int64_t, int64_t> of;
  std::set<std::pair<int64_t, int64_t>> pairs;

  bool parted(const Record &r) const { return r.partner > 0 && !pairs.count({r.partner, r.self}); }

  Record renamed(Record r) const
  {
    const bool first = r.self < r.partner;
    r.self = of.at(r.self);
    if (r.partner < 0) return r;
    r.partner = of.at(r.partner);
    if (first == (r.self < r.partner)) return r;
    r.contact = mirrored(r.contact);
    r.apart = pd_neg(r.apart);
    return r;
  }
};

FrictionMemory::NewTags FrictionMemory::new_tags() const
{
  std::vector<double> mine;
  for (int i = 0; i < atom->nlocal; i++)
    for (const Record &r : records[i])
      for (int64_t tag : {r.self, r.partner, (int64_t)atom->tag[i]}) mine.push_back((double)tag);
  const std::vector<double> all = rows_of_all(lmp, mine);
  NewTags tags;
  for (size_t k = 0; k < all.size(); k += 3) {
    tags.of[(int64_t)all[k]] = (int64_t)all[k + 2];
    tags.pairs.insert({(int64_t)all[k], (int64_t)all[k + 1]});
  }
  return tags;
}

void FrictionMemory::follow_tags()
{
  if (tags_are_as_they_were()) return;
  const NewTags tags = new_tags();
  for (int i = 0; i < atom->nlocal; i++) {
    std::vector<Record> &list = records[i];
    const auto parted = [&](const Record &r) { return tags.parted(r); };
    list.erase(std::remove_if(list.begin(), list.end(), parted), list.end());
    for (Record &r : list) r = tags.renamed(r);
  }
  created = false;
  count = atom->natoms;
}

void FrictionMemory::Record::pack(double *buf) const
{
  const pd_friction_history &s = contact.history;
  buf[0] = ubuf(partner).d;
  buf[1] = contact.sample[0];
  buf[2] = contact.sample[1];
  pd_v_store(buf + 3, s.gt);
  buf[6] = s.slid;
  buf[7] = s.slipping;
  pd_v_store(buf + 8, s.n);
  buf[11] = s.force;
  pd_v_store(buf + 12, s.rate);
  buf[15] = ubuf(self).d;
  pd_v_store(buf + 16, apart);
}

FrictionMemory::Record FrictionMemory::Record::unpack(double *buf)
{
  Record r = Record();
  r.partner = (int64_t)ubuf(buf[0]).i;
  r.contact.sample[0] = (int)buf[1];
  r.contact.sample[1] = (int)buf[2];
  r.contact.history.gt = pd_v_load(buf + 3);
  r.contact.history.slid = buf[6];
  r.contact.history.slipping = (int)buf[7];
  r.contact.history.n = pd_v_load(buf + 8);
  r.contact.history.force = buf[11];
  r.contact.history.rate = pd_v_load(buf + 12);
  r.self = (int64_t)ubuf(buf[15]).i;
  r.apart = pd_v_load(buf + 16);
  return r;
}
