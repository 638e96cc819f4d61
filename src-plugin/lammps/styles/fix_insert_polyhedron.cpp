/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/styles/fix_insert_polyhedron.h"

#include "lammps/bridge/restart_state.h"
#include "lammps/host/clock.h"
#include "group.h"

#include <cmath>

using namespace LAMMPS_NS;
using namespace FixConst;

static const char *const WHO = "Fix insert/polyhedron";

/* what is due at a step is due there whatever way its time was added up */
static constexpr double ROUNDING = 1.0e-9;

FixInsertPolyhedron::FixInsertPolyhedron(LAMMPS *lmp, int narg, char **arg)
    : Fix(lmp, narg, arg), insertion(lmp, WHO), every(1), rate(0.0), velocity(pd_v(0.0, 0.0, 0.0)),
      inserted(0), volume(0.0), first(update->ntimestep + 1), elapsed(0.0),
      clock(simulated_time(update)), full(false)
{
  namespace key = Options::Insert;
  if (!atom->style_match("ellipsoid"))
    error->all(FLERR, fmt::format("{} requires atom style ellipsoid", WHO));
  if (narg < 5)
    error->all(FLERR, "Illegal fix insert/polyhedron command: atom types and in must follow");
  force_reneighbor = restart_global = time_depend = 1;
  scalar_flag = vector_flag = global_freq = 1;
  size_vector = 2;
  extscalar = extvector = 0;
  insertion.set_types(arg[3]);
  if (!key::places.find(arg[4]))
    error->all(FLERR, fmt::format("{}: expected in, not {}", WHO, arg[4]));
  const Options::Given place = Options::parse(lmp, key::places, WHO, 4, narg, arg);
  insertion.set_target(place);
  Options::take_all(lmp, key::keywords, WHO, place.next, narg, arg,
                    [this](const Options::Given &given) { set(given); });
  next_reneighbor = first;
}

void FixInsertPolyhedron::set(const Options::Given &given)
{
  namespace key = Options::Create;
  switch (given.id()) {
  case key::EVERY:
    every = given.integer();
    return;
  case key::RATE:
    rate = given.real();
    return;
  case key::VELOCITY:
    velocity = pd_v_load(given.number.data());
    return;
  default:
    insertion.set(given);
  }
}

int FixInsertPolyhedron::setmask() { return PRE_EXCHANGE | POST_RUN; }

void FixInsertPolyhedron::init()
{
  insertion.init();
  check_groups();
}

/* New bodies are in the groups all and that of this fix: where no fix that moves bodies is of one
 * of them, they would hang in the air. Groups that are dynamic take in whom they like. */
void FixInsertPolyhedron::check_groups() const
{
  const Fix *other = nullptr;
  const int bits = 1 | groupbit;
  for (int i = 0; i < modify->nfix; i++) {
    const Fix *fix = modify->fix[i];
    if (!fix->time_integrate) continue;
    if ((fix->groupbit & bits) || group->dynamic[fix->igroup]) return;
    other = fix;
  }
  if (!other) return;
  const char *name = group->names[other->igroup];
  error->all(FLERR,
             fmt::format("{}: nothing would move the bodies of fix {}: they are in the groups all "
                         "and {}, and fix {} of style {} is of group {}: give fix {} that group",
                         WHO, id, group->names[igroup], other->id, other->style, name, id));
}

/* since the start; steps may be of any length, also within a run */
double FixInsertPolyhedron::time() const { return elapsed + simulated_time(update) - clock; }

void FixInsertPolyhedron::count_time()
{
  elapsed = time();
  clock = simulated_time(update);
}

void FixInsertPolyhedron::setup_pre_exchange()
{
  clock = simulated_time(update); /* between runs the host may set it */
  insertion.look(1 | groupbit);   /* errors before the first step; the volume of the region */
  insertion.forget();
  const bigint now = update->ntimestep;
  const bigint turns = now < first ? 0 : (now - first) / every + 1;
  next_reneighbor = done() ? 0 : first + turns * every;
}

