/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/styles/compute_polyhedron_contact_atom.h"

#include "update.h"

using namespace LAMMPS_NS;

ComputePolyhedronContactAtom::ComputePolyhedronContactAtom(LAMMPS *lmp, int narg, char **arg)
    : Compute(lmp, narg, arg), contacts(lmp, "Compute polyhedron/contact/atom")
{
  if (narg != 3)
    error->all(FLERR, "Illegal compute polyhedron/contact/atom command: it has no arguments");
  peratom_flag = 1;
  size_peratom_cols = NCOLUMN;
}

void ComputePolyhedronContactAtom::init()
{
  contacts.init();
  shapes = collect_shapes(lmp);
}

/* atoms without a shape and those of other groups have zeros */
void ComputePolyhedronContactAtom::compute_peratom()
{
  if (!contacts.ready()) init();
  /* between runs bodies may move, or change, at the same step */
  invoked_peratom = update->whichflag ? update->ntimestep : -1;
  SumsOfBodies sums(&contacts, atom->nlocal);
  contacts.visit([&](const pd_contact_pair *pair, const pd_contact &c) { sums.add(pair, c); });
  rows.assign(atom->nmax, Row());
  pointers.clear();
  for (int i = 0; i < atom->nmax; i++) pointers.push_back(rows[i].data());
  for (int i = 0; i < atom->nlocal; i++) {
    const pd_shape *s = shapes[atom->type[i]].shape;
    if (s && (atom->mask[i] & groupbit)) rows[i] = row(sums.of(i), s->mass.volume);
  }
  array_atom = pointers.data();
}

ComputePolyhedronContactAtom::Row ComputePolyhedronContactAtom::row(const ContactSums &s,
                                                                    double volume) const
{
  return {{s.points,    s.bodies,    s.walls,     s.force[0],  s.force[1],  s.force[2],
           s.moment[0], s.moment[1], s.moment[2], s.stress[0], s.stress[1], s.stress[2],
           s.stress[3], s.stress[4], s.stress[5], s.fabric[0], s.fabric[1], s.fabric[2],
           s.fabric[3], s.fabric[4], s.fabric[5], volume}};
}

double ComputePolyhedronContactAtom::memory_usage()
{
  return (double)rows.capacity() * sizeof(Row) + (double)pointers.capacity() * sizeof(double *);
}
