/* SPDX-License-Identifier: Apache-2.0 */
/* pipeline: runs the stages from an image to a report as processes. Each command is a line in the table below. */
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/cli/spelling.h"
#include "common/cli/options.h"
#include "common/base/status.h"
#include "common/case/case.h"
#include "common/surface/surface.h"
#include "pipeline/export/export.h"
#include "pipeline/flow/flow.h"
#include "pipeline/check/check.h"
#include "pipeline/init/demo.h"
#include "pipeline/init/init.h"
#include "pipeline/measure/measure.h"
#include "pipeline/run/process.h"
#include "pipeline/run/run_patient.h"
#include "pipeline/run/stages.h"
#include "pipeline/run/stage_state.h"
#include "pipeline/study/many.h"
#include "pipeline/study/sweep.h"
#include "pipeline/study/table.h"
#include "pipeline/study/validate.h"
#include "pipeline/treat/treat.h"
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
    "  pipeline init DIR        write setup.html to place seeds and openings, and a case.yaml to fill in\n"
    "  pipeline demo DIR        a synthetic patient, from its image to the report\n"
    "  pipeline flow            flow over the cycle from phase-contrast MRI\n"
    "  pipeline measure DIR     centerlines, diameters, stenosis, lengths and angles; no flow\n"
    "  pipeline check DIR       list every problem of the case, run nothing\n"
    "  pipeline run DIR         run the stages that are not up to date\n"
    "  pipeline status DIR      which stage is done, running, stale or missing, and why\n"
    "  pipeline table DIR..     one row per patient, --csv for a spreadsheet\n"
    "  pipeline compare A B     differences between two patients, or before and after\n"
    "  pipeline validate FILE   computed pressure gradients against measured ones\n"
    "  pipeline treat DIR       the case after a stent, a dilatation, a shunt or a closed branch\n"
    "  pipeline sweep DIR       the case with each of several values\n"
    "  pipeline export DIR      results as DICOM objects, or as an archive without the patient\n"
    "  pipeline reproduce NAME  published tables and figures, next to our results\n"
    "Each has its own --help.",
    no_options, "pipeline run patient_dir"};

/* Parses the options and folders of a command.
 *   least, most  smallest and largest number of folders
 *   dir          [most] out
 *   *done        out: help was requested and printed */
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

/* Parses a command with one folder. */
static int parse_one_folder(const options_program *program, int argc, char **argv, const char **dir, bool *done) {
    int n;
    return parse_folders(program, argc, argv, 1, 1, dir, &n, done);
}

static int command_init(int argc, char **argv) {
    const char *image = NULL, *series = NULL, *dir = NULL;
    const options_entry table[] = {{"image", 'i', OPTION_TEXT, &image, "PATH",
                                    "image for the case (default: the first one found in DIR)", .required = false},
                                   {"series", 's', OPTION_TEXT, &series, "WORDS",
                                    "series of a DICOM folder with several: its UID, or words of its description",
                                    .required = false},
                                   {0}};
    const options_program program = {
        "pipeline init", "DIR [--image PATH] [--series WORDS]",
        "Find images, masks, surfaces and waveforms in DIR and write a commented case.yaml to fill in; with an image "
        "or a mask also setup.html, a page to set up the case by clicking. DIR is created if it does not exist; an "
        "existing case.yaml is never changed.",
        table, "pipeline init patient_dir --image patient_dir/images/portal.nii.gz"};
    bool done = false;
    int rc = parse_one_folder(&program, argc, argv, &dir, &done);
    return rc != OK || done ? rc : init_patient(dir, image, series);
}

#define FAST_OPTION(on)                                                                                                \
    {                                                                                                                  \
        "fast", 0, OPTION_FLAG, on, NULL,                                                                              \
            "first look (mesh.fast: true): steady flow, with the means of waveforms, on the coarsest usable lattice, " \
            "not finer than in the case; results have no intervals of the lattice. mesh.spacing, "                     \
            "mesh.cells_per_diameter or solve.mode=pulsatile in --set takes precedence",                               \
            .required = false                                                                                          \
    }

