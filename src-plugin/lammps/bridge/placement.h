/* SPDX-License-Identifier: GPL-2.0-or-later
 * Places for new bodies: free of the bodies that are there and of walls, by the exact distance of
 * surfaces. */
#ifndef POLYHEDRA_PLACEMENT_H
#define POLYHEDRA_PLACEMENT_H

#include "lammps/bridge/new_bodies.h"
#include "lammps/bridge/sphere_grid.h"
#include "lammps/bridge/start_gaps.h"

#include "contact/pair_work.h"
#include "contact/pose.h"
#include "geometry/bvh.h"

namespace LAMMPS_NS
{

class Placement : protected Pointers
{
public:
  /* window: where new bodies may have their centres. shapes and gaps have to stay. All processes;
   * who: start of error messages. */
  Placement(LAMMPS *lmp, const char *who, const std::vector<ShapeOfType> &shapes,
            const StartGaps &gaps, const pd_box &window);
  ~Placement() override;
  Placement(const Placement &) = delete;
  Placement &operator=(const Placement &) = delete;

  /* Takes the atoms of all processes as obstacles, on process 0. All processes. */
  void add_atoms();

  /* The new bodies, on process 0. groups: bits, for walls that are for some bodies only. */
  bool is_free(const NewBody &body, int groups);
  void add(const NewBody &body);

  /* Names of the walls that are closed surfaces with the body within them. */
  std::vector<std::string> around(const NewBody &body);

private:
  struct Obstacle {
    int type;
    double radius; /* of the sphere about it */
    pd_vec3 x;
    pd_mat3 rot;
    bool shaped; /* else it is that sphere */
  };
  const char *who;
  const std::vector<ShapeOfType> &shapes;
  const StartGaps &gaps;
  const pd_box window;
  double reach;                /* how far a new body may reach, with its gap */
  std::vector<double> inner;   /* by type: radius of a ball about the centre within the body */
  std::vector<pd_vec3> images; /* shifts to periodic images, none first */
  SphereGrid grid;
  std::vector<Obstacle> obstacle; /* with the images */
  std::vector<WallSet *> walls;
  std::vector<std::vector<pd_wall>> wall; /* of each of them, as they are now */
  std::vector<std::pair<const WallSet *, const pd_wall *>> hollow; /* closed surfaces among them */
  std::vector<int> near;                                           /* triangles of a wall */
  pd_pair_work *work;

  static double smallest_radius(const std::vector<ShapeOfType> &shapes);
  static double inner_radius(const pd_shape *shape);
  void find_images(double largest);
  void find_hollow();
  double radius_of_atom(int i) const;
  bool touches_window(pd_vec3 x, double radius) const;
  void add_images(const Obstacle &o);
  bool clear(const pd_pose &a, const pd_pose &b, pd_vec3 r, double gap);
  bool hits_core(const NewBody &body, const Obstacle &o) const;
  bool hits(const NewBody &body, const pd_pose &pose, const Obstacle &o);
  bool hits_itself(const NewBody &body, const pd_pose &pose);
  bool hits_wall(const NewBody &body, const pd_pose &pose, const pd_wall &w, double gap);
  bool hits_any_wall(const NewBody &body, const pd_pose &pose, int groups);
};

} // namespace LAMMPS_NS

#endif
