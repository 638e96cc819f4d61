/* SPDX-License-Identifier: MIT
 * Mesh files, every error with its place, welding and orientation repair. */
#define _XOPEN_SOURCE 700 /* mkdtemp */

#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "geometry/mass.h"
#include "geometry/mesh.h"
#include "geometry/mesh_internal.h"
#include "shapes.h"

/* ---------------------------------------------------------------------- files */

static char directory[] = "/tmp/pd_test_mesh_XXXXXX";

static int make_directory(void **state)
{
  (void)state;
  return mkdtemp(directory) == NULL;
}

static int remove_directory(void **state)
{
  (void)state;
  return rmdir(directory);
}

/* Path of a file of that name in the directory; valid until the next call. */
static const char *path_of(const char *name)
{
  static char path[256];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  return path;
}

static void write_bytes(const char *name, const char *data, size_t size)
{
  FILE *file = fopen(path_of(name), "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(data, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
}

/* Reads a file that holds these bytes. */
static pd_status read_bytes(const char *name, const char *data, size_t size, pd_mesh *mesh,
                            pd_fault *fault)
{
  write_bytes(name, data, size);
  const pd_status status = pd_mesh_read(path_of(name), mesh, fault);
  remove(path_of(name));
  if (status) assert_true(mesh->v == NULL && mesh->t == NULL);
  return status;
}

static pd_status read_text(const char *name, const char *text, pd_mesh *mesh, pd_fault *fault)
{
  return read_bytes(name, text, strlen(text), mesh, fault);
}

/* a text or a binary file under construction */
typedef struct buffer {
  char data[65536];
  size_t n;
} buffer;

static void put(buffer *b, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  b->n += (size_t)vsnprintf(b->data + b->n, sizeof b->data - b->n, format, args);
  va_end(args);
  assert_true(b->n < sizeof b->data);
}

static void put_u32(buffer *b, uint32_t x)
{
  for (int k = 0; k < 4; k++) b->data[b->n++] = (char)(x >> 8 * k & 255);
}

static void put_float(buffer *b, double x)
{
  const float f = (float)x;
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  put_u32(b, bits);
}

static void put_vector(buffer *b, pd_vec3 v)
{
  put_float(b, v.x);
  put_float(b, v.y);
  put_float(b, v.z);
}

static void put_stl_binary(buffer *b, const pd_mesh *mesh, const char *header)
{
  b->n = 80;
  memset(b->data, ' ', b->n);
  memcpy(b->data, header, strlen(header));
  put_u32(b, (uint32_t)mesh->nt);
  for (int i = 0; i < mesh->nt; i++) {
    put_vector(b, pd_v(0, 0, 0));
    for (int k = 0; k < 3; k++) put_vector(b, mesh->v[mesh->t[i][k]]);
    b->data[b->n++] = 0;
    b->data[b->n++] = 0;
  }
}

static void put_stl_ascii(buffer *b, const pd_mesh *mesh, int first, int end)
{
  put(b, "solid some body, facet vertex\n");
  for (int i = first; i < end; i++) {
    put(b, " facet normal 0 0 nan\n  outer loop\n");
    for (int k = 0; k < 3; k++) {
      const pd_vec3 v = mesh->v[mesh->t[i][k]];
      put(b, "   vertex %.17g %.17g %.17g\n", v.x, v.y, v.z);
    }
    put(b, "  endloop\n endfacet\n");
  }
  put(b, "endsolid some body\n");
}

static void put_obj(buffer *b, const pd_mesh *mesh)
{
  put(b, "# a comment\nmtllib x.mtl\no body\n");
  for (int i = 0; i < mesh->nv; i++)
    put(b, "v %.17g %.17g %.17g\n", mesh->v[i].x, mesh->v[i].y, mesh->v[i].z);
  put(b, "vn 0 0 1\nvt 0 0\ns off\n");
  for (int i = 0; i < mesh->nt; i++)
    put(b, "f %d %d %d\n", mesh->t[i][0] + 1, mesh->t[i][1] + 1, mesh->t[i][2] + 1);
}

/* Replaces each line feed by another line end. */
static void change_line_ends(buffer *b, const char *end)
{
  static buffer copy;
  copy = *b;
  b->n = 0;
  for (size_t i = 0; i < copy.n; i++)
    if (copy.data[i] == '\n')
      put(b, "%s", end);
    else
      b->data[b->n++] = copy.data[i];
}

/* ---------------------------------------------------------------------- comparison */

/* The triangles of both meshes have the same corners in the same order, exactly. */
static void check_same_triangles(const pd_mesh *a, const pd_mesh *b)
{
  assert_int_equal(a->nt, b->nt);
  for (int i = 0; i < a->nt; i++)
    for (int k = 0; k < 3; k++)
      assert_memory_equal(&a->v[a->t[i][k]], &b->v[b->t[i][k]], sizeof *a->v);
}

/* 1 if both triangles have the same vertices in the same cyclic order */
static int same_cycle(const int *a, const int *b)
{
  for (int k = 0; k < 3; k++)
    if (a[0] == b[k] && a[1] == b[(k + 1) % 3] && a[2] == b[(k + 2) % 3]) return 1;
  return 0;
}

/* Through memory: with -O2 -fsanitize=undefined (or address) GCC 12's vectorizer of basic blocks
 * drops the conversions of neighbouring members to float and back. */
static double rounded(double x)
{
  volatile float y = (float)x;
  return y;
}

static void round_to_float(pd_mesh *mesh)
{
  for (int i = 0; i < mesh->nv; i++)
    mesh->v[i] = pd_v(rounded(mesh->v[i].x), rounded(mesh->v[i].y), rounded(mesh->v[i].z));
}

/* Reads the buffer back: the triangles of the mesh, and after the repair also its size. */
static void check_round_trip(const char *name, const buffer *b, const pd_mesh *mesh, int vertices)
{
  pd_mesh got;
  pd_fault fault;
  pd_mesh_report report;
  check_ok(read_bytes(name, b->data, b->n, &got, &fault));
  assert_int_equal(got.nv, vertices);
  check_same_triangles(&got, mesh);
  check_ok(pd_mesh_repair(&got, 1e-9, 1, &report, &fault));
  check_same_triangles(&got, mesh);
  assert_int_equal(got.nv, mesh->nv);
  assert_int_equal(report.welded, vertices - mesh->nv);
  assert_int_equal(report.dropped + report.flipped + report.borders + report.inverted, 0);
  assert_int_equal(report.parts, 1);
  pd_mesh_free(&got);
}

/* ---------------------------------------------------------------------- reading */

static void make_tetrapod(pd_mesh *mesh)
{
  check_ok(sc_tetrapod(1.0, 0.4, 0.7, mesh));
  sc_move(mesh, pd_q_normalize(pd_q(1, 2, 3, 4)), pd_v(0.1, 0.2, -5.0 / 3.0));
}

static void test_stl_binary(void **state)
{
  (void)state;
  static const char *const headers[3] = {"made by a test", "solid body\nfacet normal", "COLOR="};
  static buffer b;
  pd_mesh mesh;
  make_tetrapod(&mesh);
  round_to_float(&mesh);
  for (int k = 0; k < 3; k++) {
    put_stl_binary(&b, &mesh, headers[k]);
    check_round_trip("a.stl", &b, &mesh, 84);
    check_round_trip("a.obj", &b, &mesh, 84);
    /* two bytes of padding */
    put(&b, "%s", "\n\n");
    check_round_trip("a.stl", &b, &mesh, 84);
  }
  pd_mesh_free(&mesh);
}

static void test_stl_ascii(void **state)
{
  (void)state;
  static const char *const ends[3] = {"\n", "\r\n", "\r"};
  static buffer b;
  pd_mesh mesh;
  make_tetrapod(&mesh);
  for (int k = 0; k < 3; k++) {
    b.n = 0;
    put_stl_ascii(&b, &mesh, 0, mesh.nt);
    change_line_ends(&b, ends[k]);
    check_round_trip("a.stl", &b, &mesh, 84);
  }
  /* two solids, the first without triangles, after a byte order mark; any name of the file */
  b.n = 0;
  put(&b, "\xEF\xBB\xBF");
  put_stl_ascii(&b, &mesh, 0, 0);
  put_stl_ascii(&b, &mesh, 0, mesh.nt);
  check_round_trip("a.txt", &b, &mesh, 84);
  pd_mesh_free(&mesh);
}

static void test_stl_ascii_upper_case(void **state)
{
  (void)state;
  pd_mesh mesh;
  check_ok(read_text("a.stl",
                     "SOLID\nFACET NORMAL 0 0 1 OUTER LOOP VERTEX 0 0 0\nVertex 1 .5 +1E-2 VERTEX"
                     " -1. 1 0\nENDLOOP\nENDFACET\nENDSOLID",
                     &mesh, NULL));
  assert_int_equal(mesh.nt, 1);
  check_near(mesh.v[1].y, 0.5, 0.0);
  check_near(mesh.v[1].z, 0.01, 0.0);
  check_near(mesh.v[2].x, -1.0, 0.0);
  pd_mesh_free(&mesh);
}

static void test_obj(void **state)
{
  (void)state;
  static const char *const ends[3] = {"\n", "\r\n", "\r"};
  static buffer b;
  pd_mesh mesh;
  make_tetrapod(&mesh);
  for (int k = 0; k < 3; k++) {
    b.n = 0;
    put_obj(&b, &mesh);
    change_line_ends(&b, ends[k]);
    check_round_trip("a.obj", &b, &mesh, 16);
    check_round_trip("A.OBJ", &b, &mesh, 16);
  }
  pd_mesh_free(&mesh);
}

/* a unit square pyramid in all the ways OBJ has to say it */
static void test_obj_forms(void **state)
{
  (void)state;
  static const int expected[6][3] = {{0, 3, 2}, {0, 2, 1}, {0, 1, 4},
                                     {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};
  static const char text[] = "v 0 0 0 1.0\n"
                             "v 1 0 0 0.5 0.5 0.5\n"
                             "  v\t1 1 0   # a colour may follow\n"
                             "v 0 \\\n 1 0\n"
                             "f -4 -1 -2 -3\n"
                             "f 1/1 2/2 5/3\n"
                             "f 2//1 3//1 \\\n  5//1 # top\n"
                             "f 3/1/1 4/-2/1\\\n5/3/1\n"
                             "l 1 2\nusemtl stone\n"
                             "v 0.5 0.5 1\n"
                             "f 4 1 -1";
  pd_mesh mesh;
  pd_fault fault;
  check_ok(read_text("a.obj", text, &mesh, &fault));
  assert_int_equal(mesh.nv, 5);
  assert_int_equal(mesh.nt, 6);
  assert_memory_equal(mesh.t, expected, sizeof expected);
  check_near(mesh.v[3].y, 1.0, 0.0);
  check_ok(pd_mesh_repair(&mesh, 0.0, 1, NULL, NULL));
  pd_mesh_free(&mesh);
}

/* The prism over an L whose caps begin at any of their corners: the solid of volume 3 and its
 * centre, whatever the repair thinks of fans. Corners stand in the file after the faces. */
static void test_obj_concave(void **state)
{
  (void)state;
  static const char vertices[] = "v 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nv 0 0 0\nv 2 0 0\n"
                                 "v 2 1 1\nv 1 1 1\nv 1 2 1\nv 0 2 1\nv 0 0 1\nv 2 0 1\n";
  for (int start = 0; start < 36; start++) {
    char text[1000] = "";
    int n = 0;
    n += sprintf(text + n, "f");
    for (int i = 0; i < 6; i++) n += sprintf(text + n, " %d", 6 - (start + i) % 6);
    n += sprintf(text + n, "\nf");
    for (int i = 0; i < 6; i++) n += sprintf(text + n, " %d", 7 + (start / 6 + i) % 6);
    for (int i = 0; i < 6; i++)
      n += sprintf(text + n, "\nf %d %d %d %d", i + 1, (i + 1) % 6 + 1, (i + 1) % 6 + 7, i + 7);
    sprintf(text + n, "\n%s", vertices);
    pd_mesh mesh;
    pd_mass mass;
    check_ok(read_text("a.obj", text, &mesh, NULL));
    assert_int_equal(mesh.nt, 20);
    check_ok(pd_mesh_repair(&mesh, 0.0, 1, NULL, NULL));
    check_ok(pd_mass_properties(&mesh, &mass));
    check_near(mass.volume, 3.0, 1e-14);
    check_near(mass.center.x, 5.0 / 6.0, 1e-14);
    check_near(mass.center.y, 5.0 / 6.0, 1e-14);
    pd_mesh_free(&mesh);
  }
}

/* In a locale with a decimal comma, if there is one here, numbers are read as in any other. */
static void test_locale(void **state)
{
  (void)state;
  static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE",      "fr_FR.UTF-8",
                                      "fr_FR.utf8",  "fr_FR",      "pt_BR.UTF-8"};
  const char *set = NULL;
  for (size_t i = 0; !set && i < sizeof names / sizeof *names; i++)
    set = setlocale(LC_NUMERIC, names[i]);
  if (!set) skip();
  pd_mesh mesh;
  pd_fault fault;
  const pd_status good =
      read_text("a.obj", "v 1.5 0 0\nv 0 2.25e1 0\nv 0 0 1\nf 1 2 3", &mesh, &fault);
  const double x = good ? 0.0 : mesh.v[0].x, y = good ? 0.0 : mesh.v[1].y;
  if (!good) pd_mesh_free(&mesh);
  const pd_status comma = read_text("a.obj", "v 1,5 0 0\n", &mesh, &fault);
  setlocale(LC_NUMERIC, "C");
  check_ok(good);
  check_near(x, 1.5, 0.0);
  check_near(y, 22.5, 0.0);
  check_status(comma, PD_EFORMAT);
}

/* ---------------------------------------------------------------------- errors of reading */

typedef struct bad_text {
  const char *text;
  pd_status status;
  long line, item;
} bad_text;

static void check_bad_texts(const char *name, const bad_text *bad, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    pd_mesh mesh;
    pd_fault fault;
    check_status(read_text(name, bad[i].text, &mesh, &fault), bad[i].status);
    if (fault.line != bad[i].line || fault.item != bad[i].item)
      print_error("text %zu: line %ld, item %ld\n", i, fault.line, fault.item);
    assert_int_equal(fault.line, bad[i].line);
    assert_int_equal(fault.item, bad[i].item);
    check_status(read_text(name, bad[i].text, &mesh, NULL), bad[i].status);
  }
}

