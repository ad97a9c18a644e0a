/* pipeline: the stages from an image to a report, as processes. Each command is a line in the table below. */
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/cli/spelling.h"
#include "common/cli/options.h"
#include "common/base/status.h"
#include "common/case/case.h"
#include "pipeline/flow/flow.h"
#include "pipeline/check/check.h"
#include "pipeline/init/init.h"
#include "pipeline/run/process.h"
#include "pipeline/run/run_patient.h"
#include "pipeline/run/stages.h"
#include "pipeline/run/stage_state.h"
#include "pipeline/study/many.h"
#include "pipeline/study/sweep.h"
#include "pipeline/study/table.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { WORDS_MAX = 64, DIRS_MAX = 1000 };
static const char stage_choice[] = "segment|mesh|solve|post";
static const char *const device_name[] = {"auto", "cpu", "cuda"};

static const options_entry no_options[] = {{0}};
static const options_program program_all = {
    "pipeline", "COMMAND [options]",
    "From a patient's image to pressures, wall shear stress and a report, stage by stage.\n"
    "  pipeline init DIR        a page to click seeds and openings, and a case.yaml to fill in\n"
    "  pipeline flow            the flow over the cycle from phase-contrast MRI\n"
    "  pipeline check DIR       read everything, run nothing, list every problem\n"
    "  pipeline run DIR         run the stages that are not up to date\n"
    "  pipeline status DIR      which stage is done, running, stale or missing, and why\n"
    "  pipeline table DIR..     one row a patient, --csv for a spreadsheet\n"
    "  pipeline compare A B     before and after: the differences\n"
    "  pipeline sweep DIR       the case with each of several values\n"
    "  pipeline reproduce NAME  papers' tables and figures, ours beside theirs\n"
    "Each has its own --help.",
    no_options, "pipeline run patient_dir"};

