/* SPDX-License-Identifier: Apache-2.0 */
/* DICOM segmentations (SEG) made here: labels and names of segments, slices without frames, overlap, refused kinds; a
 * structure set is refused by name; a file without preamble is read. */
#include "common/base/message.h"
#include "common/base/status.h" /* before cmocka.h, which has a macro fail() */
#include "common/image_file/itk_image.h"
#include "common/image_file/label_names.h"
#include "common/record/dicom_head.h"
#include "common/record/provenance.h"
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

/* 35 voxels a frame, so frames do not start at whole bytes */
enum { NX = 7, NY = 5, FRAMES_MAX = 12 };

typedef struct {
    const char *type, *overlap, *between;
    int bits, n_frame, fewer; /* fewer: bytes missing at the end of the voxels */
    struct {
        int segment, slice;
        unsigned char voxel[NY][NX];
    } frame[FRAMES_MAX];
    double side_mm; /* sideways shift of the last frame */
} made_seg;

static const char *const names[3] = {"Portal vein", "Hepatic vein", "Liver"};

static void put_segments(buffer *b) {
    static buffer list, one;
    list.n = 0;
    for (int k = 0; k < 3; k++) {
        one.n = 0;
        put_u16(&one, 0x62, 4, k + 1);
        put_text(&one, 0x62, 5, "LO", names[k]);
        put_item(&list, &one);
    }
    put_element(b, 0x62, 2, "SQ", list.data, list.n);
}

/* Pixel spacing, and the distance of slices if it is stated. */
static void put_measures(buffer *to, const char *between) {
    static buffer inner, item;
    inner.n = item.n = 0;
    if (between)
        put_text(&inner, 0x18, 0x88, "DS", between);
    put_text(&inner, 0x28, 0x30, "DS", "0.5\\0.75");
    put_item(&item, &inner);
    put_element(to, 0x28, 0x9110, "SQ", item.data, item.n);
}

static void put_frame(buffer *to, int segment, double slice, double side_mm) {
    static buffer group, id, item;
    char position[64];
    group.n = id.n = item.n = 0;
    snprintf(position, sizeof position, "%g\\11\\%g", -7 + side_mm, 2.5 * slice);
    put_group(&group, 0x20, 0x9113, 0x20, (unsigned[2]){0x32, 0}, (const char *[2]){position, NULL});
    put_u16(&id, 0x62, 0xb, segment);
    put_item(&item, &id);
    put_element(&group, 0x62, 0xa, "SQ", item.data, item.n);
    put_item(to, &group);
}

static size_t write_seg(const char *path, const made_seg *s) {
    static buffer b, shared, groups, frames;
    unsigned char bits[FRAMES_MAX * NX * NY] = {0};
    char count[16];
    size_t n = 0;
    shared.n = groups.n = frames.n = 0;
    put_start(&b, "1.2.840.10008.5.1.4.1.1.66.4", "1.2.3.4");
    put_text(&b, 8, 0x60, "CS", "SEG");
    put_text(&b, 0x20, 0x0e, "UI", "1.2.3.66");
    snprintf(count, sizeof count, "%d", s->n_frame);
    put_u16(&b, 0x28, 2, 1);
    put_text(&b, 0x28, 4, "CS", "MONOCHROME2");
    put_text(&b, 0x28, 8, "IS", count);
    put_u16(&b, 0x28, 0x10, NY);
    put_u16(&b, 0x28, 0x11, NX);
    put_u16(&b, 0x28, 0x100, s->bits ? s->bits : 1);
    put_u16(&b, 0x28, 0x101, s->bits ? s->bits : 1);
    put_u16(&b, 0x28, 0x102, s->bits ? s->bits - 1 : 0);
    put_u16(&b, 0x28, 0x103, 0);
    put_text(&b, 0x62, 1, "CS", s->type ? s->type : "BINARY");
    put_segments(&b);
    if (s->overlap)
        put_text(&b, 0x62, 0x13, "CS", s->overlap);
    put_group(&shared, 0x20, 0x9116, 0x20, (unsigned[2]){0x37, 0}, (const char *[2]){"1\\0\\0\\0\\1\\0", NULL});
    put_measures(&shared, s->between);
    put_item(&groups, &shared);
    put_element(&b, 0x5200, 0x9229, "SQ", groups.data, groups.n);
    for (int f = 0; f < s->n_frame; f++) {
        put_frame(&frames, s->frame[f].segment, s->frame[f].slice, f == s->n_frame - 1 ? s->side_mm : 0);
        for (int i = 0; i < NX * NY; i++, n++)
            bits[s->bits == 8 ? n : n / 8] |=
                (unsigned char)(s->frame[f].voxel[i / NX][i % NX] << (s->bits == 8 ? 0 : n % 8));
    }
    put_element(&b, 0x5200, 0x9230, "SQ", frames.data, frames.n);
    put_element(&b, 0x7fe0, 0x10, "OB", bits, (s->bits == 8 ? n : (n + 7) / 8) - (size_t)s->fewer);
    write_file(path, &b);
    return b.n;
}

