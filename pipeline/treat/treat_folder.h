/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of the treated case. `pipeline treat` creates it, and restores its earlier state after an error. */
#ifndef PORTAFLOW_TREAT_FOLDER_H
#define PORTAFLOW_TREAT_FOLDER_H
#include "common/base/must_check.h"
#include "pipeline/run/patient.h"

#define TREAT_CASE_MARK "# Written by pipeline treat" /* begins each case file that treat_case_write makes */

typedef struct {
    const char *path;                 /* the folder, borrowed */
    char case_path[PATIENT_PATH_MAX]; /* path of the case.yaml in the folder */
    char first_new[PATIENT_PATH_MAX]; /* outermost folder of the path that did not exist before; "": all existed */
    char *case_text;                  /* content of the case.yaml that was in the folder, owned; NULL: there was none */
    size_t case_size;
    bool has_results; /* the folder had the subfolder `out` before */
} treat_folder;

/* Creates the folder with its parents. Refuses one whose case.yaml is not from pipeline treat. Errors: ERR_INPUT,
 * ERR_OUTPUT, ERR_RESOURCE; *f is zeroed then. */
MUST_CHECK int treat_folder_open(const char *path, treat_folder *f);
/* Restores the folder: writes the earlier case file again, and removes the new folders and a new subfolder `out`.
 * Errors are ignored. Does nothing for a zeroed *f. */
void treat_folder_undo(const treat_folder *f);
void treat_folder_free(treat_folder *f);
#endif
