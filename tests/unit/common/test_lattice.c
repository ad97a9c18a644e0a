/* SPDX-License-Identifier: Apache-2.0 */
/* The lattice: numbering, look-ups, and that lattice_check sees everything a file can get wrong. */
#include "common/lattice/lattice.h"
#include "common/base/status.h"
#include "tests/unit/common/lattice_sample.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void test_directions(void **state) {
    (void)state;
    int sum[3] = {0}, second[3] = {0};
    for (int a = 0; a < 19; a++) {
        int norm = 0;
        for (int k = 0; k < 3; k++) {
            sum[k] += lattice_e[a][k];
            second[k] += lattice_e[a][k] * lattice_e[a][k];
            norm += lattice_e[a][k] * lattice_e[a][k];
            assert_int_equal(lattice_e[a][k], -lattice_e[lattice_opposite(a)][k]);
        }
        assert_int_equal(norm, a == 0 ? 0 : a < 7 ? 1 : 2);
        for (int b = 0; b < a; b++)
            assert_memory_not_equal(lattice_e[a], lattice_e[b], 3);
    }
    for (int k = 0; k < 3; k++) {
        assert_int_equal(sum[k], 0);
        assert_int_equal(second[k], 10);
    }
}

static void test_sample_is_right(void **state) {
    (void)state;
    lattice l;
    assert_int_equal(lattice_sample(&l, 7), OK);
    assert_int_equal(lattice_check(&l), OK);
    assert_int_equal(l.n_cell, 7 * 20);
    double p[3];
    lattice_centre_mm(&l, l.n_cell - 1, p);
    assert_true(fabs(p[0] - (-10.5 + 0.4 * 6)) < 1e-12 && fabs(p[2] - (300.25 + 0.4 * 4)) < 1e-12);
    assert_true(fabs(lattice_fluid_fraction(&l) - 140.0 / (7 * 36)) < 1e-12);
    lattice_free(&l);
    lattice_free(&l);
}

/* Every cell of the box, found or not, against a plain search; and wrapped positions. */
static void test_rows(void **state) {
    (void)state;
    lattice l;
    lattice_rows rows;
    assert_int_equal(lattice_sample(&l, 5), OK);
    for (int64_t c = 30; c + 1 < l.n_cell; c++) /* a gap in a row */
        memcpy(l.cell + 3 * c, l.cell + 3 * (c + 1), 3 * sizeof *l.cell);
    l.n_cell--;
    assert_int_equal(lattice_rows_create(&rows, &l), OK);
    int found = 0;
    for (int z = -1; z <= 6; z++)
        for (int y = -1; y <= 6; y++)
            for (int x = -1; x <= 5; x++) {
                int64_t wanted = -1;
                for (int64_t c = 0; c < l.n_cell; c++)
                    if (l.cell[3 * c] == x && l.cell[3 * c + 1] == y && l.cell[3 * c + 2] == z)
                        wanted = c;
                assert_int_equal(lattice_rows_find(&rows, x, y, z), wanted);
                found += wanted >= 0;
            }
    assert_int_equal(found, l.n_cell);
    assert_int_equal(lattice_rows_find(&rows, -1, 2, 2), -1);
    l.periodic[0] = true;
    assert_int_equal(lattice_rows_find(&rows, -1, 2, 2), lattice_rows_find(&rows, 4, 2, 2));
    assert_int_equal(lattice_rows_find(&rows, 12, 2, 2), lattice_rows_find(&rows, 2, 2, 2));
    lattice_rows_free(&rows);
    lattice_free(&l);
}

/* A periodic box full of fluid needs no link at all. */
static void test_periodic(void **state) {
    (void)state;
    lattice l;
    assert_int_equal(lattice_create(&l, 27, 0, 0), OK);
    l.spacing_mm = 1;
    for (int c = 0; c < 27; c++) {
        const int32_t xyz[3] = {c % 3, c / 3 % 3, c / 9};
        memcpy(l.cell + 3 * c, xyz, sizeof xyz);
        l.distance_mm[c] = -1;
    }
    for (int a = 0; a < 3; a++) {
        l.dims[a] = 3;
        l.periodic[a] = true;
    }
    assert_int_equal(lattice_check(&l), OK);
    l.periodic[1] = false;
    assert_int_equal(lattice_check(&l), ERR_INPUT);
    assert_non_null(strstr(status_message(), "neither a fluid neighbour nor a link"));
    status_clear();
    lattice_free(&l);
}

/* Damage the sample with one statement; lattice_check must refuse it with these words. */
#define DAMAGE(statement, words)                                                                                       \
    do {                                                                                                               \
        lattice l;                                                                                                     \
        assert_int_equal(lattice_sample(&l, 6), OK);                                                                   \
        statement;                                                                                                     \
        status_clear();                                                                                                \
        assert_int_equal(lattice_check(&l), ERR_INPUT);                                                                \
        if (!strstr(status_message(), words))                                                                          \
            fail_msg("\"%s\" has no \"%s\"", status_message(), words);                                                 \
        status_clear();                                                                                                \
        lattice_free(&l);                                                                                              \
    } while (0)

