/* SPDX-License-Identifier: Apache-2.0 */
/* See cuda_pack.h. */
#include "solve/cuda/cuda_pack.h"
#include "common/base/status.h"
#include <stdlib.h>
#include <string.h>

/* Mask of a cell whose links are all cut: bits 1 .. directions - 1. */
static uint32_t all_cut(const domain *d) {
    return (1u << d->directions) - 2;
}

/* Row of direction b in pack_segment; -1: the cell's own row. */
static const int row_of[LATTICE_D3Q27] = {-1, -1, -1, 0, 1, 2, 3, 0, 1, 1, 0, 2, 3, 3,
                                          2,  4,  5,  6, 7, 4, 5, 6, 7, 7, 6, 5, 4};

/* --- segments ---------------------------------------------------------------------------------------------------- */

typedef struct {
    pack_segment at;
    uint32_t known; /* bit k: the offset of row k is known */
    bool regular;
} segment_rows;

/* Row offsets of the neighbours of a run. `regular` is false if the neighbours of the run are not consecutive. */
static segment_rows run_rows(const domain *d, const domain_run *r) {
    segment_rows s = {.regular = true};
    for (int b = 1; b < d->directions; b++) {
        const int a = lattice_opposite(b), row = row_of[b];
        if (r->high[a] <= r->low[a])
            continue;
        const int32_t offset = r->source[a] - r->first - lattice_e[b][0];
        if (row < 0 ? offset != 0 : (s.known >> row & 1) && s.at.row[row] != offset)
            return (segment_rows){.regular = false};
        if (row < 0)
            continue;
        s.at.row[row] = offset;
        s.known |= 1u << row;
    }
    return s;
}

/* Merges the known rows of `more` into s. If a row differs, returns false and leaves s unchanged. */
static bool rows_join(segment_rows *s, const segment_rows *more) {
    for (int k = 0; k < PACK_ROWS; k++)
        if ((s->known & more->known) >> k & 1 && s->at.row[k] != more->at.row[k])
            return false;
    for (int k = 0; k < PACK_ROWS; k++)
        if (more->known >> k & 1)
            s->at.row[k] = more->at.row[k];
    s->known |= more->known;
    return true;
}

static void explicit_cells(const domain_run *r, int lane, int count, uint32_t *bits, pack *p) {
    for (int l = lane; l < lane + count; l++) {
        int32_t *to = p->explicit_neighbour + (p->directions - 1) * p->n_explicit++;
        for (int b = 1; b < p->directions; b++) {
            const int a = lattice_opposite(b);
            to[b - 1] = l >= r->low[a] && l < r->high[a] ? r->source[a] + l : r->first + l;
        }
        bits[r->first + l] |= 1;
    }
}

/* Adds the lanes of one run that lie in one group. They open the segment of the group, continue the last segment, or
 * start another segment. */
static void segment_add(pack *p, const segment_rows *rows, int64_t g, int lane, bool opened, segment_rows *now) {
    const bool joined = !opened && rows_join(now, rows);
    if (!joined)
        *now = *rows;
    if (!opened && !joined) {
        p->group[g].breaks |= 1u << lane;
        p->n_more++;
    }
    *(p->group[g].breaks ? &p->more[p->n_more - 1] : &p->group[g].rows) = now->at;
}

/* Sets segments, breaks and explicit neighbours of all groups. first_explicit [n_group]: index of the first explicit
 * cell. */
static void segments_fill(const domain *d, uint32_t *bits, int32_t *first_explicit, pack *p) {
    segment_rows now = {0};
    int64_t group = -1;
    for (int64_t n = 0; n < d->n_run; n++) {
        const domain_run *r = &d->run[n];
        const segment_rows rows = run_rows(d, r);
        for (int lane = 0, part; lane < r->count; lane += part) {
            const int64_t cell = (int64_t)r->first + lane, g = cell / PACK_LANES;
            const int at = (int)(cell % PACK_LANES);
            part = r->count - lane < PACK_LANES - at ? r->count - lane : PACK_LANES - at;
            if (g != group) {
                p->group[g].more = (uint32_t)p->n_more;
                first_explicit[g] = (int32_t)p->n_explicit;
            }
            segment_add(p, &rows, g, at, g != group, &now);
            group = g;
            if (!rows.regular) {
                explicit_cells(r, lane, part, bits, p);
                p->group[g].counts |= PACK_EXPLICIT;
            }
        }
    }
}

