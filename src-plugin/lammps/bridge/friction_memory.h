/* SPDX-License-Identifier: GPL-2.0-or-later
 * What the friction contacts of every body remember. A contact's record lies with both of its
 * bodies, so that it survives when they part to different processes. */
#ifndef POLYHEDRA_FRICTION_MEMORY_H
#define POLYHEDRA_FRICTION_MEMORY_H

#include "lammps/bridge/atom_records.h"
#include "lammps/host/lmp_compat.h"

#include "dynamics/system.h"

namespace LAMMPS_NS
{

class FrictionMemory : protected Pointers
{
public:
  struct Record {
    int64_t partner; /* tag of the other body, or minus the key of a wall */
    pd_friction_record contact;

    enum { NPACK = 12 };
    void pack(double *buf) const;
    static Record unpack(double *buf);
  };

  AtomRecords<Record> records;

  explicit FrictionMemory(class LAMMPS *lmp) : Pointers(lmp) {}

  /* Appends what the owned body i remembers of a partner to the pair that sys has got last. */
  void recall(pd_system *sys, int i, int64_t partner) const;

  /* Keeps the records at the start of the next substep of all pairs of sys; whatever was known of
   * their partners (bodies if there are pairs, and the walls) is forgotten. */
  void keep(const pd_system *sys, bool pairs);
};

} // namespace LAMMPS_NS

#endif
