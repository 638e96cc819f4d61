/* SPDX-License-Identifier: GPL-2.0-or-later
 * Contact forces where an explicit integrator of the host moves the bodies: evaluated where these
 * stand and added to the host's forces. Pair style polyhedron has one for all pairs of bodies, each
 * fix wall/polyhedron one for its walls, made anew for each run. */
#ifndef POLYHEDRA_EXPLICIT_CONTACTS_H
#define POLYHEDRA_EXPLICIT_CONTACTS_H

#include "lammps/bridge/body_scene.h"
#include "lammps/bridge/other_fixes.h"

#include <string>
#include <vector>

namespace LAMMPS_NS
{

class ExplicitContacts : protected Pointers
{
public:
  BodyScene scene;

  explicit ExplicitContacts(class LAMMPS *lmp)
      : Pointers(lmp), scene(lmp), bodies(-1), tag_max(-1), others(lmp)
  {
  }

  /* Energies and forces where the bodies stand. who: the command, for messages; touch: what
   * they say of sides between which there is no gap. All processes. */
  pd_totals evaluate(const ContactLaws *laws, NeighList *list, const std::vector<WallSet *> &walls,
                     const std::string &who, const char *touch);

  /* Forces and torques of the last evaluation to those of the owned atoms. */
  void add_forces();

  /* The same to sums, [6*nlocal]. */
  void add_forces_to(std::vector<double> *sum) const;

private:
  std::string passed(double h, bool evaluated, bool known);

  bigint bodies;     /* that have been seen not to overlap; -1: none */
  tagint tag_max;    /* the largest ID among them: another body may come as one goes */
  OtherFixes others; /* as at set-up, for contacts between bodies; else none */

  /* a body that a fix moves, whatever the forces on it */
  struct Led {
    int i;        /* atom, now */
    pd_vec3 x, v; /* as they were */
  };
  std::vector<Led> led_bodies() const;
  void check_led(const std::vector<Led> &before) const;
};

} // namespace LAMMPS_NS

#endif
