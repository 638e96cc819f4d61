/* SPDX-License-Identifier: GPL-2.0-or-later
 * The walls of one fix wall/polyhedron as the bridge sees them: where they are and will be, their
 * contact law, and what acts on them. The fix is one of these. */
#ifndef POLYHEDRA_WALL_SET_H
#define POLYHEDRA_WALL_SET_H

#include "lammps/bridge/contact_laws.h"
#include "lammps/bridge/wall_motion.h"
#include "lammps/host/lmp_compat.h"

#include "dynamics/system.h"

#include <array>

namespace LAMMPS_NS
{

/* force, moment about the origin, energy, work done in a substep */
typedef std::array<double, 8> WallLoad;

class WallSet
{
public:
  const std::string name; /* the fix's ID */
  const int bodies;       /* bit of the group of bodies that the walls are for */

  WallSet(class LAMMPS *, const char *name, int bodies);
  virtual ~WallSet();
  WallSet(const WallSet &) = delete;
  WallSet &operator=(const WallSet &) = delete;

  /* those of all fixes, in the order of the input script */
  static std::vector<WallSet *> all(Modify *modify);

  /* the walls where they are after the fraction s of the present step */
  const std::vector<pd_wall> &walls(double s = 0.0);

  WallMotion &motion() { return moving; }

  /* friction of its own law */
  bool has_friction() const { return own_law && coef.t.eps_t > 0.0; }

  /* law of these walls against bodies of a type */
  const pd_law *law(const ContactLaws *laws, int itype) const;

  /* What the bodies of this process do to the walls. The work adds up. */
  void set_load(const WallLoad &mine);

protected:
  std::vector<pd_wall> wall;
  std::vector<pd_shape *> owned;
  std::vector<pd_vec3> origin; /* of the walls' frames before any motion */
  int like_type; /* the wall behaves like this type against the bodies; 0: like each body's own */
  bool own_law;
  pd_law coef;
  WallMotion moving;
  WallLoad load, total; /* of this process; of all, if summed */
  bool summed;

  void add_wall(pd_wall_kind kind, pd_vec3 at);
};

} // namespace LAMMPS_NS

#endif
