/* SPDX-License-Identifier: Apache-2.0 */
/* Tree and ends of masks: a Y of tubes at an angle, cut off blunt, and one that leaves the image; thick voxels. */
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include "segment/ends/ends_without_opening.h"
#include "segment/ends/centerline_ends.h"
#include "tests/unit/fill.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

/* Arms from a common place: direction, length, radius (mm). A length beyond the image leaves it. */
typedef struct {
    double d[3], length, radius;
} arm;

static const double joint[3] = {3, -2, 1};
static const arm arms[3] = {{{0.36, 0.48, 0.8}, 31, 4.2}, {{-0.8, 0.1, 0.59}, 27, 3.1}, {{0.1, -0.3, -0.95}, 80, 4.6}};

static double inside(const void *none, const double p[3]) {
    (void)none;
    for (int k = 0; k < 3; k++) {
        double d[3], q[3];
        memcpy(d, arms[k].d, sizeof d);
        vec_normalize(d);
        vec_add(p, -1, joint, q);
        const double along = vec_dot(q, d), across = sqrt(fmax(0, vec_dot(q, q) - along * along));
        if (along > -2 && along < arms[k].length && across < arms[k].radius)
            return 1;
    }
    return 0;
}

static volume draw(double thick) {
    volume v;
    const double spacing[3] = {0.9, 0.9, thick};
    const int dims[3] = {90, 90, (int)(80 / thick)};
    const double origin[3] = {-40, -40, -35};
    assert_int_equal(volume_create(&v, dims, spacing, origin, NULL), OK);
    fill_volume(&v, inside, NULL);
    return v;
}

/* Three ends: each inside its arm's end by half a radius to a radius and a half, normal along it, radius right. */
static void ends_of_a_fork(void **state) {
    (void)state;
    for (int thick = 1; thick <= 3; thick += 2) {
        volume mask = draw(thick);
        centerline_tree t;
        centerline_end end[8];
        int met = 0;
        assert_int_equal(centerline_tree_find(&mask, &t), OK);
        assert_int_equal(t.n, 2);
        assert_int_equal(centerline_ends_find(&t, &mask, end), 3);
        assert_false(end[0].vague || end[1].vague || end[2].vague);
        for (int e = 0; e < 3; e++)
            for (int k = 0; k < 3; k++) {
                double d[3], q[3];
                memcpy(d, arms[k].d, sizeof d);
                vec_normalize(d);
                if (vec_dot(d, end[e].normal) < 0.95)
                    continue;
                met++;
                vec_add(end[e].point_mm, -1, joint, q);
                const double along = vec_dot(q, d), across = sqrt(fmax(0, vec_dot(q, q) - along * along));
                assert_true(across < 0.3 * arms[k].radius);
                assert_true(fabs(end[e].radius_mm / arms[k].radius - 1) < 0.15);
                assert_int_equal(end[e].border, k == 2);
                if (k < 2)
                    assert_true(along < arms[k].length - 0.3 * arms[k].radius &&
                                along > arms[k].length - 1.5 * arms[k].radius - 2 * thick);
                else /* the plane lies within the image */
                    assert_true(end[e].point_mm[2] - sqrt(1 - d[2] * d[2]) * arms[k].radius > -35);
            }
        assert_int_equal(met, 3);
        centerline_tree_free(&t);
        volume_free(&mask);
    }
}

/* A straight tube with flat ends, its middle at 0. */
static double in_tube(const void *of, const double p[3]) {
    const arm *tube = of;
    const double along = vec_dot(p, tube->d);
    return fabs(along) < tube->length / 2 && vec_dot(p, p) - along * along < tube->radius * tube->radius;
}

static void draw_tube(const arm *tube, const double spacing[3], volume *mask) {
    int dims[3];
    double origin[3];
    for (int a = 0; a < 3; a++) {
        dims[a] = 2 * (int)ceil((fabs(tube->d[a]) * tube->length / 2 + tube->radius + 5) / spacing[a]);
        origin[a] = -(dims[a] / 2 - 0.37 + 0.21 * a) * spacing[a];
    }
    assert_int_equal(volume_create(mask, dims, spacing, origin, NULL), OK);
    fill_volume(mask, in_tube, tube);
}

/* How far both ends of the tube are off its direction, at the most, in voxels of these sizes. */
static double most_degrees_off(const arm *tube, const double spacing[3]) {
    double most = 0;
    volume mask;
    centerline_tree t;
    centerline_end end[8];
    draw_tube(tube, spacing, &mask);
    assert_int_equal(centerline_tree_find(&mask, &t), OK);
    assert_int_equal(centerline_ends_find(&t, &mask, end), 2);
    for (int e = 0; e < 2; e++)
        most = fmax(most, acos(fmin(1, fabs(vec_dot(end[e].normal, tube->d)))) * 180 / M_PI);
    centerline_tree_free(&t);
    volume_free(&mask);
    return most;
}

