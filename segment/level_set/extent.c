/* See extent.h. */
#include "segment/level_set/extent.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "segment/level_set/bounding_tube.h"
#include "segment/level_set/tube_warnings.h"
#include "segment/voxel/mask_distance.h"
#include <math.h>
#include <string.h>

static const double along_crop_mm = 80;
static const double most_unseen = 1.5; /* radii along which no wall may be seen */
/* More than this length of a tube as wide as the vessel is taken for a leak, but no less than a tree holds whose seed
 * lies in a narrow branch: the portal vein and its tributaries, the arteries of a head. */
static const double most_length_mm = 3000, least_most_ml = 60;
static const double most_widening = 1.4; /* of the widest of that tube, as where a vessel is followed on (tube.c) */

double level_set_along_most_ml(const seeds_statistics *s) {
    return fmax(least_most_ml, most_length_mm * M_PI * s->radius_mm * s->radius_mm / 1000);
}

/* The tube along the seeds alone and on beyond them, in the image round them; n 0: hardly any wall is seen. */
static int measure_along(level_set_work *w, volume *cropped) {
    const level_set_options room = {.crop_mm = along_crop_mm};
    const volume *whole = w->image;
    double place[3];
    int rc = OK;
    TRY(level_set_bound_crop(whole, w->n_seed, w->seed, &room, cropped));
    w->image = cropped;
    TRY(level_set_bound_measure(w, true, cropped));
    if (w->tube.n == 0 || tube_unseen(&w->tube, place) >= most_unseen) {
        tube_free(&w->tube);
        region_growing_free(&w->reach);
    }
cleanup:
    w->image = whole;
    return rc;
}

/* The tube along the seeds takes the front's place. */
static void bounded_along(level_set_work *w, const volume *cropped) {
    message_warn_serious(
        "a front from the seeds leaves the vessel (vessel %.4g, next tissue %.4g, noise %.3g): the lumen "
        "is bounded to the vessel along the seeds, side branches apart; give its ends as openings",
        w->r->seeds.inside, w->r->next_tissue, w->r->seeds.noise);
    w->image = cropped;
    level_set_look(w);
    w->r->flooded = false;
}

int level_set_along(level_set_work *w, bool follow, volume *cropped) {
    const bool noisy = level_set_bound_noisy(w);
    double most_ml = w->r->used.max_volume_ml;
    tube along = {0};
    grown_region maps = {0};
    int rc = OK;
    if (follow && noisy) { /* measured first: a front that leaves the vessel is ended early */
        TRY(measure_along(w, cropped));
        along = w->tube, maps = w->reach;
        memset(&w->tube, 0, sizeof w->tube);
        memset(&w->reach, 0, sizeof w->reach);
        most_ml = along.n > 0 ? fmin(most_ml, LEVEL_SET_FREE * tube_volume_mm3(&along) / 1000) : most_ml;
    }
    TRY(level_set_work_reach(w, follow, most_ml));
    if (follow && !noisy && w->r->flooded) {
        maps = w->reach; /* what flooded, should there be no tube */
        memset(&w->reach, 0, sizeof w->reach);
        TRY(measure_along(w, cropped));
    } else if (w->r->flooded && along.n > 0) {
        region_growing_free(&w->reach);
        w->tube = along, w->reach = maps;
        memset(&along, 0, sizeof along);
        memset(&maps, 0, sizeof maps);
    }
    if (follow && w->r->flooded && w->tube.n == 0 && !noisy) {
        w->reach = maps;
        memset(&maps, 0, sizeof maps);
    }
    if (w->tube.n > 0) {
        bounded_along(w, cropped);
    } else if (along.n > 0) { /* for level_set_along_instead() */
        w->along = along, w->along_maps = maps;
        memset(&along, 0, sizeof along);
        memset(&maps, 0, sizeof maps);
    }
cleanup:
    tube_free(&along);
    region_growing_free(&maps);
    return rc;
}

/* The lumen is wider than any of the tube along the seeds, or far larger than all of it. */
static int outgrows(const level_set_work *w, const volume *level, bool *is) {
    const double cell_ml = level->spacing_mm[0] * level->spacing_mm[1] * level->spacing_mm[2] / 1000;
    const size_t n = volume_size(level);
    double widest = 0, most;
    size_t count = 0, deep = 0;
    volume mask = {0}, depth = {0};
    int rc = OK;
    for (int i = 0; i < w->along.n; i++)
        widest = fmax(widest, w->along.node[i].radius_mm);
    most = most_widening * widest;
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
    *is = deep > 0 || (double)count * cell_ml > LEVEL_SET_FREE * tube_volume_mm3(&w->along) / 1000;
cleanup:
    volume_free(&mask);
    volume_free(&depth);
    return rc;
}

int level_set_along_instead(level_set_work *w, const volume *level, const volume *cropped, bool *instead) {
    int rc = OK;
    *instead = false;
    if (w->along.n == 0)
        return OK;
    TRY(outgrows(w, level, instead));
    if (!*instead)
        return OK;
    region_growing_free(&w->reach);
    w->tube = w->along, w->reach = w->along_maps;
    memset(&w->along, 0, sizeof w->along);
    memset(&w->along_maps, 0, sizeof w->along_maps);
    memset(w->more, 0, sizeof w->more);
    w->reach.weakest = 1;
    bounded_along(w, cropped);
cleanup:
    return rc;
}
