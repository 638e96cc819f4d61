/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/cd_carried.h"

#include "lammps/bridge/atom_rotation.h"
#include "lammps/host/fresh_computes.h"

#include "contact_dynamics/free_turn.h"

#include <algorithm>

using namespace LAMMPS_NS;

/* what fix move changes of an atom */
struct Carried {
  int atom;
  double x[3], v[3], spin[3], q[4];
};

static double *spin_of(Atom *atom, int i)
{
  return atom->angmom ? atom->angmom[i] : atom->omega[i];
}

static Carried carried(Atom *atom, int i)
{
  Carried c = {i, {}, {}, {}, {}};
  std::copy_n(atom->x[i], 3, c.x);
  std::copy_n(atom->v[i], 3, c.v);
  std::copy_n(spin_of(atom, i), 3, c.spin);
  if (const double *q = quat_of(atom, i)) std::copy_n(q, 4, c.q);
  return c;
}

static void put_back(Atom *atom, const Carried &c)
{
  std::copy_n(c.x, 3, atom->x[c.atom]);
  std::copy_n(c.v, 3, atom->v[c.atom]);
  std::copy_n(c.spin, 3, spin_of(atom, c.atom));
  if (double *q = quat_of(atom, c.atom)) std::copy_n(c.q, 4, q);
}

static void set_velocity(Atom *atom, const Carried &from, double dt, double *six)
{
  const Carried to = carried(atom, from.atom);
  pd_v_store(six, pd_scale(1.0 / dt, pd_sub(pd_v_load(to.x), pd_v_load(from.x))));
  if (!quat_of(atom, from.atom)) return;
  const pd_quat q0 = pd_q(from.q[0], from.q[1], from.q[2], from.q[3]),
                q1 = pd_q(to.q[0], to.q[1], to.q[2], to.q[3]);
  const pd_vec3 even = pd_scale(dt, pd_v_load(six + 3));
  const bool same = std::equal(from.q, from.q + 4, to.q);
  const pd_vec3 turn = same ? pd_v(0.0, 0.0, 0.0) : pd_cd_turn_between(q0, q1, even);
  pd_v_store(six + 3, pd_scale(1.0 / dt, turn));
}

/* The fixes say it themselves: they move their bodies as in that step, which are then put back. */
void LAMMPS_NS::set_carried_velocities(LAMMPS *lmp, double dt, int stand, double *v)
{
  Atom *atom = lmp->atom;
  const std::vector<Fix *> fixes = Compat::fixes_of_style(lmp->modify, "move");
  if (fixes.empty()) return;
  int groups = 0;
  for (const Fix *f : fixes) groups |= f->groupbit;
  std::vector<Carried> all;
  for (int i = 0; i < atom->nlocal; i++)
    if (atom->mask[i] & groups) all.push_back(carried(atom, i));
  {
    const NextStep ahead(lmp);
    for (Fix *f : fixes) f->initial_integrate(0);
  }
  for (const Carried &c : all) {
    if (!(atom->mask[c.atom] & stand)) set_velocity(atom, c, dt, v + 6 * (size_t)c.atom);
    put_back(atom, c);
  }
}
