/* SPDX-License-Identifier: Apache-2.0 */
/* lattice_coarsen: the potential flow on the coarser lattice is that of the finer one, whatever the angle; stretches of
 * the lattice make the same one as the whole. */
#include "common/base/status.h"
#include "common/lattice/lattice_coarsen.h"
#include "common/lattice/potential_flow.h"
#include "mesh/lumen/shape_field.h"
#include "mesh/cells/voxelize.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const double directions[3][3] = {{0, 0, 1}, {0, 0.5, 0.866025403784438647}, {0.48, 0.6, 0.64}};
static const double offset[3] = {0.137, -0.211, 0.071};

static void along(const double direction[3], double length, double out[3]) {
    for (int a = 0; a < 3; a++)
        out[a] = offset[a] + length * direction[a];
}

/* A stenosis of half the diameter between two openings. */
static void build(const double direction[3], double spacing_mm, lattice *l) {
    shape s = {.kind = SHAPE_STENOSIS, .radius = {2.5, 1.25}, .length = {6}};
    mesh_opening end[2] = {{.name = "in", .role = LATTICE_INLET, .radius_mm = NAN},
                           {.name = "out", .role = LATTICE_OUTLET, .radius_mm = NAN}};
    double low[3], high[3];
    along(direction, -10, s.a);
    along(direction, 10, s.b);
    for (int k = 0; k < 2; k++) {
        along(direction, k ? 6 : -6, end[k].point_mm);
        for (int a = 0; a < 3; a++)
            end[k].normal[a] = (k ? 1 : -1) * direction[a];
    }
    for (int a = 0; a < 3; a++) {
        low[a] = fmin(end[0].point_mm[a], end[1].point_mm[a]) - 4;
        high[a] = fmax(end[0].point_mm[a], end[1].point_mm[a]) + 4;
    }
    const shape_field f = {.shape = s};
    voxelize_input in = {
        .distance = shape_field_distance, .data = &f, .spacing_mm = spacing_mm, .n_opening = 2, .opening = end};
    assert_int_equal(voxelize_box(&in, low, high), OK);
    assert_int_equal(voxelize(&in, l, NULL), OK);
}

static potential_flow_result flow_of(const lattice *l) {
    const double flow[2] = {2e-6, NAN};
    const potential_flow_input in = {.nu_m2_s = 3.3e-6, .flow_m3_s = flow, .tolerance = 1e-4};
    potential_flow_result r;
    assert_int_equal(potential_flow(l, &in, &r), OK);
    assert_true(r.known);
    return r;
}

/* As on a lattice that was made with the coarser spacing. */
static void same_flow(void **state) {
    (void)state;
    for (int k = 0; k < 3; k += 2)
        for (int factor = 2; factor < 4; factor++) {
            lattice fine, made, coarse;
            lattice_coarsening c = {.factor = factor};
            build(directions[k], 0.3 / factor, &fine);
            build(directions[k], 0.3, &made);
            assert_int_equal(lattice_coarsen_add(&c, &fine, 0), OK);
            assert_int_equal(lattice_coarsen_end(&c, &coarse), OK);
            lattice_coarsen_free(&c);
            const potential_flow_result r = flow_of(&coarse), m = flow_of(&made);
            const double v = r.fastest.velocity_m_s / m.fastest.velocity_m_s - 1,
                         d = r.fastest.diameter_mm / m.fastest.diameter_mm - 1;
            printf("direction %d, %d times: %lld of %lld cells, made %lld; fastest %+.2f %%, its diameter %+.2f %%\n",
                   k, factor, (long long)coarse.n_cell, (long long)fine.n_cell, (long long)made.n_cell, 100 * v,
                   100 * d);
            assert_true(fabs(v) < 0.05 && fabs(d) < 0.02);
            lattice_free(&fine);
            lattice_free(&made);
            lattice_free(&coarse);
        }
}

static void stretches_alike(void **state) {
    (void)state;
    lattice l, one, other;
    lattice_coarsening a = {.factor = 2}, b = {.factor = 2};
    build(directions[2], 0.2, &l);
    assert_int_equal(lattice_coarsen_add(&a, &l, 0), OK);
    for (int64_t first = 0, link = 0; first < l.n_cell; first += 1000) {
        lattice part = l;
        part.n_cell = l.n_cell - first < 1000 ? l.n_cell - first : 1000;
        part.cell += 3 * first;
        part.solid += first;
        part.distance_mm += first;
        part.link_dir += link;
        part.link_opening += link;
        part.link_cell = malloc((size_t)(l.n_link + 1) * sizeof *part.link_cell);
        for (part.n_link = 0; link < l.n_link && l.link_cell[link] < first + part.n_cell; link++)
            part.link_cell[part.n_link++] = l.link_cell[link] - (int32_t)first;
        assert_int_equal(lattice_coarsen_add(&b, &part, first), OK);
        free(part.link_cell);
    }
    assert_int_equal(lattice_coarsen_end(&a, &one), OK);
    assert_int_equal(lattice_coarsen_end(&b, &other), OK);
    assert_true(one.n_cell == other.n_cell && one.n_link == other.n_link);
    assert_memory_equal(one.cell, other.cell, (size_t)one.n_cell * 12);
    assert_memory_equal(one.distance_mm, other.distance_mm, (size_t)one.n_cell * 4);
    assert_memory_equal(one.solid, other.solid, (size_t)one.n_cell * 2);
    assert_memory_equal(one.link_cell, other.link_cell, (size_t)one.n_link * 4);
    assert_memory_equal(one.link_q, other.link_q, (size_t)one.n_link * 4);
    assert_memory_equal(one.link_opening, other.link_opening, (size_t)one.n_link);
    assert_true(lattice_coarsen_factor(1000, 1000) == 1 && lattice_coarsen_factor(1001, 1000) == 2 &&
                lattice_coarsen_factor(8001, 1000) == 3);
    lattice_coarsen_free(&a);
    lattice_coarsen_free(&b);
    lattice_free(&one);
    lattice_free(&other);
    lattice_free(&l);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_flow), cmocka_unit_test(stretches_alike)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
