/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of lattice.h: the lattice_check functions and lattice_name_valid. */
#include "common/lattice/lattice.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DIMS_MAX = 1 << 20, STRETCH = 1 << 17 /* cells per task of a thread */ };

static int check_box(const lattice *l) {
    if (!(l->spacing_mm > 0) || !isfinite(l->spacing_mm))
        return fail(ERR_INPUT, "the lattice has a spacing of %g mm; it must be above 0; run mesh again", l->spacing_mm);
    for (int a = 0; a < 3; a++) {
        if (!isfinite(l->origin_mm[a]))
            return fail(ERR_INPUT, "the origin of the lattice is not finite; run mesh again");
        if (l->dims[a] < 1 || l->dims[a] > DIMS_MAX)
            return fail(ERR_INPUT, "the lattice has %d cells along axis %d; 1 to %d are allowed; run mesh again",
                        l->dims[a], a, DIMS_MAX);
    }
    if ((double)l->dims[1] * l->dims[2] > 1e8)
        return fail(
            ERR_INPUT,
            "the box of the lattice is too large (%d x %d x %d cells, more than 1e8 rows); use a larger spacing",
            l->dims[0], l->dims[1], l->dims[2]);
    if (l->n_cell < 1)
        return fail(ERR_INPUT, "the lattice has no cells: no part of the vessel is inside its box; run mesh again");
    return OK;
}

static int64_t box_index(const lattice *l, const int32_t *xyz) {
    return ((int64_t)xyz[2] * l->dims[1] + xyz[1]) * l->dims[0] + xyz[0];
}

static int check_cells(const lattice *l) {
    int64_t before = -1;
    for (int64_t c = 0; c < l->n_cell; c++) {
        const int32_t *xyz = l->cell + 3 * c;
        for (int a = 0; a < 3; a++)
            if (xyz[a] < 0 || xyz[a] >= l->dims[a])
                return fail(ERR_INPUT, "cell %lld of the lattice lies outside its box (%d, %d, %d); run mesh again",
                            (long long)c, xyz[0], xyz[1], xyz[2]);
        int64_t index = box_index(l, xyz);
        if (index <= before)
            return fail(ERR_INPUT, "cell %lld of the lattice is out of order or stored twice; run mesh again",
                        (long long)c);
        before = index;
        if (l->solid[c] >= LATTICE_SUBCELL_COUNT)
            return fail(ERR_INPUT, "cell %lld of the lattice has %d solid subcells; the limit is %d; run mesh again",
                        (long long)c, l->solid[c], LATTICE_SUBCELL_COUNT - 1);
        if (!isfinite(l->distance_mm[c]))
            return fail(ERR_INPUT, "cell %lld of the lattice has no finite distance to the wall; run mesh again",
                        (long long)c);
    }
    return OK;
}

static int check_links(const lattice *l, int64_t *count) {
    int64_t before = -1;
    for (int64_t k = 0; k < l->n_link; k++) {
        int64_t c = l->link_cell[k];
        int dir = l->link_dir[k];
        if (c < 0 || c >= l->n_cell)
            return fail(ERR_INPUT,
                        "link %lld of the lattice starts at cell %lld, but there are only %lld cells; run mesh again",
                        (long long)k, (long long)c, (long long)l->n_cell);
        if (dir < 1 || dir >= l->directions)
            return fail(ERR_INPUT, "link %lld of the lattice has direction %d; 1 to %d are allowed; run mesh again",
                        (long long)k, dir, l->directions - 1);
        if (LATTICE_D3Q27 * c + dir <= before)
            return fail(ERR_INPUT, "link %lld of the lattice is out of order or stored twice; run mesh again",
                        (long long)k);
        before = LATTICE_D3Q27 * c + dir;
        if (!(l->link_q[k] > 0 && l->link_q[k] <= 1))
            return fail(ERR_INPUT,
                        "link %lld of the lattice is cut at %g of its length; the value must be above 0 and at most 1; "
                        "run mesh again",
                        (long long)k, (double)l->link_q[k]);
        if (l->link_opening[k] > l->n_opening)
            return fail(
                ERR_INPUT,
                "link %lld of the lattice belongs to opening %d, but there are only %d openings; run mesh again",
                (long long)k, l->link_opening[k], l->n_opening);
        count[l->link_opening[k]]++;
        if (l->link_opening[k] == 0 && !(l->distance_mm[c] < 0))
            return fail(ERR_INPUT,
                        "link %lld of the lattice meets the wall, but the centre of its cell is not in the fluid; run "
                        "mesh again",
                        (long long)k);
    }
    return OK;
}

