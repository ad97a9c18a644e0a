/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/ranks/part.h"
#include "common/base/status.h"
#include <stdlib.h>
#include <string.h>

enum { UNKNOWN = -1, NEEDED = -2 };

/* Lookup tables for the cells of one part. */
typedef struct {
    const domain *whole;
    const uint16_t *owner;
    int number;
    int32_t *local;
} view;

static bool is_own(const view *v, int64_t cell) {
    return v->owner[cell] == v->number;
}

static bool lane_in(const domain_run *r, int a, int lane) {
    return lane >= r->low[a] && lane < r->high[a];
}

/* Fills local: own cells first, then the halo, both in the order of the whole lattice. */
static void number_cells(const view *v, domain *d) {
    const domain *w = v->whole;
    for (int64_t c = 0; c < w->n_cell; c++)
        v->local[c] = UNKNOWN;
    for (const domain_run *r = w->run; r < w->run + w->n_run; r++)
        for (int lane = 0; lane < r->count; lane++)
            for (int a = 1; is_own(v, r->first + lane) && a < 19; a++)
                if (lane_in(r, a, lane) && !is_own(v, r->source[a] + lane))
                    v->local[r->source[a] + lane] = NEEDED;
    for (int64_t c = 0; c < w->n_cell; c++)
        if (is_own(v, c))
            v->local[c] = (int32_t)d->n_cell++;
    for (int64_t c = 0; c < w->n_cell; c++)
        if (v->local[c] == NEEDED)
            v->local[c] = (int32_t)(d->n_cell + d->n_halo++);
}

/* True if a lane and the lane before it are in one run of the part: both are own cells with consecutive neighbours. */
static bool continues_run(const view *v, const domain_run *r, int lane) {
    if (!is_own(v, r->first + lane) || !is_own(v, r->first + lane - 1))
        return false;
    for (int a = 1; a < 19; a++)
        if (lane_in(r, a, lane) && lane_in(r, a, lane - 1) &&
            v->local[r->source[a] + lane] != v->local[r->source[a] + lane - 1] + 1)
            return false;
    return true;
}

static domain_run run_of(const view *v, const domain_run *r, int begin, int end) {
    domain_run out = {.first = v->local[r->first + begin], .count = end - begin};
    out.source[0] = out.first;
    out.high[0] = (int16_t)out.count;
    for (int a = 1; a < 19; a++) {
        const int low = r->low[a] > begin ? r->low[a] : begin, high = r->high[a] < end ? r->high[a] : end;
        out.source[a] = out.first;
        if (low >= high)
            continue;
        out.low[a] = (int16_t)(low - begin);
        out.high[a] = (int16_t)(high - begin);
        out.source[a] = v->local[r->source[a] + low] - (low - begin);
    }
    return out;
}

/* Counts the runs of the part in d->n_run, and writes them to d->run unless it is NULL. */
static void runs_take(const view *v, domain *d) {
    const domain *w = v->whole;
    d->n_run = 0;
    for (const domain_run *r = w->run; r < w->run + w->n_run; r++)
        for (int begin = 0, end; begin < r->count; begin = end) {
            end = begin + 1;
            if (!is_own(v, r->first + begin))
                continue;
            while (end < r->count && continues_run(v, r, end))
                end++;
            if (d->run)
                d->run[d->n_run] = run_of(v, r, begin, end);
            d->n_run++;
        }
}

static void links_take(const view *v, domain *d) {
    const domain *w = v->whole;
    d->n_link = d->n_partial = 0;
    for (const domain_link *k = w->link; k < w->link + w->n_link; k++)
        if (is_own(v, k->cell)) {
            if (d->link) {
                d->link[d->n_link] = *k;
                d->link[d->n_link].cell = v->local[k->cell];
            }
            d->n_link++;
        }
    for (const domain_partial *k = w->partial; k < w->partial + w->n_partial; k++)
        if (is_own(v, k->cell)) {
            if (d->partial) {
                d->partial[d->n_partial] = *k;
                d->partial[d->n_partial].cell = v->local[k->cell];
            }
            d->n_partial++;
        }
}

/* Sets the first links of each run, and the entry after the last run; links and runs are both sorted by cell. */
static void runs_close(domain *d) {
    int64_t link = 0, partial = 0;
    for (int64_t n = 0; n <= d->n_run; n++) {
        domain_run *r = &d->run[n];
        if (n == d->n_run)
            *r = (domain_run){.first = (int32_t)d->n_cell};
        r->link = (int32_t)link;
        r->partial = (int32_t)partial;
        for (; link < d->n_link && d->link[link].cell < r->first + r->count; link++)
            r->opening |= d->link[link].opening != 0;
        while (partial < d->n_partial && d->partial[partial].cell < r->first + r->count)
            partial++;
    }
}

