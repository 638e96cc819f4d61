/* SPDX-License-Identifier: GPL-2.0-or-later
 * fix implicit/polyhedron: implicit time integration of rigid polyhedra by adaptive substeps. */
#ifndef LMP_FIX_IMPLICIT_POLYHEDRON_H
#define LMP_FIX_IMPLICIT_POLYHEDRON_H

#include "lammps/host/lmp_compat.h"

#include "solve/newton.h"

#include <memory>

struct pd_linsolver;

namespace LAMMPS_NS
{

class BarrierWatch;
class BodyScene;
class LoadSet;
class PairPolyhedron;
class WallSet;

class FixImplicitPolyhedron : public Fix
{
public:
  FixImplicitPolyhedron(class LAMMPS *, int, char **);
  ~FixImplicitPolyhedron() override;
  int setmask() override;
  void init() override;
  void setup(int) override;
  void initial_integrate(int) override;
  void final_integrate() override;
  double compute_vector(int) override;
  int modify_param(int, char **) override;

  void grow_arrays(int) override;
  void copy_arrays(int, int, int) override;
  void set_arrays(int) override;
  int pack_exchange(int, double *) override;
  int unpack_exchange(int, double *) override;
  int pack_restart(int, double *) override;
  void unpack_restart(int, int) override;
  int size_restart(int) override;
  int maxsize_restart() override;
  void write_restart(FILE *) override;
  void restart(char *) override;
  int pack_forward_comm(int, int *, double *, int, int *) override;
  void unpack_forward_comm(int, int, double *) override;
  double memory_usage() override;

private:
  /* columns of the per-atom array */
  enum { NHEAD = 4 }; /* figures before the vector in the restart file */
  enum { ACC = 0, WDOT = 3, FEXT = 6, TEXT = 9, FCON = 12, TCON = 15, KNOWN = 18, NCOL = 19 };
  /* entries of the global vector, from 1 in input scripts */
  enum {
    SUBSTEPS,
    ITERATIONS,
    REJECTED,
    MEAN_SUBSTEP,
    RESIDUAL,
    MIN_GAP,
    CONTACTS,
    KINETIC,
    POTENTIAL,
    WORK,
    DISSIPATED,
    DRIFT,
    HISTORY1,
    HISTORY2,
    HISTORY3,
    EVALUATIONS,
    CLIPPED,
    REBUILDS,
    REJECTED_GUARD,
    SPRING,
    DISSIPATED_FRICTION,
    WALL_WORK,
    DISSIPATED_SCHEME,
    RISE,
    NVALUE
  };

  pd_scheme_kind kind;
  double beta, gamma;
  double guard; /* energy error per substep, relative; not for scheme euler */
  pd_newton_options options;
  int fixed; /* substeps per step, 0: adaptive */
  double minstep, maxstep;
  std::string backend, used_backend; /* as asked for, and of the present solver */
  int threads;
  std::string loops; /* backend of the loops */
  bool own_tol;      /* tol was given by the user */
  double step;       /* length of the next substep */
  double hprev;      /* that of the last one before a restart */
  double remaining;  /* what is left of the present step */
  double speed;      /* largest displacement of the substep before, over its length */
  double moved;      /* bound of all displacements since the last neighbour list */
  double value[NVALUE];
  double **state;
  PairPolyhedron *pair;
  BodyScene *scene;
  std::unique_ptr<BarrierWatch> barrier; /* of this run */
  pd_linsolver *solver;
  std::vector<WallSet *> walls;
  std::vector<LoadSet *> loads;
  double *buffer;               /* what a forward communication carries */
  std::vector<int> rowptr, col; /* pattern that the solver knows */
  long rows;
  bool captured;     /* external forces of this step are known */
  bigint list_built; /* step of the last neighbour list seen */
  pd_energy energy;

  static std::string backends();
  void use_threads();
  int parse(int iarg, int narg, char **arg);
  pd_services environment();
  double shortest() const;
  void evaluate_start();
  void capture_external();
  void start_accelerations();
  void rebuild_scene();
  void renew_scene();
  void start_scene();
  void set_pattern();
  void load_states();
  void store_states();
  void pre_exchange_of_others();
  void rebuild_list();
  void refresh_ghosts();
  double next_substep() const;
  void begin_energy();
  void begin_substep(double h);
  double fraction(double h) const;
  bool shorten(double h, double fraction);
  void renew_list();
  bool will_leave_list(double h) const;
  bool leaves_list(const pd_substep &s, double h);
  void accept(const pd_substep &s, double h);
  void reject(pd_status status, const pd_substep &s, double h);
  void check_lost();
  void give_up(pd_status status, const pd_substep &s, double h);
  void undo();
  void finish_step();

  static void env_forward(void *ctx, double *buffer);
  static void env_sum(void *ctx, double *x, int n);
  static void env_max(void *ctx, double *x, int n);
  static pd_status env_solve(void *ctx, const pd_linear *a, double *x);
};

} // namespace LAMMPS_NS

#endif
