/* See level_set.h. The image is turned bright (multiplied by -1 for dark vessels) on the working grid. */
#include "segment/level_set/level_set.h"
#include "common/base/message.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "segment/wall/gradient_edge.h"
#include "segment/voxel/grid.h"
#include "segment/level_set/itk_engine.h"
#include "segment/checks/leak.h"
#include "segment/level_set/lbm_engine.h"
#include "segment/level_set/extent.h"
#include "segment/level_set/bounding_tube.h"
#include "segment/level_set/tube_warnings.h"
#include "segment/level_set/working_grid.h"
#include "segment/voxel/mask_distance.h"
#include "segment/voxel/region.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double default_volume_ml = 600;
static const double conductance = 9;       /* high: level lines move by curvature alone, whose shift is known */
static const float start_reach = 0.25F;    /* part of what was reached in a voxel that the front may start in */
static const double gradient_sigma = 1;    /* voxels of the working grid */
static const double settled_part = 0.002;  /* of the volume, per portion of iterations */
static const double surely_wider = 1.1;    /* than what leak.h allows: a start grows no narrower */
static const double free_band = 8;         /* voxels round what the seeds reach in which the image is denoised */
static const double potential_sigma = 0.8; /* as ITK's filter takes the gradient of the speed */
enum { GROW = 80, PORTION = 20, MAX_ROUNDS = 4 };

static double given(double value, double chosen) {
    return isnan(value) ? chosen : value;
}

/* ---------------------------------------------------------------------------------------------- parameters */

/* Noise of a fifth of the (weakest) contrast needs a Gaussian of about a voxel; less noise, less of it. */
static double choose_smoothing(const seeds_statistics *s, double weakest, double spacing_mm) {
    double contrast = fabs(s->inside - s->outside) * weakest, ratio = s->noise > 0 ? contrast / s->noise : 1e3;
    return spacing_mm * fmin(1.6, fmax(0.4, 2.4 / sqrt(ratio)));
}

/* Half way between vessel and surroundings and a tenth of their distance more, unless given. */
static void choose_thresholds(level_set_work *w) {
    level_set_options *used = &w->r->used;
    const seeds_statistics *b = &w->bright;
    double contrast = b->inside - b->outside;
    double low = b->middle + 0.1 * contrast, high = b->inside_range[1] + 2 * contrast;
    used->threshold_low = given(used->threshold_low, w->sign > 0 ? low : -high);
    used->threshold_high = given(used->threshold_high, w->sign > 0 ? high : -low);
    w->low = w->sign > 0 ? used->threshold_low : -used->threshold_high;
    w->high = w->sign > 0 ? used->threshold_high : -used->threshold_low;
}

int level_set_denoise(const level_set_work *w, volume *image, const volume *level, double reach_voxels,
                      double variance) {
    return (w->r->used.engine == LEVEL_SET_ITK ? gradient_edge_denoise : lbm_engine_denoise)(image, level, reach_voxels,
                                                                                      variance);
}

/* Distance in voxels to what the seeds reach, 0 in it. */
static int reached_band(const level_set_work *w, volume *band) {
    volume reached = {0};
    int rc = OK;
    TRY(level_set_work_reached(w, &reached));
    TRY(mask_distance(&reached, (const bool[3]){true, true, true}, (free_band + 1) * w->h, band));
    for (size_t i = 0; i < volume_size(band); i++)
        band->value[i] = fmaxf(0, band->value[i] / (float)w->h);
cleanup:
    volume_free(&reached);
    return rc;
}

static int denoise(level_set_work *w) {
    level_set_options *used = &w->r->used;
    double h = w->h, chosen = choose_smoothing(&w->r->seeds, w->reach.weakest, h);
    if (w->tube.n > 0) /* more would shift the wall of the narrowest vessel by more than a thirtieth of its radius */
        chosen = fmin(chosen, 0.25 * w->r->seeds.narrow_mm);
    used->smoothing_mm = given(used->smoothing_mm, chosen);
    double sigma = used->smoothing_mm / h;
    const bool by_itk = w->tube.n == 0 && used->engine == LEVEL_SET_ITK;
    w->r->denoise_steps = (int)fmin(400, ceil((by_itk ? 8 : 4) * sigma * sigma));
    message_debug("denoising: %.3g mm, %d steps", used->smoothing_mm, w->r->denoise_steps);
    if (by_itk)
        return itk_engine_denoise(&w->image_work, w->r->denoise_steps, conductance);
    volume band = {0};
    int rc = w->tube.n > 0 ? bound_band(&w->tube, &w->image_work, &band) : reached_band(w, &band);
    if (rc == OK)
        rc = level_set_denoise(w, &w->image_work, &band, w->tube.n > 0 ? 3 : free_band, sigma * sigma);
    volume_free(&band);
    return rc;
}

