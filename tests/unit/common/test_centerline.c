/* SPDX-License-Identifier: Apache-2.0 */
/* Centerlines of exact shapes, eight voxels across, at an angle to the grid and with anisotropic voxels. */
#include "common/base/status.h"
#include "common/base/vec.h"
#include "common/centerline/centerline.h"
#include "common/vessel/vessel_table.h"
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

static double axis_lps[3] = {0.36, 0.48, 0.8}; /* direction of the shape's axis */

static void make_turn(void) {
    double n[3] = {axis_lps[0], axis_lps[1], axis_lps[2]}, axis[3][3];
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

/* Larger of the distances of the first and the last point of a branch from the ends of the shape's axis, in either
 * order. */
static double ends_apart(const centerline_branch_line *b, const double from[3], const double to[3]) {
    double first[3], last[3];
    to_shape(b->point[0].at_mm, first);
    to_shape(b->point[b->n - 1].at_mm, last);
    return fmin(fmax(vec_distance(first, from), vec_distance(last, to)),
                fmax(vec_distance(first, to), vec_distance(last, from)));
}

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
        assert_near(own_mean(b, curvature_of) * RADIUS, 0, 0.005);
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
            const double f = WIDE * (q[0] * sin(angle) - q[1] * cos(angle)) -
                             RISE * (q[2] - RISE * (angle - M_PI * TURNS)),
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
    double from[3], to[3];
    helix_at(0, from);
    helix_at(2 * M_PI * TURNS, to);
    for (int k = 0; k < KINDS; k++) {
        volume phi = draw(helix, 36, voxels[k]);
        centerline c = find(&phi);
        assert_int_equal(c.n_branch, 1);
        const centerline_branch_line *b = &c.branch[0];
        print_message("helix: length %.4f curvature %.4f torsion %.4f radius %.4f area %.4f of 1\n",
                      b->length_mm / length, own_mean(b, curvature_of) * square / WIDE,
                      own_mean(b, torsion_of) * square / RISE, own_mean(b, radius_of) / RADIUS,
                      own_mean(b, area_of) / (M_PI * RADIUS * RADIUS));
        assert_near(b->length_mm / length, 1, 0.005);
        assert_near(own_mean(b, curvature_of) * square / WIDE, 1, 0.005);
        assert_near(own_mean(b, torsion_of) * square / RISE, 1, 0.005);
        assert_near(own_mean(b, radius_of) / RADIUS, 1, 0.01);
        assert_near(own_mean(b, area_of) / (M_PI * RADIUS * RADIUS), 1, 0.01);
        print_message("helix: ends within %.3f radii, distance of the ends %.4f of 1\n",
                      ends_apart(b, from, to) / RADIUS,
                      vec_distance(b->point[0].at_mm, b->point[b->n - 1].at_mm) / vec_distance(from, to));
        assert_near(ends_apart(b, from, to), 0, 0.05 * RADIUS);
        assert_near(vec_distance(b->point[0].at_mm, b->point[b->n - 1].at_mm) / vec_distance(from, to), 1, 0.005);
        centerline_free(&c);
        volume_free(&phi);
    }
}

/* ---------------------------------------------------------------------------------------------- oblique cuts */

static const double BEND = 20; /* radius of the axis */

/* Point of the axis of the bent tube, at an angle in degrees. */
static void bend_at(double degrees, double q[3]) {
    q[0] = BEND * cos(degrees * M_PI / 180);
    q[1] = BEND * sin(degrees * M_PI / 180);
    q[2] = 0;
}

/* A bent tube from -60 to 60 degrees. Planes cut its ends 40 degrees off the right angle. */
static double oblique_bend(const void *none, const double q[3]) {
    double from[3], to[3], beyond[2][3];
    (void)none;
    bend_at(-60, from);
    bend_at(60, to);
    vec_add(q, -1, from, beyond[0]);
    vec_add(q, -1, to, beyond[1]);
    const double c = cos(110 * M_PI / 180), s = sin(110 * M_PI / 180);
    return fmax(fmax(hypot(hypot(q[0], q[1]) - BEND, q[2]) - RADIUS, -q[0]),
                fmax(c * beyond[0][0] - s * beyond[0][1], c * beyond[1][0] + s * beyond[1][1]));
}

