/* SPDX-License-Identifier: GPL-2.0-or-later
 * Polyhedra of fix polyhedron/shape as rigid bodies. */
#ifndef POLYHEDRA_CD_POLYHEDRA_H
#define POLYHEDRA_CD_POLYHEDRA_H

#include "cd_bodies.h"
#include "shape_table.h"

#include "../core/cd/manifold.h"

namespace LAMMPS_NS
{

class AtomVecEllipsoid;

class PolyhedronBodies : public RigidBodies
{
public:
  explicit PolyhedronBodies(class LAMMPS *);
  ~PolyhedronBodies() override;
  void place() override;
  bool turns() const override { return true; }
  double radius(int i) const override;
  pd_cd_body body(int i, bool mobile, bool turning) const override;
  void velocity(int i, double *six) const override;
  void move(int i, const double *six, double dt) override;
  void touch(int i, int j, double reach, std::vector<FoundContact> *out) override;
  void touch_wall(int i, const pd_wall &w, double reach, std::vector<FoundContact> *out) override;

private:
  std::vector<ShapeOfType> shapes;
  AtomVecEllipsoid *avec;
  std::vector<pd_place> places; /* of owned and ghost atoms */
  std::vector<pd_vec3> levers;
  std::vector<pd_vec3> surface; /* levers of the wall that is looked at */
  pd_pair_work *work;
  pd_cd_point_list points;

  const ShapeOfType &shape_of(int i) const;
  pd_quat quat(int i) const;
  pd_mat3 inertia(int i) const;
  void append(int i, int j, std::vector<FoundContact> *out);
  pd_place surface_place(const pd_wall &w);
};

} // namespace LAMMPS_NS

#endif
