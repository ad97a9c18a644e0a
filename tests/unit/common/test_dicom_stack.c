/* SPDX-License-Identifier: Apache-2.0 */
/* Planes to a volume: geometry from positions alone, every wrong stack refused by the name of its problem. */
#include "common/dicom/dicom_stack.h"
#include "common/base/status.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

enum { N = 6 };
static char names[N][16];
static dicom_plane plane[N];

/* Coronal slices every 2.5 mm, given out of order. */
static int fresh(void **state) {
    (void)state;
    static const int order[N] = {3, 0, 5, 1, 4, 2};
    memset(plane, 0, sizeof plane);
    for (int i = 0; i < N; i++) {
        dicom_plane *p = &plane[i];
        snprintf(names[i], sizeof names[i], "im%d", order[i]);
        p->file = names[i];
        p->file_index = order[i];
        p->n_frame = 1;
        p->placed = true;
        p->row[0] = 1;
        p->column[2] = -1; /* row x column = +y */
        p->position_mm[0] = -10;
        p->position_mm[1] = 20 + 2.5 * order[i];
        p->position_mm[2] = 30;
        p->spacing_mm[0] = 0.5;
        p->spacing_mm[1] = 0.75;
        p->columns = 64;
        p->rows = 32;
        p->slope = 1;
    }
    status_clear();
    return 0;
}

/* Slices of two patients, studies or scans in one series; one of its own for every slice is an anonymiser's work. */
static void mixed_scans(void **state) {
    (void)state;
    static const struct {
        const char *uid[N]; /* by plane */
        bool refused;
    } row[] = {{{"1.1", "1.1", "1.1", "1.1", "1.1", "1.1"}, false},
               {{"1.1", "1.1", "1.2", "1.1", "1.1", "1.1"}, true},
               {{"1.1", "1.2", "1.1", "1.2", "1.1", "1.2"}, true},
               {{"1.2", "1.1", "1.1", "1.1", "1.1", "1.1"}, true},
               {{"1.1", "1.2", "1.3", "1.4", "1.5", "1.6"}, false},
               {{"1.1", "", "1.1", "1.1", "1.1", "1.1"}, false},
               {{"", "", "", "", "", ""}, false}};
    static const char *const what[3] = {"frames of reference", "studies", "patients"};
    for (size_t r = 0; r < 3 * (sizeof row / sizeof *row); r++) {
        volume v;
        fresh(state);
        for (int i = 0; i < N; i++) {
            char *const uid[3] = {plane[i].frame_of_reference, plane[i].study, plane[i].patient};
            snprintf(uid[r % 3], sizeof plane[i].patient, "%s", row[r / 3].uid[i]);
        }
        assert_int_equal(dicom_stack_arrange(plane, N, &v), row[r / 3].refused ? ERR_INPUT : OK);
        if (row[r / 3].refused)
            assert_non_null(strstr(status_message(), what[r % 3]));
    }
    status_clear();
}

static void right_stack(void **state) {
    (void)state;
    volume v;
    assert_int_equal(dicom_stack_arrange(plane, N, &v), OK);
    const int dims[3] = {64, 32, N};
    const double index[3] = {10, 4, 2}, expected[3] = {-10 + 5, 20 + 5, 30 - 3};
    double p[3];
    volume_to_lps(&v, index, p);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(v.dims[i], dims[i]);
        assert_true(fabs(p[i] - expected[i]) < 1e-9);
    }
    for (int i = 0; i < N; i++)
        assert_int_equal(plane[i].file_index, i);
    assert_true(fabs(v.spacing_mm[2] - 2.5) < 1e-12);
}

static void assert_refused(const char *word, const char *file) {
    volume v;
    assert_int_equal(dicom_stack_arrange(plane, N, &v), ERR_INPUT);
    if (!strstr(status_message(), word) || !strstr(status_message(), file))
        print_message("%s\n", status_message());
    assert_non_null(strstr(status_message(), word));
    assert_non_null(strstr(status_message(), file));
}

static void missing(void **state) {
    (void)state;
    plane[2].position_mm[1] += 2.5;
    assert_refused("missing", "im5");
}

static void duplicate(void **state) {
    (void)state;
    plane[3].position_mm[1] = plane[0].position_mm[1];
    assert_refused("duplicate", "im3");
}

static void uneven(void **state) {
    (void)state;
    plane[5].position_mm[1] += 0.6;
    assert_refused("uneven", "im2");
}

static void mixed_size(void **state) {
    (void)state;
    plane[4].columns = 128;
    assert_refused("mixed", "im4");
}

