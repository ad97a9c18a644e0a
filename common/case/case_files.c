/* SPDX-License-Identifier: Apache-2.0 */
/* Implements a part of case_reader.h: checks that the files of a case exist and that its waveforms are consistent. */
#include "common/case/case_reader.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include "common/waveform/waveform.h"
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Length of a Unicode character that is combined with the character before it: an accent (U+0300 to U+036F) or a part
 * of a Hangul syllable (U+1100 to U+11FF); 0: another character. */
static size_t combining_length(const char *name) {
    const unsigned char *c = (const unsigned char *)name;
    if ((c[0] == 0xcc && c[1] >= 0x80) || (c[0] == 0xcd && c[1] >= 0x80 && c[1] <= 0xaf))
        return 2;
    return c[0] == 0xe1 && c[1] >= 0x84 && c[1] <= 0x87 && c[2] ? 3 : 0;
}

/* Length of a run of characters that may have several Unicode forms: not ASCII, or followed by an accent. *combined:
 * true if a combining accent occurs. */
static size_t varying_length(const char *name, bool *combined) {
    size_t n = 0;
    while (name[n] && ((unsigned char)name[n] >= 0x80 || combining_length(name + n + 1) > 0)) {
        *combined = *combined || combining_length(name + n) > 0 || combining_length(name + n + 1) > 0;
        n += 1;
    }
    return n;
}

/* True if two names differ only in characters with several Unicode forms, and one of the names is decomposed. */
static bool differs_in_form(const char *a, const char *b) {
    bool combined = false;
    if (strcmp(a, b) == 0)
        return false;
    while (*a || *b) {
        const size_t n = varying_length(a, &combined), m = varying_length(b, &combined);
        a += n;
        b += m;
        if ((n > 0) != (m > 0) || (n == 0 && *a++ != *b++))
            return false;
    }
    return combined;
}

/* Finds a file in the folder of the missing file `whole` whose name differs only in its Unicode form. If a folder of
 * the path is missing, finds such a folder. "": none. */
static void find_other_form(const char *whole, char name[256]) {
    char *missing = strdup(whole), *folder = missing ? file_folder(missing) : NULL;
    while (folder && !file_exists(folder)) {
        free(missing);
        missing = folder;
        folder = file_folder(missing);
    }
    DIR *d = folder ? opendir(folder) : NULL;
    name[0] = 0;
    for (const struct dirent *e; d && !name[0] && (e = readdir(d));)
        if (differs_in_form(file_name(missing), e->d_name))
            snprintf(name, 256, "%s", e->d_name);
    if (d)
        closedir(d);
    free(folder);
    free(missing);
}

/* True if the file can be read; otherwise a problem is added. folder: a folder is also valid. */
static bool check_file(case_reader *r, const case_node *node, const char *path, bool folder) {
    char *whole = case_resolve_path(r->c, path);
    if (!whole) {
        r->problems.no_memory = true;
        return false;
    }
    bool good = false;
    char other[256] = "";
    const bool readable = access(whole, R_OK) == 0;
    const int why = readable ? 0 : errno;
    if (why == ENOENT)
        find_other_form(whole, other);
    if (other[0])
        case_problem_value(&r->problems, node,
                           "there is no '%.300s', but '%.255s', which looks alike: its accents are in another Unicode "
                           "form; copy the name from the folder, or rename the file",
                           path, other);
    else if (!readable)
        case_problem_value(&r->problems, node, "cannot open '%.300s': %s (paths start at the folder of the case file)",
                           path, strerror(why));
    else if (!folder && file_is_folder(whole))
        case_problem_value(&r->problems, node, "'%.300s' is a folder, a file is needed", path);
    else
        good = true;
    free(whole);
    return good;
}

/* Reads a waveform; its error message becomes a problem of the case. */
static bool read_waveform(case_reader *r, const case_node *node, const char *path, waveform *w) {
    char *whole = case_resolve_path(r->c, path);
    if (!whole) {
        r->problems.no_memory = true;
        return false;
    }
    int rc = waveform_read(whole, w);
    if (rc == ERR_INPUT) {
        case_problem_value(&r->problems, node, "%s", status_message());
        status_clear();
    }
    if (rc == ERR_RESOURCE)
        r->problems.no_memory = true;
    free(whole);
    return rc == OK;
}

/* Checks that one cycle of the run has whole periods of every waveform: all periods are equal, or solve.period is a
 * multiple of each. */
