/* SPDX-License-Identifier: GPL-2.0-or-later
 * What classes of the host keep to themselves and their heirs. */
#ifndef POLYHEDRA_KEPT_H
#define POLYHEDRA_KEPT_H

#include "lammps/host/lmp_compat.h"

#include "fix_setforce.h"
#include "input.h"

namespace LAMMPS_NS
{
namespace Compat
{

/* the command of the input script that is being run */
class InputHeir : public Input
{
public:
  static const char *read(Input *input) { return input->*(&InputHeir::command); }
};

inline bool is_command(Input *input, const char *name)
{
  const char *command = InputHeir::read(input);
  return command && strcmp(command, name) == 0;
}

/* what fix setforce was given */
struct SetForce {
  bool set[3]; /* components that are set */
  bool zero;   /* everywhere, and to the number 0 */
};

class SetForceHeir : public FixSetForce
{
public:
  static SetForce read(FixSetForce *fix)
  {
    enum { NONE }; /* for NULL, and until the first run for a variable */
    const int style[3] = {fix->*(&SetForceHeir::xstyle), fix->*(&SetForceHeir::ystyle),
                          fix->*(&SetForceHeir::zstyle)};
    const double value[3] = {fix->*(&SetForceHeir::xvalue), fix->*(&SetForceHeir::yvalue),
                             fix->*(&SetForceHeir::zvalue)};
    const char *const variable[3] = {fix->*(&SetForceHeir::xstr), fix->*(&SetForceHeir::ystr),
                                     fix->*(&SetForceHeir::zstr)};
    SetForce given = {{false, false, false}, fix->*(&SetForceHeir::idregion) == nullptr};
    for (int k = 0; k < 3; k++) {
      given.set[k] = variable[k] || style[k] != NONE;
      if (variable[k] || (given.set[k] && value[k] != 0.0)) given.zero = false;
    }
    return given;
  }
};

inline SetForce set_force(Fix *fix) { return SetForceHeir::read(dynamic_cast<FixSetForce *>(fix)); }

} // namespace Compat
} // namespace LAMMPS_NS

#endif
