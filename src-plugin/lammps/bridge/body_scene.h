/* SPDX-License-Identifier: GPL-2.0-or-later
 * The bridge between LAMMPS's arrays and the core: bodies from atoms, pairs from the neighbour
 * list. */
#ifndef POLYHEDRA_BODY_SCENE_H
#define POLYHEDRA_BODY_SCENE_H

#include "lammps/bridge/wall_set.h"
#include "lammps/bridge/shape_table.h"

#include "solve/newton.h"
#include "dynamics/system.h"

namespace LAMMPS_NS
{

class AtomVecEllipsoid;
class LoadSet;
class OtherFixes;

class BodyScene : protected Pointers
{
public:
  pd_system sys;

  /* free_walls: walls that have a degree of freedom are bodies, after those of the atoms; else they
   * stand where they are. */
  explicit BodyScene(class LAMMPS *, bool free_walls = false);
  ~BodyScene() override;

  /* Bodies of all owned and ghost atoms (body i is atom i), pairs from the full list (may be
   * nullptr) and from the walls as they are after the fraction s of the step, with what the
   * friction contacts remember. groupbit: which bodies the step moves, if there is no fix
   * implicit/polyhedron, whose it is else. */
  void rebuild(const ContactLaws *laws, NeighList *list, const std::vector<WallSet *> &walls,
               int groupbit, double s = 0.0);

  /* Whether bodies, pairs and the memory of friction are still those that rebuild would make, if
   * the memory is the scene's own (keep_memory). The answers of the processes may differ. */
  bool fits(NeighList *list, const std::vector<WallSet *> &walls, int groupbit);

  /* What rebuild does, for a scene that fits. */
  void reload(const ContactLaws *laws, double s = 0.0);

  /* Rebuilds the scene if it does not fit, else reloads it: whether its pairs are the same. */
  bool renew(const ContactLaws *laws, NeighList *list, const std::vector<WallSet *> &walls,
             int groupbit);

  /* Whether the bodies stand and move as their atoms do, in a scene that fits. The answers of the
   * processes may differ. */
  bool is_current();

  /* The settings may have changed: the scene fits no more. */
  void forget() { known = false; }

  /* Positions, orientations and velocities from the atoms, from index first on. */
  void load(int first = 0);

  /* The same back to the owned atoms. */
  void store();

  /* what this process's bodies do to the walls of the i-th wall fix, from the last evaluation */
  WallLoad wall_load(int i) const;

  /* Whether walls with a degree of freedom have no accelerations yet; takes over those that they
   * have, or that the bodies have been given. */
  bool has_new_walls() const;
  void start_walls();

  /* hands all walls what wall_load says of them */
  void load_walls() const;

  /* A solved substep, which is the given part of the step, goes to the walls' means and work. */
  void add_to_wall_means(double part) const;

  /* Prescribes the walls' motion over a substep of length h, from where they are to where they will
   * be after the fraction s of the step. */
  void move_walls(double s, double h);

  /* The loads of the fixes load/polyhedron in a substep between two fractions of the step. */
  void set_loads(const std::vector<LoadSet *> &fixes, double s0, double s1);

  /* their work in the substep back to the fixes */
  void share_work(const std::vector<LoadSet *> &fixes) const;

  /* The bodies are where they were before a substep that is not accepted. */
  void take_back() const;

  /* What friction remembers is what this scene has, until it is to go to the atoms. accept: that of
   * the last evaluation, of an explicit step. */
  void keep_memory(bool accept);

  /* It goes there, before they move. */
  void return_memory();

  /* whether an atom is a polyhedron */
  bool has_shape(int i) const { return shapes[atom->type[i]].shape != nullptr; }

  /* Stops if two bodies meet that other fixes move, between which the step knows no contact. */
  void check_unheeded()
  {
    all_together(lmp, FLERR, [this] { find_unheeded(); });
  }

