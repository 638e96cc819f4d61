/* SPDX-License-Identifier: GPL-2.0-or-later
 * Options of contacts, walls and loads: pair_style polyhedron, pair_coeff, fix wall/polyhedron, fix
 * load/polyhedron. */
#include "lammps/options/tables.h"

#include "contact/law/automatic.h"
#include "geometry/cone.h"

namespace LAMMPS_NS
{
namespace Options
{

#define TEXT_OF(x) #x
#define NUMBER_TEXT(x) TEXT_OF(x)

/* ---- the contact law: parameters that it cannot do with are infinite in its own check ---- */

const Table PairStyle::keywords = {
    "pair_style polyhedron",
    "keyword",
    "a value",
    nullptr,
    {row(CONTACT, "contact", value("continuous"), "contact set",
         {said_of("contact", word("continuous literal hierarchy"))})}};

static Value mu_s()
{
  return said_of("friction coefficients",
                 real(infinite_from(0), "mu_s", "static coefficient, >= mu_d"));
}

static Value mu_d()
{
  return said_of("friction coefficients", real(infinite_from(0), "mu_d", "dynamic coefficient"));
}

const Table Law::keywords = {
    "pair_style polyhedron",
    "keyword",
    "1 value",
    nullptr,
    {row("auto", required(), "the law is chosen", {}),
     row("normal", required(), "penalty part of the law",
         {said_of("normal stiffness", real(infinite_above(0), "eps1",
                                           "stiffness of the penalty part", "force/distance^n1")),
          said_of("normal exponent n1", real(infinite_from(1), "n1", "its exponent"))}),
     row("gap", required(), "activation distance",
         {said_of("gap",
                  real(infinite_above(0), "gbar", "activation threshold of the gap", "distance"))}),
     row("barrier", value("0.1 -1"), "barrier part of the law",
         {said_of("barrier fraction", real(between(0, 1), "f", "the barrier acts below f*gbar")),
          said_of("barrier exponent n2", real(infinite_below(0), "n2", "its exponent"))}),
     row("damping", value("0"), "damping of contacts",
         {said_of("damping ratio", real(infinite_from(0), "zeta", "damping ratio"))}),
     row("ramp", value("0.2"), "onset of damping",
         {said_of("ramp", real(from_to(0, 1), "delta",
                               "the damping coefficient grows over this fraction of gbar"))}),
     row("friction", in_words("none"), "Coulomb friction",
         {mu_s(), mu_d(),
          said_of("tangential stiffness",
                  real(infinite_above(0), "eps_t", "tangential stiffness", "force/distance")),
          said_of("tangential viscosity",
                  real(infinite_from(0), "c_t", "tangential viscosity", "force/velocity"))}),
     row("transition", value("0"), "transition from static to dynamic friction",
         {said_of("the speed of transition",
                  real(infinite_from(0), "v_s", "slip speed over which mu_s goes over into mu_d",
                       "velocity"))}),
     row("restitution", in_words("as the damping ratio has it"), "restitution of impacts",
         {said_of("restitution", real(from_to(0, 1), "e",
                                      "restitution of impacts with scheme em, in place of that of "
                                      "the damping ratio"))})}};

const Table Law::after_auto = {
    "pair_style polyhedron",
    "keyword",
    "1 value",
    nullptr,
    {row("velocity", in_words("none"), "speed of impacts",
         {said_of("velocity", real(above(0), "v", "speed of typical impacts", "velocity"))}),
     row("height", in_words("none"), "height of falls",
         {said_of("height", real(above(0), "h", "height from which bodies fall", "distance"))}),
     row("gravity", in_words("that of the fixes gravity"), "gravity",
         {said_of("gravity", real(from(0), "g", "acceleration of gravity", "acceleration"))}),
     row("load", in_words("10 (0 without gravity)"), "load at rest",
         {said_of("load", real(from(0), "n", "number of bodies that rest on one contact"))}),
     row("fraction", in_words(NUMBER_TEXT(PD_AUTO_FRACTION)), "activation distance",
         {said_of("fraction", real(above_to(0, 0.2), "x", "gbar over the size of the bodies"))}),
     row("friction", in_words("none"), "Coulomb friction whose stiffness and viscosity are chosen",
         {mu_s(), mu_d()})}};

/* ---- walls ---- */

static Value plane(const char *name, const char *meaning, const char *unit = nullptr)
{
  return ruled("the plane's point and normal must be finite", real(finite(), name, meaning, unit));
}

static const char *const POINT = "a point of the plane";
static const char *const NORMAL = "its normal, of any length, towards the bodies";

static Value dim() { return other(NAME, "dim", "its axis, x or y or z"); }

static Value centre(const char *name)
{
  return real(finite(), name, "place of the axis in the other two directions", "distance");
}

static Value radius(const char *name, const char *meaning)
{
  return real(from(0), name, meaning, "distance");
}

static Value end(const char *name)
{
  return real(finite(), name, "ends along the axis", "distance");
}

const Table Wall::walls = {
    "fix wall/polyhedron",
    "wall",
    "1 value",
    "",
    {row(PLANE, "plane", required(), "infinite plane",
         {plane("x", POINT, "distance"), plane("y", POINT, "distance"),
          plane("z", POINT, "distance"), plane("nx", NORMAL), plane("ny", NORMAL),
          plane("nz", NORMAL)},
         "a point and a normal"),
     row(MESH_FILE, "stl", required(), "triangulated surface",
         {other(NAME, "file", "name of an STL file, binary or ASCII")}, "a file name"),
     row(MESH_FILE, "obj", required(), "triangulated surface",
         {other(NAME, "file", "name of a Wavefront OBJ file")}, "a file name"),
     row(CYLINDER, "cylinder", required(), "mantle of a cylinder",
         {dim(), centre("c1"), centre("c2"), radius("radius", "radius"), end("lo"), end("hi")}),
     row(CONE, "cone", required(), "mantle of a truncated cone",
         {dim(), centre("c1"), centre("c2"), radius("radlo", "radii at its ends"),
          radius("radhi", "radii at its ends"), end("lo"), end("hi")})}};

static Value shift(const char *name)
{
  return real(finite(), name, "vector added to the coordinates", "distance");
}

static Value axis(const char *name)
{
  return real(finite(), name, "axis of rotation through the origin, of any length");
}

static Value free_axis(const char *name)
{
  return real(finite(), name, "direction of the axis, of any length");
}

const Table Wall::keywords = {
    "fix wall/polyhedron",
    "keyword",
    "a value",
    nullptr,
    {row(TYPE, "type", in_words("that of each body"), "atom type that the walls behave like",
         {other(TYPES, "N", "the walls behave like bodies of this atom type")}),
     row(MOVE, "move", in_words("none"), "motion of the walls, one of Move::styles", {}),
     row(SCALE, "scale", value("1.0"), "factor for all coordinates of the surface before it",
         {said_of("scale", real(above(0)))}),
     row(SHIFT, "shift", value("0 0 0"), "shift of its coordinates",
         {shift("dx"), shift("dy"), shift("dz")}),
     row(ROTATE, "rotate", in_words("none"), "rotation of its coordinates",
         {real(finite(), "angle", "angle of rotation", "degrees"), axis("ax"), axis("ay"),
          axis("az")}),
     row(FACETS, "facets", value("48"), "flat facets round the cylinder or cone before it",
         {said_of("number of facets", integer(from_to(PD_FEWEST_FACETS, PD_MOST_FACETS)))}),
     row(CAPS, "caps", value("none"), "ends of it that are closed",
         {said_of("caps", word("none low high both"))}),
     row(SLIDE, "slide", in_words("none"), "the wall moves along an axis by the forces on it",
         {free_axis("ax"), free_axis("ay"), free_axis("az"),
          said_of("mass", real(above(0), "M", "mass of the wall", "mass"))}),
     row(HINGE, "hinge", in_words("none"), "it turns about an axis by the moments on it",
         {real(finite(), "Px", "a point of the axis of rotation", "distance"),
          real(finite(), "Py", "a point of the axis of rotation", "distance"),
          real(finite(), "Pz", "a point of the axis of rotation", "distance"), free_axis("ax"),
          free_axis("ay"), free_axis("az"),
          said_of("moment of inertia",
                  real(above(0), "I", "moment of inertia about the axis", "mass*distance^2"))}),
     row(FORCE, "force", in_words("0"), "force on a wall that slides, along its axis",
         {real(finite(), nullptr, nullptr, "force")}),
     row(PRESSURE, "pressure", in_words("none"), "force as a pressure on an area",
         {real(finite(), "p", "pressure along the axis", "pressure"),
          said_of("area", real(above(0), "A", "area that it acts on", "distance^2"))}),
     row(TORQUE, "torque", in_words("0"), "torque on a wall on a hinge, about its axis",
         {real(finite(), nullptr, nullptr, "torque")}),
     row(SPEED, "speed", in_words("0"), "its speed along the axis or about it, at first",
         {real(finite(), nullptr, nullptr, "velocity or radians/time")})}};

static Value speed(const char *name) { return real(finite(), name, "velocity", "velocity"); }

static Value amplitude(const char *name) { return real(finite(), name, "amplitude", "distance"); }

static Value period()
{
  return said_of("the period", real(above(0), "period", "of oscillation or revolution", "time"));
}

static Value on_axis(const char *name)
{
  return real(finite(), name, "a point of the axis of rotation", "distance");
}

static Value along_axis(const char *name)
{
  return real(finite(), name, "direction of the axis, of any length");
}

static Value way(const char *name)
{
  return other(VARIABLE, name, "equal-style variables of the displacement", "distance");
}

static Value rate(const char *name)
{
  return other(VARIABLE, name, "equal-style variables of the velocity", "velocity");
}

const Table Move::styles = {
    "fix wall/polyhedron",
    "style",
    "1 value",
    "move",
    {row(NONE, "none", required(), "no motion", {}),
     row(VELOCITY, "velocity", required(), "constant velocity",
         {speed("vx"), speed("vy"), speed("vz")}),
     row(WIGGLE, "wiggle", required(), "oscillation",
         {amplitude("Ax"), amplitude("Ay"), amplitude("Az"), period()}),
     row(ROTATE, "rotate", required(), "rotation",
         {on_axis("Px"), on_axis("Py"), on_axis("Pz"), along_axis("Rx"), along_axis("Ry"),
          along_axis("Rz"), period()}),
     row(VARIABLE, "variable", required(), "motion by variables",
         {way("v_dx"), way("v_dy"), way("v_dz"), rate("v_vx"), rate("v_vy"), rate("v_vz")})}};

/* ---- loads ---- */

static Value force(const char *name)
{
  return other(COMPONENT, name, "force on each body", "force");
}

static Value moment(const char *name)
{
  return other(COMPONENT, name, "moment on each body", "torque");
}

static Value point(const char *name)
{
  return ruled(
      "the point must be finite",
      real(finite(), name, "where the force acts, in the coordinates of the shape", "distance"));
}

const Table Load::keywords = {"fix load/polyhedron",
                              "keyword",
                              "a value",
                              nullptr,
                              {row(FORCE, "force", value("0 0 0"), "force on each body",
                                   {force("Fx"), force("Fy"), force("Fz")}),
                               row(MOMENT, "moment", value("0 0 0"), "moment on each body",
                                   {moment("Mx"), moment("My"), moment("Mz")}),
                               row(POINT, "point", in_words("centre of mass"),
                                   "where the force acts", {point("x"), point("y"), point("z")}),
                               row(FRAME, "frame", value("space"), "axes of force and moment",
                                   {said_of("frame", word("space body"))})}};

} // namespace Options
} // namespace LAMMPS_NS
