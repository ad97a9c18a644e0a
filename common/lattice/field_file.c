/* See field_file.h. VTKHDF: "VTK file formats", https://docs.vtk.org/en/latest/design_documents/VTKFileFormats.html */
#include "common/lattice/field_file.h"
#include "common/record/hdf5_chunk.h"
#include "common/record/hdf5_util.h"
#include "common/base/status.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SLAB = 8, WIDEST = 6 };      /* planes of the box in a chunk of the file; values of the widest array */
static const double MEMORY = 1.5e9; /* bytes that chunks may take while they are packed, where more than one fits */

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

/* A slab of `planes` planes from plane z, and the cells in it: a chunk of each array. */
typedef struct {
    const lattice *l;
    int z, planes;
    int64_t first, last; /* cells, last is one beyond */
} slab;

/* All slabs of the box, and room for as many as are packed at once. */
typedef struct {
    int n, n_chunk;
    slab *slab;        /* [n] */
    hdf5_chunk *chunk; /* [n_chunk] of the widest array */
} slabs;

static int chunk_planes(const lattice *l) {
    return l->dims[2] < SLAB ? l->dims[2] : SLAB;
}

static size_t chunk_bytes(const lattice *l, int width) {
    return (size_t)chunk_planes(l) * (size_t)l->dims[1] * (size_t)l->dims[0] * (size_t)width * sizeof(float);
}

static void slabs_free(slabs *s) {
    for (int k = 0; s->chunk && k < s->n_chunk; k++)
        hdf5_chunk_free(&s->chunk[k]);
    free(s->chunk);
    free(s->slab);
    *s = (slabs){0};
}

static int slabs_create(const lattice *l, slabs *s) {
    const double bytes = (double)chunk_planes(l) * l->dims[1] * l->dims[0] * WIDEST * sizeof(float);
    int64_t cell = 0;
    int rc = OK;
    *s = (slabs){.n = (l->dims[2] + SLAB - 1) / SLAB, .n_chunk = hdf5_chunk_threads()};
    while (s->n_chunk > 1 && 3 * bytes * s->n_chunk > MEMORY)
        s->n_chunk--;
    if (s->n_chunk > s->n)
        s->n_chunk = s->n;
    s->slab = calloc((size_t)s->n, sizeof *s->slab);
    s->chunk = calloc((size_t)s->n_chunk, sizeof *s->chunk);
    if (!s->slab || !s->chunk || bytes > 1e12)
        GIVE_UP(fail_memory("a part of the fields", bytes));
    for (int k = 0; k < s->n_chunk; k++)
        TRY(hdf5_chunk_create(&s->chunk[k], chunk_bytes(l, WIDEST), sizeof(float)));
    for (int k = 0; k < s->n; k++) {
        slab *one = &s->slab[k];
        *one = (slab){.l = l, .z = k * SLAB, .first = cell};
        one->planes = l->dims[2] - one->z < SLAB ? l->dims[2] - one->z : SLAB;
        while (cell < l->n_cell && l->cell[3 * cell + 2] < one->z + one->planes)
            cell++;
        one->last = cell;
    }
cleanup:
    if (rc != OK)
        slabs_free(s);
    return rc;
}

static size_t slab_place(const slab *s, int64_t cell) {
    const int32_t *xyz = s->l->cell + 3 * cell;
    return ((size_t)(xyz[2] - s->z) * (size_t)s->l->dims[1] + (size_t)xyz[1]) * (size_t)s->l->dims[0] + (size_t)xyz[0];
}

static void fill_slab(const slab *s, const point_array *a, float *box) {
    const size_t plane = (size_t)s->l->dims[1] * (size_t)s->l->dims[0] * (size_t)a->width;
    const size_t n = (size_t)s->planes * plane, whole = (size_t)chunk_planes(s->l) * plane;
    for (size_t k = 0; k < whole; k++)
        box[k] = k < n ? a->outside : 0;
    for (int64_t c = s->first; c < s->last; c++) {
        float *to = box + slab_place(s, c) * (size_t)a->width;
        if (a->value)
            memcpy(to, a->value + c * a->width, (size_t)a->width * sizeof *to);
        else
            *to = (float)s->l->solid[c] / LATTICE_SUBCELL_COUNT;
    }
}

static hid_t create_array(hid_t group, const lattice *l, const point_array *a) {
    int rank = a->width > 1 ? 4 : 3;
    hsize_t size[4] = {(hsize_t)l->dims[2], (hsize_t)l->dims[1], (hsize_t)l->dims[0], (hsize_t)a->width};
    hsize_t chunk[4] = {(hsize_t)chunk_planes(l), size[1], size[2], size[3]};
    hid_t space = H5Screate_simple(rank, size, NULL), list = hdf5_compressed(rank, size, chunk), set = -1;
    if (space >= 0 && list >= 0)
        set = H5Dcreate2(group, a->name, H5T_NATIVE_FLOAT, space, H5P_DEFAULT, list, H5P_DEFAULT);
    if (space >= 0)
        H5Sclose(space);
    if (list >= 0)
        H5Pclose(list);
    return set;
}

