// Files of the intersection check: surfaces (STL, OBJ), shapes, frames of a dump.
#pragma once
#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>
#include "intersect_surfaces.h"

struct Bad_input : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// where a word comes from: a file and a line, an option (line 0), or nowhere
struct Source {
  std::string name;
  long line = 0;
};

template <class... Parts> [[noreturn]] void fail(const Source &source, const Parts &...parts)
{
  std::ostringstream text;
  if (!source.name.empty()) text << source.name << ':';
  if (source.line > 0) text << source.line << ':';
  if (!source.name.empty()) text << ' ';
  (text << ... << parts);
  throw Bad_input(text.str());
}

template <class Number> bool parse(std::string_view word, Number &value)
{
  if (word.size() > 1 && word[0] == '+') word.remove_prefix(1);
  const char *end = word.data() + word.size();
  const auto result = std::from_chars(word.data(), end, value);
  return result.ec == std::errc() && result.ptr == end;
}

inline double to_number(std::string_view word, const Source &source)
{
  double x = 0;
  if (!parse(word, x) || !std::isfinite(x)) fail(source, "'", word, "' is not a number");
  return x;
}

inline long to_integer(std::string_view word, long least, long most, const Source &source)
{
  long n = 0;
  if (!parse(word, n)) fail(source, "'", word, "' is not a whole number");
  if (n < least || n > most) fail(source, n, " is not between ", least, " and ", most);
  return n;
}

inline std::ifstream open_file(const std::string &name)
{
  std::ifstream file(name, std::ios::binary);
  if (!file) fail({name}, "cannot open: ", std::strerror(errno));
  return file;
}

// a text file, line by line, as words
class Reader
{
  std::ifstream file;
  std::string text;

public:
  Source source;
  std::vector<std::string_view> words; // of the line last read

  explicit Reader(const std::string &name) : file(open_file(name)), source{name} {}

  // the next line; false at the end of the file
  bool next(char comment = '\n')
  {
    static constexpr auto blank = " \t\r\n";
    words.clear();
    if (!std::getline(file, text)) return false;
    source.line++;
    const std::string_view line = std::string_view(text).substr(0, text.find(comment));
    for (size_t end = 0, begin; (begin = line.find_first_not_of(blank, end)) != line.npos;) {
      end = std::min(line.find_first_of(blank, begin), line.size());
      words.push_back(line.substr(begin, end - begin));
    }
    return true;
  }

  // the next line that has words other than a comment
  bool next_content()
  {
    while (next('#'))
      if (!words.empty()) return true;
    return false;
  }

  bool starts_with(std::string_view word) const { return !words.empty() && words[0] == word; }
  double number(size_t k) const { return to_number(words[k], source); }
  long integer(size_t k, long least, long most) const
  {
    return to_integer(words[k], least, most, source);
  }
  Point point(size_t k) const { return Point(number(k), number(k + 1), number(k + 2)); }
};

// ---- surfaces -------------------------------------------------------------------------------

using Soup = std::vector<Point>; // three in a row make a triangle

inline uint32_t little_endian(const unsigned char *b)
{
  return b[0] | uint32_t(b[1]) << 8 | uint32_t(b[2]) << 16 | uint32_t(b[3]) << 24;
}

// 80 bytes, a count, then 50 bytes per triangle; false if the size says otherwise
inline bool read_stl_binary(const std::string &name, Soup &soup)
{
  std::ifstream file = open_file(name);
  const std::vector<unsigned char> bytes(std::istreambuf_iterator<char>(file), {});
  if (bytes.size() < 84 || bytes.size() != 84 + size_t(50) * little_endian(&bytes[80]))
    return false;
  for (size_t facet = 84; facet < bytes.size(); facet += 50)
    for (int k = 0; k < 3; k++) {
      float c[3];
      for (int j = 0; j < 3; j++) {
        const uint32_t bits = little_endian(&bytes[facet + 12 + 12 * k + 4 * j]);
        std::memcpy(&c[j], &bits, sizeof bits);
        if (!std::isfinite(c[j]))
          fail({name}, "triangle ", soup.size() / 3 + 1, " has a corner at no place");
      }
      soup.emplace_back(c[0], c[1], c[2]);
    }
  return true;
}

