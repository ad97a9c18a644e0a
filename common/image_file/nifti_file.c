/* SPDX-License-Identifier: Apache-2.0 */
/* Headers of both versions and byte orders, geometry, pixels. */
#include "common/image_file/nifti_file.h"
#include "common/image/affine.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/image_file/voxel_data.h"
#include "common/image_file/nifti_forms.h"
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

enum { NIFTI1_SIZE = 348, NIFTI2_SIZE = 540, DEFLATE_MAX_RATIO = 1032 };

typedef struct {
    int64_t dim[8];
    int datatype, bits;
    double offset;
    double slope, inter;
    int space_unit, time_unit;
    double time_step; /* pixdim[4], time between frames in the file's unit */
    int first;        /* first byte that voxels may have: after the header and its four extension bytes */
    bool pair;        /* true: the voxels are in a second file */
    nifti_forms forms;
    bool swap;
} header;

typedef struct {
    int code, bytes;
} type_entry;
static const type_entry types[] = {{2, 1},   {4, 2},   {8, 4},   {16, 4},   {64, 8},
                                   {256, 1}, {512, 2}, {768, 4}, {1024, 8}, {1280, 8}};

static int type_bytes(int code) {
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (types[i].code == code)
            return types[i].bytes;
    return 0;
}

static void copy_bytes(void *out, const unsigned char *raw, int bytes, bool swap) {
    unsigned char *p = out;
    for (int i = 0; i < bytes; i++)
        p[i] = raw[swap ? bytes - 1 - i : i];
}

#define DEFINE_TAKE(type, name)                                                                                        \
    static type name(const unsigned char *raw, bool swap) {                                                            \
        type x;                                                                                                        \
        copy_bytes(&x, raw, (int)sizeof x, swap);                                                                      \
        return x;                                                                                                      \
    }
DEFINE_TAKE(int16_t, take_i16)
DEFINE_TAKE(uint16_t, take_u16)
DEFINE_TAKE(int32_t, take_i32)
DEFINE_TAKE(uint32_t, take_u32)
DEFINE_TAKE(int64_t, take_i64)
DEFINE_TAKE(uint64_t, take_u64)
DEFINE_TAKE(float, take_f32)
DEFINE_TAKE(double, take_f64)

static void parse_header_1(const unsigned char *b, header *h) {
    bool s = h->swap;
    for (int i = 0; i < 8; i++) {
        h->dim[i] = take_i16(b + 40 + 2 * i, s);
        if (i < 4)
            h->forms.pixdim[i] = (double)take_f32(b + 76 + 4 * i, s);
    }
    h->datatype = take_i16(b + 70, s);
    h->bits = take_i16(b + 72, s);
    h->offset = (double)take_f32(b + 108, s);
    h->slope = (double)take_f32(b + 112, s);
    h->inter = (double)take_f32(b + 116, s);
    h->space_unit = b[123] & 7;
    h->time_unit = b[123] & 56;
    h->time_step = (double)take_f32(b + 92, s);
    h->forms.qform_code = take_i16(b + 252, s);
    h->forms.sform_code = take_i16(b + 254, s);
    for (int i = 0; i < 3; i++) {
        h->forms.quatern[i] = (double)take_f32(b + 256 + 4 * i, s);
        h->forms.qoffset[i] = (double)take_f32(b + 268 + 4 * i, s);
        for (int j = 0; j < 4; j++)
            h->forms.srow[i][j] = (double)take_f32(b + 280 + 16 * i + 4 * j, s);
    }
}

