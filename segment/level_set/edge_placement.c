/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/level_set/edge_placement.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "segment/level_set/level_set_constants.h"
#include "segment/voxel/blur.h"
#include "segment/voxel/grid.h"
#include "segment/voxel/near_tiles.h"
#include "segment/wall/gradient_edge.h"
#include "segment/wall/half_height_edge.h"
#include "segment/wall/narrow_places.h"
#include "segment/wall/scanner_model.h"
#include <math.h>
#include <string.h>

/* Moves `level` to the edges of the image `evened`, which is on the working grid and is smoothed in place. `seen`: out,
 * visibility of the wall (half_height_edge.h); it is created only if the vessel is bounded by openings. */
static int place_edges(const front *f, volume *evened, double typical, volume *level, volume *seen) {
    int rc = OK;
    double scanner[3], moved[3], blur = pow(f->report->used.smoothing_mm / f->grid.spacing_mm, 2);
    const double sigma[3] = {LEVEL_SIGMA, LEVEL_SIGMA, LEVEL_SIGMA};
    const double thin = f->grid.thin_mm;
    near_tiles around = {.on = NULL}, across = {.on = NULL};
    for (int a = 0; a < 3; a++) /* averaging over the width of an image voxel adds a variance of 1/12 image voxel^2
                                 * along each axis */
        scanner[a] = pow(f->grid.voxel_mm[a] / f->grid.spacing_mm, 2) / 12 +
                     seeds_point_variance(&f->seeds.bright) * pow(thin / f->grid.spacing_mm, 2);
    TRY(near_tiles_find(level, DISTANCE_VOXELS, 0, &around));
    TRY(f->engine->denoise_band(evened, level, DENOISED_VOXELS, blur));
    TRY(gradient_edge_move(evened, EDGE_SIGMA, scanner, typical * f->grid.spacing_mm, EDGE_ROUNDS, level));
    TRY(near_tiles_smooth(level, sigma, &around, level));
    for (int a = 0; a < 3; a++)
        moved[a] = blur + LEVEL_SIGMA * LEVEL_SIGMA;
    if (f->extent.tube.n > 0 &&
        f->grid.thick_mm <=
            /* A bounded vessel may touch another tissue (half_height_edge.h); an unbounded front ends at single
             * edges. */
            THICK_SLICES * thin) {
        const double even = PROFILE_SIGMA * sqrt(fmin(scanner[0], fmin(scanner[1], scanner[2])));
        TRY(near_tiles_find(level, PROFILE_VOXELS, PROFILE_MARGIN, &across));
        TRY(near_tiles_smooth(evened, (const double[3]){even, even, even}, &across, evened));
        for (int a = 0; a < 3; a++) {
            scanner[a] += even * even;
            moved[a] += scanner[a] + LEVEL_SIGMA * LEVEL_SIGMA;
            scanner[a] += NOISE_BLUR_PART * blur;
        }
        TRY(half_height_edge_move(evened, f->seeds.bright.inside, f->seeds.bright.outside, scanner, level, seen));
        TRY(near_tiles_smooth(level, sigma, &around, level));
    }
    TRY(blur_undo_shift(level, moved));
cleanup:
    near_tiles_free(&around);
    near_tiles_free(&across);
    return rc;
}

/* Smooths `change` along the wall by a Gaussian of `image_voxels`: local mean where |level| < BIAS_BAND, 0
 * elsewhere. */
static int smooth_along_wall(const front *f, const volume *level, double image_voxels, volume *change) {
    const double s = image_voxels * f->grid.thin_mm / f->grid.spacing_mm, sigma[3] = {s, s, s};
    volume one = {0};
    near_tiles near = {.on = NULL};
    int rc = OK;
    TRY(near_tiles_find(level, (double)BIAS_BAND, 0, &near));
    TRY(volume_create_like(&one, level));
    const size_t n = volume_size(level);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++)
        if (fabsf(level->value[i]) < BIAS_BAND)
            one.value[i] = 1;
        else
            change->value[i] = 0;
    TRY(near_tiles_smooth(&one, sigma, &near, &one));
    TRY(near_tiles_smooth(change, sigma, &near, change));
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++)
        change->value[i] = fabsf(level->value[i]) < BIAS_BAND ? change->value[i] / one.value[i] : 0;
