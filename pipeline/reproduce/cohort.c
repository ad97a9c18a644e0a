/* verify:cohort. Vessels that nobody drew: 60 random patients (`phantom --kind random --seed 1` to 60), each through
 * mesh, solve and post with nothing set, and again with a finer spacing. Does every one of them end with an answer, and
 * how far is it from the finer lattice's? The error of the default lattice is estimated from the difference of the two
 * for a scheme of second order: difference / (1 - 1 / finer^2). */
#include "common/base/file.h"
#include "common/base/message.h"
#include "common/base/status.h"
#include "common/record/json.h"
#include "common/record/provenance.h"
#include "pipeline/reproduce/item.h"
#include "pipeline/run/stages.h"
#include "pipeline/trial/draw.h"
#include "pipeline/trial/outcome.h"
#include "pipeline/trial/plot.h"
#include "pipeline/trial/speed_table.h"
#include "pipeline/trial/trial.h"
#include "pipeline/trial/workers.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VESSELS = 60, LEAST = 4, ENDS = 8 };
/* Below the scale `referred` the runs are looked at alone: simple vessels, a wider tolerance, no finer lattice. */
static const double referred = 0.3, finer = 1.4, usual_across = 24, least_across = 8, viscosity_mpa_s = 3.5;

/* What the openings read, and the wall. */
typedef struct {
    int n;
    char name[ENDS][32];
    bool inlet[ENDS];
    double flow_ml_s[ENDS], pressure_pa[ENDS];
    double wss_pa; /* mean, NaN: not computed */
} reading;

typedef struct {
    int seed;
    double junctions, stenosis, aneurysms, reynolds; /* as drawn */
    outcome usual, fine;
    reading at;
    double drop_pa;          /* largest between an inlet and an outlet */
    double drop, split, wss; /* errors in percent (split: of the outflow, points), NaN: unknown */
} vessel;

/* ------------------------------------------------------------------------------------------- one vessel */

static int read_drawn(const char *folder, vessel *v) {
    const struct {
        const char *name;
        double *value;
    } wanted[] = {{"junctions", &v->junctions},
                  {"stenosis", &v->stenosis},
                  {"aneurysms", &v->aneurysms},
                  {"throat_reynolds", &v->reynolds}};
    char truth[FILE_PATH_MAX + 16];
    speed_table t = {0};
    snprintf(truth, sizeof truth, "%s/truth", folder);
    const int rc = speed_table_read(truth, "truth.csv", &t);
    for (int k = 0; k < 4; k++) {
        *wanted[k].value = NAN;
        for (int row = 0; rc == OK && row < t.n_row; row++)
            if (strcmp(speed_table_word(&t, row, "name"), wanted[k].name) == 0)
                *wanted[k].value = speed_table_number(&t, row, "value");
    }
    speed_table_free(&t);
    return rc;
}

static int read_openings(const trial *t, reading *r) {
    cJSON *json = NULL;
    const cJSON *one;
    double wss;
    *r = (reading){.wss_pa = NAN};
    const int rc = trial_result(t, "solve/solve.json", &json);
    const cJSON *result = cJSON_GetObjectItemCaseSensitive(json, "result");
    cJSON_ArrayForEach(one, cJSON_GetObjectItemCaseSensitive(result, "openings")) {
        const char *role = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(one, "role"));
        if (r->n == ENDS)
            break;
        snprintf(r->name[r->n], sizeof r->name[0], "%s", one->string);
        r->inlet[r->n] = role && strcmp(role, "inlet") == 0;
        r->flow_ml_s[r->n] = json_get(one, "flow_ml_s");
        r->pressure_pa[r->n++] = json_get(one, "pressure_pa");
    }
    cJSON_Delete(json);
    if (rc == OK && trial_number(t, "post/readouts.json", "wss/mean_pa", &wss) == OK)
        r->wss_pa = wss;
    else if (rc == OK)
        status_clear();
    return rc;
}