static int set_fast(options_list *set) {
    for (int k = 0; k < set->n; k++)
        if (strncmp(set->word[k], "mesh.grid_levels=", strlen("mesh.grid_levels=")) == 0)
            return fail(ERR_USAGE, "--fast and --set %s contradict each other; give only one of them", set->word[k]);
    if (set->n == OPTIONS_LIST_MAX)
        return fail(ERR_USAGE, "--fast takes the place of one --set, and %d, the limit, are already given; remove one",
                    set->n);
    set->word[set->n++] = PATIENT_FAST;
    return OK;
}

static int command_demo(int argc, char **argv) {
    int device = 0;
    const char *dir = NULL;
    bool fast = false, done = false;
    run_options o = {.from = STAGE_SEGMENT, .to = STAGE_POST};
    const options_entry table[] = {
        {"device", 'd', OPTION_CHOICE, &device, "auto|cpu|cuda", "where segment and solve compute", .required = false},
        FAST_OPTION(&fast),
        {0}};
    const options_program program = {
        "pipeline demo", "DIR [--fast] [--device auto|cpu|cuda] [--threads N]",
        "Draw the MR image of a synthetic portal vein into DIR, put its case.yaml there and run all stages. DIR is "
        "created if it does not exist. The same command continues a stopped demo.",
        table, "pipeline demo portal-demo"};
    int rc = parse_one_folder(&program, argc, argv, &dir, &done);
    if (rc != OK || done || (fast && (rc = set_fast(&o.set)) != OK))
        return rc;
    o.device = device_name[device];
    o.threads = options_threads();
    o.verbose = options_verbose();
    return demo_run(dir, &o);
}

static int command_check(int argc, char **argv) {
    const char *dir = NULL;
    options_list set = {0};
    bool picture = false, fast = false;
    const options_entry table[] = {{"picture", 0, OPTION_FLAG, &picture, NULL,
                                    "also write DIR/check.html: points, openings and sections of the case in its image",
                                    .required = false},
                                   FAST_OPTION(&fast),
                                   CASE_SET_OPTION(&set),
                                   {0}};
    const options_program program = {
        "pipeline check", "DIR [--picture] [--fast] [--set KEY=VALUE]",
        "Read the case and every file it names, run nothing, and list every problem with its place and a remedy.",
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
        {"force", 'f', OPTION_FLAG, &force, NULL, "run the stages even if they are up to date, each from its beginning",
         .required = false},
        {"device", 'd', OPTION_CHOICE, &device, "auto|cpu|cuda", "where segment and solve compute", .required = false},
        {"ranks", 0, OPTION_INT, &o.ranks, "N", "solve on N ranks by mpirun (default: one process)", .low = 1,
         .high = 4096},
        {"jobs", 'j', OPTION_INT, &jobs, "N", "with several folders: number of runs at the same time", .low = 1,
         .high = 64},
        {"quiet", 'q', OPTION_FLAG, &o.quiet, NULL, "messages of the stages go to their logs only; no summary",
         .required = false},
        FAST_OPTION(&fast),
        CASE_SET_OPTION(&o.set),
        {0}};
    const options_program program = {
        "pipeline run",
        "DIR.. [--from S] [--to S] [--fast] [--set KEY=VALUE] [--force] [--device auto|cpu|cuda] [--threads N]",
        "Run the stages in order. A stage is skipped if its inputs, its part of the case and its program have not "
        "changed; a stopped run continues where it stopped. All results are in DIR/out, one log per stage in "
        "DIR/out/log. With several folders a failure does not stop the others; the exit code is the largest of all.",
        table, "pipeline run patient_dir"};
    int rc = parse_folders(&program, argc, argv, 1, DIRS_MAX, dir, &n, &done);
    if (rc != OK || done)
        return rc;
    if (from > to)
        return fail(ERR_USAGE, "stage %s (--from) runs after stage %s (--to); exchange the two",
                    stages_table[from].name, stages_table[to].name);
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
    const char *csv = NULL, *groups = NULL;
    int n;
    bool done;
    const options_entry table[] = {{"csv", 0, OPTION_TEXT, &csv, "FILE",
                                    "all numbers as CSV, a row per patient, with their intervals", .required = false},
                                   {"groups", 0, OPTION_TEXT, &groups, "A,B",
                                    "paired t test of two groups: words in the paths of the folders, which otherwise "
                                    "agree; the CSV has one row a patient",
                                    .required = false},
                                   {0}};
    const options_program program = {"pipeline table", "DIR.. [--csv FILE] [--groups A,B]",
                                     "One row per patient: state, flags to check, pressure drops, pressure gradient, "
                                     "wall shear stress, diameters, flows and pressures; mean and standard deviation "
                                     "over the patients. Runs nothing.",
                                     table, "pipeline table patients/* --csv study.csv"};
    const int rc = parse_folders(&program, argc, argv, 1, DIRS_MAX, dir, &n, &done);
    return rc != OK || done ? rc : table_show(n, dir, csv, groups);
}

