/* SPDX-License-Identifier: Apache-2.0 */
/* potential_flow against continuity: what a flow must do in a pipe, a nozzle and a bifurcation, at any angle. */
#include "common/base/status.h"
#include "common/base/vec.h"
#include "common/lattice/potential_flow.h"
#include "common/lattice/potential_section.h"
#include "mesh/lumen/shape_field.h"
#include "mesh/cells/voxelize.h"
#include "tests/unit/near.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#ifdef _OPENMP
#include <omp.h>
#endif

static const double nu = 3.3e-6;

/* Box round the openings and the lattice of a shape. */
static void build(const shape *s, double spacing_mm, double margin_mm, int n_opening, const mesh_opening *opening,
                  lattice *l) {
    const shape_field f = {.shape = *s};
    voxelize_input in = {.distance = shape_field_distance,
                         .data = &f,
                         .spacing_mm = spacing_mm,
                         .n_opening = n_opening,
                         .opening = opening};
    double low[3], high[3];
    for (int a = 0; a < 3; a++) {
        low[a] = INFINITY;
        high[a] = -INFINITY;
        for (int k = 0; k < n_opening; k++) {
            low[a] = fmin(low[a], opening[k].point_mm[a] - margin_mm);
            high[a] = fmax(high[a], opening[k].point_mm[a] + margin_mm);
        }
    }
    assert_int_equal(voxelize_box(&in, low, high), OK);
    assert_int_equal(voxelize(&in, l, NULL), OK);
}

static void along(const double direction[3], double length, const double offset[3], double out[3]) {
    for (int a = 0; a < 3; a++)
        out[a] = offset[a] + length * direction[a];
}

/* Directions: along the grid, between two axes, and none of these; offsets are no part of a cell. */
static const double directions[3][3] = {{0, 0, 1}, {0, 0.5, 0.866025403784438647}, {0.48, 0.6, 0.64}};
static const double offset[3] = {0.137, -0.211, 0.071};

static mesh_opening end_of(const char *name, int role, const double direction[3], double place) {
    mesh_opening o = {.role = role, .radius_mm = NAN};
    snprintf(o.name, sizeof o.name, "%s", name);
    along(direction, place, offset, o.point_mm);
    for (int a = 0; a < 3; a++)
        o.normal[a] = place > 0 ? direction[a] : -direction[a];
    return o;
}

static void pipe_has_one_velocity(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++) {
        const double radius = 2.03, flow[2] = {4e-6, NAN};
        shape s = {.kind = SHAPE_CYLINDER, .radius = {radius}};
        along(directions[k], 0, offset, s.a);
        along(directions[k], 1, offset, s.b);
        const mesh_opening ends[2] = {end_of("in", LATTICE_INLET, directions[k], -8),
                                      end_of("out", LATTICE_OUTLET, directions[k], 8)};
        lattice l;
        potential_flow_result r;
        build(&s, 0.25, 4, 2, ends, &l);
        float *u = calloc((size_t)l.n_cell, 3 * sizeof *u);
        const potential_flow_input in = {.nu_m2_s = nu, .flow_m3_s = flow, .velocity_m_s = u, .tolerance = 1e-6};
        assert_int_equal(potential_flow(&l, &in, &r), OK);
        assert_true(r.known);
        const double exact = flow[0] / (M_PI * radius * radius * 1e-6);
        double worst = 0;
        for (int64_t i = 0; i < l.n_cell; i++) {
            double p[3], square = 0;
            lattice_centre_mm(&l, i, p);
            vec_add(p, -1, offset, p);
            if (fabs(vec_dot(p, directions[k])) > 5 || l.distance_mm[i] > 0)
                continue;
            for (int a = 0; a < 3; a++)
                square += pow(u[3 * i + a] - exact * directions[k][a], 2);
            worst = fmax(worst, sqrt(square) / exact);
        }
        printf("pipe, direction %d, 16 across: %lld cells, %d steps, residual %.1e; largest error of a cell %.2f %%, "
               "largest velocity %+.2f %%, fastest %+.2f %%, narrowest %+.2f %% of its area\n",
               k, (long long)l.n_cell, r.report.steps, r.report.residual, 100 * worst,
               100 * (r.velocity_m_s / exact - 1), 100 * (r.fastest.velocity_m_s / exact - 1),
               100 * (r.narrowest.area_mm2 / (M_PI * radius * radius) - 1));
        assert_true(worst < 0.03);
        assert_near(r.fastest.velocity_m_s, exact, 0.02 * exact);
        assert_near(r.narrowest.diameter_mm, 2 * radius, 0.02 * 2 * radius);
        assert_near(r.narrowest.reynolds, exact * 2e-3 * radius / nu, 0.03 * r.narrowest.reynolds);
        free(u);
        lattice_free(&l);
    }
}

