/* SPDX-License-Identifier: Apache-2.0 */
/* Heat beside the flow against exact solutions: conduction through a slab at an angle and in an annulus, the tall slot
 * between a warm and a cold wall, a scalar spread by Poiseuille flow; what walls without flux keep. */
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
#include "solve/core/heat_gaps.h"
#include "tests/unit/solve/heat_flow.h"

static void flow_open(flow *w, const flow_walls *c, double tau, double diffusivity, int kind, double low, double high) {
    w->l = flow_walls_lattice(c);
    assert_int_equal(domain_create(&w->l, DOMAIN_WALL_INTERPOLATED, NULL, &w->d), OK);
    w->heat = (heat_settings){.n_wall = 2, .n_side = 2, .side = {{kind, low}, {kind, high}}};
    heat_diffusivity(&w->heat, diffusivity);
    w->s = flow_settings(tau, false, BACKEND_DOUBLE, 0);
    w->s.forced = true;
    w->s.heat = &w->heat;
}

/* --- conduction ---------------------------------------------------------------------------------------------- */

/* Linear between the walls: exact at any angle, and the heat that goes in by one wall goes out by the other. */
static void slab_at_an_angle_is_exact(void **state) {
    (void)state;
    const flow_walls c = {{1, 2}, {30, 15, 2}, 0.3, 11.5, 0.13};
    flow w;
    double n[2], worst = 0, slope = 0, heat[2];
    const double diffusivity = 0.1;
    flow_open(&w, &c, 0.8, diffusivity, HEAT_GIVEN, 1, -0.5);
    assert_int_equal(backend_cpu.create(&w.d, &w.s, &w.b), OK);
    assert_int_equal(backend_cpu.step(w.b, 20000, NULL), OK);
    float *theta = malloc((size_t)w.d.n_cell * sizeof *theta),
          *gradient = malloc(3 * (size_t)w.d.n_cell * sizeof *theta);
    assert_true(theta && gradient);
    assert_int_equal(backend_cpu.temperature(w.b, theta, gradient), OK);
    flow_walls_normal(&c, n);
    for (int64_t k = 0; k < w.d.n_cell; k++) {
        double p[3];
        lattice_centre_mm(&w.l, w.d.stored[k], p);
        worst = fmax(worst, fabs(theta[k] - (1 - 1.5 * (flow_walls_place(&c, p) - c.low) / (c.high - c.low))));
        slope = fmax(slope, hypot(gradient[3 * k] + 1.5 * n[0] / (c.high - c.low),
                                  gradient[3 * k + 1] + 1.5 * n[1] / (c.high - c.low)));
    }
    backend_monitor m = {.heat_flux = heat};
    assert_int_equal(backend_cpu.monitor(w.b, &m), OK);
    const double area = hypot(30, 15) * 2, exact = diffusivity * 1.5 / (c.high - c.low) * area;
    printf("slab along 1 2 0: temperature off by %.1e, gradient by %.1e, heat by %.2e, balance %.1e\n", worst, slope,
           heat[0] / exact - 1, (heat[0] + heat[1]) / exact);
    assert_true(worst < 2e-6 && slope < 2e-6);
    assert_true(fabs(heat[0] + heat[1]) < 1e-9 * exact);
    assert_true(fabs(heat[0] / exact - 1) < 1e-6);
    free(theta);
    free(gradient);
    flow_close(&w);
}

/* Error of the temperature (L2) and of the heat between two circles, warm inside. */
static void annulus(int scale, double diffusivity, double *error, double *heat_error) {
    const flow_walls c = {{0, 0}, {22 * scale, 22 * scale, 2}, 4.1 * scale, 9.7 * scale, 0.23};
    flow w;
    double heat[2], sum = 0, square = 0;
    flow_open(&w, &c, 0.8, diffusivity, HEAT_GIVEN, 1, 0);
    assert_int_equal(backend_cpu.create(&w.d, &w.s, &w.b), OK);
    const double width = c.high - c.low;
    assert_int_equal(backend_cpu.step(w.b, 2 * (int)(0.5 * 2.5 * width * width / diffusivity), NULL), OK);
    float *theta = malloc((size_t)w.d.n_cell * sizeof *theta);
    assert_non_null(theta);
    assert_int_equal(backend_cpu.temperature(w.b, theta, NULL), OK);
    for (int64_t k = 0; k < w.d.n_cell; k++) {
        double p[3];
        lattice_centre_mm(&w.l, w.d.stored[k], p);
        const double exact = log(c.high / flow_walls_place(&c, p)) / log(c.high / c.low);
        sum += pow(theta[k] - exact, 2);
        square += exact * exact;
    }
    backend_monitor m = {.heat_flux = heat};
    assert_int_equal(backend_cpu.monitor(w.b, &m), OK);
    *error = sqrt(sum / square);
    *heat_error = heat[0] / (2 * M_PI * diffusivity * c.size[2] / log(c.high / c.low)) - 1;
    free(theta);
    flow_close(&w);
}

