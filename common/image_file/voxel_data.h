/* SPDX-License-Identifier: Apache-2.0 */
/* Check that a file holds exactly its voxels. ITK replaces missing voxels by zeros and ignores extra bytes. */
#ifndef PORTAFLOW_VOXEL_DATA_H
#define PORTAFLOW_VOXEL_DATA_H
#include "common/base/must_check.h"
#include <stdbool.h>
#include <stdio.h>
#ifdef __cplusplus
extern "C" {
#endif

enum voxel_data_encoding {
    VOXEL_DATA_RAW,    /* bytes without compression */
    VOXEL_DATA_PACKED, /* gzip (one or several members) or zlib; both formats contain checksums */
    VOXEL_DATA_TEXT    /* numbers separated by white space */
};

/* Range of the numbers of a text file: whole numbers of a given number of bytes, or real numbers. */
typedef struct {
    double low, high;
    bool whole;
} voxel_data_numbers;
voxel_data_numbers voxel_data_type(int bytes, bool is_signed, bool real);

/* Checks that the file f, from its current position to its end, holds exactly the voxels. needed: number of bytes
 * after decompression, or of numbers (TEXT). as: encoding. type: range of the numbers for TEXT, otherwise NULL.
 * path: for messages. Formats: RFC 1950, 1952. Errors: ERR_INPUT (fewer, more, damaged, number outside the type),
 * ERR_RESOURCE. */
MUST_CHECK int voxel_data_check(FILE *f, const char *path, enum voxel_data_encoding as, double needed,
                                const voxel_data_numbers *type);

/* As voxel_data_check for VOXEL_DATA_PACKED, and copies the decompressed bytes from byte `skip` on to out [needed -
 * skip]; out NULL: no copy. */
MUST_CHECK int voxel_data_unpack(FILE *f, const char *path, double needed, size_t skip, unsigned char *out);

/* Number of voxels: the product of sizes "64 64 32" of a header, 1 without sizes; *n: number of sizes. */
double voxel_data_count(const char *sizes, int *n);

/* Opens the file that holds the voxels of a header. path: the header; data: name of the voxel file, in the same folder.
 * whole: ending of a format with header and voxels in one file, which the message recommends, such as ".nrrd". *name:
 * path of the opened file. The caller closes *f and frees *name, also after an error. Errors: ERR_INPUT (one file per
 * slice, cannot be opened), ERR_RESOURCE. */
MUST_CHECK int voxel_data_open_detached(const char *path, const char *data, const char *whole, char **name, FILE **f);
#ifdef __cplusplus
}
#endif
#endif
