/* See bounding_tube.h. */
#include "segment/level_set/bounding_tube.h"
#include "segment/level_set/tube_warnings.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "segment/wall/noise_shrinkage.h"
#include "segment/vessel/layers.h"
#include "segment/vessel/plaque.h"
#include "segment/vessel/seed_noise.h"
#include "segment/voxel/blur.h"
#include "segment/voxel/mask_distance.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double default_crop_mm = 20, wide_crop_mm = 60; /* the second where a widening leaves the first */
static const double noisy_ratio = 3, clear_ratio = 6;        /* contrast over noise */
/* What a noisy wall takes from the tube (shrink.h), where both were set at the half height, and in thick slices. */
static const noise_shares most_shares = {0.9, 0.6, 1}, thick_shares = {0.75, 0.3, 0};
static const double window_radii = 1;   /* along the wall, in which it is compared with the tube */
static const double usual_kernel = 0.5; /* voxels: standard deviation of a point spread that a voxel still resolves */
static const double too_narrow = 2, wide_enough = 3.5; /* radii over standard deviations of the blur */
static const double tube_part =
    0.6; /* of the blur's shift by theory: a tube of 3 voxels came out 0.08 for 0.14 too narrow */
static const double most_unseen = 1.5; /* radii along which no wall may be seen */
static const double hopeless_unseen = 8;
static const double gradient_sigma = 1;                      /* voxels of the working grid */
static const double hidden_ratio = 0.95, layers_ratio = 1.8; /* contrast over noise as a wall shows it */
enum { LAYER_ROUNDS = 4 };

int level_set_bound_crop(const volume *image, int n_seed, const double (*seed)[3], const level_set_options *o,
                         volume *out) {
    const double room = o->crop_mm > 0 ? o->crop_mm : default_crop_mm;
    grid_box box = {{image->dims[0], image->dims[1], image->dims[2]}, {-1, -1, -1}};
    int grow[3];
    for (int k = 0; k < n_seed + o->n_opening; k++) {
        double index[3];
        volume_to_index(image, k < n_seed ? seed[k] : o->opening_mm[k - n_seed], index);
        for (int a = 0; a < 3; a++) {
            const double at = fmin(image->dims[a] - 1, fmax(0, index[a]));
            box.low[a] = (int)fmin(box.low[a], floor(at));
            box.high[a] = (int)fmax(box.high[a], ceil(at));
        }
    }
    for (int a = 0; a < 3; a++)
        grow[a] = (int)fmax(3, ceil(room / image->spacing_mm[a]));
    grid_box_grow(&box, grow, image);
    message_debug("crop: %d x %d x %d voxels of %d x %d x %d", box.high[0] - box.low[0] + 1,
                  box.high[1] - box.low[1] + 1, box.high[2] - box.low[2] + 1, image->dims[0], image->dims[1],
                  image->dims[2]);
    return grid_crop(image, &box, NAN, out);
}

/* Noise over the contrast to the next tissue, mean along the vessel. */
static double noise_to_contrast(const level_set_work *w) {
    double contrast = 0;
    for (int i = 0; i < w->tube.n; i++)
        contrast += (w->tube.node[i].inside - w->tube.node[i].outside) / w->tube.n;
    if (!w->follows || w->tube.n == 0) /* a threshold is no tissue */
        contrast = fabs(w->r->seeds.inside - w->r->seeds.next);
    return contrast > 0 ? w->r->seeds.noise / contrast : 0;
}

/* Contrast to the next tissue over the noise as a wall shows it: what is alike in neighbouring voxels is more of it. */
static double clarity(const level_set_work *w) {
    const double noise = noise_to_contrast(w);
    return noise > 0 ? 1 / (noise * seed_noise_at_wall(w->r->seeds.kernel)) : INFINITY;
}