/* --- links ------------------------------------------------------------------------------------------------------- */

/* The lowest 21 bits of a link word: wall distance q in units of 2^-21, minus one (PACK_LINK_Q). */
static uint32_t q_word(float q) {
    const double scaled = (double)q * PACK_LINK_Q - 0.5;
    return (uint32_t)(scaled < 0 ? 0 : scaled > PACK_LINK_Q - 1 ? PACK_LINK_Q - 1 : scaled);
}

uint32_t pack_link_word(const domain_link *l) {
    return q_word(l->q) | (uint32_t)(l->cell % PACK_LANES) << PACK_LINK_LANE | (uint32_t)l->dir << PACK_LINK_DIR |
           (uint32_t)(l->opening != 0) << PACK_LINK_SPECIAL;
}

/* Entry of pack.behind for a link. It depends on q, which is rounded as in the link word. */
static uint32_t behind_of(const domain_link *l, const domain_behind *b) {
    const uint32_t q = q_word(l->q);
    return b->next < 0 || q == PACK_LINK_Q / 2 - 1 ? PACK_NO_CELL
           : q < PACK_LINK_Q / 2                   ? (uint32_t)b->third
                                                   : (uint32_t)b->next;
}

static void link_add(const domain *d, const domain_link *l, pack *p, pack_group *g) {
    if (l->opening)
        g->counts |= domain_through(d, l) ? PACK_THROUGH : PACK_MOVING;
    if (l->opening && l->q == 0.5f) /* half-way links through openings or to moving walls have no word */
        return;
    if (p->behind)
        p->behind[p->n_link] = behind_of(l, &d->behind[l - d->link]);
    p->link[p->n_link++] = pack_link_word(l);
    g->counts++;
}

static void links_fill(const domain *d, uint32_t *bits, const int32_t *first_explicit, pack *p) {
    int64_t k = 0, opened = 0;
    for (int64_t n = 0; n < p->n_group; n++) {
        pack_group *g = &p->group[n];
        g->link = (uint32_t)p->n_link;
        for (; k < d->n_link && d->link[k].cell < (n + 1) * PACK_LANES; k++) {
            bits[d->link[k].cell] |= 1u << d->link[k].dir;
            link_add(d, &d->link[k], p, g);
        }
        g->rare = (uint32_t)first_explicit[n];
        if (g->counts & (PACK_THROUGH | PACK_MOVING)) {
            g->rare = (uint32_t)p->n_rare;
            p->rare[p->n_rare++] = (pack_rare){(int32_t)opened++, first_explicit[n]};
        }
    }
}

/* --- openings ---------------------------------------------------------------------------------------------------- */

/* State of a loop over the links of openings: for each opening, the last group with a link of the opening, and the
 * passage of this group. */
typedef struct {
    int64_t group[256], passage[256]; /* domain_link.opening is a byte */
    int64_t n_passage, last;
} passage_walk;

static void walk_begin(passage_walk *w) {
    memset(w, 0, sizeof *w);
    memset(w->group, -1, sizeof w->group);
    w->last = -1;
}

enum { WALK_PASSAGE = 1, WALK_GROUP = 2 }; /* walk_step: the link is the first of its passage, or of its group */

static int walk_step(passage_walk *w, const domain_link *l) {
    const int64_t g = l->cell / PACK_LANES;
    int begins = 0;
    if (w->group[l->opening] != g) {
        w->group[l->opening] = g;
        w->passage[l->opening] = w->n_passage++;
        begins = WALK_PASSAGE | (g != w->last ? WALK_GROUP : 0);
        w->last = g;
    }
    return begins;
}

static uint32_t opening_flags(const domain *d, const domain_link *l) {
    const domain_opening *o = &d->opening[l->opening - 1];
    if (o->on_site)
        return PACK_SITE | (o->kind == DOMAIN_PRESSURE ? PACK_SITE_PRESSURE : 0);
    return o->kind == DOMAIN_FLOW ? PACK_FLOW : o->kind == DOMAIN_PRESSURE ? PACK_PRESSURE : 0;
}

