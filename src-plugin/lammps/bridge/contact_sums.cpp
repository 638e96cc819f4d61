/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/contact_sums.h"

using namespace LAMMPS_NS;

SumsOfBodies::SumsOfBodies(const ContactView *view, int nlocal)
    : contacts(view), sums(nlocal, ContactSums()), last(nullptr)
{
}

void SumsOfBodies::add(const pd_contact_pair *pair, const pd_contact &c)
{
  const pd_vec3 force = total_force(c);
  const bool first = pair != last;
  last = pair;
  add(pair->a, first, pair, c.point, force);
  if (pair->wall) return;
  const pd_vec3 a = contacts->body(pair->a).start.x, b = contacts->body(pair->b).start.x;
  add(pair->b, first, pair, pd_sub(c.point, pd_sub(b, a)), pd_neg(force));
}

/* force f at the point p from the body's centre of mass; ghosts are summed by their owners */
void SumsOfBodies::add(int i, bool first, const pd_contact_pair *pair, pd_vec3 p, pd_vec3 f)
{
  if (i >= (int)sums.size()) return;
  ContactSums &sum = sums[i];
  const pd_vec3 m = pd_cross(p, f);
  const double force[3] = {f.x, f.y, f.z}, moment[3] = {m.x, m.y, m.z};
  const double stress[6] = {p.x * f.x, p.y * f.y, p.z * f.z, p.x * f.y, p.x * f.z, p.y * f.z};
  sum.points += 1.0;
  if (first) (pair->wall ? sum.walls : sum.bodies) += 1.0;
  for (int k = 0; k < 3; k++) sum.force[k] += force[k];
  for (int k = 0; k < 3; k++) sum.moment[k] += moment[k];
  for (int k = 0; k < 6; k++) sum.stress[k] += stress[k];
}
