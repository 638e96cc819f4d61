/* SPDX-License-Identifier: GPL-2.0-or-later
 * Fix contact/dynamics: what bodies that go far in a time step meet on their paths. */
#include "lammps/styles/fix_contact_dynamics.h"

#include "lammps/bridge/cd_range.h"
#include "lammps/bridge/wall_set.h"
#include "update.h"

#include <algorithm>

using namespace LAMMPS_NS;

static const char *const WHO = "Fix contact/dynamics";

/* times that a step is solved again, and the overlap at its end, of the gap, that does not count */
enum { ROUNDS = 20 };
static const double NEGLIGIBLE = 1e-3;

/* a contact of two images, or of a body and a wall, by its features */
static ContactKey key(const FoundContact &p)
{
  return ContactKey(p.c.a, p.c.b, p.name.partner, p.name.sa, p.name.sb);
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

/* contacts that bodies meet on the paths that the solution gives them, and at the ends of these */
std::vector<FoundContact> FixContactDynamics::find_on_paths()
{
  check_range(lmp, *bodies, v1.data(), update->dt, reach, room, WHO);
  bodies->place(network_->net.body, v1.data(), update->dt);
  std::vector<FoundContact> met;
  network_->find_pairs(bodies.get(), list, reach, v0.data(), true, &met);
  network_->find_walls(bodies.get(), walls, reach, true, &met);
  for (FoundContact &p : met) prepare(&p);
  return met;
}

/* Takes a contact that bodies meet into the problem, if it has to hold there what the solution does
 * not: one that closes and was not known, or one whose gap at the end the rates do not tell. known:
 * places in found. Returns whether it does. */
bool FixContactDynamics::take_in(const FoundContact &p, std::map<ContactKey, size_t> *known)
{
  const double tol = NEGLIGIBLE * reach;
  const auto at = known->find(key(p));
  const bool fresh = at == known->end();
  FoundContact taken = fresh ? p : found[at->second];
  const double start = taken.name.gap, step = update->dt * network_->rate(taken.c, v1.data());
  /* the other side of the feature is where a body that comes from there may be */
  const bool behind = fresh && start < -tol;
  const bool overlaps = p.end < std::min(0.0, start) - tol;
  const bool closes = p.end == 0.0 && taken.c.gap + step < -tol;
  if (behind || !(overlaps || (fresh && closes))) return false;
  if (overlaps) taken.c.gap = std::min(taken.c.gap, p.end - step);
  if (fresh) {
    (*known)[key(p)] = found.size();
    found.push_back(taken);
  } else {
    found[at->second] = taken;
  }
  return true;
}

/* Looks at bodies that go further than contacts reach, on the paths that the solution gives them:
 * for contacts that are met only now, because others have turned the bodies aside, and for what the
 * turning of the bodies, which the gaps' rates do not know, makes of the gaps at the end. Returns
 * whether the step is to be solved again with what is found. */
bool FixContactDynamics::look_again(int round)
{
  const std::vector<FoundContact> met = find_on_paths();
  std::map<ContactKey, size_t> known;
  for (size_t i = 0; i < found.size(); i++) known[key(found[i])] = i;
  double changed = 0.0;
  for (const FoundContact &p : met)
    if (!(p.c.en > 0.0) && take_in(p, &known)) changed = 1.0;
  if (network_->max(changed) > 0.0 && round < ROUNDS) return true;
  all_together(lmp, FLERR, [&] {
    check_unformed(found);
    check_unformed(met);
    check_depths(met);
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
double FixContactDynamics::path_length_of(const FoundContact &p)
{
  return p.c.b >= 0 ? bodies->path_length(p.c.a, p.c.b) : bodies->path_length(p.c.a, wall_of(p));
}

/* An overlap within the gap is seen in the next step; of a pair the shallowest contact tells it. */
void FixContactDynamics::check_depths(const std::vector<FoundContact> &met)
{
  std::map<std::tuple<int, int, int64_t>, const FoundContact *> shallowest;
  for (const FoundContact &p : met) {
    if (p.c.en > 0.0 || !(p.end < 0.0)) continue;
    const FoundContact *&s = shallowest[std::make_tuple(p.c.a, p.c.b, p.name.partner)];
    if (!s || p.end > s->end) s = &p;
  }
  for (const auto &pair : shallowest) check_depth(*pair.second);
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
                  WHO, n.a, other, depth, update->ntimestep + 1, path_length_of(worst), reach));
}
