/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/other_fixes.h"

#include "lammps/bridge/shape_table.h"
#include "lammps/host/kept.h"
#include "update.h"

using namespace LAMMPS_NS;

static std::string name_of(const Fix *fix, const char *word)
{
  return fmt::format("{} {} of style {}", word, fix->id, fix->style);
}

/* the images of a body across the boundary would move, which the step does not know of */
static void check_box(const std::string &owner, const Fix *fix, bool follows, Error *error)
{
  if (follows && strcmp(fix->style, "deform") == 0) return;
  if (fix->box_change & (Fix::BOX_CHANGE_SIZE | Fix::BOX_CHANGE_SHAPE))
    error->all(FLERR, fmt::format("Fix {} of style {} changes the box in the middle of a run, "
                                  "which {} cannot follow: use {}moving walls, or change_box "
                                  "between runs",
                                  fix->id, fix->style, owner, follows ? "fix deform, " : ""));
}

void LAMMPS_NS::check_box_of_explicit(LAMMPS *lmp)
{
  for (int i = 0; i < lmp->modify->nfix; i++)
    check_box("pair style polyhedron", lmp->modify->fix[i], true, lmp->error);
}

/* fix move puts its atoms where they would be if the time step had been the present one from its
 * own start on; before: what it was in the last run, 0: there was none */
static void check_time_step(LAMMPS *lmp, const Fix *owner, double before)
{
  const double now = lmp->update->dt;
  if (before == 0.0 || before == now) return;
  for (Fix *fix : Compat::fixes_of_style(lmp->modify, "move"))
    if (Compat::start_of_move(lmp, fix) < static_cast<double>(lmp->update->ntimestep))
      lmp->error->all(
          FLERR, fmt::format("{}: the timestep has changed from {} to {} since {} began to count "
                             "its time in steps, and its bodies would jump: unfix it and define it "
                             "again after the timestep command, or use a wall that moves",
                             name_of(owner, "Fix"), before, now, name_of(fix, "fix")));
}

void OtherFixes::find(const Fix *by, bool follows)
{
  owner = by;
  name = name_of(owner, "fix");
  moved = bits = owner->groupbit;
  frozen = drivers = 0;
  std::fill_n(by_force, 3, 0);
  holds.clear();
  locks = LockSet::all(modify);
  for (const LockSet *l : locks) bits |= l->bodies;
  for (int i = 0; i < modify->nfix; i++)
    if (modify->fix[i] != owner) {
      check_box(name, modify->fix[i], follows, error);
      take(modify->fix[i]);
    }
  check_time_step(lmp, owner, time_step);
  time_step = update->dt;
}

void OtherFixes::find(const std::string &asker)
{
  owner = nullptr;
  name = asker;
  moved = frozen = drivers = bits = 0;
  std::fill_n(by_force, 3, 0);
  holds.clear();
  locks = LockSet::all(modify);
  for (int i = 0; i < modify->nfix; i++) take(modify->fix[i]);
  if (!moved && !drivers) moved = ~0;
}

/* fixes whose force depends on all the others */
static bool replaces_forces(const Fix *fix)
{
  for (const char *one :
       {"aveforce", "lineforce", "planeforce", "enforce2d", "store/force", "shake", "rattle"})
    if (Compat::is_style(fix, one)) return true;
  return false;
}

/* fixes that set positions, without integrating */
static bool replaces_positions(const Fix *fix)
{
  for (const char *one : {"recenter", "wall/reflect", "wall/reflect/stochastic"})
    if (Compat::is_style(fix, one)) return true;
  return false;
}

void OtherFixes::take(Fix *fix)
{
  if (Compat::is_style(fix, "freeze")) {
    frozen |= fix->groupbit;
    bits |= fix->groupbit;
  } else if (Compat::is_style(fix, "setforce")) {
    take_setforce(fix);
  } else if (fix->time_integrate && owner) {
    take_driver(fix);
  } else if (fix->time_integrate) {
    take_integrator(fix);
  } else if (owner && replaces_positions(fix)) {
    refuse(fix, "that fix would put it elsewhere whatever is in the way: take it out of its group");
  } else if (owner && replaces_forces(fix)) {
    refuse(fix, "contact forces are not known where that fix acts on the forces: take it out of "
                "its group");
  } else if (replaces_forces(fix) && !Compat::is_style(fix, "store/force")) {
    refuse(fix,
           "what becomes of its forces is not known: take it out, or give it to keyword fixed");
  }
}

