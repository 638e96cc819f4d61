/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/styles/pair_polyhedron.h"

#include "lammps/bridge/left_out.h"
#include "lammps/bridge/cell.h"
#include "lammps/bridge/explicit_contacts.h"
#include "lammps/bridge/list_watch.h"
#include "lammps/bridge/stability_watch.h"
#include "lammps/bridge/other_fixes.h"
#include "lammps/bridge/step_communication.h"
#include "lammps/host/citation.h"
#include "lammps/host/kept.h"
#include "lammps/options/parse.h"
#include "lammps/styles/fix_polyhedron_memory.h"
#include "lammps/styles/fix_polyhedron_setup.h"
#include "force.h"
#include "memory.h"
#include "update.h"

#include <algorithm>
#include <cmath>

using namespace LAMMPS_NS;

static const char *const WHO = "Pair style polyhedron";

PairPolyhedron::PairPolyhedron(LAMMPS *lmp)
    : Pair(lmp), set(PD_SET_CONTINUOUS), energy_here(NAN), last_energy(-1.0), remembering(nullptr),
      others(nullptr), deforming(nullptr), kind(PD_NEWMARK), under_way(nullptr), counting(false),
      adapted(), implicit(false), set_up(lmp)
{
  single_enable = 0;
  comm_forward = StepCommunication::WIDTH;
  no_virial_fdotr_compute = 1;
  writedata = 0;
  cite_polyhedra(lmp);
}

PairPolyhedron::~PairPolyhedron()
{
  if (allocated) {
    memory->destroy(setflag);
    memory->destroy(cutsq);
    for (double **&p : adapted) memory->destroy(p);
  }
}

void PairPolyhedron::allocate()
{
  const int n = atom->ntypes + 1;
  allocated = 1;
  memory->create(setflag, n, n, "pair:setflag");
  memory->create(cutsq, n, n, "pair:cutsq");
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) setflag[i][j] = 0;
  laws.assign(n, std::vector<pd_law>(n, empty_law()));
  wishes.assign(n, std::vector<AutoLaw>(n, no_auto()));
  asked.assign(n, std::vector<LawNumbers>(n, law_numbers(empty_law(), no_auto())));
  for (double **&p : adapted) memory->create(p, n, n, "pair:friction");
  show_all_adapted();
}

void PairPolyhedron::settings(int narg, char **arg)
{
  Options::take_all(
      lmp, Options::PairStyle::keywords, WHO, 0, narg, arg, [this](const Options::Given &given) {
        static const pd_contact_set sets[] = {PD_SET_CONTINUOUS, PD_SET_LITERAL, PD_SET_HIERARCHY};
        set = sets[given.word()];
      });
  set_up.outdate("pair_style has been given");
}

void PairPolyhedron::coeff(int narg, char **arg)
{
  if (narg < 3) error->all(FLERR, "Pair style polyhedron: coefficients are missing");
  if (allocated)
    adapt(); /* what fix adapt has put back at the end of a run is shown again below */
  else
    allocate();
  int ilo, ihi, jlo, jhi;
  Compat::type_range(lmp, arg[0], ilo, ihi);
  Compat::type_range(lmp, arg[1], jlo, jhi);
  pd_law law = empty_law();
  AutoLaw wish = no_auto();
  for (int iarg = 2; iarg < narg;) {
    const int next = parse_law_keyword(lmp, WHO, iarg, narg, arg, &law, &wish);
    if (next == iarg)
      error->all(FLERR, Options::unknown(Options::Law::keywords, WHO, arg[iarg], "in pair_coeff"));
    iarg = next;
  }
  finish_law(lmp, WHO, &law, wish);
  int count = 0;
  for (int i = ilo; i <= ihi; i++)
    for (int j = (jlo > i ? jlo : i); j <= jhi; j++, count++) {
      laws[i][j] = laws[j][i] = law;
      wishes[i][j] = wish;
      asked[i][j] = law_numbers(law, wish);
      setflag[i][j] = 1;
    }
  if (!count) error->all(FLERR, "Pair style polyhedron: no pair of types in pair_coeff");
  set_up.outdate("pair_coeff has been given");
  show_all_adapted();
}

