/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/checks/image_fill.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "segment/voxel/mask_distance.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_EDGES = 100, MOST_EDGES = 200000, BINS = 512, CLASSES = 3 };
static const double LEAST_PART = 0.01; /* A fill covers at least this fraction of the image */
static const double FLAT_PART = 0.1;   /* Outside the fill, at most this fraction of the voxels has six equal
                                        * neighbours */
/* A class of values is a fill only if at least this fraction of its voxels is connected with the border of the image */
static const double BORDER_PART = 0.9;
static const double SHARP = 0.8; /* The edge of a fill is sharp if the median of (step to the first voxel) / (step to
                                  * the third voxel) exceeds this */
/* Another tissue lies between vessel and fill if the intensity of the vessel differs from the edge of the fill by more
 * than this many standard deviations */
static const double OTHER_TISSUE = 4;
/* A fill of one value may have a blurred edge, because the image was interpolated: BLURRED_LAYERS layers of voxels are
 * then added to the fill. Of the first voxels outside them, at most VESSEL_PART may have the intensity of the vessel:
 * otherwise the fill is air or lung around vessels. */
enum { BLURRED_LAYERS = 2 };
static const double VESSEL_PART = 0.02;
static const double SPREAD_PART = 0.15; /* Largest standard deviation of the fill, as a fraction of the step at its
                                         * edge */

static const int side[6][3] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}};

/* Index of the voxel `steps` voxels from p in a direction; -1: outside the image. */
static int64_t voxel_beyond(const volume *v, const int p[3], int direction, int steps) {
    int q[3];
    for (int a = 0; a < 3; a++) {
        q[a] = p[a] + steps * side[direction][a];
        if (q[a] < 0 || q[a] >= v->dims[a])
            return -1;
    }
    return (int64_t)volume_index(v, q[0], q[1], q[2]);
}

static void voxel_position(const volume *v, int64_t index, int p[3]) {
    p[0] = (int)(index % v->dims[0]);
    p[1] = (int)(index / v->dims[0] % v->dims[1]);
    p[2] = (int)(index / v->dims[0] / v->dims[1]);
}

/* True if all neighbours of a voxel inside the image have its value. */
static bool is_flat(const volume *v, int64_t index) {
    int p[3];
    voxel_position(v, index, p);
    for (int d = 0; d < 6; d++) {
        const int64_t other = voxel_beyond(v, p, d, 1);
        if (other >= 0 && v->value[other] != v->value[index])
            return false;
    }
    return true;
}

/* Finds the value that most flat voxels have (is_flat). *flat: number of flat voxels; *count: number of flat voxels
 * with this value. */
static int commonest_flat_value(const volume *v, float *value, int64_t *flat, int64_t *count) {
    const int64_t n = (int64_t)volume_size(v);
    float *all = malloc((size_t)(n + 1) * sizeof *all);
    *flat = *count = 0;
    if (!all)
        return fail_memory("the equal voxels of the image", 4.0 * (double)n);
    for (int64_t k = 0; k < n; k++) {
        /* most voxels differ from both neighbours in memory; at least one of them is a neighbour in the image */
        const bool differs =
            v->dims[0] > 1 && k > 0 && k + 1 < n && v->value[k - 1] != v->value[k] && v->value[k + 1] != v->value[k];
        if (!differs && is_flat(v, k))
            all[(*flat)++] = v->value[k];
    }
    qsort(all, (size_t)*flat, sizeof *all, order_float);
    for (int64_t begin = 0, end; begin < *flat; begin = end) {
        for (end = begin + 1; end < *flat && all[end] == all[begin]; end++)
            ;
        if (end - begin > *count) {
            *count = end - begin;
            *value = all[begin];
        }
    }
    free(all);
    return OK;
}

/* Marks the voxels with values in [low, high] that are connected, through such voxels, with the border of the image.
 * *all: number of voxels with these values. Returns the number of marked voxels, -1 without memory. */
