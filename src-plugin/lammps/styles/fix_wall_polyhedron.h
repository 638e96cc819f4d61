/* SPDX-License-Identifier: GPL-2.0-or-later
 * fix wall/polyhedron: rigid boundaries, planes and triangulated surfaces. */
#ifndef LMP_FIX_WALL_POLYHEDRON_H
#define LMP_FIX_WALL_POLYHEDRON_H

#include "lammps/bridge/fingerprint.h"
#include "lammps/bridge/wall_set.h"
#include "lammps/bridge/wall_surface.h"
#include "lammps/host/lmp_compat.h"
#include "lammps/options/contact_law.h"
#include "lammps/options/options.h"

#include <map>
#include <memory>

namespace LAMMPS_NS
{

class ExplicitContacts;
class PairPolyhedron;

class FixWallPolyhedron : public Fix, public WallSet, public FingerprintSource
{
public:
  FixWallPolyhedron(class LAMMPS *, int, char **);
  ~FixWallPolyhedron() override;
  int setmask() override;
  void init() override;
  void setup_pre_force(int) override;
  void setup(int) override;
  void initial_integrate(int) override;
  void pre_exchange() override;
  void post_force(int) override;
  int modify_param(int, char **) override;
  void write_restart(FILE *) override;
  void restart(char *) override;
  double compute_scalar() override;
  double compute_vector(int) override;
  void add_fingerprints(Fingerprints *all) const override;

  /* Chooses the law of keyword auto, if that has not been done. */
  void choose(const std::vector<struct ShapeOfType> &shapes);

  /* Whether auto has just chosen a law whose gap may still become smaller. */
  bool has_open_law() const { return own_law && wish.open; }

  /* Chooses that anew if bodies placed nearer ask to; gaps: the smallest by law. */
  void limit_gap(const std::map<const pd_law *, double> &gaps);

  /* All fixes of this style. */
  static std::vector<FixWallPolyhedron *> all_of(Modify *modify);

  /* The wall's contacts with explicit integrators (nullptr with others), evaluated anew, and those
   * last evaluated; energy of this process's, with every integrator. */
  void evaluate();
  ExplicitContacts *explicit_contacts() const { return contacts.get(); }
  double contact_energy() const { return load[ENERGY]; }

private:
  enum {
    /* places in a restart file: work, six means, six last forces and whether there are any, motion,
     * freedom; laws are behind them */
    AT_MEAN = 1,
    AT_SOLVED = 7,
    AT_ANY_SOLVED = 13,
    AT_MOTION = 14,
    AT_FREEDOM = AT_MOTION + WallMotion::NSTATE,
    AT_LAWS = AT_FREEDOM + WallFreedom::NSTATE,
    SIZE = 15 /* of the vector */
  };
  std::vector<int> extensive; /* whether its values are */
  AutoLaw wish;
  LawNumbers asked; /* law and wish as given */
  PairPolyhedron *pair;
  std::unique_ptr<ExplicitContacts> contacts; /* with explicit integrators */
  bool implicit; /* another fix moves the walls and applies the contact forces */
  double work;   /* done by the wall before the last restart */
  pd_vec3 back;  /* by which the walls come back into the cell at the next list */
  std::unique_ptr<WallSurface> surface; /* which the keywords being read are about */

  void sum_load();
  int parse(int iarg, int narg, char **arg);
  static std::string unknown(const std::string &key);
  void set(const Options::Given &given);
  void add_plane(const Options::Given &given);
  void finish_surface();
  void finish_freedom();
  void check_freedom(bool rigid) const;
  bool goes_on(int k) const;
  void refuse(const pd_wall &w, const std::string &fault);
  void check_periods();
  void check_others(int k);
  void look_for_way_back();
};

} // namespace LAMMPS_NS

#endif
