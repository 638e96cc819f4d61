/* SPDX-License-Identifier: GPL-2.0-or-later
 * What the contacts of each body add up to. */
#ifndef POLYHEDRA_CONTACT_SUMS_H
#define POLYHEDRA_CONTACT_SUMS_H

#include "lammps/bridge/contact_view.h"

namespace LAMMPS_NS
{

struct ContactSums {
  double points, bodies, walls; /* contacts; bodies and walls that the body has contacts with */
  double force[3], moment[3];   /* on the body, about its centre of mass */
  double stress[6];             /* branch vector times force: xx yy zz xy xz yz */
  double fabric[6];             /* normal times normal, in the same order */
};

/* The sums of the owned bodies, by atom. Each process adds what acts on its own bodies, in an order
 * that does not depend on who owns them. */
class SumsOfBodies
{
public:
  SumsOfBodies(const ContactView *contacts, int nlocal);

  /* a contact that the view shows */
  void add(const pd_contact_pair *pair, const pd_contact &c);

  const ContactSums &of(int i) const { return sums[i]; }

private:
  const ContactView *contacts;
  std::vector<ContactSums> sums;
  const pd_contact_pair *last; /* whose contacts are being added */

  void add_point(int i, const pd_contact_pair *pair, bool first);
  void add_force(int i, pd_vec3 lever, pd_vec3 force);
  void add_forces(int i, const pd_contact &c, pd_vec3 point, pd_vec3 grip, double sign);
};

} // namespace LAMMPS_NS

#endif
