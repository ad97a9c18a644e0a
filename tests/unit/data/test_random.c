/* SPDX-License-Identifier: Apache-2.0 */
/* Random vessels: the same for the same seed, in any direction, open where they should be, narrowed and flowing as they
 * say, and nowhere nearer to themselves than along the vessels. */
#include "common/base/status.h"
#include "data/phantom/phantom.h"
#include "data/phantom/tissue.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

enum { SEEDS = 60 };
static phantom made[SEEDS];

static int make_all(void **state) {
    (void)state;
    for (int k = 0; k < SEEDS; k++)
        if (phantom_make_seeded(PHANTOM_RANDOM, (uint64_t)k + 1, 1, &made[k]) != OK)
            return -1;
    return 0;
}

static double at(const phantom *p, const double point[3], const double direction[3], double along) {
    const double moved[3] = {point[0] + along * direction[0], point[1] + along * direction[1],
                             point[2] + along * direction[2]};
    return shape_distance_mm(&p->shape, moved);
}

static void seeds_are_patients(void **state) {
    (void)state;
    phantom again;
    assert_int_equal(phantom_make_seeded(PHANTOM_RANDOM, 7, 1, &again), OK);
    assert_memory_equal(again.segment, made[6].segment, sizeof again.segment);
    assert_memory_equal(again.opening, made[6].opening, sizeof again.opening);
    assert_int_equal(phantom_make(PHANTOM_RANDOM, 1, &again), OK);
    assert_memory_equal(again.segment, made[0].segment, sizeof again.segment);
    for (int k = 1; k < SEEDS; k++)
        assert_memory_not_equal(made[k].segment, made[0].segment, sizeof again.segment);
}

/* Round every opening: the wall is a radius away, the vessel runs on, and within two radii across the plane there is no
 * other vessel. */
static void openings_can_be_cut(void **state) {
    (void)state;
    for (int k = 0; k < SEEDS; k++)
        for (int i = 0; i < made[k].n_opening; i++) {
            const phantom_opening *o = &made[k].opening[i];
            const double r = o->radius_mm, n[3] = {o->normal[0], o->normal[1], o->normal[2]};
            const double other[3] = {n[1] - n[2], n[2] - n[0], n[0] - n[1]};
            const double size = sqrt(other[0] * other[0] + other[1] * other[1] + other[2] * other[2]);
            assert_true(fabs(at(&made[k], o->point_mm, n, 0) + r) < 0.02 * r);
            assert_true(at(&made[k], o->point_mm, n, 1.9 * r) < -0.98 * r && at(&made[k], o->point_mm, n, 3.1 * r) > 0);
            for (int turn = 0; turn < 12; turn++) { /* Rodrigues: `other` turned round the normal */
                const double c = cos(turn * M_PI / 6) / size, s = sin(turn * M_PI / 6) / size;
                const double out[3] = {c * other[0] + s * (n[1] * other[2] - n[2] * other[1]),
                                       c * other[1] + s * (n[2] * other[0] - n[0] * other[2]),
                                       c * other[2] + s * (n[0] * other[1] - n[1] * other[0])};
                for (double away = 1.2; away < 2; away += 0.1)
                    assert_true(at(&made[k], o->point_mm, out, away * r) > 0.1 * r);
            }
        }
}

/* Openings, branches and segments are of the numbers that the features tell. */
static void features_are_true(void **state) {
    (void)state;
    int junctions[4] = {0}, severe = 0, aneurysms = 0;
    double low = INFINITY, high = 0;
    for (int k = 0; k < SEEDS; k++) {
        const phantom *p = &made[k];
        const phantom_features *f = &p->features;
        assert_in_range(f->n_junction, 1, 3);
        assert_int_equal(p->n_opening, f->n_junction + 2);
        assert_int_equal(p->n_branch, 2 * f->n_junction + 1);
        assert_true(f->reynolds >= 50 && f->reynolds <= 1500);
        assert_true(f->stenosis_percent <= 90 && (f->stenosis_percent > 0) == (f->n_stenosis > 0));
        junctions[f->n_junction]++;
        severe += f->stenosis_percent > 70;
        aneurysms += f->n_aneurysm;
        low = fmin(low, f->reynolds);
        high = fmax(high, f->reynolds);
    }
    assert_true(junctions[1] >= 8 && junctions[2] >= 8 && junctions[3] >= 8);
    assert_true(severe >= 15 && aneurysms >= 8 && low < 80 && high > 1000);
}

