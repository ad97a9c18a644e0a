/* SPDX-License-Identifier: Apache-2.0 */
/* Header keys: https://itk.org/Wiki/ITK/MetaIO/Documentation */
#include "common/image_file/meta_image.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/image_file/voxel_data.h"
#include "common/image_file/length_unit.h"
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

enum { LINE = 1024, KEYS = 22 };

/* Keys that determine values and geometry, with older names that ITK accepts. `is`: the present name of the key. */
static const struct {
    const char *key, *is;
    bool flag; /* true: a truth value, for which "False" and "0" are equal */
} tracked_key[KEYS] = {{"NDims", "NDims", false},
                       {"DimSize", "DimSize", false},
                       {"ElementType", "ElementType", false},
                       {"ElementNumberOfChannels", "ElementNumberOfChannels", false},
                       {"ElementSpacing", "ElementSpacing", false},
                       {"TransformMatrix", "its direction", false},
                       {"Orientation", "its direction", false},
                       {"Rotation", "its direction", false},
                       {"Offset", "its offset", false},
                       {"Position", "its offset", false},
                       {"Origin", "its offset", false},
                       {"BinaryDataByteOrderMSB", "its byte order", true},
                       {"ElementByteOrderMSB", "its byte order", true},
                       {"CompressedData", "CompressedData", true},
                       {"CompressedDataSize", "CompressedDataSize", false},
                       {"BinaryData", "BinaryData", true},
                       {"HeaderSize", "HeaderSize", false},
                       {"DistanceUnits", "DistanceUnits", false},
                       {"ObjectType", "ObjectType", false},
                       {"AnatomicalOrientation", "AnatomicalOrientation", false},
                       {"ElementToIntensityFunctionSlope", "ElementToIntensityFunctionSlope", false},
                       {"ElementToIntensityFunctionOffset", "ElementToIntensityFunctionOffset", false}};

typedef struct {
    double voxels;
    int bytes, channels, dimensions, n_size;
    voxel_data_numbers type;
    bool packed, text;
    char spacing[LINE], direction[LINE], origin[LINE]; /* texts of the header; "": missing */
    char packed_size[LINE];
    /* values of keys with the same meaning, at the index of the first such key in tracked_key[]; "": missing */
    char given[KEYS][LINE];
    const char *twice; /* name of a key that has two different values; NULL: none */
    char anatomy[8], object[32];
    double slope, intercept; /* scaling of intensities, which ITK does not apply */
    char unit[32];
    double header_size; /* bytes before the voxels in a separate data file; -1: the voxels are at the end of the file */
    char data[LINE];
    long offset; /* position of the voxels in the header's file, if they are in this file */
} header;

static int element_bytes(const char *type) {
    static const struct {
        const char *name;
        int bytes;
    } types[] = {{"MET_CHAR", 1},      {"MET_UCHAR", 1},      {"MET_SHORT", 2}, {"MET_USHORT", 2},
                 {"MET_INT", 4},       {"MET_UINT", 4},       {"MET_LONG", 4},  {"MET_ULONG", 4},
                 {"MET_LONG_LONG", 8}, {"MET_ULONG_LONG", 8}, {"MET_FLOAT", 4}, {"MET_DOUBLE", 8}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(type, types[i].name) == 0)
            return types[i].bytes;
    return 0;
}

static bool is_true(const char *value) {
    return value[0] == 'T' || value[0] == 't' || value[0] == '1';
}

/* Record the value of a key and detect contradictions: for a repeated key ITK uses either the first or the last value,
 * depending on the key. */
static void record_key(header *h, const char *key, const char *value) {
    int k = 0, first = 0;
    while (k < KEYS && strcmp(key, tracked_key[k].key) != 0)
        k++;
    if (k == KEYS)
        return;
    while (strcmp(tracked_key[first].is, tracked_key[k].is) != 0)
        first++;
    const char *now = !tracked_key[k].flag ? value : is_true(value) ? "True" : "False";
    if (h->given[first][0] && strcmp(h->given[first], now) != 0)
        h->twice = tracked_key[k].is;
    snprintf(h->given[first], LINE, "%s", now);
}

