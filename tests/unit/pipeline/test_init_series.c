/* SPDX-License-Identifier: Apache-2.0 */
/* `pipeline init` on a DICOM folder as a scanner leaves it: localizer, three contrasts, time steps in one series, a
 * derived projection, a series with a slice missing. */
#include "common/base/file.h"
#include "common/base/status.h"
#include "pipeline/init/init.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>
/* after cmocka.h: it asserts */
#include "tests/unit/common/dicom_write.h"
#include "tests/unit/temp.h"

enum { NX = 16, NY = 14 };
static const char *const axial = "1\\0\\0\\0\\1\\0", *const coronal = "1\\0\\0\\0\\0\\-1";

typedef struct {
    const char *uid, *type, *about;
    int slices, steps; /* steps in time at each place */
    bool localizer;    /* half of it coronal */
    int missing;       /* slice that is not there, -1 none */
} series;

static void write_step(const char *dir, const series *s, int k, int step) {
    static uint16_t pixel[NX * NY];
    char instance[80], position[64], path[700];
    const bool turned = s->localizer && k >= s->slices / 2;
    snprintf(instance, sizeof instance, "%s.%d.%d", s->uid, k + 1, step + 1);
    snprintf(position, sizeof position, "%d\\%g\\%g", -7, turned ? 3.0 * k : 11, turned ? 0 : 3.0 * k);
    snprintf(path, sizeof path, "%s/images/IM_%s.dcm", dir, instance);
    for (int i = 0; i < NX * NY; i++)
        pixel[i] = (uint16_t)(100 + (i * 7 + k) % 50);
    write_slice(path, &(dicom_slice){instance, s->type, s->about, s->uid, position, turned ? coronal : axial,
                                     "1.5\\1.5", NX, NY, pixel});
}

/* init's case.yaml for a folder with these series; what it printed in said (freed by the caller). wanted: NULL or a
 * series' words. */
static char *init_with(int n, const series *s, const char *wanted, char **said) {
    char dir[512], path[600], *text = NULL;
    size_t size;
    snprintf(dir, sizeof dir, "%s", temp_path("study"));
    snprintf(path, sizeof path, "%s/images", dir);
    assert_int_equal(mkdir(dir, 0700), 0);
    assert_int_equal(mkdir(path, 0700), 0);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < s[k].slices; i++)
            for (int t = 0; t < s[k].steps && i != s[k].missing; t++)
                write_step(dir, &s[k], i, t);
    snprintf(path, sizeof path, "%s/said", dir);
    fflush(stdout);
    const int out = dup(1);
    assert_non_null(freopen(path, "w", stdout));
    const int rc = init_patient(dir, NULL, wanted);
    fflush(stdout);
    dup2(out, 1);
    close(out);
    assert_int_equal(rc, OK);
    assert_int_equal(file_read(path, 100000, said, &size), OK);
    snprintf(path, sizeof path, "%s/case.yaml", dir);
    assert_int_equal(file_read(path, 100000, &text, &size), OK);
    snprintf(path, sizeof path, "rm -rf '%s'", dir);
    assert_int_equal(system(path), 0);
    return text;
}

static const series study[] = {
    {"1.9.1", "ORIGINAL\\PRIMARY\\LOCALIZER", "localizer", 30, 1, true, -1},
    {"1.9.2", "ORIGINAL\\PRIMARY\\M", "t1 arterial", 10, 1, false, -1},
    {"1.9.3", "ORIGINAL\\PRIMARY\\M", "t1 portal venous", 8, 1, false, -1},
    {"1.9.4", "DERIVED\\PRIMARY\\MPR", "mpr venous", 20, 1, false, -1},
    {"1.9.5", "ORIGINAL\\PRIMARY\\M", "dynamic", 8, 3, false, -1},
    {"1.9.6", "ORIGINAL\\PRIMARY\\M", "t2 haste", 14, 1, false, 6},
};

