/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/output/checkpoint.h"
#include "common/record/hdf5_util.h"
#include "common/base/status.h"
#include "solve/output/rank_files.h"
#include "solve/ranks/ranks.h"
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 12 };

static hid_t value_type(int precision) {
    return precision == BACKEND_DOUBLE ? H5T_NATIVE_DOUBLE
           : precision == BACKEND_HALF ? H5T_NATIVE_UINT16
                                       : H5T_NATIVE_FLOAT;
}

static int slots_of(const run_settings *r) {
    return r->heat ? 26 : r->corners ? LATTICE_D3Q27 : 19;
}

int checkpoint_buffers(const domain *d, int n_slot, int precision, void **slots, void **kept) {
    const size_t bytes = (size_t)backend_value_bytes(precision);
    *slots = calloc((size_t)n_slot * (size_t)d->n_cell, bytes);
    *kept = calloc((size_t)d->n_partial + 1, bytes);
    return *slots && *kept ? OK : fail_memory("the checkpoint", (double)n_slot * (double)d->n_cell * (double)bytes);
}

/* Type of a field of run_progress in a checkpoint. */
enum value_kind { AS_LONG, AS_INT, AS_DOUBLE };
typedef struct {
    const char *name;
    enum value_kind kind;
    size_t offset;
} state_entry;
#define ENTRY(name, kind, member)                                                                                      \
    { name, kind, offsetof(run_progress, member) }
static const state_entry state[] = {ENTRY("step", AS_LONG, step),
                                    ENTRY("cycle", AS_INT, cycle),
                                    ENTRY("cycle_change", AS_DOUBLE, cycle_change),
                                    ENTRY("cycle_change_before", AS_DOUBLE, cycle_change_before),
                                    ENTRY("openings_change", AS_DOUBLE, openings_change),
                                    ENTRY("stored", AS_INT, stored),
                                    ENTRY("velocity_max", AS_DOUBLE, velocity_max),
                                    ENTRY("cycle_square", AS_DOUBLE, cycle_square),
                                    ENTRY("time_before_s", AS_DOUBLE, time_before_s),
                                    ENTRY("gain", AS_DOUBLE, mass_correction),
                                    ENTRY("gain_before", AS_DOUBLE, mass_correction_before),
                                    ENTRY("gain_from", AS_DOUBLE, mass_correction_from),
                                    ENTRY("gain_goal", AS_DOUBLE, mass_correction_goal),
                                    ENTRY("outflow_correction", AS_DOUBLE, outflow_correction),
                                    ENTRY("outflow_correction_before", AS_DOUBLE, outflow_correction_before),
                                    ENTRY("outflow_error", AS_DOUBLE, outflow_error),
                                    ENTRY("outflow_prescribed", AS_DOUBLE, outflow_prescribed),
                                    ENTRY("outflow_step", AS_LONG, outflow_step),
                                    ENTRY("gain_step", AS_LONG, mass_correction_step),
                                    ENTRY("change", AS_DOUBLE, change),
                                    ENTRY("balance", AS_DOUBLE, balance),
                                    ENTRY("time_s", AS_DOUBLE, time_s),
                                    ENTRY("pace", AS_DOUBLE, pace),
                                    ENTRY("entered", AS_DOUBLE, entered),
                                    ENTRY("kept_mass", AS_DOUBLE, kept),
                                    ENTRY("dt_s", AS_DOUBLE, dt_s),
                                    ENTRY("retimes", AS_INT, retimes),
                                    ENTRY("monitors", AS_LONG, monitors),
                                    ENTRY("target", AS_DOUBLE, target),
                                    ENTRY("good_0_time_s", AS_DOUBLE, good_time_s[0]),
                                    ENTRY("good_1_time_s", AS_DOUBLE, good_time_s[1]),
                                    ENTRY("good_0_pace", AS_DOUBLE, good_pace[0]),
                                    ENTRY("good_1_pace", AS_DOUBLE, good_pace[1]),
                                    ENTRY("begin_s", AS_DOUBLE, begin_s),
                                    ENTRY("plain_s", AS_DOUBLE, plain_s),
                                    ENTRY("accelerated_step", AS_LONG, accelerated_step),
                                    ENTRY("field_gap", AS_LONG, field_gap)};
enum { ENTRIES = sizeof state / sizeof *state };

/* Boolean fields, which the file stores as int. */
static const struct {
    const char *name;
    size_t offset;
} flag[] = {{"last_cycle", offsetof(run_progress, last_cycle)},
            {"not_periodic", offsetof(run_progress, not_periodic)},
            {"diverged", offsetof(run_progress, diverged)},
            {"averaging", offsetof(run_progress, averaging)},
            {"acceleration_off", offsetof(run_progress, acceleration_off)},
            {"share_used", offsetof(run_progress, share_used)},
            {"falling", offsetof(run_progress, falling)},
            {"quiet", offsetof(run_progress, quiet)}};
