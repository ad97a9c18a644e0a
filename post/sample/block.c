/* SPDX-License-Identifier: Apache-2.0 */
#include "post/sample/block.h"
#include <math.h>
#include <string.h>

enum { LAYER = BLOCK_WIDTH * BLOCK_WIDTH, MIDDLE = (BLOCK_REACH + 1) * (LAYER + BLOCK_WIDTH + 1) };

/* Map of the cells of a block; its outermost layer is empty. */
typedef struct {
    int16_t place[BLOCK_SIZE]; /* position of each listed cell in the block, as one index with x fastest, then y, z */
    uint16_t row[LAYER];       /* [z * BLOCK_WIDTH + y] bit x is set if the cell (x, y, z) is listed */
    bool web;                  /* true: a thin wall cuts a step between two listed cells */
} map;

static void to_cells(const lattice *l, const double point_mm[3], double cells[3]) {
    for (int a = 0; a < 3; a++)
        cells[a] = (point_mm[a] - l->origin_mm[a]) / l->spacing_mm;
}

int block_base(const lattice *l, const double point_mm[3], int base[3]) {
    double cells[3];
    to_cells(l, point_mm, cells);
    for (int a = 0; a < 3; a++) {
        if (!(cells[a] > -BLOCK_REACH - 1 && cells[a] < l->dims[a] + BLOCK_REACH))
            return 0;
        base[a] = (int)floor(cells[a] + 0.5);
    }
    return 1;
}

static int is_wanted(const sampler *s, enum block_kind kind, double highest_mm, int64_t c) {
    return c >= 0 && (kind == BLOCK_STORED || s->active[c]) && (double)s->lattice->distance_mm[c] <= highest_mm;
}

static void add_cell(const sampler *s, int64_t c, int place, const double d[3], double squared, block *b, map *m) {
    m->place[b->n] = (int16_t)place;
    m->row[place / BLOCK_WIDTH] |= (uint16_t)(1 << place % BLOCK_WIDTH);
    m->web = m->web || s->web[c];
    b->cell[b->n] = (int32_t)c;
    b->squared[b->n] = squared;
    memcpy(b->offset[b->n++], d, 3 * sizeof *d);
}

/* Adds one row of cells in x to the block. squared: squared distance from `point` to the line of the row, in
 * cells^2. */
static void add_row(const sampler *s, enum block_kind kind, double highest_mm, const int base[3], const int o[3],
                    const double point[3], double squared, block *b, map *m) {
    const lattice *l = s->lattice;
    const int64_t row = lattice_rows_row(&s->rows, base[1] + o[1], base[2] + o[2]);
    if (row < 0)
        return;
    const int64_t end = s->rows.row[row + 1];
    const bool again = l->periodic[0]; /* a periodic row is not contiguous in memory, so each cell is searched */
    int64_t c = again ? 0 : lattice_rows_lower(&s->rows, row, base[0] - BLOCK_REACH);
    for (int x = -BLOCK_REACH; again ? x <= BLOCK_REACH : c < end; again ? x++ : c++) {
        if (again)
            c = lattice_rows_find(&s->rows, base[0] + x, base[1] + o[1], base[2] + o[2]);
        else if ((x = l->cell[3 * c] - base[0]) > BLOCK_REACH)
            return;
        const double d[3] = {x - point[0], o[1] - point[1], o[2] - point[2]}, all = d[0] * d[0] + squared;
        if (all < BLOCK_RADIUS * BLOCK_RADIUS && is_wanted(s, kind, highest_mm, c))
            add_cell(s, c, MIDDLE + o[2] * LAYER + o[1] * BLOCK_WIDTH + x, d, all, b, m);
    }
}

/* Quick test for connected cells. It requires that in each layer every row is a single run that touches the run of the
 * previous row, and that each layer touches the previous layer. Returns true only if all cells are connected; false if
 * the test does not decide. */
static bool all_connected(const uint16_t row[LAYER]) {
    enum { W = BLOCK_WIDTH };
    int last = -1; /* number of the last layer with cells */
    for (int z = 1; z < W - 1; z++) {
        unsigned before = 0, layers = 0;
        int y_before = 0;
        for (int y = 1; y < W - 1; y++) {
            const unsigned r = row[z * W + y], wide = r | r << 1 | r >> 1;
            if (r == 0)
                continue;
            if (((r + (r & -r)) & r) != 0 || (before != 0 && (y_before != y - 1 || (wide & before) == 0)))
                return false;
            layers |= wide & row[(z - 1) * W + y];
            before = r;
            y_before = y;
        }
        if (before == 0)
            continue;
        if (last >= 0 && (last != z - 1 || layers == 0))
            return false;
        last = z;
    }
    return true;
}

static int find_nearest(const block *b, const double anchor[3]) {
    double best = INFINITY;
    int start = 0;
    for (int k = 0; k < b->n; k++) {
        double squared = 0;
        for (int a = 0; a < 3; a++)
            squared += (b->offset[k][a] - anchor[a]) * (b->offset[k][a] - anchor[a]);
        if (squared < best) {
            best = squared;
            start = k;
        }
    }
    return start;
}