/* whether bodies of a type are ours: a hybrid style may have mapped it to others alone */
bool PairPolyhedron::is_mine(int itype) const
{
  bool mapped = force->pair == this;
  for (int j = 1; j <= atom->ntypes; j++)
    mapped = mapped || setflag[std::min(itype, j)][std::max(itype, j)];
  return mapped;
}

void PairPolyhedron::warn_of_points() const
{
  for (int k = 0; k < modify->nfix; k++) {
    const Fix *f = modify->fix[k];
    if (!turns_nothing(f)) continue;
    int mine = 0, ours = 0;
    for (int i = 0; i < atom->nlocal; i++)
      if ((atom->mask[i] & f->groupbit) && is_mine(atom->type[i])) mine = 1;
    MPI_Allreduce(&mine, &ours, 1, MPI_INT, MPI_MAX, world);
    if (ours && comm->me == 0)
      error->warning(FLERR, fmt::format("Pair style polyhedron: fix {} of style {} does not turn "
                                        "bodies, whatever torques contacts give them: fix "
                                        "nve/asphere or fix implicit/polyhedron do",
                                        f->id, f->style));
  }
}

/* what cannot work, and would not be noticed */
void PairPolyhedron::check_host() const
{
  if (Compat::is_command(lmp->input, "rerun"))
    error->all(FLERR, "Pair style polyhedron does not work with the command rerun, which reads no "
                      "orientations: use write_restart, read_restart and run 0 instead");
  if (!implicit && update->whichflag == 2)
    error->all(FLERR, "Pair style polyhedron does not work with the command minimize, which does "
                      "not turn bodies: let them come to rest by fix implicit/polyhedron with "
                      "scheme euler");
  if (!implicit && utils::strmatch(update->integrate_style, "^respa"))
    error->all(FLERR, "Pair style polyhedron does not work with run_style respa, in which walls "
                      "and loads would not act: use run_style verlet");
  if (!Compat::fixes_of_style(modify, "contact/dynamics").empty())
    error->all(FLERR, "Fix contact/dynamics and pair style polyhedron exclude each other: contacts "
                      "would act twice; use pair style zero");
  if (!implicit) check_box_of_explicit(lmp);
  if (!implicit) warn_of_points();
}

/* Implicit steps go on past what the host's default skins allow, which are none of bodies: 1 mm in
 * units si. Lists that reach a fourth of the smallest bodies' radius further than contact hold for
 * some steps of their fall, and have few pairs more. */
static constexpr double LEAST_SKIN = 0.25;

void PairPolyhedron::check_shapes(const std::vector<ShapeOfType> &shapes) const
{
  std::vector<int> mine(atom->ntypes + 1, 0), used(atom->ntypes + 1, 0);
  for (int i = 0; i < atom->nlocal; i++) mine[atom->type[i]] = 1;
  MPI_Allreduce(mine.data(), used.data(), atom->ntypes + 1, MPI_INT, MPI_MAX, world);
  for (int t = 1; t <= atom->ntypes; t++)
    if (used[t] && !shapes[t].shape && is_mine(t))
      error->all(
          FLERR,
          fmt::format("Pair style polyhedron: atom type {} has no shape: give it one with fix "
                      "polyhedron/shape",
                      t));
}

