/* SPDX-License-Identifier: Apache-2.0 */
/* DICOM series of research data (skipped where absent): packed transfer syntaxes equal their ground truth, enhanced
 * multi-frame is placed frame by frame, and unusable series are refused by the name of the problem. */
#include "common/image_file/itk_image.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
/* after cmocka.h: it asserts */
#include "tests/unit/common/dicom_write.h"
#include "tests/unit/temp.h"

#define CASES PORTAFLOW_DATA_DIR "/dicom_cases/"

static void need_data(void) {
    status_clear();
    if (access(CASES, R_OK) != 0) {
        print_message("skipped: no research data at %s\n", CASES);
        skip();
    }
}

static void shell(const char *command) {
    assert_int_equal(system(command), 0); /* NOLINT: our own temporary folder */
}

/* Every voxel of the truth has its place and value in the volume. */
static void assert_same_image(const volume *v, const volume *truth) {
    assert_int_equal(volume_size(v), volume_size(truth));
    double worst = 0, away = 0;
    for (int k = 0; k < truth->dims[2]; k++)
        for (int j = 0; j < truth->dims[1]; j++)
            for (int i = 0; i < truth->dims[0]; i++) {
                double p[3], q[3];
                const double index[3] = {i, j, k};
                volume_to_lps(truth, index, p);
                volume_to_index(v, p, q);
                int at[3];
                for (int a = 0; a < 3; a++) {
                    at[a] = (int)lround(q[a]);
                    away = fmax(away, fabs(q[a] - at[a]));
                    assert_in_range(at[a], 0, v->dims[a] - 1);
                }
                double d = (double)v->value[volume_index(v, at[0], at[1], at[2])] -
                           (double)truth->value[volume_index(truth, i, j, k)];
                worst = fmax(worst, fabs(d));
            }
    assert_true(away < 1e-2);
    assert_true(worst == 0);
}

static void packed_equals_truth(void **state) {
    (void)state;
    static const char *const names[] = {"generic/compressed_rle", "generic/compressed_jpegls", "generic/compressed_j2k",
                                        "generic/compressed_jpeg", "failing/slicecount"};
    need_data();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[512], gold[512];
        volume v, truth;
        snprintf(path, sizeof path, CASES "%s/001", names[i]);
        snprintf(gold, sizeof gold, CASES "%s/001_ground_truth.nii.gz", names[i]);
        int rc = image_read(path, NULL, &v);
        if (rc != OK)
            print_message("%s: %s\n", names[i], status_message());
        assert_int_equal(rc, OK);
        assert_int_equal(image_read(gold, NULL, &truth), OK);
        assert_same_image(&v, &truth);
        volume_free(&v);
        volume_free(&truth);
    }
}

static void plain_series(void **state) {
    (void)state;
    need_data();
    volume v;
    assert_int_equal(image_read(CASES "generic/anatomical/001", NULL, &v), OK);
    assert_int_equal(v.dims[2], 4);
    assert_true(fabs(v.spacing_mm[2] - 1) < 1e-6);
    volume_free(&v);
    assert_int_equal(image_read(CASES "hitachi/anatomical/001", NULL, &v), OK);
    assert_int_equal(v.dims[2], 4);
    assert_true(fabs(v.spacing_mm[2] - 4) < 2e-3);
    volume_free(&v);
}

