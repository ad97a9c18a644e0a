/* See checkpoint.h: the slots in one array from the backend, written and read through HDF5. */
#include "solve/checkpoint.h"
#include "common/base/file.h"
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

int checkpoint_write(const char *path, const char *key, const char *mark, const run_settings *r, int precision,
                     const run_progress *p) {
    const domain *d = r->d;
    const hsize_t slot_size[2] = {19, (hsize_t)d->n_cell}, kept_size[1] = {(hsize_t)d->n_partial},
                  velocity_size[2] = {(hsize_t)d->n_cell, 3};
    void *slots = NULL, *kept = NULL;
    char part[FILE_PATH_MAX] = "";
    hid_t file = H5I_INVALID_HID, group = H5I_INVALID_HID;
    int rc;
    const hdf5_printer printer = hdf5_quiet();
    TRY(checkpoint_buffers(d, precision, &slots, &kept));
    TRY(r->table->read(r->b, slots, kept));
    TRY(file_part(path, part));
    TRY(hdf5_create_file(part, &file));
    group = H5Gcreate2(file, "checkpoint", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (group < 0)
        GIVE_UP(hdf5_fail(ERR_OUTPUT, "cannot write '%s'", path));
    TRY(write_state(group, key, mark, precision, p));
    TRY(hdf5_write_array(group, "slots", value_type(precision), 2, slot_size, slots));
    if (d->n_partial > 0)
        TRY(hdf5_write_array(group, "kept", value_type(precision), 1, kept_size, kept));
    if (p->cycle_velocity)
        TRY(hdf5_write_array(group, "cycle_velocity", H5T_NATIVE_FLOAT, 2, velocity_size, p->cycle_velocity));
    H5Gclose(group);
    group = H5I_INVALID_HID;
    TRY(hdf5_close_file(&file, path));
    TRY(file_commit(part, path));
cleanup:
    if (group >= 0)
        H5Gclose(group);
    if (file >= 0)
        H5Fclose(file);
    if (rc != OK)
        file_discard(part);
    free(slots);
    free(kept);
    hdf5_loud(printer);
    return rc;
}

int checkpoint_read(const char *path, const char *key, const char *folder, char sum[KEPT_SUM], const run_settings *r,
                    int precision, run_progress *p) {
    char mark[KEPT_MARK] = "";
    const domain *d = r->d;
    const hsize_t slot_size[2] = {19, (hsize_t)d->n_cell}, kept_size[1] = {(hsize_t)d->n_partial},
                  velocity_size[2] = {(hsize_t)d->n_cell, 3};
    void *slots = NULL, *kept = NULL;
    float *velocity = NULL;
    hid_t file = H5I_INVALID_HID, group = H5I_INVALID_HID;
    int rc;
    const hdf5_printer printer = hdf5_quiet();
    *p = (run_progress){0};
    TRY(checkpoint_buffers(d, precision, &slots, &kept));
    TRY(hdf5_open_file(path, "checkpoint", &file));
    group = H5Gopen2(file, "checkpoint", H5P_DEFAULT);
    if (group < 0)
        GIVE_UP(hdf5_fail(ERR_INPUT, "'%s' is not a checkpoint", path));
    TRY(read_state(group, path, key, precision, p));
    TRY(hdf5_read_text(group, "kept", mark, sizeof mark));
    TRY(kept_take(folder, mark, p->stored, sum));
    TRY(hdf5_read_array(group, "slots", value_type(precision), 2, slot_size, slots));
    if (d->n_partial > 0)
        TRY(hdf5_read_array(group, "kept", value_type(precision), 1, kept_size, kept));
    if (H5Lexists(group, "cycle_velocity", H5P_DEFAULT) > 0) {
        velocity = malloc(3 * (size_t)d->n_cell * sizeof *velocity);
        if (!velocity)
            GIVE_UP(fail_memory("the checkpoint", 12.0 * (double)d->n_cell));
        TRY(hdf5_read_array(group, "cycle_velocity", H5T_NATIVE_FLOAT, 2, velocity_size, velocity));
    }
    TRY(r->table->write(r->b, slots, kept));
    p->cycle_velocity = velocity;
    velocity = NULL;
cleanup:
    if (group >= 0)
        H5Gclose(group);
    if (file >= 0)
        H5Fclose(file);
    free(slots);
    free(kept);
    free(velocity);
    hdf5_loud(printer);
    return rc;
}
