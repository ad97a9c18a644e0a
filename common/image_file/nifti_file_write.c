/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of nifti_file.h: writing. */
#include "common/image_file/nifti_file.h"
#include "common/image/affine.h"
#include "common/image_file/gzip_write.h"
#include "common/base/status.h"
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NIFTI1_SIZE = 348 };

static void put_bytes(unsigned char *b, const void *x, size_t bytes) {
    memcpy(b, x, bytes);
}
static void put_i16(unsigned char *b, int x) {
    int16_t y = (int16_t)x;
    put_bytes(b, &y, 2);
}
static void put_f32(unsigned char *b, double x) {
    float y = (float)x;
    put_bytes(b, &y, 4);
}

/* Unit quaternion (b, c, d with a >= 0) of a rotation matrix. */
static void rotation_quaternion(double r[3][3], double q[3]) {
    double k[4] = {1 + r[0][0] + r[1][1] + r[2][2], 1 + r[0][0] - r[1][1] - r[2][2], 1 - r[0][0] + r[1][1] - r[2][2],
                   1 - r[0][0] - r[1][1] + r[2][2]};
    int m = 0;
    for (int i = 1; i < 4; i++)
        if (k[i] > k[m])
            m = i;
    double s = 2 * sqrt(k[m]), a, b, c, d;
    if (m == 0)
        a = s / 4, b = (r[2][1] - r[1][2]) / s, c = (r[0][2] - r[2][0]) / s, d = (r[1][0] - r[0][1]) / s;
    else if (m == 1)
        a = (r[2][1] - r[1][2]) / s, b = s / 4, c = (r[0][1] + r[1][0]) / s, d = (r[0][2] + r[2][0]) / s;
    else if (m == 2)
        a = (r[0][2] - r[2][0]) / s, b = (r[0][1] + r[1][0]) / s, c = s / 4, d = (r[1][2] + r[2][1]) / s;
    else
        a = (r[1][0] - r[0][1]) / s, b = (r[0][2] + r[2][0]) / s, c = (r[1][2] + r[2][1]) / s, d = s / 4;
    double sign = a < 0 ? -1 : 1;
    q[0] = sign * b, q[1] = sign * c, q[2] = sign * d;
}

static void fill_header(const volume *v, bool as_uint8, unsigned char b[NIFTI1_SIZE + 4]) {
    int32_t size = NIFTI1_SIZE;
    memset(b, 0, NIFTI1_SIZE + 4);
    put_bytes(b, &size, 4);
    b[38] = 'r';
    put_i16(b + 40, 3);
    put_i16(b + 70, as_uint8 ? 2 : 16);
    put_i16(b + 72, as_uint8 ? 8 : 32);
    put_f32(b + 108, NIFTI1_SIZE + 4);
    put_f32(b + 112, 1);
    b[123] = 2; /* code of the unit mm */
    put_i16(b + 252, 1);
    put_i16(b + 254, 1);
    double r[3][3], q[3];
    const double flip[3] = {-1, -1, 1};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            r[i][j] = flip[i] * v->direction[3 * i + j];
    for (int i = 0; i < 3; i++) {
        put_i16(b + 42 + 2 * i, v->dims[i]);
        put_i16(b + 48 + 2 * i, 1);
        put_f32(b + 80 + 4 * i, v->spacing_mm[i]);
        put_f32(b + 268 + 4 * i, flip[i] * v->origin_mm[i]);
        for (int j = 0; j < 3; j++)
            put_f32(b + 280 + 16 * i + 4 * j, r[i][j] * v->spacing_mm[j]);
        put_f32(b + 292 + 16 * i, flip[i] * v->origin_mm[i]);
    }
    put_i16(b + 54, 1);
    double det = affine_determinant(v->direction); /* flipping two axes does not change the determinant */
    put_f32(b + 76, det < 0 ? -1 : 1);
    if (det < 0)
        for (int i = 0; i < 3; i++)
            r[i][2] = -r[i][2];
    rotation_quaternion(r, q);
    for (int i = 0; i < 3; i++)
        put_f32(b + 256 + 4 * i, q[i]);
    memcpy(b + 344, "n+1", 4);
}

/* Contents of the file: header, then voxels. */
typedef struct {
    const volume *v;
    bool as_uint8;
    unsigned char head[NIFTI1_SIZE + 4];
} file_bytes;

static unsigned char round_to_uint8(float x) {
    return (unsigned char)(x > 0 ? (x < 255 ? x + 0.5F : 255) : 0);
}

/* Copy n bytes of the file from byte `at` on; a gzip_source. */
static void copy_file_bytes(const void *from, size_t at, size_t n, unsigned char *out) {
    const file_bytes *b = from;
    const size_t head = at < sizeof b->head ? (sizeof b->head - at < n ? sizeof b->head - at : n) : 0;
    memcpy(out, b->head + (head > 0 ? at : 0), head);
    const size_t first = at + head - sizeof b->head; /* byte offset in the voxel data */
    if (head == n)
        return;
    if (!b->as_uint8)
        memcpy(out + head, (const unsigned char *)b->v->value + first, n - head);
    for (size_t i = head; b->as_uint8 && i < n; i++)
        out[i] = round_to_uint8(b->v->value[first + i - head]);
}

/* Write the uncompressed file in blocks. */
static int write_plain(const char *path, const char *name, size_t size, const file_bytes *b) {
    unsigned char part[1 << 14];
    errno = 0;
    FILE *f = fopen(path, "wbe");
    bool good = f != NULL;
    for (size_t at = 0; at < size && good; at += sizeof part) {
        const size_t n = size - at < sizeof part ? size - at : sizeof part;
        copy_file_bytes(b, at, n, part);
        good = fwrite(part, 1, n, f) == n;
    }
    const int why = errno;
    if (f != NULL && fclose(f) != 0)
        good = false;
    return good ? OK : fail(ERR_OUTPUT, "cannot write '%s': %s", name, strerror(why ? why : errno ? errno : EIO));
}

int nifti_file_write(const char *path, const char *name, const volume *v, bool as_uint8) {
    file_bytes b = {.v = v, .as_uint8 = as_uint8};
    const size_t length = strlen(path), size = sizeof b.head + volume_size(v) * (as_uint8 ? 1 : sizeof(float));
    for (int i = 0; i < 3; i++)
        if (v->dims[i] > INT16_MAX)
            return fail(ERR_OUTPUT,
                        "cannot write '%s': it has %d voxels along an axis, NIfTI-1 allows %d; choose .nrrd or .mha",
                        name, v->dims[i], INT16_MAX);
    fill_header(v, as_uint8, b.head);
    if (length > 3 && strcmp(path + length - 3, ".gz") == 0)
        return gzip_write(path, name, size, copy_file_bytes, &b);
    return write_plain(path, name, size, &b);
}
