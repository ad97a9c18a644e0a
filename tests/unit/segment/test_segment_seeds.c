/* SPDX-License-Identifier: Apache-2.0 */
/* What rays from seeds find in the noise of a soft kernel, where neighbouring voxels are alike. */
#include "common/base/status.h"
#include "segment/voxel/grid.h"
#include "segment/seeds/seeds.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

enum { LONG = 90, WIDE = 64 };
static const double inside = 186, outside = 108;

static double uniform(uint64_t *state) {
    uint64_t x = *state += 0x9E3779B97F4A7C15u; /* splitmix64 */
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return ((double)((x ^ (x >> 31)) >> 11) + 0.5) / 9007199254740992.0;
}

/* A bright vessel along x, noise of that standard deviation smoothed by `width` voxels. */
static void draw(double radius, double width, double sigma, volume *image) {
    const int dims[3] = {LONG, WIDE, WIDE};
    uint64_t state = 5;
    double square = 0;
    assert_int_equal(volume_create(image, dims, (const double[3]){1, 1, 1}, (const double[3]){0, 0, 0}, NULL), OK);
    const size_t n = volume_size(image);
    for (size_t i = 0; i < n; i++)
        image->value[i] = (float)(sqrt(-2 * log(uniform(&state))) * cos(2 * acos(-1) * uniform(&state)));
    assert_int_equal(grid_smooth(image, (const double[3]){width, width, width}), OK);
    for (size_t i = 0; i < n; i++)
        square += (double)image->value[i] * (double)image->value[i] / (double)n;
    for (int k = 0; k < WIDE; k++)
        for (int j = 0; j < WIDE; j++)
            for (int i = 0; i < LONG; i++) {
                float *x = &image->value[volume_index(image, i, j, k)];
                const double in = 1 / (1 + exp(3 * (hypot(j - 31.5, k - 31.5) - radius)));
                *x = (float)(outside + in * (inside - outside) + sigma / sqrt(square) * (double)*x);
            }
}

static void soft_kernel(void **state) {
    (void)state;
    for (int wide = 0; wide < 2; wide++) {
        const double radius = wide ? 9 : 4;
        volume image;
        double seed[6][3], mean_noise = 0;
        seeds_statistics s;
        draw(radius, 1.1, 26, &image);
        for (int k = 0; k < 6; k++) {
            memcpy(seed[k], (const double[3]){15 + 12 * k, 31.5, 31.5}, sizeof seed[k]);
            assert_int_equal(seeds_measure(&image, 1, (const double(*)[3]) & seed[k], -1, NULL, &s), OK);
            mean_noise += s.noise / 6;
            print_message("radius %g: inside %.0f, outside %.0f, noise %.1f, radius %.1f\n", radius, s.inside,
                          s.outside, s.noise, s.radius_mm);
            assert_true(s.bright);
            assert_true(s.radius_mm > 0.6 * radius && s.radius_mm < 1.5 * radius);
        }
        assert_true(mean_noise > 0.7 * 26 && mean_noise < 1.3 * 26);
        assert_int_equal(seeds_measure(&image, 6, (const double(*)[3])seed, -1, NULL, &s), OK);
        assert_true(fabs(s.inside - inside) < 15);
        volume_free(&image);
    }
}

/* Sharp noise of two fifths to nine tenths of the contrast: seeds in the middle see the wall where it is (they were
 * refused, or saw one up to eight times as far), and seeds in the tissue see none. */
static void sharp_noise(void **state) {
    (void)state;
    static const double sigma[] = {30, 45, 60, 70}, radius[] = {4, 5, 9, -100}; /* the last one: no vessel */
    for (int n = 0; n < 16; n++) {
        const double noise = sigma[n / 4], at = radius[n % 4], far = noise > 30 ? 0.5 : 0.2;
        volume image;
        draw(at, 0.3, noise, &image);
        for (int k = 0; k < 6; k++) {
            const double seed[1][3] = {{15 + 12 * k, 31.5, 31.5}};
            seeds_statistics s;
            const int rc = seeds_measure(&image, 1, seed, -1, NULL, &s);
            if (at < 0) {
                assert_int_equal(rc, ERR_INPUT);
                assert_non_null(strstr(status_message(), "the noise may hide its wall"));
                status_clear();
                continue;
            }
            print_message("noise %g, radius %g: inside %.0f, outside %.0f, noise %.1f, radius %.1f\n", noise, at,
                          s.inside, s.outside, s.noise, s.radius_mm);
            assert_int_equal(rc, OK);
            assert_true(s.radius_mm > (1 - far) * at && s.radius_mm < (1 + far) * at);
            assert_true(fabs(s.inside - inside) < 0.3 * noise + 1 && fabs(s.outside - outside) < 0.6 * noise);
        }
        volume_free(&image);
    }
}

