/* SPDX-License-Identifier: Apache-2.0 */
/* Calcified plaque in the wall of a vessel full of contrast agent (CT): far brighter than blood, and no part of the
 * lumen. Between openings, defaults, against the exact lumen. */
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "segment/checks/leak.h"
#include "segment/level_set/level_set.h"
#include "segment/voxel/grid.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 88 };
static double radius = 4.2, deep = 2, part = 0.37; /* of the plaque: how far into the vessel, how much of its wall */
static double blood = 350, plaque = 1000, noise = 15, blur = 0.6;
static const double spacing = 0.6, tissue = 50;
static const double axis[3] = {0.36, 0.48, 0.8}, side_way[3] = {0.8, -0.6, 0}; /* unit, across each other */

static double uniform(uint64_t *state) { /* splitmix64 */
    uint64_t x = *state += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return ((double)((x ^ (x >> 31)) >> 11) + 0.5) / 9007199254740992.0;
}

/* Place along and beside the axis. */
static double vessel_at(const double p[3], double *along, double *beside) {
    *along = vec_dot(p, axis), *beside = vec_dot(p, side_way);
    return sqrt(fmax(0, vec_dot(p, p) - *along * *along)) - radius;
}

/* On one side of the wall, `deep` into the vessel and half a millimetre out of it, 14 mm long. */
static bool is_plaque(const double p[3]) {
    double along, beside;
    const double d = vessel_at(p, &along, &beside);
    return fabs(along) < 7 && d > -deep && d < 0.5 && beside > cos(M_PI * part) * (d + radius);
}

/* Bone that lies against more than half of the wall: 9 mm thick, 20 mm long. */
static bool is_bone(const double p[3]) {
    double along, beside;
    const double d = vessel_at(p, &along, &beside);
    return fabs(along) < 10 && d > 0 && d < 9 && beside > -0.3 * radius;
}

/* A block of bone against the wall: its cortex, and marrow in it as bright as blood. */
static bool is_block(const double p[3], bool *marrow) {
    double along, beside, third[3];
    const double d = vessel_at(p, &along, &beside), c = 1.1;
    vec_cross(axis, side_way, third);
    const double far = fabs(vec_dot(p, third));
    *marrow = d > c && beside < radius + 10.5 - c && far < 6 - c && fabs(along) < 9 - c;
    return d > 0 && beside > 0.3 * radius && beside < radius + 10.5 && far < 6 && fabs(along) < 9;
}

static bool with_bone, with_block; /* in place of plaque */
static bool seeds_alone;
static double stream, shade; /* contrasts: of blood that has not mixed; part: of a coil, from side to side */

static bool is_bright(const double p[3]) {
    bool marrow;
    return with_block ? is_block(p, &marrow) && !marrow : with_bone ? is_bone(p) : is_plaque(p);
}

static bool is_lumen(const double p[3]) {
    double along, beside;
    return vessel_at(p, &along, &beside) < 0 && (with_bone || with_block || !is_plaque(p));
}

static double blood_at(const double p[3]) {
    double along, beside;
    vessel_at(p, &along, &beside);
    return blood + (beside > 0.3 * radius && fabs(along) < 10 ? stream * (blood - tissue) : 0);
}

static volume draw(void) {
    volume v;
    uint64_t state = 3;
    const double low = -0.5 * spacing * (SIDE - 1);
    assert_int_equal(volume_create(&v, (int[3]){SIDE, SIDE, SIDE}, (double[3]){spacing, spacing, spacing},
                                   (double[3]){low, low, low}, NULL),
                     OK);
    for (int k = 0; k < SIDE; k++)
        for (int j = 0; j < SIDE; j++)
            for (int i = 0; i < SIDE; i++) {
                double sum = 0;
                for (int n = 0; n < 27; n++) {
                    double p[3];
                    volume_to_lps(
                        &v, (double[3]){i + (n % 3 - 1) / 3.0, j + (n / 3 % 3 - 1) / 3.0, k + (n / 9 - 1) / 3.0}, p);
                    bool marrow = false;
                    const bool vessel = is_lumen(p) || (with_block && is_block(p, &marrow) && marrow);
                    sum += is_bright(p) ? plaque : vessel ? blood_at(p) : tissue;
                }
                v.value[volume_index(&v, i, j, k)] = (float)(sum / 27 * (1 + shade * (i - 0.5 * SIDE) / SIDE));
            }
    assert_int_equal(grid_smooth(&v, (const double[3]){blur, blur, blur}), OK);
    for (size_t i = 0; i < volume_size(&v); i++)
        v.value[i] += (float)(noise * sqrt(-2 * log(uniform(&state))) * cos(2 * M_PI * uniform(&state)));
    return v;
}

