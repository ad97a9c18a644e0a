/* SPDX-License-Identifier: Apache-2.0 */
/* Openings by Zou and He's rule: what it prescribes holds exactly in the cell, developed flow comes out exact, the mass
 * that enters is measured, and what it cannot do is refused. */
#include "common/base/status.h" /* before cmocka.h, which has a macro fail() */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef double real;
#include "mesh/cells/voxelize.h"
#include "solve/kernels/link.h"
#include "tests/unit/near.h"
#include "tests/unit/solve/solve_flow.h"

/* --- one cell ----------------------------------------------------------------------------------------------------- */

/* Directions that come in through a plane whose inward normal is the axis direction b. */
static uint32_t incoming(int b) {
    uint32_t in = 0;
    for (int a = 1; a < 19; a++)
        for (int k = 0; k < 3; k++)
            if (lattice_e[b][k] && lattice_e[a][k] == lattice_e[b][k])
                in |= 1u << a;
    return in;
}

static void arrive(double f[19], int b, const double force[3], bool pressure, double value) {
    const uint32_t in = incoming(b);
    const double inward[3] = {lattice_e[b][0], lattice_e[b][1], lattice_e[b][2]};
    const link_site s = link_site_of(f[0], f + 1, 1, in, inward, force, pressure, value);
    for (int a = 1; a < 19; a++) {
        const double e_n = velocity_set_dot(a, inward[0], inward[1], inward[2]);
        if (in >> a & 1u)
            f[a] = link_site_arrive(a, f[lattice_opposite(a)], pressure ? 0 : 6 * velocity_set_weight(a) * e_n * value,
                                    &s, inward);
    }
}

/* Whatever the other populations are: the velocity along the plane is 0, through it what is given, or the density. */
static void holds_in_the_cell(void **state) {
    (void)state;
    const double force[3] = {1e-3, -2e-3, 5e-4}, given = 0.037;
    for (int b = 1; b < 7; b++)
        for (int pressure = 0; pressure < 2; pressure++) {
            double f[19], u[3];
            for (int a = 0; a < 19; a++)
                f[a] = 0.01 * sin(1.7 * a + 0.3 + b);
            arrive(f, b, force, pressure, given);
            velocity_set_momentum(f, &u[0], &u[1], &u[2]);
            for (int k = 0; k < 3; k++) {
                u[k] += 0.5 * force[k];
                if (lattice_e[b][k] == 0)
                    assert_near(u[k], 0, 1e-16);
                else if (!pressure)
                    assert_near(u[k] * lattice_e[b][k], given, 1e-16);
            }
            if (pressure)
                assert_near(velocity_set_density(f), given, 1e-16);
        }
}

/* --- a channel ---------------------------------------------------------------------------------------------------- */

enum { WIDTH = 8, LENGTH = 14, CALM = 5, INLET_BY_FLOW, INLET_BY_PRESSURE }; /* CALM: cells from an opening */

static double distance(const void *data, const double p[3]) {
    return shape_distance_mm(data, p);
}

static double profile_at(double y) {
    const double s = 2 * (y + 0.5) / WIDTH - 1;
    return 1.5 * (1 - s * s);
}

/* Cells y 0 .. WIDTH - 1 between two plates, repeating along x, openings at both ends of z; tilt: of the inlet. */
static lattice channel(double tilt) {
    const shape s = {.kind = SHAPE_CHANNEL, .a = {0, 0.5 * (WIDTH - 1), 0}, .b = {0, -0.5, 0}};
    const mesh_opening o[2] = {
        {.name = "in", .role = LATTICE_INLET, .point_mm = {1, 3.5, -0.5}, .normal = {tilt, 0, -1}},
        {.name = "out", .role = LATTICE_OUTLET, .point_mm = {1, 3.5, LENGTH - 0.5}, .normal = {0, 0, 1}}};
    voxelize_input in = {.distance = distance, .data = &s, .spacing_mm = 1, .n_opening = 2, .opening = o};
    lattice l;
    memcpy(in.dims, (int[3]){4, WIDTH + 2, LENGTH + 4}, sizeof in.dims);
    memcpy(in.origin_mm, (double[3]){0, -1, -2}, sizeof in.origin_mm);
    in.periodic[0] = true;
    if (voxelize(&in, &l, NULL) != OK)
        fail_msg("%s", status_message());
    for (int k = 0; k < 2; k++)
        for (int64_t n = 0, link = 0; link < l.n_link; link++)
            if (l.link_opening[link] == k + 1)
                l.opening[k].profile_developed[n++] = (float)profile_at(l.cell[3 * l.link_cell[link] + 1] - 1);
    return l;
}

