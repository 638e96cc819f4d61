/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/start_contacts.h"

#include "lammps/bridge/body_scene.h"
#include "update.h"

#include <cmath>

using namespace LAMMPS_NS;

/* A contact at rest holds no more than the force that presses its sides together times gbar; pairs
 * with more than this times that have been placed too close. Bodies under a heap hold more, too. */
static constexpr double RESTING = 2.0;

/* external force on a body; what does not give way to it has none */
static pd_vec3 pull(const pd_body &b)
{
  return b.mobile ? pd_add(b.external_force, b.load_force) : pd_v(0.0, 0.0, 0.0);
}

/* What the external forces on two bodies may press them together with, a being pushed along n and b
 * against it: the part of either that goes the other way, or, wedged by others, all of the smaller
 * one (that is not 0), whichever direction it has. */
static double pressing(pd_vec3 a, pd_vec3 b, pd_vec3 n)
{
  const double least = fmin(pd_norm(a), pd_norm(b));
  const double wedged = least > 0.0 ? least : fmax(pd_norm(a), pd_norm(b));
  return fmax(wedged, fmax(-pd_dot(a, n), pd_dot(b, n)));
}

static double inverse_mass(const pd_body &b) { return b.mobile ? 1.0 / b.inertia.mass : 0.0; }

static double spinning(const pd_body &b)
{
  return pd_kinetic_rotation(&b.inertia, b.start.q, b.start.w);
}

/* kinetic energy of the motion of two sides against each other, their spins with it */
static double kinetic(const pd_system &sys, const pd_contact_pair &pair)
{
  const pd_body &a = sys.body[pair.a];
  const pd_vec3 v = pd_body_velocity(&a);
  if (pair.wall) {
    const pd_vec3 past = pd_sub(v, pd_wall_velocity_at(&sys.wall[pair.b], a.start.x));
    return pd_kinetic_translation(&a.inertia, past) + spinning(a);
  }
  const pd_body &b = sys.body[pair.b];
  const double reduced = 1.0 / (inverse_mass(a) + inverse_mass(b));
  return 0.5 * reduced * pd_norm2(pd_sub(v, pd_body_velocity(&b))) + spinning(a) + spinning(b);
}

/* what a pair may hold that rests, or is in the middle of an impact */
static double usual_energy(const pd_system &sys, const pd_contact_pair &pair,
                           const pd_pair_response &r)
{
  const pd_vec3 lost = pd_add(pd_v_load(r.loss[PD_DAMPING]), pd_v_load(r.loss[PD_FRICTION]));
  const pd_vec3 n = pd_unit(pd_sub(pd_v_load(r.force), lost));
  const pd_vec3 a = pull(sys.body[pair.a]),
                b = pair.wall ? pd_v(0.0, 0.0, 0.0) : pull(sys.body[pair.b]);
  return RESTING * pair.law->gbar * pressing(a, b, n) + kinetic(sys, pair);
}

/* what a pair answers that begins too close; nullptr for others */
static const pd_pair_response *too_close(const pd_system &sys, int i)
{
  const pd_contact_pair &pair = sys.pair[i];
  const pd_pair_response *r = pair.contact < 0 ? nullptr : pd_response_of(&sys, i);
  return r && r->active && r->energy > usual_energy(sys, pair, *r) ? r : nullptr;
}

std::map<const pd_law *, double> LAMMPS_NS::gaps_too_small(const BodyScene &scene)
{
  std::map<const pd_law *, double> least;
  for (int i = 0; i < scene.sys.npair; i++) {
    const pd_pair_response *r = too_close(scene.sys, i);
    if (!r) continue;
    const auto at = least.insert({scene.sys.pair[i].law, r->mingap}).first;
    at->second = fmin(at->second, r->mingap);
  }
  return least;
}

/* the figures of all processes, and the worst pair's text from where it is; why: they are so close
 */
static void say(LAMMPS *lmp, const char *who, const std::string &why, double count, double energy,
                double worst, std::string text)
{
  double sum[2] = {count, energy}, all[2];
  MPI_Allreduce(sum, all, 2, MPI_DOUBLE, MPI_SUM, lmp->world);
  const Least least = least_of_all(lmp, -worst);
  if (!(least.value < 0.0)) return;
  share_text(lmp, least.rank, &text);
  if (lmp->comm->me == 0)
    lmp->error->warning(
        FLERR,
        fmt::format("{}: bodies begin step {} {}: {:.0f} pairs hold the energy {:.3g}, most "
                    "of it {}. They fly apart where no load holds them; the page of fix "
                    "implicit/polyhedron "
                    "says how to relax them",
                    who, lmp->update->ntimestep, why, std::ceil(all[0] - 1e-6), all[1], text));
}

/* fresh: nullptr if all are */
static void warn_of_pairs(LAMMPS *lmp, const char *who, BodyScene *scene,
                          const std::vector<bool> *fresh, const std::string &why)
{
  const pd_system &sys = scene->sys;
  double count = 0.0, energy = 0.0, worst = 0.0;
  std::string text;
  for (int i = 0; i < sys.npair; i++) {
    const pd_contact_pair &pair = sys.pair[i];
    if (fresh && !(*fresh)[pair.a] && (pair.wall || !(*fresh)[pair.b])) continue;
    const pd_pair_response *r = too_close(sys, i);
    if (!r) continue;
    count += pair.share;
    energy += pair.share * r->energy;
    if (!(r->energy > worst)) continue;
    worst = r->energy;
    text = fmt::format("body {} and {}, {:.3g} at the gap {:.3g} of {:.3g}", sys.body[pair.a].tag,
                       scene->partner(&pair), r->energy, r->mingap, pair.law->gbar);
  }
  say(lmp, who, why, count, energy, worst, text);
}

void LAMMPS_NS::warn_of_start_contacts(LAMMPS *lmp, const char *who, BodyScene *scene,
                                       const std::vector<bool> *fresh)
{
  warn_of_pairs(lmp, who, scene, fresh, "closer than contact begins");
}

/* energies that differ by rounding */
static constexpr double SAME = 1.0e-6;

void LAMMPS_NS::warn_of_more_energy(LAMMPS *lmp, const char *who, BodyScene *scene, double before,
                                    double now)
{
  if (!(now > (1.0 + SAME) * before)) return;
  warn_of_pairs(lmp, who, scene, nullptr,
                fmt::format("with {:.3g} more energy in their contacts than the last one ended "
                            "with, by another law, shape or place",
                            now - before));
}