enum { FLAGS = sizeof flag / sizeof *flag };

static hid_t entry_type(const state_entry *e) {
    return e->kind == AS_LONG ? H5T_NATIVE_LONG : e->kind == AS_INT ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE;
}

static int write_state(hid_t group, const char *key, const char *mark, int precision, const run_progress *p) {
    const int version = VERSION;
    int rc;
    TRY(hdf5_write_attribute(group, "version", H5T_NATIVE_INT, 0, &version));
    TRY(hdf5_write_text(group, "key", key));
    TRY(hdf5_write_text(group, "kept", mark));
    TRY(hdf5_write_attribute(group, "precision", H5T_NATIVE_INT, 0, &precision));
    for (int k = 0; k < FLAGS; k++) {
        const int on = *(const bool *)((const char *)p + flag[k].offset);
        TRY(hdf5_write_attribute(group, flag[k].name, H5T_NATIVE_INT, 0, &on));
    }
    for (int k = 0; k < ENTRIES; k++)
        TRY(hdf5_write_attribute(group, state[k].name, entry_type(&state[k]), 0, (const char *)p + state[k].offset));
cleanup:
    return rc;
}

static int read_state(hid_t group, const char *path, const char *key, int precision, run_progress *p) {
    char found[128] = "";
    int version = 0, stored_precision = -1, rc;
    TRY(hdf5_read_attribute(group, "version", H5T_NATIVE_INT, 0, &version));
    TRY(hdf5_read_text(group, "key", found, sizeof found));
    TRY(hdf5_read_attribute(group, "precision", H5T_NATIVE_INT, 0, &stored_precision));
    if (version != VERSION || strcmp(found, key) != 0 || stored_precision != precision)
        GIVE_UP(hdf5_fail(ERR_INPUT,
                          "checkpoint '%s' was written for another lattice, flow, precision or build of solve; run "
                          "without --resume to start anew",
                          path));
    for (int k = 0; k < FLAGS; k++) {
        int on = 0;
        TRY(hdf5_read_attribute(group, flag[k].name, H5T_NATIVE_INT, 0, &on));
        *(bool *)((char *)p + flag[k].offset) = on != 0;
    }
    for (int k = 0; k < ENTRIES; k++)
        TRY(hdf5_read_attribute(group, state[k].name, entry_type(&state[k]), 0, (char *)p + state[k].offset));
cleanup:
    return rc;
}

enum { FIELDS = 3, SETS = 3 };
static const char *const set_name[SETS] = {"mean", "good_0", "good_1"};
static const struct {
    const char *name;
    hsize_t components;
} field[FIELDS] = {{"density", 1}, {"velocity", 3}, {"stress", 6}};

/* State k of a checkpoint: 0 the mean fields, 1 and 2 the good states (run_result.good). */
static state_fields *fields_of(run_result *result, int k) {
    return k == 0 ? &result->statistics.mean : &result->good[k - 1];
}

/* Writes the statistics. All ranks hold equal statistics, so rank 0 writes them. */
static int write_statistics(hid_t group, const fluctuation *f) {
    const hsize_t changes[1] = {(hsize_t)f->n_change}, samples[2] = {(hsize_t)f->n_sample, 2 * (hsize_t)f->n_opening};
    const long n_field = f->n_field;
    int rc;
    TRY(hdf5_write_attribute(group, "fields_averaged", H5T_NATIVE_LONG, 0, &n_field));
    if (f->n_change > 0)
        TRY(hdf5_write_array(group, "log_change", H5T_NATIVE_FLOAT, 1, changes, f->log_change));
    if (f->n_sample > 0 && f->n_opening > 0)
        TRY(hdf5_write_array(group, "sample", H5T_NATIVE_DOUBLE, 2, samples, f->sample));
cleanup:
    return rc;
}

/* Describes an array over cells: [n_cell][width], or [rows][n_cell] if width is 0. */
static rank_array of_cells(const domain *d, const char *name, hid_t type, hsize_t rows, hsize_t width) {
    return (rank_array){.name = name,
                        .type = type,
                        .rank = 2,
                        .rows = rows,
                        .width = width,
                        .n = d->n_cell,
                        .n_all = d->n_cell_all,
                        .number = d->number};
}

static rank_array of_partials(const domain *d, hid_t type) {
    return (rank_array){.name = "kept",
                        .type = type,
                        .rank = 1,
                        .n = d->n_partial,
                        .n_all = d->n_partial_all,
                        .number = d->partial_number};
}

static int64_t all_partials(const domain *d) {
    return d->number ? d->n_partial_all : d->n_partial;
}