/* The line ends on the axis. The sharp edge of an end has a hole of one voxel, which is no loop of the vessel. */
static void oblique_ends(void **state) {
    double from[3], to[3];
    (void)state;
    bend_at(-60, from);
    bend_at(60, to);
    for (int k = 0; k < KINDS; k++) {
        volume phi = draw(oblique_bend, 28, voxels[k]);
        centerline c = find(&phi);
        assert_int_equal(c.n_branch, 1);
        print_message("oblique ends: within %.3f radii, length %.4f of 1\n",
                      ends_apart(&c.branch[0], from, to) / RADIUS, c.branch[0].length_mm / (BEND * 120 * M_PI / 180));
        assert_near(ends_apart(&c.branch[0], from, to), 0, 0.1 * RADIUS);
        assert_near(c.branch[0].length_mm / (BEND * 120 * M_PI / 180), 1, 0.005);
        centerline_free(&c);
        volume_free(&phi);
    }
}

/* ---------------------------------------------------------------------------------------------- steep cuts */

enum { HALF = 30 };
static double cut[2]; /* angle between the axis and the normal of the plane at each end, degrees */

/* A tube along the z axis. Its ends are cut by planes through the axis at z = -HALF and HALF. */
static double steep_tube(const void *none, const double q[3]) {
    (void)none;
    double v = hypot(q[0], q[1]) - RADIUS;
    for (int e = 0; e < 2; e++) {
        const double a = cut[e] * M_PI / 180, z = (e == 0 ? -q[2] : q[2]) - HALF;
        v = fmax(v, cos(a) * z + sin(a) * (e == 0 ? q[0] : 0.6 * q[0] - 0.8 * q[1]));
    }
    return v;
}

/* The line stays on the axis up to the plane, the sharp edge is no branch, and the widths leave out the cut part. A
 * negative angle tilts the plane to the other side. */
static void steep_ends(void **state) {
    static const double angle[][2] = {{50, 55}, {50, -30}, {55, -50}};
    (void)state;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < KINDS; k++) {
            double worst = 0, narrowest = INFINITY;
            memcpy(cut, angle[i], sizeof cut);
            volume phi = draw(steep_tube, 41, voxels[k]);
            centerline c = find(&phi);
            assert_int_equal(c.n_branch, 1);
            const centerline_branch_line *b = &c.branch[0];
            for (int m = 0; m < b->n; m++) {
                double q[3];
                to_shape(b->point[m].at_mm, q);
                worst = fmax(worst, hypot(q[0], q[1]) / RADIUS);
                narrowest = fmin(narrowest, b->point[m].own ? b->point[m].section.least_mm : INFINITY);
            }
            print_message("cuts at %.0f and %.0f degrees: line within %.3f radii, length %.4f of 1, width %.3f of 1\n",
                          cut[0], cut[1], worst, b->length_mm / (2 * HALF), narrowest / (2 * RADIUS));
            assert_true(worst < 0.1);
            assert_near(b->length_mm, 2 * HALF, 0.1 * RADIUS);
            assert_near(narrowest, 2 * RADIUS, 0.02 * RADIUS);
            centerline_free(&c);
            volume_free(&phi);
        }
}

/* ------------------------------------------------------------------------------------- stenoses near an end */

static double throat[2]; /* distance of the throat from the plane of the last end, and its width, radii */

/* A steep tube whose radius falls to 0.45 RADIUS at the throat. */
static double waisted_tube(const void *none, const double q[3]) {
    const double way = (HALF - q[2]) / RADIUS - throat[0];
    const double radius = RADIUS * (1 - 0.55 * exp(-0.5 * way * way / (throat[1] * throat[1])));
    return fmax(steep_tube(none, q), hypot(q[0], q[1]) - radius);
}

/* A stenosis from 1.5 radii before a free end on is measured, and the line goes on beyond it to the end. */
static void stenosis_before_end(void **state) {
    static const double angle[] = {0, 30}, at[] = {1.5, 2, 3}, width[] = {0.7, 1.2};
    (void)state;
    for (int i = 0; i < 12; i++)
        for (int k = 0; k < KINDS; k++) {
            double narrowest = INFINITY;
            cut[0] = 0;
            cut[1] = angle[i % 2];
            throat[0] = at[i / 2 % 3];
            throat[1] = width[i / 6];
            volume phi = draw(waisted_tube, 41, voxels[k]);
            centerline c = find(&phi);
            assert_int_equal(c.n_branch, 1);
            const centerline_branch_line *b = &c.branch[0];
            for (int m = 0; m < b->n; m++)
                narrowest = fmin(narrowest, b->point[m].own ? b->point[m].section.least_mm : INFINITY);
            print_message("throat %.1f radii before an end of %.0f degrees: width %.3f (0.45), length %.3f of 1\n",
                          throat[0], cut[1], narrowest / (2 * RADIUS), b->length_mm / (2 * HALF));
            assert_true(narrowest / (2 * RADIUS) < 0.52);
            assert_near(b->length_mm, 2 * HALF, 0.3 * RADIUS);
            centerline_free(&c);
            volume_free(&phi);
        }
}

