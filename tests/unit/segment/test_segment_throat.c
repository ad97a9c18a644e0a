/* SPDX-License-Identifier: Apache-2.0 */
/* Stenoses of known width, segmented from images: smallest diameter and stenosis percent against the truth. A straight
 * vessel, oblique to the voxels, is narrowed by a cosine. Point spread: one voxel (full width at half maximum).
 *
 * By hand: test_segment_throat FIRST LAST, say `test_segment_throat 1 12`: a row for each phantom. */
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "common/centerline/centerline.h"
#include "common/vessel/vessel_table.h"
#include "data/phantom/scan.h"
#include "segment/checks/wall_uncertainty.h"
#include "segment/level_set/level_set.h"
#include "segment/voxel/distance.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A straight vessel, narrowed by a cosine. */
typedef struct {
    double radius_mm, percent, length_mm; /* of the vessel; of its diameter; of the narrowing */
    double spacing_mm[3], rotate_deg, snr;
} throat;

static const throat throats[] = {
    {2.4, 40, 8, {0.8, 0.8, 0.8}, 0, 20},  {2.4, 40, 8, {1, 1, 1.5}, 0, 20},   {2.4, 60, 8, {0.8, 0.8, 0.8}, 0, 20},
    {3.2, 70, 10, {0.8, 0.8, 0.8}, 0, 20}, {3, 50, 6, {0.6, 0.6, 0.6}, 0, 20}, {3, 20, 6, {0.6, 0.6, 0.6}, 0, 20},
    {2.4, 50, 4, {0.5, 0.5, 0.5}, 0, 20},  {2, 30, 5, {0.4, 0.4, 0.4}, 0, 20}, {2.5, 70, 6, {0.4, 0.4, 0.4}, 0, 20},
    {4, 50, 16, {1, 1, 1}, 30, 20},        {3.2, 60, 12, {1, 1, 1.5}, 30, 20}, {3, 40, 8, {0.6, 0.6, 1}, 0, 20}};
enum { THROATS = sizeof throats / sizeof *throats };

static const double AXIS[3] = {0.15617376188860607, 0.31234752377721214, 0.9370425713316364}; /* (1, 2, 6) / sqrt(41) */

static phantom p;

static double half_length(const throat *t) {
    return t->length_mm / 2 + 5 * t->radius_mm;
}

static void draw(const throat *t) {
    const double end = half_length(t) + 3 * t->radius_mm;
    memset(&p, 0, sizeof p);
    p.kind = PHANTOM_TUBE;
    p.scale = 1;
    for (int a = 0; a < 3; a++) {
        p.shape.a[a] = p.segment[0].a[a] = -end * AXIS[a];
        p.shape.b[a] = p.segment[0].b[a] = end * AXIS[a];
    }
    p.segment[0].radius_a = p.segment[0].radius_b = t->radius_mm;
    p.shape.kind = SHAPE_STENOSIS;
    p.shape.radius[0] = t->radius_mm;
    p.shape.radius[1] = t->radius_mm * (1 - t->percent / 100);
    p.shape.length[0] = t->length_mm;
    p.shape.n_segment = 1; /* for the extent of the image */
    p.shape.segment = p.segment;
}

typedef struct {
    vessel_branch of;
} outcome;

static outcome measure(const volume *phi, const double (*end)[3], const surface *wall, double wall_mm) {
    outcome out;
    centerline c;
    vessel_table t;
    assert_int_equal(centerline_find(phi, 2, end, &c), OK);
    assert_int_equal(vessel_table_create(&c, surface_volume_mm3(wall), surface_area_mm2(wall), wall_mm, NULL, &t), OK);
    assert_int_equal(c.n_branch, 1);
    out.of = t.branch[0];
    vessel_table_free(&t);
    centerline_free(&c);
    return out;
}