/* ---- an enhanced multi-frame file, made here (DICOM PS3.3 C.7.6.16) */
enum { FRAMES = 5 };
/* Frames in shuffled order, 3 mm apart along z, each with a slope of its own; value = 100 frame place + pixel. */
static size_t make_enhanced(const char *path) {
    static buffer b, frames, groups, shared;
    static const int place[FRAMES] = {2, 0, 4, 1, 3};
    uint16_t pixel[FRAMES * WIDE * HIGH];
    frames.n = shared.n = 0;
    put_start(&b, "1.2.840.10008.5.1.4.1.1.4.1", "1.2.3.4");
    put_text(&b, 0x10, 0x10, "PN", "SECRET^NAME");
    put_text(&b, 0x18, 0x88, "DS", "1.5"); /* SpacingBetweenSlices lies */
    put_text(&b, 0x20, 0x0e, "UI", "1.2.3.4.5");
    put_shape(&b, WIDE, HIGH, "5", NULL, false);
    put_group(&shared, 0x20, 0x9116, 0x20, (unsigned[2]){0x37, 0}, (const char *[2]){"1\\0\\0\\0\\1\\0", NULL});
    put_group(&shared, 0x28, 0x9110, 0x28, (unsigned[2]){0x30, 0}, (const char *[2]){"0.5\\0.75", NULL});
    groups.n = 0;
    put_item(&groups, &shared);
    put_element(&b, 0x5200, 0x9229, "SQ", groups.data, groups.n);
    for (int k = 0; k < FRAMES; k++) {
        char position[64], slope[16];
        groups.n = 0;
        snprintf(position, sizeof position, "-7\\11\\%d", 3 * place[k]);
        snprintf(slope, sizeof slope, "%g", k % 2 ? 0.5 : 0.25);
        put_group(&groups, 0x20, 0x9113, 0x20, (unsigned[2]){0x32, 0}, (const char *[2]){position, NULL});
        put_group(&groups, 0x28, 0x9145, 0x28, (unsigned[2]){0x1052, 0x1053}, (const char *[2]){"0", slope});
        put_item(&frames, &groups);
        for (int i = 0; i < WIDE * HIGH; i++)
            pixel[k * WIDE * HIGH + i] = (uint16_t)((100 * place[k] + i) * (k % 2 ? 2 : 4) | 0xf000); /* overlay bits */
    }
    put_element(&b, 0x5200, 0x9230, "SQ", frames.data, frames.n);
    put_element(&b, 0x7fe0, 0x10, "OW", pixel, sizeof pixel);
    write_file(path, &b);
    return b.n;
}

static void enhanced(void **state) {
    (void)state;
    volume v;
    char path[256];
    status_clear();
    snprintf(path, sizeof path, "%s", temp_path("enhanced.dcm"));
    size_t n = make_enhanced(path);
    int rc = image_read(path, NULL, &v);
    if (rc != OK)
        print_message("%s\n", status_message());
    assert_int_equal(rc, OK);
    const int dims[3] = {WIDE, HIGH, FRAMES};
    const double spacing[3] = {0.75, 0.5, 3}, origin[3] = {-7, 11, 0};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(v.dims[i], dims[i]);
        assert_true(fabs(v.spacing_mm[i] - spacing[i]) < 1e-9);
        assert_true(fabs(v.origin_mm[i] - origin[i]) < 1e-9);
    }
    for (int k = 0; k < FRAMES; k++)
        for (int i = 0; i < WIDE * HIGH; i++)
            assert_true(v.value[k * WIDE * HIGH + i] == (float)(100 * k + i));
    volume_free(&v);
    for (size_t keep = n - 1; keep > 140; keep -= keep > n - 12 ? 1 : 29) { /* every cut is refused */
        assert_int_equal(truncate(path, (off_t)keep), 0);
        status_clear();
        assert_int_equal(image_read(path, NULL, &v), ERR_INPUT);
        assert_null(strstr(status_message(), "SECRET"));
    }
    unlink(path);
}

static void assert_refused(const char *path, const char *series, const char *word) {
    volume v;
    status_clear();
    int rc = image_read(path, series, &v);
    print_message("  %s\n", status_message());
    assert_int_equal(rc, ERR_INPUT);
    assert_non_null(strstr(status_message(), word));
    assert_null(v.value);
}

static void unusable(void **state) {
    (void)state;
    need_data();
    assert_refused(CASES "failing/gantrytilting/001", NULL, "tilted");
    assert_refused(CASES "failing/sliceincrement/001", NULL, "missing");
    assert_refused(CASES "enhanced/emri_small.dcm", NULL, "no position"); /* its functional groups were removed */
    assert_refused(CASES "enhanced/emri_small_jpeg_2k_lossless_too_short.dcm", NULL, "no position");
    assert_refused(PORTAFLOW_DATA_DIR "/vmtk_aorta_mra/mr-dicom.dcm", NULL, "no position");
    assert_refused(CASES "generic", NULL, "holds 2 series");
    assert_refused(CASES "generic", "1.2.3", "no series");
    char empty[64];
    snprintf(empty, sizeof empty, "%s", temp_path("none"));
    assert_int_equal(mkdir(empty, 0700), 0);
    assert_refused(empty, NULL, "no DICOM");
}

