/* SPDX-License-Identifier: GPL-2.0-or-later
 * compute polyhedron/contact/local: one row per contact point. */
#ifndef LMP_COMPUTE_POLYHEDRON_CONTACT_LOCAL_H
#define LMP_COMPUTE_POLYHEDRON_CONTACT_LOCAL_H

#include "lammps/host/lmp_compat.h"

#include "dynamics/system.h"

namespace LAMMPS_NS
{

class BodyScene;
class PairPolyhedron;
class WallSet;

class ComputePolyhedronContactLocal : public Compute
{
public:
  ComputePolyhedronContactLocal(class LAMMPS *, int, char **);
  ~ComputePolyhedronContactLocal() override;
  void init() override;
  void compute_local() override;
  double memory_usage() override;

private:
  enum { NCOL = 17 };
  PairPolyhedron *pair;
  BodyScene *scene;
  std::vector<WallSet *> walls;
  std::vector<double> rows;
  std::vector<double *> pointers;
  pd_contact_list list;

  static void visit(void *ctx, const pd_contact_pair *link, const pd_contact *c);
  void add(const pd_contact_pair *link, const pd_contact *c);
};

} // namespace LAMMPS_NS

#endif
