/* A patient's folder: where its files lie, its case, and the lock of a run. */
#ifndef PORTAFLOW_PIPELINE_PATIENT_H
#define PORTAFLOW_PIPELINE_PATIENT_H
#include "common/base/must_check.h"
#include "common/case/case.h"

enum { PATIENT_PATH_MAX = 4096 };

typedef struct {
    char dir[PATIENT_PATH_MAX];       /* as given, without a trailing '/' */
    char out[PATIENT_PATH_MAX];       /* dir/out */
    char case_path[PATIENT_PATH_MAX]; /* dir/case.yaml */
    char bin[PATIENT_PATH_MAX];       /* folder of the stage programs */
    case_file c;
    int lock; /* file descriptor, -1: not held */
} patient;

/* The folder and its case.yaml, read and checked (all problems in the message). `need`: enum case_need. `set`: settings
 * of the command line, case_read_set; NULL: none. Free with patient_close in any case.
 * Errors: ERR_INPUT (no folder, no case.yaml, problems in it). */
MUST_CHECK int patient_open(const char *dir, const options_list *set, int need, patient *p);
/* The same for `check`: OK also when the case has problems, which are then in the message and p->c holds
 * what was read. Errors: ERR_INPUT (no folder, no case.yaml). */
MUST_CHECK int patient_open_parts(const char *dir, const options_list *set, patient *p);
/* The folder alone, the case is not read. Errors: ERR_INPUT. */
MUST_CHECK int patient_locate(const char *dir, patient *p);
void patient_close(patient *p);

/* "<base>/<name>" into path[PATIENT_PATH_MAX]; name "" gives base. Errors: ERR_INPUT when too long. */
MUST_CHECK int patient_path(char *path, const char *base, const char *name);

/* The path as one word of a shell, quoted where it must be. Returns `word`. */
enum { PATIENT_WORD_MAX = 4 * PATIENT_PATH_MAX + 4 };
const char *patient_word(const char *path, char word[PATIENT_WORD_MAX]);

#define PATIENT_FAST "mesh.ladder=1" /* what --fast stands for */

/* A setting as it was typed: "--fast" or "--set KEY=VALUE", not quoted. */
enum { PATIENT_SETTING_MAX = PATIENT_WORD_MAX + 8 };
const char *patient_setting(const char *setting, char text[PATIENT_SETTING_MAX]);

/* One run at a time: lock out/.lock until patient_close or the end of this process and its child.
 * Errors: ERR_RESOURCE when another run holds it, ERR_OUTPUT. */
MUST_CHECK int patient_lock(patient *p);
/* Whether a run holds the lock now; takes and writes nothing. */
int patient_is_locked(const patient *p);
#endif
