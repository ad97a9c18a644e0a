/* SPDX-License-Identifier: Apache-2.0 */
/* Values along the branches: a pipe at an angle against closed form, and a bifurcation whose branches each carry
 * Poiseuille flow. */
#include "common/base/status.h" /* before cmocka, which has a macro fail */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "common/base/vec.h"
#include "post/flow/along.h"
#include "tests/unit/post/post_lattice.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double DENSITY = 1060;

static void assert_within(double value, double exact, double part) {
    if (!(fabs(value - exact) <= part * fabs(exact)))
        printf("%.6g, exact %.6g\n", value, exact);
    assert_true(fabs(value - exact) <= part * fabs(exact));
}

static double *magnitudes(const wall *w, const double *wss) {
    double *size = malloc(((size_t)w->shape.n_point + 1) * sizeof *size);
    for (int64_t k = 0; k < w->shape.n_point; k++)
        size[k] = vec_length(wss + 3 * k);
    return size;
}

static void check_pipe(const post_pipe *pipe, const along_values *a) {
    const double slope = post_pipe_gradient_pa_m(pipe) * 1e-3, area = M_PI * pow(pipe->radius_mm, 2);
    const double wss = 4 * pipe->viscosity_pa_s * pipe->mean_m_s / (pipe->radius_mm * 1e-3);
    assert_true(a->n >= 6);
    for (int k = 0; k < a->n; k++) {
        const along_station *t = &a->station[k];
        const double static_pa = slope * (pipe->length_mm - t->arc_mm);
        assert_within(t->area_mm2, area, 0.01);
        assert_within(t->diameter_mm, 2 * pipe->radius_mm, 0.005);
        assert_within(t->flow_ml_s, area * pipe->mean_m_s, 0.01);
        assert_within(t->mean_velocity_m_s, pipe->mean_m_s, 0.01);
        assert_true(fabs(t->pressure_pa - static_pa) < 0.01 * slope * pipe->length_mm);
        /* a parabolic profile carries twice the kinetic energy of its mean velocity */
        assert_within(t->total_pressure_pa - t->pressure_pa, DENSITY * pow(pipe->mean_m_s, 2), 0.02);
        assert_within(t->wss_mean_pa, wss, 0.01);
        assert_within(t->wss_min_pa, wss, 0.03);
        assert_within(t->wss_max_pa, wss, 0.03);
        assert_true(t->wss_min_pa <= t->wss_mean_pa && t->wss_mean_pa <= t->wss_max_pa);
        assert_true(k == 0 || t->arc_mm > t[-1].arc_mm);
    }
    const along_station *first = &a->station[0], *last = &a->station[a->n - 1];
    assert_within((first->pressure_pa - last->pressure_pa) / (last->arc_mm - first->arc_mm), slope, 0.01);
}

static void pipe_at_an_angle(void **state) {
    static const post_pipe pipe = {.point_mm = {1, 2, 3},
                                   .axis = {0.36, 0.48, 0.8},
                                   .radius_mm = 4,
                                   .length_mm = 30,
                                   .mean_m_s = 0.1,
                                   .viscosity_pa_s = 0.0035};
    lattice l;
    fields f;
    sampler s;
    surface lumen;
    wall w;
    vessel_branches b;
    along_values a;
    double *wss, *pressure, point[3], tangent[3];
    post_pipe_lattice(&pipe, 16, &l);
    post_fields_make(&l, post_pipe_flow, &pipe, &f);
    post_pipe_surface(&pipe, 48, 0, &lumen);
    assert_int_equal(sampler_create(&s, &l, &f), OK);
    assert_int_equal(wall_create_for_field(&s, &lumen, NULL, NULL, &f, &w, &wss, &pressure), OK);
    double *size = magnitudes(&w, wss);
    assert_int_equal(branches_find(&l, NAN, &b), OK);
    assert_int_equal(b.line.n_branch, 1);
    assert_string_equal(b.name[0], "in-out");
    assert_within(b.line.branch[0].length_mm, 30, 0.005);
    assert_int_equal(branches_number(&b, "in-out"), 0);
    assert_int_equal(branches_number(&b, "out"), -1);
    assert_true(branches_place(&b, 0, 15, point, tangent));
    for (int i = 0; i < 3; i++)
        assert_true(fabs(point[i] - pipe.point_mm[i] - 15 * pipe.axis[i]) < 0.1);
    assert_true(vec_dot(tangent, pipe.axis) > 0.999);
    assert_int_equal(along_measure(&s, &f, &w, size, DENSITY, &b, &a), OK);
    check_pipe(&pipe, &a);
    along_free(&a);
    /* porous tissue in the middle third */
    for (int64_t i = 0; i < l.n_cell; i++) {
        double p[3];
        lattice_centre_mm(&l, i, p);
        vec_add(p, -1, pipe.point_mm, p);
        l.region[i] = fabs(vec_dot(p, pipe.axis) - 15) < 5;
    }
    assert_int_equal(along_measure(&s, &f, &w, size, DENSITY, &b, &a), OK);
    for (int k = 0; k < a.n; k++) {
        const along_station *t = &a.station[k];
        const double away = fabs(t->arc_mm - 15) - 5;
        assert_true(t->porous ? away < 4 * l.spacing_mm : away > 0);
        assert_true(isfinite(t->pressure_pa) && isfinite(t->area_mm2) && isnan(t->flow_ml_s) == t->porous &&
                    isnan(t->mean_velocity_m_s) == t->porous && isnan(t->total_pressure_pa) == t->porous);
    }
    assert_true(a.n > 6 && a.station[a.n / 2].porous && !a.station[0].porous && !a.station[a.n - 1].porous);
    along_free(&a);
    branches_free(&b);
    wall_free(&w);
    free(wss);
    free(pressure);
    free(size);
    surface_free(&lumen);
    sampler_free(&s);
    fields_free(&f);
    lattice_free(&l);
    (void)state;
}

