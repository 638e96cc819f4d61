/* SPDX-License-Identifier: GPL-2.0-or-later
 * What an implicit step does in place of the host's own loop: neighbour lists in mid-step,
 * positions of ghosts, the search for lost bodies; and whether this host can run one at all. */
#ifndef POLYHEDRA_HOST_STEP_H
#define POLYHEDRA_HOST_STEP_H

#include "lammps/host/lmp_compat.h"

namespace LAMMPS_NS
{

class HostStep : protected Pointers
{
public:
  explicit HostStep(class LAMMPS *lmp) : Pointers(lmp), list_seen(-1), short_steps(0) {}

  /* Stops with an error where a fix implicit/polyhedron cannot work. */
  void check();

  /* At the end of a step whose lists, which reach by this skin further than contact, made substeps
   * short, where a reach > 0 would not: warns, once in a run, at the tenth of them. */
  void warn_of_reach(double wanted, double skin);

  /* Whether the host has made a list since the last call. */
  bool list_is_new();

  /* Whether a restart file was written at the end of the step before. */
  bool wrote_restart() const;

  /* Exchange, borders and a new list in mid-step, as the host's own loop does it; sorted: with the
   * atoms sorted before, as at set-up. */
  void make_list(bool sorted);

  /* Ghosts go where their owners are, with their velocities: that of a cell that deforms is left
   * out. */
  void refresh_ghosts();

  /* Stops with an error if a body is outside a fixed boundary, unless lost ones may go. */
  void check_lost() const;

private:
  bigint list_seen; /* the host's count of lists when list_is_new was last called */
  int short_steps;  /* those of this run whose lists made substeps short */

  void pre_exchange_of_others();
  void sort();
  void find_lost() const;
};

} // namespace LAMMPS_NS

#endif
