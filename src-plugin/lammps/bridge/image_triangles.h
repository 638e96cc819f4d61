/* SPDX-License-Identifier: GPL-2.0-or-later
 * Triangles for the host's dump image, which asks fixes for what they have to be drawn. */
#ifndef POLYHEDRA_IMAGE_TRIANGLES_H
#define POLYHEDRA_IMAGE_TRIANGLES_H

#include "geometry/mesh.h"
#include "geometry/shape.h"

#include <vector>

namespace LAMMPS_NS
{

class ImageTriangles
{
public:
  void clear() { number.clear(); }

  /* of a surface that has been turned and then moved to x, in the colour of an atom type */
  void add(int type, const pd_mesh &surface, pd_vec3 x, const pd_mat3 &turn);

  /* of a convex polygon, or of none */
  void add_polygon(int type, const std::vector<pd_vec3> &corners);

  /* What Fix::image hands out, until the next call; their number. */
  int give(int *&objects, double **&parameters);

  double bytes() const;

private:
  std::vector<double> number; /* of each triangle: atom type, three corners */
  std::vector<int> kind;
  std::vector<double *> row;

  void add_triangle(int type, pd_vec3 a, pd_vec3 b, pd_vec3 c);
};

} // namespace LAMMPS_NS

#endif
