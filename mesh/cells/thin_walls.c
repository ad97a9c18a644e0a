/* SPDX-License-Identifier: Apache-2.0 */
#include "mesh/cells/thin_walls.h"
#include "common/base/status.h"
#include "common/base/order.h"
#include "common/base/vec.h"
#include "mesh/section/wall_crossing.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ROUNDS: largest number of search steps. A web is a thin wall that cuts a link. SHEET: a cell belongs to a sheet if
 * more than SHEET of the 27 cells around it have a web. In a flat sheet 18 of the 27 cells have a web, at a thin edge
 * about 6. */
enum { ROUNDS = 14, SHEET = 12 };

/* If the first sample is deeper in the fluid than this, in spacings, there is no search for the maximum of the
 * distance */
static const double near_wall = 0.25;
static const double inside = 0.01; /* depth in the wall at which the search ends, in spacings */
/* distance, in spacings, from the wall to the point where its normal is computed */
static const double step_back = 0.04;

typedef struct {
    thin_wall *web;
    int64_t n, room;
} list;

/* A link from cell a to cell b. */
typedef struct {
    const voxelize_input *in;
    /* a, b: centres of the two cells; at_a, at_b: distances to the wall there (below 0) */
    double a[3], b[3], at_a, at_b;
} step;

static double distance_along(const step *s, double t) {
    double p[3];
    for (int k = 0; k < 3; k++)
        p[k] = s->a[k] + t * (s->b[k] - s->a[k]);
    return s->in->distance(s->in->data, p);
}

/* Golden-section search from t for the maximum of the distance, or for any point well inside a wall. The distances
 * at_low and at_high at the ends of the interval and the largest possible slope bound the distance between them; the
 * search returns false as soon as this bound excludes a wall. */
static bool find_wall(const step *s, double length_mm, double *t, double *top) {
    const double golden = 0.3819660112501051, steep = (s->in->steepness > 0 ? s->in->steepness : 1) * length_mm;
    double low = 0, high = 1, at_low = s->at_a, at_high = s->at_b;
    for (int round = 0; round < ROUNDS && *top < inside * s->in->spacing_mm; round++) {
        if (*top <= 0 && at_low + *top < -1.001 * steep * (*t - low) && at_high + *top < -1.001 * steep * (high - *t))
            return false;
        const double other = *t - low > high - *t ? *t - golden * (*t - low) : *t + golden * (high - *t);
        const double value = distance_along(s, other);
        if (value > *top) {
            *(other < *t ? &high : &low) = *t;
            *(other < *t ? &at_high : &at_low) = *top;
            *t = other;
            *top = value;
        } else {
            *(other < *t ? &low : &high) = other;
            *(other < *t ? &at_low : &at_high) = value;
        }
    }
    return *top > 0;
}

/* Normal of the wall that the link meets at t, computed a little before the wall. ahead: true if the link is followed
 * from a to b, false from b to a. Returns false if there is no normal. */
static bool wall_normal(const step *s, double t, bool ahead, double length_mm, double normal[3]) {
    const double back = step_back * s->in->spacing_mm / length_mm, at = ahead ? fmax(0, t - back) : fmin(1, t + back);
    const double h = fmax(1e-4 * s->in->spacing_mm, -0.4 * distance_along(s, at));
    for (int k = 0; k < 3; k++) {
        double p[3];
        for (int i = 0; i < 3; i++)
            p[i] = s->a[i] + at * (s->b[i] - s->a[i]);
        p[k] += h;
        normal[k] = s->in->distance(s->in->data, p);
        p[k] -= 2 * h;
        normal[k] -= s->in->distance(s->in->data, p);
    }
    return vec_normalize(normal);
}

/* Set the wall distances q on the link from both ends, and thick_mm, the thickness of the wall along its normal. false:
 * no thin wall cuts the link. */
