/* SPDX-License-Identifier: Apache-2.0 */
/* Wall shear stress against exact flows. */
#include "common/base/status.h" /* before cmocka, which has a macro fail */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "common/base/vec.h"
#include "post/wall/wall.h"
#include "tests/unit/post/post_lattice.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const post_pipe PIPE = {.point_mm = {1, 2, 3},
                               .axis = {0, 0.6, 0.8},
                               .radius_mm = 4,
                               .length_mm = 16,
                               .mean_m_s = 0.1,
                               .viscosity_pa_s = 0.0035};

/* Of a single field: the same values, but for the rounding of the weights to float. */
static void alike(size_t n, const double *a, const double *b) {
    double largest = 0;
    for (size_t k = 0; k < n; k++)
        largest = fmax(largest, fabs(b[k]));
    for (size_t k = 0; k < n; k++)
        assert_true(fabs(a[k] - b[k]) <= 2e-6 * largest);
}

static void without_weights(const sampler *s, const fields *f, const surface *lumen, const double *strip, const wall *w,
                            const double *wss, const double *pressure) {
    wall own;
    double *own_wss, *own_pressure;
    assert_int_equal(wall_create_for_field(s, lumen, NULL, strip, f, &own, &own_wss, &own_pressure), OK);
    const size_t n = (size_t)w->shape.n_point;
    assert_true(own.weight == NULL && own.shape.n_point == w->shape.n_point);
    assert_int_equal(own.shape.n_triangle, w->shape.n_triangle);
    assert_memory_equal(own.shape.point_mm, w->shape.point_mm, 3 * n * sizeof(double));
    assert_memory_equal(own.normal, w->normal, 3 * n * sizeof(double));
    alike(3 * n, own_wss, wss);
    alike(n, own_pressure, pressure);
    assert_true(own.left_out_mm2 == w->left_out_mm2 && own.lost_mm2 == w->lost_mm2);
    wall_free(&own);
    free(own_wss);
    free(own_pressure);
}

static void pipe_value(double across, int caps, double tolerance) {
    lattice l;
    fields f;
    sampler s;
    surface lumen;
    wall w;
    wall_statistics stats;
    double exact = 4 * PIPE.viscosity_pa_s * PIPE.mean_m_s / (PIPE.radius_mm * 1e-3), strip[2] = {1, 1};
    post_pipe_lattice(&PIPE, across, &l);
    post_fields_make(&l, post_pipe_flow, &PIPE, &f);
    post_pipe_surface(&PIPE, 48, caps, &lumen);
    assert_int_equal(sampler_create(&s, &l, &f), OK);
    assert_int_equal(wall_create(&s, &lumen, NULL, strip, &w), OK);
    int64_t n = w.shape.n_point;
    double *wss = malloc(3 * (size_t)n * sizeof *wss), *p = malloc((size_t)n * sizeof *p), worst = 0, worst_p = 0;
    wall_apply(&w, &f, wss, p);
    without_weights(&s, &f, &lumen, strip, &w, wss, p);
    for (int64_t k = 0; k < n; k++) {
        double *t = wss + 3 * k, u[3], exact_p, stress[6];
        double along = t[1] * 0.6 + t[2] * 0.8;
        if (w.counted[k])
            worst = fmax(worst, fabs(along / exact - 1));
        assert_true(!w.counted[k] || fabs(t[0]) < 5 * tolerance * exact);
        post_pipe_flow(w.shape.point_mm + 3 * k, &PIPE, u, &exact_p, stress);
        if (w.counted[k])
            worst_p = fmax(worst_p, fabs(p[k] - exact_p));
        t[0] = along;
    }
    for (int64_t k = 0; k < n; k++)
        p[k] = wss[3 * k];
    assert_int_equal(wall_measure(&w, p, &stats), OK);
    wall_statistics ring;
    double middle[3], nowhere[3] = {1000, 0, 0};
    for (int a = 0; a < 3; a++)
        middle[a] = PIPE.point_mm[a] + PIPE.axis[a] * PIPE.length_mm / 2;
    assert_int_equal(wall_measure_ring(&w, p, middle, PIPE.axis, 6, 1, &ring), OK);
    assert_true(fabs(ring.mean / exact - 1) < 2 * tolerance && ring.max >= ring.mean);
    assert_true(fabs(ring.area_mm2 / (2 * M_PI * 4 * 2) - 1) < 0.6); /* whole points within 1 mm of the plane */
    assert_true(fabs(vec_distance(ring.max_mm, middle) - 4) < 0.2);
    assert_int_equal(wall_measure_ring(&w, p, nowhere, PIPE.axis, 6, 1, &ring), OK);
    assert_true(isnan(ring.mean) && isnan(ring.max) && isnan(ring.max_mm[0]));
    printf("%2.0f across: mean %+.4f %%, worst point %.3f %%, pressure %.2g Pa, %lld points, left out %.1f mm2\n",
           across, 100 * (stats.mean / exact - 1), 100 * worst, worst_p, (long long)n, w.left_out_mm2);
    assert_true(fabs(stats.mean / exact - 1) < tolerance);
    assert_true(worst < 5 * tolerance);
    assert_true(worst_p < 0.02 * post_pipe_gradient_pa_m(&PIPE) * 0.016);
    assert_true(fabs(stats.area_mm2 / (2 * M_PI * 4 * 14) - 1) < 0.06); /* strips of 1 mm left out, in whole points */
    assert_true(fabs(w.left_out_mm2 - caps * 2 * M_PI * 16) < 2);
    assert_true(w.lost_mm2 == 0);
    free(wss);
    free(p);
    wall_free(&w);
    surface_free(&lumen);
    sampler_free(&s);
    fields_free(&f);
    lattice_free(&l);
}

