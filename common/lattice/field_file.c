/* See field_file.h. VTKHDF: "VTK file formats", https://docs.vtk.org/en/latest/design_documents/VTKFileFormats.html */
#include "common/lattice/field_file.h"
#include "common/record/hdf5_util.h"
#include "common/base/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SLAB = 8 }; /* planes of the box in memory at once: one chunk of the file */

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

/* One point array of the file: its values at the cells, and what it is outside the fluid. */
typedef struct {
    const char *name;
    int width;
    float outside;
    float *value; /* [n_cell][width]; NULL: solid_fraction from the lattice */
} point_array;
enum { ARRAY_COUNT = 5 }; /* the last one where there is a temperature */

/* Returns how many there are. */
static int list_arrays(const fields *f, point_array list[ARRAY_COUNT]) {
    const point_array all[ARRAY_COUNT] = {{"velocity_m_s", 3, 0, f->velocity_m_s},
                                          {"pressure_pa", 1, NAN, f->pressure_pa},
                                          {"solid_fraction", 1, 1, NULL},
                                          {"stress_pa", 6, 0, f->stress_pa},
                                          {"temperature_c", 1, NAN, f->temperature_c}};
    memcpy(list, all, sizeof all);
    return f->temperature_c ? ARRAY_COUNT : ARRAY_COUNT - 1;
}

/* A slab of `planes` planes from plane z, and the cells in it. */
typedef struct {
    const lattice *l;
    int z, planes;
    int64_t first, last; /* cells, last is one beyond */
} slab;

static slab slab_first(const lattice *l) {
    return (slab){.l = l, .z = -SLAB};
}

static bool slab_next(slab *s) {
    const lattice *l = s->l;
    s->z += SLAB;
    if (s->z >= l->dims[2])
        return false;
    s->planes = l->dims[2] - s->z < SLAB ? l->dims[2] - s->z : SLAB;
    s->first = s->last;
    while (s->last < l->n_cell && l->cell[3 * s->last + 2] < s->z + s->planes)
        s->last++;
    return true;
}

static size_t slab_place(const slab *s, int64_t cell) {
    const int32_t *xyz = s->l->cell + 3 * cell;
    return ((size_t)(xyz[2] - s->z) * (size_t)s->l->dims[1] + (size_t)xyz[1]) * (size_t)s->l->dims[0] + (size_t)xyz[0];
}

static void fill_slab(const slab *s, const point_array *a, float *box) {
    size_t n = (size_t)s->planes * (size_t)s->l->dims[1] * (size_t)s->l->dims[0] * (size_t)a->width;
    for (size_t k = 0; k < n; k++)
        box[k] = a->outside;
    for (int64_t c = s->first; c < s->last; c++) {
        float *to = box + slab_place(s, c) * (size_t)a->width;
        if (a->value)
            memcpy(to, a->value + c * a->width, (size_t)a->width * sizeof *to);
        else
            *to = (float)s->l->solid[c] / LATTICE_SUBCELL_COUNT;
    }
}

/* Memory and file space of a slab; both are closed by the caller. */
static hid_t slab_spaces(const slab *s, int width, hid_t set, hid_t *in_file) {
    hsize_t start[4] = {(hsize_t)s->z, 0, 0, 0};
    hsize_t size[4] = {(hsize_t)s->planes, (hsize_t)s->l->dims[1], (hsize_t)s->l->dims[0], (hsize_t)width};
    int rank = width > 1 ? 4 : 3;
    *in_file = H5Dget_space(set);
    if (*in_file >= 0)
        H5Sselect_hyperslab(*in_file, H5S_SELECT_SET, start, NULL, size, NULL);
    return H5Screate_simple(rank, size, NULL);
}

static hid_t create_array(hid_t group, const lattice *l, const point_array *a) {
    int rank = a->width > 1 ? 4 : 3;
    hsize_t size[4] = {(hsize_t)l->dims[2], (hsize_t)l->dims[1], (hsize_t)l->dims[0], (hsize_t)a->width};
    hsize_t chunk[4] = {size[0] < SLAB ? size[0] : SLAB, size[1], size[2], size[3]};
    hid_t space = H5Screate_simple(rank, size, NULL), list = hdf5_compressed(rank, size, chunk), set = -1;
    if (space >= 0 && list >= 0)
        set = H5Dcreate2(group, a->name, H5T_NATIVE_FLOAT, space, H5P_DEFAULT, list, H5P_DEFAULT);
    if (space >= 0)
        H5Sclose(space);
    if (list >= 0)
        H5Pclose(list);
    return set;
}

static int write_array(hid_t group, const lattice *l, const point_array *a, float *box) {
    hid_t set = create_array(group, l, a);
    bool good = set >= 0;
    for (slab s = slab_first(l); good && slab_next(&s);) {
        hid_t in_file, in_memory = slab_spaces(&s, a->width, set, &in_file);
        fill_slab(&s, a, box);
        good = H5Dwrite(set, H5T_NATIVE_FLOAT, in_memory, in_file, H5P_DEFAULT, box) >= 0;
        H5Sclose(in_memory);
        H5Sclose(in_file);
    }
    if (set >= 0 && H5Dclose(set) < 0)
        good = false;
    return good ? OK : hdf5_fail(ERR_OUTPUT, "cannot write the field '%s': is the disk full?", a->name);
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
    TRY(hdf5_write_text(group, "unit", "mm"));
cleanup:
    return rc;
}

