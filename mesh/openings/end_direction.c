/* SPDX-License-Identifier: Apache-2.0 */
#include "mesh/openings/end_direction.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "common/centerline/centerline.h"
#include "common/centerline/curve_fit.h"
#include <math.h>
#include <string.h>

/* In radii. reach, step: half-width and spacing of the grid that samples the lumen. far: arc length from the end up to
 * which the centerline is fitted. least: smallest half-length of the fitted part. most_curvature: largest curvature of
 * a straight vessel, in 1 / radii. */
static const double reach = 6, step = 0.25, far = 5, least = 0.75, most_curvature = 0.07;
enum { POINTS_MAX = 64 };

static int sample_lumen(const voxelize_input *in, const double middle[3], double radius, volume *phi) {
    const double h = step * radius, half = reach * radius;
    const int n = 2 * (int)(reach / step) + 1;
    const int rc = volume_create(phi, (const int[3]){n, n, n}, (const double[3]){h, h, h},
                                 (const double[3]){middle[0] - half, middle[1] - half, middle[2] - half}, NULL);
    for (int k = 0; rc == OK && k < n; k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                double p[3];
                volume_to_lps(phi, (const double[3]){i, j, k}, p);
                phi->value[volume_index(phi, i, j, k)] = (float)in->distance(in->data, p);
            }
    return rc;
}

/* Finds the branch that ends nearest to the point. *side: which end of the branch this is. */
static const centerline_branch_line *nearest_end(const centerline *c, const double point[3], int *side) {
    const centerline_branch_line *best = NULL;
    double away = INFINITY;
    for (int k = 0; k < 2 * c->n_branch; k++) {
        const centerline_node *node = &c->node[c->branch[k / 2].node[k % 2]];
        if (node->degree != 1 || vec_distance(node->at_mm, point) >= away)
            continue;
        away = vec_distance(node->at_mm, point);
        best = &c->branch[k / 2];
        *side = k % 2;
    }
    return best;
}

/* Fits the centerline near the end of the branch. line: unit direction away from the end; curved: the direction of the
 * fitted parabola at the end. Returns false if the branch is short or bends there. */
static bool fit_line(const centerline_branch_line *b, int side, double radius, double line[3], double curved[3]) {
    double s[POINTS_MAX], at[POINTS_MAX][3];
    curve_point p;
    int n = 0;
    for (int k = 0; k < b->n && n < POINTS_MAX; k++) {
        const centerline_point *q = &b->point[side == 0 ? k : b->n - 1 - k];
        s[n] = side == 0 ? q->abscissa_mm : b->length_mm - q->abscissa_mm;
        if (q->own && s[n] < far * radius)
            memcpy(at[n++], q->at_mm, sizeof q->at_mm);
    }
    const double half = n > 0 ? (s[n - 1] - s[0]) / 2 : 0;
    if (half < least * radius || !curve_fit_at(n, s, (const double(*)[3])at, s[0] + half, half, 2, &p))
        return false;
    memcpy(line, p.d1, sizeof p.d1);
    vec_add(p.d1, -(s[0] + half), p.d2, curved);
    return vec_normalize(line) && vec_normalize(curved) && vec_length(p.d2) * radius < most_curvature;
}

int end_direction(const voxelize_input *in, const double middle_mm[3], double radius_mm, double axis[3], bool *found) {
    volume phi = {0};
    centerline c = {0};
    double line[3], curved[3];
    int side = 0, rc = OK;
    *found = false;
    TRY(sample_lumen(in, middle_mm, radius_mm, &phi));
    TRY(centerline_find(&phi, 0, NULL, &c));
    const centerline_branch_line *b = nearest_end(&c, middle_mm, &side);
    if (b == NULL || !fit_line(b, side, radius_mm, line, curved))
        goto cleanup;
    const double way = vec_dot(line, axis) < 0 ? -1 : 1, off = 1 - way * vec_dot(line, axis);
    /* where the centerline bends towards the given direction, this direction is the better one at the end */
    *found = off < 0.5 && 1 - way * vec_dot(curved, axis) > 0.05 * off;
    for (int a = 0; a < 3 && *found; a++)
        axis[a] = way * line[a];
cleanup:
    volume_free(&phi);
    centerline_free(&c);
    return rc;
}
