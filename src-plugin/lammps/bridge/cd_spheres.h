/* SPDX-License-Identifier: GPL-2.0-or-later
 * Spheres of atom style sphere as rigid bodies. */
#ifndef POLYHEDRA_CD_SPHERES_H
#define POLYHEDRA_CD_SPHERES_H

#include "lammps/bridge/cd_bodies.h"

namespace LAMMPS_NS
{

class SphereBodies : public RigidBodies
{
public:
  explicit SphereBodies(class LAMMPS *lmp) : RigidBodies(lmp) {}
  void place(const double *, double) override {}
  bool turns() const override { return false; }
  double radius(int i) const override { return atom->radius[i]; }
  pd_cd_body body(int i, bool mobile, bool turning) const override;
  void velocity(int i, double *buffer) const override;
  void move(int i, const double *buffer, double dt) override;
  void touch(int i, int j, double reach, std::vector<FoundContact> *out) override;
  void touch_wall(int i, const pd_wall &w, double reach, std::vector<FoundContact> *out) override;

private:
  /* closest point of a wall's triangle */
  struct Near {
    pd_vec3 p;
    double d;
    int triangle;
    bool inside; /* in the interior of the triangle */
  };
  std::vector<Near> near;
  std::vector<int> item;

  void touch_surface(int i, const pd_wall &w, double reach, std::vector<FoundContact> *out);
  void find_near(const pd_wall &w, pd_vec3 x, double cut);
  bool is_closest(const pd_shape *s, const Near &n, double tol) const;
};

} // namespace LAMMPS_NS

#endif
