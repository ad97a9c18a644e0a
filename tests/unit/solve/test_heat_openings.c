/* SPDX-License-Identifier: Apache-2.0 */
/* Heat through openings against exact solutions: a slanted tube that cools as Graetz says, uniform flow from one
 * temperature to another. */
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
#include "common/case/case.h"
#include "mesh/cells/voxelize.h"
#include "pipeline/reproduce_exact/graetz.h"
#include "tests/unit/solve/heat_flow.h"

static const shape slanted = {.kind = SHAPE_CYLINDER, .a = {0.3, 0.2, 0}, .b = {1.3, 2.2, 6}, .radius = {6}};

static double slanted_distance(const void *data, const double p[3]) {
    return shape_distance_mm(data, p);
}

static lattice slanted_tube(void) {
    const mesh_opening o[2] = {
        {.name = "in", .role = LATTICE_INLET, .point_mm = {0.3, 0.2, 0}, .normal = {-1, -2, -6}},
        {.name = "out", .role = LATTICE_OUTLET, .point_mm = {9.3, 18.2, 54}, .normal = {1, 2, 6}}};
    voxelize_input in = {.distance = slanted_distance, .data = &slanted, .spacing_mm = 1, .n_opening = 2, .opening = o};
    lattice l;
    assert_int_equal(voxelize_box(&in, (double[3]){-8, -8, -5}, (double[3]){18, 27, 59}), OK);
    assert_int_equal(voxelize(&in, &l, NULL), OK);
    return l;
}

/* Rate at which the mean of u theta over a section falls between two places along the tube, a cell. */
static double fall(const flow *w, const float *u, const float *theta, double from, double to) {
    const double n[3] = {1 / sqrt(41), 2 / sqrt(41), 6 / sqrt(41)}, width = 2;
    double carried[2] = {0, 0}, moved[2] = {0, 0};
    for (int64_t k = 0; k < w->d.n_cell; k++) {
        double p[3], at = 0, along = 0;
        lattice_centre_mm(&w->l, w->d.stored[k], p);
        for (int a = 0; a < 3; a++) {
            at += (p[a] - slanted.a[a]) * n[a];
            along += u[3 * k + a] * n[a];
        }
        for (int end = 0; end < 2; end++) {
            const double beside = 1 - fabs(at - (end ? to : from)) / width; /* a tent: no cell comes or goes at once */
            if (beside <= 0)
                continue;
            carried[end] += beside * along * theta[k];
            moved[end] += beside * along;
        }
    }
    return log(carried[0] / moved[0] / (carried[1] / moved[1])) / (to - from);
}

/* A temperature comes in through an opening, cools along a slanted tube and leaves by an outlet that is free. */
static void tube_cools_as_graetz_says(void **state) {
    (void)state;
    const domain_condition condition[2] = {{.kind = DOMAIN_FLOW}, {.kind = DOMAIN_PRESSURE}};
    const double radius = 6, speed = 0.03, peclet = 30, diffusivity = 2 * speed * radius / peclet;
    flow w = {.l = slanted_tube()};
    assert_int_equal(domain_create(&w.l, DOMAIN_WALL_INTERPOLATED, condition, &w.d), OK);
    w.heat = (heat_settings){.n_wall = 1, .n_side = 3, .side = {{HEAT_GIVEN, 0}, {HEAT_GIVEN, 1}, {HEAT_FREE, 0}}};
    heat_diffusivity(&w.heat, diffusivity);
    w.s = flow_settings(0.65, false, BACKEND_FLOAT, 0);
    w.s.forced = true;
    w.s.heat = &w.heat;
    assert_int_equal(backend_cpu.create(&w.d, &w.s, &w.b), OK);
    const int n_step = 6000;
    prescribed_value *given = calloc(2 * (size_t)n_step, sizeof *given);
    double through[2], density[2], heat[3];
    assert_non_null(given);
    for (int k = 0; k < n_step; k++)
        given[2 * k].flow = speed * w.d.opening[0].link_flux * fmin(1, k / 500.0);
    assert_int_equal(backend_cpu.step(w.b, n_step, given), OK);
    float *u = malloc(3 * (size_t)w.d.n_cell * sizeof *u), *theta = malloc((size_t)w.d.n_cell * sizeof *theta);
    assert_true(u && theta);
    backend_monitor m = {.flow = through, .density = density, .heat_flux = heat};
    assert_int_equal(backend_cpu.monitor(w.b, &m), OK);
    assert_int_equal(backend_cpu.moments(w.b, NULL, u, NULL), OK);
    assert_int_equal(backend_cpu.temperature(w.b, theta, NULL), OK);
    const double pe = 2 * through[0] / (M_PI * radius * diffusivity), exact = graetz(pe, true);
    const double rate = radius * fall(&w, u, theta, 30, 45), limit = graetz(1e5, false) * 1e5 / 2;
    const double balance = (heat[0] + heat[1] + heat[2]) / heat[1];
    printf("slanted tube, Peclet number %.1f: Nusselt number %.4f, exact %.4f (%+.2f %%; far from conduction along it "
           "%.4f); heat balance %.1e\n",
           pe, rate * pe / 2, exact * pe / 2, 100 * (rate / exact - 1), limit, balance);
    assert_true(fabs(limit - 3.6568) < 2e-4);
    assert_true(fabs(rate / exact - 1) < 0.01);
    assert_true(fabs(balance) < 1e-3);
    free(u);
    free(theta);
    free(given);
    flow_close(&w);
}

