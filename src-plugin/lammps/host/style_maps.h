/* SPDX-License-Identifier: GPL-2.0-or-later
 * Styles in a second instance of the host. The host lists plugins once for a process, but each
 * instance has maps of styles of its own, and it leaves those of the second one without what the
 * first has loaded. */
#ifndef POLYHEDRA_STYLE_MAPS_H
#define POLYHEDRA_STYLE_MAPS_H

#include "lammpsplugin.h"

#include "force.h"
#include "input.h"
#include "modify.h"

#include <string>

namespace LAMMPS_NS
{
template <typename Map, typename Creator>
static bool add_if_missing(Map *map, const char *name, Creator creator)
{
  typedef typename Map::mapped_type Mapped;
  return map->insert({name, reinterpret_cast<Mapped>(creator)}).second;
}

/* Adds a pair, fix, compute or command style to the instance's map; false if it has it. */
static inline bool add_to_instance(LAMMPS *lmp, const lammpsplugin_t &p)
{
  const std::string style = p.style;
  if (style == "pair") return add_if_missing(lmp->force->pair_map, p.name, p.creator.v1);
  if (style == "fix") return add_if_missing(lmp->modify->fix_map, p.name, p.creator.v2);
  if (style == "compute") return add_if_missing(lmp->modify->compute_map, p.name, p.creator.v2);
  return add_if_missing(lmp->input->command_map, p.name, p.creator.v1);
}
} // namespace LAMMPS_NS

#endif