/* ------------------------------------------------------------------------------------------------------ elbows */

enum { BEFORE = 40, AFTER = 4 * RADIUS };
static double elbow; /* angle, degrees */

static void after_elbow(double way, double q[3]) {
    q[0] = way * sin(elbow * M_PI / 180);
    q[1] = 0;
    q[2] = way * cos(elbow * M_PI / 180);
}

/* A tube along the z axis with an elbow at 0 and flat ends. */
static double bent_tube(const void *none, const double q[3]) {
    double d[3];
    (void)none;
    after_elbow(1, d);
    const double way = vec_dot(q, d), beside = sqrt(fmax(0, vec_dot(q, q) - way * way));
    return fmin(fmax(hypot(q[0], q[1]) - RADIUS, fmax(-BEFORE - q[2], q[2])),
                fmin(vec_length(q) - RADIUS, fmax(beside - RADIUS, fmax(-way, way - AFTER))));
}

/* The end after an elbow lies on the axis. */
static void ends_after_elbows(void **state) {
    static const double angle[] = {45, 90}, before[3] = {0, 0, -BEFORE};
    (void)state;
    for (int k = 0; k < 2; k++) {
        double tip[3];
        elbow = angle[k];
        after_elbow(AFTER, tip);
        volume phi = draw(bent_tube, 45, voxels[0]);
        centerline c = find(&phi);
        assert_int_equal(c.n_branch, 1);
        print_message("elbow of %.0f degrees: ends within %.3f radii\n", elbow,
                      ends_apart(&c.branch[0], before, tip) / RADIUS);
        assert_near(ends_apart(&c.branch[0], before, tip), 0, 0.1 * RADIUS);
        centerline_free(&c);
        volume_free(&phi);
    }
}

/* ---------------------------------------------------------------------------------------- narrow ends, branches */

static double taper; /* change of the radius per length */

static double steep_cone(const void *none, const double q[3]) {
    (void)none;
    return fmax((hypot(q[0], q[1]) - (RADIUS - taper * q[2])) / hypot(1, taper), fabs(q[2]) - 15);
}

/* A cone keeps its length and its widths up to a radius before its ends. */
static void steep_cones(void **state) {
    static const double slope[] = {-0.15, -0.1, 0.1, 0.15};
    (void)state;
    for (int k = 0; k < 4; k++) {
        double narrowest = INFINITY;
        taper = slope[k];
        volume phi = draw(steep_cone, 26, voxels[0]);
        centerline c = find(&phi);
        assert_int_equal(c.n_branch, 1);
        const centerline_branch_line *b = &c.branch[0];
        for (int i = 0; i < b->n; i++)
            if (b->point[i].own)
                narrowest = fmin(narrowest, 0.5 * b->point[i].section.least_mm);
        print_message("cone of taper %.2f: length %.3f of 30, radius from %.2f\n", taper, b->length_mm, narrowest);
        assert_near(b->length_mm, 30, 0.15);
        assert_true(narrowest < RADIUS - 15 * fabs(taper) + 1.25 * RADIUS * fabs(taper));
        centerline_free(&c);
        volume_free(&phi);
    }
}

static double closing; /* narrowing of the radius at an end */

static double narrow_end(const void *none, const double q[3]) {
    (void)none;
    const double part = fmin(1, fmax(0, (30 - q[2]) / 16)), r = RADIUS * (1 - 0.5 * closing * (1 + cos(M_PI * part))),
                 slope = part < 1 ? 0.5 * RADIUS * closing * sin(M_PI * part) * M_PI / 16 : 0;
    return fmax((hypot(q[0], q[1]) - r) / hypot(1, slope), fabs(q[2]) - 30);
}

/* A vessel that narrows over its last four radii: the last radius has no widths of its own, where 15 % of the
 * narrowing lie. */
static void narrow_ends(void **state) {
    static const double part[] = {0.29, 0.5};
    (void)state;
    for (int k = 0; k < 2; k++) {
        vessel_table t;
        closing = part[k];
        volume phi = draw(narrow_end, 38, voxels[0]);
        centerline c = find(&phi);
        assert_int_equal(c.n_branch, 1);
        assert_int_equal(vessel_table_create(&c, 1, 1, NAN, NULL, &t), OK);
        print_message("end narrowed by %.0f %%: %.1f %%, length %.3f of 60\n", 100 * closing,
                      t.branch[0].stenosis_percent.of.value, t.branch[0].length_mm.value);
        assert_near(t.branch[0].length_mm.value, 60, 0.3);
        assert_near(t.branch[0].stenosis_percent.of.value, 85 * closing, 4);
        vessel_table_free(&t);
        centerline_free(&c);
        volume_free(&phi);
    }
}

