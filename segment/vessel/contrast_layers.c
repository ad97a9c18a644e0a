/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/vessel/contrast_layers.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "segment/voxel/grid.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 20, GRID = 2 * SIDE + 1, PIXELS = GRID * GRID, ALONG = 3, LOWER = 16, LEAST_RUN = 6 };
static const double reach_radii = 2.5;  /* Half-width of a section, in radii of the node */
static const double along_radii = 0.25; /* Distance between the 2 ALONG + 1 samples along the vessel, in radii */
/* Step from a level of intensity to the next lower level, as a fraction of the contrast. The first level is the middle
 * between vessel and tissue. */
static const double lower_step = 0.05;
/* least_round: smallest roundness of the whole vessel (contrast_layers.h); rounder: smallest gain over the roundness of
 * the brighter layer */
static const double least_round = 0.87, rounder = 0.04;
/* Limits of the area of the whole vessel over the area of the brighter layer */
static const double least_more = 1.35, most_more = 4;
/* A run is a sequence of nodes with layers. most_gap: largest gap in a run, in radii; least_part: smallest fraction of
 * the nodes of a run that have layers */
static const double most_gap = 2.5, least_part = 0.5;
/* tissue_ring: inner and outer radius of the ring where tissue is read, in radii; tissue_part: quantile of the
 * intensities there */
static const double tissue_ring[2] = {1.15, 1.6}, tissue_part = 0.75;
/* Lowest level, as a fraction of the contrast above the tissue; lower levels are variations of the tissue */
static const double least_above = 0.2;
/* Upper limit of the factor that raises the contrast of blood to the contrast at the seeds */
static const double most_gain = 2;
/* Local intensity of blood: Gaussian mean, standard deviation mean_mm, over voxels deeper than core_voxels inside the
 * wall. Blood is scaled where the weight of this mean is least_weight or more, and up to beyond_radii radii outside the
 * wall. */
static const double core_voxels = 1.5, mean_mm = 2, least_weight = 1e-3, beyond_radii = 0.6;

/* Cross-section of the bright image: pixels of width `step`, the node at the centre. */
typedef struct {
    double step, f[PIXELS];
} section;

typedef struct {
    double area, round, centre[2]; /* area and centroid of the region, in pixels; roundness */
    bool open;                     /* true: the region touches the border of the section */
    uint8_t in[PIXELS];
} region;

/* Findings in the cross-section of a node. */
typedef struct {
    bool layered;
    double tissue;
    tube_node whole; /* node with walls that enclose both layers */
} finding;

/* -------------------------------------------------------------------------------------- cross-sections */

/* Binomial filter 1 2 1 along rows, then along columns. */
static void smooth_section(double *f) {
    for (int axis = 0; axis < 2; axis++) {
        double was[PIXELS];
        const int step = axis == 0 ? 1 : GRID;
        memcpy(was, f, sizeof was);
        for (int i = 0; i < PIXELS; i++) {
            const int at = axis == 0 ? i % GRID : i / GRID;
            if (at > 0 && at + 1 < GRID)
                f[i] = 0.25 * (was[i - step] + 2 * was[i] + was[i + step]);
        }
    }
}

static void sample_section(const volume *v, double sign, const tube_node *t, double wide_mm, section *s) {
    const double radius = fmax(t->radius_mm, wide_mm);
    s->step = reach_radii * radius / SIDE;
    for (int c = 0; c < PIXELS; c++) {
        const int column = c % GRID, row = c / GRID;
        const double x = (column - SIDE) * s->step, y = (row - SIDE) * s->step;
        s->f[c] = 0;
        for (int k = -ALONG; k <= ALONG; k++) {
            double p[3];
            for (int a = 0; a < 3; a++)
                p[a] = t->at_mm[a] + x * t->across[0][a] + y * t->across[1][a] +
                       along_radii * k * radius * t->direction[a];
            s->f[c] += sign * volume_sample(v, p) / (2 * ALONG + 1);
        }
    }
    smooth_section(s->f);
    smooth_section(s->f);
}

/* The pixel nearest to the centre whose value is above the level, up to `most` pixels away; -1: none. */
static int start_of(const section *s, double level, double most) {
    int best = -1;
    double least = most;
    for (int c = 0; c < PIXELS; c++) {
        const int column = c % GRID, row = c / GRID;
        const double away = hypot(column - SIDE, row - SIDE);
        if (s->f[c] < level || away >= least)
            continue;
        least = away;
        best = c;
    }
    return best;
}

