/* See provenance.h: the json_ part. */
#include "common/base/file.h"
#include "common/record/provenance.h"
#include "common/base/status.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t file_limit = 256000000;

int json_read(const char *path, cJSON **object) {
    char *text = NULL;
    size_t size;
    int rc = OK;
    *object = NULL;
    TRY(file_read(path, file_limit, &text, &size));
    const char *end = NULL;
    *object = cJSON_ParseWithLengthOpts(text, size + 1, &end, 1);
    if (!*object) {
        int line = 1;
        for (const char *p = text; end && p < end && p < text + size; p++)
            line += *p == '\n';
        rc = fail(ERR_INPUT, "%s:%d: this is not JSON", path, line);
    }
cleanup:
    free(text);
    return rc;
}

int json_write(const char *path, const cJSON *object) {
    char *text = cJSON_Print(object);
    if (!text)
        return fail_memory(path, 65536);
    size_t n = strlen(text);
    char *line = realloc(text, n + 2);
    if (!line) {
        cJSON_free(text);
        return fail_memory(path, (double)n);
    }
    line[n] = '\n';
    line[n + 1] = '\0';
    int rc = file_write(path, line, n + 1);
    free(line);
    return rc;
}

double json_round(double value) {
    char text[40];
    snprintf(text, sizeof text, "%.9g", value);
    return strtod(text, NULL);
}

void json_number(cJSON *object, const char *key, double value) {
    if (isfinite(value))
        cJSON_AddNumberToObject(object, key, json_round(value));
    else
        cJSON_AddNullToObject(object, key);
}

void json_numbers(cJSON *object, const char *key, int n, const double *value) {
    cJSON *array = cJSON_AddArrayToObject(object, key);
    for (int k = 0; k < n; k++)
        cJSON_AddItemToArray(array, isfinite(value[k]) ? cJSON_CreateNumber(json_round(value[k])) : cJSON_CreateNull());
}

double json_get(const cJSON *object, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}
