/* See working_grid.h. */
#include "segment/level_set/working_grid.h"
#include "common/base/message.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "segment/checks/leak.h"
#include "segment/checks/neck.h"
#include "segment/voxel/mask_distance.h"
#include "segment/voxel/region.h"
#include "segment/voxel/voxel.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double fine_voxels = 16e6;                      /* halved cells may be so many */
static const double most_voxels = 200e6;                     /* and cells never more than these */
static const double small_voxels = 12e6;                     /* and this many from the start */
static const double narrow_voxels = 7;                       /* cells are halved where a vessel's radius is less */
static const double flooded_part = 0.5;                      /* of the image */
static const double flood_voxels = 4e5;                      /* enough to say where a leak is */
static const double much_brighter = 0.7, noise_brighter = 4; /* contrasts, noise: above that it is not the vessel */
static const double darker = 3;                              /* how steeply what is above that becomes dark */
static const double usual_slices = 3.4; /* voxels: in thicker ones it is less: halved cells show no more but noise */
static const double sure_part = 0.6;    /* of a start behind a neck: no front makes less than leak.h's half of it */
static const double sure_narrow = 0.4;  /* radii of the narrowest vessel with a seed: the neck of such a start */
enum { MARGIN = 6, PAD = 3, ROOM = 20 };

void level_set_work_free(level_set_work *w) {
    region_growing_free(&w->reach);
    tube_free(&w->tube);
    region_growing_free(&w->along_maps);
    tube_free(&w->along);
    volume_free(&w->with_plaque);
    volume_free(&w->image_work);
    volume_free(&w->image_plain);
    volume_free(&w->seen);
    free(w->start);
    w->start = NULL;
}

void level_set_work_turn(level_set_work *w) {
    const seeds_statistics *s = &w->r->seeds;
    w->sign = s->bright ? 1 : -1;
    w->bright = *s;
    w->bright.inside *= w->sign;
    w->bright.outside *= w->sign;
    w->bright.next *= w->sign;
    w->bright.middle *= w->sign;
    w->bright.inside_range[0] = w->sign * s->inside_range[s->bright ? 0 : 1];
    w->bright.inside_range[1] = w->sign * s->inside_range[s->bright ? 1 : 0];
}

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

int level_set_work_reach(level_set_work *w, bool follow, double most_ml) {
    int rc = OK;
    int(*start)[3] = NULL;
    TRY(place_seeds(w->image, w->n_seed, w->seed, &start));
    const double voxel_ml = w->image->spacing_mm[0] * w->image->spacing_mm[1] * w->image->spacing_mm[2] / 1000;
    TRY(region_growing_find(w->image, w->sign, &w->bright, w->n_seed, (const int(*)[3])start, follow, w->low, w->high,
                   (int64_t)(1.05 * most_ml / voxel_ml), 1.25 * LEAK_WIDEST * w->bright.radius_mm, &w->reach));
    if (w->reach.count == 0)
        rc = fail(ERR_INPUT, "no seed lies within the thresholds %g to %g; the intensities at the seeds are %g to %g",
                  w->r->used.threshold_low, w->r->used.threshold_high, w->r->seeds.inside_range[0],
                  w->r->seeds.inside_range[1]);
    w->r->flooded = w->reach.stopped || (double)w->reach.count > flooded_part * (double)volume_size(w->image);
cleanup:
    free(start);
    return rc;
}

/* For the user: the nearest tissue and the threshold half way to it, in the middle of all places along the vessel. */
static int note_threshold(level_set_work *w, bool follow) {
    level_set_options *used = &w->r->used;
    double *low = malloc((size_t)(2 * w->tube.n + 2) * sizeof *low), *next = low + w->tube.n + 1;
    if (low == NULL)
        return fail_memory("the tubes", 2 * w->tube.n * (double)sizeof *low);
    for (int i = 0; i < w->tube.n; i++) {
        next[i] = w->tube.node[i].outside;
        low[i] = 0.5 * (next[i] + w->tube.node[i].inside);
    }
    qsort(low, (size_t)w->tube.n, sizeof *low, order_double);
    qsort(next, (size_t)w->tube.n, sizeof *next, order_double);
    if (follow) {
        w->r->next_tissue = w->sign * next[w->tube.n / 2];
        *(w->sign > 0 ? &used->threshold_low : &used->threshold_high) = w->sign * low[w->tube.n / 2];
    }
    w->r->tube_ml = tube_volume_mm3(&w->tube) / 1000;
    free(low);
    return OK;
}