static void chosen_by_uid(void **state) {
    (void)state;
    need_data();
    volume v;
    status_clear();
    char command[1024], path[256];
    snprintf(path, sizeof path, "%s", temp_path("two"));
    snprintf(command, sizeof command,
             "mkdir '%s' && cp -r '%sgeneric/anatomical' '%shitachi' '%s' && echo x > '%s/notes.txt'", path, CASES,
             CASES, path, path);
    shell(command);
    assert_refused(path, NULL, "4 slices of 256 x 256");
    status_clear();
    assert_int_equal(image_read(path, "1.2.826.0.1.3680043.8.498.1725697665093567298243974030", &v), OK);
    assert_int_equal(v.dims[0], 256);
    volume_free(&v);
    snprintf(command, sizeof command, "cp '%sgeneric/anatomical/001/IM-0001-0002-0001.dcm' '%s/copy.dcm'", CASES, path);
    shell(command);
    assert_refused(path, "1.2.826.0.1.3680043.8.498.1725697665093567298243974030", "duplicate");
    snprintf(command, sizeof command, "rm '%s/copy.dcm'; : > '%s/empty.dcm'", path, path);
    shell(command);
    assert_refused(path, NULL, "empty.dcm");
}

/* Two series in one folder, their files in no order: refused with both UIDs, read by one, and without a slice, with one
 * twice or a foreign one refused by the name of the problem. No name of a patient in any sentence. */
static void series_made_here(void **state) {
    (void)state;
    static const char *const uid[2] = {"1.2.3.4.100", "1.2.3.4.200"};
    char path[200], file[300];
    volume v;
    snprintf(path, sizeof path, "%s", temp_path("made"));
    assert_int_equal(mkdir(path, 0700), 0);
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < 4 + s; k++) {
            snprintf(file, sizeof file, "%s/%d%d.dcm", path, (5 * k + 3) % 7, s);
            make_slice(file, uid[s], k, 100 * (s + 1));
        }
    assert_refused(path, NULL, uid[0]);
    assert_non_null(strstr(status_message(), uid[1]));
    assert_null(strstr(status_message(), "SECRET"));
    status_clear();
    assert_int_equal(image_read(path, uid[1], &v), OK);
    assert_int_equal(v.dims[2], 5);
    for (int k = 0; k < 5; k++)
        assert_true(v.value[volume_index(&v, 2, 1, k)] == (float)(200 + k));
    assert_true(fabs(v.spacing_mm[2] - 2.5) < 1e-9 && fabs(v.spacing_mm[0] - 0.75) < 1e-9);
    volume_free(&v);
    snprintf(file, sizeof file, "%s/more.dcm", path);
    make_slice(file, uid[1], 7, 200); /* 5 and 6 are not there */
    assert_refused(path, uid[1], "missing");
    make_slice(file, uid[1], 2, 200);
    assert_refused(path, uid[1], "duplicate");
    assert_null(strstr(status_message(), "SECRET"));
}

/* The file ends three bytes behind that text. */
static void cut_behind(const char *path, const char *text) {
    static char data[10000];
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    const size_t n = fread(data, 1, sizeof data, f);
    fclose(f);
    const char *at = memmem(data, n, text, strlen(text));
    assert_non_null(at);
    assert_int_equal(truncate(path, at - data + 3), 0);
}

static void assert_depth(const char *path, const char *series, int slices, int warnings) {
    volume v;
    message_clear();
    status_clear();
    assert_int_equal(image_read(path, series, &v), OK);
    assert_int_equal(v.dims[2], slices);
    assert_int_equal(message_warning_count(), warnings);
    volume_free(&v);
}

/* A damaged file refuses the series it belongs to, not the other one beside it. */
static void damaged_beside(void **state) {
    (void)state;
    static const char *const uid[2] = {"1.2.3.4.100", "1.2.3.4.200"};
    char path[200], apart[220], file[300];
    snprintf(path, sizeof path, "%s", temp_path("beside"));
    assert_int_equal(mkdir(path, 0700), 0);
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < 5; k++) {
            snprintf(file, sizeof file, "%s/%d%d.dcm", path, k, s);
            make_slice(file, uid[s], k, 100 * (s + 1));
        }
    snprintf(file, sizeof file, "%s/40.dcm", path);
    cut_behind(file, "0.5\\0.75"); /* behind the UID of its series */
    assert_refused(path, uid[0], "'40.dcm' is damaged");
    assert_refused(path, NULL, "holds 2 series");
    assert_non_null(strstr(status_message(), "'40.dcm' is damaged"));
    assert_depth(path, uid[1], 5, 1);
    cut_behind(file, "SECRET"); /* before it: of either */
    assert_depth(path, uid[1], 5, 1);
    assert_depth(path, uid[0], 4, 1);
    assert_null(strstr(message_warning(0), "40.dcm"));
    snprintf(file, sizeof file, "%s/20.dcm", path);
    assert_int_equal(truncate(file, 0), 0);
    assert_refused(path, uid[0], "missing slices");
    assert_non_null(strstr(status_message(), "'20.dcm' is damaged"));
    assert_depth(path, uid[1], 5, 1);
    for (int s = 0; s < 2; s++) { /* in folders of their own, no file of the first readable: the second is the one */
        snprintf(apart, sizeof apart, "%s/s%d", path, s);
        assert_int_equal(mkdir(apart, 0700), 0);
    }
    for (int k = 0; k < 5; k++)
        for (int s = 0; s < 2; s++) {
            char to[300];
            snprintf(file, sizeof file, "%s/%d%d.dcm", path, k, s);
            snprintf(to, sizeof to, "%s/s%d/%d.dcm", path, s, k);
            assert_int_equal(rename(file, to), 0);
            if (s == 0)
                assert_int_equal(truncate(to, 150), 0);
        }
    assert_depth(path, NULL, 5, 1);
    snprintf(file, sizeof file, "%s/s1/4.dcm", path);
    cut_behind(file, "SECRET"); /* nothing else lies in its folder */
    assert_refused(path, NULL, "4.dcm' is damaged");
}

