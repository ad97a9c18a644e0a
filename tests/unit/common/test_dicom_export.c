/* SPDX-License-Identifier: Apache-2.0 */
/* DICOM objects written by dicom_export.h: our reader finds the same voxels at the same places; patient and study of a
 * series are kept, or nothing is kept. */
#include "common/base/message.h"
#include "common/base/status.h" /* before cmocka.h, which has a macro fail() */
#include "common/base/file.h"
#include "common/dicom_write/dicom_export.h"
#include "common/image_file/itk_image.h"
#include "common/record/dicom_head.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
/* after cmocka.h: it asserts */
#include "tests/unit/common/dicom_write.h"
#include "tests/unit/temp.h"

static char folder[400], path[600];

/* An oblique grid with an odd number of voxels per slice; every voxel by its own rule. mirrored: a left-handed grid. */
static void make_mask(volume *v, bool mirrored) {
    const double c = cos(0.4), s = sin(0.4);
    const double direction[9] = {c, -s, 0, s, c, 0, 0, 0, mirrored ? -1 : 1};
    assert_int_equal(volume_create(v, (const int[3]){7, 5, 9}, (const double[3]){0.7, 0.9, 1.3},
                                   (const double[3]){-12.25, 31.5, -81.125}, direction),
                     OK);
    for (size_t i = 0; i < volume_size(v); i++)
        v->value[i] = i * 2654435761U >> 7 & 1 ? 1 : 0;
}

static void test_same_voxels(void **state) {
    (void)state;
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        volume mask, back;
        dicom_study *study;
        make_mask(&mask, mirrored);
        assert_int_equal(dicom_study_open(NULL, NULL, false, &study), OK);
        assert_false(dicom_study_has_patient(study));
        snprintf(path, sizeof path, "%s/seg%d.dcm", folder, mirrored);
        assert_int_equal(dicom_write_segmentation(study, path, "Lumen", &mask), OK);
        dicom_study_close(study);
        assert_int_equal(image_read(path, NULL, &back), OK);
        assert_int_equal(volume_size(&back), volume_size(&mask));
        for (int k = 0; k < 9; k++)
            for (int j = 0; j < 5; j++)
                for (int i = 0; i < 7; i++) {
                    double lps[3], index[3];
                    volume_to_lps(&mask, (const double[3]){i, j, k}, lps);
                    volume_to_index(&back, lps, index);
                    const int at[3] = {(int)lround(index[0]), (int)lround(index[1]), (int)lround(index[2])};
                    for (int a = 0; a < 3; a++)
                        assert_true(fabs(index[a] - at[a]) < 1e-4);
                    assert_true(mask.value[volume_index(&mask, i, j, k)] ==
                                back.value[volume_index(&back, at[0], at[1], at[2])]);
                }
        volume_free(&mask);
        volume_free(&back);
    }
}

/* A series of 3 slices with a patient. */
static void write_series(const char to[500]) {
    static buffer b;
    for (int k = 0; k < 3; k++) {
        char uid[32], position[32];
        snprintf(uid, sizeof uid, "1.2.3.4.%d", k + 1);
        snprintf(position, sizeof position, "0\\0\\%d", 2 * k);
        put_start(&b, "1.2.840.10008.5.1.4.1.1.4", uid);
        put_text(&b, 8, 0x20, "DA", "20250304");
        put_text(&b, 8, 0x50, "SH", "ACC998877");
        put_text(&b, 8, 0x60, "CS", "MR");
        put_text(&b, 0x10, 0x10, "PN", "Zebrafink^Ottilie");
        put_text(&b, 0x10, 0x20, "LO", "ID4711777");
        put_text(&b, 0x20, 0x0d, "UI", "1.2.3.77.1");
        put_text(&b, 0x20, 0x0e, "UI", "1.2.3.77.2");
        put_text(&b, 0x20, 0x32, "DS", position);
        put_text(&b, 0x20, 0x37, "DS", "1\\0\\0\\0\\1\\0");
        put_text(&b, 0x20, 0x52, "UI", "1.2.3.77.3");
        put_u16(&b, 0x28, 2, 1);
        put_u16(&b, 0x28, 0x10, 2);
        put_u16(&b, 0x28, 0x11, 2);
        put_text(&b, 0x28, 0x30, "DS", "1\\1");
        put_u16(&b, 0x28, 0x100, 16);
        put_element(&b, 0x7fe0, 0x10, "OW", "\1\0\2\0\3\0\4", 8);
        snprintf(path, sizeof path, "%.500s/%d.dcm", to, k);
        write_file(path, &b);
    }
}

static bool holds(const char *file, const char *word) {
    char *text = NULL;
    size_t size = 0;
    assert_int_equal(file_read(file, 1 << 20, &text, &size), OK);
    const bool found = memmem(text, size, word, strlen(word)) != NULL;
    free(text);
    return found;
}

static void test_patient(void **state) {
    (void)state;
    static const char *const word[] = {"Zebrafink^Ottilie", "ID4711777", "ACC998877", "20250304", "1.2.3.77.1"};
    static const char *const file[] = {"seg.dcm", "sc.dcm", "doc.dcm"};
    static const unsigned char rgb[18] = {255, 0, 0};
    char series[500];
    snprintf(series, sizeof series, "%s/series", folder);
    assert_int_equal(file_create_folder(series), OK);
    write_series(series);
    for (int anonymous = 0; anonymous < 2; anonymous++) {
        dicom_study *study;
        volume mask;
        dicom_head head;
        make_mask(&mask, false);
        assert_int_equal(dicom_study_open(series, NULL, anonymous, &study), OK);
        assert_true(dicom_study_has_patient(study) == !anonymous);
        snprintf(path, sizeof path, "%s/%s", folder, file[0]);
        assert_int_equal(dicom_write_segmentation(study, path, "Lumen", &mask), OK);
        assert_true(holds(path, "1.2.3.77.3") == !anonymous && holds(path, "1.2.3.4.2") == !anonymous);
        snprintf(path, sizeof path, "%s/%s", folder, file[1]);
        assert_int_equal(dicom_write_capture(study, path, 1, "a picture", 3, 2, rgb), OK);
        assert_int_equal(dicom_write_capture(study, path, 1, "wide", 65536, 1, rgb), ERR_INPUT);
        status_clear();
        snprintf(path, sizeof path, "%s/%s", folder, file[2]);
        assert_int_equal(dicom_write_pdf(study, path, "report", "%PDF-1.4", 8, false), OK);
        for (int f = 0; f < 3; f++) {
            snprintf(path, sizeof path, "%s/%s", folder, file[f]);
            assert_true(dicom_head_read(path, &head));
            assert_true(strncmp(head.series, "2.25.", 5) == 0);
            for (size_t k = 0; k < sizeof word / sizeof *word; k++)
                assert_true(holds(path, word[k]) == !anonymous);
        }
        dicom_study_close(study);
        volume_free(&mask);
    }
}

static void test_refused(void **state) {
    (void)state;
    dicom_study *study;
    volume mask;
    make_mask(&mask, false);
    assert_int_equal(dicom_study_open("/nonexistent", NULL, false, &study), OK); /* no DICOM: no patient */
    assert_int_equal(dicom_write_segmentation(study, "/nonexistent/seg.dcm", "Lumen", &mask), ERR_OUTPUT);
    status_clear();
    dicom_study_close(study);
    dicom_study_close(NULL);
    volume_free(&mask);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_voxels), cmocka_unit_test(test_patient),
                                       cmocka_unit_test(test_refused)};
    snprintf(folder, sizeof folder, "%.399s", temp_path("."));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
