/* SPDX-License-Identifier: Apache-2.0 */
/* A computed case that is kept: it is known by its settings, and only what grows with the lattice is removed. */
#include "common/base/file.h"
#include "common/base/status.h"
#include "pipeline/reproduce/saved_result.h"
#include "tests/unit/temp.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static void put(const char *name) {
    assert_int_equal(file_write(temp_path(name), "{}", 2), OK);
}

static void large_files_go_and_the_rest_stays(void **state) {
    (void)state;
    static const char *const large[] = {"out/mesh/lattice.h5", "out/mesh/lattice2.h5", "out/mesh/surface.vtp",
                                        "out/solve/fields.vtkhdf", "out/solve/checkpoint.h5"};
    static const char *const small[] = {"out/mesh/mesh.json", "out/solve/solve.json", "out/solve/monitors.csv",
                                        "out/post/readouts.json"};
    results page = {.error = OK};
    const study_context x = {.page = &page};
    study_case t = {.x = &x};
    snprintf(t.folder, sizeof t.folder, "%s", temp_path("."));
    assert_int_equal(file_create_folder(temp_path("out/mesh")), OK);
    assert_int_equal(file_create_folder(temp_path("out/solve")), OK);
    assert_int_equal(file_create_folder(temp_path("out/post")), OK);
    for (size_t k = 0; k < sizeof large / sizeof *large; k++)
        put(large[k]);
    for (size_t k = 0; k < sizeof small / sizeof *small; k++)
        put(small[k]);
    study_case_set(&t, "mesh.grid_levels", "3");
    assert_false(saved_result_exists(&t));
    assert_int_equal(saved_result_write(&t), OK);
    for (size_t k = 0; k < sizeof large / sizeof *large; k++)
        assert_false(file_exists(temp_path(large[k])));
    for (size_t k = 0; k < sizeof small / sizeof *small; k++)
        assert_true(file_exists(temp_path(small[k])));
    assert_true(saved_result_exists(&t));
    study_case_set(&t, "mesh.max_cells", "4e6"); /* another case */
    assert_false(saved_result_exists(&t));
    study_case_close(&t);
    put("kept.json"); /* a note that says nothing */
    assert_false(saved_result_exists(&t));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(large_files_go_and_the_rest_stays)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