static struct { double lean, beyond, radius; } side; /* degrees; mm beyond the wall of the trunk; mm */

static double side_length(void) {
    return side.beyond + RADIUS / sin(fabs(side.lean) * M_PI / 180);
}

/* A trunk with a side branch that leans towards its upper end, or towards its lower end (negative angle). */
static double trunk_with_side(const void *none, const double q[3]) {
    const double a = fabs(side.lean) * M_PI / 180, d[3] = {sin(a), 0, side.lean < 0 ? -cos(a) : cos(a)},
                 p[3] = {q[0], q[1], q[2] - (side.lean < 0 ? -10 : 10)}, along = vec_dot(p, d),
                 across = sqrt(fmax(0, vec_dot(p, p) - along * along));
    return fmin(straight(none, q), fmax(across - side.radius, fmax(-along, along - side_length())));
}

/* A side branch of two to four radii is found, wherever it leans. */
static void leaning_branches(void **state) {
    static const double lean[] = {30, 45, 60};
    (void)state;
    for (int k = 0; k < 3; k++)
        for (int length = 2; length <= 4; length++)
            for (int sign = -1; sign <= 1; sign += 2) {
                double longest = 0;
                side.lean = sign * lean[k];
                side.beyond = length * RADIUS;
                side.radius = k == 0 ? 0.5 * RADIUS : 0.7 * RADIUS;
                volume phi = draw(trunk_with_side, 34, voxels[0]);
                centerline c = find(&phi);
                assert_int_equal(c.n_branch, 3);
                for (int i = 0; i < 3; i++) {
                    const centerline_branch_line *b = &c.branch[i];
                    double first[3], last[3];
                    to_shape(b->point[0].at_mm, first);
                    to_shape(b->point[b->n - 1].at_mm, last);
                    if (fmax(first[0], last[0]) > 1.2 * RADIUS)
                        longest = b->length_mm;
                }
                if (lean[k] > 40) /* a branch at 30 degrees leaves the trunk so slowly that its axis begins late */
                    assert_near(longest, side_length(), 0.4 * RADIUS);
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
        assert_near(own_mean(b, torsion_of) * 15, 0, 0.005);
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

/* Variance across the axis of a daughter at the bifurcation, if each point of its own part has a variance of 1: linear
 * regression over 3.5 radii of the own part, where points 1.5 radii apart are independent. */
static double continued_variance(const centerline_branch_line *b) {
    int first = 0, last;
    while (!b->point[first].own)
        first++;
    const double beyond = b->point[first].abscissa_mm, radius = b->point[first].radius_mm;
    for (last = first; b->point[last + 1].abscissa_mm - beyond <= 3.5 * radius;)
        last++;
    const double length = b->point[last].abscissa_mm - beyond, n = 1 + length / (1.5 * radius);
    return 1 / n + pow(beyond + length / 2, 2) / (n * length * length / 12);
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
            double q[3], start[3];
            to_shape(c.node[b->node[1]].at_mm, q);
            to_shape(c.node[b->node[0]].at_mm, start);
            const bool narrow = q[0] < -5;
            assert_near(own_mean(b, radius_of) / (narrow ? 0.8 * RADIUS : RADIUS), 1, 0.01);
            assert_near(vec_length(c.node[b->node[0]].degree == 1 ? start : q), i == 0 ? vec_length(start) : 34, 0.17);
            /* The axes meet at the origin, although the largest sphere lies beside the axis of the narrow branch. */
            assert_near(vec_length(c.node[b->node[0]].degree == 1 ? q : start), 0, 0.04 * RADIUS);
            assert_near(b->length_mm / 34, 1, 0.005);
            if (i > 0)
                assert_near((c.branch[0].length_mm + b->length_mm) / 68, 1, 0.005);
        }
        vessel_table t;
        assert_int_equal(vessel_table_create(&c, 1, 1, 0.4, NULL, &t), OK);
        assert_int_equal(t.n_bifurcation, 1);
        /* A found end moves by the wall's uncertainty, 0.4 mm. Along the axis of the trunk the bifurcation is known
         * from two axes at 30 degrees, with the variances v of their continuations: 0.4^2 (v1 + v2) / (2 sin 30)^2. */
        const double both = continued_variance(&c.branch[1]) + continued_variance(&c.branch[2]),
                     half = t.branch[0].length_mm.high - t.branch[0].length_mm.value;
        print_message("fork: half-width of the trunk's length %.3f mm, of its bifurcation %.3f\n", half,
                      0.4 * sqrt(both));
        assert_near(half, 0.4 + 0.4 * sqrt(both), 0.1 * half);
        const vessel_bifurcation *f = &t.bifurcation[0];
        const double angle[3] = {f->angle_deg[1], f->angle_deg[2], f->between_deg};
        for (int i = 0; i < 3; i++)
            assert_near(angle[i] / (angle[i] > 100 ? 150 : angle[i] > 45 ? 60 : 30), 1, 0.005);
        print_message("fork: angles %.3f %.3f %.3f area ratio %.3f\n", angle[0], angle[1], angle[2],
                      f->area_ratio.value);
        vessel_table_free(&t);
        centerline_free(&c);
        volume_free(&phi);
    }
}

