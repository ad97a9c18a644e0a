/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/level_set/bounded_contour.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "segment/level_set/bounding_tube.h"
#include "segment/level_set/free_contour.h"
#include "segment/level_set/level_set_constants.h"
#include "segment/level_set/working_grid.h"
#include "segment/vessel/vessel_region.h"
#include "segment/voxel/blur.h"
#include "segment/voxel/mask_distance.h"
#include "segment/wall/noise_shrinkage.h"
#include <math.h>

/* Weights of eq. (1) in noise_shrinkage.h at noise_weight 1. most_shares: for walls at the half height, such as the
 * walls of the tube. thick_shares: for slices that are too thick to place walls at half heights. */
static const noise_shares most_shares = {0.9, 0.6, 1}, thick_shares = {0.75, 0.3, 0};

/* Quantile 0.6 of the gradient magnitude near the zero level, per voxel. level: voxels. */
static int typical_gradient(const volume *image, const volume *level, double *typical) {
    const double sigma[3] = {GRADIENT_SIGMA, GRADIENT_SIGMA, GRADIENT_SIGMA};
    const size_t step[3] = {1, (size_t)image->dims[0], (size_t)image->dims[0] * (size_t)image->dims[1]};
    int rc = OK;
    volume smooth = {0}, g = {0};
    TRY(volume_copy(&smooth, image));
    TRY(volume_create_like(&g, image));
    TRY(grid_smooth(&smooth, sigma));
    const size_t end = volume_size(image) - step[2];
#pragma omp parallel for schedule(static)
    for (size_t i = step[2]; i < end; i++)
        for (int a = 0; a < 3 && fabs((double)level->value[i]) < 2; a++)
            g.value[i] = hypotf(g.value[i], (smooth.value[i + step[a]] - smooth.value[i - step[a]]) / 2);
    TRY(free_contour_gradient(&g, level, -0.6, 1.6, 0.6, typical));
cleanup:
    volume_free(&smooth);
    volume_free(&g);
    return rc;
}

/* Weight of the correction for noise: 0 in a clear image, 1 in a noisy one. */
static double noise_weight(const front *f) {
    const double noise = bounding_tube_noise(f), ratio = noise > 0 ? 1 / noise : INFINITY;
    return fmin(1, fmax(0, (CLEAR_RATIO - ratio) / (CLEAR_RATIO - NOISY_RATIO)));
}

/* Resolution of the image, mm: width of an image voxel, or more where a soft reconstruction kernel correlates the noise
 * of neighbouring voxels. */
static double resolution_mm(const front *f) {
    return f->grid.thin_mm * fmax(1, f->report->seeds.kernel / USUAL_KERNEL);
}

/* Undoes the shift of the tube's walls by blur (blur.h) where the vessel is wide. These walls are at the half height of
 * a blurred image. In a narrow vessel blur also darkens the middle, which moves the half height outwards by the same
 * amount. field: voxels. */
static int undo_tube_blur(const front *f, volume *field) {
    volume moved = {0};
    double variance[3], mean = 0;
    int rc = OK;
    vessel_region_blur(&f->cropped, seeds_point_variance(&f->seeds.bright), variance);
    for (int a = 0; a < 3; a++) {
        variance[a] /= f->grid.spacing_mm * f->grid.spacing_mm;
        mean += variance[a] / 3;
    }
    if (mean <= 0)
        return OK;
    TRY(volume_copy(&moved, field));
    const size_t n = volume_size(field);
    TRY(blur_undo_shift(&moved, variance));
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++) {
        const double shift = (double)(moved.value[i] - field->value[i]), curved = -2 * shift / sqrt(mean);
        const double wide = curved > 0 ? fmin(1, fmax(0, (1 / curved - TOO_NARROW) / (WIDE_ENOUGH - TOO_NARROW))) : 1;
        field->value[i] += (float)(TUBE_BLUR_PART * wide * shift);
    }
cleanup:
    volume_free(&moved);
    return rc;
}

int bounded_contour_find(front *f, tube_limits *limits, volume *level, double *typical) {
    int rc = OK;
    volume start = {0};
    const double h = f->grid.spacing_mm, per = (f->seeds.bright.inside - f->seeds.bright.outside);
    double most = INFINITY;
    size_t count = 0;
    if (f->seeds.high_given) /* a given upper threshold is converted in the same way as the image
                              * (region_growing_even) */
        most = f->seeds.bright.outside + (f->seeds.high - f->extent.tube.node[0].outside) * per /
                                             (f->extent.tube.node[0].inside - f->extent.tube.node[0].outside);
    TRY(vessel_region_limits(&f->extent.tube, &f->grid.denoised, f->seeds.bright.inside, f->seeds.bright.outside,
                             bounding_tube_noise(f) * per, most, &start, &limits->clip, &limits->field));
    const size_t voxels = volume_size(&start);
#pragma omp parallel for schedule(static) reduction(+ : count)
    for (size_t i = 0; i < voxels; i++)
        count += start.value[i] > 0;
    f->report->start_ml = (double)count * pow(h, 3) / 1000;
    message_debug("start: %.3f mL", f->report->start_ml);
    TRY(mask_distance(&start, (const bool[3]){true, true, true}, 12 * h, level));
    const size_t n = volume_size(level);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++) {
        level->value[i] /= (float)h;
        limits->clip.value[i] /= (float)h;
        limits->field.value[i] /= (float)h;
    }
    TRY(typical_gradient(&f->grid.denoised, level, typical));
    steps_end(&f->report->steps, "start");
cleanup:
    volume_free(&start);
    return rc;
}

void bounded_contour_free(tube_limits *limits) {
    volume_free(&limits->clip);
    volume_free(&limits->field);
}

int bounded_contour_limit(const front *f, tube_limits *limits, volume *level) {
    volume *clip = &limits->clip, *field = &limits->field;
    const double seen_mm = resolution_mm(f), noise = noise_weight(f);
    const size_t n = volume_size(level);
    int rc = OK;
    if (volume_size(field) != n) {
        TRY(working_grid_halve_level(clip));
        TRY(working_grid_halve_level(field));
    }
    if (noise > 0)
        TRY(undo_tube_blur(f, field));
    const bool profiles = f->grid.seen.value != NULL;
    const noise_shares *most_taken = profiles ? &most_shares : &thick_shares;
    TRY(noise_shrinkage_to_tube(field, profiles ? &f->grid.seen : NULL,
                                WINDOW_RADII * f->report->seeds.narrow_mm / f->grid.spacing_mm,
                                seen_mm / f->grid.spacing_mm,
                                &(noise_shares){most_taken->fluctuation_weight * noise, most_taken->mean_weight * noise,
                                                most_taken->hidden_weight * noise},
                                level));
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++)
        level->value[i] = fmaxf(level->value[i], clip->value[i]);
cleanup:
    return rc;
}
