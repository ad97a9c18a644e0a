/* SPDX-License-Identifier: Apache-2.0 */
#include "pipeline/study/sweep.h"
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "pipeline/run/process.h"
#include "pipeline/run/stage_state.h"
#include "pipeline/study/many.h"
#include "pipeline/study/table.h"
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SWEEP_VARIANTS_MAX = 99, KEYS = 4, LABEL = 512 };

/* A variant of the case: one combination of the values that the sweep varies. */
typedef struct {
    char dir[PATIENT_PATH_MAX];
    char setting[KEYS][2 * SWEEP_TEXT]; /* settings "KEY=VALUE" of this variant */
    const char *argv[2 * KEYS];         /* the words --set KEY=VALUE .. */
    options_list set;
    char label[LABEL];
    double x; /* value of the first key if it is a number, else NaN */
} variant;

/* ------------------------------------------------------------------------------------------------ values */

static int copy_trimmed_value(const char *from, const char *to, char value[SWEEP_TEXT]) {
    while (from < to && *from == ' ')
        from++;
    while (to > from && to[-1] == ' ')
        to--;
    if (to == from || to - from >= SWEEP_TEXT)
        return -1;
    snprintf(value, SWEEP_TEXT, "%.*s", (int)(to - from), from);
    return 0;
}

/* Position after the number at the start of the text; NULL: the text does not begin with a number. */
static const char *unit_of(const char *value) {
    char *end = NULL;
    strtod(value, &end);
    return end == value ? NULL : end;
}

int sweep_split(const char *list, char value[SWEEP_VALUES][SWEEP_TEXT]) {
    int n = 0, depth = 0;
    char quote = '\0';
    const char *from = list;
    for (const char *c = list;; c++) {
        if (quote)
            quote = *c == quote || *c == '\0' ? '\0' : quote;
        else if (*c == '"' || *c == '\'')
            quote = *c;
        depth += *c == '[' || *c == '{' ? 1 : *c == ']' || *c == '}' ? -1 : 0;
        if (*c && (*c != ',' || depth > 0 || quote))
            continue;
        if (n == SWEEP_VALUES || copy_trimmed_value(from, c, value[n]) != 0)
            return -1;
        n++;
        from = c + 1;
        if (!*c)
            break;
    }
    const char *unit = unit_of(value[n - 1]);
    for (int k = 0; k + 1 < n && unit && *unit; k++) {
        const char *own = unit_of(value[k]);
        const size_t used = strlen(value[k]);
        if (own && !*own && used + strlen(unit) < SWEEP_TEXT)
            snprintf(value[k] + used, SWEEP_TEXT - used, "%s", unit);
    }
    return n;
}

/* ----------------------------------------------------------------------------------------------- folders */

/* Links the files of the patient's folder into the folder of the variant, except out/, sweep/ and hidden files.
 * Relative paths of the case thus stay valid. */
static int link_inputs(const char *dir, const char *to) {
    int rc = OK;
    DIR *folder = opendir(dir);
    if (!folder)
        return fail(ERR_INPUT, "cannot open '%s': %s", dir, strerror(errno));
    for (struct dirent *e; (e = readdir(folder));) {
        char target[PATIENT_PATH_MAX], name[PATIENT_PATH_MAX];
        if (e->d_name[0] == '.' || strcmp(e->d_name, "out") == 0 || strcmp(e->d_name, "sweep") == 0)
            continue;
        TRY(file_path(target, sizeof target, "../../%s", e->d_name));
        TRY(patient_path(name, to, e->d_name));
        if (symlink(target, name) != 0 && errno != EEXIST)
            GIVE_UP(fail(ERR_OUTPUT, "cannot write '%s': %s", name, strerror(errno)));
    }
cleanup:
    closedir(folder);
    return rc;
}