/* Writes the good states and the mean fields. */
static int write_history(hid_t group, const domain *d, const run_result *result) {
    const fluctuation *f = &result->statistics;
    int rc = OK;
    for (int k = 0; k < SETS; k++) {
        const state_fields *s = k == 0 ? &f->mean : &result->good[k - 1];
        const float *const part[FIELDS] = {s->density, s->velocity, s->stress};
        for (int i = 0; i < FIELDS && s->density; i++) {
            char name[32];
            snprintf(name, sizeof name, "%s_%s", set_name[k], field[i].name);
            const rank_array a = of_cells(d, name, H5T_NATIVE_FLOAT, 0, field[i].components);
            TRY(rank_files_write(group, &a, part[i]));
        }
    }
cleanup:
    return rc;
}

static bool there_is(hid_t group, const char *name) {
    return H5Lexists(group, name, H5P_DEFAULT) > 0;
}

static int read_fluctuation(hid_t group, int n_opening, fluctuation *f) {
    hsize_t size[2] = {0};
    long n_field = 0;
    int rc = OK;
    f->n_opening = n_opening;
    TRY(hdf5_read_attribute(group, "fields_averaged", H5T_NATIVE_LONG, 0, &n_field));
    f->n_field = n_field;
    if (there_is(group, "log_change")) {
        TRY(hdf5_array_size(group, "log_change", 1, size));
        f->log_change = malloc(size[0] * sizeof *f->log_change);
        if (!f->log_change)
            GIVE_UP(fail_memory("the history of the run", 4.0 * (double)size[0]));
        TRY(hdf5_read_array(group, "log_change", H5T_NATIVE_FLOAT, 1, size, f->log_change));
        f->n_change = f->room_change = (long)size[0];
    }
    if (there_is(group, "sample")) {
        TRY(hdf5_array_size(group, "sample", 2, size));
        size[1] = 2 * (hsize_t)n_opening; /* hdf5_read_array refuses an array of other sizes, and thereby a
                                           * checkpoint with another number of openings */
        f->sample = malloc((size[0] * size[1] + 1) * sizeof *f->sample);
        if (!f->sample)
            GIVE_UP(fail_memory("the history of the openings", 8.0 * (double)(size[0] * size[1])));
        TRY(hdf5_read_array(group, "sample", H5T_NATIVE_DOUBLE, 2, size, f->sample));
        f->n_sample = f->room_sample = (long)size[0];
    }
cleanup:
    return rc;
}

static int read_history(hid_t group, const run_settings *r, run_result *result) {
    int rc = OK;
    TRY(read_fluctuation(group, r->d->n_opening, &result->statistics));
    for (int k = 0; k < SETS; k++) {
        state_fields *s = fields_of(result, k);
        char name[32];
        snprintf(name, sizeof name, "%s_density", set_name[k]);
        if (!there_is(group, name))
            continue;
        TRY(state_fields_create(s, r->d->n_cell));
        float *const part[FIELDS] = {s->density, s->velocity, s->stress};
        for (int i = 0; i < FIELDS; i++) {
            snprintf(name, sizeof name, "%s_%s", set_name[k], field[i].name);
            const rank_array a = of_cells(r->d, name, H5T_NATIVE_FLOAT, 0, field[i].components);
            TRY(rank_files_read(group, &a, part[i]));
        }
    }
cleanup:
    return rc;
}

/* One checkpoint being written or read, with the arrays between file and backend. */
typedef struct {
    const char *key, *mark; /* mark: checksum of the stored files that belong to the checkpoint (stored_files.h) */
    const char *folder;     /* when reading: folder of the files that belong to the checkpoint */
    char *sum;
    const run_settings *r;
    int precision;
    const run_progress *from;
    const run_result *history; /* statistics and good states to be written */
    run_progress *to;
    run_result *result;
    void *slots, *kept;
    float *velocity;
} checkpoint;