inline void read_stl_text(const std::string &name, Soup &soup)
{
  Reader r(name);
  while (r.next()) {
    if (r.source.line == 1 && !r.starts_with("solid")) fail(r.source, "not an STL file");
    if (!r.starts_with("vertex")) continue;
    if (r.words.size() != 4) fail(r.source, "a vertex needs three coordinates");
    soup.push_back(r.point(1));
  }
  if (soup.size() % 3) fail(r.source, "the last triangle is not complete");
}

inline void read_obj(const std::string &name, Soup &soup)
{
  Soup vertices;
  Reader r(name);
  const auto corner = [&](size_t k) {
    const long n = long(vertices.size());
    const long i = to_integer(r.words[k].substr(0, r.words[k].find('/')), -n, n, r.source);
    if (i == 0) fail(r.source, "vertices are numbered from 1");
    return vertices[i > 0 ? i - 1 : n + i];
  };
  while (r.next()) {
    if (r.words.size() > 3 && r.starts_with("v")) vertices.push_back(r.point(1));
    if (!r.starts_with("f")) continue;
    if (r.words.size() < 4) fail(r.source, "a face needs three vertices");
    for (size_t k = 3; k < r.words.size(); k++) {
      soup.push_back(corner(1));
      soup.push_back(corner(k - 1));
      soup.push_back(corner(k));
    }
  }
}

// corners at the same place become one vertex; triangles that lose a side are dropped
inline Mesh weld(const Soup &soup)
{
  Mesh mesh;
  mesh.points = soup;
  std::sort(mesh.points.begin(), mesh.points.end());
  mesh.points.erase(std::unique(mesh.points.begin(), mesh.points.end()), mesh.points.end());
  for (size_t i = 0; i < soup.size(); i += 3) {
    std::array<int, 3> t;
    for (int k = 0; k < 3; k++)
      t[k] = int(std::lower_bound(mesh.points.begin(), mesh.points.end(), soup[i + k]) -
                 mesh.points.begin());
    if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) mesh.triangles.push_back(t);
  }
  return mesh;
}

// Solids must be closed. An error of the mesh is one of the line where it begins.
inline Mesh finish(Mesh mesh, bool solid, const Source &source)
{
  complete(mesh);
  if (solid && !mesh.closed) fail(source, "the surface is open: an edge lacks its second triangle");
  return mesh;
}

inline Mesh read_surface(const std::string &name, bool solid)
{
  Soup soup;
  if (name.size() > 4 && name.substr(name.size() - 4) == ".obj")
    read_obj(name, soup);
  else if (!read_stl_binary(name, soup))
    read_stl_text(name, soup);
  if (soup.empty()) fail({name}, "no triangles");
  if (soup.size() > INT_MAX) fail({name}, "too many triangles");
  return finish(weld(soup), solid, {name});
}

// ---- shapes ---------------------------------------------------------------------------------

using Shapes = std::map<int, Mesh>; // by type

inline void add_shape(Shapes &shapes, int type, Mesh mesh, const Source &source)
{
  if (!shapes.emplace(type, std::move(mesh)).second)
    fail(source, "type ", type, " has a shape already");
}

inline void need_three(Reader &r, const char *what)
{
  if (!r.next_content()) fail(r.source, "the file ends where ", what, " should follow");
  if (r.words.size() != 3) fail(r.source, what, " need three words, not ", r.words.size());
}

inline Mesh read_shape(Reader &r, int nv, int nt, double round)
{
  Mesh mesh;
  mesh.round = round;
  const Source begin = r.source;
  for (int i = 0; i < nv; i++) {
    need_three(r, "coordinates");
    mesh.points.push_back(r.point(0));
  }
  for (int i = 0; i < nt; i++) {
    need_three(r, "vertex numbers");
    std::array<int, 3> t;
    for (int k = 0; k < 3; k++) t[k] = int(r.integer(k, 0, nv - 1));
    const bool loose = round > 0 && nt == 1 && t[1] == t[2] && t[0] == 0 && t[1] == nv - 1;
    if (loose)
      mesh.loose.push_back({t[0], t[1]});
    else if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0])
      fail(r.source, "a triangle needs three different vertices");
    else
      mesh.triangles.push_back(t);
  }
  return finish(std::move(mesh), true, begin);
}

