/* SPDX-License-Identifier: Apache-2.0 */
/* Image files: every format keeps geometry and values; every damaged or unusable file is one sentence. */
#include "common/image_file/itk_image.h"
#include "common/base/status.h"
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
#include <unistd.h>
#include "tests/unit/temp.h"

/* An oblique volume: turned about z and x, determinant of the given sign, values 0, 1, 2 ... */
static volume oblique(int sign) {
    volume v;
    const int dims[3] = {7, 5, 4};
    const double spacing[3] = {0.7, 1.1, 7.7}, origin[3] = {-31.5, 12.25, 105.125};
    double a = 0.4, b = -0.25;
    const double d[9] = {cos(a),          -sin(a),         0,
                         sin(a) * cos(b), cos(a) * cos(b), -sign * sin(b),
                         sin(a) * sin(b), cos(a) * sin(b), sign * cos(b)};
    assert_int_equal(volume_create(&v, dims, spacing, origin, d), OK);
    for (size_t i = 0; i < volume_size(&v); i++)
        v.value[i] = (float)i;
    return v;
}

static void assert_same(const volume *a, const volume *b, bool values) {
    for (int i = 0; i < 3; i++) {
        assert_int_equal(a->dims[i], b->dims[i]);
        assert_true(fabs(a->spacing_mm[i] - b->spacing_mm[i]) < 1e-5);
        assert_true(fabs(a->origin_mm[i] - b->origin_mm[i]) < 1e-4);
    }
    for (int i = 0; i < 9; i++)
        assert_true(fabs(a->direction[i] - b->direction[i]) < 1e-5);
    for (size_t i = 0; values && i < volume_size(a); i++)
        assert_true(a->value[i] == b->value[i]);
}

static void round_trip(void **state) {
    (void)state;
    static const char *const names[] = {"a.nii", "a.nii.gz", "a.nrrd", "a.mha"};
    for (int k = 0; k < 8; k++) {
        volume v = oblique(k < 4 ? 1 : -1), w, g;
        const char *path = temp_path(names[k % 4]);
        assert_int_equal(image_write(path, &v, IMAGE_FLOAT32), OK);
        assert_int_equal(image_read(path, NULL, &w), OK);
        assert_same(&v, &w, true);
        assert_int_equal(image_write(path, &v, IMAGE_UINT8), OK);
        assert_int_equal(image_read_geometry(path, NULL, &g), OK);
        assert_null(g.value);
        assert_same(&v, &g, false);
        volume_free(&v);
        volume_free(&w);
    }
}

/* Bytes of a NIfTI file written by us, changed by the caller. */
static size_t load(const char *path, unsigned char *bytes, size_t size) {
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t n = fread(bytes, 1, size, f);
    fclose(f);
    return n;
}
static void save(const char *path, const unsigned char *bytes, size_t n) {
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    fclose(f);
}
static void set_i16(unsigned char *b, int16_t x) {
    memcpy(b, &x, 2);
}
static void set_f32(unsigned char *b, float x) {
    memcpy(b, &x, 4);
}

static unsigned char bytes[4096];
static size_t n_bytes;
static const char *nifti(void) {
    volume v = oblique(1);
    assert_int_equal(image_write(temp_path("n.nii"), &v, IMAGE_FLOAT32), OK);
    volume_free(&v);
    n_bytes = load(temp_path("n.nii"), bytes, sizeof bytes);
    return temp_path("n.nii");
}

/* One sentence, the right code, and it says `word`. */
static void assert_refused(const char *path, const char *word) {
    volume v;
    status_clear();
    int rc = image_read(path, NULL, &v);
    if (rc != ERR_INPUT || strstr(status_message(), word) == NULL)
        print_message("%s: %d '%s' (expected '%s')\n", path, rc, status_message(), word);
    assert_int_equal(rc, ERR_INPUT);
    assert_non_null(strstr(status_message(), word));
    assert_null(strchr(status_message(), '\n'));
    assert_null(v.value);
    status_clear();
}

static void qform_and_sform_agree(void **state) {
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        volume v = oblique(sign), w;
        assert_int_equal(image_write(temp_path("q.nii"), &v, IMAGE_FLOAT32), OK);
        n_bytes = load(temp_path("q.nii"), bytes, sizeof bytes);
        set_i16(bytes + 254, 0); /* only the qform is left */
        save(temp_path("q.nii"), bytes, n_bytes);
        assert_int_equal(image_read(temp_path("q.nii"), NULL, &w), OK);
        assert_same(&v, &w, true);
        volume_free(&v);
        volume_free(&w);
    }
}

static void sform_goes_first(void **state) {
    (void)state;
    const char *path = nifti();
    set_i16(bytes + 254, 2);
    set_f32(bytes + 268, 999); /* the qform is of another frame */
    save(path, bytes, n_bytes);
    volume v = oblique(1), w;
    assert_int_equal(image_read(path, NULL, &w), OK);
    assert_same(&v, &w, true);
    volume_free(&v);
    volume_free(&w);
}

