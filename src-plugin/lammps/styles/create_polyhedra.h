/* SPDX-License-Identifier: GPL-2.0-or-later
 * create_polyhedra: places bodies, where their files put them, at a given pose, or many of them in
 * a region. */
#ifndef LMP_CREATE_POLYHEDRA_H
#define LMP_CREATE_POLYHEDRA_H

#include "lammps/bridge/insertion.h"
#include "lammps/bridge/new_bodies.h"
#include "lammps/host/lmp_compat.h"
#include "lammps/options/options.h"

#include "command.h"

namespace LAMMPS_NS
{

class CreatePolyhedra : public Command
{
public:
  explicit CreatePolyhedra(class LAMMPS *lmp) : Command(lmp), lo(0), hi(0) {}
  void command(int, char **) override;

private:
  struct Pose {
    bool place;       /* where the file's coordinates put the body */
    pd_vec3 x;        /* centre of mass, or shift of the file's coordinates */
    pd_quat rotation; /* of the file's frame */
  };
  int lo, hi; /* atom types */
  std::vector<ShapeOfType> shapes;

  Pose parse(const Options::Given &place, int narg, char **arg);
  void create(const Pose &pose);
  void fill(const Options::Given &place, int narg, char **arg);
  void tell(const Insertion &insertion, const std::vector<NewBody> &bodies, bigint wanted);
};

} // namespace LAMMPS_NS

#endif
