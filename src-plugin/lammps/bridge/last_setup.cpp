/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/last_setup.h"

#include "error.h"
#include "lammps/bridge/fingerprint.h"
#include "modify.h"
#include "neighbor.h"
#include "update.h"

using namespace LAMMPS_NS;

/* in a sentence about what has happened */
static const char *const SINCE = " since the last set-up";

LastSetup::LastSetup(LAMMPS *lmp) : Pointers(lmp), skin(0.0), begin(0), end(0)
{
  outdate("it has been given");
}

void LastSetup::outdate(const std::string &what)
{
  if (missed.empty()) missed = what + SINCE;
}

void LastSetup::make()
{
  missed.clear();
  scene = scene_now();
  objects = objects_now();
  skin = neighbor->skin;
  exclusions = exclusions_now();
  begin = update->beginstep;
  end = update->endstep;
}

std::map<std::string, long> LastSetup::scene_now() const
{
  std::map<std::string, long> found;
  for (int i = 0; i < modify->nfix; i++) {
    const Fix *f = modify->fix[i];
    const auto *source = dynamic_cast<const FingerprintSource *>(f);
    if (source) found[fmt::format("{} of style {}", f->id, f->style)] = source->serial();
  }
  return found;
}

std::vector<long> LastSetup::objects_now() const
{
  std::vector<long> found;
  for (int i = 0; i < modify->nfix; i++)
    if (const auto *source = dynamic_cast<const FingerprintSource *>(modify->fix[i]))
      found.push_back(source->serial());
  return found;
}

/* The host keeps one that is given twice, too. */
LastSetup::Exclusions LastSetup::exclusions_now() const
{
  enum { TYPES, GROUPS, MOLECULES };
  const Neighbor *n = neighbor;
  Exclusions found;
  for (int i = 0; i < n->nex_type; i++) found.insert({TYPES, n->ex1_type[i], n->ex2_type[i]});
  for (int i = 0; i < n->nex_group; i++) found.insert({GROUPS, n->ex1_group[i], n->ex2_group[i]});
  for (int i = 0; i < n->nex_mol; i++)
    found.insert({MOLECULES, n->ex_mol_group[i], n->ex_mol_intra[i]});
  return found;
}

std::string LastSetup::change_of_scene() const
{
  const std::map<std::string, long> now = scene_now();
  for (const auto &f : now) {
    const auto before = scene.find(f.first);
    if (before == scene.end() || before->second != f.second)
      return fmt::format("fix {} has been given or changed{}", f.first, SINCE);
  }
  for (const auto &f : scene)
    if (!now.count(f.first)) return fmt::format("fix {} has been taken away{}", f.first, SINCE);
  return "";
}

std::string LastSetup::difference() const
{
  if (!missed.empty()) return missed;
  std::string changed = objects_now() == objects ? "" : change_of_scene();
  if (!changed.empty()) return changed;
  if (neighbor->skin != skin) return std::string("the neighbor skin has been changed") + SINCE;
  if (exclusions_now() != exclusions)
    return std::string("neigh_modify exclude has been changed") + SINCE;
  const std::vector<Fix *> deforms = Compat::fixes_of_style(modify, "deform");
  if (deforms.empty() || (update->beginstep == begin && update->endstep == end)) return "";
  return fmt::format("fix {} of style deform has got another run to go its way in{} (or give both "
                     "runs the same start and stop)",
                     deforms[0]->id, SINCE);
}

void LastSetup::check(const std::string &who) const
{
  const std::string what = difference();
  if (!what.empty()) demand(lmp, who, what);
}

void LastSetup::demand(LAMMPS *lmp, const std::string &who, const std::string &what)
{
  lmp->error->all(FLERR, fmt::format("{}: {}, which run with pre no does not make anew: leave out "
                                     "pre no",
                                     who, what));
}