static void slope_and_unit(void **state) {
    (void)state;
    const char *path = nifti();
    set_f32(bytes + 112, 0.5F);
    set_f32(bytes + 116, -3);
    bytes[123] = 3; /* micrometres */
    save(path, bytes, n_bytes);
    volume w;
    assert_int_equal(image_read(path, NULL, &w), OK);
    assert_float_equal(w.value[10], 2, 0);
    assert_true(fabs(w.spacing_mm[2] - 7.7e-3) < 1e-8);
    volume_free(&w);
}

/* The header of NIfTI-1 in `bytes` as one of NIfTI-2 (nifti2.h), in place of it. */
static void to_nifti2(const char *path) {
    static const int places[][2] = {{70, 12}, {72, 14}, {252, 344}, {254, 348}};
    static const unsigned char magic[8] = {'n', '+', '2', 0, '\r', '\n', 032, '\n'};
    unsigned char two[544] = {0};
    const int32_t size = 540;
    const int64_t offset = 544;
    memcpy(two, &size, 4);
    memcpy(two + 4, magic, sizeof magic);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        memcpy(two + places[i][1], bytes + places[i][0], 2); /* little endian: the upper half is 0 */
    for (size_t i = 0; i < 8; i++) {
        int16_t dim;
        memcpy(&dim, bytes + 40 + 2 * i, 2);
        memcpy(two + 16 + 8 * i, &(int64_t){dim}, 8);
    }
    static const int reals[][3] = {{76, 104, 8}, {112, 176, 2}, {256, 352, 6}, {280, 400, 12}}; /* from, to, how many */
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        for (int k = 0; k < reals[i][2]; k++) {
            float x;
            memcpy(&x, bytes + reals[i][0] + 4 * k, 4);
            memcpy(two + reals[i][1] + 8 * k, &(double){(double)x}, 8);
        }
    memcpy(two + 168, &offset, 8);
    two[500] = bytes[123];
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(two, 1, sizeof two, f), sizeof two);
    assert_int_equal(fwrite(bytes + 352, 1, n_bytes - 352, f), n_bytes - 352);
    fclose(f);
}

static void nifti2(void **state) {
    (void)state;
    (void)nifti();
    to_nifti2(temp_path("two.nii"));
    volume v = oblique(1), w;
    int rc = image_read(temp_path("two.nii"), NULL, &w);
    if (rc != OK)
        print_message("%s\n", status_message());
    assert_int_equal(rc, OK);
    assert_same(&v, &w, true);
    volume_free(&v);
    volume_free(&w);
    n_bytes = load(temp_path("two.nii"), bytes, sizeof bytes);
    bytes[8] = '\n'; /* the line end in the mark, changed as by a transfer as text */
    save(temp_path("two.nii"), bytes, n_bytes);
    assert_refused(temp_path("two.nii"), "damaged");
}

static void unusable_nifti(void **state) {
    volume padded;
    float padding;
    (void)state;
    const char *path = nifti();
    set_i16(bytes + 40, 4);
    set_i16(bytes + 48, 20);
    save(path, bytes, n_bytes);
    assert_refused(path, "4 dimensions");
    nifti();
    set_i16(bytes + 252, 0);
    set_i16(bytes + 254, 0);
    save(path, bytes, n_bytes);
    assert_refused(path, "no orientation");
    nifti();
    set_i16(bytes + 252, 0);
    set_f32(bytes + 84, NAN);
    save(path, bytes, n_bytes);
    assert_refused(path, "pixdim");
    nifti();
    set_f32(bytes + 284, 0.5F);
    save(path, bytes, n_bytes);
    assert_refused(path, "sheared");
    nifti();
    for (int i = 0; i < 3; i++)
        set_i16(bytes + 42 + 2 * i, 32767);
    save(path, bytes, n_bytes);
    assert_refused(path, "cut short");
    nifti();
    set_i16(bytes + 42, -5);
    save(path, bytes, n_bytes);
    assert_refused(path, "size -5");
    nifti();
    set_i16(bytes + 70, 128);
    save(path, bytes, n_bytes);
    assert_refused(path, "colour");
    nifti();
    set_f32(bytes + 352, NAN);
    save(path, bytes, n_bytes);
    assert_refused(path, "not finite");
    assert_int_equal(image_read_padded(path, NULL, &padded, &padding), OK);
    assert_true(padded.value[0] == padding);
    for (size_t i = 1; i < volume_size(&padded); i++)
        assert_true(padded.value[i] > padding);
    volume_free(&padded);
    for (size_t at = 356; at + 4 <= n_bytes; at += 4) /* float numbers are 16 apart here */
        set_f32(bytes + at, 2e8f);
    save(path, bytes, n_bytes);
    assert_int_equal(image_read_padded(path, NULL, &padded, &padding), OK);
    assert_true(padded.value[0] == padding && padded.value[1] > padding);
    volume_free(&padded);
    set_f32(bytes + 352, INFINITY);
    save(path, bytes, n_bytes);
    assert_int_equal(image_read_padded(path, NULL, &padded, &padding), ERR_INPUT);
    status_clear();
    nifti();
    set_f32(bytes + 292, INFINITY);
    save(path, bytes, n_bytes);
    assert_refused(path, "orientation is damaged");
}

