/* SPDX-License-Identifier: Apache-2.0 */
/* See cuda_order.h. */
#include "solve/cuda/cuda_order.h"
#include "common/base/status.h"
#include "solve/cuda/cuda_pack.h"
#include <stdlib.h>
#include <string.h>

/* --- pieces ------------------------------------------------------------------------------------------------------ */

/* Appends the domain cells `from .. from + count - 1` to the order. *room: number of allocated pieces. */
static int piece_add(cell_order *o, int64_t *room, int64_t from, int64_t count) {
    order_piece *last = o->n ? &o->piece[o->n - 1] : NULL;
    if (count == 0)
        return OK;
    if (last && last->from + last->count == from) {
        last->count += (int32_t)count;
        return OK;
    }
    if (o->n == *room) {
        *room = 2 * *room + 64;
        order_piece *more = realloc(o->piece, (size_t)*room * sizeof *more);
        if (!more)
            return fail_memory("the order of the cells", (double)*room * sizeof *more);
        o->piece = more;
        last = o->n ? &more[o->n - 1] : NULL;
    }
    o->piece[o->n++] = (order_piece){(int32_t)from, last ? last->to + last->count : 0, (int32_t)count};
    return OK;
}

/* Appends one chunk: cells `begin .. end - 1`, with the links `link .. last - 1`. Cells at openings come first, then
 * all others. */
static int chunk_add(const domain_link *link, const domain_link *last, int64_t begin, int64_t end, cell_order *o,
                     int64_t *room) {
    int rc = OK;
    int64_t from = begin;
    for (const domain_link *l = link; l < last; l++)
        if (l->opening && l->cell >= from) {
            TRY(piece_add(o, room, l->cell, 1));
            from = (int64_t)l->cell + 1;
        }
    from = begin;
    for (const domain_link *l = link; l < last; l++)
        if (l->opening && l->cell >= from) {
            TRY(piece_add(o, room, from, l->cell - from));
            from = (int64_t)l->cell + 1;
        }
    rc = piece_add(o, room, from, end - from);
cleanup:
    return rc;
}

int order_create(const domain *d, int64_t chunk, cell_order *o) {
    int rc = OK;
    int64_t room = 0;
    const domain_link *link = d->link, *const links_end = d->link + d->n_link;
    *o = (cell_order){0};
    if (chunk == 0)
        return piece_add(o, &room, 0, d->n_cell);
    for (int64_t begin = 0; begin < d->n_cell; begin += chunk) {
        const int64_t end = begin + chunk < d->n_cell ? begin + chunk : d->n_cell;
        const domain_link *last = link;
        while (last < links_end && last->cell < end)
            last++;
        TRY(chunk_add(link, last, begin, end, o, &room));
        link = last;
    }
cleanup:
    if (rc != OK)
        order_free(o);
    return rc;
}

int order_part(const domain *d, cell_order *o, int64_t *n_border) {
    enum { REST, OPENING, BORDER };
    int rc = OK;
    int64_t room = 0;
    uint8_t *kind = calloc((size_t)d->n_cell + 1, 1);
    *o = (cell_order){0};
    *n_border = 0;
    if (!kind)
        return fail_memory("the order of the cells", (double)d->n_cell);
    for (const domain_link *l = d->link; l < d->link + d->n_link; l++)
        if (l->opening)
            kind[l->cell] = OPENING;
    for (int64_t k = 0; k < d->part->first_sent[d->part->n_peer]; k++)
        kind[d->part->sent[0].cell[k]] = BORDER;
    /* cells whose walls read the halo, too: only border groups wait for the halo */
    for (int64_t k = 0; d->behind && k < d->n_link; k++)
        if (d->behind[k].next >= d->n_cell || d->behind[k].third >= d->n_cell)
            kind[d->link[k].cell] = BORDER;
    for (int wanted = BORDER; wanted >= REST; wanted--)
        for (int64_t c = 0, end; c < d->n_cell; c = end) {
            for (end = c + 1; end < d->n_cell && kind[end] == kind[c];)
                end++;
            if (kind[c] == wanted)
                TRY(piece_add(o, &room, c, end - c));
            *n_border += kind[c] == wanted && wanted == BORDER ? end - c : 0;
        }
    if (d->n_halo > 0) {
        const int64_t last = o->piece[o->n - 1].from + o->piece[o->n - 1].count;
        /* the halo is a piece of its own, because a gap precedes it */
        TRY(piece_add(o, &room, last == d->n_cell ? d->n_cell + d->n_halo : d->n_cell, 1));
        o->piece[o->n - 1] =
            (order_piece){(int32_t)d->n_cell, (int32_t)(PACK_LANES * pack_groups(d->n_cell)), (int32_t)d->n_halo};
    }
cleanup:
    free(kind);
    if (rc != OK)
        order_free(o);
    return rc;
}

