/* SPDX-License-Identifier: GPL-2.0-or-later
 * fix implicit/polyhedron: implicit time integration of rigid polyhedra by adaptive substeps. */
#ifndef LMP_FIX_IMPLICIT_POLYHEDRON_H
#define LMP_FIX_IMPLICIT_POLYHEDRON_H

#include "lammps/bridge/between_runs.h"
#include "lammps/bridge/atom_states.h"
#include "lammps/bridge/cell.h"
#include "lammps/bridge/fingerprint.h"
#include "lammps/bridge/host_step.h"
#include "lammps/bridge/standing_bodies.h"
#include "lammps/bridge/prescribed_bodies.h"
#include "lammps/bridge/progress.h"
#include "lammps/bridge/step_account.h"
#include "lammps/bridge/step_communication.h"
#include "lammps/options/options.h"

#include "solve/substep_control.h"

#include <memory>

namespace LAMMPS_NS
{

class BarrierWatch;
class BodyScene;
class LoadSet;
class PairPolyhedron;
class WallSet;

class FixImplicitPolyhedron : public Fix, public FingerprintSource
{
public:
  FixImplicitPolyhedron(class LAMMPS *, int, char **);
  ~FixImplicitPolyhedron() override;
  int setmask() override;
  void init() override;
  void post_run() override
  {
    progress.end(id, processes.linear_time());
    processes.release_solver(); /* the records of friction need room now, as lists do */
    between.note(others);
    states.note_velocities();
  }
  void complete_setup();
  void setup_pre_reverse(int, int) override;
  void setup_pre_exchange() override { pre_exchange(); }
  void post_integrate() override;
  void pre_exchange() override;
  void pre_reverse(int, int) override { states.add_reactions(others); }
  void final_integrate() override;
  void end_of_step() override;
  double compute_vector(int n) override { return *account.table()[n]; }
  int modify_param(int, char **) override;
  void write_restart(FILE *) override;
  void restart(char *) override;
  void add_fingerprints(Fingerprints *all) const override { all->push_back(fingerprint_of(this)); }
  double memory_usage() override;

  /* data of atoms */
  void grow_arrays(int nmax) override;
  void copy_arrays(int i, int j, int) override;
  void set_arrays(int i) override;
  int pack_exchange(int i, double *buf) override;
  int unpack_exchange(int i, double *buf) override;
  int pack_restart(int i, double *buf) override { return states.pack_restart(i, buf); }
  void unpack_restart(int i, int nth) override { states.unpack_restart(i, nth); }
  int size_restart(int) override { return states.size_restart(); }
  int maxsize_restart() override { return states.size_restart(); }
  int pack_forward_comm(int n, int *list, double *buf, int crosses, int *pbc) override
  {
    return processes.pack_forward(n, list, buf, crosses ? pbc : nullptr);
  }
  void unpack_forward_comm(int n, int first, double *buf) override
  {
    processes.unpack_forward(n, first, buf);
  }

private:
  /* as given by keywords */
  pd_scheme_kind kind;
  double beta, gamma;
  double guard; /* energy error per substep, relative; < 0: not given */
  pd_newton_options options;
  int fixed; /* substeps per step, 0: adaptive */
  double minstep, maxstep;
  std::string backend;
  int threads;
  std::string loops; /* backend of the loops */
  bool own_tol;      /* tol was given */

  /* of the step */
  pd_newton_options newton; /* options with what was not given */
  PairPolyhedron *pair;
  std::vector<WallSet *> walls;
  std::vector<LoadSet *> loads;
  pd_substep_control control;
  StepAccount account;
  OtherFixes others;
  BetweenRuns between;
  StandingBodies standing;
  AtomStates states;
  PrescribedBodies prescribed;
  Cell cell;
  HostStep host;
  Progress progress;
  StepCommunication processes;
  pd_substep_solver *solver; /* islands and work arrays of Newton's iteration */
  std::unique_ptr<BodyScene> scene;
  std::unique_ptr<BarrierWatch> barrier; /* of this run */
  double hprev;                          /* length of the last substep before a restart */
  double length;                         /* of the last time step */
  double last_energy;                    /* in the contacts, by the run before */

  /* keywords */
  static std::string backends();
  int parse(int iarg, int narg, char **arg);
  void set(const Options::Given &given);

  /* parts of a step */
  void correct_external();
  double longest(double turn) const;
  pd_status solve(double h, pd_substep *s);
  void accept(const pd_substep &s, double h, double s1);
  double list_skin() const;
  void end_step();
  void give_up(pd_status status, const pd_substep &s, double h);

  /* the scene that it works on */
  void check_setup();
  void rebuild_scene(double s);
  void renew_scene();
  void start_scene();
  void make_list(bool sorted);
  void renew_list();
  void start_new_bodies();
  void begin_scene(bool changed);
  void begin_anew();
  pd_totals start_energy();
  void forward_forces();
  void limit_laws();
  pd_totals describe_state();
  void evaluate_state();
};

} // namespace LAMMPS_NS

#endif