/* The narrowest ball of a branch with a stenosis has lost that share of the area of the branch's end: an only stenosis
 * of a vessel shows in its radii. */
static void stenoses_are_as_narrow_as_they_say(void **state) {
    (void)state;
    int checked = 0;
    for (int k = 0; k < SEEDS; k++) {
        const phantom *p = &made[k];
        double least = INFINITY, loss = 0;
        for (int b = 0; p->features.n_stenosis == 1 && b < p->n_branch; b++) {
            double narrowest = INFINITY, widest = 0;
            for (int j = 0; j < p->branch[b].count; j++) {
                const shape_segment *s = &p->segment[p->branch[b].first + j];
                narrowest = fmin(narrowest, fmin(s->radius_a, s->radius_b));
                widest = fmax(widest, fmax(s->radius_a, s->radius_b));
            }
            if (narrowest / widest < least) {
                least = narrowest / widest;
                loss = 100 * (1 - least * least);
            }
        }
        if (isinf(least) || p->features.n_aneurysm > 0)
            continue;
        assert_true(loss > p->features.stenosis_percent - 1); /* taper and widening make the branch's own range wider */
        assert_true(loss < 97);
        checked++;
    }
    assert_true(checked > 20);
}

/* Directions of the inlets' normals: the mean of a uniform direction is 0, of each squared component 1/3. */
static void directions_are_any(void **state) {
    (void)state;
    double mean[3] = {0}, square[3] = {0}, n = 0;
    for (int k = 0; k < SEEDS; k++)
        for (int i = 0; i < made[k].n_opening; i++, n++)
            for (int a = 0; a < 3; a++) {
                mean[a] += made[k].opening[i].normal[a];
                square[a] += made[k].opening[i].normal[a] * made[k].opening[i].normal[a];
            }
    for (int a = 0; a < 3; a++) {
        assert_true(fabs(mean[a] / n) < 0.15);
        assert_true(fabs(square[a] / n - 1.0 / 3) < 0.09);
    }
}

/* The image shows them in a body, not in air. */
static void the_body_is_round_them(void **state) {
    (void)state;
    for (int k = 0; k < SEEDS; k++) {
        const phantom *p = &made[k];
        tissue_map map;
        tissue_create(p, 1, &map);
        for (int corner = 0; corner < 8; corner++) {
            const double at_corner[3] = {corner & 1 ? p->low_mm[0] : p->high_mm[0],
                                         corner & 2 ? p->low_mm[1] : p->high_mm[1],
                                         corner & 4 ? p->low_mm[2] : p->high_mm[2]};
            assert_true(tissue_signal(&map, at_corner) > 0);
        }
    }
}

/* At one scale or another the Reynolds number 4 Q / (pi d nu) is the same. */
static void scale_keeps_the_reynolds_number(void **state) {
    (void)state;
    phantom p;
    assert_int_equal(phantom_make_seeded(PHANTOM_RANDOM, 3, 2.5, &p), OK);
    for (int i = 0; i < p.n_opening; i++) {
        assert_true(fabs(p.opening[i].flow_l_min - 2.5 * made[2].opening[i].flow_l_min) < 1e-12);
        assert_true(fabs(p.opening[i].radius_mm - 2.5 * made[2].opening[i].radius_mm) < 1e-12);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seeds_are_patients),     cmocka_unit_test(openings_can_be_cut),
        cmocka_unit_test(features_are_true),      cmocka_unit_test(stenoses_are_as_narrow_as_they_say),
        cmocka_unit_test(directions_are_any),     cmocka_unit_test(scale_keeps_the_reynolds_number),
        cmocka_unit_test(the_body_is_round_them),
    };
    return cmocka_run_group_tests(tests, make_all, NULL);
}