static int64_t mark_from_border(const volume *v, double low, double high, uint8_t *fill, int64_t *all) {
    const int64_t n = (int64_t)volume_size(v);
    int64_t *queue = malloc((size_t)(n + 1) * sizeof *queue), begin = 0, end = 0;
    if (!queue)
        return -1;
    *all = 0;
    for (int64_t k = 0; k < n; k++) {
        int p[3];
        fill[k] = 0;
        if (!((double)v->value[k] >= low && (double)v->value[k] <= high))
            continue;
        ++*all;
        voxel_position(v, k, p);
        for (int d = 0; d < 6 && !fill[k]; d++)
            if (voxel_beyond(v, p, d, 1) < 0) {
                fill[k] = 1;
                queue[end++] = k;
            }
    }
    for (; begin < end; begin++) {
        int p[3];
        voxel_position(v, queue[begin], p);
        for (int d = 0; d < 6; d++) {
            const int64_t k = voxel_beyond(v, p, d, 1);
            if (k >= 0 && !fill[k] && (double)v->value[k] >= low && (double)v->value[k] <= high) {
                fill[k] = 1;
                queue[end++] = k;
            }
        }
    }
    free(queue);
    return end;
}

/* Mean and standard deviation of the marked voxels. */
static void fill_moments(const volume *v, const uint8_t *fill, double *mean, double *deviation) {
    double sum = 0, square = 0, count = 0;
    for (size_t k = 0; k < volume_size(v); k++)
        if (fill[k]) {
            sum += (double)v->value[k];
            count++;
        }
    *mean = sum / count;
    for (size_t k = 0; k < volume_size(v); k++)
        square += fill[k] ? ((double)v->value[k] - *mean) * ((double)v->value[k] - *mean) : 0;
    *deviation = sqrt(square / count);
}

typedef struct {
    double sharp; /* median of (first voxel outside the fill - mean of the fill) / (third voxel - mean of the fill);
                   * about 1 at a mask, less at a blurred edge */
    double step;  /* median of |third voxel - mean|, the whole step */
    double first, first_spread; /* median and standard deviation of the first voxels; the deviation is estimated from
                                 * the median absolute deviation */
} fill_edge;

/* Measures the edge of the fill, on lines of three voxels outside the fill. NAN: too few lines. */
static int measure_edge(const volume *v, double mean, const uint8_t *fill, fill_edge *e) {
    const int64_t n = (int64_t)volume_size(v);
    double *part = malloc((size_t)3 * MOST_EDGES * sizeof *part), *steps = part ? part + MOST_EDGES : NULL,
           *first = part ? steps + MOST_EDGES : NULL;
    int found = 0;
    *e = (fill_edge){NAN, NAN, NAN, NAN};
    if (!part)
        return fail_memory("the edge of the fill", 24.0 * MOST_EDGES);
    for (int64_t k = 0; k < n && found + 6 < MOST_EDGES; k++) {
        int p[3];
        if (!fill[k])
            continue;
        voxel_position(v, k, p);
        for (int d = 0; d < 6; d++) {
            const int64_t near = voxel_beyond(v, p, d, 1), third = voxel_beyond(v, p, d, 3);
            const double whole = third >= 0 ? (double)v->value[third] - mean : 0;
            if (third < 0 || fill[near] || fill[third] || whole == 0)
                continue;
            steps[found] = fabs(whole);
            first[found] = (double)v->value[near];
            part[found++] = ((double)v->value[near] - mean) / whole;
        }
    }
    if (found >= LEAST_EDGES) {
        *e = (fill_edge){order_median(part, found), order_median(steps, found), order_median(first, found), 0};
        for (int k = 0; k < found; k++)
            first[k] = fabs(first[k] - e->first);
        e->first_spread = 1.48 * order_median(first, found);
    }
    free(part);
    return OK;
}

/* Median of the voxels within one voxel of a seed. */
static double value_at_seed(const volume *v, int64_t seed) {
    double value[27];
    int p[3], n = 0;
    voxel_position(v, seed, p);
    for (int k = 0; k < 27; k++) {
        const int x = p[0] + k % 3 - 1, y = p[1] + k / 3 % 3 - 1, z = p[2] + k / 9 - 1;
        if (x >= 0 && y >= 0 && z >= 0 && x < v->dims[0] && y < v->dims[1] && z < v->dims[2])
            value[n++] = (double)v->value[volume_index(v, x, y, z)];
    }
    return order_median(value, n);
}

/* Adds one layer of voxels to the fill. The layer contains all 26 neighbours, so that it is not thinner at oblique
 * edges. */
