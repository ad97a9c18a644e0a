/* SPDX-License-Identifier: Apache-2.0 */
/* Every format of images cut at many lengths, with a surplus, with sizes of half, and with a geometry that would
 * have to
 * be guessed: the same image or ERR_INPUT with a sentence, never another image. */
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/image_file/itk_image.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include "tests/unit/common/dicom_write.h"
#include "tests/unit/temp.h"

enum { NX = 7, NY = 5, NZ = 4, COUNT = NX * NY * NZ, ROOM = 65536 };
static char bytes[ROOM], kept[ROOM];

/* 0, 1, 2 ... at 1 x 2 x 3 mm from LPS 10, 20, 30. */
static volume wanted(void) {
    volume v;
    const double spacing[3] = {1, 2, 3}, origin[3] = {10, 20, 30};
    assert_int_equal(volume_create(&v, (const int[3]){NX, NY, NZ}, spacing, origin, NULL), OK);
    for (int i = 0; i < COUNT; i++)
        v.value[i] = (float)i;
    return v;
}

static size_t load(const char *path) {
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t n = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    return n;
}

/* 1: refused with a sentence; 0: the image it should be; -1: another one, or another code. */
static int refused(const char *path) {
    volume v = wanted(), got;
    status_clear();
    const int rc = image_read(path, NULL, &got);
    bool same = rc == OK;
    for (int a = 0; same && a < 3; a++)
        same = got.dims[a] == v.dims[a] && fabs(got.spacing_mm[a] - v.spacing_mm[a]) < 1e-5 &&
               fabs(got.origin_mm[a] - v.origin_mm[a]) < 1e-4;
    for (int k = 0; same && k < 9; k++)
        same = fabs(got.direction[k] - v.direction[k]) < 1e-6;
    for (int i = 0; same && i < COUNT; i++)
        same = got.value[i] == v.value[i];
    volume_free(&got);
    volume_free(&v);
    return rc == ERR_INPUT && strlen(status_message()) > 20 ? 1 : same ? 0 : -1;
}

static const char nrrd_head[] =
    "NRRD0004\ntype: float\ndimension: 3\nspace: left-posterior-superior\nsizes: 7 5 4\n"
    "space directions: (1,0,0) (0,2,0) (0,0,3)\nspace origin: (10,20,30)\nendian: little\nencoding: %s\n%s\n";
static const char meta_head[] =
    "ObjectType = Image\nNDims = 3\nBinaryData = %s\nBinaryDataByteOrderMSB = False\nCompressedData = False\n"
    "TransformMatrix = 1 0 0 0 1 0 0 0 1\nOffset = 10 20 30\nElementSpacing = 1 2 3\nDimSize = 7 5 4\n"
    "ElementType = MET_FLOAT\nElementDataFile = %s\n";

static const float *values(void) {
    static float v[COUNT];
    for (int i = 0; i < COUNT; i++)
        v[i] = (float)i;
    return v;
}

static size_t as_text(char *to) {
    size_t n = 0;
    for (int i = 0; i < COUNT; i++)
        n += (size_t)sprintf(to + n, "%d%s", i, i % NX == NX - 1 ? "\n" : " ");
    return n;
}

static size_t as_gzip(char *to, const void *from, size_t n) {
    z_stream z = {.next_in = (unsigned char *)(uintptr_t)from, .avail_in = (unsigned)n};
    z.next_out = (unsigned char *)to;
    z.avail_out = ROOM / 2;
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    n = z.total_out;
    deflateEnd(&z);
    return n;
}

enum kind { OURS, NRRD_RAW, NRRD_TEXT, NRRD_GZIP, NRRD_APART, META_RAW, META_TEXT, META_APART, KINDS };
/* The file that is damaged; for a header with its voxels apart that is the file of the voxels. */
typedef struct {
    const char *name, *damaged;
    enum kind kind;
} format;
static const format formats[] = {
    {"o.nii", "o.nii", OURS},        {"o.nii.gz", "o.nii.gz", OURS},  {"o.nrrd", "o.nrrd", OURS},
    {"o.mha", "o.mha", OURS},        {"r.nrrd", "r.nrrd", NRRD_RAW},  {"t.nrrd", "t.nrrd", NRRD_TEXT},
    {"g.nrrd", "g.nrrd", NRRD_GZIP}, {"d.nhdr", "d.raw", NRRD_APART}, {"r.mha", "r.mha", META_RAW},
    {"t.mha", "t.mha", META_TEXT},   {"d.mhd", "m.raw", META_APART},
};
enum { FORMATS = sizeof formats / sizeof *formats };