/* Writes the content of the checkpoint. group is -1 on all ranks except rank 0, to which they send their parts. */
static int write_group(hid_t group, const char *path, void *data) {
    const checkpoint *c = data;
    const domain *d = c->r->d;
    const hsize_t opening_size[1] = {(hsize_t)d->n_opening}, models_size[1] = {OPENING_STATE};
    const rank_array slots = of_cells(d, "slots", value_type(c->precision), (hsize_t)slots_of(c->r), 0),
                     kept = of_partials(d, value_type(c->precision)),
                     velocity = of_cells(d, "cycle_velocity", H5T_NATIVE_FLOAT, 0, 3);
    const bool writes = ranks_number() == 0;
    int rc = OK;
    (void)path;
    if (writes)
        TRY(write_state(group, c->key, c->mark, c->precision, c->from));
    if (writes && d->n_opening > 0) {
        TRY(hdf5_write_array(group, "passed", H5T_NATIVE_DOUBLE, 1, opening_size, c->from->passed));
        TRY(hdf5_write_array(group, "passed_before", H5T_NATIVE_DOUBLE, 1, opening_size, c->from->passed_before));
    }
    if (writes && c->r->g->network.n > 0) {
        TRY(hdf5_write_array(group, "models", H5T_NATIVE_DOUBLE, 1, models_size, &c->from->openings));
        TRY(hdf5_write_array(group, "models_cycle", H5T_NATIVE_DOUBLE, 1, models_size, &c->from->openings_cycle));
    }
    TRY(rank_files_write(group, &slots, c->slots));
    if (all_partials(d) > 0)
        TRY(rank_files_write(group, &kept, c->kept));
    if (c->from->cycle_velocity)
        TRY(rank_files_write(group, &velocity, c->from->cycle_velocity));
    if (writes)
        TRY(write_statistics(group, &c->history->statistics));
    TRY(write_history(group, d, c->history));
cleanup:
    return rc;
}

int checkpoint_write(const char *path, const char *key, const char *mark, const run_settings *r, int precision,
                     const run_progress *p, const run_result *result) {
    checkpoint c = {.key = key, .mark = mark, .r = r, .precision = precision, .from = p, .history = result};
    int rc;
    TRY(checkpoint_buffers(r->d, slots_of(r), precision, &c.slots, &c.kept));
    TRY(r->table->read(r->b, c.slots, c.kept));
    TRY(ranks_number() == 0 ? hdf5_write_file(path, "checkpoint", write_group, &c) : write_group(-1, path, &c));
cleanup:
    free(c.slots);
    free(c.kept);
    return ranks_agree(rc);
}

static int read_group(hid_t group, const char *path, void *data) {
    checkpoint *c = data;
    const domain *d = c->r->d;
    const hsize_t opening_size[1] = {(hsize_t)d->n_opening}, models_size[1] = {OPENING_STATE};
    const rank_array slots = of_cells(d, "slots", value_type(c->precision), (hsize_t)slots_of(c->r), 0),
                     kept = of_partials(d, value_type(c->precision)),
                     velocity = of_cells(d, "cycle_velocity", H5T_NATIVE_FLOAT, 0, 3);
    char mark[STORED_FILES_MARK] = "";
    int rc;
    TRY(read_state(group, path, c->key, c->precision, c->to));
    if (d->n_opening > 0) {
        TRY(hdf5_read_array(group, "passed", H5T_NATIVE_DOUBLE, 1, opening_size, c->to->passed));
        TRY(hdf5_read_array(group, "passed_before", H5T_NATIVE_DOUBLE, 1, opening_size, c->to->passed_before));
    }
    if (c->r->g->network.n > 0) {
        TRY(hdf5_read_array(group, "models", H5T_NATIVE_DOUBLE, 1, models_size, &c->to->openings));
        TRY(hdf5_read_array(group, "models_cycle", H5T_NATIVE_DOUBLE, 1, models_size, &c->to->openings_cycle));
    }
    TRY(hdf5_read_text(group, "kept", mark, sizeof mark));
    if (ranks_number() == 0)
        TRY(stored_files_resume(c->folder, mark, c->to->stored, c->sum));
    TRY(rank_files_read(group, &slots, c->slots));
    if (all_partials(d) > 0)
        TRY(rank_files_read(group, &kept, c->kept));
    if (H5Lexists(group, "cycle_velocity", H5P_DEFAULT) > 0) {
        c->velocity = malloc(3 * (size_t)d->n_cell * sizeof *c->velocity);
        if (!c->velocity)
            GIVE_UP(fail_memory("the checkpoint", 12.0 * (double)d->n_cell));
        TRY(rank_files_read(group, &velocity, c->velocity));
    }
    TRY(read_history(group, c->r, c->result));
cleanup:
    return rc;
}

int checkpoint_read(const char *path, const char *key, const char *folder, char sum[STORED_FILES_SUM],
                    const run_settings *r, int precision, run_progress *p, run_result *result) {
    checkpoint c = {
        .key = key, .folder = folder, .sum = sum, .r = r, .precision = precision, .to = p, .result = result};
    int rc;
    *p = (run_progress){0};
    TRY(checkpoint_buffers(r->d, slots_of(r), precision, &c.slots, &c.kept));
    TRY(ranks_agree(hdf5_read_file(path, "checkpoint", "checkpoint", read_group, &c)));
    TRY(r->table->write(r->b, c.slots, c.kept));
    p->cycle_velocity = c.velocity;
    c.velocity = NULL;
cleanup:
    free(c.slots);
    free(c.kept);
    free(c.velocity);
    if (rc != OK)
        run_result_free(result);
    return rc;
}
