/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/level_set/extent.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "segment/checks/leak.h"
#include "segment/level_set/bounding_tube.h"
#include "segment/level_set/level_set_constants.h"
#include "segment/level_set/tube_warnings.h"
#include "segment/level_set/working_grid.h"
#include "segment/tube/tube_signal.h"
#include "segment/voxel/mask_distance.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double voxel_ml(const volume *image) {
    return image->spacing_mm[0] * image->spacing_mm[1] * image->spacing_mm[2] / 1000;
}

/* Region connected with the seeds in the lightly smoothed image, up to `most_ml`. */
static int grow_region(const volume *image, front *f, double most_ml) {
    int rc = OK;
    int(*start)[3] = NULL;
    TRY(working_grid_place_seeds(image, &f->seeds, &start));
    TRY(region_growing_find(image, f->seeds.sign, &f->seeds.bright, f->seeds.n, (const int(*)[3])start, f->seeds.follow,
                            f->seeds.low, f->seeds.high, (int64_t)(1.05 * most_ml / voxel_ml(image)),
                            1.25 * LEAK_WIDEST * f->seeds.bright.radius_mm, &f->extent.region));
    if (f->extent.region.count == 0)
        rc = fail(ERR_INPUT,
                  "no seed lies within the thresholds %g to %g; the intensities at the seeds are %g to %g: move the "
                  "seeds or change segment.threshold",
                  f->report->used.threshold_low, f->report->used.threshold_high, f->report->seeds.inside_range[0],
                  f->report->seeds.inside_range[1]);
    f->report->flooded =
        f->extent.region.stopped || (double)f->extent.region.count > FLOODED_PART * (double)volume_size(image);
cleanup:
    free(start);
    return rc;
}

/* True in an image so noisy that an unbounded front would leave the vessel. */
static bool is_noisy(const front *f) {
    const seeds_statistics *s = &f->report->seeds;
    return fabs(s->inside - s->next) < CLEAR_RATIO * s->noise;
}

/* Keeps a tube without a visible wall along `unseen` radii. Warns if the image is bright there: a lost stretch of the
 * tube (tube_signal.h) is not lumen. Fails if `unseen` is HOPELESS_UNSEEN or more. */
static int keep_tube(const front *f, const tube *t, double unseen, const double place[3]) {
    const seeds_statistics *s = &f->report->seeds;
    double at[3];
    if (unseen >= HOPELESS_UNSEEN)
        return fail(ERR_NUMERIC,
                    "along %.0f mm of the path between seeds and openings, near [%.1f, %.1f, %.1f] (LPS), no vessel "
                    "wall is visible (intensities: vessel %.4g, next tissue %.4g, noise %.3g): put seeds there, check "
                    "that seeds and openings are in one vessel, or set segment.threshold",
                    unseen * s->narrow_mm, place[0], place[1], place[2], s->inside, f->report->next_tissue, s->noise);
    const double bright = tube_longest_unseen(t, false, at);
    if (bright >= BOUNDING_TUBE_UNSEEN)
        message_warn_serious(
            "along %.0f mm of the path between seeds and openings, near [%.1f, %.1f, %.1f] (LPS), "
            "hardly any wall is visible: the vessel may be closed there, and its lumen is a guess; put seeds "
            "there",
            bright * s->narrow_mm, at[0], at[1], at[2]);
    return OK;
}

/* True if the region has a voxel within a radius of each opening. */
static bool reaches_openings(const volume *image, const front *f) {
    const level_set_options *used = &f->report->used;
    const double radius = f->report->seeds.radius_mm;
    bool all = true;
    for (int n = 0; n < used->n_opening && all; n++) {
        double index[3], p[3];
        int low[3], high[3];
        all = false;
        volume_to_index(image, used->opening_mm[n], index);
        for (int a = 0; a < 3; a++) {
            low[a] = (int)fmax(0, ceil(index[a] - radius / image->spacing_mm[a]));
            high[a] = (int)fmin(image->dims[a] - 1, floor(index[a] + radius / image->spacing_mm[a]));
        }
        for (int k = low[2]; k <= high[2] && !all; k++)
            for (int j = low[1]; j <= high[1] && !all; j++)
                for (int i = low[0]; i <= high[0] && !all; i++) {
                    volume_to_lps(image, (const double[3]){i, j, k}, p);
                    all = f->extent.region.mask[volume_index(image, i, j, k)] &&
                          vec_distance(p, used->opening_mm[n]) < radius;
                }
    }
    return all;
}

/* Return the extent and clear *e, so that only the caller owns the data. */
static front_extent move_extent(front_extent *e) {
    const front_extent taken = *e;
    memset(e, 0, sizeof *e);
    return taken;
}

int extent_between_openings(const volume *image, front *f) {
    double place[3], unseen, most_ml;
    front_extent bounded = {0};
    int rc = OK;
    TRY(bounding_tube_measure_wide(image, f));
    if (f->extent.tube.n == 0)
        GIVE_UP(fail(ERR_INPUT, "there is no path between the seeds and openings: they all lie within one voxel; are "
                                "their coordinates in mm, and in the case's 'space'?"));
    tube_warnings(f);
    unseen = tube_longest_unseen(&f->extent.tube, true, place);
    if (unseen < BOUNDING_TUBE_UNSEEN)
        return OK;
    message_debug("few search rays find a wall along %.1f radii of the path near [%.1f, %.1f, %.1f] (LPS)", unseen,
                  place[0], place[1], place[2]);
    if (f->seeds.follow && is_noisy(f))
        return keep_tube(f, &f->extent.tube, unseen, place);
    most_ml = fmin(f->report->used.max_volume_ml, FREE_TIMES * tube_volume_mm3(&f->extent.tube) / 1000);
    bounded = move_extent(&f->extent);
    TRY(grow_region(image, f, most_ml));
    const bool interrupted = !f->report->flooded && tube_signal_is_lost(&bounded.tube) && !reaches_openings(image, f);
    if (f->seeds.follow && (interrupted || (f->report->flooded && unseen < HOPELESS_UNSEEN))) {
        TRY(keep_tube(f, &bounded.tube, unseen, place));
        bounding_tube_free(&f->extent);
        f->extent = move_extent(&bounded);
        f->report->flooded = false;
    } else { /* remove the findings of the rejected tube */
        f->report->n_sac = f->report->n_sac_unlisted = f->report->n_pouch = 0, f->report->bright_mm = 0;
    }
cleanup:
    bounding_tube_free(&bounded);
    return rc;
}