/* Portal vein in slices 0, 1 and 4, hepatic vein in 1 and 3, liver in 3; slice 2 has no frame. */
static made_seg usual(void) {
    made_seg s = {.n_frame = 6,
                  .frame = {{.segment = 1, .slice = 4, .voxel = {[4] = {[6] = 1}}},
                            {.segment = 1, .slice = 0, .voxel = {{1, 1}}},
                            {.segment = 2, .slice = 1, .voxel = {[2] = {[3] = 1}}},
                            {.segment = 1, .slice = 1, .voxel = {{1}}},
                            {.segment = 3, .slice = 3, .voxel = {{0, 1, 1, 1}}},
                            {.segment = 2, .slice = 3, .voxel = {[1] = {0, 1}}}}};
    return s;
}

static char path[512];

static void read_as(const made_seg *s, int rc, const char *word, volume *v) {
    write_seg(path, s);
    status_clear();
    const int got = image_read(path, NULL, v);
    if (got != rc || (word && !strstr(status_message(), word)))
        print_message("%d '%s' (expected '%s')\n", got, status_message(), word ? word : "");
    assert_int_equal(got, rc);
    if (word)
        assert_non_null(strstr(status_message(), word));
    status_clear();
}

static float at(const volume *v, int i, int j, int k) {
    return v->value[volume_index(v, i, j, k)];
}

static void labels(void **state) {
    (void)state;
    const made_seg s = usual();
    volume v, g;
    label_name name[8];
    double sum = 0;
    read_as(&s, OK, NULL, &v);
    const int dims[3] = {NX, NY, 5};
    const double spacing[3] = {0.75, 0.5, 2.5}, origin[3] = {-7, 11, 0};
    for (int a = 0; a < 3; a++) {
        assert_int_equal(v.dims[a], dims[a]);
        assert_true(fabs(v.spacing_mm[a] - spacing[a]) < 1e-9);
        assert_true(fabs(v.origin_mm[a] - origin[a]) < 1e-9);
    }
    for (size_t i = 0; i < volume_size(&v); i++)
        sum += (double)v.value[i];
    assert_true(at(&v, 6, 4, 4) == 1 && at(&v, 0, 0, 0) == 1 && at(&v, 1, 0, 0) == 1 && at(&v, 0, 0, 1) == 1);
    assert_true(at(&v, 3, 2, 1) == 2 && at(&v, 1, 1, 3) == 2);
    assert_true(at(&v, 1, 0, 3) == 3 && at(&v, 3, 0, 3) == 3);
    assert_true(sum == 4 * 1 + 2 * 2 + 3 * 3);
    assert_int_equal(image_read_geometry(path, NULL, &g), OK);
    assert_int_equal(g.dims[2], 5);
    volume_free(&v);
    assert_int_equal(label_names_read(path, 8, name), 3);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(name[k].value, k + 1);
        assert_string_equal(name[k].name, names[k]);
    }
}

/* The stated distance of slices counts where every second slice has no frame. */
static void stated_distance(void **state) {
    (void)state;
    made_seg s = {.n_frame = 3,
                  .between = "2.5",
                  .frame = {{.segment = 1, .slice = 0, .voxel = {{1}}},
                            {.segment = 1, .slice = 2, .voxel = {{1}}},
                            {.segment = 1, .slice = 6, .voxel = {{1}}}}};
    volume v;
    read_as(&s, OK, NULL, &v);
    assert_int_equal(v.dims[2], 7);
    assert_true(fabs(v.spacing_mm[2] - 2.5) < 1e-9 && at(&v, 0, 0, 2) == 1 && at(&v, 0, 0, 1) == 0);
    volume_free(&v);
    s.between = "7"; /* is not the distance of these frames */
    read_as(&s, OK, NULL, &v);
    assert_int_equal(v.dims[2], 4);
    assert_true(fabs(v.spacing_mm[2] - 5) < 1e-9);
    volume_free(&v);
}

