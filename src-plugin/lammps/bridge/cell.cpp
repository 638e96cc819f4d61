/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/cell.h"

#include "domain.h"
#include "lammps/bridge/other_fixes.h"
#include "lammps/host/agree.h"
#include "lammps/bridge/step_communication.h"
#include "lammps/host/deform.h"
#include "neighbor.h"
#include "update.h"

#include <algorithm>
#include <cmath>

using namespace LAMMPS_NS;

/* ---- fix deform ---- */

static int index_of(Modify *modify, const Fix *fix)
{
  for (int i = 0; i < modify->nfix; i++)
    if (modify->fix[i] == fix) return i;
  return -1;
}

/* also if it has been deleted, or takes part in the end of the host */
void Cell::give_back()
{
  const int i = drives ? index_of(modify, deform) : -1;
  if (i >= 0) modify->fmask[i] |= FixConst::END_OF_STEP;
  deform = nullptr;
  drives = false;
}

void Cell::look()
{
  give_back();
  const std::vector<FixDeform *> found = Compat::fixes_seen_as<FixDeform>(modify, "deform");
  if (!found.empty()) deform = found[0];
  with_bodies = deform && deform->remapflag == Domain::X_REMAP;
}

void Cell::watch() { look(); }

void Cell::find(const Fix *owner, const OtherFixes &others)
{
  look();
  if (!deform) {
    rate = Box();
    return;
  }
  drives = true;
  check(owner, others);
  modify->fmask[index_of(modify, deform)] &= ~FixConst::END_OF_STEP;
}

void Cell::check(const Fix *owner, const OtherFixes &others) const
{
  const std::string both = fmt::format("Fix {} of style {} and fix {} of style {}", deform->id,
                                       deform->style, owner->id, owner->style);
  if (deform->nevery != 1)
    error->all(FLERR, fmt::format("{}: the cell goes evenly over every time step: give fix deform "
                                  "N = 1, not {}",
                                  both, deform->nevery));
  std::string fault;
  for (int i = 0; with_bodies && i < atom->nlocal && fault.empty(); i++)
    if ((atom->mask[i] & deform->groupbit) && (others.drives(i) || others.is_locked(i)))
      fault = fmt::format("{}: remap x moves body {}, which another fix moves or locks as well: "
                          "take it out of the group of fix deform, or use remap v",
                          both, atom->tag[i]);
  stop_together(lmp, FLERR, fault);
}

bool Cell::remaps_velocities() const { return deform && domain->deform_vremap; }

bool Cell::flips() const
{
  return deform && Compat::flip_of(deform) && deform->next_reneighbor == update->ntimestep;
}

/* ---- the box ---- */

/* lengths and tilts, in the order of the host's h */
typedef std::array<double, 6> Edges;

static Edges edges(const Cell::Box &b)
{
  return {{b[Cell::HI] - b[Cell::LO], b[Cell::HI + 1] - b[Cell::LO + 1],
           b[Cell::HI + 2] - b[Cell::LO + 2], b[Cell::TILT], b[Cell::TILT + 1], b[Cell::TILT + 2]}};
}

Cell::Box Cell::box() const
{
  const Domain *d = domain;
  return {{d->boxlo[0], d->boxlo[1], d->boxlo[2], d->boxhi[0], d->boxhi[1], d->boxhi[2], d->yz,
           d->xz, d->xy}};
}

void Cell::put(const Box &b)
{
  for (int k = 0; k < 3; k++) {
    domain->boxlo[k] = b[LO + k];
    domain->boxhi[k] = b[HI + k];
  }
  domain->yz = b[TILT];
  domain->xz = b[TILT + 1];
  domain->xy = b[TILT + 2];
  domain->set_global_box();
  domain->set_local_box();
}

/* The host makes xz from what it was at first and multiples of the first edge alone, and leaves out
 * the second one that a flip of yz has added. */
