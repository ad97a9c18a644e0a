/* See solve.h: reads, chooses time step and backend, runs (run.h) with hooks that write, and judges the end. */
#include "solve/solve.h"
#include "solve/checkpoint.h"
#include "common/lattice/field_file.h"
#include "common/base/file.h"
#include "common/lattice/lattice_file.h"
#include "common/base/message.h"
#include "common/case/case_chain.h"
#include "common/record/provenance.h"
#include "common/base/status.h"
#include "common/base/stop.h"
#include "common/lattice/potential_flow.h"
#include "solve/output.h"
#include "solve/say.h"
#include "solve/store.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* How fast a pressure outlet of a steady flow follows, times the steps that sound takes along the box: sound leaves
 * there, and does not go to and fro between the openings, which keeps jets from settling (README.md). */
static const double OUTLET_RATE = 8, OUTLET_KEEP = 0.5; /* the latter on coarse lattices (kernels/link.h) */
/* Of the stress that the collision keeps, in units of the lattice velocity that is expected: a safety net that keeps a
 * steady run on a far too coarse lattice bounded (above this cell Reynolds number, or once it diverged), at the price of
 * friction: a portal vein at 42 lost 11 % more pressure with it. */
static const double STRESS_LIMIT = 0.12, STRESS_REYNOLDS = 100;

/* Everything of one run, freed in one place. */
typedef struct {
    const solve_options *o;
    case_file c;
    lattice l;
    driving g;
    potential_flow_result reach; /* where the flow will be fastest */
    scale_request request;
    scale s;
    domain d;
    backend_settings settings;
    run_settings r;
    run_result result;
    double radius_cells;
    char digest[17], lattice_sum[17], key[64];
    char *lattice_path, *checkpoint_path, *monitors_path, *json_path;
    FILE *monitors;
    bool has_diverged;    /* once, so that stresses are limited */
    bool supply_told;     /* that outlets take more than inlets bring */
    int lock;             /* on the folder of the results */
    double *store_time_s; /* [stores] */
    cJSON *json;
    char stored_sum[KEPT_SUM]; /* of the instants stored so far */
    store behind;              /* the last instant, being written */
} job;

static void job_free(job *j) {
    status_ignore(store_wait(&j->behind)); /* solve() waited for it, or failed before */
    if (j->r.b)
        j->r.table->destroy(j->r.b);
    if (j->monitors)
        fclose(j->monitors);
    file_unlock(j->lock);
    cJSON_Delete(j->json);
    run_result_free(&j->result);
    domain_free(&j->d);
    driving_free(&j->g);
    lattice_free(&j->l);
    case_free(&j->c);
    free(j->lattice_path);
    free(j->checkpoint_path);
    free(j->monitors_path);
    free(j->json_path);
    free(j->store_time_s);
}

static int job_open(job *j, const solve_options *o) {
    int rc;
    cJSON *mesh = NULL;
    j->o = o;
    TRY(case_read_set(o->case_path, &o->set, CASE_WAVEFORMS, &j->c));
    case_warn_plausible(&j->c);
    case_digest(&j->c, "solve", j->digest);
    j->lattice_path = file_join(o->in, "lattice.h5");
    j->checkpoint_path = file_join(o->out, "checkpoint.h5");
    j->monitors_path = file_join(o->out, "monitors.csv");
    j->json_path = file_join(o->out, "solve.json");
    j->store_time_s = calloc((size_t)j->c.solve.stores + 1, sizeof *j->store_time_s);
    j->json = provenance_start("solve", o->argc, o->argv, j->digest);
    if (!j->lattice_path || !j->checkpoint_path || !j->monitors_path || !j->json_path || !j->store_time_s || !j->json)
        GIVE_UP(fail_memory("the file names", 1000));
    TRY(case_chain_parts(&j->c, "solve", j->json));
    if (!file_exists(j->lattice_path))
        GIVE_UP(fail(ERR_INPUT, "'%s' is missing; run mesh first", j->lattice_path));
    TRY(case_chain_open(&j->c, "mesh", o->in, &mesh));
    TRY(case_chain_take(&j->c, mesh, o->in, "lattice.h5", j->json));
    snprintf(j->lattice_sum, sizeof j->lattice_sum, "%s", provenance_recorded(mesh, "outputs", "lattice.h5", 1));
    TRY(lattice_file_read(j->lattice_path, &j->l));
    TRY(file_make_folder(o->out));
    TRY(file_lock(o->out, &j->lock));
cleanup:
    cJSON_Delete(mesh);
    return rc;
}

