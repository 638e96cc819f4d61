/* SPDX-License-Identifier: MIT
 * Common ground of the core: the macro for kernels, the error codes. */
#ifndef PD_BASE_H
#define PD_BASE_H

#include <float.h>
#include <math.h>
#include <stddef.h>

/* Kernels are inline functions that also compile as C++ and, by CUDA or HIP, for devices. */
#if defined(__CUDACC__) || defined(__HIPCC__)
#define PD_KERNEL static inline __host__ __device__
#else
#define PD_KERNEL static inline
#endif

#ifdef __cplusplus
#define PD_BEGIN_DECLS extern "C" {
#define PD_END_DECLS }
#else
#define PD_BEGIN_DECLS
#define PD_END_DECLS
#endif

/* One table of (code, text): every function of the core that can fail returns one of these codes.
 * They stand by severity: where several are met at once (pairs, islands, processes), the last of
 * them is reported, but lack of memory before all others. */
#define PD_STATUS_TABLE(X)                                                                         \
  X(PD_OK, "success")                                                                              \
  X(PD_ENOMEM, "out of memory")                                                                    \
  X(PD_EOPEN, "cannot open file")                                                                  \
  X(PD_EREAD, "file cannot be read to its end")                                                    \
  X(PD_EEMPTY, "file holds no triangles")                                                          \
  X(PD_EFORMAT, "syntax error")                                                                    \
  X(PD_ENAN, "coordinate is not a finite number")                                                  \
  X(PD_EINDEX, "vertex index out of range")                                                        \
  X(PD_EWARPED, "polygon is far from plane")                                                       \
  X(PD_ECROSSED, "polygon crosses itself or encloses nothing")                                     \
  X(PD_EDEGENERATE, "degenerate triangle")                                                         \
  X(PD_EOPENSURFACE, "surface is open")                                                            \
  X(PD_ENONMANIFOLD, "edge is shared by more than two triangles")                                  \
  X(PD_EORIENT, "surface cannot be oriented")                                                      \
  X(PD_EPARTS, "surface has more than one separate part")                                          \
  X(PD_EVOLUME, "enclosed volume is not positive")                                                 \
  X(PD_EMOMENT, "moments of inertia are not those of a body")                                      \
  X(PD_ECONCAVE, "surface is not convex")                                                          \
  X(PD_ERANGE, "parameter out of range")                                                           \
  X(PD_EENERGY, "energy of a substep is off by more than the guard allows")                        \
  X(PD_ETOUCH, "bodies touch")                                                                     \
  X(PD_ENEWTON, "Newton iteration did not converge")                                               \
  X(PD_ESINGULAR, "linear system could not be solved")                                             \
  X(PD_EWALL, "a moving wall goes too far in one substep")                                         \
  X(PD_EPASSAGE, "a body passes through another one in one substep")                               \
  X(PD_EIMPACT, "an impact, or bodies that go past each other, ask for shorter substeps")          \
  X(PD_ETURN, "a body that rubs on others turns too far in a substep")                             \
  X(PD_EPULL, "forces of a substep would draw bodies together")                                    \
  X(PD_EOVERLAP, "bodies overlap")                                                                 \
  X(PD_EMODULE, "a module of this software cannot be loaded")                                      \
  X(PD_EUSER, "operation is not available in this configuration")

typedef enum pd_status {
#define PD_STATUS_ENUM(code, text) code,
  PD_STATUS_TABLE(PD_STATUS_ENUM)
#undef PD_STATUS_ENUM
} pd_status;

/* How severe a status is, and the status that is as severe: 0 for PD_OK, the place in the table for
 * the others, beyond all of them for PD_ENOMEM. */
PD_KERNEL int pd_severity(pd_status status)
{
  return status == PD_ENOMEM ? (int)PD_EUSER + 1 : (int)status;
}

PD_KERNEL pd_status pd_status_of_severity(int severity)
{
  return severity == (int)PD_EUSER + 1 ? PD_ENOMEM : (pd_status)severity;
}

PD_KERNEL pd_status pd_worse(pd_status a, pd_status b)
{
  return pd_severity(b) > pd_severity(a) ? b : a;
}

/* Where and how badly something failed; filled beside a non-zero status, zero where unknown. */
typedef struct pd_fault {
  long line;    /* line of a text file, or record of a binary one, from 1 */
  long item;    /* triangle, edge or vertex, from 0 */
  long count;   /* how many such faults there are */
  double value; /* the offending figure */
} pd_fault;

PD_BEGIN_DECLS
/* Text of a status code; a static string, never NULL. */
const char *pd_strerror(pd_status status);
PD_END_DECLS

#endif
