/* `pipeline flow` from phase-contrast DICOM made here: the makers' ways to say venc and scale, enhanced multi-frame,
 * both images in one folder, and what is refused. */
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/case/waveform.h"
#include "common/image/nifti_file.h"
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
#include "tests/unit/common/dicom_write.h"
#include "tests/unit/temp.h"

enum { NX = 26, NY = 24, NT = 8 };
static const double RADIUS = 5.2, CX = 12.3, CY = 11.6, PIXEL_MM = 1.25, PEAK = 0.6;
static const char *const UID = "1.2.826.0.1.99.7";

enum maker { SIEMENS, PHILIPS, GE, UNMARKED };
typedef struct {
    enum maker maker;
    double venc_cm_s, rr_ms;
    const char *venc_name; /* Siemens */
    double z_mm;
} scan;

static double speed(int t, int x, int y) {
    const double r2 = ((x - CX) * (x - CX) + (y - CY) * (y - CY)) / (RADIUS * RADIUS);
    return r2 < 1 ? PEAK * (0.6 + 0.4 * cos(2 * M_PI * t / NT)) * (1 - r2) : 0;
}
static double exact_ml_s(int t) {
    double sum = 0;
    for (int k = 0; k < NX * NY; k++)
        sum += speed(t, k % NX, k / NX) * PIXEL_MM * PIXEL_MM;
    return sum;
}
static double exact_mean_ml_s(void) {
    double sum = 0;
    for (int t = 0; t < NT; t++)
        sum += exact_ml_s(t) / NT;
    return sum;
}

/* The stored value of a velocity: wrapped at venc, scaled as the maker does. */
static int stored(const scan *s, double v_m_s) {
    const double venc = 0.01 * s->venc_cm_s, wrapped = v_m_s - 2 * venc * round(v_m_s / (2 * venc));
    if (s->maker == GE)
        return (int)lround(1000 * wrapped); /* mm/s */
    if (s->maker == PHILIPS)
        return (int)lround((wrapped / venc + 1) / 2 * 4095); /* slope and intercept give cm/s */
    return (int)lround((wrapped / venc + 1) * 2048) & 4095;
}

static void draw_image(const scan *s, bool phase, int t, uint16_t *pixel) {
    for (int k = 0; k < NX * NY; k++)
        pixel[k] = phase ? (uint16_t)stored(s, speed(t, k % NX, k / NX)) : k / NX > 20 ? 3 : 300;
}

static void put_number(buffer *b, unsigned group, unsigned element, const char *vr, double x) {
    char text[40];
    snprintf(text, sizeof text, "%.6g", x);
    put_text(b, group, element, vr, text);
}

/* One image of a classic series. */
static void write_classic(const char *folder, const scan *s, bool phase, int t) {
    static buffer b;
    char text[700];
    uint16_t pixel[NX * NY];
    const bool ge = s->maker == GE;
    b.n = 0;
    snprintf(text, sizeof text, "%s.%d.%d", UID, phase, t);
    put_start(&b, "1.2.840.10008.5.1.4.1.1.4", text);
    put_text(&b, 8, 8, "CS",
             s->maker == SIEMENS ? phase ? "DERIVED\\PRIMARY\\P\\ND" : "ORIGINAL\\PRIMARY\\M\\ND"
             : s->maker == PHILIPS
                 ? phase ? "ORIGINAL\\PRIMARY\\PHASE CONTRAST M\\P\\PCA" : "ORIGINAL\\PRIMARY\\M_FFE\\M\\FFE"
                 : "ORIGINAL\\PRIMARY\\OTHER");
    put_text(&b, 8, 0x60, "CS", "MR");
    put_text(&b, 8, 0x70, "LO",
             s->maker == SIEMENS   ? "SIEMENS"
             : ge                  ? "GE MEDICAL SYSTEMS"
             : s->maker == PHILIPS ? "Philips"
                                   : "X");
    put_text(&b, 0x10, 0x10, "PN", "SECRET^NAME");
    if (s->maker == SIEMENS)
        put_text(&b, 0x18, 0x24, "SH", s->venc_name);
    put_number(&b, 0x18, 0x1060, "DS", 20 + 100 * t);
    if (s->rr_ms > 0)
        put_number(&b, 0x18, 0x1062, "IS", s->rr_ms);
    if (ge) {
        const int16_t venc = (int16_t)(10 * s->venc_cm_s);
        put_text(&b, 0x19, 0x10, "LO", "GEMS_ACQU_01");
        put_element(&b, 0x19, 0x10cc, "SS", &venc, 2);
    }
    put_text(&b, 0x20, 0x0d, "UI", "1.2.3.4");
    snprintf(text, sizeof text, "%s.%d", UID, phase && s->maker != PHILIPS ? 2 : 1); /* Philips: one series for both */
    put_text(&b, 0x20, 0x0e, "UI", text);
    put_number(&b, 0x20, 0x13, "IS", NT - t); /* not the order in time */
    snprintf(text, sizeof text, "-7\\11\\%g", s->z_mm);
    put_text(&b, 0x20, 0x32, "DS", text);
    put_text(&b, 0x20, 0x37, "DS", "0\\1\\0\\0\\0\\-1");
    put_shape(&b, NX, NY, NULL, "1.25\\1.25", ge);
    if (ge) {
        const int16_t least = phase ? -200 : 0;
        put_element(&b, 0x28, 0x106, "SS", &least, 2);
    }
    if (s->maker == PHILIPS && phase) {
        put_number(&b, 0x28, 0x1052, "DS", -s->venc_cm_s);
        put_number(&b, 0x28, 0x1053, "DS", 2 * s->venc_cm_s / 4095);
        const float venc[3] = {0, 0, (float)s->venc_cm_s};
        put_text(&b, 0x2001, 0x10, "LO", "Philips Imaging DD 001");
        put_element(&b, 0x2001, 0x101a, "FL", venc, sizeof venc);
    }
    if (s->maker == SIEMENS && phase) {
        put_text(&b, 0x28, 0x1052, "DS", "-4096");
        put_text(&b, 0x28, 0x1053, "DS", "2");
    }
    draw_image(s, phase, t, pixel);
    put_element(&b, 0x7fe0, 0x10, "OW", pixel, sizeof pixel);
    snprintf(text, sizeof text, "%s/%c%g%d.dcm", folder, phase ? 'p' : 'm', s->z_mm, (t * 3) % NT);
    write_file(text, &b);
}

