/* SPDX-License-Identifier: Apache-2.0 */
/* Checks a few steps of a scheme against the reference solution, then measures its speed in timed batches. */
#include "solve/schemes/scheme_run.h"
#include "common/base/status.h"
#include "solve/schemes/scheme_memory.h"
#include "solve/core/backend.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "common/base/clock.h"
#include "solve/core/half.h"
#include "solve/cuda/cuda_pack.h"

/* Viscosity 0.1/3 (from omega), divided by the Prandtl number 0.71, is the thermal diffusivity. HEAT_MAGIC then gives
 * omega_plus of the temperature. */
#define DIFFUSIVITY (0.1 / 3 / 0.71)
const scheme_physics scheme_run_physics = {.omega = 1 / 0.6,
                                           .force = {1e-6, 5e-7, 2e-6},
                                           .omega_plus = 1 / (0.5 + 0.25 / (4 * DIFFUSIVITY)),
                                           .omega_minus = 1 / (0.5 + 4 * DIFFUSIVITY),
                                           .buoyancy = {1e-4, -2e-4, 5e-5},
                                           .wall = 0.01};

double scheme_tolerance(int id, int precision) {
    return id == SCHEME_OURS_HALF ? 1e-2 : precision == BACKEND_DOUBLE ? 1e-13 : 1e-5;
}

int scheme_truth_create(const scheme_case *c, const scheme_settings *o, scheme_truth *t) {
    memset(t, 0, sizeof *t);
    t->field = o->precision == BACKEND_DOUBLE ? &scheme_field_double : &scheme_field_float;
    const size_t bytes = (size_t)scheme_slots(o->heat) * (size_t)c->l.n_cell * (size_t)t->field->value_bytes;
    const scheme_physics *p = &scheme_run_physics;
    void **all[] = {&t->before, &t->start[0], &t->start[1], &t->end[0], &t->end[1], &t->work};
    for (int k = 0; k < 6; k++) {
        *all[k] = malloc(bytes);
        if (!*all[k])
            return fail_memory("the reference solution", (double)bytes);
    }
    t->field->start(c, o->heat, t->start[0]);
    memcpy(t->before, t->start[0], bytes);
    t->field->collide(c, o->heat, p, t->before);
    t->field->reference(c, o->wall, o->heat, p, 1, t->start[0], t->work);
    memcpy(t->start[1], t->start[0], bytes);
    memcpy(t->end[0], t->start[0], bytes);
    t->field->collide(c, o->heat, p, t->start[1]);
    t->field->reference(c, o->wall, o->heat, p, SCHEME_CHECK_STEPS, t->end[0], t->work);
    memcpy(t->end[1], t->end[0], bytes);
    t->field->collide(c, o->heat, p, t->end[1]);
    return OK;
}

void scheme_truth_free(scheme_truth *t) {
    for (int k = 0; k < 2; k++) {
        free(t->start[k]);
        free(t->end[k]);
    }
    free(t->before);
    free(t->work);
    domain_free(&t->ours);
    memset(t, 0, sizeof *t);
}

/* Copies the state of the device to t->work. */
static int fetch_state(const scheme_case *c, const scheme_state *s, const scheme_truth *t, const scheme_device *d,
                       void *staged) {
    const size_t bytes = (size_t)scheme_slots(s->heat) * (size_t)s->grid.n_slot * (size_t)t->field->value_bytes;
    const int rc = d->download(staged, s->lattice[s->current], bytes);
    if (rc == OK)
        t->field->gather(c, s, staged, t->work);
    return rc;
}

