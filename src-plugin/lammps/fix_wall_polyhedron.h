/* SPDX-License-Identifier: GPL-2.0-or-later
 * fix wall/polyhedron: rigid boundaries, planes and triangulated surfaces. */
#ifndef LMP_FIX_WALL_POLYHEDRON_H
#define LMP_FIX_WALL_POLYHEDRON_H

#include "lmp_compat.h"

#include "../core/system.h"

#include <array>

namespace LAMMPS_NS
{

/* force, moment, energy */
typedef std::array<double, 7> WallLoad;

class BodyScene;
class PairPolyhedron;

class FixWallPolyhedron : public Fix
{
public:
  FixWallPolyhedron(class LAMMPS *, int, char **);
  ~FixWallPolyhedron() override;
  int setmask() override;
  void init() override;
  void setup(int) override;
  void post_force(int) override;
  double compute_scalar() override;
  double compute_vector(int) override;

  const std::vector<pd_wall> &walls() const { return wall; }

  /* law of this wall against bodies of a type */
  const pd_law *law(const PairPolyhedron *pair, int itype) const;

  /* force, moment (about the origin) and contact energy of the bodies of this process on the wall
   */
  void set_load(const WallLoad &mine);

private:
  std::vector<pd_wall> wall;
  std::vector<pd_shape *> owned;
  int like_type; /* the wall behaves like this type against the bodies; 0: like each body's own */
  bool own_law;
  pd_law coef;
  PairPolyhedron *pair;
  BodyScene *scene;
  bool implicit, unchecked, summed;
  WallLoad load, total;

  void sum_load();
  int add_plane(int iarg, int narg, char **arg);
  int add_surface(int iarg, int narg, char **arg);
};

} // namespace LAMMPS_NS

#endif
