/* SPDX-License-Identifier: MIT
 * Lists of friction records. */
#include "contact/friction_memory.h"

#include "base/array.h"
#include "base/memory.h"
#include "base/numbers.h"

void pd_friction_records_free(pd_friction_records *list)
{
  pd_free(list->r);
  list->r = NULL;
  list->n = list->cap = 0;
}

pd_status pd_friction_append(pd_friction_records *list, pd_friction_record record)
{
  const pd_status status = PD_ARRAY_RESERVE(list->r, list->cap, list->n + 1, PD_CONTACTS_FIRST);
  if (!status) list->r[list->n++] = record;
  return status;
}

int pd_friction_patch(const pd_friction_memory *memory, pd_vec3 n)
{
  int slips = -1;
  for (int i = 0; i < memory->nold; i++) {
    const pd_friction_history *other = &memory->old[i].history;
    if (!(pd_dot(n, other->n) > PD_PATCH_COSINE)) continue;
    if (!other->slipping) return 0;
    slips = 1;
  }
  return slips;
}

static int is_of(const pd_friction_record *record, const int *sample)
{
  return record->sample[0] == sample[0] && record->sample[1] == sample[1];
}

int pd_friction_find(const pd_friction_memory *memory, const int *sample, pd_vec3 n)
{
  const pd_friction_record *old = memory->old;
  int i = 0;
  while (i < memory->nold && !is_of(&old[i], sample)) i++;
  if (i == memory->nold) return -1;
  int nearest = i;
  for (i++; i < memory->nold && is_of(&old[i], sample); i++)
    if (pd_dot(n, old[i].history.n) > pd_dot(n, old[nearest].history.n)) nearest = i;
  return nearest;
}

pd_friction_history pd_friction_recall(const pd_friction_memory *memory, int record)
{
  const pd_friction_history none = {{0.0, 0.0, 0.0}, 0.0, {0.0, 0.0, 0.0}, 0.0, {0.0, 0.0, 0.0}, 0};
  if (record < 0) return none;
  pd_friction_history history = memory->old[record].history;
  history.slipping = history.slipping && pd_friction_patch(memory, history.n) != 0;
  return history;
}

pd_status pd_friction_keep(const pd_friction_memory *memory, const int *sample,
                           pd_friction_history history)
{
  const pd_friction_record record = {{sample[0], sample[1]}, history};
  return memory->fresh ? pd_friction_append(memory->fresh, record) : PD_OK;
}
