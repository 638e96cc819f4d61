/* SPDX-License-Identifier: GPL-2.0-or-later
 * fix insert/polyhedron: bodies come into a region while the run goes on. */
#ifndef LMP_FIX_INSERT_POLYHEDRON_H
#define LMP_FIX_INSERT_POLYHEDRON_H

#include "lammps/bridge/fingerprint.h"
#include "lammps/bridge/insertion.h"

namespace LAMMPS_NS
{

class FixInsertPolyhedron : public Fix, public FingerprintSource
{
public:
  FixInsertPolyhedron(class LAMMPS *, int, char **);
  int setmask() override;
  void init() override;
  void setup_pre_exchange() override;
  void pre_exchange() override;
  void post_run() override;
  void write_restart(FILE *) override;
  void restart(char *) override;
  double compute_scalar() override { return (double)inserted; }
  double compute_vector(int) override;
  void add_fingerprints(Fingerprints *all) const override;

private:
  enum { NSTATE = 4 };
  Insertion insertion;
  int every;
  double rate; /* bodies or volume in a time; 0: as many as find a place */
  pd_vec3 velocity;
  /* state: what is there, and since when */
  bigint inserted;
  double volume;
  bigint first;   /* step of the first insertion */
  double elapsed; /* time since the start, as it was counted last */
  double clock;   /* of the host, then */
  bool full;      /* process 0: the last time a body has found no place */

  void set(const Options::Given &given);
  double time() const;
  void check_groups() const;
  void count_time();
  double limit() const;
  bool done() const;
  std::vector<NewBody> find_places();
  std::string so_far() const;
};

} // namespace LAMMPS_NS

#endif