static int domain_take(const view *v, domain *d) {
    const domain *w = v->whole;
    d->directions = w->directions;
    memcpy(d->dims, w->dims, sizeof d->dims);
    memcpy(d->periodic, w->periodic, sizeof d->periodic);
    d->n_opening = w->n_opening;
    number_cells(v, d);
    if (d->n_cell == 0)
        return fail(ERR_INTERNAL, "rank %d got no cell of the lattice; use fewer ranks", v->number);
    runs_take(v, d);
    links_take(v, d);
    d->run = malloc(((size_t)d->n_run + 1) * sizeof *d->run);
    d->link = malloc(((size_t)d->n_link + 1) * sizeof *d->link);
    d->partial = malloc(((size_t)d->n_partial + 1) * sizeof *d->partial);
    d->opening = malloc(((size_t)d->n_opening + 1) * sizeof *d->opening);
    d->fluid = w->fluid ? malloc((size_t)d->n_cell * sizeof *d->fluid) : NULL;
    d->position = malloc(3 * (size_t)d->n_cell * sizeof *d->position);
    d->stored = malloc((size_t)d->n_cell * sizeof *d->stored);
    if (!d->position || !d->stored || !d->run || !d->link || !d->partial || !d->opening || (w->fluid && !d->fluid))
        return fail_memory("the part of a rank", (double)d->n_run * sizeof *d->run);
    memcpy(d->opening, w->opening, (size_t)w->n_opening * sizeof *d->opening);
    runs_take(v, d);
    links_take(v, d);
    runs_close(d);
    for (int64_t c = 0; c < w->n_cell; c++) {
        if (!is_own(v, c))
            continue;
        if (d->fluid)
            d->fluid[v->local[c]] = w->fluid[c];
        memcpy(d->position + 3 * (int64_t)v->local[c], w->position + 3 * c, 3 * sizeof *d->position);
        d->stored[v->local[c]] = w->stored[c];
    }
    return OK;
}

/* One value that a part sends to another part in a step. cell: number in the whole lattice; it belongs to this part
 * (mine) or to `peer` (theirs). */
typedef struct {
    int32_t peer, cell, slot;
} value;

static int by_peer(const void *a, const void *b) {
    const value *x = a, *y = b;
    if (x->peer != y->peer)
        return x->peer < y->peer ? -1 : 1;
    if (x->cell != y->cell)
        return x->cell < y->cell ? -1 : 1;
    return (x->slot > y->slot) - (x->slot < y->slot);
}

/* Returns the number of values exchanged with other parts, and lists them unless mine is NULL. mine: values of own
 * cells that cells of other parts read in the odd step; theirs: values of halo cells that own cells read. */
static int64_t values_take(const view *v, value *mine, value *theirs) {
    const domain *w = v->whole;
    int64_t n = 0;
    for (const domain_run *r = w->run; r < w->run + w->n_run; r++)
        for (int lane = 0; lane < r->count; lane++)
            for (int a = 1; is_own(v, r->first + lane) && a < 19; a++) {
                const int32_t y = r->source[a] + lane;
                if (!lane_in(r, a, lane) || is_own(v, y))
                    continue;
                if (mine) {
                    mine[n] = (value){v->owner[y], r->first + lane, a};
                    theirs[n] = (value){v->owner[y], y, lattice_opposite(a)};
                }
                n++;
            }
    return n;
}

static int halo_take(const view *v, halo *h) {
    const size_t n = (size_t)values_take(v, NULL, NULL);
    int rc = OK;
    value *mine = malloc((n + 1) * sizeof *mine), *theirs = malloc((n + 1) * sizeof *theirs);
    h->peer = malloc((n + 1) * sizeof *h->peer);
    h->first = calloc(n + 2, sizeof *h->first);
    h->mine = malloc((n + 1) * sizeof *h->mine);
    h->theirs = malloc((n + 1) * sizeof *h->theirs);
    h->mine_slot = malloc(n + 1);
    h->theirs_slot = malloc(n + 1);
    if (!mine || !theirs || !h->peer || !h->first || !h->mine || !h->theirs || !h->mine_slot || !h->theirs_slot)
        GIVE_UP(fail_memory("the halo of a rank", (double)n * 40));
    values_take(v, mine, theirs);
    qsort(mine, n, sizeof *mine, by_peer);
    qsort(theirs, n, sizeof *theirs, by_peer);
    for (size_t k = 0; k < n; k++) {
        if (k == 0 || mine[k].peer != mine[k - 1].peer) {
            h->peer[h->n_peer] = mine[k].peer;
            h->first[h->n_peer++] = (int64_t)k;
        }
        h->mine[k] = v->local[mine[k].cell];
        h->mine_slot[k] = (uint8_t)mine[k].slot;
        h->theirs[k] = v->local[theirs[k].cell];
        h->theirs_slot[k] = (uint8_t)theirs[k].slot;
    }
    h->first[h->n_peer] = (int64_t)n;
cleanup:
    free(mine);
    free(theirs);
    return rc;
}

int part_create(const domain *whole, const uint16_t *owner, int number, int32_t *local, part *p) {
    const view v = {whole, owner, number, local};
    int rc;
    memset(p, 0, sizeof *p);
    TRY(domain_take(&v, &p->d));
    TRY(halo_take(&v, &p->h));
    p->d.part = &p->h;
cleanup:
    if (rc != OK)
        part_free(p);
    return rc;
}

void part_free(part *p) {
    domain_free(&p->d);
    halo_free(&p->h);
    memset(p, 0, sizeof *p);
}
