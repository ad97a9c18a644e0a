/* SPDX-License-Identifier: Apache-2.0 */
/* Masks of digitized shapes: the smooth lumen holds the volume of the mask and lies close to the shape. */
#include "common/surface/shape.h"
#include "common/base/status.h"
#include "segment/voxel/distance.h"
#include "segment/import/label_mask.h"
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
    label_mask_report report;
    agreement a = {0};
    assert_int_equal(label_mask_to_level_set(&mask, &level, &report), OK);
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

/* Area of the lumen in the plane through p across a unit vector, mm2. */
static double section_mm2(const volume *phi, const double p[3], const double n[3], double reach) {
    double u[3] = {n[2], 0, -n[0]}, v[3];
    const double length = hypot(u[0], u[2]), step = 0.1;
    int inside_places = 0;
    u[0] /= length, u[2] /= length;
    for (int k = 0; k < 3; k++)
        v[k] = n[(k + 1) % 3] * u[(k + 2) % 3] - n[(k + 2) % 3] * u[(k + 1) % 3];
    for (double a = -reach; a < reach; a += step)
        for (double b = -reach; b < reach; b += step) {
            double q[3];
            for (int k = 0; k < 3; k++)
                q[k] = p[k] + a * u[k] + b * v[k];
            inside_places += volume_contains(phi, q) && volume_sample(phi, q) < 0;
        }
    return inside_places * step * step;
}

/* Vessels that end within thick slices, at angles to their normal: sections near the ends are those of the mask, and
 * one that runs along the slices keeps its volume. */
static void ends_in_thick_slices(void **state) {
    (void)state;
    static const struct {
        double radius, slice, angle, near, middle; /* how far off a section may be one radius from an end, in between */
    } c[] = {{2.5, 3, 17, 0.08, 0.06}, {2.5, 5, 0, 0.12, 0.06}, {6, 5, 0, 0.12, 0.06},
             {4, 5, 30, 0.15, 0.08},   {4, 3, 90, 0.2, 0.2},    {4, 5, 90, 0.3, 0.3}};
    for (size_t n = 0; n < sizeof c / sizeof *c; n++) {
        const double turn = c[n].angle * M_PI / 180, axis[3] = {sin(turn), 0, cos(turn)}, pixel = 0.7;
        const double half = c[n].angle > 0 ? 15 : 3 * c[n].slice; /* then it ends between two slices */
        const double spacing[3] = {pixel, pixel, c[n].slice}, whole = M_PI * c[n].radius * c[n].radius;
        shape s = {.kind = SHAPE_CYLINDER, .radius = {c[n].radius}};
        int dims[3];
        volume level, phi;
        surface wall;
        label_mask_report report;
        for (int k = 0; k < 3; k++) {
            dims[k] = 2 * (int)ceil((fabs(axis[k]) * half + c[n].radius) / spacing[k] + 4);
            s.a[k] = k == 0 ? 0.13 : k == 1 ? 0.08 : 0, s.b[k] = s.a[k] + axis[k];
        }
        volume mask = digitize(&s, dims, spacing);
        for (size_t i = 0; i < volume_size(&mask); i++) {
            double p[3], along = 0;
            const size_t x = (size_t)dims[0], y = (size_t)dims[1];
            volume_to_lps(&mask, (const double[3]){(double)(i % x), (double)(i / x % y), (double)(i / x / y)}, p);
            for (int k = 0; k < 3; k++)
                along += axis[k] * p[k];
            mask.value[i] *= fabs(along) < half;
        }
        assert_int_equal(label_mask_to_level_set(&mask, &level, &report), OK);
        assert_int_equal(distance_rebuild(&level, 4, &wall, &phi), OK);
        const double ratio = surface_volume_mm3(&wall) / (1000 * report.mask_ml);
        double off[2] = {0};
        for (double at = c[n].radius - half; at <= half - c[n].radius + 0.01; at += (half - c[n].radius) / 6) {
            double p[3];
            for (int k = 0; k < 3; k++)
                p[k] = s.a[k] + at * axis[k];
            const double part = section_mm2(&phi, p, axis, 2 * c[n].radius) / whole - 1;
            double *worst = &off[fabs(at) < half - 2.5 * c[n].radius];
            *worst = fmax(*worst, fabs(part));
        }
        print_message("radius %g mm, slices %g mm, %g degrees: volume %.4f of the mask; sections off by %.0f %% near "
                      "the ends, %.0f %% between\n",
                      c[n].radius, c[n].slice, c[n].angle, ratio, 100 * off[0], 100 * off[1]);
        assert_true(fabs(ratio - 1) < 0.003);
        assert_true(off[0] < c[n].near && off[1] < c[n].middle);
        volume_free(&mask);
        volume_free(&level);
        volume_free(&phi);
        surface_free(&wall);
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

/* 0 and one other value are a mask, also of a vessel of one voxel; an image has more values than that. */
static void recognition(void **state) {
    (void)state;
    volume v;
    const int dims[3] = {6, 5, 40};
    const double spacing[3] = {1, 1, 1}, origin[3] = {0, 0, 0};
    assert_int_equal(volume_create(&v, dims, spacing, origin, NULL), OK);
    assert_false(labels_recognize(&v)); /* nothing but 0 */
    for (int k = 0; k < 40; k++)
        v.value[(k * 5 + 2) * 6 + 3] = 255;
    assert_true(labels_recognize(&v));
    for (size_t i = 0; i < volume_size(&v); i++) /* resampled to floats */
        v.value[i] += i % 2 ? 0.0002F : -0.0098F;
    assert_true(labels_recognize(&v));
    v.value[0] = 0.02F;
    assert_false(labels_recognize(&v));
    for (size_t i = 0; i < volume_size(&v); i++)
        v.value[i] = rintf(v.value[i]);
    for (int k = 0; k < 40; k++)
        v.value[(k * 5 + 2) * 6 + 3] = (float)(1 + k % 7);
    assert_false(labels_recognize(&v));
    for (size_t i = 0; i < volume_size(&v); i++)
        v.value[i] = 1;
    assert_false(labels_recognize(&v)); /* no background */
    volume_free(&v);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(tubes), cmocka_unit_test(thick_slices),
                                       cmocka_unit_test(ends_in_thick_slices), cmocka_unit_test(selection),
                                       cmocka_unit_test(recognition)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
