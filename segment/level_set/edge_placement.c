/* See edge_placement.h. */
#include "segment/level_set/edge_placement.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "segment/wall/gradient_edge.h"
#include "segment/wall/scanner_model.h"
#include "segment/wall/half_height_edge.h"
#include "segment/voxel/blur.h"
#include "segment/voxel/grid.h"
#include "segment/voxel/near.h"
#include <math.h>
#include <string.h>

static const double settle_sigma[2] = {1, 2};
static const double noise_blur =
    0.4; /* of the denoising's variance: where there is noise level lines run across walls, too */
static const double profile_even = 0.8; /* of the image's blur: a Gaussian of that width before profiles are read */
static const double thick_slices =
    3; /* times the width of their voxels: above, a profile across is of partial volume */
static const double level_sigma = 1, settle_reach = 7; /* voxels */
static const double level_reach = 12;                  /* voxels: as far as the level is a distance, and is smoothed */
static const double profile_reach = 3.1; /* voxels: a little more than where a profile is taken, which is ... */
static const double bias_cells = 30e6;   /* of more the bias is not measured */
static const float bias_band = 3;        /* cells from the wall */
static const double bias_even = 3, most_bias = 0.5;          /* voxels: along the wall; at most */
static const double small_bias = 0.1;                        /* voxels: a round leaves a tenth of it */
static const double unsure_part = 0.25;                      /* of what the wall is moved: its standard deviation */
static const double guess_sd = 0.3, guess_across = 0.1;      /* voxels^2: of the point spread before it is measured */
static const double wide_spread = 0.8, widest_spread = 1.44; /* voxels^2 */
static const double noisy_ratio = 3, clear_ratio = 6;        /* contrast to the next tissue over noise */
enum { BIAS_ROUNDS = 4, SETTLE_ROUNDS = 2, PROFILE_MARGIN = 10 /* ... within so many of there */ };

/* In one image of the working grid, which is smoothed. seen: profile.h, created in a bounded vessel. */
static int place(const front *f, volume *evened, double typical, volume *level, volume *seen) {
    int rc = OK;
    double scanner[3], moved[3], blur = pow(f->report->used.smoothing_mm / f->grid.cell_mm, 2);
    const double sigma[3] = {level_sigma, level_sigma, level_sigma};
    const double thin = f->grid.thin_mm;
    near_tiles around = {.on = NULL}, across = {.on = NULL};
    for (int a = 0; a < 3; a++) /* each voxel is a mean over its width, 1/12, whatever its axis */
        scanner[a] = pow(f->grid.voxel_mm[a] / f->grid.cell_mm, 2) / 12 +
                     seeds_point_variance(&f->seeds.bright) * pow(thin / f->grid.cell_mm, 2);
    TRY(near_make(level, level_reach, 0, &around));
    TRY(f->engine->denoise_band(evened, level, settle_reach, blur));
    TRY(gradient_edge_move(evened, settle_sigma, scanner, typical * f->grid.cell_mm, SETTLE_ROUNDS, level));
    TRY(near_smooth(level, sigma, &around, level));
    for (int a = 0; a < 3; a++)
        moved[a] = blur + level_sigma * level_sigma;
    if (f->extent.tube.n > 0 &&
        f->grid.thick_mm <=
            thick_slices *
                thin) { /* next to another tissue; a front without bounds ends where there is one edge alone */
        const double even = profile_even * sqrt(fmin(scanner[0], fmin(scanner[1], scanner[2])));
        TRY(near_make(level, profile_reach, PROFILE_MARGIN, &across));
        TRY(near_smooth(evened, (const double[3]){even, even, even}, &across, evened));
        for (int a = 0; a < 3; a++) {
            scanner[a] += even * even;
            moved[a] += scanner[a] + level_sigma * level_sigma;
            scanner[a] += noise_blur * blur;
        }
        TRY(half_height_edge_move(evened, f->seeds.bright.inside, f->seeds.bright.outside, scanner, level, seen));
        TRY(near_smooth(level, sigma, &around, level));
    }
    TRY(blur_undo_shift(level, moved));
cleanup:
    near_free(&around);
    near_free(&across);
    return rc;
}

/* Where |level| is below bias_band, `change` becomes its mean nearby; 0 elsewhere. */
static int even_out(const front *f, const volume *level, volume *change) {
    const double s = bias_even * f->grid.thin_mm / f->grid.cell_mm, sigma[3] = {s, s, s};
    volume one = {0};
    near_tiles near = {.on = NULL};
    int rc = OK;
    TRY(near_make(level, (double)bias_band, 0, &near));
    TRY(volume_create_like(&one, level));
    const size_t n = volume_size(level);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++)
        if (fabsf(level->value[i]) < bias_band)
            one.value[i] = 1;
        else
            change->value[i] = 0;
    TRY(near_smooth(&one, sigma, &near, &one));
    TRY(near_smooth(change, sigma, &near, change));
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++)
        change->value[i] = fabsf(level->value[i]) < bias_band ? change->value[i] / one.value[i] : 0;
