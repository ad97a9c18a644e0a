/* SPDX-License-Identifier: Apache-2.0 */
/* Segments in layers as 3D Slicer writes them: read as one image of labels. */
#include "common/base/status.h"
#include "common/image_file/itk_image.h"
#include "common/image_file/label_names.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "tests/unit/temp.h"

/* 4 x 1 x 1 voxels of two layers, interleaved: the first axis is the list. */
static const char *file(const char *first, const char *second, int value, const char *voxels) {
    static char text[2000];
    snprintf(text, sizeof text,
             "NRRD0004\ntype: unsigned char\ndimension: 4\nspace: left-posterior-superior\nsizes: 2 4 1 1\n"
             "space directions: none (0.5,0,0) (0,0.5,0) (0,0,2)\nkinds: list domain domain domain\n"
             "encoding: ascii\nspace origin: (10,20,30)\nSegment0_ID:=Segment_1\nSegment0_LabelValue:=1\n"
             "Segment0_Layer:=0\nSegment0_Name:=%s\nSegment1_LabelValue:=%d\nSegment1_Layer:=1\n"
             "Segment1_Name:=%s\n\n%s\n",
             first, value, second, voxels);
    return temp_text("layers.seg.nrrd", text);
}

static void holds(const char *path, const float expected[4]) {
    volume v;
    status_clear();
    if (image_read(path, NULL, &v) != OK)
        fail_msg("%s", status_message());
    assert_int_equal(v.dims[0], 4);
    assert_int_equal(v.dims[1] * v.dims[2], 1);
    assert_true(v.spacing_mm[0] == 0.5 && v.spacing_mm[2] == 2 && v.origin_mm[2] == 30);
    assert_memory_equal(v.value, expected, 4 * sizeof *expected);
    volume_free(&v);
}

static void refused(const char *path, const char *why) {
    volume v;
    status_clear();
    assert_int_equal(image_read(path, NULL, &v), ERR_INPUT);
    if (strstr(status_message(), why) == NULL)
        fail_msg("%s", status_message());
}

/* Of what a vessel shares with an organ it has all, in whichever layer it is. */
static void the_vessel_is_whole(void **state) {
    (void)state;
    static const char voxels[] = "1 0 1 2 0 2 0 0";
    label_name name[4];
    holds(file("Liver", "Portal vein", 2, voxels), (const float[4]){1, 2, 2, 0});
    holds(file("Portal vein", "Liver", 2, voxels), (const float[4]){1, 1, 2, 0});
    const char *path = file("Liver", "Portal vein", 2, voxels);
    assert_int_equal(label_names_read(path, 4, name), 2);
    assert_int_equal(name[1].value, 2);
    assert_string_equal(name[1].name, "Portal vein");
}

/* Each layer counts its own: then the labels are the segments' numbers from 1. */
static void values_of_their_own(void **state) {
    (void)state;
    label_name name[4];
    const char *path = file("Liver", "Portal vein", 1, "1 0 1 1 0 1 0 0");
    holds(path, (const float[4]){1, 2, 2, 0});
    assert_int_equal(label_names_read(path, 4, name), 2);
    assert_int_equal(name[0].value, 1);
    assert_int_equal(name[1].value, 2);
}

static void not_known(void **state) {
    (void)state;
    static const char voxels[] = "1 0 1 2 0 2 0 0";
    refused(file("Segment_1", "Segment_2", 2, voxels), "'Segment_1' and 'Segment_2' overlap");
    refused(file("Portal vein", "Hepatic artery", 2, voxels), "'Portal vein' and 'Hepatic artery' overlap");
    refused(file("Liver", "Portal vein", 3, voxels), "holds the value 2, which no segment");
    holds(file("Segment_1", "Segment_2", 2, "1 0 1 0 0 2 0 0"), (const float[4]){1, 1, 2, 0});
    static const char none[] =
        "NRRD0004\ntype: uchar\ndimension: 4\nspace: LPS\nsizes: 2 4 1 1\nspace directions: "
        "none (1,0,0) (0,1,0) (0,0,1)\nkinds: list domain domain domain\nencoding: ascii\nspace origin: "
        "(0,0,0)\n\n1 0 1 2 0 2 0 0\n";
    refused(temp_text("list.nrrd", none), "no segments of 3D Slicer");
    refused(file("Liver", "Portal vein", 2, "1 0 1 2 0 2 0"), "voxels");
}

/* Layers that this machine has no room for, 1.6 times its memory, are refused before they are read. */
static void no_room(void **state) {
    (void)state;
    const double installed = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    const long slices = (long)(0.004 * installed / 1e6);
    char text[1000];
    volume v;
    snprintf(text, sizeof text,
             "NRRD0004\ntype: uchar\ndimension: 4\nspace: LPS\nsizes: 100 1000 1000 %ld\nspace directions: none "
             "(1,0,0) (0,1,0) (0,0,1)\nkinds: list domain domain domain\nencoding: raw\nspace origin: "
             "(0,0,0)\nSegment0_LabelValue:=1\nSegment0_Name:=Liver\n\n",
             slices);
    const char *path = temp_text("large.seg.nrrd", text);
    assert_int_equal(truncate(path, (off_t)strlen(text) + (off_t)100000000 * slices), 0); /* a hole, no bytes */
    status_clear();
    const int rc = image_read(path, NULL, &v);
    remove(path);
    print_message("%s\n", status_message());
    assert_int_equal(rc, ERR_RESOURCE);
    assert_non_null(strstr(status_message(), "100 layers"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_vessel_is_whole), cmocka_unit_test(values_of_their_own),
                                       cmocka_unit_test(not_known), cmocka_unit_test(no_room)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
