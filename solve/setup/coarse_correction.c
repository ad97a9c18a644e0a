/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/setup/setup_open.h"
#include "solve/setup/setup_start.h"
#include "solve/setup/setup_step.h"
#include "solve/setup/coarse_correction.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/cli/stop.h"
#include "common/record/json.h"
#include "common/base/file.h"
#include "solve/output/checkpoint.h"
#include "solve/output/rank_files.h"
#include "solve/ranks/ranks.h"
#include "solve/run/anderson.h"
#include "solve/start/start_flow.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* SETTLED: the coarse iteration has converged when its change is below this fraction of the change in its first window.
 * LARGEST: upper limit of the correction, as a fraction of the velocity. STEPS_LEAST: smallest number of steps of the
 * coarse run for which a correction pays; a correction costs 900 to 3000 coarse steps. MUCH: ratio of spacings from
 * which on two corrections are made, because coarse steps are then cheap. */
static const double SETTLED = 0.05, LARGEST = 0.2, STEPS_LEAST = 1000, MUCH = 1.7;
enum { WINDOWS_MOST = 30, PRESENT = BACKEND_PLACES - 2, SOURCE = BACKEND_PLACES - 1 };

/* A run on the coarser lattice. */
typedef struct {
    solve_job c;
    fields settled;
    int window;              /* number of steps per window */
    prescribed_value *given; /* [window][c.vessel.openings.n] boundary values */
    double mass_correction;  /* mass correction of the coarse run */
    state_fields u, begin, end, source;
    int windows; /* number of windows computed so far */
    bool settles;
} coarse_run;

/* The run on the coarsest level of the grid sequence, which computes the correction. A correction there costs a fifth
 * of a correction on the next finer level and converges equally well. */
static grid_run *coarsest_level(const solve_inputs *in) {
    return in->sequence && in->grid->start >= 0 ? &in->sequence->run[0] : NULL;
}

int coarse_correction_times(const solve_inputs *in, const solve_march *m) {
    const grid_run *g = coarsest_level(in);
    const bool pays = !setup_on_gpu(m) && in->c.n_porous == 0 && !*in->grid->name && g && g->result &&
                      !json_find(g->result, "unsteady") && g->spacing_mm > 1.1 * in->grid->spacing_mm && !g->mean &&
                      !in->sequence->omits_finest && m->run.anderson_window_steps > 0 &&
                      cJSON_IsTrue(json_find(g->result, "converged")) &&
                      json_get_number(g->result, "steps") >= STEPS_LEAST;
    return !pays ? 0 : g->spacing_mm > MUCH * in->grid->spacing_mm ? 2 : 1;
}

/* Computes a - b in SI units, at the cells of the run's lattice. Caller frees. */
static int state_difference(const solve_vessel *v, const solve_march *m, const state_fields *a, const state_fields *b,
                            fields *f) {
    const int rc = fields_create(f, v->lattice.n_cell);
    if (rc != OK)
        return rc;
#pragma omp parallel for schedule(static)
    for (int64_t c = 0; c < v->lattice.n_cell; c++)
        f->pressure_pa[c] = NAN;
#pragma omp parallel for schedule(static)
    for (int64_t k = 0; k < v->domain.n_cell; k++) {
        const int64_t c = v->domain.stored[k];
        f->pressure_pa[c] = (float)(m->scale.pressure_scale * ((double)a->density[k] - b->density[k]));
        for (int i = 0; i < 3; i++)
            f->velocity_m_s[3 * c + i] =
                (float)(m->scale.velocity_scale * ((double)a->velocity[3 * k + i] - b->velocity[3 * k + i]));
        for (int i = 0; i < 6; i++)
            f->stress_pa[6 * c + i] =
                (float)(m->scale.stress_scale * ((double)a->stress[6 * k + i] - b->stress[6 * k + i]));
    }
    return OK;
}

/* Converts fields f (SI) to a state in lattice units. Caller frees. */
static int state_of(const solve_vessel *v, const solve_march *m, const fields *f, state_fields *out) {
    const int rc = state_fields_create(out, v->domain.n_cell);
    if (rc != OK)
        return rc;
#pragma omp parallel for schedule(static)
    for (int64_t k = 0; k < v->domain.n_cell; k++) {
        const int64_t c = v->domain.stored[k];
        out->density[k] = (float)((f->pressure_pa[c] - v->openings.reference_pa) / m->scale.pressure_scale);
        for (int i = 0; i < 3; i++)
            out->velocity[3 * k + i] = (float)(f->velocity_m_s[3 * c + i] / m->scale.velocity_scale);
        for (int i = 0; i < 6; i++)
            out->stress[6 * k + i] = (float)(f->stress_pa[6 * c + i] / m->scale.stress_scale);
    }
    return OK;
}