/* True if the wall cuts the step from a cell in direction dir. */
static bool wall_cuts(const lattice *l, int64_t cell, int dir) {
    int64_t low = 0, high = l->n_link;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (l->link_cell[middle] < cell || (l->link_cell[middle] == cell && l->link_dir[middle] < dir))
            low = middle + 1;
        else
            high = middle;
    }
    return low < l->n_link && l->link_cell[low] == cell && l->link_dir[low] == dir && l->link_opening[low] == 0;
}

/* Fault found by check_neighbours. dir not 0: the step from cell `at` in direction dir. dir 0: the link `at`. */
typedef struct {
    int64_t at;
    int dir;
} fault;

/* First cell whose box index is `index` or above. */
static int64_t lower_cell(const lattice *l, int64_t index) {
    int64_t low = 0, high = l->n_cell;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (box_index(l, l->cell + 3 * middle) < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* First link of cell c or of a later cell. */
static int64_t lower_link(const lattice *l, int64_t c) {
    int64_t low = 0, high = l->n_link;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (l->link_cell[middle] < c)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Neighbour of cell c in direction dir; -1: none. *marker: last neighbour found in this direction, where the search
 * starts; < 0 before the first call. */
static int64_t neighbour_of(const lattice *l, const lattice_rows *rows, int64_t c, int dir, int64_t *marker) {
    int32_t to[3];
    bool within = true;
    for (int a = 0; a < 3; a++) {
        to[a] = l->cell[3 * c + a] + lattice_e[dir][a];
        within = within && to[a] >= 0 && to[a] < l->dims[a];
    }
    if (!within)
        return lattice_rows_find(rows, to[0], to[1], to[2]);
    const int64_t index = box_index(l, to);
    int64_t m = *marker < 0 ? lower_cell(l, index) : *marker;
    while (m < l->n_cell && box_index(l, l->cell + 3 * m) < index)
        m++;
    *marker = m;
    return m < l->n_cell && box_index(l, l->cell + 3 * m) == index ? m : -1;
}

/* Checks cells `from` .. `to` - 1. On a fault, sets *found and returns false. Cells are sorted, so the neighbours in
 * one direction ascend with the cells; one marker per direction follows them. A search is needed only for the first
 * step in a direction, for steps out of the box, and for thin walls. */
static bool check_stretch(const lattice *l, const lattice_rows *rows, int64_t from, int64_t to, fault *found) {
    int64_t marker[LATTICE_D3Q27], link = lower_link(l, from);
    memset(marker, -1, sizeof marker);
    for (int64_t c = from; c < to; c++)
        for (int dir = 1; dir < l->directions; dir++) {
            const bool cut = link < l->n_link && l->link_cell[link] == c && l->link_dir[link] == dir;
            if (!cut && !(l->distance_mm[c] < 0))
                continue;
            const int64_t neighbour = neighbour_of(l, rows, c, dir, &marker[dir]);
            const bool reaches = neighbour >= 0 && l->distance_mm[neighbour] < 0;
            if (!cut && !reaches) {
                *found = (fault){c, dir};
                return false;
            }
            if (cut && reaches && l->link_opening[link] == 0 && !wall_cuts(l, neighbour, lattice_opposite(dir))) {
                *found = (fault){link, 0};
                return false;
            }
            link += cut;
        }
    return true;
}

/* Checks that every step out of a fluid centre reaches a stored fluid centre or is cut, and that a wall between two
 * fluid centres cuts the step from both. */
static int check_neighbours(const lattice *l, const lattice_rows *rows) {
    const int64_t n = (l->n_cell + STRETCH - 1) / STRETCH;
    int64_t first = n; /* number of the first group of STRETCH cells with a fault; n: none */
    fault found = {0};
#pragma omp parallel for schedule(dynamic) if (n > 1)
    for (int64_t k = 0; k < n; k++) {
        const int64_t to = (k + 1) * STRETCH < l->n_cell ? (k + 1) * STRETCH : l->n_cell;
        fault mine;
        if (check_stretch(l, rows, k * STRETCH, to, &mine))
            continue;
#pragma omp critical(lattice_check_fault)
        if (k < first) {
            first = k;
            found = mine;
        }
    }
    if (first == n)
        return OK;
    if (found.dir > 0)
        return fail(ERR_INPUT,
                    "cell %lld of the lattice has neither a fluid neighbour nor a link in direction %d; run mesh again",
                    (long long)found.at, found.dir);
    return fail(
        ERR_INPUT,
        "link %lld of the lattice meets the wall, but the opposite link from the next cell does not; run mesh again",
        (long long)found.at);
}

bool lattice_name_valid(const char *name) {
    size_t n = strnlen(name, LATTICE_NAME_MAX);
    if (n == 0 || n >= LATTICE_NAME_MAX || !isalnum((unsigned char)name[0]))
        return false;
    for (size_t k = 0; k < n; k++)
        if (!isalnum((unsigned char)name[k]) && !strchr("_-.", name[k]))
            return false;
    return true;
}

/* Checks a profile. `least`: lower bound of its values; a developed profile is negative beyond the wall
 * (mesh/section/developed_profile.h). */
static int check_profile(const lattice_opening *o, const float *profile, const char *what, float least) {
    if (!profile)
        return o->n_link == 0 || o->role == LATTICE_MOVING_WALL
                   ? OK
                   : fail(ERR_INPUT, "opening '%s' of the lattice has no %s profile; run mesh again", o->name, what);
    for (int64_t k = 0; k < o->n_link; k++)
        if (!isfinite(profile[k]) || profile[k] < least)
            return fail(ERR_INPUT,
                        "the %s profile of opening '%s' of the lattice is %g at its link %lld; it must be %g or more; "
                        "run mesh again",
                        what, o->name, (double)profile[k], (long long)k, (double)least);
    return OK;
}

static int check_opening(const lattice *l, int index, int64_t counted) {
    const lattice_opening *o = &l->opening[index];
    const double *n = o->normal;
    if (!lattice_name_valid(o->name))
        return fail(ERR_INPUT,
                    "the name of opening %d of the lattice is empty or has characters other than A-Z a-z 0-9 _ - .; "
                    "run mesh again",
                    index + 1);
    for (int k = 0; k < index; k++)
        if (strcmp(l->opening[k].name, o->name) == 0)
            return fail(ERR_INPUT, "two openings of the lattice are called '%s'; run mesh again", o->name);
    if (o->role < LATTICE_INLET || o->role > LATTICE_MOVING_WALL)
        return fail(ERR_INPUT, "opening '%s' of the lattice has the unknown role %d; run mesh again", o->name, o->role);
    if (!(fabs(vec_dot(n, n) - 1) < 1e-6))
        return fail(ERR_INPUT, "the normal of opening '%s' of the lattice is not a unit vector; run mesh again",
                    o->name);
    const double cosine = vec_dot(o->along, n), long2 = vec_dot(o->along, o->along);
    if (long2 != 0 && !(fabs(long2 - 1) < 1e-6 && cosine > 0.1))
        return fail(
            ERR_INPUT,
            "the vessel direction at opening '%s' of the lattice does not point out of the fluid; run mesh again",
            o->name);
    if (!isfinite(o->centre_mm[0] + o->centre_mm[1] + o->centre_mm[2]))
        return fail(ERR_INPUT, "the centre of opening '%s' of the lattice is not finite; run mesh again", o->name);
    if (!(o->area_mm2 > 0 && o->radius_mm > 0 && o->perimeter_mm >= 0) ||
        !isfinite(o->area_mm2 + o->radius_mm + o->perimeter_mm))
        return fail(ERR_INPUT,
                    "opening '%s' of the lattice has an area of %g mm2 and a radius of %g mm; both must be above 0; "
                    "run mesh again",
                    o->name, o->area_mm2, o->radius_mm);
    if (o->n_link != counted)
        return fail(ERR_INPUT,
                    "opening '%s' of the lattice states %lld links, but %lld links belong to it; run mesh again",
                    o->name, (long long)o->n_link, (long long)counted);
    int rc = check_profile(o, o->profile_developed, "developed", (float)LATTICE_PROFILE_MIN);
    return rc == OK ? check_profile(o, o->profile_parabolic, "parabolic", 0) : rc;
}

int lattice_check_stretch(const lattice *l, int64_t *count) {
    int rc;
    TRY(check_box(l));
    TRY(check_cells(l));
    TRY(check_links(l, count));
cleanup:
    return rc;
}

int lattice_check_openings(const lattice *l, const int64_t *count) {
    int rc = OK;
    for (int k = 0; k < l->n_opening && rc == OK; k++)
        rc = check_opening(l, k, count[k + 1]);
    return rc;
}

int lattice_check(const lattice *l) {
    lattice_rows rows = {0};
    int64_t count[256] = {0};
    int rc;
    TRY(lattice_check_stretch(l, count));
    TRY(lattice_check_openings(l, count));
    TRY(lattice_rows_create(&rows, l));
    TRY(check_neighbours(l, &rows));
cleanup:
    lattice_rows_free(&rows);
    return rc;
}
