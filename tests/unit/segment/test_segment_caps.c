/* SPDX-License-Identifier: Apache-2.0 */
/* What `segment ends` finds of surfaces: a tapered vessel, a flat one that came closed, one
 * with a hole, two that lie side by side. */
#include "common/base/status.h"
#include "common/base/vec.h"
#include "common/surface_vtk/vtk_surface.h"
#include "segment/ends/ends_command.h"
#include <cjson/cJSON.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROUND = 48, RINGS = 41 };

/* A straight vessel along `axis` (unit) from `from`: half axes as multiples of a radius that changes linearly. */
typedef struct {
    double from[3], axis[3], length, radius[2], half_axes[2];
    bool closed;
    int lacks; /* triangles, halfway */
} shape;

static void add(surface *s, int32_t a, int32_t b, int32_t c) {
    memcpy(s->triangle + 3 * s->n_triangle++, (int32_t[]){a, b, c}, 3 * sizeof(int32_t));
}

/* Appended to s, whose arrays are large enough. */
static void draw(const shape *w, surface *s) {
    const int32_t first = (int32_t)s->n_point;
    double axis[3][3], p[3];
    vec_axes(w->axis, axis);
    for (int k = 0; k < RINGS; k++)
        for (int i = 0; i < ROUND; i++) {
            const double t = k / (RINGS - 1.0), turn = 2 * M_PI * i / ROUND;
            const double r = w->radius[0] + t * (w->radius[1] - w->radius[0]);
            vec_add(w->from, t * w->length, w->axis, p);
            vec_add(p, r * w->half_axes[0] * cos(turn), axis[0], p);
            vec_add(p, r * w->half_axes[1] * sin(turn), axis[1], s->point_mm + 3 * s->n_point++);
        }
    for (int k = 0; k + 1 < RINGS; k++)
        for (int i = 0; i < ROUND; i++) {
            const int32_t a = first + k * ROUND + i, b = first + k * ROUND + (i + 1) % ROUND;
            add(s, a, b, b + ROUND);
            add(s, a, b + ROUND, a + ROUND);
        }
    s->n_triangle -= w->lacks;
    memmove(s->triangle + 3 * (s->n_triangle - ROUND * RINGS),
            s->triangle + 3 * (s->n_triangle + w->lacks - ROUND * RINGS), 3 * sizeof(int32_t) * ROUND * RINGS);
    for (int end = 0; w->closed && end < 2; end++) {
        const int32_t middle = (int32_t)s->n_point, rim = first + end * (RINGS - 1) * ROUND;
        vec_add(w->from, end * w->length, w->axis, s->point_mm + 3 * s->n_point++);
        for (int i = 0; i < ROUND; i++)
            add(s, middle, rim + (end ? i : (i + 1) % ROUND), rim + (end ? (i + 1) % ROUND : i));
    }
}

/* What is printed of these vessels in one file; places in RAS. */
static cJSON *look(int n, const shape *w) {
    enum { POINTS = ROUND * RINGS + 2, TRIANGLES = 2 * ROUND * RINGS };
    char path[] = "/tmp/portaflow-ends-XXXXXX.stl", *text = NULL;
    size_t size = 0;
    surface s;
    const int f = mkstemps(path, 4);
    assert_true(f >= 0);
    close(f);
    assert_int_equal(surface_create(&s, (int64_t)n * POINTS, (int64_t)n * TRIANGLES), OK);
    s.n_point = s.n_triangle = 0;
    for (int k = 0; k < n; k++)
        draw(&w[k], &s);
    assert_int_equal(surface_write(path, &s, 0, NULL), OK);
    surface_free(&s);
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    assert_int_equal(ends_command_print(&(ends_command_options){.path = path, .unit_mm = 1, .ras = -1}, to), OK);
    fclose(to);
    unlink(path);
    cJSON *json = cJSON_Parse(text);
    free(text);
    assert_non_null(json);
    return json;
}

static double number(const cJSON *of, const char *key) {
    return cJSON_GetNumberValue(cJSON_GetObjectItem(of, key));
}

/* Back in LPS. */
static void place(const cJSON *of, const char *key, double out[3]) {
    for (int a = 0; a < 3; a++)
        out[a] = (a < 2 ? -1 : 1) * cJSON_GetNumberValue(cJSON_GetArrayItem(cJSON_GetObjectItem(of, key), a));
}