/* ---------------------------------------------------------------------------------- stenosis, interval, ends */

static double stenosis(const void *none, const double q[3]) {
    (void)none;
    const double z = fmin(fabs(q[2] - 5), 10), r = RADIUS - 0.8 * (1 + cos(M_PI * z / 10)),
                 slope = 0.08 * M_PI * sin(M_PI * z / 10);
    return fmax((hypot(q[0], q[1]) - r) / hypot(1, slope), fabs(q[2]) - 36);
}

/* 40 % of the diameter, 64 % of the area at 5 mm from the middle. */
static void narrowed_tube(void **state) {
    (void)state;
    volume phi = draw(stenosis, 41, voxels[0]);
    centerline c = find(&phi);
    vessel_table t;
    assert_int_equal(vessel_table_create(&c, 1000, 100, 0.2, NULL, &t), OK);
    const vessel_branch *v = &t.branch[0];
    double q[3];
    to_shape(v->stenosis_percent.place_mm, q);
    assert_near(q[2], 5, 0.5);
    assert_near(v->stenosis_percent.of.value, 40, 0.5);
    assert_near(v->stenosis_area_percent.of.value, 64, 0.6);
    assert_near(v->diameter_min_mm.of.value, 1.2 * RADIUS, 0.01 * RADIUS);
    assert_near(v->reference_mm, 2 * RADIUS, 0.02 * RADIUS);
    assert_near(v->diameter_min_mm.of.low, 1.2 * RADIUS - 0.4, 0.05);
    assert_near(v->stenosis_percent.of.low, 100 * (1 - 5.2 / 8.0), 0.7);
    assert_near(v->stenosis_percent.of.high, 100 * (1 - 4.4 / 8.0), 0.7);
    assert_near(v->length_mm.value, 72, 0.36);
    assert_near(v->length_mm.high - v->length_mm.value, 0.4, 0.01);
    assert_near(t.volume_ml.high, 1.02, 1e-9);
    vessel_table_free(&t);
    /* without an uncertainty there is no interval */
    assert_int_equal(vessel_table_create(&c, 1000, 100, NAN, NULL, &t), OK);
    assert_false(isfinite(t.branch[0].area_min_mm2.of.low) || isfinite(t.branch[0].stenosis_percent.of.high) ||
                 isfinite(t.branch[0].diameter_mean_mm.low) || isfinite(t.volume_ml.low));
    vessel_table_free(&t);
    centerline_free(&c);
    /* from one given end to the other, which lie inside and beside the axis */
    const double along[2] = {-30, 28};
    double end[2][3];
    for (int e = 0; e < 2; e++)
        for (int a = 0; a < 3; a++)
            end[e][a] = along[e] * turn[2][a] + 0.7 * turn[0][a];
    const char *const name[2] = {"IN", "OUT"};
    assert_int_equal(centerline_find(&phi, 2, (const double(*)[3])end, &c), OK);
    assert_int_equal(vessel_table_create(&c, 1, 1, 0.2, name, &t), OK);
    assert_int_equal(c.n_branch, 1);
    assert_near(t.branch[0].length_mm.value, 58, 0.6);
    assert_near(t.branch[0].length_mm.low, t.branch[0].length_mm.value, 0.01); /* given ends do not move */
    assert_true(strcmp(t.branch[0].name, "IN-OUT") == 0 || strcmp(t.branch[0].name, "OUT-IN") == 0);
    vessel_table_free(&t);
    centerline_free(&c);
    volume_free(&phi);
}

/* --------------------------------------------------------------------------- degree of stenosis and its interval */

/* change of the radius per mm; part of the diameter that is lost; amplitude of the waves of the wall, mm */
static struct { double slope, degree, rough_mm; } narrow;

