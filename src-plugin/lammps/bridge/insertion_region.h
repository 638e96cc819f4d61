/* SPDX-License-Identifier: GPL-2.0-or-later
 * The part of a region of the host that lies in the simulation box: where new bodies may come. */
#ifndef POLYHEDRA_INSERTION_REGION_H
#define POLYHEDRA_INSERTION_REGION_H

#include "lammps/bridge/new_bodies.h"

#include "base/random.h"
#include "geometry/bvh.h"

namespace LAMMPS_NS
{

class Region;

class InsertionRegion : protected Pointers
{
public:
  InsertionRegion(LAMMPS *lmp, const char *name) : Pointers(lmp), who(name) {}

  /* Stops with an error if there is no region of this name, or if it moves. All processes. */
  void find(const std::string &name);

  /* where it is within the box now; all processes */
  void update();

  const pd_box &bounds() const { return window; }

  /* volume, to about 1e-4 of that of the box about it; 0: nothing of it is in the box */
  double volume() const;

  /* An evenly distributed point of it. Returns false if it is empty, or next to empty. */
  bool draw(pd_random *row, pd_vec3 *x) const;

  /* whether all corners of a body are in it, and the balls about them of a rounded one */
  bool holds(const pd_shape *shape, pd_vec3 x, const pd_mat3 &rot) const;

private:
  const char *who;
  std::string id;
  Region *region = nullptr;
  pd_box window = pd_box(); /* about it, cut by the box */

  void check_shrinking() const;
  bool contains(pd_vec3 x) const;
  bool contains_ball(pd_vec3 x, double radius) const;
};

} // namespace LAMMPS_NS

#endif
