/* Masks of digitized shapes: the smooth lumen holds the volume of the mask and lies close to the shape. */
#include "common/surface/shape.h"
#include "common/base/status.h"
#include "segment/voxel/distance.h"
#include "segment/labels.h"
#include "tests/unit/fill.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

static double inside(const void *s, const double p[3]) {
    return shape_distance_mm(s, p) < 0;
}

/* Digitize: 1 where the voxel's centre is inside. */
static volume digitize(const shape *s, const int dims[3], const double spacing[3]) {
    volume v;
    double origin[3];
    for (int a = 0; a < 3; a++)
        origin[a] = -0.5 * (dims[a] - 1) * spacing[a];
    assert_int_equal(volume_create(&v, dims, spacing, origin, NULL), OK);
    fill_volume(&v, inside, s);
    return v;
}

typedef struct {
    double volume_ratio, mean_mm, worst_mm, bumps_deg;
} agreement;

/* Root mean square angle between the wall's triangles and the shape, area weighted, away from the ends. */
static double bumps_deg(const shape *s, const surface *wall, const int dims[3], const double spacing[3]) {
    double sum = 0, total = 0;
    for (int64_t t = 0; t < wall->n_triangle; t++) {
        const double *p[3];
        double u[3], v[3], n[3], middle[3], g[3], dot = 0, nn = 0, gg = 0;
        bool near_end = false;
        for (int k = 0; k < 3; k++)
            p[k] = wall->point_mm + 3 * wall->triangle[3 * t + k];
        for (int k = 0; k < 3; k++) {
            u[k] = p[1][k] - p[0][k];
            v[k] = p[2][k] - p[0][k];
            middle[k] = (p[0][k] + p[1][k] + p[2][k]) / 3;
            near_end = near_end || fabs(middle[k]) > 0.5 * (dims[k] - 5) * spacing[k];
        }
        if (near_end)
            continue;
        for (int k = 0; k < 3; k++) {
            double q[3] = {middle[0], middle[1], middle[2]}, r[3] = {middle[0], middle[1], middle[2]};
            n[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
            q[k] += 1e-4, r[k] -= 1e-4;
            g[k] = shape_distance_mm(s, q) - shape_distance_mm(s, r);
            dot += n[k] * g[k], nn += n[k] * n[k], gg += g[k] * g[k];
        }
        if (nn < 1e-24)
            continue;
        double angle = acos(fmax(-1, fmin(1, dot / sqrt(nn * gg))));
        sum += sqrt(nn) * angle * angle;
        total += sqrt(nn);
    }
    return sqrt(sum / total) * 180 / acos(-1);
}

/* Volume against the mask and the distance of the wall to the shape, away from the ends of the volume. */
static agreement compare(const shape *s, const int dims[3], const double spacing[3]) {
    volume mask = digitize(s, dims, spacing), level, phi;
    surface wall;
    labels_report report;
    agreement a = {0};
    assert_int_equal(labels_to_level(&mask, &level, &report), OK);
    assert_int_equal(distance_rebuild(&level, 4, &wall, &phi), OK);
    assert_int_equal(surface_open_edges(&wall), 0);
    a.volume_ratio = surface_volume_mm3(&wall) / (1000 * report.mask_ml);
    int64_t n = 0;
    for (int64_t i = 0; i < wall.n_point; i++) {
        bool near_end = false;
        for (int k = 0; k < 3; k++)
            near_end = near_end || fabs(wall.point_mm[3 * i + k]) > 0.5 * (dims[k] - 5) * spacing[k];
        if (near_end)
            continue;
        double d = fabs(shape_distance_mm(s, wall.point_mm + 3 * i));
        a.mean_mm += d;
        a.worst_mm = fmax(a.worst_mm, d);
        n++;
    }
    a.mean_mm /= (double)(n > 0 ? n : 1);
    a.bumps_deg = bumps_deg(s, &wall, dims, spacing);
    volume_free(&mask);
    volume_free(&level);
    volume_free(&phi);
    surface_free(&wall);
    return a;
}

/* Tubes of 4 voxels across and wider, straight and oblique, cubic voxels and thick slices. */
static void tubes(void **state) {
    (void)state;
    static const double axes[][3] = {{0, 0, 1}, {0, 1, 1}, {1, 1, 1}, {0.3, 0.2, 1}, {1, 0.2, 0.1}, {0.1, 1, 0.5}};
    static const double radii[] = {2, 4.5};
    for (int r = 0; r < 2; r++)
        for (int n = 0; n < 6; n++) {
            const int dims[3] = {40, 40, 40};
            const double spacing[3] = {1, 1, 1};
            shape s = {.kind = SHAPE_CYLINDER, .a = {0.13, 0.27, -0.08}, .radius = {radii[r]}};
            for (int k = 0; k < 3; k++)
                s.b[k] = s.a[k] + axes[n][k];
            agreement a = compare(&s, dims, spacing);
            print_message("radius %.1f axis %g %g %g: volume %.4f of the mask, wall off by %.3f mean, %.3f worst, "
                          "bumps %.1f deg\n",
                          radii[r], axes[n][0], axes[n][1], axes[n][2], a.volume_ratio, a.mean_mm, a.worst_mm,
                          a.bumps_deg);
            assert_true(fabs(a.volume_ratio - 1) < 0.002);
            assert_true(a.mean_mm < 0.22);
        }
}

static void thick_slices(void **state) {
    (void)state;
    static const double axes[][3] = {{0, 0, 1}, {0.3, 0.2, 1}, {1, 1, 0.5}, {1, 0.2, 0}};
    for (int n = 0; n < 4; n++) {
        const int dims[3] = {60, 60, 20};
        const double spacing[3] = {1.2, 1.2, 4};
        shape s = {.kind = SHAPE_CYLINDER, .a = {0.13, 0.27, -0.08}, .radius = {6}};
        for (int k = 0; k < 3; k++)
            s.b[k] = s.a[k] + axes[n][k];
        agreement a = compare(&s, dims, spacing);
        print_message("slices of 4 mm, radius 6 mm, axis %g %g %g: volume %.4f of the mask, wall off by %.3f mm mean, "
                      "%.3f worst, bumps %.1f deg\n",
                      axes[n][0], axes[n][1], axes[n][2], a.volume_ratio, a.mean_mm, a.worst_mm, a.bumps_deg);
        assert_true(fabs(a.volume_ratio - 1) < 0.002);
        assert_true(a.mean_mm < 0.8);
    }
}

static void selection(void **state) {
    (void)state;
    volume v;
    const int dims[3] = {4, 3, 2}, one = 64, none = 7;
    const double spacing[3] = {1, 1, 1}, origin[3] = {0, 0, 0};
    assert_int_equal(volume_create(&v, dims, spacing, origin, NULL), OK);
    v.value[3] = 64;
    v.value[5] = 2;
    status_clear();
    assert_int_equal(labels_select("m.nii", &v, 1, &none), ERR_INPUT);
    assert_non_null(strstr(status_message(), "no voxel of label 7; it holds 64, 2"));
    status_clear();
    assert_int_equal(labels_select("m.nii", &v, 1, &one), OK);
    assert_true(v.value[3] == 1 && v.value[5] == 0);
    v.value[1] = 0.4F;
    assert_int_equal(labels_select("m.nii", &v, 0, NULL), ERR_INPUT);
    assert_non_null(strstr(status_message(), "not a label"));
    status_clear();
    memset(v.value, 0, volume_size(&v) * sizeof *v.value);
    assert_int_equal(labels_select("m.nii", &v, 0, NULL), ERR_INPUT);
    assert_non_null(strstr(status_message(), "empty"));
    status_clear();
    volume_free(&v);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(tubes), cmocka_unit_test(thick_slices),
                                       cmocka_unit_test(selection)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
