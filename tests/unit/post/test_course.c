/* SPDX-License-Identifier: Apache-2.0 */
/* Sections along the vessel: a pipe at an angle, and a bend (torus), where they are known exactly. */
#include "common/base/status.h" /* before cmocka, which has a macro fail */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "post/flow/course.h"
#include "tests/unit/post/post_lattice.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const int along[1][2] = {{0, 1}}, against[1][2] = {{1, 0}};

static void report(const course *c, double area, double flow, double *worst_area, double *worst_flow) {
    *worst_area = *worst_flow = 0;
    for (int k = 0; k < c->n; k++) {
        *worst_area = fmax(*worst_area, fabs(c->station[k].area_mm2 / area - 1));
        *worst_flow = fmax(*worst_flow, fabs(c->station[k].flow_ml_s / flow - 1));
        assert_true(fabs(c->station[k].mean_velocity_m_s * c->station[k].area_mm2 - c->station[k].flow_ml_s) < 1e-9);
    }
    printf("%d stations, length %.2f mm, area within %.2f %%, flow within %.2f %%\n", c->n, c->length_mm,
           100 * *worst_area, 100 * *worst_flow);
}

static void pipe_at_an_angle(void **state) {
    static const post_pipe pipe = {.point_mm = {1, 2, 3},
                                   .axis = {0.36, 0.48, 0.8},
                                   .radius_mm = 4,
                                   .length_mm = 30,
                                   .mean_m_s = 0.1,
                                   .viscosity_pa_s = 0.0035};
    lattice l;
    fields f;
    sampler s;
    course c;
    double worst_area, worst_flow;
    post_pipe_lattice(&pipe, 16, &l);
    post_fields_make(&l, post_pipe_flow, &pipe, &f);
    assert_int_equal(sampler_create(&s, &l, &f), OK);
    assert_int_equal(course_make(&s, &f, 1, along, &c), OK);
    report(&c, M_PI * 16, M_PI * 1.6, &worst_area, &worst_flow);
    assert_true(c.n > 30);
    assert_true(fabs(c.length_mm - 30) < 0.3);
    assert_true(worst_area < 0.02 && worst_flow < 0.02);
    for (int k = 0; k < c.n; k++)
        assert_true(fabs(c.station[k].pressure_pa -
                         post_pipe_gradient_pa_m(&pipe) * 1e-3 * (30 - c.station[k].distance_mm * 30 / c.length_mm)) <
                    0.01 * post_pipe_gradient_pa_m(&pipe) * 0.03);
    course_free(&c);
    assert_int_equal(course_make(&s, &f, 1, against, &c), OK); /* against the flow */
    assert_true(c.station[c.n / 2].flow_ml_s < -5 && c.station[0].pressure_pa < c.station[c.n - 1].pressure_pa);
    course_free(&c);
    for (int64_t i = 0; i < l.n_cell; i++) { /* porous tissue in the first half */
        double p[3], part = 0;
        lattice_centre_mm(&l, i, p);
        for (int m = 0; m < 3; m++)
            part += (p[m] - pipe.point_mm[m]) * pipe.axis[m] / 30;
        l.region[i] = part > 0.2 && part < 0.5;
    }
    assert_int_equal(course_make(&s, &f, 1, along, &c), OK);
    for (int k = 0; k < c.n; k++) {
        const double part = c.station[k].distance_mm / c.length_mm;
        assert_true(c.station[k].porous ? part > 0.15 && part < 0.55 : part < 0.25 || part > 0.45);
        assert_true(isnan(c.station[k].flow_ml_s) == c.station[k].porous && isfinite(c.station[k].pressure_pa));
    }
    course_free(&c);
    sampler_free(&s);
    fields_free(&f);
    lattice_free(&l);
    (void)state;
}

