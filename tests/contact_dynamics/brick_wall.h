/* SPDX-License-Identifier: MIT
 * A wall of bricks as a contact network: far more forces than equations of balance, and three
 * motions of every brick that nothing resists, the slides along its faces and the turn about the
 * vertical. */
#ifndef BRICK_WALL_H
#define BRICK_WALL_H

#include "test_cd_scenes.h"
#include "shapes.h"

typedef struct brick {
  int course;
  pd_vec3 x;
  pd_vec3 lean; /* the angles by which its upper face is not level */
} brick;

static const pd_vec3 brick_half = {0.1, 0.05, 0.05};

static inline int wall_bricks(int courses) { return courses * (courses + 1) / 2; }

/* Every course has a brick less than the one below it. jitter: how far bricks are from their place
 * in a regular wall; lean: of their upper faces, at most. */
static inline brick *wall_places(int courses, double jitter, double lean)
{
  sc_random seed = {3};
  brick *wall = (brick *)malloc(sizeof *wall * (size_t)wall_bricks(courses)), *b = wall;
  assert_non_null(wall);
  for (int course = 0; course < courses; course++)
    for (int i = 0; i < courses - course; i++, b++) {
      const double u = sc_uniform(&seed, -jitter, jitter), v = sc_uniform(&seed, -jitter, jitter);
      const double p = sc_uniform(&seed, -lean, lean), q = sc_uniform(&seed, -lean, lean);
      b->course = course;
      b->x = pd_v(0.21 * (i + 0.5 * course) + u, v, brick_half.z * (2 * course + 1));
      b->lean = pd_v(p, q, 0.0);
    }
  return wall;
}

/* Relative stiffness of a contact: bricks of odd index are five times as stiff as the others, the
 * floor (b < 0) twice as stiff as they. */
static inline double wall_stiffness(int a, int b)
{
  if (b < 0) return a % 2 ? 2.0 : 0.4;
  return a % 2 + b % 2 == 2 ? 1.0 : a % 2 + b % 2 == 1 ? 1.0 / 3.0 : 0.2;
}

/* The corners of the common area of brick a and the one below, or the floor; appended to the
 * contacts unless c is NULL. Returns how many. */
static inline int wall_joint(const brick *wall, int a, int b, pd_cd_contact *c)
{
  const pd_vec3 up = pd_v(0.0, 0.0, 1.0), x = wall[a].x, y = b < 0 ? x : wall[b].x;
  const pd_vec3 lo = pd_sub(pd_max(x, y), brick_half), hi = pd_add(pd_min(x, y), brick_half);
  if (!(hi.x > lo.x && hi.y > lo.y)) return 0;
  for (int k = 0; c && k < 4; k++) {
    const pd_vec3 at = pd_v(k & 1 ? hi.x : lo.x, k & 2 ? hi.y : lo.y, x.z - brick_half.z);
    const pd_vec3 n = b < 0 ? up : pd_unit(pd_add(up, pd_cross(wall[b].lean, up)));
    c[k] = contact_of(a, b, n, pd_sub(at, x), pd_sub(at, y), 0.0);
    c[k].k = wall_stiffness(a, b);
  }
  return 4;
}

static inline int wall_joints(const brick *wall, int courses, pd_cd_contact *c)
{
  int n = 0;
  for (int a = 0; a < wall_bricks(courses); a++) {
    if (wall[a].course == 0) n += wall_joint(wall, a, -1, c ? c + n : NULL);
    for (int b = 0; b < a; b++)
      if (wall[b].course == wall[a].course - 1) n += wall_joint(wall, a, b, c ? c + n : NULL);
  }
  return n;
}

/* The wall at rest under its weight, and a push along it of a tenth of that on every second brick
 * if there is friction to bear it. load is not set. */
static inline void wall_open(scene *s, int courses, double jitter, double lean, double friction)
{
  const int n = wall_bricks(courses);
  const double weight = 2.0 * gravity;
  brick *wall = wall_places(courses, jitter, lean);
  scene_open(s, n, 0, wall_joints(wall, courses, NULL));
  wall_joints(wall, courses, s->net.contact);
  free(wall);
  for (int i = 0; i < n; i++) {
    s->net.body[i] = box_body(2.0, 2 * brick_half.x, 2 * brick_half.y, 2 * brick_half.z);
    s->fext[6 * i + 2] = -weight;
    if (friction > 0.0 && i % 2) s->fext[6 * i] = 0.1 * weight;
  }
  for (int i = 0; i < s->net.ncontact; i++) s->net.contact[i].mu = friction;
  check_ok(pd_cd_network_bind(&s->net));
}

/* What the normal forces of the rigid problem amount to, on which the compatible ones are to be
 * found; friction forces stay what they are. Returns the residual of the rigid problem. */
static inline double wall_load(scene *s, const pd_cd_options *opt)
{
  pd_cd_report report;
  const int n = s->net.ncontact, friction = s->net.contact[0].mu > 0.0;
  scene_reset(s);
  check_ok(friction ? pd_cd_step_solve_friction(&s->net, opt, &s->step, &s->pool, &report)
                    : pd_cd_step_solve(&s->net, opt, &s->step, &s->pool, &report));
  if (friction)
    for (int i = 0; i < n; i++) s->f[i] = s->f[3 * i];
  const pd_cd_operator normals = pd_cd_normals(&s->net);
  pd_cd_resultants(&normals, s->f, s->load);
  return report.residual;
}

#endif