/* Shares a file as a hard link; a CSV file may grow in place and is copied. */
static int share_file(const char *from, const char *to) {
    char *text = NULL;
    size_t size = 0;
    if (!file_ends_with(from, ".csv") && (link(from, to) == 0 || errno == EEXIST))
        return OK;
    int rc = file_read(from, (size_t)1 << 40, &text, &size);
    rc = rc == OK ? file_write(to, text, size) : rc;
    free(text);
    return rc;
}

static int share_folder(const char *from, const char *to) {
    int rc = OK;
    DIR *folder = opendir(from);
    if (!folder)
        return OK;
    TRY(file_create_folder(to));
    for (struct dirent *e; (e = readdir(folder));) {
        char source[PATIENT_PATH_MAX], target[PATIENT_PATH_MAX];
        if (e->d_name[0] == '.' || strncmp(e->d_name, "checkpoint", 10) == 0)
            continue;
        TRY(patient_path(source, from, e->d_name));
        TRY(patient_path(target, to, e->d_name));
        TRY(file_is_folder(source) ? share_folder(source, target) : share_file(source, target));
    }
cleanup:
    closedir(folder);
    return rc;
}

/* Lets the variant use the results of the stages in `from`, up to the first stage that is not done or whose part of the
 * case differs. */
static int share_stages(const char *from, const options_list *from_set, const variant *v) {
    patient a, b = {.lock = -1};
    int rc;
    TRY(patient_open(from, from_set, CASE_WAVEFORMS, &a));
    TRY(patient_open(v->dir, &v->set, CASE_WAVEFORMS, &b));
    for (int k = 0; k < STAGE_COUNT; k++) {
        char one[17], other[17], source[PATIENT_PATH_MAX], target[PATIENT_PATH_MAX];
        stage_state s, own;
        case_digest(&a.c, stages_table[k].name, one);
        case_digest(&b.c, stages_table[k].name, other);
        stage_state_find(&a, k, &s);
        stage_state_find(&b, k, &own);
        if (s.kind == STATE_NOT_NEEDED)
            continue;
        if (strcmp(one, other) != 0 || s.kind != STATE_DONE)
            break;
        if (own.kind == STATE_DONE)
            continue;
        TRY(patient_path(source, a.out, stages_table[k].out));
        TRY(patient_path(target, b.out, stages_table[k].out));
        TRY(share_folder(source, target));
    }
cleanup:
    patient_close(&a);
    patient_close(&b);
    return rc;
}

/* ------------------------------------------------------------------------------------------ combinations */

typedef struct {
    int n_key, n[KEYS], n_variant;
    /* n_varied: number of keys with several values; x: index of the first such key, whose values are the x axis of the
     * curves */
    int n_varied, x;
    char key[KEYS][SWEEP_TEXT];
    char value[KEYS][SWEEP_VALUES][SWEEP_TEXT];
    variant *v; /* variants, owned */
} plan;

static int plan_read(const options_list *set, plan *p) {
    p->n_variant = 1;
    for (int k = 0; k < set->n; k++) {
        const char *equals = strchr(set->word[k], '=');
        if (p->n_key == KEYS)
            return fail(ERR_USAGE, "a sweep takes up to %d keys; remove some of the options --set", KEYS);
        if (!equals || equals - set->word[k] >= SWEEP_TEXT)
            return fail(ERR_USAGE, "--set %.60s: give a key and its values, such as --set blood.viscosity='3, 4 mPa s'",
                        set->word[k]);
        snprintf(p->key[p->n_key], SWEEP_TEXT, "%.*s", (int)(equals - set->word[k]), set->word[k]);
        p->n[p->n_key] = sweep_split(equals + 1, p->value[p->n_key]);
        if (p->n[p->n_key] < 0)
            return fail(ERR_USAGE, "--set %.60s: give 1 to %d values of up to %d characters, separated by commas",
                        set->word[k], SWEEP_VALUES, SWEEP_TEXT - 1);
        if (p->n[p->n_key] > 1 && p->n_varied++ == 0)
            p->x = p->n_key;
        p->n_variant *= p->n[p->n_key++];
    }
    if (p->n_key == 0)
        return fail(ERR_USAGE, "give a key to vary: --set KEY='v1, v2, ..'");
    if (p->n_variant > SWEEP_VARIANTS_MAX)
        return fail(ERR_USAGE, "%d combinations are more than %d; give fewer values", p->n_variant, SWEEP_VARIANTS_MAX);
    p->v = calloc((size_t)p->n_variant, sizeof *p->v);
    return p->v ? OK : fail_memory("the sweep", (double)p->n_variant * sizeof *p->v);
}