/* The voxels a front from the seeds reaches through the allowed intensities, no further than a quarter of a voxel of
 * the image beyond what is connected with the seeds there: denoising joins vessels that pass each other closely. mask:
 * 1 there. */
static int march(level_set_work *w, volume *mask) {
    int rc = OK;
    const size_t n = volume_size(&w->image_work);
    int64_t count = 0;
    uint8_t *reached = NULL;
    volume speed = {0};
    TRY(level_set_work_reached(w, &speed));
    for (size_t i = 0; i < n; i++)
        speed.value[i] = speed.value[i] > start_reach && (double)w->image_work.value[i] >= w->low &&
                         (double)w->image_work.value[i] <= w->high;
    if ((reached = malloc(n + 1)) == NULL) {
        rc = fail_memory("the start of the front", (double)n);
        goto cleanup;
    }
    TRY(region_grow(&speed, 0.5, 2, w->n_seed, (const int(*)[3])w->start, reached, &count));
    TRY(volume_create_like(mask, &speed));
    for (size_t i = 0; i < n; i++)
        mask->value[i] = reached[i];
    w->r->start_ml = (double)count * pow(w->h, 3) / 1000;
    message_debug("start: %.3f mL", w->r->start_ml);
    w->r->flooded = w->r->flooded || w->r->start_ml > w->r->used.max_volume_ml;
    if (count == 0)
        rc = fail(ERR_NUMERIC,
                  "the front does not start: the seeds' intensities are outside %g to %g after denoising; move "
                  "the seeds or set threshold:",
                  w->r->used.threshold_low, w->r->used.threshold_high);
cleanup:
    free(reached);
    volume_free(&speed);
    return rc;
}

int level_set_gradient_quantile(const volume *g, const volume *distance, double low, double high, double q,
                                double *out) {
    size_t n = 0, total = volume_size(g);
    float *x = malloc(total * sizeof *x);
    if (x == NULL)
        return fail_memory("the gradients", (double)total * sizeof *x);
    for (size_t i = 0; i < total; i++)
        if ((double)distance->value[i] >= low && (double)distance->value[i] <= high)
            x[n++] = g->value[i];
    *out = 0;
    if (n > 0) {
        qsort(x, n, sizeof *x, order_float);
        *out = (double)x[(size_t)(q * (double)(n - 1))];
    }
    free(x);
    return OK;
}

/* Gradients: typical inside the start (speed 1) and along its border (speed 0); distance in voxels. */
static int choose_edges(level_set_work *w, const volume *g, const volume *distance, double *typical) {
    int rc = OK;
    level_set_options *used = &w->r->used;
    double inner = 0, border = 0, per_mm = 1 / w->h;
    TRY(level_set_gradient_quantile(g, distance, -0.6, 1.6, 0.3, &border));
    TRY(level_set_gradient_quantile(g, distance, -0.6, 1.6, 0.6, typical));
    TRY(level_set_gradient_quantile(g, distance, -1e9, -2.5, 0.5, &inner));
    if (inner > 0.5 * border)
        inner = 0.5 * border;
    used->edge_low = given(used->edge_low, inner * per_mm);
    used->edge_high = given(used->edge_high, border * per_mm);
    message_debug("gradients per mm: inside %.4g, border %.4g (typical %.4g)", inner * per_mm, border * per_mm,
                  *typical * per_mm);
    if (used->edge_high <= used->edge_low)
        rc = fail(ERR_INPUT, "edge: low %g is not below high %g; set both", used->edge_low, used->edge_high);
cleanup:
    return rc;
}

static double count_inside(const volume *level) {
    double n = 0;
    for (size_t i = 0; i < volume_size(level); i++)
        n += level->value[i] < 0;
    return n;
}

/* As the chosen engine does it; `done` counts its iterations. */
static int portion_of(const level_set_work *w, volume *level, const volume *feature, const volume *potential,
                      const front_weights *weights, int *done) {
    *done = weights->iterations;
    if (w->r->used.engine == LEVEL_SET_ITK)
        return itk_engine_evolve(level, feature, weights, done);
    return lbm_engine_evolve(level, feature, potential, weights);
}

/* In portions, until the volume stays or is too much. (ITK scales its time step so that the front always moves
 * somewhere: how far it moves does not tell when it is done.) */
