/* SPDX-License-Identifier: GPL-2.0-or-later
 * fix lock/polyhedron: components of bodies' motions that are held, and hinges. */
#ifndef LMP_FIX_LOCK_POLYHEDRON_H
#define LMP_FIX_LOCK_POLYHEDRON_H

#include "lammps/bridge/fingerprint.h"
#include "lammps/bridge/lock_set.h"
#include "lammps/options/options.h"

namespace LAMMPS_NS
{

class FixLockPolyhedron : public Fix, public LockSet, public FingerprintSource
{
public:
  FixLockPolyhedron(class LAMMPS *, int, char **);
  int setmask() override { return 0; }
  void init() override;
  double compute_vector(int) override;
  void add_fingerprints(Fingerprints *all) const override;

  int held_translation() const override { return body_axes && translation != 7 ? 0 : translation; }
  pd_constraint constraint(int i, const pd_state &start) const override;
  void set_reaction(const double *sum) override;

private:
  int translation, rotation; /* sets of held axes */
  bool body_axes;
  bool hinged;
  pd_vec3 point, axis;       /* of the hinge */
  std::vector<pd_mat3> axes; /* by type: principal axes in the shape's coordinates */
  double reaction[6];        /* of this process's bodies: force and moment that hold them */

  void set(const Options::Given &given);
  void check_hinge() const;
  void check_lever(int i, pd_vec3 arm) const;
  pd_constraint hinge(int i, const pd_state &start) const;
};

} // namespace LAMMPS_NS

#endif
