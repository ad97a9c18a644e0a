/* A domain that is part of a lattice: its cells, and behind them the cells of other parts that they have links to.
 *
 *        part 0               part 1
 *      o   o   o | H        H | o   o   o        o own cells 0 .. n_cell - 1, computed
 *      o   o   o | H        H | o   o   o        H halo, cells n_cell .. n_cell + n_halo - 1: memory only
 *
 * Of a cut link from z (part 0) in direction c to x (part 1) one value crosses: what z sends to x, f_c'. On the CPU it
 * is in slot opposite(c) of z after an even step, and the odd step, which puts f_c'(x) in the very same place of the
 * halo, brings it back there (backend.h). On a GPU it is population c of z after every step (cuda/cuda_kernels.h). Each
 * link of the cut has two values, one each way; the values of a peer are in the order of the lattice's cells, then of
 * the slots, so that both sides agree without a word. */
#ifndef PORTAFLOW_HALO_H
#define PORTAFLOW_HALO_H
#include "common/base/must_check.h"
#include <stddef.h>
#include <stdint.h>

typedef struct {
    int n_peer;
    int32_t *peer;  /* [n_peer] number of the part, ascending */
    int64_t *first; /* [n_peer + 1] first value of each peer; the last is the number of all values */
    /* [first[n_peer]] cell and slot of each: `mine` in own cells, read by the peer; `theirs` in its cells, the halo */
    int32_t *mine, *theirs;
    uint8_t *mine_slot, *theirs_slot;
    /* Sends `send` to the peers and fills `recv`, both [first[n_peer]] values of value_bytes, host memory.
     * Errors: ERR_RESOURCE. */
    MUST_CHECK int (*exchange)(void *data, const void *send, void *recv, size_t value_bytes);
    void *data;
    /* For GPUs that talk to each other by themselves, one a part; NULL: they do not. number: this part, of `count` */
    int number, count;
    /* bytes of part 0 become those of all parts, which all call it. Errors: ERR_RESOURCE. */
    MUST_CHECK int (*share)(void *data, void *bytes, size_t n);
} halo;

void halo_free(halo *h); /* safe on a zeroed struct */
#endif