/* Two seeds in different surroundings: the negative of the image has the negative of their intensities. */
static void negative(void **state) {
    (void)state;
    const double seed[2][3] = {{20, 31.5, 31.5}, {70, 31.5, 31.5}};
    seeds_statistics s[2];
    volume image;
    draw(7, 0.6, 26, &image);
    for (size_t i = 0; i < volume_size(&image); i++)
        if (i % LONG >= LONG / 2 && image.value[i] < 0.5F * (float)(inside + outside))
            image.value[i] -= 150;
    for (int sign = 0; sign < 2; sign++) {
        assert_int_equal(seeds_measure(&image, 2, seed, -1, NULL, &s[sign]), OK);
        for (size_t i = 0; i < volume_size(&image); i++)
            image.value[i] *= -1;
    }
    print_message("bright: inside %g, outside %g, next %g; negative: %g, %g, %g\n", s[0].inside, s[0].outside,
                  s[0].next, s[1].inside, s[1].outside, s[1].next);
    assert_true(s[0].bright && !s[1].bright);
    assert_true(fabs(s[0].inside + s[1].inside) < 0.5);
    assert_true(fabs(s[0].outside + s[1].outside) < 3 && fabs(s[0].next + s[1].next) < 3); /* quantiles of rays */
    assert_true(s[0].outside > outside - 75); /* the nearer of the two surroundings */
    volume_free(&image);
}

/* A ball as bright as the vessel against its wall. */
static void add_ball(const double middle[3], double radius, volume *image) {
    for (int k = 0; k < WIDE; k++)
        for (int j = 0; j < WIDE; j++)
            for (int i = 0; i < LONG; i++) {
                const double x = i - middle[0], y = j - middle[1], z = k - middle[2];
                const double in = 1 / (1 + exp(3 * (sqrt(x * x + y * y + z * z) - radius)));
                const double vein = 1 / (1 + exp(3 * (hypot(j - 31.5, k - 31.5) - 6)));
                image->value[volume_index(image, i, j, k)] += (float)(fmax(0, in - vein) * (inside - outside));
            }
}

/* Seeds all round the vessel, so many radii off its middle: moved to within `left` of it, or not at all. */
static void move_seeds(const volume *image, double radius, double off, double left) {
    double seed[6][3], middle[6][3];
    seeds_statistics s;
    for (int k = 0; k < 6; k++) {
        const double angle = 0.3 + k;
        const double at[3] = {20 + 10 * k, 31.5 + off * radius * cos(angle), 31.5 + off * radius * sin(angle)};
        memcpy(seed[k], at, sizeof at);
    }
    assert_int_equal(seeds_measure(image, 6, (const double(*)[3])seed, -1, middle, &s), OK);
    for (int k = 0; k < 6; k++) {
        const double away = hypot(middle[k][1] - 31.5, middle[k][2] - 31.5) / radius;
        print_message("%.2f radii off: %.2f now, %+.2f along\n", off, away, (middle[k][0] - seed[k][0]) / radius);
        if (off < 0.4)
            assert_memory_equal(middle[k], seed[k], sizeof seed[k]);
        else
            assert_true(away < left && fabs(middle[k][0] - seed[k][0]) < 0.5 * radius);
    }
    assert_true(off < 0.4 || (s.radius_mm < 1.3 * radius && s.narrow_mm > 0.7 * radius));
}

/* Seeds near the wall, in noise of a third of the contrast, of bright and dark vessels and beside a neighbour. */
static void near_the_wall(void **state) {
    (void)state;
    static const double off[] = {0, 0.3, 0.6, 0.8, 0.9};
    const double radius = 6;
    volume image;
    draw(radius, 0.6, 26, &image);
    for (int turn = 0; turn < 3; turn++) {
        for (size_t k = 0; k < sizeof off / sizeof *off; k++)
            move_seeds(&image, radius, off[k], 0.3);
        for (size_t i = 0; i < volume_size(&image) && turn == 0; i++)
            image.value[i] *= -1;
        for (size_t i = 0; i < volume_size(&image) && turn == 1; i++)
            image.value[i] *= -1;
        if (turn == 1)
            add_ball((const double[3]){50, 31.5 + radius + 12, 31.5}, 12, &image);
    }
    volume_free(&image);
}

