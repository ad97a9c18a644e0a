/* SPDX-License-Identifier: Apache-2.0 */
/* The table of studies is in studies.c. */
#include "pipeline/reproduce/reproduce.h"
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/cli/spelling.h"
#include "common/base/status.h"
#include "pipeline/reproduce/study.h"
#include "pipeline/run/stages.h"
#include "pipeline/run/process.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_MAX_LENGTH = 4096, STUDIES_MAX = 64, MISSED_MAX = 2048 };

/* Writes a duration such as "2 min", "3 hours" or "1 day"; "-" if it is negative. */
static void time_words(double minutes, char text[32]) {
    static const struct {
        double minutes;
        const char *one, *many;
    } unit[] = {{7 * 24 * 60, "week", "weeks"}, {24 * 60, "day", "days"}, {60, "hour", "hours"}, {1, "min", "min"}};
    snprintf(text, 32, "%s", minutes < 0 ? "-" : "below 1 min");
    for (int k = 3; k >= 0; k--)
        if (minutes >= 0.95 * unit[k].minutes) {
            const double n = round(minutes / unit[k].minutes);
            snprintf(text, 32, "%.0f %s", n, n > 1 ? unit[k].many : unit[k].one);
        }
}

/* Cost of a study at this scale as text. The cost is proportional to the fourth power of the scale, because the number
 * of cells grows with the third power and the number of steps with the first. */
static const char *cost_of(const study *i, double scale, char text[80]) {
    char cpu[32], gpu[32];
    time_words(i->cpu_min * pow(scale, 4), cpu);
    time_words(i->gpu_min * pow(scale, 4), gpu);
    if (i->unit_test)
        snprintf(text, 80, "unit test %s", i->unit_test);
    else if (i->cpu_min == 0)
        snprintf(text, 80, "minutes, or kept");
    else
        snprintf(text, 80, "%s / %s", cpu, gpu);
    return text;
}

static void list_items(double scale) {
    char head[64] = "cost: 2 CPU cores / GPU", cost[80];
    if (scale < 1)
        snprintf(head, sizeof head, "cost at scale %g: 2 CPU cores / GPU", scale);
    int width = (int)strlen(head);
    for (int k = 0; k < studies_count; k++)
        width = (int)fmax(width, (double)strlen(cost_of(&studies_table[k], scale, cost)));
    printf("%-26s  %-*s  %s\n", "item", width, head, "what");
    for (int k = 0; k < studies_count; k++) {
        const study *i = &studies_table[k];
        printf("%-26s  %-*s  %s\n%-26s  %-*s  from %s\n", i->name, width, cost_of(i, scale, cost), i->title, "", width,
               "", i->source);
        for (int n = 0; n < aliases_count; n++)
            if (strcmp(aliases_table[n].study, i->name) == 0)
                printf("  %-24s  %-*s  %s\n", aliases_table[n].name, width, "the same item", aliases_table[n].where);
    }
}

/* Finds a study by its name or by the name of a figure or table in it. */
static const study *find_study(const char *name) {
    for (int n = 0; n < aliases_count; n++)
        if (strcmp(aliases_table[n].name, name) == 0)
            name = aliases_table[n].study;
    for (int k = 0; k < studies_count; k++)
        if (strcmp(studies_table[k].name, name) == 0)
            return &studies_table[k];
    return NULL;
}