/* Between two openings and from two seeds. */
static volume lumen_of(const volume *image, level_set_report *report) {
    volume level;
    level_set_options o = {-1, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0, NAN};
    double seed[2][3], end[2][3], normal[2][3];
    for (int a = 0; a < 3; a++)
        for (int s = 0; s < 2; s++) {
            seed[s][a] = (s ? 12 : -12) * axis[a];
            end[s][a] = (s ? 18 : -18) * axis[a];
            normal[s][a] = (s ? 1 : -1) * axis[a];
        }
    o.n_opening = seeds_alone ? 0 : 2, o.opening_mm = (const double(*)[3])end,
    o.opening_normal = (const double(*)[3])normal;
    assert_int_equal(level_set_run(image, 2, (const double(*)[3])seed, &o, &level, report), OK);
    return level;
}

static void find_lumen(const char *beside_what, double least_dice, double most_taken) {
    level_set_report report;
    volume image = draw(), level = lumen_of(&image, &report);
    double both = 0, ours = 0, theirs = 0, taken = 0, all = 0;
    for (int k = 0; k < SIDE; k++)
        for (int j = 0; j < SIDE; j++)
            for (int i = 0; i < SIDE; i++) {
                double p[3], along, beside;
                volume_to_lps(&image, (const double[3]){i, j, k}, p);
                vessel_at(p, &along, &beside);
                if (fabs(along) > 9)
                    continue;
                const bool in = volume_contains(&level, p) && volume_sample(&level, p) < 0;
                both += in && is_lumen(p), ours += in, theirs += is_lumen(p);
                const bool bright = is_bright(p);
                taken += in && bright, all += bright;
            }
    print_message("beside %s: Dice %.4f, volume %+.1f %%, %.0f %% of it taken for lumen\n", beside_what,
                  2 * both / (ours + theirs), 100 * (ours / theirs - 1), 100 * taken / all);
    assert_true(report.bounded);
    print_message("something bright along %.1f mm of the wall\n", report.bright_mm);
    assert_true(report.bright_mm > 8 && report.bright_mm < 26 &&
                vec_dot(report.bright_at_mm, report.bright_at_mm) < 25);
    assert_true(2 * both / (ours + theirs) > least_dice);
    assert_true(taken < most_taken * all);
    volume_free(&image);
    volume_free(&level);
}

enum { FINE = 2, BINS = 24 };

/* Along the plaque: Dice, and what the cross-sections make of a drop by Poiseuille's law, less 1. */
static void along_plaque(double *dice, double *area, double *drop) {
    level_set_report report;
    volume image = draw(), level = lumen_of(&image, &report);
    double both = 0, ours[BINS] = {0}, theirs[BINS] = {0}, sum[2] = {0}, friction[2] = {0};
    for (int k = 0; k < FINE * SIDE; k++)
        for (int j = 0; j < FINE * SIDE; j++)
            for (int i = 0; i < FINE * SIDE; i++) {
                double p[3], along, beside;
                volume_to_lps(&image, (const double[3]){(i - 0.5) / FINE, (j - 0.5) / FINE, (k - 0.5) / FINE}, p);
                if (vessel_at(p, &along, &beside) > 3 || fabs(along) >= 6)
                    continue;
                const int bin = (int)((along + 6) / 12 * BINS);
                const bool in = volume_contains(&level, p) && volume_sample(&level, p) < 0, is = is_lumen(p);
                both += in && is;
                ours[bin] += in;
                theirs[bin] += is;
            }
    for (int n = 0; n < BINS; n++) {
        sum[0] += ours[n], sum[1] += theirs[n];
        friction[0] += pow(ours[n], -2), friction[1] += pow(theirs[n], -2);
    }
    *dice = 2 * both / (sum[0] + sum[1]);
    *area = sum[0] / sum[1] - 1;
    *drop = friction[0] / friction[1] - 1;
    volume_free(&image);
    volume_free(&level);
}

static void print_row(void) {
    double dice, area, drop;
    along_plaque(&dice, &area, &drop);
    print_message("| %.0f | %.1f | %.1f | %.0f | %.0f | %.3f | %.4f | %+.1f %% | %+.1f %% |\n", blood, radius / spacing,
                  blur, plaque, deep / spacing, part, dice, 100 * area, 100 * drop);
}

static int table(void) {
    static const double bright[4] = {500, 650, 1000, 1300}, share[3] = {1 / 8.0, 1 / 4.0, 1 / 2.0};
    print_message("| blood | radius | blur | plaque | voxels thick | part of the wall | Dice | area | drop |\n");
    for (int narrow = 0; narrow < 2; narrow++)
        for (int k = 0; k < 4; k++)
            for (int thick = 1; thick <= 3; thick++)
                for (int s = 0; s < 3; s++) {
                    blood = narrow ? 450 : 350, radius = narrow ? 2.4 : 4.2, blur = narrow ? 0.8 : 0.6;
                    plaque = bright[k], deep = thick * spacing, part = share[s];
                    print_row();
                }
    return 0;
}

