/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/run/stage_state.h"
#include "common/base/file.h"
#include "common/base/progress.h"
#include "common/case/case_chain.h"
#include "common/record/dicom_head.h"
#include "common/record/json.h"
#include "common/record/provenance.h"
#include "common/base/status.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATE_INPUTS_MAX = 256 };

typedef struct {
    int n;
    const char *label[STATE_INPUTS_MAX]; /* names of the inputs, borrowed from the JSON object */
    char *path[STATE_INPUTS_MAX];        /* paths of the inputs, owned */
    /* series of an input that is a DICOM folder, borrowed from the case; NULL: its only series */
    const char *series[STATE_INPUTS_MAX];
} recorded_inputs;

const char *stage_state_word(int kind) {
    static const char *const word[] = {"done", "stale", "missing", "not used", "waiting"};
    return word[kind];
}

static void set_state(stage_state *s, int kind, const char *reason) {
    s->kind = kind;
    snprintf(s->reason, sizeof s->reason, "%s", reason);
}

/* Forms the path out/<file> of this patient. */
static int out_path(const patient *p, const char *file, char path[PATIENT_PATH_MAX]) {
    return patient_path(path, p->out, file);
}

static bool out_exists(const patient *p, const char *file) {
    char path[PATIENT_PATH_MAX];
    return out_path(p, file, path) == OK && file_exists(path);
}

/* True if the record names a file of the user by this role. */
static bool is_role(const char *label) {
    static const char *const role[] = {"image", "labels", "surface", "territories", "liver", "before"};
    bool found = strncmp(label, "wall ", 5) == 0;
    for (size_t k = 0; k < sizeof role / sizeof *role; k++)
        found = found || strcmp(label, role[k]) == 0;
    return found;
}

/* Path of a file of the user, which is recorded under its role, as the case gives it. NULL: no such role. */
static const char *find_given(const patient *p, const char *label) {
    const char *const given[][2] = {{"image", p->c.image.path},
                                    {"labels", p->c.segment.labels_path},
                                    {"surface", p->c.segment.surface_path},
                                    {"territories", p->c.split.labels_path},
                                    {"liver", case_liver_path(&p->c)},
                                    {"before", p->c.segment.before_path}};
    for (size_t k = 0; k < sizeof given / sizeof *given; k++)
        if (given[k][1] && strcmp(given[k][0], label) == 0)
            return given[k][1];
    for (int k = 0; k < p->c.n_wall; k++)
        if (strncmp(label, "wall ", 5) == 0 && strcmp(label + 5, p->c.wall[k].name) == 0)
            return p->c.wall[k].surface_path;
    return NULL;
}

/* True if the file cannot be compared with the record, because the record hides which file it was. */
static bool is_hidden(const patient *p, const char *label, const char *path) {
    const char *given = find_given(p, label);
    return p->uncompared ? is_role(label) || !file_exists(path) : p->unrecorded && given && strcmp(given, "...") == 0;
}

/* Path of a file that a record names: in the patient's folder, in out/ or in the stage's input folder. The caller frees
 * it. If none of these files exists, it is the path in the patient's folder. NULL: no memory. */
static char *find_named(const patient *p, const stage *s, const char *label) {
    char in[PATIENT_PATH_MAX];
    const char *given = find_given(p, label);
    if (given)
        return strcmp(label, "before") == 0 ? case_before_phi(&p->c) : file_join(p->dir, given);
    const char *folder[] = {p->dir, p->out, s->in && patient_path(in, p->out, s->in) == OK ? in : p->out};
    for (int k = 0; k < 3; k++) {
        char *path = file_join(folder[k], label);
        if (!path || file_exists(path))
            return path;
        free(path);
    }
    return file_join(p->dir, label);
}

static void inputs_find(const patient *p, const stage *s, const cJSON *object, recorded_inputs *in) {
    const cJSON *entry;
    in->n = 0;
    cJSON_ArrayForEach(entry, cJSON_GetObjectItemCaseSensitive(object, "inputs")) {
        const char *label = json_get_text(entry, "file");
        char *path = label && in->n < STATE_INPUTS_MAX ? find_named(p, s, label) : NULL;
        if (!path)
            continue;
        if (is_hidden(p, label, path)) { /* not compared */
            free(path);
            path = NULL;
        }
        in->label[in->n] = label;
        const bool labels =
            strcmp(label, "labels") == 0 || strcmp(label, "territories") == 0 || strcmp(label, "liver") == 0;
        in->series[in->n] = strcmp(label, "image") == 0 ? p->c.image.series : labels ? DICOM_HEAD_LABELS : NULL;
        in->path[in->n++] = path;
    }
}

