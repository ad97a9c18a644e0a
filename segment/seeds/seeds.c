/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/seeds/seeds.h"
#include "common/base/message.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "segment/seeds/seed_noise.h"
#include "segment/seeds/seed_walls.h"
#include "segment/seeds/seed_centre.h"
#include "segment/voxel/grid.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MIN_WALLS = SEED_RAYS / 5, MOVES = 2 };
static const double step_voxels = 0.5; /* Distance between two samples of a ray, in smallest voxel widths */
static const double lowest_wall = 2;   /* Smallest contrast of a wall, as a multiple of the noise */
/* Standard deviation of the Gaussian that smooths the image for the rays, in voxels */
static const double presmooth_voxels = 0.7;
static const double round_reach = 1.5; /* Margin of the box that is smoothed around a seed, in ray lengths */
/* Smallest contrast of a wall, as a multiple of the noise of the smoothed image */
static const double sure_wall = 4;
/* Standard deviations of stronger Gaussians, used where noise hides the walls, in voxels */
static const double smoother[] = {1, 1.4, 2};
/* The spread of intensities around a seed is hardly more than noise if it is below this multiple of the noise */
static const double hidden_noises = 3;

/* Tissue that is darker or brighter than the seed is visible if its contrast to the seed exceeds this multiple of the
 * noise */
static const double sure_side = 3;
/* For a seed between visible darker and visible brighter tissue. most_sides: upper limit of the spread of intensities,
 * as a multiple of the smaller contrast. side_part: smallest contrast of a wall to the tissue with the larger contrast,
 * as a fraction of that contrast */
static const double most_sides = 1.3, side_part = 0.4;
static const double usual_variance = 0.3 - 1.0 / 12; /* Variance of a point spread of about half a voxel, in voxels^2 */
/* Contrast-to-noise ratio between vessel and surrounding tissue: an image below noisy_ratio is noisy, above clear_ratio
 * clear */
static const double noisy_ratio = 3, clear_ratio = 6;

/* Limits for a vessel in a ring of tissue with a far stronger contrast beyond the ring, such as air beyond the skin or
 * the blurred fill of a masked image:
 * - near_part, near_least: largest and smallest contrast of the ring, as fractions of the contrast beyond the ring;
 * - near_noises: smallest contrast of the ring, as a multiple of the noise;
 * - near_rays: fraction of the rays that must meet the ring first;
 * - near_spread: largest difference of the quartiles of the ring's intensity, as a fraction of its contrast;
 * - near_radius: largest radius of the vessel, as a fraction of the radius found without the ring. */
static const double near_part = 0.25, near_least = 0.03, near_noises = 3, near_rays = 0.75, near_spread = 0.5,
                    near_radius = 0.7;

/* Result for one seed, with members as in seeds_statistics; values at the wall are medians over the walls found. */
typedef struct {
    double inside, outside, next, noise, kernel, radius_mm;
    bool bright;
    int n_slope;
    double slope[SEED_RAYS];
} seed_study;

int seeds_check_inside(const volume *image, int k, const double seed[3]) {
    double index[3];
    volume_to_index(image, seed, index);
    if (volume_contains(image, seed))
        return OK;
    return fail(ERR_INPUT,
                "seed %d lies outside the image (voxel %.1f, %.1f, %.1f of %d x %d x %d); check its coordinates and "
                "the key 'space' of the case",
                k + 1, index[0], index[1], index[2], image->dims[0], image->dims[1], image->dims[2]);
}

/* Measure the walls around the seed, their distance and the tissue beyond them. If n_slope is below MIN_WALLS, the
 * walls are too few, and radius and tissue are unchanged. */