/* Find the region *r of pixels above the level that is connected with the centre of the section. */
static void grow_region(const section *s, double level, double radius_mm, region *r) {
    int open[PIXELS], n = 0;
    double sum[2] = {0}, square = 0;
    const int from = start_of(s, level, 0.7 * radius_mm / s->step);
    memset(r, 0, sizeof *r);
    if (from < 0)
        return;
    r->in[from] = 1;
    open[n++] = from;
    for (int k = 0; k < n; k++) {
        const int c = open[k], x = c % GRID, y = c / GRID;
        static const int step[4] = {-1, 1, -GRID, GRID};
        sum[0] += x, sum[1] += y, square += x * x + y * y;
        if (x == 0 || y == 0 || x == GRID - 1 || y == GRID - 1) {
            r->open = true;
            continue;
        }
        for (int d = 0; d < 4; d++)
            if (!r->in[c + step[d]] && s->f[c + step[d]] >= level) {
                r->in[c + step[d]] = 1;
                open[n++] = c + step[d];
            }
    }
    r->area = n;
    r->centre[0] = sum[0] / n, r->centre[1] = sum[1] / n;
    const double j = square - n * (r->centre[0] * r->centre[0] + r->centre[1] * r->centre[1]) + n / 6.0;
    /* round: area^2 / (2 pi polar moment); a pixel has a polar moment of 1/6 */
    r->round = r->area * r->area / (2 * M_PI * j);
}

/* -------------------------------------------------------------------------------------- layers at a node */

/* Set the walls of the node: distance from the centroid of the region to its border, along TUBE_RAYS directions. */
static void walls_of(const section *s, const region *r, const tube_node *t, tube_node *whole) {
    *whole = *t;
    for (int a = 0; a < 3; a++)
        whole->at_mm[a] +=
            s->step * ((r->centre[0] - SIDE) * t->across[0][a] + (r->centre[1] - SIDE) * t->across[1][a]);
    for (int k = 0; k < TUBE_RAYS; k++) {
        const double angle = 2 * M_PI * k / TUBE_RAYS;
        double far = 0;
        for (int half = 0; half < 4 * SIDE; half++) {
            const double way = 0.5 * half;
            const int x = (int)lround(r->centre[0] + way * cos(angle)),
                      y = (int)lround(r->centre[1] + way * sin(angle));
            if (x < 0 || y < 0 || x >= GRID || y >= GRID || !r->in[y * GRID + x])
                break;
            far = way + 0.5;
        }
        whole->wall_mm[k] = s->step * far;
    }
    whole->radius_mm = s->step * sqrt(r->area / M_PI);
}

/* Quantile of the intensities below the level in a ring around the region: the tissue nearest to the vessel. */
static double tissue_round(const section *s, const region *r, double level) {
    double x[PIXELS];
    int n = 0;
    const double radius = sqrt(r->area / M_PI);
    for (int c = 0; c < PIXELS; c++) {
        const int column = c % GRID, row = c / GRID;
        const double away = hypot(column - r->centre[0], row - r->centre[1]) / radius;
        if (!r->in[c] && s->f[c] < level && away > tissue_ring[0] && away < tissue_ring[1])
            x[n++] = s->f[c];
    }
    qsort(x, (size_t)n, sizeof *x, order_double);
    return n > 0 ? x[(int)(tissue_part * (n - 1))] : NAN;
}

static void find_layers(const volume *v, double sign, const tube_node *t, double wide_mm, double inside, finding *out) {
    section s;
    region bright, lower, best = {.round = 0};
    const double contrast = inside - t->outside, middle = 0.5 * (t->inside + t->outside);
    double level = middle;
    out->layered = false;
    out->tissue = NAN;
    sample_section(v, sign, t, wide_mm, &s);
    grow_region(&s, middle, t->radius_mm, &bright);
    for (int k = 1; k <= LOWER; k++) {
        const double at = middle - k * lower_step * fmax(contrast, t->inside - t->outside);
        grow_region(&s, at, t->radius_mm, &lower);
        if (lower.open)
            break;
        if (lower.area < least_more * bright.area || lower.area > most_more * bright.area || lower.round <= best.round)
            continue;
        best = lower;
        level = at;
    }
    if (bright.open || best.round < least_round || best.round < bright.round + rounder)
        return;
    out->tissue = tissue_round(&s, &best, level);
    walls_of(&s, &best, t, &out->whole);
    out->layered = level - out->tissue > least_above * (inside - out->tissue);
}

/* -------------------------------------------------------------------------------------- runs of layered nodes */

/* Linear interpolation between two complete sections, t from 0 to 1. */
static tube_node interpolate_nodes(const tube_node *a, const tube_node *b, double t) {
    tube_node out = *a;
    for (int k = 0; k < 3; k++) {
        out.at_mm[k] = (1 - t) * a->at_mm[k] + t * b->at_mm[k];
        out.direction[k] = (1 - t) * a->direction[k] + t * b->direction[k];
    }
    for (int k = 0; k < TUBE_RAYS; k++)
        out.wall_mm[k] = (1 - t) * a->wall_mm[k] + t * b->wall_mm[k];
    out.radius_mm = (1 - t) * a->radius_mm + t * b->radius_mm;
    return out;
}

/* Returns the last layered node of the run that starts at `from`; gaps of up to most_gap radii are allowed. *count:
 * number of layered nodes of the run. */
static int run_end(const tube *t, const finding *f, int from, int end, int *count) {
    int last = from;
    *count = 1;
    for (int i = from + 1; i < end; i++) {
        if (vec_distance(t->node[i].at_mm, t->node[last].at_mm) > most_gap * f[from].whole.radius_mm)
            break;
        *count += f[i].layered;
        last = f[i].layered ? i : last;
    }
    return last;
}

