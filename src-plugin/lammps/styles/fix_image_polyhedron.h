/* SPDX-License-Identifier: GPL-2.0-or-later
 * fix image/polyhedron: bodies in the colours of a value, and walls, for dump image. */
#ifndef LMP_FIX_IMAGE_POLYHEDRON_H
#define LMP_FIX_IMAGE_POLYHEDRON_H

#include "lammps/bridge/image_triangles.h"
#include "lammps/bridge/shape_table.h"
#include "lammps/options/options.h"

namespace LAMMPS_NS
{

class FixImagePolyhedron : public Fix
{
public:
  FixImagePolyhedron(class LAMMPS *, int, char **);
  int setmask() override { return 0; }
  void init() override;
  int image(int *&, double **&) override;
  double memory_usage() override { return triangles.bytes(); }

private:
  /* a value shown in the colours of a row of atom types */
  struct Scale {
    std::string variable;         /* empty: bodies have the colours of their types */
    double low = 0.0, high = 0.0; /* values that have the first and the last colour */
    int first = 0, last = 0;      /* atom types */
  };
  /* the walls of a fix wall/polyhedron, in the colour of an atom type */
  struct Painted {
    std::string fix; /* its ID */
    int type;
  };

  Scale scale;
  std::vector<Painted> painted;
  ImageTriangles triangles;

  void set(const Options::Given &given);
  void set_scale(const Options::Given &given);
  std::vector<int> colours();
  int colour(double value) const;
  int find_variable() const;
  void add_bodies(const std::vector<ShapeOfType> &shapes);
  void add_walls(const Painted &p, double beyond);
};

} // namespace LAMMPS_NS

#endif