/* Largest difference of pressure between an inlet and an outlet. */
static double drop_of(const reading *r, int *from, int *to) {
    double most = -INFINITY;
    *from = *to = 0;
    for (int i = 0; i < r->n; i++)
        for (int j = 0; j < r->n; j++)
            if (r->inlet[i] && !r->inlet[j] && r->pressure_pa[i] - r->pressure_pa[j] > most) {
                most = r->pressure_pa[i] - r->pressure_pa[j];
                *from = i;
                *to = j;
            }
    return most;
}

static double share(const reading *r, int k) {
    double sum = 0;
    for (int j = 0; j < r->n; j++)
        sum += r->inlet[j] ? 0 : r->flow_ml_s[j];
    return 100 * r->flow_ml_s[k] / sum;
}

static void compare(const reading *fine, vessel *v) {
    const double whole = 1 / (1 - 1 / (finer * finer));
    const reading *r = &v->at;
    int from, to;
    const double drop = drop_of(fine, &from, &to);
    v->drop = 100 * whole * fabs((r->pressure_pa[from] - r->pressure_pa[to]) / drop - 1);
    v->wss = 100 * whole * fabs(r->wss_pa / fine->wss_pa - 1);
    v->split = 0;
    for (int k = 0; k < r->n; k++)
        if (!r->inlet[k])
            v->split = fmax(v->split, whole * fabs(share(r, k) - share(fine, k)));
}

/* One lattice. spacing_mm 0: nothing is set. */
static int run_lattice(const item_context *x, const char *patient, const char *name, double spacing_mm, double across,
                       outcome *end, reading *r) {
    trial t = {0};
    int rc = OK;
    trial_create(&t, patient, x->work, name);
    if (spacing_mm > 0)
        trial_set(&t, "mesh.spacing", "%.9g mm", spacing_mm);
    else if (across < usual_across)
        trial_set(&t, "mesh.cells_across", "%g", across);
    if (x->scale < 1)
        trial_set(&t, "blood.viscosity", "%.9g mPa s", viscosity_mpa_s / x->scale);
    if (x->scale < referred)
        trial_set(&t, "solve.tolerance", "1e-4");
    TRY(outcome_run(&t, x->run, STAGE_POST, end));
    if (end->solved)
        TRY(read_openings(&t, r));
cleanup:
    trial_free(&t);
    return rc;
}

static int run_vessel(const item_context *x, int seed, double across, vessel *v, bool *wanted) {
    char patient[FILE_PATH_MAX], name[32], word[2][32];
    reading fine = {0};
    int rc = OK, from, to;
    *v = (vessel){.seed = seed, .drop_pa = NAN, .drop = NAN, .split = NAN, .wss = NAN};
    TRY(draw_random(x->work, seed, patient));
    TRY(read_drawn(patient, v));
    *wanted = x->scale >= referred || v->junctions == 1;
    if (!*wanted)
        goto cleanup;
    snprintf(name, sizeof name, "%02d", seed);
    TRY(run_lattice(x, patient, name, 0, across, &v->usual, &v->at));
    if (v->usual.solved)
        v->drop_pa = drop_of(&v->at, &from, &to);
    snprintf(name, sizeof name, "%02d-fine", seed);
    if (isnan(v->usual.dx_mm) || x->scale < referred || (v->usual.exit != OK && !outcome_good(&v->usual)))
        outcome_clear(&v->fine);
    else
        TRY(run_lattice(x, patient, name, v->usual.dx_mm / finer, across, &v->fine, &fine));
    if (outcome_good(&v->usual) && outcome_good(&v->fine))
        compare(&fine, v);
    snprintf(name, sizeof name, isnan(v->drop) ? "not known" : "%.2g %%", v->drop);
    message_info("seed %d: %s; finer: %s; error of the drop: %s", seed, outcome_word(&v->usual, word[0]),
                 outcome_word(&v->fine, word[1]), name);
cleanup:
    return rc;
}

/* ---------------------------------------------------------------------------------------- what is shown */

static const char *cell(char text[32], const char *format, double value) {
    text[0] = '\0';
    if (isfinite(value))
        snprintf(text, 32, format, value);
    return text;
}

