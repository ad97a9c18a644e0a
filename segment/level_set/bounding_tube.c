/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/level_set/bounding_tube.h"
#include "common/base/message.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "segment/level_set/level_set_constants.h"
#include "segment/vessel/vessel_paths.h"
#include "segment/vessel/vessel_region.h"
#include "segment/vessel/contrast_layers.h"
#include "segment/vessel/plaque.h"
#include "segment/seeds/seed_noise.h"
#include "segment/tube/tube_signal.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

int bounding_tube_crop(const volume *image, int n_seed, const double (*seed)[3], const level_set_options *o,
                       double room_mm, volume *out) {
    const double room = room_mm > 0 ? room_mm : CROP_MM;
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

void bounding_tube_orient_seeds(front *f) {
    const seeds_statistics *s = &f->report->seeds;
    f->seeds.sign = s->bright ? 1 : -1;
    f->seeds.bright = *s;
    f->seeds.bright.inside *= f->seeds.sign;
    f->seeds.bright.outside *= f->seeds.sign;
    f->seeds.bright.next *= f->seeds.sign;
    f->seeds.bright.middle *= f->seeds.sign;
    f->seeds.bright.inside_range[0] = f->seeds.sign * s->inside_range[s->bright ? 0 : 1];
    f->seeds.bright.inside_range[1] = f->seeds.sign * s->inside_range[s->bright ? 1 : 0];
}

double bounding_tube_noise(const front *f) {
    double contrast = 0;
    for (int i = 0; i < f->extent.tube.n; i++)
        contrast += (f->extent.tube.node[i].inside - f->extent.tube.node[i].outside) / f->extent.tube.n;
    /* with a given threshold, node.outside is no intensity of a tissue */
    if (!f->seeds.follow || f->extent.tube.n == 0)
        contrast = fabs(f->report->seeds.inside - f->report->seeds.next);
    return contrast > 0 ? f->report->seeds.noise / contrast : 0;
}

double bounding_tube_clarity(const front *f) {
    const double noise = bounding_tube_noise(f);
    return noise > 0 ? 1 / (noise * seed_noise_at_wall(f->report->seeds.kernel)) : INFINITY;
}

/* Report the intensity of the nearest tissue, and the threshold half way to it: medians over the tube. */
static int report_threshold(front *f) {
    level_set_options *used = &f->report->used;
    double *low = malloc((size_t)(2 * f->extent.tube.n + 2) * sizeof *low), *next = low + f->extent.tube.n + 1;
    if (low == NULL)
        return fail_memory("the intensities of the tubes", 2 * f->extent.tube.n * (double)sizeof *low);
    for (int i = 0; i < f->extent.tube.n; i++) {
        next[i] = f->extent.tube.node[i].outside;
        low[i] = 0.5 * (next[i] + f->extent.tube.node[i].inside);
    }
    if (f->seeds.follow && f->extent.tube.n > 0) {
        f->report->next_tissue = f->seeds.sign * order_median(next, f->extent.tube.n);
        *(f->seeds.sign > 0 ? &used->threshold_low : &used->threshold_high) =
            f->seeds.sign * order_median(low, f->extent.tube.n);
    }
    f->report->tube_ml = tube_volume_mm3(&f->extent.tube) / 1000;
    free(low);
    return OK;
}

/* Find the tube and the intensity maps of its region. */
static int measure_tube(front *f) {
    const level_set_options *used = &f->report->used;
    const vessel_region_openings openings = {used->n_opening, used->opening_mm, used->opening_normal};
    const double contrast = f->seeds.bright.inside - f->seeds.bright.outside;
    int rc = OK;
    f->report->sides.wanted = used->side_branches;
    TRY(vessel_region_find(&f->cropped, &f->seeds.bright, f->seeds.sign, f->seeds.follow ? NAN : f->seeds.low,
                           f->seeds.n, f->seeds.at_mm, &openings, &f->report->sides, &f->extent.tube));
    TRY(vessel_region_maps(&f->extent.tube, &f->cropped, &f->extent.region.inside, &f->extent.region.outside));
    TRY(report_threshold(f));
    f->extent.region.weakest = 1;
    for (int i = 0; i < f->extent.tube.n; i++)
        f->extent.region.weakest =
            fmin(f->extent.region.weakest, (f->extent.tube.node[i].inside - f->extent.tube.node[i].outside) / contrast);
cleanup:
    return rc;
}

void bounding_tube_free(front_extent *e) {
    tube_free(&e->tube);
    region_growing_free(&e->region);
}

static int measure_tube_again(front *f) {
    bounding_tube_free(&f->extent);
    return measure_tube(f);
}

/* Darken plaque and measure the tube again. Undo the darkening and restore the first tube if a narrow vessel then shows
 * too little wall to be followed. */
static int measure_without_plaque(front *f) {
    const double before = tube_longest_unseen(&f->extent.tube, true, (double[3]){0});
    volume *with = &f->with_plaque;
    size_t bright;
    int rc = OK;
    volume_free(with);
    TRY(volume_copy(with, &f->cropped));
    TRY(plaque_darken(&f->extent.tube, &f->seeds.bright, f->seeds.sign, &f->cropped, &bright));
    if (bright > 0)
        TRY(measure_tube_again(f));
    if (bright > 0 && tube_longest_unseen(&f->extent.tube, true, (double[3]){0}) > fmax(before, BOUNDING_TUBE_UNSEEN)) {
        memcpy(f->cropped.value, with->value, volume_size(with) * sizeof *with->value);
        TRY(measure_tube_again(f));
        bright = 0;
    }
    if (bright == 0)
        volume_free(with);
cleanup:
    return rc;
}

/* Mark where the image shows no vessel. Plaque is not darkened for this: its contrast is no loss of signal. */
static int find_lost(front *f) {
    volume bright = {0};
    int rc = OK;
    TRY(vessel_paths_bright(f->with_plaque.value != NULL ? &f->with_plaque : &f->cropped, f->seeds.sign, INFINITY, NAN,
                            &bright));
    TRY(tube_signal_find_lost(&bright, &f->extent.tube));
cleanup:
    volume_free(&bright);
    return rc;
}

int bounding_tube_measure(front *f) {
    double most = 0, length, place[3] = {NAN, NAN, NAN}, at[3];
    int rc = OK;
    TRY(measure_tube(f));
    for (int round = 0; round < LAYER_ROUNDS && f->seeds.follow && bounding_tube_clarity(f) >= LAYERS_RATIO; round++) {
        TRY(contrast_layers_even(&f->extent.tube, f->seeds.sign, f->seeds.bright.inside, f->seeds.bright.radius_mm,
                                 &f->cropped, &length, at));
        if (length <= 0)
            break;
        if (length > most)
            memcpy(place, at, sizeof place);
        most = fmax(most, length);
        TRY(seeds_measure(&f->cropped, f->seeds.n, f->seeds.at_mm, f->report->used.vessel, NULL, &f->report->seeds));
        bounding_tube_orient_seeds(f);
        TRY(measure_tube_again(f));
    }
    if (f->seeds.follow && f->extent.tube.n > 0) /* n is 0 if all seeds and openings are within one voxel */
        TRY(measure_without_plaque(f));
    TRY(find_lost(f));
    if (most > 0)
        message_warn(
            "blood has two intensities next to each other along %.0f mm near [%.1f, %.1f, %.1f] (LPS): both are "
            "counted as lumen, on the assumption of unmixed contrast agent; if one of them is a clot, set "
            "segment.threshold",
            most, place[0], place[1], place[2]);
cleanup:
    return rc;
}

int bounding_tube_measure_wide(const volume *image, front *f) {
    const level_set_options *used = &f->report->used;
    bool cut = false;
    int rc = OK;
    TRY(bounding_tube_measure(f));
    for (int k = 0; k < f->extent.tube.n_found; k++)
        cut = cut || (f->extent.tube.found[k].cut && f->extent.tube.found[k].round);
    if (!cut || used->crop_mm > 0)
        return OK;
    bounding_tube_free(&f->extent);
    volume_free(&f->cropped);
    TRY(bounding_tube_crop(image, f->seeds.n, f->seeds.at_mm, used, WIDE_CROP_MM, &f->cropped));
    TRY(bounding_tube_measure(f));
cleanup:
    return rc;
}