/* Adds `part` times `what` to `to`, for all fields. */
static void add_scaled(int64_t n_cell, state_fields *to, double part, const state_fields *what) {
#pragma omp parallel for schedule(static)
    for (int64_t k = 0; k < n_cell; k++)
        to->density[k] += (float)(part * what->density[k]);
#pragma omp parallel for schedule(static)
    for (int64_t k = 0; k < 3 * n_cell; k++)
        to->velocity[k] += (float)(part * what->velocity[k]);
#pragma omp parallel for schedule(static)
    for (int64_t k = 0; k < 6 * n_cell; k++)
        to->stress[k] += (float)(part * what->stress[k]);
}

/* Computes the L2 norm of the velocity over the cells of all ranks. */
static int velocity_norm(int64_t n_cell, const state_fields *f, double *size) {
    exact_sum sum = {0}, own = {0};
#pragma omp parallel firstprivate(own)
    {
#pragma omp for schedule(static)
        for (int64_t k = 0; k < 3 * n_cell; k++)
            exact_sum_add(&own, (double)f->velocity[k] * f->velocity[k]);
#pragma omp critical
        exact_sum_join(&sum, &own);
    }
    const int rc = ranks_sums(&sum, 1);
    *size = sqrt(exact_sum_value(&sum));
    return rc;
}

/* Interpolates fields f from the cells of one lattice to a state at the cells of another. With several ranks the fields
 * pass through a file, because the partitions differ. Caller frees. */
static int carry_to_lattice(const solve_job *from, fields *f, const solve_job *to, state_fields *out) {
    start_flow flow = {{0}};
    double apart;
    int rc = OK;
    char *path = NULL;
    if (ranks_count() == 1) {
        const start_flow whole = {.l = from->vessel.lattice, .f = *f};
        return start_flow_state(&whole, NULL, &to->vessel.lattice, &to->vessel.domain, &to->march.scale, 0, out,
                                &apart);
    }
    path = file_join(from->in.options->out, "correction.vtkhdf");
    if (!path)
        return fail_memory("a path", FILE_PATH_MAX);
    TRY(field_file_write_ranks(path, &from->vessel.lattice, f, rank_files_fields()));
    TRY(ranks_agree(start_flow_read_round(from->in.lattice_path, path, &to->vessel.lattice, &flow)));
    if (ranks_number() == 0)
        remove(path);
    TRY(start_flow_state(&flow, NULL, &to->vessel.lattice, &to->vessel.domain, &to->march.scale, 0, out, &apart));
cleanup:
    free(path);
    start_flow_free(&flow);
    return rc;
}

/* Reads the steady flow of the coarser lattice. */
static int read_settled(const solve_job *c, fields *f) {
    char name[128], *path = file_join(c->in.options->out, grid_sequence_file(c->in.grid, "fields", "vtkhdf", name));
    const int rc = path ? field_file_read(path, &c->vessel.lattice, f) : fail_memory("a path", FILE_PATH_MAX);
    free(path);
    return rc;
}

static void coarse_free(coarse_run *q) {
    fields_free(&q->settled);
    state_fields_free(&q->u);
    state_fields_free(&q->begin);
    state_fields_free(&q->end);
    state_fields_free(&q->source);
    free(q->given);
    solve_job_free(&q->c);
}

/* Opens the coarser lattice at its steady flow and time step; source: r of coarse_correction.h. */
static int coarse_open(const solve_job *j, fields *change, double time_s, coarse_run *q) {
    solve_job *c = &q->c;
    double needed, available;
    int rc;
    TRY(setup_open(c, j->in.options));
    TRY(setup_scale(c));
    TRY(setup_domain(c, &needed, &available));
    TRY(setup_change_step(c, json_get_number(c->in.grid->result, "dt_s")));
    TRY(read_settled(c, &q->settled));
    setup_shift_pressures(&c->vessel, c->in.grid, c->vessel.lattice.n_cell, &q->settled);
    q->mass_correction = json_get_number(c->in.grid->result, "wall_gain");
    q->window = 2 * (int)fmax(1, round(0.5 * time_s / c->march.scale.dt_s));
    q->given = calloc((size_t)q->window * (size_t)(c->vessel.openings.n + 1), sizeof *q->given);
    if (!q->given)
        GIVE_UP(fail_memory("the correction", 8.0 * q->window));
    TRY(state_of(&c->vessel, &c->march, &q->settled, &q->u));
    TRY(carry_to_lattice(j, change, c, &q->source));
    TRY(state_fields_create(&q->begin, c->vessel.domain.n_cell));
    TRY(state_fields_create(&q->end, c->vessel.domain.n_cell));
cleanup:
    return rc;
}

