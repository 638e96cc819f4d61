/* SPDX-License-Identifier: GPL-2.0-or-later
 * Orientation and rotation of the host's ellipsoids: quaternions with the real part first, in the
 * principal frame, and angular momenta. */
#ifndef POLYHEDRA_ATOM_ROTATION_H
#define POLYHEDRA_ATOM_ROTATION_H

#include "atom.h"
#include "atom_vec_ellipsoid.h"

#include "base/rotation.h"

namespace LAMMPS_NS
{

inline pd_quat quat_load(const double *q) { return pd_q(q[0], q[1], q[2], q[3]); }

inline void quat_store(double *to, pd_quat q)
{
  to[0] = q.w;
  to[1] = q.x;
  to[2] = q.y;
  to[3] = q.z;
}

/* nullptr if the atom is no ellipsoid */
inline double *quat_of(Atom *atom, int i)
{
  auto *avec = dynamic_cast<AtomVecEllipsoid *>(atom->style_match("ellipsoid"));
  return avec && atom->ellipsoid[i] >= 0 ? avec->bonus[atom->ellipsoid[i]].quat : nullptr;
}

/* angular velocity of a body with the principal moments of inertia j (mass distance^2) */
inline pd_vec3 omega_of(pd_mat3 rotation, pd_vec3 j, const double *angmom)
{
  const pd_vec3 l = pd_mtv(rotation, pd_v_load(angmom));
  return pd_mv(rotation, pd_v(l.x / j.x, l.y / j.y, l.z / j.z));
}

} // namespace LAMMPS_NS

#endif
