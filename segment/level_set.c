/* See level_set.h. The image is turned bright (multiplied by -1 for dark vessels) on the working grid. */
#include "segment/level_set.h"
#include "common/message.h"
#include "common/status.h"
#include "segment/blur.h"
#include "segment/edge.h"
#include "segment/grid.h"
#include "segment/itk_levelset.h"
#include "segment/mask_distance.h"
#include "segment/reach.h"
#include "segment/region.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double fine_voxels = 40e6;     /* the working grid may have so many */
static const double most_voxels = 200e6;    /* and never more than these */
static const double flooded_part = 0.5;     /* of the image */
static const double narrow_voxels = 7;      /* finer work where a vessel's radius is less */
static const double conductance = 9;        /* high: level lines move by curvature alone, whose shift is known */
static const double scanner_variance = 0.3; /* voxels^2: the voxel itself 1/12, point spread about half a voxel */
static const double gradient_sigma = 1;     /* voxels of the working grid */
static const double level_sigma = 0.7;
static const double settled_part = 0.002; /* of the volume, per portion of iterations */
enum { GROW = 80, PORTION = 20, MARGIN = 6, PAD = 3, ROOM = 20, MAX_ROUNDS = 4 };

typedef struct {
    const volume *image;
    int n_seed;
    const double (*seed)[3];
    level_set_report *r;
    double sign;             /* +1 bright, -1 dark */
    seeds_statistics bright; /* the seeds' statistics times sign */
    double low, high;        /* intensities the front may enter, times sign */
    reach reach;             /* what is connected with the seeds */
    int more[3];             /* voxels of room beyond that */
    grid_box box;            /* of the work grid in voxels of the image, with PAD beyond */
    volume work;             /* denoised, evened, bright */
    int (*start)[3];         /* seeds on the working grid */
} run;

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
static void choose_thresholds(run *r) {
    level_set_options *used = &r->r->used;
    const seeds_statistics *b = &r->bright;
    double contrast = b->inside - b->outside;
    double low = b->middle + 0.1 * contrast, high = b->inside_range[1] + 2 * contrast;
    used->threshold_low = given(used->threshold_low, r->sign > 0 ? low : -high);
    used->threshold_high = given(used->threshold_high, r->sign > 0 ? high : -low);
    r->low = r->sign > 0 ? used->threshold_low : -used->threshold_high;
    r->high = r->sign > 0 ? used->threshold_high : -used->threshold_low;
}

static void turn_bright(run *r) {
    const seeds_statistics *s = &r->r->seeds;
    r->sign = s->bright ? 1 : -1;
    r->bright = *s;
    r->bright.inside *= r->sign;
    r->bright.outside *= r->sign;
    r->bright.middle *= r->sign;
    r->bright.inside_range[0] = r->sign * s->inside_range[s->bright ? 0 : 1];
    r->bright.inside_range[1] = r->sign * s->inside_range[s->bright ? 1 : 0];
}

/* ---------------------------------------------------------------------------------------------- working grid */

/* Indices of the seeds; those outside or out of the range go to the nearest voxel. */
static int place_seeds(const volume *v, int n, const double (*seed)[3], int (**out)[3]) {
    *out = malloc((size_t)n * sizeof **out);
    if (*out == NULL)
        return fail_memory("the seeds", n * (double)sizeof **out);
    for (int k = 0; k < n; k++) {
        double index[3];
        volume_to_index(v, seed[k], index);
        for (int a = 0; a < 3; a++)
            (*out)[k][a] = (int)fmin(v->dims[a] - 1, fmax(0, floor(index[a] + 0.5)));
    }
    return OK;
}

static void scale_values(volume *v, double by) {
    for (size_t i = 0; i < volume_size(v) && by != 1; i++)
        v->value[i] *= (float)by;
}

/* Everything connected with the seeds in the lightly smoothed image. */
static int find_region(run *r, bool follow) {
    int rc = OK;
    const double sigma[3] = {0.7, 0.7, 0.7};
    volume smooth = {0};
    int(*start)[3] = NULL;
    TRY(volume_create_like(&smooth, r->image));
    memcpy(smooth.value, r->image->value, volume_size(&smooth) * sizeof *smooth.value);
    TRY(grid_smooth(&smooth, sigma));
    scale_values(&smooth, r->sign);
    TRY(place_seeds(&smooth, r->n_seed, r->seed, &start));
    TRY(reach_run(&smooth, &r->bright, r->n_seed, (const int(*)[3])start, follow, r->low, r->high, &r->reach));
    if (r->reach.count == 0)
        rc = fail(ERR_INPUT, "no seed lies within the thresholds %g to %g; the intensities at the seeds are %g to %g",
                  r->r->used.threshold_low, r->r->used.threshold_high, r->r->seeds.inside_range[0],
                  r->r->seeds.inside_range[1]);
    r->r->flooded = (double)r->reach.count > flooded_part * (double)volume_size(r->image);
cleanup:
    free(start);
    volume_free(&smooth);
    return rc;
}