static void parse_header_2(const unsigned char *b, header *h) {
    bool s = h->swap;
    for (int i = 0; i < 8; i++) {
        h->dim[i] = take_i64(b + 16 + 8 * i, s);
        if (i < 4)
            h->forms.pixdim[i] = take_f64(b + 104 + 8 * i, s);
    }
    h->datatype = take_i16(b + 12, s);
    h->bits = take_i16(b + 14, s);
    h->offset = (double)take_i64(b + 168, s);
    h->slope = take_f64(b + 176, s);
    h->inter = take_f64(b + 184, s);
    h->space_unit = take_i32(b + 500, s) & 7;
    h->time_unit = take_i32(b + 500, s) & 56;
    h->time_step = take_f64(b + 136, s);
    h->forms.qform_code = take_i32(b + 344, s);
    h->forms.sform_code = take_i32(b + 348, s);
    for (int i = 0; i < 3; i++) {
        h->forms.quatern[i] = take_f64(b + 352 + 8 * i, s);
        h->forms.qoffset[i] = take_f64(b + 376 + 8 * i, s);
        for (int j = 0; j < 4; j++)
            h->forms.srow[i][j] = take_f64(b + 400 + 32 * i + 8 * j, s);
    }
}

/* Returns the version, 1 or 2; 0: not NIfTI; -1: header cut short; -2: gzip cannot decompress it. */
static int read_header(gzFile f, header *h) {
    unsigned char b[NIFTI2_SIZE] = {0};
    memset(h, 0, sizeof *h);
    int got = gzread(f, b, NIFTI1_SIZE), error;
    gzerror(f, &error);
    if (got < NIFTI1_SIZE && error != Z_OK && gzdirect(f) == 0)
        return -2;
    if (got < 4)
        return 0;
    int32_t native = take_i32(b, false), swapped = take_i32(b, true);
    h->swap = swapped == NIFTI1_SIZE || swapped == NIFTI2_SIZE;
    int32_t size = h->swap ? swapped : native;
    if (size == NIFTI1_SIZE) {
        if (got < NIFTI1_SIZE)
            return -1;
        h->pair = memcmp(b + 344, "ni1", 4) == 0;
        if (!h->pair && memcmp(b + 344, "n+1", 4) != 0)
            return 0;
        parse_header_1(b, h);
        h->first = h->pair ? 0 : NIFTI1_SIZE + 4;
        return 1;
    }
    if (size != NIFTI2_SIZE)
        return 0;
    if (got < NIFTI1_SIZE || gzread(f, b + NIFTI1_SIZE, NIFTI2_SIZE - NIFTI1_SIZE) != NIFTI2_SIZE - NIFTI1_SIZE)
        return -1;
    h->pair = b[5] == 'i';
    /* the line ends in the mark change if a file was transferred as text */
    const unsigned char mark[8] = {'n', h->pair ? 'i' : '+', '2', 0, '\r', '\n', 032, '\n'};
    if (memcmp(b + 4, mark, sizeof mark) != 0)
        return 0;
    parse_header_2(b, h);
    h->first = h->pair ? 0 : NIFTI2_SIZE + 4;
    return 2;
}

/* Open the file with the header; for a pair this is x.hdr, also if x.img is given. NULL: it cannot be opened. */
static gzFile open_header(const char *path) {
    char *other = file_partner(path, ".img", ".hdr");
    gzFile f = gzopen(other != NULL ? other : path, "rb");
    free(other);
    return f;
}

bool nifti_file_recognize(const char *path) {
    gzFile f = open_header(path);
    if (f == NULL)
        return false;
    header h;
    bool is = read_header(f, &h) != 0;
    gzclose(f);
    return is;
}

bool nifti_file_extensions(const char *path, size_t *from, size_t *to) {
    gzFile f = gzopen(path, "rb");
    if (f == NULL)
        return false;
    header h;
    const bool some = read_header(f, &h) > 0 && !h.pair && h.offset > h.first && h.offset <= 1e9;
    gzclose(f);
    *from = some ? (size_t)h.first : 0;
    *to = some ? (size_t)h.offset : 0;
    return some;
}

static double voxel_end(const header *h, double voxels) {
    return voxels * type_bytes(h->datatype) + h->offset;
}