/* A vein pressed flat is as wide as its gap lets it be: 1.5 gaps, by its openings 4 area / perimeter. */
static void flat_counts_by_its_gap(void **state) {
    (void)state;
    const double flow[2] = {2e-6, NAN}, z[3] = {0, 0, 1}, gap = 1.2;
    const shape s = {.kind = SHAPE_ELLIPSE, .a = {offset[0], offset[1], offset[2]}, .radius = {6, gap / 2}};
    const mesh_opening ends[2] = {end_of("in", LATTICE_INLET, z, -6), end_of("out", LATTICE_OUTLET, z, 6)};
    for (int k = 0; k < 2; k++) {
        lattice l;
        potential_flow_result r;
        build(&s, k ? 0.15 : 0.3, 8, 2, ends, &l);
        const potential_flow_input in = {.nu_m2_s = nu, .flow_m3_s = flow};
        assert_int_equal(potential_flow(&l, &in, &r), OK);
        assert_true(r.known);
        printf("flat: %.3f mm wide for a gap of %g, opening %.3f\n", r.narrowest.diameter_mm, gap,
               potential_section_opening_mm(&l.opening[0]));
        assert_near(r.narrowest.diameter_mm, 1.5 * gap, (k ? 0.15 : 0.25) * gap); /* no cell in the middle */
        assert_near(potential_section_opening_mm(&l.opening[0]), 1.5 * gap, 0.15 * gap);
        assert_near(r.narrowest.area_mm2, M_PI * 6 * gap / 2, 0.03 * r.narrowest.area_mm2);
        lattice_free(&l);
    }
}

/* A cosine stenosis of 75 % of the diameter: the fastest place is its throat. */
static void throat_is_found(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++)
        for (int fine = 0; fine < (k == 2 ? 2 : 1); fine++) {
            const double wide = 3, throat = 1, flow[2] = {2e-6, NAN};
            shape s = {.kind = SHAPE_STENOSIS, .radius = {wide, throat}, .length = {14}};
            along(directions[k], -15, offset, s.a);
            along(directions[k], 15, offset, s.b);
            const mesh_opening ends[2] = {end_of("in", LATTICE_INLET, directions[k], -10),
                                          end_of("out", LATTICE_OUTLET, directions[k], 10)};
            lattice l;
            potential_flow_result r;
            const double spacing = fine ? 0.125 : 0.25;
            build(&s, spacing, 4, 2, ends, &l);
            const potential_flow_input in = {.nu_m2_s = nu, .flow_m3_s = flow};
            assert_int_equal(potential_flow(&l, &in, &r), OK);
            assert_true(r.known);
            const double exact = flow[0] / (M_PI * throat * throat * 1e-6);
            printf("throat of 2 mm, direction %d, %g across: %lld cells, %d steps; mean velocity %+.1f %%, diameter "
                   "%+.1f %%, largest velocity %+.1f %%, flow %+.1f %%, %.2f mm off\n",
                   k, 2 / spacing, (long long)l.n_cell, r.report.steps, 100 * (r.fastest.velocity_m_s / exact - 1),
                   100 * (r.narrowest.diameter_mm / 2 - 1), 100 * (r.velocity_m_s / exact - 1),
                   100 * (r.fastest.flow_m3_s / flow[0] - 1), vec_distance(r.fastest.place_mm, offset));
            assert_int_equal(r.fastest.opening, -1);
            assert_int_equal(r.narrowest.opening, -1);
            assert_near(r.fastest.velocity_m_s, exact, (fine ? 0.04 : 0.08) * exact);
            assert_near(r.narrowest.diameter_mm, 2, (fine ? 0.02 : 0.04) * 2);
            assert_near(r.fastest.flow_m3_s, flow[0], 0.03 * flow[0]);
            assert_true(vec_distance(r.fastest.place_mm, offset) < 2 * spacing);
            assert_near(r.fastest.peak_cell_reynolds, 2 * exact * 1e-3 * spacing / nu,
                        0.08 * r.fastest.peak_cell_reynolds);
            lattice_free(&l);
        }
}

/* A trunk, a fast branch and a narrow one (1.6 mm at its middle) with little flow, all at angles to the grid. */
static const shape_segment fork_segment[4] = {{{0, 0, -14}, {0, 0, 0}, 2.4, 2.4},
                                              {{0, 0, 0}, {4, 3, 12}, 1.7, 1.3},
                                              {{0, 0, 0}, {-2.5, 1, 6}, 1.7, 0.8},
                                              {{-2.5, 1, 6}, {-5, 2, 14}, 0.8, 1.6}};

static void build_fork(double spacing_mm, lattice *l) {
    const shape s = {.kind = SHAPE_TREE, .n_segment = 4, .segment = fork_segment};
    const mesh_opening ends[3] = {{"in", LATTICE_INLET, {0, 0, -10}, {0, 0, -1}, NAN},
                                  {"fast", LATTICE_OUTLET, {3.3333, 2.5, 10}, {4, 3, 12}, NAN},
                                  {"narrow", LATTICE_OUTLET, {-4.375, 1.75, 12}, {-2.5, 1, 8}, NAN}};
    build(&s, spacing_mm, 4, 3, ends, l);
}

