/* SPDX-License-Identifier: Apache-2.0 */
#include "common/lattice/lattice.h"
#include "common/base/status.h"
#include <stdlib.h>
#include <string.h>

const int8_t lattice_e[LATTICE_D3Q27][3] = {
    {0, 0, 0},  {1, 0, 0},  {-1, 0, 0},   {0, 1, 0},   {0, -1, 0},  {0, 0, 1},  {0, 0, -1},  {1, 1, 0},   {-1, -1, 0},
    {1, -1, 0}, {-1, 1, 0}, {1, 0, 1},    {-1, 0, -1}, {1, 0, -1},  {-1, 0, 1}, {0, 1, 1},   {0, -1, -1}, {0, 1, -1},
    {0, -1, 1}, {1, 1, 1},  {-1, -1, -1}, {1, 1, -1},  {-1, -1, 1}, {1, -1, 1}, {-1, 1, -1}, {1, -1, -1}, {-1, 1, 1}};

const char *const lattice_role_name[] = {"inlet", "outlet", "moving_wall"};

static void *allocate_zeroed(int64_t n, size_t size) {
    return calloc((size_t)n + 1, size); /* one more than needed, because calloc(0) may return NULL */
}

int lattice_create(lattice *l, int64_t n_cell, int64_t n_link, int n_opening) {
    memset(l, 0, sizeof *l);
    if (n_cell < 0 || n_cell > INT32_MAX || n_link < 0 || n_link > 26 * (int64_t)INT32_MAX || n_opening < 0 ||
        n_opening > 254)
        return fail(ERR_RESOURCE,
                    "the lattice would have %lld cells, %lld links and %d openings; the limits are %d cells and 254 "
                    "openings; use a larger spacing",
                    (long long)n_cell, (long long)n_link, n_opening, INT32_MAX);
    l->cell = allocate_zeroed(n_cell, 3 * sizeof *l->cell);
    l->solid = allocate_zeroed(n_cell, sizeof *l->solid);
    l->distance_mm = allocate_zeroed(n_cell, sizeof *l->distance_mm);
    l->region = allocate_zeroed(n_cell, sizeof *l->region);
    l->link_cell = allocate_zeroed(n_link, sizeof *l->link_cell);
    l->link_dir = allocate_zeroed(n_link, sizeof *l->link_dir);
    l->link_q = allocate_zeroed(n_link, sizeof *l->link_q);
    l->link_opening = allocate_zeroed(n_link, sizeof *l->link_opening);
    l->opening = allocate_zeroed(n_opening, sizeof *l->opening);
    if (!l->cell || !l->solid || !l->distance_mm || !l->region || !l->link_cell || !l->link_dir || !l->link_q ||
        !l->link_opening || !l->opening) {
        lattice_free(l);
        return fail_memory("the lattice", 19.0 * (double)n_cell + 10.0 * (double)n_link);
    }
    l->directions = LATTICE_D3Q19;
    l->n_cell = n_cell;
    l->n_link = n_link;
    l->n_opening = n_opening;
    return OK;
}

void lattice_copy_box(lattice *l, const lattice *from) {
    l->spacing_mm = from->spacing_mm;
    memcpy(l->origin_mm, from->origin_mm, sizeof l->origin_mm);
    memcpy(l->dims, from->dims, sizeof l->dims);
    memcpy(l->periodic, from->periodic, sizeof l->periodic);
    l->directions = from->directions;
}

void lattice_free(lattice *l) {
    for (int k = 0; l->opening && k < l->n_opening; k++) {
        free(l->opening[k].profile_developed);
        free(l->opening[k].profile_parabolic);
    }
    free(l->cell);
    free(l->solid);
    free(l->distance_mm);
    free(l->region);
    free(l->link_cell);
    free(l->link_dir);
    free(l->link_q);
    free(l->link_opening);
    free(l->link_wall);
    free(l->opening);
    memset(l, 0, sizeof *l);
}

int lattice_rows_create(lattice_rows *r, const lattice *l) {
    size_t n = (size_t)l->dims[1] * (size_t)l->dims[2];
    r->lattice = l;
    r->row = malloc((n + 1) * sizeof *r->row);
    if (!r->row)
        return fail_memory("the rows of the lattice", (double)n * sizeof *r->row);
    int64_t c = 0;
    for (size_t row = 0; row <= n; row++) {
        while (c < l->n_cell && (size_t)l->cell[3 * c + 2] * (size_t)l->dims[1] + (size_t)l->cell[3 * c + 1] < row)
            c++;
        r->row[row] = c;
    }
    return OK;
}

void lattice_rows_free(lattice_rows *r) {
    free(r->row);
    memset(r, 0, sizeof *r);
}

/* x if it is in [0, n); otherwise wrapped if periodic, else -1 */
static int wrap_coordinate(int x, int n, bool periodic) {
    if (x >= 0 && x < n)
        return x;
    return periodic ? ((x % n) + n) % n : -1;
}

int64_t lattice_rows_row(const lattice_rows *r, int y, int z) {
    const lattice *l = r->lattice;
    y = wrap_coordinate(y, l->dims[1], l->periodic[1]);
    z = wrap_coordinate(z, l->dims[2], l->periodic[2]);
    return y < 0 || z < 0 ? -1 : (int64_t)z * l->dims[1] + y;
}

int64_t lattice_rows_lower(const lattice_rows *r, int64_t row, int x) {
    const lattice *l = r->lattice;
    int64_t low = r->row[row], high = r->row[row + 1];
    if (low < high) { /* most rows of cells are one contiguous run */
        const int64_t guess = low + x - l->cell[3 * low];
        if (guess <= low)
            return low;
        if (guess < high && l->cell[3 * guess] == x)
            return guess;
    }
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (l->cell[3 * middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int64_t lattice_rows_find(const lattice_rows *r, int x, int y, int z) {
    const lattice *l = r->lattice;
    const int64_t row = lattice_rows_row(r, y, z);
    x = wrap_coordinate(x, l->dims[0], l->periodic[0]);
    if (row < 0 || x < 0)
        return -1;
    const int64_t c = lattice_rows_lower(r, row, x);
    return c < r->row[row + 1] && l->cell[3 * c] == x ? c : -1;
}

void lattice_centre_mm(const lattice *l, int64_t cell, double lps_mm[3]) {
    for (int a = 0; a < 3; a++)
        lps_mm[a] = l->origin_mm[a] + l->spacing_mm * l->cell[3 * cell + a];
}

double lattice_profile_peak(const lattice_opening *o) {
    float peak = 1;
    if (o->profile_peak > 0)
        return o->profile_peak;
    for (int64_t k = 0; o->profile_developed && k < o->n_link; k++)
        peak = o->profile_developed[k] > peak ? o->profile_developed[k] : peak;
    return peak;
}

double lattice_fluid_fraction(const lattice *l) {
    double box = (double)l->dims[0] * l->dims[1] * l->dims[2];
    return box > 0 ? (double)l->n_cell / box : 0;
}
