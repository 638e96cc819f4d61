/* SPDX-License-Identifier: GPL-2.0-or-later
 * Options of a command of LAMMPS: what cannot be read stops it with an error. */
#ifndef POLYHEDRA_OPTIONS_PARSE_H
#define POLYHEDRA_OPTIONS_PARSE_H

#include "lammps/options/tables.h"

#include "base/rotation.h"

#include "error.h"
#include "group.h"
#include "lammps.h"

namespace LAMMPS_NS
{
namespace Options
{

/* The option at arg[iarg]. who: start of error messages. */
inline Given parse(LAMMPS *lmp, const Table &table, const char *who, int iarg, int narg, char **arg)
{
  Given given;
  const std::string fault = read(table, who, iarg, narg, arg, &given);
  if (!fault.empty()) lmp->error->all(FLERR, fault);
  return given;
}

/* Takes the defaults of a table, then the options from arg[iarg] to the end. take: of one option.
 */
template <typename Take>
void take_all(LAMMPS *lmp, const Table &table, const char *who, int iarg, int narg, char **arg,
              const Take &take)
{
  defaults(table, take);
  while (iarg < narg) {
    const Given given = parse(lmp, table, who, iarg, narg, arg);
    take(given);
    iarg = given.next;
  }
}

/* Stops with a message about an option that was read. */
[[noreturn]] inline void refuse(LAMMPS *lmp, const Given &given, const std::string &why)
{
  lmp->error->all(FLERR, given.where + ": " + why);
}

/* Rotation by an angle in degrees about an axis, the four values of an option. */
inline pd_quat rotation(LAMMPS *lmp, const Given &given)
{
  const double *v = given.number.data();
  const pd_vec3 axis = pd_unit(pd_v_load(v + 1));
  if (!(pd_norm(axis) > 0.0)) refuse(lmp, given, "the axis of rotate must not be zero");
  const double half = 0.5 * v[0] * PD_PI / 180.0, s = sin(half);
  return pd_q(cos(half), s * axis.x, s * axis.y, s * axis.z);
}

/* Bit of the group that an option names. */
inline int group_bit(LAMMPS *lmp, const Given &given)
{
  const int group = lmp->group->find(given.text[0]);
  if (group < 0) refuse(lmp, given, "there is no such group");
  return lmp->group->bitmask[group];
}

/* The same of a group that there was: groups may be deleted, and their bits given to others. */
inline int group_bit_now(LAMMPS *lmp, const std::string &who, const std::string &name)
{
  const int group = lmp->group->find(name);
  if (group < 0)
    lmp->error->all(FLERR,
                    fmt::format("{}: group {} of keyword fixed has been deleted", who, name));
  return lmp->group->bitmask[group];
}

} // namespace Options
} // namespace LAMMPS_NS

#endif