/* Bone, ten contrasts brighter, a few voxels beside the vessel and behind it, more of it than of anything else: the
 * seed sees its own vessel. */
static void beside_bone(void **state) {
    (void)state;
    static const double gap[] = {3, 4, 6};
    for (int n = 0; n < 12; n++) {
        const double radius = n % 4 < 2 ? 3 : 5, beside = gap[n / 4];
        const bool round = n % 2 && beside > 3; /* nearer all round no tissue shows between them */
        volume image;
        draw(radius, 0.3, 12, &image);
        for (int k = 0; k < WIDE; k++)
            for (int j = 0; j < WIDE; j++)
                for (int i = 0; i < LONG; i++) {
                    const double away = round ? hypot(j - 31.5, k - 31.5) : j - 31.5, in = away - radius - beside;
                    const bool open = round && j < 31.5 - 0.5 * away;
                    image.value[volume_index(&image, i, j, k)] += (float)(open ? 0 : 800 / (1 + exp(-3 * in)));
                }
        for (int k = 0; k < 6; k++) {
            const double seed[1][3] = {{15 + 12 * k, 31.5, 31.5}};
            seeds_statistics s;
            assert_int_equal(seeds_measure(&image, 1, seed, -1, NULL, &s), OK);
            print_message("radius %g, bone %g voxels off: inside %.0f, outside %.0f, radius %.1f, %s\n", radius, beside,
                          s.inside, s.outside, s.radius_mm, s.bright ? "bright" : "dark");
            assert_true(s.bright);
            assert_true(s.radius_mm > 0.7 * radius && s.radius_mm < 1.4 * radius);
            assert_true(fabs(s.inside - inside) < 20 && s.outside < inside - 30);
        }
        volume_free(&image);
    }
}

/* A vessel of 4 mm radius in a ring of tissue, with air or fill of another value beyond the ring's blurred edge. */
static void in_a_ring(void **state) {
    (void)state;
    const struct {
        double vessel, tissue, noise, beyond, beyond_noise, ring;
    } scene[] = {{180, 40, 10, -1000, 0, 12}, {180, 40, 10, -1000, 15, 12}, {110, 60, 8, -1000, 15, 13},
                 {80, 300, 20, 3000, 0, 12},  {500, 300, 25, -900, 8, 11},  {180, 40, 10, -3000, 0, 16}};
    for (int k = 0; k < 6; k++) {
        const int dims[3] = {56, 56, 40};
        const double middle[3] = {27.6, 27.2, 20};
        uint64_t random = 3;
        volume image;
        seeds_statistics s;
        assert_int_equal(volume_create(&image, dims, (const double[3]){1, 1, 1}, (const double[3]){0, 0, 0}, NULL), OK);
        for (size_t i = 0; i < volume_size(&image); i++) {
            const double x = (double)(i % 56) - middle[0], y = (double)(i / 56 % 56) - middle[1], away = hypot(x, y),
                         vessel = fmin(1, fmax(0, 4.5 - away)),
                         beyond = fmin(1, fmax(0, 0.5 + (away - scene[k].ring) / 2)),
                         normal = sqrt(-2 * log(uniform(&random))) * cos(2 * acos(-1) * uniform(&random)),
                         tissue =
                             scene[k].tissue + vessel * (scene[k].vessel - scene[k].tissue) + scene[k].noise * normal;
            image.value[i] =
                (float)((1 - beyond) * tissue + beyond * (scene[k].beyond + scene[k].beyond_noise * normal));
        }
        assert_int_equal(seeds_measure(&image, 1, &middle, -1, NULL, &s), OK);
        print_message("ring %d: inside %.0f, outside %.0f, radius %.1f\n", k, s.inside, s.outside, s.radius_mm);
        assert_int_equal(s.bright, scene[k].vessel > scene[k].tissue);
        assert_true(s.radius_mm > 3 && s.radius_mm < 6);
        assert_true(fabs(s.outside - scene[k].tissue) < 0.4 * fabs(scene[k].vessel - scene[k].tissue));
        volume_free(&image);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(soft_kernel), cmocka_unit_test(sharp_noise),
                                       cmocka_unit_test(negative),    cmocka_unit_test(near_the_wall),
                                       cmocka_unit_test(beside_bone), cmocka_unit_test(in_a_ring)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
