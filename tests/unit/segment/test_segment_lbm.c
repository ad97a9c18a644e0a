/* SPDX-License-Identifier: Apache-2.0 */
/* The lattice Boltzmann relaxation of segment against exact solutions, with its order: heat, a sphere that shrinks by
 * its curvature, a front at constant speed; redistancing; and the geodesic active contour against ITK's. */
#include "common/base/message.h"
#include "common/base/status.h"
#include "segment/engine/front_engine.h"
#include "segment/engine/lbm.h"
#include "segment/voxel/grid.h"
#include "segment/voxel/mask_distance.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

typedef double field(const double p[3], double size);

/* A cube of n voxels with its middle off the grid by odd parts of a voxel; p in voxels from there. */
static volume cube(int n, field *f, double size) {
    volume v;
    assert_int_equal(volume_create(&v, (int[3]){n, n, n}, (double[3]){1, 1, 1}, (double[3]){0, 0, 0}, NULL), OK);
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                const double m = 0.5 * (n - 1), p[3] = {i - m - 0.31, j - m + 0.17, k - m - 0.09};
                v.value[volume_index(&v, i, j, k)] = (float)f(p, size);
            }
    return v;
}

static double length(const double p[3]) {
    return sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
}

static double ball(const double p[3], double radius) {
    return length(p) - radius;
}

static double gauss(const double p[3], double sigma) {
    const double r = length(p) / sigma;
    return exp(-0.5 * r * r);
}

/* Cells with |u| < reach. */
static void run(volume *v, float reach, const lbm_equation *e, int steps, int back) {
    const size_t total = volume_size(v);
    int32_t *cell = malloc(total * sizeof *cell);
    lbm_problem job = {.u = v->value, .cell = cell, .equation = *e, .steps = steps, .redistance_steps = back};
    memcpy(job.dims, v->dims, sizeof job.dims);
    for (size_t i = 0; i < total; i++)
        if (fabsf(v->value[i]) < reach)
            cell[job.n++] = (int32_t)i;
    assert_int_equal(lbm_cpu.run(&job), OK);
    free(cell);
}

/* ---------------------------------------------------------------------------------------------- exact solutions */

/* A Gaussian of sigma spreads to sqrt(sigma^2 + 2 D t); worst error over the peak that is left. */
static double heat_error(int refine, float tau) {
    const double sigma = 2.0 * refine, variance = 3.0 * refine * refine; /* added */
    const lbm_equation e = {.dt = (tau - 0.5F) / 4, .diffusion = 1};
    const int steps = (int)lround(variance / (2 * (double)e.dt));
    const double total = sigma * sigma + 2 * (double)e.dt * steps, now = sqrt(total);
    volume v = cube(24 * refine, gauss, sigma), exact = cube(24 * refine, gauss, now);
    double worst = 0;
    run(&v, 2, &e, steps, 0);
    for (size_t i = 0; i < volume_size(&v); i++)
        worst = fmax(worst, fabs((double)v.value[i] / pow(sigma / now, 3) - (double)exact.value[i]));
    volume_free(&v);
    volume_free(&exact);
    return worst;
}

static void heat(void **state) {
    (void)state;
    for (float tau = 0.6F; tau < 1.5F; tau += 0.4F) {
        const double coarse = heat_error(1, tau), fine = heat_error(2, tau), order = log2(coarse / fine);
        print_message("heat, tau %.1f: worst error %.5f, %.5f of the peak: order %.2f\n", (double)tau, coarse, fine,
                      order);
        assert_true(order > 1.8);
        assert_true(fine < 0.01);
    }
}

/* Mean radius where rays along the axes and diagonals meet the zero level. */
static double radius_of(const volume *v) {
    const double m = 0.5 * (v->dims[0] - 1), c[3] = {m + 0.31, m - 0.17, m + 0.09};
    double sum = 0;
    int n = 0;
    for (int d = 0; d < 27; d++) {
        double e[3] = {d % 3 - 1, d / 3 % 3 - 1, d / 9 - 1}, norm = length(e), before = 0;
        for (double r = 0; d != 13 && r < 0.5 * v->dims[0] - 2; r += 0.25) {
            const double p[3] = {c[0] + r * e[0] / norm, c[1] + r * e[1] / norm, c[2] + r * e[2] / norm};
            const double now = volume_sample(v, p);
            if (r > 0 && before < 0 && now >= 0) {
                sum += r - 0.25 * now / (now - before);
                n++;
                break;
            }
            before = now;
        }
    }
    assert_int_equal(n, 26);
    return sum / n;
}

