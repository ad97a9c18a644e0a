/* SPDX-License-Identifier: Apache-2.0 */
/* Streamlines of Poiseuille flow: along the axis, at one radius, in the time that the speed there takes. */
#include "common/base/status.h" /* before cmocka, which has a macro fail */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "post/flow/streamlines.h"
#include "tests/unit/post/post_lattice.h"
#include <math.h>

static void place_of(const float p[3], double *along, double *radius) {
    double square = 0;
    *along = 0;
    for (int a = 0; a < 3; a++) {
        const double d = (double)p[a] - POST_PIPE.point_mm[a];
        *along += d * POST_PIPE.axis[a];
        square += d * d;
    }
    *radius = sqrt(fmax(square - *along * *along, 0));
}

static void lines_of_a_pipe(void **state) {
    (void)state;
    lattice l;
    fields f;
    sampler s;
    streamlines lines;
    post_pipe_lattice(&POST_PIPE, 16, &l);
    post_fields_make(&l, post_pipe_flow, &POST_PIPE, &f);
    assert_int_equal(sampler_create(&s, &l, &f), OK);
    assert_int_equal(streamlines_make(&s, &f, 60, &lines), OK);
    assert_true(lines.n > 30 && lines.n <= 60 && lines.first[lines.n] == lines.n_point);
    assert_true(fabs(lines.fastest_m_s - 0.2) < 0.01);
    for (int k = 0; k < lines.n; k++) {
        double start, end, r0, r;
        const int a = lines.first[k], b = lines.first[k + 1] - 1;
        place_of(lines.point_mm + 3 * a, &start, &r0);
        place_of(lines.point_mm + 3 * b, &end, &r);
        assert_true(end - start > 5 && fabs(r - r0) < 0.02); /* the way of the blood */
        for (int i = a + 1; i <= b; i++)
            assert_true(lines.time_s[i] > lines.time_s[i - 1]);
        for (int i = a + 1; i <= b && r < 3; i++) { /* near openings and walls cells are missing: slower to the eye */
            double here, before;
            place_of(lines.point_mm + 3 * i, &here, &r);
            place_of(lines.point_mm + 3 * (i - 1), &before, &r0);
            if (before > 1 && here < 13)
                assert_true(fabs(1e-3 * (here - before) / (double)(lines.time_s[i] - lines.time_s[i - 1]) -
                                 0.2 * (1 - r * r / 16)) < 0.02 * 0.2);
        }
    }
    streamlines_free(&lines);
    sampler_free(&s);
    fields_free(&f);
    lattice_free(&l);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines_of_a_pipe)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
