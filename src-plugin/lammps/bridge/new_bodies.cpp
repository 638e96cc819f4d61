/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/new_bodies.h"

#include "lammps/bridge/atom_rotation.h"
#include "atom_vec_ellipsoid.h"
#include "domain.h"

#include <algorithm>
#include <cmath>

using namespace LAMMPS_NS;

pd_quat LAMMPS_NS::orientation_of(const ShapeOfType &shape, pd_quat rotation)
{
  return pd_q_normalize(pd_q_mul(rotation, pd_q_from_matrix(shape.shape->mass.axes)));
}

/* image flags count so many boxes only, and the host wraps by one box at a time */
static void check_reach(LAMMPS *lmp, const char *who, double *x)
{
  const Domain *box = lmp->domain;
  double lamda[3];
  for (int k = 0; k < 3; k++) lamda[k] = (x[k] - box->boxlo[k]) / box->prd[k];
  if (box->triclinic) lmp->domain->x2lamda(x, lamda);
  for (int k = 0; k < 3; k++)
    if (box->periodicity[k] && !(fabs(lamda[k]) < IMGMAX))
      lmp->error->all(FLERR,
                      fmt::format("{}: {:g} {:g} {:g} lies {:g} periodic boxes away, the most are "
                                  "{}: give the place within the box",
                                  who, x[0], x[1], x[2], fabs(lamda[k]), IMGMAX));
}

static bool is_mine(Domain *box, double *x)
{
  double lamda[3];
  if (box->triclinic) box->x2lamda(x, lamda);
  const double *coord = box->triclinic ? lamda : x;
  const double *sublo = box->triclinic ? box->sublo_lamda : box->sublo;
  const double *subhi = box->triclinic ? box->subhi_lamda : box->subhi;
  for (int k = 0; k < 3; k++)
    if (coord[k] < sublo[k] || coord[k] >= subhi[k]) return false;
  return true;
}

/* returns whether it is this process's */
static bool create(LAMMPS *lmp, const char *who, const ShapeOfType &s, const NewBody &body,
                   const NewBodyState &state)
{
  Atom *atom = lmp->atom;
  double x[3];
  pd_v_store(x, body.x);
  check_reach(lmp, who, x);
  imageint image = ((imageint)IMGMAX << IMG2BITS) | ((imageint)IMGMAX << IMGBITS) | IMGMAX;
  lmp->domain->remap(x, image);
  if (!is_mine(lmp->domain, x)) return false;
  atom->avec->create_atom(body.type, x);
  const int i = atom->nlocal - 1;
  auto *avec = dynamic_cast<AtomVecEllipsoid *>(atom->style_match("ellipsoid"));
  avec->set_shape(i, s.axes[0], s.axes[1], s.axes[2]);
  atom->rmass[i] = s.mass;
  atom->image[i] = image;
  atom->mask[i] = 1 | state.groups;
  pd_v_store(atom->v[i], state.v);
  quat_store(avec->bonus[atom->ellipsoid[i]].quat, body.q);
  return true;
}

static tagint largest_tag(LAMMPS *lmp)
{
  const Atom *atom = lmp->atom;
  tagint mine = 0, most;
  for (int i = 0; i < atom->nlocal; i++) mine = std::max(mine, atom->tag[i]);
  MPI_Allreduce(&mine, &most, 1, MPI_LMP_TAGINT, MPI_MAX, lmp->world);
  return most;
}

void LAMMPS_NS::create_bodies(LAMMPS *lmp, const char *who, const std::vector<ShapeOfType> &shapes,
                              const std::vector<NewBody> &list, const NewBodyState &state)
{
  Atom *atom = lmp->atom;
  /* ghosts would be overwritten by new atoms; they come back at the next setup or exchange */
  if (atom->map_style != Atom::MAP_NONE) atom->map_clear();
  atom->nghost = 0;
  atom->avec->clear_bonus();
  const int before = atom->nlocal;
  const tagint last = atom->tag_enable ? largest_tag(lmp) : 0;
  if ((bigint)last + (bigint)list.size() >= MAXTAGINT)
    lmp->error->all(FLERR, fmt::format("{}: {} new IDs after {} exceed the largest allowed ID", who,
                                       list.size(), last));
  for (size_t k = 0; k < list.size(); k++)
    if (create(lmp, who, shapes[list[k].type], list[k], state) && atom->tag_enable)
      atom->tag[atom->nlocal - 1] = last + 1 + (tagint)k;
  /* data of other fixes, as create_atoms does it */
  atom->data_fix_compute_variable(before, atom->nlocal);
  const bigint mine = atom->nlocal - before;
  bigint created;
  MPI_Allreduce(&mine, &created, 1, MPI_LMP_BIGINT, MPI_SUM, lmp->world);
  if (created != (bigint)list.size())
    lmp->error->all(FLERR, fmt::format("{}: {} of {} bodies lie outside the simulation box", who,
                                       (bigint)list.size() - created, list.size()));
  atom->natoms += created;
  atom->nellipsoids += created;
  if (atom->map_style != Atom::MAP_NONE) {
    atom->map_init();
    atom->map_set();
  }
}
