/* SPDX-License-Identifier: Apache-2.0 */
#include "common/surface_vtk/surface_ply.h"
#include "common/base/status.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 16, PROPERTIES = 32, WORD = 64, FACE_CORNERS = 255 };
enum layout { TEXT, LITTLE, BIG };

typedef struct {
    int bytes;       /* bytes of a value, or of an entry of a list */
    int count_bytes; /* bytes of the number before a list; 0: not a list */
    bool whole;      /* true: the type is an integer */
} property;

typedef struct {
    int64_t n;
    int n_property;
    property property[PROPERTIES];
} element;

typedef struct {
    enum layout layout;
    int n_element;
    element element[ELEMENTS];
    int64_t points, faces; /* numbers of elements; -1: the file has no such element */
} header;

static int type_bytes(const char *type) {
    static const struct {
        const char *name;
        int bytes;
    } types[] = {{"char", 1},  {"uchar", 1},   {"int8", 1},   {"uint8", 1},  {"short", 2}, {"ushort", 2},
                 {"int16", 2}, {"uint16", 2},  {"int", 4},    {"uint", 4},   {"int32", 4}, {"uint32", 4},
                 {"float", 4}, {"float32", 4}, {"double", 8}, {"float64", 8}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(type, types[i].name) == 0)
            return types[i].bytes;
    return 0;
}

static int bad_line(const char *path, const char *line) {
    return fail(ERR_INPUT, "'%s' is damaged: its PLY header has the invalid line '%.*s'; export it again", path,
                (int)strcspn(line, "\r\n"), line);
}

static int read_element(const char *path, const char *line, header *h) {
    char name[WORD] = "", number[WORD] = "", *end;
    if (sscanf(line, "element %63s %63s", name, number) != 2 || h->n_element == ELEMENTS)
        return bad_line(path, line);
    element *e = &h->element[h->n_element++];
    e->n = strtoll(number, &end, 10);
    if (*end != 0 || e->n < 0 || e->n > INT32_MAX)
        return bad_line(path, line);
    if (strcmp(name, "vertex") == 0)
        h->points = e->n;
    if (strcmp(name, "face") == 0)
        h->faces = e->n;
    return OK;
}

static int read_property(const char *path, const char *line, header *h) {
    char a[WORD] = "", b[WORD] = "", c[WORD] = "";
    const int n = sscanf(line, "property %63s %63s %63s", a, b, c);
    if (h->n_element == 0 || n < 2)
        return bad_line(path, line);
    element *e = &h->element[h->n_element - 1];
    const bool list = strcmp(a, "list") == 0;
    const char *type = list ? c : a;
    property p = {type_bytes(type), list ? type_bytes(b) : 0, type[0] != 'f' && type[0] != 'd'};
    if (e->n_property == PROPERTIES || p.bytes == 0 || (list && (n < 3 || p.count_bytes == 0 || p.count_bytes > 4)))
        return bad_line(path, line);
    e->property[e->n_property++] = p;
    return OK;
}

static int read_format(const char *path, const char *line, header *h) {
    static const char *const words[] = {"ascii 1.0", "binary_little_endian 1.0", "binary_big_endian 1.0"};
    for (int k = 0; k < 3; k++)
        if (strncmp(line + 7, words[k], strlen(words[k])) == 0) {
            h->layout = (enum layout)k;
            return OK;
        }
    return bad_line(path, line);
}

