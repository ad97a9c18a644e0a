/* SPDX-License-Identifier: Apache-2.0 */
/* The engine of lattice Boltzmann in a narrow band; see front_engine.h. */
#include "common/base/status.h"
#include "segment/engine/engine_constants.h"
#include "segment/engine/front_engine.h"
#include "segment/engine/lbm.h"
#include "segment/voxel/grid.h"
#include "segment/voxel/voxel.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int check_size(const volume *v) {
    if ((double)volume_size(v) < 2147483647.0)
        return OK;
    return fail(ERR_RESOURCE,
                "the level set has %.0f million voxels, more than the limit of 2147 million; crop the image",
                (double)volume_size(v) * 1e-6);
}

static void set_grid(const volume *v, lbm_problem *problem) {
    memcpy(problem->dims, v->dims, sizeof problem->dims);
    problem->u = v->value;
}

/* List the voxels with |level| < reach in ascending order; *cell is owned by the caller. First pass: count per plane,
 * second pass: write. */
static int list_band(const volume *level, double reach, int32_t **cell, int64_t *n) {
    const int planes = level->dims[2];
    const size_t plane = (size_t)level->dims[0] * (size_t)level->dims[1];
    int64_t *first = calloc((size_t)planes + 1, sizeof *first);
    int rc = OK;
    *cell = NULL;
    if (first == NULL)
        return fail_memory("denoising", (planes + 1.0) * sizeof *first);
#pragma omp parallel for schedule(static)
    for (int k = 0; k < planes; k++)
        for (size_t i = (size_t)k * plane; i < (size_t)(k + 1) * plane; i++)
            first[k + 1] += fabs((double)level->value[i]) < reach;
    for (int k = 0; k < planes; k++)
        first[k + 1] += first[k];
    *n = first[planes];
    if ((*cell = malloc((size_t)(*n + 1) * sizeof **cell)) == NULL)
        GIVE_UP(fail_memory("denoising", (double)*n * sizeof **cell));
#pragma omp parallel for schedule(static)
    for (int k = 0; k < planes; k++) {
        int32_t *next = *cell + first[k];
        for (size_t i = (size_t)k * plane; i < (size_t)(k + 1) * plane; i++)
            if (fabs((double)level->value[i]) < reach)
                *next++ = (int32_t)i;
    }
cleanup:
    free(first);
    return rc;
}

static int denoise_band(volume *image, const volume *level, double reach, double variance) {
    const int steps = (int)ceil(variance / (2 * CURVATURE_STEP));
    int32_t *cell = NULL;
    int64_t n = 0;
    int rc = check_size(image);
    if (rc != OK || steps <= 0)
        return rc;
    rc = list_band(level, reach, &cell, &n);
    if (rc != OK)
        return rc;
    lbm_problem problem = {.n = n, .cell = cell, .steps = steps};
    problem.equation = (lbm_equation){.dt = (float)(variance / 2 / steps), .diffusion = 1, .level_lines = true};
    set_grid(image, &problem);
    rc = lbm_run(&problem, (double)n * steps);
    free(cell);
    return rc;
}

static int gradient_magnitude(const volume *v, double sigma_voxels, volume *out) {
    volume smooth = {0};
    int rc = OK;
    TRY(volume_create_like(out, v));
    TRY(volume_copy(&smooth, v));
    TRY(grid_smooth(&smooth, (const double[3]){sigma_voxels, sigma_voxels, sigma_voxels}));
#pragma omp parallel for schedule(static)
    for (int k = 0; k < v->dims[2]; k++)
        for (int j = 0; j < v->dims[1]; j++)
            for (int i = 0; i < v->dims[0]; i++) {
                const int at[3] = {i, j, k};
                const size_t step[3] = {1, (size_t)v->dims[0], (size_t)v->dims[0] * (size_t)v->dims[1]};
                const size_t here = volume_index(v, i, j, k);
                float sum = 0;
                for (int a = 0; a < 3; a++) {
                    const float up = smooth.value[at[a] + 1 < v->dims[a] ? here + step[a] : here];
                    const float down = smooth.value[at[a] > 0 ? here - step[a] : here];
                    sum += 0.25F * (up - down) * (up - down);
                }
                out->value[here] = sqrtf(sum);
            }
cleanup:
    volume_free(&smooth);
    if (rc != OK)
        volume_free(out);
    return rc;
}

/* ---------------------------------------------------------------------------------------------- narrow band */

typedef struct {
    int32_t *cell;
    int64_t n, room;
    uint8_t *in_band; /* [voxels] 1: the voxel is in the band */
} band;