static bool is_move(const Fix *fix) { return Compat::is_style(fix, "move"); }

/* components (bits) along which a fix that integrates moves its bodies by the forces on them */
static int moves_by_forces(LAMMPS *lmp, Fix *fix)
{
  for (const char *one : {"nve/noforce", "nve/asphere/noforce"})
    if (Compat::is_style(fix, one)) return 0;
  return is_move(fix) ? Compat::components_left_to_forces(lmp, fix) : 7;
}

void OtherFixes::take_driver(Fix *fix)
{
  drivers |= fix->groupbit;
  const int free = moves_by_forces(lmp, fix);
  for (int k = 0; k < 3; k++)
    if (free & (1 << k)) by_force[k] |= fix->groupbit;
  refuse(fix, "both integrate it: take it out of one of the two groups");
}

bool LAMMPS_NS::turns_nothing(const Fix *fix)
{
  for (const char *one : {"nve", "nve/limit", "nve/noforce", "nve/sphere", "nvt", "npt", "nph"})
    if (Compat::is_style(fix, one)) return true;
  return false;
}

void OtherFixes::take_integrator(Fix *fix)
{
  const int free = moves_by_forces(lmp, fix);
  (free ? moved : drivers) |= fix->groupbit;
  bits |= fix->groupbit;
  if (utils::strmatch(fix->style, "^rigid") || utils::strmatch(fix->style, "^poems"))
    refuse(fix, "it moves several bodies as one: give it to keyword fixed, or use fix nve/asphere");
  else if (turns_nothing(fix) || is_move(fix))
    holds.push_back({fix->groupbit, 7 & ~free, 7, "", ""});
}

void OtherFixes::refuse(Fix *fix, const std::string &why)
{
  const char *const in = owner ? "is in both groups, but " : "is in the group of the fix, and ";
  holds.push_back({fix->groupbit, 0, 0, name_of(fix, "Fix") + " and " + name, in + why});
  bits |= fix->groupbit;
}

void OtherFixes::take_setforce(Fix *fix)
{
  const Compat::SetForce force = Compat::set_force(fix);
  int held = 0;
  for (int k = 0; k < 3; k++)
    if (force.set[k]) held |= 1 << k;
  if (!force.zero)
    return refuse(fix, "a force other than 0 in place of all contact forces is not possible: use "
                       "0.0 or NULL without region, and fix addforce or fix load/polyhedron");
  holds.push_back({fix->groupbit, held, 0, "", ""});
  bits |= fix->groupbit;
}

bool OtherFixes::moves(int i) const
{
  const int mask = atom->mask[i];
  return (mask & moved) && !(mask & frozen);
}

int OtherFixes::held_translation(int i) const
{
  int held = 0;
  for (const HoldOfFix &h : holds)
    if (atom->mask[i] & h.group) held |= h.translation;
  for (const LockSet *l : locks)
    if (atom->mask[i] & l->bodies) held |= l->held_translation();
  return held;
}

int OtherFixes::driven_by_force(int i) const
{
  int free = 0;
  for (int k = 0; k < 3; k++)
    if (atom->mask[i] & by_force[k]) free |= 1 << k;
  return free;
}

std::string OtherFixes::mover(int i) const
{
  for (int k = 0; k < modify->nfix; k++) {
    Fix *fix = modify->fix[k];
    const bool acts = fix != owner && fix->time_integrate && (atom->mask[i] & fix->groupbit);
    if (acts && moves_by_forces(lmp, fix))
      return fmt::format("{}{} moves body {} by the forces on it", name_of(fix, "fix"),
                         is_move(fix) ? " with NULL" : "", atom->tag[i]);
  }
  return "";
}

