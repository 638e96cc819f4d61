/* SPDX-License-Identifier: MIT
 * The samples of a pair: vertices of A, vertices of B, edge pairs. */
#include "contact/search/boxes.h"
#include "contact/set/corner.h"
#include "contact/set/set.h"

/* ---- from all candidates ---- */

static pd_status sample_vertices(const pd_evaluation *pair, int on_b)
{
  const pd_side *side = &pair->search->candidates.side[on_b];
  const pd_shape *shape = (on_b ? pair->b : pair->a)->shape;
  const int continuous = pair->set == PD_SET_CONTINUOUS;
  pd_vertex_sample s;
  for (int i = 0; i < side->nv; i++) {
    if (continuous && !shape->sample[side->v[i]]) continue;
    pd_vertex_sample_begin(&s, pair, on_b, side->v[i]);
    pd_status status = continuous ? pd_count_surface(&s) : pd_count_literal(&s);
    if (!status) status = pd_vertex_contacts(&s);
    if (status) return status;
  }
  return PD_OK;
}

static pd_status sample_edge_pairs(const pd_evaluation *pair)
{
  const pd_side *sa = &pair->search->candidates.side[0], *sb = &pair->search->candidates.side[1];
  const int all = pair->set != PD_SET_CONTINUOUS;
  for (int i = 0; i < sa->ne; i++) {
    if (!all && !pair->a->shape->e[sa->e[i]].sharp) continue;
    for (int j = 0; j < sb->ne; j++) {
      if (!all && !pair->b->shape->e[sb->e[j]].sharp) continue;
      if (pd_box_box2(sa->ebox[i], sb->ebox[j]) >= pair->reach2) continue;
      const pd_status status = pd_set_edge_pair(pair, sa->e[i], sb->e[j]);
      if (status) return status;
    }
  }
  return PD_OK;
}

/* ---- from the near pairs, which follow one another vertex by vertex: the continuous set ---- */

static pd_status sample_listed_vertices(const pd_evaluation *pair, int on_b)
{
  const pd_near_pairs *near = &pair->search->near_pairs;
  const pd_shape *shape = (on_b ? pair->b : pair->a)->shape;
  const pd_near_item *item = near->item;
  const int end = near->first[on_b + 1];
  pd_vertex_sample s;
  for (int i = near->first[on_b], k = i; i < end; i = k) {
    while (k < end && item[k].p == item[i].p) k++;
    if (!shape->sample[item[i].p]) continue;
    pd_vertex_sample_begin(&s, pair, on_b, (int)item[i].p);
    pd_status status = pd_count_listed(&s, item + i, k - i);
    if (!status) status = pd_vertex_contacts(&s);
    if (status) return status;
  }
  return PD_OK;
}

static pd_status sample_listed_edges(const pd_evaluation *pair)
{
  const pd_near_pairs *near = &pair->search->near_pairs;
  for (int i = near->first[2]; i < near->n; i++) {
    const pd_status status = pd_set_edge_pair(pair, (int)near->item[i].p, (int)near->item[i].q);
    if (status) return status;
  }
  return PD_OK;
}

pd_status pd_set_evaluate(const pd_evaluation *pair, pd_found found)
{
  const int listed = found == PD_LISTED;
  pd_status status = PD_OK;
  for (int on_b = 0; on_b < 2 && !status; on_b++)
    status = listed ? sample_listed_vertices(pair, on_b) : sample_vertices(pair, on_b);
  if (status) return status;
  return listed ? sample_listed_edges(pair) : sample_edge_pairs(pair);
}