void PairPolyhedron::init_style()
{
  if (!atom->style_match("ellipsoid"))
    error->all(FLERR, "Pair style polyhedron requires atom style ellipsoid");
  if (!atom->tag_enable) error->all(FLERR, "Pair style polyhedron requires atom IDs");
  if (force->ftm2v != 1.0 || force->mvv2e != 1.0)
    error->all(
        FLERR,
        fmt::format("Pair style polyhedron: units {} are not consistent (force is not mass times "
                    "acceleration): use si, lj, cgs, micro or nano",
                    update->unit_style));
  if (!compute_flag)
    error->all(FLERR, "Pair style polyhedron: pair_modify compute no, which fixes that move bodies "
                      "do not heed: leave out pairs of bodies by neigh_modify exclude");
  if (Compat::fixes_of_style(modify, "polyhedron/shape").empty())
    error->all(FLERR, "Pair style polyhedron requires fix polyhedron/shape");
  if (force->pair_match("polyhedron", 1, 1) != force->pair_match("polyhedron", 1, 2))
    error->all(FLERR, "Pair style polyhedron is given more than once in pair_style hybrid: once, "
                      "and pair_coeff of all pairs of types to that one");
  set_up.outdate(LastSetup::INITIALIZED);
  implicit = !Compat::fixes_of_style(modify, "implicit/polyhedron").empty();
  check_host();
  check_left_out(lmp, WHO);
  others = nullptr;
  watched.reset(implicit ? nullptr : new Cell(lmp));
  if (watched) watched->watch();
  deforming = watched.get();
  kind = PD_NEWMARK;
  adapt();
  last_energy = filed.empty() ? contact_energy() : HUGE_VAL; /* a restart file does not say */
  const std::vector<ShapeOfType> shapes = collect_shapes(lmp);
  check_shapes(shapes);
  margin = implicit ? fmax(0.0, LEAST_SKIN * least_radius(shapes) - neighbor->skin) : 0.0;
  choose_laws(shapes);
  bool damped = false, rubs = false;
  for (const auto &row : laws)
    for (const pd_law &l : row) {
      rubs = rubs || l.t.eps_t > 0.0;
      damped = damped || l.zeta > 0.0 || l.t.eps_t > 0.0;
    }
  for (const WallSet *w : WallSet::all(modify)) rubs = rubs || w->has_friction();
  remembering = rubs ? &FixPolyhedronMemory::instance(lmp)->contacts : nullptr;
  if (remembering) {
    remembering->follow_tags();
    remembering->forget_other_walls(WallSet::all(modify));
  }
  /* damping, friction and the choices of the energy-momentum scheme need them on every process */
  if (implicit) comm->ghost_velocity = 1;
  if (damped && !comm->ghost_velocity)
    error->all(FLERR, "Pair style polyhedron with damping or friction requires fix "
                      "implicit/polyhedron, or beside "
                      "an explicit integrator ghost velocities: comm_modify vel yes");
  Compat::request_full(neighbor, this, instance_me);
  FixPolyhedronSetup::stand_last(lmp, "POLYHEDRON_SETUP");
  contacts.reset(implicit ? nullptr : new ExplicitContacts(lmp));
  stability.reset(implicit ? nullptr : new StabilityWatch(lmp));
  places.reset(implicit ? nullptr : new ListWatch(lmp));
}

void PairPolyhedron::setup() { set_up.make(); }

void PairPolyhedron::note_list()
{
  const int all = atom->nlocal + atom->nghost;
  if (neighbor->ago == 0 || (int)listed.size() != all) listed.assign(atom->tag, atom->tag + all);
}

void PairPolyhedron::check_list(const std::string &who) const
{
  const bool holds = (int)listed.size() == atom->nlocal + atom->nghost &&
                     std::equal(listed.begin(), listed.end(), atom->tag);
  const char *why = listed.empty()
                        ? ": there are no lists of neighbours before the first run: give a load or "
                          "a wall whose variable asks for it after run 0"
                        : ": bodies have come, gone or been sorted since the lists were made: "
                          "run 0 makes new ones";
  stop_together(lmp, FLERR, holds ? "" : who + why);
}

