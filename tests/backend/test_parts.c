/* SPDX-License-Identifier: Apache-2.0 */
/* A lattice cut into parts, each on a backend of its own that exchanges halos with the others, against the whole
 * lattice: populations and sums must have the same bits. The parts run in threads of this program; between processes:
 * tests/cli/ranks.sh.
 *
 *   test_parts          the CPU
 *   test_parts --gpu    that and a GPU, whose parts exchange through the host's memory (solve/gpu_check.sh --ranks)
 *
 * A plain program without a test library, so that it also builds on a GPU machine that has only compilers. */
#include "common/base/status.h"
#include "solve/core/half.h"
#include "solve/cuda/cuda_order.h"
#include "solve/cuda/cuda_pack.h"
#include "solve/ranks/part.h"
#include "solve/ranks/partition.h"
#include "tests/backend/backend_case.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARTS_MAX = 5, STEPS = 18 };

static const char *const precisions[] = {
    [BACKEND_FLOAT] = "float", [BACKEND_DOUBLE] = "double", [BACKEND_HALF] = "half"};
static int precision_now;
static int failures, checks, values_said; /* values_said: of this cut */

static void check(bool good, const char *device, const char *name, int parts, const char *what) {
    checks++;
    failures += !good;
    if (!good)
        printf("FAILED %s %s, %s, %d parts: %s\n", device, precisions[precision_now], name, parts, what);
}

/* What the threads share. */
typedef struct {
    part p[PARTS_MAX];
    const void *out[PARTS_MAX]; /* what each sends at this moment */
    pthread_barrier_t barrier;
} party;

typedef struct {
    party *all;
    int number;
    const backend_table *table;
    const backend_settings *settings;
    const prescribed_value *given;
    void *slots, *kept; /* in and out */
    backend_sums sums;
    backend_opening_sums opening[BACKEND_OPENINGS];
} guest;

static int exchange(void *data, const void *send, void *recv, size_t bytes) {
    const guest *g = data;
    const halo *mine = &g->all->p[g->number].h;
    g->all->out[g->number] = send;
    pthread_barrier_wait(&g->all->barrier);
    for (int k = 0; k < mine->n_peer; k++) {
        const halo *its = &g->all->p[mine->peer[k]].h;
        int me = 0;
        while (its->peer[me] != g->number)
            me++;
        const size_t n = (size_t)(mine->first_received[k + 1] - mine->first_received[k]);
        if (n != (size_t)(its->first_sent[me + 1] - its->first_sent[me]))
            abort();
        memcpy((char *)recv + (size_t)mine->first_received[k] * bytes,
               (const char *)g->all->out[mine->peer[k]] + (size_t)its->first_sent[me] * bytes, n * bytes);
    }
    pthread_barrier_wait(&g->all->barrier);
    return OK;
}

/* Steps, sums, and a linear combination of two states. */
static void drive(const backend_table *table, backend *b, int n_given, const prescribed_value *given,
                  backend_sums *sums, backend_opening_sums *opening) {
    const double combine[BACKEND_PLACES] = {1.25, -0.25};
    case_must(table->step(b, STEPS - 8, given));
    case_must(table->sums(b, sums, opening)); /* and on */
    table->set_mass_correction(b, 1e-6);
    case_must(table->keep(b, 0));
    case_must(table->step(b, 4, given + (int64_t)(STEPS - 8) * n_given));
    case_must(table->keep(b, 1));
    case_must(table->combine(b, combine));
    case_must(table->step(b, 4, given + (int64_t)(STEPS - 4) * n_given));
    case_must(table->sums(b, sums, opening));
}

static void *guest_run(void *data) {
    guest *g = data;
    part *p = &g->all->p[g->number];
    backend *b;
    p->d.part = &p->h;
    p->h.exchange = exchange;
    p->h.data = g;
    case_must(g->table->create(&p->d, g->settings, &b));
    case_must(g->table->write(b, g->slots, g->kept));
    drive(g->table, b, domain_given(&p->d), g->given, &g->sums, g->opening);
    case_must(g->table->read(b, g->slots, g->kept));
    g->table->destroy(b);
    return NULL;
}

static double value_at(const char *at, size_t bytes) {
    return bytes == 8   ? *(const double *)(const void *)at
           : bytes == 4 ? (double)*(const float *)(const void *)at
                        : (double)half_to_float(*(const uint16_t *)(const void *)at) / HALF_UNIT;
}

/* Whether a cell has links through openings. */
static bool opened(const domain *d, int64_t cell) {
    for (const domain_link *l = d->link; l < d->link + d->n_link && l->cell <= cell; l++)
        if (l->cell == cell && l->opening)
            return true;
    return false;
}

