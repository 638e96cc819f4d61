/* SPDX-License-Identifier: GPL-2.0-or-later
 * Forces of the contacts of a step, kept with the atom that owns the contact: the next step can
 * start from them. */
#ifndef POLYHEDRA_CD_MEMORY_H
#define POLYHEDRA_CD_MEMORY_H

#include "lammps/bridge/atom_records.h"
#include "lammps/bridge/cd_network.h"

namespace LAMMPS_NS
{

class ForceMemory
{
public:
  struct Record {
    int64_t partner; /* and features: those of ContactName */
    int sa, sb;
    double force, tangent[2];

    enum { NPACK = 6 };
    void pack(double *buf) const;
    static Record unpack(double *buf);
  };

  AtomRecords<Record> records;

  /* Writes what is known of the network's contacts to their forces f: stride of every contact, the
   * normal one and, if stride is 3, two tangential ones. */
  void recall(const ContactNetwork &network, int stride, double *f) const;

  /* Keeps forces f > 0 of the network's contacts, and nothing else, for nlocal atoms. */
  void keep(const ContactNetwork &network, int stride, const double *f, int nlocal);
};

} // namespace LAMMPS_NS

#endif
