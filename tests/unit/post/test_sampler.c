/* SPDX-License-Identifier: Apache-2.0 */
/* Values between cells: exact for quadratic flow, second order for others, one vessel at a time. */
#include "common/base/status.h" /* before cmocka, which has a macro fail */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "post/flow/flow_section.h"
#include "post/sample/block.h"
#include "post/sample/piece.h"
#include "post/sample/sampler.h"
#include "tests/unit/post/post_lattice.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double random_unit(void) {
    return rand() / (double)RAND_MAX;
}

/* Poiseuille flow is quadratic: the fit has it exactly, up to the wall (float fields: 1e-5) */
static void velocity_is_exact_to_the_wall(void **state) {
    lattice l;
    fields f;
    sampler s;
    double worst_u = 0, worst_p = 0;
    post_pipe_lattice(&POST_PIPE, 12, &l);
    post_fields_make(&l, post_pipe_flow, &POST_PIPE, &f);
    assert_int_equal(sampler_create(&s, &l, &f), OK);
    for (int k = 0; k < 2000; k++) {
        double r = POST_PIPE.radius_mm * (k % 2 ? 0.999 : random_unit()), angle = 2 * M_PI * random_unit(),
               z = 0.05 + 13.9 * random_unit();
        double p[3] = {1 + r * cos(angle), 2 + 0.6 * z + 0.8 * r * sin(angle), 3 + 0.8 * z - 0.6 * r * sin(angle)};
        double u[3], pressure, exact[3], exact_p, stress[6];
        int at_opening = z < 1 || z > 13;
        if (!sampler_flow(&s, &f, p, u, &pressure)) {
            assert_true(at_opening && r > 0.99 * POST_PIPE.radius_mm);
            continue;
        }
        post_pipe_flow(p, &POST_PIPE, exact, &exact_p, stress);
        for (int a = 0; a < 3; a++)
            worst_u = fmax(worst_u, fabs(u[a] - exact[a]) * (at_opening ? 0.01 : 1)); /* the rim is harder */
        worst_p = fmax(worst_p, fabs(pressure - exact_p));
    }
    printf("worst velocity error %.2g of the mean, pressure %.2g Pa\n", worst_u / POST_PIPE.mean_m_s, worst_p);
    assert_true(worst_u < 2e-4 * POST_PIPE.mean_m_s);
    assert_true(worst_p < 1e-4);
    sampler_free(&s);
    fields_free(&f);
    lattice_free(&l);
    (void)state;
}

static void distance_is_signed_and_outside_is_outside(void **state) {
    lattice l;
    sampler s;
    double gradient[3], u[3], pressure;
    fields f;
    post_pipe_lattice(&POST_PIPE, 16, &l);
    post_fields_make(&l, post_pipe_flow, &POST_PIPE, &f);
    assert_int_equal(sampler_create(&s, &l, &f), OK);
    for (int k = 0; k < 15; k++) {
        double r = 3.0 + 0.09 * k;
        double p[3] = {1 + r, 2 + 0.6 * 7, 3 + 0.8 * 7};
        assert_true(fabs(sampler_distance_mm(&s, p, gradient) - (r - 4)) < (r < 4.1 ? 0.005 : 0.03));
        assert_true(fabs(gradient[0] - 1) < 0.03);
        assert_int_equal(sampler_flow(&s, &f, p, u, &pressure), r < 4);
    }
    double beyond[3] = {1, 2 - 0.6 * 0.1, 3 - 0.8 * 0.1}, far[3] = {100, 0, 0}, nan[3] = {NAN, 0, 0};
    assert_int_equal(sampler_flow(&s, &f, beyond, u, &pressure), 0);
    assert_true(isnan(pressure));
    assert_int_equal(sampler_flow(&s, &f, far, u, &pressure), 0);
    assert_int_equal(sampler_flow(&s, &f, nan, u, &pressure), 0);
    sampler_free(&s);
    fields_free(&f);
    lattice_free(&l);
    (void)state;
}

