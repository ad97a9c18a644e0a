/* SPDX-License-Identifier: Apache-2.0 */
/* What a log may say: no folder outside the patient's, no file of a DICOM folder. */
#include "common/base/file.h"
#include "common/base/status.h"
#include "pipeline/run/log.h"
#include "tests/unit/temp.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void expect(const case_file *c, const char *line, const char *wanted) {
    const log_rule rule = {c, temp_path("p")};
    char said[1024] = "";
    FILE *to = fmemopen(said, sizeof said, "w");
    assert_non_null(to);
    log_write_line(to, line, &rule);
    fclose(to);
    const size_t n = strlen(said);
    assert_true(n > 0 && said[n - 1] == '\n');
    said[n - 1] = '\0';
    assert_string_equal(said, wanted);
}

static void test_paths_of_the_case(void **state) {
    (void)state;
    case_opening opening[2] = {{.name = "IN", .waveform = "/data/Doe, J/in.csv"}, {.name = "OUT"}};
    case_file c = {.n_opening = 2, .opening = opening};
    c.image.path = "../Doe/x.nii.gz";
    c.segment.labels_path = "/home/O'Doe/seg.nii";
    c.segment.surface_path = "images/lumen.stl";
    expect(&c, "segment: '../Doe/x.nii.gz' is cut short", "segment: 'image' is cut short");
    expect(&c, "segment: './../Doe/x.nii.gz' is cut short", "segment: 'image' is cut short");
    expect(&c, "'/home/O'Doe/seg.nii' and '../Doe/x.nii.gz'", "'labels' and 'image'");
    expect(&c, "cannot open /data/Doe, J/in.csv", "cannot open waveform");
    expect(&c, "'images/lumen.stl' has 3 open edges", "'surface' has 3 open edges");
    expect(&c, "opening 'IN': 3 %, ./out, it's 2/3", "opening 'IN': 3 %, ./out, it's 2/3");
    expect(&c, "", "");
}

/* Scanners name files after the patient and the day. */
static void test_files_of_a_folder(void **state) {
    (void)state;
    assert_int_equal(file_create_folder(temp_path("p/images/dicom/a")), OK);
    assert_int_equal(file_create_folder(temp_path("other/mr")), OK);
    temp_text("p/images/dicom/DOE.2019.0001.IMA", "");
    temp_text("p/images/dicom/a/DOE.2", "");
    temp_text("other/mr/DOE.3", "");
    case_file c = {0};
    c.image.path = "images/dicom";
    expect(&c, "missing slices: 'DOE.2019.0001.IMA' and 'a/DOE.2' are 5 mm apart",
           "missing slices: 'image/...' and 'image/...' are 5 mm apart");
    expect(&c, "'images/dicom/a/DOE.2' is damaged, 'none' is not", "'image/...' is damaged, 'none' is not");
    c.image.path = "../other/mr";
    expect(&c, "'./../other/mr': its DICOM file 'DOE.3' is damaged", "'image': its DICOM file 'image/...' is damaged");
    expect(&c, "cannot read '../other/mr/DOE.3'", "cannot read 'image/...'");
}

/* A series' description is written by hand, and its UID leads to the patient in the archive. */
static void test_series(void **state) {
    (void)state;
    case_file c = {.image = {.path = "dicom", .series = "1.2.3"}};
    const char *kept = "  (a series of the folder: printed on the terminal only)";
    expect(&c, "  1.2.826.0.1  14 slices of 64 x 64, 1 x 1 mm, 1 mm apart: DOE PORTAL", kept);
    expect(&c, "  1.2.3  1 slice of 64 x 64", kept);
    expect(&c, "  1.2.3  14 slices long", kept);
    expect(&c, "'dicom' holds no series '1.2.3'; it holds:", "'image' holds no series 'series'; it holds:");
    expect(&c, "  1.2 mm apart", "  1.2 mm apart");
    expect(&c, "  0.5  cells", "  0.5  cells");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_paths_of_the_case),
                                       cmocka_unit_test(test_files_of_a_folder), cmocka_unit_test(test_series)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
