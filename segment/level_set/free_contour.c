/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/level_set/free_contour.h"
#include "common/base/message.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "segment/level_set/flood.h"
#include "segment/level_set/level_set_constants.h"
#include "segment/level_set/working_grid.h"
#include "segment/voxel/mask_distance.h"
#include "segment/voxel/region.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Find the voxels where the front starts: voxels connected with the seeds through voxels of the allowed intensities.
 * Denoising joins vessels that pass each other closely, so a voxel must also lie in the grown region by more than
 * START_PART. start: out, 1 in these voxels, 0 elsewhere. */
static int find_start(const volume *image, front *f, volume *start) {
    int rc = OK;
    const size_t n = volume_size(&f->grid.denoised);
    int64_t count = 0;
    uint8_t *reached = NULL;
    volume speed = {0};
    TRY(working_grid_region(image, &f->extent, &f->grid, &speed));
    for (size_t i = 0; i < n; i++)
        speed.value[i] = speed.value[i] > START_PART && (double)f->grid.denoised.value[i] >= f->seeds.low &&
                         (double)f->grid.denoised.value[i] <= f->seeds.high;
    if ((reached = malloc(n + 1)) == NULL) {
        rc = fail_memory("the start of the front", (double)n);
        goto cleanup;
    }
    TRY(region_grow(&speed, 0.5, 2, f->seeds.n, (const int(*)[3])f->grid.seed, reached, &count));
    TRY(volume_create_like(start, &speed));
    for (size_t i = 0; i < n; i++)
        start->value[i] = reached[i];
    f->report->start_ml = (double)count * pow(f->grid.spacing_mm, 3) / 1000;
    message_debug("start: %.3f mL", f->report->start_ml);
    f->report->flooded = f->report->flooded || f->report->start_ml > f->report->used.max_volume_ml;
    if (count == 0)
        rc = fail(ERR_NUMERIC,
                  "the level set does not grow: after denoising, the intensities at the seeds are outside the "
                  "thresholds %g to %g; move the seeds or set segment.threshold",
                  f->report->used.threshold_low, f->report->used.threshold_high);
cleanup:
    free(reached);
    volume_free(&speed);
    return rc;
}

int free_contour_gradient(const volume *g, const volume *distance, double low, double high, double q, double *out) {
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

/* Set edge_low, the gradient where the speed is 1, from the gradients inside the region where the front starts, and
 * edge_high, the gradient where the speed is 0, from the gradients at the border of this region. distance: to this
 * border, voxels. */
static int choose_edges(front *f, const volume *g, const volume *distance, double *typical) {
    int rc = OK;
    level_set_options *used = &f->report->used;
    double inner = 0, border = 0, per_mm = 1 / f->grid.spacing_mm;
    TRY(free_contour_gradient(g, distance, -0.6, 1.6, 0.3, &border));
    TRY(free_contour_gradient(g, distance, -0.6, 1.6, 0.6, typical));
    TRY(free_contour_gradient(g, distance, -1e9, -2.5, 0.5, &inner));
    if (inner > 0.5 * border)
        inner = 0.5 * border;
    used->edge_low = front_value(used->edge_low, inner * per_mm);
    used->edge_high = front_value(used->edge_high, border * per_mm);
    message_debug("gradients per mm: inside %.4g, border %.4g (typical %.4g)", inner * per_mm, border * per_mm,
                  *typical * per_mm);
    if (used->edge_high <= used->edge_low)
        rc = fail(ERR_INPUT, "edge: low %g is not below high %g; set both values of segment.edge", used->edge_low,
                  used->edge_high);
cleanup:
    return rc;
}

static double count_inside(const volume *level) {
    double n = 0;
    for (size_t i = 0; i < volume_size(level); i++)
        n += level->value[i] < 0;
    return n;
}

/* Evolves the front in portions of iterations until its volume settles or exceeds the limit. The distance moved is no
 * stopping criterion, because ITK scales its time step so that the front always moves. */
static int evolve_front(front *f, volume *level, const volume *feature) {
    int rc = OK, *done = &f->report->iterations_done;
    const level_set_options *used = &f->report->used;
    double before = count_inside(level);
    volume potential = {0};
    TRY(volume_copy(&potential, feature));
    TRY(grid_smooth(&potential, (const double[3]){POTENTIAL_SIGMA, POTENTIAL_SIGMA, POTENTIAL_SIGMA}));
    *done = 0;
    progress_start("growing", used->iterations, "iterations");
    while (*done < used->iterations) {
        int portion = used->iterations - *done < PORTION ? used->iterations - *done : PORTION, n = 0;
        const front_weights weights = {used->propagation, used->curvature, used->advection, portion};
        TRY(f->engine->evolve(level, feature, &potential, &weights, &n));
        *done += n;
        progress_set(*done, NULL);
        double now = count_inside(level);
        f->report->flooded = now * pow(f->grid.spacing_mm, 3) / 1000 > used->max_volume_ml;
        if (f->report->flooded || n < portion || fabs(now - before) < SETTLED_PART * before)
            break;
        before = now;
    }
cleanup:
    volume_free(&potential);
    progress_end();
    return rc;
}

/* Evolve the front from the start to the edges of the lumen, where the image gradient is large. */
static int grow_front(const volume *start, front *f, volume *level, double *typical) {
    int rc = OK;
    volume g = {0}, feature = {0};
    level_set_options *used = &f->report->used;
    double h = f->grid.spacing_mm;
    TRY(mask_distance(start, (const bool[3]){true, true, true}, 12 * h, level));
    for (size_t i = 0; i < volume_size(level); i++)
        level->value[i] /= (float)h;
    TRY(f->engine->gradient(&f->grid.denoised, GRADIENT_SIGMA, &g));
    TRY(choose_edges(f, &g, level, typical));
    TRY(volume_create_like(&feature, &g));
    double beta = 0.5 * (used->edge_low + used->edge_high) * h, alpha = (used->edge_high - used->edge_low) * h / 6;
    for (size_t i = 0; i < volume_size(&g); i++)
        feature.value[i] = (float)(1 / (1 + exp(((double)g.value[i] - beta) / alpha)));
    steps_end(&f->report->steps, "start");
    TRY(evolve_front(f, level, &feature));
    steps_end(&f->report->steps, "front");
cleanup:
    volume_free(&g);
    volume_free(&feature);
    return rc;
}

int free_contour_find(const volume *image, front *f, volume *level, double *typical) {
    volume start = {0};
    int rc = OK;
    TRY(find_start(image, f, &start));
    if (!f->report->flooded)
        TRY(grow_front(&start, f, level, typical));
    if (f->report->flooded)
        TRY(flood_coarsen_front(&start, level));
cleanup:
    volume_free(&start);
    return rc;
}
