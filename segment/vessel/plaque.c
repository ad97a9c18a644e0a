/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/vessel/plaque.h"
#include "common/base/message.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "segment/voxel/region.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Plaque is brighter than nearly all blood of the vessel by at least this many standard deviations of the noise */
static const double noise_brighter = 4;
/* A voxel that is brighter than the local blood by this fraction of the contrast is plaque, even if the middle of the
 * vessel varies by more */
static const double surely_brighter = 0.7;
/* Plaque exceeds own_times the own_part quantile of the brightness in the middle of the vessel */
static const double own_part = 0.97, own_times = 2;
/* The middle of the vessel begins at this distance inside the wall: middle_radii or middle_voxels, the larger of
 * both */
static const double middle_radii = 0.5, middle_voxels = 3;
/* Intensity of blood without plaque: quantile blood_part of the nodes' intensities along blood_mm of the vessel */
static const double blood_part = 0.3, blood_mm = 25;
/* Brightest blood: this quantile of the blood intensities of all nodes */
static const double brightest_part = 0.95;
/* Fraction of plaque in a voxel: 0 if its brightness is below `clean` times the peak, 1 above (1 - clean) times the
 * peak, and linear between both. */
static const double clean = 0.25;
/* Length along the vessel over which own_part is taken, to either side, in mm */
static const double own_mm = 10;
/* Margin beyond the wall that is searched: the sum of room_radii, in radii, and room_voxels, in voxels */
static const double room_radii = 0.5, room_voxels = 4;
/* largest fraction of plaque on the line from a voxel to the centerline: the weight of the shadow behind plaque rises
 * from 0 to 1 between these two values */
static const double behind_from = 0.3, behind_to = 0.6;
/* LEAST: number of voxels of the smallest plaque. NEAR: distance in voxels over which the peak of plaque acts. BEHIND:
 * length in voxels of the blur behind plaque. STRIDE: nodes between two samples. */
enum { LEAST = 4, NEAR = 2, BEHIND = 3, STRIDE = 4 };

typedef struct {
    const tube *t;
    const volume *image;
    double sign;
    volume field;     /* signed distance to the tube, mm */
    volume above;     /* brightness above the local blood; NAN: far from the vessel */
    volume share;     /* part of each voxel that is plaque, 0 to 1 */
    int32_t *nearest; /* [voxels] nearest node of the tube */
    double *blood;    /* [nodes] intensity of the local blood */
    double brightest; /* upper quantile of `blood`; blood from another inflow may be as bright as this */
} view;

/* Find the nodes *from .. *to - 1 of the piece that are at most `reach` mm from node i, measured along the piece. */
static void nodes_near(const tube *t, int piece, int i, double reach, int *from, int *to) {
    double way = 0;
    for (*from = i; *from > t->first[piece]; (*from)--)
        if ((way += vec_distance(t->node[*from].at_mm, t->node[*from - 1].at_mm)) > reach)
            break;
    way = 0;
    for (*to = i + 1; *to < t->first[piece + 1]; (*to)++)
        if ((way += vec_distance(t->node[*to].at_mm, t->node[*to - 1].at_mm)) > reach)
            break;
}

/* Finds the local intensity of blood at each node (blood [t->n]): a quantile that plaque near the rays does not raise.
 * *brightest: upper quantile over the vessel. */
static int find_blood(const tube *t, double *blood, double *brightest) {
    double *work = malloc((size_t)t->n * sizeof *work);
    if (work == NULL)
        return fail_memory("the tubes", t->n * (double)sizeof *work);
    for (int k = 0; k < t->n_piece; k++)
        for (int i = t->first[k]; i < t->first[k + 1]; i++) {
            int from, to;
            nodes_near(t, k, i, blood_mm, &from, &to);
            for (int m = from; m < to; m++)
                work[m - from] = t->node[m].inside;
            qsort(work, (size_t)(to - from), sizeof *work, order_double);
            blood[i] = work[(int)(blood_part * (to - from - 1))];
        }
    memcpy(work, blood, (size_t)t->n * sizeof *work);
    qsort(work, (size_t)t->n, sizeof *work, order_double);
    *brightest = work[(int)(brightest_part * (t->n - 1))];
    free(work);
    return OK;
}