void Cell::check_flip_of_yz() const
{
  if (Compat::drives_xz(deform) && domain->xy != 0.0)
    error->all(FLERR,
               fmt::format("Fix {} of style {} flips yz of a cell whose xz it changes, too, and "
                           "whose xy is not 0: LAMMPS then has xz jump by xy: use flip no",
                           deform->id, deform->style));
}

/* It moves no bodies now: the step does. It may want a flip at a step to come, or still at this
 * one. */
void Cell::begin_step(double dt)
{
  if (!deform) return;
  const int remap = deform->remapflag;
  const bigint due = deform->next_reneighbor;
  start = box();
  Edges rates;
  std::copy_n(domain->h_rate, rates.size(), rates.begin());
  deform->remapflag = Domain::NO_REMAP;
  deform->end_of_step();
  deform->remapflag = remap;
  std::copy(rates.begin(), rates.end(), domain->h_rate); /* until a part of the step is done */
  if (due == update->ntimestep) deform->next_reneighbor = due;
  end = box();
  put(start);
  if (Compat::flip_of(deform) && Compat::flips_wrong())
    error->all(FLERR, fmt::format("Fix {} of style {} flips the cell, after which this version of "
                                  "LAMMPS has bodies in wrong places: use flip no, or LAMMPS from "
                                  "29 Aug 2024 - Update 2 on",
                                  deform->id, deform->style));
  if (Compat::flips_yz(deform)) check_flip_of_yz();
  for (int k = 0; k < NBOX; k++) next[k] = (end[k] - start[k]) / dt;
}

void Cell::place(double s)
{
  if (!deform) return;
  Box now;
  for (int k = 0; k < NBOX; k++) now[k] = s < 1.0 ? start[k] + s * (end[k] - start[k]) : end[k];
  put(now);
  rate = next;
  const Edges h = edges(rate);
  std::copy(h.begin(), h.end(), domain->h_rate);
}

/* steps of edges that a flip adds to others: of the second one and the first to the third, of the
 * first to the second */
struct Flip {
  double by, bx, ax;
};

static Flip flip_between(const Edges &before, const Edges &now)
{
  const double by = std::round((now[3] - before[3]) / before[1]);
  const double bx = std::round((now[4] - before[4] - by * before[5]) / before[0]);
  return {by, bx, std::round((now[5] - before[5]) / before[0])};
}

/* Edges after a flip are sums of edges before it, and so are their rates. */
static Cell::Box flipped(Cell::Box b, const Flip &flip)
{
  const Edges e = edges(b);
  b[Cell::TILT] += flip.by * e[1];
  b[Cell::TILT + 1] += flip.bx * e[0] + flip.by * e[5];
  b[Cell::TILT + 2] += flip.ax * e[0];
  return b;
}

void Cell::follow_flip()
{
  if (!deform) return;
  const Edges r = edges(rate);
  const Flip flip = flip_between(edges(end), edges(box()));
  const double by = flip.by, bx = flip.bx, ax = flip.ax;
  if (by == 0.0 && bx == 0.0 && ax == 0.0) return;
  if (remaps_velocities() &&
      (((bx != 0.0 || ax != 0.0) && r[0] != 0.0) || (by != 0.0 && (r[1] != 0.0 || r[5] != 0.0))))
    error->all(FLERR, fmt::format("Fix {} of style {} with remap v flips a cell whose edges change "
                                  "in length, after which velocities are not known: use flip no, "
                                  "or another remap",
                                  deform->id, deform->style));
  rate = flipped(rate, flip);
  end = box();
}

Cell::Box Cell::rate_of_host() const
{
  Box r;
  for (int k = 0; k < 3; k++) {
    r[LO + k] = domain->h_ratelo[k];
    r[HI + k] = domain->h_ratelo[k] + domain->h_rate[k];
    r[TILT + k] = domain->h_rate[3 + k];
  }
  return r;
}

/* In the first step of a run the host has not changed the cell yet, and in all others it did so at
 * the end of the one before. */