static int write_array(hid_t group, const lattice *l, const point_array *a, const slabs *s) {
    hid_t set = create_array(group, l, a);
    int rc = set >= 0 ? OK : ERR_OUTPUT;
    for (int first = 0; rc == OK && first < s->n; first += s->n_chunk) {
        const int many = s->n - first < s->n_chunk ? s->n - first : s->n_chunk;
        int lost = 0;
#pragma omp parallel for schedule(dynamic) num_threads(many) reduction(+ : lost)
        for (int k = 0; k < many; k++) {
            s->chunk[k].bytes = chunk_bytes(l, a->width);
            fill_slab(&s->slab[first + k], a, s->chunk[k].raw);
            lost += !hdf5_chunk_pack(&s->chunk[k]);
        }
        rc = lost ? ERR_OUTPUT : OK;
        for (int k = 0; k < many && rc == OK; k++) {
            const hsize_t place[4] = {(hsize_t)s->slab[first + k].z};
            rc = hdf5_chunk_write(set, place, &s->chunk[k]);
        }
    }
    if (set >= 0 && H5Dclose(set) < 0)
        rc = ERR_OUTPUT;
    return rc == OK ? OK : hdf5_fail(ERR_OUTPUT, "cannot write the field '%s': is the disk full?", a->name);
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

/* The lattice and its fields. */
typedef struct {
    const lattice *l;
    fields *f;
} pair;

static int write_fields(hid_t group, const char *path, void *data) {
    const pair *p = data;
    point_array list[ARRAY_COUNT];
    slabs parts = {0};
    hid_t points = -1;
    int rc;
    TRY(slabs_create(p->l, &parts));
    const int n = list_arrays(p->f, list);
    points = H5Gcreate2(group, "PointData", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (points < 0)
        GIVE_UP(hdf5_fail(ERR_OUTPUT, "cannot write '%s': is the disk full?", path));
    TRY(write_box(group, p->l, p->f->time_s));
    for (int k = 0; k < n; k++)
        TRY(write_array(points, p->l, &list[k], &parts));
cleanup:
    if (points >= 0)
        H5Gclose(points);
    slabs_free(&parts);
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

static void take_slab(const slab *s, const point_array *a, const float *box) {
    for (int64_t c = s->first; c < s->last; c++)
        memcpy(a->value + c * a->width, box + slab_place(s, c) * (size_t)a->width, (size_t)a->width * sizeof *box);
}

static int read_slabs(hid_t set, const lattice *l, const point_array *a, const slabs *s) {
    int rc = OK;
    for (int first = 0; rc == OK && first < s->n; first += s->n_chunk) {
        const int many = s->n - first < s->n_chunk ? s->n - first : s->n_chunk;
        int damaged = 0;
        for (int k = 0; k < many && rc == OK; k++) {
            const hsize_t place[4] = {(hsize_t)s->slab[first + k].z};
            s->chunk[k].bytes = chunk_bytes(l, a->width);
            rc = hdf5_chunk_read(set, place, &s->chunk[k]);
        }
        if (rc != OK)
            break;
#pragma omp parallel for schedule(dynamic) num_threads(many) reduction(+ : damaged)
        for (int k = 0; k < many; k++) {
            if (hdf5_chunk_unpack(&s->chunk[k]))
                take_slab(&s->slab[first + k], a, s->chunk[k].raw);
            else
                damaged++;
        }
        rc = damaged ? ERR_INPUT : OK;
    }
    return rc;
}

static int read_array(hid_t group, const lattice *l, const point_array *a, const slabs *s) {
    hsize_t size[4];
    const hsize_t wanted[4] = {(hsize_t)l->dims[2], (hsize_t)l->dims[1], (hsize_t)l->dims[0], (hsize_t)a->width};
    const hsize_t chunk[4] = {(hsize_t)chunk_planes(l), wanted[1], wanted[2], wanted[3]};
    int rank = a->width > 1 ? 4 : 3;
    int rc = hdf5_array_size(group, a->name, rank, size);
    if (rc != OK)
        return rc;
    if (memcmp(size, wanted, (size_t)rank * sizeof *size) != 0)
        return hdf5_fail(ERR_INPUT, "the field '%s' does not have the size of its box", a->name);
    hid_t set = H5Dopen2(group, a->name, H5P_DEFAULT);
    rc = set >= 0 && hdf5_chunk_fits(set, H5T_NATIVE_FLOAT, rank, chunk) ? read_slabs(set, l, a, s) : ERR_INPUT;
    if (set >= 0)
        H5Dclose(set);
    return rc == OK ? OK : hdf5_fail(ERR_INPUT, "the field '%s' is damaged", a->name);
}

static int read_fields(hid_t group, const char *path, void *data) {
    const pair *p = data;
    point_array list[ARRAY_COUNT];
    double time_s;
    slabs parts = {0};
    hid_t points = -1;
    int rc;
    TRY(slabs_create(p->l, &parts));
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
    slabs_free(&parts);
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