cleanup:
    near_free(&near);
    volume_free(&one);
    return rc;
}

/* The wall that measuring the picture of `level` gives, less `measured`: out, evened, cells. */
static int bias_of(const front *f, double typical, const point_spread *spread, const volume *level,
                   const volume *measured, volume *out) {
    volume coarse = {0}, picture = {0}, seen = {0};
    int rc = OK;
    double variance[3];
    scanner_model_variance(spread, f->grid.voxel_mm, variance);
    TRY(scanner_model_image(level, f->grid.parts, variance, f->seeds.bright.inside, f->seeds.bright.outside, &coarse));
    TRY(grid_refine(&coarse, f->grid.parts, true, &picture));
    TRY(volume_copy(out, level));
    TRY(place(f, &picture, typical, out, &seen));
    const size_t n = volume_size(level);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++)
        out->value[i] -= measured->value[i];
    TRY(even_out(f, level, out));
cleanup:
    volume_free(&coarse);
    volume_free(&picture);
    volume_free(&seen);
    return rc;
}

/* Of the image of the case, evened, near the wall; before: what seeds and voxels let suppose. */
static int measure_spread(const volume *image, const front *f, const volume *level, point_spread *spread) {
    const double thin = f->grid.thin_mm, thick = f->grid.thick_mm;
    volume bright = {0};
    int rc = OK;
    *spread = (point_spread){seeds_point_variance(&f->seeds.bright) * thin * thin, guess_across * thick * thick,
                             guess_sd * thin * thin, guess_sd * thick * thick};
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

/* 1 in a clear image, 0 in a noisy one, where noise moves walls more than the blur does, and in thick slices. */
static double trust_of(const front *f) {
    const seeds_statistics *s = &f->report->seeds;
    const double ratio = s->noise > 0 ? fabs(s->inside - s->next) / s->noise : INFINITY;
    if (f->grid.thick_mm > thick_slices * f->grid.thin_mm)
        return 0;
    return fmin(1, fmax(0, (ratio - noisy_ratio) / (clear_ratio - noisy_ratio)));
}

/* Edges wider than that are not the scanner's alone: motion, flow, the vessel's own wall. 1 to 0. */
static double trust_in_spread(const front *f, const point_spread *spread) {
    const double voxels = spread->within / pow(f->grid.thin_mm, 2);
    return fmin(1, fmax(0, (widest_spread - voxels) / (widest_spread - wide_spread)));
}

/* level <- level - bias, at most most_bias from `measured`; the mean of |bias| at the wall, cells. */
static double move_back(const front *f, const volume *measured, const volume *bias, volume *level) {
    const float most = (float)(most_bias * f->grid.thin_mm / f->grid.cell_mm);
    const size_t n = volume_size(level);
    double sum = 0, count = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum, count)
    for (size_t i = 0; i < n; i++) {
        const float to = level->value[i] - measured->value[i] - bias->value[i];
        if (fabsf(level->value[i]) < 0.5F) {
            sum += fabs((double)bias->value[i]);
            count++;
        }
        level->value[i] = measured->value[i] + fminf(most, fmaxf(-most, to));
    }
    return count > 0 ? sum / count : 0;
}

/* The part `trust` of what `level` has been moved from `measured` stays; what is known of it is noted. */
static void note_bias(const front *f, const volume *measured, double trust, const point_spread *spread, volume *level) {
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
    r->wall_moved_mm = count > 0 ? sum / count * f->grid.cell_mm : 0;
    r->wall_moved_sd_mm = hypot(unsure_part * r->wall_moved_mm, trust * spread->within_sd / (2 * r->seeds.narrow_mm));
    message_debug("point spread %.2f mm (%.2f across slices) in standard deviation: wall moved by %+.3f mm", r->blur_mm,
                  r->blur_across_mm, r->wall_moved_mm);
}

int edge_placement_move(const volume *image, front *f, double typical, volume *level) {
    volume measured = {0}, bias = {0};
    const double small = small_bias * f->grid.thin_mm / f->grid.cell_mm;
    double left = INFINITY, trust = trust_of(f);
    point_spread spread;
    int rc = OK;
    volume_free(&f->grid.seen);
    TRY(place(f, &f->grid.evened, typical, level, &f->grid.seen));
    if ((double)volume_size(level) > bias_cells || trust <= 0)
        return OK;
    TRY(measure_spread(image, f, level, &spread));
    trust *= trust_in_spread(f, &spread);
    if (trust <= 0)
        return OK;
    TRY(volume_copy(&measured, level));
    for (int round = 0; round < BIAS_ROUNDS && left > small; round++) {
        TRY(bias_of(f, typical, &spread, level, &measured, &bias));
        left = move_back(f, &measured, &bias, level);
        volume_free(&bias);
    }
    note_bias(f, &measured, trust, &spread, level);
cleanup:
    volume_free(&measured);
    volume_free(&bias);
    return rc;
}
