/* SPDX-License-Identifier: Apache-2.0 */
#include "post/sample/piece.h"
#include "common/base/vec.h"
#include "common/base/status.h"
#include "common/base/union_find.h"
#include <stdlib.h>

/* A run of consecutive active cells in a row. Pieces are joined run by run, since there are about fifty times fewer
 * runs than cells. */
typedef struct {
    int64_t first, end; /* the run has the cells first .. end - 1 */
} run;

typedef struct {
    const sampler *s;
    run *run;
    int32_t *parent; /* [n] sets of connected runs (union_find.h) */
    int64_t n;
    int64_t *of_row; /* [rows + 1] first run of each row */
} runs;

static int runs_create(const sampler *s, runs *r) {
    const lattice *l = s->lattice;
    const int64_t rows = (int64_t)l->dims[1] * l->dims[2];
    int64_t n = 0;
    for (int64_t c = 0; c < l->n_cell; c++)
        n += s->active[c] && (c == 0 || !s->active[c - 1] || l->cell[3 * c] != l->cell[3 * c - 3] + 1);
    n += rows; /* upper limit of the number of runs: consecutive cells may belong to two rows, so each row may add a
                * run */
    *r = (runs){.s = s,
                .run = calloc((size_t)n, sizeof *r->run),
                .parent = malloc((size_t)n * sizeof *r->parent),
                .of_row = malloc((size_t)(rows + 1) * sizeof *r->of_row)};
    if (!r->run || !r->parent || !r->of_row)
        return fail_memory("the pieces of the lumen", (double)n * sizeof *r->run);
    for (int64_t row = 0; row < rows; row++) {
        r->of_row[row] = r->n;
        for (int64_t c = s->rows.row[row]; c < s->rows.row[row + 1]; c++)
            if (!s->active[c])
                continue;
            else if (r->n > r->of_row[row] && r->run[r->n - 1].end == c && l->cell[3 * c] == l->cell[3 * c - 3] + 1)
                r->run[r->n - 1].end++;
            else {
                r->parent[r->n] = (int32_t)r->n;
                r->run[r->n++] = (run){.first = c, .end = c + 1};
            }
    }
    r->of_row[rows] = r->n;
    return OK;
}

static void runs_free(runs *r) {
    free(r->run);
    free(r->parent);
    free(r->of_row);
}

/* Joins run k with runs of another row. A run is joined if it has a cell within `reach` of a cell of run k shifted by
 * `shift`. */
static void join_row(const runs *r, int64_t k, int64_t row, int shift, int reach) {
    const int32_t *at = r->s->lattice->cell;
    const int low = at[3 * r->run[k].first] - reach, high = at[3 * (r->run[k].end - 1)] + reach;
    for (int64_t j = r->of_row[row]; j < r->of_row[row + 1]; j++)
        if (at[3 * r->run[j].first] + shift <= high && at[3 * (r->run[j].end - 1)] + shift >= low)
            union_find_join(r->parent, (int32_t)k, (int32_t)j);
}

/* Joins the runs of row (y, z) with the runs one lattice step away, along an axis or a face diagonal. Only half of the
 * directions are needed, because joining is symmetric. */
static void join_around(const runs *r, int y, int z) {
    /* for each direction: step in y, step in z, largest difference in x between linked cells */
    static const int around[4][3] = {{1, 0, 1}, {0, 1, 1}, {1, 1, 0}, {-1, 1, 0}};
    const lattice *l = r->s->lattice;
    const int64_t own = lattice_rows_row(&r->s->rows, y, z);
    const int wrap = l->periodic[0] ? l->dims[0] : 0;
    for (int64_t k = r->of_row[own]; k < r->of_row[own + 1]; k++) {
        if (wrap)
            for (int side = -1; side <= 1; side += 2)
                join_row(r, k, own, side * wrap, 1);
        for (int a = 0; a < 4; a++) {
            const int64_t row = lattice_rows_row(&r->s->rows, y + around[a][0], z + around[a][1]);
            for (int side = wrap ? -1 : 0; row >= 0 && side <= (wrap ? 1 : 0); side++)
                join_row(r, k, row, side * wrap, around[a][2]);
        }
    }
}

int piece_label(const sampler *s, int32_t *label, int *n) {
    const lattice *l = s->lattice;
    runs r = {0};
    int rc;
    *n = 0;
    TRY(runs_create(s, &r));
    for (int z = 0; z < l->dims[2]; z++)
        for (int y = 0; y < l->dims[1]; y++)
            join_around(&r, y, z);
    for (int64_t c = 0; c < l->n_cell; c++)
        label[c] = -1;
    for (int64_t k = 0; k < r.n; k++) { /* the first run of a piece represents it */
        const int32_t root = union_find_root(r.parent, (int32_t)k);
        const int32_t piece = root == k ? (*n)++ : label[r.run[root].first];
        for (int64_t c = r.run[k].first; c < r.run[k].end; c++)
            label[c] = piece;
    }
cleanup:
    runs_free(&r);
    return rc;
}

int piece_of_opening(const sampler *s, const int32_t *label, int opening) {
    const lattice *l = s->lattice;
    for (int64_t k = 0; k < l->n_link; k++)
        if (l->link_opening[k] == opening + 1 && label[l->link_cell[k]] >= 0)
            return label[l->link_cell[k]];
    return -1;
}

int piece_of_point(const sampler *s, const int32_t *label, const double point_mm[3]) {
    double best_mm = INFINITY;
    int piece = -1;
    for (int64_t c = 0; c < s->lattice->n_cell; c++) {
        double p[3];
        lattice_centre_mm(s->lattice, c, p);
        if (label[c] >= 0 && vec_distance(p, point_mm) < best_mm) {
            best_mm = vec_distance(p, point_mm);
            piece = label[c];
        }
    }
    return piece;
}