/* A tube or cone with a wavy wall, narrowed by `degree` over 20 mm around the middle. */
static double narrowed_cone(const void *none, const double q[3]) {
    (void)none;
    const double z = fmin(fabs(q[2]), 10), normal = RADIUS - narrow.slope * q[2],
                 r = normal * (1 - 0.5 * narrow.degree * (1 + cos(M_PI * z / 10))) + narrow.rough_mm * sin(0.9 * q[2]),
                 steep = narrow.slope + 0.05 * M_PI * RADIUS * narrow.degree * sin(M_PI * z / 10);
    return fmax((hypot(q[0], q[1]) - r) / hypot(1, steep), fabs(q[2]) - 30);
}

static vessel_extreme find_degree(const double axis[3], const double spacing[3], double wall_mm) {
    const double usual[3] = {axis_lps[0], axis_lps[1], axis_lps[2]};
    vessel_table t;
    memcpy(axis_lps, axis, sizeof axis_lps);
    volume phi = draw(narrowed_cone, 36, spacing);
    memcpy(axis_lps, usual, sizeof axis_lps);
    centerline c = find(&phi);
    assert_int_equal(c.n_branch, 1);
    assert_int_equal(vessel_table_create(&c, 1, 1, wall_mm, NULL, &t), OK);
    const vessel_extreme e = t.branch[0].stenosis_percent;
    print_message("slope %.2f, degree %2.0f %%, voxel %.1f mm, wall +- %.2f mm: %.2f %% (%.2f to %.2f)\n", narrow.slope,
                  100 * narrow.degree, spacing[0], wall_mm, e.of.value, e.of.low, e.of.high);
    vessel_table_free(&t);
    centerline_free(&c);
    volume_free(&phi);
    return e;
}

/* The wall is uneven within its uncertainty. The interval of the degree holds 0 in a tube and in a cone, and the true
 * degree of a stenosis; it does not hold 0 in a stenosis. */
static void degrees_of_stenosis(void **state) {
    static const double degree[] = {0, 0.3, 0.5, 0.7}, slope[] = {0, 0.02},
                        axis[][3] = {{0, 0, 1}, {0.36, 0.48, 0.8}, {1, 0.3, 0.1}},
                        spacing[][3] = {{0.7, 0.7, 0.7}, {0.8, 0.9, 1.4}, {1, 1, 1}};
    (void)state;
    for (int k = 0; k < 4 * 2 * 3 * 3; k++) {
        const double *voxel = spacing[k % 3], wall_mm = 0.2 * voxel[0];
        narrow.degree = degree[k / 18];
        narrow.slope = slope[k / 9 % 2];
        narrow.rough_mm = 0.7 * wall_mm;
        const vessel_extreme e = find_degree(axis[k / 3 % 3], voxel, wall_mm);
        assert_true(e.of.low <= 100 * narrow.degree && e.of.high >= 100 * narrow.degree);
        assert_true(narrow.degree == 0 || e.of.low > 0);
    }
}

/* A flat vessel, 22 x 8 mm: the tips lie in the corners of its ends, the line stays in the middle. */
static void flat_tube(void **state) {
    static double across[80][80];
    const double a = 22, b = 8;
    (void)state;
    volume phi;
    for (int j = 0; j < 80; j++)
        for (int i = 0; i < 80; i++) {
            const double x = i - 39.7, y = j - 40.2;
            double least = INFINITY;
            for (int k = 0; k < 720; k++)
                least = fmin(least, hypot(x - a * cos(k * M_PI / 360), y - b * sin(k * M_PI / 360)));
            across[j][i] = hypot(x / a, y / b) < 1 ? -least : least;
        }
    assert_int_equal(volume_create(&phi, (const int[3]){80, 80, 90}, voxels[0], (const double[3]){0, 0, 0}, NULL), OK);
    for (int k = 0; k < 90; k++)
        for (int j = 0; j < 80; j++)
            for (int i = 0; i < 80; i++)
                phi.value[volume_index(&phi, i, j, k)] = (float)fmax(across[j][i], fabs(k - 44.6) - 36);
    centerline c = find(&phi);
    assert_int_equal(c.n_branch, 1);
    assert_near(c.branch[0].length_mm, 72, 0.4);
    assert_near(own_mean(&c.branch[0], area_of) / (M_PI * a * b), 1, 0.01);
    centerline_free(&c);
    volume_free(&phi);
}