static void sequence(buffer *to, unsigned group, unsigned element, const buffer *content) {
    static buffer item;
    item.n = 0;
    put_item(&item, content);
    put_element(to, group, element, "SQ", item.data, item.n);
}

static void put_fd(buffer *b, unsigned group, unsigned element, int n, const double *x) {
    put_element(b, group, element, "FD", x, 8 * (size_t)n);
}

/* The functional groups of a frame: type, time, velocity encoding, real world values. */
static void put_frame(buffer *to, const scan *s, bool phase, int t, const double direction[3]) {
    static buffer group, inner, deeper;
    const double low = -s->venc_cm_s, time_ms = 15 + 100 * t, slope = 2 * s->venc_cm_s / 4096,
                 intercept = -s->venc_cm_s;
    group.n = inner.n = deeper.n = 0;
    put_text(&inner, 8, 0x9007, "CS", "ORIGINAL\\PRIMARY\\VELOCITY\\NONE");
    put_text(&inner, 8, 0x9208, "CS", phase ? "PHASE" : "MAGNITUDE");
    sequence(&group, 0x18, 0x9226, &inner);
    inner.n = 0;
    put_fd(&inner, 0x20, 0x9070, 1, &s->rr_ms);
    put_fd(&inner, 0x20, 0x9153, 1, &time_ms);
    sequence(&group, 0x18, 0x9118, &inner);
    inner.n = 0;
    put_fd(&inner, 0x18, 0x9090, 3, direction);
    put_fd(&inner, 0x18, 0x9091, 1, &low);
    put_fd(&inner, 0x18, 0x9217, 1, &s->venc_cm_s);
    sequence(&group, 0x18, 0x9197, &inner);
    if (phase) {
        inner.n = 0;
        put_text(&deeper, 8, 0x100, "SH", "cm/s");
        sequence(&inner, 0x40, 0x8ea, &deeper);
        put_fd(&inner, 0x40, 0x9224, 1, &intercept);
        put_fd(&inner, 0x40, 0x9225, 1, &slope);
        sequence(&group, 0x40, 0x9096, &inner);
    }
    put_item(to, &group);
}

static void write_enhanced(const char *path, const scan *s, const double direction[3]) {
    static buffer b, groups, inner, frames;
    static uint16_t pixel[2 * NT * NX * NY];
    char text[16];
    b.n = groups.n = frames.n = inner.n = 0;
    put_start(&b, "1.2.840.10008.5.1.4.1.1.4.1", "1.2.826.0.1.99.8");
    put_text(&b, 8, 0x60, "CS", "MR");
    put_text(&b, 0x10, 0x10, "PN", "SECRET^NAME");
    put_text(&b, 0x20, 0x0d, "UI", "1.2.3.4");
    put_text(&b, 0x20, 0x0e, "UI", UID);
    snprintf(text, sizeof text, "%d", 2 * NT);
    put_shape(&b, NX, NY, text, NULL, false);
    put_text(&inner, 0x20, 0x32, "DS", "-7\\11\\4");
    sequence(&groups, 0x20, 0x9113, &inner);
    inner.n = 0;
    put_text(&inner, 0x20, 0x37, "DS", "0\\1\\0\\0\\0\\-1");
    sequence(&groups, 0x20, 0x9116, &inner);
    inner.n = 0;
    put_text(&inner, 0x28, 0x30, "DS", "1.25\\1.25");
    sequence(&groups, 0x28, 0x9110, &inner);
    sequence(&b, 0x5200, 0x9229, &groups);
    for (int k = 0; k < 2 * NT; k++) { /* magnitude and phase by turns */
        put_frame(&frames, s, k % 2, k / 2, direction);
        draw_image(s, k % 2, k / 2, pixel + k * NX * NY);
    }
    put_element(&b, 0x5200, 0x9230, "SQ", frames.data, frames.n);
    put_element(&b, 0x7fe0, 0x10, "OW", pixel, sizeof pixel);
    write_file(path, &b);
}

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
                          {SIEMENS, 45, 795, "*fl2d1_v45in", 4}};
    for (int k = 0; k < 4; k++) { /* the last one aliases; its RR interval is the end of the eighth step, near enough */
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
    assert_non_null(strstr(status_message(), "do not say whether they are phase or magnitude"));
    fresh(other, "magnitudes");
    for (int t = 0; t < NT; t++)
        write_classic(other, &plain, false, t);
    assert_int_equal(flow(folder, "--magnitude", other, NULL, NULL), ERR_USAGE);
    assert_non_null(strstr(status_message(), "does not say its venc"));
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
