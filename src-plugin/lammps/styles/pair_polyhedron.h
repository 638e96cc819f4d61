/* SPDX-License-Identifier: GPL-2.0-or-later
 * pair_style polyhedron: contact of rigid polyhedra. */
#ifndef LMP_PAIR_POLYHEDRON_H
#define LMP_PAIR_POLYHEDRON_H

#include "lammps/bridge/contact_laws.h"
#include "lammps/bridge/fingerprint.h"
#include "lammps/bridge/last_setup.h"
#include "lammps/host/lmp_compat.h"
#include "lammps/options/contact_law.h"

#include "contact/pair.h"
#include "dynamics/assembly.h"
#include "update.h"

#include <map>
#include <memory>

namespace LAMMPS_NS
{

class ExplicitContacts;
class ListWatch;
class StabilityWatch;

class PairPolyhedron : public Pair, public ContactLaws, public FingerprintSource
{
public:
  explicit PairPolyhedron(class LAMMPS *);
  ~PairPolyhedron() override;
  void compute(int, int) override;
  void settings(int, char **) override;
  void coeff(int, char **) override;
  void init_style() override;
  void setup() override;
  double init_one(int, int) override;
  void write_restart(FILE *) override;
  void read_restart(FILE *) override;
  void write_restart_settings(FILE *) override;
  void read_restart_settings(FILE *) override;
  double memory_usage() override;
  void *extract(const char *, int &) override;
  int pack_forward_comm(int, int *, double *, int, int *) override;
  void unpack_forward_comm(int, int, double *) override;

  /* law of a pair of types; valid after init */
  const pd_law *law(int itype, int jtype) const override;
  double contact_distance(int itype, int jtype) const override;
  pd_contact_set contact_set() const override { return set; }
  double largest_gap() const;
  /* length by which lists reach further than contact and the host's skin, in a run with implicit
   * steps; valid after init */
  double list_margin() const { return margin; }
  void add_fingerprints(Fingerprints *all) const override;

  const OtherFixes *other_fixes() const override { return others; }
  void set_other_fixes(const OtherFixes *fixes) { others = fixes; }
  const Cell *cell() const override { return deforming; }
  void set_cell(const Cell *of_step) { deforming = of_step; }
  const std::function<void(pd_system *)> &states() const override { return states_of_step; }
  void set_states(const std::function<void(pd_system *)> &of_step) { states_of_step = of_step; }
  pd_scheme_kind scheme() const override { return kind; }
  void set_scheme(pd_scheme_kind scheme) { kind = scheme; }

  /* Of laws with restitution and no damping where bodies are moved by something else than scheme
   * em. Once. */
  void warn_of_restitution(const std::string &integrator);
  FrictionMemory *friction_memory() const override { return remembering; }
  void check_list(const std::string &who) const override;

  /* Fix implicit/polyhedron makes the present step. */
  void note_step() { stepped = update->ntimestep; }

  /* The host's list has been made or used. */
  void note_list();

  /* What fix implicit/polyhedron has found of this process's pairs at the end of a step. */
  void report(const pd_totals &totals);

  /* Takes over what fix adapt has changed. */
  bool adapt();

  /* In a step: stops if this pair style, or what acts on it, has changed since the last set-up. */
  void check_setup(const std::string &who) const { set_up.check(who); }

  /* Whether auto has just chosen laws whose gaps may still become smaller. */
  bool has_open_laws() const;

  /* Chooses those anew that bodies placed nearer ask to; gaps: the smallest by law. */
  void limit_gaps(const std::map<const pd_law *, double> &gaps);

  /* At set-up, after all fixes have added their forces: with an explicit integrator. */
  void complete_setup();

  /* Beside an explicit integrator. note_places: a list is about to be made. list_holds: whether the
   * present one shows all pairs that may touch where bodies are now. All processes. */
  void note_places();
  bool list_holds() const;

  /* At the end of a step beside an explicit integrator, and at set-up: warns if the step is too
   * long for the contacts. All processes. */
  void watch_step();

private:
  pd_contact_set set;
  std::vector<std::vector<pd_law>> laws; /* [type][type] */
  std::vector<std::vector<AutoLaw>>
      wishes; /* [type][type], upper half: laws that auto has to choose */
  struct Choice {
    LawNumbers asked, law;
  };
  std::vector<std::vector<LawNumbers>> asked; /* the same: what pair_coeff said */
  std::vector<std::vector<Choice>> filed; /* the same, of a restart file, until laws are chosen */
  std::unique_ptr<ExplicitContacts> contacts; /* with explicit integrators */
  std::unique_ptr<StabilityWatch> stability;  /* the same */
  std::unique_ptr<ListWatch> places;          /* the same */
  double margin{0.0};                         /* see list_margin */
  double energy_here; /* of this process's contacts between bodies; NAN: none evaluated yet */
  double last_energy; /* contact energy of all processes at the end of the run before; below 0:
                           none */
  FrictionMemory *remembering;
  const OtherFixes *others; /* of fix implicit/polyhedron, which sets it */
  const Cell *deforming;    /* the same, or watched */
  std::function<void(pd_system *)> states_of_step;
  pd_scheme_kind kind;           /* of fix implicit/polyhedron, which sets it */
  std::unique_ptr<Cell> watched; /* with explicit integrators */
  double *under_way;             /* WIDTH doubles per atom from owners to ghosts */
  bool counting;                 /* with the lattice steps between them */
  /* friction as fix adapt sees it, [type][type]: mu_s, mu_d, eps_t, c_t, v_s */
  enum { NADAPT = 5 };
  double **adapted[NADAPT];
  std::vector<tagint> listed; /* IDs of atoms and ghosts of the host's list, in its order */
  bool implicit;              /* fix implicit/polyhedron applies the contact forces */
  bool told_restitution = false;
  LastSetup set_up;
  bigint stepped = -1; /* the last step of fix implicit/polyhedron */

  void allocate();
  void check_host() const;
  void warn_of_points() const;
  void check_shapes(const std::vector<struct ShapeOfType> &shapes) const;
  bool is_mine(int itype) const;
  void add_law(int itype, int jtype, Fingerprints *all) const;
  template <typename T> void read(T *value, int count, FILE *fp);
  void mix_law_of(int itype, int jtype);
  void choose_laws(const std::vector<struct ShapeOfType> &shapes);
  void choose_law_of(int itype, int jtype, const std::vector<struct ShapeOfType> &shapes,
                     const std::vector<bool> &moves);
  void follow_cell();
  std::vector<const pd_law *> laws_from(int itype, int jtype) const;
  void mix_laws();
  bool take_filed_law(int itype, int jtype);
  double contact_energy() const;
  std::vector<ExplicitContacts *> all_contacts() const;
  std::vector<double> contact_forces() const;
  void tell_external_forces(const std::vector<double> &contact);
  void forward(double *values, bool with_steps);
  void replace_forces(const std::vector<double> &old);
  void limit_laws(const std::vector<double> &forces);
  void show_adapted(int i, int j);
  void show_all_adapted();
};

} // namespace LAMMPS_NS

#endif
