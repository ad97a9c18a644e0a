/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/level_set/region_growing.h"
#include "common/base/message.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "segment/level_set/level_set_constants.h"
#include "segment/voxel/grid.h"
#include "segment/voxel/mask_distance.h"
#include "segment/voxel/region.h"
#include "segment/voxel/voxel.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    double inside, outside; /* intensities at the seeds: inside and outside the vessel */
    double width_mm;        /* standard deviation of the Gaussian that averages intensities */
} region_scale;

void region_growing_free(grown_region *r) {
    free(r->mask);
    volume_free(&r->inside);
    volume_free(&r->outside);
    memset(r, 0, sizeof *r);
}

/* Local intensity of vessel and surroundings, with a lower limit on their contrast. */
static void levels_at(const grown_region *r, const region_scale *s, const double lps[3], double *inside,
                      double *outside) {
    double least = LEAST_CONTRAST * (s->inside - s->outside);
    *outside = volume_sample(&r->outside, lps);
    *inside = fmax(volume_sample(&r->inside, lps), *outside + least);
}

/* ------------------------------------------------------------------------------------- growing by voxels */

static bool may_enter(const volume *v, const grown_region *r, const region_scale *s, size_t voxel) {
    double x = (double)v->value[voxel], p[3], in, out;
    int at[3];
    voxel_split(v, voxel, at);
    volume_to_lps(v, (const double[3]){at[0], at[1], at[2]}, p);
    levels_at(r, s, p, &in, &out);
    return x >= out + REGION_ENTER * (in - out) && x <= in + REGION_BEYOND * (in - out);
}

/* Grows the mask through neighbouring voxels that may_enter accepts. */
static int flood_from_mask(const volume *v, const region_scale *s, int64_t most, grown_region *r) {
    voxel_list open = {0};
    int rc = OK;
    for (size_t i = 0; i < volume_size(v) && rc == OK; i++)
        if (r->mask[i])
            rc = voxel_list_push(&open, i);
    while (open.n > 0 && rc == OK && r->count <= most) {
        size_t beside[6];
        const int n = voxel_face_neighbours(v, open.voxel[--open.n], beside);
        for (int k = 0; k < n && rc == OK; k++) {
            if (r->mask[beside[k]] || !may_enter(v, r, s, beside[k]))
                continue;
            r->mask[beside[k]] = 1;
            r->count++;
            rc = voxel_list_push(&open, beside[k]);
        }
    }
    free(open.voxel);
    return rc;
}

/* ------------------------------------------------------------------------------------- maps of local intensity */

/* Coarse grid over the box: blocks of about half the width of the means. */
static int create_map(const volume *box, double width_mm, int block[3], volume *out) {
    int dims[3];
    double spacing[3], origin[3], index[3];
    for (int a = 0; a < 3; a++) {
        block[a] = (int)fmax(1, floor(0.5 * width_mm / box->spacing_mm[a]));
        dims[a] = (box->dims[a] + block[a] - 1) / block[a];
        spacing[a] = box->spacing_mm[a] * block[a];
        index[a] = 0.5 * (block[a] - 1);
    }
    volume_to_lps(box, index, origin);
    return volume_create(out, dims, spacing, origin, box->direction);
}

/* Computes value <- (G value + w s) / (G weight + w). G: Gaussian filter; s: value at the seeds; w = SEED_WEIGHT. */
static int mean_map(volume *value, volume *weight, double width_mm, double at_seeds) {
    double sigma[3];
    for (int a = 0; a < 3; a++)
        sigma[a] = width_mm / value->spacing_mm[a];
    int rc = grid_smooth(value, sigma);
    if (rc == OK)
        rc = grid_smooth(weight, sigma);
    for (size_t i = 0; i < volume_size(value) && rc == OK; i++)
        value->value[i] =
            (float)(((double)value->value[i] + SEED_WEIGHT * at_seeds) / ((double)weight->value[i] + SEED_WEIGHT));
    return rc;
}

