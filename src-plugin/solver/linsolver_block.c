/* SPDX-License-Identifier: MIT
 * Sparse LU of 6x6 blocks for patterns that change from one matrix to the next: blocks that are
 * zero throughout take no part, so that the pattern handed over may be that of all that might
 * touch. Rows without coupling cost next to nothing. Elimination by minimum degree within every
 * connected component, pivoting within the diagonal blocks only; where that is not good enough, or
 * the fill is such that another solver is quicker, PETSc takes over. Always replicated. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "linsolver_impl.h"

/* connected bodies beyond which PETSc is quicker */
enum { COMPONENT_MAX = 2048 };

/* blocks of the factors per row beyond which PETSc is quicker */
enum { FILL_MAX = 160 };

/* The factors, by positions in the order of elimination: L below, U right of the diagonal. */
typedef struct block_data {
  double *values;    /* [36 nnz] row-scaled copy */
  int *live, *nlive; /* [nnz], [n] entries that are not zero: indices into col, by row; how many */
  int *old, *nold;   /* those of the factorisation before */
  int *adj, *first;  /* [2 nnz], [n + 1] symmetric pattern without the diagonal */
  int *row, *pos;    /* [n] row of a position, position of a row */
  int *seen, *queue; /* [n] */
  int *start;        /* [n + 1] where the lists of a position begin in list, l and u */
  int *list;         /* [fill] positions coupled with this one, ascending */
  double *diag;      /* [36 n] inverse of the diagonal block */
  double *l, *u;     /* [36 fill] blocks (list, p) and (p, list) */
  double *y;         /* [6 n] */
  uint64_t *bits;    /* [m words] adjacency within a component */
  size_t cap_fill, cap_blocks, cap_bits;
  int known;           /* the symbolic part is that of old */
  pd_linsolver *other; /* PETSc, made when first needed */
  int other_works;     /* the present factors are there */
} block_data;

static void free_arrays(block_data *d)
{
  void *const all[] = {d->values, d->live, d->nlive, d->old,  d->nold,  d->adj,
                       d->first,  d->row,  d->pos,   d->seen, d->queue, d->start,
                       d->list,   d->diag, d->l,     d->u,    d->y,     d->bits};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
  pd_linsolver_destroy(d->other);
  *d = (block_data){0};
}

static void block_destroy(pd_linsolver *s)
{
  if (s->data) free_arrays(s->data);
  free(s->data);
}

static pd_status block_create(pd_linsolver *s)
{
  s->data = pd_linsolver_alloc(1, sizeof(block_data));
  return s->data ? PD_OK : PD_ENOMEM;
}

static int block_replicate(pd_linsolver *s)
{
  (void)s;
  return 1;
}

static pd_status block_set_pattern(pd_linsolver *s)
{
  block_data *d = s->data;
  const size_t n = (size_t)s->nglobal, nnz = (size_t)s->rowptr[s->nlocal];
  free_arrays(d);
  int **const per_row[] = {&d->nlive, &d->nold, &d->row, &d->pos, &d->seen, &d->queue};
  int **const ends[] = {&d->first, &d->start};
  int **const per_entry[] = {&d->live, &d->old};
  int missing = 0;
  for (int i = 0; i < 6; i++) missing |= !(*per_row[i] = pd_linsolver_alloc(n, sizeof(int)));
  for (int i = 0; i < 2; i++) missing |= !(*ends[i] = pd_linsolver_alloc(n + 1, sizeof(int)));
  for (int i = 0; i < 2; i++) missing |= !(*per_entry[i] = pd_linsolver_alloc(nnz, sizeof(int)));
  missing |= !(d->adj = pd_linsolver_alloc(2 * nnz, sizeof(int)));
  missing |= !(d->values = pd_linsolver_alloc(PD_BS2 * nnz, sizeof(double)));
  missing |= !(d->diag = pd_linsolver_alloc(PD_BS2 * n, sizeof(double)));
  missing |= !(d->y = pd_linsolver_alloc(PD_BS * n, sizeof(double)));
  return missing ? PD_ENOMEM : PD_OK;
}

/* ---- which blocks live ---- */

static int is_zero(const double *block)
{
  for (int e = 0; e < PD_BS2; e++)
    if (block[e] != 0.0) return 0;
  return 1;
}

