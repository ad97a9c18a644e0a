/* SPDX-License-Identifier: Apache-2.0 */
/* A patient's folder with the paths in it, the case, and the lock of a run. */
#ifndef PORTAFLOW_PIPELINE_PATIENT_H
#define PORTAFLOW_PIPELINE_PATIENT_H
#include "common/base/must_check.h"
#include "common/case/case.h"

enum { PATIENT_PATH_MAX = 4096 };

typedef struct {
    char dir[PATIENT_PATH_MAX];       /* folder of the patient as given, without a trailing '/' */
    char out[PATIENT_PATH_MAX];       /* folder of the results, dir/out */
    char case_path[PATIENT_PATH_MAX]; /* case file, dir/case.yaml */
    char bin[PATIENT_PATH_MAX];       /* folder of the stage programs */
    case_file c;
    int lock; /* file descriptor of the lock; -1: not locked */
    /* true: a path or name that --set gave to the recorded run is not in its record, and is "..." in the case. The case
     * is compared without names, and such a file is not compared. */
    bool unrecorded;
    /* true: the case cannot be read with those settings. Neither the case nor files that the user gave are compared
     * with the record. */
    bool uncompared;
} patient;

/* Opens the folder and reads and checks its case.yaml; the message lists all problems. Always free with patient_close.
 *   need  enum case_need
 *   set   settings of the command line (case_read_set), NULL: none
 * Errors: ERR_INPUT (no folder, no case.yaml, problems in it). */
MUST_CHECK int patient_open(const char *dir, const options_list *set, int need, patient *p);
/* As patient_open, for `check`. A case with problems also gives OK: the message lists the problems, p->c holds the keys
 * that were read. Errors: ERR_INPUT (no folder, no case.yaml). */
MUST_CHECK int patient_open_parts(const char *dir, const options_list *set, patient *p);
/* Sets the paths of the folder without reading the case. Errors: ERR_INPUT. */
MUST_CHECK int patient_locate(const char *dir, patient *p);
void patient_close(patient *p);

/* Writes "<base>/<name>" into path[PATIENT_PATH_MAX]; name "" gives base. Errors: ERR_INPUT when too long. */
MUST_CHECK int patient_path(char *path, const char *base, const char *name);

/* Writes the path as one word of a shell, quoted if necessary. Returns `word`. */
enum { PATIENT_WORD_MAX = 4 * PATIENT_PATH_MAX + 4 };
const char *patient_word(const char *path, char word[PATIENT_WORD_MAX]);

#define PATIENT_FAST "mesh.fast=true" /* Setting that --fast adds */

/* Writes a setting as the user typed it: "--fast" or "--set KEY=VALUE", not quoted. */
enum { PATIENT_SETTING_MAX = PATIENT_WORD_MAX + 8 };
const char *patient_setting(const char *setting, char text[PATIENT_SETTING_MAX]);

/* Writes settings as words of a shell, each with a blank in front: " --fast --set KEY=VALUE". "": none. Returns
 * `text`. */
const char *patient_settings(const options_list *set, char *text, size_t size);

/* Locks out/.lock: only one run works in the folder at a time. The lock lasts until patient_close, or the end of
 * this process and its child. Errors: ERR_RESOURCE when another run holds it, ERR_OUTPUT. */
MUST_CHECK int patient_lock(patient *p);
/* True if a run holds the lock now. Does not lock and writes nothing. */
int patient_is_locked(const patient *p);
#endif
