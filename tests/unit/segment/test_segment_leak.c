/* SPDX-License-Identifier: Apache-2.0 */
/* Fronts that leave the vessel: each sign of a leak from an image made for it, its sentence and its place; and none for
 * a vessel that leaves the image as vessels do. */
#include "common/base/message.h"
#include "common/base/status.h"
#include "segment/voxel/distance.h"
#include "segment/checks/neck.h"
#include "segment/checks/parallel_vessel.h"
#include "segment/checks/leak.h"
#include "segment/level_set/level_set.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 56 };
static const double vessel = 100, tissue = 20;
static const level_set_options automatic = {-1, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0, NAN};

/* What a scene adds to a tube of 4 mm along z through the middle of the image: its signal at a place, or NaN. */
typedef double (*scene)(double x, double y, double z);

static volume draw(scene extra) {
    volume v;
    uint64_t state = 88172645463325252ULL;
    const double spacing[3] = {1, 1, 1}, origin[3] = {-27.5, -27.5, -27.5};
    assert_int_equal(volume_create(&v, (int[3]){SIDE, SIDE, SIDE}, spacing, origin, NULL), OK);
    for (int k = 0; k < SIDE; k++)
        for (int j = 0; j < SIDE; j++)
            for (int i = 0; i < SIDE; i++) {
                double p[3], noise = 0;
                volume_to_lps(&v, (const double[3]){i, j, k}, p);
                double more = extra(p[0], p[1], p[2]), part = fmin(1, fmax(0, 4.5 - hypot(p[0], p[1])));
                double signal = tissue + (vessel - tissue) * part;
                for (int n = 0; n < 4; n++) { /* a sum of four uniform numbers, standard deviation 2.9 */
                    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
                    noise += 10 * ((double)(state >> 33) / 2147483648.0 - 0.5);
                }
                v.value[volume_index(&v, i, j, k)] =
                    (float)(noise * 0.5 + (isnan(more) ? signal : fmax(more, part * signal)));
            }
    return v;
}

typedef struct {
    leak_signs signs;
    char why[LEAK_TEXT];
    level_set_report report;
    double ml;
} finding;

static finding grow(scene extra, const level_set_options *options) {
    volume image = draw(extra), level = {0}, phi = {0};
    surface wall = {0};
    level_set_report report;
    measure m;
    finding f;
    const double seed[1][3] = {{0, 0, -15}};
    status_clear();
    int rc = level_set_run(&image, 1, seed, options, &level, &report);
    if (rc != OK)
        print_message("%s\n", status_message());
    assert_int_equal(rc, OK);
    assert_int_equal(distance_rebuild(&level, 6, &wall, &phi), OK);
    assert_int_equal(measure_lumen(&phi, &wall, &image, &m), OK);
    assert_int_equal(
        leak_find(&image, &report.seeds, 1, seed, &phi, &wall, &m, report.used.max_volume_ml, &f.signs, f.why), OK);
    print_message("volume %.3g mL, widest %.3g mm, on an edge %.2f, on the border %.2f (%.3g mm), alien %.2f, behind a "
                  "neck %.2f: %s\n",
                  m.volume_ml, m.radius_mm[2], f.signs.edge_support, f.signs.border_part, f.signs.patch_radius_mm,
                  f.signs.alien_part, f.signs.neck.part, f.why[0] ? f.why : "no leak");
    if (f.why[0])
        print_message("    at %.1f, %.1f, %.1f\n", f.signs.place_mm[0], f.signs.place_mm[1], f.signs.place_mm[2]);
    print_message("    start %.3g mL, %d iterations%s\n", report.start_ml, report.iterations_done,
                  report.flooded ? ", ended" : "");
    f.report = report;
    f.ml = m.volume_ml;
    surface_free(&wall);
    volume_free(&phi);
    volume_free(&level);
    volume_free(&image);
    return f;
}

static void assert_leak(const finding *f, const char *word, const double low[3], const double high[3]) {
    assert_non_null(strstr(f->why, word));
    for (int a = 0; a < 3; a++)
        assert_true(f->signs.place_mm[a] >= low[a] && f->signs.place_mm[a] <= high[a]);
}

static double nothing(double x, double y, double z) {
    (void)x, (void)y, (void)z;
    return NAN;
}