static void inputs_free(recorded_inputs *in) {
    for (int k = 0; k < in->n; k++)
        free(in->path[k]);
    in->n = 0;
}

static bool inputs_contain(const recorded_inputs *in, const char *file) {
    for (int k = 0; k < in->n; k++)
        if (file_ends_with(in->label[k], file_name(file)))
            return true;
    return false;
}

/* The base folder of the recorded outputs, found from the first recorded output; the patient's folder if none
 * exists. */
static const char *outputs_folder(const patient *p, const stage *s, const cJSON *object, char own[PATIENT_PATH_MAX]) {
    const cJSON *first = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(object, "outputs"), 0);
    const char *label = json_get_text(first, "file");
    const char *folder[] = {own, p->dir, p->out};
    if (!label || patient_path(own, p->out, s->out) != OK)
        return p->dir;
    for (int k = 0; k < 3; k++) {
        char *path = file_join(folder[k], label);
        bool there = path && file_exists(path);
        free(path);
        if (there)
            return folder[k];
    }
    return p->dir;
}

/* True if the recorded solution did not converge and the case does not accept an unconverged solution. */
static bool is_unconverged(const patient *p, const cJSON *object) {
    const cJSON *result = cJSON_GetObjectItemCaseSensitive(object, "result");
    return cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(result, "converged")) && !p->c.solve.accept_unconverged;
}

/* True if another build of the program wrote the result. A record without a checksum counts as unchanged. */
static bool program_changed(const patient *p, const stage *s, const cJSON *object) {
    const cJSON *program = cJSON_GetObjectItemCaseSensitive(object, "program");
    const char *recorded = json_get_text(program, "xxh3");
    char path[PATIENT_PATH_MAX], now[17];
    if (!recorded || patient_path(path, p->bin, s->name) != OK || !file_exists(path))
        return false;
    if (provenance_checksum(path, now) == OK)
        return strcmp(recorded, now) != 0;
    status_clear();
    return false;
}

/* Appends the settings of the recorded run: " (it was computed with --set mesh.spacing=1)". */
static void add_settings(const cJSON *object, char *reason, size_t size) {
    const cJSON *word;
    char setting[PATIENT_SETTING_MAX];
    bool value = false;
    size_t n = strlen(reason);
    const size_t first = n;
    cJSON_ArrayForEach(word, cJSON_GetObjectItemCaseSensitive(object, "command")) {
        const char *text = cJSON_GetStringValue(word);
        if (value && text && n < size)
            n += (size_t)snprintf(reason + n, size - n, "%s %.90s", n > first ? "" : " (it was computed with",
                                  patient_setting(text, setting));
        value = text && strcmp(text, "--set") == 0;
    }
    if (n > first && n < size)
        snprintf(reason + n, size - n, ")");
}

/* Compares the recorded case with the present one, without the names of the case and of files. */
static enum provenance_change compare_without_names(const patient *p, const stage *s, const cJSON *object,
                                                    stage_state *found, char why[256]) {
    const char *recorded = json_get_text(object, CASE_CHAIN_WITHOUT_NAMES);
    char digest[17];
    case_digest_without_names(&p->c, s->name, digest);
    found->uncompared = p->uncompared || !recorded;
    if (found->uncompared || strcmp(recorded, digest) == 0)
        return PROVENANCE_CURRENT;
    snprintf(why, 256, "its part of the case has changed");
    return PROVENANCE_CASE;
}

