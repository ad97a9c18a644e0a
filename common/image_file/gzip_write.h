/* SPDX-License-Identifier: Apache-2.0 */
/* Write a gzip file in several threads. */
#ifndef PORTAFLOW_GZIP_WRITE_H
#define PORTAFLOW_GZIP_WRITE_H
#include "common/base/must_check.h"
#include <stddef.h>

/* Callback: copy bytes at .. at + n - 1 of the uncompressed data to `out`. Called by several threads at once. */
typedef void (*gzip_source)(const void *from, size_t at, size_t n, unsigned char *out);

/* Write `size` bytes of the source as one gzip member (RFC 1952) at `path`. `name`: final name of the file, for
 * messages. Compressed in pieces of 256 KiB, which keeps the bytes independent of the number of threads. Errors:
 * ERR_OUTPUT, ERR_RESOURCE. Test: tests/unit/common/test_gzip_write.c */
MUST_CHECK int gzip_write(const char *path, const char *name, size_t size, gzip_source take, const void *from);
#endif
