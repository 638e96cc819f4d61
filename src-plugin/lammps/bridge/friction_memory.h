/* SPDX-License-Identifier: GPL-2.0-or-later
 * What the friction contacts of every body remember. In a step the records are those of the system
 * that is stepped; where atoms move or are written, a contact's record lies with both of its
 * bodies, so that it survives when they part to different processes. */
#ifndef POLYHEDRA_FRICTION_MEMORY_H
#define POLYHEDRA_FRICTION_MEMORY_H

#include "lammps/bridge/atom_records.h"
#include "lammps/bridge/fingerprint.h"
#include "lammps/host/lmp_compat.h"

#include "dynamics/system.h"

#include <map>
#include <memory>
#include <string>

namespace LAMMPS_NS
{

class FrictionMemory : protected Pointers
{
public:
  struct Record {
    int64_t self;    /* tag of the body when the record was kept */
    int64_t partner; /* tag of the other body, or minus the key of a wall */
    pd_friction_record contact;
    pd_vec3 apart; /* centres of the pair's bodies, of the second from the first; of a wall its
                      frame from the body */

    enum { NPACK = 19 };
    void pack(double *buf) const;
    static Record unpack(double *buf);
  };

  AtomRecords<Record> records;

  /* most: the most numbers that a body of this process has had in a buffer. The host has buffers
   * for as many, also where it asks for nothing before it moves atoms: command balance. */
  FrictionMemory(class LAMMPS *lmp, int *most)
      : Pointers(lmp), room(most), kept(false), created(true), count(0), bodies(0)
  {
  }

  /* At the start and the end of a run. In one without friction, or without its pair style, bodies
   * go elsewhere: what they remember then is of other places. */
  void begin_run() { kept = false; }
  void end_run();

  /* Forgets walls that are no more, and those of a fix that has been given again elsewhere. */
  void forget_other_walls(const std::vector<class WallSet *> &walls);

  /* A body has been created since. */
  void note_created() { created = true; }

  /* Between runs commands may have deleted bodies and given the others new tags: the records follow
   * them, and those of deleted bodies go. Collective. */
  void follow_tags();

  /* Appends what the owned body i remembers of another one to the pair that sys has got last.
   * state: of the pair's bodies. In a narrow periodic cell a body meets another one and its images:
   * each of these pairs has its own records. */
  void recall(pd_system *sys, int i, int64_t partner, const pd_state state[2]) const;

  /* The same of a wall. Where it goes on beyond the cell, contacts of a body that the host has
   * wrapped are with other copies of its vertices and edges. */
  void recall(pd_system *sys, int i, const pd_wall &wall,
              const struct SurfacePeriods &periods) const;

  /* From now on the records at the start of the next substep of all pairs of a system are what is
   * remembered of their partners (bodies if there are pairs, and the walls), until the atoms take
   * them. To be called again when they have become others. The body of an owned atom has its index
   * in the system. */
  void leave_to(const std::shared_ptr<const pd_system> &sys, bool pairs);

  /* The atoms have what is remembered, too: before somebody else looks for it there. */
  void show();

  /* The records are with the atoms alone from now on: to be called before atoms are moved. */
  void take();

  /* Counts what body i has got, for room. */
  void count_room(int i) { *room = std::max(*room, records.size(i)); }

private:
  int *room;
  bool kept;    /* in this run */
  bool created; /* or not known */
  bigint count; /* of atoms, when the tags were last looked at */
  struct Holder {
    std::weak_ptr<const pd_system> sys;
    bool pairs; /* of bodies */
  };
  std::vector<Holder> holders;                /* who has records in place of the atoms */
  int bodies;                                 /* owned ones of the holders */
  std::vector<int> held;                      /* by holders, of each of these */
  std::map<std::string, Fingerprints> places; /* of the walls of each fix, as they were last */

  struct NewTags;

  void append(pd_system *sys, const pd_friction_record &contact) const;
  void forget_partners(const pd_system *sys, bool pairs);
  void forget_shown();
  void count_held();
  void count_held_by(const pd_system *sys);
  void copy_from(const pd_system *sys);

  bool stands_elsewhere(const class WallSet *set);
  bool tags_are_as_they_were() const;
  NewTags new_tags() const;
};

} // namespace LAMMPS_NS

#endif
