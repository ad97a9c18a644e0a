/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/check/dry_run_stages.h"
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/record/json.h"
#include "pipeline/run/process.h"
#include "pipeline/run/stages.h"
#include "pipeline/run/stage_state.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORDS_MAX = 16 + 2 * OPTIONS_LIST_MAX };

/* Repeats the warning of a stage, unless an earlier stage has given the same warning. */
static void warn_once(const char *text) {
    for (int k = 0; k < message_warning_count(); k++)
        if (strcmp(message_warning(k), text) == 0)
            return;
    message_warn("%s", text);
}

/* Repeats the warnings of a record (serious_only true: its serious warnings) and prints the work to compute.
 *   *cells  out: cells of the finest grid level; unchanged if the record does not state it */
static int show_record(const char *path, const char *name, bool serious_only, double *cells) {
    const cJSON *warning;
    cJSON *record = NULL;
    int k = 0, rc;
    TRY(json_read(path, &record));
    const double serious = json_get_number(record, "serious_warnings");
    cJSON_ArrayForEach(warning, cJSON_GetObjectItemCaseSensitive(record, "warnings")) {
        if ((!serious_only || k++ < serious) && cJSON_IsString(warning))
            warn_once(cJSON_GetStringValue(warning));
    }
    const char *work = cJSON_GetStringValue(json_find(record, "result/to_compute"));
    if (work) {
        fprintf(stderr, "%s: to compute: %s\n", name, work);
        *cells = json_get_number(json_find(record, "result"), "cells");
    }
cleanup:
    cJSON_Delete(record);
    return rc;
}

/* Runs `stage --case .. [--in ..] --out FOLDER [--dry-run] [--set ..]..`. folder NULL: the stage writes no files. */
static int dry_run_stage(const patient *p, const char *name, const char *in, const char *folder,
                         const options_list *set, double *cells) {
    char program[PATIENT_PATH_MAX], record[PATIENT_PATH_MAX];
    const char *word[WORDS_MAX] = {program, "--case", p->case_path, "--out", folder ? folder : "/dev/null"};
    const bool dry = strcmp(name, "segment") != 0;
    process_result r;
    int n = 5, rc;
    if (dry)
        word[n++] = "--dry-run";
    if (in) {
        word[n++] = "--in";
        word[n++] = in;
    }
    for (int k = 0; set && k < set->n; k++) {
        word[n++] = "--set";
        word[n++] = set->word[k];
    }
    TRY(patient_path(program, p->bin, name));
    TRY(process_run(word, NULL, NULL, 1, &r));
    TRY(process_check(name, &r));
    if (folder) {
        TRY(file_path(record, sizeof record, "%s/%s%s.json", folder, name, dry ? "_plan" : ""));
        TRY(show_record(record, name, false, cells));
    }
cleanup:
    return rc;
}

static bool program_exists(const patient *p, const char *name) {
    char program[PATIENT_PATH_MAX];
    if (patient_path(program, p->bin, name) == OK && access(program, X_OK) == 0)
        return true;
    status_clear();
    return false;
}

/* Creates a temporary folder; false, with a warning, if that is impossible. */
static bool make_folder(char folder[PATIENT_PATH_MAX]) {
    const char *temp = getenv("TMPDIR");
    snprintf(folder, PATIENT_PATH_MAX, "%s/portaflow-check-XXXXXX", temp && *temp ? temp : "/tmp");
    if (mkdtemp(folder))
        return true;
    message_warn(
        "cannot create a folder in '%s', so problems that only a stage finds are not listed; free some space or set "
        "TMPDIR",
        temp && *temp ? temp : "/tmp");
    return false;
}

int dry_run_stages_of_case(const patient *p, const options_list *set) {
    double cells;
    if (!program_exists(p, "solve"))
        return OK;
    const int rc = dry_run_stage(p, "solve", NULL, NULL, set, &cells);
    process_die_if_interrupted();
    return rc;
}

/* Runs segment, if it needs no level set, and mesh into `folder`.
 *   *made  out: folder of the lattice for solve, either `folder` or `done` (path of the current result); NULL: none */
static int make_lattice(const patient *p, const options_list *set, const char *folder, char done[PATIENT_PATH_MAX],
                        const char **made) {
    double cells;
    stage_state segment, mesh;
    int rc = OK;
    *made = NULL;
    stage_state_find(p, STAGE_SEGMENT, &segment);
    stage_state_find(p, STAGE_MESH, &mesh);
    if (mesh.kind == STATE_DONE) {
        *made = done;
        return patient_path(done, p->out, "mesh");
    }
    const bool segmented = segment.kind == STATE_DONE, wanted = segment.kind != STATE_NOT_NEEDED;
    if (!program_exists(p, "mesh") || (wanted && !segmented && !program_exists(p, "segment")) ||
        /* a segmentation by level set takes too long for a check */
        (wanted && !segmented && p->c.segment.method == METHOD_LEVEL_SET)) {
        message_info(
            "cell count and run time are known once the lumen is found; run: pipeline run DIR --to segment, then "
            "check again");
        return OK;
    }
    TRY(patient_path(done, p->out, "segment"));
    if (wanted && !segmented)
        TRY(dry_run_stage(p, "segment", NULL, folder, set, &cells));
    TRY(dry_run_stage(p, "mesh", !wanted ? NULL : segmented ? done : folder, folder, set, &cells));
    TRY(patient_path(done, folder, "preview.json"));
    if (file_exists(done))
        *made = folder;
cleanup:
    return rc;
}

int dry_run_stages(const patient *p, const options_list *set, bool *solve_warned, double *cells) {
    char folder[PATIENT_PATH_MAX], done[PATIENT_PATH_MAX];
    const char *made;
    stage_state last;
    int rc;
    *solve_warned = false;
    *cells = NAN;
    if (!make_folder(folder))
        return OK;
    for (int k = 0; k <= STAGE_SOLVE; k++) {
        stage_state_find(p, k, &last);
        if (last.kind != STATE_DONE)
            continue;
        TRY(file_path(done, sizeof done, "%s/%s/%s.json", p->out, stages_table[k].out, stages_table[k].name));
        TRY(show_record(done, stages_table[k].name, true, cells));
    }
    TRY(make_lattice(p, set, folder, done, &made));
    *solve_warned = last.kind == STATE_DONE;
    if (*solve_warned || !program_exists(p, "solve"))
        goto cleanup;
    TRY(dry_run_stage(p, "solve", made, folder, set, cells));
    *solve_warned = made != NULL;
cleanup:
    file_remove_folder(folder);
    process_die_if_interrupted();
    return rc;
}