/* Diagonal of the box. */
static double length_cells(const lattice *l) {
    double square = 0;
    for (int a = 0; a < 3; a++)
        square += (double)l->dims[a] * l->dims[a];
    return sqrt(square);
}

static double widest_cells(const lattice *l) {
    float deepest = 0;
    for (int64_t c = 0; c < l->n_cell; c++)
        deepest = fminf(deepest, l->distance_mm[c]);
    return fmax(-deepest / l->spacing_mm, 1.0);
}

/* Diameter and mean velocity for the Reynolds number: of the fastest section, else of the narrowest opening. */
static void job_section(job *j, double radius_m) {
    const lattice *l = &j->l;
    scale_request *q = &j->request;
    int narrowest = -1;
    for (int k = 0; k < l->n_opening; k++)
        if (l->opening[k].role != LATTICE_MOVING_WALL &&
            (narrowest < 0 || l->opening[k].radius_mm < l->opening[narrowest].radius_mm))
            narrowest = k;
    q->diameter_m = narrowest >= 0 ? 2e-3 * l->opening[narrowest].radius_mm : 2 * radius_m;
    q->diameter_velocity_m_s = narrowest >= 0 && j->g.condition[narrowest].kind == DOMAIN_FLOW
                                   ? fabs(j->g.largest_m3_s[narrowest]) / (1e-6 * l->opening[narrowest].area_mm2)
                                   : 0.5 * q->velocity_m_s;
    const potential_flow_section *fastest = &j->reach.fastest;
    if (!j->reach.known || !(fastest->velocity_m_s > 0))
        return;
    q->velocity_m_s = fmax(q->velocity_m_s, 2 * fastest->velocity_m_s);
    q->diameter_m = 1e-3 * fastest->diameter_mm;
    q->diameter_velocity_m_s = fastest->velocity_m_s;
}

static int job_scale(job *j) {
    const case_file *c = &j->c;
    const lattice *l = &j->l;
    int rc;
    j->radius_cells = widest_cells(l);
    const double radius_m = 1e-3 * j->radius_cells * l->spacing_mm;
    TRY(driving_create(c, l, radius_m, &j->g));
    if (c->solve.mode == MODE_PULSATILE && !(j->g.period_s > 0))
        GIVE_UP(fail(ERR_INPUT, "mode pulsatile needs a waveform at one opening, or solve.period"));
    const potential_flow_input flow = {
        .tolerance = 1e-3, .nu_m2_s = c->blood.viscosity_pa_s / c->blood.density_kg_m3, .flow_m3_s = j->g.largest_m3_s};
    TRY(potential_flow(l, &flow, &j->reach));
    j->request = (scale_request){.dx_m = 1e-3 * l->spacing_mm,
                                 .density_kg_m3 = c->blood.density_kg_m3,
                                 .viscosity_pa_s = c->blood.viscosity_pa_s,
                                 .velocity_m_s = j->g.fastest_m_s,
                                 .period_s = j->g.period_s,
                                 .beat_s = j->g.beat_s,
                                 .velocity_limit = c->solve.max_lattice_velocity,
                                 .tau = c->solve.tau,
                                 .dt_s = c->solve.dt_s,
                                 .bgk = c->solve.collision == COLLISION_BGK};
    if (!(j->request.velocity_m_s > 0))
        GIVE_UP(fail(ERR_INPUT, "nothing drives the flow: every flow, velocity, pressure difference and force in the "
                                "case is 0; give one opening a flow"));
    job_section(j, radius_m);
    j->request.length_m = j->request.dx_m * length_cells(l);
    TRY(scale_choose(&j->request, &j->s));
cleanup:
    return rc;
}