static int band_add(band *b, size_t voxel) {
    if (b->n == b->room) {
        b->room = b->room ? 2 * b->room : 65536;
        int32_t *grown = realloc(b->cell, (size_t)b->room * sizeof *grown);
        if (grown == NULL)
            return fail_memory("the band of the front", (double)b->room * sizeof *grown);
        b->cell = grown;
    }
    b->in_band[voxel] = 1;
    b->cell[b->n++] = (int32_t)voxel;
    return OK;
}

/* Adds the neighbours of the band cells `from` .. `to` - 1 to the band. The level of a neighbour may exceed the level
 * of the cell by one voxel in magnitude; larger values are remains of an earlier front and are cut to this limit. */
static int add_layer(volume *level, int64_t from, int64_t to, band *b) {
    int rc = OK;
    for (int64_t n = from; n < to && rc == OK; n++) {
        const size_t at = (size_t)b->cell[n];
        const float most = fabsf(level->value[at]) + 1;
        size_t neighbour[6];
        const int n_neighbour = voxel_face_neighbours(level, at, neighbour);
        for (int k = 0; k < n_neighbour && rc == OK; k++) {
            if (b->in_band[neighbour[k]])
                continue;
            level->value[neighbour[k]] = fmaxf(-most, fminf(most, level->value[neighbour[k]]));
            rc = band_add(b, neighbour[k]);
        }
    }
    return rc;
}

/* Build the band: the voxels near the front and BAND_LAYERS layers around them. */
static int band_build(volume *level, band *b) {
    const size_t total = volume_size(level);
    int rc = OK;
    b->n = 0;
    memset(b->in_band, 0, total);
    for (size_t i = 0; i < total && rc == OK; i++)
        if (fabsf(level->value[i]) < BAND_START)
            rc = band_add(b, i);
    int64_t from = 0;
    for (int layer = 0; layer < BAND_LAYERS && rc == OK; layer++) {
        const int64_t to = b->n;
        rc = add_layer(level, from, to, b);
        from = to;
    }
    b->n = 0;
    for (size_t i = 0; i < total && rc == OK; i++) /* in ascending order, so that neighbours are close in memory */
        if (b->in_band[i])
            b->cell[b->n++] = (int32_t)i;
    return rc;
}

/* ---------------------------------------------------------------------------------------------- propagation */

/* Largest speed of the front in the band, voxels per unit time. */
static double max_front_speed(const band *b, const volume *feature, const volume *potential, const front_weights *w) {
    const size_t step[3] = {1, (size_t)feature->dims[0], (size_t)feature->dims[0] * (size_t)feature->dims[1]};
    const size_t total = volume_size(feature);
    double most = 0;
    for (int64_t n = 0; n < b->n; n++) {
        const size_t at = (size_t)b->cell[n];
        double sum = fabs(w->propagation * (double)feature->value[at]);
        for (int a = 0; a < 3; a++)
            if (at >= step[a] && at + step[a] < total)
                sum += fabs(w->advection * 0.5 *
                            ((double)potential->value[at + step[a]] - (double)potential->value[at - step[a]]));
        most = fmax(most, sum);
    }
    return most;
}

static int evolve_front(volume *level, const volume *feature, const volume *potential, const front_weights *w,
                        int *done) {
    band b = {.in_band = malloc(volume_size(level))};
    int rc = check_size(level);
    if (rc == OK && b.in_band == NULL)
        rc = fail_memory("the band of the front", (double)volume_size(level));
    *done = w->iterations;
    for (int step = 0; step < w->iterations && rc == OK; step += BAND_STEPS) {
        rc = band_build(level, &b);
        if (rc != OK || b.n == 0)
            break;
        const double speed = max_front_speed(&b, feature, potential, w);
        const double dt = fmin(fmin(1, MAX_MOVE / fmax(speed, 1e-6)), CURVATURE_STEP / fmax(w->curvature, 1e-6));
        lbm_problem problem = {.speed = feature->value,
                               .potential = potential->value,
                               .n = b.n,
                               .cell = b.cell,
                               .steps = w->iterations - step < BAND_STEPS ? w->iterations - step : BAND_STEPS,
                               .redistance_steps = DISTANCE_STEPS};
        problem.equation = (lbm_equation){.dt = (float)dt,
                                          .diffusion = (float)w->curvature,
                                          .level_lines = true,
                                          .propagation = (float)w->propagation,
                                          .advection = (float)w->advection};
        set_grid(level, &problem);
        rc = lbm_run(&problem, (double)b.n * TYPICAL_STEPS);
    }
    free(b.cell);
    free(b.in_band);
    return rc;
}

const front_engine lbm_engine = {"lbm", denoise_band, NULL, gradient_magnitude, evolve_front};
