/* SPDX-License-Identifier: GPL-2.0-or-later
 * create_polyhedra: places single bodies, where their files put them or at a given pose. */
#ifndef LMP_CREATE_POLYHEDRA_H
#define LMP_CREATE_POLYHEDRA_H

#include "lammps/host/lmp_compat.h"
#include "lammps/options/options.h"

#include "command.h"

#include "base/rotation.h"

namespace LAMMPS_NS
{

class CreatePolyhedra : public Command
{
public:
  explicit CreatePolyhedra(class LAMMPS *lmp) : Command(lmp) {}
  void command(int, char **) override;

private:
  struct Pose {
    bool place;       /* where the file's coordinates put the body */
    pd_vec3 x;        /* centre of mass, or shift of the file's coordinates */
    pd_quat rotation; /* of the file's frame */
  };

  Pose parse(int narg, char **arg);
  void set(const Options::Given &given, Pose *pose);
  void check_reach(double *x);
  int create(int itype, const struct ShapeOfType &shape, const Pose &pose);
  void complete(int nlocal_previous, bigint expected);
};

} // namespace LAMMPS_NS

#endif
