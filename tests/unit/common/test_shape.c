/* SPDX-License-Identifier: Apache-2.0 */
/* Analytic lumens: known distances, |gradient| = 1, symmetry, and the distance against a brute-force nearest point. */
#include "common/surface/shape.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#define CLOSE(value, exact, tolerance) assert_true(fabs((value) - (exact)) <= (tolerance))

static const shape_segment cone = {{-10, 2, 1}, {12, 5, -3}, 6, 2.5};
static const shape_ellipsoid liver = {{0, 0, 0}, {30, 20, 11}};

static const shape cylinder = {.kind = SHAPE_CYLINDER, .a = {1, 2, 3}, .b = {2, 4, 5}, .radius = {4}};
static const shape channel = {.kind = SHAPE_CHANNEL, .a = {0, 1, 0}, .b = {0, 4, 4}};
static const shape box = {.kind = SHAPE_BOX, .a = {-1, -2, -3}, .b = {4, 5, 6}};
static const shape obstacle = {.kind = SHAPE_SPHERE_OBSTACLE, .a = {1, 1, 1}, .radius = {3}};
static const shape torus = {.kind = SHAPE_TORUS, .a = {1, 0, 0}, .b = {1, 0, 2}, .radius = {3, 20}};
static const shape ellipse = {.kind = SHAPE_ELLIPSE, .a = {1, -1, 0}, .radius = {4, 9}};
static const shape stenosis = {
    .kind = SHAPE_STENOSIS, .a = {0, 0, -40}, .b = {0, 0, 40}, .radius = {4, 1.5}, .length = {16}};
static const shape tree = {.kind = SHAPE_TREE, .n_segment = 1, .segment = &cone};
static const shape chamber = {.kind = SHAPE_CHAMBER, .n_ellipsoid = 1, .ellipsoid = &liver};
static const shape *const every[9] = {&cylinder, &channel,  &box,  &obstacle, &torus,
                                      &ellipse,  &stenosis, &tree, &chamber};
enum { N_EVERY = 9 };

static double at(const shape *s, double x, double y, double z) {
    return shape_distance_mm(s, (const double[3]){x, y, z});
}

/* Deterministic numbers in low..high. */
static double number(uint64_t *state, double low, double high) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(*state >> 11) / 9007199254740992.0;
}

static void known_points(void **state) {
    (void)state;
    CLOSE(at(&cylinder, 1, 2, 3), -4, 1e-12);
    CLOSE(at(&cylinder, 1 + 2 * 6 / sqrt(5), 2 - 6 / sqrt(5), 3), 2, 1e-12); /* 6 mm across the axis 1,2,2 */
    CLOSE(at(&channel, 7, 1, 0), -5, 1e-12);
    CLOSE(at(&channel, -3, 1 - 6, -8), 5, 1e-12);
    CLOSE(at(&box, 0, 0, 0), -1, 1e-12);
    CLOSE(at(&box, 7, 9, 0), 5, 1e-12);
    CLOSE(at(&obstacle, 1, 1, 6), -2, 1e-12);
    CLOSE(at(&obstacle, 1, 1, 1), 3, 1e-12);
    CLOSE(at(&torus, 21, 0, 0), -3, 1e-12);
    CLOSE(at(&torus, 1, 20, 5), 2, 1e-12);
    CLOSE(at(&ellipse, 1, -1, 77), -4, 1e-12); /* the short half axis */
    CLOSE(at(&ellipse, 1, 10, 0), 2, 1e-12);
    CLOSE(at(&ellipse, 7, -1, 0), 2, 1e-12);
    CLOSE(at(&stenosis, 0, 0, 30), -4, 1e-12);
    CLOSE(at(&stenosis, 0, 0, 0), -1.5, 1e-9);
    CLOSE(at(&stenosis, 1.5, 0, 0), 0, 1e-12);
    CLOSE(at(&stenosis, 0, 7, -35), 3, 1e-12);
    CLOSE(at(&chamber, 0, 0, 0), -11, 1e-12);
    CLOSE(at(&chamber, 0, 0, 13), 2, 1e-12);
    CLOSE(at(&chamber, 35, 0, 0), 5, 1e-12);
}

static const shape eye = {
    .kind = SHAPE_EYE, .a = {1, 2, 3}, .b = {1, 2, 4}, .radius = {6, 1.5}, .length = {2.6, 0.4, 0.8, 10, 0.15}};

