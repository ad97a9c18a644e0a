/* SPDX-License-Identifier: Apache-2.0 */
/* Pressure at the wall against exact fields: across a tube, round a ball in a stream, in places too narrow for it. */
#include "common/base/status.h" /* before cmocka, which has a macro fail */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "tests/unit/near.h"
#include "common/base/vec.h"
#include "post/wall/wall.h"
#include "tests/unit/post/post_lattice.h"
#include <stdlib.h>
#include <string.h>

typedef double (*pressure_at)(const double point_mm[3]);

static void only_pressure(const double p[3], const void *data, double u[3], double *pressure, double stress[6]) {
    const pressure_at *exact = data;
    memset(u, 0, 3 * sizeof *u);
    memset(stress, 0, 6 * sizeof *stress);
    *pressure = (*exact)(p);
}

/* largest error over the counted points of the wall */
static double worst_error(const lattice *l, const surface *lumen, const double *strip_mm, pressure_at exact) {
    fields f;
    sampler s;
    wall w;
    double worst = 0;
    post_fields_make(l, only_pressure, &exact, &f);
    assert_int_equal(sampler_create(&s, l, &f), OK);
    assert_int_equal(wall_create(&s, lumen, NULL, strip_mm, &w), OK);
    double *wss = malloc(3 * (size_t)w.shape.n_point * sizeof *wss);
    double *p = malloc((size_t)w.shape.n_point * sizeof *p);
    assert_true(wss && p && w.shape.n_point > 100);
    wall_apply(&w, &f, wss, p);
    for (int64_t k = 0; k < w.shape.n_point; k++)
        if (w.counted[k])
            worst = fmax(worst, fabs(p[k] - exact(w.shape.point_mm + 3 * k)));
    free(wss);
    free(p);
    wall_free(&w);
    sampler_free(&s);
    fields_free(&f);
    return worst;
}

/* ------------------------------------------------------------------------------------------------------- in a tube */

static const post_pipe PIPE = {.point_mm = {1, 2, 3}, .axis = {0, 0.6, 0.8}, .radius_mm = 4, .length_mm = 10};

static double in_pipe(double across, pressure_at exact) {
    const double strip_mm[2] = {1.5, 1.5};
    lattice l;
    surface lumen;
    post_pipe_lattice(&PIPE, across, &l);
    post_pipe_surface(&PIPE, 48, 0, &lumen);
    double worst = worst_error(&l, &lumen, strip_mm, exact);
    surface_free(&lumen);
    lattice_free(&l);
    return worst;
}

/* a column of fluid at rest in a field of gravity that is not along the tube: 100 Pa/mm */
static double hydrostatic(const double p[3]) {
    return 48 * p[0] - 64 * p[1] + 60 * p[2];
}

static void linear_across_the_tube_is_exact(void **state) {
    (void)state;
    assert_near(in_pipe(12, hydrostatic), 0,
                0.5); /* of 800 Pa across: the lattice's wall lies 3 um beside the surface */
    assert_near(in_pipe(24, hydrostatic), 0, 0.05);
}

/* the fluid turns about the tube's axis as a solid body: 160 Pa more at the wall than in the middle */
static double centrifugal(const double p[3]) {
    double d[3], along;
    vec_add(p, -1, PIPE.point_mm, d);
    along = vec_dot(d, PIPE.axis);
    return 10 * (vec_dot(d, d) - along * along);
}

static void quadratic_across_the_tube_is_of_second_order(void **state) {
    static const double across[3] = {12, 24, 48};
    double error[3];
    (void)state;
    for (int k = 0; k < 3; k++)
        error[k] = in_pipe(across[k], centrifugal);
    printf("solid-body rotation: %.3g, %.3g, %.3g of 160 Pa; order %.2f, %.2f\n", error[0], error[1], error[2],
           log2(error[0] / error[1]), log2(error[1] / error[2]));
    assert_true(error[0] < 0.07 * 160); /* 2 (h/R)^2 of it and what the tilt of the samples adds */
    assert_true(log2(error[0] / error[1]) > 1.8 && log2(error[1] / error[2]) > 1.8);
}

/* Three cells across: no second sample lies this side of the axis. Then it is the pressure of the cells inside, and the
 * place along the tube is right. */
static double along_the_tube(const double p[3]) {
    double d[3];
    vec_add(p, -1, PIPE.point_mm, d);
    return 100 * vec_dot(d, PIPE.axis);
}

static void narrow_tubes_have_the_pressure_inside(void **state) {
    (void)state;
    assert_near(in_pipe(3, along_the_tube), 0, 55); /* a fifth of a cell, of 267 Pa */
    assert_near(in_pipe(3, centrifugal), 80, 80);   /* between the axis and the wall, not beyond */
}