static void table(results *r, int n, const vessel *v) {
    char a[8][32], word[2][32];
    results_table(
        r, "vessels",
        "seed|junctions|stenosis (% of the area)|aneurysms|throat Re, drawn|Re, solve|cells|ended|swing (%)|exit|steps|"
        "seconds|drop (Pa)|error of drop (%)|of split (points)|of wall shear stress (%)|finer: cells|ended|"
        "steps|seconds");
    for (int k = 0; k < n; k++) {
        const outcome *u = &v[k].usual, *f = &v[k].fine;
        results_row(r, "%d|%.0f|%.0f|%.0f|%.0f|%s|%s|%s|%s|%d|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s", v[k].seed, v[k].junctions,
                    v[k].stenosis, v[k].aneurysms, v[k].reynolds, cell((char[32]){0}, "%.0f", u->reynolds),
                    cell((char[32]){0}, "%.0f", u->cells), outcome_word(u, word[0]),
                    cell((char[32]){0}, "%.1f", u->swing_percent), u->exit, cell((char[32]){0}, "%.0f", u->steps),
                    cell((char[32]){0}, "%.0f", u->seconds), cell(a[0], "%.4g", v[k].drop_pa),
                    cell(a[1], "%.2f", v[k].drop), cell(a[2], "%.2f", v[k].split), cell(a[3], "%.2f", v[k].wss),
                    cell(a[4], "%.0f", f->cells), outcome_word(f, word[1]), cell(a[5], "%.0f", f->steps),
                    cell(a[6], "%.0f", f->seconds));
    }
    for (int k = 0; k < n; k++) {
        if (!outcome_good(&v[k].usual) && v[k].usual.sentence[0])
            results_text(r, "Seed %d: %s", v[k].seed, v[k].usual.sentence);
        if (!outcome_good(&v[k].fine) && v[k].fine.exit != OK)
            results_text(r, "Seed %d, finer: %s", v[k].seed, v[k].fine.sentence);
    }
}

static int ascending(const void *a, const void *b) {
    const double d = *(const double *)a - *(const double *)b;
    return (d > 0) - (d < 0);
}

/* Errors in ascending order; what is not known counts as infinite. */
static void sorted(int n, const vessel *v, double vessel_value(const vessel *), double *error) {
    for (int k = 0; k < n; k++) {
        error[k] = vessel_value(&v[k]);
        if (isnan(error[k]))
            error[k] = 1e30;
    }
    qsort(error, (size_t)n, sizeof *error, ascending);
    for (int k = 0; k < n; k++)
        if (error[k] > 1e29)
            error[k] = INFINITY;
}

static double drop_error(const vessel *v) {
    return v->drop;
}

static double split_error(const vessel *v) {
    return v->split;
}

static double wss_error(const vessel *v) {
    return v->wss;
}

/* The value that a share of the vessels does not pass, the next larger one of the list. */
static double quantile(int n, const double *error, double part) {
    return error[(int)fmin(n - 1, ceil(part * n) - 1)];
}

static const struct {
    const char *name;
    double (*value)(const vessel *);
} kinds[] = {{"pressure drop (%)", drop_error}, {"split (points)", split_error}, {"wall shear stress (%)", wss_error}};

static void draw(results *r, int n, const vessel *v) {
    double error[VESSELS], part[VESSELS], reynolds[VESSELS];
    plot p = {.name = "errors",
              .title = "Errors of the vessels in ascending order",
              .x_label = "share of the vessels (%)",
              .y_label = "error"};
    plot q = {.name = "drop",
              .title = "Error of the pressure drop",
              .x_label = "throat Reynolds number, as drawn",
              .y_label = "error (%)",
              .log_x = 1};
    int known = 0;
    for (int kind = 0; kind < 3; kind++) {
        sorted(n, v, kinds[kind].value, error);
        known = 0;
        for (int k = 0; k < n && isfinite(error[k]); k++, known++)
            part[k] = 100.0 * (k + 1) / n;
        if (known > 0)
            plot_curve(&p, kinds[kind].name, PLOT_POINTS, known, part, error);
    }
    known = 0;
    for (int k = 0; k < n; k++)
        if (isfinite(v[k].drop)) {
            reynolds[known] = v[k].reynolds;
            error[known++] = v[k].drop;
        }
    if (known == 0) {
        results_text(r, "No vessel has an answer on both lattices: no picture.");
        plot_free(&p);
        return;
    }
    plot_curve(&q, "vessels", PLOT_POINTS, known, reynolds, error);
    plot_write(&p, r);
    plot_write(&q, r);
}

