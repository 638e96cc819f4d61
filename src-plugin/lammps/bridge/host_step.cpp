/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/host_step.h"

#include "domain.h"
#include "force.h"
#include "lammps/host/deform.h"
#include "output.h"
#include "thermo.h"
#include "update.h"

#include <cmath>

using namespace LAMMPS_NS;

void HostStep::check()
{
  if (!atom->style_match("ellipsoid"))
    error->all(FLERR, "Fix implicit/polyhedron requires atom style ellipsoid");
  if (!force->pair_match("polyhedron", 1))
    error->all(FLERR, "Fix implicit/polyhedron requires pair style polyhedron");
  if (Compat::fixes_of_style(modify, "implicit/polyhedron").size() > 1)
    error->all(FLERR, "There can be only one fix implicit/polyhedron");
  if (utils::strmatch(force->pair_style, "^hybrid/scaled"))
    error->all(FLERR,
               "Fix implicit/polyhedron does not work with pair_style hybrid/scaled, of whose "
               "factors it does not know: use hybrid/overlay and other stiffnesses in pair_coeff");
  if (update->whichflag == 2)
    error->all(FLERR,
               "Fix implicit/polyhedron does not work with the command minimize, in which it "
               "would take no step and contacts would have no forces: run with scheme euler "
               "or with damping instead");
  if (utils::strmatch(update->integrate_style, "^respa"))
    error->all(FLERR, "Fix implicit/polyhedron does not work with run_style respa");
  if (!(update->dt > 0.0)) error->all(FLERR, "Fix implicit/polyhedron: the time step must be > 0");
  list_seen = -1;
  short_steps = 0;
}

/* Twice the reach is the skin, a fifth of it to spare, and no less than an eighth of a large body:
 * speeds may grow. Lists of bodies further apart than they are large cost more than they save. */
void HostStep::warn_of_reach(double wanted, double skin)
{
  const int many = 10;
  if (wanted > 0.0) short_steps++;
  if (!(wanted > 0.0) || short_steps != many || comm->me != 0) return;
  const double most = 0.5 * (neighbor->cutneighmax - skin);
  const double fair = fmin(fmax(2.4 * wanted, 0.25 * most), most);
  const double better = fmax(fair, 2.0 * skin);
  const double digit = pow(10.0, floor(log10(better)));
  error->warning(FLERR,
                 fmt::format("Fix implicit/polyhedron: the neighbor skin {} makes substeps "
                             "short at step {}: use a larger one, as neighbor {:.1g} bin",
                             neighbor->skin, update->ntimestep, ceil(better / digit) * digit));
}

bool HostStep::list_is_new()
{
  const bool fresh = list_seen != neighbor->ncalls;
  list_seen = neighbor->ncalls;
  return fresh;
}

bool HostStep::wrote_restart() const
{
  return output->last_restart >= 0 && output->last_restart == update->ntimestep - 1;
}

/* Fixes that add or remove bodies in this step (deposit, pour, evaporate) do so when the host makes
 * its list, not in the middle of our step. */
void HostStep::pre_exchange_of_others()
{
  std::vector<Fix *> due;
  for (int i = 0; i < modify->nfix; i++) {
    Fix *f = modify->fix[i];
    if (f->force_reneighbor && f->next_reneighbor == update->ntimestep) due.push_back(f);
  }
  std::vector<int> flips; /* of the cell at the end of the step */
  const std::vector<FixDeform *> deforms = Compat::fixes_seen_as<FixDeform>(modify, "deform");
  for (Fix *f : due) f->next_reneighbor++;
  for (FixDeform *f : deforms) {
    flips.push_back(Compat::flip_of(f));
    Compat::flip_of(f) = 0;
  }
  if (modify->n_pre_exchange) modify->pre_exchange();
  for (size_t k = 0; k < deforms.size(); k++) Compat::flip_of(deforms[k]) = flips[k];
  for (Fix *f : due) f->next_reneighbor--;
}

void HostStep::refresh_ghosts()
{
  int &remap = Compat::ghosts_remap_velocities(atom->avec);
  const int usual = remap;
  remap = 0;
  comm->forward_comm();
  remap = usual;
}

/* as at set-up of a run that begins with the step before */
void HostStep::sort()
{
  if (atom->sortfreq <= 0) return;
  atom->sort();
  atom->nextsort = (update->ntimestep - 1) / atom->sortfreq * atom->sortfreq + atom->sortfreq;
}

void HostStep::make_list(bool sorted)
{
  pre_exchange_of_others();
  if (domain->triclinic) domain->x2lamda(atom->nlocal);
  domain->pbc();
  if (domain->box_change) {
    domain->reset_box();
    comm->setup();
    if (neighbor->style) neighbor->setup_bins();
  }
  comm->exchange();
  if (sorted) sort();
  comm->borders();
  if (domain->triclinic) domain->lamda2x(atom->nlocal + atom->nghost);
  if (modify->n_pre_neighbor) modify->pre_neighbor();
  neighbor->build(1);
  if (modify->n_post_neighbor) modify->post_neighbor();
}

/* a body outside a fixed boundary would be deleted without a word by the next exchange */
void HostStep::check_lost() const
{
  if (output->thermo->lostflag == Thermo::ERROR) all_together(lmp, FLERR, [&] { find_lost(); });
}

void HostStep::find_lost() const
{
  const bool tilted = domain->triclinic != 0;
  const double *lo = tilted ? domain->boxlo_lamda : domain->boxlo;
  const double *hi = tilted ? domain->boxhi_lamda : domain->boxhi;
  for (int i = 0; i < atom->nlocal; i++) {
    double *x = atom->x[i], lamda[3];
    if (tilted) domain->x2lamda(x, lamda);
    const double *c = tilted ? lamda : x;
    for (int d = 0; d < 3; d++) {
      const bool low = domain->boundary[d][0] == 1 && c[d] < lo[d];
      const bool high = domain->boundary[d][1] == 1 && c[d] >= hi[d];
      if (low || high)
        throw LocalError(fmt::format("Fix implicit/polyhedron: body {} is lost at step {}: it "
                                     "left the simulation box at {:.6g} {:.6g} {:.6g}",
                                     atom->tag[i], update->ntimestep, x[0], x[1], x[2]));
    }
  }
}
