/* Whether a file holds its voxels, all of them and nothing else: the readers behind fill what is missing with zeros and
 * leave unread what is too much. */
#ifndef PORTAFLOW_HELD_H
#define PORTAFLOW_HELD_H
#include "common/base/must_check.h"
#include <stdio.h>
#ifdef __cplusplus
extern "C" {
#endif

enum held_as {
    HELD_RAW,    /* bytes */
    HELD_PACKED, /* gzip (one member or several) or zlib, its checksums compared */
    HELD_TEXT    /* numbers with white space between them */
};

/* From its place to its end f holds `needed` bytes (RAW; PACKED: once unpacked) or numbers (TEXT). `path` is for the
 * sentence. Formats: RFC 1950, 1952. Errors: ERR_INPUT (fewer, more, damaged), ERR_RESOURCE. */
MUST_CHECK int held_check(FILE *f, const char *path, enum held_as as, double needed);
#ifdef __cplusplus
}
#endif
#endif
