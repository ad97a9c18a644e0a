/* See scheme_run.h: a few steps against the textbook solution, then batches by the clock. */
#include "solve/bench/scheme_run.h"
#include "common/base/status.h"
#include "solve/bench/scheme_memory.h"
#include "solve/core/backend.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Diffusivity of the temperature: 0.1/3 (of omega) over 0.71; the other rate by HEAT_MAGIC. */
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

/* The state of the device into t->work. */
static int fetch(const scheme_case *c, const scheme_state *s, const scheme_truth *t, const scheme_device *d,
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
    TRY(fetch(c, s, t, o->device, staged));
    row->difference = t->field->difference(c, s->heat, t->work, t->end[collided]);
    if (!(row->difference <= scheme_tolerance(s->id, s->precision))) {
        row->verdict = SCHEME_FAILED;
        goto cleanup;
    }
    if (o->seconds <= 0)
        goto cleanup;
    TRY(o->device->rate(s, o->seconds, &steps_per_second));
    TRY(fetch(c, s, t, o->device, staged)); /* it moved real numbers all the time, or the time says nothing */
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
        row->verdict = SCHEME_LONG_ROWS; /* a thread for every cell of a row: more than a block may have */
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
