/* SPDX-License-Identifier: Apache-2.0 */
#include "common/lattice/laplace_levels.h"
#include "common/base/status.h"
#include "common/base/union_find.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    THREADS_FROM = 20000, /* number of cells below which threads cost more time than they save */
    PART = 4096,          /* cells per task of a thread */
    SLABS_MAX = 64
};

/* A slab: cells `first .. last - 1`. Its coarse cells, coarse .. coarse + n_coarse - 1, contain only cells of this
 * slab. */
typedef struct {
    int64_t first, last, coarse, n_coarse;
    int64_t member, n_member; /* range of the slab in the member list, without isolated cells */
} slab;

/* Work arrays for building the next level. */
typedef struct {
    const laplace *a;
    const int32_t *at; /* [n][3] positions of the cells */
    int32_t *parent;   /* [n] cell of the next level that contains the cell; -1: an isolated cell */
    /* [n_coarse] position of each coarse cell. list_members: next free entry in the member list. merge_slab: first
     * entry of its row in `other` and `g`. */
    int64_t *place;
    int32_t *other; /* [entries of a] rows of the next level, with gaps between them */
    float *g;
    int n_slab;
    slab of[SLABS_MAX];
} coarsening;

static bool same_block(const int32_t *a, const int32_t *b) {
    return a[0] >> 1 == b[0] >> 1 && a[1] >> 1 == b[1] >> 1 && a[2] >> 1 == b[2] >> 1;
}

static bool is_isolated(const laplace *a, int64_t i) {
    return a->first[i] == a->first[i + 1];
}

/* Splits the cells into slabs that share no block of 2 x 2 x 2 cells. Cells are sorted by z, and blocks are two cells
 * high in z, so slabs are cut between two layers of blocks. Unsorted cells form one slab. */
static void find_slabs(coarsening *w) {
    const int64_t n = w->a->n;
    bool rising = true;
#pragma omp parallel for schedule(static) reduction(&& : rising) if (n > THREADS_FROM)
    for (int64_t i = 1; i < n; i++)
        rising = rising && w->at[3 * i + 2] >> 1 >= w->at[3 * i - 1] >> 1;
    const int wanted = rising && n > THREADS_FROM ? SLABS_MAX : 1;
    w->n_slab = 0;
    for (int64_t k = 0, first = 0; k < wanted && first < n; k++) {
        int64_t low = n * (k + 1) / wanted, high = n;
        if (low <= first)
            continue;
        const int32_t z = w->at[3 * low - 1] >> 1;
        while (low < high) { /* binary search for the first cell of a higher block */
            const int64_t middle = low + (high - low) / 2;
            if (w->at[3 * middle + 2] >> 1 > z)
                high = middle;
            else
                low = middle + 1;
        }
        w->of[w->n_slab++] = (slab){.first = first, .last = low};
        first = low;
    }
}

/* Joins the connected cells of each block to an aggregate (parent: its first cell). Counts members and coarse cells. */
static void join_slab(const coarsening *w, slab *s) {
    const laplace *a = w->a;
    int32_t *parent = w->parent;
    for (int64_t i = s->first; i < s->last; i++)
        parent[i] = (int32_t)i;
    for (int64_t i = s->first; i < s->last; i++)
        for (int64_t e = a->first[i]; e < a->first[i + 1]; e++) {
            const int32_t j = a->other[e];
            if (j < i && a->g[e] > 0 && same_block(w->at + 3 * i, w->at + 3 * (int64_t)j))
                union_find_join(parent, (int32_t)i, j);
        }
    for (int64_t i = s->first; i < s->last; i++) {
        s->n_member += !is_isolated(a, i);
        s->n_coarse += !is_isolated(a, i) && parent[i] == i;
    }
}

/* Numbers the coarse cells in the order of their first fine cells; returns their number. */
static int64_t aggregate_cells(coarsening *w) {
    int64_t n = 0, member = 0;
    find_slabs(w);
#pragma omp parallel for schedule(dynamic, 1) if (w->n_slab > 1)
    for (int k = 0; k < w->n_slab; k++)
        join_slab(w, &w->of[k]);
    for (int k = 0; k < w->n_slab; k++) {
        w->of[k].coarse = n;
        w->of[k].member = member;
        n += w->of[k].n_coarse;
        member += w->of[k].n_member;
    }
#pragma omp parallel for schedule(dynamic, 1) if (w->n_slab > 1)
    for (int k = 0; k < w->n_slab; k++) {
        int32_t next = (int32_t)w->of[k].coarse, *parent = w->parent;
        for (int64_t i = w->of[k].first; i < w->of[k].last; i++) /* the first cell of an aggregate represents it */
            parent[i] = is_isolated(w->a, i) ? -1 : (parent[i] == i ? next++ : parent[parent[i]]);
    }
    return n;
}

