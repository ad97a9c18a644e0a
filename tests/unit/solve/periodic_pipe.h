/* SPDX-License-Identifier: Apache-2.0 */
/* A periodic pipe, straight or at an angle to the grid, for flows that a body force drives. */
#ifndef PORTAFLOW_TESTS_PERIODIC_PIPE_H
#define PORTAFLOW_TESTS_PERIODIC_PIPE_H
#include "common/base/status.h"
#include "common/surface/shape.h"
#include "mesh/cells/voxelize.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* A pipe along an integer direction, periodic: the box is `repeat` steps of the direction, wide enough that the pipe
 * does not meet its images. */
typedef struct {
    int along[3];
    int box[3];       /* cells, for 16 cells across; the periodic axes must be whole multiples of along */
    double offset[2]; /* of the axis, in cells */
} pipe_case;

/* Shortest vector from the axis (through `a`, direction n) to p, over the periodic images. */
static inline double axis_vector(const lattice *l, const double a[3], const double n[3], const int32_t *p,
                                 double out[3]) {
    double best = INFINITY;
    for (int image = 0; image < 27; image++) {
        const int shift[3] = {image % 3 - 1, image / 3 % 3 - 1, image / 9 - 1};
        double r[3], along = 0, square = 0;
        for (int k = 0; k < 3; k++) {
            r[k] = p[k] + shift[k] * l->dims[k] - a[k];
            along += r[k] * n[k];
        }
        for (int k = 0; k < 3; k++) {
            r[k] -= along * n[k];
            square += r[k] * r[k];
        }
        if (square < best) {
            best = square;
            for (int k = 0; k < 3; k++)
                out[k] = r[k];
        }
    }
    return sqrt(best);
}

typedef struct {
    shape pipe;
    double size[3];
} periodic_pipe;

static double pipe_distance(const void *data, const double p[3]) {
    const periodic_pipe *t = data;
    double best = INFINITY;
    for (int image = 0; image < 27; image++) {
        const double q[3] = {p[0] + (image % 3 - 1) * t->size[0], p[1] + (image / 3 % 3 - 1) * t->size[1],
                             p[2] + (image / 9 - 1) * t->size[2]};
        best = fmin(best, shape_distance_mm(&t->pipe, q));
    }
    return best;
}

/* across: cells per diameter; corners: with links for D3Q27. Sets a point of the axis and its direction n. */
static inline lattice pipe_lattice(const pipe_case *c, int across, bool corners, double axis[3], double n[3]) {
    lattice l;
    periodic_pipe t = {.pipe = {.kind = SHAPE_CYLINDER, .radius = {across / 2.0}}};
    voxelize_input in = {.distance = pipe_distance, .data = &t, .spacing_mm = 1, .corners = corners};
    const double length = sqrt(c->along[0] * c->along[0] + c->along[1] * c->along[1] + c->along[2] * c->along[2]);
    for (int k = 0; k < 3; k++) {
        const bool thin = c->along[0] == 0 && c->along[1] == 0 && k == 2; /* straight along z: two cells are enough */
        in.dims[k] = thin ? 2 : c->box[k] * across / 16;
        in.periodic[k] = true;
        t.size[k] = in.dims[k];
        n[k] = c->along[k] / length;
        axis[k] = 0.5 * in.dims[k] + (k < 2 ? c->offset[k] : 0);
        t.pipe.a[k] = axis[k];
        t.pipe.b[k] = axis[k] + n[k];
    }
    assert_int_equal(voxelize(&in, &l, NULL), OK);
    return l;
}

static const pipe_case straight = {{0, 0, 1}, {20, 20, 2}, {0.37, -0.19}};
/* The box holds one period of the direction; images are |box step| * sin(angle) apart, more than 16 cells. */
static const pipe_case angled[3] = {{{0, 1, 2}, {20, 20, 40}, {0.21, 0.43}},
                                    {{1, 1, 1}, {24, 24, 24}, {-0.31, 0.12}},
                                    {{0, 1, 1}, {20, 28, 28}, {0.08, -0.44}}};
#endif