static void annulus_is_second_order(void **state) {
    (void)state;
    const double diffusivity[2] = {0.02, 0.125};
    for (int k = 0; k < 2; k++) {
        const int last = k + 1;
        double error[3], heat[3];
        for (int n = 0; n <= last; n++) {
            annulus(1 << n, diffusivity[k], &error[n], &heat[n]);
            printf("annulus, diffusivity %.3f, %4.1f cells wide: temperature %.4f %%, heat %+.4f %%\n", diffusivity[k],
                   5.6 * (1 << n), 100 * error[n], 100 * heat[n]);
        }
        printf("order %.2f, of the heat %.2f\n", log2(error[0] / error[last]) / last,
               log2(fabs(heat[0] / heat[last])) / last);
        assert_true(log2(error[0] / error[last]) / last >= 1.8);
        assert_true(fabs(heat[last]) < 0.002);
    }
}

/* --- convection ---------------------------------------------------------------------------------------------- */

/* A tall slot: u = g beta dT W^2 / nu (x^3/6 - x/24), x = -1/2 .. 1/2 from the warm wall   (Batchelor 1954), and heat
 * by conduction alone. Gravity along the slot. */
static double slot(const int along[2], int scale, double *balance) {
    const flow_walls c = {{along[0], along[1]},
                          {(along[1] ? 30 : 16) * scale, (along[1] ? 15 : 2) * scale, 2},
                          0.3 * scale,
                          11.5 * scale,
                          0.13};
    flow w;
    double n[2], heat[2], sum = 0, square = 0;
    const double width = c.high - c.low, nu = 0.1, diffusivity = 0.1 / 0.71, peak = 0.02 / scale;
    flow_open(&w, &c, 0.5 + 3 * nu, diffusivity, HEAT_GIVEN, 0.5, -0.5);
    flow_walls_normal(&c, n);
    const double strength =
        peak * 124.7 * nu / (width * width); /* g beta dT: the largest velocity is W^2 / (72 sqrt 3) */
    w.heat.buoyancy[0] = -n[1] * strength;
    w.heat.buoyancy[1] = n[0] * strength;
    assert_int_equal(backend_cpu.create(&w.d, &w.s, &w.b), OK);
    assert_int_equal(backend_cpu.step(w.b, 2 * (int)(0.5 * 2.5 * width * width / nu), NULL), OK);
    float *u = malloc(3 * (size_t)w.d.n_cell * sizeof *u);
    assert_non_null(u);
    assert_int_equal(backend_cpu.moments(w.b, NULL, u, NULL), OK);
    for (int64_t k = 0; k < w.d.n_cell; k++) {
        double p[3];
        lattice_centre_mm(&w.l, w.d.stored[k], p);
        const double x = (flow_walls_place(&c, p) - c.low) / width - 0.5;
        const double exact = strength * width * width / nu * (x / 24 - x * x * x / 6); /* along n[1], -n[0] */
        sum += pow(u[3 * k] - exact * n[1], 2) + pow(u[3 * k + 1] + exact * n[0], 2);
        square += exact * exact;
    }
    backend_monitor m = {.heat_flux = heat};
    assert_int_equal(backend_cpu.monitor(w.b, &m), OK);
    *balance = (heat[0] + heat[1]) / heat[0];
    free(u);
    flow_close(&w);
    return sqrt(sum / square);
}

/* The place of the wall between two cells decides how much the flow slips there, a part of u'' dx^2 (62 / W^2 of the
 * largest velocity); at an angle all places occur and their parts cancel. The limits fall with the square of the
 * spacing. */