static void measure_walls(const seed_rays *c, const double seed[3], int vessel, double *work, seed_study *out) {
    seed_walls w;
    seed_walls_find(c, seed, &w);
    out->bright = vessel >= 0 ? vessel == 1 : w.n_fall >= w.n_rise;
    const seed_wall *hit = out->bright ? w.fall : w.rise;
    out->n_slope = out->bright ? w.n_fall : w.n_rise;
    out->inside = c->inside;
    if (out->n_slope < MIN_WALLS)
        return;
    for (int i = 0; i < out->n_slope; i++) {
        work[i] = hit[i].radius_mm;
        out->slope[i] = hit[i].slope;
    }
    /* the lower quartile, because most rays cross the vessel at an angle */
    out->radius_mm = order_quantile(work, out->n_slope, 0.25);
    for (int i = 0; i < out->n_slope; i++)
        work[i] = hit[i].outside;
    out->outside = order_quantile(work, out->n_slope, 0.5);
    out->next = order_quantile(work, out->n_slope, out->bright ? 0.75 : 0.25);
}

/* Searches the walls again if they are not above the noise. The search starts from the mean intensity within the walls
 * found so far. */
static void measure_walls_again(const volume *image, seed_rays c, const double seed[3], int vessel, double *work,
                                seed_study *s) {
    double index[3], least = volume_thinnest_mm(image);
    seed_study again = *s;
    volume_to_index(image, seed, index);
    const double left = seed_noise_smooth(image, index, s->noise, c.sigma);
    const double lowest = fmin(lowest_wall * s->noise, sure_wall * left);
    if (fabs(s->inside - s->outside) >= lowest)
        return;
    c.least_fall = fmax(c.least_fall, lowest);
    c.least_rise = fmax(c.least_rise, lowest);
    c.inside = seed_mean_within(c.image, seed, fmax(0.7 * least, s->radius_mm), least);
    measure_walls(&c, seed, vessel, work, &again);
    if (again.n_slope < MIN_WALLS)
        return;
    *s = again;
    s->noise = seed_noise(image, index, s->radius_mm / least, work, &s->kernel);
}

/* Smallest change of intensity that counts as a wall: a multiple of the noise. If this multiple exceeds half of the
 * spread of intensities around the seed, the change is limited to a multiple of the lower noise in the smoothed
 * image. */
static double least_change(const volume *image, const double index[3], const seed_rays *c, double spread) {
    const double usual = fmax(2.5 * c->noise, 0.25 * spread);
    if (usual <= 0.5 * spread)
        return usual;
    return fmin(usual, fmax(0.5 * spread, sure_wall * seed_noise_smooth(image, index, c->noise, c->sigma)));
}

/* Intensities around a seed. */
typedef struct {
    double spread; /* 90th minus 10th percentile of the intensities around the seed */
    /* fall: seed's intensity minus 10th percentile; rise: 90th percentile minus seed's intensity */
    double fall, rise;
    bool both; /* true: darker and brighter tissue are visible, as in a vessel next to bone */
} surroundings;

/* Measure the intensities around a seed. If darker and brighter tissue are visible, the wall is at the tissue nearer in
 * intensity, whose contrast then limits the spread. */
static surroundings measure_surroundings(const volume *image, const double seed[3], double h, double noise,
                                         double *work) {
    double q[2];
    surroundings s = {.spread = seed_spread_at(image, seed, h, work, q)};
    const double at = seed_mean_at(image, seed, 1.4 * h);
    s.fall = at - q[0], s.rise = q[1] - at;
    const double near = fmin(s.fall, s.rise);
    s.both = near > 0 && near > sure_side * noise;
    s.spread = s.both ? fmin(s.spread, most_sides * near) : s.spread;
    return s;
}

/* Sets the smallest changes of intensity that count as a wall, for falls and for rises. If darker and
 * brighter tissue are visible, the limit is larger for the tissue whose intensity is farther from the seed's. */
static void choose_least(const volume *image, const double index[3], const surroundings *s, seed_rays *c) {
    const double usual = least_change(image, index, c, s->spread);
    c->least_fall = s->both ? fmax(usual, s->fall > s->rise ? side_part * s->fall : 0) : usual;
    c->least_rise = s->both ? fmax(usual, s->rise > s->fall ? side_part * s->rise : 0) : usual;
}

/* If noise may explain more than half of the spread around the seed, smooths the image more strongly. `own`: the
 * smoothed surroundings of this seed. */