/* Check that the dimensions are valid and fit the size of the file. */
static int check_dims(const char *path, const header *h, bool packed, bool cine, int dims[3]) {
    int n = (int)h->dim[0];
    if (h->dim[0] < 1 || h->dim[0] > 7)
        return fail(ERR_INPUT,
                    "'%s': the header is damaged (number of dimensions %lld, must be 1 to 7); export it again", path,
                    (long long)h->dim[0]);
    double voxels = 1;
    for (int i = 1; i <= n; i++) {
        if (h->dim[i] < 1 || h->dim[i] > 1000000)
            return fail(ERR_INPUT, "'%s': the header is damaged (size %lld along axis %d); export it again", path,
                        (long long)h->dim[i], i);
        if (i > 3 && h->dim[i] > 1 && !(cine && i == 4 && h->dim[3] == 1))
            return fail(ERR_INPUT, "'%s' has %d dimensions (%lld volumes along axis %d); give one 3D volume", path, n,
                        (long long)h->dim[i], i);
        voxels *= (double)h->dim[i];
    }
    for (int i = 0; i < 3; i++)
        dims[i] = i < n ? (int)h->dim[i + 1] : 1;
    if (cine && n > 3 && h->dim[4] > 1)
        dims[2] = (int)h->dim[4]; /* the time axis replaces the axis of the single slice */
    if (type_bytes(h->datatype) == 0)
        return fail(
            ERR_INPUT,
            "'%s': values of NIfTI type %d (colour, complex or unknown) are not supported; give one number per voxel",
            path, h->datatype);
    if (h->bits != 0 && h->bits != 8 * type_bytes(h->datatype)) /* some programs write 0 bits */
        return fail(ERR_INPUT, "'%s': the header is damaged (%d bits per voxel, type %d has %d); export it again", path,
                    h->bits, h->datatype, 8 * type_bytes(h->datatype));
    struct stat info;
    double held = stat(path, &info) == 0 ? (double)info.st_size : 0;
    double needed = voxel_end(h, voxels);
    if (!(h->offset >= h->first) || h->offset != floor(h->offset) || h->offset > 1e9)
        return fail(ERR_INPUT,
                    "'%s': the header is damaged (vox_offset %g; it must be a whole number of %d or more bytes); "
                    "export it again",
                    path, h->offset, h->first);
    if (needed > (packed ? DEFLATE_MAX_RATIO * held : held))
        return fail(
            ERR_INPUT,
            "'%s' is cut short or damaged: %d x %d x %d voxels need %.0f bytes, the file has %.0f%s; export it again",
            path, dims[0], dims[1], dims[2], needed, held, packed ? " (compressed)" : "");
    return OK;
}

/* Check that the file ends with the last voxel and that the checksum of a compressed file is right. voxels: receives
 * the voxel bytes of a compressed file; NULL: not needed. */
static int check_end(const char *path, const header *h, const int dims[3], bool packed, unsigned char *voxels) {
    const double size = voxel_end(h, (double)dims[0] * dims[1] * dims[2]);
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        return fail(ERR_INPUT, "cannot open '%s': %s", path, strerror(errno));
    const int rc = packed ? voxel_data_unpack(f, path, size, (size_t)h->offset, voxels)
                          : voxel_data_check(f, path, VOXEL_DATA_RAW, size, NULL);
    fclose(f);
    return rc;
}

static int read_geometry(const char *path, const header *h, const int dims[3], volume *out) {
    double a[3][4];
    if (h->space_unit > 3)
        return fail(ERR_INPUT, "'%s': the header is damaged (unit of length %d, must be 0 to 3); export it again", path,
                    h->space_unit);
    double unit = h->space_unit == 1 ? 1000 : h->space_unit == 3 ? 1e-3 : 1;
    int rc = nifti_forms_affine(path, &h->forms, dims, unit, a);
    if (rc != OK)
        return rc;
    for (int j = 0; j < 4; j++) { /* converts RAS to LPS, and the unit of the file to mm */
        a[0][j] *= -unit;
        a[1][j] *= -unit;
        a[2][j] *= unit;
    }
    memcpy(out->dims, dims, sizeof out->dims);
    return affine_split(path, a, out->spacing_mm, out->origin_mm, out->direction);
}