/* The box of that and of the seeds, with room, PAD voxels beyond the image where it reaches the border. */
static int find_box(run *r) {
    int rc = OK;
    int(*start)[3] = NULL;
    grid_box *box = &r->box;
    TRY(place_seeds(r->image, r->n_seed, r->seed, &start));
    region_box(r->image, r->reach.mask, box);
    for (int k = 0; k < r->n_seed; k++)
        for (int a = 0; a < 3; a++) {
            box->low[a] = start[k][a] < box->low[a] ? start[k][a] : box->low[a];
            box->high[a] = start[k][a] > box->high[a] ? start[k][a] : box->high[a];
        }
    grid_box_grow(box, (int[3]){MARGIN + r->more[0], MARGIN + r->more[1], MARGIN + r->more[2]}, r->image);
    grid_box_grow(box, (int[3]){PAD, PAD, PAD}, NULL);
cleanup:
    free(start);
    return rc;
}

static double count_refined(const volume *v, const int parts[3]) {
    return (double)volume_size(v) * parts[0] * parts[1] * parts[2];
}

/* Cubes as wide as the thinnest axis, or half of it where a vessel is narrow and there is room. */
static int choose_parts(run *r, const volume *small) {
    double least = fmin(small->spacing_mm[0], fmin(small->spacing_mm[1], small->spacing_mm[2]));
    bool narrow = r->r->seeds.narrow_mm < narrow_voxels * least;
    int *parts = r->r->parts;
    grid_parts(small, narrow ? least / 2 : least, parts);
    if (count_refined(small, parts) > fine_voxels)
        grid_parts(small, least, parts);
    if (count_refined(small, parts) > most_voxels)
        parts[0] = parts[1] = parts[2] = 1;
    if (count_refined(small, parts) > most_voxels)
        return fail(ERR_RESOURCE,
                    "the region of the seeds has %.0f million voxels, at most %.0f are possible; crop the image",
                    count_refined(small, parts) * 1e-6, most_voxels * 1e-6);
    return OK;
}

static int make_work(run *r) {
    int rc = OK;
    volume small = {0};
    volume_free(&r->work);
    free(r->start);
    r->start = NULL;
    TRY(find_box(r));
    TRY(grid_crop(r->image, &r->box, NAN, &small));
    TRY(choose_parts(r, &small));
    TRY(grid_refine(&small, r->r->parts, true, &r->work));
    r->r->spacing_mm = cbrt(r->work.spacing_mm[0] * r->work.spacing_mm[1] * r->work.spacing_mm[2]);
    TRY(place_seeds(&r->work, r->n_seed, r->seed, &r->start));
    scale_values(&r->work, r->sign);
    reach_even(&r->reach, &r->bright, &r->work);
cleanup:
    volume_free(&small);
    return rc;
}

/* ---------------------------------------------------------------------------------------------- steps */

static int denoise(run *r) {
    level_set_options *used = &r->r->used;
    double h = r->r->spacing_mm;
    used->smoothing_mm =
        given(used->smoothing_mm, choose_smoothing(&r->r->seeds, r->reach.weakest, h * fmax(1, r->r->parts[0])));
    double sigma = used->smoothing_mm / h;
    r->r->denoise_steps = (int)fmin(400, ceil(8 * sigma * sigma));
    message_debug("denoising: %.3g mm, %d steps", used->smoothing_mm, r->r->denoise_steps);
    return itk_levelset_denoise(&r->work, r->r->denoise_steps, conductance);
}

/* The voxels a front from the seeds reaches through the allowed intensities; mask 1 there. */
static int march(run *r, volume *mask) {
    int rc = OK;
    const double stop = 1e6;
    size_t count = 0, n = volume_size(&r->work);
    volume speed = {0};
    TRY(volume_create_like(&speed, &r->work));
    for (size_t i = 0; i < n; i++)
        speed.value[i] = (double)r->work.value[i] >= r->low && (double)r->work.value[i] <= r->high ? 1 : 0;
    TRY(itk_levelset_march(&speed, r->n_seed, (const int(*)[3])r->start, stop, mask));
    for (size_t i = 0; i < n; i++) {
        mask->value[i] = (double)mask->value[i] < 0.5 * stop && speed.value[i] > 0;
        count += mask->value[i] > 0;
    }
    r->r->start_ml = (double)count * pow(r->r->spacing_mm, 3) / 1000;
    message_debug("start: %.3f mL", r->r->start_ml);
    if (count == 0)
        rc = fail(ERR_NUMERIC,
                  "the front does not start: the seeds' intensities are outside %g to %g after denoising; move "
                  "the seeds or set threshold:",
                  r->r->used.threshold_low, r->r->used.threshold_high);
cleanup:
    volume_free(&speed);
    return rc;
}

