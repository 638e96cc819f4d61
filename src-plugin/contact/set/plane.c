/* SPDX-License-Identifier: MIT
 * Contact with an infinite plane: the vertex-face problem with an unbounded face. */
#include "contact/pair_internal.h"

static pd_status sample_vertex(const pd_pair_state *p, int vertex, const pd_vec3 *face,
                               pd_pair_result *result, pd_contact_list *contacts)
{
  const pd_vec3 at = p->a->s[vertex];
  pd_sample_sum sum;
  pd_sample_clear(&sum);
  const pd_tangent both = {result->k, result->kloss};
  pd_status status = pd_term_eval(p, 1, &at, 3, face, 1.0, &sum, p->tangent ? &both : NULL);
  if (!status && p->memory) {
    const pd_friction_point x = pd_vertex_friction_point(p, vertex, 0, at);
    status = pd_sample_friction(p, &x, &sum, result);
  }
  return status ? status : pd_sample_finish(&sum, 0, vertex, -1, p->em > 0.0, result, contacts);
}

pd_status pd_plane_eval(const pd_pose *a, double h0, double hu, pd_vec3 n, const pd_pose *plane,
                        pd_vec3 r, const pd_law *law, int tangent, const pd_friction_memory *memory,
                        double em, pd_pair_work *work, pd_pair_result *result,
                        pd_contact_list *contacts)
{
  pd_vec3 t1, t2, face[3];
  pd_frame(n, &t1, &t2);
  face[0] = pd_scale(-(h0 + hu), n);
  face[1] = pd_add(face[0], t1);
  face[2] = pd_add(face[0], t2);
  pd_pair_state p = {a, plane, r, law, a->mass, tangent, memory, fmax(em, 0.0), em != 0.0, work};
  work->ndeferred = 0;
  if (!(law->t.eps_t > 0.0)) p.memory = NULL;
  pd_result_clear(result, tangent);
  for (int i = 0; i < a->shape->nv; i++) {
    const double height = pd_dot(n, a->s[i]) + h0 + hu;
    if (!a->shape->sample[i] || height >= law->gbar) continue;
    if (!(height > 0.0)) return PD_ENAN;
    const pd_status status = sample_vertex(&p, i, face, result, contacts);
    if (status) return status;
  }
  return PD_OK;
}

double pd_plane_distance(const pd_pose *a, double h0, double hu, pd_vec3 n)
{
  double low = DBL_MAX;
  for (int i = 0; i < a->shape->nv; i++) low = fmin(low, pd_dot(n, a->s[i]));
  return low + h0 + hu;
}
