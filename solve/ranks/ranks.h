/* SPDX-License-Identifier: Apache-2.0 */
/* Several processes solve one lattice: `mpirun -n N solve ..`.
 *
 * Every rank runs the whole program on its part of the lattice (setup/setup_ranks.h). All ranks take the same
 * decisions: sums over cells have the same bits for any number of ranks of one kind of device (kernels/exact_sum.h).
 * Rank 0 decides where the clock, a signal or a file matters. Rank 0 alone prints and writes; fields and checkpoints
 * pass through it in blocks, in the order of the whole lattice. During steps ranks exchange the values of links with
 * their neighbours only (core/halo.h).
 *
 * Collective functions are called in the same order on all ranks. A rank that fails continues to the place where the
 * error is handled (ranks_settle). The next collective call of all other ranks then fails with the same message. With
 * one rank, no function communicates. */
#ifndef PORTAFLOW_RANKS_H
#define PORTAFLOW_RANKS_H
#include "common/base/must_check.h"
#include "solve/core/backend.h"
#include "solve/ranks/partition.h"
#include <stdbool.h>

/* Suppresses the output of all ranks but 0. */
void ranks_hush(void);
/* Joins the other ranks if a launcher started several. Errors: ERR_RESOURCE. */
MUST_CHECK int ranks_open(void);
int ranks_number(void);    /* number of this rank, 0 with one rank */
int ranks_count(void);     /* 1 with one rank */
bool ranks_launched(void); /* true if there are other ranks, even after ranks_leave */
/* Returns `threads`, or the number of processors per rank of this machine if that is smaller. */
int ranks_threads(int threads);
/* from now on this rank computes alone and ranks_count returns 1, because the run has no work for the other ranks */
void ranks_leave(void);

/* Returns the common status of the ranks: rc of the first rank that failed, with its message; OK if none did. An error
 * that all ranks know is returned unchanged. */
MUST_CHECK int ranks_agree(int rc);
/* As ranks_agree, but later failures are exchanged again. For places where an error is handled or ignored, and for the
 * end of the program. */
MUST_CHECK int ranks_settle(int rc);
/* Broadcasts data of rank 0. Errors of this function and of ranks_join, ranks_sums, ranks_total and ranks_gather:
 * ERR_RESOURCE, and the errors of a rank that failed earlier. */
MUST_CHECK int ranks_share(void *data, size_t bytes);
/* Reduces `data` of all ranks pairwise, starting with rank 0, and broadcasts the result. */
MUST_CHECK int ranks_join(void *data, size_t bytes, void (*join)(void *all, const void *more, size_t bytes));
MUST_CHECK int ranks_sums(exact_sum *sums, int n); /* joins each sum over all ranks (exact_sum_join) */
MUST_CHECK int ranks_largest(double *value);
MUST_CHECK int ranks_total(int64_t *n); /* replaces *n by its sum over all ranks */
/* Rank 0 receives the data of each rank, its own first; `take` is called on rank 0 only. */
typedef int ranks_take(void *to, const void *data, size_t bytes);
MUST_CHECK int ranks_gather(const void *data, size_t bytes, ranks_take *take, void *to);

/* Wraps *table for a part of a lattice (domain.part): monitor is reduced over all ranks; step and create are
 * collective. Unchanged with one rank. device: as requested (core/device.h); `auto` uses GPUs only if each rank has its
 * own. Errors: ERR_RESOURCE. */
MUST_CHECK int ranks_device(int device, const backend_table **table);
/* Calls part_connect with the requests of all ranks, after part_create. Errors: ERR_RESOURCE, ERR_INTERNAL. */
struct part;
MUST_CHECK int ranks_connect(struct part *p);
/* Lets a halo exchange values in host memory through MPI. The address of h must not change. */
void ranks_halo(halo *h);
/* Prints per rank: number of cells, neighbour ranks and exchanged values. d: this rank's part. */
MUST_CHECK int ranks_say(const domain *d);
partition_cut ranks_cut(void); /* graph partitioner; NULL: not available */
/* Largest number of values that a rank sends per step (ranks_say); 0 with one rank. */
int64_t ranks_values(void);
/* Waits until all steps of this rank's part have run; these steps wait for the neighbour ranks. Errors:
 * ERR_RESOURCE. */
MUST_CHECK int ranks_wait(backend *b);
/* Ends the parallel run, after ranks_settle. Returns rc; if a rank was lost, it terminates all ranks instead. */
MUST_CHECK int ranks_close(int rc);
#endif
