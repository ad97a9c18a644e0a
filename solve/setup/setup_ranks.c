/* SPDX-License-Identifier: Apache-2.0 */
/* No rank holds the whole lattice: each reads the file in blocks, first for the partition and a coarser lattice,
 * then for its own cells. */
#include "common/base/status.h"
#include "common/lattice/lattice_coarsen.h"
#include "common/lattice/lattice_file.h"
#include "common/lattice/lattice_stretch.h"
#include "solve/setup/setup_ranks.h"
#include "solve/setup/setup_step.h"
#include "solve/ranks/part.h"
#include "solve/ranks/ranks.h"
#include <stdlib.h>
#include <string.h>

static bool is_active(const case_file *of, const lattice *l, int64_t c) {
    return of->solve.wall == WALL_VLBM || l->distance_mm[c] < 0;
}

/* Data of the first pass over the file. */
typedef struct {
    const solve_inputs *in;
    partition *p;
    lattice_coarsening c;
    bool coarsens;
} first_look;

static int look_at(void *data, const lattice *l, int64_t first) {
    first_look *x = data;
    int rc = OK;
    for (int64_t c = 0; c < l->n_cell && rc == OK; c++)
        rc = partition_add(x->p, l->cell + 3 * c, is_active(&x->in->c, l, c));
    return rc == OK && x->coarsens ? lattice_coarsen_add(&x->c, l, first) : rc;
}

static int look_through(void *data, partition *p) {
    first_look *x = data;
    lattice frame;
    x->p = p;
    const int rc = lattice_stretches_read(x->in->lattice_path, LATTICE_STRETCH, &frame, NULL, look_at, x);
    lattice_free(&frame);
    x->coarsens = false; /* partition_bricks may call this function again with smaller bricks; the coarser lattice is
                          * built in the first call only */
    return rc;
}

/* Chooses bricks and partition. Reads the coarser lattice, from which time step and initial guess are computed. */
static int cut_bricks(const solve_inputs *in, solve_vessel *v) {
    first_look x = {.in = in};
    lattice frame = {0};
    int64_t n_cell = 0;
    int rc;
    TRY(lattice_stretches_read(in->lattice_path, LATTICE_STRETCH, &frame, &n_cell, NULL, NULL));
    x.c.factor = lattice_coarsen_factor(n_cell, SETUP_PREVIEW_CELLS);
    x.coarsens = x.c.factor > 1;
    memcpy(v->periodic, frame.periodic, sizeof v->periodic);
    TRY(partition_bricks(frame.dims, ranks_count(), look_through, &x, &v->bricks));
    if (x.c.factor > 1)
        TRY(lattice_coarsen_end(&x.c, &v->coarse));
    else
        TRY(lattice_file_read(in->lattice_path, &v->coarse));
    v->preview = &v->coarse;
    if (ranks_number() == 0)
        TRY(partition_own(&v->bricks, ranks_count(), ranks_cut()));
    TRY(ranks_share(v->bricks.owner, (size_t)v->bricks.n * sizeof *v->bricks.owner));
cleanup:
    lattice_coarsen_free(&x.c);
    lattice_free(&frame);
    return rc;
}

/* True if this rank needs two rings of bricks around its own. Quadratic walls (D3Q27) read cells up to two cells away.
 * One ring holds these cells unless a brick is only one cell wide, as the last brick before a periodic edge may be. */
static bool needs_second_ring(const solve_inputs *in, const solve_vessel *v) {
    return setup_wall(&in->c) == DOMAIN_WALL_QUADRATIC &&
           (v->bricks.edge == 1 || v->periodic[0] || v->periodic[1] || v->periodic[2]);
}

int setup_ranks_read(const solve_inputs *in, solve_vessel *v) {
    lattice_marks m = {0};
    int rc;
    TRY(cut_bricks(in, v));
    TRY(lattice_marks_create(&m, v->bricks.dims, v->bricks.edge));
    for (int64_t k = 0; k < v->bricks.n; k++) {
        const int32_t *p = v->bricks.place + 3 * k, edge = v->bricks.edge;
        const int32_t cell[3] = {p[0] * edge, p[1] * edge, p[2] * edge};
        if (v->bricks.owner[k] == ranks_number())
            *lattice_marks_at(&m, cell) = 1;
    }
    lattice_marks_spread(&m, v->periodic, 1);
    if (needs_second_ring(in, v))
        lattice_marks_spread(&m, v->periodic, 2);
    TRY(lattice_part_read(in->lattice_path, &m, &v->share));
    v->lattice = v->share.l;
    v->share.l = (lattice){0};
    for (int k = 0; k < v->lattice.n_opening; k++) { /* a rank may hold no link of an opening, so the peak comes from
                                                      * all ranks */
        double peak = lattice_profile_peak(&v->lattice.opening[k]);
        TRY(ranks_largest(&peak));
        v->lattice.opening[k].profile_peak = peak;
    }
cleanup:
    lattice_marks_free(&m);
    return rc;
}

