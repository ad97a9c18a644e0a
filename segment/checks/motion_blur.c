/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/checks/motion_blur.h"
#include "common/base/order.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "segment/checks/checks_constants.h"
#include <math.h>
#include <stdlib.h>

typedef struct {
    double normal[3]; /* unit normal, in voxel coordinates */
    float value[BLUR_SAMPLES];
} profile;

/* Sample a profile along the normal n at p in steps of half a voxel. Returns false if the profile leaves the image. */
static bool sample_profile(const volume *image, const double p[3], const double n[3], profile *out) {
    double index[3], further[3], one[3], q[3];
    vec_add(p, 1, n, q);
    volume_to_index(image, p, index);
    volume_to_index(image, q, further);
    for (int a = 0; a < 3; a++)
        out->normal[a] = further[a] - index[a];
    const double length = vec_length(out->normal);
    if (!(length > 0))
        return false;
    for (int a = 0; a < 3; a++) {
        one[a] = n[a] / length;
        out->normal[a] /= length;
    }
    for (int s = 0; s < BLUR_SAMPLES; s++) {
        vec_add(p, BLUR_STEP * s - BLUR_DEPTH, one, q);
        if (!volume_contains(image, q))
            return false;
        out->value[s] = (float)volume_sample(image, q);
    }
    return true;
}

static int sample_profiles(const volume *image, const surface *wall, profile *out) {
    const int64_t skip = wall->n_triangle / BLUR_PLACES + 1;
    int n = 0;
    for (int64_t t = 0; t < wall->n_triangle && n < BLUR_PLACES; t += skip) {
        double normal[3], middle[3] = {0};
        surface_triangle_mm2(wall, t, normal);
        if (!vec_normalize(normal))
            continue;
        for (int k = 0; k < 3; k++)
            vec_add(middle, 1 / 3.0, wall->point_mm + 3 * wall->triangle[3 * t + k], middle);
        n += sample_profile(image, middle, normal, &out[n]);
    }
    return n;
}

/* Edge width, in voxels, of the median of the profiles that face d; NaN: too few profiles, or no edge. */
static double edge_width_facing(const profile *p, int n, const double d[3], int first, float *work) {
    double m[BLUR_SAMPLES], in = 0, out = 0;
    int n_in = 0, last_bright = -1, first_dark = -1;
    for (int s = 0; s < BLUR_SAMPLES; s++) {
        int count = 0;
        for (int i = 0; i < n; i++)
            if (vec_dot(p[i].normal, d) > FACING)
                work[count++] = p[i].value[s];
        if (count < MIN_PROFILES)
            return NAN;
        qsort(work, (size_t)count, sizeof *work, order_float);
        m[s] = (double)work[count / 2];
    }
    for (int s = first; BLUR_STEP * s - BLUR_DEPTH <= -1; s++, n_in++)
        in += m[s];
    for (int s = FIRST_OUT; s <= LAST_OUT; s++)
        out += m[s] / (LAST_OUT - FIRST_OUT + 1);
    in /= n_in;
    for (int s = first; s < BLUR_SAMPLES; s++)
        m[s] = (m[s] - out) / (in - out);
    for (int s = first; s + 1 < BLUR_SAMPLES; s++) {
        last_bright = m[s] >= EDGE_TOP && m[s + 1] < EDGE_TOP ? s : last_bright;
        first_dark = first_dark < 0 && m[s] >= EDGE_FOOT && m[s + 1] < EDGE_FOOT ? s : first_dark;
    }
    if (last_bright < 0 || first_dark < last_bright)
        return NAN;
    const double a = last_bright + (m[last_bright] - EDGE_TOP) / (m[last_bright] - m[last_bright + 1]);
    const double b = first_dark + (m[first_dark] - EDGE_FOOT) / (m[first_dark] - m[first_dark + 1]);
    return BLUR_STEP * (b - a);
}

int motion_blur_find(const volume *image, const surface *wall, double radius_mm, motion_blur *out) {
    const double *h = image->spacing_mm;
    const double depth = fmin(BLUR_DEPTH, radius_mm / cbrt(h[0] * h[1] * h[2]));
    const int first = (int)ceil((BLUR_DEPTH - depth) / BLUR_STEP);
    double widest = 0, narrowest = INFINITY;
    int rc = OK;
    *out = (motion_blur){.widest = NAN, .narrowest = NAN};
    if (depth < MIN_RADIUS || volume_thickest_mm(image) > MAX_ASPECT * volume_thinnest_mm(image))
        return OK;
    profile *p = malloc(BLUR_PLACES * sizeof *p);
    float *all = malloc((size_t)BLUR_DIRECTIONS * BLUR_PLACES * sizeof *all);
    if (p == NULL || all == NULL)
        GIVE_UP(fail_memory("the wall", (double)BLUR_PLACES * sizeof *p));
    const int n = sample_profiles(image, wall, p);
#pragma omp parallel for schedule(dynamic, 1) reduction(max : widest) reduction(min : narrowest)
    for (int k = 0; k < BLUR_DIRECTIONS; k++) {
        float *work = all + (size_t)k * BLUR_PLACES;
        double d[3], back[3];
        vec_half_sphere(k, BLUR_DIRECTIONS, d);
        for (int a = 0; a < 3; a++)
            back[a] = -d[a];
        const double one = edge_width_facing(p, n, d, first, work), other = edge_width_facing(p, n, back, first, work);
        if (isnan(one) || isnan(other))
            continue;
        widest = fmax(widest, fmin(one, other));
        narrowest = fmin(narrowest, fmax(one, other));
    }
    if (!(widest > 0))
        goto cleanup;
    *out = (motion_blur){widest >= WIDE_EDGE && widest >= WIDER_EDGE * narrowest, widest, narrowest};
cleanup:
    free(p);
    free(all);
    return rc;
}
