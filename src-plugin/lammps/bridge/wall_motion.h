/* SPDX-License-Identifier: GPL-2.0-or-later
 * Prescribed motion of a rigid wall: what follows the keyword move. */
#ifndef POLYHEDRA_WALL_MOTION_H
#define POLYHEDRA_WALL_MOTION_H

#include "lammps/host/lmp_compat.h"
#include "lammps/options/tables.h"

#include "dynamics/integrator.h"

namespace LAMMPS_NS
{

/* A rigid displacement x -> turn x + shift and its rate: velocity v of the point pivot, angular
 * velocity w. */
struct WallPose {
  pd_quat turn;
  pd_vec3 shift, v, w, pivot;
};

class WallMotion : protected Pointers
{
public:
  explicit WallMotion(class LAMMPS *);

  /* Parses move STYLE ... from arg[iarg], which is "move"; returns the index of the next argument.
   */
  int parse(int iarg, int narg, char **arg);

  /* The same, for walls that are there: the new motion begins where they are, also where the
   * variables of a displacement are not 0 then. */
  int replace(int narg, char **arg);

  /* Checks that the variables are there. */
  void init();

  /* Reads the variables for the present time, unless a motion goes on. */
  void setup();

  bool moves() const { return kind != Options::Move::NONE || moved; }

  bool turns() const { return kind == Options::Move::ROTATE; }

  /* The point of the axis of rotation next to x, both as they are before any motion. */
  pd_vec3 on_axis(pd_vec3 x) const;

  /* Looks ahead to the end of a step of length dt that begins now; variables are read for the
   * timestep that the host has, unless they have been for that end. */
  void begin_step(double dt);

  /* Reads the variables for the end of a step of length dt that has not begun: it goes there,
   * whatever they are when it begins. */
  void read_ahead(double dt);

  void end_step();

  /* From now on the walls are off by so much; the motion goes on. */
  void displace(pd_vec3 by) { base.shift = pd_add(base.shift, by); }

  /* The pose after the fraction s of the step's time; between steps s = 0. */
  WallPose pose(double s) const;

  /* The same a time before that, which is no more than a step ago. */
  WallPose pose_before(double s, double time) const;

  /* Mean velocity of the point of the wall that is at x, over a step of length dt that has not
   * begun; variables must have been read ahead. */
  pd_vec3 mean_velocity(pd_vec3 x, double dt) const;

  /* state for restarts */
  enum { NSTATE = 30 };
  void pack(double *buf) const;
  void unpack(const double *buf);

private:
  typedef Options::Move::Id Kind;
  Kind kind;
  bool moved;         /* by an earlier motion */
  bool ahead;         /* the variables have been read for the end of the step to come */
  WallPose base;      /* where the motion began */
  double elapsed, dt; /* since then, at the start of the step; length of the step */
  pd_vec3 value;      /* velocity, amplitude, or unit axis */
  pd_vec3 pivot;
  double period;
  std::string name[6];   /* displacement and velocity variables, may be empty */
  double at0[6], at1[6]; /* their values at the start and the end of the step */
  double was0[6], dt0;   /* at the start of the step before; its length, 0 if there was none */
  bool goes_on;          /* the motion replaces another one, or rest */
  pd_vec3 lead;          /* of such a one: displacement by its variables when it began */

  void set(const Options::Given &given);
  void read_variables(double *at);
  void look_to_end(double dt);
  WallPose by_variables(const double *from, const double *to, double length, double s) const;
  WallPose at_time(double t) const;
};

} // namespace LAMMPS_NS

#endif
