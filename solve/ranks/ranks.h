/* Several processes solve one lattice: `mpirun -n N solve ..`.
 *
 * Rank 0 is the program as it is without mpirun: it reads, decides, writes, and computes part 0. Its backend is a table
 * (core/backend.h) around a backend of its own and those of the other ranks, which do nothing but what it tells them
 * (ranks_serve). So the time loop, checkpoints, ladders and outputs know of no ranks; a checkpoint is that of one
 * process, and goes on with any number. Fields and sums have the same bits for any number of ranks of one kind of
 * device (kernels/exact_sum.h).
 *
 * During steps ranks exchange the values that cross a cut with their neighbours alone (core/halo.h). Fields and
 * checkpoints come to rank 0, whose host memory holds the lattice and, while they are written, them; the others hold
 * their part. */
#ifndef PORTAFLOW_RANKS_H
#define PORTAFLOW_RANKS_H
#include "common/base/must_check.h"
#include "solve/core/backend.h"

/* Of several ranks only 0 speaks: the others' output goes nowhere, what goes wrong there rank 0 says. */
void ranks_hush(void);
/* Meets the other ranks where a launcher started several; alone otherwise. Errors: ERR_RESOURCE. */
MUST_CHECK int ranks_open(void);
int ranks_number(void); /* this one's, 0 when alone */
int ranks_count(void);  /* 1 when alone */
/* At most the threads of this machine that fall to this rank. */
int ranks_threads(int threads);

/* Ranks but 0: until rank 0 ends. Returns its exit code; a rank that fails ends them all. */
MUST_CHECK int ranks_serve(void);

/* Rank 0: *table becomes that of all ranks, each computing with *table; as it is when alone. device: what was asked for
 * (core/device.h); where that is auto they compute on GPUs only if each has one of its own. Errors: ERR_RESOURCE. */
MUST_CHECK int ranks_join(int device, const backend_table **table);
/* Rank 0: values that the rank which sends most of them sends in a step, 0 when alone. */
int64_t ranks_values(void);
/* Rank 0: until the steps of its own part are done, which wait for those of its neighbours. Errors: ERR_RESOURCE. */
MUST_CHECK int ranks_wait(backend *b);
/* Rank 0, at the end: the others end with rc, too. Returns rc. */
MUST_CHECK int ranks_close(int rc);
#endif
