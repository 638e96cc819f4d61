/* SPDX-License-Identifier: MIT
 * Random linear systems as contact makes them, for the tests and the benchmark of the solver.
 *
 * n bodies sit on a cubic lattice in shuffled order; lattice neighbours touch with a probability.
 * A diagonal block is m / h^2 [N/m] and J / h^2 [N m/rad]; a contact adds G^T K G of its two bodies
 * with an unsymmetric 3x3 stiffness K spread over decades. Every rank builds the same system from
 * the seed and owns a contiguous share of its rows. */
#ifndef BLOCK_SYSTEM_H
#define BLOCK_SYSTEM_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct block_system {
  int n;          /* bodies */
  int *rowptr;    /* [n + 1] */
  int *col;       /* [nnz] ascending */
  double *values; /* [36 nnz] row-major blocks */
} block_system;

/* the owned share of a block_system: rows first .. first + nlocal */
typedef struct block_share {
  int first, nlocal;
  int *rowptr;    /* [nlocal + 1], from 0 */
  const int *col; /* into the system */
  double *values; /* into the system */
} block_share;

enum { BLOCK_DEGREE = 12 }; /* room for the neighbours of a body and itself */

static inline double block_random(unsigned long *seed)
{
  *seed = *seed * 6364136223846793005ul + 1442695040888963407ul;
  return (double)(*seed >> 11) / 9007199254740992.0;
}

static inline double *block_at(const block_system *s, int i, int j)
{
  for (int k = s->rowptr[i]; k < s->rowptr[i + 1]; k++)
    if (s->col[k] == j) return s->values + 36 * (size_t)k;
  return NULL;
}

static inline int block_compare(const void *a, const void *b)
{
  return *(const int *)a - *(const int *)b;
}

static inline int *block_shuffle(int n, unsigned long *seed)
{
  int *order = malloc(sizeof *order * (size_t)(n + 1));
  for (int i = 0; i < n; i++) order[i] = i;
  for (int i = n - 1; i > 0; i--) {
    int j = (int)(block_random(seed) * (i + 1)), keep = order[i];
    order[i] = order[j];
    order[j] = keep;
  }
  return order;
}

/* neighbour lists into list[n][BLOCK_DEGREE], lengths into count */
static inline void block_connect(int n, double chance, unsigned long *seed,
                                 int (*list)[BLOCK_DEGREE], int *count)
{
  int m = (int)ceil(cbrt(n)), *order = block_shuffle(n, seed);
  const int step[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int at = 0; at < n; at++)
    for (int k = 0; k < 3; k++) {
      int x = at % m + step[k][0], y = at / m % m + step[k][1], z = at / m / m + step[k][2];
      int to = x + m * (y + m * z);
      if (x >= m || y >= m || to >= n || block_random(seed) > chance) continue;
      int i = order[at], j = order[to];
      list[i][count[i]++] = j;
      list[j][count[j]++] = i;
    }
  free(order);
}

static inline void block_pattern(block_system *s, double chance, unsigned long *seed)
{
  size_t n = (size_t)s->n;
  int(*list)[BLOCK_DEGREE] = calloc(n + 1, sizeof *list), *count = calloc(n + 1, sizeof *count);
  block_connect(s->n, chance, seed, list, count);
  s->rowptr = calloc(n + 1, sizeof *s->rowptr);
  s->col = calloc(n * BLOCK_DEGREE + 1, sizeof *s->col);
  for (int i = 0; i < s->n; i++) {
    list[i][count[i]++] = i;
    qsort(list[i], (size_t)count[i], sizeof(int), block_compare);
    memcpy(s->col + s->rowptr[i], list[i], sizeof(int) * (size_t)count[i]);
    s->rowptr[i + 1] = s->rowptr[i] + count[i];
  }
  free(list);
  free(count);
}

/* K = k (n n^T + 0.3 I + unsymmetric part), k between 1e3 and 1e9 N/m */
static inline void block_stiffness(unsigned long *seed, double K[3][3])
{
  double n[3], length = 0, k = pow(10, 3 + 6 * block_random(seed));
  for (int r = 0; r < 3; r++) {
    n[r] = block_random(seed) - 0.5;
    length += n[r] * n[r];
  }
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++)
      K[r][c] = k * (n[r] * n[c] / length + 0.3 * (r == c) + 0.2 * (block_random(seed) - 0.5));
}

/* motion of the contact point per motion of a body: sign (I, -[arm]x) */
static inline void block_lever(unsigned long *seed, double sign, double G[3][6])
{
  double a[3];
  for (int r = 0; r < 3; r++) a[r] = 0.1 * (block_random(seed) - 0.5);
  memset(G, 0, sizeof(double[3][6]));
  for (int r = 0; r < 3; r++) {
    G[r][r] = sign;
    G[r][3 + (r + 1) % 3] = sign * a[(r + 2) % 3];
    G[r][3 + (r + 2) % 3] = -sign * a[(r + 1) % 3];
  }
}

