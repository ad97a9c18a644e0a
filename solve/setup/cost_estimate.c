/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/setup/cost_estimate.h"
#include "solve/setup/setup_step.h"
#include "common/record/json.h"
#include "common/base/clock.h"
#include "common/base/message.h"
#include "common/base/progress.h"
#include "common/base/status.h"
#include "solve/ranks/ranks.h"
#include "solve/start/finest_level.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Expected number of steps of a steady run, in periods of the slowest sound. PERIODS_LADDER: with a grid sequence;
 * PERIODS_REST: on a single lattice, from rest. */
static const double PERIODS_LADDER = 2.2, PERIODS_REST = 6;
static const double MEASURED_S = 0.2; /* Smallest duration of a speed measurement, s */
static const double LONG_S = 600;     /* Duration of a run above which the user is told how to shorten it, s */
enum { BATCH = 10, BATCHES = 100 };

double cost_estimate_steps(const case_file *c, const grid_sequence *a, double sound, int steps_per_period) {
    const double steady = (a->n > 1 ? PERIODS_LADDER : PERIODS_REST) * sound;
    if (steps_per_period > 0)
        return (double)c->solve.cycles * steps_per_period;
    if (c->solve.heat.on)
        return NAN;
    return c->solve.max_steps > 0 ? fmin(steady, (double)c->solve.max_steps) : steady;
}

/* Measures cell updates per second on a flow at rest. The first batch is not timed, because it warms up the device. A
 * monitor ends each batch, because it waits for the GPU. */
static int measure_speed(const solve_vessel *v, const solve_march *m, double *updates_s) {
    double flow[BACKEND_OPENINGS], density[BACKEND_OPENINGS];
    prescribed_value *rest = calloc((size_t)(domain_given(&v->domain) + 1) * BATCH, sizeof *rest);
    backend_monitor unused = {.flow = flow, .density = density};
    double start_s = 0, now_s = 0;
    int rc = rest ? OK : fail_memory("the speed", 4096), done = 0;
    for (int k = 0; k < BATCHES && rc == OK && (k < 2 || now_s - start_s < MEASURED_S); k++) {
        rc = m->run.table->step(m->run.b, BATCH, rest);
        if (rc == OK)
            rc = m->run.table->monitor(m->run.b, &unused);
        now_s = clock_s();
        if (k == 0)
            start_s = now_s;
        else
            done += BATCH;
    }
    *updates_s = (double)done * (double)v->lattice.n_cell / (now_s - start_s);
    free(rest);
    return rc;
}

static int count_lattices(const grid_sequence *a) {
    int n = 1;
    for (int k = 1; k < a->n; k++)
        n += a->run[k].spacing_mm < 0.999 * a->run[k - 1].spacing_mm;
    return n - a->omits_finest;
}

/* Predicts whether the finest lattice, of spacing_mm, will be omitted. */
static void expect_finest(const solve_job *j, double spacing_mm, grid_sequence *a) {
    const scale *s = &j->march.scale;
    const double finer = 1e3 * s->dx_m / spacing_mm;
    const finest_level_vessel v = {.cell_reynolds = s->cell_reynolds / finer,
                                   .cells_per_diameter = 1e3 * j->march.request.diameter_m / spacing_mm,
                                   .spacing_mm = spacing_mm,
                                   .diameter_mm = 1e3 * j->march.request.diameter_m,
                                   .wall_uncertainty_mm = j->in.wall_uncertainty_mm};
    finest_level_expect(&j->in.c, &v, a);
}

/* Number of cells of the finest lattice that will probably be solved. */
static double cells_to_solve(const grid_sequence *a, double cells) {
    double spacing_mm = INFINITY;
    for (int k = 0; k + 1 < a->n; k++)
        spacing_mm = fmin(spacing_mm, a->run[k].spacing_mm);
    return a->omits_finest ? cells * pow(a->run[a->n - 1].spacing_mm / spacing_mm, 3) : cells;
}

static void write_cells(char text[32], double cells) {
    snprintf(text, 32, cells < 1e5 ? "%.0f" : "%.2g million", cells < 1e5 ? cells : 1e-6 * cells);
}

/* Rounds a time up, to about two digits. */
static double round_to_two_digits(double seconds) {
    const double step = seconds > 3600 ? 600 : seconds > 600 ? 60 : seconds > 60 ? 10 : 1;
    return step * ceil(seconds / step);
}