/* Reads the header. *body: first byte after it. */
static int read_header(const char *path, const char *bytes, header *h, const char **body) {
    bool format = false;
    int rc = OK;
    *h = (header){.points = -1, .faces = -1};
    if (strncmp(bytes, "ply\n", 4) != 0 && strncmp(bytes, "ply\r\n", 5) != 0)
        return fail(ERR_INPUT, "'%s' is not a PLY file: its first line is not 'ply'; export it again", path);
    for (const char *line = bytes; rc == OK; line++) {
        line = strchr(line, '\n');
        if (line == NULL)
            return fail(ERR_INPUT, "'%s' is cut short or damaged: its PLY header has no end; export it again", path);
        const char *at = line + 1;
        if (strncmp(at, "end_header\n", 11) == 0 || strncmp(at, "end_header\r\n", 12) == 0) {
            *body = strchr(at, '\n') + 1;
            break;
        }
        if (strncmp(at, "format ", 7) == 0)
            rc = read_format(path, at, h), format = true;
        else if (strncmp(at, "element ", 8) == 0)
            rc = read_element(path, at, h);
        else if (strncmp(at, "property ", 9) == 0)
            rc = read_property(path, at, h);
        else if (strncmp(at, "comment", 7) != 0 && strncmp(at, "obj_info", 8) != 0)
            rc = bad_line(path, at);
    }
    if (rc == OK && (!format || h->points < 1 || h->faces < 1))
        return fail(ERR_INPUT, "'%s' holds no triangle: its PLY header lists no vertex or no face; export it again",
                    path);
    return rc;
}

/* Reads a number and advances *at. False at the end of the line or if the text is not a number. */
static bool read_number(const char **at, double *value) {
    char *end;
    const char *from = *at + strspn(*at, " \t\r");
    if (*from == '\n' || *from == 0)
        return false;
    *value = strtod(from, &end);
    if (end == from || !(*end == 0 || isspace((unsigned char)*end)))
        return false;
    *at = end;
    return true;
}

/* Reads one text line as element e and advances *at to the next line. */
static bool text_line(const element *e, const char **at) {
    double value;
    const char *end = strchr(*at, '\n');
    if (end == NULL)
        return false;
    for (int p = 0; p < e->n_property; p++) {
        double n = 1;
        if (e->property[p].count_bytes > 0 && (!read_number(at, &n) || !(n >= 0 && n <= FACE_CORNERS && n == floor(n))))
            return false;
        for (int k = 0; k < (int)n; k++)
            if (!read_number(at, &value) || (e->property[p].whole && value != floor(value)))
                return false;
    }
    *at += strspn(*at, " \t\r");
    if (*at != end)
        return false;
    *at = end + 1;
    return true;
}

static int64_t read_count(const char *at, int bytes, enum layout layout) {
    int64_t n = 0;
    for (int k = 0; k < bytes; k++)
        n = n * 256 + (unsigned char)at[layout == BIG ? k : bytes - 1 - k];
    return n;
}

/* Reads one binary element and advances *at. */
static bool binary_element(const element *e, enum layout layout, const char **at, const char *end) {
    for (int p = 0; p < e->n_property; p++) {
        int64_t n = 1;
        const int count_bytes = e->property[p].count_bytes;
        if (end - *at < count_bytes)
            return false;
        if (count_bytes > 0) {
            n = read_count(*at, count_bytes, layout);
            *at += count_bytes;
        }
        if (n > FACE_CORNERS || (end - *at) < n * e->property[p].bytes)
            return false;
        *at += n * e->property[p].bytes;
    }
    return true;
}

int surface_check_ply(const char *path, const char *bytes, size_t n, surface_counts *counts) {
    header h;
    const char *at = NULL, *end = bytes + n;
    const int rc = read_header(path, bytes, &h, &at);
    if (rc != OK)
        return rc;
    for (int k = 0; k < h.n_element; k++)
        for (int64_t i = 0; i < h.element[k].n; i++)
            if (!(h.layout == TEXT ? text_line(&h.element[k], &at) : binary_element(&h.element[k], h.layout, &at, end)))
                return fail(ERR_INPUT,
                            "'%s' is cut short or damaged: entry %lld of %lld is missing or incomplete in element %d "
                            "of the PLY header; export it again",
                            path, (long long)i + 1, (long long)h.element[k].n, k + 1);
    while (h.layout == TEXT && at < end && isspace((unsigned char)*at))
        at++;
    if (at != end)
        return fail(ERR_INPUT, "'%s' is damaged: %lld bytes follow the data that its header lists; export it again",
                    path, (long long)(end - at));
    counts->points = h.points;
    counts->polygons = h.faces;
    return OK;
}