static void slot_is_second_order(void **state) {
    (void)state;
    const int along[2][2] = {{1, 0}, {1, 2}};
    const double part[2] = {0.2, 0.08};
    for (int k = 0; k < 2; k++)
        for (int n = 0; n < 2; n++) {
            double balance = 1;
            const double width = 11.2 * (1 << n), error = slot(along[k], 1 << n, &balance);
            printf("slot along %d %d 0, %4.1f cells wide: velocity %.4f %%, heat balance %.1e\n", along[k][0],
                   along[k][1], width, 100 * error, balance);
            assert_true(fabs(balance) < 1e-9);
            assert_true(error < part[k] * 62 / (width * width));
        }
}

/* Warm throughout between two circles in a field of gravity across them: it stays at rest, whatever the place of the
 * wall between two cells. Largest velocity, in force R^2 / viscosity; 3e-4 without what walls add (link_still). */
static void a_fluid_at_rest_stays_at_rest(void **state) {
    (void)state;
    const flow_walls c = {{0, 0}, {22, 22, 2}, 4.1, 9.7, 0.23};
    flow w;
    const double force = 1e-5, nu = 0.1;
    flow_open(&w, &c, 0.5 + 3 * nu, 0.1, HEAT_GIVEN, 1, 1);
    w.heat.buoyancy[0] = 0.8 * force;
    w.heat.buoyancy[1] = 0.6 * force;
    assert_int_equal(backend_cpu.create(&w.d, &w.s, &w.b), OK);
    assert_int_equal(backend_cpu.step(w.b, 4000, NULL), OK);
    backend_monitor m = {0};
    assert_int_equal(backend_cpu.monitor(w.b, &m), OK);
    flow_close(&w);
    const double velocity = m.velocity_max * nu / (force * c.high * c.high);
    printf("at rest in a field of gravity: velocity %.2e\n", velocity);
    assert_true(velocity < 1e-9);
}

/* Between circles 1.6 cells apart four cells are closed along an axis, above and beside the inner one, two layers deep;
 * between those further apart none. Without them the fluid there stays at rest, too; with them they keep what the force
 * gave them as it set in. What is said of them, tests/cli/solve.txt. */
static void gaps_of_one_cell_become_wall(void **state) {
    (void)state;
    const flow_walls narrow = {{0, 0}, {22, 22, 2}, 5.1, 6.7, 0.23}, wide = {{0, 0}, {22, 22, 2}, 4.1, 9.7, 0.23};
    const double force = 1e-5, nu = 0.1;
    double velocity[2];
    heat_gaps gaps;
    flow w;
    for (int closed = 0; closed < 2; closed++) {
        flow_open(&w, &narrow, 0.5 + 3 * nu, 0.1, HEAT_GIVEN, 1, 1);
        const int64_t before = w.d.n_cell, links = w.l.n_link;
        if (closed) {
            domain_free(&w.d);
            assert_int_equal(heat_gaps_close(&w.l, &w.heat, &gaps), OK);
            assert_int_equal(gaps.n, 4);
            assert_true(w.l.n_link < links);
            assert_int_equal(domain_create(&w.l, DOMAIN_WALL_INTERPOLATED, NULL, &w.d), OK);
            assert_int_equal(w.d.n_cell, before - 4);
        }
        w.heat.buoyancy[0] = 0.8 * force;
        w.heat.buoyancy[1] = 0.6 * force;
        assert_int_equal(backend_cpu.create(&w.d, &w.s, &w.b), OK);
        assert_int_equal(backend_cpu.step(w.b, 4000, NULL), OK);
        backend_monitor m = {0};
        assert_int_equal(backend_cpu.monitor(w.b, &m), OK);
        velocity[closed] = m.velocity_max / force;
        flow_close(&w);
    }
    flow_open(&w, &narrow, 0.8, 0.1, HEAT_GIVEN, 1, -1);
    assert_int_equal(heat_gaps_close(&w.l, &w.heat, &gaps), OK);
    assert_int_equal(gaps.n, 0); /* heat goes from one wall to the other */
    domain_free(&w.d);
    lattice_free(&w.l);
    printf("at rest in a gap of 1.6 cells: velocity %.2e of a step's force with closed cells, %.2e without\n",
           velocity[0], velocity[1]);
    assert_true(velocity[0] > 0.1 && velocity[1] < 1e-9);
    flow_open(&w, &wide, 0.8, 0.1, HEAT_GIVEN, 1, 1);
    const int64_t links = w.l.n_link;
    assert_int_equal(heat_gaps_close(&w.l, &w.heat, &gaps), OK);
    assert_true(gaps.n == 0 && w.l.n_link == links);
    domain_free(&w.d);
    lattice_free(&w.l);
}

