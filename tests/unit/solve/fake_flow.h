/* SPDX-License-Identifier: Apache-2.0 */
/* A flow that is no lattice, for tests of runs: what its backend keeps, compares and mixes. A test's struct backend
 * begins with a fake_flow. */
#ifndef PORTAFLOW_TEST_FAKE_FLOW_H
#define PORTAFLOW_TEST_FAKE_FLOW_H
#include "common/base/status.h"
#include "solve/run/run.h"
#include <math.h>
#include <string.h>

enum { CELLS = 40, VALUES = 3 * CELLS };

typedef struct {
    double x[VALUES], old[VALUES], kept[BACKEND_PLACES][VALUES];
} fake_flow;

/* change, velocity_max and velocity_square of the monitor; the values are the old ones of the next. */
static inline void fake_compare(fake_flow *w, backend_monitor *m) {
    double change = 0, square = 0;
    m->velocity_max = 0;
    for (int k = 0; k < VALUES; k++) {
        change += (w->x[k] - w->old[k]) * (w->x[k] - w->old[k]);
        square += w->x[k] * w->x[k];
        m->velocity_max = fmax(m->velocity_max, fabs(w->x[k]));
    }
    memcpy(w->old, w->x, sizeof w->x);
    m->velocity_square = square;
    m->change = sqrt(change / square);
}

static inline int fake_moments(backend *b, float *density, float *velocity, float *stress) {
    const fake_flow *w = (const fake_flow *)b;
    for (int k = 0; k < VALUES && velocity; k++)
        velocity[k] = (float)w->x[k];
    if (density)
        memset(density, 0, CELLS * sizeof *density);
    if (stress)
        memset(stress, 0, 6 * CELLS * sizeof *stress);
    return OK;
}

static inline int fake_sample(backend *b, int64_t n, const int64_t *cell, float *value) {
    const fake_flow *w = (const fake_flow *)b;
    for (int64_t k = 0; k < n; k++) {
        for (int i = 0; i < 3; i++)
            value[4 * k + i] = (float)w->x[3 * cell[k] + i];
        value[4 * k + 3] = 0;
    }
    return OK;
}

static inline int fake_keep(backend *b, int place) {
    fake_flow *w = (fake_flow *)b;
    memcpy(w->kept[place], w->x, sizeof w->x);
    return OK;
}

static inline int fake_combine(backend *b, const double *weight) {
    fake_flow *w = (fake_flow *)b;
    memset(w->x, 0, sizeof w->x);
    for (int p = 0; p < BACKEND_PLACES; p++)
        for (int k = 0; k < VALUES && weight[p] != 0; k++)
            w->x[k] += weight[p] * w->kept[p][k];
    memcpy(w->old, w->x, sizeof w->x);
    return OK;
}
#endif