static int evolve(level_set_work *w, volume *level, const volume *feature) {
    int rc = OK, *done = &w->r->iterations_done;
    const level_set_options *used = &w->r->used;
    double before = count_inside(level);
    volume potential = {0};
    if (used->engine == LEVEL_SET_LBM) {
        TRY(volume_create_like(&potential, feature));
        memcpy(potential.value, feature->value, volume_size(feature) * sizeof *feature->value);
        TRY(grid_smooth(&potential, (const double[3]){potential_sigma, potential_sigma, potential_sigma}));
    }
    *done = 0;
    progress_start("growing", used->iterations, "iterations");
    while (*done < used->iterations) {
        int portion = used->iterations - *done < PORTION ? used->iterations - *done : PORTION, n = 0;
        const front_weights weights = {used->propagation, used->curvature, used->advection, portion};
        TRY(portion_of(w, level, feature, &potential, &weights, &n));
        *done += n;
        progress_set(*done, NULL);
        double now = count_inside(level);
        w->r->flooded = now * pow(w->h, 3) / 1000 > used->max_volume_ml;
        if (!w->r->flooded)
            TRY(level_set_work_neck(w, level, true));
        if (w->r->flooded || n < portion || fabs(now - before) < settled_part * before)
            break;
        before = now;
    }
cleanup:
    volume_free(&potential);
    progress_end();
    return rc;
}

static int contour(level_set_work *w, const volume *start, volume *level) {
    int rc = OK;
    volume g = {0}, feature = {0};
    level_set_options *used = &w->r->used;
    double h = w->h, typical = 0;
    const double too_wide = surely_wider * LEAK_WIDEST * w->bright.radius_mm;
    TRY(mask_distance(start, (const bool[3]){true, true, true}, fmax(12 * h, 1.1 * too_wide), level));
    for (size_t i = 0; i < volume_size(level); i++) {
        w->r->flooded = w->r->flooded || (double)level->value[i] < -too_wide;
        level->value[i] /= (float)h;
    }
    if (w->r->flooded)
        goto cleanup;
    TRY((used->engine == LEVEL_SET_ITK ? itk_engine_gradient : lbm_engine_gradient)(&w->image_work, gradient_sigma,
                                                                                        &g));
    TRY(choose_edges(w, &g, level, &typical));
    TRY(volume_create_like(&feature, &g));
    double beta = 0.5 * (used->edge_low + used->edge_high) * h, alpha = (used->edge_high - used->edge_low) * h / 6;
    for (size_t i = 0; i < volume_size(&g); i++)
        feature.value[i] = (float)(1 / (1 + exp(((double)g.value[i] - beta) / alpha)));
    steps_end(&w->r->steps, "start");
    TRY(evolve(w, level, &feature));
    steps_end(&w->r->steps, "front");
    if (w->r->flooded)
        goto cleanup;
    TRY(level_set_work_halve(w, level));
    steps_end(&w->r->steps, "halving");
    TRY(level_set_settle(w, typical / h, level));
    steps_end(&w->r->steps, "edge between the voxels");
    for (size_t i = 0; i < volume_size(level); i++)
        level->value[i] *= (float)w->h;
cleanup:
    volume_free(&g);
    volume_free(&feature);
    return rc;
}

/* Everything inside that no seed (its nearest voxel) is connected with becomes outside. */
static int keep_seeded(level_set_work *w, volume *level) {
    int rc = OK;
    int64_t count = 0;
    size_t n = volume_size(level);
    uint8_t *mask = malloc(n);
    if (mask == NULL)
        return fail_memory("the lumen", (double)n);
    TRY(region_grow(level, -INFINITY, 0, w->n_seed, (const int(*)[3])w->start, mask, &count));
    if (count == 0)
        rc = fail(ERR_NUMERIC, "the front moved away from every seed: there is no edge around them; check the seeds, "
                               "or set edge: and threshold:");
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < (rc == OK ? n : 0); i++)
        if (!mask[i] && level->value[i] <= 0)
            level->value[i] = (float)w->h;
cleanup:
    free(mask);
    return rc;
}

static int find_lumen(level_set_work *w, volume *level) {
    int rc = OK;
    volume start = {0};
    TRY(level_set_work_make(w));
    steps_end(&w->r->steps, "working grid");
    TRY(denoise(w));
    steps_end(&w->r->steps, "denoising");
    if (w->tube.n == 0)
        TRY(march(w, &start));
    if (w->tube.n == 0 && !w->r->flooded)
        TRY(level_set_work_neck(w, &start, false));
    if (w->tube.n > 0)
        TRY(level_set_bound_contour(w, level));
    else if (!w->r->flooded)
        TRY(contour(w, &start, level));
    if (w->tube.n == 0 && w->r->flooded) {
        TRY(level_set_work_flood_front(&start, level));
        goto cleanup;
    }
    TRY(keep_seeded(w, level));
    TRY(level_set_work_crop(w, level));
cleanup:
    volume_free(&start);
    return rc;
}

