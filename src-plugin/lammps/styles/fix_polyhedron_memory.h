/* SPDX-License-Identifier: GPL-2.0-or-later
 * fix polyhedron/memory: what the friction contacts of every body remember, as data of its atom.
 * Made by pair_style polyhedron where there is friction, not by users. */
#ifndef LMP_FIX_POLYHEDRON_MEMORY_H
#define LMP_FIX_POLYHEDRON_MEMORY_H

#include "lammps/bridge/friction_memory.h"
#include "lammps/host/lmp_compat.h"

namespace LAMMPS_NS
{

class FixPolyhedronMemory : public Fix
{
public:
  FrictionMemory contacts;

  FixPolyhedronMemory(class LAMMPS *, int, char **);
  ~FixPolyhedronMemory() override;
  int setmask() override;
  void init() override { contacts.begin_run(); }
  void setup_pre_exchange() override;
  void pre_exchange() override;
  void post_run() override;
  void write_restart(FILE *) override;
  void restart(char *) override;

  /* the one instance, made if there is none */
  static FixPolyhedronMemory *instance(LAMMPS *lmp);

  void grow_arrays(int) override;
  void copy_arrays(int, int, int) override;
  void set_arrays(int) override;
  int pack_exchange(int, double *) override;
  int unpack_exchange(int, double *) override;
  int pack_restart(int, double *) override;
  void unpack_restart(int, int) override;
  int size_restart(int) override;
  int maxsize_restart() override;
  double memory_usage() override;
};

} // namespace LAMMPS_NS

#endif