/* Two veins that join, as the portal vein: pipes a and b end where the trunk begins. */
enum { PIPES = 3 };
static const post_pipe JOIN[PIPES] = {{{-12, -18, 0}, {0.5547002, 0.8320503, 0}, 3, 21.633308, 0.1, 0.0035},
                                      {{14, -16, 3}, {-0.65196, 0.7450971, -0.1397057}, 2.5, 21.4709, 0.12, 0.0035},
                                      {{0, 0, 0}, {0, 1, 0}, 4, 24, 0.1, 0.0035}};

static double pipe_flow(int k) {
    return M_PI * pow(JOIN[k].radius_mm, 2) * JOIN[k].mean_m_s;
}

/* Poiseuille flow of the pipe whose axis is nearest, measured in radii. */
static void join_flow(const double p[3], const void *data, double u[3], double *pressure, double stress[6]) {
    int best = 0;
    double least = INFINITY;
    (void)data;
    for (int k = 0; k < PIPES; k++) {
        double d[3], r[3];
        vec_add(p, -1, JOIN[k].point_mm, d);
        const double z = fmin(fmax(vec_dot(d, JOIN[k].axis), 0), JOIN[k].length_mm);
        vec_add(d, -z, JOIN[k].axis, r);
        const double away = vec_length(r) / JOIN[k].radius_mm;
        if (away < least) {
            least = away;
            best = k;
        }
    }
    post_pipe_flow(p, &JOIN[best], u, pressure, stress);
}

static void flow_is_that_of_the_branch(void **state) {
    shape_segment segment[PIPES];
    post_opening o[PIPES];
    static const char *const name[PIPES] = {"SMV", "SV", "PV"};
    double from_mm[3];
    lattice l;
    fields f;
    sampler s;
    vessel_branches b;
    along_values a;
    const wall none = {.left_out_mm2 = 0};
    int found[PIPES] = {0};
    for (int k = 0; k < PIPES; k++) {
        const post_pipe *p = &JOIN[k];
        const double outer = k == 2 ? p->length_mm : 0, sign = k == 2 ? 1 : -1;
        shape_segment *g = &segment[k];
        vec_add(p->point_mm, k == 2 ? 0 : -10, p->axis, from_mm); /* the tree goes on beyond its openings */
        memcpy(g->a, from_mm, sizeof from_mm);
        vec_add(p->point_mm, p->length_mm + (k == 2 ? 10 : 0), p->axis, g->b);
        g->radius_a = g->radius_b = p->radius_mm;
        o[k] =
            (post_opening){.name = name[k], .role = k == 2 ? LATTICE_OUTLET : LATTICE_INLET, .radius_mm = p->radius_mm};
        vec_add(p->point_mm, outer, p->axis, o[k].centre_mm);
        for (int i = 0; i < 3; i++)
            o[k].normal[i] = sign * p->axis[i];
    }
    const shape tree = {.kind = SHAPE_TREE, .n_segment = PIPES, .segment = segment};
    const double low[3] = {-18, -23, -7}, high[3] = {19, 26, 8};
    post_lattice_make(&tree, 0.45, low, high, PIPES, o, &l);
    post_fields_make(&l, join_flow, NULL, &f);
    assert_int_equal(sampler_create(&s, &l, &f), OK);
    assert_int_equal(branches_find(&l, NAN, &b), OK);
    assert_int_equal(b.line.n_branch, PIPES);
    assert_int_equal(along_measure(&s, &f, &none, NULL, DENSITY, &b, &a), OK);
    for (int k = 0; k < a.n; k++) {
        const along_station *t = &a.station[k];
        for (int i = 0; i < PIPES; i++)
            if (strcmp(b.name[t->branch], name[i]) == 0) {
                assert_within(t->flow_ml_s, pipe_flow(i), 0.01); /* positive: every branch runs with the flow */
                assert_within(t->area_mm2, M_PI * pow(JOIN[i].radius_mm, 2), 0.01);
                found[i]++;
            }
        assert_true(isnan(t->wss_mean_pa)); /* there is no wall */
    }
    printf("%d, %d and %d planes\n", found[0], found[1], found[2]);
    for (int i = 0; i < PIPES; i++)
        assert_true(found[i] >= 3);
    assert_int_equal(found[0] + found[1] + found[2], a.n);
    along_free(&a);
    branches_free(&b);
    sampler_free(&s);
    fields_free(&f);
    lattice_free(&l);
    (void)state;
}

static void without_openings(void **state) {
    lattice l;
    vessel_branches b;
    along_values a;
    const wall none = {.left_out_mm2 = 0};
    assert_int_equal(lattice_create(&l, 1, 0, 0), OK);
    assert_int_equal(branches_find(&l, NAN, &b), OK);
    assert_true(b.line.n_branch == 0 && b.why[0] != '\0');
    assert_int_equal(along_measure(NULL, NULL, &none, NULL, DENSITY, &b, &a), OK);
    assert_int_equal(a.n, 0);
    along_free(&a);
    branches_free(&b);
    lattice_free(&l);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pipe_at_an_angle),
        cmocka_unit_test(flow_is_that_of_the_branch),
        cmocka_unit_test(without_openings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