/* The first values that differ: enough to tell where to look. */
static void say_value(const backend_case *c, int64_t a, int64_t cell, const char *whole, const char *own) {
    const size_t bytes = (size_t)backend_value_bytes(c->settings.precision);
    if (memcmp(whole, own, bytes) != 0 && values_said++ < 3)
        printf("  slot %d of cell %lld%s: %.9g, whole %.9g\n", (int)a, (long long)cell,
               opened(&c->d, cell) ? " at an opening" : "", value_at(own, bytes), value_at(whole, bytes));
}

/* Slots of the whole and those of its part, by the places of `owner`; returns how many differ, or copies them. */
static int64_t slots_place(const backend_case *c, const uint16_t *owner, int number, int64_t n_own, char *whole,
                           char *own, bool compare) {
    const size_t bytes = (size_t)backend_value_bytes(c->settings.precision);
    int64_t differ = 0;
    for (int64_t a = 0; a < c->d.directions; a++)
        for (int64_t cell = 0, k = a * n_own; cell < c->d.n_cell; cell++) {
            if (owner[cell] != number)
                continue;
            char *w = whole + (size_t)(a * c->d.n_cell + cell) * bytes, *o = own + (size_t)k++ * bytes;
            if (compare) {
                differ += memcmp(w, o, bytes) != 0;
                say_value(c, a, cell, w, o);
            } else
                memcpy(o, w, bytes);
        }
    return differ;
}

static void kept_place(const backend_case *c, const uint16_t *owner, int number, const char *whole, char *own) {
    const size_t bytes = (size_t)backend_value_bytes(c->settings.precision);
    for (int64_t k = 0; k < c->d.n_partial; k++)
        if (owner[c->d.partial[k].cell] == number) {
            memcpy(own, whole + (size_t)k * bytes, bytes);
            own += bytes;
        }
}

static bool sums_same(const exact_sum *a, const exact_sum *b) {
    return memcmp(a, b, sizeof *a) == 0;
}

/* Populations and sums of a whole lattice. */
typedef struct {
    char *begin, *end, *kept;
    backend_sums sums;
    backend_opening_sums opening[BACKEND_OPENINGS];
} reference;

static void reference_make(const backend_case *c, const backend_table *table, const prescribed_value *given,
                           reference *r) {
    const size_t bytes = (size_t)backend_value_bytes(c->settings.precision),
                 size = (size_t)(c->d.directions * c->d.n_cell) * bytes;
    backend *b;
    r->begin = malloc(size);
    r->end = malloc(size);
    r->kept = calloc((size_t)c->d.n_partial + 1, bytes);
    char *kept_end = calloc((size_t)c->d.n_partial + 1, bytes);
    case_must(table->create(&c->d, &c->settings, &b));
    case_fill(c, table, b);
    case_must(table->read(b, r->begin, r->kept));
    drive(table, b, domain_given(&c->d), given, &r->sums, r->opening);
    case_must(table->read(b, r->end, kept_end));
    table->destroy(b);
    free(kept_end);
}

/* Wall values that a part sends: of wall links of other parts whose two cells behind belong to neither. */
static int64_t wall_values(const backend_case *c, const uint16_t *owner, int number) {
    int64_t n = 0;
    for (int64_t k = 0; c->d.behind && k < c->d.n_link; k++) {
        const domain_behind *b = &c->d.behind[k];
        const int me = owner[c->d.link[k].cell];
        if (b->next >= 0 && owner[b->next] != me && owner[b->third] != me)
            n += owner[c->d.link[k].q < 0.5f ? b->third : b->next] == number;
    }
    return n;
}

/* Gives the requests of all parts to each part. */
static void connect_all(part *p, int parts) {
    int64_t n = 0;
    for (int k = 0; k < parts; k++)
        n += p[k].n_request;
    part_request *all = malloc(((size_t)n + 1) * sizeof *all), *to = all;
    for (int k = 0; k < parts; to += p[k++].n_request)
        memcpy(to, p[k].request, (size_t)p[k].n_request * sizeof *all);
    for (int k = 0; k < parts; k++)
        case_must(part_connect(&p[k], all, n));
    free(all);
}

