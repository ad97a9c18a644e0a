/* SPDX-License-Identifier: Apache-2.0 */
/* See domain.h. */
#include "solve/core/domain.h"
#include "common/base/status.h"
#include "solve/core/domain_links.h"
#include <stdlib.h>
#include <string.h>

/* --- active cells */

static int cells_create(const lattice *l, int wall, domain *d, int32_t **active) {
    int64_t n = 0;
    for (int64_t c = 0; c < l->n_cell; c++)
        n += wall == DOMAIN_WALL_VLBM || l->distance_mm[c] < 0;
    if (n == 0)
        return fail(ERR_INPUT, "the lattice holds no cell whose centre is in the fluid; use a smaller spacing");
    if (l->n_cell > INT32_MAX - 4 * DOMAIN_RUN_MAX || l->n_link > INT32_MAX)
        return fail(ERR_INPUT,
                    "the lattice has %lld cells, more than the %d that one device handles; use a larger spacing",
                    (long long)l->n_cell, INT32_MAX - 4 * DOMAIN_RUN_MAX);
    *active = malloc((size_t)l->n_cell * sizeof **active);
    d->position = calloc((size_t)n * 3, sizeof *d->position);
    d->stored = malloc((size_t)n * sizeof *d->stored);
    d->fluid = wall == DOMAIN_WALL_VLBM ? malloc((size_t)n * sizeof *d->fluid) : NULL;
    if (!*active || !d->position || !d->stored || (wall == DOMAIN_WALL_VLBM && !d->fluid))
        return fail_memory("the solver's cells", (double)n * 20);
    for (int64_t c = 0; c < l->n_cell; c++) {
        (*active)[c] = -1;
        if (wall != DOMAIN_WALL_VLBM && !(l->distance_mm[c] < 0))
            continue;
        memcpy(d->position + 3 * d->n_cell, l->cell + 3 * c, 3 * sizeof *d->position);
        d->stored[d->n_cell] = (int32_t)c;
        if (d->fluid)
            d->fluid[d->n_cell] = (float)lattice_fluid_part(l, c);
        (*active)[c] = (int32_t)d->n_cell++;
    }
    return OK;
}

/* --- runs */

/* Sets source, low and high of direction a for a run of `count` cells. If the neighbours are not all consecutive,
 * returns the smaller count for which they are. */
static int run_direction(const domain *d, const lattice_rows *t, domain_run *r, int a, int count) {
    const int32_t *p = d->position + 3 * (int64_t)r->first;
    const int ex = lattice_e[a][0]; // NOLINT(bugprone-signed-char-misuse): -1, 0 or 1
    const int64_t row = lattice_rows_row(t, p[1] - lattice_e[a][1], p[2] - lattice_e[a][2]);
    r->source[a] = r->first;
    r->low[a] = r->high[a] = 0;
    if (row < 0)
        return count;
    if (d->periodic[0] && count == 1) {
        const int64_t c = lattice_rows_find(t, p[0] - ex, p[1] - lattice_e[a][1], p[2] - lattice_e[a][2]);
        if (c >= 0) {
            r->source[a] = (int32_t)c;
            r->high[a] = 1;
        }
        return 1;
    }
    const int64_t begin = lattice_rows_lower(t, row, p[0] - ex), end = lattice_rows_lower(t, row, p[0] - ex + count);
    if (begin == end)
        return count;
    const int low = d->position[3 * begin] + ex - p[0];
    int high = low + 1;
    for (int64_t c = begin + 1; c < end; c++, high++)
        if (d->position[3 * c] != d->position[3 * (c - 1)] + 1)
            return d->position[3 * c] + ex - p[0];
    r->source[a] = (int32_t)(begin - low);
    r->low[a] = (int16_t)low;
    r->high[a] = (int16_t)high;
    return count;
}

/* Makes lanes cut links if a wall thinner than a cell is in front of their neighbour. Cut lanes must come first or last
 * in a run; otherwise returns a smaller count. link: first link of the run. */
static int run_walls(const domain *d, domain_run *r, int64_t link, int count) {
    for (; link < d->n_link && d->link[link].cell < r->first + count; link++) {
        const int a = lattice_opposite(d->link[link].dir), lane = d->link[link].cell - r->first;
        if (lane < r->low[a] || lane >= r->high[a])
            continue;
        if (lane > r->low[a])
            return lane;
        r->low[a]++;
        if (r->low[a] == r->high[a])
            r->low[a] = r->high[a] = 0;
    }
    return count;
}

