/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/contact_sums.h"

using namespace LAMMPS_NS;

SumsOfBodies::SumsOfBodies(const ContactView *view, int nlocal)
    : contacts(view), sums(nlocal, ContactSums()), last(nullptr)
{
}

/* products in the order xx yy zz xy xz yz */
static void add_products(double *to, pd_vec3 a, pd_vec3 b)
{
  const double product[6] = {a.x * b.x, a.y * b.y, a.z * b.z, a.x * b.y, a.x * b.z, a.y * b.z};
  for (int k = 0; k < 6; k++) to[k] += product[k];
}

/* bodies beyond the owned ones are ghosts, summed by their owners */
void SumsOfBodies::add(const pd_contact_pair *pair, const pd_contact &c)
{
  const int owned = (int)sums.size();
  const bool first = pair != last;
  last = pair;
  if (pair->a < owned) {
    add_point(pair->a, pair, first);
    /* the contact point lies midway, a wall's force comes from its surface */
    const double to_wall = pair->wall ? -0.5 * c.gap : 0.0;
    add_forces(pair->a, c, pd_axpy(c.point, to_wall, c.normal), c.grip, 1.0);
  }
  if (pair->wall || pair->b >= owned) return;
  const pd_vec3 a = contacts->body(pair->a).start.x, b = contacts->body(pair->b).start.x;
  const pd_vec3 apart = pd_sub(b, a);
  add_point(pair->b, pair, first);
  add_forces(pair->b, c, pd_sub(c.point, apart), pd_sub(c.grip, apart), -1.0);
}

void SumsOfBodies::add_point(int i, const pd_contact_pair *pair, bool first)
{
  sums[i].points += 1.0;
  if (first) (pair->wall ? sums[i].walls : sums[i].bodies) += 1.0;
}

static void add_vector(double *to, pd_vec3 a)
{
  to[0] += a.x;
  to[1] += a.y;
  to[2] += a.z;
}

/* a force at the point p from the body's centre of mass */
void SumsOfBodies::add_force(int i, pd_vec3 p, pd_vec3 force)
{
  add_vector(sums[i].force, force);
  add_vector(sums[i].moment, pd_cross(p, force));
  add_products(sums[i].stress, p, force);
}

/* the normal force and friction on a side, each where it acts; sign: 1 for A */
void SumsOfBodies::add_forces(int i, const pd_contact &c, pd_vec3 point, pd_vec3 grip, double sign)
{
  add_force(i, point, pd_scale(sign * c.force, c.normal));
  add_force(i, grip, pd_scale(sign, c.friction));
  add_products(sums[i].fabric, c.normal, c.normal);
}
