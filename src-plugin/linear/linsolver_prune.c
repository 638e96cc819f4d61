/* SPDX-License-Identifier: MIT
 * Which blocks of the pattern a backend gets to see. The pattern handed over is that of all that
 * might touch; of these few do, and bodies at rest or in flight have the identity as their rows. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "linear/linsolver_impl.h"

void pd_kept_free(pd_linsolver *s)
{
  free(s->kept.rowptr);
  free(s->kept.col);
  free(s->kept.from);
  free(s->kept.inside);
  free(s->kept.held);
  free(s->kept.nonzero);
  s->kept = (pd_kept){0};
}

pd_status pd_kept_create(pd_linsolver *s)
{
  const size_t n = (size_t)s->nlocal, nnz = (size_t)s->rowptr[n];
  s->kept.rowptr = pd_linsolver_alloc(n + 1, sizeof *s->kept.rowptr);
  s->kept.col = pd_linsolver_alloc(nnz, sizeof *s->kept.col);
  s->kept.from = pd_linsolver_alloc(nnz, sizeof *s->kept.from);
  s->kept.inside = pd_linsolver_alloc(n + 1, sizeof *s->kept.inside);
  s->kept.held = pd_linsolver_alloc(nnz, 1);
  s->kept.nonzero = pd_linsolver_alloc(nnz, 1);
  const pd_kept *p = &s->kept;
  const int there = p->rowptr && p->col && p->from && p->inside && p->held && p->nonzero;
  return there ? PD_OK : PD_ENOMEM;
}

/* the lists of the blocks that are held */
static void list_held(pd_linsolver *s)
{
  pd_kept *p = &s->kept;
  int n = 0, inside = 0;
  for (int i = 0; i < s->nlocal; i++) {
    for (int k = s->rowptr[i]; k < s->rowptr[i + 1]; k++) {
      if (!p->held[k]) continue;
      inside += s->col[k] >= s->first && s->col[k] < s->first + s->nlocal;
      p->col[n] = s->col[k];
      p->from[n++] = k;
    }
    p->rowptr[i + 1] = n;
    p->inside[i + 1] = inside;
  }
  p->blocks = n;
}

void pd_keep_all(pd_linsolver *s)
{
  const size_t nnz = (size_t)s->rowptr[s->nlocal];
  memset(s->kept.held, 1, nnz);
  memset(s->kept.nonzero, 1, nnz);
  list_held(s);
}

void pd_keep_none(pd_linsolver *s)
{
  memset(s->kept.held, 0, (size_t)s->rowptr[s->nlocal]);
  s->kept.blocks = 0;
}

void pd_keep_live(pd_linsolver *s, int grow)
{
  pd_kept *p = &s->kept;
  for (int k = 0; k < s->rowptr[s->nlocal]; k++) p->held[k] = p->nonzero[k] || (grow && p->held[k]);
  list_held(s);
}

/* without a branch for each number: most blocks are zero to their end; the sign of a zero does not
 * count */
static int is_zero(const double *block)
{
  uint64_t bits[PD_BS2], any = 0;
  memcpy(bits, block, sizeof bits);
  for (int e = 0; e < PD_BS2; e++) any |= bits[e];
  return any << 1 == 0;
}

void pd_find_live(pd_linsolver *s, int i, const double *values)
{
  const int look = s->ops->prune && s->prune;
  for (int k = s->rowptr[i]; k < s->rowptr[i + 1]; k++)
    s->kept.nonzero[k] = s->col[k] == s->first + i || ((!s->place || s->place[k] >= 0) &&
                                                       !(look && is_zero(pd_block(s, values, k))));
}

long pd_count_live(const pd_linsolver *s, long *missing)
{
  const pd_kept *p = &s->kept;
  long n = 0, not_held = 0;
  for (int k = 0; k < s->rowptr[s->nlocal]; k++) {
    n += p->nonzero[k];
    not_held += p->nonzero[k] & !p->held[k];
  }
  *missing = not_held;
  return n;
}