inline void read_shapes(const std::string &name, Shapes &shapes)
{
  Reader r(name);
  while (r.next_content()) {
    const Source begin = r.source;
    const bool rounded = r.words.size() == 6 && r.words[4] == "round";
    if ((r.words.size() != 4 && !rounded) || !r.starts_with("shape"))
      fail(begin, "expected: shape TYPE nv nt [round R]");
    const double round = rounded ? r.number(5) : 0;
    if (rounded && !(round > 0)) fail(begin, "the radius must be > 0");
    const int type = int(r.integer(1, 1, 1000000)),
              nt = int(r.integer(3, rounded ? 1 : 4, 100000000));
    const int nv = int(r.integer(2, nt == 1 ? 1 : 4, nt == 1 ? 2 : 100000000));
    add_shape(shapes, type, read_shape(r, nv, nt, round), begin);
  }
}

// ---- frames of a dump -----------------------------------------------------------------------

struct Body {
  long id;
  const Mesh *mesh;
  Vector x;
  std::array<double, 4> q; // unit quaternion, the real part first
};

struct Frame {
  long step = 0;
  std::vector<Body> bodies;
  // the cell: edges from lo, of these lengths, tilted by xy, xz, yz; and the box that holds it
  std::array<double, 3> lo{}, length{}, tilt{}, bound_lo{}, bound_hi{};
  std::array<bool, 3> periodic{};

  Vector edge(int k) const
  {
    if (k == 0) return Vector(length[0], 0, 0);
    return k == 1 ? Vector(tilt[0], length[1], 0) : Vector(tilt[1], tilt[2], length[2]);
  }

  // where the lower face of the cell across edge k is at a point, from lo
  double offset(int k, const Vector &at) const
  {
    if (k == 2) return 0;
    const double z = (at.z() - lo[2]) / length[2];
    if (k == 1) return tilt[2] * z;
    return tilt[0] * (at.y() - lo[1] - tilt[2] * z) / length[1] + tilt[1] * z;
  }
};

class Dump
{
  struct Columns {
    size_t count;
    int id, type;
    std::array<int, 3> x;
    std::array<int, 4> q;
  };

  Reader r;
  const Shapes &shapes;

  void need_line(const char *what)
  {
    if (!r.next()) fail(r.source, "the file ends where ", what, " should follow");
  }

  // the column of that name, after the two words `ITEM: ATOMS`, or -1
  int find(std::string_view name) const
  {
    const auto found = std::find(r.words.begin() + 2, r.words.end(), name);
    return found == r.words.end() ? -1 : int(found - r.words.begin()) - 2;
  }

  // quatw quati quatj quatk, or the first compute with columns [1] to [4]
  std::array<int, 4> find_quaternion() const
  {
    const auto complete = [](const auto &q) { return *std::min_element(q.begin(), q.end()) >= 0; };
    std::array<int, 4> q = {find("quatw"), find("quati"), find("quatj"), find("quatk")};
    for (size_t i = 2; i < r.words.size() && !complete(q); i++) {
      const std::string stem(r.words[i].substr(0, r.words[i].find('[')));
      if (stem.rfind("c_", 0) != 0 || r.words[i] != stem + "[1]") continue;
      for (int k = 0; k < 4; k++) q[k] = find(stem + "[" + std::to_string(k + 1) + "]");
    }
    if (!complete(q))
      fail(r.source, "no orientation: quatw quati quatj quatk or c_NAME[1] ... c_NAME[4]");
    return q;
  }

  Columns find_columns() const
  {
    Columns c = {r.words.size() - 2, find("id"), find("type"), {}, {}};
    if (c.id < 0 || c.type < 0) fail(r.source, "the columns id and type are needed");
    for (int k = 0; k < 3; k++) {
      const std::string name(1, "xyz"[k]);
      c.x[k] = find(name);
      if (c.x[k] < 0) c.x[k] = find(name + "u");
      if (c.x[k] < 0) fail(r.source, "the column ", name, " is needed");
    }
    c.q = find_quaternion();
    return c;
  }