void order_free(cell_order *o) {
    free(o->piece);
    memset(o, 0, sizeof *o);
}

const order_piece *order_find(const cell_order *o, int64_t to) {
    int64_t low = 0, high = o->n;
    while (high - low > 1) {
        const int64_t middle = (low + high) / 2;
        if (o->piece[middle].to <= to)
            low = middle;
        else
            high = middle;
    }
    return &o->piece[low];
}

int64_t order_from(const cell_order *o, int64_t to) {
    const order_piece *p = order_find(o, to);
    return p->from + (to - p->to);
}

static int to_order(const void *a, const void *b) {
    const order_piece *x = a, *y = b;
    return (x->to > y->to) - (x->to < y->to);
}

int order_inverse(const cell_order *o, cell_order *inverse) {
    *inverse = (cell_order){o->n, malloc((size_t)(o->n + 1) * sizeof *inverse->piece)};
    if (!inverse->piece)
        return fail_memory("the order of the cells", (double)o->n * sizeof *inverse->piece);
    for (int64_t n = 0; n < o->n; n++)
        inverse->piece[n] = (order_piece){.from = o->piece[n].to, .to = o->piece[n].from, .count = o->piece[n].count};
    qsort(inverse->piece, (size_t)o->n, sizeof *inverse->piece, to_order);
    return OK;
}

/* --- runs -------------------------------------------------------------------------------------------------------- */

static int larger(int a, int b) {
    return a > b ? a : b;
}
static int smaller(int a, int b) {
    return a < b ? a : b;
}

/* Part of run r in GPU order that starts at lane `lane`. It has `count` lanes, or fewer if the neighbours in some
 * direction are no longer consecutive. first: GPU number of its first cell. */
static domain_run run_part(int directions, const cell_order *inverse, const domain_run *r, int lane, int count,
                           int64_t first) {
    domain_run part = {.first = (int32_t)first};
    for (int a = 1; a < directions; a++) {
        const int low = larger(r->low[a] - lane, 0), high = smaller(r->high[a] - lane, count);
        if (high <= low)
            continue;
        const int64_t neighbour = (int64_t)r->source[a] + lane + low;
        const order_piece *p = order_find(inverse, neighbour);
        const int64_t together = p->to + p->count - neighbour;
        if (low + together < high)
            count = low + (int)together;
    }
    for (int a = 0; a < directions; a++) {
        const int low = larger(r->low[a] - lane, 0), high = smaller(r->high[a] - lane, count);
        part.source[a] = part.first;
        if (high <= low)
            continue;
        part.source[a] = (int32_t)(order_from(inverse, (int64_t)r->source[a] + lane + low) - low);
        part.low[a] = (int16_t)low;
        part.high[a] = (int16_t)high;
    }
    part.count = count;
    return part;
}

/* Returns the run of the domain that contains a cell. */
static const domain_run *run_find(const domain *d, int64_t cell) {
    int64_t low = 0, high = d->n_run;
    while (high - low > 1) {
        const int64_t middle = (low + high) / 2;
        if (d->run[middle].first <= cell)
            low = middle;
        else
            high = middle;
    }
    return d->run + low;
}

static int runs_order(const domain *d, const cell_order *o, const cell_order *inverse, domain *out) {
    int rc = OK;
    int64_t room = 0;
    for (int64_t n = 0; d->n_run && n < o->n && o->piece[n].from < d->n_cell; n++) {
        const order_piece *p = &o->piece[n];
        const domain_run *r = run_find(d, p->from);
        for (int64_t cell = p->from, end = cell + p->count; cell < end;) {
            if (out->n_run + 1 >= room) {
                room += room / 2 + d->n_run + 64;
                domain_run *more = realloc(out->run, (size_t)room * sizeof *more);
                if (!more)
                    GIVE_UP(fail_memory("the order of the cells", (double)room * sizeof *more));
                out->run = more;
            }
            const int lane = (int)(cell - r->first), rest = r->count - lane;
            const int count = end - cell < rest ? (int)(end - cell) : rest;
            const domain_run part = run_part(d->directions, inverse, r, lane, count, p->to + (cell - p->from));
            out->run[out->n_run++] = part;
            cell += part.count;
            r += part.count == rest;
        }
    }
cleanup:
    return rc;
}

