/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/treat/treat.h"
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "pipeline/run/run_patient.h"
#include "pipeline/run/stages.h"
#include "pipeline/treat/treat_case.h"
#include "pipeline/treat/treat_conditions.h"
#include "pipeline/treat/treat_folder.h"
#include "pipeline/treat/treat_lattice.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Relative path from one folder to another: "../before". Both are absolute, without links. */
static int relative_path(const char *from, const char *to, char path[PATIENT_PATH_MAX]) {
    size_t same = 0, n = 0;
    for (size_t k = 0;; k++) {
        const bool ends = (!from[k] || from[k] == '/') && (!to[k] || to[k] == '/');
        if (ends)
            same = k;
        if (!from[k] || from[k] != to[k])
            break;
    }
    const char *rest = to[same] == '/' ? to + same + 1 : to + same;
    path[0] = '\0';
    for (const char *c = from + same; *c && n < PATIENT_PATH_MAX; c++)
        if (*c == '/' && c[1])
            n += (size_t)snprintf(path + n, PATIENT_PATH_MAX - n, "../");
    if (n < PATIENT_PATH_MAX)
        n += (size_t)snprintf(path + n, PATIENT_PATH_MAX - n, "%s", *rest ? rest : ".");
    if (n >= PATIENT_PATH_MAX)
        return fail(ERR_INPUT, "the path from '%s' to '%s' is too long; move one of them", from, to);
    return OK;
}

/* Opens both folders and finds their real paths. The folder after the treatment is created. */
static int open_folders(const treat_options *o, patient *before, char *real[2], treat_folder *after) {
    char path[PATIENT_PATH_MAX], word[PATIENT_WORD_MAX];
    int rc = OK;
    TRY(patient_open(o->dir, NULL, CASE_WAVEFORMS, before));
    TRY(patient_path(path, before->out, "segment/segment.json"));
    if (before->c.mesh.has_shape)
        GIVE_UP(fail(ERR_INPUT, "'%s' has an analytic vessel (mesh.shape); a treatment changes a segmented lumen only",
                     before->dir));
    if (!file_exists(path))
        GIVE_UP(fail(ERR_INPUT, "'%s' has not been segmented yet; compute it first: pipeline run %s", before->dir,
                     patient_word(before->dir, word)));
    if (before->c.space == SPACE_VOXEL && !before->c.image.path)
        GIVE_UP(fail(ERR_INPUT, "the case gives its points in voxels of the mask, and the case after a treatment has "
                                "no mask; give the points in mm (space: LPS or RAS)"));
    real[0] = realpath(before->dir, NULL);
    real[1] = realpath(o->out, NULL);
    if (real[0] && real[1] && strcmp(real[0], real[1]) == 0)
        GIVE_UP(fail(ERR_USAGE, "--out is the folder of the patient itself; give another folder"));
    TRY(treat_folder_open(o->out, after));
    free(real[1]);
    real[1] = realpath(o->out, NULL);
    if (!real[0] || !real[1])
        GIVE_UP(fail(ERR_INPUT, "cannot open the folder '%s'; check that it exists and may be read",
                     real[0] ? o->out : before->dir));
cleanup:
    return rc;
}

/* Checks the new openings of the plan. A stent to a new opening must end at a point, because a case cannot place an
 * opening along a centerline. */
static int check_plan(const case_file *plan, const case_file *c) {
    for (int k = 0; k < plan->n_treat; k++) {
        const case_treatment *t = &plan->treat[k];
        if (t->opening && t->to.branch)
            return fail(ERR_INPUT, "stent: the new opening '%s' needs a point outside the lumen: to: [x, y, z]",
                        t->opening);
        if (t->opening && case_find_opening(c, t->opening))
            return fail(ERR_INPUT, "stent: the case already has an opening '%s'; give the new one another name",
                        t->opening);
    }
    return OK;
}

/* Changes the lumen by running segment. The error message names the folder instead of the log, because
 * treat_folder_undo may remove the log. */
static int change_lumen(const treat_options *o, const treat_folder *after) {
    run_failure failure = {.failed = false};
    const run_options run = {.from = STAGE_SEGMENT, .to = STAGE_SEGMENT, .threads = o->threads, .failure = &failure};
    const int rc = run_patient(o->out, &run);
    if (rc == OK || !failure.failed)
        return rc;
    status_clear();
    return fail(rc, "the treatment was not made, for the reason above; '%s' %s", o->out,
                after->first_new[0] ? "was not created" : "keeps its case");
}

static void tell_next(const treat_options *o, const treat_lattice *cells) {
    char before[PATIENT_WORD_MAX], after[PATIENT_WORD_MAX];
    patient_word(o->dir, before);
    patient_word(o->out, after);
    if (!cells->known)
        message_info("%s has no up-to-date lattice, so %s chooses its own cells; for equal cells before and after, run "
                     "%s first, then treat it again",
                     before, after, before);
    message_info("next: pipeline run %s%s, then pipeline compare %s %s", after, cells->settings, before, after);
}

int treat_patient(const treat_options *o) {
    patient before = {.lock = -1};
    case_file plan = {0};
    treated_conditions t = {0};
    treat_folder after = {0};
    char *real[2] = {NULL, NULL}, plan_path[PATIENT_PATH_MAX], back[PATIENT_PATH_MAX];
    treat_lattice cells = {.known = false};
    int inflow = INFLOW_CONSTANT, rc = OK;
    TRY(open_folders(o, &before, real, &after));
    TRY(o->plan ? patient_path(plan_path, o->plan, "") : patient_path(plan_path, before.dir, "treat.yaml"));
    TRY(case_read_treatment(plan_path, &plan, &inflow));
    TRY(check_plan(&plan, &before.c));
    TRY(treat_conditions_find(&before, &plan, inflow, &t));
    TRY(relative_path(real[1], real[0], back));
    TRY(treat_lattice_read(before.dir, &cells));
    TRY(treat_case_write(&before, plan_path, &plan, inflow, &t, &cells, back, after.case_path));
    TRY(change_lumen(o, &after));
    tell_next(o, &cells);
cleanup:
    if (rc != OK)
        treat_folder_undo(&after);
    treat_folder_free(&after);
    for (int k = 0; k < 2; k++)
        free(real[k]);
    treat_lattice_free(&cells);
    treat_conditions_free(&t);
    case_free(&plan);
    patient_close(&before);
    return rc;
}
