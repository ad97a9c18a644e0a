/* SPDX-License-Identifier: Apache-2.0 */
#include "post/flow/solution.h"
#include "common/record/json.h"
#include "common/base/status.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Smallest relative error of the averages of a run that ended at its limit of work, before the averages had settled */
static const double error_of_cut = 0.01;

static void read_numbers(const cJSON *r, solution *s) {
    const struct {
        const char *key;
        double *value;
    } table[] = {{"steps", &s->steps},
                 {"dx_mm", &s->dx_mm},
                 {"dt_s", &s->dt_s},
                 {"tau", &s->tau},
                 {"reynolds", &s->reynolds},
                 {"womersley", &s->womersley},
                 {"mach", &s->mach},
                 {"mlups", &s->mlups},
                 {"seconds", &s->seconds},
                 {"flow_balance", &s->flow_balance},
                 {"cycle_period_s", &s->cycle_period_s},
                 {"cycles", &s->cycles},
                 {"residual", &s->change},
                 {"variation", &s->variation},
                 {"cycle_change", &s->cycle_change},
                 {"cycles_left", &s->cycles_left},
                 {"tolerance", &s->tolerance}};
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        *table[k].value = json_get_number(r, table[k].key);
    const struct {
        const char *key;
        char *word;
        size_t size;
    } words[] = {{"device", s->device, sizeof s->device},
                 {"mode", s->mode, sizeof s->mode},
                 {"wall", s->wall, sizeof s->wall},
                 {"collision", s->collision, sizeof s->collision},
                 {"precision", s->precision, sizeof s->precision}};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        const char *text = cJSON_GetStringValue(json_find(r, words[k].key));
        snprintf(words[k].word, words[k].size, "%s", text ? text : "");
    }
    s->unsteady_s = json_get_number(cJSON_GetObjectItemCaseSensitive(r, "unsteady"), "mean_of_s");
    s->converged = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(r, "converged"));
    s->too_coarse = cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(r, "too_coarse"));
    s->pulsatile = strcmp(s->mode, "pulsatile") == 0;
    s->vlbm = strcmp(s->wall, "vlbm") == 0;
}

static int read_openings(const cJSON *r, const lattice *l, solution *s) {
    const cJSON *openings = cJSON_GetObjectItemCaseSensitive(r, "openings");
    s->flow_ml_s = malloc(((size_t)l->n_opening + 1) * sizeof *s->flow_ml_s);
    s->pressure_pa = malloc(((size_t)l->n_opening + 1) * sizeof *s->pressure_pa);
    if (!s->flow_ml_s || !s->pressure_pa)
        return fail_memory("the openings", 16.0 * l->n_opening);
    for (int k = 0; k < l->n_opening; k++) {
        const cJSON *o = cJSON_GetObjectItemCaseSensitive(openings, l->opening[k].name);
        s->flow_ml_s[k] = json_get_number(o, "flow_ml_s");
        s->pressure_pa[k] = json_get_number(o, "pressure_pa");
    }
    return OK;
}

/* Reads the file name of an item. Only a plain name is accepted, because a path could point outside the folder. */
static int read_file_name(const cJSON *item, char file[SOLUTION_FILE]) {
    const char *name = cJSON_GetStringValue(item);
    if (!name || !*name || strlen(name) >= SOLUTION_FILE || strchr(name, '/') || name[0] == '.')
        return fail(ERR_INPUT, "solve.json lists '%s' as a field file, which is not a plain file name; run solve again",
                    name ? name : "nothing");
    memcpy(file, name, strlen(name) + 1);
    return OK;
}

static int read_instants(const cJSON *r, solution *s) {
    const cJSON *list = cJSON_GetObjectItemCaseSensitive(r, "fields"), *item;
    int rc = OK, n = cJSON_GetArraySize(list);
    if (n < 1)
        return fail(ERR_INPUT, "solve.json lists no fields; run solve again");
    if (!s->pulsatile)
        return read_file_name(cJSON_GetObjectItemCaseSensitive(cJSON_GetArrayItem(list, 0), "file"), s->mean_file);
    TRY(read_file_name(cJSON_GetObjectItemCaseSensitive(r, "fields_mean"), s->mean_file));
    if (n < 3)
        return fail(ERR_INPUT,
                    "solve.json lists %d instants of the cycle; averages over the cycle need at least 3 (raise "
                    "solve.stores in the case)",
                    n);
    s->instant = calloc((size_t)n, sizeof *s->instant);
    if (!s->instant)
        return fail_memory("the instants", (double)n * sizeof *s->instant);
    cJSON_ArrayForEach(item, list) {
        solution_instant *to = &s->instant[s->n_instant++];
        to->time_s = json_get_number(item, "time_s");
        TRY(read_file_name(cJSON_GetObjectItemCaseSensitive(item, "file"), to->file));
    }
cleanup:
    return rc;
}

int solution_take(const cJSON *record, const lattice *l, solution *s) {
    int rc;
    memset(s, 0, sizeof *s);
    const cJSON *r = cJSON_GetObjectItemCaseSensitive(record, "result");
    if (!cJSON_IsObject(r))
        return fail(ERR_INPUT, "solve.json is damaged: it has no entry \"result\"; run solve again");
    read_numbers(r, s);
    if (!(fabs(s->dx_mm - l->spacing_mm) <= 1e-6 * l->spacing_mm))
        GIVE_UP(fail(ERR_INPUT,
                     "solve.json belongs to a lattice of %.6g mm spacing, this lattice has %.6g mm; run solve again",
                     s->dx_mm, l->spacing_mm));
    TRY(read_openings(r, l, s));
    TRY(read_instants(r, s));
cleanup:
    if (rc != OK)
        solution_free(s);
    return rc;
}

void solution_free(solution *s) {
    free(s->flow_ml_s);
    free(s->pressure_pa);
    free(s->instant);
    memset(s, 0, sizeof *s);
}

const char *solution_unusable(const solution *s) {
    return !s->converged ? "NOT CONVERGED" : s->too_coarse ? "TOO COARSE" : NULL;
}

const char *solution_usable_word(const solution *s) {
    const char *unusable = solution_unusable(s);
    return unusable ? unusable : "yes";
}

double solution_error_of_means(const cJSON *result) {
    double largest = 0, error = 0;
    const cJSON *one;
    cJSON_ArrayForEach(one, json_find(result, "unsteady/pressure_differences")) {
        const double mean = fabs(json_get_number(one, "mean_pa")), of = json_get_number(one, "error_pa") / mean;
        if (mean > largest && isfinite(of)) {
            largest = mean;
            error = of;
        }
    }
    return cJSON_IsTrue(json_find(result, "share_used")) ? fmax(error, error_of_cut) : error;
}
