/* SPDX-License-Identifier: Apache-2.0 */
#include "common/record/json.h"
#include "common/base/file.h"
#include "common/base/status.h"
#include <math.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

static const size_t file_limit = 256000000;

/* Texts around the checksum in the last lines of a sealed file. The checksum covers the whole text, with zeros in place
 * of the checksum. */
static const char seal_before[] = ",\n\t\"seal\":\t\"", seal_after[] = "\"\n}\n";
enum { HEX = 16, SEAL = sizeof seal_before - 1 + HEX + sizeof seal_after - 1 };

static int parse_text(const char *path, const char *text, size_t size, cJSON **object) {
    const char *end = NULL;
    errno = 0;
    *object = cJSON_ParseWithLengthOpts(text, size + 1, &end, 1);
    if (*object)
        return OK;
    if (errno == ENOMEM)
        return fail_memory("the contents of a JSON file", 0);
    int line = 1;
    for (const char *p = text; end && p < end && p < text + size; p++)
        line += *p == '\n';
    return fail(ERR_INPUT,
                "%s:%d: this is not valid JSON, because the file was cut short, damaged or edited; write it again with "
                "its program",
                path, line);
}

int json_read(const char *path, cJSON **object) {
    char *text = NULL;
    size_t size;
    *object = NULL;
    int rc = file_read(path, file_limit, &text, &size);
    if (rc == OK)
        rc = parse_text(path, text, size, object);
    free(text);
    return rc;
}

static void checksum_text(const char *text, size_t size, char hex[HEX + 1]) {
    snprintf(hex, HEX + 1, "%016llx", (unsigned long long)XXH3_64bits(text, size));
}

/* True when the text has a valid seal. Replaces the checksum in the text by zeros. */
static bool seal_holds(char *text, size_t size) {
    char found[HEX + 1] = "", wanted[HEX + 1];
    if (size < SEAL)
        return false;
    char *at = text + size - SEAL, *hex = at + sizeof seal_before - 1;
    if (memcmp(at, seal_before, sizeof seal_before - 1) != 0 ||
        memcmp(hex + HEX, seal_after, sizeof seal_after - 1) != 0)
        return false;
    memcpy(found, hex, HEX);
    memset(hex, '0', HEX);
    checksum_text(text, size, wanted);
    return memcmp(found, wanted, HEX) == 0;
}

int json_read_sealed(const char *path, cJSON **object) {
    char *text = NULL;
    size_t size;
    int rc = OK;
    *object = NULL;
    TRY(file_read(path, file_limit, &text, &size));
    if (!seal_holds(text, size))
        GIVE_UP(fail(ERR_INPUT,
                     "'%s' was changed after it was written: it was cut short, damaged, edited, or written by an older "
                     "version; run its stage again",
                     path));
    TRY(parse_text(path, text, size, object));
cleanup:
    free(text);
    return rc;
}

/* True after memory ran out, because cJSON then silently omits items. Objects of this process must not be written
 * afterwards. */
static atomic_bool incomplete;

static void *allocate_tracked(size_t size) {
    void *p = malloc(size);
    if (!p)
        atomic_store(&incomplete, true);
    return p;
}

__attribute__((constructor)) static void install_memory_hooks(void) {
    cJSON_InitHooks(&(cJSON_Hooks){allocate_tracked, free});
}

/* Print `object` with `more` spare bytes at the end. Caller frees; NULL: no memory, now or while the object was
 * built. */
static char *print_object(const cJSON *object, size_t more) {
    char *text = atomic_load(&incomplete) ? NULL : cJSON_Print(object);
    char *longer = text ? realloc(text, strlen(text) + more + 1) : NULL;
    if (!longer)
        cJSON_free(text);
    return longer;
}

int json_write(const char *path, const cJSON *object) {
    char *text = print_object(object, 1);
    if (!text)
        return fail_memory(path, 0);
    const size_t size = strlen(text);
    memcpy(text + size, "\n", 2);
    const int rc = file_write(path, text, strlen(text));
    free(text);
    return rc;
}

int json_write_sealed(const char *path, const cJSON *object) {
    char hex[HEX + 1], *text = object->child ? print_object(object, SEAL) : NULL;
    if (!text)
        return fail_memory(path, 0);
    char *end = text + strlen(text) - 2; /* position of the last brace, which is on a line alone */
    const int n = snprintf(end, SEAL + 1, "%s%0*d%s", seal_before, HEX, 0, seal_after);
    const size_t size = (size_t)(end - text) + (size_t)n;
    checksum_text(text, size, hex);
    memcpy(end + sizeof seal_before - 1, hex, HEX);
    const int rc = file_write(path, text, size);
    free(text);
    return rc;
}

double json_round(double value) {
    char text[40];
    snprintf(text, sizeof text, "%.9g", value);
    return strtod(text, NULL);
}

void json_add_number(cJSON *object, const char *key, double value) {
    if (isfinite(value))
        cJSON_AddNumberToObject(object, key, json_round(value));
    else
        cJSON_AddNullToObject(object, key);
}

void json_add_numbers(cJSON *object, const char *key, int n, const double *value) {
    cJSON *array = cJSON_AddArrayToObject(object, key);
    for (int k = 0; k < n; k++)
        cJSON_AddItemToArray(array, isfinite(value[k]) ? cJSON_CreateNumber(json_round(value[k])) : cJSON_CreateNull());
}

double json_get_number(const cJSON *object, const char *key) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsNumber(item) ? item->valuedouble : NAN;
}

const cJSON *json_find(const cJSON *object, const char *path) {
    char *words = strdup(path), *rest = words, *word;
    const cJSON *at = words ? object : NULL;
    while (at && (word = strsep(&rest, "/")))
        at = cJSON_IsArray(at) ? cJSON_GetArrayItem(at, atoi(word)) : cJSON_GetObjectItemCaseSensitive(at, word);
    free(words);
    return at;
}

const char *json_get_text(const cJSON *object, const char *key) {
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
}

bool json_get_vector(const cJSON *array, double vector[3]) {
    for (int a = 0; a < 3; a++)
        vector[a] = cJSON_GetNumberValue(cJSON_GetArrayItem(array, a));
    return isfinite(vector[0]) && isfinite(vector[1]) && isfinite(vector[2]);
}
