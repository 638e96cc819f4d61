/* SPDX-License-Identifier: GPL-2.0-or-later
 * The bridge between LAMMPS's arrays and the core: bodies from atoms, links from the neighbour
 * list. */
#ifndef POLYHEDRA_BODY_SCENE_H
#define POLYHEDRA_BODY_SCENE_H

#include "fix_wall_polyhedron.h"
#include "shape_table.h"

#include "../core/newton.h"
#include "../core/system.h"

namespace LAMMPS_NS
{

class PairPolyhedron;
class AtomVecEllipsoid;

class BodyScene : protected Pointers
{
public:
  pd_system sys;

  explicit BodyScene(class LAMMPS *);
  ~BodyScene() override;

  /* Bodies of all owned and ghost atoms (body i is atom i), links from the full list (may be
   * nullptr) and from the walls. groupbit: which bodies the step moves. */
  void rebuild(PairPolyhedron *pair, NeighList *list, const std::vector<FixWallPolyhedron *> &walls,
               int groupbit);

  /* Positions, orientations and velocities from the atoms. */
  void load();

  /* The same back to the owned atoms. */
  void store();

  /* what this process's bodies do to the walls of the i-th wall fix, from the last evaluation */
  WallLoad wall_load(int i) const;

  /* stops if two bodies overlap, or a body and a wall */
  void check_overlap(const char *who);

  /* name of the other side of a link: "body 12" or "wall floor" */
  std::string partner(const pd_link *link) const;

private:
  std::vector<ShapeOfType> shapes;
  std::vector<FixWallPolyhedron *> walls;
  std::vector<int> wall_of; /* index into walls of every wall of sys */
  AtomVecEllipsoid *avec;

  void set_bodies(int groupbit);
  void add_walls(PairPolyhedron *pair, int groupbit);
  void add_pairs(PairPolyhedron *pair, NeighList *list);
  void require(pd_status status);
};

} // namespace LAMMPS_NS

#endif
