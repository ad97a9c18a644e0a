/* SPDX-License-Identifier: Apache-2.0 */
/* fields.vtkhdf: round trip, what stands outside the fluid, and files that do not belong to the lattice. */
#include "common/lattice/field_file.h"
#include "common/base/file.h"
#include "common/record/hdf5_chunk.h"
#include "common/record/hdf5_seal.h"
#include "common/record/hdf5_util.h"
#include "common/base/status.h"
#include "tests/unit/common/lattice_sample.h"
#include "tests/unit/temp.h"
#include <hdf5.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void fill(fields *f, int64_t n) {
    assert_int_equal(fields_create(f, n), OK);
    f->time_s = 0.375;
    for (int64_t k = 0; k < 6 * n; k++)
        f->stress_pa[k] = (float)sin((double)k);
    for (int64_t k = 0; k < 3 * n; k++)
        f->velocity_m_s[k] = (float)cos((double)k);
    for (int64_t k = 0; k < n; k++)
        f->pressure_pa[k] = (float)k * 10;
    f->pressure_pa[n / 2] = NAN; /* a stored cell that was not active */
}

static void test_round_trip(void **state) {
    (void)state;
    lattice l;
    fields a, b;
    assert_int_equal(lattice_sample(&l, 37), OK);
    fill(&a, l.n_cell);
    assert_int_equal(field_file_write(temp_path("f.vtkhdf"), &l, &a), OK);
    assert_int_equal(field_file_read(temp_path("f.vtkhdf"), &l, &b), OK);
    size_t n = (size_t)l.n_cell;
    assert_true(b.time_s == 0.375 && b.n_cell == l.n_cell);
    assert_memory_equal(a.velocity_m_s, b.velocity_m_s, 3 * n * sizeof(float));
    assert_memory_equal(a.stress_pa, b.stress_pa, 6 * n * sizeof(float));
    for (size_t k = 0; k < n; k++)
        assert_true(a.pressure_pa[k] == b.pressure_pa[k] || (isnan(a.pressure_pa[k]) && isnan(b.pressure_pa[k])));
    fields_free(&a);
    fields_free(&b);
    fields_free(&b);
    lattice_free(&l);
}

static void read_whole(hid_t file, const char *name, float *box) {
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    assert_true(H5Dread(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, box) >= 0);
    H5Dclose(set);
}

/* The file as another program sees it: a box, x fastest, z over more than one slab. */
static void test_layout(void **state) {
    (void)state;
    enum { NX = 3, NY = 6, NZ = 6 };
    static float velocity[NZ][NY][NX][3], solid[NZ][NY][NX], pressure[NZ][NY][NX];
    lattice l;
    fields f;
    assert_int_equal(lattice_sample(&l, NX), OK);
    fill(&f, l.n_cell);
    assert_int_equal(field_file_write(temp_path("l.vtkhdf"), &l, &f), OK);
    hid_t file = H5Fopen(temp_path("l.vtkhdf"), H5F_ACC_RDONLY, H5P_DEFAULT);
    read_whole(file, "VTKHDF/PointData/velocity_m_s", &velocity[0][0][0][0]);
    read_whole(file, "VTKHDF/PointData/solid_fraction", &solid[0][0][0]);
    read_whole(file, "VTKHDF/PointData/pressure_pa", &pressure[0][0][0]);
    H5Fclose(file);
    int64_t c = 0;
    for (int z = 0; z < NZ; z++)
        for (int y = 0; y < NY; y++)
            for (int x = 0; x < NX; x++) {
                const int32_t *at = l.cell + 3 * c;
                if (c < l.n_cell && at[0] == x && at[1] == y && at[2] == z) {
                    assert_memory_equal(velocity[z][y][x], f.velocity_m_s + 3 * c, 3 * sizeof(float));
                    assert_true(solid[z][y][x] == (float)l.solid[c] / 512);
                    c++;
                } else {
                    assert_true(velocity[z][y][x][0] == 0 && velocity[z][y][x][2] == 0);
                    assert_true(solid[z][y][x] == 1 && isnan(pressure[z][y][x]));
                }
            }
    assert_int_equal(c, l.n_cell);
    fields_free(&f);
    lattice_free(&l);
}