static size_t make(const format *f) {
    size_t n = 0;
    volume v = wanted();
    switch (f->kind) {
    case OURS:
        assert_int_equal(image_write(temp_path(f->name), &v, IMAGE_FLOAT32), OK);
        break;
    case NRRD_TEXT:
        n = (size_t)sprintf(bytes, nrrd_head, "ascii", "");
        n += as_text(bytes + n);
        break;
    case NRRD_GZIP:
        n = (size_t)sprintf(bytes, nrrd_head, "gzip", "");
        n += as_gzip(bytes + n, values(), COUNT * sizeof(float));
        break;
    case META_TEXT:
        n = (size_t)sprintf(bytes, meta_head, "False", "LOCAL");
        n += as_text(bytes + n);
        break;
    case NRRD_APART:
        n = (size_t)sprintf(bytes, nrrd_head, "raw", "data file: d.raw\n");
        break;
    case META_APART:
        n = (size_t)sprintf(bytes, meta_head, "True", "m.raw");
        break;
    default:
        n = (size_t)(f->kind == NRRD_RAW ? sprintf(bytes, nrrd_head, "raw", "")
                                         : sprintf(bytes, meta_head, "True", "LOCAL"));
        memcpy(bytes + n, values(), COUNT * sizeof(float));
        n += COUNT * sizeof(float);
    }
    volume_free(&v);
    if (f->kind != OURS)
        temp_write(f->name, bytes, n);
    if (f->kind == NRRD_APART || f->kind == META_APART)
        temp_write(f->damaged, values(), COUNT * sizeof(float));
    if (refused(temp_path(f->name)) != 0)
        print_message("%s: %s\n", f->name, status_message());
    assert_int_equal(refused(temp_path(f->name)), 0);
    n = load(temp_path(f->damaged));
    memcpy(kept, bytes, n);
    return n;
}

static void cut_at_many_lengths(void **state) {
    (void)state;
    for (const format *f = formats; f < formats + FORMATS; f++) {
        const size_t n = make(f);
        int told = 0;
        for (size_t at = 1; at <= 24; at++) { /* 12 over the whole length, 12 near the end */
            const size_t k = at <= 12 ? n * at / 13 : n - (at - 12);
            temp_write(f->damaged, kept, k);
            const int is = refused(temp_path(f->name));
            if (is < 0)
                print_message("%s cut at %zu of %zu bytes: read as another image\n", f->name, k, n);
            assert_true(is >= 0);
            told += is;
        }
        print_message("%-9s %d of 24 cuts refused\n", f->name, told);
        assert_true(told >= (f->kind == NRRD_TEXT || f->kind == META_TEXT ? 23 : 24)); /* text: the last line's end */
    }
}

static void a_surplus(void **state) {
    (void)state;
    static const char more[64] = "7 ";
    for (const format *f = formats; f < formats + FORMATS; f++)
        for (size_t extra = 1; extra <= 64; extra *= 4) {
            const size_t n = make(f);
            memcpy(kept + n, more, extra);
            temp_write(f->damaged, kept, n + extra);
            if (refused(temp_path(f->name)) != 1)
                print_message("%s with %zu bytes more: not refused\n", f->name, extra);
            assert_int_equal(refused(temp_path(f->name)), 1);
        }
}

/* The header claims fewer voxels than the file holds, packed or not. */
static void fewer_voxels_than_there_are(void **state) {
    (void)state;
    static const char *const sizes[][2] = {{"sizes: 7 5 4", "sizes: 7 5 2"}, {"DimSize = 7 5 4", "DimSize = 7 5 2"}};
    for (const format *f = formats; f < formats + FORMATS; f++) {
        (void)make(f);
        const size_t n = load(temp_path(f->name));
        char *at = NULL;
        for (int k = 0; k < 2 && at == NULL; k++) {
            at = memmem(bytes, n, sizes[k][0], strlen(sizes[k][0]));
            if (at != NULL)
                memcpy(at, sizes[k][1], strlen(sizes[k][1]));
        }
        if (strstr(f->name, ".nii") != NULL)
            continue; /* below */
        assert_non_null(at);
        temp_write(f->name, bytes, n);
        if (refused(temp_path(f->name)) != 1)
            print_message("%s of half the size: not refused\n", f->name);
        assert_int_equal(refused(temp_path(f->name)), 1);
    }
}

/* o.nii with a header changed at `at`, plain and packed: refused, and the sentence says `word`. */
static void nifti_with(size_t at, const void *value, size_t size, const char *word) {
    static const format plain = {"o.nii", "o.nii", OURS};
    const size_t n = make(&plain);
    memcpy(kept + at, value, size);
    temp_write("h.nii", kept, n);
    temp_write("h.nii.gz", bytes, as_gzip(bytes, kept, n));
    for (int k = 0; k < 2; k++) {
        const int is = refused(temp_path(k == 0 ? "h.nii" : "h.nii.gz"));
        if (is != 1 || strstr(status_message(), word) == NULL)
            print_message("%d '%s' (expected '%s')\n", is, status_message(), word);
        assert_int_equal(is, 1);
        assert_non_null(strstr(status_message(), word));
    }
}

