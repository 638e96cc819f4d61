/* SPDX-License-Identifier: MIT
 * Mesh files that are damaged at random: every one is refused with a status, or becomes a surface
 * that a caller can rely on. Deterministic: the same files in every run.
 *
 *   test_mesh_fuzz [N [SEED]]    number of files, else some */
#define _DEFAULT_SOURCE /* mkstemps */

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "geometry/shape.h"
#include "shapes.h"

static long files = 5000;
static unsigned long long seed = 1u;

enum { ROOM = 1 << 15 };

typedef struct file_text {
  char data[ROOM];
  int n;
} file_text;

/* ---- sound files ---- */

static void put(file_text *f, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  f->n += vsnprintf(f->data + f->n, (size_t)(ROOM - f->n), format, args);
  va_end(args);
  assert_true(f->n < ROOM);
}

static void put_ascii(file_text *f, const pd_mesh *m)
{
  put(f, "solid s\n");
  for (int i = 0; i < m->nt; i++) {
    put(f, "facet normal 0 0 0\nouter loop\n");
    for (int k = 0; k < 3; k++) {
      const pd_vec3 v = m->v[m->t[i][k]];
      put(f, "vertex %.6g %.6g %.6g\n", v.x, v.y, v.z);
    }
    put(f, "endloop\nendfacet\n");
  }
  put(f, "endsolid s\n");
}

static void put_bytes(file_text *f, const void *data, size_t n)
{
  memcpy(f->data + f->n, data, n);
  f->n += (int)n;
}

static void put_binary(file_text *f, const pd_mesh *m)
{
  const unsigned count = (unsigned)m->nt;
  const unsigned char bytes[4] = {count & 255u, count >> 8, 0, 0};
  memset(f->data, 0, 80);
  f->n = 80;
  put_bytes(f, bytes, 4);
  for (int i = 0; i < m->nt; i++) {
    float x[12] = {0.0f};
    for (int k = 0; k < 3; k++) {
      const pd_vec3 v = m->v[m->t[i][k]];
      x[3 * k + 3] = (float)v.x;
      x[3 * k + 4] = (float)v.y;
      x[3 * k + 5] = (float)v.z;
    }
    put_bytes(f, x, sizeof x);
    put_bytes(f, "\0\0", 2);
  }
}

static void put_obj(file_text *f, const pd_mesh *m)
{
  for (int i = 0; i < m->nv; i++) put(f, "v %.6g %.6g %.6g\n", m->v[i].x, m->v[i].y, m->v[i].z);
  for (int i = 0; i < m->nt; i++)
    put(f, "f %d %d//1 %d\n", m->t[i][0] + 1, m->t[i][1] + 1, m->t[i][2] - m->nv);
}

/* a prism over an L or a star in polygons, which are not convex */
static void put_polygons(file_text *f, int n)
{
  for (int i = 0; i < 2 * n; i++) {
    const double r = i % 2 ? 0.3 : 1.0, a = 6.2831853 * (i % n) / n;
    put(f, "v %.6g %.6g %d\n", r * cos(a), r * sin(a), i / n);
  }
  put(f, "f");
  for (int i = n; i > 0; i--) put(f, " %d", i);
  put(f, "\nf");
  for (int i = 1; i <= n; i++) put(f, " %d", n + i);
  for (int i = 0; i < n; i++)
    put(f, "\nf %d %d %d %d", i + 1, (i + 1) % n + 1, (i + 1) % n + n + 1, i + n + 1);
  put(f, "\n");
}

static void make_sound(file_text *f, sc_random *r)
{
  pd_mesh m;
  const int which = sc_below(r, 4), format = sc_below(r, 4);
  f->n = 0;
  if (format == 3) {
    put_polygons(f, 4 + 2 * sc_below(r, 5));
    return;
  }
  check_ok(which == 0   ? sc_box(1.0, 2.0, 3.0, &m)
           : which == 1 ? sc_tetrapod(0.1, 0.03, 0.6, &m)
           : which == 2 ? sc_l_prism(2.0, 1.0, 1.0, &m)
                        : sc_tetrahedron(1.0, &m));
  (format == 0 ? put_ascii : format == 1 ? put_binary : put_obj)(f, &m);
  pd_mesh_free(&m);
}