int level_set_bound_clear(const level_set_work *w, bool follow) {
    level_set_report *r = w->r;
    r->contrast_to_noise = clarity(w);
    if (!follow || r->contrast_to_noise >= hidden_ratio)
        return OK;
    return fail(
        ERR_NUMERIC,
        "noise hides the vessel's wall: between vessel (%.4g) and next tissue (%.4g) there is %.2g times the noise "
        "(%.3g) along a wall, at least %g is needed; average or denoise the image, or give a mask (method: labels)",
        r->seeds.inside, r->next_tissue, r->contrast_to_noise, r->seeds.noise, hidden_ratio);
}

bool level_set_bound_noisy(const level_set_work *w) {
    const seeds_statistics *s = &w->r->seeds;
    return fabs(s->inside - s->next) < clear_ratio * s->noise;
}

/* Of a way whose walls are not seen for `unseen` radii the tube is kept, with a warning, unless it is hopeless. */
static int keep_tube(const level_set_work *w, double unseen, const double place[3]) {
    const double mm = unseen * w->r->seeds.narrow_mm;
    if (unseen >= hopeless_unseen)
        return fail(
            ERR_NUMERIC,
            "along %.0f mm of the way between seeds and openings, round [%.1f, %.1f, %.1f] (LPS), no vessel wall is "
            "visible (vessel %.4g, next tissue %.4g, noise %.3g): put seeds there, check that seeds and "
            "openings are in one vessel, or set threshold:",
            mm, place[0], place[1], place[2], w->r->seeds.inside, w->r->next_tissue, w->r->seeds.noise);
    message_warn_serious("along %.0f mm of the way between seeds and openings, round [%.1f, %.1f, %.1f] (LPS), hardly "
                         "any wall is visible; put seeds there",
                         mm, place[0], place[1], place[2]);
    return OK;
}

static int measure_anew(level_set_work *w, bool follow) {
    tube_free(&w->tube);
    region_growing_free(&w->reach);
    return level_set_work_bound(w, follow);
}

/* The tube anew where plaque is as dark as the tissue; all as it was where that leaves too little of a narrow vessel to
 * be followed. */
static int without_plaque(level_set_work *w, volume *cropped) {
    const double before = tube_unseen(&w->tube, (double[3]){0});
    volume *with = &w->with_plaque;
    size_t bright;
    int rc = OK;
    volume_free(with);
    TRY(volume_copy(with, cropped));
    TRY(plaque_darken(&w->tube, &w->bright, w->sign, cropped, &bright));
    if (bright > 0)
        TRY(measure_anew(w, true));
    if (bright > 0 && tube_unseen(&w->tube, (double[3]){0}) > fmax(before, most_unseen)) {
        memcpy(cropped->value, with->value, volume_size(cropped) * sizeof *with->value);
        TRY(measure_anew(w, true));
        bright = 0;
    }
    if (bright == 0)
        volume_free(with);
cleanup:
    return rc;
}

int level_set_bound_measure(level_set_work *w, bool follow, volume *cropped) {
    double most = 0, length, place[3] = {NAN, NAN, NAN}, at[3];
    int rc = OK;
    TRY(level_set_work_bound(w, follow));
    for (int round = 0; round < LAYER_ROUNDS && follow && clarity(w) >= layers_ratio; round++) {
        TRY(layers_even(&w->tube, w->sign, w->bright.inside, w->bright.radius_mm, cropped, &length, at));
        if (length <= 0)
            break;
        if (length > most)
            memcpy(place, at, sizeof place);
        most = fmax(most, length);
        TRY(seeds_study(cropped, w->n_seed, w->seed, w->r->used.vessel, NULL, &w->r->seeds));
        level_set_work_turn(w);
        TRY(measure_anew(w, follow));
    }
    if (follow && w->tube.n > 0) /* none: seeds and openings within one voxel */
        TRY(without_plaque(w, cropped));
    if (most > 0)
        message_warn(
            "blood of two intensities lies side by side along %.0f mm, round [%.1f, %.1f, %.1f] (LPS): taken for "
            "contrast that has not mixed, both for lumen; if one of them is a clot, set threshold:",
            most, place[0], place[1], place[2]);
cleanup:
    return rc;
}

