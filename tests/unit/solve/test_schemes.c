/* SPDX-License-Identifier: Apache-2.0 */
/* Every memory scheme gives the textbook's field on a small box, on the processor: the same cell operations run on the
 * GPU. And the check sees it when one does not. */
#include "common/base/status.h"
#include "solve/core/backend.h"
#include "solve/schemes/scheme_memory.h"
#include "solve/schemes/scheme_run.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static scheme_settings settings_of(int wall, int precision) {
    const scheme_settings o = {
        .device = &scheme_device_cpu, .wall = wall, .precision = precision, .stride = 16, .threads = 2};
    return o;
}

static void all_schemes(const char *geometry, int longest, const int *dims, int wall, int precision, bool heat) {
    scheme_settings o = settings_of(wall, precision);
    scheme_case c;
    scheme_truth t;
    o.heat = heat;
    assert_int_equal(scheme_case_make(geometry, 0, longest, dims, wall, &c), OK);
    assert_int_equal(scheme_truth_create(&c, &o, &t), OK);
    for (int id = 0; id < SCHEME_COUNT; id++) {
        scheme_row row;
        if (id == SCHEME_OURS_HALF || (wall == SCHEME_PARTIAL && !scheme_table[id].partial) ||
            (heat && !scheme_with_heat(id)))
            continue;
        assert_int_equal(scheme_run(&c, &o, &t, id, &row), OK);
        if (row.verdict != SCHEME_SAME)
            print_error("%s in %s%s: %g away\n", scheme_table[id].name, geometry, heat ? " with heat" : "",
                        row.difference);
        assert_int_equal(row.verdict, SCHEME_SAME);
        assert_true(row.memory > 0 && row.per_update >= 2 * scheme_slots(heat) * t.field->value_bytes);
    }
    scheme_truth_free(&t);
    scheme_case_free(&c);
}

static void test_bounce_back(void **state) {
    (void)state;
    all_schemes("cavity", 16, NULL, SCHEME_BOUNCE, BACKEND_FLOAT, false); /* Morton: one brick */
    all_schemes("sphere", 21, NULL, SCHEME_BOUNCE, BACKEND_DOUBLE, false);
    all_schemes("eye", 45, NULL, SCHEME_BOUNCE, BACKEND_FLOAT, false);
}

static void test_partly_solid(void **state) {
    (void)state;
    const int dims[3] = {46, 50, 60};
    all_schemes("shang-portal-1", 0, dims, SCHEME_PARTIAL, BACKEND_FLOAT, false);
    all_schemes("shang-portal-1", 0, dims, SCHEME_PARTIAL, BACKEND_DOUBLE, false);
}

/* Two distributions: the schemes whose lattice holds fluid cells alone, and ours; a wall of another temperature is seen
 * in both. */
static void test_heat(void **state) {
    scheme_settings o = settings_of(SCHEME_BOUNCE, BACKEND_DOUBLE);
    scheme_physics cold = scheme_run_physics;
    scheme_case c;
    scheme_truth t;
    scheme_row row;
    (void)state;
    all_schemes("eye", 45, NULL, SCHEME_BOUNCE, BACKEND_FLOAT, true);
    all_schemes("sphere", 21, NULL, SCHEME_BOUNCE, BACKEND_DOUBLE, true);
    o.heat = true;
    cold.wall = 0;
    assert_int_equal(scheme_case_make("sphere", 0, 21, NULL, SCHEME_BOUNCE, &c), OK);
    assert_int_equal(scheme_truth_create(&c, &o, &t), OK);
    for (int k = 0; k < 2; k++) {
        memcpy(t.end[k], t.start[0], 26 * (size_t)c.l.n_cell * sizeof(double));
        t.field->reference(&c, SCHEME_BOUNCE, true, &cold, SCHEME_CHECK_STEPS, t.end[k], t.work);
    }
    assert_int_equal(scheme_run(&c, &o, &t, SCHEME_LIST_PUSH, &row), OK);
    assert_int_equal(row.verdict, SCHEME_FAILED);
    assert_int_equal(scheme_run(&c, &o, &t, SCHEME_OURS, &row), OK);
    assert_int_equal(row.verdict, SCHEME_FAILED);
    scheme_truth_free(&t);
    scheme_case_free(&c);
}