static void pipe_has_4_mu_u_over_r(void **state) {
    pipe_value(32, 0, 0.001);
    pipe_value(32, 1, 0.001);
    pipe_value(12, 1, 0.004);
    pipe_value(5, 0, 0.03);
    (void)state;
}

/* A surface that encloses what is no fluid (round an obstacle) is read with its triangles turned: the lattice says
 * which side the fluid is on. */
static void surface_may_be_inside_out(void **state) {
    lattice l;
    sampler s;
    surface lumen;
    wall w[2];
    (void)state;
    post_pipe_lattice(&PIPE, 12, &l);
    post_pipe_surface(&PIPE, 48, 0, &lumen);
    assert_int_equal(sampler_create(&s, &l, NULL), OK);
    assert_int_equal(wall_create(&s, &lumen, NULL, NULL, &w[0]), OK);
    for (int64_t t = 0; t < lumen.n_triangle; t++) {
        int32_t *corner = lumen.triangle + 3 * t, first = corner[0];
        corner[0] = corner[1];
        corner[1] = first;
    }
    assert_int_equal(wall_create(&s, &lumen, NULL, NULL, &w[1]), OK);
    assert_int_equal(w[1].shape.n_triangle, w[0].shape.n_triangle);
    for (int64_t k = 0; k < 3 * w[0].shape.n_point; k++)
        assert_true(fabs(w[1].normal[k] - w[0].normal[k]) < 1e-12);
    for (int64_t t = 0; t < w[0].shape.n_triangle; t++)
        assert_true(w[1].shape.triangle[3 * t + 2] == w[0].shape.triangle[3 * t + 1] ||
                    w[1].shape.triangle[3 * t + 2] == w[0].shape.triangle[3 * t + 2]);
    wall_free(&w[0]);
    wall_free(&w[1]);
    surface_free(&lumen);
    sampler_free(&s);
    lattice_free(&l);
}

/* Flow over a tube's wall in a thin layer, as in pulsatile flow: rigid translation minus a layer, u = U (1 - exp(-y/d))
 * along the tube, y the depth. The momentum at the wall gives the pressure gradient: grad_s p = mu (u'' - u'/R). */
