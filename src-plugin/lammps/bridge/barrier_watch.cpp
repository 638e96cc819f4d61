/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/barrier_watch.h"

#include "lammps/bridge/body_scene.h"
#include "update.h"

#include <cmath>

using namespace LAMMPS_NS;

BarrierWatch::BarrierWatch(LAMMPS *lmp, const ContactLaws *p, const std::vector<WallSet *> &w)
    : Pointers(lmp), laws(p), walls(w), below(0.0), tried(nullptr), worst()
{
  for (int i = 1; i <= atom->ntypes; i++) {
    for (int j = i; j <= atom->ntypes; j++) below = fmax(below, laws->law(i, j)->gb2);
    for (const WallSet *wall : walls) below = fmax(below, wall->law(laws, i)->gb2);
  }
}

BarrierWatch::~BarrierWatch() = default;

/* Where laws differ, the smallest gap may belong to one with a thinner barrier: then there is no
 * need to look again before gaps are a good deal smaller. */
void BarrierWatch::look(NeighList *near, double mingap, double s)
{
  if (!(mingap < below)) return;
  below = 0.9 * mingap;
  find(near, s, nullptr);
  if (share() < 0) return;
  below = 0.0;
  if (comm->me == 0) error->warning(FLERR, "Fix implicit/polyhedron: " + worst.text);
}

std::string BarrierWatch::deepest(NeighList *near, double s0, double s1, const pd_system &in_trial)
{
  find(near, s0, nullptr);
  if (share() >= 0) return "; " + worst.text;
  find(near, s1, &in_trial);
  return share() < 0 ? "" : "; " + worst.text;
}

/* Bodies go as far as the last iteration has led them; their velocities stay. */
static void advance(pd_system *sys, const pd_system &tried)
{
  for (int i = 0; i < sys->nbody; i++) {
    pd_state &s = sys->body[i].start;
    s.x = pd_add(s.x, tried.body[i].u);
    s.q = pd_q_normalize(pd_q_mul(pd_rodrigues_quat(tried.body[i].alpha), s.q));
  }
}

/* the deepest contact of this process */
void BarrierWatch::find(NeighList *near, double s, const pd_system *in_trial)
{
  worst = Worst();
  tried = in_trial;
  pd_contact_list list = pd_contact_list();
  scene.reset(new BodyScene(lmp));
  scene->rebuild(laws, near, walls, ~0, s);
  if (tried) advance(&scene->sys, *tried);
  const pd_status status = pd_system_contacts(&scene->sys, &list, visit, this);
  pd_contact_list_free(&list);
  const auto text = [&] {
    return fmt::format("Polyhedra: {} at step {}", pd_strerror(status), update->ntimestep);
  };
  stop_together(lmp, FLERR, status ? text() : "");
  scene.reset();
}

void BarrierWatch::visit(void *ctx, const pd_contact_pair *pair, const pd_contact *c)
{
  static_cast<BarrierWatch *>(ctx)->add(pair, c);
}

/* Of a trial only what is too much for the penalty part counts: else it was the step's length. */
void BarrierWatch::add(const pd_contact_pair *pair, const pd_contact *c)
{
  const double depth = c->gap / pair->law->gb2;
  if (!(depth < worst.depth)) return;
  const Encounter e = encounter(pair, c);
  if (tried && !(e.energy > pair->law->phib)) return;
  worst.depth = depth;
  worst.text = describe(pair, c, e);
}

/* how far or fast the point at the lever p goes along n */
static double along(pd_vec3 n, pd_vec3 p, pd_vec3 move, pd_vec3 turn)
{
  return pd_dot(n, pd_add(move, pd_cross(turn, p)));
}