double PairPolyhedron::init_one(int i, int j)
{
  if (setflag[i][j] == 0) {
    if (!setflag[i][i] || !setflag[j][j])
      error->all(
          FLERR,
          fmt::format("Pair style polyhedron: coefficients of types {} {} are not set", i, j));
    adapt(); /* fix adapt may have changed what is mixed */
    mix_law_of(i, j);
  }
  const std::vector<ShapeOfType> shapes = collect_shapes(lmp);
  const double ri = shapes[i].shape ? shapes[i].shape->radius : 0.0;
  const double rj = shapes[j].shape ? shapes[j].shape->radius : 0.0;
  return ri + rj + laws[i][j].gbar + margin;
}

const pd_law *PairPolyhedron::law(int itype, int jtype) const { return &laws[itype][jtype]; }

/* of types without coefficients of their own: what mixing will make of it */
double PairPolyhedron::contact_distance(int i, int j) const
{
  if (laws.empty()) return NAN;
  const double own = laws[i][j].gbar, a = laws[i][i].gbar, b = laws[j][j].gbar;
  if (!std::isnan(own)) return own;
  return setflag[std::min(i, j)][std::max(i, j)] || std::isnan(a + b) ? NAN : fmax(a, b);
}

double PairPolyhedron::largest_gap() const
{
  double g = 0.0;
  for (const auto &row : laws)
    for (const pd_law &l : row) g = l.gbar > g ? l.gbar : g;
  return g;
}

void PairPolyhedron::compute(int eflag, int vflag)
{
  ev_init(eflag, vflag);
  if (eflag_atom || vflag_atom)
    error->all(FLERR, "Pair style polyhedron has no per-atom energy or stress for the computes "
                      "pe/atom, stress/atom, centroid/stress/atom and heat/flux: compute "
                      "polyhedron/contact/atom has the stress of each body");
  if (!update->setupflag) set_up.check(WHO);
  if (implicit && !update->setupflag && stepped != update->ntimestep)
    LastSetup::demand(lmp, "Fix implicit/polyhedron has made no step",
                      "a fix before it has been taken away since the last set-up");
  if (neighbor->ago == 0) check_left_out(lmp, WHO);
  note_list();
  if (implicit) return; /* that fix reports energy and virial at the end of the step */
  adapt();
  follow_cell();
  const pd_totals totals = contacts->evaluate(this, list, {}, WHO, "bodies touch");
  contacts->add_forces();
  energy_here = totals.between_bodies;
  if (eflag_global) eng_vdwl += totals.energy + totals.spring;
  if (vflag_global)
    for (int k = 0; k < 6; k++) virial[k] += totals.virial[k];
}

/* How the cell carries bodies, for all contacts beside an explicit integrator. */
void PairPolyhedron::follow_cell()
{
  watched->follow();
  if (neighbor->ago != 0) return;
  watched->find_images([this](double *steps) { forward(steps, true); });
}

void PairPolyhedron::note_places()
{
  if (places) places->note();
}

bool PairPolyhedron::list_holds() const
{
  return !places || !places->outgrown(watched->image_way());
}

void PairPolyhedron::forward(double *values, bool with_steps)
{
  under_way = values;
  counting = with_steps;
  Compat::forward(comm, this);
}

int PairPolyhedron::pack_forward_comm(int n, int *ghosts, double *buf, int, int *pbc)
{
  return StepCommunication::pack(under_way, counting, n, ghosts, buf, pbc);
}

void PairPolyhedron::unpack_forward_comm(int n, int first, double *buf)
{
  StepCommunication::unpack(under_way, n, first, buf);
}

/* A hybrid style has added up its parts before, with what this one had then. */
void PairPolyhedron::report(const pd_totals &totals)
{
  const bool part = force->pair != this;
  if (part) force->pair->eng_vdwl += totals.between_bodies - eng_vdwl;
  for (int k = 0; part && k < 6; k++) force->pair->virial[k] += totals.virial[k] - virial[k];
  eng_vdwl = energy_here = totals.between_bodies;
  std::copy(totals.virial, totals.virial + 6, virial);
}

/* ---------------------------------------------------------------------- */

