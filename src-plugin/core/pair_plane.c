/* SPDX-License-Identifier: MIT
 * Contact with an infinite plane: the vertex-face problem with an unbounded face. */
#include "pair_internal.h"

pd_status pd_plane_eval(const pd_place *a, double h0, double hu, pd_vec3 n, const pd_motion *plane,
                        const pd_law *law, int tangent, pd_pair_result *result,
                        pd_contact_list *contacts)
{
  const pd_place b = {0};
  pd_place wall = b;
  wall.mass = INFINITY;
  wall.motion = *plane;
  pd_vec3 t1, t2, face[3];
  pd_frame(n, &t1, &t2);
  face[0] = pd_scale(-(h0 + hu), n);
  face[1] = pd_add(face[0], t1);
  face[2] = pd_add(face[0], t2);
  const pd_pair_state p = {a, &wall, face[0], law, a->mass, tangent};
  pd_result_clear(result);
  for (int i = 0; i < a->shape->nv; i++) {
    const double height = pd_dot(n, a->s[i]) + h0 + hu;
    if (!a->shape->sample[i] || height >= law->gbar) continue;
    if (!(height > 0.0)) return PD_ENAN;
    pd_sample_sum sum;
    pd_sample_clear(&sum);
    pd_status status =
        pd_term_eval(&p, 1, &a->s[i], 3, face, 1.0, &sum, tangent ? result->k : NULL);
    if (!status) status = pd_sample_finish(&sum, 0, i, -1, result, contacts);
    if (status) return status;
  }
  return PD_OK;
}

double pd_plane_distance(const pd_place *a, double h0, double hu, pd_vec3 n)
{
  double low = DBL_MAX;
  for (int i = 0; i < a->shape->nv; i++) low = fmin(low, pd_dot(n, a->s[i]));
  return low + h0 + hu;
}
