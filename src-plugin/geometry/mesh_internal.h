/* SPDX-License-Identifier: MIT
 * What the mesh readers, the repair and the shapes share; not for users of the core. */
#ifndef PD_MESH_INTERNAL_H
#define PD_MESH_INTERNAL_H

#include <limits.h>

#include "geometry/mesh.h"

/* 3 nt half edges and 3 nt vertices of an STL file must fit an int */
#define PD_MESH_MAX (INT_MAX / 3)

/* the surface encloses nothing if its signed volume is below this fraction of the size of its
 * terms: that is what round-off leaves of a flat surface or of one that folds back onto itself */
#define PD_VOLUME_ROUNDOFF 1e-14

/* Root of a triangle in a union-find forest, with path halving. */
PD_KERNEL int pd_find_root(int *parent, int i)
{
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

/* a text in memory, cut into words; line is that of the last word, from 1 */
typedef struct pd_text {
  const char *next, *end;
  long line;
} pd_text;

/* a piece of a text, not terminated */
typedef struct pd_word {
  const char *s;
  size_t n;
} pd_word;

/* a mesh while it grows */
typedef struct pd_mesh_builder {
  pd_mesh mesh;
  int vroom, troom;
} pd_mesh_builder;

/* one side of a triangle: it joins the vertices lo < hi and is the side (side, side + 1) of tri */
typedef struct pd_half_edge {
  int lo, hi, tri, side;
} pd_half_edge;

PD_BEGIN_DECLS

/* Area of a triangle over the square of its longest edge, sqrt(3)/4 at best, and whether that is
 * too little for a normal. */
double pd_triangle_slenderness(const pd_mesh *mesh, int i);
int pd_triangle_is_thin(const pd_mesh *mesh, int i);

/* Keeps only vertices that a triangle uses, in their order. map: room for nv. */
void pd_mesh_drop_unused(pd_mesh *mesh, int *map);

/* Of a surface that need not be closed: leaves out triangles that are too thin, without which
 * nothing is lost, and those with the vertices of an earlier one, which would count against each
 * other in the weights of the contact set (contact/set/weights.c). source: nt, a number that goes
 * along with each triangle. Errors: PD_ENOMEM. */
pd_status pd_mesh_clean(pd_mesh *mesh, int *source, pd_mesh_report *report);

/* Where a vertex on a border lies within tol, over the diagonal of the box about the mesh, of a
 * border of another triangle, that one is divided there: borders that run along each other then
 * meet in common edges. No vertex moves, and none is added. A triangle that would leave one without
 * area stays. source: nt, as above, grows with the triangles. *divided grows by the number of
 * divisions. Errors: PD_ENOMEM. */
pd_status pd_mesh_divide(pd_mesh *mesh, int **source, double tol, int *divided);

/* Loads a whole file; *data gets a terminating zero beyond *size and is released with pd_free.
 * Errors: PD_EOPEN, PD_EREAD, PD_ENOMEM. */
pd_status pd_file_load(const char *path, char **data, size_t *size);

/* Starts a text at its first line, after a byte order mark if there is one. */
pd_text pd_text_begin(const char *data, size_t size);

/* Next word of the text, or of the current line only; an empty word at its end. */
pd_word pd_text_word(pd_text *text);
pd_word pd_text_word_in_line(pd_text *text);

void pd_text_skip_line(pd_text *text);

/* 1 if the word is the given one, in any case of letters */
int pd_word_is(pd_word word, const char *expected);

/* Value of a decimal number, the point being '.' in any locale.
 * Errors: PD_EFORMAT, PD_ENAN (nan, inf or overflow; *value is set all the same). */
pd_status pd_word_number(pd_word word, double *value);

/* Errors: PD_ENOMEM, also beyond PD_MESH_MAX. */
pd_status pd_builder_vertex(pd_mesh_builder *b, pd_vec3 v);
pd_status pd_builder_triangle(pd_mesh_builder *b, int i, int j, int k);

/* Readers of the formats; *mesh is written on success only. */
pd_status pd_read_stl_binary(const char *data, size_t size, pd_mesh *mesh, pd_fault *fault);
pd_status pd_read_stl_ascii(const char *data, size_t size, pd_mesh *mesh, pd_fault *fault);
pd_status pd_read_obj(const char *data, size_t size, pd_mesh *mesh, pd_fault *fault);

/* Records of a file whose size is exactly that of a binary STL with its record count, else -1. */
long long pd_stl_binary_records(const char *data, size_t size);

/* All 3 nt half edges sorted by (lo, hi, tri): those of one edge are neighbours. Release with
 * pd_free. Errors: PD_ENOMEM. */
pd_status pd_half_edges(const pd_mesh *mesh, pd_half_edge **half);

/* End of the run of half edges that share an edge with half[i]. */
int pd_half_edge_run(const pd_half_edge *half, int n, int i);

/* length of the diagonal of the box about all vertices */
double pd_mesh_diagonal(const pd_mesh *mesh);

/* Signed volume, length^3; *size gets the sum of the largest values its terms a . (b x c) / 6 could
 * have, |a| |b x c| / 6: round-off is in proportion to it. */
double pd_mesh_volume(const pd_mesh *mesh, double *size);

PD_END_DECLS

#endif
