/* SPDX-License-Identifier: Apache-2.0 */
/* A lattice file in stretches and in parts: together they are the whole. */
#include "common/base/status.h"
#include "common/lattice/lattice_file.h"
#include "common/lattice/lattice_part.h"
#include "common/lattice/lattice_stretch.h"
#include "tests/unit/common/lattice_sample.h"
#include "tests/unit/temp.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static lattice whole;

static int set_up(void **state) {
    (void)state;
    assert_int_equal(lattice_sample(&whole, 41), OK);
    whole.link_wall = calloc((size_t)whole.n_link + 1, 1);
    for (int64_t k = 0; k < whole.n_link; k++) {
        whole.link_q[k] = (float)(k % 97 + 1) / 97;
        whole.link_wall[k] = whole.link_opening[k] ? 0 : (uint8_t)(k % 3);
    }
    for (int k = 0; k < whole.n_opening; k++)
        for (int64_t n = 0; n < whole.opening[k].n_link; n++)
            whole.opening[k].profile_developed[n] = (float)(n + 1);
    assert_int_equal(lattice_file_write(temp_path("l.h5"), &whole), OK);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    lattice_free(&whole);
    return 0;
}

typedef struct {
    int64_t cells, links, through[2], calls;
} seen;

/* Each stretch is a piece of the whole. */
static int look(void *data, const lattice *l, int64_t first) {
    seen *s = data;
    assert_true(first == s->cells);
    assert_memory_equal(l->cell, whole.cell + 3 * first, (size_t)l->n_cell * 12);
    assert_memory_equal(l->solid, whole.solid + first, (size_t)l->n_cell * 2);
    assert_memory_equal(l->distance_mm, whole.distance_mm + first, (size_t)l->n_cell * 4);
    assert_memory_equal(l->link_dir, whole.link_dir + s->links, (size_t)l->n_link);
    assert_memory_equal(l->link_q, whole.link_q + s->links, (size_t)l->n_link * 4);
    assert_memory_equal(l->link_wall, whole.link_wall + s->links, (size_t)l->n_link);
    for (int64_t k = 0; k < l->n_link; k++)
        assert_true(l->link_cell[k] + first == whole.link_cell[s->links + k]);
    for (int k = 0; k < 2; k++) {
        for (int64_t n = 0; n < l->opening[k].n_link; n++)
            assert_true(l->opening[k].profile_developed[n] == (float)(s->through[k] + n + 1));
        s->through[k] += l->opening[k].n_link;
    }
    s->cells += l->n_cell;
    s->links += l->n_link;
    return ++s->calls == 100 ? ERR_NUMERIC : OK;
}

static void stretches(void **state) {
    (void)state;
    static const int64_t most[] = {7, 64, 1 << 20};
    for (int k = 0; k < 3; k++) {
        seen s = {0};
        lattice frame;
        int64_t n = 0;
        const int rc = lattice_stretches_read(temp_path("l.h5"), most[k], &frame, &n, look, &s);
        if (k == 0) { /* what the work returns ends it */
            assert_int_equal(rc, ERR_NUMERIC);
            status_clear();
            continue;
        }
        assert_int_equal(rc, OK);
        assert_true(n == whole.n_cell && s.cells == n && s.links == whole.n_link);
        assert_true(frame.n_opening == 2 && frame.opening[1].n_link == whole.opening[1].n_link);
        assert_memory_equal(frame.dims, whole.dims, sizeof whole.dims);
        assert_true(s.through[0] == whole.opening[0].n_link && s.through[1] == whole.opening[1].n_link);
        lattice_free(&frame);
    }
    lattice frame;
    assert_int_equal(lattice_stretches_read(temp_path("none.h5"), 64, &frame, NULL, look, NULL), ERR_INPUT);
    status_clear();
}

/* Bricks of x below 12, and what lies around them. */
static void part_of_it(void **state) {
    (void)state;
    lattice_marks m;
    lattice_part p;
    int64_t own = 0, wet = 0, link = 0;
    assert_int_equal(lattice_marks_create(&m, whole.dims, 4), OK);
    for (int64_t c = 0; c < whole.n_cell; c++)
        if (whole.cell[3 * c] < 12)
            *lattice_marks_at(&m, whole.cell + 3 * c) = 1;
    lattice_marks_spread(&m, whole.periodic, 1);
    assert_int_equal(lattice_part_read(temp_path("l.h5"), &m, &p), OK);
    assert_true(p.n_all == whole.n_cell && p.l.opening[1].n_link == 0 &&
                p.l.opening[0].n_link == whole.opening[0].n_link);
    for (int64_t c = 0, k = 0; c < whole.n_cell; c++) {
        const int32_t *at = whole.cell + 3 * c;
        if (at[0] < 16) {
            assert_true(p.number[k] == c && p.wet[k] == wet);
            assert_memory_equal(p.l.cell + 3 * k, at, 12);
            assert_true(p.mark[k] == (at[0] < 12 ? 1 : 2) && p.l.distance_mm[k] == whole.distance_mm[c]);
            own += at[0] < 12;
            k++;
        }
        wet += whole.distance_mm[c] < 0;
        assert_true(at[0] < 16 || k <= p.l.n_cell);
    }
    assert_true(p.n_wet == wet);
    for (int64_t k = 0; k < whole.n_link; k++)
        if (whole.cell[3 * (int64_t)whole.link_cell[k]] < 16) {
            assert_true(p.number[p.l.link_cell[link]] == whole.link_cell[k] && p.l.link_q[link] == whole.link_q[k]);
            link++;
        }
    assert_true(link == p.l.n_link);
    assert_memory_equal(p.l.opening[0].profile_developed, whole.opening[0].profile_developed,
                        (size_t)whole.opening[0].n_link * 4);
    int32_t *place = malloc((size_t)p.l.n_cell * sizeof *place);
    const int64_t last = p.number[p.l.n_cell - 1];
    lattice_part_shrink(&p, place);
    assert_true(p.l.n_cell == own && p.l.n_link == 0 && last > p.number[own - 1]);
    for (int64_t k = 0; k < own; k++)
        assert_memory_equal(p.l.cell + 3 * k, whole.cell + 3 * (int64_t)p.number[k], 12);
    free(place);
    lattice_part_free(&p);
    lattice_marks_free(&m);
}

/* Round a periodic edge the last bricks are beside the first. */
static void periodic_edge(void **state) {
    (void)state;
    const int dims[3] = {20, 4, 4};
    const bool around[3] = {true, false, false}, open[3] = {false};
    lattice_marks m;
    for (int k = 0; k < 2; k++) {
        assert_int_equal(lattice_marks_create(&m, dims, 4), OK);
        m.mark[0] = 1;
        lattice_marks_spread(&m, k ? around : open, 1);
        assert_true(m.mark[1] == 2 && m.mark[2] == 0 && m.mark[4] == (k ? 2 : 0));
        lattice_marks_spread(&m, k ? around : open, 2);
        assert_true(m.mark[0] == 1 && m.mark[1] == 2 && m.mark[2] == 3 && m.mark[3] == (k ? 3 : 0));
        lattice_marks_free(&m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stretches),
        cmocka_unit_test(part_of_it),
        cmocka_unit_test(periodic_edge),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
