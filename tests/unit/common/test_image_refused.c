/* SPDX-License-Identifier: Apache-2.0 */
/* Headers of images, one line or number at a time: each refusal of the readers, with the word that names the cause. */
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
#include <sys/stat.h>
#include "tests/unit/temp.h"

enum { ROOM = 4096, VOXELS = 60 };
static char bytes[ROOM];

static void refuse(const char *path, const char *word) {
    volume v;
    status_clear();
    const int rc = image_read(path, NULL, &v);
    if (rc != ERR_INPUT || strstr(status_message(), word) == NULL)
        print_message("%s: %d '%s' (expected '%s')\n", path, rc, status_message(), word);
    assert_int_equal(rc, ERR_INPUT);
    assert_non_null(strstr(status_message(), word));
    assert_null(v.value);
    status_clear();
}

/* name: a header with `from` replaced by `to`, and VOXELS bytes behind it */
static void text_header(const char *name, const char *head, const char *from, const char *to, const char *word) {
    const char *at = strstr(head, from);
    assert_non_null(at);
    const size_t n = (size_t)snprintf(bytes, ROOM, "%.*s%s%s", (int)(at - head), head, to, at + strlen(from));
    memset(bytes + n, 1, VOXELS);
    temp_write(name, bytes, n + VOXELS);
    refuse(temp_path(name), word);
}

static void nrrd(void **state) {
    (void)state;
    static const char head[] = "NRRD0004\ntype: uint8\ndimension: 3\nspace: left-posterior-superior\nsizes: 5 4 3\n"
                               "space directions: (1,0,0) (0,1,0) (0,0,1)\nspace origin: (0,0,0)\nencoding: raw\n\n";
    static const struct {
        const char *from, *to, *word;
    } tried[] = {{"dimension: 3", "dimension: 2", ""},
                 {"sizes: 5 4 3", "sizes: 5 4 0", ""},
                 {"sizes: 5 4 3", "sizes: 5 4 x", ""},
                 {"sizes: 5 4 3", "sizes: 5 4", ""},
                 {"type: uint8", "type: block", ""},
                 {"type: uint8", "type: widget", ""},
                 {"encoding: raw", "encoding: bzip2", "bzip2"},
                 {"encoding: raw", "encoding: gzip\nbyte skip: 4", "byte skip"},
                 {"encoding: raw", "encoding: raw\nbyte skip: -1\nline skip: 90", ""},
                 {"encoding: raw", "encoding: raw\ndata file: absent.raw", "absent.raw"},
                 {"encoding: raw", "encoding: raw\ndata file: a%02d.raw 1 3 1", "one file per slice"},
                 {"encoding: raw", "encoding: raw\ndata file: LIST", "one file per slice"},
                 {"(0,0,1)", "(0,0,0)", "orientation"},
                 {"(0,0,1)", "(0,1,1)", "sheared"},
                 {"(0,0,1)", "(0,0,nan)", ""},
                 {"origin: (0,0,0)", "origin: (0,0,1e8)", "first voxel"},
                 /* ITK takes 1 for a size that it cannot read, and what stands before a comma */
                 {"(1,0,0)", "(1e300,0,0)", "vectors of three numbers"},
                 {"(0,1,0)", "(0,1,-1e300)", "vectors of three numbers"},
                 {"(1,0,0)", "(0x10,0,0)", "vectors of three numbers"},
                 {"(1,0,0)", "(1 1,0,0)", "vectors of three numbers"},
                 {"(1,0,0)", "(1,0,0,0)", "vectors of three numbers"},
                 {"(1,0,0)", "(1,0)", "vectors of three numbers"},
                 {"(1,0,0)", "x(1,0,0)", "vectors of three numbers"},
                 {"origin: (0,0,0)", "origin: (0x10,0,0)", "vectors of three numbers"},
                 {"origin: (0,0,0)", "origin: (0,0,1 1)", "vectors of three numbers"},
                 {"origin: (0,0,0)", "origin: (0,0,0", "vectors of three numbers"},
                 {"sizes: 5 4 3", "sizes: 5 4 0x3", "sizes"},
                 {"left-posterior-superior", "scanner-xyz", ""},
                 /* ITK reads keys in any case, with or without blanks */
                 {"encoding: raw", "encoding: raw\nData File: absent.raw", "absent.raw"},
                 {"encoding: raw", "encoding: raw\nBYTESKIP: 3", "cut short"},
                 {"encoding: raw", "encoding: raw\nbyte skip: -2", "byte skip"},
                 {"encoding: raw", "encoding: raw\nbyte skip: 9223372036854775807", "cannot read"},
                 {"sizes: 5 4 3", "sizes: 50 40 30\nbyte skip: -1", "cut short"},
                 {"sizes: 5 4 3", "sizes: 5 4 3 1", "sizes"},
                 {"sizes: 5 4 3", "sizes: -5 -4 3", "sizes"},
                 {"encoding: raw", "encoding: raw\nkinds: domain domain time", "time"},
                 {"encoding: raw", "encoding: raw\nspaceunits: \"ell\" \"ell\" \"ell\"", "ell"}};
    static const char layers[] = "NRRD0004\ntype: uint8\ndimension: 4\nspace: left-posterior-superior\nsizes: 2 5 4 3\n"
                                 "space directions: none (1,0,0) (0,1,0) (0,0,1)\nkinds: vector domain domain domain\n"
                                 "space origin: (0,0,0)\nencoding: raw\n\n";
    text_header("b.nrrd", layers, "", "", "4 dimensions (kinds: 'vector domain domain domain')");
    for (size_t k = 0; k < sizeof tried / sizeof *tried; k++)
        text_header("a.nrrd", head, tried[k].from, tried[k].to, tried[k].word);
}

