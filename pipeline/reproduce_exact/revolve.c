/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/reproduce_exact/revolve.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Number of rings on the edge from corner k to the next corner, without the ring at corner k. */
static int pieces(const revolve *v, int k) {
    return (int)fmax(1, ceil(hypot(v->z_mm[k + 1] - v->z_mm[k], v->r_mm[k + 1] - v->r_mm[k]) / v->edge_mm - 1e-9));
}

static void put_ring(const revolve *v, double z_mm, double r_mm, float (*point)[3]) {
    const double turn = v->turn_deg * M_PI / 180, step = 2 * M_PI / v->around;
    const double r = r_mm * sqrt(step / sin(step)); /* the polygon gets the area of the circle */
    for (int k = 0; k < v->around; k++) {
        point[k][0] = (float)(r * cos(step * k) * cos(turn) + z_mm * sin(turn));
        point[k][1] = (float)(r * sin(step * k));
        point[k][2] = (float)(z_mm * cos(turn) - r * cos(step * k) * sin(turn));
    }
}

int revolve_write_rings(int n_ring, int around, float (*point)[3], const char *title, const char *path) {
    static const int corner[2][3][2] = {{{0, 0}, {0, 1}, {1, 1}}, {{0, 0}, {1, 1}, {1, 0}}}; /* ring, corner of ring */
    const uint32_t triangles = 2 * (uint32_t)(n_ring - 1) * (uint32_t)around;
    const size_t size = 84 + 50 * (size_t)triangles;
    char *file = calloc(size, 1), *at = file + 84;
    if (!file)
        return fail_memory("a tube", (double)size);
    snprintf(file, 80, "%s", title);
    memcpy(file + 80, &triangles, sizeof triangles);
    /* a triangle: normal (0, because readers compute it), corners, two bytes */
    for (uint32_t k = 0; k < triangles; k++, at += 50)
        for (int c = 0; c < 3; c++) {
            const int *which = corner[k % 2][c], face = (int)(k / 2);
            const int ring = face / around + which[0], place = (face + which[1]) % around;
            memcpy(at + 12 + 12 * (size_t)c, point[ring * around + place], 12);
        }
    const int rc = file_write(path, file, size);
    free(file);
    return rc;
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
    int rc = check(v), n_ring = 1;
    for (int k = 0; rc == OK && k + 1 < v->n; k++)
        n_ring += pieces(v, k);
    if (rc != OK)
        return rc;
    float(*point)[3] = malloc((size_t)n_ring * (size_t)v->around * sizeof *point), (*next)[3] = point;
    if (!point)
        return fail_memory("a tube", (double)n_ring * v->around * sizeof *point);
    put_ring(v, v->z_mm[0], v->r_mm[0], next);
    for (int k = 0; k + 1 < v->n; k++)
        for (int n = pieces(v, k), j = 1; j <= n; j++) {
            const double t = (double)j / n;
            next += v->around;
            put_ring(v, (1 - t) * v->z_mm[k] + t * v->z_mm[k + 1], (1 - t) * v->r_mm[k] + t * v->r_mm[k + 1], next);
        }
    rc = revolve_write_rings(n_ring, v->around, point, "tube round an axis, mm", path);
    free(point);
    return rc;
}