/* Add the intensities of the vessel (distance < 0) and of the shell around it to the coarse maps. */
static void gather_means(const volume *box, const volume *distance, double shell_mm, const int block[3], volume *in,
                         volume *in_weight, volume *out, volume *out_weight, double most_outside) {
    double thin = volume_thinnest_mm(box);
    float share = 1.0F / (float)(block[0] * block[1] * block[2]);
    for (int k = 0; k < box->dims[2]; k++)
        for (int j = 0; j < box->dims[1]; j++)
            for (int i = 0; i < box->dims[0]; i++) {
                size_t at = volume_index(box, i, j, k);
                double d = (double)distance->value[at];
                float x = box->value[at];
                size_t to = volume_index(in, i / block[0], j / block[1], k / block[2]);
                if (d < 0) {
                    in->value[to] += x * share;
                    in_weight->value[to] += share;
                } else if (d > 1.2 * thin && d < shell_mm && (double)x < most_outside) {
                    out->value[to] += x * share;
                    out_weight->value[to] += share;
                }
            }
}

/* Crop v and the mask to the vessel with a margin of 3 width_mm. */
static int crop_to_region(const volume *v, const grown_region *r, double width_mm, volume *box, volume *mask) {
    grid_box b = {{0}, {0}};
    int grow[3], rc = OK;
    region_bounding_box(v, r->mask, &b);
    for (int a = 0; a < 3; a++)
        grow[a] = (int)ceil(3 * width_mm / v->spacing_mm[a]);
    grid_box_grow(&b, grow, v);
    TRY(grid_crop(v, &b, 0, box));
    TRY(volume_create_like(mask, box));
    for (int k = 0; k < box->dims[2]; k++)
        for (int j = 0; j < box->dims[1]; j++)
            for (int i = 0; i < box->dims[0]; i++)
                mask->value[volume_index(mask, i, j, k)] =
                    r->mask[volume_index(v, i + b.low[0], j + b.low[1], k + b.low[2])];
cleanup:
    return rc;
}

static int compute_maps(const volume *v, const region_scale *s, double shell_mm, double widest_mm, grown_region *r) {
    int rc = OK, block[3];
    volume box = {0}, mask = {0}, distance = {0}, in = {0}, in_weight = {0}, out = {0}, out_weight = {0};
    TRY(crop_to_region(v, r, s->width_mm, &box, &mask));
    TRY(mask_distance(&mask, (const bool[3]){true, true, true}, fmax(2 * shell_mm, 1.1 * widest_mm), &distance));
    for (size_t i = 0; i < volume_size(&distance); i++)
        r->stopped = r->stopped || (double)distance.value[i] < -widest_mm;
    if (r->stopped)
        goto cleanup;
    TRY(create_map(&box, s->width_mm, block, &in));
    TRY(volume_create_like(&in_weight, &in));
    TRY(volume_create_like(&out, &in));
    TRY(volume_create_like(&out_weight, &in));
    gather_means(&box, &distance, shell_mm, block, &in, &in_weight, &out, &out_weight, 0.5 * (s->inside + s->outside));
    TRY(mean_map(&in, &in_weight, s->width_mm, s->inside));
    TRY(mean_map(&out, &out_weight, s->width_mm, s->outside));
    volume_free(&r->inside);
    volume_free(&r->outside);
    r->inside = in;
    r->outside = out;
    memset(&in, 0, sizeof in);
    memset(&out, 0, sizeof out);
cleanup:
    volume_free(&box);
    volume_free(&mask);
    volume_free(&distance);
    volume_free(&in);
    volume_free(&in_weight);
    volume_free(&out);
    volume_free(&out_weight);
    return rc;
}

/* ------------------------------------------------------------------------------------- rounds in one box */

static region_scale region_scale_of(const volume *v, const seeds_statistics *seeds) {
    double thin = volume_thinnest_mm(v);
    return (region_scale){seeds->inside, seeds->outside, fmax(MEAN_RADII * seeds->radius_mm, MEAN_VOXELS * thin)};
}