int level_set_work_bound(level_set_work *w, bool follow) {
    const level_set_options *used = &w->r->used;
    const bound_openings openings = {used->n_opening, used->opening_mm, used->opening_normal};
    const double contrast = w->bright.inside - w->bright.outside;
    int rc = OK;
    w->follows = follow;
    w->r->sides.wanted = used->side_branches;
    TRY(bound_find(w->image, &w->bright, w->sign, follow ? NAN : w->low, w->n_seed, w->seed, &openings, &w->r->sides,
                   &w->tube));
    TRY(bound_maps(&w->tube, w->image, &w->reach.inside, &w->reach.outside));
    TRY(note_threshold(w, follow));
    w->reach.weakest = 1;
    for (int i = 0; i < w->tube.n; i++)
        w->reach.weakest = fmin(w->reach.weakest, (w->tube.node[i].inside - w->tube.node[i].outside) / contrast);
cleanup:
    return rc;
}

/* The box of that and of the seeds, with room, PAD voxels beyond the image where it reaches the border. */
static int find_box(level_set_work *w) {
    int rc = OK;
    int(*start)[3] = NULL;
    grid_box *box = &w->box;
    TRY(place_seeds(w->image, w->n_seed, w->seed, &start));
    if (w->tube.n > 0)
        bound_box(&w->tube, w->image, box);
    else
        region_box(w->image, w->reach.mask, box);
    for (int k = 0; k < w->n_seed; k++)
        for (int a = 0; a < 3; a++) {
            box->low[a] = start[k][a] < box->low[a] ? start[k][a] : box->low[a];
            box->high[a] = start[k][a] > box->high[a] ? start[k][a] : box->high[a];
        }
    grid_box_grow(box, (int[3]){MARGIN + w->more[0], MARGIN + w->more[1], MARGIN + w->more[2]}, w->image);
    grid_box_grow(box, (int[3]){PAD, PAD, PAD}, NULL);
cleanup:
    free(start);
    return rc;
}

/* Voxels of the box together in blocks, so that no more than flood_voxels are left: the share that is set. */
static int mask_blocks(const volume *v, const uint8_t *mask, const grid_box *box, volume *out) {
    double origin[3], corner[3], spacing[3], volume_mm3 = 1;
    int block[3], dims[3], rc = OK;
    for (int a = 0; a < 3; a++)
        volume_mm3 *= v->spacing_mm[a] * (box->high[a] - box->low[a] + 1);
    for (int a = 0; a < 3; a++) {
        block[a] = (int)fmax(1, round(cbrt(volume_mm3 / flood_voxels) / v->spacing_mm[a]));
        dims[a] = (box->high[a] - box->low[a]) / block[a] + 1;
        spacing[a] = v->spacing_mm[a] * block[a];
        corner[a] = box->low[a] + 0.5 * (block[a] - 1);
    }
    volume_to_lps(v, corner, origin);
    TRY(volume_create(out, dims, spacing, origin, v->direction));
    const float share = 1.0F / (float)(block[0] * block[1] * block[2]);
    for (int k = box->low[2]; k <= box->high[2]; k++)
        for (int j = box->low[1]; j <= box->high[1]; j++)
            for (int i = box->low[0]; i <= box->high[0]; i++)
                if (mask[volume_index(v, i, j, k)])
                    out->value[volume_index(out, (i - box->low[0]) / block[0], (j - box->low[1]) / block[1],
                                            (k - box->low[2]) / block[2])] += share;
cleanup:
    return rc;
}

int level_set_work_flood(const volume *geometry, const uint8_t *reached, volume *level) {
    grid_box box = {{0}, {0}};
    volume mask = {0};
    int rc = OK;
    region_box(geometry, reached, &box);
    grid_box_grow(&box, (int[3]){PAD, PAD, PAD}, geometry);
    TRY(mask_blocks(geometry, reached, &box, &mask));
    TRY(mask_distance(&mask, (const bool[3]){true, true, true}, 12 * mask.spacing_mm[0], level));
cleanup:
    volume_free(&mask);
    return rc;
}

