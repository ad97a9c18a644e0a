/* SPDX-License-Identifier: Apache-2.0 */
/* golden LIST: the named numbers of a pipeline run against their limits.
 *
 * A line of the list is      name | low | high | file | key        ('#' starts a comment, '$' a command, see golden.sh)
 * key: a.b.0.c in a JSON file, or "overlap OTHER": the Dice overlap of two masks on the same grid.
 * Every number is printed; the program ends with 1 when one is out of its limits, missing or not a number. */
#include "common/base/file.h"
#include "common/image_file/itk_image.h"
#include "common/record/json.h"
#include "common/base/status.h"
#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 5, LIST_MAX = 100000 };

static char *trim(char *text) {
    while (isspace((unsigned char)*text))
        text++;
    char *end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1]))
        *--end = '\0';
    return text;
}

/* `key`: a.b.0.c; its dots become the separators of json_find. */
static int json_number_at(const char *path, char *key, double *value) {
    cJSON *root = NULL;
    for (char *c = strchr(key, '.'); c; c = strchr(c, '.'))
        *c = '/';
    int rc = json_read(path, &root);
    const cJSON *at = json_find(root, key);
    if (rc == OK && cJSON_IsBool(at))
        *value = cJSON_IsTrue(at);
    else if (rc == OK && at && cJSON_IsNumber(at))
        *value = at->valuedouble;
    else if (rc == OK)
        rc = fail(ERR_INPUT, "'%s' has no number under that key", path);
    cJSON_Delete(root);
    return rc;
}

static int overlap(const char *path, const char *other, double *value) {
    volume a = {0}, b = {0};
    double both = 0, sum = 0;
    int rc = OK;
    TRY(image_read(path, NULL, &a));
    TRY(image_read(other, NULL, &b));
    if (memcmp(a.dims, b.dims, sizeof a.dims) != 0) {
        rc = fail(ERR_INPUT, "'%s' and '%s' have different grids", path, other);
        goto cleanup;
    }
    for (size_t i = 0; i < volume_size(&a); i++) {
        both += a.value[i] > 0 && b.value[i] > 0;
        sum += (a.value[i] > 0) + (b.value[i] > 0);
    }
    *value = 2 * both / sum;
cleanup:
    volume_free(&a);
    volume_free(&b);
    return rc;
}

static bool check_line(char *line) {
    char *field[FIELDS] = {line};
    int n = 0, rc;
    double value = NAN;
    for (char *save = NULL, *word = strtok_r(line, "|", &save); word && n < FIELDS; word = strtok_r(NULL, "|", &save))
        field[n++] = trim(word);
    if (n != FIELDS) {
        printf("FAILED  a line has %d of %d fields: %s\n", n, (int)FIELDS, field[0]);
        return false;
    }
    const double low = strtod(field[1], NULL), high = strtod(field[2], NULL);
    if (strncmp(field[4], "overlap ", 8) == 0)
        rc = overlap(field[3], trim(field[4] + 8), &value);
    else
        rc = json_number_at(field[3], field[4], &value);
    const bool good = rc == OK && value >= low && value <= high;
    printf("%-7s %-40s %12.6g   %g .. %g%s%s\n", good ? "ok" : "FAILED", field[0], value, low, high,
           rc == OK ? "" : "   ", status_message());
    status_clear();
    return good;
}

int main(int argc, char **argv) {
    char *text = NULL, *save = NULL;
    int failed = 0, checked = 0;
    if (argc != 2) {
        fprintf(stderr, "golden: usage: golden LIST\n");
        return ERR_USAGE;
    }
    const int rc = file_read(argv[1], LIST_MAX, &text, NULL);
    if (rc != OK)
        return status_finish("golden", rc);
    for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        line = trim(line);
        if (*line == '\0' || *line == '#' || *line == '$')
            continue;
        checked++;
        failed += !check_line(line);
    }
    free(text);
    printf("%d numbers, %d failed\n", checked, failed);
    return failed > 0 || checked == 0;
}
