/* SPDX-License-Identifier: Apache-2.0 */
/* A run's start from coarser lattices: an exact flow in a slanted pipe, carried from two lattices to a finer one. */
#include "common/base/status.h"
#include "mesh/cells/voxelize.h"
#include "solve/start/start_flow.h"
#include "solve/start/start_values.h"
#include "tests/unit/near.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const double axis[3] = {0.36, 0.48, 0.8}, R = 3, REFERENCE = 7;

static double distance(const void *data, const double p[3]) {
    (void)data;
    const double along = p[0] * axis[0] + p[1] * axis[1] + p[2] * axis[2];
    return sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] - along * along) - R;
}

/* Speed, pressure and one stress at a point; `error`: what a lattice of this spacing adds, second order. */
static void flow(const double p[3], double error, double *speed, double *pressure, double *stress) {
    const double r = distance(NULL, p) + R, along = p[0] * axis[0] + p[1] * axis[1] + p[2] * axis[2];
    *speed = 0.4 * (1 - r * r / (R * R)) * (1 + error);
    *pressure = REFERENCE - 2 * along * (1 + error);
    *stress = 0.1 * r * (1 + error);
}

static void solved(double spacing, bool with_error, start_flow *s) {
    const double low[3] = {-6, -6, -6}, high[3] = {6, 6, 6}, error = with_error ? 0.1 * spacing * spacing : 0;
    voxelize_input in = {.distance = distance, .spacing_mm = spacing};
    assert_int_equal(voxelize_box(&in, low, high), OK);
    assert_int_equal(voxelize(&in, &s->l, NULL), OK);
    assert_int_equal(fields_create(&s->f, s->l.n_cell), OK);
    for (int64_t c = 0; c < s->l.n_cell; c++) {
        double p[3], u, pressure, stress;
        lattice_centre_mm(&s->l, c, p);
        flow(p, error, &u, &pressure, &stress);
        const bool wet = s->l.distance_mm[c] < 0;
        s->f.pressure_pa[c] = wet ? (float)pressure : NAN;
        for (int a = 0; a < 3 && wet; a++)
            s->f.velocity_m_s[3 * c + a] = (float)(u * axis[a]);
        s->f.stress_pa[6 * c + 3] = wet ? (float)stress : 0;
    }
}

/* Root mean square differences to the exact flow, over the largest value: velocity, pressure, stress. */
static double apart_last;

static void compare(const start_flow *coarse, const start_flow *coarser, double rms[3]) {
    const scale s = {.velocity_scale = 2, .pressure_scale = 30, .stress_scale = 90};
    start_flow fine = {0};
    domain d = {0};
    state_fields out = {0};
    double apart;
    solved(0.4, false, &fine);
    assert_int_equal(domain_create(&fine.l, DOMAIN_WALL_INTERPOLATED, NULL, &d), OK);
    assert_int_equal(start_flow_state(coarse, coarser, &fine.l, &d, &s, REFERENCE, &out, &apart), OK);
    memset(rms, 0, 3 * sizeof *rms);
    for (int64_t c = 0; c < d.n_cell; c++) {
        double p[3], u, pressure, stress;
        lattice_centre_mm(&fine.l, d.stored[c], p);
        flow(p, 0, &u, &pressure, &stress);
        rms[0] += pow((out.velocity[3 * c + 2] * 2 - u * axis[2]) / 0.32, 2);
        rms[1] += pow((out.density[c] * 30 + REFERENCE - pressure) / 16, 2);
        rms[2] += pow((out.stress[6 * c + 3] * 90 - stress) / 0.3, 2);
    }
    apart_last = apart;
    for (int k = 0; k < 3; k++)
        rms[k] = sqrt(rms[k] / (double)d.n_cell);
    state_fields_free(&out);
    domain_free(&d);
    start_flow_free(&fine);
}

static void test_interpolated(void **state) {
    (void)state;
    start_flow coarse = {0};
    double rms[3];
    solved(0.6, false, &coarse);
    compare(&coarse, NULL, rms);
    if (!(rms[0] < 0.006 && rms[1] < 1e-4 && rms[2] < 0.03))
        fail_msg("velocity %g, pressure %g, stress %g", rms[0], rms[1], rms[2]);
    start_flow_free(&coarse);
}

/* The error of second order that both lattices have is taken out. */
static void test_extrapolated(void **state) {
    (void)state;
    start_flow coarse = {0}, coarser = {0};
    double one[3], two[3];
    solved(0.6, true, &coarse);
    solved(0.9, true, &coarser);
    compare(&coarse, NULL, one);
    compare(&coarse, &coarser, two);
    /* what both lattices differ by, weighted: 0.1 (0.9^2 - 0.6^2) (0.6^2 - 0.4^2) / (0.9^2 - 0.6^2) of 1 + 0.1 0.4^2 */
    assert_near(apart_last, 0.02 / 1.016, 0.003);
    assert_near(start_flow_tolerance(apart_last, 1e-6), 0.02 / 1.016 / 1000, 3e-6);
    assert_near(start_flow_tolerance(0, 1e-6), 1e-6, 0);
    assert_near(start_flow_tolerance(1, 1e-6), 5e-5, 0);
    assert_near(start_flow_tolerance_accepted(0.02, 0, 20, 1e-6), 1e-5, 1e-18);    /* 2e-4 of the way */
    assert_near(start_flow_tolerance_accepted(0.8, 0, 20, 1e-6), 5e-5, 1e-18);     /* 5e-3 would be 2.5e-4 */
    assert_near(start_flow_tolerance_accepted(0.25, 0, 100, 1e-6), 2.5e-5, 1e-18); /* 2.5e-3 */
    assert_near(start_flow_tolerance_accepted(0.8, 0, 200, 1e-6), 2.5e-5, 1e-18);  /* 5e-3, the limit */
    assert_near(start_flow_tolerance_accepted(0.8, 0, 2, 1e-6), 5e-5, 0);
    assert_near(start_flow_tolerance_accepted(1e-4, 0, 20, 1e-6), 1e-6, 0);
    assert_near(start_flow_tolerance_accepted(0.02, 0.03, 100, 1e-6), 1e-5, 1e-18); /* a thirtieth of 0.03 */
    assert_near(start_flow_tolerance_accepted(0.02, 0.003, 100, 1e-6), 2e-6, 1e-18);
    assert_near(start_flow_tolerance_accepted(0, 0.03, 10, 1e-6), 1e-4, 1e-18);
    assert_near(start_flow_tolerance_accepted(0, 0.3, 10, 1e-6), 2e-4, 1e-18);
    assert_near(start_flow_tolerance_accepted(0, 0.2, 100, 1e-6), 5e-5, 1e-18); /* uncertain, but slow to settle */
    assert_true(two[1] < 0.7 * one[1]); /* what is left is the error on the fine lattice, 1.6 % of 3.6 % */
    start_flow_free(&coarse);
    start_flow_free(&coarser);
}

