/* SPDX-License-Identifier: MIT
 * The ghost of a body ends a substep in the state of its owner: what is decided of a body from what
 * its owner alone knows holds for its ghosts, too. */
#include <string.h>

#include "check.h"
#include "world.h"

#define DT 5e-3
#define APART 1.0
#define LONGEST 2000 /* steps until the cube stands */

enum { OWNER, GHOST };

/* what other processes would do: the ghost has the figures of the owner */
static void forward(void *ctx, double *buffer)
{
  (void)ctx;
  memcpy(buffer + 6 * GHOST, buffer + 6 * OWNER, 6 * sizeof *buffer);
}

/* A cube that stands on a plane, in the scheme, and its image. */
static void make_image(sc_world *w, pd_scheme_kind scheme)
{
  check_ok(sc_world_create(w, PD_EULER, sc_block_law(0.7)));
  const pd_shape *cube = sc_block_shape(w);
  sc_add_body(w, cube, SC_BLOCK_MASS, pd_v(0, 0, 0.051), pd_q(1, 0, 0, 0));
  assert_true(sc_add_plane(w, pd_v(0, 0, 0), pd_v(0, 0, 1)));
  check_ok(sc_ready(w));
  int steps = 0;
  do check_ok(sc_advance(w, DT));
  while (pd_norm(w->sys.body[OWNER].start.v) > 0.0 && ++steps < LONGEST);
  assert_true(steps < LONGEST);
  const pd_state stands = w->sys.body[OWNER].start;
  sc_add_body(w, cube, SC_BLOCK_MASS, pd_axpy(stands.x, APART, pd_v(1, 0, 0)), stands.q);
  w->sys.scheme.kind = scheme;
  check_ok(sc_ready(w));
  w->sys.body[GHOST].owned = 0;
  w->sys.body[GHOST].row = w->sys.body[OWNER].row;
  check_ok(pd_system_bind(&w->sys));
  w->sys.npair = 0; /* a ghost has no pairs with walls */
  pd_contact_pair pair = {0};
  pair.a = OWNER;
  pair.wall = 1;
  pair.law = &w->law;
  pair.share = 1.0;
  check_ok(pd_system_add_pair(&w->sys, pair));
  check_ok(pd_system_pattern(&w->sys, 0, 1));
  w->services.communication.forward = forward;
}

/* both with a speed that rounding alone might have left, and an acceleration that cannot last */
static void tremble(sc_world *w)
{
  pd_totals totals;
  for (int i = OWNER; i <= GHOST; i++) {
    w->sys.body[i].start.v = pd_v(0, 0, 1e-14);
    w->sys.body[i].start.w = pd_v(1e-14, 0, 0);
    w->sys.body[i].start.acc = pd_v(0, 0, 1e-9);
    w->sys.body[i].start.wdot = pd_v(1e-9, 0, 0);
  }
  check_ok(pd_energy_now(&w->sys, &w->services, &w->energy, &totals));
}

static void check_rest(pd_scheme_kind scheme)
{
  sc_world w;
  make_image(&w, scheme);
  tremble(&w);
  check_ok(sc_substep(&w, DT));
  const pd_state *owner = &w.sys.body[OWNER].start, *ghost = &w.sys.body[GHOST].start;
  print_message("scheme %d: owner %.1e, ghost %.1e m/s^2\n", (int)scheme, pd_norm(owner->acc),
                pd_norm(ghost->acc));
  assert_true(pd_norm(owner->v) + pd_norm(owner->w) == 0.0);
  assert_memory_equal(&owner->v, &ghost->v, sizeof owner->v);
  assert_memory_equal(&owner->w, &ghost->w, sizeof owner->w);
  assert_memory_equal(&owner->acc, &ghost->acc, sizeof owner->acc);
  assert_memory_equal(&owner->wdot, &ghost->wdot, sizeof owner->wdot);
  sc_world_free(&w);
}

static void test_rest(void **state)
{
  (void)state;
  check_rest(PD_NEWMARK);
  check_rest(PD_EULER);
  check_rest(PD_EM);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_rest)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
