/* SPDX-License-Identifier: GPL-2.0-or-later
 * fix load/polyhedron: forces and moments at body-fixed points. */
#ifndef LMP_FIX_LOAD_POLYHEDRON_H
#define LMP_FIX_LOAD_POLYHEDRON_H

#include "lammps/bridge/fingerprint.h"
#include "lammps/bridge/load_set.h"
#include "lammps/host/lmp_compat.h"
#include "lammps/options/options.h"

namespace LAMMPS_NS
{

class FixLoadPolyhedron : public Fix, public LoadSet, public FingerprintSource
{
public:
  FixLoadPolyhedron(class LAMMPS *, int, char **);
  int setmask() override;
  void init() override;
  void setup_pre_force(int) override;
  void setup(int) override;
  void pre_force(int) override;
  void post_force(int) override;
  double compute_scalar() override;
  double compute_vector(int) override;
  void write_restart(FILE *) override;
  void restart(char *) override;
  void add_fingerprints(Fingerprints *all) const override { all->push_back(fingerprint_of(this)); }

  void begin_step() override;
  void end_step() override;
  bool change_on(int i, pd_vec3 *force, pd_vec3 *moment) const override;
  void append(double s0, double s1, std::vector<pd_load> *loads) const override;
  void add_work(double w) override { mine += w; }

private:
  double value0[6], value1[6]; /* force and moment at the start and the end of the step */
  double change[6];            /* by which what they are at its end differs from what they were
                                  thought to become: bodies that a variable looks at have moved */
  bool goes_on;                /* value1 is that of the run that wrote the restart file */
  std::string name[6];         /* variables, empty for constants */
  pd_vec3 point;               /* in the shape's own coordinates */
  bool centre;                 /* point is the centre of mass */
  int follow;
  std::vector<bool> has_shape;         /* by type */
  std::vector<pd_vec3> lever, inertia; /* by type, principal frame */
  std::vector<pd_mat3> axes;           /* by type: principal axes in the shape's coordinates */
  bool implicit;
  double mine, before; /* work of this process; of all before the last restart */
  double total[6];     /* forces and moments on all bodies, about their centres */
  bool summed;

  void read(double *value);
  void require_shapes() const;
  void set(const Options::Given &given);
  void set_values(const Options::Given &given, int first);
  pd_vec3 in_frame(int i, const double *v) const;
  pd_load load_on(int i, const double *v) const;
  void add_to_atoms();
  void look_back();
  void wrench(int i, const double *v, pd_mat3 *rot, pd_vec3 *f, pd_vec3 *m) const;
};

} // namespace LAMMPS_NS

#endif
