/* See laplace_levels.h. */
#include "common/lattice/laplace_levels.h"
#include "common/base/status.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { ALONE = 20000 /* cells below which threads wait longer than they work */, PART = 4096 };

static int32_t root_of(int32_t *parent, int32_t i) {
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

static bool same_block(const int32_t *a, const int32_t *b) {
    return a[0] >> 1 == b[0] >> 1 && a[1] >> 1 == b[1] >> 1 && a[2] >> 1 == b[2] >> 1;
}

static bool is_alone(const laplace *a, int64_t i) {
    return a->first[i] == a->first[i + 1];
}

/* parent: the coarse cell of each cell, 0.. in the order of their first cells; returns how many there are. A cell that
 * is connected to no other has none (-1): smoothing solves it. */
static int64_t aggregate(const laplace *a, const int32_t *at, int32_t *parent) {
    int64_t n = 0;
    for (int64_t i = 0; i < a->n; i++)
        parent[i] = (int32_t)i;
    for (int64_t i = 0; i < a->n; i++)
        for (int64_t e = a->first[i]; e < a->first[i + 1]; e++) {
            const int32_t j = a->other[e];
            if (j >= i || !(a->g[e] > 0) || !same_block(at + 3 * i, at + 3 * (int64_t)j))
                continue;
            const int32_t p = root_of(parent, (int32_t)i), q = root_of(parent, j);
            if (p != q)
                parent[p < q ? q : p] = p < q ? p : q;
        }
    for (int64_t i = 0; i < a->n; i++) /* a root comes before its cells */
        parent[i] = is_alone(a, i) ? -1 : (parent[i] == i ? (int32_t)n++ : parent[parent[i]]);
    return n;
}

/* The cells of each coarse cell, in order: list [n], start [n_coarse + 1]. */
static void list_members(const int32_t *parent, int64_t n, int64_t n_coarse, int64_t *start, int32_t *list) {
    memset(start, 0, (size_t)(n_coarse + 1) * sizeof *start);
    for (int64_t i = 0; i < n; i++)
        if (parent[i] >= 0)
            start[parent[i] + 1]++;
    for (int64_t i = 0; i < n_coarse; i++)
        start[i + 1] += start[i];
    for (int64_t i = 0; i < n; i++)
        if (parent[i] >= 0)
            list[start[parent[i]]++] = (int32_t)i;
    for (int64_t i = n_coarse; i > 0; i--)
        start[i] = start[i - 1];
    start[0] = 0;
}

/* The entries of coarse cell c, summed and halved, into other and g (room for all of its cells'). Returns how many. */
static int64_t merge_row(const laplace *a, const int32_t *parent, const int32_t *member, int64_t n_member, int32_t c,
                         int32_t *other, float *g) {
    int64_t n = 0;
    for (int64_t k = 0; k < n_member; k++) {
        const int32_t i = member[k];
        for (int64_t e = a->first[i]; e < a->first[i + 1]; e++) {
            const int32_t to = parent[a->other[e]];
            if (to == c || !(a->g[e] > 0))
                continue;
            int64_t at = 0;
            while (at < n && other[at] != to)
                at++;
            if (at == n) {
                other[n] = to;
                g[n++] = 0;
            }
            g[at] += 0.5F * a->g[e];
        }
    }
    return n;
}

/* Entries of the coarse cells: first in the room that the fine ones took, then moved together. */
static void merge_rows(const laplace *a, const int32_t *parent, const int64_t *start, const int32_t *list,
                       int64_t *room, laplace *coarse) {
    room[0] = 0;
    for (int64_t c = 0; c < coarse->n; c++) {
        room[c + 1] = room[c];
        for (int64_t k = start[c]; k < start[c + 1]; k++)
            room[c + 1] += a->first[list[k] + 1] - a->first[list[k]];
    }
#pragma omp parallel for schedule(static) if (coarse->n > ALONE)
    for (int64_t c = 0; c < coarse->n; c++) {
        coarse->first[c + 1] = merge_row(a, parent, list + start[c], start[c + 1] - start[c], (int32_t)c,
                                         coarse->other + room[c], coarse->g + room[c]);
        float sum = 0;
        for (int64_t k = start[c]; k < start[c + 1]; k++)
            sum += 0.5F * a->ground[list[k]];
        coarse->ground[c] = sum;
    }
    for (int64_t c = 0; c < coarse->n; c++) {
        const size_t n = (size_t)coarse->first[c + 1];
        coarse->first[c + 1] += coarse->first[c];
        memmove(coarse->other + coarse->first[c], coarse->other + room[c], n * sizeof *coarse->other);
        memmove(coarse->g + coarse->first[c], coarse->g + room[c], n * sizeof *coarse->g);
    }
}

/* Give back what the entries do not need. */
static void shrink(laplace *a) {
    const size_t n = (size_t)a->first[a->n] + 1;
    void *other = realloc(a->other, n * sizeof *a->other), *g = realloc(a->g, n * sizeof *a->g);
    a->other = other ? other : a->other;
    a->g = g ? g : a->g;
}

/* Level k + 1 from level k; *at becomes the coordinates of its cells. */
static int coarsen(laplace_levels *m, int k, int32_t *at) {
    laplace_level *fine = &m->level[k], *next = &m->level[k + 1];
    const laplace *a = &fine->a;
    const int64_t n_coarse = aggregate(a, at, fine->parent);
    int64_t *start = calloc((size_t)(n_coarse + 1), sizeof *start);
    int64_t *room = calloc((size_t)(n_coarse + 1), sizeof *room);
    int32_t *list = calloc((size_t)(a->n + 1), sizeof *list);
    int rc = start && room && list ? laplace_create(&next->a, n_coarse, a->first[a->n])
                                   : fail_memory("the potential flow", 20.0 * (double)a->n);
    if (rc == OK) {
        list_members(fine->parent, a->n, n_coarse, start, list);
        merge_rows(a, fine->parent, start, list, room, &next->a);
        shrink(&next->a);
        laplace_diagonal(&next->a);
        for (int64_t c = 0; c < n_coarse; c++) /* the first member comes last or stands behind c */
            for (int d = 0; d < 3; d++)
                at[3 * c + d] = at[3 * (int64_t)list[start[c]] + d] >> 1;
    }
    free(start);
    free(room);
    free(list);
    return rc;
}

static int vectors_create(laplace_level *l) {
    const size_t n = (size_t)l->a.n + 1;
    l->parent = malloc(n * sizeof *l->parent);
    l->b = malloc(n * sizeof *l->b);
    l->x = malloc(n * sizeof *l->x);
    l->r = malloc(n * sizeof *l->r);
    return l->parent && l->b && l->x && l->r ? OK : fail_memory("the potential flow", 16.0 * (double)n);
}

int laplace_levels_create(laplace_levels *m, const laplace *a, const int32_t *at) {
    int rc;
    int32_t *place = malloc((size_t)(3 * a->n + 1) * sizeof *place);
    memset(m, 0, sizeof *m);
    if (!place)
        return fail_memory("the potential flow", 12.0 * (double)a->n);
    memcpy(place, at, (size_t)(3 * a->n) * sizeof *place);
    m->level[0].a = *a;
    m->n = 1;
    TRY(vectors_create(&m->level[0]));
    while (m->n < LAPLACE_LEVELS_MAX && m->level[m->n - 1].a.first[m->level[m->n - 1].a.n] > 0) {
        m->n++; /* before: a level that was begun is freed */
        TRY(coarsen(m, m->n - 2, place));
        TRY(vectors_create(&m->level[m->n - 1]));
    }
cleanup:
    free(place);
    return rc;
}

void laplace_levels_free(laplace_levels *m) {
    for (int k = 0; k < m->n; k++) {
        laplace_level *l = &m->level[k];
        if (k > 0)
            laplace_free(&l->a);
        free(l->parent);
        free(l->b);
        free(l->x);
        free(l->r);
    }
    memset(m, 0, sizeof *m);
}

/* Work on the cells first .. last - 1 of a level. */
typedef void range_work(laplace_level *l, float weight, int64_t first, int64_t last);

/* By all threads where it is worth it. Otherwise there is no parallel region at all: one of a single thread takes
 * longer than the few cells of the coarse levels, which a cycle comes to a thousand times. */
static void on_level(laplace_level *l, float weight, range_work *work) {
    const int64_t n = l->a.n;
    if (n <= ALONE) {
        work(l, weight, 0, n);
        return;
    }
#pragma omp parallel for schedule(static)
    for (int64_t first = 0; first < n; first += PART)
        work(l, weight, first, first + PART < n ? first + PART : n);
}

/* x of cell i moved by weight D^-1 (b - A x), from the present x into r; a cell alone is solved. */
static void smooth_range(laplace_level *l, float weight, int64_t first, int64_t last) {
    const laplace *a = &l->a;
    for (int64_t i = first; i < last; i++) {
        float value = l->b[i];
        for (int64_t e = a->first[i]; e < a->first[i + 1]; e++)
            value += a->g[e] * l->x[a->other[e]];
        const float part = is_alone(a, i) ? 1 : weight;
        l->r[i] = a->diagonal[i] > 0 ? l->x[i] + part * (value / a->diagonal[i] - l->x[i]) : 0;
    }
}

static void smooth(laplace_level *l, float weight) {
    on_level(l, weight, smooth_range);
    float *keep = l->x;
    l->x = l->r;
    l->r = keep;
}

static void start_range(laplace_level *l, float weight, int64_t first, int64_t last) {
    const laplace *a = &l->a;
    for (int64_t i = first; i < last; i++)
        l->x[i] = a->diagonal[i] > 0 ? (is_alone(a, i) ? 1 : weight) * l->b[i] / a->diagonal[i] : 0;
}

static void residual_range(laplace_level *l, float unused, int64_t first, int64_t last) {
    const laplace *a = &l->a;
    (void)unused;
    for (int64_t i = first; i < last; i++) {
        float value = l->b[i] - a->diagonal[i] * l->x[i];
        for (int64_t e = a->first[i]; e < a->first[i + 1]; e++)
            value += a->g[e] * l->x[a->other[e]];
        l->r[i] = value;
    }
}

/* The coarser level's x onto this one's; the next one in memory. */
static void correct_range(laplace_level *l, float unused, int64_t first, int64_t last) {
    const float *coarse = l[1].x;
    (void)unused;
    for (int64_t i = first; i < last; i++)
        l->x[i] += l->parent[i] >= 0 ? coarse[l->parent[i]] : 0;
}

/* Chebyshev's polynomial of degree 2 for eigenvalues of D^-1 A from 0.5 to 2 */
static const float weight_a = 1.389F, weight_b = 0.5621F;

/* x = M b on level k; `from_zero`: x is 0 before. The rest of a cycle is the same from both ends, so M is symmetric. */
static void cycle(laplace_levels *m, int k, bool from_zero) {
    laplace_level *l = &m->level[k];
    if (from_zero)
        on_level(l, weight_b, start_range);
    else
        smooth(l, weight_b);
    if (k == m->n - 1) { /* no connections left: D is A */
        on_level(l, 1, start_range);
        return;
    }
    smooth(l, weight_a);
    on_level(l, 0, residual_range);
    laplace_level *next = &m->level[k + 1];
    memset(next->b, 0, (size_t)next->a.n * sizeof *next->b);
    for (int64_t i = 0; i < l->a.n; i++)
        if (l->parent[i] >= 0)
            next->b[l->parent[i]] += l->r[i];
    cycle(m, k + 1, true);
    if (k > 0 && k + 1 < m->n - 1)
        cycle(m, k + 1, false);
    on_level(l, 0, correct_range);
    smooth(l, weight_a);
    smooth(l, weight_b);
}

void laplace_levels_cycle(laplace_levels *m) {
    cycle(m, 0, true);
}