#define FACET(x, y, z)                                                                             \
  "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex " x " " y " " z              \
  "\nendloop\nendfacet\n"

static void test_bad_ascii_stl(void **state)
{
  (void)state;
  static const bad_text bad[] = {
      {"", PD_EEMPTY, 0, 0},
      {" \n\n", PD_EEMPTY, 0, 0},
      {"solid nothing\nendsolid nothing\n", PD_EEMPTY, 0, 0},
      {"hello\n", PD_EFORMAT, 1, 0},
      {"solid\nfacett\n", PD_EFORMAT, 2, 0},
      {"solid\n" FACET("0", "1", "0"), PD_EREAD, 9, 1},
      {"solid\n" FACET("0", "1", "0") "facet normal 0 0", PD_EREAD, 9, 1},
      {"solid\n" FACET("0", "1", "0") "facet normal 0 0 1\nouter loop\nvertex 1", PD_EREAD, 11, 1},
      {"solid\n" FACET("0", "x", "0") "endsolid", PD_EFORMAT, 6, 0},
      {"solid\n" FACET("0", "1", "0") FACET("0", "0x10", "0") "endsolid", PD_EFORMAT, 13, 1},
      {"solid\n" FACET("0", "1.2.3", "0") "endsolid", PD_EFORMAT, 6, 0},
      {"solid\n" FACET("0", "1e", "0") "endsolid", PD_EFORMAT, 6, 0},
      {"solid\n" FACET("0", "1,5", "0") "endsolid", PD_EFORMAT, 6, 0},
      {"solid\n" FACET("0", "1", "0 0") "endsolid", PD_EFORMAT, 6, 0},
      {"solid\n" FACET("0", "1", "0") FACET("nan", "1", "0") "endsolid", PD_ENAN, 13, 1},
      {"solid\n" FACET("0", "-inf", "0") "endsolid", PD_ENAN, 6, 0},
      {"solid\n" FACET("0", "-nan(ind)", "0") "endsolid", PD_ENAN, 6, 0},
      {"solid\n" FACET("0", "1.#QNAN", "0") "endsolid", PD_ENAN, 6, 0},
      {"solid\n" FACET("0", "1e999", "0") "endsolid", PD_ENAN, 6, 0},
      {"solid\n" FACET("0", "1", "0") "endsolid\nsolid b\n", PD_EREAD, 11, 1},
      {"solid\n" FACET("0", "1", "0") "endsolid\nrubbish\n", PD_EFORMAT, 10, 1},
  };
  check_bad_texts("a.stl", bad, sizeof bad / sizeof *bad);
}