static void meta(void **state) {
    (void)state;
    static const char head[] = "ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = False\n"
                               "CompressedData = False\nTransformMatrix = 1 0 0 0 1 0 0 0 1\nOffset = 0 0 0\n"
                               "ElementSpacing = 1 1 1\nDimSize = 5 4 3\nElementType = MET_UCHAR\n"
                               "ElementDataFile = LOCAL\n";
    static const struct {
        const char *from, *to, *word;
    } tried[] = {{"NDims = 3\n", "NDims = 2\n", ""},
                 {"DimSize = 5 4 3", "DimSize = 5 4 x", ""},
                 {"DimSize = 5 4 3", "DimSize = 0 4 3", "DimSize"},
                 {"MET_UCHAR", "MET_WORD", "ElementType"},
                 {"ElementType = MET_UCHAR", "ElementNumberOfChannels = 2\nElementType = MET_UCHAR", "cut short"},
                 {"DimSize = 5 4 3\n", "DimSize = 5 2 3\nElementNumberOfChannels = 2\n", "values per voxel"},
                 {"ElementDataFile = LOCAL", "ElementDataFile = LIST", "one file per slice"},
                 {"ElementDataFile = LOCAL", "ElementDataFile = a%03d.raw 1 3 1", "one file per slice"},
                 {"ElementDataFile = LOCAL", "ElementDataFile = absent.raw", "absent.raw"},
                 {"ElementDataFile = LOCAL", "HeaderSize = -1\nElementDataFile = .", "is not a file"},
                 {"ElementDataFile = LOCAL\n", "", "ElementDataFile"},
                 {"0 0 1\nOffset", "0 0 0\nOffset", ""},
                 {"ElementSpacing = 1 1 1", "ElementSpacing = 1 1 0", ""},
                 {"ElementSpacing = 1 1 1", "ElementSpacing = 1 1 1 1", "ElementSpacing"},
                 {"Offset = 0 0 0", "Offset = 0 0", "Offset"},
                 {"Offset = 0 0 0", "Offset = 0 0 0x10", "Offset"},
                 {"Offset = 0 0 0", "Offset = 0 0 1,5", "Offset"},
                 {"ElementSpacing = 1 1 1", "ElementSpacing = 1 1 1,5", "ElementSpacing"},
                 {"DimSize = 5 4 3", "DimSize = 5 4 3,5", "DimSize"},
                 {"0 0 1\nOffset", "0 0 2\nOffset", "TransformMatrix"},
                 {"DimSize = 5 4 3", "DimSize = 5 4 3 1", "DimSize"},
                 {"NDims = 3\n", "NDims = 3\nDimSize = 4 5 3\n", "twice"},
                 {"BinaryData = True\n", "BinaryData = True\nElementByteOrderMSB = True\n", "twice"},
                 {"DimSize = 5 4 3", "ElementType = MET_CHAR\nDimSize = 5 4 3", "ElementType twice"},
                 {"NDims = 3\n", "NDims = 2\nNDims = 3\n", "NDims twice"},
                 {"NDims = 3\n", "NDims = 3\nElementNumberOfChannels = 2\nElementNumberOfChannels = 1\n", "twice"},
                 {"CompressedData = False", "CompressedData = True\nCompressedData = False", "CompressedData twice"},
                 {"BinaryData = True\n", "BinaryData = False\nBinaryData = True\n", "BinaryData twice"},
                 {"NDims = 3\n", "NDims = 3\nDistanceUnits = m\nDistanceUnits = mm\n", "DistanceUnits twice"},
                 {"BinaryData = True", "HeaderSize = 4\nHeaderSize = 0\nBinaryData = True", "HeaderSize twice"},
                 {"ObjectType = Image", "ObjectType = Tube\nObjectType = Image", "ObjectType twice"},
                 {"ElementDataFile = LOCAL", "HeaderSize = 4\nElementDataFile = LOCAL", "HeaderSize"},
                 {"ElementSpacing = 1 1 1", "ElementSpacing = 1 -1 1", "ElementSpacing"},
                 {"ElementSpacing = 1 1 1", "ElementSpacing = 2e4 2e4 2e4", "outside"},
                 {"BinaryData = True", "ElementToIntensityFunctionSlope = 2\nBinaryData = True", "Slope"},
                 {"BinaryData = True", "ElementToIntensityFunctionOffset = -1024\nBinaryData = True", "Offset"},
                 {"ObjectType = Image", "ObjectType = Tube", "Tube"},
                 {"DimSize = 5 4 3\nElementType = MET_UCHAR", "DimSize = 5 1 2\nElementType = MET_LONG", "more"}};
    for (size_t k = 0; k < sizeof tried / sizeof *tried; k++)
        text_header("a.mha", head, tried[k].from, tried[k].to, tried[k].word);
}

