/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/reproduce/results.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MAX_LENGTH = 2048, PAGE_COLUMNS = 120 };

static void append(results *r, char **text, size_t *length, const char *piece) {
    size_t n = strlen(piece);
    if (r->error != OK)
        return;
    char *larger = realloc(*text, *length + n + 1);
    if (!larger) {
        r->error = fail_memory("the results", (double)(*length + n));
        return;
    }
    memcpy(larger + *length, piece, n + 1);
    *text = larger;
    *length += n;
}

static void append_md(results *r, const char *piece) {
    append(r, &r->md, &r->md_length, piece);
}

/* Ends the open table, if there is one, and writes its CSV. */
static void table_end(results *r) {
    char path[RESULTS_PATH_MAX + 160];
    if (!r->table[0])
        return;
    snprintf(path, sizeof path, "%s/%s-%s.csv", r->folder, r->study, r->table);
    if (r->error == OK)
        r->error = file_write(path, r->csv, r->csv_length);
    if (r->n_row * r->n_column > RESULTS_SHOWN && r->error == OK) {
        snprintf(path, sizeof path, "%d rows: [%s-%s.csv](%s-%s.csv)\n", r->n_row, r->study, r->table, r->study,
                 r->table);
        r->md[r->md_length = r->table_start] = '\0';
        append_md(r, path);
    }
    append_md(r, "\n");
    r->table[0] = '\0';
    free(r->csv);
    r->csv = NULL;
    r->csv_length = 0;
}

void results_create(results *r, const char *folder, const char *study, const char *title, const char *source) {
    memset(r, 0, sizeof *r);
    r->no_value = "-";
    snprintf(r->folder, sizeof r->folder, "%s", folder);
    snprintf(r->study, sizeof r->study, "%s", study);
    results_text(r, "## %s", title);
    results_text(r, "Source: %s", source);
}

void results_fail(results *r, int rc) {
    if (r->error == OK)
        r->error = rc;
}

const char *results_format(results *r, const char *format, ...) {
    char *text = NULL, **more = realloc(r->owned, ((size_t)r->n_owned + 1) * sizeof *more);
    va_list args;
    if (more)
        r->owned = more;
    va_start(args, format);
    const int length = vasprintf(&text, format, args);
    va_end(args);
    if (more && length >= 0)
        return r->owned[r->n_owned++] = text;
    if (length >= 0)
        free(text);
    results_fail(r, fail_memory("a text of the page", 0));
    return "";
}

void results_free(results *r) {
    for (int k = 0; k < r->n_owned; k++)
        free(r->owned[k]);
    free(r->owned);
    free(r->md);
    free(r->csv);
    free(r->missed_md);
    free(r->criteria);
    memset(r, 0, sizeof *r);
}

/* True if a line of a paragraph may begin with the word. Markdown would read some words there as a list, heading, quote
 * or table. */
static bool may_start_line(const char *word) {
    const size_t n_digit = strspn(word, "0123456789");
    return !strchr("+*#>=|", word[0]) && !(word[0] == '-' && word[1] == ' ') &&
           !(n_digit > 0 && (word[n_digit] == '.' || word[n_digit] == ')') && word[n_digit + 1] == ' ');
}

/* Breaks the lines of a paragraph at spaces, so that a line has up to PAGE_COLUMNS characters (UTF-8). */
static void wrap_lines(char *text) {
    int column = 0, after_space = 0;
    char *space = NULL;
    for (char *c = text; *c; c++) {
        const int width = (*c & 0xC0) != 0x80;
        column += width;
        after_space += width;
        if (*c == '\n') {
            column = 0;
            space = NULL;
        } else if (*c == ' ' && may_start_line(c + 1)) {
            space = c;
            after_space = 0;
        }
        if (column > PAGE_COLUMNS && space) {
            *space = '\n';
            column = after_space;
            space = NULL;
        }
    }
}

void results_text(results *r, const char *format, ...) {
    char text[LINE_MAX_LENGTH];
    va_list args;
    table_end(r);
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    wrap_lines(text);
    append_md(r, text);
    append_md(r, "\n\n");
}

/* Adds "a|b" as a row of Markdown and CSV; in CSV a cell with a comma is quoted. The cells "nan" and "-nan" are
 * replaced. */