static void overlap(void **state) {
    (void)state;
    made_seg s = usual();
    volume v;
    s.frame[5].voxel[0][2] = 1; /* hepatic vein in the liver */
    read_as(&s, ERR_INPUT, "segments 2 and 3 overlap", &v);
    s.overlap = "NO";
    read_as(&s, ERR_INPUT, "segments 2 and 3 overlap", &v);
    s.overlap = "YES";
    message_clear();
    read_as(&s, OK, NULL, &v);
    assert_true(at(&v, 2, 0, 3) == 2 && at(&v, 1, 0, 3) == 3); /* a vessel has priority over the liver */
    assert_int_equal(message_warning_count(), 1);
    assert_non_null(strstr(message_warning(0), "segment 3 loses 1 of its 3 voxels"));
    volume_free(&v);
    s.frame[4].segment = 1; /* two vessels: the later one */
    read_as(&s, OK, NULL, &v);
    assert_true(at(&v, 2, 0, 3) == 2 && at(&v, 1, 0, 3) == 1);
    volume_free(&v);
}

static void refused(void **state) {
    (void)state;
    volume v;
    made_seg s = usual();
    s.type = "FRACTIONAL";
    read_as(&s, ERR_INPUT, "FRACTIONAL", &v);
    s.bits = 8;
    read_as(&s, ERR_INPUT, "FRACTIONAL", &v);
    s.type = "LABELMAP";
    read_as(&s, ERR_INPUT, "LABELMAP", &v);
    s = usual();
    s.fewer = 2;
    read_as(&s, ERR_INPUT, "", &v);
    s = usual();
    s.frame[2].segment = 9;
    read_as(&s, ERR_INPUT, "segment 9", &v);
    s = usual();
    s.frame[2].segment = 1;
    read_as(&s, ERR_INPUT, "repeats segment 1", &v);
    s = usual();
    s.side_mm = 3;
    read_as(&s, ERR_INPUT, "different positions", &v);
    s = usual();
    s.n_frame = 1;
    read_as(&s, ERR_INPUT, "one slice", &v);
    s = usual();
    for (size_t keep = write_seg(path, &s) - 1; keep > 140; keep -= keep > 3000 ? 1 : 29) { /* every cut is refused */
        assert_int_equal(truncate(path, (off_t)keep), 0);
        assert_int_equal(image_read(path, NULL, &v), ERR_INPUT);
        status_clear();
    }
}

static void write_structures(const char *file) {
    static buffer b;
    put_start(&b, "1.2.840.10008.5.1.4.1.1.481.3", "1.2.3.7");
    put_text(&b, 8, 0x60, "CS", "RTSTRUCT");
    put_text(&b, 0x20, 0x0e, "UI", "1.2.3.77");
    write_file(file, &b);
}

/* A folder with slices, a segmentation, a structure set and results of the program. */
static void folder_of_both(void **state) {
    (void)state;
    const made_seg s = usual();
    volume v;
    char folder[512], file[600], image[17], labels[17], now[17];
    snprintf(folder, sizeof folder, "%s", temp_path("both"));
    assert_int_equal(mkdir(folder, 0700), 0);
    snprintf(file, sizeof file, "%s/rs.dcm", folder);
    write_structures(file);
    assert_int_equal(image_read(file, NULL, &v), ERR_INPUT);
    assert_non_null(strstr(status_message(), "RTSTRUCT"));
    status_clear();
    for (int k = 0; k < 4; k++) {
        snprintf(file, sizeof file, "%s/%d.dcm", folder, k);
        make_slice(file, "1.2.3", k, 100);
    }
    assert_int_equal(image_read(folder, DICOM_HEAD_LABELS, &v), ERR_INPUT); /* contours are no labels */
    assert_non_null(strstr(status_message(), "RTSTRUCT"));
    status_clear();
    assert_int_equal(provenance_checksum_image(folder, NULL, image), OK);
    snprintf(file, sizeof file, "%s/seg.dcm", folder);
    write_seg(file, &s);
    assert_int_equal(image_read(folder, NULL, &v), OK); /* the segmentation is no image */
    assert_int_equal(v.dims[2], 4);
    volume_free(&v);
    assert_int_equal(image_read(folder, DICOM_HEAD_LABELS, &v), OK);
    assert_int_equal(v.dims[2], 5);
    volume_free(&v);
    assert_int_equal(provenance_checksum_image(folder, DICOM_HEAD_LABELS, labels), OK);
    assert_string_not_equal(image, labels);
    temp_text("both/case.yaml", "name: a\n");
    assert_int_equal(provenance_checksum_image(folder, NULL, now), OK);
    assert_string_equal(now, image); /* neither the segmentation nor other files are part of the image */
    snprintf(file, sizeof file, "%s/0.lnk", folder); /* a second name of a slice */
    assert_int_equal(symlink("0.dcm", file), 0);
    assert_int_equal(provenance_checksum_image(folder, NULL, now), OK);
    assert_string_equal(now, image);
    assert_int_equal(image_read(folder, NULL, &v), OK);
    assert_int_equal(v.dims[2], 4);
    volume_free(&v);
    for (int k = 0; k < 3; k++) {
        snprintf(file, sizeof file, "%s/b%d.dcm", folder, k);
        make_slice(file, "1.2.9", k, 300);
    }
    assert_int_equal(provenance_checksum_image(folder, "1.2.3", now), OK);
    assert_string_equal(now, image); /* of two series the chosen one */
    snprintf(file, sizeof file, "%s/4.dcm", folder);
    make_slice(file, "1.2.3", 4, 100);
    assert_int_equal(provenance_checksum_image(folder, "1.2.3", now), OK);
    assert_string_not_equal(now, image);
    assert_int_equal(provenance_checksum_image(folder, DICOM_HEAD_LABELS, now), OK);
    assert_string_equal(now, labels);
    snprintf(file, sizeof file, "%s/seg2.dcm", folder);
    write_seg(file, &s);
    assert_int_equal(image_read(folder, DICOM_HEAD_LABELS, &v), ERR_INPUT);
    assert_non_null(strstr(status_message(), "2 segmentations"));
    status_clear();
}

