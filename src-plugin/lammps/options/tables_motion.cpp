/* SPDX-License-Identifier: GPL-2.0-or-later
 * Options of the styles that move or hold bodies, or compute forces between them: fix
 * implicit/polyhedron, fix contact/dynamics, compute force/compatible, fix lock/polyhedron; and the
 * list of all tables. */
#include "lammps/options/tables.h"

namespace LAMMPS_NS
{
namespace Options
{

static const char *const BETA_GAMMA = "0 < beta <= 1 and 0.5 <= gamma <= 1 are required";
static const char *const THREADS_RULE =
    "must lie between 1 and 512, the size of the pool of threads in Kokkos";
static_assert(MOST_THREADS == 512, "the text says 512");
static const char *const REPORTS = "error warning ignore";

const Table Implicit::keywords = {
    "fix implicit/polyhedron",
    "keyword",
    "1 value",
    nullptr,
    {row(SCHEME, "scheme", value("em"), "scheme of time integration",
         {ruled("the schemes are newmark, euler and em", word("newmark euler em"))}),
     row(NEWMARK, "newmark", value("0.3 0.5"), "parameters of the Newmark scheme",
         {ruled(BETA_GAMMA, real(above_to(0, 1), "beta", "parameter of the displacement")),
          ruled(BETA_GAMMA, real(from_to(0.5, 1), "gamma", "parameter of the velocity"))}),
     row(TOL, "tol", in_words("1e-8 (1e-10 for em)"), "relative tolerance of the Newton iteration",
         {real(between(0, 1))}),
     row(MAXITER, "maxiter", value("25"), "most iterations of one substep",
         {integer(from_to(1, 250))}),
     row(SUBSTEPS, "substeps", value("adaptive"), "number of substeps in a time step",
         {ruled("must be adaptive or a positive number",
                integer_or("adaptive", from(1), "N",
                           "so many substeps of equal length in every time step"))}),
     row(MINSTEP, "minstep", in_words("1e-6 times the time step"), "shortest substep",
         {real(infinite_above(0), nullptr, nullptr, "time")}),
     row(MAXSTEP, "maxstep", in_words("the time step"), "longest substep",
         {real(infinite_above(0), nullptr, nullptr, "time")}),
     row(GUARD, "guard", in_words("3e-5 (5e-7 for em, 0 for fixed substeps)"),
         "energy error allowed per substep, relative", {real(infinite_from(0))}),
     row(RESOLVE, "resolve", value("0"), "resolution of impacts with scheme em",
         {integer_or("0", from(4), "N", "substeps that an impact takes at least, with scheme em")}),
     row(PATH, "path", in_words("0.05 (0 for fixed substeps)"),
         "mean way of bodies that touch past each other in a substep, over their size, with scheme "
         "em",
         {real(infinite_from(0))}),
     row(FILTER, "filter", value("yes"), "filter of the Newton increments", {yes_no()}),
     row(SOLVER, "solver", value("auto"), "linear solver",
         {ruled("the solvers are auto, petsc and lapack", word("auto petsc lapack"))}),
     row(THREADS, "threads", value("1"), "threads of every process, for bodies and contacts",
         {ruled(THREADS_RULE, integer(from_to(1, MOST_THREADS)))}),
     row(LOOPS, "loops", value("auto"), "what runs the loops over bodies and contacts",
         {name("auto plain serial openmp threads")}),
     row(PROGRESS, "progress", value("10"),
         "shortest wall time in seconds between two lines on the screen, 0 for none",
         {real(from(0))})}};

const Table ContactDynamics::keywords = {
    "fix contact/dynamics",
    "keyword",
    "a value",
    nullptr,
    {row(SOLVER, "solver", value("apgd"), "solver of the complementarity problem",
         {ruled("the solvers are pgs and apgd", word("apgd pgs"))}),
     row(TOL, "tol", value("1e-8"), "complementarity residual at which the solver stops, relative",
         {real(between(0, 1))}),
     row(MAXITER, "maxiter", value("10000"), "limit of the iterations or sweeps",
         {integer(from(1))}),
     row(ORDER, "order", value("tag"), "how pgs visits the contacts",
         {ruled("must be tag, reverse, random SEED, x, y, z, -x, -y or -z",
                word("tag reverse random x y z -x -y -z")),
          after("random", said_of("the seed", integer(above(0), "SEED", "seed of the order")))},
         "a seed"),
     row(START, "start", value("cold"), "forces to start from", {word("cold warm")}),
     row(RESTITUTION, "restitution", value("0"), "coefficient of restitution",
         {real(from_to(0, 1))}),
     row(RESTSPEED, "restspeed", value("0"), "contacts that close more slowly do not rebound",
         {real(infinite_from(0), nullptr, nullptr, "velocity")}),
     row(FRICTION, "friction", value("0"), "Coulomb's coefficient", {real(from(0))}),
     row(CORRECTIONS, "corrections", value("100"),
         "limit of the updates that keep sliding contacts from dilating", {integer(from(0))}),
     row(GAP, "gap",
         in_words("a tenth of the smallest of the types' largest radii, no more than half of the "
                  "least thickness"),
         "bodies nearer than this are contacts",
         {real(infinite_from(0), nullptr, nullptr, "distance")}),
     row(PUSHOUT, "pushout",
         in_words("unlimited for spheres and a thousandth of gap per time step for polyhedra"),
         "speed at which overlaps are removed, at most",
         {real(infinite_from(0), nullptr, nullptr, "velocity")}),
     row(FIXED, "fixed", in_words("none"), "ID of a group of bodies that do not move", {name()}),
     row(UNCONVERGED, "unconverged", value("warning"), "what an unsolved step is",
         {word(REPORTS)})}};

static Value stiffness(const char *meaning)
{
  return said_of("stiffness", real(above(0), "k", meaning));
}

static Value types(const char *name, const char *meaning) { return other(TYPES, name, meaning); }

const Table Compatible::keywords = {
    "compute force/compatible",
    "keyword",
    "1 value",
    nullptr,
    {row(LAW, "law", value("hooke"), "law of the contacts",
         {ruled("the laws are hooke, hertz and power p", word("hooke hertz power")),
          after("power",
                said_of("the exponent", real(above(1), "p", "exponent of the strain energy")))}),
     row(STIFFNESS, "stiffness", in_words("1"), "relative stiffness of contacts between bodies",
         {types("I", "atom types, with LAMMPS's wildcard"),
          types("J", "atom types, with LAMMPS's wildcard"),
          stiffness("relative stiffness of contacts between these types")}),
     row(WALL, "wall", in_words("1"), "relative stiffness of contacts with walls",
         {other(NAME, "fix-ID", "ID of a fix wall/polyhedron, or * for all"),
          types("J", "atom types"),
          stiffness("relative stiffness of contacts of these types with the wall")}),
     row(FRICTION, "friction", in_words("none"), "Coulomb friction of elastic contacts",
         {real(above(0), "mu", "coefficient of friction"),
          real(above(0), "ratio", "tangential stiffness of a contact over its normal one")}),
     row(STARTS, "starts", value("0"),
         "with friction solved from so many more places, to see whether other forces are found",
         {integer(from(0))}),
     row(SOLVER, "solver", value("newton"), "solver of the compatible forces",
         {ruled("the solvers are newton and lagrangian", word("newton lagrangian"))}),
     row(TOL, "tol", value("1e-10"), "KKT residual at which the solver stops, relative",
         {real(between(0, 1))}),
     row(MAXITER, "maxiter", value("300"), "limit of the Newton steps or updates of multipliers",
         {integer(from(1))}),
     row(SLACK, "slack", value("1e-6"),
         "contacts that end up opening faster than this are open, relative",
         {real(infinite_from(0))}),
     row(RANK, "rank", value("0"),
         "the degree of indeterminacy is computed for at most this many closed contacts",
         {integer(from(0))}),
     row(FIXED, "fixed", in_words("none"),
         "ID of a group of bodies that count as immobile (source pair only)", {name()}),
     row(UNCONVERGED, "unconverged", value("warning"), "what forces that do not converge are",
         {word(REPORTS)}),
     row(EMPTY, "empty", value("error"), "what a network without closed contacts is",
         {word(REPORTS)})}};

static const char *const AXES = "none x y z xy xz yz xyz";
static const char *const AXES_RULE = "must be none, x, y, z, xy, xz, yz or xyz";

static Value point(const char *name)
{
  return real(finite(), name, "a point of the axis", "distance");
}

static Value direction(const char *name)
{
  return real(finite(), name, "direction of the axis, of any length");
}

const Table Lock::keywords = {
    "fix lock/polyhedron",
    "keyword",
    "1 value",
    nullptr,
    {row(TRANSLATION, "translation", value("none"), "axes along which the velocity is held",
         {ruled(AXES_RULE, word(AXES))}),
     row(ROTATION, "rotation", value("none"), "axes about which the angular velocity is held",
         {ruled(AXES_RULE, word(AXES))}),
     row(FRAME, "frame", value("space"), "whose axes these are",
         {ruled("must be space or body", word("space body"))}),
     row(HINGE, "hinge", in_words("none"), "a fixed axis about which the bodies turn",
         {point("x"), point("y"), point("z"), direction("ax"), direction("ay"), direction("az")})}};

std::vector<const Table *> tables()
{
  return {&Implicit::keywords,   &PairStyle::keywords,  &Law::keywords,
          &Law::after_auto,      &Wall::walls,          &Wall::keywords,
          &Move::styles,         &Load::keywords,       &Shape::sources,
          &Sizes::distributions, &Shape::keywords,      &Shape::whole,
          &Create::places,       &Create::keywords,     &Insert::places,
          &Insert::keywords,     &Compatible::keywords, &ContactDynamics::keywords,
          &Lock::keywords,       &Vtk::keywords,        &Image::keywords};
}

} // namespace Options
} // namespace LAMMPS_NS
