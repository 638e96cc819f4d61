/* SPDX-License-Identifier: MIT
 * What the evaluations put together: pattern of the matrix, residual, tangent, sums. */
#ifndef PD_ASSEMBLY_H
#define PD_ASSEMBLY_H

#include <stddef.h>

/* Block CSR of the owned rows: of the pairs there are, made by pd_system_pattern. Few of them
 * touch, and a block is 288 bytes: assembly.place says which have room. */
typedef struct pd_pattern {
  int nlocal;          /* owned block rows */
  long first, nglobal; /* first owned row, rows of all processes */
  int *rowptr;         /* nlocal + 1 */
  int *col;            /* rowptr[nlocal]: global columns, rising in every row */
  size_t cap_row, cap_col;
} pd_pattern;

/* Written by pd_system_eval and pd_system_eval_moved. Unknowns, and rows, of a body: (u, alpha). */
typedef struct pd_assembly {
  double *force;  /* 6 nbody: residual by body, force and moment; PD_AT_START: of contacts
                     and loads */
  double *loss;   /* 12 nbody: force and moment of damping, and those of friction, by body */
  double *values; /* 36 per block that has a place, by rows: derivatives of the residual */
  int nplace;     /* blocks that have one: the diagonal, and those of pairs that have acted */
  int *place;     /* of every block of the pattern: where it is in values, -1: nowhere */
  char *nonzero;  /* of every block of the pattern: it may hold something, the others are zero */
  /* of every body */
  char *residual_dirty;           /* has got another residual in the last evaluation */
  char *tangent_current;          /* its rows of the matrix are those of the present increments */
  char *row_is_identity;          /* its rows hold the identity: no unknowns */
  size_t cap_values, cap_pattern; /* blocks of values and of the pattern */
  /* Of the walls with a degree of freedom, whose unknown is their way: they have no part in the
   * matrix but border it. */
  double *by_wall;     /* nfree times 6 nbody: derivatives of the bodies' residuals by it */
  double *of_wall;     /* nfree times 6 nbody: of the wall's residual by the bodies' (u, alpha) */
  double *wall_by_way; /* nfree: of the wall's residual by its way; parts of this process */
  double *wall_forces; /* 18 nfree: force, moment and losses under way between processes */
  size_t cap_border, cap_free;
} pd_assembly;

/* sums over this process; reduce over all of them where there are several */
typedef struct pd_totals {
  double energy;         /* contact potential */
  double spring;         /* energy in the springs of friction */
  double between_bodies; /* both, of pairs of bodies alone */
  double mingap;         /* DBL_MAX if no contact */
  double ncontact;
  double virial[6]; /* sum of r_AB f_A between bodies: xx yy zz xy xz yz */
} pd_totals;

#endif
