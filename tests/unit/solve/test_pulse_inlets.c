/* SPDX-License-Identifier: Apache-2.0 */
/* Developed pulsatile profiles at an inlet, against the exact solutions in a pipe (Womersley 1955) and a rectangular
 * duct, along the grid and at an angle. */
#include "common/base/status.h" /* before cmocka.h, which has a macro fail() */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "common/base/vec.h"
#include "mesh/cells/voxelize.h"
#include "solve/boundary/pulse_inlets.h"
#include "solve/core/backend.h"
#include "solve/core/domain_openings.h"
#include "tests/unit/near.h"

enum { HARMONICS = 3, INSTANTS = 8, KNOTS = 96 };
/* a pipe of radius HALF[0], or a duct with the half sides HALF; mm */
static const double HALF[2] = {6, 3.5}, PERIOD_S = 1, TILT = 0.44;

/* flow: Q0 and the amplitudes of Re Qh exp(i h w t), mL/s */
static const double complex FLOW[HARMONICS + 1] = {1, 2, 0, -0.7 * I};

typedef struct {
    bool duct;
    double axis[3][3]; /* the third along the vessel */
} vessel;

static vessel vessel_of(bool duct, double tilt) {
    vessel v = {.duct = duct};
    vec_axes((const double[3]){sin(tilt) * 0.8, sin(tilt) * 0.6, cos(tilt)}, v.axis);
    return v;
}

static double distance(const void *data, const double p[3]) {
    const vessel *v = data;
    const double x = vec_dot(p, v->axis[0]), y = vec_dot(p, v->axis[1]);
    return v->duct ? fmax(fabs(x) - HALF[0], fabs(y) - HALF[1]) : hypot(x, y) - HALF[0];
}

static lattice make_lattice(const vessel *v, double spacing_mm) {
    mesh_opening o[2] = {{.name = "in", .role = LATTICE_INLET, .radius_mm = NAN},
                         {.name = "out", .role = LATTICE_OUTLET, .radius_mm = NAN}};
    for (int a = 0; a < 3; a++) {
        o[0].point_mm[a] = -5.03 * v->axis[2][a];
        o[0].normal[a] = -v->axis[2][a];
        o[1].point_mm[a] = 5.02 * v->axis[2][a];
        o[1].normal[a] = v->axis[2][a];
    }
    voxelize_input in = {.distance = distance, .data = v, .spacing_mm = spacing_mm, .n_opening = 2, .opening = o};
    lattice l;
    assert_int_equal(voxelize_box(&in, (double[3]){-13, -13.1, -13}, (double[3]){13, 13.2, 13}), OK);
    assert_int_equal(voxelize(&in, &l, NULL), OK);
    return l;
}

static double complex bessel(int order, double complex z) {
    double complex term = order ? z / 2 : 1, sum = term;
    for (int k = 1; k < 120; k++) {
        term *= -z * z / (4.0 * k * (k + order));
        sum += term;
    }
    return sum;
}

static double complex pipe_profile(double complex square, double r) {
    const double complex l = csqrt(-square) * HALF[0], g = bessel(1, l) / bessel(0, l);
    return cabs(square) < 1e-9 ? 2 * (1 - r * r / (HALF[0] * HALF[0]))
                               : (1 - bessel(0, l * r / HALF[0]) / bessel(0, l)) / (1 - 2 * g / l);
}

/* Series in cos(m pi x / 2a), m odd. */
static double complex duct_profile(double complex square, double x, double y) {
    double complex u = 0, mean = 0;
    for (int m = 1; m < 400; m += 2) {
        const double k = m * M_PI / (2 * HALF[0]), sign = m % 4 == 1 ? 1 : -1;
        const double complex b = csqrt(k * k + square), down = 1 + cexp(-2 * b * HALF[1]);
        u += sign * 4 / (m * M_PI) * cos(k * x) / (b * b) *
             (1 - cexp(b * (fabs(y) - HALF[1])) * (1 + cexp(-2 * b * fabs(y))) / down);
        mean += 8 / (m * m * M_PI * M_PI) / (b * b) * (1 - (2 / down - 1) / (b * HALF[1]));
    }
    return u / mean;
}

