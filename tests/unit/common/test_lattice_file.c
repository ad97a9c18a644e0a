/* SPDX-License-Identifier: Apache-2.0 */
/* lattice.h5: what is written is read again, and a file that is not whole is refused with a sentence. */
#include "common/base/file.h"
#include "common/record/hdf5_seal.h"
#include "common/record/hdf5_util.h"
#include "common/lattice/lattice_file.h"
#include "common/base/status.h"
#include "tests/unit/common/lattice_sample.h"
#include "tests/unit/temp.h"
#include <fcntl.h>
#include <hdf5.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>
#include <cmocka.h>

#define SAME(member, n) assert_memory_equal(a.member, b.member, (size_t)(n) * sizeof *a.member)

static void test_round_trip(void **state) {
    (void)state;
    lattice a, b;
    assert_int_equal(lattice_sample(&a, 9), OK);
    for (int64_t k = 0; k < a.n_link; k++)
        a.link_q[k] = (float)(k % 97 + 1) / 97;
    a.region[3] = 7;
    assert_int_equal(lattice_file_write(temp_path("a.h5"), &a), OK);
    assert_false(file_exists(temp_path("a.h5.part")));
    assert_int_equal(lattice_file_read(temp_path("a.h5"), &b), OK);
    assert_true(a.spacing_mm == b.spacing_mm);
    assert_memory_equal(a.origin_mm, b.origin_mm, sizeof a.origin_mm);
    assert_memory_equal(a.dims, b.dims, sizeof a.dims);
    assert_memory_equal(a.periodic, b.periodic, sizeof a.periodic);
    assert_true(a.n_cell == b.n_cell && a.n_link == b.n_link && a.n_opening == b.n_opening);
    SAME(cell, 3 * a.n_cell);
    SAME(solid, a.n_cell);
    SAME(distance_mm, a.n_cell);
    SAME(region, a.n_cell);
    SAME(link_cell, a.n_link);
    SAME(link_dir, a.n_link);
    SAME(link_q, a.n_link);
    SAME(link_opening, a.n_link);
    for (int k = 0; k < a.n_opening; k++) {
        assert_string_equal(a.opening[k].name, b.opening[k].name);
        assert_int_equal(a.opening[k].role, b.opening[k].role);
        assert_memory_equal(a.opening[k].centre_mm, b.opening[k].centre_mm, 9 * sizeof(double));
        assert_true(a.opening[k].n_link == b.opening[k].n_link);
        SAME(opening[k].profile_developed, a.opening[k].n_link);
        SAME(opening[k].profile_parabolic, a.opening[k].n_link);
    }
    lattice_free(&a);
    lattice_free(&b);
}

static void expect_type(hid_t group, const char *array, hid_t type) {
    hid_t set = H5Dopen2(group, array, H5P_DEFAULT);
    hid_t found = H5Dget_type(set);
    if (H5Tequal(found, type) <= 0)
        fail_msg("the array '%s' is not there or of another type", array);
    H5Tclose(found);
    H5Dclose(set);
}

static void read_numbers(hid_t group, const char *name, double *value) {
    hid_t attribute = H5Aopen(group, name, H5P_DEFAULT);
    assert_true(H5Aread(attribute, H5T_NATIVE_DOUBLE, value) >= 0);
    H5Aclose(attribute);
}