/* A population that is 2e-4 of the largest one away, somewhere: not the same. */
static void test_difference_is_seen(void **state) {
    const scheme_settings o = settings_of(SCHEME_BOUNCE, BACKEND_FLOAT);
    scheme_case c;
    scheme_truth t;
    scheme_row row;
    (void)state;
    assert_int_equal(scheme_case_make("cavity", 0, 12, NULL, SCHEME_BOUNCE, &c), OK);
    assert_int_equal(scheme_truth_create(&c, &o, &t), OK);
    float *end = t.end[1], largest = 0;
    for (int64_t k = 0; k < 19 * c.l.n_cell; k++)
        largest = fmaxf(largest, fabsf(end[k]));
    end[19 * c.l.n_cell - 1] += 2e-4f * largest;
    assert_int_equal(scheme_run(&c, &o, &t, SCHEME_DENSE_PULL, &row), OK);
    assert_int_equal(row.verdict, SCHEME_FAILED);
    assert_int_equal(scheme_run(&c, &o, &t, SCHEME_DENSE_PUSH, &row), OK); /* compared with the other one */
    assert_int_equal(row.verdict, SCHEME_SAME);
    end[0] = NAN;
    assert_int_equal(scheme_run(&c, &o, &t, SCHEME_LIST_PULL, &row), OK);
    assert_int_equal(row.verdict, SCHEME_FAILED);
    scheme_truth_free(&t);
    scheme_case_free(&c);
}

/* The walls differ, so a scheme with the wrong one is seen. */
static void test_wall_is_seen(void **state) {
    scheme_settings o = settings_of(SCHEME_PARTIAL, BACKEND_FLOAT);
    const int dims[3] = {46, 50, 60};
    scheme_case c;
    scheme_truth t;
    scheme_row row;
    (void)state;
    assert_int_equal(scheme_case_make("shang-portal-1", 0, 0, dims, SCHEME_PARTIAL, &c), OK);
    assert_int_equal(scheme_truth_create(&c, &o, &t), OK);
    o.wall = SCHEME_BOUNCE;
    assert_int_equal(scheme_run(&c, &o, &t, SCHEME_SPARSE_PULL, &row), OK);
    assert_int_equal(row.verdict, SCHEME_FAILED);
    scheme_truth_free(&t);
    scheme_case_free(&c);
}

static double none(void) {
    return 1e6;
}

static void test_no_room(void **state) {
    scheme_settings o = settings_of(SCHEME_BOUNCE, BACKEND_FLOAT);
    scheme_device small = scheme_device_cpu;
    scheme_case c;
    scheme_truth t;
    scheme_row row;
    (void)state;
    small.available = none;
    o.device = &small;
    assert_int_equal(scheme_case_make("cavity", 0, 32, NULL, SCHEME_BOUNCE, &c), OK);
    assert_int_equal(scheme_truth_create(&c, &o, &t), OK);
    assert_int_equal(scheme_run(&c, &o, &t, SCHEME_LIST_AA, &row), OK);
    assert_int_equal(row.verdict, SCHEME_NO_ROOM);
    assert_float_equal(row.memory, 32768.0 * (19 * 4 + 72), 0);
    scheme_truth_free(&t);
    scheme_case_free(&c);
}

/* Bytes of an update and of memory where they can be counted by hand: every cell of a full box. */
static void test_bytes(void **state) {
    static const struct {
        int id;
        double per_update, memory; /* of a cell */
        bool heat;
    } expected[] = {{SCHEME_DENSE_PULL, 153, 153},      {SCHEME_DENSE_AA, 153, 77},      {SCHEME_DENSE_TWO, 306, 153},
                    {SCHEME_DENSE_MORTON, 153, 153},    {SCHEME_SEMI_PUSH, 156, 156},    {SCHEME_SPARSE_PULL, 168, 168},
                    {SCHEME_LIST_PULL, 224, 224},       {SCHEME_LIST_AA, 188, 148},      {SCHEME_CYCLIC_PUSH, 168, 168},
                    {SCHEME_SEMI_PUSH, 212, 212, true}, {SCHEME_LIST_AA, 244, 176, true}};
    const scheme_settings o = settings_of(SCHEME_BOUNCE, BACKEND_FLOAT);
    scheme_case c;
    (void)state;
    assert_int_equal(scheme_case_make("cavity", 0, 16, NULL, SCHEME_BOUNCE, &c), OK);
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        scheme_state s = {.id = expected[k].id,
                          .wall = SCHEME_BOUNCE,
                          .precision = BACKEND_FLOAT,
                          .heat = expected[k].heat,
                          .threads = 1};
        scheme_memory m;
        assert_int_equal(scheme_memory_create(&c, o.device, 64, &s, &m), OK);
        assert_float_equal(m.per_update, expected[k].per_update, 1e-9);
        assert_float_equal((m.lattices + m.addressing) / 4096, expected[k].memory, 1e-9);
        assert_float_equal(scheme_memory_needed(&c, &s, 64), m.lattices + m.addressing, 0);
        scheme_memory_free(&s, &m);
    }
    scheme_case_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bounce_back),  cmocka_unit_test(test_partly_solid),
                                       cmocka_unit_test(test_heat),         cmocka_unit_test(test_difference_is_seen),
                                       cmocka_unit_test(test_wall_is_seen), cmocka_unit_test(test_no_room),
                                       cmocka_unit_test(test_bytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
