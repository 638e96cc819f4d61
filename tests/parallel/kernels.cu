/* SPDX-License-Identifier: MIT
 * The kernels of the core compile as device code: one contact point per thread, from the closest
 * features to force, friction, energy-momentum force and motion. Only compiled, see
 * cmake/tests.cmake. */
#include "geometry/distance.h"
#include "contact/energy_momentum/discrete_gradient.h"
#include "contact/law/friction.h"
#include "contact/gap.h"
#include "dynamics/integrator.h"
#include "contact/law/normal.h"
#include "base/rotation.h"
#include "base/vec3.h"
#include "contact_sums.h"

struct body {
  pd_state state;
  pd_inertia inertia;
  pd_scheme scheme;
  pd_vec3 u, alpha, force, moment, face[3], segment[2];
  pd_kinematics k;
  double energy;
};

struct contact {
  int feature[3];
  pd_gap gap;
  pd_normal_force normal;
  pd_friction_kinematics velocity;
  pd_friction_history history;
  pd_friction_result friction;
  pd_em_state start;
  pd_em_end end;
  pd_em_motion step;
  pd_em_choice choice;
  pd_em_result result;
  double k[12][12], row[12], distance2;
};

__global__ void move(body *bodies, int n, double h)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  body *b = bodies + i;
  pd_mat3 d;
  pd_scheme_set_step(&b->scheme, h);
  pd_scheme_predict(&b->scheme, &b->state, &b->u, &b->alpha);
  b->k = pd_kinematics_at(&b->scheme, &b->state, b->u, b->alpha);
  b->force = pd_inertia_force(&b->scheme, &b->state, &b->inertia, b->u);
  b->moment = pd_inertia_moment(&b->scheme, &b->state, &b->inertia, b->alpha, &b->k, &d);
  b->moment = pd_add(b->moment, pd_mv(d, pd_inertia_spin_up(&b->state, &b->inertia, b->moment)));
  b->state = pd_scheme_advance(&b->scheme, &b->state, b->u, b->alpha, &b->k);
  b->energy = pd_kinetic_translation(&b->inertia, b->state.v) +
              pd_kinetic_rotation(&b->inertia, b->state.q, b->state.w) +
              pd_inertia_stiffness(&b->scheme, &b->inertia);
}

__global__ void touch(contact *contacts, const body *bodies, int n, const pd_law *law)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  contact *c = contacts + i;
  const body *a = bodies + 2 * i, *b = a + 1;
  double d2;
  c->feature[0] = pd_point_triangle(a->face[0], b->face[0], b->face[1], b->face[2], &d2);
  c->feature[1] = pd_point_segment(a->face[0], b->face[0], b->face[1], &c->distance2);
  c->distance2 += d2 + pd_segment_segment(a->segment[0], a->segment[1], b->segment[0],
                                          b->segment[1], &c->feature[1], &c->feature[2]);
  c->gap = pd_gap_solve(1, a->face, 3, b->face, pd_sub(b->state.x, a->state.x));
  const pd_vec3 w = pd_gap_velocity(&c->gap, &a->k.velocity, &b->k.velocity);
  c->normal = pd_law_damped(law, pd_law_eval(law, c->gap.d), c->gap.d, pd_dot(c->gap.n, w), 1.0);
  pd_gap_add_hessian(&c->gap, c->normal.n, c->k);
  pd_gap_rate_gradient(&c->gap, &a->k.velocity, &b->k.velocity, w, c->row);
  pd_k_rank1(c->k, c->normal.dn_dgd, c->row, c->row);
  pd_sample_normal(&c->velocity, pd_scale(c->normal.n, c->gap.n));
  c->friction = pd_friction_eval(&law->t, &c->velocity, &c->history, PD_TANGENT);
  pd_em_force(&c->start, &c->end, &c->step, c->choice, 1, &c->result);
}

__global__ void evaluate(contact_point *points, int n, const pd_velocity *velocity,
                         const pd_law *law)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) evaluate_point(points + i, velocity, law);
}

__global__ void sum(contact_graph graph, const contact_point *points, contact_sums sums)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < graph.bodies) sum_body(i, &graph, points, &sums);
  if (i < graph.pairs) sum_pair(i, &graph, points, &sums);
}
