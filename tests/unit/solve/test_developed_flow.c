/* SPDX-License-Identifier: Apache-2.0 */
/* The guess of a developed flow against Hagen-Poiseuille in a slanted pipe, off-centre, driven by a flow or by
 * pressures; what it does not guess. */
#include "common/base/status.h"
#include "common/base/vec.h"
#include "mesh/lumen/shape_field.h"
#include "mesh/cells/voxelize.h"
#include "solve/start/developed_flow.h"
#include "tests/unit/near.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

static const double axis[3] = {0.48, 0.6, 0.64}, offset[3] = {0.137, -0.211, 0.071};
static const double R_mm = 2.03, half_mm = 6, mu = 4e-3;

static void along(double s, double out[3]) {
    for (int a = 0; a < 3; a++)
        out[a] = offset[a] + s * axis[a];
}

static void pipe(double spacing_mm, int role, lattice *l) {
    shape s = {.kind = SHAPE_CYLINDER, .radius = {R_mm}};
    mesh_opening end[2] = {{.name = "in", .role = role, .radius_mm = NAN},
                           {.name = "out", .role = LATTICE_OUTLET, .radius_mm = NAN}};
    double low[3] = {-10, -10, -10}, high[3] = {10, 10, 10};
    along(0, s.a);
    along(1, s.b);
    for (int k = 0; k < 2; k++) {
        along(k ? half_mm : -half_mm, end[k].point_mm);
        for (int a = 0; a < 3; a++)
            end[k].normal[a] = (k ? 1 : -1) * axis[a];
    }
    const shape_field f = {.shape = s};
    voxelize_input in = {
        .distance = shape_field_distance, .data = &f, .spacing_mm = spacing_mm, .n_opening = 2, .opening = end};
    assert_int_equal(voxelize_box(&in, low, high), OK);
    assert_int_equal(voxelize(&in, l, NULL), OK);
}

/* Root mean square errors over the largest value: velocity, pressure, stress xy; three millimetres off the ends, whose
 * slanted planes are steps of cells.
 * gradient: Pa/m along the axis. */
static void errors(const lattice *l, const fields *f, double gradient, double error[3]) {
    const double fastest = gradient * R_mm * R_mm * 1e-6 / (4 * mu);
    int64_t n = 0;
    error[0] = error[1] = error[2] = 0;
    for (int64_t c = 0; c < l->n_cell; c++) {
        double p[3], off[3], square = 0;
        lattice_centre_mm(l, c, p);
        vec_add(p, -1, offset, p);
        const double s = vec_dot(p, axis);
        if (l->distance_mm[c] >= 0 || fabs(s) > half_mm - 3)
            continue;
        for (int a = 0; a < 3; a++) {
            off[a] = p[a] - s * axis[a];
            square += off[a] * off[a];
        }
        const double u = fastest * (1 - square / (R_mm * R_mm)), slope = -2e3 * fastest / (R_mm * R_mm);
        for (int a = 0; a < 3; a++)
            error[0] += pow((f->velocity_m_s[3 * c + a] - u * axis[a]) / fastest, 2);
        error[1] += pow((f->pressure_pa[c] - 1e-3 * gradient * (half_mm - s)) / (2e-3 * gradient * half_mm), 2);
        error[2] += pow((f->stress_pa[6 * c + 3] - mu * slope * (off[0] * axis[1] + off[1] * axis[0])) /
                            (1e-3 * gradient * R_mm / 2),
                        2);
        n++;
    }
    for (int k = 0; k < 3; k++)
        error[k] = sqrt(error[k] / (double)n);
}

/* Driven by a flow, or by the pressures that belong to it. */
static void test_pipe(void **state) {
    (void)state;
    const double q = 2e-6, gradient = 8 * mu * q / (M_PI * pow(1e-3 * R_mm, 4));
    const double flow[2][2] = {{2e-6, NAN}, {NAN, NAN}}, pressure[2][2] = {{0, 0}, {2e-3 * half_mm * gradient, 0}};
    for (int k = 0; k < 2; k++) {
        double e[2][3];
        for (int fine = 0; fine < 2; fine++) {
            const developed_input in = {mu, flow[k], pressure[k]};
            lattice l;
            fields f;
            bool known;
            pipe(fine ? 0.125 : 0.25, LATTICE_INLET, &l);
            assert_int_equal(developed_flow(&l, &in, &f, &known), OK);
            assert_true(known);
            errors(&l, &f, gradient, e[fine]);
            printf("%s, %g across: velocity %.2f %%, pressure %.2f %%, stress %.2f %% off\n", k ? "pressures" : "flow",
                   2 * R_mm / l.spacing_mm, 100 * e[fine][0], 100 * e[fine][1], 100 * e[fine][2]);
            fields_free(&f);
            lattice_free(&l);
        }
        assert_true(e[1][0] < 0.02 && e[1][1] < 0.02 && e[1][2] < 0.03);
        assert_true(e[1][0] < 0.6 * e[0][0] && e[1][2] < e[0][2]);
    }
}

/* A wall that moves, and flows without an opening that lets them out. */
static void test_not_known(void **state) {
    (void)state;
    const double flow[2][2] = {{0, NAN}, {2e-6, -2e-6}}, none[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        const developed_input in = {mu, flow[k], none};
        lattice l;
        fields f;
        bool known;
        pipe(0.5, k ? LATTICE_INLET : LATTICE_MOVING_WALL, &l);
        assert_int_equal(developed_flow(&l, &in, &f, &known), OK);
        assert_true(!known);
        fields_free(&f);
        lattice_free(&l);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pipe), cmocka_unit_test(test_not_known)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