static void grow_fill(const volume *v, uint8_t *fill) {
    enum { NEW = 2, NEIGHBOURS = 27 };
    for (size_t k = 0; k < volume_size(v); k++) {
        int p[3];
        if (fill[k] != 1)
            continue;
        voxel_position(v, (int64_t)k, p);
        for (int i = 0; i < NEIGHBOURS; i++) {
            const int x = p[0] + i % 3 - 1, y = p[1] + i / 3 % 3 - 1, z = p[2] + i / 9 - 1;
            const bool in_image = x >= 0 && y >= 0 && z >= 0 && x < v->dims[0] && y < v->dims[1] && z < v->dims[2];
            if (in_image && !fill[volume_index(v, x, y, z)])
                fill[volume_index(v, x, y, z)] = NEW;
        }
    }
    for (size_t k = 0; k < volume_size(v); k++)
        fill[k] = fill[k] != 0;
}

/* True if many of the voxels that touch the fill are nearer to the intensity of the vessel than to `tissue`. */
static bool touches_vessel(const volume *v, const uint8_t *fill, double vessel, double tissue) {
    int64_t all = 0, like_vessel = 0;
    for (size_t k = 0; k < volume_size(v); k++) {
        int p[3];
        bool near = false;
        voxel_position(v, (int64_t)k, p);
        for (int d = 0; d < 6 && !fill[k] && !near; d++) {
            const int64_t other = voxel_beyond(v, p, d, 1);
            near = other >= 0 && fill[other];
        }
        all += near;
        like_vessel += near && fabs((double)v->value[k] - vessel) < fabs((double)v->value[k] - tissue);
    }
    return (double)like_vessel > VESSEL_PART * (double)all;
}

/* Measures the edge of a fill; for a fill of one value whose edge is blurred, adds the blurred layers to the fill.
 * *vessel: set to true if voxels of the vessel touch the layers. */
static int measure_blurred_edge(const volume *v, double mean, bool one_value, double vessel_value, uint8_t *fill,
                                fill_edge *e, bool *vessel) {
    int rc = measure_edge(v, mean, fill, e);
    if (rc != OK || !one_value || !(e->sharp < SHARP))
        return rc;
    for (int layer = 0; layer < BLURRED_LAYERS; layer++)
        grow_fill(v, fill);
    rc = measure_edge(v, mean, fill, e);
    *vessel = touches_vessel(v, fill, vessel_value, e->first);
    return rc;
}

/* Marks the class of values in [low, high] in *f, if it lies at the border of the image as a fill does and contains no
 * seed. f->fill is NULL otherwise. */
static int mark_class(const volume *v, double low, double high, int n_seed, const int64_t *seed, image_fill *f) {
    const double n = (double)volume_size(v);
    int64_t all, marked;
    bool vessel = false;
    int rc = OK;
    if ((f->fill = calloc((size_t)n + 1, 1)) == NULL || (marked = mark_from_border(v, low, high, f->fill, &all)) < 0) {
        rc = fail_memory("the fill of the image", 9 * n);
        goto cleanup;
    }
    for (int k = 0; k < n_seed; k++)
        vessel = vessel || f->fill[seed[k]];
    f->part = (double)marked / n;
    if (!vessel && f->part >= LEAST_PART && (double)marked >= BORDER_PART * (double)all)
        return OK;
cleanup:
    image_fill_free(f);
    return rc;
}

/* Tests whether the class of values in [low, high] is a fill, and sets *f if it is. seed [n_seed]: voxels of the
 * vessel. */
static int try_class(const volume *v, double low, double high, int n_seed, const int64_t *seed, image_fill *f) {
    double mean, deviation;
    fill_edge e;
    bool vessel = false;
    int rc = mark_class(v, low, high, n_seed, seed, f);
    if (rc == OK && f->fill) {
        fill_moments(v, f->fill, &mean, &deviation);
        f->value = mean;
        TRY(measure_blurred_edge(v, mean, low == high, n_seed > 0 ? value_at_seed(v, seed[0]) : NAN, f->fill, &e,
                                 &vessel));
        /* if the first voxels outside the class are as bright as a seed, the class borders on the vessel and is no
         * fill */
        for (int k = 0; k < n_seed; k++)
            vessel = vessel || !(fabs(value_at_seed(v, seed[k]) - e.first) > OTHER_TISSUE * e.first_spread);
        if (!vessel && e.sharp >= SHARP && deviation <= SPREAD_PART * e.step)
            return OK;
    }
cleanup:
    image_fill_free(f);
    return rc;
}

