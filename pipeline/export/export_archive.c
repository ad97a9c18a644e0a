/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of export.h: the archive without the patient. */
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "pipeline/export/export.h"
#include "pipeline/export/export_parts.h"
#include "pipeline/run/patient.h"
#include "pipeline/run/process.h"
#include "pipeline/run/stages.h"
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { FILES_MAX = 2000, WORDS_MAX = 16, WORD_MAX = 300, WORD_MIN = 4 };
#define CRATE "portaflow-case"

/* Endings of the files of each stage that the archive contains: files without voxels of the image. The files of post
 * are absent, because post runs again for the archive and writes new files. */
static const char *const sent[][3] = {{"segment", "phi.nii.gz", "lumen.nii.gz"},
                                      {"segment", "lumen.stl", "segment.json"},
                                      {"mesh", ".h5", ".vtp"},
                                      {"mesh", ".json", NULL},
                                      {"solve", ".vtkhdf", ".csv"},
                                      {"solve", "solve.json", "level2.json"},
                                      {"solve", "level3.json", "wider.json"},
                                      {"solve", "narrower.json", NULL}};

int export_open_results(const char *dir, const options_list *set, patient *p, results_row *row) {
    int rc = OK;
    TRY(results_row_open_case(dir, set->n > 0 ? set : NULL, p, row));
    if (p->unrecorded)
        GIVE_UP(fail(ERR_INPUT,
                     "the results in '%s' were computed with %s; give the --fast and --set of the run here too", dir,
                     row->settings));
    TRY(results_row_fill(p, row));
    if (strcmp(row->state, "done") != 0)
        rc = fail(ERR_INPUT,
                  "the results in '%s' are not up to date (%s); run 'pipeline run' first, or give the --fast and --set "
                  "of the run",
                  dir, row->state);
cleanup:
    return rc;
}

/* ------------------------------------------------------------------------------------------------ files */

/* State of the archive. It is global, because nftw() passes no argument, and one archive is written at a time. */
static struct {
    const char *from, *to; /* folder of the patient's out/, and out/ of the archive */
    size_t root;           /* length of the archive's folder and its '/' */
    char *file[FILES_MAX];
    int n, rc;
    const char *word[WORDS_MAX]; /* words that may not occur in a file of the archive, such as the patient's name */
    int n_word;
} job;

static bool is_sent(const char *stage_name, const char *name) {
    for (size_t k = 0; k < sizeof sent / sizeof *sent; k++)
        for (int e = 1; e < 3; e++)
            if (strcmp(stage_name, sent[k][0]) == 0 && sent[k][e] && file_ends_with(name, sent[k][e]))
                return true;
    return false;
}

static int link_file(const char *path, const struct stat *s, int type, struct FTW *at) {
    char to[FILE_PATH_MAX], stage_name[32];
    (void)s;
    const char *inner = path + strlen(job.from) + 1;
    if (type != FTW_F || at->level != 2)
        return 0;
    snprintf(stage_name, sizeof stage_name, "%.*s", (int)strcspn(inner, "/"), inner);
    if (!is_sent(stage_name, file_name(path)))
        return 0;
    char *whole = realpath(path, NULL), *folder = NULL;
    if ((job.rc = file_path(to, sizeof to, "%s/%s", job.to, inner)) == OK) {
        folder = file_folder(to);
        job.rc = whole && folder ? file_create_folder(folder) : fail_memory("a path", FILE_PATH_MAX);
        if (job.rc == OK && symlink(whole, to) != 0)
            job.rc = fail(ERR_OUTPUT, "cannot link '%s': %s", to, strerror(errno));
    }
    free(whole);
    free(folder);
    return job.rc;
}

