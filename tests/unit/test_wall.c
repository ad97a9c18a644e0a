/* Wall shear stress against exact flows. */
#include "common/status.h" /* before cmocka, which has a macro fail */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "post/wall.h"
#include "post_lattice.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const post_pipe PIPE = {.point_mm = {1, 2, 3},
                               .axis = {0, 0.6, 0.8},
                               .radius_mm = 4,
                               .length_mm = 16,
                               .mean_m_s = 0.1,
                               .viscosity_pa_s = 0.0035};

static void pipe_value(enum wall_method method, double across, int caps, double tolerance) {
    lattice l;
    fields f;
    sampler s;
    surface lumen;
    wall w;
    wall_statistics stats;
    double exact = 4 * PIPE.viscosity_pa_s * PIPE.mean_m_s / (PIPE.radius_mm * 1e-3), strip[2] = {1, 1};
    post_pipe_lattice(&PIPE, across, &l);
    post_fields_make(&l, post_pipe_flow, &PIPE, &f);
    post_pipe_surface(&PIPE, 48, caps, &lumen);
    assert_int_equal(sampler_create(&s, &l, &f), OK);
    assert_int_equal(wall_create(&s, &lumen, PIPE.viscosity_pa_s, method, strip, &w), OK);
    int64_t n = w.shape.n_point;
    double *wss = malloc(3 * (size_t)n * sizeof *wss), *p = malloc((size_t)n * sizeof *p), worst = 0, worst_p = 0;
    wall_apply(&w, &f, wss, p);
    for (int64_t k = 0; k < n; k++) {
        double *t = wss + 3 * k, u[3], exact_p, stress[6];
        double along = t[1] * 0.6 + t[2] * 0.8;
        if (w.counted[k])
            worst = fmax(worst, fabs(along / exact - 1));
        assert_true(!w.counted[k] || fabs(t[0]) < 5 * tolerance * exact);
        post_pipe_flow(w.shape.point_mm + 3 * k, &PIPE, u, &exact_p, stress);
        worst_p = fmax(worst_p, fabs(p[k] - exact_p));
        t[0] = along;
    }
    for (int64_t k = 0; k < n; k++)
        p[k] = wss[3 * k];
    assert_int_equal(wall_measure(&w, p, &stats), OK);
    printf("%2.0f across: mean %+.4f %%, worst point %.3f %%, pressure %.2g Pa, %lld points, left out %.1f mm2\n",
           across, 100 * (stats.mean / exact - 1), 100 * worst, worst_p, (long long)n, w.left_out_mm2);
    assert_true(fabs(stats.mean / exact - 1) < tolerance);
    assert_true(worst < 5 * tolerance);
    assert_true(worst_p < 0.01 * post_pipe_gradient_pa_m(&PIPE) * 0.016);
    assert_true(fabs(stats.area_mm2 / (2 * M_PI * 4 * 14) - 1) < 0.06); /* strips of 1 mm left out, in whole points */
    assert_true(fabs(w.left_out_mm2 - caps * 2 * M_PI * 16) < 2);
    assert_true(w.lost_mm2 == 0);
    free(wss);
    free(p);
    wall_free(&w);
    surface_free(&lumen);
    sampler_free(&s);
    fields_free(&f);
    lattice_free(&l);
}

static void pipe_has_4_mu_u_over_r(void **state) {
    pipe_value(WALL_FROM_BOTH, 32, 0, 0.002);
    pipe_value(WALL_FROM_BOTH, 12, 1, 0.004);
    pipe_value(WALL_FROM_BOTH, 5, 0, 0.05);
    pipe_value(WALL_FROM_STRESS, 32, 1, 0.002);
    pipe_value(WALL_FROM_STRESS, 12, 0, 0.004);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pipe_has_4_mu_u_over_r),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