static void sound_vessel(void **state) {
    (void)state;
    finding f = grow(nothing, &automatic);
    assert_string_equal(f.why, "");
    assert_true(f.signs.edge_support > 0.98 && f.signs.border_part < 0.1);
    assert_true(isnan(f.signs.place_mm[0]));
}

static void too_large(void **state) {
    (void)state;
    level_set_options o = automatic;
    o.max_volume_ml = 1; /* the tube holds 2.8 mL */
    finding f = grow(nothing, &o);
    assert_non_null(strstr(f.why, "above the limit of 1 mL"));
    assert_true(!isnan(f.signs.place_mm[0]));
}

static double ball(double x, double y, double z) {
    return hypot(hypot(x - 9, y), z - 6) < 20 ? vessel : NAN;
}

/* Without a limit of the user's more than 3 m of a tube as wide as at the seed is too much. */
static void too_large_for_a_vessel(void **state) {
    (void)state;
    finding f = grow(nothing, &automatic);
    assert_true(fabs(f.report.used.max_volume_ml - fmax(60, 3 * M_PI * pow(f.report.seeds.radius_mm, 2))) < 1e-9);
    level_set_options o = automatic;
    o.max_volume_ml = 400;
    f = grow(nothing, &o);
    assert_true(fabs(f.report.used.max_volume_ml - 400) < 1e-9);
}

/* An organ as bright as the vessel that opens into it. */
static void into_an_organ(void **state) {
    (void)state;
    finding f = grow(ball, &automatic);
    assert_leak(&f, "lumen's radius is", (double[3]){5, -8, -4}, (double[3]){20, 8, 16});
}

static double side(double x, double y, double z) {
    return x > 14 || (x > 0 && fabs(y) < 4 && fabs(z - 8) < 4) ? vessel : NAN;
}

/* Everything on the left as bright as the vessel, with a way in. */
static void to_the_border(void **state) {
    (void)state;
    finding f = grow(side, &automatic);
    assert_leak(&f, "on the border", (double[3]){14, -29, -29}, (double[3]){29, 29, 29});
}

static double fading(double x, double y, double z) {
    double r = hypot(x, y);
    return x > -2 && fabs(z) < 20 ? tissue + (vessel - tissue) * fmin(1, exp(-(r - 4) / 16)) : NAN;
}

/* A vessel that fades into what is beside it: the front stops somewhere, without an edge. */
static void without_an_edge(void **state) {
    (void)state;
    finding f = grow(fading, &automatic);
    assert_leak(&f, "follows an edge", (double[3]){2, -20, -20}, (double[3]){20, 20, 20});
    assert_true(!f.report.flooded && f.report.iterations_done > 20);
    level_set_options o = automatic; /* passed on the way: it goes no further */
    o.max_volume_ml = f.report.start_ml + 0.1 * (f.ml - f.report.start_ml);
    const finding ended = grow(fading, &o);
    assert_leak(&ended, "lumen's volume is", (double[3]){-20, -20, -20}, (double[3]){20, 20, 20});
    assert_true(ended.report.flooded && ended.report.iterations_done == 20 && ended.ml < f.ml);
}

static double glare(double x, double y, double z) {
    return fabs(y) < 6 && x > 0 && x < 14 && fabs(z - 12) < 12 ? 350 : NAN;
}

/* Something brighter than any blood, which the user let in. */
static void alien(void **state) {
    (void)state;
    level_set_options o = automatic;
    o.threshold_low = 60;
    o.threshold_high = 1000;
    finding f = grow(glare, &o);
    assert_leak(&f, "far from the seeds'", (double[3]){2, -5, 4}, (double[3]){14, 5, 20});
}

static double crossing(double x, double z, double gap, double bridge) {
    double away = hypot(x - 4 - gap - 7, z - 6);
    return away < 7 || (x > 0 && x < 11 && fabs(z - 6) < bridge) ? vessel : NAN;
}

static double passing(double x, double y, double z) {
    (void)y;
    return crossing(x, z, 2.4, 0);
}

static double touching(double x, double y, double z) {
    return crossing(x, z, 2, fabs(y) < 1.4 ? 1.4 : 0);
}

/* A wider vessel as bright that passes by at 2.4 voxels stays outside. */
static void beside_a_vessel(void **state) {
    (void)state;
    finding f = grow(passing, &automatic);
    assert_string_equal(f.why, "");
    assert_true(f.signs.neck.part < 0.05);
}

