/* SPDX-License-Identifier: Apache-2.0 */
/* VTKHDF: "VTK file formats", https://docs.vtk.org/en/latest/design_documents/VTKFileFormats.html */
#include "common/lattice/field_file.h"
#include "common/lattice/field_blocks.h"
#include "common/record/hdf5_util.h"
#include "common/base/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 32 }; /* cells per axis of a chunk */

int fields_create(fields *f, int64_t n_cell) {
    memset(f, 0, sizeof *f);
    size_t n = (size_t)n_cell + 1;
    f->velocity_m_s = n_cell >= 0 ? calloc(n, 3 * sizeof *f->velocity_m_s) : NULL;
    f->pressure_pa = n_cell >= 0 ? calloc(n, sizeof *f->pressure_pa) : NULL;
    f->stress_pa = n_cell >= 0 ? calloc(n, 6 * sizeof *f->stress_pa) : NULL;
    if (!f->velocity_m_s || !f->pressure_pa || !f->stress_pa) {
        fields_free(f);
        return fail_memory("the fields", 40.0 * (double)n_cell);
    }
    f->n_cell = n_cell;
    return OK;
}

int fields_add_temperature(fields *f) {
    f->temperature_c = malloc(((size_t)f->n_cell + 1) * sizeof *f->temperature_c);
    if (!f->temperature_c)
        return fail_memory("the temperature", 4.0 * (double)f->n_cell);
    for (int64_t c = 0; c < f->n_cell; c++)
        f->temperature_c[c] = NAN;
    return OK;
}

void fields_free(fields *f) {
    free(f->temperature_c);
    free(f->velocity_m_s);
    free(f->pressure_pa);
    free(f->stress_pa);
    memset(f, 0, sizeof *f);
}

enum { ARRAY_COUNT = 5 }; /* the last array, temperature, exists only with heat */

/* Lists the arrays of a fields file; returns their number. */
static int list_arrays(const fields *f, field_array list[ARRAY_COUNT]) {
    const field_array all[ARRAY_COUNT] = {{"velocity_m_s", 3, 0, f->velocity_m_s},
                                          {"pressure_pa", 1, NAN, f->pressure_pa},
                                          {"solid_fraction", 1, 1, NULL},
                                          {"stress_pa", 6, 0, f->stress_pa},
                                          {"temperature_c", 1, NAN, f->temperature_c}};
    memcpy(list, all, sizeof all);
    return f->temperature_c ? ARRAY_COUNT : ARRAY_COUNT - 1;
}

static hid_t create_array(hid_t group, const field_blocks *b, const field_array *a) {
    const lattice *l = b->l;
    const int rank = a->width > 1 ? 4 : 3;
    const hsize_t size[4] = {(hsize_t)l->dims[2], (hsize_t)l->dims[1], (hsize_t)l->dims[0], (hsize_t)a->width};
    const hsize_t chunk[4] = {(hsize_t)b->side[2], (hsize_t)b->side[1], (hsize_t)b->side[0], size[3]};
    hid_t space = H5Screate_simple(rank, size, NULL), list = hdf5_create_compressed_list(rank, size, chunk), set = -1;
    if (space >= 0 && list >= 0 && H5Pset_fill_value(list, H5T_NATIVE_FLOAT, &a->outside) >= 0)
        set = H5Dcreate2(group, a->name, H5T_NATIVE_FLOAT, space, H5P_DEFAULT, list, H5P_DEFAULT);
    if (space >= 0)
        H5Sclose(space);
    if (list >= 0)
        H5Pclose(list);
    return set;
}

static int write_array(hid_t group, const field_array *a, const field_blocks *b) {
    const field_blocked data = {b, a};
    const hdf5_chunks all = field_blocks_chunks(&data);
    hid_t set = create_array(group, b, a);
    int rc = set >= 0 ? hdf5_chunks_write(set, &all) : hdf5_fail_array(a->name);
    if (set >= 0 && H5Dclose(set) < 0 && rc == OK)
        rc = hdf5_fail_array(a->name);
    return rc;
}

enum { WINDOW = 8 }; /* number of blocks in a window; all ranks write one window together */

