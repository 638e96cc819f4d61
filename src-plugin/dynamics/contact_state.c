/* SPDX-License-Identifier: MIT
 * What pairs carry from substep to substep: states of contacts, near lists, memory of friction,
 * bounds of their distance. */
#include <string.h>

#include "base/array.h"
#include "dynamics/system_internal.h"

void pd_contact_states_forget(pd_system *sys)
{
  sys->contacts.nactive = sys->contacts.n = sys->contacts.nnear = 0;
}

pd_status pd_contact_pair_add_state(pd_system *sys, pd_contact_pair *pair,
                                    const pd_contact_state *state)
{
  pd_contact_states *c = &sys->contacts;
  const pd_array states = PD_ARRAY(c->state);
  const pd_status status = pd_arrays_reserve(&states, 1, &c->cap_state, (size_t)c->n + 1);
  if (status) return status;
  c->state[c->n] = *state;
  pair->contact = c->n++;
  return PD_OK;
}

pd_status pd_contact_pair_add_near(pd_system *sys, const pd_contact_pair *pair)
{
  pd_contact_states *c = &sys->contacts;
  const pd_array lists = PD_ARRAY(c->near);
  const size_t before = c->cap_near;
  const pd_status status = pd_arrays_reserve(&lists, 1, &c->cap_near, (size_t)c->nnear + 1);
  if (status) return status;
  memset(c->near + before, 0, (c->cap_near - before) * sizeof *c->near);
  c->near[c->nnear].cut = 0.0; /* of a pair that there was before: its memory is kept */
  c->near[c->nnear].wait = 0;
  c->near[c->nnear].room = 0.0;
  c->state[pair->contact].near = c->nnear++;
  return PD_OK;
}

void pd_contact_states_list_active(pd_system *sys)
{
  pd_contact_states *c = &sys->contacts;
  c->nactive = 0;
  for (int i = 0; i < sys->npair; i++)
    if (c->active[i]) c->active_pair[c->nactive++] = i;
}

void pd_system_find_touching(const pd_system *sys, char *touches)
{
  memset(touches, 0, (size_t)sys->nbody);
  for (int k = 0; k < sys->contacts.nactive; k++) {
    const int i = sys->contacts.active_pair[k];
    if (!pd_response_of(sys, i)->active) continue;
    touches[sys->ends[i][0]] = touches[sys->ends[i][1]] = 1;
  }
}

pd_status pd_system_add_friction_record(pd_system *sys, pd_friction_record record)
{
  const pd_status status = pd_friction_append(&sys->friction.at_start, record);
  if (!status) sys->pair[sys->npair - 1].nold++;
  return status;
}

void pd_system_accept_friction(pd_system *sys)
{
  const pd_friction_records list = sys->friction.at_start;
  sys->friction.at_start = sys->friction.at_end;
  sys->friction.at_end = list;
  sys->friction.at_end.n = 0;
  for (int i = 0; i < sys->npair; i++) {
    sys->pair[i].old = sys->pair[i].kept;
    sys->pair[i].nold = sys->pair[i].nkept;
    sys->pair[i].kept = sys->pair[i].nkept = sys->pair[i].room = 0;
  }
}

void pd_system_accept_forces(pd_system *sys)
{
  for (int i = 0; i < sys->contacts.n; i++) {
    pd_contact_state *state = &sys->contacts.state[i];
    state->at_start.active = state->at_end.active;
    if (state->at_end.active) state->at_start = state->at_end;
  }
  for (int i = 0; i < sys->nbody; i++)
    memcpy(sys->body[i].reaction_at_start, sys->body[i].reaction, sizeof sys->body[i].reaction);
  if (sys->carries) pd_system_carry_loads(sys, sys->carry_load_at_start);
  memcpy(sys->loss_at_start, sys->assembly.loss, (size_t)sys->nbody * 12 * sizeof(double));
  for (int i = 0; i < sys->nwall; i++) {
    memcpy(sys->wall[i].load0, sys->wall[i].load, sizeof sys->wall[i].load);
    memcpy(sys->wall[i].loss0, sys->wall[i].loss, sizeof sys->wall[i].loss);
  }
}
