/* SPDX-License-Identifier: Apache-2.0 */
#include "common/record/hdf5_rows.h"
#include "common/record/hdf5_util.h"
#include <string.h>

hid_t hdf5_rows_create(hid_t group, const char *name, hid_t type, int rank, const hsize_t *size) {
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(rank, size, NULL);
    hid_t set = -1;
    if (list >= 0)
        H5Pset_obj_track_times(list, 0);
    if (list >= 0 && space >= 0)
        set = H5Dcreate2(group, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    if (space >= 0)
        H5Sclose(space);
    if (list >= 0)
        H5Pclose(list);
    return set;
}

/* Select a hyperslab in the file and create the matching memory space; false when it exceeds the array. */
static bool select_part(hid_t set, int rank, const hsize_t *first, const hsize_t *count, hid_t *file, hid_t *memory) {
    hsize_t size[H5S_MAX_RANK] = {0};
    *file = H5Dget_space(set);
    *memory = H5Screate_simple(rank, count, NULL);
    bool good = *file >= 0 && *memory >= 0 && H5Sget_simple_extent_dims(*file, size, NULL) == rank;
    for (int k = 0; k < rank && good; k++)
        good = first[k] + count[k] <= size[k];
    return good && H5Sselect_hyperslab(*file, H5S_SELECT_SET, first, NULL, count, NULL) >= 0;
}

static void close_part(hid_t file, hid_t memory) {
    if (file >= 0)
        H5Sclose(file);
    if (memory >= 0)
        H5Sclose(memory);
}

int hdf5_rows_write(hid_t set, hid_t type, int rank, const hsize_t *first, const hsize_t *count, const void *data) {
    hid_t file = -1, memory = -1;
    const bool good = set >= 0 && select_part(set, rank, first, count, &file, &memory) &&
                      H5Dwrite(set, type, memory, file, H5P_DEFAULT, data) >= 0;
    const int rc = good ? OK : hdf5_fail(ERR_OUTPUT, "cannot write a part of an array: %s", hdf5_reason());
    close_part(file, memory);
    return rc;
}

int hdf5_rows_read(hid_t set, hid_t type, int rank, const hsize_t *first, const hsize_t *count, void *data) {
    hid_t file = -1, memory = -1;
    const bool good = select_part(set, rank, first, count, &file, &memory) &&
                      H5Dread(set, type, memory, file, H5P_DEFAULT, data) >= 0;
    close_part(file, memory);
    return good ? OK : hdf5_fail(ERR_INPUT, "a part of an array is damaged; run the stage that wrote the file again");
}

int hdf5_rows_open(hid_t group, const char *name, int rank, const hsize_t *size, hid_t *set) {
    hsize_t found[H5S_MAX_RANK] = {0};
    const int rc = hdf5_array_size(group, name, rank, found);
    *set = -1;
    if (rc != OK)
        return rc;
    if (memcmp(found, size, (size_t)rank * sizeof *size) != 0)
        return hdf5_fail(ERR_INPUT, "the array '%s' has %llu rows, not %llu; run the stage that wrote the file again",
                         name, (unsigned long long)found[0], (unsigned long long)size[0]);
    *set = H5Dopen2(group, name, H5P_DEFAULT);
    return *set >= 0 ? OK
                     : hdf5_fail(ERR_INPUT, "the array '%s' is damaged; run the stage that wrote the file again", name);
}

int hdf5_rows_close(hid_t set, const char *name) {
    return set < 0 || H5Dclose(set) >= 0 ? OK : hdf5_fail_array(name);
}