#define SQUARE "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"

static void test_bad_obj(void **state)
{
  (void)state;
  static const bad_text bad[] = {
      {"", PD_EEMPTY, 0, 0},
      {SQUARE, PD_EEMPTY, 0, 0},
      {"# nothing", PD_EEMPTY, 0, 0},
      {SQUARE "f 1 2\n", PD_EFORMAT, 5, 0},
      {SQUARE "f 1 2 3\nf 1 2 x\n", PD_EFORMAT, 6, 1},
      {SQUARE "f 1 2 3/a\n", PD_EFORMAT, 5, 0},
      {SQUARE "f 1 2 3a\n", PD_EFORMAT, 5, 0},
      {SQUARE "f 1 2 - \n", PD_EFORMAT, 5, 0},
      {SQUARE "f 1 2 3\nf 1 2 5\n", PD_EINDEX, 6, 1},
      {SQUARE "f 1 2 0\n", PD_EINDEX, 5, 0},
      {SQUARE "f 1 2 -5\n", PD_EINDEX, 5, 0},
      {SQUARE "f 1 2 99999999999999999999\n", PD_EINDEX, 5, 0},
      {SQUARE "v 0 0\nf 1 2 3\n", PD_EFORMAT, 5, 0},
      {SQUARE "v 0 0 zero\n", PD_EFORMAT, 5, 0},
      {SQUARE "v 0 \\\n0\nf 1 2 3\n", PD_EFORMAT, 6, 0},
      {SQUARE "v 0 NaN 0\nf 1 2 3\n", PD_ENAN, 5, 0},
      {SQUARE "f 1 2 3 4\nv 0 0 Infinity\n", PD_ENAN, 6, 2},
      {SQUARE "f 1 2 3 4\nf 1 3 2 4\n", PD_ECROSSED, 6, 2},
      {SQUARE "f 1 5 3 6\nv 1 0 1.2\nv 0 1 1.2\n", PD_EWARPED, 5, 0},
  };
  check_bad_texts("a.obj", bad, sizeof bad / sizeof *bad);
}

