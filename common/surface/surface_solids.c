/* SPDX-License-Identifier: Apache-2.0 */
#include "common/surface/surface_solids.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/base/vec.h"
#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_foreign(char c) { /* part of a letter outside ASCII */
    return (unsigned char)c >= 0x80;
}

/* A letter outside ASCII becomes one _, in UTF-8 (whose later bytes are 0x80 to 0xbf) and in Latin-1. */
static void copy_name(const char *from, char name[SURFACE_SOLID_NAME]) {
    size_t n = 0;
    while (*from && *from != '\n' && *from != '\r' && !isalnum((unsigned char)*from) && !is_foreign(*from))
        from++;
    for (; *from && !isspace((unsigned char)*from) && n + 1 < SURFACE_SOLID_NAME; from++)
        if (!is_foreign(*from) || (unsigned char)*from >= 0xc0)
            name[n++] = (char)(!is_foreign(*from) && (isalnum((unsigned char)*from) || *from == '-') ? *from : '_');
    name[n] = 0;
}

static void add_triangle(surface_solid *to, double p[3][3]) {
    double u[3], v[3], normal[3];
    vec_add(p[1], -1, p[0], u);
    vec_add(p[2], -1, p[0], v);
    vec_cross(u, v, normal);
    const double area = vec_length(normal) / 2;
    to->area += area;
    for (int k = 0; k < 3; k++)
        vec_add(to->centre, area / 3, p[k], to->centre);
}

/* Reads the text of a file of several solids. */
static int read_text(const char *text, int *n, surface_solid **list) {
    double p[3][3];
    int corner = 0;
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += strspn(line, " \t\r\n");
        if (strncasecmp(line, "solid", 5) == 0) {
            surface_solid *more = realloc(*list, (size_t)(*n + 1) * sizeof *more);
            if (!more)
                return fail_memory("the solids of a surface", (double)(*n + 1) * sizeof *more);
            *list = more;
            more[*n] = (surface_solid){.area = 0};
            copy_name(line + 5, more[(*n)++].name);
        } else if (strncasecmp(line, "vertex", 6) == 0 && *n > 0) {
            char *at = (char *)line + 6;
            for (int a = 0; a < 3; a++)
                p[corner][a] = strtod(at, &at);
            corner = (corner + 1) % 3;
            if (corner == 0)
                add_triangle(&(*list)[*n - 1], p);
        }
    }
    return OK;
}

int surface_solids_read(const char *path, int *n, surface_solid **list) {
    char *text = NULL;
    size_t bytes = 0;
    int rc = OK, named = 0;
    *n = 0;
    *list = NULL;
    if (!file_ends_with(path, ".stl") || file_read(path, SIZE_MAX / 2, &text, &bytes) != OK) {
        status_clear();
        return OK;
    }
    if (strlen(text) == bytes && strncasecmp(text + strspn(text, " \t\r\n"), "solid", 5) == 0)
        rc = read_text(text, n, list);
    free(text);
    for (int k = 0; k < *n; k++) {
        surface_solid *one = &(*list)[k];
        for (int a = 0; a < 3 && one->area > 0; a++)
            one->centre[a] /= one->area;
        named += one->area > 0 && one->name[0];
    }
    *n = named > 1 ? *n : 0;
    return rc;
}