static void check_period(case_reader *r, const case_node *node, const waveform *w, double *period_s) {
    double given = r->c->solve.period_s;
    if (isnan(given) && *period_s > 0 && fabs(w->period_s - *period_s) > 1e-6 * *period_s)
        case_problem_value(&r->problems, node,
                           "its period is %.9g s, but another waveform has %.9g s; use equal periods, or a "
                           "solve.period that is a multiple of both",
                           w->period_s, *period_s);
    double times = given / w->period_s;
    if (!isnan(given) && (times < 0.5 || fabs(times - round(times)) > 1e-6 * times))
        case_problem_value(&r->problems, node, "its period is %.9g s; solve.period (%.9g s) is not a multiple of it",
                           w->period_s, given);
    *period_s = w->period_s;
}

/* Checks the period of the rows against the key `period`, because a file that lacks its last rows has a shorter period.
 * Accepts half of the last time step as rounding. */
static void check_rows(case_reader *r, const case_node *node, const waveform *w, double named_s) {
    const double step_s = w->period_s - w->time_s[w->n - 1];
    if (fabs(w->period_s - named_s) > 0.5 * step_s)
        case_problem_value(&r->problems, node,
                           "its rows give a period of %.6g s, but 'period' is %.6g s; rows are missing, or one of the "
                           "two periods is wrong",
                           w->period_s, named_s);
}

/* Checks that post.instants are within the cycle. period_s = 0: unknown, no check. */
static void check_instants(case_reader *r, const case_node *root, double period_s) {
    const case_node *list = case_node_find(case_node_find(root, "post"), "instants");
    const int n = r->c->post.n_instant;
    if (list && n > 0 && period_s > 0 && r->c->post.instant_s[n - 1] > period_s * (1 + 1e-9))
        case_problem_value(&r->problems, list, "the instant %.9g s is later than the end of the cycle, %.9g s",
                           r->c->post.instant_s[n - 1], period_s);
}

static void check_waveforms(case_reader *r, const case_node *root) {
    const case_node *list = case_node_find(root, "openings");
    double period_s = 0;
    for (int k = 0; k < r->c->n_opening; k++) {
        const char *path = r->c->opening[k].waveform;
        const case_node *node = case_node_find(case_node_find(&list->child[k], "flow"), "waveform");
        waveform w;
        if (!path || !node || !check_file(r, node, path, false) || !read_waveform(r, node, path, &w))
            continue;
        if (isfinite(r->c->opening[k].period_s))
            check_rows(r, node, &w, r->c->opening[k].period_s);
        if (r->c->solve.mode == MODE_PULSATILE)
            check_period(r, node, &w, &period_s);
        waveform_free(&w);
    }
    check_instants(r, root, isnan(r->c->solve.period_s) ? period_s : r->c->solve.period_s);
}

/* The folder of the patient before a treatment must hold a segmentation. */
static void check_before(case_reader *r, const case_node *node, const char *path) {
    char record[FILE_PATH_MAX];
    char *whole = file_path(record, sizeof record, "%s/out/segment/segment.json", path) == OK
                      ? file_join(r->c->folder, record)
                      : NULL;
    if (!whole || !file_exists(whole))
        case_problem_value(&r->problems, node, "'%s' has no segmentation; run: pipeline run %s --to segment", path,
                           path);
    free(whole);
    status_clear();
}

void case_check_files(case_reader *r, const case_node *root) {
    const case_file *c = r->c;
    const case_node *image = case_node_find(case_node_find(root, "image"), "path");
    const case_node *segment = case_node_find(root, "segment");
    const case_node *labels = case_node_find(case_node_find(segment, "labels"), "path");
    const case_node *surface = case_node_find(case_node_find(segment, "surface"), "path");
    const case_node *before = case_node_find(segment, "before");
    const bool images = r->need & CASE_FILES;
    if (images && before && c->segment.before_path)
        check_before(r, before, c->segment.before_path);
    if (images && image && c->image.path)
        check_file(r, image, c->image.path, true);
    if (images && labels && c->segment.labels_path)
        check_file(r, labels, c->segment.labels_path, true);
    if (images && surface && c->segment.surface_path)
        check_file(r, surface, c->segment.surface_path, false);
    const case_node *split = case_node_find(case_node_find(root, "split"), "labels");
    if (images && split && c->split.labels_path)
        check_file(r, case_node_find(split, "path"), c->split.labels_path, true);
    const case_node *readouts = case_node_find(root, "readouts");
    for (int k = 0; images && k < c->n_readout; k++)
        if (c->readout[k].liver_labels.path) {
            const case_node *liver = case_node_find(case_node_find(&readouts->child[k], "ppg"), "liver");
            check_file(r, case_node_find(case_node_find(liver, "labels"), "path"), c->readout[k].liver_labels.path,
                       true);
        }
    const case_node *walls = case_node_find(root, "walls");
    for (int k = 0; images && k < c->n_wall; k++)
        if (c->wall[k].surface_path)
            check_file(r, case_node_find(case_node_find(&walls->child[k], "surface"), "path"), c->wall[k].surface_path,
                       false);
    check_waveforms(r, root);
}