static void parse_geometry(header *h, const char *key, const char *value) {
    char *kept =
        strcmp(key, "ElementSpacing") == 0 ? h->spacing
        : strcmp(key, "TransformMatrix") == 0 || strcmp(key, "Orientation") == 0 || strcmp(key, "Rotation") == 0
            ? h->direction
        : strcmp(key, "Offset") == 0 || strcmp(key, "Position") == 0 || strcmp(key, "Origin") == 0 ? h->origin
        : strcmp(key, "CompressedDataSize") == 0                                                   ? h->packed_size
                                                                                                   : NULL;
    if (strcmp(key, "AnatomicalOrientation") == 0)
        snprintf(h->anatomy, sizeof h->anatomy, "%.7s", value);
    /* ElementSize without ElementSpacing is refused: a voxel may be smaller than the distance between voxel centres */
    if (strcmp(key, "ElementSize") == 0 && h->spacing[0] == 0)
        snprintf(h->spacing, sizeof h->spacing, " ");
    if (kept != NULL)
        snprintf(kept, LINE, "%s", value);
}

/* True if the direction matrix (row k: direction of axis k) agrees with the three letters of AnatomicalOrientation.
 * Each letter names the side of the body from which the axis comes (RAI = LPS). Some programs write the side to which
 * it goes; both are accepted. */
static bool anatomy_agrees(const header *h) {
    static const char letters[] = "RLAPIS"; /* pairs of letters, + and - of the axis: x, y, z in LPS */
    bool from = true, to = true;
    const char *rest = h->direction;
    for (int k = 0; k < 3; k++) {
        double d[3];
        int a = 0;
        for (int i = 0; i < 3; i++) {
            char *end;
            d[i] = strtod(rest, &end);
            rest = end;
            a = fabs(d[i]) > fabs(d[a]) ? i : a;
        }
        const char *at = h->anatomy[k] ? strchr(letters, h->anatomy[k]) : NULL;
        if (at == NULL)
            return true; /* the direction is stated as unknown ("???") */
        const bool along = (at - letters) / 2 == a, minus = (at - letters) % 2 == 1;
        from = from && along && (d[a] < 0) == minus;
        to = to && along && (d[a] < 0) != minus;
    }
    return from || to;
}

static void parse_key(header *h, const char *key, const char *value) {
    if (strcmp(key, "DimSize") == 0) {
        h->voxels = voxel_data_count(value, &h->n_size);
    } else if (strcmp(key, "NDims") == 0) {
        h->dimensions = atoi(value);
    } else if (strcmp(key, "ElementType") == 0) {
        h->bytes = element_bytes(value);
        h->type = voxel_data_type(h->bytes, strncmp(value, "MET_U", 5) != 0,
                                  strcmp(value, "MET_FLOAT") == 0 || strcmp(value, "MET_DOUBLE") == 0);
    } else if (strcmp(key, "ElementNumberOfChannels") == 0) {
        h->channels = atoi(value);
    } else if (strcmp(key, "CompressedData") == 0) {
        h->packed = is_true(value);
    } else if (strcmp(key, "BinaryData") == 0) {
        h->text = !is_true(value);
    } else if (strcmp(key, "HeaderSize") == 0) {
        h->header_size = atof(value);
    } else if (strcmp(key, "DistanceUnits") == 0) {
        snprintf(h->unit, sizeof h->unit, "%.31s", value);
    } else if (strcmp(key, "ObjectType") == 0) {
        snprintf(h->object, sizeof h->object, "%.31s", value);
    } else if (strcmp(key, "ElementToIntensityFunctionSlope") == 0) {
        h->slope = atof(value);
    } else if (strcmp(key, "ElementToIntensityFunctionOffset") == 0) {
        h->intercept = atof(value);
    } else if (strcmp(key, "ElementDataFile") == 0) {
        snprintf(h->data, sizeof h->data, "%s", value);
    }
}

