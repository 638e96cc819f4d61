// intersect: do the bodies of a LAMMPS dump interpenetrate?
//
//   intersect (--shapes FILE | --principal --shape TYPE FILE.stl|FILE.obj) ...
//             [--wall FILE.stl|FILE.obj] ... [--plane x y z nx ny nz] ...
//             [--frames all|last] [--distance] [--within D] DUMP ...
//
// An independent check: it shares nothing with the code it judges. Needs C++17 and CGAL; build with
//   c++ -std=c++17 -O2 -frounding-math intersect.cpp -o intersect -lmpfr -lgmp
// intersect_surfaces.h has the rule for two bodies, intersect_input.h the files, this file frames
// and neighbours. The signs are those of CGAL's kernel, the only part of CGAL in use.
//
// The dump is text with the columns id type x y z (or xu yu zu) and the orientation of the
// principal axes as quatw quati quatj quatk or c_NAME[1] ... c_NAME[4], w first. Write it with
// `dump_modify ... format float %.17g`: six digits are no basis for an exact test.
//
// Shapes are given in the principal frame about the centre of mass: FILE of --shapes has
// `shape TYPE nv nt`, nv lines of coordinates, nt lines of three vertex numbers from 0, for each
// type, and comments after #. Walls and planes are in the coordinates of the box. With `shape TYPE
// nv nt round R` the body is all that is no further than R from what follows: a solid, or one
// triangle of one or two points, which makes a ball or a capsule.
//
// Two bodies intersect if an edge of one properly crosses a triangle of the other, or if one
// lies inside the other. Signs of determinants are exact, so this is decided for the vertices as
// rounded to doubles once, without a tolerance. Bodies in exact contact, where some of these
// determinants are zero, intersect unless some displacement by 1e-12 of their size parts them;
// those parted are counted as touching. Rounded bodies also intersect if their cores, what the
// shape gives, are nearer to each other than the two radii; distances are rounded as doubles are. A
// plane is crossed by a vertex below it, a wall by an edge through it either way.
//
// --within D lists pairs of bodies, of a body and a plane or a wall, that intersect or are nearer
// to each other than D, and counts them: what is in contact if contact begins at D.
//
// Exit status: 0 no intersection, 1 some, 2 bad input.
#include <cstdio>
#include <deque>
#include <functional>
#include "intersect_input.h"

namespace
{

struct Plane {
  Vector x, n;
};

struct Wall {
  std::string name;
  Mesh mesh;
};

struct Options {
  Shapes shapes;
  std::vector<Wall> walls;
  std::vector<Plane> planes;
  std::vector<std::string> dumps;
  bool last_only = false, distance = false;
  double within = 0;
};

struct Stats {
  long frames = 0, bodies = 0, pairs = 0, boundaries = 0, touching = 0, intersections = 0,
       within = 0;
  double min_distance = std::numeric_limits<double>::infinity();
};

// v' = v + 2 w (u x v) + 2 u x (u x v) for the unit quaternion (w, u)
Vector rotate(const std::array<double, 4> &q, const Vector &v)
{
  const Vector u(q[1], q[2], q[3]), t = 2 * cross_product(u, v);
  return v + (q[0] * t + cross_product(u, t));
}

// ---- bodies and their images ----------------------------------------------------------------

// a body or one of its periodic images
struct Item {
  size_t body;
  std::array<int, 3> image;
  Vector x;
  double radius;

