/* SPDX-License-Identifier: GPL-2.0-or-later
 * One surface of fix wall/polyhedron, from what is written about it to its shape: a file, a
 * cylinder or a cone, and what scales, turns and shifts it. */
#ifndef POLYHEDRA_WALL_SURFACE_H
#define POLYHEDRA_WALL_SURFACE_H

#include "lammps/host/lmp_compat.h"
#include "lammps/bridge/wall_periods.h"
#include "lammps/options/tables.h"

#include "geometry/cone.h"
#include "geometry/shape.h"

namespace LAMMPS_NS
{

class WallSurface : protected Pointers
{
public:
  /* source: stl, obj, cylinder or cone, as given. who: start of error messages. */
  WallSurface(class LAMMPS *, const char *who, const Options::Given &source);

  /* A keyword about it; they act in the order in which they are given. */
  void change(const Options::Given &keyword);

  /* In a frame whose origin is the given one, or with centred is put into the middle of the
   * surface. The caller releases it. periods: over which edges of the cell it goes on. */
  pd_shape *shape(bool centred, pd_vec3 *origin, SurfacePeriods *periods);

private:
  const char *who;
  Options::Given source;
  pd_cone cone;
  bool changed;
  pd_mat3 map; /* of the source's coordinates x: map x + shift */
  pd_vec3 shift;

  bool is_file() const;
  int axis() const;
  void set_cone();
  pd_mesh make_cone() const;
  void turn(const Options::Given &keyword);
};

} // namespace LAMMPS_NS

#endif