/* Append long enough runs of layered nodes to `out` as pieces, with gaps interpolated. tissue [out->n]: intensity of
 * the tissue. */
static int append_runs(const tube *t, const finding *f, int piece, double *tissue, tube *out) {
    const int end = t->first[piece + 1];
    int rc = OK;
    tube_node *run = malloc((size_t)(end - t->first[piece] + 1) * sizeof *run);
    if (run == NULL)
        return fail_memory("the tubes", t->n * (double)sizeof *run);
    for (int i = t->first[piece]; i < end && rc == OK; i++) {
        int count;
        if (!f[i].layered)
            continue;
        const int from = i, last = run_end(t, f, from, end, &count);
        i = last;
        if (count < LEAST_RUN || count < least_part * (last - from + 1))
            continue;
        for (int k = from, before = from, next; k <= last; k++) {
            for (before = f[k].layered ? k : before, next = k; !f[next].layered;)
                next++;
            const double part = next > before ? (double)(k - before) / (next - before) : 0;
            run[k - from] = interpolate_nodes(&f[before].whole, &f[next].whole, part);
            tissue[out->n + k - from] = (1 - part) * f[before].tissue + part * f[next].tissue;
        }
        rc = tube_append(out, last - from + 1, run);
        if (rc == OK)
            out->first[0] = 0;
    }
    free(run);
    return rc;
}

/* Computes Gaussian sums over the voxels inside the layered sections: mean, of the image times sign; weight, of 1. mean
 * / weight is the local intensity of blood. */
static int blood_nearby(const volume *image, double sign, const volume *field, volume *mean, volume *weight) {
    const double *h = image->spacing_mm, core = -core_voxels * volume_thinnest_mm(image);
    const double sigma[3] = {mean_mm / h[0], mean_mm / h[1], mean_mm / h[2]};
    int rc = OK;
    TRY(volume_create_like(mean, image));
    TRY(volume_create_like(weight, image));
    for (size_t i = 0; i < volume_size(image); i++) {
        weight->value[i] = (double)field->value[i] < core;
        mean->value[i] = weight->value[i] * (float)sign * image->value[i];
    }
    TRY(grid_smooth(mean, sigma));
    TRY(grid_smooth(weight, sigma));
cleanup:
    return rc;
}

/* Scale blood within the sections of t to the intensity `inside`. tissue [t->n]: intensity of the tissue at each
 * node. */
static int even_blood(const tube *t, const double *tissue, double sign, double inside, volume *image) {
    const size_t n = volume_size(image);
    double far = 0;
    volume field = {0}, mean = {0}, weight = {0};
    int rc = OK;
    int32_t *nearest = malloc(n * sizeof *nearest);
    if (nearest == NULL)
        return fail_memory("the tubes", (double)n * sizeof *nearest);
    for (int i = 0; i < t->n; i++)
        far = fmax(far, beyond_radii * t->node[i].radius_mm);
    TRY(volume_create_like(&field, image));
    TRY(tube_field(t, far, &field, nearest));
    TRY(blood_nearby(image, sign, &field, &mean, &weight));
    for (size_t i = 0; i < n; i++) {
        if (nearest[i] < 0 || (double)weight.value[i] < least_weight ||
            (double)field.value[i] > beyond_radii * t->node[nearest[i]].radius_mm)
            continue;
        const double x = sign * (double)image->value[i], out = tissue[nearest[i]];
        const double blood = (double)mean.value[i] / (double)weight.value[i];
        if (x > out && blood > out)
            image->value[i] = (float)(sign * (out + (x - out) * fmin(most_gain, (inside - out) / (blood - out))));
    }
cleanup:
    free(nearest);
    volume_free(&field);
    volume_free(&mean);
    volume_free(&weight);
    return rc;
}

int contrast_layers_even(const tube *t, double sign, double inside, double wide_mm, volume *image, double *length_mm,
                         double place_mm[3]) {
    tube runs = {0};
    int rc = OK;
    finding *f = malloc((size_t)(t->n + 1) * sizeof *f);
    double *tissue = malloc((size_t)(t->n + 1) * sizeof *tissue);
    *length_mm = 0;
    if (f == NULL || tissue == NULL) {
        rc = fail_memory("the tubes", t->n * (double)sizeof *f);
        goto cleanup;
    }
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < t->n; i++)
        find_layers(image, sign, &t->node[i], wide_mm, inside, &f[i]);
    for (int piece = 0; piece < t->n_piece; piece++)
        TRY(append_runs(t, f, piece, tissue, &runs));
    if (runs.n > 0)
        TRY(even_blood(&runs, tissue, sign, inside, image));
    for (int k = 0; k < runs.n_piece; k++)
        for (int i = runs.first[k] + 1; i < runs.first[k + 1]; i++)
            *length_mm += vec_distance(runs.node[i - 1].at_mm, runs.node[i].at_mm);
    if (runs.n > 0)
        memcpy(place_mm, runs.node[runs.first[1] / 2].at_mm, 3 * sizeof *place_mm);
cleanup:
    free(f);
    free(tissue);
    tube_free(&runs);
    return rc;
}