static int find_weakest(const volume *v, const region_scale *s, grown_region *r) {
    size_t n = 0;
    float *ratio = malloc(((size_t)r->count + 1) * sizeof *ratio);
    if (ratio == NULL)
        return fail_memory("the region of the seeds", (double)r->count * sizeof *ratio);
    for (int k = 0; k < v->dims[2]; k++)
        for (int j = 0; j < v->dims[1]; j++)
            for (int i = 0; i < v->dims[0]; i++) {
                double p[3], in, out;
                if (!r->mask[volume_index(v, i, j, k)] || n >= (size_t)r->count)
                    continue;
                volume_to_lps(v, (const double[3]){i, j, k}, p);
                levels_at(r, s, p, &in, &out);
                ratio[n++] = (float)((in - out) / (s->inside - s->outside));
            }
    qsort(ratio, n, sizeof *ratio, order_float);
    r->weakest = n > 0 ? fmin(1, (double)ratio[n / 10]) : 1;
    free(ratio);
    return OK;
}

static int grow_in_part(const volume *v, const seeds_statistics *seeds, int n, const int (*start)[3], bool follow,
                        double low, double high, int64_t most, double widest_mm, grown_region *out) {
    int rc = OK;
    region_scale s = region_scale_of(v, seeds);
    double thin = volume_thinnest_mm(v);
    double shell_mm = fmax(seeds->radius_mm, 4 * thin);
    *out = (grown_region){.mask = malloc(volume_size(v)), .weakest = 1};
    if (out->mask == NULL)
        return fail_memory("the region of the seeds", (double)volume_size(v));
    TRY(region_grow(v, low, high, n, start, out->mask, &out->count));
    int64_t before = 0;
    out->stopped = out->count > most;
    while (follow && out->count > 0 && !out->stopped && (double)out->count > REGION_GROWTH * (double)before &&
           out->rounds < REGION_ROUNDS && 2 * (size_t)out->count < volume_size(v)) {
        before = out->count;
        TRY(compute_maps(v, &s, shell_mm, widest_mm, out));
        if (out->stopped)
            break;
        TRY(flood_from_mask(v, &s, most, out));
        out->rounds++;
        out->stopped = out->count > most;
        message_debug("following the vessel: round %d, %lld voxels", out->rounds, (long long)out->count);
    }
    if (out->inside.value != NULL && !out->stopped)
        TRY(find_weakest(v, &s, out));
cleanup:
    return rc;
}

/* ------------------------------------------------------------------------------------ search box */

/* Margin around the region that the intensity maps need. */
static double map_margin_mm(const volume *image, const seeds_statistics *seeds) {
    return 3 * region_scale_of(image, seeds).width_mm;
}

static double count_box(const grid_box *b) {
    return (double)(b->high[0] - b->low[0] + 1) * (b->high[1] - b->low[1] + 1) * (b->high[2] - b->low[2] + 1);
}

/* Moves a side of the box outwards, within the image, if the region comes close to the side. Returns false if no side
 * was moved. */
static bool widen_box(const volume *image, const volume *part, const grown_region *r, double room, grid_box *box) {
    grid_box reached = {{0}, {0}};
    bool more = false;
    if (r->stopped || !region_bounding_box(part, r->mask, &reached))
        return false;
    const bool full = 2 * (size_t)r->count >= volume_size(part);
    for (int a = 0; a < 3; a++) {
        const int near = (int)ceil(room / image->spacing_mm[a]) + 1, by = part->dims[a] / 2 + near;
        const int last = image->dims[a] - 1;
        if (box->low[a] > 0 && (full || reached.low[a] < near)) {
            box->low[a] = box->low[a] > by ? box->low[a] - by : 0;
            more = true;
        }
        if (box->high[a] < last && (full || reached.high[a] >= part->dims[a] - near)) {
            box->high[a] = last - box->high[a] > by ? box->high[a] + by : last;
            more = true;
        }
    }
    return more;
}

