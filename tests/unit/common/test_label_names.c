/* Names of labels as programs write them: TotalSegmentator (--ml), Connectome Workbench, 3D Slicer. */
#include "common/image/label_names.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include "tests/unit/temp.h"

enum { MOST = 20, HEADER = 352, PREFIX = 8 };

/* A NIfTI-1 file with an extension of this text and one voxel behind it. */
static const char *nifti(const char *text) {
    static char bytes[8192];
    const size_t length = strlen(text), whole = (PREFIX + length + 15) / 16 * 16;
    const int32_t size = 348, extension = (int32_t)whole;
    const float offset = (float)(HEADER + whole);
    assert_true(HEADER + whole < sizeof bytes);
    memset(bytes, 0, sizeof bytes);
    memcpy(bytes, &size, sizeof size);
    memcpy(bytes + 108, &offset, sizeof offset);
    memcpy(bytes + 344, "n+1", 4);
    bytes[348] = 1;
    memcpy(bytes + HEADER, &extension, sizeof extension);
    memcpy(bytes + HEADER + PREFIX, text, length); /* NOLINT(bugprone-not-null-terminated-result): bytes of a file */
    return temp_write("labels.nii", bytes, HEADER + whole + 1);
}

/* The same in NIfTI-2, whose header is longer. */
static const char *nifti_2(const char *text) {
    enum { LONG = 544 };
    static char bytes[8192];
    const size_t length = strlen(text), whole = (PREFIX + length + 15) / 16 * 16;
    const int32_t size = 540, extension = (int32_t)whole;
    const int64_t offset = (int64_t)(LONG + whole);
    assert_true(LONG + whole < sizeof bytes);
    memset(bytes, 0, sizeof bytes);
    memcpy(bytes, &size, sizeof size);
    memcpy(bytes + 4, "n+2", 4);
    memcpy(bytes + 168, &offset, sizeof offset);
    bytes[540] = 1;
    memcpy(bytes + LONG, &extension, sizeof extension);
    memcpy(bytes + LONG + PREFIX, text, length); /* NOLINT(bugprone-not-null-terminated-result): bytes of a file */
    return temp_write("labels2.nii", bytes, LONG + whole + 1);
}

/* `n` bytes at `at` in the other order. */
static void turn(char *at, size_t n) {
    for (size_t k = 0; k < n / 2; k++) {
        const char was = at[k];
        at[k] = at[n - 1 - k];
        at[n - 1 - k] = was;
    }
}

/* The file as a machine of the other order of bytes writes it: what is read of its header. */
static const char *turned(const char *path, size_t offset_at, size_t offset_bytes) {
    static char bytes[8192];
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    const size_t n = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    turn(bytes, 4);
    turn(bytes + offset_at, offset_bytes);
    return temp_write("turned.nii", bytes, n);
}

static void named(const char *path, int n, const label_name *expected) {
    label_name found[MOST];
    assert_int_equal(label_names_read(path, MOST, found), n);
    for (int k = 0; k < n; k++) {
        assert_int_equal(found[k].value, expected[k].value);
        assert_string_equal(found[k].name, expected[k].name);
    }
}

static void total_segmentator(void **state) {
    (void)state;
    static const char text[] =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?> <CaretExtension>  <Date><![CDATA[2013-07-14T05:45:09]]>"
        "</Date>   <VolumeInformation Index=\"0\">   <LabelTable>\n"
        "<Label Key=\"9\" Red=\"1.0\" Green=\"0.0\" Blue=\"0.0\" Alpha=\"1\">"
        "<![CDATA[internal_carotid_artery_right]]></Label>\n"
        "<Label Key=\"64\" Red=\"0.0\" Green=\"1.0\" Blue=\"0.0\" Alpha=\"1\">"
        "<![CDATA[portal_vein_and_splenic_vein]]></Label>\n\n"
        "  </LabelTable>  <VolumeType><![CDATA[Label]]></VolumeType>   </VolumeInformation>"
        "</CaretExtension>\n";
    named(nifti(text), 2,
          (const label_name[]){{9, "internal_carotid_artery_right"}, {64, "portal_vein_and_splenic_vein"}});
}

static void both_versions_and_orders(void **state) {
    (void)state;
    static const char text[] = "<LabelTable><Label Key=\"64\">portal_vein</Label></LabelTable>";
    static const label_name expected[] = {{64, "portal_vein"}};
    named(nifti_2(text), 1, expected);
    named(turned(nifti_2(text), 168, 8), 1, expected);
    named(turned(nifti(text), 108, 4), 1, expected);
}

static void plain_text(void **state) {
    (void)state;
    static const char text[] = "<CaretExtension><VolumeInformation><LabelTable><Label Red=\"1\" Key=\"3\">\n"
                               " artery &amp; vein &lt;left&gt; &#38; </Label><Label Key=\"4\"> <![CDATA[a > b]]>\n"
                               "</Label><Label Key=\"5\"></Label></LabelTable></VolumeInformation></CaretExtension>";
    named(nifti(text), 3, (const label_name[]){{3, "artery & vein <left> &#38;"}, {4, "a > b"}, {5, ""}});
    named(nifti("<LabelTable><Label Key=\"3\">cut off"), 0, NULL);
    named(nifti("<LabelTable><Label Key=\"3\"><![CDATA[cut off</Label></LabelTable>"), 1,
          (const label_name[]){{3, "<![CDATA[cut off"}});
}

static void slicer(void **state) {
    (void)state;
    static const char text[] = "NRRD0004\ntype: uchar\ndimension: 3\n\nSegment0_LabelValue:=1\n";
    static const char keys[] = "NRRD0004\ntype: uchar\ndimension: 3\nSegment0_ID:=Segment_1\nSegment0_LabelValue:=3\n"
                               "Segment0_Layer:=0\nSegment0_Name:=liver\nSegment0_NameAutoGenerated:=0\n"
                               "Segment10_LabelValue:=8\nSegment10_Name:=ten\nSegment1_LabelValue:=7\n"
                               "Segment1_Name:=Portal vein\n\n";
    named(temp_text("none.nrrd", text), 0, NULL);
    named(temp_text("a.seg.nrrd", keys), 3, (const label_name[]){{3, "liver"}, {8, "ten"}, {7, "Portal vein"}});
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(total_segmentator), cmocka_unit_test(both_versions_and_orders),
                                       cmocka_unit_test(plain_text), cmocka_unit_test(slicer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
