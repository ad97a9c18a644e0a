/* See piece.h. */
#include "post/sample/piece.h"
#include "common/base/vec.h"
#include "common/base/status.h"
#include <stdlib.h>

int piece_label(const sampler *s, int32_t *label, int *n) {
    const lattice *l = s->lattice;
    int64_t *stack = malloc(((size_t)l->n_cell + 1) * sizeof *stack), n_stack;
    *n = 0;
    if (!stack)
        return fail_memory("the pieces of the lumen", 8.0 * (double)l->n_cell);
    for (int64_t c = 0; c < l->n_cell; c++)
        label[c] = -1;
    for (int64_t first = 0; first < l->n_cell; first++) {
        if (!s->active[first] || label[first] >= 0)
            continue;
        n_stack = 0;
        label[first] = *n;
        stack[n_stack++] = first;
        while (n_stack > 0) {
            const int32_t *at = l->cell + 3 * stack[--n_stack];
            for (int a = 1; a < 19; a++) {
                const int8_t *e = lattice_e[a];
                int64_t other = lattice_rows_find(&s->rows, at[0] + e[0], at[1] + e[1], at[2] + e[2]);
                if (other >= 0 && s->active[other] && label[other] < 0) {
                    label[other] = *n;
                    stack[n_stack++] = other;
                }
            }
        }
        (*n)++;
    }
    free(stack);
    return OK;
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
