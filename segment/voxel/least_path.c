/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/voxel/least_path.h"
#include "common/base/status.h"
#include "segment/voxel/voxel.h"
#include <math.h>
#include <stdlib.h>

int least_path_create(const volume *cost, least_path *p) {
    const size_t n = volume_size(cost);
    *p = (least_path){.cost = cost, .best = malloc(n * sizeof *p->best), .from = malloc(n)};
    if (p->best == NULL || p->from == NULL)
        return fail_memory("minimal paths", (double)n * (sizeof *p->best + 1));
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++) {
        p->best[i] = INFINITY;
        p->from[i] = LEAST_PATH_NONE;
    }
    return OK;
}

void least_path_free(least_path *p) {
    free(p->best);
    free(p->from);
    heap_free(&p->q);
    *p = (least_path){0};
}

int least_path_start(least_path *p, int32_t voxel) {
    p->best[voxel] = 0;
    p->from[voxel] = LEAST_PATH_START;
    return heap_push(&p->q, 0, (size_t)voxel);
}

void least_path_forbid(least_path *p, int32_t voxel) {
    p->best[voxel] = -INFINITY; /* no path can have a smaller sum, so no path enters the voxel */
}

/* Neighbour n of a voxel; LEAST_PATH_NONE: outside the volume. */
static int32_t find_neighbour(const volume *v, int32_t voxel, int n) {
    int at[3];
    voxel_split(v, (size_t)voxel, at);
    at[0] += n % 3 - 1;
    at[1] += n / 3 % 3 - 1;
    at[2] += n / 9 - 1;
    for (int a = 0; a < 3; a++)
        if (at[a] < 0 || at[a] >= v->dims[a])
            return LEAST_PATH_NONE;
    return (int32_t)volume_index(v, at[0], at[1], at[2]);
}

static double length_mm(const volume *v, int n) {
    return v->spacing_mm[0] * sqrt(abs(n % 3 - 1) + abs(n / 3 % 3 - 1) + abs(n / 9 - 1));
}

bool least_path_next(least_path *p, int32_t *voxel) {
    while (p->q.n > 0) {
        const heap_item top = heap_pop(&p->q);
        *voxel = (int32_t)top.voxel;
        if (top.key <= p->best[*voxel]) /* a larger key is outdated, because a shorter path has reached the voxel
                                         * since */
            return true;
    }
    return false;
}

int least_path_spread(least_path *p, int32_t voxel) {
    const float *value = p->cost->value;
    int rc = OK;
    for (int n = 0; n < 27 && rc == OK; n++) {
        const int32_t to = n == LEAST_PATH_START ? LEAST_PATH_NONE : find_neighbour(p->cost, voxel, n);
        if (to == LEAST_PATH_NONE)
            continue;
        const double mean = ((double)value[voxel] + (double)value[to]) / 2;
        const float sum = p->best[voxel] + (float)(length_mm(p->cost, n) * mean);
        if (sum >= p->best[to])
            continue;
        p->best[to] = sum;
        p->from[to] = (int8_t)n;
        rc = heap_push(&p->q, sum, (size_t)to);
    }
    return rc;
}

int32_t least_path_before(const least_path *p, int32_t voxel) {
    return p->from[voxel] == LEAST_PATH_START ? LEAST_PATH_NONE : find_neighbour(p->cost, voxel, 26 - p->from[voxel]);
}

double least_path_step_mm(const least_path *p, int32_t voxel) {
    return length_mm(p->cost, p->from[voxel]);
}

void least_path_place(const least_path *p, int32_t voxel, double lps_mm[3]) {
    int at[3];
    voxel_split(p->cost, (size_t)voxel, at);
    volume_to_lps(p->cost, (const double[3]){at[0], at[1], at[2]}, lps_mm);
}