/* two channels one and a half cells apart; the flow of one must not show in the other */
static void two_at_once(const double p[3], const void *data, double u[3], double *pressure, double stress[6]) {
    (void)data;
    for (int a = 0; a < 6; a++)
        stress[a] = 0;
    u[0] = u[1] = 0;
    u[2] = p[0] < 0 ? 1 : -1;
    *pressure = p[0] < 0 ? 100 : -100;
}
static void a_vessel_behind_the_wall_takes_no_part(void **state) {
    shape_segment tubes[2] = {{{-2.75, 0, -50}, {-2.75, 0, 50}, 2, 2}, {{2.75, 0, -50}, {2.75, 0, 50}, 2, 2}};
    shape tree = {.kind = SHAPE_TREE, .n_segment = 2, .segment = tubes};
    double low[3] = {-6, -3, -3}, high[3] = {6, 3, 3};
    lattice l;
    fields f;
    sampler s;
    sampler_stencil st;
    post_lattice_make(&tree, 0.5, low, high, 0, NULL, &l);
    post_fields_make(&l, two_at_once, NULL, &f);
    assert_int_equal(sampler_create(&s, &l, &f), OK);
    for (int k = 0; k <= 15; k++) {
        double p[3] = {-1.5 + 0.05 * k, 0.1, 0.2};
        assert_int_equal(sampler_find(&s, SAMPLER_FLOW, p, NULL, &st), 1);
        assert_true(fabs(sampler_apply(&st, f.pressure_pa, 1, 0) - 100) < 1e-3);
    }
    sampler_free(&s);
    fields_free(&f);
    lattice_free(&l);
    (void)state;
}

/* Channel that repeats along x and z: the fluid behind such a face is that of the other side. */
static void nothing_is_beyond_a_face_that_repeats(void **state) {
    const shape channel = {.kind = SHAPE_CHANNEL, .b = {0, 2, 0}};
    const double low[3] = {-3, -3, -3}, high[3] = {3, 3, 3};
    lattice l;
    sampler s;
    (void)state;
    post_lattice_make(&channel, 0.5, low, high, 0, NULL, &l);
    l.periodic[0] = l.periodic[2] = true;
    assert_int_equal(sampler_create(&s, &l, NULL), OK);
    assert_true(sampler_distance_mm(&s, (const double[3]){2.99, 1.2, -2.99}, NULL) < -0.7);
    assert_true(isinf(sampler_distance_mm(&s, (const double[3]){3.2, 1.2, 0}, NULL)));
    assert_true(isinf(sampler_distance_mm(&s, (const double[3]){0, 1.2, -3.2}, NULL)));
    sampler_free(&s);
    lattice_free(&l);
}

/* A box of 10 x 8 x 8 cells with a wall without thickness between the columns 5 and 6 of x. */
static void divided_box(lattice *l) {
    enum { X = 10, Y = 8, Z = 8, WALL = 5 };
    int64_t n = 0;
    assert_int_equal(lattice_create(l, X * Y * Z, X * Y * Z * 18, 0), OK);
    l->spacing_mm = 1;
    for (int a = 0; a < 3; a++)
        l->dims[a] = (const int[3]){X + 2, Y + 2, Z + 2}[a];
    for (int64_t c = 0; c < X * Y * Z; c++) {
        const int32_t at[3] = {1 + (int32_t)(c % X), 1 + (int32_t)(c / X % Y), 1 + (int32_t)(c / X / Y)};
        memcpy(l->cell + 3 * c, at, sizeof at);
        l->distance_mm[c] = -0.5;
        for (int dir = 1; dir < 19; dir++) {
            const int to[3] = {at[0] + lattice_e[dir][0], at[1] + lattice_e[dir][1], at[2] + lattice_e[dir][2]};
            const int leaves = to[0] < 1 || to[0] > X || to[1] < 1 || to[1] > Y || to[2] < 1 || to[2] > Z;
            if (!leaves && (at[0] <= WALL) == (to[0] <= WALL))
                continue;
            l->link_cell[n] = (int32_t)c;
            l->link_dir[n] = (uint8_t)dir;
            l->link_q[n++] = 0.5F;
        }
    }
    l->n_link = n;
    assert_int_equal(lattice_check(l), OK);
}