/* Writes one window of blocks. set: valid only on the rank that writes. */
static int write_window(hid_t set, const field_blocks *own, const field_ranks *ranks, field_window *w) {
    const size_t bytes = field_window_pack(w, own, NULL);
    int rc = OK;
    void *packed = malloc(bytes + 1);
    if (!packed)
        GIVE_UP(fail_memory("the parts of the fields", (double)bytes));
    if (ranks->first)
        TRY(field_window_create(w));
    field_window_pack(w, own, packed);
    TRY(ranks->gather(packed, bytes, field_window_unpack, w));
    if (ranks->first) {
        const hdf5_chunks all = field_window_chunks(w);
        rc = hdf5_chunks_write(set, &all);
    }
cleanup:
    free(packed);
    free(w->box);
    w->box = NULL;
    return rc;
}

/* Writes one array, window by window. whole: all blocks that contain cells of any rank. */
static int write_array_ranks(hid_t group, const field_array *a, const field_blocks *own, const field_blocks *whole,
                             const field_ranks *ranks) {
    hid_t set = ranks->first ? create_array(group, own, a) : -1;
    int rc = set >= 0 || !ranks->first ? OK : hdf5_fail_array(a->name);
    for (hsize_t first = 0; rc == OK && first < whole->n; first += WINDOW) {
        field_window w = {.whole = whole, .a = a, .first = first};
        w.n = whole->n - first < WINDOW ? whole->n - first : WINDOW;
        rc = write_window(set, own, ranks, &w);
    }
    if (set >= 0 && H5Dclose(set) < 0 && rc == OK)
        rc = hdf5_fail_array(a->name);
    return rc;
}

static int blocks_of_all(const field_blocks *own, const field_ranks *ranks, field_blocks *whole) {
    const size_t n = field_blocks_count(own);
    int rc;
    uint8_t *there = calloc(n + 1, 1);
    if (!there)
        return fail_memory("the parts of the fields", (double)n);
    field_blocks_mark(own, there);
    TRY(ranks->largest(there, n));
    TRY(field_blocks_from_marks(whole, own, there));
cleanup:
    free(there);
    return rc;
}

