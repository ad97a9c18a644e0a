/* SPDX-License-Identifier: Apache-2.0 */
/* `pipeline flow` from phase-contrast DICOM made here: the makers' ways to say venc and scale, enhanced multi-frame,
 * both images in one folder, and what is refused. */
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/waveform/waveform.h"
#include "common/image_file/nifti_file.h"
#include "pipeline/flow/flow.h"
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
#include "tests/unit/pipeline/flow_scan.h"
#include "tests/unit/temp.h"

/* The mask of the vessel in the slice of the test's series: x along y, y against z. */
static void write_roi(const char *path) {
    const int dims[3] = {NX, NY, 1};
    const double spacing[3] = {PIXEL_MM, PIXEL_MM, 1}, origin[3] = {-7, 11, 4}, way[9] = {0, 0, -1, 1, 0, 0, 0, -1, 0};
    volume v;
    assert_int_equal(volume_create(&v, dims, spacing, origin, way), OK);
    for (int k = 0; k < NX * NY; k++)
        v.value[k] = speed(0, k % NX, k / NX) > 0;
    assert_int_equal(nifti_file_write(path, path, &v, false), OK);
    volume_free(&v);
}

static void fresh(char folder[512], const char *name) {
    snprintf(folder, 512, "%s", temp_path(name));
    assert_int_equal(mkdir(folder, 0700), 0);
}

static int flow(const char *phase, const char *a, const char *b, const char *c, const char *d) {
    char roi[512], out[512];
    snprintf(roi, sizeof roi, "%s", temp_path("roi.nii.gz"));
    snprintf(out, sizeof out, "%s", temp_path("smv.csv"));
    write_roi(roi);
    remove(out);
    status_clear();
    char *argv[] = {(char *)"flow", (char *)"--phase", (char *)phase, (char *)"--roi", roi, (char *)"--out", out,
                    (char *)a,      (char *)b,         (char *)c,     (char *)d};
    return command_flow(7 + (a ? 2 : 0) + (c ? 2 : 0), argv);
}

static void expect(double period_s) {
    waveform w;
    char text[8000] = "";
    assert_string_equal(status_message(), "");
    assert_int_equal(waveform_read(temp_path("smv.csv"), &w), OK);
    assert_true(fabs(w.period_s - period_s) < 1e-9);
    for (int t = 0; t < NT; t++)
        assert_true(fabs(1e6 * waveform_flow_m3_s(&w, 0.1 * t) - exact_ml_s(t)) < 0.005 * exact_ml_s(0));
    if (period_s < 0.81)
        assert_true(fabs(1e6 * waveform_mean_m3_s(&w) - exact_mean_ml_s()) < 0.005 * exact_mean_ml_s());
    waveform_free(&w);
    FILE *f = fopen(temp_path("smv.csv"), "r");
    assert_non_null(f);
    assert_true(fread(text, 1, sizeof text - 1, f) > 0);
    fclose(f);
    assert_null(strstr(text, "SECRET"));
}

static void write_scan(const char *folder, const scan *s) {
    for (int t = 0; t < NT; t++) {
        write_classic(folder, s, true, t);
        write_classic(folder, s, false, t);
    }
}

static void classic(void **state) {
    (void)state;
    char folder[512];
    const scan scans[] = {{SIEMENS, 100, 0, "fl2d1_v100in", 4},
                          {PHILIPS, 80, 800, "", 4},
                          {GE, 70, 800, "", 4},
                          {PHILIPS, 80, 800, "", 4, .mrad = true},
                          {SIEMENS, 45, 795, "*fl2d1_v45in", 4}};
    for (int k = 0; k < 5; k++) { /* the last one aliases; its RR interval is the end of the eighth step, near enough */
        char name[20];
        snprintf(name, sizeof name, "scan%d", k);
        fresh(folder, name);
        write_scan(folder, &scans[k]);
        assert_int_equal(flow(folder, NULL, NULL, NULL, NULL), OK);
        expect(scans[k].rr_ms > 0 ? 1e-3 * scans[k].rr_ms : 0.8);
    }
}