/* Anonymisers that give every slice a series of its own: alike slices are one series, named by any of the UIDs. */
static void own_series_each(void **state) {
    (void)state;
    need_data();
    static const char uid[] = "1.2.826.0.1.3680043.8.498.1725697665093567298243974030";
    static unsigned char data[200000];
    char command[1024], path[300];
    const char *own = temp_path("own");
    snprintf(command, sizeof command, "mkdir '%s' && cp '%sgeneric/anatomical/001/'* '%s' && chmod -R u+w '%s'", own,
             CASES, own, own);
    shell(command);
    for (int k = 1; k <= 4; k++) {
        snprintf(path, sizeof path, "%s/IM-0001-000%d-0001.dcm", own, k);
        FILE *f = fopen(path, "r+b");
        size_t n = fread(data, 1, sizeof data, f);
        unsigned char *at = memmem(data, n, uid, strlen(uid));
        assert_non_null(at);
        at[strlen(uid) - 1] = (unsigned char)('0' + k);
        rewind(f);
        assert_int_equal(fwrite(data, 1, n, f), n);
        fclose(f);
    }
    volume v;
    status_clear();
    assert_int_equal(image_read(own, "1.2.826.0.1.3680043.8.498.1725697665093567298243974033", &v), OK);
    assert_int_equal(v.dims[2], 4);
    volume_free(&v);
}

/* Every cut of a slice and many random changes: a sentence or an image, never a crash. */
static void broken_slice(void **state) {
    (void)state;
    need_data();
    static const char *const names[] = {"anatomical", "compressed_j2k", "compressed_jpeg", "compressed_jpegls",
                                        "compressed_rle"};
    uint32_t random = 99;
    for (size_t k = 0; k < 5; k++) {
        char command[1024], path[256], file[512];
        snprintf(path, sizeof path, "%s%zu", temp_path("broken"), k);
        snprintf(command, sizeof command, "cp -r '%sgeneric/%s/001' '%s' && chmod -R u+w '%s'", CASES, names[k], path,
                 path);
        shell(command);
        snprintf(file, sizeof file, "%s/IM-0001-0003-0001.dcm", path);
        FILE *f = fopen(file, "rb");
        static unsigned char whole[200000], bytes[200000];
        size_t n = fread(whole, 1, sizeof whole, f);
        fclose(f);
        for (int trial = 0; trial < 40; trial++) {
            size_t keep = n;
            memcpy(bytes, whole, n);
            random = random * 1664525U + 1013904223U;
            if (trial < 20)
                keep =
                    trial == 0 ? n - 1 : (size_t)((double)(random >> 8) / (1 << 24) * (trial < 10 ? (double)n : 2000));
            for (int i = 0; trial >= 20 && i < 3; i++) {
                random = random * 1664525U + 1013904223U;
                bytes[132 + (random >> 8) % 1200] = (unsigned char)(random >> 24);
            }
            f = fopen(file, "wb");
            assert_int_equal(fwrite(bytes, 1, keep, f), keep);
            fclose(f);
            volume v;
            status_clear();
            int rc = image_read(path, NULL, &v);
            assert_true(trial >= 20 || rc != OK);
            if (rc != OK)
                assert_true(strlen(status_message()) > 10);
            volume_free(&v);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(enhanced),      cmocka_unit_test(series_made_here), cmocka_unit_test(packed_equals_truth),
        cmocka_unit_test(plain_series),  cmocka_unit_test(own_series_each),  cmocka_unit_test(unusable),
        cmocka_unit_test(chosen_by_uid), cmocka_unit_test(broken_slice),     cmocka_unit_test(damaged_beside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