/* Writes the first difference between the recorded run and a run now; "" if there is none. */
static void find_change(const patient *p, int stage_index, const char *json, stage_state *found) {
    const stage *s = &stages_table[stage_index];
    char *reason = found->reason;
    recorded_inputs in = {0};
    cJSON *object = NULL;
    char digest[17], why[256] = "", own[PATIENT_PATH_MAX];
    reason[0] = '\0';
    if (json_read_sealed(json, &object) != OK) {
        status_clear();
        snprintf(reason, 512, "out/%s/%s.json was changed after it was written", s->out, s->name);
        return;
    }
    inputs_find(p, s, object, &in);
    case_digest(&p->c, s->name, digest);
    for (int k = 0; s->needs[k] && !reason[0] && !p->uncompared; k++)
        if (stages_needs_file(&p->c, stage_index, s->needs[k]) && !inputs_contain(&in, s->needs[k]))
            snprintf(reason, 512, "it was not computed from the present out/%s", s->needs[k]);
    const char *folder = outputs_folder(p, s, object, own);
    enum provenance_change change =
        reason[0] ? PROVENANCE_CURRENT
                  : provenance_find_change(json, folder, p->unrecorded ? NULL : digest, in.n, in.label,
                                           (const char *const *)in.path, in.series, why);
    if (!reason[0] && change == PROVENANCE_CURRENT && p->unrecorded)
        change = compare_without_names(p, s, object, found, why);
    if (change != PROVENANCE_CURRENT) {
        snprintf(reason, 512, "%s", why);
        if (change == PROVENANCE_CASE)
            add_settings(object, reason, 512);
        found->files_changed = true;
        found->input_changed = change == PROVENANCE_INPUT_CHANGED;
    }
    /* the next stage refuses a result of other keys, even if they gave the same files */
    const char *part = reason[0] || p->unrecorded ? NULL : case_chain_changed_part(&p->c, s->name, object);
    if (part)
        snprintf(reason, 512, "the keys of the case for %s have changed", part);
    if (!reason[0] && program_changed(p, s, object))
        snprintf(reason, 512, "the program '%s' is another build", s->name);
    if (!reason[0] && is_unconverged(p, object))
        snprintf(reason, 512, "it did not converge");
    for (int k = 0; s->makes[k] && !reason[0]; k++)
        if (!out_exists(p, s->makes[k]))
            snprintf(reason, 512, "out/%s is missing", s->makes[k]);
    inputs_free(&in);
    cJSON_Delete(object);
}

static bool record_says(const cJSON *record, const char *key, const char *hex) {
    const char *text = json_get_text(record, key);
    return text && hex[0] && strcmp(text, hex) == 0;
}

static void file_sum(const char *folder, const char *name, char hex[17]) {
    char path[PATIENT_PATH_MAX];
    if (patient_path(path, folder, name) != OK || provenance_checksum(path, hex) != OK)
        hex[0] = '\0';
    status_clear();
}

/* Description of the lattice of a checkpoint: "" for the finest lattice, " of a coarser lattice" for another grid
 * level, and so on. NULL: the lattice is not in out/mesh. Grid levels that an earlier call has solved are not solved
 * again. */
static const char *checkpoint_of(const patient *p, const cJSON *record) {
    static const char *const name[][2] = {{"", ""},
                                          {"_level2", " of a coarser lattice"},
                                          {"_level3", " of a coarser lattice"},
                                          {"_level4", " of a coarser lattice"},
                                          {"_wider", " of a wider lumen"},
                                          {"_narrower", " of a narrower lumen"}};
    for (size_t k = 0; k < sizeof name / sizeof *name; k++) {
        char file[64], sum[17] = "";
        snprintf(file, sizeof file, "mesh/lattice%s.h5", name[k][0]);
        file_sum(p->out, file, sum);
        if (record_says(record, "lattice_xxh3", sum))
            return name[k][1];
    }
    return NULL;
}

/* Reads from the record next to the checkpoint whether the checkpoint fits the lattice, the program and the case. */
static void find_checkpoint(const patient *p, const stage *what, stage_state *s) {
    char path[PATIENT_PATH_MAX], program[17] = "", digest[17];
    cJSON *record = NULL;
    s->has_checkpoint = true;
    if (out_path(p, "solve/checkpoint.json", path) != OK || !file_exists(path) ||
        json_read_sealed(path, &record) != OK) {
        snprintf(s->checkpoint, sizeof s->checkpoint,
                 "; there is a checkpoint, which is used if it belongs to this case");
        status_clear();
        return;
    }
    file_sum(p->bin, what->name, program);
    case_digest(&p->c, what->name, digest);
    const char *of = checkpoint_of(p, record);
    const bool same_lattice = of != NULL, same_program = record_says(record, "program_xxh3", program);
    const double step = json_get_number(record, "step");
    if (!same_lattice || !same_program)
        snprintf(s->checkpoint, sizeof s->checkpoint, "; its checkpoint belongs to another %s and is not used",
                 same_lattice ? "build of solve" : "lattice");
    else if (record_says(record, "case_xxh3", digest))
        snprintf(s->checkpoint, sizeof s->checkpoint, "; it continues from its checkpoint at step %.0f%s", step, of);
    else
        snprintf(s->checkpoint, sizeof s->checkpoint,
                 "; it continues from its checkpoint at step %.0f only if no setting but limits, such as "
                 "solve.tolerance, has changed",
                 step);
    s->has_checkpoint = same_lattice && same_program;
    cJSON_Delete(record);
}

