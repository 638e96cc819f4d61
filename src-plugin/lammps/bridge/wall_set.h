/* SPDX-License-Identifier: GPL-2.0-or-later
 * The walls of one fix wall/polyhedron as the bridge sees them: where they are and will be, their
 * contact law, and what acts on them. The fix is one of these. */
#ifndef POLYHEDRA_WALL_SET_H
#define POLYHEDRA_WALL_SET_H

#include "lammps/bridge/contact_laws.h"
#include "lammps/bridge/wall_freedom.h"
#include "lammps/bridge/wall_motion.h"
#include "lammps/bridge/wall_periods.h"
#include "lammps/host/lmp_compat.h"

#include "dynamics/system.h"

#include <array>

namespace LAMMPS_NS
{

/* What bodies do to walls: force and moment about the origin, energy, work done in a step, mean
 * force and moment of a step. */
typedef std::array<double, 14> WallLoad;

class WallSet
{
public:
  const std::string name; /* the fix's ID */
  const int bodies;       /* bit of the group of bodies that the walls are for */

  WallSet(class LAMMPS *, const char *name, int bodies);
  virtual ~WallSet();
  WallSet(const WallSet &) = delete;
  WallSet &operator=(const WallSet &) = delete;

  /* those of all fixes, in the order of the input script */
  static std::vector<WallSet *> all(Modify *modify);

  /* The walls where they are after the fraction s of the present step; before: length of the
   * substep that ends there, 0 if there is none. */
  const std::vector<pd_wall> &walls(double s = 0.0, double before = 0.0);

  /* the walls at the start of a step of length dt that has not begun, with the mean velocities of
   * their frames over it */
  std::vector<pd_wall> walls_of_step(double dt);

  WallMotion &motion() { return moving; }

  /* whether the forces on the walls move them; there is then one of them */
  WallFreedom &freedom() { return freedom_; }

  /* over which edges of the cell one of them goes on */
  const SurfacePeriods &periods(const pd_wall &w) const { return made[index_of(w)].periods; }

  /* what is to be drawn of a surface: not its copies beyond the cell. It has the arrays of the
   * shape. */
  pd_mesh drawn(const pd_wall &w) const;

  /* friction of its own law */
  bool has_friction() const { return own_law && coef.t.eps_t > 0.0; }

  /* Friction and restitution of contacts without stiffness: of its own law, which may leave the
   * restitution open; others: those of the bodies. */
  double rigid_friction(double others) const { return own_law ? coef.t.mu_s : others; }
  double rigid_restitution(double others) const { return own_law && coef.has_e ? coef.e : others; }

  /* law of these walls against bodies of a type */
  const pd_law *law(const ContactLaws *laws, int itype) const;

  /* The same of one body. LocalError: pair_style hybrid has left its type without any. */
  const pd_law *law_of(const ContactLaws *laws, tagint tag, int itype) const;

  /* distance at which their contact with a body of a type begins; NaN if it is not known yet */
  double contact_distance(const ContactLaws *laws, int itype) const;

  /* columns of a WallLoad */
  enum { FORCE = 0, ENERGY = 6, WORK = 7, MEAN = 8 };

  /* What the bodies of this process do to the walls. The work adds up. */
  void set_load(const WallLoad &mine);

  void add_work(double work);

  /* Force, moment and energy alone. */
  void set_force(const WallLoad &mine);

  /* A step is made of substeps: the part of each in the mean, and in the work. force: at its end;
   * weight: of that in the substep's mean, the rest is that of the force at its start. */
  void begin_mean();
  void add_to_mean(const double *force, double weight, double part, double work);

protected:
  std::vector<pd_wall> wall;
  std::vector<pd_shape *> owned;
  std::vector<pd_vec3> origin; /* of the walls' frames before any motion */
  /* surfaces as they were made: the frame, the vertices in it, the middle of the box about them,
   * over which edges of the cell they go on */
  struct Made {
    pd_vec3 origin, middle;
    std::vector<pd_vec3> vertex;
    SurfacePeriods periods;
  };
  std::vector<Made> made;
  int like_type; /* the wall behaves like this type against the bodies; 0: like each body's own */
  bool own_law;
  pd_law coef;
  WallMotion moving;
  WallFreedom freedom_;
  WallLoad load, total; /* of this process; of all, if summed */
  bool summed;
  std::array<double, 6>
      solved; /* force and moment at the end of the last substep, as it was solved */
  bool any_solved;

  static size_t index_of(const pd_wall &w) { return (size_t)(w.key & 0xffff) - 1; }
  void add_wall(pd_wall_kind kind, pd_vec3 at);
  void add_surface(pd_shape *shape, pd_vec3 at, const SurfacePeriods &periods);

  /* Puts the frames of surfaces where the motion wants them. */
  pd_status place_frames();
};

} // namespace LAMMPS_NS

#endif
