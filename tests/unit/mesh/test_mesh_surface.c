/* SPDX-License-Identifier: Apache-2.0 */
/* A lumen given as a surface goes to the lattice by its own triangles: a sharp-edged nozzle, turned by 25 degrees,
 * whose level set is coarser than the lattice. */
#include "common/base/status.h"
#include "mesh/cells/voxelize.h"
#include "mesh/lumen/lumen.h"
#include "tests/unit/fill.h"
#include "tests/unit/near.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIDES = 96, RINGS = 6 };

/* Inlet, cone, throat, sudden expansion: place along the axis and radius. */
static const double profile_z[RINGS] = {-14, -9, -5, 2, 2, 12}, profile_r[RINGS] = {3, 3, 1, 1, 3, 3};

static void place(double r, double angle, double z, double out[3]) {
    const double turn = 25 * M_PI / 180, x = r * cos(angle), y = r * sin(angle);
    out[0] = x * cos(turn) + z * sin(turn) + 0.03;
    out[1] = y - 0.07;
    out[2] = -x * sin(turn) + z * cos(turn) + 0.05;
}

static void make_nozzle(surface *s) {
    assert_int_equal(surface_create(s, RINGS * SIDES + 2, 2 * (RINGS - 1) * SIDES + 2 * SIDES), OK);
    int32_t *t = s->triangle;
    for (int k = 0; k < RINGS; k++)
        for (int i = 0; i < SIDES; i++) {
            const int32_t here = k * SIDES + i, next = k * SIDES + (i + 1) % SIDES;
            const int32_t quad[6] = {here, next, next + SIDES, here, next + SIDES, here + SIDES};
            place(profile_r[k], 2 * M_PI * i / SIDES, profile_z[k], s->point_mm + 3 * (int64_t)here);
            memcpy(t, quad, sizeof quad);
            t += k < RINGS - 1 ? 6 : 0;
        }
    for (int end = 0; end < 2; end++) {
        const int32_t middle = RINGS * SIDES + end, first = end * (RINGS - 1) * SIDES;
        place(0, 0, profile_z[end * (RINGS - 1)], s->point_mm + 3 * (int64_t)middle);
        for (int i = 0; i < SIDES; i++, t += 3) {
            const int32_t here = first + i, next = first + (i + 1) % SIDES;
            t[0] = middle;
            t[1] = end ? here : next;
            t[2] = end ? next : here;
        }
    }
    assert_true(surface_open_edges(s) == 0);
}

static double distance_of(const void *d, const double p[3]) {
    return surface_distance_mm(d, p);
}

/* The level set: distances of the same triangles at voxels of 0.5 mm. */
static void make_phi(const surface *s, volume *phi) {
    surface_distance *d;
    double low[3], high[3];
    int dims[3];
    surface_bounds(s, low, high);
    for (int a = 0; a < 3; a++) {
        low[a] -= 3;
        dims[a] = (int)ceil((high[a] + 3 - low[a]) / 0.5) + 1;
    }
    assert_int_equal(surface_distance_create(&d, s, 0.5), OK);
    assert_int_equal(volume_create(phi, dims, (const double[3]){0.5, 0.5, 0.5}, low, NULL), OK);
    fill_volume(phi, distance_of, d);
    surface_distance_free(d);
}

/* Distance of a point at (r, z) to the profile, without regard to the side. */
static double profile_distance(double r, double z) {
    double least = INFINITY;
    for (int k = -1; k < RINGS; k++) { /* -1 and the last: the flat ends */
        const double r0 = k < 0 ? 0 : profile_r[k], z0 = profile_z[k < 0 ? 0 : k];
        const double r1 = k == RINGS - 1 ? 0 : profile_r[k + 1], z1 = profile_z[k == RINGS - 1 ? k : k + 1];
        const double dr = r1 - r0, dz = z1 - z0;
        const double t = fmin(1, fmax(0, ((r - r0) * dr + (z - z0) * dz) / (dr * dr + dz * dz)));
        least = fmin(least, hypot(r - r0 - t * dr, z - z0 - t * dz));
    }
    return least;
}

/* Solid subcells counted at once are those counted one by one. */
static void check_counted(const voxelize_input *in, const lattice *one_by_one) {
    voxelize_input at_once = *in;
    lattice l;
    at_once.solid = lumen_solid;
    assert_int_equal(voxelize(&at_once, &l, NULL), OK);
    assert_int_equal(l.n_cell, one_by_one->n_cell);
    assert_memory_equal(l.solid, one_by_one->solid, (size_t)l.n_cell * sizeof *l.solid);
    assert_memory_equal(l.distance_mm, one_by_one->distance_mm, (size_t)l.n_cell * sizeof *l.distance_mm);
    assert_memory_equal(l.link_q, one_by_one->link_q, (size_t)l.n_link * sizeof *l.link_q);
    lattice_free(&l);
}

static void edges_stay_sharp(void **state) {
    (void)state;
    volume phi = {0};
    lumen l = {0};
    make_nozzle(&l.wall);
    make_phi(&l.wall, &phi);
    assert_int_equal(phi_field_create(&l.phi, &phi), OK);
    l.voxel_mm = 0.5;
    assert_int_equal(lumen_use_surface(&l), OK);
    voxelize_input in = {.distance = lumen_distance, .data = &l, .steepness = lumen_steepness(&l), .spacing_mm = 0.2};
    lattice cells;
    voxelize_report report;
    surface_distance_set_near(l.exact, 0.18);
    assert_int_equal(voxelize_box(&in, l.phi.low_mm, l.phi.high_mm), OK);
    assert_int_equal(voxelize(&in, &cells, &report), OK);
    const double exact = surface_volume_mm3(&l.wall), sagitta = 3 * (1 - cos(M_PI / SIDES));
    double worst = 0;
    for (int64_t i = 0; i < cells.n_link; i++) {
        const double turn = 25 * M_PI / 180;
        double p[3];
        lattice_centre_mm(&cells, cells.link_cell[i], p);
        for (int a = 0; a < 3; a++)
            p[a] += cells.link_q[i] * cells.spacing_mm * lattice_e[cells.link_dir[i]][a];
        p[0] -= 0.03, p[1] += 0.07, p[2] -= 0.05;
        const double x = p[0] * cos(turn) - p[2] * sin(turn), z = p[0] * sin(turn) + p[2] * cos(turn);
        worst = fmax(worst, profile_distance(hypot(x, p[1]), z));
    }
    printf(
        "turned nozzle, 10 across the throat, level set of 0.5 mm: volume %+.3f %%, farthest end of %lld links %.2g mm "
        "from the profile (sides of the polygon: %.2g mm)\n",
        100 * (report.fluid_volume_mm3 / exact - 1), (long long)cells.n_link, worst, sagitta);
    assert_near(report.fluid_volume_mm3, exact, 5e-4 * exact);
    assert_true(worst < sagitta + 2e-4 * 0.2);
    check_counted(&in, &cells);
    lattice_free(&cells);
    volume_free(&phi);
    lumen_free(&l);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(edges_stay_sharp)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
