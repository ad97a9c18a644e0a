/* SPDX-License-Identifier: Apache-2.0 */
/* A bend without signal over its whole cross-section: segmented, the lumen is interrupted, and gap_bridge_find joins
 * both pieces along the true axis with the true radius. Gaps that are too long, ends of different width or direction,
 * bright material and ends at openings are refused. */
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "segment/bridge/gap_bridge.h"
#include "segment/level_set/level_set.h"
#include "segment/voxel/distance.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static const double LEG = 20, MARGIN = 7, VESSEL = 100, TISSUE = 20;

/* A U: two legs along z, joined by a half circle in the plane y = 0. The gap is in the middle of the half circle. */
typedef struct {
    double radius_mm[2];              /* of the first and of the second half */
    double bend_mm, gap_mm, aside_mm; /* aside_mm: the second half is moved by this along y */
    double in_gap;                    /* intensity in the gap */
} u_shape;

static double middle_mm(const u_shape *u) {
    return M_PI * u->bend_mm / 2;
}

/* Distance to the axis, and length along the axis from the start of the half circle. */
static double axis_distance(const u_shape *u, const double p[3], double *along) {
    const double turn = p[2] < 0 ? (p[0] < 0 ? 0 : M_PI) : atan2(p[2], -p[0]);
    *along = p[2] < 0 ? (p[0] < 0 ? p[2] : 2 * middle_mm(u) - p[2]) : u->bend_mm * turn;
    const double y = p[1] - (*along > middle_mm(u) ? u->aside_mm : 0);
    return hypot(p[2] < 0 ? fabs(p[0]) - u->bend_mm : hypot(p[0], p[2]) - u->bend_mm, y);
}

/* Point of the axis. */
static void axis_point(const u_shape *u, double along, double p[3]) {
    const double turn = along / u->bend_mm;
    p[0] = along < 0 ? -u->bend_mm : along > 2 * middle_mm(u) ? u->bend_mm : -u->bend_mm * cos(turn);
    p[1] = along > middle_mm(u) ? u->aside_mm : 0;
    p[2] = along < 0 ? along : along > 2 * middle_mm(u) ? 2 * middle_mm(u) - along : u->bend_mm * sin(turn);
}

/* Signed distance to the vessel without the gap. away: distance to the gap, negative inside it. */
static double wall_distance(const u_shape *u, const double p[3], double *away) {
    double along;
    const double d = axis_distance(u, p, &along);
    *away = fabs(along - middle_mm(u)) - 0.5 * u->gap_mm;
    return d - u->radius_mm[along > middle_mm(u)];
}

static void make_volume(const u_shape *u, double voxel_mm, volume *v) {
    const double x = u->bend_mm + u->radius_mm[0] + MARGIN, y = u->radius_mm[0] + MARGIN, origin[3] = {-x, -y, -LEG},
                 h[3] = {voxel_mm, voxel_mm, voxel_mm};
    const int dims[3] = {(int)(2 * x / voxel_mm), (int)((2 * y + u->aside_mm) / voxel_mm), (int)((x + LEG) / voxel_mm)};
    assert_int_equal(volume_create(v, dims, h, origin, NULL), OK);
}

/* Standard normal number (Box-Muller transform). */
static double normal_number(uint32_t *seed) {
    double u[2];
    for (int k = 0; k < 2; k++) {
        *seed = *seed * 1664525U + 1013904223U;
        u[k] = ((*seed >> 8) + 0.5) / 16777216.0;
    }
    return sqrt(-2 * log(u[0])) * cos(2 * M_PI * u[1]);
}

