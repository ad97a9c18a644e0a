/* SPDX-License-Identifier: Apache-2.0 */
/* Side branches of a straight oblique vessel: one that leaves it, one that leaves that, and a vessel as bright that
 * only touches it in passing. */
#include "common/base/status.h"
#include "common/base/vec.h"
#include "segment/vessel/vessel_region.h"
#include "segment/level_set/level_set.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static const double vessel = 100, tissue = 40;

typedef struct {
    double a[3], b[3], radius;
} rod;

enum { MAIN, FIRST, SECOND, PASSING, RODS }; /* PASSING touches MAIN */
static const rod all[RODS] = {{{-6, -4, -40}, {6, 4, 40}, 4.2},
                              {{-1, -0.7, -7}, {34, 14, 8}, 3},
                              {{11.2, 4.4, -1.8}, {16, -15, 3}, 2.4},
                              {{-23, 21, 20.6}, {15, -24, 14.6}, 3}}; /* wall to wall */

static const double voxels[3] = {1, 1, 1.2};

static double rod_distance(const rod *r, const double p[3]) {
    double d[3], q[3];
    vec_add(r->b, -1, r->a, d);
    vec_add(p, -1, r->a, q);
    const double t = fmin(1, fmax(0, vec_dot(q, d) / vec_dot(d, d)));
    vec_add(q, -t, d, q);
    return vec_length(q) - r->radius;
}

static double nearest_rod(int n, const rod *rods, const double p[3]) {
    double least = INFINITY;
    for (int k = 0; k < n; k++)
        least = fmin(least, rod_distance(&rods[k], p));
    return least;
}

static double truth(const double p[3]) {
    return nearest_rod(RODS, all, p);
}

/* Draws rods in an image of 76 x 64 x 86 mm, with noise of a fifth of the contrast. */
static volume draw(int n_rod, const rod *rods, const double spacing[3]) {
    volume v;
    uint64_t state = 88172645463325252ULL;
    const int dims[3] = {(int)(76 / spacing[0]), (int)(64 / spacing[1]), (int)(86.4 / spacing[2])};
    const double origin[3] = {-34, -32, -42.6}, voxel = spacing[0];
    assert_int_equal(volume_create(&v, dims, spacing, origin, NULL), OK);
    for (int k = 0; k < dims[2]; k++)
        for (int j = 0; j < dims[1]; j++)
            for (int i = 0; i < dims[0]; i++) {
                double p[3], noise = 0;
                volume_to_lps(&v, (const double[3]){i, j, k}, p);
                for (int n = 0; n < 4; n++) { /* a sum of four uniform numbers, standard deviation 12 */
                    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
                    noise += (double)(state >> 33) / 2147483648.0 - 0.5;
                }
                const double in = fmin(1, fmax(0, 0.5 - nearest_rod(n_rod, rods, p) / voxel));
                v.value[volume_index(&v, i, j, k)] = (float)(tissue + (vessel - tissue) * in + 21 * noise);
            }
    return v;
}

static const double seed[1][3] = {{0.4, -0.3, 0.5}}, end[2][3] = {{-4.5, -3, -30}, {4.5, 3, 30}};

static side_list find(const volume *image, int wanted, tube *t) {
    const seeds_statistics seeds = {
        .bright = true, .inside = vessel, .outside = tissue, .radius_mm = 4.2, .narrow_mm = 3.6};
    const double normal[2][3] = {{NAN, 0, 0}, {NAN, 0, 0}};
    const vessel_region_openings openings = {2, (const double(*)[3])end, (const double(*)[3])normal};
    side_list sides = {.wanted = wanted};
    assert_int_equal(vessel_region_find(image, &seeds, 1, NAN, 1, seed, &openings, &sides, t), OK);
    return sides;
}

/* A branch of the list leaves where that rod does, with its width and direction. */
static void assert_is(const side_branch *b, const rod *r, int order, bool taken) {
    double d[3];
    vec_add(r->b, -1, r->a, d);
    vec_normalize(d);
    assert_true(rod_distance(r, b->point_mm) < -0.5 * r->radius);
    assert_true(vec_dot(d, b->normal) > 0.9);
    assert_true(fabs(b->radius_mm - r->radius) < 0.5);
    assert_true(b->length_mm > 12);
    assert_int_equal(b->order, order);
    assert_int_equal(b->taken, taken);
}