/* quarter of a torus: rigid rotation has flow omega R area through every section, whatever its shape */
static void rotation(const double p[3], const void *data, double u[3], double *pressure, double stress[6]) {
    (void)data;
    for (int a = 0; a < 6; a++)
        stress[a] = 0;
    u[0] = -p[1] * 0.01;
    u[1] = p[0] * 0.01;
    u[2] = 0;
    *pressure = atan2(p[1], p[0]);
}
static void bend(void **state) {
    shape torus = {.kind = SHAPE_TORUS, .a = {0, 0, 0}, .b = {0, 0, 1}, .radius = {3, 10}};
    post_opening o[2] = {
        {.name = "in", .role = LATTICE_INLET, .centre_mm = {10, 0, 0}, .normal = {0, -1, 0}, .radius_mm = 3},
        {.name = "out", .role = LATTICE_OUTLET, .centre_mm = {0, 10, 0}, .normal = {-1, 0, 0}, .radius_mm = 3}};
    double low[3] = {-1.1, -0.9, -4}, high[3] = {14, 14, 4}, worst_area, worst_flow;
    lattice l;
    fields f;
    sampler s;
    course c;
    post_lattice_make(&torus, 0.4, low, high, 2, o, &l);
    post_fields_make(&l, rotation, NULL, &f);
    assert_int_equal(sampler_create(&s, &l, &f), OK);
    assert_int_equal(course_make(&s, &f, 1, along, &c), OK);
    report(&c, M_PI * 9, M_PI * 9 * 0.1, &worst_area, &worst_flow);
    assert_true(worst_area < 0.03 && worst_flow < 0.05); /* this flow slips at the wall: the staircase shows */
    /* the mean of |grad theta| = 1/r over the section gives this length */
    assert_true(fabs(c.length_mm / (M_PI / 2 * (10 + sqrt(100 - 9)) / 2) - 1) < 0.02);
    for (int k = 0; k < c.n; k++)
        assert_true(fabs(c.station[k].pressure_pa - M_PI / 2 * c.station[k].distance_mm / c.length_mm) < 0.02);
    course_free(&c);
    sampler_free(&s);
    fields_free(&f);
    lattice_free(&l);
    (void)state;
}

static void pairs_cover_every_opening(void **state) {
    lattice l;
    int pair[5][2];
    double flow[5] = {3, 9, 2, 8, 0};
    assert_int_equal(lattice_create(&l, 1, 0, 5), OK);
    static const int role[5] = {LATTICE_INLET, LATTICE_INLET, LATTICE_OUTLET, LATTICE_OUTLET, LATTICE_MOVING_WALL};
    for (int k = 0; k < 5; k++)
        l.opening[k].role = role[k];
    assert_int_equal(course_pairs(&l, flow, pair), 3);
    static const int expected[3][2] = {{0, 3}, {1, 2}, {1, 3}};
    for (int k = 0; k < 3; k++) {
        assert_int_equal(pair[k][0], expected[k][0]);
        assert_int_equal(pair[k][1], expected[k][1]);
    }
    lattice_free(&l);
    (void)state;
}

/* A rise is explained only where the blood slows down enough: Bernoulli gives 1060 / 2 (0.2^2 - 0.1^2) = 15.9 Pa, twice
 * that is the limit. */
static void rises_where_blood_slows_down(void **state) {
    (void)state;
    course_station at[] = {{.distance_mm = 0, .mean_velocity_m_s = 0.2, .pressure_pa = 30},
                           {.distance_mm = 5, .mean_velocity_m_s = 0.2, .pressure_pa = 20},
                           {.distance_mm = 10, .mean_velocity_m_s = 0.1, .pressure_pa = 34},
                           {.distance_mm = 15, .mean_velocity_m_s = 0.1, .pressure_pa = 10}};
    course c = {.n = 4, .station = at};
    course_rise r = course_find_rise(&c, 1060);
    assert_true(r.from_mm == 5 && r.to_mm == 10 && r.rise_pa == 14);
    at[2].pressure_pa = 20 + 2.01 * 15.9; /* more than the dynamic pressure */
    r = course_find_rise(&c, 1060);
    assert_true(r.from_mm == 0 && r.rise_pa < 22); /* 30 to 52: below the limit of 31.8 */
    at[2].pressure_pa = 34;
    at[2].mean_velocity_m_s = 0.2;
    assert_true(course_find_rise(&c, 1060).rise_pa == 0);
    at[2].mean_velocity_m_s = -0.1; /* blood flows the other way */
    assert_true(course_find_rise(&c, 1060).rise_pa == 0);
}

/* The distances of a rise cannot be read as pressures. */
static void rise_is_explained(void **state) {
    (void)state;
    char text[400];
    course_explain_rise(&(course_rise){129.6, 133.2, 4}, "SMV", "RPV", sizeof text, text);
    assert_non_null(strstr(text, "from SMV to RPV the pressure rises, at distances of 130 to 133 mm, because"));
    assert_non_null(strstr(text, "becomes static pressure."));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rises_where_blood_slows_down),
        cmocka_unit_test(rise_is_explained),
        cmocka_unit_test(pipe_at_an_angle),
        cmocka_unit_test(bend),
        cmocka_unit_test(pairs_cover_every_opening),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
