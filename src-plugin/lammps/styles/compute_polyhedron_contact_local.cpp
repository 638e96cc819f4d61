/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/styles/compute_polyhedron_contact_local.h"

#include "update.h"

using namespace LAMMPS_NS;

ComputePolyhedronContactLocal::ComputePolyhedronContactLocal(LAMMPS *lmp, int narg, char **arg)
    : Compute(lmp, narg, arg), contacts(lmp, "Compute polyhedron/contact/local")
{
  if (narg != 3)
    error->all(FLERR, "Illegal compute polyhedron/contact/local command: it has no arguments");
  local_flag = 1;
  size_local_cols = ContactView::NCOLUMN;
  size_local_rows = 0;
}

void ComputePolyhedronContactLocal::init() { contacts.init(); }

void ComputePolyhedronContactLocal::compute_local()
{
  if (!contacts.ready()) init();
  /* between runs bodies may move, or change, at the same step */
  invoked_local = update->whichflag ? update->ntimestep : -1;
  rows.clear();
  contacts.visit([this](const pd_contact_pair *pair, const pd_contact &c) {
    if (contacts.lists(pair, groupbit)) rows.push_back(contacts.row(pair, c));
  });
  pointers.clear();
  for (ContactView::Row &r : rows) pointers.push_back(r.data());
  size_local_rows = (int)rows.size();
  array_local = pointers.data();
}

double ComputePolyhedronContactLocal::memory_usage()
{
  return (double)rows.capacity() * sizeof(ContactView::Row) +
         (double)pointers.capacity() * sizeof(double *);
}