/* One that touches, with a bridge of three voxels, is named, at the bridge. */
static void into_a_vessel(void **state) {
    (void)state;
    finding f = grow(touching, &automatic);
    assert_leak(&f, "only through a neck", (double[3]){3, -3, 3}, (double[3]){8, 3, 9});
}

/* A number of a cube of 2 mm, -0.5 to 0.5. */
static double grain(double x, double y, double z) {
    uint64_t h = 73856093U * (uint64_t)(floor(x / 2) + 99) ^ 19349663U * (uint64_t)(floor(y / 2) + 99) ^
                 83492791U * (uint64_t)(floor(z / 2) + 99);
    h = (h ^ (h >> 13)) * 0x9E3779B97F4A7C15ULL;
    h = (h ^ (h >> 29)) * 0xBF58476D1CE4E5B9ULL;
    return (double)(h >> 40) / 16777216.0 - 0.5;
}

/* Bone against the vessel, as bright as it, of trabeculae and in a cortex `thick` mm deep. */
static double bone(double x, double y, double z, double side, double thick) {
    const double outside = fmax(fabs(x - 4 - 0.8 * side), fmax(0.8 * fabs(y), 0.7 * fabs(z))) - side;
    if (outside > 0 || x < 2)
        return NAN;
    return outside > -thick && x > 5 ? 3.5 * vessel : vessel + 80 * grain(x, y, z);
}

static double small_bone(double x, double y, double z) {
    return bone(x, y, z, 4, 0);
}

static double large_bone(double x, double y, double z) {
    return bone(x, y, z, 11, 0);
}

static double bone_in_cortex(double x, double y, double z) {
    return bone(x, y, z, 8, 2);
}

/* The front has an edge all around and no alien intensity: bone is uneven inside. */
static void into_bone(void **state) {
    (void)state;
    finding f = grow(small_bone, &automatic);
    print_message("rough %.2f\n", f.signs.rough.part);
    assert_true(f.signs.rough.part > 0.2 && f.signs.rough.place_mm[0] > 2 && f.signs.rough.place_mm[0] < 14);
    f = grow(large_bone, &automatic);
    print_message("rough %.2f\n", f.signs.rough.part);
    assert_true(f.signs.rough.part > 0.5 && f.signs.rough.place_mm[0] > 4 && f.signs.rough.place_mm[0] < 24);
    f = grow(bone_in_cortex, &automatic);
    print_message("rough %.2f\n", f.signs.rough.part);
    assert_true(f.signs.rough.part > 0.5 && f.signs.rough.place_mm[0] > 4);
    f = grow(nothing, &automatic);
    assert_true(f.signs.rough.part == 0);
}

/* A sound vessel of an image without noise, 14 to 7 mm in radius, with walls as blurred as in one that was made finer:
 * the wall's slope reaches far in, and is not bone. */
static void blurred_walls(void **state) {
    (void)state;
    const double spacing[3] = {1, 1, 1}, origin[3] = {-27.5, -27.5, -27.5}, seed[1][3] = {{0, 0, -20}};
    volume image, phi;
    roughness found;
    assert_int_equal(volume_create(&image, (int[3]){SIDE, SIDE, SIDE}, spacing, origin, NULL), OK);
    assert_int_equal(volume_create_like(&phi, &image), OK);
    for (int k = 0; k < SIDE; k++)
        for (int j = 0; j < SIDE; j++)
            for (int i = 0; i < SIDE; i++) {
                double p[3];
                volume_to_lps(&image, (const double[3]){i, j, k}, p);
                const double out = hypot(p[0], p[1]) - 14 + 7 / (1 + exp(-(p[2] + 10) / 3));
                const size_t at = volume_index(&image, i, j, k);
                phi.value[at] = (float)out;
                image.value[at] = (float)(tissue + (vessel - tissue) * 0.5 * erfc(out / sqrt(2) / 2.3));
            }
    assert_int_equal(roughness_find(&image, &phi, 1, seed, 0.7 * 14, 0.05 * (vessel - tissue), &found), OK);
    print_message("rough %.2f\n", found.part);
    assert_true(found.part < 0.03);
    volume_free(&phi);
    volume_free(&image);
}

