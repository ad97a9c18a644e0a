/* SPDX-License-Identifier: Apache-2.0 */
/* Two results of `solve` on one lattice, from two devices: fields, flows and pressures of the openings, monitors.
 *
 *   compare_runs LATTICE A B FIELDS READOUTS      L2 differences relative to A; fails above FIELDS (fields; 5 times it
 *                                                 for stress) or READOUTS (openings, rows of monitors.csv) */
#include "common/lattice/field_file.h"
#include "common/base/file.h"
#include "common/lattice/lattice_file.h"
#include "common/base/status.h"
#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

static void check(const char *what, double value, double limit) {
    printf("  %-34s %.2e%s\n", what, value, value <= limit ? "" : "   ABOVE ITS LIMIT");
    failures += !(value <= limit);
}

static int text_of(const char *folder, const char *name, char **text) {
    char *path = file_join(folder, name);
    size_t size;
    const int rc = path ? file_read(path, (size_t)1 << 30, text, &size) : fail_memory("a path", 1);
    free(path);
    return rc;
}

/* |b - a| / |a|; values that are not numbers in both are left out, in one of them counts as all wrong. */
static double difference(const float *a, const float *b, int64_t n, double offset) {
    double d = 0, square = 0;
    for (int64_t k = 0; k < n; k++) {
        if (isnan(a[k]) && isnan(b[k]))
            continue;
        d += ((double)b[k] - a[k]) * ((double)b[k] - a[k]);
        square += (a[k] - offset) * (a[k] - offset);
    }
    return isfinite(d) ? sqrt(d / (square + 1e-60)) : INFINITY;
}

static double mean(const float *a, int64_t n) {
    double sum = 0, count = 1e-30;
    for (int64_t k = 0; k < n; k++)
        if (isfinite(a[k])) {
            sum += a[k];
            count += 1;
        }
    return sum / count;
}

static int compare_fields(const lattice *l, const char *a_folder, const char *b_folder, const char *name,
                          double limit) {
    char *a_path = file_join(a_folder, name), *b_path = file_join(b_folder, name);
    fields a = {0}, b = {0};
    int rc = OK;
    if (!file_exists(a_path))
        goto cleanup;
    TRY(field_file_read(a_path, l, &a));
    TRY(field_file_read(b_path, l, &b));
    printf("%s\n", name);
    check("velocity", difference(a.velocity_m_s, b.velocity_m_s, 3 * l->n_cell, 0), limit);
    check("pressure, beside its mean",
          difference(a.pressure_pa, b.pressure_pa, l->n_cell, mean(a.pressure_pa, l->n_cell)), limit);
    check("viscous stress", difference(a.stress_pa, b.stress_pa, 6 * l->n_cell, 0), 5 * limit);
cleanup:
    fields_free(&a);
    fields_free(&b);
    free(a_path);
    free(b_path);
    return rc;
}

static double number(const cJSON *object, const char *name) {
    return cJSON_GetNumberValue(cJSON_GetObjectItem(object, name));
}

/* Flows against the largest flow, pressures against the largest difference between openings. */
static int compare_openings(const char *a_folder, const char *b_folder, double limit) {
    char *text[2] = {NULL, NULL};
    cJSON *json[2] = {NULL, NULL};
    int rc = OK;
    TRY(text_of(a_folder, "solve.json", &text[0]));
    TRY(text_of(b_folder, "solve.json", &text[1]));
    for (int k = 0; k < 2; k++)
        json[k] = cJSON_Parse(text[k]);
    const cJSON *a = cJSON_GetObjectItem(cJSON_GetObjectItem(json[0], "result"), "openings"), *one;
    const cJSON *b = cJSON_GetObjectItem(cJSON_GetObjectItem(json[1], "result"), "openings");
    double flow = 0, low = INFINITY, high = -INFINITY;
    cJSON_ArrayForEach(one, a) {
        flow = fmax(flow, fabs(number(one, "flow_ml_s")));
        low = fmin(low, number(one, "pressure_pa"));
        high = fmax(high, number(one, "pressure_pa"));
    }
    printf("solve.json, pressure drop %.6g Pa\n", high - low);
    cJSON_ArrayForEach(one, a) {
        const cJSON *other = cJSON_GetObjectItem(b, one->string);
        char what[80];
        snprintf(what, sizeof what, "flow at %s", one->string);
        check(what, fabs(number(one, "flow_ml_s") - number(other, "flow_ml_s")) / flow, limit);
        snprintf(what, sizeof what, "pressure at %s", one->string);
        check(what, fabs(number(one, "pressure_pa") - number(other, "pressure_pa")) / (high - low), limit);
    }
cleanup:
    for (int k = 0; k < 2; k++) {
        cJSON_Delete(json[k]);
        free(text[k]);
    }
    return rc;
}