/* number or volume that may be there by now */
double FixInsertPolyhedron::limit() const
{
  return rate > 0.0 ? rate * elapsed * (1.0 + ROUNDING) : HUGE_VAL;
}

bool FixInsertPolyhedron::done() const
{
  return !insertion.wants(inserted, volume, inserted, HUGE_VAL);
}

/* Bodies come in their order: the first that finds no place waits for the next time, so that sizes
 * and types stay as they are asked for. */
std::vector<NewBody> FixInsertPolyhedron::find_places()
{
  std::vector<NewBody> found;
  NewBody body = NewBody();
  double sum = volume;
  full = false;
  for (bigint k = inserted; insertion.wants(k, sum, k, limit()); k++) {
    full = !insertion.place(&body, k, (uint64_t)update->ntimestep);
    if (full) break;
    sum += insertion.bodies().volume(body);
    found.push_back(body);
  }
  return found;
}

void FixInsertPolyhedron::pre_exchange()
{
  if (next_reneighbor != update->ntimestep) return;
  count_time();
  std::vector<NewBody> bodies;
  insertion.look(1 | groupbit);
  all_together(lmp, FLERR, [&] {
    if (comm->me == 0) bodies = find_places();
  });
  const std::string hollow = insertion.about_walls();
  if (!hollow.empty()) error->warning(FLERR, hollow);
  insertion.forget();
  insertion.share(&bodies);
  const bigint n = (bigint)bodies.size();
  if (n) create_bodies(lmp, WHO, insertion.bodies().shapes, bodies, {velocity, groupbit});
  inserted += n;
  for (const NewBody &b : bodies) volume += insertion.bodies().volume(b);
  next_reneighbor = done() ? 0 : next_reneighbor + every;
  if (n && done() && comm->me == 0)
    utils::logmesg(lmp, fmt::format("{} {}: all bodies are there: {}\n", WHO, id, so_far()));
}

std::string FixInsertPolyhedron::so_far() const
{
  return fmt::format("{}, volume {:.6g}, at step {}", inserted, volume, update->ntimestep);
}

void FixInsertPolyhedron::post_run()
{
  count_time();
  if (comm->me || done()) return;
  const std::string text =
      fmt::format("{} {}: {} of {:.6g} so far", WHO, id, so_far(), insertion.target());
  if (rate > 0.0 && full)
    error->warning(FLERR, text + ", fewer than are due: the region is full, or attempts too few");
  else
    utils::logmesg(lmp, text + "\n");
}

/* of the target's kind: what is due and has found no place */
double FixInsertPolyhedron::compute_vector(int i)
{
  if (i == 0) return volume;
  if (!insertion.has_bodies()) return 0.0; /* before the first run */
  if (done()) return 0.0; /* the last body brings the volume nearest, above its target or below */
  const double have = insertion.counts() ? (double)inserted : volume;
  return fmax(0.0, fmin(rate > 0.0 ? rate * time() : HUGE_VAL, insertion.target()) - have);
}

void FixInsertPolyhedron::add_fingerprints(Fingerprints *all) const
{
  all->push_back(fingerprint_of(this));
  const double seed = (double)insertion.bodies().seed;
  all->push_back({id, "seed", fmt::format("{:.0f}", seed), {seed}});
}

void FixInsertPolyhedron::write_restart(FILE *fp)
{
  count_time();
  if (comm->me) return;
  write_state(fp, {(double)inserted, volume, (double)(first - update->ntimestep), elapsed});
}

/* The host's step may have been set anew since: reset_timestep. */
void FixInsertPolyhedron::restart(char *buf)
{
  const std::vector<double> list = read_state(this, error, buf, NSTATE);
  inserted = (bigint)list[0];
  volume = list[1];
  first = update->ntimestep + (bigint)list[2];
  elapsed = list[3];
}