void pack_count_openings(const domain *d, int64_t *n_opened, int64_t *n_passage, int64_t *n_row) {
    uint32_t dirs[256] = {0};
    passage_walk w;
    *n_opened = *n_row = 0;
    walk_begin(&w);
    for (const domain_link *l = d->link; l < d->link + d->n_link; l++) {
        if (!l->opening)
            continue;
        const int begins = walk_step(&w, l);
        *n_opened += (begins & WALK_GROUP) != 0;
        if (begins)
            dirs[l->opening] = 0;
        if (!(opening_flags(d, l) & PACK_PRESSURE))
            *n_row += !(dirs[l->opening] >> l->dir & 1);
        dirs[l->opening] |= 1u << l->dir;
    }
    *n_passage = w.n_passage;
}

static void passages_fill(const domain *d, pack *p) {
    passage_walk w;
    walk_begin(&w);
    for (const domain_link *l = d->link; l < d->link + d->n_link; l++) {
        if (!l->opening)
            continue;
        const int begins = walk_step(&w, l);
        pack_passage *e = &p->passage[w.passage[l->opening]];
        if (begins & WALK_GROUP) {
            p->opened[p->n_opened] =
                (pack_opened){(uint32_t)w.last, (uint32_t)(w.n_passage - 1), 0, (uint32_t)p->n_opened};
            p->n_opened++;
        }
        if (begins) {
            *e = (pack_passage){.opening = (uint32_t)(l->opening - 1) | opening_flags(d, l)};
            p->opened[p->n_opened - 1].n_passage++;
        }
        e->links++;
        e->dirs |= 1u << lattice_opposite(l->dir);
        e->in[l->cell % PACK_LANES] |= 1u << lattice_opposite(l->dir);
    }
    p->n_passage = w.n_passage;
}

static void weights_fill(const domain *d, pack *p) {
    passage_walk w;
    for (pack_passage *e = p->passage; e < p->passage + p->n_passage; e++) {
        e->row = (uint32_t)p->n_row;
        p->n_row += e->opening & PACK_PRESSURE ? 0 : __builtin_popcount(e->dirs);
    }
    walk_begin(&w);
    for (const domain_link *l = d->link; l < d->link + d->n_link; l++) {
        if (!l->opening)
            continue;
        walk_step(&w, l);
        const pack_passage *e = &p->passage[w.passage[l->opening]];
        const uint32_t below = e->dirs & ((1u << lattice_opposite(l->dir)) - 1);
        const size_t row = (size_t)(e->row + (uint32_t)__builtin_popcount(below)) * (size_t)(1 + d->n_pulse);
        float *to = p->weight + PACK_LANES * row + l->cell % PACK_LANES;
        if (e->opening & PACK_PRESSURE)
            continue;
        *to = l->weight;
        for (int j = 0; j < d->n_pulse && d->opening[l->opening - 1].kind == DOMAIN_FLOW; j++)
            to[PACK_LANES * (j + 1)] = d->pulse_weight[l->pulse + j];
    }
}

static void cut_fill(const uint32_t *bits, pack *p) {
    for (int64_t g = 0; g < p->n_group; g++) {
        p->group[g].wall = (uint32_t)p->n_wall;
        for (int lane = 0; lane < PACK_LANES; lane++) {
            const uint32_t cell = bits[g * PACK_LANES + lane];
            if (!cell)
                continue;
            p->group[g].walls |= 1u << lane;
            p->cut[p->n_wall++] = cell;
        }
    }
}

/* Packs the partially solid links, with theta = (own - its) / own. own, its: fluid parts of the cell and of its
 * neighbour, as multiples of 1/512. */
static void partials_fill(const domain *d, pack *p) {
    int64_t k = 0;
    for (int64_t g = 0; g < p->n_group; g++) {
        p->group[g].partial = (uint32_t)k;
        for (; k < d->n_partial && d->partial[k].cell < (g + 1) * PACK_LANES; k++) {
            const domain_partial *from = &d->partial[k];
            const double own = d->fluid[from->cell] * 512.0, its = own - own * from->theta;
            p->partial[k] = (uint32_t)(own - 0.5) | (uint32_t)(its - 0.5) << PACK_PARTIAL_NEIGHBOUR |
                            (uint32_t)(from->cell % PACK_LANES) << PACK_PARTIAL_LANE |
                            (uint32_t)from->dir << PACK_PARTIAL_DIR;
            p->group[g].counts += 1u << 10;
        }
    }
}

/* --- all arrays -------------------------------------------------------------------------------------------------- */

