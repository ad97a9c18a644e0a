/* SPDX-License-Identifier: Apache-2.0 */
/* <stage>.json: record of the inputs, command and outputs of a stage, and change detection.
 *
 * Keys of every stage: "stage", "program" {"name","version","xxh3"}, "command" (argv), "inputs" [{"file","xxh3"}],
 * "outputs" [{"file","xxh3"}], "case_xxh3" (checksum of the stage's keys of the case, case_digest), "seconds",
 * "warnings" [..]. A stage adds its own keys ("result" {...}) before provenance_write. Paths are relative to the case
 * folder. The record contains no time of day, host, user, or text of a DICOM header. The last key, "seal", is a
 * checksum of the whole text, which lets later stages trust the recorded checksums of the outputs. */
#ifndef PORTAFLOW_PROVENANCE_H
#define PORTAFLOW_PROVENANCE_H
#include "common/base/must_check.h"
#include "common/cli/version.h"
#include <cjson/cJSON.h>

/* XXH3-64 of a file. hex: 16 digits + NUL. Errors: ERR_INPUT. */
MUST_CHECK int provenance_checksum(const char *path, char hex[17]);
/* Checksum of this program's file, read once; "" if it cannot be read. */
const char *provenance_program(void);
/* As provenance_checksum. The checksum of a DICOM folder covers only the files of `series` (checksum.h). */
MUST_CHECK int provenance_checksum_image(const char *path, const char *series, char hex[17]);

/* Create the record; the caller frees it with cJSON_Delete; NULL: no memory. case_xxh3: result of case_digest. Paths in
 * the command line are recorded relative to the folder of the --case file. Other paths are reduced to their last part
 * if they are absolute or leave the working folder. */
cJSON *provenance_start(const char *stage, int argc, char **argv, const char *case_xxh3);
/* Add an input recorded as `label`. Errors of this and the next two functions: as provenance_checksum; ERR_RESOURCE. */
MUST_CHECK int provenance_add_input(cJSON *object, const char *label, const char *path);
/* As provenance_add_input, for an image whose path may be a DICOM folder. */
MUST_CHECK int provenance_add_image(cJSON *object, const char *label, const char *path, const char *series);
/* Add an input written by an earlier stage, or an output. It is recorded under its provenance_relative_name in
 * `folder`, the case folder. */
MUST_CHECK int provenance_add_stage_input(cJSON *object, const char *folder, const char *path);
MUST_CHECK int provenance_add_output(cJSON *object, const char *folder, const char *path);
/* Path relative to `folder` when the file is inside ("." for the folder itself), else its last part. Caller frees;
 * NULL: no memory. */
char *provenance_relative_name(const char *folder, const char *path);
/* The last part of a path that is absolute or leaves its starting folder ("../x"); otherwise the path itself. Folder
 * names may identify a patient. */
const char *provenance_safe_label(const char *label);

/* Add "warnings" and "seconds" since provenance_start and write the file, with a checksum of itself, through
 * "<path>.part". NaN becomes null. Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int provenance_write(cJSON *object, const char *path);
/* Write the result of a dry run to <folder>/<stage>_plan.json: warnings as in <stage>.json, and `result` (NULL:
 * none; ownership passes to this function). Nothing is written when the folder is missing. Errors: ERR_OUTPUT,
 * ERR_RESOURCE. */
MUST_CHECK int provenance_write_plan(const char *folder, const char *stage, cJSON *result);

/* Checksum recorded in the list "inputs" or "outputs" for the file `label`; with `by_name`, for the file whose path
 * ends in this name. NULL: none. */
const char *provenance_recorded_checksum(const cJSON *object, const char *list, const char *label, int by_name);

/* Check that `path` equals the output recorded in <stage>.json of its folder. *record: the content of <stage>.json,
 * owned by the caller; record NULL: not needed. Errors: ERR_INPUT (record missing or damaged, file differs),
 * ERR_RESOURCE. */
MUST_CHECK int provenance_check_output(const char *path, const char *stage, cJSON **record);

/* First change found since a stage wrote its record. */
enum provenance_change {
    PROVENANCE_CURRENT,       /* the result is up to date */
    PROVENANCE_NOT_MADE,      /* there is no record */
    PROVENANCE_RECORD,        /* the record itself was changed after it was written */
    PROVENANCE_VERSION,       /* written by another version of the program */
    PROVENANCE_CASE,          /* the keys of the case that the stage uses have changed */
    PROVENANCE_INPUTS,        /* an input is missing, or the list of inputs differs */
    PROVENANCE_INPUT_CHANGED, /* an input exists with other contents */
    PROVENANCE_OUTPUT         /* an output is missing or has other contents */
};

/* Find the first change since `path` (a <stage>.json) was written, in the order above: seal, version, case_xxh3 (NULL:
 * not checked), inputs (label, path, series; path NULL: not checked), outputs (in `folder`).
 * `reason`: a short clause, "" when up to date. */
enum provenance_change provenance_find_change(const char *path, const char *folder, const char *case_xxh3, int n_input,
                                              const char *const *label, const char *const *input,
                                              const char *const *series, char reason[256]);
#endif