  bool is_image() const { return image != std::array<int, 3>{}; }
};

Vector wrap(const Frame &f, const Vector &x)
{
  Vector c = x;
  for (int k = 2; k >= 0; k--) {
    const double from = f.lo[k] + f.offset(k, c);
    if (f.periodic[k]) c = c - std::floor((c[k] - from) / f.length[k]) * f.edge(k);
  }
  return c;
}

// a body and those of its images that come as near as reach to the box
void add_images(std::vector<Item> &items, const Frame &f, const Item &own, double reach)
{
  // lattice steps n along edge k after which x is within reach of the box that holds the cell
  const auto steps = [&](int k, const Vector &x) {
    std::array<int, 2> n{};
    if (!f.periodic[k]) return n;
    n[0] = int(std::ceil((f.bound_lo[k] - reach - x[k]) / f.length[k]));
    n[1] = int(std::floor((f.bound_hi[k] + reach - x[k]) / f.length[k]));
    return n;
  };
  const auto in_z = steps(2, own.x);
  for (int k = in_z[0]; k <= in_z[1]; k++) {
    const Vector z = own.x + k * f.edge(2);
    const auto in_y = steps(1, z);
    for (int j = in_y[0]; j <= in_y[1]; j++) {
      const Vector y = z + j * f.edge(1);
      const auto in_x = steps(0, y);
      for (int i = in_x[0]; i <= in_x[1]; i++)
        items.push_back({own.body, {i, j, k}, y + i * f.edge(0), own.radius});
    }
  }
}

// Each pair occurs as (i, image of j) and as (j, image of i): one of the two counts, and half of a
// body's neighbourhood with its own images.
bool is_wanted(const Item &a, const Item &b)
{
  if (a.is_image()) return false;
  return a.body != b.body ? a.body < b.body : b.image > std::array<int, 3>{};
}

// bounding spheres that are nearer than margin: sorted along x and swept
void for_each_pair(std::vector<Item> &items, double margin,
                   const std::function<void(const Item &, const Item &)> &check)
{
  const auto begin = [](const Item &a) { return a.x.x() - a.radius; };
  std::stable_sort(items.begin(), items.end(),
                   [&](const Item &a, const Item &b) { return begin(a) < begin(b); });
  for (size_t i = 0; i < items.size(); i++)
    for (size_t j = i + 1; j < items.size(); j++) {
      const Item &a = items[i], &b = items[j];
      if (begin(b) > a.x.x() + a.radius + margin) break;
      const double cut = a.radius + b.radius + margin;
      if ((b.x - a.x).squared_length() > cut * cut) continue;
      if (is_wanted(a, b))
        check(a, b);
      else if (is_wanted(b, a))
        check(b, a);
    }
}

// ---- a dump ---------------------------------------------------------------------------------

class Check
{
  static constexpr long max_reports = 20;

  const Options &options;
  std::vector<Placed> walls;
  long reports = 0; // intersections described so far
  std::string file; // being read
  Frame frame;
  std::vector<std::vector<Point>> turned; // vertices of the bodies about their centres
  Stats stats;

  // the vertices of a body moved to x
  std::vector<Point> moved(size_t body, const Vector &x) const
  {
    std::vector<Point> points = turned[body];
    for (Point &p : points) p = p + x;
    return points;
  }

  // counts and lists a pair that is nearer than what is asked for
  void see_distance(double distance, const std::string &who)
  {
    if (options.distance) stats.min_distance = std::min(stats.min_distance, distance);
    if (distance >= options.within) return;
    stats.within++;
    std::printf("within: frame %ld %s %.9g\n", stats.frames, who.c_str(), distance);
  }

  // how far it is worth to know a distance
  double farthest() const
  {
    return std::max(options.within, options.distance ? stats.min_distance : 0);
  }

  // counts the intersection and describes it, if it is one of the first
  void report(const Hit &hit, const Vector &origin, const std::string &who)
  {
    stats.intersections++;
    see_distance(0, who);
    if (reports++ >= max_reports) return;
    const Point p = hit.at + origin;
    std::printf("intersection: %s frame %ld timestep %ld %s %s at %.9g %.9g %.9g depth %.3g\n",
                file.c_str(), stats.frames, frame.step, who.c_str(),
                hit.how == Relation::inside ? "contained" : "crossing", p.x(), p.y(), p.z(),
                hit.depth);
  }

