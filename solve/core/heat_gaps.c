/* SPDX-License-Identifier: Apache-2.0 */
/* See heat_gaps.h. */
#include "solve/core/heat_gaps.h"
#include "common/base/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int32_t cell;
    uint8_t dir, opening, wall;
    float q;
} cut;

typedef struct {
    int64_t n, room;
    cut *cut;
} cuts;

static cut link_at(const lattice *l, int64_t k) {
    return (cut){l->link_cell[k], l->link_dir[k], l->link_opening[k], l->link_wall ? l->link_wall[k] : 0, l->link_q[k]};
}

/* Mask of the directions of the cell at *k that end at a wall. Advances *k to the next cell. Returns 0 for a cell that
 * must stay open: a link goes through an opening, walls of different temperature meet, or the cell is not fluid. */
static uint32_t walls_of(const lattice *l, const heat_settings *h, int64_t *k) {
    const int32_t cell = l->link_cell[*k];
    double low = INFINITY, high = -INFINITY;
    uint32_t walls = 0;
    bool opening = false;
    for (; *k < l->n_link && l->link_cell[*k] == cell; ++*k) {
        const heat_side *side = &h->side[link_at(l, *k).wall];
        walls |= 1u << l->link_dir[*k];
        opening |= l->link_opening[*k] != 0;
        if (side->kind == HEAT_GIVEN) {
            low = fmin(low, side->temperature);
            high = fmax(high, side->temperature);
        }
    }
    return opening || high > low || !(l->distance_mm[cell] < 0) ? 0 : walls;
}

static bool is_closed(uint32_t walls) {
    for (int a = 0; a < 3; a++) {
        uint32_t across = 0;
        for (int i = 1; i < 19; i++)
            across |= lattice_e[i][a] ? 1u << i : 0;
        if ((walls & across) == across)
            return true;
    }
    return false;
}

static int add_cut(cuts *to, cut one) {
    if (to->n == to->room) {
        to->room += to->room / 2 + 1024;
        cut *more = realloc(to->cut, (size_t)to->room * sizeof *more);
        if (!more)
            return fail_memory("the gaps of the lattice", (double)to->room * sizeof *more);
        to->cut = more;
    }
    to->cut[to->n++] = one;
    return OK;
}

/* Adds wall links to the neighbours of a closed cell. Their links to this cell are cut half-way. */
static int add_around(const lattice *l, const lattice_rows *rows, const uint8_t *closed, int32_t cell, uint32_t walls,
                      uint8_t wall, cuts *to) {
    const int32_t *p = l->cell + 3 * (int64_t)cell;
    int rc = OK;
    for (int i = 1; i < 19 && rc == OK; i++) {
        const int64_t n =
            lattice_rows_find(rows, p[0] + lattice_e[i][0], p[1] + lattice_e[i][1], p[2] + lattice_e[i][2]);
        if (n >= 0 && !(walls >> i & 1u) && l->distance_mm[n] < 0 && !closed[n])
            rc = add_cut(to, (cut){(int32_t)n, (uint8_t)lattice_opposite(i), 0, wall, 0.5f});
    }
    return rc;
}

static int cut_order(const void *a, const void *b) {
    const cut *x = a, *y = b;
    return x->cell != y->cell ? (x->cell < y->cell ? -1 : 1) : (int)x->dir - (int)y->dir;
}

/* Replaces all links of the lattice by the list `all`. */
static int replace_links(lattice *l, const cuts *all) {
    const size_t n = (size_t)all->n;
    int32_t *cell = malloc((n + 1) * sizeof *cell);
    uint8_t *dir = malloc(n + 1), *opening = malloc(n + 1), *wall = l->link_wall ? malloc(n + 1) : NULL;
    float *q = malloc((n + 1) * sizeof *q);
    if (!cell || !dir || !opening || !q || (l->link_wall && !wall)) {
        free(cell);
        free(dir);
        free(opening);
        free(wall);
        free(q);
        return fail_memory("the links of the lattice", 11.0 * (double)n);
    }
    for (size_t k = 0; k < n; k++) {
        cell[k] = all->cut[k].cell;
        dir[k] = all->cut[k].dir;
        opening[k] = all->cut[k].opening;
        q[k] = all->cut[k].q;
        if (wall)
            wall[k] = all->cut[k].wall;
    }
    free(l->link_cell);
    free(l->link_dir);
    free(l->link_opening);
    free(l->link_wall);
    free(l->link_q);
    l->link_cell = cell;
    l->link_dir = dir;
    l->link_opening = opening;
    l->link_wall = wall;
    l->link_q = q;
    l->n_link = all->n;
    return OK;
}

/* One pass: closes the cells between two walls. *n: number of cells closed. closed [n_cell] is 0 on entry. */
static int close_once(lattice *l, const heat_settings *h, const lattice_rows *rows, uint8_t *closed, int64_t *n,
                      heat_gaps *g) {
    int rc = OK;
    cuts all = {0};
    *n = 0;
    for (int64_t k = 0; k < l->n_link;) {
        const int32_t cell = l->link_cell[k];
        if (is_closed(walls_of(l, h, &k)) && (*n)++ >= 0) {
            closed[cell] = 1;
            if (g->n++ == 0)
                lattice_centre_mm(l, cell, g->place_mm);
        }
    }
    if (*n == 0)
        goto cleanup;
    for (int64_t k = 0, begin = 0; k < l->n_link; begin = k) {
        const cut first = link_at(l, begin);
        const uint32_t walls = walls_of(l, h, &k);
        if (closed[first.cell])
            TRY(add_around(l, rows, closed, first.cell, walls, first.wall, &all));
        for (int64_t m = begin; m < k && !closed[first.cell]; m++)
            TRY(add_cut(&all, link_at(l, m)));
    }
    qsort(all.cut, (size_t)all.n, sizeof *all.cut, cut_order);
    TRY(replace_links(l, &all));
    for (int64_t c = 0; c < l->n_cell; c++)
        if (closed[c])
            l->distance_mm[c] = 0;
cleanup:
    free(all.cut);
    return rc;
}

int heat_gaps_close(lattice *l, const heat_settings *h, heat_gaps *g) {
    int rc = OK;
    lattice_rows rows = {0};
    int64_t n = 1;
    uint8_t *closed = calloc((size_t)l->n_cell + 1, 1);
    memset(g, 0, sizeof *g);
    if (!closed) {
        rc = fail_memory("the gaps of the lattice", (double)l->n_cell);
        goto cleanup;
    }
    TRY(lattice_rows_create(&rows, l));
    while (n > 0)
        TRY(close_once(l, h, &rows, closed, &n, g));
cleanup:
    lattice_rows_free(&rows);
    free(closed);
    return rc;
}