/* The energy is that of the start of the substep. */
BarrierWatch::Encounter BarrierWatch::encounter(const pd_contact_pair *pair,
                                                const pd_contact *c) const
{
  const pd_body &a = scene->sys.body[pair->a];
  const pd_vec3 n = c->normal, at = pd_add(a.start.x, c->point);
  Encounter e;
  e.inverse = pd_body_inverse_mass(&a, n, pd_cross(c->point, n));
  e.speed = along(n, c->point, a.start.v, a.start.w);
  if (tried) e.way = along(n, c->point, tried->body[pair->a].u, tried->body[pair->a].alpha);
  if (pair->wall) {
    const pd_wall &w = scene->sys.wall[pair->b];
    const pd_vec3 p = pd_sub(at, w.x);
    e.speed -= along(n, p, w.v, w.w);
    if (tried) e.way -= along(n, p, tried->wall[pair->b].u, tried->wall[pair->b].alpha);
  } else {
    const pd_body &b = scene->sys.body[pair->b];
    const pd_vec3 p = pd_sub(at, b.start.x);
    e.inverse += pd_body_inverse_mass(&b, n, pd_cross(p, n));
    e.speed -= along(n, p, b.start.v, b.start.w);
    if (tried) e.way -= along(n, p, tried->body[pair->b].u, tried->body[pair->b].alpha);
  }
  e.energy = pd_law_eval(pair->law, c->gap - e.way).phi + 0.5 * e.speed * e.speed / e.inverse;
  return e;
}

/* What a barrier of the exponent -2 would do about an impact of this energy, in words; empty if
 * that is no steeper, or the penalty part does. Its potential: phib + c2 (gb2 - g) + eps2 (1/g -
 * 1/gb2). */
static std::string steeper(pd_law law, double energy)
{
  const bool is = law.n2 <= -2.0;
  law.n2 = -2.0;
  if (is || pd_law_init(&law)) return "";
  const double left = energy - law.phib - law.c2 * law.gb2;
  if (!(left > 0.0)) return "";
  return fmt::format("; barrier {:.3g} -2 would stop the impact at a gap of {:.3g}", law.f,
                     law.eps2 / (left + law.eps2 / law.gb2));
}

/* to two digits, and never less */
static double rounded_up(double value)
{
  const double unit = pow(10.0, floor(log10(value)) - 1.0);
  return ceil(value / unit) * unit;
}

std::string BarrierWatch::describe(const pd_contact_pair *pair, const pd_contact *c,
                                   const Encounter &e) const
{
  const pd_law &law = *pair->law;
  const double fn = pd_law_eval(&law, c->gap).fn,
               enough = rounded_up(law.eps1 * e.energy / law.phib);
  const double force = pd_law_force_at_depth(&law, law.gbar - law.gb2);
  const std::string who =
      fmt::format("body {} and {}", scene->sys.body[pair->a].tag, scene->partner(pair));
  const double like = sqrt(2.0 * e.energy * e.inverse);
  if (tried)
    return fmt::format("{} would come into the barrier of their law at step {} by an impact at "
                       "speed {:.3g}. The penalty part holds the energy {:.3g}; this is {:.3g}. "
                       "eps1 {:.3g} in place of {:.3g} would do{}",
                       who, update->ntimestep, like, law.phib, e.energy, enough, law.eps1,
                       steeper(law, e.energy));
  return fmt::format(
      "{} are in the barrier of their law at step {}: gap {:.3g} < {:.3g}, "
      "like an impact at speed {:.3g}. The penalty part holds the energy {:.3g} and the "
      "force {:.3g}; these are {:.3g} and {:.3g}. eps1 {:.3g} in place of {:.3g} would "
      "do for the energy of an impact, {:.3g} for the force of a load{}",
      who, update->ntimestep, c->gap, law.gb2, like, law.phib, force, e.energy, fn, enough,
      law.eps1, rounded_up(law.eps1 * fn / force), steeper(law, e.energy));
}

/* the deepest contact of all processes on each of them; whose it is, -1 if it is in no barrier */
int BarrierWatch::share()
{
  const Least all = least_of_all(lmp, worst.depth);
  if (all.value >= 1.0) return -1;
  share_text(lmp, all.rank, &worst.text);
  return all.rank;
}