/* True if the value of a key is part of a combination's name, because the key has several values. */
static bool is_in_label(const plan *p, int key) {
    return p->n[key] > 1 || p->n_varied == 0;
}

/* Sets name and settings of combination k; the last key varies fastest. */
static int variant_make(const plan *p, const char *dir, int k) {
    variant *v = &p->v[k];
    int rest = k, rc = file_path(v->dir, sizeof v->dir, "%s/sweep/%02d", dir, k + 1);
    v->x = NAN;
    for (int j = p->n_key - 1; j >= 0; j--) {
        const char *value = p->value[j][rest % p->n[j]];
        rest /= p->n[j];
        snprintf(v->setting[j], sizeof v->setting[j], "%s=%s", p->key[j], value);
        if (j == p->x && unit_of(value))
            v->x = strtod(value, NULL);
    }
    for (int j = 0; j < p->n_key; j++) {
        const size_t n = strlen(v->label);
        v->argv[2 * j] = "--set";
        v->argv[2 * j + 1] = v->set.word[v->set.n++] = v->setting[j];
        if (is_in_label(p, j))
            snprintf(v->label + n, sizeof v->label - n, "%s%s", n ? ", " : "", strchr(v->setting[j], '=') + 1);
    }
    return rc;
}

static int variant_check(const char *dir, const variant *v) {
    patient p;
    const int rc = patient_open(dir, &v->set, CASE_FILES, &p);
    patient_close(&p);
    return rc;
}

static int prepare_variant(const plan *p, const char *dir, int k, int done) {
    int rc;
    TRY(file_create_folder(p->v[k].dir));
    TRY(link_inputs(dir, p->v[k].dir));
    TRY(share_stages(dir, NULL, &p->v[k]));
    for (int j = 0; j < done; j++)
        TRY(share_stages(p->v[j].dir, &p->v[j].set, &p->v[k]));
cleanup:
    return rc;
}

/* Runs all combinations. The first runs alone, so stages that all combinations share are computed once. */
static int run_all(const plan *p, const char *dir, const char *const *common, int jobs, int *worst, char *why) {
    many_patient one[SWEEP_VARIANTS_MAX] = {{0}};
    int rc = OK;
    for (int k = 0; k < p->n_variant; k++)
        one[k] = (many_patient){.dir = p->v[k].dir, .argc = 2 * p->n_key, .argv = p->v[k].argv};
    for (int k = 0, n; k < p->n_variant && !process_interrupted(); k += n) {
        n = k == 0 || jobs < 2 ? 1 : p->n_variant - k;
        for (int j = k; j < k + n; j++)
            TRY(prepare_variant(p, dir, j, k));
        const int one_rc = many_run(n, one + k, common, jobs, true);
        if (one_rc > *worst) {
            *worst = one_rc;
            snprintf(why, LABEL, "%.80s: %.400s", p->v[k].label, one[k].sentence);
        }
        status_clear();
    }
cleanup:
    return rc;
}

/* ------------------------------------------------------------------------------------------------- results */