static void branches_have_their_own_sections(void **state) {
    (void)state;
    lattice l;
    potential_flow_result r;
    const double flow[3] = {3e-6, NAN, -0.2e-6};
    build_fork(0.15, &l);
    const potential_flow_input in = {.nu_m2_s = nu, .flow_m3_s = flow, .peak_factor = 1.5};
    assert_int_equal(potential_flow(&l, &in, &r), OK);
    assert_true(r.known);
    printf("fork: fastest %.3f m/s in opening %d, %.3g mm; narrowest %.3g mm at %.2f %.2f %.2f, %.3g mL/s\n",
           r.fastest.velocity_m_s, r.fastest.opening, r.fastest.diameter_mm, r.narrowest.diameter_mm,
           r.narrowest.place_mm[0], r.narrowest.place_mm[1], r.narrowest.place_mm[2], 1e6 * r.narrowest.flow_m3_s);
    assert_int_equal(r.fastest.opening, 1); /* it tapers up to there */
    assert_near(r.fastest.flow_m3_s, 2.8e-6, 0.005e-6);
    assert_near(r.fastest.velocity_m_s, 2.8 / l.opening[1].area_mm2, 0.003);
    assert_near(r.fastest.peak_cell_reynolds, 1.5 * r.fastest.velocity_m_s * 0.15e-3 / nu, 1e-6);
    assert_int_equal(r.narrowest.opening, -1);
    assert_near(r.narrowest.diameter_mm, 1.6, 0.1); /* 0.07 with 10 fluid_cells across, 0.02 with 20 */
    assert_near(r.narrowest.flow_m3_s, 0.2e-6, 0.01e-6);
    assert_true(vec_distance(r.narrowest.place_mm, fork_segment[3].a) < 0.6);
    lattice_free(&l);
}

static void openings_of_one_pressure_share_the_flow(void **state) {
    (void)state;
    const shape_segment segment[3] = {
        {{0, 0, -14}, {0, 0, 0}, 2, 2}, {{0, 0, 0}, {5, 5, 12}, 1.5, 1.5}, {{0, 0, 0}, {-5, -5, 12}, 1.5, 1.5}};
    const shape s = {.kind = SHAPE_TREE, .n_segment = 3, .segment = segment};
    const mesh_opening ends[3] = {{"in", LATTICE_INLET, {0, 0, -10}, {0, 0, -1}, NAN},
                                  {"a", LATTICE_OUTLET, {4, 4, 9.6}, {5, 5, 12}, NAN},
                                  {"b", LATTICE_OUTLET, {-4, -4, 9.6}, {-5, -5, 12}, NAN}};
    const double flow[3] = {3e-6, NAN, NAN};
    lattice l;
    potential_flow_result r;
    build(&s, 0.25, 4, 3, ends, &l);
    const potential_flow_input in = {.nu_m2_s = nu, .flow_m3_s = flow};
    assert_int_equal(potential_flow(&l, &in, &r), OK);
    assert_true(r.known);
    assert_near(r.narrowest.flow_m3_s, 1.5e-6, 0.02e-6);
    assert_near(r.narrowest.diameter_mm, 3, 0.05);
    lattice_free(&l);
}

static void without_a_flow_nothing_is_known(void **state) {
    (void)state;
    const double still[3] = {0, NAN, 0}, shut[3] = {1e-6, 0, -1e-6}, pressures[3] = {NAN, NAN, NAN};
    const double *const flows[3] = {still, shut, pressures};
    lattice l;
    build_fork(0.3, &l);
    for (int k = 0; k < 3; k++) {
        potential_flow_result r = {.known = true};
        const potential_flow_input in = {.nu_m2_s = nu, .flow_m3_s = flows[k]};
        assert_int_equal(potential_flow(&l, &in, &r), OK);
        assert_false(r.known);
    }
    lattice_free(&l);
}

static void threads_change_nothing(void **state) {
    (void)state;
#ifdef _OPENMP
    const double flow[3] = {3e-6, NAN, -0.2e-6};
    potential_flow_result r[2];
    lattice l;
    build_fork(0.15, &l);
    for (int k = 0; k < 2; k++) {
        const potential_flow_input in = {.nu_m2_s = nu, .flow_m3_s = flow};
        omp_set_num_threads(1 + 2 * k);
        assert_int_equal(potential_flow(&l, &in, &r[k]), OK);
    }
    assert_memory_equal(&r[0].velocity_m_s, &r[1].velocity_m_s, sizeof r[0].velocity_m_s);
    assert_memory_equal(&r[0].narrowest.area_mm2, &r[1].narrowest.area_mm2, sizeof r[0].narrowest.area_mm2);
    lattice_free(&l);
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pipe_has_one_velocity),
        cmocka_unit_test(flat_counts_by_its_gap),
        cmocka_unit_test(throat_is_found),
        cmocka_unit_test(branches_have_their_own_sections),
        cmocka_unit_test(openings_of_one_pressure_share_the_flow),
        cmocka_unit_test(without_a_flow_nothing_is_known),
        cmocka_unit_test(threads_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
