/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/run/patient.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "pipeline/run/process.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* room for "/out/<stage>/<file>" and a temporary ending; file systems limit names to 255 characters */
enum { RESULT_PATH_MAX = 320 };

int patient_path(char *path, const char *base, const char *name) {
    return file_path(path, PATIENT_PATH_MAX, "%s%s%s", base, *name ? "/" : "", name);
}

const char *patient_word(const char *path, char word[PATIENT_WORD_MAX]) {
    static const char harmless[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./-+=:,@%";
    bool plain = path[0] != '\0';
    for (const char *c = path; *c && plain; c++)
        plain = strchr(harmless, *c) || (unsigned char)*c >= 0x80;
    char *to = word, *end = word + PATIENT_WORD_MAX - 8;
    if (!plain)
        *to++ = '\'';
    if (path[0] == '-') {
        memcpy(to, "./", 2); /* "./" in front keeps the path from being parsed as an option */
        to += 2;
    }
    for (const char *c = path; *c && to < end; c++) {
        if (*c == '\'') {
            memcpy(to, "'\\'", 3); /* end the quotes, add an escaped quote, begin quotes again */
            to += 3;
        }
        *to++ = *c;
    }
    if (!plain)
        *to++ = '\'';
    *to = '\0';
    return word;
}

const char *patient_setting(const char *setting, char text[PATIENT_SETTING_MAX]) {
    if (strcmp(setting, PATIENT_FAST) == 0)
        return "--fast";
    snprintf(text, PATIENT_SETTING_MAX, "--set %s", setting);
    return text;
}

const char *patient_settings(const options_list *set, char *text, size_t size) {
    char word[PATIENT_WORD_MAX];
    size_t n = 0;
    text[0] = '\0';
    for (int k = 0; set && k < set->n && n < size; k++)
        n += (size_t)(strcmp(set->word[k], PATIENT_FAST) == 0
                          ? snprintf(text + n, size - n, " --fast")
                          : snprintf(text + n, size - n, " --set %s", patient_word(set->word[k], word)));
    return text;
}

/* Length of the path as given or from the root, the larger of both. */
static size_t length_of_path(const char *dir) {
    char *whole = realpath(dir, NULL);
    const size_t given = strlen(dir);
    const size_t n = whole ? strlen(whole) : errno == ENAMETOOLONG || errno == ERANGE ? PATIENT_PATH_MAX : 0;
    free(whole);
    return n > given ? n : given;
}

int patient_locate(const char *dir, patient *p) {
    int rc = OK;
    memset(p, 0, sizeof *p);
    p->lock = -1;
    if (dir[0] == '-') /* "./" in front keeps the path from being parsed as an option */
        TRY(patient_path(p->dir, ".", dir));
    else
        TRY(patient_path(p->dir, *dir ? dir : ".", ""));
    for (size_t n = strlen(p->dir); n > 1 && p->dir[n - 1] == '/'; n--)
        p->dir[n - 1] = '\0';
    if (length_of_path(p->dir) > PATIENT_PATH_MAX - RESULT_PATH_MAX)
        return fail(ERR_INPUT,
                    "the path of the folder '%.60s%s' is longer than %d characters, so the paths of its results would "
                    "be too long; move it to a shorter path",
                    p->dir, strlen(p->dir) > 60 ? "..." : "", PATIENT_PATH_MAX - RESULT_PATH_MAX);
    if (!file_exists(p->dir))
        return fail(ERR_INPUT, "cannot open '%s': %s", p->dir, strerror(errno));
    if (!file_is_folder(p->dir))
        return fail(ERR_INPUT, "'%s' is a file; give the patient's folder, which holds case.yaml", p->dir);
    TRY(patient_path(p->out, p->dir, "out"));
    TRY(patient_path(p->case_path, p->dir, "case.yaml"));
    TRY(process_bin_folder(p->bin, sizeof p->bin));
cleanup:
    return rc;
}

static int open_case(const char *dir, const options_list *set, int need, patient *p) {
    char word[PATIENT_WORD_MAX];
    int rc = OK;
    TRY(patient_locate(dir, p));
    if (!file_exists(p->case_path))
        return fail(ERR_INPUT, "there is no case.yaml in '%s'; create it with: pipeline init %s", p->dir,
                    patient_word(p->dir, word));
    TRY(case_read_set(p->case_path, set, need, &p->c));
cleanup:
    return rc;
}

int patient_open(const char *dir, const options_list *set, int need, patient *p) {
    return open_case(dir, set, need, p);
}

int patient_open_parts(const char *dir, const options_list *set, patient *p) {
    const int rc = open_case(dir, set, CASE_FILES | CASE_KEEP, p);
    return rc == ERR_INPUT && p->c.path ? OK : rc;
}

void patient_close(patient *p) {
    case_free(&p->c);
    file_unlock(p->lock);
    p->lock = -1;
}

int patient_lock(patient *p) {
    int rc = OK;
    TRY(file_create_folder(p->out));
    const int rc_lock = file_lock(p->out, &p->lock);
    if (rc_lock == ERR_RESOURCE) {
        status_clear();
        GIVE_UP(fail(ERR_RESOURCE, "another run is in progress in '%s'; wait until it ends, or stop it", p->dir));
    }
    TRY(rc_lock);
    fcntl(p->lock, F_SETFD, 0); /* a stage inherits the lock, so a stage that outlives a killed pipeline keeps the
                                 * folder locked */
cleanup:
    return rc;
}

int patient_is_locked(const patient *p) {
    return file_is_locked(p->out);
}
