/* SPDX-License-Identifier: Apache-2.0 */
/* Walls thinner than a cell: two channels on both sides of one against the exact flow, a hole in a web across a tube,
 * two tubes that nearly touch, and bulges that are none. */
#include "common/base/status.h" /* before cmocka.h, which has a macro fail() */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/lattice/potential_flow.h"
#include "mesh/cells/voxelize.h"
#include "tests/unit/near.h"
#include "tests/unit/solve/solve_flow.h"

/* A slab (flow_walls) with a wall in it. */
typedef struct {
    flow_walls slab;
    double middle, thick;
} divided;

static double divided_distance(const void *data, const double p[3]) {
    const divided *c = data;
    const double at = flow_walls_place(&c->slab, p);
    return fmax(fmax(c->slab.low - at, at - c->slab.high), 0.5 * c->thick - fabs(at - c->middle));
}

static lattice divided_lattice(const divided *c, voxelize_report *report) {
    lattice l;
    voxelize_input in = {.distance = divided_distance, .data = c, .spacing_mm = 1, .periodic = {true, true, true}};
    memcpy(in.dims, c->slab.size, sizeof in.dims);
    assert_int_equal(voxelize(&in, &l, report), OK);
    assert_int_equal(lattice_check(&l), OK);
    return l;
}

/* L2 error of the flow along z that a force drives in both channels. */
static double divided_error(const divided *c) {
    const double nu = 0.1, widest = c->slab.high - c->middle, force = 0.02 * 8 * nu / (widest * widest);
    lattice l = divided_lattice(c, NULL);
    domain d;
    backend *b;
    assert_int_equal(domain_create(&l, DOMAIN_WALL_INTERPOLATED, NULL, &d), OK);
    backend_settings s = flow_settings(0.5 + 3 * nu, false, BACKEND_DOUBLE, force);
    assert_int_equal(backend_cpu.create(&d, &s, &b), OK);
    assert_int_equal(backend_cpu.step(b, 2 * (int)(0.6 * widest * widest / nu), NULL), OK);
    float *u = malloc(3 * (size_t)d.n_cell * sizeof *u);
    assert_int_equal(backend_cpu.moments(b, NULL, u, NULL), OK);
    double error = 0, square = 0;
    for (int64_t k = 0; k < d.n_cell; k++) {
        const int32_t *at = d.position + 3 * k;
        const double x = flow_walls_place(&c->slab, (const double[3]){at[0], at[1], at[2]});
        const double low = x < c->middle ? c->slab.low : c->middle + 0.5 * c->thick;
        const double high = x < c->middle ? c->middle - 0.5 * c->thick : c->slab.high;
        const double exact = force / (2 * nu) * (x - low) * (high - x);
        error += (u[3 * k + 2] - exact) * (u[3 * k + 2] - exact);
        square += exact * exact;
    }
    free(u);
    backend_cpu.destroy(b);
    domain_free(&d);
    lattice_free(&l);
    return sqrt(error / square);
}

static void channels_beside_a_thin_wall(void **state) {
    (void)state;
    static const struct { int along[2], size[2]; } way[] = {{{0, 1}, {3, 24}}, {{1, 1}, {34, 34}}, {{1, 2}, {54, 54}}};
    for (size_t k = 0; k < sizeof way / sizeof *way; k++)
        for (int thin = k > 0; thin < 2; thin++) {
            double error[2];
            for (int fine = 0; fine < 2; fine++) {
                const int times = fine + 1;
                const int size[3] = {k ? way[k].size[0] * times : 3, way[k].size[1] * times, 2};
                const divided c = {
                    {{way[k].along[0], way[k].along[1]}, {size[0], size[1], 2}, 1.3 * times, 21.2 * times, 0},
                    11.1 * times,
                    thin ? 0.05 : 0.6};
                error[fine] = divided_error(&c);
            }
            printf("wall of %.2f cells, normal %d %d: L2 error %.2f %%, with half the spacing %.2f %%\n",
                   thin ? 0.05 : 0.6, way[k].along[0], way[k].along[1], 100 * error[0], 100 * error[1]);
            assert_true(error[0] < 0.03 && error[1] < 0.4 * error[0]);
        }
}

/* A tube of 8 mm along z with a web 0.1 mm thick, its hole of 3 mm off the axis; the web is tilted. */
static double web_distance(const void *data, const double p[3]) {
    (void)data;
    const double height = 0.96 * p[2] + 0.28 * p[0] - 0.13;
    const double web = fmax(fabs(height) - 0.05, 1.5 - hypot(p[0] - 1, p[1] - 0.4));
    return fmax(fmax(hypot(p[0], p[1]) - 4, fabs(p[2]) - 14), -web);
}

