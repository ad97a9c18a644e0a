/* Anderson mixing: the steady state of a slow iteration from its last few results.
 *
 * A window is a number of plain steps from a state x to the state g. With the residuals f = g - x of the last windows,
 * the next window begins at
 *   x = sum w_k g_k,   sum w_k = 1,   |sum w_k f_k| least
 * so that ways to settle that decay slowly are left out together, while ways that decay fast see plain steps alone
 * (Anderson 1965; Walker and Ni 2011). States are affine in all that they hold, so the weights are found from the
 * velocities and densities of at most ANDERSON_CELLS cells, and the device mixes the populations (backend.h: sample,
 * keep, mix). */
#ifndef PORTAFLOW_ANDERSON_H
#define PORTAFLOW_ANDERSON_H
#include "common/base/must_check.h"
#include "solve/core/backend.h"
#include <stdint.h>

enum { ANDERSON_CELLS = 30000 };

typedef struct {
    int64_t n;          /* values looked at, 4 a cell: every so many cells of the whole lattice */
    int64_t n_own;      /* cells of them that are this rank's */
    int64_t *own;       /* [n_own] ascending, for backend_table.sample */
    int32_t *own_place; /* [n_own] among those looked at */
    float *value;       /* [n_own][4] what backend_table.sample has of them */
    float *seen;        /* [n] of the present state */
    int places;         /* of the backend that are taken, from 0 on; BACKEND_PLACES unless it is set */
    int count;          /* windows, at most `places`, oldest first */
    int place[BACKEND_PLACES];
    double mass_correction[BACKEND_PLACES];                /* of the wall links, at the end of the window */
    float *start;                                          /* [n] at the start of the running window */
    float *end[BACKEND_PLACES], *residual[BACKEND_PLACES]; /* [n] of the windows */
} anderson;

/* Errors: ERR_RESOURCE. anderson_free is safe on a zeroed struct. */
MUST_CHECK int anderson_create(anderson *m, const domain *d);
void anderson_free(anderson *m);

/* Looks at the present state, of which `value` holds this rank's cells. Errors: those of ranks_gather. */
MUST_CHECK int anderson_observe(anderson *m);
/* Forgets all windows; one begins at the state looked at. */
void anderson_restart(anderson *m);
/* The place for the state at the end of the running window (backend_table.keep): that of the oldest where all are
 * taken. */
int anderson_next_place(const anderson *m);
/* The running window ended at the state looked at, kept at anderson_next_place. Returns |f| / |g|. */
double anderson_add(anderson *m, double mass_correction);
/* Largest size of an eigenvalue of the windows' map, as far as the kept windows show it: its projection on the
 * differences of what they began at (Ritz values). Above 1 the steady state that mixing goes to is one that plain steps
 * leave, or the flow does not become steady. 0 with fewer than two windows. */
double anderson_growth(const anderson *m);
/* weight [BACKEND_PLACES] by place, 0 where there is none. Windows that would need large weights of both signs are
 * forgotten, oldest first; a mix that gains little and goes back is the last state alone. The next
 * window begins at the mixed state; its mass correction is returned. */
double anderson_mix(anderson *m, double *weight);
/* The next window begins at the last state itself, or at the one `back` windows before it: weight 1 for it alone, its
 * mass correction is returned. All other windows are forgotten. */
double anderson_undo(anderson *m, int back, double *weight);
#endif