/* whether an atom of the fix is a polyhedron, on any process */
static bool has_polyhedra(LAMMPS *lmp, const Fix *fix)
{
  const std::vector<ShapeOfType> shapes = collect_shapes(lmp);
  const Atom *atom = lmp->atom;
  int mine = 0, any = 0;
  for (int i = 0; i < atom->nlocal; i++)
    if ((atom->mask[i] & fix->groupbit) && shapes[atom->type[i]].shape) mine = 1;
  MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, lmp->world);
  return any;
}

void LAMMPS_NS::warn_of_null(LAMMPS *lmp, const Fix *owner)
{
  for (Fix *fix : Compat::fixes_of_style(lmp->modify, "move")) {
    if (!moves_by_forces(lmp, fix) || !has_polyhedra(lmp, fix)) continue;
    if (lmp->comm->me == 0)
      lmp->error->warning(
          FLERR, fmt::format("{} with NULL moves bodies by the forces on them there, outside of "
                             "{}: the coupling is explicit and gives energy where the time step "
                             "is not short against the period of their contacts. Take them into "
                             "its group, with the other components held by fix lock/polyhedron, or "
                             "give numbers in place of NULL",
                             name_of(fix, "Fix"), name_of(owner, "fix")));
  }
}

/* Two fixes may hold the same body along the axes of space. */
void OtherFixes::add_lock(int i, const LockSet *lock, const pd_state &start, pd_constraint *c) const
{
  const pd_constraint more = lock->constraint(i, start);
  const bool simple = !c->hinged && !c->follows && !more.hinged && !more.follows;
  if (pd_constraint_any(c) && !simple)
    throw LocalError(
        fmt::format("Fix {} of style lock/polyhedron: another fix holds body {}, too, which is "
                    "possible along axes of space alone: take it out of one of the two groups",
                    lock->name, atom->tag[i]));
  if (!pd_constraint_any(c))
    *c = more;
  else {
    c->translation |= more.translation;
    c->rotation |= more.rotation;
  }
}

bool OtherFixes::is_locked(int i) const
{
  for (const LockSet *l : locks)
    if (atom->mask[i] & l->bodies) return true;
  return false;
}

pd_constraint OtherFixes::constraint(int i, const pd_state &start) const
{
  pd_constraint c = pd_constraint();
  c.axes = pd_m_identity();
  for (const HoldOfFix &h : holds) {
    if (!(atom->mask[i] & h.group)) continue;
    if (!h.fault.empty())
      throw LocalError(fmt::format("{}: body {} {}", h.who, atom->tag[i], h.fault));
    c.translation |= h.translation;
    c.rotation |= h.rotation;
  }
  for (const LockSet *l : locks)
    if (atom->mask[i] & l->bodies) add_lock(i, l, start, &c);
  return c;
}

/* moments about the centres, at a hinge about its point */
void OtherFixes::share_reaction(const pd_system &sys) const
{
  for (LockSet *l : locks) {
    double sum[6] = {0.0};
    for (int i = 0; i < atom->nlocal; i++) {
      const pd_body &b = sys.body[i];
      if (!b.mobile || !(atom->mask[i] & l->bodies)) continue;
      const pd_vec3 force = pd_v_load(b.reaction);
      double hold[6];
      pd_v_store(hold, force);
      pd_v_store(hold + 3, pd_add(pd_v_load(b.reaction + 3), pd_cross(b.constraint.arm, force)));
      for (int k = 0; k < 6; k++) sum[k] += hold[k];
    }
    l->set_reaction(sum);
  }
}

void OtherFixes::stop_frozen() const
{
  for (int i = 0; frozen && i < atom->nlocal; i++) {
    if (!(atom->mask[i] & moved) || moves(i)) continue;
    double *spin = atom->angmom ? atom->angmom[i] : atom->omega[i];
    for (int k = 0; k < 3; k++) atom->v[i][k] = spin[k] = 0.0;
  }
}
