/* SPDX-License-Identifier: Apache-2.0 */
#include "common/image/volume.h"
#include "common/base/status.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Number of values in 32 MiB; the system maps larger blocks (memory_keep_freed()) */
static const size_t mapped_values = (size_t)32 << 18;
static const size_t serial_values = 1 << 15;
static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

/* Computes g = D^T D; returns its largest deviation from the identity. */
static double gram_matrix(const double d[9], double g[9]) {
    double worst = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            g[3 * i + j] = d[i] * d[j] + d[3 + i] * d[3 + j] + d[6 + i] * d[6 + j];
            worst = fmax(worst, fabs(g[3 * i + j] - identity[3 * i + j]));
        }
    return worst;
}

/* Nearest orthonormal matrix by Newton-Schulz steps D <- D (3 - D^T D) / 2; converges quadratically. */
static void orthonormalize_matrix(double d[9]) {
    double g[9], next[9];
    for (int step = 0; step < 4 && gram_matrix(d, g) > 1e-15; step++) {
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                double sum = 0;
                for (int k = 0; k < 3; k++)
                    sum += d[3 * i + k] * (3 * identity[3 * k + j] - g[3 * k + j]);
                next[3 * i + j] = sum / 2;
            }
        memcpy(d, next, sizeof next);
    }
}

int volume_set_geometry(volume *v, const int dims[3], const double spacing_mm[3], const double origin_mm[3],
                        const double direction[9]) {
    double g[9];
    bool finite = true;
    memset(v, 0, sizeof *v);
    if (!direction)
        direction = identity;
    for (int a = 0; a < 3; a++) {
        if (dims[a] < 1)
            return fail(
                ERR_INPUT,
                "the image has %d voxels along axis %d, but at least 1 is needed; export or convert the image again",
                dims[a], a);
        if (!(spacing_mm[a] > 0) || !isfinite(spacing_mm[a]))
            return fail(ERR_INPUT,
                        "the image has a voxel spacing of %g mm along axis %d, but the spacing must be above 0; export "
                        "or convert the image again",
                        spacing_mm[a], a);
        if (!isfinite(origin_mm[a]))
            return fail(ERR_INPUT,
                        "the origin in the header of the image is not finite; export or convert the image again");
    }
    for (int k = 0; k < 9; k++)
        finite = finite && isfinite(direction[k]);
    if (!finite || gram_matrix(direction, g) > 1e-3)
        return fail(ERR_INPUT,
                    "the axes of the image are not perpendicular unit vectors; export or convert the image again");
    memcpy(v->dims, dims, sizeof v->dims);
    memcpy(v->spacing_mm, spacing_mm, sizeof v->spacing_mm);
    memcpy(v->origin_mm, origin_mm, sizeof v->origin_mm);
    memcpy(v->direction, direction, sizeof v->direction);
    orthonormalize_matrix(v->direction);
    return OK;
}

/* Array of zeros; NULL: no memory. Large blocks come zeroed from the system. Smaller blocks are reused memory and are
 * zeroed in parallel. */
static float *allocate_zeros(size_t n) {
    float *value = n < mapped_values ? malloc(n * sizeof *value) : calloc(n, sizeof *value);
    if (!value || n >= mapped_values)
        return value;
#pragma omp parallel for schedule(static) if (n > serial_values)
    for (size_t i = 0; i < n; i++)
        value[i] = 0;
    return value;
}

int volume_create(volume *v, const int dims[3], const double spacing_mm[3], const double origin_mm[3],
                  const double direction[9]) {
    int rc = volume_set_geometry(v, dims, spacing_mm, origin_mm, direction);
    if (rc != OK)
        return rc;
    double voxels = (double)dims[0] * dims[1] * dims[2];
    if (voxels * sizeof(float) < 1e12) /* no machine has memory for a larger image */
        v->value = allocate_zeros(volume_size(v));
    if (!v->value)
        return fail_memory("an image", voxels * sizeof(float));
    return OK;
}

int volume_create_like(volume *v, const volume *geometry) {
    volume g = *geometry; /* v and geometry may be the same volume */
    return volume_create(v, g.dims, g.spacing_mm, g.origin_mm, g.direction);
}

int volume_copy(volume *v, const volume *from) {
    const size_t n = volume_size(from);
    *v = *from;
    v->value = malloc(n * sizeof *v->value);
    if (!v->value)
        return fail_memory("an image", (double)n * sizeof *v->value);
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < n; i++)
        v->value[i] = from->value[i];
    return OK;
}

void volume_free(volume *v) {
    free(v->value);
    v->value = NULL;
}

void volume_to_lps(const volume *v, const double index[3], double lps_mm[3]) {
    double p[3];
    for (int i = 0; i < 3; i++) {
        p[i] = v->origin_mm[i];
        for (int j = 0; j < 3; j++)
            p[i] += v->direction[3 * i + j] * v->spacing_mm[j] * index[j];
    }
    memcpy(lps_mm, p, sizeof p);
}

void volume_to_index(const volume *v, const double lps_mm[3], double index[3]) {
    double x[3];
    for (int j = 0; j < 3; j++) {
        x[j] = 0;
        for (int i = 0; i < 3; i++)
            x[j] += v->direction[3 * i + j] * (lps_mm[i] - v->origin_mm[i]);
        x[j] /= v->spacing_mm[j];
    }
    memcpy(index, x, sizeof x);
}

bool volume_contains(const volume *v, const double lps_mm[3]) {
    double x[3];
    volume_to_index(v, lps_mm, x);
    for (int a = 0; a < 3; a++)
        if (!(x[a] >= -0.5 && x[a] <= v->dims[a] - 0.5))
            return false;
    return true;
}

double volume_sample(const volume *v, const double lps_mm[3]) {
    const double *d = v->direction, x = lps_mm[0] - v->origin_mm[0], y = lps_mm[1] - v->origin_mm[1],
                 z = lps_mm[2] - v->origin_mm[2];
    const size_t stride[3] = {1, (size_t)v->dims[0], (size_t)v->dims[0] * (size_t)v->dims[1]};
    const float *p = v->value;
    size_t up[3];
    double w[3];
    for (int a = 0; a < 3; a++) {
        const double index = (d[a] * x + d[3 + a] * y + d[6 + a] * z) / v->spacing_mm[a];
        /* clamps to the volume; NaN becomes 0 */
        const double clamped = index > 0 ? (index < v->dims[a] - 1 ? index : v->dims[a] - 1) : 0;
        const int low = (int)clamped;
        w[a] = clamped - low;
        up[a] = w[a] > 0 ? stride[a] : 0; /* at a voxel centre the next voxel has weight 0 and is not read */
        p += (size_t)low * stride[a];
    }
    const float *q = p + up[1], *r = p + up[2], *s = q + up[2];
    const double near = (1 - w[1]) * ((1 - w[0]) * (double)p[0] + w[0] * (double)p[up[0]]) +
                        w[1] * ((1 - w[0]) * (double)q[0] + w[0] * (double)q[up[0]]);
    const double far = (1 - w[1]) * ((1 - w[0]) * (double)r[0] + w[0] * (double)r[up[0]]) +
                       w[1] * ((1 - w[0]) * (double)s[0] + w[0] * (double)s[up[0]]);
    return (1 - w[2]) * near + w[2] * far;
}