int64_t pack_groups(int64_t n_cell) {
    return (n_cell + PACK_LANES * PACK_GROUPS - 1) / (PACK_LANES * PACK_GROUPS) * PACK_GROUPS;
}

static int64_t in_groups(int64_t cells) {
    return (cells + PACK_LANES - 1) / PACK_LANES + 1;
}

/* Largest distance between neighbours in cell numbers. Distances of share * n_cell or more are not counted. */
static int64_t neighbour_distance(const domain *d, double share) {
    int64_t largest = 0;
    for (int64_t n = 0; n < d->n_run; n++)
        for (int a = 1; a < d->directions; a++) {
            const domain_run *r = &d->run[n];
            const int64_t distance = llabs((int64_t)r->source[a] - r->first) + 1;
            if (r->high[a] > r->low[a] && distance > largest && (double)distance < share * (double)d->n_cell + 2)
                largest = distance;
        }
    return largest;
}

int64_t pack_plane(const domain *d) {
    return in_groups(neighbour_distance(d, 0.25));
}

int64_t pack_reach(const domain *d) {
    int64_t reach = neighbour_distance(d, 1);
    for (int64_t k = 0; d->behind && k < d->n_link; k++) {
        const int64_t distance = d->behind[k].next < 0 ? 0 : llabs((int64_t)d->behind[k].third - d->link[k].cell);
        reach = distance > reach ? distance : reach;
    }
    return in_groups(reach);
}

static int64_t count_explicit(const domain *d) {
    int64_t n = 0;
    for (int64_t k = 0; k < d->n_run; k++)
        n += run_rows(d, &d->run[k]).regular ? 0 : d->run[k].count;
    return n;
}

static int64_t count_walls(const domain *d) {
    int64_t n = 0;
    for (int64_t k = 0; k < d->n_link; k++)
        n += k == 0 || d->link[k].cell != d->link[k - 1].cell;
    return n;
}

double pack_bytes(const domain *d) {
    const double named = (double)count_explicit(d);
    int64_t opened, passages, rows;
    pack_count_openings(d, &opened, &passages, &rows);
    return (double)pack_groups(d->n_cell) * sizeof(pack_group) + (double)d->n_run * sizeof(pack_segment) +
           4.0 * ((double)count_walls(d) + named + PACK_LANES * PACK_GROUPS) +
           (d->behind ? 8.0 : 4.0) * (double)d->n_link + (double)opened * (sizeof(pack_opened) + sizeof(pack_rare)) +
           (double)passages * sizeof(pack_passage) + (double)rows * (1 + d->n_pulse) * PACK_LANES * sizeof(float) +
           named * 4 * (d->directions - 1) + 4.0 * (double)d->n_partial;
}

static int pack_allocate(const domain *d, pack *p) {
    const size_t groups = (size_t)p->n_group, named = (size_t)count_explicit(d);
    int64_t opened, passages, rows;
    pack_count_openings(d, &opened, &passages, &rows);
    p->group = calloc(groups + 1, sizeof *p->group);
    p->more = malloc(((size_t)d->n_run + 1) * sizeof *p->more);
    p->cut = malloc(((size_t)count_walls(d) + named + PACK_LANES * PACK_GROUPS) * sizeof *p->cut);
    p->link = malloc(((size_t)d->n_link + 1) * sizeof *p->link);
    p->behind = d->behind ? malloc(((size_t)d->n_link + 1) * sizeof *p->behind) : NULL;
    p->rare = malloc(((size_t)opened + 1) * sizeof *p->rare);
    p->opened = calloc((size_t)opened + 1, sizeof *p->opened);
    p->passage = calloc((size_t)passages + 1, sizeof *p->passage);
    p->weight = calloc(((size_t)rows + 1) * (size_t)(1 + d->n_pulse) * PACK_LANES, sizeof *p->weight);
    p->explicit_neighbour = malloc((named + 1) * (size_t)d->directions * sizeof *p->explicit_neighbour);
    p->partial = malloc(((size_t)d->n_partial + 1) * sizeof *p->partial);
    if (!p->group || !p->more || !p->cut || !p->link || (d->behind && !p->behind) || !p->rare || !p->opened ||
        !p->passage || !p->weight || !p->explicit_neighbour || !p->partial)
        return fail_memory("the GPU's index", pack_bytes(d));
    return OK;
}

