/* SPDX-License-Identifier: Apache-2.0 */
/* The solver's view of the lattice: neighbours, runs, links, openings. */
#include "common/base/status.h" /* before cmocka.h, which has a macro fail() */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include "mesh/cells/voxelize.h"
#include "common/case/case.h"
#include "tests/unit/near.h"
#include "tests/unit/solve/solve_flow.h"

/* Every neighbour that the runs describe, against a look-up in the box; runs cover all cells once, in order. */
static void check_neighbours(const lattice *l, const domain *d) {
    lattice_rows rows;
    int32_t *neighbour = malloc((size_t)d->n_cell * sizeof *neighbour),
            *active = malloc((size_t)l->n_cell * sizeof *active);
    int64_t next = 0;
    assert_non_null(neighbour);
    assert_non_null(active);
    assert_int_equal(lattice_rows_create(&rows, l), OK);
    memset(active, 0xff, (size_t)l->n_cell * sizeof *active);
    for (int64_t c = 0; c < d->n_cell; c++)
        active[d->stored[c]] = (int32_t)c;
    for (int64_t n = 0; n < d->n_run; n++) {
        assert_int_equal(d->run[n].first, next);
        assert_in_range(d->run[n].count, 1, DOMAIN_RUN_MAX);
        next += d->run[n].count;
    }
    assert_int_equal(next, d->n_cell);
    for (int a = 1; a < 19; a++) {
        domain_neighbours(d, a, 0, d->n_cell, neighbour);
        for (int64_t c = 0; c < d->n_cell; c++) {
            const int32_t *p = d->position + 3 * c;
            const int64_t from =
                lattice_rows_find(&rows, p[0] - lattice_e[a][0], p[1] - lattice_e[a][1], p[2] - lattice_e[a][2]);
            assert_int_equal(neighbour[c], from < 0 ? -1 : active[from]);
        }
    }
    int64_t k = 0; /* cut links: exactly the missing neighbours, sorted */
    for (int64_t c = 0; c < d->n_cell; c++)
        for (int i = 1; i < 19; i++) {
            domain_neighbours(d, lattice_opposite(i), c, 1, neighbour);
            if (neighbour[0] >= 0)
                continue;
            assert_true(k < d->n_link);
            assert_int_equal(d->link[k].cell, c);
            assert_int_equal(d->link[k++].dir, i);
        }
    assert_int_equal(k, d->n_link);
    lattice_rows_free(&rows);
    free(neighbour);
    free(active);
}

static void random_solids(void **state) {
    (void)state;
    const int dims[4][3] = {{9, 7, 8}, {300, 3, 2}, {1, 6, 5}, {5, 1, 1}};
    for (int k = 0; k < 8; k++) {
        lattice l = flow_random_solids(dims[k / 2], k % 2, 17u + (unsigned)k);
        domain d;
        assert_int_equal(domain_create(&l, DOMAIN_WALL_VLBM, NULL, &d), OK);
        check_neighbours(&l, &d);
        domain_free(&d);
        lattice_free(&l);
    }
}

static double distance(const void *data, const double p[3]) {
    return shape_distance_mm(data, p);
}

static lattice tube(void) {
    const shape s = {.kind = SHAPE_CYLINDER, .a = {0.3, 0.2, 0}, .b = {0.9, 0.4, 3}, .radius = {5}};
    static mesh_opening o[2] = {
        {.name = "in", .role = LATTICE_INLET, .point_mm = {-1.7, -0.47, -10}, .normal = {-0.6, -0.2, -3}},
        {.name = "out", .role = LATTICE_OUTLET, .point_mm = {2.3, 0.87, 10}, .normal = {0.6, 0.2, 3}}};
    voxelize_input in = {.distance = distance, .data = &s, .spacing_mm = 0.8, .n_opening = 2, .opening = o};
    lattice l;
    assert_int_equal(voxelize_box(&in, (double[3]){-9, -8, -13}, (double[3]){9, 8, 13}), OK);
    assert_int_equal(voxelize(&in, &l, NULL), OK);
    return l;
}