/* The plane of an end lies across the vessel, where slices are as thick as the vessel's radius, too. */
static void across_in_thick_slices(void **state) {
    (void)state;
    static const double spacing[][3] = {{1, 1, 1}, {1.2, 1.2, 3}}, limit[] = {5, 9}; /* degrees */
    for (int k = 0; k < 2; k++)
        for (int tilt = 0; tilt <= 90; tilt += 15) {
            const double polar = tilt * M_PI / 180, turn = 0.7 + 0.11 * tilt;
            const arm tube = {{sin(polar) * cos(turn), sin(polar) * sin(turn), cos(polar)}, 42, 3};
            const double off = most_degrees_off(&tube, spacing[k]);
            print_message("slices of %g mm, %d degrees to their normal: %.1f degrees off\n", spacing[k][2], tilt, off);
            assert_true(off < limit[k]);
        }
}

/* A vessel as narrow as a voxel through slices of which the line sees one: its end keeps the path's direction, and does
 * not lie along that slice. */
static void narrow_in_thick_slices(void **state) {
    (void)state;
    static const double spacing[][3] = {{1, 1, 8}, {1, 1, 5}, {0.7, 0.7, 5}}, length[] = {30, 15, 15};
    for (int k = 0; k < 3; k++) {
        const arm tube = {{0, 0, 1}, length[k], 0.8};
        const double off = most_degrees_off(&tube, spacing[k]);
        print_message("slices of %g mm, radius %g mm: %.1f degrees off\n", spacing[k][2], tube.radius, off);
        assert_true(off < 20);
    }
}

/* Slices of which each shows a part that hardly touches the next: ends lay 80 degrees off, and nothing said so. */
static void vague_in_thick_slices(void **state) {
    (void)state;
    for (int k = 0; k < 5; k++) {
        static const double tilt[] = {0.2, 0.35, 0.6, 0.9, 1.2};
        const arm tube = {{sin(tilt[k]), 0, cos(tilt[k])}, 18, 2.5};
        volume mask;
        centerline_tree t;
        centerline_end end[100];
        draw_tube(&tube, (const double[3]){0.8, 0.8, 8}, &mask);
        assert_int_equal(centerline_tree_find(&mask, &t), OK);
        const int n = centerline_ends_find(&t, &mask, end);
        assert_true(n > 0);
        for (int e = 0; e < n; e++) {
            const double off = acos(fmin(1, fabs(vec_dot(end[e].normal, tube.d)))) * 180 / M_PI;
            print_message("tilted by %.2f: %.0f degrees off, %s\n", tilt[k], off, end[e].vague ? "not known" : "known");
            assert_true(end[e].vague || off < 25);
        }
        centerline_tree_free(&t);
        volume_free(&mask);
    }
}

/* Two of the three ends have an opening, three radii further inside than they reach; the third one is named. */
static void one_is_loose(void **state) {
    (void)state;
    volume phi = draw(1);
    double opening[2][3];
    centerline_end end[ENDS_WITHOUT_OPENING_MAX];
    int n = 0;
    for (size_t i = 0; i < volume_size(&phi); i++)
        phi.value[i] = 0.5F - phi.value[i];
    for (int k = 0; k < 2; k++) {
        double d[3];
        memcpy(d, arms[2 * k].d, sizeof d);
        vec_normalize(d);
        vec_add(joint, k == 0 ? arms[0].length - 3 * arms[0].radius : 26, d, opening[k]);
    }
    assert_int_equal(ends_without_opening(&phi, 2, (const double(*)[3])opening, &n, end), OK);
    assert_int_equal(n, 1);
    assert_true(vec_dot(end[0].normal, arms[1].d) > 0.9);
    volume_free(&phi);
}

/* A sac beside a vessel with openings at both ends, on a neck: blood turns in it. On a stalk as wide it is an end. */
static double inside_sac(const void *widest, const double p[3]) {
    const double radius = *(const double *)widest;
    return hypot(p[1], p[2]) < 2.4 || (hypot(p[0], p[1]) < 1.5 && p[2] > 0 && p[2] < 12) ||
           (radius > 2 && hypot(hypot(p[0], p[1]), p[2] - 8) < radius);
}

static void a_sac_is_no_end(void **state) {
    (void)state;
    static const double opening[2][3] = {{-17, 0, 0}, {17, 0, 0}}, widest[2] = {4, 1};
    for (int k = 0; k < 2; k++) {
        volume v;
        centerline_end end[ENDS_WITHOUT_OPENING_MAX];
        int n = 0;
        assert_int_equal(
            volume_create(&v, (int[3]){100, 30, 50}, (double[3]){0.4, 0.4, 0.4}, (double[3]){-20, -6, -5}, NULL), OK);
        fill_volume(&v, inside_sac, &widest[k]);
        for (size_t i = 0; i < volume_size(&v); i++)
            v.value[i] = 0.5F - v.value[i];
        assert_int_equal(ends_without_opening(&v, 2, opening, &n, end), OK);
        assert_int_equal(n, k);
        volume_free(&v);
    }
}

