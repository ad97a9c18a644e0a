/* SPDX-License-Identifier: Apache-2.0 */
/* The GPU's index of a domain, on the host: neighbours, cut links, partial links. */
#include "common/base/status.h" /* before cmocka.h, which has a macro fail() */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include "solve/cuda/cuda_order.h"
#include "solve/cuda/cuda_pack.h"
#include "tests/backend/backend_case.h"
#include "tests/unit/solve/solve_flow.h"

static void check_neighbours(const domain *d, const pack *p) {
    int32_t *from = malloc((size_t)d->n_cell * sizeof *from);
    for (int b = 1; b < d->directions; b++) {
        domain_neighbours(d, lattice_opposite(b), 0, d->n_cell, from);
        for (int64_t c = 0; c < d->n_cell; c++) {
            const int64_t to = pack_neighbour(p, c, b);
            assert_int_equal(to, from[c]);
            if (to >= 0) /* what the update in place relies on */
                assert_true(llabs(to / PACK_LANES - c / PACK_LANES) < p->reach);
        }
    }
    free(from);
}

/* Every link through an opening is in one passage of its group, with its weight; and nothing else is in them. */
static void check_openings(const domain *d, const pack *p) {
    int64_t links = 0, lanes = 0, passages = 0, opened = 0;
    for (int64_t k = 0; k < d->n_link; k++) {
        const int o = d->link[k].opening - 1, lane = d->link[k].cell % PACK_LANES;
        const int a = lattice_opposite(d->link[k].dir), kind = o >= 0 ? d->opening[o].kind : 0;
        const bool site = o >= 0 && d->opening[o].on_site;
        const uint32_t flag = site && kind == DOMAIN_PRESSURE ? PACK_SITE | PACK_SITE_PRESSURE
                              : site                          ? PACK_SITE
                              : kind == DOMAIN_FLOW           ? PACK_FLOW
                              : kind == DOMAIN_PRESSURE       ? PACK_PRESSURE
                                                              : 0;
        int found = 0;
        if (o < 0)
            continue;
        const uint32_t group = (uint32_t)(d->link[k].cell / PACK_LANES);
        opened += p->opened[opened].group < group;
        const pack_opened *g = &p->opened[opened];
        assert_int_equal(g->group, group);
        assert_int_equal(g->number, opened);
        for (uint32_t n = g->passage; n < g->passage + g->n_passage; n++) {
            const pack_passage *e = &p->passage[n];
            if ((e->opening & PACK_OPENING) != (uint32_t)o)
                continue;
            found++;
            assert_int_equal(e->opening & ~(uint32_t)PACK_OPENING, flag);
            assert_true((e->dirs >> a & 1) && (e->in[lane] >> a & 1));
            const uint32_t row = e->row + (uint32_t)__builtin_popcount(e->dirs & ((1u << a) - 1));
            const float *weight = p->weight + PACK_LANES * (size_t)row * (size_t)(1 + d->n_pulse) + lane;
            if (flag != PACK_PRESSURE)
                assert_true(*weight == d->link[k].weight);
            for (int j = 0; j < d->n_pulse && flag == PACK_FLOW; j++)
                assert_true(weight[PACK_LANES * (j + 1)] == d->pulse_weight[d->link[k].pulse + j]);
        }
        assert_int_equal(found, 1);
        links++;
    }
    for (int64_t n = 0; n < p->n_passage; n++) {
        passages += p->passage[n].links;
        for (int lane = 0; lane < PACK_LANES; lane++)
            lanes += __builtin_popcount(p->passage[n].in[lane]);
    }
    assert_int_equal(links, passages);
    assert_int_equal(links, lanes);
    assert_int_equal(p->n_opened, links ? opened + 1 : 0);
}

