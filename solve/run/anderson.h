/* SPDX-License-Identifier: Apache-2.0 */
/* Anderson acceleration of a fixed-point iteration (Anderson 1965; Walker and Ni 2011).
 *
 * A window is a number of plain steps from a start state x to an end state g, with residual f = g - x. The next window
 * starts at
 *   x = sum w_k g_k,   sum w_k = 1,   |sum w_k f_k| minimal
 * over the last windows. Slowly decaying modes cancel in this sum; fast modes decay in the plain steps. Weights come
 * from the velocity and density of ANDERSON_CELLS sampled cells or fewer. The device combines the populations
 * (backend.h: sample, keep, combine). */
#ifndef PORTAFLOW_ANDERSON_H
#define PORTAFLOW_ANDERSON_H
#include "common/base/must_check.h"
#include "solve/core/backend.h"
#include <stdint.h>

enum { ANDERSON_CELLS = 30000 };

typedef struct {
    int64_t n;          /* size of the sample: 4 values for each sampled cell, on all ranks */
    int64_t n_own;      /* number of sampled cells of this rank */
    int64_t *own;       /* [n_own] indices of these cells, ascending, for backend_table.sample */
    int32_t *own_place; /* [n_own] position of each such cell in the sample */
    float *value;       /* [n_own][4] velocity and density, as from backend_table.sample */
    float *seen;        /* [n] sample of the state at present */
    int places;         /* number of backend places that are used, from place 0 on; default BACKEND_PLACES */
    int count;          /* number of stored windows, the oldest first; 0 to `places` */
    int place[BACKEND_PLACES];
    double mass_correction[BACKEND_PLACES]; /* mass correction at the end of each window */
    /* [n] sample of the state at the start of the running window */
    float *start;
    /* [n] samples of the end state and of the residual of each window */
    float *end[BACKEND_PLACES], *residual[BACKEND_PLACES];
} anderson;

/* Chooses the sampled cells; no window is stored yet. Errors: ERR_RESOURCE. anderson_free is safe on a zeroed
 * struct. */
MUST_CHECK int anderson_create(anderson *m, const domain *d);
void anderson_free(anderson *m);

/* Samples the present state of the backend at the sampled cells of all ranks. Errors: see ranks_gather. */
MUST_CHECK int anderson_observe(anderson *m);
/* Discards all windows and starts one at the sampled state. */
void anderson_restart(anderson *m);
/* Backend place for the end state of the running window (backend_table.keep): a free place or, if none is free, the
 * place of the oldest window. */
int anderson_next_place(const anderson *m);
/* Ends the running window. The sampled state is its end, and is stored in place anderson_next_place. Returns |f| /
 * |g|. */
double anderson_add(anderson *m, double mass_correction);
/* Spectral radius of the window map, projected on the differences of the stored start states (Ritz values). Above 1,
 * either the accelerated iteration approaches an unstable steady state, or the flow is unsteady. 0 with fewer than two
 * windows. */
double anderson_growth(const anderson *m);
/* Computes the next start state as weights of the stored windows: weight [BACKEND_PLACES] by place, 0 for unused
 * places. Windows are discarded, oldest first, until the sum of the absolute weights is WEIGHTS_MOST or less. If the
 * Anderson step is rejected (goes_back), the weights give the last state alone. Returns the mass correction of the new
 * start state. */
double anderson_combine(anderson *m, double *weight);
/* Starts the next window at the end state of the last window (back 0), or of the window `back` windows earlier: sets
 * its weight to 1. All other windows are discarded. Returns the mass correction of this state. */
double anderson_undo(anderson *m, int back, double *weight);
#endif