/* A ball of radius R shrinks as r^2 = R^2 - 4 t: error of r over the way it went. */
static double shrink_error(int refine, int every) {
    const double start = 6.0 * refine, end = 4.5 * refine, time = (start * start - end * end) / 4;
    const int rounds = 9 * refine * refine, steps = every;
    const lbm_equation e = {.dt = (float)(time / (rounds * steps)), .diffusion = 1, .level_lines = true};
    volume v = cube(20 * refine, ball, start);
    assert_true(e.dt <= 0.125F);
    for (int round = 0; round < rounds; round++)
        run(&v, 5.0F * (float)refine, &e, steps, 4);
    const double error = fabs(radius_of(&v) - end) / (start - end);
    volume_free(&v);
    return error;
}

static void sphere(void **state) {
    (void)state;
    const double coarse = shrink_error(1, 4), fine = shrink_error(2, 4), order = log2(coarse / fine);
    print_message("sphere by its curvature, R 6 and 12: radius off by %.4f, %.4f of the way: order %.2f\n", coarse,
                  fine, order);
    assert_true(order > 1.7);
    assert_true(fine < 0.01);
}

/* u_t = -|grad u|: a ball grows by t; error of r over the way it went. */
static double grow_error(int refine) {
    const lbm_equation e = {.dt = 0.25F, .propagation = 1};
    volume v = cube(30 * refine, ball, 6.0 * refine);
    run(&v, 8.0F * (float)refine, &e, 16 * refine, 8);
    const double error = fabs(radius_of(&v) - 10.0 * refine) / (4.0 * refine);
    volume_free(&v);
    return error;
}

static void outwards(void **state) {
    (void)state;
    const double coarse = grow_error(1), fine = grow_error(2), order = log2(coarse / fine);
    print_message("sphere at speed 1, R 6 and 12: radius off by %.4f, %.4f of the way: order %.2f\n", coarse, fine,
                  order);
    assert_true(order > 0.8);
    assert_true(fine < 0.04);
}

static double squashed(const double p[3], double radius) {
    const double d = length(p) - radius;
    return d * (0.6 + 0.02 * d + 0.3 * p[0] / (length(p) + 1)); /* same zero, other slopes */
}

/* The zero level stays, |grad u| becomes 1. */
static void redistance_compute(void **state) {
    (void)state;
    const lbm_equation none = {0};
    volume v = cube(32, squashed, 8), exact = cube(32, ball, 8);
    double worst = 0, mean = 0;
    int n = 0;
    run(&v, 9, &none, 0, 30);
    for (size_t i = 0; i < volume_size(&v); i++) {
        const double off = fabs((double)(v.value[i] - exact.value[i]));
        if (fabsf(exact.value[i]) < 4) {
            worst = fmax(worst, off);
            mean += off;
            n++;
        }
    }
    print_message("redistancing: off by %.3f voxel on average, %.3f at worst\n", mean / n, worst);
    assert_true(mean / n < 0.02 && worst < 0.12);
    volume_free(&v);
    volume_free(&exact);
}

/* ---------------------------------------------------------------------------------------------- ITK */

/* A ring lying askew, thicker on one side. */
static double ring(const double p[3], double radius) {
    const double z = 0.8 * p[2] + 0.6 * p[0], x = 0.8 * p[0] - 0.6 * p[2], out = hypot(x, p[1]) - 14;
    return hypot(out, z) - radius * (1 + 0.25 * x / 14);
}

static double bright(const double p[3], double radius) {
    return fmin(1, fmax(0, 0.5 - ring(p, radius) / 3));
}

typedef struct {
    double mean, rough; /* of the distance to the ring where |level| < 1, voxels */
} wall;

