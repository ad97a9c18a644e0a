/* Whether a file holds its voxels, all of them and nothing else: the readers behind fill what is missing with zeros and
 * leave unread what is too much. */
#ifndef PORTAFLOW_VOXEL_DATA_H
#define PORTAFLOW_VOXEL_DATA_H
#include "common/base/must_check.h"
#include <stdbool.h>
#include <stdio.h>
#ifdef __cplusplus
extern "C" {
#endif

enum voxel_data_as {
    VOXEL_DATA_RAW,    /* bytes */
    VOXEL_DATA_PACKED, /* gzip (one member or several) or zlib, its checksums compared */
    VOXEL_DATA_TEXT    /* numbers with white space between them */
};

/* What a voxel written as text may be: whole numbers of so many bytes, or any. */
typedef struct {
    double low, high;
    bool whole;
} voxel_data_numbers;
voxel_data_numbers voxel_data_type(int bytes, bool is_signed, bool real);

/* From its place to its end f holds `needed` bytes (RAW; PACKED: once unpacked) or numbers (TEXT). `path` is for the
 * sentence; type: of the voxels, used for TEXT, else NULL will do. Formats: RFC 1950, 1952. Errors: ERR_INPUT (fewer,
 * more, damaged, a number that is none of the type), ERR_RESOURCE. */
MUST_CHECK int voxel_data_check(FILE *f, const char *path, enum voxel_data_as as, double needed,
                                const voxel_data_numbers *type);

/* PACKED, and the bytes behind the first `skip` into out [needed - skip]; NULL: as voxel_data_check. */
MUST_CHECK int voxel_data_unpack(FILE *f, const char *path, double needed, size_t skip, unsigned char *out);

/* "64 64 32" of a header: how many voxels, 1 when it begins with no number; *n: how many numbers. */
double voxel_data_count(const char *sizes, int *n);

/* Opens the file `data`, in the folder of the header at `path`, which holds its voxels; *name is its path. The caller
 * closes and frees both, also after an error. whole: what to convert to, ".nrrd". Errors: ERR_INPUT (a file per slice,
 * cannot be opened), ERR_RESOURCE. */
MUST_CHECK int voxel_data_open_detached(const char *path, const char *data, const char *whole, char **name, FILE **f);
#ifdef __cplusplus
}
#endif
#endif