/* Every possible cut of every format ends in a sentence. */
static void truncated(void **state) {
    (void)state;
    static const char *const names[] = {"t.nii", "t.nii.gz", "t.nrrd", "t.mha"};
    for (int k = 0; k < 4; k++) {
        volume v = oblique(1);
        assert_int_equal(image_write(temp_path(names[k]), &v, IMAGE_FLOAT32), OK);
        volume_free(&v);
        n_bytes = load(temp_path(names[k]), bytes, sizeof bytes);
        for (size_t n = 0; n < n_bytes; n += n + 40 < n_bytes ? 13 : 1) {
            volume w;
            save(temp_path(names[k]), bytes, n);
            status_clear();
            int rc = image_read(temp_path(names[k]), NULL, &w);
            assert_int_equal(rc, ERR_INPUT);
            assert_true(strlen(status_message()) > 20);
        }
    }
}

/* Random changes must neither crash nor hang; what they read is not checked. */
static void garbage(void **state) {
    (void)state;
    static const char *const names[] = {"g.nii", "g.nii.gz", "g.nrrd", "g.mha"};
    uint32_t random = 12345;
    for (int k = 0; k < 4; k++) {
        volume v = oblique(1);
        assert_int_equal(image_write(temp_path(names[k]), &v, IMAGE_UINT8), OK);
        volume_free(&v);
        n_bytes = load(temp_path(names[k]), bytes, sizeof bytes);
        for (int trial = 0; trial < 200; trial++) {
            unsigned char broken[4096];
            memcpy(broken, bytes, n_bytes);
            for (int i = 0; i < 4; i++) {
                random = random * 1664525U + 1013904223U;
                broken[(random >> 8) % n_bytes] = (unsigned char)(random >> 24);
            }
            save(temp_path(names[k]), broken, n_bytes);
            volume w;
            status_clear();
            if (image_read(temp_path(names[k]), NULL, &w) != OK)
                assert_true(strlen(status_message()) > 10);
            volume_free(&w);
        }
    }
    status_clear();
}

static void not_an_image(void **state) {
    (void)state;
    save(temp_path("zero.nii.gz"), bytes, 0);
    assert_refused(temp_path("zero.nii.gz"), "empty");
    save(temp_path("text.nii"), (const unsigned char *)"hello world\n", 12);
    assert_refused(temp_path("text.nii"), "not an image");
    assert_refused(temp_path("absent.nii"), "No such file");
    assert_refused("/dev/null", "neither a file");
}

static void cannot_write(void **state) {
    (void)state;
    volume v = oblique(1);
    static const char *const names[] = {"none/a.nii.gz", "none/a.mha", "none/a.nrrd", "a.png"};
    for (int k = 0; k < 4; k++) {
        status_clear();
        assert_int_equal(image_write(temp_path(names[k]), &v, IMAGE_FLOAT32), ERR_OUTPUT);
        assert_true(strlen(status_message()) > 10);
    }
    status_clear();
    volume_free(&v);
}

/* A research image: the same array as NIfTI (sform) and NRRD is the same volume. */
static void nifti_equals_nrrd(void **state) {
    (void)state;
    const char *nii = PORTAFLOW_DATA_DIR "/fnndsc_avf_mra/avf_float_32.nii.gz";
    volume a, b;
    if (access(nii, R_OK) != 0) {
        print_message("skipped: no research data at %s\n", nii);
        skip();
    }
    assert_int_equal(image_read(nii, NULL, &a), OK);
    assert_int_equal(image_read(PORTAFLOW_DATA_DIR "/fnndsc_avf_mra/avf_float_32.nrrd", NULL, &b), OK);
    double index[3] = {20, 30, 10}, p[3];
    volume_to_lps(&a, index, p);
    print_message("nifti %g %g %g  nrrd value %g = nifti value %g\n", p[0], p[1], p[2], volume_sample(&b, p),
                  volume_sample(&a, p));
    assert_true(fabs(volume_sample(&a, p) - volume_sample(&b, p)) < 1);
    volume_free(&a);
    volume_free(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),       cmocka_unit_test(qform_and_sform_agree),
        cmocka_unit_test(sform_goes_first), cmocka_unit_test(slope_and_unit),
        cmocka_unit_test(unusable_nifti),   cmocka_unit_test(truncated),
        cmocka_unit_test(garbage),          cmocka_unit_test(not_an_image),
        cmocka_unit_test(cannot_write),     cmocka_unit_test(nifti_equals_nrrd),
        cmocka_unit_test(nifti2),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
