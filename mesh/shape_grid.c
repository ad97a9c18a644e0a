/* See shape_grid.h. */
#include "mesh/shape_grid.h"
#include "common/base/status.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FEW_PARTS = 6, BLOCKS_MAX = 80000 };

static size_t block_count(const shape_grid *g) {
    return (size_t)g->dims[0] * (size_t)g->dims[1] * (size_t)g->dims[2];
}

static int n_part(const shape *s) {
    return s->n_segment + (s->kind == SHAPE_CHAMBER ? s->n_ellipsoid : 0);
}

/* Distance to one part alone. */
static double part_distance(const shape *s, int part, const double p[3]) {
    shape one = {.kind = SHAPE_CHAMBER};
    if (part < s->n_segment) {
        one.n_segment = 1;
        one.segment = &s->segment[part];
    } else {
        one.n_ellipsoid = 1;
        one.ellipsoid = &s->ellipsoid[part - s->n_segment];
    }
    return shape_distance_mm(&one, p);
}

/* used[k]: part k can be nearest in block b; count: of segments and of ellipsoids. */
static void find_parts(const shape_grid *g, const shape *s, size_t b, double *distance, uint8_t *used,
                       size_t count[2]) {
    const size_t nx = (size_t)g->dims[0], ny = (size_t)g->dims[1];
    const size_t at[3] = {b % nx, b / nx % ny, b / nx / ny};
    const double p[3] = {g->low_mm[0] + g->step_mm * ((double)at[0] + 0.5),
                         g->low_mm[1] + g->step_mm * ((double)at[1] + 0.5),
                         g->low_mm[2] + g->step_mm * ((double)at[2] + 0.5)};
    const double reach = sqrt(3) * g->step_mm * (1 + 1e-9);
    double least = INFINITY;
    for (int k = 0; k < n_part(s); k++) {
        distance[k] = part_distance(s, k, p);
        least = fmin(least, distance[k]);
    }
    count[0] = count[1] = 0;
    for (int k = 0; k < n_part(s); k++) {
        used[k] = distance[k] <= least + reach;
        count[k >= s->n_segment] += used[k];
    }
}

/* Pass 0 puts the counts of block b into first[b + 1], pass 1 copies the parts. */
static void visit_block(shape_grid *g, const shape *s, int pass, size_t b, double *distance, uint8_t *used) {
    size_t count[2];
    find_parts(g, s, b, distance, used, count);
    if (pass == 0) {
        g->first[b + 1] = count[0];
        g->first_ellipsoid[b + 1] = count[1];
        return;
    }
    size_t segment = g->first[b], ellipsoid = g->first_ellipsoid[b];
    for (int k = 0; k < n_part(s); k++) {
        if (used[k] && k < s->n_segment)
            g->segment[segment++] = s->segment[k];
        else if (used[k])
            g->ellipsoid[ellipsoid++] = s->ellipsoid[k - s->n_segment];
    }
}

static int visit_blocks(shape_grid *g, const shape *s, int pass) {
    const size_t n = block_count(g);
    int bad = OK;
#pragma omp parallel
    {
        double *distance = malloc((size_t)n_part(s) * sizeof *distance);
        uint8_t *used = malloc((size_t)n_part(s));
        const int mine = distance && used ? OK : fail_memory("the parts of a shape", 9.0 * n_part(s));
#pragma omp for schedule(static)
        for (size_t b = 0; b < n; b++)
            if (mine == OK)
                visit_block(g, s, pass, b, distance, used);
#pragma omp critical(mesh_shape_grid)
        bad = mine != OK ? mine : bad;
        free(distance);
        free(used);
    }
    for (size_t b = 0; b < n && pass == 0; b++) {
        g->first[b + 1] += g->first[b];
        g->first_ellipsoid[b + 1] += g->first_ellipsoid[b];
    }
    return bad;
}

int shape_grid_create(shape_grid *g, const shape *s, const double low_mm[3], const double high_mm[3]) {
    int rc;
    double volume = 1;
    memset(g, 0, sizeof *g);
    if ((s->kind != SHAPE_TREE && s->kind != SHAPE_CHAMBER) || n_part(s) <= FEW_PARTS)
        return OK;
    for (int a = 0; a < 3; a++)
        volume *= high_mm[a] - low_mm[a];
    g->step_mm = cbrt(volume / BLOCKS_MAX);
    for (int a = 0; a < 3; a++) {
        g->low_mm[a] = low_mm[a] - g->step_mm;
        g->dims[a] = (int)ceil((high_mm[a] - low_mm[a]) / g->step_mm) + 2;
    }
    const size_t n = block_count(g);
    g->first = calloc(n + 1, sizeof *g->first);
    g->first_ellipsoid = calloc(n + 1, sizeof *g->first_ellipsoid);
    if (!g->first || !g->first_ellipsoid) {
        rc = fail_memory("the parts of a shape", 16.0 * (double)n);
        goto cleanup;
    }
    TRY(visit_blocks(g, s, 0));
    g->segment = malloc((g->first[n] + 1) * sizeof *g->segment);
    g->ellipsoid = malloc((g->first_ellipsoid[n] + 1) * sizeof *g->ellipsoid);
    if (!g->segment || !g->ellipsoid) {
        rc = fail_memory("the parts of a shape", (double)g->first[n] * sizeof *g->segment);
        goto cleanup;
    }
    TRY(visit_blocks(g, s, 1));
cleanup:
    if (rc != OK)
        shape_grid_free(g);
    return rc;
}

void shape_grid_free(shape_grid *g) {
    free(g->first);
    free(g->first_ellipsoid);
    free(g->segment);
    free(g->ellipsoid);
    memset(g, 0, sizeof *g);
}

double shape_grid_distance(const shape_grid *g, const shape *s, const double lps_mm[3]) {
    size_t b = 0;
    if (!g->first)
        return shape_distance_mm(s, lps_mm);
    for (int a = 2; a >= 0; a--) {
        const double index = (lps_mm[a] - g->low_mm[a]) / g->step_mm;
        if (!(index >= 0 && index < g->dims[a]))
            return shape_distance_mm(s, lps_mm);
        b = b * (size_t)g->dims[a] + (size_t)index;
    }
    const shape near = {.kind = SHAPE_CHAMBER,
                        .n_segment = (int)(g->first[b + 1] - g->first[b]),
                        .segment = g->segment + g->first[b],
                        .n_ellipsoid = (int)(g->first_ellipsoid[b + 1] - g->first_ellipsoid[b]),
                        .ellipsoid = g->ellipsoid + g->first_ellipsoid[b]};
    return shape_distance_mm(&near, lps_mm);
}