/* MetaImages of other dimensions, consistent in themselves. */
static void meta_dimensions(void **state) {
    (void)state;
    static const struct {
        int n;
        const char *matrix, *offset, *spacing, *sizes, *word;
    } tried[] = {{2, "1 0 0 1", "0 0", "1 1", "5 12", "2 dimensions"},
                 {4, "1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1", "0 0 0 0", "1 1 1 1", "5 2 3 2", "2 volumes along axis 4"},
                 {3, "1 0 0 0 1 0 0 0 1", "0 0 0", "1 1 60", "5 4 3", "60 times as long"},
                 {3, "1 0 0 0 1 0 0 0 1", "0 0 0", "1 1 1", "5 4 4", "cut short"}};
    for (size_t k = 0; k < sizeof tried / sizeof *tried; k++)
        for (int at_end = 0; at_end < 2; at_end++) {
            const size_t n =
                (size_t)snprintf(bytes, ROOM,
                                 "ObjectType = Image\nNDims = %d\nBinaryData = True\nTransformMatrix = %s\nOffset = "
                                 "%s\nElementSpacing = %s\n"
                                 "DimSize = %s\nElementType = MET_UCHAR\n%sElementDataFile = %s\n",
                                 tried[k].n, tried[k].matrix, tried[k].offset, tried[k].spacing, tried[k].sizes,
                                 at_end ? "HeaderSize = -1\n" : "", at_end ? "apart.raw" : "LOCAL");
            memset(bytes + n, 1, VOXELS);
            temp_write("apart.raw", bytes + n, VOXELS);
            temp_write("d.mha", bytes, n + (at_end ? 0 : VOXELS));
            refuse(temp_path("d.mha"), tried[k].word);
        }
    static char large[2000200]; /* a row of two million */
    const size_t n =
        (size_t)snprintf(large, sizeof large,
                         "ObjectType = Image\nNDims = 3\nBinaryData = True\nTransformMatrix = 1 0 0 0 1 0 0 0 1\n"
                         "Offset = 0 0 0\nElementSpacing = 1 1 1\nDimSize = 1999000 1 1\nElementType = MET_UCHAR\n"
                         "ElementDataFile = LOCAL\n");
    temp_write("l.mha", large, n + 1999000);
    refuse(temp_path("l.mha"), "size 1999000");
}