  void check_planes(size_t body)
  {
    const Body &b = frame.bodies[body];
    for (size_t k = 0; k < options.planes.size(); k++) {
      const Plane &plane = options.planes[k];
      double lowest = std::numeric_limits<double>::infinity();
      Hit hit = {Relation::crossing};
      for (const Point &v : turned[body]) {
        const double h = plane.n * (b.x - plane.x + (v - CGAL::ORIGIN));
        if (h < lowest) hit.at = v;
        lowest = std::min(lowest, h);
      }
      lowest -= b.mesh->round;
      hit.depth = -lowest;
      stats.boundaries++;
      const std::string who = "body " + std::to_string(b.id) + " plane " + std::to_string(k + 1);
      if (lowest >= 0)
        see_distance(lowest, who);
      else
        report(hit, b.x, who);
    }
  }

  void check_walls(const Item &item)
  {
    if (walls.empty()) return;
    const Body &b = frame.bodies[item.body];
    const std::vector<Point> points = moved(item.body, item.x);
    const Placed body(*b.mesh, points);
    for (size_t k = 0; k < walls.size(); k++) {
      const Hit hit = decide_rounded(body, walls[k], false);
      stats.boundaries++;
      stats.touching += hit.how == Relation::touching;
      const std::string who = "body " + std::to_string(b.id) + " wall " + options.walls[k].name;
      if (hit.how == Relation::crossing)
        report(hit, CGAL::NULL_VECTOR, who);
      else if (farthest() > 0)
        see_distance(surface_distance(body, walls[k], farthest()), who);
    }
  }

  // both about the centre of the first, so that coordinates are small and rounding is too
  void check_pair(const Item &p, const Item &q)
  {
    const Body &a = frame.bodies[p.body], &b = frame.bodies[q.body];
    const std::vector<Point> points = moved(q.body, q.x - p.x);
    const Placed first(*a.mesh, turned[p.body]), second(*b.mesh, points);
    const Hit hit = decide_rounded(second, first, true);
    stats.pairs++;
    stats.touching += hit.how == Relation::touching;
    const std::string who = "bodies " + std::to_string(std::min(a.id, b.id)) + " " +
                            std::to_string(std::max(a.id, b.id));
    if (hit.how > Relation::touching)
      report(hit, p.x, who);
    else if (farthest() > 0)
      see_distance(surface_distance(second, first, farthest()), who);
  }

  void turn_bodies()
  {
    turned.resize(frame.bodies.size());
    for (size_t i = 0; i < turned.size(); i++) {
      const Body &b = frame.bodies[i];
      turned[i].clear();
      for (const Point &v : b.mesh->points)
        turned[i].push_back(CGAL::ORIGIN + rotate(b.q, v - CGAL::ORIGIN));
    }
  }

  void check_frame()
  {
    std::vector<Item> items;
    double most = 0;
    for (const Body &b : frame.bodies) most = std::max(most, b.mesh->radius);
    // distances are wanted up to the size of a body
    const double margin = std::max(options.within, options.distance ? most : 0);
    turn_bodies();
    for (size_t i = 0; i < frame.bodies.size(); i++) {
      const Body &b = frame.bodies[i];
      check_planes(i);
      add_images(items, frame, {i, {}, wrap(frame, b.x), b.mesh->radius},
                 b.mesh->radius + most + margin);
    }
    for (const Item &item : items) check_walls(item);
    for_each_pair(items, margin, [&](const Item &a, const Item &b) { check_pair(a, b); });
    stats.bodies = long(frame.bodies.size());
  }

public:
  explicit Check(const Options &o) : options(o)
  {
    for (const Wall &wall : o.walls) walls.emplace_back(wall.mesh, wall.mesh.points);
  }