/* Parts by name, of points on the wall; the eye's surfaces where they are on its axis, on the iris and at the rim. */
static void parts_of_walls(void **state) {
    (void)state;
    const shape annulus = {.kind = SHAPE_ANNULUS, .b = {0, 0, 1}, .radius = {5, 2}};
    CLOSE(at(&annulus, 3, 0, 7), -1, 1e-12);
    CLOSE(at(&annulus, 0, 6, 7), 1, 1e-12);
    CLOSE(at(&annulus, 0.5, 0, 7), 1.5, 1e-12);
    const struct {
        const shape *s;
        double p[3];
        const char *name;
    } part[] = {{&annulus, {0, 5, 1}, "outer"}, {&annulus, {-2, 0, 1}, "inner"},     {&box, {-1, 0, 0}, "x-low"},
                {&box, {4, 1, 1}, "x-high"},    {&box, {0, 5, 0}, "y-high"},         {&box, {0, 0, -3}, "z-low"},
                {&channel, {9, 4, 4}, "wall"},  {&channel, {9, -2, -4}, "opposite"}, {&eye, {1, 2, 5.6}, "cornea"},
                {&eye, {1, 2, 2.45}, "lens"},   {&eye, {5, 2, 3}, "iris"},           {&eye, {5, 2, 2.6}, "iris"},
                {&eye, {2.5, 2, 2.8}, "iris"},  {&eye, {1, 8, 2.2}, "ciliary"},      {&eye, {1, 7.9, 1.8}, "ciliary"}};
    for (size_t k = 0; k < sizeof part / sizeof *part; k++) {
        CLOSE(at(part[k].s, part[k].p[0], part[k].p[1], part[k].p[2]), 0, 1e-9);
        assert_int_equal(shape_part_at(part[k].s, part[k].p), shape_part_number(part[k].s, part[k].name));
        assert_true(shape_part_number(part[k].s, part[k].name) >= 0);
        assert_non_null(strstr(shape_parts(part[k].s->kind), part[k].name));
    }
    assert_int_equal(shape_part_number(&tree, "wall"), -1);
    /* beyond the wall, as far from the axis as the edge of the pupil: behind the cornea, in the lens */
    assert_int_equal(shape_part_at(&eye, (double[3]){2.5, 2, 5.9}), shape_part_number(&eye, "cornea"));
    assert_int_equal(shape_part_at(&eye, (double[3]){2.5, 2, 2.25}), shape_part_number(&eye, "lens"));
    CLOSE(at(&eye, 1, 2, 4.3), -1.3, 1e-9); /* in the middle of the chamber, between cornea and iris */
    CLOSE(at(&eye, 5, 2, 2.8), 0.2, 1e-9);  /* in the iris */
    CLOSE(at(&eye, 1, 2, 0), 2.45, 1e-9);   /* in the lens */
}

static void tapered_segment(void **state) {
    (void)state;
    const shape_segment along_z = {{0, 0, 0}, {0, 0, 10}, 6, 3}; /* sine 0.3 */
    const shape s = {.kind = SHAPE_TREE, .n_segment = 1, .segment = &along_z};
    CLOSE(at(&s, 0, 0, -8), 2, 1e-12);
    CLOSE(at(&s, 0, 0, 15), 2, 1e-12);
    CLOSE(at(&s, 0, 0, 5), -4.5, 1e-12); /* centre of a touching ball: its radius */
    const double cosine = sqrt(1 - 0.09);
    for (int i = 0; i <= 4; i++) /* on the cone, 1 mm out and 1 mm in */
        for (int d = -1; d <= 1; d++) {
            const double t = 2.5 * i, radius = 6 - 0.3 * t + d;
            CLOSE(at(&s, radius * cosine, 0, t + radius * 0.3), d, 1e-12);
        }
    const shape_segment swallowed = {{0, 0, 0}, {0, 0, 2}, 6, 3};
    const shape ball = {.kind = SHAPE_TREE, .n_segment = 1, .segment = &swallowed};
    CLOSE(at(&ball, 0, 0, 10), 4, 1e-12);
    CLOSE(at(&ball, 1, 2, 2), -3, 1e-12);
}

/* Central differences at random points away from the medial axis, where the gradient jumps. */
static void gradient_is_one(void **state) {
    (void)state;
    uint64_t seed = 1;
    const double h = 1e-4;
    for (int k = 0; k < N_EVERY; k++) {
        int smooth = 0;
        for (int i = 0; i < 2000; i++) {
            double p[3], gradient[3];
            for (int d = 0; d < 3; d++)
                p[d] = number(&seed, -30, 30);
            for (int d = 0; d < 3; d++) {
                double q[3] = {p[0], p[1], p[2]};
                q[d] = p[d] + h;
                gradient[d] = shape_distance_mm(every[k], q);
                q[d] = p[d] - h;
                gradient[d] = (gradient[d] - shape_distance_mm(every[k], q)) / (2 * h);
            }
            const double norm = sqrt(gradient[0] * gradient[0] + gradient[1] * gradient[1] + gradient[2] * gradient[2]);
            assert_true(norm < 1 + 1e-5); /* a distance never changes faster than the way */
            smooth += fabs(norm - 1) < 1e-5;
        }
        assert_true(smooth > 1950);
    }
}