/* Every cell belongs to one part, no part is empty, cut links are counted alike from both sides. */
static void partition_checks(const backend_case *c, int parts, const uint16_t *owner, const party *all,
                             const char *device) {
    partition_quality q;
    int64_t cells = 0, values = 0;
    case_must(partition_measure(&c->d, parts, owner, &q));
    for (int k = 0; k < parts; k++) {
        cells += all->p[k].d.n_cell;
        values += all->p[k].h.first_sent[all->p[k].h.n_peer] - wall_values(c, owner, k);
    }
    check(cells == c->d.n_cell, device, c->name, parts, "cells of all parts");
    check(values == 2 * q.cut, device, c->name, parts, "values of all halos");
    check(q.least > 0 && (double)q.most * parts < 1.6 * (double)c->d.n_cell, device, c->name, parts, "balance");
}

/* A part as a GPU reads it: every neighbour where it is, the border first, the halo behind whole groups. */
static void packed_checks(const backend_case *c, const part *p, int parts) {
    const domain *d = &p->d;
    cell_order order, inverse;
    domain made;
    pack packed;
    int64_t n_border, wrong = 0, late = 0;
    case_must(order_part(d, &order, &n_border));
    case_must(order_inverse(&order, &inverse));
    case_must(order_domain(d, &order, &made));
    case_must(pack_create(&made, &packed));
    for (int64_t cell = 0; cell < d->n_cell; cell++)
        for (int b = 1; b < d->directions; b++) {
            int32_t there;
            domain_neighbours(d, lattice_opposite(b), cell, 1, &there);
            const int64_t expected = there < 0 ? -1 : order_from(&inverse, there);
            wrong += pack_neighbour(&packed, order_from(&inverse, cell), b) != expected;
            late += there >= d->n_cell && (order_from(&inverse, cell) >= n_border || expected < 32 * packed.n_group);
        }
    for (int64_t k = 0; made.behind && k < made.n_link; k++)
        late += (made.behind[k].next >= d->n_cell || made.behind[k].third >= d->n_cell) &&
                (made.link[k].cell >= n_border || made.behind[k].third < 0);
    check(wrong == 0, "packed", c->name, parts, "neighbours");
    check(late == 0, "packed", c->name, parts, "border and halo");
    wrong = !c->d.region != !made.region;
    for (int64_t cell = 0; made.region && cell < d->n_cell; cell++)
        wrong += made.region[order_from(&inverse, cell)] != d->region[cell];
    check(wrong == 0, "packed", c->name, parts, "porous regions");
    pack_free(&packed);
    order_domain_free(&made);
    order_free(&inverse);
    order_free(&order);
}

static void cut(const backend_case *c, const backend_table *table, int parts, partition_cut way,
                const prescribed_value *given, const reference *r) {
    static party all;
    static guest g[PARTS_MAX];
    pthread_t thread[PARTS_MAX];
    const size_t bytes = (size_t)backend_value_bytes(c->settings.precision);
    uint16_t *owner = malloc((size_t)c->d.n_cell * sizeof *owner);
    int32_t *local = malloc((size_t)c->d.n_cell * sizeof *local);
    backend_sums sums = {.bad_cell = -1};
    backend_opening_sums opening[BACKEND_OPENINGS] = {0};
    int64_t differ = 0;
    values_said = 0;
    case_must(partition_make(&c->d, parts, way, owner));
    pthread_barrier_init(&all.barrier, NULL, (unsigned)parts);
    for (int k = 0; k < parts; k++) {
        part *p = &all.p[k];
        case_must(part_create(&c->d, owner, k, local, p));
    }
    connect_all(all.p, parts);
    for (int k = 0; k < parts; k++) {
        part *p = &all.p[k];
        packed_checks(c, p, parts);
        g[k] = (guest){.all = &all, .number = k, .table = table, .settings = &c->settings, .given = given};
        g[k].slots = malloc((size_t)(c->d.directions * p->d.n_cell) * bytes);
        g[k].kept = malloc(((size_t)p->d.n_partial + 1) * bytes);
        slots_place(c, owner, k, p->d.n_cell, r->begin, g[k].slots, false);
        kept_place(c, owner, k, r->kept, g[k].kept);
    }
    partition_checks(c, parts, owner, &all, table->name);
    for (int k = 0; k < parts; k++)
        pthread_create(&thread[k], NULL, guest_run, &g[k]);
    for (int k = 0; k < parts; k++)
        pthread_join(thread[k], NULL);
    for (int k = 0; k < parts; k++) {
        differ += slots_place(c, owner, k, all.p[k].d.n_cell, r->end, g[k].slots, true);
        backend_sums_join(&sums, &g[k].sums);
        for (int o = 0; o < c->d.n_opening; o++) {
            exact_sum_join(&opening[o].flow, &g[k].opening[o].flow);
            exact_sum_join(&opening[o].density, &g[k].opening[o].density);
        }
        free(g[k].slots);
        free(g[k].kept);
        part_free(&all.p[k]);
    }
    check(differ == 0, table->name, c->name, parts, "populations");
    check(sums_same(&sums.change, &r->sums.change), table->name, c->name, parts, "change");
    check(sums_same(&sums.square, &r->sums.square), table->name, c->name, parts, "square of the velocity");
    check(sums_same(&sums.mass, &r->sums.mass), table->name, c->name, parts, "mass");
    check(sums_same(&sums.entered, &r->sums.entered), table->name, c->name, parts, "mass that entered");
    check(sums.fastest == r->sums.fastest, table->name, c->name, parts, "largest velocity");
    check(memcmp(opening, r->opening, (size_t)c->d.n_opening * sizeof *opening) == 0, table->name, c->name, parts,
          "flows and pressures");
    pthread_barrier_destroy(&all.barrier);
    free(owner);
    free(local);
}