int pack_create(const domain *d, pack *p) {
    int rc = OK;
    uint32_t *bits = NULL;
    int32_t *first_explicit = NULL;
    memset(p, 0, sizeof *p);
    p->directions = d->directions;
    p->n_cell = d->n_cell;
    p->n_group = pack_groups(d->n_cell);
    p->n_partial = d->n_partial;
    p->n_pulse = d->n_pulse;
    p->reach = pack_reach(d);
    TRY(pack_allocate(d, p));
    bits = calloc((size_t)p->n_group * PACK_LANES, sizeof *bits);
    first_explicit = calloc((size_t)p->n_group, sizeof *first_explicit);
    if (!bits || !first_explicit) {
        rc = fail_memory("the GPU's index", 4.0 * (double)d->n_cell);
        goto cleanup;
    }
    segments_fill(d, bits, first_explicit, p);
    links_fill(d, bits, first_explicit, p);
    passages_fill(d, p);
    weights_fill(d, p);
    for (int64_t c = d->n_cell; c < p->n_group * PACK_LANES; c++)
        bits[c] = all_cut(d);
    cut_fill(bits, p);
    partials_fill(d, p);
cleanup:
    free(bits);
    free(first_explicit);
    if (rc != OK)
        pack_free(p);
    return rc;
}

void pack_free(pack *p) {
    free(p->group);
    free(p->more);
    free(p->cut);
    free(p->link);
    free(p->behind);
    free(p->rare);
    free(p->opened);
    free(p->passage);
    free(p->weight);
    free(p->explicit_neighbour);
    free(p->partial);
    free(p->warm);
    memset(p, 0, sizeof *p);
}

/* Mask of the cut links of a lane. */
static uint32_t lane_cut(const pack *p, const pack_group *g, int lane) {
    return g->walls >> lane & 1 ? p->cut[g->wall + (uint32_t)__builtin_popcount(g->walls & ((1u << lane) - 1))] : 0;
}

int64_t pack_neighbour(const pack *p, int64_t cell, int b) {
    const pack_group *g = &p->group[cell / PACK_LANES];
    const int lane = (int)(cell % PACK_LANES);
    const uint32_t cut = lane_cut(p, g, lane);
    if (cut >> b & 1)
        return -1;
    if (cut & 1) {
        int64_t rank = g->counts & (PACK_THROUGH | PACK_MOVING) ? (uint32_t)p->rare[g->rare].named : g->rare;
        for (int l = 0; l < lane; l++)
            rank += (int)(lane_cut(p, g, l) & 1);
        return p->explicit_neighbour[(p->directions - 1) * rank + b - 1];
    }
    const int segment = __builtin_popcount(g->breaks & ((2u << lane) - 1));
    const pack_segment *s = segment ? &p->more[g->more + (uint32_t)segment - 1] : &g->rows;
    return cell + (row_of[b] < 0 ? 0 : s->row[row_of[b]]) + lattice_e[b][0];
}

/* --- heat links: to walls of prescribed temperature -------------------------------------------------------------- */

/* True if a link needs a heat link. Openings and walls without flux need none (cuda_heat.cuh). */
static bool is_warm(const domain *d, const heat_settings *h, const domain_link *k) {
    return k->dir < 7 && !domain_through(d, k) && h->side[heat_side_of(h, k)].kind == HEAT_GIVEN;
}

int64_t pack_count_warm(const domain *d, const heat_settings *h) {
    int64_t n = 0;
    for (const domain_link *k = d->link; k < d->link + d->n_link; k++)
        n += is_warm(d, h, k);
    return n;
}

int pack_heat(const domain *d, const heat_settings *h, pack *p) {
    const int64_t n = pack_count_warm(d, h);
    const domain_link *k = d->link, *const end = d->link + d->n_link;
    p->warm = malloc(((size_t)n + 1) * sizeof *p->warm);
    if (!p->warm)
        return fail_memory("the links that conduct heat", (double)n * sizeof *p->warm);
    p->n_warm = 0;
    for (int64_t g = 0; g < p->n_group; g++) {
        p->group[g].partial = (uint32_t)p->n_warm;
        for (; k < end && k->cell < (g + 1) * PACK_LANES; k++)
            if (is_warm(d, h, k)) {
                p->warm[p->n_warm++] = (pack_warm){pack_link_word(k), (uint32_t)heat_side_of(h, k)};
                p->group[g].counts += 1u << 10;
            }
    }
    return OK;
}