double extent_default_limit_ml(const seeds_statistics *s) {
    return fmax(LEAST_MOST_ML, MOST_LENGTH_MM * M_PI * s->radius_mm * s->radius_mm / 1000);
}

/* Measure the tube along the seeds and beyond them, in a crop around the seeds. extent.tube.n is 0 if hardly any wall
 * is visible. */
static int measure_seeds_tube(const volume *image, front *f) {
    const level_set_options no_opening = {.n_opening = 0};
    double place[3];
    int rc = OK;
    TRY(bounding_tube_crop(image, f->seeds.n, f->seeds.at_mm, &no_opening, ALONG_CROP_MM, &f->cropped));
    TRY(bounding_tube_measure(f));
    if (f->extent.tube.n == 0 || tube_longest_unseen(&f->extent.tube, true, place) >= BOUNDING_TUBE_UNSEEN)
        bounding_tube_free(&f->extent);
cleanup:
    return rc;
}

/* Report that the tube along the seeds replaces the front. */
static void report_seeds_tube(front *f) {
    message_warn_serious("the level set that grows from the seeds leaves the vessel (intensities: vessel %.4g, next "
                         "tissue %.4g, noise %.3g), so the lumen is limited to the vessel along the seeds, without "
                         "side branches; to limit it yourself, give the ends of the vessel as openings",
                         f->report->seeds.inside, f->report->next_tissue, f->report->seeds.noise);
    tube_warnings(f);
    f->report->flooded = false;
}

/* Find the limits of the front without openings in a noisy image. The tube is measured first, because its volume limits
 * a front that leaves the vessel. */
static int extent_in_noise(const volume *image, front *f) {
    double most_ml = f->report->used.max_volume_ml;
    int rc = OK;
    TRY(measure_seeds_tube(image, f));
    f->spare = move_extent(&f->extent);
    if (f->spare.tube.n > 0)
        most_ml = fmin(most_ml, FREE_TIMES * tube_volume_mm3(&f->spare.tube) / 1000);
    TRY(grow_region(image, f, most_ml));
    if (f->spare.tube.n == 0 || !f->report->flooded)
        return OK;
    bounding_tube_free(&f->extent);
    f->extent = move_extent(&f->spare);
    report_seeds_tube(f);
cleanup:
    return rc;
}

int extent_from_seeds(const volume *image, front *f) {
    front_extent flooded = {0};
    int rc = OK;
    if (f->seeds.follow && is_noisy(f))
        return extent_in_noise(image, f);
    TRY(grow_region(image, f, f->report->used.max_volume_ml));
    if (!f->seeds.follow || !f->report->flooded)
        return OK;
    flooded = move_extent(&f->extent);
    TRY(measure_seeds_tube(image, f));
    if (f->extent.tube.n > 0)
        report_seeds_tube(f);
    else
        f->extent = move_extent(&flooded);
cleanup:
    bounding_tube_free(&flooded);
    return rc;
}

/* Sets *is to true if the lumen is clearly wider than the widest place of the tube along the seeds, or has a far larger
 * volume. */
static int outgrows_tube(const front *f, const volume *level, bool *is) {
    const double voxel_ml = level->spacing_mm[0] * level->spacing_mm[1] * level->spacing_mm[2] / 1000;
    const size_t n = volume_size(level);
    double widest = 0, most;
    size_t count = 0, deep = 0;
    volume mask = {0}, depth = {0};
    int rc = OK;
    for (int i = 0; i < f->spare.tube.n; i++)
        widest = fmax(widest, f->spare.tube.node[i].radius_mm);
    most = MOST_WIDENING * widest;
    TRY(volume_create_like(&mask, level));
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++)
        mask.value[i] = level->value[i] < 0;
    TRY(mask_distance(&mask, (const bool[3]){true, true, true}, 1.1 * most, &depth));
#pragma omp parallel for schedule(static) reduction(+ : count, deep)
    for (size_t i = 0; i < n; i++) {
        count += depth.value[i] < 0;
        deep += (double)depth.value[i] < -most;
    }
    *is = deep > 0 || (double)count * voxel_ml > FREE_TIMES * tube_volume_mm3(&f->spare.tube) / 1000;
cleanup:
    volume_free(&mask);
    volume_free(&depth);
    return rc;
}

int extent_replace_by_tube(const volume *level, front *f, bool *replaced) {
    int rc = OK;
    *replaced = false;
    if (f->spare.tube.n == 0)
        return OK;
    TRY(outgrows_tube(f, level, replaced));
    if (!*replaced)
        return OK;
    bounding_tube_free(&f->extent);
    f->extent = move_extent(&f->spare);
    f->extent.region.weakest = 1;
    memset(f->grid.extra_margin, 0, sizeof f->grid.extra_margin);
    report_seeds_tube(f);
cleanup:
    return rc;
}
