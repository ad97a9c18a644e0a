/* SPDX-License-Identifier: Apache-2.0 */
#include "mesh/cells/cut_links.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "mesh/cells/main_piece.h"
#include "mesh/section/wall_crossing.h"
#include "mesh/cells/thin_walls.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const fluid_cells *c;
    const voxelize_input *in;
    const section *sections;
    const uint8_t *keep;
    const int32_t *number; /* [c->n] new number of each cell; -1: the cell is not kept */
} source;

/* The cell whose links are examined. */
typedef struct {
    int64_t cell;
    int32_t at[3];
    double centre[3], distance;
    bool near; /* true: the cell is close to an opening */
    bool border;
} examined_cell;

static int links_add(cut_links *l, int32_t cell, int dir, double q, int opening) {
    if (l->n == l->room) {
        const int64_t room = l->room ? 2 * l->room : 4096;
        void *more_cell = realloc(l->cell, (size_t)room * sizeof *l->cell);
        l->cell = more_cell ? more_cell : l->cell;
        void *more_dir = realloc(l->dir, (size_t)room);
        l->dir = more_dir ? more_dir : l->dir;
        void *more_q = realloc(l->q, (size_t)room * sizeof *l->q);
        l->q = more_q ? more_q : l->q;
        void *more_opening = realloc(l->opening, (size_t)room);
        l->opening = more_opening ? more_opening : l->opening;
        if (!more_cell || !more_dir || !more_q || !more_opening)
            return fail_memory("the cut links", 10.0 * (double)room);
        l->room = room;
    }
    l->cell[l->n] = cell;
    l->dir[l->n] = (uint8_t)dir;
    l->q[l->n] = (float)fmin(1, fmax(1e-6, q));
    l->opening[l->n++] = (uint8_t)opening;
    return OK;
}

static bool leaves_box(const voxelize_input *in, const int32_t to[3]) {
    for (int a = 0; a < 3; a++)
        if (!in->periodic[a] && (to[a] < 0 || to[a] >= in->dims[a]))
            return true;
    return false;
}

/* Wall distance q at which the wall, or a face of the box, cuts the link. *beyond: true if a face of the box cuts the
 * link and there is fluid behind the face. */
static double wall_cut(const source *s, const examined_cell *h, const int32_t to[3], const double to_mm[3],
                       bool *beyond) {
    const double there = s->in->distance(s->in->data, to_mm);
    if (!leaves_box(s->in, to))
        return wall_crossing(s->in, h->centre, to_mm, h->distance, fmax(0, there));
    *beyond = there < 0;
    if (*beyond)
        return 0.5;
    return fmin(0.5, wall_crossing(s->in, h->centre, to_mm, h->distance, there));
}

/* True if a link to a moving wall ends where the moving wall meets a wall at rest. The wall at rest then gives the
 * velocity: with the velocity of the moving wall, the edge would drag the fluid twice, a first-order error. Criterion:
 * take the point where the plane of the moving wall cuts the link, and move it inwards by half of the cell centre's
 * distance from this plane; the moved point is not in the fluid. */
static bool ends_at_rest(const source *s, const examined_cell *h, const double to_mm[3], int opening, double q) {
    const section *o = &s->sections[opening];
    double depth = 0, p[3];
    for (int a = 0; a < 3; a++)
        depth += (o->point[a] - h->centre[a]) * o->normal[a];
    for (int a = 0; a < 3; a++)
        p[a] = h->centre[a] + q * (to_mm[a] - h->centre[a]) - 0.5 * depth * o->normal[a];
    return s->in->distance(s->in->data, p) > -1e-3 * s->in->spacing_mm;
}

static int cell_link(const source *s, examined_cell *h, int dir, cut_links *l) {
    int32_t to[3];
    double to_mm[3], plane = 2;
    for (int a = 0; a < 3; a++) {
        to[a] = h->at[a] + lattice_e[dir][a];
        to_mm[a] = h->centre[a] + s->in->spacing_mm * lattice_e[dir][a];
    }
    const int64_t other = cell_map_find(&s->c->map, to[0], to[1], to[2]);
    const bool fluid = other >= 0 && s->c->distance_mm[other] < 0;
    const int opening = h->near ? section_first_cut(s->in, s->sections, h->centre, to_mm, &plane) : -1;
    const int32_t number = s->number[h->cell];
    if (h->distance >= 0)
        return opening >= 0 ? links_add(l, number, dir, plane, opening + 1) : OK;
    const thin_wall *web = fluid ? thin_walls_at(s->c, h->cell, dir) : NULL;
    if (web && !(opening >= 0 && plane <= (double)web->q))
        return links_add(l, number, dir, (double)web->q, 0);
    if (fluid && opening < 0 && s->keep[other])
        return OK;
    if (fluid)
        return links_add(l, number, dir, opening >= 0 ? plane : 0.5, opening + 1);
    bool beyond = false;
    const double wall = wall_cut(s, h, to, to_mm, &beyond);
    const bool moving = opening >= 0 && s->in->opening[opening].role == LATTICE_MOVING_WALL;
    if (opening >= 0 && plane <= wall + 1e-5 && !(moving && ends_at_rest(s, h, to_mm, opening, plane)))
        return links_add(l, number, dir, plane, opening + 1);
    h->border = h->border || beyond;
    return links_add(l, number, dir, wall, 0);
}

