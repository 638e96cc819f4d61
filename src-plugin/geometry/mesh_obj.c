/* SPDX-License-Identifier: MIT
 * Wavefront OBJ: vertices (v) and faces (f); everything else is passed over. */
#include <limits.h>
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "geometry/mesh_internal.h"
#include "geometry/polygon.h"

/* a face with more than three corners: the triangles first .. first + n - 2 of the mesh, to begin
 * with the fan of its corners */
typedef struct obj_polygon {
  int first, n;
  long line;
} obj_polygon;

typedef struct obj_reader {
  pd_text text;
  pd_mesh_builder b;
  int total; /* vertices in the whole file: faces may refer to later ones */
  int npolygons, room;
  obj_polygon *polygon;
} obj_reader;

/* room at first, of polygons */
enum { FIRST = 64 };

static int is_comment(pd_word word) { return word.n > 0 && word.s[0] == '#'; }

static int count_vertices(const char *data, size_t size)
{
  pd_text text = pd_text_begin(data, size);
  int n = 0;
  while (text.next < text.end) {
    if (pd_word_is(pd_text_word_in_line(&text), "v") && n < PD_MESH_MAX) n++;
    pd_text_skip_line(&text);
  }
  return n;
}

/* v x y z; a weight or a colour may follow */
static pd_status read_vertex(obj_reader *r)
{
  double x[3];
  pd_status worst = PD_OK;
  for (int k = 0; k < 3; k++) {
    const pd_status status = pd_word_number(pd_text_word_in_line(&r->text), &x[k]);
    if (status == PD_EFORMAT) return status;
    if (status) worst = status;
  }
  return worst ? worst : pd_builder_vertex(&r->b, pd_v_load(x));
}

/* Length of the integer at the start of the word, 0 if there is none; beyond int it saturates. */
static size_t parse_int(pd_word word, long long *value)
{
  const int negative = word.n > 0 && word.s[0] == '-';
  size_t i = negative || (word.n > 0 && word.s[0] == '+') ? 1 : 0;
  const size_t digits = i;
  *value = 0;
  for (; i < word.n && word.s[i] >= '0' && word.s[i] <= '9'; i++)
    if (*value <= INT_MAX) *value = 10 * *value + (word.s[i] - '0');
  if (negative) *value = -*value;
  return i > digits ? i : 0;
}

/* i, i/j, i//k or i/j/k: only i counts, the rest must look like indices */
static pd_status read_corner(const obj_reader *r, pd_word word, int *vertex, pd_fault *fault)
{
  long long i;
  const size_t n = parse_int(word, &i);
  if (n == 0) return PD_EFORMAT;
  for (size_t k = n; k < word.n; k++)
    if (!memchr("0123456789-/", word.s[k], 12) || word.s[n] != '/') return PD_EFORMAT;
  /* from 1, or from -1 backwards over the vertices so far */
  const long long index = i > 0 ? i - 1 : i + r->b.mesh.nv;
  if (i == 0 || index < 0 || index >= r->total) {
    fault->value = (double)i;
    return PD_EINDEX;
  }
  *vertex = (int)index;
  return PD_OK;
}

static pd_status note_polygon(obj_reader *r, int n)
{
  if (PD_ARRAY_RESERVE(r->polygon, r->room, r->npolygons + 1, FIRST)) return PD_ENOMEM;
  obj_polygon *p = &r->polygon[r->npolygons++];
  p->first = r->b.mesh.nt - (n - 2);
  p->n = n;
  p->line = r->text.line;
  return PD_OK;
}

/* f a b c ...: the fan (a, b, c), (a, c, d), ..., until all vertices are known */
static pd_status read_face(obj_reader *r, pd_fault *fault)
{
  int first = 0, last = 0, vertex, n = 0;
  for (;; n++) {
    const pd_word word = pd_text_word_in_line(&r->text);
    if (word.n == 0 || is_comment(word)) break;
    pd_status status = read_corner(r, word, &vertex, fault);
    if (!status && n >= 2) status = pd_builder_triangle(&r->b, first, last, vertex);
    if (status) return status;
    if (n == 0) first = vertex;
    last = vertex;
  }
  if (n < 3) return PD_EFORMAT;
  return n == 3 ? PD_OK : note_polygon(r, n);
}

static pd_status read_lines(obj_reader *r, pd_fault *fault)
{
  while (r->text.next < r->text.end) {
    pd_status status = PD_OK;
    const pd_word word = pd_text_word_in_line(&r->text);
    if (pd_word_is(word, "v"))
      status = read_vertex(r);
    else if (pd_word_is(word, "f"))
      status = read_face(r, fault);
    if (status) return status;
    pd_text_skip_line(&r->text);
  }
  return r->b.mesh.nt > 0 ? PD_OK : PD_EEMPTY;
}

/* corner k of a fan that begins at triangle t */
static int fan_corner(const int (*t)[3], int k) { return k < 2 ? t[0][k] : t[k - 2][2]; }

/* Replaces the fan of a polygon by triangles that do not overlap. x, corner, t have room for all
 * its corners. */
static pd_status triangulate(const pd_mesh *mesh, const obj_polygon *p, pd_vec3 *x, int *corner,
                             int (*t)[3], double *value)
{
  int(*fan)[3] = mesh->t + p->first;
  for (int k = 0; k < p->n; k++) {
    corner[k] = fan_corner((const int(*)[3])fan, k);
    x[k] = mesh->v[corner[k]];
  }
  const pd_status status = pd_polygon_triangulate(p->n, x, t, value);
  for (int i = 0; i < p->n - 2 && !status; i++)
    for (int k = 0; k < 3; k++) fan[i][k] = corner[t[i][k]];
  return status;
}

static pd_status triangulate_polygons(obj_reader *r, pd_fault *fault)
{
  int most = 3;
  for (int i = 0; i < r->npolygons; i++)
    if (r->polygon[i].n > most) most = r->polygon[i].n;
  pd_vec3 *x = pd_alloc_array((size_t)most, sizeof *x);
  int *corner = pd_alloc_array((size_t)most, sizeof *corner);
  int(*t)[3] = pd_alloc_array((size_t)most, sizeof *t);
  pd_status status = x && corner && t ? PD_OK : PD_ENOMEM;
  for (int i = 0; i < r->npolygons && !status; i++) {
    const obj_polygon *p = &r->polygon[i];
    status = triangulate(&r->b.mesh, p, x, corner, t, &fault->value);
    fault->line = status ? p->line : 0;
    fault->item = status ? p->first : 0;
    fault->count = status != PD_OK;
  }
  pd_free(x);
  pd_free(corner);
  pd_free(t);
  return status;
}

static void locate(const obj_reader *r, pd_status status, pd_fault *fault)
{
  if (status == PD_ENOMEM || status == PD_EEMPTY) return;
  fault->line = r->text.line;
  fault->item = r->b.mesh.nt;
  fault->count = 1;
  if (status == PD_ENAN) fault->value = NAN;
}

pd_status pd_read_obj(const char *data, size_t size, pd_mesh *mesh, pd_fault *fault)
{
  obj_reader r;
  memset(&r, 0, sizeof r);
  r.text = pd_text_begin(data, size);
  r.total = count_vertices(data, size);
  pd_status status = read_lines(&r, fault);
  if (status)
    locate(&r, status, fault);
  else
    status = triangulate_polygons(&r, fault);
  pd_free(r.polygon);
  if (status)
    pd_mesh_free(&r.b.mesh);
  else
    *mesh = r.b.mesh;
  return status;
}
