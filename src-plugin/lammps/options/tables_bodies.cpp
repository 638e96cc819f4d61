/* SPDX-License-Identifier: GPL-2.0-or-later
 * Options of the styles that make or draw bodies: fix polyhedron/shape, create_polyhedra, fix
 * insert/polyhedron, fix vtk/polyhedron, fix image/polyhedron. */
#include "lammps/options/tables.h"

namespace LAMMPS_NS
{
namespace Options
{

static Value edge(const char *name)
{
  return ruled("parameter out of range: edge lengths must be > 0",
               real(infinite_above(0), name, "edge lengths along x, y, z", "distance"));
}

static Value leg(const char *name, const char *meaning, const char *unit = nullptr)
{
  return ruled("parameter out of range: reach, r0 and taper must be > 0",
               real(infinite_above(0), name, meaning, unit));
}

static Value size(const char *subject, const char *name, const char *meaning)
{
  return said_of(subject, real(above(0), name, meaning, "distance"));
}

static Value extent(const char *name) { return size("extents", name, "extents along x, y, z"); }

/* cubes with arms: hexapods and their like */
static Row arms(const char *name, const char *meaning)
{
  return row(Shape::BUILTIN, name, required(), meaning,
             {size("size", "s", "size from tip to tip"), size("width", "w", "width of its bars"),
              size("width", "t", "width of the arms' tips")},
             "3 arguments: s w t");
}

static Row regular(const char *name, const char *meaning)
{
  return row(Shape::BUILTIN, name, required(), meaning, {size("edge length", nullptr, nullptr)});
}

const Table Shape::sources = {
    "fix polyhedron/shape",
    "source",
    "1 argument",
    "",
    {row(MESH_FILE, "stl", required(), "file of triangles",
         {other(NAME, "file", "name of an STL file, binary or ASCII")}),
     row(MESH_FILE, "obj", required(), "file of polygons",
         {other(NAME, "file", "name of a Wavefront OBJ file")}),
     row(BUILTIN, "box", required(), "cuboid", {edge("a"), edge("b"), edge("c")},
         "3 arguments: a b c"),
     row(BUILTIN, "tetrapod", required(), "four legs on the faces of a tetrahedron",
         {leg("reach", "distance of the legs' tip faces from the centre", "distance"),
          leg("r0", "distance of the core tetrahedron's vertices from the centre", "distance"),
          leg("taper", "size of a tip face against the core's face it stands on")},
         "3 arguments: reach r0 taper"),
     row(BUILTIN, "tetrapod/legs", required(), "four legs of n sides that meet at the centre",
         {size("length", "L", "distance of the legs' tip faces from the centre"),
          size("radius", "R", "radius of a leg's section, continued to the centre"),
          size("radius", "r", "radius of a leg's section at its tip"),
          said_of("number of sides", integer(from_to(3, 360), "n", "number of a leg's sides"))},
         "4 arguments: L R r n"),
     arms("hexapod", "six arms on the faces of a cube"),
     arms("dolos", "bar with two crossed pairs of arms at its ends"),
     arms("dolos/octagonal", "the same with octagons as sections"),
     arms("coreloc", "bar with three pairs of arms, the middle one across"),
     row(BUILTIN, "antifer", required(), "tapered cube with a groove in each side",
         {size("height", "H", "height"), size("edge length", "B", "edge of the base"),
          size("edge length", "T", "edge of the top"),
          size("radius", "r", "radius of the grooves at the base")},
         "4 arguments: H B T r"),
     row(BUILTIN, "prism", required(), "prism over a regular polygon, along z",
         {said_of("number of sides", integer(from_to(3, 360), "n", "number of its sides")),
          size("radius", "r", "distance of its corners from the axis"),
          size("height", "h", "height")},
         "3 arguments: n r h"),
     regular("tetrahedron", "edge length of a regular tetrahedron"),
     regular("octahedron", "edge length of a regular octahedron"),
     regular("dodecahedron", "edge length of a regular dodecahedron"),
     regular("icosahedron", "edge length of a regular icosahedron"),
     row(BUILTIN, "rock", required(), "random convex body",
         {extent("a"), extent("b"), extent("c"),
          said_of("number of vertices", integer(from_to(4, 200), "n", "number of vertices")),
          said_of("seed", integer(from(1), "seed", "of the random numbers"))},
         "5 arguments: a b c n seed"),
     row(BUILTIN, "voronoi", required(), "cells of a box, one for each type of the range",
         {extent("a"), extent("b"), extent("c"),
          said_of("gap", real(from(0), "gap", "distance of cells", "distance")),
          said_of("seed", integer(from(1), "seed", "of the random numbers"))},
         "5 arguments: a b c gap seed"),
     row(BUILTIN, "sphere", required(), "radius of a ball", {size("radius", nullptr, nullptr)}),
     row(BUILTIN, "capsule", required(), "cylinder with half balls as ends, along z",
         {size("radius", "R", "radius"),
          size("length", "L", "distance of the centres of its half balls")},
         "2 arguments: R L")}};

const Table Shape::keywords = {
    "fix polyhedron/shape",
    "keyword",
    "a value",
    nullptr,
    {row(DENSITY, "density", value("1.0"), "mass per volume",
         {said_of("density", real(above(0), nullptr, nullptr, "density"))}),
     row(SCALE, "scale", value("1.0"), "factor for all coordinates of the source",
         {said_of("scale", real(above(0)))}),
     row(ROUND, "round", value("0.0"), "radius by which the scaled surface is offset outwards",
         {said_of("round", real(from(0), nullptr, nullptr, "distance"))}),
     row(SIMPLIFY, "simplify", in_words("none"),
         "contacts see fewer triangles, nowhere further than this from the surface",
         {said_of("simplify", real(above(0), nullptr, nullptr, "distance"))}),
     row(SIZES, "sizes", in_words("none"),
         "sieve sizes of the types of the range, by one of Sizes::distributions", {}),
     row(WELD, "weld", value("1e-6"),
         "vertices closer than this times the diagonal of the bounding box become one",
         {ruled("parameter out of range: weld must be > 0 and <= 1", real(above_to(0, 1)))}),
     row(RANDOM, "random", in_words("none"),
         "seed: bodies of these types are created with random orientation",
         {said_of("random", integer(from(1)))})}};

const Table Sizes::distributions = {
    "fix polyhedron/shape",
    "distribution",
    "1 value",
    "sizes",
    {row(UNIFORM, "uniform", required(), "even between two sizes, by number",
         {size("sizes", "low", "smallest size"), size("sizes", "high", "largest size")}),
     row(LOGNORMAL, "lognormal", required(), "logarithms of the sizes normal, by number",
         {size("median", "median", "median size"),
          said_of("sigma", real(from(0), "sigma", "standard deviation of the logarithm"))}),
     row(SIEVES, "sieves", required(), "sieve curve, by mass",
         {other(NAME, "curve",
                "name of a file with a sieve on each line: opening, part of the "
                "mass that passes")})}};

const Table Shape::whole = {"fix polyhedron/shape",
                            "keyword",
                            "a value",
                            nullptr,
                            {row(WRITE, "write", in_words("none"),
                                 "text file for all shapes of this fix", {name()}, "a file name")}};

static Value centre(const char *name) { return real(finite(), name, "centre of mass", "distance"); }

/* what a region is to be filled with */
static std::vector<Value> target()
{
  Value region = name(), of = word("count volume fraction");
  region.name = "region-ID";
  region.meaning = "region in which bodies are placed";
  of.name = "target";
  of.meaning = "count or volume or fraction: what the next value is";
  return {region, of,
          said_of("count, volume or fraction",
                  real(above(0), "value",
                       "number of bodies, their volume, or their volume over the region's")),
          said_of("seed", integer(from(1), "seed", "of the random numbers"))};
}

/* which bodies are placed, and how */
static std::vector<Row> insertion(const char *attempts)
{
  using namespace Create;
  return {row(WEIGHT, "weight", in_words("1 for all types"), "weight of types",
              {other(TYPES, "range", "atom types"), real(from(0), "w", "their weight among all")}),
          row(BY, "by", value("number"), "what weights are parts of", {word("number volume")}),
          row(GAP, "gap", in_words("the distance where contact begins"),
              "smallest distance of surfaces",
              {said_of("gap", real(from(0), nullptr, nullptr, "distance"))}),
          row(ATTEMPTS, "attempts", value(attempts), "places tried for a body", {integer(from(1))}),
          row(INSIDE, "inside", value("body"), "what has to be within the region",
              {word("body center")})};
}

static Value shift(const char *name)
{
  return real(finite(), name, "vector added to the coordinates of the source", "distance");
}

static Value axis(const char *name)
{
  return real(finite(), name, "axis of rotation, of any length");
}

const Table Create::places = {
    "create_polyhedra",
    "place",
    "1 value",
    "",
    {row(PLACE, "place", required(), "where the coordinates of the sources put the bodies", {}),
     row(AT, "at", required(), "at a point", {centre("x"), centre("y"), centre("z")}),
     row(FILL, "fill", required(), "many bodies at random in a region", target())}};

static std::vector<Row> joined(std::vector<Row> first, const std::vector<Row> &rest)
{
  first.insert(first.end(), rest.begin(), rest.end());
  return first;
}

static Row given_orientation()
{
  return row(Create::ROTATE, "rotate", in_words("none"), "rotation of the coordinates",
             {real(finite(), "angle", "angle of rotation", "degrees"), axis("ax"), axis("ay"),
              axis("az")});
}

const Table Create::keywords = {
    "create_polyhedra", "keyword", "1 value", nullptr,
    joined({row(SHIFT, "shift", value("0 0 0"), "shift of the coordinates",
                {shift("dx"), shift("dy"), shift("dz")}),
            given_orientation()},
           insertion("10000"))};

static Value velocity(const char *name)
{
  return real(finite(), name, "velocity of new bodies", "velocity");
}

const Table Insert::places = {
    "fix insert/polyhedron",
    "place",
    "1 value",
    "",
    {row(Create::FILL, "in", required(), "bodies at random in a region", target())}};

const Table Insert::keywords = {
    "fix insert/polyhedron", "keyword", "1 value", nullptr,
    joined(
        {row(Create::EVERY, "every", value("100"), "steps between insertions", {integer(from(1))}),
         row(Create::RATE, "rate", in_words("as many as find a place"),
             "bodies, or their volume, in a unit of time", {real(above(0))}),
         row(Create::VELOCITY, "velocity", value("0 0 0"), "velocity of new bodies",
             {velocity("vx"), velocity("vy"), velocity("vz")}),
         given_orientation()},
        insertion("100"))};

const Table Vtk::keywords = {
    "fix vtk/polyhedron",
    "keyword",
    "1 value",
    nullptr,
    {row(CONTACTS, "contacts", value("yes"), "contacts and force chains", {yes_no()}),
     row(WALLS, "walls", value("yes"), "walls", {yes_no()}),
     row(BINARY, "binary", value("yes"), "numbers in base 64, else as text", {yes_no()}),
     row(APPEND, "append", value("no"), "earlier series are gone on with", {yes_no()})}};

const Table Image::keywords = {
    "fix image/polyhedron",
    "keyword",
    "1 value",
    nullptr,
    {row(COLOR, "color", in_words("colours of the bodies' types"), "value that bodies show",
         {other(NAME, "v_name", "variable of atom style, whose value the colours show"),
          real(finite(), "lo", "value that has the colour of the first of the types"),
          real(finite(), "hi", "value that has the colour of the last of the types"),
          other(TYPES, "types", "range of atom types, whose colours are the scale")}),
     row(WALLS, "walls", in_words("none"), "walls that are drawn",
         {other(NAME, "fix-ID", "ID of a fix wall/polyhedron"),
          other(TYPES, "type", "atom type, whose colour its walls have")})}};

} // namespace Options
} // namespace LAMMPS_NS