/* ---- damage ---- */

static void replace(file_text *f, int at, int cut, const char *with, int n)
{
  if (cut > f->n - at) cut = f->n - at;
  if (f->n - cut + n >= ROOM) return;
  memmove(f->data + at + n, f->data + at + cut, (size_t)(f->n - at - cut));
  memcpy(f->data + at, with, (size_t)n);
  f->n += n - cut;
}

/* what breaks readers: words of the formats, numbers at the limits, ends of lines */
static void insert_word(file_text *f, sc_random *r)
{
  static const char *const words[] = {"solid",    "facet",    "normal", "vertex",
                                      "endloop",  "endsolid", "nan",    "inf",
                                      "1e308",    "-1e38",    "1e-320", "1e400",
                                      "1.#INF",   "f ",       "v ",     "-1",
                                      "/",        "//",       "\\\n",   "\r\n",
                                      "\r",       "\n",       "\t",     "\xef\xbb\xbf",
                                      "0",        "1",        "-2",     "2147483648",
                                      "0.5",      "-0",       "#",      "99999999999999999999",
                                      "f 1 2 3 ", "v 0 0",    "1e-7",   "v 1 1 1\n",
                                      " 2 3 4 ",  "0x1",      "1,5"};
  const char *word = words[sc_below(r, (int)(sizeof words / sizeof *words))];
  replace(f, sc_below(r, f->n + 1), sc_below(r, 3) ? 0 : 1 + sc_below(r, 8), word,
          (int)strlen(word));
}

static void copy_piece(file_text *f, sc_random *r)
{
  char piece[256];
  const int n = sc_below(r, (int)sizeof piece), from = sc_below(r, f->n + 1);
  const int have = n < f->n - from ? n : f->n - from;
  memcpy(piece, f->data + from, (size_t)have);
  replace(f, sc_below(r, f->n + 1), sc_below(r, 2) ? have : 0, piece, have);
}

static void damage(file_text *f, sc_random *r)
{
  const int kind = sc_below(r, 6);
  if (f->n == 0) return;
  if (kind == 0)
    f->data[sc_below(r, f->n)] = (char)sc_below(r, 256);
  else if (kind == 1)
    f->data[sc_below(r, f->n)] ^= (char)(1 << sc_below(r, 8));
  else if (kind == 2)
    f->data[sc_below(r, f->n)] = (char)('0' + sc_below(r, 10));
  else if (kind == 3)
    insert_word(f, r);
  else if (kind == 4)
    copy_piece(f, r);
  else
    replace(f, sc_below(r, f->n), 1 + sc_below(r, 40), "", 0);
  if (sc_below(r, 200) == 0) f->n = sc_below(r, f->n + 1);
}

/* ---- what callers rely on ---- */

static int is_finite(pd_vec3 v) { return isfinite(v.x) && isfinite(v.y) && isfinite(v.z); }

static void check_mesh(const pd_mesh *m)
{
  assert_true(m->nt > 0 && m->nv > 0);
  for (int i = 0; i < m->nv; i++) assert_true(is_finite(m->v[i]));
  for (int i = 0; i < 3 * m->nt; i++)
    assert_true(m->t[i / 3][i % 3] >= 0 && m->t[i / 3][i % 3] < m->nv);
}