/* notes the blocks that are not zero and copies them with scaled rows; whether they are those of
 * the matrix before */
static int scan(const pd_linsolver *s, const double *values)
{
  block_data *d = s->data;
  int n = 0, same = d->known;
  for (int i = 0; i < s->nglobal; i++) {
    const int begin = n;
    const double *scale = s->scale + PD_BS * i;
    for (int k = s->rowptr[i]; k < s->rowptr[i + 1]; k++) {
      const double *in = values + PD_BS2 * (size_t)k;
      if (s->col[k] != i && is_zero(in)) continue;
      double *out = d->values + PD_BS2 * (size_t)k;
      for (int e = 0; e < PD_BS2; e++) out[e] = scale[e / PD_BS] * in[e];
      same = same && d->old[n] == k;
      d->live[n++] = k;
    }
    d->nlive[i] = n - begin;
    same = same && d->nlive[i] == d->nold[i];
  }
  return same;
}

/* symmetric pattern of the live blocks, repetitions allowed */
static void symmetrise(const pd_linsolver *s)
{
  block_data *d = s->data;
  memset(d->first, 0, ((size_t)s->nglobal + 1) * sizeof *d->first);
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0, n = 0; i < s->nglobal; i++)
      for (int k = 0; k < d->nlive[i]; k++) {
        const int j = s->col[d->live[n++]];
        if (i == j) continue;
        if (pass == 0) {
          d->first[i]++;
          d->first[j]++;
        } else {
          d->adj[--d->first[i]] = j;
          d->adj[--d->first[j]] = i;
        }
      }
    for (int i = 0; pass == 0 && i < s->nglobal; i++) d->first[i + 1] += d->first[i];
  }
}

/* ---- elimination order ---- */

/* rows connected with the given one, into queue; pos serves as their local numbers */
static int component(const block_data *d, int root)
{
  int n = 0;
  d->seen[root] = 1;
  d->pos[root] = n;
  d->queue[n++] = root;
  for (int i = 0; i < n; i++)
    for (int k = d->first[d->queue[i]]; k < d->first[d->queue[i] + 1]; k++) {
      const int j = d->adj[k];
      if (d->seen[j]) continue;
      d->seen[j] = 1;
      d->pos[j] = n;
      d->queue[n++] = j;
    }
  return n;
}

static int grow(void **p, size_t *cap, size_t n, size_t size)
{
  if (n <= *cap) return 1;
  const size_t want = n + n / 2 + 64;
  void *q = realloc(*p, want * size);
  if (!q) return 0;
  *p = q;
  *cap = want;
  return 1;
}

static int degree(const uint64_t *bits, int words)
{
  int n = 0;
  for (int i = 0; i < words; i++) n += __builtin_popcountll(bits[i]);
  return n;
}

static int least_degree(const int *deg, const uint64_t *gone, int m)
{
  int best = -1;
  for (int i = 0; i < m; i++)
    if (!(gone[i / 64] >> (i % 64) & 1) && (best < 0 || deg[i] < deg[best])) best = i;
  return best;
}

/* Minimum degree on the adjacency bits of a component of m rows in queue; positions from base on.
 * The lists of all positions get local numbers, to be translated. */
static pd_status eliminate(block_data *d, int m, int base)
{
  const int words = (m + 63) / 64;
  if (!grow((void **)&d->bits, &d->cap_bits, ((size_t)m + 1) * (size_t)words + (size_t)m,
            sizeof *d->bits))
    return PD_ENOMEM;
  uint64_t *gone = d->bits + (size_t)m * (size_t)words;
  int *deg = (int *)(gone + words);
  memset(d->bits, 0, ((size_t)m + 1) * (size_t)words * sizeof *d->bits);
  for (int i = 0; i < m; i++) {
    uint64_t *own = d->bits + (size_t)i * (size_t)words;
    for (int k = d->first[d->queue[i]]; k < d->first[d->queue[i] + 1]; k++) {
      const int j = d->pos[d->adj[k]];
      own[j / 64] |= (uint64_t)1 << (j % 64);
    }
    deg[i] = degree(own, words);
  }
  for (int p = base; p < base + m; p++) {
    const int i = least_degree(deg, gone, m), n = deg[i];
    uint64_t *own = d->bits + (size_t)i * (size_t)words;
    gone[i / 64] |= (uint64_t)1 << (i % 64);
    d->row[p] = d->queue[i];
    d->start[p + 1] = d->start[p] + n;
    if (!grow((void **)&d->list, &d->cap_fill, (size_t)d->start[p + 1], sizeof *d->list))
      return PD_ENOMEM;
    int *list = d->list + d->start[p], count = 0;
    for (int w = 0; w < words; w++)
      for (uint64_t b = own[w]; b; b &= b - 1) list[count++] = 64 * w + __builtin_ctzll(b);
    for (int k = 0; k < n; k++) {
      const int j = list[k];
      uint64_t *other = d->bits + (size_t)j * (size_t)words;
      for (int w = 0; w < words; w++) other[w] |= own[w];
      other[i / 64] &= ~((uint64_t)1 << (i % 64));
      other[j / 64] &= ~((uint64_t)1 << (j % 64));
      deg[j] = degree(other, words);
    }
  }
  return PD_OK;
}

