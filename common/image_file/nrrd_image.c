/* SPDX-License-Identifier: Apache-2.0 */
#include "common/image_file/nrrd_image.h"
#include "common/base/status.h"
#include "common/image_file/voxel_data.h"
#include "common/image_file/length_unit.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LINE = 1024, LINES = 1000 };

typedef struct {
    double voxels;
    int bytes, dimension, n_size, first; /* first: size of the first axis */
    voxel_data_numbers type;
    enum voxel_data_encoding as;
    bool encoded; /* true: the header names a supported encoding */
    char encoding[32], space[64], directions[LINE], units[LINE], data[LINE], kinds[LINE];
    char origin[LINE];
    long line_skip, byte_skip;
} header;

static int type_bytes(const char *type) {
    static const struct {
        const char *name;
        int bytes;
    } types[] = {{"signed char", 1},
                 {"int8", 1},
                 {"int8_t", 1},
                 {"uchar", 1},
                 {"unsigned char", 1},
                 {"uint8", 1},
                 {"uint8_t", 1},
                 {"short", 2},
                 {"short int", 2},
                 {"signed short", 2},
                 {"signed short int", 2},
                 {"int16", 2},
                 {"int16_t", 2},
                 {"ushort", 2},
                 {"unsigned short", 2},
                 {"unsigned short int", 2},
                 {"uint16", 2},
                 {"uint16_t", 2},
                 {"int", 4},
                 {"signed int", 4},
                 {"int32", 4},
                 {"int32_t", 4},
                 {"uint", 4},
                 {"unsigned int", 4},
                 {"uint32", 4},
                 {"uint32_t", 4},
                 {"longlong", 8},
                 {"long long", 8},
                 {"long long int", 8},
                 {"int64", 8},
                 {"int64_t", 8},
                 {"ulonglong", 8},
                 {"unsigned long long", 8},
                 {"unsigned long long int", 8},
                 {"uint64", 8},
                 {"uint64_t", 8},
                 {"float", 4},
                 {"double", 8}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcasecmp(type, types[i].name) == 0)
            return types[i].bytes;
    return 0;
}

static void parse_encoding(header *h, const char *value) {
    static const struct {
        const char *name;
        enum voxel_data_encoding as;
    } words[] = {{"raw", VOXEL_DATA_RAW},    {"gzip", VOXEL_DATA_PACKED}, {"gz", VOXEL_DATA_PACKED},
                 {"ascii", VOXEL_DATA_TEXT}, {"text", VOXEL_DATA_TEXT},   {"txt", VOXEL_DATA_TEXT}};
    snprintf(h->encoding, sizeof h->encoding, "%.31s", value);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcasecmp(value, words[i].name) == 0) {
            h->as = words[i].as;
            h->encoded = true;
        }
}

/* Normalize a key: "Space Units" equals "spaceunits". */
static void normalize_key(char *key) {
    char *to = key;
    for (const char *c = key; *c; c++)
        if (*c != ' ' && *c != '\t')
            *to++ = (char)tolower((unsigned char)*c);
    *to = 0;
}

static void parse_field(header *h, const char *key, const char *value) {
    if (strcmp(key, "sizes") == 0) {
        h->voxels = voxel_data_count(value, &h->n_size);
        h->first = atoi(value);
    } else if (strcmp(key, "type") == 0) {
        h->bytes = type_bytes(value);
        h->type = voxel_data_type(h->bytes, value[0] != 'u' && value[0] != 'U',
                                  strcasecmp(value, "float") == 0 || strcasecmp(value, "double") == 0);
    } else if (strcmp(key, "dimension") == 0) {
        h->dimension = atoi(value);
    } else if (strcmp(key, "encoding") == 0) {
        parse_encoding(h, value);
    } else if (strcmp(key, "space") == 0) {
        snprintf(h->space, sizeof h->space, "%.63s", value);
    } else if (strcmp(key, "spacedirections") == 0) {
        snprintf(h->directions, sizeof h->directions, "%s", value);
    } else if (strcmp(key, "spaceorigin") == 0) {
        snprintf(h->origin, sizeof h->origin, "%s", value);
    } else if (strcmp(key, "spaceunits") == 0) {
        snprintf(h->units, sizeof h->units, "%s", value);
    } else if (strcmp(key, "kinds") == 0) {
        snprintf(h->kinds, sizeof h->kinds, "%s", value);
    } else if (strcmp(key, "datafile") == 0) {
        snprintf(h->data, sizeof h->data, "%s", value);
    } else if (strcmp(key, "lineskip") == 0) {
        h->line_skip = atol(value);
    } else if (strcmp(key, "byteskip") == 0) {
        h->byte_skip = atol(value);
    }
}