static int check_and_time(const scheme_case *c, const scheme_settings *o, const scheme_truth *t, scheme_state *s,
                          scheme_row *row) {
    const size_t bytes = (size_t)scheme_slots(s->heat) * (size_t)s->grid.n_slot * (size_t)t->field->value_bytes;
    const int collided = scheme_holds_collided(s->id);
    double steps_per_second = 0;
    int rc = OK;
    void *staged = malloc(bytes);
    if (!staged)
        GIVE_UP(fail_memory("a copy of a scheme's populations", (double)bytes));
    t->field->scatter(c, s, t->start[collided], staged);
    for (int k = 0; k < scheme_lattices(s->id); k++)
        TRY(o->device->upload(s->lattice[k], staged, bytes));
    TRY(o->device->step(s, SCHEME_CHECK_STEPS));
    TRY(fetch_state(c, s, t, o->device, staged));
    row->difference = t->field->difference(c, s->heat, t->work, t->end[collided]);
    if (!(row->difference <= scheme_tolerance(s->id, s->precision))) {
        row->verdict = SCHEME_FAILED;
        goto cleanup;
    }
    if (o->seconds <= 0)
        goto cleanup;
    TRY(o->device->rate(s, o->seconds, &steps_per_second));
    /* the state is fetched to check that the timed steps gave finite values other than 0 */
    TRY(fetch_state(c, s, t, o->device, staged));
    if (!isfinite(t->field->difference(c, s->heat, t->work, t->work)))
        row->verdict = SCHEME_FAILED;
    row->mlups = 1e-6 * steps_per_second * (double)c->l.n_cell;
cleanup:
    free(staged);
    return rc;
}

int scheme_run(const scheme_case *c, const scheme_settings *o, scheme_truth *t, int id, scheme_row *row) {
    scheme_state s = {.id = id,
                      .wall = o->wall,
                      .precision = o->precision,
                      .heat = o->heat,
                      .threads = o->threads,
                      .physics = scheme_run_physics};
    scheme_memory m = {0};
    int rc = OK;
    if (id == SCHEME_OURS || id == SCHEME_OURS_HALF)
        return scheme_run_ours(c, o, t, id, row);
    memset(row, 0, sizeof *row);
    row->id = id;
    row->precision = o->precision;
    row->heat = o->heat;
    row->memory = scheme_memory_needed(c, &s, o->stride);
    if (row->memory > o->device->available()) {
        row->verdict = SCHEME_NO_ROOM;
        return OK;
    }
    if (scheme_table[id].propagation == SCHEME_SHARED && c->l.dims[0] > (o->precision == BACKEND_DOUBLE ? 512 : 1024)) {
        row->verdict = SCHEME_LONG_ROWS; /* a row has more cells than a block has threads */
        return OK;
    }
    TRY(scheme_memory_create(c, o->device, o->stride, &s, &m));
    row->memory = m.lattices + m.addressing;
    row->addressing = m.addressing;
    row->per_update = m.per_update;
    TRY(check_and_time(c, o, t, &s, row));
cleanup:
    scheme_memory_free(&s, &m);
    return rc;
}

/* --- one population stored as float, double or half */

static double value_get(const void *f, int precision, int64_t k) {
    if (precision == BACKEND_DOUBLE)
        return ((const double *)f)[k];
    return precision == BACKEND_HALF ? (double)half_to_float(((const uint16_t *)f)[k]) / HALF_UNIT
                                     : (double)((const float *)f)[k];
}

static void value_set(void *f, int precision, int64_t k, double value) {
    if (precision == BACKEND_DOUBLE)
        ((double *)f)[k] = value;
    else if (precision == BACKEND_HALF)
        ((uint16_t *)f)[k] = half_from_float((float)(value * HALF_UNIT));
    else
        ((float *)f)[k] = (float)value;
}

/* Fills slots and kept values with the state (backend.h) one step after t->before. A slot holds the population that was
 * sent to it. theta: reflected fraction of a partially solid link (domain_partial). Its kept value is theta times the
 * outgoing population, so the arriving population is (1 - theta) slot + kept. At a wall of prescribed temperature the
 * slot is the outgoing population with opposite sign; the constant D of the wall is added on arrival
 * (kernels/heat_cell.h). */