static bool cut_link(const step *s, double length_mm, double q[2], double *thick_mm) {
    double normal[2][3], t = s->at_a / (s->at_a + s->at_b), wall[3];
    if (!(s->at_a + s->at_b < 0) || s->at_a + s->at_b < -1.001 * length_mm)
        return false;
    double top = distance_along(s, t);
    if (top < -near_wall * s->in->spacing_mm || !find_wall(s, length_mm, &t, &top))
        return false;
    for (int k = 0; k < 3; k++)
        wall[k] = s->a[k] + t * (s->b[k] - s->a[k]);
    q[0] = t * wall_crossing(s->in, s->a, wall, s->at_a, top);
    q[1] = (1 - t) * wall_crossing(s->in, s->b, wall, s->at_b, top);
    if (!wall_normal(s, q[0], true, length_mm, normal[0]) || !wall_normal(s, 1 - q[1], false, length_mm, normal[1]) ||
        vec_dot(normal[0], normal[1]) >= 0)
        return false;
    vec_add(normal[0], -1, normal[1], wall);
    *thick_mm = 0;
    for (int k = 0; k < 3 && vec_normalize(wall); k++)
        *thick_mm += wall[k] * (s->b[k] - s->a[k]);
    *thick_mm = fabs(*thick_mm) * fmax(0, 1 - q[0] - q[1]);
    return true;
}

static int add_wall(list *l, int64_t cell, int dir, double q, double thick_mm) {
    if (l->n == l->room) {
        const int64_t room = l->room ? 2 * l->room : 256;
        thin_wall *more = realloc(l->web, (size_t)room * sizeof *more);
        if (!more)
            return fail_memory("the thin walls", (double)room * sizeof *more);
        l->web = more;
        l->room = room;
    }
    l->web[l->n++] = (thin_wall){(int32_t)cell, (uint8_t)dir, (float)fmin(1, fmax(1e-6, q)), (float)thick_mm};
    return OK;
}

/* Find the thin walls on the links of a cell in half of the directions, so that each link is visited once. */
static int find_in_cell(const fluid_cells *c, const voxelize_input *in, int64_t cell, const int32_t at[3], list *l) {
    step s = {.in = in, .at_a = c->distance_mm[cell]};
    fluid_cells_centre(in, at[0], at[1], at[2], s.a);
    for (int dir = 1; dir < (in->corners ? LATTICE_D3Q27 : LATTICE_D3Q19); dir += 2) {
        const int8_t *e = lattice_e[dir];
        const double length_mm = in->spacing_mm * (dir < 7 ? 1 : dir < LATTICE_D3Q19 ? M_SQRT2 : sqrt(3));
        double q[2], thick_mm;
        if (s.at_a < -1.001 * length_mm)
            continue;
        const int64_t other = cell_map_find(&c->map, at[0] + e[0], at[1] + e[1], at[2] + e[2]);
        if (other < 0 || !(c->distance_mm[other] < 0))
            continue;
        s.at_b = c->distance_mm[other];
        fluid_cells_centre(in, at[0] + e[0], at[1] + e[1], at[2] + e[2], s.b);
        if (cut_link(&s, length_mm, q, &thick_mm) && (add_wall(l, cell, dir, q[0], thick_mm) != OK ||
                                                      add_wall(l, other, lattice_opposite(dir), q[1], thick_mm) != OK))
            return ERR_RESOURCE;
    }
    return OK;
}

static int find_in_plane(const fluid_cells *c, const voxelize_input *in, int z, int32_t *x, list *l) {
    for (int y = 0; y < in->dims[1]; y++) {
        int64_t first;
        const int n = cell_map_row(&c->map, y, z, x, &first);
        for (int k = 0; k < n; k++)
            if (c->distance_mm[first + k] < 0 && find_in_cell(c, in, first + k, (int32_t[3]){x[k], y, z}, l) != OK)
                return ERR_RESOURCE;
    }
    return OK;
}

static int compare_walls(const void *a, const void *b) {
    const thin_wall *x = a, *y = b;
    return x->cell != y->cell ? (x->cell < y->cell ? -1 : 1) : (x->dir > y->dir) - (x->dir < y->dir);
}