static void mixed_orientation(void **state) {
    (void)state;
    plane[4].row[0] = 0;
    plane[4].row[1] = 1;
    assert_refused("mixed", "im4");
}

static void mixed_spacing(void **state) {
    (void)state;
    plane[4].spacing_mm[0] = 0.6;
    assert_refused("mixed", "im4");
}

static void tilted(void **state) {
    (void)state;
    for (int i = 0; i < N; i++) /* 10 degrees */
        plane[i].position_mm[2] += 2.5 * plane[i].file_index * tan(10 * acos(-1) / 180);
    assert_refused("tilted", "10.0 degrees");
}

static void not_placed(void **state) {
    (void)state;
    plane[1].placed = false;
    assert_refused("no position", "im0");
}

static void not_finite(void **state) {
    (void)state;
    plane[1].position_mm[0] = NAN;
    assert_refused("finite", "im0");
}

static void far_away(void **state) {
    (void)state;
    plane[1].position_mm[2] = 1e6;
    assert_refused("position is damaged", "im0");
}

/* "1,5" in a file is NaN here: its values would be those of another scale. */
static void no_scale(void **state) {
    (void)state;
    plane[1].slope = NAN;
    assert_refused("RescaleSlope", "im0");
}

/* Numbers and headers that say more slices than there are; parts of many phases and several frames say nothing. */
static void lost(void **state) {
    (void)state;
    static const struct {
        int first, step, announced, n_frame;
        const char *word;
    } tried[] = {{1, 1, 0, 1, NULL},         {0, 1, N, 1, NULL},        {1, 0, 0, 1, NULL},     {0, 0, N, 1, NULL},
                 {61, 1, N, 1, NULL},        {2, 1, 0, 3, NULL},        {2, 1, 0, 1, "2 to 7"}, {1, 2, 0, 1, "1 to 11"},
                 {1, 1, 9, 1, "announce 9"}, {0, 0, 9, 1, "announce 9"}};
    char text[DICOM_STACK_WARNING];
    for (size_t k = 0; k < sizeof tried / sizeof *tried; k++) {
        for (int i = 0; i < N; i++) {
            plane[i].number = tried[k].first + tried[k].step * plane[i].file_index;
            plane[i].announced = tried[k].announced;
            plane[i].n_frame = tried[k].n_frame;
        }
        assert_int_equal(dicom_stack_check_missing(plane, N, text), tried[k].word != NULL);
        if (tried[k].word)
            assert_non_null(strstr(text, tried[k].word));
    }
}

/* Every second slice lost and the rest numbered anew, or positions in cm. */
static void other_distance(void **state) {
    (void)state;
    static const struct {
        double said;
        const char *word;
    } tried[] = {{0, NULL},    {2.5, NULL}, {-2.5, NULL}, {5, NULL}, {1.25, "2.5 mm apart, their headers state 1.25"},
                 {25, "25 mm"}};
    char text[DICOM_STACK_WARNING];
    volume v;
    assert_int_equal(dicom_stack_arrange(plane, N, &v), OK);
    for (size_t k = 0; k < sizeof tried / sizeof *tried; k++) {
        for (int i = 0; i < N; i++)
            plane[i].between_mm = tried[k].said;
        assert_int_equal(dicom_stack_check_missing(plane, N, text), tried[k].word != NULL);
        if (tried[k].word)
            assert_non_null(strstr(text, tried[k].word));
    }
}

static void one_slice(void **state) {
    (void)state;
    volume v;
    assert_int_equal(dicom_stack_arrange(plane, 1, &v), ERR_INPUT);
    assert_non_null(strstr(status_message(), "one slice"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(right_stack, fresh),   cmocka_unit_test_setup(missing, fresh),
        cmocka_unit_test_setup(duplicate, fresh),     cmocka_unit_test_setup(uneven, fresh),
        cmocka_unit_test_setup(mixed_size, fresh),    cmocka_unit_test_setup(mixed_orientation, fresh),
        cmocka_unit_test_setup(mixed_spacing, fresh), cmocka_unit_test_setup(tilted, fresh),
        cmocka_unit_test_setup(not_placed, fresh),    cmocka_unit_test_setup(not_finite, fresh),
        cmocka_unit_test_setup(far_away, fresh),      cmocka_unit_test_setup(no_scale, fresh),
        cmocka_unit_test_setup(one_slice, fresh),     cmocka_unit_test_setup(lost, fresh),
        cmocka_unit_test_setup(mixed_scans, fresh),   cmocka_unit_test_setup(other_distance, fresh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