/* A tube that leaves the grid on both sides ends at the outer faces of its border. */
static void cut_tube(void **state) {
    (void)state;
    volume phi;
    assert_int_equal(volume_create(&phi, (const int[3]){31, 31, 60}, voxels[0], (const double[3]){-15, -15, 0}, NULL),
                     OK);
    for (int k = 0; k < 60; k++)
        for (int j = 0; j < 31; j++)
            for (int i = 0; i < 31; i++)
                phi.value[volume_index(&phi, i, j, k)] = (float)(hypot(i - 15.2, j - 14.9) - 9);
    centerline c = find(&phi);
    assert_int_equal(c.n_branch, 1);
    assert_near(c.branch[0].length_mm, 60, 0.3);
    assert_near(own_mean(&c.branch[0], radius_of), 9, 0.05);
    centerline_free(&c);
    volume_free(&phi);
}

/* ------------------------------------------------------------------------------------------------------ a sac */

/* A ball twice as wide as the tube, beside it. */
static double sac_on_tube(const void *none, const double q[3]) {
    const double d[3] = {q[0] - 2.4 * RADIUS, q[1], q[2]};
    (void)none;
    return fmin(fmax(hypot(q[0], q[1]) - RADIUS, fabs(q[2]) - 36), vec_length(d) - 2 * RADIUS);
}

/* The vessel keeps its axis past a sac; the sac is a branch. */
static void sac_beside_a_tube(void **state) {
    volume phi = draw(sac_on_tube, 42, voxels[0]);
    centerline c = find(&phi);
    double worst = 0;
    int vessels = 0;
    (void)state;
    assert_int_equal(c.n_branch, 3);
    for (int k = 0; k < c.n_branch; k++) {
        const centerline_branch_line *b = &c.branch[k];
        double start[3], end[3], q[3];
        to_shape(b->point[0].at_mm, start);
        to_shape(b->point[b->n - 1].at_mm, end);
        if (fmax(fabs(start[2]), fabs(end[2])) < 30)
            continue;
        vessels++;
        for (int i = 0; i < b->n; i++) {
            to_shape(b->point[i].at_mm, q);
            worst = fmax(worst, hypot(q[0], q[1]) / RADIUS);
        }
    }
    print_message("past a sac: at most %.3f radii from the axis\n", worst);
    assert_int_equal(vessels, 2);
    assert_true(worst < 0.1);
    centerline_free(&c);
    volume_free(&phi);
}

/* -------------------------------------------------------------------------------------- loops, pieces, cavities */

static double capsule(const double q[3], const double a[3], const double b[3], double radius) {
    double d[3], p[3];
    vec_add(b, -1, a, d);
    vec_add(q, -1, a, p);
    const double part = fmin(1, fmax(0, vec_dot(p, d) / vec_dot(d, d)));
    vec_add(p, -part, d, p);
    return vec_length(p) - radius;
}

/* A ring with two tubes that leave it, a second piece next to it, a speck and a closed cavity. */
static double loop_and_piece(const void *none, const double q[3]) {
    const double ring = torus(none, q), cavity = 2 - vec_distance(q, (const double[3]){0, 15, 0});
    const double away = capsule(q, (const double[3]){15, 0, 0}, (const double[3]){40, 0, 0}, 3),
                 back = capsule(q, (const double[3]){-15, 0, 0}, (const double[3]){-40, 0, 0}, 3),
                 piece = capsule(q, (const double[3]){-25, 30, 0}, (const double[3]){25, 30, 0}, 3),
                 speck = vec_distance(q, (const double[3]){0, -35, 0}) - 2;
    return fmax(fmin(fmin(ring, speck), fmin(piece, fmin(away, back))), cavity);
}

static void loops_and_pieces(void **state) {
    (void)state;
    volume phi = draw(loop_and_piece, 46, voxels[0]);
    centerline c = find(&phi);
    assert_int_equal(c.n_piece, 2);
    assert_int_equal(c.n_branch, 5);
    assert_int_equal(c.n_small_piece, 1);
    assert_near(c.cavity_mm3, 4 / 3.0 * M_PI * 8, 6);
    int ends = 0, forks = 0;
    double ring = 0;
    for (int k = 0; k < c.n_node; k++) {
        ends += c.node[k].degree == 1;
        forks += c.node[k].degree == 3;
    }
    for (int k = 0; k < c.n_branch; k++)
        if (c.node[c.branch[k].node[0]].degree == 3 && c.node[c.branch[k].node[1]].degree == 3)
            ring += c.branch[k].length_mm;
    assert_int_equal(ends, 4);
    assert_int_equal(forks, 2);
    assert_near(ring, 30 * M_PI, 4);
    centerline_free(&c);
    volume_free(&phi);
}

/* A thin ring whose other side lies in a wide tube. */
static double handle_on_tube(const void *none, const double q[3]) {
    (void)none;
    return fmin(fmax(hypot(q[0], q[1]) - 2 * RADIUS, fabs(q[2]) - 20), hypot(hypot(q[0] - 15, q[1]) - 8, q[2]) - 2);
}

