/* SPDX-License-Identifier: Apache-2.0 */
/* PLY is in surface_ply.c, legacy VTK in surface_legacy.c. */
#include "common/surface_vtk/surface_whole.h"
#include "common/base/status.h"
#include "common/surface_vtk/surface_legacy.h"
#include "common/surface_vtk/surface_ply.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { STL_HEAD = 84, STL_TRIANGLE = 50 };

static size_t without_space(const char *bytes, size_t n) {
    while (n > 0 && isspace((unsigned char)bytes[n - 1]))
        n--;
    return n;
}

/* True if the last non-blank line starts with `word` (ignoring blanks and case). */
static bool last_line_starts(const char *bytes, size_t n, const char *word) {
    n = without_space(bytes, n);
    size_t from = n;
    while (from > 0 && bytes[from - 1] != '\n' && bytes[from - 1] != '\r')
        from--;
    while (from < n && isspace((unsigned char)bytes[from]))
        from++;
    return n - from >= strlen(word) && strncasecmp(bytes + from, word, strlen(word)) == 0;
}

/* True if the file ends with `word`, ignoring blanks. */
static bool ends_with(const char *bytes, size_t n, const char *word) {
    n = without_space(bytes, n);
    return n >= strlen(word) && memcmp(bytes + n - strlen(word), word, strlen(word)) == 0;
}

/* Number of lines that start with `word`. */
static int64_t count_lines(const char *bytes, const char *word) {
    int64_t count = 0;
    for (const char *line = bytes; line != NULL && *line != 0;) {
        const char *at = line + strspn(line, " \t\r");
        count += strncasecmp(at, word, strlen(word)) == 0;
        line = strchr(line, '\n');
        line = line != NULL ? line + 1 : NULL;
    }
    return count;
}

/* True for three decimal numbers and the end of the line: VTK stops at the first unknown character. */
static bool vertex_right(const char *at) {
    for (int k = 0; k < 3; k++) {
        char *end;
        at += strspn(at, " \t");
        strtod(at, &end);
        if (end == at || !(*end == 0 || isspace((unsigned char)*end)) || memchr(at, 'x', (size_t)(end - at)) ||
            memchr(at, 'X', (size_t)(end - at)))
            return false;
        at = end;
    }
    at += strspn(at, " \t\r");
    return *at == '\n' || *at == 0;
}

/* First vertex that is not three numbers; NULL: none. */
static const char *wrong_vertex(const char *bytes) {
    for (const char *line = bytes; line != NULL && *line != 0;) {
        const char *at = line + strspn(line, " \t\r");
        if (strncasecmp(at, "vertex", 6) == 0 && !vertex_right(at + 6))
            return at;
        line = strchr(line, '\n');
        line = line != NULL ? line + 1 : NULL;
    }
    return NULL;
}

static int check_stl(const char *path, const char *bytes, size_t n, surface_counts *counts) {
    const unsigned char *b = (const unsigned char *)bytes + STL_HEAD - 4;
    const double said = n >= STL_HEAD ? b[0] + 256.0 * b[1] + 65536.0 * b[2] + 16777216.0 * b[3] : 0;
    const double needed = STL_HEAD + STL_TRIANGLE * said;
    const char *start = bytes + strspn(bytes, " \t\r\n");
    counts->binary_stl = n >= STL_HEAD && (double)n == needed;
    if (counts->binary_stl) {
        counts->polygons = (int64_t)said;
        return OK;
    }
    const bool no_zero = strlen(bytes) == n, text = no_zero && strncasecmp(start, "solid", 5) == 0;
    if (!text && n < STL_HEAD)
        return fail(
            ERR_INPUT,
            "'%s' is truncated or not an STL file: it has %zu bytes, a binary STL file at least %d; export it again",
            path, n, (int)STL_HEAD);
    if (!text && no_zero)
        return fail(ERR_INPUT,
                    "'%s' is text, but not an STL file: it does not begin with 'solid' (a byte order mark before it is "
                    "not allowed); export it again",
                    path);
    if (!text)
        return fail(ERR_INPUT,
                    "'%s' is %s: its header states %.0f triangles, which need %.0f bytes, but the file has %zu; export "
                    "it again",
                    path, (double)n < needed ? "cut short or damaged" : "damaged", said, needed, n);
    if (!last_line_starts(bytes, n, "endsolid"))
        return fail(ERR_INPUT, "'%s' is cut short or damaged: its last line is not 'endsolid'; export it again", path);
    const char *wrong = wrong_vertex(bytes);
    if (wrong)
        return fail(ERR_INPUT, "'%s' is damaged: '%.*s' is not 'vertex' and three numbers; export it again", path,
                    (int)strcspn(wrong, "\r\n"), wrong);
    counts->polygons = count_lines(bytes, "endfacet");
    if (count_lines(bytes, "vertex") != 3 * counts->polygons || count_lines(bytes, "facet") != counts->polygons)
        return fail(ERR_INPUT, "'%s' is damaged: it has facets without three corners; export it again", path);
    return OK;
}

int surface_check_whole(const char *path, const char *ending, const char *bytes, size_t n, surface_counts *counts) {
    *counts = (surface_counts){-1, -1, false};
    if (strcmp(ending, ".stl") == 0)
        return check_stl(path, bytes, n, counts);
    if (strcmp(ending, ".ply") == 0)
        return surface_check_ply(path, bytes, n, counts);
    if (strcmp(ending, ".vtp") == 0 && !ends_with(bytes, n, "</VTKFile>"))
        return fail(ERR_INPUT, "'%s' is cut short or damaged: it does not end with </VTKFile>; export it again", path);
    if (strcmp(ending, ".vtk") == 0)
        return surface_check_legacy(path, bytes, n, counts);
    return OK;
}