cleanup:
    near_tiles_free(&near);
    volume_free(&one);
    return rc;
}

/* Smooths `change` along the wall, over a shorter distance where the vessel is narrow. `narrow`: weights of
 * narrow_places.h; NULL: the vessel is wide everywhere. */
static int smooth_bias(const front *f, const volume *level, const volume *narrow, volume *change) {
    volume local = {0};
    int rc = OK;
    if (narrow != NULL) {
        TRY(volume_copy(&local, change));
        TRY(smooth_along_wall(f, level, NARROW_SIGMA, &local));
    }
    TRY(smooth_along_wall(f, level, BIAS_SIGMA, change));
    const size_t n = volume_size(level);
#pragma omp parallel for schedule(static) if (narrow != NULL)
    for (size_t i = 0; i < (narrow != NULL ? n : 0); i++)
        change->value[i] += narrow->value[i] * (local.value[i] - change->value[i]);
cleanup:
    volume_free(&local);
    return rc;
}

/* Measure the bias of the edges: place them in the simulated scanner image of `level`. `out`: the level set of this
 * wall minus `measured`, smoothed along the wall, voxels. */
static int measure_bias(const front *f, double typical, const point_spread *spread, const volume *level,
                        const volume *measured, const volume *narrow, volume *out) {
    volume coarse = {0}, picture = {0}, seen = {0};
    int rc = OK;
    double variance[3];
    scanner_model_variance(spread, f->grid.voxel_mm, variance);
    TRY(scanner_model_image(level, f->grid.parts, variance, f->seeds.bright.inside, f->seeds.bright.outside, &coarse));
    TRY(grid_refine(&coarse, f->grid.parts, true, &picture));
    TRY(volume_copy(out, level));
    TRY(place_edges(f, &picture, typical, out, &seen));
    const size_t n = volume_size(level);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++)
        out->value[i] -= measured->value[i];
    TRY(smooth_bias(f, level, narrow, out));
cleanup:
    volume_free(&coarse);
    volume_free(&picture);
    volume_free(&seen);
    return rc;
}

/* Measure the point spread of the image near the wall. Its prior comes from the seeds and the voxel size. */
static int measure_spread(const volume *image, const front *f, const volume *level, point_spread *spread) {
    const double thin = f->grid.thin_mm, thick = f->grid.thick_mm;
    volume bright = {0};
    int rc = OK;
    *spread = (point_spread){seeds_point_variance(&f->seeds.bright) * thin * thin, GUESS_ACROSS * thick * thick,
                             GUESS_SD * thin * thin, GUESS_SD * thick * thick};
    TRY(grid_crop(image, &f->grid.box, NAN, &bright));
    const size_t n = volume_size(&bright);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++)
        bright.value[i] *= (float)f->seeds.sign;
    region_growing_even(&f->extent.region, &f->seeds.bright, &bright);
    TRY(scanner_model_fit(&bright, level, f->grid.seen.value != NULL ? &f->grid.seen : NULL, f->grid.parts, spread));
cleanup:
    volume_free(&bright);
    return rc;
}

/* Weight of the bias correction: 1 in a clear image, 0 in a noisy one, where noise moves walls more than blur does. 0
 * in thick slices. */
static double trust_in_image(const front *f) {
    const seeds_statistics *s = &f->report->seeds;
    const double ratio = s->noise > 0 ? fabs(s->inside - s->next) / s->noise : INFINITY;
    if (f->grid.thick_mm > THICK_SLICES * f->grid.thin_mm)
        return 0;
    return fmin(1, fmax(0, (ratio - NOISY_RATIO) / (CLEAR_RATIO - NOISY_RATIO)));
}

/* Weight of the bias correction, falling from 1 to 0 with increasing point spread: wider edges are not only due to the
 * scanner, but also to motion, flow and the vessel's own wall. */
static double trust_in_spread(const front *f, const point_spread *spread) {
    const double voxels = spread->within / pow(f->grid.thin_mm, 2);
    return fmin(1, fmax(0, (WIDEST_SPREAD - voxels) / (WIDEST_SPREAD - WIDE_SPREAD)));
}

