/* SPDX-License-Identifier: MIT
 * Counts what a process sends and how long it is in MPI; the bench `large` loads it before the host
 * (LD_PRELOAD). The host has a barrier before and after the steps of a run. At the end each process
 * writes `mpi.RANK`, a line for each barrier: wall time, seconds in MPI, collective calls,
 * messages, bytes, all since the start. */
#include <mpi.h>
#include <stdio.h>

typedef struct counts {
  double wall, seconds;
  long collectives, messages, bytes;
} counts;

enum { MOST = 256 };
static counts sum, at_barrier[MOST];
static int nbarrier;

static double begin(void) { return PMPI_Wtime(); }

static void add(double start, int collective, int message, long count, MPI_Datatype type)
{
  int size = 0;
  if (count) PMPI_Type_size(type, &size);
  sum.seconds += PMPI_Wtime() - start;
  sum.collectives += collective;
  sum.messages += message;
  sum.bytes += count * size;
}

/* NAME(parameters) as PMPI_NAME(arguments), and what is counted of it */
#define COUNTED(name, parameters, arguments, collective, message, count, type)                     \
  int MPI_##name parameters                                                                        \
  {                                                                                                \
    const double start = begin();                                                                  \
    const int status = PMPI_##name arguments;                                                      \
    add(start, collective, message, count, type);                                                  \
    return status;                                                                                 \
  }

COUNTED(Allreduce, (const void *in, void *out, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c),
        (in, out, n, t, op, c), 1, 0, n, t)
COUNTED(Bcast, (void *at, int n, MPI_Datatype t, int root, MPI_Comm c), (at, n, t, root, c), 1, 0,
        n, t)
COUNTED(Exscan, (const void *in, void *out, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c),
        (in, out, n, t, op, c), 1, 0, n, t)
COUNTED(Scan, (const void *in, void *out, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c),
        (in, out, n, t, op, c), 1, 0, n, t)
COUNTED(Allgather,
        (const void *in, int n, MPI_Datatype t, void *out, int m, MPI_Datatype u, MPI_Comm c),
        (in, n, t, out, m, u, c), 1, 0, n, t)
COUNTED(Allgatherv,
        (const void *in, int n, MPI_Datatype t, void *out, const int *m, const int *at,
         MPI_Datatype u, MPI_Comm c),
        (in, n, t, out, m, at, u, c), 1, 0, n, t)
COUNTED(Send, (const void *at, int n, MPI_Datatype t, int to, int tag, MPI_Comm c),
        (at, n, t, to, tag, c), 0, 1, n, t)
COUNTED(Isend, (const void *at, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request *r),
        (at, n, t, to, tag, c, r), 0, 1, n, t)
COUNTED(Irecv, (void *at, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Request *r),
        (at, n, t, from, tag, c, r), 0, 0, 0, t)
COUNTED(Recv, (void *at, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Status *s),
        (at, n, t, from, tag, c, s), 0, 0, 0, t)
COUNTED(Sendrecv,
        (const void *in, int n, MPI_Datatype t, int to, int tag, void *out, int m, MPI_Datatype u,
         int from, int tag2, MPI_Comm c, MPI_Status *s),
        (in, n, t, to, tag, out, m, u, from, tag2, c, s), 0, 1, n, t)
COUNTED(Start, (MPI_Request * r), (r), 0, 1, 0, MPI_BYTE)
COUNTED(Wait, (MPI_Request * r, MPI_Status *s), (r, s), 0, 0, 0, MPI_BYTE)
COUNTED(Waitall, (int n, MPI_Request *r, MPI_Status *s), (n, r, s), 0, 0, 0, MPI_BYTE)
COUNTED(Waitany, (int n, MPI_Request *r, int *which, MPI_Status *s), (n, r, which, s), 0, 0, 0,
        MPI_BYTE)

int MPI_Barrier(MPI_Comm c)
{
  const int status = PMPI_Barrier(c);
  sum.wall = PMPI_Wtime();
  if (nbarrier < MOST) at_barrier[nbarrier++] = sum;
  return status;
}

int MPI_Finalize(void)
{
  int rank;
  char name[32];
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  snprintf(name, sizeof name, "mpi.%d", rank);
  FILE *file = fopen(name, "w");
  for (int i = 0; file && i < nbarrier; i++) {
    const counts *c = &at_barrier[i];
    fprintf(file, "%.6f %.6f %ld %ld %ld\n", c->wall, c->seconds, c->collectives, c->messages,
            c->bytes);
  }
  if (file) fclose(file);
  return PMPI_Finalize();
}
