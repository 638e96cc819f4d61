/* SPDX-License-Identifier: GPL-2.0-or-later
 * fix polyhedron/memory: what the friction contacts of every body remember. Made by pair_style
 * polyhedron where there is friction, not by users. A contact's record lies with both of its
 * bodies, so that it survives when they part to different processes. */
#ifndef LMP_FIX_POLYHEDRON_MEMORY_H
#define LMP_FIX_POLYHEDRON_MEMORY_H

#include "lammps/bridge/atom_records.h"
#include "lammps/bridge/lmp_compat.h"

#include "dynamics/system.h"

namespace LAMMPS_NS
{

class FixPolyhedronMemory : public Fix
{
public:
  struct Record {
    int64_t partner; /* tag of the other body, or minus the key of a wall */
    pd_friction_record contact;

    enum { NPACK = 12 };
    void pack(double *buf) const;
    static Record unpack(double *buf);
  };

  FixPolyhedronMemory(class LAMMPS *, int, char **);
  ~FixPolyhedronMemory() override;
  int setmask() override;
  void pre_exchange() override;

  /* the one instance, made if there is none */
  static FixPolyhedronMemory *instance(LAMMPS *lmp);

  /* Appends what the owned body i remembers of a partner to the pair that sys has got last. */
  void recall(pd_system *sys, int i, int64_t partner) const;

  /* Keeps the records at the start of the next substep of all pairs of sys; whatever was known of
   * their partners (bodies if there are pairs, and the walls) is forgotten. */
  void keep(const pd_system *sys, bool pairs);

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

private:
  AtomRecords<Record> records;
};

} // namespace LAMMPS_NS

#endif