static void sort(int *list, int n)
{
  for (int i = 1; i < n; i++) {
    const int x = list[i];
    int j = i;
    for (; j > 0 && list[j - 1] > x; j--) list[j] = list[j - 1];
    list[j] = x;
  }
}

/* local numbers to positions, ascending */
static void translate(block_data *d, int m, int base)
{
  for (int p = base; p < base + m; p++) d->pos[d->row[p]] = p;
  for (int k = d->start[base]; k < d->start[base + m]; k++)
    d->list[k] = d->pos[d->queue[d->list[k]]];
  for (int p = base; p < base + m; p++) sort(d->list + d->start[p], d->start[p + 1] - d->start[p]);
}

/* Orders all rows. Errors: PD_ERANGE (better left to PETSc), PD_ENOMEM. */
static pd_status order_rows(pd_linsolver *s)
{
  block_data *d = s->data;
  int base = 0;
  symmetrise(s);
  memset(d->seen, 0, (size_t)s->nglobal * sizeof *d->seen);
  d->start[0] = 0;
  for (int root = 0; root < s->nglobal; root++) {
    if (d->seen[root]) continue;
    const int m = component(d, root);
    if (m > COMPONENT_MAX) return PD_ERANGE;
    const pd_status status = eliminate(d, m, base);
    if (status) return status;
    translate(d, m, base);
    base += m;
    if (d->start[base] > FILL_MAX * s->nglobal) return PD_ERANGE;
  }
  const size_t blocks = PD_BS2 * (size_t)d->start[base];
  size_t cap = d->cap_blocks;
  if (!grow((void **)&d->l, &cap, blocks, sizeof *d->l)) return PD_ENOMEM;
  if (!grow((void **)&d->u, &d->cap_blocks, blocks, sizeof *d->u)) return PD_ENOMEM;
  return PD_OK;
}

static pd_status analyse(pd_linsolver *s)
{
  block_data *d = s->data;
  int *swap = d->old;
  d->old = d->live;
  d->live = swap;
  swap = d->nold;
  d->nold = d->nlive;
  d->nlive = swap;
  memcpy(d->live, d->old, (size_t)s->rowptr[s->nlocal] * sizeof *d->live);
  memcpy(d->nlive, d->nold, (size_t)s->nglobal * sizeof *d->nlive);
  const pd_status status = order_rows(s);
  d->known = !status;
  s->cost.analyses++;
  return status;
}

/* ---- numbers ---- */

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define MANY_TARGETS __attribute__((target_clones("avx2,fma", "default")))
#else
#define MANY_TARGETS
#endif

/* c -= a b */
static inline void subtract_block(double *restrict c, const double *restrict a,
                                  const double *restrict b)
{
  for (int i = 0; i < PD_BS; i++) {
    double row[PD_BS];
    for (int j = 0; j < PD_BS; j++) row[j] = c[PD_BS * i + j];
    for (int k = 0; k < PD_BS; k++) {
      const double x = a[PD_BS * i + k];
      for (int j = 0; j < PD_BS; j++) row[j] -= x * b[PD_BS * k + j];
    }
    for (int j = 0; j < PD_BS; j++) c[PD_BS * i + j] = row[j];
  }
}