static void enhanced(void **state) {
    (void)state;
    const double through[3] = {-1, 0, 0}, within[3] = {0, 1, 0};
    char path[512];
    const scan s = {SIEMENS, 90, 800, "", 4};
    snprintf(path, sizeof path, "%s", temp_path("enhanced.dcm"));
    write_enhanced(path, &s, through);
    assert_int_equal(flow(path, NULL, NULL, NULL, NULL), OK);
    expect(0.8);
    write_enhanced(path, &s, within);
    assert_int_equal(flow(path, NULL, NULL, NULL, NULL), ERR_INPUT);
    assert_non_null(strstr(status_message(), "within the slice"));
}

static void refused(void **state) {
    (void)state;
    char folder[512], other[512];
    fresh(folder, "unmarked");
    const scan plain = {UNMARKED, 100, 800, "", 4};
    for (int t = 0; t < NT; t++)
        write_classic(folder, &plain, true, t);
    assert_int_equal(flow(folder, "--venc", "100cm/s", NULL, NULL), ERR_INPUT);
    assert_non_null(strstr(status_message(), "are not marked as phase or magnitude"));
    fresh(other, "magnitudes");
    for (int t = 0; t < NT; t++)
        write_classic(other, &plain, false, t);
    assert_int_equal(flow(folder, "--magnitude", other, NULL, NULL), ERR_USAGE);
    assert_non_null(strstr(status_message(), "does not state its venc"));
    assert_int_equal(flow(folder, "--magnitude", other, "--venc", "100cm/s"), OK);
    expect(0.8);
    fresh(folder, "slices");
    const scan slices[2] = {{SIEMENS, 100, 800, "fl2d1_v100in", 4}, {SIEMENS, 100, 800, "fl2d1_v100in", 14}};
    write_scan(folder, &slices[0]);
    write_scan(folder, &slices[1]);
    assert_int_equal(flow(folder, NULL, NULL, NULL, NULL), ERR_INPUT);
    assert_non_null(strstr(status_message(), "2 series of phase images"));
    assert_non_null(strstr(status_message(), "at -7.0, 11.0, 14.0 mm"));
    fresh(folder, "twice");
    char from[600], to[600];
    const scan one = {SIEMENS, 100, 800, "fl2d1_v100in", 4}, rest = {PHILIPS, 100, 1400, "", 4};
    write_scan(folder, &one);
    fresh(other, "early"); /* the images end long before the cycle does */
    write_scan(other, &rest);
    assert_int_equal(flow(other, NULL, NULL, NULL, NULL), OK);
    expect(1.4);
    assert_int_equal(flow(folder, "--period", "0.5s", NULL, NULL), ERR_USAGE);
    assert_non_null(strstr(status_message(), "ends before the last image"));
    snprintf(from, sizeof from, "%s/p40.dcm", folder);
    snprintf(to, sizeof to, "%s/again.dcm", folder);
    assert_int_equal(rename(from, to), 0);
    write_classic(folder, &one, true, 0);
    assert_int_equal(flow(folder, NULL, NULL, NULL, NULL), ERR_INPUT);
    assert_non_null(strstr(status_message(), "two images of one slice at 20.0 ms"));
    fresh(folder, "apart"); /* velocities within the slice */
    const scan sideways = {SIEMENS, 100, 800, "fl2d1_v100ap", 4};
    write_scan(folder, &sideways);
    assert_int_equal(flow(folder, NULL, NULL, NULL, NULL), ERR_INPUT);
    assert_non_null(strstr(status_message(), "within the slice"));
}