static void assert_same(const fields *a, const fields *b) {
    const size_t n = (size_t)a->n_cell;
    assert_int_equal(a->n_cell, b->n_cell);
    assert_memory_equal(a->velocity_m_s, b->velocity_m_s, 3 * n * sizeof(float));
    assert_memory_equal(a->stress_pa, b->stress_pa, 6 * n * sizeof(float));
    for (size_t k = 0; k < n; k++)
        assert_true(a->pressure_pa[k] == b->pressure_pa[k] || (isnan(a->pressure_pa[k]) && isnan(b->pressure_pa[k])));
}

/* A slanted line of cells in a box of 3 x 1 x 3 chunks, the last ones not full. */
static void make_line(lattice *l, fields *f) {
    assert_int_equal(lattice_create(l, 70, 0, 0), OK);
    l->spacing_mm = 1;
    l->dims[0] = l->dims[2] = 70;
    l->dims[1] = 2;
    for (int k = 0; k < 70; k++) {
        l->cell[3 * k] = k;
        l->cell[3 * k + 1] = k % 2;
        l->cell[3 * k + 2] = k;
    }
    fill(f, 70);
}

/* Only the chunks with cells are stored; what another program reads elsewhere is what is outside the fluid. */
static void test_blocks(void **state) {
    (void)state;
    static float pressure[70][2][70];
    lattice l;
    fields a, b;
    hsize_t n = 0;
    make_line(&l, &a);
    assert_int_equal(field_file_write(temp_path("s.vtkhdf"), &l, &a), OK);
    assert_int_equal(field_file_read(temp_path("s.vtkhdf"), &l, &b), OK);
    assert_same(&a, &b);
    hid_t file = H5Fopen(temp_path("s.vtkhdf"), H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t set = H5Dopen2(file, "VTKHDF/PointData/stress_pa", H5P_DEFAULT);
    hid_t space = H5Dget_space(set);
    assert_true(H5Dget_num_chunks(set, space, &n) >= 0 && n == 3);
    H5Sclose(space);
    H5Dclose(set);
    read_whole(file, "VTKHDF/PointData/pressure_pa", &pressure[0][0][0]);
    H5Fclose(file);
    for (int z = 0; z < 70; z++)
        for (int x = 0; x < 70; x++)
            assert_true(x == z ? z == 35 || pressure[z][z % 2][x] == (float)z * 10 : isnan(pressure[z][0][x]));
    fields_free(&a);
    fields_free(&b);
    lattice_free(&l);
}

/* The array again in chunks of 8 whole planes, as earlier versions wrote it; empty: none of its values. */
static void store_planes(hid_t points, const char *name, int width, bool empty) {
    static float value[70 * 2 * 70 * 6];
    const hsize_t size[4] = {70, 2, 70, (hsize_t)width}, chunk[4] = {8, 2, 70, (hsize_t)width};
    const int rank = width > 1 ? 4 : 3;
    read_whole(points, name, value);
    H5Ldelete(points, name, H5P_DEFAULT);
    hid_t space = H5Screate_simple(rank, size, NULL), list = hdf5_create_compressed_list(rank, size, chunk);
    hid_t set = H5Dcreate2(points, name, H5T_NATIVE_FLOAT, space, H5P_DEFAULT, list, H5P_DEFAULT);
    assert_true(empty || H5Dwrite(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0);
    H5Dclose(set);
    H5Sclose(space);
    H5Pclose(list);
}

static void refuse(const char *path, const lattice *l, const char *words);

static void test_other_chunks(void **state) {
    (void)state;
    lattice l;
    fields a, b;
    char path[512];
    make_line(&l, &a);
    strcpy(path, temp_path("p.vtkhdf"));
    for (int k = 0; k < 3; k++) {
        assert_int_equal(field_file_write(path, &l, &a), OK);
        hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        hid_t points = H5Gopen2(file, "VTKHDF/PointData", H5P_DEFAULT);
        store_planes(points, "velocity_m_s", 3, false);
        store_planes(points, "stress_pa", 6, false);
        if (k != 1) /* 1: of one array others than of the rest; 2: its values are missing */
            store_planes(points, "pressure_pa", 1, k == 2);
        H5Gclose(points);
        H5Fclose(file);
        assert_int_equal(hdf5_seal(path, path), OK);
        if (k > 0) {
            refuse(path, &l, k == 1 ? "'pressure_pa' is damaged" : "a part of an array is damaged");
            continue;
        }
        assert_int_equal(field_file_read(path, &l, &b), OK);
        assert_same(&a, &b);
        fields_free(&b);
    }
    fields_free(&a);
    lattice_free(&l);
}

static void refuse(const char *path, const lattice *l, const char *words) {
    fields f;
    status_clear();
    assert_int_equal(field_file_read(path, l, &f), ERR_INPUT);
    assert_null(f.velocity_m_s);
    if (!strstr(status_message(), words))
        fail_msg("\"%s\" has no \"%s\"", status_message(), words);
    status_clear();
}

static void test_refused(void **state) {
    (void)state;
    lattice l;
    fields f;
    char *data, path[512];
    size_t size;
    assert_int_equal(lattice_sample(&l, 6), OK);
    fill(&f, l.n_cell);
    strcpy(path, temp_path("r.vtkhdf"));
    assert_int_equal(field_file_write(path, &l, &f), OK);
    l.origin_mm[0] += 1e-3;
    refuse(path, &l, "do not match this lattice");
    l.origin_mm[0] -= 1e-3;
    l.spacing_mm *= 1.001;
    refuse(path, &l, "do not match this lattice");
    l.spacing_mm /= 1.001;
    l.dims[2]++;
    refuse(path, &l, "do not match this lattice");
    l.dims[2]--;
    refuse(temp_path("none"), &l, "No such file");
    refuse(temp_text("text", "x"), &l, "not a complete fields file");
    assert_int_equal(file_read(path, 1 << 24, &data, &size), OK);
    refuse(temp_write("cut", data, size / 2), &l, "not a complete fields file");
    for (size_t at = 100; at < size; at += 131) {
        data[at] ^= 0x20;
        refuse(temp_write("bent", data, size), &l, "not a complete fields file");
        data[at] ^= 0x20;
    }
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    H5Ldelete(file, "VTKHDF/PointData/pressure_pa", H5P_DEFAULT);
    H5Fclose(file);
    assert_int_equal(hdf5_seal(path, path), OK);
    refuse(path, &l, "no array 'pressure_pa'");
    f.n_cell--;
    assert_int_equal(field_file_write(path, &l, &f), ERR_INTERNAL);
    status_clear();
    f.n_cell++;
    assert_int_equal(field_file_write(temp_path("none/f"), &l, &f), ERR_OUTPUT);
    status_clear();
    free(data);
    fields_free(&f);
    lattice_free(&l);
}

/* A file under a right seal whose box or arrays are not those of fields. */
static void test_other_contents(void **state) {
    (void)state;
    static const hsize_t small[3] = {1, 1, 1};
    lattice l;
    fields f;
    char path[512];
    assert_int_equal(lattice_sample(&l, 6), OK);
    fill(&f, l.n_cell);
    strcpy(path, temp_path("o.vtkhdf"));
    for (int k = 0; k < 3; k++) {
        assert_int_equal(field_file_write(path, &l, &f), OK);
        hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        if (k == 0)
            H5Ldelete(file, "VTKHDF/PointData", H5P_DEFAULT);
        if (k == 1) {
            const int version[2] = {2, 0};
            const hsize_t two = 2;
            hid_t group = H5Gopen2(file, "VTKHDF", H5P_DEFAULT), space = H5Screate_simple(1, &two, NULL);
            H5Adelete(group, "Version");
            hid_t attribute = H5Acreate2(group, "Version", H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT);
            assert_true(H5Awrite(attribute, H5T_NATIVE_INT, version) >= 0);
            H5Aclose(attribute);
            H5Sclose(space);
            H5Gclose(group);
        }
        if (k == 2) {
            H5Ldelete(file, "VTKHDF/PointData/pressure_pa", H5P_DEFAULT);
            hid_t space = H5Screate_simple(3, small, NULL);
            H5Dclose(H5Dcreate2(file, "VTKHDF/PointData/pressure_pa", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, H5P_DEFAULT,
                                H5P_DEFAULT));
            H5Sclose(space);
        }
        H5Fclose(file);
        assert_int_equal(hdf5_seal(path, path), OK);
        refuse(path, &l, k == 0 ? "no group 'VTKHDF/PointData'" : k == 1 ? "is VTKHDF 2.0" : "'pressure_pa'");
    }
    assert_int_equal(field_file_write("/dev/full", &l, &f), ERR_OUTPUT);
    status_clear();
    fields_free(&f);
    lattice_free(&l);
}

/* A chunk that was packed here is the one that HDF5 makes, byte for byte, and comes back; a damaged one does not. */
static void test_packed_alike(void **state) {
    (void)state;
    enum { N = 8 * 9 * 10 };
    const hsize_t size[3] = {8, 9, 10}, place[3] = {0};
    static float value[N];
    static uint8_t theirs[8 * N];
    hdf5_chunk c;
    uint32_t left_out = 1;
    hsize_t stored = 0;
    for (int k = 0; k < N; k++)
        value[k] = k % 3 ? sinf((float)k) : NAN;
    hid_t file = H5Fcreate(temp_path("c.h5"), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t space = H5Screate_simple(3, size, NULL), list = hdf5_create_compressed_list(3, size, size);
    hid_t set = H5Dcreate2(file, "a", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, list, H5P_DEFAULT);
    assert_true(H5Dwrite(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0);
    H5Dclose(set);
    set = H5Dopen2(file, "a", H5P_DEFAULT);
    assert_true(hdf5_chunk_fits(set, H5T_NATIVE_FLOAT, 3, size));
    assert_int_equal(hdf5_chunk_create(&c, sizeof value, sizeof *value), OK);
    memcpy(c.raw, value, sizeof value);
    assert_true(hdf5_chunk_pack(&c));
    assert_true(H5Dget_chunk_storage_size(set, place, &stored) >= 0 && stored == c.size && stored < sizeof theirs);
    assert_true(H5Dread_chunk(set, H5P_DEFAULT, place, &left_out, theirs) >= 0 && left_out == 0);
    assert_memory_equal(theirs, c.packed, c.size);
    memset(c.raw, 1, sizeof value);
    assert_int_equal(hdf5_chunk_read(set, place, &c), OK);
    assert_true(hdf5_chunk_unpack(&c));
    assert_memory_equal(c.raw, value, sizeof value);
    c.packed[c.size / 2] ^= 4;
    assert_false(hdf5_chunk_unpack(&c));
    hdf5_chunk_free(&c);
    H5Sclose(space);
    H5Pclose(list);
    H5Dclose(set);
    H5Fclose(file);
}

/* Large arrays, packed here, are those that HDF5 reads; and back, of rows, of parts of rows, of values of two bytes. */
static void array_alike(const char *name, hid_t type, int rank, const hsize_t size[2], const void *value,
                        size_t bytes) {
    uint8_t *theirs = calloc(bytes, 1), *ours = calloc(bytes, 1);
    hid_t file = H5Fcreate(temp_path("a.h5"), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(theirs && ours);
    assert_int_equal(hdf5_write_array(file, name, type, rank, size, value), OK);
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    assert_true(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, theirs) >= 0);
    assert_memory_equal(theirs, value, bytes);
    assert_int_equal(hdf5_read_array(file, name, type, rank, size, ours), OK);
    assert_memory_equal(ours, value, bytes);
    H5Dclose(set);
    H5Fclose(file);
    free(theirs);
    free(ours);
}

static void test_large_arrays(void **state) {
    (void)state;
    enum { N = 150001 };
    const hsize_t rows[2] = {N, 3}, parts[2] = {3, N}, one[2] = {3 * N};
    uint16_t *small = calloc(3 * N, sizeof *small);
    double *value = calloc(3 * N, sizeof *value);
    assert_true(small && value);
    for (size_t k = 0; k < 3 * N; k++) {
        value[k] = sin((double)k);
        small[k] = (uint16_t)(k * k);
    }
    array_alike("rows", H5T_NATIVE_DOUBLE, 2, rows, value, 3 * N * sizeof *value);
    array_alike("parts", H5T_NATIVE_DOUBLE, 2, parts, value, 3 * N * sizeof *value);
    array_alike("one", H5T_NATIVE_UINT16, 1, one, small, 3 * N * sizeof *small);
    free(value);
    free(small);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_packed_alike), cmocka_unit_test(test_large_arrays),
                                       cmocka_unit_test(test_round_trip),   cmocka_unit_test(test_layout),
                                       cmocka_unit_test(test_blocks),       cmocka_unit_test(test_other_chunks),
                                       cmocka_unit_test(test_refused),      cmocka_unit_test(test_other_contents)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