static int join_planes(fluid_cells *c, list *planes, int n_plane) {
    for (int z = 0; z < n_plane; z++)
        c->n_web += planes[z].n;
    c->web = malloc((size_t)(c->n_web + 1) * sizeof *c->web);
    if (!c->web)
        return fail_memory("the thin walls", (double)c->n_web * sizeof *c->web);
    int64_t n = 0;
    for (int z = 0; z < n_plane; n += planes[z++].n)
        if (planes[z].n > 0)
            memcpy(c->web + n, planes[z].web, (size_t)planes[z].n * sizeof *c->web);
    if (n > 0)
        qsort(c->web, (size_t)n, sizeof *c->web, compare_walls);
    return OK;
}

int thin_walls_find(fluid_cells *c, const voxelize_input *in) {
    int rc = OK, bad = OK;
    list *planes = calloc((size_t)in->dims[2], sizeof *planes);
    if (!planes)
        return fail_memory("the thin walls", (double)in->dims[2] * sizeof *planes);
#pragma omp parallel
    {
        int32_t *x = malloc((size_t)in->dims[0] * sizeof *x);
        int mine = x ? OK : fail_memory("a row of cells", 4.0 * in->dims[0]);
#pragma omp for schedule(dynamic)
        for (int z = 0; z < in->dims[2]; z++)
            if (mine == OK)
                mine = find_in_plane(c, in, z, x, &planes[z]);
#pragma omp critical(mesh_webs_status)
        bad = mine != OK ? mine : bad;
        free(x);
    }
    rc = bad != OK ? bad : join_planes(c, planes, in->dims[2]);
    for (int z = 0; z < in->dims[2]; z++)
        free(planes[z].web);
    free(planes);
    return rc;
}

/* Index of the first entry of c->web at or after (cell, dir). */
static int64_t find_first(const fluid_cells *c, int64_t cell, int dir) {
    int64_t low = 0, high = c->n_web;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        const thin_wall *w = &c->web[middle];
        if (w->cell < cell || (w->cell == cell && w->dir < dir))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const thin_wall *thin_walls_at(const fluid_cells *c, int64_t cell, int dir) {
    const int64_t k = c->n_web > 0 ? find_first(c, cell, dir) : 0;
    return k < c->n_web && c->web[k].cell == cell && c->web[k].dir == dir ? &c->web[k] : NULL;
}

/* True if more than SHEET of the 27 cells around `at`, this cell included, have a web. */
static bool is_sheet(const fluid_cells *c, const int32_t at[3]) {
    int n = 0;
    for (int k = 0; k < 27; k++) {
        const int64_t other = cell_map_find(&c->map, at[0] + k % 3 - 1, at[1] + k / 3 % 3 - 1, at[2] + k / 9 - 1);
        const int64_t w = other >= 0 ? find_first(c, other, 0) : c->n_web;
        n += w < c->n_web && c->web[w].cell == other && c->web[w].dir < LATTICE_D3Q19;
    }
    return n > SHEET;
}

void thin_walls_report(const fluid_cells *c, const voxelize_input *in, const uint8_t *keep, voxelize_report *report) {
    float *thick = malloc((size_t)(c->n_web + 1) * sizeof *thick);
    int32_t *x = malloc((size_t)in->dims[0] * sizeof *x);
    int64_t w = 0, n = 0;
    double(*place)[3] = malloc((size_t)(c->n_web + 1) * sizeof *place);
    for (int z = 0; thick && x && place && c->n_web > 0 && z < in->dims[2]; z++)
        for (int y = 0; y < in->dims[1]; y++) {
            int64_t first;
            const int row = cell_map_row(&c->map, y, z, x, &first);
            for (int k = 0; k < row; k++) {
                const bool sheet = w < c->n_web && c->web[w].cell == first + k && keep[first + k] &&
                                   is_sheet(c, (const int32_t[3]){x[k], y, z});
                for (; w < c->n_web && c->web[w].cell == first + k; w++)
                    if (sheet && c->web[w].dir < LATTICE_D3Q19) {
                        fluid_cells_centre(in, x[k], y, z, place[n]);
                        thick[n++] = c->web[w].thick_mm;
                    }
            }
        }
    report->n_web = n;
    if (n > 0) {
        memcpy(report->web_mm, place[n / 2], sizeof report->web_mm);
        qsort(thick, (size_t)n, sizeof *thick, order_float);
        report->web_thick_mm = thick[n / 2];
    }
    free(thick);
    free(x);
    free(place);
}
