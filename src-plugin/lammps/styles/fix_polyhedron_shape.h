/* SPDX-License-Identifier: GPL-2.0-or-later
 * fix polyhedron/shape: the shape library; dresses atoms with mass, inertia and faces. */
#ifndef LMP_FIX_POLYHEDRON_SHAPE_H
#define LMP_FIX_POLYHEDRON_SHAPE_H

#include "lammps/bridge/fingerprint.h"
#include "lammps/bridge/shape_table.h"
#include "lammps/options/options.h"

#include "geometry/mesh.h"

namespace LAMMPS_NS
{

class FixPolyhedronShape : public Fix, public ShapeSource, public FingerprintSource
{
public:
  FixPolyhedronShape(class LAMMPS *, int, char **);
  ~FixPolyhedronShape() override;
  int setmask() override;
  void post_constructor() override;
  void init() override;
  void pre_neighbor() override;
  void set_arrays(int) override;
  int image(int *&, double **&) override;
  double memory_usage() override;

  const ShapeOfType *of_type(int itype) const override;
  void add_fingerprints(Fingerprints *all) const override;

private:
  std::vector<ShapeOfType> table;  /* by type */
  std::vector<pd_shape *> owned;   /* every shape once */
  std::vector<pd_mesh *> surfaces; /* for pictures */
  std::vector<int> random_seed;    /* by type, 0: orientation is left alone */
  std::vector<std::string> source; /* by type, for messages */
  int *imgobjs;
  double **imgparms;
  int nimage;

  class AtomVecEllipsoid *avec() const;
  struct Definition {
    std::string name; /* of the source, for messages */
    pd_mesh mesh;
    double density, scale, weld;
    double round;  /* of the keyword */
    double radius; /* of the source, before it is scaled */
    int seed;
    double offset() const { return round + scale * radius; }
    void set(const Options::Given &given);
  };

  int define(int iarg, int narg, char **arg);
  int parse_source(int iarg, int narg, char **arg, Definition *d);
  void check_size(const Definition &d) const;
  ShapeOfType make_shape(Definition *d);
  const pd_mesh *draw(const std::string &name, const pd_shape *shape);
  void dress(int i, bool fresh);
  bool dressed(int i) const;
  int repair_all();
  void write_shapes(const char *path);
};

} // namespace LAMMPS_NS

#endif
