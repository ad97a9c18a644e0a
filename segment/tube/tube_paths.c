/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/tube/tube_paths.h"
#include "common/base/status.h"
#include "segment/voxel/grid.h"
#include "segment/voxel/least_path.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Standard deviation of the Gaussian in the second derivatives, in radii */
static const double tube_sigma = 0.6;
/* A voxel is in a sheet if |l2| < roundest |l1|, and in a ball if |l3| > longest |l2|; l1, l2, l3: eigenvalues
 * (tube_paths.h) */
static const double roundest = 0.4, longest = 0.5;

void paths_free(paths *p) {
    for (int k = 0; p->branch && k < p->n; k++)
        free(p->branch[k].at_mm);
    free(p->branch);
    memset(p, 0, sizeof *p);
}

/* ---------------------------------------------------------------------------------------------- tubeness */

/* Eigenvalues, ascending, of the symmetric matrix {xx, yy, zz, xy, xz, yz} (Smith 1961). */
static void symmetric_eigenvalues(const double h[6], double out[3]) {
    const double mean = (h[0] + h[1] + h[2]) / 3;
    const double a = h[0] - mean, b = h[1] - mean, c = h[2] - mean;
    const double off = h[3] * h[3] + h[4] * h[4] + h[5] * h[5], p = sqrt((a * a + b * b + c * c + 2 * off) / 6);
    if (p <= 0) {
        out[0] = out[1] = out[2] = mean;
        return;
    }
    const double det = a * (b * c - h[5] * h[5]) - h[3] * (h[3] * c - h[5] * h[4]) + h[4] * (h[3] * h[5] - b * h[4]);
    const double angle = acos(fmax(-1, fmin(1, det / (2 * p * p * p)))) / 3;
    out[2] = mean + 2 * p * cos(angle);
    out[0] = mean + 2 * p * cos(angle + 2 * M_PI / 3);
    out[1] = 3 * mean - out[0] - out[2];
}

static double value_at(const volume *v, int i, int j, int k) {
    const int x[3] = {i, j, k};
    int at[3];
    for (int a = 0; a < 3; a++)
        at[a] = x[a] < 0 ? 0 : (x[a] >= v->dims[a] ? v->dims[a] - 1 : x[a]);
    return (double)v->value[volume_index(v, at[0], at[1], at[2])];
}

