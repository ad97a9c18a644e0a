/* SPDX-License-Identifier: Apache-2.0 */
#include "common/record/hdf5_util.h"
#include "common/record/hdf5_chunk.h"
#include "common/context/context.h"
#include "common/base/file.h"
#include "common/record/hdf5_seal.h"
#include "common/base/status.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { CHUNKS_WORTH = 1 << 17 }; /* arrays with at least this many values are packed by several threads */

typedef struct {
    H5E_auto2_t function;
    void *data;
} hdf5_printer;

/* Suppress error output of HDF5, also at exit. Resets errno for hdf5_fail. Returns the previous handler. */
static hdf5_printer suppress_error_output(void) {
    hdf5_printer before = {0};
    /* HDF5 closes no files at exit: it would print messages about a file that a full disk kept half open. All other
     * files are closed before. libportaflow leaves this setting to its program. */
    if (!context_current())
        H5dont_atexit();
    H5Eget_auto2(H5E_DEFAULT, &before.function, &before.data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    errno = 0;
    return before;
}

static void restore_error_output(hdf5_printer before) {
    H5Eset_auto2(H5E_DEFAULT, before.function, before.data);
}

/* Find the innermost error of HDF5. If it contains an error message of the system, as in "file write failed: time = ..,
 * error message = 'No space left on device', ..", hdf5_reason returns only this message, without the time of day. */
static herr_t take_reason(unsigned n, const H5E_error2_t *error, void *data) {
    (void)n;
    if (error->desc && error->desc[0])
        *(const char **)data = error->desc;
    return 0;
}

const char *hdf5_reason(void) {
    static _Thread_local char text[160];
    const char *found = NULL;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, take_reason, &found);
    const char *system = found ? strstr(found, "error message = '") : NULL;
    found = system ? system + strlen("error message = '") : found ? found : "no reason given";
    size_t n = strcspn(found, system ? "'\n" : "\n");
    n = n < sizeof text ? n : sizeof text - 1;
    memcpy(text, found, n);
    text[n] = '\0';
    return text;
}

/* Properties of every file: without the locks of HDF5, which fail on NFS and Lustre without a lock service. Our own
 * lock on the output folder (run/patient.h) keeps two writers apart. */
static hid_t create_access(void) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
#if H5_VERSION_GE(1, 10, 7)
    if (access >= 0)
        H5Pset_file_locking(access, false, true);
#endif
    return access < 0 ? H5P_DEFAULT : access;
}

/* Closes the access list. Call it after hdf5_reason, because closing clears the errors of HDF5. */
static void close_access(hid_t access) {
    if (access != H5P_DEFAULT)
        H5Pclose(access);
}

