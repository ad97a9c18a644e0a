/* See ranks.h: what a rank but 0 does. */
#include "common/base/status.h"
#include "solve/ranks/ranks.h"
#include "solve/ranks/wire.h"
#include <stdio.h>
#include <stdlib.h>

/* The part of one run. */
typedef struct {
    part p;
    backend_settings settings;
    const backend_table *table;
    backend *b;
} served;

/* Rank 0 hears of every call whether it worked. Returns what the transport says. */
static int answer(int rc) {
    wire_answer a = {.rc = rc};
    snprintf(a.sentence, sizeof a.sentence, "%s", status_message());
    if (rc != OK)
        status_clear();
    return wire_send(0, &a, sizeof a);
}

static void let_go(served *s) {
    if (s->b && s->table)
        s->table->destroy(s->b);
    part_free(&s->p);
    *s = (served){.table = s->table};
}

static int serve_create(served *s) {
    wire_settings with;
    int rc;
    let_go(s);
    TRY(wire_recv(0, &with, sizeof with));
    s->settings = with.settings;
    rc = wire_part_recv(0, &s->p);
    if (rc == OK) {
        s->p.d.part = &s->p.h;
        wire_halo(&s->p.h, with.direct);
        rc = wire_device(with.device, &s->table);
    }
    if (rc == OK)
        rc = s->table->create(&s->p.d, &s->settings, &s->b);
    rc = answer(rc);
cleanup:
    return rc;
}

static int serve_step(served *s, int n) {
    const size_t count = (size_t)(n > 0 ? n : 1) * (size_t)s->p.d.n_opening;
    int rc;
    double *value = malloc((count + 1) * sizeof *value);
    if (!value)
        return fail_memory("the steps", 8.0 * (double)count);
    TRY(wire_recv(0, value, count * sizeof *value));
    rc = answer(s->table->step(s->b, n, value));
cleanup:
    free(value);
    return rc;
}

static int serve_sums(served *s) {
    backend_sums sums = {.bad_cell = -1};
    backend_opening_sums opening[BACKEND_OPENINGS] = {0};
    int rc;
    TRY(answer(s->table->sums(s->b, &sums, opening)));
    TRY(wire_send(0, &sums, sizeof sums));
    TRY(wire_send(0, opening, (size_t)s->p.d.n_opening * sizeof *opening));
cleanup:
    return rc;
}

static int serve_moments(served *s, int which) {
    const size_t n = (size_t)s->p.d.n_cell;
    float *density = which & WIRE_DENSITY ? calloc(n + 1, sizeof *density) : NULL,
          *velocity = which & WIRE_VELOCITY ? calloc(n + 1, 3 * sizeof *velocity) : NULL,
          *stress = which & WIRE_STRESS ? calloc(n + 1, 6 * sizeof *stress) : NULL;
    const bool there = (density || !(which & WIRE_DENSITY)) && (velocity || !(which & WIRE_VELOCITY)) &&
                       (stress || !(which & WIRE_STRESS));
    int rc,
        did = there ? s->table->moments(s->b, density, velocity, stress) : fail_memory("the fields", 40.0 * (double)n);
    TRY(answer(did));
    if (did == OK && density)
        TRY(wire_send(0, density, n * sizeof *density));
    if (did == OK && velocity)
        TRY(wire_send(0, velocity, 3 * n * sizeof *velocity));
    if (did == OK && stress)
        TRY(wire_send(0, stress, 6 * n * sizeof *stress));
cleanup:
    free(density);
    free(velocity);
    free(stress);
    return rc;
}

/* The slots of a checkpoint, out of this rank or into it. */
static int serve_slots(served *s, bool in) {
    const size_t bytes = (size_t)backend_value_bytes(s->settings.precision), n = 19 * (size_t)s->p.d.n_cell * bytes,
                 n_kept = (size_t)s->p.d.n_partial * bytes;
    void *slots = calloc(n + 1, 1), *kept = calloc(n_kept + bytes, 1);
    int rc, did = slots && kept ? OK : fail_memory("the checkpoint", (double)n);
    if (!in && did == OK)
        did = s->table->read(s->b, slots, kept);
    TRY(answer(did)); /* of a write: whether there is room */
    if (did == OK && in) {
        TRY(wire_recv(0, slots, n));
        TRY(wire_recv(0, kept, n_kept));
        TRY(answer(s->table->write(s->b, slots, kept)));
    } else if (did == OK) {
        TRY(wire_send(0, slots, n));
        TRY(wire_send(0, kept, n_kept));
    }
cleanup:
    free(slots);
    free(kept);
    return rc;
}

static int serve_mix(served *s) {
    double weight[BACKEND_PLACES];
    int rc;
    TRY(wire_recv(0, weight, sizeof weight));
    rc = answer(s->table->mix(s->b, weight));
cleanup:
    return rc;
}

static int serve_one(served *s, const wire_command *c) {
    const int32_t own = c->what == WIRE_GPUS ? wire_gpu() : 0;
    if (!s->table && c->what != WIRE_CREATE && c->what != WIRE_DESTROY && c->what != WIRE_GPUS && c->what != WIRE_END)
        return fail(ERR_INTERNAL, "rank 0 asks for a part that does not exist");
    switch (c->what) {
    case WIRE_CREATE:
        return serve_create(s);
    case WIRE_STEP:
        return serve_step(s, c->number);
    case WIRE_GAIN:
        s->table->set_gain(s->b, c->gain);
        return OK;
    case WIRE_SUMS:
        return serve_sums(s);
    case WIRE_MOMENTS:
        return serve_moments(s, c->number);
    case WIRE_READ:
    case WIRE_WRITE:
        return serve_slots(s, c->what == WIRE_WRITE);
    case WIRE_KEEP:
        return answer(s->table->keep(s->b, c->number));
    case WIRE_MIX:
        return serve_mix(s);
    case WIRE_GPUS:
        return wire_send(0, &own, sizeof own);
    default:
        let_go(s);
        return OK;
    }
}

int ranks_serve(void) {
    served s = {0};
    wire_command c = {.what = WIRE_DESTROY};
    int rc = OK;
    while (rc == OK && c.what != WIRE_END) {
        rc = wire_recv(0, &c, sizeof c);
        if (rc == OK)
            rc = serve_one(&s, &c);
    }
    let_go(&s);
    if (rc != OK)
        wire()->give_up(rc);
    wire()->finish();
    return c.number;
}
