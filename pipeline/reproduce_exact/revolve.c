/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/reproduce_exact/revolve.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    double z_mm, r_mm;
} ring;

/* Number of rings on the edge from corner k to the next corner, without the ring at corner k. */
static int pieces(const revolve *v, int k) {
    return (int)fmax(1, ceil(hypot(v->z_mm[k + 1] - v->z_mm[k], v->r_mm[k + 1] - v->r_mm[k]) / v->edge_mm - 1e-9));
}

static void ring_point(const revolve *v, const ring *g, int corner, float point[3]) {
    const double turn = v->turn_deg * M_PI / 180, step = 2 * M_PI / v->around, angle = step * corner;
    const double r = g->r_mm * sqrt(step / sin(step)); /* the polygon gets the area of the circle */
    point[0] = (float)(r * cos(angle) * cos(turn) + g->z_mm * sin(turn));
    point[1] = (float)(r * sin(angle));
    point[2] = (float)(g->z_mm * cos(turn) - r * cos(angle) * sin(turn));
}

/* Writes one triangle of a binary STL: normal (0, because readers compute it), corners, two bytes. Returns the end of
 * the triangle. */
static char *put_triangle(char *at, float corner[4][3], int a, int b, int c) {
    memset(at, 0, 50);
    memcpy(at + 12, corner[a], 12);
    memcpy(at + 24, corner[b], 12);
    memcpy(at + 36, corner[c], 12);
    return at + 50;
}

static void put_band(const revolve *v, const ring *low, const ring *high, char *at) {
    for (int k = 0; k < v->around; k++) {
        float corner[4][3];
        ring_point(v, low, k, corner[0]);
        ring_point(v, low, (k + 1) % v->around, corner[1]);
        ring_point(v, high, (k + 1) % v->around, corner[2]);
        ring_point(v, high, k, corner[3]);
        at = put_triangle(at, corner, 0, 1, 2);
        at = put_triangle(at, corner, 0, 2, 3);
    }
}

static int check(const revolve *v) {
    if (v->n < 2 || v->around < 8 || v->around > 4096 || !(v->edge_mm > 0))
        return fail(ERR_USAGE, "a tube round an axis needs 2 corners or more, 8 to 4096 points per ring, and edges "
                               "above 0 mm (error in the study)");
    for (int k = 0; k < v->n; k++)
        if (!(v->r_mm[k] > 0) || (k > 0 && !(v->z_mm[k] >= v->z_mm[k - 1])))
            return fail(ERR_USAGE,
                        "corner %d of a tube round an axis, (%g, %g) mm, must have a radius above 0 and must not lie "
                        "before the previous corner (error in the study)",
                        k, v->z_mm[k], v->r_mm[k]);
    return OK;
}

int revolve_write(const revolve *v, const char *path) {
    int rc = check(v), bands = 0;
    for (int k = 0; rc == OK && k + 1 < v->n; k++)
        bands += pieces(v, k);
    if (rc != OK)
        return rc;
    const uint32_t triangles = 2 * (uint32_t)bands * (uint32_t)v->around;
    const size_t size = 84 + 50 * (size_t)triangles;
    char *file = calloc(size, 1);
    if (!file)
        return fail_memory("a tube", (double)size);
    snprintf(file, 80, "tube round an axis, mm");
    memcpy(file + 80, &triangles, sizeof triangles);
    char *at = file + 84;
    for (int k = 0; k + 1 < v->n; k++) {
        const int n = pieces(v, k);
        for (int j = 0; j < n; j++) {
            const double s = (double)j / n, t = (double)(j + 1) / n;
            const ring low = {(1 - s) * v->z_mm[k] + s * v->z_mm[k + 1], (1 - s) * v->r_mm[k] + s * v->r_mm[k + 1]};
            const ring high = {(1 - t) * v->z_mm[k] + t * v->z_mm[k + 1], (1 - t) * v->r_mm[k] + t * v->r_mm[k + 1]};
            put_band(v, &low, &high, at);
            at += (size_t)100 * (size_t)v->around;
        }
    }
    rc = file_write(path, file, size);
    free(file);
    return rc;
}