/* Signed distance of cones along z (half-space ends at +-26), the second from (x, 0) with `lean` in x. */
static double two_tubes(double x, double y, double z, double apart, double lean, double narrowed) {
    const double stenosis = narrowed * exp(-z * z / 18), a = hypot(x, y) - (5 - stenosis);
    const double b = hypot(x - apart - lean * z, y) - 4;
    return fmax(apart > 0 ? fmin(a, b) : a, fabs(z) - 26);
}

/* What lies along the vessel of a seed at z = -15 in it. */
static double alongside_of(double apart, double lean, double narrowed) {
    volume phi;
    parallel_vessel found;
    const double spacing[3] = {0.5, 0.5, 0.5}, origin[3] = {-14, -8, -28}, seed[1][3] = {{0, 0, -15}};
    assert_int_equal(volume_create(&phi, (int[3]){100, 33, 113}, spacing, origin, NULL), OK);
    for (int k = 0; k < phi.dims[2]; k++)
        for (int j = 0; j < phi.dims[1]; j++)
            for (int i = 0; i < phi.dims[0]; i++) {
                double p[3];
                volume_to_lps(&phi, (const double[3]){i, j, k}, p);
                phi.value[volume_index(&phi, i, j, k)] = (float)two_tubes(p[0], p[1], p[2], apart, lean, narrowed);
            }
    assert_int_equal(parallel_vessel_find(&phi, 1, seed, 5, &found), OK);
    volume_free(&phi);
    return found.part;
}

static void a_vessel_along_it(void **state) {
    (void)state;
    assert_true(alongside_of(8.5, 0, 0) > 0.1);
    assert_true(alongside_of(0, 0, 0) <= 0);    /* alone */
    assert_true(alongside_of(0, 0, 3.5) <= 0);  /* a stenosis */
    assert_true(alongside_of(21, 0.8, 0) <= 0); /* a branch that leaves it */
}

/* Balls on both sides of the seeded ball, behind necks of different radius. The neck that is reported is the narrower
 * one, and the part is the part behind this neck. */
static void part_behind_the_place(void **state) {
    (void)state;
    const double seed[1][3] = {{0, 0, 0}}, ball[3][2] = {{0, 6}, {16, 6.2}, {-16, 6.05}}; /* x, radius */
    double n = 0, behind = 0;
    volume phi;
    neck found;
    assert_int_equal(
        volume_create(&phi, (int[3]){94, 30, 30}, (double[3]){0.5, 0.5, 0.5}, (double[3]){-23.3, -7.3, -7.3}, NULL),
        OK);
    for (size_t i = 0; i < volume_size(&phi); i++) {
        double p[3], d = INFINITY;
        volume_to_lps(&phi, (const double[3]){(double)(i % 94), (double)(i / 94 % 30), (double)(i / 94 / 30)}, p);
        for (int b = 0; b < 3; b++)
            d = fmin(d, hypot(hypot(p[1], p[2]), p[0] - ball[b][0]) - ball[b][1]);
        if (fabs(p[0]) < 16)
            d = fmin(d, hypot(p[1], p[2]) - (p[0] < 0 ? 1.2 : 1.8));
        phi.value[i] = (float)d;
        n += d < 0;
        behind += d < 0 && p[0] < -8;
    }
    assert_int_equal(neck_find(&phi, 1, seed, &found), OK);
    print_message("neck at x %.1f: part %.4f, expected %.4f\n", found.place_mm[0], found.part, behind / n);
    assert_true(found.place_mm[0] < 0);
    assert_true(fabs(found.part - behind / n) < 0.007);
    volume_free(&phi);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(part_behind_the_place),
                                       cmocka_unit_test(a_vessel_along_it),
                                       cmocka_unit_test(sound_vessel),
                                       cmocka_unit_test(too_large),
                                       cmocka_unit_test(too_large_for_a_vessel),
                                       cmocka_unit_test(into_an_organ),
                                       cmocka_unit_test(to_the_border),
                                       cmocka_unit_test(without_an_edge),
                                       cmocka_unit_test(alien),
                                       cmocka_unit_test(beside_a_vessel),
                                       cmocka_unit_test(into_a_vessel),
                                       cmocka_unit_test(into_bone),
                                       cmocka_unit_test(blurred_walls)};
    (void)argv;
    message_init("test", argc > 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