/* A damaged file refuses the series that it belongs to, not the one beside it. */
static void damaged(void **state) {
    (void)state;
    char folder[512], file[600];
    const scan s = {SIEMENS, 100, 800, "fl2d1_v100in", 4};
    fresh(folder, "damaged");
    write_scan(folder, &s);
    for (int k = 0; k < 3; k++) { /* another series, one of its files cut short */
        snprintf(file, sizeof file, "%s/other%d.dcm", folder, k);
        make_slice(file, "1.2.826.0.1.99.9", k, 100);
    }
    assert_int_equal(truncate(file, 430), 0);
    message_clear();
    assert_int_equal(flow(folder, NULL, NULL, NULL, NULL), OK);
    assert_int_equal(message_warning_count(), 1);
    assert_non_null(strstr(message_warning(0), "1 file of the DICOM folder cannot be read"));
    expect(0.8);
    assert_int_equal(flow(folder, "--series", "1.2.826.0.1.99.9", NULL, NULL), ERR_INPUT);
    snprintf(file, sizeof file, "%s/p43.dcm", folder);
    assert_int_equal(truncate(file, 560), 0); /* of the phase */
    assert_int_equal(flow(folder, NULL, NULL, NULL, NULL), ERR_INPUT);
    assert_non_null(strstr(status_message(), "'p43.dcm' is damaged"));
    write_classic(folder, &s, true, 1);
    for (int t = 0; t < NT; t++) {
        snprintf(file, sizeof file, "%s/m4%d.dcm", folder, t);
        assert_int_equal(remove(file), 0);
    }
    assert_int_equal(flow(folder, NULL, NULL, NULL, NULL), OK);
    for (int t = 0; t < NT; t++) { /* nothing of the series is left */
        snprintf(file, sizeof file, "%s/p4%d.dcm", folder, t);
        assert_int_equal(truncate(file, 560), 0);
    }
    assert_int_equal(flow(folder, "--series", "1.2.826.0.1.99.7.2", NULL, NULL), ERR_INPUT);
    assert_non_null(strstr(status_message(), "is damaged"));
}

/* Without a region: the slice to draw on, in its place. */
static void slice(void **state) {
    (void)state;
    char folder[512], out[512];
    volume v;
    fresh(folder, "draw");
    const scan s = {SIEMENS, 100, 0, "fl2d1_v100in", 4};
    write_scan(folder, &s);
    snprintf(out, sizeof out, "%s", temp_path("new/draw.csv"));
    char *argv[] = {(char *)"flow", (char *)"--phase", folder, (char *)"--out", out};
    assert_int_equal(command_flow(5, argv), OK);
    assert_int_equal(nifti_file_read(temp_path("new/draw-slice.nii.gz"), true, &v), OK);
    double p[3];
    const double at[3] = {3, 2, 0};
    volume_to_lps(&v, at, p);
    assert_true(fabs(p[0] + 7) < 1e-4 && fabs(p[1] - 14.75) < 1e-4 && fabs(p[2] - 1.5) < 1e-4);
    assert_true(fabs((double)v.value[3 + 2 * NX] - 300) < 0.1);
    volume_free(&v);
}

/* What is printed for the case is the way from the folder of the case.yaml, wherever the command was given. */
static void named_for_the_case(void **state) {
    (void)state;
    char folder[512], patient[512], out[512], roi[512], path[640], said[4000] = "";
    const scan s = {SIEMENS, 100, 800, "fl2d1_v100in", 4};
    fresh(folder, "cine");
    fresh(patient, "patient");
    write_scan(folder, &s);
    snprintf(roi, sizeof roi, "%s", temp_path("roi.nii.gz"));
    write_roi(roi);
    snprintf(path, sizeof path, "%s/case.yaml", patient);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fclose(f);
    snprintf(out, sizeof out, "%s", temp_path("patient/../patient/flow/smv.csv"));
    snprintf(path, sizeof path, "%s", temp_path("said"));
    status_clear();
    fflush(stdout);
    const int to = dup(1);
    assert_non_null(freopen(path, "w", stdout));
    char *argv[] = {(char *)"flow", (char *)"--phase", folder, (char *)"--roi", roi, (char *)"--out", out};
    const int rc = command_flow(7, argv);
    fflush(stdout);
    dup2(to, 1);
    close(to);
    assert_int_equal(rc, OK);
    f = fopen(path, "r");
    assert_non_null(f);
    assert_true(fread(said, 1, sizeof said - 1, f) > 0);
    fclose(f);
    assert_non_null(strstr(said, "in the case: flow: {waveform: flow/smv.csv}\n"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(classic), cmocka_unit_test(enhanced),
                                       cmocka_unit_test(refused), cmocka_unit_test(damaged),
                                       cmocka_unit_test(slice),   cmocka_unit_test(named_for_the_case)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