  // `ITEM: BOX BOUNDS pp ff ff`, with xy xz yz before the flags for a triclinic box
  void read_box(Frame &f)
  {
    const bool tilted = r.words.size() > 3 && r.words[3] == "xy";
    const size_t flags = tilted ? 6 : 3;
    for (size_t k = 0; k < 3; k++)
      f.periodic[k] = r.words.size() == flags + 3 && r.words[flags + k] == "pp";
    for (int k = 0; k < 3; k++) {
      need_line("a box bound");
      if (r.words.size() != (tilted ? 3 : 2))
        fail(r.source, "a box bound needs two numbers, and a tilt in a triclinic box");
      f.bound_lo[k] = r.number(0);
      f.bound_hi[k] = r.number(1);
      if (tilted) f.tilt[k] = r.number(2);
    }
    const auto [xy, xz, yz] = f.tilt; // the bounds are those of the box that holds the cell
    f.lo = {f.bound_lo[0] - std::min({0.0, xy, xz, xy + xz}), f.bound_lo[1] - std::min(0.0, yz),
            f.bound_lo[2]};
    f.length = {f.bound_hi[0] - std::max({0.0, xy, xz, xy + xz}) - f.lo[0],
                f.bound_hi[1] - std::max(0.0, yz) - f.lo[1], f.bound_hi[2] - f.lo[2]};
    for (int k = 0; k < 3; k++) {
      if (f.length[k] < 0 || (f.periodic[k] && f.length[k] == 0))
        fail(r.source, "the box has no extent");
    }
  }

  Body read_body(const Columns &c)
  {
    if (r.words.size() != c.count)
      fail(r.source, r.words.size(), " words for ", c.count, " columns");
    Body b = {r.integer(c.id, 1, LONG_MAX), nullptr, {}, {}};
    const int type = int(r.integer(c.type, 1, INT_MAX));
    b.x = Vector(r.number(c.x[0]), r.number(c.x[1]), r.number(c.x[2]));
    double s = 0;
    for (int k = 0; k < 4; k++) {
      b.q[k] = r.number(c.q[k]);
      s += b.q[k] * b.q[k];
    }
    s = std::sqrt(s);
    if (std::fabs(s - 1) > 1e-3) fail(r.source, "body ", b.id, ": quaternion of norm ", s);
    for (double &component : b.q) component /= s;
    worst_norm = std::max(worst_norm, std::fabs(s - 1));
    const auto shape = shapes.find(type);
    if (shape == shapes.end()) fail(r.source, "type ", type, " has no shape");
    b.mesh = &shape->second;
    return b;
  }

  long read_value(long least, long most)
  {
    need_line("a value");
    if (r.words.size() != 1) fail(r.source, "expected one value");
    return r.integer(0, least, most);
  }

  void read_bodies(Frame &f, long count)
  {
    const Columns columns = find_columns();
    f.bodies.clear();
    for (long i = 0; i < count; i++) {
      need_line("an atom");
      f.bodies.push_back(read_body(columns));
    }
  }

public:
  double worst_norm = 0; // largest deviation of a quaternion's norm from 1

  Dump(const std::string &name, const Shapes &known) : r(name), shapes(known) {}

  // the next frame; false at the end of the file
  bool next(Frame &f)
  {
    bool begun = false, sized = false;
    long atoms = -1;
    while (r.next()) {
      if (r.words.empty() && !begun) continue;
      if (r.words.size() < 2 || r.words[0] != "ITEM:") fail(r.source, "expected a line ITEM: ...");
      begun = true;
      if (r.words[1] == "BOX") {
        read_box(f);
        sized = true;
      } else if (r.words[1] == "TIMESTEP") {
        f.step = read_value(LONG_MIN, LONG_MAX);
      } else if (r.words[1] == "NUMBER") {
        atoms = read_value(0, INT_MAX - 1);
      } else if (r.words[1] == "ATOMS") {
        if (atoms < 0 || !sized) fail(r.source, "no number of atoms or no box before this");
        read_bodies(f, atoms);
        return true;
      } else {
        need_line("a value"); // of an item that is not needed here: units, time
        if (r.words.size() != 1) fail(r.source, "expected one value");
      }
    }
    if (begun) fail(r.source, "the file ends within a frame");
    return false;
  }
};