static int draw_unit(const plan *p, const char *dir, const results_row *row, const char *unit) {
    char bin[PATIENT_PATH_MAX], csv[PATIENT_PATH_MAX], png[PATIENT_PATH_MAX], file[64], x[2 * SWEEP_TEXT], y[64];
    file_text text;
    process_result r = {0};
    int rc = OK;
    TRY(file_text_open(&text, "the curves"));
    fprintf(text.to, "series,style,x,y\n");
    for (int j = 0; j < row[0].n; j++)
        for (int k = 0; k < p->n_variant && row[0].number[j].main && strcmp(row[0].number[j].unit, unit) == 0; k++) {
            const row_number *at = results_row_find(&row[k], row[0].number[j].name);
            if (at && isfinite(at->value)) /* unusable runs get a curve of their own, whose name states the reason */
                fprintf(text.to, "%s%s%s,line,%.9g,%.9g\n", at->name, row[k].unusable[0] ? " " : "", row[k].unusable,
                        p->v[k].x, at->value);
        }
    snprintf(file, sizeof file, "sweep/sweep-%s",
             strcmp(unit, "mL/s") == 0   ? "flow"
             : strcmp(unit, "cm/s") == 0 ? "velocity"
                                         : unit);
    TRY(file_text_write(&text, file_path(csv, sizeof csv, "%s/%s.csv", dir, file), csv));
    TRY(file_path(png, sizeof png, "%s/%s.png", dir, file));
    TRY(process_program("post", bin, sizeof bin));
    const char *x_unit = unit_of(p->value[p->x][0]);
    snprintf(x, sizeof x, "%s%s", p->key[p->x], x_unit ? x_unit : "");
    snprintf(y, sizeof y, "%s", unit);
    const char *argv[] = {bin, "plot", "--data", csv, "--out", png, "--title", p->key[p->x], "--x", x, "--y", y, NULL};
    TRY(process_run(argv, NULL, NULL, 1, &r));
    if (r.exit_code == 0)
        printf("curves: %s\n", png);
    else
        message_warn("the picture of the values in %s was not drawn: %.300s", unit, r.sentence);
cleanup:
    return rc;
}

static int print_and_write_results(const plan *p, const char *dir) {
    static const char *const unit[] = {"mmHg", "Pa", "mL/s", "cm/s"};
    results_row row[SWEEP_VARIANTS_MAX] = {0};
    const char *label[SWEEP_VARIANTS_MAX];
    char head[LABEL] = "", path[PATIENT_PATH_MAX];
    int rc = OK, n = 0;
    for (int j = 0; j < p->n_key; j++) {
        const size_t used = strlen(head);
        if (is_in_label(p, j))
            snprintf(head + used, sizeof head - used, "%s%s", used ? ", " : "", p->key[j]);
    }
    for (; n < p->n_variant; n++) {
        label[n] = p->v[n].label;
        TRY(results_row_read(p->v[n].dir, &p->v[n].set, &row[n]));
    }
    TRY(table_print(n, row, head, label));
    TRY(file_path(path, sizeof path, "%s/sweep/sweep.csv", dir));
    TRY(table_write(n, row, head, label, path));
    printf("table: %s\n", path);
    for (size_t k = 0; k < sizeof unit / sizeof *unit && p->n_varied == 1 && isfinite(p->v[0].x); k++)
        TRY(draw_unit(p, dir, row, unit[k]));
cleanup:
    for (int k = 0; k < n; k++)
        results_row_free(&row[k]);
    return rc;
}

int sweep_run(const char *dir, const options_list *set, const char *const *common, int jobs) {
    plan *p = calloc(1, sizeof *p);
    patient base = {.lock = -1};
    char why[LABEL] = "";
    int rc, worst = OK;
    if (!p)
        return fail_memory("the sweep", sizeof *p);
    TRY(plan_read(set, p));
    TRY(patient_open(dir, NULL, CASE_FILES, &base));
    for (int k = 0; k < p->n_variant; k++)
        TRY(variant_make(p, base.dir, k));
    for (int k = 0; k < p->n_variant; k++) /* checks all values before the first run */
        TRY(variant_check(dir, &p->v[k]));
    TRY(run_all(p, base.dir, common, jobs, &worst, why));
    TRY(print_and_write_results(p, base.dir));
    if (worst != OK)
        rc = fail(worst, "%s", why);
cleanup:
    patient_close(&base);
    free(p ? p->v : NULL);
    free(p);
    return rc;
}
