/* SPDX-License-Identifier: Apache-2.0 */
#include "segment/voxel/mask_distance.h"
#include "common/base/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    double *f, *z;   /* [n] f: values of the line; z: start of each parabola of the envelope */
    int *at;         /* [n] vertex of each parabola of the envelope */
    float *adjacent; /* [ADJACENT][n] adjacent lines, each in contiguous memory */
} scratch;

enum { ADJACENT = 16 }; /* number of lines transformed together; equals the floats of a cache line */

/* Lower envelope of the parabolas of f[first..last]: line[i] = min(far2, min over k of f[k] + h2 (i - k)^2) for i in
 * from..to. range: first, from, to, last. Parabolas at far2 are skipped. */
static void lower_envelope(float *line, const int range[4], double h2, double far2, const scratch *s) {
    int top = -1;
    for (int q = range[0]; q <= range[3]; q++) {
        double cross = -INFINITY;
        if (s->f[q] >= far2)
            continue;
        for (; top >= 0; top--) {
            const int p = s->at[top];
            cross = (s->f[q] - s->f[p] + h2 * ((double)q * q - (double)p * p)) / (2 * h2 * (q - p));
            if (cross > s->z[top])
                break;
        }
        top++;
        s->at[top] = q;
        s->z[top] = top > 0 ? cross : -INFINITY;
    }
    for (int i = range[1], k = 0; i <= range[2] && top >= 0; i++) {
        while (k < top && s->z[k + 1] < i)
            k++;
        const int p = s->at[k];
        line[i] = (float)fmin(far2, s->f[p] + h2 * (i - p) * (i - p));
    }
}

/* One-dimensional transform. Zeros stay, and separate the line into independent stretches. */
static void transform_line(float *line, int n, double h, double far2, const scratch *s) {
    bool constant = true;
    for (int i = 0; i < n; i++) {
        s->f[i] = (double)line[i];
        constant = constant && s->f[i] == s->f[0];
    }
    if (constant) /* most lines are constant, since they are far away or entirely inside */
        return;
    for (int from = 0, to; from < n; from = to + 1) {
        for (to = from; to < n && s->f[to] > 0; to++)
            ;
        if (to > from)
            lower_envelope(line, (const int[4]){from > 0 ? from - 1 : 0, from, to - 1, to < n ? to : n - 1}, h * h,
                           far2, s);
    }
}

/* Transform `many` adjacent lines, the first one at `first`. */
static void transform_adjacent(float *first, size_t stride, int many, int n, double h, double far2, const scratch *s) {
    bool constant = true;
    for (int i = 1; i < n && constant; i++)
        constant = memcmp(first, first + (size_t)i * stride, (size_t)many * sizeof *first) == 0;
    if (constant)
        return;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < many; k++)
            s->adjacent[k * n + i] = first[(size_t)i * stride + (size_t)k];
    for (int k = 0; k < many; k++)
        transform_line(s->adjacent + (size_t)k * (size_t)n, n, h, far2, s);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < many; k++)
            first[(size_t)i * stride + (size_t)k] = s->adjacent[k * n + i];
}

static int scratch_create(scratch *s, int n) {
    *s = (scratch){malloc((size_t)n * sizeof(double)), malloc((size_t)n * sizeof(double)),
                   malloc((size_t)n * sizeof(int)), malloc((size_t)n * ADJACENT * sizeof(float))};
    return s->f && s->z && s->at && s->adjacent ? OK : fail_memory("distances in a mask", 84.0 * n);
}

static int transform_axis(volume *v, int axis, double far2) {
    int n = v->dims[axis], rc = OK;
    const size_t stride = axis == 0 ? 1 : (axis == 1 ? (size_t)v->dims[0] : (size_t)v->dims[0] * (size_t)v->dims[1]);
    const size_t groups = (stride + ADJACENT - 1) / ADJACENT, blocks = volume_size(v) / (size_t)n / stride;
#pragma omp parallel
    {
        scratch s;
        bool good = true;
#pragma omp critical
        if (scratch_create(&s, n) != OK) {
            good = false;
            rc = ERR_RESOURCE;
        }
#pragma omp for schedule(static)
        for (size_t l = 0; l < blocks * groups; l++) {
            const size_t line = l % groups * ADJACENT, many = stride - line < ADJACENT ? stride - line : ADJACENT;
            if (good)
                transform_adjacent(v->value + l / groups * stride * (size_t)n + line, stride, (int)many, n,
                                   v->spacing_mm[axis], far2, &s);
        }
        free(s.f);
        free(s.z);
        free(s.at);
        free(s.adjacent);
    }
    return rc;
}

/* Squared distance, up to far2, to the nearest voxel where (mask > 0.5) equals `inside`. */
static int squared_distance(const volume *mask, bool inside, const bool axes[3], float far2, volume *out) {
    int rc = OK;
    const size_t n = volume_size(mask);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++)
        out->value[i] = (mask->value[i] > 0.5F) == inside ? 0 : far2;
    for (int a = 0; a < 3 && rc == OK; a++)
        if (axes[a] && mask->dims[a] > 1)
            rc = transform_axis(out, a, (double)far2);
    return rc;
}

int mask_distance(const volume *mask, const bool axes[3], double limit_mm, volume *out) {
    int rc = OK;
    volume to_inside = {0};
    double half = INFINITY, far = 2 * limit_mm;
    for (int a = 0; a < 3; a++)
        if (axes[a])
            half = fmin(half, mask->spacing_mm[a] / 2);
    TRY(volume_create_like(&to_inside, mask));
    TRY(volume_create_like(out, mask));
    TRY(squared_distance(mask, false, axes, (float)(far * far), out));
    TRY(squared_distance(mask, true, axes, (float)(far * far), &to_inside));
    const size_t n = volume_size(out);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++) {
        bool in = mask->value[i] > 0.5F;
        double d = sqrt((double)(in ? out->value[i] : to_inside.value[i])) - half;
        d = fmin(d, limit_mm);
        out->value[i] = (float)(in ? -d : d);
    }
cleanup:
    volume_free(&to_inside);
    if (rc != OK)
        volume_free(out);
    return rc;
}
