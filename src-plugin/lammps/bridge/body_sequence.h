/* SPDX-License-Identifier: GPL-2.0-or-later
 * The sequence of bodies that an insertion takes from: type and orientation of the k-th follow from
 * the seed and k alone. */
#ifndef POLYHEDRA_BODY_SEQUENCE_H
#define POLYHEDRA_BODY_SEQUENCE_H

#include "lammps/bridge/new_bodies.h"

namespace LAMMPS_NS
{

struct BodySequence {
  std::vector<ShapeOfType> shapes;
  std::vector<double> weight; /* by type; 0: of none */
  std::vector<int> given;     /* by type: by which keyword; 0: by none */
  bool by_volume = false;     /* the weights are parts of the volume, else of the number */
  bool random = true;         /* orientations are drawn */
  pd_quat rotation = pd_q(1.0, 0.0, 0.0, 0.0); /* of the sources, else */
  uint64_t seed = 1;

  /* Makes the sequence; the members stay from here on. Returns false if no type has a weight. */
  bool begin();

  /* its centre is left at the origin */
  NewBody body(bigint k) const;

  double volume(const NewBody &body) const { return shapes[body.type].shape->mass.volume; }
  double radius(const NewBody &body) const { return shapes[body.type].shape->radius; }
  double smallest_volume() const;

private:
  std::vector<double> upto; /* by type: part of the bodies that it and those before have */
};

} // namespace LAMMPS_NS

#endif