/* Mean of |bias| at the wall, voxels. weight: of each voxel; NULL: 1. */
static double mean_bias(const volume *level, const volume *bias, const volume *weight) {
    const size_t n = volume_size(level);
    double sum = 0, count = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum, count)
    for (size_t i = 0; i < n; i++)
        if (fabsf(level->value[i]) < 0.5F) {
            const double w = weight != NULL ? (double)weight->value[i] : 1;
            sum += w * fabs((double)bias->value[i]);
            count += w;
        }
    return count > 0 ? sum / count : 0;
}

/* Subtracts the bias from `level`. No wall moves by more than MOST_BIAS from `measured`. only: fraction of the bias
 * that is subtracted at each voxel; NULL: 1. */
static void subtract_bias(const front *f, const volume *measured, const volume *bias, const volume *only,
                          volume *level) {
    const float most = (float)(MOST_BIAS * f->grid.thin_mm / f->grid.spacing_mm);
    const size_t n = volume_size(level);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++) {
        const float part = only != NULL ? only->value[i] : 1;
        const float to = level->value[i] - measured->value[i] - part * bias->value[i];
        level->value[i] = measured->value[i] + fminf(most, fmaxf(-most, to));
    }
}

/* Measures and subtracts the bias of `level` in rounds: first at the whole wall, then only where the vessel is narrow,
 * since the bias is largest there. */
static int correct_bias(const front *f, double typical, const point_spread *spread, volume *level) {
    const double voxel = f->grid.thin_mm / f->grid.spacing_mm;
    volume measured = {0}, bias = {0}, narrow = {0};
    bool any = false, whole = true, again = true;
    int rc = OK;
    TRY(volume_copy(&measured, level));
    TRY(narrow_places_find(level, voxel, (double)BIAS_BAND, &narrow, &any));
    for (int round = 0; round < BIAS_ROUNDS && again; round++) {
        TRY(measure_bias(f, typical, spread, level, &measured, any ? &narrow : NULL, &bias));
        const double everywhere = mean_bias(level, &bias, NULL), there = any ? mean_bias(level, &bias, &narrow) : 0;
        subtract_bias(f, &measured, &bias, whole ? NULL : &narrow, level);
        message_debug(
            "mean bias of the wall position: %.3f voxels of the working grid, %.3f where the vessel is narrow",
            everywhere, there);
        whole = whole && everywhere > SMALL_BIAS * voxel;
        again = whole || there > SMALL_NARROW_BIAS * voxel;
        volume_free(&bias);
    }
cleanup:
    volume_free(&measured);
    volume_free(&bias);
    volume_free(&narrow);
    return rc;
}

/* Sets level = measured + trust * (level - measured), and reports the mean correction. */
static void report_correction(const front *f, const volume *measured, double trust, const point_spread *spread,
                              volume *level) {
    level_set_report *r = f->report;
    const size_t n = volume_size(level);
    double sum = 0, count = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum, count)
    for (size_t i = 0; i < n; i++) {
        const float moved = (float)trust * (level->value[i] - measured->value[i]);
        level->value[i] = measured->value[i] + moved;
        if (fabsf(level->value[i]) < 0.5F) {
            sum -= (double)moved;
            count++;
        }
    }
    r->blur_mm = sqrt(spread->within);
    r->blur_across_mm = sqrt(spread->across);
    r->wall_moved_mm = count > 0 ? sum / count * f->grid.spacing_mm : 0;
    r->wall_moved_sd_mm = hypot(UNSURE_PART * r->wall_moved_mm, trust * spread->within_sd / (2 * r->seeds.narrow_mm));
    message_debug("point spread (standard deviation) %.2f mm, %.2f mm across slices: wall moved by %+.3f mm",
                  r->blur_mm, r->blur_across_mm, r->wall_moved_mm);
}

int edge_placement_move(const volume *image, front *f, double typical, volume *level) {
    volume measured = {0};
    double trust = trust_in_image(f);
    point_spread spread;
    int rc = OK;
    volume_free(&f->grid.seen);
    TRY(place_edges(f, &f->grid.evened, typical, level, &f->grid.seen));
    if ((double)volume_size(level) > BIAS_VOXELS || trust <= 0)
        return OK;
    TRY(measure_spread(image, f, level, &spread));
    trust *= trust_in_spread(f, &spread);
    if (trust <= 0)
        return OK;
    TRY(volume_copy(&measured, level));
    TRY(correct_bias(f, typical, &spread, level));
    report_correction(f, &measured, trust, &spread, level);
cleanup:
    volume_free(&measured);
    return rc;
}
