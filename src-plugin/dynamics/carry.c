/* SPDX-License-Identifier: MIT
 * What a cell that deforms does to the bodies that it carries: images, which keep their lattice
 * vectors from the bodies that they are of, and bodies that go with the cell themselves. The scheme
 * knows nothing of it: u is what a body does itself, contacts see u and the way of the cell. */
#include <string.h>

#include "base/array.h"
#include "dynamics/system_internal.h"

pd_status pd_system_set_carries(pd_system *sys, int carries)
{
  const pd_array arrays[] = {{&sys->carry_load, PD_NCARRY * sizeof(double)},
                             {&sys->carry_load_at_start, PD_NCARRY * sizeof(double)}};
  const int already = sys->carries;
  sys->carries = 0;
  if (!carries) return PD_OK;
  const pd_status status = pd_arrays_reserve(arrays, 2, &sys->capacity.carried, (size_t)sys->nbody);
  if (status) return status;
  if (!already)
    memset(sys->carry_load_at_start, 0, (size_t)sys->nbody * PD_NCARRY * sizeof(double));
  sys->carries = 1;
  return PD_OK;
}

void pd_system_carry_body(pd_system *sys, int i, pd_vec3 u, pd_vec3 velocity)
{
  sys->body[i].carry = u;
  sys->body[i].carry_velocity = velocity;
}

/* forces and losses of one side of a pair; at: 0 for A, 6 for B */
static void add_side(const pd_contact_pair *pair, const pd_pair_response *r, int at, double *load)
{
  for (int m = 0; m < 3; m++) {
    load[m] += pair->share * r->force[at + m];
    for (int k = 0; k < PD_NLOSS; k++) load[3 + 3 * k + m] += pair->share * r->loss[k][at + m];
  }
}

void pd_system_carry_loads(const pd_system *sys, double *load)
{
  memset(load, 0, (size_t)sys->nbody * PD_NCARRY * sizeof(double));
  for (int n = 0; n < sys->contacts.nactive; n++) {
    const int i = sys->contacts.active_pair[n];
    const pd_contact_pair *pair = &sys->pair[i];
    const pd_pair_response *r = pd_response_of(sys, i);
    if (!r->active) continue;
    add_side(pair, r, 0, load + PD_NCARRY * pair->a);
    if (!pair->wall) add_side(pair, r, 6, load + PD_NCARRY * pair->b);
  }
}

void pd_system_carry_work(const pd_system *sys, const double *load, double *work)
{
  for (int k = 0; k <= PD_NLOSS; k++) work[k] = 0.0;
  for (int i = 0; i < sys->nbody; i++)
    for (int k = 0; k <= PD_NLOSS; k++)
      work[k] -= pd_dot(pd_v_load(load + PD_NCARRY * i + 3 * k), sys->body[i].carry);
}
