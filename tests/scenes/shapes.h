/* SPDX-License-Identifier: MIT
 * Scene library: the bodies and walls that tests, benchmarks and examples share. Every mesh is made
 * anew and released with pd_mesh_free; closed ones are oriented outwards. */
#ifndef SC_SHAPES_H
#define SC_SHAPES_H

#include "base/rotation.h"
#include "geometry/shape.h"

/* random numbers that are the same everywhere; any seed will do */
typedef struct sc_random {
  unsigned long long state;
} sc_random;

PD_BEGIN_DECLS

/* Uniform in [lo, hi). */
double sc_uniform(sc_random *random, double lo, double hi);

/* Uniform over 0 .. n-1. */
int sc_below(sc_random *random, int n);

/* Uniform over all rotations. */
pd_quat sc_rotation(sc_random *random);

/* Box with edges a, b, c about the origin: 8 vertices, 12 triangles. */
pd_status sc_box(double a, double b, double c, pd_mesh *mesh);

/* Regular tetrahedron about its centre, distance r from the centre to the vertices. */
pd_status sc_tetrahedron(double r, pd_mesh *mesh);

/* Tetrapod about its centre: a regular tetrahedron (r0 from the centre to the vertices), on each of
 * its faces a leg whose end is the face times taper, in the plane at distance R from the centre. 16
 * vertices, 28 triangles. */
pd_status sc_tetrapod(double R, double r0, double taper, pd_mesh *mesh);

/* Prism over the L that is the square (0, a)^2 less (b, a)^2, 0 < b < a, height h along z from 0.
 */
pd_status sc_l_prism(double a, double b, double h, pd_mesh *mesh);

/* Square |x|, |y| <= a in the plane z = 0, normal +z: two triangles, open. */
pd_status sc_open_quad(double a, pd_mesh *mesh);

/* Two rectangles that meet at the edge |y| <= a of the y axis, open: one to x = a, the other at the
 * given angle from it (rad, towards +z); normals into the angle, which is a concave corner below
 * pi. */
pd_status sc_wedge(double angle, double a, pd_mesh *mesh);

/* Three parallelograms along the pairs of e about the origin, open, normals towards the third: the
 * corner of a pit. e is right-handed. */
pd_status sc_pit(const pd_vec3 *e, pd_mesh *mesh);

/* x := R(q) x + shift for all vertices. */
void sc_move(pd_mesh *mesh, pd_quat q, pd_vec3 shift);

/* Makes the shape of a mesh; the mesh is released in any case. */
pd_status sc_shape(pd_mesh *mesh, int closed, pd_shape *shape);

PD_END_DECLS

#endif
