/* SPDX-License-Identifier: Apache-2.0 */
/* Test: tests/unit/mesh/test_coarsen.c */
#include "common/lattice/lattice_coarsen.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDES = 6, COMPONENTS = 3 };
/* regularization of the fitted slope towards 0, in squared fine spacings per cell */
static const double PULL = 1e-3;
static const double CLOSEST = 0.05; /* Lower limit of link_q on the coarse lattice */

struct coarse_cell {
    int32_t place[COMPONENTS]; /* position of the coarse cell in the box of the coarse lattice */
    int32_t n, fluid;          /* number of fine cells, number of their fluid subcells */
    /* sums over the fine cells. d: wall distance, mm; x: position relative to the centre of the coarse cell, in fine
     * spacings */
    float d, x[COMPONENTS];
    float dx[COMPONENTS], xx[6]; /* sums of products: d x, and x x in the order xx yy zz xy xz yz */
    int32_t wall[SIDES];         /* for each side: number of wall links of the fine cells through this face */
    uint8_t opening[SIDES];      /* for each side: 1 + index of the opening that a link crosses; 0: none */
    uint8_t region;              /* largest region of the fine cells */
};
typedef struct coarse_cell coarse_cell;

static const int product[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

int lattice_coarsen_factor(int64_t n_cell, int64_t most) {
    int factor = 1;
    while ((double)n_cell > (double)most * factor * factor * factor)
        factor++;
    return factor;
}

void lattice_coarsen_free(lattice_coarsening *c) {
    free(c->at);
    free(c->sum);
    lattice_free(&c->box);
    c->at = NULL;
    c->sum = NULL;
}

static int coarsening_begin(lattice_coarsening *c, const lattice *l) {
    size_t all = 1;
    lattice *b = &c->box;
    lattice_copy_box(b, l);
    b->spacing_mm *= c->factor;
    for (int a = 0; a < 3; a++) {
        b->dims[a] = (l->dims[a] + c->factor - 1) / c->factor;
        b->origin_mm[a] += 0.5 * (c->factor - 1) * l->spacing_mm;
        b->periodic[a] = l->periodic[a] && l->dims[a] % c->factor == 0;
        all *= (size_t)b->dims[a];
    }
    c->at = malloc(all * sizeof *c->at);
    b->opening = calloc((size_t)l->n_opening + 1, sizeof *b->opening);
    if (!c->at || !b->opening)
        return fail_memory("the coarser lattice", 4.0 * (double)all);
    memset(c->at, -1, all * sizeof *c->at);
    b->n_opening = l->n_opening;
    for (int k = 0; k < l->n_opening; k++) {
        b->opening[k] = l->opening[k];
        b->opening[k].n_link = 0;
        b->opening[k].profile_developed = b->opening[k].profile_parabolic = NULL;
    }
    return OK;
}

static int32_t *number_at(const lattice_coarsening *c, const int32_t place[3]) {
    return &c->at[((int64_t)place[2] * c->box.dims[1] + place[1]) * c->box.dims[0] + place[0]];
}

/* Finds or adds the coarse cell that contains a fine cell. */
static int find_or_add(lattice_coarsening *c, const int32_t *cell, coarse_cell **found) {
    const int32_t place[3] = {cell[0] / c->factor, cell[1] / c->factor, cell[2] / c->factor};
    int32_t *at = number_at(c, place);
    if (*at < 0) {
        if (c->n == c->room) {
            const int64_t room = c->room + c->room / 2 + 4096;
            coarse_cell *more = realloc(c->sum, (size_t)room * sizeof *more);
            if (!more)
                return fail_memory("the coarser lattice", (double)room * sizeof *more);
            c->sum = more;
            c->room = room;
        }
        c->sum[c->n] = (coarse_cell){.place = {place[0], place[1], place[2]}};
        *at = (int32_t)c->n++;
    }
    *found = &c->sum[*at];
    return OK;
}

static void add_cell(const lattice_coarsening *c, const lattice *l, int64_t i, coarse_cell *to) {
    const float d = l->distance_mm[i], middle = 0.5F * (float)(c->factor - 1);
    float x[3];
    for (int a = 0; a < 3; a++)
        x[a] = (float)(l->cell[3 * i + a] % c->factor) - middle;
    to->n++;
    to->region = to->region > l->region[i] ? to->region : l->region[i];
    to->fluid += LATTICE_SUBCELL_COUNT - l->solid[i];
    to->d += d;
    for (int a = 0; a < 3; a++) {
        to->x[a] += x[a];
        to->dx[a] += d * x[a];
    }
    for (int m = 0; m < 6; m++)
        to->xx[m] += x[product[m][0]] * x[product[m][1]];
}

/* True if a fine cell is at face s of its coarse cell. */
static bool at_face(const lattice_coarsening *c, const int32_t *cell, int s) {
    return cell[s / 2] % c->factor == (s & 1 ? 0 : c->factor - 1);
}

int lattice_coarsen_add(void *data, const lattice *l, int64_t first) {
    lattice_coarsening *c = data;
    int64_t k = 0;
    int rc = OK;
    (void)first;
    if (!c->at)
        TRY(coarsening_begin(c, l));
    for (int64_t i = 0; i < l->n_cell; i++) {
        coarse_cell *to = NULL;
        TRY(find_or_add(c, l->cell + 3 * i, &to));
        add_cell(c, l, i, to);
        for (; k < l->n_link && l->link_cell[k] == i; k++) {
            const int s = l->link_dir[k] - 1;
            if (s < SIDES && l->link_opening[k])
                to->opening[s] = l->link_opening[k];
            else if (s < SIDES && at_face(c, l->cell + 3 * i, s))
                to->wall[s]++;
        }
    }
cleanup:
    return rc;
}

/* Wall distance of the centre of a coarse cell: value of the least-squares plane at the centre. */
static double centre_distance(const coarse_cell *k) {
    double a[3][4], mean[3], d = (double)k->d / k->n;
    for (int i = 0; i < 3; i++)
        mean[i] = (double)k->x[i] / k->n;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            const int m = i == j ? i : i + j + 2; /* index of the product x_i x_j in xx: 3 for xy, 4 for xz, 5 for yz */
            a[i][j] = (double)k->xx[m] - k->n * mean[i] * mean[j] + (i == j ? PULL * k->n : 0);
        }
        a[i][3] = (double)k->dx[i] - k->n * mean[i] * d;
    }
    for (int i = 0; i < 3; i++) /* elimination without pivoting, because the matrix is symmetric and positive
                                 * definite */
        for (int j = i + 1; j < 3; j++) {
            const double factor = a[j][i] / a[i][i];
            for (int m = i; m < 4; m++)
                a[j][m] -= factor * a[i][m];
        }
    for (int i = 2; i >= 0; i--) {
        for (int j = i + 1; j < 3; j++)
            a[i][3] -= a[i][j] * a[j][3];
        a[i][3] /= a[i][i];
        d -= a[i][3] * mean[i];
    }
    return d;
}

