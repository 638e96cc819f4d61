/* SPDX-License-Identifier: GPL-2.0-or-later
 * fix wall/polyhedron: rigid boundaries, planes and triangulated surfaces. */
#ifndef LMP_FIX_WALL_POLYHEDRON_H
#define LMP_FIX_WALL_POLYHEDRON_H

#include "lammps/bridge/lmp_compat.h"

#include "lammps/options/contact_law.h"
#include "lammps/bridge/wall_motion.h"

#include "dynamics/system.h"

#include <array>

namespace LAMMPS_NS
{

/* force, moment about the origin, energy, work done in a substep */
typedef std::array<double, 8> WallLoad;

class BodyScene;
class PairPolyhedron;

class FixWallPolyhedron : public Fix
{
public:
  FixWallPolyhedron(class LAMMPS *, int, char **);
  ~FixWallPolyhedron() override;
  int setmask() override;
  void init() override;
  void setup_pre_force(int) override;
  void setup(int) override;
  void initial_integrate(int) override;
  void post_force(int) override;
  int modify_param(int, char **) override;
  void write_restart(FILE *) override;
  void restart(char *) override;
  double compute_scalar() override;
  double compute_vector(int) override;

  /* the walls where they are after the fraction s of the present step */
  const std::vector<pd_wall> &walls(double s = 0.0);

  WallMotion &motion() { return moving; }

  /* friction of its own law */
  bool has_friction() const { return own_law && coef.t.eps_t > 0.0; }

  /* law of this wall against bodies of a type */
  const pd_law *law(const PairPolyhedron *pair, int itype) const;

  /* Chooses the law of keyword auto, if that has not been done. */
  void choose(const std::vector<struct ShapeOfType> &shapes);

  /* What the bodies of this process do to the wall. The work adds up. */
  void set_load(const WallLoad &mine);

private:
  std::vector<pd_wall> wall;
  std::vector<pd_shape *> owned;
  int like_type; /* the wall behaves like this type against the bodies; 0: like each body's own */
  bool own_law;
  pd_law coef;
  AutoLaw wish;
  LawNumbers asked; /* law and wish as given */
  WallMotion moving;
  PairPolyhedron *pair;
  BodyScene *scene;
  bool implicit; /* another fix moves the walls and applies the contact forces */
  bool unchecked, summed;
  WallLoad load, total;
  /* figures of a restart file: work, motion, law as asked for and as chosen */
  enum {
    ASKED = 1 + WallMotion::NSTATE,
    CHOSEN = ASKED + LAW_NUMBERS,
    NSTATE = CHOSEN + LAW_NUMBERS
  };
  double work;                 /* done by the wall before the last restart */
  std::vector<pd_vec3> origin; /* of the walls' frames before any motion */

  void sum_load();
  void add_wall(pd_wall_kind kind, pd_vec3 at);
  int add_plane(int iarg, int narg, char **arg);
  int add_surface(int iarg, int narg, char **arg);
};

} // namespace LAMMPS_NS

#endif
