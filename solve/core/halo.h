/* SPDX-License-Identifier: Apache-2.0 */
/* A domain that is part of a lattice: its own cells, followed by halo cells, the linked cells of other parts.
 *   part 0               part 1
 *   o   o   o | H        H | o   o   o        o own cells 0 .. n_cell - 1, computed
 *   o   o   o | H        H | o   o   o        H halo, cells n_cell .. n_cell + n_halo - 1: memory only
 * On a link from z (part 0) in direction c to x (part 1) one value crosses: f_c', sent by z to x. On the CPU it is in
 * slot opposite(c) of z after an even step. The odd step of part 1 writes the population of x in direction opposite(c)
 * to the same slot of its halo cell z, and this value returns to part 0 (backend.h). On a GPU f_c' is population c of z
 * after every step (cuda/cuda_kernels.h). Each link has two values, one per direction. The values of a peer are sorted
 * by lattice cell, then slot, so both sides agree. */
#ifndef PORTAFLOW_HALO_H
#define PORTAFLOW_HALO_H
#include "common/base/must_check.h"
#include <stddef.h>
#include <stdint.h>

typedef struct {
    int n_peer;
    int32_t *peer;  /* [n_peer] part numbers, ascending */
    int64_t *first; /* [n_peer + 1] first value of each peer; the last entry is the total */
    /* [first[n_peer]] cell and slot of each value: `mine` in own cells, read by the peer; `theirs` in halo cells */
    int32_t *mine, *theirs;
    uint8_t *mine_slot, *theirs_slot;
    /* Sends `send` to the peers and receives `recv`, both [first[n_peer]] values of value_bytes in host memory. Errors:
     * ERR_RESOURCE. */
    MUST_CHECK int (*exchange)(void *data, const void *send, void *recv, size_t value_bytes);
    void *data;
    /* number of this part, and number of parts */
    int number, count;
    /* For direct GPU-to-GPU communication, one GPU per part: broadcasts n bytes of part 0 to all parts; collective.
     * NULL: halo values pass through the host. Errors: ERR_RESOURCE. */
    MUST_CHECK int (*share)(void *data, void *bytes, size_t n);
} halo;

void halo_free(halo *h); /* safe on a zeroed struct */
#endif