/* Lists the fine cells of each coarse cell of a slab, in order. */
static void list_members(const coarsening *w, const slab *s, int64_t *start, int32_t *list) {
    int64_t at = s->member, *place = w->place;
    for (int64_t i = s->first; i < s->last; i++)
        if (w->parent[i] >= 0)
            place[w->parent[i]]++;
    for (int64_t c = s->coarse; c < s->coarse + s->n_coarse; c++) {
        const int64_t n = place[c];
        place[c] = at;
        start[c + 1] = at += n;
    }
    for (int64_t i = s->first; i < s->last; i++)
        if (w->parent[i] >= 0)
            list[place[w->parent[i]]++] = (int32_t)i;
}

/* Writes the row of coarse cell c. An entry is half the sum of the fine conductances to a coarse neighbour, because
 * coarse cells are twice as far apart. other and g have room for the rows of all fine cells of c. Returns the number of
 * entries. */
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

/* Writes the rows of the coarse cells of a slab at the positions of the fine rows. place[c]: offset of the row of
 * coarse cell c; first[c + 1]: its length. */
static void merge_slab(const coarsening *w, const slab *s, const laplace_level *fine, int64_t *first) {
    int64_t room = w->a->first[s->first];
    for (int64_t c = s->coarse; c < s->coarse + s->n_coarse; c++) {
        const int32_t *member = fine->list + fine->start[c];
        const int64_t n = fine->start[c + 1] - fine->start[c];
        w->place[c] = room;
        first[c + 1] = merge_row(w->a, w->parent, member, n, (int32_t)c, w->other + room, w->g + room);
        for (int64_t k = 0; k < n; k++)
            room += w->a->first[member[k] + 1] - w->a->first[member[k]];
    }
}

/* Copies the rows into the coarse network without gaps and sets the coarse coordinates. */
static int gather_rows(const coarsening *w, const laplace_level *fine, const int64_t *first, int64_t n, laplace *coarse,
                       int32_t *at) {
    const int rc = laplace_create(coarse, n, first[n]);
    if (rc != OK)
        return rc;
#pragma omp parallel for schedule(static) if (n > THREADS_FROM)
    for (int64_t c = 0; c < n; c++) {
        const size_t length = (size_t)(first[c + 1] - first[c]);
        float sum = 0;
        coarse->first[c + 1] = first[c + 1];
        memcpy(coarse->other + first[c], w->other + w->place[c], length * sizeof *coarse->other);
        memcpy(coarse->g + first[c], w->g + w->place[c], length * sizeof *coarse->g);
        for (int64_t k = fine->start[c]; k < fine->start[c + 1]; k++)
            sum += 0.5F * w->a->ground[fine->list[k]];
        coarse->ground[c] = sum;
        for (int d = 0; d < 3; d++)
            at[3 * c + d] = w->at[3 * (int64_t)fine->list[fine->start[c]] + d] >> 1;
    }
    laplace_diagonal(coarse);
    return OK;
}

static int build_coarse_network(coarsening *w, laplace_level *fine, int64_t n, laplace *coarse, int32_t **at) {
    const size_t n_entry = (size_t)w->a->first[w->a->n] + 1;
    int64_t *first = calloc((size_t)n + 1, sizeof *first);
    int rc = OK;
    w->other = malloc(n_entry * sizeof *w->other);
    w->g = malloc(n_entry * sizeof *w->g);
    *at = malloc(((size_t)n + 1) * 3 * sizeof **at);
    if (!first || !w->other || !w->g || !*at)
        GIVE_UP(fail_memory("the potential flow", 8.0 * (double)n_entry + 20.0 * (double)n));
#pragma omp parallel for schedule(dynamic, 1) if (w->n_slab > 1)
    for (int k = 0; k < w->n_slab; k++)
        merge_slab(w, &w->of[k], fine, first);
    for (int64_t c = 0; c < n; c++)
        first[c + 1] += first[c];
    TRY(gather_rows(w, fine, first, n, coarse, *at));
cleanup:
    free(first);
    return rc;
}

/* Builds level k + 1 from level k; *at becomes the coordinates of its cells. */
static int build_next_level(laplace_levels *m, int k, int32_t **at) {
    laplace_level *fine = &m->level[k];
    coarsening w = {.a = &fine->a, .at = *at};
    int32_t *next_at = NULL;
    int rc = OK;
    w.parent = malloc(((size_t)w.a->n + 1) * sizeof *w.parent);
    fine->list = malloc(((size_t)w.a->n + 1) * sizeof *fine->list);
    if (!w.parent || !fine->list)
        GIVE_UP(fail_memory("the potential flow", 8.0 * (double)w.a->n));
    const int64_t n = aggregate_cells(&w);
    fine->start = calloc((size_t)n + 1, sizeof *fine->start);
    w.place = calloc((size_t)n + 1, sizeof *w.place);
    if (!fine->start || !w.place)
        GIVE_UP(fail_memory("the potential flow", 16.0 * (double)n));
#pragma omp parallel for schedule(dynamic, 1) if (w.n_slab > 1)
    for (int j = 0; j < w.n_slab; j++)
        list_members(&w, &w.of[j], fine->start, fine->list);
    TRY(build_coarse_network(&w, fine, n, &m->level[k + 1].a, &next_at));
    free(*at);
    *at = next_at;
    next_at = NULL;
cleanup:
    free(next_at);
    free(w.parent);
    free(w.place);
    free(w.other);
    free(w.g);
    return rc;
}

