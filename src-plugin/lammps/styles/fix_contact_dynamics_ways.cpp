/* SPDX-License-Identifier: GPL-2.0-or-later
 * Fix contact/dynamics: what bodies that go far in a time step meet on their ways. */
#include "lammps/styles/fix_contact_dynamics.h"

#include "lammps/bridge/cd_range.h"
#include "lammps/bridge/wall_set.h"
#include "update.h"

#include <algorithm>
#include <map>
#include <tuple>

using namespace LAMMPS_NS;

static const char *const WHO = "Fix contact/dynamics";

/* times that a step is solved again, and the overlap at its end, of the gap, that does not count */
enum { ROUNDS = 20 };
static const double NEGLIGIBLE = 1e-3;

/* a contact of two images, or of a body and a wall, by its features */
static std::tuple<int, int, int64_t, int, int> key(const FoundContact &p)
{
  return std::make_tuple(p.c.a, p.c.b, p.name.partner, p.name.sa, p.name.sb);
}

/* Contacts with restitution act once they have formed. What they let bodies enter each other by in
 * the step in which they form must not be more than is seen in the next. */
void FixContactDynamics::check_unformed(const std::vector<FoundContact> &all)
{
  for (const FoundContact &p : all) {
    if (!(p.c.en > 0.0)) continue;
    const double end = p.c.gap + update->dt * network_->rate(p.c, v1.data());
    if (p.c.gap > 0.0 && end < -reach) refuse(p, -end);
  }
}

/* Looks at bodies that go further than contacts reach, on the ways that the solution gives them:
 * for contacts that are met only now, because others have turned the bodies aside, and for what the
 * turning of the bodies, which the gaps' rates do not know, makes of the gaps at the end. Returns
 * whether the step is to be solved again with what is found. */
bool FixContactDynamics::look_again(int round)
{
  check_range(lmp, *bodies, v1.data(), update->dt, reach, room, WHO);
  bodies->place(network_->net.body, v1.data(), update->dt);
  std::vector<FoundContact> more;
  network_->find_pairs(bodies.get(), list, reach, v0.data(), true, &more);
  network_->find_walls(bodies.get(), walls, reach, true, &more);
  for (FoundContact &p : more) prepare(&p);
  std::map<std::tuple<int, int, int64_t, int, int>, size_t> known;
  for (size_t i = 0; i < found.size(); i++) known[key(found[i])] = i;
  const double tol = NEGLIGIBLE * reach;
  double changed = 0.0;
  std::map<std::tuple<int, int, int64_t>, const FoundContact *> shallowest; /* of a pair */
  for (FoundContact &p : more) {
    if (p.c.en > 0.0) continue;
    if (p.end < 0.0) {
      const FoundContact *&s = shallowest[std::make_tuple(p.c.a, p.c.b, p.name.partner)];
      if (!s || p.end > s->end) s = &p;
    }
    const auto at = known.find(key(p));
    const bool fresh = at == known.end();
    pd_cd_contact *c = fresh ? &p.c : &found[at->second].c;
    const double start = fresh ? p.name.gap : found[at->second].name.gap;
    const double step = update->dt * network_->rate(*c, v1.data());
    /* the other side of the feature is where a body that comes from there may be */
    const bool behind = fresh && start < -tol;
    const bool overlaps = p.end < std::min(0.0, start) - tol;
    const bool closes = p.end == 0.0 && c->gap + step < -tol;
    if (behind || !(overlaps || (fresh && closes))) continue;
    if (overlaps) c->gap = std::min(c->gap, p.end - step);
    changed = 1.0;
    if (!fresh) continue;
    known[key(p)] = found.size();
    found.push_back(p);
  }
  if (network_->max(changed) > 0.0 && round < ROUNDS) return true;
  /* an overlap within the gap is seen in the next step */
  all_together(lmp, FLERR, [&] {
    check_unformed(found);
    check_unformed(more);
    for (const auto &pair : shallowest) check_depth(*pair.second);
  });
  return false;
}

/* of a contact with a wall */
pd_wall FixContactDynamics::wall_of(const FoundContact &p)
{
  for (const pd_wall &w : walls[p.name.wall]->walls_of_step(update->dt))
    if (-(int64_t)w.key == p.name.partner) return w;
  return pd_wall();
}

/* how far the two of a contact can come nearer in the step */
double FixContactDynamics::way_of(const FoundContact &p)
{
  return p.c.b >= 0 ? bodies->way(p.c.a, p.c.b) : bodies->way(p.c.a, wall_of(p));
}

/* A plane presses out what is behind it, however deep that is at the start. */
void FixContactDynamics::check_depth(const FoundContact &p)
{
  if (p.end >= -reach) return;
  const bool plane = p.c.b < 0 && wall_of(p).kind == PD_PLANE;
  const double before = plane ? std::min(0.0, p.name.gap) : 0.0;
  if (p.end < before - reach) refuse(p, -p.end);
}

void FixContactDynamics::refuse(const FoundContact &worst, double depth)
{
  const ContactName &n = worst.name;
  const std::string other = n.wall < 0 ? fmt::format("{}", n.b)
                                       : fmt::format("fix wall/polyhedron {}", walls[n.wall]->name);
  throw LocalError(
      fmt::format("{}: body {} goes into {} by {:.4g} in step {}, in which it goes or turns by "
                  "{:.4g}: contacts that reach {:.4g} cannot part them: shorten the time step, or "
                  "raise gap",
                  WHO, n.a, other, depth, update->ntimestep + 1, way_of(worst), reach));
}
