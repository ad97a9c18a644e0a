/* SPDX-License-Identifier: Apache-2.0 */
/* See measure.h. */
#include "pipeline/measure/measure.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "pipeline/inspect/patient_files.h"
#include "pipeline/run/patient.h"
#include "pipeline/run/process.h"
#include "pipeline/run/run_patient.h"
#include "pipeline/run/stages.h"
#include <stdio.h>
#include <stdlib.h>

enum { TABLE_LIMIT = 10 << 20 };

/* Arguments of `segment measure`. */
typedef struct {
    char of[PATIENT_PATH_MAX], out[PATIENT_PATH_MAX], case_path[PATIENT_PATH_MAX]; /* case_path is "" without a case */
} measure_input;

/* Finds the file to measure in a folder without a case: the first mask; without masks the first surface. */
static int find_file(const char *dir, measure_input *in) {
    patient_files *files = calloc(1, sizeof *files);
    int rc = OK;
    if (files == NULL)
        return fail_memory("the files of the folder", sizeof *files);
    TRY(patient_files_find(dir, files));
    const int kind = files->n[FILES_MASK] > 0 ? FILES_MASK : FILES_SURFACE;
    if (files->n[kind] == 0)
        GIVE_UP(fail(ERR_INPUT,
                     "'%s' has no case.yaml, no mask and no surface: set up the case with pipeline init, or give a "
                     "mask or a surface",
                     dir));
    TRY(patient_path(in->of, dir, files->name[kind][0]));
    if (files->n[kind] > 1)
        fprintf(stderr, "pipeline: measuring '%s', the first of %d; give one file to choose another\n",
                files->name[kind][0], files->n[kind]);
cleanup:
    free(files);
    return rc;
}

static int segment_case(const char *dir, const measure_options *o, measure_input *in) {
    const run_options run = {.from = STAGE_SEGMENT, .to = STAGE_SEGMENT, .threads = o->threads, .quiet = true};
    int rc = OK;
    TRY(run_patient(dir, &run));
    TRY(patient_path(in->of, dir, "out/segment"));
    if (!o->all_ends)
        TRY(patient_path(in->case_path, dir, "case.yaml"));
cleanup:
    return rc;
}

static int find_input(const char *path, const measure_options *o, measure_input *in) {
    char record[PATIENT_PATH_MAX], *folder = NULL;
    int rc = OK;
    in->case_path[0] = 0;
    if (!file_exists(path))
        return fail(ERR_INPUT, "there is no '%s': give a patient's folder, a mask or a surface", path);
    TRY(patient_path(record, path, "case.yaml"));
    if (file_is_folder(path) && file_exists(record)) {
        TRY(segment_case(path, o, in));
        TRY(patient_path(in->out, path, "out/measure"));
    } else if (file_is_folder(path)) {
        TRY(find_file(path, in));
        TRY(patient_path(in->out, path, "out/measure"));
    } else {
        folder = file_folder(path);
        if (folder == NULL)
            GIVE_UP(fail_memory("a path", PATIENT_PATH_MAX));
        TRY(file_path(in->of, sizeof in->of, "%s", path));
        TRY(patient_path(in->out, folder, "measure"));
    }
    if (o->out != NULL)
        TRY(file_path(in->out, sizeof in->out, "%s", o->out));
cleanup:
    free(folder);
    return rc;
}

/* Print the table that the program wrote. */
static int print_table(const char *path) {
    char *text = NULL;
    int rc = file_read(path, TABLE_LIMIT, &text, NULL);
    if (rc == OK && (fputs(text, stdout) == EOF || fflush(stdout) != 0))
        rc = fail(ERR_OUTPUT, "cannot write to the standard output; check that the disk is not full");
    free(text);
    return rc;
}

int measure_patient(const char *path, const measure_options *o) {
    measure_input in;
    char program[PATIENT_PATH_MAX], table[PATIENT_PATH_MAX], threads[16];
    process_result r;
    int n = 0, rc = OK;
    TRY(find_input(path, o, &in));
    TRY(process_program("segment", program, sizeof program));
    if (!file_exists(program))
        GIVE_UP(fail(ERR_RESOURCE, "the program '%s' is missing; install Portaflow with ITK, or build it with ITK",
                     program));
    snprintf(threads, sizeof threads, "%d", o->threads);
    const char *argv[20] = {program, "measure", "--of", in.of, "--out", in.out, "--threads", threads};
    n = 8;
    const struct {
        const char *option, *value;
    } more[] = {{"--case", in.case_path[0] ? in.case_path : NULL},
                {"--labels", o->labels},
                {"--unit", o->unit},
                {"--frame", o->frame}};
    for (int k = 0; k < 4; k++)
        if (more[k].value != NULL) {
            argv[n++] = more[k].option;
            argv[n++] = more[k].value;
        }
    TRY(file_create_folder(in.out));
    TRY(patient_path(table, in.out, "measure.txt"));
    TRY(process_capture(argv, table, &r));
    TRY(process_check("segment measure", &r));
    TRY(print_table(table));
cleanup:
    return rc;
}