static double convert_value(const unsigned char *raw, int datatype, bool swap) {
    switch (datatype) {
    case 2:
        return raw[0];
    case 4:
        return take_i16(raw, swap);
    case 8:
        return take_i32(raw, swap);
    case 16:
        return (double)take_f32(raw, swap);
    case 64:
        return take_f64(raw, swap);
    case 256:
        return (signed char)raw[0];
    case 512:
        return take_u16(raw, swap);
    case 768:
        return take_u32(raw, swap);
    case 1024:
        return (double)take_i64(raw, swap);
    default:
        return (double)take_u64(raw, swap);
    }
}

static void convert_row(const unsigned char *raw, const header *h, size_t n, float *out) {
    const size_t bytes = (size_t)type_bytes(h->datatype);
    const bool scaled = isfinite(h->slope) && isfinite(h->inter) && h->slope != 0;
    const double slope = scaled ? h->slope : 1, inter = scaled ? h->inter : 0;
    for (size_t i = 0; i < n; i++)
        out[i] = (float)(convert_value(raw + i * bytes, h->datatype, h->swap) * slope + inter);
}

/* Read voxels of an uncompressed file. */
static int read_pixels(gzFile f, const char *path, const header *h, volume *v) {
    int rc = OK;
    size_t row = (size_t)v->dims[0], rows = (size_t)v->dims[1] * (size_t)v->dims[2];
    const size_t bytes = row * (size_t)type_bytes(h->datatype);
    unsigned char *raw = malloc(bytes);
    if (raw == NULL)
        return fail_memory("a row of the image", (double)bytes);
    const bool there = gzseek(f, (z_off_t)h->offset, SEEK_SET) >= 0;
    for (size_t r = 0; r < rows && rc == OK; r++) {
        if (!there || gzread(f, raw, (unsigned)bytes) != (int)bytes) {
            rc = fail(ERR_INPUT, "'%s' is cut short or damaged: its voxels end in row %zu of %zu; export it again",
                      path, r + 1, rows);
            break;
        }
        convert_row(raw, h, row, v->value + r * row);
    }
    free(raw);
    return rc;
}

/* Converts n voxels from their bytes to v->value. apart true: the bytes are in other memory. apart false: they are at
 * the end of v->value, and voxels are converted in rounds from the first to the last, so that the values of a round do
 * not overlap bytes of later voxels. */
static void convert_pixels(const unsigned char *bytes, bool apart, const header *h, volume *v) {
    enum { ROW = 4096 };
    const size_t n = volume_size(v), each = (size_t)type_bytes(h->datatype), all = sizeof(float);
    for (size_t from = 0, to; from < n; from = to) {
        to = apart || each == all ? n : (n * (all - each) + from * each) / all;
        to = to > from ? to : from + 1;
#pragma omp parallel for schedule(static)
        for (size_t first = from; first < to; first += ROW)
            convert_row(bytes + first * each, h, to - first < ROW ? to - first : ROW, v->value + first);
    }
}

/* Decompress into the memory of v->value, unless voxels of the file are larger than float. */
static int read_packed(const char *path, const header *h, volume *v) {
    const size_t n = volume_size(v), each = (size_t)type_bytes(h->datatype);
    const bool apart = each > sizeof *v->value;
    unsigned char *bytes = apart ? malloc(n * each) : NULL;
    v->value = malloc(n * sizeof *v->value);
    if (v->value == NULL || (apart && bytes == NULL)) {
        free(bytes);
        return fail_memory("the voxels of the image", (double)n * (sizeof *v->value + (apart ? each : 0)));
    }
    unsigned char *to = apart ? bytes : (unsigned char *)v->value + n * (sizeof *v->value - each);
    const int rc = check_end(path, h, v->dims, true, to);
    if (rc == OK)
        convert_pixels(to, apart, h, v);
    free(bytes);
    return rc;
}

