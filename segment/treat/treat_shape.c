/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/treat/treat_shape.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A cross-section is at a bifurcation if its largest radius exceeds this multiple of the vessel's radius. Chosen. */
static const double WIDEST_RADII = 3;

void treat_curve_free(treat_curve *c) {
    free(c->point);
    *c = (treat_curve){0};
}

static int add_point(treat_curve *c, const double p[3]) {
    double(*larger)[3] = realloc(c->point, ((size_t)c->n + 1) * sizeof *larger);
    if (!larger)
        return fail_memory("a curve", 24.0 * c->n);
    c->point = larger;
    if (c->n > 0)
        c->length_mm += vec_distance(larger[c->n - 1], p);
    memcpy(larger[c->n++], p, sizeof *larger);
    return OK;
}

/* Point at parameter t on the curve piece between b and c; knot: parameters of a, b, c, d (Barry and Goldman 1988). */
static void interpolate(const double *const p[4], const double knot[4], double t, double out[3]) {
    for (int x = 0; x < 3; x++) {
        double v[4] = {p[0][x], p[1][x], p[2][x], p[3][x]};
        for (int level = 1; level < 4; level++) {
            double w[4] = {0, 0, 0, 0};
            for (int k = 0; k < 4 - level; k++) {
                /* the last level uses the knots of the middle piece */
                const int low = level == 1 ? k : level == 2 ? k : 1, high = level == 1 ? k + 1 : level == 2 ? k + 2 : 2;
                const double s = (t - knot[low]) / (knot[high] - knot[low]);
                w[k] = (1 - s) * v[k] + s * v[k + 1];
            }
            memcpy(v, w, sizeof v);
        }
        out[x] = v[0];
    }
}

int treat_curve_through(int n, const double (*point)[3], double step_mm, double straight_mm, treat_curve *out) {
    double last[3] = {0, 0, 0};
    int rc = OK;
    *out = (treat_curve){0};
    for (int k = 0; k + 1 < n; k++) {
        double before[3], after[3], knot[4] = {0, 0, 0, 0};
        const double length = vec_distance(point[k], point[k + 1]);
        if (!(length > 1e-6))
            GIVE_UP(fail(ERR_INPUT, "two points of the stent in sequence are equal; leave one of them out"));
        /* beyond both ends the curve uses mirrored points */
        vec_add(point[k], -1, point[k + 1], before);
        vec_add(point[k], 1, before, before);
        vec_add(point[k + 1], -1, point[k], after);
        vec_add(point[k + 1], 1, after, after);
        const double *const p[4] = {k > 0 ? point[k - 1] : before, point[k], point[k + 1],
                                    k + 2 < n ? point[k + 2] : after};
        for (int j = 1; j < 4; j++)
            knot[j] = knot[j - 1] + fmax(sqrt(vec_distance(p[j - 1], p[j])), 1e-6);
        const int pieces = (int)ceil(length / step_mm);
        for (int j = k > 0; j <= pieces; j++) {
            double at[3];
            interpolate(p, knot, knot[1] + (knot[2] - knot[1]) * j / pieces, at);
            TRY(add_point(out, at));
        }
    }
    vec_add(out->point[out->n - 1], -1, out->point[out->n - 2], last);
    if (straight_mm > 0 && vec_normalize(last)) {
        vec_add(out->point[out->n - 1], straight_mm, last, last);
        TRY(add_point(out, last));
    }
cleanup:
    if (rc != OK)
        treat_curve_free(out);
    return rc;
}

/* Sets a voxel, and records a change between tissue and lumen. */
static void set_voxel(volume *phi, const int at[3], double value, treat_effect *effect) {
    float *now = &phi->value[volume_index(phi, at[0], at[1], at[2])];
    const float next = (float)value;
    if ((*now < 0) != (next < 0)) {
        double p[3];
        volume_to_lps(phi, (const double[3]){at[0], at[1], at[2]}, p);
        effect->volume_ml += 1e-3 * phi->spacing_mm[0] * phi->spacing_mm[1] * phi->spacing_mm[2];
        for (int k = 0; k < effect->n_opening; k++)
            effect->nearest_mm[k] = fmin(effect->nearest_mm[k], vec_distance(p, effect->opening_mm[k]));
    }
    *now = next;
}

/* Box of the voxels within reach_mm of two points. */
static void box_of(const volume *v, const double a[3], const double b[3], double reach_mm, int low[3], int high[3]) {
    double from[3], to[3];
    volume_to_index(v, a, from);
    volume_to_index(v, b, to);
    for (int x = 0; x < 3; x++) {
        const double reach = reach_mm / v->spacing_mm[x];
        low[x] = (int)fmax(0, floor(fmin(from[x], to[x]) - reach));
        high[x] = (int)fmin(v->dims[x] - 1, ceil(fmax(from[x], to[x]) + reach));
    }
}

static double distance_to_piece(const double p[3], const double a[3], const double b[3]) {
    double along[3], to[3], nearest[3];
    vec_add(b, -1, a, along);
    vec_add(p, -1, a, to);
    const double square = vec_dot(along, along);
    const double t = square > 0 ? fmin(1, fmax(0, vec_dot(to, along) / square)) : 0;
    vec_add(a, t, along, nearest);
    return vec_distance(p, nearest);
}

