/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/checks/wall_uncertainty.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "segment/checks/checks_constants.h"
#include "segment/seeds/seed_noise.h"
#include <math.h>
#include <stdlib.h>

static double voxel_mm(const volume *v) {
    return cbrt(v->spacing_mm[0] * v->spacing_mm[1] * v->spacing_mm[2]);
}

/* Sum, at each point, of the normals of its triangles. The caller frees the result; NULL: out of memory. */
static double (*point_normals(const surface *s))[3] {
    double(*n)[3] = calloc((size_t)s->n_point + 1, sizeof *n);
    for (int64_t t = 0; n && t < s->n_triangle; t++) {
        double one[3];
        surface_triangle_mm2(s, t, one);
        for (int k = 0; k < 3; k++)
            for (int a = 0; a < 3; a++)
                n[s->triangle[3 * t + k]][a] += one[a];
    }
    return n;
}

/* Intensity at distance mm along the normal; NaN outside the image. */
static double sample_along(const volume *image, const double p[3], const double n[3], double mm) {
    double at[3];
    vec_add(p, mm, n, at);
    return volume_contains(image, at) ? volume_sample(image, at) : NAN;
}

/* Number of samples of a profile, from SIDE_VOXELS inside the wall to SIDE_VOXELS outside, and the two samples that are
 * SLOPE_VOXELS from the wall. */
enum { PROFILE = 21, NEAR_INSIDE = 8, NEAR_OUTSIDE = 12, LAST = PROFILE - 1 };

/* Sample the profile at a point of the wall. Returns false if the profile leaves the image. */
static bool sample_profile(const volume *image, const double p[3], const double n[3], double f[PROFILE]) {
    const double step = 2 * SIDE_VOXELS * voxel_mm(image) / LAST;
    for (int k = 0; k < PROFILE; k++) {
        f[k] = sample_along(image, p, n, (k - LAST / 2) * step);
        if (!isfinite(f[k]))
            return false;
    }
    return true;
}

/* Position, in samples from the wall outwards, where the profile falls to the fraction `part` of its contrast above the
 * tissue. If there are several positions: the one nearest to the wall. A profile with contrast passes every fraction
 * between 0 and 1. */
static double level_place(const double f[PROFILE], double part) {
    const double level = f[LAST] + part * (f[0] - f[LAST]);
    double nearest = INFINITY;
    for (int k = 0; k < LAST; k++) {
        const double a = f[k] - level, b = f[k + 1] - level, at = k + a / (a - b) - LAST / 2;
        if ((a > 0) != (b > 0) && fabs(at) < fabs(nearest))
            nearest = at;
    }
    return nearest;
}

/* Edge of a profile. width: standard deviation of the blur across the wall, mm; contrast: difference of the intensities
 * inside and outside. */
typedef struct {
    double width, contrast;
    double threshold_mm; /* half the distance between the levels of 40 and 60 % of the contrast */
} edge;

/* Returns false if the profile has no edge. */
static bool read_profile(const double f[PROFILE], double h, edge *e) {
    const double slope = (f[NEAR_INSIDE] - f[NEAR_OUTSIDE]) / (2 * SLOPE_VOXELS * h),
                 seen = (f[0] - f[LAST]) / (sqrt(2 * M_PI) * slope);
    e->contrast = fabs(f[0] - f[LAST]);
    e->width = sqrt(fmax(seen * seen - SAMPLED_VARIANCE * h * h, 0.04 * h * h));
    if (!(isfinite(seen) && seen > 0 && seen < 3 * h))
        return false;
    e->threshold_mm = 0.5 * fabs(level_place(f, 0.5 + OBSERVED_PART) - level_place(f, 0.5 - OBSERVED_PART)) * 2 *
                      SIDE_VOXELS * h / LAST;
    return true;
}

/* Profiles [n] over the whole wall in the order of its points, so successive profiles are neighbours. */
static int sample_profiles(const volume *image, const surface *wall, double (*f)[PROFILE], int *n) {
    double(*normal)[3] = point_normals(wall);
    const int64_t step = wall->n_point / WALL_PLACES + 1;
    if (normal == NULL)
        return fail_memory("the wall", 24.0 * (double)wall->n_point);
    *n = 0;
    for (int64_t k = 0; k < wall->n_point && *n < WALL_PLACES; k += step) {
        double unit[3] = {normal[k][0], normal[k][1], normal[k][2]};
        const double length = vec_length(unit);
        for (int a = 0; a < 3; a++)
            unit[a] /= length;
        *n += length > 0 && sample_profile(image, wall->point_mm + 3 * k, unit, f[*n]);
    }
    free(normal);
    return OK;
}

