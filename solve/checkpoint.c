/* See checkpoint.h: the slots in one array from the backend, written and read through HDF5. */
#include "solve/checkpoint.h"
#include "common/record/hdf5_util.h"
#include "common/base/status.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { VERSION = 5 };

static hid_t value_type(int precision) {
    return precision == BACKEND_DOUBLE ? H5T_NATIVE_DOUBLE
           : precision == BACKEND_HALF ? H5T_NATIVE_UINT16
                                       : H5T_NATIVE_FLOAT;
}

int checkpoint_buffers(const domain *d, int precision, void **slots, void **kept) {
    const size_t bytes = (size_t)backend_value_bytes(precision);
    *slots = malloc(19 * (size_t)d->n_cell * bytes);
    *kept = calloc((size_t)d->n_partial + 1, bytes);
    return *slots && *kept ? OK : fail_memory("the checkpoint", 19.0 * (double)d->n_cell * (double)bytes);
}

/* What a checkpoint keeps of a run's progress. */
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
                                    ENTRY("stored", AS_INT, stored),
                                    ENTRY("velocity_max", AS_DOUBLE, velocity_max),
                                    ENTRY("time_before_s", AS_DOUBLE, time_before_s),
                                    ENTRY("gain", AS_DOUBLE, gain),
                                    ENTRY("gain_before", AS_DOUBLE, gain_before),
                                    ENTRY("gain_step", AS_LONG, gain_step),
                                    ENTRY("change", AS_DOUBLE, change),
                                    ENTRY("balance", AS_DOUBLE, balance),
                                    ENTRY("time_s", AS_DOUBLE, time_s),
                                    ENTRY("pace", AS_DOUBLE, pace),
                                    ENTRY("entered", AS_DOUBLE, entered),
                                    ENTRY("kept_mass", AS_DOUBLE, kept)};
enum { ENTRIES = sizeof state / sizeof *state };

static hid_t entry_type(const state_entry *e) {
    return e->kind == AS_LONG ? H5T_NATIVE_LONG : e->kind == AS_INT ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE;
}

static int write_state(hid_t group, const char *key, const char *mark, int precision, const run_progress *p) {
    const int version = VERSION, last = p->last_cycle, restless = p->restless;
    int rc;
    TRY(hdf5_write_attribute(group, "version", H5T_NATIVE_INT, 0, &version));
    TRY(hdf5_write_text(group, "key", key));
    TRY(hdf5_write_text(group, "kept", mark));
    TRY(hdf5_write_attribute(group, "precision", H5T_NATIVE_INT, 0, &precision));
    TRY(hdf5_write_attribute(group, "last_cycle", H5T_NATIVE_INT, 0, &last));
    TRY(hdf5_write_attribute(group, "restless", H5T_NATIVE_INT, 0, &restless));
    for (int k = 0; k < ENTRIES; k++)
        TRY(hdf5_write_attribute(group, state[k].name, entry_type(&state[k]), 0, (const char *)p + state[k].offset));
cleanup:
    return rc;
}

static int read_state(hid_t group, const char *path, const char *key, int precision, run_progress *p) {
    char found[128] = "";
    int version = 0, stored_precision = -1, last = 0, restless = 0, rc;
    TRY(hdf5_read_attribute(group, "version", H5T_NATIVE_INT, 0, &version));
    TRY(hdf5_read_text(group, "key", found, sizeof found));
    TRY(hdf5_read_attribute(group, "precision", H5T_NATIVE_INT, 0, &stored_precision));
    if (version != VERSION || strcmp(found, key) != 0 || stored_precision != precision)
        GIVE_UP(hdf5_fail(ERR_INPUT, "checkpoint '%s' belongs to another lattice, flow, precision or build of solve",
                          path));
    TRY(hdf5_read_attribute(group, "last_cycle", H5T_NATIVE_INT, 0, &last));
    TRY(hdf5_read_attribute(group, "restless", H5T_NATIVE_INT, 0, &restless));
    for (int k = 0; k < ENTRIES; k++)
        TRY(hdf5_read_attribute(group, state[k].name, entry_type(&state[k]), 0, (char *)p + state[k].offset));
    p->last_cycle = last != 0;
    p->restless = restless != 0;
cleanup:
    return rc;
}