/* True if no link of the cell is cut: the wall is further away than the longest link, and no opening and no face of the
 * box is close. */
static bool is_uncut(const source *s, const examined_cell *h) {
    const double steep = s->in->steepness > 0 ? s->in->steepness : 1;
    if (h->near || !(h->distance < -(s->in->corners ? sqrt(3) : M_SQRT2) * 1.001 * steep * s->in->spacing_mm))
        return false;
    for (int a = 0; a < 3; a++)
        if (h->at[a] == 0 || h->at[a] == s->in->dims[a] - 1)
            return false;
    return true;
}

static int plane_links(const source *s, int z, int32_t *x, cut_links *l) {
    for (int y = 0; y < s->in->dims[1]; y++) {
        int64_t first;
        const int n = cell_map_row(&s->c->map, y, z, x, &first);
        for (int k = 0; k < n; k++) {
            examined_cell h = {.cell = first + k, .at = {x[k], y, z}};
            if (!s->keep[h.cell])
                continue;
            h.distance = s->c->distance_mm[h.cell];
            fluid_cells_centre(s->in, x[k], y, z, h.centre);
            h.near = section_any_near(s->in, s->sections, h.centre);
            const bool whole = is_uncut(s, &h);
            for (int dir = 1; dir < (s->in->corners ? LATTICE_D3Q27 : LATTICE_D3Q19) && !whole; dir++)
                if (cell_link(s, &h, dir, l) != OK)
                    return ERR_RESOURCE;
            if (h.border && l->n_border++ == 0)
                memcpy(l->border_mm, h.centre, sizeof l->border_mm);
        }
    }
    return OK;
}

static int join_planes(cut_links *l, const cut_links *planes, int n_plane) {
    memset(l, 0, sizeof *l);
    for (int z = 0; z < n_plane; z++) {
        if (l->n_border == 0)
            memcpy(l->border_mm, planes[z].border_mm, sizeof l->border_mm);
        l->n_border += planes[z].n_border;
        l->room += planes[z].n;
    }
    const size_t room = (size_t)l->room + 1;
    l->cell = malloc(room * sizeof *l->cell);
    l->dir = malloc(room);
    l->q = malloc(room * sizeof *l->q);
    l->opening = malloc(room);
    if (!l->cell || !l->dir || !l->q || !l->opening)
        return fail_memory("the cut links", 10.0 * (double)room);
    for (int z = 0; z < n_plane; z++) {
        const cut_links *p = &planes[z];
        if (p->n == 0)
            continue;
        memcpy(l->cell + l->n, p->cell, (size_t)p->n * sizeof *l->cell);
        memcpy(l->dir + l->n, p->dir, (size_t)p->n);
        memcpy(l->q + l->n, p->q, (size_t)p->n * sizeof *l->q);
        memcpy(l->opening + l->n, p->opening, (size_t)p->n);
        l->n += p->n;
    }
    return OK;
}

static int scan_planes(const source *s, cut_links *planes) {
    int bad = OK, done = 0;
#pragma omp parallel
    {
        int32_t *x = malloc((size_t)s->in->dims[0] * sizeof *x);
        int mine = x ? OK : fail_memory("a row of cells", 4.0 * s->in->dims[0]);
#pragma omp for schedule(dynamic)
        for (int z = 0; z < s->in->dims[2]; z++) {
            if (mine == OK)
                mine = plane_links(s, z, x, &planes[z]);
#pragma omp critical(mesh_links_progress)
            if (s->in->progress)
                progress_set(++done, NULL);
        }
#pragma omp critical(mesh_links_status)
        bad = mine != OK ? mine : bad;
        free(x);
    }
    return bad;
}

int cut_links_create(cut_links *l, const fluid_cells *c, const voxelize_input *in, const section *sections,
                     const uint8_t *keep) {
    int rc = OK;
    int32_t *number = malloc((size_t)(c->n + 1) * sizeof *number), kept = 0;
    cut_links *planes = calloc((size_t)in->dims[2], sizeof *planes);
    memset(l, 0, sizeof *l);
    if (!number || !planes) {
        rc = fail_memory("the cut links", 4.0 * (double)c->n);
        goto cleanup;
    }
    for (int64_t i = 0; i < c->n; i++)
        number[i] = keep[i] ? kept++ : -1;
    if (in->progress)
        progress_start("links", in->dims[2], "planes");
    const source s = {c, in, sections, keep, number};
    rc = scan_planes(&s, planes);
    if (in->progress)
        progress_end();
    if (rc == OK)
        rc = join_planes(l, planes, in->dims[2]);
cleanup:
    for (int z = 0; planes && z < in->dims[2]; z++)
        cut_links_free(&planes[z]);
    free(planes);
    free(number);
    if (rc != OK)
        cut_links_free(l);
    return rc;
}

void cut_links_free(cut_links *l) {
    free(l->cell);
    free(l->dir);
    free(l->q);
    free(l->opening);
    memset(l, 0, sizeof *l);
}
