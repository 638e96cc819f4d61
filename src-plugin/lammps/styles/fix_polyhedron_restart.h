/* SPDX-License-Identifier: GPL-2.0-or-later
 * fix polyhedron/restart: brings the time to restart files, and fingerprints, which it compares
 * with those of the run that goes on. Made by other styles, not by users; they talk to it by
 * fix_modify. */
#ifndef LMP_FIX_POLYHEDRON_RESTART_H
#define LMP_FIX_POLYHEDRON_RESTART_H

#include "lammps/bridge/fingerprint.h"

namespace LAMMPS_NS
{

class FixPolyhedronRestart : public Fix
{
public:
  FixPolyhedronRestart(class LAMMPS *, int, char **);
  int setmask() override { return 0; }
  void init() override;
  int modify_param(int, char **) override;
  void write_restart(FILE *) override;
  void restart(char *) override;

  /* Makes the one instance, if there is none. Not within the constructor of another fix. */
  static void make(LAMMPS *lmp);

  /* Whether the script says that this subject is meant to change. */
  static bool changes(LAMMPS *lmp, const std::string &subject);

private:
  Fingerprints before;              /* of the restart file, until they are compared */
  std::vector<std::string> changed; /* subjects that the script changes on purpose */

  bool is_changed(const std::string &subject) const;
  void warn_of_old_file();
  void check_changed();
  std::string go_on_from(const std::string &text);
};

} // namespace LAMMPS_NS

#endif