/* An oblique inlet: the links' flux is the opening's area, the weights sum to 1, distances are kept at the wall. */
static void openings_and_walls(void **state) {
    (void)state;
    lattice l = tube();
    const domain_condition condition[2] = {{.kind = DOMAIN_FLOW}, {.kind = DOMAIN_PRESSURE}};
    for (int wall = 0; wall < 2; wall++) {
        domain d;
        double sum = 0;
        assert_int_equal(domain_create(&l, wall, condition, &d), OK);
        check_neighbours(&l, &d);
        for (int64_t k = 0; k < d.n_link; k++) {
            const domain_link *link = &d.link[k];
            assert_true(link->q > 0 && link->q <= 1);
            if (link->opening == 1)
                sum += link->weight * (d.fluid ? (double)d.fluid[link->cell] : 1.0);
            if (link->opening || wall == DOMAIN_WALL_VLBM)
                assert_near(link->q, 0.5, 0);
        }
        assert_near(sum, 1, 1e-5);
        assert_near(d.opening[0].link_flux * 0.64 / l.opening[0].area_mm2, 1, 0.03);
        assert_near(lattice_profile_peak(&l.opening[0]), 2, 0.1); /* of a circle's developed profile */
        assert_int_equal(d.n_partial > 0, wall == DOMAIN_WALL_VLBM);
        domain_free(&d);
    }
    lattice_free(&l);
}

/* What a link through an inlet gives is 6 w e.u in a flow of 1 with the velocity at its middle and 2 e_t^2 / D^2 of the
 * mean more, e_t across the tube. Some links of the rim lead from the inlet to the wall. */
static void inlet_gives_a_parabola(void **state) {
    (void)state;
    lattice l = tube();
    const domain_condition condition[2] = {{.kind = DOMAIN_FLOW, .profile = PROFILE_DEVELOPED},
                                           {.kind = DOMAIN_PRESSURE}};
    const lattice_opening *o = &l.opening[0];
    const double radius = 5 / l.spacing_mm, area = o->area_mm2 / pow(l.spacing_mm, 2);
    int to_wall = 0;
    domain d;
    assert_int_equal(domain_create(&l, DOMAIN_WALL_INTERPOLATED, condition, &d), OK);
    for (int64_t k = 0; k < d.n_link; k++) {
        const domain_link *link = &d.link[k];
        double p[3], along = 0, square = 0, from_axis = 0, forward = 0;
        if (link->opening != 1)
            continue;
        lattice_centre_mm(&l, d.stored[link->cell], p);
        for (int a = 0; a < 3; a++) {
            p[a] = (p[a] - o->centre_mm[a]) / l.spacing_mm + 0.5 * lattice_e[link->dir][a];
            along += p[a] * o->normal[a];
            square += p[a] * p[a];
            forward += lattice_e[link->dir][a] * o->normal[a]; /* out of the fluid */
        }
        from_axis = (square - along * along) / (radius * radius);
        const double across = (link->dir < 7 ? 1 : 2) - forward * forward;
        const double u = 2 * (1 - from_axis) + across / (2 * radius * radius);
        const double given = link->weight * area / (6 * (link->dir < 7 ? 1.0 / 18 : 1.0 / 36) * forward);
        assert_true(fabs(given - u) * fabs(forward) < 0.012);
        to_wall += forward < 0;
    }
    assert_in_range(to_wall, 5, 40);
    domain_free(&d);
    lattice_free(&l);
}

/* The momentum that a plug brings through an oblique plane is rho (u.n)^2 of it, u one over the vessel's area in a flow
 * of 1; links through the plane that lie across the vessel count with u^2, though they give no velocity. */