/* What others who read the file count on: names and types. The plane holds the centre. */
static void test_names(void **state) {
    (void)state;
    lattice l;
    assert_int_equal(lattice_sample(&l, 9), OK);
    assert_int_equal(lattice_file_write(temp_path("names.h5"), &l), OK);
    hid_t file = H5Fopen(temp_path("names.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t box = H5Gopen2(file, "lattice", H5P_DEFAULT), all = H5Gopen2(box, "opening", H5P_DEFAULT);
    const char *const attribute[] = {"spacing_mm", "origin_mm", "direction", "dims", "subcells", "version"};
    for (int k = 0; k < 6; k++)
        assert_true(H5Aexists(box, attribute[k]) > 0);
    expect_type(box, "cell", H5T_STD_I32LE);
    expect_type(box, "solid", H5T_STD_U16LE);
    expect_type(box, "region", H5T_STD_U8LE);
    expect_type(box, "link_cell", H5T_STD_I32LE);
    expect_type(box, "link_dir", H5T_STD_U8LE);
    expect_type(box, "link_q", H5T_IEEE_F32LE);
    for (int k = 0; k < l.n_opening; k++) {
        hid_t group = H5Gopen2(all, l.opening[k].name, H5P_DEFAULT);
        double plane[4], centre[3], normal[3], area, away;
        read_numbers(group, "plane", plane);
        read_numbers(group, "centre", centre);
        read_numbers(group, "normal", normal);
        read_numbers(group, "area_mm2", &area);
        assert_true(H5Aexists(group, "role") > 0 && area == l.opening[k].area_mm2);
        assert_memory_equal(centre, l.opening[k].centre_mm, sizeof centre);
        assert_memory_equal(plane, l.opening[k].normal, sizeof normal);
        assert_memory_equal(plane, normal, sizeof normal);
        away = plane[0] * centre[0] + plane[1] * centre[1] + plane[2] * centre[2] - plane[3];
        assert_true(away > -1e-9 && away < 1e-9);
        expect_type(group, "cells", H5T_STD_I32LE);
        expect_type(group, "profile_developed", H5T_IEEE_F32LE);
        H5Gclose(group);
    }
    H5Gclose(all);
    H5Gclose(box);
    H5Fclose(file);
    lattice_free(&l);
}

/* No opening, no link, periodic: arrays of length 0. */
static void test_empty(void **state) {
    (void)state;
    lattice a, b;
    assert_int_equal(lattice_create(&a, 1, 0, 0), OK);
    a.spacing_mm = a.dims[0] = a.dims[1] = a.dims[2] = 1;
    a.distance_mm[0] = -1;
    a.periodic[0] = a.periodic[1] = a.periodic[2] = true;
    assert_int_equal(lattice_file_write(temp_path("one.h5"), &a), OK);
    assert_int_equal(lattice_file_read(temp_path("one.h5"), &b), OK);
    assert_true(b.n_cell == 1 && b.n_link == 0 && b.n_opening == 0 && b.periodic[2]);
    lattice_free(&a);
    lattice_free(&b);
}

static void refuse(const char *path, const char *words) {
    lattice l;
    status_clear();
    assert_int_equal(lattice_file_read(path, &l), ERR_INPUT);
    assert_null(l.cell);
    if (!strstr(status_message(), words))
        fail_msg("\"%s\" has no \"%s\"", status_message(), words);
    status_clear();
}

static const char *sample_file(void) {
    lattice l;
    const char *path = temp_path("sample.h5");
    assert_int_equal(lattice_sample(&l, 9), OK);
    assert_int_equal(lattice_file_write(path, &l), OK);
    lattice_free(&l);
    return path;
}

static void test_not_a_lattice(void **state) {
    (void)state;
    refuse(temp_path("none.h5"), "No such file");
    refuse(temp_path("."), "a folder");
    refuse(temp_text("text.h5", "hello"), "not a complete lattice file");
    refuse(temp_text("empty.h5", ""), "not a complete lattice file");
    hid_t file = H5Fcreate(temp_path("other.h5"), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
    refuse(temp_path("other.h5"), "changed after it was written");
    assert_int_equal(hdf5_seal(temp_path("other.h5"), temp_path("other.h5")), OK);
    refuse(temp_path("other.h5"), "not a lattice file");
}

/* The file cut anywhere, and any one bit changed: refused. */
static void test_damaged(void **state) {
    (void)state;
    char *data;
    size_t size;
    assert_int_equal(file_read(sample_file(), 1 << 24, &data, &size), OK);
    for (int k = 0; k < 20; k++)
        refuse(temp_write("cut.h5", data, size * (size_t)k / 20), "not a complete lattice file");
    refuse(temp_write("cut.h5", data, size - 1), "not a complete lattice file");
    for (size_t at = 0; at < size; at += 61) {
        data[at] ^= (char)(1 << at % 8);
        refuse(temp_write("bent.h5", data, size), "not a complete lattice file");
        data[at] ^= (char)(1 << at % 8);
    }
    lattice l;
    assert_int_equal(lattice_file_read(temp_write("same.h5", data, size), &l), OK);
    lattice_free(&l);
    free(data);
}

/* A lock that another program holds, or a file system without locks, does not prevent reading. */
static void needs_no_lock(void **state) {
    lattice l;
    const int held = open(sample_file(), O_RDONLY);
    assert_true(held >= 0 && flock(held, LOCK_EX) == 0);
    assert_int_equal(lattice_file_read(sample_file(), &l), OK);
    close(held);
    lattice_free(&l);
    (void)state;
}

/* Change one value of the good file through the library. */
static void change(const char *array, const char *attribute, int value) {
    hid_t file = H5Fopen(temp_path("sample.h5"), H5F_ACC_RDWR, H5P_DEFAULT);
    if (attribute) {
        hid_t group = H5Gopen2(file, "lattice", H5P_DEFAULT), a = H5Aopen(group, attribute, H5P_DEFAULT);
        assert_true(H5Awrite(a, H5T_NATIVE_INT, &value) >= 0);
        H5Aclose(a);
        H5Gclose(group);
    } else {
        hid_t set = H5Dopen2(file, array, H5P_DEFAULT), space = H5Dget_space(set), one = H5Screate(H5S_SCALAR);
        hsize_t first = 0;
        H5Sselect_elements(space, H5S_SELECT_SET, 1, &first);
        assert_true(H5Dwrite(set, H5T_NATIVE_INT, one, space, H5P_DEFAULT, &value) >= 0);
        H5Sclose(one);
        H5Sclose(space);
        H5Dclose(set);
    }
    H5Fclose(file);
    assert_int_equal(hdf5_seal(temp_path("sample.h5"), temp_path("sample.h5")), OK);
}

static void erase(const char *name) {
    hid_t file = H5Fopen(temp_path("sample.h5"), H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(H5Ldelete(file, name, H5P_DEFAULT) >= 0);
    H5Fclose(file);
    assert_int_equal(hdf5_seal(temp_path("sample.h5"), temp_path("sample.h5")), OK);
}

static void test_wrong_values(void **state) {
    (void)state;
    const char *path = sample_file();
    char kept[512];
    strcpy(kept, path);
    change(NULL, "version", 2);
    refuse(kept, "of version 2, this program reads version 1");
    sample_file();
    change(NULL, "subcells", 4);
    refuse(kept, "4 subcells");
    sample_file();
    change("lattice/link_cell", NULL, 100000);
    refuse(kept, "link 0 of the lattice starts at cell 100000");
    sample_file();
    change("lattice/link_opening", NULL, 9);
    refuse(kept, "values, but");
    sample_file();
    erase("lattice/solid");
    refuse(kept, "no array 'solid'");
    sample_file();
    erase("lattice/opening/SMV/profile_developed");
    refuse(kept, "no array 'profile_developed'");
    sample_file();
    erase("lattice/opening/SMV");
    refuse(kept, "opening");
    sample_file();
    erase("lattice/opening");
    refuse(kept, "run mesh again");
}

/* An array that claims 16 GB of values but stores none is not taken at its word. */
static void test_claims(void **state) {
    (void)state;
    char path[512];
    strcpy(path, sample_file());
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    H5Ldelete(file, "lattice/cell", H5P_DEFAULT);
    const hsize_t size[2] = {1300000000, 3}, chunk[2] = {65536, 3};
    hid_t space = H5Screate_simple(2, size, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(list, 2, chunk);
    hid_t set = H5Dcreate2(file, "lattice/cell", H5T_NATIVE_INT32, space, H5P_DEFAULT, list, H5P_DEFAULT);
    assert_true(set >= 0);
    H5Dclose(set);
    H5Pclose(list);
    H5Sclose(space);
    H5Fclose(file);
    assert_int_equal(hdf5_seal(path, path), OK);
    refuse(path, "its values are missing");
}

static void test_cannot_write(void **state) {
    (void)state;
    lattice l;
    assert_int_equal(lattice_sample(&l, 5), OK);
    status_clear();
    assert_int_equal(lattice_file_write(temp_path("none/a.h5"), &l), ERR_OUTPUT);
    assert_non_null(strstr(status_message(), "a.h5"));
    status_clear();
    l.link_q[0] = 2; /* nothing wrong is ever written */
    assert_int_equal(lattice_file_write(temp_path("wrong.h5"), &l), ERR_INPUT);
    assert_false(file_exists(temp_path("wrong.h5")));
    status_clear();
    lattice_free(&l);
}

/* What is not there, has another shape, or cannot be written: one sentence each. */
static void test_arrays_and_attributes(void **state) {
    (void)state;
    double x[4] = {1, 2, 3, 4};
    char text[20];
    hsize_t size[2] = {2, 2}, found[2];
    hid_t file = H5Fcreate(temp_path("arrays.h5"), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(file >= 0);
    assert_int_equal(hdf5_write_uncompressed(file, "square", H5T_NATIVE_DOUBLE, 2, size, x), OK);
    assert_int_equal(hdf5_write_attribute(file, "four", H5T_NATIVE_DOUBLE, 4, x), OK);
    H5E_BEGIN_TRY { /* HDF5 prints what it finds */
        const struct {
            int rc, wanted;
        } row[] = {{hdf5_array_size(file, "square", 1, found), ERR_INPUT},
                   {hdf5_array_size(file, "none", 1, found), ERR_INPUT},
                   {hdf5_read_attribute(file, "none", H5T_NATIVE_DOUBLE, 1, x), ERR_INPUT},
                   {hdf5_read_attribute(file, "four", H5T_NATIVE_DOUBLE, 3, x), ERR_INPUT},
                   {hdf5_read_text(file, "none", text, sizeof text), ERR_INPUT},
                   {hdf5_read_text(file, "four", text, sizeof text), ERR_INPUT},
                   {hdf5_write_attribute(file, "four", H5T_NATIVE_DOUBLE, 4, x), ERR_OUTPUT},
                   {hdf5_write_array(file, "square", H5T_NATIVE_DOUBLE, 2, size, x), ERR_OUTPUT},
                   {hdf5_write_uncompressed(file, "square", H5T_NATIVE_DOUBLE, 2, size, x), ERR_OUTPUT}};
        for (size_t k = 0; k < sizeof row / sizeof *row; k++)
            assert_int_equal(row[k].rc, row[k].wanted);
    }
    H5E_END_TRY
    assert_true(strlen(status_message()) > 10);
    status_clear();
    H5Fclose(file);
}

/* The slots of a checkpoint: few rows, of any length. */
static void test_long_rows(void **state) {
    (void)state;
    enum { ROWS = 3, COLUMNS = 70001 };
    static float x[ROWS * COLUMNS], y[ROWS * COLUMNS];
    const hsize_t large[2] = {19, 300000000}, size[2] = {ROWS, COLUMNS};
    hsize_t chunk[2] = {0};
    for (size_t k = 0; k < sizeof x / sizeof *x; k++)
        x[k] = (float)k;
    hid_t file = H5Fcreate(temp_path("rows.h5"), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t list = hdf5_create_compressed_list(2, large, NULL), space = H5Screate_simple(2, large, NULL);
    hid_t set = H5Dcreate2(file, "large", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, list, H5P_DEFAULT);
    assert_true(set >= 0); /* HDF5 takes no chunk of 4 GB */
    assert_int_equal(H5Pget_chunk(list, 2, chunk), 2);
    assert_true(chunk[0] * chunk[1] <= 65536);
    assert_int_equal(hdf5_write_array(file, "rows", H5T_NATIVE_FLOAT, 2, size, x), OK);
    assert_int_equal(hdf5_read_array(file, "rows", H5T_NATIVE_FLOAT, 2, size, y), OK);
    assert_memory_equal(x, y, sizeof x);
    H5Dclose(set);
    H5Sclose(space);
    H5Pclose(list);
    H5Fclose(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arrays_and_attributes),
        cmocka_unit_test(test_long_rows),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_not_a_lattice),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(needs_no_lock),
        cmocka_unit_test(test_claims),
        cmocka_unit_test(test_wrong_values),
        cmocka_unit_test(test_cannot_write),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