static int list_file(const char *path, const struct stat *s, int type, struct FTW *at) {
    (void)s;
    if (type == FTW_F && strcmp(file_name(path), ".lock") == 0)
        return unlink(path);
    if (type != FTW_F && type != FTW_SL)
        return 0;
    (void)at;
    if (job.n == FILES_MAX)
        return job.rc = fail(ERR_INPUT,
                             "the results are more than %d files; remove files of other programs from the folder 'out'",
                             FILES_MAX);
    job.file[job.n] = strdup(path + job.root);
    return job.rc = job.file[job.n++] ? OK : fail_memory("a path", FILE_PATH_MAX);
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* ------------------------------------------------------------------------------------------------ words */

/* True for a word that the programs write themselves. As the name of a file or folder it identifies nobody. */
static bool is_own_word(const char *word) {
    static const char *const own[] = {"dicom", "image",  "images",       "labels", "liver",   "lumen",       "mask",
                                      "masks", "portal", "segmentation", "series", "surface", "territories", "vessel"};
    for (size_t k = 0; k < sizeof own / sizeof *own; k++)
        if (strcasecmp(word, own[k]) == 0)
            return true;
    return false;
}

static void forbid_word(const char *word) {
    if (word && strlen(word) >= WORD_MIN && job.n_word < WORDS_MAX && !is_own_word(word))
        job.word[job.n_word++] = word;
}

/* Refuses a file of the archive that contains a forbidden word. The message does not repeat the word, because it may
 * identify the patient. */
static int check_words(const char *folder, const char *name) {
    static char block[1 << 20];
    char path[FILE_PATH_MAX];
    size_t kept = 0, n;
    int rc = file_path(path, sizeof path, "%s/%s", folder, name);
    FILE *f = rc == OK ? fopen(path, "rb") : NULL;
    if (!f)
        return rc != OK ? rc
                        : fail(ERR_INPUT, "cannot open '%s' of the archive; check the permissions of the folder 'out'",
                               name);
    while (rc == OK && (n = fread(block + kept, 1, sizeof block - kept, f)) > 0) {
        n += kept;
        for (int k = 0; k < job.n_word && rc == OK; k++)
            if (memmem(block, n, job.word[k], strlen(job.word[k])))
                rc = fail(ERR_INPUT,
                          "'%s' contains a path or the series of the case, which may identify the patient, so the "
                          "archive was not written; remove this file from the folder 'out', or run its stage again",
                          name);
        kept = n < WORD_MAX ? n : WORD_MAX;
        memmove(block, block + n - kept, kept);
    }
    fclose(f);
    return rc;
}

/* ------------------------------------------------------------------------------------------------ archive */

static int run_post(const patient *p, const char *crate, int threads) {
    char out[FILE_PATH_MAX], count[16];
    const char *argument[PROCESS_ARGS_MAX] = {"--case", p->case_path, "--in", p->out, "--out", out, "--threads", count};
    int n = 8, rc = OK;
    process_result r;
    snprintf(count, sizeof count, "%d", threads);
    TRY(file_path(out, sizeof out, "%s/out/post", crate));
    for (int k = 0; k < p->c.set.n; k++) {
        if (strncmp(p->c.set.word[k], "name=", 5) == 0)
            continue;
        argument[n++] = "--set";
        argument[n++] = p->c.set.word[k];
    }
    argument[n++] = "--set";
    argument[n++] = "name=anonymous";
    TRY(process_run_program("post", argument, &r));
    TRY(process_check("post", &r));
cleanup:
    return rc;
}

static int pack_folder(const char *folder, const char *file) {
    char part[FILE_PATH_MAX];
    process_result r;
    int rc = file_part_create(file, part);
    if (rc != OK)
        return rc;
    const char *const argv[] = {"/usr/bin/env", "tar", "--sort=name", "--owner=0", "--group=0", "--numeric-owner",
                                "--mtime=@0",   "-h",  "-czf",        part,        "-C",        folder,
                                CRATE,          NULL};
    rc = process_run(argv, NULL, NULL, 0, &r);
    if (rc == OK)
        rc = process_check("tar", &r);
    if (rc != OK) {
        file_discard(part);
        return rc;
    }
    return file_commit(part, file);
}

static int fill_crate(const patient *p, const char *crate, int threads) {
    char path[FILE_PATH_MAX], out[FILE_PATH_MAX];
    int rc = OK;
    TRY(file_path(out, sizeof out, "%s/out", crate));
    TRY(file_create_folder(out));
    TRY(file_path(path, sizeof path, "%s/case.yaml", crate));
    TRY(export_write_case(p->case_path, path));
    TRY(run_post(p, crate, threads));
    job.from = p->out;
    job.to = out;
    if (nftw(p->out, link_file, 16, FTW_PHYS) != 0)
        GIVE_UP(job.rc != OK
                    ? job.rc
                    : fail(ERR_INPUT, "cannot read the results in '%s'; check the permissions of this folder", p->out));
    job.root = strlen(crate) + 1;
    if (nftw(crate, list_file, 16, FTW_PHYS) != 0)
        GIVE_UP(job.rc != OK
                    ? job.rc
                    : fail(ERR_OUTPUT, "cannot read the copy of the results in '%s': %s", crate, strerror(errno)));
    qsort(job.file, (size_t)job.n, sizeof *job.file, by_text);
    forbid_word(p->c.image.path);
    forbid_word(p->c.image.series);
    forbid_word(p->c.segment.labels_path);
    forbid_word(p->c.segment.surface_path);
    forbid_word(p->c.segment.before_path);
    forbid_word(p->c.split.labels_path);
    forbid_word(case_liver_path(&p->c));
    for (int k = 0; k < job.n; k++)
        TRY(check_words(crate, job.file[k]));
    TRY(export_write_crate(crate, job.n, job.file));
cleanup:
    return rc;
}

void export_show_names(const case_file *c, const char *what) {
    file_text t;
    if (file_text_open(&t, "the names") != OK)
        return;
    for (int k = 0; k < c->n_opening; k++)
        fprintf(t.to, "%s%s", k > 0 ? ", " : "", c->opening[k].name);
    for (int k = 0; k < c->n_section; k++)
        fprintf(t.to, ", %s", c->section[k].name);
    fflush(t.to);
    message_info("%s the names of openings and sections; check that none of them names the patient: %s", what,
                 t.text ? t.text : "");
    fclose(t.to);
    free(t.text);
}

int export_archive(const char *dir, const options_list *set, const char *file, int threads) {
    patient p = {.lock = -1};
    results_row row = {0};
    char folder[FILE_PATH_MAX] = "", crate[FILE_PATH_MAX], *whole = NULL;
    int rc = OK;
    if (!file_ends_with(file, ".tar.gz"))
        return fail(ERR_USAGE, "'%s' is a .tar.gz archive; give it this ending", file);
    TRY(export_open_results(dir, set, &p, &row));
    TRY(file_path(folder, sizeof folder, "%s.XXXXXX", file));
    if (!mkdtemp(folder)) {
        folder[0] = '\0';
        GIVE_UP(fail(ERR_OUTPUT, "cannot write into the folder of '%s'; name a file in another folder", file));
    }
    if (!(whole = realpath(folder, NULL))) /* absolute paths, which records reduce to their last part */
        GIVE_UP(fail(ERR_OUTPUT, "cannot find the folder of '%s'; create it, or name a file in another folder", file));
    TRY(file_path(crate, sizeof crate, "%s/" CRATE, whole));
    TRY(fill_crate(&p, crate, threads));
    TRY(pack_folder(folder, file));
    message_info("%s: %d files with RO-Crate metadata, without the image", file, job.n + 1);
    export_show_names(&p.c, "the archive contains");
cleanup:
    if (folder[0])
        file_remove_folder(folder);
    for (int k = 0; k < job.n; k++)
        free(job.file[k]);
    free(whole);
    results_row_free(&row);
    patient_close(&p);
    return rc;
}
