/* SPDX-License-Identifier: Apache-2.0 */
/* Sections of a pipe: area, flow, mean velocity, pressure, for planes at an angle too. */
#include "common/base/status.h" /* before cmocka, which has a macro fail */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "post/flow/flow_section.h"
#include "post/sample/cut.h"
#include "tests/unit/post/post_lattice.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const post_pipe PIPE = {.point_mm = {1, 2, 3},
                               .axis = {0, 0.6, 0.8},
                               .radius_mm = 4,
                               .length_mm = 24,
                               .mean_m_s = 0.1,
                               .viscosity_pa_s = 0.0035};

static double pressure_at(double z_mm) {
    return post_pipe_gradient_pa_m(&PIPE) * (PIPE.length_mm - z_mm) * 1e-3;
}

typedef struct {
    lattice l;
    fields f;
    sampler s;
} setup;

static void begin(setup *t, double cells_per_diameter) {
    post_pipe_lattice(&PIPE, cells_per_diameter, &t->l);
    post_fields_make(&t->l, post_pipe_flow, &PIPE, &t->f);
    assert_int_equal(sampler_create(&t->s, &t->l, &t->f), OK);
}
static void end(setup *t) {
    sampler_free(&t->s);
    fields_free(&t->f);
    lattice_free(&t->l);
}

static void check(const flow_section *c, double tilt_cos, double z_mm, double tolerance) {
    double area = M_PI * 16 / tilt_cos, flow = M_PI * 16 * 0.1;
    printf("area %+.4f %% flow %+.4f %% pressure %+.4f %%\n", 100 * (c->area_mm2 / area - 1),
           100 * (c->flow_ml_s / flow - 1), 100 * (c->pressure_pa / pressure_at(z_mm) - 1));
    assert_true(fabs(c->area_mm2 / area - 1) < tolerance);
    assert_true(fabs(c->flow_ml_s / flow - 1) < tolerance);
    assert_true(fabs(c->mean_velocity_m_s / (0.1 * tilt_cos) - 1) < 2 * tolerance);
    assert_true(fabs(c->pressure_pa / pressure_at(z_mm) - 1) < tolerance);
    assert_int_equal(c->opening, -1);
}

static void pipe_at_several_resolutions(void **state) {
    static const struct { double across, tolerance; } runs[] = {{8, 0.01}, {16, 0.003}, {32, 0.001}};
    for (int k = 0; k < 3; k++) {
        setup t;
        flow_section c;
        begin(&t, runs[k].across);
        double p[3] = {1.5, 2 + 0.6 * 11 - 0.4, 3 + 0.8 * 11 + 0.3}, normal[3] = {0, 0.6, 0.8}; /* off the axis */
        assert_int_equal(flow_section_measure(&t.s, &t.f, p, normal, 1, &c), OK);
        check(&c, 1, 11, runs[k].tolerance);
        double tilted[3] = {0.6, 0.48, 0.64}; /* 0.8 along the axis */
        assert_int_equal(flow_section_measure(&t.s, &t.f, p, tilted, 1, &c), OK);
        assert_true(fabs(c.area_mm2 / (M_PI * 16 / 0.8) - 1) < runs[k].tolerance);
        assert_true(fabs(c.flow_ml_s / (M_PI * 1.6) - 1) < runs[k].tolerance);
        end(&t);
    }
    (void)state;
}

static void normal_is_found(void **state) {
    setup t;
    flow_section c;
    begin(&t, 16);
    double p[3] = {3, 2 + 0.6 * 11, 3 + 0.8 * 11};
    assert_int_equal(flow_section_measure_auto(&t.s, &t.f, p, 1, &c), OK);
    assert_true(c.normal[1] * 0.6 + c.normal[2] * 0.8 > 1 - 1e-4);
    check(&c, 1, 11, 0.003);
    for (int64_t k = 0; k < 3 * t.l.n_cell; k++)
        t.f.velocity_m_s[k] *= -1; /* reverse: the normal turns with the flow */
    assert_int_equal(flow_section_measure_auto(&t.s, &t.f, p, 1, &c), OK);
    assert_true(c.normal[1] * 0.6 + c.normal[2] * 0.8 < -(1 - 1e-4));
    assert_true(c.flow_ml_s > 0);
    memset(t.f.velocity_m_s, 0, 3 * (size_t)t.l.n_cell * sizeof(float)); /* at rest: the vessel's axis */
    assert_int_equal(flow_section_measure_auto(&t.s, &t.f, p, 1, &c), OK);
    assert_true(fabs(c.normal[1] * 0.6 + c.normal[2] * 0.8) > 0.999);
    assert_true(fabs(c.flow_ml_s) < 1e-12);
    end(&t);
    (void)state;
}

static void a_point_outside_is_refused(void **state) {
    setup t;
    flow_section c;
    begin(&t, 8);
    double p[3] = {9, 2, 3}, normal[3] = {0, 0.6, 0.8};
    assert_int_equal(flow_section_measure(&t.s, &t.f, p, normal, 2, &c), ERR_INPUT);
    assert_non_null(strstr(status_message(), "no lumen within 2 mm"));
    assert_true(isnan(c.flow_ml_s));
    status_clear();
    c.flow_ml_s = c.area_mm2 = c.pressure_pa = 0;
    assert_int_equal(flow_section_measure_auto(&t.s, &t.f, p, 2, &c), ERR_INPUT);
    assert_true(isnan(c.flow_ml_s) && isnan(c.area_mm2) && isnan(c.pressure_pa)); /* never 0 for not measured */
    status_clear();
    end(&t);
    (void)state;
}

static void an_opening_in_the_plane_is_named(void **state) {
    setup t;
    flow_section c;
    begin(&t, 12);
    double p[3] = {1, 2 + 0.6 * 2, 3 + 0.8 * 2}, across[3] = {0.8, 0.36, 0.48}; /* 0.6 along the axis */
    assert_int_equal(flow_section_measure(&t.s, &t.f, p, across, 1, &c), OK);
    assert_int_equal(c.opening, 0);
    end(&t);
    (void)state;
}

/* A plane along the axis reaches from opening to opening, with squares of an eighth of a spacing further than the grid
 * on which a patch is looked for first. */
static void a_patch_wider_than_the_first_grid_is_whole(void **state) {
    setup t;
    cut_frame frame;
    surface patch;
    int opening;
    begin(&t, 16);
    const double p[3] = {1, 2 + 0.6 * 12, 3 + 0.8 * 12}, across[3] = {0, 0.8, -0.6};
    cut_frame_plane(p, across, &frame);
    assert_int_equal(cut_make(&t.s, &frame, 0.125 * t.l.spacing_mm, true, 1, &patch, &opening), OK);
    printf("along the axis: %.3f mm2 of 192\n", surface_area_mm2(&patch));
    assert_true(fabs(surface_area_mm2(&patch) / 192 - 1) < 0.002);
    surface_free(&patch);
    end(&t);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pipe_at_several_resolutions),
        cmocka_unit_test(normal_is_found),
        cmocka_unit_test(a_point_outside_is_refused),
        cmocka_unit_test(an_opening_in_the_plane_is_named),
        cmocka_unit_test(a_patch_wider_than_the_first_grid_is_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