/* Read lines "key = value" up to ElementDataFile, which is the last line. */
static int read_header(FILE *f, const char *path, header *h) {
    char line[LINE];
    *h = (header){.channels = 1, .header_size = 0, .slope = 1};
    for (int n = 0; n < 200 && h->data[0] == 0 && fgets(line, sizeof line, f); n++) {
        char *equals = strchr(line, '=');
        if (equals == NULL)
            continue;
        char *key_end = equals;
        while (key_end > line && (key_end[-1] == ' ' || key_end[-1] == '\t'))
            key_end--;
        *key_end = 0;
        char *value = equals + 1 + strspn(equals + 1, " \t");
        value[strcspn(value, "\r\n")] = 0;
        for (size_t k = strlen(value); k > 0 && value[k - 1] == ' '; k--)
            value[k - 1] = 0;
        parse_key(h, line + strspn(line, " \t"), value);
        parse_geometry(h, line + strspn(line, " \t"), value);
        record_key(h, line + strspn(line, " \t"), value);
    }
    h->offset = ftell(f);
    if (h->data[0] == 0)
        return fail(ERR_INPUT, "'%s' is cut short or damaged: its header has no ElementDataFile; export it again",
                    path);
    if (h->twice)
        return fail(ERR_INPUT, "'%s' gives %s twice with different values; export it again", path, h->twice);
    if (!(h->voxels >= 1 && h->voxels < 1e12) || h->bytes == 0 || h->channels < 1 || h->n_size != h->dimensions)
        return fail(
            ERR_INPUT,
            "'%s': the header is damaged (NDims, DimSize, ElementType or ElementNumberOfChannels); export it again",
            path);
    return OK;
}

/* Check CompressedDataSize against the file, because ITK decompresses this number of bytes without a check. */
static int check_packed_size(FILE *f, const char *path, const header *h, long offset) {
    struct stat info;
    const double said = h->packed_size[0] ? atof(h->packed_size) : -1;
    const double held = fstat(fileno(f), &info) == 0 ? (double)info.st_size - (double)offset : -1;
    if (said == held && offset >= 0)
        return OK;
    return fail(ERR_INPUT,
                "'%s': CompressedDataSize is %s, but the file has %.0f bytes of compressed voxels; export it again",
                path, h->packed_size[0] ? h->packed_size : "not given", held);
}

static int check_data(FILE *f, const char *path, const header *h, long offset) {
    const double numbers = h->voxels * h->channels, needed = numbers * h->bytes;
    const bool at_end = offset < 0; /* HeaderSize -1: the voxels are at the end of the file */
    int rc = h->packed ? check_packed_size(f, path, h, offset) : OK;
    if (rc != OK)
        return rc;
    if (fseek(f, at_end ? -(long)needed : offset, at_end ? SEEK_END : SEEK_SET) != 0)
        return fail(ERR_INPUT, "'%s' is cut short: its voxels need %.0f bytes; export it again", path, needed);
    return h->text ? voxel_data_check(f, path, VOXEL_DATA_TEXT, numbers, &h->type)
                   : voxel_data_check(f, path, h->packed ? VOXEL_DATA_PACKED : VOXEL_DATA_RAW, needed, NULL);
}

static int count_numbers(const char *numbers) {
    int n;
    voxel_data_count(numbers, &n);
    return n;
}

static bool all_above_0(const char *numbers) {
    char *end;
    for (double x = strtod(numbers, &end); end != numbers; x = strtod(numbers, &end)) {
        if (!(x > 0))
            return false;
        numbers = end;
    }
    return true;
}

