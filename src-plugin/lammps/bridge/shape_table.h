/* SPDX-License-Identifier: GPL-2.0-or-later
 * The shapes of all atom types, collected from the fixes polyhedron/shape. */
#ifndef POLYHEDRA_SHAPE_TABLE_H
#define POLYHEDRA_SHAPE_TABLE_H

#include "lammps/host/lmp_compat.h"

#include "geometry/shape.h"

namespace LAMMPS_NS
{

/* one atom type's shape; the body's mass and ellipsoid follow from it */
struct ShapeOfType {
  const pd_shape *shape;
  double density;
  double mass;          /* density times volume */
  double moments[3];    /* principal moments of inertia */
  double axes[3];       /* semi-axes of the ellipsoid of equal mass and inertia */
  const pd_mesh *drawn; /* surface for pictures: the body's own, or of a rounded shape one that is
                           close to it */
  double simplify;      /* contacts see another surface, which encloses the body's and is so near
                           to it (length); 0: they see the body's own */
  double size; /* of the body's own surface: what the gap has to be small against (pd_shape_size) */
  double share;   /* part of the bodies of its definition, by number, that this type has */
  int definition; /* the first type of its definition */
};

/* one fix polyhedron/shape as the table sees it */
class ShapeSource
{
public:
  /* shape of a type, nullptr if this fix does not define it */
  virtual const ShapeOfType *of_type(int itype) const = 0;

protected:
  ~ShapeSource() = default; /* nobody deletes a style by what the bridge sees of it */
};

/* table by type (1-based); entries of types without a shape have shape == nullptr.
 * Stops with an error if a type has two shapes. */
std::vector<ShapeOfType> collect_shapes(LAMMPS *lmp);

/* Stops with an error if a type has none. */
void require_shape(LAMMPS *lmp, const std::string &who, const std::vector<ShapeOfType> &table,
                   int type);

/* bounding radius of the largest of them, and of the smallest; 0 if there are none */
double largest_radius(const std::vector<ShapeOfType> &table);
double least_radius(const std::vector<ShapeOfType> &table);

/* Plain text for tools that want the bodies' faces: vertices in the principal frame. Throws
 * LocalError. */
void write_shapes(const char *path, const std::vector<ShapeOfType> &table);

} // namespace LAMMPS_NS

#endif
