/* SPDX-License-Identifier: Apache-2.0 */
/* A narrow vessel as a scanner shows it, drawn on parts of a voxel, and how far outside the true wall a wall lies. */
#ifndef PORTAFLOW_TESTS_NARROW_H
#define PORTAFLOW_TESTS_NARROW_H
#include "common/base/status.h"
#include "segment/voxel/distance.h"
#include "segment/voxel/grid.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

enum { NARROW_PARTS = 4 };

/* A cylinder; lengths in voxels (thin axis). */
typedef struct {
    double radius, along[3], offset[3]; /* along: unit; offset: of its axis from the middle of the image */
    double slices;                      /* thickness of the slices, voxels */
    double sigma;                       /* point spread, beside the voxel's own width */
    double noise;                       /* of the contrast */
    double vessel, tissue;              /* intensities */
    int size;                           /* voxels of the cube */
    unsigned seed;
} narrow;

static inline double narrow_distance(const narrow *n, const double mm[3]) {
    double p[3], t = 0, q = 0;
    for (int a = 0; a < 3; a++) {
        p[a] = mm[a] - (n->size - 1) / 2.0 - n->offset[a];
        t += p[a] * n->along[a];
        q += p[a] * p[a];
    }
    const double r = sqrt(fmax(0, q - t * t));
    return r - n->radius;
}

static inline double narrow_normal(unsigned *state) {
    double sum = 0;
    for (int k = 0; k < 12; k++) {
        *state = *state * 1664525u + 1013904223u;
        sum += (double)(*state >> 8) / (1 << 24);
    }
    return sum - 6;
}

/* image: voxels of 1 x 1 x slices mm, each the mean over its box of the vessel seen through a Gaussian. */
static inline void narrow_draw(const narrow *n, volume *image) {
    const int thick = (int)lround(NARROW_PARTS * n->slices), slices = (int)(n->size / n->slices);
    const int dims[3] = {n->size * NARROW_PARTS, n->size * NARROW_PARTS, slices * thick};
    const double h = 1.0 / NARROW_PARTS, hz = n->slices / thick, first[3] = {-0.5 + h / 2, -0.5 + h / 2, -0.5 + hz / 2};
    volume fine;
    unsigned state = n->seed + 1;
    assert_int_equal(volume_create(&fine, dims, (const double[3]){h, h, hz}, first, NULL), OK);
#pragma omp parallel for schedule(static)
    for (int k = 0; k < dims[2]; k++)
        for (int j = 0; j < dims[1]; j++)
            for (int i = 0; i < dims[0]; i++) {
                const double p[3] = {first[0] + i * h, first[1] + j * h, first[2] + k * hz};
                const double d = narrow_distance(n, p), share = fmin(1, fmax(0, 0.5 - d / h));
                fine.value[volume_index(&fine, i, j, k)] = (float)(n->tissue + share * (n->vessel - n->tissue));
            }
    const double sigma = n->sigma / h;
    assert_int_equal(grid_smooth(&fine, (const double[3]){sigma, sigma, n->sigma / hz}), OK);
    const int out[3] = {n->size, n->size, slices};
    assert_int_equal(volume_create(image, out, (const double[3]){1, 1, n->slices},
                                   (const double[3]){0, 0, (n->slices - 1) / 2}, NULL),
                     OK);
    for (int k = 0; k < slices; k++)
        for (int j = 0; j < n->size; j++)
            for (int i = 0; i < n->size; i++) {
                double sum = 0;
                for (int c = 0; c < thick; c++)
                    for (int b = 0; b < NARROW_PARTS; b++)
                        for (int a = 0; a < NARROW_PARTS; a++)
                            sum += (double)fine.value[volume_index(&fine, i * NARROW_PARTS + a, j * NARROW_PARTS + b,
                                                                   k * thick + c)];
                image->value[volume_index(image, i, j, k)] =
                    (float)(sum / (NARROW_PARTS * NARROW_PARTS * thick) +
                            n->noise * fabs(n->vessel - n->tissue) * narrow_normal(&state));
            }
    volume_free(&fine);
}

/* Mean distance of the wall outwards of the true one, area-weighted, where it runs at least `ends` voxels from the
 * faces of the image. */
static inline double narrow_off(const narrow *n, const surface *wall, double ends) {
    double area = 0, sum = 0;
    for (int64_t t = 0; t < wall->n_triangle; t++) {
        const double *q[3];
        double u[3], v[3], w = 0, middle[3];
        bool in = true;
        for (int k = 0; k < 3; k++)
            q[k] = wall->point_mm + 3 * wall->triangle[3 * t + k];
        for (int a = 0; a < 3; a++) {
            u[a] = q[1][a] - q[0][a];
            v[a] = q[2][a] - q[0][a];
            middle[a] = (q[0][a] + q[1][a] + q[2][a]) / 3;
            in = in && middle[a] > ends && middle[a] < n->size - 1 - ends;
        }
        for (int a = 0; a < 3; a++)
            w += pow(u[(a + 1) % 3] * v[(a + 2) % 3] - u[(a + 2) % 3] * v[(a + 1) % 3], 2);
        const double d = narrow_distance(n, middle);
        if (!in || fabs(d) > fmax(2, n->radius))
            continue;
        w = sqrt(w);
        area += w;
        sum += w * d;
    }
    return sum / area;
}
#endif
