/* SPDX-License-Identifier: GPL-2.0-or-later
 * Bodies placed at random in a region: what create_polyhedra fill and fix insert/polyhedron share.
 * Process 0 chooses the places, so that they do not depend on the number of processes. */
#ifndef POLYHEDRA_INSERTION_H
#define POLYHEDRA_INSERTION_H

#include "lammps/bridge/body_sequence.h"
#include "lammps/bridge/insertion_region.h"
#include "lammps/bridge/placement.h"
#include "lammps/options/parse.h"

#include <map>
#include <memory>

namespace LAMMPS_NS
{

class Insertion : protected Pointers
{
public:
  Insertion(LAMMPS *lmp, const char *who);

  /* Types of the bodies, from a range of the input. */
  void set_types(const char *range);

  /* region, target, its value and the seed; then the keywords */
  void set_target(const Options::Given &given);
  void set(const Options::Given &given);

  /* Takes the shapes as they are; what was given is checked. All processes. */
  void init();

  /* Sees where bodies, walls and the region are now. All processes. */
  void look(int groups);
  void forget() { placement.reset(); }

  /* Whether after n bodies with a volume one more brings the target nearer; limit: number or volume
   * that may be there by now. */
  bool wants(bigint n, double volume, bigint k, double limit) const;

  /* number or volume that is asked for; the region must have been looked at */
  double target() const;
  bool counts() const { return of == COUNT; }

  /* Looks for a place of a body of the sequence, on process 0. trial: attempts of another trial are
   * at other places. Returns false if there was none. */
  bool place(NewBody *body, bigint k, uint64_t trial);

  /* What is to be said of walls that some of the new bodies are within and some are not: obstacles
   * are hollow. Once; "" if nothing. On process 0. */
  std::string about_walls();

  /* From process 0 to all. */
  void share(std::vector<NewBody> *bodies) const;

  const BodySequence &bodies() const { return sequence; }

  /* whether it has looked for them */
  bool has_bodies() const { return !sequence.shapes.empty(); }
  const char *name() const { return who; }
  int most_attempts() const { return attempts; }
  double region_volume() const { return space; }

private:
  enum Target { COUNT, VOLUME, FRACTION };
  const char *who;
  BodySequence sequence;
  int lo, hi;
  std::vector<std::pair<std::string, double>> weights; /* as given: range of types, weight */
  InsertionRegion region;
  Target of;
  double asked;
  double gap; /* NaN: of the contact laws */
  bool whole; /* bodies are within the region wholly, not with their centres alone */
  int attempts;
  int groups;   /* bits of the groups that new bodies are in */
  double space; /* volume of the region */
  StartGaps gaps;
  std::unique_ptr<Placement> placement;
  bigint placed;                        /* so far */
  std::map<std::string, bigint> within; /* of them, by wall */
  bool told;                            /* of walls */

  void weigh();
  void check_shapes();
  void check_target() const;
};

} // namespace LAMMPS_NS

#endif
