/* SPDX-License-Identifier: Apache-2.0 */
/* Order of the method: intensities at the seeds; limits of the front; then on a working grid: denoising, start,
 * front, sub-voxel edges. */
#include "segment/level_set/level_set.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "segment/level_set/bounded_contour.h"
#include "segment/level_set/bounding_tube.h"
#include "segment/level_set/edge_placement.h"
#include "segment/level_set/extent.h"
#include "segment/level_set/flood.h"
#include "segment/level_set/free_contour.h"
#include "segment/level_set/level_set_constants.h"
#include "segment/level_set/tube_warnings.h"
#include "segment/level_set/working_grid.h"
#include "segment/vessel/vessel_region.h"
#include "segment/voxel/mask_distance.h"
#include "segment/voxel/region.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Standard deviation in mm of the Gaussian for denoising: about a voxel of the working grid if the noise is a fifth of
 * the weakest contrast, less if the noise is weaker. */
static double choose_smoothing(const seeds_statistics *s, double weakest, double spacing_mm) {
    double contrast = fabs(s->inside - s->outside) * weakest, ratio = s->noise > 0 ? contrast / s->noise : 1e3;
    return spacing_mm * fmin(1.6, fmax(0.4, 2.4 / sqrt(ratio)));
}

/* Sets thresholds that the user did not give. Lower threshold: 10 % of the contrast above the middle between vessel and
 * surroundings; upper threshold: two contrasts above the brightest seed. */
static void choose_thresholds(front *f) {
    level_set_options *used = &f->report->used;
    const seeds_statistics *b = &f->seeds.bright;
    double contrast = b->inside - b->outside;
    double low = b->middle + 0.1 * contrast, high = b->inside_range[1] + 2 * contrast;
    used->threshold_low = front_value(used->threshold_low, f->seeds.sign > 0 ? low : -high);
    used->threshold_high = front_value(used->threshold_high, f->seeds.sign > 0 ? high : -low);
    f->seeds.low = f->seeds.sign > 0 ? used->threshold_low : -used->threshold_high;
    f->seeds.high = f->seeds.sign > 0 ? used->threshold_high : -used->threshold_low;
}

/* Set *band to the distance of each voxel from the region of f->extent, in voxels; 0 inside the region. */
static int region_band(const volume *image, const front *f, volume *band) {
    volume reached = {0};
    int rc = OK;
    TRY(working_grid_region(image, &f->extent, &f->grid, &reached));
    TRY(mask_distance(&reached, (const bool[3]){true, true, true}, (FREE_BAND + 1) * f->grid.spacing_mm, band));
    for (size_t i = 0; i < volume_size(band); i++)
        band->value[i] = fmaxf(0, band->value[i] / (float)f->grid.spacing_mm);
cleanup:
    volume_free(&reached);
    return rc;
}

static int denoise_image(const volume *image, front *f) {
    level_set_options *used = &f->report->used;
    double h = f->grid.spacing_mm, chosen = choose_smoothing(&f->report->seeds, f->extent.region.weakest, h);
    /* a wider Gaussian would move the wall of the narrowest vessel by more than a thirtieth of its radius */
    if (f->extent.tube.n > 0)
        chosen = fmin(chosen, 0.25 * f->report->seeds.narrow_mm);
    used->smoothing_mm = front_value(used->smoothing_mm, chosen);
    double sigma = used->smoothing_mm / h;
    const bool all = f->extent.tube.n == 0 && f->engine->denoise_all != NULL;
    f->report->denoise_steps = (int)fmin(400, ceil((all ? 8 : 4) * sigma * sigma));
    message_debug("denoising: %.3g mm, %d steps", used->smoothing_mm, f->report->denoise_steps);
    if (all)
        return f->engine->denoise_all(&f->grid.denoised, f->report->denoise_steps, CONDUCTANCE);
    volume band = {0};
    int rc = f->extent.tube.n > 0 ? vessel_region_band(&f->extent.tube, &f->grid.denoised, &band)
                                  : region_band(image, f, &band);
    if (rc == OK)
        rc = f->engine->denoise_band(&f->grid.denoised, &band, f->extent.tube.n > 0 ? 3 : FREE_BAND, sigma * sigma);
    volume_free(&band);
    return rc;
}

/* Removes the parts of the lumen that contain no seed and no opening. Each belongs to its nearest voxel. */
static int keep_seeded(const front *f, volume *level) {
    const level_set_options *used = &f->report->used;
    const int n_start = f->seeds.n + used->n_opening;
    int rc = OK, (*start)[3] = malloc((size_t)n_start * sizeof *start);
    int64_t count = 0;
    size_t n = volume_size(level);
    uint8_t *mask = malloc(n);
    if (mask == NULL || start == NULL)
        GIVE_UP(fail_memory("the mask of the lumen", (double)n));
    memcpy(start, f->grid.seed, (size_t)f->seeds.n * sizeof *start);
    working_grid_place_points(level, used->n_opening, used->opening_mm, start + f->seeds.n);
    TRY(region_grow(level, -INFINITY, 0, n_start, (const int(*)[3])start, mask, &count));
    if (count == 0)
        rc = fail(ERR_NUMERIC, "the level set left every seed, because no edge surrounds them; move the seeds into the "
                               "vessel, or set segment.edge and segment.threshold");
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < (rc == OK ? n : 0); i++)
        if (!mask[i] && level->value[i] <= 0)
            level->value[i] = (float)f->grid.spacing_mm;
