/* SPDX-License-Identifier: GPL-2.0-or-later
 * What the host's dump image calls the objects that fixes have it draw: numbers of the host, which
 * newer ones name. */
#ifndef POLYHEDRA_IMAGE_OBJECTS_H
#define POLYHEDRA_IMAGE_OBJECTS_H

#if defined(__has_include)
#if __has_include("graphics.h")
#include "graphics.h"
#define POLYHEDRA_HOST_NAMES_OBJECTS
#endif
#endif

namespace LAMMPS_NS
{
namespace Compat
{

#ifdef POLYHEDRA_HOST_NAMES_OBJECTS
enum { IMAGE_TRIANGLE = Graphics::TRI };
#else
enum { IMAGE_TRIANGLE = 2 };
#endif

} // namespace Compat
} // namespace LAMMPS_NS

#endif