/* Velocity over mean velocity of harmonic h; nu: mm2/s. */
static double complex exact_profile(const vessel *v, int h, double nu, double x, double y) {
    const double complex square = I * (2 * M_PI * h / PERIOD_S / nu);
    return v->duct ? duct_profile(square, x, y) : pipe_profile(square, hypot(x, y));
}

static double flow_at(double time_s) {
    double flow = 0;
    for (int h = 0; h <= HARMONICS; h++)
        flow += creal(FLOW[h] * cexp(2 * M_PI * I * h * time_s / PERIOD_S));
    return flow;
}

static void make_values(const lattice *l, double nu, boundary_values *g) {
    case_opening o[2] = {{.name = (char *)"in", .role = ROLE_INLET, .condition = CONDITION_FLOW, .value = 1e-6},
                         {.name = (char *)"out", .role = ROLE_OUTLET, .condition = CONDITION_PRESSURE}};
    const case_file c = {.n_opening = 2, .opening = o, .blood = {1000, 1e-3 * nu}};
    const double nu_m2_s[2] = {1e-6 * nu, 1e-6 * nu};
    double time_s[KNOTS], flow_m3_s[KNOTS];
    assert_int_equal(boundary_values_create(&c, l, 0.006, g), OK);
    for (int k = 0; k < KNOTS; k++) {
        time_s[k] = PERIOD_S * k / KNOTS;
        flow_m3_s[k] = 1e-6 * flow_at(time_s[k]);
    }
    g->beat_s = PERIOD_S;
    g->period_s = 33 * PERIOD_S; /* a cycle of many beats has the same profiles */
    assert_int_equal(waveform_create(&g->wave[0], KNOTS, time_s, flow_m3_s, PERIOD_S), OK);
    assert_int_equal(pulse_inlets_set(l, NULL, nu_m2_s, g), OK);
    static case_opening kept[2]; /* g borrows the openings */
    kept[0] = o[0];
    kept[1] = o[1];
    g->from[0] = &kept[0];
    g->from[1] = &kept[1];
    assert_ptr_equal(g->condition[0].pulse, &g->pulse[0].profile);
    assert_null(g->condition[1].pulse);
}

/* Sum of flow times profile, mL/s. profile [HARMONICS + 1]: exact_profile of each harmonic. */
static double exact_velocity(double time_s, const double complex *profile) {
    double u = 0;
    for (int h = 0; h <= HARMONICS; h++)
        u += creal(FLOW[h] * profile[h] * cexp(2 * M_PI * I * h * time_s / PERIOD_S));
    return u;
}

typedef struct {
    double profile, link, flow, momentum; /* largest relative errors */
} errors;

/* Mean of the squared exact velocity in a pipe, over that of the steady profile at a flow of 1. */
static double exact_square(double nu, double time_s) {
    enum { RADII = 200 };
    const vessel pipe = {.duct = false};
    double sum = 0;
    for (int k = 0; k < RADII; k++) {
        double complex profile[HARMONICS + 1];
        for (int h = 0; h <= HARMONICS; h++)
            profile[h] = exact_profile(&pipe, h, nu, HALF[0] * sqrt((k + 0.5) / RADII), 0);
        sum += pow(exact_velocity(time_s, profile), 2) / RADII;
    }
    return sum / (4.0 / 3);
}

/* At the middle of each link of the inlet: the profile from its pulses, times the exact steady profile; and at links
 * along the vessel the velocity of D. */