static int by_box(const void *x, const void *y) {
    const coarse_cell *a = x, *b = y;
    for (int k = 2; k >= 0; k--)
        if (a->place[k] != b->place[k])
            return a->place[k] < b->place[k] ? -1 : 1;
    return 0;
}

/* Signed distance of a cell centre from the opening's plane along the normal, in spacings. */
static double plane_distance(const lattice *l, const lattice_opening *o, const int32_t *place) {
    double sum = 0;
    for (int a = 0; a < 3; a++)
        sum += o->normal[a] * (l->origin_mm[a] + l->spacing_mm * place[a] - o->centre_mm[a]);
    return sum / l->spacing_mm;
}

static float clamp_q(double q) {
    return (float)fmin(1, fmax(CLOSEST, q));
}

enum { NONE = -1, BEYOND = -2 }; /* values of `at`. NONE: no cell; BEYOND - k: cell beyond the plane of opening k */

/* Value of `at` at box coordinates: index of a cell, NONE, or BEYOND - k beyond the plane of opening k. */
static int32_t entry_at(const lattice_coarsening *c, const int32_t place[3]) {
    int32_t at[3];
    for (int a = 0; a < 3; a++) {
        const int n = c->box.dims[a];
        at[a] = c->box.periodic[a] ? (place[a] + n) % n : place[a];
        if (at[a] < 0 || at[a] >= n)
            return NONE;
    }
    return *number_at(c, at);
}

