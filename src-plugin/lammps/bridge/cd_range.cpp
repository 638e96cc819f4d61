/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/cd_range.h"
#include "lammps/bridge/gathered_rows.h"

#include "domain.h"
#include "force.h"
#include "update.h"

#include <algorithm>

using namespace LAMMPS_NS;

/* a body that goes far */
struct Runner {
  double tag, type, radius;
  double x[3], go[3];
};

/* the middle of all velocities, and by how much they differ at most */
static pd_vec3 middle_velocity(LAMMPS *lmp, const double *v, double *spread)
{
  double top[6] = {-DBL_MAX, -DBL_MAX, -DBL_MAX, -DBL_MAX, -DBL_MAX, -DBL_MAX}, all[6];
  for (int i = 0; i < lmp->atom->nlocal; i++)
    for (int k = 0; k < 3; k++) {
      top[k] = std::max(top[k], v[6 * (size_t)i + k]);
      top[3 + k] = std::max(top[3 + k], -v[6 * (size_t)i + k]);
    }
  MPI_Allreduce(top, all, 6, MPI_DOUBLE, MPI_MAX, lmp->world);
  *spread = pd_norm(pd_v(all[0] + all[3], all[1] + all[4], all[2] + all[5]));
  return pd_v(0.5 * (all[0] - all[3]), 0.5 * (all[1] - all[4]), 0.5 * (all[2] - all[5]));
}

/* distance of the centres where they are nearest on their paths */
static double nearest(pd_vec3 d, pd_vec3 path)
{
  const double a = pd_norm2(path), t = a > 0.0 ? -pd_dot(d, path) / a : 0.0;
  return pd_norm(pd_axpy(d, std::min(1.0, std::max(0.0, t)), path));
}

static void check_pair(LAMMPS *lmp, const RigidBodies &bodies, int i, const Runner &o,
                       const double *v, double dt, double reach, const char *who)
{
  Atom *atom = lmp->atom;
  if ((double)atom->tag[i] == o.tag) return;
  double image[3];
  lmp->domain->closest_image(atom->x[i], o.x, image);
  const pd_vec3 apart = pd_sub(pd_v_load(atom->x[i]), pd_v_load(image));
  const pd_vec3 path = pd_sub(pd_scale(dt, pd_v_load(v + 6 * (size_t)i)), pd_v_load(o.go));
  const double cut = sqrt(lmp->force->pair->cutsq[atom->type[i]][(int)o.type]);
  const double touch = bodies.radius(i) + o.radius + reach;
  if (pd_norm(apart) <= cut || nearest(apart, path) > touch) return;
  throw LocalError(fmt::format(
      "{}: bodies {} and {} can meet within step {}, in which they come {:.4g} nearer, "
      "but at a distance of {:.4g} the pair cutoff of {:.4g} does not show them to each "
      "other: shorten the time step, or raise the cutoff of pair style zero to {:.4g}",
      who, atom->tag[i], (tagint)o.tag, lmp->update->ntimestep + 1, pd_norm(path), pd_norm(apart),
      cut, 1.1 * (touch + pd_norm(path))));
}

void LAMMPS_NS::check_range(LAMMPS *lmp, const RigidBodies &bodies, const double *v, double dt,
                            double reach, double room, const char *who)
{
  double spread;
  const pd_vec3 middle = middle_velocity(lmp, v, &spread);
  if (dt * spread <= room || lmp->atom->natoms < 2) return;
  Atom *atom = lmp->atom;
  std::vector<Runner> mine;
  for (int i = 0; i < atom->nlocal; i++) {
    const pd_vec3 velocity = pd_v_load(v + 6 * (size_t)i);
    if (2.0 * dt * pd_norm(pd_sub(velocity, middle)) < room) continue;
    Runner o = {(double)atom->tag[i], (double)atom->type[i], bodies.radius(i), {}, {}};
    std::copy_n(atom->x[i], 3, o.x);
    pd_v_store(o.go, pd_scale(dt, velocity));
    mine.push_back(o);
  }
  const std::vector<Runner> runners = rows_of_all(lmp, mine);
  all_together(lmp, FLERR, [&] {
    for (const Runner &o : runners)
      for (int i = 0; i < atom->nlocal; i++) check_pair(lmp, bodies, i, o, v, dt, reach, who);
  });
}
