/* SPDX-License-Identifier: Apache-2.0 */
/* An organ nearly as bright that touches a vein, in noise, without openings: it must not come along unsaid. */
#include "common/base/message.h"
#include "common/base/status.h"
#include "segment/level_set/level_set.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static const double vein = 186, organ = 165, tissue = 96, noise = 26, radius = 6;
static const level_set_options automatic = {-1, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0, NAN};

/* A vein along z, and `ball_mm` in radius beside it, which overlaps it by 2 mm; 0: none. */
static void draw(double ball_mm, volume *v) {
    const double spacing[3] = {0.75, 0.75, 1.6}, origin[3] = {-22, -22, -24};
    uint64_t state = 88172645463325252ULL;
    assert_int_equal(volume_create(v, (int[3]){60, 60, 31}, spacing, origin, NULL), OK);
    for (size_t i = 0; i < volume_size(v); i++) {
        double p[3], sum = 0;
        volume_to_lps(v, (const double[3]){(double)(i % 60), (double)(i / 60 % 60), (double)(i / 3600)}, p);
        const double in = fmin(1, fmax(0, 0.5 + (radius - hypot(p[0], p[1])) / 0.75));
        const double y = p[1] + radius + ball_mm - 2;
        const double ball = fmin(1, fmax(0, 0.5 + (ball_mm - sqrt(p[0] * p[0] + y * y + p[2] * p[2])) / 0.75));
        for (int n = 0; n < 12; n++) { /* nearly a normal distribution */
            state = state * 6364136223846793005ULL + 1442695040888963407ULL;
            sum += (double)(state >> 33) / 2147483648.0;
        }
        const double round_it = tissue + (ball_mm > 0 ? ball : 0) * (organ - tissue);
        v->value[i] = (float)(round_it + in * (vein - round_it) + noise * (sum - 6));
    }
}

static double volume_ml(double ball_mm, level_set_report *report) {
    static const double seed[2][3] = {{0, 0, -12}, {0, 0, 12}};
    volume image, level = {0};
    size_t inside = 0;
    draw(ball_mm, &image);
    status_clear();
    const int rc = level_set_run(&image, 2, seed, &automatic, &level, report);
    if (rc != OK)
        print_message("%s\n", status_message());
    assert_int_equal(rc, OK);
    for (size_t i = 0; i < volume_size(&level); i++)
        inside += level.value[i] < 0;
    const double ml = (double)inside * level.spacing_mm[0] * level.spacing_mm[1] * level.spacing_mm[2] / 1000;
    print_message("ball of %g mm: %.2f mL of %.2f mL, %s\n", ball_mm, ml, M_PI * radius * radius * 31 * 1.6 / 1000,
                  report->bounded ? "bounded along the seeds" : "free");
    volume_free(&image);
    volume_free(&level);
    return ml;
}

static void an_organ_stays_out(void **state) {
    (void)state;
    const double exact = M_PI * radius * radius * 31 * 1.6 / 1000;
    level_set_report report;
    assert_true(fabs(volume_ml(0, &report) / exact - 1) < 0.1);
    assert_true(fabs(volume_ml(11, &report) / exact - 1) < 0.15 && report.bounded);
    assert_true(isnan(report.used.edge_low) && report.iterations_done == 0); /* nothing is left of the front */
}

int main(void) {
    message_init("test_segment_touching_vessel", false);
    const struct CMUnitTest tests[] = {cmocka_unit_test(an_organ_stays_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