/* Marks in `reached` all cells connected with the cells reached so far: spreads from neighbouring rows, shifted by up
 * to one cell (18 neighbours), then along the row. Passes go up and down through the layers until nothing changes. */
static void spread_rows(const uint16_t member[LAYER], uint16_t reached[LAYER]) {
    enum { W = BLOCK_WIDTH };
    bool changed = true;
    for (int pass = 0; changed || pass == 1; pass++) {
        changed = false;
        for (int k = W + 1; k < LAYER - W - 1; k++) {
            const int r = pass % 2 == 0 ? k : LAYER - 1 - k;
            const unsigned all = member[r], before = reached[r];
            if (all == before)
                continue;
            const unsigned beside = reached[r - 1] | reached[r + 1] | reached[r - W] | reached[r + W];
            unsigned now = before | beside | beside << 1 | beside >> 1 | reached[r - W - 1] | reached[r - W + 1] |
                           reached[r + W - 1] | reached[r + W + 1];
            now &= all;
            for (unsigned last = 0; now != last;) {
                last = now;
                now |= (now << 1 | now >> 1) & all;
            }
            reached[r] = (uint16_t)now;
            changed = changed || now != before;
        }
    }
}

/* Marks in `keep` the cells connected with cell `first`, cell by cell, without crossing thin walls. */
static void spread_cells(const sampler *s, const block *b, const map *m, int first, uint8_t keep[BLOCK_SIZE]) {
    int stack[BLOCK_SIZE], n_stack = 0;
    int16_t at[BLOCK_SIZE]; /* for each position its index in the list of cells; -1: no cell */
    memset(at, -1, sizeof at);
    for (int k = 0; k < b->n; k++)
        at[m->place[k]] = (int16_t)k;
    memset(keep, 0, (size_t)b->n);
    stack[n_stack++] = first;
    keep[first] = 1;
    while (n_stack > 0) {
        const int from = stack[--n_stack], place = m->place[from];
        for (int a = 1; a < 19; a++) {
            const int8_t *e = lattice_e[a];
            const int k = at[place + e[0] + e[1] * BLOCK_WIDTH + e[2] * LAYER];
            if (k >= 0 && !keep[k] && !(s->active[b->cell[k]] && sampler_walled(s, b->cell[from], a))) {
                keep[k] = 1;
                stack[n_stack++] = k;
            }
        }
    }
}

/* Keeps only the cells that are connected with the cell nearest to the anchor. anchor: position relative to the point,
 * in cells. */
static void keep_connected(const sampler *s, const double anchor[3], block *b, const map *m) {
    uint8_t keep[BLOCK_SIZE];
    int n = 0;
    if (!m->web && all_connected(m->row))
        return;
    const int first = find_nearest(b, anchor);
    if (m->web)
        spread_cells(s, b, m, first, keep);
    else {
        uint16_t reached[LAYER] = {0};
        reached[m->place[first] / BLOCK_WIDTH] = (uint16_t)(1 << m->place[first] % BLOCK_WIDTH);
        spread_rows(m->row, reached);
        if (memcmp(reached, m->row, sizeof reached) == 0)
            return;
        for (int k = 0; k < b->n; k++)
            keep[k] = reached[m->place[k] / BLOCK_WIDTH] >> m->place[k] % BLOCK_WIDTH & 1;
    }
    for (int k = 0; k < b->n; k++)
        if (keep[k]) {
            b->cell[n] = b->cell[k];
            b->squared[n] = b->squared[k];
            memcpy(b->offset[n++], b->offset[k], sizeof b->offset[k]);
        }
    b->n = n;
}

int block_find(const sampler *s, enum block_kind kind, double highest_mm, const double point_mm[3],
               const double *anchor_mm, block *b) {
    const lattice *l = s->lattice;
    int base[3];
    double point[3], anchor[3];
    map m;
    b->n = 0;
    if (!block_base(l, point_mm, base))
        return 0;
    memset(m.row, 0, sizeof m.row);
    m.web = false;
    to_cells(l, point_mm, point);
    to_cells(l, anchor_mm ? anchor_mm : point_mm, anchor);
    for (int a = 0; a < 3; a++) {
        anchor[a] -= point[a];
        point[a] -= base[a];
    }
    for (int z = -BLOCK_REACH; z <= BLOCK_REACH; z++)
        for (int y = -BLOCK_REACH; y <= BLOCK_REACH; y++) {
            int o[3] = {0, y, z};
            double squared = (y - point[1]) * (y - point[1]) + (z - point[2]) * (z - point[2]);
            if (squared < BLOCK_RADIUS * BLOCK_RADIUS)
                add_row(s, kind, highest_mm, base, o, point, squared, b, &m);
        }
    if (b->n > 0)
        keep_connected(s, anchor, b, &m);
    return b->n;
}