/* No wall point may be nearer than the distance says, and walking the distance along the gradient must end on it. */
static void distance_reaches_the_wall(void **state) {
    (void)state;
    uint64_t seed = 7;
    for (int k = 0; k < N_EVERY; k++)
        for (int i = 0; i < 300; i++) {
            double p[3];
            for (int d = 0; d < 3; d++)
                p[d] = number(&seed, -30, 30);
            const double distance = shape_distance_mm(every[k], p);
            for (int j = 0; j < 50; j++) {
                double u[3], q[3];
                for (int d = 0; d < 3; d++)
                    u[d] = number(&seed, -1, 1);
                const double norm = sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
                for (int d = 0; d < 3; d++)
                    q[d] = p[d] + u[d] / norm * fabs(distance) * 0.999;
                assert_true(shape_distance_mm(every[k], q) * distance >= 0); /* the empty ball stays on one side */
            }
        }
}

/* Both shapes with an iteration against a dense sampling of their wall. */
static void iterations_match_brute_force(void **state) {
    (void)state;
    enum { N = 40000 };
    uint64_t seed = 3;
    const double pi = acos(-1);
    for (int i = 0; i < 100; i++) {
        const double x = number(&seed, -14, 14), y = number(&seed, -14, 14);
        double near_ellipse = INFINITY, near_profile = INFINITY;
        for (int j = 0; j < N; j++) {
            const double angle = 2 * pi * j / N, t = -20 + 40.0 * j / N;
            near_ellipse = fmin(near_ellipse, hypot(4 * cos(angle) - x, 9 * sin(angle) - y));
            const double r = fabs(t) < 8 ? 4 - 1.25 * (1 + cos(2 * pi * t / 16)) : 4;
            near_profile = fmin(near_profile, hypot(t - x, r - fabs(y)));
        }
        CLOSE(fabs(at(&ellipse, 1 + x, -1 + y, 5)), near_ellipse, 1e-4);
        CLOSE(fabs(at(&stenosis, 0.6 * y, 0.8 * y, x)), near_profile, 1e-4);
    }
}

static void mirrored_points_agree(void **state) {
    (void)state;
    uint64_t seed = 5;
    for (int i = 0; i < 500; i++) {
        const double x = number(&seed, -35, 35), y = number(&seed, -35, 35), z = number(&seed, -35, 35);
        const double d = at(&chamber, x, y, z);
        CLOSE(at(&chamber, -x, y, z), d, 1e-9);
        CLOSE(at(&chamber, x, -y, -z), d, 1e-9);
        CLOSE(at(&stenosis, x, y, z), at(&stenosis, y, -x, -z), 1e-9);
        CLOSE(at(&torus, 1 + x, y, z), at(&torus, 1 - x, y, -z), 1e-9);
    }
}

static void degenerate_ellipsoids(void **state) {
    (void)state;
    const shape_ellipsoid ball = {{1, 2, 3}, {5, 5, 5}}, disc = {{0, 0, 0}, {5, 5, 1}}, needle = {{0, 0, 0}, {5, 1, 1}};
    shape s = {.kind = SHAPE_CHAMBER, .n_ellipsoid = 1, .ellipsoid = &ball};
    CLOSE(at(&s, 1, 2, 3), -5, 1e-12);
    CLOSE(at(&s, 1, 2, 3 + 1e-9), -5 + 1e-9, 1e-12);
    CLOSE(at(&s, 4, 6, 3), 0, 1e-12);
    s.ellipsoid = &disc;
    CLOSE(at(&s, 0, 0, 0), -1, 1e-12);
    CLOSE(at(&s, 4.9, 0, 0), -(5 - 4.9), 1e-9); /* beyond the focal circle the rim is nearest */
    s.ellipsoid = &needle;
    CLOSE(at(&s, 0, 0, 0), -1, 1e-12);
    CLOSE(at(&s, 0, 1e-14, 0), -1, 1e-9);
    CLOSE(at(&s, 8, 0, 0), 3, 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_points),
        cmocka_unit_test(parts_of_walls),
        cmocka_unit_test(tapered_segment),
        cmocka_unit_test(gradient_is_one),
        cmocka_unit_test(distance_reaches_the_wall),
        cmocka_unit_test(iterations_match_brute_force),
        cmocka_unit_test(mirrored_points_agree),
        cmocka_unit_test(degenerate_ellipsoids),
    };
    return cmocka_run_group_tests_name("shape", tests, NULL, NULL);
}