/* Returns the bin after which the histogram of bins `from` .. `to` - 1 is split into two classes (Otsu 1979). */
static int split_histogram(const int64_t *count, int from, int to) {
    double n = 0, sum = 0, below = 0, below_sum = 0, best = -1;
    int split = from;
    for (int k = from; k < to; k++) {
        n += (double)count[k];
        sum += (double)k * (double)count[k];
    }
    for (int k = from; k + 1 < to; k++) {
        below += (double)count[k];
        below_sum += (double)k * (double)count[k];
        if (below == 0 || below == n)
            continue;
        const double apart = below_sum / below - (sum - below_sum) / (n - below);
        if (below * (n - below) * apart * apart > best) {
            best = below * (n - below) * apart * apart;
            split = k;
        }
    }
    return split;
}

/* Tries the classes of the lowest and of the highest values, split CLASSES times. */
static int try_extreme_classes(const volume *v, int n_seed, const int64_t *seed, image_fill *f) {
    const size_t n = volume_size(v);
    int64_t count[BINS] = {0};
    double low = INFINITY, high = -INFINITY;
    int rc = OK;
    for (size_t k = 0; k < n; k++) {
        low = (double)v->value[k] < low ? (double)v->value[k] : low;
        high = (double)v->value[k] > high ? (double)v->value[k] : high;
    }
    if (!(high > low) || !isfinite(high - low))
        return OK;
    const double width = (high - low) / BINS;
    for (size_t k = 0; k < n; k++) {
        const int bin = (int)(((double)v->value[k] - low) / width);
        count[bin < BINS ? bin : BINS - 1]++;
    }
    for (int top = 0; top < 2; top++)
        for (int k = 0, from = 0, to = BINS; k < CLASSES && to - from > 1 && !f->fill; k++) {
            const int split = split_histogram(count, from, to);
            const double at = low + (split + 1) * width;
            TRY(try_class(v, top ? at : low, top ? high : at, n_seed, seed, f));
            from = top ? split + 1 : from;
            to = top ? to : split + 1;
        }
cleanup:
    return rc;
}

/* Replaces the fill layer by layer. Each voxel becomes the mean of its neighbours in earlier layers. */
static int extend_into_fill(volume *v, const uint8_t *fill) {
    const int64_t n = (int64_t)volume_size(v);
    int64_t *queue = malloc((size_t)(n + 1) * sizeof *queue), begin = 0, end = 0;
    int32_t *layer = calloc((size_t)(n + 1), sizeof *layer); /* [voxel of the fill] 0: not reached, else the layer */
    int rc = queue && layer ? OK : fail_memory("the fill of the image", 12.0 * (double)n);
    TRY(rc);
    for (int64_t k = 0; k < n; k++)
        layer[k] = fill[k] ? 0 : 1;
    for (int64_t k = 0; k < n; k++) { /* finds the first layer: voxels of the fill with a neighbour that is no fill */
        int p[3];
        voxel_position(v, k, p);
        for (int d = 0; d < 6 && fill[k] && layer[k] == 0; d++) {
            const int64_t other = voxel_beyond(v, p, d, 1);
            if (other >= 0 && !fill[other]) {
                layer[k] = 2;
                queue[end++] = k;
            }
        }
    }
    for (; begin < end; begin++) {
        const int64_t k = queue[begin];
        int p[3], count = 0;
        double sum = 0;
        voxel_position(v, k, p);
        for (int d = 0; d < 6; d++) {
            const int64_t other = voxel_beyond(v, p, d, 1);
            if (other < 0)
                continue;
            if (layer[other] > 0 && layer[other] < layer[k]) {
                sum += (double)v->value[other];
                count++;
            } else if (layer[other] == 0) {
                layer[other] = layer[k] + 1;
                queue[end++] = other;
            }
        }
        v->value[k] = (float)(sum / count); /* count > 0, because a queued voxel has a neighbour in an earlier layer */
    }
cleanup:
    free(queue);
    free(layer);
    return rc;
}

static int64_t voxel_at(const volume *v, const double lps_mm[3]) {
    double index[3];
    int p[3];
    volume_to_index(v, lps_mm, index);
    for (int a = 0; a < 3; a++)
        p[a] = (int)fmin(fmax(lround(index[a]), 0), v->dims[a] - 1);
    return (int64_t)volume_index(v, p[0], p[1], p[2]);
}

