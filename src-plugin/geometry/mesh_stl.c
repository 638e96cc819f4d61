/* SPDX-License-Identifier: MIT
 * STL. Normals are ignored: files in the wild hold zeros or nan there, and the vertices say it all.
 *
 * binary: 80 bytes of header, uint32 n, then n records of 12 float32 (normal, three vertices) and a
 * uint16, all little-endian. */
#include <stdint.h>
#include <string.h>

#include "geometry/mesh_internal.h"

#define HEADER 84
#define RECORD 50

static uint32_t little_u32(const char *p)
{
  const unsigned char *b = (const unsigned char *)p;
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double little_float(const char *p)
{
  const uint32_t bits = little_u32(p);
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

long long pd_stl_binary_records(const char *data, size_t size)
{
  if (size < HEADER) return -1;
  const uint64_t n = little_u32(data + 80);
  return (uint64_t)size == HEADER + RECORD * n ? (long long)n : -1;
}

/* Compares the size with the record count. A surplus smaller than a record is padding, which some
 * exporters leave; more means that the count is wrong. */
static pd_status check_size(const char *data, size_t size, pd_fault *fault)
{
  const uint64_t n = size < HEADER ? 0 : little_u32(data + 80);
  const uint64_t there = size < HEADER ? 0 : (size - HEADER) / RECORD;
  fault->line = (long)(there < n ? there : n) + 1;
  fault->item = fault->line - 1;
  if (size < HEADER || there < n) {
    fault->count = (long)(n - there);
    return PD_EREAD;
  }
  if (there > n) {
    fault->count = (long)(there - n);
    return PD_EFORMAT;
  }
  memset(fault, 0, sizeof *fault);
  return n == 0 ? PD_EEMPTY : n > PD_MESH_MAX ? PD_ENOMEM : PD_OK;
}

static pd_status read_record(const char *record, pd_mesh_builder *b)
{
  const int n = b->mesh.nv;
  for (int k = 0; k < 3; k++) {
    const char *p = record + 12 * (k + 1);
    const pd_vec3 v = pd_v(little_float(p), little_float(p + 4), little_float(p + 8));
    if (!isfinite(v.x) || !isfinite(v.y) || !isfinite(v.z)) return PD_ENAN;
    if (pd_builder_vertex(b, v)) return PD_ENOMEM;
  }
  return pd_builder_triangle(b, n, n + 1, n + 2);
}

pd_status pd_read_stl_binary(const char *data, size_t size, pd_mesh *mesh, pd_fault *fault)
{
  pd_mesh_builder b;
  memset(&b, 0, sizeof b);
  pd_status status = check_size(data, size, fault);
  if (status) return status;
  const long n = (long)little_u32(data + 80);
  for (long i = 0; i < n && !status; i++) {
    status = read_record(data + HEADER + (size_t)i * RECORD, &b);
    if (status == PD_ENAN) {
      fault->line = i + 1;
      fault->item = i;
      fault->count = 1;
      fault->value = NAN;
    }
  }
  if (status)
    pd_mesh_free(&b.mesh);
  else
    *mesh = b.mesh;
  return status;
}

/* The next word must be the given one; the text must not end before it. */
static pd_status expect(pd_text *text, const char *expected)
{
  const pd_word word = pd_text_word(text);
  if (word.n == 0) return PD_EREAD;
  return pd_word_is(word, expected) ? PD_OK : PD_EFORMAT;
}

/* Three numbers; *v is set also when one of them is not finite. */
static pd_status expect_vector(pd_text *text, pd_vec3 *v)
{
  double x[3];
  pd_status worst = PD_OK;
  for (int k = 0; k < 3; k++) {
    const pd_word word = pd_text_word(text);
    if (word.n == 0) return PD_EREAD;
    const pd_status status = pd_word_number(word, &x[k]);
    if (status == PD_EFORMAT) return status;
    if (status) worst = status;
  }
  *v = pd_v_load(x);
  return worst;
}

static pd_status read_vertex(pd_text *text, pd_mesh_builder *b)
{
  pd_vec3 v;
  pd_status status = expect(text, "vertex");
  if (!status) status = expect_vector(text, &v);
  if (!status) status = pd_builder_vertex(b, v);
  return status;
}

/* after the word "facet": normal x y z, outer loop, three vertices, endloop, endfacet */
static pd_status read_facet(pd_text *text, pd_mesh_builder *b)
{
  const int n = b->mesh.nv;
  pd_vec3 normal;
  pd_status status = expect(text, "normal");
  if (!status) status = expect_vector(text, &normal);
  if (status == PD_ENAN) status = PD_OK;
  if (!status) status = expect(text, "outer");
  if (!status) status = expect(text, "loop");
  for (int k = 0; k < 3 && !status; k++) status = read_vertex(text, b);
  if (!status) status = expect(text, "endloop");
  if (!status) status = expect(text, "endfacet");
  if (!status) status = pd_builder_triangle(b, n, n + 1, n + 2);
  return status;
}

/* after the word "solid": a name to the end of the line, facets, endsolid and again a name */
static pd_status read_solid(pd_text *text, pd_mesh_builder *b)
{
  pd_text_skip_line(text);
  for (;;) {
    const pd_word word = pd_text_word(text);
    if (word.n == 0) return PD_EREAD;
    if (pd_word_is(word, "endsolid")) break;
    const pd_status status = pd_word_is(word, "facet") ? read_facet(text, b) : PD_EFORMAT;
    if (status) return status;
  }
  pd_text_skip_line(text);
  return PD_OK;
}

pd_status pd_read_stl_ascii(const char *data, size_t size, pd_mesh *mesh, pd_fault *fault)
{
  pd_mesh_builder b;
  pd_text text = pd_text_begin(data, size);
  pd_status status = PD_OK;
  memset(&b, 0, sizeof b);
  pd_word word = pd_text_word(&text);
  while (word.n > 0 && !status) {
    status = pd_word_is(word, "solid") ? read_solid(&text, &b) : PD_EFORMAT;
    if (!status) word = pd_text_word(&text);
  }
  if (status && status != PD_ENOMEM) {
    fault->line = text.line;
    fault->item = b.mesh.nt;
    fault->count = 1;
    fault->value = status == PD_ENAN ? NAN : 0.0;
  } else if (!status && b.mesh.nt == 0) {
    status = PD_EEMPTY;
  }
  if (status)
    pd_mesh_free(&b.mesh);
  else
    *mesh = b.mesh;
  return status;
}