static void run_fill(const domain *d, const lattice_rows *t, int64_t link, domain_run *r) {
    const int32_t *p = d->position + 3 * (int64_t)r->first;
    int count = 1;
    const bool edge = d->periodic[0] && (p[0] == 0 || p[0] == d->dims[0] - 1);
    while (!edge && count < DOMAIN_RUN_MAX && r->first + count < d->n_cell && p[3 * count + 1] == p[1] &&
           p[3 * count + 2] == p[2] && p[3 * count] == p[0] + count &&
           !(d->periodic[0] && p[3 * count] == d->dims[0] - 1))
        count++;
    for (int before = 0; before != count;) {
        before = count;
        for (int a = 1; a < d->directions; a++)
            count = run_direction(d, t, r, a, count);
        count = run_walls(d, r, link, count);
    }
    r->count = count;
    r->source[0] = r->first;
    r->low[0] = 0;
    r->high[0] = (int16_t)count;
}

static int runs_create(const lattice_rows *rows, domain *d) {
    int64_t room = d->n_cell / 8 + 64, link = 0, partial = 0, c = 0;
    while (c <= d->n_cell) {
        if (!d->run || d->n_run + 1 >= room) {
            room += d->run ? room / 2 : 0;
            domain_run *more = realloc(d->run, (size_t)room * sizeof *more);
            if (!more)
                return fail_memory("the runs of cells", (double)room * sizeof *more);
            d->run = more;
        }
        domain_run *r = &d->run[d->n_run];
        memset(r, 0, sizeof *r);
        r->first = (int32_t)c;
        r->link = (int32_t)link;
        r->partial = (int32_t)partial;
        if (c == d->n_cell)
            break;
        run_fill(d, rows, link, r);
        c += r->count;
        for (; link < d->n_link && d->link[link].cell < c; link++)
            r->opening |= d->link[link].opening != 0;
        while (partial < d->n_partial && d->partial[partial].cell < c)
            partial++;
        d->n_run++;
    }
    return OK;
}

/* Sets d->region if a cell of the domain is in a porous region. Errors: ERR_RESOURCE. */
static int regions_create(const lattice *l, domain *d) {
    int64_t n = 0;
    for (int64_t c = 0; c < d->n_cell; c++)
        n += l->region[d->stored[c]] > 0;
    if (n == 0)
        return OK;
    d->region = calloc((size_t)d->n_cell + DOMAIN_RUN_MAX, sizeof *d->region);
    if (!d->region)
        return fail_memory("the porous regions", (double)d->n_cell);
    for (int64_t c = 0; c < d->n_cell; c++)
        d->region[c] = l->region[d->stored[c]];
    return OK;
}

int domain_create(const lattice *l, int wall, const domain_condition *condition, domain *d) {
    return domain_create_part(l, NULL, wall, condition, d);
}

int domain_create_part(const lattice *l, const domain_share *share, int wall, const domain_condition *condition,
                       domain *d) {
    int rc = OK;
    int32_t *active = NULL;
    lattice active_cells = {0}; /* the cells of d as a lattice, for lookups; not freed */
    lattice_rows rows = {0};
    memset(d, 0, sizeof *d);
    d->directions = wall == DOMAIN_WALL_QUADRATIC ? LATTICE_D3Q27 : LATTICE_D3Q19;
    if (d->directions > l->directions)
        return fail(ERR_INPUT, "the lattice has no links to corner neighbours, which solve.collision cumulant (the "
                               "default of steady flow) "
                               "needs; run mesh again");
    for (int a = 0; a < 3; a++) {
        d->dims[a] = active_cells.dims[a] = l->dims[a];
        d->periodic[a] = active_cells.periodic[a] = l->periodic[a];
    }
    TRY(cells_create(l, wall, d, &active));
    active_cells.n_cell = d->n_cell;
    active_cells.cell = d->position;
    TRY(lattice_rows_create(&rows, &active_cells));
    TRY(domain_links_create(l, share, wall, condition, active, &rows, d));
    if (wall == DOMAIN_WALL_VLBM)
        TRY(domain_partials_create(&rows, d));
    TRY(regions_create(l, d));
    TRY(runs_create(&rows, d));
cleanup:
    free(active);
    lattice_rows_free(&rows);
    if (rc != OK)
        domain_free(d);
    return rc;
}

void domain_free(domain *d) {
    free(d->position);
    free(d->stored);
    free(d->run);
    free(d->link);
    free(d->partial);
    free(d->behind);
    free(d->fluid);
    free(d->region);
    free(d->opening);
    free(d->pulse_weight);
    free(d->pulse_carried);
    free(d->number);
    free(d->partial_number);
    memset(d, 0, sizeof *d);
}

void domain_neighbours(const domain *d, int a, int64_t first, int64_t count, int32_t *neighbour) {
    int64_t low = 0, high = d->n_run;
    while (high - low > 1) {
        const int64_t middle = (low + high) / 2;
        if (d->run[middle].first <= first)
            low = middle;
        else
            high = middle;
    }
    for (int64_t k = 0; k < count; k++) {
        while (first + k >= d->run[low].first + d->run[low].count)
            low++;
        const domain_run *r = &d->run[low];
        const int lane = (int)(first + k - r->first);
        neighbour[k] = lane >= r->low[a] && lane < r->high[a] ? r->source[a] + lane : -1;
    }
}
