/* SPDX-License-Identifier: Apache-2.0 */
/* Format: https://docs.vtk.org/en/latest/design_documents/VTKFileFormats.html, versions 1 to 5.1 */
#include "common/surface_vtk/surface_legacy.h"
#include "common/base/status.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { WORD = 64 };

typedef struct {
    const char *at, *end;
    bool binary;
} cursor;

/* Reads the next word; "" at the end or if the word is too long. */
static void next_word(cursor *c, char word[WORD]) {
    size_t n = 0;
    while (c->at < c->end && isspace((unsigned char)*c->at))
        c->at++;
    while (c->at + n < c->end && !isspace((unsigned char)c->at[n]))
        n++;
    snprintf(word, WORD, "%.*s", n < WORD ? (int)n : 0, c->at);
    c->at += n;
}

static bool next_line(cursor *c) {
    const char *line = memchr(c->at, '\n', (size_t)(c->end - c->at));
    c->at = line != NULL ? line + 1 : c->end;
    return line != NULL;
}

static bool next_count(cursor *c, int64_t *n) {
    char word[WORD], *end;
    next_word(c, word);
    *n = strtoll(word, &end, 10);
    return word[0] != 0 && *end == 0 && *n >= 0 && *n <= (int64_t)1 << 40;
}

static int64_t type_bytes(const char *type) {
    static const struct {
        const char *name;
        int bytes;
    } types[] = {{"char", 1},          {"unsigned_char", 1}, {"short", 2},        {"unsigned_short", 2},
                 {"int", 4},           {"unsigned_int", 4},  {"long", 8},         {"unsigned_long", 8},
                 {"float", 4},         {"double", 8},        {"vtktypeint32", 4}, {"vtktypeint64", 8},
                 {"vtktypeuint32", 4}, {"vtktypeuint64", 8}, {"vtkIdType", 4}};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcasecmp(type, types[i].name) == 0)
            return types[i].bytes;
    return 0;
}

/* Skips n numbers of a type; binary numbers start on the next line. */
static bool skip_values(cursor *c, int64_t n, const char *type) {
    char word[WORD], *end;
    const int64_t bytes = type_bytes(type);
    if (c->binary) {
        if (bytes == 0 || !next_line(c) || (c->end - c->at) / bytes < n)
            return false;
        c->at += n * bytes;
        return true;
    }
    for (int64_t k = 0; k < n; k++) {
        next_word(c, word);
        strtod(word, &end);
        if (word[0] == 0 || *end != 0)
            return false;
    }
    return true;
}

static bool skip_points(cursor *c, surface_counts *counts) {
    char type[WORD];
    /* a second list of points is refused, because VTK would use the last list */
    if (counts->points >= 0 || !next_count(c, &counts->points))
        return false;
    next_word(c, type);
    return skip_values(c, 3 * counts->points, type);
}

/* Skips n cells that are stored as m numbers. Since version 5 of the format n counts the offsets (cells + 1) and m the
 * corners. */
static bool skip_cells(cursor *c, int64_t *n_cell) {
    char word[WORD];
    int64_t n, m;
    if (!next_count(c, &n) || !next_count(c, &m))
        return false;
    cursor ahead = *c;
    next_word(&ahead, word);
    *n_cell = n;
    if (strcasecmp(word, "OFFSETS") != 0)
        return skip_values(c, m, "int");
    *n_cell = n > 0 ? n - 1 : 0;
    next_word(&ahead, word);
    if (!skip_values(&ahead, n, word))
        return false;
    next_word(&ahead, word);
    if (strcasecmp(word, "CONNECTIVITY") != 0)
        return false;
    next_word(&ahead, word);
    *c = ahead;
    return skip_values(c, m, word);
}

/* Skips the metadata of an array, which end with an empty line. */
static void skip_metadata(cursor *c) {
    while (next_line(c) && c->at < c->end && *c->at != '\n' && *c->at != '\r') {
    }
}

static int fail_damaged(const char *path, const char *word) {
    return fail(ERR_INPUT, "'%s' is truncated or damaged: its %s are incomplete or stored twice; export it again", path,
                word);
}

int surface_check_legacy(const char *path, const char *bytes, size_t n, surface_counts *counts) {
    cursor c = {bytes, bytes + n, false};
    char word[WORD];
    int64_t other;
    const bool head = next_line(&c) && next_line(&c); /* skips two lines: NOLINT(misc-redundant-expression) */
    next_word(&c, word);
    c.binary = strcasecmp(word, "BINARY") == 0;
    if (!head || !(c.binary || strcasecmp(word, "ASCII") == 0))
        return fail(
            ERR_INPUT,
            "'%s' is not a VTK file or is truncated: its third line is neither ASCII nor BINARY; export it again",
            path);
    if (!c.binary && (strlen(bytes) != n || bytes[n - 1] != '\n'))
        return fail(ERR_INPUT, "'%s' is cut short or damaged: its last line is incomplete; export it again", path);
    bool polygons = false;
    counts->polygons = 0;
    for (;;) {
        next_word(&c, word);
        if (strcasecmp(word, "DATASET") == 0) {
            next_word(&c, word);
        } else if (strcasecmp(word, "POINTS") == 0) {
            if (!skip_points(&c, counts))
                return fail_damaged(path, "points");
        } else if (strcasecmp(word, "POLYGONS") == 0) {
            if (polygons || !skip_cells(&c, &counts->polygons))
                return fail_damaged(path, "polygons");
            polygons = true;
        } else if (strcasecmp(word, "VERTICES") == 0 || strcasecmp(word, "LINES") == 0 ||
                   strcasecmp(word, "TRIANGLE_STRIPS") == 0) {
            if (!skip_cells(&c, &other))
                return fail_damaged(path, "cells");
        } else if (strcasecmp(word, "METADATA") == 0) {
            skip_metadata(&c);
        } else {
            break; /* point data, cell data, fields or the end of the file follow */
        }
    }
    return OK;
}