static int smooth_noisy_seed(const volume *image, const double index[3], const double seed[3], double *work,
                             seed_rays *c, surroundings *near, volume *own) {
    grid_box box;
    int rc = OK;
    for (int a = 0; a < 3; a++) {
        const double reach = SEED_SAMPLES * c->h / image->spacing_mm[a];
        box.low[a] = (int)fmax(0, floor(index[a] - reach));
        box.high[a] = (int)fmin(image->dims[a] - 1, ceil(index[a] + reach));
    }
    for (size_t n = 0; n < sizeof smoother / sizeof *smoother; n++) {
        if (2.5 * c->noise <= 0.5 * near->spread ||
            sure_wall * seed_noise_smooth(image, index, c->noise, c->sigma) <= 0.5 * near->spread)
            break;
        c->sigma = smoother[n];
        volume_free(own);
        TRY(grid_crop(image, &box, NAN, own));
        TRY(grid_smooth(own, (const double[3]){c->sigma, c->sigma, c->sigma}));
        c->image = own;
        *near = measure_surroundings(own, seed, c->h, c->noise, work);
    }
cleanup:
    return rc;
}

/* Finds out whether a ring of tissue lies between the seed and the walls of *s, whose contrast is far stronger. c: rays
 * that found these walls. *contrast: out, contrast of the ring. */
static bool find_near_tissue(const volume *image, const double index[3], const seed_rays *c, const double seed[3],
                             const seed_study *s, double *work, double *contrast) {
    const double far = fabs(s->inside - s->outside);
    seed_rays near = *c;
    seed_walls w;
    near.noise = seed_noise_first(image, index, near_part * far, work);
    near.least_fall = near.least_rise = fmax(near_least * far, 2.5 * near.noise);
    seed_walls_find(&near, seed, &w);
    const int n = s->bright ? w.n_fall : w.n_rise;
    const seed_wall *hit = s->bright ? w.fall : w.rise;
    if (n < MIN_WALLS || n < near_rays * (w.n_fall + w.n_rise))
        return false;
    for (int i = 0; i < n; i++)
        work[i] = hit[i].radius_mm;
    if (order_quantile(work, n, 0.25) > near_radius * s->radius_mm)
        return false;
    for (int i = 0; i < n; i++)
        work[i] = hit[i].outside;
    const double low = order_quantile(work, n, 0.25), high = order_quantile(work, n, 0.75);
    const double ring = fabs(s->inside - order_quantile(work, n, 0.5));
    *contrast = ring;
    if (!(ring < near_part * far && high - low < near_spread * ring))
        return false;
    return ring > near_noises * seed_noise_first(image, index, ring, work);
}

static int study_seed(const volume *image, const volume *smooth, int k, const double seed[3], int vessel, double *work,
                      seed_study *out) {
    double index[3], least = volume_thinnest_mm(image);
    volume own = {0};
    double ring = 0;
    int rc = OK;
    TRY(seeds_check_inside(image, k, seed));
    volume_to_index(image, seed, index);
    seed_rays c = {.image = smooth, .h = step_voxels * least, .sigma = presmooth_voxels};
    surroundings near = measure_surroundings(smooth, seed, c.h, seed_noise_first(image, index, 0, work), work);
    c.noise = seed_noise_first(image, index, near.spread, work);
    TRY(smooth_noisy_seed(image, index, seed, work, &c, &near, &own));
    c.inside = seed_mean_at(c.image, seed, 0.7 * least);
    choose_least(image, index, &near, &c);
    measure_walls(&c, seed, vessel, work, out);
    if (out->n_slope >= MIN_WALLS && find_near_tissue(image, index, &c, seed, out, work, &ring)) {
        near.spread = ring;
        near.both = false;
        c.noise = seed_noise_first(image, index, near.spread, work);
        choose_least(image, index, &near, &c);
        measure_walls(&c, seed, vessel, work, out);
    }
    /* repeat with a less noisy intensity of the vessel: the mean within half its radius */
    if (out->n_slope >= MIN_WALLS) {
        c.inside = seed_mean_within(c.image, seed, fmax(0.7 * least, 0.5 * out->radius_mm), least);
        measure_walls(&c, seed, vessel, work, out);
    }
    if (out->n_slope < MIN_WALLS)
        GIVE_UP(fail(ERR_INPUT,
                     "seed %d: no vessel wall around it (intensity %g, noise %.3g; in only %d of %d directions the "
                     "intensity changes by %.3g or more within %.0f mm); move it into the middle of a vessel%s",
                     k + 1, c.inside, c.noise, out->n_slope, SEED_RAYS, fmin(c.least_fall, c.least_rise),
                     SEED_SAMPLES * c.h,
                     near.spread < hidden_noises * c.noise ? ", or give a mask: the noise may hide its wall" : ""));
    out->noise = seed_noise(image, index, out->radius_mm / least, work, &out->kernel);
    measure_walls_again(image, c, seed, vessel, work, out);
    message_debug("seed %d: inside %g, outside %g, noise %.3g (correlated over %.2g voxels), radius %.2f mm, %s", k + 1,
                  out->inside, out->outside, out->noise, out->kernel, out->radius_mm, out->bright ? "bright" : "dark");
cleanup:
    volume_free(&own);
    return rc;
}