static void nifti_headers(void **state) {
    (void)state;
    const int16_t half = 2, unit = 5;
    const float zero = 0, inside = 300, between = 352.5F, moved = 42;
    nifti_with(46, &half, 2, "more");    /* dim[3]: half of the slices */
    nifti_with(108, &zero, 4, "header"); /* vox_offset: the header would become voxels */
    nifti_with(108, &inside, 4, "header");
    nifti_with(108, &between, 4, "header");
    nifti_with(123, &unit, 1, "unit");   /* no unit of length has this number */
    nifti_with(268, &moved, 4, "sform"); /* qoffset_x: the two orientations are 52 mm apart, both called scanner's */
    const float mirrored = -1;
    nifti_with(76, &mirrored, 4, "mirror"); /* pixdim[0], qfac */
    /* without a qform: pixdim[3] is 3 mm in the sform */
    static const format plain = {"o.nii", "o.nii", OURS};
    const size_t n = make(&plain);
    const int16_t none = 0;
    const float other = 2.5F, rounded = 3.01F;
    memcpy(kept + 252, &none, 2);
    memcpy(kept + 88, &rounded, 4);
    temp_write("h.nii", kept, n);
    assert_int_equal(refused(temp_path("h.nii")), 0);
    memcpy(kept + 88, &other, 4);
    temp_write("h.nii", kept, n);
    assert_int_equal(refused(temp_path("h.nii")), 1);
    assert_non_null(strstr(status_message(), "pixdim"));
    const float far = 1e7F; /* srow_x[3] */
    memcpy(kept + 88, &rounded, 4);
    memcpy(kept + 292, &far, 4);
    temp_write("h.nii", kept, n);
    assert_int_equal(refused(temp_path("h.nii")), 1);
    assert_non_null(strstr(status_message(), "first voxel"));
}

/* sform and qform in frames of different names (scanner, aligned) may differ: the sform, and a warning that names
 * them. */
static void forms_of_two_frames(void **state) {
    (void)state;
    static const format plain = {"o.nii", "o.nii", OURS};
    const size_t n = make(&plain);
    const int16_t aligned = 2;
    const float moved = 42;
    // fields of a header: NOLINTNEXTLINE(bugprone-not-null-terminated-result)
    memcpy(kept + 254, &aligned, 2);
    memcpy(kept + 268, &moved, 4);
    temp_write("h.nii", kept, n);
    message_clear();
    assert_int_equal(refused(temp_path("h.nii")), 0);
    assert_int_equal(message_warning_count(), 1);
    assert_non_null(strstr(message_warning(0), "52 mm"));
    message_clear();
}

/* One line of a header taken out or changed. */
static void header_with(enum kind kind, const char *line, const char *instead, const char *word) {
    const format *f = formats;
    while (f->kind != kind)
        f++;
    size_t n = make(f);
    char *at = memmem(kept, n, line, strlen(line));
    assert_non_null(at);
    const size_t before = (size_t)(at - kept), length = strlen(line), more = strlen(instead);
    memmove(at + more, at + length, n - before - length);
    memcpy(at, instead, more);
    temp_write(f->name, kept, n + more - length);
    const int is = refused(temp_path(f->name));
    if (is != (word != NULL) || (word && strstr(status_message(), word) == NULL))
        print_message("'%s' -> '%s': %d '%s' (expected '%s')\n", line, instead, is, status_message(), word);
    assert_int_equal(is, word != NULL);
    if (word)
        assert_non_null(strstr(status_message(), word));
}