/* What is written or read, with the arrays between the file and the backend. */
typedef struct {
    const char *key, *mark; /* mark: written */
    const char *folder;     /* read: whose files belong to it */
    char *sum;
    const run_settings *r;
    int precision;
    const run_progress *from;
    run_progress *to;
    void *slots, *kept;
    float *velocity;
} checkpoint;

static int write_group(hid_t group, const char *path, void *data) {
    const checkpoint *c = data;
    const domain *d = c->r->d;
    const hsize_t slot_size[2] = {19, (hsize_t)d->n_cell}, kept_size[1] = {(hsize_t)d->n_partial},
                  velocity_size[2] = {(hsize_t)d->n_cell, 3};
    int rc;
    (void)path;
    TRY(write_state(group, c->key, c->mark, c->precision, c->from));
    TRY(hdf5_write_array(group, "slots", value_type(c->precision), 2, slot_size, c->slots));
    if (d->n_partial > 0)
        TRY(hdf5_write_array(group, "kept", value_type(c->precision), 1, kept_size, c->kept));
    if (c->from->cycle_velocity)
        TRY(hdf5_write_array(group, "cycle_velocity", H5T_NATIVE_FLOAT, 2, velocity_size, c->from->cycle_velocity));
cleanup:
    return rc;
}

int checkpoint_write(const char *path, const char *key, const char *mark, const run_settings *r, int precision,
                     const run_progress *p) {
    checkpoint c = {.key = key, .mark = mark, .r = r, .precision = precision, .from = p};
    int rc;
    TRY(checkpoint_buffers(r->d, precision, &c.slots, &c.kept));
    TRY(r->table->read(r->b, c.slots, c.kept));
    TRY(hdf5_write_file(path, "checkpoint", write_group, &c));
cleanup:
    free(c.slots);
    free(c.kept);
    return rc;
}

static int read_group(hid_t group, const char *path, void *data) {
    checkpoint *c = data;
    const domain *d = c->r->d;
    const hsize_t slot_size[2] = {19, (hsize_t)d->n_cell}, kept_size[1] = {(hsize_t)d->n_partial},
                  velocity_size[2] = {(hsize_t)d->n_cell, 3};
    char mark[KEPT_MARK] = "";
    int rc;
    TRY(read_state(group, path, c->key, c->precision, c->to));
    TRY(hdf5_read_text(group, "kept", mark, sizeof mark));
    TRY(kept_take(c->folder, mark, c->to->stored, c->sum));
    TRY(hdf5_read_array(group, "slots", value_type(c->precision), 2, slot_size, c->slots));
    if (d->n_partial > 0)
        TRY(hdf5_read_array(group, "kept", value_type(c->precision), 1, kept_size, c->kept));
    if (H5Lexists(group, "cycle_velocity", H5P_DEFAULT) > 0) {
        c->velocity = malloc(3 * (size_t)d->n_cell * sizeof *c->velocity);
        if (!c->velocity)
            GIVE_UP(fail_memory("the checkpoint", 12.0 * (double)d->n_cell));
        TRY(hdf5_read_array(group, "cycle_velocity", H5T_NATIVE_FLOAT, 2, velocity_size, c->velocity));
    }
cleanup:
    return rc;
}

int checkpoint_read(const char *path, const char *key, const char *folder, char sum[KEPT_SUM], const run_settings *r,
                    int precision, run_progress *p) {
    checkpoint c = {.key = key, .folder = folder, .sum = sum, .r = r, .precision = precision, .to = p};
    int rc;
    *p = (run_progress){0};
    TRY(checkpoint_buffers(r->d, precision, &c.slots, &c.kept));
    TRY(hdf5_read_file(path, "checkpoint", "checkpoint", read_group, &c));
    TRY(r->table->write(r->b, c.slots, c.kept));
    p->cycle_velocity = c.velocity;
    c.velocity = NULL;
cleanup:
    free(c.slots);
    free(c.kept);
    free(c.velocity);
    return rc;
}
