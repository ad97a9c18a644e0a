/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/run/log.h"
#include "common/base/file.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Length of `path` if `line` begins with it, including "./" (the case's folder) in front of the path; otherwise 0. */
static size_t path_length(const char *line, const char *path) {
    const size_t n = strlen(path), here = strncmp(line, "./", 2) == 0 ? 2 : 0;
    if (n > 0 && strncmp(line, path, n) == 0)
        return n;
    return here && n > 0 && strncmp(line + here, path, n) == 0 ? here + n : 0;
}

/* If `line` begins with `path`, writes `what` in place of the path. Returns the number of replaced characters, 0:
 * none. */
static size_t write_path(FILE *to, const char *line, const char *what, const char *path) {
    size_t n = path ? path_length(line, path) : 0;
    if (n == 0)
        return 0;
    fputs(what, to);
    if (line[n] == '/') { /* `path` is a folder: also replace the name of the file in it */
        fputs("/...", to);
        n += strcspn(line + n, "'");
    }
    return n;
}

/* Length of the quoted name if it is a file in the folder of the case's image ("'IM-0001'"), otherwise 0. */
static size_t image_file_length(const log_rule *r, const char *quoted) {
    const size_t n = strcspn(quoted, "'");
    char name[512], *folder = r->c->image.path ? file_join(r->dir, r->c->image.path) : NULL, *path = NULL;
    bool there = false;
    if (folder && n > 0 && n < sizeof name && quoted[n] == '\'' && file_is_folder(folder)) {
        memcpy(name, quoted, n);
        name[n] = '\0';
        path = file_join(folder, name);
        there = path && file_exists(path);
    }
    free(path);
    free(folder);
    return there ? n : 0;
}

/* True if the line lists a series of a folder: "  1.2.826.0.1  14 slices of 64 x 64 ..: PORTAL". */
static bool is_series(const char *line) {
    if (strncmp(line, "  ", 2) != 0)
        return false;
    const char *count = line + 2 + strspn(line + 2, "0123456789.");
    if (count == line + 2 || strncmp(count, "  ", 2) != 0)
        return false;
    const size_t n = strspn(count + 2, "0123456789");
    return n > 0 && strncmp(count + 2 + n, " slice", 6) == 0;
}

void log_write_line(FILE *to, const char *line, const void *rule) {
    const log_rule *r = rule;
    const case_file *c = r->c;
    if (is_series(line))
        line = "  (a series of the folder: printed on the terminal only)";
    while (*line) {
        size_t n = write_path(to, line, "image", c->image.path);
        if (n == 0)
            n = write_path(to, line, "labels", c->segment.labels_path);
        if (n == 0)
            n = write_path(to, line, "surface", c->segment.surface_path);
        if (n == 0)
            n = write_path(to, line, "territories", c->split.labels_path);
        if (n == 0)
            n = write_path(to, line, "liver", case_liver_path(c));
        if (n == 0)
            n = write_path(to, line, "before", c->segment.before_path);
        if (n == 0)
            n = write_path(to, line, "series", c->image.series);
        for (int k = 0; n == 0 && k < c->n_opening; k++)
            n = write_path(to, line, "waveform", c->opening[k].waveform);
        if (n == 0 && line[0] == '\'') {
            putc(*line++, to);
            n = image_file_length(r, line);
            if (n > 0)
                fputs("image/...", to);
        } else if (n == 0) {
            putc(*line, to);
            n = 1;
        }
        line += n;
    }
    putc('\n', to);
}