static int compare(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Quantile of G over voxels whose distance to the start's border lies in low..high (mm). */
static int gradient_quantile(const volume *g, const volume *distance, double low, double high, double q, double *out) {
    size_t n = 0, total = volume_size(g);
    float *x = malloc(total * sizeof *x);
    if (x == NULL)
        return fail_memory("the gradients", (double)total * sizeof *x);
    for (size_t i = 0; i < total; i++)
        if ((double)distance->value[i] >= low && (double)distance->value[i] <= high)
            x[n++] = g->value[i];
    *out = 0;
    if (n > 0) {
        qsort(x, n, sizeof *x, compare);
        *out = (double)x[(size_t)(q * (double)(n - 1))];
    }
    free(x);
    return OK;
}

/* Gradients: typical inside the start (speed 1) and along its border (speed 0); distance in voxels. */
static int choose_edges(run *r, const volume *g, const volume *distance, double *typical) {
    int rc = OK;
    level_set_options *used = &r->r->used;
    double inner = 0, border = 0, per_mm = 1 / r->r->spacing_mm;
    TRY(gradient_quantile(g, distance, -0.6, 1.6, 0.3, &border));
    TRY(gradient_quantile(g, distance, -0.6, 1.6, 0.6, typical));
    TRY(gradient_quantile(g, distance, -1e9, -2.5, 0.5, &inner));
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

/* In portions, until the volume stays. (ITK scales its time step so that the front always moves somewhere: how far it
 * moves does not tell when it is done.) */
static int evolve(run *r, volume *level, const volume *feature) {
    int rc = OK, *done = &r->r->iterations_done;
    const level_set_options *used = &r->r->used;
    double before = count_inside(level);
    *done = 0;
    progress_start("growing", used->iterations, "iterations");
    while (*done < used->iterations) {
        int portion = used->iterations - *done < PORTION ? used->iterations - *done : PORTION, n = 0;
        const itk_levelset_weights w = {used->propagation, used->curvature, used->advection, portion};
        TRY(itk_levelset_evolve(level, feature, &w, &n));
        *done += n;
        progress_set(*done, NULL);
        double now = count_inside(level);
        if (n < portion || fabs(now - before) < settled_part * before)
            break;
        before = now;
    }
cleanup:
    progress_end();
    return rc;
}

/* From about a voxel's closeness onto the edges, sub-voxel; two rounds, then noise is smoothed off and the shift that
 * denoising and this smoothing gave to curved walls is undone. */
static int settle(const run *r, double typical, volume *level) {
    int rc = OK;
    double voxel = fmin(r->image->spacing_mm[0], fmin(r->image->spacing_mm[1], r->image->spacing_mm[2]));
    double scanner = scanner_variance * pow(voxel / r->r->spacing_mm, 2);
    const double sigma[3] = {level_sigma, level_sigma, level_sigma};
    for (int round = 0; round < 2; round++)
        TRY(edge_settle(&r->work, gradient_sigma, scanner, typical, level));
    TRY(grid_smooth(level, sigma));
    TRY(blur_undo_shift(level, r->r->denoise_steps / 8.0 + level_sigma * level_sigma));
cleanup:
    return rc;
}

static int contour(run *r, const volume *start, volume *level) {
    int rc = OK;
    volume g = {0}, feature = {0};
    level_set_options *used = &r->r->used;
    double h = r->r->spacing_mm, typical = 0;
    TRY(mask_distance(start, (const bool[3]){true, true, true}, 12 * h, level));
    for (size_t i = 0; i < volume_size(level); i++)
        level->value[i] /= (float)h;
    TRY(itk_levelset_gradient(&r->work, gradient_sigma, &g));
    TRY(choose_edges(r, &g, level, &typical));
    TRY(volume_create_like(&feature, &g));
    double beta = 0.5 * (used->edge_low + used->edge_high) * h, alpha = (used->edge_high - used->edge_low) * h / 6;
    for (size_t i = 0; i < volume_size(&g); i++)
        feature.value[i] = (float)(1 / (1 + exp(((double)g.value[i] - beta) / alpha)));
    TRY(evolve(r, level, &feature));
    TRY(settle(r, typical, level));
    for (size_t i = 0; i < volume_size(level); i++)
        level->value[i] *= (float)h;
cleanup:
    volume_free(&g);
    volume_free(&feature);
    return rc;
}

/* Everything inside that no seed is connected with becomes outside. A seed just beyond the wall counts by its nearest
 * voxels. */
static int keep_seeded(run *r, volume *level) {
    int rc = OK;
    int64_t count = 0;
    size_t n = volume_size(level);
    uint8_t *mask = malloc(n);
    if (mask == NULL)
        return fail_memory("the lumen", (double)n);
    TRY(region_grow(level, -INFINITY, 0, r->n_seed, (const int(*)[3])r->start, mask, &count));
    if (count == 0)
        rc = fail(ERR_NUMERIC,
                  "the front left all seeds: there is no edge round them; check the seeds, or set edge: and "
                  "threshold:");
    for (size_t i = 0; i < n && rc == OK; i++)
        if (!mask[i] && level->value[i] <= 0)
            level->value[i] = (float)r->r->spacing_mm;
cleanup:
    free(mask);
    return rc;
}

/* Cut the padding off: the level ends with the image. */
static int crop_to_image(const run *r, volume *level) {
    volume whole = *level;
    grid_box box;
    for (int a = 0; a < 3; a++) {
        box.low[a] = PAD * r->r->parts[a];
        box.high[a] = whole.dims[a] - 1 - PAD * r->r->parts[a];
    }
    memset(level, 0, sizeof *level);
    int rc = grid_crop(&whole, &box, 0, level);
    volume_free(&whole);
    return rc;
}

/* True when the lumen reaches a side of the box that is not a side of the image; there is then more room next time. */
static bool needs_room(run *r, const volume *level) {
    bool needs = false;
    for (int k = 0; k < level->dims[2]; k++)
        for (int j = 0; j < level->dims[1]; j++)
            for (int i = 0; i < level->dims[0]; i++) {
                const int at[3] = {i, j, k};
                if (level->value[volume_index(level, i, j, k)] > 0)
                    continue;
                for (int a = 0; a < 3; a++) {
                    bool low = at[a] <= r->r->parts[a] && r->box.low[a] > -PAD;
                    bool high =
                        at[a] >= level->dims[a] - 1 - r->r->parts[a] && r->box.high[a] < r->image->dims[a] - 1 + PAD;
                    if (low || high) {
                        r->more[a] += needs ? 0 : ROOM;
                        needs = true;
                    }
                }
            }
    return needs;
}

/* From the working grid to the lumen on it. */
static int find_lumen(run *r, volume *level) {
    int rc = OK;
    volume start = {0};
    TRY(make_work(r));
    TRY(denoise(r));
    TRY(march(r, &start));
    if (r->r->flooded)
        TRY(mask_distance(&start, (const bool[3]){true, true, true}, 12 * r->r->spacing_mm, level));
    else
        TRY(contour(r, &start, level));
    TRY(keep_seeded(r, level));
    TRY(crop_to_image(r, level));
cleanup:
    volume_free(&start);
    return rc;
}

int level_set_run(const volume *image, int n_seed, const double (*seed)[3], const level_set_options *options,
                  volume *level, level_set_report *report) {
    int rc = OK;
    run r = {.image = image, .n_seed = n_seed, .seed = seed, .r = report};
    bool follow = isnan(options->threshold_low) && isnan(options->threshold_high);
    memset(level, 0, sizeof *level);
    *report = (level_set_report){.used = *options};
    report->used.propagation = given(options->propagation, 0.5);
    report->used.curvature = given(options->curvature, 0.3);
    report->used.advection = given(options->advection, 2);
    report->used.iterations = options->iterations > 0 ? options->iterations : GROW;
    TRY(seeds_study(image, n_seed, seed, options->vessel, &report->seeds));
    report->used.vessel = report->seeds.bright;
    turn_bright(&r);
    choose_thresholds(&r);
    TRY(find_region(&r, follow));
    report->rounds = r.reach.rounds;
    for (int round = 0; round < MAX_ROUNDS; round++) {
        volume_free(level);
        TRY(find_lumen(&r, level));
        if (report->flooded || !needs_room(&r, level))
            break;
        message_debug("the front reached the end of the working grid: again with more room");
    }
cleanup:
    reach_free(&r.reach);
    volume_free(&r.work);
    free(r.start);
    if (rc != OK)
        volume_free(level);
    return rc;
}
