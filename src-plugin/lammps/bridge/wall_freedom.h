/* SPDX-License-Identifier: GPL-2.0-or-later
 * The degree of freedom of a wall that moves by the forces on it: a translation along an axis or a
 * rotation about one, its mass, its load, and how it moves. */
#ifndef POLYHEDRA_WALL_FREEDOM_H
#define POLYHEDRA_WALL_FREEDOM_H

#include "lammps/bridge/wall_motion.h"
#include "lammps/options/tables.h"

#include "dynamics/body.h"

namespace LAMMPS_NS
{

class WallFreedom : protected Pointers
{
public:
  explicit WallFreedom(class LAMMPS *);

  bool any() const { return kind != NONE; }
  bool slides() const { return kind == SLIDES; }
  bool turns() const { return kind == TURNS; }

  /* A keyword of it, as given; the load and the speed between runs, too. */
  void set(const Options::Given &given);
  static bool may_change(const std::string &keyword);

  /* What is wrong with the keywords together, empty if nothing is. */
  std::string fault() const;

  /* A point of the axis of rotation. */
  pd_vec3 point() const { return centre; }

  /* Before it has moved: where its frame is, which a rotation leaves there. */
  void begin(pd_vec3 at);

  /* The body that stands for it. shape: that of its surface, or any for a plane. */
  pd_body body(const pd_shape *shape) const;

  /* A substep has brought it to a state. */
  void advance(const pd_state &end);

  /* Puts it elsewhere, which is no way that it has gone. */
  void displace(pd_vec3 by) { state.x = pd_add(state.x, by); }

  /* Whether its acceleration is still to be found: at first, and after another load. */
  bool is_new() const { return fresh; }
  void start(const pd_state &with_acceleration);

  const pd_state &now() const { return state; }
  WallPose pose() const;

  /* Way along the axis since the beginning or angle about it, and its rate. */
  double travel() const { return way; }
  double rate() const;

  /* where it stands and what it is, for the comparison with restart files */
  std::string text() const;
  std::vector<double> numbers() const;

  /* state for restarts */
  enum { NSTATE = 21 };
  void pack(double *buf) const;
  void unpack(const double *buf);

private:
  enum Kind { NONE, SLIDES, TURNS };
  Kind kind;
  pd_vec3 axis, centre; /* unit; a point of the axis, or where the frame was */
  double inertia;       /* mass, or moment of inertia about the axis */
  double push, torque;  /* along and about the axis */
  bool forced, twisted; /* which of these was given */
  double speed;         /* at first */
  pd_state state;
  bool fresh;
  double way;

  void set_speed();
  void set_axis(const Options::Given &given, Kind what, int at);
};

} // namespace LAMMPS_NS

#endif