/* Compares each voxel with the blood at its nearest node: sets w->above and w->nearest. */
static int compare_with_blood(view *w) {
    const tube *t = w->t;
    const size_t n = volume_size(w->image);
    double far = 0;
    int rc = OK;
    for (int i = 0; i < t->n; i++)
        far = fmax(far, room_radii * t->node[i].radius_mm + room_voxels * volume_thinnest_mm(w->image));
    TRY(volume_create_like(&w->field, w->image));
    TRY(volume_create_like(&w->above, w->image));
    TRY(tube_field(t, far, &w->field, w->nearest));
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++)
        w->above.value[i] =
            w->nearest[i] < 0 ? NAN : (float)(w->sign * (double)w->image->value[i] - w->blood[w->nearest[i]]);
cleanup:
    return rc;
}

/* Finds how much brighter than the local blood the middle of the vessel is near each node (own [t->n], quantile
 * own_part); 0: the vessel has no middle. */
static int find_own_variation(const view *w, double *own) {
    const tube *t = w->t;
    const size_t n = volume_size(w->image);
    const double voxels = middle_voxels * volume_thinnest_mm(w->image);
    size_t *first = calloc((size_t)t->n + 2, sizeof *first);
    float *value = NULL, *work = NULL;
    int rc = OK;
    if (first == NULL) {
        rc = fail_memory("the tubes", t->n * (double)sizeof *first);
        goto cleanup;
    }
    /* pass 0 counts the values of each node, pass 1 writes them in the order of the nodes */
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < n; i++) {
            const int at = w->nearest[i];
            if (at < 0 || (double)w->field.value[i] > -fmax(middle_radii * t->node[at].radius_mm, voxels))
                continue;
            if (pass > 0)
                value[first[at + 1]++] = w->above.value[i];
            else
                first[at + 2]++;
        }
        for (int i = 2; i < t->n + 2 && pass == 0; i++)
            first[i] += first[i - 1];
        if (pass == 0 && ((value = malloc((first[t->n + 1] + 1) * sizeof *value)) == NULL ||
                          (work = malloc((first[t->n + 1] + 1) * sizeof *work)) == NULL)) {
            rc = fail_memory("the middle of the vessel", (double)first[t->n + 1] * sizeof *value);
            goto cleanup;
        }
    }
    for (int k = 0; k < t->n_piece; k++)
        for (int i = t->first[k]; i < t->first[k + 1]; i++) {
            int from, to;
            if ((i - t->first[k]) % STRIDE != 0) {
                own[i] = own[i - 1];
                continue;
            }
            nodes_near(t, k, i, own_mm, &from, &to);
            const size_t count = first[to] - first[from];
            memcpy(work, value + first[from], count * sizeof *work);
            qsort(work, count, sizeof *work, order_float);
            own[i] = count > 0 ? (double)work[(size_t)(own_part * (double)(count - 1))] : 0;
        }
cleanup:
    free(first);
    free(value);
    free(work);
    return rc;
}

/* Set share to the brightness of plaque voxels, in pieces of at least LEAST voxels, and to 0 elsewhere. */
static int find_peaks(view *w, const seeds_statistics *seeds, size_t *found) {
    const size_t n = volume_size(w->image);
    const double contrast = seeds->inside - seeds->outside, noise = noise_brighter * seeds->noise;
    int32_t *label = malloc(n * sizeof *label);
    double *own = malloc((size_t)w->t->n * sizeof *own);
    int64_t *size = NULL;
    int regions = 0, rc = OK;
    if (label == NULL || own == NULL) {
        rc = fail_memory("voxels brighter than blood", (double)n * sizeof *label);
        goto cleanup;
    }
    TRY(find_own_variation(w, own));
    TRY(volume_create_like(&w->share, w->image));
    for (size_t i = 0; i < n; i++) {
        const double x = (double)w->above.value[i];
        if (w->nearest[i] >= 0 && x - (w->brightest - w->blood[w->nearest[i]]) > noise &&
            x > PLAQUE_BRIGHTER * contrast && (x > surely_brighter * contrast || x > own_times * own[w->nearest[i]]))
            w->share.value[i] = w->above.value[i];
    }
    TRY(region_label(&w->share, 1e-30, INFINITY, label, &regions, &size));
    for (size_t i = 0; i < n; i++) {
        if (label[i] > 0 && size[label[i] - 1] >= LEAST)
            (*found)++;
        else
            w->share.value[i] = 0;
    }
cleanup:
    free(label);
    free(own);
    free(size);
    return rc;
}