/* From here on seeds are those in the middle of the vessel; *middle is the caller's. */
static int study_seeds(level_set_work *w, double (**middle)[3]) {
    level_set_report *r = w->r;
    int rc = OK;
    *middle = malloc((size_t)w->n_seed * sizeof **middle);
    if (*middle == NULL)
        return fail_memory("the seeds", w->n_seed * (double)sizeof **middle);
    TRY(seeds_study(w->image, w->n_seed, w->seed, r->used.vessel, *middle, &r->seeds));
    for (int k = 0; k < w->n_seed && r->n_moved < LEVEL_SET_MOVED; k++) {
        if (vec_distance(w->seed[k], (*middle)[k]) <= 0)
            continue;
        level_set_moved *m = &r->moved[r->n_moved++];
        m->seed = k;
        memcpy(m->from_mm, w->seed[k], sizeof m->from_mm);
        memcpy(m->to_mm, (*middle)[k], sizeof m->to_mm);
    }
    w->seed = (const double(*)[3]) * middle;
    if (r->used.vessel < 0 && !r->seeds.bright) /* a seed beside a bright vessel looks like that, too */
        message_warn(
            "the seeds are darker (%.4g) than what is round them (%.4g): taken for a dark vessel; write vessel: "
            "dark, or, where blood is bright, move the seeds into it",
            r->seeds.inside, r->seeds.outside);
    r->used.vessel = r->seeds.bright;
    r->next_tissue = r->seeds.next;
    steps_end(&r->steps, "seeds");
    level_set_work_turn(w);
    choose_thresholds(w);
cleanup:
    return rc;
}

/* What a front chose that is not taken. */
static void forget_front(const level_set_options *given_ones, level_set_report *r) {
    r->used.smoothing_mm = given_ones->smoothing_mm;
    r->used.edge_low = given_ones->edge_low;
    r->used.edge_high = given_ones->edge_high;
    r->iterations_done = 0;
}

int level_set_run(const volume *image, int n_seed, const double (*seed)[3], const level_set_options *options,
                  volume *level, level_set_report *report) {
    int rc = OK;
    level_set_work w = {.image = image, .n_seed = n_seed, .seed = seed, .r = report};
    bool follow = isnan(options->threshold_low) && isnan(options->threshold_high);
    volume cropped = {0};
    double(*middle)[3] = NULL;
    memset(level, 0, sizeof *level);
    *report = (level_set_report){.used = *options};
    steps_start(&report->steps);
    report->used.propagation = given(options->propagation, 0.5);
    report->used.curvature = given(options->curvature, 0.3);
    report->used.advection = given(options->advection, 2);
    report->used.iterations = options->iterations > 0 ? options->iterations : GROW;
    report->used.max_volume_ml = given(options->max_volume_ml, default_volume_ml);
    w.high_given = !isnan(options->threshold_high);
    if (options->n_opening > 0) {
        for (int k = 0; k < n_seed; k++)
            TRY(seeds_within(image, k, seed[k]));
        TRY(level_set_bound_crop(image, n_seed, seed, options, &cropped));
        w.image = &cropped;
    }
    TRY(study_seeds(&w, &middle));
    if (options->n_opening == 0 && isnan(options->max_volume_ml))
        report->used.max_volume_ml = fmin(report->used.max_volume_ml, level_set_along_most_ml(&report->seeds));
    if (options->n_opening > 0)
        TRY(level_set_bound_find(&w, image, follow, &cropped));
    else
        TRY(level_set_along(&w, follow, &cropped));
    TRY(level_set_bound_clear(&w, follow));
    report->rounds = w.reach.rounds;
    steps_end(&report->steps, options->n_opening > 0 ? "paths and tubes" : "reach");
    if (w.reach.stopped)
        TRY(level_set_work_flood(w.image, w.reach.mask, level));
    for (int round = 0; round < MAX_ROUNDS && !w.reach.stopped; round++) {
        volume_free(level);
        bool instead = false;
        TRY(find_lumen(&w, level));
        if (!report->flooded)
            TRY(level_set_along_instead(&w, level, &cropped, &instead));
        if (instead)
            forget_front(options, report);
        else if (report->flooded || !level_set_work_needs_room(&w, level))
            break;
        else
            message_debug("the front reached the end of the working grid: repeated on a larger one");
    }
    if (follow && w.tube.n == 0 && !report->flooded)
        level_set_look_free(&w, level);
cleanup:
    report->bounded = w.tube.n > 0;
    report->sides.n = report->bounded ? report->sides.n : 0;
    level_set_work_free(&w);
    volume_free(&cropped);
    free(middle);
    if (rc != OK)
        volume_free(level);
    return rc;
}