static void add_row(results *r, const char *cells) {
    char text[LINE_MAX_LENGTH], *rest = text;
    const char *cell;
    snprintf(text, sizeof text, "%s", cells);
    for (const char *md = "| ", *csv = ""; (cell = strsep(&rest, "|")); md = " | ", csv = ",") {
        if (strcmp(cell, "nan") == 0 || strcmp(cell, "-nan") == 0)
            cell = r->no_value;
        const char *quote = strchr(cell, ',') ? "\"" : "";
        const char *const piece[] = {csv, quote, cell, quote};
        append_md(r, md);
        append_md(r, cell);
        for (size_t k = 0; k < sizeof piece / sizeof *piece; k++)
            append(r, &r->csv, &r->csv_length, piece[k]);
    }
    append_md(r, " |\n");
    append(r, &r->csv, &r->csv_length, "\n");
}

void results_table(results *r, const char *name, const char *head) {
    table_end(r);
    snprintf(r->table, sizeof r->table, "%s", name);
    r->table_start = r->md_length;
    r->n_row = 0;
    r->no_value = "-";
    add_row(r, head);
    append_md(r, "|---|");
    r->n_column = 1;
    for (const char *cell = strchr(head, '|'); cell; cell = strchr(cell + 1, '|')) {
        append_md(r, "---|");
        r->n_column++;
    }
    append_md(r, "\n");
}

void results_row(results *r, const char *format, ...) {
    char text[LINE_MAX_LENGTH];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    r->n_row++;
    add_row(r, text);
}

static void check(results *r, const char *what, double value, const char *word, double limit, bool met) {
    table_end(r);
    char text[LINE_MAX_LENGTH];
    snprintf(text, sizeof text, "\"%s\",%.4g,%s,%g,%s\n", what, value, word, limit, met ? "met" : "missed");
    append(r, &r->criteria, &r->criteria_length, r->n_checked ? "" : "criterion,value,relation,limit,outcome\n");
    append(r, &r->criteria, &r->criteria_length, text);
    r->n_checked++;
    if (met)
        return;
    snprintf(text, sizeof text, "- %s: %.4g (%s %g): **missed**\n", what, value, word, limit);
    append(r, &r->missed_md, &r->missed_md_length, text);
    r->n_missed++;
    size_t n = strlen(r->missed);
    snprintf(r->missed + n, sizeof r->missed - n, "%s%s is %.4g, %s %g", n ? "; " : "", what, value, word, limit);
}

void results_at_least(results *r, const char *what, double value, double limit) {
    check(r, what, value, "at least", limit, value >= limit);
}

void results_at_most(results *r, const char *what, double value, double limit) {
    check(r, what, value, "at most", limit, value <= limit);
}

void results_picture(results *r, const char *file, const char *caption) {
    results_text(r, "![%s](%s)", caption, file_name(file));
}

void results_copy_picture(results *r, const char *from, const char *name, const char *caption) {
    char to[RESULTS_PATH_MAX + 160], *bytes = NULL;
    size_t size;
    if (r->error != OK || !file_exists(from))
        return;
    snprintf(to, sizeof to, "%s/%s-%s.png", r->folder, r->study, name);
    r->error = file_read(from, 50000000, &bytes, &size);
    if (r->error == OK)
        r->error = file_write(to, bytes, size);
    free(bytes);
    results_picture(r, to, caption);
}

int results_write(results *r) {
    char path[RESULTS_PATH_MAX + 80];
    table_end(r);
    if (r->n_checked > 0)
        results_text(r, "%d of %d criteria met: [%s-criteria.csv](%s-criteria.csv)", r->n_checked - r->n_missed,
                     r->n_checked, r->study, r->study);
    if (r->n_missed > 0 && r->missed_md)
        append_md(r, r->missed_md);
    snprintf(path, sizeof path, "%s/%s.md", r->folder, r->study);
    if (r->error == OK)
        r->error = file_write(path, r->md, r->md_length);
    snprintf(path, sizeof path, "%s/%s-criteria.csv", r->folder, r->study);
    if (r->error == OK && r->n_checked > 0)
        r->error = file_write(path, r->criteria, r->criteria_length);
    return r->error;
}
