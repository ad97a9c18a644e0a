/* SPDX-License-Identifier: Apache-2.0 */
/* Every type of voxel that NIfTI has, in both orders of bytes, packed and not, against the numbers written. */
#include "common/base/status.h"
#include "common/image_file/gzip_write.h"
#include "common/image_file/itk_image.h"
#include "common/record/provenance.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>
#include <unistd.h>
#include "tests/unit/temp.h"

static char bytes[1024];

static void put_bytes(char *to, const void *value, size_t size, bool swap) {
    for (size_t k = 0; k < size; k++)
        to[k] = ((const char *)value)[swap ? size - 1 - k : k]; // all of it is set: NOLINT(clang-analyzer-core*)
}

#define PUT(at, type, ...)                                                                                             \
    do {                                                                                                               \
        const type value_[] = {__VA_ARGS__};                                                                           \
        for (size_t q = 0; q < sizeof value_ / sizeof *value_; q++)                                                    \
            put_bytes(bytes + (at) + q * sizeof *value_, &value_[q], sizeof *value_, swap);                            \
    } while (0)

/* Voxel k of a type of NIfTI; returns its size. */
static size_t put_voxel(int type, int k, char *to, bool swap) {
    const uint8_t u8 = (uint8_t)k;
    const int8_t i8 = (int8_t)-k;
    const int16_t i16 = (int16_t)(-300 * k);
    const uint16_t u16 = (uint16_t)(60000 + k);
    const int32_t i32 = -70000 * k;
    const uint32_t u32 = 3000000000U + 4096U * (uint32_t)k;
    const int64_t i64 = -5000000000 * (int64_t)k;
    const uint64_t u64 = 5000000000 * (uint64_t)k;
    const float f32 = 0.5F * (float)k;
    const double f64 = -0.25 * k;
    const struct {
        int type;
        size_t size;
        const void *value;
    } row[] = {{2, 1, &u8},    {256, 1, &i8}, {4, 2, &i16},    {512, 2, &u16},  {8, 4, &i32},
               {768, 4, &u32}, {16, 4, &f32}, {1024, 8, &i64}, {1280, 8, &u64}, {64, 8, &f64}};
    for (size_t r = 0; r < sizeof row / sizeof *row; r++)
        if (row[r].type == type) {
            put_bytes(to, row[r].value, row[r].size, swap);
            return row[r].size;
        }
    return 0;
}

static double voxel_of(int type, int k) {
    switch (type) {
    case 2:
        return k;
    case 256:
        return -k;
    case 4:
        return -300. * k;
    case 512:
        return 60000. + k;
    case 8:
        return -70000. * k;
    case 768:
        return 3e9 + 4096. * k;
    case 1024:
        return -5e9 * k;
    case 1280:
        return 5e9 * k;
    case 16:
        return 0.5 * k;
    default:
        return -0.25 * k;
    }
}

static void take_bytes(const void *from, size_t at, size_t n, unsigned char *out) {
    memcpy(out, (const char *)from + at, n);
}

static const char *write_file(size_t n, bool packed) {
    const char *path = packed ? temp_path("type.nii.gz") : temp_write("type.nii", bytes, n);
    if (packed)
        assert_int_equal(gzip_write(path, "type.nii", n, take_bytes, bytes), OK);
    return path;
}

/* The voxels of `file`, number k as voxel_of(type, k). */
static void assert_voxels(const char *file, int type) {
    volume v;
    status_clear();
    if (image_read(file, NULL, &v) != OK)
        fail_msg("type %d: %s", type, status_message());
    for (int k = 0; k < 27; k++)
        assert_true(fabs(v.value[k] - voxel_of(type, k)) <= 1e-7 * fabs(voxel_of(type, k)));
    volume_free(&v);
}

/* As a pair x.hdr, x.img: each of both names finds the other file. */
static void assert_pair(int type, size_t n, bool packed, bool swap) {
    volume v;
    char sum[2][17];
    const char *image = packed ? temp_path("pair.img.gz") : temp_write("pair.img", bytes + 352, n - 352);
    if (packed) {
        assert_int_equal(gzip_write(image, "pair.img", n - 352, take_bytes, bytes + 352), OK);
        unlink(temp_path("pair.img"));
    }
    PUT(108, float, 0);
    memcpy(bytes + 344, "ni1", 4);
    const char *header = temp_write("pair.hdr", bytes, 352);
    assert_voxels(image, type);
    assert_voxels(header, type);
    assert_int_equal(provenance_checksum(image, sum[0]), OK);
    bytes[148] = 'x'; /* the description */
    temp_write("pair.hdr", bytes, 352);
    assert_int_equal(provenance_checksum(image, sum[1]), OK);
    assert_string_not_equal(sum[0], sum[1]);
    unlink(header);
    assert_int_equal(image_read(image, NULL, &v), ERR_INPUT);
    temp_write("pair.hdr", bytes, 352);
    unlink(image);
    assert_int_equal(image_read(header, NULL, &v), ERR_INPUT);
    assert_non_null(strstr(status_message(), "pair"));
    status_clear();
}

static void nifti_types(void **state) {
    (void)state;
    static const int types[] = {2, 4, 8, 16, 64, 256, 512, 768, 1024, 1280};
    for (int t = 0; t < 40; t++) {
        const bool swap = t / 10 % 2, packed = t >= 20;
        const int type = types[t % 10];
        size_t n = 352;
        memset(bytes, 0, sizeof bytes);
        PUT(0, int32_t, 348);
        PUT(40, int16_t, 3, 3, 3, 3, 1, 1, 1, 1);
        PUT(70, int16_t, (int16_t)type);
        PUT(76, float, 1, 1, 1, 1, 1, 1, 1, 1);
        PUT(108, float, 352);
        PUT(254, int16_t, 1);
        PUT(280, float, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0);
        memcpy(bytes + 344, "n+1", 4);
        for (int k = 0; k < 27; k++)
            n += put_voxel(type, k, bytes + n, swap);
        const size_t size = (n - 352) / 27;
        PUT(72, int16_t, (int16_t)(8 * size));
        assert_voxels(write_file(n, packed), type);
        assert_pair(type, n, packed, swap);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(nifti_types)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