/* What a checkpoint must agree in to be continued: the lattice, the physics, what the openings do, the program. Not the
 * limits. */
static void job_key(job *j) {
    enum { SAMPLES = 32 };
    double state[16 + 256] = {0}, value[256];
    char program[17] = "";
    const int steps = j->s.steps_per_period;
    int n = 0;
    state[n++] = j->s.dt_s;
    state[n++] = j->s.omega_plus;
    state[n++] = j->s.omega_minus;
    state[n++] = j->g.reference_pa;
    state[n++] = j->c.solve.wall;
    state[n++] = j->c.solve.opening;
    state[n++] = j->settings.precision;
    for (int a = 0; a < 3; a++)
        state[n++] = j->settings.force[a];
    XXH64_hash_t hash = XXH3_64bits(state, sizeof state);
    for (int k = 0; k < SAMPLES; k++) {
        driving_values(&j->g, &j->s, j->r.ramp_s, j->r.ramp_s + (double)((long)steps * k / SAMPLES) * j->s.dt_s, value);
        hash = XXH3_64bits_withSeed(value, (size_t)j->g.n * sizeof *value, hash);
    }
    if (provenance_checksum("/proc/self/exe", program) != OK)
        status_clear();
    snprintf(j->key, sizeof j->key, "%016llx %s %s", (unsigned long long)hash, j->lattice_sum, program);
}

int solve_devices(int device, FILE *to) {
    const backend_table *table = NULL;
    const int rc = device_choose(device, &table);
    if (rc != OK)
        return rc;
    fprintf(to, "cpu\n");
#ifdef PORTAFLOW_CUDA
    if (backend_cuda_count() > 0)
        fprintf(to, "cuda (%d)\n", backend_cuda_count());
#endif
    return OK;
}

/* Threads that have enough to do between two barriers. */
static int threads_worth(int threads, int64_t cells) {
    const int64_t worth = cells / 16384 + 1;
    return worth < threads ? (int)worth : threads;
}

/* The settings of the backend that follow from the step. */
static void job_rates(job *j) {
    const bool coarse = j->s.steps_per_period == 0 && j->s.regularized && !(j->s.fourth > 0);
    const double outlet = OUTLET_RATE / (sqrt(3.0) * length_cells(&j->l));
    j->settings = (backend_settings){
        .omega_plus = j->s.omega_plus,
        .omega_minus = j->s.omega_minus,
        .precision = j->c.solve.precision,
        .regularized = j->s.regularized,
        .fourth = j->s.fourth,
        .outlet_keep = coarse ? OUTLET_KEEP : 1,
        .stress_limit = j->has_diverged || (j->s.cell_reynolds > STRESS_REYNOLDS && j->s.steps_per_period == 0)
                            ? STRESS_LIMIT * j->s.velocity
                            : 0,
        .pressure_rate = j->s.steps_per_period > 0 ? 1 : fmin(1, outlet),
        .threads = threads_worth(j->o->threads, j->l.n_cell)};
    for (int a = 0; a < 3; a++) {
        j->settings.force[a] = j->c.solve.force_m_s2[a] * j->s.dt_s * j->s.dt_s / j->s.dx_m;
        j->settings.forced |= j->settings.force[a] != 0;
    }
}