/* Of one row of the table: blood, radius, blur, plaque, voxels thick, part of the wall, noise, stream, shade,
 * seeds alone. */
static int one(char **x) {
    blood = atof(x[0]), radius = atof(x[1]) * spacing, blur = atof(x[2]), plaque = atof(x[3]);
    deep = atof(x[4]) * spacing, part = atof(x[5]), noise = atof(x[6]), stream = atof(x[7]), shade = atof(x[8]);
    seeds_alone = atoi(x[9]);
    print_row();
    return 0;
}

static void plaque_is_no_lumen(void **state) {
    (void)state;
    find_lumen("plaque", 0.94, 0.2);
}

/* Plaque no more than three quarters of the contrast brighter was lumen: the drop came out 37 % too low. */
static void plaque_little_brighter(void **state) {
    (void)state;
    for (int half = 0; half < 2; half++) {
        double dice, area, drop;
        blood = 400, plaque = 650, deep = 2 * spacing, part = half ? 0.5 : 0.25, noise = 20;
        along_plaque(&dice, &area, &drop);
        print_message("plaque of 650 in blood of 400, %.2f of the wall: Dice %.4f, area %+.1f %%, drop %+.1f %%\n",
                      part, dice, 100 * area, 100 * drop);
        assert_true(dice > 0.97 && fabs(drop) < 0.07);
    }
    blood = 350, plaque = 1000, deep = 2, part = 0.37, noise = 15;
}

/* Blood that has not mixed is as bright, but reaches into the middle. */
static void bright_blood_stays(void **state) {
    (void)state;
    double dice, area, drop;
    part = 0, stream = 0.3, shade = 0.4;
    along_plaque(&dice, &area, &drop);
    print_message("brighter blood along a third of the vessel: Dice %.4f, area %+.1f %%\n", dice, 100 * area);
    assert_true(dice > 0.985 && fabs(area) < 0.02);
    part = 0.37, stream = 0, shade = 0;
}

/* In a vessel five voxels wide half a voxel is much: that is said. */
static void plaque_in_a_narrow_vessel(void **state) {
    (void)state;
    const int before = message_serious_count();
    radius = 1.5, deep = 0.8;
    find_lumen("plaque in a narrow vessel", 0.85, 0.2);
    radius = 4.2, deep = 2;
    assert_true(message_serious_count() > before);
}

/* Plaque by half of the contrast brighter than blood round half of a vessel of four voxels is taken for blood, the drop
 * 74 % too low: that is said; not where there is none, in a coil as uneven. */
static void plaque_like_blood(void **state) {
    (void)state;
    for (int there = 0; there < 2; there++) {
        const int before = message_serious_count();
        double dice, area, drop;
        blood = 450, radius = 2.4, blur = 0.8, plaque = 650, deep = 1.2, part = there ? 0.5 : 0,
        shade = there ? 0 : 0.4;
        along_plaque(&dice, &area, &drop);
        assert_int_equal(message_serious_count() > before, there);
    }
    blood = 350, radius = 4.2, blur = 0.6, plaque = 1000, deep = 2, part = 0.37;
}

/* The way between the openings did not follow the vessel along bone, and the front from the seeds was cut there. */
static void bone_against_the_wall(void **state) {
    (void)state;
    with_bone = true;
    find_lumen("bone", 0.94, 0.2);
    with_bone = false;
}

/* The blur round the cortex is as bright as blood, and a way along the rim of the block was as cheap as the vessel: all
 * of the bone became lumen. */
static void marrow_beside_the_wall(void **state) {
    (void)state;
    with_block = true, radius = 2.6, noise = 40;
    find_lumen("bone full of marrow", 0.92, 0.1);
    with_block = false, radius = 4.2, noise = 15;
}

/* What is seen across the wall to plaque is an edge, brighter outside. */
static void edge_to_plaque(void **state) {
    (void)state;
    volume image = draw();
    const seeds_statistics seeds = {.bright = true, .inside = blood, .outside = tissue};
    double at[3];
    for (int a = 0; a < 3; a++)
        at[a] = (radius - 2) * side_way[a];
    assert_true(leak_edge_at(&image, &seeds, at, side_way));
    assert_false(leak_edge_at(&image, &seeds, (double[3]){0, 0, 0}, axis));
    volume_free(&image);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plaque_is_no_lumen),    cmocka_unit_test(plaque_little_brighter),
        cmocka_unit_test(bright_blood_stays),    cmocka_unit_test(plaque_in_a_narrow_vessel),
        cmocka_unit_test(bone_against_the_wall), cmocka_unit_test(marrow_beside_the_wall),
        cmocka_unit_test(edge_to_plaque),        cmocka_unit_test(plaque_like_blood)};
    message_init("test", argc == 12);
    return argc == 12                                  ? one(argv + 2)
           : argc > 1 && strcmp(argv[1], "table") == 0 ? table()
                                                       : cmocka_run_group_tests(tests, NULL, NULL);
}
