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
  void place(const pd_cd_body *, const double *v, double dt) override;
  double path_length(int i, int j) const override { return pd_norm(pd_sub(go[i], go[j])); }
  double path_length(int i, const pd_wall &w) const override { return pd_norm(going(i, w)); }
  bool turns() const override { return false; }
  double radius(int i) const override { return atom->radius[i]; }
  pd_cd_body body(int i, bool mobile, bool turning) const override;
  void velocity(int i, double *buffer) const override;
  void move(int i, const double *v, double dt) override;
  void touch(int i, int j, double reach, std::vector<FoundContact> *out) override;
  void touch_wall(int i, const pd_wall &w, double reach, std::vector<FoundContact> *out) override;

private:
  /* closest point of a wall's triangle */
  struct Near {
    pd_vec3 x, p; /* the sphere's centre, the closest point, and how far they are apart */
    double d;
    int triangle;
    bool inside; /* in the interior of the triangle */
  };
  /* a sphere on its path, in the frame of a surface; first: of its contacts with it */
  struct Flight {
    pd_vec3 x, path;
    double r, reach;
    size_t first;
  };
  std::vector<Near> near;
  std::vector<int> item;
  std::vector<pd_vec3> go; /* displacements on the path */
  double dt = 0.0;

  pd_vec3 going(int i, const pd_wall &w) const; /* relative to the wall */

  void touch_surface(int i, const pd_wall &w, double reach, std::vector<FoundContact> *out);
  void find_near(const pd_wall &w, pd_vec3 x, double cut);
  bool touch_near(int i, const pd_wall &w, const Flight &f, pd_vec3 gone,
                  std::vector<FoundContact> *out);
  bool is_closest(const pd_shape *s, const Near &n, double tol) const;
};

} // namespace LAMMPS_NS

#endif