void Cell::follow()
{
  if (!deform) return;
  const Box now = box();
  const bigint done = update->ntimestep - 1;
  if (update->setupflag || done == update->firststep) {
    rate = rate_of_host();
  } else if (done % deform->nevery == 0) {
    const Flip flip = flip_between(edges(end), edges(now));
    if (flip.by != 0.0) check_flip_of_yz();
    const Box before = flipped(end, flip);
    for (int k = 0; k < NBOX; k++) rate[k] = (now[k] - before[k]) / (update->dt * deform->nevery);
  }
  end = now;
}

/* ---- what it carries ---- */

void Cell::find_images(const std::function<void(double *)> &count)
{
  if (!deform) return;
  images.assign((size_t)StepCommunication::WIDTH * (atom->nlocal + atom->nghost), 0.0);
  count(images.data());
  of_list = box();
}

/* by lamda coordinates, or by lattice steps */
static pd_vec3 times(const Edges &h, pd_vec3 k)
{
  return pd_v(h[0] * k.x + h[5] * k.y + h[4] * k.z, h[1] * k.y + h[3] * k.z, h[2] * k.z);
}

/* an image across any boundaries, also one that the list does not know yet */
double Cell::image_way() const
{
  if (!deform) return 0.0;
  Box change = box();
  for (int k = 0; k < NBOX; k++) change[k] -= of_list[k];
  double way = 0.0;
  for (int k = 0; k < 27; k++) {
    const int steps[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
    const pd_vec3 step = pd_v(steps[0], steps[1], steps[2]);
    way = fmax(way, pd_norm(times(edges(change), step)));
  }
  return way;
}

/* of an atom by the cell, beside what the host itself gives ghosts with remap v */
pd_vec3 Cell::velocity(int i, const Box &with) const
{
  const pd_vec3 image = pd_v_load(&images[(size_t)StepCommunication::WIDTH * i]);
  const bool of_group = atom->mask[i] & deform->groupbit;
  if (of_group && !drives && remaps_velocities()) return pd_v(0.0, 0.0, 0.0);
  if (!of_group || !with_bodies) return times(edges(with), image);
  double lamda[3];
  domain->x2lamda(atom->x[i], lamda);
  return pd_add(pd_v_load(with.data() + LO), times(edges(with), pd_v_load(lamda)));
}

/* walls, which are no atoms, stay where they are */
bool Cell::carries(const pd_system *sys, int i) const
{
  return (size_t)i * StepCommunication::WIDTH < images.size() && !sys->body[i].wall;
}

void Cell::load(pd_system *sys) const
{
  const pd_vec3 zero = pd_v(0.0, 0.0, 0.0);
  const pd_status status = pd_system_set_carries(sys, deform != nullptr);
  if (status) throw LocalError(fmt::format("Fix implicit/polyhedron: {}", pd_strerror(status)));
  for (int i = 0; deform && i < sys->nbody; i++)
    if (carries(sys, i)) pd_system_carry_body(sys, i, zero, velocity(i, rate));
}

void Cell::prescribe(pd_system *sys, double part, double dt) const
{
  for (int i = 0; deform && i < sys->nbody; i++) {
    if (!carries(sys, i)) continue;
    const pd_vec3 v = velocity(i, next);
    pd_system_carry_body(sys, i, pd_scale(part * dt, v), v);
  }
}

std::vector<pd_vec3> Cell::wrap() const
{
  std::vector<pd_vec3> change(atom->nlocal);
  for (int i = 0; i < atom->nlocal; i++) change[i] = pd_neg(pd_v_load(atom->v[i]));
  if (domain->triclinic) domain->x2lamda(atom->nlocal);
  domain->pbc();
  if (domain->triclinic) domain->lamda2x(atom->nlocal);
  for (int i = 0; i < atom->nlocal; i++) change[i] = pd_add(change[i], pd_v_load(atom->v[i]));
  return change;
}