static void test_index_in_fault(void **state)
{
  (void)state;
  pd_mesh mesh;
  pd_fault fault;
  check_status(read_text("a.obj", SQUARE "f 1 2 -7\n", &mesh, &fault), PD_EINDEX);
  check_near(fault.value, -7.0, 0.0);
}

static void check_bad_binary(const buffer *b, pd_status status, long line, long item, long count)
{
  pd_mesh mesh;
  pd_fault fault;
  check_status(read_bytes("a.stl", b->data, b->n, &mesh, &fault), status);
  assert_int_equal(fault.line, line);
  assert_int_equal(fault.item, item);
  assert_int_equal(fault.count, count);
}

static void test_bad_binary_stl(void **state)
{
  (void)state;
  static buffer b;
  pd_mesh mesh;
  make_tetrapod(&mesh);
  for (int k = 0; k < 2; k++) {
    const char *header = k ? "solid" : "test";
    put_stl_binary(&b, &mesh, header);
    b.n -= 1;
    check_bad_binary(&b, PD_EREAD, 28, 27, 1);
    b.n = 84 + 10 * 50;
    check_bad_binary(&b, PD_EREAD, 11, 10, 18);
    b.n = 84;
    check_bad_binary(&b, PD_EREAD, 1, 0, 28);
    /* one record too many */
    put_stl_binary(&b, &mesh, header);
    b.data[80] -= 1;
    check_bad_binary(&b, PD_EFORMAT, 28, 27, 1);
    memset(b.data + 80, 0, 4);
    b.n = 84;
    check_bad_binary(&b, PD_EEMPTY, 0, 0, 0);
  }
  /* shorter than a header */
  memset(b.data, 0, 60);
  b.n = 60;
  check_bad_binary(&b, PD_EREAD, 1, 0, 0);
  /* the end of the second leg, first used by its triangle */
  mesh.v[7].y = NAN;
  put_stl_binary(&b, &mesh, "test");
  check_bad_binary(&b, PD_ENAN, 8, 7, 1);
  mesh.v[7].y = 1e300; /* infinite as a float */
  put_stl_binary(&b, &mesh, "test");
  check_bad_binary(&b, PD_ENAN, 8, 7, 1);
  pd_mesh_free(&mesh);
}

static void test_no_file(void **state)
{
  (void)state;
  pd_mesh mesh;
  pd_fault fault;
  check_status(pd_mesh_read(path_of("missing.stl"), &mesh, &fault), PD_EOPEN);
  check_status(pd_mesh_read(path_of("missing.stl"), &mesh, NULL), PD_EOPEN);
  check_status(pd_mesh_read(directory, &mesh, &fault), PD_EREAD);
  pd_mesh_free(&mesh);
}

/* 20,000 triangles about each of two apexes: 120,000 vertices of which 20,000 are one, longer than
 * one read */
static void test_large_file(void **state)
{
  (void)state;
  enum { N = 20000 };
  const double pi = 3.14159265358979323846;
  const size_t size = 84 + 50 * (size_t)(2 * N);
  buffer *b = malloc(sizeof *b);
  char *data = malloc(size);
  memset(data, 0, size);
  b->n = 0;
  put_u32(b, 2 * N);
  memcpy(data + 80, b->data, 4);
  for (int i = 0; i < 2 * N; i++) {
    /* upper and lower cone over the same circle */
    const int j = i / 2, up = i % 2;
    const double p = 2 * pi * j / N, q = 2 * pi * ((j + 1) % N) / N;
    b->n = 0;
    put_vector(b, pd_v(0, 0, up ? 1 : -1));
    put_vector(b, up ? pd_v(cos(p), sin(p), 0) : pd_v(cos(q), sin(q), 0));
    put_vector(b, up ? pd_v(cos(q), sin(q), 0) : pd_v(cos(p), sin(p), 0));
    memcpy(data + 84 + 50 * (size_t)i + 12, b->data, 36);
  }
  pd_mesh mesh;
  pd_fault fault;
  pd_mesh_report report;
  check_ok(read_bytes("a.stl", data, size, &mesh, &fault));
  check_ok(pd_mesh_repair(&mesh, 1e-9, 1, &report, &fault));
  assert_int_equal(mesh.nv, N + 2);
  assert_int_equal(report.flipped + report.inverted, 0);
  pd_mesh_free(&mesh);
  free(data);
  free(b);
}

/* ---------------------------------------------------------------------- creation */