/* Running maximum over +- NEAR voxels along one axis, in place. */
static int running_maximum(volume *v, int axis) {
    const int n = v->dims[axis], lines = (int)(volume_size(v) / (size_t)n);
    const size_t stride = axis == 0 ? 1 : axis == 1 ? (size_t)v->dims[0] : (size_t)v->dims[0] * (size_t)v->dims[1];
    float *line = malloc((size_t)n * sizeof *line);
    if (line == NULL)
        return fail_memory("voxels brighter than blood", n * (double)sizeof *line);
    for (int l = 0; l < lines; l++) {
        float *p = v->value + (size_t)l / stride * stride * (size_t)n + (size_t)l % stride;
        bool any = false;
        for (int i = 0; i < n; i++) {
            line[i] = p[(size_t)i * stride];
            any = any || line[i] > 0;
        }
        for (int i = 0; i < n && any; i++)
            for (int k = i > NEAR ? i - NEAR : 0; k <= i + NEAR && k < n; k++)
                p[(size_t)i * stride] = fmaxf(p[(size_t)i * stride], line[k]);
    }
    free(line);
    return OK;
}

/* Maximum plaque share on the line from a voxel towards the centerline. */
static double plaque_in_front(const view *w, int i, int j, int k, const tube_node *node) {
    const double step = 0.5 * volume_thinnest_mm(w->image);
    double p[3], d[3], most = 0;
    volume_to_lps(w->image, (const double[3]){i, j, k}, p);
    for (int a = 0; a < 3; a++)
        d[a] = node->at_mm[a] - p[a];
    vec_add(d, -vec_dot(d, node->direction), node->direction, d);
    const double middle = vec_length(d);
    if (!vec_normalize(d))
        return 0;
    /* search only up to the centerline, because plaque beyond it is not in front */
    for (int s = 1; s <= 2 * BEHIND && s * step < middle; s++) {
        vec_add(p, step, d, p);
        most = fmax(most, volume_sample(&w->share, p));
    }
    return most;
}

/* Mix the tissue's intensity into the image by the plaque share. */
static void darken_plaque(const view *w, const uint8_t *close, volume *image) {
#pragma omp parallel for schedule(dynamic)
    for (int k = 0; k < image->dims[2]; k++)
        for (int j = 0; j < image->dims[1]; j++)
            for (int i = 0; i < image->dims[0]; i++) {
                const size_t at = volume_index(image, i, j, k);
                if (!close[at])
                    continue;
                const tube_node *node = &w->t->node[w->nearest[at]];
                const double front = (plaque_in_front(w, i, j, k, node) - behind_from) / (behind_to - behind_from);
                const double share = fmax((double)w->share.value[at], fmin(1, front));
                const double x =
                    fmin(w->sign * (double)image->value[at], share > 0 ? w->blood[w->nearest[at]] : INFINITY);
                if (share > 0 && x > node->outside)
                    image->value[at] = (float)(w->sign * (x + share * (node->outside - x)));
            }
}

int plaque_darken(const tube *t, const seeds_statistics *seeds, double sign, volume *image, size_t *changed) {
    view w = {.t = t, .image = image, .sign = sign};
    const size_t n = volume_size(image);
    uint8_t *close = calloc(n, 1);
    int rc = OK;
    *changed = 0;
    w.nearest = malloc(n * sizeof *w.nearest);
    w.blood = malloc((size_t)t->n * sizeof *w.blood);
    if (close == NULL || w.nearest == NULL || w.blood == NULL) {
        rc = fail_memory("voxels brighter than blood", (double)n * sizeof *w.nearest);
        goto cleanup;
    }
    TRY(find_blood(t, w.blood, &w.brightest));
    TRY(compare_with_blood(&w));
    TRY(find_peaks(&w, seeds, changed));
    message_debug("clearly brighter than blood: %zu voxels", *changed);
    if (*changed == 0)
        goto cleanup;
    for (int a = 0; a < 3; a++)
        TRY(running_maximum(&w.share, a));
    for (size_t i = 0; i < n; i++) {
        close[i] = w.share.value[i] > 0 && w.nearest[i] >= 0;
        const double part = close[i] ? (double)(w.above.value[i] / w.share.value[i]) : 0;
        w.share.value[i] = (float)fmin(1, fmax(0, (part - clean) / (1 - 2 * clean)));
    }
    darken_plaque(&w, close, image);
cleanup:
    free(close);
    free(w.nearest);
    free(w.blood);
    volume_free(&w.field);
    volume_free(&w.above);
    volume_free(&w.share);
    return rc;
}
