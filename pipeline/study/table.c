/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/study/table.h"
#include "common/base/file.h"
#include "common/base/progress.h"
#include "common/base/status.h"
#include "pipeline/study/many.h"
#include "pipeline/study/statistics.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { USUAL_WIDTH = 132, /* number of text columns of a table that is written to a file */ LABEL = 640 };

/* The names of all numbers in all rows, in order of first appearance. */
typedef struct {
    int n;
    const row_number **column; /* columns, owned; each points to a number of a row */
    double *error;             /* [n] common error of each column (results_row_common_error), owned */
} columns;

static int find_errors(int n, const results_row *row, columns *c) {
    const row_number **at = calloc((size_t)n + 1, sizeof *at); // NOLINT(bugprone-sizeof-expression)
    c->error = calloc((size_t)c->n + 1, sizeof *c->error);
    if (!at || !c->error) {
        free(at);
        return fail_memory("the table", 8.0 * (n + c->n));
    }
    for (int j = 0; j < c->n; j++) {
        for (int k = 0; k < n; k++)
            at[k] = results_row_find(&row[k], c->column[j]->name);
        c->error[j] = results_row_common_error(n, at);
    }
    free(at);
    return OK;
}

static int columns_find(int n, const results_row *row, columns *c) {
    *c = (columns){0};
    for (int k = 0; k < n; k++)
        for (int j = 0; j < row[k].n; j++) {
            bool known = false;
            for (int m = 0; m < c->n && !known; m++)
                known = strcmp(c->column[m]->name, row[k].number[j].name) == 0;
            if (known)
                continue;
            const row_number **larger =
                realloc(c->column, ((size_t)c->n + 1) * sizeof *larger); // NOLINT(bugprone-sizeof-expression)
            if (!larger)
                return fail_memory("the table", 8.0 * c->n);
            c->column = larger;
            c->column[c->n++] = &row[k].number[j];
        }
    return find_errors(n, row, c);
}

static void columns_free(columns *c) {
    free(c->column);
    free(c->error);
}

static int column_width(int n, const results_row *row, const columns *c, int j) {
    const row_number *column = c->column[j];
    char text[ROW_SHOWN], head[ROW_NAME + 32];
    int width = snprintf(head, sizeof head, "%s, %s", column->name, column->unit);
    for (int k = 0; k < n; k++) {
        const int w = (int)strlen(results_row_show(results_row_find(&row[k], column->name), c->error[j], text));
        width = w > width ? w : width;
    }
    return width;
}

static const char *first_of(const results_row *row, const char *const *first, int k) {
    return first ? first[k] : row[k].patient;
}

/* Text of the first column on the terminal; it marks every row of a run that must not be used. */
static const char *label_of(const results_row *row, const char *const *first, int k, char text[LABEL]) {
    snprintf(text, LABEL, "%s%s%s", first_of(row, first, k), row[k].unusable[0] ? "  " : "", row[k].unusable);
    return text;
}

static bool any_main(const columns *c, int from, int to) {
    bool any = false;
    for (int j = from; j < to; j++)
        any |= c->column[j]->main;
    return any;
}

/* Completes the heading with the columns `from` .. `to` - 1 and prints the rows. The first block also has state and
 * flags. */
static void print_block(int n, const results_row *row, const char *const *first, const columns *c, int from, int to,
                        int width, int state, int flags) {
    char text[ROW_SHOWN], label[LABEL];
    for (int j = from; j < to; j++)
        if (c->column[j]->main)
            printf("  %*s, %s", column_width(n, row, c, j) - (int)strlen(c->column[j]->unit) - 2, c->column[j]->name,
                   c->column[j]->unit);
    printf("\n");
    for (int k = 0; k < n; k++) {
        printf("%-*s", width, label_of(row, first, k, label));
        if (state > 0)
            printf("  %-*s  %-*s", state, row[k].state, flags, row[k].flags);
        for (int j = from; j < to; j++)
            if (c->column[j]->main)
                printf("  %*s", column_width(n, row, c, j),
                       results_row_show(results_row_find(&row[k], c->column[j]->name), c->error[j], text));
        printf("\n");
    }
}

int table_print(int n, const results_row *row, const char *first_name, const char *const *first) {
    columns c;
    char label[LABEL];
    int rc = OK, width = (int)strlen(first_name), state = 5, flags = 5;
    TRY(columns_find(n, row, &c));
    for (int k = 0; k < n; k++) {
        width = (int)fmax(width, (double)strlen(label_of(row, first, k, label)));
        state = (int)fmax(state, (double)strlen(row[k].state));
        flags = (int)fmax(flags, (double)strlen(row[k].flags));
    }
    const int room = progress_columns(STDOUT_FILENO, USUAL_WIDTH);
    bool flagged = false; /* true: state and flags are printed */
    for (int from = 0, to; !flagged || from < c.n; from = to) {
        int used = flagged ? width : width + 2 + state + 2 + flags;
        for (to = from; to < c.n; to++) { /* finds the columns that fit on the line, at least one */
            const int more = c.column[to]->main ? 2 + column_width(n, row, &c, to) : 0;
            if (more > 0 && used + more > room && used > width)
                break;
            used += more;
        }
        if (!flagged || any_main(&c, from, to)) {
            printf("%s%-*s", flagged ? "\n" : "", width, first_name);
            if (!flagged)
                printf("  %-*s  %-*s", state, "state", flags, "flags");
            print_block(n, row, first, &c, from, to, width, flagged ? 0 : state, flags);
        }
        flagged = true;
    }
cleanup:
    columns_free(&c);
    return rc;
}

