/* See setup_ranks.h: what one of several ranks has of the lattice. Nobody holds all of it: each reads it stretch by stretch,
 * for the bricks that are cut, for a coarser lattice, and for its own cells. */
#include "common/base/status.h"
#include "common/lattice/lattice_coarsen.h"
#include "common/lattice/lattice_file.h"
#include "common/lattice/lattice_stretch.h"
#include "solve/setup/setup_ranks.h"
#include "solve/ranks/part.h"
#include "solve/ranks/ranks.h"
#include <stdlib.h>
#include <string.h>

static bool active(const solve_job *j, const lattice *l, int64_t c) {
    return j->in.c.solve.wall == WALL_VLBM || l->distance_mm[c] < 0;
}

/* The first time that the file is read. */
typedef struct {
    const solve_job *j;
    partition *p;
    lattice_coarsening c;
    bool coarsens;
} first_look;

static int look_at(void *data, const lattice *l, int64_t first) {
    first_look *x = data;
    int rc = OK;
    for (int64_t c = 0; c < l->n_cell && rc == OK; c++)
        rc = partition_add(x->p, l->cell + 3 * c, active(x->j, l, c));
    return rc == OK && x->coarsens ? lattice_coarsen_add(&x->c, l, first) : rc;
}

static int look_through(void *data, partition *p) {
    first_look *x = data;
    lattice frame;
    x->p = p;
    const int rc = lattice_stretches_read(x->j->in.lattice_path, LATTICE_STRETCH, &frame, NULL, look_at, x);
    lattice_free(&frame);
    x->coarsens = false; /* it may be called again */
    return rc;
}

/* The bricks, whose they are, and what step and first guess are found on. */
static int cut(solve_job *j) {
    first_look x = {.j = j};
    lattice frame = {0};
    int64_t n_cell = 0;
    int rc;
    TRY(lattice_stretches_read(j->in.lattice_path, LATTICE_STRETCH, &frame, &n_cell, NULL, NULL));
    x.c.factor = lattice_coarsen_factor(n_cell, SETUP_PREVIEW_CELLS);
    x.coarsens = x.c.factor > 1;
    memcpy(j->vessel.periodic, frame.periodic, sizeof j->vessel.periodic);
    TRY(partition_bricks(frame.dims, ranks_count(), look_through, &x, &j->vessel.bricks));
    if (x.c.factor > 1)
        TRY(lattice_coarsen_end(&x.c, &j->vessel.coarse));
    else
        TRY(lattice_file_read(j->in.lattice_path, &j->vessel.coarse));
    j->vessel.preview = &j->vessel.coarse;
    if (ranks_number() == 0)
        TRY(partition_own(&j->vessel.bricks, ranks_count(), ranks_cut()));
    TRY(ranks_share(j->vessel.bricks.owner, (size_t)j->vessel.bricks.n * sizeof *j->vessel.bricks.owner));
cleanup:
    lattice_coarsen_free(&x.c);
    lattice_free(&frame);
    return rc;
}

int setup_ranks_read(solve_job *j) {
    lattice_marks m = {0};
    int rc;
    TRY(cut(j));
    TRY(lattice_marks_create(&m, j->vessel.bricks.dims, j->vessel.bricks.edge));
    for (int64_t k = 0; k < j->vessel.bricks.n; k++) {
        const int32_t *p = j->vessel.bricks.place + 3 * k, edge = j->vessel.bricks.edge;
        const int32_t cell[3] = {p[0] * edge, p[1] * edge, p[2] * edge};
        if (j->vessel.bricks.owner[k] == ranks_number())
            *lattice_marks_at(&m, cell) = 1;
    }
    lattice_marks_spread(&m, j->vessel.periodic);
    TRY(lattice_part_read(j->in.lattice_path, &m, &j->vessel.share));
    j->vessel.lattice = j->vessel.share.l;
    j->vessel.share.l = (lattice){0};
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

/* Numbers of the partial links: those of a cell follow those of the cells before it. */
static int number_partials(domain *d) {
    enum { WINDOW = 1 << 20 };
    uint8_t *count = malloc(WINDOW);
    int64_t before = 0, all = d->n_partial;
    int rc;
    d->partial_number = malloc(((size_t)d->n_partial + 1) * sizeof *d->partial_number);
    if (!count || !d->partial_number)
        GIVE_UP(fail_memory("the partly solid links", 4.0 * (double)d->n_partial));
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

static int number_cells(solve_job *j) {
    domain *d = &j->vessel.domain;
    const bool all = j->in.c.solve.wall == WALL_VLBM;
    d->n_cell_all = all ? j->vessel.share.n_all : j->vessel.share.n_wet;
    d->number = malloc((size_t)d->n_cell * sizeof *d->number);
    if (!d->number)
        return fail_memory("the solver's cells", 4.0 * (double)d->n_cell);
    for (int64_t c = 0; c < d->n_cell; c++)
        d->number[c] = (all ? j->vessel.share.number : j->vessel.share.wet)[d->stored[c]];
    return number_partials(d);
}

/* Of the lattice the own cells are left, without their links. */
static int forget_others(solve_job *j) {
    int32_t *place = malloc((size_t)(j->vessel.lattice.n_cell + 1) * sizeof *place);
    if (!place)
        return fail_memory("the solver's cells", 4.0 * (double)j->vessel.lattice.n_cell);
    j->vessel.share.l = j->vessel.lattice;
    lattice_part_shrink(&j->vessel.share, place);
    j->vessel.lattice = j->vessel.share.l;
    j->vessel.share.l = (lattice){0};
    lattice_part_free(&j->vessel.share);
    for (int64_t c = 0; c < j->vessel.domain.n_cell; c++)
        j->vessel.domain.stored[c] = place[j->vessel.domain.stored[c]];
    free(place);
    return OK;
}

int setup_ranks_domain(solve_job *j) {
    const domain_share with = {j->vessel.share.mark, ranks_sums};
    domain around = {0};
    part p = {0};
    uint16_t *owner = NULL;
    int32_t *local = NULL;
    int rc;
    TRY(domain_create_part(&j->vessel.lattice, &with,
                           j->in.c.solve.wall == WALL_VLBM ? DOMAIN_WALL_VLBM : DOMAIN_WALL_INTERPOLATED,
                           j->vessel.openings.condition, &around));
    owner = malloc((size_t)around.n_cell * sizeof *owner);
    local = malloc((size_t)around.n_cell * sizeof *local);
    if (!owner || !local)
        GIVE_UP(fail_memory("the part of a rank", 6.0 * (double)around.n_cell));
    for (int64_t c = 0; c < around.n_cell; c++)
        owner[c] = partition_owner(&j->vessel.bricks, around.position + 3 * c);
    partition_free(&j->vessel.bricks);
    TRY(part_create(&around, owner, ranks_number(), local, &p));
    j->vessel.domain = p.d;
    j->vessel.halo = p.h;
    j->vessel.domain.part = &j->vessel.halo;
    domain_free(&around);
    TRY(number_cells(j));
    TRY(forget_others(j));
    TRY(ranks_say(&j->vessel.domain));
cleanup:
    free(owner);
    free(local);
    domain_free(&around);
    return rc;
}
