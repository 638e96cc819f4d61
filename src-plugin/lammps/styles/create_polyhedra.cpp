/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "lammps/styles/create_polyhedra.h"

#include "lammps/options/parse.h"
#include "domain.h"

#include <algorithm>

using namespace LAMMPS_NS;

static const char *const WHO = "Create_polyhedra";

void CreatePolyhedra::command(int narg, char **arg)
{
  namespace key = Options::Create;
  if (!domain->box_exist)
    error->all(FLERR, "Create_polyhedra command before simulation box is defined");
  if (!atom->style_match("ellipsoid"))
    error->all(FLERR, "Create_polyhedra command requires atom style ellipsoid");
  if (modify->nfix_restart_peratom > 0)
    error->all(FLERR, "Create_polyhedra command: what the file of read_restart keeps for each body "
                      "has not been taken over yet: put run 0 before create_polyhedra, after the "
                      "fixes that go on");
  if (narg < 2)
    error->all(FLERR,
               "Illegal create_polyhedra command: atom type and place, at or fill must follow");
  Compat::type_range(lmp, arg[0], lo, hi);
  if (!key::places.find(arg[1]))
    error->all(FLERR, fmt::format("{}: expected place, at or fill, not {}", WHO, arg[1]));
  const Options::Given place = Options::parse(lmp, key::places, WHO, 1, narg, arg);
  if (place.id() == key::FILL)
    fill(place, narg, arg);
  else
    create(parse(place, narg, arg));
}

CreatePolyhedra::Pose CreatePolyhedra::parse(const Options::Given &place, int narg, char **arg)
{
  namespace key = Options::Create;
  Pose pose = {place.id() == key::PLACE, pd_v(0.0, 0.0, 0.0), pd_q(1.0, 0.0, 0.0, 0.0)};
  if (!pose.place) pose.x = pd_v_load(place.number.data());
  for (int iarg = place.next; iarg < narg;) {
    const Options::Given given = Options::parse(lmp, key::keywords, WHO, iarg, narg, arg);
    if (given.id() == key::SHIFT && !pose.place)
      error->all(FLERR,
                 Options::unknown(key::keywords, WHO, "shift", "after at: give another point"));
    if (given.id() == key::SHIFT)
      pose.x = pd_v_load(given.number.data());
    else if (given.id() == key::ROTATE)
      pose.rotation = Options::rotation(lmp, given);
    else
      Options::refuse(lmp, given, "this keyword is for fill alone");
    iarg = given.next;
  }
  return pose;
}

void CreatePolyhedra::create(const Pose &pose)
{
  shapes = collect_shapes(lmp);
  std::vector<NewBody> bodies;
  for (int t = lo; t <= hi; t++) {
    require_shape(lmp, WHO, shapes, t);
    const pd_shape *shape = shapes[t].shape;
    const pd_vec3 centre = pd_mv(pd_q_matrix(pose.rotation), shape->mass.center);
    bodies.push_back({t, pose.place ? pd_add(centre, pose.x) : pose.x,
                      orientation_of(shapes[t], pose.rotation)});
  }
  create_bodies(lmp, WHO, shapes, bodies, {pd_v(0.0, 0.0, 0.0), 0});
  if (comm->me == 0) utils::logmesg(lmp, fmt::format("Created {} polyhedra\n", bodies.size()));
}

/* When so many bodies of a type after each other have found no place, the others are given up. */
static constexpr int MOST_FAILURES = 5;

/* Large bodies come first: small ones find their places between them. */
static std::vector<NewBody> find_places(Insertion *insertion, bigint wanted)
{
  const BodySequence &sequence = insertion->bodies();
  std::vector<bigint> order(wanted);
  std::vector<double> radius(wanted);
  for (bigint k = 0; k < wanted; k++) {
    order[k] = k;
    radius[k] = sequence.radius(sequence.body(k));
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](bigint a, bigint b) { return radius[a] > radius[b]; });
  std::vector<int> failures(sequence.weight.size(),
                            0); /* by type, since the last that was placed */
  std::vector<NewBody> bodies;
  NewBody body = NewBody();
  for (bigint k : order) {
    int &failed = failures[sequence.body(k).type];
    if (failed == MOST_FAILURES) continue;
    const bool placed = insertion->place(&body, k, 0);
    failed = placed ? 0 : failed + 1;
    if (placed) bodies.push_back(body);
  }
  return bodies;
}

/* how many bodies of the sequence make up the target */
static bigint count_wanted(const Insertion &insertion)
{
  const double target = insertion.target();
  const int most = MAXSMALLINT / 100; /* 2e7, whose places are kept on every process */
  if (insertion.counts() ? target > most : target / insertion.bodies().smallest_volume() > most)
    throw LocalError(fmt::format("{}: the target is more than {} bodies", WHO, most));
  bigint n = 0;
  for (double volume = 0.0; insertion.wants(n, volume, n, target); n++)
    volume += insertion.bodies().volume(insertion.bodies().body(n));
  return n;
}

void CreatePolyhedra::fill(const Options::Given &place, int narg, char **arg)
{
  namespace key = Options::Create;
  Insertion insertion(lmp, WHO);
  insertion.set_types(arg[0]);
  insertion.set_target(place);
  const auto take = [&](const Options::Given &given) {
    if (given.id() == key::SHIFT) Options::refuse(lmp, given, "this keyword is for place alone");
    insertion.set(given);
  };
  Options::defaults(key::keywords, [&](const Options::Given &given) {
    if (given.id() != key::SHIFT) take(given);
  });
  for (int iarg = place.next; iarg < narg;) {
    const Options::Given given = Options::parse(lmp, key::keywords, WHO, iarg, narg, arg);
    take(given);
    iarg = given.next;
  }
  insertion.init();
  insertion.look(~0); /* walls of all groups, which the bodies may come to be in */
  bigint wanted = 0;
  std::vector<NewBody> bodies;
  all_together(lmp, FLERR, [&] {
    wanted = count_wanted(insertion);
    if (comm->me == 0) bodies = find_places(&insertion, wanted);
  });
  insertion.share(&bodies);
  create_bodies(lmp, WHO, insertion.bodies().shapes, bodies, {pd_v(0.0, 0.0, 0.0), 0});
  if (comm->me) return;
  tell(insertion, bodies, wanted);
  const std::string walls = insertion.about_walls();
  if (!walls.empty()) error->warning(FLERR, walls);
}

void CreatePolyhedra::tell(const Insertion &insertion, const std::vector<NewBody> &bodies,
                           bigint wanted)
{
  double volume = 0.0;
  for (const NewBody &b : bodies) volume += insertion.bodies().volume(b);
  const double space = insertion.region_volume();
  const bigint n = (bigint)bodies.size();
  utils::logmesg(lmp, fmt::format("Created {} polyhedra, volume {:.6g}: {:.4g} of the region\n", n,
                                  volume, volume / space));
  if (n < wanted)
    error->warning(
        FLERR, fmt::format("{}: {} of {} bodies found a place, volume {:.6g}, {:.4g} of the "
                           "region; attempts {} were not enough for the others: ask for less, or "
                           "pour them with fix insert/polyhedron",
                           WHO, n, wanted, volume, volume / space, insertion.most_attempts()));
}