/* Writes a text as a CSV field. A text that a spreadsheet would evaluate as a formula gets a ' in front. */
static void put_field(FILE *to, const char *text) {
    fputc('"', to);
    if (text[0] && strchr("=+-@", text[0]))
        fputc('\'', to);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', to);
        fputc(*text, to);
    }
    fputc('"', to);
}

static void put_number(FILE *to, double value) {
    if (isfinite(value))
        fprintf(to, ",%.9g", value);
    else
        fputc(',', to);
}

/* Writes the names of all columns. suffix: space and name of the group, or "". */
static void put_heads(FILE *to, const columns *c, const char *suffix) {
    for (int j = 0; j < c->n; j++)
        for (int half = 0; half < 2; half++) {
            char head[ROW_NAME + 64 + STATISTICS_WORD];
            snprintf(head, sizeof head, "%s%s (%s)%s", c->column[j]->name, half ? " +-" : "", c->column[j]->unit,
                     suffix);
            fputc(',', to);
            put_field(to, head);
        }
}

/* Writes state, flags and the other facts about the run that the row holds. row NULL: writes empty fields. */
static void put_run(FILE *to, const results_row *row) {
    if (!row) {
        fputs(",,,,,,", to);
        return;
    }
    fputc(',', to);
    put_field(to, row->state);
    fputc(',', to);
    put_field(to, row->flags);
    put_number(to, row->serious);
    fprintf(to, ",%s,%s,", row->version,
            row->n == 0        ? ""
            : row->unusable[0] ? row->unusable
            : row->uncompared  ? "not compared"
                               : "yes");
    put_field(to, row->unfed);
}

static void put_numbers(FILE *to, const columns *c, const results_row *row) {
    for (int j = 0; j < c->n; j++) {
        const row_number *at = row ? results_row_find(row, c->column[j]->name) : NULL;
        put_number(to, at ? at->value : NAN);
        put_number(to, at ? at->half : NAN);
    }
}

static const char *const run_heads[] = {"state", "flags", "serious_warnings", "version", "usable", "branches_cut_away"};
enum { RUN_HEADS = sizeof run_heads / sizeof *run_heads };

int table_write(int n, const results_row *row, const char *first_name, const char *const *first, const char *path) {
    columns c;
    file_text t;
    int rc;
    TRY(columns_find(n, row, &c));
    TRY(file_text_open(&t, "the table"));
    put_field(t.to, first_name);
    for (int k = 0; k < RUN_HEADS; k++)
        fprintf(t.to, ",%s", run_heads[k]);
    put_heads(t.to, &c, "");
    fputc('\n', t.to);
    for (int k = 0; k < n; k++) {
        put_field(t.to, first_of(row, first, k));
        put_run(t.to, &row[k]);
        put_numbers(t.to, &c, &row[k]);
        fputc('\n', t.to);
    }
    rc = file_text_write(&t, OK, path);
cleanup:
    columns_free(&c);
    return rc;
}

/* Name of a patient without the word of its group: "P1" of "P1_before". */
static void name_pair(const char *folder, const char *word, char name[ROW_TEXT]) {
    const char *at = strstr(folder, word);
    size_t n;
    if (!at || strcmp(folder, word) == 0) {
        snprintf(name, ROW_TEXT, "%s", folder);
        return;
    }
    snprintf(name, ROW_TEXT, "%.*s%s", (int)(at - folder), folder, at + strlen(word));
    for (n = strlen(name); n > 1 && strchr("_-. ", name[n - 1]); n--)
        name[n - 1] = 0;
    n = strspn(name, "_-. ");
    memmove(name, name + (name[n] ? n : 0), strlen(name + (name[n] ? n : 0)) + 1);
}

/* Writes one row a patient, with the columns of the first group and then of the second, as paired tests of R and SPSS
 * expect. */
