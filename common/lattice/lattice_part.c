/* SPDX-License-Identifier: Apache-2.0 */
#include "common/lattice/lattice_part.h"
#include "common/base/status.h"
#include "common/lattice/lattice_stretch.h"
#include <stdlib.h>
#include <string.h>

int lattice_marks_create(lattice_marks *m, const int dims[3], int edge) {
    size_t all = 1;
    *m = (lattice_marks){.edge = edge};
    for (int a = 0; a < 3; a++) {
        m->size[a] = (dims[a] + edge - 1) / edge;
        all *= (size_t)m->size[a];
    }
    m->mark = calloc(all, 1);
    return m->mark ? OK : fail_memory("the bricks of the lattice", (double)all);
}

void lattice_marks_free(lattice_marks *m) {
    free(m->mark);
    *m = (lattice_marks){0};
}

static int64_t index_of(const lattice_marks *m, const int64_t at[3]) {
    return (at[2] * m->size[1] + at[1]) * m->size[0] + at[0];
}

uint8_t *lattice_marks_at(const lattice_marks *m, const int32_t *cell) {
    const int64_t at[3] = {cell[0] / m->edge, cell[1] / m->edge, cell[2] / m->edge};
    return &m->mark[index_of(m, at)];
}

/* Number of the brick next to the brick at `at`, in direction `side` (0..26); -1: none. */
static int64_t neighbour_brick(const lattice_marks *m, const bool periodic[3], const int64_t at[3], int side) {
    int64_t to[3];
    for (int a = 0; a < 3; a++) {
        to[a] = at[a] + side % 3 - 1;
        side /= 3;
        if (periodic[a])
            to[a] = (to[a] + m->size[a]) % m->size[a];
        if (to[a] < 0 || to[a] >= m->size[a])
            return -1;
    }
    return index_of(m, to);
}

void lattice_marks_spread(lattice_marks *m, const bool periodic[3], int ring) {
    int64_t at[3];
    for (at[2] = 0; at[2] < m->size[2]; at[2]++)
        for (at[1] = 0; at[1] < m->size[1]; at[1]++)
            for (at[0] = 0; at[0] < m->size[0]; at[0]++)
                for (int side = 0; m->mark[index_of(m, at)] == ring && side < 27; side++) {
                    const int64_t to = neighbour_brick(m, periodic, at, side);
                    if (to >= 0 && m->mark[to] == 0)
                        m->mark[to] = (uint8_t)(ring + 1);
                }
}

/* The part during reading, with its allocated sizes. */
typedef struct {
    const lattice_marks *m;
    lattice_part *p;
    int64_t room_cell, room_link;
} part_builder;

static bool resize_array(void **array, int64_t n, size_t size) {
    void *more = realloc(*array, (size_t)n * size + 1);
    *array = more ? more : *array;
    return more != NULL;
}

static int set_cells(lattice_part *p, int64_t n) {
    lattice *l = &p->l;
    const bool good = resize_array((void **)&l->cell, n, 3 * sizeof *l->cell) &&
                      resize_array((void **)&l->solid, n, sizeof *l->solid) &&
                      resize_array((void **)&l->distance_mm, n, sizeof *l->distance_mm) &&
                      resize_array((void **)&l->region, n, 1) &&
                      resize_array((void **)&p->number, n, sizeof *p->number) &&
                      resize_array((void **)&p->wet, n, sizeof *p->wet) && resize_array((void **)&p->mark, n, 1);
    return good ? OK : fail_memory("a part of the lattice", 28.0 * (double)n);
}

static int set_links(lattice *l, int64_t n, bool walls) {
    const bool good =
        resize_array((void **)&l->link_cell, n, sizeof *l->link_cell) && resize_array((void **)&l->link_dir, n, 1) &&
        resize_array((void **)&l->link_q, n, sizeof *l->link_q) && resize_array((void **)&l->link_opening, n, 1) &&
        (!walls || resize_array((void **)&l->link_wall, n, 1));
    return good ? OK : fail_memory("the links of a part of the lattice", 11.0 * (double)n);
}

/* Appends one value to an opening's profile. */
static int add_profile(float **to, int64_t at, const float *from) {
    if (!from)
        return OK;
    if (at % 1024 == 0 && !resize_array((void **)to, at + 1024, sizeof **to))
        return fail_memory("the profile of an opening", 4.0 * (double)at);
    (*to)[at] = *from;
    return OK;
}