/* two triangles at every edge, in opposite directions; an inertia that a body can have */
static void check_body(const pd_shape *s)
{
  const pd_vec3 p = s->mass.principal;
  for (int i = 0; i < s->ne; i++) assert_int_equal(s->e[i].nt, 2);
  assert_int_equal(2 * s->ne, 3 * s->nt);
  assert_true(s->mass.volume > 0.0 && isfinite(s->mass.volume) && is_finite(s->mass.center));
  assert_true(p.x > 0.0 && p.y > 0.0 && p.z > 0.0);
  assert_true(p.x + p.y > p.z && p.y + p.z > p.x && p.z + p.x > p.y);
  const pd_mat3 one = pd_m_mul(s->mass.axes, pd_m_transpose(s->mass.axes));
  for (int i = 0; i < 9; i++) check_near(one.m[i / 3][i % 3], i % 4 == 0, 1e-9);
}

static void check_shape(const pd_shape *s)
{
  assert_true(isfinite(s->radius) && s->radius > 0.0 && s->shortest > 0.0);
  for (int i = 0; i < s->nv; i++) assert_true(is_finite(s->v[i]));
  for (int i = 0; i < s->nt; i++) check_near(pd_norm(s->tn[i]), 1.0, 1e-9);
  for (int i = 0; i < s->ne; i++) {
    const pd_ridge r = s->e[i].ridge;
    assert_true(r.rise >= 0.0 && r.turn >= 0.0 && s->e[i].length > 0.0);
  }
  if (s->closed) check_body(s);
}

/* sizes as the plugin allows them */
static int is_of_usual_size(const pd_mesh *m)
{
  double size = 0.0;
  for (int i = 0; i < m->nv; i++) size = fmax(size, pd_norm(pd_sub(m->v[i], m->v[0])));
  return size >= 1e-30 && size <= 1e30;
}

/* Returns whether it has become a shape. */
static int run(const char *path, int closed, double weld)
{
  pd_mesh mesh;
  pd_fault fault;
  pd_shape shape;
  pd_status status = pd_mesh_read(path, &mesh, &fault);
  if (status) {
    assert_true(mesh.v == NULL && mesh.t == NULL);
    assert_true(status != PD_ENOMEM && fault.line >= 0 && fault.item >= 0 && fault.count >= 0);
    return 0;
  }
  check_mesh(&mesh);
  if (!is_of_usual_size(&mesh)) {
    pd_mesh_free(&mesh);
    return 0;
  }
  status = pd_mesh_repair(&mesh, weld, closed, NULL, &fault);
  if (!status) {
    check_mesh(&mesh);
    status = pd_shape_create(&mesh, closed, &shape);
    if (!status) check_shape(&shape);
    if (!status) pd_shape_free(&shape);
    assert_true(status == PD_OK || status == PD_EMOMENT || status == PD_EVOLUME);
  }
  pd_mesh_free(&mesh);
  return status == PD_OK;
}

static void write_file(const char *path, const file_text *f)
{
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(f->data, 1, (size_t)f->n, file), f->n);
  assert_int_equal(fclose(file), 0);
}

static void test_damaged_files(void **state)
{
  (void)state;
  static file_text text;
  static const double welds[5] = {1e-6, 0.0, 1e-3, 0.3, 1e-15};
  char path[] = "/tmp/pd_fuzz_XXXXXX.obj", other[] = "/tmp/pd_fuzz_XXXXXX.stl";
  const int a = mkstemps(path, 4), b = mkstemps(other, 4);
  assert_true(a >= 0 && b >= 0);
  close(a);
  close(b);
  sc_random random = {seed};
  long shapes = 0;
  for (long n = 0; n < files; n++) {
    make_sound(&text, &random);
    for (int k = sc_below(&random, 6); k >= 0; k--) damage(&text, &random);
    const int obj = text.n > 0 && (text.data[0] == 'v' || sc_below(&random, 20) == 0);
    write_file(obj ? path : other, &text);
    shapes += run(obj ? path : other, sc_below(&random, 2), welds[sc_below(&random, 5)]);
  }
  remove(path);
  remove(other);
  print_message("files = %ld, shapes = %ld\n", files, shapes);
  assert_true(shapes > files / 100);
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_damaged_files)};
  if (argc > 1) files = atol(argv[1]);
  if (argc > 2) seed = strtoull(argv[2], NULL, 10);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