  /* stops if two bodies overlap, or a body and a wall */
  void check_overlap(const char *who)
  {
    all_together(lmp, FLERR, [&] { find_overlap(who); });
  }

  /* Of which fix wall/polyhedron a wall of sys is, and which one of that fix, both from 1. */
  struct WallPlace {
    int fix, number;
  };
  WallPlace wall_place(int w) const;

  /* The moving wall that takes most force at the start of a substep, for messages: "; wall lid,
   * which moves, takes a force of 1200"; empty if none takes any. Collective. */
  std::string pressed_wall() const;

  /* name of the other side of a pair, or of a body by pd_body_name: "body 12" or "wall floor" */
  std::string partner(const pd_contact_pair *pair) const;
  std::string name_of(long number) const;

private:
  std::vector<ShapeOfType> shapes;
  std::vector<WallSet *> walls;
  std::vector<int> wall_of; /* index into walls of every wall of sys */
  const bool free_walls;
  std::vector<int> body_of_wall; /* of every wall of sys, -1: none */
  AtomVecEllipsoid *avec;
  const OtherFixes *others;   /* what they do to the bodies; nullptr: nothing */
  const Cell *cell;           /* what carries them; nullptr: nothing does */
  pd_shape *no_shape;         /* of atoms that are no polyhedra: nothing ever touches it */
  FrictionMemory *remembered; /* nullptr where there is no friction */
  std::shared_ptr<const pd_system> lent; /* sys, for as long as the scene is there */
  bool has_list;             /* pairs of bodies were asked for: ghosts are bodies, too */
  std::vector<int> load_fix; /* index of the fix of every load */

  /* a pair as it is found: there may be many, on top of what else there is */
  struct Found {
    int a, b, wall;
  };
  std::vector<pd_contact_pair> unheeded; /* of bodies that other fixes integrate: without contact */

  /* what the scene was made of */
  struct Origin {
    tagint tag;
    int type, mask;
  };
  bool known;
  std::vector<Origin> origin; /* of every body */
  NeighList *made_of;
  int group;               /* whose bodies the step moves */
  int groups;              /* bits of all groups that matter */
  bigint builds, built_at; /* the host's count of lists and step of the last */

  void make(const ContactLaws *laws, NeighList *list, const std::vector<WallSet *> &walls,
            int groupbit, double s);
  int count_bodies() const;
  Origin origin_of(int i) const;
  bool same_walls(const std::vector<WallSet *> &with) const;
  void remember_origin(NeighList *list, int groupbit);
  int count_free_walls() const;
  const pd_shape *shape_of_wall(const pd_wall &wall) const;
  void set_free_walls();
  void load_free_walls();
  void store_free_walls();
  void share_free_walls();
  pd_vec3 place_of_wall(int w) const;
  pd_vec3 middle_of_wall(int w) const;
  WallFreedom &freedom_of(const pd_body &b) const { return walls[wall_of[b.wall - 1]]->freedom(); }
  void set_bodies(int groupbit);
  void set_body(int i, int groupbit);
  void require_shape(int i) const;
  pd_state state_of(int i) const;
  void take_loads(const std::vector<LoadSet *> &fixes, double s0, double s1);
  void find_overlap(const char *who);
  std::string smaller_shapes(const pd_contact_pair &l) const;
  void find_unheeded();
  void find_pairs(const ContactLaws *laws, NeighList *list);
  void find_body_pairs(const ContactLaws *laws, NeighList *list, std::vector<Found> *found);
  void find_wall_pairs(const ContactLaws *laws, std::vector<Found> *found);
  void sort_pairs(std::vector<Found> *found) const;
  double distance2(const Found &f) const;
  int wall_in(const Found &f) const;
  pd_contact_pair pair_of(const ContactLaws *laws, const Found &f) const;
  void recall(const Found &f);
  void require(pd_status status);
};

} // namespace LAMMPS_NS

#endif
