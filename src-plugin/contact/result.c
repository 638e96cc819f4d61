/* SPDX-License-Identifier: MIT
 * An empty result; lists of contact points. */
#include "contact/result.h"

#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "base/numbers.h"

void pd_result_clear(pd_pair_result *result, int tangent)
{
  memset(result, 0, tangent ? sizeof *result : offsetof(pd_pair_result, k));
  result->mingap = DBL_MAX;
}

pd_status pd_contact_append(pd_contact_list *list, const pd_contact *contact)
{
  const pd_status status = PD_ARRAY_RESERVE(list->c, list->cap, list->n + 1, PD_CONTACTS_FIRST);
  if (!status) list->c[list->n++] = *contact;
  return status;
}

void pd_contact_list_free(pd_contact_list *list)
{
  pd_free(list->c);
  list->c = NULL;
  list->n = list->cap = 0;
}
