/* A gzip file packed by all threads. */
#ifndef PORTAFLOW_GZIP_WRITE_H
#define PORTAFLOW_GZIP_WRITE_H
#include "common/base/must_check.h"
#include <stddef.h>

/* Bytes at .. at + n - 1 of what is to be packed; called by several threads at once. */
typedef void (*gzip_source)(const void *from, size_t at, size_t n, unsigned char *out);

/* `size` bytes of the source as one member (RFC 1952) at `path`; `name`: what the file will be called. Packed in pieces
 * of 256 KiB, so that the bytes do not depend on the number of threads. Errors: ERR_OUTPUT, ERR_RESOURCE.
 * Test: tests/unit/common/test_gzip_write.c */
MUST_CHECK int gzip_write(const char *path, const char *name, size_t size, gzip_source take, const void *from);
#endif
