/* SPDX-License-Identifier: GPL-2.0-or-later
 * Bodies, contacts, force chains and walls as data of VTK files. */
#ifndef POLYHEDRA_VTK_PICTURES_H
#define POLYHEDRA_VTK_PICTURES_H

#include "lammps/bridge/contact_view.h"
#include "lammps/bridge/shape_table.h"
#include "lammps/bridge/vtk_file.h"

namespace LAMMPS_NS
{

/* One body, by columns: where it is, how it moves, the sum of the forces of its contacts. */
namespace BodyColumn
{
enum {
  ID,
  TYPE,
  X,
  Q = X + 3,
  V = Q + 4,
  OMEGA = V + 3,
  FORCE = OMEGA + 3,
  CONTACTS = FORCE + 3,
  N
};
}
typedef std::array<double, BodyColumn::N> BodyRow;

/* One contact: the first columns of compute polyhedron/contact/local, then the centres of both
 * bodies.
 */
namespace ContactColumn
{
enum {
  A,
  B,
  KIND,
  X,
  NORMAL = X + 3,
  GAP = NORMAL + 3,
  FORCE,
  FRICTION,
  SLIPPING = FRICTION + 3,
  SLID,
  WALL,
  CENTRE_A,
  CENTRE_B = CENTRE_A + 3,
  N = CENTRE_B + 3
};
}
typedef std::array<double, ContactColumn::N> ContactRow;

/* Surfaces; forces: with those of the contacts. */
VtkFile picture_of_bodies(const std::vector<BodyRow> &bodies,
                          const std::vector<ShapeOfType> &shapes, bool forces);

/* A point each. */
VtkFile picture_of_contacts(const std::vector<ContactRow> &contacts);

/* Lines from centre to contact to centre. */
VtkFile picture_of_chains(const std::vector<ContactRow> &contacts);

/* Surfaces where they are now, planes as far as they lie in a box. */
VtkFile picture_of_walls(const std::vector<WallSet *> &walls, pd_vec3 low, pd_vec3 high);

} // namespace LAMMPS_NS

#endif
