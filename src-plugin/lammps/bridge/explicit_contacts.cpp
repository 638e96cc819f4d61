/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/explicit_contacts.h"

#include "domain.h"
#include "update.h"

#include <algorithm>
#include <cmath>

using namespace LAMMPS_NS;

/* Bodies or a body and a wall that overlap after a step of length h in which they may have passed
 * each other, or did so within it; "" if there are none here. evaluated: the pairs were at the step
 * before; known: all bodies have made the step. */
std::string ExplicitContacts::passed(double h, bool evaluated, bool known)
{
  pd_system *sys = &scene.sys;
  double depth;
  pd_status status;
  const int bad = pd_system_overlap_after(sys, h, evaluated, known, &depth, &status);
  if (bad < 0) return status ? pd_strerror(status) : "";
  return fmt::format("body {} and {} overlap, depth {:.6g}", sys->body[sys->pair[bad].a].tag,
                     scene.partner(&sys->pair[bad]), depth);
}

/* those of this process that the scene has, as it has them */
std::vector<ExplicitContacts::Led> ExplicitContacts::led_bodies() const
{
  std::vector<Led> found;
  for (int k = 0; others.leads() && k < scene.sys.nbody; k++) {
    const pd_body &b = scene.sys.body[k];
    const int i = b.owned ? atom->map((tagint)b.tag) : -1;
    if (i >= 0 && i < atom->nlocal && others.led(i)) found.push_back({i, b.start.x, b.start.v});
  }
  return found;
}

/* Whether a way is more than the host leaves by rounding, in a place of these coordinates. */
static bool is_more_than_rounding(double way, double place)
{
  return std::fabs(way) > 1e-12 * std::fabs(place);
}

/* Whether the way of a body in the time dt is none of its velocity. */
static bool goes_untold(double way, double velocity, double dt)
{
  const double much = 0.5;
  return std::fabs(way - velocity * dt) > much * std::fabs(way);
}

/* Friction, dashpots and the check of steps that are too long take the velocities of atoms, which
 * fix move leaves alone where it is given displacements without velocities. */
void ExplicitContacts::check_led(const std::vector<Led> &before) const
{
  const double edge = std::max({domain->xprd, domain->yprd, domain->zprd});
  for (const Led &was : before) {
    const pd_body &b = scene.sys.body[was.i];
    double way[3], then[3], now[3], told[3]; /* by a cell that carries it, too */
    pd_v_store(way, pd_sub(b.start.x, was.x));
    pd_v_store(then, was.v);
    pd_v_store(now, b.start.v);
    pd_v_store(told, pd_body_velocity(&b));
    Compat::minimum_image(domain, way);
    for (int k = 0; k < 3; k++)
      if ((others.led(was.i) & 1 << k) && then[k] == now[k] &&
          is_more_than_rounding(way[k], edge + std::fabs(atom->x[was.i][k])) &&
          goes_untold(way[k], told[k], update->dt))
        throw LocalError(fmt::format(
            "Pair style polyhedron: a fix moves body {} by {:.4g} in step {}, and leaves "
            "its velocity at {:.4g}, which contacts beside explicit integrators go by: "
            "give fix move variable velocities, too, or use fix implicit/polyhedron",
            b.tag, way[k], update->ntimestep, now[k]));
  }
}

pd_totals ExplicitContacts::evaluate(const ContactLaws *laws, NeighList *list,
                                     const std::vector<WallSet *> &walls, const std::string &who,
                                     const char *touch)
{
  if (update->setupflag && list) others.find(who); /* contacts with walls come after these */
  const std::vector<Led> led = update->setupflag ? std::vector<Led>() : led_bodies();
  const bool kept = scene.renew(laws, list, walls, ~0);
  if (others.leads()) all_together(lmp, FLERR, [&] { check_led(led); });
  const bool known = bodies == atom->natoms && tag_max == atom->map_tag_max;
  if (!known) scene.check_overlap(who.c_str());
  bodies = atom->natoms;
  tag_max = atom->map_tag_max;
  const std::string through = passed(update->dt, kept, known);
  scene.sys.elapsed = update->setupflag ? 0.0 : update->dt;
  pd_system_forget_reusable(&scene.sys); /* laws may be others than at the last call */
  pd_totals totals;
  const pd_status status = pd_system_eval(&scene.sys, PD_AT_START, 0, &totals);
  const std::string without = status == PD_ETOUCH ? touch : status ? pd_strerror(status) : "";
  const std::string fault = through.empty() ? without : through;
  const auto text = [&] {
    return fmt::format("{}: {} at step {}, the time step is too long", who, fault,
                       update->ntimestep);
  };
  stop_together(lmp, FLERR, fault.empty() ? "" : text());
  scene.keep_memory(!update->setupflag); /* no time has passed at set-up */
  return totals;
}

void ExplicitContacts::add_forces()
{
  const double *force = scene.sys.assembly.force;
  for (int i = 0; i < atom->nlocal; i++)
    for (int k = 0; k < 3; k++) {
      atom->f[i][k] += force[6 * i + k];
      atom->torque[i][k] += force[6 * i + 3 + k];
    }
}

void ExplicitContacts::add_forces_to(std::vector<double> *sum) const
{
  for (int i = 0; i < 6 * atom->nlocal; i++) (*sum)[i] += scene.sys.assembly.force[i];
}
