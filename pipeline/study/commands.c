/* See commands.h. */
#include "pipeline/study/commands.h"
#include "common/base/message.h"
#include "common/cli/options.h"
#include "common/base/status.h"
#include "common/case/case.h"
#include "pipeline/run/process.h"
#include "pipeline/run/stages.h"
#include "pipeline/study/many.h"
#include "pipeline/study/sweep.h"
#include "pipeline/study/table.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int commands_folders(const options_program *program, int argc, char **argv, int least, int most, const char **dir,
                     int *n, bool *done) {
    *n = 0;
    *done = false;
    const int rc = options_parse(program, argc, argv, dir, most, n, done);
    message_init("pipeline", options_verbose());
    if (rc != OK || *done || *n >= least)
        return rc;
    return fail(ERR_USAGE, "'%s' needs %s (see '%s --help')", program->name,
                least > 1 ? "two patients' folders" : "a patient's folder", program->name);
}

int command_table(int argc, char **argv) {
    static const char *dir[STUDY_DIRS];
    const char *csv = NULL;
    int n;
    bool done;
    const options_entry table[] = {
        {"csv", 0, OPTION_TEXT, &csv, "FILE", "all numbers as CSV, with their intervals", .required = false}, {0}};
    const options_program program = {"pipeline table", "DIR.. [--csv FILE]",
                                     "One row a patient: state, what to be wary of, pressure drops, gradient, wall "
                                     "shear stress, flows and pressures. "
                                     "Runs nothing.",
                                     table, "pipeline table patients/* --csv study.csv"};
    const int rc = commands_folders(&program, argc, argv, 1, STUDY_DIRS, dir, &n, &done);
    return rc != OK || done ? rc : table_show(n, dir, csv);
}

int command_compare(int argc, char **argv) {
    const char *dir[2], *html = NULL;
    int n;
    bool done;
    const options_entry table[] = {{"html", 0, OPTION_TEXT, &html, "FILE",
                                    "also a page with the differences and both reports side by side",
                                    .required = false},
                                   {0}};
    const options_program program = {"pipeline compare", "A B [--html FILE]",
                                     "The numbers of two patients' folders, the same patient before and after, with "
                                     "their differences (B minus A) and "
                                     "the intervals of these.",
                                     table, "pipeline compare before after --html before-after.html"};
    const int rc = commands_folders(&program, argc, argv, 2, 2, dir, &n, &done);
    return rc != OK || done ? rc : table_compare(dir[0], dir[1], html);
}

enum { COMMON_MAX = 16 + 2 * OPTIONS_LIST_MAX };

static int add_common(const run_options *o, const char *common[COMMON_MAX], char threads[16]) {
    int n = 0;
    if (o->device) {
        common[n++] = "--device";
        common[n++] = o->device;
    }
    if (o->threads > 0) {
        snprintf(threads, 16, "%d", o->threads);
        common[n++] = "--threads";
        common[n++] = threads;
    }
    common[n] = NULL;
    return n;
}

/* Processors are shared out. */
static int threads_each(int threads, int jobs) {
    return threads / jobs > 1 ? threads / jobs : 1;
}

int command_sweep(int argc, char **argv) {
    const char *dir[1], *common[COMMON_MAX];
    char threads[16];
    int n, jobs = 1, device = 0;
    bool done;
    static const char *const device_name[] = {"auto", "cpu", "cuda"};
    options_list set = {0};
    const options_entry table[] = {
        {"set", 0, OPTION_LIST, &set, "KEY=VALUE", "a key of the case and its values, 'v1, v2, ..'", .required = true},
        {"jobs", 'j', OPTION_INT, &jobs, "N", "how many run at the same time", .low = 1, .high = 64},
        {"device", 'd', OPTION_CHOICE, &device, "auto|cpu|cuda", "where solve computes", .required = false},
        {0}};
    const options_program program = {"pipeline sweep", "DIR --set KEY='v1, v2, ..' [--set ..] [--jobs N]",
                                     "The case with each of several values (of several keys: every combination), in "
                                     "DIR/sweep/01, 02, .. Stages that "
                                     "do not change are computed once. A table, and curves over the values of one key.",
                                     table, "pipeline sweep patient_dir --set blood.viscosity='3, 3.5, 4 mPa s'"};
    const int rc = commands_folders(&program, argc, argv, 1, 1, dir, &n, &done);
    if (rc != OK || done)
        return rc;
    const run_options o = {.device = device_name[device], .threads = threads_each(options_threads(), jobs)};
    add_common(&o, common, threads);
    return sweep_run(dir[0], &set, common, jobs);
}

/* Those of `dir` that are not a folder named before, by another path perhaps; *kept of them. */
static void take_once(int n, const char *const *dir, many_one *one, int *kept) {
    *kept = 0;
    for (int k = 0; k < n; k++) {
        struct stat this, other;
        bool known = false;
        const bool there = stat(dir[k], &this) == 0;
        for (int m = 0; m < *kept && there && !known; m++)
            known = stat(one[m].dir, &other) == 0 && other.st_dev == this.st_dev && other.st_ino == this.st_ino;
        if (!known)
            one[(*kept)++].dir = dir[k];
    }
}

int commands_run_many(int n, const char *const *dir, const run_options *o, int jobs) {
    const char *common[COMMON_MAX];
    char threads[16];
    run_options each = *o;
    each.threads = threads_each(o->threads, jobs < n ? jobs : n);
    int used = add_common(&each, common, threads);
    many_one *one = calloc((size_t)n, sizeof *one);
    if (!one)
        return fail_memory("the patients", (double)n * sizeof *one);
    common[used++] = "--from";
    common[used++] = stages_table[o->from].name;
    common[used++] = "--to";
    common[used++] = stages_table[o->to].name;
    if (o->force)
        common[used++] = "--force";
    for (int k = 0; k < o->set.n; k++) {
        common[used++] = "--set";
        common[used++] = o->set.word[k];
    }
    common[used] = NULL;
    take_once(n, dir, one, &n);
    const int rc = many_run(n, one, common, jobs, o->quiet);
    free(one);
    return rc;
}