/* If the link of cell i on side s is cut: returns true and sets its q and opening (0: wall). */
static bool cut_link(const lattice_coarsening *c, const lattice *l, int64_t i, int s, float *q, uint8_t *opening) {
    const coarse_cell *k = &c->sum[i];
    const int8_t *e = lattice_e[s + 1];
    const int32_t next[3] = {k->place[0] + e[0], k->place[1] + e[1], k->place[2] + e[2]}, j = entry_at(c, next);
    const double d = l->distance_mm[i], to = j >= 0 ? (double)l->distance_mm[j] : d + l->spacing_mm;
    *opening = (uint8_t)(j <= BEYOND ? BEYOND - j + 1 : j == NONE ? k->opening[s] : 0);
    if (*opening) {
        const lattice_opening *o = &l->opening[*opening - 1];
        const double here = plane_distance(l, o, k->place), there = plane_distance(l, o, next);
        *q = clamp_q(there > here ? -here / (there - here) : 1);
        return true;
    }
    if (!(d < 0))
        return false;
    *q = clamp_q(to > 0 ? -d / (to - d) : 0.5);
    return j < 0 || !(to < 0) || k->wall[s] == c->factor * c->factor;
}

static int64_t write_links(const lattice_coarsening *c, lattice *l) {
    int64_t n = 0;
    for (int64_t i = 0; i < c->n; i++)
        for (int s = 0; s < SIDES; s++) {
            float q;
            uint8_t opening;
            if (!cut_link(c, l, i, s, &q, &opening))
                continue;
            l->link_cell[n] = (int32_t)i;
            l->link_dir[n] = (uint8_t)(s + 1);
            l->link_q[n] = q;
            l->link_opening[n++] = opening;
            if (opening)
                l->opening[opening - 1].n_link++;
        }
    return n;
}

/* Removes cells whose centre is beyond the plane of an opening that they touch; sorts the remaining cells. */
static void sort_cells(lattice_coarsening *c) {
    int64_t n = 0;
    for (int64_t i = 0; i < c->n; i++) {
        const coarse_cell k = c->sum[i];
        int32_t *at = number_at(c, k.place);
        *at = NONE;
        for (int s = 0; s < SIDES; s++)
            if (k.opening[s] && plane_distance(&c->box, &c->box.opening[k.opening[s] - 1], k.place) >= 0)
                *at = BEYOND - (k.opening[s] - 1);
        if (*at == NONE)
            c->sum[n++] = k;
    }
    c->n = n;
    qsort(c->sum, (size_t)n, sizeof *c->sum, by_box);
    for (int64_t i = 0; i < n; i++)
        *number_at(c, c->sum[i].place) = (int32_t)i;
}

static void write_cells(const lattice_coarsening *c, lattice *l) {
    const double whole = (double)c->factor * c->factor * c->factor;
    for (int64_t i = 0; i < c->n; i++) {
        const coarse_cell *k = &c->sum[i];
        memcpy(l->cell + 3 * i, k->place, sizeof k->place);
        l->region[i] = k->region;
        l->solid[i] = (uint16_t)fmin(LATTICE_SUBCELL_COUNT - 1, round(LATTICE_SUBCELL_COUNT - k->fluid / whole));
        l->distance_mm[i] = (float)centre_distance(k);
    }
}

int lattice_coarsen_end(lattice_coarsening *c, lattice *coarse) {
    int rc;
    sort_cells(c);
    /* each cell has at most one link per side */
    TRY(lattice_create(coarse, c->n, SIDES * c->n, c->box.n_opening));
    lattice_copy_box(coarse, &c->box);
    memcpy(coarse->opening, c->box.opening, (size_t)c->box.n_opening * sizeof *coarse->opening);
    write_cells(c, coarse);
    coarse->n_link = write_links(c, coarse);
cleanup:
    return rc;
}
