/* intersect: do the bodies of a LAMMPS dump interpenetrate?
 *
 *   intersect (--shapes FILE | --principal --shape TYPE FILE.stl|FILE.obj) ...
 *             [--wall FILE.stl|FILE.obj] ... [--plane x y z nx ny nz] ...
 *             [--frames all|last] [--distance] DUMP ...
 *
 * An independent check: it shares nothing with the code it judges. Needs C11 and libm;
 * build with  cc -std=c11 -O2 intersect.c -o intersect -lm
 *
 * The dump is text with the columns id type x y z (or xu yu zu) and the orientation of the
 * principal axes as quatw quati quatj quatk or c_NAME[1] ... c_NAME[4], w first. Write it with
 * `dump_modify ... format float %.17g`: six digits are no basis for an exact test.
 *
 * Shapes are given in the principal frame about the centre of mass: FILE of --shapes has
 * `shape TYPE nv nt`, nv lines of coordinates, nt lines of three vertex numbers from 0, for each
 * type, and comments after #. Walls and planes are in the coordinates of the box.
 *
 * Two bodies intersect if an edge of one properly crosses a triangle of the other, or if one
 * lies inside the other. Signs of determinants are exact, so this is decided for the vertices as
 * rounded to doubles once, without a tolerance. Bodies in exact contact, where some of these
 * determinants are zero, intersect unless some displacement by 1e-12 of their size parts them;
 * those parted are counted as touching. A plane is crossed by a vertex below it, a wall by an edge
 * through it either way.
 *
 * Exit status: 0 no intersection, 1 some, 2 bad input.
 */
#include <errno.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_REPORTS = 20, MAX_TOKENS = 256 };

/* ---- messages and memory ------------------------------------------------------------------ */

static _Noreturn void die(const char *file, long line, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  fflush(stdout);
  fprintf(stderr, "intersect: ");
  if (file && line > 0) fprintf(stderr, "%s:%ld: ", file, line);
  else if (file) fprintf(stderr, "%s: ", file);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
  exit(2);
}

static void *resize(void *old, size_t count, size_t size)
{
  if (count > SIZE_MAX / size) die(NULL, 0, "out of memory");
  void *p = realloc(old, count ? count * size : 1);
  if (!p) die(NULL, 0, "out of memory");
  return p;
}

/* ---- vectors and boxes -------------------------------------------------------------------- */

typedef struct { double x, y, z; } Vec;
typedef struct { Vec lo, hi; } Box;

