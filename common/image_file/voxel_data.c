/* SPDX-License-Identifier: Apache-2.0 */
#include "common/image_file/voxel_data.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

enum { CHUNK = 1 << 16, GZIP_MARK = 0x1f, NUMBER = 64 };

static int check_count(const char *path, double held, double needed, const char *what) {
    if (held < needed)
        return fail(ERR_INPUT,
                    "'%s' is cut short or damaged: its voxels need %.0f %s, but the file has %.0f; export it again",
                    path, needed, what, held);
    if (held > needed)
        return fail(ERR_INPUT, "'%s' has more data than its header announces: its voxels need %.0f %s; export it again",
                    path, needed, what);
    return OK;
}

static int check_raw(FILE *f, const char *path, double needed) {
    struct stat info;
    const long at = ftell(f);
    const double held = at >= 0 && fstat(fileno(f), &info) == 0 ? (double)info.st_size - (double)at : -1;
    return check_count(path, held, needed, "bytes");
}

typedef struct {
    FILE *f;
    z_stream z;
    unsigned char *to; /* target of the decompressed bytes from byte `skip` on; NULL: discard them */
    size_t skip;
    unsigned char in[CHUNK], out[CHUNK];
} packed;

static bool more_input(packed *p) {
    if (p->z.avail_in == 0) {
        p->z.avail_in = (unsigned)fread(p->in, 1, sizeof p->in, p->f);
        p->z.next_in = p->in;
    }
    return p->z.avail_in > 0;
}

/* Copy n decompressed bytes to p->to, except bytes before p->skip. `at`: position of the first byte in the data. */
static void keep_bytes(packed *p, size_t at, size_t n) {
    const size_t head = at < p->skip ? p->skip - at : 0;
    if (head < n)
        memcpy(p->to + (at + head - p->skip), p->out + head, n - head);
}

/* Decompress one member and add its bytes to *size. Z_STREAM_END: it ended with the right checksum. Stops when *size
 * exceeds `needed`. */
static int unpack_member(packed *p, double needed, double *size) {
    int state = Z_OK;
    while (state == Z_OK && *size <= needed && more_input(p)) {
        p->z.next_out = p->out;
        p->z.avail_out = sizeof p->out;
        state = inflate(&p->z, Z_NO_FLUSH);
        const size_t n = sizeof p->out - p->z.avail_out;
        if (p->to != NULL && *size + (double)n <= needed)
            keep_bytes(p, (size_t)*size, n);
        *size += (double)n;
    }
    return state;
}

static int check_unpacked(packed *p, const char *path, double needed) {
    double size = 0;
    for (;;) {
        const int state = unpack_member(p, needed, &size);
        if (size > needed)
            return check_count(path, size, needed, "bytes");
        if (state != Z_STREAM_END)
            return fail(ERR_INPUT,
                        "'%s' is cut short or damaged: its compressed voxels cannot be decompressed or their checksum "
                        "is wrong; export it again",
                        path);
        if (!more_input(p))
            return check_count(path, size, needed, "bytes");
        if (p->z.next_in[0] != GZIP_MARK || inflateReset(&p->z) != Z_OK)
            return fail(
                ERR_INPUT,
                "'%s' has more data than its header announces: bytes follow the compressed voxels; export it again",
                path);
    }
}

int voxel_data_unpack(FILE *f, const char *path, double needed, size_t skip, unsigned char *out) {
    static const int window = 15 + 32; /* accept zlib and gzip headers */
    packed *p = calloc(1, sizeof *p);
    if (p == NULL || inflateInit2(&p->z, window) != Z_OK) {
        free(p);
        return fail_memory("unpacking an image", sizeof *p);
    }
    p->f = f;
    p->to = out;
    p->skip = skip;
    const int rc = check_unpacked(p, path, needed);
    inflateEnd(&p->z);
    free(p);
    return rc;
}

/* Check voxels written as text. Reads one number more than needed, to detect extra numbers. */
static int check_text(FILE *f, const char *path, double needed, const voxel_data_numbers *type) {
    char word[NUMBER], *end;
    double count = 0;
    int last = '\n';
    while (count <= needed && fscanf(f, "%63s", word) == 1) {
        const double value = strtod(word, &end);
        if (*end != 0 || strpbrk(word, "xX")) /* some readers read 0x1 as 0, so hexadecimal numbers are refused */
            return fail(ERR_INPUT, "'%s' is damaged: '%s' among its voxels is not a number; export it again", path,
                        word);
        if (type->whole && !(value == floor(value) && value >= type->low && value <= type->high))
            return fail(ERR_INPUT,
                        "'%s': voxel '%s' does not have the type of the header (whole numbers from %.0f to %.0f); "
                        "export it again",
                        path, word, type->low, type->high);
        count++;
        last = fgetc(f);
    }
    if (count == needed && !isspace(last))
        return fail(ERR_INPUT, "'%s' is cut short: its last line is incomplete; export it again", path);
    return check_count(path, count, needed, "numbers");
}

voxel_data_numbers voxel_data_type(int bytes, bool is_signed, bool real) {
    const double values = pow(2, 8 * bytes);
    return (voxel_data_numbers){is_signed ? -0.5 * values : 0, (is_signed ? 0.5 * values : values) - 1, !real};
}

int voxel_data_check(FILE *f, const char *path, enum voxel_data_encoding as, double needed,
                     const voxel_data_numbers *type) {
    return as == VOXEL_DATA_RAW      ? check_raw(f, path, needed)
           : as == VOXEL_DATA_PACKED ? voxel_data_unpack(f, path, needed, 0, NULL)
                                     : check_text(f, path, needed, type);
}

double voxel_data_count(const char *sizes, int *count) {
    char *end;
    double voxels = 1;
    *count = 0;
    if (strpbrk(sizes, "xX")) /* 0x10 is refused: some readers read 16, others 0 */
        return 0;
    for (double n = strtod(sizes, &end); end != sizes; n = strtod(sizes, &end)) {
        voxels *= n > 0 ? n : 0;
        ++*count;
        sizes = end;
    }
    if (sizes[strspn(sizes, " \t\r\n")] != 0) /* "1,5" is refused: a reader would stop at the comma */
        *count = 0;
    return voxels;
}

int voxel_data_open_detached(const char *path, const char *data, const char *whole, char **name, FILE **f) {
    *name = NULL;
    *f = NULL;
    if (strncmp(data, "LIST", 4) == 0 || strchr(data, '%') != NULL)
        return fail(ERR_INPUT, "'%s' lists one file per slice; convert it to one %s file", path, whole);
    char *folder = file_folder(path);
    *name = folder ? file_join(folder, data) : NULL;
    free(folder);
    if (*name == NULL)
        return fail_memory("a file name", (double)strlen(path));
    const bool other = file_exists(*name) && !file_is_regular(*name);
    *f = other ? NULL : fopen(*name, "rb");
    if (*f == NULL)
        return fail(ERR_INPUT, "cannot open '%s', which has the voxels of '%s': %s", *name, path,
                    other ? "it is not a file" : strerror(errno));
    return OK;
}