/* Words of links and partial links give back what they were made of. */
static void check_words(const domain *d, const pack *p) {
    int64_t k = 0, m = 0, opened = 0, words = 0;
    for (int64_t n = 0; n < p->n_group; n++) {
        const pack_group *g = &p->group[n];
        assert_int_equal(g->link, words);
        for (uint32_t j = 0; j < (g->counts & 1023); j++, k++) {
            const uint32_t word = p->link[words++];
            while (k < d->n_link && d->link[k].opening && d->link[k].q == 0.5f)
                k++;
            assert_int_equal(n * PACK_LANES + (word >> PACK_LINK_LANE & 31), d->link[k].cell);
            assert_int_equal(word >> PACK_LINK_DIR & 31, d->link[k].dir);
            assert_int_equal(word >> PACK_LINK_SPECIAL, d->link[k].opening != 0);
            assert_true(fabs(((word & (PACK_LINK_Q - 1)) + 1.0) / PACK_LINK_Q - d->link[k].q) < 1e-6);
        }
        if (g->counts & (PACK_THROUGH | PACK_MOVING)) {
            assert_int_equal(p->rare[g->rare].opened, opened);
            assert_int_equal(p->opened[opened++].group, n);
        }
        for (uint32_t j = 0; j < (g->counts >> 10 & 1023); j++, m++) {
            const uint32_t word = p->partial[m];
            const double own = (word & 511) + 1, its = (word >> PACK_PARTIAL_NEIGHBOUR & 511) + 1;
            assert_int_equal(n * PACK_LANES + (word >> PACK_PARTIAL_LANE & 31), d->partial[m].cell);
            assert_int_equal(word >> PACK_PARTIAL_DIR & 31, d->partial[m].dir);
            assert_true(fabs((own - its) / own - d->partial[m].theta) < 1e-7);
        }
    }
    while (k < d->n_link && d->link[k].opening && d->link[k].q == 0.5f)
        k++;
    assert_int_equal(k, d->n_link);
    assert_int_equal(words, p->n_link);
    assert_int_equal(m, d->n_partial);
    assert_int_equal(opened, p->n_opened);
}

static int64_t quadratic; /* number of quadratic links that check_behind has seen */

/* A quadratic wall names the cell one step (q > 1/2) or two steps (q < 1/2) behind its own; any other link none. */
static void check_behind(const domain *d, const pack *p) {
    assert_true((p->behind != NULL) == (d->directions == LATTICE_D3Q27));
    for (int64_t n = 0; p->behind && n < p->n_group; n++)
        for (uint32_t k = p->group[n].link; k < p->group[n].link + (p->group[n].counts & 1023); k++) {
            const uint32_t word = p->link[k], lane = word >> PACK_LINK_LANE & 31;
            const int out = (int)(word >> PACK_LINK_DIR & 31), back = lattice_opposite(out);
            const int64_t next = pack_neighbour(p, n * PACK_LANES + lane, back),
                          third = next < 0 ? -1 : pack_neighbour(p, next, back);
            const double q = ((word & (PACK_LINK_Q - 1)) + 1.0) / PACK_LINK_Q;
            const int64_t wanted = third < 0 || q == 0.5 || word >> PACK_LINK_SPECIAL ? PACK_NO_CELL
                                   : q < 0.5                                          ? third
                                                                                      : next;
            assert_int_equal(p->behind[k], wanted);
            quadratic += wanted != PACK_NO_CELL;
            if (wanted != PACK_NO_CELL)
                assert_true(llabs(wanted / PACK_LANES - n) < p->reach);
        }
}

/* What is foreseen is at least what there is. */
static void check_bytes(const domain *d, const pack *p) {
    const double there = (double)p->n_group * sizeof *p->group + (double)p->n_more * sizeof *p->more +
                         4.0 * (double)(p->n_wall + p->n_link + p->n_partial + (p->behind ? p->n_link : 0)) +
                         (double)p->n_rare * sizeof *p->rare + (double)p->n_opened * sizeof *p->opened +
                         (double)p->n_passage * sizeof *p->passage + 4.0 * PACK_LANES * (double)p->n_row +
                         4.0 * (p->directions - 1) * (double)p->n_explicit;
    assert_true(pack_bytes(d) >= there);
}

static void check_pack(const domain *d, pack *p) {
    assert_int_equal(pack_create(d, p), OK);
    check_neighbours(d, p);
    check_words(d, p);
    check_behind(d, p);
    check_openings(d, p);
    check_bytes(d, p);
}

/* --- in the order of the GPU ------------------------------------------------------------------------------------- */