static void geometry_is_not_guessed(void **state) {
    (void)state;
    header_with(NRRD_RAW, "space: left-posterior-superior\n", "", "space");
    header_with(NRRD_RAW, "space directions: (1,0,0) (0,2,0) (0,0,3)\n", "", "space directions");
    header_with(NRRD_RAW, "space directions: (1,0,0) (0,2,0) (0,0,3)\n", "spacings: 1 2 3\n", "space directions");
    header_with(NRRD_RAW, "(0,0,3)", "none", "none");
    header_with(NRRD_RAW, "space origin: (10,20,30)\n", "", "space origin");
    header_with(NRRD_RAW, "space origin", "space units: \"furlong\" \"mm\" \"mm\"\nspace origin", "furlong");
    header_with(NRRD_RAW, "space origin", "space units: \"mm\" \"mm\" \"m\"\nspace origin", "unit");
    header_with(NRRD_RAW, "space origin", "space units: \"mm\" \"mm\" \"mm\"\nspace origin", NULL);
    header_with(NRRD_RAW, "encoding: raw", "encoding: hex", "hex");
    header_with(META_RAW, "ElementSpacing = 1 2 3\n", "", "ElementSpacing");
    header_with(META_RAW, "TransformMatrix = 1 0 0 0 1 0 0 0 1\n", "", "TransformMatrix");
    header_with(META_RAW, "Offset = 10 20 30\n", "", "Offset");
    header_with(META_RAW, "Offset = 10 20 30\n", "Position = 10 20 30\n", NULL);
    header_with(META_RAW, "DimSize", "Position = 10 20 31\nDimSize", "twice");
    header_with(META_RAW, "DimSize", "Position = 10 20 30\nDimSize", NULL);
    header_with(META_RAW, "DimSize", "ElementSpacing = 1 2 4\nDimSize", "twice");
    header_with(META_RAW, "DimSize", "ElementSize = 1 2 2\nDimSize", NULL);
    header_with(META_RAW, "DimSize", "DistanceUnits = furlong\nDimSize", "furlong");
    header_with(META_RAW, "DimSize", "DistanceUnits = mm\nDimSize", NULL);
}

/* Three letters that agree with the axes, coming from or going to, say nothing; others are warned of. */
static void anatomy_against_the_matrix(void **state) {
    (void)state;
    static const struct {
        const char *line;
        int warnings;
    } tried[] = {{"RAI", 0}, {"LPS", 0}, {"\?\?\?", 0}, {"RAS", 1}, {"LAI", 1}, {"ARI", 1}};
    char instead[64];
    for (size_t k = 0; k < sizeof tried / sizeof *tried; k++) {
        message_clear();
        snprintf(instead, sizeof instead, "AnatomicalOrientation = %s\nDimSize", tried[k].line);
        header_with(META_RAW, "DimSize", instead, NULL);
        assert_int_equal(message_warning_count() > 0, tried[k].warnings);
    }
    message_clear();
}

/* Metres and centimetres are what they say. */
static void units_are_followed(void **state) {
    (void)state;
    volume v;
    static const char metres[] =
        "space directions: (0.001,0,0) (0,0.002,0) (0,0,0.003)\nspace origin: (0.01,0.02,0.03)\n"
        "space units: \"m\" \"m\" \"m\"\n";
    header_with(NRRD_RAW, "space directions: (1,0,0) (0,2,0) (0,0,3)\nspace origin: (10,20,30)\n", metres, NULL);
    header_with(META_RAW, "Offset = 10 20 30\nElementSpacing = 1 2 3\n",
                "DistanceUnits = cm\nOffset = 1 2 3\nElementSpacing = 0.1 0.2 0.3\n", NULL);
    assert_int_equal(image_read_geometry(temp_path("r.mha"), NULL, &v), OK);
    assert_true(fabs(v.spacing_mm[2] - 3) < 1e-6);
}

/* A DICOM series of six slices, one of them cut or with bytes behind its end. */
static void dicom(void **state) {
    (void)state;
    char folder[300], path[400];
    volume v;
    snprintf(folder, sizeof folder, "%s", temp_path("series"));
    assert_int_equal(mkdir(folder, 0777), 0);
    for (int k = 0; k < 6; k++) {
        snprintf(path, sizeof path, "%s/%d.dcm", folder, k);
        make_slice(path, "1.2.3.4.5", k, 100);
    }
    assert_int_equal(image_read(folder, NULL, &v), OK);
    volume_free(&v);
    const size_t n = load(path);
    memcpy(kept, bytes, n);
    memset(kept + n, 0, 64);
    for (size_t at = 1; at <= 26; at++) {
        const size_t k = at <= 12 ? n * at / 13 : at <= 24 ? n - (at - 12) : at == 25 ? n + 2 : n + 48;
        FILE *f = fopen(path, "wb");
        assert_non_null(f);
        assert_int_equal(fwrite(kept, 1, k, f), k);
        fclose(f);
        status_clear();
        const int rc = image_read(folder, NULL, &v);
        if (rc != ERR_INPUT)
            print_message("slice of %zu bytes made %zu: %d\n", n, k, rc);
        assert_int_equal(rc, ERR_INPUT);
    }
    status_clear();
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(cut_at_many_lengths),
                                       cmocka_unit_test(a_surplus),
                                       cmocka_unit_test(fewer_voxels_than_there_are),
                                       cmocka_unit_test(nifti_headers),
                                       cmocka_unit_test(forms_of_two_frames),
                                       cmocka_unit_test(geometry_is_not_guessed),
                                       cmocka_unit_test(anatomy_against_the_matrix),
                                       cmocka_unit_test(units_are_followed),
                                       cmocka_unit_test(dicom)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