static outcome segmented(const throat *t) {
    const scan_settings settings = {.spacing_mm = {t->spacing_mm[0], t->spacing_mm[1], t->spacing_mm[2]},
                                    .margin_mm = 12,
                                    .rotate_deg = t->rotate_deg,
                                    .blur = 1,
                                    .bias = 0.2,
                                    .snr = t->snr,
                                    .seed = 1};
    level_set_options o = {-1, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0, NAN, .engine = LEVEL_SET_LBM};
    volume image, level, phi;
    surface wall;
    wall_uncertainty e;
    level_set_report report;
    double end[2][3], normal[2][3], seed[1][3];
    for (int a = 0; a < 3; a++) {
        for (int k = 0; k < 2; k++) {
            normal[k][a] = (k ? 1 : -1) * AXIS[a];
            end[k][a] = half_length(t) * normal[k][a];
        }
        seed[0][a] = (t->length_mm / 2 + 2 * t->radius_mm) * AXIS[a];
    }
    o.n_opening = 2;
    o.opening_mm = (const double(*)[3])end;
    o.opening_normal = (const double(*)[3])normal;
    draw(t);
    status_clear();
    assert_int_equal(scan_grid(&p, &settings, &image), OK);
    assert_int_equal(scan_image(&p, &settings, &image), OK);
    assert_int_equal(level_set_run(&image, 1, (const double(*)[3])seed, &o, &level, &report), OK);
    assert_int_equal(distance_rebuild(&level, 6, &wall, &phi), OK);
    assert_int_equal(wall_uncertainty_measure(&image, &wall, report.seeds.noise, report.seeds.kernel, 1,
                                              report.wall_moved_sd_mm, &e),
                     OK);
    outcome out = measure(&phi, (const double(*)[3])end, &wall, e.uncertainty_mm);
    volume_free(&image);
    volume_free(&level);
    volume_free(&phi);
    surface_free(&wall);
    return out;
}

static bool holds(vessel_value v, double truth) {
    return v.low <= truth && truth <= v.high;
}

static outcome study(int k) {
    const throat *t = &throats[k];
    const outcome r = segmented(t);
    const double narrow = 2 * t->radius_mm * (1 - t->percent / 100);
    const vessel_value d = r.of.diameter_min_mm.of, s = r.of.stenosis_percent.of;
    print_message(
        "%2d | R %.1f mm, throat %4.1f mm long, %.1f voxels wide (%.1f x %.1f x %.1f mm, turned %2.0f deg) | %4.1f "
        "[%4.1f %4.1f] %% of %2.0f %s | %.2f [%.2f %.2f] mm of %.2f %s\n",
        k + 1, t->radius_mm, t->length_mm, narrow / t->spacing_mm[0], t->spacing_mm[0], t->spacing_mm[1],
        t->spacing_mm[2], t->rotate_deg, s.value, s.low, s.high, t->percent, holds(s, t->percent) ? "in" : "OUT",
        d.value, d.low, d.high, narrow, holds(d, narrow) ? "in" : "OUT");
    return r;
}

static bool is_accurate(int k) {
    const throat *t = &throats[k];
    const outcome r = study(k);
    const double narrow = 2 * t->radius_mm * (1 - t->percent / 100);
    const vessel_value d = r.of.diameter_min_mm.of, s = r.of.stenosis_percent.of;
    return fabs(s.value - t->percent) < 4 && fabs(d.value - narrow) < 0.25 * t->spacing_mm[0] && holds(s, t->percent) &&
           holds(d, narrow);
}

/* Throats 2.4 and 2.6 voxels wide. If the bias of the wall is averaged over 3 voxels along the vessel here, both
 * stenoses read 6 points too low. In phantom 2 the vessel is 4.8 voxels wide: if its walls raise the estimate of the
 * noise, the correction of the wall is weak and the stenosis reads 9 points too low. */
static void tight_stenoses(void **state) {
    (void)state;
    assert_true(is_accurate(1));
    assert_true(is_accurate(2));
    assert_true(is_accurate(10));
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(tight_stenoses)};
    int good = 0, n = 0;
    message_init("test", false);
    if (argc < 3)
        return cmocka_run_group_tests(tests, NULL, NULL);
    for (long k = strtol(argv[1], NULL, 10); k <= strtol(argv[2], NULL, 10) && k <= THROATS; k++, n++)
        good += is_accurate((int)k - 1);
    print_message("%d of %d within 4 points, a quarter of a voxel and their intervals\n", good, n);
    return good == n ? 0 : 1;
}
