/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/bridge/insertion.h"

#include "lammps/bridge/gathered_rows.h"

#include <cmath>

using namespace LAMMPS_NS;

Insertion::Insertion(LAMMPS *lmp, const char *name)
    : Pointers(lmp), who(name), lo(1), hi(0), region(lmp, name), of(COUNT), asked(0.0), gap(NAN),
      whole(true), attempts(1), groups(1), space(0.0), placed(0), told(false)
{
}

void Insertion::set_types(const char *range)
{
  Compat::type_range(lmp, range, lo, hi);
  sequence.weight.assign(atom->ntypes + 1, 0.0);
  sequence.given.assign(atom->ntypes + 1, 0);
}

void Insertion::set_target(const Options::Given &given)
{
  region.find(given.text[0]);
  of = (Target)given.index[1];
  asked = given.number[2];
  sequence.seed = (uint64_t)given.number[3];
  if (of == COUNT && asked != std::floor(asked))
    Options::refuse(lmp, given, "count must be a whole number");
  if (of == FRACTION && !(asked < 1.0))
    Options::refuse(lmp, given, "fraction must lie between 0 and 1");
}

void Insertion::set(const Options::Given &given)
{
  namespace key = Options::Create;
  const double *v = given.number.data();
  switch (given.id()) {
  case key::ROTATE:
    sequence.random = false;
    sequence.rotation = Options::rotation(lmp, given);
    break;
  case key::WEIGHT:
    weights.emplace_back(given.text[0], v[1]);
    break;
  case key::BY:
    sequence.by_volume = given.word() == 1;
    break;
  case key::GAP:
    gap = v[0];
    break;
  case key::ATTEMPTS:
    attempts = given.integer();
    break;
  case key::INSIDE:
    whole = given.word() == 0;
  }
}

void Insertion::check_shapes()
{
  for (int t = lo; t <= hi; t++) require_shape(lmp, who, sequence.shapes, t);
}

/* later weights replace earlier ones */
void Insertion::weigh()
{
  for (int t = lo; t <= hi; t++) sequence.weight[t] = 1.0;
  int number = 0;
  for (const auto &given : weights) {
    int first, last;
    number++;
    Compat::type_range(lmp, given.first, first, last);
    if (first < lo || last > hi)
      error->all(FLERR, fmt::format("{}: weight {}: the types of this command are {} to {}", who,
                                    given.first, lo, hi));
    for (int t = first; t <= last; t++) {
      sequence.weight[t] = given.second;
      sequence.given[t] = number;
    }
  }
}

void Insertion::init()
{
  sequence.shapes = collect_shapes(lmp);
  check_shapes();
  weigh();
  if (!sequence.begin()) error->all(FLERR, fmt::format("{}: all weights are zero", who));
}

void Insertion::look(int bits)
{
  groups = bits;
  placement.reset();
  region.update();
  if (space == 0.0) space = region.volume();
  if (space == 0.0)
    error->all(FLERR, fmt::format("{}: nothing of the region lies in the simulation box", who));
  check_target();
  gaps.find(lmp, sequence.shapes, gap);
  placement.reset(new Placement(lmp, who, sequence.shapes, gaps, region.bounds()));
  placement->add_atoms();
}

void Insertion::check_target() const
{
  if (of == COUNT || !(target() > 0.0) || wants(0, 0.0, 0, HUGE_VAL)) return;
  error->all(FLERR, fmt::format("{}: no body would be placed: the first has the volume {:.6g}, and "
                                "that of all is to be {:.6g}: a larger one, or smaller shapes "
                                "(keyword scale of fix polyhedron/shape)",
                                who, sequence.volume(sequence.body(0)), target()));
}

double Insertion::target() const { return of == FRACTION ? asked * space : asked; }

/* half of the next body's volume may be beyond the target, then it is nearest, but none of it
 * beyond what is due */
bool Insertion::wants(bigint n, double volume, bigint k, double limit) const
{
  if (of == COUNT) return (double)n + 1.0 <= fmin(limit, target());
  const double next = sequence.volume(sequence.body(k));
  return volume + next <= limit && volume + 0.5 * next <= target();
}

bool Insertion::place(NewBody *body, bigint k, uint64_t trial)
{
  *body = sequence.body(k);
  const pd_mat3 rot = pd_q_matrix(body->q);
  const pd_shape *shape = sequence.shapes[body->type].shape;
  pd_random places = pd_random_row(sequence.seed, (uint64_t)k, 1 + trial);
  for (int i = 0; i < attempts; i++) {
    if (!region.draw(&places, &body->x)) return false;
    if (whole && !region.holds(shape, body->x, rot)) continue;
    if (!placement->is_free(*body, groups)) continue;
    placement->add(*body);
    placed++;
    for (const std::string &w : placement->around(*body)) within[w]++;
    return true;
  }
  return false;
}

std::string Insertion::about_walls()
{
  for (const auto &w : within) {
    if (told || w.second == placed) continue;
    told = true;
    return fmt::format("{}: {} of {} bodies are within the closed surface of wall {}, which is "
                       "hollow: if it is an obstacle, use a region that leaves it out",
                       who, w.second, placed, w.first);
  }
  return "";
}

void Insertion::share(std::vector<NewBody> *bodies) const
{
  bigint n = (bigint)bodies->size();
  MPI_Bcast(&n, 1, MPI_LMP_BIGINT, 0, world);
  std::vector<double> flat(8 * n);
  for (size_t i = 0; i < bodies->size(); i++) {
    const NewBody &b = (*bodies)[i];
    const double numbers[8] = {(double)b.type, b.x.x, b.x.y, b.x.z, b.q.w, b.q.x, b.q.y, b.q.z};
    std::copy(numbers, numbers + 8, &flat[8 * i]);
  }
  MPI_Bcast(flat.data(), (int)(8 * n), MPI_DOUBLE, 0, world);
  bodies->resize(n);
  for (bigint i = 0; i < n; i++) {
    const double *v = &flat[8 * i];
    (*bodies)[i] = {(int)v[0], pd_v_load(v + 1), pd_q(v[4], v[5], v[6], v[7])};
  }
}