/* The vessel in the image round seeds and openings; in more of it where that ends within a widening of the vessel. */
static int measure_in_crop(level_set_work *w, const volume *image, bool follow, volume *cropped) {
    level_set_options room = w->r->used;
    bool cut = false;
    int rc = OK;
    TRY(level_set_bound_measure(w, follow, cropped));
    for (int k = 0; k < w->tube.n_found; k++)
        cut = cut || (w->tube.found[k].cut && w->tube.found[k].round);
    if (!cut || room.crop_mm > 0)
        return OK;
    room.crop_mm = wide_crop_mm;
    tube_free(&w->tube);
    region_growing_free(&w->reach);
    volume_free(cropped);
    TRY(level_set_bound_crop(image, w->n_seed, w->seed, &room, cropped));
    TRY(level_set_bound_measure(w, follow, cropped));
cleanup:
    return rc;
}

int level_set_bound_find(level_set_work *w, const volume *image, bool follow, volume *cropped) {
    double place[3], unseen, most_ml;
    tube bounded = {0};
    grown_region maps = {0};
    int rc = OK;
    TRY(measure_in_crop(w, image, follow, cropped));
    if (w->tube.n == 0)
        GIVE_UP(fail(ERR_INPUT,
                     "there is no way between the seeds and openings: they all lie within one voxel; are their "
                     "coordinates in mm, and in the case's 'space'?"));
    level_set_look(w);
    unseen = tube_unseen(&w->tube, place);
    if (unseen < most_unseen)
        return OK;
    message_debug("hardly any wall along %.1f radii near [%.1f, %.1f, %.1f] (LPS)", unseen, place[0], place[1],
                  place[2]);
    if (follow && level_set_bound_noisy(w))
        return keep_tube(w, unseen, place);
    most_ml = fmin(w->r->used.max_volume_ml, LEVEL_SET_FREE * tube_volume_mm3(&w->tube) / 1000);
    bounded = w->tube;
    maps = w->reach;
    memset(&w->tube, 0, sizeof w->tube);
    memset(&w->reach, 0, sizeof w->reach);
    w->image = image;
    TRY(level_set_work_reach(w, follow, most_ml));
    if (w->r->flooded && follow && unseen < hopeless_unseen) {
        TRY(keep_tube(w, unseen, place));
        region_growing_free(&w->reach);
        w->r->flooded = false;
        w->reach = maps;
        w->tube = bounded;
        w->image = cropped;
        return OK;
    }
    w->r->n_sac = w->r->n_sac_unlisted = w->r->n_pouch = 0, w->r->bright_mm = 0; /* of a tube that is not taken */
cleanup:
    tube_free(&bounded);
    region_growing_free(&maps);
    return rc;
}

/* Of the gradient magnitude per voxel along the border of a level set (voxels). */
static int typical_gradient(const volume *image, const volume *level, double *typical) {
    const double sigma[3] = {gradient_sigma, gradient_sigma, gradient_sigma};
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
    TRY(level_set_gradient_quantile(&g, level, -0.6, 1.6, 0.6, typical));
cleanup:
    volume_free(&smooth);
    volume_free(&g);
    return rc;
}

/* 0 in a clear image, 1 in a noisy one. */
static double part_of_noise(const level_set_work *w) {
    const double ratio = noise_to_contrast(w) > 0 ? 1 / noise_to_contrast(w) : INFINITY;
    return fmin(1, fmax(0, (clear_ratio - ratio) / (clear_ratio - noisy_ratio)));
}

/* What the image resolves: a voxel, or more where a soft kernel makes noise of neighbouring voxels alike. */
static double resolution_mm(const level_set_work *w) {
    const double *h = w->image->spacing_mm;
    return fmin(h[0], fmin(h[1], h[2])) * fmax(1, w->r->seeds.kernel / usual_kernel);
}