static void fill_slots(const domain *d, const scheme_case *c, const scheme_truth *t, bool heat, int from, int to,
                       void *slots, void *kept) {
    const int64_t n = d->n_cell;
#pragma omp parallel for schedule(static)
    for (int64_t k = 0; k < n; k++) {
        const int32_t *p = d->position + 3 * k;
        value_set(slots, to, k, value_get(t->before, from, k));
        for (int a = 1; a < 19; a++) {
            const int8_t *e = lattice_e[a];
            const int64_t y = scheme_case_cell(c, p[0] - e[0], p[1] - e[1], p[2] - e[2]);
            const int64_t source = y >= 0 ? a * n + y : lattice_opposite(a) * n + k;
            value_set(slots, to, a * n + k, value_get(t->before, from, source));
            if (!heat || a > 6)
                continue;
            value_set(slots, to, (19 + a) * n + k, (y >= 0 ? 1 : -1) * value_get(t->before, from, 19 * n + source));
        }
        if (heat)
            value_set(slots, to, 19 * n + k, value_get(t->before, from, 19 * n + k));
    }
    for (int64_t k = 0; k < d->n_partial; k++)
        value_set(kept, to, k,
                  d->partial[k].theta *
                      value_get(t->before, from, lattice_opposite(d->partial[k].dir) * n + d->partial[k].cell));
}

/* Inverse of fill_slots: sets t->work to the arrived populations. */
static void arrive_all(const domain *d, const scheme_truth *t, bool heat, int from, int to, const void *slots,
                       const void *kept) {
    const int64_t n = d->n_cell, all = scheme_slots(heat) * n;
#pragma omp parallel for schedule(static)
    for (int64_t k = 0; k < all; k++)
        value_set(t->work, to, k, value_get(slots, from, k));
    for (const domain_link *l = d->link; heat && l < d->link + d->n_link; l++) {
        const int64_t at = (19 + lattice_opposite(l->dir)) * n + l->cell;
        if (l->dir < 7)
            value_set(t->work, to, at, value_get(slots, from, at) + 0.25 * scheme_run_physics.wall);
    }
    for (int64_t k = 0; k < d->n_partial; k++) {
        const int64_t at = d->partial[k].dir * n + d->partial[k].cell;
        value_set(t->work, to, at, (1 - d->partial[k].theta) * value_get(slots, from, at) + value_get(kept, from, k));
    }
}

/* --- steps -------------------------------------------------------------------------------------------------------- */

static const backend_table *table_of(const scheme_device *device) {
#ifdef PORTAFLOW_CUDA
    if (device == &scheme_device_cuda)
        return &backend_cuda;
#endif
    (void)device;
    return &backend_cpu;
}

/* Bytes that describe cells and links, which a step reads once. */
static double addressing_bytes(const backend_table *table, const domain *d, const backend_settings *s, double needed) {
#ifdef PORTAFLOW_CUDA
    if (table == &backend_cuda)
        return pack_bytes(d) + (d->fluid ? 2.0 * (double)d->n_cell : 0) +
               (s->heat ? (double)pack_count_warm(d, s->heat) * sizeof(pack_warm) : 0);
#endif
    (void)table;
    const int monitor = s->heat ? 24 : 12; /* bytes per cell that hold the values of the last monitor */
    return fmax(0, needed - (backend_slots(s) * backend_value_bytes(s->precision) + monitor) * (double)d->n_cell);
}

static int wait_for(const backend_table *table, backend *b) {
#ifdef PORTAFLOW_CUDA
    if (table == &backend_cuda)
        return backend_cuda_wait(b);
#endif
    (void)table;
    (void)b;
    return OK;
}

static int measure_rate(const backend_table *table, backend *b, double seconds, double *steps_per_second) {
    const prescribed_value no_opening = {0};
    const int batch = table == &backend_cpu ? 2 : 64;
    int rc = OK, batches = 1;
    *steps_per_second = 0;
    TRY(table->step(b, batch, &no_opening));
    TRY(wait_for(table, b));
    for (double total = 0; total < seconds;) {
        const double start = clock_s();
        for (int k = 0; k < batches; k++)
            TRY(table->step(b, batch, &no_opening));
        TRY(wait_for(table, b));
        const double spent = fmax(clock_s() - start, 1e-9);
        *steps_per_second = fmax(*steps_per_second, (double)batch * batches / spent);
        total += spent;
        if (spent < 0.1 * seconds)
            batches *= 2;
    }
cleanup:
    return rc;
}

