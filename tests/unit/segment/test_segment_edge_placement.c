/* SPDX-License-Identifier: Apache-2.0 */
/* Narrow vessels at an angle, between the voxels, seen through point spreads of several widths: how far their walls lie
 * outwards of the true ones, mean.
 *
 * By hand: test_segment_edge_placement table     the table of segment/ACCURACY.md (ten minutes) */
#include "common/base/message.h"
#include "common/base/status.h"
#include "segment/level_set/level_set.h"
#include "tests/unit/segment/narrow.h"

typedef struct {
    double off;
    level_set_report report;
} outcome;

static outcome segmented(const narrow *n, bool bounded) {
    volume image, level, phi;
    surface wall;
    outcome out;
    double seed[3], opening[2][3], normal[2][3];
    level_set_options o = {-1, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0, NAN, .engine = LEVEL_SET_LBM};
    for (int a = 0; a < 3; a++) {
        seed[a] = (n->size - 1) / 2.0 + n->offset[a];
        for (int k = 0; k < 2; k++) {
            normal[k][a] = (k ? 1 : -1) * n->along[a];
            opening[k][a] = seed[a] + (n->size / 2.0 - 4) * normal[k][a];
        }
    }
    o.n_opening = bounded ? 2 : 0;
    o.opening_mm = (const double(*)[3])opening;
    o.opening_normal = (const double(*)[3])normal;
    narrow_draw(n, &image);
    assert_int_equal(level_set_run(&image, 1, (const double(*)[3]) & seed, &o, &level, &out.report), OK);
    assert_int_equal(distance_rebuild(&level, 6, &wall, &phi), OK);
    out.off = narrow_off(n, &wall, fmax(8, 2 * n->slices + 3));
    volume_free(&image);
    volume_free(&level);
    volume_free(&phi);
    surface_free(&wall);
    return out;
}

static narrow cylinder_at(double degrees, double radius, double sigma, double slices, double noise, bool dark) {
    const double t = degrees * acos(-1) / 180;
    return (narrow){.radius = radius,
                    .along = {sin(t) * cos(0.6), sin(t) * sin(0.6), cos(t)},
                    .offset = {0.23, -0.31, 0.17},
                    .slices = slices,
                    .sigma = sigma,
                    .noise = noise,
                    .vessel = dark ? 20 : 100,
                    .tissue = dark ? 100 : 20,
                    .size = 36,
                    .seed = (unsigned)degrees};
}

/* As theory alone has it: +0.04, -0.12, -0.07 and +0.09. */
static void walls_of_cylinders(void **state) {
    (void)state;
    static const struct {
        double radius, sigma, slices, noise;
        bool bounded, dark;
    } c[] = {{2, 0.33, 1, 0.05, true, false},
             {3, 0.85, 1, 0.05, true, true},
             {3, 0.7, 2, 0.05, true, false},
             {2, 0.8, 1, 0.05, false, false}};
    for (size_t k = 0; k < sizeof c / sizeof *c; k++) {
        const narrow n = cylinder_at(35, c[k].radius, c[k].sigma, c[k].slices, c[k].noise, c[k].dark);
        const outcome r = segmented(&n, c[k].bounded);
        print_message("radius %.0f voxels, point spread %.2f, slices %.0f, noise %.2f, %s, %s: wall %+.3f voxel, point "
                      "spread found %.2f\n",
                      c[k].radius, c[k].sigma, c[k].slices, c[k].noise,
                      c[k].bounded ? "between openings" : "free front", c[k].dark ? "dark" : "bright", r.off,
                      r.report.blur_mm);
        assert_true(fabs(r.off) < (c[k].bounded ? 0.03 : 0.06));
        assert_true(fabs(r.report.blur_mm - c[k].sigma) < 0.12);
        assert_true(r.report.wall_moved_sd_mm > 0 && r.report.wall_moved_sd_mm < 0.06);
    }
}

/* Noise moves walls more than that: what is measured in it is not used. */
static void not_in_noise(void **state) {
    (void)state;
    const narrow n = cylinder_at(35, 3, 0.5, 1, 0.34, false);
    assert_true(segmented(&n, true).report.wall_moved_mm == 0);
}

static void print_row(double radius, double sigma, double slices, double noise, bool bounded) {
    static const double degrees[3] = {20, 45, 85};
    double sum = 0, most = 0;
    for (int k = 0; k < 3; k++) {
        const narrow n = cylinder_at(degrees[k], radius, sigma, slices, noise, false);
        const double off = segmented(&n, bounded).off;
        sum += off / 3;
        most = fabs(off) > fabs(most) ? off : most;
    }
    print_message("| %s | %.0f | %.2f | %.2f | %.1f | %+.3f | %+.3f |\n", bounded ? "yes" : "no", slices, noise, sigma,
                  radius, sum, most);
}

static int table(void) {
    static const double radius[4] = {1.5, 2, 3, 5}, sigma[2] = {0.4, 0.8};
    print_message("| openings | slices | noise | point spread | radius | off, mean of three angles | largest |\n");
    for (int kind = 0; kind < 5; kind++)
        for (int s = 0; s < 2; s++)
            for (int r = 0; r < 4; r++)
                print_row(radius[r], sigma[s], kind == 4 ? 2 : 1, kind < 3 ? 0.05 + 0.05 * kind * (kind + 1) / 2 : 0.05,
                          kind != 3);
    return 0;
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(walls_of_cylinders), cmocka_unit_test(not_in_noise)};
    message_init("test", false);
    return argc > 1 && strcmp(argv[1], "table") == 0 ? table() : cmocka_run_group_tests(tests, NULL, NULL);
}