/* Number of neighbouring profiles to average, so that their noise falls to 1/6 of the contrast. With more noise a
 * profile carries no information: noise that looks like an edge would be measured as a sharp edge. */
static int profiles_to_average(const double (*f)[PROFILE], int n, double noise) {
    double contrast = 0;
    for (int k = 0; k < n; k++)
        contrast += (f[k][0] - f[k][LAST]) / n;
    const double ratio = CLEAR_PROFILE * noise / fabs(contrast);
    return ratio > 1 ? (int)fmin(MAX_AVERAGED, ceil(ratio * ratio)) : 1;
}

/* Read the edges of groups of `averaged` neighbouring profiles. Returns the number of edges. */
static int read_edges(const double (*f)[PROFILE], int places, int averaged, double h, double *width, double *contrast,
                      double *threshold_mm) {
    int n = 0;
    for (int k = 0; k + averaged <= places; k += averaged) {
        double mean[PROFILE] = {0};
        edge e;
        for (int i = 0; i < averaged * PROFILE; i++)
            mean[i % PROFILE] += f[k + i / PROFILE][i % PROFILE] / averaged;
        if (!read_profile(mean, h, &e))
            continue;
        width[n] = e.width, contrast[n] = e.contrast, threshold_mm[n] = e.threshold_mm;
        n++;
    }
    return n;
}

int wall_uncertainty_measure(const volume *image, const surface *wall, double noise, double kernel, double support,
                             double moved_sd_mm, wall_uncertainty *e) {
    double(*f)[PROFILE] = calloc(WALL_PLACES, sizeof *f), *width = malloc(3 * WALL_PLACES * sizeof *width);
    double *contrast = width + WALL_PLACES, *threshold_mm = contrast + WALL_PLACES;
    const double h = voxel_mm(image);
    int n = 0, places = 0, rc = OK;
    *e = wall_uncertainty_unknown();
    if (!f || !width)
        GIVE_UP(fail_memory("the wall", (double)WALL_PLACES * sizeof *f));
    TRY(sample_profiles(image, wall, f, &places));
    n = read_edges((const double(*)[PROFILE])f, places, profiles_to_average((const double(*)[PROFILE])f, places, noise),
                   h, width, contrast, threshold_mm);
    if (n < 10)
        goto cleanup; /* with fewer than 10 profiles the uncertainty stays unknown */
    e->edge_width_mm = order_median(width, n);
    e->noise_to_contrast = noise / order_median(contrast, n);
    e->threshold_mm = order_median(threshold_mm, n);
    e->resolution_mm = RESOLUTION_VOXELS * volume_thinnest_mm(image);
    const double noisy = e->noise_to_contrast * seed_noise_at_wall(kernel);
    const double blur = BLUR_PART * e->edge_width_mm,
                 random = NOISE_PART * sqrt(2 * M_PI) * e->edge_width_mm * noisy * fmax(1, MOVING_NOISE * noisy),
                 absent = NO_EDGE_VOXELS * h * fmax(0, 1 - support);
    e->measured_mm = fmax(2 * sqrt(blur * blur + random * random + absent * absent + moved_sd_mm * moved_sd_mm),
                          MIN_UNCERTAINTY * h);
    const double common = hypot(e->measured_mm, e->threshold_mm);
    e->uncertainty_mm = hypot(common, e->resolution_mm);
    e->shift_mm = hypot(common, SECTION_VOXELS * volume_thinnest_mm(image));
cleanup:
    free(f);
    free(width);
    return rc;
}

wall_uncertainty wall_uncertainty_of_mask(const volume *mask) {
    wall_uncertainty e = wall_uncertainty_unknown();
    const double h = voxel_mm(mask);
    e.threshold_mm = MASK_THRESHOLD_VOXELS * h;
    e.resolution_mm = RESOLUTION_VOXELS * h;
    e.uncertainty_mm = hypot(e.threshold_mm, e.resolution_mm);
    e.shift_mm = hypot(e.threshold_mm, SECTION_VOXELS * h);
    return e;
}

wall_uncertainty wall_uncertainty_unknown(void) {
    return (wall_uncertainty){.edge_width_mm = NAN,
                              .noise_to_contrast = NAN,
                              .measured_mm = NAN,
                              .threshold_mm = NAN,
                              .resolution_mm = NAN,
                              .uncertainty_mm = NAN,
                              .shift_mm = NAN};
}
