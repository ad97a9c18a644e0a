/* SPDX-License-Identifier: Apache-2.0 */
/* A cylinder along x with a layer of another tissue round it and a third beyond, as a scanner shows it. */
#ifndef PORTAFLOW_TESTS_CYLINDER_H
#define PORTAFLOW_TESTS_CYLINDER_H
#include "common/base/status.h"
#include "segment/voxel/grid.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

typedef struct {
    int length, width;            /* cells of the image along x, and along y and z */
    double radius, middle[2];     /* cells */
    double vessel, layer, beyond; /* intensities */
} cylinder;

/* image: the layer is `thick` cells, smoothed by sigma (cells); level: the true wall's distance moved by `off`. */
static inline void cylinder_draw(const cylinder *c, double thick, const double sigma[3], double off, volume *image,
                                 volume *level) {
    const int dims[3] = {c->length, c->width, c->width};
    assert_int_equal(volume_create(image, dims, (const double[3]){1, 1, 1}, (const double[3]){0, 0, 0}, NULL), OK);
    assert_int_equal(volume_create_like(level, image), OK);
    for (int k = 0; k < c->width; k++)
        for (int j = 0; j < c->width; j++)
            for (int i = 0; i < c->length; i++) {
                const size_t at = volume_index(image, i, j, k);
                double sum = 0;
                for (int n = 0; n < 64; n++) {
                    const double r = hypot(j + (n % 8 - 3.5) / 8 - c->middle[0], k + (n / 8 - 3.5) / 8 - c->middle[1]);
                    sum += r < c->radius ? c->vessel : r < c->radius + thick ? c->layer : c->beyond;
                }
                image->value[at] = (float)(sum / 64);
                level->value[at] = (float)(hypot(j - c->middle[0], k - c->middle[1]) - c->radius + off);
            }
    assert_int_equal(grid_smooth(image, sigma), OK);
}
#endif