int image_fill_replace_padding(volume *v, float padding, int n_seed, const double (*seed_mm)[3], image_fill *f) {
    const size_t n = volume_size(v);
    size_t count = 0;
    int rc = OK;
    *f = (image_fill){.value = NAN};
    for (size_t k = 0; k < n; k++)
        count += v->value[k] == padding;
    if (count == 0)
        return OK;
    if ((f->fill = calloc(n, 1)) == NULL)
        return fail_memory("the fill of the image", (double)n);
    for (size_t k = 0; k < n; k++)
        f->fill[k] = v->value[k] == padding;
    f->part = (double)count / (double)n;
    f->replaced = true;
    for (int k = 0; k < n_seed; k++)
        if (f->fill[voxel_at(v, seed_mm[k])])
            GIVE_UP(fail(ERR_INPUT, "segment.seeds: seed %d is in a voxel that is NaN; put it into the vessel", k + 1));
    TRY(extend_into_fill(v, f->fill));
cleanup:
    if (rc != OK)
        image_fill_free(f);
    return rc;
}

int image_fill_distance(const image_fill *f, const volume *v, const surface *wall, double limit_mm, double *away_mm,
                        double place_mm[3]) {
    volume mask = {0}, distance = {0};
    int rc = OK;
    *away_mm = INFINITY;
    if (!f->fill)
        return OK;
    TRY(volume_create_like(&mask, v));
    for (size_t k = 0; k < volume_size(v); k++)
        mask.value[k] = f->fill[k];
    TRY(mask_distance(&mask, (const bool[3]){true, true, true}, limit_mm, &distance));
    for (int64_t k = 0; k < wall->n_point; k++) {
        const double away = (double)distance.value[voxel_at(v, wall->point_mm + 3 * k)];
        if (away < 0.999 * limit_mm && away < *away_mm) {
            *away_mm = fmax(away, 0);
            memcpy(place_mm, wall->point_mm + 3 * k, 3 * sizeof *place_mm);
        }
    }
cleanup:
    volume_free(&mask);
    volume_free(&distance);
    return rc;
}

int image_fill_replace(volume *v, int n_seed, const double (*seed_mm)[3], image_fill *f) {
    const int64_t n = (int64_t)volume_size(v);
    int64_t flat, count, *seed = malloc((size_t)(n_seed + 1) * sizeof *seed);
    float value = 0;
    bool one_value;
    int rc = seed ? OK : fail_memory("the seeds", 8.0 * n_seed);
    *f = (image_fill){0};
    TRY(rc);
    for (int k = 0; k < n_seed; k++)
        seed[k] = voxel_at(v, seed_mm[k]);
    TRY(commonest_flat_value(v, &value, &flat, &count));
    one_value = (double)count >= LEAST_PART * (double)n && (double)(flat - count) <= FLAT_PART * (double)(n - count);
    if (one_value)
        TRY(try_class(v, (double)value, (double)value, n_seed, seed, f));
    if (!f->fill)
        TRY(try_extreme_classes(v, n_seed, seed, f));
    f->replaced = f->fill != NULL;
    if (f->replaced)
        TRY(extend_into_fill(v, f->fill));
    else if (one_value) {
        TRY(mark_class(v, (double)value, (double)value, n_seed, seed, f));
        f->value = (double)value;
    }
cleanup:
    free(seed);
    if (rc != OK)
        image_fill_free(f);
    return rc;
}

void image_fill_free(image_fill *f) {
    free(f->fill);
    *f = (image_fill){0};
}

double image_fill_at_wall(const image_fill *f, const volume *v, const surface *wall) {
    int64_t near = 0;
    for (int64_t k = 0; f->fill && k < wall->n_point; k++) {
        double index[3];
        int p[3];
        bool hit = false;
        volume_to_index(v, wall->point_mm + 3 * k, index);
        for (int a = 0; a < 3; a++) {
            p[a] = (int)lround(index[a]);
            p[a] = p[a] < 0 ? 0 : p[a] >= v->dims[a] ? v->dims[a] - 1 : p[a];
        }
        hit = f->fill[volume_index(v, p[0], p[1], p[2])] != 0;
        for (int d = 0; d < 6 && !hit; d++) {
            const int64_t other = voxel_beyond(v, p, d, 1);
            hit = other >= 0 && f->fill[other] != 0;
        }
        near += hit;
    }
    return wall->n_point > 0 ? (double)near / (double)wall->n_point : 0;
}