static void most_of(void *all, const void *more, size_t bytes) {
    uint8_t *a = all;
    const uint8_t *b = more;
    for (size_t k = 0; k < bytes; k++)
        a[k] = b[k] > a[k] ? b[k] : a[k];
}

/* Sets d->partial_number: the number of each partially solid link in the whole lattice. Links are numbered in the order
 * of the cells of the whole lattice, over all ranks. */
static int number_partials(domain *d) {
    enum { WINDOW = 1 << 20 };
    uint8_t *count = malloc(WINDOW);
    int64_t before = 0, all = d->n_partial;
    int rc;
    d->partial_number = malloc(((size_t)d->n_partial + 1) * sizeof *d->partial_number);
    if (!count || !d->partial_number)
        GIVE_UP(fail_memory("the partially solid links", 4.0 * (double)d->n_partial));
    TRY(ranks_total(&all));
    d->n_partial_all = all;
    for (int64_t begin = 0, k = 0; all > 0 && begin < d->n_cell_all; begin += WINDOW) {
        const int64_t n = d->n_cell_all - begin < WINDOW ? d->n_cell_all - begin : WINDOW;
        int64_t end = k;
        memset(count, 0, WINDOW);
        for (; end < d->n_partial && d->number[d->partial[end].cell] < begin + n; end++)
            count[d->number[d->partial[end].cell] - begin]++;
        TRY(ranks_join(count, (size_t)n, most_of));
        for (int64_t c = 0; c < n; c++) {
            for (int64_t own = 0; k < end && d->number[d->partial[k].cell] == begin + c; own++)
                d->partial_number[k++] = (int32_t)(before + own);
            before += count[c];
        }
    }
cleanup:
    free(count);
    return rc;
}

static int number_cells(const solve_inputs *in, solve_vessel *v) {
    domain *d = &v->domain;
    const bool all = in->c.solve.wall == WALL_VLBM;
    d->n_cell_all = all ? v->share.n_all : v->share.n_wet;
    d->number = malloc((size_t)d->n_cell * sizeof *d->number);
    if (!d->number)
        return fail_memory("the solver's cells", 4.0 * (double)d->n_cell);
    for (int64_t c = 0; c < d->n_cell; c++)
        d->number[c] = (all ? v->share.number : v->share.wet)[d->stored[c]];
    return number_partials(d);
}

/* With porous regions every rank has domain.region, so that all ranks use the same kernels. */
static int add_regions(const solve_inputs *in, domain *d) {
    if (in->c.n_porous == 0 || d->region)
        return OK;
    d->region = calloc((size_t)(d->n_cell + d->n_halo) + DOMAIN_RUN_MAX, sizeof *d->region);
    return d->region ? OK : fail_memory("the porous regions", (double)d->n_cell);
}

/* Frees the cells of other ranks and all links. */
static int free_other_cells(solve_vessel *v) {
    int32_t *place = malloc((size_t)(v->lattice.n_cell + 1) * sizeof *place);
    if (!place)
        return fail_memory("the solver's cells", 4.0 * (double)v->lattice.n_cell);
    v->share.l = v->lattice;
    lattice_part_shrink(&v->share, place);
    v->lattice = v->share.l;
    v->share.l = (lattice){0};
    lattice_part_free(&v->share);
    for (int64_t c = 0; c < v->domain.n_cell; c++)
        v->domain.stored[c] = place[v->domain.stored[c]];
    free(place);
    return OK;
}

int setup_ranks_domain(const solve_inputs *in, solve_vessel *v) {
    const domain_share with = {v->share.mark, ranks_sums};
    domain around = {0};
    part p = {0};
    uint16_t *owner = NULL;
    int32_t *local = NULL;
    int rc;
    TRY(domain_create_part(&v->lattice, &with, setup_wall(&in->c), v->openings.condition, &around));
    owner = malloc((size_t)around.n_cell * sizeof *owner);
    local = malloc((size_t)around.n_cell * sizeof *local);
    if (!owner || !local)
        GIVE_UP(fail_memory("the part of a rank", 6.0 * (double)around.n_cell));
    for (int64_t c = 0; c < around.n_cell; c++)
        owner[c] = partition_owner(&v->bricks, around.position + 3 * c);
    partition_free(&v->bricks);
    TRY(part_create(&around, owner, ranks_number(), local, &p));
    TRY(ranks_connect(&p));
    v->domain = p.d;
    v->halo = p.h;
    v->domain.part = &v->halo;
    ranks_halo(&v->halo);
    p = (part){0};
    domain_free(&around);
    TRY(number_cells(in, v));
    TRY(add_regions(in, &v->domain));
    TRY(free_other_cells(v));
    TRY(ranks_say(&v->domain));
cleanup:
    free(owner);
    free(local);
    domain_free(&around);
    part_free(&p);
    return rc;
}
