/* SPDX-License-Identifier: MIT
 * Scene library: bodies, walls and one contact law as a pd_system of a single process, with a dense
 * solver and a driver that fills outer steps with adaptive substeps. Lengths in m, kg, s. */
#ifndef SC_WORLD_H
#define SC_WORLD_H

#include "solve/newton.h"
#include "shapes.h"

enum { SC_SHAPES = 16 };

/* what the substeps of a world have cost */
typedef struct sc_count {
  long substeps;   /* accepted */
  long failed;     /* Newton failures */
  long guarded;    /* rejected by the energy guard */
  long iterations; /* of all solves, rejected ones included */
  long wasted;     /* of the rejected ones */
  long evaluations, limited;
  int most;        /* iterations of the hardest accepted substep */
  double shortest; /* shortest accepted substep */
  double mingap;   /* smallest gap at the end of a substep */
  double gain;     /* largest rise of the whole energy in one substep */
  long overlaps;   /* accepted substeps that end in an overlap, if these are looked for */
} sc_count;

typedef struct sc_world {
  pd_system sys;
  pd_substep_solver *solver;
  pd_services services;
  pd_newton_options opt;
  pd_law law;
  pd_vec3 gravity;
  pd_shape *shape[SC_SHAPES]; /* owned */
  int nshape;
  double time, h;   /* present time, length of the next substep (0: not chosen yet) */
  int look;         /* look for overlaps after every substep */
  pd_energy energy; /* at the present time */
  pd_substep last;  /* the last accepted substep */
  sc_count count;
  double *matrix; /* dense system */
  int *pivot, size;
} sc_world;

PD_BEGIN_DECLS

/* An empty world; the law is checked and completed. */
pd_status sc_world_create(sc_world *world, pd_scheme_kind scheme, pd_law law);
void sc_world_free(sc_world *world);

/* Makes a shape that the world owns; the mesh is released in any case. NULL if that fails. */
pd_shape *sc_add_shape(sc_world *world, pd_mesh *mesh, int closed);

/* Adds a mobile body at rest, of given mass and uniform density; the index of the body, -1 if that
 * fails. q turns the mesh's axes. */
int sc_add_body(sc_world *world, const pd_shape *shape, double mass, pd_vec3 x, pd_quat q);

/* Add walls; 0 if that fails. */
int sc_add_plane(sc_world *world, pd_vec3 point, pd_vec3 normal);
int sc_add_surface(sc_world *world, pd_shape *shape);

/* Pairs everything with everything and makes the world ready to step: loads, accelerations,
 * energies. To be called again after bodies were added, moved or given a velocity. Errors:
 * PD_ENOMEM, PD_EOVERLAP, PD_ETOUCH, PD_ENAN. */
pd_status sc_ready(sc_world *world);

/* One substep of length h, accepted if it succeeds. Errors: those of pd_substep_solve. */
pd_status sc_substep(sc_world *world, double h);

/* Fills exactly dt with adaptive substeps of at most dt. Errors: those of pd_substep_solve, if
 * even substeps of dt * 2^-30 fail. */
pd_status sc_advance(sc_world *world, double dt);

/* Energy of motion, of contact, of the springs of friction and of gravity (zero at the origin). */
double sc_energy(const sc_world *world);

/* Blocks that have a place into a dense column-major matrix of 6 nlocal
 * rows. */
void sc_dense(const pd_system *sys, const double *values, const int *place, double *matrix);

void sc_count_reset(sc_world *world);

/* Cube (edge 0.1 m, 1 kg) of example 1 and its law, as reconstructed: gbar 1e-3, eps1 3.9e6, n1 1,
 * f 0.1, n2 -1. */
pd_law sc_block_law(double zeta);
pd_shape *sc_block_shape(sc_world *world);
#define SC_BLOCK_EDGE 0.1
#define SC_BLOCK_MASS 1.0

/* Law of example 5, with restitution e and one coefficient of friction mu: the spring of friction
 * is soft against the time of an impact. */
pd_law sc_box_law(double e, double mu);

/* Scheme em, the cube of example 1 over a floor, its lowest point so high (m). */
pd_status sc_block_over_floor(sc_world *world, pd_law law, double height, pd_quat q);

/* lowest vertex of a shape under a rotation, as a height over its centre */
double sc_lowest(const pd_shape *shape, pd_quat q);

/* Rotation by angle about axis; the shortest rotation from one direction to another. */
pd_quat sc_turn(pd_vec3 axis, double angle);
pd_quat sc_turn_to(pd_vec3 from, pd_vec3 to);

PD_END_DECLS

#endif
