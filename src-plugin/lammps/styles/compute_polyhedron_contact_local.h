/* SPDX-License-Identifier: GPL-2.0-or-later
 * compute polyhedron/contact/local: one row per contact point. */
#ifndef LMP_COMPUTE_POLYHEDRON_CONTACT_LOCAL_H
#define LMP_COMPUTE_POLYHEDRON_CONTACT_LOCAL_H

#include "lammps/bridge/contact_view.h"

namespace LAMMPS_NS
{

class ComputePolyhedronContactLocal : public Compute
{
public:
  ComputePolyhedronContactLocal(class LAMMPS *, int, char **);
  void init() override;
  void compute_local() override;
  double memory_usage() override;

private:
  ContactView contacts;
  std::vector<ContactView::Row> rows;
  std::vector<double *> pointers;
};

} // namespace LAMMPS_NS

#endif