/* Move a seed near the wall to the centre of its vessel and study it again; twice if the first intensities were
 * misleading. */
static void study_from_middle(const volume *image, const volume *smooth, int k, int vessel, double *work, seed_study *s,
                              double at[3]) {
    const double from[3] = {at[0], at[1], at[2]};
    for (int round = 0; round < MOVES; round++) {
        double to[3], radius;
        seed_study again;
        if (!seed_centre_find(smooth, s->inside, s->next, at, to, &radius))
            break;
        if (study_seed(image, smooth, k, to, vessel, work, &again) != OK || again.bright != s->bright) {
            status_clear();
            break;
        }
        *s = again;
        memcpy(at, to, sizeof to);
    }
    if (vec_distance(from, at) > 0)
        message_debug("seed %d: near the wall; moved by %.2f mm to [%.2f, %.2f, %.2f] (LPS), the middle of the vessel",
                      k + 1, vec_distance(from, at), at[0], at[1], at[2]);
}

/* Median over the seeds. For an even number of seeds: the brighter of the two middle values in a bright vessel, the
 * darker value in a dark vessel. An image and its negative then give the same vessel. */
static double middle_of(double *x, int n, bool bright) {
    qsort(x, (size_t)n, sizeof *x, order_double);
    return x[bright ? n / 2 : (n - 1) / 2];
}

/* Combine the studies of all seeds into *out. work [n * SEED_RAYS]: scratch memory. */
static int combine_seeds(const seed_study *s, int n, double *work, seeds_statistics *out) {
    int n_slope = 0;
    *out = (seeds_statistics){.bright = s[0].bright, .narrow_mm = INFINITY};
    for (int k = 0; k < n; k++) {
        if (s[k].bright != s[0].bright)
            return fail(ERR_INPUT,
                        "seed 1 is %s than its surroundings and seed %d is %s: either one seed lies outside its vessel "
                        "(move it into the middle of the vessel), or the seeds are in two kinds of vessel (segment "
                        "them separately); segment.vessel (bright or dark) states which seed is right",
                        s[0].bright ? "brighter" : "darker", k + 1, s[k].bright ? "brighter" : "darker");
        double middle = 0.5 * (s[k].inside + s[k].outside);
        bool nearer = out->bright ? middle < out->middle : middle > out->middle;
        out->middle = k == 0 || nearer ? middle : out->middle;
        out->radius_mm = fmax(out->radius_mm, s[k].radius_mm);
        out->narrow_mm = fmin(out->narrow_mm, s[k].radius_mm);
        memcpy(work + n_slope, s[k].slope, (size_t)s[k].n_slope * sizeof *work);
        n_slope += s[k].n_slope;
    }
    out->edge[0] = order_quantile(work, n_slope, 0.1);
    out->edge[1] = order_quantile(work, n_slope, 0.25);
    out->edge[2] = order_quantile(work, n_slope, 0.5);
    for (int k = 0; k < n; k++)
        work[k] = s[k].inside;
    out->inside = middle_of(work, n, out->bright);
    out->inside_range[0] = work[0];
    out->inside_range[1] = work[n - 1];
    for (int k = 0; k < n; k++)
        work[k] = s[k].outside;
    out->outside = middle_of(work, n, out->bright);
    for (int k = 0; k < n; k++)
        work[k] = s[k].next;
    out->next = middle_of(work, n, out->bright);
    for (int k = 0; k < n; k++)
        work[k] = s[k].noise;
    out->noise = order_quantile(work, n, 0.5);
    for (int k = 0; k < n; k++)
        work[k] = s[k].kernel;
    out->kernel = order_quantile(work, n, 0.5);
    return OK;
}

