/* SPDX-License-Identifier: Apache-2.0 */
/* Connected pieces against a flood fill: many balls in a box of several slabs of planes, some of them joined, with and
 * without ends that meet; a chamber, where the wall is far from most cells. */
#include "common/base/status.h"
#include "mesh/cells/voxelize.h"
#include "mesh/cells/fluid_pieces.h"
#include "mesh/cells/thin_walls.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N_X = 37, N_Y = 33, N_Z = 71, BALLS_MAX = 400 };

typedef struct {
    int n;
    double centre[BALLS_MAX][3], radius[BALLS_MAX];
} balls;

static double uniform(uint64_t *seed, double low, double high) {
    *seed = *seed * 6364136223846793005U + 1442695040888963407U;
    return low + (high - low) * (double)(*seed >> 11) / (double)(1ULL << 53);
}

/* Along z the box repeats. */
static double distance(const void *data, const double p[3]) {
    const balls *b = data;
    double least = INFINITY;
    for (int k = 0; k < b->n; k++) {
        double square = 0;
        for (int a = 0; a < 3; a++) {
            const double d = p[a] - b->centre[k][a], whole = a == 2 ? N_Z * round(d / N_Z) : 0;
            square += (d - whole) * (d - whole);
        }
        least = fmin(least, sqrt(square) - b->radius[k]);
    }
    return least;
}

/* [c->n] the smallest cell of the piece of each fluid centre, -1 of the others. */
static int32_t *flood(const fluid_cells *c) {
    int32_t *root = malloc((size_t)(c->n + 1) * sizeof *root), *queue = malloc((size_t)(c->n + 1) * sizeof *queue);
    int32_t(*at)[3] = malloc((size_t)(c->n + 1) * sizeof *at), x[N_X];
    assert_true(root && queue && at);
    for (int z = 0; z < N_Z; z++)
        for (int y = 0; y < N_Y; y++) {
            int64_t first;
            const int n = cell_map_row(&c->map, y, z, x, &first);
            for (int k = 0; k < n; k++)
                memcpy(at[first + k], (int32_t[3]){x[k], y, z}, sizeof *at);
        }
    for (int64_t i = 0; i < c->n; i++)
        root[i] = -1;
    for (int64_t i = 0; i < c->n; i++) {
        int64_t head = 0, tail = 0;
        if (root[i] >= 0 || !(c->distance_mm[i] < 0))
            continue;
        root[i] = queue[tail++] = (int32_t)i;
        while (head < tail) {
            const int32_t cell = queue[head++];
            for (int dir = 1; dir < 19; dir++) {
                const int8_t *e = lattice_e[dir];
                const int64_t to = cell_map_find(&c->map, at[cell][0] + e[0], at[cell][1] + e[1], at[cell][2] + e[2]);
                if (to < 0 || root[to] >= 0 || !(c->distance_mm[to] < 0) || thin_walls_at(c, cell, dir))
                    continue;
                root[to] = (int32_t)i;
                queue[tail++] = (int32_t)to;
            }
        }
    }
    free(queue);
    free(at);
    return root;
}

static int count_and_compare(const balls *b, bool periodic) {
    voxelize_input in = {.distance = distance, .data = b, .spacing_mm = 1, .periodic = {false, false, periodic}};
    const double low[3] = {-0.5, -0.5, -0.5}, high[3] = {N_X - 0.5, N_Y - 0.5, N_Z - 0.5};
    fluid_cells c;
    fluid_pieces p;
    int count = 0;
    int64_t sum = 0, fluid = 0;
    assert_int_equal(voxelize_box(&in, low, high), OK);
    assert_int_equal(fluid_cells_create(&c, &in), OK);
    assert_int_equal(thin_walls_find(&c, &in), OK);
    assert_int_equal(fluid_pieces_create(&p, &c, &in, NULL), OK);
    int32_t *root = flood(&c);
    for (int64_t i = 0; i < c.n; i++) {
        assert_int_equal(p.parent[i], root[i]);
        count += root[i] == i;
        sum += p.size[i];
        fluid += c.distance_mm[i] < 0;
    }
    assert_int_equal(sum, fluid);
    assert_int_equal(p.n_touch, 0);
    free(root);
    fluid_pieces_free(&p);
    fluid_cells_free(&c);
    return count;
}

static void balls_are_joined_as_by_a_flood(void **state) {
    (void)state;
    uint64_t seed = 11;
    balls *b = calloc(1, sizeof *b);
    assert_non_null(b);
    for (int round = 0; round < 3; round++) {
        b->n = 100 * (round + 1);
        for (int k = 0; k < b->n; k++) {
            const double most[3] = {N_X, N_Y, N_Z};
            for (int a = 0; a < 3; a++)
                b->centre[k][a] = uniform(&seed, 0, most[a]);
            b->radius[k] = uniform(&seed, 1.2, 3);
        }
        const int open = count_and_compare(b, false), closed = count_and_compare(b, true);
        assert_true(closed > 1 && open > closed); /* some pieces go on beyond the box's ends */
    }
    free(b);
}

static void chamber_is_one(void **state) {
    (void)state;
    balls *b = calloc(1, sizeof *b);
    assert_non_null(b);
    b->n = 2;
    memcpy(b->centre, (double[2][3]){{18, 16, 20}, {18, 16, 49}}, sizeof(double[2][3]));
    b->radius[0] = b->radius[1] = 14;
    assert_int_equal(count_and_compare(b, false), 2);
    b->radius[1] = 16;
    assert_int_equal(count_and_compare(b, false), 1);
    free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls_are_joined_as_by_a_flood),
        cmocka_unit_test(chamber_is_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
