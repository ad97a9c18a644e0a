/* SPDX-License-Identifier: Apache-2.0 */
/* What the stage refuses to read. */
#include "common/base/status.h" /* before cmocka, which has a macro fail */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "common/base/file.h"
#include "common/lattice/lattice_file.h"
#include "common/surface_vtk/vtk_surface.h"
#include "tests/unit/post/post_run.h"
#include <stdio.h>
#include <string.h>

static void refuse(const char *sentence) {
    remove(post_run_path("out/post/post.json"));
    assert_int_equal(post_run("out/solve", true), ERR_INPUT);
    if (!strstr(status_message(), sentence))
        fail_msg("'%s' lacks '%s'", status_message(), sentence);
    assert_false(file_exists(post_run_path("out/post/post.json")));
    status_clear();
}

static void bad_inputs_are_refused(void **state) {
    lattice l, other;
    fields f;
    post_run_make(&l, &f);
    post_run_solve("true", "steady", "null", 1, "\"fields\": [{\"file\": \"../case.yaml\", \"time_s\": 0}]");
    refuse("not a plain file name");
    post_run_solve("true", "steady", "null", 1, "\"fields\": []");
    refuse("lists no fields");
    post_run_solve("true", "pulsatile", "1", 1,
                   "\"fields_mean\": \"fields.vtkhdf\", \"fields\": [{\"file\": \"fields.vtkhdf\", \"time_s\": 0}]");
    refuse("at least 3");
    post_run_text("out/solve/solve.json", "{\"stage\": \"solve\"}");
    refuse("has no entry \"result\"");
    fields_free(&f);
    post_run_make(&other, &f); /* back to good files ... */
    assert_int_equal(lattice_file_write(post_run_path("out/mesh/lattice.h5"), &other), OK);
    surface far;
    post_pipe away = POST_RUN_PIPE;
    away.point_mm[0] += 40;
    post_pipe_surface(&away, 40, 0, &far);
    assert_int_equal(surface_write(post_run_path("out/mesh/surface.vtp"), &far, 0, NULL),
                     OK); /* ... but for the surface */
    refuse("no triangle of the surface is at the wall");
    remove(post_run_path("out/mesh/surface.vtp"));
    refuse("surface.vtp' is missing; run mesh first");
    surface_free(&far);
    fields_free(&f);
    lattice_free(&l);
    lattice_free(&other);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_inputs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