static int vectors_create(laplace_level *l) {
    const size_t n = (size_t)l->a.n + 1;
    l->b = malloc(n * sizeof *l->b);
    l->x = malloc(n * sizeof *l->x);
    l->r = malloc(n * sizeof *l->r);
    return l->b && l->x && l->r ? OK : fail_memory("the potential flow", 12.0 * (double)n);
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
        m->n++; /* counted before it is built, because laplace_levels_free must also free an incomplete level */
        TRY(build_next_level(m, m->n - 2, &place));
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
        free(l->start);
        free(l->list);
        free(l->b);
        free(l->x);
        free(l->r);
    }
    memset(m, 0, sizeof *m);
}

/* Function that processes cells `first .. last - 1` of level l or of the next level. */
typedef void range_work(laplace_level *l, float weight, int64_t first, int64_t last);

/* Runs `work` over a range, in parallel if it is long. A short range opens no parallel region: its overhead exceeds the
 * work on the few cells of the coarse levels, which a cycle visits about a thousand times. */
static void on_range(laplace_level *l, int64_t n, float weight, range_work *work) {
    if (n <= THREADS_FROM) {
        work(l, weight, 0, n);
        return;
    }
#pragma omp parallel for schedule(static)
    for (int64_t first = 0; first < n; first += PART)
        work(l, weight, first, first + PART < n ? first + PART : n);
}

static void on_level(laplace_level *l, float weight, range_work *work) {
    on_range(l, l->a.n, weight, work);
}

/* Damped Jacobi step from x into r: r = x + weight D^-1 (b - A x); exact for an isolated cell. */
static void smooth_range(laplace_level *l, float weight, int64_t first, int64_t last) {
    const laplace *a = &l->a;
    for (int64_t i = first; i < last; i++) {
        float value = l->b[i];
        for (int64_t e = a->first[i]; e < a->first[i + 1]; e++)
            value += a->g[e] * l->x[a->other[e]];
        const float part = is_isolated(a, i) ? 1 : weight;
        l->r[i] = a->diagonal[i] > 0 ? l->x[i] + part * (value / a->diagonal[i] - l->x[i]) : 0;
    }
}

static void smooth_level(laplace_level *l, float weight) {
    on_level(l, weight, smooth_range);
    float *keep = l->x;
    l->x = l->r;
    l->r = keep;
}

static void start_range(laplace_level *l, float weight, int64_t first, int64_t last) {
    const laplace *a = &l->a;
    for (int64_t i = first; i < last; i++)
        l->x[i] = a->diagonal[i] > 0 ? (is_isolated(a, i) ? 1 : weight) * l->b[i] / a->diagonal[i] : 0;
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

/* restrict_range sums the residual of level l into b of the next level, l[1]. correct_range adds x of the next level to
 * x of level l. */
static void restrict_range(laplace_level *l, float unused, int64_t first, int64_t last) {
    (void)unused;
    for (int64_t c = first; c < last; c++) {
        float sum = 0;
        for (int64_t k = l->start[c]; k < l->start[c + 1]; k++)
            sum += l->r[l->list[k]];
        l[1].b[c] = sum;
    }
}

static void correct_range(laplace_level *l, float unused, int64_t first, int64_t last) {
    (void)unused;
    for (int64_t c = first; c < last; c++)
        for (int64_t k = l->start[c]; k < l->start[c + 1]; k++)
            l->x[l->list[k]] += l[1].x[c];
}

/* Weights of the two Jacobi steps; they form a Chebyshev polynomial of degree 2 for eigenvalues of D^-1 A from 0.5
 * to 2 */
static const float weight_a = 1.389F, weight_b = 0.5621F;

/* One multigrid cycle: x = M b on level k. from_zero: starts from x = 0, whatever x holds. The smoothing steps are
 * mirrored about the coarse correction, so M is symmetric. */
static void run_cycle(laplace_levels *m, int k, bool from_zero) {
    laplace_level *l = &m->level[k];
    if (from_zero)
        on_level(l, weight_b, start_range);
    else
        smooth_level(l, weight_b);
    if (k == m->n - 1) { /* on the last level no connections remain: A = D */
        on_level(l, 1, start_range);
        return;
    }
    smooth_level(l, weight_a);
    on_level(l, 0, residual_range);
    const int64_t n_next = m->level[k + 1].a.n;
    on_range(l, n_next, 0, restrict_range);
    run_cycle(m, k + 1, true);
    if (k > 0 && k + 1 < m->n - 1)
        run_cycle(m, k + 1, false);
    on_range(l, n_next, 0, correct_range);
    smooth_level(l, weight_a);
    smooth_level(l, weight_b);
}

void laplace_levels_cycle(laplace_levels *m) {
    run_cycle(m, 0, true);
}