/* A start (1 there) or, grown, a level set, on coarse voxels. */
static int coarsen(const volume *from, bool grown, volume *out) {
    const size_t n = volume_size(from);
    uint8_t *mask = malloc(n);
    int rc = OK;
    if (mask == NULL)
        return fail_memory("a leak", (double)n);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++)
        mask[i] = grown ? from->value[i] < 0 : from->value[i] > 0;
    TRY(level_set_work_flood(from, mask, out));
cleanup:
    free(mask);
    return rc;
}

int level_set_work_flood_front(const volume *start, volume *level) {
    const bool grown = level->value != NULL;
    volume out = {0};
    int rc = OK;
    TRY(coarsen(grown ? level : start, grown, &out));
    volume_free(level);
    *level = out;
cleanup:
    return rc;
}

int level_set_work_neck(level_set_work *w, const volume *front, bool grown) {
    neck found;
    volume coarse = {0};
    int rc = OK;
    if (w->along.n > 0) /* the tube along the seeds may take the front's place */
        return OK;
    TRY(coarsen(front, grown, &coarse));
    TRY(neck_find(&coarse, w->n_seed, w->seed, &found));
    w->r->flooded = found.part > sure_part && found.radius_mm < sure_narrow * w->r->seeds.narrow_mm;
    message_debug("front: %.0f %% behind a neck of %.2g mm", 100 * found.part, found.radius_mm);
cleanup:
    volume_free(&coarse);
    return rc;
}

static double count_refined(const volume *v, const int parts[3]) {
    return (double)volume_size(v) * parts[0] * parts[1] * parts[2];
}

/* Cubes as wide as the thinnest axis, or half of it where a vessel is narrow and the box is small. */
static int choose_parts(level_set_work *w, const volume *small) {
    int *parts = w->r->parts;
    double least = voxel_thinnest_mm(w->image);
    const double *mm = w->image->spacing_mm, slices = fmax(mm[0], fmax(mm[1], mm[2])) / least;
    bool narrow = w->r->seeds.narrow_mm < narrow_voxels * fmin(1, usual_slices / slices) * least;
    grid_parts(small, least / 2, parts);
    w->can_halve = narrow && count_refined(small, parts) > small_voxels;
    if (!narrow || w->can_halve)
        grid_parts(small, least, parts);
    if (count_refined(small, parts) > most_voxels)
        parts[0] = parts[1] = parts[2] = 1;
    if (count_refined(small, parts) > most_voxels)
        return fail(ERR_RESOURCE,
                    "the region of the seeds has %.0f million voxels, at most %.0f are possible; crop the image",
                    count_refined(small, parts) * 1e-6, most_voxels * 1e-6);
    return OK;
}

/* What is far brighter than the vessel (calcified plaque, a stent, metal, bone) becomes as dark as the tissue round it,
 * so that its edge is one like any other. */
static void darken_bright(level_set_work *w) {
    const seeds_statistics *s = &w->bright;
    const double contrast = s->inside - s->outside;
    const float cap = (float)(s->inside + fmax(much_brighter * contrast, noise_brighter * s->noise));
    const size_t n = volume_size(&w->image_work);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++) {
        float *x = &w->image_work.value[i];
        if (*x > cap)
            *x = fmaxf((float)s->outside, cap - (float)darker * (*x - cap));
    }
}

int level_set_work_make(level_set_work *w) {
    int rc = OK;
    volume small = {0};
    volume_free(&w->image_work);
    volume_free(&w->image_plain);
    free(w->start);
    w->start = NULL;
    TRY(find_box(w));
    TRY(grid_crop(w->image, &w->box, NAN, &small));
    TRY(choose_parts(w, &small));
    TRY(grid_refine(&small, w->r->parts, true, &w->image_work));
    w->h = cbrt(w->image_work.spacing_mm[0] * w->image_work.spacing_mm[1] * w->image_work.spacing_mm[2]);
    TRY(place_seeds(&w->image_work, w->n_seed, w->seed, &w->start));
    scale_values(&w->image_work, w->sign);
    region_growing_even(&w->reach, &w->bright, &w->image_work);
    if (w->tube.n > 0 && w->follows)
        darken_bright(w);
    TRY(volume_copy(&w->image_plain, &w->image_work));
cleanup:
    volume_free(&small);
    return rc;
}

