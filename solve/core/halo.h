/* SPDX-License-Identifier: Apache-2.0 */
/* A domain that is part of a lattice: own cells, followed by halo cells. Halo cells belong to other parts and have a
 * link to an own cell.
 *   part 0               part 1
 *   o   o   o | H        H | o   o   o        o own cells 0 .. n_cell - 1, computed
 *   o   o   o | H        H | o   o   o        H halo, cells n_cell .. n_cell + n_halo - 1: memory only
 * Let cell z belong to part 0, cell x = z + e_c to part 1. On this link, z sends f_c' to x. On the CPU, f_c' is in slot
 * opposite(c) of z after an even step. Part 1 copies it to its halo cell z. The odd step of part 1 overwrites the copy
 * with the population that x sends back in direction opposite(c), and this value returns to part 0 (backend.h). On a
 * GPU, f_c' is population c of z after every step (cuda/cuda_kernels.h). Each link has two values, one per direction.
 *
 * Quadratic walls (D3Q27) read two cells behind the wall (domain_behind), so the halo is two cells deep there. A wall
 * link may need the population f_c' that halo cell s sends to halo cell t. This is a wall value; the owner of s sends
 * it. On the CPU it is in slot opposite(c) of s after an even step, and in slot c of t after an odd step.
 *
 * A peer is a part that shares a link or a wall value. The values of a peer are sorted: links between parts first, by
 * lattice cell, then slot; then wall values, by position of s, then c. Both sides therefore use the same order. */
#ifndef PORTAFLOW_HALO_H
#define PORTAFLOW_HALO_H
#include "common/base/must_check.h"
#include <stddef.h>
#include <stdint.h>

/* Cell and slot of each value. */
typedef struct {
    int32_t *cell;
    uint8_t *slot;
} halo_values;

typedef struct {
    int n_peer;
    int32_t *peer; /* [n_peer] part numbers, ascending */
    /* [n_peer + 1] indices of the first sent and the first received value of each peer; the last entry is the total. A
     * peer's numbers of sent and received values differ only in their wall values. */
    int64_t *first_sent, *first_received;
    /* [0]: exchange after an even step on the CPU, and after every step on a GPU; [1]: after an odd step on the CPU */
    halo_values sent[2], received[2];
    /* Sends `send` [first_sent[n_peer]] to the peers and receives `recv` [first_received[n_peer]]: values of
     * value_bytes in host memory. Errors: ERR_RESOURCE. */
    MUST_CHECK int (*exchange)(void *data, const void *send, void *recv, size_t value_bytes);
    void *data;
    /* number of this part, and number of parts */
    int number, count;
    /* For direct communication between GPUs, one GPU per part: broadcasts n bytes of part 0 to all parts. All parts
     * must call it. NULL: halo values pass through the host. Errors: ERR_RESOURCE. */
    MUST_CHECK int (*share)(void *data, void *bytes, size_t n);
} halo;

void halo_free(halo *h); /* safe on a zeroed struct */
#endif
