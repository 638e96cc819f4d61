/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/barrier_watch.h"

#include "lammps/bridge/body_scene.h"
#include "update.h"

#include <cmath>

using namespace LAMMPS_NS;

BarrierWatch::BarrierWatch(LAMMPS *lmp, const ContactLaws *p, const std::vector<WallSet *> &w)
    : Pointers(lmp), laws(p), walls(w), below(0.0), worst()
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
  find(near, s);
  if (share() < 0) return;
  below = 0.0;
  if (comm->me == 0) error->warning(FLERR, "Fix implicit/polyhedron: " + worst.text);
}

std::string BarrierWatch::deepest(NeighList *near, double s)
{
  find(near, s);
  return share() < 0 ? "" : "; " + worst.text;
}

/* the deepest contact of this process */
void BarrierWatch::find(NeighList *near, double s)
{
  worst = Worst();
  pd_contact_list list = pd_contact_list();
  scene.reset(new BodyScene(lmp));
  scene->rebuild(laws, near, walls, ~0, s);
  const pd_status status = pd_system_contacts(&scene->sys, &list, visit, this);
  pd_contact_list_free(&list);
  const auto text = [&] {
    return fmt::format("Polyhedra: {} at step {}", pd_strerror(status), update->ntimestep);
  };
  stop_together(lmp, FLERR, status ? text() : "");
  scene.reset();
}

void BarrierWatch::visit(void *ctx, const pd_contact_pair *link, const pd_contact *c)
{
  static_cast<BarrierWatch *>(ctx)->add(link, c);
}

void BarrierWatch::add(const pd_contact_pair *link, const pd_contact *c)
{
  const double depth = c->gap / link->law->gb2;
  if (!(depth < worst.depth)) return;
  worst.depth = depth;
  worst.text = describe(link, c);
}

/* inverse of the mass that a contact at the lever p feels along n, and the speed there */
static void feel(const pd_body &b, pd_vec3 p, pd_vec3 n, double *inverse, double *speed)
{
  const pd_vec3 turn = pd_mtv(pd_q_matrix(b.start.q), pd_cross(p, n));
  const pd_vec3 spin = pd_v(turn.x / b.inertia.j.x, turn.y / b.inertia.j.y, turn.z / b.inertia.j.z);
  *inverse += 1.0 / b.inertia.mass + pd_dot(turn, spin);
  *speed += pd_dot(n, pd_add(b.start.v, pd_cross(b.start.w, p)));
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

/* energy of an impact: what the contact holds and what still moves along its normal */
std::string BarrierWatch::describe(const pd_contact_pair *link, const pd_contact *c) const
{
  const pd_law &law = *link->law;
  const pd_body &a = scene->sys.body[link->a];
  const pd_vec3 back = pd_neg(c->normal);
  double inverse = 0.0, speed = 0.0;
  feel(a, c->point, c->normal, &inverse, &speed);
  if (link->wall) {
    const pd_wall &w = scene->sys.wall[link->b];
    const pd_vec3 p = pd_sub(pd_add(a.start.x, c->point), w.x);
    speed += pd_dot(back, pd_add(w.v, pd_cross(w.w, p)));
  } else {
    const pd_body &b = scene->sys.body[link->b];
    feel(b, pd_sub(pd_add(a.start.x, c->point), b.start.x), back, &inverse, &speed);
  }
  const pd_law_value v = pd_law_eval(&law, c->gap);
  const double energy = v.phi + 0.5 * speed * speed / inverse;
  const double force = pd_law_force_at_depth(&law, law.gbar - law.gb2);
  return fmt::format(
      "body {} and {} are in the barrier of their law at step {}: gap {:.3g} < {:.3g}, "
      "like an impact at speed {:.3g}. The penalty part holds the energy {:.3g} and the "
      "force {:.3g}; these are {:.3g} and {:.3g}. eps1 {:.3g} in place of {:.3g} would "
      "do for the energy of an impact, {:.3g} for the force of a load{}",
      a.tag, scene->partner(link), update->ntimestep, c->gap, law.gb2, sqrt(2.0 * energy * inverse),
      law.phib, force, energy, v.fn, law.eps1 * energy / law.phib, law.eps1,
      law.eps1 * v.fn / force, steeper(law, energy));
}

/* the deepest contact of all processes on each of them; whose it is, -1 if it is in no barrier */
int BarrierWatch::share()
{
  struct {
    double depth;
    int rank;
  } mine = {worst.depth, comm->me}, all = mine;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE_INT, MPI_MINLOC, world);
  if (all.depth >= 1.0) return -1;
  int n = (int)worst.text.size();
  MPI_Bcast(&n, 1, MPI_INT, all.rank, world);
  worst.text.resize(n);
  MPI_Bcast(&worst.text[0], n, MPI_CHAR, all.rank, world);
  return all.rank;
}