static void on_both_sides(const double p[3], const void *data, double u[3], double *pressure, double stress[6]) {
    (void)data;
    memset(stress, 0, 6 * sizeof *stress);
    u[0] = u[1] = 0;
    u[2] = p[0] < 5.5 ? 0.1 : -0.2;
    *pressure = p[0] < 5.5 ? 10 : 70;
}

/* A wall thinner than a cell: nothing of one side shows on the other, and a section ends there. */
static void flow_behind_a_thin_wall(void **state) {
    (void)state;
    lattice l;
    fields f;
    sampler s;
    flow_section cut;
    divided_box(&l);
    post_fields_make(&l, on_both_sides, NULL, &f);
    assert_int_equal(sampler_create(&s, &l, &f), OK);
    for (double x = 4.3; x < 6.8; x += 0.4) {
        double u[3], pressure;
        assert_int_equal(sampler_flow(&s, &f, (const double[3]){x, 4.4, 4.7}, u, &pressure), 1);
        assert_true(fabs(pressure - (x < 5.5 ? 10 : 70)) < 1e-3);
        assert_true(x < 5.5 ? u[2] > 0 : u[2] < 0);
    }
    for (int side = 0; side < 2; side++) {
        const double at[3] = {side ? 8 : 3, 4.5, 4.5};
        assert_int_equal(flow_section_measure(&s, &f, at, (const double[3]){0, 0, 1}, 40, &cut), OK);
        printf("side %d: %.1f of 40 mm2, pressure %.2f Pa, flow %.2f mL/s, back %.2f\n", side, cut.area_mm2,
               cut.pressure_pa, cut.flow_ml_s, cut.backflow_ml_s);
        assert_true(fabs(cut.area_mm2 - 40) < 4);
        assert_true(fabs(cut.pressure_pa - (side ? 70 : 10)) < 1); /* of 60 */
        assert_true(side || cut.backflow_ml_s < 0.02 * cut.flow_ml_s);
    }
    sampler_free(&s);
    fields_free(&f);
    lattice_free(&l);
}

/* Cells with holes in every place: whole rows at once, and cell by cell as beside a thin wall, find the same pieces. */
static void pieces_row_by_row_and_cell_by_cell(void **state) {
    (void)state;
    lattice l, full;
    sampler s;
    block rows, cells;
    int cut = 0;
    post_pipe_lattice(&POST_PIPE, 16, &full);
    for (int trial = 0; trial < 40; trial++) {
        l = full;
        l.cell = malloc(3 * (size_t)full.n_cell * sizeof *l.cell);
        l.distance_mm = malloc((size_t)full.n_cell * sizeof *l.distance_mm);
        l.n_cell = l.n_link = 0;
        for (int64_t c = 0; c < full.n_cell; c++)
            if (random_unit() < 0.15 + 0.015 * trial) {
                memcpy(l.cell + 3 * l.n_cell, full.cell + 3 * c, 3 * sizeof *l.cell);
                l.distance_mm[l.n_cell++] = -1;
            }
        assert_int_equal(sampler_create(&s, &l, NULL), OK);
        for (int k = 0; k < 100; k++) {
            double p[3];
            lattice_centre_mm(&l, (int64_t)(random_unit() * (double)(l.n_cell - 1)), p);
            memset(s.web, 0, (size_t)l.n_cell);
            block_find(&s, BLOCK_ACTIVE, INFINITY, p, NULL, &rows);
            memset(s.web, 1, (size_t)l.n_cell);
            block_find(&s, BLOCK_ACTIVE, INFINITY, p, NULL, &cells);
            assert_int_equal(rows.n, cells.n);
            assert_memory_equal(rows.cell, cells.cell, (size_t)rows.n * sizeof *rows.cell);
            assert_memory_equal(rows.offset, cells.offset, (size_t)rows.n * sizeof *rows.offset);
            cut += rows.n < 20;
        }
        sampler_free(&s);
        free(l.cell);
        free(l.distance_mm);
    }
    printf("%d of 4000 pieces have fewer than 20 cells\n", cut);
    assert_true(cut > 400 && cut < 3600);
    lattice_free(&full);
}