/* Check ObjectType and intensity scaling. */
static int check_object(const char *path, const header *h) {
    if (h->object[0] && strcmp(h->object, "Image") != 0)
        return fail(ERR_INPUT, "'%s' is not an image: its ObjectType is '%s'; give an image", path, h->object);
    if (h->slope != 1 || h->intercept != 0)
        return fail(ERR_INPUT,
                    "'%s': intensity scaling (ElementToIntensityFunctionSlope %g, Offset %g) is not supported; export "
                    "it with scaled values",
                    path, h->slope, h->intercept);
    return OK;
}

/* True when all rows have unit length. For other matrices ITK and the spacing contradict each other. */
static bool rows_are_unit(const header *h) {
    const char *at = h->direction;
    char *end;
    bool unit = count_numbers(h->direction) == h->dimensions * h->dimensions;
    for (int row = 0; unit && row < h->dimensions; row++) {
        double square = 0;
        for (int k = 0; k < h->dimensions; k++, at = end)
            square += pow(strtod(at, &end), 2);
        unit = fabs(square - 1) < 0.02;
    }
    return unit;
}

static int check_geometry(const char *path, const header *h) {
    static const char sentence[] = "'%s' has no %s, so %s; export it again with its geometry";
    if (h->spacing[0] == 0)
        return fail(ERR_INPUT, sentence, path, "ElementSpacing", "the size of its voxels is unknown");
    if (h->direction[0] == 0)
        return fail(ERR_INPUT, sentence, path, "TransformMatrix", "left and right are unknown");
    if (h->origin[0] == 0)
        return fail(ERR_INPUT, sentence, path, "Offset", "its position is unknown");
    if (count_numbers(h->spacing) != h->dimensions || count_numbers(h->origin) != h->dimensions)
        return fail(ERR_INPUT, "'%s': ElementSpacing and Offset must have %d numbers each (NDims); export it again",
                    path, h->dimensions);
    if (!all_above_0(h->spacing))
        return fail(ERR_INPUT,
                    "'%s': ElementSpacing '%s' must be positive, so left and right are doubtful; export it again", path,
                    h->spacing);
    if (!rows_are_unit(h))
        return fail(ERR_INPUT,
                    "'%s': TransformMatrix '%s' is not %d unit vectors, so the voxel size is doubtful; export it again",
                    path, h->direction, h->dimensions);
    if (!anatomy_agrees(h)) {
        message_info("'%s':", path); /* a separate message, because the path must not enter the recorded warning */
        message_warn("AnatomicalOrientation '%s' of a MetaImage contradicts its TransformMatrix; the matrix is used: "
                     "check left and right, front and back, head and feet",
                     h->anatomy);
    }
    return OK;
}

static int check_separate(const char *path, const header *h) {
    char *name = NULL;
    FILE *f = NULL;
    int rc = voxel_data_open_detached(path, h->data, ".mha", &name, &f);
    if (rc == OK)
        rc = check_data(f, name, h, (long)h->header_size);
    if (f)
        fclose(f);
    free(name);
    return rc;
}

int meta_image_check(const char *path, double *unit_mm) {
    header h;
    *unit_mm = 1;
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        return fail(ERR_INPUT, "cannot open '%s': %s", path, strerror(errno));
    int rc = read_header(f, path, &h);
    if (rc == OK)
        rc = check_object(path, &h);
    if (rc == OK)
        rc = check_geometry(path, &h);
    if (rc == OK && h.unit[0] && strcmp(h.unit, "?") != 0)
        rc = length_unit_to_mm(path, "DistanceUnits", h.unit, unit_mm);
    if (rc == OK && h.header_size > 0 && strcasecmp(h.data, "LOCAL") == 0)
        rc = fail(ERR_INPUT,
                  "'%s': HeaderSize %.0f and voxels in the same file (LOCAL) contradict each other; export it again",
                  path, h.header_size);
    if (rc == OK)
        rc = strcasecmp(h.data, "LOCAL") == 0 ? check_data(f, path, &h, h.offset) : check_separate(path, &h);
    fclose(f);
    return rc;
}
