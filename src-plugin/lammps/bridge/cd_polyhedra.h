/* SPDX-License-Identifier: GPL-2.0-or-later
 * Polyhedra of fix polyhedron/shape as rigid bodies. */
#ifndef POLYHEDRA_CD_POLYHEDRA_H
#define POLYHEDRA_CD_POLYHEDRA_H

#include "lammps/bridge/cd_bodies.h"
#include "lammps/bridge/shape_table.h"

#include "contact_dynamics/approach.h"
#include "contact_dynamics/manifold.h"

namespace LAMMPS_NS
{

class AtomVecEllipsoid;

class PolyhedronBodies : public RigidBodies
{
public:
  explicit PolyhedronBodies(class LAMMPS *);
  ~PolyhedronBodies() override;
  void place(const pd_cd_body *body, const double *v, double dt) override;
  bool turns() const override { return true; }
  double path_length(int i, int j) const override
  {
    return pd_cd_path_length(&paths[i], &paths[j]);
  }
  double path_length(int i, const pd_wall &w) const override;
  double radius(int i) const override;
  double thickness(int type) override;
  pd_cd_body body(int i, bool mobile, bool turning) const override;
  void velocity(int i, double *buffer) const override;
  void move(int i, const double *v, double dt) override;
  void touch(int i, int j, double reach, std::vector<FoundContact> *out) override;
  void touch_wall(int i, const pd_wall &w, double reach, std::vector<FoundContact> *out) override;
  void overlap(int i, int j, double reach, std::vector<FoundContact> *out) override;
  void overlap_wall(int i, const pd_wall &w, double reach, std::vector<FoundContact> *out) override;
  double unseen_depth(int i, int j, double reach) override;
  double unseen_depth(int i, const pd_wall &w, double reach) override;

private:
  std::vector<ShapeOfType> shapes;
  std::vector<double> thick; /* by type; 0: not looked for yet */
  AtomVecEllipsoid *avec;
  /* Of owned and ghost atoms, now and where the bodies would be at the end of the step: there it is
   * decided which features touch, lest a body that comes in aslant has its contacts too late. */
  struct Places {
    std::vector<pd_pose> at;
    std::vector<pd_vec3> x;
  } now, ahead;
  std::vector<pd_cd_path> paths; /* from the one to the other */
  pd_cd_approach approach;
  /* the surface wall that is looked at */
  struct Surface {
    pd_pose now = pd_pose(), ahead = pd_pose();
    pd_cd_path path = pd_cd_path();
    const pd_shape *shape = nullptr;
    double pose[14];
  } surface;
  double dt;
  pd_pair_work *work;
  pd_cd_point_list points;

  const ShapeOfType &shape_of(int i) const;
  pd_quat quat(int i) const;
  pd_mat3 inertia(int i) const;
  void append(int i, int j, std::vector<FoundContact> *out) const;
  void append_overlaps(int i, int j, const pd_cd_path &a, const pd_cd_path &b, pd_vec3 r,
                       std::vector<FoundContact> *out);
  void fill(Places *p, bool at_end) const;
  pd_quat turned(int i, pd_vec3 w, double time) const;
  void find_points(const pd_cd_path &a, const pd_cd_path &b, pd_vec3 r, double reach);
  pd_vec3 to_wall_ahead(int i, const pd_wall &w) const;
  std::vector<double> find_plane_points(int i, const pd_wall &w, double reach);
  void find_end_points(const pd_cd_path &a, const pd_cd_path &b, pd_vec3 r, pd_vec3 r1,
                       double reach);
  double unseen_depth(const pd_pose *a, const pd_pose *b, pd_vec3 r, double reach);
  void require(pd_status status) const;
  void set_surface(const pd_wall &w);
};

} // namespace LAMMPS_NS

#endif