void PairPolyhedron::write_restart(FILE *fp)
{
  write_restart_settings(fp);
  for (int i = 1; i <= atom->ntypes; i++)
    for (int j = i; j <= atom->ntypes; j++) {
      fwrite(&setflag[i][j], sizeof(int), 1, fp);
      if (!setflag[i][j]) continue;
      const LawNumbers list = law_numbers(laws[i][j], no_auto());
      fwrite(list.data(), sizeof(double), list.size(), fp);
      fwrite(asked[i][j].data(), sizeof(double), list.size(), fp);
    }
}

void PairPolyhedron::read_restart(FILE *fp)
{
  read_restart_settings(fp);
  allocate();
  LawNumbers list = law_numbers(empty_law(), no_auto());
  AutoLaw none = AutoLaw();
  filed.assign(atom->ntypes + 1, std::vector<Choice>(atom->ntypes + 1));
  for (int i = 1; i <= atom->ntypes; i++)
    for (int j = i; j <= atom->ntypes; j++) {
      read(&setflag[i][j], 1, fp);
      if (!setflag[i][j]) continue;
      read(list.data(), (int)list.size(), fp);
      read(asked[i][j].data(), (int)list.size(), fp);
      filed[i][j] = {asked[i][j], list};
      law_of_numbers(list, &laws[i][j], &none);
      laws[j][i] = laws[i][j];
    }
  show_all_adapted();
}

/* the same on all processes */
template <typename T> void PairPolyhedron::read(T *value, int count, FILE *fp)
{
  if (comm->me == 0) utils::sfread(FLERR, value, sizeof(T), count, fp, nullptr, error);
  MPI_Bcast(value, (int)(count * sizeof(T)), MPI_BYTE, 0, world);
}

/* The mark tells files of other versions: those of the first ones begin with the contact set. */
static const int MARK = 0x70650000;

void PairPolyhedron::write_restart_settings(FILE *fp)
{
  const int head[] = {MARK + (int)law_numbers(empty_law(), no_auto()).size(), set};
  fwrite(head, sizeof(int), 2, fp);
}

void PairPolyhedron::read_restart_settings(FILE *fp)
{
  int head[2] = {0, 0};
  read(head, 2, fp);
  if (head[0] != MARK + (int)law_numbers(empty_law(), no_auto()).size())
    error->all(FLERR, "Pair style polyhedron: another version of the plugin has written the "
                      "restart file: go on with that version, or take the bodies over with "
                      "write_data and read_data");
  set = (pd_contact_set)head[1];
}

/* what the bodies' memory of friction goes with: the laws of all types, and the contact set */
void PairPolyhedron::add_fingerprints(Fingerprints *all) const
{
  const char *const words = Options::PairStyle::keywords.rows[0].values[0].words;
  all->push_back({"law", "contact set", Options::split(words)[set], {(double)set}});
  for (int apart = 0; apart < atom->ntypes; apart++) /* like types first: others may be mixed */
    for (int i = 1; i + apart <= atom->ntypes; i++) add_law(i, i + apart, all);
}

void PairPolyhedron::add_law(int i, int j, Fingerprints *all) const
{
  const pd_law &law = laws[i][j];
  if (setflag[i][j] && wishes[i][j].wanted)
    error->all(FLERR, fmt::format("pair_coeff {} {} auto: the law is not chosen yet, so that there "
                                  "is nothing to write to a restart file: not with noinit before "
                                  "a run",
                                  i, j));
  if (std::isnan(law.gbar)) return; /* mixed at the first initialisation */
  all->push_back({"law", fmt::format("law of atom types {} {}", i, j), law_keywords(law),
                  law_numbers(law, no_auto())});
}

double PairPolyhedron::memory_usage()
{
  double bytes = Pair::memory_usage();
  if (!contacts) return bytes;
  const pd_system &sys = contacts->scene.sys;
  bytes += (double)(sys.capacity.body * sizeof(pd_body)) +
           (double)(sys.capacity.pair * sizeof(pd_contact_pair));
  return bytes;
}