static void test_create(void **state)
{
  (void)state;
  const pd_vec3 v[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, bad[1] = {{0, NAN, 0}};
  const int t[1][3] = {{0, 1, 2}}, high[1][3] = {{0, 1, 3}}, low[1][3] = {{0, -1, 2}};
  pd_mesh mesh;
  check_ok(pd_mesh_create(3, v, 1, t, &mesh));
  pd_mesh_free(&mesh);
  pd_mesh_free(&mesh);
  check_ok(pd_mesh_create(0, NULL, 0, NULL, &mesh));
  pd_mesh_free(&mesh);
  check_status(pd_mesh_create(3, v, 1, high, &mesh), PD_EINDEX);
  check_status(pd_mesh_create(3, v, 1, low, &mesh), PD_EINDEX);
  check_status(pd_mesh_create(1, bad, 0, NULL, &mesh), PD_ENAN);
  check_status(pd_mesh_create(-1, v, 1, t, &mesh), PD_ERANGE);
  check_status(pd_mesh_create(3, v, INT32_MAX, t, &mesh), PD_ERANGE);
  assert_null(mesh.v);
}

/* ---------------------------------------------------------------------- welding */

/* A soup of triangles, each vertex of the mesh shifted by up to r in each coordinate. */
static void make_soup(const pd_mesh *mesh, double r, sc_random *random, pd_mesh *soup)
{
  pd_vec3 *v = malloc(3 * (size_t)mesh->nt * sizeof *v);
  int(*t)[3] = malloc((size_t)mesh->nt * sizeof *t);
  for (int i = 0; i < 3 * mesh->nt; i++) {
    const pd_vec3 d =
        pd_v(sc_uniform(random, -r, r), sc_uniform(random, -r, r), sc_uniform(random, -r, r));
    v[i] = pd_add(mesh->v[mesh->t[i / 3][i % 3]], d);
    t[i / 3][i % 3] = i;
  }
  check_ok(pd_mesh_create(3 * mesh->nt, v, mesh->nt, (const int(*)[3])t, soup));
  free(v);
  free(t);
}

static void test_weld_tolerance(void **state)
{
  (void)state;
  sc_random random = {1};
  pd_mesh mesh, soup;
  pd_mesh_report report;
  pd_fault fault;
  check_ok(sc_box(1, 1, 1, &mesh));
  for (int round = 0; round < 200; round++) {
    /* copies at most 2 sqrt(3) 1e-4 apart, diagonal 1.7: within 1e-3, beyond 1e-6 of it */
    sc_move(&mesh, sc_rotation(&random), pd_v(0.1, 0.2, 0.3));
    make_soup(&mesh, 1e-4, &random, &soup);
    check_status(pd_mesh_repair(&soup, 1e-6, 1, &report, &fault), PD_EOPENSURFACE);
    assert_int_equal(soup.nv, 36);
    check_ok(pd_mesh_repair(&soup, 1e-3, 1, &report, &fault));
    assert_int_equal(soup.nv, 8);
    assert_int_equal(report.welded, 28);
    pd_mesh_free(&soup);
  }
  pd_mesh_free(&mesh);
}

static void test_weld_equal_only(void **state)
{
  (void)state;
  sc_random random = {2};
  pd_mesh mesh, soup;
  pd_mesh_report report;
  check_ok(sc_box(1, 1, 1, &mesh));
  make_soup(&mesh, 0.0, &random, &soup);
  /* minus zero is zero, the next number is another */
  for (int i = 0; i < soup.nv; i++)
    if (soup.v[i].x < 0.0) soup.v[i].x = i % 2 ? 0.0 : -0.0;
  check_ok(pd_mesh_repair(&soup, 0.0, 1, &report, NULL));
  assert_int_equal(soup.nv, 8);
  pd_mesh_free(&soup);
  make_soup(&mesh, 0.0, &random, &soup);
  soup.v[0].x = nextafter(soup.v[0].x, 1.0);
  check_status(pd_mesh_repair(&soup, 0.0, 1, &report, NULL), PD_EOPENSURFACE);
  assert_int_equal(report.borders, 4);
  assert_int_equal(report.welded, 36 - 9);
  pd_mesh_free(&soup);
  pd_mesh_free(&mesh);
}

/* The rule by brute force: each vertex is merged with the nearest kept one within r, or is kept. */
static int weld_by_brute_force(const pd_mesh *mesh, double r, pd_vec3 *kept, int *map)
{
  int n = 0;
  for (int i = 0; i < mesh->nv; i++) {
    int best = -1;
    double best2 = r * r;
    for (int k = 0; k < n; k++) {
      const double d2 = pd_norm2(pd_sub(kept[k], mesh->v[i]));
      if (d2 > best2 || (d2 == best2 && best >= 0)) continue;
      best = k;
      best2 = d2;
    }
    if (best < 0) kept[best = n++] = mesh->v[i];
    map[i] = best;
  }
  return n;
}

/* Random points in a slab, dense enough that many are nearer than the radius over a cell's border.
 */
static void test_weld_against_brute_force(void **state)
{
  (void)state;
  enum { N = 900 };
  sc_random random = {3};
  int merged = 0, kept_apart = 0, compared = 0;
  for (int round = 0; round < 40; round++) {
    pd_vec3 v[N], kept[N];
    int t[N / 3][3], map[N];
    const double shift = round % 2 ? 0.0 : -7.0, thick = round % 4 < 2 ? 0.0 : 0.2;
    for (int i = 0; i < N; i++) {
      v[i] = pd_v(shift + sc_uniform(&random, 0, 1), sc_uniform(&random, 0, 1),
                  shift + sc_uniform(&random, 0, 1) * thick);
      t[i / 3][i % 3] = i;
    }
    pd_mesh mesh;
    pd_mesh_report report;
    check_ok(pd_mesh_create(N, v, N / 3, (const int(*)[3])t, &mesh));
    pd_vec3 lo = v[0], hi = v[0];
    for (int i = 1; i < N; i++) {
      lo = pd_min(lo, v[i]);
      hi = pd_max(hi, v[i]);
    }
    const double tol = 0.01;
    const int n = weld_by_brute_force(&mesh, tol * pd_norm(pd_sub(hi, lo)), kept, map);
    const pd_status status = pd_mesh_repair(&mesh, tol, 0, &report, NULL);
    assert_int_equal(report.welded, N - n);
    merged += N - n;
    kept_apart += n;
    /* the surface is rubbish and may be refused; what was accepted is compared */
    if (status == PD_OK && report.dropped == 0) {
      int other = 0; /* than in the file: divided triangles */
      compared++;
      assert_int_equal(mesh.nv, n);
      assert_memory_equal(mesh.v, kept, (size_t)n * sizeof *kept);
      for (int i = 0; i < N / 3; i++) {
        int same = 0;
        for (int k = 0; k < 3; k++)
          same += !memcmp(&mesh.v[mesh.t[i][k]], &kept[map[3 * i + k]], sizeof *kept);
        other += same < 3;
      }
      assert_true(other <= report.divided);
    }
    pd_mesh_free(&mesh);
  }
  assert_true(merged > 1000 && kept_apart > 1000 && compared >= 5);
}

/* A tetrahedron one of whose vertices is two, closed by two slender triangles: they vanish. */
static void test_vanishing_triangles(void **state)
{
  (void)state;
  const pd_vec3 v[6] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1e-5, 0, 1}, {9, 9, 9}};
  static const int t[6][3] = {{0, 2, 1}, {0, 1, 4}, {0, 4, 3}, {0, 3, 2}, {2, 3, 4}, {1, 2, 4}};
  pd_mesh mesh;
  pd_mesh_report report;
  check_ok(pd_mesh_create(6, v, 6, t, &mesh));
  check_ok(pd_mesh_repair(&mesh, 1e-6, 1, &report, NULL));
  assert_int_equal(report.dropped, 0);
  assert_int_equal(mesh.nv, 5); /* the unused vertex goes, and does not count in the diagonal */
  check_ok(pd_mesh_repair(&mesh, 1e-5, 1, &report, NULL));
  assert_int_equal(report.dropped, 2);
  assert_int_equal(report.welded, 1);
  assert_int_equal(mesh.nt, 4);
  assert_int_equal(mesh.nv, 4);
  pd_mesh_free(&mesh);
}