/* Read the header. *voxels: for a pair the path of the voxels, which the caller frees; otherwise NULL. */
static int read_any_header(gzFile f, const char *path, header *h, char **voxels) {
    const int version = read_header(f, h);
    if (version == -2)
        return fail(ERR_INPUT, "'%s' is damaged or cut short: gzip cannot unpack it; copy or export it again", path);
    if (version < 1)
        return fail(ERR_INPUT, "'%s' is not a NIfTI file, or its header is cut short; export it again", path);
    if (!h->pair)
        return OK;
    char *header_path = file_partner(path, ".img", ".hdr");
    *voxels = header_path != NULL ? strdup(path) : file_partner(path, ".hdr", ".img");
    free(header_path);
    if (*voxels == NULL)
        return fail(ERR_INPUT,
                    "'%s' is half of a NIfTI pair: x.hdr and x.img must be in one folder; or convert it to "
                    "one .nii or .nii.gz",
                    path);
    return OK;
}

/* Read a file that is open. step_s NULL: it is a volume. Otherwise it is a slice over time, and *step_s becomes the
 * time step, NaN when unknown. */
static int read_open(gzFile f, const char *path, const header *h, bool pixels, volume *out, double *step_s) {
    int rc = OK, dims[3];
    volume geometry = {0};
    TRY(check_dims(path, h, gzdirect(f) == 0, step_s != NULL, dims));
    TRY(read_geometry(path, h, dims, &geometry));
    const bool packed = gzdirect(f) == 0;
    if (!packed) /* the end of a compressed file is checked while its voxels are read */
        TRY(check_end(path, h, dims, false, NULL));
    /* NaN means that slope and intercept are unset */
    if (isinf(h->slope) || (h->slope != 0 && isfinite(h->slope) && !isfinite(h->inter)))
        GIVE_UP(fail(ERR_INPUT, "'%s': the header is damaged (scl_slope %g, scl_inter %g); export it again", path,
                     h->slope, h->inter));
    if (pixels && packed) {
        TRY(volume_set_geometry(out, dims, geometry.spacing_mm, geometry.origin_mm, geometry.direction));
        TRY(read_packed(path, h, out));
    } else if (pixels) {
        TRY(volume_create(out, dims, geometry.spacing_mm, geometry.origin_mm, geometry.direction));
        TRY(read_pixels(f, path, h, out));
    } else {
        *out = geometry;
    }
    if (step_s)
        *step_s = h->dim[0] > 3 && h->time_step > 0 && h->time_unit > 0 ? h->time_step * (h->time_unit == 8    ? 1
                                                                                          : h->time_unit == 16 ? 1e-3
                                                                                                               : 1e-6)
                                                                        : NAN;
cleanup:
    if (rc != OK)
        volume_free(out);
    return rc;
}

static int read_file(const char *path, bool pixels, volume *out, double *step_s) {
    memset(out, 0, sizeof *out);
    header h;
    char *voxels = NULL;
    int rc = OK;
    errno = 0;
    gzFile f = open_header(path);
    if (f == NULL)
        return fail(ERR_INPUT, "cannot open '%s': %s", path, strerror(errno ? errno : ENOMEM));
    gzbuffer(f, 1 << 17);
    TRY(read_any_header(f, path, &h, &voxels));
    if (voxels != NULL) {
        gzclose(f);
        f = gzopen(voxels, "rb");
        if (f == NULL)
            GIVE_UP(fail(ERR_INPUT, "cannot open '%s': %s", voxels, strerror(errno ? errno : ENOMEM)));
        gzbuffer(f, 1 << 17);
    }
    TRY(read_open(f, voxels != NULL ? voxels : path, &h, pixels, out, step_s));
cleanup:
    if (f != NULL)
        gzclose(f);
    free(voxels);
    return rc;
}

int nifti_file_read(const char *path, bool pixels, volume *out) {
    return read_file(path, pixels, out, NULL);
}

int nifti_file_read_cine(const char *path, volume *out, double *step_s) {
    return read_file(path, true, out, step_s);
}