double seeds_point_variance(const seeds_statistics *s) {
    const double ratio = s->noise > 0 ? fabs(s->inside - s->next) / s->noise : INFINITY;
    const double part = fmin(1, fmax(0, (clear_ratio - ratio) / (clear_ratio - noisy_ratio)));
    return usual_variance + part * fmax(0, s->kernel * s->kernel - usual_variance);
}

/* Box that the rays of a seed may reach, also after the seed is moved. */
static void box_round(const volume *image, const double seed[3], grid_box *box) {
    const double least = volume_thinnest_mm(image);
    double index[3];
    volume_to_index(image, seed, index);
    for (int a = 0; a < 3; a++) {
        const double reach = round_reach * SEED_SAMPLES * step_voxels * least / image->spacing_mm[a];
        /* clamped; a seed outside the image is refused later */
        const double at = fmin(image->dims[a] - 1, fmax(0, index[a]));
        box->low[a] = (int)fmax(0, floor(at - reach));
        box->high[a] = (int)fmin(image->dims[a] - 1, ceil(at + reach));
    }
}

static int smooth_round(const volume *image, const grid_box *box, volume *out) {
    int rc = OK;
    volume_free(out);
    TRY(grid_crop(image, box, NAN, out));
    TRY(grid_smooth(out, (const double[3]){presmooth_voxels, presmooth_voxels, presmooth_voxels}));
cleanup:
    return rc;
}

/* True if the boxes around the seeds hold more voxels than the image, which is then smoothed once for all seeds. */
static bool are_crowded(const volume *image, int n, const double (*seed)[3]) {
    double voxels = 0;
    for (int k = 0; k < n; k++) {
        grid_box box;
        box_round(image, seed[k], &box);
        voxels +=
            (double)(box.high[0] - box.low[0] + 1) * (box.high[1] - box.low[1] + 1) * (box.high[2] - box.low[2] + 1);
    }
    return voxels >= (double)volume_size(image);
}

int seeds_measure(const volume *image, int n, const double (*seed)[3], int vessel, double (*middle)[3],
                  seeds_statistics *out) {
    int rc = OK;
    volume smooth = {0};
    grid_box box = {{0}, {image->dims[0] - 1, image->dims[1] - 1, image->dims[2] - 1}};
    const bool whole = are_crowded(image, n, seed);
    const size_t count = n > 0 ? (size_t)n : 0; /* for gcc 12, which assumes with sanitizers that n may be negative */
    seed_study *s = calloc(count + 1, sizeof *s);
    double *work = malloc((count * SEED_RAYS + 2000) * sizeof *work);
    if (s == NULL || work == NULL) {
        rc = fail_memory("the seeds", n * (double)sizeof *s);
        goto cleanup;
    }
    for (int k = 0; k < n; k++) {
        if (!whole)
            box_round(image, seed[k], &box);
        if (!whole || k == 0)
            TRY(smooth_round(image, &box, &smooth));
        TRY(study_seed(image, &smooth, k, seed[k], vessel, work, &s[k]));
        if (middle == NULL)
            continue;
        memcpy(middle[k], seed[k], sizeof middle[k]);
        study_from_middle(image, &smooth, k, vessel, work, &s[k], middle[k]);
    }
    TRY(combine_seeds(s, n, work, out));
cleanup:
    free(s);
    free(work);
    volume_free(&smooth);
    return rc;
}
