/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/between_runs.h"

#include "atom.h"
#include "atom_vec_ellipsoid.h"
#include "lammps/host/agree.h"
#include "lammps/host/lmp_compat.h"

#include <algorithm>
#include <map>

using namespace LAMMPS_NS;

BetweenRuns::Body BetweenRuns::body(int i) const
{
  auto *avec = dynamic_cast<AtomVecEllipsoid *>(atom->style_match("ellipsoid"));
  Body b = {atom->tag[i], atom->type[i], atom->rmass ? atom->rmass[i] : 0.0, {}, {}, {}, {}};
  std::copy_n(atom->x[i], 3, b.x);
  std::copy_n(atom->v[i], 3, b.v);
  if (atom->angmom) std::copy_n(atom->angmom[i], 3, b.l);
  if (avec && atom->ellipsoid[i] >= 0) std::copy_n(avec->bonus[atom->ellipsoid[i]].quat, 4, b.q);
  return b;
}

std::vector<BetweenRuns::Body> BetweenRuns::all(const OtherFixes &others) const
{
  std::vector<Body> found;
  for (int i = 0; i < atom->nlocal; i++)
    if (!others.drives(i)) found.push_back(body(i));
  return found;
}

std::vector<std::string> BetweenRuns::scene_fixes() const
{
  std::vector<std::string> found;
  for (const char *style : {"wall/polyhedron", "load/polyhedron", "lock/polyhedron"})
    for (const Fix *f : Compat::fixes_of_style(modify, style))
      found.push_back(fmt::format("{} of style {}", f->id, style));
  return found;
}

void BetweenRuns::note(const OtherFixes &others)
{
  bodies = all(others);
  fixes = scene_fixes();
  noted = true;
}

std::vector<int> BetweenRuns::with_other_velocities() const
{
  std::vector<int> found;
  if (!noted) return found;
  std::map<tagint, const Body *> before;
  for (const Body &b : bodies) before[b.tag] = &b;
  for (int i = 0; i < atom->nlocal; i++) {
    const auto at = before.find(atom->tag[i]);
    if (at == before.end()) continue;
    const Body now = body(i), &then = *at->second;
    if (!std::equal(now.v, now.v + 3, then.v) || !std::equal(now.l, now.l + 3, then.l))
      found.push_back(i);
  }
  return found;
}

/* the first of a list that the other one lacks; empty if there is none */
static std::string first_missing(const std::vector<std::string> &list,
                                 const std::vector<std::string> &other)
{
  for (const std::string &s : list)
    if (!std::count(other.begin(), other.end(), s)) return s;
  return "";
}

void BetweenRuns::check(const OtherFixes &others, const std::string &who)
{
  if (!noted) return;
  noted = false;
  const std::vector<std::string> there = scene_fixes();
  const std::string come = first_missing(there, fixes), gone = first_missing(fixes, there);
  if (!come.empty() || !gone.empty())
    lmp->error->all(FLERR, fmt::format("{}: fix {} has been {} since the last set-up, which run "
                                       "with pre no does not make anew: leave out pre no",
                                       who, come.empty() ? gone : come,
                                       come.empty() ? "taken away" : "given"));
  all_together(lmp, FLERR, [&] {
    const std::vector<Body> now = all(others);
    if (now.size() != bodies.size())
      throw LocalError(fmt::format("{}: bodies have been created or deleted since the last run, "
                                   "which run with pre no does not look at: leave out pre no",
                                   who));
    for (size_t k = 0; k < now.size(); k++) {
      const Body &a = now[k], &b = bodies[k];
      const bool same = a.tag == b.tag && a.type == b.type && a.mass == b.mass &&
                        std::equal(a.x, a.x + 3, b.x) && std::equal(a.q, a.q + 4, b.q);
      if (same) continue;
      throw LocalError(fmt::format("{}: body {} has been put elsewhere, turned, or given another "
                                   "type or mass since the last run, as by set or displace_atoms, "
                                   "which run with pre no does not look at: leave out pre no",
                                   who, a.tag));
    }
  });
}
