/* SPDX-License-Identifier: GPL-2.0-or-later
 * fix contact/dynamics: time integration of rigid bodies whose contacts are inequalities. */
#ifndef LMP_FIX_CONTACT_DYNAMICS_H
#define LMP_FIX_CONTACT_DYNAMICS_H

#include "lammps/bridge/between_runs.h"
#include "lammps/bridge/last_setup.h"
#include "lammps/bridge/cd_memory.h"
#include "lammps/bridge/cd_network.h"
#include "lammps/bridge/fingerprint.h"
#include "lammps/bridge/list_watch.h"
#include "lammps/bridge/standing_bodies.h"
#include "lammps/options/options.h"

#include <map>
#include <tuple>

namespace LAMMPS_NS
{

/* indices of two bodies, partner, and the features of both, as in FoundContact */
using ContactKey = std::tuple<int, int, int64_t, int, int>;

class FixContactDynamics : public Fix, public FingerprintSource
{
public:
  FixContactDynamics(class LAMMPS *, int, char **);
  ~FixContactDynamics() override;
  int setmask() override;
  void post_constructor() override;
  void init() override;
  void init_list(int, NeighList *) override;
  void setup(int) override;
  void post_run() override { between.note(others); }
  void complete_setup();

  /* note_places: a list is about to be made. list_holds: whether the list shows all pairs that may
   * touch: a contact that it does not show is not there. All processes. */
  void note_places() { places.note(); }
  bool list_holds() const { return !places.outgrown(0.0); }
  void initial_integrate(int) override;
  void final_integrate() override;
  double compute_vector(int n) override { return value[n]; }
  int modify_param(int, char **) override;
  void add_fingerprints(Fingerprints *all) const override { all->push_back(fingerprint_of(this)); }

  /* data of atoms */
  void grow_arrays(int nmax) override { forces.records.grow(nmax); }
  void copy_arrays(int i, int j, int) override { forces.records.copy(i, j); }
  void set_arrays(int i) override
  {
    forces.records.clear(i);
    new_bodies = 1.0;
  }
  int pack_exchange(int i, double *buf) override { return forces.records.pack_exchange(i, buf); }
  int unpack_exchange(int i, double *buf) override
  {
    const int n = forces.records.unpack_exchange(i, buf);
    maxexchange = std::max(maxexchange, forces.records.size(i));
    return n;
  }
  void write_restart(FILE *) override;
  void restart(char *) override;
  int pack_restart(int i, double *buf) override { return forces.records.pack_restart(i, buf); }
  void unpack_restart(int, int) override;
  int size_restart(int i) override { return forces.records.size(i); }
  int maxsize_restart() override { return forces.records.max_size(atom->nlocal, world); }

  /* communication */
  int pack_forward_comm(int n, int *which, double *buf, int, int *) override
  {
    return network_->pack_forward(n, which, buf);
  }
  void unpack_forward_comm(int n, int first, double *buf) override
  {
    network_->unpack_forward(n, first, buf);
  }
  int pack_reverse_comm(int n, int first, double *buf) override
  {
    return network_->pack_reverse(n, first, buf);
  }
  void unpack_reverse_comm(int n, int *which, double *buf) override
  {
    network_->unpack_reverse(n, which, buf);
  }
  double memory_usage() override;

  /* Called by all processes: contacts and forces of the present state, for compute
   * force/compatible; nullptr if there is none for the atoms as they are stored now. */
  ContactNetwork *network();
  bool has_friction() const; /* of bodies or of a wall */
  const std::vector<WallSet *> &wall_fixes() const { return walls; }

private:
  enum Unconverged { STOP, WARN, IGNORE };
  enum Order { TAG, REVERSE, RANDOM, AXIS };
  enum { ITERATIONS, RESIDUAL, CONTACTS, ACTIVE, PENETRATION, FORCE, KINETIC, UNCONVERGED, NVALUE };

  pd_cd_options options;
  double restitution, friction;
  double gap; /* up to which bodies are contacts; < 0: not given */
  double reach;
  double solved_dt;  /* time step that the last solution is for */
  double pushout;    /* speed at which overlaps are pressed out, at most; < 0: not given */
  double new_bodies; /* 1 if some have been created here since bodies were looked at; else 0 */
  Order order;
  int axis, sign, seed;
  bool warm, warned;
  bool frictional; /* in this run */
  Unconverged unconverged;
  std::string fixed; /* group of keyword fixed; empty: none */
  int fixedbit;      /* its bit */
  double value[NVALUE];
  std::unique_ptr<RigidBodies> bodies;
  std::unique_ptr<ContactNetwork> network_;
  OtherFixes others;
  BetweenRuns between;
  LastSetup set_up;
  StandingBodies standing;
  NeighList *list;
  ListWatch places; /* of bodies; the cell does not change */
  std::vector<WallSet *> walls;
  std::vector<double> v0, fext, v1, f; /* of the step: six, and one or three per contact */
  std::vector<FoundContact> found;
  double room; /* what pairs may approach by in a step without being seen too late */
  std::vector<int> visit;
  ForceMemory forces;  /* to start the next step from */
  pd_cd_report report; /* of the last solution */

  void set_options(int narg, char **arg);
  int parse(int iarg, int narg, char **arg);
  void set(const Options::Given &given);
  void choose_order(const Options::Given &given);
  void check_keywords();
  void find_friction();
  void check_others();
  void check_gap() const;
  void choose_reach(const std::vector<double> &radii);
  void check_list();
  void check_unchanged() const;
  void check_held() const;
  int unknown_ways(int i) const;
  void check_outsiders();
  std::vector<double> sum_friction() const;
  void check_guided();
  void refuse_outsider(int i, const std::string &other) const;
  bool mobile(int i) const;
  bool goes(int i) const;
  void solve();
  void read_bodies();
  void check_start();
  void place_bodies();
  void find_contacts();
  void prepare(FoundContact *contact) const;
  void solve_contacts();
  bool look_again(int round);
  std::vector<FoundContact> find_on_paths();
  bool take_in(const FoundContact &contact, std::map<ContactKey, size_t> *known);
  void check_depths(const std::vector<FoundContact> &met);
  void check_unformed(const std::vector<FoundContact> &all);
  pd_wall wall_of(const FoundContact &contact);
  double path_length_of(const FoundContact &contact);
  void check_depth(const FoundContact &contact);
  void refuse(const FoundContact &worst, double depth);
  void start_forces();
  void keep_forces();
  void set_order();
  void describe();
  void judge();
  void share_forces();
  bool forces_changed();
  int stride() const { return frictional ? 3 : 1; }
};

} // namespace LAMMPS_NS

#endif