static int check_and_time_ours(const domain *d, const scheme_case *c, const scheme_settings *o, const scheme_truth *t,
                               const backend_table *table, backend *b, scheme_row *row) {
    const prescribed_value no_opening = {0};
    const size_t bytes = (size_t)backend_value_bytes(row->precision);
    double steps_per_second = 0;
    int rc = OK;
    const double all = scheme_slots(o->heat) * (double)d->n_cell;
    void *slots = malloc((size_t)all * bytes), *kept = malloc((size_t)(d->n_partial + 1) * bytes);
    if (!slots || !kept)
        GIVE_UP(fail_memory("our populations", all * (double)bytes));
    fill_slots(d, c, t, o->heat, o->precision, row->precision, slots, kept);
    TRY(table->write(b, slots, kept));
    TRY(table->step(b, SCHEME_CHECK_STEPS, &no_opening));
    TRY(table->read(b, slots, kept));
    arrive_all(d, t, o->heat, row->precision, o->precision, slots, kept);
    row->difference = t->field->difference(c, o->heat, t->work, t->end[0]);
    row->verdict = row->difference <= scheme_tolerance(row->id, o->precision) ? SCHEME_SAME : SCHEME_FAILED;
    if (row->verdict == SCHEME_FAILED || o->seconds <= 0)
        goto cleanup;
    TRY(measure_rate(table, b, o->seconds, &steps_per_second));
    row->mlups = 1e-6 * steps_per_second * (double)d->n_cell;
    TRY(table->read(b, slots, kept));
    arrive_all(d, t, o->heat, row->precision, o->precision, slots, kept);
    if (!isfinite(t->field->difference(c, o->heat, t->work, t->work)))
        row->verdict = SCHEME_FAILED;
cleanup:
    free(slots);
    free(kept);
    return rc;
}

int scheme_run_ours(const scheme_case *c, const scheme_settings *o, scheme_truth *t, int id, scheme_row *row) {
    const backend_table *table = table_of(o->device);
    backend *b = NULL;
    domain *d = &t->ours;
    double available = 0;
    int rc = OK;
    const domain_condition none = {0};
    memset(row, 0, sizeof *row);
    row->id = id;
    row->precision = id == SCHEME_OURS_HALF ? BACKEND_HALF : o->precision;
    row->heat = o->heat;
    if (row->precision == BACKEND_HALF && table == &backend_cpu) {
        row->verdict = SCHEME_GPU_ONLY;
        return OK;
    }
    const scheme_physics *p = &scheme_run_physics;
    const heat_settings heat = {.omega_plus = p->omega_plus,
                                .omega_minus = p->omega_minus,
                                .buoyancy = {p->buoyancy[0], p->buoyancy[1], p->buoyancy[2]},
                                .n_wall = 1,
                                .n_side = 1,
                                .side = {{HEAT_GIVEN, p->wall}}};
    const backend_settings settings = {.omega_plus = p->omega,
                                       .omega_minus = p->omega,
                                       .force = {p->force[0], p->force[1], p->force[2]},
                                       .precision = row->precision,
                                       .threads = o->threads,
                                       .forced = true,
                                       .heat = o->heat ? &heat : NULL};
    const int bytes = backend_value_bytes(row->precision);
    if (d->n_cell == 0)
        TRY(domain_create(&c->l, DOMAIN_WALL_VLBM, &none, d));
    table->memory(d, &settings, &row->memory, &available);
    row->addressing = addressing_bytes(table, d, &settings, row->memory);
    row->per_update = 2.0 * backend_slots(&settings) * bytes + row->addressing / (double)d->n_cell;
    if (row->memory > available) {
        row->verdict = SCHEME_NO_ROOM;
        goto cleanup;
    }
    TRY(table->create(d, &settings, &b));
    TRY(check_and_time_ours(d, c, o, t, table, b, row));
cleanup:
    if (b)
        table->destroy(b);
    return rc;
}
