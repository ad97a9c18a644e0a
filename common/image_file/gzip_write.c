/* SPDX-License-Identifier: Apache-2.0 */
#include "common/image_file/gzip_write.h"
#include "common/base/status.h"
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { PIECE = 1 << 18, ROOM = PIECE + PIECE / 8, AT_ONCE = 64, LEVEL = 6, WINDOW = 15, MEMORY = 8 };

typedef struct {
    /* packed: large enough for incompressible data, which grow by 5 bytes per 16 KiB */
    unsigned char raw[PIECE], packed[ROOM];
    size_t n, size;
    uLong crc;
    bool good;
} piece;

/* Compress a piece as a deflate block that ends at a byte boundary; the last piece ends the stream. */
static void compress_piece(piece *p, bool last) {
    z_stream z = {.next_in = p->raw, .avail_in = (uInt)p->n, .next_out = p->packed, .avail_out = ROOM};
    p->crc = crc32(crc32(0, NULL, 0), p->raw, (uInt)p->n);
    p->good = deflateInit2(&z, LEVEL, Z_DEFLATED, -WINDOW, MEMORY, Z_DEFAULT_STRATEGY) == Z_OK;
    if (!p->good)
        return;
    const int state = deflate(&z, last ? Z_FINISH : Z_SYNC_FLUSH);
    p->good = state == (last ? Z_STREAM_END : Z_OK) && z.avail_in == 0 && z.avail_out > 0;
    p->size = ROOM - z.avail_out;
    deflateEnd(&z);
}

static bool put_u32(FILE *f, uint32_t x) {
    const unsigned char b[4] = {x & 0xFF, x >> 8 & 0xFF, x >> 16 & 0xFF, x >> 24 & 0xFF};
    return fwrite(b, 1, sizeof b, f) == sizeof b;
}

/* Compress pieces `first .. first + n - 1` in parallel, then write them in order. */
static int put_pieces(FILE *f, size_t first, int n, size_t size, gzip_source take, const void *from, piece *p,
                      uLong *crc, bool *written) {
#pragma omp parallel for schedule(dynamic)
    for (int k = 0; k < n; k++) {
        const size_t at = (first + (size_t)k) * PIECE;
        p[k].n = size - at < PIECE ? size - at : PIECE;
        take(from, at, p[k].n, p[k].raw);
        compress_piece(&p[k], at + p[k].n == size);
    }
    for (int k = 0; k < n && *written; k++) {
        if (!p[k].good)
            return fail_memory("packing a file", PIECE);
        *crc = crc32_combine(*crc, p[k].crc, (z_off_t)p[k].n);
        *written = fwrite(p[k].packed, 1, p[k].size, f) == p[k].size;
    }
    return OK;
}

int gzip_write(const char *path, const char *name, size_t size, gzip_source take, const void *from) {
    static const unsigned char head[10] = {0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255};
    const size_t n = size > 0 ? (size - 1) / PIECE + 1 : 1;
    const size_t most = n < AT_ONCE ? n : AT_ONCE;
    uLong crc = crc32(0, NULL, 0);
    int rc = OK;
    piece *p = malloc(most * sizeof *p);
    if (p == NULL)
        return fail_memory("packing a file", (double)(most * sizeof *p));
    errno = 0;
    FILE *f = fopen(path, "wbe");
    bool written = f != NULL && fwrite(head, 1, sizeof head, f) == sizeof head;
    for (size_t first = 0; first < n && rc == OK && written; first += most)
        rc = put_pieces(f, first, (int)(n - first < most ? n - first : most), size, take, from, p, &crc, &written);
    written = written && put_u32(f, (uint32_t)crc) && put_u32(f, (uint32_t)size);
    const int why = errno;
    if (f != NULL && fclose(f) != 0)
        written = false;
    free(p);
    if (rc == OK && !written)
        rc = fail(ERR_OUTPUT, "cannot write '%s': %s", name, strerror(why ? why : errno ? errno : EIO));
    return rc;
}
