/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/between_runs.h"

#include "atom.h"
#include "atom_vec_ellipsoid.h"
#include "lammps/host/agree.h"
#include "lammps/host/lmp_compat.h"

#include <algorithm>

using namespace LAMMPS_NS;

BetweenRuns::Body BetweenRuns::body(int i) const
{
  auto *avec = dynamic_cast<AtomVecEllipsoid *>(atom->style_match("ellipsoid"));
  Body b = {atom->tag[i], atom->type[i], atom->rmass ? atom->rmass[i] : 0.0, {}, {}};
  std::copy_n(atom->x[i], 3, b.x);
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

void BetweenRuns::note(const OtherFixes &others)
{
  bodies = all(others);
  noted = true;
}

void BetweenRuns::check(const OtherFixes &others, const std::string &who)
{
  if (!noted) return;
  noted = false;
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
