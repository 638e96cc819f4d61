/* SPDX-License-Identifier: MIT
 * What the friction contacts of a pair remember from one substep to the next. */
#ifndef PD_FRICTION_MEMORY_H
#define PD_FRICTION_MEMORY_H

#include "contact/law/friction.h"

/* A friction contact and what it remembers. sample: (vertex of A, -1), (vertex of B, -2) or (edge
 * of A, edge of B). Contacts of one sample, in a corner, follow one another and are told apart by
 * their normals. */
typedef struct pd_friction_record {
  int sample[2];
  pd_friction_history history;
} pd_friction_record;

/* growable list of records; zero it before first use */
typedef struct pd_friction_records {
  int n, cap;
  pd_friction_record *r;
} pd_friction_records;

/* memory of a pair: records at the start of the substep; those of the present state are appended to
 * fresh, unless it is NULL, to be kept if the substep is accepted */
typedef struct pd_friction_memory {
  const pd_friction_record *old;
  int nold;
  pd_friction_records *fresh;
} pd_friction_memory;

PD_BEGIN_DECLS

/* Errors: PD_ENOMEM. */
pd_status pd_friction_append(pd_friction_records *list, pd_friction_record record);
void pd_friction_records_free(pd_friction_records *list);

/* The record at the start of the substep, by its place in memory->old, that a sample has of the
 * direction nearest to n, which need not be of unit length; -1 if there is none. */
int pd_friction_find(const pd_friction_memory *memory, const int *sample, pd_vec3 n);

/* What a contact of that record remembers; nothing if it is -1. It slips if its whole patch does:
 * as long as one contact of a face sticks the face stays where it is, and those that bear little
 * have only given way to the elastic strain of the others. */
pd_friction_history pd_friction_recall(const pd_friction_memory *memory, int record);

/* Whether the patch slips that faces along n: 1 if all of its contacts do, 0 if one sticks, -1 if
 * the pair remembers none of it. */
int pd_friction_patch(const pd_friction_memory *memory, pd_vec3 n);

/* Appends the record of a sample to the fresh ones, if they are wanted. Errors: PD_ENOMEM. */
pd_status pd_friction_keep(const pd_friction_memory *memory, const int *sample,
                           pd_friction_history history);

PD_END_DECLS

#endif
