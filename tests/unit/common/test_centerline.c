/* Centerlines of exact shapes, eight voxels across, at an angle to the grid and with anisotropic voxels. */
#include "common/base/status.h"
#include "common/base/vec.h"
#include "common/centerline/centerline.h"
#include "tests/unit/near.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

static const double voxels[][3] = {{1, 1, 1}, {0.8, 0.9, 1.4}};
enum { KINDS = sizeof voxels / sizeof *voxels };


/* A rotation that is oblique to the grid: columns are the axes of the shape. */
static double turn[3][3];

static void make_turn(void) {
    double n[3] = {0.36, 0.48, 0.8}, axis[3][3];
    vec_normalize(n);
    vec_axes(n, axis);
    memcpy(turn, axis, sizeof turn);
}

static void to_shape(const double p[3], double q[3]) {
    for (int k = 0; k < 3; k++)
        q[k] = vec_dot(turn[k], p);
}

static volume draw(double (*f)(const void *data, const double q[3]), double half, const double spacing[3]) {
    volume v;
    int dims[3];
    double origin[3], p[3], q[3];
    make_turn();
    for (int a = 0; a < 3; a++) {
        dims[a] = (int)ceil(2 * half / spacing[a]) + 1;
        origin[a] = -half + 0.13 * spacing[a];
    }
    assert_int_equal(volume_create(&v, dims, spacing, origin, NULL), OK);
    for (int k = 0; k < dims[2]; k++)
        for (int j = 0; j < dims[1]; j++)
            for (int i = 0; i < dims[0]; i++) {
                volume_to_lps(&v, (const double[3]){i, j, k}, p);
                to_shape(p, q);
                v.value[volume_index(&v, i, j, k)] = (float)f(NULL, q);
            }
    return v;
}

static centerline find(const volume *phi) {
    centerline c;
    assert_int_equal(centerline_find(phi, 0, NULL, &c), OK);
    return c;
}

/* Mean of a value over the own part; NAN values are skipped. */
static double own_mean(const centerline_branch_line *b, double (*of)(const centerline_point *)) {
    double sum = 0;
    int n = 0;
    for (int k = 0; k < b->n; k++)
        if (b->point[k].own && isfinite(of(&b->point[k]))) {
            sum += of(&b->point[k]);
            n++;
        }
    return n > 0 ? sum / n : NAN;
}

static double curvature_of(const centerline_point *p) {
    return p->curvature_per_mm;
}
static double torsion_of(const centerline_point *p) {
    return p->torsion_per_mm;
}
static double radius_of(const centerline_point *p) {
    return p->radius_mm;
}
static double area_of(const centerline_point *p) {
    return p->section.area_mm2;
}

enum { RADIUS = 4 };

/* ------------------------------------------------------------------------------------------------ straight tube */

static double straight(const void *none, const double q[3]) {
    (void)none;
    return fmax(hypot(q[0], q[1]) - RADIUS, fabs(q[2]) - 30);
}

static void straight_tube(void **state) {
    (void)state;
    for (int k = 0; k < KINDS; k++) {
        volume phi = draw(straight, 36, voxels[k]);
        centerline c = find(&phi);
        assert_int_equal(c.n_branch, 1);
        assert_int_equal(c.n_node, 2);
        const centerline_branch_line *b = &c.branch[0];
        assert_near(b->length_mm, 60, 0.3);
        for (int i = 0; i < b->n; i++) {
            double q[3];
            to_shape(b->point[i].at_mm, q);
            assert_near(hypot(q[0], q[1]), 0, 0.02 * RADIUS);
            assert_near(b->point[i].radius_mm, RADIUS, 0.01 * RADIUS);
            if (b->point[i].own)
                assert_near(b->point[i].section.area_mm2, M_PI * RADIUS * RADIUS, 0.01 * M_PI * RADIUS * RADIUS);
        }
        centerline_free(&c);
        volume_free(&phi);
    }
}

/* ------------------------------------------------------------------------------------------------------- helix */

static const double WIDE = 12, RISE = 5, TURNS = 1.3; /* radius, rise per radian, turns */

static void helix_at(double angle, double q[3]) {
    const double middle = M_PI * TURNS;
    q[0] = WIDE * cos(angle);
    q[1] = WIDE * sin(angle);
    q[2] = RISE * (angle - middle);
}

static double helix(const void *none, const double q[3]) {
    (void)none;
    /* the nearest point on each turn, by Newton's method */
    double best = INFINITY, at = 0, p[3];
    for (int start = -1; start <= 2; start++) {
        double angle = atan2(q[1], q[0]) + 2 * M_PI * start;
        for (int k = 0; k < 8; k++) {
            const double f = WIDE * (q[0] * sin(angle) - q[1] * cos(angle)) - RISE * (q[2] - RISE * (angle - M_PI * TURNS)),
                         df = WIDE * (q[0] * cos(angle) + q[1] * sin(angle)) + RISE * RISE;
            angle -= df > 0 ? f / df : 0;
        }
        helix_at(angle, p);
        if (vec_distance(p, q) < best) {
            best = vec_distance(p, q);
            at = angle;
        }
    }
    const double speed = hypot(WIDE, RISE);
    return fmax(best - RADIUS, speed * fmax(-at, at - 2 * M_PI * TURNS));
}

