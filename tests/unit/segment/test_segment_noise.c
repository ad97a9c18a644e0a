/* SPDX-License-Identifier: Apache-2.0 */
/* A vessel in noise about as large as its contrast: the wall is as far from the truth as wall_error says, or it is
 * refused. */
#include "common/base/status.h"
#include "segment/level_set/level_set.h"
#include "segment/checks/wall_uncertainty.h"
#include "tests/unit/segment/narrow.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { IMAGES = 4 };
static const double along[3] = {0.36, 0.48, 0.8};
static const double support = 0.9; /* of the wall by its edges in such noise */

/* How far outwards the wall lies, mm, and how well it is said to be known. */
static int run(const narrow *n, double *off, wall_uncertainty *e, level_set_report *report) {
    level_set_options o = {-1, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0, NAN};
    double seed[2][3], end[2][3], normal[2][3];
    volume image = {0}, level = {0}, phi = {0};
    surface wall = {0};
    int rc = OK;
    narrow_draw(n, &image);
    for (int a = 0; a < 3; a++)
        for (int s = 0; s < 2; s++) {
            const double middle = (n->size - 1) / 2.0 + n->offset[a];
            seed[s][a] = middle + (s ? 9 : -9) * along[a];
            end[s][a] = middle + (s ? 15 : -15) * along[a];
            normal[s][a] = (s ? 1 : -1) * along[a];
        }
    o.n_opening = 2, o.opening_mm = (const double(*)[3])end, o.opening_normal = (const double(*)[3])normal;
    TRY(level_set_run(&image, 2, (const double(*)[3])seed, &o, &level, report));
    TRY(distance_rebuild(&level, 3, &wall, &phi));
    TRY(wall_uncertainty_measure(&image, &wall, report->seeds.noise, report->seeds.kernel, support, 0, e));
    *off = narrow_off(n, &wall, 9);
cleanup:
    surface_free(&wall);
    volume_free(&phi);
    volume_free(&level);
    volume_free(&image);
    return rc;
}

static void within_its_interval(void **state) {
    (void)state;
    static const double noise[] = {0.4, 0.6, 0.8};
    for (int k = 0; k < 3; k++)
        for (unsigned seed = 0; seed < IMAGES; seed++) {
            const narrow n = {4.2, {0.36, 0.48, 0.8}, {0.3, -0.2, 0.1}, 1, 0.5, noise[k], 186, 108, 44, 50 + seed};
            level_set_report report;
            wall_uncertainty e;
            double off = NAN;
            assert_int_equal(run(&n, &off, &e, &report), OK);
            print_message(
                "noise %.1f of the contrast: wall %+.2f mm off, said to be known to %.2f; edge %.2f mm, noise "
                "%.2f of the contrast at the wall, contrast %.2f times the noise\n",
                noise[k], off, e.measured_mm, e.edge_width_mm, e.noise_to_contrast, report.contrast_to_noise);
            assert_true(fabs(off) < e.measured_mm);
            assert_true(e.measured_mm < 0.25 * n.radius);
            assert_true(fabs(report.contrast_to_noise * noise[k] - 1) < 0.3);
            assert_true(e.edge_width_mm > 0.25 && e.edge_width_mm < 0.9); /* truth: 0.58 */
        }
}

/* Noise of twice the contrast: no radius is given. */
static void hidden(void **state) {
    (void)state;
    for (unsigned seed = 0; seed < IMAGES; seed++) {
        const narrow n = {4.2, {0.36, 0.48, 0.8}, {0.3, -0.2, 0.1}, 1, 0.5, 2, 186, 108, 44, 50 + seed};
        level_set_report report;
        wall_uncertainty e;
        double off;
        status_clear();
        assert_int_not_equal(run(&n, &off, &e, &report), OK);
        print_message("%s\n", status_message());
        assert_true(strstr(status_message(), "noise") != NULL);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(within_its_interval), cmocka_unit_test(hidden)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