static int command_validate(int argc, char **argv) {
    const char *file = NULL, *html = NULL;
    int n = 0;
    bool done = false, calibrate = false;
    const options_entry table[] = {{"calibrate", 0, OPTION_FLAG, &calibrate, NULL,
                                    "fit one factor of the liver's resistance to the 1st, 3rd, .. patient (median "
                                    "ratio) and test it on the 2nd, 4th, ..; at least 6 each",
                                    .required = false},
                                   {"html", 0, OPTION_TEXT, &html, "FILE",
                                    "also a page with the numbers and the Bland-Altman plot", .required = false},
                                   {0}};
    const options_program program = {
        "pipeline validate", "COHORT.csv [--calibrate] [--html FILE]",
        "Computed portal pressure gradients against measured ones: bias, limits of agreement, correlation, ICC, area "
        "under the ROC curve at 10, 12 and 16 mmHg, and how often the 95 % interval holds the measured value. Columns "
        "of the file: patient (folder with results) or computed_mmhg and computed_uncertainty_mmhg; measured_mmhg; "
        "optional measured_uncertainty_mmhg, liver_mmhg (the part of computed_mmhg that the liver model gives; without "
        "it all) and permeability_m2. Runs nothing.",
        table, "pipeline validate catheter.csv --html agreement.html"};
    const int rc = options_parse(&program, argc, argv, &file, 1, &n, &done);
    message_init("pipeline", options_verbose());
    if (rc != OK || done)
        return rc;
    return n == 1 ? validate_cohort(file, calibrate, html)
                  : fail(ERR_USAGE, "'pipeline validate' needs a CSV file (see 'pipeline validate --help')");
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
                                     "The numbers of two patients' folders, or of one patient before and after, with "
                                     "their differences (B minus A) and intervals.",
                                     table, "pipeline compare before after --html before-after.html"};
    const int rc = parse_folders(&program, argc, argv, 2, 2, dir, &n, &done);
    return rc != OK || done ? rc : table_compare(dir[0], dir[1], html);
}

