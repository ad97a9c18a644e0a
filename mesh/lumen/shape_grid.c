/* SPDX-License-Identifier: Apache-2.0 */
#include "mesh/lumen/shape_grid.h"
#include "common/base/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FEW_PARTS = 6,
    BLOCKS_MAX = 80000,
    GROUP = 5 /* blocks along an edge of a group; one list of candidates serves all blocks of a group */
};

static size_t block_count(const shape_grid *g) {
    return (size_t)g->dims[0] * (size_t)g->dims[1] * (size_t)g->dims[2];
}

static int n_part(const shape *s) {
    return s->n_segment + (s->kind == SHAPE_CHAMBER ? s->n_ellipsoid : 0);
}

/* Distance of p to one part of the shape alone. */
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

/* Parts of a shape that may be nearest to a point. */
typedef struct {
    int n;
    int *part;        /* [n] numbers of parts that may be nearest, ascending */
    double *distance; /* [n] distance of each such part from the query point */
} candidates;

/* Copy to `out` the parts in `of` whose distance from p exceeds the smallest distance by no more than `reach`. */
static void nearest_parts(const shape *s, const candidates *of, const double p[3], double reach, candidates *out) {
    double least = INFINITY;
    out->n = 0;
    for (int k = 0; k < of->n; k++) {
        out->distance[k] = part_distance(s, of->part[k], p);
        least = fmin(least, out->distance[k]);
    }
    for (int k = 0; k < of->n; k++)
        if (out->distance[k] <= least + reach)
            out->part[out->n++] = of->part[k];
}

/* Stores the parts of block b. Pass 0 writes their counts into first[b + 1] and first_ellipsoid[b + 1]; pass 1 copies
 * the parts. */
static void store_parts(shape_grid *g, const shape *s, int pass, size_t b, const candidates *used) {
    size_t segment = g->first[b], ellipsoid = g->first_ellipsoid[b], count[2] = {0, 0};
    for (int k = 0; k < used->n; k++) {
        const int part = used->part[k];
        count[part >= s->n_segment]++;
        if (pass == 1 && part < s->n_segment)
            g->segment[segment++] = s->segment[part];
        else if (pass == 1)
            g->ellipsoid[ellipsoid++] = s->ellipsoid[part - s->n_segment];
    }
    if (pass == 0) {
        g->first[b + 1] = count[0];
        g->first_ellipsoid[b + 1] = count[1];
    }
}

/* Centre of a cube of `width` blocks whose first block is `at`. */
static void centre_of(const shape_grid *g, const int at[3], int width, double p[3]) {
    for (int a = 0; a < 3; a++)
        p[a] = g->low_mm[a] + g->step_mm * (at[a] + 0.5 * width);
}

/* Visit all blocks of a group. If a part may be nearest in a block, its distance from the centre of the group exceeds
 * the smallest distance there by no more than 2 |centre of the block - centre of the group| + reach, because distances
 * change by no more than 1 per unit length. room: lists of all parts, of the candidates of the group and of the
 * candidates of a block. */
static void visit_group(shape_grid *g, const shape *s, int pass, const int at[3], candidates room[3]) {
    const double reach = sqrt(3) * g->step_mm * (1 + 1e-9), apart = 0.5 * sqrt(3) * g->step_mm * (GROUP - 1);
    double p[3];
    centre_of(g, at, GROUP, p);
    nearest_parts(s, &room[0], p, (2 * apart + reach) * (1 + 1e-6), &room[1]);
    for (int k = 0; k < GROUP * GROUP * GROUP; k++) {
        const int own[3] = {at[0] + k % GROUP, at[1] + k / GROUP % GROUP, at[2] + k / GROUP / GROUP};
        if (own[0] >= g->dims[0] || own[1] >= g->dims[1] || own[2] >= g->dims[2])
            continue;
        centre_of(g, own, 1, p);
        nearest_parts(s, &room[1], p, reach, &room[2]);
        store_parts(g, s, pass,
                    ((size_t)own[2] * (size_t)g->dims[1] + (size_t)own[1]) * (size_t)g->dims[0] + (size_t)own[0],
                    &room[2]);
    }
}

static int visit_blocks(shape_grid *g, const shape *s, int pass) {
    const size_t n = block_count(g), parts = (size_t)n_part(s);
    int wide[3], bad = OK;
    for (int a = 0; a < 3; a++)
        wide[a] = (g->dims[a] + GROUP - 1) / GROUP;
#pragma omp parallel
    {
        int *part = malloc(3 * parts * sizeof *part);
        double *distance = malloc(3 * parts * sizeof *distance);
        const int mine = part && distance ? OK : fail_memory("the parts of a shape", 36.0 * (double)parts);
        candidates room[3];
        for (size_t k = 0; k < 3 && mine == OK; k++)
            room[k] = (candidates){0, part + k * parts, distance + k * parts};
        for (room[0].n = 0; mine == OK && room[0].n < n_part(s); room[0].n++)
            room[0].part[room[0].n] = room[0].n;
#pragma omp for schedule(dynamic, 4)
        for (int k = 0; k < wide[0] * wide[1] * wide[2]; k++) {
            const int at[3] = {k % wide[0] * GROUP, k / wide[0] % wide[1] * GROUP, k / wide[0] / wide[1] * GROUP};
            if (mine == OK)
                visit_group(g, s, pass, at, room);
        }
#pragma omp critical(mesh_shape_grid)
        bad = mine != OK ? mine : bad;
        free(part);
        free(distance);
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