/* Read lines "field: value" up to an empty line, or up to the end of a header with separate voxels. */
static int read_header(FILE *f, const char *path, header *h) {
    char line[LINE];
    bool ended = false;
    *h = (header){0};
    for (int n = 0; n < LINES && !ended && fgets(line, sizeof line, f); n++) {
        if (strchr(line, '\n') == NULL)
            return fail(ERR_INPUT, "'%s' is cut short or damaged: line %d of its header is incomplete; export it again",
                        path, n + 1);
        line[strcspn(line, "\r\n")] = 0;
        ended = line[0] == 0;
        char *colon = strchr(line, ':');
        if (line[0] == '#' || colon == NULL || colon[1] == '=')
            continue;
        *colon = 0;
        char *value = colon + 1 + strspn(colon + 1, " \t");
        for (size_t k = strlen(value); k > 0 && (value[k - 1] == ' ' || value[k - 1] == '\t'); k--)
            value[k - 1] = 0;
        normalize_key(line);
        parse_field(h, line, value);
    }
    if (!ended && h->data[0] == 0)
        return fail(ERR_INPUT, "'%s' is cut short or damaged: the end of its header is missing; export it again", path);
    if (!(h->voxels >= 1 && h->voxels < 1e12) || h->bytes == 0 || h->dimension < 1 || h->n_size != h->dimension)
        return fail(
            ERR_INPUT,
            "'%s': the header is damaged or has an unsupported type (sizes, type or dimension); export it again", path);
    if (!h->encoded)
        return fail(ERR_INPUT, "'%s': the encoding '%s' is not supported; save it as raw or gzip", path, h->encoding);
    return OK;
}

/* True for exactly n vectors "(0.8,0,0)" of three finite decimal numbers. ITK reads other text partially and replaces
 * unreadable vectors by size 1. */
static bool vectors_valid(const char *text, int n) {
    static const double component_limit = 1e9; /* largest magnitude of a component, in any unit */
    char number[40];
    int found = 0;
    for (const char *at = text + strspn(text, " \t"); *at; at += strspn(at, " \t"), found++) {
        if (*at++ != '(')
            return false;
        for (int k = 0; k < 3; k++, at++) {
            char *end;
            const size_t length = strcspn(at, k < 2 ? "," : ")");
            snprintf(number, sizeof number, "%.*s", length < sizeof number ? (int)length : 0, at);
            const double x = strtod(number, &end);
            if (end == number || *(end + strspn(end, " \t")) || strpbrk(number, "xX") || !(fabs(x) < component_limit) ||
                !at[length])
                return false;
            at += length;
        }
    }
    return found == n;
}

/* Returns the number of layers of a 3D Slicer segmentation (four axes, the first of kind "list" without direction) and
 * reduces the header to one layer; 0: no layers. */
static int reduce_layers(header *h) {
    char *none = h->directions + strspn(h->directions, " \t");
    if (h->dimension != 4 || strncasecmp(h->kinds, "list", 4) != 0 || strncasecmp(none, "none", 4) != 0)
        return 0;
    h->dimension = 3;
    memset(none, ' ', 4);
    return h->first;
}

static int check_space(const char *path, const header *h) {
    static const char *const names[] = {"left-posterior-superior", "LPS", "right-anterior-superior", "RAS",
                                        "left-anterior-superior",  "LAS"};
    bool known = false;
    int vectors = 0;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        known = known || strcasecmp(h->space, names[k]) == 0;
    if (h->space[0] == 0)
        return fail(ERR_INPUT,
                    "'%s' has no orientation (no 'space:' line), so left and right are unknown; export it again "
                    "with its orientation",
                    path);
    if (!known)
        return fail(ERR_INPUT,
                    "'%s': its 'space: %s' is not one of left-posterior-superior, right-anterior-superior, "
                    "left-anterior-superior; export it again",
                    path, h->space);
    if (h->dimension != 3)
        return fail(ERR_INPUT,
                    "'%s' has %d dimensions (kinds: '%s') instead of 3, so it holds layers, colours, times or a single "
                    "slice; give one 3D volume (3D Slicer writes overlapping segments as layers: export the vessel's "
                    "segment as a labelmap)",
                    path, h->dimension, h->kinds);
    for (const char *c = strchr(h->directions, '('); c != NULL; c = strchr(c + 1, '('))
        vectors++;
    if (h->directions[0] == 0)
        return fail(ERR_INPUT,
                    "'%s' has no 'space directions', so voxel size and orientation are unknown; export it again with "
                    "its orientation",
                    path);
    if (vectors != 3)
        return fail(
            ERR_INPUT,
            "'%s': its 'space directions' have %d vectors, 3 are needed ('none' is not a direction); export it again",
            path, vectors);
    if (strcasestr(h->kinds, "time"))
        return fail(ERR_INPUT, "'%s': an axis is time ('kinds: %s'), not a direction; give one 3D volume", path,
                    h->kinds);
    if (!h->origin[0])
        return fail(ERR_INPUT,
                    "'%s' has no 'space origin', so its position is unknown; export it again with its orientation",
                    path);
    if (!vectors_valid(h->directions, 3) || !vectors_valid(h->origin, 1))
        return fail(
            ERR_INPUT,
            "'%s': its 'space directions: %s' or 'space origin: %s' are not vectors of three numbers; export it "
            "again",
            path, h->directions, h->origin);
    return OK;
}

