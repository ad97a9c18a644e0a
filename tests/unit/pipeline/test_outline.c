/* SPDX-License-Identifier: Apache-2.0 */
/* Developed flow through a polygon: circle and ellipse against the exact solutions, order 2; a half circle against its
 * series; the tube's surface. */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include "common/base/status.h"
#include <cmocka.h>
#include "common/base/file.h"
#include "pipeline/reproduce_exact/outline.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CORNERS = 500 };
static double x[CORNERS], y[CORNERS];

/* An ellipse as a polygon of the same area. */
static outline ellipse(double a, double b) {
    const double turn = 2 * M_PI / CORNERS, larger = sqrt(turn / sin(turn));
    for (int k = 0; k < CORNERS; k++) {
        x[k] = 0.13 + larger * a * cos(turn * (k + 0.3));
        y[k] = -0.21 + larger * b * sin(turn * (k + 0.3));
    }
    return (outline){CORNERS, x, y};
}

/* Largest error of u / mean u, and of mean w = a^2 b^2 / (4 (a^2 + b^2)), relative. */
static void errors(double a, double b, double step, double *velocity, double *mean) {
    const outline o = ellipse(a, b);
    outline_flow f;
    assert_int_equal(outline_flow_create(&f, &o, step), OK);
    *velocity = 0;
    for (int k = 0; k < 400; k++) {
        const double s = 0.95 * sqrt((k + 0.5) / 400), turn = 2.399963229728653 * k;
        const double found = outline_flow_value(&f, 0.13 + a * s * cos(turn), -0.21 + b * s * sin(turn));
        *velocity = fmax(*velocity, fabs(found - 2 * (1 - s * s)));
    }
    *mean = fabs(f.mean_mm2 * 4 * (a * a + b * b) / (a * a * b * b) - 1);
    assert_true(outline_flow_value(&f, 2 * a, 0) == 0 && outline_flow_value(&f, 0, -50 * b) == 0);
    outline_flow_free(&f);
}

static void circle_and_ellipse(void **state) {
    (void)state;
    const double half[2][2] = {{3, 3}, {6, 2}};
    for (int k = 0; k < 2; k++) {
        double v1, v2, m1, m2;
        errors(half[k][0], half[k][1], 0.4, &v1, &m1);
        errors(half[k][0], half[k][1], 0.1, &v2, &m2);
        printf("outline %g x %g: velocity %.2e, %.2e, mean %.2e, %.2e\n", half[k][0], half[k][1], v1, v2, m1, m2);
        assert_true(v2 < 3e-3 && m2 < 2e-3);
        assert_true(v2 < v1 / 8 && m2 < m1 / 8); /* a step a quarter as wide: order above 1.5 */
    }
}

/* A square of side 2: mean w = 0.0351443 * side^2 (series in White, Viscous Fluid Flow). */
static void square(void **state) {
    (void)state;
    const double sx[4] = {-1, 1, 1, -1}, sy[4] = {-1, -1, 1, 1};
    const outline o = {4, sx, sy}, turned = {4, sy, sx};
    outline_flow f;
    assert_int_equal(outline_flow_create(&f, &o, 0.02), OK);
    assert_true(fabs(f.area_mm2 - 4) < 1e-12);
    assert_true(fabs(f.mean_mm2 / (0.0351443 * 4) - 1) < 1e-3);
    outline_flow_free(&f);
    assert_int_equal(outline_flow_create(&f, &turned, 0.02), ERR_USAGE);
}

static void tube_is_a_surface(void **state) {
    (void)state;
    const outline o = ellipse(3, 2);
    char *text = NULL;
    size_t size;
    uint32_t triangles;
    assert_int_equal(outline_write_tube(&o, -5, 5, 0.5, "outline_tube.stl"), OK);
    assert_int_equal(file_read("outline_tube.stl", 10000000, &text, &size), OK);
    assert_string_equal(text, "tube of a cross-section, mm"); /* other bytes repeat finished studies */
    memcpy(&triangles, text + 80, sizeof triangles);
    assert_int_equal(triangles, 2 * 20 * CORNERS);
    assert_int_equal(size, 84 + 50 * (size_t)triangles);
    double area = 0; /* and all triangles look outwards */
    for (uint32_t k = 0; k < triangles; k++) {
        float v[3][3];
        memcpy(v, text + 84 + 50 * (size_t)k + 12, sizeof v);
        double e[2][3], n[3];
        for (int c = 0; c < 3; c++) {
            e[0][c] = (double)v[1][c] - (double)v[0][c];
            e[1][c] = (double)v[2][c] - (double)v[0][c];
        }
        for (int c = 0; c < 3; c++)
            n[c] = e[0][(c + 1) % 3] * e[1][(c + 2) % 3] - e[0][(c + 2) % 3] * e[1][(c + 1) % 3];
        area += 0.5 * sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        assert_true(n[0] * ((double)v[0][0] - 0.13) + n[1] * ((double)v[0][1] + 0.21) > 0);
    }
    assert_true(fabs(area / (10 * 15.8654) - 1) < 1e-3); /* circumference of an ellipse 3 x 2 */
    free(text);
    remove("outline_tube.stl");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(circle_and_ellipse), cmocka_unit_test(square),
                                       cmocka_unit_test(tube_is_a_surface)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