/* The options and the folders of a command, `least` to `most` into dir[most]; done: help was asked for and shown. */
static int parse_folders(const options_program *program, int argc, char **argv, int least, int most, const char **dir,
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

/* The one word DIR of a command. */
static int parse_one_folder(const options_program *program, int argc, char **argv, const char **dir, bool *done) {
    int n;
    return parse_folders(program, argc, argv, 1, 1, dir, &n, done);
}

static int command_init(int argc, char **argv) {
    const char *image = NULL, *series = NULL, *dir = NULL;
    const options_entry table[] = {{"image", 'i', OPTION_TEXT, &image, "PATH",
                                    "the image to name in the case (default: what is in DIR)", .required = false},
                                   {"series", 's', OPTION_TEXT, &series, "WORDS",
                                    "of a DICOM folder with several: words of its description, or its UID",
                                    .required = false},
                                   {0}};
    const options_program program = {
        "pipeline init", "DIR [--image PATH] [--series WORDS]",
        "Look at what is in DIR (images, masks, surfaces, waveforms) and write a commented case.yaml to fill in; "
        "with an image or a mask also setup.html, a page to set the case up by clicking. DIR is created when it does "
        "not exist; "
        "an existing case.yaml is never changed.",
        table, "pipeline init patient_dir --image patient_dir/images/portal.nii.gz"};
    bool done = false;
    int rc = parse_one_folder(&program, argc, argv, &dir, &done);
    return rc != OK || done ? rc : init_patient(dir, image, series);
}

#define FAST_OPTION(on)                                                                                                \
    {                                                                                                                  \
        "fast", 0, OPTION_FLAG, on, NULL,                                                                              \
            "on one lattice, whatever the case says (--set mesh.ladder=1): no number gets an interval",                \
            .required = false                                                                                          \
    }

static int set_fast(options_list *set) {
    for (int k = 0; k < set->n; k++)
        if (strncmp(set->word[k], "mesh.ladder=", 12) == 0)
            return fail(ERR_USAGE, "--fast and --set %s: give one of them", set->word[k]);
    if (set->n == OPTIONS_LIST_MAX)
        return fail(ERR_USAGE, "--fast: there are %d --set already, no more are possible", set->n);
    set->word[set->n++] = PATIENT_FAST;
    return OK;
}

static int command_check(int argc, char **argv) {
    const char *dir = NULL;
    options_list set = {0};
    bool picture = false, fast = false;
    const options_entry table[] = {{"picture", 0, OPTION_FLAG, &picture, NULL,
                                    "also DIR/check.html: the points, openings and sections of the case in its image",
                                    .required = false},
                                   FAST_OPTION(&fast),
                                   CASE_SET_OPTION(&set),
                                   {0}};
    const options_program program = {
        "pipeline check", "DIR [--picture] [--fast] [--set KEY=VALUE]",
        "Read the case and every file it names, run nothing, and list every problem with its place "
        "and a remedy.",
        table, "pipeline check patient_dir"};
    bool done = false;
    int rc = parse_one_folder(&program, argc, argv, &dir, &done);
    if (rc == OK && !done && fast)
        rc = set_fast(&set);
    return rc != OK || done ? rc : check_patient(dir, &set, picture);
}

static int command_status(int argc, char **argv) {
    const char *dir = NULL;
    options_list set = {0};
    bool fast = false;
    const options_entry table[] = {FAST_OPTION(&fast), CASE_SET_OPTION(&set), {0}};
    const options_program program = {"pipeline status", "DIR [--fast] [--set KEY=VALUE]",
                                     "Show for each stage whether it is done, stale or missing, and why.", table,
                                     "pipeline status patient_dir"};
    bool done = false;
    int rc = parse_one_folder(&program, argc, argv, &dir, &done);
    if (rc == OK && !done && fast)
        rc = set_fast(&set);
    return rc != OK || done ? rc : stage_state_show(dir, &set);
}

static int command_run(int argc, char **argv) {
    int from = STAGE_SEGMENT, to = STAGE_POST, device = 0;
    bool force = false, fast = false, done = false;
    static const char *dir[DIRS_MAX];
    int n = 0, jobs = 1;
    run_options o = {0};
    const options_entry table[] = {
        {"from", 0, OPTION_CHOICE, &from, stage_choice,
         "first stage; the results of earlier stages are used as they are", .required = false},
        {"to", 0, OPTION_CHOICE, &to, stage_choice, "last stage", .required = false},
        {"force", 'f', OPTION_FLAG, &force, NULL,
         "run the stages even when they are up to date, each from its beginning", .required = false},
        {"device", 'd', OPTION_CHOICE, &device, "auto|cpu|cuda", "where segment and solve compute", .required = false},
        {"ranks", 0, OPTION_INT, &o.ranks, "N", "solve on N ranks by mpirun (default: one process)", .low = 1,
         .high = 4096},
        {"jobs", 'j', OPTION_INT, &jobs, "N", "with several folders: how many run at the same time", .low = 1,
         .high = 64},
        {"quiet", 'q', OPTION_FLAG, &o.quiet, NULL, "messages of the stages go to their logs only; no summary",
         .required = false},
        FAST_OPTION(&fast),
        CASE_SET_OPTION(&o.set),
        {0}};
    const options_program program = {
        "pipeline run",
        "DIR.. [--from S] [--to S] [--fast] [--set KEY=VALUE] [--force] [--device auto|cpu|cuda] [--threads N]",
        "Run the stages in their order. A stage whose inputs, part of the case and "
        "program have not changed is skipped; "
        "a run that was stopped continues where it stopped. Everything it writes is in "
        "DIR/out, one log per stage in DIR/out/log. Of several folders one that fails does not stop the others; the "
        "exit "
        "code is the largest of all.",
        table, "pipeline run patient_dir"};
    int rc = parse_folders(&program, argc, argv, 1, DIRS_MAX, dir, &n, &done);
    if (rc != OK || done)
        return rc;
    if (from > to)
        return fail(ERR_USAGE, "--from %s comes after --to %s", stages_table[from].name, stages_table[to].name);
    if (fast && (rc = set_fast(&o.set)) != OK)
        return rc;
    o.from = from;
    o.to = to;
    o.force = force;
    o.device = device_name[device];
    o.threads = options_threads();
    o.verbose = options_verbose();
    return n == 1 ? run_patient(dir[0], &o) : many_run_patients(n, dir, &o, jobs);
}

static int command_table(int argc, char **argv) {
    static const char *dir[DIRS_MAX];
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
    const int rc = parse_folders(&program, argc, argv, 1, DIRS_MAX, dir, &n, &done);
    return rc != OK || done ? rc : table_show(n, dir, csv);
}

static int command_compare(int argc, char **argv) {
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
    const int rc = parse_folders(&program, argc, argv, 2, 2, dir, &n, &done);
    return rc != OK || done ? rc : table_compare(dir[0], dir[1], html);
}

static int command_sweep(int argc, char **argv) {
    const char *dir[1], *common[MANY_OPTIONS];
    char threads[16];
    int n, jobs = 1, device = 0;
    bool done;
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
    const int rc = parse_folders(&program, argc, argv, 1, 1, dir, &n, &done);
    if (rc != OK || done)
        return rc;
    const run_options o = {.device = device_name[device], .threads = many_threads_per_job(options_threads(), jobs)};
    many_add_options(&o, common, threads);
    return sweep_run(dir[0], &set, common, jobs);
}

/* The laboratory is a program of its own: it takes the words as they are. */
static int command_reproduce(int argc, char **argv) {
    char program[FILE_PATH_MAX];
    (void)argc;
    const int rc = process_program("pipeline-reproduce", program, sizeof program);
    if (rc != OK)
        return rc;
    if (!file_exists(program))
        return fail(ERR_RESOURCE, "the program '%s' is missing: it was left out of this build (cmake says why)",
                    program);
    execv(program, argv);
    return fail(ERR_RESOURCE, "cannot run '%s': %s", program, strerror(errno));
}

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} commands[] = {{"init", command_init},       {"flow", command_flow},     {"check", command_check},
                {"run", command_run},         {"status", command_status}, {"table", command_table},
                {"compare", command_compare}, {"sweep", command_sweep},   {"reproduce", command_reproduce}};
enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static int fail_unknown_command(const char *word, const char *const names[COMMAND_COUNT]) {
    char all[200] = "";
    const char *near = word ? spelling_nearest_word(word, names, COMMAND_COUNT) : NULL;
    if (near)
        return fail(ERR_USAGE, "there is no command '%s'; did you mean '%s'? (see 'pipeline --help')", word, near);
    for (int k = 0; k < COMMAND_COUNT; k++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", k == 0 ? "" : ", ", names[k]);
    if (word)
        return fail(ERR_USAGE, "there is no command '%s'; the commands are %s (see 'pipeline --help')", word, all);
    return fail(ERR_USAGE, "name a command: %s (see 'pipeline --help')", all);
}

static int dispatch_command(int argc, char **argv) {
    const char *names[COMMAND_COUNT];
    for (int k = 0; k < COMMAND_COUNT; k++) {
        names[k] = commands[k].name;
        if (argc > 1 && strcmp(argv[1], names[k]) == 0)
            return commands[k].run(argc - 1, argv + 1);
    }
    if (argc > 1 && argv[1][0] == '-') {
        bool done = false;
        int rc = options_parse(&program_all, argc, argv, NULL, 0, NULL, &done);
        if (rc != OK || done)
            return rc;
    }
    return fail_unknown_command(argc > 1 && argv[1][0] != '-' ? argv[1] : NULL, names);
}

int main(int argc, char **argv) {
    options_command_first(argc, argv);
    int rc = status_finish("pipeline", dispatch_command(argc, argv));
    process_die_if_interrupted();
    return rc;
}