static double area_of(const pd_mesh *mesh)
{
  double sum = 0.0;
  for (int i = 0; i < mesh->nt; i++) {
    const pd_vec3 *v = mesh->v;
    const int *t = mesh->t[i];
    sum += 0.5 * pd_norm(pd_cross(pd_sub(v[t[1]], v[t[0]]), pd_sub(v[t[2]], v[t[0]])));
  }
  return sum;
}

/* A square of n x n panels, each of them a grid of its own, 1 to most of them along an edge, in
 * any order and orientation, as a soup of triangles; its corners are moved by rough at most. */
static void make_panels(sc_random *random, int n, int most, double rough, pd_mesh *mesh)
{
  enum { MOST = 2000 };
  static pd_vec3 v[3 * MOST];
  static int t[MOST][3];
  int nt = 0;
  for (int i = 0; i < n * n; i++) {
    const int m = 1 + (int)(sc_uniform(random, 0, 1) * most), flip = sc_uniform(random, 0, 1) < 0.5;
    for (int k = 0; k < 2 * m * m; k++, nt++) {
      assert_true(nt < MOST);
      const int a = k / 2 % m, b = k / 2 / m;
      static const int corner[2][3][2] = {{{0, 0}, {1, 0}, {1, 1}}, {{0, 0}, {1, 1}, {0, 1}}};
      for (int j = 0; j < 3; j++) {
        const int *c = corner[k % 2][flip ? 2 - j : j];
        t[nt][j] = 3 * nt + j;
        v[3 * nt + j] = pd_v(i % n + (double)(a + c[0]) / m, i / n + (double)(b + c[1]) / m,
                             rough * sc_uniform(random, -1, 1));
      }
    }
  }
  check_ok(pd_mesh_create(3 * nt, v, nt, (const int(*)[3])t, mesh));
}

/* Panels that meet without common vertices get common edges: only the outer ones are borders. */
static void test_divided_borders(void **state)
{
  (void)state;
  sc_random random = {5};
  int divided = 0;
  for (int round = 0; round < 60; round++) {
    pd_mesh mesh;
    pd_mesh_report report;
    const int n = 1 + round % 4;
    make_panels(&random, n, 6, round % 2 ? 0.0 : 1e-8, &mesh);
    check_ok(pd_mesh_repair(&mesh, 1e-6, 0, &report, NULL));
    assert_int_equal(report.parts, 1);
    assert_int_equal(report.dropped + report.repeated, 0);
    check_near(area_of(&mesh), n * n, 1e-9);
    int outer = 0; /* vertices on the outline, as many as edges */
    for (int i = 0; i < mesh.nv; i++) {
      const pd_vec3 p = mesh.v[i];
      outer += fmin(fmin(p.x, p.y), fmin(n - p.x, n - p.y)) < 1e-6;
    }
    assert_int_equal(report.borders, outer);
    divided += report.divided;
    pd_mesh_free(&mesh);
  }
  assert_true(divided > 500);
}

/* A box one triangle of which is two, with a vertex in the middle of another's edge: closed. */
static void test_divided_body(void **state)
{
  (void)state;
  pd_mesh box, mesh;
  pd_mesh_report report;
  pd_fault fault;
  check_ok(sc_box(1.0, 0.5, 0.3, &box));
  for (int from = 0; from < 3 * box.nt; from++) {
    pd_vec3 v[9];
    int t[14][3], n = 0;
    memcpy(v, box.v, 8 * sizeof *v);
    const int *old = box.t[from / 3], k = from % 3;
    const int a = old[k], b = old[(k + 1) % 3], c = old[(k + 2) % 3];
    v[8] = pd_axpy(v[a], 0.3, pd_sub(v[b], v[a]));
    for (int i = 0; i < box.nt; i++)
      if (i != from / 3) memcpy(t[n++], box.t[i], sizeof *t);
    const int more[2][3] = {{a, 8, c}, {8, b, c}};
    memcpy(t[n], more, sizeof more);
    check_ok(pd_mesh_create(9, v, n + 2, (const int(*)[3])t, &mesh));
    check_ok(pd_mesh_repair(&mesh, 1e-9, 1, &report, &fault));
    assert_int_equal(report.divided, 1);
    assert_int_equal(mesh.nt, 14);
    double size;
    check_near(pd_mesh_volume(&mesh, &size), 0.15, 1e-15);
    pd_mesh_free(&mesh);
  }
  pd_mesh_free(&box);
}

static void test_all_vanish(void **state)
{
  (void)state;
  pd_mesh mesh;
  pd_fault fault;
  check_ok(sc_box(1, 1, 1, &mesh));
  check_status(pd_mesh_repair(&mesh, 1.0, 1, NULL, &fault), PD_EEMPTY);
  assert_int_equal(mesh.nt, 12);
  check_status(pd_mesh_repair(&mesh, -1e-9, 1, NULL, NULL), PD_ERANGE);
  check_status(pd_mesh_repair(&mesh, 1.1, 1, NULL, NULL), PD_ERANGE);
  check_status(pd_mesh_repair(&mesh, NAN, 1, NULL, NULL), PD_ERANGE);
  pd_mesh_free(&mesh);
  check_status(pd_mesh_repair(&mesh, 0.0, 1, NULL, NULL), PD_EEMPTY);
}

/* ---------------------------------------------------------------------- orientation */

static pd_status make_body(int kind, pd_mesh *mesh)
{
  switch (kind) {
  case 0:
    return sc_box(1.0, 0.5, 0.3, mesh);
  case 1:
    return sc_tetrapod(1.0, 0.4, 0.7, mesh);
  case 2:
    return sc_l_prism(1.0, 0.4, 0.5, mesh);
  default:
    return sc_tetrahedron(1.0, mesh);
  }
}