static int job_backend(job *j) {
    double needed = 0, available = 0;
    int rc;
    job_rates(j);
    TRY(domain_create(&j->l, j->c.solve.wall == WALL_VLBM ? DOMAIN_WALL_VLBM : DOMAIN_WALL_INTERPOLATED, j->g.condition,
                      &j->d));
    say_choice(&j->c, &j->l, &j->s, &j->d, &j->reach, 2.0 * j->radius_cells);
    j->supply_told = say_supply(&j->c, &j->g);
    TRY(device_choose(j->o->device, &j->r.table));
    j->r.table->memory(&j->d, &j->settings, &needed, &available);
    TRY(j->r.table->create(&j->d, &j->settings, &j->r.b));
    message_info("device: %s; %.0f MB, %.0f bytes per cell", j->r.table->device(j->r.b), needed / 1e6,
                 needed / (double)j->d.n_cell);
cleanup:
    return rc;
}

static int hook_monitor(void *data, const run_monitor *m) {
    job *j = data;
    if (stop_asked())
        j->r.checkpoint_s = 1e-9; /* the loop keeps a checkpoint behind this monitor, which ends the run */
    return output_monitors_row(j->monitors, &j->r, m);
}

static int hook_checkpoint(void *data, const run_progress *p) {
    job *j = data;
    char mark[KEPT_MARK];
    int rc;
    TRY(store_wait(&j->behind));
    TRY(kept_mark(j->o->out, j->stored_sum, mark));
    TRY(checkpoint_write(j->checkpoint_path, j->key, mark, &j->r, j->settings.precision, p));
    if (stop_asked())
        rc = fail(ERR_RESOURCE, "stopped at step %ld, kept in '%s'; the same command with --resume continues", p->step,
                  j->checkpoint_path);
cleanup:
    return rc;
}

static int hook_store(void *data, int index, double time_s) {
    job *j = data;
    char name[32];
    fields f = {0};
    int rc;
    output_store_name(index, name);
    char *path = file_join(j->o->out, name);
    if (!path)
        return fail_memory("a path", 1);
    rc = output_fields(&j->r, &j->l, time_s, NULL, &f);
    if (rc == OK)
        return store_start(&j->behind, path, &j->l, &f, j->stored_sum);
    free(path);
    return rc;
}

static int hook_diverged(void *data, const run_trouble *t) {
    const job *j = data;
    return say_diverged(&j->c, &j->l, &j->d, j->result.progress.time_s, t);
}

/* Whether the step is the program's, so that it may change it. */
static bool chooses_step(const job *j) {
    for (int k = 0; k < j->g.n; k++)
        if (j->g.condition[k].kind == DOMAIN_MOVING_WALL)
            return false;
    return j->s.steps_per_period == 0 && isnan(j->c.solve.tau) && isnan(j->c.solve.dt_s) &&
           isnan(j->c.solve.max_lattice_velocity);
}

/* Scale and backend for a step `factor` times as long; the new backend is at rest. */
static int job_retime(job *j, double factor) {
    scale_request q = j->request;
    int rc;
    q.dt_s = factor * j->s.dt_s;
    TRY(scale_choose(&q, &j->s));
    j->r.table->destroy(j->r.b);
    j->r.b = NULL;
    job_rates(j);
    TRY(j->r.table->create(&j->d, &j->settings, &j->r.b));
cleanup:
    return rc;
}

static int hook_retime(void *data, double factor, bool diverged, state_fields *f) {
    job *j = data;
    double value[256] = {0};
    void *slots = NULL, *kept = NULL;
    int rc;
    j->has_diverged |= diverged;
    TRY(checkpoint_buffers(&j->d, j->c.solve.precision, &slots, &kept));
    TRY(job_retime(j, factor));
    state_fields_retime(f, j->d.n_cell, factor);
    driving_values(&j->g, &j->s, j->r.ramp_s, j->result.progress.time_s, value);
    state_slots(&j->d, &j->settings, f, value, 0, slots, kept);
    TRY(j->r.table->write(j->r.b, slots, kept));
cleanup:
    free(slots);
    free(kept);
    return rc;
}