/* Single slices with a series each are one volume: all of them count. */
static void joined_slices(void **state) {
    (void)state;
    char folder[512], file[600], series[32], before[17], now[17];
    snprintf(folder, sizeof folder, "%s", temp_path("joined"));
    assert_int_equal(mkdir(folder, 0700), 0);
    for (int turn = 0; turn < 2; turn++) {
        for (int k = 0; k < 4; k++) {
            snprintf(file, sizeof file, "%s/%d.dcm", folder, k);
            snprintf(series, sizeof series, "1.2.3.%d", k);
            make_slice(file, series, k, k == 3 && turn ? 500 : 100);
        }
        assert_int_equal(provenance_checksum_image(folder, "1.2.3.0", turn ? now : before), OK);
    }
    assert_string_not_equal(before, now);
}

/* Files that start with group 2 or group 8, without the preamble. */
static void no_preamble(void **state) {
    (void)state;
    char folder[512], file[600], bytes[4000];
    for (int meta = 0; meta < 2; meta++) {
        volume v;
        snprintf(folder, sizeof folder, "%s", temp_path(meta ? "meta" : "bare"));
        assert_int_equal(mkdir(folder, 0700), 0);
        for (int k = 0; k < 4; k++) {
            snprintf(file, sizeof file, "%s/slice%d", folder, k);
            make_slice(file, "1.2.3", k, 100);
            FILE *f = fopen(file, "rb");
            assert_non_null(f);
            const size_t n = fread(bytes, 1, sizeof bytes, f);
            fclose(f);
            size_t from = 132;
            while (!meta && memcmp(bytes + from, "\x08\0\x16\0UI", 6) != 0)
                from++;
            f = fopen(file, "wb");
            assert_int_equal(fwrite(bytes + from, 1, n - from, f), n - from);
            fclose(f);
        }
        const int rc = image_read(folder, NULL, &v);
        if (rc != OK)
            print_message("%s\n", status_message());
        assert_int_equal(rc, OK);
        assert_int_equal(v.dims[2], 4);
        assert_true(at(&v, 2, 1, 3) == 103);
        volume_free(&v);
        assert_int_equal(image_read(file, NULL, &v), ERR_INPUT); /* one slice, but recognised */
        assert_non_null(strstr(status_message(), "one slice"));
        status_clear();
    }
    assert_false(dicom_head_recognize(temp_text("t", "\x08 is no DICOM file, however long this text may be: it has to "
                                                     "be longer than the preamble of 128 bytes and its mark, or else "
                                                     "it would be short for that")));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels),      cmocka_unit_test(stated_distance), cmocka_unit_test(overlap),
        cmocka_unit_test(refused),     cmocka_unit_test(folder_of_both),  cmocka_unit_test(joined_slices),
        cmocka_unit_test(no_preamble),
    };
    snprintf(path, sizeof path, "%s", temp_path("seg.dcm"));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
