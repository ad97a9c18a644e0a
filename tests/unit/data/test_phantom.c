/* SPDX-License-Identifier: Apache-2.0 */
/* The phantoms' shapes: openings, branches, volumes, scale, and the boxes of the paper. */
#include "common/base/status.h"
#include "data/phantom/phantom.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static phantom made[PHANTOM_KINDS]; /* each kind at scale 1 */

static int make_all(void **state) {
    (void)state;
    for (int kind = 0; kind < PHANTOM_KINDS; kind++)
        if (phantom_make(kind, 1, &made[kind]) != OK)
            return -1;
    return 0;
}

static double distance(const phantom *p, const double point[3], const double direction[3], double along) {
    const double moved[3] = {point[0] + along * direction[0], point[1] + along * direction[1],
                             point[2] + along * direction[2]};
    return shape_distance_mm(&p->shape, moved);
}

static void names_and_kinds(void **state) {
    (void)state;
    phantom p;
    for (int kind = 0; kind < PHANTOM_KINDS; kind++)
        assert_int_equal(phantom_find(phantom_name(kind)), kind);
    assert_null(phantom_name(PHANTOM_KINDS));
    assert_int_equal(phantom_find("Portal"), -1);
    assert_int_equal(phantom_make(-1, 1, &p), ERR_USAGE);
    status_clear();
    assert_int_equal(phantom_make(PHANTOM_TUBE, 0, &p), ERR_USAGE);
    status_clear();
    assert_int_equal(phantom_make(PHANTOM_TUBE, NAN, &p), ERR_USAGE);
    status_clear();
}

/* Every opening: its centre is as far from the wall as its radius, the vessel goes on beyond, the normal leads out. */
static void openings_lie_across_the_vessel(void **state) {
    (void)state;
    for (int kind = 0; kind < PHANTOM_KINDS; kind++) {
        const phantom *p = &made[kind];
        int inlets = 0;
        for (int i = 0; i < p->n_opening; i++) {
            const phantom_opening *o = &p->opening[i];
            const double length = hypot(hypot(o->normal[0], o->normal[1]), o->normal[2]);
            assert_true(fabs(length - 1) < 1e-12);
            for (int k = 0; k < 8; k++)
                assert_true(fabs(distance(p, o->point_mm, o->normal, k * o->radius_mm / 4) + o->radius_mm) < 1e-9);
            assert_true(distance(p, o->point_mm, o->normal, 4 * o->radius_mm) > 0); /* closed further out */
            assert_true(distance(p, o->point_mm, o->normal, -o->radius_mm) < 0);
            assert_true((o->flow_l_min > 0) == o->inlet);
            inlets += o->inlet;
        }
        assert_in_range(inlets, 1, p->n_opening - 1);
    }
}

static void branches_run_inside(void **state) {
    (void)state;
    for (int kind = 0; kind < PHANTOM_KINDS; kind++) {
        const phantom *p = &made[kind];
        for (int i = 0; i < p->n_branch; i++) {
            const phantom_branch *b = &p->branch[i];
            assert_true(b->count > 0 && b->first + b->count <= p->shape.n_segment);
            assert_true(shape_distance_mm(&p->shape, b->middle_mm) < -0.95 * b->radius_mm);
            for (int j = b->first; j + 1 < b->first + b->count; j++) /* one line without gaps */
                for (int k = 0; k < 3; k++)
                    assert_true(p->segment[j].b[k] == p->segment[j + 1].a[k]);
        }
    }
}

static void volumes_match_formulas(void **state) {
    (void)state;
    assert_true(fabs(phantom_volume_mm3(&made[PHANTOM_TUBE], 0.25) / (M_PI * 16 * 48) - 1) < 3e-3);
    /* Pappus: the bend's centreline times its area */
    assert_true(fabs(phantom_volume_mm3(&made[PHANTOM_CURVED], 0.25) / (M_PI * 16 * (40 + 30 * 2 * M_PI / 3)) - 1) <
                5e-3);
    /* mean of (4 - 0.8 (1 + cos))^2 = 10.56 over 16 mm */
    assert_true(fabs(phantom_volume_mm3(&made[PHANTOM_STENOSIS], 0.25) / (M_PI * (16 * 64 + 10.56 * 16)) - 1) < 5e-3);
}

static void scale_enlarges_everything(void **state) {
    (void)state;
    for (int kind = PHANTOM_PORTAL; kind <= PHANTOM_CAROTID; kind += PHANTOM_CAROTID) {
        const phantom *one = &made[kind];
        phantom two;
        assert_int_equal(phantom_make(kind, 2, &two), OK);
        for (int i = 0; i < 200; i++) {
            const double p[3] = {i % 7 * 10 - 30, i % 11 * 10 - 40, i % 13 * 10 - 50};
            const double q[3] = {2 * p[0], 2 * p[1], 2 * p[2]};
            assert_true(fabs(2 * shape_distance_mm(&one->shape, p) - shape_distance_mm(&two.shape, q)) < 1e-9);
        }
        for (int i = 0; i < one->n_opening; i++)
            assert_true(two.opening[i].radius_mm == 2 * one->opening[i].radius_mm);
    }
}

/* Fluid fraction at the paper's resolution, and walls that reach each face of the box (to a cell and a half). */
static void boxes_of_the_paper(void **state) {
    (void)state;
    static const struct {
        int kind, dims[3];
        double q;
    } published[] = {{PHANTOM_SHANG_PIPE, {64, 64, 249}, 0.766},
                     {PHANTOM_SHANG_PORTAL_1, {132, 143, 174}, 0.131},
                     {PHANTOM_SHANG_PORTAL_2, {184, 145, 184}, 0.192},
                     {PHANTOM_SHANG_PORTAL_3, {184, 173, 159}, 0.242},
                     {PHANTOM_HEPATIC_PORTAL, {586, 532, 442}, 0.266}};
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        const phantom *p = &made[published[i].kind];
        assert_memory_equal(p->dims, published[i].dims, sizeof p->dims);
        assert_true(fabs(phantom_fluid_fraction(p, p->dims, 100000) / published[i].q - 1) < 0.02);
        for (int face = 0; face < 6; face++) {
            const int axis = face / 2, u = (axis + 1) % 3, v = (axis + 2) % 3, n = 100;
            double nearest = INFINITY, point[3];
            point[axis] = face % 2 ? p->high_mm[axis] : p->low_mm[axis];
            for (int j = 0; j < n * n; j++) {
                const int row = j / n;
                point[u] = p->low_mm[u] + (p->high_mm[u] - p->low_mm[u]) * (j % n + 0.5) / n;
                point[v] = p->low_mm[v] + (p->high_mm[v] - p->low_mm[v]) * (row + 0.5) / n;
                nearest = fmin(nearest, shape_distance_mm(&p->shape, point));
            }
            assert_true(nearest < 1.5 * p->spacing_mm);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_kinds),           cmocka_unit_test(openings_lie_across_the_vessel),
        cmocka_unit_test(branches_run_inside),       cmocka_unit_test(volumes_match_formulas),
        cmocka_unit_test(scale_enlarges_everything), cmocka_unit_test(boxes_of_the_paper),
    };
    return cmocka_run_group_tests_name("phantom", tests, make_all, NULL);
}