static int check_names(const reproduce_options *o) {
    const char *names[STUDIES_MAX];
    int n_name = 0;
    for (int k = 0; k < studies_count && n_name < STUDIES_MAX; k++)
        names[n_name++] = studies_table[k].name;
    for (int k = 0; k < aliases_count && n_name < STUDIES_MAX; k++)
        names[n_name++] = aliases_table[k].name;
    if (o->n_name == 0)
        return fail(ERR_USAGE, "name a study; list all studies with: pipeline reproduce --list");
    for (int k = 0; k < o->n_name; k++) {
        const study *i = find_study(o->name[k]);
        const char *near = i ? NULL : spelling_nearest_word(o->name[k], names, n_name);
        if (!i)
            return fail(ERR_USAGE, "there is no study '%s'%s%s%s (see 'pipeline reproduce --list')", o->name[k],
                        near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
        if (!i->run)
            return fail(ERR_USAGE, "'%s' is a unit test; run it in the build folder: ctest -R %s", i->name,
                        i->unit_test);
    }
    return OK;
}

/* The file name of a study: "verify:x" -> "verify-x". */
static void file_name_of(const study *i, char name[64]) {
    snprintf(name, 64, "%s", i->name);
    for (char *c = name; *c; c++)
        if (*c == ':')
            *c = '-';
}

static int run_study(const study *i, const reproduce_options *o, char missed[MISSED_MAX], int *n_missed) {
    char name[64], source[PATH_MAX_LENGTH], work[PATH_MAX_LENGTH], data[PATH_MAX_LENGTH];
    const char *folder = getenv("PORTAFLOW_REPRODUCE_DIR"); /* a folder with case files that replace the installed
                                                             * ones */
    results r;
    const run_options run = {.from = STAGE_SEGMENT,
                             .to = STAGE_POST,
                             .device = o->device,
                             .threads = o->threads > o->jobs ? o->threads / o->jobs : 1,
                             .verbose = o->verbose,
                             .quiet = true};
    const study_context x = {
        .name = i->name, .source = source, .work = work, .scale = o->scale, .run = &run, .jobs = o->jobs, .page = &r};
    int rc = OK;
    file_name_of(i, name);
    results_create(&r, o->out, name, i->title, i->source);
    if (!folder)
        TRY(process_data("reproduce", data, sizeof data));
    TRY(file_path(source, sizeof source, "%s/%s", folder ? folder : data, name));
    TRY(file_path(work, sizeof work, "%s/cases/%s", o->out, name));
    message_info("%s: %s", i->name, i->title);
    TRY(file_create_folder(work));
    results_text(&r, "`pipeline reproduce %s --scale %g`", i->name, o->scale);
    TRY(i->run(&x, &r));
    TRY(results_write(&r));
    if (r.n_checked > 0)
        printf("%s/%s.md: %d of %d criteria met\n", o->out, name, r.n_checked - r.n_missed, r.n_checked);
    else
        printf("%s/%s.md: a comparison without criteria\n", o->out, name);
    *n_missed += r.n_missed;
    size_t n = strlen(missed);
    if (r.n_missed > 0)
        snprintf(missed + n, MISSED_MAX - n, "%s%s: %s", n ? "; " : "", i->name, r.missed);
cleanup:
    results_free(&r);
    return rc;
}

/* Counts the criteria of a study in `out` and the criteria that are met; both 0 without criteria. Errors: as
 * study_table_read. */
static int count_criteria(const char *out, const char *name, int *n, int *met) {
    char file[80], path[PATH_MAX_LENGTH + 80];
    study_table t = {0};
    snprintf(file, sizeof file, "%s-criteria.csv", name);
    snprintf(path, sizeof path, "%s/%s", out, file);
    const int rc = file_exists(path) ? study_table_read(out, file, &t) : OK;
    *n = t.n_row;
    *met = 0;
    for (int k = 0; k < t.n_row; k++)
        *met += strcmp(study_table_word(&t, k, "outcome"), "met") == 0;
    study_table_free(&t);
    return rc;
}

/* Writes one row of the index: link, title, criteria met. */
static int write_index_row(FILE *to, const char *out, const study *i) {
    char path[PATH_MAX_LENGTH + 80], name[64], cost[80];
    int n, met;
    file_name_of(i, name);
    const int rc = count_criteria(out, name, &n, &met);
    snprintf(path, sizeof path, "%s/%s.md", out, name);
    if (!file_exists(path))
        fprintf(to, "`%s` | %s | %s\n", i->name, i->title, i->run ? "not computed" : cost_of(i, 1, cost));
    else if (n == 0)
        fprintf(to, "[`%s`](%s/%s.md) | %s | comparison\n", i->name, file_name(out), name, i->title);
    else
        fprintf(to, "[`%s`](%s/%s.md) | %s | %d/%d%s\n", i->name, file_name(out), name, i->title, met, n,
                met < n ? ", **see there**" : "");
    return rc;
}

/* Writes <out>.md, the index of all studies, in the order of the table. */
static int write_index(const char *out) {
    char path[PATH_MAX_LENGTH + 80];
    file_text text;
    int rc = file_text_open(&text, "the page");
    if (rc != OK)
        return rc;
    fprintf(text.to,
            "# Verification\n\nWritten by `pipeline reproduce`: one page per study. Limits of criteria were set "
            "before the results were known, unless\nthe page says otherwise.\n\nstudy | question | criteria "
            "met\n---|---|---\n");
    for (int k = 0; k < studies_count && rc == OK; k++)
        rc = write_index_row(text.to, out, &studies_table[k]);
    snprintf(path, sizeof path, "%s.md", out);
    return file_text_write(&text, rc, path);
}

int reproduce_items(const reproduce_options *o) {
    char missed[MISSED_MAX] = "";
    int n_missed = 0, rc = OK;
    if (o->list) {
        list_items(o->scale);
        return OK;
    }
    TRY(check_names(o));
    TRY(file_create_folder(o->out));
    for (int k = 0; k < o->n_name; k++) {
        bool again = false; /* true if an earlier name in the list means the same study */
        for (int before = 0; before < k; before++)
            again = again || find_study(o->name[before]) == find_study(o->name[k]);
        if (!again)
            TRY(run_study(find_study(o->name[k]), o, missed, &n_missed));
    }
    TRY(write_index(o->out));
    if (n_missed > 0)
        rc = fail(ERR_NUMERIC, "%d criteri%s missed: %s", n_missed, n_missed > 1 ? "a are" : "on is", missed);
cleanup:
    return rc;
}