enum { COLUMNS = 64 };

static int row_read(const char **at, double value[COLUMNS]) {
    int n = 0;
    for (char *end; n < COLUMNS; n++) {
        value[n] = strtod(*at, &end);
        *at = end + (*end == ',');
        if (*end != ',')
            return n + 1;
    }
    return n;
}

/* Every row's flows and pressures, against the largest spread of the column. */
static int compare_monitors(const char *a_folder, const char *b_folder, double limit) {
    char *text[2] = {NULL, NULL};
    double worst[COLUMNS] = {0}, low[COLUMNS], high[COLUMNS], most = 0;
    int rc = OK, columns = 0, rows = 0, steps = 0;
    for (int k = 0; k < COLUMNS; k++)
        low[k] = INFINITY, high[k] = -INFINITY;
    TRY(text_of(a_folder, "monitors.csv", &text[0]));
    TRY(text_of(b_folder, "monitors.csv", &text[1]));
    const char *a = strchr(text[0], '\n') + 1, *b = strchr(text[1], '\n') + 1;
    for (; *a && *b; rows++) {
        double x[COLUMNS], y[COLUMNS];
        columns = row_read(&a, x);
        row_read(&b, y);
        a += *a == '\n';
        b += *b == '\n';
        steps += x[0] != y[0];
        for (int k = 4; k < columns; k++) {
            worst[k] = fmax(worst[k], fabs(x[k] - y[k]));
            low[k] = fmin(low[k], x[k]);
            high[k] = fmax(high[k], x[k]);
        }
    }
    for (int k = 4; k < columns; k++)
        most = fmax(most, worst[k] / fmax(high[k] - low[k], fmax(fabs(high[k]), fabs(low[k])) * 1e-3));
    printf("monitors.csv, %d rows\n", rows);
    check("rows of other steps", steps, 0);
    check("flows and pressures", rows > 0 ? most : INFINITY, limit);
cleanup:
    free(text[0]);
    free(text[1]);
    return rc;
}

int main(int argc, char **argv) {
    lattice l = {0};
    int rc = OK;
    if (argc != 6) {
        fprintf(stderr, "compare_runs LATTICE A B FIELDS READOUTS\n");
        return 2;
    }
    const double fields_limit = atof(argv[4]), readouts_limit = atof(argv[5]);
    TRY(lattice_file_read(argv[1], &l));
    TRY(compare_fields(&l, argv[2], argv[3], "fields.vtkhdf", fields_limit));
    for (int k = 0; k < 8; k++) {
        char name[32];
        snprintf(name, sizeof name, "fields_%04d.vtkhdf", k);
        TRY(compare_fields(&l, argv[2], argv[3], name, fields_limit));
    }
    TRY(compare_openings(argv[2], argv[3], readouts_limit));
    TRY(compare_monitors(argv[2], argv[3], readouts_limit));
cleanup:
    lattice_free(&l);
    if (rc != OK)
        fprintf(stderr, "compare_runs: %s\n", status_message());
    return rc != OK || failures > 0;
}