/* Bricks at random: every part has many neighbours, and its halo many gaps. */
static int scattered(int32_t n, const int32_t *first, const int32_t *to, const int32_t *links, const int32_t *cells,
                     int parts, int32_t *owner) {
    (void)first, (void)to, (void)links, (void)cells;
    for (int32_t k = 0; k < n; k++)
        owner[k] = k % parts;
    return 0;
}

/* Cuts a case into several numbers of parts. viscosity: of shear-thinning blood, or NULL; porous: drags, or NULL. */
static void cut_case(const backend_table *table, int kind, int precision, bool regularized,
                     const viscosity_table *viscosity, const porous_media *porous) {
    static const int parts[] = {1, 2, 3, 5};
    backend_case c = case_make(kind, precision, regularized);
    c.settings.viscosity = viscosity;
    c.settings.porous = porous;
    if (porous)
        case_make_porous(&c.d);
    prescribed_value *given = case_prescribed(&c, STEPS);
    reference r = {0};
    reference_make(&c, table, given, &r);
    for (int k = 0; k < 4; k++)
        cut(&c, table, parts[k], k % 2 ? NULL : scattered, given, &r);
    free(r.begin);
    free(r.end);
    free(r.kept);
    free(given);
    case_free(&c);
}

/* Shear-thinning blood on both lattices. */
static void thinning(const backend_table *table, int precision) {
    const viscosity_law law = viscosity_law_of(VISCOSITY_CARREAU_YASUDA, VISCOSITY_ABRAHAM, 0);
    viscosity_table *viscosity = malloc(sizeof *viscosity);
    if (!viscosity)
        abort();
    viscosity_table_fill(&law, 1060, 1e-3, 5e-3, viscosity);
    cut_case(table, CASE_TUBE, precision, false, viscosity, NULL);
    cut_case(table, CASE_CORNER_TUBE, precision, false, viscosity, NULL);
    free(viscosity);
}

/* Porous regions, weak and strong. */
static void porous_regions(const backend_table *table, int precision, bool regularized) {
    static const porous_media media = {.drag = {0, 0.05, 8}};
    cut_case(table, CASE_TUBE, precision, regularized, NULL, &media);
    cut_case(table, CASE_PIPE, precision, regularized, NULL, &media);
    cut_case(table, CASE_TUBE_VLBM, precision, regularized, NULL, &media);
}

static void device(const backend_table *table, int precision, bool regularized) {
    precision_now = precision;
    for (int kind = 0; kind < CASE_ALL; kind++) {
        const bool corners = kind >= CASE_CORNER_TUBE;
        if ((kind >= CASE_COUNT && !corners) || (corners && precision == BACKEND_HALF))
            continue; /* parts do not compute heat; nothing computes cumulants in half */
        cut_case(table, kind, precision, regularized, NULL, NULL);
    }
    if (precision == BACKEND_HALF)
        return;
    thinning(table, precision);
    porous_regions(table, precision, regularized);
}

int main(int argc, char **argv) {
    const bool gpu = argc > 1 && strcmp(argv[1], "--gpu") == 0;
    setvbuf(stdout, NULL, _IOLBF, 0);
    device(&backend_cpu, BACKEND_FLOAT, false);
    device(&backend_cpu, BACKEND_DOUBLE, true);
#ifdef PORTAFLOW_CUDA
    if (gpu && backend_cuda_count() > 0) {
        device(&backend_cuda, BACKEND_FLOAT, false);
        device(&backend_cuda, BACKEND_DOUBLE, true);
        device(&backend_cuda, BACKEND_HALF, false);
    }
#else
    if (gpu)
        printf("built without CUDA: no GPU is tried\n");
#endif
    printf("%d checks, %d failed\n", checks, failures);
    return failures > 0;
}