/* The tube's walls lie at the half height of an image that is smoothed: moved back (blur.h), where vessels are wide
 * enough for it. Where they are narrow the middle of the vessel is darker, too, which moves the half height outwards as
 * much. field: in cells. */
static int undo_tube_blur(const level_set_work *w, volume *field) {
    volume moved = {0};
    double variance[3], mean = 0;
    int rc = OK;
    bound_blur(w->image, seeds_point_variance(&w->bright), variance);
    for (int a = 0; a < 3; a++) {
        variance[a] /= w->h * w->h;
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
        const double wide = curved > 0 ? fmin(1, fmax(0, (1 / curved - too_narrow) / (wide_enough - too_narrow))) : 1;
        field->value[i] += (float)(tube_part * wide * shift);
    }
cleanup:
    volume_free(&moved);
    return rc;
}

/* A level set in voxels on cells half as wide. */
static int halve(volume *level) {
    static const int two[3] = {2, 2, 2};
    volume fine = {0};
    int rc = grid_refine(level, two, true, &fine);
    if (rc != OK)
        return rc;
    volume_free(level);
    *level = fine;
    for (size_t i = 0; i < volume_size(level); i++)
        level->value[i] *= 2;
    return OK;
}

int level_set_bound_contour(level_set_work *w, volume *level) {
    int rc = OK;
    volume start = {0}, clip = {0}, field = {0};
    const double h = w->h, seen_mm = resolution_mm(w), per = (w->bright.inside - w->bright.outside);
    double typical = 0, most = INFINITY;
    size_t count = 0;
    if (w->high_given) /* as region_growing_even moves it */
        most = w->bright.outside +
               (w->high - w->tube.node[0].outside) * per / (w->tube.node[0].inside - w->tube.node[0].outside);
    TRY(bound_region(&w->tube, &w->image_work, w->bright.inside, w->bright.outside, noise_to_contrast(w) * per, most,
                     &start, &clip, &field));
    const size_t voxels = volume_size(&start);
#pragma omp parallel for schedule(static) reduction(+ : count)
    for (size_t i = 0; i < voxels; i++)
        count += start.value[i] > 0;
    w->r->start_ml = (double)count * pow(h, 3) / 1000;
    message_debug("start: %.3f mL", w->r->start_ml);
    TRY(mask_distance(&start, (const bool[3]){true, true, true}, 12 * h, level));
    const size_t n = volume_size(level);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++) {
        level->value[i] /= (float)h;
        clip.value[i] /= (float)h;
        field.value[i] /= (float)h;
    }
    TRY(typical_gradient(&w->image_work, level, &typical));
    volume_free(&w->image_work); /* memory that was in use costs less than new */
    volume_free(&start);
    steps_end(&w->r->steps, "start");
    const int before = w->r->parts[0];
    TRY(level_set_work_halve(w, level));
    if (w->r->parts[0] != before) {
        TRY(halve(&clip));
        TRY(halve(&field));
    }
    steps_end(&w->r->steps, "halving");
    TRY(level_set_settle(w, typical / h, level));
    steps_end(&w->r->steps, "edge between the voxels");
    const double noise = part_of_noise(w);
    if (noise > 0)
        TRY(undo_tube_blur(w, &field));
    const bool profiles = w->seen.value != NULL;
    const noise_shares *most_taken = profiles ? &most_shares : &thick_shares;
    TRY(noise_shrinkage_to_tube(
        &field, profiles ? &w->seen : NULL, window_radii * w->r->seeds.narrow_mm / w->h, seen_mm / w->h,
        &(noise_shares){most_taken->rough * noise, most_taken->mean * noise, most_taken->unseen * noise}, level));
    const size_t cells = volume_size(level); /* halved, perhaps */
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < cells; i++)
        level->value[i] = (float)w->h * fmaxf(level->value[i], clip.value[i]);
cleanup:
    volume_free(&start);
    volume_free(&clip);
    volume_free(&field);
    return rc;
}