/* block += A^T K B */
static inline void block_add(double *block, double A[3][6], double K[3][3], double B[3][6])
{
  for (int r = 0; r < 6; r++)
    for (int c = 0; c < 6; c++)
      for (int e = 0; e < 3; e++)
        for (int f = 0; f < 3; f++) block[6 * r + c] += A[e][r] * K[e][f] * B[f][c];
}

static inline void block_contact(block_system *s, int i, int j, unsigned long *seed)
{
  double K[3][3], A[3][6], B[3][6];
  block_stiffness(seed, K);
  block_lever(seed, 1, A);
  block_lever(seed, -1, B);
  block_add(block_at(s, i, i), A, K, A);
  block_add(block_at(s, i, j), A, K, B);
  block_add(block_at(s, j, i), B, K, A);
  block_add(block_at(s, j, j), B, K, B);
}

static inline void block_inertia(block_system *s, int i)
{
  double *diagonal = block_at(s, i, i);
  for (int r = 0; r < 3; r++) {
    diagonal[7 * r] += 1e6;
    diagonal[7 * (r + 3)] += 1.6e3 * (1 + r);
  }
}

/* Fresh values on the pattern that stands: 1 kg, 1.6e-3 kg m^2 and more, h = 1e-3 s. Neighbours
 * touch with a probability, which leaves zeros where they do not; with the same seed those that
 * touch at a smaller chance are some of those at a larger one. */
static inline void block_values_of_some(block_system *s, double chance, unsigned long seed)
{
  unsigned long draw = seed + 1;
  memset(s->values, 0, sizeof(double) * 36 * (size_t)s->rowptr[s->n]);
  for (int i = 0; i < s->n; i++) {
    block_inertia(s, i);
    for (int k = s->rowptr[i]; k < s->rowptr[i + 1]; k++)
      if (s->col[k] > i && (chance >= 1 || block_random(&draw) < chance))
        block_contact(s, i, s->col[k], &seed);
  }
}

static inline void block_values(block_system *s, unsigned long seed)
{
  block_values_of_some(s, 1, seed);
}

static inline block_system block_create(int n, double chance, unsigned long seed)
{
  block_system s = {.n = n};
  block_pattern(&s, chance, &seed);
  s.values = calloc(36 * (size_t)s.rowptr[n] + 1, sizeof(double));
  block_values(&s, seed);
  return s;
}

/* Towers number `from` to `to` - 1, which do not touch each other; number t has t + 1 bodies and is
 * the same in any company. */
static inline block_system block_towers(int from, int to)
{
  block_system s = {.n = to * (to + 1) / 2 - from * (from + 1) / 2};
  s.rowptr = calloc((size_t)s.n + 1, sizeof *s.rowptr);
  s.col = calloc(3 * (size_t)s.n, sizeof *s.col);
  s.values = calloc(36 * 3 * (size_t)s.n, sizeof *s.values);
  for (int t = from, i = 0, n = 0; t < to; t++)
    for (int k = 0; k <= t; k++, i++) {
      if (k > 0) s.col[n++] = i - 1;
      s.col[n++] = i;
      if (k < t) s.col[n++] = i + 1;
      s.rowptr[i + 1] = n;
    }
  for (int t = from, i = 0; t < to; t++) {
    unsigned long seed = 100 + (unsigned long)t;
    for (int k = 0; k <= t; k++, i++) {
      block_inertia(&s, i);
      if (k > 0) block_contact(&s, i - 1, i, &seed);
    }
  }
  return s;
}

static inline void block_free(block_system *s)
{
  free(s->rowptr);
  free(s->col);
  free(s->values);
}

/* rows first .. first + nlocal of the system, as a rank hands them to the solver */
static inline block_share block_cut(const block_system *s, int first, int nlocal)
{
  block_share cut = {.first = first, .nlocal = nlocal};
  cut.rowptr = calloc((size_t)nlocal + 1, sizeof *cut.rowptr);
  for (int i = 0; i <= nlocal; i++) cut.rowptr[i] = s->rowptr[first + i] - s->rowptr[first];
  cut.col = s->col + s->rowptr[first];
  cut.values = s->values + 36 * (size_t)s->rowptr[first];
  return cut;
}

/* the share of one rank of `size`, as even as it goes */
static inline block_share block_even(const block_system *s, int rank, int size)
{
  int first = (int)((long)s->n * rank / size);
  return block_cut(s, first, (int)((long)s->n * (rank + 1) / size) - first);
}

/* y = A x over the whole system */
static inline void block_multiply(const block_system *s, const double *x, double *y)
{
  for (int i = 0; i < 6 * s->n; i++) {
    y[i] = 0;
    for (int k = s->rowptr[i / 6]; k < s->rowptr[i / 6 + 1]; k++)
      for (int c = 0; c < 6; c++)
        y[i] += s->values[36 * (size_t)k + 6 * (i % 6) + c] * x[6 * s->col[k] + c];
  }
}

#endif