/* Read units such as "mm" "mm" "mm"; all named units must be equal. */
static int check_units(const char *path, const header *h, double *unit_mm) {
    char unit[32] = "", first[32] = "";
    *unit_mm = 1;
    for (const char *c = strchr(h->units, '"'); c != NULL;) {
        const char *end = strchr(c + 1, '"');
        if (end == NULL)
            break;
        snprintf(unit, sizeof unit, "%.*s", (int)(end - c - 1 < 31 ? end - c - 1 : 31), c + 1);
        if (first[0] == 0)
            memcpy(first, unit, sizeof first);
        if (strcmp(first, unit) != 0)
            return fail(ERR_INPUT, "'%s': its 'space units' name '%s' and '%s'; use one unit for all axes", path, first,
                        unit);
        c = strchr(end + 1, '"');
    }
    return first[0] != 0 ? length_unit_to_mm(path, "space units", first, unit_mm) : OK;
}

static int check_data(FILE *f, const char *path, const header *h) {
    const double needed = h->voxels * (h->as == VOXEL_DATA_TEXT ? 1 : h->bytes);
    char line[LINE];
    if (h->as != VOXEL_DATA_RAW && h->byte_skip != 0)
        return fail(ERR_INPUT, "'%s': 'byte skip' with compressed voxels is not supported; save it as one .nrrd file",
                    path);
    if (h->byte_skip < -1)
        return fail(
            ERR_INPUT,
            "'%s': 'byte skip' %ld is not supported (-1: voxels are at the end of the file); save it as one .nrrd file",
            path, h->byte_skip);
    for (long k = 0; k < h->line_skip; k++)
        if (fgets(line, sizeof line, f) == NULL)
            break;
    if (h->byte_skip > 0 && fseek(f, h->byte_skip, SEEK_CUR) != 0)
        return fail(ERR_INPUT, "cannot read '%s': %s", path, strerror(errno));
    /* byte_skip -1: the voxels are at the end of the file */
    if (h->byte_skip < 0 && fseek(f, -(long)needed, SEEK_END) != 0)
        return fail(ERR_INPUT, "'%s' is cut short: its voxels need %.0f bytes; export it again", path, needed);
    return voxel_data_check(f, path, h->as, needed, &h->type);
}

static int check_detached(const char *path, const header *h) {
    char *name = NULL;
    FILE *f = NULL;
    int rc = voxel_data_open_detached(path, h->data, ".nrrd", &name, &f);
    if (rc == OK)
        rc = check_data(f, name, h);
    if (f)
        fclose(f);
    free(name);
    return rc;
}

int nrrd_image_check(const char *path, double *unit_mm, int *layers) {
    header *h = malloc(sizeof *h);
    int rc = OK;
    FILE *f = NULL;
    *unit_mm = 1;
    *layers = 0;
    if (h == NULL)
        return fail_memory("the header of an image", sizeof *h);
    f = fopen(path, "rb");
    if (f == NULL)
        GIVE_UP(fail(ERR_INPUT, "cannot open '%s': %s", path, strerror(errno)));
    TRY(read_header(f, path, h));
    *layers = reduce_layers(h);
    TRY(check_space(path, h));
    TRY(check_units(path, h, unit_mm));
    TRY(h->data[0] ? check_detached(path, h) : check_data(f, path, h));
cleanup:
    if (f)
        fclose(f);
    free(h);
    return rc;
}