static int command_sweep(int argc, char **argv) {
    const char *dir[1], *common[MANY_OPTIONS];
    char threads[16];
    int n, jobs = 1, device = 0;
    bool done, fast = false;
    options_list set = {0};
    const options_entry table[] = {
        {"set", 0, OPTION_LIST, &set, "KEY=VALUE", "a key of the case and its values, 'v1, v2, ..'", .required = true},
        FAST_OPTION(&fast),
        {"jobs", 'j', OPTION_INT, &jobs, "N", "number of runs at the same time", .low = 1, .high = 64},
        {"device", 'd', OPTION_CHOICE, &device, "auto|cpu|cuda", "where solve computes", .required = false},
        {0}};
    const options_program program = {
        "pipeline sweep", "DIR --set KEY='v1, v2, ..' [--set ..] [--fast] [--jobs N]",
        "The case with each of several values (with several keys: every combination), in DIR/sweep/01, 02, .. Stages "
        "that do not change are computed once. Prints a table and draws curves over the values of one key.",
        table, "pipeline sweep patient_dir --set blood.viscosity='3, 3.5, 4 mPa s'"};
    int rc = parse_folders(&program, argc, argv, 1, 1, dir, &n, &done);
    if (rc == OK && !done && fast)
        rc = set_fast(&set);
    if (rc != OK || done)
        return rc;
    const run_options o = {.device = device_name[device], .threads = many_threads_per_job(options_threads(), jobs)};
    many_add_options(&o, common, threads);
    return sweep_run(dir[0], &set, common, jobs);
}

static int command_measure(int argc, char **argv) {
    static const char *const frames[] = {"file", "RAS", "LPS"}, *const units[] = {"mm", "cm", "m", "in", "um"};
    const char *path = NULL;
    int unit = 0, frame = 0;
    bool done = false;
    measure_options o = {0};
    const options_entry table[] = {
        {"out", 0, OPTION_TEXT, &o.out, "FOLDER",
         "folder of the results (default: DIR/out/measure; with FILE: the folder 'measure' next to FILE)",
         .required = false},
        {"labels", 0, OPTION_TEXT, &o.labels, "1,2",
         "labels of the vessel in a mask (default: chosen by name or shape)", .required = false},
        {"unit", 0, OPTION_CHOICE, &unit, SURFACE_UNITS, "unit of a surface (default: mm)", .required = false},
        {"frame", 0, OPTION_CHOICE, &frame, "file|RAS|LPS",
         "frame of a surface (default: as stated in the file, else LPS)", .required = false},
        {"all-ends", 0, OPTION_FLAG, &o.all_ends, NULL, "measure to every end, not only to the openings of the case",
         .required = false},
        {0}};
    const options_program program = {
        "pipeline measure", "DIR|FILE [--out FOLDER] [--labels 1,2] [--all-ends]",
        "Measures a vessel without computing a flow: centerlines (VTP, CSV) and for each branch length, diameters, "
        "areas, stenosis, tortuosity, curvature and angles, with the intervals from the uncertainty of the wall. DIR: "
        "a patient's folder, which is segmented first if it has a case.yaml. FILE: a mask, label map or surface.",
        table, "pipeline measure patient_dir/images/mask.nii.gz"};
    const int rc = parse_one_folder(&program, argc, argv, &path, &done);
    if (rc != OK || done)
        return rc;
    o.unit = unit > 0 ? units[unit] : NULL;
    o.frame = frame > 0 ? frames[frame] : NULL;
    o.threads = options_threads();
    return measure_patient(path, &o);
}

