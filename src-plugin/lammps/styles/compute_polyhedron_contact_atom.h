/* SPDX-License-Identifier: GPL-2.0-or-later
 * compute polyhedron/contact/atom: what the contacts of each body add up to. */
#ifndef LMP_COMPUTE_POLYHEDRON_CONTACT_ATOM_H
#define LMP_COMPUTE_POLYHEDRON_CONTACT_ATOM_H

#include "lammps/bridge/contact_sums.h"

namespace LAMMPS_NS
{

class ComputePolyhedronContactAtom : public Compute
{
public:
  ComputePolyhedronContactAtom(class LAMMPS *, int, char **);
  void init() override;
  void compute_peratom() override;
  double memory_usage() override;

private:
  enum { NCOLUMN = 22 };
  typedef std::array<double, NCOLUMN> Row;
  ContactView contacts;
  std::vector<ShapeOfType> shapes;
  std::vector<Row> rows; /* by atom */
  std::vector<double *> pointers;

  Row row(const ContactSums &sums, double volume) const;
};

} // namespace LAMMPS_NS

#endif