static double inside_flat(const void *slant, const double p[3]) {
    const double c = cos(*(const double *)slant), s = sin(*(const double *)slant);
    const double x = c * p[0] + s * p[2], z = c * p[2] - s * p[0];
    return hypot(x / 6, p[1] / 0.6) < 1 && fabs(z) < 15;
}

/* A vein pressed flat has two ends, none along its edges. */
static void edges_are_no_ends(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++) {
        const double slant = 0.35 * k;
        volume v;
        centerline_tree t;
        centerline_end end[100];
        assert_int_equal(
            volume_create(&v, (int[3]){150, 16, 190}, (double[3]){0.2, 0.2, 0.2}, (double[3]){-15, -1.5, -19}, NULL),
            OK);
        fill_volume(&v, inside_flat, &slant);
        assert_int_equal(centerline_tree_find(&v, &t), OK);
        assert_true(t.n < 90);
        const int n = centerline_ends_find(&t, &v, end);
        print_message("flat, turned by %.2f: %d branches, %d ends\n", slant, t.n, n);
        assert_int_equal(n, 2);
        centerline_tree_free(&t);
        volume_free(&v);
    }
}

static double inside_slit(const void *slant, const double p[3]) {
    const double c = cos(*(const double *)slant), s = sin(*(const double *)slant);
    const double x = c * p[0] + s * p[2], z = c * p[2] - s * p[0];
    return fabs(x) < 6 && fabs(p[1]) < 0.6 && fabs(z) < 15;
}

/* Nor a slit, with an opening in the middle of each. */
static void corners_are_no_ends(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++) {
        const double slant = 0.35 * k, at[2] = {-13 * sin(slant), 13 * cos(slant)};
        const double opening[2][3] = {{at[0], 0, at[1]}, {-at[0], 0, -at[1]}};
        volume v;
        centerline_end end[ENDS_WITHOUT_OPENING_MAX];
        int n = 0;
        assert_int_equal(
            volume_create(&v, (int[3]){150, 16, 190}, (double[3]){0.2, 0.2, 0.2}, (double[3]){-15, -1.5, -19}, NULL),
            OK);
        fill_volume(&v, inside_slit, &slant);
        for (size_t i = 0; i < volume_size(&v); i++)
            v.value[i] = 0.5F - v.value[i];
        assert_int_equal(ends_without_opening(&v, 2, opening, &n, end), OK);
        print_message("slit, turned by %.2f: %d loose\n", slant, n);
        assert_int_equal(n, 0);
        volume_free(&v);
    }
}

/* A trunk of 2 mm radius along z with a blunt branch of 1.4 mm radius that ends length_mm from the trunk's axis. */
static double in_tee(const void *length_mm, const double p[3]) {
    const bool trunk = hypot(p[0], p[1]) < 2 && fabs(p[2]) < 12;
    return trunk || (hypot(p[1], p[2]) < 1.4 && p[0] > 0 && p[0] < *(const double *)length_mm);
}

/* A side branch ends, however short it is; the trunk across it is no flat vessel with a corner. */
static void short_branches_end(void **state) {
    (void)state;
    for (double length_mm = 5.5; length_mm < 9; length_mm += 0.5) {
        volume v;
        centerline_tree t;
        centerline_end end[66];
        assert_int_equal(
            volume_create(&v, (int[3]){50, 20, 88}, (double[3]){0.3, 0.3, 0.3}, (double[3]){-3, -2.9, -13}, NULL), OK);
        fill_volume(&v, in_tee, &length_mm);
        assert_int_equal(centerline_tree_find(&v, &t), OK);
        const int n = centerline_ends_find(&t, &v, end);
        print_message("branch of %.1f mm: %d branches, %d ends\n", length_mm, t.n, n);
        assert_int_equal(n, 3);
        centerline_tree_free(&t);
        volume_free(&v);
    }
}

/* A ring of 12 mm with a vessel to and one from it, of other lengths: radius of the narrower half 1.6 mm. */
static double in_loop(const void *turn, const double p[3]) {
    const double c = cos(*(const double *)turn), s = sin(*(const double *)turn);
    const double x = c * p[0] + s * p[2], z = c * p[2] - s * p[0];
    const bool stub = hypot(p[1], z) < 2.5 && ((x > 11 && x < 30) || (x < -11 && x > -22));
    return stub || hypot(hypot(x, p[1]) - 12, z) < (p[1] > 0 ? 2.2 : 1.6);
}

