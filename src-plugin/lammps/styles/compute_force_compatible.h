/* SPDX-License-Identifier: GPL-2.0-or-later
 * compute force/compatible: the forces that stiff bodies would have in a contact network. */
#ifndef LMP_COMPUTE_FORCE_COMPATIBLE_H
#define LMP_COMPUTE_FORCE_COMPATIBLE_H

#include "lammps/bridge/cd_network.h"
#include "lammps/bridge/other_fixes.h"
#include "lammps/options/options.h"

#include "contact_dynamics/compatible.h"

namespace LAMMPS_NS
{

class BodyScene;
class FixContactDynamics;
class PairPolyhedron;

class ComputeForceCompatible : public Compute
{
public:
  ComputeForceCompatible(class LAMMPS *, int, char **);
  ~ComputeForceCompatible() override;
  void init() override;
  void compute_vector() override;
  void compute_local() override;
  void compute_peratom() override;
  int pack_forward_comm(int, int *, double *, int, int *) override;
  void unpack_forward_comm(int, int, double *) override;
  int pack_reverse_comm(int, int, double *) override;
  void unpack_reverse_comm(int, int *, double *) override;
  double memory_usage() override;

private:
  enum { NCOL = 17 };
  enum {
    OBJECTIVE,
    KKT,
    EQUILIBRIUM,
    CONSTITUTIVE,
    INDETERMINACY,
    ITERATIONS,
    CONTACTS,
    CLOSED,
    SLIPPING,
    SPREAD,
    NVALUE
  };
  enum Report { STOP, WARN, IGNORE };

  std::string source;
  pd_cd_compatible_options options;
  bool newton;
  double slack;
  int largest;     /* network whose rank is computed */
  double friction; /* coefficient; 0: none */
  int starts;      /* more starts with friction */
  Report unconverged, empty;
  std::string fixed;                          /* group of keyword fixed; empty: none */
  int fixedbit;                               /* its bit */
  std::vector<std::vector<double>> stiffness; /* [type][type]; row 0: walls */
  struct WallStiffness {
    std::string id;
    int lo = 0, hi = 0;
    double k = 0.0;
  };
  std::vector<WallStiffness> wall_stiffness;

  FixContactDynamics *fix;
  PairPolyhedron *pair;
  BodyScene *scene;
  OtherFixes others; /* which bodies the fixes of the run move by forces, whatever moves the rest */
  std::vector<WallSet *> walls;
  std::unique_ptr<ContactNetwork> own; /* of the pair style */
  ContactNetwork *network;
  std::vector<FoundContact> found;
  pd_contact_list list;
  std::vector<double> f, u, load, buffer;
  std::vector<double> slide; /* two per contact: where it slides for long */
  std::vector<double> rows;
  std::vector<double *> pointers;
  double **resultant;
  int nmax;
  bigint solved;
  int solved_builds;
  bigint solved_stamp; /* of the fix's network */

  void set_options(int narg, char **arg);
  int parse(int iarg, int narg, char **arg);
  void set(const Options::Given &given);
  void set_stiffness(const Options::Given &given);
  void set_wall_stiffness(const Options::Given &given);
  void solve();
  void from_fix();
  void from_pair();
  void set_body(int i);
  void add(const pd_contact_pair *pair, const pd_contact *c);
  double stiffness_of(const ContactName &n) const;
  double close_contacts();
  void take_closed();
  void find_slides();
  pd_status solve_problem(double *forces, double *displacements, pd_cd_compatible_report *r);
  double spread();
  int stride() const { return friction > 0.0 ? 3 : 1; }
  void judge(const pd_cd_compatible_report &r);
  void report(Report how, const std::string &text);

  static void visit(void *ctx, const pd_contact_pair *pair, const pd_contact *c);
};

} // namespace LAMMPS_NS

#endif
