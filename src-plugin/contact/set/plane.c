/* SPDX-License-Identifier: MIT
 * Contact with an infinite plane: the vertex-face problem with an unbounded face. */
#include "contact/force/friction.h"
#include "contact/force/term.h"
#include "contact/set/set.h"
#include "contact/set/vertex_sample.h"

static pd_status sample_vertex(const pd_evaluation *pair, int vertex, pd_vec3 at,
                               const pd_vec3 *face)
{
  const pd_simplex point = {1, &at}, plane = {3, face};
  const pd_tangent total = pd_result_tangent(pair);
  pd_sample_sum sum;
  pd_sample_begin(vertex, -1, &sum);
  const double w = pd_vertex_weight(pair, pair->a->shape, vertex);
  pd_status status = pd_term_add(pair, point, plane, w, &sum, pair->tangent ? &total : NULL);
  if (!status && pair->memory) {
    pd_grad dn;
    pd_friction_point x =
        pd_vertex_friction_point(pair, vertex, 0, at, pd_sample_direction(pair, &sum, &dn));
    status = pd_sample_friction(pair, &x, &sum);
  }
  return status ? status : pd_sample_finish(pair, &sum, 0, vertex, -1);
}

pd_status pd_set_evaluate_plane(const pd_evaluation *pair, const pd_pair_geometry *at)
{
  const pd_vec3 n = *at->plane;
  const pd_shape *shape = pair->a->shape;
  const pd_side *low = &pair->search->candidates.side[0];
  const double gbar = pair->law->gbar;
  pd_vec3 t1, t2, face[3];
  double hu;
  const double h0 = pd_plane_height(at, &hu);
  pd_frame(n, &t1, &t2);
  face[0] = pd_scale(-(h0 + hu), n);
  face[1] = pd_add(face[0], t1);
  face[2] = pd_add(face[0], t2);
  pd_status status = PD_OK;
  for (int i = 0; !status && i < low->nv; i++) {
    const pd_vec3 lever = pd_pose_lever(pair->a, low->v[i]);
    const double height = pd_dot(n, lever) + h0 + hu;
    if (!shape->sample[low->v[i]] || height - shape->round >= gbar) continue;
    if (isnan(height)) return PD_ENAN;
    status = height - shape->round > 0.0 ? sample_vertex(pair, low->v[i], lever, face) : PD_ETOUCH;
  }
  return status;
}