static inline Vec vec(double x, double y, double z) { return (Vec) {x, y, z}; }
static inline Vec add(Vec a, Vec b) { return vec(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline Vec sub(Vec a, Vec b) { return vec(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline Vec scale(double s, Vec a) { return vec(s * a.x, s * a.y, s * a.z); }
static inline double dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline double norm(Vec a) { return sqrt(dot(a, a)); }
static inline Vec vmin(Vec a, Vec b) { return vec(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z)); }
static inline Vec vmax(Vec a, Vec b) { return vec(fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z)); }

static inline Vec cross(Vec a, Vec b)
{
  return vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline Box box2(Vec a, Vec b) { return (Box) {vmin(a, b), vmax(a, b)}; }

static inline Box box3(Vec a, Vec b, Vec c)
{
  return (Box) {vmin(vmin(a, b), c), vmax(vmax(a, b), c)};
}

/* closed boxes: a common point is enough */
static inline bool overlap(Box a, Box b)
{
  return a.lo.x <= b.hi.x && b.lo.x <= a.hi.x && a.lo.y <= b.hi.y && b.lo.y <= a.hi.y &&
      a.lo.z <= b.hi.z && b.lo.z <= a.hi.z;
}

static double box_gap(Box a, Box b)
{
  Vec gap = vmax(sub(a.lo, b.hi), sub(b.lo, a.hi));
  return norm(vmax(gap, vec(0, 0, 0)));
}

static Box box_of(const Vec *v, int n)
{
  Box box = {v[0], v[0]};
  for (int i = 1; i < n; i++) box = (Box) {vmin(box.lo, v[i]), vmax(box.hi, v[i])};
  return box;
}

/* v' = v + 2 w (u x v) + 2 u x (u x v) for the unit quaternion q = (w, u) */
static Vec rotate(const double q[4], Vec v)
{
  Vec u = vec(q[1], q[2], q[3]);
  Vec t = scale(2, cross(u, v));
  return add(v, add(scale(q[0], t), cross(u, t)));
}

/* reproducible directions for rays and small displacements */
static Vec random_direction(uint64_t *state)
{
  double c[3];
  Vec d;
  do {
    for (int k = 0; k < 3; k++) {
      *state = *state * 6364136223846793005u + 1442695040888963407u;
      c[k] = (double) (*state >> 33) / 1073741824.0 - 1;
    }
    d = vec(c[0], c[1], c[2]);
  } while (dot(d, d) > 1 || dot(d, d) < 0.01);
  return scale(1 / norm(d), d);
}

/* ---- exact sign of a determinant ----------------------------------------------------------- */

/* A real number as an unevaluated sum of doubles, smallest first, which do not overlap. Sums and
   products of such numbers are exact (Dekker, Knuth, Shewchuk); the orientation determinant of
   four points in doubles needs at most 192 terms. */
typedef struct {
  int n;
  double term[192];
} Sum;

/* a + b exactly, as its rounded value and the error of rounding */
static inline double two_sum(double a, double b, double *error)
{
  double s = a + b, bv = s - a;
  *error = (a - (s - bv)) + (b - bv);
  return s;
}

static void sum_add(Sum *s, double value)
{
  int n = 0;
  for (int i = 0; i < s->n; i++) {
    double error;
    value = two_sum(value, s->term[i], &error);
    if (error != 0) s->term[n++] = error;
  }
  if (value != 0) s->term[n++] = value;
  s->n = n;
}

/* s += sign * a * b */
static void sum_add_product(Sum *s, double sign, const Sum *a, const Sum *b)
{
  for (int i = 0; i < a->n; i++)
    for (int j = 0; j < b->n; j++) {
      double product = a->term[i] * b->term[j];
      double error = fma(a->term[i], b->term[j], -product);
      sum_add(s, sign * error);
      sum_add(s, sign * product);
    }
}

static Sum difference(double a, double b)
{
  Sum s = {0, {0}};
  sum_add(&s, a);
  sum_add(&s, -b);
  return s;
}

/* det += a * (bx * cy - by * cx) */
static void sum_add_minor(Sum *det, Sum a, Sum bx, Sum by, Sum cx, Sum cy)
{
  Sum minor = {0, {0}};
  sum_add_product(&minor, 1, &bx, &cy);
  sum_add_product(&minor, -1, &by, &cx);
  sum_add_product(det, 1, &a, &minor);
}

static int orient_exact(Vec a, Vec b, Vec c, Vec d)
{
  Sum ax = difference(a.x, d.x), ay = difference(a.y, d.y), az = difference(a.z, d.z);
  Sum bx = difference(b.x, d.x), by = difference(b.y, d.y), bz = difference(b.z, d.z);
  Sum cx = difference(c.x, d.x), cy = difference(c.y, d.y), cz = difference(c.z, d.z);
  Sum det = {0, {0}};
  sum_add_minor(&det, az, bx, by, cx, cy);
  sum_add_minor(&det, bz, cx, cy, ax, ay);
  sum_add_minor(&det, cz, ax, ay, bx, by);
  if (det.n == 0) return 0;
  return det.term[det.n - 1] > 0 ? 1 : -1;
}

/* sign of det(a - d, b - d, c - d): on which side of the plane a b c the point d lies */
static int orient(Vec a, Vec b, Vec c, Vec d)
{
  Vec p = sub(a, d), q = sub(b, d), r = sub(c, d);
  double qrp = q.x * r.y, qrm = q.y * r.x;
  double rpp = r.x * p.y, rpm = r.y * p.x;
  double pqp = p.x * q.y, pqm = p.y * q.x;
  double det = p.z * (qrp - qrm) + q.z * (rpp - rpm) + r.z * (pqp - pqm);
  double size = fabs(p.z) * (fabs(qrp) + fabs(qrm)) + fabs(q.z) * (fabs(rpp) + fabs(rpm)) +
      fabs(r.z) * (fabs(pqp) + fabs(pqm));
  /* the forward error is below (7 + 56 u) u size with u = DBL_EPSILON / 2 */
  if (fabs(det) > 4 * DBL_EPSILON * size) return det > 0 ? 1 : -1;
  return orient_exact(a, b, c, d);
}

/* ---- meshes ------------------------------------------------------------------------------- */

typedef struct {
  int nv, nt, ne, nparts;
  Vec *v;
  int (*t)[3];    /* triangles */
  int (*e)[2];    /* edges, each once */
  int *part;      /* one vertex of each connected part of the surface */
  int *pick;      /* scratch: some of the edges */
  double radius;  /* of the sphere about the origin */
} Mesh;

static void mesh_free(Mesh *m)
{
  free(m->v);
  free(m->t);
  free(m->e);
  free(m->part);
  free(m->pick);
}

static int compare_edges(const void *a, const void *b)
{
  const int *p = a, *q = b;
  if (p[0] != q[0]) return p[0] < q[0] ? -1 : 1;
  return (p[1] > q[1]) - (p[1] < q[1]);
}

/* edges of all triangles, each once; false if one has an odd number of triangles */
static bool mesh_edges(Mesh *m)
{
  m->e = resize(NULL, 3 * (size_t) m->nt, sizeof *m->e);
  for (int i = 0; i < 3 * m->nt; i++) {
    int a = m->t[i / 3][i % 3], b = m->t[i / 3][(i + 1) % 3];
    m->e[i][0] = a < b ? a : b;
    m->e[i][1] = a < b ? b : a;
  }
  qsort(m->e, 3 * (size_t) m->nt, sizeof *m->e, compare_edges);
  bool closed = true;
  int from = 0;
  for (int i = 1; i <= 3 * m->nt; i++) {
    if (i < 3 * m->nt && compare_edges(m->e[i], m->e[from]) == 0) continue;
    if ((i - from) % 2) closed = false;
    memmove(m->e[m->ne++], m->e[from], sizeof *m->e);
    from = i;
  }
  return closed;
}

static int root(int *parent, int i)
{
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

/* one vertex of each part, because any part could lie inside another body */
static void mesh_parts(Mesh *m)
{
  int *parent = resize(NULL, (size_t) m->nv, sizeof *parent);
  bool *seen = resize(NULL, (size_t) m->nv, sizeof *seen);
  m->part = resize(NULL, (size_t) m->nv, sizeof *m->part);
  for (int i = 0; i < m->nv; i++) {
    parent[i] = i;
    seen[i] = false;
  }
  for (int i = 0; i < m->ne; i++) parent[root(parent, m->e[i][0])] = root(parent, m->e[i][1]);
  for (int i = 0; i < m->ne; i++) {
    int r = root(parent, m->e[i][0]);
    if (!seen[r]) m->part[m->nparts++] = r;
    seen[r] = true;
  }
  free(parent);
  free(seen);
}

/* bounding sphere, edges and parts from vertices and triangles; solids must be closed */
static void mesh_finish(Mesh *m, bool solid, const char *file, long line)
{
  for (int i = 0; i < m->nv; i++) m->radius = fmax(m->radius, norm(m->v[i]));
  m->radius *= 1 + 1e-9;  /* turned vertices are rounded */
  bool closed = mesh_edges(m);
  if (solid && !closed) die(file, line, "the surface is open: an edge lacks its second triangle");
  m->pick = resize(NULL, (size_t) m->ne, sizeof *m->pick);
  mesh_parts(m);
}

/* ---- text files --------------------------------------------------------------------------- */

typedef struct {
  FILE *file;
  const char *name;
  long line;
  char *text;
  size_t room;
} Reader;

static Reader reader_open(const char *name)
{
  Reader r = {fopen(name, "rb"), name, 0, resize(NULL, 256, 1), 256};
  if (!r.file) die(name, 0, "cannot open: %s", strerror(errno));
  return r;
}

static void reader_close(Reader *r)
{
  fclose(r->file);
  free(r->text);
}

static bool read_line(Reader *r)
{
  size_t n = 0;
  r->text[0] = '\0';
  while (fgets(r->text + n, (int) (r->room - n), r->file)) {
    n += strlen(r->text + n);
    if (n > 0 && r->text[n - 1] == '\n') break;
    if (n + 1 < r->room) continue;
    r->room *= 2;
    r->text = resize(r->text, r->room, 1);
  }
  if (n == 0) return false;
  r->line++;
  return true;
}

static void need_line(Reader *r, const char *what)
{
  if (!read_line(r)) die(r->name, r->line, "the file ends where %s should follow", what);
}

/* the words of the line, in place */
static int split(Reader *r, char *words[MAX_TOKENS])
{
  int n = 0;
  for (char *w = strtok(r->text, " \t\r\n"); w; w = strtok(NULL, " \t\r\n")) {
    if (n == MAX_TOKENS) die(r->name, r->line, "more than %d words", MAX_TOKENS);
    words[n++] = w;
  }
  return n;
}

static double to_number(const char *word, const char *file, long line)
{
  char *end;
  double x = strtod(word, &end);
  if (end == word || *end || !isfinite(x)) die(file, line, "'%s' is not a number", word);
  return x;
}

static long to_integer(const char *word, long least, long most, const char *file, long line)
{
  char *end;
  errno = 0;
  long n = strtol(word, &end, 10);
  if (end == word || *end || errno) die(file, line, "'%s' is not a whole number", word);
  if (n < least || n > most) die(file, line, "%ld is not between %ld and %ld", n, least, most);
  return n;
}

static double number(const Reader *r, const char *word)
{
  return to_number(word, r->name, r->line);
}

static long integer(const Reader *r, const char *word, long least, long most)
{
  return to_integer(word, least, most, r->name, r->line);
}

/* ---- surfaces from STL and OBJ ------------------------------------------------------------- */

/* points that grow; three in a row make a triangle */
typedef struct {
  Vec *p;
  size_t n, room;
} Points;

static void push(Points *s, Vec p)
{
  if (s->n == s->room) {
    s->room = s->room ? 2 * s->room : 64;
    s->p = resize(s->p, s->room, sizeof *s->p);
  }
  s->p[s->n++] = p;
}

typedef struct {
  Vec p;
  int corner;
} Corner;

static int compare_corners(const void *a, const void *b)
{
  const Vec *p = &((const Corner *) a)->p, *q = &((const Corner *) b)->p;
  if (p->x != q->x) return p->x < q->x ? -1 : 1;
  if (p->y != q->y) return p->y < q->y ? -1 : 1;
  return (p->z > q->z) - (p->z < q->z);
}

/* corners at the same place become one vertex; triangles that lose a side are dropped */
static Mesh weld(const Points *soup, const char *file)
{
  int n = (int) soup->n;
  if (n == 0 || soup->n > INT32_MAX / 4) die(file, 0, n ? "too many triangles" : "no triangles");
  Corner *corner = resize(NULL, soup->n, sizeof *corner);
  int *vertex = resize(NULL, soup->n, sizeof *vertex);
  for (int i = 0; i < n; i++) corner[i] = (Corner) {soup->p[i], i};
  qsort(corner, soup->n, sizeof *corner, compare_corners);
  Mesh m = {.v = resize(NULL, soup->n, sizeof *m.v), .t = resize(NULL, soup->n / 3, sizeof *m.t)};
  for (int i = 0; i < n; i++) {
    if (i == 0 || compare_corners(&corner[i - 1], &corner[i])) m.v[m.nv++] = corner[i].p;
    vertex[corner[i].corner] = m.nv - 1;
  }
  for (int i = 0; i < n; i += 3) {
    int a = vertex[i], b = vertex[i + 1], c = vertex[i + 2];
    if (a == b || b == c || c == a) continue;
    m.t[m.nt][0] = a;
    m.t[m.nt][1] = b;
    m.t[m.nt++][2] = c;
  }
  free(corner);
  free(vertex);
  return m;
}

static uint32_t little_endian(const unsigned char *b)
{
  return b[0] | (uint32_t) b[1] << 8 | (uint32_t) b[2] << 16 | (uint32_t) b[3] << 24;
}

/* binary STL: 80 bytes, a count, then 50 bytes per triangle; false if the size says otherwise */
static bool read_stl_binary(const char *name, Points *soup)
{
  FILE *f = fopen(name, "rb");
  if (!f) die(name, 0, "cannot open: %s", strerror(errno));
  unsigned char head[84], facet[50];
  bool binary = false;
  if (fread(head, 1, sizeof head, f) == sizeof head && fseek(f, 0, SEEK_END) == 0)
    binary = ftell(f) == 84 + 50 * (long) little_endian(head + 80);
  if (binary) fseek(f, 84, SEEK_SET);
  while (binary && fread(facet, 1, sizeof facet, f) == sizeof facet)
    for (int k = 0; k < 3; k++) {
      float c[3];
      for (int j = 0; j < 3; j++) {
        uint32_t bits = little_endian(facet + 12 + 12 * k + 4 * j);
        memcpy(&c[j], &bits, sizeof bits);
        if (!isfinite(c[j])) die(name, 0, "triangle %zu has a corner at no place", soup->n / 3 + 1);
      }
      push(soup, vec(c[0], c[1], c[2]));
    }
  fclose(f);
  return binary;
}

static void read_stl_text(const char *name, Points *soup)
{
  char *w[MAX_TOKENS];
  Reader r = reader_open(name);
  for (int n; read_line(&r);) {
    n = split(&r, w);
    if (r.line == 1 && (n == 0 || strcmp(w[0], "solid"))) die(name, 1, "not an STL file");
    if (n == 0 || strcmp(w[0], "vertex")) continue;
    if (n != 4) die(name, r.line, "a vertex needs three coordinates");
    push(soup, vec(number(&r, w[1]), number(&r, w[2]), number(&r, w[3])));
  }
  if (soup->n % 3) die(name, r.line, "the last triangle is not complete");
  reader_close(&r);
}

static Vec obj_vertex(const Reader *r, char *word, const Points *vertices)
{
  char *slash = strchr(word, '/');
  if (slash) *slash = '\0';
  long n = (long) vertices->n, i = integer(r, word, -n, n);
  if (i == 0) die(r->name, r->line, "vertices are numbered from 1");
  return vertices->p[i > 0 ? i - 1 : n + i];
}

static void read_obj(const char *name, Points *soup)
{
  char *w[MAX_TOKENS];
  Points v = {NULL, 0, 0};
  Reader r = reader_open(name);
  while (read_line(&r)) {
    int n = split(&r, w);
    if (n > 3 && strcmp(w[0], "v") == 0)
      push(&v, vec(number(&r, w[1]), number(&r, w[2]), number(&r, w[3])));
    if (n == 0 || strcmp(w[0], "f")) continue;
    if (n < 4) die(name, r.line, "a face needs three vertices");
    Vec first = obj_vertex(&r, w[1], &v), last = obj_vertex(&r, w[2], &v);
    for (int k = 3; k < n; k++) {
      Vec next = obj_vertex(&r, w[k], &v);
      push(soup, first);
      push(soup, last);
      push(soup, next);
      last = next;
    }
  }
  reader_close(&r);
  free(v.p);
}

static Mesh read_surface(const char *name, bool solid)
{
  Points soup = {NULL, 0, 0};
  size_t n = strlen(name);
  if (n > 4 && strcmp(name + n - 4, ".obj") == 0) read_obj(name, &soup);
  else if (!read_stl_binary(name, &soup)) read_stl_text(name, &soup);
  Mesh m = weld(&soup, name);
  mesh_finish(&m, solid, name, 0);
  free(soup.p);
  return m;
}

/* ---- the shapes file ---------------------------------------------------------------------- */

typedef struct {
  int n;
  Mesh **of;  /* by type, NULL where there is none */
} Shapes;

static void set_shape(Shapes *s, int type, Mesh m, const char *file, long line)
{
  if (type >= s->n) {
    s->of = resize(s->of, (size_t) type + 1, sizeof *s->of);
    while (s->n <= type) s->of[s->n++] = NULL;
  }
  if (s->of[type]) die(file, line, "type %d has a shape already", type);
  s->of[type] = resize(NULL, 1, sizeof m);
  *s->of[type] = m;
}

static void free_shapes(Shapes *s)
{
  for (int i = 0; i < s->n; i++)
    if (s->of[i]) {
      mesh_free(s->of[i]);
      free(s->of[i]);
    }
  free(s->of);
}

/* next line that is not empty or a comment; 0 at the end of the file */
static int content(Reader *r, char *words[MAX_TOKENS])
{
  while (read_line(r)) {
    r->text[strcspn(r->text, "#")] = '\0';
    int n = split(r, words);
    if (n > 0) return n;
  }
  return 0;
}

static void need_three(Reader *r, char *words[MAX_TOKENS], const char *what)
{
  int n = content(r, words);
  if (n == 0) die(r->name, r->line, "the file ends where %s should follow", what);
  if (n != 3) die(r->name, r->line, "%s need three words, not %d", what, n);
}

static Mesh read_shape(Reader *r, int nv, int nt)
{
  char *w[MAX_TOKENS];
  Mesh m = {.nv = nv, .nt = nt};
  long line = r->line;
  m.v = resize(NULL, (size_t) nv, sizeof *m.v);
  m.t = resize(NULL, (size_t) nt, sizeof *m.t);
  for (int i = 0; i < nv; i++) {
    need_three(r, w, "coordinates");
    m.v[i] = vec(number(r, w[0]), number(r, w[1]), number(r, w[2]));
  }
  for (int i = 0; i < nt; i++) {
    need_three(r, w, "vertex numbers");
    for (int k = 0; k < 3; k++) m.t[i][k] = (int) integer(r, w[k], 0, nv - 1);
    if (m.t[i][0] == m.t[i][1] || m.t[i][1] == m.t[i][2] || m.t[i][2] == m.t[i][0])
      die(r->name, r->line, "a triangle needs three different vertices");
  }
  mesh_finish(&m, true, r->name, line);
  return m;
}

static void read_shapes(const char *name, Shapes *shapes)
{
  char *w[MAX_TOKENS];
  Reader r = reader_open(name);
  for (int n; (n = content(&r, w)) > 0;) {
    if (n != 4 || strcmp(w[0], "shape")) die(name, r.line, "expected: shape TYPE nv nt");
    int type = (int) integer(&r, w[1], 1, 1000000), nv = (int) integer(&r, w[2], 4, 100000000);
    int nt = (int) integer(&r, w[3], 4, 100000000);
    long line = r.line;
    set_shape(shapes, type, read_shape(&r, nv, nt), name, line);
  }
  reader_close(&r);
}

/* ---- frames of a dump --------------------------------------------------------------------- */

typedef struct {
  long id;
  int type;
  Vec x;
  double q[4];
} Body;

typedef struct {
  long long step;
  int n, room;
  Body *body;
  double lo[3], length[3];
  bool periodic[3];
  double worst_norm;  /* largest deviation of a quaternion's norm from 1 */
} Frame;

typedef struct {
  int n, id, type, x[3], q[4];
} Columns;

static int find_word(char *words[], int n, const char *name)
{
  for (int i = 0; i < n; i++)
    if (strcmp(words[i], name) == 0) return i;
  return -1;
}

/* quatw quati quatj quatk, or the first compute with columns [1] to [4] */
static bool find_quaternion(char *w[], int n, int column[4])
{
  static const char *const names[4] = {"quatw", "quati", "quatj", "quatk"};
  char name[128];
  int found = 0;
  for (int k = 0; k < 4; k++) found += (column[k] = find_word(w, n, names[k])) >= 0;
  for (int i = 0; i < n && found < 4; i++) {
    size_t stem = strcspn(w[i], "[");
    if (strncmp(w[i], "c_", 2) || strcmp(w[i] + stem, "[1]") || stem + 4 > sizeof name) continue;
    found = 0;
    for (int k = 0; k < 4; k++) {
      snprintf(name, sizeof name, "%.*s[%d]", (int) stem, w[i], k + 1);
      found += (column[k] = find_word(w, n, name)) >= 0;
    }
  }
  return found == 4;
}

static Columns find_columns(const Reader *r, char *w[], int n)
{
  static const char *const names[3][2] = {{"x", "xu"}, {"y", "yu"}, {"z", "zu"}};
  Columns c = {.n = n, .id = find_word(w, n, "id"), .type = find_word(w, n, "type")};
  if (c.id < 0 || c.type < 0) die(r->name, r->line, "the columns id and type are needed");
  for (int k = 0; k < 3; k++) {
    c.x[k] = find_word(w, n, names[k][0]);
    if (c.x[k] < 0) c.x[k] = find_word(w, n, names[k][1]);
    if (c.x[k] < 0) die(r->name, r->line, "the column %s is needed", names[k][0]);
  }
  if (!find_quaternion(w, n, c.q))
    die(r->name, r->line, "no orientation: quatw quati quatj quatk or c_NAME[1] ... c_NAME[4]");
  return c;
}

static void read_box(Reader *r, Frame *f, char *w[], int n)
{
  /* `ITEM: BOX BOUNDS pp ff ff`, after xy xz yz for a triclinic box */
  if (n > 3 && strcmp(w[3], "xy") == 0) die(r->name, r->line, "triclinic boxes are not supported");
  for (int k = 0; k < 3; k++) f->periodic[k] = n == 6 && strcmp(w[3 + k], "pp") == 0;
  for (int k = 0; k < 3; k++) {
    need_line(r, "a box bound");
    if (split(r, w) != 2) die(r->name, r->line, "a box bound needs two numbers");
    f->lo[k] = number(r, w[0]);
    f->length[k] = number(r, w[1]) - f->lo[k];
    if (f->length[k] < 0 || (f->periodic[k] && f->length[k] == 0))
      die(r->name, r->line, "the box has no extent");
  }
}

static Body read_body(const Reader *r, Frame *f, char *w[], const Columns *c)
{
  Body b = {.id = integer(r, w[c->id], 1, LONG_MAX),
            .type = (int) integer(r, w[c->type], 1, INT32_MAX)};
  b.x = vec(number(r, w[c->x[0]]), number(r, w[c->x[1]]), number(r, w[c->x[2]]));
  double s = 0;
  for (int k = 0; k < 4; k++) {
    b.q[k] = number(r, w[c->q[k]]);
    s += b.q[k] * b.q[k];
  }
  s = sqrt(s);
  if (fabs(s - 1) > 1e-3) die(r->name, r->line, "body %ld: quaternion of norm %g", b.id, s);
  for (int k = 0; k < 4; k++) b.q[k] /= s;
  f->worst_norm = fmax(f->worst_norm, fabs(s - 1));
  return b;
}

static void read_bodies(Reader *r, Frame *f, const Shapes *shapes, char *w[], int n)
{
  Columns c = find_columns(r, w + 2, n - 2);
  if (f->n > f->room) {
    f->room = f->n;
    f->body = resize(f->body, (size_t) f->n, sizeof *f->body);
  }
  for (int i = 0; i < f->n; i++) {
    need_line(r, "an atom");
    n = split(r, w);
    if (n != c.n) die(r->name, r->line, "%d words for %d columns", n, c.n);
    f->body[i] = read_body(r, f, w, &c);
    int type = f->body[i].type;
    if (type >= shapes->n || !shapes->of[type])
      die(r->name, r->line, "type %d has no shape", type);
  }
}

/* false at the end of the file */
static bool read_frame(Reader *r, Frame *f, const Shapes *shapes)
{
  char *w[MAX_TOKENS];
  bool begun = false, sized = false;
  int atoms = -1;
  while (read_line(r)) {
    int n = split(r, w);
    if (n == 0 && !begun) continue;
    if (n < 2 || strcmp(w[0], "ITEM:")) die(r->name, r->line, "expected a line ITEM: ...");
    begun = true;
    if (strcmp(w[1], "BOX") == 0) {
      read_box(r, f, w, n);
      sized = true;
    } else if (strcmp(w[1], "ATOMS") == 0) {
      if (atoms < 0 || !sized) die(r->name, r->line, "no number of atoms or no box before this");
      f->n = atoms;
      read_bodies(r, f, shapes, w, n);
      return true;
    } else {
      bool step = strcmp(w[1], "TIMESTEP") == 0, count = strcmp(w[1], "NUMBER") == 0;
      need_line(r, "a value");
      if (split(r, w) != 1) die(r->name, r->line, "expected one value");
      if (step) f->step = integer(r, w[0], LONG_MIN, LONG_MAX);
      if (count) atoms = (int) integer(r, w[0], 0, INT32_MAX - 1);
    }
  }
  if (begun) die(r->name, r->line, "the file ends within a frame");
  return false;
}

/* ---- two surfaces ------------------------------------------------------------------------- */

typedef struct {
  const Mesh *mesh;
  const Vec *v;
  Box box;
} Placed;

typedef enum { APART, TOUCHING, CROSSING, INSIDE } Relation;

/* for a crossing: the point where the edge meets the triangle and how far its nearer end is from
   the triangle's plane, the largest of all crossings; for containment: a vertex inside and its
   distance from the other surface */
typedef struct {
  Relation how;
  Vec point;
  double depth;
} Hit;

static Placed place(const Mesh *m, const Vec *v) { return (Placed) {m, v, box_of(v, m->nv)}; }

/* zero area: the four corners of a tetrahedron are never all in one plane, but all are in the
   "plane" of such a triangle */
static bool degenerate(Vec a, Vec b, Vec c)
{
  Vec e = vec(1 + fabs(a.x), 1 + fabs(a.y), 1 + fabs(a.z));
  return !orient(a, b, c, vec(a.x + e.x, a.y, a.z)) && !orient(a, b, c, vec(a.x, a.y + e.y, a.z)) &&
      !orient(a, b, c, vec(a.x, a.y, a.z + e.z));
}

/* the edge p q against the triangle a b c, whose boxes overlap */
static Relation edge_triangle(Vec p, Vec q, Vec a, Vec b, Vec c)
{
  int sp = orient(a, b, c, p), sq = orient(a, b, c, q);
  if (sp * sq > 0) return APART;
  if (sp == 0 && sq == 0) return degenerate(a, b, c) ? APART : TOUCHING;
  int s1 = orient(p, q, a, b), s2 = orient(p, q, b, c), s3 = orient(p, q, c, a);
  if ((s1 < 0 || s2 < 0 || s3 < 0) && (s1 > 0 || s2 > 0 || s3 > 0)) return APART;
  return sp && sq && s1 && s2 && s3 ? CROSSING : TOUCHING;
}

static void record_crossing(Vec p, Vec q, Vec a, Vec b, Vec c, Hit *hit)
{
  Vec n = cross(sub(b, a), sub(c, a));
  double hp = fabs(dot(n, sub(p, a))), hq = fabs(dot(n, sub(q, a)));
  double depth = fmin(hp, hq) / norm(n);
  if (hit->how == CROSSING && depth <= hit->depth) return;
  double s = hp + hq > 0 ? hp / (hp + hq) : 0.5;
  *hit = (Hit) {CROSSING, add(p, scale(s, sub(q, p))), depth};
}

/* edges of a through triangles of b */
static void edges_through(const Placed *a, const Placed *b, Box common, Hit *hit)
{
  int n = 0, *pick = a->mesh->pick;
  for (int i = 0; i < a->mesh->ne; i++) {
    const int *e = a->mesh->e[i];
    if (overlap(box2(a->v[e[0]], a->v[e[1]]), common)) pick[n++] = i;
  }
  for (int i = 0; i < b->mesh->nt && n > 0; i++) {
    const int *t = b->mesh->t[i];
    Vec v0 = b->v[t[0]], v1 = b->v[t[1]], v2 = b->v[t[2]];
    Box box = box3(v0, v1, v2);
    if (!overlap(box, common)) continue;
    for (int k = 0; k < n; k++) {
      Vec p = a->v[a->mesh->e[pick[k]][0]], q = a->v[a->mesh->e[pick[k]][1]];
      if (!overlap(box2(p, q), box)) continue;
      Relation how = edge_triangle(p, q, v0, v1, v2);
      if (how == CROSSING) record_crossing(p, q, v0, v1, v2, hit);
      if (how == TOUCHING && hit->how == APART) hit->how = TOUCHING;
    }
  }
}

/* crossings of the segment with the surface, or -1 if it only touches somewhere */
static int count_crossings(Vec p, Vec q, const Placed *b)
{
  int n = 0;
  Box ray = box2(p, q);
  for (int i = 0; i < b->mesh->nt; i++) {
    const int *t = b->mesh->t[i];
    Vec v0 = b->v[t[0]], v1 = b->v[t[1]], v2 = b->v[t[2]];
    if (!overlap(ray, box3(v0, v1, v2))) continue;
    Relation how = edge_triangle(p, q, v0, v1, v2);
    if (how == TOUCHING) return -1;
    n += how == CROSSING;
  }
  return n;
}

/* by the parity of a ray's crossings; a ray through an edge is drawn again */
static bool point_inside(Vec p, const Placed *b)
{
  uint64_t seed = 1;
  if (!overlap((Box) {p, p}, b->box)) return false;
  double span = 2 * norm(sub(b->box.hi, b->box.lo));
  for (int k = 0; k < 1000; k++) {
    int n = count_crossings(p, add(p, scale(span, random_direction(&seed))), b);
    if (n >= 0) return n % 2;
  }
  return false;  /* p is on the surface */
}

/* ---- distances ---------------------------------------------------------------------------- */

static double point_segment(Vec p, Vec a, Vec b)
{
  Vec ab = sub(b, a), ap = sub(p, a);
  double l2 = dot(ab, ab), s = l2 > 0 ? fmin(fmax(dot(ap, ab) / l2, 0), 1) : 0;
  return norm(sub(ap, scale(s, ab)));
}

static double point_triangle(Vec p, Vec a, Vec b, Vec c)
{
  Vec n = cross(sub(b, a), sub(c, a)), pa = sub(a, p), pb = sub(b, p), pc = sub(c, p);
  bool above = dot(n, cross(pa, pb)) >= 0 && dot(n, cross(pb, pc)) >= 0 &&
      dot(n, cross(pc, pa)) >= 0;
  if (above && dot(n, n) > 0) return fabs(dot(n, pa)) / norm(n);
  return fmin(point_segment(p, a, b), fmin(point_segment(p, b, c), point_segment(p, c, a)));
}

/* distance of the lines if it is attained within both segments, else infinity: the ends are
   found as vertices against triangles */
static double segment_segment(Vec p, Vec q, Vec a, Vec b)
{
  Vec u = sub(q, p), v = sub(b, a), w = sub(a, p), n = cross(u, v);
  double n2 = dot(n, n);
  if (!(n2 > 1e-24 * dot(u, u) * dot(v, v))) return INFINITY;
  double s = dot(cross(w, v), n) / n2, t = dot(cross(w, u), n) / n2;
  return s >= 0 && s <= 1 && t >= 0 && t <= 1 ? fabs(dot(w, n)) / sqrt(n2) : INFINITY;
}

static double point_surface(Vec p, const Placed *b, double best)
{
  for (int i = 0; i < b->mesh->nt; i++) {
    const int *t = b->mesh->t[i];
    Vec v0 = b->v[t[0]], v1 = b->v[t[1]], v2 = b->v[t[2]];
    if (box_gap((Box) {p, p}, box3(v0, v1, v2)) < best)
      best = fmin(best, point_triangle(p, v0, v1, v2));
  }
  return best;
}

static double vertices_to_surface(const Placed *a, const Placed *b, double best)
{
  for (int i = 0; i < a->mesh->nv; i++)
    if (box_gap((Box) {a->v[i], a->v[i]}, b->box) < best) best = point_surface(a->v[i], b, best);
  return best;
}

static double edges_to_edges(const Placed *a, const Placed *b, double best)
{
  for (int i = 0; i < a->mesh->ne; i++) {
    Vec p = a->v[a->mesh->e[i][0]], q = a->v[a->mesh->e[i][1]];
    Box box = box2(p, q);
    if (box_gap(box, b->box) >= best) continue;
    for (int j = 0; j < b->mesh->ne; j++) {
      Vec r = b->v[b->mesh->e[j][0]], s = b->v[b->mesh->e[j][1]];
      if (box_gap(box, box2(r, s)) < best) best = fmin(best, segment_segment(p, q, r, s));
    }
  }
  return best;
}

/* distance of two surfaces that do not intersect, or best if they are farther apart */
static double surface_distance(const Placed *a, const Placed *b, double best)
{
  if (box_gap(a->box, b->box) >= best) return best;
  best = vertices_to_surface(a, b, best);
  best = vertices_to_surface(b, a, best);
  return edges_to_edges(a, b, best);
}

/* ---- the verdict on two bodies ------------------------------------------------------------- */

static void find_inside(const Placed *a, const Placed *b, Hit *hit)
{
  for (int i = 0; i < a->mesh->nparts && hit->how == APART; i++) {
    Vec p = a->v[a->mesh->part[i]];
    if (point_inside(p, b)) *hit = (Hit) {INSIDE, p, point_surface(p, b, INFINITY)};
  }
}

/* b is a solid, or a wall through which one can only cross */
static Hit relation(const Placed *a, const Placed *b, bool solid)
{
  Hit hit = {APART, {0, 0, 0}, 0};
  if (!overlap(a->box, b->box)) return hit;
  Box common = {vmax(a->box.lo, b->box.lo), vmin(a->box.hi, b->box.hi)};
  edges_through(a, b, common, &hit);
  edges_through(b, a, common, &hit);
  if (solid) find_inside(a, b, &hit);
  if (solid) find_inside(b, a, &hit);
  return hit;
}

/* Where the exact tests find only contacts without a crossing (aligned blocks do that), the
   bodies may touch from outside or overlap with faces in common. They intersect unless a tiny
   displacement of a, here by moving its vertices, parts them. */
static Hit decide(const Placed *a, const Placed *b, bool solid, Vec *moved)
{
  enum { TRIES = 256 };  /* the only free directions may be those of one octant */
  Hit hit = relation(a, b, solid), found = {CROSSING, a->box.lo, 0};
  if (hit.how != TOUCHING) return hit;
  Vec reach = vmax(vmax(a->box.hi, b->box.hi), scale(-1, vmin(a->box.lo, b->box.lo)));
  double step = 1e-12 * norm(reach);
  uint64_t seed = 1;
  for (int k = 0; k < TRIES; k++) {
    Vec d = scale(step, random_direction(&seed));
    for (int i = 0; i < a->mesh->nv; i++) moved[i] = add(a->v[i], d);
    Placed near = place(a->mesh, moved);
    Hit now = relation(&near, b, solid);
    if (now.how == APART) return hit;
    if (now.how != TOUCHING && now.depth >= found.depth) found = now;
  }
  return found;
}

/* ---- a frame ------------------------------------------------------------------------------ */

typedef struct {
  Vec x, n;
} Plane;

typedef struct {
  long frames, bodies, pairs, boundaries, touching, intersections;
  double min_distance;
} Stats;

typedef struct {
  Shapes shapes;
  int nwalls, nplanes;
  Mesh *wall;
  const char **wall_name;
  Plane *plane;
  bool last_only, distance;
  const char *file;       /* being read */
  Stats stats;
  long reports;           /* intersections described so far */
  Vec *rotated;           /* vertices of all bodies, turned, about their centres */
  size_t *first;          /* where those of a body begin */
  Vec *near, *moved;      /* vertices of one body, at a place */
} Check;

/* a body or one of its periodic images */
typedef struct {
  int body, image[3];
  Vec x;
  double radius;
} Item;

static const Mesh *mesh_of(const Check *c, const Body *b) { return c->shapes.of[b->type]; }

static double largest_radius(const Check *c, const Frame *f)
{
  double r = 0;
  for (int i = 0; i < f->n; i++) r = fmax(r, mesh_of(c, &f->body[i])->radius);
  return r;
}

static void place_bodies(Check *c, const Frame *f)
{
  size_t n = 0, most = 0;
  c->first = resize(c->first, (size_t) f->n, sizeof *c->first);
  for (int i = 0; i < f->n; i++) {
    size_t nv = (size_t) mesh_of(c, &f->body[i])->nv;
    c->first[i] = n;
    n += nv;
    if (nv > most) most = nv;
  }
  c->rotated = resize(c->rotated, n, sizeof *c->rotated);
  c->near = resize(c->near, most, sizeof *c->near);
  c->moved = resize(c->moved, most, sizeof *c->moved);
  for (int i = 0; i < f->n; i++) {
    const Mesh *m = mesh_of(c, &f->body[i]);
    for (int k = 0; k < m->nv; k++)
      c->rotated[c->first[i] + (size_t) k] = rotate(f->body[i].q, m->v[k]);
  }
}

/* the body's vertices moved to x */
static Placed place_near(Check *c, const Frame *f, int body, Vec x)
{
  const Mesh *m = mesh_of(c, &f->body[body]);
  for (int k = 0; k < m->nv; k++) c->near[k] = add(c->rotated[c->first[body] + (size_t) k], x);
  return place(m, c->near);
}

/* counts the intersection and describes it, if it is one of the first */
static void report(Check *c, const Frame *f, const Hit *hit, Vec origin, const char *format, ...)
{
  va_list args;
  c->stats.intersections++;
  c->stats.min_distance = 0;
  if (c->reports++ >= MAX_REPORTS) return;
  Vec p = add(origin, hit->point);
  printf("intersection: %s frame %ld timestep %lld ", c->file, c->stats.frames, f->step);
  va_start(args, format);
  vprintf(format, args);
  va_end(args);
  printf(" %s at %.9g %.9g %.9g depth %.3g\n",
         hit->how == INSIDE ? "contained" : "crossing", p.x, p.y, p.z, hit->depth);
}

static void check_planes(Check *c, const Frame *f, int body)
{
  const Body *b = &f->body[body];
  const Mesh *m = mesh_of(c, b);
  const Vec *v = c->rotated + c->first[body];
  for (int k = 0; k < c->nplanes; k++) {
    const Plane *plane = &c->plane[k];
    double lowest = INFINITY;
    Hit hit = {CROSSING, {0, 0, 0}, 0};
    for (int i = 0; i < m->nv; i++) {
      double h = dot(plane->n, add(sub(b->x, plane->x), v[i]));
      if (h < lowest) hit.point = v[i];
      lowest = fmin(lowest, h);
    }
    hit.depth = -lowest;
    c->stats.boundaries++;
    if (lowest < 0) report(c, f, &hit, b->x, "body %ld plane %d", b->id, k + 1);
    else c->stats.min_distance = fmin(c->stats.min_distance, lowest);
  }
}

static void check_walls(Check *c, const Frame *f, const Item *item)
{
  if (c->nwalls == 0) return;
  Placed body = place_near(c, f, item->body, item->x);
  for (int k = 0; k < c->nwalls; k++) {
    Placed wall = place(&c->wall[k], c->wall[k].v);
    Hit hit = decide(&body, &wall, false, c->moved);
    c->stats.boundaries++;
    c->stats.touching += hit.how == TOUCHING;
    if (hit.how == CROSSING)
      report(c, f, &hit, vec(0, 0, 0), "body %ld wall %s", f->body[item->body].id, c->wall_name[k]);
    else if (c->distance)
      c->stats.min_distance = surface_distance(&body, &wall, c->stats.min_distance);
  }
}

/* both about the centre of the first, so that coordinates are small and rounding is too */
static void check_pair(Check *c, const Frame *f, const Item *p, const Item *q)
{
  const Body *a = &f->body[p->body], *b = &f->body[q->body];
  Placed first = place(mesh_of(c, a), c->rotated + c->first[p->body]);
  Placed second = place_near(c, f, q->body, sub(q->x, p->x));
  Hit hit = decide(&second, &first, true, c->moved);
  long id[2] = {a->id < b->id ? a->id : b->id, a->id < b->id ? b->id : a->id};
  c->stats.pairs++;
  c->stats.touching += hit.how == TOUCHING;
  if (hit.how > TOUCHING) report(c, f, &hit, p->x, "bodies %ld %ld", id[0], id[1]);
  else if (c->distance)
    c->stats.min_distance = surface_distance(&second, &first, c->stats.min_distance);
}

/* ---- pairs of neighbours ------------------------------------------------------------------- */

typedef struct {
  Item *item;
  size_t n, room;
} Items;

static void push_item(Items *s, Item item)
{
  if (s->n == s->room) {
    s->room = s->room ? 2 * s->room : 64;
    s->item = resize(s->item, s->room, sizeof *s->item);
  }
  s->item[s->n++] = item;
}

/* images of a body that come as near as reach to the box along dimension k, and itself */
static void images(const Frame *f, double x, int k, double reach, int *least, int *most)
{
  *least = *most = 0;
  if (!f->periodic[k]) return;
  *least = (int) ceil((f->lo[k] - reach - x) / f->length[k]);
  *most = (int) floor((f->lo[k] + f->length[k] + reach - x) / f->length[k]);
}

static Vec wrap(const Frame *f, Vec x)
{
  double c[3] = {x.x, x.y, x.z};
  for (int k = 0; k < 3; k++)
    if (f->periodic[k]) c[k] -= f->length[k] * floor((c[k] - f->lo[k]) / f->length[k]);
  return vec(c[0], c[1], c[2]);
}

static void push_images(Items *items, const Frame *f, Item own, double reach)
{
  int lo[3], hi[3];
  double x[3] = {own.x.x, own.x.y, own.x.z};
  for (int k = 0; k < 3; k++) images(f, x[k], k, reach, &lo[k], &hi[k]);
  for (int i = lo[0]; i <= hi[0]; i++)
    for (int j = lo[1]; j <= hi[1]; j++)
      for (int k = lo[2]; k <= hi[2]; k++) {
        Vec shift = vec(i * f->length[0], j * f->length[1], k * f->length[2]);
        push_item(items, (Item) {own.body, {i, j, k}, add(own.x, shift), own.radius});
      }
}

static bool is_image(const Item *a) { return a->image[0] || a->image[1] || a->image[2]; }

/* Each pair occurs as (i, image of j) and as (j, image of i): keep one of the two, and half of
   a body's neighbourhood with its own images. */
static bool wanted(const Item *a, const Item *b)
{
  if (is_image(a)) return false;
  if (a->body != b->body) return a->body < b->body;
  for (int k = 0; k < 3; k++)
    if (b->image[k]) return b->image[k] > 0;
  return false;
}

static void check_neighbours(Check *c, const Frame *f, const Item *a, const Item *b, double margin)
{
  double cut = a->radius + b->radius + margin;
  Vec d = sub(b->x, a->x);
  if (dot(d, d) > cut * cut) return;
  if (is_image(a) || (!is_image(b) && a->body > b->body)) {
    const Item *swap = a;
    a = b;
    b = swap;
  }
  if (wanted(a, b)) check_pair(c, f, a, b);
}

static int compare_items(const void *a, const void *b)
{
  const Item *p = a, *q = b;
  double x = p->x.x - p->radius, y = q->x.x - q->radius;
  return (x > y) - (x < y);
}

/* bounding spheres sorted along x and swept; wider spheres if distances are wanted too */
static void check_frame(Check *c, const Frame *f)
{
  Items s = {NULL, 0, 0};
  double most = largest_radius(c, f), margin = c->distance ? most : 0;
  place_bodies(c, f);
  for (int i = 0; i < f->n; i++) {
    Item own = {i, {0, 0, 0}, wrap(f, f->body[i].x), mesh_of(c, &f->body[i])->radius};
    check_planes(c, f, i);
    push_images(&s, f, own, own.radius + most + margin);
  }
  if (s.n > 0) qsort(s.item, s.n, sizeof *s.item, compare_items);
  for (size_t i = 0; i < s.n; i++) {
    const Item *a = &s.item[i];
    check_walls(c, f, a);
    for (size_t j = i + 1; j < s.n; j++) {
      const Item *b = &s.item[j];
      if (b->x.x - b->radius > a->x.x + a->radius + margin) break;
      check_neighbours(c, f, a, b, margin);
    }
  }
  free(s.item);
  c->stats.bodies = f->n;
}

/* ---- files and command line ---------------------------------------------------------------- */

static void print_stats(const Check *c, const Stats *s)
{
  printf("frames = %ld\nbodies = %ld\npairs_tested = %ld\n", s->frames, s->bodies, s->pairs);
  printf("boundaries_tested = %ld\ntouching = %ld\n", s->boundaries, s->touching);
  printf("intersections = %ld\n", s->intersections);
  if (c->distance) printf("min_distance = %.9g\n", s->min_distance);
}

static Stats add_stats(Stats a, Stats b)
{
  return (Stats) {a.frames + b.frames, b.bodies, a.pairs + b.pairs, a.boundaries + b.boundaries,
                  a.touching + b.touching, a.intersections + b.intersections,
                  fmin(a.min_distance, b.min_distance)};
}

static Stats check_file(Check *c, const char *name)
{
  Frame f = {0};
  Reader r = reader_open(name);
  c->file = name;
  c->stats = (Stats) {.min_distance = INFINITY};
  while (read_frame(&r, &f, &c->shapes)) {
    c->stats.frames++;
    if (!c->last_only) check_frame(c, &f);
  }
  if (c->stats.frames == 0) die(name, 0, "no frame");
  if (c->last_only) check_frame(c, &f);
  if (f.worst_norm > 1e-9)
    fprintf(stderr, "intersect: %s: quaternions of few digits (norm off by %.1e): "
            "use dump_modify format float %%.17g\n", name, f.worst_norm);
  reader_close(&r);
  free(f.body);
  return c->stats;
}

static const char *argument(int argc, char **argv, int *i)
{
  if (++*i >= argc) die(NULL, 0, "an argument is missing at the end");
  return argv[*i];
}

static void add_plane(Check *c, int argc, char **argv, int *i)
{
  double p[6];
  for (int k = 0; k < 6; k++) p[k] = to_number(argument(argc, argv, i), "--plane", 0);
  Vec n = vec(p[3], p[4], p[5]);
  if (norm(n) == 0) die("--plane", 0, "the normal is zero");
  c->plane = resize(c->plane, (size_t) c->nplanes + 1, sizeof *c->plane);
  c->plane[c->nplanes++] = (Plane) {vec(p[0], p[1], p[2]), scale(1 / norm(n), n)};
}

static void add_wall(Check *c, const char *name)
{
  c->wall = resize(c->wall, (size_t) c->nwalls + 1, sizeof *c->wall);
  c->wall_name = resize(c->wall_name, (size_t) c->nwalls + 1, sizeof *c->wall_name);
  c->wall_name[c->nwalls] = name;
  c->wall[c->nwalls++] = read_surface(name, false);
}

static void add_shape(Check *c, bool principal, int argc, char **argv, int *i)
{
  int type = (int) to_integer(argument(argc, argv, i), 1, 1000000, "--shape", 0);
  const char *name = argument(argc, argv, i);
  if (!principal) die(name, 0, "say --principal if this file is in the principal frame");
  set_shape(&c->shapes, type, read_surface(name, true), name, 0);
}

static void set_frames(Check *c, const char *which)
{
  c->last_only = strcmp(which, "last") == 0;
  if (!c->last_only && strcmp(which, "all")) die("--frames", 0, "'%s' is not all or last", which);
}

/* options into c, names of dumps to the front of argv; returns how many these are */
static int read_options(Check *c, int argc, char **argv)
{
  int files = 0;
  bool principal = false;
  for (int i = 1; i < argc; i++) {
    const char *arg = argv[i];
    if (strcmp(arg, "--shapes") == 0) read_shapes(argument(argc, argv, &i), &c->shapes);
    else if (strcmp(arg, "--principal") == 0) principal = true;
    else if (strcmp(arg, "--shape") == 0) add_shape(c, principal, argc, argv, &i);
    else if (strcmp(arg, "--wall") == 0) add_wall(c, argument(argc, argv, &i));
    else if (strcmp(arg, "--plane") == 0) add_plane(c, argc, argv, &i);
    else if (strcmp(arg, "--frames") == 0) set_frames(c, argument(argc, argv, &i));
    else if (strcmp(arg, "--distance") == 0) c->distance = true;
    else if (arg[0] == '-') die(NULL, 0, "unknown option %s", arg);
    else argv[files++] = argv[i];
  }
  if (files == 0 || c->shapes.n == 0)
    die(NULL, 0, "usage: intersect (--shapes FILE | --principal --shape TYPE FILE) ... "
        "[--wall FILE] [--plane x y z nx ny nz] [--frames all|last] [--distance] DUMP ...");
  return files;
}

static void check_free(Check *c)
{
  free_shapes(&c->shapes);
  for (int k = 0; k < c->nwalls; k++) mesh_free(&c->wall[k]);
  free(c->wall);
  free(c->wall_name);
  free(c->plane);
  free(c->rotated);
  free(c->first);
  free(c->near);
  free(c->moved);
}

int main(int argc, char **argv)
{
  Check c = {0};
  Stats total = {.min_distance = INFINITY};
  int files = read_options(&c, argc, argv);
  for (int i = 0; i < files; i++) {
    Stats s = check_file(&c, argv[i]);
    if (files > 1) printf("file = %s\n", argv[i]);
    print_stats(&c, &s);
    total = add_stats(total, s);
  }
  if (files > 1) {
    printf("file = all\n");
    print_stats(&c, &total);
  }
  check_free(&c);
  return total.intersections > 0;
}
