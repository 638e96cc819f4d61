/* SPDX-License-Identifier: GPL-2.0-or-later
 * The options of all styles. The pages of doc/ have the same rows: tests/docs compares them. */
#ifndef POLYHEDRA_OPTION_TABLES_H
#define POLYHEDRA_OPTION_TABLES_H

#include "lammps/options/options.h"

namespace LAMMPS_NS
{
namespace Options
{

/* Most threads of a process: the size of the pool of threads in Kokkos's OpenMP space. */
enum { MOST_THREADS = 512 };

namespace Implicit
{
enum Id {
  SCHEME,
  NEWMARK,
  TOL,
  MAXITER,
  SUBSTEPS,
  MINSTEP,
  MAXSTEP,
  GUARD,
  RESOLVE,
  PATH,
  FILTER,
  SOLVER,
  THREADS,
  LOOPS,
  PROGRESS
};
extern const Table keywords;
} // namespace Implicit

namespace PairStyle
{
enum Id { CONTACT };
extern const Table keywords;
} // namespace PairStyle

/* the contact law, for pair_coeff and walls; its keywords themselves tell them apart */
namespace Law
{
extern const Table keywords;
extern const Table after_auto; /* these too, after the keyword auto */
} // namespace Law

namespace Wall
{
enum Id {
  PLANE,
  MESH_FILE,
  CYLINDER,
  CONE,
  TYPE,
  MOVE,
  SCALE,
  SHIFT,
  ROTATE,
  FACETS,
  CAPS,
  SLIDE,
  HINGE,
  FORCE,
  PRESSURE,
  TORQUE,
  SPEED
};
extern const Table walls;
extern const Table keywords;
} // namespace Wall

/* what follows after move */
namespace Move
{
enum Id { NONE, VELOCITY, WIGGLE, ROTATE, VARIABLE };
extern const Table styles;
} // namespace Move

namespace Load
{
enum Id { FORCE, MOMENT, POINT, FRAME };
extern const Table keywords;
} // namespace Load

namespace Lock
{
enum Id { TRANSLATION, ROTATION, FRAME, HINGE };
extern const Table keywords;
} // namespace Lock

namespace Shape
{
enum Id { MESH_FILE, BUILTIN, DENSITY, SCALE, ROUND, SIMPLIFY, SIZES, WELD, RANDOM, WRITE };
extern const Table sources;
extern const Table keywords; /* of one source */
extern const Table whole;    /* of the whole command */
} // namespace Shape

/* what follows after sizes */
namespace Sizes
{
enum Id { UNIFORM, LOGNORMAL, SIEVES };
extern const Table distributions;
} // namespace Sizes

namespace Create
{
enum Id {
  PLACE,
  AT,
  FILL,
  SHIFT,
  ROTATE,
  WEIGHT,
  BY,
  GAP,
  ATTEMPTS,
  INSIDE,
  EVERY,
  RATE,
  VELOCITY
};
extern const Table places;
extern const Table keywords;
} // namespace Create

/* with the ids of Create */
namespace Insert
{
extern const Table places;
extern const Table keywords;
} // namespace Insert

namespace Vtk
{
enum Id { CONTACTS, WALLS, BINARY, APPEND };
extern const Table keywords;
} // namespace Vtk

namespace Image
{
enum Id { COLOR, WALLS };
extern const Table keywords;
} // namespace Image

namespace ContactDynamics
{
enum Id {
  SOLVER,
  TOL,
  MAXITER,
  ORDER,
  START,
  RESTITUTION,
  RESTSPEED,
  FRICTION,
  CORRECTIONS,
  GAP,
  PUSHOUT,
  FIXED,
  UNCONVERGED
};
extern const Table keywords;
} // namespace ContactDynamics

namespace Compatible
{
enum Id {
  LAW,
  STIFFNESS,
  WALL,
  FRICTION,
  STARTS,
  SOLVER,
  TOL,
  MAXITER,
  SLACK,
  RANK,
  FIXED,
  UNCONVERGED,
  EMPTY
};
extern const Table keywords;
} // namespace Compatible

/* every table of this file */
std::vector<const Table *> tables();

} // namespace Options
} // namespace LAMMPS_NS

#endif