/* Every cell once, and the way back; in a chunk those with an opening first, each kind in the domain's order. */
static void check_order(const domain *d, int64_t chunk, const cell_order *o, const cell_order *inverse) {
    int64_t to = 0;
    bool *opened = calloc((size_t)d->n_cell, sizeof *opened);
    for (int64_t k = 0; k < d->n_link; k++)
        opened[d->link[k].cell] |= d->link[k].opening != 0;
    for (int64_t n = 0; n < o->n; to += o->piece[n++].count)
        assert_int_equal(o->piece[n].to, to);
    assert_int_equal(to, d->n_cell);
    for (to = 0; to < d->n_cell; to++) {
        const int64_t c = order_from(o, to), before = to ? order_from(o, to - 1) : -1;
        assert_int_equal(order_from(inverse, c), to);
        assert_int_equal(c / chunk, to / chunk);
        if (to % chunk)
            assert_true(opened[before] == opened[c] ? before < c : opened[before]);
    }
    free(opened);
}

/* The cells of the domain have their neighbours, links and fluid wherever they are on the GPU. */
static void check_moved(const domain *d, const cell_order *o, const domain *g, const pack *p) {
    int32_t *from = malloc((size_t)d->n_cell * sizeof *from);
    for (int b = 1; b < d->directions; b++) {
        domain_neighbours(d, lattice_opposite(b), 0, d->n_cell, from);
        for (int64_t to = 0; to < d->n_cell; to++) {
            const int64_t neighbour = pack_neighbour(p, to, b);
            assert_int_equal(neighbour < 0 ? -1 : order_from(o, neighbour), from[order_from(o, to)]);
        }
    }
    free(from);
    for (int64_t to = 0; d->fluid && to < d->n_cell; to++)
        assert_true(g->fluid[to] == d->fluid[order_from(o, to)]);
}

/* All entries of the domain's cell in its order: fails at the first link or partial link that is not next. */
static void check_entries(const domain *d, const cell_order *o, const domain *g) {
    int64_t *link = malloc((size_t)(d->n_cell + 1) * sizeof *link),
            *partial = calloc((size_t)d->n_cell + 1, sizeof *partial);
    for (int64_t c = 0, k = 0; c <= d->n_cell; link[c++] = k)
        while (k < d->n_link && d->link[k].cell < c)
            k++;
    for (int64_t c = 0; c <= d->n_cell; c++)
        partial[c] = order_partial(d, c);
    for (int64_t to = 0, k = 0, m = 0; to < d->n_cell; to++) {
        const int64_t c = order_from(o, to);
        for (int64_t n = link[c]; n < link[c + 1]; n++, k++) {
            const domain_link x = g->link[k], y = d->link[n];
            assert_int_equal(x.cell, to);
            assert_true(x.dir == y.dir && x.opening == y.opening && x.q == y.q && x.weight == y.weight);
        }
        for (int64_t n = partial[c]; n < partial[c + 1]; n++, m++) {
            assert_int_equal(d->partial[n].cell, c);
            assert_int_equal(g->partial[m].cell, to);
            assert_true(g->partial[m].dir == d->partial[n].dir && g->partial[m].theta == d->partial[n].theta);
        }
    }
    assert_int_equal(g->n_link, d->n_link);
    assert_int_equal(g->n_partial, d->n_partial);
    free(link);
    free(partial);
}

/* In chunks of `chunk` cells; returns how many groups have openings. */
static int64_t check_ordered(const domain *d, int64_t chunk) {
    pack p;
    cell_order order, inverse;
    domain g;
    assert_int_equal(order_create(d, chunk, &order), OK);
    assert_int_equal(order_inverse(&order, &inverse), OK);
    assert_int_equal(order_domain(d, &order, &g), OK);
    check_order(d, chunk, &order, &inverse);
    check_pack(&g, &p);
    check_moved(d, &order, &g, &p);
    check_entries(d, &order, &g);
    const int64_t opened = p.n_opened;
    pack_free(&p);
    order_domain_free(&g);
    order_free(&inverse);
    order_free(&order);
    return opened;
}

