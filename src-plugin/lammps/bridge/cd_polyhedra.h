/* SPDX-License-Identifier: GPL-2.0-or-later
 * Polyhedra of fix polyhedron/shape as rigid bodies. */
#ifndef POLYHEDRA_CD_POLYHEDRA_H
#define POLYHEDRA_CD_POLYHEDRA_H

#include "lammps/bridge/cd_bodies.h"
#include "lammps/bridge/shape_table.h"

#include "contact_dynamics/manifold.h"

namespace LAMMPS_NS
{

class AtomVecEllipsoid;

class PolyhedronBodies : public RigidBodies
{
public:
  explicit PolyhedronBodies(class LAMMPS *);
  ~PolyhedronBodies() override;
  void place(const double *v, double dt) override;
  bool turns() const override { return true; }
  double radius(int i) const override;
  pd_cd_body body(int i, bool mobile, bool turning) const override;
  void velocity(int i, double *buffer) const override;
  void move(int i, const double *buffer, double dt) override;
  void touch(int i, int j, double reach, std::vector<FoundContact> *out) override;
  void touch_wall(int i, const pd_wall &w, double reach, std::vector<FoundContact> *out) override;

private:
  std::vector<ShapeOfType> shapes;
  AtomVecEllipsoid *avec;
  /* Of owned and ghost atoms, now and where the bodies would be at the end of the step: there it is
   * decided which features touch, lest a body that comes in aslant has its contacts too late. */
  struct Places {
    std::vector<pd_pose> at;
    std::vector<pd_vec3> x, levers;
  } now, ahead;
  /* the surface wall that is looked at */
  struct Surface {
    pd_pose now = pd_pose(), ahead = pd_pose();
    std::vector<pd_vec3> levers[2];
    const pd_shape *shape = nullptr;
    double pose[11];
  } surface;
  double dt;
  pd_pair_work *work;
  pd_cd_point_list points;

  const ShapeOfType &shape_of(int i) const;
  pd_quat quat(int i) const;
  pd_mat3 inertia(int i) const;
  void append(int i, int j, std::vector<FoundContact> *out) const;
  void fill(Places *p, const double *v, double time) const;
  void find_points(const pd_pose &a, const pd_pose &a1, const pd_pose &b, const pd_pose &b1,
                   pd_vec3 r, pd_vec3 r1, double reach);
  void set_surface(const pd_wall &w);
};

} // namespace LAMMPS_NS

#endif