static void momentum_through_an_oblique_plane(void **state) {
    (void)state;
    const shape s = {.kind = SHAPE_CYLINDER, .a = {0.3, 0.2, 0}, .b = {0.3, 0.2, 1}, .radius = {5}};
    const double normal[][3] = {{0, 0, -1}, {0, 0.5, -0.866}, {0.3, 0.4, -0.866}, {0.6, 0, -0.8}};
    for (int k = 0; k < 4; k++) {
        mesh_opening o[2] = {{.name = "in", .role = LATTICE_INLET, .point_mm = {0.3, 0.2, -8}, .along = {0, 0, -1}},
                             {.name = "out", .role = LATTICE_OUTLET, .point_mm = {0.3, 0.2, 8}, .normal = {0, 0, 1}}};
        memcpy(o[0].normal, normal[k], sizeof normal[k]);
        voxelize_input in = {.distance = distance, .data = &s, .spacing_mm = 0.5, .n_opening = 2, .opening = o};
        const domain_condition condition[2] = {{.kind = DOMAIN_FLOW, .profile = PROFILE_PLUG}, {DOMAIN_PRESSURE}};
        lattice l;
        domain d;
        assert_int_equal(voxelize_box(&in, (double[3]){-6, -6, -14}, (double[3]){6, 6, 10}), OK);
        assert_int_equal(voxelize(&in, &l, NULL), OK);
        assert_int_equal(domain_create(&l, DOMAIN_WALL_INTERPOLATED, condition, &d), OK);
        assert_near(d.opening[0].carried * pow(d.opening[0].link_flux, 2), 3 * pow(normal[k][2], 2), 0.04);
        domain_free(&d);
        lattice_free(&l);
    }
}

/* The slip is taken off the developed profile alike everywhere: the flow stays, the middle gets what the rim loses. */
static void slip_sharpens_the_profile(void **state) {
    (void)state;
    lattice l = tube();
    const double slips[2] = {0, 0.12};
    double sum[2] = {0, 0}, most[2] = {0, 0}, least[2] = {0, 0};
    for (int n = 0; n < 2; n++) {
        const domain_condition condition[2] = {{.kind = DOMAIN_FLOW, .profile = PROFILE_DEVELOPED, .slip = slips[n]},
                                               {.kind = DOMAIN_PRESSURE}};
        domain d;
        assert_int_equal(domain_create(&l, DOMAIN_WALL_INTERPOLATED, condition, &d), OK);
        for (int64_t k = 0; k < d.n_link; k++)
            if (d.link[k].opening == 1 && d.link[k].dir == 6) { /* out, nearly along the tube */
                least[n] = fmin(least[n], d.link[k].weight);
                most[n] = fmax(most[n], d.link[k].weight);
            }
        for (int64_t k = 0; k < d.n_link; k++)
            sum[n] += d.link[k].opening == 1 ? d.link[k].weight : 0;
        assert_near(sum[n], 1, 1e-5);
        domain_free(&d);
    }
    const double radius = l.opening[0].radius_mm / l.spacing_mm, slip = 8 * 0.12 / (radius * radius);
    assert_true(least[0] > -0.005 * most[0] && least[1] > -slip * most[1]); /* the rim may lose more than it has */
    assert_near(most[1] / most[0], (1 - slip / 2) / (1 - slip), 0.1 * slip);
    lattice_free(&l);
}

/* A lattice that lacks the wall distance of a link is refused. */
static void incomplete_is_refused(void **state) {
    (void)state;
    lattice l = tube();
    const domain_condition condition[2] = {{.kind = DOMAIN_FLOW}, {.kind = DOMAIN_PRESSURE}};
    domain d;
    int64_t k = l.n_link / 2;
    while (l.link_opening[k])
        k++;
    memmove(l.link_cell + k, l.link_cell + k + 1, (size_t)(l.n_link - k - 1) * sizeof *l.link_cell);
    memmove(l.link_dir + k, l.link_dir + k + 1, (size_t)(l.n_link - k - 1));
    memmove(l.link_q + k, l.link_q + k + 1, (size_t)(l.n_link - k - 1) * sizeof *l.link_q);
    memmove(l.link_opening + k, l.link_opening + k + 1, (size_t)(l.n_link - k - 1));
    l.n_link--;
    assert_int_equal(domain_create(&l, DOMAIN_WALL_INTERPOLATED, condition, &d), ERR_INPUT);
    assert_non_null(strstr(status_message(), "no wall distance"));
    status_clear();
    lattice_free(&l);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_solids),
                                       cmocka_unit_test(openings_and_walls),
                                       cmocka_unit_test(inlet_gives_a_parabola),
                                       cmocka_unit_test(momentum_through_an_oblique_plane),
                                       cmocka_unit_test(slip_sharpens_the_profile),
                                       cmocka_unit_test(incomplete_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