/* The two voxels of the image between which cell i of the working grid lies along an axis, how far from the first. */
static double between(const level_set_work *w, int axis, int i, int at[2]) {
    const double x = w->box.low[axis] + (i + 0.5) / w->r->parts[axis] - 0.5, low = floor(x);
    const int last = w->image->dims[axis] - 1;
    at[0] = (int)fmin(last, fmax(0, low));
    at[1] = (int)fmin(last, fmax(0, low + 1));
    return x - low;
}

/* One row of cells: linear between the four rows of voxels beside it, whose weights are given. */
static void reached_row(const level_set_work *w, const uint8_t *const row[4], const double weight[4], int n,
                        float *out) {
    for (int i = 0; i < n; i++) {
        int at[2];
        double sum = 0;
        const double x = between(w, 0, i, at);
        for (int r = 0; r < 4; r++)
            sum += weight[r] * ((1 - x) * row[r][at[0]] + x * row[r][at[1]]);
        out[i] = (float)sum;
    }
}

int level_set_work_reached(const level_set_work *w, volume *out) {
    const int rc = volume_create_like(out, &w->image_work), rows = rc == OK ? out->dims[1] * out->dims[2] : 0;
    const size_t length = (size_t)w->image->dims[0];
#pragma omp parallel for schedule(static)
    for (int r = 0; r < rows; r++) {
        int y[2], z[2];
        const int j = r % out->dims[1], k = r / out->dims[1];
        const double v = between(w, 1, j, y), u = between(w, 2, k, z);
        const uint8_t *row[4];
        for (int n = 0; n < 4; n++)
            row[n] = w->reach.mask + volume_index(w->image, 0, y[n % 2], z[n / 2]);
        bool any = false;
        for (int n = 0; n < 4 && !any; n++)
            any = memchr(row[n], 1, length) != NULL;
        if (any)
            reached_row(w, row, (const double[4]){(1 - u) * (1 - v), (1 - u) * v, u * (1 - v), u * v}, out->dims[0],
                        out->value + volume_index(out, 0, j, k));
    }
    return rc;
}

int level_set_work_halve(level_set_work *w, volume *level) {
    static const int two[3] = {2, 2, 2};
    volume image = {0}, halved = {0};
    int rc = OK;
    if (!w->can_halve || count_refined(level, two) > fine_voxels)
        return OK;
    TRY(grid_refine(&w->image_plain, two, true, &image));
    TRY(grid_refine(level, two, true, &halved));
    for (size_t i = 0; i < volume_size(&halved); i++)
        halved.value[i] *= 2;
    volume_free(&w->image_plain);
    volume_free(level);
    w->image_plain = image;
    *level = halved;
    memset(&image, 0, sizeof image);
    memset(&halved, 0, sizeof halved);
    w->h /= 2;
    for (int a = 0; a < 3; a++)
        w->r->parts[a] *= 2;
    free(w->start);
    w->start = NULL;
    TRY(place_seeds(&w->image_plain, w->n_seed, w->seed, &w->start));
cleanup:
    volume_free(&image);
    volume_free(&halved);
    return rc;
}

int level_set_work_crop(const level_set_work *w, volume *level) {
    volume whole = *level;
    grid_box box;
    for (int a = 0; a < 3; a++) {
        box.low[a] = PAD * w->r->parts[a];
        box.high[a] = whole.dims[a] - 1 - PAD * w->r->parts[a];
    }
    memset(level, 0, sizeof *level);
    int rc = grid_crop(&whole, &box, 0, level);
    volume_free(&whole);
    return rc;
}

bool level_set_work_needs_room(level_set_work *w, const volume *level) {
    bool needs = false;
    for (int k = 0; k < level->dims[2]; k++)
        for (int j = 0; j < level->dims[1]; j++)
            for (int i = 0; i < level->dims[0]; i++) {
                const int at[3] = {i, j, k};
                if (level->value[volume_index(level, i, j, k)] > 0)
                    continue;
                for (int a = 0; a < 3; a++) {
                    bool low = at[a] <= w->r->parts[a] && w->box.low[a] > -PAD;
                    bool high =
                        at[a] >= level->dims[a] - 1 - w->r->parts[a] && w->box.high[a] < w->image->dims[a] - 1 + PAD;
                    if (low || high) {
                        w->more[a] += needs ? 0 : ROOM;
                        needs = true;
                    }
                }
            }
    return needs;
}