void stage_state_find(const patient *p, int stage_index, stage_state *s) {
    const stage *what = &stages_table[stage_index];
    char json[PATIENT_PATH_MAX], name[64];
    memset(s, 0, sizeof *s);
    snprintf(name, sizeof name, "%s/%s.json", what->out, what->name);
    if (!stages_is_wanted(&p->c, stage_index)) {
        set_state(s, STATE_NOT_NEEDED, "the case gives the lumen as a shape");
        return;
    }
    if (out_path(p, name, json) != OK || !file_exists(json)) {
        status_clear();
        char log[64], reason[128];
        snprintf(log, sizeof log, "log/%s.log", what->name);
        snprintf(reason, sizeof reason, "its last run did not finish: there is no out/%s", name);
        set_state(s, STATE_MISSING, out_exists(p, log) ? reason : "not run yet");
    } else {
        find_change(p, stage_index, json, s);
        s->kind = s->reason[0] ? STATE_STALE : STATE_DONE;
    }
    if (s->kind != STATE_DONE && what->checkpoint && out_exists(p, what->checkpoint))
        find_checkpoint(p, what, s);
}

void stage_state_find_next(const patient *p, int stage_index, const char **before, stage_state *s) {
    stage_state_find(p, stage_index, s);
    if (s->kind == STATE_DONE && *before) {
        s->kind = STATE_STALE;
        snprintf(s->reason, sizeof s->reason, "%s comes first", *before);
    }
    if (s->kind == STATE_STALE || s->kind == STATE_MISSING)
        *before = stages_table[stage_index].name;
}

static void print_next(const char *dir, const options_list *set) {
    char word[PATIENT_WORD_MAX], settings[PATIENT_SETTING_MAX];
    printf("next: pipeline run %s%s\n", patient_word(dir, word), patient_settings(set, settings, sizeof settings));
}

/* Sets the state of a stage that waits for an earlier stage. */
static void set_waiting(stage_state *s) {
    set_state(s, STATE_WAITING, "for the stage above");
    s->has_checkpoint = false;
    s->checkpoint[0] = '\0';
}

/* Prints "running 45 %, about 2:01 min remaining: flow, step 1200, .." if a program works in out/<stage> now. */
static bool print_running(const patient *p, const stage *s) {
    char folder[PATIENT_PATH_MAX], path[PATIENT_PATH_MAX], left[32], line[512] = "";
    progress_record seen;
    if (out_path(p, s->out, folder) != OK || out_path(p, s->out, path) != OK || !file_is_locked(folder))
        return false;
    printf("%-8s  running", s->name);
    if (patient_path(path, folder, ".lock") == OK && progress_read(path, &seen)) {
        progress_format_time(left, sizeof left, seen.left_s);
        if (isfinite(seen.share))
            snprintf(line, sizeof line, "%.0f %%, about %s remaining: ", floor(100 * seen.share), left);
        else
            snprintf(line, sizeof line, "remaining time unknown: ");
        printf("   %s%s", line, seen.what);
    }
    printf("\n");
    return true;
}

static void print_state(const stage *what, const stage_state *s) {
    printf("%-8s  %s", what->name, stage_state_word(s->kind));
    if (s->reason[0])
        printf("%*s  %s%s", 8 - (int)strlen(stage_state_word(s->kind)), "", s->reason, s->checkpoint);
    printf("\n");
}

int stage_state_show(const char *dir, const options_list *set) {
    patient p;
    int rc = OK;
    const char *before = NULL; /* latest earlier stage that is not done */
    bool running = false;
    TRY(patient_open(dir, set, CASE_WAVEFORMS, &p));
    const bool held = patient_is_locked(&p);
    for (int k = 0; k < STAGE_COUNT; k++) {
        stage_state s;
        if (print_running(&p, &stages_table[k])) {
            before = stages_table[k].name;
            running = true;
            continue;
        }
        stage_state_find_next(&p, k, &before, &s);
        if (running && s.kind != STATE_NOT_NEEDED)
            set_waiting(&s);
        print_state(&stages_table[k], &s);
    }
    if (held || running)
        printf("a run is in progress here\n");
    else if (before)
        print_next(dir, set);
cleanup:
    patient_close(&p);
    return rc;
}
