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

const pd_friction_record *pd_friction_find(const pd_friction_memory *memory, const int *sample)
{
  for (int i = 0; i < memory->nold; i++) {
    const pd_friction_record *record = &memory->old[i];
    if (record->sample[0] == sample[0] && record->sample[1] == sample[1]) return record;
  }
  return NULL;
}

pd_friction_history pd_friction_recall(const pd_friction_memory *memory, const int *sample)
{
  const pd_friction_history none = {{0.0, 0.0, 0.0}, 0.0, {0.0, 0.0, 0.0}, 0.0, {0.0, 0.0, 0.0}, 0};
  const pd_friction_record *record = pd_friction_find(memory, sample);
  if (!record) return none;
  pd_friction_history history = record->history;
  history.slipping = history.slipping && pd_friction_patch(memory, history.n) != 0;
  return history;
}

pd_status pd_friction_keep(const pd_friction_memory *memory, const int *sample,
                           pd_friction_history history)
{
  const pd_friction_record record = {{sample[0], sample[1]}, history};
  return memory->fresh ? pd_friction_append(memory->fresh, record) : PD_OK;
}
