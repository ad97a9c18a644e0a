/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/tube/tube_signal.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include <math.h>
#include <stdlib.h>

enum { DIRECTIONS = 8 };
/* Radius of the disc around the center, in radii; around the path, in voxels */
static const double core_radii = 0.4, path_voxels = 0.5;
/* Nodes up to this number away, 8 radii at the seeds, give the usual width and intensity of the vessel */
enum { NEARBY = 32 };
/* Upper limit of the mean signal of a lost stretch. Set on images: stretches replaced by tissue have up to 0.32, the
 * vessels of images and phantoms 0.66 or more. */
static const double lost_signal = 1 / 3.0;
static const double end_signal = 0.5; /* A lost stretch ends where the signal reaches this value */
static const double least_voxels = 3; /* Smallest length of a lost stretch, in voxels */

/* Nodes from .. to - 1 of a piece; arrays by node of the tube. */
typedef struct {
    const tube_node *node;
    int from, to;
    double *core, *path; /* intensity in both discs, then signal */
    double *radius_mm;
    double least_mm; /* smallest length of a lost stretch, unless the vessel is wider */
} line;

/* Mean of the image in a disc across the node's vessel. NAN: partly outside the image. */
static double disc_mean(const volume *v, const tube_node *t, const double at[3], double radius_mm) {
    double sum = volume_contains(v, at) ? volume_sample(v, at) : NAN;
    for (int r = 0; r < DIRECTIONS; r++) {
        const double angle = 2 * M_PI * r / DIRECTIONS;
        double p[3];
        vec_add(at, radius_mm * cos(angle), t->across[0], p);
        vec_add(p, radius_mm * sin(angle), t->across[1], p);
        sum += volume_contains(v, p) ? volume_sample(v, p) : NAN;
    }
    return sum / (DIRECTIONS + 1);
}

/* Upper quartile of x over the nodes near node i. A stenosis or a lost stretch does not lower it. */
static double usual_value(const line *l, const double *x, int i) {
    double near[2 * NEARBY + 1];
    int n = 0;
    for (int k = i - NEARBY; k <= i + NEARBY; k++)
        if (k >= l->from && k < l->to && !isnan(x[k]))
            near[n++] = x[k];
    qsort(near, (size_t)n, sizeof *near, order_double);
    return n > 0 ? near[3 * (n - 1) / 4] : NAN;
}

/* Reads the image at the nodes, and converts intensities to signals. contrast: scratch memory. */
static void read_signals(const volume *v, line *l, double *contrast) {
    for (int i = l->from; i < l->to; i++) {
        const tube_node *t = &l->node[i];
        l->radius_mm[i] = t->radius_mm;
        l->core[i] = disc_mean(v, t, t->at_mm, core_radii * t->radius_mm);
        l->path[i] = disc_mean(v, t, t->path_mm, path_voxels * volume_thinnest_mm(v));
    }
    for (int i = l->from; i < l->to; i++)
        contrast[i] = usual_value(l, l->core, i) - l->node[i].outside;
    for (int i = l->from; i < l->to; i++) {
        const double over = contrast[i] > 0 ? 1 / contrast[i] : NAN;
        l->core[i] = over * (l->core[i] - l->node[i].outside);
        l->path[i] = over * (l->path[i] - l->node[i].outside);
    }
}

/* Smallest number of nodes of a lost stretch at node i. */
static int least_nodes(const line *l, int i) {
    const double step = vec_distance(l->node[l->from].at_mm, l->node[l->from + 1].at_mm);
    return (int)ceil(fmax(2 * usual_value(l, l->radius_mm, i), l->least_mm) / step);
}

/* Mean signal of n nodes from node i on. */
static double mean_signal(const line *l, int i, int n) {
    double core = 0, path = 0;
    for (int k = i; k < i + n; k++) {
        core += l->core[k];
        path += l->path[k];
    }
    return fmax(core, path) / n;
}

static bool is_dark(const line *l, int i) {
    return fmax(l->core[i], l->path[i]) < end_signal;
}

/* Marks the lost stretches of a piece. node: the nodes of l. */
static void mark_stretches(const line *l, tube_node *node) {
    for (int i = l->from; i + 1 < l->to; i++) {
        const int n = least_nodes(l, i);
        int first = i, last = i + n - 1;
        if (last >= l->to || !(mean_signal(l, i, n) < lost_signal))
            continue;
        while (first < last && !is_dark(l, first))
            first++;
        while (last > first && !is_dark(l, last))
            last--;
        while (first > l->from && is_dark(l, first - 1))
            first--;
        while (last + 1 < l->to && is_dark(l, last + 1))
            last++;
        for (int k = first; k <= last && last - first + 1 >= n; k++)
            node[k].lost = true;
    }
}

int tube_signal_find_lost(const volume *image, tube *t) {
    double *all = malloc(4 * (size_t)(t->n + 1) * sizeof *all);
    if (all == NULL)
        return fail_memory("the tubes", 4 * t->n * (double)sizeof *all);
    for (int i = 0; i < t->n; i++)
        t->node[i].lost = false;
    for (int k = 0; k < t->n_piece; k++) {
        line l = {.node = t->node, .core = all, .path = all + t->n, .radius_mm = all + 2 * t->n};
        l.least_mm = least_voxels * volume_thinnest_mm(image);
        tube_between(t, k, &l.from, &l.to);
        read_signals(image, &l, all + 3 * t->n);
        mark_stretches(&l, t->node);
    }
    free(all);
    return OK;
}

bool tube_signal_is_lost(const tube *t) {
    for (int i = 0; i < t->n; i++)
        if (t->node[i].lost)
            return true;
    return false;
}