void treat_unite_tube(const treat_curve *c, double radius_mm, double reach_mm, volume *phi, treat_effect *effect) {
    for (int n = 0; n + 1 < c->n; n++) {
        int low[3], high[3];
        box_of(phi, c->point[n], c->point[n + 1], radius_mm + reach_mm, low, high);
        for (int k = low[2]; k <= high[2]; k++)
            for (int j = low[1]; j <= high[1]; j++)
                for (int i = low[0]; i <= high[0]; i++) {
                    double p[3];
                    volume_to_lps(phi, (const double[3]){i, j, k}, p);
                    const double d = distance_to_piece(p, c->point[n], c->point[n + 1]) - radius_mm;
                    if (d < reach_mm && d < (double)phi->value[volume_index(phi, i, j, k)])
                        set_voxel(phi, (const int[3]){i, j, k}, d, effect);
                }
    }
}

/* ---------------------------------------------------------------------------------------------------------- disc */

typedef struct {
    double at[3], along[3], half_mm; /* half of the thickness */
} disc;

/* Height and radius of a voxel in the frame of the disc. */
static void disc_place(const disc *d, const volume *phi, const int at[3], double *height, double *radius) {
    double p[3], to[3];
    volume_to_lps(phi, (const double[3]){at[0], at[1], at[2]}, p);
    vec_add(p, -1, d->at, to);
    *height = fabs(vec_dot(to, d->along));
    *radius = sqrt(fmax(0, vec_dot(to, to) - *height * *height));
}

/* Finds the lumen of the vessel between the faces of the disc, connected with its centre. inside: out, 1 for these
 * voxels. Returns its largest radius. */
static double fill_section(const disc *d, const volume *phi, const int low[3], const int high[3], uint8_t *inside) {
    double centre[3], widest = 0;
    volume_to_index(phi, d->at, centre);
    const int start[3] = {(int)lround(centre[0]), (int)lround(centre[1]), (int)lround(centre[2])};
    inside[volume_index(phi, start[0], start[1], start[2])] = 1;
    for (bool more = true; more;) {
        more = false;
        for (int k = low[2]; k <= high[2]; k++)
            for (int j = low[1]; j <= high[1]; j++)
                for (int i = low[0]; i <= high[0]; i++) {
                    const int near[6][3] = {{i - 1, j, k}, {i + 1, j, k}, {i, j - 1, k},
                                            {i, j + 1, k}, {i, j, k - 1}, {i, j, k + 1}};
                    const size_t at = volume_index(phi, i, j, k);
                    double height, radius;
                    bool touches = false;
                    if (inside[at] || !(phi->value[at] < 0))
                        continue;
                    for (int b = 0; b < 6 && !touches; b++) {
                        bool in = true;
                        for (int x = 0; x < 3; x++)
                            in = in && near[b][x] >= low[x] && near[b][x] <= high[x];
                        touches = in && inside[volume_index(phi, near[b][0], near[b][1], near[b][2])];
                    }
                    if (!touches)
                        continue;
                    disc_place(d, phi, (const int[3]){i, j, k}, &height, &radius);
                    if (height > d->half_mm)
                        continue;
                    inside[at] = 1;
                    widest = fmax(widest, radius);
                    more = true;
                }
    }
    return widest;
}

int treat_remove_disc(const char *what, const double at[3], const double along[3], double radius_mm, double thick_mm,
                      volume *phi, treat_effect *effect) {
    const double voxel = volume_thickest_mm(phi);
    const double reach = WIDEST_RADII * radius_mm + 2 * voxel;
    disc d = {.half_mm = thick_mm / 2};
    uint8_t *inside = calloc(volume_size(phi), 1);
    int low[3], high[3], rc = OK;
    if (!inside)
        return fail_memory("the closed branch", (double)volume_size(phi));
    memcpy(d.at, at, sizeof d.at);
    memcpy(d.along, along, sizeof d.along);
    box_of(phi, at, at, reach + d.half_mm, low, high);
    const double widest = fill_section(&d, phi, low, high, inside), outer = widest + 1.5 * voxel;
    if (widest > WIDEST_RADII * radius_mm)
        GIVE_UP(fail(ERR_INPUT,
                     "%s: the cross-section there reaches %.1f mm from the centerline of a vessel of %.1f mm "
                     "diameter, as in a bifurcation; choose another place",
                     what, widest, 2 * radius_mm));
    for (int k = low[2]; k <= high[2]; k++)
        for (int j = low[1]; j <= high[1]; j++)
            for (int i = low[0]; i <= high[0]; i++) {
                double height, radius;
                const size_t v = volume_index(phi, i, j, k);
                disc_place(&d, phi, (const int[3]){i, j, k}, &height, &radius);
                if (phi->value[v] < 0 && !inside[v] && height <= d.half_mm && radius <= outer)
                    GIVE_UP(fail(ERR_INPUT,
                                 "%s: a second vessel is within %.1f mm of the centerline there and would be "
                                 "closed, too; choose another place",
                                 what, outer));
            }
    for (int k = 0; k < phi->dims[2]; k++)
        for (int j = 0; j < phi->dims[1]; j++)
            for (int i = 0; i < phi->dims[0]; i++) {
                double height, radius;
                disc_place(&d, phi, (const int[3]){i, j, k}, &height, &radius);
                const double a = radius - outer, b = height - d.half_mm; /* signed distance of a disc */
                const double distance = fmin(fmax(a, b), 0) + hypot(fmax(a, 0), fmax(b, 0));
                if (-distance > (double)phi->value[volume_index(phi, i, j, k)])
                    set_voxel(phi, (const int[3]){i, j, k}, -distance, effect);
            }
cleanup:
    free(inside);
    return rc;
}
