/* SPDX-License-Identifier: Apache-2.0 */
/* view.html of a wall of many triangles: simplified, values taken along, small.
 *
 *   test_view PAGE TRIANGLES    writes such a page and ends (for view_page.js --page) */
#include "common/base/status.h"
#include "post/report/view_page.h"
#include "post/stage/view_values.h"
#include "tests/unit/temp.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <sys/stat.h>

static const double RADIUS_MM = 6, LENGTH_MM = 160, BEND_MM = 12;

/* A winding tube with about n triangles. */
static void make_tube(surface *s, int64_t n) {
    const int64_t around = (int64_t)sqrt((double)n / 2 * 2 * M_PI * RADIUS_MM / LENGTH_MM), along = n / 2 / around;
    assert_int_equal(surface_create(s, around * (along + 1), 2 * around * along), OK);
    for (int64_t j = 0; j <= along; j++)
        for (int64_t i = 0; i < around; i++) {
            const double t = (double)j / (double)along, a = 2 * M_PI * (double)i / (double)around;
            double *p = s->point_mm + 3 * (j * around + i);
            p[0] = RADIUS_MM * cos(a) + BEND_MM * sin(4 * t);
            p[1] = RADIUS_MM * sin(a) + BEND_MM * cos(7 * t);
            p[2] = LENGTH_MM * t;
        }
    for (int64_t k = 0; k < around * along; k++) {
        const int32_t i = (int32_t)(k % around), j = (int32_t)(k / around), next = (int32_t)((i + 1) % around),
                      m = (int32_t)around;
        const int32_t four[6] = {j * m + i, j * m + next,       (j + 1) * m + next,
                                 j * m + i, (j + 1) * m + next, (j + 1) * m + i};
        memcpy(s->triangle + 6 * k, four, sizeof four);
    }
}

static double field(const double p[3]) {
    return 3 + 2 * sin(0.2 * p[2]) + 0.1 * p[0];
}

typedef struct {
    surface shape;
    double *value[2];
    view_array array[2];
    view_wall wall;
} tube;

/* A smooth value, and one that is missing on the first half of the points. */
static void make(tube *t, int64_t n) {
    static const double times[1] = {0};
    make_tube(&t->shape, n);
    for (int k = 0; k < 2; k++)
        t->value[k] = malloc((size_t)t->shape.n_point * sizeof(double));
    for (int64_t i = 0; i < t->shape.n_point; i++) {
        t->value[0][i] = field(t->shape.point_mm + 3 * i);
        t->value[1][i] = i < t->shape.n_point / 2 ? NAN : 7;
    }
    for (int k = 0; k < 2; k++)
        t->array[k] = (view_array){k ? "pressure" : "wss",
                                   k ? "Pressure" : "Wall shear stress",
                                   "Pa",
                                   0,
                                   8,
                                   false,
                                   1,
                                   (const double *const *)&t->value[k],
                                   times};
    t->wall = (view_wall){.shape = &t->shape, .n_array = 2, .array = t->array};
}

static void clear(tube *t) {
    surface_free(&t->shape);
    free(t->value[0]);
    free(t->value[1]);
}

static void test_simplified(void **state) {
    (void)state;
    tube t;
    reduced_wall small = {0};
    make(&t, 60000);
    assert_int_equal(view_values_reduce(&t.wall, 100000, &small), OK); /* small enough: as it is */
    assert_true(t.wall.shape == &t.shape && t.wall.n_triangle_whole == 0);
    assert_int_equal(view_values_reduce(&t.wall, 20000, &small), OK);
    const surface *s = t.wall.shape;
    assert_true(s->n_triangle <= 20000 && s->n_triangle > 15000 && t.wall.n_triangle_whole == t.shape.n_triangle);
    assert_true(t.wall.off_mm > 0 && t.wall.off_mm < 0.1);
    int missing = 0;
    for (int64_t i = 0; i < s->n_point; i++) {
        assert_true(fabs(t.wall.array[0].value[0][i] - field(s->point_mm + 3 * i)) < 0.02);
        missing += !isfinite(t.wall.array[1].value[0][i]);
    }
    assert_true(missing > 0.3 * (double)s->n_point && missing < 0.7 * (double)s->n_point);
    view_values_free(&small);
    clear(&t);
}

static lattice_opening ends[2] = {{.name = "IN", .radius_mm = 6},
                                  {.name = "OUT", .radius_mm = 6, .centre_mm = {0, 0, 160}}};

static int write_page(const char *path, int64_t n, int64_t most) {
    lattice l = {.spacing_mm = 0.5, .n_opening = 2, .opening = ends};
    solution solved = {.converged = true};
    readouts r = {.case_name = "tube", .solution = &solved};
    const case_file c = {.n_opening = 0};
    const report_input in = {.c = &c, .l = &l, .r = &r};
    float point[6] = {0, 12, 0, 2, 12, 10}, speed[2] = {0.1f, 0.2f}, time[2] = {0, 1};
    int32_t first[2] = {0, 2};
    const streamlines lines = {1, 2, first, point, speed, time, 0.2, 1};
    tube t;
    reduced_wall small = {0};
    make(&t, n);
    int rc = view_values_reduce(&t.wall, most, &small);
    if (rc == OK)
        rc = view_page_write(path, &in, &t.wall, &lines);
    view_values_free(&small);
    clear(&t);
    return rc;
}

static void test_size(void **state) {
    (void)state;
    struct stat info;
    char path[512];
    snprintf(path, sizeof path, "%s", temp_path("view.html"));
    assert_int_equal(write_page(path, 200000, 200000), OK); /* the largest wall that is shown whole */
    assert_int_equal(stat(path, &info), 0);
    assert_true(info.st_size < 8000000);
}

int main(int argc, char **argv) {
    if (argc == 3)
        return write_page(argv[1], atoll(argv[2]), 200000);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_simplified), cmocka_unit_test(test_size)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