static int add_link(part_builder *g, const lattice *l, int64_t k, int64_t nth) {
    lattice *to = &g->p->l;
    const int64_t n = to->n_link;
    int rc = OK;
    if (n == g->room_link) {
        g->room_link += g->room_link / 2 + 4096;
        TRY(set_links(to, g->room_link, l->link_wall != NULL));
    }
    to->link_cell[n] = (int32_t)to->n_cell;
    to->link_dir[n] = l->link_dir[k];
    to->link_q[n] = l->link_q[k];
    to->link_opening[n] = l->link_opening[k];
    if (l->link_wall)
        to->link_wall[n] = l->link_wall[k];
    to->n_link++;
    if (l->link_opening[k]) {
        const lattice_opening *from = &l->opening[l->link_opening[k] - 1];
        lattice_opening *o = &to->opening[l->link_opening[k] - 1];
        TRY(add_profile(&o->profile_developed, o->n_link,
                        from->profile_developed ? from->profile_developed + nth : NULL));
        TRY(add_profile(&o->profile_parabolic, o->n_link,
                        from->profile_parabolic ? from->profile_parabolic + nth : NULL));
        o->n_link++;
    }
cleanup:
    return rc;
}

static int add_cell(part_builder *g, const lattice *l, int64_t first, int64_t c, uint8_t mark) {
    lattice_part *p = g->p;
    const int64_t n = p->l.n_cell;
    int rc = OK;
    if (n == g->room_cell) {
        g->room_cell += g->room_cell / 2 + 4096;
        TRY(set_cells(p, g->room_cell));
    }
    memcpy(p->l.cell + 3 * n, l->cell + 3 * c, 3 * sizeof *l->cell);
    p->l.solid[n] = l->solid[c];
    p->l.distance_mm[n] = l->distance_mm[c];
    p->l.region[n] = l->region[c];
    p->number[n] = (int32_t)(first + c);
    p->wet[n] = (int32_t)p->n_wet;
    p->mark[n] = mark;
cleanup:
    return rc;
}

static int openings_create(lattice_part *p, const lattice *l) {
    p->l.n_opening = l->n_opening;
    p->l.opening = calloc((size_t)l->n_opening + 1, sizeof *p->l.opening);
    if (!p->l.opening)
        return fail_memory("the openings", 1e5);
    for (int k = 0; k < l->n_opening; k++) {
        p->l.opening[k] = l->opening[k];
        p->l.opening[k].n_link = 0;
        p->l.opening[k].profile_developed = p->l.opening[k].profile_parabolic = NULL;
    }
    lattice_copy_box(&p->l, l);
    return OK;
}

static int add_stretch(void *data, const lattice *l, int64_t first) {
    part_builder *g = data;
    int64_t nth[256] = {0}, k = 0;
    int rc = OK;
    if (!g->p->l.opening)
        TRY(openings_create(g->p, l));
    for (int64_t c = 0; c < l->n_cell; c++) {
        const uint8_t mark = *lattice_marks_at(g->m, l->cell + 3 * c);
        if (mark)
            TRY(add_cell(g, l, first, c, mark));
        for (; k < l->n_link && l->link_cell[k] == c; nth[l->link_opening[k++]]++)
            if (mark)
                TRY(add_link(g, l, k, nth[l->link_opening[k]]));
        g->p->l.n_cell += mark != 0;
        g->p->n_wet += l->distance_mm[c] < 0;
    }
cleanup:
    return rc;
}

int lattice_part_read(const char *path, const lattice_marks *m, lattice_part *p) {
    lattice frame;
    part_builder g = {.m = m, .p = p};
    int rc;
    *p = (lattice_part){0};
    TRY(set_cells(p, 1)); /* also a part without cells gets arrays */
    TRY(set_links(&p->l, 1, false));
    TRY(lattice_stretches_read(path, LATTICE_STRETCH, &frame, &p->n_all, add_stretch, &g));
    lattice_free(&frame);
    if (g.room_cell > p->l.n_cell)
        TRY(set_cells(p, p->l.n_cell));
    if (g.room_link > p->l.n_link)
        TRY(set_links(&p->l, p->l.n_link, p->l.link_wall != NULL));
cleanup:
    if (rc != OK)
        lattice_part_free(p);
    return rc;
}

void lattice_part_shrink(lattice_part *p, int32_t *place) {
    lattice *l = &p->l;
    int64_t n = 0;
    for (int64_t c = 0; c < l->n_cell; c++) {
        place[c] = -1;
        if (p->mark[c] != 1)
            continue;
        memmove(l->cell + 3 * n, l->cell + 3 * c, 3 * sizeof *l->cell);
        l->solid[n] = l->solid[c];
        l->distance_mm[n] = l->distance_mm[c];
        l->region[n] = l->region[c];
        p->number[n] = p->number[c];
        p->wet[n] = p->wet[c];
        p->mark[n] = 1;
        place[c] = (int32_t)n++;
    }
    l->n_cell = n;
    l->n_link = 0;
    status_ignore(set_cells(p, n)); /* shrink the blocks; if realloc fails, keep the old ones */
    status_ignore(set_links(l, 0, l->link_wall != NULL));
}

void lattice_part_free(lattice_part *p) {
    lattice_free(&p->l);
    free(p->number);
    free(p->wet);
    free(p->mark);
    *p = (lattice_part){0};
}