/* Voxels as text must be what the type of the header can hold: the reader would cut them down to it without a word. */
static void text_voxels(void **state) {
    (void)state;
    static const struct {
        const char *type, *meta, *voxel, *word;
    } tried[] = {{"uchar", "MET_UCHAR", "256", "256"},
                 {"uchar", "MET_UCHAR", "-1", "-1"},
                 {"short", "MET_SHORT", "40000", "40000"},
                 {"short", "MET_SHORT", "1.5", "1.5"},
                 {"float", "MET_FLOAT", "x", "x"},
                 {"uchar", "MET_UCHAR", "0x1", "0x1"},
                 {"uint", "MET_UINT", "4294967296", "4294967296"}};
    for (size_t k = 0; k < sizeof tried / sizeof *tried; k++) {
        for (int meta = 0; meta < 2; meta++) {
            int n = meta
                        ? snprintf(bytes, ROOM,
                                   "ObjectType = Image\nNDims = 3\nBinaryData = False\nTransformMatrix = 1 0 0 0 1 0 0 "
                                   "0 1\nOffset = 0 0 0\nElementSpacing = 1 1 1\nDimSize = 2 2 2\nElementType = %s\n"
                                   "ElementDataFile = LOCAL\n",
                                   tried[k].meta)
                        : snprintf(bytes, ROOM,
                                   "NRRD0004\ntype: %s\ndimension: 3\nspace: LPS\nsizes: 2 2 2\nspace directions: "
                                   "(1,0,0) (0,1,0) (0,0,1)\nspace origin: (0,0,0)\nencoding: ascii\n\n",
                                   tried[k].type);
            n += snprintf(bytes + n, ROOM - (size_t)n, "1 2 3 %s 5 6 7 8\n", tried[k].voxel);
            const char *path = temp_path(meta ? "t.mha" : "t.nrrd");
            temp_write(meta ? "t.mha" : "t.nrrd", bytes, (size_t)n);
            refuse(path, tried[k].word);
        }
    }
}

/* Packed voxels of a MetaImage: ITK takes as many bytes as CompressedDataSize says, whatever is there. */
static void packed_size(void **state) {
    (void)state;
    static const unsigned char packed[] = {0x78, 0x9c, 0x63, 0x64, 0x24, 0x1f, 0, 0, 7, 0x62, 0, 0x3d}; /* 60 times 1 */
    static const char head[] = "ObjectType = Image\nNDims = 3\nBinaryData = True\nCompressedData = True\n%s"
                               "TransformMatrix = 1 0 0 0 1 0 0 0 1\nOffset = 0 0 0\nElementSpacing = 1 1 1\n"
                               "DimSize = 5 4 3\nElementType = MET_UCHAR\nElementDataFile = LOCAL\n";
    static const char *const said[] = {"CompressedDataSize = 12\n", "", "CompressedDataSize = 9\n",
                                       "CompressedDataSize = 13\n"};
    volume v;
    for (size_t k = 0; k < sizeof said / sizeof *said; k++) {
        const size_t n = (size_t)snprintf(bytes, ROOM, head, said[k]);
        memcpy(bytes + n, packed, sizeof packed);
        temp_write("z.mha", bytes, n + sizeof packed);
        if (k > 0) {
            refuse(temp_path("z.mha"), "CompressedDataSize");
            continue;
        }
        assert_int_equal(image_read(temp_path("z.mha"), NULL, &v), OK);
        for (int i = 0; i < VOXELS; i++)
            assert_true(v.value[i] == 1);
        volume_free(&v);
    }
}

/* Keys of NRRD in any case and without blanks are followed: metres here. */
static void nrrd_keys(void **state) {
    (void)state;
    static const char *const key[] = {"space units", "spaceunits", "Space Units", "SPACE UNITS"};
    volume v;
    for (size_t k = 0; k < sizeof key / sizeof *key; k++) {
        const size_t n =
            (size_t)snprintf(bytes, ROOM,
                             "NRRD0004\nType: uchar\nDimension: 3\nSpace: LPS\nSizes: 5 4 3\n"
                             "Space Directions: (0.001,0,0) (0,0.001,0) (0,0,0.001)\nspaceorigin: (0,0,0)\n"
                             "Encoding: raw\n%s: \"m\" \"m\" \"m\"\n\n",
                             key[k]);
        memset(bytes + n, 1, VOXELS);
        temp_write("k.nrrd", bytes, n + VOXELS);
        assert_int_equal(image_read(temp_path("k.nrrd"), NULL, &v), OK);
        assert_true(fabs(v.spacing_mm[0] - 1) < 1e-6);
        volume_free(&v);
    }
}