/* An image with edges one voxel wide, and the signed distance of the lumen that is visible. noise: of the image. */
static void make_image(const u_shape *u, double voxel_mm, double noise, volume *image, volume *phi) {
    uint32_t seed = 7;
    make_volume(u, voxel_mm, image);
    make_volume(u, voxel_mm, phi);
    for (int k = 0; k < image->dims[2]; k++)
        for (int j = 0; j < image->dims[1]; j++)
            for (int i = 0; i < image->dims[0]; i++) {
                const size_t at = volume_index(image, i, j, k);
                double p[3], away;
                volume_to_lps(image, (const double[3]){i, j, k}, p);
                const double d = wall_distance(u, p, &away), in = 0.5 - 0.5 * tanh(1.5 * d / voxel_mm),
                             seen = u->gap_mm > 0 ? 0.5 + 0.5 * tanh(1.5 * away / voxel_mm) : 1;
                image->value[at] =
                    (float)(TISSUE + in * (seen * (VESSEL - TISSUE) + (1 - seen) * (u->in_gap - TISSUE)) +
                            noise * normal_number(&seed));
                phi->value[at] = (float)(u->gap_mm > 0 ? fmax(d, -away) : d);
            }
}

/* Seeds in both legs; openings near the ends of the legs. */
static void make_points(const u_shape *u, double point[4][3], double normal[2][3]) {
    for (int k = 0; k < 4; k++) {
        const double z = k < 2 ? 3 - LEG : -6;
        axis_point(u, k % 2 ? 2 * middle_mm(u) - z : z, point[k]);
    }
    for (int k = 0; k < 2; k++)
        normal[k][0] = normal[k][1] = 0, normal[k][2] = -1;
}

/* Bridges the lumen that is visible; bridged may be without values. */
static void bridge(const u_shape *u, double voxel_mm, gap_bridges *found, volume *bridged) {
    const seeds_statistics seeds = {.inside = VESSEL, .outside = TISSUE, .bright = true};
    double point[4][3], normal[2][3];
    volume image, phi;
    make_points(u, point, normal);
    make_image(u, voxel_mm, 0, &image, &phi);
    *bridged = (volume){0};
    assert_int_equal(gap_bridge_find(&image, &phi, &seeds, 4, (const double(*)[3])point, 2, (const double(*)[3])normal,
                                     found, bridged),
                     OK);
    print_message("%d gaps bridged%s%s\n", found->n, found->refused[0] ? ": " : "", found->refused);
    volume_free(&image);
    volume_free(&phi);
}

/* Mean distance of the true axis from the wall in the gap, over 24 directions at 9 cross-sections. *aside: largest
 * distance of the centre of these cross-sections from the true axis. */
static double gap_radius(const u_shape *u, const volume *phi, double *aside) {
    double sum = 0;
    *aside = 0;
    for (int k = 0; k < 9; k++) {
        const double along = middle_mm(u) + u->gap_mm * (k - 4) / 10;
        double p[3], next[3], axis[3][3], move[2] = {0};
        axis_point(u, along, p);
        axis_point(u, along + 0.01, next);
        vec_add(next, -1, p, next);
        vec_normalize(next);
        vec_axes(next, axis);
        for (int r = 0; r < 24; r++) {
            const double angle = 2 * M_PI * r / 24;
            double at[3], far = 0;
            do {
                far += 0.02;
                vec_add(p, far * cos(angle), axis[0], at);
                vec_add(at, far * sin(angle), axis[1], at);
            } while (far < 10 && volume_sample(phi, at) < 0);
            sum += far / (9 * 24);
            move[0] += far * cos(angle) / 12, move[1] += far * sin(angle) / 12;
        }
        *aside = fmax(*aside, hypot(move[0], move[1]));
    }
    return sum;
}

/* Gaps of half a diameter to two diameters; phi is exact. */
static void exact(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++)
        for (int tight = 0; tight < (k < 2 ? 3 : 2); tight++) { /* the tightest: a carotid siphon */
            const u_shape u = {{2, 2}, (double[]){9, 6, 3.5}[tight], (double[]){2, 4, 6, 8}[k], 0, TISSUE};
            gap_bridges found;
            volume bridged;
            double aside;
            bridge(&u, 0.5, &found, &bridged);
            assert_int_equal(found.n, 1);
            assert_int_equal(found.refused[0], 0);
            const gap_bridge *g = &found.found[0];
            const double radius = gap_radius(&u, &bridged, &aside);
            print_message("gap %g mm, bend %g mm: found %.2f mm, radius %.2f +- %.2f mm, axis %.2f mm off\n", u.gap_mm,
                          u.bend_mm, g->length_mm, radius, g->radius_95_mm, aside);
            assert_true(fabs(g->length_mm - u.gap_mm) < 0.8);
            assert_true(fabs(radius - 2) < 0.06 && fabs(radius - 2) < g->radius_95_mm);
            assert_true(aside < (tight < 2 ? 0.2 : 0.25) * 2);
            assert_true(vec_distance(g->point_mm, (double[3]){0, 0, u.bend_mm}) < 0.5);
            assert_true(fabs(g->signal) < (u.gap_mm < 4 ? 0.4 : 0.2));
            volume_free(&bridged);
        }
}

