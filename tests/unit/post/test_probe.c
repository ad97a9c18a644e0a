/* SPDX-License-Identifier: Apache-2.0 */
/* Values at points from a fields file alone, and what is refused. */
#include "common/base/status.h" /* before cmocka, which has a macro fail */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "post/probe/probe.h"
#include "common/base/file.h"
#include "common/record/hdf5_util.h"
#include "tests/unit/post/post_lattice.h"
#include "tests/unit/temp.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static char fields_path[512], points_path[512];

static int make_files(void **state) {
    lattice l;
    fields f;
    (void)state;
    snprintf(fields_path, sizeof fields_path, "%s", temp_path("fields.vtkhdf"));
    snprintf(points_path, sizeof points_path, "%s", temp_path("points.csv"));
    post_pipe_lattice(&POST_PIPE, 14, &l);
    post_fields_make(&l, post_pipe_flow, &POST_PIPE, &f);
    int rc = field_file_write(fields_path, &l, &f);
    fields_free(&f);
    lattice_free(&l);
    return rc;
}

/* runs the probe on `text`; its output in `out` */
static int probe(const char *text, enum probe_frame frame, char *out, size_t size) {
    char *buffer = NULL;
    size_t n = 0;
    assert_int_equal(file_write(points_path, text, strlen(text)), OK);
    FILE *to = open_memstream(&buffer, &n);
    int rc = probe_write(fields_path, points_path, frame, to);
    fclose(to);
    snprintf(out, size, "%s", buffer);
    free(buffer);
    return rc;
}

static void values_are_exact(void **state) {
    char out[4096];
    double p[3], u[3], speed, pressure, exact[3], exact_p, stress[6];
    int inside, seen = 0;
    assert_int_equal(
        probe("\xef\xbb\xbfx,y,z\n1.5,6.0,9.0\n# middle\n2.5,5.6,8.4\r\n 3.9 , 6, 9\n", PROBE_LPS, out, sizeof out),
        OK);
    for (char *line = strchr(out, '\n') + 1; *line; line = strchr(line, '\n') + 1, seen++) {
        assert_int_equal(sscanf(line, "%lf,%lf,%lf,%d,%lf,%lf,%lf,%lf,%lf", &p[0], &p[1], &p[2], &inside, &u[0], &u[1],
                                &u[2], &speed, &pressure),
                         9);
        post_pipe_flow(p, &POST_PIPE, exact, &exact_p, stress);
        assert_int_equal(inside, 1);
        for (int a = 0; a < 3; a++)
            assert_true(fabs(u[a] - exact[a]) < 1e-4 * 0.1);
        assert_true(fabs(pressure - exact_p) < 1e-4 &&
                    fabs(speed - sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2])) < 1e-6);
    }
    assert_int_equal(seen, 3);
    (void)state;
}

static void ras_turns_points_and_vectors(void **state) {
    char lps[2048], ras[2048];
    double a[9], b[9];
    int inside;
    assert_int_equal(probe("1.5,6.0,9.0\n", PROBE_LPS, lps, sizeof lps), OK);
    assert_int_equal(probe("-1.5,-6.0,9.0\n", PROBE_RAS, ras, sizeof ras), OK);
    const char *format = "%lf,%lf,%lf,%d,%lf,%lf,%lf,%lf,%lf";
    sscanf(strchr(lps, '\n') + 1, format, &a[0], &a[1], &a[2], &inside, &a[3], &a[4], &a[5], &a[6], &a[7]);
    sscanf(strchr(ras, '\n') + 1, format, &b[0], &b[1], &b[2], &inside, &b[3], &b[4], &b[5], &b[6], &b[7]);
    for (int k = 0; k < 8; k++)
        assert_true(fabs(b[k] - (k == 0 || k == 1 || k == 3 || k == 4 ? -1 : 1) * a[k]) < 1e-9);
    (void)state;
}

static void outside_is_empty_not_zero(void **state) {
    char out[2048];
    assert_int_equal(probe("6,6,9\n1,1,2\n1e9,0,0\n", PROBE_LPS, out, sizeof out), OK);
    assert_non_null(strstr(out, "\n6,6,9,0,,,,,,unknown\n1,1,2,0,,,,,,unknown\n1e+09,0,0,0,,,,,,unknown\n"));
    (void)state;
}

static void refuse(const char *text, const char *sentence) {
    char out[256];
    assert_int_equal(probe(text, PROBE_LPS, out, sizeof out), ERR_INPUT);
    if (!strstr(status_message(), sentence))
        fail_msg("'%s' lacks '%s'", status_message(), sentence);
    assert_string_equal(out, ""); /* nothing half written */
    status_clear();
}
static void bad_points_are_refused_with_their_line(void **state) {
    refuse("x,y,z\n1,2,3\n1,2\n", "points.csv:3: a point is three numbers x,y,z in mm, this line has 2 fields");
    refuse("1,2,3,4\n", "points.csv:1:");
    refuse("1 2 3\n", "points.csv:1:");
    refuse("1,nan,3\n", "points.csv:1:");
    refuse("1,2,1e999\n", "points.csv:1:");
    refuse("", "holds no point");
    (void)state;
}

/* Every row says whether the run may be used, from the record of solve beside the fields. */
static void each_row_says_whether_it_is_usable(void **state) {
    static const char *const record[][2] = {
        {"{\"result\": {\"converged\": true, \"too_coarse\": true}}", ",TOO COARSE\n"},
        {"{\"result\": {\"converged\": false, \"too_coarse\": true}}", ",NOT CONVERGED\n"},
        {"{\"result\": {\"converged\": true, \"too_coarse\": false}}", ",yes\n"}};
    char out[2048];
    for (int k = 0; k < 3; k++) {
        assert_int_equal(file_write(temp_path("solve.json"), record[k][0], strlen(record[k][0])), OK);
        assert_int_equal(probe("1.5,6,9\n6,6,9\n", PROBE_LPS, out, sizeof out), OK);
        const char *first = strstr(out, record[k][1]);
        assert_non_null(first);
        assert_non_null(strstr(first + 1, record[k][1])); /* also outside */
    }
    remove(temp_path("solve.json"));
    (void)state;
}

static void other_files_are_refused(void **state) {
    char *out = NULL;
    size_t n = 0;
    FILE *to = open_memstream(&out, &n);
    assert_int_equal(file_write(points_path, "1,2,3\n", 6), OK);
    assert_int_equal(probe_write(points_path, points_path, PROBE_LPS, to), ERR_INPUT);
    status_clear();
    assert_int_equal(probe_write("/nowhere/fields.vtkhdf", points_path, PROBE_LPS, to), ERR_INPUT);
    status_clear();
    fclose(to);
    assert_string_equal(out, "");
    free(out);
    (void)state;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_exact),          cmocka_unit_test(ras_turns_points_and_vectors),
        cmocka_unit_test(outside_is_empty_not_zero), cmocka_unit_test(bad_points_are_refused_with_their_line),
        cmocka_unit_test(other_files_are_refused),   cmocka_unit_test(each_row_says_whether_it_is_usable),
    };
    return cmocka_run_group_tests(tests, make_files, NULL);
}