/* --------------------------------------------------------------------------------------------- round a ball, Stokes */

enum { AROUND = 40, RINGS = 20 };
static const double BALL_MM = 5;

/* creeping flow along z: p = -3/2 mu U a cos(theta) / r^2, here 1 Pa at the pole in front */
static double stokes(const double p[3]) {
    const double r = vec_length(p);
    return -BALL_MM * BALL_MM * p[2] / (r * r * r);
}

static void make_ball(surface *out) {
    assert_int_equal(surface_create(out, RINGS * AROUND, (RINGS - 1) * AROUND * 2), OK);
    int32_t *to = out->triangle;
    for (int i = 0; i < RINGS; i++)
        for (int j = 0; j < AROUND; j++) {
            const double polar = M_PI * (i + 0.5) / RINGS, round = 2 * M_PI * j / AROUND;
            const double at[3] = {sin(polar) * cos(round), sin(polar) * sin(round), cos(polar)};
            vec_add((const double[3]){0, 0, 0}, BALL_MM, at, out->point_mm + 3 * (i * AROUND + j));
            const int32_t a = i * AROUND + j, b = i * AROUND + (j + 1) % AROUND;
            const int32_t two[6] = {a, a + AROUND, b + AROUND, a, b + AROUND, b};
            if (i + 1 < RINGS) {
                memcpy(to, two, sizeof two);
                to += 6;
            }
        }
}

static double round_ball(double across) {
    const shape s = {.kind = SHAPE_SPHERE_OBSTACLE, .radius = {BALL_MM, 0}};
    const double h = 2 * BALL_MM / across, half = BALL_MM + 6 * h;
    const double low[3] = {-half + 0.2 * h, -half + 0.1 * h, -half}, high[3] = {half, half, half};
    lattice l;
    surface ball;
    post_lattice_make(&s, h, low, high, 0, NULL, &l);
    make_ball(&ball);
    double worst = worst_error(&l, &ball, NULL, stokes);
    surface_free(&ball);
    lattice_free(&l);
    return worst;
}

static void bodies_in_a_stream_have_their_own_pressure(void **state) {
    static const double across[3] = {10, 20, 40};
    double error[3];
    (void)state;
    for (int k = 0; k < 3; k++)
        error[k] = round_ball(across[k]);
    printf("ball: %.3g, %.3g, %.3g of 1 Pa; order %.2f, %.2f\n", error[0], error[1], error[2],
           log2(error[0] / error[1]), log2(error[1] / error[2]));
    assert_true(error[2] < 0.02);
    assert_true(log2(error[1] / error[2]) > 1.6);
}

/* -------------------------------------------------------------------------------------------------- beside a vessel */

enum { TUBES = 2 };
static const double TUBE_X_MM[TUBES] = {-2.1, 2.1}; /* of 3 mm each: a wall of 1.2 mm between them */

static double of_its_own_tube(const double p[3]) {
    return p[0] < 0 ? 1000 : 0;
}

static void vessels_behind_a_thin_wall_do_not_count(void **state) {
    static const double cells_mm[3] = {0.3, 0.6, 1}; /* 10, 5 and 3 across */
    const shape_segment segment[TUBES] = {{{TUBE_X_MM[0], 0, -20}, {TUBE_X_MM[0], 0, 20}, 1.5, 1.5},
                                          {{TUBE_X_MM[1], 0, -20}, {TUBE_X_MM[1], 0, 20}, 1.5, 1.5}};
    const shape s = {.kind = SHAPE_TREE, .n_segment = TUBES, .segment = segment};
    const double low[3] = {-4.8, -2.7, -6}, high[3] = {4.8, 2.7, 6};
    (void)state;
    for (int k = 0; k < 3; k++)
        for (int tube = 0; tube < TUBES; tube++) {
            const post_pipe pipe = {
                .point_mm = {TUBE_X_MM[tube], 0, -4}, .axis = {0, 0, 1}, .radius_mm = 1.5, .length_mm = 8};
            lattice l;
            surface lumen;
            post_lattice_make(&s, cells_mm[k], low, high, 0, NULL, &l);
            post_pipe_surface(&pipe, 32, 0, &lumen);
            assert_near(worst_error(&l, &lumen, NULL, of_its_own_tube), 0, 0.01);
            surface_free(&lumen);
            lattice_free(&l);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_across_the_tube_is_exact),
        cmocka_unit_test(quadratic_across_the_tube_is_of_second_order),
        cmocka_unit_test(narrow_tubes_have_the_pressure_inside),
        cmocka_unit_test(bodies_in_a_stream_have_their_own_pressure),
        cmocka_unit_test(vessels_behind_a_thin_wall_do_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