static void summarize(results *r, int n, const vessel *v) {
    double error[VESSELS];
    results_table(r, "errors", "error of|median|95th percentile|largest");
    for (int kind = 0; kind < 3; kind++) {
        sorted(n, v, kinds[kind].value, error);
        results_row(r, "%s|%.2f|%.2f|%.2f", kinds[kind].name, quantile(n, error, 0.5), quantile(n, error, 0.95),
                    error[n - 1]);
    }
}

static void judge_ends(results *r, int n, const vessel *v) {
    char what[96];
    int good = 0;
    for (int k = 0; k < n; k++)
        good += outcome_good(&v[k].usual);
    snprintf(what, sizeof what, "vessels that settle or are said to be unsteady, of %d", n);
    results_at_least(r, what, good, n);
}

static void judge_errors(results *r, int n, double across, const vessel *v) {
    double error[VESSELS];
    const double coarser = usual_across / across;
    sorted(n, v, drop_error, error);
    results_at_most(r, "median error of the pressure drop (%); limit 2 % times (24 / cells across)^2",
                    quantile(n, error, 0.5), 2 * coarser * coarser);
    results_at_most(r, "95th percentile of it (%); limit 6 % times (24 / cells across)^2", quantile(n, error, 0.95),
                    6 * coarser * coarser);
}

static void introduce(const item_context *x, results *r, int n, double across) {
    results_text(
        r,
        "Patients of `phantom --kind random --seed N`: vessels of 1.5 to 8 mm radius in any direction with one to "
        "three branches that leave or join them, bends, taper, eccentric stenoses of up to 90 %% of the area with or "
        "without a widening behind, aneurysms; flows given at the inlets, pressure 0 at the outlets; throat Reynolds "
        "numbers, with flows by the cube law, of 50 to 1500. A case that fails is a row. Limits were set before the "
        "first run.");
    if (x->scale < 1)
        results_text(r,
                     "At this scale: %d vessels%s, %g cells across the narrowest opening, Reynolds numbers times %g%s.",
                     n, x->scale < referred ? " with one junction" : "", across, x->scale,
                     x->scale < referred ? ", tolerance 1e-4; no finer lattice" : "");
    if (x->scale >= referred)
        results_text(
            r,
            "The reference is the same with a spacing %.1f times finer; errors are %.2f times the difference, that of "
            "a scheme of second order. Drop: largest between an inlet and an outlet; split: largest change of an "
            "outlet's share; wall shear stress: mean. What has no answer counts as infinitely wrong.",
            finer, 1 / (1 - 1 / (finer * finer)));
}

typedef struct {
    const item_context *x;
    double across;
} cohort_work;

static int work_vessel(void *data, int k) {
    const cohort_work *w = data;
    vessel v;
    bool wanted;
    return run_vessel(w->x, k + 1, w->across, &v, &wanted);
}

int item_cohort(const item_context *x, results *r) {
    static vessel v[VESSELS];
    const int n = (int)fmax(LEAST, round(VESSELS * x->scale * x->scale));
    const double across = fmax(least_across, round(usual_across * x->scale));
    int rc = OK;
    introduce(x, r, n, across);
    if (x->jobs > 1)
        TRY(workers_run(x->jobs, n, work_vessel, &(cohort_work){x, across}, x->work));
    for (int k = 0, seed = 1; k < n; seed++) {
        bool wanted;
        TRY(run_vessel(x, seed, across, &v[k], &wanted));
        k += wanted;
    }
    table(r, n, v);
    judge_ends(r, n, v);
    if (x->scale < referred)
        goto cleanup;
    summarize(r, n, v);
    draw(r, n, v);
    judge_errors(r, n, across, v);
cleanup:
    return rc;
}