static void test_mass_correction(void **state) {
    (void)state;
    cJSON *result = cJSON_CreateObject();
    const scale s = {.dx_m = 1e-4, .velocity_scale = 2};
    assert_true(start_flow_mass_correction(result, &s) == 0);
    cJSON_AddNumberToObject(result, "wall_gain", 1e-6);
    cJSON_AddNumberToObject(result, "dx_mm", 0.2);
    cJSON_AddNumberToObject(result, "dt_s", 1e-4); /* the same lattice velocity */
    assert_near(start_flow_mass_correction(result, &s), 1e-6 * pow(0.5, 2.7), 1e-15);
    cJSON_Delete(result);
}

/* Updates that coarser lattices may take: 0.45 of the finest level, half of that behind one that had not settled. */
static void test_share(void **state) {
    (void)state;
    static grid_sequence a = {.n = 3};
    a.run[0] = (grid_run){.start = -1, .porous = -1, .finest_part = 0.5};
    a.run[1] = (grid_run){.start = 0, .porous = -1, .finest_part = 0.8};
    a.run[0].result = cJSON_CreateObject();
    assert_near(grid_sequence_share_steps(&a, &a.run[0], 3000), 10800, 1);
    assert_near(grid_sequence_share_steps(&a, &a.run[1], 3000), 2636.7, 1);
    cJSON_AddTrueToObject(a.run[0].result, "share_used");
    assert_near(grid_sequence_share_steps(&a, &a.run[1], 3000), 1318.4, 1);
    cJSON_Delete(a.run[0].result);
}

/* What is said of a run that had its share: the time of its means, nothing where it has none. */
static void test_share_mean(void **state) {
    (void)state;
    static const char *const record[] = {"{}", "{\"share_used\": true}",
                                         "{\"share_used\": true, \"unsteady\": {\"mean_of_s\": 0.5}}"};
    for (int k = 0; k < 4; k++) {
        const grid_run g = {.result = k < 3 ? cJSON_Parse(record[k]) : NULL};
        if (k == 2)
            assert_near(grid_sequence_share_mean_s(&g), 0.5, 1e-12);
        else
            assert_true(isnan(grid_sequence_share_mean_s(&g)));
        cJSON_Delete(g.result);
    }
}

/* Along each periodic axis alone, points at both edges of the box take cells from the opposite edge: one period apart
 * they have the same, complete stencil. */
static void test_periodic(void **state) {
    (void)state;
    enum { N = 6 };
    for (int axis_no = 0; axis_no < 3; axis_no++) {
        lattice l;
        fields f;
        start_source s;
        assert_int_equal(lattice_create(&l, N * N * N, 0, 0), OK);
        assert_int_equal(fields_create(&f, l.n_cell), OK);
        l.spacing_mm = 1;
        l.periodic[axis_no] = true;
        for (int c = 0; c < N * N * N; c++) {
            const int at[3] = {c % N, c / N % N, c / (N * N)};
            for (int a = 0; a < 3; a++) {
                l.dims[a] = N;
                l.cell[3 * c + a] = at[a];
            }
            l.distance_mm[c] = -10;
            f.pressure_pa[c] = (float)cos(2 * M_PI * at[axis_no] / N);
        }
        assert_int_equal(start_source_create(&s, &l, &f), OK);
        for (int k = 0; k < 3; k++) {
            start_rows rows[2] = {{0}, {0}};
            double low[3] = {2.5, 2.5, 2.5}, high[3] = {2.5, 2.5, 2.5}, value[2][START_VALUES];
            low[axis_no] = -0.75 + 0.5 * k;
            high[axis_no] = low[axis_no] + N;
            assert_true(start_values(&s, &rows[0], low, -10, value[0]));
            assert_true(start_values(&s, &rows[1], high, -10, value[1]));
            assert_near(value[0][0], value[1][0], 1e-6);
            assert_near(value[0][0], cos(2 * M_PI * low[axis_no] / N), 0.03);
        }
        start_source_free(&s);
        fields_free(&f);
        lattice_free(&l);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_interpolated),    cmocka_unit_test(test_extrapolated),
                                       cmocka_unit_test(test_mass_correction), cmocka_unit_test(test_share),
                                       cmocka_unit_test(test_share_mean),      cmocka_unit_test(test_periodic)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