/* Room for one slab of the widest array. */
static float *allocate_slab(const lattice *l) {
    double planes = l->dims[2] < SLAB ? l->dims[2] : SLAB, bytes = planes * l->dims[1] * l->dims[0] * 6 * sizeof(float);
    float *box = bytes < 1e12 ? malloc((size_t)bytes) : NULL;
    if (!box)
        fail_memory("a part of the fields", bytes);
    return box;
}

/* The lattice and its fields. */
typedef struct {
    const lattice *l;
    fields *f;
} pair;

static int write_fields(hid_t group, const char *path, void *data) {
    const pair *p = data;
    point_array list[ARRAY_COUNT];
    float *box = allocate_slab(p->l);
    hid_t points = -1;
    int rc = ERR_RESOURCE;
    if (!box)
        goto cleanup;
    const int n = list_arrays(p->f, list);
    points = H5Gcreate2(group, "PointData", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (points < 0)
        GIVE_UP(hdf5_fail(ERR_OUTPUT, "cannot write '%s': is the disk full?", path));
    TRY(write_box(group, p->l, p->f->time_s));
    for (int k = 0; k < n; k++)
        TRY(write_array(points, p->l, &list[k], box));
cleanup:
    if (points >= 0)
        H5Gclose(points);
    free(box);
    return rc;
}

int field_file_write(const char *path, const lattice *l, const fields *f) {
    pair p = {l, (fields *)f}; /* write_fields only reads it */
    if (f->n_cell != l->n_cell)
        return fail(ERR_INTERNAL, "fields of %lld cells do not belong to a lattice of %lld cells", (long long)f->n_cell,
                    (long long)l->n_cell);
    return hdf5_write_file(path, "VTKHDF", write_fields, &p);
}

static bool near(const double *a, const double *b, int n, double tolerance) {
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
        return hdf5_fail(ERR_INPUT, "'%s' is VTKHDF %d.%d of type '%s', fields are VTKHDF 1.0 ImageData", path,
                         version[0], version[1], type);
    TRY(hdf5_read_attribute(group, "WholeExtent", H5T_NATIVE_INT, 6, extent));
    TRY(hdf5_read_attribute(group, "Origin", H5T_NATIVE_DOUBLE, 3, origin));
    TRY(hdf5_read_attribute(group, "Spacing", H5T_NATIVE_DOUBLE, 3, spacing));
    TRY(hdf5_read_attribute(group, "Direction", H5T_NATIVE_DOUBLE, 9, direction));
    TRY(hdf5_read_attribute(group, "time_s", H5T_NATIVE_DOUBLE, 0, time_s));
    const double wanted[3] = {l->spacing_mm, l->spacing_mm, l->spacing_mm}, tolerance = 1e-6 * l->spacing_mm;
    bool same = near(origin, l->origin_mm, 3, tolerance) && near(spacing, wanted, 3, tolerance) &&
                near(direction, identity, 9, 1e-9);
    for (int a = 0; a < 3; a++)
        same = same && extent[2 * a] == 0 && extent[2 * a + 1] == l->dims[a] - 1;
    if (!same)
        return hdf5_fail(ERR_INPUT,
                         "the fields '%s' do not lie on this lattice (another box, origin or spacing): run solve "
                         "again",
                         path);
cleanup:
    return rc;
}

static int read_array(hid_t group, const lattice *l, const point_array *a, float *box) {
    hsize_t size[4];
    const hsize_t wanted[4] = {(hsize_t)l->dims[2], (hsize_t)l->dims[1], (hsize_t)l->dims[0], (hsize_t)a->width};
    int rank = a->width > 1 ? 4 : 3;
    int rc = hdf5_array_size(group, a->name, rank, size);
    if (rc != OK)
        return rc;
    if (memcmp(size, wanted, (size_t)rank * sizeof *size) != 0)
        return hdf5_fail(ERR_INPUT, "the field '%s' does not have the size of its box", a->name);
    hid_t set = H5Dopen2(group, a->name, H5P_DEFAULT);
    bool good = set >= 0;
    for (slab s = slab_first(l); good && slab_next(&s);) {
        hid_t in_file, in_memory = slab_spaces(&s, a->width, set, &in_file);
        good = H5Dread(set, H5T_NATIVE_FLOAT, in_memory, in_file, H5P_DEFAULT, box) >= 0;
        for (int64_t c = s.first; good && c < s.last; c++)
            memcpy(a->value + c * a->width, box + slab_place(&s, c) * (size_t)a->width, (size_t)a->width * sizeof *box);
        H5Sclose(in_memory);
        H5Sclose(in_file);
    }
    if (set >= 0)
        H5Dclose(set);
    return good ? OK : hdf5_fail(ERR_INPUT, "the field '%s' is damaged", a->name);
}

static int read_fields(hid_t group, const char *path, void *data) {
    const pair *p = data;
    point_array list[ARRAY_COUNT];
    double time_s;
    float *box = allocate_slab(p->l);
    hid_t points = -1;
    int rc = ERR_RESOURCE;
    if (!box)
        goto cleanup;
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
            TRY(read_array(points, p->l, &list[k], box));
cleanup:
    if (points >= 0)
        H5Gclose(points);
    free(box);
    return rc;
}

int field_file_read(const char *path, const lattice *l, fields *f) {
    memset(f, 0, sizeof *f);
    pair p = {l, f};
    const int rc = hdf5_read_file(path, "fields file", "VTKHDF", read_fields, &p);
    if (rc != OK)
        fields_free(f);
    return rc;
}
