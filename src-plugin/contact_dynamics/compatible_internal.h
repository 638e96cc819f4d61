/* SPDX-License-Identifier: MIT
 * What the three solvers of the compatible forces share: the truss of springs in units of
 * its own, in which the largest load of a body, the largest stiffness and the longest lever are 1.
 */
#ifndef PD_CD_COMPATIBLE_INTERNAL_H
#define PD_CD_COMPATIBLE_INTERNAL_H

#include "contact_dynamics/compatible.h"
#include "contact_dynamics/coulomb.h"

typedef struct pd_cd_truss {
  const pd_cd_network *net;
  const pd_cd_compatible_options *opt;
  int stride;                            /* rows per contact: normals, or 3 with tangents */
  pd_cd_operator op;                     /* B with scaled levers */
  double *k;                             /* relative stiffness; 0: the contact is not closed */
  double *load;                          /* six */
  double *u;                             /* six: displacements */
  double *f;                             /* forces: the caller's array */
  double *c;                             /* overlaps and tangential displacements -B u */
  double *buffer;                        /* B^T f */
  double force, stiffness, length, move; /* units; move: of displacement */
  int width;                             /* 6, or 3 if no contact of any process turns a body */
} pd_cd_truss;

/* Sets up t, whose net, opt and stride are set, from the caller's f and u. Errors:
 * PD_ENOMEM, PD_ENAN, PD_ERANGE. */
pd_status pd_cd_truss_setup(pd_cd_truss *t, const double *load, double *f, const double *u,
                            pd_cd_pool *pool);

/* Back to the caller's units; objective and residuals into the report. */
void pd_cd_truss_finish(pd_cd_truss *t, double *u, pd_cd_compatible_report *report);

/* overlaps c = -B u; forwards u to the ghosts */
void pd_cd_truss_overlaps(pd_cd_truss *t, double *u);

/* out = load - B^T f, which is also the gradient of the energy by u; returns its largest entry */
double pd_cd_truss_unbalance(pd_cd_truss *t, const double *f, double *out);

/* law of contact i if it has friction */
pd_cd_coulomb pd_cd_truss_coulomb(const pd_cd_truss *t, int i);

/* largest |f - k c_+^(p-1)|, with friction of any component of f less the law's */
double pd_cd_truss_constitutive(const pd_cd_truss *t, const double *f);

/* The preconditioner: the bodies' diagonal blocks of B^T diag(h) B + shift. */
typedef struct pd_cd_blocks {
  double *block;  /* 36 per owned body: inverses of the diagonal blocks */
  double *col[6]; /* six: columns of the blocks */
} pd_cd_blocks;

int pd_cd_blocks_take(pd_cd_blocks *b, const pd_cd_truss *t, pd_cd_pool *pool);
void pd_cd_blocks_make(pd_cd_blocks *b, const pd_cd_truss *t, const double *h, double shift);

/* z (six) of r, of which the entries beyond the width stay as they are */
void pd_cd_blocks_apply(const pd_cd_blocks *b, const pd_cd_truss *t, const double *r, double *z);

/* work arrays of the conjugate gradients */
typedef struct pd_cd_cg {
  pd_cd_blocks blocks;
  double *r, *z, *d, *q; /* six: residual, preconditioned residual, direction, its image */
} pd_cd_cg;

/* the linear system (B^T diag(h) B + shift) x = rhs, and how well it is to be solved */
typedef struct pd_cd_cg_task {
  const double *h;   /* stiffness of every contact */
  double shift;      /* added to the diagonal */
  const double *rhs; /* six */
  double rtol;       /* stops when the residual has fallen by this factor */
  int maxit;
} pd_cd_cg_task;

int pd_cd_cg_take(pd_cd_cg *cg, const pd_cd_truss *t, pd_cd_pool *pool);

/* Approximate solution x (six) by conjugate gradients with the bodies' diagonal blocks as
 * preconditioner. Returns the number of iterations. */
int pd_cd_cg_solve(pd_cd_cg *cg, const pd_cd_truss *t, const pd_cd_cg_task *task, double *x);

/* A linear system that need not be symmetric */
typedef struct pd_cd_linear {
  const pd_cd_network *net;
  void *ctx;
  void (*multiply)(void *ctx, double *x, double *out);           /* may forward x */
  void (*precondition)(void *ctx, const double *r, double *out); /* six */
  const double *rhs;
  double rtol;
  int maxit; /* products */
} pd_cd_linear;

enum { PD_CD_IDR = 4 };

/* its work arrays, six */
typedef struct pd_cd_idr {
  double *p[PD_CD_IDR], *g[PD_CD_IDR], *d[PD_CD_IDR]; /* shadows; images of the directions d */
  double *r, *v, *q;
} pd_cd_idr;

int pd_cd_idr_take(pd_cd_idr *w, const pd_cd_network *net, pd_cd_pool *pool);

/* Approximate solution x (six) by induced dimension reduction. Returns the number of products. */
int pd_cd_idr_solve(pd_cd_idr *w, const pd_cd_linear *task, double *x);

#endif