/* Second derivatives per mm^2 on a grid of cubes. */
static void second_derivatives(const volume *v, int i, int j, int k, double h[6]) {
    static const int step[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, pair[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    const double per = 1 / (v->spacing_mm[0] * v->spacing_mm[0]), middle = value_at(v, i, j, k);
    for (int a = 0; a < 3; a++)
        h[a] = per * (value_at(v, i + step[a][0], j + step[a][1], k + step[a][2]) +
                      value_at(v, i - step[a][0], j - step[a][1], k - step[a][2]) - 2 * middle);
    for (int n = 0; n < 3; n++) {
        const int *s = step[pair[n][0]], *t = step[pair[n][1]];
        h[3 + n] = per / 4 *
                   (value_at(v, i + s[0] + t[0], j + s[1] + t[1], k + s[2] + t[2]) +
                    value_at(v, i - s[0] - t[0], j - s[1] - t[1], k - s[2] - t[2]) -
                    value_at(v, i + s[0] - t[0], j + s[1] - t[1], k + s[2] - t[2]) -
                    value_at(v, i - s[0] + t[0], j - s[1] + t[1], k - s[2] + t[2]));
    }
}

int paths_tubeness(volume *v, double radius_mm, double contrast, bool strict, const uint8_t *wanted) {
    volume smooth = {0};
    const double mm = tube_sigma * radius_mm, s = mm / v->spacing_mm[0];
    int rc = OK;
    TRY(grid_smooth(v, (const double[3]){s, s, s}));
    TRY(volume_copy(&smooth, v));
#pragma omp parallel for schedule(static)
    for (int k = 0; k < v->dims[2]; k++)
        for (int j = 0; j < v->dims[1]; j++)
            for (int i = 0; i < v->dims[0]; i++) {
                double h[6], l[3];
                const size_t at = volume_index(v, i, j, k);
                if (wanted != NULL && !wanted[at]) {
                    v->value[at] = 0;
                    continue;
                }
                second_derivatives(&smooth, i, j, k, h);
                symmetric_eigenvalues(h, l);
                const bool round = !strict || (l[1] < roundest * l[0] && l[2] > longest * l[1]);
                v->value[at] = l[1] < 0 && round ? (float)(mm * mm * sqrt(l[0] * l[1]) / contrast) : 0;
            }
cleanup:
    volume_free(&smooth);
    return rc;
}

/* ---------------------------------------------------------------------------------------------- least paths */

typedef struct {
    least_path least;
    int8_t *terminal; /* [voxels] 1: a terminal that is not joined yet */
} search;

/* Continue the search to the nearest terminal (seed or opening) that is not joined yet. Errors: ERR_RESOURCE,
 * ERR_INTERNAL if none is reachable. */
static int search_next(search *s, int32_t *found) {
    int rc = OK;
    while (rc == OK && least_path_next(&s->least, found)) {
        if (s->terminal[*found]) /* this terminal goes back into the queue, because its neighbours are not visited
                                  * yet */
            return heap_push(&s->least.q, s->least.best[*found], (size_t)*found);
        rc = least_path_spread(&s->least, *found);
    }
    return rc != OK
               ? rc
               : fail(ERR_INTERNAL, "the search for vessels between the seeds ended too early (error in the program)");
}

/* Trace the path from a terminal back to the tree and add the path to the tree. */
static int trace_branch(search *s, int32_t terminal, paths_branch *out) {
    int rc = OK, n = 0;
    for (int32_t v = terminal; v != LEAST_PATH_NONE; n++)
        v = least_path_before(&s->least, v);
    out->at_mm = malloc(((size_t)n + 1) * sizeof *out->at_mm);
    if (out->at_mm == NULL)
        return fail_memory("a path", n * (double)sizeof *out->at_mm);
    int32_t v = terminal;
    for (out->n = 0; out->n < n && rc == OK; out->n++) {
        const int32_t before = least_path_before(&s->least, v);
        least_path_place(&s->least, v, out->at_mm[out->n]);
        rc = least_path_start(&s->least, v);
        v = before;
    }
    return rc;
}

static int32_t voxel_of(const volume *v, const double lps_mm[3]) {
    double index[3];
    int at[3];
    volume_to_index(v, lps_mm, index);
    for (int a = 0; a < 3; a++)
        at[a] = (int)fmin(v->dims[a] - 1, fmax(0, floor(index[a] + 0.5)));
    return (int32_t)volume_index(v, at[0], at[1], at[2]);
}

/* Add one branch per terminal; terminals in one voxel are joined together. */
static int join_terminals(search *s, int n, const double (*point)[3], const int *opening, paths *out) {
    int rc = OK;
    int32_t found = voxel_of(s->least.cost, point[0]);
    for (int left = n; left > 0 && rc == OK;) {
        if (left < n)
            rc = search_next(s, &found);
        for (int k = 0; k < n && rc == OK; k++) {
            if (voxel_of(s->least.cost, point[k]) != found)
                continue;
            paths_branch *b = &out->branch[out->n++];
            *b = (paths_branch){.opening = opening[k], .root = left == n};
            if (left == n)
                rc = least_path_start(&s->least, found);
            if (rc == OK)
                rc = trace_branch(s, found, b);
            left--;
        }
        s->terminal[found] = 0;
    }
    return rc;
}

int paths_find(const volume *cost, int n, const double (*point)[3], const int *opening, paths *out) {
    const size_t size = volume_size(cost);
    search s = {.terminal = calloc(size, 1)};
    int rc = OK;
    *out = (paths){.branch = calloc((size_t)n, sizeof *out->branch)};
    TRY(least_path_create(cost, &s.least));
    if (s.terminal == NULL || out->branch == NULL) {
        rc = fail_memory("the paths between seeds and openings", (double)size);
        goto cleanup;
    }
    for (int k = 0; k < n; k++)
        s.terminal[voxel_of(cost, point[k])] = 1;
    TRY(join_terminals(&s, n, point, opening, out));
cleanup:
    free(s.terminal);
    least_path_free(&s.least);
    if (rc != OK)
        paths_free(out);
    return rc;
}