typedef struct {
    double radius_mm, depth_mm, speed_m_s, viscosity_pa_s;
} layer;
static void layer_flow(const double p[3], const void *data, double u[3], double *pressure, double stress[6]) {
    const layer *t = data;
    double r = hypot(p[0], p[1]), y = t->radius_mm - r, e = exp(-y / t->depth_mm);
    double slope = t->speed_m_s / (t->depth_mm * 1e-3) * e, at_wall = t->speed_m_s / (t->depth_mm * 1e-3); /* 1/s */
    u[0] = u[1] = 0;
    u[2] = t->speed_m_s * (1 - e);
    for (int a = 0; a < 6; a++)
        stress[a] = 0;
    stress[4] = -t->viscosity_pa_s * slope * p[0] / r;
    stress[5] = -t->viscosity_pa_s * slope * p[1] / r;
    double gradient = t->viscosity_pa_s * (-at_wall / (t->depth_mm * 1e-3) - at_wall / (t->radius_mm * 1e-3));
    *pressure = gradient * p[2] * 1e-3;
}
static double mean_of(const lattice *l, const fields *f, const surface *lumen, const double *strip, int component,
                      double *worst, double exact) {
    sampler s;
    wall w;
    wall_statistics stats;
    assert_int_equal(sampler_create(&s, l, f), OK);
    assert_int_equal(wall_create(&s, lumen, NULL, strip, &w), OK);
    size_t n = (size_t)w.shape.n_point;
    double *wss = malloc(3 * n * sizeof *wss), *p = malloc(n * sizeof *p);
    wall_apply(&w, f, wss, p);
    *worst = 0;
    for (size_t k = 0; k < n; k++) {
        double *t = wss + 3 * k;
        p[k] = component < 3 ? t[component] : sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
        if (w.counted[k])
            *worst = fmax(*worst, fabs(p[k] / exact - 1));
    }
    assert_int_equal(wall_measure(&w, p, &stats), OK);
    free(wss);
    free(p);
    wall_free(&w);
    sampler_free(&s);
    return stats.mean;
}
static void thin_layers_are_followed(void **state) {
    static const post_pipe pipe = {.axis = {0, 0, 1}, .radius_mm = 4, .length_mm = 6, .viscosity_pa_s = 0.0035};
    layer t = {.radius_mm = 4, .speed_m_s = 0.2, .viscosity_pa_s = 0.0035};
    double strip[2] = {1, 1}, worst;
    lattice l;
    surface lumen;
    post_pipe_lattice(&pipe, 32, &l);
    post_pipe_surface(&pipe, 48, 0, &lumen);
    static const double depth_cells[2] = {6, 3}, tolerance[2] = {0.002, 0.006}; /* 1/e within so many cells */
    for (int k = 0; k < 2; k++) {
        fields f;
        t.depth_mm = depth_cells[k] * l.spacing_mm;
        post_fields_make(&l, layer_flow, &t, &f);
        double exact = t.viscosity_pa_s * t.speed_m_s / (t.depth_mm * 1e-3);
        double mean = mean_of(&l, &f, &lumen, strip, 2, &worst, exact);
        printf("layer of %g cells: mean %+.3f %%, worst %.3f %%\n", depth_cells[k], 100 * (mean / exact - 1),
               100 * worst);
        assert_true(fabs(mean / exact - 1) < tolerance[k]);
        fields_free(&f);
    }
    surface_free(&lumen);
    lattice_free(&l);
    (void)state;
}

/* Flow round a bent wall: Couette-like flow in a ring, u_theta = A r + B / r, zero at the outer wall R. There is no
 * pressure gradient along the wall, and t = mu (u' - u / r) = -2 mu B / r^2. */
