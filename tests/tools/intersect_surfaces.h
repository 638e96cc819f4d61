// Two triangulated surfaces: apart, touching, crossing, or one inside the other; and their
// distance.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <vector>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/squared_distance_3.h>

// orientation() and collinear() of this kernel are exact, its distances are rounded
using Kernel = CGAL::Exact_predicates_inexact_constructions_kernel;
using Point = Kernel::Point_3;
using Vector = Kernel::Vector_3;
using Triangle = Kernel::Triangle_3;
using Segment = Kernel::Segment_3;
using Box = CGAL::Bbox_3;
using CGAL::orientation;

inline double norm(const Vector &v) { return std::sqrt(v.squared_length()); }

inline Box common(const Box &a, const Box &b)
{
  return Box(std::max(a.xmin(), b.xmin()), std::max(a.ymin(), b.ymin()),
             std::max(a.zmin(), b.zmin()), std::min(a.xmax(), b.xmax()),
             std::min(a.ymax(), b.ymax()), std::min(a.zmax(), b.zmax()));
}

inline double squared_gap(const Box &a, const Box &b)
{
  double sum = 0;
  for (int k = 0; k < 3; k++) {
    const double gap = std::max({a.min(k) - b.max(k), b.min(k) - a.max(k), 0.0});
    sum += gap * gap;
  }
  return sum;
}

// reproducible directions for rays and small displacements
class Directions
{
  std::linear_congruential_engine<uint64_t, 6364136223846793005u, 1442695040888963407u, 0> engine{
      1};

  double coordinate() { return static_cast<double>(engine() >> 33) / 1073741824.0 - 1; }

public:
  Vector next()
  {
    for (;;) {
      const double x = coordinate(), y = coordinate(), z = coordinate();
      const Vector d(x, y, z);
      if (d.squared_length() <= 1 && d.squared_length() >= 0.01) return 1 / norm(d) * d;
    }
  }
};

// ---- meshes ---------------------------------------------------------------------------------

struct Mesh {
  std::vector<Point> points;
  std::vector<std::array<int, 3>> triangles;
  std::vector<std::array<int, 2>> edges; // each once
  std::vector<std::array<int, 2>> loose; // core of a ball (twice its point) or a capsule
  std::vector<int> parts; // a vertex of each connected part: any of them could lie inside a body
  double round = 0;       // the body is all that is no further than this from its core, the rest
  double radius = 0;      // of the sphere about the origin
  bool closed = true;     // no edge has an odd number of triangles
};

inline void find_edges(Mesh &mesh)
{
  std::map<std::array<int, 2>, int> triangles;
  for (const auto &t : mesh.triangles)
    for (int k = 0; k < 3; k++) {
      const auto [a, b] = std::minmax(t[k], t[(k + 1) % 3]);
      triangles[{a, b}]++;
    }
  for (const auto &[edge, count] : triangles) {
    mesh.edges.push_back(edge);
    if (count % 2) mesh.closed = false;
  }
  for (const auto &edge : mesh.loose)
    if (edge[0] != edge[1]) mesh.edges.push_back(edge);
}

