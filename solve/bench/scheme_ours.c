/* Ours beside the schemes: the solver's own backend on the same cells, walls, collision and populations. */
#include "common/base/clock.h"
#include "common/base/status.h"
#include "solve/bench/scheme_run.h"
#include "solve/core/backend.h"
#include "solve/core/half.h"
#ifdef PORTAFLOW_CUDA
#include "solve/cuda/cuda_pack.h"
#endif
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- populations: float, double or 16 bits in one value ----------------------------------------------------------- */

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

/* The canonical state (backend.h) one step after t->before: slots hold what was sent to them, the kept values what a
 * partly solid link gives back (kernels/link.h: (1 - theta) slot + kept is what arrives). */
static void fill(const domain *d, const scheme_case *c, const scheme_truth *t, int from, int to, void *slots,
                 void *kept) {
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
        }
    }
    for (int64_t k = 0; k < d->n_partial; k++)
        value_set(kept, to, k,
                  d->partial[k].theta *
                      value_get(t->before, from, lattice_opposite(d->partial[k].dir) * n + d->partial[k].cell));
}

/* The other way round, into t->work. */
static void arrive(const domain *d, const scheme_truth *t, int from, int to, const void *slots, const void *kept) {
    const int64_t n = d->n_cell;
#pragma omp parallel for schedule(static)
    for (int64_t k = 0; k < 19 * n; k++)
        value_set(t->work, to, k, value_get(slots, from, k));
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

/* What describes cells and links, read once a step. */
static double addressing_bytes(const backend_table *table, const domain *d, double needed, int value_bytes) {
#ifdef PORTAFLOW_CUDA
    if (table == &backend_cuda)
        return pack_bytes(d) + (d->fluid ? 2.0 * (double)d->n_cell : 0);
#endif
    (void)table;
    return fmax(0, needed - (19.0 * value_bytes + 12) * (double)d->n_cell); /* 12: the monitor's velocities */
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

static int rate(const backend_table *table, backend *b, double seconds, double *steps_per_second) {
    const double no_opening = 0;
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

static int check_and_time(const domain *d, const scheme_case *c, const scheme_settings *o, const scheme_truth *t,
                          const backend_table *table, backend *b, scheme_row *row) {
    const double no_opening = 0;
    const size_t bytes = (size_t)backend_value_bytes(row->precision);
    double steps_per_second = 0;
    int rc = OK;
    void *slots = malloc(19 * (size_t)d->n_cell * bytes), *kept = malloc((size_t)(d->n_partial + 1) * bytes);
    if (!slots || !kept)
        GIVE_UP(fail_memory("our populations", 19.0 * (double)d->n_cell * (double)bytes));
    fill(d, c, t, o->precision, row->precision, slots, kept);
    TRY(table->write(b, slots, kept));
    TRY(table->step(b, SCHEME_CHECK_STEPS, &no_opening));
    TRY(table->read(b, slots, kept));
    arrive(d, t, row->precision, o->precision, slots, kept);
    row->difference = t->field->difference(c, t->work, t->end[0]);
    row->verdict = row->difference <= scheme_tolerance(row->id, o->precision) ? SCHEME_SAME : SCHEME_FAILED;
    if (row->verdict == SCHEME_FAILED || o->seconds <= 0)
        goto cleanup;
    TRY(rate(table, b, o->seconds, &steps_per_second));
    row->mlups = 1e-6 * steps_per_second * (double)d->n_cell;
    TRY(table->read(b, slots, kept));
    arrive(d, t, row->precision, o->precision, slots, kept);
    if (!isfinite(t->field->difference(c, t->work, t->work)))
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
    if (row->precision == BACKEND_HALF && table == &backend_cpu) {
        row->verdict = SCHEME_GPU_ONLY;
        return OK;
    }
    const backend_settings settings = {.omega_plus = SCHEME_OMEGA,
                                       .omega_minus = SCHEME_OMEGA,
                                       .force = {scheme_force[0], scheme_force[1], scheme_force[2]},
                                       .precision = row->precision,
                                       .threads = o->threads,
                                       .forced = true};
    const int bytes = backend_value_bytes(row->precision);
    if (d->n_cell == 0)
        TRY(domain_create(&c->l, DOMAIN_WALL_VLBM, &none, d));
    table->memory(d, &settings, &row->memory, &available);
    row->addressing = addressing_bytes(table, d, row->memory, bytes);
    row->per_update = 38.0 * bytes + row->addressing / (double)d->n_cell;
    if (row->memory > available) {
        row->verdict = SCHEME_NO_ROOM;
        goto cleanup;
    }
    TRY(table->create(d, &settings, &b));
    TRY(check_and_time(d, c, o, t, table, b, row));
cleanup:
    if (b)
        table->destroy(b);
    return rc;
}