/* Sets the boundary values; pressures are shifted to the outlet cells (run_loop.c). */
static int prescribe_openings(coarse_run *q) {
    solve_job *c = &q->c;
    double flow[BACKEND_OPENINGS], density[BACKEND_OPENINGS];
    backend_monitor m = {.flow = flow, .density = density};
    int rc;
    TRY(c->march.run.table->step(c->march.run.b, 0, q->given));
    TRY(c->march.run.table->monitor(c->march.run.b, &m));
    for (int k = 0; k < c->vessel.openings.n; k++)
        if (c->vessel.domain.opening[k].kind == DOMAIN_PRESSURE)
            q->given[k].pressure -= c->vessel.openings.setback_pa_s_m3[k] * flow[k] * c->march.scale.flow_scale /
                                    c->march.scale.pressure_scale;
    for (int s = 1; s < q->window; s++)
        memcpy(q->given + (size_t)s * (size_t)c->vessel.openings.n, q->given,
               (size_t)c->vessel.openings.n * sizeof *q->given);
cleanup:
    return rc;
}

/* Stores in SOURCE the source term of the coarse lattice: populations of U + r, minus the populations of U, minus their
 * change in one window of steps. U: restricted fine state; r: restricted residual. The backend is at U afterwards. */
static int prepare_source(coarse_run *q) {
    enum { SETTLED_PLACE, CHANGED_PLACE };
    solve_job *c = &q->c;
    const backend_table *t = c->march.run.table;
    const int64_t n = c->vessel.domain.n_cell;
    const double less[BACKEND_PLACES] = {[SETTLED_PLACE] = 1, [CHANGED_PLACE] = -1, [SOURCE] = 1};
    const double settled[BACKEND_PLACES] = {[SETTLED_PLACE] = 1};
    void *slots = NULL, *kept = NULL, *more = NULL, *more_kept = NULL;
    int rc;
    TRY(checkpoint_buffers(&c->vessel.domain, backend_slots(&c->march.settings), c->march.settings.precision, &slots,
                           &kept));
    TRY(ranks_agree(checkpoint_buffers(&c->vessel.domain, backend_slots(&c->march.settings),
                                       c->march.settings.precision, &more, &more_kept)));
    boundary_values_at(&c->vessel.openings, &c->march.scale, 0, 0, q->given);
    add_scaled(n, &q->source, 1, &q->u);
    TRY(state_slots(&c->vessel.domain, &c->march.settings, &q->u, q->given, q->mass_correction, slots, kept));
    TRY(state_slots(&c->vessel.domain, &c->march.settings, &q->source, q->given, q->mass_correction, more, more_kept));
    for (int64_t k = 0; k < backend_slots(&c->march.settings) * n; k++)
        if (c->march.settings.precision == BACKEND_DOUBLE)
            ((double *)more)[k] -= ((const double *)slots)[k];
        else
            ((float *)more)[k] -= ((const float *)slots)[k];
    TRY(t->write(c->march.run.b, more, more_kept));
    TRY(t->keep(c->march.run.b, SOURCE));
    TRY(t->write(c->march.run.b, slots, kept));
    t->set_mass_correction(c->march.run.b, q->mass_correction);
    TRY(prescribe_openings(q));
    TRY(t->keep(c->march.run.b, SETTLED_PLACE));
    TRY(t->step(c->march.run.b, q->window, q->given));
    TRY(t->keep(c->march.run.b, CHANGED_PLACE));
    TRY(t->combine(c->march.run.b, less));
    TRY(t->keep(c->march.run.b, SOURCE));
    TRY(t->combine(c->march.run.b, settled));
    TRY(t->moments(c->march.run.b, q->begin.density, q->begin.velocity, q->begin.stress));
cleanup:
    free(slots);
    free(kept);
    free(more);
    free(more_kept);
    return rc;
}