static void the_right_one(void **state) {
    (void)state;
    char *said, *text = init_with(6, study, NULL, &said);
    assert_non_null(strstr(text, "series: 1.9.3"));
    assert_non_null(strstr(said, "<- used: its description names veins"));
    assert_non_null(strstr(said, "1.9.3  MR, 8 slices of"));
    assert_non_null(strstr(said, "(localizer)"));
    assert_non_null(strstr(said, "(derived)"));
    assert_null(strstr(said, "SECRET"));
    free(said);
    free(text);
}

/* Without a name: the longest that is one volume; the longer ones are listed with what is wrong with them. */
static void the_readable_one(void **state) {
    (void)state;
    const series rest[] = {study[0], study[1], study[3], study[4], study[5]};
    char *said, *text = init_with(5, rest, NULL, &said);
    assert_non_null(strstr(text, "series: 1.9.2"));
    assert_non_null(strstr(said, "not used: duplicate slices"));
    assert_non_null(strstr(said, "not used: missing slices"));
    free(said);
    free(text);
}

/* What is derived is better than nothing. */
static void a_derived_one(void **state) {
    (void)state;
    const series rest[] = {study[0], study[3]};
    char *said, *text = init_with(2, rest, NULL, &said);
    assert_non_null(strstr(text, "series: 1.9.4"));
    free(said);
    free(text);
}

/* By words of its description or its UID; each series is listed once. */
static void the_one_asked_for(void **state) {
    (void)state;
    static const char *const wanted[] = {"T1 Arterial", "1.9.2"};
    for (int k = 0; k < 2; k++) {
        char *said, *text = init_with(6, study, wanted[k], &said);
        assert_non_null(strstr(text, "series: 1.9.2"));
        const char *first = strstr(said, "t1 arterial");
        assert_non_null(first);
        assert_null(strstr(first + 1, "t1 arterial"));
        free(said);
        free(text);
    }
}

/* A cine of one slice is for `pipeline flow`; "venc" in its name makes no vein of it, "pv" does of another. */
static void a_cine(void **state) {
    (void)state;
    static const series scan[] = {
        {"1.9.7", "ORIGINAL\\PRIMARY\\P", "fl_pc_venc40_P", 1, 6, false, -1},
        {"1.9.8", "ORIGINAL\\PRIMARY\\M", "4dflow_venc60", 9, 1, false, -1},
        {"1.9.9", "ORIGINAL\\PRIMARY\\M", "t1_vibe_pv_W", 8, 1, false, -1},
    };
    char *said, *text = init_with(3, scan, NULL, &said);
    assert_non_null(strstr(text, "series: 1.9.9"));
    assert_non_null(strstr(said, "t1_vibe_pv_W   <- used: its description names veins"));
    assert_non_null(
        strstr(said, "all at one place: fl_pc_venc40_P   not used: one slice over time; if it is phase-contrast MRI, "
                     "use 'pipeline flow'"));
    free(said);
    free(text);
}

/* Days are left out of a description however they are written, names where '^' shows them; what an image is stays. */
static void no_day(void **state) {
    (void)state;
    static const series scan[] = {
        {"1.9.7", "ORIGINAL\\PRIMARY\\M", "DOE^J 12.03.1961 1961-4-12 pv 2.5mm", 8, 1, false, -1},
        {"1.9.8", "ORIGINAL\\PRIMARY\\M", "3/12/61 19610312 t1 0.6x0.6x1.50", 9, 1, false, -1},
    };
    char *said, *text = init_with(2, scan, NULL, &said);
    assert_non_null(strstr(said, "apart: pv 2.5mm"));
    assert_non_null(strstr(said, "apart: t1 0.6x0.6x1.50"));
    free(said);
    free(text);
}

static void the_only_one(void **state) {
    (void)state;
    char *said, *text = init_with(1, &study[1], NULL, &said);
    assert_non_null(strstr(said, "DICOM series: 1.9.2  MR, 10 slices of"));
    assert_null(strstr(text, "series: 1.9.2"));
    free(said);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_right_one), cmocka_unit_test(the_readable_one),
                                       cmocka_unit_test(a_derived_one), cmocka_unit_test(the_one_asked_for),
                                       cmocka_unit_test(a_cine),        cmocka_unit_test(no_day),
                                       cmocka_unit_test(the_only_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