static void test_random_flips(void **state)
{
  (void)state;
  sc_random random = {4};
  int inverted = 0, upright = 0;
  for (int round = 0; round < 400; round++) {
    pd_mesh mesh, original;
    pd_mesh_report report;
    pd_fault fault;
    int flips = 0;
    check_ok(make_body(round % 4, &original));
    check_ok(make_body(round % 4, &mesh));
    const double fraction = sc_uniform(&random, 0, 1);
    for (int i = 0; i < mesh.nt; i++) {
      if (sc_uniform(&random, 0, 1) > fraction) continue;
      const int swap = mesh.t[i][0];
      mesh.t[i][0] = mesh.t[i][1];
      mesh.t[i][1] = swap;
      flips++;
    }
    check_ok(pd_mesh_repair(&mesh, 1e-9, 1, &report, &fault));
    for (int i = 0; i < mesh.nt; i++) assert_true(same_cycle(mesh.t[i], original.t[i]));
    /* the minority was flipped; if it was right, all were turned round afterwards */
    assert_int_equal(report.inverted ? mesh.nt - flips : flips, report.flipped);
    assert_true(2 * report.flipped <= mesh.nt);
    inverted += report.inverted;
    upright += !report.inverted;
    pd_mesh_free(&mesh);
    pd_mesh_free(&original);
  }
  assert_true(inverted > 50 && upright > 50);
}

/* open surfaces: the majority is right, nothing is turned round */
static void test_open_orientation(void **state)
{
  (void)state;
  pd_mesh mesh;
  pd_mesh_report report;
  check_ok(sc_wedge(1.0, 1.0, &mesh));
  mesh.t[2][0] = 1;
  mesh.t[2][1] = 0;
  check_ok(pd_mesh_repair(&mesh, 1e-9, 0, &report, NULL));
  assert_int_equal(report.flipped, 1);
  assert_int_equal(report.borders, 6);
  assert_int_equal(report.parts, 1);
  assert_int_equal(report.inverted, 0);
  static const int repaired[3] = {0, 1, 5};
  assert_true(same_cycle(mesh.t[2], repaired));
  pd_mesh_free(&mesh);
}

/* ---------------------------------------------------------------------- what is refused */

/* Repair as a body must fail so; as a wall it must end with the other status. */
static void check_refused(pd_mesh *mesh, pd_status status, long item, long count, pd_status as_wall,
                          int parts)
{
  pd_fault fault;
  pd_mesh_report report;
  const int nt = mesh->nt, nv = mesh->nv;
  check_status(pd_mesh_repair(mesh, 1e-9, 1, &report, &fault), status);
  assert_int_equal(fault.item, item);
  assert_int_equal(fault.count, count);
  assert_true(mesh->nt == nt && mesh->nv == nv);
  check_status(pd_mesh_repair(mesh, 1e-9, 0, &report, &fault), as_wall);
  if (!as_wall) assert_int_equal(report.parts, parts);
  pd_mesh_free(mesh);
}

static void test_degenerate(void **state)
{
  (void)state;
  const pd_vec3 v[5] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}, {3, 1e-13, 0}};
  static const int t[4][3] = {{0, 0, 1}, {0, 1, 3}, {0, 1, 2}, {0, 1, 4}};
  pd_mesh mesh;
  pd_fault fault;
  check_ok(pd_mesh_create(5, v, 4, t, &mesh));
  check_status(pd_mesh_repair(&mesh, 0.0, 1, NULL, &fault), PD_EDEGENERATE);
  assert_int_equal(fault.item, 2); /* as in the file, though triangle 0 is dropped */
  assert_int_equal(fault.count, 2);
  check_near(fault.value, 0.0, 1e-12);
  check_refused(&mesh, PD_EDEGENERATE, 2, 2, PD_OK, 1);
}

/* A wall loses what has no area and what is there twice, whichever way round; the rest keeps its
 * order. */
static void test_left_out_of_walls(void **state)
{
  (void)state;
  const pd_vec3 v[5] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}, {2, 1, 0}};
  static const int t[7][3] = {{0, 1, 3}, {0, 1, 2}, {1, 2, 4}, {3, 1, 0},
                              {1, 4, 3}, {2, 4, 1}, {0, 1, 3}};
  pd_mesh mesh;
  pd_mesh_report report;
  check_ok(pd_mesh_create(5, v, 7, t, &mesh));
  check_ok(pd_mesh_repair(&mesh, 0.0, 0, &report, NULL));
  assert_int_equal(report.dropped, 1);
  assert_int_equal(report.repeated, 3);
  assert_int_equal(report.borders, 5);
  assert_int_equal(mesh.nt, 3);
  assert_true(mesh.t[0][0] == 0 && mesh.t[1][0] == 1 && mesh.t[1][1] == 2 && mesh.t[2][1] == 4);
  pd_mesh_free(&mesh);
}

static void test_open_box(void **state)
{
  (void)state;
  pd_mesh mesh;
  check_ok(sc_box(1, 1, 1, &mesh));
  mesh.nt = 11;
  check_refused(&mesh, PD_EOPENSURFACE, 2, 3, PD_OK, 1);
}

/* two tetrahedra with a common edge: four triangles meet there */
static void test_non_manifold(void **state)
{
  (void)state;
  const pd_vec3 v[6] = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {1, 1, 0}, {-1, 0, 0}, {-1, -1, 0}};
  static const int t[8][3] = {{0, 2, 3}, {0, 1, 2}, {0, 3, 1}, {1, 3, 2},
                              {0, 4, 5}, {0, 1, 4}, {0, 5, 1}, {1, 5, 4}};
  pd_mesh mesh;
  check_ok(pd_mesh_create(6, v, 8, t, &mesh));
  check_refused(&mesh, PD_ENONMANIFOLD, 1, 1, PD_OK, 1);
}

