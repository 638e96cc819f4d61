/* SPDX-License-Identifier: GPL-2.0-or-later
 * How pair style polyhedron begins a run with an explicit integrator: laws that auto has just
 * chosen give way to bodies placed nearer, and energy that nobody has given is told of. */
#include "lammps/styles/pair_polyhedron.h"

#include "lammps/bridge/explicit_contacts.h"
#include "lammps/bridge/stability_watch.h"
#include "lammps/bridge/start_contacts.h"
#include "lammps/bridge/step_communication.h"
#include "lammps/styles/fix_wall_polyhedron.h"

#include <cmath>

using namespace LAMMPS_NS;

static const char *const WHO = "Pair style polyhedron";

/* of all processes, at the last evaluation; below 0 if there has been none */
double PairPolyhedron::contact_energy() const
{
  double mine = energy_here, all;
  for (const FixWallPolyhedron *f : FixWallPolyhedron::all_of(modify)) mine += f->contact_energy();
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, world);
  return std::isnan(all) ? -1.0 : all;
}

std::vector<ExplicitContacts *> PairPolyhedron::all_contacts() const
{
  std::vector<ExplicitContacts *> all = {contacts.get()};
  for (const FixWallPolyhedron *f : FixWallPolyhedron::all_of(modify))
    if (f->explicit_contacts()) all.push_back(f->explicit_contacts());
  return all;
}

/* contact forces and torques on the owned atoms, [6*nlocal] */
std::vector<double> PairPolyhedron::contact_forces() const
{
  std::vector<double> sum(6 * atom->nlocal, 0.0);
  for (const ExplicitContacts *c : all_contacts()) c->add_forces_to(&sum);
  return sum;
}

/* Other commands' forces, to judge by what contacts hold. A force that is zero beside contact
 * forces has been set so, and the body is held. */
void PairPolyhedron::tell_external_forces(const std::vector<double> &contact)
{
  const int wide = StepCommunication::WIDTH;
  std::vector<double> external(wide * (atom->nlocal + atom->nghost), 0.0);
  for (int i = 0; i < atom->nlocal; i++) {
    const pd_vec3 all = pd_v_load(atom->f[i]);
    if (pd_norm(all) > 0.0)
      pd_v_store(&external[wide * i], pd_sub(all, pd_v_load(&contact[6 * i])));
  }
  forward(external.data(), false);
  for (ExplicitContacts *c : all_contacts()) {
    const int n =
        atom->nlocal + (c == contacts.get() ? atom->nghost : 0); /* walls know no ghosts */
    for (int i = 0; i < n; i++)
      c->scene.sys.body[i].external_force = pd_v_load(&external[wide * i]);
  }
}

/* New laws' contact forces take the place of the old ones, but where other commands have set
 * components to zero. */
void PairPolyhedron::replace_forces(const std::vector<double> &old)
{
  report(contacts->evaluate(this, list, {}, WHO, "bodies touch"));
  for (FixWallPolyhedron *f : FixWallPolyhedron::all_of(modify)) f->evaluate();
  const std::vector<double> now = contact_forces();
  for (int i = 0; i < atom->nlocal; i++)
    for (int k = 0; k < 6; k++) {
      double *const f = k < 3 ? &atom->f[i][k] : &atom->torque[i][k - 3];
      if (*f != 0.0 || old[6 * i + k] == 0.0) *f += now[6 * i + k] - old[6 * i + k];
    }
}

void PairPolyhedron::limit_laws(const std::vector<double> &forces)
{
  std::map<const pd_law *, double> gaps;
  for (const ExplicitContacts *c : all_contacts())
    for (const auto &of_law : gaps_too_small(c->scene)) {
      const auto at = gaps.insert(of_law).first;
      at->second = fmin(at->second, of_law.second);
    }
  limit_gaps(gaps);
  replace_forces(forces);
}

static bool anything_moves(const Modify *modify)
{
  for (int i = 0; i < modify->nfix; i++)
    if (modify->fix[i]->time_integrate) return true;
  return false;
}

/* bodies stand where all contacts have been evaluated, those with walls, too */
void PairPolyhedron::watch_step()
{
  if (stability) stability->look(this, list, all_contacts(), WHO);
}

/* after all fixes have added their forces */
void PairPolyhedron::complete_setup()
{
  if (implicit || !contacts) return;
  const std::vector<double> forces = contact_forces();
  tell_external_forces(forces);
  if (has_open_laws()) limit_laws(forces);
  if (!anything_moves(modify)) { /* the first run in which something does will tell */
    energy_here = NAN;
    return;
  }
  warn_of_restitution("explicit integrators");
  tell_external_forces(contact_forces());
  for (ExplicitContacts *c : all_contacts())
    if (last_energy < 0.0)
      warn_of_start_contacts(lmp, WHO, &c->scene);
    else
      warn_of_more_energy(lmp, WHO, &c->scene, last_energy, contact_energy());
  watch_step();
}
