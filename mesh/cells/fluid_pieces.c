/* SPDX-License-Identifier: Apache-2.0 */
/* Each thread joins the cells within slabs of planes; one thread then joins cells across slabs. */
#include "mesh/cells/fluid_pieces.h"
#include "common/base/status.h"
#include "common/base/union_find.h"
#include "mesh/cells/thin_walls.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SLAB = 16, TOUCHES = 1024 };

/* A slab of planes, and the numbers of its cells. */
typedef struct {
    const fluid_pieces *p;
    int32_t *x;       /* buffer for a row of cells */
    int first, end;   /* the slab has the planes first .. end - 1 */
    int64_t from, to; /* the slab has the cells `from` .. `to` - 1 */
    bool across;      /* true: join over links that leave the slab; false: join over links within the slab */
    touch *touches;
    size_t n_touch, room;
    int status;
} slab;

static int add_touch(slab *s, int64_t cell, int opening, bool inner) {
    if (s->n_touch == s->room) {
        const size_t room = s->room ? 2 * s->room : TOUCHES;
        touch *more = realloc(s->touches, room * sizeof *more);
        if (!more)
            return fail_memory("the cells at the openings", (double)room * sizeof *more);
        s->touches = more;
        s->room = room;
    }
    s->touches[s->n_touch++] = (touch){(int32_t)cell, opening, inner};
    return OK;
}

/* True if a neighbour (-1: none) is fluid and is outside the slab (`across` true) or in the slab (false). */
static bool is_joined_now(const slab *s, int64_t other) {
    return other >= 0 && (other < s->from || other >= s->to) == s->across && s->p->c->distance_mm[other] < 0;
}

/* Joins a fluid cell near an opening with its fluid neighbours, except across an opening or a thin wall. Records the
 * openings that the links of the cell cross. */
static int join_near(slab *s, int64_t cell, const int32_t at[3], const double centre[3]) {
    const fluid_pieces *p = s->p;
    for (int dir = 1; dir < 19; dir++) {
        double to_mm[3], q;
        int to[3];
        for (int a = 0; a < 3; a++) {
            to[a] = at[a] + lattice_e[dir][a];
            to_mm[a] = centre[a] + p->in->spacing_mm * lattice_e[dir][a];
        }
        const int64_t other = cell_map_find(&p->c->map, to[0], to[1], to[2]);
        const int out = section_first_cut(p->in, p->sections, centre, to_mm, &q);
        const int back = section_first_cut(p->in, p->sections, to_mm, centre, &q);
        if (!s->across &&
            ((out >= 0 && add_touch(s, cell, out, true) != OK) || (back >= 0 && add_touch(s, cell, back, false) != OK)))
            return ERR_RESOURCE;
        if (out < 0 && back < 0 && is_joined_now(s, other) && !thin_walls_at(p->c, cell, dir))
            union_find_join(p->parent, (int32_t)cell, (int32_t)other);
    }
    return OK;
}

/* Join a cell far from all openings with its neighbours in half of the directions, so that each link is visited once.
 * If the wall is further away than two links, the three axis directions suffice: diagonal neighbours are then joined
 * over two axis links. */
static void join_far(const slab *s, int64_t cell, const int32_t at[3]) {
    const fluid_pieces *p = s->p;
    const double steep = p->in->steepness > 0 ? p->in->steepness : 1;
    const bool deep = (double)p->c->distance_mm[cell] < -2 * M_SQRT2 * 1.001 * steep * p->in->spacing_mm;
    for (int dir = 1; dir < (deep ? 7 : 19); dir += 2) {
        const int8_t *e = lattice_e[dir];
        const int64_t other = cell_map_find(&p->c->map, at[0] + e[0], at[1] + e[1], at[2] + e[2]);
        if (is_joined_now(s, other) && (deep || !thin_walls_at(p->c, cell, dir)))
            union_find_join(p->parent, (int32_t)cell, (int32_t)other);
    }
}

static int join_plane(slab *s, int z) {
    const fluid_pieces *p = s->p;
    for (int y = 0; y < p->in->dims[1]; y++) {
        int64_t first;
        const int n = cell_map_row(&p->c->map, y, z, s->x, &first);
        for (int k = 0; k < n; k++) {
            const int32_t at[3] = {s->x[k], y, z};
            double centre[3];
            if (!(p->c->distance_mm[first + k] < 0))
                continue;
            fluid_cells_centre(p->in, at[0], at[1], at[2], centre);
            if (!section_any_near(p->in, p->sections, centre))
                join_far(s, first + k, at);
            else if (join_near(s, first + k, at, centre) != OK)
                return ERR_RESOURCE;
        }
    }
    return OK;
}