static int command_export(int argc, char **argv) {
    const char *dir = NULL, *dicom = NULL, *pdf = NULL, *archive = NULL;
    options_list set = {0};
    bool anonymous = false, fast = false, done = false;
    const options_entry table[] = {
        {"dicom", 0, OPTION_TEXT, &dicom, "OUT_DIR",
         "write readouts and pictures as secondary captures and as a PDF, and the lumen as segmentation, in new series "
         "of the image's study",
         .required = false},
        {"pdf", 0, OPTION_TEXT, &pdf, "FILE", "with --dicom: this PDF instead, such as the report printed by a browser",
         .required = false},
        {"anonymous", 0, OPTION_FLAG, &anonymous, NULL,
         "take nothing from the image's header: empty patient, new study; an archive is always anonymous",
         .required = false},
        {"archive", 0, OPTION_TEXT, &archive, "FILE",
         "write FILE.tar.gz for a colleague: lumen, lattice, flow, readouts and report with RO-Crate metadata, without "
         "the image and without names",
         .required = false},
        FAST_OPTION(&fast),
        CASE_SET_OPTION(&set),
        {0}};
    const options_program program = {
        "pipeline export",
        "DIR [--dicom OUT_DIR [--pdf FILE]] [--archive FILE] [--anonymous] [--fast] [--set KEY=VALUE]",
        "Write the results of a patient for others. Research software: not for clinical use; every DICOM object says "
        "so. The stages must be up to date. --fast and --set: as in their run, if one of them gave a path or a name; "
        "otherwise "
        "they are known from the results.",
        table, "pipeline export patient_dir --dicom patient_dir/dicom"};
    int rc = parse_one_folder(&program, argc, argv, &dir, &done);
    if (rc != OK || done)
        return rc;
    if (!dicom && !archive)
        return fail(ERR_USAGE, "give --dicom OUT_DIR or --archive FILE (see 'pipeline export --help')");
    if (!dicom && pdf)
        return fail(ERR_USAGE, "--pdf needs --dicom: an archive has the report");
    if (fast)
        TRY(set_fast(&set));
    if (dicom)
        TRY(export_dicom(dir, &set, dicom, pdf, anonymous));
    if (archive)
        TRY(export_archive(dir, &set, archive, options_threads()));
cleanup:
    return rc;
}

static int command_treat(int argc, char **argv) {
    treat_options o = {0};
    bool done = false;
    const options_entry table[] = {
        {"out", 0, OPTION_TEXT, &o.out, "DIR2", "folder of the case after the treatment", .required = true},
        {"plan", 0, OPTION_TEXT, &o.plan, "FILE", "the treatment (default: DIR/treat.yaml)", .required = false},
        {0}};
    const options_program program = {
        "pipeline treat", "DIR --out DIR2 [--plan FILE]",
        "Try a treatment on the computer: stent, dilatation, shunt, TIPS or closed branch. Writes the case after it "
        "into "
        "DIR2 and changes the lumen there; the image is not segmented again. Then: pipeline run DIR2, pipeline compare "
        "DIR DIR2. FILE holds the list treat, such as\n"
        "  treat:\n"
        "    - dilate: {branch: PV, from: 20 %, to: 60 %, diameter: 8 mm}\n"
        "    - close: {branch: LPV, at: 50 %}\n"
        "    - stent: {from: {branch: PV, at: 50 %}, to: [x, y, z], diameter: 10 mm,\n"
        "              opening: HV, pressure: 5 mmHg}\n"
        "  inflow: constant",
        table, "pipeline treat patient_dir --out treated_dir"};
    const int rc = parse_one_folder(&program, argc, argv, &o.dir, &done);
    if (rc != OK || done)
        return rc;
    o.threads = options_threads();
    return treat_patient(&o);
}

/* Runs the program pipeline-reproduce with the same arguments. */
static int command_reproduce(int argc, char **argv) {
    char program[FILE_PATH_MAX];
    (void)argc;
    const int rc = process_program("pipeline-reproduce", program, sizeof program);
    if (rc != OK)
        return rc;
    if (!file_exists(program))
        return fail(ERR_RESOURCE,
                    "the program '%s' is missing: it was not built (cmake prints the reason); install the complete "
                    "package, or build it",
                    program);
    execv(program, argv);
    return fail(ERR_RESOURCE, "cannot run '%s': %s", program, strerror(errno));
}

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} commands[] = {{"init", command_init},         {"demo", command_demo},          {"flow", command_flow},
                {"check", command_check},       {"measure", command_measure},    {"run", command_run},
                {"status", command_status},     {"table", command_table},        {"compare", command_compare},
                {"validate", command_validate}, {"treat", command_treat},        {"sweep", command_sweep},
                {"export", command_export},     {"reproduce", command_reproduce}};
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
    options_move_command_first(argc, argv);
    int rc = status_finish("pipeline", dispatch_command(argc, argv));
    process_die_if_interrupted();
    return rc;
}