/* Both ends of w, and no other, in vessel k: how they are named, how wide they are and how far they reach. */
static void check_ends(const cJSON *json, int k, const shape *w, const char *at, double wide) {
    const cJSON *vessel = cJSON_GetArrayItem(cJSON_GetObjectItem(json, "vessels"), k);
    const cJSON *ends = cJSON_GetObjectItem(vessel, "ends");
    assert_int_equal(cJSON_GetArraySize(ends), 2);
    int met = 0;
    for (int i = 0; i < 2; i++) {
        const cJSON *end = cJSON_GetArrayItem(ends, i);
        double p[3], d[3];
        assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(end, "at")), at);
        place(end, "point", p);
        place(end, "normal", d);
        const bool far = vec_dot(d, w->axis) > 0;
        const double r = w->radius[far] * sqrt(w->half_axes[0] * w->half_axes[1]);
        met |= far ? 2 : 1;
        assert_true(fabs(vec_dot(d, w->axis)) > 0.9999);
        assert_true(fabs(number(end, "radius_mm") / r - 1) < 0.01);
        assert_true(fabs(number(end, "reach_mm") / (w->radius[far] * wide) - 1) < 0.01);
        vec_add(p, -1, w->from, p);
        const double along = vec_dot(p, w->axis), expected = far ? w->length - 0.5 * r : 0.5 * r;
        vec_add(p, -along, w->axis, p);
        assert_true(fabs(along - expected) < 0.02 && vec_length(p) < 0.02);
    }
    assert_int_equal(met, 3);
}

/* The tree sees the narrow end of a taper further inside; it is the open end all the same. Steps from voxel to voxel
 * along a slanted vessel are a third longer than it is. */
static void a_taper_has_two_ends(void **state) {
    (void)state;
    shape w = {{0, 0, 0}, {1, 2, 3}, 40, {3, 1.2}, {1, 1}, false};
    assert_true(vec_normalize(w.axis));
    cJSON *json = look(1, &w);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(json, "vessels")), 1);
    check_ends(json, 0, &w, "open end", 1);
    assert_true(fabs(number(cJSON_GetArrayItem(cJSON_GetObjectItem(json, "vessels"), 0), "length_mm") - 40) < 3);
    cJSON_Delete(json);
}

/* The furthest places of a flat vessel are its corners: its ends are found by their planes. */
static void a_flat_vessel_that_came_closed(void **state) {
    (void)state;
    shape w = {{4, -3, 20}, {0.3, 0.2, 1}, 30, {1, 1}, {6, 1.5}, true};
    assert_true(vec_normalize(w.axis));
    cJSON *json = look(1, &w);
    check_ends(json, 0, &w, "flat end", 6);
    cJSON_Delete(json);
}

/* One triangle, or several, are missing in the wall: no end, and the ends are found all the same. */
static void a_vessel_with_a_hole(void **state) {
    (void)state;
    static const int lacks[] = {1, 2, 8};
    for (int k = 0; k < 6; k++) {
        shape w = {{4, -3, 20}, {0.3, 0.2, 1}, 40, {3, 2.5}, {1, 1}, k < 3, lacks[k % 3]};
        assert_true(vec_normalize(w.axis));
        cJSON *json = look(1, &w);
        check_ends(json, 0, &w, w.closed ? "flat end" : "open end", 1);
        const cJSON *vessel = cJSON_GetArrayItem(cJSON_GetObjectItem(json, "vessels"), 0);
        const cJSON *holes = cJSON_GetObjectItem(vessel, "holes");
        assert_int_equal(cJSON_GetArraySize(holes), 1);
        double p[3];
        place(cJSON_GetArrayItem(holes, 0), "point", p);
        vec_add(p, -1, w.from, p);
        assert_true(fabs(vec_dot(p, w.axis) - 20) < 2);
        cJSON_Delete(json);
    }
}

/* 0.15 mm apart: each has its own two ends, in its own middle. */
static void two_vessels_side_by_side(void **state) {
    (void)state;
    const shape w[2] = {{{0, 0, 0}, {0, 0, 1}, 20, {2, 2}, {1, 1}, true},
                        {{4.15, 0, 0}, {0, 0, 1}, 19, {2, 2}, {1, 1}, true}};
    cJSON *json = look(2, w);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(json, "vessels")), 2);
    check_ends(json, 0, &w[0], "flat end", 1);
    check_ends(json, 1, &w[1], "flat end", 1);
    cJSON_Delete(json);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_taper_has_two_ends),
        cmocka_unit_test(a_flat_vessel_that_came_closed),
        cmocka_unit_test(a_vessel_with_a_hole),
        cmocka_unit_test(two_vessels_side_by_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