/* n x 3 x 3 cells, periodic but along x, where fluid comes in at -1/2 and leaves at n - 1/2. */
static lattice plug_lattice(int n) {
    lattice l;
    int64_t link = 0;
    assert_int_equal(lattice_create(&l, 9 * n, 90, 2), OK);
    l.spacing_mm = 1;
    memcpy(l.dims, (int[3]){n, 3, 3}, sizeof l.dims);
    memcpy(l.periodic, (bool[3]){false, true, true}, sizeof l.periodic);
    for (int k = 0; k < 9 * n; k++) {
        const int x = k % n;
        memcpy(l.cell + 3 * k, (int32_t[3]){x, k / n % 3, k / n / 3}, 3 * sizeof *l.cell);
        l.distance_mm[k] = -1;
        for (int a = 1; a < 19; a++)
            if (x + lattice_e[a][0] < 0 || x + lattice_e[a][0] == n) {
                l.link_cell[link] = k;
                l.link_dir[link] = (uint8_t)a;
                l.link_q[link] = 0.5f;
                l.link_opening[link++] = lattice_e[a][0] < 0 ? 1 : 2;
            }
    }
    for (int o = 0; o < 2; o++) {
        snprintf(l.opening[o].name, sizeof l.opening[o].name, "%s", o ? "out" : "in");
        l.opening[o].normal[0] = o ? 1 : -1;
        l.opening[o].n_link = 45;
    }
    return l;
}

/* Uniform flow from a warm inlet to an outlet: theta = (1 - exp(Pe (x/L - 1))) / (1 - exp(-Pe)) where the outlet has
 * the temperature 0, and that of the inlet throughout where it is free. Root mean square of the error; heat through the
 * inlet over the exact one. */
static double plug(int n, int outlet, double *inflow) {
    const domain_condition condition[2] = {{.kind = DOMAIN_FLOW, .profile = PROFILE_PLUG}, {.kind = DOMAIN_PRESSURE}};
    const double speed = 0.8 / n, diffusivity = 0.2, peclet = speed * n / diffusivity;
    const int n_step = n * n * 30;
    flow w = {.l = plug_lattice(n)};
    assert_int_equal(domain_create(&w.l, DOMAIN_WALL_INTERPOLATED, condition, &w.d), OK);
    w.heat = (heat_settings){.n_wall = 1, .n_side = 3, .side = {{HEAT_NO_FLUX, 0}, {HEAT_GIVEN, 1}, {outlet, 0}}};
    heat_diffusivity(&w.heat, diffusivity);
    w.s = flow_settings(0.8, false, BACKEND_DOUBLE, 0);
    w.s.forced = true;
    w.s.heat = &w.heat;
    assert_int_equal(backend_cpu.create(&w.d, &w.s, &w.b), OK);
    prescribed_value *given = calloc(2 * (size_t)n_step, sizeof *given);
    double flows[2], density[2], heat[3], sum = 0;
    float *theta = malloc((size_t)w.d.n_cell * sizeof *theta);
    assert_true(given && theta);
    for (int k = 0; k < n_step; k++)
        given[2 * k].flow = speed * w.d.opening[0].link_flux;
    assert_int_equal(backend_cpu.step(w.b, n_step, given), OK);
    assert_int_equal(backend_cpu.temperature(w.b, theta, NULL), OK);
    backend_monitor m = {.flow = flows, .density = density, .heat_flux = heat};
    assert_int_equal(backend_cpu.monitor(w.b, &m), OK);
    for (int64_t k = 0; k < w.d.n_cell; k++) {
        const double x = (w.d.position[3 * k] + 0.5) / n;
        const double exact = outlet == HEAT_FREE ? 1 : (1 - exp(peclet * (x - 1))) / (1 - exp(-peclet));
        sum += pow(theta[k] - exact, 2);
    }
    const double through = 9 * speed * (outlet == HEAT_FREE ? 1 : 1 / (1 - exp(-peclet)));
    assert_true(fabs(heat[1] + heat[2]) < 1e-9 * through);
    *inflow = heat[1] / through;
    free(theta);
    free(given);
    const double error = sqrt(sum / (double)w.d.n_cell);
    flow_close(&w);
    return error;
}

static void openings_are_second_order(void **state) {
    (void)state;
    double given[2], free_outlet, heat[3];
    for (int k = 0; k < 2; k++)
        given[k] = plug(16 << k, HEAT_GIVEN, &heat[k]);
    free_outlet = plug(16, HEAT_FREE, &heat[2]);
    printf("uniform flow through openings, Peclet number 4: temperature %.4f %% off at 16 cells, %.4f %% at 32, order "
           "%.2f, "
           "heat %+.4f and %+.4f %%; with a free outlet %.1e, heat %+.1e\n",
           100 * given[0], 100 * given[1], log2(given[0] / given[1]), 100 * (heat[0] - 1), 100 * (heat[1] - 1),
           free_outlet, heat[2] - 1);
    assert_true(given[1] < 0.002 && log2(given[0] / given[1]) >= 1.8);
    assert_true(fabs(heat[1] - 1) < 0.002);
    assert_true(free_outlet < 1e-6 && fabs(heat[2] - 1) < 1e-6);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(tube_cools_as_graetz_says),
                                       cmocka_unit_test(openings_are_second_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