  Stats operator()(const std::string &name)
  {
    Dump dump(name, options.shapes);
    file = name;
    stats = Stats();
    while (dump.next(frame)) {
      stats.frames++;
      if (!options.last_only) check_frame();
    }
    if (stats.frames == 0) fail({name}, "no frame");
    if (options.last_only) check_frame();
    if (dump.worst_norm > 1e-9)
      std::fprintf(stderr,
                   "intersect: %s: quaternions of few digits (norm off by %.1e): "
                   "use dump_modify format float %%.17g\n",
                   name.c_str(), dump.worst_norm);
    return stats;
  }
};

// ---- command line ---------------------------------------------------------------------------

void print(const Stats &s, const Options &o)
{
  std::printf("frames = %ld\nbodies = %ld\npairs_tested = %ld\n", s.frames, s.bodies, s.pairs);
  std::printf("boundaries_tested = %ld\ntouching = %ld\n", s.boundaries, s.touching);
  std::printf("intersections = %ld\n", s.intersections);
  if (o.within > 0) std::printf("within = %ld\n", s.within);
  if (o.distance) std::printf("min_distance = %.9g\n", s.min_distance);
}

Stats operator+(const Stats &a, const Stats &b)
{
  return {a.frames + b.frames,     b.bodies,
          a.pairs + b.pairs,       a.boundaries + b.boundaries,
          a.touching + b.touching, a.intersections + b.intersections,
          a.within + b.within,     std::min(a.min_distance, b.min_distance)};
}

using Arguments = std::deque<std::string>;

std::string take(Arguments &left)
{
  if (left.empty()) fail({}, "an argument is missing at the end");
  const std::string first = left.front();
  left.pop_front();
  return first;
}

Plane read_plane(Arguments &left)
{
  const Source source = {"--plane"};
  double p[6];
  for (double &number : p) number = to_number(take(left), source);
  const Vector n(p[3], p[4], p[5]);
  if (norm(n) == 0) fail(source, "the normal is zero");
  return {Vector(p[0], p[1], p[2]), 1 / norm(n) * n};
}

void read_shape_option(Options &o, bool principal, Arguments &left)
{
  const int type = int(to_integer(take(left), 1, 1000000, {"--shape"}));
  const std::string name = take(left);
  if (!principal) fail({name}, "say --principal if this file is in the principal frame");
  add_shape(o.shapes, type, read_surface(name, true), {name});
}

Options read_options(Arguments left)
{
  Options o;
  bool principal = false;
  while (!left.empty()) {
    const std::string word = take(left);
    if (word == "--shapes")
      read_shapes(take(left), o.shapes);
    else if (word == "--principal")
      principal = true;
    else if (word == "--shape")
      read_shape_option(o, principal, left);
    else if (word == "--plane")
      o.planes.push_back(read_plane(left));
    else if (word == "--distance")
      o.distance = true;
    else if (word == "--within") {
      o.within = to_number(take(left), {"--within"});
      if (!(o.within > 0)) fail({"--within"}, "the distance must be > 0");
    } else if (word == "--wall") {
      const std::string name = take(left);
      o.walls.push_back({name, read_surface(name, false)});
    } else if (word == "--frames") {
      const std::string which = take(left);
      if (which != "all" && which != "last") fail({"--frames"}, "'", which, "' is not all or last");
      o.last_only = which == "last";
    } else if (word[0] == '-')
      fail({}, "unknown option ", word);
    else
      o.dumps.push_back(word);
  }
  if (o.dumps.empty() || o.shapes.empty())
    fail({}, "usage: intersect (--shapes FILE | --principal --shape TYPE FILE) ... "
             "[--wall FILE] [--plane x y z nx ny nz] [--frames all|last] [--distance] [--within D] "
             "DUMP ...");
  return o;
}

long run(const Options &options)
{
  Check check(options);
  Stats total;
  const bool several = options.dumps.size() > 1;
  for (const std::string &name : options.dumps) {
    const Stats stats = check(name);
    if (several) std::printf("file = %s\n", name.c_str());
    print(stats, options);
    total = total + stats;
  }
  if (several) {
    std::printf("file = all\n");
    print(total, options);
  }
  return total.intersections;
}

} // namespace

int main(int argc, char **argv)
{
  try {
    return run(read_options(Arguments(argv + 1, argv + argc))) > 0;
  } catch (const std::exception &error) {
    std::fflush(stdout);
    std::fprintf(stderr, "intersect: %s\n", error.what());
    return 2;
  }
}
