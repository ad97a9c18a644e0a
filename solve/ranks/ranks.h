/* Several processes solve one lattice: `mpirun -n N solve ..`.
 *
 * Every rank is the program as it is without mpirun, with a part of the lattice (part_file.h): the time loop, ladders
 * and outputs do the same on all of them, since all that they decide by is the same everywhere: sums over the cells
 * have the same bits for any number of ranks of one kind of device (kernels/exact_sum.h), what depends on the clock, a
 * signal or a file rank 0 decides. Rank 0 alone speaks and writes; fields and checkpoints come to it stretch by stretch
 * in the order of the whole lattice, so that files are those of one process. During steps ranks exchange the values
 * that cross a cut with their neighbours alone (core/halo.h).
 *
 * What several ranks do together they call in the same order. A rank that fails on its own goes on to where the error
 * ends (ranks_settle): there it meets the others, whose next call, whatever it is, fails as well with its sentence.
 * Alone, all of these do nothing but what is said of one rank. */
#ifndef PORTAFLOW_RANKS_H
#define PORTAFLOW_RANKS_H
#include "common/base/must_check.h"
#include "solve/core/backend.h"
#include "solve/ranks/partition.h"
#include <stdbool.h>

/* Of several ranks only 0 speaks: the others' output goes nowhere. */
void ranks_hush(void);
/* Meets the other ranks where a launcher started several; alone otherwise. Errors: ERR_RESOURCE. */
MUST_CHECK int ranks_open(void);
int ranks_number(void);    /* this one's, 0 when alone */
int ranks_count(void);     /* 1 when alone */
bool ranks_launched(void); /* there are others, even after ranks_leave */
/* At most the threads of this machine that fall to this rank. */
int ranks_threads(int threads);
void ranks_leave(void); /* from here on this one is alone, until ranks_close: the others have nothing to do */

/* The ranks' common status: rc of the first that failed, with its sentence; OK when none did. An error that all know of
 * is passed on as it is. */
MUST_CHECK int ranks_agree(int rc);
/* The same where an error is no longer passed on: at the end of the program, or where it is put up with. */
MUST_CHECK int ranks_settle(int rc);
/* What rank 0 holds becomes that of all. Errors of this and those below: ERR_RESOURCE, and those of a rank that failed
 * before. */
MUST_CHECK int ranks_share(void *data, size_t bytes);
/* All ranks get what they all hold, joined two by two, rank 0's first. */
MUST_CHECK int ranks_join(void *data, size_t bytes, void (*join)(void *all, const void *more, size_t bytes));
MUST_CHECK int ranks_sums(exact_sum *sums, int n); /* exact_sum_join of each */
MUST_CHECK int ranks_largest(double *value);
MUST_CHECK int ranks_total(int64_t *n); /* the sum */
/* Rank 0 takes what each rank has, its own first; `take` is called there alone. */
typedef int ranks_take(void *to, const void *data, size_t bytes);
MUST_CHECK int ranks_gather(const void *data, size_t bytes, ranks_take *take, void *to);

/* *table becomes one for a part of a lattice (domain.part), whose monitor is that of all, as are step and create, which
 * all ranks call; as it is when alone. device: what was asked for (core/device.h); where that is auto they compute on
 * GPUs only if each has one of its own. Errors: ERR_RESOURCE. */
MUST_CHECK int ranks_device(int device, const backend_table **table);
/* Says how the lattice is cut; d: this rank's part. */
MUST_CHECK int ranks_say(const domain *d);
partition_cut ranks_cut(void); /* what cuts a graph, NULL: nothing */
/* Values that the rank which sends most of them sends in a step (ranks_say), 0 when alone. */
int64_t ranks_values(void);
/* Until the steps of the own part are done, which wait for those of its neighbours. Errors: ERR_RESOURCE. */
MUST_CHECK int ranks_wait(backend *b);
/* At the end, behind ranks_settle. Returns rc, unless a rank was lost: then it ends all of them. */
MUST_CHECK int ranks_close(int rc);
#endif