/* a = a b */
static inline void times_block(double *restrict a, const double *restrict b)
{
  for (int i = 0; i < PD_BS; i++) {
    double row[PD_BS] = {0};
    for (int k = 0; k < PD_BS; k++)
      for (int j = 0; j < PD_BS; j++) row[j] += a[PD_BS * i + k] * b[PD_BS * k + j];
    for (int j = 0; j < PD_BS; j++) a[PD_BS * i + j] = row[j];
  }
}

/* a in place by its inverse, Gauss and Jordan with row exchanges; 0 if singular */
static int invert(double *a)
{
  double w[PD_BS][2 * PD_BS];
  for (int i = 0; i < PD_BS; i++)
    for (int j = 0; j < PD_BS; j++) {
      w[i][j] = a[PD_BS * i + j];
      w[i][PD_BS + j] = i == j;
    }
  for (int c = 0; c < PD_BS; c++) {
    int best = c;
    for (int i = c + 1; i < PD_BS; i++)
      if (fabs(w[i][c]) > fabs(w[best][c])) best = i;
    const double pivot = w[best][c];
    if (!(fabs(pivot) > 0.0)) return 0;
    for (int j = c; j < 2 * PD_BS; j++) {
      const double x = w[best][j];
      w[best][j] = w[c][j];
      w[c][j] = x / pivot;
    }
    for (int i = 0; i < PD_BS; i++) {
      const double x = w[i][c];
      if (i == c || x == 0.0) continue;
      for (int j = c; j < 2 * PD_BS; j++) w[i][j] -= x * w[c][j];
    }
  }
  for (int i = 0; i < PD_BS; i++)
    for (int j = 0; j < PD_BS; j++) a[PD_BS * i + j] = w[i][PD_BS + j];
  return 1;
}