/* --- a scalar that is carried -------------------------------------------------------------------------------- */

/* Mean and variance along the periodic y of all that there is, and its amount. */
static void spread(const flow *w, double *variance, double *amount) {
    const double period = w->l.dims[1], step = 2 * M_PI / period;
    double sum = 0, c = 0, s = 0, second = 0;
    float *theta = malloc((size_t)w->d.n_cell * sizeof *theta);
    assert_non_null(theta);
    assert_int_equal(backend_cpu.temperature(w->b, theta, NULL), OK);
    for (int64_t k = 0; k < w->d.n_cell; k++) {
        const double angle = step * w->d.position[3 * k + 1];
        sum += theta[k];
        c += theta[k] * cos(angle);
        s += theta[k] * sin(angle);
    }
    const double centre = atan2(s, c) / step;
    for (int64_t k = 0; k < w->d.n_cell; k++)
        second += theta[k] * pow(remainder(w->d.position[3 * k + 1] - centre, period), 2);
    *variance = second / sum;
    *amount = sum;
    free(theta);
}

/* A cloud in Poiseuille flow between walls without flux grows as by the diffusivity D (1 + 2/105 (U h / D)^2), U the
 * mean velocity, h half the width                                                      (Taylor 1953; Aris 1956; Wooding
 * 1960) */
static void cloud_spreads_as_taylor_says(void **state) {
    (void)state;
    const flow_walls c = {{1, 0}, {14, 240, 2}, 0.5, 10.5, 0};
    const double h = 5, diffusivity = 0.02, mean = 0.03, nu = 0.1;
    flow w;
    double variance[2], amount[3];
    flow_open(&w, &c, 0.5 + 3 * nu, diffusivity, HEAT_NO_FLUX, 0, 0);
    w.s.force[1] = 3 * nu * mean / (h * h);
    assert_int_equal(backend_cpu.create(&w.d, &w.s, &w.b), OK);
    assert_int_equal(backend_cpu.step(w.b, 2500, NULL), OK);
    double *slots = malloc(26 * (size_t)w.d.n_cell * sizeof *slots), kept;
    assert_non_null(slots);
    assert_int_equal(backend_cpu.read(w.b, slots, &kept), OK);
    amount[0] = 0;
    for (int64_t k = 0; k < w.d.n_cell; k++) {
        const double theta = exp(-pow(w.d.position[3 * k + 1] - 120, 2) / (2 * 64));
        amount[0] += theta;
        for (int a = 0; a < 7; a++)
            slots[(19 + a) * w.d.n_cell + k] = (a ? 0.125 : 0.25) * theta;
    }
    assert_int_equal(backend_cpu.write(w.b, slots, &kept), OK);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(backend_cpu.step(w.b, 4000, NULL), OK);
        spread(&w, &variance[k], &amount[k + 1]);
    }
    const double found = (variance[1] - variance[0]) / 8000;
    const double exact = diffusivity * (1 + 2.0 / 105 * pow(mean * h / diffusivity, 2));
    printf("cloud in Poiseuille flow: dispersion %.5f, exact %.5f (%+.2f %%); amount kept to %.1e\n", found, exact,
           100 * (found / exact - 1), amount[2] / amount[0] - 1);
    assert_true(fabs(found / exact - 1) < 0.01);
    assert_true(fabs(amount[1] / amount[0] - 1) < 1e-6 && fabs(amount[2] / amount[0] - 1) < 1e-6);
    free(slots);
    flow_close(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slab_at_an_angle_is_exact),    cmocka_unit_test(annulus_is_second_order),
        cmocka_unit_test(slot_is_second_order),         cmocka_unit_test(a_fluid_at_rest_stays_at_rest),
        cmocka_unit_test(gaps_of_one_cell_become_wall), cmocka_unit_test(cloud_spreads_as_taylor_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