void cost_estimate_shorten(const case_file *c, const potential_flow_result *reach, double seconds,
                           char text[COST_SHORTEN]) {
    const potential_flow_section *at = &reach->fastest;
    char place[CASE_WHERE];
    text[0] = 0;
    if (!(seconds > LONG_S))
        return;
    const bool given = isfinite(c->mesh.spacing_mm) || isfinite(c->mesh.cells_per_diameter);
    if (!c->mesh.fast && !c->mesh.has_shape)
        snprintf(text, COST_SHORTEN, "; for a quicker first look: pipeline run --fast");
    else if (c->solve.mode == MODE_PULSATILE)
        snprintf(text, COST_SHORTEN,
                 "; steady flow with the means of the waveforms takes minutes: leave out --set solve.mode");
    else if (given)
        snprintf(text, COST_SHORTEN, "; a larger mesh.spacing or fewer mesh.cells_per_diameter shorten the run");
    else if (reach->known && at->velocity_m_s > 0 && at->opening < 0)
        snprintf(text, COST_SHORTEN,
                 "; the velocity of %.2g m/s at %s, %.2g mm wide, sets spacing and time: check flow and width there; "
                 "openings that leave this place out shorten the run",
                 at->velocity_m_s, case_write_point(c, at->place_mm, place), at->diameter_mm);
    else
        snprintf(text, COST_SHORTEN, "; openings closer together shorten the run");
}

static void report_cost(const solve_job *j, const grid_sequence *a, double cells, double seconds, cJSON *plan) {
    const solve_march *m = &j->march;
    char runs[64] = "", time[32], many[32], all[32], omitted[120] = "", shorten[COST_SHORTEN], text[440 + COST_SHORTEN];
    const int n = count_lattices(a);
    if (a->n > 1)
        snprintf(runs, sizeof runs, ", %d lattice%s, %d runs", n, n == 1 ? "" : "s", a->n);
    write_cells(many, cells_to_solve(a, cells));
    write_cells(all, cells);
    if (a->omits_finest)
        snprintf(omitted, sizeof omitted, "; the finest lattice (%s cells) is probably not needed (solve.accuracy)",
                 all);
    progress_format_time(time, sizeof time, round_to_two_digits(seconds));
    cost_estimate_shorten(&j->in.c, &j->vessel.reach, seconds, shorten);
    if (isfinite(seconds))
        snprintf(text, sizeof text, "%s cells%s: about %s on this machine (%s); %s%s%s", many, runs, time,
                 m->run.table->name,
                 m->scale.steps_per_period > 0 ? "up to three times as long until the cycles repeat"
                                               : "half to three times as long, depending on how fast the flow "
                                                 "settles; longer if it stays unsteady",
                 omitted, shorten);
    else
        snprintf(text, sizeof text, "%s cells%s on this machine (%s); the time until heat settles cannot be estimated",
                 many, runs, m->run.table->name);
    message_info("to compute: %s", text);
    if (plan) {
        json_add_number(plan, "cells", cells_to_solve(a, cells));
        cJSON_AddStringToObject(plan, "to_compute", text);
    }
}

int cost_estimate_report(solve_job *j, grid_sequence *a, double spacing_mm, double known_cells, cJSON *plan) {
    const double finer = j->vessel.lattice.spacing_mm / spacing_mm;
    const double cells = known_cells > 0 ? known_cells : (double)j->vessel.lattice.n_cell * finer * finer * finer;
    const double steps = cost_estimate_steps(&j->in.c, a, finer * setup_sound_steps(&j->vessel.lattice),
                                             j->march.scale.steps_per_period);
    double updates_s = 0, work = 0;
    int rc = OK;
    expect_finest(j, spacing_mm, a);
    if (ranks_count() > 1 || !(finer > 0))
        return OK;
    if (isnan(steps)) {
        report_cost(j, a, cells, NAN, plan);
        return OK;
    }
    TRY(measure_speed(&j->vessel, &j->march, &updates_s));
    for (int k = 0; k < a->n; k++)
        work += grid_sequence_work(a, k);
    report_cost(j, a, cells, work * cells * steps / updates_s, plan);
    j->march.run.table->destroy(j->march.run.b);
    j->march.run.b = NULL;
    TRY(j->march.run.table->create(&j->vessel.domain, &j->march.settings, &j->march.run.b));
cleanup:
    return rc;
}