/* Create the file `part`. `name`: final name of the file, for messages. */
static int create_file(const char *part, const char *name, hid_t *file) {
    const hid_t access = create_access();
    int rc = OK;
    *file = H5Fcreate(part, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    if (*file < 0) {
        rc = hdf5_fail(ERR_OUTPUT, "cannot write '%s': %s", name, hdf5_reason());
        unlink(part); /* H5Fcreate may create a file and then fail in its first write */
    }
    close_access(access);
    return rc;
}

static int open_file(const char *path, const char *what, hid_t *file) {
    int rc = hdf5_seal_check(path, what);
    if (rc != OK)
        return rc;
    const hid_t access = create_access();
    *file = H5Fopen(path, H5F_ACC_RDONLY, access);
    if (*file < 0)
        rc = hdf5_fail(ERR_INPUT, "'%s' is not a complete %s: %s; make it again", path, what, hdf5_reason());
    close_access(access);
    return rc;
}

/* Close a file; after writing, append its seal. */
static int close_file(hid_t *file, const char *path) {
    hid_t closing = *file;
    unsigned intent = H5F_ACC_RDONLY;
    char written[FILE_PATH_MAX] = "";
    *file = -1;
    if (closing < 0)
        return OK;
    H5Fget_intent(closing, &intent);
    H5Fget_name(closing, written, sizeof written);
    if (H5Fclose(closing) < 0)
        return hdf5_fail(ERR_OUTPUT, "cannot write '%s': %s", path, hdf5_reason());
    return intent == H5F_ACC_RDONLY ? OK : hdf5_seal(written, path);
}

/* Add the file's name to an error that names only the array. */
static int name_file(const char *path, int rc) {
    static const char start[] = "cannot write ";
    char text[512];
    if (rc != ERR_OUTPUT || strstr(status_message(), path))
        return rc;
    snprintf(text, sizeof text, "%s", status_message());
    status_clear();
    return fail(rc, "cannot write '%s', %s", path,
                text + (strncmp(text, start, strlen(start)) == 0 ? strlen(start) : 0));
}

int hdf5_write_file(const char *path, const char *name, hdf5_work *work, void *data) {
    char part[FILE_PATH_MAX] = "";
    const hdf5_printer before = suppress_error_output();
    hid_t file = -1, group = -1;
    int rc, closed;
    TRY(file_part_create(path, part));
    TRY(create_file(part, path, &file));
    group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    rc = group < 0 ? hdf5_fail(ERR_OUTPUT, "cannot write '%s': %s", path, hdf5_reason())
                   : name_file(path, work(group, path, data));
    if (group >= 0)
        H5Gclose(group);
    closed = close_file(&file, path);
    if (rc == OK)
        rc = closed;
    if (rc == OK)
        rc = file_commit(part, path);
    else
        file_discard(part);
cleanup:
    restore_error_output(before);
    return rc;
}

int hdf5_read_file(const char *path, const char *what, const char *name, hdf5_work *work, void *data) {
    const hdf5_printer before = suppress_error_output();
    hid_t file = -1, group = -1;
    int rc;
    TRY(open_file(path, what, &file));
    group = H5Gopen2(file, name, H5P_DEFAULT);
    rc = group < 0 ? hdf5_fail(ERR_INPUT, "'%s' is not a %s: it has no group '%s'; make it again", path, what, name)
                   : work(group, path, data);
cleanup:
    if (group >= 0)
        H5Gclose(group);
    status_ignore(close_file(&file, path)); /* an error on closing is ignored, because the file was only read */
    restore_error_output(before);
    return rc;
}

/* Default shape of the chunks, see hdf5_create_compressed_list. */
static void chunk_choose(int rank, const hsize_t *size, hsize_t *chunk) {
    const hsize_t most = 65536;
    bool wide = false;
    for (int k = rank - 1; k >= 0; k--) {
        chunk[k] = wide ? 1 : size[k] > most ? most : size[k];
        wide |= k > 0 && size[k] > most;
    }
}

hid_t hdf5_create_compressed_list(int rank, const hsize_t *size, const hsize_t *chunk) {
    hsize_t own[8];
    chunk_choose(rank, size, own);
    for (int k = 0; k < rank; k++) {
        own[k] = chunk ? chunk[k] : own[k];
        if (own[k] < 1)
            own[k] = 1;
    }
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    if (list < 0)
        return list;
    H5Pset_obj_track_times(list, 0); /* files without times: equal data give equal bytes */
    for (int k = 0; k < rank; k++)
        if (size[k] == 0)
            return list; /* an empty array cannot have chunks */
    if (H5Pset_chunk(list, rank, own) < 0 || H5Pset_shuffle(list) < 0 || H5Pset_deflate(list, 1) < 0 ||
        H5Pset_fletcher32(list) < 0) {
        H5Pclose(list);
        return -1;
    }
    return list;
}

/* True for an array that is large enough for several threads and has the default chunks, so that our packing gives the
 * same bytes as HDF5. */
static bool by_chunks(hid_t set, hid_t type, int rank, const hsize_t *size, hsize_t *shape) {
    const hsize_t values = size[0] * (rank > 1 ? size[1] : 1);
    if (rank > 2 || values < CHUNKS_WORTH)
        return false;
    chunk_choose(rank, size, shape);
    return hdf5_chunk_fits(set, type, rank, shape);
}

int hdf5_fail_array(const char *name) {
    return hdf5_fail(ERR_OUTPUT, "cannot write the array '%s': %s", name, hdf5_reason());
}

/* Write a whole array. Takes ownership of the creation list `list`. */
static int write_array(hid_t group, const char *name, hid_t type, int rank, const hsize_t *size, const void *data,
                       hid_t list) {
    hid_t space = H5Screate_simple(rank, size, NULL), set = -1;
    if (list >= 0 && space >= 0)
        set = H5Dcreate2(group, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    hsize_t shape[H5S_MAX_RANK];
    int rc = set >= 0 ? OK : hdf5_fail_array(name);
    if (set >= 0 && by_chunks(set, type, rank, size, shape))
        rc = hdf5_chunks_write_array(set, H5Tget_size(type), rank, size, shape, data);
    else if (set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0)
        rc = hdf5_fail_array(name);
    if (set >= 0 && H5Dclose(set) < 0 && rc == OK)
        rc = hdf5_fail_array(name);
    if (space >= 0)
        H5Sclose(space);
    if (list >= 0)
        H5Pclose(list);
    return rc;
}

int hdf5_write_array(hid_t group, const char *name, hid_t type, int rank, const hsize_t *size, const void *data) {
    return write_array(group, name, type, rank, size, data, hdf5_create_compressed_list(rank, size, NULL));
}

int hdf5_write_uncompressed(hid_t group, const char *name, hid_t type, int rank, const hsize_t *size,
                            const void *data) {
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    if (list >= 0)
        H5Pset_obj_track_times(list, 0);
    return write_array(group, name, type, rank, size, data, list);
}

/* False for a damaged array, which claims more values than its stored bytes can hold: the gzip ratio is below
 * 1032:1. */
static bool size_is_plausible(hid_t set, hid_t space) {
    hid_t type = H5Dget_type(set);
    double wanted = (double)H5Sget_simple_extent_npoints(space) * (double)H5Tget_size(type);
    H5Tclose(type);
    return wanted <= 2000.0 * (double)H5Dget_storage_size(set);
}

/* Open an array and check its rank; returns `size` [rank]. */
static int open_array(hid_t group, const char *name, int rank, hsize_t *size, hid_t *set) {
    hsize_t found[H5S_MAX_RANK] = {0};
    *set = H5Dopen2(group, name, H5P_DEFAULT);
    if (*set < 0)
        return hdf5_fail(ERR_INPUT, "there is no array '%s'; run the stage that wrote the file again", name);
    hid_t space = H5Dget_space(*set);
    int found_rank = space >= 0 ? H5Sget_simple_extent_dims(space, found, NULL) : -1;
    bool stored = space >= 0 && size_is_plausible(*set, space);
    if (space >= 0)
        H5Sclose(space);
    if (!stored)
        return hdf5_fail(ERR_INPUT,
                         "the array '%s' is damaged: its values are missing; run the stage that wrote the file again",
                         name);
    if (found_rank != rank)
        return hdf5_fail(ERR_INPUT, "the array '%s' has %d dimensions, not %d; run the stage that wrote the file again",
                         name, found_rank, rank);
    memcpy(size, found, (size_t)rank * sizeof *size);
    return OK;
}

int hdf5_array_size(hid_t group, const char *name, int rank, hsize_t *size) {
    hid_t set = -1;
    int rc = open_array(group, name, rank, size, &set);
    if (set >= 0)
        H5Dclose(set);
    return rc;
}

int hdf5_read_array(hid_t group, const char *name, hid_t type, int rank, const hsize_t *size, void *data) {
    hsize_t found[H5S_MAX_RANK] = {0};
    hid_t set = -1;
    int rc;
    TRY(open_array(group, name, rank, found, &set));
    for (int k = 0; k < rank; k++)
        if (found[k] != size[k]) {
            rc = hdf5_fail(
                ERR_INPUT,
                "the array '%s' has %llu entries along dimension %d, not %llu; run the stage that wrote the file again",
                name, (unsigned long long)found[k], k, (unsigned long long)size[k]);
            goto cleanup;
        }
    if (by_chunks(set, type, rank, size, found))
        rc = hdf5_chunks_read_array(set, H5Tget_size(type), rank, size, found, data);
    else if (H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0)
        rc = ERR_INPUT;
    if (rc == ERR_INPUT)
        rc = hdf5_fail(ERR_INPUT, "the array '%s' is damaged: %s; run the stage that wrote the file again", name,
                       hdf5_reason());
cleanup:
    if (set >= 0)
        H5Dclose(set);
    return rc;
}

int hdf5_write_attribute(hid_t object, const char *name, hid_t type, int n, const void *value) {
    hsize_t size = (hsize_t)n;
    hid_t space = n > 0 ? H5Screate_simple(1, &size, NULL) : H5Screate(H5S_SCALAR), attribute = -1;
    if (space >= 0)
        attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    bool good = attribute >= 0 && H5Awrite(attribute, type, value) >= 0;
    if (attribute >= 0)
        H5Aclose(attribute);
    if (space >= 0)
        H5Sclose(space);
    return good ? OK : hdf5_fail(ERR_OUTPUT, "cannot write the attribute '%s': %s", name, hdf5_reason());
}

/* Text type of fixed length, NUL-padded, ASCII: the reader of VTK requires these properties. */
static hid_t create_text_type(size_t length) {
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type < 0)
        return type;
    H5Tset_size(type, length > 0 ? length : 1);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    H5Tset_cset(type, H5T_CSET_ASCII);
    return type;
}

int hdf5_write_text(hid_t object, const char *name, const char *text) {
    hid_t type = create_text_type(strlen(text));
    /* an invalid type is reported by hdf5_write_attribute */
    const int rc = hdf5_write_attribute(object, name, type, 0, text);
    if (type >= 0)
        H5Tclose(type);
    return rc;
}

/* True if the attribute has the wanted type class (integer and float are interchangeable) and number of values. */
static bool attribute_fits(hid_t attribute, H5T_class_t wanted, hsize_t n) {
    hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    H5T_class_t class = type >= 0 ? H5Tget_class(type) : H5T_NO_CLASS;
    hssize_t points = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    bool variable = type >= 0 && class == H5T_STRING && H5Tis_variable_str(type) > 0;
    if (type >= 0)
        H5Tclose(type);
    if (space >= 0)
        H5Sclose(space);
    bool numbers = (class == H5T_INTEGER || class == H5T_FLOAT) && (wanted == H5T_INTEGER || wanted == H5T_FLOAT);
    return points == (hssize_t)n && !variable && (numbers || class == wanted);
}

int hdf5_read_attribute(hid_t object, const char *name, hid_t type, int n, void *value) {
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    if (attribute < 0)
        return hdf5_fail(ERR_INPUT, "there is no attribute '%s'; run the stage that wrote the file again", name);
    bool good =
        attribute_fits(attribute, H5Tget_class(type), n > 0 ? (hsize_t)n : 1) && H5Aread(attribute, type, value) >= 0;
    H5Aclose(attribute);
    return good ? OK
                : hdf5_fail(ERR_INPUT, "the attribute '%s' is damaged; run the stage that wrote the file again", name);
}

int hdf5_read_text(hid_t object, const char *name, char *text, size_t size) {
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    if (attribute < 0)
        return hdf5_fail(ERR_INPUT, "there is no attribute '%s'; run the stage that wrote the file again", name);
    hid_t type = H5Aget_type(attribute), memory = -1;
    size_t length = type >= 0 && H5Tget_class(type) == H5T_STRING ? H5Tget_size(type) : 0;
    bool good = attribute_fits(attribute, H5T_STRING, 1) && length > 0 && length < size;
    memset(text, 0, size);
    if (good) {
        memory = H5Tcopy(type);
        H5Tset_strpad(memory, H5T_STR_NULLPAD);
        good = H5Aread(attribute, memory, text) >= 0;
        H5Tclose(memory);
    }
    if (type >= 0)
        H5Tclose(type);
    H5Aclose(attribute);
    return good ? OK
                : hdf5_fail(ERR_INPUT,
                            "the attribute '%s' is damaged or longer than %zu characters; run the stage that wrote the "
                            "file again",
                            name, size - 1);
}