/* Number of the first cell of a plane, or of the next cell if the plane is empty. */
static int64_t first_of_plane(const fluid_cells *c, int z) {
    int64_t word = (int64_t)z * c->map.dims[1] * c->map.words_per_row;
    return c->map.first[word];
}

static void join_slab(const fluid_pieces *p, int number, slab *s) {
    const int n_z = p->in->dims[2];
    *s = (slab){.p = p, .first = number * SLAB, .end = (number + 1) * SLAB < n_z ? (number + 1) * SLAB : n_z};
    s->from = first_of_plane(p->c, s->first);
    s->to = first_of_plane(p->c, s->end);
    s->x = malloc((size_t)p->in->dims[0] * sizeof *s->x);
    if (!s->x)
        s->status = fail_memory("a row of cells", 4.0 * p->in->dims[0]);
    for (int64_t i = s->from; i < s->to; i++)
        p->parent[i] = p->c->distance_mm[i] < 0 ? (int32_t)i : -1;
    for (int z = s->first; s->status == OK && z < s->end; z++)
        s->status = join_plane(s, z);
}

/* Join cells over the links between slabs, which start in the first and the last plane of a slab, and collect the
 * touches of all slabs. */
static int join_slabs(fluid_pieces *p, slab *list, int n) {
    size_t room = 0;
    int rc = OK;
    for (int k = 0; k < n; k++)
        room += list[k].n_touch;
    p->touches = malloc((room + 1) * sizeof *p->touches);
    if (!p->touches)
        return fail_memory("the cells at the openings", (double)room * sizeof *p->touches);
    for (int k = 0; k < n; k++) {
        slab *s = &list[k];
        s->across = true;
        TRY(s->status);
        TRY(join_plane(s, s->first));
        if (s->end - 1 > s->first)
            TRY(join_plane(s, s->end - 1));
        if (s->n_touch > 0)
            memcpy(p->touches + p->n_touch, s->touches, s->n_touch * sizeof *p->touches);
        p->n_touch += s->n_touch;
    }
cleanup:
    return rc;
}

static int compare_touches(const void *a, const void *b) {
    const touch *p = a, *q = b;
    if (p->cell != q->cell)
        return p->cell < q->cell ? -1 : 1;
    if (p->inner != q->inner)
        return p->inner ? -1 : 1;
    return (p->opening > q->opening) - (p->opening < q->opening);
}

/* Set parent[] and the cells of touches[] to the roots, and count the fluid centres of each piece. The root of a piece
 * is its smallest cell. */
static void find_roots(fluid_pieces *p) {
    for (int64_t i = 0; i < p->c->n; i++)
        if (p->parent[i] >= 0) {
            p->parent[i] = p->parent[p->parent[i]];
            p->size[p->parent[i]]++;
        }
    for (size_t t = 0; t < p->n_touch; t++)
        p->touches[t].cell = p->parent[p->touches[t].cell];
    if (p->n_touch > 0)
        qsort(p->touches, p->n_touch, sizeof *p->touches, compare_touches);
}

int fluid_pieces_create(fluid_pieces *p, const fluid_cells *c, const voxelize_input *in, const section *sections) {
    const int n = (in->dims[2] + SLAB - 1) / SLAB;
    slab *list = calloc((size_t)n, sizeof *list);
    int rc;
    *p = (fluid_pieces){.c = c, .in = in, .sections = sections};
    p->parent = malloc((size_t)(c->n + 1) * sizeof *p->parent);
    p->size = calloc((size_t)c->n + 1, sizeof *p->size);
    if (!p->parent || !p->size || !list)
        GIVE_UP(fail_memory("the pieces of the vessel", 8.0 * (double)c->n));
#pragma omp parallel for schedule(dynamic)
    for (int k = 0; k < n; k++)
        join_slab(p, k, &list[k]);
    TRY(join_slabs(p, list, n));
    find_roots(p);
cleanup:
    for (int k = 0; list && k < n; k++) {
        free(list[k].x);
        free(list[k].touches);
    }
    free(list);
    return rc;
}

void fluid_pieces_free(fluid_pieces *p) {
    free(p->parent);
    free(p->touches);
    free(p->size);
}
