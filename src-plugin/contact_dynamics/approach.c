/* SPDX-License-Identifier: MIT
 * Conservative advancement: as far as the planes that part the features now allow, or the speed
 * does, whichever is more. */
#include "contact_dynamics/approach.h"

#include "contact/search/sweep.h"

enum { ADVANCES = 200 };

typedef struct advancing {
  const pd_cd_path *path[2];
  pd_vec3 r0, r1; /* from centre to centre at the start and the end */
  double length;  /* of the path, at most */
  double bend;    /* how far points leave their chords, at most */
  double near;
  pd_pair_work *work;
  pd_cd_approach *at;
} advancing;

static void put_side(const pd_cd_path *path, double part, pd_pose *p)
{
  *p = *path->start;
  p->rot = pd_q_matrix(pd_cd_turned(path->q, pd_scale(part, path->rotation)));
}

static void put(const advancing *q)
{
  q->at->r = pd_axpy(q->r0, q->at->part, pd_sub(q->r1, q->r0));
  for (int k = 0; k < 2; k++) put_side(q->path[k], q->at->part, &q->at->pose[k]);
}

/* distance now; how the gaps change on what is left of the path is noted in work */
static pd_status look(advancing *q, double cut, double *distance)
{
  const pd_cd_approach *at = q->at;
  const pd_pair_geometry pair = {&at->pose[0],        &at->pose[1], at->r,
                                 pd_v(0.0, 0.0, 0.0), NULL,         NULL};
  const pd_pair_end end = {q->path[0]->end->rot, q->path[1]->end->rot, pd_sub(q->r1, at->r),
                           pd_v(0.0, 0.0, 0.0)};
  return pd_pair_sweep(&pair, &end, cut, NULL, q->work, distance);
}

/* an arc leaves its chord by its radius times the square of its angle over 8 */
static double bend_of(const pd_cd_path *path)
{
  const double turn = pd_norm(path->rotation);
  return path->start->shape->radius * fmin(2.0, 0.125 * turn * turn);
}

static pd_status advance(advancing *q)
{
  const double keep = 0.5 * q->near;
  double *part = &q->at->part;
  for (int i = 0; i < ADVANCES; i++) {
    const double left = 1.0 - *part, cut = q->length * left + q->near;
    double d;
    put(q);
    const pd_status status = look(q, cut, &d);
    if (status || d < q->near || *part >= 1.0) return status;
    const double limit = pd_pair_sweep_limit(q->work, keep, q->bend * left * left);
    const int never = d >= cut || limit >= 1.0;
    *part = never ? 1.0 : fmin(1.0, *part + fmax(limit * left, (d - keep) / q->length));
  }
  put(q);
  return PD_OK;
}

pd_status pd_cd_first_touch(const pd_cd_path *a, const pd_cd_path *b, pd_vec3 r, double near,
                            pd_pair_work *work, pd_cd_approach *at)
{
  advancing q = {{a, b},
                 r,
                 pd_add(r, pd_sub(b->displacement, a->displacement)),
                 pd_cd_path_length(a, b),
                 bend_of(a) + bend_of(b),
                 near,
                 work,
                 at};
  at->part = 0.0;
  return advance(&q);
}