typedef struct {
    double a, b, viscosity_pa_s; /* 1/s, m2/s */
} ring;
static void ring_flow(const double p[3], const void *data, double u[3], double *pressure, double stress[6]) {
    const ring *g = data;
    double r = hypot(p[0], p[1]), c = p[0] / r, s = p[1] / r, r_m = r * 1e-3, speed = g->a * r_m + g->b / r_m;
    double shear = -2 * g->viscosity_pa_s * g->b / (r_m * r_m); /* sigma_r_theta */
    u[0] = -s * speed;
    u[1] = c * speed;
    u[2] = 0;
    stress[0] = -2 * s * c * shear;
    stress[1] = 2 * s * c * shear;
    stress[2] = stress[4] = stress[5] = 0;
    stress[3] = (c * c - s * s) * shear;
    *pressure = 0;
}
static void curved_walls_turn_the_traction(void **state) {
    static const post_pipe pipe = {.axis = {0, 0, 1}, .radius_mm = 4, .length_mm = 6, .viscosity_pa_s = 0.0035};
    double strip[2] = {1, 1}, worst;
    ring g = {.a = 5, .b = -5 * 16e-6, .viscosity_pa_s = 0.0035}; /* zero at 4 mm */
    lattice l;
    fields f;
    surface lumen;
    post_pipe_lattice(&pipe, 24, &l);
    post_fields_make(&l, ring_flow, &g, &f);
    post_pipe_surface(&pipe, 48, 0, &lumen);
    double exact = 2 * g.viscosity_pa_s * 5;
    double mean = mean_of(&l, &f, &lumen, strip, 3, &worst, exact);
    printf("ring: mean %+.3f %%, worst %.3f %%\n", 100 * (mean / exact - 1), 100 * worst);
    assert_true(fabs(mean / exact - 1) < 0.003);
    fields_free(&f);
    surface_free(&lumen);
    lattice_free(&l);
    (void)state;
}

/* A square duct, its surface as mesh makes it: points where the lines between the cells' centres meet the wall, so that
 * the edges are cut off; `first`: how far the first centre lies inside the walls, cells. */
static void square_surface(double half_mm, double h, double first, surface *out) {
    enum { LAYERS = 9 };
    const int side = (int)floor(2 * half_mm / h - first + 1 - 1e-9), n = 4 * side;
    assert_int_equal(surface_create(out, (int64_t)n * LAYERS, (int64_t)n * (LAYERS - 1) * 2), OK);
    for (int i = 0; i < LAYERS; i++)
        for (int k = 0; k < n; k++) {
            double *p = out->point_mm + 3 * ((int64_t)i * n + k);
            const int face = k / side, at = k % side;
            const double along = h * (first + (face < 2 ? at : side - 1 - at)) - half_mm;
            p[face % 2] = along;
            p[1 - face % 2] = face == 0 || face == 3 ? -half_mm : half_mm;
            p[2] = h * (i - LAYERS / 2);
        }
    int32_t *w = out->triangle;
    for (int32_t k = 0; k < n * (LAYERS - 1); k++) {
        const int32_t next = k % n == n - 1 ? k + 1 - n : k + 1;
        memcpy(w, (const int32_t[6]){k, next, next + n, k, next + n, k + n}, 6 * sizeof *w);
        w += 6;
    }
}

/* Wherever the walls lie between the cells, on their faces and on their centres too, the whole duct has values, and
 * its normals look inwards. */
static void corners_and_walls_on_faces_have_values(void **state) {
    static const double first[] = {0.107, 0.5, 0.5 + 1e-7, 0.5 - 1e-7, 1e-7, 1 - 1e-7, 0.8, 0.3};
    static const double spacing_mm[] = {1.0 / 3, 1.0 / 30 * 7};
    const double half = 2, tall = 3;
    (void)state;
    for (size_t k = 0; k < 2 * sizeof first / sizeof *first; k++) {
        const double h = spacing_mm[k % 2], away = (first[k / 2] - 1.5) * h;
        const shape box = {.kind = SHAPE_BOX, .a = {-half, -half, -tall}, .b = {half, half, tall}};
        const double low[3] = {away - half, away - half, away - tall}, high[3] = {half + h, half + h, tall + h};
        lattice l;
        sampler s;
        surface lumen;
        wall w;
        post_lattice_make(&box, h, low, high, 0, NULL, &l);
        square_surface(half, h, first[k / 2], &lumen);
        assert_int_equal(sampler_create(&s, &l, NULL), OK);
        assert_int_equal(wall_create(&s, &lumen, NULL, NULL, &w), OK);
        printf("duct, first centre %g cells inside: left out %.2f (lost %.2f) of %.2f mm2\n", first[k / 2],
               w.left_out_mm2, w.lost_mm2, surface_area_mm2(&lumen));
        assert_true(w.left_out_mm2 == 0);
        for (int64_t i = 0; i < w.shape.n_point; i++)
            assert_true(w.normal[3 * i] * w.shape.point_mm[3 * i] + w.normal[3 * i + 1] * w.shape.point_mm[3 * i + 1] <
                        0);
        wall_free(&w);
        surface_free(&lumen);
        sampler_free(&s);
        lattice_free(&l);
    }
}