inline void find_parts(Mesh &mesh)
{
  std::vector<int> parent(mesh.points.size());
  std::vector<bool> seen(mesh.points.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (const auto &[a, b] : mesh.edges) parent[root(a)] = root(b);
  for (const auto &edge : mesh.edges) {
    const int r = root(edge[0]);
    if (!seen[r]) mesh.parts.push_back(r);
    seen[r] = true;
  }
  if (mesh.edges.empty() && !mesh.points.empty()) mesh.parts.push_back(0);
}

// all the rest from vertices and triangles
inline void complete(Mesh &mesh)
{
  for (const Point &p : mesh.points) mesh.radius = std::max(mesh.radius, norm(p - CGAL::ORIGIN));
  mesh.radius = (mesh.radius + mesh.round) * (1 + 1e-9); // turned vertices are rounded
  find_edges(mesh);
  find_parts(mesh);
}

// a mesh whose vertices are elsewhere; refers to both
struct Placed {
  const Mesh &mesh;
  const std::vector<Point> &points;
  Box box;

  Placed(const Mesh &m, const std::vector<Point> &p) : mesh(m), points(p)
  {
    for (const Point &v : p) box += v.bbox();
  }

  Triangle triangle(const std::array<int, 3> &t) const
  {
    return Triangle(points[t[0]], points[t[1]], points[t[2]]);
  }

  Segment edge(const std::array<int, 2> &e) const { return Segment(points[e[0]], points[e[1]]); }
};

// ---- exact relations ------------------------------------------------------------------------

enum class Relation { apart, touching, crossing, inside };

// For a crossing: where the edge meets the triangle and how far its nearer end is from the
// triangle's plane, the largest of all crossings. For containment: a vertex inside and its
// distance from the other surface.
struct Hit {
  Relation how = Relation::apart;
  Point at = CGAL::ORIGIN;
  double depth = 0;
};

// an edge and a triangle whose boxes overlap
inline Relation relation(const Segment &edge, const Triangle &t)
{
  const Point &p = edge.source(), &q = edge.target(), &a = t[0], &b = t[1], &c = t[2];
  const int sp = orientation(a, b, c, p), sq = orientation(a, b, c, q);
  if (sp * sq > 0) return Relation::apart;
  // a triangle without an area has no plane; its edges speak for it
  if (sp == 0 && sq == 0) return collinear(a, b, c) ? Relation::apart : Relation::touching;
  const int s1 = orientation(p, q, a, b), s2 = orientation(p, q, b, c),
            s3 = orientation(p, q, c, a);
  const auto [least, most] = std::minmax({s1, s2, s3});
  if (least < 0 && most > 0) return Relation::apart;
  return sp && sq && s1 && s2 && s3 ? Relation::crossing : Relation::touching;
}

inline void record_crossing(const Segment &edge, const Triangle &t, Hit &hit)
{
  const Point &p = edge.source(), &q = edge.target();
  const Vector n = cross_product(t[1] - t[0], t[2] - t[0]);
  const double hp = std::fabs(n * (p - t[0])), hq = std::fabs(n * (q - t[0]));
  const double depth = std::min(hp, hq) / norm(n);
  if (hit.how == Relation::crossing && depth <= hit.depth) return;
  const double s = hp + hq > 0 ? hp / (hp + hq) : 0.5;
  hit = {Relation::crossing, p + s * (q - p), depth};
}

// edges of a through triangles of b
inline void edges_through(const Placed &a, const Placed &b, Hit &hit)
{
  const Box both = common(a.box, b.box);
  std::vector<Segment> edges;
  for (const auto &e : a.mesh.edges)
    if (const Segment edge = a.edge(e); do_overlap(edge.bbox(), both)) edges.push_back(edge);
  if (edges.empty()) return;
  for (const auto &t : b.mesh.triangles) {
    const Triangle triangle = b.triangle(t);
    const Box box = triangle.bbox();
    if (!do_overlap(box, both)) continue;
    for (const Segment &edge : edges) {
      if (!do_overlap(edge.bbox(), box)) continue;
      const Relation how = relation(edge, triangle);
      if (how == Relation::crossing) record_crossing(edge, triangle, hit);
      if (how == Relation::touching) hit.how = std::max(hit.how, how);
    }
  }
}

// crossings of the segment with the surface, or -1 if it only touches somewhere
inline int count_crossings(const Segment &segment, const Placed &b)
{
  int n = 0;
  const Box box = segment.bbox();
  for (const auto &t : b.mesh.triangles) {
    const Triangle triangle = b.triangle(t);
    if (!do_overlap(box, triangle.bbox())) continue;
    const Relation how = relation(segment, triangle);
    if (how == Relation::touching) return -1;
    n += how == Relation::crossing;
  }
  return n;
}

// by the parity of a ray's crossings; a ray through an edge is drawn again
inline bool is_inside(const Point &p, const Placed &b)
{
  if (!do_overlap(p.bbox(), b.box)) return false;
  const Vector diagonal(b.box.x_span(), b.box.y_span(), b.box.z_span());
  Directions directions;
  for (int k = 0; k < 1000; k++) {
    const int n = count_crossings(Segment(p, p + 2 * norm(diagonal) * directions.next()), b);
    if (n >= 0) return n % 2;
  }
  return false; // p is on the surface
}

// ---- distances ------------------------------------------------------------------------------

inline double surface_distance(const Point &p, const Placed &b)
{
  double best = std::numeric_limits<double>::infinity();
  for (const auto &t : b.mesh.triangles)
    best = std::min(best, CGAL::squared_distance(p, b.triangle(t)));
  return std::sqrt(best);
}

inline double squared_distance_to(const Segment &s, const Triangle &t)
{
  double best =
      std::min(CGAL::squared_distance(s.source(), t), CGAL::squared_distance(s.target(), t));
  for (int k = 0; k < 3; k++)
    best = std::min(best, CGAL::squared_distance(s, Segment(t[k], t[(k + 1) % 3])));
  return best; // of a segment that does not cross the triangle
}

// CGAL takes no segment that is a point
inline double squared_distance_to(const Segment &s, const Segment &t)
{
  if (s.is_degenerate() && t.is_degenerate()) return CGAL::squared_distance(s.source(), t.source());
  if (s.is_degenerate()) return CGAL::squared_distance(s.source(), t);
  if (t.is_degenerate()) return CGAL::squared_distance(t.source(), s);
  return CGAL::squared_distance(s, t);
}

// of the loose edges and points of a from all of b
inline double squared_loose_distance(const Placed &a, const Placed &b)
{
  double best = std::numeric_limits<double>::infinity();
  for (const auto &e : a.mesh.loose) {
    const Segment s = a.edge(e);
    for (const auto &t : b.mesh.triangles)
      best = std::min(best, s.is_degenerate() ? CGAL::squared_distance(s.source(), b.triangle(t))
                                              : squared_distance_to(s, b.triangle(t)));
    for (const auto &f : b.mesh.loose) best = std::min(best, squared_distance_to(s, b.edge(f)));
  }
  return best;
}

// distance of two cores that do not intersect, or `most` if they are farther apart
inline double core_distance(const Placed &a, const Placed &b, double most)
{
  double best = std::min({most * most, squared_loose_distance(a, b), squared_loose_distance(b, a)});
  for (const auto &s : a.mesh.triangles) {
    const Triangle first = a.triangle(s);
    const Box box = first.bbox();
    if (squared_gap(box, b.box) >= best) continue;
    for (const auto &t : b.mesh.triangles) {
      const Triangle second = b.triangle(t);
      if (squared_gap(box, second.bbox()) < best)
        best = std::min(best, CGAL::squared_distance(first, second));
    }
  }
  return best < most * most ? std::sqrt(best) : most;
}

// distance of two surfaces that do not intersect, or `most` if they are farther apart
inline double surface_distance(const Placed &a, const Placed &b, double most)
{
  const double rounds = a.mesh.round + b.mesh.round;
  return std::min(most, core_distance(a, b, most + rounds) - rounds);
}

// ---- the verdict ----------------------------------------------------------------------------

inline void find_inside(const Placed &a, const Placed &b, Hit &hit)
{
  for (const int part : a.mesh.parts)
    if (const Point &p = a.points[part]; hit.how == Relation::apart && is_inside(p, b))
      hit = {Relation::inside, p, surface_distance(p, b)};
}

// by the signs alone; b is a solid, or a wall through which one can only cross
inline Hit relation(const Placed &a, const Placed &b, bool solid)
{
  Hit hit;
  if (!do_overlap(a.box, b.box)) return hit;
  edges_through(a, b, hit);
  edges_through(b, a, hit);
  if (solid) find_inside(a, b, hit);
  if (solid) find_inside(b, a, hit);
  return hit;
}

// Where the signs tell only of contacts without a crossing (aligned blocks do that), the bodies
// may touch from outside or overlap with faces in common. They intersect unless a tiny displacement
// of a parts them.
inline Hit decide(const Placed &a, const Placed &b, bool solid)
{
  constexpr int tries = 256; // the only free directions may be those of one octant
  const Hit hit = relation(a, b, solid);
  if (hit.how != Relation::touching) return hit;
  Hit worst = {Relation::crossing, Point(a.box.xmin(), a.box.ymin(), a.box.zmin()), 0};
  double reach[3];
  for (int k = 0; k < 3; k++)
    reach[k] = std::max({a.box.max(k), b.box.max(k), -a.box.min(k), -b.box.min(k)});
  const double step = 1e-12 * norm(Vector(reach[0], reach[1], reach[2]));
  Directions directions;
  std::vector<Point> moved(a.points.size());
  for (int k = 0; k < tries; k++) {
    const Vector d = step * directions.next();
    std::transform(a.points.begin(), a.points.end(), moved.begin(),
                   [&](const Point &p) { return p + d; });
    const Hit now = relation(Placed(a.mesh, moved), b, solid);
    if (now.how == Relation::apart) return hit;
    if (now.how != Relation::touching && now.depth >= worst.depth) worst = now;
  }
  return worst;
}

// The same for rounded bodies: they intersect where their cores do, or are nearer to each other
// than the two radii.
inline Hit decide_rounded(const Placed &a, const Placed &b, bool solid)
{
  const double rounds = a.mesh.round + b.mesh.round;
  Hit hit = decide(a, b, solid);
  if (rounds == 0) return hit;
  if (hit.how > Relation::touching) {
    hit.depth += rounds;
    return hit;
  }
  const double d = core_distance(a, b, rounds);
  if (d < rounds) return {Relation::crossing, a.points[0], rounds - d};
  return Hit();
}