static void orders(void **state) {
    (void)state;
    volume image = draw(RODS, all, voxels);
    for (int wanted = 0; wanted < 3; wanted++) {
        tube t;
        const side_list sides = find(&image, wanted, &t);
        assert_int_equal(t.n_piece, 1 + wanted);
        assert_int_equal(sides.n, wanted > 0 ? 2 : 1); /* those of the next order are named, what passes is not */
        assert_is(&sides.branch[0], &all[FIRST], 1, wanted >= 1);
        if (wanted > 0)
            assert_is(&sides.branch[1], &all[SECOND], 2, wanted >= 2);
        for (int k = 1; k < t.n_piece; k++) /* pieces begin in the vessel and follow the rods to their round ends */
            for (int i = t.first[k]; i < t.first[k + 1]; i++)
                assert_true(truth(t.node[i].at_mm) < (i + 8 < t.first[k + 1] ? -1 : 2));
        tube_free(&t);
    }
    volume_free(&image);
}

/* In the lumen: the first branch is there to its end within the image, or cut at the vessel's wall. */
static void lumen(void **state) {
    (void)state;
    volume image = draw(RODS, all, voxels), level;
    const double inside[3] = {16.5, 6.7, 0.5}; /* in the first branch, 17 mm away */
    for (int wanted = 0; wanted < 2; wanted++) {
        level_set_report report;
        level_set_options o = {-1, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0, NAN, .n_opening = 2};
        o.opening_mm = end;
        o.crop_mm = 40;
        o.side_branches = wanted;
        assert_int_equal(level_set_run(&image, 1, seed, &o, &level, &report), OK);
        assert_true(report.bounded);
        assert_true((volume_contains(&level, inside) ? volume_sample(&level, inside) < -1 : false) == (wanted > 0));
        volume_free(&level);
    }
    volume_free(&image);
}

/* A vessel that ends beside the main vessel, and touches it, is listed as such. A branch is not. */
static void touching_end(void **state) {
    (void)state;
    for (int branch = 0; branch < 2; branch++) {
        const rod pair[2] = {all[MAIN], {{branch ? 0 : 6.4, branch ? 0 : 2.9, 0}, {34, 14, 8}, 3}};
        volume image = draw(2, pair, voxels);
        tube t;
        const side_list sides = find(&image, 0, &t);
        assert_int_equal(sides.n, 1);
        assert_int_equal(sides.branch[0].touches, !branch);
        tube_free(&t);
        volume_free(&image);
    }
}

/* A branch a third as wide as the vessel is listed if it is at least two voxels wide; noise lists none. */
static void narrow_branches(void **state) {
    (void)state;
    const struct {
        double voxel_mm, radius_mm;
        int listed;
    } tried[] = {{1, 1.5, 1}, {1, 1.25, 1}, {2, 2, 1}, {2.5, 3.35, 1}, {1, 0.01, 0}, {2, 0.01, 0}};
    for (size_t k = 0; k < sizeof tried / sizeof *tried; k++) {
        const double h = tried[k].voxel_mm;
        const rod pair[2] = {all[MAIN], {{0, 0, 0}, {30, 12, 10}, tried[k].radius_mm}};
        volume image = draw(2, pair, (const double[3]){h, h, h});
        tube t;
        const side_list sides = find(&image, 0, &t);
        assert_int_equal(sides.n, tried[k].listed);
        if (sides.n > 0) {
            assert_true(fabs(sides.branch[0].radius_mm - pair[1].radius) < 0.15 * h);
            assert_true(fabs(rod_distance(&pair[0], sides.branch[0].point_mm)) < 1.5 * h);
        }
        tube_free(&t);
        volume_free(&image);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(orders), cmocka_unit_test(lumen),
                                       cmocka_unit_test(touching_end), cmocka_unit_test(narrow_branches)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
