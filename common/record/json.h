/* JSON files, and numbers in them. */
#ifndef PORTAFLOW_JSON_H
#define PORTAFLOW_JSON_H
#include "common/base/must_check.h"
#include <cjson/cJSON.h>
#include <stdbool.h>

/* The caller frees *object with cJSON_Delete; NULL after an error. Errors: ERR_INPUT with line. */
MUST_CHECK int json_read(const char *path, cJSON **object);
/* Through "<path>.part", renamed when it is whole. Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int json_write(const char *path, const cJSON *object);
/* The same for a file with a "seal", XXH3-64 of the text with zeros in its place, as its last key; `object` must have a
 * key. A file of which one byte is not what was written is refused. Errors: as above. */
MUST_CHECK int json_read_sealed(const char *path, cJSON **object);
MUST_CHECK int json_write_sealed(const char *path, const cJSON *object);

/* Add a number with 9 significant digits, null when not finite. */
void json_number(cJSON *object, const char *key, double value);
void json_numbers(cJSON *object, const char *key, int n, const double *value); /* the same for an array */
double json_round(double value);                                               /* to 9 significant digits */

double json_get(const cJSON *object, const char *key); /* the number, NaN when there is none or it is null */
/* What lies at a path of keys and indices, "pressure_drops/0/value_pa"; NULL when it is not there. */
const cJSON *json_find(const cJSON *object, const char *path);
const char *json_text(const cJSON *object, const char *key); /* NULL when it is no text */
/* Three numbers of an array; false, with NaN, where one is not there. */
bool json_vector(const cJSON *array, double vector[3]);
#endif