static void thin_handle(void **state) {
    (void)state;
    volume phi = draw(handle_on_tube, 30, voxels[0]);
    centerline c = find(&phi);
    assert_int_equal(c.n_piece, 1);
    assert_int_equal(c.n_branch - c.n_node + c.n_piece, 1); /* number of loops */
    centerline_free(&c);
    volume_free(&phi);
}

static double empty(const void *none, const double q[3]) {
    (void)none;
    (void)q;
    return 1;
}
static double ball(const void *none, const double q[3]) {
    (void)none;
    return vec_length(q) - 6;
}

static void no_vessel(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        volume phi = draw(k == 0 ? empty : ball, 9, voxels[0]);
        centerline c;
        vessel_table t;
        assert_int_equal(centerline_find(&phi, 0, NULL, &c), OK);
        assert_int_equal(c.n_branch, 0);
        assert_int_equal(vessel_table_create(&c, 1, 1, NAN, NULL, &t), ERR_INPUT);
        assert_non_null(strstr(status_message(), k == 0 ? "empty" : "no part of it is longer than one and a half"));
        status_clear();
        centerline_free(&c);
        volume_free(&phi);
    }
}

/* Trunks and twigs. */
enum { BRANCHES = 200 };
static struct { double a[3], b[3], radius; } twig[BRANCHES];

static double many_twigs(const void *none, const double q[3]) {
    double least = INFINITY;
    (void)none;
    for (int k = 0; k < BRANCHES; k++)
        least = fmin(least, capsule(q, twig[k].a, twig[k].b, twig[k].radius));
    return least;
}

/* Four combs, each a trunk with 25 twigs to both sides: 51 branches each. */
static void two_hundred_branches(void **state) {
    (void)state;
    int n = 0;
    double corner[3];
    for (int row = 0; row < 4; row++)
        for (int k = 0; k < 25; k++) {
            const double x = -42 + 3.5 * k, y = -33 + 22 * row;
            memcpy(twig[n].a, (const double[3]){x, y, 0}, sizeof corner);
            memcpy(twig[n].b, (const double[3]){x + 3.5, y, 0}, sizeof corner);
            twig[n++].radius = 1.6;
            memcpy(twig[n].a, (const double[3]){x + 1.75, y, 0}, sizeof corner);
            memcpy(twig[n].b, (const double[3]){x + 1.75, y + (k % 2 == 0 ? 9 : -9), 0}, sizeof corner);
            twig[n++].radius = 0.8;
        }
    assert_int_equal(n, BRANCHES);
    const double fine[3] = {0.4, 0.4, 0.4};
    make_turn();
    memcpy(turn, (const double[3][3]){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, sizeof turn);
    volume phi;
    assert_int_equal(volume_create(&phi, (const int[3]){245, 225, 13}, fine, (const double[3]){-45, -45, -2.3}, NULL),
                     OK);
    for (int k = 0; k < phi.dims[2]; k++)
        for (int j = 0; j < phi.dims[1]; j++)
            for (int i = 0; i < phi.dims[0]; i++) {
                double p[3];
                volume_to_lps(&phi, (const double[3]){i, j, k}, p);
                phi.value[volume_index(&phi, i, j, k)] = (float)many_twigs(NULL, p);
            }
    centerline c = find(&phi);
    int ends = 0;
    for (int k = 0; k < c.n_node; k++)
        ends += c.node[k].degree == 1;
    assert_int_equal(c.n_piece, 4);
    assert_int_equal(ends, 4 * 27);
    assert_int_equal(c.n_branch, 4 * 51);
    centerline_free(&c);
    volume_free(&phi);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(straight_tube),       cmocka_unit_test(helix_tube),
                                       cmocka_unit_test(oblique_ends),        cmocka_unit_test(steep_ends),
                                       cmocka_unit_test(stenosis_before_end), cmocka_unit_test(closed_ring),
                                       cmocka_unit_test(tapered_tube),        cmocka_unit_test(fork_of_three),
                                       cmocka_unit_test(narrowed_tube),       cmocka_unit_test(degrees_of_stenosis),
                                       cmocka_unit_test(flat_tube),           cmocka_unit_test(cut_tube),
                                       cmocka_unit_test(sac_beside_a_tube),   cmocka_unit_test(loops_and_pieces),
                                       cmocka_unit_test(thin_handle),         cmocka_unit_test(two_hundred_branches),
                                       cmocka_unit_test(ends_after_elbows),   cmocka_unit_test(no_vessel),
                                       cmocka_unit_test(steep_cones),         cmocka_unit_test(narrow_ends),
                                       cmocka_unit_test(leaning_branches)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
