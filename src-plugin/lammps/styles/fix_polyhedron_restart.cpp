/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/styles/fix_polyhedron_restart.h"

#include "lammps/host/clock.h"
#include "lammps/options/options.h"

#include <algorithm>

using namespace LAMMPS_NS;

/* begins the line of the time, which early files do not have */
static const char *const CLOCK = "time and step";

FixPolyhedronRestart::FixPolyhedronRestart(LAMMPS *lmp, int narg, char **arg) : Fix(lmp, narg, arg)
{
  restart_global = 1;
}

/* The host hands out what was in a restart file when the fix is made. */
void FixPolyhedronRestart::make(LAMMPS *lmp)
{
  if (Compat::fixes_of_style(lmp->modify, "polyhedron/restart").empty())
    lmp->modify->add_fix("POLYHEDRON_RESTART all polyhedron/restart");
}

bool FixPolyhedronRestart::is_changed(const std::string &subject) const
{
  return std::count(changed.begin(), changed.end(), subject) ||
         std::count(changed.begin(), changed.end(), "all");
}

bool FixPolyhedronRestart::changes(LAMMPS *lmp, const std::string &subject)
{
  for (Fix *f : Compat::fixes_of_style(lmp->modify, "polyhedron/restart"))
    if (dynamic_cast<FixPolyhedronRestart *>(f)->is_changed(subject)) return true;
  return false;
}

/* fix_modify POLYHEDRON_RESTART changed SUBJECT ... */
int FixPolyhedronRestart::modify_param(int narg, char **arg)
{
  if (strcmp(arg[0], "changed") != 0) return 0;
  if (narg < 2)
    error->all(FLERR, "fix_modify POLYHEDRON_RESTART changed: shape, law, all or IDs of fixes must "
                      "follow");
  changed.insert(changed.end(), arg + 1, arg + narg);
  return narg;
}

/* The host hands out the data of a restart file until the first initialisation, and laws of auto
 * are chosen by then: now all is there that will ever be. */
void FixPolyhedronRestart::init()
{
  warn_of_old_file();
  if (before.empty()) return;
  check_changed();
  const std::string fault =
      is_changed("all") ? "" : first_difference(before, collect_fingerprints(lmp), changed);
  if (!fault.empty()) error->all(FLERR, "Restart: " + fault);
  before.clear();
}

/* The host marks fixes that have got data of a restart file. */
void FixPolyhedronRestart::warn_of_old_file()
{
  for (int i = 0; i < modify->nfix; i++) {
    const Fix *fix = modify->fix[i];
    if (restart_reset || !fix->restart_reset || !dynamic_cast<const FingerprintSource *>(fix))
      continue;
    if (comm->me == 0)
      error->warning(FLERR, "Restart: the restart file has no fingerprints of shapes, laws and "
                            "fixes: whether they are the same is not known");
    restart_reset = 1;
  }
}

void FixPolyhedronRestart::check_changed()
{
  std::vector<std::string> there;
  for (const Fingerprint &f : before)
    if (!std::count(there.begin(), there.end(), f.subject)) there.push_back(f.subject);
  for (const std::string &subject : changed)
    if (subject != "all" && !std::count(there.begin(), there.end(), subject))
      error->all(FLERR, fmt::format("fix_modify POLYHEDRON_RESTART changed {}: the restart file "
                                    "has {}",
                                    subject, Options::listed(there, "and")));
}

/* time and step, then the fingerprints */
void FixPolyhedronRestart::write_restart(FILE *fp)
{
  const std::string text =
      fmt::format("{} {:.17g} {}\n", CLOCK, simulated_time(update), update->ntimestep) +
      fingerprints_as_text(collect_fingerprints(lmp));
  if (comm->me) return;
  const int size = (int)text.size() + 1;
  fwrite(&size, sizeof(int), 1, fp);
  fwrite(text.c_str(), 1, size, fp);
}

void FixPolyhedronRestart::restart(char *buf)
{
  if (!fingerprints_of_text(go_on_from(buf), &before))
    error->all(FLERR, "Restart: another version of the plugin has written the restart file, or it "
                      "is damaged: its fingerprints of shapes, laws and fixes cannot be read");
}

/* Takes over the time, and returns what follows. */
std::string FixPolyhedronRestart::go_on_from(const std::string &text)
{
  const size_t label = strlen(CLOCK), end = text.find('\n');
  if (text.compare(0, label, CLOCK) != 0 || end == std::string::npos) return text;
  char *after;
  const double time = strtod(text.c_str() + label, &after);
  restore_time(update, time, strtod(after, nullptr));
  return text.substr(end + 1);
}