static void hole_of_a_thin_web(void **state) {
    (void)state;
    mesh_opening o[2] = {{.name = "in", .role = LATTICE_INLET, .point_mm = {0, 0, -12}, .normal = {0, 0, -1}},
                         {.name = "out", .role = LATTICE_OUTLET, .point_mm = {0, 0, 12}, .normal = {0, 0, 1}}};
    voxelize_input in = {.distance = web_distance, .spacing_mm = 0.25, .n_opening = 2, .opening = o};
    voxelize_report report;
    lattice l;
    potential_flow_result flow;
    const double given[2] = {1e-6, NAN};
    const potential_flow_input ask = {.nu_m2_s = 3.3e-6, .flow_m3_s = given};
    assert_int_equal(voxelize_box(&in, (double[3]){-4.3, -4.3, -14.3}, (double[3]){4.3, 4.3, 14.3}), OK);
    assert_int_equal(voxelize(&in, &l, &report), OK);
    assert_int_equal(lattice_check(&l), OK);
    assert_int_equal(potential_flow(&l, &ask, &flow), OK);
    printf("web: %lld links, %.3f mm thick near %.1f, %.1f, %.1f; narrowest %.2f mm\n", (long long)report.n_web,
           report.web_thick_mm, report.web_mm[0], report.web_mm[1], report.web_mm[2], flow.narrowest.diameter_mm);
    assert_true(report.n_web > 1000);
    assert_float_equal(report.web_thick_mm, 0.1, 0.02);
    assert_true(fabs(0.96 * report.web_mm[2] + 0.28 * report.web_mm[0] - 0.13) < 0.3);
    assert_float_equal(flow.narrowest.diameter_mm, 3, 0.8);
    lattice_free(&l);
}

/* Two tubes of 4 mm side by side, 0.12 mm apart, slanted. */
static double tubes_distance(const void *data, const double p[3]) {
    (void)data;
    const double x = 0.8 * p[0] + 0.6 * p[1], y = 0.8 * p[1] - 0.6 * p[0];
    return fmin(hypot(x - 2.06, y), hypot(x + 2.06, y)) - 2;
}

static void tubes_that_nearly_touch(void **state) {
    (void)state;
    mesh_opening o[2] = {{.name = "in", .role = LATTICE_INLET, .point_mm = {1.648, 1.236, 0.3}, .normal = {0, 0, -1}},
                         {.name = "out", .role = LATTICE_OUTLET, .point_mm = {1.648, 1.236, 9.6}, .normal = {0, 0, 1}}};
    voxelize_input in = {.distance = tubes_distance, .spacing_mm = 0.3, .n_opening = 2, .opening = o};
    voxelize_report report;
    lattice l;
    assert_int_equal(voxelize_box(&in, (double[3]){-4.5, -4.5, -0.3}, (double[3]){4.5, 4.5, 10.2}), OK);
    assert_int_equal(voxelize(&in, &l, &report), OK);
    assert_int_equal(lattice_check(&l), OK);
    printf("tubes: %.2f mm3 of one, exact %.2f\n", report.fluid_volume_mm3, M_PI * 4 * 9.3);
    assert_float_equal(report.fluid_volume_mm3 / (M_PI * 4 * 9.3), 1, 0.02);
    lattice_free(&l);
}

static double ball_distance(const void *data, const double p[3]) {
    (void)data;
    return 5.03 - sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
}

static void a_bulge_is_no_thin_wall(void **state) {
    (void)state;
    voxelize_input in = {.distance = ball_distance, .spacing_mm = 1};
    lattice l;
    lattice_rows rows;
    int64_t n = 0;
    assert_int_equal(voxelize_box(&in, (double[3]){-9, -9, -9}, (double[3]){9, 9, 9}), OK);
    assert_int_equal(voxelize(&in, &l, NULL), OK);
    assert_int_equal(lattice_rows_create(&rows, &l), OK);
    for (int64_t k = 0; k < l.n_link; k++) {
        const int32_t *at = l.cell + 3 * (int64_t)l.link_cell[k];
        const int8_t *e = lattice_e[l.link_dir[k]];
        const int64_t other = lattice_rows_find(&rows, at[0] + e[0], at[1] + e[1], at[2] + e[2]);
        n += other >= 0 && l.distance_mm[other] < 0;
    }
    assert_int_equal(n, 0);
    lattice_rows_free(&rows);
    lattice_free(&l);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(channels_beside_a_thin_wall),
                                       cmocka_unit_test(hole_of_a_thin_web), cmocka_unit_test(tubes_that_nearly_touch),
                                       cmocka_unit_test(a_bulge_is_no_thin_wall)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