/* --- the domain -------------------------------------------------------------------------------------------------- */

/* Returns the index of the first of n records whose cell is `wanted` or larger. Records have `size` bytes and are
 * sorted by cell. cell: address of the member `cell` in the first record. */
static int64_t record_lower(const int32_t *cell, size_t size, int64_t n, int64_t wanted) {
    int64_t low = 0, high = n;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (*(const int32_t *)((const char *)cell + (size_t)middle * size) < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int64_t link_lower(const domain *d, int64_t cell) {
    return d->n_link ? record_lower(&d->link->cell, sizeof *d->link, d->n_link, cell) : 0;
}

int64_t order_partial(const domain *d, int64_t cell) {
    return d->n_partial ? record_lower(&d->partial->cell, sizeof *d->partial, d->n_partial, cell) : 0;
}

static domain_behind behind_order(const cell_order *inverse, const domain_behind *b) {
    return b->next < 0 ? *b
                       : (domain_behind){(int32_t)order_from(inverse, b->next), (int32_t)order_from(inverse, b->third)};
}

static void links_order(const domain *d, const cell_order *o, const cell_order *inverse, domain *out) {
    for (const order_piece *p = o->piece; p < o->piece + o->n && p->from < d->n_cell; p++) {
        const int64_t end = (int64_t)p->from + p->count;
        for (int64_t k = link_lower(d, p->from); k < d->n_link && d->link[k].cell < end; k++) {
            out->link[out->n_link] = d->link[k];
            if (d->behind)
                out->behind[out->n_link] = behind_order(inverse, &d->behind[k]);
            out->link[out->n_link++].cell += p->to - p->from;
        }
        for (int64_t k = order_partial(d, p->from); k < d->n_partial && d->partial[k].cell < end; k++) {
            out->partial[out->n_partial] = d->partial[k];
            out->partial[out->n_partial++].cell += p->to - p->from;
        }
        if (d->fluid)
            memcpy(out->fluid + p->to, d->fluid + p->from, (size_t)p->count * sizeof *d->fluid);
        if (d->region)
            memcpy(out->region + p->to, d->region + p->from, (size_t)p->count);
    }
}

int order_domain(const domain *d, const cell_order *o, domain *out) {
    int rc = OK;
    cell_order inverse = {0};
    memset(out, 0, sizeof *out);
    out->directions = d->directions;
    out->n_cell = d->n_cell;
    out->n_halo = d->n_halo;
    out->part = d->part;
    memcpy(out->dims, d->dims, sizeof d->dims);
    memcpy(out->periodic, d->periodic, sizeof d->periodic);
    out->n_opening = d->n_opening;
    out->opening = d->opening;
    out->n_pulse = d->n_pulse;
    out->n_pulse_weight = d->n_pulse_weight;
    out->pulse_weight = d->pulse_weight; /* links keep their index */
    out->link = malloc((size_t)(d->n_link + 1) * sizeof *out->link);
    out->behind = d->behind ? malloc((size_t)(d->n_link + 1) * sizeof *out->behind) : NULL;
    out->partial = malloc((size_t)(d->n_partial + 1) * sizeof *out->partial);
    out->fluid = d->fluid ? malloc((size_t)d->n_cell * sizeof *out->fluid) : NULL;
    out->region = d->region ? calloc((size_t)d->n_cell + DOMAIN_RUN_MAX, 1) : NULL;
    if (!out->link || !out->partial || (d->behind && !out->behind) || (d->fluid && !out->fluid) ||
        (d->region && !out->region))
        GIVE_UP(fail_memory("the order of the cells", (double)d->n_link * sizeof *out->link));
    TRY(order_inverse(o, &inverse));
    TRY(runs_order(d, o, &inverse, out));
    links_order(d, o, &inverse, out);
cleanup:
    order_free(&inverse);
    if (rc != OK)
        order_domain_free(out);
    return rc;
}

void order_domain_free(domain *d) {
    free(d->run);
    free(d->link);
    free(d->behind);
    free(d->partial);
    free(d->fluid);
    free(d->region);
    memset(d, 0, sizeof *d);
}
