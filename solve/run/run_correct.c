/* See run_loop.h: early in a run that begins with a flow, what is left of its way is taken from elsewhere. */
#include "common/base/status.h"
#include "solve/run/run_loop.h"

/* Before a window and of it: what the interpolation left is gone by then, and the walls' gain is measured. */
enum { PLAIN_STEPS = 100, WINDOW_STEPS = 200 };

void run_correct_create(run_loop *l) {
    l->correct.wanted = l->near && l->r->hooks.correct ? l->r->corrections : 0;
}

bool run_correct_on(const run_loop *l) {
    return l->correct.wanted > 0;
}

/* The state, put into another backend by the hook, begins a new account of the walls. */
static int take(run_loop *l) {
    const run_settings *r = l->r;
    run_progress *p = l->p;
    state_fields now = {0};
    int rc;
    TRY(state_fields_create(&now, r->d->n_cell));
    TRY(r->table->moments(r->b, now.density, now.velocity, now.stress));
    TRY(r->hooks.correct(r->hooks.data, &l->correct.before, p->time_s - l->correct.before_s, &now));
    p->gain_before = p->gain;
    p->entered = 0;
    p->gain_step = p->step;
    p->leave_step = -1;
    TRY(run_mass(r->d, &now, &p->kept));
    r->table->set_gain(r->b, p->gain);
    p->monitors = 0; /* the next one compares with nothing */
    p->mixed_step = p->step;
    l->at_once = false; /* of the new backend */
    l->written_step = p->step;
    l->correct.wanted--;
    state_fields_free(&l->correct.before);
    run_mix_restart(l);
    if (l->mix.window > 0)
        l->mix.window = r->monitor_every; /* the slowest sound, which longer ones are for, is gone */
cleanup:
    state_fields_free(&now);
    return rc;
}

int run_correct_add(run_loop *l) {
    const run_settings *r = l->r;
    state_fields *before = &l->correct.before;
    int rc = OK;
    if (before->density && l->p->step - l->correct.begin >= WINDOW_STEPS)
        return take(l);
    if (before->density || l->p->step - l->written_step < PLAIN_STEPS)
        return OK;
    TRY(state_fields_create(before, r->d->n_cell));
    TRY(r->table->moments(r->b, before->density, before->velocity, before->stress));
    l->correct.begin = l->p->step;
    l->correct.before_s = l->p->time_s;
cleanup:
    return rc;
}

void run_correct_free(run_loop *l) {
    state_fields_free(&l->correct.before);
}
