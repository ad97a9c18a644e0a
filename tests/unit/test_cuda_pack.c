/* The GPU's index of a domain, on the host: neighbours, cut links, partial links. */
#include "common/status.h" /* before cmocka.h, which has a macro fail() */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include "solve/cuda_pack.h"
#include "tests/backend/backend_case.h"
#include "tests/unit/solve_flow.h"

static void check_neighbours(const domain *d, const pack *p) {
    int32_t *from = malloc((size_t)d->n_cell * sizeof *from);
    for (int b = 1; b < 19; b++) {
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
        const uint32_t flag = kind == DOMAIN_FLOW ? PACK_FLOW : kind == DOMAIN_PRESSURE ? PACK_PRESSURE : 0;
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
            const int row = __builtin_popcount(e->dirs & ((1u << a) - 1));
            if (flag != PACK_PRESSURE)
                assert_true(p->weight[PACK_LANES * (e->row + (uint32_t)row) + (uint32_t)lane] == d->link[k].weight);
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
    int64_t k = 0, m = 0, opened = 0;
    for (int64_t n = 0; n < p->n_group; n++) {
        const pack_group *g = &p->group[n];
        assert_int_equal(g->link, k);
        for (uint32_t j = 0; j < (g->counts & 1023); j++, k++) {
            const uint32_t word = p->link[k];
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
    assert_int_equal(k, d->n_link);
    assert_int_equal(m, d->n_partial);
    assert_int_equal(opened, p->n_opened);
}

/* What is foreseen is at least what there is. */
static void check_bytes(const domain *d, const pack *p) {
    const double there = (double)p->n_group * sizeof *p->group + (double)p->n_more * sizeof *p->more +
                         4.0 * (double)(p->n_wall + p->n_link + p->n_partial) + (double)p->n_rare * sizeof *p->rare +
                         (double)p->n_opened * sizeof *p->opened + (double)p->n_passage * sizeof *p->passage +
                         4.0 * PACK_LANES * (double)p->n_row + 72.0 * (double)p->n_explicit;
    assert_true(pack_bytes(d) >= there);
}

static void check(const domain *d) {
    pack p;
    assert_int_equal(pack_create(d, &p), OK);
    check_neighbours(d, &p);
    check_words(d, &p);
    check_openings(d, &p);
    check_bytes(d, &p);
    pack_free(&p);
}

static void cases(void **state) {
    (void)state;
    for (int kind = 0; kind < CASE_COUNT; kind++) {
        backend_case c = case_make(kind, BACKEND_FLOAT, false);
        check(&c.d);
        case_free(&c);
    }
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(cases), cmocka_unit_test(random_solids)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