static void test_two_parts(void **state)
{
  (void)state;
  pd_mesh box;
  check_ok(sc_box(1, 1, 1, &box));
  for (int touching = 0; touching < 2; touching++) {
    pd_vec3 v[16];
    int t[24][3];
    for (int i = 0; i < 16; i++)
      v[i] = pd_add(box.v[i % 8], i < 8 ? pd_v(0, 0, 0) : touching ? pd_v(1, 1, 1) : pd_v(3, 0, 0));
    for (int i = 0; i < 72; i++) t[i / 3][i % 3] = box.t[i / 3 % 12][i % 3] + (i < 36 ? 0 : 8);
    pd_mesh mesh;
    check_ok(pd_mesh_create(16, v, 24, (const int(*)[3])t, &mesh));
    check_refused(&mesh, PD_EPARTS, 12, 2, PD_OK, 2);
  }
  pd_mesh_free(&box);
}

/* a strip of n quads whose ends are joined after half a turn */
static void test_moebius(void **state)
{
  (void)state;
  enum { N = 12 };
  const double pi = 3.14159265358979323846;
  pd_vec3 v[2 * N];
  int t[2 * N][3];
  for (int i = 0; i < N; i++) {
    const double p = 2 * pi * i / N;
    for (int k = 0; k < 2; k++) {
      const double s = k ? 0.2 : -0.2, r = 1 + s * cos(p / 2);
      v[2 * i + k] = pd_v(r * cos(p), r * sin(p), s * sin(p / 2));
    }
    const int a = 2 * i, b = a + 1, wrap = i == N - 1;
    const int c = wrap ? 1 : a + 2, d = wrap ? 0 : a + 3;
    const int quad[6] = {a, b, d, a, d, c};
    for (int k = 0; k < 6; k++) t[2 * i + k / 3][k % 3] = quad[k];
  }
  pd_mesh mesh;
  check_ok(pd_mesh_create(2 * N, v, 2 * N, (const int(*)[3])t, &mesh));
  check_refused(&mesh, PD_EOPENSURFACE, 0, 2 * N, PD_EORIENT, 0);
}

/* the projective plane with six vertices: closed, manifold and one-sided */
static void test_projective_plane(void **state)
{
  (void)state;
  static const int t[10][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}, {0, 5, 1},
                               {1, 2, 4}, {2, 3, 5}, {3, 4, 1}, {4, 5, 2}, {5, 1, 3}};
  sc_random random = {5};
  pd_vec3 v[6];
  for (int i = 0; i < 6; i++)
    v[i] = pd_v(sc_uniform(&random, 0, 1), sc_uniform(&random, 0, 1), sc_uniform(&random, 0, 1));
  pd_mesh mesh;
  pd_fault fault;
  check_ok(pd_mesh_create(6, v, 10, t, &mesh));
  check_status(pd_mesh_repair(&mesh, 1e-9, 1, NULL, &fault), PD_EORIENT);
  assert_true(fault.count > 0);
  pd_mesh_free(&mesh);
}

/* the two sides of one triangle enclose nothing */
static void test_no_volume(void **state)
{
  (void)state;
  const pd_vec3 v[3] = {{0.1, 0.2, 0.3}, {1.3, 0, 0}, {0, 1.1, 0.7}};
  static const int t[2][3] = {{0, 1, 2}, {0, 2, 1}};
  pd_mesh mesh;
  check_ok(pd_mesh_create(3, v, 2, t, &mesh));
  check_refused(&mesh, PD_EVOLUME, 0, 0, PD_OK, 1);
}

/* ---------------------------------------------------------------------- memory */

static pd_status read_repair_free(void *name)
{
  pd_mesh mesh;
  pd_status status = pd_mesh_read(path_of(name), &mesh, NULL);
  if (!status) status = pd_mesh_repair(&mesh, 1e-6, 1, NULL, NULL);
  pd_mesh_free(&mesh);
  return status;
}

static void test_out_of_memory(void **state)
{
  (void)state;
  static buffer b;
  char binary[] = "b.stl", ascii[] = "a.stl", obj[] = "o.obj";
  pd_mesh mesh;
  make_tetrapod(&mesh);
  put_stl_binary(&b, &mesh, "test");
  write_bytes(binary, b.data, b.n);
  b.n = 0;
  put_stl_ascii(&b, &mesh, 0, mesh.nt);
  /* white space enough for the file to outgrow the first buffer */
  while (b.n < sizeof b.data - 100) put(&b, "%80s\n", "");
  write_bytes(ascii, b.data, b.n);
  b.n = 0;
  put_obj(&b, &mesh);
  write_bytes(obj, b.data, b.n);
  pd_mesh_free(&mesh);
  check_each_allocation(read_repair_free, binary);
  check_each_allocation(read_repair_free, ascii);
  check_each_allocation(read_repair_free, obj);
  remove(path_of(binary));
  remove(path_of(ascii));
  remove(path_of(obj));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_stl_binary),
      cmocka_unit_test(test_stl_ascii),
      cmocka_unit_test(test_stl_ascii_upper_case),
      cmocka_unit_test(test_obj),
      cmocka_unit_test(test_obj_forms),
      cmocka_unit_test(test_obj_concave),
      cmocka_unit_test(test_locale),
      cmocka_unit_test(test_bad_ascii_stl),
      cmocka_unit_test(test_bad_obj),
      cmocka_unit_test(test_index_in_fault),
      cmocka_unit_test(test_bad_binary_stl),
      cmocka_unit_test(test_no_file),
      cmocka_unit_test(test_large_file),
      cmocka_unit_test(test_create),
      cmocka_unit_test(test_weld_tolerance),
      cmocka_unit_test(test_weld_equal_only),
      cmocka_unit_test(test_weld_against_brute_force),
      cmocka_unit_test(test_vanishing_triangles),
      cmocka_unit_test(test_divided_borders),
      cmocka_unit_test(test_divided_body),
      cmocka_unit_test(test_all_vanish),
      cmocka_unit_test(test_random_flips),
      cmocka_unit_test(test_open_orientation),
      cmocka_unit_test(test_degenerate),
      cmocka_unit_test(test_left_out_of_walls),
      cmocka_unit_test(test_open_box),
      cmocka_unit_test(test_non_manifold),
      cmocka_unit_test(test_two_parts),
      cmocka_unit_test(test_moebius),
      cmocka_unit_test(test_projective_plane),
      cmocka_unit_test(test_no_volume),
      cmocka_unit_test(test_out_of_memory),
  };
  return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
