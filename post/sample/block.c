/* See block.h. */
#include "post/sample/block.h"
#include <math.h>
#include <string.h>

enum { LAYER = BLOCK_WIDTH * BLOCK_WIDTH, MIDDLE = (BLOCK_REACH + 1) * (LAYER + BLOCK_WIDTH + 1) };

/* where the cells of a block are: an index into the list by place, -1 for none; the outermost layer is empty */
typedef struct {
    int16_t at[BLOCK_SIZE];
    int16_t place[BLOCK_SIZE]; /* of the cells in the list */
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

/* one row of cells in x; squared: of the distance in y and z */
static void add_row(const sampler *s, enum block_kind kind, double highest_mm, const int base[3], const int o[3],
                    const double point[3], double squared, block *b, map *m) {
    const lattice *l = s->lattice;
    int64_t c = -1;
    for (int x = -BLOCK_REACH; x <= BLOCK_REACH; x++) {
        double d[3] = {x - point[0], o[1] - point[1], o[2] - point[2]};
        if (d[0] * d[0] + squared >= BLOCK_RADIUS * BLOCK_RADIUS)
            continue;
        int next = c >= 0 && c + 1 < l->n_cell && l->cell[3 * c + 3] == base[0] + x &&
                   l->cell[3 * c + 4] == base[1] + o[1] &&
                   l->cell[3 * c + 5] == base[2] + o[2]; /* the next one in the file, most often */
        c = next ? c + 1 : lattice_rows_find(&s->rows, base[0] + x, base[1] + o[1], base[2] + o[2]);
        if (!is_wanted(s, kind, highest_mm, c))
            continue;
        int place = MIDDLE + o[2] * LAYER + o[1] * BLOCK_WIDTH + x;
        m->at[place] = (int16_t)b->n;
        m->place[b->n] = (int16_t)place;
        b->cell[b->n] = (int32_t)c;
        memcpy(b->offset[b->n++], d, sizeof d);
    }
}

static int nearest(const block *b, const double anchor[3]) {
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

/* keep what is connected to the cell nearest to the anchor (cells, from the point) */
static void keep_connected(const sampler *s, const double anchor[3], block *b, map *m) {
    static const int step[18] = {1,
                                 -1,
                                 BLOCK_WIDTH,
                                 -BLOCK_WIDTH,
                                 LAYER,
                                 -LAYER,
                                 BLOCK_WIDTH + 1,
                                 -BLOCK_WIDTH - 1,
                                 1 - BLOCK_WIDTH,
                                 BLOCK_WIDTH - 1,
                                 LAYER + 1,
                                 -LAYER - 1,
                                 1 - LAYER,
                                 LAYER - 1,
                                 LAYER + BLOCK_WIDTH,
                                 -LAYER - BLOCK_WIDTH,
                                 BLOCK_WIDTH - LAYER,
                                 LAYER - BLOCK_WIDTH}; /* in the order of lattice_e, from 1 */
    int stack[BLOCK_SIZE], n_stack = 0, n = 0;
    uint8_t keep[BLOCK_SIZE] = {0};
    stack[n_stack++] = nearest(b, anchor);
    keep[stack[0]] = 1;
    while (n_stack > 0) {
        const int from = stack[--n_stack], place = m->place[from];
        for (int a = 0; a < 18; a++) {
            int k = m->at[place + step[a]];
            if (k >= 0 && !keep[k] && !(s->active[b->cell[k]] && sampler_walled(s, b->cell[from], a + 1))) {
                keep[k] = 1;
                stack[n_stack++] = k;
            }
        }
    }
    for (int k = 0; k < b->n; k++)
        if (keep[k]) {
            b->cell[n] = b->cell[k];
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
    memset(m.at, -1, sizeof m.at);
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