static void helix_tube(void **state) {
    (void)state;
    const double square = WIDE * WIDE + RISE * RISE, length = 2 * M_PI * TURNS * sqrt(square);
    for (int k = 0; k < KINDS; k++) {
        volume phi = draw(helix, 36, voxels[k]);
        centerline c = find(&phi);
        assert_int_equal(c.n_branch, 1);
        const centerline_branch_line *b = &c.branch[0];
        print_message("helix: length %.4f curvature %.4f torsion %.4f radius %.4f area %.4f of 1\n", b->length_mm / length,
                      own_mean(b, curvature_of) * square / WIDE, own_mean(b, torsion_of) * square / RISE,
                      own_mean(b, radius_of) / RADIUS, own_mean(b, area_of) / (M_PI * RADIUS * RADIUS));
        assert_near(b->length_mm / length, 1, 0.005);
        assert_near(own_mean(b, curvature_of) * square / WIDE, 1, 0.005);
        assert_near(own_mean(b, torsion_of) * square / RISE, 1, 0.005);
        assert_near(own_mean(b, radius_of) / RADIUS, 1, 0.01);
        assert_near(own_mean(b, area_of) / (M_PI * RADIUS * RADIUS), 1, 0.01);
        centerline_free(&c);
        volume_free(&phi);
    }
}

/* ------------------------------------------------------------------------------------------------------- torus */

static double torus(const void *none, const double q[3]) {
    (void)none;
    return hypot(hypot(q[0], q[1]) - 15, q[2]) - RADIUS;
}

static void closed_ring(void **state) {
    (void)state;
    for (int k = 0; k < KINDS; k++) {
        volume phi = draw(torus, 24, voxels[k]);
        centerline c = find(&phi);
        assert_int_equal(c.n_branch, 1);
        const centerline_branch_line *b = &c.branch[0];
        print_message("torus: length %.4f curvature %.4f torsion %.5f radius %.4f\n", b->length_mm / (30 * M_PI),
                      own_mean(b, curvature_of) * 15, own_mean(b, torsion_of), own_mean(b, radius_of) / RADIUS);
        assert_true(b->ring);
        assert_near(b->length_mm / (30 * M_PI), 1, 0.005);
        assert_near(own_mean(b, curvature_of) * 15, 1, 0.005);
        assert_near(own_mean(b, radius_of) / RADIUS, 1, 0.01);
        centerline_free(&c);
        volume_free(&phi);
    }
}

/* -------------------------------------------------------------------------------------------------------- cone */

static const double SLOPE = 1.0 / 30; /* radius 5 to 3 over 60 */

static double cone(const void *none, const double q[3]) {
    (void)none;
    return fmax((hypot(q[0], q[1]) - (RADIUS - SLOPE * q[2])) / hypot(1, SLOPE), fabs(q[2]) - 30);
}

static void tapered_tube(void **state) {
    (void)state;
    for (int k = 0; k < KINDS; k++) {
        volume phi = draw(cone, 38, voxels[k]);
        centerline c = find(&phi);
        assert_int_equal(c.n_branch, 1);
        const centerline_branch_line *b = &c.branch[0];
        assert_near(b->length_mm, 60, 0.3);
        assert_true(b->point[0].radius_mm > b->point[b->n - 1].radius_mm); /* from the wide end */
        for (int i = 0; i < b->n; i++) {
            double q[3];
            to_shape(b->point[i].at_mm, q);
            const double radius = (RADIUS - SLOPE * q[2]) / hypot(1, SLOPE);
            if (b->point[i].own)
                assert_near(b->point[i].radius_mm / radius, 1, 0.01);
        }
        centerline_free(&c);
        volume_free(&phi);
    }
}

/* ---------------------------------------------------------------------------------------------------------- Y */

static const double ANGLE = M_PI / 6; /* of each daughter with the trunk's axis */

static double arm(const double q[3], const double d[3], double length, double radius) {
    const double along = vec_dot(q, d), across = sqrt(fmax(0, vec_dot(q, q) - along * along));
    return along < 0 ? vec_length(q) - radius : fmax(across - radius, along - length);
}

static double fork_of_tubes(const void *none, const double q[3]) {
    (void)none;
    return fmin(arm(q, (const double[3]){0, 0, -1}, 34, RADIUS),
                fmin(arm(q, (const double[3]){sin(ANGLE), 0, cos(ANGLE)}, 34, RADIUS),
                     arm(q, (const double[3]){-sin(ANGLE), 0, cos(ANGLE)}, 34, 0.8 * RADIUS)));
}

static void fork_of_three(void **state) {
    (void)state;
    for (int k = 0; k < KINDS; k++) {
        volume phi = draw(fork_of_tubes, 42, voxels[k]);
        centerline c = find(&phi);
        assert_int_equal(c.n_branch, 3);
        assert_int_equal(c.n_node, 4);
        for (int i = 0; i < 3; i++) {
            const centerline_branch_line *b = &c.branch[i];
            const centerline_node *node = &c.node[b->node[1]];
            double q[3];
            to_shape(node->at_mm, q);
            print_message("fork: %d length %.3f radius %.4f end %.2f %.2f %.2f\n", i, b->length_mm, own_mean(b, radius_of),
                          q[0], q[1], q[2]);
        }
        centerline_free(&c);
        volume_free(&phi);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(straight_tube), cmocka_unit_test(helix_tube),
                                       cmocka_unit_test(closed_ring), cmocka_unit_test(tapered_tube),
                                       cmocka_unit_test(fork_of_three)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