static void test_damaged_cells(void **state) {
    (void)state;
    DAMAGE(l.spacing_mm = 0, "spacing of 0 mm");
    DAMAGE(l.spacing_mm = NAN, "spacing");
    DAMAGE(l.origin_mm[1] = INFINITY, "origin");
    DAMAGE(l.dims[2] = 0, "0 cells along axis 2");
    DAMAGE(l.dims[0] = 1 << 30, "cells along axis 0");
    DAMAGE((l.dims[1] = 1 << 20, l.dims[2] = 1 << 20), "too large");
    DAMAGE(l.n_cell = 0, "no cell");
    DAMAGE(l.cell[0] = -1, "outside its box");
    DAMAGE(l.cell[3 * 5 + 2] = 6, "outside its box");
    DAMAGE(l.cell[3 * 5] = 0, "out of order or stored twice");
    DAMAGE(l.cell[3 * 8] = 1, "out of order or stored twice");
    DAMAGE(l.solid[3] = 512, "512 solid subcells");
    DAMAGE(l.distance_mm[3] = NAN, "no finite distance");
}

/* A link down to the wall below becomes one up to the fluid above. */
static void turn_link_inwards(lattice *l) {
    for (int64_t k = 0; k < l->n_link; k++) {
        const int32_t *xyz = l->cell + 3 * l->link_cell[k];
        if (l->link_dir[k] == 4 && xyz[0] == 2 && xyz[1] == 1 && xyz[2] == 2) {
            l->link_dir[k] = 3;
            return;
        }
    }
}

static void test_damaged_links(void **state) {
    (void)state;
    DAMAGE(l.link_cell[4] = (int32_t)l.n_cell, "starts at cell");
    DAMAGE(l.link_cell[4] = -1, "starts at cell");
    DAMAGE(l.link_dir[4] = 0, "direction 0");
    DAMAGE(l.link_dir[4] = 19, "direction 19");
    DAMAGE(l.link_dir[5] = l.link_dir[4], "out of order or stored twice");
    DAMAGE(l.link_cell[5] = l.link_cell[4] - 1, "out of order");
    DAMAGE(l.link_q[4] = 0, "above 0 and at most 1");
    DAMAGE(l.link_q[4] = 1.0001f, "above 0 and at most 1");
    DAMAGE(l.link_q[4] = NAN, "above 0 and at most 1");
    DAMAGE(l.link_opening[4] = 3, "opening 3, but there are only 2");
    DAMAGE(l.n_link--, "neither a fluid neighbour nor a link");
    DAMAGE(l.distance_mm[8] = 0.1f, "the centre of its cell is not in the fluid");
    DAMAGE(turn_link_inwards(&l), "the opposite link from the next cell does not");
}

static void test_damaged_openings(void **state) {
    (void)state;
    DAMAGE(l.opening[0].name[0] = '\0', "name of opening 1");
    DAMAGE(strcpy(l.opening[0].name, "a/b"), "name of opening 1");
    DAMAGE(strcpy(l.opening[0].name, "."), "name of opening 1");
    DAMAGE(memset(l.opening[0].name, 'a', LATTICE_NAME_MAX), "name of opening 1");
    DAMAGE(strcpy(l.opening[1].name, "SMV"), "two openings of the lattice are called 'SMV'");
    DAMAGE(l.opening[1].role = 3, "unknown role 3");
    DAMAGE(l.opening[1].role = -1, "unknown role");
    DAMAGE(l.opening[1].normal[0] = 0.9, "not a unit vector");
    DAMAGE(l.opening[1].normal[0] = NAN, "not a unit vector");
    DAMAGE(l.opening[1].centre_mm[0] = NAN, "centre of opening");
    DAMAGE(l.opening[1].area_mm2 = 0, "area of 0 mm2");
    DAMAGE(l.opening[1].radius_mm = INFINITY, "area of");
    DAMAGE(l.opening[1].n_link--, "belong to it");
    DAMAGE(l.opening[1].profile_developed[2] = -2.5f, "developed profile of opening 'RPV.1'");
    DAMAGE(l.opening[1].profile_parabolic[2] = NAN, "parabolic profile");
    DAMAGE((free(l.opening[1].profile_parabolic), l.opening[1].profile_parabolic = NULL), "no parabolic profile");
}

static void test_limits(void **state) {
    (void)state;
    lattice l;
    status_clear();
    assert_int_equal(lattice_create(&l, (int64_t)1 << 40, 0, 0), ERR_RESOURCE);
    status_clear();
    assert_int_equal(lattice_create(&l, 1, 0, 255), ERR_RESOURCE);
    status_clear();
    assert_int_equal(lattice_create(&l, 0, 0, 0), OK);
    lattice_free(&l);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_directions),
                                       cmocka_unit_test(test_sample_is_right),
                                       cmocka_unit_test(test_rows),
                                       cmocka_unit_test(test_periodic),
                                       cmocka_unit_test(test_damaged_cells),
                                       cmocka_unit_test(test_damaged_links),
                                       cmocka_unit_test(test_damaged_openings),
                                       cmocka_unit_test(test_limits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