static void check(const domain *d) {
    int64_t cells = 0, before;
    cell_order own;
    pack p;
    for (int64_t k = 0, last = -1; k < d->n_link; k++)
        if (d->link[k].opening && d->link[k].cell != last) {
            last = d->link[k].cell;
            cells++;
        }
    check_pack(d, &p);
    before = p.n_opened;
    pack_free(&p);
    assert_int_equal(check_ordered(d, ORDER_CHUNK), (cells + PACK_LANES - 1) / PACK_LANES); /* one chunk */
    assert_true(check_ordered(d, 4 * PACK_LANES) <= before);
    check_ordered(d, 50); /* chunks that begin inside a group */
    assert_int_equal(order_create(d, 0, &own), OK);
    assert_true(own.n == 1 && own.piece[0].from == 0 && own.piece[0].count == d->n_cell);
    order_free(&own);
}

/* An oblique tube: its openings cut rows. */
static void gathered(void **state) {
    backend_case c = case_make(CASE_TUBE, BACKEND_FLOAT, false);
    int64_t before, after, passages, rows;
    cell_order order;
    domain g;
    (void)state;
    assert_int_equal(order_create(&c.d, ORDER_CHUNK, &order), OK);
    assert_int_equal(order_domain(&c.d, &order, &g), OK);
    pack_count_openings(&c.d, &before, &passages, &rows);
    pack_count_openings(&g, &after, &passages, &rows);
    print_message("groups with openings: %d, gathered %d\n", (int)before, (int)after);
    assert_true(after <= before / 2);
    order_domain_free(&g);
    order_free(&order);
    case_free(&c);
}

/* Links to walls of a given temperature: every one, with its side, in the group of its cell; openings have none. */
static void warm_links(void **state) {
    (void)state;
    for (int kind = CASE_WARM_SLAB; kind < CASE_CORNER_TUBE; kind++) {
        backend_case c = case_make(kind, BACKEND_FLOAT, false);
        const heat_settings *h = c.settings.heat;
        pack p;
        assert_int_equal(pack_create(&c.d, &p), OK);
        assert_int_equal(pack_heat(&c.d, h, &p), OK);
        int64_t k = 0, m = 0;
        for (int64_t n = 0; n < p.n_group; n++) {
            assert_int_equal(p.group[n].partial, m);
            for (uint32_t j = 0; j < (p.group[n].counts >> 10 & 1023); j++, m++, k++) {
                while (c.d.link[k].dir > 6 || domain_through(&c.d, &c.d.link[k]) ||
                       h->side[heat_side_of(h, &c.d.link[k])].kind != HEAT_GIVEN)
                    k++;
                const uint32_t word = p.warm[m].link;
                assert_int_equal(n * PACK_LANES + (word >> PACK_LINK_LANE & 31), c.d.link[k].cell);
                assert_int_equal(word >> PACK_LINK_DIR & 31, c.d.link[k].dir);
                assert_int_equal(p.warm[m].side, heat_side_of(h, &c.d.link[k]));
            }
        }
        assert_true(m > 0);
        assert_int_equal(m, p.n_warm);
        assert_int_equal(m, pack_count_warm(&c.d, h));
        pack_free(&p);
        case_free(&c);
    }
}

static void cases(void **state) {
    (void)state;
    for (int kind = 0; kind < CASE_COUNT; kind++) {
        backend_case c = case_make(kind, BACKEND_FLOAT, false);
        check(&c.d);
        case_free(&c);
    }
}

static void corners(void **state) {
    (void)state;
    quadratic = 0;
    for (int kind = CASE_CORNER_TUBE; kind < CASE_ALL; kind++) {
        backend_case c = case_make(kind, BACKEND_FLOAT, false);
        assert_int_equal(c.d.directions, LATTICE_D3Q27);
        check(&c.d);
        case_free(&c);
    }
    assert_true(quadratic > 0);
}

static void random_solids(void **state) {
    (void)state;
    const int dims[6][3] = {{9, 7, 8}, {300, 3, 2}, {1, 6, 5}, {5, 1, 1}, {2, 2, 2}, {64, 4, 4}};
    for (int k = 0; k < 12; k++) {
        lattice l = flow_random_solids(dims[k / 2], k % 2, 17u + (unsigned)k);
        domain d;
        assert_int_equal(domain_create(&l, DOMAIN_WALL_VLBM, NULL, &d), OK);
        check(&d);
        domain_free(&d);
        lattice_free(&l);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(cases), cmocka_unit_test(corners), cmocka_unit_test(gathered),
                                       cmocka_unit_test(warm_links), cmocka_unit_test(random_solids)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
