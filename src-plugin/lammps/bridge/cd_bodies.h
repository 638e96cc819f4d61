/* SPDX-License-Identifier: GPL-2.0-or-later
 * Rigid bodies as contact dynamics sees them, whatever LAMMPS stores them as: spheres of atom style
 * sphere, polyhedra of fix polyhedron/shape. */
#ifndef POLYHEDRA_CD_BODIES_H
#define POLYHEDRA_CD_BODIES_H

#include "lammps/host/lmp_compat.h"

#include "contact_dynamics/network.h"
#include "dynamics/system.h"

#include <cstdint>
#include <memory>

namespace LAMMPS_NS
{

/* Names a contact, the same on any number of processes: tags (b = 0: a wall), features of the two
 * (-1: none) and what the stiffness depends on. */
struct ContactName {
  tagint a, b;
  int64_t partner; /* tag of b, or minus the key of the wall */
  int sa, sb;
  int type_a, type_b; /* type_b = 0: a wall */
  int wall;           /* index of the fix among those given, -1 between bodies */
  double gap;         /* the true one, where the solver is given less of an overlap */
};

struct FoundContact {
  pd_cd_contact c; /* a, b, n, ra, rb, gap; b = -1 for a wall */
  ContactName name;
  double given;     /* normal force, where it is known already */
  pd_vec3 friction; /* and the friction force on a */
  double end;       /* gap at the end of the path, < 0, if it was found by that; else 0 */
};

class RigidBodies : protected Pointers
{
public:
  /* Bodies of the kind that the atom style holds. who: for messages. */
  static std::unique_ptr<RigidBodies> create(class LAMMPS *, const char *who);
  explicit RigidBodies(class LAMMPS *lmp) : Pointers(lmp) {}

  /* Reads the present places of owned and ghost atoms. v (six, ghosts too): velocities at which the
   * bodies go on for the time dt, as far as is known; mobile ones turn as free bodies do. */
  virtual void place(const pd_cd_body *body, const double *v, double dt) = 0;

  /* How far body j, or a wall, can come nearer to body i on these paths. */
  virtual double path_length(int i, int j) const = 0;
  virtual double path_length(int i, const pd_wall &w) const = 0;

  /* Whether rotation can matter without friction. */
  virtual bool turns() const = 0;

  /* Radius about the centre, and the largest of a type over all processes (0: there is none). */
  virtual double radius(int i) const = 0;
  std::vector<double> largest_radii() const;

  /* What bodies of a type are behind their surface; DBL_MAX where that does not matter. */
  virtual double thickness(int) { return DBL_MAX; }

  /* Mass and inertia, for owned and ghost atoms. */
  virtual pd_cd_body body(int i, bool mobile, bool turning) const = 0;

  /* Velocity and angular velocity; force and torque without that of gyroscopic terms. */
  virtual void velocity(int i, double *six) const = 0;
  void force(int i, double *six) const;

  /* Velocities and then places of an owned atom after a step dt at the velocity v (six). */
  virtual void move(int i, const double *v, double dt) = 0;

  /* Contacts nearer than reach, at the start or on the path; names without tags and types are
   * completed by the caller. */
  virtual void touch(int i, int j, double reach, std::vector<FoundContact> *out) = 0;
  virtual void touch_wall(int i, const pd_wall &w, double reach,
                          std::vector<FoundContact> *out) = 0;

  /* Contacts of which the bodies would overlap at the end of the path, as far as touch cannot tell.
   */
  virtual void overlap(int, int, double, std::vector<FoundContact> *) {}
  virtual void overlap_wall(int, const pd_wall &, double, std::vector<FoundContact> *) {}

  /* Depth of an overlap at the start of the paths that touch cannot tell, 0 if there is none. */
  virtual double unseen_depth(int, int, double) { return 0.0; }
  virtual double unseen_depth(int, const pd_wall &, double) { return 0.0; }
};

} // namespace LAMMPS_NS

#endif
