/* SPDX-License-Identifier: Apache-2.0 */
/* Refusals of lattices and fields that a disk or a forger makes: no room at each size, arrays that do not unpack under
 * a right seal, more openings than a lattice has. */
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/lattice/field_file.h"
#include "common/lattice/lattice_file.h"
#include "common/record/hdf5_seal.h"
#include "tests/unit/common/lattice_sample.h"
#include "tests/unit/temp.h"
#include <hdf5.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <cmocka.h>

/* Write with room for so many bytes: 0 when it was refused with the reason and nothing is left, 1 when it fitted, else
 * 2. */
static int write_within(rlim_t bytes, const lattice *l, const fields *f) {
    const struct rlimit limit = {bytes, RLIM_INFINITY};
    const char *path = temp_path("full.h5");
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    const int rc = f ? field_file_write(path, l, f) : lattice_file_write(path, l);
    if (rc == OK)
        return 1;
    if (rc == ERR_OUTPUT && strstr(status_message(), "full.h5") && strstr(status_message(), "File too large") &&
        !file_exists(path) && !file_exists(temp_path("full.h5.part")))
        return 0;
    fprintf(stderr, "%llu bytes: %s\n", (unsigned long long)bytes, status_message());
    return 2;
}

static void no_room(void **state) {
    (void)state;
    lattice l;
    fields f;
    temp_path("x");
    assert_int_equal(lattice_sample(&l, 400), OK);
    assert_int_equal(fields_create(&f, l.n_cell), OK);
    for (int64_t k = 0; k < 3 * l.n_cell; k++)
        f.velocity_m_s[k] = (float)(k * k % 1009);
    for (int what = 0; what < 2; what++) {
        int refused = 0, state_of = 0;
        for (rlim_t bytes = 0; bytes < 4000000; bytes = bytes * 5 / 4 + 50) {
            fflush(stdout);
            const pid_t child = fork(); /* HDF5 keeps what it could not write */
            if (child == 0) {
                const struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY}; /* for what a build for coverage writes */
                const int found = write_within(bytes, &l, what ? &f : NULL);
                setrlimit(RLIMIT_FSIZE, &all);
                _exit(found);
            }
            assert_int_equal(waitpid(child, &state_of, 0), child);
            assert_true(WIFEXITED(state_of));
            assert_in_range(WEXITSTATUS(state_of), 0, 1);
            refused += WEXITSTATUS(state_of) == 0;
            if (WEXITSTATUS(state_of) == 1)
                break;
        }
        assert_int_equal(WEXITSTATUS(state_of), 1);
        unlink(temp_path("full.h5"));
        assert_true(refused > 10);
    }
    fields_free(&f);
    lattice_free(&l);
}

/* An array's first piece as bytes that do not unpack, under a right seal. */
static void not_unpacked(void **state) {
    (void)state;
    static const char *const name[] = {"lattice/cell", "lattice/link_q", "lattice/distance_mm"};
    static const unsigned char noise[64] = {1, 2, 3, 250, 251, 252};
    const hsize_t first[2] = {0, 0};
    char path[512];
    lattice l;
    strcpy(path, temp_path("noise.h5"));
    for (int k = 0; k < 3; k++) {
        assert_int_equal(lattice_sample(&l, 9), OK);
        assert_int_equal(lattice_file_write(path, &l), OK);
        lattice_free(&l);
        hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), set = H5Dopen2(file, name[k], H5P_DEFAULT);
        assert_true(set >= 0);
        assert_true(H5Dwrite_chunk(set, H5P_DEFAULT, 0, first, sizeof noise, noise) >= 0);
        H5Dclose(set);
        H5Fclose(file);
        assert_int_equal(hdf5_seal(path, path), OK);
        status_clear();
        assert_int_equal(lattice_file_read(path, &l), ERR_INPUT);
        assert_non_null(strstr(status_message(), "damaged"));
    }
    status_clear();
}

static void many_openings(void **state) {
    (void)state;
    char path[512], name[40];
    lattice l;
    strcpy(path, temp_path("openings.h5"));
    assert_int_equal(lattice_sample(&l, 9), OK);
    assert_int_equal(lattice_file_write(path, &l), OK);
    lattice_free(&l);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    for (int k = 0; k < 254; k++) {
        snprintf(name, sizeof name, "lattice/opening/o%d", k);
        H5Gclose(H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    }
    H5Fclose(file);
    assert_int_equal(hdf5_seal(path, path), OK);
    assert_int_equal(lattice_file_read(path, &l), ERR_INPUT);
    assert_non_null(strstr(status_message(), "more openings, cells or links"));
    status_clear();
}

/* Of another size, with its values. */
static void small_field(void **state) {
    (void)state;
    static const hsize_t small[3] = {2, 2, 2};
    static const float value[8] = {1};
    char path[512];
    lattice l;
    fields f;
    strcpy(path, temp_path("small.vtkhdf"));
    assert_int_equal(lattice_sample(&l, 6), OK);
    assert_int_equal(fields_create(&f, l.n_cell), OK);
    assert_int_equal(field_file_write(path, &l, &f), OK);
    fields_free(&f);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), space = H5Screate_simple(3, small, NULL);
    H5Ldelete(file, "VTKHDF/PointData/pressure_pa", H5P_DEFAULT);
    hid_t set = H5Dcreate2(file, "VTKHDF/PointData/pressure_pa", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, H5P_DEFAULT,
                           H5P_DEFAULT);
    assert_true(H5Dwrite(set, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0);
    H5Dclose(set);
    H5Sclose(space);
    H5Fclose(file);
    assert_int_equal(hdf5_seal(path, path), OK);
    assert_int_equal(field_file_read(path, &l, &f), ERR_INPUT);
    assert_non_null(strstr(status_message(), "does not have the size of its box"));
    status_clear();
    lattice_free(&l);
}

/* The direction of the vessel at an opening, into it. */
static void turned_opening(void **state) {
    (void)state;
    lattice l;
    assert_int_equal(lattice_sample(&l, 6), OK);
    for (int a = 0; a < 3; a++)
        l.opening[0].along[a] = -l.opening[0].normal[a];
    assert_int_equal(lattice_check(&l), ERR_INPUT);
    assert_non_null(strstr(status_message(), "does not point out of the fluid"));
    status_clear();
    lattice_free(&l);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_room), cmocka_unit_test(not_unpacked),
                                       cmocka_unit_test(many_openings), cmocka_unit_test(small_field),
                                       cmocka_unit_test(turned_opening)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
