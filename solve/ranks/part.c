/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/ranks/part.h"
#include "common/base/status.h"
#include "solve/core/domain_openings.h"
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
            for (int a = 1; is_own(v, r->first + lane) && a < w->directions; a++)
                if (lane_in(r, a, lane) && !is_own(v, r->source[a] + lane))
                    v->local[r->source[a] + lane] = NEEDED;
    for (int64_t k = 0; w->behind && k < w->n_link; k++)
        if (is_own(v, w->link[k].cell) && w->behind[k].next >= 0 && !is_own(v, w->behind[k].third))
            v->local[w->behind[k].third] = NEEDED;
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
    for (int a = 1; a < v->whole->directions; a++)
        if (lane_in(r, a, lane) && lane_in(r, a, lane - 1) &&
            v->local[r->source[a] + lane] != v->local[r->source[a] + lane - 1] + 1)
            return false;
    return true;
}

static domain_run run_of(const view *v, const domain_run *r, int begin, int end) {
    domain_run out = {.first = v->local[r->first + begin], .count = end - begin};
    out.source[0] = out.first;
    out.high[0] = (int16_t)out.count;
    for (int a = 1; a < v->whole->directions; a++) {
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

static domain_behind behind_of(const view *v, const domain_behind *b) {
    return b->next < 0 ? *b : (domain_behind){v->local[b->next], v->local[b->third]};
}

static void links_take(const view *v, domain *d) {
    const domain *w = v->whole;
    d->n_link = d->n_partial = 0;
    for (const domain_link *k = w->link; k < w->link + w->n_link; k++)
        if (is_own(v, k->cell)) {
            if (d->link) {
                d->link[d->n_link] = *k;
                d->link[d->n_link].cell = v->local[k->cell];
                if (d->behind)
                    d->behind[d->n_link] = behind_of(v, &w->behind[k - w->link]);
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

/* Sets the index of the first link of each run, and the last entry of the run array. Links and runs are both sorted by
 * cell. */
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
    d->behind = w->behind ? malloc(((size_t)d->n_link + 1) * sizeof *d->behind) : NULL;
    d->partial = malloc(((size_t)d->n_partial + 1) * sizeof *d->partial);
    d->opening = malloc(((size_t)d->n_opening + 1) * sizeof *d->opening);
    d->fluid = w->fluid ? malloc((size_t)d->n_cell * sizeof *d->fluid) : NULL;
    d->region = w->region ? calloc((size_t)(d->n_cell + d->n_halo) + DOMAIN_RUN_MAX, sizeof *d->region) : NULL;
    d->position = malloc(3 * (size_t)d->n_cell * sizeof *d->position);
    d->stored = malloc((size_t)d->n_cell * sizeof *d->stored);
    if (!d->position || !d->stored || !d->run || !d->link || !d->partial || !d->opening || (w->fluid && !d->fluid) ||
        (w->region && !d->region) || (w->behind && !d->behind))
        return fail_memory("the part of a rank", (double)d->n_run * sizeof *d->run);
    memcpy(d->opening, w->opening, (size_t)w->n_opening * sizeof *d->opening);
    if (domain_pulse_copy(w, d) != OK)
        return ERR_RESOURCE;
    runs_take(v, d);
    links_take(v, d);
    runs_close(d);
    for (int64_t c = 0; c < w->n_cell; c++) {
        if (d->region && v->local[c] >= 0)
            d->region[v->local[c]] = w->region[c];
        if (!is_own(v, c))
            continue;
        if (d->fluid)
            d->fluid[v->local[c]] = w->fluid[c];
        memcpy(d->position + 3 * (int64_t)v->local[c], w->position + 3 * c, 3 * sizeof *d->position);
        d->stored[v->local[c]] = w->stored[c];
    }
    return OK;
}

/* --- halo -------------------------------------------------------------------------------------------------------- */

/* The value of a link between two parts. cell: its number in the whole lattice. */
struct part_value {
    int32_t peer, cell, slot;
};

static int by_peer(const void *a, const void *b) {
    const part_value *x = a, *y = b;
    if (x->peer != y->peer)
        return x->peer < y->peer ? -1 : 1;
    if (x->cell != y->cell)
        return x->cell < y->cell ? -1 : 1;
    return (x->slot > y->slot) - (x->slot < y->slot);
}

/* Returns the number of links to other parts, and lists their values unless mine is NULL. mine: values of own cells
 * that cells of other parts read in the odd step; theirs: values of halo cells that own cells read. */
static int64_t values_take(const view *v, part_value *mine, part_value *theirs) {
    const domain *w = v->whole;
    int64_t n = 0;
    for (const domain_run *r = w->run; r < w->run + w->n_run; r++)
        for (int lane = 0; lane < r->count; lane++)
            for (int a = 1; is_own(v, r->first + lane) && a < w->directions; a++) {
                const int32_t y = r->source[a] + lane;
                if (!lane_in(r, a, lane) || is_own(v, y))
                    continue;
                if (mine) {
                    mine[n] = (part_value){v->owner[y], r->first + lane, a};
                    theirs[n] = (part_value){v->owner[y], y, lattice_opposite(a)};
                }
                n++;
            }
    return n;
}

/* Lists the values of links to other parts in p->mine and p->theirs, in the order of halo.h, with cell numbers of the
 * part. */
static int cut_links_take(const view *v, part *p) {
    p->n_cut = values_take(v, NULL, NULL);
    p->mine = malloc(((size_t)p->n_cut + 1) * sizeof *p->mine);
    p->theirs = malloc(((size_t)p->n_cut + 1) * sizeof *p->theirs);
    if (!p->mine || !p->theirs)
        return fail_memory("the halo of a rank", 24.0 * (double)p->n_cut);
    values_take(v, p->mine, p->theirs);
    qsort(p->mine, (size_t)p->n_cut, sizeof *p->mine, by_peer);
    qsort(p->theirs, (size_t)p->n_cut, sizeof *p->theirs, by_peer);
    for (int64_t k = 0; k < p->n_cut; k++) {
        p->mine[k].cell = v->local[p->mine[k].cell];
        p->theirs[k].cell = v->local[p->theirs[k].cell];
    }
    return OK;
}

/* Returns the number of wall values that this part receives, and lists them unless request is NULL. */
static int64_t requests_take(const view *v, part_request *request) {
    const domain *w = v->whole;
    int64_t n = 0;
    for (int64_t k = 0; w->behind && k < w->n_link; k++) {
        const domain_link *l = &w->link[k];
        const domain_behind *b = &w->behind[k];
        if (!is_own(v, l->cell) || b->next < 0 || is_own(v, b->next) || is_own(v, b->third))
            continue;
        const bool near = l->q < 0.5f;
        const int32_t s = near ? b->third : b->next;
        if (request) {
            request[n] = (part_request){.owner = v->owner[s],
                                        .reader = v->number,
                                        .c = near ? l->dir : lattice_opposite(l->dir),
                                        .s = v->local[s],
                                        .t = v->local[near ? b->next : b->third]};
            memcpy(request[n].position, w->position + 3 * (int64_t)s, sizeof request[n].position);
        }
        n++;
    }
    return n;
}

static int by_place(const part_request *x, const part_request *y) {
    for (int a = 2; a >= 0; a--)
        if (x->position[a] != y->position[a])
            return x->position[a] < y->position[a] ? -1 : 1;
    return (x->c > y->c) - (x->c < y->c);
}

static int by_owner(const void *a, const void *b) {
    const part_request *x = a, *y = b;
    return x->owner != y->owner ? (x->owner < y->owner ? -1 : 1) : by_place(x, y);
}

static int by_reader(const void *a, const void *b) {
    const part_request *x = a, *y = b;
    return x->reader != y->reader ? (x->reader < y->reader ? -1 : 1) : by_place(x, y);
}

/* Own cell at a position; -1: none. */
static int32_t cell_at(const domain *d, const int32_t *position) {
    int64_t low = 0, high = d->n_cell;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        const int32_t *p = d->position + 3 * middle;
        int order = 0;
        for (int a = 2; a >= 0 && order == 0; a--)
            order = (p[a] > position[a]) - (p[a] < position[a]);
        if (order == 0)
            return (int32_t)middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

/* Numbers of cells s and t of a request in the part that owns s. */
static int request_find(const domain *d, part_request *r) {
    r->t = -1;
    r->s = cell_at(d, r->position);
    if (r->s >= 0)
        domain_neighbours(d, lattice_opposite(r->c), r->s, 1, &r->t);
    return r->t >= 0
               ? OK
               : fail(ERR_INTERNAL, "a rank has no cell %d, %d, %d behind a wall of another rank; use fewer ranks",
                      r->position[0], r->position[1], r->position[2]);
}

static int values_create(int64_t n, halo_values *v) {
    v->cell = malloc(((size_t)n + 1) * sizeof *v->cell);
    v->slot = malloc((size_t)n + 1);
    return v->cell && v->slot ? OK : fail_memory("the halo of a rank", 5.0 * (double)n);
}

static void value_set(const halo_values *v, int64_t k, int32_t cell, int slot) {
    v->cell[k] = cell;
    v->slot[k] = (uint8_t)slot;
}

static void wall_value_set(const halo_values v[2], int64_t k, const part_request *r) {
    value_set(&v[0], k, r->s, lattice_opposite(r->c));
    value_set(&v[1], k, r->t, r->c);
}

/* Joins the values of links to other parts and the wall values, peer by peer. sent [n_sent]: requests of other parts,
 * sorted by reader. */
static void halo_join(const part *p, const part_request *sent, int64_t n_sent, halo *h) {
    int64_t cut = 0, s = 0, r = 0, ns = 0, nr = 0;
    while (cut < p->n_cut || s < n_sent || r < p->n_request) {
        int32_t peer = INT32_MAX;
        peer = cut < p->n_cut ? p->mine[cut].peer : peer;
        peer = s < n_sent && sent[s].reader < peer ? sent[s].reader : peer;
        peer = r < p->n_request && p->request[r].owner < peer ? p->request[r].owner : peer;
        h->peer[h->n_peer] = peer;
        h->first_sent[h->n_peer] = ns;
        h->first_received[h->n_peer++] = nr;
        for (; cut < p->n_cut && p->mine[cut].peer == peer; cut++, ns++, nr++) {
            value_set(&h->sent[0], ns, p->mine[cut].cell, p->mine[cut].slot);
            value_set(&h->received[0], nr, p->theirs[cut].cell, p->theirs[cut].slot);
            value_set(&h->sent[1], ns, p->theirs[cut].cell, p->theirs[cut].slot);
            value_set(&h->received[1], nr, p->mine[cut].cell, p->mine[cut].slot);
        }
        for (; s < n_sent && sent[s].reader == peer; s++, ns++)
            wall_value_set(h->sent, ns, &sent[s]);
        for (; r < p->n_request && p->request[r].owner == peer; r++, nr++)
            wall_value_set(h->received, nr, &p->request[r]);
    }
    h->first_sent[h->n_peer] = ns;
    h->first_received[h->n_peer] = nr;
}

static void part_lists_free(part *p) {
    free(p->mine);
    free(p->theirs);
    free(p->request);
    p->mine = p->theirs = NULL;
    p->request = NULL;
}

int part_connect(part *p, const part_request *all, int64_t n_all) {
    halo *h = &p->h;
    int rc = OK;
    int64_t n_sent = 0;
    part_request *sent = malloc(((size_t)n_all + 1) * sizeof *sent);
    if (!sent)
        return fail_memory("the halo of a rank", (double)n_all * sizeof *sent);
    for (int64_t k = 0; k < n_all; k++)
        if (all[k].owner == p->number) {
            sent[n_sent] = all[k];
            TRY(request_find(&p->d, &sent[n_sent++]));
        }
    qsort(sent, (size_t)n_sent, sizeof *sent, by_reader);
    const size_t peers = (size_t)(p->n_cut + n_sent + p->n_request);
    h->peer = malloc((peers + 1) * sizeof *h->peer);
    h->first_sent = calloc(peers + 1, sizeof *h->first_sent);
    h->first_received = calloc(peers + 1, sizeof *h->first_received);
    if (!h->peer || !h->first_sent || !h->first_received)
        GIVE_UP(fail_memory("the halo of a rank", 20.0 * (double)peers));
    for (int odd = 0; odd < 2; odd++) {
        TRY(values_create(p->n_cut + n_sent, &h->sent[odd]));
        TRY(values_create(p->n_cut + p->n_request, &h->received[odd]));
    }
    halo_join(p, sent, n_sent, h);
    part_lists_free(p);
    p->d.part = h;
cleanup:
    free(sent);
    return rc;
}

int part_create(const domain *whole, const uint16_t *owner, int number, int32_t *local, part *p) {
    const view v = {whole, owner, number, local};
    int rc;
    memset(p, 0, sizeof *p);
    p->number = number;
    TRY(domain_take(&v, &p->d));
    TRY(cut_links_take(&v, p));
    p->n_request = requests_take(&v, NULL);
    p->request = malloc(((size_t)p->n_request + 1) * sizeof *p->request);
    if (!p->request)
        GIVE_UP(fail_memory("the halo of a rank", (double)p->n_request * sizeof *p->request));
    requests_take(&v, p->request);
    qsort(p->request, (size_t)p->n_request, sizeof *p->request, by_owner);
cleanup:
    if (rc != OK)
        part_free(p);
    return rc;
}

void part_free(part *p) {
    domain_free(&p->d);
    halo_free(&p->h);
    part_lists_free(p);
    memset(p, 0, sizeof *p);
}
