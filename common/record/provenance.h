/* <stage>.json: how an output was made, and whether it is still up to date.
 *
 * Keys every stage writes: "stage", "program" {"name","version","xxh3"}, "command" (argv), "inputs" [{"file","xxh3"}],
 * "outputs" [{"file","xxh3"}], "case_xxh3" (only the stage's part of the case, case_digest), "seconds", "warnings"
 * [..]. A stage adds its own keys to the object ("result" {...}) before provenance_write. Paths are relative to the
 * case folder; no time of day, no host, no user, nothing from a DICOM header. The last key, "seal", is a checksum of
 * the whole text: what a later stage reads in it, the checksums of the outputs first, is what the stage wrote. */
#ifndef PORTAFLOW_PROVENANCE_H
#define PORTAFLOW_PROVENANCE_H
#include "common/base/must_check.h"
#include "common/cli/version.h"
#include <cjson/cJSON.h>

/* XXH3-64 of a file or, for a folder, of its files in name order (contents, not names). 16 hex digits + NUL.
 * Errors: ERR_INPUT. */
MUST_CHECK int provenance_checksum(const char *path, char hex[17]);

/* Start the object (owned by the caller: cJSON_Delete; NULL: no memory). `case_xxh3` from case_digest. Words of the
 * command line that are paths are written from the folder of the file behind --case; others that are
 * absolute or lead out of the working folder lose their folders. */
cJSON *provenance_start(const char *stage, int argc, char **argv, const char *case_xxh3);
/* `label` is what is written as "file". Errors of the three: those of provenance_checksum, ERR_RESOURCE. */
MUST_CHECK int provenance_input(cJSON *object, const char *label, const char *path);
/* An input that an earlier stage made, or an output, named by provenance_name from `folder`, the case's. */
MUST_CHECK int provenance_made(cJSON *object, const char *folder, const char *path);
MUST_CHECK int provenance_output(cJSON *object, const char *folder, const char *path);
/* How a file is named: from `folder` where it lies in there ("." the folder itself), else by its last part. Caller
 * frees; NULL: no memory. */
char *provenance_name(const char *folder, const char *path);
/* The last part of a path that is absolute or leads out of the folder it starts from ("../x"), any other as it is: the
 * name of a folder may be a patient's. */
const char *provenance_label(const char *label);

/* Adds "warnings" and "seconds" since provenance_start, writes it sealed through "<path>.part". NaN becomes null.
 * Errors: ERR_OUTPUT. */
MUST_CHECK int provenance_write(cJSON *object, const char *path);
/* What a dry run found, <folder>/<stage>_plan.json: its warnings as in <stage>.json, and `result`, which is taken over
 * (NULL: none). Nothing where the folder is not there. Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int provenance_write_plan(const char *folder, const char *stage, cJSON *result);

/* The checksum recorded for a file in the list "inputs" or "outputs": of that label or, `by_name`, of that last part.
 * NULL: none. */
const char *provenance_recorded(const cJSON *object, const char *list, const char *label, int by_name);

/* OK when `path` is, byte by byte, the output that <stage>.json in its folder records. *record: that file, the
 * caller's; NULL: not wanted. Errors: ERR_INPUT (it is missing, damaged, or records another file). */
MUST_CHECK int provenance_check_output(const char *path, const char *stage, cJSON **record);

/* What is not as it was when a stage wrote its record. */
enum provenance_change {
    PROVENANCE_CURRENT,       /* nothing */
    PROVENANCE_NOT_MADE,      /* there is no record */
    PROVENANCE_RECORD,        /* it was changed after it was written */
    PROVENANCE_VERSION,       /* another version of the program made it */
    PROVENANCE_CASE,          /* the stage's part of the case */
    PROVENANCE_INPUTS,        /* an input is missing, or they are others */
    PROVENANCE_INPUT_CHANGED, /* an input is there, with another content */
    PROVENANCE_OUTPUT         /* an output is missing or has another content */
};

/* What has changed since `path` (a <stage>.json) was written, the first in the order above: its seal, the program's
 * version, case_xxh3 (NULL: not looked at), its inputs (label, path), its outputs (in `folder`). `reason`: that in one
 * short clause, "" where it is current. */
enum provenance_change provenance_find_change(const char *path, const char *folder, const char *case_xxh3, int n_input,
                                              const char *const *label, const char *const *input, char reason[256]);
#endif