static errors compare(const vessel *v, const lattice *l, const domain *d, const boundary_values *g, double nu) {
    enum { MOST = 4000 };
    static double complex profile[MOST][HARMONICS + 1];
    errors e = {0};
    const scale s = {.flow_scale = 1e-6, .velocity_scale = 1, .pressure_scale = 1};
    double most = 0;
    int n = 0;
    for (int k = 0; k < INSTANTS; k++) {
        const double time_s = k * PERIOD_S / INSTANTS + 0.013;
        prescribed_value given[BACKEND_GIVEN];
        double sum = 0;
        boundary_values_at(g, &s, 0, time_s, given);
        n = 0;
        for (const domain_link *m = d->link; m < d->link + d->n_link; m++) {
            double p[3];
            if (m->opening != 1)
                continue;
            sum += domain_inflow(d, m, given);
            lattice_centre_mm(l, d->stored[m->cell], p);
            for (int a = 0; a < 3; a++)
                p[a] += 0.5 * l->spacing_mm * lattice_e[m->dir][a];
            const double x = vec_dot(p, v->axis[0]), y = vec_dot(p, v->axis[1]);
            if (distance(v, p) > 0)
                continue;
            for (int h = 0; h <= HARMONICS && k == 0; h++)
                profile[n][h] = exact_profile(v, h, nu, x, y);
            const double exact = exact_velocity(time_s, profile[n]), steady = creal(profile[n][0]);
            double found = steady * given[0].flow, ratio, curvature;
            for (int j = 0; j < d->n_pulse; j++) {
                opening_pulse_at(g->condition[0].pulse, j, p, &ratio, &curvature);
                found += steady * ratio * domain_pulses(d, given, 0)[j].flow;
            }
            most = fmax(most, fabs(exact));
            e.profile = fmax(e.profile, fabs(found - exact));
            const double per_velocity = domain_openings_ladd(19, m->dir, v->axis[2]);
            if (fabs(per_velocity) > 0.33) /* along the vessel, which is along the grid */
                e.link =
                    fmax(e.link, fabs(domain_inflow(d, m, given) * d->opening[0].link_flux / per_velocity - exact));
            n++;
        }
        const double carried =
            d->opening[0].carried * pow(given[0].flow, 2) + domain_pulse_carried(d, 0, given[0].flow, given);
        e.momentum = v->duct ? 0 : fmax(e.momentum, fabs(carried / d->opening[0].carried - exact_square(nu, time_s)));
        e.flow = fmax(e.flow, fabs(sum - given[0].flow) / flow_at(0));
    }
    e.momentum /= v->duct ? 1 : exact_square(nu, 0.013);
    e.profile /= most;
    e.link /= most;
    return e;
}

static errors errors_of(bool duct, double tilt, double alpha, double spacing_mm) {
    const vessel v = vessel_of(duct, tilt);
    const double nu = 2 * M_PI / PERIOD_S * HALF[duct] * HALF[duct] / (alpha * alpha);
    lattice l = make_lattice(&v, spacing_mm);
    boundary_values g;
    domain d;
    make_values(&l, nu, &g);
    assert_int_equal(domain_create(&l, DOMAIN_WALL_INTERPOLATED, g.condition, &d), OK);
    const errors e = compare(&v, &l, &d, &g, nu);
    printf("%s, %2.0f degrees, alpha %4.1f: %d profiles; errors: profile %.2f %%, links %.2f %%, flow %.1e, "
           "momentum %.2f %%\n",
           duct ? "duct" : "pipe", tilt * 180 / M_PI, alpha, d.n_pulse, 100 * e.profile, 100 * e.link, e.flow,
           100 * e.momentum);
    domain_free(&d);
    boundary_values_free(&g);
    lattice_free(&l);
    return e;
}

static void exact_profiles(void **state) {
    (void)state;
    const double alpha[3] = {2, 5, 10};
    for (int duct = 0; duct < 2; duct++)
        for (int tilted = 0; tilted < 2; tilted++)
            for (int k = 0; k < 3; k++) {
                const errors e = errors_of(duct, tilted ? TILT : 0, alpha[k], 0.5);
                assert_true(e.profile < (duct ? 0.04 : 0.01));
                assert_true(e.link < 0.02);
                assert_true(e.flow < 1e-6);
                assert_true(e.momentum < 0.02);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(exact_profiles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