/* The middle of a pipe is porous: no wall shear stress there, and means and maxima as without it. */
static void porous_wall_has_no_stress(void **state) {
    const double exact = 4 * PIPE.viscosity_pa_s * PIPE.mean_m_s / (PIPE.radius_mm * 1e-3), strip[2] = {1, 1}, h = 0.5;
    lattice l;
    fields f;
    sampler s;
    surface lumen;
    wall w;
    wall_statistics stats;
    (void)state;
    post_pipe_lattice(&PIPE, 2 * PIPE.radius_mm / h, &l);
    post_fields_make(&l, post_pipe_flow, &PIPE, &f);
    for (int64_t c = 0; c < l.n_cell; c++) {
        double p[3];
        lattice_centre_mm(&l, c, p);
        vec_add(p, -1, PIPE.point_mm, p);
        l.region[c] = fabs(vec_dot(p, PIPE.axis) - 8) < 2;
        for (int a = 0; a < 6 && l.region[c]; a++)
            f.stress_pa[6 * c + a] *= 30; /* a stress that would spoil every mean */
    }
    post_pipe_surface(&PIPE, 48, 0, &lumen);
    assert_int_equal(sampler_create(&s, &l, &f), OK);
    assert_int_equal(wall_create(&s, &lumen, NULL, strip, &w), OK);
    const size_t n = (size_t)w.shape.n_point;
    double *wss = malloc(3 * n * sizeof *wss), *p = malloc(n * sizeof *p), *own_wss, *own_p, porous_mm2 = 0;
    wall own;
    assert_int_equal(wall_create_for_field(&s, &lumen, NULL, strip, &f, &own, &own_wss, &own_p), OK);
    wall_apply(&w, &f, wss, p);
    for (size_t k = 0; k < n; k++) {
        double d[3];
        vec_add(w.shape.point_mm + 3 * k, -1, PIPE.point_mm, d);
        const double away = fabs(vec_dot(d, PIPE.axis) - 8) - 2;
        assert_true(isfinite(p[k]) && isnan(own_wss[3 * k]) == isnan(wss[3 * k]));
        assert_true(isnan(wss[3 * k]) ? away < 4 * h : away > 0);
        porous_mm2 += isnan(wss[3 * k]) ? w.area_mm2[k] : 0;
        p[k] = vec_length(wss + 3 * k);
    }
    assert_true(porous_mm2 > 2 * M_PI * 4 * 4 && fabs(w.porous_mm2 / porous_mm2 - 1) < 1e-9);
    assert_true(fabs(own.porous_mm2 / porous_mm2 - 1) < 1e-9);
    assert_int_equal(wall_measure(&w, p, &stats), OK);
    assert_true(fabs(stats.mean / exact - 1) < 0.01 && stats.max < 1.05 * exact);
    wall_free(&w);
    wall_free(&own);
    free(wss);
    free(p);
    free(own_wss);
    free(own_p);
    surface_free(&lumen);
    sampler_free(&s);
    fields_free(&f);
    lattice_free(&l);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pipe_has_4_mu_u_over_r),
                                       cmocka_unit_test(surface_may_be_inside_out),
                                       cmocka_unit_test(thin_layers_are_followed),
                                       cmocka_unit_test(curved_walls_turn_the_traction),
                                       cmocka_unit_test(corners_and_walls_on_faces_have_values),
                                       cmocka_unit_test(porous_wall_has_no_stress)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