/* Ways round both sides of a loop meet where nothing ends. */
static void loop_has_two_ends(void **state) {
    (void)state;
    for (int k = 0; k < 7; k++) {
        const double turn = 0.2 * k, spacing[3] = {0.5, 0.5, k % 2 ? 1.5 : 0.5};
        volume v;
        centerline_tree t;
        centerline_end end[66];
        assert_int_equal(
            volume_create(&v, (int[3]){126, 60, (int)(45 / spacing[2])}, spacing, (double[3]){-31, -14.8, -22.3}, NULL),
            OK);
        fill_volume(&v, in_loop, &turn);
        assert_int_equal(centerline_tree_find(&v, &t), OK);
        assert_int_equal(centerline_ends_find(&t, &v, end), 2);
        for (int e = 0; e < 2; e++)
            assert_true(vec_length(end[e].point_mm) > 19);
        centerline_tree_free(&t);
        volume_free(&v);
    }
}

/* A bent tube with oblique ends, in voxels. */
typedef struct {
    double radius, axis[3], middle[3], lean, bend, turn;
} leaning_tube;

static double in_leaning(const void *data, const double p[3]) {
    const leaning_tube *t = data;
    double d[3], axis[3][3];
    vec_add(p, -1, t->middle, d);
    vec_axes(t->axis, axis);
    const double s = vec_dot(d, t->axis), x = vec_dot(d, axis[0]) - t->bend * s * s, y = vec_dot(d, axis[1]);
    return hypot(x, y) < t->radius && fabs(s + t->lean * (x * cos(t->turn) + y * sin(t->turn))) < 12;
}

/* The path of a coarse tube turns into the corner of an oblique end. The branch ends there and does not turn back. */
static void ends_do_not_turn_back(void **state) {
    (void)state;
    static const leaning_tube tube[] = {
        {2.691, {0.9471, -0.0125, 0.3207}, {18.879, 18.201, 18.674}, 0.691, 0.0252, 2.5469},
        {2.349, {0.2580, 0.9606, 0.1034}, {18.540, 18.806, 18.153}, 1.061, 0.0006, 1.6546},
        {1.962, {-0.8983, 0.3471, 0.2695}, {18.419, 18.825, 18.827}, 0.903, 0.0341, 5.4481}};
    for (size_t k = 0; k < sizeof tube / sizeof *tube; k++) {
        volume v;
        centerline_tree t;
        assert_int_equal(volume_create(&v, (int[3]){36, 36, 36}, (double[3]){1, 1, 1}, (double[3]){0}, NULL), OK);
        fill_volume(&v, in_leaning, &tube[k]);
        assert_int_equal(centerline_tree_find(&v, &t), OK);
        assert_int_equal(t.n, 1);
        const centerline_branch *b = &t.branch[0];
        for (int side = 0; side < 2; side++) {
            double way = 0, farthest = 0;
            int n = 1;
            for (; n < b->n && way < 4 * tube[k].radius; n++)
                way += vec_distance(b->at_mm[side ? b->n - 1 - n : n], b->at_mm[side ? b->n - n : n - 1]);
            const double *inside = b->at_mm[side ? b->n - n : n - 1];
            for (int i = 0; i < n; i++)
                farthest = fmax(farthest, vec_distance(b->at_mm[side ? b->n - 1 - i : i], inside));
            const double end = vec_distance(b->at_mm[side ? b->n - 1 : 0], inside);
            print_message("tube %d: the end is %.2f mm from the inside, the farthest point %.2f mm\n", (int)k, end,
                          farthest);
            assert_true(farthest - end < 0.2 * tube[k].radius);
        }
        centerline_tree_free(&t);
        volume_free(&v);
    }
}

static void nothing_inside(void **state) {
    (void)state;
    volume v;
    centerline_tree t;
    assert_int_equal(volume_create(&v, (int[3]){5, 5, 5}, (double[3]){1, 1, 1}, (double[3]){0, 0, 0}, NULL), OK);
    assert_int_equal(centerline_tree_find(&v, &t), ERR_INPUT);
    volume_free(&v);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_of_a_fork),         cmocka_unit_test(across_in_thick_slices),
        cmocka_unit_test(narrow_in_thick_slices), cmocka_unit_test(one_is_loose),
        cmocka_unit_test(edges_are_no_ends),      cmocka_unit_test(corners_are_no_ends),
        cmocka_unit_test(a_sac_is_no_end),        cmocka_unit_test(loop_has_two_ends),
        cmocka_unit_test(vague_in_thick_slices),  cmocka_unit_test(nothing_inside),
        cmocka_unit_test(ends_do_not_turn_back),  cmocka_unit_test(short_branches_end)};
    message_init("test", false);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