static int find(const int *list, int n, int what)
{
  int lo = 0, hi = n - 1;
  while (lo < hi) {
    const int mid = (lo + hi) / 2;
    if (list[mid] < what)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

/* place of the block that couples two positions */
static int coupling(const block_data *d, int p, int q)
{
  const int low = p < q ? p : q, high = p < q ? q : p;
  return d->start[low] + find(d->list + d->start[low], d->start[low + 1] - d->start[low], high);
}

static void scatter(const pd_linsolver *s)
{
  block_data *d = s->data;
  const size_t fill = PD_BS2 * (size_t)d->start[s->nglobal], size = PD_BS2 * sizeof(double);
  memset(d->l, 0, fill * sizeof(double));
  memset(d->u, 0, fill * sizeof(double));
  for (int i = 0, n = 0; i < s->nglobal; i++)
    for (int k = 0; k < d->nlive[i]; k++) {
      const int at = d->live[n++], p = d->pos[i], q = d->pos[s->col[at]];
      const double *in = d->values + PD_BS2 * (size_t)at;
      double *out = p == q ? d->diag + PD_BS2 * (size_t)p
                           : (q > p ? d->u : d->l) + PD_BS2 * (size_t)coupling(d, p, q);
      memcpy(out, in, size);
    }
}

/* What the elimination of a position does to the rows and columns that it is coupled with: their
 * lists hold what is left of its own list. */
MANY_TARGETS static void update(block_data *d, int p)
{
  const int begin = d->start[p], end = d->start[p + 1];
  for (int k = begin; k < end; k++) {
    const int i = d->list[k];
    double *l = d->l + PD_BS2 * (size_t)k;
    subtract_block(d->diag + PD_BS2 * (size_t)i, l, d->u + PD_BS2 * (size_t)k);
    int at = d->start[i];
    for (int m = k + 1; m < end; m++, at++) {
      while (d->list[at] != d->list[m]) at++;
      subtract_block(d->u + PD_BS2 * (size_t)at, l, d->u + PD_BS2 * (size_t)m);
      subtract_block(d->l + PD_BS2 * (size_t)at, d->l + PD_BS2 * (size_t)m,
                     d->u + PD_BS2 * (size_t)k);
    }
  }
}

static pd_status numeric(pd_linsolver *s)
{
  block_data *d = s->data;
  scatter(s);
  for (int p = 0; p < s->nglobal; p++) {
    double *diag = d->diag + PD_BS2 * (size_t)p;
    if (!invert(diag)) return PD_ESINGULAR;
    for (int k = d->start[p]; k < d->start[p + 1]; k++)
      times_block(d->l + PD_BS2 * (size_t)k, diag);
    update(d, p);
  }
  return PD_OK;
}

/* ---- the other solver ---- */

static pd_status hand_over(pd_linsolver *s)
{
  block_data *d = s->data;
  pd_status status = PD_OK;
  if (!d->other) {
    status = pd_linsolver_create("petsc", MPI_COMM_SELF, &d->other);
    if (!status)
      status = pd_linsolver_set_pattern(d->other, s->nlocal, s->nglobal, s->rowptr, s->col);
    if (status) {
      pd_linsolver_destroy(d->other);
      d->other = NULL;
      return status;
    }
  }
  /* blocks that do not live have not been copied */
  for (int i = 0, n = 0; i < s->nglobal; i++) {
    const int last = n + d->nlive[i];
    for (int k = s->rowptr[i]; k < s->rowptr[i + 1]; k++)
      if (n < last && d->live[n] == k)
        n++;
      else
        memset(d->values + PD_BS2 * (size_t)k, 0, PD_BS2 * sizeof(double));
  }
  status = pd_linsolver_factor(d->other, d->values);
  d->other_works = !status;
  s->cost.fallbacks++;
  return status;
}

static pd_status block_factor(pd_linsolver *s, const double *values)
{
  block_data *d = s->data;
  const int same = scan(s, values);
  d->other_works = 0;
  pd_status status = same ? PD_OK : analyse(s);
  if (!status) status = numeric(s);
  return status == PD_ERANGE || status == PD_ESINGULAR ? hand_over(s) : status;
}

static pd_status block_harden(pd_linsolver *s)
{
  const block_data *d = s->data;
  return d->other_works ? PD_EUSER : hand_over(s);
}

/* ---- solution ---- */

/* y -= a x */
static inline void subtract_product(double *restrict y, const double *restrict a,
                                    const double *restrict x)
{
  for (int i = 0; i < PD_BS; i++)
    for (int j = 0; j < PD_BS; j++) y[i] -= a[PD_BS * i + j] * x[j];
}

static pd_status block_solve(pd_linsolver *s, const double *b, double *x)
{
  block_data *d = s->data;
  if (d->other_works) return pd_linsolver_solve(d->other, b, x);
  double *y = d->y;
  for (int p = 0; p < s->nglobal; p++)
    memcpy(y + PD_BS * p, b + PD_BS * d->row[p], PD_BS * sizeof *y);
  for (int p = 0; p < s->nglobal; p++)
    for (int k = d->start[p]; k < d->start[p + 1]; k++)
      subtract_product(y + PD_BS * d->list[k], d->l + PD_BS2 * (size_t)k, y + PD_BS * p);
  for (int p = s->nglobal - 1; p >= 0; p--) {
    double z[PD_BS] = {0};
    for (int k = d->start[p]; k < d->start[p + 1]; k++)
      subtract_product(y + PD_BS * p, d->u + PD_BS2 * (size_t)k, y + PD_BS * d->list[k]);
    subtract_product(z, d->diag + PD_BS2 * (size_t)p, y + PD_BS * p);
    for (int i = 0; i < PD_BS; i++) y[PD_BS * p + i] = -z[i];
  }
  for (int p = 0; p < s->nglobal; p++)
    memcpy(x + PD_BS * d->row[p], y + PD_BS * p, PD_BS * sizeof *y);
  return PD_OK;
}

/* r = b - A x */
static pd_status block_residual(pd_linsolver *s, const double *b, const double *x, double *r)
{
  const block_data *d = s->data;
  for (int i = 0, n = 0; i < s->nglobal; i++) {
    double y[PD_BS];
    memcpy(y, b + PD_BS * i, sizeof y);
    for (int k = 0; k < d->nlive[i]; k++, n++)
      subtract_product(y, d->values + PD_BS2 * (size_t)d->live[n], x + PD_BS * s->col[d->live[n]]);
    memcpy(r + PD_BS * i, y, sizeof y);
  }
  return PD_OK;
}

const pd_linops pd_block_ops = {
    .name = "block",
    .refine_above = 1e-11,
    .create = block_create,
    .replicate = block_replicate,
    .set_pattern = block_set_pattern,
    .factor = block_factor,
    .solve = block_solve,
    .residual = block_residual,
    .harden = block_harden,
    .destroy = block_destroy,
};