/* Segments a noisy image and bridges the gap. */
static void segmented(double voxel_mm, double gap_mm, double noise) {
    const u_shape u = {{2, 2}, 7, gap_mm, 0, TISSUE};
    level_set_options o = {-1, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0, NAN};
    level_set_report report;
    gap_bridges found;
    double point[4][3], normal[2][3], aside;
    volume image, exact, level = {0}, phi = {0}, bridged = {0};
    surface wall = {0};
    make_points(&u, point, normal);
    make_image(&u, voxel_mm, noise, &image, &exact);
    o.n_opening = 2, o.opening_mm = (const double(*)[3])point, o.opening_normal = (const double(*)[3])normal;
    assert_int_equal(level_set_run(&image, 2, (const double(*)[3])point + 2, &o, &level, &report), OK);
    assert_int_equal(distance_rebuild(&level, 6, &wall, &phi), OK);
    assert_int_equal(gap_bridge_find(&image, &phi, &report.seeds, 4, (const double(*)[3])point, 2,
                                     (const double(*)[3])normal, &found, &bridged),
                     OK);
    assert_int_equal(found.n, 1);
    const double radius = gap_radius(&u, &bridged, &aside);
    print_message("voxels of %g mm, gap %g mm: found %.2f mm, radius %.2f +- %.2f mm, axis %.2f mm off\n", voxel_mm,
                  gap_mm, found.found[0].length_mm, radius, found.found[0].radius_95_mm, aside);
    assert_true(fabs(radius - 2) < found.found[0].radius_95_mm);
    assert_true(aside < 0.3 * 2);
    volume_free(&image);
    volume_free(&exact);
    volume_free(&level);
    volume_free(&phi);
    volume_free(&bridged);
    surface_free(&wall);
}

static void noisy(void **state) {
    (void)state;
    segmented(0.5, 2, 5);
    segmented(0.4, 4, 5);
    segmented(0.8, 8, 5);
}

/* Contrast of 4 times the noise: the tube along the path does not cross the gap. */
static void noisier(void **state) {
    (void)state;
    segmented(0.5, 6, 20);
    segmented(0.5, 8, 20);
}

static void assert_refused(u_shape u, const char *why) {
    gap_bridges found;
    volume bridged;
    bridge(&u, 0.5, &found, &bridged);
    if (found.n > 0)
        print_message("turn %.0f degrees\n", found.found[0].turn_degrees);
    assert_int_equal(found.n, 0);
    assert_null(bridged.value);
    assert_non_null(strstr(found.refused, why));
}

static void refused(void **state) {
    (void)state;
    assert_refused((u_shape){{2, 2}, 9, 11, 0, TISSUE}, "diameters of the vessel, at most 2.5");
    assert_refused((u_shape){{2, 1.3}, 9, 4, 0, TISSUE}, "a ratio of 0.6");
    assert_refused((u_shape){{2, 2}, 9, 4, 8, TISSUE}, "axes of both ends do not match");
    assert_refused((u_shape){{2, 2}, 9, 4, 0, 300}, "plaque, bone or metal");
}

/* A vessel without a gap stays as it is. */
static void whole(void **state) {
    (void)state;
    gap_bridges found;
    volume bridged;
    bridge(&(u_shape){{2, 2}, 7, 0, 0, TISSUE}, 0.5, &found, &bridged);
    assert_int_equal(found.n, 0);
    assert_int_equal(found.refused[0], 0);
    assert_null(bridged.value);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(exact), cmocka_unit_test(noisy), cmocka_unit_test(noisier),
                                       cmocka_unit_test(refused), cmocka_unit_test(whole)};
    message_init("test", false);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
