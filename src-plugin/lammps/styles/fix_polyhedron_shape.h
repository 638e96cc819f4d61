/* SPDX-License-Identifier: GPL-2.0-or-later
 * fix polyhedron/shape: the shape library; dresses atoms with mass, inertia and faces. */
#ifndef LMP_FIX_POLYHEDRON_SHAPE_H
#define LMP_FIX_POLYHEDRON_SHAPE_H

#include "lammps/bridge/shape_table.h"

#include "geometry/mesh.h"

namespace LAMMPS_NS
{

class FixPolyhedronShape : public Fix, public ShapeSource
{
public:
  FixPolyhedronShape(class LAMMPS *, int, char **);
  ~FixPolyhedronShape() override;
  int setmask() override;
  void init() override;
  void pre_neighbor() override;
  void set_arrays(int) override;
  int image(int *&, double **&) override;
  double memory_usage() override;

  const ShapeOfType *of_type(int itype) const override;

private:
  std::vector<ShapeOfType> table; /* by type */
  std::vector<pd_shape *> owned;  /* every shape once */
  std::vector<int> random_seed;   /* by type, 0: orientation is left alone */
  int *imgobjs;
  double **imgparms;
  int nimage;

  class AtomVecEllipsoid *avec() const;
  int parse_source(int iarg, int narg, char **arg, pd_mesh *mesh, std::string *name);
  int parse_keywords(int iarg, int narg, char **arg, double *density, double *scale, double *weld,
                     int *seed);
  void define(int iarg, int *next, int narg, char **arg);
  void dress(int i, bool fresh);
  bool dressed(int i) const;
  int repair_all();
  void write_shapes(const char *path);
};

} // namespace LAMMPS_NS

#endif
