/* SPDX-License-Identifier: GPL-2.0-or-later
 * A periodic cell that fix deform changes, and the images of bodies that it carries along. Under
 * fix implicit/polyhedron it goes over a time step evenly from what it was to what that fix makes
 * of it; beside an explicit integrator the host changes it at the end of a step. */
#ifndef POLYHEDRA_CELL_H
#define POLYHEDRA_CELL_H

#include "lammps/host/lmp_compat.h"

#include "dynamics/system.h"

#include <array>
#include <functional>

namespace LAMMPS_NS
{

class FixDeform;
class OtherFixes;

class Cell : protected Pointers
{
public:
  /* lower and upper edges x y z, tilts yz xz xy as the host has them; or how fast they change */
  enum { LO = 0, HI = 3, TILT = 6, NBOX = 9 };
  typedef std::array<double, NBOX> Box;

  explicit Cell(class LAMMPS *lmp)
      : Pointers(lmp), deform(nullptr), drives(false), with_bodies(false), start(), end(), rate(),
        next(), of_list()
  {
  }
  ~Cell() override { give_back(); }

  /* Looks for fix deform, and has the host call it no more at the end of a step: this does. Stops
   * with an error where the two cannot work together. To be called from the host's init. */
  void find(const Fix *owner, const OtherFixes &others);

  /* Looks for fix deform, which the host goes on to call. */
  void watch();

  bool deforms() const { return deform != nullptr; }

  /* Bodies that cross the boundary get its velocity. */
  bool remaps_velocities() const;

  /* Finds of which image every ghost is; for every list that the host makes. count: adds up the
   * lattice steps from owners to ghosts, in the first three of StepCommunication::WIDTH doubles. */
  void find_images(const std::function<void(double *)> &count);

  /* Asks fix deform for the cell at the end of a step of length dt, which is yet to be done. */
  void begin_step(double dt);

  /* The cell is as it is after the fraction s of the step, and goes on as in that. */
  void place(double s);

  /* The host has flipped the cell since the step was done: images are of the new edges. */
  void follow_flip();

  /* Whether it will. */
  bool flips() const;

  /* How fast the host has changed the cell, which is watched; once in a step. */
  void follow();

  /* How far images have gone against their bodies since their list was made; length. */
  double image_way() const;

  /* Tells a scene how fast its bodies are carried where they stand; and prescribes a part of the
   * step. */
  void load(pd_system *sys) const;
  void prescribe(pd_system *sys, double part, double dt) const;

  /* Bodies outside come in on the other side, with the velocity that they get there. Returns by how
   * much that of every owned body changes. */
  std::vector<pd_vec3> wrap() const;

  /* for restart files */
  enum { NSTATE = NBOX };
  void append_state(std::vector<double> *list) const
  {
    list->insert(list->end(), rate.begin(), rate.end());
  }
  void restore(const double *list) { std::copy(list, list + NSTATE, rate.begin()); }

private:
  FixDeform *deform;
  bool drives;                /* this calls fix deform, not the host */
  bool with_bodies;           /* it carries bodies of its group, too: remap x */
  Box start, end;             /* of the step; end: as it was seen last, if it is watched */
  Box rate;                   /* in the part of a step that was done last */
  Box next;                   /* in the present step */
  Box of_list;                /* when images were found */
  std::vector<double> images; /* of every ghost, WIDTH doubles: the first three are lattice steps */

  void give_back();
  void look();
  void check(const Fix *owner, const OtherFixes &others) const;
  void check_flip_of_yz() const;
  Box box() const;
  void put(const Box &box);
  Box rate_of_host() const;
  pd_vec3 velocity(int i, const Box &with) const;
  bool carries(const pd_system *sys, int i) const;
};

} // namespace LAMMPS_NS

#endif