static int write_box(hid_t group, const lattice *l, double time_s) {
    static const double direction[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double spacing[3] = {l->spacing_mm, l->spacing_mm, l->spacing_mm};
    const int version[2] = {1, 0}, extent[6] = {0, l->dims[0] - 1, 0, l->dims[1] - 1, 0, l->dims[2] - 1};
    int rc;
    TRY(hdf5_write_attribute(group, "Version", H5T_NATIVE_INT, 2, version));
    TRY(hdf5_write_text(group, "Type", "ImageData"));
    TRY(hdf5_write_attribute(group, "WholeExtent", H5T_NATIVE_INT, 6, extent));
    TRY(hdf5_write_attribute(group, "Origin", H5T_NATIVE_DOUBLE, 3, l->origin_mm));
    TRY(hdf5_write_attribute(group, "Spacing", H5T_NATIVE_DOUBLE, 3, spacing));
    TRY(hdf5_write_attribute(group, "Direction", H5T_NATIVE_DOUBLE, 9, direction));
    TRY(hdf5_write_attribute(group, "time_s", H5T_NATIVE_DOUBLE, 0, &time_s));
    TRY(hdf5_write_text(group, "frame", "LPS"));
    TRY(hdf5_write_text(group, "SPACE",
                        /* key of the frame, the same as in wall.vtp. It is an attribute and not field data, because VTK
                         * 9.1 cannot read texts as field data of an image */
                        "LPS"));
    TRY(hdf5_write_text(group, "unit", "mm"));
cleanup:
    return rc;
}

/* Lattice, fields and ranks, passed through the HDF5 callback. */
typedef struct {
    const lattice *l;
    fields *f;
    const field_ranks *ranks; /* communication between ranks; NULL: one process */
} fields_job;

/* Writes the box and all arrays. group: -1 on ranks that do not write. */
static int write_fields(hid_t group, const char *path, void *data) {
    const fields_job *p = data;
    const bool writes = !p->ranks || p->ranks->first;
    field_array list[ARRAY_COUNT];
    field_blocks parts = {0}, whole = {0};
    hid_t points = -1;
    int rc, side[3];
    for (int a = 0; a < 3; a++)
        side[a] = p->l->dims[a] < SIDE ? p->l->dims[a] : SIDE;
    TRY(field_blocks_create(&parts, p->l, side));
    if (p->ranks)
        TRY(blocks_of_all(&parts, p->ranks, &whole));
    const int n = list_arrays(p->f, list);
    if (writes) {
        points = H5Gcreate2(group, "PointData", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        if (points < 0)
            GIVE_UP(hdf5_fail(ERR_OUTPUT, "cannot write '%s': %s", path, hdf5_reason()));
        TRY(write_box(group, p->l, p->f->time_s));
    }
    for (int k = 0; k < n; k++)
        TRY(p->ranks ? write_array_ranks(points, &list[k], &parts, &whole, p->ranks)
                     : write_array(points, &list[k], &parts));
cleanup:
    if (points >= 0)
        H5Gclose(points);
    field_blocks_free(&parts);
    field_blocks_free(&whole);
    return rc;
}

int field_file_write(const char *path, const lattice *l, const fields *f) {
    return field_file_write_ranks(path, l, f, NULL);
}

int field_file_write_ranks(const char *path, const lattice *l, const fields *f, const field_ranks *ranks) {
    fields_job p = {l, (fields *)f, ranks}; /* the cast drops `const`; write_fields does not change the fields */
    int rc;
    if (f->n_cell != l->n_cell)
        rc = fail(ERR_INTERNAL, "fields of %lld cells do not match a lattice of %lld cells (error in the program)",
                  (long long)f->n_cell, (long long)l->n_cell);
    else
        rc = !ranks || ranks->first ? hdf5_write_file(path, "VTKHDF", write_fields, &p) : write_fields(-1, path, &p);
    return ranks ? ranks->agree(rc) : rc;
}

static bool all_near(const double *a, const double *b, int n, double tolerance) {
    for (int k = 0; k < n; k++)
        if (!(fabs(a[k] - b[k]) <= tolerance))
            return false;
    return true;
}

static int check_box(hid_t group, const char *path, const lattice *l, double *time_s) {
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    int version[2], extent[6], rc;
    double origin[3], spacing[3], direction[9];
    char type[32];
    TRY(hdf5_read_attribute(group, "Version", H5T_NATIVE_INT, 2, version));
    TRY(hdf5_read_text(group, "Type", type, sizeof type));
    if (version[0] != 1 || strcmp(type, "ImageData") != 0)
        return hdf5_fail(ERR_INPUT,
                         "'%s' is VTKHDF %d.%d of type '%s'; fields must be VTKHDF 1.0 ImageData; run solve again",
                         path, version[0], version[1], type);
    TRY(hdf5_read_attribute(group, "WholeExtent", H5T_NATIVE_INT, 6, extent));
    TRY(hdf5_read_attribute(group, "Origin", H5T_NATIVE_DOUBLE, 3, origin));
    TRY(hdf5_read_attribute(group, "Spacing", H5T_NATIVE_DOUBLE, 3, spacing));
    TRY(hdf5_read_attribute(group, "Direction", H5T_NATIVE_DOUBLE, 9, direction));
    TRY(hdf5_read_attribute(group, "time_s", H5T_NATIVE_DOUBLE, 0, time_s));
    const double wanted[3] = {l->spacing_mm, l->spacing_mm, l->spacing_mm}, tolerance = 1e-6 * l->spacing_mm;
    bool same = all_near(origin, l->origin_mm, 3, tolerance) && all_near(spacing, wanted, 3, tolerance) &&
                all_near(direction, identity, 9, 1e-9);
    for (int a = 0; a < 3; a++)
        same = same && extent[2 * a] == 0 && extent[2 * a + 1] == l->dims[a] - 1;
    if (!same)
        return hdf5_fail(ERR_INPUT,
                         "the fields '%s' do not match this lattice (other box, origin or spacing); run solve again",
                         path);
cleanup:
    return rc;
}

/* Opens an array that must have the size of the lattice's box. */
static int open_array(hid_t group, const lattice *l, const field_array *a, hid_t *set) {
    const hsize_t wanted[4] = {(hsize_t)l->dims[2], (hsize_t)l->dims[1], (hsize_t)l->dims[0], (hsize_t)a->width};
    const int rank = a->width > 1 ? 4 : 3;
    hsize_t size[H5S_MAX_RANK] = {0};
    *set = H5Dopen2(group, a->name, H5P_DEFAULT);
    if (*set < 0)
        return hdf5_fail(ERR_INPUT, "the fields file has no array '%s'; run solve again", a->name);
    const hid_t space = H5Dget_space(*set);
    const int found = space >= 0 ? H5Sget_simple_extent_dims(space, size, NULL) : -1;
    if (space >= 0)
        H5Sclose(space);
    if (found != rank || memcmp(size, wanted, (size_t)rank * sizeof *size) != 0)
        return hdf5_fail(ERR_INPUT, "the field '%s' does not have the size of its box; run solve again", a->name);
    return OK;
}

/* If b->n is 0, creates the blocks with the chunk size of the data set. Otherwise checks that chunks and blocks have
 * the same size. */
static int fit_blocks(hid_t set, const lattice *l, const field_array *a, field_blocks *b) {
    const int rank = a->width > 1 ? 4 : 3;
    hsize_t shape[4] = {0};
    int side[3];
    if (!hdf5_chunk_shape(set, H5T_NATIVE_FLOAT, rank, shape) || (rank == 4 && shape[3] != (hsize_t)a->width))
        return ERR_INPUT;
    for (int k = 0; k < 3; k++) {
        side[k] = (int)shape[2 - k]; /* HDF5 refuses chunks larger than the array */
        if (side[k] < 1 || side[k] > l->dims[k])
            return ERR_INPUT;
    }
    if (b->n == 0)
        return field_blocks_create(b, l, side);
    return memcmp(side, b->side, sizeof side) == 0 ? OK : ERR_INPUT;
}

static int read_array(hid_t group, const lattice *l, const field_array *a, field_blocks *b) {
    const field_blocked data = {b, a};
    hid_t set = -1;
    int rc = open_array(group, l, a, &set);
    if (rc == OK)
        rc = fit_blocks(set, l, a, b);
    if (rc == OK) {
        const hdf5_chunks all = field_blocks_chunks(&data);
        rc = hdf5_chunks_read(set, &all);
    }
    if (set >= 0)
        H5Dclose(set);
    return rc == ERR_INPUT ? hdf5_fail(ERR_INPUT, "the field '%s' is damaged; run solve again", a->name) : rc;
}

static int read_fields(hid_t group, const char *path, void *data) {
    const fields_job *p = data;
    field_array list[ARRAY_COUNT];
    double time_s;
    field_blocks parts = {0};
    hid_t points = -1;
    int rc;
    points = H5Gopen2(group, "PointData", H5P_DEFAULT);
    if (points < 0)
        GIVE_UP(hdf5_fail(ERR_INPUT, "'%s' is not a fields file: it has no group 'VTKHDF/PointData'; run solve again",
                          path));
    TRY(check_box(group, path, p->l, &time_s));
    TRY(fields_create(p->f, p->l->n_cell));
    p->f->time_s = time_s;
    if (H5Lexists(points, "temperature_c", H5P_DEFAULT) > 0)
        TRY(fields_add_temperature(p->f));
    const int n = list_arrays(p->f, list);
    for (int k = 0; k < n; k++)
        if (list[k].value)
            TRY(read_array(points, p->l, &list[k], &parts));
cleanup:
    if (points >= 0)
        H5Gclose(points);
    field_blocks_free(&parts);
    return rc;
}

int field_file_read(const char *path, const lattice *l, fields *f) {
    memset(f, 0, sizeof *f);
    fields_job p = {l, f, NULL};
    const int rc = hdf5_read_file(path, "fields file", "VTKHDF", read_fields, &p);
    if (rc != OK)
        fields_free(f);
    return rc;
}
