/* SPDX-License-Identifier: GPL-2.0-or-later
 * fix contact/dynamics: time integration of rigid bodies whose contacts are inequalities. */
#ifndef LMP_FIX_CONTACT_DYNAMICS_H
#define LMP_FIX_CONTACT_DYNAMICS_H

#include "lammps/bridge/atom_records.h"
#include "lammps/bridge/cd_network.h"

namespace LAMMPS_NS
{

class FixContactDynamics : public Fix
{
public:
  FixContactDynamics(class LAMMPS *, int, char **);
  ~FixContactDynamics() override;
  int setmask() override;
  void init() override;
  void init_list(int, NeighList *) override;
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
  int pack_forward_comm(int, int *, double *, int, int *) override;
  void unpack_forward_comm(int, int, double *) override;
  int pack_reverse_comm(int, int, double *) override;
  void unpack_reverse_comm(int, int *, double *) override;
  double memory_usage() override;

  /* contacts and forces of the present state, for compute force/compatible; nullptr if there is
   * none for the atoms as they are stored now */
  ContactNetwork *network();
  const std::vector<WallSet *> &wall_fixes() const { return walls; }

  /* force of a contact, to start the next step from */
  struct Record {
    int64_t partner;
    int sa, sb;
    double force, tangent[2];

    enum { NPACK = 6 };
    void pack(double *buf) const;
    static Record unpack(double *buf);
  };

private:
  enum Unconverged { STOP, WARN, IGNORE };
  enum Order { TAG, REVERSE, RANDOM, AXIS };
  enum { ITERATIONS, RESIDUAL, CONTACTS, ACTIVE, PENETRATION, FORCE, KINETIC, UNCONVERGED, NVALUE };

  pd_cd_options options;
  double restitution, friction;
  double gap; /* up to which bodies are contacts; < 0: not given */
  double reach;
  double pushout; /* speed at which overlaps are pressed out, at most; < 0: not given */
  Order order;
  int axis, sign, seed;
  bool warm, warned;
  Unconverged unconverged;
  int fixedbit;
  double value[NVALUE];
  std::unique_ptr<RigidBodies> bodies;
  std::unique_ptr<ContactNetwork> network_;
  NeighList *list;
  std::vector<WallSet *> walls;
  std::vector<double> v0, fext, v1, f; /* of the step: six, and one or three per contact */
  std::vector<int> visit;
  AtomRecords<Record> records; /* of every owned atom, for the contacts it stores */

  int parse(int iarg, int narg, char **arg);
  void parse_order(int iarg, int narg, char **arg, int *need);
  void check_keywords();
  void check_others();
  void check_list();
  bool mobile(int i) const;
  void solve();
  void read_bodies();
  void place_bodies();
  void find_contacts();
  void start_forces();
  void keep_forces();
  void set_order();
  void judge(const pd_cd_report &report);
  void share_forces();
  void load_walls();
  pd_vec3 contact_force(int i) const;
  int stride() const { return friction > 0.0 ? 3 : 1; }
};

} // namespace LAMMPS_NS

#endif