/* A checkpoint of another step: the backend for it takes over what was read. */
static int job_resume_pace(job *j, double pace) {
    void *slots = NULL, *kept = NULL;
    int rc;
    TRY(checkpoint_buffers(&j->d, j->c.solve.precision, &slots, &kept));
    TRY(j->r.table->read(j->r.b, slots, kept));
    TRY(job_retime(j, pace));
    TRY(j->r.table->write(j->r.b, slots, kept));
cleanup:
    free(slots);
    free(kept);
    return rc;
}

static void hook_unsteady(void *data, const run_progress *p) {
    const job *j = data;
    say_unsteady(&j->s, p);
}

static void hook_restless(void *data, const run_progress *p) {
    const job *j = data;
    say_restless(&j->s, p);
}

/* Steps of a period of the slowest sound in the box: four times its diagonal at the lattice's speed of
 * sound 1/sqrt 3. */
static int sound_steps(const lattice *l) {
    return (int)(4 * sqrt(3.0) * length_cells(l));
}

static void job_settings(job *j) {
    run_settings *r = &j->r;
    const case_file *c = &j->c;
    r->d = &j->d;
    r->g = &j->g;
    r->s = &j->s;
    r->tolerance = c->solve.tolerance;
    r->max_steps = c->solve.max_steps > 0 ? c->solve.max_steps : 200000;
    r->endless = c->solve.max_steps == 0;
    r->length_cells = length_cells(&j->l);
    r->radius_cells = j->radius_cells;
    r->monitor_every = c->solve.monitor_every > 0  ? (c->solve.monitor_every + 1) / 2 * 2
                       : j->s.steps_per_period > 0 ? 2 * (j->s.steps_per_period / 200 + 1)
                                                   : run_monitor_every(j->radius_cells, j->s.viscosity);
    const int often = 2 * (j->s.steps_per_period / 100 + 1); /* the means over the cycle are made from the monitors */
    if (j->s.steps_per_period > 0 && r->monitor_every > often)
        r->monitor_every = often;
    r->cycles = c->solve.cycles;
    r->stores = c->solve.stores;
    r->checkpoint_s = c->solve.checkpoint_s;
    r->hooks =
        (run_hooks){j, hook_monitor, hook_checkpoint, hook_store, hook_diverged, hook_restless, NULL, hook_unsteady};
    if (chooses_step(j))
        r->hooks.retime = hook_retime;
    r->gain_every = sound_steps(&j->l);
    /* Flows rise slowly from rest: a quick start would ring for long, blood damps sound little. */
    r->ramp_s = (j->s.steps_per_period > 0 ? j->s.steps_per_period / 4 : 2 * r->gain_every) * j->s.dt_s;
    job_key(j);
    for (int k = 0; k < r->stores && j->s.steps_per_period > 0; k++)
        j->store_time_s[k] = 2 * lround(0.5 * (double)k * j->s.steps_per_period / r->stores) * j->s.dt_s;
}

static int job_write(job *j) {
    int rc;
    fields f = {0};
    char *path = file_join(j->o->out, "fields.vtkhdf");
    if (!path)
        return fail_memory("a path", 1);
    TRY(store_wait(&j->behind));
    if (j->s.steps_per_period > 0) {
        TRY(output_mean(j->o->out, &j->l, j->r.stores));
        TRY(output_cycle_mean(j->monitors_path, &j->r, &j->result));
        if (!j->supply_told)
            say_backflow(&j->g, &j->result, j->s.flow_scale);
    } else {
        TRY(output_fields(&j->r, &j->l, 0, j->result.unsteady ? &j->result.statistics.mean : NULL, &f));
        TRY(field_file_write(path, &j->l, &f));
    }
    cJSON *result = output_result(&j->c, &j->l, &j->r, &j->result, j->store_time_s);
    cJSON_AddItemToObject(j->json, "result", result);
    for (int k = 0; k < (j->s.steps_per_period > 0 ? j->r.stores : 0); k++) {
        char name[32];
        output_store_name(k, name);
        char *stored = file_join(j->o->out, name);
        rc = stored ? provenance_output(j->json, j->c.folder, stored) : fail_memory("a path", 1);
        free(stored);
        if (rc != OK)
            goto cleanup;
    }
    TRY(provenance_output(j->json, j->c.folder, path));
    TRY(provenance_output(j->json, j->c.folder, j->monitors_path));
    TRY(provenance_write(j->json, j->json_path));
cleanup:
    fields_free(&f);
    free(path);
    return rc;
}