/* Every cell takes the smallest label round it, until none changes; then the labels are numbered in order. */
static int flood(const sampler *s, int32_t *label) {
    const lattice *l = s->lattice;
    int n = 0;
    for (int64_t c = 0; c < l->n_cell; c++)
        label[c] = s->active[c] ? (int32_t)c : -1;
    for (bool changed = true; changed;) {
        changed = false;
        for (int64_t c = 0; c < l->n_cell; c++)
            for (int a = 1; a < 19 && label[c] >= 0; a++) {
                const int32_t *at = l->cell + 3 * c;
                const int64_t other = lattice_rows_find(&s->rows, at[0] + lattice_e[a][0], at[1] + lattice_e[a][1],
                                                        at[2] + lattice_e[a][2]);
                if (other >= 0 && label[other] >= 0 && label[other] < label[c]) {
                    label[c] = label[other];
                    changed = true;
                }
            }
    }
    for (int64_t c = 0; c < l->n_cell; c++)
        if (label[c] >= 0)
            label[c] = label[c] == c ? n++ : label[label[c]];
    return n;
}

/* Labels by runs of cells are those cell by cell, where the box repeats, too. */
static void labels_are_those_of_a_flood(void **state) {
    (void)state;
    enum { SIDE = 9 };
    int32_t cell[3 * SIDE * SIDE * SIDE], label[SIDE * SIDE * SIDE], expected[SIDE * SIDE * SIDE];
    float distance[SIDE * SIDE * SIDE];
    int most = 0;
    for (int trial = 0; trial < 160; trial++) {
        lattice l = {.spacing_mm = 1, .dims = {SIDE, SIDE, SIDE}, .cell = cell, .distance_mm = distance};
        sampler s;
        int n;
        for (int a = 0; a < 3; a++)
            l.periodic[a] = trial >> a & 1;
        for (int k = 0; k < SIDE * SIDE * SIDE; k++)
            if (random_unit() < 0.04 + 0.003 * trial) {
                const int at[3] = {k % SIDE, k / SIDE % SIDE, k / SIDE / SIDE};
                for (int a = 0; a < 3; a++)
                    cell[3 * l.n_cell + a] = at[a];
                distance[l.n_cell++] = random_unit() < 0.1 ? 1 : -1;
            }
        assert_int_equal(sampler_create(&s, &l, NULL), OK);
        assert_int_equal(piece_label(&s, label, &n), OK);
        assert_int_equal(flood(&s, expected), n);
        assert_memory_equal(label, expected, (size_t)l.n_cell * sizeof *label);
        most = n > most ? n : most;
        sampler_free(&s);
    }
    assert_true(most > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flow_behind_a_thin_wall),
        cmocka_unit_test(velocity_is_exact_to_the_wall),
        cmocka_unit_test(distance_is_signed_and_outside_is_outside),
        cmocka_unit_test(a_vessel_behind_the_wall_takes_no_part),
        cmocka_unit_test(nothing_is_beyond_a_face_that_repeats),
        cmocka_unit_test(pieces_row_by_row_and_cell_by_cell),
        cmocka_unit_test(labels_are_those_of_a_flood),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
