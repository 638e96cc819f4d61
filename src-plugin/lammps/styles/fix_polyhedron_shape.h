/* SPDX-License-Identifier: GPL-2.0-or-later
 * fix polyhedron/shape: the shape library; dresses atoms with mass, inertia and faces. */
#ifndef LMP_FIX_POLYHEDRON_SHAPE_H
#define LMP_FIX_POLYHEDRON_SHAPE_H

#include "lammps/bridge/fingerprint.h"
#include "lammps/bridge/grading_file.h"
#include "lammps/bridge/image_triangles.h"
#include "lammps/bridge/shape_table.h"
#include "lammps/options/options.h"

#include "geometry/builtin.h"

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
  void post_force(int) override;
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
  ImageTriangles triangles;
  int dense, light; /* a type whose density is given, one whose is not; 0: none */

  class AtomVecEllipsoid *avec() const;
  struct Definition {
    std::string name;                  /* of the source, for messages */
    std::string values;                /* of a built-in shape, likewise */
    Options::Given given;              /* the source */
    pd_mesh file = pd_mesh();          /* of a file */
    const pd_builtin *shape = nullptr; /* else */
    int types = 0;                     /* how many it is for */
    bool dense = false;                /* its density is given */
    double density = 0.0, scale = 0.0, weld = 0.0;
    double round = 0.0;    /* of the keyword */
    double radius = 0.0;   /* of the source, before it is scaled */
    double simplify = 0.0; /* tolerance, 0: contacts see all triangles */
    int seed = 0;
    std::vector<Grading> sizes; /* one or none */
    bool varies() const;        /* the types differ */
    void set(const Options::Given &given);
  };
  /* one of the types of a definition, enlarged by a factor */
  struct Member {
    int number; /* from 0 */
    double factor;
    bool silent; /* what is repaired has been said */
    bool whole;  /* nothing is simplified */
  };

  int define(int iarg, int narg, char **arg);
  int parse_source(int iarg, int narg, char **arg, Definition *d);
  int parse_keyword(int iarg, int narg, char **arg, Definition *d);
  void make_types(int lo, int hi, const Definition &d);
  static std::string source_fault(const Definition &d, pd_status status);
  pd_mesh source_mesh(const Definition &d, const Member &m) const;
  double sieve_size(const Definition &d, int number);
  void check_size(const Definition &d, const pd_mesh &mesh, double offset) const;
  void tell_repair(const Definition &d, const pd_mesh_report &report) const;
  void tell_simplified(const Definition &d, const pd_shape &shape, const pd_mesh &own) const;
  ShapeOfType make_shape(const Definition &d, const Member &m);
  double own_size(const char *name, const pd_mesh &own) const;
  void draw(const char *name, const pd_shape *shape, pd_mesh *mesh) const;
  void dress(int i, bool fresh);
  bool dressed(int i) const;
  void check_densities() const;
  void dress_all();
  int repair_all();
};

} // namespace LAMMPS_NS

#endif