cleanup:
    free(mask);
    free(start);
    return rc;
}

/* Find the lumen in one round, on a working grid with the extra margin that earlier rounds requested. */
static int find_lumen(const volume *image, front *f, volume *level) {
    level_set_report *r = f->report;
    const bool bounded = f->extent.tube.n > 0;
    tube_limits limits = {.clip = {.value = NULL}};
    double typical = 0;
    int rc = OK;
    TRY(working_grid_make(image, &f->seeds, &f->extent, &f->grid));
    steps_end(&r->steps, "working grid");
    TRY(denoise_image(image, f));
    steps_end(&r->steps, "denoising");
    TRY(bounded ? bounded_contour_find(f, &limits, level, &typical) : free_contour_find(image, f, level, &typical));
    volume_free(&f->grid.denoised); /* freed here, because reusing memory in the next steps is cheaper than new pages */
    if (r->flooded)
        goto cleanup;
    typical /= f->grid.spacing_mm;
    TRY(working_grid_halve(&f->seeds, &f->grid, level));
    steps_end(&r->steps, "halving");
    TRY(edge_placement_move(image, f, typical, level));
    steps_end(&r->steps, "edge between the voxels");
    if (bounded)
        TRY(bounded_contour_limit(f, &limits, level));
    for (size_t i = 0; i < volume_size(level); i++)
        level->value[i] *= (float)f->grid.spacing_mm;
    TRY(keep_seeded(f, level));
    TRY(working_grid_crop(&f->grid, level));
cleanup:
    bounded_contour_free(&limits);
    return rc;
}

/* Replace the seeds by their positions on the centerline, and study the intensities there. */
static int study_seeds(const volume *image, front *f) {
    level_set_report *r = f->report;
    int rc = OK;
    double(*middle)[3] = malloc((size_t)f->seeds.n * sizeof *middle);
    if ((f->seeds.middle_mm = middle) == NULL)
        return fail_memory("the seeds", f->seeds.n * (double)sizeof *middle);
    TRY(seeds_measure(image, f->seeds.n, f->seeds.at_mm, r->used.vessel, middle, &r->seeds));
    for (int k = 0; k < f->seeds.n && r->n_moved < LEVEL_SET_MOVED; k++) {
        if (vec_distance(f->seeds.at_mm[k], middle[k]) <= 0)
            continue;
        level_set_moved *m = &r->moved[r->n_moved++];
        m->seed = k;
        memcpy(m->from_mm, f->seeds.at_mm[k], sizeof m->from_mm);
        memcpy(m->to_mm, middle[k], sizeof m->to_mm);
    }
    f->seeds.at_mm = (const double(*)[3])middle;
    /* a seed in tissue next to a bright vessel also looks like dark blood, hence the warning */
    if (r->used.vessel < 0 && !r->seeds.bright)
        message_warn(
            "the seeds are darker (%.4g) than their surroundings (%.4g), so a dark vessel is assumed; if this "
            "is right, write segment.vessel: dark; if blood is bright in this image, move the seeds into the blood",
            r->seeds.inside, r->seeds.outside);
    r->used.vessel = r->seeds.bright;
    r->next_tissue = r->seeds.next;
    steps_end(&r->steps, "seeds");
    bounding_tube_orient_seeds(f);
    choose_thresholds(f);
cleanup:
    return rc;
}

/* Sets r->contrast_to_noise. Fails if it is below HIDDEN_RATIO, unless a threshold was given. At a lower ratio the
 * uncertainty of wall_uncertainty.h is too small: walls are wrong by a third of a radius in places, openings are lost
 * and dead ends grow. */
static int check_contrast(const front *f) {
    level_set_report *r = f->report;
    r->contrast_to_noise = bounding_tube_clarity(f);
    if (!f->seeds.follow || r->contrast_to_noise >= HIDDEN_RATIO)
        return OK;
    return fail(ERR_NUMERIC,
                "noise hides the vessel's wall: the contrast between vessel (%.4g) and next tissue (%.4g) is %.2g "
                "times the noise at a wall (noise of a voxel: %.3g), at least %g times is needed; average or denoise "
                "the image, or give a mask (segment.method: labels)",
                r->seeds.inside, r->next_tissue, r->contrast_to_noise, r->seeds.noise, HIDDEN_RATIO);
}

