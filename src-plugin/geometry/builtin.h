/* SPDX-License-Identifier: MIT
 * Built-in shapes as meshes. */
#ifndef PD_BUILTIN_H
#define PD_BUILTIN_H

#include "geometry/mesh.h"

PD_BEGIN_DECLS

typedef struct pd_builtin {
  const char *name; /* keyword of the input */
  int nvalue;       /* numbers that make the shape, in the order in which they are written */
  /* Fills mesh with outward triangles, or with the one of a segment (pd_is_segment). Errors:
   * PD_ERANGE for values that make no solid, PD_ENOMEM. */
  pd_status (*make)(const double *value, pd_mesh *mesh);
  int rounded; /* the first value is the radius by which the surface is offset */
  int parts;   /* it is in parts: two more values say how many, and which one this is, from 0 */
  const char *needs; /* what its values need of each other, or NULL */
} pd_builtin;

/* The shape of this name, or NULL. */
const pd_builtin *pd_find_builtin(const char *name);

PD_END_DECLS

#endif