static int judge(const job *j) {
    const run_result *r = &j->result;
    if (r->converged || r->unsteady || j->c.solve.accept_unconverged)
        return OK;
    if (j->s.steps_per_period > 0)
        return fail(
            ERR_NUMERIC,
            "not periodic after %d cycles: velocity still changes by %.2g %% from cycle to cycle (limit 1 %%)%s, "
            "or set solve.accept_unconverged",
            r->progress.cycle, 100 * r->progress.cycle_change,
            r->progress.restless ? " and this does not fall; make the spacing finer" : "; raise solve.cycles");
    return fail(
        ERR_NUMERIC,
        "not converged after %ld steps: change %.2e (tolerance %.1e), flow balance %.3g %% (limit 0.1 %%); raise "
        "solve.max_steps or solve.tolerance, or set solve.accept_unconverged",
        r->progress.step, r->last.change, j->r.tolerance, 100 * r->last.balance);
}

int solve(const solve_options *o) {
    int rc;
    job j = {.lock = -1};
    run_progress from = {0};
    bool resumed = false;
    TRY(job_open(&j, o));
    TRY(job_scale(&j));
    TRY(job_backend(&j));
    job_settings(&j);
    if (o->resume && file_exists(j.checkpoint_path)) {
        resumed =
            checkpoint_read(j.checkpoint_path, j.key, o->out, j.stored_sum, &j.r, j.settings.precision, &from) == OK;
        if (resumed && from.pace != 1)
            TRY(job_resume_pace(&j, from.pace));
        if (resumed)
            message_info("resumed at step %ld", from.step);
        else
            message_info("starting from rest: %s", status_message());
        if (!resumed)
            j.stored_sum[0] = '\0';
        status_clear();
    }
    remove(j.json_path); /* of an older run: its fields are about to be replaced */
    TRY(output_monitors_open(j.monitors_path, &j.l, resumed, &j.monitors));
    stop_defer(true);
    TRY(run(&j.r, resumed ? &from : NULL, &j.result));
    stop_defer(false);
    if (j.s.steps_per_period == 0 && j.r.checkpoint_s > 0)
        TRY(hook_checkpoint(&j, &j.result.progress)); /* to go on with a smaller tolerance or more steps */
    if (j.result.unsteady)
        say_unsteady_result(&j.l, &j.s, &j.result);
    else if (!j.result.converged)
        message_warn_serious("the solution is NOT converged: do not read numbers from it");
    if (j.result.velocity_max > 0.3)
        message_warn(
            "lattice velocity reached %.2f (Mach %.2f): lower solve.max_lattice_velocity for accurate pressures",
            j.result.velocity_max, j.result.velocity_max * sqrt(3.0));
    if (!j.supply_told && j.s.steps_per_period == 0) /* of a cycle job_write finds the means */
        say_backflow(&j.g, &j.result, j.s.flow_scale);
    TRY(job_write(&j));
    char speed[32] = "";
    if (isfinite(j.result.mlups))
        snprintf(speed, sizeof speed, ", %.0f MLUPS", j.result.mlups);
    message_info("%s after %ld steps, %.1f s%s; flow balance %.2g %%, largest velocity %.3g m/s",
                 j.result.unsteady    ? "unsteady flow averaged"
                 : j.result.converged ? "converged"
                                      : "NOT converged",
                 j.result.progress.step, j.result.seconds, speed, 100 * j.result.last.balance,
                 j.result.velocity_max * j.s.velocity_scale);
    rc = judge(&j);
cleanup:
    free((void *)from.cycle_velocity);
    job_free(&j);
    return rc;
}