static void conditions(int kind, domain_condition c[2]) {
    c[0] = (domain_condition){.kind = kind == INLET_BY_FLOW ? DOMAIN_FLOW : DOMAIN_PRESSURE, .on_site = true};
    c[1] = (domain_condition){.kind = kind == INLET_BY_FLOW ? DOMAIN_PRESSURE : DOMAIN_FLOW, .on_site = true};
}

/* Plates half-way, Lambda 3/16: the parabola and its pressure gradient are a solution of the scheme itself, but where
 * a plate meets an opening; what comes out of that corner belongs to the wall. */
static void developed_flow_is_exact(void **state) {
    (void)state;
    const double mean = 0.02, tau = 0.8, slope = 12 * (tau - 0.5) / 3 * mean / (WIDTH * WIDTH); /* of p = rho / 3 */
    for (int kind = INLET_BY_FLOW; kind <= INLET_BY_PRESSURE; kind++) {
        lattice l = channel(0);
        domain d;
        domain_condition c[2];
        backend *b;
        conditions(kind, c);
        assert_int_equal(domain_create(&l, DOMAIN_WALL_INTERPOLATED, c, &d), OK);
        const backend_settings s = flow_settings(tau, false, BACKEND_DOUBLE, 0);
        assert_int_equal(backend_cpu.create(&d, &s, &b), OK);
        const int n_step = 4000, flow_z = kind == INLET_BY_FLOW ? 0 : LENGTH - 1;
        double shift = NAN;
        const double flow = mean * d.opening[kind == INLET_BY_FLOW ? 0 : 1].link_flux, end = 0.003;
        prescribed_value *given = calloc(2 * (size_t)n_step, sizeof *given);
        for (int k = 0; k < n_step; k++) {
            given[2 * k + (kind != INLET_BY_FLOW)].flow = kind == INLET_BY_FLOW ? flow : -flow;
            given[2 * k + (kind == INLET_BY_FLOW)].pressure = end;
        }
        assert_int_equal(backend_cpu.step(b, n_step, given), OK);
        float *u = calloc(3 * (size_t)d.n_cell, sizeof *u), *density = calloc((size_t)d.n_cell, sizeof *density);
        assert_int_equal(backend_cpu.moments(b, density, u, NULL), OK);
        for (int64_t k = 0; k < d.n_cell; k++) {
            const int y = d.position[3 * k + 1] - 1, z = d.position[3 * k + 2] - 2;
            const double from_end = kind == INLET_BY_FLOW ? LENGTH - 1 - z : -z;
            const bool calm = z >= CALM && z < LENGTH - CALM;
            const double near = calm ? 5e-5 : 2e-3, beyond = density[k] - (end + 3 * slope * from_end);
            shift = calm && isnan(shift) ? beyond : shift;
            assert_near(u[3 * k + 2], mean * profile_at(y), (z == flow_z ? 1e-6 : near) * mean);
            assert_near(u[3 * k], 0, 1e-12);
            assert_near(u[3 * k + 1], 0, near * mean);
            assert_near(beyond, 0, 5e-3 * mean);
            if (calm)
                assert_near(beyond, shift, 5e-5 * mean);
        }
        double in_out[2], at[2];
        backend_monitor m = {.flow = in_out, .density = at};
        assert_int_equal(backend_cpu.monitor(b, &m), OK);
        const double before = m.mass;
        assert_near(in_out[0], flow, 1e-6 * flow);
        assert_near(in_out[1], -in_out[0], 1e-6 * flow);
        /* what is said to have entered is what the cells hold more, to the step that is on its way */
        assert_near(before / m.entered, 1, 1e-5);
        free(given);
        free(u);
        free(density);
        backend_cpu.destroy(b);
        domain_free(&d);
        lattice_free(&l);
    }
}

/* --- refusals ----------------------------------------------------------------------------------------------------- */

static void refuses(lattice l, int wall, const char *words) {
    domain d;
    domain_condition c[2];
    conditions(INLET_BY_FLOW, c);
    assert_int_equal(domain_create(&l, wall, c, &d), ERR_INPUT);
    if (!strstr(status_message(), words))
        fail_msg("'%s' lacks '%s'", status_message(), words);
    status_clear();
    lattice_free(&l);
}

static void refusals(void **state) {
    (void)state;
    lattice l = channel(0);
    for (int64_t k = 0; k < l.n_link; k++) /* a link of the inlet's cells goes to the outlet */
        if (l.link_opening[k] == 1 && l.link_dir[k] > 6) {
            l.link_opening[k] = 2;
            break;
        }
    refuses(l, DOMAIN_WALL_INTERPOLATED, "'in' and 'out' share a cell");
    refuses(channel(0.01), DOMAIN_WALL_INTERPOLATED, "along x, y or z");
    refuses(channel(0), DOMAIN_WALL_VLBM, "needs wall interpolated");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(holds_in_the_cell), cmocka_unit_test(developed_flow_is_exact),
                                       cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
