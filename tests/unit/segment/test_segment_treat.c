/* SPDX-License-Identifier: Apache-2.0 */
/* Changes of a signed distance by a treatment: exact distances of tube and disc, all other voxels bit for bit. */
#include "common/base/status.h"
#include "segment/treat/closed_branch.h"
#include "segment/treat/treat_shape.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

enum { NX = 80, NY = 50, NZ = 50 };
static const double H = 0.5;

/* Vessel of 3 mm radius along x through y = z = 10 mm; `side`: a branch along y leaves it at x = 20 mm. */
static double vessel_mm(double x, double y, double z, int side) {
    (void)x;
    const double along = hypot(y - 10, z - 10) - 3;
    return side ? fmin(along, fmax(hypot(x - 20, z - 10) - 2, 10 - y)) : along;
}

static void draw(int side, volume *phi) {
    assert_int_equal(
        volume_create(phi, (const int[3]){NX, NY, NZ}, (const double[3]){H, H, H}, (const double[3]){0, 0, 0}, NULL),
        OK);
    for (int k = 0; k < NZ; k++)
        for (int j = 0; j < NY; j++)
            for (int i = 0; i < NX; i++)
                phi->value[volume_index(phi, i, j, k)] = (float)vessel_mm(H * i, H * j, H * k, side);
}

/* Checks each voxel near the old or new wall or inside: bit for bit as before if no voxel within two voxels changed
 * sides. Returns the number of voxels that changed sides. */
static int check_far_voxels(const volume *before, const volume *after) {
    int changed = 0, compared = 0;
    for (int k = 2; k < NZ - 2; k++)
        for (int j = 2; j < NY - 2; j++)
            for (int i = 2; i < NX - 2; i++) {
                const size_t at = volume_index(before, i, j, k);
                int near = 0;
                for (int n = 0; n < 125; n++) {
                    const size_t to = volume_index(before, i + n % 5 - 2, j + n / 5 % 5 - 2, k + n / 25 - 2);
                    near += (before->value[to] < 0) != (after->value[to] < 0);
                }
                changed += (before->value[at] < 0) != (after->value[at] < 0);
                if (near > 0 || fabs((double)before->value[at]) > 2 * H)
                    continue;
                compared++;
                assert_true(before->value[at] == after->value[at]);
            }
    assert_true(compared > 1000);
    return changed;
}

static void tube(void **state) {
    (void)state;
    const double end[2][3] = {{10, 10, 10}, {10, 19, 10}}, opening[2][3] = {{0, 10, 10}, {10, 20, 10}};
    double nearest[2] = {INFINITY, INFINITY};
    treat_effect effect = {2, opening, nearest, 0};
    treat_curve c;
    volume before, after;
    draw(0, &before);
    draw(0, &after);
    assert_int_equal(treat_curve_through(2, end, 0.25, 0, &c), OK);
    assert_true(fabs(c.length_mm - 9) < 1e-9);
    treat_unite_tube(&c, 2, 3, &after, &effect);
    for (int k = 0; k < NZ; k++)
        for (int j = 0; j < NY; j++)
            for (int i = 0; i < NX; i++) {
                const double y = H * j, foot = fmin(19, fmax(10, y));
                const double d = sqrt(pow(H * i - 10, 2) + pow(y - foot, 2) + pow(H * k - 10, 2)) - 2;
                const double old = vessel_mm(H * i, y, H * k, 0);
                if (d < 2.9)
                    assert_true(fabs((double)after.value[volume_index(&after, i, j, k)] - fmin(d, old)) < 1e-6);
            }
    const int changed = check_far_voxels(&before, &after);
    assert_true(changed > 200 && fabs(effect.volume_ml - 1e-3 * H * H * H * changed) < 1e-9);
    assert_true(nearest[1] < 1.1 && nearest[0] > 7);
    treat_curve_free(&c);
    volume_free(&before);
    volume_free(&after);
}

/* A curve passes through its points, smoothly, and goes on straight behind them. */
static void curve(void **state) {
    (void)state;
    const double point[4][3] = {{0, 0, 0}, {5, 5, 0}, {10, 0, 0}, {20, 0, 0}}, twice[2][3] = {{1, 1, 1}, {1, 1, 1}};
    double nearest[4] = {9, 9, 9, 9};
    treat_curve c;
    assert_int_equal(treat_curve_through(4, point, 0.1, 2, &c), OK);
    for (int n = 0; n < c.n; n++)
        for (int k = 0; k < 4; k++)
            nearest[k] =
                fmin(nearest[k], sqrt(pow(c.point[n][0] - point[k][0], 2) + pow(c.point[n][1] - point[k][1], 2)));
    for (int k = 0; k < 4; k++)
        assert_true(nearest[k] < 1e-9);
    for (int n = 1; n + 1 < c.n; n++) {
        double a[3], b[3], cosine = 0, length[2] = {0, 0};
        for (int x = 0; x < 3; x++) {
            a[x] = c.point[n][x] - c.point[n - 1][x];
            b[x] = c.point[n + 1][x] - c.point[n][x];
            cosine += a[x] * b[x];
            length[0] += a[x] * a[x];
            length[1] += b[x] * b[x];
        }
        assert_true(cosine > 0.98 * sqrt(length[0] * length[1]));
    }
    assert_true(c.point[c.n - 1][0] > 21.9);
    treat_curve_free(&c);
    assert_int_equal(treat_curve_through(2, twice, 0.1, 0, &c), ERR_INPUT);
    status_clear();
}

static void disc(void **state) {
    (void)state;
    const double at[3] = {30, 10, 10}, along[3] = {1, 0, 0}, fork[3] = {20, 10, 10}, across[3] = {0, 0, 1};
    treat_effect effect = {0, NULL, NULL, 0};
    volume before, after;
    draw(1, &before);
    draw(1, &after);
    assert_int_equal(treat_remove_disc("close", at, along, 3, 2, &after, &effect), OK);
    for (int j = 0; j < NY; j++)
        for (int k = 0; k < NZ; k++) /* no lumen crosses the disc; its faces are exact on the axis */
            assert_true(after.value[volume_index(&after, 60, j, k)] > 0);
    assert_true(fabs((double)after.value[volume_index(&after, 56, 20, 20)] + 1) < 1e-6);
    assert_true(check_far_voxels(&before, &after) > 200);
    /* the piece beyond the disc and the stump before it are closed by it, an end of the rest is not */
    const closed_disc closing[] = {{{0}, 0, 0}, {{30, 10, 10}, 3, 2}};
    const double opening[1][3] = {{10, 10, 10}};
    const centerline_end end[] = {{.point_mm = {36, 10, 10}, .tip_mm = {38, 10, 10}},
                                  {.point_mm = {26, 10, 10}, .tip_mm = {28, 10, 10}},
                                  {.point_mm = {10, 10, 10}, .tip_mm = {8, 10, 10}}};
    int by[3];
    assert_int_equal(closed_branch_find(&after, 2, closing, 1, opening, 3, end, by), OK);
    assert_true(by[0] == 1 && by[1] == 1 && by[2] == -1);
    assert_int_equal(closed_branch_find(&after, 1, closing, 1, opening, 3, end, by), OK);
    assert_true(by[0] == -1 && by[1] == -1 && by[2] == -1);
    assert_int_equal(treat_remove_disc("close", fork, across, 2, 2, &after, &effect), ERR_INPUT);
    assert_non_null(strstr(status_message(), "bifurcation"));
    status_clear();
    volume_free(&before);
    volume_free(&after);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(tube), cmocka_unit_test(curve), cmocka_unit_test(disc)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
