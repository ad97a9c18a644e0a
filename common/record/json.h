/* SPDX-License-Identifier: Apache-2.0 */
/* Read and write JSON files; access values. */
#ifndef PORTAFLOW_JSON_H
#define PORTAFLOW_JSON_H
#include "common/base/must_check.h"
#include <cjson/cJSON.h>
#include <stdbool.h>

/* Read a file. The caller frees *object with cJSON_Delete; NULL on error. Errors: ERR_INPUT with the line number. */
MUST_CHECK int json_read(const char *path, cJSON **object);
/* Write a file through "<path>.part". Errors: ERR_OUTPUT, ERR_RESOURCE. */
MUST_CHECK int json_write(const char *path, const cJSON *object);
/* As json_read and json_write, for a file whose last key is "seal": XXH3-64 of the text with zeros in place of the
 * seal. A file with any changed byte is refused. `object` must have a key. */
MUST_CHECK int json_read_sealed(const char *path, cJSON **object);
MUST_CHECK int json_write_sealed(const char *path, const cJSON *object);

/* Add a number with 9 significant digits, null when not finite. */
void json_add_number(cJSON *object, const char *key, double value);
void json_add_numbers(cJSON *object, const char *key, int n,
                      const double *value); /* adds an array of numbers as json_add_number */
double json_round(double value);            /* round to 9 significant digits */

double json_get_number(const cJSON *object, const char *key); /* value of a key; NaN when missing or null */
/* Item at a path of keys and indices, "pressure_drops/0/value_pa"; NULL when missing. */
const cJSON *json_find(const cJSON *object, const char *path);
const char *json_get_text(const cJSON *object, const char *key); /* text of a key; NULL when missing or not a text */
/* Read the first three numbers of an array. A missing number is NaN, and the result is then false. */
bool json_get_vector(const cJSON *array, double vector[3]);
#endif