/* Reset the options that were chosen for a rejected front. */
static void forget_front(const level_set_options *given_ones, level_set_report *r) {
    r->used.smoothing_mm = given_ones->smoothing_mm;
    r->used.edge_low = given_ones->edge_low;
    r->used.edge_high = given_ones->edge_high;
    r->iterations_done = 0;
}

/* Fill in the options that the user did not set. */
static void choose_options(const level_set_options *options, front *f) {
    level_set_options *used = &f->report->used;
    *f->report = (level_set_report){.used = *options};
    used->propagation = front_value(options->propagation, 0.5);
    used->curvature = front_value(options->curvature, 0.3);
    used->advection = front_value(options->advection, 2);
    used->iterations = options->iterations > 0 ? options->iterations : GROW_ITERATIONS;
    used->max_volume_ml = front_value(options->max_volume_ml, DEFAULT_VOLUME_ML);
    f->engine = options->engine == LEVEL_SET_ITK ? &itk_engine : &lbm_engine;
    f->seeds.high_given = !isnan(options->threshold_high);
    f->seeds.follow = isnan(options->threshold_low) && !f->seeds.high_given;
}

/* Study the seeds; if there are openings, in a crop around seeds and openings. Then find the limits of the front. */
static int find_extent(const volume *image, const level_set_options *options, front *f) {
    level_set_report *r = f->report;
    int rc = OK;
    if (options->n_opening > 0) {
        for (int k = 0; k < f->seeds.n; k++)
            TRY(seeds_check_inside(image, k, f->seeds.at_mm[k]));
        TRY(bounding_tube_crop(image, f->seeds.n, f->seeds.at_mm, options, options->crop_mm, &f->cropped));
        TRY(study_seeds(&f->cropped, f));
        TRY(extent_between_openings(image, f));
    } else {
        TRY(study_seeds(image, f));
        if (isnan(options->max_volume_ml))
            r->used.max_volume_ml = fmin(r->used.max_volume_ml, extent_default_limit_ml(&r->seeds));
        TRY(extent_from_seeds(image, f));
    }
    TRY(check_contrast(f));
    r->rounds = f->extent.region.rounds;
    steps_end(&r->steps, options->n_opening > 0 ? "paths and tubes" : "reach");
cleanup:
    return rc;
}

static void front_free(front *f) {
    free(f->seeds.middle_mm);
    volume_free(&f->cropped);
    volume_free(&f->with_plaque);
    bounding_tube_free(&f->extent);
    bounding_tube_free(&f->spare);
    working_grid_free(&f->grid);
}

/* Warns that the lumen still reaches the end of the largest working grid, which cut it there. */
static void warn_of_cut_lumen(const front_grid *g, const volume *level) {
    int axes[3];
    double place[3] = {0};
    if (working_grid_reaches_side(g, level, axes, place))
        message_warn_serious(
            "the lumen near [%.1f, %.1f, %.1f] (LPS) ends at the edge of the box that was searched, not "
            "at a wall: the box was enlarged %d times, the limit; look at qc.png: if the vessel "
            "continues there, add a seed further along it; if it is a leak, give the vessel's ends as "
            "openings",
            place[0], place[1], place[2], GRID_ROUNDS - 1);
}

int level_set_run(const volume *image, int n_seed, const double (*seed)[3], const level_set_options *options,
                  volume *level, level_set_report *report) {
    front f = {.seeds = {.n = n_seed, .at_mm = seed}, .report = report};
    int rc = OK;
    memset(level, 0, sizeof *level);
    choose_options(options, &f);
    steps_start(&report->steps);
    TRY(find_extent(image, options, &f));
    if (f.extent.region.stopped)
        TRY(flood_level_set(image, f.extent.region.mask, level));
    for (int round = 0; round < GRID_ROUNDS && !f.extent.region.stopped; round++) {
        bool replaced = false;
        volume_free(level);
        TRY(find_lumen(f.extent.tube.n > 0 ? &f.cropped : image, &f, level));
        if (!report->flooded)
            TRY(extent_replace_by_tube(level, &f, &replaced));
        if (replaced)
            forget_front(options, report);
        else if (report->flooded || !working_grid_needs_room(&f.grid, level))
            break;
        else if (round < GRID_ROUNDS - 1)
            message_debug("the level set reached the end of the working grid: repeated on a larger grid");
        else
            warn_of_cut_lumen(&f.grid, level);
    }
    if (f.seeds.follow && f.extent.tube.n == 0 && !report->flooded)
        tube_warnings_free_front(image, &f, level);
cleanup:
    report->bounded = f.extent.tube.n > 0;
    report->sides.n = report->bounded ? report->sides.n : 0;
    memcpy(report->parts, f.grid.parts, sizeof report->parts);
    front_free(&f);
    if (rc != OK)
        volume_free(level);
    return rc;
}