/* One number of a NIfTI header. */
static void nifti_header(size_t at, const void *value, size_t size, const char *word) {
    volume v;
    const double one[3] = {1, 1, 1}, zero[3] = {0, 0, 0};
    assert_int_equal(volume_create(&v, (const int[3]){5, 4, 3}, one, zero, NULL), OK);
    assert_int_equal(image_write(temp_path("a.nii"), &v, IMAGE_UINT8), OK);
    volume_free(&v);
    FILE *f = fopen(temp_path("a.nii"), "r+b");
    assert_non_null(f);
    assert_int_equal(fseek(f, (long)at, SEEK_SET), 0);
    assert_int_equal(fwrite(value, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
    refuse(temp_path("a.nii"), word);
}

static void nifti(void **state) {
    (void)state;
    const int16_t dims = 9, none = 0, negative = -3, complex_type = 32, rgb = 128, many = 30000, sixteen = 16;
    const float not_a_number = NAN, infinite = -INFINITY, far = 1e8F;
    const char unit = 7;
    nifti_header(40, &dims, 2, "dimensions");
    nifti_header(40, &none, 2, "dimensions");
    nifti_header(42, &negative, 2, "size");
    nifti_header(46, &none, 2, "size");
    nifti_header(46, &many, 2, "cut short");
    nifti_header(70, &complex_type, 2, "colour");
    nifti_header(70, &rgb, 2, "colour");
    nifti_header(72, &sixteen, 2, "bits"); /* which the type does not have */
    nifti_header(254, &sixteen, 2, "code");
    nifti_header(252, &negative, 2, "code");
    nifti_header(112, &infinite, 4, "scl_slope");
    nifti_header(84, &not_a_number, 4, "qform");
    nifti_header(123, &unit, 1, "unit");
    nifti_header(292, &not_a_number, 4, "");
    nifti_header(268, &not_a_number, 4, "qform");
    nifti_header(292, &far, 4, "");
    nifti_header(344, "ni1", 4, "pair");
    nifti_header(344, "xyz", 4, "");
    const int16_t four[6] = {4, 5, 2, 3, 2, 1};
    nifti_header(40, four, sizeof four, "4 dimensions");
}

/* Without an sform: what a qform can be made of. */
static void qform_alone(void **state) {
    (void)state;
    const int16_t codes[2] = {1, 0};
    const float negative[3] = {1, -1, 1}, quatern[3] = {1.2F, 0, 0}, slope[2] = {2, NAN}, qfac = NAN;
    static const struct {
        size_t at;
        const char *word;
    } place[] = {{76, "pixdim"}, {256, "quaternion"}, {112, "scl_inter"}, {76, "pixdim"}};
    const void *value[] = {negative, quatern, slope, &qfac};
    const size_t size[] = {sizeof negative, sizeof quatern, sizeof slope, sizeof qfac};
    volume v;
    const double one[3] = {1, 1, 1}, zero[3] = {0, 0, 0};
    for (size_t k = 0; k < sizeof place / sizeof *place; k++) {
        assert_int_equal(volume_create(&v, (const int[3]){5, 4, 3}, one, zero, NULL), OK);
        assert_int_equal(image_write(temp_path("q.nii"), &v, IMAGE_UINT8), OK);
        volume_free(&v);
        FILE *f = fopen(temp_path("q.nii"), "r+b");
        assert_non_null(f);
        assert_true(fseek(f, 252, SEEK_SET) == 0 && fwrite(codes, sizeof codes, 1, f) == 1);
        assert_true(fseek(f, (long)place[k].at, SEEK_SET) == 0 && fwrite(value[k], size[k], 1, f) == 1);
        assert_int_equal(fclose(f), 0);
        refuse(temp_path("q.nii"), place[k].word);
    }
}

static void places(void **state) {
    (void)state;
    refuse(temp_path("absent.nii"), "cannot open");
    temp_write("empty.nii", "", 0);
    refuse(temp_path("empty.nii"), "empty");
    assert_int_equal(mkdir(temp_path("folder"), 0777), 0);
    refuse(temp_path("folder"), "no DICOM image");
    assert_int_equal(mkfifo(temp_path("pipe.nii"), 0600), 0);
    refuse(temp_path("pipe.nii"), "neither a file nor a folder");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(nrrd),
                                       cmocka_unit_test(meta),
                                       cmocka_unit_test(nifti),
                                       cmocka_unit_test(text_voxels),
                                       cmocka_unit_test(meta_dimensions),
                                       cmocka_unit_test(packed_size),
                                       cmocka_unit_test(nrrd_keys),
                                       cmocka_unit_test(qform_alone),
                                       cmocka_unit_test(places)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