static int write_pairs(int n, const results_row *row, const int *group, const int *partner,
                       const char (*word)[STATISTICS_WORD], const char *path) {
    columns c;
    file_text t;
    int rc;
    TRY(columns_find(n, row, &c));
    TRY(file_text_open(&t, "the table"));
    put_field(t.to, "patient");
    for (int g = 0; g < 2; g++) {
        char suffix[STATISTICS_WORD + 1];
        snprintf(suffix, sizeof suffix, " %.*s", STATISTICS_WORD - 1, word[g]);
        for (int k = 0; k < RUN_HEADS; k++)
            fprintf(t.to, ",\"%s%s\"", run_heads[k], suffix);
        put_heads(t.to, &c, suffix);
    }
    fputc('\n', t.to);
    for (int k = 0; k < n; k++) {
        const results_row *of[2] = {NULL, NULL};
        char name[ROW_TEXT];
        if (group[k] == 1 && partner[k] >= 0) /* this patient is shown in the row of its partner */
            continue;
        of[group[k]] = &row[k];
        if (partner[k] >= 0)
            of[1] = &row[partner[k]];
        name_pair(row[k].patient, word[group[k]], name);
        put_field(t.to, name);
        for (int g = 0; g < 2; g++) {
            put_run(t.to, of[g]);
            put_numbers(t.to, &c, of[g]);
        }
        fputc('\n', t.to);
    }
    rc = file_text_write(&t, OK, path);
cleanup:
    columns_free(&c);
    return rc;
}

static void print_unfed_branches(int n, const results_row *row) {
    for (int k = 0; k < n; k++)
        if (row[k].unfed[0])
            printf("%s: branches that the segmentation left out, so no flow is computed in them: %s\n", row[k].patient,
                   row[k].unfed);
}

/* Prints the command line settings of the results, which are not in the case. */
static void print_settings(int n, const results_row *row) {
    bool same = true;
    for (int k = 1; k < n; k++)
        same = same && strcmp(row[k].settings, row[0].settings) == 0;
    for (int k = 0; k < (same ? 1 : n); k++)
        if (row[k].settings[0])
            printf("%s: computed with %s\n", same && n > 1 ? "all" : row[k].patient, row[k].settings);
}

/* Names patients whose folders have equal names by their paths. name: [n] scratch. */
static void name_by_path(int n, const char *const *dir, results_row *row, char (*name)[ROW_TEXT]) {
    for (int k = 0; k < n; k++)
        snprintf(name[k], ROW_TEXT, "%s", row[k].patient);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            if (i != k && strcmp(name[i], name[k]) == 0)
                snprintf(row[k].patient, sizeof row[k].patient, "%.*s", ROW_TEXT - 1, dir[k]);
}

int table_show(int n, const char *const *given, const char *csv_path, const char *groups) {
    results_row *row = calloc((size_t)n, sizeof *row);
    int *group = calloc(2 * (size_t)n, sizeof *group), *partner = group + n;
    char worst[ROW_TEXT] = "", word[2][STATISTICS_WORD] = {"", ""},
         (*label)[ROW_TEXT] = calloc((size_t)n, sizeof *label);
    const char **first = calloc((size_t)n, sizeof *first); // NOLINT(bugprone-sizeof-expression)
    const char **dir = calloc((size_t)n, sizeof *dir);     // NOLINT(bugprone-sizeof-expression)
    int rc = row && label && first && group && dir ? OK : fail_memory("the table", (double)n * sizeof *row), bad = OK,
        n_row = 0;
    TRY(rc);
    n = many_unique(n, given, dir);
    if (groups) { /* check the groups before the files are read */
        TRY(statistics_read_words(groups, word));
        TRY(statistics_pair(n, dir, groups, group, partner));
    }
    n_row = n;
    for (int k = 0; k < n; k++) {
        const int one = results_row_read(dir[k], NULL, &row[k]);
        if (one == OK)
            continue;
        if (one > bad)
            snprintf(worst, sizeof worst, "%.*s", ROW_TEXT - 1, status_message());
        bad = one > bad ? one : bad;
        status_clear();
        row[k].unusable = "";
        snprintf(row[k].patient, sizeof row[k].patient, "%.*s", ROW_TEXT - 1, dir[k]);
        snprintf(row[k].state, sizeof row[k].state, "cannot be read");
    }
    if (!groups)
        name_by_path(n, dir, row, label);
    for (int k = 0; k < n; k++) { /* patients of two groups may have equal names */
        const char *group_word = groups && !strstr(row[k].patient, word[group[k]]) ? word[group[k]] : "";
        snprintf(label[k], ROW_TEXT, "%.*s%s%s", ROW_TEXT - STATISTICS_WORD - 2, row[k].patient, *group_word ? " " : "",
                 group_word);
        first[k] = label[k];
    }
    TRY(table_print(n, row, "patient", first));
    print_settings(n, row);
    print_unfed_branches(n, row);
    TRY(statistics_print(n, row, groups ? group : NULL, partner, (const char(*)[STATISTICS_WORD])word));
    if (csv_path && groups)
        TRY(write_pairs(n, row, group, partner, (const char(*)[STATISTICS_WORD])word, csv_path));
    else if (csv_path)
        TRY(table_write(n, row, "patient", NULL, csv_path));
    if (bad != OK)
        rc = fail(bad, "%s", worst);
cleanup:
    for (int k = 0; k < n_row; k++)
        results_row_free(&row[k]);
    free(row);
    free(label);
    free(first);
    free(dir);
    free(group);
    return rc;
}