/* Iterates from U to V; sets q->settles if it converged. */
static int iterate_coarse(coarse_run *q, anderson *m) {
    int rc;
    TRY(q->c.march.run.table->sample(q->c.march.run.b, m->n_own, m->own, m->value));
    TRY(anderson_observe(m));
cleanup:
    return rc;
}

static int settle_coarse(coarse_run *q) {
    solve_job *c = &q->c;
    const backend_table *t = c->march.run.table;
    const double pushed[BACKEND_PLACES] = {[PRESENT] = 1, [SOURCE] = 1};
    double first = INFINITY, weight[BACKEND_PLACES];
    anderson m = {0};
    int rc;
    TRY(anderson_create(&m, &c->vessel.domain));
    m.places = PRESENT;
    TRY(iterate_coarse(q, &m));
    anderson_restart(&m);
    while (q->windows < WINDOWS_MOST) {
        int32_t stop = stop_requested_signal();
        TRY(ranks_share(&stop, sizeof stop)); /* all ranks use the stop flag of rank 0 */
        if (stop)
            break;
        TRY(t->keep(c->march.run.b, PRESENT));
        TRY(t->combine(c->march.run.b, pushed));
        TRY(t->step(c->march.run.b, q->window, q->given));
        TRY(t->keep(c->march.run.b, anderson_next_place(&m)));
        TRY(iterate_coarse(q, &m));
        const double change = anderson_add(&m, q->mass_correction);
        first = q->windows++ == 0 ? change : first;
        q->settles = change <= SETTLED * first;
        if (q->settles || !(change < 10 * first))
            break;
        anderson_combine(&m, weight);
        if (m.count > 1)
            TRY(t->combine(c->march.run.b, weight));
    }
    TRY(t->moments(c->march.run.b, q->end.density, q->end.velocity, q->end.stress));
cleanup:
    anderson_free(&m);
    return rc;
}

/* Estimates the remaining transient of the fine flow at the cells of the fine lattice. *known: true if the coarse
 * iteration converged. */
static int remaining_transient(solve_job *j, fields *change, double time_s, state_fields *way, bool *known) {
    coarse_run q = {
        .c = {.in = {.sequence = j->in.sequence, .grid = coarsest_level(&j->in), .record = "mesh", .beside = true},
              .out.lock = -1}};
    fields back = {0};
    int rc;
    message_suppress(true);
    rc = coarse_open(j, change, time_s, &q);
    message_suppress(*j->in.grid->name);
    TRY(rc);
    TRY(prepare_source(&q));
    TRY(settle_coarse(&q));
    j->out.corrected_cell_steps += (double)(q.windows + 1) * q.window * (double)domain_cells(&q.c.vessel.domain);
    message_debug(
        "coarse correction (a remaining difference to the steady flow): %d windows of %d steps on %lld cells%s",
        q.windows, q.window, (long long)domain_cells(&q.c.vessel.domain), q.settles ? "" : ", not converged");
    *known = q.settles;
    if (!*known)
        goto cleanup;
    TRY(state_difference(&q.c.vessel, &q.c.march, &q.end, &q.begin, &back));
    TRY(carry_to_lattice(&q.c, &back, j, way));
cleanup:
    fields_free(&back);
    coarse_free(&q);
    return rc;
}

int coarse_correction_apply(solve_job *j, const state_fields *before, double time_s, state_fields *now) {
    fields change = {0};
    state_fields way = {0};
    double part = 0, size;
    bool known = false;
    int rc;
    TRY(state_difference(&j->vessel, &j->march, now, before, &change));
    j->march.run.table->destroy(j->march.run.b); /* destroyed, because the new backend needs the memory */
    j->march.run.b = NULL;
    /* on failure the run continues without a correction */
    if (ranks_settle(remaining_transient(j, &change, time_s, &way, &known)) != OK) {
        status_clear();
        known = false;
    }
    if (known) {
        TRY(velocity_norm(j->vessel.domain.n_cell, &way, &part));
        TRY(velocity_norm(j->vessel.domain.n_cell, now, &size));
        part /= size;
    }
    if (known && part < LARGEST)
        add_scaled(j->vessel.domain.n_cell, now, 1, &way);
    if (known)
        message_debug("the coarse correction changes the velocity by %.2g %%", 100 * part);
    TRY(j->march.run.table->create(&j->vessel.domain, &j->march.settings, &j->march.run.b));
    TRY(setup_write_state(&j->vessel, &j->march, now, 0, 0, j->out.result.progress.mass_correction));
cleanup:
    fields_free(&change);
    state_fields_free(&way);
    return rc;
}