static wall study(const volume *level, const volume *exact) {
    double n = 0, sum = 0, square = 0;
    for (size_t i = 0; i < volume_size(level); i++) {
        const double off = (double)(level->value[i] - exact->value[i]);
        if (fabsf(level->value[i]) >= 1)
            continue;
        n++;
        sum += off;
        square += off * off;
    }
    assert_true(n > 2000);
    return (wall){sum / n, sqrt(square / n - sum * sum / n / n)};
}

/* Mean distance of two level sets from each other near the ring, voxels. */
static double apart(const volume level[2], const volume *exact) {
    double sum = 0, n = 0;
    for (size_t i = 0; i < volume_size(exact); i++)
        if (fabs((double)exact->value[i]) < 0.7) {
            sum += fabs((double)(level[0].value[i] - level[1].value[i]));
            n++;
        }
    return sum / n;
}

/* The zero level stays, distances become true; how far from the ring. */
static void study_both(volume level[2], const volume *exact, const char *when, wall w[2]) {
    for (int engine = 0; engine < 2; engine++) {
        run(&level[engine], 4, &(lbm_equation){0}, 0, 20);
        w[engine] = study(&level[engine], exact);
        print_message("geodesic contour by %s%s: %+.3f voxel from the ring, rough by %.3f\n", engine ? "ITK" : "LBM",
                      when, w[engine].mean, w[engine].rough);
    }
}

/* From well inside to the edges of the image, by either engine: where the zero levels come to rest. Point by point they
 * differ by ITK's roughness, a fifth of a voxel and from one voxel to the next; a Gaussian of one voxel, which segment
 * gives both, takes it away. */
static void contour(void **state) {
    (void)state;
    enum { N = 52 };
    volume image = cube(N, bright, 6), inner = cube(N, ring, 4.6), exact = cube(N, ring, 6), g = {0}, feature = {0},
           level[2] = {{{0}}};
    const front_weights weights = {0.5, 0.3, 2, 80};
    wall w[2], smooth[2];
    int done;
    for (size_t i = 0; i < volume_size(&inner); i++)
        inner.value[i] = inner.value[i] < 0;
    assert_int_equal(lbm_engine.gradient(&image, 1, &g), OK);
    assert_int_equal(volume_create_like(&feature, &g), OK);
    for (size_t i = 0; i < volume_size(&g); i++)
        feature.value[i] = (float)(1 / (1 + exp(((double)g.value[i] - 0.13) / 0.03)));
    for (int engine = 0; engine < 2; engine++)
        assert_int_equal(mask_distance(&inner, (const bool[3]){true, true, true}, 12, &level[engine]), OK);
    assert_int_equal(lbm_engine.evolve(&level[0], &feature, &feature, &weights, &done), OK);
    for (int portion = 0; portion < 3; portion++)
        assert_int_equal(itk_engine.evolve(&level[1], &feature, &feature, &weights, &done), OK);
    study_both(level, &exact, "", w);
    const double error[2] = {hypot(w[0].mean, w[0].rough), hypot(w[1].mean, w[1].rough)};
    print_message("apart by %.3f voxel on average; from the ring, root mean square: LBM %.3f, ITK %.3f\n",
                  apart(level, &exact), error[0], error[1]);
    assert_true(error[0] < 0.8 * error[1]);
    assert_true(fabs(w[0].mean - w[1].mean) < 0.1);
    assert_true(w[0].rough < 0.1 && w[0].rough < w[1].rough);
    for (int engine = 0; engine < 2; engine++)
        assert_int_equal(grid_smooth(&level[engine], (const double[3]){1, 1, 1}), OK);
    study_both(level, &exact, ", smoothed", smooth);
    print_message("then apart by %.3f voxel\n", apart(level, &exact));
    assert_true(apart(level, &exact) < 0.1);
    volume_free(&exact);
    volume_free(&image);
    volume_free(&inner);
    volume_free(&g);
    volume_free(&feature);
    for (int engine = 0; engine < 2; engine++)
        volume_free(&level[engine]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(heat), cmocka_unit_test(sphere), cmocka_unit_test(outwards),
                                       cmocka_unit_test(redistance_compute), cmocka_unit_test(contour)};
    message_init("test", 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
