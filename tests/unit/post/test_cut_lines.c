/* SPDX-License-Identifier: Apache-2.0 */
/* Streamlines in a cut: circles in a fluid that turns round an axis, with their heads along the flow and room between
 * them. */
#include "common/base/status.h" /* before cmocka, which has a macro fail */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "common/base/vec.h"
#include "post/picture/cut_lines.h"
#include "tests/unit/post/post_lattice.h"
#include <math.h>
#include <string.h>

static const double middle[3] = {0.11, -0.07, 0.05}, axis[3] = {0.6, 0, 0.8};
static const double apart_mm = 0.6;

/* Round the axis once in 2 pi seconds, the other way beyond 3 mm. */
static void turning(const double p[3], const void *data, double u[3], double *pressure, double stress[6]) {
    double from[3];
    (void)data;
    vec_add(p, -1, middle, from);
    vec_cross(axis, from, u);
    const double side = vec_length(u) < 3 ? 1e-3 : -1e-3;
    for (int a = 0; a < 3; a++)
        u[a] *= side;
    *pressure = 0;
    memset(stress, 0, 6 * sizeof *stress);
}

static double radius_of(const double p[3]) {
    double from[3];
    vec_add(p, -1, middle, from);
    assert_true(fabs(vec_dot(from, axis)) < 1e-6); /* in the cut */
    return vec_length(from);
}

static void check_head(const double (*p)[3]) {
    double u[3], pressure, stress[6], back[3], along[3];
    turning(p[1], NULL, u, &pressure, stress);
    for (int a = 0; a < 3; a++) {
        back[a] = 0.5 * (p[0][a] + p[2][a]);
        along[a] = p[1][a] - back[a];
    }
    assert_true(vec_dot(along, u) > 0.95 * vec_length(along) * vec_length(u));
}

/* No point of line b is nearer to line k than half the distance, less what the marks blur. */
static void check_apart(const cut_lines *l, int k, int b) {
    for (int i = l->first[k]; i < l->first[k + 1]; i += 4)
        for (int j = l->first[b]; j < l->first[b + 1]; j += 4)
            assert_true(vec_distance(l->point_mm + 3 * i, l->point_mm + 3 * j) > 0.3 * apart_mm);
}

/* A cylinder in a lattice, its flow, and a cut across its axis. */
typedef struct {
    lattice l;
    fields f;
    sampler between;
    cut_frame frame;
    surface cut;
    cut_lines lines;
} drawn;

static void draw(drawn *w, const shape *s, double spacing_mm, const double low[3], const double high[3],
                 void flow(const double[3], const void *, double[3], double *, double[6]), const double centre[3],
                 double between_mm) {
    int opening;
    post_lattice_make(s, spacing_mm, low, high, 0, NULL, &w->l);
    post_fields_make(&w->l, flow, NULL, &w->f);
    assert_int_equal(sampler_create(&w->between, &w->l, &w->f), OK);
    cut_frame_plane(centre, s->b, &w->frame);
    assert_int_equal(cut_make(&w->between, &w->frame, 0.5 * spacing_mm, false, 0, &w->cut, &opening), OK);
    assert_true(w->cut.n_triangle > 0);
    assert_int_equal(cut_lines_make(&w->between, &w->f, &w->frame, &w->cut, between_mm, &w->lines), OK);
}

static void drawn_free(drawn *w) {
    cut_lines_free(&w->lines);
    surface_free(&w->cut);
    cut_frame_free(&w->frame);
    sampler_free(&w->between);
    fields_free(&w->f);
    lattice_free(&w->l);
}

static void lines_are_circles(void **state) {
    const shape s = {.kind = SHAPE_CYLINDER, .b = {0.6, 0, 0.8}, .radius = {4.5}};
    drawn w;
    (void)state;
    draw(&w, &s, 0.2, (double[3]){-6, -5, -6}, (double[3]){6, 5, 6}, turning, middle, apart_mm);
    const cut_lines *lines = &w.lines;
    assert_true(lines->n >= 2 * 5 && lines->n % 2 == 0 && lines->first[lines->n] == lines->n_point);
    for (int k = 0; k < lines->n; k += 2) {
        const int first = lines->first[k], n = lines->first[k + 1] - first;
        const double r = radius_of(lines->point_mm + 3 * first);
        assert_int_equal(lines->first[k + 2] - lines->first[k + 1], 3);
        check_head((const double(*)[3])(lines->point_mm + 3 * lines->first[k + 1]));
        for (int i = 0; i < n && (r < 2.7 || (r > 3.3 && r < 4)); i++)
            assert_true(fabs(radius_of(lines->point_mm + 3 * (first + i)) - r) < 0.02);
        if (r > 0.6 && r < 2.7) /* closed, but for what the marks leave open, and once round */
            assert_true(n * 0.1 > 2 * M_PI * r - apart_mm && n * 0.1 < 2 * M_PI * r + 0.1);
        for (int b = 0; b < k; b += 2)
            check_apart(lines, k, b);
    }
    drawn_free(&w);
}

/* Where all is at rest there are none. */
static void still(const double p[3], const void *data, double u[3], double *pressure, double stress[6]) {
    (void)p;
    (void)data;
    memset(u, 0, 3 * sizeof *u);
    memset(stress, 0, 6 * sizeof *stress);
    *pressure = 0;
}

static void fluid_at_rest_has_none(void **state) {
    const shape s = {.kind = SHAPE_CYLINDER, .b = {0, 0, 1}, .radius = {2}};
    drawn w;
    (void)state;
    draw(&w, &s, 0.25, (double[3]){-3, -3, -1}, (double[3]){3, 3, 1}, still, (double[3]){0, 0, 0}, 0.5);
    assert_int_equal(w.lines.n, 0);
    drawn_free(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines_are_circles), cmocka_unit_test(fluid_at_rest_has_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