/* Extend the mask from a part of the image to the whole image. */
static int extend_mask(const volume *image, const volume *part, const grid_box *box, grown_region *r) {
    uint8_t *mask = calloc(volume_size(image), 1);
    if (mask == NULL)
        return fail_memory("the region of the seeds", (double)volume_size(image));
#pragma omp parallel for schedule(static)
    for (int k = 0; k < part->dims[2]; k++)
        for (int j = 0; j < part->dims[1]; j++)
            memcpy(mask + volume_index(image, box->low[0], box->low[1] + j, box->low[2] + k),
                   r->mask + volume_index(part, 0, j, k), (size_t)part->dims[0]);
    free(r->mask);
    r->mask = mask;
    return OK;
}

/* Box around the seeds. If the box is not much smaller than the image: the whole image. */
static void first_box(const volume *image, int n, const int (*start)[3], double room, grid_box *box) {
    int grow[3];
    for (int a = 0; a < 3; a++) {
        box->low[a] = image->dims[a] - 1, box->high[a] = 0;
        for (int k = 0; k < n; k++) {
            box->low[a] = start[k][a] < box->low[a] ? start[k][a] : box->low[a];
            box->high[a] = start[k][a] > box->high[a] ? start[k][a] : box->high[a];
        }
        grow[a] = (int)ceil(2 * room / image->spacing_mm[a]);
    }
    grid_box_grow(box, grow, image);
    if (count_box(box) > WHOLE_PART * (double)volume_size(image))
        for (int a = 0; a < 3; a++)
            box->low[a] = 0, box->high[a] = image->dims[a] - 1;
}

int region_growing_find(const volume *image, double sign, const seeds_statistics *seeds, int n, const int (*start)[3],
                        bool follow, double low, double high, int64_t most, double widest_mm, grown_region *out) {
    const double sigma[3] = {REGION_SIGMA, REGION_SIGMA, REGION_SIGMA}, room = map_margin_mm(image, seeds);
    int rc = OK, (*at)[3] = malloc((size_t)n * sizeof *at);
    volume part = {0};
    grid_box box;
    if (at == NULL)
        return fail_memory("the seeds", n * (double)sizeof *at);
    *out = (grown_region){0};
    first_box(image, n, start, room, &box);
    do {
        region_growing_free(out);
        volume_free(&part);
        TRY(grid_crop(image, &box, NAN, &part));
        TRY(grid_smooth(&part, sigma));
        for (size_t i = 0; i < volume_size(&part); i++)
            part.value[i] *= (float)sign;
        for (int k = 0; k < n; k++)
            for (int a = 0; a < 3; a++)
                at[k][a] = start[k][a] - box.low[a];
        TRY(grow_in_part(&part, seeds, n, (const int(*)[3])at, follow, low, high, most, widest_mm, out));
    } while (widen_box(image, &part, out, follow ? room : 0, &box));
    TRY(extend_mask(image, &part, &box, out));
cleanup:
    if (rc != OK)
        region_growing_free(out);
    volume_free(&part);
    free(at);
    return rc;
}

void region_growing_even(const grown_region *r, const seeds_statistics *seeds, volume *v) {
    region_scale s = region_scale_of(v, seeds);
    if (r->inside.value == NULL)
        return;
#pragma omp parallel for schedule(static)
    for (int k = 0; k < v->dims[2]; k++)
        for (int j = 0; j < v->dims[1]; j++)
            for (int i = 0; i < v->dims[0]; i++) {
                float *x = &v->value[volume_index(v, i, j, k)];
                double p[3], in, out;
                volume_to_lps(v, (const double[3]){i, j, k}, p);
                levels_at(r, &s, p, &in, &out);
                *x = (float)(s.outside + ((double)*x - out) * (s.inside - s.outside) / (in - out));
            }
}
