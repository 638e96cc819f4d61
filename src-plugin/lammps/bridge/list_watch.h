/* SPDX-License-Identifier: GPL-2.0-or-later
 * Whether the host's neighbour list still shows all pairs that may touch, beside explicit
 * integrators and in contact dynamics. The host looks only as often as neigh_modify says, by
 * default of hosts up to 2022 not for ten steps, in which fast bodies come to contacts that begin
 * half-way in, or go through each other. */
#ifndef POLYHEDRA_LIST_WATCH_H
#define POLYHEDRA_LIST_WATCH_H

#include "base/vec3.h"
#include "pointers.h"

#include <vector>

namespace LAMMPS_NS
{

class ListWatch : protected Pointers
{
public:
  explicit ListWatch(class LAMMPS *lmp) : Pointers(lmp) {}

  /* A list is about to be made of the owned bodies where they are. */
  void note();

  /* Whether two bodies may have come nearer by more than the skin since then. image_way: of images
   * against their bodies, as the cell has changed; length. All processes. */
  bool outgrown(double image_way) const;

private:
  std::vector<pd_vec3> at; /* of every owned body */
};

} // namespace LAMMPS_NS

#endif
